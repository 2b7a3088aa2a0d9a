//! Screens without a list: nothing loaded, reading, nothing wrong, could not be read, too small.

use super::canvas::Canvas;
use super::role::{Role, Span, dim, strong, text};
use super::shown::{Shown, counted, file_name, outside, position};
use super::{status, triage};
use crate::app::keymap::thousands;
use crate::app::layout::{FORMS, Form};
use crate::app::model::Model;
use crate::app::progress::{Failure, Loading};
use crate::text::{cut, wrap};

/// The terminal is too small (`6-screens.md` 7.1.1).
pub fn too_small(canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    let (_, least_width, least_height) = FORMS[FORMS.len() - 1];
    let text = format!("this terminal is {width} x {height}, recount needs {least_width} x {least_height}");
    let lines = wrap(text, usize::from(width));
    let top = height.saturating_sub(u16::try_from(lines.len()).unwrap_or(1)) / 2;
    for (row, line) in (top..height).zip(lines) {
        canvas.put(0, row, &line, Role::Text);
    }
}

/// Nothing was given and nothing was found.
pub fn first_run(model: &Model, canvas: &mut Canvas) {
    let margin = model.form().margin();
    let width = canvas.width();
    let end = width.saturating_sub(margin);
    canvas.put(margin, 3, "Count again what really happened.", Role::Strong);
    canvas.put_until(
        margin,
        4,
        end,
        "An attempt is what was tried. An effect is what the ledger holds.",
        Role::Text,
    );
    let height = canvas.height();
    let mut row = 6;
    if width >= 80 && height >= 24 {
        picture(canvas, margin, row);
        row += 10;
    }
    let folder = cut(outside(model, &model.setup.folder), usize::from(width / 2));
    let found = if model.setup.folder_readable {
        format!("{folder} has files that can be read.")
    } else {
        format!("In {folder} is no case, no trace and no ledger.")
    };
    for line in wrap(found, usize::from(end.saturating_sub(margin))) {
        canvas.put(margin, row, &line, Role::Text);
        row += 1;
    }
    row += 1;
    let here: (&str, &str) = ("recount .", "the files in this folder, which are only read");
    let demo: (&str, &str) = ("recount demo", "this refund, with sample data");
    let own: (&str, &str) = (
        "recount trace.jsonl payments.db",
        "your own files, which are only read",
    );
    let commands = if model.setup.folder_readable {
        [here, demo, own]
    } else {
        [demo, own, ("", "")]
    };
    for (command, meaning) in commands.into_iter().filter(|(command, _)| !command.is_empty()) {
        let column = canvas.put_until(margin + 2, row, end, command, Role::Strong);
        canvas.put_until(column.max(margin + 35) + 1, row, end, meaning, Role::Dim);
        row += 1;
    }
    row += 1;
    if row + 1 < height {
        canvas.put_until(
            margin,
            row.max(height.saturating_sub(2).min(22)),
            end,
            "Files are only read. Nothing is sent anywhere.",
            Role::Dim,
        );
    }
}

/// Two attempts, two rows, one intended: what the program shows.
fn picture(canvas: &mut Canvas, margin: u16, top: u16) {
    let (bracket, right) = (34, 48);
    let end = 78;
    canvas.put(margin, top, "Tried", Role::Strong);
    canvas.put(right, top, "In the ledger", Role::Strong);
    let attempts = [
        (
            "attempt 1",
            "08:40:58",
            '?',
            "answer lost",
            "08:41:00",
            "08:40:59",
            "rfd_a1",
            Role::Ask,
        ),
        (
            "attempt 2",
            "08:41:07",
            '✓',
            "answered: done",
            "08:41:09",
            "08:41:08",
            "rfd_b2",
            Role::Text,
        ),
    ];
    let mut row = top + 1;
    for (name, sent, mark, words, ended, committed, id, role) in attempts {
        canvas.put(margin, row, name, Role::Text);
        canvas.put(23, row, sent, Role::Text);
        canvas.put(bracket, row, "╮", Role::Text);
        canvas.put(bracket, row + 1, "├", Role::Text);
        canvas.fill(bracket + 1..right - 2, row + 1, '─', Role::Text);
        canvas.put(right, row + 1, committed, Role::Text);
        canvas.put(right + 10, row + 1, id, Role::Text);
        canvas.right(end, row + 1, "200.00", Role::Text);
        let column = canvas.put(margin, row + 2, &mark.to_string(), role);
        canvas.put(column + 1, row + 2, words, Role::Text);
        canvas.put(23, row + 2, ended, Role::Text);
        canvas.put(bracket, row + 2, "╯", Role::Text);
        row += 4;
    }
    canvas.fill(end - 8..end, row - 2, '─', Role::Faint);
    canvas.put(right, row - 1, "2 where 1 was intended", Role::Wrong);
    canvas.right(end, row - 1, "400.00", Role::Wrong);
}

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
    let rule = if wide {
        height.saturating_sub(14)
    } else {
        height.saturating_sub(7)
    };
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
fn gauge(
    model: &Model,
    source: &crate::app::progress::Reading,
    canvas: &mut Canvas,
    row: u16,
    margin: u16,
    end: u16,
) {
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
    canvas.put(
        margin + 11,
        row,
        &cut(outside(model, &source.name), name_room),
        Role::Text,
    );
    let filled = match source.of {
        0 => 0,
        of => u16::try_from(u64::from(cells) * source.bytes.min(of) / of).unwrap_or(0),
    };
    canvas.fill(start..start + cells, row, '─', Role::Faint);
    canvas.fill(start..start + filled, row, '━', Role::Focus);
    let mut column = canvas.put_until(
        start + cells + 3,
        row,
        end,
        &bytes(source.bytes, source.of),
        Role::Text,
    );
    if !source.records.is_empty() {
        column += 3;
        canvas.put_until(column, row, end, &outside(model, &source.records), Role::Dim);
    }
}

/// `274 of 548 MB`.
fn bytes(read: u64, of: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    let (unit, name) = UNITS
        .iter()
        .find(|(unit, _)| of.max(read) >= *unit)
        .copied()
        .unwrap_or((1, "B"));
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
        &[
            (13, "what happened", false),
            (42, "operation", false),
            (65, "at risk", true),
            (78, "due", true),
        ]
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

/// Nothing wrong: what was seen, what was lost, what was not judged.
pub fn clean(model: &Model, canvas: &mut Canvas) {
    let Some(shown) = Shown::of(model) else {
        return;
    };
    let (form, summary) = (model.form(), shown.summary);
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let room = usize::from(end.saturating_sub(margin)).min(106);
    let top = if form == Form::Wide { 3 } else { 2 };
    let column = canvas.put(
        margin,
        top,
        summary.result.words(),
        triage::result_role(summary.result),
    ) + 3;
    let lost = match summary.answers_lost {
        0 => String::new(),
        lost => format!(", {} of them with a lost answer", thousands(lost)),
    };
    canvas.put_until(
        column,
        top,
        end,
        &format!("{} as intended{lost}", thousands(summary.clean)),
        Role::Text,
    );
    let bottom = canvas.height().saturating_sub(2);
    let sentence = format!(
        "{}, {} and {} agree, as far as was read.",
        counted(summary.intents, "operation"),
        counted(summary.attempts, "attempt"),
        counted(summary.effects, "effect")
    );
    let mut row = lines(canvas, (margin, top + 3), room, bottom, &sentence) + 1;
    for (label, fact) in seen(&shown) {
        if row < bottom {
            canvas.put(margin, row, label, Role::Dim);
        }
        let start = margin + 12;
        row = lines(
            canvas,
            (start, row),
            usize::from(end.saturating_sub(start)),
            bottom,
            &fact,
        );
    }
    let limit = "This says what was seen. It does not show that other runs behave the same.";
    row = lines(canvas, (margin, row + 1), room, bottom, limit) + 2;
    if row < bottom {
        let words = margin + if form == Form::Wide { 7 } else { 6 };
        canvas.put(margin, row, "Next", Role::Strong);
        let all = format!(" lists all {}.", thousands(summary.rows));
        canvas.spans(
            words,
            row,
            &[text("Nothing to do. "), Span::new("enter", Role::Key), text(all)],
        );
    }
    if form != Form::Pane {
        status::line(model, canvas, bottom, &status::sources(model));
    }
}

/// Writes a text in lines, not below a row; gives the row behind it.
fn lines(canvas: &mut Canvas, (column, row): (u16, u16), room: usize, bottom: u16, text: &str) -> u16 {
    let mut row = row;
    for line in wrap(text, room.min(106)) {
        if row < bottom {
            canvas.put(column, row, &line, Role::Text);
        }
        row += 1;
    }
    row
}

/// What was read, what was lost, what was not judged.
fn seen(shown: &Shown<'_>) -> Vec<(&'static str, String)> {
    let summary = shown.summary;
    let of = |what: &'static str| shown.sources.iter().filter(move |source| source.what == what);
    let mut facts: Vec<_> = of("ledger")
        .chain(of("trace"))
        .map(|source| ("", read(shown, source)))
        .collect();
    if let Some((label, _)) = facts.first_mut() {
        *label = "read";
    }
    let lost = summary.answers_lost;
    if lost > 0 {
        let each = if lost == 1 {
            "its effect is there once"
        } else {
            "each effect is there once"
        };
        let were = if lost == 1 { "was" } else { "were" };
        facts.push(("lost", format!("{} {were} lost, {each}", counted(lost, "answer"))));
    }
    let outside = match summary.outside {
        Some(outside) => format!("{} outside the trace", counted(outside, "row")),
        None => "rows outside the trace were not counted".to_owned(),
    };
    let unreadable = counted(summary.unreadable_trace + summary.unreadable_ledger, "record");
    facts.push(("not judged", format!("{outside}, {unreadable} unreadable")));
    facts
}

/// How far a source was read.
fn read(shown: &Shown<'_>, source: &crate::judge::view::SourceView) -> String {
    let name = shown.outside(file_name(&source.path));
    if let Some(error) = &source.error {
        return format!("{name} was not read: {}", shown.outside(error));
    }
    if source.what == "trace" {
        let window = source
            .window
            .map(|(from, to)| format!(", {} to {}", shown.second(from), shown.second(to)));
        let complete = if shown.summary.trace_complete {
            "declared complete"
        } else {
            "not declared complete"
        };
        return format!("{name}{}, {complete}", window.unwrap_or_default());
    }
    let at = source
        .read_at
        .map(|at| format!(" at {}", shown.second(at)))
        .unwrap_or_default();
    let from = source
        .covers_from
        .or(source.oldest)
        .map(|from| format!(", complete from {}", shown.minute(from)));
    let to = match position(&source.position) {
        to if to.is_empty() => String::new(),
        to => format!(" to {}", shown.outside(&to)),
    };
    format!("{name}{at}{}{to}", from.unwrap_or_default())
}

/// Could not be loaded: what, what was seen, what to do next.
pub fn failed(model: &Model, failure: &Failure, canvas: &mut Canvas) {
    let form = model.form();
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let top = if form == Form::Wide { 3 } else { 2 };
    let column = canvas.put(margin, top, "INPUT ERROR", Role::Wrong) + 3;
    canvas.put_until(column, top, end, &outside(model, &failure.headline), Role::Text);
    let bottom = canvas
        .height()
        .saturating_sub(if form == Form::Pane { 1 } else { 2 });
    let start = margin + 10;
    let room = usize::from(end.saturating_sub(start)).min(106);
    let mut row = if form == Form::Pane { top + 2 } else { top + 3 };
    let put = |canvas: &mut Canvas, row: &mut u16, start: u16, text: &str, role: Role| {
        let room = if start == margin {
            usize::from(end.saturating_sub(margin))
        } else {
            room
        };
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
    put(
        canvas,
        &mut row,
        start,
        &outside(model, &failure.what),
        Role::Text,
    );
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
        put(
            canvas,
            &mut row,
            start,
            &outside(model, &failure.next),
            Role::Text,
        );
    }
    if let Some(command) = &failure.command {
        put(canvas, &mut row, start, &outside(model, command), Role::Strong);
    }
    // The line that copies the command has its place below it.
    row = (row + 3).min(
        bottom
            .saturating_sub(u16::try_from(failure.kept.len()).unwrap_or(0))
            .max(row),
    );
    for line in &failure.kept {
        put(canvas, &mut row, margin, &outside(model, line), Role::Dim);
    }
    if form != Form::Pane {
        let (source, matter) = &failure.status;
        let left = vec![
            vec![text(outside(model, source))],
            vec![dim(outside(model, matter))],
        ];
        status::line(model, canvas, bottom, &left);
    }
}

/// Lines of one part are sentences; lines of several are a table.
fn table(model: &Model, lines: &[Vec<String>]) -> Vec<String> {
    let columns = lines
        .iter()
        .filter(|line| line.len() > 1)
        .map(Vec::len)
        .max()
        .unwrap_or(0);
    let widest = |column: usize| {
        let cells = lines
            .iter()
            .filter(|line| line.len() > 1)
            .filter_map(|line| line.get(column));
        cells
            .map(|cell| crate::text::width(&outside(model, cell)))
            .max()
            .unwrap_or(0)
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
