//! What is written with a decision: the first record of an intent, the block of facts, the entry (`3-lifecycle.md` 3.6.2,
//! 3.8).

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::records::Intent;
use crate::book::{Actor, Draft, Subject, Writer};
use crate::cli::failure::Failure;
use crate::judge::view::{IntentView, SourceView};
use crate::lifecycle::expiry::deadline;
use crate::lifecycle::facts::Facts;
use crate::model::money::{Money, parse_decimal, plain};
use crate::model::row::State;
use crate::model::time::{Micros, rfc3339};
use crate::model::units::{Unit, Units};
use crate::sources::spec::Reached;
use crate::text::{redact, redact_json};

use super::Stop;
use super::desk::{Desk, Item};
use super::resolve::must_be_signed;

/// Money as entries have it: whole minor units, or an exact decimal of another unit.
pub fn money(units: &Units, money: Money) -> Value {
    let code = units.text(money.unit);
    match units.minor(money.unit, money.amount.wide()).and_then(|minor| i64::try_from(minor).ok()) {
        Some(minor) => json!({"minor": minor, "currency": code}),
        None => json!({"unit": code, "decimal": plain(i128::from(money.amount.digits), money.amount.scale)}),
    }
}

/// What `--amount` says, in major units of a unit.
///
/// # Errors
/// Usage: no number, more decimals than the currency has, too large for its minor units.
pub fn major(units: &Units, unit: Unit, text: &str) -> Result<Money, Failure> {
    let amount = parse_decimal(text)
        .map_err(|why| Failure::usage(&format!("--amount {text:?}: {why}; write 20.00")))?;
    if units.exponent(unit).is_some() {
        let name = units.text(unit);
        let minor = units
            .minor(unit, amount.wide())
            .ok_or_else(|| Failure::usage(&format!("--amount {text:?} has more decimals than {name}")))?;
        i64::try_from(minor)
            .map_err(|_| Failure::usage(&format!("--amount {text:?} is too large for {name}")))?;
    }
    Ok(Money::new(unit, amount))
}

/// A text, or null.
pub fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// A time, or null.
pub fn time(at: Micros) -> Option<String> {
    (!at.is_none()).then(|| rfc3339(at))
}

/// Opens the chain with the case and its policy, where it has no entry yet.
///
/// # Errors
/// What the book says.
pub fn open_case(
    w: &mut Writer<'_>,
    case_id: &str,
    policy: &crate::config::policy::InForce,
    actor: &Actor,
) -> Result<(), Stop> {
    if w.view().head()?.seq > 0 {
        return Ok(w.view().is_of(case_id)?);
    }
    let id = if case_id.is_empty() { "case" } else { case_id };
    let after = json!({"case_id": id, "policy": {"digest": policy.digest, "text": policy.text}});
    let mut more =
        Draft::new(Action::CaseCreated, actor, Subject::new("case", id)).change(Value::Null, after);
    if policy.policy.solo {
        more = more.with("policy", json!({"digest": policy.digest, "solo": true}));
    }
    w.append(&more)?;
    Ok(())
}

/// The record of an intent: the one that is there in the version that was seen, or a first one from what was shown.
///
/// # Errors
/// R-VERSION, and what the book says.
pub fn record(w: &mut Writer<'_>, desk: &Desk<'_>, item: &Item, actor: &Actor) -> Result<Intent, Stop> {
    open_case(w, &desk.loaded.case.spec.id, &desk.policy, actor)?;
    let id = &item.view.intent_id;
    w.view().follows(id)?;
    if let Some(record) = w.view().intent(id)? {
        w.expect(id, i64::try_from(item.facts.version).unwrap_or_default())?;
        return Ok(record);
    }
    let draft = Draft::new(Action::IntentRecorded, actor, Subject::intent(id))
        .change(Value::Null, first(desk, &item.view, &item.facts));
    w.append(&draft)?;
    let made = w.view().intent(id)?;
    made.ok_or_else(|| Failure::input("the first record is not there").into())
}

/// What is recorded of an intent that the book did not know: as it was shown, with where that came from.
fn first(desk: &Desk<'_>, view: &IntentView, facts: &Facts) -> Value {
    let j = &view.judgement;
    let units = desk.loaded.case.units();
    let state = facts.state.unwrap_or(State::Submitted);
    let due = if facts.deadline.is_none() {
        deadline(state, view.timeout, desk.deadlines(&view.kind), desk.now)
    } else {
        Some(facts.deadline)
    };
    let sources: Vec<Value> = desk
        .sources
        .iter()
        .map(|s| json!({"id": s.id, "digest": s.digest, "position": s.position}))
        .collect();
    let (parent, relation) = view.parent.clone().unzip();
    // What names the intent stays as it is; of the rest the book keeps no secret.
    let told = |text: &str| (!text.is_empty()).then(|| redact(text).into_owned());
    json!({
        "operation_id": some(&view.operation_id),
        "kind": told(&view.kind), "business_id": some(&view.business_id), "party": told(&view.party),
        "count_min": j.min, "count_max": j.max, "total": j.expected.map(|m| money(units, m)),
        "expectation_source": j.expected_from.word(),
        "key": some(&view.key), "key_origin": told(&view.key_origin),
        "tool": told(&view.tool), "agent": told(&view.agent), "parent_id": parent, "relation": relation,
        "state": state.word(), "deadline": due.and_then(time),
        "origin": {
            "shown": if facts.recorded { "recorded" } else { "derived" },
            "deadline": if facts.deadline.is_none() { "given" } else { "shown" },
            "fingerprint": facts.fingerprint, "sources": sources,
        },
    })
}

/// How far each ledger of the case was read, for an entry that rests on it. It stands in the chain itself: evidence beside
/// it can be erased, and what was shown as of an entry follows from entries alone.
pub fn reached(desk: &Desk<'_>) -> Value {
    desk.loaded.case.reached().iter().map(reached_json).collect()
}

/// How far a ledger was read, as the book keeps it.
pub fn reached_json(reached: &Reached) -> Value {
    let start = reached.start.as_ref().map(|(bytes, hash)| json!({"bytes": bytes, "sha256": hash}));
    json!({"source": reached.source, "number": reached.number, "rows": reached.rows, "start": start})
}

/// The same, read again.
pub fn reached_of(value: &Value) -> Option<Reached> {
    let start = value
        .get("start")
        .and_then(|start| Some((start.get("bytes")?.as_u64()?, start.get("sha256")?.as_str()?.to_owned())));
    Some(Reached {
        source: value.get("source")?.as_str()?.to_owned(),
        number: value.get("number").and_then(Value::as_u64),
        rows: value.get("rows")?.as_u64()?,
        start,
    })
}

/// The block of facts that a decision rests on, as text of evidence.
pub fn block(desk: &Desk<'_>, item: &Item) -> String {
    let (view, facts) = (&item.view, &item.facts);
    let j = &view.judgement;
    let units = desk.loaded.case.units();
    let source = |s: &SourceView| {
        json!({
            "id": s.id, "what": s.what, "meaning": s.meaning, "meaning_assumed": s.meaning_assumed,
            "copy_of": s.copy_of, "holds": s.holds, "role": s.role, "path": s.path, "position": s.position,
            "read_at": s.read_at.and_then(time), "newest": s.newest.and_then(time),
            "query": s.query, "digest": s.digest, "final": s.final_by_declaration,
            "rows": {"read": s.rows.read, "used": s.rows.used, "unreadable": s.rows.unreadable},
        })
    };
    let rows: Vec<Value> = view
        .effects
        .iter()
        .map(|e| json!({
            "source": desk.sources.get(e.source).map(|s| &s.id), "id": e.id, "amount": e.amount.map(|m| money(units, m)),
            "committed_at": time(e.committed.at), "copy": e.copy, "link": e.link, "where": e.place,
        }))
        .collect();
    let reasons: Vec<Value> =
        facts.cover.failed.iter().map(|(code, what)| json!({"condition": code, "what": what})).collect();
    let command: Vec<String> = desk.call.given().iter().map(|word| redact(word).into_owned()).collect();
    let facts = json!({
        "intent_id": view.intent_id, "verdict": j.verdict(), "state": facts.state_word(),
        "expected": {"count_min": j.min, "count_max": j.max, "total": j.expected.map(|m| money(units, m))},
        "observed": {"gross": j.gross, "net": j.net, "on_its_way": j.on_its_way, "unreadable": j.unreadable},
        "bounds": {"lo": j.lo, "hi": j.hi},
        "coverage": {"covered": facts.cover.covered, "reasons": reasons, "covered_from": time(facts.cover.from)},
        "rows": rows, "sources": desk.sources.iter().map(source).collect::<Vec<_>>(),
        "fingerprint": facts.fingerprint, "command": command,
    });
    redact_json(&facts.to_string())
}

/// An entry about an intent that names the facts it rests on.
pub fn entry(desk: &Desk<'_>, item: &Item, action: Action, actor: &Actor) -> Draft {
    // The entry that the operator saw last; 0 where the book did not know the intent.
    let seq = item.record.as_ref().map_or(0, |record| record.changed_seq);
    let mut draft = Draft::new(action, actor, Subject::intent(&item.view.intent_id))
        .with("based_on", json!({"seq": seq, "fingerprint": item.facts.fingerprint}))
        .with("reached", reached(desk));
    if desk.policy.policy.solo {
        draft = draft.with("policy", json!({"digest": desk.policy.digest, "solo": true}));
    }
    draft.sign = action.doing().is_some_and(|doing| doing.decision) && must_be_signed(desk, item);
    draft
}

/// Adds fields to the member `policy` of an entry.
pub fn policy(draft: &mut Draft, fields: Value) {
    let entry = draft.more.entry("policy").or_insert_with(|| json!({}));
    if let (Value::Object(entry), Value::Object(fields)) = (entry, fields) {
        entry.extend(fields);
    }
}
