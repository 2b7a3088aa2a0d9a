//! The choice of columns: which are always there, which never, in which order.

use super::canvas::Canvas;
use super::role::Role;
use super::status;
use crate::app::arrange::Show;
use crate::app::layout::Form;
use crate::app::model::Model;
use crate::text::wrap;

/// What it is about.
const ABOUT: &str = "What happened, the operation and the money always stand in the list. The others leave in a fixed order where \
                     there is little room: what is always there leaves last.";

/// Draws it.
pub fn draw(model: &Model, selected: usize, canvas: &mut Canvas) {
    let form = model.form();
    let margin = form.margin();
    let mut row = if form == Form::Wide { 3 } else { 2 };
    let room = usize::from(canvas.width().saturating_sub(2 * margin)).min(106);
    if canvas.height() >= 16 {
        for line in wrap(ABOUT, room) {
            canvas.put(margin, row, &line, Role::Text);
            row += 1;
        }
        row += 1;
    }
    let bottom = canvas.height().saturating_sub(if form == Form::Pane { 1 } else { 2 });
    let seen = usize::from(bottom.saturating_sub(row)).max(1);
    let first = (selected + 1).saturating_sub(seen);
    for (at, chosen) in model.columns.iter().enumerate().skip(first).take(seen) {
        if at == selected {
            canvas.select(1..canvas.width(), row);
            canvas.put(0, row, "▌", Role::Focus);
        }
        let start = margin + 2;
        let column = canvas.put(start, row, chosen.column.name(), Role::Text);
        if at == selected {
            canvas.words(start..column, row);
        }
        let (words, role) = match chosen.show {
            Show::AsFits => ("where it fits", Role::Dim),
            Show::Always => ("always", Role::Strong),
            Show::Never => ("never", Role::Dim),
        };
        canvas.put(start + 18, row, words, role);
        if chosen.column.moves() {
            canvas.put(start + 34, row, "can change places", Role::Dim);
        }
        row += 1;
    }
    if form != Form::Pane {
        let row = canvas.height().saturating_sub(2);
        status::line(model, canvas, row, &[]);
    }
}
