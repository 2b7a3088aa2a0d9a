//! `recount.check.v1`: the whole check, intents streamed one to a line.

use crate::judge::view::{Common, OrphanView, ProblemView, Summary};
use crate::load::GroupView;

use super::super::Report;
use super::super::figures::place;
use super::super::out::Out;
use super::super::pen::Pen;
use super::super::text::scope_sentence;
use super::{amounts, free, id, intent, sources, time, totals, totals_named};

/// `recount.check.v1` (`check --format json`).
pub fn check(report: &Report<'_>, exit: u8, out: &mut Out<'_>) {
    let mut pen = Pen::new();
    pen.open("{");
    pen.name("schema").text("recount.check.v1");
    head(report, exit, &mut pen);
    pen.name("intents").open("[");
    out.text(&pen.take());
    for view in report.each_intent() {
        if out.stopped() {
            return;
        }
        pen.new_line();
        intent::object(report, &view, &mut pen);
        out.text(&pen.take());
    }
    pen.close_lines("]");
    pen.name("orphans").array(|pen| {
        for row in wanted_orphans(report) {
            pen.new_line();
            pen.object(|pen| orphan_members(report, row, pen));
        }
    });
    pen.name("groups").each(report.groups, |pen, g| group(report, g, pen));
    pen.name("problems").array(|pen| {
        for p in report.problems {
            pen.new_line();
            pen.object(|pen| problem_members(report, p, pen));
        }
    });
    pen.close("}");
    out.line(&pen.take());
}

/// Result, scope, summary and sources.
pub(in crate::report) fn head(report: &Report<'_>, exit: u8, pen: &mut Pen) {
    result(report, exit, pen);
    clock(report.summary, pen);
    notices(report, pen);
    pen.name("scope").object(|pen| scope(report, pen));
    pen.name("summary").object(|pen| summary(report, pen));
    pen.name("sources");
    sources::array(report, pen);
}

/// Rows without an attempt, where they are wanted and one intent is not all that was asked for.
pub fn wanted_orphans<'r>(report: &'r Report<'_>) -> impl Iterator<Item = &'r OrphanView> + use<'r> {
    let only = report.choice.only;
    let wanted = report.choice.intent.is_none();
    report.orphans.iter().filter(move |row| wanted && only.wants_orphan(row.violation))
}

/// An orphan of JSON lines.
pub fn orphan(report: &Report<'_>, row: &OrphanView, pen: &mut Pen) {
    pen.object(|pen| {
        pen.name("type").text("orphan");
        orphan_members(report, row, pen);
    });
}

/// A problem of JSON lines.
pub fn problem(report: &Report<'_>, problem: &ProblemView, pen: &mut Pen) {
    pen.object(|pen| {
        pen.name("type").text("problem");
        problem_members(report, problem, pen);
    });
}

/// The last line of JSON lines: the summary, with result, exit code, scope and sources.
pub fn summary_line(report: &Report<'_>, exit: u8, pen: &mut Pen) {
    pen.object(|pen| {
        pen.name("type").text("summary");
        pen.name("schema").text("recount.check.v1");
        head(report, exit, pen);
        pen.name("groups").each(report.groups, |pen, g| group(report, g, pen));
    });
}

fn result(report: &Report<'_>, exit: u8, pen: &mut Pen) {
    let s = report.summary;
    let known = report.choice.known;
    pen.name("result").text(if known.is_some() { super::super::text::NO_NEW } else { s.result.words() });
    pen.name("exit").number(exit);
    if let Some(known) = known {
        pen.name("known").number(known);
    }
    pen.name("property").text(s.property);
    if let Some(after) = s.stopped_after {
        pen.name("stopped_after").number(after);
    }
}

/// What holds against all of it; left out where nothing does.
pub(super) fn notices(report: &Report<'_>, pen: &mut Pen) {
    if report.summary.notices.is_empty() {
        return;
    }
    pen.name("notices").each(&report.summary.notices, |pen, notice| {
        pen.object(|pen| {
            pen.name("code").text(notice.code);
            pen.name("what");
            free(pen, report.mask, &notice.what);
        });
    });
}

fn clock(s: &Summary, pen: &mut Pen) {
    pen.name("now");
    time(pen, s.now);
    pen.name("clock").text(if s.clock_fixed { "fixed" } else { "real" });
    if let Some(seq) = s.as_of_entry {
        pen.name("as_of_entry").number(seq);
    }
    pen.name("final_by_declaration").truth(s.final_by_declaration);
}

fn scope(report: &Report<'_>, pen: &mut Pen) {
    let s = report.summary;
    pen.name("from");
    time(pen, s.from);
    pen.name("to");
    time(pen, s.to);
    pen.name("kinds").texts(&s.kinds);
    pen.name("tools").texts(&s.tools);
    pen.name("trace_complete").truth(s.trace_complete);
    pen.name("filters").texts(&s.filters);
    pen.name("sentence");
    free(pen, report.mask, &scope_sentence(report));
}

fn summary(report: &Report<'_>, pen: &mut Pen) {
    let (s, units) = (report.summary, report.units);
    let numbers = [
        ("intents", s.intents),
        ("attempts", s.attempts),
        ("effects", s.effects),
        ("rows", s.rows),
        ("violations", s.violations),
        ("undecided", s.undecided),
        ("open", s.open),
        ("clean", s.clean),
        ("divergent", s.divergent),
        ("orphans", s.orphans),
    ];
    for (name, number) in numbers {
        pen.name(name).number(number);
    }
    pen.name("outside");
    match s.outside {
        Some(rows) => pen.number(rows),
        None => pen.null(),
    }
    pen.name("answers_lost").number(s.answers_lost);
    pen.name("overdue").number(s.overdue);
    pen.name("closed").number(s.closed);
    let by_what = |pen: &mut Pen, trace: u64, ledger: u64| {
        pen.object(|pen| {
            pen.name("trace").number(trace);
            pen.name("ledger").number(ledger);
        });
    };
    pen.name("unreadable");
    by_what(pen, s.unreadable_trace, s.unreadable_ledger);
    pen.name("skipped");
    by_what(pen, s.skipped_trace, s.skipped_ledger);
    let money = [
        ("at_risk", &s.at_risk),
        ("undecided_at_risk", &s.undecided_at_risk),
        ("out_too_much", &s.out_too_much),
        ("probably_too_much", &s.probably_too_much),
        ("may_still_go_out", &s.may_still_go_out),
        ("owed", &s.owed),
    ];
    for (name, sums) in money {
        pen.name(name);
        totals_named(pen, units, sums);
    }
    pen.name("by_verdict").object(|pen| {
        for (verdict, number) in &s.by_verdict {
            pen.name(verdict).number(*number);
        }
    });
    pen.name("orders").number(s.orders);
    pen.name("parties").number(s.parties);
    pen.name("first");
    time(pen, s.first);
    pen.name("last");
    time(pen, s.last);
    pen.name("common");
    match &s.common {
        None => pen.null(),
        Some(shared) => common(report, shared, pen),
    }
    pen.name("not_compared").each(&s.not_compared, |pen, (reason, intents, sentence)| {
        pen.object(|pen| {
            pen.name("reason").text(reason);
            pen.name("intents").number(*intents);
            pen.name("sentence");
            free(pen, report.mask, sentence);
        });
    });
}

fn common(report: &Report<'_>, shared: &Common, pen: &mut Pen) {
    pen.object(|pen| {
        // A share of one in two decimals, written from whole percents.
        pen.name("share").token(&format!("{}.{:02}", shared.share / 100, shared.share % 100));
        pen.name(shared.what).text(&report.mask.id(&shared.value));
        pen.name("retry_origin").text_or_null(shared.retry_origin.unwrap_or(""));
        pen.name("last");
        time(pen, shared.last);
    });
}

fn orphan_members(report: &Report<'_>, row: &OrphanView, pen: &mut Pen) {
    let mask = report.mask;
    pen.name("source").text(report.source_id(row.source));
    pen.name("effect_id");
    id(pen, mask, &row.effect_id);
    pen.name("operation_id");
    id(pen, mask, &row.operation_id);
    pen.name("class").text(if row.violation { "violation" } else { "note" });
    pen.name("count").number(row.count);
    pen.name("totals");
    totals(pen, report.units, &row.totals);
    pen.name("possible_double").truth(row.possible_double);
    pen.name("business_id");
    id(pen, mask, &row.business_id);
    pen.name("kind").text_or_null(&row.kind);
    pen.name("committed_at");
    super::instant(pen, row.committed);
    pen.name("where").text(&row.place);
}

fn group(report: &Report<'_>, group: &GroupView, pen: &mut Pen) {
    pen.object(|pen| {
        pen.name("id").text(&group.id);
        pen.name("kind").text(group.kind);
        pen.name("members").texts(group.members.iter().map(|m| report.mask.id(m).into_owned()));
        pen.name("verdict").text(group.verdict);
        pen.name("at_risk");
        amounts(pen, report.units, &group.at_risk);
    });
}

/// Members of a problem.
pub(in crate::report) fn problem_members(report: &Report<'_>, problem: &ProblemView, pen: &mut Pen) {
    pen.name("code").text(problem.code);
    pen.name("source").text(&problem.source);
    pen.name("where").text(&place(&problem.at));
    pen.name("what");
    free(pen, report.mask, &problem.what);
    pen.name("bytes").number(problem.bytes);
    pen.name("affects_result").truth(problem.affects_result);
    pen.name("line");
    match problem.line {
        Some(line) => pen.number(line),
        None => pen.null(),
    }
}
