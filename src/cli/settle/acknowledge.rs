//! `recount case acknowledge SOURCE`: a person takes note of a source whose read position went back; its listing counts
//! again from there (`4-sources.md` 4.2).

use serde_json::json;

use crate::book::action::Action;
use crate::book::{Draft, Head, Subject};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lifecycle::guards;
use crate::text::redact;

use super::out::{done, ended, head, with_desk};
use super::store::{open_case, reached_json};
use super::{NOT_TOLD, Stop};

/// Takes note of it.
pub fn run(call: &Call) -> Result<u8, Failure> {
    with_desk(call, |desk| {
        let id = call.word().unwrap_or_default();
        let subject = Subject::new("source", &id);
        let work = || -> Result<u8, Stop> {
            let actor = desk.person()?;
            let note = redact(call.text("note").unwrap_or_default()).into_owned();
            guards::note(&note, "", &desk.policy.policy)
                .map_err(|refusal| refusal.of(format!("{id} taken note of"), "nothing was changed"))?;
            let back = desk.loaded.case.went_back();
            let Some((_, why)) = back.iter().find(|(source, _)| *source == id) else {
                let named: Vec<&str> = back.iter().map(|(source, _)| source.as_str()).collect();
                let which = if named.is_empty() { "no source".to_owned() } else { named.join(", ") };
                return Err(Failure::usage(&format!(
                    "the read position of {id:?} did not go back; {which} did; recount sources shows all"
                ))
                .into());
            };
            let reached = desk.loaded.case.reached();
            let position = reached.iter().find(|r| r.source == id).map(reached_json);
            let mut book = desk.book()?;
            let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
                open_case(w, &desk.loaded.case.spec.id, &desk.policy, &actor)?;
                let draft = Draft::new(Action::PositionAcknowledged, &actor, subject.clone())
                    .note(&note)
                    .change(json!({"went_back": why}), json!({"position": position}));
                Ok(w.append(&draft)?)
            })?;
            let lines = [
                format!("{id}: {why}; taken note of by {}, its listing counts again", actor.name),
                NOT_TOLD.to_owned(),
            ];
            done(
                call,
                &desk.mask,
                &lines,
                &json!({
                    "schema": "recount.decision.v1", "source": id, "went_back": why, "position": position,
                    "book": head(&written),
                }),
            )?;
            Ok(0)
        };
        Ok(ended(desk, &subject, work())?)
    })
}
