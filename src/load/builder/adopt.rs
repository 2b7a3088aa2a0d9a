//! Rows that get their operation id late (`resolve`): texts are copied from the run that read them.

use super::Builder;
use crate::load::reading::Reading;
use crate::load::run::{Run, used};
use crate::load::slice::{End, Rank};
use crate::model::row::{Attempt, ReadBack, Record, StateChange, attempt_flag, record_flag};

impl Builder<'_> {
    /// An attempt under an operation id or a group's name.
    pub(in crate::load) fn adopt_attempt(&mut self, row: Attempt, name: &str, from: &Run) {
        let mut row = row;
        row.name = self.exact_name(name);
        row.key = self.keep(from.text(row.key));
        row.business = self.keep(from.text(row.business));
        row.party = self.keep(from.text(row.party));
        row.receipt = self.keep(from.text(row.receipt));
        row.flags &= !attempt_flag::BY_INTENT_ID;
        self.mark(row.name, used::CALL);
        self.attempts.push(row);
    }

    /// A change of state.
    pub(in crate::load) fn adopt_state(&mut self, change: StateChange, name: &str, from: &Run) {
        let mut change = change;
        change.name = self.exact_name(name);
        change.intent_id = self.keep(from.text(change.intent_id));
        self.states.push(change);
    }

    /// A recorded intent or an expectation.
    pub(in crate::load) fn adopt_record(&mut self, record: Record, name: &str, from: &Run) {
        let mut record = record;
        record.name = self.exact_name(name);
        record.flags &= !record_flag::LOOSE;
        let texts = [
            &mut record.intent_id,
            &mut record.business,
            &mut record.party,
            &mut record.kind,
            &mut record.key,
            &mut record.parent,
            &mut record.accept,
            &mut record.attrs,
        ];
        for text in texts {
            *text = self.keep(from.text(*text));
        }
        self.mark(record.name, used::CALL);
        self.records.push(record);
    }

    /// A read-back.
    pub(in crate::load) fn adopt_read(&mut self, read: ReadBack, name: &str, from: &Run) {
        let mut read = read;
        read.name = self.exact_name(name);
        read.intent_id = self.keep(from.text(read.intent_id));
        read.source = self.keep(from.text(read.source));
        self.reads.push(read);
    }

    /// An end without a beginning: under its operation id, else as a call of its own.
    pub(in crate::load) fn adopt_end(&mut self, end: &End, row: Attempt, else_name: &str, cx: &Reading) {
        let mut row = row;
        let source = cx.source(end.at.source());
        row.name = match end.operation_id.as_str() {
            "" => self.exact_name(else_name),
            id => self.name(id, source, (Rank::Row, end.at)),
        };
        row.receipt = self.keep(&end.receipt);
        row.flags |= if end.receipt_named { attempt_flag::RECEIPT_NAMED } else { 0 };
        self.mark(row.name, used::CALL);
        self.attempts.push(row);
    }
}
