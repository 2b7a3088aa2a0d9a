//! Fields for typing, and the buttons.

use super::{Block, Draw, Line};
use crate::app::settle::decide;
use crate::app::settle::dialogs::{self, Dialog};
use crate::app::settle::editor::Editor;
use crate::app::settle::field::{Field, Kind};
use crate::app::settle::form::{Phase, Stop};
use crate::lifecycle::guards;
use crate::text::width;
use crate::ui::role::{Role, Span, dim, strong, text};

/// Lines of a note that are seen at once.
const SEEN: usize = 6;

/// A field with its hint.
pub(super) fn block(draw: &Draw<'_>, field: Field) -> Block {
    match field.row().kind {
        Kind::Choice | Kind::Ticks => super::answers::block(draw, field),
        Kind::Line => line(draw, field),
        Kind::Note => note(draw),
    }
}

fn line(draw: &Draw<'_>, field: Field) -> Block {
    let empty = Editor::default();
    let editor = draw.form.values.get(&field).unwrap_or(&empty);
    let focused = draw.form.stop == Stop::Field(field);
    let hint = hint(draw, field);
    let room = draw.room.saturating_sub(width(&hint) + 3).max(12);
    let mut spans = shown(draw, &editor.text(), focused.then(|| editor.caret()), room);
    let used: usize = spans.iter().map(|span| width(&span.text)).sum();
    spans.push(text(" ".repeat(16_usize.saturating_sub(used).max(2))));
    spans.push(dim(hint));
    vec![Line { label: draw.label(field), spans, focus: focused, ..Line::default() }]
}

/// A typed line with its caret; where it is too long, the part around the caret.
fn shown(draw: &Draw<'_>, typed: &str, caret: Option<usize>, room: usize) -> Vec<Span> {
    let part = |chars: &[char]| draw.outside(&chars.iter().collect::<String>());
    let chars: Vec<char> = typed.chars().collect();
    let at = caret.unwrap_or(0).min(chars.len());
    let from = if chars.len() < room { 0 } else { at.saturating_sub(room.saturating_sub(2)) };
    let until = (from + room.saturating_sub(1)).min(chars.len());
    let before = chars.get(from..at.max(from)).unwrap_or_default();
    let behind = chars.get(at.max(from)..until.max(at)).unwrap_or_default();
    match caret {
        Some(_) => vec![
            Span::new(part(before), Role::Input),
            Span::new("▏", Role::Focus),
            Span::new(part(behind), Role::Input),
        ],
        None if chars.is_empty() => vec![dim("–")],
        None => vec![text(part(chars.get(from..until).unwrap_or_default()))],
    }
}

/// What stands beside a field.
fn hint(draw: &Draw<'_>, field: Field) -> String {
    if field == Field::Deadline
        && let Some(looked) = draw.form.book()
    {
        let most = format!("{}h", looked.policy.max_extension / crate::model::time::HOUR);
        let typed = draw.form.value(Field::Deadline);
        return match decide::moment(&typed, looked.now) {
            Some(at) => format!("until {}, at most {most}", draw.shown.minute(at)),
            None => format!("a time, or 4h; at most {most}"),
        };
    }
    if field == Field::Delivered && draw.form.value(field).trim().is_empty() {
        return if draw.wide {
            "ticket, page or message; else: undelivered"
        } else {
            "ticket, page, message"
        }
        .to_owned();
    }
    field.row().hint.to_owned()
}

/// The note in lines, with its length and the button of the editor.
fn note(draw: &Draw<'_>) -> Block {
    let empty = Editor::default();
    let editor = draw.form.values.get(&Field::Note).unwrap_or(&empty);
    let focused = draw.form.stop == Stop::Field(Field::Note);
    let chars: Vec<char> = editor.text().chars().collect();
    let room = draw.room.saturating_sub(2).max(10);
    // Each line: its characters and where the first of them stands in the note.
    let mut lines: Vec<(usize, Vec<char>)> = Vec::new();
    let mut start = 0;
    for part in chars.split(|c| *c == '\n') {
        for (at, piece) in pieces(part, room) {
            lines.push((start + at, piece));
        }
        start += part.len() + 1;
    }
    if lines.is_empty() {
        lines.push((0, Vec::new()));
    }
    let caret = editor.caret();
    let on = lines.iter().rposition(|(from, _)| *from <= caret).unwrap_or(0);
    let first = if focused { (on + 1).saturating_sub(SEEN) } else { 0 };
    let mut out: Vec<Line> = Vec::new();
    for (at, (from, piece)) in lines.iter().enumerate().skip(first).take(SEEN) {
        let here = focused && at == on;
        let typed: String = piece.iter().collect();
        let role = if focused { Role::Input } else { Role::Text };
        let spans = if here {
            shown(draw, &typed, Some(caret.saturating_sub(*from).min(piece.len())), room + 2)
        } else if typed.is_empty() && lines.len() == 1 {
            vec![dim("–")]
        } else {
            vec![Span::new(draw.outside(&typed), role)]
        };
        out.push(Line { spans, focus: here, ..Line::default() });
    }
    let policy = draw.form.book().map(|looked| looked.policy.clone()).unwrap_or_default();
    let last = draw.form.fact().map(|facts| facts.last_note.clone()).unwrap_or_default();
    let words = match guards::note(&editor.text(), &last, &policy) {
        Ok(()) => {
            let tail = if draw.wide { "; it cannot be erased" } else { "" };
            let count = editor.text().trim().chars().count();
            format!("{count} characters, at least {}{tail}", policy.note_min)
        }
        Err(_) if editor.text().trim().is_empty() => {
            let of = if draw.wide { " that decides it; at least {} characters" } else { "; at least {}" };
            format!("what was seen, and why{}", of.replace("{}", &policy.note_min.to_string()))
        }
        Err(refusal) => refusal.because,
    };
    let button = if draw.form.stop == Stop::Editor { Role::Button } else { Role::Text };
    out.push(Line {
        spans: vec![dim(draw.outside(&words)), text("   "), Span::new("Editor", button)],
        focus: draw.form.stop == Stop::Editor,
        ..Line::default()
    });
    if let Some(first) = out.first_mut() {
        first.label = "Note";
    }
    out
}

/// A paragraph in pieces of at most so many cells, broken at blanks; each with where it begins.
fn pieces(part: &[char], room: usize) -> Vec<(usize, Vec<char>)> {
    let mut out = Vec::new();
    let mut from = 0;
    while part.len() - from > room {
        let window = part.get(from..from + room).unwrap_or_default();
        let at = window.iter().rposition(|c| *c == ' ').map_or(room, |at| at + 1);
        out.push((from, part.get(from..from + at).unwrap_or_default().to_vec()));
        from += at;
    }
    out.push((from, part.get(from..).unwrap_or_default().to_vec()));
    out
}

/// The last line: what has to be typed first, Cancel, and the button.
pub(super) fn buttons(draw: &Draw<'_>) -> Block {
    let form = draw.form;
    let done = matches!(form.phase, Phase::Done(_)) || form.dialog == Dialog::Waiting;
    if done {
        return vec![done_buttons(draw)];
    }
    let mut spans = Vec::new();
    let typed = form.book().and_then(|_| dialogs::to_type(form, draw.case));
    let mut focus = matches!(form.stop, Stop::Cancel | Stop::Confirm);
    if let Some(word) = typed {
        let what = if form.dialog == Dialog::Many { "the count " } else { "" };
        spans.push(text(format!("To write it, type {what}")));
        spans.push(strong(draw.outside(&word)));
        spans.push(text("  "));
        let focused = form.stop == Stop::Field(Field::Typed);
        focus |= focused;
        let empty = Editor::default();
        let editor = form.values.get(&Field::Typed).unwrap_or(&empty);
        let own = draw.outside(&editor.text());
        let room = width(&word) + 1;
        spans.push(Span::new(own.clone(), Role::Input));
        if focused {
            spans.push(Span::new("▏", Role::Focus));
        }
        let used = width(&own) + usize::from(focused);
        spans.push(Span::new(" ".repeat(room.saturating_sub(used)), Role::Input));
        spans.push(text("   "));
    }
    let button = |stop: Stop, words: &str, else_: Role| {
        let role = if form.stop == stop { Role::Button } else { else_ };
        Span::new(format!(" {words} "), role)
    };
    spans.push(button(Stop::Cancel, "Cancel", Role::Text));
    spans.push(text("   "));
    let ready = form.missing(draw.case).is_none();
    let words = if matches!(form.phase, Phase::Refused(_)) && !ready {
        "Write".to_owned()
    } else {
        dialogs::button(form, draw.case)
    };
    spans.push(button(Stop::Confirm, &words, if ready { Role::Text } else { Role::Dim }));
    let mut lines = vec![Line { spans, focus, ..Line::default() }];
    // Why the button is dim.
    if form.book().is_some()
        && let Some(why) = form.missing(draw.case)
        && !matches!(form.phase, Phase::Writing)
    {
        lines.push(super::hint(format!("not yet: {}", draw.outside(&why))));
    }
    lines
}

fn done_buttons(draw: &Draw<'_>) -> Line {
    let form = draw.form;
    let button = |stop: Stop, words: &str| {
        let role = if form.stop == stop { Role::Button } else { Role::Text };
        Span::new(format!(" {words} "), role)
    };
    let waits =
        form.dialog == Dialog::Waiting || matches!(&form.phase, Phase::Done(done) if done.waits.is_some());
    let mut spans = vec![button(Stop::Cancel, "Done")];
    if waits {
        spans.extend([
            text("     "),
            button(Stop::Copy, "Copy the three commands"),
            text("   "),
            button(Stop::TakeBack, "Take it back"),
        ]);
    }
    Line { spans, focus: true, ..Line::default() }
}
