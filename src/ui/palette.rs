//! The palette: a field, and below it every action that matches, with its key or the reason why not now.

use super::boxed::{self, Place};
use super::canvas::Canvas;
use super::role::Role;
use super::shown::outside;
use crate::app::layout::Form;
use crate::app::model::Model;
use crate::app::palette::{Found, Palette, offered};
use crate::text::{cut, width};

/// Draws the box over what is there.
pub fn draw(model: &Model, palette: &Palette, canvas: &mut Canvas) {
    let form = model.form();
    canvas.behind();
    let (total, height) = (canvas.width(), canvas.height());
    let cells = match form {
        Form::Wide => 80,
        Form::Compact => 72,
        _ => total.saturating_sub(2),
    };
    let (x, y) = (total.saturating_sub(cells) / 2, if form == Form::Wide { 4 } else { 2 });
    let most = usize::from(height.saturating_sub(y + 6));
    let seen = seen(palette, most);
    let lines: usize = seen.iter().map(|(_, found)| lines_of(found)).sum();
    let rows = u16::try_from(lines.max(1)).unwrap_or(1) + 4;
    let place = Place { x, y, width: cells, rows };
    boxed::draw(canvas, place);
    field(model, palette, canvas, place);
    if palette.found.is_empty() {
        canvas.put_until(
            x + 3,
            y + 3,
            place.right(),
            "No action has that name. esc closes the palette.",
            Role::Text,
        );
        return;
    }
    let mut row = y + 3;
    for (at, found) in seen {
        action(found, at == palette.selected, canvas, place, row);
        row += u16::try_from(lines_of(found)).unwrap_or(1);
    }
    let (first, all) = (first_of(palette, most), palette.found.len());
    let fits = all_fit(palette, most);
    if !fits {
        let tall = (y + 3, rows.saturating_sub(4));
        super::scrollbar_at(canvas, place.right(), tall, first, all_seen(palette, first, most), all);
    }
}

fn lines_of(found: &Found) -> usize {
    1 + usize::from(found.refusal.is_some())
}

fn all_fit(palette: &Palette, most: usize) -> bool {
    palette.found.iter().map(lines_of).sum::<usize>() <= most
}

fn all_seen(palette: &Palette, first: usize, most: usize) -> usize {
    let mut left = most;
    let rest = palette.found.iter().skip(first);
    rest.take_while(|found| {
        let fits = lines_of(found) <= left;
        left = left.saturating_sub(lines_of(found));
        fits
    })
    .count()
}

/// The first one to be seen: the selected one is always in view.
fn first_of(palette: &Palette, most: usize) -> usize {
    (0..=palette.selected)
        .find(|first| first + all_seen(palette, *first, most) > palette.selected)
        .unwrap_or(0)
}

fn seen(palette: &Palette, most: usize) -> Vec<(usize, &Found)> {
    let first = first_of(palette, most);
    palette.found.iter().enumerate().skip(first).take(all_seen(palette, first, most)).collect()
}

/// `: res▏          4 of 58 actions`.
fn field(model: &Model, palette: &Palette, canvas: &mut Canvas, place: Place) {
    let row = place.y + 1;
    let count = format!("{} of {} actions", palette.found.len(), offered().count());
    let start = canvas.right(place.right().saturating_sub(1), row, &count, Role::Dim);
    let column = canvas.put(place.x + 2, row, ":", Role::Key) + 1;
    let room = usize::from(start.saturating_sub(column + 3));
    // The end of what is typed is what matters.
    let mut tail: Vec<char> = outside(model, &palette.text).chars().collect();
    while width(&tail.iter().collect::<String>()) > room && !tail.is_empty() {
        tail.remove(0);
    }
    let column = canvas.put(column, row, &tail.into_iter().collect::<String>(), Role::Input);
    canvas.put(column, row, "▏", Role::Focus);
}

fn action(found: &Found, selected: bool, canvas: &mut Canvas, place: Place, row: u16) {
    let possible = found.refusal.is_none();
    let plain = if possible { Role::Text } else { Role::Dim };
    if selected {
        canvas.select(place.x + 2..place.right(), row);
        canvas.put(place.x + 1, row, "▌", Role::Focus);
    }
    let keys = found.entry.keys.first().map(|key| key.shown()).unwrap_or_default();
    let end = canvas.right(place.right().saturating_sub(2), row, &keys, Role::Key).saturating_sub(2);
    let start = place.x + 4;
    let mut column = start;
    for (at, letter) in found.entry.title.chars().enumerate() {
        let role = if found.letters.contains(&at) && possible { Role::Match } else { plain };
        let letter = if at == 0 { letter.to_uppercase().collect::<String>() } else { letter.to_string() };
        column = canvas.put_until(column, row, end, &letter, role);
    }
    if selected {
        canvas.words(start..column, row);
    }
    if let Some(reason) = &found.refusal {
        let room = usize::from(place.right().saturating_sub(start + 1));
        canvas.put(start, row + 1, &cut(format!("not now: {reason}"), room), Role::Dim);
    }
}
