//! The few events that every format turns its records into (`engine.md` 4).
//!
//! A format only finds fields; what a field means (money, time, outcome and status words) is read in one place,
//! by whoever implements [`Sink`] (`load::Builder`). Texts are borrowed from the record, decoded, and raw: they may
//! hold anything.

use std::borrow::Cow;

use super::spec::Negative;
use crate::model::row::{At, SourceNo};

/// A text of a record, decoded; absent where the record does not have it or says null.
pub type Field<'a> = Option<Cow<'a, str>>;

/// An amount as written: decimal major units, or integer minor units (`1-model.md` 1.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AmountField<'a> {
    /// Decimal text or JSON number in major units.
    Major(Cow<'a, str>),
    /// Integer minor units.
    Minor(Cow<'a, str>),
    /// Text that SQLite printed for a REAL, in major units.
    Real(Cow<'a, str>),
}

/// `run_started`, or whatever a format knows of a run.
#[derive(Clone, Debug, Default)]
pub struct RunEvent<'a> {
    /// Run id.
    pub run_id: Field<'a>,
    /// Scenario.
    pub scenario: Field<'a>,
    /// Agent's name.
    pub agent: Field<'a>,
    /// Model, where one is named.
    pub model: Field<'a>,
}

/// A call: sent, ended, or both in one record.
// The booleans are facts of a record, each by itself; together they are no state.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Debug, Default)]
pub struct AttemptEvent<'a> {
    /// Attempt id; never a bare number of tries.
    pub attempt_id: Field<'a>,
    /// Operation id.
    pub operation_id: Field<'a>,
    /// Intent id.
    pub intent_id: Field<'a>,
    /// Idempotency key.
    pub key: Field<'a>,
    /// Run id.
    pub run_id: Field<'a>,
    /// Agent, where the record names one.
    pub agent: Field<'a>,
    /// Model, where the record names one.
    pub model: Field<'a>,
    /// Decision id.
    pub decision_id: Field<'a>,
    /// Turn; stands in for a decision id where there is none.
    pub turn: Field<'a>,
    /// Tool.
    pub tool: Field<'a>,
    /// Business id as it will be compared, with its type prefix.
    pub business_id: Field<'a>,
    /// Customer or account.
    pub party: Field<'a>,
    /// Amount.
    pub amount: Option<AmountField<'a>>,
    /// Currency or unit.
    pub currency: Field<'a>,
    /// Payload or arguments: the raw JSON value.
    pub payload: Option<&'a [u8]>,
    /// When sent, as written.
    pub sent: Field<'a>,
    /// When ended, as written.
    pub ended: Field<'a>,
    /// Outcome word as written; absent where there is none.
    pub outcome: Field<'a>,
    /// Error code or word beside the outcome, for a tool's own lists (`did_not`, `already_did`, `cannot_tell`).
    pub error: Field<'a>,
    /// HTTP status, where there is one and no outcome word.
    pub http: Option<u16>,
    /// `is_error` of a response.
    pub is_error: Option<bool>,
    /// Effect id that the answer named.
    pub receipt: Field<'a>,
    /// The receipt's field name says that it is one.
    pub receipt_named: bool,
    /// The answer was a stored one.
    pub reused: bool,
    /// The answer was replayed from a store.
    pub replayed: bool,
    /// Declared a read (method, hint, role).
    pub read: Option<bool>,
    /// Value of the partition field, `field=value`.
    pub part: Field<'a>,
    /// Which halves this record holds.
    pub half: Half,
    /// The line has no line end: perhaps it is still being written (`1-model.md` 1.4.1).
    pub cut: bool,
    /// Where the answer stands, where it is a record of its own in the same source.
    pub answered: Option<u64>,
    /// An answer existed and did not reach the caller (`ANSWER_NOT_SEEN`).
    pub unseen: bool,
}

/// Which part of a call a record holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Half {
    /// The whole call.
    #[default]
    Both,
    /// Only that it was sent.
    Start,
    /// Only how it ended.
    End,
}

/// `intent_recorded`, or a line of an expectations file.
#[derive(Clone, Debug, Default)]
pub struct RecordEvent<'a> {
    /// Intent id.
    pub intent_id: Field<'a>,
    /// Operation id.
    pub operation_id: Field<'a>,
    /// Kind.
    pub kind: Field<'a>,
    /// Business id with its type prefix.
    pub business_id: Field<'a>,
    /// Customer or account.
    pub party: Field<'a>,
    /// Expected total.
    pub amount: Option<AmountField<'a>>,
    /// Its currency or unit.
    pub currency: Field<'a>,
    /// `count`: equal least and most.
    pub count: Field<'a>,
    /// `count_min`.
    pub count_min: Field<'a>,
    /// `count_max`.
    pub count_max: Field<'a>,
    /// `accept`, raw JSON.
    pub accept: Option<&'a [u8]>,
    /// `attrs`, raw JSON.
    pub attrs: Option<&'a [u8]>,
    /// Idempotency key.
    pub key: Field<'a>,
    /// Parent intent.
    pub parent_id: Field<'a>,
    /// Relation to the parent.
    pub relation: Field<'a>,
    /// Deadline.
    pub deadline: Field<'a>,
    /// When recorded.
    pub ts: Field<'a>,
    /// Comes from a file of expectations.
    pub from_file: bool,
}

/// `state_changed`.
#[derive(Clone, Debug, Default)]
pub struct StateEvent<'a> {
    /// Intent id.
    pub intent_id: Field<'a>,
    /// Operation id, where no intent id is given.
    pub operation_id: Field<'a>,
    /// From.
    pub from: Field<'a>,
    /// To.
    pub to: Field<'a>,
    /// Deadline.
    pub deadline: Field<'a>,
    /// When.
    pub ts: Field<'a>,
}

/// `readback`.
#[derive(Clone, Debug, Default)]
pub struct ReadBackEvent<'a> {
    /// Intent id.
    pub intent_id: Field<'a>,
    /// Operation id.
    pub operation_id: Field<'a>,
    /// Source that was read.
    pub source: Field<'a>,
    /// Result word.
    pub result: Field<'a>,
    /// When.
    pub ts: Field<'a>,
}

/// A ledger row.
#[derive(Clone, Debug, Default)]
pub struct EffectEvent<'a> {
    /// Effect id.
    pub effect_id: Field<'a>,
    /// Operation id.
    pub operation_id: Field<'a>,
    /// Idempotency key.
    pub key: Field<'a>,
    /// Business id with its type prefix.
    pub business_id: Field<'a>,
    /// Customer or account.
    pub party: Field<'a>,
    /// Id that another system gives to this effect.
    pub external_ref: Field<'a>,
    /// Column of the read position, as written.
    pub position: Field<'a>,
    /// Hash of the fields that identify the operation.
    pub derived_key: Field<'a>,
    /// Amount.
    pub amount: Option<AmountField<'a>>,
    /// Currency or unit.
    pub currency: Field<'a>,
    /// When committed, as written.
    pub committed: Field<'a>,
    /// The committed column is a SQLite `CURRENT_TIMESTAMP` (UTC, 1 s).
    pub committed_utc: bool,
    /// Status word.
    pub status: Field<'a>,
    /// Kind word.
    pub kind: Field<'a>,
    /// Effect id that a reversal names.
    pub reverses: Field<'a>,
    /// Value of the partition field, `field=value`.
    pub part: Field<'a>,
    /// False where the row does not pass the declared row filter.
    pub in_scope: bool,
    /// Print of the whole row, for rows without an effect id and an external reference; 0 where the row has one.
    pub whole: u64,
    /// What was captured: the cap of what can be given back (`7-commands.md` 7.5.8).
    pub captured: Option<AmountField<'a>>,
    /// The source holds one run only and this row is new in it: it belongs to that run's one intent (rule J0).
    pub of_run: bool,
    /// What an amount below zero means in this format, where the format says so.
    pub negative_is: Option<Negative>,
    /// When its state was so, as written, where several rows tell the states of one effect.
    pub changed: Field<'a>,
    /// Order of the states of one effect at one moment: a higher one is later.
    pub stage: u8,
    /// The amount is what the row cost, not what was moved: it stands in the control totals only.
    pub cost: bool,
}

/// Codes of [`ProblemEvent`]s.
pub mod code {
    /// A line of a trace or of expectations that begins like a record and cannot be read.
    pub const UNREADABLE_LINE: &str = "UNREADABLE_LINE";
    /// A row of a ledger that cannot be read.
    pub const UNREADABLE_ROW: &str = "UNREADABLE_ROW";
    /// A total or count that the source states of itself is another than that of its rows (`4-sources.md` 4.16).
    pub const CONTROL_TOTAL_DIFFERS: &str = "CONTROL_TOTAL_DIFFERS";
}

/// Rules by which records are skipped and counted (`1-model.md` 1.4.1).
pub mod rule {
    /// Nothing but white space.
    pub const BLANK: &str = "blank line";
    /// The header of a table, once more: files were put together.
    pub const HEADER: &str = "the header again";
    /// The line does not begin like a record of its format.
    pub const NOISE: &str = "does not begin like a record";
    /// A record that says nothing of a call, an effect or an expectation.
    pub const OTHER: &str = "another kind of record";
    /// `run_completed`: its text is only shown.
    pub const RUN_COMPLETED: &str = "run_completed";
    /// `model_turn` of the published experiment.
    pub const MODEL_TURN: &str = "model_turn";
}

/// A record that could not be used (`1-model.md` 1.4.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemEvent {
    /// Stable code, such as `UNREADABLE_LINE`.
    pub code: &'static str,
    /// What is wrong, in one plain sentence without a full stop. May quote data: escape before showing.
    pub what: String,
    /// Bytes of the record.
    pub bytes: u64,
    /// The record begins like one and cannot be read: the result can then not be clean.
    pub affects_result: bool,
}

/// Receives the events of one source, in order of place within a chunk.
pub trait Sink {
    /// A run.
    fn run(&mut self, at: At, event: &RunEvent<'_>);
    /// A call.
    fn attempt(&mut self, at: At, event: &AttemptEvent<'_>);
    /// A recorded intent or an expectation.
    fn record(&mut self, at: At, event: &RecordEvent<'_>);
    /// A change of state.
    fn state(&mut self, at: At, event: &StateEvent<'_>);
    /// A read-back.
    fn read_back(&mut self, at: At, event: &ReadBackEvent<'_>);
    /// A ledger row.
    fn effect(&mut self, at: At, event: &EffectEvent<'_>);
    /// A ledger row that is no effect of its own, with its rule's name: it counts in what was read and in the control
    /// totals, and nowhere else (`4-sources.md` 4.15, 4.16).
    fn set_aside(&mut self, at: At, rule: &'static str, _event: &EffectEvent<'_>) {
        self.skipped(at.source(), rule);
    }
    /// A record that could not be used.
    fn problem(&mut self, at: At, event: ProblemEvent);
    /// A record that is known and not used (blank, noise, other event kinds), with its rule's name.
    fn skipped(&mut self, source: SourceNo, rule: &'static str);
    /// A skipped record with its bytes, for who looks whether it names a loaded id (`1-model.md` 1.4.1: then it is
    /// unreadable after all).
    fn skipped_line(&mut self, at: At, rule: &'static str, _line: &[u8]) {
        self.skipped(at.source(), rule);
    }
    /// A record that was used beside the one that an event stands for: the answer of a call, a sign that its caller
    /// gave up.
    fn used(&mut self, _source: SourceNo) {}
}

impl<T: Sink + ?Sized> Sink for &mut T {
    fn run(&mut self, at: At, event: &RunEvent<'_>) {
        (**self).run(at, event);
    }
    fn attempt(&mut self, at: At, event: &AttemptEvent<'_>) {
        (**self).attempt(at, event);
    }
    fn record(&mut self, at: At, event: &RecordEvent<'_>) {
        (**self).record(at, event);
    }
    fn state(&mut self, at: At, event: &StateEvent<'_>) {
        (**self).state(at, event);
    }
    fn read_back(&mut self, at: At, event: &ReadBackEvent<'_>) {
        (**self).read_back(at, event);
    }
    fn effect(&mut self, at: At, event: &EffectEvent<'_>) {
        (**self).effect(at, event);
    }
    fn set_aside(&mut self, at: At, rule: &'static str, event: &EffectEvent<'_>) {
        (**self).set_aside(at, rule, event);
    }
    fn problem(&mut self, at: At, event: ProblemEvent) {
        (**self).problem(at, event);
    }
    fn skipped(&mut self, source: SourceNo, rule: &'static str) {
        (**self).skipped(source, rule);
    }
    fn skipped_line(&mut self, at: At, rule: &'static str, line: &[u8]) {
        (**self).skipped_line(at, rule, line);
    }
    fn used(&mut self, source: SourceNo) {
        (**self).used(source);
    }
}
