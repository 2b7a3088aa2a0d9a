//! Drawing, pure: one file per pane, theme roles, the windowed table.
//!
//! Panes draw texts with roles on a [`canvas::Canvas`]; only [`theme`] knows colours, and only when the canvas is
//! painted. Nothing here changes the model. What a drawing finds out (how far a text can be scrolled) goes back to
//! it in a [`Frame`].

mod activity;
mod audit;
mod boxed;
mod bracket;
pub mod canvas;
mod cards;
mod choice;
mod columns;
mod detail;
mod evidence;
pub mod forms;
mod groups;
mod hazards;
mod header;
mod help;
mod list;
mod messages;
mod order;
mod palette;
mod preview;
mod raw;
pub mod role;
mod shown;
mod sources;
mod stacked;
mod status;
mod story;
mod sum;
#[cfg(test)]
mod tests;
pub mod theme;
mod timeline;
mod triage;

use canvas::Canvas;
use role::Role;

use crate::app::model::{Context, Layer, Model, Phase};

/// What a drawing gives.
pub struct Frame {
    /// The cells.
    pub canvas: Canvas,
    /// Of the topmost text: its first line in view, and the furthest that makes sense.
    pub scroll: Option<(usize, usize)>,
}

/// Draws the whole screen.
pub fn draw(model: &Model) -> Frame {
    let mut frame = Frame { canvas: Canvas::new(model.size.width, model.size.height), scroll: None };
    if model.context() == Context::TooSmall {
        cards::too_small(&mut frame.canvas);
        return frame;
    }
    header::draw(model, &mut frame.canvas);
    let next = body(model, &mut frame);
    let context = model.place();
    match model.layers.last() {
        Some(Layer::Menu(menu)) => forms::menu::draw(model, menu, &mut frame),
        Some(Layer::Form(form)) if form.dialog.spec().floats => forms::draw(model, form, &mut frame),
        _ => {}
    }
    if matches!(context, Context::Menu | Context::Form | Context::Field) {
        let row = frame.canvas.height().saturating_sub(1);
        frame.canvas.clear(0..frame.canvas.width(), row);
    }
    status::keys(model, &mut frame.canvas, context, &next);
    match model.layers.last() {
        Some(Layer::Help(help)) => help::draw(model, help, &mut frame),
        Some(Layer::Palette(palette)) => palette::draw(model, palette, &mut frame.canvas),
        _ => {}
    }
    if model.setup.ascii {
        frame.canvas.to_ascii();
    }
    frame
}

/// Draws what is below the header; gives the text of the next step, which the footer follows.
fn body(model: &Model, frame: &mut Frame) -> String {
    let over = |layer: &&Layer| {
        matches!(layer, Layer::Help(_) | Layer::Find(_) | Layer::Palette(_) | Layer::Menu(_)) || floats(layer)
    };
    let place = model.layers.iter().rev().find(|layer| !over(layer));
    match place {
        Some(Layer::Detail(detail)) => {
            detail::draw(model, detail, frame);
            return detail.item.story.next.clone();
        }
        Some(Layer::Course(course)) => {
            timeline::draw(model, course, &mut frame.canvas);
            return String::new();
        }
        Some(Layer::Order(order)) => {
            order::draw(model, order, &mut frame.canvas);
            return order.item.story.next.clone();
        }
        Some(Layer::Messages(scroll)) => messages::draw(model, *scroll, frame),
        Some(Layer::Columns(selected)) => choice::draw(model, *selected, &mut frame.canvas),
        Some(Layer::Form(form)) => {
            forms::draw(model, form, frame);
            return String::new();
        }
        Some(Layer::Raw(record)) => raw::draw(model, record, frame),
        Some(Layer::Members(_)) => triage::draw(model, &mut frame.canvas),
        _ => base(model, frame),
    }
    model.preview.as_ref().map(|(_, item)| item.story.next.clone()).unwrap_or_default()
}

/// A box that lies over what is below it.
fn floats(layer: &Layer) -> bool {
    matches!(layer, Layer::Form(form) if form.dialog.spec().floats)
}

fn base(model: &Model, frame: &mut Frame) {
    let canvas = &mut frame.canvas;
    match (&model.phase, model.base()) {
        (_, Context::Empty) => {
            header::empty_screen(model, canvas);
            let row = canvas.height().saturating_sub(2);
            status::line(model, canvas, row, &[]);
        }
        (Phase::Ready(_), Context::Hazards) => hazards::draw(model, canvas),
        (Phase::Ready(_), Context::Activity) => activity::draw(model, canvas),
        (Phase::Ready(_), Context::Audit) => audit::draw(model, canvas),
        (Phase::Ready(_), Context::Sources) => sources::draw(model, canvas),
        (Phase::FirstRun, _) => cards::first_run(model, canvas),
        (Phase::Loading(loading), _) => cards::loading(model, loading, canvas),
        (Phase::Failed(failure), _) => cards::failed(model, failure, canvas),
        (Phase::Ready(_), Context::Clean) => cards::clean(model, canvas),
        (Phase::Ready(_), _) => triage::draw(model, canvas),
    }
}

/// A scrollbar in the last column, only where something is hidden.
fn scrollbar(canvas: &mut Canvas, rows: (u16, u16), first: usize, seen: usize, all: usize) {
    let column = canvas.width().saturating_sub(1);
    scrollbar_at(canvas, column, rows, first, seen, all);
}

fn scrollbar_at(
    canvas: &mut Canvas,
    column: u16,
    (top, height): (u16, u16),
    first: usize,
    seen: usize,
    all: usize,
) {
    let tall = usize::from(height);
    if all == 0 || tall == 0 {
        return;
    }
    let thumb = (tall * seen / all).max(1);
    let hidden = all.saturating_sub(seen).max(1);
    let start = (tall.saturating_sub(thumb) * first + hidden / 2) / hidden;
    for (at, row) in (0..tall).zip(top..) {
        let inside = at >= start && at < start + thumb;
        let (glyph, role) = if inside { ("▐", Role::Dim) } else { ("│", Role::Faint) };
        canvas.put(column, row, glyph, role);
    }
}
