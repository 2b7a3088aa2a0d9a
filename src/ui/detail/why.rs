//! Below the sum: why it is judged so, and the fine print; of a row without an attempt, what was looked through.

use crate::app::case::Item;
use crate::app::layout::Form;
use crate::judge::view::OrphanView;
use crate::text::{SafeText, wrap};
use crate::ui::canvas::Canvas;
use crate::ui::role::Role;
use crate::ui::shown::Shown;

/// By every way a row can be tied to a request: what was found.
pub fn looked_for(shown: &Shown<'_>, orphan: &OrphanView, canvas: &mut Canvas, top: u16, form: Form) -> u16 {
    let start = if form == Form::Wide { 6 } else { form.margin() };
    let end = canvas.width().saturating_sub(form.margin());
    let mut row = top;
    let column = canvas.put(start, row, "Looked for its request", Role::Strong) + 3;
    canvas.put_until(column, row, end, "by every way a row can be tied to a request", Role::Dim);
    row += 1;
    canvas.fill(start..end, row, '─', Role::Faint);
    row += 1;
    let order = orphan.business_id.replacen(':', " ", 1);
    let minute = shown.minute(orphan.committed.at);
    let money = shown
        .totals(&orphan.totals)
        .first()
        .and_then(|(unit, _)| crate::ui::sum::money_of(&orphan.totals, *unit));
    let about: Vec<String> =
        [shown.outside(&order), money.map(|money| shown.money(money)).unwrap_or_default(), minute]
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
            ("receipt".to_owned(), "the row has no id that an answer could name".to_owned())
        } else {
            ("receipt".to_owned(), format!("no answer named {}", id(&orphan.effect_id)))
        },
        if orphan.business_id.is_empty() {
            ("order".to_owned(), "the row names none".to_owned())
        } else {
            (about.join(", "), "no request for that order at any time".to_owned())
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
        let room =
            usize::from(if form == Form::Wide { results - start - 5 } else { end.saturating_sub(start + 3) });
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
pub fn why(item: &Item, canvas: &mut Canvas, height: u16, form: Form, anchored: u16) -> (u16, u16) {
    let wide = form == Form::Wide;
    let (label, start) = if wide { (6, 13) } else { (form.margin(), form.margin() + 6) };
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
        let beside = if code.is_empty() { 0 } else { crate::text::width(code) + 3 };
        let room = usize::from(end.saturating_sub(start)).saturating_sub(beside).min(106);
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
