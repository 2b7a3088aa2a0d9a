//! The action menu (`.`): what may be done with the selection and why not, from the action table, the matrix and the
//! guards; and what a key that settles answers where it cannot.

use super::decide;
use super::dialogs::Dialog;
use super::form::Case;
use crate::app::action::{self, Action};
use crate::app::case::Item;
use crate::app::model::{Context, Layer, Model};
use crate::judge::view::{IntentView, RowKind};
use crate::lifecycle::facts::Facts;
use crate::lifecycle::guards::Rules;
use crate::lifecycle::policy::Policy;
use crate::lifecycle::refusal::Code;
use crate::lifecycle::resolve::{Hold, hold, moves};
use crate::lifecycle::states::Actor;
use crate::model::row::State;

/// The menu, open.
pub struct Menu {
    /// Of what: `refund of order 4812`. Raw.
    pub title: String,
    /// The selected line.
    pub selected: usize,
}

/// A line of it.
pub struct Line {
    /// What is done.
    pub action: Action,
    /// Its key; empty where it has none.
    pub key: String,
    /// In words.
    pub words: String,
    /// Why it cannot be done now.
    pub not_now: Option<String>,
}

/// What it offers, those with a letter first, with its words.
const OFFERED: [(Action, &str); 18] = [
    (Action::Form(Dialog::Resolve), "Resolve it"),
    (Action::Form(Dialog::Hold), "Hand it over, or name an owner"),
    (Action::Form(Dialog::Rows), "Tie a row, take one away, reject one"),
    (Action::ReadAgain, "Read the sources again"),
    (Action::Timeline, "Its timeline"),
    (Action::AuditOf, "What was decided about it"),
    (Action::Copy, "Copy the facts"),
    (Action::Choose, "Mark it"),
    (Action::Form(Dialog::Read), "Read one ledger for it, audited"),
    (Action::Form(Dialog::Manual), "Record what you saw elsewhere"),
    (Action::Form(Dialog::Reopen), "Reopen it"),
    (Action::Form(Dialog::Dispose), "Close it with a disposition"),
    (Action::Form(Dialog::Assign), "Take it over, or name another owner"),
    (Action::Form(Dialog::Deliver), "Add the reference that reached the owner"),
    (Action::Form(Dialog::Note), "Write a note"),
    (Action::Form(Dialog::Accept), "Accept the answer of the second person"),
    (Action::Form(Dialog::Withdraw), "Take the request back"),
    (Action::MarkAll, "Mark all that are listed"),
];

/// Opens it on what is selected.
pub fn open(model: &mut Model) {
    let title = match (model.detail(), &model.preview) {
        (Some(detail), _) => detail.item.title(),
        (None, Some((_, item))) => item.title(),
        (None, None) => return,
    };
    model.layers.push(Layer::Menu(Menu { title, selected: 0 }));
}

/// Moves the selection.
pub fn step(model: &mut Model, by: isize) {
    let most = lines(model).len().saturating_sub(1);
    if let Some(Layer::Menu(menu)) = model.layers.last_mut() {
        menu.selected = menu.selected.saturating_add_signed(by).min(most);
    }
}

/// Nothing is selected.
pub fn nothing(model: &Model) -> Option<String> {
    (model.detail().is_none() && model.preview.is_none()).then(|| "the list is empty".to_owned())
}

/// The lines of the menu.
pub fn lines(model: &Model) -> Vec<Line> {
    let below = below(model);
    let offered = OFFERED.iter().filter_map(|(action, words)| {
        let entry = action::entry(*action)?;
        entry.contexts.contains(&below).then(|| Line {
            action: *action,
            key: entry.keys.first().map(|key| key.shown()).unwrap_or_default(),
            words: (*words).to_owned(),
            not_now: (entry.refusal)(model),
        })
    });
    offered.collect()
}

/// The place that the menu is of.
fn below(model: &Model) -> Context {
    if matches!(model.layers.last(), Some(Layer::Menu(_))) { model.below() } else { model.context() }
}

/// The selection with the intent that is settled: the first unknown one, else the first.
pub fn subject(model: &Model) -> Option<(&Item, usize)> {
    let item = match model.detail() {
        Some(detail) => &detail.item,
        None => &model.preview.as_ref()?.1,
    };
    let unknown = item.intents.iter().position(|view| view.judgement.state == Some(State::Unknown));
    // In the evidence it is the intent of the attempt that is selected.
    let chosen = model.detail().filter(|_| item.intents.len() > 1);
    let of_attempt = chosen.and_then(|detail| item.attempts().nth(detail.attempt)).map(|(of, _)| of);
    let at = of_attempt.or(unknown).unwrap_or(0);
    (!item.intents.is_empty()).then_some((item, at))
}

/// What the rules need, from a model with a case.
pub fn case_of(model: &Model) -> Option<Case<'_>> {
    let case = model.case()?;
    Some(Case { units: case.units(), sources: case.sources(), now: case.summary().now, ends_alike: false })
}

/// Why nothing can be written here at all.
pub fn read_only(model: &Model) -> Option<String> {
    (!model.setup.can_write).then(|| {
        if model.setup.read_only.is_empty() {
            "nothing can be written: this is not a case. recount case init DIR FILES makes one".to_owned()
        } else {
            model.setup.read_only.clone()
        }
    })
}

/// Why a form cannot be opened on what is selected; `None` where it can.
pub fn why_not(model: &Model, dialog: Dialog) -> Option<String> {
    if let Some(why) = read_only(model) {
        return Some(why);
    }
    let case = case_of(model)?;
    let many = !model.marks.is_empty() && model.detail().is_none();
    if many && matches!(dialog, Dialog::Resolve | Dialog::Hold) {
        return None;
    }
    let Some((item, at)) = subject(model) else {
        return Some("it is no operation that could be settled".to_owned());
    };
    if matches!(item.row.kind, RowKind::NotCompared { .. } | RowKind::FitsByOrder { .. }) {
        return Some("it stands for several: enter opens them".to_owned());
    }
    let view = item.intents.get(at)?;
    of_view(view, case, dialog)
}

fn of_view(view: &IntentView, case: Case<'_>, dialog: Dialog) -> Option<String> {
    let facts = Facts::of(view, case.units, case.sources, case.now);
    let pending = view.standing.flags.contains(&"pending_approval");
    let policy = Policy::default();
    let rules = Rules { policy: &policy, units: case.units, now: case.now };
    let said = |result: Result<(), crate::lifecycle::refusal::Refusal>| result.err().map(|r| r.because);
    match dialog {
        Dialog::Resolve | Dialog::Answer | Dialog::Waiting | Dialog::Many if pending => None,
        Dialog::Resolve | Dialog::Answer | Dialog::Waiting | Dialog::Many => match facts.state {
            Some(State::Confirmed | State::Failed) => {
                Some(format!("it is recorded as {}, not unknown. Reopen it first", facts.state_word()))
            }
            None => Some("its calls were answered: there is nothing unknown to settle".to_owned()),
            _ => said(moves(&facts, State::Confirmed, Actor::Human, case.now).map(|_| ())),
        },
        Dialog::Reopen => match facts.state {
            Some(State::Confirmed | State::Failed) => None,
            Some(_) => Some("it is still open".to_owned()),
            None => Some("nothing was recorded of it".to_owned()),
        },
        Dialog::Hold | Dialog::Assign => {
            // Whatever owner and deadline are: only the matrix can stand against it.
            let what = if dialog == Dialog::Hold { Hold::Escalate } else { Hold::Assign };
            let fields = ("", None, "");
            let refusal = hold(&facts, what, Actor::Human, fields, rules).err();
            refusal
                .filter(|r| !matches!(r.code, Code::Owner | Code::Deadline | Code::Note))
                .map(|r| r.because)
        }
        Dialog::Dispose => match facts.state {
            Some(State::Unknown | State::Submitted) => Some("it is still unknown".to_owned()),
            _ => said(decide::may_dispose(&facts, rules)),
        },
        Dialog::Rows => {
            let any = view.open_rows.iter().chain(&view.effects).any(|row| !row.id.is_empty());
            (!any).then(|| "no row is near it".to_owned())
        }
        Dialog::Deliver => {
            let waits = view.standing.flags.contains(&"not_delivered");
            (!waits).then(|| "no handing over waits for a reference".to_owned())
        }
        Dialog::Accept | Dialog::Withdraw => (!pending).then(|| "no request waits".to_owned()),
        Dialog::Read => {
            let any = case.sources.iter().any(|s| s.what == "ledger");
            (!any).then(|| "no ledger is loaded".to_owned())
        }
        Dialog::Manual | Dialog::Note => None,
    }
}
