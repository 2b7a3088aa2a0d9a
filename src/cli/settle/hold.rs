//! `recount escalate`, `extend`, `assign`: the night's default. Unknown costs nothing per hour (`3-lifecycle.md` 3.9).

use serde_json::{Value, json};

use crate::book::Head;
use crate::book::action::Action;
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lifecycle::resolve::{Hold, hold};
use crate::model::row::State;
use crate::model::time::{Micros, rfc3339};
use crate::text::redact;

use super::Stop;
use super::desk::{Desk, Item};
use super::evidence::keep;
use super::out::{closing, decided, done, head, with_item};
use super::store::{block, entry, record};

/// `escalate`: somebody is told, with a reference that shows it.
pub fn escalate(call: &Call) -> Result<u8, Failure> {
    let only_delivery = call.text("delivered").is_some() && call.text("owner").is_none();
    with_item(
        call,
        |desk, item| if only_delivery { delivered(desk, item) } else { held(desk, item, Hold::Escalate) },
    )
}

/// `extend`: more time.
pub fn extend(call: &Call) -> Result<u8, Failure> {
    with_item(call, |desk, item| held(desk, item, Hold::Extend))
}

/// `assign`: an owner; the owner takes it over with an entry of his own.
pub fn assign(call: &Call) -> Result<u8, Failure> {
    with_item(call, |desk, item| held(desk, item, Hold::Assign))
}

/// What a hold writes.
#[derive(Clone, Debug)]
pub struct Held<'a> {
    /// Which.
    pub what: Hold,
    /// Owner.
    pub owner: &'a str,
    /// Deadline.
    pub due: Option<Micros>,
    /// Note.
    pub note: &'a str,
    /// Delivery reference.
    pub delivered: Option<&'a str>,
    /// Batch.
    pub batch: Option<&'a str>,
}

fn held(desk: &Desk<'_>, item: &Item, what: Hold) -> Result<u8, Stop> {
    let call = desk.call;
    let actor = desk.entry_actor()?;
    let note = redact(call.text("note").unwrap_or_default()).into_owned();
    desk.unchanged(item)?;
    // Who extends without naming somebody keeps the owner that there is, else takes it on.
    let standing = item.record.as_ref().and_then(|r| r.owner.clone());
    let kept = (what == Hold::Extend).then_some(standing).flatten();
    let owner = call.told("owner").or(kept).unwrap_or_default();
    let due = desk.deadline()?;
    hold(&item.facts, what, desk.actor(), (&owner, due, &note), desk.rules())?;
    let mut delivered = call.told("delivered");
    if what == Hold::Escalate && delivered.is_none() {
        delivered = super::deliver::deliver(desk, item, &owner, due, &note);
    }
    let as_held =
        Held { what, owner: &owner, due, note: &note, delivered: delivered.as_deref(), batch: None };
    let mut book = desk.book()?;
    let written =
        book.write(&desk.clock, |w| -> Result<Head, Stop> { write(w, desk, item, &actor, &as_held) })?;
    let id = &item.view.intent_id;
    let until = due.map_or_else(String::new, |at| format!(", until {}", rfc3339(at)));
    let did = match what {
        Hold::Escalate => "is escalated to",
        Hold::Extend => "is held by",
        Hold::Assign => "belongs to",
    };
    let mut lines = vec![format!("{id} {did} {owner}{until}; it stays {}", item.facts.state_word())];
    if what == Hold::Escalate {
        lines.push(match &delivered {
            Some(reference) => format!("delivered: {reference}"),
            None => format!("NOT DELIVERED: tell {owner}, then recount escalate {id} --delivered REF"),
        });
    }
    lines.extend(closing(&written));
    done(
        call,
        &desk.mask,
        &lines,
        &json!({
            "schema": "recount.decision.v1", "intent_id": id, "from": item.facts.state_word(),
            "to": item.facts.state_word(), "owner": owner, "deadline": due.map(rfc3339), "delivered": delivered,
            "book": head(&written),
        }),
    )?;
    Ok(0)
}

/// Writes a hold.
///
/// # Errors
/// What the book says.
pub fn write(
    w: &mut crate::book::Writer<'_>,
    desk: &Desk<'_>,
    item: &Item,
    actor: &crate::book::Actor,
    held: &Held<'_>,
) -> Result<Head, Stop> {
    let before = record(w, desk, item, actor)?;
    let mut after = serde_json::Map::new();
    after.insert("owner".to_owned(), json!(held.owner));
    if let Some(due) = held.due {
        after.insert("deadline".to_owned(), json!(rfc3339(due)));
    }
    let action = if held.what == Hold::Escalate { Action::Escalate } else { Action::Assign };
    if action == Action::Escalate {
        after.insert("escalated_to".to_owned(), json!(held.owner));
        // A new escalation is delivered anew, and nobody has taken it over yet.
        after.insert("delivered".to_owned(), json!(held.delivered));
        after.insert("delivered_at".to_owned(), json!(held.delivered.map(|_| rfc3339(w.now()))));
        after.insert("taken_over_by".to_owned(), Value::Null);
        after.insert("taken_over_at".to_owned(), Value::Null);
    } else if actor.name.trim().eq_ignore_ascii_case(held.owner.trim()) {
        after.insert("taken_over_by".to_owned(), json!(actor.name));
        after.insert("taken_over_at".to_owned(), json!(rfc3339(w.now())));
    }
    if item.facts.state == Some(State::Unknown) {
        after.insert("move".to_owned(), json!("T9"));
    }
    // Everything that the entry replaces, so that a batch can be taken back by its entries alone.
    let mut stood = json!({"owner": before.owner, "deadline": before.deadline.map(rfc3339)});
    if action == Action::Escalate || after.contains_key("taken_over_by") {
        let was = w.view().assignment("intent", &item.view.intent_id)?;
        let was = was.as_ref();
        let at = |at: Option<Micros>| at.map(rfc3339);
        stood["taken_over_by"] = json!(was.and_then(|a| a.taken_over_by.clone()));
        stood["taken_over_at"] = json!(at(was.and_then(|a| a.taken_over_at)));
        if action == Action::Escalate {
            stood["escalated_to"] = json!(was.and_then(|a| a.escalated_to.clone()));
            stood["escalated_at"] = json!(at(was.and_then(|a| a.escalated_at)));
            stood["delivered"] = json!(was.and_then(|a| a.delivered.clone()));
            stood["delivered_at"] = json!(at(was.and_then(|a| a.delivered_at)));
        }
    }
    let mut draft = entry(desk, item, action, actor).change(stood, Value::Object(after));
    draft.note = super::store::some(held.note).map(str::to_owned);
    if let Some(reference) = held.delivered {
        draft = draft.with("refs", json!({"delivery": reference}));
    }
    if let Some(batch) = held.batch {
        draft = draft.with("batch", json!(batch));
    }
    draft.evidence = keep(w, &block(desk, item), &[])?;
    Ok(w.append(&draft)?)
}

/// `escalate ID --delivered REF`: the reference of an earlier escalation.
fn delivered(desk: &Desk<'_>, item: &Item) -> Result<u8, Stop> {
    let reference = redact(desk.call.text("delivered").unwrap_or_default()).into_owned();
    let id = &item.view.intent_id;
    let actor = desk.entry_actor()?;
    let mut book = desk.book()?;
    let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
        let assignment = w.view().assignment("intent", id)?;
        if assignment.and_then(|a| a.escalated_to).is_none() {
            return Err(Failure::usage(&format!(
                "{id} is not escalated; recount escalate {id} --owner NAME --deadline TIME --note TEXT"
            ))
            .into());
        }
        let draft = entry(desk, item, Action::Delivered, &actor)
            .change(Value::Null, json!({"delivered": reference}))
            .with("refs", json!({"delivery": reference}));
        Ok(w.append(&draft)?)
    })?;
    let lines = vec![format!("{id}: delivered, {reference}")];
    decided(
        desk,
        lines,
        &written,
        json!({
        "intent_id": id, "delivered": reference,
        }),
    )?;
    Ok(0)
}
