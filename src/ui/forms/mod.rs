//! Forms (`6-screens.md` 7.4.8): one layout for all of them. A form is blocks with a bold word in the margin; a page of
//! its own, or a box over what lies below.

mod answers;
mod fields;
pub mod menu;
mod page;
mod seen;
mod writes;

use super::canvas::Canvas;
use super::role::{Role, Span, dim};
use super::shown::Shown;
use super::{Frame, status};
use crate::app::layout::Form as Layout;
use crate::app::model::Model;
use crate::app::settle::dialogs::Dialog;
use crate::app::settle::field::Field;
use crate::app::settle::form::{Case, Form, Phase};
use crate::text::{cut, width, wrap};

/// A line of a form.
#[derive(Default)]
pub(super) struct Line {
    /// The bold word in the margin; empty on all lines but the first of a block.
    pub label: &'static str,
    /// The mark that stands before everything, of the question.
    pub mark: Option<Span>,
    /// What it says.
    pub spans: Vec<Span>,
    /// What stands at the right edge.
    pub right: Option<Span>,
    /// The cursor is on it.
    pub here: bool,
    /// The focus is in it: it is kept in view.
    pub focus: bool,
    /// It starts where the labels do.
    pub wide: bool,
}

impl Line {
    fn of(spans: Vec<Span>) -> Self {
        Self { spans, ..Self::default() }
    }
}

/// Lines that belong together.
type Block = Vec<Line>;

/// What a form is drawn with.
pub(super) struct Draw<'a> {
    pub model: &'a Model,
    pub form: &'a Form,
    pub case: Case<'a>,
    pub shown: Shown<'a>,
    /// Cells for the text behind the labels.
    pub room: usize,
    /// 120 columns and more.
    pub wide: bool,
    /// The margin has room for the whole label.
    pub labels: bool,
}

impl Draw<'_> {
    /// A text from outside.
    fn outside(&self, raw: &str) -> String {
        self.shown.outside(raw)
    }

    /// The label of a field.
    fn label(&self, field: Field) -> &'static str {
        if self.labels { field.row().label } else { field.short() }
    }

    /// A text in lines, in one role.
    fn wrapped(&self, text: &str, role: Role) -> Vec<Line> {
        let lines = wrap(text, self.room);
        lines.into_iter().map(|line| Line::of(vec![Span::new(line, role)])).collect()
    }

    /// The same with a word in the margin.
    fn block(&self, label: &'static str, text: &str, role: Role) -> Block {
        let mut lines = self.wrapped(text, role);
        if let Some(first) = lines.first_mut() {
            first.label = label;
        }
        lines
    }
}

/// The last part of the path.
pub fn path_word(form: &Form) -> String {
    match (form.dialog, &form.phase) {
        (Dialog::Many, Phase::Done(_)) => "result".to_owned(),
        (Dialog::Resolve, Phase::Done(_)) => "request".to_owned(),
        (Dialog::Many, _) => format!("{} marked › resolve", form.facts.len().max(form.views().len())),
        _ => form.dialog.spec().name.to_owned(),
    }
}

/// Where things stand in a form of one width.
struct Place {
    /// First column of the labels.
    label: u16,
    /// First column of the text.
    body: u16,
    /// Column behind the last one.
    end: u16,
}

fn places(width: u16, layout: Layout) -> Place {
    match layout {
        Layout::Wide => Place { label: 6, body: 18, end: width.saturating_sub(2).min(18 + 106) },
        Layout::Pane | Layout::TooSmall => Place { label: 1, body: 10, end: width.saturating_sub(1) },
        Layout::Compact => Place { label: 2, body: 10, end: width.saturating_sub(2) },
    }
}

/// Draws a form that lies on top.
pub fn draw(model: &Model, form: &Form, frame: &mut Frame) {
    let Some(shown) = Shown::of(model) else { return };
    let ends_alike = crate::app::settle::flow::ends_alike(model);
    let case = Case { units: shown.units, sources: shown.sources, now: shown.summary.now, ends_alike };
    if form.dialog.spec().floats {
        float(model, form, case, shown, frame);
        return;
    }
    let layout = model.form();
    let place = places(frame.canvas.width(), layout);
    let room = usize::from(place.end.saturating_sub(place.body));
    let draw =
        Draw { model, form, case, shown, room, wide: layout == Layout::Wide, labels: layout == Layout::Wide };
    let blocks = page::blocks(&draw);
    let canvas = &mut frame.canvas;
    let bottom = canvas.height().saturating_sub(if layout == Layout::Pane { 1 } else { 2 });
    let top = if layout == Layout::Wide { 3 } else { 2 };
    let scroll = put(canvas, &place, blocks, (top, bottom), form, 0);
    frame.scroll = Some(scroll);
    if layout != Layout::Pane {
        let row = canvas.height().saturating_sub(2);
        status::line(model, canvas, row, &page::status(&draw));
    }
}

/// Puts blocks with a blank line between them, closer where there is little room; scrolled so that the focus is seen.
fn put(
    canvas: &mut Canvas,
    place: &Place,
    blocks: Vec<Block>,
    (top, bottom): (u16, u16),
    form: &Form,
    start: u16,
) -> (usize, usize) {
    let height = usize::from(bottom.saturating_sub(top));
    let count: usize = blocks.iter().map(Vec::len).sum();
    let gaps = blocks.len().saturating_sub(1);
    let spaced = count + gaps <= height;
    let mut lines: Vec<Line> = Vec::new();
    for block in blocks {
        if spaced && !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(block);
    }
    let most = lines.len().saturating_sub(height);
    let focus = lines.iter().rposition(|line| line.focus).unwrap_or(0);
    let mut first = form.scroll.first.min(most);
    if form.scroll.follow || most == 0 {
        first = first.min(focus).max((focus + 1).saturating_sub(height)).min(most);
    }
    let seen = lines.iter().skip(first).take(height);
    for (row, line) in (top..bottom).zip(seen) {
        put_line(canvas, place, line, row, start);
    }
    if most > 0 && start == 0 {
        super::scrollbar(canvas, (top, bottom.saturating_sub(top)), first, height, count);
    }
    (first, most)
}

fn put_line(canvas: &mut Canvas, place: &Place, line: &Line, row: u16, start: u16) {
    let body = if line.wide { place.label } else { place.body };
    canvas.put(place.label, row, line.label, Role::Strong);
    let mut end = place.end;
    if let Some(right) = &line.right {
        let cells = u16::try_from(width(&right.text)).unwrap_or(0);
        end = end.saturating_sub(cells + 1);
        canvas.put(place.end.saturating_sub(cells), row, &right.text, right.role);
    }
    let mut column = body;
    for span in &line.spans {
        column = canvas.put_until(column, row, end, &span.text, span.role);
    }
    if let Some(mark) = &line.mark {
        canvas.put(start + 2, row, &mark.text, mark.role);
    }
    if line.here {
        // Beside the choice where the margin has room, else at the edge.
        let bar = if start > 0 {
            start + 1
        } else if place.label > 2 {
            place.body - 2
        } else {
            0
        };
        canvas.put(bar, row, "▌", Role::Focus);
        canvas.select(place.body..place.end, row);
    }
}

/// Draws a form of one step as a box.
fn float(model: &Model, form: &Form, case: Case<'_>, shown: Shown<'_>, frame: &mut Frame) {
    let canvas = &mut frame.canvas;
    canvas.behind();
    let wide = canvas.width().saturating_sub(4).min(68);
    let left = canvas.width().saturating_sub(wide) / 2;
    let place = Place { label: left + 3, body: left + 15, end: left + wide - 3 };
    let room = usize::from(place.end.saturating_sub(place.body));
    let draw = Draw { model, form, case, shown, room, wide: false, labels: true };
    let blocks = page::float(&draw);
    let lines: usize = blocks.iter().map(Vec::len).sum::<usize>() + blocks.len().saturating_sub(1);
    let most = usize::from(canvas.height().saturating_sub(4));
    let tall = u16::try_from((lines + 4).min(most)).unwrap_or(20).max(6);
    let room_above = canvas.height().saturating_sub(2 + tall);
    let top = if canvas.height() < 30 { room_above.min(3) } else { canvas.height().saturating_sub(tall) / 2 };
    let noun = form.item().map(crate::app::case::Item::title).unwrap_or_default();
    let title = format!("{} {}", form.dialog.spec().title, draw.outside(&noun));
    frame_of(canvas, (left, top), (wide, tall), &title);
    let scroll = put(canvas, &place, blocks, (top + 2, top + tall - 2), form, left);
    frame.scroll = Some(scroll);
    if model.form() != Layout::Pane {
        let row = canvas.height().saturating_sub(2);
        canvas.clear(0..canvas.width(), row);
        status::line(model, canvas, row, &page::status(&draw));
    }
}

/// A box with two blank cells around it.
pub(super) fn frame_of(canvas: &mut Canvas, (left, top): (u16, u16), (wide, tall): (u16, u16), title: &str) {
    for row in top..top + tall {
        canvas.clear(left.saturating_sub(2)..left + wide + 2, row);
    }
    let right = left + wide - 1;
    let bottom = top + tall - 1;
    canvas.fill(left + 1..right, top, '─', Role::Dim);
    canvas.fill(left + 1..right, bottom, '─', Role::Dim);
    for row in top + 1..bottom {
        canvas.put(left, row, "│", Role::Dim);
        canvas.put(right, row, "│", Role::Dim);
    }
    for (column, row, corner) in
        [(left, top, "╭"), (right, top, "╮"), (left, bottom, "╰"), (right, bottom, "╯")]
    {
        canvas.put(column, row, corner, Role::Dim);
    }
    let room = usize::from(wide.saturating_sub(6));
    let column = canvas.put(left + 2, top, " ", Role::Dim);
    let column = canvas.put(column, top, &cut(title, room), Role::Strong);
    canvas.put(column, top, " ", Role::Dim);
}

/// A line of dim text.
fn hint(text: impl Into<String>) -> Line {
    Line::of(vec![dim(text)])
}
