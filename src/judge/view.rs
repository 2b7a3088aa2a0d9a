//! One intent, one list row, one source, the summary: everything that is shown or printed, with texts.
//!
//! `load` builds these from rows and judgements; `report` and `ui` only read them. Texts are raw: whoever shows
//! them passes them through [`crate::text`].

use crate::model::money::{Money, Totals};
use crate::model::outcome::{Class as OutcomeClass, Outcome};
use crate::model::row::{At, Seen, State, Status};
use crate::model::time::{Instant, Micros};
use crate::model::units::Unit;

use super::coverage::FROM_THE_START;
use super::facts::{Idempotent, Lineage};
use super::judgement::Judgement;

/// One intent whole (`recount show`, the detail screen, `recount.intent.v1`).
#[derive(Clone, Debug)]
pub struct IntentView {
    /// Stable short handle within a load (`#17`).
    pub handle: u32,
    /// Intent id: from its record, else the operation id, else the group's name.
    pub intent_id: String,
    /// It has a record (an intent log or a file speaks of it).
    pub recorded: bool,
    /// Operation id; empty where there is none.
    pub operation_id: String,
    /// Kind.
    pub kind: String,
    /// Business id with its type prefix; empty where there is none.
    pub business_id: String,
    /// Customer or account; empty where there is none.
    pub party: String,
    /// Idempotency key of the first attempt or the record; empty where there is none.
    pub key: String,
    /// Who made the key: `app`, `model`, `library`; empty or `unknown` where nobody says.
    pub key_origin: String,
    /// The key was made before the first attempt was sent; `None` where that is not known.
    pub key_before_first: Option<bool>,
    /// Tool of the write attempts.
    pub tool: String,
    /// Whether that tool deduplicates by key.
    pub idempotent: Idempotent,
    /// How long it remembers a key, microseconds, where that is known.
    pub retention: Option<i64>,
    /// Agent, where named.
    pub agent: String,
    /// What the judge said.
    pub judgement: Judgement,
    /// Live totals per unit, the expected unit always in it.
    pub totals: Totals,
    /// Observed minus expected, per unit.
    pub difference: Totals,
    /// Money at risk, per unit.
    pub at_risk: Vec<Money>,
    /// Per source: what it holds.
    pub by_source: Vec<BySource>,
    /// Calls in order.
    pub attempts: Vec<AttemptView>,
    /// Rows in order, copies included, reversals included.
    pub effects: Vec<EffectView>,
    /// Rows that may be this intent's and are not linked (suggestions, account).
    pub open_rows: Vec<EffectView>,
    /// Read-backs.
    pub reads: Vec<ReadBackView>,
    /// Recorded changes of state.
    pub states: Vec<StateView>,
    /// Numbers that belong to findings, by code: `MORE_MAY_LAND` -> "1", `AMOUNT_CHANGED` -> "10.00 -> 21.00".
    pub finding_detail: Vec<(&'static str, String)>,
    /// The source whose coverage decided, as an index into the sources of the case.
    pub deciding_source: Option<usize>,
    /// Conditions that failed, with their numbers in words (`6-screens.md` 7.4.6, coverage).
    pub uncovered: Vec<(&'static str, String)>,
    /// Sum of the account, where it is one.
    pub account: Option<AccountView>,
    /// Intent id of the parent, and the relation.
    pub parent: Option<(String, &'static str)>,
    /// Its chain of replacements, where it has one.
    pub lineage: Option<Lineage>,
    /// Business ids or intent ids of the other members of its group.
    pub group_members: Vec<String>,
    /// Near-identical ids found.
    pub near_ids: Vec<String>,
    /// An attribute that differs: field, expected, read.
    pub attribute: Option<(String, String, String)>,
    /// The only currency of the other side was assumed.
    pub currency_assumed: bool,
    /// Time settings used: timeout and settle of the tool, sum of the skews, microseconds.
    pub timeout: i64,
    /// Settle, microseconds.
    pub settle: i64,
    /// Both clocks' bounds together, microseconds.
    pub eps: i64,
}

/// What one source holds of an intent.
#[derive(Clone, Debug)]
pub struct BySource {
    /// Index into the sources of the case.
    pub source: usize,
    /// Effects, reversed ones included.
    pub count: u32,
    /// Live totals.
    pub totals: Totals,
    /// It is a copy: never adds.
    pub copy: bool,
}

/// One attempt.
#[derive(Clone, Debug)]
pub struct AttemptView {
    /// 1-based number among the attempts of its intent.
    pub number: u32,
    /// Attempt id, else `file:line`.
    pub id: String,
    /// Tool.
    pub tool: String,
    /// Only reads.
    pub read: bool,
    /// It counts in bounds (a write of a tool that a loaded source records).
    pub counts: bool,
    /// When sent.
    pub sent: Instant,
    /// When ended.
    pub ended: Instant,
    /// What the caller was told.
    pub outcome: Outcome,
    /// The outcome word as written.
    pub outcome_word: String,
    /// Class.
    pub class: OutcomeClass,
    /// Key; empty where none.
    pub key: String,
    /// Decision id; empty where none.
    pub decision: String,
    /// Run id; empty where none.
    pub run: String,
    /// Amount of the call.
    pub amount: Option<Money>,
    /// Receipt that the answer named; empty where none.
    pub receipt: String,
    /// The ledger holds what the receipt names.
    pub receipt_found: bool,
    /// Error or answer text as written: shown only.
    pub text: String,
    /// Place, ready to show: `trace.jsonl lines 14 and 15`.
    pub place: String,
    /// Until when it may still act, for unsettled ones.
    pub may_land_until: Micros,
    /// Where its record stands, to read it again; `None` where it has no place of its own.
    pub at: Option<At>,
}

/// How an attempt and a row are tied for drawing (`1-model.md` 1.5, last paragraph).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tied {
    /// Its answer named the row.
    ByReceipt(u32),
    /// It alone was open when the row was committed.
    ByTime(u32),
    /// A declared link, which attempt by time or order.
    ByOrder(u32),
    /// Tied to the intent only.
    WhichCall,
    /// Not linked: a suggestion.
    Maybe(u32),
    /// No attempt at all.
    Nobody,
}

/// One ledger row.
#[derive(Clone, Debug)]
pub struct EffectView {
    /// Effect id; empty where the row has none.
    pub id: String,
    /// Name to show: the id, else `row 88120`.
    pub name: String,
    /// Index into the sources of the case.
    pub source: usize,
    /// Its source is a copy.
    pub copy: bool,
    /// When committed.
    pub committed: Instant,
    /// Amount; `None` where there is none or it cannot be read.
    pub amount: Option<Money>,
    /// The amount as written, where it cannot be read.
    pub unreadable: Option<String>,
    /// State.
    pub status: Status,
    /// A reversal.
    pub reversal: bool,
    /// Effect id that it reverses.
    pub reverses: String,
    /// Fully reversed by later rows.
    pub reversed: bool,
    /// Operation id that the row carries.
    pub operation_id: String,
    /// Key that the row carries.
    pub key: String,
    /// Business id.
    pub business_id: String,
    /// External reference.
    pub external_ref: String,
    /// Kind word.
    pub kind: String,
    /// Rules that link it (`J1`, `J3`).
    pub link: Vec<&'static str>,
    /// In how many sources this effect stands.
    pub in_sources: u32,
    /// Ordinal of the effect: equal for one effect in several sources.
    pub ident: u32,
    /// Which attempt made it, as far as is known.
    pub tied: Tied,
    /// An answer named it.
    pub acknowledged: bool,
    /// Place, ready to show: `payments.db, table refunds, row 48203`.
    pub place: String,
    /// Where its record stands, to read it again.
    pub at: Option<At>,
}

/// A read-back.
#[derive(Clone, Debug)]
pub struct ReadBackView {
    /// When.
    pub when: Micros,
    /// Source that was read.
    pub source: String,
    /// Result.
    pub seen: Seen,
    /// Field, expected, read: for `differs`.
    pub differs: Option<(String, String, String)>,
    /// Position as given.
    pub position: String,
    /// Place.
    pub place: String,
}

/// A recorded change of state.
#[derive(Clone, Debug)]
pub struct StateView {
    /// When.
    pub when: Micros,
    /// From.
    pub from: Option<State>,
    /// To.
    pub to: State,
    /// Actor as written.
    pub actor: String,
    /// Place.
    pub place: String,
}

/// The account of an order.
#[derive(Clone, Debug)]
pub struct AccountView {
    /// Business id of the account.
    pub business_id: String,
    /// Requests wanted.
    pub wanted: u32,
    /// Calls tried.
    pub tried: u32,
    /// Rows found.
    pub found: u32,
    /// Money wanted.
    pub money_wanted: Option<Money>,
    /// Money of the calls.
    pub money_tried: Option<Money>,
    /// Money found.
    pub money_found: Option<Money>,
}

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
    pub class: Option<super::judgement::Class>,
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
    /// It could not be read: cause and next step.
    pub error: Option<String>,
}

impl SourceView {
    /// From where on the listing is complete, as `show` writes times; `its start` where it was never pruned.
    pub fn complete_from(&self, show: impl Fn(Micros) -> String) -> Option<String> {
        self.covers_from.map(|from| if from == FROM_THE_START { "its start".to_owned() } else { show(from) })
    }
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
