//! Below the list: what is known of the selected row, and what to do next.

use super::canvas::Canvas;
use super::role::{Role, Span, dim, text};
use super::shown::{Shown, outside};
use super::status;
use super::story;
use super::sum::{Outcome, Side, copies, sum};
use crate::app::case::Item;
use crate::app::keymap::thousands;
use crate::app::layout::{Form, Triage};
use crate::app::list::List;
use crate::app::model::Model;
use crate::judge::view::AttemptView;
use crate::judge::words::outcome;
use crate::model::row::Status;
use crate::model::time::Micros;
use crate::text::cut;

/// Draws the rule and what is below it.
pub fn draw(model: &Model, canvas: &mut Canvas, list: &List, lines: &Triage) {
    let Some(row) = lines.rule else {
        return;
    };
    let item = model.preview.as_ref().map(|(_, item)| item);
    rule(model, canvas, row, item, list, lines);
    let (Some(item), Some(shown)) = (item, Shown::of(model)) else {
        return;
    };
    let form = model.form();
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let beside = (form == Form::Wide).then(|| figures(canvas, &shown, item, lines.story.0)).flatten();
    let story_end = beside.map_or(end, |(start, _)| start.saturating_sub(11)).min(margin + 106);
    let room = usize::from(story_end.saturating_sub(margin));
    let (top, count) = lines.story;
    let told = if form == Form::Pane { story::first_only(item, room) } else { story::lines(item, room) };
    for (at, line) in (top..).zip(told.into_iter().take(usize::from(count))) {
        canvas.spans(margin, at, &line);
    }
    if form == Form::Wide {
        attempts(canvas, &shown, item, lines, beside);
    }
    next(model, canvas, item, lines);
    if let (Some(at), Some(command)) = (lines.same, &model.setup.same_list) {
        let room = usize::from(end.saturating_sub(margin + 12));
        canvas.put(margin, at, "Same list", Role::Dim);
        canvas.put(margin + 12, at, &cut(outside(model, command), room), Role::Dim);
    }
}

/// Title of the selected row at the left, counts at the right: what is hidden always stands here.
fn rule(model: &Model, canvas: &mut Canvas, row: u16, item: Option<&Item>, list: &List, lines: &Triage) {
    let form = model.form();
    let width = canvas.width();
    canvas.fill(0..width, row, '─', Role::Faint);
    let edge = if form == Form::Pane { 1 } else { 2 };
    let mut counts = counts(model, list, lines);
    let cells = |counts: &[String]| counts.iter().map(|count| crate::text::width(count) + 3).sum::<usize>();
    let title = item.map(|item| outside(model, &item.title())).unwrap_or_default();
    // The title is needed; of the counts the last ones go first, but never what a filter hides.
    let room = usize::from(width.saturating_sub(2 * edge + 4));
    let needed = 1 + usize::from(model.filter.is_on()) + usize::from(model.sort.is_on());
    while counts.len() > needed && cells(&counts) + crate::text::width(&title) > room {
        counts.pop();
    }
    let mut end = width.saturating_sub(edge);
    if !counts.is_empty() {
        let text = counts.join("   ");
        end = canvas.right(end.saturating_sub(1), row, &text, Role::Dim).saturating_sub(1);
        canvas.clear(end..end + 1, row);
        let behind = width.saturating_sub(edge + 1);
        canvas.clear(behind..behind + 1, row);
    }
    let Some(item) = item else {
        return;
    };
    let start = edge + 1;
    let room = usize::from(end.saturating_sub(start + 3));
    canvas.clear(edge..start, row);
    let mut column = canvas.put(start, row, &cut(&title, room), Role::Text);
    let id = outside(model, &item.row.intent_id);
    let free = usize::from(end.saturating_sub(column));
    if form != Form::Pane && !id.is_empty() && free > crate::text::width(&id) + 4 {
        canvas.clear(column..column + 2, row);
        column = canvas.put(column + 2, row, &id, Role::Dim);
    }
    canvas.clear(column..column + 1, row);
}

/// Which of how many, what is hidden, what lies outside.
fn counts(model: &Model, list: &List, lines: &Triage) -> Vec<String> {
    let Some(case) = model.case() else {
        return Vec::new();
    };
    let (form, summary) = (model.form(), case.summary());
    let all = list.len(form);
    let mut counts = vec![format!(
        "{} of {}",
        thousands((list.selected as u64 + 1).min(all as u64)),
        thousands(all as u64)
    )];
    if all == 0 {
        counts.clear();
    }
    if !model.layers.is_empty() && !std::ptr::eq(list, &raw const model.list) {
        return counts;
    }
    counts.extend(hidden(model));
    if lines.window.outside_in_rule
        && let Some(outside) = summary.outside
    {
        counts.push(format!("{} outside the trace", super::shown::counted(outside, "row")));
    }
    counts
}

/// What the order of the list is, where it is not the default one; and what is hidden, which always stands here.
pub fn hidden(model: &Model) -> Vec<String> {
    let mut counts = Vec::new();
    let Some(case) = model.case() else {
        return counts;
    };
    let (form, summary) = (model.form(), case.summary());
    let filter = &model.filter;
    let (seen, rows) = status::counts(model);
    let hidden = thousands(rows.saturating_sub(seen));
    if filter.is_on() {
        let mut what = Vec::new();
        if !filter.text.is_empty() {
            what.push(format!("\"{}\"", cut(outside(model, &filter.text), 20)));
        }
        if filter.divergent {
            what.push("divergent only".to_owned());
        }
        if filter.unknown {
            what.push("unknown only".to_owned());
        }
        if !what.is_empty() {
            counts.push(format!("{}, {hidden} not shown", what.join(", ")));
        }
    } else if summary.clean + summary.closed > 0 && rows > seen && form != Form::Pane {
        let answers = match summary.answers_lost {
            0 => String::new(),
            _ if form != Form::Wide => String::new(),
            some => format!(", {} of them with a lost answer", thousands(some)),
        };
        let closed = match summary.closed {
            0 => String::new(),
            some => format!(", {} closed", thousands(some)),
        };
        counts.push(format!("{} fine{closed} not shown{answers}", thousands(summary.clean)));
    }
    if model.sort.is_on() && model.grouping.is_none() {
        let (column, order, turned) = model.sort.by.words();
        let order = if model.sort.reversed { turned } else { order };
        counts.push(if model.sort.waits() {
            format!("sorting by {column}")
        } else {
            format!("by {column}, {order}")
        });
    }
    counts
}

/// The sum at the right. Gives the column where its labels begin and the row below it.
fn figures(canvas: &mut Canvas, shown: &Shown<'_>, item: &Item, top: u16) -> Option<(u16, u16)> {
    let sum = sum(item)?;
    let end = canvas.width().saturating_sub(2);
    let (labels, counts) = (end.saturating_sub(32), end.saturating_sub(15));
    let assumed = item.intents.iter().any(|intent| intent.currency_assumed);
    let unit = shown.outside(shown.units.text(sum.unit));
    let unit = if assumed { format!("{unit} assumed") } else { unit };
    canvas.right(counts, top, "count", Role::Dim);
    canvas.right(end, top, &unit, Role::Dim);
    let amount = |money: Option<crate::model::money::Money>| {
        money.map_or("–".to_owned(), |money| shown.number(money))
    };
    let mut rows: Vec<(String, u32, String)> = Vec::new();
    let tilde = if sum.intended.2 { " ~" } else { "" };
    let name = if sum.tried.is_some() { "wanted" } else { "intended" };
    rows.push((format!("{name}{tilde}"), sum.intended.0, amount(sum.intended.1)));
    let source =
        item.rows().next().map(|row| row.source).or(item.intents.first().and_then(|i| i.deciding_source));
    let side = source.map_or(Side::Ledger, |source| Side::of(shown.sources, source));
    if let Some((count, money)) = &sum.tried {
        rows.push(("tried".to_owned(), *count, amount(*money)));
        rows.push(("found".to_owned(), sum.found.0, amount(sum.found.1)));
    } else {
        let unreadable = sum.unreadable > 0;
        let money = if unreadable { "unreadable".to_owned() } else { amount(sum.found.1) };
        rows.push((side.word().to_owned(), sum.found.0, money));
        if sum.on_its_way.0 > 0 {
            rows.push(("on its way".to_owned(), sum.on_its_way.0, amount(sum.on_its_way.1)));
        }
    }
    let mut row = top + 1;
    for (label, count, money) in &rows {
        canvas.put(labels, row, label, Role::Dim);
        canvas.right(counts, row, &thousands(u64::from(*count)), Role::Text);
        canvas.right(end, row, money, Role::Text);
        row += 1;
    }
    let widest = rows.iter().map(|(_, _, money)| crate::text::width(money)).max().unwrap_or(0);
    let short = u16::try_from(widest + 1).unwrap_or(12);
    canvas.fill(counts - 2..counts, row, '─', Role::Faint);
    canvas.fill(end.saturating_sub(short)..end, row, '─', Role::Faint);
    row += 1;
    let (count, word, money) = sum.outcome.roles();
    canvas.put(labels, row, sum.outcome.word(), word);
    match sum.outcome {
        Outcome::NotKnown => canvas.right(counts, row, "?", count),
        _ => canvas.right(counts, row, &thousands(u64::from(sum.count)), count),
    };
    canvas.right(end, row, &amount(sum.amount), money);
    row += 1;
    for (side, count, money, _) in copies(item, shown).into_iter().take(1) {
        canvas.put(labels, row, side.word(), Role::Dim);
        canvas.right(counts, row, &thousands(u64::from(count)), Role::Dim);
        canvas.right(end, row, &amount(money), Role::Dim);
        row += 1;
    }
    Some((labels, row))
}

/// Attempts and their rows in one line each.
fn attempts(canvas: &mut Canvas, shown: &Shown<'_>, item: &Item, lines: &Triage, beside: Option<(u16, u16)>) {
    let (top, most) = lines.attempts;
    if most == 0 || item.intents.len() != 1 || item.intents.iter().any(|intent| intent.account.is_some()) {
        return;
    }
    let all: Vec<_> = item.attempts().collect();
    let tied: Vec<_> = all
        .iter()
        .map(|(_, attempt)| {
            item.intents.first().and_then(|intent| super::evidence::rows_of(intent, attempt.number).next())
        })
        .collect();
    if tied.iter().all(Option::is_none) {
        return;
    }
    let most = usize::from(most);
    // A time of another day stands with its date, and what is behind it makes room.
    let second = |at: Micros| shown.second(at);
    let sent_of = |attempt: &AttemptView| if attempt.sent.is_none() { Micros::NONE } else { attempt.sent.at };
    let widest = |times: &mut dyn Iterator<Item = Micros>| {
        times.map(|at| u16::try_from(crate::text::width(&second(at))).unwrap_or(8)).max().unwrap_or(8).max(8)
    };
    let sent_width = widest(&mut all.iter().take(most).map(|(_, attempt)| sent_of(attempt)));
    let row_width = widest(&mut tied.iter().take(most).flatten().map(|row| row.committed.at));
    let said = 13 + sent_width + 2;
    let at_row = said + 22;
    let named = at_row + row_width + 2;
    let pending = item.rows().any(|row| row.status == Status::OnItsWay);
    for (at, ((_, attempt), row)) in (top..).zip(all.iter().zip(&tied)).take(most) {
        let last = at + 1 == top + u16::try_from(most).unwrap_or(1);
        if last && all.len() > most {
            let more = all.len() - most + 1;
            canvas.spans(2, at, &[text(format!("{more} more attempts")), dim("   enter shows them all")]);
            return;
        }
        let accepted = row.is_some_and(|row| row.status == Status::OnItsWay);
        let (_, words) = outcome(attempt, accepted, None);
        let limit = match beside {
            Some((labels, below)) if at < below => labels.saturating_sub(1),
            _ => canvas.width().saturating_sub(2),
        };
        canvas.put(2, at, &format!("attempt {}", attempt.number), Role::Text);
        canvas.put_until(13, at, said, &second(sent_of(attempt)), Role::Dim);
        canvas.put(said, at, &cut(shown.outside(&words), 15), Role::Text);
        if let Some(row) = row {
            canvas.fill(said + 16..said + 20, at, '─', Role::Text);
            canvas.put_until(at_row, at, named, &second(row.committed.at), Role::Dim);
            let room = usize::from(limit.saturating_sub(named));
            let column = canvas.put(named, at, &cut(shown.id(&row.name), room), Role::Text);
            let column = column.max(named + 6) + 2;
            let room = usize::from(limit.saturating_sub(column + 1));
            // The longest words that fit: half a sentence says nothing.
            let phrases = super::evidence::phrase(row, pending);
            if let Some((words, role)) =
                phrases.into_iter().find(|(words, _)| crate::text::width(words) <= room)
            {
                canvas.put(column, at, words, role);
            }
        }
    }
}

/// The next step, in as many sentences as fit.
fn next(model: &Model, canvas: &mut Canvas, item: &Item, lines: &Triage) {
    let form = model.form();
    let margin = form.margin();
    let start = margin + if form == Form::Wide { 7 } else { 6 };
    let end = canvas.width().saturating_sub(margin);
    let room = usize::from(end.saturating_sub(start));
    let (top, count) = lines.next;
    if count == 0 {
        return;
    }
    canvas.put(margin, top, "Next", Role::Strong);
    for (at, line) in (top..).zip(story::next(model, &item.story.next, room, usize::from(count))) {
        let line: Vec<Span> = line;
        canvas.spans(start, at, &line);
    }
}
