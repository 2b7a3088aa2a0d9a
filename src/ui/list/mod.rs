//! The list of the triage screen: only the lines that are seen are built.

mod cells;
mod others;

use cells::{Cells, cells_of, needs, shorten};
use others::{nothing, outside, together};

use super::canvas::Canvas;
use super::columns::{self, Columns};
use super::role::Role;
use super::shown::Shown;
use crate::app::layout::{Form, Triage};
use crate::app::list::{Line, List};
use crate::app::model::Model;
use crate::judge::judgement::Class;
use crate::judge::view::{ListRow, RowKind};
use crate::judge::words::Urgency;
use crate::text::{ascii_mark, cut, width};

/// Draws heads and rows.
pub fn draw(model: &Model, canvas: &mut Canvas, list: &List, lines: &Triage) {
    let (Some(shown), Some(case)) = (Shown::of(model), model.case()) else {
        return;
    };
    let form = model.form();
    let (top, height) = lines.list;
    let window = &lines.window;
    let mut cells: Vec<Option<Cells>> = window
        .lines
        .iter()
        .take(usize::from(height))
        .map(|line| match line {
            Line::Row { at, .. } => list.row(&**case, *at, form).map(|row| cells_of(&shown, row)),
            _ => None,
        })
        .collect();
    let needs = needs(&shown, &cells);
    let columns = columns::columns(canvas.width(), form.margin(), &needs, &model.columns);
    shorten(&mut cells, &columns);
    if let Some(row) = lines.heads {
        heads(model, canvas, row, &columns);
    }
    if window.lines.is_empty() {
        nothing(model, canvas, &columns, top);
        return;
    }
    for ((line, cells), at) in window.lines.iter().zip(&cells).zip(top..top.saturating_add(height)) {
        match (line, cells) {
            (Line::Row { at: position, urgency }, Some(cells)) => {
                let selected = *position == list.selected;
                draw_row(&shown, canvas, at, &columns, cells, selected, *urgency);
                if crate::app::settle::marks::is_marked(model, &cells.row) {
                    canvas.put(1, at, "•", Role::Focus);
                }
            }
            (Line::Together { at: position }, _) => {
                let selected = position.is_some_and(|position| position == list.selected);
                together(model, canvas, at, &columns, list, selected);
            }
            (Line::Outside, _) => outside(model, canvas, at, &columns, list, &shown),
            _ => {}
        }
    }
    if let Some((first, seen, all)) = window.scroll.filter(|_| form != Form::Pane) {
        super::scrollbar(canvas, (top, height), first, seen, all);
    }
}

fn heads(model: &Model, canvas: &mut Canvas, row: u16, columns: &Columns) {
    // The column that the list is sorted by says so by a sign beside its name.
    let sorted = Some(model.sort.by).filter(|_| model.sort.is_on()).map(|by| by.words().0);
    let sign = if model.sort.reversed { "↑" } else { "↓" };
    let left = |canvas: &mut Canvas, span: Option<columns::Span>, text: &str| {
        if let Some((start, _)) = span {
            let end = canvas.put(start, row, text, Role::Dim);
            if sorted == Some(text) {
                canvas.put(end + 1, row, sign, Role::Text);
            }
        }
    };
    let right = |canvas: &mut Canvas, span: Option<columns::Span>, text: &str| {
        if let Some((_, end)) = span {
            let start = canvas.right(end, row, text, Role::Dim);
            if sorted == Some(text) {
                canvas.put(start.saturating_sub(2), row, sign, Role::Text);
            }
        }
    };
    left(canvas, Some(columns.words), "what happened");
    if columns.covered {
        right(canvas, Some(columns.words), "covered from");
    }
    left(canvas, Some(columns.operation), "operation");
    left(canvas, columns.intent, "intent");
    left(canvas, columns.kind, "kind");
    left(canvas, columns.party, "customer");
    left(canvas, columns.record, "record says");
    right(canvas, columns.intended, "intended");
    right(canvas, columns.ledger, "in ledger");
    right(canvas, Some(columns.risk), "at risk");
    right(canvas, columns.due, "due");
}

fn role_of_mark(class: Option<Class>) -> Role {
    match class {
        Some(Class::Violation) => Role::Wrong,
        Some(Class::Undecided) => Role::Ask,
        _ => Role::Dim,
    }
}

fn draw_row(
    shown: &Shown<'_>,
    canvas: &mut Canvas,
    at: u16,
    columns: &Columns,
    cells: &Cells,
    selected: bool,
    urgency: bool,
) {
    let row = &cells.row;
    let violation = row.class == Some(Class::Violation);
    if selected {
        canvas.select(1..canvas.width(), at);
        canvas.put(0, at, "▌", Role::Focus);
    }
    if let Some((start, end)) = columns.urgency.filter(|_| urgency) {
        canvas.put_until(start, at, end, Urgency::of(row.severity, row.class).word(), Role::Dim);
    }
    let mark = if shown.ascii { ascii_mark(&row.mark) } else { row.mark.clone() };
    canvas.right(columns.mark.1, at, &mark, role_of_mark(row.class));
    words(canvas, at, columns, cells, selected, violation);
    if !matches!(row.kind, RowKind::OrphansMore { .. }) {
        let end = columns.operation.1.max(columns.operation.0 + 11);
        canvas.put_until(columns.operation.0, at, end, &cells.operation, Role::Text);
    }
    for (span, text) in
        [(columns.intent, &row.intent_id), (columns.kind, &row.noun), (columns.party, &row.party)]
    {
        if let Some((start, end)) = span {
            let room = usize::from(end - start);
            canvas.put(start, at, &cut(shown.id(text), room), Role::Dim);
        }
    }
    if row.reason.is_empty() {
        if let Some((start, _)) = columns.record {
            canvas.put(start, at, row.record.map_or("–", crate::model::row::State::word), Role::Text);
        }
    } else {
        reason(shown, canvas, at, columns, row);
    }
    let figure = |canvas: &mut Canvas, span, figure: &Option<(String, String)>, role| {
        if let (Some((start, end)), Some((count, amount))) = (span, figure) {
            if amount != "unreadable" {
                canvas.put(start, at, count, role);
            }
            canvas.right(end, at, amount, role);
        }
    };
    if matches!(row.kind, RowKind::NotCompared { .. }) {
        return;
    }
    figure(canvas, columns.intended, &cells.intended, Role::Dim);
    let ledger = match (&row.kind, &cells.ledger) {
        // Counts of these stand in their words.
        (RowKind::PossibleDouble(_) | RowKind::OrphansMore { .. }, Some((_, amount))) => {
            Some((String::new(), amount.clone()))
        }
        _ => cells.ledger.clone(),
    };
    figure(canvas, columns.ledger, &ledger, Role::Text);
    if let Some((unit, amount)) = &cells.risk {
        let zero = row.at_risk.is_none_or(|money| money.amount.is_zero());
        let role = match row.class {
            _ if zero => Role::Dim,
            Some(Class::Violation) => Role::Wrong,
            Some(Class::Undecided) => Role::Strong,
            _ => Role::Text,
        };
        canvas.put(columns.risk.0, at, unit, Role::Dim);
        canvas.right(columns.risk.1, at, amount, role);
    }
    if let (Some((_, end)), Some((due, late))) = (columns.due, &cells.due) {
        canvas.right(end, at, due, if *late { Role::AskWord } else { Role::Dim });
    }
}

/// What happened, with the time from which it can be known, or how late it is where nothing else says so.
fn words(canvas: &mut Canvas, at: u16, columns: &Columns, cells: &Cells, selected: bool, violation: bool) {
    let (start, end) = columns.words;
    let role = match (violation, selected) {
        (true, _) => Role::Wrong,
        (false, true) => Role::Strong,
        (false, false) => Role::Text,
    };
    let counted = matches!(cells.row.kind, RowKind::OrphansMore { .. });
    // A counted line has no operation: its words go on to the next column.
    let limit = if counted { columns.reason.saturating_sub(1).max(end) } else { end };
    let with_time = columns.covered && !cells.covered.is_empty();
    let room = usize::from(limit - start);
    let room = if with_time { room.saturating_sub(width(&cells.covered) + 1) } else { room };
    let text = cut(&cells.row.words, room);
    let column = canvas.put(start, at, &text, role);
    let mut last = column;
    if with_time {
        canvas.right(end, at, &cells.covered, Role::Dim);
    } else if columns.due.is_none()
        && let Some((due, true)) = &cells.due
        && usize::from(end - column) >= width(due) + 2
    {
        canvas.put(column, at, ", ", role);
        last = canvas.put(column + 2, at, due, Role::AskWord);
    }
    if selected {
        canvas.words(start..last, at);
    }
}

/// A reason takes the place of the columns.
fn reason(shown: &Shown<'_>, canvas: &mut Canvas, at: u16, columns: &Columns, row: &ListRow) {
    let end = match &row.kind {
        RowKind::NotCompared { .. } => columns.due.map_or(columns.risk.1, |(_, end)| end),
        // The amount stands behind it.
        _ => columns.ledger.map_or(columns.due.map_or(columns.risk.1, |(_, end)| end), |(start, _)| start),
    };
    let room = usize::from(end.saturating_sub(columns.reason));
    let long = shown.outside(&row.reason);
    let text = if width(&long) <= room && columns.record.is_some() {
        long
    } else {
        shown.outside(&row.reason_short)
    };
    canvas.put(columns.reason, at, &cut(text, room), Role::Dim);
}
