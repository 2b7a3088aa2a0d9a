//! Rows of the triage list, and rows without an attempt.

use crate::judge::judgement::Class;
use crate::model::money::{Money, Totals};
use crate::model::row::{At, State};
use crate::model::time::{Instant, Micros};

/// What a list row stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// One intent, by its number in the case.
    Intent(u32),
    /// A group that is one row (lineage pair, account): its intents.
    Group(Vec<u32>),
    /// Intents that are not compared for one reason (`6-screens.md` 7.1.10).
    NotCompared {
        /// How many.
        intents: Vec<u32>,
        /// The reason, in words.
        reason: String,
    },
    /// Intents that fit by the account of their order, one row per source.
    FitsByOrder {
        /// The intents.
        intents: Vec<u32>,
    },
    /// Rows of one operation id or reference without an attempt, inside or outside the window.
    PossibleDouble(OrphanView),
    /// A row without an attempt.
    Orphan(OrphanView),
    /// More rows without an attempt than are listed.
    OrphansMore {
        /// How many.
        count: u64,
        /// Their totals.
        totals: Totals,
    },
    /// Rows outside the scope.
    Outside {
        /// How many.
        count: u64,
        /// In how many units.
        units: u32,
    },
}

/// Rows without an attempt, grouped by operation id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrphanView {
    /// Index into the sources of the case.
    pub source: usize,
    /// Effect id of the first row.
    pub effect_id: String,
    /// Operation id; empty where there is none.
    pub operation_id: String,
    /// Business id; empty where there is none.
    pub business_id: String,
    /// Kind.
    pub kind: String,
    /// How many rows.
    pub count: u32,
    /// Their totals.
    pub totals: Totals,
    /// First committed.
    pub committed: Instant,
    /// Two or more rows of one operation or reference.
    pub possible_double: bool,
    /// Place of the first row.
    pub place: String,
    /// Where the first row stands, to read it again.
    pub at: Option<At>,
    /// Idempotency key that the first row carries; empty where there is none.
    pub key: String,
    /// Its trace is declared complete: a violation.
    pub violation: bool,
}

/// One row of the triage list, ready for the columns of `6-screens.md` 7.4.2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRow {
    /// What it stands for.
    pub kind: RowKind,
    /// Operation column: `order 1234`, `412 calls`.
    pub operation: String,
    /// Mark (`+1`, `?`), not yet in ASCII.
    pub mark: String,
    /// Words in lists.
    pub words: String,
    /// Label (`DOUBLE`).
    pub label: &'static str,
    /// Verdict code.
    pub verdict: &'static str,
    /// 1 to 5; 6 is apart.
    pub severity: u8,
    /// Class; `None` is a note.
    pub class: Option<Class>,
    /// Covered from, where it cannot be known yet; [`Micros::NONE`] elsewhere.
    pub covered_from: Micros,
    /// State column: the recorded state, `–` where derived.
    pub record: Option<State>,
    /// Intended count, with whether it is assumed.
    pub intended: Option<(u32, bool)>,
    /// Intended total, with whether it is assumed.
    pub intended_total: Option<(Money, bool)>,
    /// Rows in the ledger (live where reversed ones exist); with whether the read does not reach.
    pub in_ledger: Option<(u32, bool)>,
    /// Live total; `Err` where unreadable.
    pub ledger_total: Option<Result<Money, ()>>,
    /// At risk; further units are counted.
    pub at_risk: Option<Money>,
    /// How many further units are at risk.
    pub more_units: u32,
    /// Deadline; [`Micros::NONE`] without one.
    pub deadline: Micros,
    /// Past its deadline.
    pub overdue: bool,
    /// What the book says that stands in the place of the due time: `undelivered`; empty where it says nothing.
    pub stands: &'static str,
    /// First send.
    pub since: Micros,
    /// Reason in place of the columns, for rows that are not compared.
    pub reason: String,
    /// The same in at most 24 cells.
    pub reason_short: String,
    /// Stable name of the row across reads of the same sources: selection and filter are kept by it.
    pub id: String,
    /// Intent id as shown: `int_9876`, `#17` without a record; empty for rows that stand for many.
    pub intent_id: String,
    /// Kind of the operation (`refund`); empty where there is none.
    pub noun: String,
    /// Customer or account; empty where there is none.
    pub party: String,
    /// Code of the rule (`R05`); empty where none was applied.
    pub rule: &'static str,
    /// Counts as divergent.
    pub divergent: bool,
    /// State unknown, recorded or derived.
    pub unknown: bool,
}

impl ListRow {
    /// A row that says nothing yet but what it stands for.
    pub fn blank(kind: RowKind) -> Self {
        Self {
            kind,
            operation: String::new(),
            mark: String::new(),
            words: String::new(),
            label: "",
            verdict: "",
            severity: 6,
            class: None,
            covered_from: Micros::NONE,
            record: None,
            intended: None,
            intended_total: None,
            in_ledger: None,
            ledger_total: None,
            at_risk: None,
            more_units: 0,
            deadline: Micros::NONE,
            overdue: false,
            stands: "",
            since: Micros::NONE,
            reason: String::new(),
            reason_short: String::new(),
            id: String::new(),
            intent_id: String::new(),
            noun: String::new(),
            party: String::new(),
            rule: "",
            divergent: false,
            unknown: false,
        }
    }
}
