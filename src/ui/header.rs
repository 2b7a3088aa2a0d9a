//! Row 0 and the rule below it: the screens or the path; place, time, operator and rights.

use super::canvas::Canvas;
use super::role::{Role, Span, dim, strong, text, width_of};
use super::shown::{outside, shift, shown_id};
use crate::app::layout::Form;
use crate::app::model::{Context, Layer, Model, Screen, TABS};
use crate::model::time::{Instant, Micros, Res, Zone, clock};
use crate::text::{cut, cut_middle};

/// Draws both rows.
pub fn draw(model: &Model, canvas: &mut Canvas) {
    let form = model.form();
    let margin = form.margin();
    let gap = if form == Form::Wide { 3 } else { 2 };
    let (left, here, name) = left_side(model);
    let end = canvas.width().saturating_sub(margin);
    let right = right_side(model, name);
    let room = usize::from(end.saturating_sub(margin));
    let gaps = right.len().saturating_sub(1) * gap;
    let needed = |right: &[Vec<Span>]| right.iter().map(|part| width_of(part)).sum::<usize>() + gaps;
    // The place is cut first, then left out; then the operator goes, then everything at the right.
    let mut right = right;
    let left_cells = usize::from(width_of_left(&left, gap));
    let over = (left_cells + gap + needed(&right)).saturating_sub(room);
    if over > 0
        && let Some(place) = right.first_mut().filter(|_| form == Form::Wide)
    {
        let keep = width_of(place).saturating_sub(over).max(6);
        *place = vec![text(cut_middle(place.first().map_or(String::new(), |span| span.text.clone()), keep))];
    }
    while left_cells + gap + needed(&right) > room && !right.is_empty() {
        right.remove(0);
    }
    let mut column = margin;
    let mut under = margin..margin;
    for (at, part) in left.iter().enumerate() {
        if at > 0 && !part.glued {
            column += u16::try_from(gap).unwrap_or(3);
        }
        let start = column;
        column = canvas.put_until(column, 0, end, &cut(&part.span.text, room), part.span.role);
        if at == here {
            under = start..column;
        }
    }
    let mut edge = end;
    for part in right.iter().rev() {
        edge = canvas.spans_right(edge, 0, part).saturating_sub(u16::try_from(gap).unwrap_or(3));
    }
    canvas.fill(0..canvas.width(), 1, '─', Role::Faint);
    canvas.fill(under, 1, '━', Role::Focus);
}

/// A part at the left; glued ones follow without a gap.
struct Part {
    span: Span,
    glued: bool,
}

fn width_of_left(parts: &[Part], gap: usize) -> u16 {
    let cells = parts
        .iter()
        .enumerate()
        .map(|(at, part)| crate::text::width(&part.span.text) + if at > 0 && !part.glued { gap } else { 0 });
    u16::try_from(cells.sum::<usize>()).unwrap_or(u16::MAX)
}

/// The left side, which part of it is where one is, and what stands first at the right.
fn left_side(model: &Model) -> (Vec<Part>, usize, String) {
    let path: Vec<(String, Option<String>)> =
        model.layers.iter().flat_map(|layer| path_parts(model, layer)).collect();
    if model.base() == Context::FirstRun && path.is_empty() {
        return (vec![Part { span: strong("recount"), glued: false }], 0, "nothing loaded".to_owned());
    }
    if path.is_empty() {
        let (tabs, here) = tabs(model);
        return (tabs, here, outside(model, &model.setup.name));
    }
    let from = TABS.iter().find(|tab| tab.screen == model.screen).map_or("Triage", |tab| tab.name);
    let mut parts = vec![Part { span: dim(from), glued: false }];
    let last = path.len() - 1;
    let mut name = outside(model, &model.setup.name);
    for (at, (title, place)) in path.into_iter().enumerate() {
        parts.push(Part { span: dim(" › "), glued: true });
        let span = if at == last { strong(title) } else { dim(title) };
        parts.push(Part { span, glued: true });
        if let Some(place) = place {
            name = place;
        }
    }
    let here = parts.len() - 1;
    (parts, here, name)
}

/// What a layer adds to the path, each with the id that stands at the right in it.
fn path_parts(model: &Model, layer: &Layer) -> Vec<(String, Option<String>)> {
    let of_item = |item: &crate::app::case::Item| {
        let row = &item.row;
        let id = if row.intent_id.is_empty() { &row.operation } else { &row.intent_id };
        (outside(model, &item.title()), Some(outside(model, id)))
    };
    match layer {
        Layer::Members(members) => vec![(outside(model, &members.title), None)],
        Layer::Detail(detail) => vec![of_item(&detail.item)],
        Layer::Course(course) => {
            // Over its own evidence the path names the operation already.
            let before = model.layers.iter().take_while(|layer| !matches!(layer, Layer::Course(_)));
            let named = before.into_iter().any(|layer| matches!(layer, Layer::Detail(_)));
            let own = (!named).then(|| of_item(&course.item));
            own.into_iter().chain([("timeline".to_owned(), None)]).collect()
        }
        Layer::Raw(raw) => vec![(outside(model, &raw.title), None)],
        Layer::Order(order) => {
            let party = order.all.as_ref().map(|all| all.party.clone()).filter(|party| !party.is_empty());
            let place = party.map(|party| shown_id(model, &party));
            vec![(format!("everything of {}", super::order::title(model, &order.whose)), place)]
        }
        Layer::Messages(_) => vec![("messages".to_owned(), None)],
        Layer::Columns(_) => vec![("columns".to_owned(), None)],
        Layer::Form(form) if form.dialog.spec().floats => Vec::new(),
        Layer::Form(form) => {
            let before = model.layers.iter().any(|layer| matches!(layer, Layer::Detail(_)));
            let own = form.item().filter(|_| !before).map(of_item);
            let name = crate::ui::forms::path_word(form);
            own.into_iter().chain([(name, None)]).collect()
        }
        Layer::Help(_) | Layer::Find(_) | Layer::Palette(_) | Layer::Menu(_) => Vec::new(),
    }
}

/// The five screens. Where even short names have no room, only the chosen one is named.
fn tabs(model: &Model) -> (Vec<Part>, usize) {
    let form = model.form();
    let here = TABS.iter().position(|tab| tab.screen == model.screen).unwrap_or(0);
    let numbers_only = form == Form::Pane && model.size.width < 56;
    let part = |(at, tab): (usize, &crate::app::model::Tab)| {
        let name = match form {
            _ if numbers_only && at != here => "",
            Form::Pane => tab.short,
            _ => tab.name,
        };
        // How many fire stands beside the screen that tells of them.
        let firing = match tab.screen {
            Screen::Hazards if !name.is_empty() => model.case().and_then(|case| case.firing()),
            _ => None,
        };
        let count = firing.filter(|n| *n > 0).map_or(String::new(), |n| format!(" {n}"));
        let label = format!("{} {name}{count}", at + 1);
        let span = if at == here { strong(label) } else { dim(label.trim_end()) };
        Part { span, glued: false }
    };
    (TABS.iter().enumerate().map(part).collect(), here)
}

/// Place, clock, operator and rights.
fn right_side(model: &Model, place: String) -> Vec<Vec<Span>> {
    if model.base() == Context::FirstRun && model.layers.is_empty() {
        return vec![vec![dim(place)]];
    }
    let form = model.form();
    let fixed = if model.clock_fixed() { " fixed" } else { "" };
    let time = format!("{}{fixed}", clock_text(model.now(), model.zone(), form));
    let can_write = model.setup.can_write;
    let rights = match (form, can_write) {
        (Form::Wide, true) => "can write",
        (Form::Wide, false) => "read-only",
        (_, true) => "rw",
        (_, false) => "ro",
    };
    let operator = outside(model, &model.setup.operator);
    let mut parts = Vec::new();
    let in_path =
        !model.layers.is_empty() && model.layers.iter().any(|layer| !path_parts(model, layer).is_empty());
    if (form == Form::Wide || in_path) && !place.is_empty() {
        parts.push(vec![text(place)]);
    }
    if form == Form::Pane {
        parts.push(vec![dim(format!("{time} {rights}"))]);
        return parts;
    }
    parts.push(vec![dim(time)]);
    if operator.is_empty() {
        parts.push(vec![dim(rights)]);
    } else {
        parts.push(vec![text(cut(&operator, 16)), dim(format!(" {rights}"))]);
    }
    parts
}

/// The clock with its zone, which is named here and nowhere else.
fn clock_text(now: Micros, zone: Zone, form: Form) -> String {
    let local = shift(zone, now);
    let shown = |res| clock(Instant { at: local, res }, local);
    match (form, zone) {
        (Form::Wide, Zone::Utc) => format!("{} UTC", shown(Res::Second)),
        (Form::Wide, zone) => format!("{} {zone}", shown(Res::Second)),
        (_, Zone::Utc) => format!("{}Z", shown(Res::Minute)),
        (_, zone) => {
            let minutes = zone.offset_at(now).unwrap_or(0) / 60;
            let sign = if minutes < 0 { '-' } else { '+' };
            format!("{}{sign}{:02}:{:02}", shown(Res::Minute), minutes.abs() / 60, minutes.abs() % 60)
        }
    }
}

/// The chosen screen has nothing behind it: why, and what to press (`6-screens.md` 7.1.7).
pub fn empty_screen(model: &Model, canvas: &mut Canvas) {
    let Some(tab) = TABS.iter().find(|tab| tab.screen == model.screen && tab.screen != Screen::Triage) else {
        return;
    };
    let margin = model.form().margin();
    let room = usize::from(canvas.width().saturating_sub(2 * margin)).min(106);
    for (row, line) in (3..).zip(crate::text::wrap(tab.why_empty, room)) {
        canvas.put(margin, row, &line, Role::Text);
    }
}
