//! The summary: at most seven lines, in the order of `2-judge.md` 2.12; a line without content is left out.

use crate::judge::view::{ProblemView, ResultWord, SourceView, WENT_BACK};
use crate::model::money::Totals;
use crate::model::time::span;
use crate::model::units::Unit;

use super::super::Report;
use super::super::figures::{add, count, counted, place, plain_number, safe, totals, when};
use super::{Paint, headline, path, sentence};

/// The lines that have content.
pub fn lines(report: &Report<'_>, paint: Paint) -> Vec<String> {
    let mut all = vec![headline(report, paint, false)];
    all.extend(super::notices(report));
    all.extend([
        nothing_to_judge(report),
        glance(report),
        extent(report),
        labels(report),
        common(report),
        closed(report),
        apart(report),
        ledgers(report),
    ]);
    all.into_iter().filter(|line| !line.is_empty()).collect()
}

/// Why nothing could be judged, and what to do next.
fn nothing_to_judge(report: &Report<'_>) -> String {
    if report.summary.result != ResultWord::InputError {
        return String::new();
    }
    let traces = || report.sources.iter().filter(|source| source.what == "trace");
    let outside: u64 = traces().map(|source| source.rows.outside_window()).sum();
    let unreadable: u64 = traces().map(|source| source.rows.unreadable).sum();
    let mut why = Vec::new();
    if outside > 0 {
        why.push(format!("{} outside --since and --until", counted(outside, "record lies", "records lie")));
    }
    if unreadable > 0 {
        why.push(format!("{} unreadable", counted(unreadable, "record is", "records are")));
    }
    let why = if why.is_empty() { "no record in it is a call".to_owned() } else { why.join(", ") };
    let next =
        if outside > 0 { "choose a window that holds the calls" } else { "look at it with recount sniff" };
    format!("no call could be looked at in the trace: {why}; {next}")
}

/// Money in one glance, per currency: nothing is added over currencies.
fn glance(report: &Report<'_>) -> String {
    let (s, units) = (report.summary, report.units);
    let columns: [(&str, &Totals); 4] = [
        ("out too much", &s.out_too_much),
        ("probably too much", &s.probably_too_much),
        ("may still go out", &s.may_still_go_out),
        ("owed", &s.owed),
    ];
    let mut named: Vec<Unit> = columns.iter().flat_map(|(_, t)| t.iter().map(|(unit, _)| unit)).collect();
    named.sort_by(|a, b| units.by_text(*a, *b));
    named.dedup();
    let of_unit = |unit: Unit| {
        let parts: Vec<String> = columns
            .iter()
            .filter_map(|(words, sums)| {
                let total = sums.get(unit).filter(|t| !t.is_zero())?;
                Some(format!("{words} {}", plain_number(units, unit, total)))
            })
            .collect();
        (!parts.is_empty()).then(|| format!("{}  {}", safe(units.text(unit)), parts.join("   ")))
    };
    named.into_iter().filter_map(of_unit).collect::<Vec<_>>().join(";   ")
}

/// Whom it concerns, from when to when.
fn extent(report: &Report<'_>) -> String {
    let s = report.summary;
    let mut parts = Vec::new();
    let mut who = Vec::new();
    if s.orders > 0 {
        who.push(counted(s.orders, "order", "orders"));
    }
    if s.parties > 0 {
        who.push(counted(s.parties, "customer", "customers"));
    }
    if !who.is_empty() {
        parts.push(who.join(", "));
    }
    if !s.first.is_none() {
        parts.push(format!("first {}, last {}", when(s.first, s.now), when(s.last, s.now)));
    }
    if !s.oldest_unknown.is_none() {
        parts.push(format!("oldest unknown {}", span(s.now.since(s.oldest_unknown))));
    }
    parts.join("; ")
}

/// Number and money per label.
fn labels(report: &Report<'_>) -> String {
    let of_label = |(label, number, sums): &(&str, u64, Totals)| {
        let money = totals(report.units, sums);
        let money = if money.is_empty() { money } else { format!("  {money}") };
        format!("{} {label}{money}", count(*number))
    };
    report.summary.by_label.iter().map(of_label).collect::<Vec<_>>().join("    ")
}

/// What is closed: it did happen, and is counted.
fn closed(report: &Report<'_>) -> String {
    match report.summary.closed {
        0 => String::new(),
        number => format!("{} closed, counted and not listed: it did happen", count(number)),
    }
}

/// What most violations share, and whether it goes on.
fn common(report: &Report<'_>) -> String {
    let s = report.summary;
    let Some(shared) = &s.common else {
        return String::new();
    };
    let mut line = format!(
        "{} % of the violations: {} {}",
        shared.share,
        shared.what,
        safe(&report.mask.id(&shared.value))
    );
    if let Some(origin) = shared.retry_origin {
        add(&mut line, format_args!(", retry origin {origin}"));
    }
    if !shared.last.is_none() {
        add(&mut line, format_args!("; the last one {} ago", span(s.now.since(shared.last))));
    }
    line
}

/// What was not compared, what has no attempt here, what lies outside.
pub(in crate::report) fn apart(report: &Report<'_>) -> String {
    let s = report.summary;
    let mut sentences: Vec<String> = s
        .not_compared
        .iter()
        .map(|(_, _, text)| sentence(report, text).trim_end_matches('.').to_owned())
        .collect();
    sentences.extend(report.missing_side().map(str::to_owned));
    sentences.extend(rows_apart(report));
    sentences.join(". ")
}

/// Rows without an attempt, and rows outside the scope; a sentence each.
pub fn rows_apart(report: &Report<'_>) -> Vec<String> {
    let s = report.summary;
    let mut sentences = Vec::new();
    if s.orphans > 0 {
        let verb = if s.orphans == 1 { "has" } else { "have" };
        let money = totals(report.units, &s.orphan_totals);
        let money = if money.is_empty() { money } else { format!(", {money}") };
        let wrong =
            if s.trace_complete { ": a violation each, because the trace is declared complete" } else { "" };
        let rows = counted(s.orphans, "row", "rows");
        sentences.push(format!("{rows} {verb} no attempt here{money}{wrong}"));
    }
    if let Some(outside) = s.outside.filter(|rows| *rows > 0) {
        let units = s.outside_totals.len() as u64;
        let currencies = if units > 0 {
            format!(", {},", counted(units, "currency", "currencies"))
        } else {
            String::new()
        };
        sentences.push(format!("{}{currencies} outside the scope", counted(outside, "row", "rows")));
    }
    sentences
}

/// Ledgers with their read positions, and what could not be read.
fn ledgers(report: &Report<'_>) -> String {
    let s = report.summary;
    let mut parts: Vec<String> = report
        .sources
        .iter()
        .filter(|source| source.what == "ledger")
        .map(|source| ledger(report, source))
        .collect();
    parts.extend(unread_of(report, s.unreadable_trace, "trace", ["trace line", "trace lines"]));
    // A row that was found out only beside another is not among those that its source could not read.
    let said: u64 = report.sources.iter().filter(|s| s.what == "ledger").map(|s| s.rows.unreadable).sum();
    if said == 0 {
        parts.extend(unread_of(report, s.unreadable_ledger, "ledger", ["ledger row", "ledger rows"]));
    }
    parts.join(". ")
}

/// What could not be read and keeps a result from being clean, a line for each side, with the first place of each.
pub fn unread(report: &Report<'_>) -> Vec<String> {
    let ledger = unread_of(report, report.summary.unreadable_ledger, "ledger", ["ledger row", "ledger rows"]);
    unread_trace(report).into_iter().chain(ledger).collect()
}

/// [`unread`] of the trace alone.
pub fn unread_trace(report: &Report<'_>) -> Option<String> {
    unread_of(report, report.summary.unreadable_trace, "trace", ["trace line", "trace lines"])
}

fn unread_of(report: &Report<'_>, number: u64, side: &str, [one, many]: [&str; 2]) -> Option<String> {
    let first = report.problems.iter().find(|p| is_of(report, p, side));
    let at = first.map_or(String::new(), |p| format!(" ({}: {})", safe(&place(&p.at)), short(report, p)));
    (number > 0).then(|| format!("{} unreadable{at}", counted(number, one, many)))
}

/// A record that could not be used; what is wrong with a source as a whole has no place in it.
fn is_record(problem: &ProblemView) -> bool {
    problem.affects_result && problem.code != WENT_BACK
}

fn is_of(report: &Report<'_>, problem: &ProblemView, what: &str) -> bool {
    is_record(problem) && report.sources.iter().any(|s| s.id == problem.source && s.what == what)
}

/// One ledger: `payments.db read 09:13:58Z, newest row 09:13:51Z (rowid 48211), taken as complete from ..`.
fn ledger(report: &Report<'_>, source: &SourceView) -> String {
    let now = report.summary.now;
    let mut text = path(&source.path);
    if let Some(why) = &source.error {
        add(&mut text, format_args!(" was not read: {}", sentence(report, why).trim_end_matches('.')));
        return text;
    }
    if let Some(copied) = &source.copy_of {
        add(&mut text, format_args!(", a copy of {},", safe(copied)));
    }
    match source.read_at {
        Some(at) if source.read_at_is_newest => {
            add(&mut text, format_args!(" read no earlier than {} (newest row)", when(at, now)));
        }
        Some(at) => add(&mut text, format_args!(" read {}", when(at, now))),
        None => text.push_str(" read at a time that is not known"),
    }
    let position =
        if source.position.is_empty() { String::new() } else { format!(" ({})", safe(&source.position)) };
    match source.newest {
        Some(at) => add(&mut text, format_args!(", newest row {}{position}", when(at, now))),
        None if source.oldest.is_some() => {
            add(&mut text, format_args!(", every row is later than the clock{position}"));
        }
        None if source.rows.outside_window() > 0 && source.rows.used == 0 => {
            add(&mut text, format_args!(", no row lies within --since and --until{position}"));
        }
        None if source.rows.read == 0 => text.push_str(", no row at all"),
        None => add(&mut text, format_args!(", no row has a time{position}")),
    }
    if source.final_by_declaration {
        text.push_str(", final by declaration");
    } else if let Some(from) = source.complete_from(super::full) {
        add(&mut text, format_args!(", taken as complete from {from}"));
    }
    if source.rows.unreadable > 0 {
        add(&mut text, format_args!("; {} unreadable", count(source.rows.unreadable)));
        if let Some(first) = report.problems.iter().find(|p| p.source == source.id && is_record(p)) {
            let shown = safe(&place(&first.at));
            let name = std::path::Path::new(&source.path).file_name().map(|name| name.to_string_lossy());
            let name = name.map_or(String::new(), |name| format!("{} ", safe(&name)));
            let at = shown.strip_prefix(&name).unwrap_or(&shown);
            add(&mut text, format_args!(" ({at}: {})", short(report, first)));
        }
    }
    text
}

/// What is wrong, without the explanation behind a quoted value: `amount "2OO.00"`.
fn short(report: &Report<'_>, problem: &ProblemView) -> String {
    let what = sentence(report, &problem.what);
    match what.rsplit_once('"') {
        Some((before, reason)) if reason.starts_with(" is not") || reason.starts_with(" has") => {
            format!("{before}\"")
        }
        _ => what,
    }
}
