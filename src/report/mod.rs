//! What is printed: text, JSON, JSON lines, CSV, Markdown (`7-commands.md` 7.5.6, 7.5.7).
//!
//! One gathered [`Report`] serves all of them. Intents are asked for one by one and written as they come, so a
//! million of them are never in memory as text. Nothing here decides: words and verdicts come from the judge.
//! Everything that was read from a file passes [`Mask`] and [`crate::text`] on its way out; only [`out`] prints.

pub mod affected;
pub mod audit;
pub mod changed;
pub mod csv;
pub mod export;
pub mod figures;
pub mod file;
pub mod handover;
pub mod hazards;
pub mod json;
pub mod jsonl;
pub mod junit;
pub mod mark;
pub mod markdown;
pub mod mask;
pub mod out;
pub mod pen;
pub mod review;
pub mod settled;
pub mod sniffed;
pub mod text;
pub mod told;

#[cfg(test)]
pub mod sample;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use crate::judge::judgement::{Class, Judgement};
use crate::judge::view::{IntentView, ListRow, OrphanView, ProblemView, RowKind, SourceView, Summary};
use crate::load::{GroupView, RunFacts};
use crate::model::units::Units;
use crate::sources::spec::CLOSED;

pub use mask::Mask;
pub use told::Teller;

/// Where intents and rows come from: a loaded case, or a table of a test.
pub trait Intents {
    /// Numbers of all intents in the order of the list.
    fn ordered(&self) -> Vec<u32>;

    /// One intent with its texts.
    fn view(&self, no: u32) -> Option<IntentView>;

    /// How many of them, from the front, are not both clean and without a difference.
    fn loud(&self) -> usize;

    /// Number of rows of the list.
    fn rows(&self) -> usize;

    /// Which of the rows are clean and without a difference: they stand together.
    fn quiet_rows(&self) -> Range<usize>;

    /// One row of the list.
    fn row(&self, at: usize) -> ListRow;

    /// Class and difference of a row, where they are known without its texts.
    fn standing(&self, at: usize) -> Option<(Class, bool)>;

    /// Every intent of a row is closed.
    fn closed(&self, _: usize) -> bool {
        false
    }

    /// What is said of the runs of an intent; a table of a test says nothing.
    fn run_facts(&self, _: &IntentView) -> Vec<RunFacts> {
        Vec::new()
    }
}

impl Intents for crate::load::Case {
    fn ordered(&self) -> Vec<u32> {
        Self::ordered(self).into_iter().map(|op| op.0).collect()
    }

    fn view(&self, no: u32) -> Option<IntentView> {
        let op = crate::load::Op(no);
        Self::view(self, op).map(|view| IntentView { handle: self.handle(op), ..view })
    }

    fn loud(&self) -> usize {
        self.loud.len()
    }

    fn rows(&self) -> usize {
        Self::rows(self)
    }

    fn quiet_rows(&self) -> Range<usize> {
        let loud = self.list().loud.len();
        loud..loud + self.quiet.len()
    }

    fn row(&self, at: usize) -> ListRow {
        Self::row(self, at)
    }

    fn standing(&self, at: usize) -> Option<(Class, bool)> {
        Self::standing(self, at)
    }

    fn closed(&self, at: usize) -> bool {
        self.is_closed(at)
    }

    fn run_facts(&self, view: &IntentView) -> Vec<RunFacts> {
        Self::run_facts(self, view)
    }
}

/// Which rows are wanted (`--only`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Only {
    /// What a person has to look at: divergent, violations and undecided ones. The default of text.
    Loud,
    /// The same with what was closed since: what a review and a list of people are about.
    LoudOrClosed,
    /// Divergent.
    Divergent,
    /// Violations.
    Violation,
    /// Undecided.
    Undecided,
    /// Rows without an attempt.
    Note,
    /// All. The default of machine output.
    All,
}

impl Only {
    /// The words of `--only`; [`Only::Loud`] and [`Only::LoudOrClosed`] have none.
    pub const WORDS: [(&'static str, Self); 5] = [
        ("divergent", Self::Divergent),
        ("violation", Self::Violation),
        ("undecided", Self::Undecided),
        ("note", Self::Note),
        ("all", Self::All),
    ];

    /// Whether an intent is wanted.
    pub fn wants(self, judgement: &Judgement) -> bool {
        self.wants_class(Some(judgement.class), judgement.divergent)
    }

    /// Whether a row is wanted; a row without a class is a note.
    pub fn wants_row(self, row: &ListRow) -> bool {
        self.wants_class(row.class, row.divergent)
    }

    /// Whether rows without an attempt are wanted.
    pub fn wants_notes(self) -> bool {
        matches!(self, Self::Note | Self::All)
    }

    /// Whether a row without an attempt is wanted; where its trace is complete it is a violation.
    pub fn wants_orphan(self, violation: bool) -> bool {
        self.wants_class(violation.then_some(Class::Violation), violation)
    }

    fn wants_class(self, class: Option<Class>, divergent: bool) -> bool {
        let Some(class) = class else {
            return self.wants_notes();
        };
        match self {
            Self::All => true,
            Self::Note => false,
            Self::Divergent => divergent,
            Self::Violation => class == Class::Violation,
            Self::Undecided => class == Class::Undecided,
            Self::Loud | Self::LoudOrClosed => {
                divergent || matches!(class, Class::Violation | Class::Undecided)
            }
        }
    }
}

/// What of a case is printed.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Which rows.
    pub only: Only,
    /// At most so many rows; 0 is all. Text and Markdown only.
    pub limit: usize,
    /// Includes texts of models and tools.
    pub with_text: bool,
    /// One intent was asked for, by its number.
    pub intent: Option<u32>,
    /// Everything that is wrong was known to the mark of `--baseline`: so many intents.
    pub known: Option<u64>,
}

/// Rows that are printed by default (`7-commands.md` 7.5.4, `--limit`).
pub const LIMIT: usize = 20;

impl Default for Choice {
    fn default() -> Self {
        Self { only: Only::Loud, limit: LIMIT, with_text: false, intent: None, known: None }
    }
}

/// A loaded case, ready to be printed.
pub struct Report<'a> {
    /// Result and counts.
    pub summary: &'a Summary,
    /// Names of units.
    pub units: &'a Units,
    /// Sources in order.
    pub sources: &'a [SourceView],
    /// Problems in order.
    pub problems: &'a [ProblemView],
    /// Rows without an attempt, by operation id.
    pub orphans: &'a [OrphanView],
    /// Intents that are one row.
    pub groups: &'a [GroupView],
    /// Intents and rows.
    pub intents: &'a dyn Intents,
    /// Tells stories.
    pub teller: Teller<'a>,
    /// Masks people and secrets.
    pub mask: &'a Mask,
    /// What is printed.
    pub choice: Choice,
    /// Group by intent id, made when it is first asked for.
    pub group_ids: OnceCell<HashMap<String, String>>,
}

impl Report<'_> {
    /// Numbers of the wanted intents, in the order of the list.
    fn wanted(&self) -> Vec<u32> {
        match self.choice.intent {
            Some(no) => vec![no],
            None => self.intents.ordered(),
        }
    }

    /// Every wanted intent, looked up as it is asked for.
    pub fn each_intent(&self) -> impl Iterator<Item = IntentView> + '_ {
        let only = if self.choice.intent.is_some() { Only::All } else { self.choice.only };
        let looked_at = if only == Only::All { usize::MAX } else { self.intents.loud() };
        self.wanted()
            .into_iter()
            .take(looked_at)
            .filter_map(|no| self.intents.view(no))
            .filter(move |view| only.wants(&view.judgement))
            .filter(move |view| only != Only::Loud || !view.standing.flags.contains(&CLOSED))
    }

    /// The one intent that is printed whole: the one asked for, or the only one there is.
    pub fn single(&self) -> Option<IntentView> {
        let no = match self.choice.intent {
            Some(no) => no,
            None if self.summary.intents == 1 => *self.intents.ordered().first()?,
            None => return None,
        };
        self.intents.view(no)
    }

    /// Every row of the list that is wanted.
    pub fn each_row(&self) -> impl Iterator<Item = ListRow> + '_ {
        self.wanted_rows().map(|at| self.intents.row(at))
    }

    /// Places of the rows that are wanted. Where clean rows are not, nobody looks at them; texts are made only of rows
    /// whose class is not known without.
    pub fn wanted_rows(&self) -> impl Iterator<Item = usize> + '_ {
        let only = self.choice.only;
        let all = self.intents.rows();
        let quiet = if only == Only::All { all..all } else { self.intents.quiet_rows() };
        let alone = self.ledger_alone();
        (0..quiet.start).chain(quiet.end..all).filter(move |at| {
            if only == Only::Loud && self.intents.closed(*at) {
                return false;
            }
            if let Some((class, divergent)) = self.intents.standing(*at) {
                return only.wants_class(Some(class), divergent);
            }
            let row = self.intents.row(*at);
            // Where no attempts are loaded these are all that can be said.
            let suspicion = alone
                && matches!(only, Only::Loud | Only::LoudOrClosed)
                && matches!(row.kind, RowKind::PossibleDouble(_));
            suspicion || only.wants_row(&row)
        })
    }

    /// Id of the group that an intent belongs to.
    pub fn group_of(&self, intent_id: &str) -> Option<&str> {
        let ids = self.group_ids.get_or_init(|| {
            let of_group =
                |g: &GroupView| g.members.iter().map(|m| (m.clone(), g.id.clone())).collect::<Vec<_>>();
            self.groups.iter().flat_map(of_group).collect()
        });
        ids.get(intent_id).map(String::as_str)
    }

    /// Only ledgers are loaded.
    fn ledger_alone(&self) -> bool {
        let reads = |what: &str| self.sources.iter().any(|source| source.what == what);
        reads("ledger") && !reads("trace") && !reads("intents")
    }

    /// What was not loaded at all, in one sentence: then nothing is compared.
    pub fn missing_side(&self) -> Option<&'static str> {
        let reads = |what: &str| self.sources.iter().any(|source| source.what == what);
        match (reads("trace") || reads("intents"), reads("ledger")) {
            (true, false) => {
                Some("no ledger is loaded: a trace alone shows what was tried, not what was done")
            }
            (false, true) => Some("no attempts loaded: a ledger alone gives suspicions only"),
            _ => None,
        }
    }

    /// Id of a source of the case.
    pub fn source_id(&self, no: usize) -> &str {
        self.sources.get(no).map_or("", |s| s.id.as_str())
    }
}

/// The intents that a row of the list stands for; none for rows without an attempt.
pub fn intents_of(row: &ListRow) -> &[u32] {
    match &row.kind {
        RowKind::Intent(no) => std::slice::from_ref(no),
        RowKind::Group(members) => members,
        RowKind::NotCompared { intents, .. } | RowKind::FitsByOrder { intents } => intents,
        RowKind::PossibleDouble(_)
        | RowKind::Orphan(_)
        | RowKind::OrphansMore { .. }
        | RowKind::Outside { .. } => &[],
    }
}
