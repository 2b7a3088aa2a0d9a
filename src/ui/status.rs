//! The last two rows: where the facts come from, and the keys of this place.

use super::canvas::Canvas;
use super::role::{Role, Span, dim, text, width_of};
use super::shown::{Shown, counted, file_name, outside, position};
use crate::app::keymap;
use crate::app::layout::Form;
use crate::app::model::{Context, Layer, Model};
use crate::judge::view::SourceView;
use crate::text::cut;

/// Draws the keys of a place into the last row.
pub fn keys(model: &Model, canvas: &mut Canvas, context: Context, next: &str) {
    let form = model.form();
    let row = canvas.height().saturating_sub(1);
    // Where there is no line for it, a message or the field takes the line of the keys and gives it back.
    let typing = matches!(model.layers.last(), Some(Layer::Find(_)));
    if form == Form::Pane && (model.message.is_some() || typing) {
        line(model, canvas, row, &[]);
        return;
    }
    let gap = if form == Form::Wide { 3 } else { 2 };
    let end = canvas.width().saturating_sub(form.margin());
    let mut column = form.margin();
    for (_, key, words) in keymap::footer(model, context, next) {
        let cells =
            u16::try_from(crate::text::width(&key) + 1 + crate::text::width(&words)).unwrap_or(u16::MAX);
        if column.saturating_add(cells) > end {
            break;
        }
        column = canvas.put(column, row, &key, Role::Key);
        column = canvas.put(column + 1, row, &words, Role::Dim) + gap;
    }
}

/// Draws the status line: a message or the field of the filter takes its left part and gives it back.
pub fn line(model: &Model, canvas: &mut Canvas, row: u16, left: &[Vec<Span>]) {
    let form = model.form();
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    if let Some(Layer::Find(find)) = model.layers.last() {
        field(model, canvas, row, &find.text);
        return;
    }
    if let Some(message) = &model.message {
        let role = if message.error { Role::AskWord } else { Role::Text };
        let words = outside(model, &message.text);
        let mut room = usize::from(end.saturating_sub(margin));
        // A message takes the left part; the audit head stays where both have room.
        let head = head(model);
        if !head.is_empty() && crate::text::width(&words) + crate::text::width(&head) + 2 <= room {
            canvas.right(end, row, &head, Role::Dim);
            room = room.saturating_sub(crate::text::width(&head) + 2);
        }
        canvas.put(margin, row, &cut(words, room), role);
        return;
    }
    // Without a book there is no audit head; that it is not a case is said where it fits.
    let files = !model.setup.in_case && model.case().is_some();
    let right = if files { "not a case".to_owned() } else { head(model) };
    let gap = if form == Form::Wide { 3 } else { 2 };
    let mut column = margin;
    for part in left {
        let cells = u16::try_from(width_of(part)).unwrap_or(u16::MAX);
        if column.saturating_add(cells) > end {
            break;
        }
        column = canvas.spans(column, row, part) + gap;
    }
    let room = end.saturating_sub(column);
    if usize::from(room) >= crate::text::width(&right) {
        canvas.right(end, row, &right, Role::Dim);
    }
}

/// The audit head: `audit 41 · 7c1e9a02`; empty before the first entry.
fn head(model: &Model) -> String {
    let (seq, hash) = &model.head;
    if *seq == 0 {
        return String::new();
    }
    let between = if model.form() == Form::Wide { " · " } else { " " };
    format!("audit {seq}{between}{}", crate::text::short_hash(hash))
}

/// The field of the filter: what is typed, and how many rows it leaves and hides.
fn field(model: &Model, canvas: &mut Canvas, row: u16, typed: &str) {
    let form = model.form();
    let end = canvas.width().saturating_sub(form.margin());
    let (shown, all) = counts(model);
    let odd = crate::query::Query::odd(typed)
        .map(|term| format!("{} is not understood", outside(model, &cut(term, 24))));
    let count = odd.unwrap_or_else(|| {
        format!(
            "{} of {}, {} not shown",
            keymap::thousands(shown),
            keymap::thousands(all),
            keymap::thousands(all.saturating_sub(shown))
        )
    });
    let start = canvas.right(end, row, &count, Role::Dim);
    let column = canvas.put(form.margin(), row, "/", Role::Key) + 1;
    let room = usize::from(start.saturating_sub(column).saturating_sub(3));
    // The end of what is typed is what matters.
    let text: String = {
        let safe = outside(model, typed);
        let mut tail: Vec<char> = safe.chars().collect();
        while crate::text::width(&tail.iter().collect::<String>()) > room && !tail.is_empty() {
            tail.remove(0);
        }
        tail.into_iter().collect()
    };
    let column = canvas.put(column, row, &text, Role::Input);
    canvas.put(column, row, "▏", Role::Focus);
}

/// Rows of the list that a filter leaves, and all of them. Rows without an attempt are not counted here, as in the
/// summary (`7-commands.md` 7.5.7).
pub fn counts(model: &Model) -> (u64, u64) {
    let rows = model.case().map_or(0, |case| case.summary().rows);
    (model.list.counted() as u64, rows)
}

/// The ledger that the status line names: the first that moves money and could be read, else any source.
fn main_source(shown: &Shown<'_>) -> Option<SourceView> {
    let ledger = |source: &&SourceView| source.what == "ledger" && source.error.is_none();
    let moves = shown.sources.iter().filter(ledger).find(|source| source.meaning != "copy");
    moves.or_else(|| shown.sources.iter().find(ledger)).or_else(|| shown.sources.first()).cloned()
}

/// Where the facts of the list come from.
pub fn sources(model: &Model) -> Vec<Vec<Span>> {
    let (Some(shown), Some(case)) = (Shown::of(model), model.case()) else {
        return Vec::new();
    };
    let summary = case.summary();
    let mut parts = match main_source(&shown) {
        Some(source) if model.form() == Form::Wide => wide(&shown, &source),
        Some(source) => compact(model, &shown, &source),
        None => Vec::new(),
    };
    if let Some(unit) = &summary.currency_assumed {
        parts.push(vec![dim(format!("{} assumed", shown.outside(unit)))]);
    }
    for (count, noun) in [(summary.unreadable_ledger, "row"), (summary.unreadable_trace, "line")] {
        if count > 0 {
            parts.push(vec![Span::new(format!("{} unreadable", counted(count, noun)), Role::AskWord)]);
        }
    }
    if let Some(percent) = case.stopped() {
        parts.insert(0, vec![Span::new(format!("stopped at {percent} %"), Role::AskWord)]);
    }
    if let Some(again) = &model.again {
        let words = match (again.stopping, again.percent()) {
            (true, _) => "stopping".to_owned(),
            (false, Some(percent)) => format!("reading again, {percent} %"),
            (false, None) => "reading again".to_owned(),
        };
        parts.insert(0, vec![text(words)]);
    }
    parts
}

fn wide(shown: &Shown<'_>, source: &SourceView) -> Vec<Vec<Span>> {
    let name = text(shown.outside(file_name(&source.path)));
    let read_at = source.read_at.map(|at| shown.second(at));
    if source.read_at_is_newest {
        let read = read_at.map_or(String::new(), |at| format!(" read no earlier than {at}, its newest row"));
        let mut parts = vec![vec![name, dim(read)]];
        if let Some(from) = source.complete_from(|at| shown.second(at)) {
            parts.push(vec![dim(format!("taken as complete from {from}"))]);
        }
        return parts;
    }
    let mut words = read_at.map_or_else(|| " not read".to_owned(), |at| format!(" read {at}"));
    if !source.position.is_empty() {
        words.push_str(", complete to ");
        words.push_str(&shown.outside(&position(&source.position)));
        if let Some(newest) = source.newest {
            words.push_str(" of ");
            words.push_str(&shown.second(newest));
        }
    }
    vec![vec![name, dim(words)]]
}

fn compact(model: &Model, shown: &Shown<'_>, source: &SourceView) -> Vec<Vec<Span>> {
    if model.setup.in_case {
        let mut parts = vec![vec![text(outside(model, &model.setup.name))]];
        if let Some(newest) = source.newest.or(source.read_at) {
            parts.push(vec![dim(format!("ledger to {}", shown.second(newest)))]);
        }
        return parts;
    }
    let to = source.newest.or(source.read_at).map(|at| format!("to {}", shown.second(at)));
    let from = source.complete_from(|at| shown.second(at)).map(|from| format!("from {from}"));
    let range: Vec<String> = to.into_iter().chain(from).collect();
    vec![vec![text(shown.outside(file_name(&source.path)))], vec![dim(range.join(", "))]]
}
