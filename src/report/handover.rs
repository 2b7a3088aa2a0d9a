//! The hand-over at the end of a shift: ten lines at most, and the list (`7-commands.md` 7.5.3, `handover`).

use crate::judge::judgement::Class;
use crate::judge::story::{Place, phrase};
use crate::judge::view::ListRow;
use crate::model::time::span;

use super::figures::{counted, safe, safe_id, when};
use super::out::Out;
use super::text::{Paint, sentence, summary_lines};
use super::{Report, intents_of};

/// Lines before the list.
pub const LINES: usize = 10;

/// Prints it.
pub fn text(report: &Report<'_>, title: &str, paint: Paint, out: &mut Out<'_>) {
    for line in lines(report, title, paint) {
        out.line(&line);
    }
    out.line("");
    let limit = if report.choice.limit == 0 { usize::MAX } else { report.choice.limit };
    let mut rows = super::affected::lines(report);
    for row in rows.by_ref().take(limit) {
        if out.stopped() {
            return;
        }
        out.line(&row);
    }
    let left = rows.count();
    if left > 0 {
        out.line(&format!("{} more: --limit 0", super::figures::count(left as u64)));
    }
}

/// Ids of the intents of the list: what is taken over.
pub fn ids(report: &Report<'_>) -> Vec<String> {
    let views = report.each_row().flat_map(|row| intents_of(&row).to_vec());
    views.filter_map(|no| report.intents.view(no)).map(|view| view.intent_id).collect()
}

/// What whoever takes over has to know, the summary first: at most ten lines.
pub fn lines(report: &Report<'_>, title: &str, paint: Paint) -> Vec<String> {
    let mut lines = vec![format!(
        "{}, handed over {}",
        safe(&report.mask.text(title)),
        when(report.summary.now, report.summary.now)
    )];
    lines.extend(summary_lines(report, paint));
    lines.truncate(LINES - 2);
    lines.extend(deadline(report));
    lines.extend(first(report));
    lines.truncate(LINES);
    lines
}

fn loud<'r>(report: &'r Report<'r>) -> impl Iterator<Item = ListRow> {
    report.each_row().filter(|row| matches!(row.class, Some(Class::Violation | Class::Undecided)))
}

/// How many are late, and which deadline comes next.
fn deadline(report: &Report<'_>) -> Option<String> {
    let now = report.summary.now;
    let due: Vec<ListRow> = loud(report).filter(|row| !row.deadline.is_none()).collect();
    let late = due.iter().filter(|row| row.overdue).count();
    let next = due.iter().filter(|row| !row.overdue).min_by_key(|row| row.deadline);
    let mut parts = Vec::new();
    if late > 0 {
        parts.push(format!("{} past the deadline", counted(late as u64, "row is", "rows are")));
    }
    if let Some(row) = next {
        let order = safe_id(&report.mask.id(&row.operation));
        parts.push(format!("the next deadline is {order} in {}", span(row.deadline.since(now))));
    }
    (!parts.is_empty()).then(|| phrase::capital(&format!("{}.", parts.join("; "))))
}

/// What to do first: the next step of the worst row.
fn first(report: &Report<'_>) -> Option<String> {
    let row = loud(report).next()?;
    let number = intents_of(&row).last()?;
    let view = report.intents.view(*number)?;
    let next = report.teller.tell(&view, Place::Detail).next;
    let order = safe_id(&report.mask.id(&row.operation));
    Some(format!("First: {order}, {}. {}", safe(&row.words), sentence(report, &next)))
}

#[cfg(test)]
mod tests {
    use super::super::sample::Sample;
    use super::*;

    #[test]
    fn ten_lines_at_most_and_what_to_do_first() {
        let sample = Sample::refunds();
        let lines = lines(&sample.report(), "refunds", Paint::default());
        assert!(lines.len() <= LINES, "{lines:?}");
        assert_eq!(lines[0], "refunds, handed over 09:14:07Z");
        assert!(lines[1].starts_with("VIOLATION FOUND"));
        assert!(lines.last().unwrap().starts_with("First: order 1234, happened twice. "), "{lines:?}");
    }
}
