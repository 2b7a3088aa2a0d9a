//! One row of the list with everything that is known of it: verdict and money, the story, the next step, attempts
//! and rows, the sum, why, and the fine print.

mod headline;
mod why;

pub use headline::headline;
use why::{looked_for, why};

use super::bracket::{self, Selected, Sides, copy_source, side_of};
use super::canvas::Canvas;
use super::role::{Role, Span, dim, text};
use super::shown::{Shown, counted, file_name};
use super::sum::Side;
use super::{Frame, stacked, status, story};
use crate::app::case::Item;
use crate::app::layout::Form;
use crate::app::model::{Detail, Model, Pane};
use crate::judge::judgement::RetryOrigin;
use crate::text::cut;

/// The lines of the detail.
#[derive(Clone, Copy)]
struct Lines {
    headline: u16,
    story: (u16, u16),
    next: Option<u16>,
    heads: u16,
    body: (u16, u16),
    status: Option<u16>,
}

impl Lines {
    fn of(form: Form, height: u16) -> Self {
        let body = |top: u16, bottom: u16| (top, height.saturating_sub(bottom).saturating_sub(top));
        match form {
            Form::Wide => Self {
                headline: 3,
                story: (5, 4),
                next: Some(9),
                heads: 11,
                body: body(13, 3),
                status: Some(height.saturating_sub(2)),
            },
            Form::Compact => Self {
                headline: 2,
                story: (3, 4),
                next: Some(7),
                heads: 9,
                body: body(11, 2),
                status: Some(height.saturating_sub(2)),
            },
            _ if height >= 16 => {
                Self { headline: 2, story: (3, 2), next: Some(5), heads: 7, body: body(9, 1), status: None }
            }
            // So little room that only the evidence is left.
            _ => Self { headline: 2, story: (3, 1), next: None, heads: 4, body: body(6, 1), status: None },
        }
    }
}

impl Lines {
    /// The evidence alone: the story and the next step give it their room.
    fn zoomed(form: Form, height: u16) -> Self {
        let lines = Self::of(form, height);
        let heads = lines.headline + if form == Form::Wide { 2 } else { 1 };
        let end = lines.body.0 + lines.body.1;
        let top = heads + 2;
        Self { story: (heads, 0), next: None, heads, body: (top, end.saturating_sub(top)), ..lines }
    }
}

/// Draws it; gives how far the body can be scrolled.
pub fn draw(model: &Model, detail: &Detail, frame: &mut Frame) {
    let Some(shown) = Shown::of(model) else {
        return;
    };
    let (form, item) = (model.form(), &detail.item);
    let canvas = &mut frame.canvas;
    let lines =
        if model.zoomed { Lines::zoomed(form, canvas.height()) } else { Lines::of(form, canvas.height()) };
    headline(&shown, item, canvas, lines.headline, form);
    let start = if form == Form::Wide { 6 } else { form.margin() };
    let room = usize::from(canvas.width().saturating_sub(start + form.margin())).min(106);
    let told = if form == Form::Pane { story::first_only(item, room) } else { story::lines(item, room) };
    for (row, line) in (lines.story.0..).zip(told.into_iter().take(usize::from(lines.story.1))) {
        canvas.spans(start, row, &line);
    }
    if let Some(row) = lines.next {
        let words = start + if form == Form::Wide { 7 } else { 6 };
        let room = usize::from(canvas.width().saturating_sub(words + form.margin()));
        canvas.put(start, row, "Next", Role::Strong);
        for line in story::next(model, &item.story.next, room, 1) {
            canvas.spans(words, row, &line);
        }
    }
    let body = evidence(model, detail, &shown, canvas, lines);
    let height = usize::from(lines.body.1);
    let hidden = usize::from(body.essential) > height;
    let most = usize::from(body.height).saturating_sub(height);
    let first = first_line(detail, body.focus, height, most);
    canvas.copy(&body.canvas, u16::try_from(first).unwrap_or(0), lines.body);
    if hidden && form == Form::Wide {
        super::scrollbar(canvas, lines.body, first, height, usize::from(body.height));
    }
    if let Some(row) = lines.status {
        let left = if most > first && form != Form::Wide {
            vec![vec![Span::new("pgdn", Role::Key), dim(" why, and the fine print")]]
        } else {
            place(&shown, detail)
        };
        status::line(model, canvas, row, &left);
    }
    frame.scroll = Some((first, most));
}

/// The selection stays in view after it moved; else what was scrolled to stays.
fn first_line(detail: &Detail, (start, end): (u16, u16), height: usize, most: usize) -> usize {
    let first = detail.scroll.first.min(most);
    if !detail.scroll.follow {
        return first;
    }
    let (start, end) = (usize::from(start), usize::from(end));
    if start < first {
        start
    } else if end > first + height {
        end.saturating_sub(height).min(start)
    } else {
        first
    }
    .min(most)
}

/// The scrolled part: evidence, sum, why, fine print.
struct Body {
    canvas: Canvas,
    height: u16,
    /// Lines without the fine print but its first: what should be seen without scrolling.
    essential: u16,
    focus: (u16, u16),
}

fn evidence(model: &Model, detail: &Detail, shown: &Shown<'_>, canvas: &mut Canvas, lines: Lines) -> Body {
    let (form, item, total) = (model.form(), &detail.item, canvas.width());
    let selected = Selected { pane: detail.pane, attempt: detail.attempt, effect: detail.effect };
    let copy = copy_source(item).is_some() && item.orphan().is_none();
    let beside = match form {
        Form::Pane | Form::TooSmall => false,
        _ if detail.stacked => false,
        Form::Compact => !copy || item.rows().next().is_none(),
        Form::Wide => true,
    };
    let (mut surface, mut height, focus) = if beside {
        let three = copy && form == Form::Wide && item.rows().next().is_some();
        let sides = Sides::of(total, three);
        side_heads(shown, detail, canvas, lines.heads, sides);
        bracket::draw(shown, item, total, sides, selected, lines.body.1)
    } else {
        let columns = stacked::Columns::of(total, form, copy);
        stacked::heads(shown, item, canvas, lines.heads, &columns, form);
        stacked::draw(shown, item, total, columns, selected)
    };
    surface.grow(height + 64);
    if let Some(orphan) = item.orphan() {
        height = looked_for(shown, orphan, &mut surface, height + 1, form);
    }
    // At 36 rows what the record says stands in the last line; higher screens keep it there.
    let anchored = lines.body.1.min(20).saturating_sub(1);
    let essential;
    (height, essential) = why(item, &mut surface, height, form, anchored);
    Body { canvas: surface, height, essential, focus }
}

/// Heads of the panes with the rule below them; that of the focus is heavy.
fn side_heads(shown: &Shown<'_>, detail: &Detail, canvas: &mut Canvas, row: u16, sides: Sides) {
    let item = &detail.item;
    let focus = |pane: Pane| {
        if detail.pane == pane { ('━', Role::Focus) } else { ('─', Role::Faint) }
    };
    canvas.put(sides.left.0, row, "Tried", Role::Strong);
    let room = usize::from(sides.left.1.saturating_sub(sides.left.0 + 8));
    canvas.put(sides.left.0 + 8, row, &cut(tried(item, sides.roomy), room), Role::Dim);
    let (glyph, role) = focus(Pane::Tried);
    canvas.fill(sides.left.0..sides.left.1, row + 1, glyph, role);
    let side = side_of(item, shown);
    let (start, end) = sides.right;
    let assumed = item.intents.iter().any(|intent| intent.currency_assumed);
    let unit = unit_of(shown, item);
    let unit = if assumed && sides.roomy { format!("{unit} assumed") } else { unit };
    let edge = canvas.right(end, row, &unit, Role::Dim);
    let column = canvas.put(start, row, side.head(), Role::Strong) + 3;
    if sides.roomy {
        let index = item.rows().next().map(|row| row.source);
        let index = index.or_else(|| item.intents.first().and_then(|intent| intent.deciding_source));
        let account = item.intents.iter().any(|intent| intent.account.is_some());
        let words = match index.and_then(|index| shown.source(index)) {
            _ if account => "by order, no ids".to_owned(),
            Some(_) if sides.copy.is_some() => "moves money".to_owned(),
            Some(source) => shown.outside(file_name(&source.path)),
            None => String::new(),
        };
        let room = usize::from(edge.saturating_sub(column + 1));
        canvas.put(column, row, &cut(words, room), Role::Dim);
    }
    let (glyph, role) = focus(Pane::Ledger);
    canvas.fill(start..end, row + 1, glyph, role);
    if let Some((start, end)) = sides.copy {
        canvas.put(start, row, Side::Books.head(), Role::Strong);
        canvas.right(end, row, &unit_of(shown, item), Role::Dim);
        canvas.fill(start..end, row + 1, '─', Role::Faint);
    }
}

fn unit_of(shown: &Shown<'_>, item: &Item) -> String {
    let unit = match (item.intents.first(), item.orphan()) {
        (Some(intent), _) => Some(intent.judgement.unit),
        (None, Some(orphan)) => shown.totals(&orphan.totals).first().map(|(unit, _)| *unit),
        _ => None,
    };
    unit.map(|unit| shown.outside(shown.units.text(unit))).unwrap_or_default()
}

/// `2 attempts by the agent`.
fn tried(item: &Item, roomy: bool) -> String {
    let count = item.attempts().count() as u64;
    if item.orphan().is_some() || count == 0 {
        return "no attempt known".to_owned();
    }
    let by = item.intents.iter().find_map(|intent| match intent.judgement.origin {
        RetryOrigin::Script => Some("the script"),
        RetryOrigin::Model => Some("the agent"),
        RetryOrigin::Framework | RetryOrigin::Transport => None,
        _ if !intent.agent.is_empty() => Some("the agent"),
        RetryOrigin::Caller | RetryOrigin::None | RetryOrigin::Unknown => None,
    });
    let requests = item.intents.len();
    let assumed = item.intents.iter().any(|intent| intent.account.is_some());
    let calls = match (assumed, requests) {
        (true, requests) => format!("{}, {}", counted(count, "call"), counted(requests as u64, "request")),
        (false, 1) => counted(count, "attempt"),
        (false, requests) => format!("{}, {requests} requests", counted(count, "attempt")),
    };
    match by {
        Some(by) if !assumed && requests == 1 => format!("{calls} by {by}"),
        Some(by) if roomy => format!("{calls}, by {by}"),
        _ => calls,
    }
}

/// Where the selected fact stands.
fn place(shown: &Shown<'_>, detail: &Detail) -> Vec<Vec<Span>> {
    let item = &detail.item;
    let found = match detail.pane {
        Pane::Tried => item
            .attempts()
            .nth(detail.attempt)
            .map(|(_, attempt)| (format!("attempt {}", attempt.number), shown.outside(&attempt.place))),
        Pane::Ledger => {
            item.rows().nth(detail.effect).map(|row| (shown.id(&row.name), shown.outside(&row.place)))
        }
    };
    match found {
        Some((name, place)) if !place.is_empty() => vec![vec![text(name), dim(format!(" is {place}"))]],
        _ => Vec::new(),
    }
}
