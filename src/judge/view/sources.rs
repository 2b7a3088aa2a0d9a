//! Sources with their control totals, and problems.

use crate::judge::coverage::{FROM_THE_START, Reach};
use crate::model::money::Totals;
use crate::model::time::Micros;
use crate::model::units::Unit;

/// A source with its position and control totals (`4-sources.md` 4.16).
#[derive(Clone, Debug)]
pub struct SourceView {
    /// Id.
    pub id: String,
    /// `trace`, `ledger` or `expectations`.
    pub what: &'static str,
    /// Format name of `7-commands.md` 7.5.9.
    pub format: String,
    /// Path or address as shown.
    pub path: String,
    /// `moves_money`, `copy`, `part`; empty for traces.
    pub meaning: &'static str,
    /// The meaning was assumed.
    pub meaning_assumed: bool,
    /// Id of the source it copies.
    pub copy_of: Option<String>,
    /// Kinds it can contain.
    pub holds: Vec<String>,
    /// The part of the effects that it holds, where it is declared to hold one: `region us`.
    pub part: String,
    /// Role.
    pub role: &'static str,
    /// When it was read, or what stands for it.
    pub read_at: Option<Micros>,
    /// The newest row stands for the time of the export.
    pub read_at_is_newest: bool,
    /// Read position as printed (`rowid 48211`, `row 48211`).
    pub position: String,
    /// Oldest row time.
    pub oldest: Option<Micros>,
    /// Newest row time.
    pub newest: Option<Micros>,
    /// The listing is complete from here.
    pub covers_from: Option<Micros>,
    /// Final by declaration.
    pub final_by_declaration: bool,
    /// A live database.
    pub live: bool,
    /// Rows or lines by what became of them.
    pub rows: RowCounts,
    /// Totals over the rows as the source gives them.
    pub totals: Totals,
    /// Rows without a readable amount.
    pub no_amount: u64,
    /// Rows with an amount, per unit.
    pub by_unit: Vec<(Unit, u64)>,
    /// How it was queried, where it is a database.
    pub query: Option<String>,
    /// One line of SQL that confirms the totals, where it is a database.
    pub confirm: Option<String>,
    /// SHA-256 of a text source, where it was taken.
    pub digest: Option<String>,
    /// How fields were found.
    pub mapping: String,
    /// Sentences that say what is assumed or special here.
    pub notes: Vec<String>,
    /// Tools it records.
    pub tools: Vec<String>,
    /// Window of a trace.
    pub window: Option<(Micros, Micros)>,
    /// What an absence in it can prove; `None` where it is no ledger.
    pub reach: Option<Reach>,
    /// It could not be read: cause and next step.
    pub error: Option<String>,
}

impl SourceView {
    /// From where on the listing is complete, as `show` writes times; `its start` where it was never pruned.
    pub fn complete_from(&self, show: impl Fn(Micros) -> String) -> Option<String> {
        self.covers_from.map(|from| if from == FROM_THE_START { "its start".to_owned() } else { show(from) })
    }
}

/// How the note begins that names the file behind a link: it is of this machine, not of the case.
pub const RESOLVED: &str = "resolved to ";

/// Where a source and its copy disagree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Disagreement {
    /// Operations with a row that stands in one of them only, or differs.
    pub operations: u64,
    /// Rows that stand in one source only: its index among the sources, and their names; not all where they are many.
    pub only_in: Vec<(usize, String)>,
}

/// Counts that add up to `read` (`4-sources.md` 4.16).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// Records read.
    pub read: u64,
    /// Belong to an intent (ledger), or used (trace).
    pub used: u64,
    /// Outside the scope.
    pub outside: u64,
    /// In scope, without an attempt.
    pub unattributed: u64,
    /// Not effects, by rule.
    pub set_aside: Vec<(String, u64)>,
    /// Known, and not used.
    pub skipped: u64,
    /// Could not be read.
    pub unreadable: u64,
}

/// The rule of [`RowCounts::set_aside`] by which records of another time are left out.
pub const OUTSIDE_WINDOW: &str = "outside --since and --until";

impl RowCounts {
    /// Records that `--since` and `--until` leave out.
    pub fn outside_window(&self) -> u64 {
        self.set_aside.iter().filter(|(rule, _)| rule == OUTSIDE_WINDOW).map(|(_, records)| records).sum()
    }
}

/// A problem with its place.
#[derive(Clone, Debug)]
pub struct ProblemView {
    /// Stable code.
    pub code: &'static str,
    /// Source id.
    pub source: String,
    /// Place: `payments.db refunds rowid 48190`.
    pub at: String,
    /// Line number, where the source has lines.
    pub line: Option<u64>,
    /// What is wrong.
    pub what: String,
    /// Bytes of the record.
    pub bytes: u64,
    /// It counts against a clean result.
    pub affects_result: bool,
    /// The beginning of the raw record, at most 4 KiB.
    pub raw: String,
}
