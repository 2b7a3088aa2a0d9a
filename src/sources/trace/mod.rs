//! Traces: what was tried, and what the caller was told. One file per format, all giving the same events.

mod access;
mod answer;
mod anthropic;
pub mod calls;
mod claude_code;
mod codex;
mod desktop;
pub mod experiment;
mod fields;
pub mod generic;
mod har;
mod http;
mod inspector;
mod jepsen;
mod langfuse;
mod langsmith;
mod mcp;
pub mod native;
mod openai_agents;
mod openai_chat;
mod openai_responses;
mod otlp;
mod python;
pub mod table;
mod temporal;
pub mod told;
mod waiting;
mod walk;

use std::borrow::Cow;

use super::event::{AttemptEvent, Half};
use super::format::Scratch;
use super::json::{Reader, Slots};
use super::mapping::Plan;
use super::names::{shared, trace};
use super::row::{Buffers, Call, Row, common, objects_in, text};
use crate::model::time::{Micros, Zone, parse_time};

/// Has a call read with what stands in its arguments: named values of an object, or of a JSON text, at their top level
/// or one level down (`1-model.md` 1.4.11).
fn with_arguments<R: Row, T>(
    record: &R,
    scratch: &mut Scratch,
    read: impl FnOnce(&Call<'_, R>, Option<&[u8]>, &mut Scratch) -> T,
) -> T {
    let written = record.nested_text(trace::ARGUMENTS);
    let mut parsed;
    let mut arguments = None;
    if let (Some(text), Some(reader)) = (written.as_deref(), scratch.arguments.as_mut()) {
        parsed = Slots::new();
        if is_object(text.as_bytes()) && reader.read(text.as_bytes(), &mut parsed).is_ok() {
            arguments = Some(&parsed);
        }
    }
    let in_cell;
    let payload = match (arguments, written.as_deref()) {
        (Some(_), Some(text)) => Some(text.as_bytes()),
        // A cell of a table that is no JSON is a text.
        (None, Some(text)) if !record.is_json() => {
            in_cell = serde_json::to_vec(text).unwrap_or_default();
            Some(in_cell.as_slice())
        }
        _ => record.raw(trace::ARGUMENTS),
    };
    let call = Call::new(record, arguments, None);
    let mut found;
    let deeper = match (payload, scratch.arguments.as_mut()) {
        (Some(token), Some(reader)) if holds_objects(token) && lacks_something(&call) => {
            found = Slots::new();
            first_with_fields(token, reader, &mut found).then_some(&found)
        }
        _ => None,
    };
    read(&Call::new(record, arguments, deeper), payload, scratch)
}

fn is_object(text: &[u8]) -> bool {
    text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

fn holds_objects(token: &[u8]) -> bool {
    token.get(1..).is_some_and(|inside| memchr::memchr(b'{', inside).is_some())
}

fn lacks_something<R: Row>(call: &Call<'_, R>) -> bool {
    let has = |slot: usize| call.text(slot).is_some();
    let amount = has(shared::AMOUNT) || has(shared::AMOUNT_MINOR);
    let business = (shared::BUSINESS..shared::BUSINESS + shared::BUSINESS_SLOTS).any(has);
    !(amount && business)
}

/// The first object inside the arguments that has an amount or a business id.
fn first_with_fields<'t>(token: &'t [u8], reader: &mut Reader, slots: &mut Slots<'t>) -> bool {
    for object in objects_in(token) {
        if reader.read(object, slots).is_ok() && lacks_less(slots) {
            return true;
        }
    }
    false
}

fn lacks_less(slots: &Slots<'_>) -> bool {
    (shared::BUSINESS..=shared::AMOUNT_MINOR)
        .filter(|slot| *slot != shared::PARTY)
        .filter_map(super::mapping::inside_slot)
        .any(|slot| Row::text(slots, slot).is_some())
}

/// Reads the fields of a call that all trace formats name alike.
fn attempt<'e, R: Row>(
    call: &'e R,
    plan: &'e Plan,
    payload: Option<&'e [u8]>,
    buffers: &'e mut Buffers,
) -> AttemptEvent<'e> {
    let common = common(call, plan, buffers);
    let field = |slot: usize| text(call, plan, slot);
    let outcome = field(trace::OUTCOME);
    let http = outcome.as_deref().and_then(http_status);
    let receipt = field(trace::RECEIPT);
    let receipt_named = receipt.is_some();
    AttemptEvent {
        attempt_id: field(trace::ATTEMPT),
        operation_id: common.operation,
        intent_id: field(trace::INTENT),
        key: common.key,
        run_id: field(trace::RUN),
        agent: field(trace::AGENT),
        model: field(trace::MODEL),
        decision_id: field(trace::DECISION),
        turn: field(trace::TURN),
        tool: field(trace::TOOL),
        business_id: common.business,
        party: common.party,
        amount: common.amount,
        currency: common.currency,
        payload,
        sent: field(trace::SENT),
        ended: field(trace::ENDED),
        outcome: if http.is_some() { None } else { outcome },
        error: field(trace::ERROR),
        http,
        is_error: call.is_true(trace::IS_ERROR),
        receipt: receipt.or_else(|| field(trace::ANSWERED)),
        receipt_named,
        reused: call.is_true(trace::REUSED).unwrap_or(false),
        replayed: call.is_true(trace::REPLAYED).unwrap_or(false),
        part: common.part,
        // What a format sets beyond.
        read: None,
        half: Half::Both,
        cut: false,
        answered: None,
        unseen: false,
    }
}

/// An HTTP status where an outcome word is expected: three digits from 100 to 599.
fn http_status(word: &str) -> Option<u16> {
    let status = word.parse().ok().filter(|_| word.len() == 3)?;
    (100..600).contains(&status).then_some(status)
}

/// A time that is later by milliseconds as a decimal number, as an epoch number; `None` where either cannot be read.
fn later(time: &str, milliseconds: &str) -> Option<String> {
    moved(time, milliseconds, 1)
}

/// A time that is earlier.
fn earlier(time: &str, milliseconds: &str) -> Option<String> {
    moved(time, milliseconds, -1)
}

fn moved(time: &str, milliseconds: &str, sign: i64) -> Option<String> {
    let at = parse_time(time, &Zone::Utc).at;
    let (whole, part) = milliseconds.split_once('.').unwrap_or((milliseconds, ""));
    let part: String = part.chars().chain("000".chars()).take(3).collect();
    let took = whole.parse::<i64>().ok()?.checked_mul(1000)?.checked_add(part.parse().ok()?)?;
    (at != Micros::NONE && took >= 0).then(|| at.0.saturating_add(took.saturating_mul(sign)).to_string())
}

/// A text that must outlive the record it was read from.
fn kept(text: Option<Cow<'_, str>>) -> Option<Cow<'static, str>> {
    text.map(|text| Cow::Owned(text.into_owned()))
}
