//! `recount reopen ID`: back to unknown, with a new deadline. There is no other way back.

use serde_json::json;

use crate::book::Head;
use crate::book::action::Action;
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lifecycle::expiry::deadline;
use crate::lifecycle::resolve::reopen;
use crate::model::row::State;
use crate::model::time::rfc3339;
use crate::text::redact;

use super::Stop;
use super::evidence::keep;
use super::out::{closing, done, head, with_item};
use super::store::{block, entry, record};

/// Reopens one intent. Owner is whoever reopens, unless another is named.
pub fn run(call: &Call) -> Result<u8, Failure> {
    with_item(call, |desk, item| {
        let actor = desk.entry_actor()?;
        let note = redact(call.text("note").unwrap_or_default()).into_owned();
        let owner = call.told("owner").unwrap_or_else(|| actor.name.clone());
        let usual = deadline(State::Unknown, item.view.timeout, desk.deadlines(&item.view.kind), desk.now);
        let due = desk.deadline()?.or(usual);
        reopen(
            &item.facts,
            desk.actor(),
            (&owner, due, &note),
            desk.seen(&item.facts, call.text("if-facts")),
            desk.rules(),
        )?;
        let due = due.map(rfc3339).unwrap_or_default();
        let mut book = desk.book()?;
        let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
            let before = record(w, desk, item, &actor)?;
            let mut draft = entry(desk, item, Action::Reopen, &actor).note(&note).change(
                json!({"state": item.facts.state_word()}),
                json!({"state": "unknown", "deadline": due, "owner": owner, "move": "T8"}),
            );
            if item.record.is_some() {
                draft = draft.with("supersedes", json!([before.state_seq]));
            }
            draft.evidence = keep(w, &block(desk, item), &[])?;
            Ok(w.append(&draft)?)
        })?;
        let id = &item.view.intent_id;
        let mut lines = vec![format!(
            "{id} is unknown again, it was {}: owner {owner}, until {due}",
            item.facts.state_word()
        )];
        lines.extend(closing(&written));
        done(
            call,
            &desk.mask,
            &lines,
            &json!({
                "schema": "recount.decision.v1", "intent_id": id, "from": item.facts.state_word(), "to": "unknown",
                "owner": owner, "deadline": due, "book": head(&written),
            }),
        )?;
        Ok(0)
    })
}
