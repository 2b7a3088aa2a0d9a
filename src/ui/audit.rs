//! The log of the book: whether its chain holds, its entries, and the selected one whole.

use super::canvas::Canvas;
use super::role::{Role, Span, dim, strong, text};
use super::shown::{Shown, counted};
use super::status;
use crate::app::layout::Form;
use crate::app::model::Model;
use crate::app::settle::booked::{Log, Logged};
use crate::text::{cut, pad_right, short_hash, wrap};

/// Draws it.
pub fn draw(model: &Model, canvas: &mut Canvas) {
    let Some(shown) = Shown::of(model) else { return };
    let form = model.form();
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let room = usize::from(end.saturating_sub(margin));
    let top = if form == Form::Wide { 3 } else { 2 };
    let bottom = canvas.height().saturating_sub(if form == Form::Pane { 1 } else { 2 });
    match &model.audit.log {
        None => {
            canvas.put(margin, top, "The log is being read and its chain walked.", Role::Dim);
        }
        Some(Err(why)) => {
            let lines = [shown.outside(&why.what), shown.outside(&why.next)];
            let lines = lines.iter().flat_map(|line| wrap(line, room));
            for (row, line) in (top..bottom).zip(lines) {
                canvas.put(margin, row, &line, Role::Text);
            }
        }
        Some(Ok(log)) if log.entries.is_empty() => {
            let words = "Nothing was decided in this case yet, so there is no log. The first decision makes the book.";
            for (row, line) in (top..bottom).zip(wrap(words, room.min(106))) {
                canvas.put(margin, row, &line, Role::Text);
            }
        }
        Some(Ok(log)) => whole(model, &shown, canvas, log, (top, bottom)),
    }
    if form != Form::Pane {
        let row = canvas.height().saturating_sub(2);
        let left = match &model.audit.only {
            Some((_, title)) => format!("only about {}", shown.outside(title)),
            None => "all actions, all people".to_owned(),
        };
        status::line(model, canvas, row, &[vec![dim(left)]]);
    }
}

fn whole(model: &Model, shown: &Shown<'_>, canvas: &mut Canvas, log: &Log, (top, bottom): (u16, u16)) {
    let form = model.form();
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let entries = model.audit.listed();
    verdict(shown, canvas, log, top, form);
    let wide = form == Form::Wide;
    let mut row = top + 2;
    if wide {
        let heads: [(u16, &str); 4] = [(6, "entry"), (14, "when"), (27, "who"), (40, "what was done")];
        for (column, head) in heads {
            canvas.put(column, row, head, Role::Dim);
        }
        canvas.right(end, row, "hash", Role::Dim);
        row += 1;
    }
    // Below the entries stands the selected one.
    let below = if wide { 14 } else { 8 };
    let height = usize::from(bottom.saturating_sub(row + below)).max(3);
    let selected = model.audit.selected.min(entries.len().saturating_sub(1));
    let first = (selected + 1).saturating_sub(height.saturating_sub(1)).min(entries.len());
    let earlier = u64::try_from(first).unwrap_or(0) + log.count.saturating_sub(log.entries.len() as u64);
    let mut left = height;
    if earlier > 0 {
        canvas.put(margin + 1, row, &format!("┊  {earlier} earlier"), Role::Dim);
        row += 1;
        left -= 1;
    }
    for (at, entry) in entries.iter().enumerate().skip(first).take(left) {
        let last = at + 1 == entries.len();
        line(shown, canvas, log, entry, (row, last, wide));
        if at == selected {
            canvas.put(0, row, "▌", Role::Focus);
            canvas.select(margin..end, row);
        }
        row += 1;
    }
    let row = bottom.saturating_sub(below).max(row + u16::from(wide));
    if let Some(entry) = entries.get(selected) {
        detail(shown, canvas, log, entry, (row, bottom), (selected + 1, entries.len()), wide);
    }
}

/// The first line: whether the chain holds.
fn verdict(shown: &Shown<'_>, canvas: &mut Canvas, log: &Log, row: u16, form: Form) {
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let body = if form == Form::Wide { 6 } else { margin + 3 };
    let checked = format!("checked {}", shown.second(log.at));
    match &log.broken {
        None => {
            canvas.put(margin, row, "✓", Role::Ok);
            let column = canvas.put(body, row, "The chain holds", Role::Strong);
            let tail = if form == Form::Wide { ", none changed and none missing inside" } else { "" };
            let words = format!("   {}{tail}", entries(log.count));
            canvas.put(column, row, &words, Role::Text);
            canvas.right(end, row, &checked, Role::Dim);
        }
        Some((seq, why)) => {
            canvas.put(margin, row, "✗", Role::Wrong);
            let head = match seq {
                0 => "The log cannot be relied on".to_owned(),
                seq => format!("The chain is broken at entry {seq}"),
            };
            let column = canvas.put(body, row, &head, Role::Wrong);
            let room = usize::from(end.saturating_sub(column + 3));
            canvas.put(column + 3, row, &cut(shown.outside(why), room), Role::Text);
        }
    }
}

fn entries(count: u64) -> String {
    if count == 1 { "1 entry".to_owned() } else { counted(count, "entrie") }
}

/// One entry as a line of the chain.
fn line(
    shown: &Shown<'_>,
    canvas: &mut Canvas,
    log: &Log,
    entry: &Logged,
    (row, last, wide): (u16, bool, bool),
) {
    let broken = log.broken.as_ref().is_some_and(|(seq, _)| *seq == entry.seq);
    let (column, number, when, who, what) = if wide { (3, 6, 14, 27, 40) } else { (3, 5, 10, 20, 31) };
    let chain = match (broken, last) {
        (true, _) => "× ",
        (false, true) => "╰╴",
        (false, false) => "├╴",
    };
    canvas.put(column, row, chain, if broken { Role::Wrong } else { Role::Text });
    let wrong = broken || entry.glass;
    let number_end = number + if wide { 5 } else { 4 };
    canvas.right(number_end, row, &entry.seq.to_string(), if wrong { Role::Wrong } else { Role::Text });
    let room = |from: u16, to: u16| usize::from(to.saturating_sub(from + 1));
    canvas.put(when, row, &cut(shown.second(entry.at), room(when, who)), Role::Dim);
    canvas.put(who, row, &cut(shown.outside(&entry.who), room(who, what)), Role::Text);
    let end = canvas.width().saturating_sub(2);
    let mut until = end;
    if wide {
        until = canvas.right(end, row, short_hash(&entry.hash.0), Role::Dim).saturating_sub(2);
        if !entry.code.is_empty() {
            until = canvas.right(until, row, &shown.outside(&entry.code), Role::Dim).saturating_sub(1);
        }
    }
    if !entry.code.is_empty() {
        canvas.put(what - 2, row, "✗", Role::Ask);
    }
    let words = words(shown, entry);
    canvas.put(what, row, &cut(words, usize::from(until.saturating_sub(what))), Role::Text);
}

/// What was done, in our own words where the entry has plain ones.
fn words(shown: &Shown<'_>, entry: &Logged) -> String {
    shown.outside(&entry.what).replace(" -> ", " → ")
}

/// The selected entry whole, and what the chain cannot show.
fn detail(
    shown: &Shown<'_>,
    canvas: &mut Canvas,
    log: &Log,
    entry: &Logged,
    (row, bottom): (u16, u16),
    (at, of): (usize, usize),
    wide: bool,
) {
    let end = canvas.width().saturating_sub(2);
    canvas.fill(0..canvas.width(), row, '─', Role::Faint);
    canvas.put(2, row, &format!(" entry {} ", entry.seq), Role::Strong);
    let right = if wide {
        format!(" {at} of {of} ")
    } else {
        format!(" {} after {} ", short_hash(&entry.hash.0), short_hash(&entry.hash.1))
    };
    canvas.right(end, row, &right, Role::Dim);
    let known = shown.outside(&entry.known);
    let mut facts: Vec<(&str, String)> = vec![
        (
            "who",
            format!(
                "{}{}",
                shown.outside(&entry.who),
                if known.is_empty() { String::new() } else { format!(", on {known}") }
            ),
        ),
        ("when", crate::model::time::rfc3339(entry.at)),
        ("what", words(shown, entry)),
    ];
    if !entry.note.is_empty() {
        facts.push(("note", shown.outside(&entry.note)));
    }
    if !entry.batch.is_empty() {
        facts.push(("batch", shown.outside(&entry.batch)));
    }
    let signed = if entry.signed { "signed" } else { "unsigned" };
    if entry.evidence.is_empty() {
        facts.push(("evidence", format!("none, {signed}")));
    } else {
        facts.push(("evidence", format!("{}, {signed}", shown.outside(&entry.evidence.join(", ")))));
    }
    let text_end = if wide { 84 } else { end };
    let mut row = row + if wide { 2 } else { 1 };
    if wide {
        for (offset, name, value) in [(0, "before this", &entry.hash.1), (1, "this entry", &entry.hash.0)] {
            canvas.put(88, row + offset, name, Role::Dim);
            canvas.put(102, row + offset, short_hash(value), Role::Text);
        }
    }
    for (name, value) in facts {
        if row >= bottom {
            return;
        }
        let room = usize::from(u16::saturating_sub(text_end, if wide { 14 } else { 12 }));
        canvas.spans(2, row, &[dim(pad_right(name, if wide { 12 } else { 10 })), text(cut(&value, room))]);
        row += 1;
    }
    let left = match &log.left {
        Some((target, when)) => {
            format!("the head leaves this host: sent to {} {}", shown.outside(target), shown.second(*when))
        }
        None => "no head has left this host yet: recount audit anchor keeps one elsewhere".to_owned(),
    };
    let cannot = format!(
        "A change or a gap inside breaks the chain. An end that was cut off does not: {left}. Who wrote an entry is a \
         claim, unless it is signed."
    );
    let mut lines: Vec<Span> = Vec::new();
    if wide {
        lines.push(strong("What the chain cannot show"));
    }
    lines.extend(wrap(&cannot, usize::from(end.saturating_sub(2)).min(106)).into_iter().map(text));
    lines.push(text(
        "Nothing here changes or deletes an entry. A correction is a new entry that names the old one.",
    ));
    row += u16::from(wide);
    for (at, span) in (row..bottom).zip(lines) {
        canvas.put(2, at, &cut(&span.text, usize::from(end.saturating_sub(2))), span.role);
    }
}
