//! What the status line said, newest first.

use super::role::Role;
use super::shown::outside;
use super::{Frame, status};
use crate::app::layers::Scroll;
use crate::app::layout::Form;
use crate::app::model::Model;
use crate::text::wrap;

/// Draws them.
pub fn draw(model: &Model, scroll: Scroll, frame: &mut Frame) {
    let form = model.form();
    let margin = form.margin();
    let canvas = &mut frame.canvas;
    let top = if form == Form::Pane { 2 } else { 3 };
    let bottom = canvas.height().saturating_sub(if form == Form::Pane { 1 } else { 3 });
    let room = usize::from(canvas.width().saturating_sub(2 * margin)).min(106);
    let mut lines: Vec<(String, Role)> = Vec::new();
    for message in &model.log {
        let role = if message.error { Role::AskWord } else { Role::Text };
        lines.extend(wrap(outside(model, &message.text), room).into_iter().map(|line| (line, role)));
    }
    if lines.is_empty() {
        lines.push((
            "Nothing was said so far. What the status line says is kept here.".to_owned(),
            Role::Text,
        ));
    }
    let height = usize::from(bottom.saturating_sub(top));
    let most = lines.len().saturating_sub(height);
    let first = scroll.first.min(most);
    for (row, (line, role)) in (top..bottom).zip(lines.iter().skip(first)) {
        canvas.put(margin, row, line, *role);
    }
    if most > 0 {
        super::scrollbar(canvas, (top, bottom.saturating_sub(top)), first, height, lines.len());
    }
    if form != Form::Pane {
        let row = canvas.height().saturating_sub(2);
        status::line(model, canvas, row, &[]);
    }
    frame.scroll = Some((first, most));
}
