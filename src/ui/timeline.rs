//! The timeline of an operation: lanes per clock over an axis, then its events in order (`6-screens.md`, timeline).

use super::canvas::Canvas;
use super::role::{Role, Span, dim, strong, text};
use super::shown::{Shown, shift};
use super::status;
use crate::app::layers::Course;
use crate::app::layout::Form;
use crate::app::model::Model;
use crate::judge::timeline::{Bracket, Event, Gap, LaneKind, Mark, MarkKind, Weight, Window, ticks};
use crate::model::time::{Micros, gap, span};
use crate::text::{cut, width};

/// Where the axis begins, and where the parts of an event stand.
struct Columns {
    axis: u16,
    bracket: u16,
    time: u16,
    since: Option<u16>,
    subject: u16,
    what: u16,
    note: Option<u16>,
}

const WIDE: Columns =
    Columns { axis: 16, bracket: 4, time: 6, since: Some(21), subject: 29, what: 41, note: Some(79) };
const COMPACT: Columns =
    Columns { axis: 15, bracket: 2, time: 4, since: None, subject: 18, what: 29, note: Some(58) };
const PANE: Columns =
    Columns { axis: 0, bracket: 1, time: 2, since: None, subject: 15, what: 26, note: None };

/// Cells between two ticks of the axis.
const TICK: u16 = 10;

/// The axis of one drawing.
struct Axis {
    from: u16,
    cells: u16,
    window: Window,
}

impl Axis {
    fn column(&self, at: Micros) -> u16 {
        self.from + self.window.cell(at, self.cells)
    }

    fn end(&self) -> u16 {
        self.from + self.cells
    }
}

/// Draws it.
pub fn draw(model: &Model, course: &Course, canvas: &mut Canvas) {
    let Some(shown) = Shown::of(model) else { return };
    let form = model.form();
    let columns = match form {
        Form::Wide => WIDE,
        Form::Compact => COMPACT,
        _ => PANE,
    };
    let status_row = canvas.height().saturating_sub(if form == Form::Pane { 1 } else { 2 });
    let mut row = if form == Form::Wide { head(course, canvas, &shown) } else { 2 };
    if form != Form::Pane && !course.timeline.window.is_none() {
        row = lanes(course, canvas, &shown, &columns, row, form);
    }
    let legend = legend(course, form);
    let bottom = status_row.saturating_sub(if legend.is_empty() { 0 } else { legend_rows(&legend) + 1 });
    events(course, canvas, &shown, &columns, row, bottom, form);
    for (at, line) in (bottom + 1..status_row).zip(&legend) {
        canvas.put(form.margin(), at, line, Role::Dim);
    }
    if form != Form::Pane {
        let place = course.timeline.events.get(course.selected).map(|event| shown.outside(&event.place));
        let subject = course.timeline.events.get(course.selected).map(|event| shown.outside(&event.subject));
        let left = match (subject, place) {
            (Some(subject), Some(place)) if !place.is_empty() => {
                vec![vec![text(subject), dim(format!(" is {place}"))]]
            }
            _ => Vec::new(),
        };
        status::line(model, canvas, status_row, &left);
    }
}

fn legend_rows(lines: &[&str]) -> u16 {
    u16::try_from(lines.len()).unwrap_or(0)
}

/// What the lines mean.
fn legend(course: &Course, form: Form) -> Vec<&'static str> {
    match form {
        _ if course.timeline.window.is_none() => vec!["No event has a time, so nothing can be drawn."],
        Form::Wide => vec![
            "A thin line is an attempt, open until its answer. A thick line is an effect, at some moment inside it: as exact",
            "as the ledger's clock. What lies nearer than the bounds of both clocks stands in one bracket.",
        ],
        Form::Compact => vec!["Thin: an attempt. Thick: an effect at some moment inside."],
        _ => Vec::new(),
    }
}

/// What it is of, and how far the clocks may differ; gives the next row.
fn head(course: &Course, canvas: &mut Canvas, shown: &Shown<'_>) -> u16 {
    let end = canvas.width().saturating_sub(2);
    let words = shown.outside(&course.timeline.words);
    let zoomed = match course.zoom {
        0 => String::new(),
        _ => format!("   {} in view", gap(course.window().length())),
    };
    canvas.spans(2, 3, &[strong(words), dim(zoomed)]);
    canvas.right(end, 3, &format!("clocks agree within {}", span(course.timeline.skew)), Role::Dim);
    5
}

/// Axis and lanes; gives the next row.
fn lanes(
    course: &Course,
    canvas: &mut Canvas,
    shown: &Shown<'_>,
    columns: &Columns,
    top: u16,
    form: Form,
) -> u16 {
    let window = course.window();
    let cells = canvas.width().saturating_sub(columns.axis + 2);
    let axis = Axis { from: columns.axis, cells, window };
    rule(canvas, shown, &axis, top);
    let mut row = top + 2;
    let wide = form == Form::Wide;
    for (no, lane) in course.timeline.lanes.iter().enumerate() {
        if wide && lane.kind != LaneKind::Attempts {
            row += 1;
        }
        let ledger = matches!(lane.kind, LaneKind::Ledger(_));
        if wide && lane.kind == LaneKind::Attempts {
            row += 1;
        }
        let name = cut(shown.outside(&lane.name), usize::from(columns.axis.saturating_sub(4)));
        canvas.put(2, row, &name, Role::Strong);
        let inside = |mark: &&Mark| mark.to >= window.from && mark.from <= window.to;
        if lane.kind == LaneKind::Attempts {
            for one in &course.timeline.gaps {
                quiet(canvas, &axis, *one, row);
            }
        }
        for mark in lane.marks.iter().filter(inside) {
            drawn(canvas, &axis, course, mark, row);
        }
        let labels = if ledger { row + 1 } else { row };
        let mut free = axis.from;
        for mark in lane.marks.iter().filter(inside).filter(|mark| !mark.label.is_empty()) {
            free = label(canvas, shown, &axis, mark, (labels, ledger), free);
        }
        let (before, behind) = course.timeline.outside(no, window);
        outside(canvas, &axis, row, before, behind);
        if lane.marks.is_empty() {
            canvas.put(axis.from, row, "none", Role::Dim);
        }
        row = labels + 1;
    }
    row + u16::from(wide)
}

/// The axis with its times.
fn rule(canvas: &mut Canvas, shown: &Shown<'_>, axis: &Axis, top: u16) {
    canvas.fill(axis.from..axis.end(), top + 1, '─', Role::Faint);
    // Round times are those of the zone that is shown.
    let local = |at: Micros| shift(shown.zone, at);
    let there = Window { from: local(axis.window.from), to: local(axis.window.to) };
    let mut free = 0;
    for tick in ticks(there, usize::from(axis.cells / TICK)) {
        let column = axis.from + there.cell(tick.at, axis.cells);
        canvas.put(column, top + 1, "┬", Role::Faint);
        let cells = u16::try_from(width(&tick.text)).unwrap_or(0);
        let start = column.saturating_sub(cells / 2).min(axis.end().saturating_sub(cells));
        if start >= free {
            canvas.put(start, top, &tick.text, Role::Dim);
            free = start + cells + 1;
        }
    }
}

/// A mark: `•` a record or a look, `├──✓` a call, `━━` an effect at some moment inside.
fn drawn(canvas: &mut Canvas, axis: &Axis, course: &Course, mark: &Mark, row: u16) {
    let (from, to) = (axis.column(mark.from), axis.column(mark.to));
    let here = mark.event <= course.selected && course.selected <= mark.last && is_of(course, mark);
    let role = |own: Role| if here { Role::Focus } else { own };
    match mark.kind {
        MarkKind::Point => {
            canvas.put(from, row, "•", role(Role::Text));
        }
        MarkKind::Effect | MarkKind::TooMuch => {
            canvas.fill(from..to.max(from + 1), row, '━', role(Role::Strong));
        }
        MarkKind::Call | MarkKind::Open => {
            let open = mark.kind == MarkKind::Open;
            let to = if open { axis.end().saturating_sub(1) } else { to.max(from + 2).min(axis.end()) };
            canvas.fill(
                from..to,
                row,
                if open { '┄' } else { '─' },
                role(if open { Role::Faint } else { Role::Text }),
            );
            canvas.put(from, row, "├", role(Role::Text));
            let number = format!("{} ", mark.number);
            let start = from.saturating_sub(u16::try_from(number.len()).unwrap_or(2));
            if start > 0 {
                canvas.put(start, row, &mark.number, role(Role::Text));
            }
            let sign = if mark.sign == '?' { Role::Ask } else { Role::Text };
            canvas.put(to, row, &mark.sign.to_string(), sign);
        }
    }
}

/// The selected event belongs to the mark.
fn is_of(course: &Course, mark: &Mark) -> bool {
    let event = |at: usize| course.timeline.events.get(at).map(|e| (e.lane, e.intent, e.attempt));
    event(course.selected) == event(mark.event)
}

/// The stretch between two calls with its length, where it has room.
fn quiet(canvas: &mut Canvas, axis: &Axis, one: Gap, row: u16) {
    if one.to < axis.window.from || one.from > axis.window.to {
        return;
    }
    let (from, to) = (axis.column(one.from) + 2, axis.column(one.to).saturating_sub(3));
    if to <= from {
        return;
    }
    canvas.fill(from..to, row, '┄', Role::Faint);
    let looked = if one.unlooked { ", and nobody looked" } else { "" };
    let full = format!(" {}{looked} ", gap(one.length()));
    let short = format!(" {} ", gap(one.length()));
    let room = to - from;
    let words = [full, short].into_iter().find(|words| width(words) + 2 <= usize::from(room));
    if let Some(words) = words {
        let cells = u16::try_from(width(&words)).unwrap_or(room);
        canvas.put(from + (room - cells) / 2, row, &words, Role::Text);
    }
}

/// The words of a mark, below an effect or behind a dot, where nothing else stands; gives where room begins.
fn label(
    canvas: &mut Canvas,
    shown: &Shown<'_>,
    axis: &Axis,
    mark: &Mark,
    (row, below): (u16, bool),
    free: u16,
) -> u16 {
    let words = shown.outside(&mark.label);
    let cells = u16::try_from(width(&words)).unwrap_or(u16::MAX);
    let at = axis.column(mark.from) + if below { 0 } else { 2 };
    let start = if at.saturating_add(cells) <= axis.end() { at } else { axis.end().saturating_sub(cells) };
    let start = if below { start } else { at };
    if start < free || start.saturating_add(cells) > axis.end() || !canvas.is_blank(start..start + cells, row)
    {
        return free;
    }
    let role = if mark.kind == MarkKind::TooMuch { Role::Wrong } else { Role::Dim };
    canvas.put(start, row, &words, role);
    start + cells + 1
}

/// What lies before and behind the window.
fn outside(canvas: &mut Canvas, axis: &Axis, row: u16, before: usize, behind: usize) {
    if before > 0 {
        canvas.put(axis.from, row, &format!("← {before} earlier"), Role::Dim);
    }
    if behind > 0 {
        canvas.right(axis.end(), row, &format!("{behind} later →"), Role::Dim);
    }
}

/// The events in order, in a window around the selected one.
fn events(
    course: &Course,
    canvas: &mut Canvas,
    shown: &Shown<'_>,
    columns: &Columns,
    top: u16,
    bottom: u16,
    form: Form,
) {
    let mut row = top;
    if form != Form::Pane {
        canvas.fill(0..canvas.width(), row, '─', Role::Faint);
        canvas.put(2, row, " in order ", Role::Strong);
        let end = canvas.width().saturating_sub(2);
        let words = match form {
            Form::Wide => " events inside one bracket may have come in another order ",
            _ => " the order inside a bracket is not certain ",
        };
        canvas.right(end, row, words, Role::Dim);
        row += 2;
    }
    let height = usize::from(bottom.saturating_sub(row));
    let all = course.timeline.events.len();
    let first = course.selected.saturating_sub(height / 2).min(all.saturating_sub(height));
    for (at, event) in course.timeline.events.iter().enumerate().skip(first).take(height) {
        line(canvas, shown, columns, event, row);
        if at == course.selected {
            canvas.put(0, row, "▌", Role::Focus);
            canvas.select(0..canvas.width(), row);
        }
        row += 1;
    }
    if all > height {
        let seen = (top + if form == Form::Pane { 0 } else { 2 }, u16::try_from(height).unwrap_or(0));
        super::scrollbar(canvas, seen, first, height, all);
    }
}

fn line(canvas: &mut Canvas, shown: &Shown<'_>, columns: &Columns, event: &Event, row: u16) {
    let bracket = match event.bracket {
        Bracket::No => " ",
        Bracket::First => "╭",
        Bracket::Inside => "│",
        Bracket::Last => "╰",
    };
    canvas.put(columns.bracket, row, bracket, Role::Dim);
    let time = if event.when.is_none() {
        "no time".to_owned()
    } else {
        shown.day(event.when.at).map_or_else(|| shown.of_day(event.when), |_| shown.time(event.when))
    };
    let time_end = columns.since.unwrap_or(columns.subject);
    let room = |from: u16, to: u16| usize::from(to.saturating_sub(from + 1));
    canvas.put(columns.time, row, &cut(&time, room(columns.time, time_end)), Role::Text);
    if let (Some(since), Some(length)) = (columns.since, event.since.filter(|since| *since > 0)) {
        canvas.put(since, row, &cut(gap(length), room(since, columns.subject)), Role::Dim);
    }
    let subject = shown.outside(&event.subject);
    canvas.put(columns.subject, row, &cut(&subject, room(columns.subject, columns.what)), Role::Dim);
    let end = canvas.width().saturating_sub(2);
    let code = canvas.right(end, row, event.code, Role::Dim);
    let note = columns.note.filter(|_| !event.note.is_empty());
    let what_end = note.unwrap_or(code);
    let what = shown.outside(event.words(columns.since.is_none()));
    canvas.put(columns.what, row, &cut(&what, room(columns.what, what_end)), Role::Text);
    if let Some(note) = note {
        let role = match event.weight {
            Weight::TooMuch => Role::Wrong,
            Weight::Happened => Role::Strong,
            Weight::Note => Role::Dim,
        };
        let span = Span::new(
            cut(event.remark(columns.since.is_none()), usize::from(code.saturating_sub(note + 1))),
            role,
        );
        canvas.spans(note, row, &[span]);
    }
}
