//! From the key to the entry: opening a form, what the book says, writing, and what came back. Nothing is shown as done
//! before the book has it.

use super::booked::{Done, Looked, Order, Outcome, Refused, Todo, Told};
use super::decide;
use super::dialogs::{self, AGREE, Dialog, HOLD};
use super::field::Field;
use super::form::{Form, One, Phase, Stop, Subject};
use super::keys::{form, with};
use super::{audit, marks, menu};
use crate::app::action::Action;
use crate::app::case::{CaseView, Copied, Item, Trouble};
use crate::app::load::read_again;
use crate::app::model::{Layer, Model};
use crate::app::msg::Cmd;
use crate::app::update::{perform, say};
use crate::judge::view::IntentView;
use crate::lifecycle::refusal::Code;
use crate::model::row::State;
use crate::model::time::rfc3339;

/// A deadline that a form begins with.
const DUE: &str = "4h";

/// Opens a form on what is selected.
pub fn open(model: &mut Model, dialog: Dialog) -> Vec<Cmd> {
    if matches!(model.layers.last(), Some(Layer::Menu(_))) {
        model.layers.pop();
    }
    let many = !model.marks.is_empty() && model.detail().is_none();
    let (dialog, subject, answer) = if many && matches!(dialog, Dialog::Resolve | Dialog::Hold) {
        let answer = if dialog == Dialog::Hold { HOLD } else { "confirmed" };
        (Dialog::Many, Subject::Many(marks::marked(model)), answer)
    } else {
        let Some((item, at)) = menu::subject(model) else { return Vec::new() };
        (dialog, Subject::One(Box::new(item.clone()), at), HOLD)
    };
    model.requests += 1;
    let mut form = Form::new(dialog, subject, model.requests);
    if matches!(dialog, Dialog::Resolve | Dialog::Many) {
        form.set(Field::Answer, answer);
    }
    let cmd = look(&form);
    model.layers.push(Layer::Form(Box::new(form)));
    vec![cmd]
}

fn look(form: &Form) -> Cmd {
    let intents = form.views().into_iter().map(|view| view.intent_id.clone()).collect();
    Cmd::Settle(Todo::Look { request: form.request, intents, draft: form.draft_name() })
}

/// Asks for the audit head alone.
pub fn ask_head(model: &Model) -> Vec<Cmd> {
    if !model.setup.has_book {
        return Vec::new();
    }
    vec![Cmd::Settle(Todo::Look { request: 0, intents: Vec::new(), draft: String::new() })]
}

/// An answer of the runtime.
pub fn told(model: &mut Model, told: Told) -> Vec<Cmd> {
    match told {
        Told::Looked(request, looked) => take_look(model, request, looked),
        Told::Written(request, outcome) => written(model, request, *outcome),
        Told::Edited(request, text) => take_edit(model, request, text),
        Told::LogRead(request, log) => {
            audit::take(model, request, log);
            Vec::new()
        }
    }
}

fn mine(model: &Model, request: u64) -> bool {
    model.layers.iter().any(|layer| matches!(layer, Layer::Form(form) if form.request == request))
}

fn take_look(model: &mut Model, request: u64, looked: Result<Box<Looked>, Trouble>) -> Vec<Cmd> {
    if let Ok(looked) = &looked {
        model.head.clone_from(&looked.head);
    }
    if !mine(model, request) {
        return Vec::new();
    }
    with(model, |form, case| {
        let first = form.looked.is_none();
        form.phase = Phase::Editing;
        let Ok(looked) = looked else {
            form.looked = Some(looked);
            return;
        };
        let facts = form.views().into_iter().zip(&looked.items);
        form.facts = facts.map(|(view, booked)| decide::facts(view, booked, case)).collect();
        let draft = looked.draft.clone();
        form.looked = Some(Ok(looked));
        if first {
            waiting(form);
            preset(form);
            if let Some(draft) = draft {
                form.take_draft(&draft);
            }
        }
        form.changed = differences(&form.seen_before, &lines(form));
        form.stale = false;
        form.seen_before = lines(form);
    });
    Vec::new()
}

/// A request that waits takes the place of the form: of this person it is shown, of another it is answered.
fn waiting(form: &mut Form) {
    let pending = form.booked().and_then(|booked| booked.pending.clone());
    if let (Dialog::Resolve, Some(pending)) = (form.dialog, pending) {
        form.dialog = if pending.mine { Dialog::Waiting } else { Dialog::Answer };
        form.values.clear();
    }
}

/// What a form begins with.
fn preset(form: &mut Form) {
    let booked = form.booked().cloned().unwrap_or_default();
    let me = form.book().and_then(|looked| looked.operator.clone().ok()).unwrap_or_default();
    match form.dialog {
        Dialog::Resolve | Dialog::Hold | Dialog::Many => preset_hold(form),
        Dialog::Assign => form.preset(Field::Owner, &me),
        Dialog::Reopen => {
            form.preset(Field::Owner, &me);
            form.preset(Field::Deadline, DUE);
        }
        Dialog::Deliver => form.preset(Field::Delivered, &booked.delivered),
        Dialog::Answer => form.preset(Field::Answer, AGREE),
        Dialog::Accept => {
            let id = form.view().map(|view| view.intent_id.clone()).unwrap_or_default();
            form.preset(Field::File, &format!("{id}.approval.json"));
        }
        Dialog::Manual => {
            let now = form.book().map(|looked| looked.now);
            form.preset(Field::ReadAt, &now.map(rfc3339).unwrap_or_default());
        }
        _ => {}
    }
}

/// Owner and deadline of a hold: whoever has it, else whom the policy names.
pub fn preset_hold(form: &mut Form) {
    let of_policy = form.book().and_then(|looked| looked.policy.escalation_owner.clone());
    let owner = form.booked().map(|booked| booked.owner.clone()).filter(|owner| !owner.is_empty());
    form.preset(Field::Owner, &owner.or(of_policy).unwrap_or_default());
    form.preset(Field::Deadline, DUE);
}

/// Something was typed or chosen: an earlier refusal is over.
pub fn touched(form: &mut Form) {
    if matches!(form.phase, Phase::Refused(_)) && !form.stale {
        form.phase = Phase::Editing;
    }
}

/// What is seen of each intent, in words: name and value.
pub fn lines(form: &Form) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for facts in &form.facts {
        let id = &facts.intent_id;
        all.push((format!("{id}, state"), facts.state_word().to_owned()));
        all.push((format!("{id}, version"), facts.version.to_string()));
        let rows: Vec<String> = facts
            .rows
            .iter()
            .map(|row| format!("{} {}", row.name, row.amount).trim_end().to_owned())
            .collect();
        let none = |all: Vec<String>| if all.is_empty() { "none".to_owned() } else { all.join(", ") };
        all.push((format!("{id}, rows"), none(rows)));
        let calls = facts.calls.iter().map(|call| format!("{} {}", call.id, call.told)).collect();
        all.push((format!("{id}, calls"), none(calls)));
        all.push((format!("{id}, read"), facts.cover.read.clone()));
        all.push((format!("{id}, facts"), facts.fingerprint.chars().take(12).collect()));
    }
    all
}

/// What is another one now: old and new.
fn differences(old: &[(String, String)], new: &[(String, String)]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (name, was) in old {
        let is = new.iter().find(|(other, _)| other == name).map_or("", |(_, is)| is.as_str());
        if was != is {
            let shown = name.split_once(", ").map_or(name.as_str(), |(_, what)| what);
            all.push((format!("{shown}: {was}"), format!("{shown}: {is}")));
        }
    }
    // A fingerprint alone says nothing to a person.
    if all.len() > 1 {
        all.retain(|(old, _)| !old.starts_with("facts: "));
    }
    all
}

/// Another listed row ends like the one of the form.
pub fn ends_alike(model: &Model) -> bool {
    const LOOKED_AT: usize = 200;
    let (Some(case), Some(form)) = (model.case(), form(model)) else { return false };
    let Some(id) = form.view().map(|view| view.intent_id.clone()) else { return false };
    let tail = |id: &str| id.chars().rev().filter(char::is_ascii_alphanumeric).take(4).collect::<String>();
    let (list, at) = (&model.list, model.form());
    let rows = (0..list.len(at).min(LOOKED_AT)).filter_map(|no| list.row(&**case, no, at));
    rows.into_iter()
        .any(|row| row.intent_id != id && !row.intent_id.is_empty() && tail(&row.intent_id) == tail(&id))
}

/// Enter: presses the button that has the focus, or takes a choice.
pub fn press(model: &mut Model) -> Vec<Cmd> {
    let Some(stop) = form(model).map(|form| form.stop) else { return Vec::new() };
    match stop {
        Stop::Cancel => perform(model, Action::Back),
        Stop::Field(_) => super::keys::choose(model),
        Stop::Editor => {
            let asked = with(model, |form, _| (form.request, form.value(Field::Note)));
            asked.map(|(request, text)| vec![Cmd::Settle(Todo::Edit { request, text })]).unwrap_or_default()
        }
        Stop::Copy => copy(model),
        Stop::TakeBack => {
            // A new form about the same intent, for its note.
            let Some(Layer::Form(form)) = model.layers.pop() else { return Vec::new() };
            model.requests += 1;
            let form = Form::new(Dialog::Withdraw, form.subject, model.requests);
            let cmd = look(&form);
            model.layers.push(Layer::Form(Box::new(form)));
            vec![cmd]
        }
        Stop::Confirm => confirm(model),
    }
}

fn confirm(model: &mut Model) -> Vec<Cmd> {
    let refused = with(model, |form, case| {
        // An answer that the rules refuse is refused by the book too, so that the log has it.
        let by_rule = form.dialog == Dialog::Resolve
            && State::from_word(&form.value(Field::Answer))
                .is_some_and(|to| decide::answer(form, case, to).is_err_and(|r| is_logged(r.code)));
        if by_rule && form.book().is_some_and(|l| l.blocked.is_none() && l.operator.is_ok()) && !form.stale {
            return None;
        }
        form.missing(case)
    });
    if let Some(Some(why)) = refused {
        return say(model, format!("not written: {why}"), false);
    }
    model.requests += 1;
    let request = model.requests;
    let order = with(model, |form, case| {
        let order = dialogs::order(form, case);
        form.request = request;
        form.phase = Phase::Writing;
        form.order = Some(order.clone());
        order
    });
    order.map(|order| vec![Cmd::Settle(Todo::Write { request, order })]).unwrap_or_default()
}

/// A refusal that was asked for on purpose belongs into the log.
fn is_logged(code: Code) -> bool {
    !matches!(code, Code::Readonly | Code::Identity | Code::Chain | Code::Note)
}

fn written(model: &mut Model, request: u64, outcome: Outcome) -> Vec<Cmd> {
    if !mine(model, request) {
        return Vec::new();
    }
    if let Outcome::Done(Done { head, .. }) | Outcome::Refused(Refused { head, .. }) = &outcome
        && head.0 > 0
    {
        model.head.clone_from(head);
    }
    match outcome {
        Outcome::Done(done) => finished(model, done),
        Outcome::Refused(refused) => no(model, refused),
        Outcome::Failed(why) => {
            with(model, |form, _| form.phase = Phase::Editing);
            say(model, format!("! not written: {}. {}", why.what.trim_end_matches('.'), why.next), true)
        }
        Outcome::Unsure { before, why } => {
            with(model, |form, _| form.phase = Phase::Unsure(before, why.clone()));
            let entry = before + 1;
            say(
                model,
                format!("! not known whether entry {entry} was written: {why}. R reads the book again"),
                true,
            )
        }
    }
}

fn no(model: &mut Model, refused: Refused) -> Vec<Cmd> {
    let said = match refused.entry {
        Some(entry) => format!("refused, and noted in the audit log as entry {entry}"),
        None => "refused; not logged".to_owned(),
    };
    with(model, |form, _| {
        form.stale = refused.code == Code::Version.word();
        if form.stale {
            let there =
                refused.parts.iter().find(|(name, _)| *name == "seen").map(|(_, lines)| lines.clone());
            let mut there = there.unwrap_or_default().into_iter();
            form.changed = vec![(there.next().unwrap_or_default(), there.next().unwrap_or_default())];
        }
        if let Some(Ok(looked)) = &mut form.looked
            && refused.entry.is_some()
        {
            looked.head.clone_from(&refused.head);
            looked.next = refused.head.0 + 1;
        }
        form.phase = Phase::Refused(Box::new(refused));
    });
    say(model, said, true)
}

fn finished(model: &mut Model, done: Done) -> Vec<Cmd> {
    let mut cmds = Vec::new();
    let mut said = String::new();
    let mut stays = false;
    with(model, |form, _| {
        cmds.push(Cmd::Settle(Todo::Keep { draft: form.draft_name(), text: String::new() }));
        said = sentence(form, &done);
        stays = done.waits.is_some() || done.batch.is_some();
        form.stop = Stop::Cancel;
        form.phase = Phase::Done(Box::new(done.clone()));
    });
    if let Some(batch) = &done.batch {
        // What could not be settled stays marked.
        let left = |id: &String| batch.rows.iter().any(|(row, word, _)| row == id && word != "done");
        model.marks.retain(|_, id| left(id));
    }
    if !stays {
        model.layers.pop();
    }
    cmds.extend(say(model, said, false));
    model.wrote = model.messages;
    cmds.extend(read_again(model));
    cmds
}

/// `entry 42 is written: int_4813 unknown → confirmed. The payment service was not told`.
fn sentence(form: &Form, done: &Done) -> String {
    let entries = match done.entries.as_slice() {
        [] => "nothing new was written".to_owned(),
        [one] => format!("entry {one} is written"),
        // The first record of an intent stands before the decision, which is what was asked for.
        [.., last] if done.batch.is_none() => format!("entry {last} is written"),
        [first, .., last] => format!("entries {first} to {last} are written"),
    };
    let id = form.view().map(|view| view.intent_id.clone()).unwrap_or_default();
    let what = match (&done.moved, &done.waits) {
        (_, Some(_)) => ": approval requested".to_owned(),
        (Some((from, to)), None) if from != to => format!(": {id} {from} → {to}"),
        (Some((from, _)), None) => format!(": {id} stays {from}"),
        (None, None) => String::new(),
    };
    format!("{entries}{what}. The payment service was not told")
}

/// The commands of a request that waits, for the ticket.
fn copy(model: &mut Model) -> Vec<Cmd> {
    let lines = with(model, |form, _| commands(form)).unwrap_or_default();
    vec![Cmd::Copy { what: "the commands, ", copied: Copied { lines, party: String::new() } }]
}

/// Three commands: of the second person, and of whoever asked.
pub fn commands(form: &Form) -> Vec<String> {
    let id = form.view().map(|view| view.intent_id.clone()).unwrap_or_default();
    let file = match &form.phase {
        Phase::Done(done) => done.waits.as_ref().map(|waits| waits.file.clone()),
        _ => None,
    };
    let file = file.filter(|file| !file.is_empty()).unwrap_or_else(|| format!("{id}.request.json"));
    let answer = format!("{id}.approval.json");
    vec![
        format!("recount approve {file} --source S --note T --out {answer}"),
        format!("recount deny {file} --note T --out {answer}"),
        format!("recount accept {answer}"),
    ]
}

fn take_edit(model: &mut Model, request: u64, text: Result<String, Trouble>) -> Vec<Cmd> {
    if !mine(model, request) {
        return Vec::new();
    }
    match text {
        Ok(text) => {
            with(model, |form, _| {
                let text = text.trim_end_matches('\n');
                form.values.entry(Field::Note).or_default().replace(text, super::form::NOTE);
            });
            super::keys::edited(model)
        }
        Err(why) => say(model, format!("! {}. {}", why.what, why.next), true),
    }
}

/// `R` in a form: what cannot be told is looked for in the book, else the sources are read again; the form stays.
pub fn again(model: &mut Model) -> Vec<Cmd> {
    let unsure = form(model).and_then(|form| match (&form.phase, &form.order) {
        (Phase::Unsure(before, _), Some(order)) => Some((*before, order.clone())),
        _ => None,
    });
    if let Some((before, order)) = unsure {
        return recheck(model, before, order);
    }
    read_again(model)
}

fn recheck(model: &mut Model, before: i64, order: Order) -> Vec<Cmd> {
    model.requests += 1;
    let request = model.requests;
    with(model, |form, _| form.request = request);
    vec![Cmd::Settle(Todo::Recheck { request, order, before })]
}

/// The sources were read anew under an open form: it is about the intent as it is now, and the book is looked into again.
/// `None` closes it: its intent is gone.
pub fn reload(
    form: &mut Form,
    case: &dyn CaseView,
    told: crate::app::case::Told,
    request: u64,
) -> Option<Cmd> {
    if matches!(form.phase, Phase::Done(_)) {
        return Some(Cmd::Settle(Todo::Keep { draft: form.draft_name(), text: String::new() }));
    }
    let number = |view: &IntentView| case.intent_of(&view.intent_id);
    match &mut form.subject {
        Subject::One(item, at) => {
            let id = item.intents.get(*at)?.intent_id.clone();
            let number = case.intent_of(&id)?;
            let row =
                case.find(&item.row.id).map_or_else(|| case.intent_row(number), |place| case.row(place));
            **item = Item::load(case, row, told);
            *at = item.intents.iter().position(|view| view.intent_id == id)?;
        }
        Subject::Many(all) => {
            let now = all.iter().filter_map(|one| {
                let number = number(&one.view)?;
                Some(One { view: case.intent(number), operation: one.operation.clone() })
            });
            let now: Vec<One> = now.collect();
            *all = now;
        }
    }
    form.request = request;
    Some(look(form))
}
