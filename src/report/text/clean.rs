//! The clean result: its scope, then its limit.

use crate::judge::view::SourceView;

use super::super::Report;
use super::super::figures::{add, counted, full, safe};
use super::super::out::Out;
use super::{declared, path, sentence};

/// The limit of every clean result (`2-judge.md` 2.12).
pub const LIMIT: &str = "This says what was seen. It does not show that other runs behave the same.";

/// Scope and limit.
pub fn block(report: &Report<'_>, out: &mut Out<'_>) {
    out.line(&scope_sentence(report));
    out.line(LIMIT);
}

/// What was seen: counts, read positions, answers that were lost, what was declared.
pub fn scope_sentence(report: &Report<'_>) -> String {
    let s = report.summary;
    let mut parts = vec![format!(
        "{}, {}, {}",
        counted(s.intents, "intent", "intents"),
        counted(s.attempts, "attempt", "attempts"),
        counted(s.effects, "effect", "effects")
    )];
    parts.extend(report.sources.iter().filter(|source| source.what == "ledger").map(|l| ledger(report, l)));
    parts.push(format!("{} unreadable", s.unreadable_trace + s.unreadable_ledger));
    match s.answers_lost {
        0 => {}
        1 => parts.push("1 answer was lost, its effect is there once".to_owned()),
        lost => parts.push(format!("{lost} answers were lost, each effect is there once")),
    }
    if s.orphans > 0 {
        parts.push(format!("{} without an attempt here", counted(s.orphans, "row", "rows")));
    }
    if let Some(outside) = s.outside.filter(|rows| *rows > 0) {
        parts.push(format!("{} outside the scope", counted(outside, "row", "rows")));
    }
    if !s.filters.is_empty() {
        // The row filter is the scope: a row that belongs to a call counts whatever the filter says (`4-sources.md` 4.13).
        let filters = safe(&s.filters.join(" and "));
        parts.push(format!("rows without an attempt only where {filters}"));
    }
    if let Some(currency) = &s.currency_assumed {
        parts.push(format!("{} is assumed", safe(currency)));
    }
    format!("{}{}.", parts.join("; "), declared(s, "; "))
}

/// One ledger: `payments.db read 2026-11-30T09:13:58Z to row 48211, taken as complete from ..`.
pub(in crate::report) fn ledger(report: &Report<'_>, source: &SourceView) -> String {
    let mut text = path(&source.path);
    if let Some(why) = &source.error {
        return format!("{text} was not read: {}", sentence(report, why).trim_end_matches('.'));
    }
    match source.read_at {
        Some(at) if source.read_at_is_newest => {
            add(&mut text, format_args!(" read no earlier than {} (newest row)", full(at)));
        }
        Some(at) => add(&mut text, format_args!(" read {}", full(at))),
        None => text.push_str(" read at a time that is not known"),
    }
    if !source.position.is_empty() {
        add(&mut text, format_args!(" to {}", safe(&source.position).replace("rowid ", "row ")));
    }
    if let Some(from) = source.complete_from(full).filter(|_| !source.final_by_declaration) {
        add(&mut text, format_args!(", taken as complete from {from}"));
    }
    text
}
