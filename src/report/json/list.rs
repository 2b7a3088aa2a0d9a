//! `recount.list.v1`: the rows of the triage list, in its order.

use crate::judge::view::{ListRow, RowKind};

use super::super::out::Out;
use super::super::pen::Pen;
use super::super::{Report, intents_of};
use super::{free, id, money, money_or_null, time, totals};

/// `recount.list.v1` (`list --format json`).
pub fn list(report: &Report<'_>, out: &mut Out<'_>) {
    let mut pen = Pen::new();
    pen.open("{");
    pen.name("schema").text("recount.list.v1");
    pen.name("now");
    time(&mut pen, report.summary.now);
    pen.name("clock").text(if report.summary.clock_fixed { "fixed" } else { "real" });
    if let Some(seq) = report.summary.as_of_entry {
        pen.name("as_of_entry").number(seq);
    }
    super::check::notices(report, &mut pen);
    pen.name("final_by_declaration").truth(report.summary.final_by_declaration);
    pen.name("rows").open("[");
    for row in report.each_row() {
        if out.stopped() {
            return;
        }
        pen.new_line();
        pen.object(|pen| members(report, &row, pen));
        out.text(&pen.take());
    }
    pen.close_lines("]");
    pen.close("}");
    out.line(&pen.take());
}

/// One row of JSON lines.
pub fn line(report: &Report<'_>, row: &ListRow, pen: &mut Pen) {
    pen.object(|pen| {
        pen.name("type").text("row");
        members(report, row, pen);
    });
}

/// What is said of a row, inside an object.
pub fn members(report: &Report<'_>, row: &ListRow, pen: &mut Pen) {
    let (units, mask) = (report.units, report.mask);
    pen.name("stands_for").text(match &row.kind {
        RowKind::Intent(_) => "intent",
        RowKind::Group(_) => "group",
        RowKind::NotCompared { .. } => "not_compared",
        RowKind::FitsByOrder { .. } => "fits_by_order",
        RowKind::PossibleDouble(_) => "possible_double",
        RowKind::Orphan(_) => "orphan",
        RowKind::OrphansMore { .. } => "more_orphans",
        RowKind::Outside { .. } => "outside",
    });
    pen.name("intent_id");
    id(pen, mask, &row.intent_id);
    pen.name("intents").number(intents_of(row).len());
    if let RowKind::Group(members) = &row.kind {
        let ids = members.iter().filter_map(|no| report.intents.view(*no)).map(|view| view.intent_id);
        pen.name("members").texts(ids.map(|id| mask.id(&id).into_owned()));
    }
    pen.name("operation").text(&mask.id(&row.operation));
    pen.name("kind").text_or_null(&row.noun);
    pen.name("party").text_or_null(&mask.party(&row.party));
    pen.name("verdict").text_or_null(row.verdict);
    pen.name("label").text_or_null(row.label);
    pen.name("words").text(&row.words);
    pen.name("rule").text_or_null(row.rule);
    pen.name("class").text(row.class.map_or("note", |c| c.word()));
    pen.name("severity").number(row.severity);
    pen.name("divergent").truth(row.divergent);
    pen.name("state").text_or_null(row.record.map_or("", |s| s.word()));
    pen.name("expected");
    match row.intended {
        None => pen.null(),
        Some((count, assumed)) => pen.object(|pen| {
            pen.name("count").number(count);
            pen.name("count_assumed").truth(assumed);
            pen.name("total");
            money_or_null(pen, units, row.intended_total.map(|(total, _)| total));
            pen.name("total_assumed").truth(row.intended_total.is_some_and(|(_, assumed)| assumed));
        }),
    }
    pen.name("observed");
    match row.in_ledger {
        None => pen.null(),
        Some((count, partial)) => pen.object(|pen| {
            pen.name("count").number(count);
            pen.name("not_read_far_enough").truth(partial);
            pen.name("total");
            match row.ledger_total {
                Some(Ok(total)) => money(pen, units, total),
                Some(Err(())) | None => pen.null(),
            }
            pen.name("unreadable").truth(matches!(row.ledger_total, Some(Err(()))));
        }),
    }
    pen.name("at_risk");
    money_or_null(pen, units, row.at_risk);
    pen.name("more_units").number(row.more_units);
    for (name, at) in [("since", row.since), ("deadline", row.deadline), ("covered_from", row.covered_from)] {
        pen.name(name);
        time(pen, at);
    }
    pen.name("overdue").truth(row.overdue);
    pen.name("reason");
    if row.reason.is_empty() {
        pen.null();
    } else {
        free(pen, mask, &row.reason);
    }
    if let RowKind::OrphansMore { count, totals: sums } = &row.kind {
        pen.name("rows").number(*count);
        pen.name("totals");
        totals(pen, units, sums);
    }
    if let RowKind::Outside { count, .. } = &row.kind {
        pen.name("rows").number(*count);
    }
}
