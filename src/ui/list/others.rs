//! Lines of the list that stand for no single row: rows without an attempt together, rows outside, nothing at all.

use crate::app::case::Apart;
use crate::app::layout::Form;
use crate::app::list::{List, Rows};
use crate::app::model::Model;
use crate::text::cut;
use crate::ui::canvas::Canvas;
use crate::ui::columns::Columns;
use crate::ui::role::Role;
use crate::ui::shown::{Shown, counted};

/// Rows without an attempt and outside in one line, where there is little room (`6-screens.md` 7.1.11).
pub fn together(model: &Model, canvas: &mut Canvas, at: u16, columns: &Columns, list: &List, selected: bool) {
    let Some(case) = model.case() else {
        return;
    };
    let summary = case.summary();
    let singles = matches!(&list.rows, Rows::Case { apart, .. } if apart.iter().all(|at| {
        usize::try_from(*at).is_ok_and(|at| case.flags(at).apart == Apart::Single)
    }));
    let outside = summary.outside.unwrap_or(0);
    let apart = summary.orphans;
    let text = match (apart, outside, singles) {
        (0, outside, _) => format!("{} outside", counted(outside, "row")),
        (apart, 0, _) => format!("{} without an attempt here", counted(apart, "row")),
        (apart, outside, true) => {
            format!("{} without an attempt here, {} outside", counted(apart, "row"), counted(outside, "row"))
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
pub fn outside(
    model: &Model,
    canvas: &mut Canvas,
    at: u16,
    columns: &Columns,
    list: &List,
    shown: &Shown<'_>,
) {
    let Rows::Case { outside: Some(place), .. } = &list.rows else {
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
pub fn nothing(model: &Model, canvas: &mut Canvas, columns: &Columns, at: u16) {
    let Some(case) = model.case() else {
        return;
    };
    let filter = &model.filter;
    let hidden = counted(case.summary().rows, "row");
    let text = if !filter.text.is_empty() && filter.hits.is_none() {
        "searching".to_owned()
    } else if !filter.text.is_empty() {
        let typed = crate::ui::shown::outside(model, &filter.text);
        format!("Nothing matches \"{typed}\". {} hidden. esc shows them again.", verb(&hidden))
    } else if filter.divergent {
        format!("Nothing is divergent. {} hidden. d shows them again.", verb(&hidden))
    } else if filter.unknown {
        format!("No state is unknown. {} hidden. u shows them again.", verb(&hidden))
    } else {
        "Nothing went wrong and nothing has to be decided in what could be compared.".to_owned()
    };
    let form = model.form();
    let start = if form == Form::Pane { form.margin() } else { columns.words.0 };
    let room = usize::from(canvas.width().saturating_sub(start + form.margin()));
    for (row, line) in (at..).zip(crate::text::wrap(text, room)).take(3) {
        canvas.put(start, row, &line, Role::Text);
    }
}

fn verb(counted: &str) -> String {
    format!("{counted} {}", if counted.starts_with("1 ") { "is" } else { "are" })
}
