//! Result and figures of a whole check.

use crate::model::money::Totals;
use crate::model::time::Micros;

/// Result of a whole check (`2-judge.md` 2.12).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultWord {
    /// Exit 1.
    ViolationFound,
    /// Exit 3.
    Inconclusive,
    /// Exit 0.
    NoViolationObserved,
    /// Exit 4.
    InputError,
}

impl ResultWord {
    /// The words.
    pub fn words(self) -> &'static str {
        match self {
            Self::ViolationFound => "VIOLATION FOUND",
            Self::Inconclusive => "INCONCLUSIVE",
            Self::NoViolationObserved => "NO VIOLATION OBSERVED",
            Self::InputError => "INPUT ERROR",
        }
    }

    /// Exit code (`7-commands.md` 7.5.5).
    pub fn exit(self) -> u8 {
        match self {
            Self::ViolationFound => 1,
            Self::Inconclusive => 3,
            Self::NoViolationObserved => 0,
            Self::InputError => 4,
        }
    }
}

/// What holds against everything that is shown of a case, in every output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// Its code.
    pub code: &'static str,
    /// One sentence, without its end. Raw.
    pub what: String,
}

/// Code of a source that was read less far than before.
pub const WENT_BACK: &str = "POSITION_WENT_BACK";

/// Code of a policy of the file that is not the one in force.
pub const POLICY_WAITS: &str = "POLICY_NOT_IN_FORCE";

/// The summary of a case (`7-commands.md` 7.5.6, 7.5.7). Rows count groups once, money too.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Result under the property that was asked for.
    pub result: ResultWord,
    /// `settled` or `at-most-once`.
    pub property: &'static str,
    /// The clock.
    pub now: Micros,
    /// The clock is fixed.
    pub clock_fixed: bool,
    /// The book is that of this entry, not of now.
    pub as_of_entry: Option<i64>,
    /// What holds against all of it.
    pub notices: Vec<Notice>,
    /// Final by declaration.
    pub final_by_declaration: bool,
    /// Intents.
    pub intents: u64,
    /// Write attempts.
    pub attempts: u64,
    /// Effects of sources that are not copies, linked or not, once each.
    pub effects: u64,
    /// Rows of the list.
    pub rows: u64,
    /// Rows by class.
    pub violations: u64,
    /// Rows by class.
    pub undecided: u64,
    /// Rows by class.
    pub open: u64,
    /// Rows by class.
    pub clean: u64,
    /// Divergent intents.
    pub divergent: u64,
    /// Unattributed ledger rows.
    pub orphans: u64,
    /// Rows outside; `None` where a narrow query did not count them.
    pub outside: Option<u64>,
    /// Units of the rows outside.
    pub outside_totals: Totals,
    /// Money of the unattributed rows.
    pub orphan_totals: Totals,
    /// Clean intents with a lost answer whose effect is there once.
    pub answers_lost: u64,
    /// Overdue intents.
    pub overdue: u64,
    /// Intents that are closed: their dispositions account for them.
    pub closed: u64,
    /// Unreadable trace lines.
    pub unreadable_trace: u64,
    /// Unreadable ledger rows.
    pub unreadable_ledger: u64,
    /// Skipped trace lines.
    pub skipped_trace: u64,
    /// Skipped ledger rows.
    pub skipped_ledger: u64,
    /// At risk of violations.
    pub at_risk: Totals,
    /// At risk of undecided ones.
    pub undecided_at_risk: Totals,
    /// Live above the own expected range and total.
    pub out_too_much: Totals,
    /// Suspected rows that are there.
    pub probably_too_much: Totals,
    /// On its way, and what may still land.
    pub may_still_go_out: Totals,
    /// Missing, below the expected with the absence covered, came back.
    pub owed: Totals,
    /// Intents per verdict code.
    pub by_verdict: Vec<(&'static str, u64)>,
    /// Rows and money per label, in the order of severity.
    pub by_label: Vec<(&'static str, u64, Totals)>,
    /// Orders of the violations.
    pub orders: u64,
    /// Parties of the violations.
    pub parties: u64,
    /// First and last of the violations.
    pub first: Micros,
    /// First and last of the violations.
    pub last: Micros,
    /// Age of the oldest unknown, from its first send.
    pub oldest_unknown: Micros,
    /// What 80 % or more of the violations share.
    pub common: Option<Common>,
    /// Intents not compared, by reason: code, intents, sentence.
    pub not_compared: Vec<(&'static str, u64, String)>,
    /// Window of what was tried.
    pub from: Micros,
    /// Window of what was tried.
    pub to: Micros,
    /// Kinds seen.
    pub kinds: Vec<String>,
    /// Tools seen.
    pub tools: Vec<String>,
    /// Every effect must have an attempt.
    pub trace_complete: bool,
    /// Row filters.
    pub filters: Vec<String>,
    /// `stopped at the first violation` after this many intents.
    pub stopped_after: Option<u64>,
    /// An intent log is loaded.
    pub has_intent_log: bool,
    /// An assumed currency, `USD`.
    pub currency_assumed: Option<String>,
}

/// The largest common factor of the violations (`2-judge.md` 2.12).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Common {
    /// Share in percent, rounded down.
    pub share: u32,
    /// What is shared: `tool`, `run`, `agent`, `hour`.
    pub what: &'static str,
    /// Its value.
    pub value: String,
    /// Retry origin that covers as much, where one does.
    pub retry_origin: Option<&'static str>,
    /// Newest violation.
    pub last: Micros,
}
