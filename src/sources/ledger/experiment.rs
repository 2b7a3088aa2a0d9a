//! The effects file of the published experiment (`4-sources.md` 4.9): what one store held before and after one run.
//!
//! Read are the rows and the totals that the store states of itself. The published verdict, the marker of the fault
//! and the receipt of the idempotent server are no evidence and are not looked at.

use std::borrow::Cow;

use crate::model::row::At;
use crate::sources::event::{AmountField, EffectEvent, ProblemEvent, Sink, code};
use crate::sources::format::{Raw, refuse};
use crate::sources::json::{Kind, Parser, Reader, Slots, Want, WantError};
use crate::sources::names::prefixed;
use crate::sources::row::{Row, objects_in};

const WANTED: [&[&str]; 8] = [
    &["initial.refund_count"],
    &["initial.refunded_cents"],
    &["initial.refunds"],
    &["final.order_id", "initial.order_id"],
    &["final.refund_count"],
    &["final.refunded_cents"],
    &["final.refunds"],
    &["final"],
];
const INITIAL_COUNT: usize = 0;
const INITIAL_CENTS: usize = 1;
const INITIAL_ROWS: usize = 2;
const ORDER: usize = 3;
const COUNT: usize = 4;
const CENTS: usize = 5;
const ROWS: usize = 6;

const ROW: [&[&str]; 3] = [&["refund_id"], &["amount_cents"], &["operation_id"]];
const REFUND: usize = 0;
const AMOUNT: usize = 1;
const OPERATION: usize = 2;

/// Reads an effects file.
#[derive(Debug)]
pub struct Effects {
    want: Want,
    row: Want,
}

impl Effects {
    /// The format; it has no mapping.
    ///
    /// # Errors
    /// Never in practice: its fields are fixed.
    pub fn new() -> Result<Self, WantError> {
        Ok(Self { want: Want::exact(&WANTED)?, row: Want::exact(&ROW)? })
    }

    /// Reads the whole file, one object. Says why the listing is not complete, where its own totals differ (C3).
    pub fn read<S: Sink>(&self, whole: Raw<'_>, parser: Parser, out: &mut S) -> Option<String> {
        let mut slots = Slots::new();
        if let Err(why) = Reader::new(self.want.clone(), parser).read(whole.bytes, &mut slots) {
            let what = if whole.ended { why.to_string() } else { crate::sources::format::CUT.to_owned() };
            refuse(out, whole, true, what);
            return Some("the effects file cannot be read".to_owned());
        }
        let Some(rows) = slots.raw(ROWS).filter(|_| slots.kind(ROWS) == Some(Kind::Array)) else {
            let what = "there is no list `final.refunds` in it";
            refuse(out, whole, true, what.to_owned());
            return Some("the effects file has no list of refunds".to_owned());
        };
        let mut reader = Reader::new(self.row.clone(), parser);
        let before = self.before(&slots, parser);
        let mut business = String::new();
        let order = Row::text(&slots, ORDER).map(|order| prefixed("order:", order, &mut business));
        let mut seen = Totals::default();
        for object in objects_in(rows) {
            let raw = Raw { bytes: object, at: place_of(whole, object), ended: true };
            let mut fields = Slots::new();
            if let Err(why) = reader.read(object, &mut fields) {
                refuse(out, raw, true, why.to_string());
                continue;
            }
            seen.add(&fields);
            let effect_id = Row::text(&fields, REFUND);
            let new = effect_id.as_deref().is_none_or(|id| !before.ids.iter().any(|old| old == id));
            let event = EffectEvent {
                whole: if effect_id.is_none() { crate::sources::row::print(object) } else { 0 },
                effect_id,
                operation_id: Row::text(&fields, OPERATION),
                business_id: order.as_deref().map(Cow::Borrowed),
                amount: Row::text(&fields, AMOUNT).map(AmountField::Minor),
                currency: Some(Cow::Borrowed("USD")),
                kind: Some(Cow::Borrowed("refund")),
                // What was there before the run is nobody's here.
                in_scope: new,
                of_run: before.listed && new,
                ..EffectEvent::default()
            };
            out.effect(raw.at, &event);
        }
        let differs = seen.differs(&slots);
        if let Some(what) = &differs {
            let bytes = whole.bytes.len() as u64;
            let problem = ProblemEvent {
                code: code::CONTROL_TOTAL_DIFFERS,
                what: what.clone(),
                bytes,
                affects_result: true,
            };
            out.problem(whole.at, problem);
        }
        differs
    }

    /// What the store held before the run. Rows that are counted and not listed make it unknown which rows are new.
    fn before(&self, slots: &Slots<'_>, parser: Parser) -> Before {
        let mut reader = Reader::new(self.row.clone(), parser);
        let listed: Vec<&[u8]> =
            slots.raw(INITIAL_ROWS).map(|rows| objects_in(rows).collect()).unwrap_or_default();
        let mut ids = Vec::new();
        for object in &listed {
            let mut fields = Slots::new();
            if reader.read(object, &mut fields).is_ok() {
                ids.extend(Row::text(&fields, REFUND).map(Cow::into_owned));
            }
        }
        let count = number(slots, INITIAL_COUNT).unwrap_or(0);
        let cents = number(slots, INITIAL_CENTS).unwrap_or(0);
        // Money that had gone out before is a row too, though nothing counts it.
        let listed =
            i128::try_from(listed.len()).is_ok_and(|rows| rows >= count) && (cents == 0 || !ids.is_empty());
        Before { listed, ids }
    }
}

struct Before {
    /// All rows of before are listed: what is not among them is new (rule J0).
    listed: bool,
    ids: Vec<String>,
}

/// Count and sum of the rows, beside what the store says of itself.
#[derive(Default)]
struct Totals {
    rows: i128,
    cents: i128,
    unreadable: bool,
}

impl Totals {
    fn add(&mut self, fields: &Slots<'_>) {
        self.rows += 1;
        match number(fields, AMOUNT) {
            Some(cents) => self.cents = self.cents.saturating_add(cents),
            None => self.unreadable = true,
        }
    }

    fn differs(&self, slots: &Slots<'_>) -> Option<String> {
        let stated = number(slots, CENTS).filter(|_| !self.unreadable);
        if let Some(stated) = stated.filter(|stated| *stated != self.cents) {
            let listed = self.cents;
            return Some(format!("the file states refunded_cents {stated}, its rows add up to {listed}"));
        }
        let count = number(slots, COUNT).filter(|count| *count != self.rows)?;
        Some(format!("the file states refund_count {count}, it lists {} rows", self.rows))
    }
}

/// A whole number of a control total; cents that are not whole are left to who reads amounts.
fn number(slots: &Slots<'_>, slot: usize) -> Option<i128> {
    Row::text(slots, slot)?.parse().ok()
}

/// Where a part of the file stands.
fn place_of(whole: Raw<'_>, part: &[u8]) -> At {
    let before = (part.as_ptr() as usize).saturating_sub(whole.bytes.as_ptr() as usize);
    At::new(whole.at.source(), whole.at.place() + before as u64)
}

#[cfg(test)]
mod tests;
