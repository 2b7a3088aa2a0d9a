//! What the judge is given: the rows of one intent side by side, and what holds for all intents.
//!
//! Equality is settled before judging: names, keys, payloads and effect ids are ordinals here, so the judge has
//! no text, no hash, no file and no clock (`engine.md` 1).

use crate::model::money::Money;
use crate::model::row::{Attempt, Effect, Record, Seen, Shared, SourceNo, StateChange};
use crate::model::time::Micros;
use crate::model::units::Unit;

/// One intent.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// What the trace or the book recorded as intended.
    pub record: Option<&'a Record>,
    /// What a file of expectations says; wins over the record.
    pub file: Option<&'a Record>,
    /// Totals that also count as right (`accept`).
    pub accept: &'a [Money],
    /// Recorded changes of state, oldest first.
    pub states: &'a [StateChange],
    /// Attempts in order of (sent, place), reads included.
    pub tries: &'a [Try<'a>],
    /// Linked ledger rows in order of (committed, place), one per effect and source.
    pub rows: &'a [Row<'a>],
    /// Read-backs, oldest first.
    pub reads: &'a [Read],
    /// What was found out beyond the intent's own rows.
    pub ties: Ties,
}

/// An attempt with its ordinals.
#[derive(Clone, Copy, Debug)]
pub struct Try<'a> {
    /// The row, where it was read.
    pub row: &'a Attempt,
    /// Ordinal of its key within the intent; 0 is no key.
    pub key: u32,
    /// Ordinal of its payload (canonical) within the intent; 0 is "none or no canonical form".
    pub payload: u32,
    /// What became of the receipt it names.
    pub receipt: Receipt,
}

/// Whether a ledger holds what an answer named (`1-model.md` 1.4.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Receipt {
    /// The answer named none.
    None,
    /// It is this row of [`Facts::rows`].
    Row(u32),
    /// It is in no loaded ledger.
    NotFound,
}

/// A linked ledger row with its ordinals.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The row, where it was read.
    pub row: &'a Effect,
    /// [`link`] bits of the rules that agree.
    pub links: u16,
    /// Ordinal of the effect: equal for one effect in several sources (`1-model.md` 1.5).
    pub ident: u32,
    /// Ordinal of its external reference; 0 is none.
    pub external: u32,
    /// The row it reverses, as an index into [`Facts::rows`].
    pub reverses: Option<u32>,
}

/// Rules of joining (`1-model.md` 1.5), as bits.
pub mod link {
    /// J0: the source holds one run only.
    pub const SCOPE: u16 = 1;
    /// J1: equal operation id.
    pub const OPERATION: u16 = 1 << 1;
    /// J2: equal key.
    pub const KEY: u16 = 1 << 2;
    /// J3: an answer named the row.
    pub const RECEIPT: u16 = 1 << 3;
    /// J3b: an id learnt from a row that an answer named.
    pub const LEARNT: u16 = 1 << 4;
    /// J4: equal derived key.
    pub const DERIVED: u16 = 1 << 5;
    /// J6: by hand.
    pub const HAND: u16 = 1 << 6;
    /// J7: declared join.
    pub const DECLARED: u16 = 1 << 7;
    /// One effect with a row that is linked.
    pub const SAME_EFFECT: u16 = 1 << 8;
    /// A reversal that names an effect.
    pub const REVERSES: u16 = 1 << 9;

    /// Names for machine output, in bit order.
    pub const NAMES: [(u16, &str); 10] = [
        (SCOPE, "J0"),
        (OPERATION, "J1"),
        (KEY, "J2"),
        (RECEIPT, "J3"),
        (LEARNT, "J3b"),
        (DERIVED, "J4"),
        (HAND, "J6"),
        (DECLARED, "J7"),
        (SAME_EFFECT, "same effect"),
        (REVERSES, "reverses"),
    ];
}

/// A read-back as the judge needs it.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// When the read began.
    pub when: Micros,
    /// What it found.
    pub seen: Seen,
    /// Not through the write path, not replayed.
    pub independent: bool,
}

/// What was found out beyond the intent's own rows (`engine.md` 6).
#[derive(Clone, Copy, Debug, Default)]
pub struct Ties {
    /// A row is claimed by two intents and no duplicate is proven without it.
    pub contested: bool,
    /// Ledger rows that may be this intent's and cannot be read (C4).
    pub unreadable: u16,
    /// Open suggestions (J5).
    pub suggestions: u16,
    /// The account of its order, where one had to be drawn up.
    pub account: Option<Account>,
    /// Its chain of replacements.
    pub lineage: Option<Lineage>,
    /// Another id is equal after folding (`NEAR_IDENTICAL_ID`).
    pub near_identical: bool,
    /// Two intents of one account and amount, neither with an operation id: this or the other was sent after the
    /// other lost its answer, and both have a live effect (2.5, susp).
    pub two_keys: bool,
    /// The group rests on equal arguments (`1-model.md` 1.4.10).
    pub assumed_group: bool,
    /// No operation id, key or arguments, or a complete intent log lacks it: state NONE.
    pub unrecorded: bool,
    /// An expected attribute differs.
    pub attr_differs: bool,
    /// The state is that of the book, whatever other sources say (`3-lifecycle.md` 3.8).
    pub booked: bool,
    /// A row or a later state contradicts a resolution in the book.
    pub disputed: bool,
    /// Record and file of expectations differ.
    pub expectation_differs: bool,
    /// A copy has other numbers than the source it copies.
    pub sources_disagree: bool,
    /// A reversal of its order names no effect that is known (`ORPHAN_REVERSAL`).
    pub orphan_reversal: bool,
    /// Its kind as [`Source::holds`] names kinds; [`Shared::NONE`] where nothing compares it (C9).
    pub kind: Shared,
}

/// The account per order (`1-model.md` 1.5), as this intent sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    /// Number of the account among all; members share it.
    pub number: u32,
    /// Requests wanted: sum of the effective `count_max` of its intents.
    pub wanted: u32,
    /// Rows found: live, on their way, and unlinked rows that could be theirs.
    pub found: u32,
    /// Of them not linked.
    pub unlinked: u32,
    /// Money wanted, where known.
    pub money_wanted: Option<Money>,
    /// Money found, where readable and of one unit.
    pub money_found: Option<Money>,
}

/// A chain of replacements (R08).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lineage {
    /// Number of the chain among all; members share it.
    pub number: u32,
    /// Members with a live effect.
    pub live_members: u16,
    /// Live total of the chain, where of one unit and readable.
    pub live_total: Option<Money>,
    /// Expected total of the newest member.
    pub newest_expected: Option<Money>,
}

/// What holds for all intents of a case.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The clock.
    pub now: Micros,
    /// Skew of the callers' clocks, microseconds.
    pub client_skew: i64,
    /// Ledger and other sources by [`SourceNo`]; traces have an entry too, so numbers match.
    pub sources: Vec<Source>,
    /// Tools by [`Shared`]; entry 0 is "no tool".
    pub tools: Vec<Tool>,
    /// Some ledger was read.
    pub any_ledger: bool,
    /// `--ledger-final`.
    pub final_by_declaration: bool,
    /// Every effect in the window must have an attempt.
    pub trace_complete: bool,
    /// A loaded intent log is declared complete.
    pub intents_complete: bool,
    /// Configured high-value limits per unit, minor units in the unit's scale.
    pub high_value: Vec<Money>,
    /// Runs by [`Shared`]: whether a model is named, and whether the run is scripted.
    pub runs: Vec<RunKind>,
    /// Amount tolerance, minor units; 0 unless the case sets one.
    pub tolerance: i64,
}

/// What is known of who drives a run (`2-judge.md` 2.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RunKind {
    /// Nothing.
    #[default]
    Unknown,
    /// A model is named.
    Model,
    /// Declared as scripted.
    Script,
}

/// One tool as declared or found (`2-judge.md` 2.3, `4-sources.md` 4.12).
#[derive(Clone, Debug)]
pub struct Tool {
    /// Only reads.
    pub read: bool,
    /// `yes`, `no`, `unknown`.
    pub idempotent: Idempotent,
    /// How long a key is remembered, microseconds.
    pub retention: Option<i64>,
    /// How long the caller waits, microseconds.
    pub timeout: i64,
    /// How long a request may live on after the caller gave up, microseconds.
    pub settle: i64,
    /// Ledgers that record its effects; empty: recorded elsewhere.
    pub recorded_by: Vec<SourceNo>,
}

/// Whether a tool deduplicates by key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Idempotent {
    /// Declared unsafe.
    No,
    /// Declared idempotent.
    Yes,
    /// Not declared.
    Unknown,
}

/// One source as coverage needs it (`4-sources.md` 4.2, 4.3, 4.11).
#[derive(Clone, Debug)]
pub struct Source {
    /// What a row in it means.
    pub meaning: Meaning,
    /// Files that are one source share this number (`4-sources.md` 4.11).
    pub logical: u16,
    /// Its rows count into gross: moves money, part, or a copy whose original is not loaded.
    pub counts: bool,
    /// How it is read.
    pub role: Role,
    /// False where it can never prove an absence.
    pub can_prove_absence: bool,
    /// The snapshot rule is declared for it.
    pub snapshot_rule: bool,
    /// When the read began, an export was made, or what stands for it; `None` where nothing does.
    pub read_at: Option<Micros>,
    /// The newest row stands for the export time.
    pub read_at_is_newest: bool,
    /// Begin of the newest readable row time (time without its resolution), not in the future.
    pub newest: Option<Micros>,
    /// The listing begins here; `Some(Micros(i64::MIN + 1))` for "from the start".
    pub from: Option<Micros>,
    /// Replica: how far it had replayed.
    pub replayed: Option<Micros>,
    /// Taken as complete; false with a reason elsewhere (C3).
    pub complete: bool,
    /// Times between the files of one source that none of them covers: perhaps a file is missing (C3).
    pub gaps: Vec<(Micros, Micros)>,
    /// The position went back and nobody took note (C7).
    pub went_back: bool,
    /// Kinds it can contain, sorted; empty: all.
    pub holds: Vec<Shared>,
    /// Partition value it holds; [`Shared::NONE`]: not split.
    pub part: Shared,
    /// Skew of its clock, microseconds.
    pub skew: i64,
    /// It has rows at all.
    pub has_rows: bool,
    /// It could be read.
    pub readable: bool,
    /// Its rows look like minor units (`1-model.md` 1.2, factor hint).
    pub factor_hint: bool,
    /// Rows of it of which nothing can be read, or that carry no id at all: each may be anybody's (C4).
    pub damaged: u32,
}

/// What a row of a source means (`4-sources.md` 4.11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// Here the effect happens.
    MovesMoney,
    /// Somebody wrote down that it happened in this source (absent where that is not loaded).
    CopyOf(Option<SourceNo>),
    /// One of several places that together hold the effects.
    Part,
    /// Not a ledger: a trace, or expectations.
    NotALedger,
}

/// How a source is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The authority itself.
    Authority,
    /// A replica.
    Replica,
    /// A second witness: presence only.
    SecondWitness,
    /// The path that also writes: never evidence.
    WritePath,
}

impl Setting {
    /// The source of a row.
    pub fn source(&self, no: SourceNo) -> Option<&Source> {
        self.sources.get(usize::from(no.0))
    }

    /// A tool.
    pub fn tool(&self, tool: Shared) -> Option<&Tool> {
        self.tools.get(tool.place())
    }

    /// Configured high-value limit of a unit.
    pub fn high_value_of(&self, unit: Unit) -> Option<Money> {
        self.high_value.iter().copied().find(|m| m.unit == unit)
    }
}
