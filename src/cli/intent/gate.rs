//! `recount intent gate ID`: a claim of the next attempt, in one transaction. One caller gets it.

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::records::{Attempt, Intent};
use crate::book::{BookError, Draft, Subject, View};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::settle::Stop;
use crate::cli::settle::out::{done, head};
use crate::cli::settle::store::{money, open_case};
use crate::config::policy::InForce;
use crate::config::value::Idempotent;
use crate::lifecycle::gate::{AtGate, Call as Sent, Claim, Permit, gate};
use crate::lifecycle::guards::Quota;
use crate::lifecycle::refusal::{Code, Refusal};
use crate::lifecycle::states::Actor as Role;
use crate::model::money::{Amount, Money, parse_decimal};
use crate::model::row::State;
use crate::model::time::{Micros, rfc3339};
use crate::model::units::iso;
use crate::report::Mask;

use super::Log;
use super::record::timeout;

/// Claims, or with `--ask` only asks.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let log = Log::open(call)?;
    let id = call.word().unwrap_or_default();
    log.ended(&id, Action::GateRefused, claim(&log, &id))
}

/// The intent of an id or operation id.
///
/// # Errors
/// An id that the book does not know.
pub fn intent_of(view: View<'_>, id: &str) -> Result<Intent, Stop> {
    let found = match view.intent(id)? {
        Some(intent) => Some(intent),
        None => view.intent_of_operation(id)?,
    };
    found.ok_or_else(|| {
        Failure::usage(&format!(
            "no intent {id:?} in the book; recount intent record makes one, intent list shows them"
        ))
        .into()
    })
}

fn claim(log: &Log<'_>, id: &str) -> Result<u8, Stop> {
    let call = log.call;
    let role = call.text("actor").and_then(Role::from_word).unwrap_or(Role::App);
    if !matches!(role, Role::App | Role::RetryPolicy) {
        let code = if role == Role::Agent { Code::Agent } else { Code::Who };
        return Err(Refusal::new(code, format!("{} may not claim an attempt", role.word()))
            .missing("the application itself")
            .of(format!("the next attempt of {id}"), format!("{id} stays as it is"))
            .into());
    }
    let payload = log.payload()?;
    let hash = payload.map(|(hash, _)| hash).unwrap_or_default();
    let attempt = format!("att_{}", Log::random()?);
    if call.flag("ask") {
        let book = crate::book::Book::look(log.path.as_deref().unwrap_or_else(|| std::path::Path::new("")))?;
        book.view()?.is_of(&log.case_id())?;
        let policy = log.policy(&book)?;
        let intent = intent_of(book.view()?, id)?;
        book.view()?.follows(&intent.intent_id)?;
        let permit = decide(log, book.view()?, &intent, &policy, &hash)?;
        let lines =
            [format!("{}: {} would be allowed now; not a permission", intent.intent_id, permit.word())];
        done(
            call,
            &mask(log),
            &lines,
            &json!({
                "schema": "recount.gate.v1", "intent_id": intent.intent_id, "allowed": permit.word(), "permission": false,
                "asked": true,
            }),
        )?;
        return Ok(0);
    }
    let mut book = log.book()?;
    let policy = log.policy(&book)?;
    let written = book.write(&log.now, |w| -> Result<(Intent, Permit, Micros), Stop> {
        open_case(w, &log.case_id(), &policy, &log.actor)?;
        let intent = intent_of(w.view(), id)?;
        // What the tables say counts only where the log says it (G-WRITE).
        w.view().follows(&intent.intent_id)?;
        let permit = decide(log, w.view(), &intent, &policy, &hash)?;
        let timeout = timeout(log, intent.tool.as_deref());
        let limit = log.at().plus(timeout);
        let due = log.at().plus(timeout.saturating_add(crate::lifecycle::expiry::AFTER_TIMEOUT));
        let mut after = json!({
            "allowed": permit.word(), "deadline": rfc3339(due),
            "attempt": {
                "id": attempt, "tool": intent.tool, "key": intent.key, "payload_hash": intent.payload_hash,
                "cost": cost(log)?.map(|m| money(&log.units, m)), "redrive": permit == Permit::Redrive,
                "holder": log.actor.name, "deadline": rfc3339(due),
                "quota": quotas(&policy, &intent).map(|q| q.name.clone()).collect::<Vec<_>>(),
            },
        });
        if let Value::Object(after) = &mut after {
            if permit == Permit::Again {
                after.insert("state".to_owned(), json!("submitted"));
                after.insert("move".to_owned(), json!("T5"));
            }
            if permit == Permit::Redrive {
                // The state stays unknown, and so does its deadline.
                after.remove("deadline");
            }
        }
        let draft = Draft::new(Action::GateAllowed, &log.actor, Subject::intent(&intent.intent_id))
            .change(json!({"state": intent.state.word()}), after);
        match w.append(&draft) {
            Ok(_) => Ok((intent, permit, limit)),
            // Two claims are kept apart by the book too.
            Err(BookError::Twice { .. }) => Err(Refusal::new(Code::SubRetry, "another claim is open")
                .next("wait for its answer or its timeout; there is no takeover")
                .of(format!("the next attempt of {id}"), format!("{id} stays {}", intent.state.word()))
                .into()),
            Err(why) => Err(why.into()),
        }
    })?;
    let (intent, permit, limit) = &written.value;
    let lines = [format!(
        "{attempt}  {} of {}  key {}  answer until {}",
        permit.word(),
        intent.intent_id,
        intent.key.as_deref().unwrap_or("-"),
        rfc3339(*limit)
    )];
    done(
        call,
        &mask(log),
        &lines,
        &json!({
            "schema": "recount.gate.v1", "intent_id": intent.intent_id, "operation_id": intent.operation_id,
            "allowed": permit.word(), "permission": true, "asked": false, "attempt_id": attempt, "key": intent.key,
            "time_limit": rfc3339(*limit), "book": head(&written),
        }),
    )?;
    Ok(0)
}

fn mask(log: &Log<'_>) -> Mask {
    Mask::of_load(log.config.file.mask.party)
}

fn cost(log: &Log<'_>) -> Result<Option<Money>, Failure> {
    let Some(text) = log.call.text("cost") else { return Ok(None) };
    let (amount, code) = text.split_once(' ').unwrap_or((text, ""));
    let given = if code.is_empty() { None } else { log.units.get(code).or_else(|| iso(code)) };
    let of_quota =
        log.config.file.quota.values().find_map(|q| q.currency.as_deref()).and_then(|c| log.units.get(c));
    let Some(unit) = given.or(of_quota) else {
        return Err(Failure::usage("--cost needs its currency: --cost \"0.05 USD\""));
    };
    let amount = parse_decimal(amount)
        .map_err(|why| Failure::usage(&format!("--cost {text:?}: {why}; write 0.05")))?;
    Ok(Some(Money::new(unit, amount)))
}

/// Ceilings that count for an intent: the whole case, its tool, its run, its agent.
fn quotas<'p>(
    policy: &'p InForce,
    intent: &Intent,
) -> impl Iterator<Item = &'p crate::config::policy::Ceiling> {
    let has = [
        ("case", true),
        ("tool", intent.tool.is_some()),
        ("run", intent.run_id.is_some()),
        ("agent", intent.agent.is_some()),
    ];
    policy.quota.iter().filter(move |q| has.iter().any(|(scope, has)| q.scope == *scope && *has))
}

/// What was spent under a ceiling, open claims counted.
fn spent(
    log: &Log<'_>,
    view: View<'_>,
    quota: &crate::config::policy::Ceiling,
    of: &Intent,
) -> Result<Option<Money>, Stop> {
    let unit = quota.most.unit;
    let mut sum = Some(Amount::ZERO.wide());
    for call in view.all_attempts()? {
        let Some(minor) = call.cost_minor else { continue };
        let counts = call.quota.as_deref().and_then(|names| serde_json::from_str::<Vec<String>>(names).ok());
        if !counts.is_some_and(|names| names.contains(&quota.name)) || !in_scope(view, quota, of, &call)? {
            continue;
        }
        let same = call.cost_currency.as_deref().and_then(|code| log.units.get(code)) == Some(unit);
        let cost = Amount::minor(minor, log.units.exponent(unit).unwrap_or_default()).wide();
        sum = sum.filter(|_| same).and_then(|sum| sum.checked_add(cost));
    }
    let amount =
        sum.and_then(|sum| Some(Amount { digits: i64::try_from(sum.digits).ok()?, scale: sum.scale }));
    Ok(amount.map(|amount| Money::new(unit, amount)))
}

fn in_scope(
    view: View<'_>,
    quota: &crate::config::policy::Ceiling,
    of: &Intent,
    call: &Attempt,
) -> Result<bool, Stop> {
    if quota.scope == "case" {
        return Ok(true);
    }
    let Some(other) = view.intent(&call.intent_id)? else { return Ok(false) };
    Ok(match quota.scope.as_str() {
        "tool" => other.tool == of.tool,
        "run" => other.run_id == of.run_id,
        _ => other.agent == of.agent,
    })
}

fn decide(
    log: &Log<'_>,
    view: View<'_>,
    intent: &Intent,
    policy: &InForce,
    hash: &str,
) -> Result<Permit, Stop> {
    let call = log.call;
    let attempts = view.attempts(&intent.intent_id)?;
    let claims: Vec<Claim> = attempts
        .iter()
        .filter(|a| a.claimed_at.is_some())
        .map(|a| Claim {
            attempt: a.attempt_id.clone(),
            at: a.claimed_at.unwrap_or(Micros::NONE),
            holder: a.holder.clone().unwrap_or_default(),
            ended: a.outcome.is_some(),
        })
        .collect();
    let last = view.state_changes(&intent.intent_id)?.pop();
    let tool =
        intent.tool.as_deref().and_then(|name| log.config.file.tools.get(name)).map(toml::Spanned::get_ref);
    let retention = tool.and_then(|tool| tool.retention).map(|d| d.0);
    let named = intent.tool.as_deref().is_some_and(|name| policy.redrive.iter().any(|tool| tool == name));
    let idempotent = tool.and_then(|tool| tool.idempotent).map(Idempotent::word) == Some("yes");
    let mut quota = Vec::new();
    for ceiling in quotas(policy, intent) {
        quota.push(Quota {
            scope: ceiling.name.clone(),
            ceiling: ceiling.most,
            spent: spent(log, view, ceiling, intent)?,
        });
    }
    let recorded = intent.payload_hash.clone().unwrap_or_default();
    let at = AtGate {
        intent_id: &intent.intent_id,
        state: intent.state,
        since: last.as_ref().map_or(Micros::NONE, |change| change.at),
        by: last.as_ref().map_or("", |change| &change.actor_name),
        deadline: intent.deadline.unwrap_or(Micros::NONE),
        key: intent.key.as_deref().unwrap_or_default(),
        payload: &recorded,
        claims: &claims,
        seen_in_trace: attempts.iter().any(|a| a.claimed_at.is_none()) || seen_in_trace(log, intent)?,
        first_sent: claims.first().map(|claim| claim.at),
        retention,
        redrive: named && idempotent && retention.is_some(),
        quotas: &quota,
    };
    if intent.state == State::Submitted
        && !claims.is_empty()
        && intent.deadline.is_some_and(|due| log.at() > due)
    {
        // Its time is over without an answer: that is an unknown, whether expire has run or not.
        return Err(Refusal::new(Code::UnkRetry, "its last claim was never answered, and its time is over")
            .missing("a decision: it happened, or it did not")
            .next(format!("recount expire --apply, then recount readback {}", intent.intent_id))
            .of(
                format!("the next attempt of {}", intent.intent_id),
                format!("{} stays submitted", intent.intent_id),
            )
            .into());
    }
    let key = call.text("key").unwrap_or_default();
    let sent = Sent { key, payload: hash, differs: "", cost: cost(log)? };
    Ok(gate(&at, &sent, &log.units, log.at())?)
}

/// A trace of the case holds an attempt of it (G-UNCLAIMED). Traces are read only where the config names some; one that
/// cannot be read shows nothing, so nothing is claimed on it.
fn seen_in_trace(log: &Log<'_>, intent: &Intent) -> Result<bool, Stop> {
    if log.config.file.traces.is_empty() || intent.state != State::Submitted {
        return Ok(false);
    }
    let unread = |why: String| -> Stop {
        Refusal::new(
            Code::EvidUnreadable,
            "whether it was sent before stands in the traces, and they cannot be read",
        )
        .seen(why)
        .missing("every trace of the case, readable; unreadable is not absent")
        .next("recount case sources shows which; repair or remove it, then ask again")
        .of(
            format!("the next attempt of {}", intent.intent_id),
            format!("{} stays submitted", intent.intent_id),
        )
        .into()
    };
    let mut spec = crate::config::case::spec(&log.config).map_err(|why| unread(why.to_string()))?;
    // The ledgers say nothing about calls, and one that cannot be read is no reason here.
    spec.sources.retain(|source| source.what != crate::sources::spec::What::Ledger);
    let loaded = crate::cli::loading::from_spec(spec, crate::config::Config::default())
        .map_err(|why| unread(why.text))?;
    if let Some((id, why)) =
        loaded.case.sources().into_iter().find_map(|source| Some((source.id, source.error?)))
    {
        return Err(unread(format!("{id}: {why}")));
    }
    let id = intent.operation_id.as_deref().unwrap_or(&intent.intent_id);
    let found = loaded.case.find(id);
    Ok(found
        .iter()
        .filter_map(|op| loaded.case.view(*op))
        .any(|view| view.operation_id == id && view.attempts.iter().any(|a| !a.read)))
}
