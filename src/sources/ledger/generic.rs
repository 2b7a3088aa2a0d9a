//! Generic ledger rows: CSV, JSON, tables of a database, by well-known names or a mapping (`7-commands.md` 7.5.8).
//!
//! Fields are found here and nothing is judged: whether a status word means an effect, whether an amount can be read
//! and whether a row without link fields affects the result is decided where the events are taken.

use std::borrow::Cow;

use crate::sources::event::{EffectEvent, Sink, rule};
use crate::sources::format::{Format, Raw, Rows, Scratch, doubled, doubled_words, refuse};
use crate::sources::json::{Parser, Slots, Want};
use crate::sources::mapping::{Layout, MappingError, Plan};
use crate::sources::names::{ledger, shared};
use crate::sources::peek::Seen;
use crate::sources::row::{Row, amount, common, in_scope, print, text};
use crate::sources::spec::Negative;

/// Reads generic ledger rows.
#[derive(Debug)]
pub struct LedgerRows {
    plan: Plan,
    want: Want,
    /// Rule J0: the source holds one run only (`scope = "run"`).
    of_run: bool,
    /// The column of the time is filled by `CURRENT_TIMESTAMP`.
    committed_utc: bool,
}

/// Fields of which a row must have one to be a row at all.
const SAYING: [usize; 13] = [
    ledger::DERIVED,
    shared::OPERATION,
    shared::KEY,
    shared::BUSINESS,
    shared::BUSINESS + 1,
    shared::BUSINESS + 2,
    shared::BUSINESS + 3,
    shared::PARTY,
    shared::AMOUNT,
    shared::AMOUNT_MINOR,
    ledger::EFFECT,
    ledger::REVERSES,
    ledger::EXTERNAL,
];

impl LedgerRows {
    /// A ledger with this layout.
    ///
    /// # Errors
    /// When the mapping does not fit.
    pub fn new(layout: &Layout, sample: &[Vec<Seen>], of_run: bool) -> Result<Self, MappingError> {
        let (want, _) = layout.wants(sample, false)?;
        Ok(Self { plan: layout.plan().clone(), want, of_run, committed_utc: false })
    }

    /// The same, where the times come from SQLite's `CURRENT_TIMESTAMP` (UTC, 1 s).
    #[must_use]
    pub fn committed_in_utc(self, committed_utc: bool) -> Self {
        Self { committed_utc, ..self }
    }
}

impl Rows for LedgerRows {
    #[inline]
    fn row<R: Row, S: Sink>(&self, row: &R, raw: Raw<'_>, scratch: &mut Scratch, out: &mut S) {
        if !SAYING.iter().any(|slot| row.raw(*slot).is_some()) {
            // A line of JSON may be anything; a row of a ledger's table is a row, and one without any id is reported
            // where it is taken.
            let times_and_words = [ledger::COMMITTED, ledger::STATUS, ledger::KIND, shared::CURRENCY];
            if row.is_json() || !times_and_words.iter().any(|slot| row.raw(*slot).is_some()) {
                return out.skipped_line(raw.at, rule::OTHER, raw.bytes);
            }
        }
        self.tell(row, raw, scratch, &More::default(), out);
    }
}

/// What a format knows of a row beside its fields.
#[derive(Debug, Clone, Default)]
pub(in crate::sources) struct More {
    /// The rule by which the row is no effect of its own.
    pub(in crate::sources) aside: Option<&'static str>,
    /// What an amount below zero means.
    pub(in crate::sources) negative_is: Option<Negative>,
    /// When its state was so; empty where that is when it was committed.
    pub(in crate::sources) changed: String,
    /// Order of the states of one effect at one moment.
    pub(in crate::sources) stage: u8,
    /// The amount is what the row cost, not what was moved.
    pub(in crate::sources) cost: bool,
}

impl LedgerRows {
    /// Tells a record that is known to be a row.
    pub(in crate::sources) fn tell<R: Row, S: Sink>(
        &self,
        row: &R,
        raw: Raw<'_>,
        scratch: &mut Scratch,
        more: &More,
        out: &mut S,
    ) {
        let plan = &self.plan;
        let common = common(row, plan, &mut scratch.buffers);
        let field = |slot: usize| text(row, plan, slot);
        let effect_id = field(ledger::EFFECT);
        let external_ref = field(ledger::EXTERNAL);
        let whole = match (&effect_id, &external_ref) {
            (None, None) => row.print().unwrap_or_else(|| print(raw.bytes)),
            _ => 0,
        };
        let event = EffectEvent {
            effect_id,
            operation_id: common.operation,
            key: common.key,
            business_id: common.business,
            party: common.party,
            external_ref,
            derived_key: field(ledger::DERIVED),
            position: field(ledger::POSITION),
            amount: common.amount,
            currency: common.currency,
            committed: field(ledger::COMMITTED),
            committed_utc: self.committed_utc,
            status: field(ledger::STATUS),
            kind: field(ledger::KIND),
            reverses: field(ledger::REVERSES),
            part: common.part,
            in_scope: in_scope(row, plan),
            whole,
            captured: amount(row, plan, ledger::CAPTURED, ledger::CAPTURED_MINOR),
            of_run: self.of_run,
            negative_is: more.negative_is,
            changed: Some(more.changed.as_str()).filter(|time| !time.is_empty()).map(Cow::Borrowed),
            stage: more.stage,
            cost: more.cost,
        };
        match more.aside {
            Some(rule) => out.set_aside(raw.at, rule, &event),
            None => out.effect(raw.at, &event),
        }
    }
}

impl Format for LedgerRows {
    fn want(&self) -> &Want {
        &self.want
    }

    fn scratch(&self, _parser: Parser) -> Scratch {
        Scratch::default()
    }

    fn is_ledger(&self) -> bool {
        true
    }

    #[inline]
    fn record<S: Sink>(&self, slots: &Slots<'_>, raw: Raw<'_>, scratch: &mut Scratch, out: &mut S) {
        if let Some(field) = doubled(slots, ledger::TABLE) {
            return refuse(out, raw, true, doubled_words(field));
        }
        self.row(slots, raw, scratch, out);
    }
}

#[cfg(test)]
mod tests;
