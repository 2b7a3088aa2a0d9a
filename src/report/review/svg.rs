//! The timeline of an intent as a drawing: lanes below each other, so that it can be read on a phone.
//!
//! Numbers are whole and made by us; words stand between elements, escaped. Colours come from the style sheet.

use crate::judge::timeline::{LaneKind, Mark, MarkKind, Window, ticks};
use crate::model::time::{gap, span};
use crate::text::cut;

use super::super::figures::safe;
use super::super::out::Out;
use super::Item;
use super::html::text;

/// Width of the drawing in its own units.
const WIDTH: u16 = 380;

/// Free at the left and the right.
const SIDE: u16 = 12;

/// Height of the axis, of the name of a lane, of its marks, and of a line of words.
const AXIS: usize = 22;
const NAME: usize = 15;
const MARKS: usize = 14;
const WORDS: usize = 13;

/// Ticks of the axis.
const TICKS: usize = 5;

/// Cells of the words at a mark.
const LABEL: usize = 34;

/// Draws it; nothing where no event has a time.
pub(super) fn write(item: &Item, out: &mut Out<'_>) {
    let timeline = &item.timeline;
    let window = timeline.window;
    if window.is_none() {
        return;
    }
    let mut body: Vec<String> = axis(window);
    let mut top = AXIS;
    for (no, lane) in timeline.lanes.iter().enumerate() {
        let (before, behind) = timeline.outside(no, window);
        let name = safe(&lane.name);
        let outside = outside(before, behind);
        body.push(words(usize::from(SIDE), top + 12, "start", "", &format!("{name}{outside}")));
        top += NAME;
        if lane.kind == LaneKind::Attempts {
            body.extend(timeline.gaps.iter().filter_map(|one| quiet(window, *one, top)));
        }
        let inside = || lane.marks.iter().filter(|mark| mark.to >= window.from && mark.from <= window.to);
        body.extend(inside().map(|mark| drawn(window, mark, top)));
        top += MARKS;
        let mut free = vec![0_usize];
        let mut labels = 0;
        for mark in inside().filter(|mark| !mark.label.is_empty()) {
            let (line, drawn) = label(window, mark, top, &mut free);
            labels = labels.max(line + 1);
            body.push(drawn);
        }
        top += labels * WORDS + 6;
    }
    let skew = format!("clocks agree within {}; {} shown", span(timeline.skew), gap(window.length()));
    body.push(words(usize::from(SIDE), top + 9, "start", "faint", &skew));
    let title = text(&timeline.words);
    out.line(&format!(
        "<svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\"><title>{title}</title>{}</svg>",
        top + 14,
        body.concat()
    ));
}

fn outside(before: usize, behind: usize) -> String {
    match (before, behind) {
        (0, 0) => String::new(),
        (before, 0) => format!(" (← {before} earlier)"),
        (0, behind) => format!(" ({behind} later →)"),
        (before, behind) => format!(" (← {before} earlier, {behind} later →)"),
    }
}

/// A moment as a place in the drawing.
fn x(window: Window, at: crate::model::time::Micros) -> usize {
    usize::from(SIDE + window.cell(at, WIDTH - 2 * SIDE))
}

fn axis(window: Window) -> Vec<String> {
    let end = WIDTH - SIDE;
    let line = format!("<line class=\"axis\" x1=\"{SIDE}\" y1=\"17\" x2=\"{end}\" y2=\"17\"/>");
    let ticks = ticks(window, TICKS).into_iter().flat_map(|tick| {
        let at = x(window, tick.at);
        let anchor = if at < 40 {
            "start"
        } else if at + 40 > usize::from(WIDTH) {
            "end"
        } else {
            "middle"
        };
        let stroke = format!("<line class=\"axis\" x1=\"{at}\" y1=\"14\" x2=\"{at}\" y2=\"20\"/>");
        [stroke, words(at, 11, anchor, "faint", &tick.text)]
    });
    std::iter::once(line).chain(ticks).collect()
}

/// A mark: a thin line is a call, a thick one an effect at some moment inside it, a dot a record or a look.
fn drawn(window: Window, mark: &Mark, top: usize) -> String {
    let (from, to) = (x(window, mark.from), x(window, mark.to));
    let middle = top + MARKS / 2;
    match mark.kind {
        MarkKind::Point => format!("<circle class=\"point\" cx=\"{from}\" cy=\"{middle}\" r=\"3\"/>"),
        MarkKind::Effect | MarkKind::TooMuch => {
            let class = if mark.kind == MarkKind::Effect { "effect" } else { "too-much" };
            let width = (to - from).max(3);
            format!(
                "<rect class=\"{class}\" x=\"{from}\" y=\"{}\" width=\"{width}\" height=\"6\"/>",
                middle - 3
            )
        }
        MarkKind::Call | MarkKind::Open => {
            let to = if mark.kind == MarkKind::Open { usize::from(WIDTH - SIDE) } else { to.max(from + 2) };
            let (up, down) = (middle - 4, middle + 4);
            let begin =
                format!("<line class=\"call\" x1=\"{from}\" y1=\"{up}\" x2=\"{from}\" y2=\"{down}\"/>");
            let class = if mark.kind == MarkKind::Open { "gap" } else { "call" };
            let line = format!(
                "<line class=\"{class}\" x1=\"{from}\" y1=\"{middle}\" x2=\"{to}\" y2=\"{middle}\"/>"
            );
            let number = words(from.saturating_sub(3), middle + 4, "end", "", &mark.number);
            let sign = words(to + 3, middle + 4, "start", "", &mark.sign.to_string());
            format!("{begin}{line}{number}{sign}")
        }
    }
}

/// The stretch between two calls, with its length.
fn quiet(window: Window, one: crate::judge::timeline::Gap, top: usize) -> Option<String> {
    if one.to < window.from || one.from > window.to {
        return None;
    }
    let (from, to) = (x(window, one.from) + 12, x(window, one.to).saturating_sub(12));
    if to < from + 40 {
        return None;
    }
    let middle = top + MARKS / 2;
    let looked = if one.unlooked { ", nobody looked" } else { "" };
    let line = format!("<line class=\"gap\" x1=\"{from}\" y1=\"{middle}\" x2=\"{to}\" y2=\"{middle}\"/>");
    let length = words(
        usize::midpoint(from, to),
        middle - 2,
        "middle",
        "faint",
        &format!("{}{looked}", gap(one.length())),
    );
    Some(format!("{line}{length}"))
}

/// The words of a mark, in the first line that has room; `free` is where each line has.
fn label(window: Window, mark: &Mark, top: usize, free: &mut Vec<usize>) -> (usize, String) {
    let at = x(window, mark.from);
    let shown = cut(&mark.label, LABEL);
    // Eleven units high, so about six wide.
    let width = crate::text::width(&shown) * 6;
    let late = at + width > usize::from(WIDTH - SIDE);
    let (from, anchor, place) = if late {
        let end = x(window, mark.to);
        (end.saturating_sub(width), "end", end)
    } else {
        (at, "start", at)
    };
    let line = free.iter().position(|end| *end <= from).unwrap_or(free.len());
    if line == free.len() {
        free.push(0);
    }
    if let Some(end) = free.get_mut(line) {
        *end = from + width + 6;
    }
    let class = if mark.kind == MarkKind::Point { "faint" } else { "" };
    (line, words(place, top + line * WORDS + 9, anchor, class, &shown))
}

fn words(x: usize, y: usize, anchor: &'static str, class: &'static str, of: &str) -> String {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"{class}>{}</text>", text(of))
}
