//! Generic traces: JSON lines, a JSON array, CSV, by well-known names or a mapping (`7-commands.md` 7.5.8,
//! `4-sources.md` 4.10).

use std::borrow::Cow;

use crate::sources::event::{AmountField, AttemptEvent, Half, Sink, rule};
use crate::sources::format::{Format, Raw, Rows, Scratch, doubled, doubled_words, refuse};
use crate::sources::json::{Parser, Reader, Slots, Want, WantError};
use crate::sources::mapping::{Layout, MappingError, Plan};
use crate::sources::names::{shared, trace};
use crate::sources::peek::Seen;
use crate::sources::row::Row;

use super::{attempt, is_object, kept, with_arguments};

/// What is looked for in an answer that comes as a JSON text.
const ANSWER: [&[&str]; 5] = [
    &["receipt", "result.receipt"],
    &["refund_id", "effect_id", "result.refund_id", "result.effect_id", "result.id", "response.id", "id"],
    &["is_error", "result.is_error"],
    &["reused", "result.reused"],
    &["error_code", "error.code", "error"],
];
const RECEIPT: usize = 0;
const ANSWERED: usize = 1;
const IS_ERROR: usize = 2;
const REUSED: usize = 3;
const ERROR: usize = 4;

/// Reads a generic trace.
#[derive(Debug)]
pub struct Generic {
    plan: Plan,
    want: Want,
    inside: Want,
    answer: Want,
}

impl Generic {
    /// A generic trace with this layout.
    ///
    /// # Errors
    /// When the mapping does not fit.
    pub fn new(layout: &Layout, sample: &[Vec<Seen>]) -> Result<Self, MappingError> {
        let (want, inside) = layout.wants(sample, false)?;
        Ok(Self { plan: layout.plan().clone(), want, inside, answer: answer()? })
    }

    /// A worker's readers.
    pub(in crate::sources) fn readers(&self, parser: Parser) -> Scratch {
        Scratch {
            arguments: Some(Reader::new(self.inside.clone(), parser)),
            second: Some(Reader::new(self.answer.clone(), parser)),
            ..Scratch::default()
        }
    }
}

fn answer() -> Result<Want, WantError> {
    Want::loose(&ANSWER)
}

/// What an answer in a JSON text says.
#[derive(Debug, Default)]
struct Answer {
    receipt: Option<Cow<'static, str>>,
    answered: Option<Cow<'static, str>>,
    is_error: Option<bool>,
    reused: Option<bool>,
    error: Option<Cow<'static, str>>,
}

/// The first answer that is a JSON text.
fn answer_of<R: Row>(row: &R, reader: Option<&mut Reader>) -> Option<Answer> {
    let reader = reader?;
    for slot in trace::ANSWERS {
        let Some(text) = row.nested_text(slot) else {
            continue;
        };
        let mut slots = Slots::new();
        if !is_object(text.as_bytes()) || reader.read(text.as_bytes(), &mut slots).is_err() {
            continue;
        }
        return Some(Answer {
            receipt: kept(Row::text(&slots, RECEIPT)),
            answered: kept(Row::text(&slots, ANSWERED)),
            is_error: slots.is_true(IS_ERROR),
            reused: slots.is_true(REUSED),
            error: kept(Row::text(&slots, ERROR)),
        });
    }
    None
}

impl Rows for Generic {
    #[inline]
    fn row<R: Row, S: Sink>(&self, row: &R, raw: Raw<'_>, scratch: &mut Scratch, out: &mut S) {
        let has = |slot: usize| row.raw(slot).is_some() || self.plan.constant(slot).is_some();
        let named = [shared::OPERATION, shared::KEY, trace::INTENT].into_iter().any(has);
        let called = [trace::TOOL, trace::ATTEMPT, trace::NUMBER].into_iter().any(has);
        let told = has(trace::OUTCOME) || has(trace::SENT);
        let is_call = called || (named && told);
        if !is_call {
            if named {
                let what = "it names an operation but neither tool, attempt, outcome nor a time".to_owned();
                return refuse(out, raw, false, what);
            }
            return out.skipped_line(raw.at, rule::OTHER, raw.bytes);
        }
        self.call(row, raw, scratch, &More::default(), out);
    }
}

/// What a record of several parts says beside its fields.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::sources) struct More {
    /// Which halves it holds.
    pub(in crate::sources) half: Half,
    /// Declared a read or a write.
    pub(in crate::sources) read: Option<bool>,
    /// Where the answer stands.
    pub(in crate::sources) answered: Option<u64>,
    /// The answer did not reach the caller.
    pub(in crate::sources) unseen: bool,
    /// An amount without decimals may count minor units.
    pub(in crate::sources) unclear_amounts: bool,
}

impl Generic {
    /// Tells a record that is known to be a call.
    pub(in crate::sources) fn call<R: Row, S: Sink>(
        &self,
        row: &R,
        raw: Raw<'_>,
        scratch: &mut Scratch,
        more: &More,
        out: &mut S,
    ) {
        let answer = answer_of(row, scratch.second.as_mut()).unwrap_or_default();
        with_arguments(row, scratch, |call, payload, scratch| {
            let mut event: AttemptEvent<'_> = attempt(call, &self.plan, payload, &mut scratch.buffers);
            if event.receipt.is_none() {
                event.receipt_named = answer.receipt.is_some();
                event.receipt = answer.receipt.or(answer.answered);
            }
            event.is_error = event.is_error.or(answer.is_error);
            event.reused |= answer.reused.unwrap_or(false);
            event.error = event.error.or(answer.error);
            event.cut = !raw.ended;
            event.half = more.half;
            event.read = more.read;
            event.answered = more.answered;
            event.unseen = more.unseen;
            let whole =
                |field: &AmountField<'_>| matches!(field, AmountField::Major(text) if !text.contains('.'));
            event.amount = event.amount.filter(|field| !(more.unclear_amounts && whole(field)));
            out.attempt(raw.at, &event);
        });
    }
}

impl Format for Generic {
    fn want(&self) -> &Want {
        &self.want
    }

    fn scratch(&self, parser: Parser) -> Scratch {
        self.readers(parser)
    }

    fn is_ledger(&self) -> bool {
        false
    }

    #[inline]
    fn record<S: Sink>(&self, slots: &Slots<'_>, raw: Raw<'_>, scratch: &mut Scratch, out: &mut S) {
        if let Some(field) = doubled(slots, trace::TABLE) {
            return refuse(out, raw, false, doubled_words(field));
        }
        self.row(slots, raw, scratch, out);
    }
}

#[cfg(test)]
mod tests;
