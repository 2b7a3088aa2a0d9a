//! One row of the list with everything that is known of it: verdict and money, the story, the next step, attempts
//! and rows, the sum, why, and the fine print.

use super::bracket::{self, Selected, Sides, copy_source, side_of};
use super::canvas::Canvas;
use super::role::{Role, Span, dim, text, width_of};
use super::shown::{Shown, counted, file_name};
use super::sum::Side;
use super::{Frame, stacked, status, story};
use crate::app::case::Item;
use crate::app::layout::Form;
use crate::app::model::{Detail, Model, Pane};
use crate::judge::judgement::{Class, RetryOrigin};
use crate::judge::story::{difference_word, phrase};
use crate::judge::view::OrphanView;
use crate::text::{SafeText, ascii_mark, cut, wrap};

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
            _ if height >= 16 => Self {
                headline: 2,
                story: (3, 2),
                next: Some(5),
                heads: 7,
                body: body(9, 1),
                status: None,
            },
            // So little room that only the evidence is left.
            _ => Self {
                headline: 2,
                story: (3, 1),
                next: None,
                heads: 4,
                body: body(6, 1),
                status: None,
            },
        }
    }
}

/// Draws it; gives how far the body can be scrolled.
pub fn draw(model: &Model, detail: &Detail, frame: &mut Frame) {
    let Some(shown) = Shown::of(model) else {
        return;
    };
    let (form, item) = (model.form(), &detail.item);
    let canvas = &mut frame.canvas;
    let lines = Lines::of(form, canvas.height());
    headline(&shown, item, canvas, lines.headline, form);
    let start = if form == Form::Wide { 6 } else { form.margin() };
    let room = usize::from(canvas.width().saturating_sub(start + form.margin())).min(106);
    let told = if form == Form::Pane {
        story::first_only(item, room)
    } else {
        story::lines(item, room)
    };
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
            vec![vec![
                Span::new("pgdn", Role::Key),
                dim(" why, and the fine print"),
            ]]
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

/// Mark, words, codes; money with its word, and the deadline.
fn headline(shown: &Shown<'_>, item: &Item, canvas: &mut Canvas, row: u16, form: Form) {
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let (violation, class) = (item.row.class == Some(Class::Violation), item.row.class);
    let mark = if shown.ascii {
        ascii_mark(&item.row.mark)
    } else {
        item.row.mark.clone()
    };
    let role = match class {
        Some(Class::Violation) => Role::Wrong,
        Some(Class::Undecided) => Role::Ask,
        _ => Role::Dim,
    };
    let three = crate::text::width(&mark) >= 3;
    canvas.put(if three { 1 } else { margin }, row, &mark, role);
    let words = if three { 5 } else { margin + 4 };
    let gap = if form == Form::Pane { 2 } else { 3 };
    let right = money(shown, item, form);
    let right_gap = if form == Form::Wide { 3 } else { 2 };
    let mut edge = end;
    for part in right.iter().rev() {
        if usize::from(edge) < width_of(part) + usize::from(words) + 12 {
            continue;
        }
        edge = canvas.spans_right(edge, row, part).saturating_sub(right_gap);
    }
    let room = usize::from(edge.saturating_sub(words));
    let title = phrase::capital(&item.row.words);
    let column = canvas.put(
        words,
        row,
        &cut(title, room),
        if violation { Role::Wrong } else { Role::Strong },
    );
    let codes = if form == Form::Wide {
        let severity = if item.row.class.is_some() {
            format!(" S{}", item.row.severity)
        } else {
            String::new()
        };
        format!("{} {}{severity}", item.row.verdict, item.row.rule)
    } else {
        item.row.rule.to_owned()
    };
    let codes = codes.split_whitespace().collect::<Vec<_>>().join(" ");
    if usize::from(edge.saturating_sub(column + gap)) >= crate::text::width(&codes) {
        canvas.put(column + gap, row, &codes, Role::Dim);
    }
}

fn money(shown: &Shown<'_>, item: &Item, form: Form) -> Vec<Vec<Span>> {
    use crate::model::time::span;
    let row = &item.row;
    let violation = row.class == Some(Class::Violation);
    let judgement = item.intents.first().map(|intent| &intent.judgement);
    let word = match (judgement, item.orphan()) {
        (Some(_), _) if row.class == Some(Class::Open) => "intended",
        (Some(judgement), _) => difference_word(judgement),
        (None, Some(orphan)) if orphan.violation => "unexplained",
        _ => "not judged",
    };
    let expected = judgement.and_then(|judgement| judgement.expected);
    let amount = match row.class {
        Some(Class::Clean | Class::Open) => expected,
        None => item.orphan().and_then(|orphan| {
            let (unit, _) = shown.totals(&orphan.totals).into_iter().next()?;
            super::sum::money_of(&orphan.totals, unit)
        }),
        _ => row.at_risk,
    };
    let mut parts = Vec::new();
    if let Some(amount) = amount {
        let more = if row.more_units > 0 {
            format!(" +{}", row.more_units)
        } else {
            String::new()
        };
        let money = format!("{}{more}", shown.money(amount));
        parts.push(if violation {
            vec![Span::new(format!("{money} {word}"), Role::Wrong)]
        } else {
            let strong = if row.class == Some(Class::Undecided) {
                Role::Strong
            } else {
                Role::Text
            };
            vec![Span::new(money, strong), text(format!(" {word}"))]
        });
    }
    if !row.deadline.is_none() {
        let left = row.deadline.since(shown.now);
        parts.push(if row.overdue {
            vec![Span::new(format!("{} late", span(left)), Role::AskWord)]
        } else {
            let due = if form == Form::Wide { "due in" } else { "in" };
            vec![dim(format!("{due} {}", span(left)))]
        });
    }
    parts
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
    let selected = Selected {
        pane: detail.pane,
        attempt: detail.attempt,
        effect: detail.effect,
    };
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
    Body {
        canvas: surface,
        height,
        essential,
        focus,
    }
}

/// Heads of the panes with the rule below them; that of the focus is heavy.
fn side_heads(shown: &Shown<'_>, detail: &Detail, canvas: &mut Canvas, row: u16, sides: Sides) {
    let item = &detail.item;
    let focus = |pane: Pane| {
        if detail.pane == pane {
            ('━', Role::Focus)
        } else {
            ('─', Role::Faint)
        }
    };
    canvas.put(sides.left.0, row, "Tried", Role::Strong);
    let room = usize::from(sides.left.1.saturating_sub(sides.left.0 + 8));
    canvas.put(
        sides.left.0 + 8,
        row,
        &cut(tried(item, sides.roomy), room),
        Role::Dim,
    );
    let (glyph, role) = focus(Pane::Tried);
    canvas.fill(sides.left.0..sides.left.1, row + 1, glyph, role);
    let side = side_of(item, shown);
    let (start, end) = sides.right;
    let assumed = item.intents.iter().any(|intent| intent.currency_assumed);
    let unit = unit_of(shown, item);
    let unit = if assumed && sides.roomy {
        format!("{unit} assumed")
    } else {
        unit
    };
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
    unit.map(|unit| shown.outside(shown.units.text(unit)))
        .unwrap_or_default()
}

/// `2 attempts by the agent`.
fn tried(item: &Item, roomy: bool) -> String {
    let count = item.attempts().count() as u64;
    if item.orphan().is_some() || count == 0 {
        return "no attempt known".to_owned();
    }
    let by = item
        .intents
        .iter()
        .find_map(|intent| match intent.judgement.origin {
            RetryOrigin::Script => Some("the script"),
            RetryOrigin::Model => Some("the agent"),
            RetryOrigin::Caller if !intent.agent.is_empty() => Some("the agent"),
            RetryOrigin::None | RetryOrigin::Unknown if !intent.agent.is_empty() => Some("the agent"),
            RetryOrigin::Caller => Some("the caller"),
            _ => None,
        });
    let requests = item.intents.len();
    let assumed = item.intents.iter().any(|intent| intent.account.is_some());
    let calls = match (assumed, requests) {
        (true, requests) => format!(
            "{}, {}",
            counted(count, "call"),
            counted(requests as u64, "request")
        ),
        (false, 1) => counted(count, "attempt"),
        (false, requests) => format!("{}, {requests} requests", counted(count, "attempt")),
    };
    match by {
        Some(by) if !assumed && requests == 1 => format!("{calls} by {by}"),
        Some(by) if roomy => format!("{calls}, by {by}"),
        _ => calls,
    }
}

/// By every way a row can be tied to a request: what was found.
fn looked_for(shown: &Shown<'_>, orphan: &OrphanView, canvas: &mut Canvas, top: u16, form: Form) -> u16 {
    let start = if form == Form::Wide { 6 } else { form.margin() };
    let end = canvas.width().saturating_sub(form.margin());
    let mut row = top;
    let column = canvas.put(start, row, "Looked for its request", Role::Strong) + 3;
    canvas.put_until(
        column,
        row,
        end,
        "by every way a row can be tied to a request",
        Role::Dim,
    );
    row += 1;
    canvas.fill(start..end, row, '─', Role::Faint);
    row += 1;
    let order = orphan.business_id.replacen(':', " ", 1);
    let minute = shown.minute(orphan.committed.at);
    let money = shown
        .totals(&orphan.totals)
        .first()
        .and_then(|(unit, _)| super::sum::money_of(&orphan.totals, *unit));
    let about: Vec<String> = [
        shown.outside(&order),
        money.map(|money| shown.money(money)).unwrap_or_default(),
        minute,
    ]
    .into_iter()
    .filter(|part| !part.is_empty())
    .collect();
    let id = |raw: &str| shown.id(raw);
    let several = orphan.count > 1;
    let table = [
        if orphan.operation_id.is_empty() {
            ("operation id".to_owned(), "the row has none".to_owned())
        } else {
            (
                format!("operation id {}", id(&orphan.operation_id)),
                "no request has it, in no other spelling either".to_owned(),
            )
        },
        if orphan.key.is_empty() {
            ("key".to_owned(), "the row has none".to_owned())
        } else {
            (format!("key {}", id(&orphan.key)), "no request has it".to_owned())
        },
        if orphan.effect_id.is_empty() {
            (
                "receipt".to_owned(),
                "the row has no id that an answer could name".to_owned(),
            )
        } else {
            (
                "receipt".to_owned(),
                format!("no answer named {}", id(&orphan.effect_id)),
            )
        },
        if orphan.business_id.is_empty() {
            ("order".to_owned(), "the row names none".to_owned())
        } else {
            (
                about.join(", "),
                "no request for that order at any time".to_owned(),
            )
        },
        if several {
            (
                "a second row of this operation id".to_owned(),
                format!("{} rows: a possible double outside this trace", orphan.count),
            )
        } else {
            (
                "a second row of this operation id".to_owned(),
                "none: no sign of a double outside this trace".to_owned(),
            )
        },
    ];
    let results = if form == Form::Wide { 66 } else { start + 3 };
    for (what, found) in table {
        canvas.put(start, row, "–", Role::Dim);
        let room = usize::from(if form == Form::Wide {
            results - start - 5
        } else {
            end.saturating_sub(start + 3)
        });
        canvas.put(start + 3, row, &crate::text::cut_middle(what, room), Role::Text);
        if form != Form::Wide {
            row += 1;
        }
        canvas.put_until(results, row, end, &found, Role::Dim);
        row += 1;
    }
    row
}

/// How the sentence begins that says what the record says: it belongs to the fine print.
const RECORD: &str = "Record says";

/// Why, with the codes at the right; below it the fine print, at the foot of the screen where there is room.
fn why(item: &Item, canvas: &mut Canvas, height: u16, form: Form, anchored: u16) -> (u16, u16) {
    let wide = form == Form::Wide;
    let (label, start) = if wide {
        (6, 13)
    } else {
        (form.margin(), form.margin() + 6)
    };
    let end = canvas.width().saturating_sub(form.margin());
    let mut row = height + 1;
    let orphan = item.orphan().is_some();
    let says = |(sentence, _): &&(String, &str)| sentence.starts_with(RECORD);
    let record = item.story.why.last().filter(says);
    let reasons = item.story.why.len() - usize::from(record.is_some());
    for (at, (sentence, code)) in item.story.why.iter().take(reasons).enumerate() {
        // Of a row without an attempt the last sentence says what it changes: it has no label.
        let start = if orphan { label } else { start };
        if at == 0 && !orphan {
            canvas.put(label, row, "Why", Role::Strong);
        }
        let code = if orphan { "" } else { code };
        let beside = if code.is_empty() {
            0
        } else {
            crate::text::width(code) + 3
        };
        let room = usize::from(end.saturating_sub(start))
            .saturating_sub(beside)
            .min(106);
        if !code.is_empty() {
            canvas.right(end, row, code, Role::Dim);
        }
        for line in wrap(SafeText::new(&plain(sentence)).as_str(), room) {
            canvas.put(start, row, &line, Role::Text);
            row += 1;
        }
    }
    let room = usize::from(end.saturating_sub(start)).min(106);
    let lines = |sentence: &str| wrap(SafeText::new(&plain(sentence)).as_str(), room);
    let record = record.map(|(sentence, _)| lines(sentence)).unwrap_or_default();
    let needed = u16::try_from(record.len()).unwrap_or(0);
    if wide && row + needed <= anchored + 1 {
        row = anchored + 1 - needed;
    }
    let essential = row + needed;
    let hint = item.story.kind_hint.map(lines).unwrap_or_default();
    let fine = item.story.fine.iter().flat_map(|sentence| lines(sentence));
    for line in record.into_iter().chain(fine).chain(hint) {
        canvas.put(start, row, &line, Role::Dim);
        row += 1;
    }
    (row, essential)
}

fn plain(text: &str) -> String {
    crate::text::plain_blanks(text).into_owned()
}

/// Where the selected fact stands.
fn place(shown: &Shown<'_>, detail: &Detail) -> Vec<Vec<Span>> {
    let item = &detail.item;
    let found = match detail.pane {
        Pane::Tried => item.attempts().nth(detail.attempt).map(|(_, attempt)| {
            (
                format!("attempt {}", attempt.number),
                shown.outside(&attempt.place),
            )
        }),
        Pane::Ledger => item
            .rows()
            .nth(detail.effect)
            .map(|row| (shown.id(&row.name), shown.outside(&row.place))),
    };
    match found {
        Some((name, place)) if !place.is_empty() => vec![vec![text(name), dim(format!(" is {place}"))]],
        _ => Vec::new(),
    }
}
