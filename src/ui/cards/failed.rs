//! Could not be loaded: what, what was seen, what to do next.

use crate::app::layout::Form;
use crate::app::model::Model;
use crate::app::progress::Failure;
use crate::text::{cut, wrap};
use crate::ui::canvas::Canvas;
use crate::ui::role::{Role, dim, text};
use crate::ui::shown::outside;
use crate::ui::status;

/// Could not be loaded: what, what was seen, what to do next.
pub fn failed(model: &Model, failure: &Failure, canvas: &mut Canvas) {
    let form = model.form();
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let top = if form == Form::Wide { 3 } else { 2 };
    let column = canvas.put(margin, top, "INPUT ERROR", Role::Wrong) + 3;
    let room = usize::from(end.saturating_sub(column));
    canvas.put(column, top, &cut(outside(model, &failure.headline), room), Role::Text);
    let bottom = canvas.height().saturating_sub(if form == Form::Pane { 1 } else { 2 });
    let start = margin + 10;
    let room = usize::from(end.saturating_sub(start)).min(106);
    let mut row = if form == Form::Pane { top + 2 } else { top + 3 };
    let put = |canvas: &mut Canvas, row: &mut u16, start: u16, text: &str, role: Role| {
        let room = if start == margin { usize::from(end.saturating_sub(margin)) } else { room };
        for line in wrap(text, room) {
            if *row < bottom {
                canvas.put(start, *row, &line, role);
            }
            *row += 1;
        }
    };
    let label = |canvas: &mut Canvas, row: u16, words: &str| {
        if row < bottom {
            canvas.put(margin, row, words, Role::Strong);
        }
    };
    label(canvas, row, "What");
    put(canvas, &mut row, start, &outside(model, &failure.what), Role::Text);
    row += 1;
    if !failure.seen.is_empty() {
        label(canvas, row, "Seen");
        for line in table(model, &failure.seen) {
            put(canvas, &mut row, start, &line, Role::Dim);
        }
        row += 1;
    }
    if !failure.next.is_empty() {
        label(canvas, row, "Next");
        put(canvas, &mut row, start, &outside(model, &failure.next), Role::Text);
    }
    if let Some(command) = &failure.command {
        put(canvas, &mut row, start, &outside(model, command), Role::Strong);
        if row < bottom {
            let column = canvas.put(start, row, "y", Role::Key);
            canvas.put(column, row, " copy this line", Role::Dim);
        }
    }
    // The line that copies the command has its place below it.
    row = (row + 3).min(bottom.saturating_sub(u16::try_from(failure.kept.len()).unwrap_or(0)).max(row));
    for line in &failure.kept {
        put(canvas, &mut row, margin, &outside(model, line), Role::Dim);
    }
    if form != Form::Pane {
        let (source, matter) = &failure.status;
        let left = vec![vec![text(outside(model, source))], vec![dim(outside(model, matter))]];
        status::line(model, canvas, bottom, &left);
    }
}

/// Lines of one part are sentences; lines of several are a table.
fn table(model: &Model, lines: &[Vec<String>]) -> Vec<String> {
    let columns = lines.iter().filter(|line| line.len() > 1).map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| {
        let cells = lines.iter().filter(|line| line.len() > 1).filter_map(|line| line.get(column));
        cells.map(|cell| crate::text::width(&outside(model, cell))).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    lines
        .iter()
        .map(|line| match line.as_slice() {
            [sentence] => outside(model, sentence),
            cells => {
                let padded = cells
                    .iter()
                    .zip(&widths)
                    .map(|(cell, width)| crate::text::pad_right(outside(model, cell), *width));
                // The wrapping of what follows drops leading blanks only, so columns hold.
                padded.collect::<Vec<_>>().join("   ").trim_end().to_owned()
            }
        })
        .collect()
}
