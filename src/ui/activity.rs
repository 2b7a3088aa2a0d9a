//! The timeline of a whole case: how many calls were sent and how many effects committed when, as the library draws it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Sparkline, Widget as _};

use super::canvas::Canvas;
use super::role::Role;
use super::shown::{Shown, counted, shift};
use super::status;
use crate::app::layout::Form;
use crate::app::model::Model;
use crate::judge::timeline::{Activity, Window, ticks};
use crate::model::time::{Micros, span};

/// Cells between two ticks.
const TICK: u16 = 14;

/// Draws the screen.
pub fn draw(model: &Model, canvas: &mut Canvas) {
    let (Some(shown), Some(activity)) = (Shown::of(model), model.case().and_then(|case| case.activity()))
    else {
        return;
    };
    let form = model.form();
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let cells = end.saturating_sub(margin);
    let status_row = canvas.height().saturating_sub(if form == Form::Pane { 1 } else { 2 });
    let top = if form == Form::Pane { 2 } else { 3 };
    canvas.put(margin, top, "Attempts and effects over time", Role::Strong);
    canvas.right(end, top, &format!("{} in all", span(activity.window.length())), Role::Dim);
    let height = status_row.saturating_sub(top + 8) / 2;
    let mut row = top + 2;
    for (name, counts, role) in
        [("attempt", &activity.attempts, Role::Text), ("effect", &activity.effects, Role::Strong)]
    {
        let sums = Activity::in_cells(counts, cells);
        let most = sums.iter().copied().max().unwrap_or(0);
        let total = counts.iter().sum();
        canvas.put(
            margin,
            row,
            &format!("{}, {} at most in one cell", counted(total, name), most),
            Role::Dim,
        );
        plot(canvas, &sums, (margin, row + 1, cells, height), role);
        row += height + 2;
    }
    axis(canvas, &shown, activity.window, (margin, row.saturating_sub(1), cells));
    let hint = "An operation in the list: t shows its own timeline.";
    if row + 2 < status_row {
        canvas.put(margin, status_row.saturating_sub(1), hint, Role::Dim);
    }
    if form != Form::Pane {
        status::line(model, canvas, status_row, &[]);
    }
}

/// A sparkline of the library, its cells with a role of ours.
fn plot(canvas: &mut Canvas, sums: &[u64], (x, y, cells, height): (u16, u16, u16, u16), role: Role) {
    if cells == 0 || height == 0 {
        return;
    }
    let area = Rect::new(0, 0, cells, height);
    let mut buffer = Buffer::empty(area);
    Sparkline::default().data(sums.iter().copied()).render(area, &mut buffer);
    for row in 0..height {
        for column in 0..cells {
            let symbol = buffer.cell((column, row)).map_or(" ", |cell| cell.symbol());
            if symbol != " " {
                canvas.put(x + column, y + row, symbol, role);
            }
        }
    }
}

fn axis(canvas: &mut Canvas, shown: &Shown<'_>, window: Window, (x, row, cells): (u16, u16, u16)) {
    canvas.fill(x..x + cells, row, '─', Role::Faint);
    let local = |at: Micros| shift(shown.zone, at);
    let there = Window { from: local(window.from), to: local(window.to) };
    let mut free = 0;
    for tick in ticks(there, usize::from(cells / TICK)) {
        let column = x + there.cell(tick.at, cells);
        canvas.put(column, row, "┬", Role::Faint);
        let width = u16::try_from(crate::text::width(&tick.text)).unwrap_or(0);
        let start = column.saturating_sub(width / 2).min((x + cells).saturating_sub(width)).max(x);
        if start >= free {
            canvas.put(start, row + 1, &tick.text, Role::Dim);
            free = start + width + 1;
        }
    }
}
