//! A record as it stands in its source, with its place.

use super::role::{Role, dim, text};
use super::shown::outside;
use super::{Frame, status};
use crate::app::layout::Form;
use crate::app::model::{Model, Raw};
use crate::text::{SafeText, redact_json, wrap};

/// Draws it.
pub fn draw(model: &Model, raw: &Raw, frame: &mut Frame) {
    let form = model.form();
    let margin = form.margin();
    let canvas = &mut frame.canvas;
    let end = canvas.width().saturating_sub(margin);
    let room = usize::from(end.saturating_sub(margin));
    let mut lines: Vec<(String, Role)> = Vec::new();
    match &raw.record {
        None => lines.push(("Reading the record.".to_owned(), Role::Dim)),
        Some(Err(trouble)) => {
            for sentence in [&trouble.what, &trouble.next] {
                lines.extend(wrap(outside(model, sentence), room).into_iter().map(|line| (line, Role::Text)));
                lines.push((String::new(), Role::Text));
            }
        }
        Some(Ok(record)) => {
            for (place, bytes) in &record.parts {
                lines.push((outside(model, place), Role::Dim));
                // A secret may go over several lines.
                for line in redact_json(bytes).lines() {
                    // Escapes are told apart from text that only looks like one.
                    let safe = SafeText::new(line).marked();
                    let safe = if model.setup.ascii { safe.to_ascii() } else { safe };
                    lines.extend(wrap(safe.as_str(), room).into_iter().map(|line| (line, Role::Text)));
                }
                lines.push((String::new(), Role::Text));
            }
        }
    }
    while lines.last().is_some_and(|(line, _)| line.is_empty()) {
        lines.pop();
    }
    let top = if form == Form::Pane { 2 } else { 3 };
    let bottom = canvas.height().saturating_sub(if form == Form::Pane { 1 } else { 3 });
    let height = usize::from(bottom.saturating_sub(top));
    let most = lines.len().saturating_sub(height);
    let first = raw.scroll.first.min(most);
    for (row, (line, role)) in (top..bottom).zip(lines.iter().skip(first)) {
        canvas.put(margin, row, line, *role);
    }
    if most > 0 {
        super::scrollbar(canvas, (top, bottom.saturating_sub(top)), first, height, lines.len());
    }
    if form != Form::Pane {
        let left = match &raw.record {
            Some(Ok(record)) => {
                let place = record.parts.first().map(|(place, _)| outside(model, place)).unwrap_or_default();
                vec![vec![text(outside(model, &raw.title)), dim(format!(" is {place}"))]]
            }
            _ => Vec::new(),
        };
        let row = canvas.height().saturating_sub(2);
        status::line(model, canvas, row, &left);
    }
    frame.scroll = Some((first, most));
}
