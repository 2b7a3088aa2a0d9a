//! The first reading: what is not known yet is a dash or dots, never zero (`6-screens.md` 7.1.5).

use crate::app::keymap::thousands;
use crate::app::layout::Form;
use crate::app::model::Model;
use crate::app::progress::{Loading, Reading};
use crate::text::{cut, wrap};
use crate::ui::canvas::Canvas;
use crate::ui::role::{Role, dim, strong, text};
use crate::ui::shown::outside;
use crate::ui::status;

/// The first reading: what is not known yet is a dash or dots, never zero (`6-screens.md` 7.1.5).
pub fn loading(model: &Model, loading: &Loading, canvas: &mut Canvas) {
    let form = model.form();
    let margin = form.margin();
    let wide = form == Form::Wide;
    let end = canvas.width().saturating_sub(margin);
    let result = if wide { 3 } else { 2 };
    let gap = if wide { 3 } else { 2 };
    let mut column = canvas.put(margin, result, "READING", Role::Strong) + if wide { 5 } else { 3 };
    let right = "nothing is judged yet";
    let limit = end.saturating_sub(24);
    for words in ["went wrong", "to decide", "waiting", "fine"] {
        if usize::from(column) + crate::text::width(words) + 2 > usize::from(limit) {
            break;
        }
        column = canvas.spans(column, result, &[strong("–"), text(format!(" {words}"))]) + gap;
    }
    canvas.right(end, result, right, Role::Dim);
    let mut row = result + if wide { 2 } else { 1 };
    for source in &loading.sources {
        gauge(model, source, canvas, row, margin, end);
        row += 1;
    }
    row += 1;
    let height = canvas.height();
    let rule = if wide { height.saturating_sub(14) } else { height.saturating_sub(7) };
    if row + 2 < rule && canvas.width() >= 80 {
        dots(canvas, row, rule, wide);
    }
    if rule <= row {
        return;
    }
    canvas.fill(0..canvas.width(), rule, '─', Role::Faint);
    let room = usize::from(end.saturating_sub(margin));
    let mut at = rule + if wide { 2 } else { 1 };
    let told = if loading.stopping {
        "Stopping. What is there is kept, and marked as not whole."
    } else {
        "Nothing is known yet. The first cases appear here as soon as they are certain, while the rest is still being read."
    };
    for sentence in [told, "A dot or a dash means not read yet. It never means zero."] {
        for line in wrap(sentence, room) {
            if at + 1 < height {
                canvas.put(margin, at, &line, Role::Text);
            }
            at += 1;
        }
    }
    if form != Form::Pane {
        let note = if loading.note.is_empty() {
            Vec::new()
        } else {
            vec![vec![dim(cut(outside(model, &loading.note), room))]]
        };
        status::line(model, canvas, height.saturating_sub(2), &note);
    }
}

/// One source: what it is, its name, how far it is read.
fn gauge(model: &Model, source: &Reading, canvas: &mut Canvas, row: u16, margin: u16, end: u16) {
    const CELLS: u16 = 40;
    canvas.put(margin, row, &source.what, Role::Dim);
    let narrow = canvas.width() < 80;
    let cells = if narrow {
        10
    } else if canvas.width() < 120 {
        20
    } else {
        CELLS
    };
    let start = if narrow { margin + 26 } else { margin + 29 };
    let name_room = usize::from(start.saturating_sub(margin + 12));
    canvas.put(margin + 11, row, &cut(outside(model, &source.name), name_room), Role::Text);
    let filled = match source.of {
        0 => 0,
        of => u16::try_from(u64::from(cells) * source.bytes.min(of) / of).unwrap_or(0),
    };
    canvas.fill(start..start + cells, row, '─', Role::Faint);
    canvas.fill(start..start + filled, row, '━', Role::Focus);
    let mut column =
        canvas.put_until(start + cells + 3, row, end, &bytes(source.bytes, source.of), Role::Text);
    if !source.records.is_empty() {
        column += 3;
        canvas.put_until(column, row, end, &outside(model, &source.records), Role::Dim);
    }
}

/// `274 of 548 MB`.
fn bytes(read: u64, of: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    let (unit, name) = UNITS.iter().find(|(unit, _)| of.max(read) >= *unit).copied().unwrap_or((1, "B"));
    if of == 0 {
        format!("{} {name}", thousands(read / unit))
    } else {
        format!("{} of {} {name}", thousands(read / unit), thousands(of / unit))
    }
}

/// Rows that are not read yet.
fn dots(canvas: &mut Canvas, row: u16, rule: u16, wide: bool) {
    let heads: &[(u16, &str, bool)] = if wide {
        &[
            (13, "what happened", false),
            (42, "operation", false),
            (80, "intended", true),
            (93, "in ledger", true),
            (105, "at risk", true),
            (118, "due", true),
        ]
    } else {
        &[(13, "what happened", false), (42, "operation", false), (65, "at risk", true), (78, "due", true)]
    };
    for (column, words, right) in heads {
        if *right {
            canvas.right(*column, row, words, Role::Dim);
        } else {
            canvas.put(*column, row, words, Role::Dim);
        }
    }
    let columns: &[(u16, u16)] = if wide {
        &[(13, 35), (42, 52), (70, 80), (83, 93), (96, 106)]
    } else {
        &[(13, 35), (42, 52), (54, 65)]
    };
    for at in (row + 1..rule).take(6) {
        for (start, end) in columns {
            canvas.fill(*start..*end, at, '·', Role::Faint);
        }
    }
}
