//! `recount link EFFECT ID`, `unlink EFFECT` and `reject EFFECT ID`: rule J6. Taking a row away can release money, so from the high-value
//! limit up it takes two people (`3-lifecycle.md` 3.10).

use serde_json::{Value, json};

use crate::book::Head;
use crate::book::action::Action;
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lifecycle::guards;
use crate::lifecycle::persons::{Choice, persons, somebody_may};
use crate::lifecycle::refusal::{Code, Refusal};
use crate::lifecycle::resolve::of;
use crate::lifecycle::states::Actor as Role;
use crate::text::redact;

use super::desk::{Desk, Item};
use super::evidence::keep;
use super::out::{decided, ended, with_desk};
use super::store::{block, entry, record};
use super::{PENDING, Stop, request};

/// A row, by its source and its id there.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Effect {
    source: String,
    id: String,
}

impl Effect {
    fn json(&self) -> Value {
        json!({"source": self.source, "id": self.id})
    }
}

/// `link EFFECT ID`.
pub fn link(call: &Call) -> Result<u8, Failure> {
    with_desk(call, |desk| {
        let item = desk.item(&call.other().unwrap_or_default())?;
        let subject = crate::book::Subject::intent(&item.view.intent_id);
        let work = || {
            let effect = loose(desk, &item, &call.word().unwrap_or_default())?;
            let note = may(desk, &item, "linked")?;
            written(desk, &item, Action::Link, &effect, &note)
        };
        Ok(ended(desk, &subject, work())?)
    })
}

/// `reject EFFECT ID`: a suggestion is answered with no.
pub fn reject(call: &Call) -> Result<u8, Failure> {
    with_desk(call, |desk| {
        let item = desk.item(&call.other().unwrap_or_default())?;
        let subject = crate::book::Subject::intent(&item.view.intent_id);
        let work = || {
            let of_source = |no: usize| desk.sources.get(no).map(|s| s.id.clone()).unwrap_or_default();
            let maybe = item.view.open_rows.iter();
            let maybe = maybe.map(|e| Effect { source: of_source(e.source), id: e.id.clone() }).collect();
            let effect = one(maybe, &call.word().unwrap_or_default(), "no suggestion of it has the id")?;
            let note = may(desk, &item, "rejected")?;
            written(desk, &item, Action::SuggestionRejected, &effect, &note)
        };
        Ok(ended(desk, &subject, work())?)
    })
}

/// `unlink EFFECT`.
pub fn unlink(call: &Call) -> Result<u8, Failure> {
    with_desk(call, |desk| {
        let (item, effect) = linked(desk, &call.word().unwrap_or_default())?;
        let subject = crate::book::Subject::intent(&item.view.intent_id);
        let work = || {
            let note = may(desk, &item, "unlinked")?;
            let policy = &desk.policy.policy;
            let high = policy.is_high(desk.loaded.case.units(), &item.facts.weight, &item.facts.kind);
            if persons(Choice::Unlink, high, policy.solo) > 1 {
                somebody_may(policy, &desk.who()?.person)?;
                request::ask(desk, &item, &json!({"unlink": effect.json(), "note": note}), &note, &[])?;
                return Ok(PENDING);
            }
            written(desk, &item, Action::Unlink, &effect, &note)
        };
        Ok(ended(desk, &subject, work())?)
    })
}

/// A person, with a note.
fn may(desk: &Desk<'_>, item: &Item, did: &str) -> Result<String, Stop> {
    if desk.actor() != Role::Human {
        let code = if desk.actor() == Role::Agent { Code::Agent } else { Code::Who };
        return Err(of(
            Refusal::new(code, format!("{} may not tie rows", desk.actor().word())).missing("a person"),
            &item.facts,
            did,
        )
        .into());
    }
    desk.unchanged(item)?;
    let note = redact(desk.call.text("note").unwrap_or_default()).into_owned();
    guards::note(&note, &item.facts.last_note, &desk.policy.policy).map_err(|r| of(r, &item.facts, did))?;
    Ok(note)
}

/// A row that is not this intent's yet: one without an attempt, or one that may be its own.
fn loose(desk: &Desk<'_>, item: &Item, word: &str) -> Result<Effect, Stop> {
    let of_source = |no: usize| desk.sources.get(no).map(|s| s.id.clone()).unwrap_or_default();
    let maybe = item.view.open_rows.iter().map(|e| Effect { source: of_source(e.source), id: e.id.clone() });
    let orphans = desk.loaded.case.orphans();
    let others = orphans.iter().map(|o| Effect { source: of_source(o.source), id: o.effect_id.clone() });
    one(maybe.chain(others).collect(), word, "no row without an attempt has the id")
}

/// The one row of a list that a word names: `SOURCE/ID`, or its id.
fn one(rows: Vec<Effect>, word: &str, none: &str) -> Result<Effect, Stop> {
    let fits = |e: &&Effect| !e.id.is_empty() && (e.id == word || format!("{}/{}", e.source, e.id) == word);
    let mut hits: Vec<&Effect> = rows.iter().filter(fits).collect();
    hits.dedup();
    match hits.as_slice() {
        [effect] => Ok((*effect).clone()),
        [] => Err(Failure::usage(&format!("{none} {word:?}; write it as SOURCE/ID")).into()),
        several => {
            let named: Vec<String> = several.iter().map(|e| format!("{}/{}", e.source, e.id)).collect();
            Err(Failure::usage(&format!("{word:?} names several rows: {}", named.join(", "))).into())
        }
    }
}

/// The intent that a row is linked to.
fn linked(desk: &Desk<'_>, word: &str) -> Result<(Item, Effect), Stop> {
    let id = word.split_once('/').map_or(word, |(_, id)| id);
    for op in desk.loaded.case.find(id) {
        let item = desk.item_of(op)?;
        let of_source = |no: usize| desk.sources.get(no).map(|s| s.id.clone()).unwrap_or_default();
        let rows: Vec<Effect> = item
            .view
            .effects
            .iter()
            .map(|e| Effect { source: of_source(e.source), id: e.id.clone() })
            .filter(|e| e.id == id)
            .collect();
        if !rows.is_empty() {
            let effect = one(rows, word, "no linked row has the id")?;
            return Ok((item, effect));
        }
    }
    Err(Failure::usage(&format!(
        "no linked row has the id {word:?}; recount show ID lists those of an intent"
    ))
    .into())
}

fn written(desk: &Desk<'_>, item: &Item, action: Action, effect: &Effect, note: &str) -> Result<u8, Stop> {
    let actor = desk.entry_actor()?;
    let mut book = desk.book()?;
    let written = book.write(&desk.clock, |w| {
        write(w, desk, item, &Tie { action, effect: &effect.json(), note, actor: &actor, second: None })
    })?;
    let id = &item.view.intent_id;
    let did = match action {
        Action::Link => "is tied to",
        Action::SuggestionRejected => "is not a row of",
        _ => "is taken from",
    };
    let lines = vec![format!("{}/{} {did} {id}, by {}", effect.source, effect.id, actor.name)];
    decided(
        desk,
        lines,
        &written,
        json!({
        "intent_id": id, "effect": effect.json(), "action": action.word(),
        }),
    )?;
    Ok(0)
}

/// What the entry of a tie is made of.
pub struct Tie<'a> {
    /// Link, unlink or reject.
    pub action: Action,
    /// The row.
    pub effect: &'a Value,
    /// The note.
    pub note: &'a str,
    /// Who decides.
    pub actor: &'a crate::book::Actor,
    /// The second person.
    pub second: Option<Value>,
}

/// Writes a tie.
///
/// # Errors
/// What the book says.
pub fn write(
    w: &mut crate::book::Writer<'_>,
    desk: &Desk<'_>,
    item: &Item,
    tie: &Tie<'_>,
) -> Result<Head, Stop> {
    record(w, desk, item, tie.actor)?;
    let mut draft = entry(desk, item, tie.action, tie.actor)
        .note(tie.note)
        .change(Value::Null, json!({"effect": tie.effect}));
    if let Some(second) = &tie.second {
        draft = draft.with("second", second.clone());
    }
    draft.evidence = keep(w, &block(desk, item), &[])?;
    Ok(w.append(&draft)?)
}
