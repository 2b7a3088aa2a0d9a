//! What is to be read: one source as the command line, the case or its content name it.
//!
//! Keys are those of `[sources.ID]`, `[traces.ID]` and `[tools.NAME]` (`7-commands.md` 8.4, `4-sources.md` 4.10).

use std::path::PathBuf;
use std::sync::Arc;

use crate::model::hush::Hush;
pub use crate::model::ids::Normalise;

/// What a source is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum What {
    /// Attempts.
    Trace,
    /// Effects.
    Ledger,
    /// Expectations (`--expect`).
    Expectations,
    /// Intent records from an application's table.
    Intents,
}

impl What {
    /// The word in machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Ledger => "ledger",
            Self::Expectations => "expectations",
            Self::Intents => "intents",
        }
    }
}

/// Where the bytes are.
#[derive(Clone, Debug)]
pub enum Location {
    /// A file on disk.
    File(PathBuf),
    /// Read once into memory: standard input, a pipe, a compressed file.
    Memory(Arc<[u8]>),
    /// A database server.
    Server(Box<super::address::Server>),
}

/// A source to read.
#[derive(Clone, Debug)]
pub struct SourceSpec {
    /// Id, unique in the case; by default the file name without folder and ending.
    pub id: String,
    /// What it is for.
    pub what: What,
    /// Where it is.
    pub location: Location,
    /// Path or address as the person gave it (raw text).
    pub shown: String,
    /// Format name of `7-commands.md` 7.5.9, where one was given.
    pub format: Option<String>,
    /// Its options.
    pub options: Options,
}

/// A column or field that stands for a field of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// A column or path, with an optional prefix for ids, a zone and a resolution for times.
    From {
        /// Column name or field path.
        column: String,
        /// Type prefix (`order:`).
        prefix: Option<String>,
        /// Zone of times without one.
        zone: Option<String>,
        /// Resolution of times, milliseconds.
        resolution_ms: Option<i64>,
    },
    /// The same value for every row.
    Const(String),
}

/// One comparison of a row filter (`4-sources.md` 4.13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filter {
    /// `COLUMN = VALUE`.
    Equals(String, String),
    /// `COLUMN != VALUE`.
    Differs(String, String),
    /// `COLUMN in (A, B)`.
    In(String, Vec<String>),
    /// `COLUMN is null`.
    IsNull(String),
}

/// How negative amounts are read (`1-model.md` 1.4.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Negative {
    /// As effects of the absolute amount.
    Effect,
    /// As reversals of the absolute amount.
    Reversal,
}

/// Lists of words that replace the built-in groups (`1-model.md` 1.4.4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusWords {
    /// Live effects.
    pub effect: Option<Vec<String>>,
    /// On their way.
    pub on_its_way: Option<Vec<String>>,
    /// Not effects.
    pub not_effect: Option<Vec<String>>,
}

// The booleans are keys of the configuration, each by itself.
#[allow(clippy::struct_excessive_bools)]
/// Options of one source; what is absent has the default of `7-commands.md` 8.4.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Our own book: its last change of a state is the state (`3-lifecycle.md` 3.8).
    pub book: bool,
    /// Table of a database.
    pub table: Option<String>,
    /// One read-only statement.
    pub sql: Option<String>,
    /// Command that prints the password of a server, run without a shell.
    pub password_command: Vec<String>,
    /// Mapping: model field to column, in the order given.
    pub columns: Vec<(String, Column)>,
    /// Currency of amounts without one.
    pub currency: Option<String>,
    /// Zone of times without one.
    pub zone: Option<String>,
    /// Kind of the rows.
    pub kind: Option<String>,
    /// When the export was made, as written.
    pub exported_at: Option<String>,
    /// When the file was read, as written (fixed by a case).
    pub read_at: Option<String>,
    /// Complete from here (`start`, or a time).
    pub covers_from: Option<String>,
    /// Only rows or lines from here.
    pub since: Option<String>,
    /// Only rows or lines up to here.
    pub until: Option<String>,
    /// Row filter that declares the scope.
    pub scope: Vec<Filter>,
    /// The source holds one run only (J0).
    pub scope_run: bool,
    /// Partition that the source holds: field and value.
    pub partition: Vec<(String, String)>,
    /// Here the effect happens.
    pub moves_money: Option<bool>,
    /// Id of the source that it copies.
    pub copy_of: Option<String>,
    /// One of several parts.
    pub part: bool,
    /// Kinds it can contain.
    pub holds: Vec<String>,
    /// `authority`, `replica`, `second_witness`, `write_path`.
    pub role: Option<String>,
    /// False where it can never prove an absence.
    pub can_prove_absence: Option<bool>,
    /// `newest_entry` or `snapshot`.
    pub coverage_rule: Option<String>,
    /// Complete, and nothing is still under way.
    pub final_: bool,
    /// A backup that nobody writes.
    pub frozen: bool,
    /// Known to be live.
    pub live: Option<bool>,
    /// Bound of its clock, milliseconds.
    pub skew_ms: Option<i64>,
    /// Own exponents (`ISK` -> 2).
    pub exponent_override: Vec<(String, u8)>,
    /// How negative amounts are read.
    pub negative_is: Option<Negative>,
    /// Steps that make ids equal.
    pub normalise: Vec<Normalise>,
    /// Declared join (J7): `business_id`, `amount`, `window`.
    pub join: Vec<String>,
    /// Own status words.
    pub status: StatusWords,
    /// Trace: `complete`, `sampled`, `cut`, `unknown`.
    pub completeness: Option<String>,
    /// Trace: every intent must be recorded here.
    pub intents_complete: bool,
    /// Trace: window as declared.
    pub from: Option<String>,
    /// Trace: window as declared.
    pub to: Option<String>,
    /// Whether the format says that pages are missing (C3): the sentence.
    pub incomplete: Option<String>,
}

/// A tool as the case declares it (`[tools.NAME]`).
#[derive(Clone, Debug, Default)]
pub struct ToolSpec {
    /// Name.
    pub name: String,
    /// `write` or `read`.
    pub role: Option<String>,
    /// Source that records its effects.
    pub ledger: Option<String>,
    /// `yes`, `no`, `unknown`.
    pub idempotent: Option<String>,
    /// How long a key is remembered, microseconds.
    pub retention: Option<i64>,
    /// How long the caller waits, microseconds.
    pub timeout: Option<i64>,
    /// How long a request may live on, microseconds.
    pub settle: Option<i64>,
    /// Error words that say that it did not act.
    pub did_not: Vec<String>,
    /// Error words that say that it had already been done.
    pub already_did: Vec<String>,
    /// Error words that say nothing.
    pub cannot_tell: Vec<String>,
    /// Retrying cannot be undone.
    pub irreversible: bool,
}

/// Everything that decides how a case is read and judged; made by `config` and `cli`, used by `load`.
#[derive(Clone, Debug, Default)]
pub struct CaseSpec {
    /// Name of the case; empty without one.
    pub id: String,
    /// Sources in order.
    pub sources: Vec<SourceSpec>,
    /// Declared tools.
    pub tools: Vec<ToolSpec>,
    /// Fixed clock, as written.
    pub now: Option<String>,
    /// Bound of the callers' clocks, milliseconds (default 2000).
    pub client_skew_ms: Option<i64>,
    /// High-value limits: currency and decimal text.
    pub high_value: Vec<(String, String)>,
    /// `--ledger-final`.
    pub ledger_final: bool,
    /// Every effect in the window must have an attempt.
    pub trace_complete: bool,
    /// Steps that make ids equal, for all sources.
    pub normalise: Vec<Normalise>,
    /// Declared join for all ledgers (`--link`).
    pub join: Vec<String>,
    /// Ranking rates: currency and decimal text; only for sorting across currencies.
    pub rank_rates: Vec<(String, String)>,
    /// It comes from a folder with `recount.toml`.
    pub folder: Option<PathBuf>,
    /// Own next steps: verdict, kind, text.
    pub playbook: Vec<(String, String, String)>,
    /// Rows that were tied to an intent, or taken from one, by hand; later ones win.
    pub hand: Vec<Hand>,
    /// Owners, requests and dispositions of the book, sorted by intent id.
    pub standing: Vec<Standing>,
    /// Hazards that somebody made quiet, oldest first.
    pub hushed: Vec<Hush>,
    /// The book is that of this entry, not of now (`--as-of-entry`).
    pub as_of_entry: Option<i64>,
    /// The policy of the file is not the one of the book, and so not in force.
    pub policy_waits: bool,
    /// How far ledgers were read when somebody decided on them.
    pub reached: Vec<Reached>,
}

/// How far a ledger was read (`4-sources.md` 4.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Its id.
    pub source: String,
    /// Highest id or row number.
    pub number: Option<u64>,
    /// Rows.
    pub rows: u64,
    /// Length and digest of the beginning of a text file.
    pub start: Option<(u64, String)>,
}

/// What the book says of an intent beside its state: properties, never states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Intent id.
    pub intent_id: String,
    /// Owner; empty without.
    pub owner: String,
    /// `pending_approval`, `not_delivered`, `break_glass`.
    pub flags: Vec<&'static str>,
    /// The last disposition; empty without.
    pub disposition: String,
    /// What waits or was not done, in words for people.
    pub words: Vec<String>,
    /// The dispositions that stand; once held against the facts, those that were made on them.
    pub closings: Vec<Closing>,
    /// The state that was last decided in the book, and when.
    pub decided: Option<(crate::model::row::State, crate::model::time::Micros)>,
}

/// Flag of an item whose dispositions account for it, on the facts that they were made on (`3-lifecycle.md` 3.13).
pub const CLOSED: &str = "closed";

/// A disposition that stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closing {
    /// Its word.
    pub word: String,
    /// Who.
    pub by: String,
    /// Digest of the facts that it was made on.
    pub fingerprint: String,
    /// Unit and exact decimal, where it accounts for an amount only.
    pub amount: Option<(String, String)>,
}

/// A row that was tied by hand (J6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    /// Id of its source.
    pub source: String,
    /// Its id there.
    pub effect_id: String,
    /// Operation id of the intent; empty where it has none.
    pub operation_id: String,
    /// Intent id.
    pub intent_id: String,
    /// What was done with it.
    pub tie: Tie,
}

/// What was done with a row by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// Tied to the intent.
    Linked,
    /// Taken from it.
    Unlinked,
    /// As a suggestion, answered with no.
    Rejected,
}
