//! Expectations (`--expect`), tickets, and an application's own intent records: what must be true in the end
//! (`7-commands.md` 8.1, `4-sources.md` 4.14).

use super::event::{RecordEvent, Sink, rule};
use super::format::{Format, Raw, Rows, Scratch, doubled, doubled_words, refuse};
use super::json::{Parser, Slots, Want};
use super::mapping::{Layout, MappingError, Plan};
use super::names::record;
use super::peek::Seen;
use super::row::{Buffers, Row, common, text};
use super::spec::Options;

/// Reads expectations.
#[derive(Debug)]
pub struct Records {
    plan: Plan,
    want: Want,
    from_file: bool,
}

impl Records {
    /// Expectations of a file, or intent records of an application (`from_file` false).
    ///
    /// # Errors
    /// When the mapping does not fit.
    pub fn new(layout: &Layout, sample: &[Vec<Seen>], from_file: bool) -> Result<Self, MappingError> {
        let (want, _) = layout.wants(sample, false)?;
        Ok(Self { plan: layout.plan().clone(), want, from_file })
    }

    /// The `intent_recorded` lines of a native trace.
    ///
    /// # Errors
    /// Never in practice: the table is fixed.
    pub fn native() -> Result<Self, MappingError> {
        let layout = Layout::new(record::TABLE, &Options::default(), &[])?;
        let (want, _) = layout.wants(&[], true)?;
        Ok(Self { plan: layout.plan().clone(), want, from_file: false })
    }

    /// Which values are wanted.
    pub(super) fn want(&self) -> &Want {
        &self.want
    }

    /// The event of one record.
    pub(super) fn event<'e, R: Row>(&'e self, row: &'e R, buffers: &'e mut Buffers) -> RecordEvent<'e> {
        let common = common(row, &self.plan, buffers);
        let field = |slot: usize| text(row, &self.plan, slot);
        RecordEvent {
            intent_id: field(record::INTENT),
            operation_id: common.operation,
            kind: field(record::KIND),
            business_id: common.business,
            party: common.party,
            amount: common.amount,
            currency: common.currency,
            count: field(record::COUNT),
            count_min: field(record::COUNT_MIN),
            count_max: field(record::COUNT_MAX),
            accept: row.raw(record::ACCEPT),
            attrs: row.raw(record::ATTRS),
            key: common.key,
            parent_id: field(record::PARENT),
            relation: field(record::RELATION),
            deadline: field(record::DEADLINE),
            ts: field(record::RECORDED),
            from_file: self.from_file,
        }
    }
}

impl Rows for Records {
    fn row<R: Row, S: Sink>(&self, row: &R, raw: Raw<'_>, scratch: &mut Scratch, out: &mut S) {
        let event = self.event(row, &mut scratch.buffers);
        let named = event.operation_id.is_some()
            || event.intent_id.is_some()
            || event.key.is_some()
            || event.business_id.is_some();
        if named {
            return out.record(raw.at, &event);
        }
        if event.amount.is_none()
            && event.count.is_none()
            && event.count_min.is_none()
            && event.count_max.is_none()
        {
            return out.skipped_line(raw.at, rule::OTHER, raw.bytes);
        }
        refuse(out, raw, false, "it names no operation id, key, business id or intent".to_owned());
    }
}

impl Format for Records {
    fn want(&self) -> &Want {
        &self.want
    }

    fn scratch(&self, _parser: Parser) -> Scratch {
        Scratch::default()
    }

    fn is_ledger(&self) -> bool {
        false
    }

    fn record<S: Sink>(&self, slots: &Slots<'_>, raw: Raw<'_>, scratch: &mut Scratch, out: &mut S) {
        if let Some(field) = doubled(slots, record::TABLE) {
            return refuse(out, raw, false, doubled_words(field));
        }
        self.row(slots, raw, scratch, out);
    }
}

#[cfg(test)]
mod tests;
