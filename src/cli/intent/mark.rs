//! `recount intent mark ID --attempt A --outcome O`: the answer to a claim: T2, T3 or T4. On an unknown it is late.

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::records::Attempt;
use crate::book::{Draft, Subject, Writer};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::settle::Stop;
use crate::cli::settle::out::{done, head};
use crate::cli::settle::store::open_case;
use crate::lifecycle::expiry::deadline;
use crate::lifecycle::gate::{Marked, marked};
use crate::lifecycle::refusal::{Code, Refusal};
use crate::lifecycle::states::Actor as Role;
use crate::model::outcome::{Class, Outcome};
use crate::model::row::State;
use crate::model::time::rfc3339;
use crate::report::Mask;
use crate::text::redact;

use super::Log;
use super::gate::intent_of;
use super::record::{deadlines, timeout};

/// Marks one claim.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let log = Log::open(call)?;
    let id = call.word().unwrap_or_default();
    log.ended(&id, Action::ResolveRefused, mark(&log, &id))
}

fn mark(log: &Log<'_>, id: &str) -> Result<u8, Stop> {
    let call = log.call;
    let (Some(attempt), Some(word)) = (call.text("attempt"), call.text("outcome")) else {
        return Err(Failure::usage("mark needs --attempt A, as the gate gave it, and --outcome O").into());
    };
    let role = call.text("actor").and_then(Role::from_word).unwrap_or(Role::Response);
    if role == Role::Agent {
        return Err(Refusal::new(Code::Agent, "the actor is an agent; agents propose, they never decide")
            .of(format!("the answer of {id}"), format!("{id} stays as it is"))
            .into());
    }
    // A word that is in no list tells nothing.
    let outcome = Outcome::from_word(word).unwrap_or(Outcome::OtherWord);
    let class = outcome.class(false);
    let text = call.text("text").map(|text| redact(text).into_owned());
    let mut book = log.book()?;
    let policy = log.policy(&book)?;
    let mut actor = log.actor.clone();
    actor.kind = if role == Role::TimeoutHandler { "timeout_handler" } else { "app" }.to_owned();
    let written = book.write(&log.now, |w| -> Result<(String, State, State, Option<String>), Stop> {
        open_case(w, &log.case_id(), &policy, &actor)?;
        let intent = intent_of(w.view(), id)?;
        w.view().follows(&intent.intent_id)?;
        let Some(claim) = w.view().attempt(attempt)?.filter(|claim| claim.intent_id == intent.intent_id)
        else {
            return Err(Failure::usage(&format!(
                "{attempt} is no attempt of {}; recount intent list shows claims",
                intent.intent_id
            ))
            .into());
        };
        let receipt = call.text("receipt");
        let told_nothing = is_news(&claim, word, receipt);
        if claim.outcome.is_some() && !told_nothing {
            return Err(Refusal::new(
                Code::LateResponse,
                format!("{attempt} was marked {} before", claim.outcome.unwrap_or_default()),
            )
            .next(format!("recount show {}", intent.intent_id))
            .of(
                format!("the answer of {attempt}"),
                format!("{} stays {}", intent.intent_id, intent.state.word()),
            )
            .into());
        }
        if role == Role::TimeoutHandler && class != Class::Unknown {
            return Err(Refusal::new(
                Code::TimeoutNotFailed,
                "a timeout is not a rejection: the call may have been carried out",
            )
            .next("unknown, with a deadline: --outcome timeout")
            .of(
                format!("the answer of {attempt}"),
                format!("{} stays {}", intent.intent_id, intent.state.word()),
            )
            .into());
        }
        let mut after = json!({"attempt": {
            "id": attempt, "outcome": word, "receipt": receipt, "text": text,
        }});
        let mut to = intent.state;
        let mut late = None;
        if let Value::Object(after) = &mut after {
            if told_nothing {
                // What was marked first stays as it was marked.
                after.remove("attempt");
            }
            match if told_nothing { Marked::Late } else { marked(intent.state, class) } {
                Marked::Moves(step, state) => {
                    to = state;
                    let kind = intent.kind.clone().unwrap_or_default();
                    let due = deadline(
                        state,
                        timeout(log, intent.tool.as_deref()),
                        deadlines(log, &kind),
                        log.at(),
                    );
                    after.insert("state".to_owned(), json!(state.word()));
                    after.insert("deadline".to_owned(), json!(due.map(rfc3339)));
                    after.insert("move".to_owned(), json!(step.word()));
                }
                Marked::Stays => {}
                Marked::Late => {
                    let (id, read) = late_read(log, w, &intent.intent_id, attempt, word)?;
                    let Some(read) = read else {
                        return Ok((intent.intent_id, intent.state, to, Some(id)));
                    };
                    after.insert("readback".to_owned(), read);
                    late = Some(id);
                }
            }
        }
        let draft = Draft::new(Action::IntentMarked, &actor, Subject::intent(&intent.intent_id))
            .change(json!({"state": intent.state.word()}), after);
        w.append(&draft)?;
        Ok((intent.intent_id, intent.state, to, late))
    })?;
    let (intent, from, to, late) = &written.value;
    if let Some(read) = late {
        return Err(Refusal::new(
            Code::LateResponse,
            format!(
                "stored as evidence {read}, receipt {}; reconciliation or a person decides",
                call.text("receipt").unwrap_or("none")
            ),
        )
        .seen(format!("{attempt}: {word}, receipt {}", call.text("receipt").unwrap_or("none")))
        .next(format!("recount readback {intent}, then recount resolve {intent}"))
        .of(format!("the answer of {attempt}"), format!("{intent} stays {}", from.word()))
        .into());
    }
    let lines = [format!("{attempt}: {word}; {intent} is {}, it was {}", to.word(), from.word())];
    done(
        call,
        &Mask::of_load(log.config.file.mask.party),
        &lines,
        &json!({
            "schema": "recount.record.v1", "intent_id": intent, "attempt_id": attempt, "outcome": word,
            "from": from.word(), "state": to.word(), "book": head(&written),
        }),
    )?;
    Ok(0)
}

/// Whether an answer is new after the one that was marked before: that one told nothing, and this one is another.
fn is_news(claim: &Attempt, word: &str, receipt: Option<&str>) -> bool {
    claim.outcome.as_deref().is_some_and(|before| {
        let class = Outcome::from_word(before).unwrap_or(Outcome::OtherWord).class(false);
        class == Class::Unknown && (before, claim.receipt.as_deref()) != (word, receipt)
    })
}

/// A late answer as a read-back, and its id; only the id where the same answer is stored already.
fn late_read(
    log: &Log<'_>,
    w: &Writer<'_>,
    intent: &str,
    attempt: &str,
    word: &str,
) -> Result<(String, Option<Value>), Stop> {
    let detail = format!("{word}, receipt {}", log.call.text("receipt").unwrap_or("none"));
    let asked = format!("the answer of {attempt}");
    let known = w
        .view()
        .readbacks(intent)?
        .into_iter()
        .find(|read| read.query.as_deref() == Some(&asked) && read.detail.as_deref() == Some(&detail));
    if let Some(known) = known {
        return Ok((known.id, None));
    }
    let id = w.view().next_readback()?;
    let result = match Outcome::from_word(word).unwrap_or(Outcome::OtherWord).class(false) {
        Class::Ok | Class::OkReused | Class::Already => "present",
        _ => "not_found_not_covering",
    };
    // It came through the path that writes: kept, shown, and never proof.
    let read = json!({
        "id": id, "source": "late response", "read_at": rfc3339(log.at()), "result": result,
        "query": asked, "detail": detail, "manual": false, "replayed": true,
    });
    Ok((id, Some(read)))
}
