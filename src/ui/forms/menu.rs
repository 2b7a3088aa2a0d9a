//! The action menu: what has a letter first, what cannot be done dim with its reason.

use super::frame_of;
use crate::app::model::Model;
use crate::app::settle::menu::{Menu, lines};
use crate::text::{cut, width};
use crate::ui::Frame;
use crate::ui::role::Role;
use crate::ui::shown::outside;

/// Draws it over what lies below.
pub fn draw(model: &Model, menu: &Menu, frame: &mut Frame) {
    let canvas = &mut frame.canvas;
    canvas.behind();
    let lines = lines(model);
    let wide = canvas.width().saturating_sub(4).min(60);
    let left = canvas.width().saturating_sub(wide) / 2;
    // A line each, and one for the reason where it cannot be done.
    let mut rows: Vec<(usize, bool)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        rows.push((at, false));
        if line.not_now.is_some() && at == menu.selected {
            rows.push((at, true));
        }
    }
    let most = usize::from(canvas.height().saturating_sub(8));
    let seen = rows.len().min(most);
    let tall = u16::try_from(seen + 4).unwrap_or(8);
    let top = (canvas.height().saturating_sub(tall)) / 2;
    frame_of(canvas, (left, top), (wide, tall), &outside(model, &menu.title));
    let on = rows.iter().rposition(|(at, _)| *at == menu.selected).unwrap_or(0);
    let first = (on + 1).saturating_sub(seen);
    let end = left + wide - 2;
    for ((at, reason), row) in rows.iter().skip(first).take(seen).zip(top + 2..) {
        let Some(line) = lines.get(*at) else { continue };
        let room = usize::from(wide.saturating_sub(12));
        if *reason {
            let why = line.not_now.as_deref().unwrap_or_default();
            canvas.put(left + 9, row, &cut(format!("not now: {}", outside(model, why)), room), Role::Dim);
            continue;
        }
        let role = if line.not_now.is_some() { Role::Dim } else { Role::Text };
        let short = width(&line.key) == 1;
        if short {
            canvas.put(left + 3, row, &line.key, if line.not_now.is_some() { Role::Dim } else { Role::Key });
        } else {
            canvas.right(end, row, &line.key, Role::Dim);
        }
        canvas.put(left + 7, row, &cut(&line.words, room), role);
        if *at == menu.selected {
            canvas.put(left + 1, row, "▌", Role::Focus);
            canvas.select(left + 2..end, row);
        }
    }
    if rows.len() > seen {
        super::super::scrollbar_at(
            canvas,
            left + wide - 1,
            (top + 2, u16::try_from(seen).unwrap_or(1)),
            first,
            seen,
            rows.len(),
        );
    }
}
