//! The head of the triage screen: result, counts and money, the incident, banners.

use super::canvas::Canvas;
use super::role::{Role, Span, dim, strong, text, width_of};
use super::shown::{Shown, counted, outside};
use super::{groups, list, preview, status};
use crate::app::figures;
use crate::app::keymap::thousands;
use crate::app::layout::{self, Form, Triage};
use crate::app::model::{Layer, Members, Model};
use crate::judge::view::{ResultWord, Summary};
use crate::model::money::Totals;
use crate::model::time::{MINUTE, age};
use crate::model::units::Unit;

/// How young the newest violation may be to be called still happening.
const STILL: i64 = 10 * MINUTE;

/// Draws the screen with the list on top.
pub fn draw(model: &Model, canvas: &mut Canvas) {
    let Some(shown) = Shown::of(model) else {
        return;
    };
    let over = model.top_list();
    let lines = layout::triage(model, over);
    let members = model.layers.iter().rev().find_map(|layer| match layer {
        Layer::Members(members) => Some(members),
        _ => None,
    });
    if let Some(members) = members {
        common(model, canvas, members, &lines);
    } else {
        result(&shown, canvas, &lines, model.form());
        incident(&shown, canvas, &lines, model.form());
        banners(model, canvas, &shown, &lines);
    }
    if let Some(grouping) = model.grouping.as_ref().filter(|_| members.is_none()) {
        groups::draw(model, canvas, grouping, &lines);
        groups::preview(model, canvas, grouping, &lines);
    } else {
        list::draw(model, canvas, over, &lines);
        preview::draw(model, canvas, over, &lines);
    }
    if let Some(row) = lines.status {
        status::line(model, canvas, row, &status::sources(model));
    }
}

/// Above a list of members: what they have in common.
fn common(model: &Model, canvas: &mut Canvas, members: &Members, lines: &Triage) {
    let margin = model.form().margin();
    let column = canvas.put(margin, lines.result, &outside(model, &members.title), Role::Strong) + 3;
    canvas.put(column, lines.result, &outside(model, &members.words), Role::Text);
}

/// Role of the result.
pub fn result_role(result: ResultWord) -> Role {
    match result {
        ResultWord::ViolationFound | ResultWord::InputError => Role::Wrong,
        ResultWord::Inconclusive => Role::AskWord,
        ResultWord::NoViolationObserved => Role::Strong,
    }
}

/// Result in capitals, counts with their words, money at the right.
fn result(shown: &Shown<'_>, canvas: &mut Canvas, lines: &Triage, form: Form) {
    let (summary, row, margin) = (shown.summary, lines.result, form.margin());
    let end = canvas.width().saturating_sub(margin);
    let words = summary.result.words();
    let column = canvas.put(margin, row, words, result_role(summary.result));
    let right = money(shown, summary, form);
    let mut edge = end;
    for part in right.iter().rev() {
        edge = canvas.spans_right(edge, row, part).saturating_sub(if form == Form::Wide { 4 } else { 2 });
    }
    let (first_gap, gap) = match form {
        Form::Wide => (5, 3),
        Form::Compact => (3, 2),
        _ => (2, 2),
    };
    let mut column = column + first_gap;
    for (at, (part, own_gap)) in counts(summary, form).into_iter().enumerate() {
        let cells = u16::try_from(width_of(&part)).unwrap_or(u16::MAX);
        let before = if at == 0 { 0 } else { own_gap.max(gap) };
        if column.saturating_add(before).saturating_add(cells) > edge {
            break;
        }
        column = canvas.spans(column + before, row, &part);
    }
}

/// Counts with their words, and the gap before each where it is wider.
fn counts(summary: &Summary, form: Form) -> Vec<(Vec<Span>, u16)> {
    let wide = form == Form::Wide;
    let count = |count: u64, words: &str| vec![strong(thousands(count)), text(format!(" {words}"))];
    let probable = summary
        .by_label
        .iter()
        .find(|(label, ..)| *label == "PROBABLY DOUBLE")
        .map_or(0, |(_, count, _)| *count);
    let mut parts = Vec::new();
    if wide || summary.violations > 0 {
        parts.push((count(summary.violations, if wide { "went wrong" } else { "wrong" }), 0));
    }
    let mut decide = count(summary.undecided, "to decide");
    if probable > 0 {
        decide.push(text(format!(", {} of them probably double", thousands(probable))));
    }
    parts.push((decide, 0));
    if wide {
        for (number, words) in [(summary.open, "waiting"), (summary.clean, "fine")] {
            if number > 0 {
                parts.push((count(number, words), 0));
            }
        }
    } else if form == Form::Compact && summary.violations > 0 {
        parts.push((vec![text(who(summary))], 3));
    }
    parts
}

/// `3 orders, 3 customers`.
fn who(summary: &Summary) -> String {
    let parts = [(summary.orders, "order"), (summary.parties, "customer")];
    let shown: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| counted(count, noun)).collect();
    shown.join(", ")
}

/// What is wrong, then what is undecided, per currency.
fn money(shown: &Shown<'_>, summary: &Summary, form: Form) -> Vec<Vec<Span>> {
    let sides =
        [(&summary.at_risk, "wrong", Role::Wrong), (&summary.undecided_at_risk, "undecided", Role::Strong)];
    let mut parts = Vec::new();
    for (totals, word, role) in sides {
        let found = shown.totals(totals);
        if found.is_empty() {
            continue;
        }
        if form != Form::Wide {
            // The largest that is wrong, else undecided; how many more currencies.
            if parts.is_empty() {
                let (unit, total) = largest(&found);
                let more = if found.len() > 1 { format!(" +{}", found.len() - 1) } else { String::new() };
                parts.push(vec![Span::new(
                    format!("{}{more}", shown.outside(&shown.units.show_total(unit, total))),
                    role,
                )]);
            }
            continue;
        }
        let texts: Vec<String> = found
            .iter()
            .take(3)
            .map(|(unit, total)| shown.outside(&shown.units.show_total(*unit, *total)))
            .collect();
        let more = if found.len() > 3 { format!("  +{}", found.len() - 3) } else { String::new() };
        let text_of = texts.join("  ") + &more;
        parts.push(vec![Span::new(text_of, role), text(format!(" {word}"))]);
    }
    parts
}

fn largest(found: &[(Unit, crate::model::money::Total)]) -> (Unit, crate::model::money::Total) {
    let most = found.iter().max_by_key(|(_, total)| total.exact());
    most.copied().unwrap_or((Unit::NONE, crate::model::money::Total::ZERO))
}

/// Orders, customers, first to last at the left; out too much, may go out, owed at the right.
fn incident(shown: &Shown<'_>, canvas: &mut Canvas, lines: &Triage, form: Form) {
    let (row, count) = lines.incident;
    if count == 0 {
        return;
    }
    let summary = shown.summary;
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let units = figures::units(summary);
    if form == Form::Wide {
        for (at, line) in (row..).zip(left(shown, summary)).take(usize::from(count)) {
            canvas.spans(margin, at, &line);
        }
        per_currency(shown, canvas, &units, row, count, end);
        return;
    }
    let gap = 2;
    let mut column = margin;
    if let Some(unit) = units.first() {
        let more = if units.len() > 1 { format!(" +{}", units.len() - 1) } else { String::new() };
        let parts = sums(shown, summary, *unit, form);
        let last = parts.len().saturating_sub(1);
        for (at, (label, amount)) in parts.into_iter().enumerate() {
            let amount = if at == last { format!("{amount}{more}") } else { amount };
            let cells = crate::text::width(&label) + crate::text::width(&amount) + 1;
            if usize::from(column) + cells > usize::from(end) {
                break;
            }
            column = canvas.spans(column, row, &[dim(label), text(format!(" {amount}"))]) + gap;
        }
    }
    if form == Form::Compact
        && let Some(time) = when(shown, summary, true)
    {
        let cells = u16::try_from(width_of(&time)).unwrap_or(u16::MAX);
        if end.saturating_sub(column) >= cells {
            canvas.spans_right(end, row, &time);
        }
    }
}

/// The left lines: who and when; what most of them share.
fn left(shown: &Shown<'_>, summary: &Summary) -> Vec<Vec<Span>> {
    let mut first = vec![dim(who(summary))];
    let time = when(shown, summary, false);
    let mut second = Vec::new();
    match (&summary.common, time) {
        (Some(common), time) => {
            let from_to = range(shown, summary);
            let last = last(shown, summary, false);
            if let Some(last) = last {
                first.push(dim(", "));
                first.push(last);
            }
            let _ = time;
            let words =
                format!("{} in 100 share {} {}", common.share, common.what, shown.outside(&common.value));
            second.push(dim(if from_to.is_empty() { words } else { format!("{from_to}; {words}") }));
        }
        (None, Some(time)) => {
            if !who(summary).is_empty() {
                first.push(dim(", "));
            }
            first.extend(time);
        }
        (None, None) => {}
    }
    vec![first, second]
}

/// First to last, where they differ.
fn range(shown: &Shown<'_>, summary: &Summary) -> String {
    if summary.first.is_none() || summary.last.is_none() || summary.first == summary.last {
        return String::new();
    }
    format!("{} to {}", shown.minute(summary.first), shown.minute(summary.last))
}

/// How long ago the newest was; a word that needs a decision where it goes on.
fn last(shown: &Shown<'_>, summary: &Summary, short: bool) -> Option<Span> {
    if summary.last.is_none() {
        return None;
    }
    let since = shown.now.since(summary.last);
    let ago = age(since);
    let still = summary.violations > 0 && since < STILL;
    let role = if still { Role::AskWord } else { Role::Dim };
    let words = match (short, still) {
        (true, _) => format!("{} ago", ago.replace("min", "m").replace(' ', "")),
        (false, true) => format!("still happening: last {ago} ago"),
        (false, false) => format!("last {ago} ago"),
    };
    Some(Span::new(words, role))
}

fn when(shown: &Shown<'_>, summary: &Summary, short: bool) -> Option<Vec<Span>> {
    let last = last(shown, summary, short)?;
    let range = range(shown, summary);
    Some(if range.is_empty() { vec![last] } else { vec![dim(format!("{range}, ")), last] })
}

/// Label and amount of each figure of a currency; what is zero everywhere is left out.
fn sums(shown: &Shown<'_>, summary: &Summary, unit: Unit, form: Form) -> Vec<(String, String)> {
    let zero = |totals: &Totals| totals.iter().all(|(_, total)| total.is_zero());
    let too_much = if form == Form::Pane { "too much" } else { "out too much" };
    let probably = if form == Form::Pane { "probably" } else { "probably too much" };
    let first = if zero(&summary.out_too_much) {
        (probably, &summary.probably_too_much)
    } else {
        (too_much, &summary.out_too_much)
    };
    let columns = [first, ("may go out", &summary.may_still_go_out), ("owed", &summary.owed)];
    let amount = |totals: &Totals| {
        let total = totals.get(unit).unwrap_or(crate::model::money::Total::ZERO);
        shown.total(unit, total)
    };
    columns
        .into_iter()
        .filter(|(_, totals)| !zero(totals))
        .map(|(label, totals)| (label.to_owned(), amount(totals)))
        .collect()
}

/// One line per currency at the right, aligned on the point; three at most.
fn per_currency(shown: &Shown<'_>, canvas: &mut Canvas, units: &[Unit], row: u16, count: u16, end: u16) {
    let shown_units = if units.len() > 3 { units.get(..3).unwrap_or(units) } else { units };
    let table: Vec<Vec<(String, String)>> =
        shown_units.iter().map(|unit| sums(shown, shown.summary, *unit, Form::Wide)).collect();
    let columns = table.first().map_or(0, Vec::len);
    let widest = |column: usize| {
        table
            .iter()
            .filter_map(|line| line.get(column))
            .map(|(_, amount)| crate::text::width(amount))
            .max()
            .unwrap_or(0)
    };
    for (at, (line, unit)) in (row..).zip(table.iter().zip(shown_units)).take(usize::from(count)) {
        let mut edge = end;
        for column in (0..columns).rev() {
            let Some((label, amount)) = line.get(column) else {
                continue;
            };
            let amount = format!("{amount:>width$}", width = widest(column));
            edge = canvas.spans_right(edge, at, &[dim(format!("{label} ")), text(amount)]).saturating_sub(3);
        }
        if units.len() > 1 {
            canvas.right(edge, at, &shown.outside(shown.units.text(*unit)), Role::Dim);
        }
    }
    if units.len() > 3 && usize::from(count) > 3 {
        canvas.right(end, row + 3, &format!("+{} currencies", units.len() - 3), Role::Dim);
    }
}

/// At most two, one sentence each, in one line.
fn banners(model: &Model, canvas: &mut Canvas, shown: &Shown<'_>, lines: &Triage) {
    let Some(row) = lines.banner else {
        return;
    };
    let form = model.form();
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let spans = |banner: &figures::Banner| {
        let (head, rest) =
            if form == Form::Wide { (banner.head, banner.rest) } else { (banner.short, banner.short_rest) };
        vec![Span::new(head, Role::AskWord), text(format!(" {rest}"))]
    };
    let found = figures::banners(model, shown.summary);
    let mut edge = end;
    if let Some(second) = found.get(1) {
        edge = canvas.spans_right(end, row, &spans(second)).saturating_sub(2);
    }
    if let Some(first) = found.first() {
        let spans = spans(first);
        if usize::from(edge.saturating_sub(margin)) >= width_of(&spans) {
            canvas.spans(margin, row, &spans);
        }
    }
}
