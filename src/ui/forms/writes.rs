//! `Writes` and `After`: the exact entry, and what it does not do.

use super::{Block, Draw, Line};
use crate::app::settle::dialogs::{self, AGREE, Dialog, HOLD};
use crate::app::settle::field::Field;
use crate::app::settle::form::Phase;
use crate::model::time::{Micros, rfc3339};
use crate::ui::role::{Role, Span};

/// Said of every write.
const NOT_TOLD: &str =
    "Ledger and trace stay untouched. The payment service is not told; nothing is sent or cancelled.";

/// The same where there is little room.
const NOT_TOLD_SHORT: &str = "The payment service is not told. Nothing is sent or cancelled.";

/// What is written and where.
pub(super) fn block(draw: &Draw<'_>) -> Block {
    let form = draw.form;
    let next = dialogs::next_entry(form);
    if let Phase::Writing = form.phase {
        return draw.block("Writes", &format!("writing entry {next} …"), Role::Text);
    }
    if let Phase::Unsure(before, why) = &form.phase {
        let words = format!(
            "not known whether entry {} was written: {}. Nothing is shown as done until the book can be read; R reads it again.",
            before + 1,
            draw.outside(why)
        );
        return draw.block("Writes", &words, Role::AskWord);
    }
    let answer = form.value(Field::Answer);
    let choices = dialogs::choices(form, draw.case, Field::Answer);
    if choices.iter().any(|choice| choice.key == answer && !choice.possible) {
        return draw.block("Writes", "nothing, until the chosen answer is possible", Role::Text);
    }
    let mut lines = draw.block("Writes", &draw.outside(&sentence(draw, next)), Role::Text);
    let not_told = if draw.wide { NOT_TOLD } else { NOT_TOLD_SHORT };
    lines.extend(draw.wrapped(not_told, Role::Dim));
    lines
}

fn sentence(draw: &Draw<'_>, next: i64) -> String {
    let form = draw.form;
    let me = form.book().and_then(|looked| looked.operator.clone().ok()).unwrap_or_default();
    let id = form.view().map(|view| view.intent_id.clone()).unwrap_or_default();
    let state = form.fact().map_or("unknown", |facts| facts.state_word());
    let answer = form.value(Field::Answer);
    match form.dialog {
        Dialog::Resolve if answer == HOLD => held(&id, next, state),
        Dialog::Resolve if dialogs::waits(form, draw.case) => format!(
            "entry {next} and the file {id}.request.json: {me} asks to move it from {state} to {answer}. It stays \
             {state} until {} agrees. From the limit up two people decide what can release money, also where the \
             evidence allows it.",
            approvers(draw, &me)
        ),
        Dialog::Resolve => format!("entry {next}: {id} goes from {state} to {answer}, by {me} alone."),
        Dialog::Reopen => {
            format!("entry {next}: {id} goes from {state} back to unknown; nobody may send it.")
        }
        Dialog::Hold => held(&id, next, state),
        Dialog::Assign => format!("entry {next}: {id} belongs to its owner. It stays {state}."),
        Dialog::Deliver => format!("entry {next}: the reference that reached the owner. It stays {state}."),
        Dialog::Note => format!("entry {next}: a note on {id}. It stays {state}."),
        Dialog::Rows => {
            let chosen = form.value(Field::Row);
            let row = chosen.split_once(':').map_or("", |(_, row)| row).to_owned();
            let waits = dialogs::waits(form, draw.case);
            match chosen.split_once(':').map(|(verb, _)| verb) {
                Some("unlink") if waits => {
                    format!("entry {next}: {me} asks to take {row} away; a second person has to agree.")
                }
                Some("unlink") => format!("entry {next}: {row} is no row of {id} any more."),
                Some("link") => format!("entry {next}: {row} is a row of {id}."),
                Some("reject") => format!("entry {next}: {row} is not a row of {id}."),
                _ => "nothing, until a row is chosen".to_owned(),
            }
        }
        Dialog::Read => format!("entry {next}: what the ledger holds of {id} now, as a read-back."),
        Dialog::Manual => {
            format!("entry {next}: what was seen, as a read by hand. It never proves that nothing happened.")
        }
        Dialog::Dispose if dialogs::waits(form, draw.case) => {
            format!("entry {next}: {me} asks to close it; a second person has to agree.")
        }
        Dialog::Dispose => {
            format!("entry {next}: how {id} was closed. It leaves the list until its facts change.")
        }
        Dialog::Answer if answer == AGREE => {
            format!("entry {next}: {me} agrees, and the decision takes effect; both people are named in it.")
        }
        Dialog::Answer => format!("entry {next}: {me} does not agree. {id} stays {state}."),
        Dialog::Accept => format!(
            "entry {next}: the answer of the second person, and the decision; both people are named in it. One check \
             that fails and nothing is written: the difference is shown, and the request stays open."
        ),
        Dialog::Withdraw => format!("entry {next}: the request is taken back. {id} stays {state}."),
        Dialog::Waiting => String::new(),
        Dialog::Many => {
            let able = crate::app::settle::decide::possible(form, draw.case).len();
            let left = form.facts.len().saturating_sub(able);
            let rest = match left {
                0 => String::new(),
                1 => "; the other one stays marked".to_owned(),
                left => format!("; the other {left} stay marked"),
            };
            let entries = if able == 1 { "entry" } else { "entries, one each," };
            format!("{able} {entries} under one batch{rest}.")
        }
    }
}

fn held(id: &str, next: i64, state: &str) -> String {
    format!("entry {next}. {id} stays {state}, nobody may send it.")
}

/// Who may agree.
pub(super) fn approvers(draw: &Draw<'_>, me: &str) -> String {
    let policy = draw.form.book().map(|looked| looked.policy.clone()).unwrap_or_default();
    let others: Vec<String> = policy
        .approvers
        .iter()
        .filter(|name| !name.trim().eq_ignore_ascii_case(me.trim()))
        .map(|name| draw.outside(name))
        .collect();
    match others.split_last() {
        None => "an approver".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// What it means for the key: whether the service would still know it.
pub(super) fn after(draw: &Draw<'_>) -> Block {
    let Some(view) = draw.form.view() else { return Vec::new() };
    let answer = draw.form.value(Field::Answer);
    let first = view.attempts.iter().filter(|a| !a.read).map(|a| a.sent.at).filter(|at| !at.is_none()).min();
    let (Some(first), Some(kept)) = (first, view.retention) else { return Vec::new() };
    let releases = answer == "failed" || matches!(draw.form.dialog, Dialog::Accept | Dialog::Answer);
    if view.key.is_empty() || !releases {
        return Vec::new();
    }
    let until = first.plus(kept);
    let key = draw.shown.id(&view.key);
    if until > draw.shown.now {
        return Vec::new();
    }
    let span = crate::model::time::span_words(kept);
    let time = shown(draw, until);
    let words = if draw.wide {
        format!(
            "Key {key} was kept for {span}, until {time}: the service would take it for a new request. If the customer is \
             to get the money, a person records a new request that names {}.",
            draw.shown.id(&view.intent_id)
        )
    } else {
        format!("Key {key} has expired: a new one needs a new request.")
    };
    let mut lines = draw.wrapped(&words, Role::Text);
    if let Some(line) = lines.first_mut() {
        line.label = "After";
        line.spans.insert(0, Span::new("! ", Role::Ask));
    }
    for line in lines.iter_mut().skip(1) {
        line.spans.insert(0, Span::new("  ", Role::Text));
    }
    lines
}

fn shown(draw: &Draw<'_>, at: Micros) -> String {
    if at == Micros::FOREVER { rfc3339(at) } else { draw.shown.second(at) }
}

/// A line that says what stands above the answers when the facts are others now.
pub(super) fn changed(draw: &Draw<'_>) -> Block {
    let mut lines: Vec<Line> = Vec::new();
    for (old, new) in &draw.form.changed {
        for (word, side, role) in [("was ", old, Role::Dim), ("is  ", new, Role::AskWord)] {
            for line in crate::text::wrap(draw.outside(side), draw.room.saturating_sub(4)) {
                lines.push(Line::of(vec![Span::new(word, Role::Dim), Span::new(line, role)]));
            }
        }
    }
    if let Some(first) = lines.first_mut() {
        first.label = "Changed";
    }
    lines
}
