//! The list of the triage screen: only the lines that are seen are built.

use super::canvas::Canvas;
use super::columns::{self, Columns, Needs};
use super::role::Role;
use super::shown::{Shown, counted};
use crate::app::layout::{Form, Triage};
use crate::app::list::{Line, List, Rows};
use crate::app::model::Model;
use crate::judge::judgement::Class;
use crate::judge::view::{ListRow, RowKind};
use crate::judge::words::Urgency;
use crate::model::time::Micros;
use crate::text::{ascii_mark, cut, cut_apart, width};

/// A row as text, cell by cell.
struct Cells {
    row: ListRow,
    operation: String,
    covered: String,
    intended: Option<(String, String)>,
    ledger: Option<(String, String)>,
    risk: Option<(String, String)>,
    due: Option<(String, bool)>,
}

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
    let columns = columns::columns(canvas.width(), form.margin(), &needs);
    shorten(&mut cells, &columns);
    if let Some(row) = lines.heads {
        heads(canvas, row, &columns);
    }
    if window.lines.is_empty() {
        nothing(model, canvas, &columns, top);
        return;
    }
    for ((line, cells), at) in window
        .lines
        .iter()
        .zip(&cells)
        .zip(top..top.saturating_add(height))
    {
        match (line, cells) {
            (
                Line::Row {
                    at: position,
                    urgency,
                },
                Some(cells),
            ) => {
                let selected = *position == list.selected;
                draw_row(&shown, canvas, at, &columns, cells, selected, *urgency);
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

fn cells_of(shown: &Shown<'_>, row: ListRow) -> Cells {
    let covered = if row.covered_from.is_none() {
        String::new()
    } else {
        shown
            .day(row.covered_from)
            .unwrap_or_else(|| shown.second(row.covered_from))
    };
    let assumed = |assumed: bool| if assumed { "~" } else { "" };
    let intended = row.intended.map(|(count, by_calls)| {
        let amount = row.intended_total.map_or("–".to_owned(), |(money, by_calls)| {
            format!("{}{}", assumed(by_calls), shown.number(money))
        });
        (
            format!("{}{count}", if count > 9 { "" } else { assumed(by_calls) }),
            amount,
        )
    });
    let ledger = row.in_ledger.map(|(count, beyond)| {
        let amount = match &row.ledger_total {
            None => "–".to_owned(),
            Some(Ok(money)) => shown.number(*money),
            Some(Err(())) => "unreadable".to_owned(),
        };
        (format!("{count}{}", if beyond { "?" } else { "" }), amount)
    });
    let risk = risk(shown, &row);
    let due = due(shown, &row);
    Cells {
        operation: shown.id(&row.operation),
        covered,
        intended,
        ledger,
        risk,
        due,
        row,
    }
}

/// Unit and amount at risk. A dash where no amount is known, nothing where nothing is judged.
fn risk(shown: &Shown<'_>, row: &ListRow) -> Option<(String, String)> {
    let more = if row.more_units > 0 {
        format!(" +{}", row.more_units)
    } else {
        String::new()
    };
    match row.at_risk {
        Some(money) => Some((
            shown.outside(shown.units.text(money.unit)),
            shown.number(money) + &more,
        )),
        None if matches!(
            row.kind,
            RowKind::Intent(_) | RowKind::Group(_) | RowKind::Orphan(_)
        ) =>
        {
            Some((String::new(), "–".to_owned()))
        }
        None => None,
    }
}

/// The deadline, and whether it is past.
fn due(shown: &Shown<'_>, row: &ListRow) -> Option<(String, bool)> {
    use crate::model::time::span;
    if row.deadline.is_none() || row.deadline == Micros::FOREVER {
        return None;
    }
    let left = row.deadline.since(shown.now);
    Some(if row.overdue {
        (format!("{} late", span(left)), true)
    } else {
        (format!("in {}", span(left)), false)
    })
}

fn needs(shown: &Shown<'_>, cells: &[Option<Cells>]) -> Needs {
    let cell = |text: &str| u16::try_from(width(text)).unwrap_or(u16::MAX);
    let mut needs = Needs::default();
    for cells in cells.iter().flatten() {
        let row = &cells.row;
        if !matches!(row.kind, RowKind::OrphansMore { .. }) {
            needs.operation = needs.operation.max(cell(&cells.operation));
        }
        let figure = |needs: &mut (u16, u16), figure: &Option<(String, String)>| {
            if let Some((count, amount)) = figure {
                // "unreadable" stands over both columns.
                let amount = if amount == "unreadable" { 0 } else { cell(amount) };
                *needs = (needs.0.max(cell(count)), needs.1.max(amount));
            }
        };
        figure(&mut needs.intended, &cells.intended);
        figure(&mut needs.ledger, &cells.ledger);
        if let Some((unit, amount)) = &cells.risk {
            needs.risk = (needs.risk.0.max(cell(unit)), needs.risk.1.max(cell(amount)));
        }
        if let Some((due, _)) = &cells.due {
            needs.due = needs.due.max(cell(due));
        }
        needs.intent = needs.intent.max(cell(&shown.id(&row.intent_id)));
        needs.kind = needs.kind.max(cell(&shown.outside(&row.noun)));
        needs.party = needs.party.max(cell(&shown.id(&row.party)));
    }
    needs
}

/// Operations that are too long lose what they share, never what tells them apart.
fn shorten(cells: &mut [Option<Cells>], columns: &Columns) {
    let room = usize::from(columns.operation.1 - columns.operation.0);
    let ids: Vec<String> = cells
        .iter()
        .flatten()
        .map(|cells| cells.operation.clone())
        .collect();
    if ids.iter().all(|id| width(id) <= room) {
        return;
    }
    for (cells, short) in cells.iter_mut().flatten().zip(cut_apart(&ids, room)) {
        cells.operation = short;
    }
}

fn heads(canvas: &mut Canvas, row: u16, columns: &Columns) {
    let left = |canvas: &mut Canvas, span: Option<columns::Span>, text: &str| {
        if let Some((start, _)) = span {
            canvas.put(start, row, text, Role::Dim);
        }
    };
    let right = |canvas: &mut Canvas, span: Option<columns::Span>, text: &str| {
        if let Some((_, end)) = span {
            canvas.right(end, row, text, Role::Dim);
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
        canvas.put_until(
            start,
            at,
            end,
            Urgency::of(row.severity, row.class).word(),
            Role::Dim,
        );
    }
    let mark = if shown.ascii {
        ascii_mark(&row.mark)
    } else {
        row.mark.clone()
    };
    canvas.right(columns.mark.1, at, &mark, role_of_mark(row.class));
    words(canvas, at, columns, cells, selected, violation);
    if !matches!(row.kind, RowKind::OrphansMore { .. }) {
        let end = columns.operation.1.max(columns.operation.0 + 11);
        canvas.put_until(columns.operation.0, at, end, &cells.operation, Role::Text);
    }
    for (span, text) in [
        (columns.intent, &row.intent_id),
        (columns.kind, &row.noun),
        (columns.party, &row.party),
    ] {
        if let Some((start, end)) = span {
            let room = usize::from(end - start);
            canvas.put(start, at, &cut(shown.id(text), room), Role::Dim);
        }
    }
    if row.reason.is_empty() {
        if let Some((start, _)) = columns.record {
            canvas.put(
                start,
                at,
                row.record.map_or("–", crate::model::row::State::word),
                Role::Text,
            );
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
    let limit = if counted {
        columns.reason.saturating_sub(1).max(end)
    } else {
        end
    };
    let with_time = columns.covered && !cells.covered.is_empty();
    let room = usize::from(limit - start);
    let room = if with_time {
        room.saturating_sub(width(&cells.covered) + 1)
    } else {
        room
    };
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
        _ => columns.ledger.map_or(
            columns.due.map_or(columns.risk.1, |(_, end)| end),
            |(start, _)| start,
        ),
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

/// Rows without an attempt and outside in one line, where there is little room (`6-screens.md` 7.1.11).
fn together(model: &Model, canvas: &mut Canvas, at: u16, columns: &Columns, list: &List, selected: bool) {
    let Some(case) = model.case() else {
        return;
    };
    let summary = case.summary();
    let singles = matches!(&list.rows, Rows::Case { apart, .. } if apart.iter().all(|at| {
        usize::try_from(*at).is_ok_and(|at| case.flags(at).apart == crate::app::case::Apart::Single)
    }));
    let outside = summary.outside.unwrap_or(0);
    let apart = summary.orphans;
    let text = match (apart, outside, singles) {
        (0, outside, _) => format!("{} outside", counted(outside, "row")),
        (apart, 0, _) => format!("{} without an attempt here", counted(apart, "row")),
        (apart, outside, true) => {
            format!(
                "{} without an attempt here, {} outside",
                counted(apart, "row"),
                counted(outside, "row")
            )
        }
        (apart, outside, false) => {
            let outside = crate::app::keymap::thousands(outside);
            format!("{} without an attempt, {outside} outside", counted(apart, "row"))
        }
    };
    let end = canvas.width().saturating_sub(model.form().margin());
    if selected {
        canvas.select(1..canvas.width(), at);
        canvas.put(0, at, "▌", Role::Focus);
    }
    let room = usize::from(end.saturating_sub(columns.words.0));
    let behind = canvas.put(columns.words.0, at, &cut(text, room), Role::Dim);
    if selected {
        canvas.words(columns.words.0..behind, at);
    }
}

/// Rows outside the scope: a count, nothing to open.
fn outside(model: &Model, canvas: &mut Canvas, at: u16, columns: &Columns, list: &List, shown: &Shown<'_>) {
    let Rows::Case {
        outside: Some(place), ..
    } = &list.rows
    else {
        return;
    };
    let (Some(case), Ok(place)) = (model.case(), usize::try_from(*place)) else {
        return;
    };
    let row = case.row(place);
    canvas.put_until(
        columns.words.0,
        at,
        columns.reason.saturating_sub(1),
        &shown.outside(&row.words),
        Role::Dim,
    );
    canvas.put(columns.reason, at, &shown.outside(&row.reason), Role::Dim);
}

/// An empty list says why it is empty and what to press (`6-screens.md` 7.1.7).
fn nothing(model: &Model, canvas: &mut Canvas, columns: &Columns, at: u16) {
    let Some(case) = model.case() else {
        return;
    };
    let filter = &model.filter;
    let hidden = super::shown::counted(case.summary().rows, "row");
    let text = if !filter.text.is_empty() && filter.hits.is_none() {
        "searching".to_owned()
    } else if !filter.text.is_empty() {
        let typed = super::shown::outside(model, &filter.text);
        format!(
            "Nothing matches \"{typed}\". {} hidden. esc shows them again.",
            verb(&hidden)
        )
    } else if filter.divergent {
        format!(
            "Nothing is divergent. {} hidden. d shows them again.",
            verb(&hidden)
        )
    } else if filter.unknown {
        format!(
            "No state is unknown. {} hidden. u shows them again.",
            verb(&hidden)
        )
    } else {
        "Nothing went wrong and nothing has to be decided in what could be compared.".to_owned()
    };
    let form = model.form();
    let start = if form == Form::Pane {
        form.margin()
    } else {
        columns.words.0
    };
    let room = usize::from(canvas.width().saturating_sub(start + form.margin()));
    for (row, line) in (at..).zip(crate::text::wrap(text, room)).take(3) {
        canvas.put(start, row, &line, Role::Text);
    }
}

fn verb(counted: &str) -> String {
    format!(
        "{counted} {}",
        if counted.starts_with("1 ") { "is" } else { "are" }
    )
}
