//! What the judge answers: one small value per intent.

use crate::model::money::Money;
use crate::model::row::State;
use crate::model::time::Micros;
use crate::model::units::Unit;

use super::rules::Rule;

/// Class of a verdict (`2-judge.md` 2.7).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Class {
    /// Something went wrong.
    Violation,
    /// A person or a later read has to decide.
    Undecided,
    /// Still waiting.
    Open,
    /// As intended, as far as was read.
    Clean,
}

impl Class {
    /// The word in machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Violation => "violation",
            Self::Undecided => "undecided",
            Self::Open => "open",
            Self::Clean => "clean",
        }
    }
}

/// Where an expectation comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum ExpectedFrom {
    /// `intent_recorded`.
    Record,
    /// A file of expectations.
    File,
    /// The calls.
    Assumed,
}

impl ExpectedFrom {
    /// The word in machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Record => "intent_record",
            Self::File => "file",
            Self::Assumed => "assumed",
        }
    }
}

/// Who repeated the call (`2-judge.md` 2.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum RetryOrigin {
    /// Nobody: one call, nothing unexplained.
    None,
    /// A new decision of a model.
    Model,
    /// A new decision of a script.
    Script,
    /// A new decision of the caller.
    Caller,
    /// A repeat by a library.
    Framework,
    /// A repeat below the client.
    Transport,
    /// Not known.
    Unknown,
}

impl RetryOrigin {
    /// The word in machine output; `None` where there was no retry.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Model => Some("MODEL"),
            Self::Script => Some("SCRIPT"),
            Self::Caller => Some("CALLER"),
            Self::Framework => Some("FRAMEWORK"),
            Self::Transport => Some("TRANSPORT"),
            Self::Unknown => Some("UNKNOWN"),
        }
    }
}

/// Judgement of the property at-most-once (`2-judge.md` 2.12).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum AtMostOnce {
    /// More than intended took place.
    Violated,
    /// Cannot be judged.
    NotJudged,
    /// Not more than intended, and no more is possible.
    Held,
}

/// Why nothing could be compared (R01).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum NotCompared {
    /// It could be compared.
    No,
    /// No ledger here records the tool.
    NoLedgerForTool,
    /// The call is older than the ledger's first row.
    OlderThanLedger,
    /// The ledger that records it was not read.
    LedgerNotRead,
    /// No ledger was given at all.
    NoLedger,
}

/// Verdict of one intent, without any text. `Copy`, so a million of them are one flat array.
#[derive(Clone, Copy, Debug)]
pub struct Judgement {
    /// First rule that matched; verdict, label and words follow from it and the cases below.
    pub rule: Rule,
    /// Class after what lifts it.
    pub class: Class,
    /// A finding made a clean verdict undecided, or a hint a violation: its label is `LOOK AT IT`.
    pub lifted: bool,
    /// 1 (worst) to 5.
    pub severity: u8,
    /// State; `None` is NONE.
    pub state: Option<State>,
    /// The state was recorded, not derived.
    pub state_recorded: bool,
    /// Least number of effects that the attempts can explain.
    pub lo: u32,
    /// Most, after the cap for covered listings.
    pub hi: u32,
    /// Most, before the cap for covered listings.
    pub hi_uncapped: u32,
    /// Effects that took place, reversed ones included.
    pub gross: u32,
    /// Live effects.
    pub net: u32,
    /// Rows on their way.
    pub on_its_way: u32,
    /// Effects that came back.
    pub came_back: u32,
    /// Linked rows whose amount or unit cannot be read.
    pub unreadable: u32,
    /// Own expected range.
    pub min: u32,
    /// Own expected range.
    pub max: u32,
    /// Range that counts now (0..0 while failed, unless a file says otherwise).
    pub effective_min: u32,
    /// Range that counts now.
    pub effective_max: u32,
    /// Expected total.
    pub expected: Option<Money>,
    /// Where the expectation comes from.
    pub expected_from: ExpectedFrom,
    /// Unit of `live` and `risk`.
    pub unit: Unit,
    /// Live total in `unit`, where readable.
    pub live: Option<Money>,
    /// Live effects in other units exist.
    pub several_units: bool,
    /// Money at risk; `None` is "no amount known". In `unit` where anything of it is at risk; all units are in
    /// [`super::price::at_risk`].
    pub risk: Option<Money>,
    /// Findings, as bits of [`super::findings`].
    pub found: u64,
    /// Absence (and "nothing more can come") is covered.
    pub covered: bool,
    /// Conditions C0 to C9 that failed, as bits, of the source that came nearest.
    pub uncovered: u16,
    /// From when on a listing can cover; [`Micros::NONE`] where unknown.
    pub covered_from: Micros,
    /// A row or total differs from the expected one.
    pub divergent: bool,
    /// gross minus the nearest end of the effective range.
    pub count_difference: i64,
    /// At-most-once.
    pub at_most_once: AtMostOnce,
    /// Who repeated it.
    pub origin: RetryOrigin,
    /// Why it could not be compared.
    pub not_compared: NotCompared,
    /// Past its deadline.
    pub overdue: bool,
    /// Deadline of a recorded submitted or unknown; [`Micros::NONE`] without.
    pub deadline: Micros,
    /// First send of a write; [`Micros::NONE`] without times.
    pub since: Micros,
    /// Last send or end of a write; [`Micros::NONE`] without times.
    pub last: Micros,
    /// Write attempts that count.
    pub attempts: u32,
    /// Answers that were lost (class unknown).
    pub lost: u32,
    /// Number of its group (lineage chain or account), where it is one row with others.
    pub group: Option<u32>,
    /// More effects may land: max(HI, gross) above what is there, not covered.
    pub late: bool,
    /// Link input: open suggestion, unlinked row of its account, or a row on its way.
    pub link_open: bool,
    /// Next instant at which the clock alone may change the verdict; [`Micros::NONE`]: never.
    pub holds_until: Micros,
}

impl Judgement {
    /// Verdict code, for programs.
    pub fn verdict(&self) -> &'static str {
        self.rule.verdict()
    }

    /// Label, for people (`2-judge.md` 2.7).
    pub fn label(&self) -> &'static str {
        super::severity::label(self)
    }
}
