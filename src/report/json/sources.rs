//! `recount.sources.v1`: sources with their positions and control totals (`4-sources.md` 4.16).

use crate::judge::coverage::FROM_THE_START;
use crate::judge::view::SourceView;

use super::super::Report;
use super::super::figures::place;
use super::super::out::Out;
use super::super::pen::Pen;
use super::{free, maybe_time, time, totals_named};

/// `recount.sources.v1` (`sources --format json`).
pub fn sources(report: &Report<'_>, out: &mut Out<'_>) {
    let mut pen = Pen::new();
    pen.object(|pen| {
        pen.name("schema").text("recount.sources.v1");
        pen.name("now");
        time(pen, report.summary.now);
        pen.name("clock").text(if report.summary.clock_fixed { "fixed" } else { "real" });
        if let Some(seq) = report.summary.as_of_entry {
            pen.name("as_of_entry").number(seq);
        }
        super::check::notices(report, pen);
        pen.name("sources");
        array(report, pen);
        pen.name("problems").each(report.problems, |pen, problem| {
            pen.object(|pen| {
                pen.name("code").text(problem.code);
                pen.name("source").text(&problem.source);
                pen.name("where").text(&place(&problem.at));
                pen.name("what");
                free(pen, report.mask, &problem.what);
                pen.name("bytes").number(problem.bytes);
                pen.name("affects_result").truth(problem.affects_result);
            });
        });
    });
    out.line(&pen.take());
}

/// The `sources` array.
pub fn array(report: &Report<'_>, pen: &mut Pen) {
    pen.each(report.sources, |pen, source| {
        pen.object(|pen| members(report, source, pen));
    });
}

fn members(report: &Report<'_>, s: &SourceView, pen: &mut Pen) {
    let mask = report.mask;
    pen.name("id").text(&s.id);
    pen.name("what").text(s.what);
    pen.name("format").text(&s.format);
    pen.name("path").text(&super::super::text::path(&s.path));
    pen.name("meaning").text_or_null(s.meaning);
    pen.name("copy_of").text_or_null(s.copy_of.as_deref().unwrap_or(""));
    pen.name("holds").texts(&s.holds);
    pen.name("role").text_or_null(s.role);
    pen.name("read_at");
    maybe_time(pen, s.read_at);
    pen.name("position").text_or_null(&s.position);
    for (name, at) in [("oldest", s.oldest), ("newest", s.newest)] {
        pen.name(name);
        maybe_time(pen, at);
    }
    pen.name("covers_from");
    match s.covers_from {
        // The word of the configuration: complete from its start, never pruned.
        Some(FROM_THE_START) => pen.text("start"),
        from => maybe_time(pen, from),
    }
    pen.name("final").truth(s.final_by_declaration);
    pen.name("live").truth(s.live);
    pen.name("rows").object(|pen| {
        let rows = &s.rows;
        pen.name("read").number(rows.read);
        pen.name("used").number(rows.used);
        pen.name("outside").number(rows.outside);
        pen.name("unattributed").number(rows.unattributed);
        pen.name("set_aside").each(&rows.set_aside, |pen, (rule, records)| {
            pen.object(|pen| {
                pen.name("rule").text(rule);
                pen.name("records").number(*records);
            });
        });
        pen.name("unreadable").number(rows.unreadable);
        pen.name("skipped").number(rows.skipped);
    });
    pen.name("totals");
    totals_named(pen, report.units, &s.totals);
    let mut rows: Vec<_> = s.by_unit.clone();
    rows.sort_by(|a, b| report.units.by_text(a.0, b.0));
    pen.name("rows_by_currency").each(&rows, |pen, (unit, rows)| {
        pen.object(|pen| {
            pen.name("currency").text(report.units.text(*unit));
            pen.name("rows").number(*rows);
        });
    });
    pen.name("confirm").text_or_null(&mask.text(s.confirm.as_deref().unwrap_or("")));
    pen.name("query").text_or_null(&mask.text(s.query.as_deref().unwrap_or("")));
    let digest = s.digest.as_deref().unwrap_or("");
    pen.name("digest");
    if digest.is_empty() || digest.contains(':') {
        pen.text_or_null(digest);
    } else {
        pen.text(&format!("sha256:{digest}"));
    }
    pen.name("mapping").text(&s.mapping);
    pen.name("meaning_assumed").truth(s.meaning_assumed);
    pen.name("read_at_is_newest").truth(s.read_at_is_newest);
    pen.name("no_readable_amount").number(s.no_amount);
    pen.name("tools").texts(&s.tools);
    pen.name("window");
    match s.window {
        None => pen.null(),
        Some((from, to)) => pen.object(|pen| {
            pen.name("from");
            time(pen, from);
            pen.name("to");
            time(pen, to);
        }),
    }
    pen.name("notes").each(&s.notes, |pen, note| free(pen, mask, note));
    pen.name("error").text_or_null(&mask.text(s.error.as_deref().unwrap_or("")));
}
