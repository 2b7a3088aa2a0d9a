//! `recount intent record`: T1. Durable before the answer is printed; the key is made once.

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::records::Intent;
use crate::book::{Draft, Subject, Writer};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::settle::Stop;
use crate::cli::settle::out::{done, head};
use crate::cli::settle::store::{major, money, open_case};
use crate::lifecycle::expiry::{Deadlines, deadline};
use crate::lifecycle::guards;
use crate::lifecycle::matrix::allowed;
use crate::lifecycle::refusal::{Code, Refusal};
use crate::lifecycle::states::Actor as Role;
use crate::model::money::Money;
use crate::model::row::State;
use crate::model::time::rfc3339;
use crate::report::Mask;

use super::Log;

/// Longest operation id, in bytes.
const LONGEST: usize = 255;
/// How long a tool is waited for, where nothing is declared, microseconds.
pub const TIMEOUT: i64 = 30_000_000;

/// Records one intent.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let log = Log::open(call)?;
    let operation = call.text("operation-id").unwrap_or_default().to_owned();
    if operation.is_empty() || operation.len() > LONGEST || operation.chars().any(char::is_control) {
        return Err(Failure::usage(
            "--operation-id is one name for one business operation: 1 to 255 bytes without control characters",
        ));
    }
    log.ended(&operation, Action::ResolveRefused, record(&log, &operation))
}

fn record(log: &Log<'_>, operation: &str) -> Result<u8, Stop> {
    let call = log.call;
    let role = call.text("actor").and_then(Role::from_word).unwrap_or(Role::App);
    allowed(None, State::Submitted, role, false).map_err(|code| {
        Refusal::new(code, format!("{} may not record an intent", role.word()))
            .missing("the application itself")
            .of(operation, "")
    })?;
    let payload = log.payload()?;
    let hash = payload.as_ref().map(|(hash, _)| hash.clone());
    let total = total(log)?;
    let (new_id, new_key) = (format!("int_{}", Log::random()?), Log::random()?);
    let mut book = log.book()?;
    let policy = log.policy(&book)?;
    let written = book.write(&log.now, |w| -> Result<(Intent, bool), Stop> {
        open_case(w, &log.case_id(), &policy, &log.actor)?;
        if let Some(known) = w.view().intent_of_operation(operation)? {
            same(log, &known, hash.as_deref(), total)?;
            return Ok((known, true));
        }
        let parent = parent(log, w)?;
        let key = call.text("key").map_or(new_key.as_str(), |key| key);
        guard_key(w, key, hash.as_deref())?;
        let timeout = timeout(log, call.text("tool"));
        let due = deadline(State::Submitted, timeout, deadlines(log, call.text("kind").unwrap_or_default()), log.at());
        let count = call.number("count").unwrap_or(1);
        let draft = Draft::new(Action::IntentRecorded, &log.actor, Subject::intent(&new_id)).change(
            Value::Null,
            json!({
                "operation_id": operation, "kind": call.told("kind"), "business_id": call.text("business-id"),
                "party": call.told("party"), "count_min": count, "count_max": count,
                "total": total.map(|m| money(&log.units, m)), "expectation_source": "intent_record",
                "key": key, "key_kind": if call.text("key").is_some() { "given" } else { "random" },
                "key_origin": "app", "key_minted_at": rfc3339(log.at()), "payload_hash": hash,
                "storage": "durable", "tool": call.told("tool"), "parent_id": parent, "relation": call.text("relation"),
                "origin": "app", "state": "submitted", "deadline": due.map(rfc3339), "move": "T1",
            }),
        );
        w.append(&draft)?;
        let made = w.view().intent(&new_id)?;
        Ok((made.ok_or_else(|| Failure::input("the record is not there"))?, false))
    })?;
    let (intent, again) = &written.value;
    let lines = [format!(
        "{}{}  key {}  until {}",
        intent.intent_id,
        if *again { "  already recorded" } else { "" },
        intent.key.as_deref().unwrap_or("-"),
        intent.deadline.map(rfc3339).unwrap_or_default()
    )];
    done(
        call,
        &Mask::of_load(log.config.file.mask.party),
        &lines,
        &json!({
            "schema": "recount.record.v1", "intent_id": intent.intent_id, "operation_id": intent.operation_id,
            "key": intent.key, "payload_hash": intent.payload_hash, "state": intent.state.word(),
            "version": intent.version, "deadline": intent.deadline.map(rfc3339), "already_recorded": again,
            "book": head(&written),
        }),
    )?;
    Ok(0)
}

/// The same operation again: everything that is given is as it was recorded, or it is another intent.
fn same(log: &Log<'_>, known: &Intent, hash: Option<&str>, total: Option<Money>) -> Result<(), Stop> {
    if let (Some(recorded), Some(sent)) = (known.payload_hash.as_deref(), hash) {
        guards::same_payload(recorded, sent, "")
            .map_err(|r| r.of("a changed payload", format!("{} stays as it is", known.intent_id)))?;
    }
    let given = |name: &str| log.call.text(name).map(str::to_owned);
    // Words are kept without the secrets in them, so they are compared as they are kept.
    let told = |name: &str| log.call.told(name);
    let unit = log.call.text("currency").and_then(|code| log.units.get(code));
    let recorded_unit = known.total_currency.as_ref().or(known.total_unit.as_ref());
    let fields = [
        ("kind", known.kind.as_ref(), told("kind")),
        ("business id", known.business_id.as_ref(), given("business-id")),
        ("party", known.party.as_ref(), told("party")),
        ("key", known.key.as_ref(), given("key")),
        ("currency", recorded_unit, unit.map(|unit| log.units.text(unit).to_owned())),
    ];
    for (field, recorded, sent) in fields {
        let Some(sent) = sent.filter(|sent| Some(sent) != recorded) else { continue };
        let recorded = recorded.map_or("none", String::as_str);
        let code = if field == "key" { Code::FailKey } else { Code::FailPayload };
        return Err(Refusal::new(code, format!("the {field} differs: recorded {recorded}, sent {sent}"))
            .missing(format!("the recorded {field}"))
            .next("a new intent with --parent ID --relation replaces, after this one is resolved")
            .of(format!("a changed {field}"), format!("{} stays as it is", known.intent_id))
            .into());
    }
    let recorded = known.total_minor;
    let sent = total
        .and_then(|m| log.units.minor(m.unit, m.amount.wide()))
        .and_then(|minor| i64::try_from(minor).ok());
    if let (Some(recorded), Some(sent)) = (recorded, sent)
        && recorded != sent
    {
        return Err(Refusal::new(
            Code::FailPayload,
            format!("the amount differs: recorded {recorded} minor units, sent {sent}"),
        )
        .missing("the recorded amount")
        .next("a new intent with --parent ID --relation replaces, after this one is resolved")
        .of("a changed amount", format!("{} stays as it is", known.intent_id))
        .into());
    }
    Ok(())
}

/// G-KEY: not empty, no attempt id, not used by another intent with another payload.
fn guard_key(w: &Writer<'_>, key: &str, hash: Option<&str>) -> Result<(), Stop> {
    let refused = |because: String| -> Stop {
        Refusal::new(Code::FailKey, because)
            .missing("a key of its own")
            .next("leave out --key: a new one is made")
            .of("a new intent", "nothing is recorded")
            .into()
    };
    if key.trim().is_empty() {
        return Err(refused("the key is empty".to_owned()));
    }
    if w.view().attempt(key)?.is_some() {
        return Err(refused(format!("the key {key} is the id of an attempt")));
    }
    for other in w.view().intents_of_key(key)? {
        if other.payload_hash.as_deref() != hash || hash.is_none() {
            return Err(refused(format!(
                "the key {key} belongs to {} with another payload",
                other.intent_id
            )));
        }
    }
    Ok(())
}

/// G-LINEAGE: what is replaced is settled.
fn parent(log: &Log<'_>, w: &Writer<'_>) -> Result<Option<String>, Stop> {
    let Some(id) = log.call.text("parent") else {
        if log.call.text("relation").is_some() {
            return Err(Failure::usage("--relation needs --parent").into());
        }
        return Ok(None);
    };
    let known = match w.view().intent(id)? {
        Some(known) => Some(known),
        None => w.view().intent_of_operation(id)?,
    };
    if log.call.text("relation").is_none_or(|relation| relation == "replaces") {
        guards::lineage(id, known.as_ref().map(|intent| intent.state))
            .map_err(|r| r.of("a new intent", "nothing is recorded"))?;
    }
    Ok(Some(known.map_or_else(|| id.to_owned(), |intent| intent.intent_id)))
}

/// `--amount` and `--currency`.
fn total(log: &Log<'_>) -> Result<Option<Money>, Failure> {
    let call = log.call;
    let code = call.text("currency").unwrap_or_default();
    let readable = code.chars().all(|c| c.is_alphanumeric() || c.is_ascii_graphic());
    if !readable || code == "?" || code.len() > LONGEST {
        return Err(Failure::usage(&format!(
            "--currency {code:?} is no currency: write its code, such as USD, or the name of the unit without spaces"
        )));
    }
    let Some(text) = call.text("amount") else { return Ok(None) };
    let unit = log.units.get(code).filter(|unit| unit.is_named());
    let Some(unit) = unit else { return Err(Failure::usage("--amount needs --currency")) };
    major(&log.units, unit, text).map(Some)
}

/// Timeout of a tool, microseconds.
pub fn timeout(log: &Log<'_>, tool: Option<&str>) -> i64 {
    let declared =
        tool.and_then(|name| log.config.file.tools.get(name)).and_then(|tool| tool.get_ref().timeout);
    declared.map_or(TIMEOUT, |timeout| timeout.0)
}

/// Declared deadlines of a kind.
pub fn deadlines(log: &Log<'_>, kind: &str) -> Deadlines {
    let all = &log.config.file.deadlines;
    let own = all.kinds.get(kind).copied().unwrap_or_default();
    Deadlines {
        submitted: own.submitted.or(all.all.submitted).map(|d| d.0),
        unknown: own.unknown.or(all.all.unknown).map(|d| d.0),
    }
}
