//! One intent, one list row, one source, the summary: everything that is shown or printed, with texts.
//!
//! `load` builds these from rows and judgements; `report` and `ui` only read them. Texts are raw: whoever shows
//! them passes them through [`crate::text`].

mod list;
mod sorted;
mod sources;
mod summary;

pub use list::{ListRow, OrphanView, RowKind};
pub use sorted::{Everything, GroupBy, GroupRow, SortBy, Whose};
pub use sources::{Disagreement, OUTSIDE_WINDOW, ProblemView, RESOLVED, RowCounts, SourceView};
pub use summary::{Common, Notice, POLICY_WAITS, ResultWord, Summary, WENT_BACK};

use crate::model::money::{Money, Totals};
use crate::model::outcome::{Class as OutcomeClass, Outcome};
use crate::model::row::{At, Seen, State, Status};
use crate::model::time::{Instant, Micros};

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
    /// When it was recorded first, and the place of that record; [`Micros::NONE`] where nobody says.
    pub recorded_at: (Micros, String),
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
    /// What the book says beside the state.
    pub standing: Box<Standing>,
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

/// What the book says of an intent beside its state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Owner; empty without.
    pub owner: String,
    /// `pending_approval`, `not_delivered`, `break_glass`.
    pub flags: Vec<&'static str>,
    /// The last disposition; empty without.
    pub disposition: String,
    /// The words of the dispositions that close it; empty where none does, or its facts changed since.
    pub closed_as: Vec<String>,
    /// What waits or was not done, in words.
    pub words: Vec<String>,
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
    /// It ended twice and was told different things (`OUTCOME_CONFLICT`): its outcome is not known.
    pub conflict: bool,
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
    /// An answer existed and did not reach the caller.
    pub unseen: bool,
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
