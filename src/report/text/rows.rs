//! Rows of the triage list as text: two lines each, the row and its story.

use crate::judge::story::{Place, fits_by_order, four_lines, phrase};
use crate::judge::view::{IntentView, ListRow, OrphanView, RowKind};

use super::super::figures::{NOTHING, count, counted, money, safe, safe_id, totals};
use super::super::out::Out;
use super::super::{Only, Report, intents_of};
use super::one::{at_risk, code};
use super::sentence;

/// The wanted rows, at most `--limit`, and how many are left out.
pub fn rows(report: &Report<'_>, out: &mut Out<'_>) {
    limited(report, out, "\n");
}

/// `list` as text: the rows and nothing on the whole.
pub fn list(report: &Report<'_>, out: &mut Out<'_>) {
    super::lines(out, super::notices(report));
    if limited(report, out, "") == 0 && !out.stopped() {
        let none = match report.choice.only {
            Only::Loud | Only::LoudOrClosed => "nothing diverges and nothing is undecided",
            _ => "no row fits",
        };
        out.line(&format!(
            "{none}: {} in all, --only all lists them",
            counted(report.summary.rows, "row", "rows")
        ));
    }
}

/// Prints rows up to the limit, with something before the first, and says how many are left out.
fn limited(report: &Report<'_>, out: &mut Out<'_>, before: &str) -> usize {
    let limit = if report.choice.limit == 0 { usize::MAX } else { report.choice.limit };
    let mut wanted = report.wanted_rows();
    let mut printed = 0;
    for row in wanted.by_ref().take(limit).map(|at| report.intents.row(at)) {
        if out.stopped() {
            return printed;
        }
        out.text(if printed == 0 { before } else { "" });
        two_lines(report, &row, out);
        printed += 1;
    }
    let left_out = match report.choice.only {
        Only::All => report.intents.rows().saturating_sub(printed),
        _ => wanted.count(),
    };
    if left_out > 0 {
        out.line(&format!("{} more: --limit 0, or --format csv", count(left_out as u64)));
    }
    printed
}

fn two_lines(report: &Report<'_>, row: &ListRow, out: &mut Out<'_>) {
    let (first, second) = match &row.kind {
        RowKind::Intent(no) => match report.intents.view(*no) {
            Some(view) => intent(report, &view),
            None => return,
        },
        RowKind::Group(_) => group(report, row),
        RowKind::NotCompared { .. } | RowKind::FitsByOrder { .. } => many(report, row),
        RowKind::PossibleDouble(orphan) | RowKind::Orphan(orphan) => apart(report, row, orphan),
        RowKind::OrphansMore { count: more, totals: sums } => (
            format!("{} more rows without an attempt   {}", count(*more), totals(report.units, sums)),
            String::new(),
        ),
        RowKind::Outside { count: rows, units } => (
            format!(
                "{}, {}, outside the scope",
                counted(*rows, "row", "rows"),
                counted(u64::from(*units), "currency", "currencies")
            ),
            String::new(),
        ),
    };
    out.line(first.trim_end());
    if !second.is_empty() {
        out.line(&format!("  {second}"));
    }
}

fn intent(report: &Report<'_>, view: &IntentView) -> (String, String) {
    let story = report.teller.tell(view, Place::List);
    let mut parts = vec![business(report, view), view.judgement.label().to_owned()];
    parts.extend(two_sides(report, view));
    parts.extend(by_order(report, view));
    parts.extend(at_risk(report, view));
    parts.push(safe_id(&report.mask.id(&view.intent_id)));
    parts.push(code(view));
    parts.retain(|part| !part.is_empty());
    (parts.join("   "), sentence(report, &story.text()))
}

/// The business id; the operation id where there is none.
fn business(report: &Report<'_>, view: &IntentView) -> String {
    let id = if view.business_id.is_empty() { &view.operation_id } else { &view.business_id };
    safe_id(&report.mask.id(id))
}

/// `expected 1 / USD 200.00` and `observed 2 / USD 400.00`: the four lines in two.
fn two_sides(report: &Report<'_>, view: &IntentView) -> [String; 2] {
    let lines = four_lines(view, report.units);
    let values: Vec<&str> =
        lines.iter().map(|line| line.split_once(": ").map_or("", |(_, value)| value)).collect();
    let side = |words: &str, count: &str, total: &str| match total {
        "not read" => format!("{words} not read"),
        "no total expected" | "no amount" => format!("{words} {count}"),
        _ => format!("{words} {count} / {}", safe(total)),
    };
    match values.as_slice() {
        [a, b, c, d] => [side("expected", a, b), side("observed", c, d)],
        _ => [String::new(), String::new()],
    }
}

/// What the account of the order holds, where no id ties the rows.
fn by_order(report: &Report<'_>, view: &IntentView) -> Option<String> {
    let account = view.account.as_ref().filter(|a| a.found > view.judgement.net)?;
    let money = account.money_found.map_or(String::new(), |m| format!(" / {}", money(report.units, m)));
    Some(format!("by order {}{money}", account.found))
}

/// A group is one row, its money counts once.
fn group(report: &Report<'_>, row: &ListRow) -> (String, String) {
    let views: Vec<IntentView> = intents_of(row).iter().filter_map(|no| report.intents.view(*no)).collect();
    let Some(first) = views.iter().find(|v| v.intent_id == row.intent_id).or(views.first()) else {
        return (safe(&row.operation), String::new());
    };
    let mut parts = vec![business(report, first), row.label.to_owned()];
    if let Some((wanted, _)) = row.intended {
        parts.push(side(report, "expected", wanted, row.intended_total.map(|(total, _)| Ok(total))));
    }
    if let Some((found, _)) = row.in_ledger {
        parts.push(side(report, "observed", found, row.ledger_total));
    }
    parts.push(format!("at risk {}", row.at_risk.map_or(NOTHING.to_owned(), |m| money(report.units, m))));
    let ids: Vec<String> = views.iter().map(|v| safe_id(&report.mask.id(&v.intent_id))).collect();
    parts.push(ids.join(" "));
    parts.push(format!("({} {})", row.verdict, row.rule));
    let story = report.teller.tell_together(&views);
    (parts.join("   "), sentence(report, &story))
}

fn side(
    report: &Report<'_>,
    words: &str,
    number: u32,
    total: Option<Result<crate::model::money::Money, ()>>,
) -> String {
    match total {
        None => format!("{words} {number}"),
        Some(Err(())) => format!("{words} {number} / unreadable"),
        Some(Ok(total)) => format!("{words} {number} / {}", money(report.units, total)),
    }
}

/// Many intents that share one reason.
fn many(report: &Report<'_>, row: &ListRow) -> (String, String) {
    let mut parts = vec![safe(&phrase::plain(&report.mask.text(&row.operation))), row.label.to_owned()];
    parts.extend(row.at_risk.map(|m| format!("at risk {}", money(report.units, m))));
    parts.push(format!("({} {})", row.verdict, row.rule).replace(" )", ")"));
    let why = match &row.kind {
        RowKind::FitsByOrder { intents } => {
            format!("{} --link business_id links them.", fits_by_order(intents.len() as u64).0)
        }
        _ if row.reason.is_empty() => String::new(),
        _ => format!("{}.", phrase::capital(row.reason.trim_end_matches('.'))),
    };
    (parts.join("   "), sentence(report, &why))
}

/// Rows without an attempt: a note.
fn apart(report: &Report<'_>, row: &ListRow, orphan: &OrphanView) -> (String, String) {
    let what = if orphan.possible_double { "POSSIBLE DOUBLE OUTSIDE" } else { "NO ATTEMPT HERE" };
    let operation = if orphan.business_id.is_empty() { &row.operation } else { &orphan.business_id };
    let parts = [
        safe_id(&report.mask.id(operation)),
        what.to_owned(),
        format!(
            "{} / {}",
            counted(u64::from(orphan.count), "row", "rows"),
            totals(report.units, &orphan.totals)
        ),
        safe_id(&report.mask.id(&orphan.effect_id)),
        "(ORPHAN_EFFECT)".to_owned(),
    ];
    let parts: Vec<&String> = parts.iter().filter(|part| !part.is_empty()).collect();
    let line = parts.iter().map(|part| part.as_str()).collect::<Vec<_>>().join("   ");
    (line, sentence(report, &report.teller.orphan(orphan).text()))
}
