//! The list of the triage screen: which rows are in it, which is selected, and which lines are to be seen.

use std::sync::Arc;

use super::arrange::Sort;
use super::case::{Apart, CaseView, RowFlags};
use super::layout::Form;
use crate::judge::view::{GroupRow, ListRow, RowKind};
use crate::query::Hits;

/// What is left out of the list (`6-screens.md` 7.2). A text that was typed is matched against all rows, fine ones
/// too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// What was typed; empty is no filter.
    pub text: String,
    /// Rows that match the text; `None` until the search has answered.
    pub hits: Option<Hits>,
    /// Divergent rows only.
    pub divergent: bool,
    /// Rows whose state is unknown only.
    pub unknown: bool,
    /// Fine rows too.
    pub fine: bool,
}

impl Filter {
    /// Something that a person chose leaves rows out, or shows more.
    pub fn is_on(&self) -> bool {
        !self.text.is_empty() || self.divergent || self.unknown || self.fine
    }

    fn keeps(&self, at: usize, flags: RowFlags) -> bool {
        let by_text = match &self.hits {
            Some(hits) if !self.text.is_empty() => hits.get(at),
            _ => self.fine || !(flags.fine || flags.closed),
        };
        by_text && (!self.divergent || flags.divergent) && (!self.unknown || flags.unknown)
    }
}

/// The rows of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Rows of the case by their place in the default order.
    Case {
        /// Everything that is always a line of its own.
        plain: Vec<u32>,
        /// Single rows without an attempt and their rest; one line together where there is little room.
        apart: Vec<u32>,
        /// The line of the rows outside the scope. It cannot be selected: there is nothing behind it.
        outside: Option<u32>,
        /// How many of the plain ones are intents, as the summary counts rows.
        counted: usize,
    },
    /// Intents that stand behind one row.
    Intents(Vec<u32>),
    /// Rows of the case that are one group, by their place in the default order.
    Places(Arc<Vec<u32>>),
    /// Groups in place of rows.
    Groups(Arc<Vec<GroupRow>>),
    /// All rows without an attempt: how many entries.
    Orphans(usize),
}

/// A list with its selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// Its rows.
    pub rows: Rows,
    /// Selected row, counted from the first one of the list.
    pub selected: usize,
    /// First row to be seen where not all fit.
    pub offset: usize,
    /// Its rows are in another than the default order.
    pub sorted: bool,
}

impl Default for List {
    fn default() -> Self {
        Self::new(Rows::Case { plain: Vec::new(), apart: Vec::new(), outside: None, counted: 0 })
    }
}

/// A line of the list as drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Between two groups of urgency.
    Blank,
    /// A row; the urgency word stands before the first of its group.
    Row {
        /// Which.
        at: usize,
        /// With the word.
        urgency: bool,
    },
    /// Rows without an attempt and outside, in one line.
    Together {
        /// Which, where it can be selected.
        at: Option<usize>,
    },
    /// Rows outside the scope.
    Outside,
}

/// The lines to be seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// From the top.
    pub lines: Vec<Line>,
    /// Rows are hidden above or below: (first, lines seen, lines in all).
    pub scroll: Option<(usize, usize, usize)>,
    /// There is no line for the rows outside: they are counted in the rule.
    pub outside_in_rule: bool,
}

impl List {
    /// A list whose first row is selected.
    pub fn new(rows: Rows) -> Self {
        Self { rows, selected: 0, offset: 0, sorted: false }
    }

    /// The rows of a case that the filter leaves.
    pub fn of_case(case: &dyn CaseView, filter: &Filter, sort: &Sort) -> Rows {
        let (mut plain, mut apart, mut outside, mut counted) = (Vec::new(), Vec::new(), None, 0);
        // What stands in front of the first row without an attempt can be put in another order.
        let mut intents = 0;
        let mut take = |at: usize, plain: &mut Vec<u32>| {
            let flags = case.flags(at);
            if !filter.keeps(at, flags) {
                return;
            }
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            counted += usize::from(flags.apart == Apart::No);
            match flags.apart {
                Apart::No => {
                    plain.push(at);
                    intents = plain.len();
                }
                Apart::Double => plain.push(at),
                Apart::Single | Apart::More => apart.push(at),
                Apart::Outside => outside = Some(at),
            }
        };
        let quiet = case.quiet();
        for at in 0..quiet.start {
            take(at, &mut plain);
        }
        let fine = RowFlags { fine: true, severity: 5, ..RowFlags::default() };
        let before = plain.len();
        match &filter.hits {
            // A flag that no fine row has leaves all of them out at once.
            _ if filter.divergent || filter.unknown => {}
            Some(hits) if !filter.text.is_empty() => {
                let range = hits.iter_from(quiet.start).take_while(|at| *at < quiet.end);
                plain.extend(range.map(|at| u32::try_from(at).unwrap_or(u32::MAX)));
            }
            _ if filter.keeps(quiet.start, fine) => {
                plain.extend(quiet.clone().map(|at| u32::try_from(at).unwrap_or(u32::MAX)));
            }
            _ => {}
        }
        let found = plain.len() - before;
        for at in quiet.end..case.rows() {
            take(at, &mut plain);
        }
        counted += found;
        if intents < before + found {
            intents = before + found;
        }
        sort.arrange(&mut plain, intents, case.rows());
        Rows::Case { plain, apart, outside, counted }
    }

    /// Places of the rows of a case that are intents or stand for some; none of other lists.
    pub fn places(&self) -> Vec<u32> {
        match &self.rows {
            Rows::Case { plain, .. } => plain.clone(),
            Rows::Places(places) => places.to_vec(),
            Rows::Intents(_) | Rows::Orphans(_) | Rows::Groups(_) => Vec::new(),
        }
    }

    /// How many rows can be selected.
    pub fn len(&self, form: Form) -> usize {
        match &self.rows {
            Rows::Case { plain, apart, .. } if form == Form::Wide => plain.len() + apart.len(),
            Rows::Case { plain, apart, .. } => plain.len() + usize::from(!apart.is_empty()),
            Rows::Intents(numbers) => numbers.len(),
            Rows::Places(places) => places.len(),
            Rows::Groups(groups) => groups.len(),
            Rows::Orphans(count) => *count,
        }
    }

    /// Nothing can be selected.
    pub fn is_empty(&self, form: Form) -> bool {
        self.len(form) == 0
    }

    /// The place of a row in the case; `None` for the line that stands for several, and in lists of members.
    pub fn place(&self, at: usize, form: Form) -> Option<usize> {
        if let Rows::Places(places) = &self.rows {
            return places.get(at).and_then(|place| usize::try_from(*place).ok());
        }
        let Rows::Case { plain, apart, .. } = &self.rows else {
            return None;
        };
        let place = match at.checked_sub(plain.len()) {
            None => plain.get(at),
            Some(rest) if form == Form::Wide || apart.len() == 1 => apart.get(rest),
            Some(_) => None,
        };
        place.and_then(|place| usize::try_from(*place).ok())
    }

    /// Where a row of the case stands in the list.
    pub fn position(&self, place: usize, form: Form) -> Option<usize> {
        let (Rows::Case { plain, apart, .. }, Ok(place)) = (&self.rows, u32::try_from(place)) else {
            return None;
        };
        // Both follow the order of the case where they are not sorted.
        let among = || plain.iter().position(|at| *at == place);
        let found = if self.sorted { among() } else { plain.binary_search(&place).ok() };
        let below = || apart.binary_search(&place).ok().map(|at| plain.len() + at);
        found.or_else(below).filter(|at| *at < self.len(form))
    }

    /// Intents that are listed; zero in lists of members.
    pub fn counted(&self) -> usize {
        match &self.rows {
            Rows::Case { counted, .. } => *counted,
            Rows::Intents(_) | Rows::Orphans(_) | Rows::Places(_) | Rows::Groups(_) => 0,
        }
    }

    /// The row at a position.
    pub fn row(&self, case: &dyn CaseView, at: usize, form: Form) -> Option<ListRow> {
        if at >= self.len(form) {
            return None;
        }
        match &self.rows {
            Rows::Case { .. } => {
                Some(self.place(at, form).map_or_else(|| together(case), |place| case.row(place)))
            }
            Rows::Intents(numbers) => numbers.get(at).map(|number| case.intent_row(*number)),
            Rows::Orphans(_) => Some(case.orphan_row(at)),
            Rows::Places(_) => self.place(at, form).map(|place| case.row(place)),
            // A group is told by its first row.
            Rows::Groups(groups) => {
                let first = groups.get(at)?.rows.first()?;
                usize::try_from(*first).ok().map(|place| case.row(place))
            }
        }
    }

    /// What is known of the row at a position without building it.
    pub fn flags(&self, case: &dyn CaseView, at: usize, form: Form) -> RowFlags {
        if let Rows::Groups(groups) = &self.rows {
            let group = groups.get(at);
            return group.map_or_else(RowFlags::default, |group| RowFlags {
                fine: group.class == Some(crate::judge::judgement::Class::Clean),
                severity: group.severity,
                ..RowFlags::default()
            });
        }
        match self.place(at, form) {
            Some(place) => case.flags(place),
            None => RowFlags { severity: 6, apart: Apart::More, ..RowFlags::default() },
        }
    }

    /// The lines to be seen in `height` lines; `loose` says how many of them may be filled where all rows fit and
    /// a blank line below them is wanted.
    pub fn window(&self, case: &dyn CaseView, form: Form, height: usize, loose: usize) -> Window {
        let rows = self.len(form);
        let outside = matches!(self.rows, Rows::Case { outside: Some(_), .. });
        let mut window = Window::default();
        if rows > height {
            let first = self.offset.min(rows.saturating_sub(height));
            for at in first..rows.min(first + height) {
                let urgency = at == first || self.begins_group(case, at, form);
                window.lines.push(self.line(at, urgency, form));
            }
            window.scroll = Some((first, height, rows));
            window.outside_in_rule = outside && (form == Form::Wide || self.apart().is_empty());
            return window;
        }
        let begins: Vec<bool> = (0..rows).map(|at| self.begins_group(case, at, form)).collect();
        let groups = begins.iter().filter(|begins| **begins).count();
        let gaps = groups.saturating_sub(1);
        let with_outside = outside && form == Form::Wide && rows + gaps < loose;
        let with_gaps =
            form == Form::Wide && !self.sorted && rows + gaps + usize::from(with_outside) <= loose;
        for (at, begins) in begins.into_iter().enumerate() {
            if begins && at > 0 && with_gaps {
                window.lines.push(Line::Blank);
            }
            window.lines.push(self.line(at, begins, form));
        }
        if with_outside {
            window.lines.push(Line::Outside);
        } else if outside && form != Form::Wide && self.apart().is_empty() && rows < height {
            window.lines.push(Line::Together { at: None });
        } else {
            window.outside_in_rule = outside && (form == Form::Wide || self.apart().is_empty());
        }
        window
    }

    fn apart(&self) -> &[u32] {
        match &self.rows {
            Rows::Case { apart, .. } => apart,
            _ => &[],
        }
    }

    fn line(&self, at: usize, urgency: bool, form: Form) -> Line {
        match &self.rows {
            Rows::Case { plain, .. } if form != Form::Wide && at >= plain.len() => {
                Line::Together { at: Some(at) }
            }
            _ => Line::Row { at, urgency },
        }
    }

    /// A row begins a group where its urgency differs from that of the row above it.
    fn begins_group(&self, case: &dyn CaseView, at: usize, form: Form) -> bool {
        let Some(above) = at.checked_sub(1) else {
            return true;
        };
        let word = |at| {
            let flags = self.flags(case, at, form);
            (flags.severity, flags.fine)
        };
        word(at) != word(above)
    }

    /// Keeps the selection inside the list and inside the part that is seen.
    pub fn settle(&mut self, form: Form, height: usize) {
        let rows = self.len(form);
        self.selected = self.selected.min(rows.saturating_sub(1));
        let height = height.max(1);
        self.offset = self.offset.min(rows.saturating_sub(height));
        if self.selected < self.offset {
            self.offset = self.selected;
        } else if self.selected >= self.offset + height {
            self.offset = self.selected + 1 - height;
        }
    }
}

/// The row that stands for all rows without an attempt where they share one line.
fn together(case: &dyn CaseView) -> ListRow {
    let summary = case.summary();
    let count = summary.orphans;
    let rows = if count == 1 { "row" } else { "rows" };
    ListRow {
        kind: RowKind::OrphansMore { count, totals: summary.orphan_totals.clone() },
        operation: format!("{count} {rows}"),
        mark: "○".to_owned(),
        words: format!("{count} {rows} without an attempt"),
        severity: 6,
        id: "apart".to_owned(),
        ..blank_row()
    }
}

/// A row without any facts.
pub fn blank_row() -> ListRow {
    ListRow::blank(RowKind::Outside { count: 0, units: 0 })
}
