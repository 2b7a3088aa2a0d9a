//! Where the columns of the list stand (`6-screens.md` 7.4.2): widths follow the widest value that is seen, and
//! columns leave in a fixed order when room is short.

use crate::app::arrange::{Chosen, ListColumn as Column, Show};

/// Widest values of what is seen, in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Operation.
    pub operation: u16,
    /// Count and amount intended.
    pub intended: (u16, u16),
    /// Count and amount in the ledger.
    pub ledger: (u16, u16),
    /// Unit and amount at risk.
    pub risk: (u16, u16),
    /// Deadline.
    pub due: u16,
    /// Intent id.
    pub intent: u16,
    /// Kind.
    pub kind: u16,
    /// Party.
    pub party: u16,
    /// Words of rows that have nothing else in their line.
    pub words: u16,
}

/// A column: first cell, and the one behind its last.
pub type Span = (u16, u16);

/// The columns that fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Urgency.
    pub urgency: Option<Span>,
    /// Mark, right-aligned.
    pub mark: Span,
    /// What happened.
    pub words: Span,
    /// The time from which it can be known stands at the end of the words.
    pub covered: bool,
    /// Operation.
    pub operation: Span,
    /// Intent id.
    pub intent: Option<Span>,
    /// Kind.
    pub kind: Option<Span>,
    /// Party.
    pub party: Option<Span>,
    /// Record says.
    pub record: Option<Span>,
    /// Intended: count left, amount right.
    pub intended: Option<Span>,
    /// In the ledger: the same.
    pub ledger: Option<Span>,
    /// At risk: unit left, amount right.
    pub risk: Span,
    /// Due, right-aligned; where it is absent, lateness joins the words.
    pub due: Option<Span>,
    /// Where a reason begins that takes the place of the columns.
    pub reason: u16,
}

/// Cells of the words where there is room for all of them.
const WORDS: u16 = 27;
/// Least cells of the words: enough to tell most of them apart.
const LEAST_WORDS: u16 = 6;
/// Cells of an operation beyond which columns are not given up for it.
const OPERATION: u16 = 24;
/// The columns in the order in which they leave, with the width from which each may be there.
const LEAVE: [(Column, u16); 9] = [
    (Column::Party, 150),
    (Column::Kind, 150),
    (Column::Intent, 132),
    (Column::Record, 0),
    (Column::Intended, 0),
    (Column::Ledger, 0),
    (Column::Covered, 0),
    (Column::Due, 0),
    (Column::Urgency, 0),
];

/// What is still there, in the order in which it leaves; and in which order columns stand that can change places.
#[derive(Clone, Copy)]
struct Kept<'a>(&'a [(Column, u16)], &'a [Chosen]);

impl Kept<'_> {
    fn has(self, column: Column) -> bool {
        self.0.iter().any(|(kept, _)| *kept == column)
    }
}

/// The columns in the order in which they leave: what was chosen leaves last, what was hidden is not there.
fn leaving(chosen: &[Chosen]) -> Vec<(Column, u16)> {
    let show = |column: Column| {
        chosen.iter().find(|chosen| chosen.column == column).map_or(Show::AsFits, |chosen| chosen.show)
    };
    let of = |wanted: Show| LEAVE.into_iter().filter(move |(column, _)| show(*column) == wanted);
    let always = of(Show::Always).map(|(column, _)| (column, 0));
    of(Show::AsFits).chain(always).collect()
}

/// Lays out the columns.
pub fn columns(width: u16, margin: u16, needs: &Needs, chosen: &[Chosen]) -> Columns {
    let end = width.saturating_sub(margin);
    let leave = leaving(chosen);
    let allowed = leave.iter().take_while(|(_, from)| width < *from).count();
    let fits = |kept: &Kept<'_>| place(*kept, end, margin, needs).1 <= end;
    let mut choices =
        (allowed..=leave.len()).filter_map(|gone| leave.get(gone..)).map(|left| Kept(left, chosen));
    let kept = choices.find(fits).unwrap_or(Kept(&[], chosen));
    let mut needs = *needs;
    let over = place(kept, end, margin, &needs).1.saturating_sub(end);
    if over > 0 {
        // The operation gives first, down to what tells most ids apart, then the words.
        let give = over.min(needs.operation.saturating_sub(10));
        needs.operation -= give;
    }
    let (mut columns, used) = place(kept, end, margin, &needs);
    let over = used.saturating_sub(end);
    if over > 0 {
        let room = (columns.words.1 - columns.words.0).saturating_sub(over).max(LEAST_WORDS);
        let by = (columns.words.1 - columns.words.0) - room;
        columns.words.1 -= by;
        columns.operation = (columns.operation.0 - by, columns.operation.1 - by);
        // Money is never cut: what is still missing is taken from the operation.
        let rest = over - by;
        columns.operation.1 = columns.operation.1.saturating_sub(rest).max(columns.operation.0 + 4);
        columns.risk.0 = columns.operation.1 + 1;
        columns.risk.1 = columns.risk.1.min(end);
        columns.reason = columns.risk.0;
    }
    columns
}

/// Places what is kept; the second value is the column behind everything, were there no end.
fn place(kept: Kept<'_>, end: u16, margin: u16, needs: &Needs) -> (Columns, u16) {
    let mut columns = Columns { covered: kept.has(Column::Covered), ..Columns::default() };
    let mark_end = if kept.has(Column::Urgency) {
        columns.urgency = Some((margin, margin + 6));
        margin + 9
    } else {
        margin + 3
    };
    columns.mark = (mark_end - 3, mark_end);
    columns.words = (mark_end + 2, mark_end + 2 + WORDS);
    let operation = needs.operation.clamp(10, OPERATION);
    columns.operation = (columns.words.1 + 2, columns.words.1 + 2 + operation);
    // With further columns behind it the operation has its gap; before the money one blank may do.
    let mut left = columns.operation.0 + operation.max(11) + 2;
    let tight = columns.operation.0 + (operation + 1).max(12);
    let order = kept.1.iter().map(|chosen| chosen.column).filter(|column| kept.has(*column));
    for column in order {
        let (slot, cells, head) = match column {
            Column::Intent => (&mut columns.intent, needs.intent, 6),
            Column::Kind => (&mut columns.kind, needs.kind, 4),
            Column::Party => (&mut columns.party, needs.party, 8),
            Column::Record => (&mut columns.record, 11, 11),
            _ => continue,
        };
        if cells > 0 {
            let cells = cells.clamp(head, OPERATION);
            *slot = Some((left, left + cells));
            left += cells + 2;
        }
    }
    let figure = |(count, amount): (u16, u16), least: u16| count.max(2) + 1 + amount.max(least);
    let intended = figure(needs.intended, 7).max(10);
    let ledger = figure((needs.ledger.0.max(3), needs.ledger.1), 6).max(10);
    let risk = needs.risk.0.max(3) + 1 + needs.risk.1.max(6);
    let due = needs.due.max(11);
    let mut right = 0;
    let mut cells = |wanted: bool, width: u16, gap: u16| {
        if wanted {
            right += width + gap;
        }
    };
    cells(kept.has(Column::Due), due, 2);
    cells(kept.has(Column::Ledger), ledger, 2);
    cells(kept.has(Column::Intended), intended, 3);
    let others = kept.has(Column::Ledger) || kept.has(Column::Intended);
    let start = if others || kept.has(Column::Record) || columns.intent.is_some() { left } else { tight };
    let used = start + risk + right;
    // From the right edge: due, at risk, in the ledger, intended.
    let mut edge = end;
    let mut take = |width: u16, gap: u16| {
        let span = (edge.saturating_sub(width), edge);
        edge = edge.saturating_sub(width + gap);
        span
    };
    if kept.has(Column::Due) {
        columns.due = Some(take(due, 2));
    }
    columns.risk = take(risk, 2);
    if kept.has(Column::Ledger) {
        columns.ledger = Some(take(ledger, 3));
    }
    if kept.has(Column::Intended) {
        columns.intended = Some(take(intended, 2));
    }
    if !others && !kept.has(Column::Record) && columns.intent.is_none() {
        // Nothing stands between: the unit is aligned with what takes the place of the columns.
        columns.risk.0 = tight.min(columns.risk.0);
    }
    columns.reason = columns.record.map_or(columns.risk.0, |(start, _)| start);
    (columns, used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::arrange::default_columns;

    const SAMPLE: Needs = Needs {
        operation: 10,
        intended: (1, 6),
        ledger: (2, 6),
        risk: (3, 6),
        due: 11,
        intent: 8,
        kind: 7,
        party: 7,
        words: 0,
    };

    #[test]
    fn the_positions_of_the_sample() {
        let wide = columns(120, 2, &SAMPLE, &default_columns());
        assert_eq!(wide.urgency, Some((2, 8)));
        assert_eq!((wide.mark, wide.words, wide.operation), ((8, 11), (13, 40), (42, 52)));
        assert_eq!(
            (wide.record, wide.intended, wide.ledger),
            (Some((55, 66)), Some((70, 80)), Some((83, 93)))
        );
        assert_eq!((wide.risk, wide.due), ((95, 105), Some((107, 118))));
        let compact = columns(80, 2, &SAMPLE, &default_columns());
        assert_eq!((compact.operation, compact.risk, compact.due), ((42, 52), (54, 65), Some((67, 78))));
        assert_eq!((compact.record, compact.intended, compact.ledger), (None, None, None));
        assert!(compact.covered);
        let pane = columns(60, 1, &SAMPLE, &default_columns());
        assert_eq!((pane.mark, pane.words, pane.operation, pane.risk), ((1, 4), (6, 33), (35, 45), (47, 59)));
        assert_eq!((pane.due, pane.urgency, pane.covered), (None, None, false));
    }

    #[test]
    fn columns_come_back_where_there_is_room() {
        let names = |width| {
            let columns = columns(width, 2, &SAMPLE, &default_columns());
            [
                columns.ledger.is_some(),
                columns.record.is_some(),
                columns.intent.is_some(),
                columns.party.is_some(),
            ]
        };
        assert_eq!(names(91), [false, false, false, false]);
        assert_eq!(names(100), [true, false, false, false]);
        assert_eq!(names(131), [true, true, false, false]);
        assert_eq!(names(132), [true, true, true, false]);
        assert_eq!(names(149), [true, true, true, false]);
        assert_eq!(names(150), [true, true, true, true]);
    }

    #[test]
    fn what_is_chosen_leaves_last_and_what_is_hidden_is_not_there() {
        let with = |column: Column, show: Show| {
            let mut chosen = default_columns();
            chosen.iter_mut().filter(|one| one.column == column).for_each(|one| one.show = show);
            chosen
        };
        let party = columns(120, 2, &SAMPLE, &with(Column::Party, Show::Always));
        assert_eq!((party.party, party.record), (Some((55, 63)), None), "it takes the place of another");
        let hidden = columns(120, 2, &SAMPLE, &with(Column::Record, Show::Never));
        assert_eq!((hidden.record, hidden.intended), (None, Some((70, 80))));
        let urgency = columns(120, 2, &SAMPLE, &with(Column::Urgency, Show::Never));
        assert_eq!((urgency.urgency, urgency.mark, urgency.words), (None, (2, 5), (7, 34)));
        let mut turned = default_columns();
        turned.swap(2, 5);
        let turned = columns(200, 2, &SAMPLE, &turned);
        assert!(turned.record < turned.kind && turned.kind < turned.intent, "{turned:?}");
    }

    #[test]
    fn columns_never_overlap_and_money_is_never_cut() {
        for width in 40..=200 {
            for operation in [3, 10, 11, 18, 40] {
                for amount in [4, 6, 9, 14] {
                    let needs = Needs { operation, risk: (3, amount), ..SAMPLE };
                    let margin = if width < 80 { 1 } else { 2 };
                    let columns = columns(width, margin, &needs, &default_columns());
                    let spans = [
                        columns.urgency,
                        Some(columns.mark),
                        Some(columns.words),
                        Some(columns.operation),
                        columns.intent,
                        columns.kind,
                        columns.party,
                        columns.record,
                        columns.intended,
                        columns.ledger,
                        Some(columns.risk),
                        columns.due,
                    ];
                    let mut before = 0;
                    for (start, end) in spans.into_iter().flatten() {
                        assert!(start >= before && end > start, "{width} {needs:?} {columns:?}");
                        before = end;
                    }
                    assert!(before <= width, "{width}");
                    assert!(columns.risk.1 - columns.risk.0 > amount, "{width} {needs:?} {columns:?}");
                }
            }
        }
    }
}
