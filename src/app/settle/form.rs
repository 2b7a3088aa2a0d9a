//! One form: what was typed and chosen, where the focus is, and what stands in the way of writing it.

use std::collections::BTreeMap;

use super::booked::{Booked, Done, Looked, Order, Refused};
use super::decide;
use super::dialogs::{self, Dialog};
use super::editor::Editor;
use super::field::{Field, Kind};
use crate::app::case::{Item, Trouble};
use crate::app::layers::Scroll;
use crate::judge::view::{IntentView, SourceView};
use crate::lifecycle::facts::Facts;
use crate::model::units::Units;

/// Most characters of a line.
pub const LINE: usize = 400;
/// Most characters of a note that are taken; the policy may allow fewer.
pub const NOTE: usize = 8_000;

/// Where the focus is. It begins on Cancel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A field.
    Field(Field),
    /// The button that opens the editor of the person on the note.
    Editor,
    /// Nothing is written.
    Cancel,
    /// It is written.
    Confirm,
    /// A request that waits: its commands are copied.
    Copy,
    /// A request that waits: it is taken back.
    TakeBack,
}

/// How far it has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The book is looked into.
    Looking,
    /// It is filled in.
    Editing,
    /// It is being written.
    Writing,
    /// A rule said no.
    Refused(Box<Refused>),
    /// Nobody can tell whether it was written; the last entry before it.
    Unsure(i64, String),
    /// It is in the book.
    Done(Box<Done>),
}

/// One of many.
#[derive(Clone, Debug)]
pub struct One {
    /// Its intent.
    pub view: IntentView,
    /// As the list names it.
    pub operation: String,
}

/// What a form is about.
pub enum Subject {
    /// One intent, with the row that it stands in.
    One(Box<Item>, usize),
    /// Several that were marked.
    Many(Vec<One>),
}

/// A form.
pub struct Form {
    /// Which.
    pub dialog: Dialog,
    /// About what.
    pub subject: Subject,
    /// Number of the last thing that was asked for.
    pub request: u64,
    /// What the book says.
    pub looked: Option<Result<Box<Looked>, Trouble>>,
    /// What is known of each intent.
    pub facts: Vec<Facts>,
    /// What was typed and chosen.
    pub values: BTreeMap<Field, Editor>,
    /// The focus.
    pub stop: Stop,
    /// The line of a choice that the cursor is on.
    pub cursor: usize,
    /// How far it has come.
    pub phase: Phase,
    /// What was sent to be written.
    pub order: Option<Order>,
    /// What was there when it was opened and is not any more: old and new, in words.
    pub changed: Vec<(String, String)>,
    /// The sources have to be read again before it can be written.
    pub stale: bool,
    /// The facts as they were seen before they were read again.
    pub seen_before: Vec<(String, String)>,
    /// How far it is scrolled.
    pub scroll: Scroll,
}

/// A line of a choice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// Its value.
    pub key: String,
    /// Its words.
    pub words: String,
    /// What it rests on, or why it is not possible.
    pub why: String,
    /// It can be decided so.
    pub possible: bool,
    /// Evidence carries it.
    pub proven: bool,
    /// Code of the refusal; empty where it is possible.
    pub code: &'static str,
}

impl Form {
    /// A form that looks into the book first.
    pub fn new(dialog: Dialog, subject: Subject, request: u64) -> Self {
        Self {
            dialog,
            subject,
            request,
            looked: None,
            facts: Vec::new(),
            values: BTreeMap::new(),
            stop: Stop::Cancel,
            cursor: 0,
            phase: Phase::Looking,
            order: None,
            changed: Vec::new(),
            stale: false,
            seen_before: Vec::new(),
            scroll: Scroll::default(),
        }
    }

    /// The intents that it is about.
    pub fn views(&self) -> Vec<&IntentView> {
        match &self.subject {
            Subject::One(item, at) => item.intents.get(*at).into_iter().collect(),
            Subject::Many(all) => all.iter().map(|one| &one.view).collect(),
        }
    }

    /// The one intent that it is about.
    pub fn view(&self) -> Option<&IntentView> {
        match &self.subject {
            Subject::One(item, at) => item.intents.get(*at),
            Subject::Many(_) => None,
        }
    }

    /// The row of the one.
    pub fn item(&self) -> Option<&Item> {
        match &self.subject {
            Subject::One(item, _) => Some(item),
            Subject::Many(_) => None,
        }
    }

    /// Name of its draft.
    pub fn draft_name(&self) -> String {
        let of = self.view().map_or_else(|| "many".to_owned(), |view| view.intent_id.clone());
        format!("{of} {}", self.dialog.spec().name)
    }

    /// What the book says, where it could be read.
    pub fn book(&self) -> Option<&Looked> {
        self.looked.as_ref().and_then(|looked| looked.as_ref().ok()).map(|looked| &**looked)
    }

    /// What the book says of the one intent.
    pub fn booked(&self) -> Option<&Booked> {
        self.book().and_then(|looked| looked.items.first())
    }

    /// The facts of the one intent.
    pub fn fact(&self) -> Option<&Facts> {
        self.facts.first().filter(|_| self.view().is_some())
    }

    /// The value of a field.
    pub fn value(&self, field: Field) -> String {
        self.values.get(&field).map(Editor::text).unwrap_or_default()
    }

    /// A word is ticked.
    pub fn ticked(&self, field: Field, word: &str) -> bool {
        self.value(field).split(' ').any(|one| one == word)
    }

    /// Sets a value that is not typed.
    pub fn set(&mut self, field: Field, text: &str) {
        self.values.insert(field, Editor::of(text));
    }

    /// Sets a value where nothing stands yet.
    pub fn preset(&mut self, field: Field, text: &str) {
        self.values.entry(field).or_insert_with(|| Editor::of(text));
    }

    /// What was typed, to be kept.
    pub fn draft(&self) -> String {
        let kept: serde_json::Map<String, serde_json::Value> = self
            .values
            .iter()
            // What is typed to confirm is typed anew each time.
            .filter(|(field, value)| **field != Field::Typed && !value.is_empty())
            .map(|(field, value)| (field.row().name.to_owned(), value.text().into()))
            .collect();
        if kept.is_empty() { String::new() } else { serde_json::Value::Object(kept).to_string() }
    }

    /// Takes a draft. What is in none of the fields is left out.
    pub fn take_draft(&mut self, draft: &str) {
        let Ok(serde_json::Value::Object(kept)) = serde_json::from_str(draft) else { return };
        for row in &super::field::FIELDS {
            if let Some(text) = kept.get(row.name).and_then(serde_json::Value::as_str)
                && row.field != Field::Typed
            {
                self.set(row.field, text);
            }
        }
    }

    /// Fields and buttons in the order of `tab`.
    pub fn stops(&self, case: Case<'_>) -> Vec<Stop> {
        if let Phase::Done(done) = &self.phase {
            let waits = done.waits.is_some();
            return if waits { vec![Stop::Cancel, Stop::Copy, Stop::TakeBack] } else { vec![Stop::Cancel] };
        }
        if self.dialog == Dialog::Waiting {
            return vec![Stop::Cancel, Stop::Copy, Stop::TakeBack];
        }
        if matches!(self.phase, Phase::Looking | Phase::Writing | Phase::Unsure(..)) || self.book().is_none()
        {
            return vec![Stop::Cancel];
        }
        // From Cancel, where the focus begins, through the fields to the button.
        let mut stops = vec![Stop::Cancel];
        for field in dialogs::fields(self, case) {
            stops.push(Stop::Field(field));
            if field == Field::Note {
                stops.push(Stop::Editor);
            }
        }
        stops.push(Stop::Confirm);
        stops
    }

    /// The next or previous stop.
    pub fn turn(&mut self, case: Case<'_>, by: isize) {
        let stops = self.stops(case);
        let at = stops.iter().position(|stop| *stop == self.stop).unwrap_or(0);
        let count = isize::try_from(stops.len()).unwrap_or(1).max(1);
        let next = (isize::try_from(at).unwrap_or(0) + by).rem_euclid(count);
        self.stop = usize::try_from(next).ok().and_then(|at| stops.get(at)).copied().unwrap_or(Stop::Cancel);
        self.scroll.follow = true;
        self.cursor = match self.stop {
            Stop::Field(field) if matches!(field.row().kind, Kind::Choice) => {
                let value = self.value(field);
                dialogs::choices(self, case, field).iter().position(|c| c.key == value).unwrap_or(0)
            }
            _ => 0,
        };
    }

    /// The focus is in a field for typing.
    pub fn types(&self) -> Option<Field> {
        match self.stop {
            Stop::Field(field) if field.is_typed() && !matches!(self.phase, Phase::Done(_)) => Some(field),
            _ => None,
        }
    }

    /// What stands in the way of writing it; `None` where nothing does.
    pub fn missing(&self, case: Case<'_>) -> Option<String> {
        match &self.phase {
            Phase::Looking => return Some("the book is being read".to_owned()),
            Phase::Writing => return Some("it is being written".to_owned()),
            Phase::Unsure(..) => {
                return Some("not known whether it was written. R reads the book".to_owned());
            }
            Phase::Done(_) => return Some("it is written".to_owned()),
            Phase::Editing | Phase::Refused(_) => {}
        }
        let looked = match &self.looked {
            None => return Some("the book is being read".to_owned()),
            Some(Err(why)) => return Some(why.what.clone()),
            Some(Ok(looked)) => looked,
        };
        if let Some(refusal) = looked.blocked.as_ref().or(looked.operator.as_ref().err()) {
            return Some(refusal.because.clone());
        }
        if self.stale {
            return Some("it changed: R reads it again".to_owned());
        }
        if let Err(refusal) = decide::verdict(self, case) {
            return Some(refusal.because);
        }
        let typed = dialogs::to_type(self, case)?;
        (self.value(Field::Typed).trim() != typed).then(|| format!("type {typed} first"))
    }
}

/// What the rules need of the loaded case.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    /// Names and decimals of units.
    pub units: &'a Units,
    /// The sources.
    pub sources: &'a [SourceView],
    /// The clock of the case.
    pub now: crate::model::time::Micros,
    /// Another listed row ends like this one, so its short id takes more letters.
    pub ends_alike: bool,
}
