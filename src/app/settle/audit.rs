//! The screen of the log: entries, which one is selected, of the whole case or of one intent.

use super::booked::{Log, Logged, Todo};
use crate::app::case::Trouble;
use crate::app::model::{Model, Screen};
use crate::app::msg::Cmd;

/// Newest entries that are kept for the screen; older ones are counted.
pub const MOST: usize = 2_000;

/// What the screen of the log shows.
#[derive(Default)]
pub struct Audit {
    /// The log; `None` until it was read.
    pub log: Option<Result<Box<Log>, Trouble>>,
    /// Number of the request for it.
    pub request: u64,
    /// Only entries about this intent: its id, and its title.
    pub only: Option<(String, String)>,
    /// The selected entry, counted from the first that is listed.
    pub selected: usize,
}

impl Audit {
    /// The log, where it could be read.
    pub fn log(&self) -> Option<&Log> {
        self.log.as_ref()?.as_ref().ok().map(|log| &**log)
    }

    /// The entries that are listed.
    pub fn listed(&self) -> Vec<&Logged> {
        let wanted = |entry: &&Logged| self.only.as_ref().is_none_or(|(id, _)| entry.subject.1 == *id);
        self.log().map(|log| log.entries.iter().filter(wanted).collect()).unwrap_or_default()
    }

    /// The selected entry.
    pub fn entry(&self) -> Option<&Logged> {
        self.listed().get(self.selected).copied()
    }
}

/// Goes to the screen, of the whole case.
pub fn screen(model: &mut Model) -> Vec<Cmd> {
    model.layers.clear();
    model.screen = Screen::Audit;
    model.audit.only = None;
    read(model)
}

/// Goes to the screen, for what is selected.
pub fn of_selection(model: &mut Model) -> Vec<Cmd> {
    let subject = super::menu::subject(model);
    let only = subject.and_then(|(item, at)| Some((item.intents.get(at)?.intent_id.clone(), item.title())));
    model.layers.clear();
    model.screen = Screen::Audit;
    model.audit.only = only;
    read(model)
}

/// Asks for the log.
pub fn read(model: &mut Model) -> Vec<Cmd> {
    if !model.setup.has_book {
        return Vec::new();
    }
    model.requests += 1;
    model.audit.request = model.requests;
    vec![Cmd::Settle(Todo::ReadLog { request: model.requests })]
}

/// The log is there: the newest entry is selected.
pub fn take(model: &mut Model, request: u64, log: Result<Box<Log>, Trouble>) {
    if request == model.audit.request {
        model.audit.log = Some(log);
        model.audit.selected = model.audit.listed().len().saturating_sub(1);
    }
}

/// Moves the selection.
pub fn step(model: &mut Model, by: isize) {
    let most = model.audit.listed().len().saturating_sub(1);
    model.audit.selected = model.audit.selected.saturating_add_signed(by).min(most);
}

/// Why the selected entry leads to no operation.
pub fn leads_nowhere(model: &Model) -> Option<String> {
    let number = model.audit.entry().and_then(|entry| {
        (entry.subject.0 == "intent").then(|| model.case()?.intent_of(&entry.subject.1)).flatten()
    });
    number.is_none().then(|| "the entry is about no operation of this case".to_owned())
}
