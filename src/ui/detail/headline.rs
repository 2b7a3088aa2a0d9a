//! The first line of the detail: mark, words, codes; money with its word, and the deadline.

use crate::app::case::Item;
use crate::app::layout::Form;
use crate::judge::judgement::Class;
use crate::judge::story::{difference_word, phrase};
use crate::text::{ascii_mark, cut};
use crate::ui::canvas::Canvas;
use crate::ui::role::{Role, Span, dim, text, width_of};
use crate::ui::shown::Shown;

/// Mark, words, codes; money with its word, and the deadline.
pub fn headline(shown: &Shown<'_>, item: &Item, canvas: &mut Canvas, row: u16, form: Form) {
    let margin = form.margin();
    let end = canvas.width().saturating_sub(margin);
    let (violation, class) = (item.row.class == Some(Class::Violation), item.row.class);
    let mark = if shown.ascii { ascii_mark(&item.row.mark) } else { item.row.mark.clone() };
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
    let column =
        canvas.put(words, row, &cut(title, room), if violation { Role::Wrong } else { Role::Strong });
    let codes = if form == Form::Wide {
        let severity =
            if item.row.class.is_some() { format!(" S{}", item.row.severity) } else { String::new() };
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
            crate::ui::sum::money_of(&orphan.totals, unit)
        }),
        _ => row.at_risk,
    };
    let mut parts = Vec::new();
    if let Some(amount) = amount {
        let more = if row.more_units > 0 { format!(" +{}", row.more_units) } else { String::new() };
        let money = format!("{}{more}", shown.money(amount));
        parts.push(if violation {
            vec![Span::new(format!("{money} {word}"), Role::Wrong)]
        } else {
            let strong = if row.class == Some(Class::Undecided) { Role::Strong } else { Role::Text };
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
