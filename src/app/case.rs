//! What the screen is given: one loaded case, as pure access to data.

use crate::judge::hazards::Evaluation;
use crate::judge::story::{Place, Story};
use crate::judge::timeline::Activity;
use crate::judge::view::{
    Disagreement, EffectView, Everything, GroupBy, GroupRow, IntentView, ListRow, OrphanView, ProblemView,
    RowKind, SortBy, SourceView, Summary, Whose,
};
use crate::model::row::At;
use crate::model::time::Zone;
use crate::model::units::Units;
use crate::query::Searchable;

/// A loaded and judged case.
///
/// Rows are addressed by their place in the default order of the list (`2-judge.md` 2.8), rows that are fine
/// included, rows without an attempt last. One row is built when it is looked at: a case of a million rows is
/// never copied (`6-screens.md` 7.1.16). How many there are says [`Searchable::rows`].
pub trait CaseView: Searchable + Send + Sync {
    /// The summary.
    fn summary(&self) -> &Summary;

    /// Names and decimals of its units.
    fn units(&self) -> &Units;

    /// Its sources; views name them by their index here.
    fn sources(&self) -> &[SourceView];

    /// Records that could not be used.
    fn problems(&self) -> &[ProblemView];

    /// Where a source and its copy disagree.
    fn disagreement(&self) -> Option<&Disagreement> {
        None
    }

    /// The row at a place, ready for the columns.
    fn row(&self, at: usize) -> ListRow;

    /// What decides whether the row at a place is listed. Asked for every row, so it builds no text.
    fn flags(&self, at: usize) -> RowFlags;

    /// Places of rows that are fine and nothing else, in one piece: they are never asked one by one.
    fn quiet(&self) -> std::ops::Range<usize> {
        0..0
    }

    /// Places of all rows in the order of a column. Takes its time: asked by a worker only.
    fn sorted(&self, by: SortBy) -> Vec<u32>;

    /// Groups of the rows at some places, in the order of their first rows. Asked by a worker only.
    fn grouped(&self, rows: &[u32], by: GroupBy) -> Vec<GroupRow>;

    /// Everything of an order or of a party. Asked by a worker only.
    fn everything(&self, whose: &Whose) -> Everything;

    /// One intent whole, by its number.
    fn intent(&self, number: u32) -> IntentView;

    /// The row of one intent by itself, also where it stands in a group.
    fn intent_row(&self, number: u32) -> ListRow;

    /// How many entries [`CaseView::orphan_row`] has: rows without an attempt, grouped by operation id.
    fn orphans(&self) -> usize;

    /// One entry of the rows without an attempt, possible doubles first.
    fn orphan_row(&self, at: usize) -> ListRow;

    /// The ledger rows behind such an entry.
    fn orphan_effects(&self, orphan: &OrphanView) -> Vec<EffectView>;

    /// The sentences of a row.
    fn story(&self, of: &RowKind, told: Told) -> Story;

    /// The record at a place as it stands in its source. Reads the source: asked by a worker only.
    ///
    /// # Errors
    /// Where the source cannot be read any more, or is not the one that was loaded.
    fn raw(&self, at: At) -> Result<RawRecord, Trouble>;

    /// Plain lines of a row for a ticket or the provider (`6-screens.md` 7.3). `name`: of the case or its sources.
    fn copied(&self, item: &Item, name: &str) -> Copied;

    /// The same of the whole incident.
    fn copied_incident(&self, name: &str) -> Copied;

    /// Percent of the bytes that were read when a person stopped the reading (`6-screens.md` 7.1.5).
    fn stopped(&self) -> Option<u8> {
        None
    }

    /// Its hazards; `None` where nobody looked for any.
    fn hazards(&self) -> Option<&Evaluation> {
        None
    }

    /// Intents of a run, in order of their first send; none where there are more than a timeline can hold.
    fn run(&self, _id: &str) -> Vec<u32> {
        Vec::new()
    }

    /// Writes the document for the review of one intent, or of all that is not as intended; gives its path, ready to be
    /// shown. Writes a file: asked by a worker only.
    ///
    /// # Errors
    /// What keeps it from being written.
    fn document(&self, _intent: Option<u32>) -> Result<String, Trouble> {
        Err(Trouble { what: "no report can be written of this".to_owned(), next: String::new() })
    }

    /// Writes a list as a file, into the folder where the program was started and never over another one; gives its
    /// path, ready to be shown. Writes a file: asked by a worker only.
    ///
    /// # Errors
    /// What keeps it from being written.
    fn exported(&self, _view: &Exported) -> Result<String, Trouble> {
        Err(Trouble { what: "this list cannot be exported".to_owned(), next: String::new() })
    }

    /// How many hazards fire; `None` while nobody knows. Never waits.
    fn firing(&self) -> Option<usize> {
        None
    }

    /// Its calls and effects over time; `None` where nothing has a time.
    fn activity(&self) -> Option<&Activity> {
        None
    }

    /// The number of the intent with this id.
    fn intent_of(&self, _id: &str) -> Option<u32> {
        None
    }

    /// The place of the row with this [`ListRow::id`].
    fn find(&self, id: &str) -> Option<usize> {
        (0..self.rows()).find(|at| self.row(*at).id == id)
    }
}

/// Where and how a story is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Told {
    /// Beside the list, or in the detail.
    pub place: Place,
    /// Less than 120 columns.
    pub narrow: bool,
    /// Times are shown in it.
    pub zone: Zone,
    /// Something can be written here; else keys that write are left out.
    pub writable: bool,
}

/// A list as it is looked at, for a file of its own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exported {
    /// Its rows, in their order.
    pub rows: ExportedRows,
    /// What leaves rows out, as a person would type it; empty is nothing.
    pub filter: String,
    /// The name of the order.
    pub sort: String,
    /// Name of the case or its sources, for the name of the file. Raw.
    pub name: String,
}

/// Which rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExportedRows {
    /// By their place in the default order.
    Places(Vec<u32>),
    /// Intents by their number.
    Intents(Vec<u32>),
    /// All rows without an attempt: how many entries.
    Orphans(usize),
}

impl Default for ExportedRows {
    fn default() -> Self {
        Self::Places(Vec::new())
    }
}

impl ExportedRows {
    /// How many they are.
    pub fn len(&self) -> usize {
        match self {
            Self::Places(all) | Self::Intents(all) => all.len(),
            Self::Orphans(count) => *count,
        }
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What decides whether a row is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RowFlags {
    /// As intended: not listed unless asked for.
    pub fine: bool,
    /// Closed: its dispositions account for it. Not listed unless asked for.
    pub closed: bool,
    /// Counts as divergent.
    pub divergent: bool,
    /// State unknown, recorded or derived.
    pub unknown: bool,
    /// 1 to 5; 6 is apart.
    pub severity: u8,
    /// What kind of row it is below the intents.
    pub apart: Apart,
}

/// Rows below the intents (`6-screens.md` 7.1.11).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Apart {
    /// An intent, or what stands for several.
    #[default]
    No,
    /// Two or more rows of one operation: always a line of its own.
    Double,
    /// A single row without an attempt.
    Single,
    /// The rest of them, counted.
    More,
    /// Rows outside the scope, counted.
    Outside,
}

/// A record as it stands in its source: one part per line or row that it was written in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RawRecord {
    /// Place (`trace.jsonl line 14`) and the bytes there as text. Both are raw.
    pub parts: Vec<(String, String)>,
}

/// Lines that are copied, raw: whoever sends them away masks and escapes them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Copied {
    /// The lines.
    pub lines: Vec<String>,
    /// The customer or account that is named in them; empty where none is.
    pub party: String,
}

/// Why something could not be done: what, and what to do next. Ready to be shown, raw.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trouble {
    /// What failed, and where.
    pub what: String,
    /// What to do next.
    pub next: String,
}

/// A row with everything behind it: for the preview and for the detail.
#[derive(Clone, Debug)]
pub struct Item {
    /// The row of the list.
    pub row: ListRow,
    /// Its intents, oldest first. Empty for rows that stand for many.
    pub intents: Vec<IntentView>,
    /// Its ledger rows, where it is a row without an attempt.
    pub effects: Vec<EffectView>,
    /// Its sentences.
    pub story: Story,
    /// How they were told.
    pub told: Told,
}

impl Item {
    /// Gathers what is behind a row.
    pub fn load(case: &dyn CaseView, row: ListRow, told: Told) -> Self {
        let numbers: &[u32] = match &row.kind {
            RowKind::Intent(number) => std::slice::from_ref(number),
            RowKind::Group(numbers) => numbers,
            _ => &[],
        };
        let mut intents: Vec<_> = numbers.iter().map(|number| case.intent(*number)).collect();
        intents.sort_by_key(|intent| (intent.judgement.since, intent.handle));
        let effects = match &row.kind {
            RowKind::Orphan(orphan) | RowKind::PossibleDouble(orphan) => case.orphan_effects(orphan),
            _ => Vec::new(),
        };
        let story = case.story(&row.kind, told);
        Self { row, intents, effects, story, told }
    }

    /// Tells its story anew where it would be told otherwise now.
    pub fn retell(&mut self, case: &dyn CaseView, told: Told) {
        if self.told != told {
            self.story = case.story(&self.row.kind, told);
            self.told = told;
        }
    }

    /// The row without an attempt that it is.
    pub fn orphan(&self) -> Option<&OrphanView> {
        match &self.row.kind {
            RowKind::Orphan(orphan) | RowKind::PossibleDouble(orphan) => Some(orphan),
            _ => None,
        }
    }

    /// `refund of order 1234`; for rows that stand for many their operation column.
    pub fn title(&self) -> String {
        match &self.row.kind {
            RowKind::Intent(_) | RowKind::Group(_) => {
                let known = crate::judge::story::phrase::noun(&self.row.noun);
                let noun = match (self.row.noun.as_str(), known.as_str()) {
                    ("", _) => "operation",
                    (own, "effect") => own,
                    (_, known) => known,
                };
                format!("{noun} of {}", self.row.operation)
            }
            RowKind::Orphan(orphan) | RowKind::PossibleDouble(orphan) => {
                let noun = if orphan.kind.is_empty() { "row" } else { &orphan.kind };
                let name = if orphan.effect_id.is_empty() { &self.row.operation } else { &orphan.effect_id };
                format!("{noun} {name}")
            }
            _ => self.row.operation.clone(),
        }
    }

    /// The write attempts of all its intents in the order of their intents.
    pub fn attempts(&self) -> impl Iterator<Item = (usize, &crate::judge::view::AttemptView)> {
        let all = self.intents.iter().enumerate();
        all.flat_map(|(of, intent)| intent.attempts.iter().filter(|a| !a.read).map(move |a| (of, a)))
    }

    /// Its ledger rows: linked ones, then those that may be its own; copies left out.
    pub fn rows(&self) -> impl Iterator<Item = &EffectView> {
        let linked = self.intents.iter().flat_map(|i| i.effects.iter().chain(&i.open_rows));
        linked.chain(&self.effects).filter(|e| !e.copy)
    }
}
