//! The document as `recount.report.v1` (`docs/report.md`): the objects of the other schemas, and the timeline.

use crate::judge::timeline::{Bracket, Event, LaneKind};
use crate::model::time::{Micros, rfc3339};

use super::super::Report;
use super::super::json::{self, intent_object};
use super::super::out::Out;
use super::super::pen::Pen;
use super::{Item, Review};

/// Writes it.
pub fn write(review: &Review<'_>, out: &mut Out<'_>) {
    let report = review.report;
    let mut pen = Pen::new();
    pen.open("{");
    pen.name("schema").text("recount.report.v1");
    pen.name("title").text(&review.title);
    json::check_head(report, report.summary.result.exit(), &mut pen);
    pen.name("intents").open("[");
    out.text(&pen.take());
    for item in &review.items {
        if out.stopped() {
            return;
        }
        pen.new_line();
        one(report, item, &mut pen);
        out.text(&pen.take());
    }
    pen.close_lines("]");
    pen.name("left_out").number(review.left);
    pen.name("hazards").each(&review.hazards, |pen, told| {
        pen.object(|pen| super::super::hazards::members(report.mask, told.hazard, pen));
    });
    pen.name("audit");
    match &review.audit {
        Some(audit) => pen.object(|pen| super::audit::members(report, audit, pen)),
        None => pen.null(),
    }
    pen.name("not_covered").texts(&review.uncovered);
    pen.name("problems")
        .each(report.problems, |pen, problem| pen.object(|pen| json::problem_members(report, problem, pen)));
    pen.name("command").text(&review.command);
    pen.name("version").text(&review.version);
    pen.close("}");
    out.line(&pen.take());
}

fn one(report: &Report<'_>, item: &Item, pen: &mut Pen) {
    pen.object(|pen| {
        intent_object(report, &item.view, pen);
        pen.name("trace_alone").object(|pen| {
            pen.name("says").number(item.view.judgement.lo);
            pen.name("sentence").text_or_null(&item.trace_alone);
        });
        pen.name("read").texts(&item.read);
        pen.name("hazards").texts(item.hazards.iter().map(|(id, _)| id));
        pen.name("timeline").object(|pen| timeline(report, item, pen));
    });
}

fn timeline(report: &Report<'_>, item: &Item, pen: &mut Pen) {
    let timeline = &item.timeline;
    pen.name("words").text(&timeline.words);
    pen.name("skew_ms").number(timeline.skew / crate::model::time::MILLI);
    let mut bracket = 0_u32;
    let lines = timeline.events.iter().zip(&item.events);
    pen.name("events").each(lines, |pen, (event, line)| {
        if event.bracket == Bracket::First {
            bracket += 1;
        }
        pen.object(|pen| {
            let (from, to) = event.interval();
            pen.name("from");
            time(from, pen);
            pen.name("to");
            time(to, pen);
            pen.name("clock").text(clock(report, event));
            pen.name("bracket");
            if event.bracket == Bracket::No {
                pen.null();
            } else {
                pen.number(bracket);
            }
            pen.name("who").text(&line.subject);
            pen.name("what").text(&line.what);
            pen.name("note").text_or_null(event.note);
            pen.name("code").text_or_null(event.code);
            pen.name("where").text_or_null(&line.place);
        });
    });
    pen.name("gaps").each(&timeline.gaps, |pen, gap| {
        pen.object(|pen| {
            pen.name("from");
            time(gap.from, pen);
            pen.name("to");
            time(gap.to, pen);
            pen.name("ms").number(gap.length() / crate::model::time::MILLI);
            pen.name("nobody_looked").truth(gap.unlooked);
        });
    });
}

/// Whose clock: a source, or the client.
fn clock<'r>(report: &'r Report<'_>, event: &Event) -> &'r str {
    match event.lane {
        LaneKind::Ledger(source) => report.source_id(source),
        _ => "client",
    }
}

fn time(at: Micros, pen: &mut Pen) {
    if at.is_none() || at == Micros::FOREVER { pen.null() } else { pen.text(&rfc3339(at)) }
}
