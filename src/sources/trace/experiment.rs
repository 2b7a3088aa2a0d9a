//! The trace of the published experiment, read from its description (`4-sources.md` 4.9).
//!
//! The run has one operation id and no key; amounts are US dollars in major units; the lines have no times.

use std::borrow::Cow;

use crate::sources::event::{AmountField, AttemptEvent, Half, RunEvent, Sink, rule};
use crate::sources::format::{Format, Raw, Scratch, refuse};
use crate::sources::json::{Parser, Reader, Slots, Want, WantError};
use crate::sources::names::prefixed;
use crate::sources::near::did_you_mean;
use crate::sources::row::Row;

use super::{is_object, kept};

/// Event names.
pub const EVENTS: [&str; 5] =
    ["run_started", "model_turn", "tool_attempt_started", "tool_attempt_finished", "run_completed"];

const WANTED: [&[&str]; 13] = [
    &["event"],
    &["run_id"],
    &["task_id"],
    &["operation_id"],
    &["model"],
    &["tool"],
    &["arguments"],
    &["decision_id"],
    &["tool_attempt_id"],
    &["outcome"],
    &["output"],
    &["arguments.amount"],
    &["arguments.order_id"],
];
const EVENT: usize = 0;
const RUN: usize = 1;
const TASK: usize = 2;
const OPERATION: usize = 3;
const MODEL: usize = 4;
const TOOL: usize = 5;
const ARGUMENTS: usize = 6;
const DECISION: usize = 7;
const ATTEMPT: usize = 8;
const OUTCOME: usize = 9;
const OUTPUT: usize = 10;
const AMOUNT: usize = 11;
const ORDER: usize = 12;

/// The answer, a JSON text in `output`.
const ANSWER: [&[&str]; 3] = [&["is_error"], &["result.refund_id"], &["result.reused"]];

/// Reads a trace of the published experiment.
#[derive(Debug)]
pub struct Experiment {
    want: Want,
    answer: Want,
}

impl Experiment {
    /// The format; it has no mapping.
    ///
    /// # Errors
    /// Never in practice: its fields are fixed.
    pub fn new() -> Result<Self, WantError> {
        Ok(Self { want: Want::exact(&WANTED)?, answer: Want::exact(&ANSWER)? })
    }
}

fn started<S: Sink>(slots: &Slots<'_>, raw: Raw<'_>, out: &mut S) {
    let field = |slot: usize| Row::text(slots, slot);
    let amount = field(AMOUNT).map(AmountField::Major);
    let mut business = String::new();
    let event = AttemptEvent {
        attempt_id: field(ATTEMPT),
        operation_id: field(OPERATION),
        run_id: field(RUN),
        decision_id: field(DECISION),
        tool: field(TOOL),
        business_id: field(ORDER).map(|order| prefixed("order:", order, &mut business)),
        currency: amount.is_some().then_some(Cow::Borrowed("USD")),
        amount,
        payload: Row::raw(slots, ARGUMENTS),
        half: Half::Start,
        cut: !raw.ended,
        ..AttemptEvent::default()
    };
    out.attempt(raw.at, &event);
}

fn finished<S: Sink>(slots: &Slots<'_>, raw: Raw<'_>, scratch: &mut Scratch, out: &mut S) {
    let field = |slot: usize| Row::text(slots, slot);
    if field(ATTEMPT).is_none() {
        return refuse(out, raw, false, "tool_attempt_finished without tool_attempt_id".to_owned());
    }
    let (mut is_error, mut refund, mut reused) = (None, None, false);
    if let (Some(text), Some(reader)) = (field(OUTPUT), scratch.second.as_mut()) {
        let mut answer = Slots::new();
        if is_object(text.as_bytes()) && reader.read(text.as_bytes(), &mut answer).is_ok() {
            is_error = answer.is_true(0);
            refund = kept(Row::text(&answer, 1));
            reused = answer.is_true(2).unwrap_or(false);
        }
    }
    let event = AttemptEvent {
        attempt_id: field(ATTEMPT),
        operation_id: field(OPERATION),
        run_id: field(RUN),
        decision_id: field(DECISION),
        tool: field(TOOL),
        outcome: field(OUTCOME),
        is_error,
        // "Reused" is a statement about a receipt: without one it says nothing.
        reused: reused && refund.is_some(),
        receipt_named: refund.is_some(),
        receipt: refund,
        half: Half::End,
        cut: !raw.ended,
        ..AttemptEvent::default()
    };
    out.attempt(raw.at, &event);
}

impl Format for Experiment {
    fn want(&self) -> &Want {
        &self.want
    }

    fn scratch(&self, parser: Parser) -> Scratch {
        Scratch { second: Some(Reader::new(self.answer.clone(), parser)), ..Scratch::default() }
    }

    fn is_ledger(&self) -> bool {
        false
    }

    fn record<S: Sink>(&self, slots: &Slots<'_>, raw: Raw<'_>, scratch: &mut Scratch, out: &mut S) {
        let field = |slot: usize| Row::text(slots, slot);
        match field(EVENT).as_deref() {
            Some("run_started") => {
                let event =
                    RunEvent { run_id: field(RUN), scenario: field(TASK), agent: None, model: field(MODEL) };
                out.run(raw.at, &event);
            }
            Some("tool_attempt_started") => started(slots, raw, out),
            Some("tool_attempt_finished") => finished(slots, raw, scratch, out),
            Some("model_turn") => out.skipped(raw.at.source(), rule::MODEL_TURN),
            Some("run_completed") => out.skipped(raw.at.source(), rule::RUN_COMPLETED),
            _ if field(ATTEMPT).is_none() && field(TOOL).is_none() => {
                out.skipped_line(raw.at, rule::OTHER, raw.bytes);
            }
            other => {
                let name = other.unwrap_or_default();
                refuse(
                    out,
                    raw,
                    false,
                    format!("the event {name:?} is not known{}", did_you_mean(name, EVENTS)),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests;
