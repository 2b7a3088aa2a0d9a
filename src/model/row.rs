//! Plain rows: what is kept of every record while millions are joined (`engine.md` 3).
//!
//! A row holds numbers only. Texts stand once in the run that read the row ([`crate::load`]); names of tools,
//! units and runs stand in shared tables. What is not kept (payloads, answers, reasons) is read again from its
//! place ([`At`]) when a person looks.

use super::money::Amount;
use super::outcome::Outcome;
use super::time::{Instant, Micros, Res};
use super::units::Unit;

/// Number of a source in the case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceNo(pub u16);

/// The place of a record: its source and a place in it (byte offset, rowid, or ordinal).
///
/// Places order as the input does, so "first place wins" is a comparison of numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct At(u64);

impl At {
    const BITS: u32 = 48;

    /// A place in a source; places are cut to 48 bits.
    pub fn new(source: SourceNo, place: u64) -> Self {
        Self((u64::from(source.0) << Self::BITS) | (place & ((1 << Self::BITS) - 1)))
    }

    /// The source.
    pub fn source(self) -> SourceNo {
        SourceNo(u16::try_from(self.0 >> Self::BITS).unwrap_or(u16::MAX))
    }

    /// Byte offset, rowid or ordinal in the source.
    pub fn place(self) -> u64 {
        self.0 & ((1 << Self::BITS) - 1)
    }
}

/// Number of an operation id inside the run that holds the row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(pub u32);

impl Name {
    /// The record carries no operation id.
    pub const NONE: Self = Self(u32::MAX);

    /// There is one.
    pub fn is_some(self) -> bool {
        self != Self::NONE
    }
}

/// Where a text stands in the run that holds the row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Text(pub u32);

impl Text {
    /// No text.
    pub const NONE: Self = Self(u32::MAX);

    /// There is one.
    pub fn is_some(self) -> bool {
        self != Self::NONE
    }
}

/// Number in a shared table (tools, kinds, runs, partitions); 0 is "none".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Shared(pub u32);

impl Shared {
    /// None.
    pub const NONE: Self = Self(0);

    /// There is one.
    pub fn is_some(self) -> bool {
        self != Self::NONE
    }

    /// Its place in a table.
    pub fn place(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// Number of a kind word and a partition value together: two words of a row in four bytes. 0 is neither.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Class(pub u32);

/// One dispatch of one call (`1-model.md` 1.1, Attempt).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// When it was sent; [`Micros::NONE`] where the trace has no times.
    pub sent: Micros,
    /// When it ended; [`Micros::NONE`] while open or unknown.
    pub ended: Micros,
    /// Amount of the call, in the scale below.
    pub amount: i64,
    /// Print of the payload as sent; 0 is none. Equal prints are believed, different ones are compared again.
    pub payload: u64,
    /// Print of the attempt id; 0 where the record has none.
    pub id: u64,
    /// Its place.
    pub at: At,
    /// Its operation id.
    pub name: Name,
    /// Its idempotency key; [`Text::NONE`] where none was sent, and where it equals the operation id (a flag).
    pub key: Text,
    /// Business id, with its type prefix.
    pub business: Text,
    /// Customer or account.
    pub party: Text,
    /// Effect id that the answer named.
    pub receipt: Text,
    /// Print of the decision id; 0 is none.
    pub decision: u32,
    /// Where the line of the outcome stands, as an offset from `at` (0: the same record).
    pub end_after: u32,
    /// Run, in the shared table.
    pub run: Shared,
    /// Tool, in the shared table.
    pub tool: Shared,
    /// Partition value (`4-sources.md` C6), in the shared table.
    pub part: Shared,
    /// Unit of the amount; [`Unit::NONE`] where none was given.
    pub unit: Unit,
    /// Decimals of `amount`.
    pub scale: u8,
    /// Resolution of `sent`.
    pub sent_res: Res,
    /// Resolution of `ended`.
    pub ended_res: Res,
    /// What the caller was told.
    pub outcome: Outcome,
    /// [`attempt_flag`] bits.
    pub flags: u16,
}

/// Bits of [`Attempt::flags`].
pub mod attempt_flag {
    /// An amount was given and could be read.
    pub const AMOUNT: u16 = 1;
    /// An amount was given and could not be read.
    pub const AMOUNT_BAD: u16 = 1 << 1;
    /// The key is the operation id.
    pub const KEY_IS_NAME: u16 = 1 << 2;
    /// The receipt's field says that it is one (`1-model.md` 1.4.8).
    pub const RECEIPT_NAMED: u16 = 1 << 3;
    /// A read, by declaration of the record (method, hint); else the tool decides.
    pub const READ: u16 = 1 << 4;
    /// `amount` counts minor units of a currency that was not given.
    pub const MINOR: u16 = 1 << 5;
    /// Refused or merged while resolving: counts nowhere.
    pub const DROPPED: u16 = 1 << 6;
    /// Two finishes told different things (`OUTCOME_CONFLICT`).
    pub const CONFLICT: u16 = 1 << 7;
    /// Sent outside `--since` and `--until`, and so is all of its operation: counts nowhere.
    pub const OUTSIDE: u16 = 1 << 11;
    /// Belongs to a group that is assumed from equal arguments (`1-model.md` 1.4.10).
    pub const ASSUMED: u16 = 1 << 8;
    /// The name is an intent id that still has to be translated.
    pub const BY_INTENT_ID: u16 = 1 << 9;
    /// The line ended without its line end.
    pub const CUT: u16 = 1 << 10;
    /// An answer existed and did not reach the caller (`ANSWER_NOT_SEEN`).
    pub const UNSEEN: u16 = 1 << 12;
}

impl Attempt {
    /// When it was sent, with its resolution.
    pub fn sent(&self) -> Instant {
        Instant { at: self.sent, res: self.sent_res }
    }

    /// When it ended, with its resolution.
    pub fn ended(&self) -> Instant {
        Instant { at: self.ended, res: self.ended_res }
    }

    /// The amount, where one could be read.
    pub fn amount(&self) -> Option<Amount> {
        self.is(attempt_flag::AMOUNT).then_some(Amount { digits: self.amount, scale: self.scale })
    }

    /// Whether a flag is set.
    pub fn is(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }
}

/// What a ledger row says of its effect now (`1-model.md` 1.4.4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Status {
    /// It happened.
    Live,
    /// It is on its way: no effect yet, no absence either.
    OnItsWay,
    /// Not an effect; a linked one came back.
    NotAnEffect,
}

/// One ledger row (`1-model.md` 1.1, Effect).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effect {
    /// When it was committed.
    pub committed: Micros,
    /// Amount, in the scale below; of a reversal the absolute amount.
    pub amount: i64,
    /// Its place.
    pub at: At,
    /// Its operation id.
    pub name: Name,
    /// Its id in its source.
    pub id: Text,
    /// Business id, with its type prefix.
    pub business: Text,
    /// Customer or account.
    pub party: Text,
    /// Idempotency key that the row carries.
    pub key: Text,
    /// Id that another system gives to this effect.
    pub external: Text,
    /// Effect id that a reversal names.
    pub reverses: Text,
    /// Kind word and partition value, in the shared table.
    pub class: Class,
    /// Unit of the amount.
    pub unit: Unit,
    /// Decimals of `amount`.
    pub scale: u8,
    /// Resolution of `committed`.
    pub res: Res,
    /// State of the effect.
    pub status: Status,
    /// [`effect_flag`] bits.
    pub flags: u16,
}

/// Bits of [`Effect::flags`].
pub mod effect_flag {
    /// An amount was given and could be read.
    pub const AMOUNT: u16 = 1;
    /// An amount or unit was given and could not be read.
    pub const AMOUNT_BAD: u16 = 1 << 1;
    /// The row takes an effect back.
    pub const REVERSAL: u16 = 1 << 2;
    /// `amount` counts minor units of a currency that was not given.
    pub const MINOR: u16 = 1 << 3;
    /// The status word is in no list (`STATUS_WORD_UNKNOWN`).
    pub const STATUS_UNKNOWN: u16 = 1 << 4;
    /// Refused or merged while resolving: counts nowhere.
    pub const DROPPED: u16 = 1 << 5;
    /// The same line, without any id, stood before (`NO_EFFECT_ID`).
    pub const TWIN: u16 = 1 << 6;
    /// The row does not pass the declared row filter (`4-sources.md` 4.13).
    pub const FILTERED: u16 = 1 << 7;
    /// The key is the operation id.
    pub const KEY_IS_NAME: u16 = 1 << 8;
    /// The same effect stands in a source read before, which counts.
    pub const ALSO_ELSEWHERE: u16 = 1 << 9;
    /// The amount was negative, and what that means is known only when the whole source was read.
    pub const NEGATIVE: u16 = 1 << 10;
    /// New in a source that holds one run only: it belongs to that run's one intent (J0).
    pub const OF_RUN: u16 = 1 << 11;
    /// It lies outside `--since` and `--until`; it counts only where its operation is judged whole.
    pub const OUTSIDE: u16 = 1 << 12;
}

impl Effect {
    /// When it was committed, with its resolution.
    pub fn committed(&self) -> Instant {
        Instant { at: self.committed, res: self.res }
    }

    /// The amount, where one could be read.
    pub fn amount(&self) -> Option<Amount> {
        self.is(effect_flag::AMOUNT).then_some(Amount { digits: self.amount, scale: self.scale })
    }

    /// Whether a flag is set.
    pub fn is(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }
}

/// One of the four states (`3-lifecycle.md` 3.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum State {
    /// Request sent, no answer yet.
    Submitted,
    /// Downstream acknowledged.
    Confirmed,
    /// Downstream explicitly rejected.
    Failed,
    /// Cannot tell whether the effect exists.
    Unknown,
}

impl State {
    /// Table of `recount states`: the word.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Submitted, "submitted"),
        (Self::Confirmed, "confirmed"),
        (Self::Failed, "failed"),
        (Self::Unknown, "unknown"),
    ];

    /// The word.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(s, _)| *s == self).map_or("", |(_, w)| w)
    }

    /// Reads the word exactly; state words are ours, so nothing is guessed.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, w)| *w == word).map(|(s, _)| *s)
    }
}

/// How a recorded intent relates to its parent (`1-model.md` 1.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Relation {
    /// Only one of the two may take effect.
    Replaces,
    /// In addition to the parent.
    AddsTo,
    /// A correction of the parent.
    Corrects,
}

impl Relation {
    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "replaces" => Some(Self::Replaces),
            "adds_to" => Some(Self::AddsTo),
            "corrects" => Some(Self::Corrects),
            _ => None,
        }
    }
}

/// A recorded intent or an expectation from a file (`1-model.md` 1.1, Intent and Expectation).
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Expected total, in the scale below.
    pub amount: i64,
    /// When it was recorded.
    pub recorded: Micros,
    /// Its deadline.
    pub deadline: Micros,
    /// Its place.
    pub at: At,
    /// Operation id.
    pub name: Name,
    /// Intent id.
    pub intent_id: Text,
    /// Business id.
    pub business: Text,
    /// Customer or account.
    pub party: Text,
    /// Kind as given.
    pub kind: Text,
    /// Idempotency key.
    pub key: Text,
    /// Intent id of the parent.
    pub parent: Text,
    /// Accepted other totals, as the JSON text that was given.
    pub accept: Text,
    /// Expected attributes, as the JSON text that was given.
    pub attrs: Text,
    /// Least number of effects.
    pub min: u32,
    /// Most effects.
    pub max: u32,
    /// Unit of the total; [`Unit::NONE`] where none is expected.
    pub unit: Unit,
    /// Decimals of `amount`.
    pub scale: u8,
    /// Relation to the parent.
    pub relation: Option<Relation>,
    /// [`record_flag`] bits.
    pub flags: u8,
}

/// Bits of [`Record::flags`].
pub mod record_flag {
    /// Comes from a file of expectations, which wins over a record.
    pub const FILE: u8 = 1;
    /// A total is expected.
    pub const TOTAL: u8 = 1 << 1;
    /// `amount` counts minor units of a currency that was not given.
    pub const MINOR: u8 = 1 << 2;
    /// A count was given (else 1 and 1 by default).
    pub const COUNT: u8 = 1 << 3;
    /// The expectation has no operation id: it is found by key or business id.
    pub const LOOSE: u8 = 1 << 4;
    /// Recorded outside `--since` and `--until`: it founds no intent by itself.
    pub const OUTSIDE: u8 = 1 << 5;
}

/// A recorded change of state.
#[derive(Clone, Copy, Debug)]
pub struct StateChange {
    /// When.
    pub when: Micros,
    /// Deadline that came with it.
    pub deadline: Micros,
    /// Its place.
    pub at: At,
    /// Intent id that it names ([`Text::NONE`] where it names the operation id).
    pub intent_id: Text,
    /// Operation id.
    pub name: Name,
    /// From; `None` for the first.
    pub from: Option<State>,
    /// To.
    pub to: State,
}

/// What a read-back found (`1-model.md` 1.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Seen {
    /// A matching effect was read.
    Present,
    /// Readable, but a field is not as expected.
    Differs,
    /// Not found, and the listing covers the write.
    AbsentAsOf,
    /// Not found, and that proves nothing.
    NotFoundNotCovering,
    /// Could not be read.
    Unreadable,
    /// No read took place.
    NotRun,
}

impl Seen {
    /// The six result words.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Present, "present"),
        (Self::Differs, "differs"),
        (Self::AbsentAsOf, "absent_as_of"),
        (Self::NotFoundNotCovering, "not_found_not_covering"),
        (Self::Unreadable, "unreadable"),
        (Self::NotRun, "not_run"),
    ];

    /// Words that mix up what the six results keep apart: read as [`Seen::Unreadable`], told by H23 (`5-hazards.md`).
    pub const COLLAPSED: [&'static str; 4] = ["unknown", "failed", "error", ""];

    /// Reads the word; `absent_as_of(...)` and the like are read by their beginning.
    pub fn from_word(word: &str) -> Option<Self> {
        let head = word.split('(').next().unwrap_or(word).trim();
        Self::ALL.iter().find(|(_, w)| *w == head).map(|(s, _)| *s)
    }

    /// The word.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(s, _)| *s == self).map_or("", |(_, w)| w)
    }
}

/// One look at the world.
#[derive(Clone, Copy, Debug)]
pub struct ReadBack {
    /// When the read began.
    pub when: Micros,
    /// Its place.
    pub at: At,
    /// Intent id that it names.
    pub intent_id: Text,
    /// Operation id.
    pub name: Name,
    /// Name of the source that was read.
    pub source: Text,
    /// What it found.
    pub seen: Seen,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_has_its_own_bit() {
        use attempt_flag as a;
        let of_attempts = [
            a::AMOUNT,
            a::AMOUNT_BAD,
            a::KEY_IS_NAME,
            a::RECEIPT_NAMED,
            a::READ,
            a::MINOR,
            a::DROPPED,
            a::CONFLICT,
            a::ASSUMED,
            a::BY_INTENT_ID,
            a::CUT,
            a::OUTSIDE,
            a::UNSEEN,
        ];
        let all = of_attempts.iter().fold(0_u16, |set, flag| set | flag);
        assert_eq!(all.count_ones() as usize, of_attempts.len());
    }
}
