//! T10: what is confirmed in the book and stands in the ledger as it was meant is stamped "verified at position N" by
//! reconciliation (`3-lifecycle.md` 3.2). The state stays what it is.

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::{Draft, Head, Subject};
use crate::lifecycle::facts::Facts;
use crate::lifecycle::matrix::{Move, allowed};
use crate::lifecycle::states::Actor as Role;
use crate::model::row::{Seen, State};

use super::desk::{Desk, Item};
use super::readback::{Look, look_at};
use super::store::{open_case, reached, time};
use super::{Stop, who};

/// What was verified, or would be: intent id and position.
///
/// # Errors
/// What the book says.
pub fn verified(desk: &Desk<'_>, apply: bool) -> Result<Vec<(String, String)>, Stop> {
    let Some(book) = desk.looked()? else { return Ok(Vec::new()) };
    let open = book.view()?.intents()?.into_iter();
    let open: Vec<String> = open
        .filter(|i| i.state == State::Confirmed && i.verified_at_position.is_none())
        .map(|i| i.intent_id)
        .collect();
    drop(book);
    let mut all = Vec::new();
    for id in open {
        let [op] = desk.loaded.case.find(&id)[..] else { continue };
        let item = desk.item_of(op)?;
        let Some(source) = stands(&item.facts) else { continue };
        if allowed(item.facts.state, State::Confirmed, Role::Reconciliation, false) != Ok(Move::T10) {
            continue;
        }
        let look = look_at(desk, &item, &source)?;
        if look.seen != Seen::Present || look.position.is_empty() {
            continue;
        }
        if apply {
            stamp(desk, &item, &look)?;
        }
        all.push((id, format!("{source} {}", look.position)));
    }
    Ok(all)
}

/// The source of its one live row, where everything is as it was meant.
fn stands(facts: &Facts) -> Option<String> {
    let mut rows = facts.live_rows(false);
    let row = rows.next().filter(|_| rows.next().is_none() && facts.differs.is_empty())?;
    row.name.split_once('/').map(|(source, _)| source.to_owned())
}

fn stamp(desk: &Desk<'_>, item: &Item, look: &Look) -> Result<(), Stop> {
    let actor = who::program(desk.call, Role::Reconciliation);
    let mut book = desk.for_writing()?;
    book.write(&desk.clock, |w| -> Result<Head, Stop> {
        open_case(w, &desk.loaded.case.spec.id, &desk.policy, &actor)?;
        w.view().follows(&item.view.intent_id)?;
        w.expect(&item.view.intent_id, i64::try_from(item.facts.version).unwrap_or_default())?;
        let id = w.view().next_readback()?;
        let draft = Draft::new(Action::Readback, &actor, Subject::intent(&item.view.intent_id)).change(
            Value::Null,
            json!({
                "readback": {
                    "id": id, "source": look.source, "read_at": time(look.at), "result": look.seen.word(),
                    "detail": look.detail, "position": look.position,
                    "query": format!("operation id {}", item.view.operation_id), "manual": false, "replayed": false,
                },
                "verified_at_position": look.position, "move": Move::T10.word(),
            }),
        );
        let draft = draft.with("reached", reached(desk));
        Ok(w.append(&draft)?)
    })?;
    Ok(())
}
