//! `recount note ID --note T`: an entry without a change.

use serde_json::json;

use crate::book::Head;
use crate::book::action::Action;
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lifecycle::guards;
use crate::lifecycle::resolve::of;
use crate::text::redact;

use super::Stop;
use super::out::{done, head, with_item};
use super::store::{entry, open_case};

/// Writes the note.
pub fn run(call: &Call) -> Result<u8, Failure> {
    with_item(call, |desk, item| {
        let actor = desk.entry_actor()?;
        desk.unchanged(item)?;
        let note = redact(call.text("note").unwrap_or_default()).into_owned();
        guards::note(&note, &item.facts.last_note, &desk.policy.policy)
            .map_err(|r| of(r, &item.facts, "note"))?;
        let mut book = desk.book()?;
        let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
            open_case(w, &desk.loaded.case.spec.id, &desk.policy, &actor)?;
            Ok(w.append(&entry(desk, item, Action::Note, &actor).note(&note))?)
        })?;
        let id = &item.view.intent_id;
        let lines =
            [format!("{id}: note written, it stays {}", item.facts.state_word()), super::NOT_TOLD.to_owned()];
        done(
            call,
            &desk.mask,
            &lines,
            &json!({
                "schema": "recount.decision.v1", "intent_id": id, "note": note, "book": head(&written),
            }),
        )?;
        Ok(0)
    })
}
