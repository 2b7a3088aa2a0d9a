//! `sources`: meaning, position and control totals of every source (`4-sources.md` 4.16).

use crate::judge::view::SourceView;

use super::super::Report;
use super::super::figures::{count, counted, place, safe, sorted, total, when_short};
use super::super::out::Out;
use super::sentence;

/// A path or address as it may be printed: of databases only scheme, host, port and name.
pub fn path(path: &str) -> String {
    if path.contains("://") { safe(&crate::text::url(path)) } else { safe(path) }
}

/// Every source, then the problems with their places.
pub fn sources(report: &Report<'_>, out: &mut Out<'_>) {
    for (at, source) in report.sources.iter().enumerate() {
        if at > 0 {
            out.line("");
        }
        for line in lines(report, source) {
            out.line(&line);
        }
    }
    if report.problems.is_empty() {
        return;
    }
    out.line("");
    out.line(&counted(report.problems.len() as u64, "problem", "problems"));
    let limit = if report.choice.limit == 0 { usize::MAX } else { report.choice.limit };
    for problem in report.problems.iter().take(limit) {
        let counts = if problem.affects_result { "" } else { "   (changes no result)" };
        out.line(&format!(
            "  {}: {}{counts}   {}",
            safe(&place(&problem.at)),
            sentence(report, &problem.what),
            problem.code
        ));
    }
    let left = report.problems.len().saturating_sub(limit);
    if left > 0 {
        out.line(&format!("{} more: --limit 0, or --format json", count(left as u64)));
    }
}

/// One source, line by line.
pub(in crate::report) fn lines(report: &Report<'_>, s: &SourceView) -> Vec<String> {
    let mut out = Vec::new();
    let now = report.summary.now;
    let mut head = vec![safe(&s.id), meaning(s), format!("{} {}", safe(&s.format), path(&s.path))];
    if let Some(why) = &s.error {
        head.push("was not read".to_owned());
        return vec![head.join("   "), format!("  {}", sentence(report, why))];
    }
    if let Some(at) = s.read_at {
        let words = if s.read_at_is_newest { "read no earlier than" } else { "read" };
        head.push(format!("{words} {}", when_short(at, now)));
    }
    let begins = s.complete_from(|at| when_short(at, now)).or(s.oldest.map(|at| when_short(at, now)));
    if let (Some(from), Some(to)) = (begins, s.newest) {
        head.push(format!("covers {from} to {}", when_short(to, now)));
    } else if let Some((from, to)) = s.window {
        head.push(format!("window {} to {}", when_short(from, now), when_short(to, now)));
    }
    if s.final_by_declaration {
        head.push("final by declaration".to_owned());
    }
    if s.live {
        head.push("live".to_owned());
    }
    out.push(head.join("   "));
    counts(s, &mut out);
    control(report, s, &mut out);
    for (words, list) in [("holds", &s.holds), ("records", &s.tools)] {
        if !list.is_empty() {
            out.push(format!(
                "  {words} {}",
                list.iter().map(|one| safe(one)).collect::<Vec<_>>().join(", ")
            ));
        }
    }
    if !s.mapping.is_empty() {
        out.push(format!("  mapping: {}", sentence(report, &s.mapping)));
    }
    for note in &s.notes {
        out.push(format!("  {}", sentence(report, note)));
    }
    out
}

fn meaning(s: &SourceView) -> String {
    let words = match (s.meaning, &s.copy_of) {
        (_, Some(of)) => format!("copy of {}", safe(of)),
        ("moves_money", None) => "moves money".to_owned(),
        ("", None) => match s.what {
            "trace" => "attempts".to_owned(),
            what => what.to_owned(),
        },
        (word, None) => word.to_owned(),
    };
    if s.meaning_assumed && !s.meaning.is_empty() { format!("{words} (assumed)") } else { words }
}

/// read = used + outside + unattributed + set aside + unreadable.
fn counts(s: &SourceView, out: &mut Vec<String>) {
    let rows = &s.rows;
    let things = if s.what == "ledger" { "rows" } else { "records" };
    let mut parts = vec![format!("{things} read {}", count(rows.read)), format!("used {}", count(rows.used))];
    if s.what == "ledger" {
        parts.push(format!("outside {}", count(rows.outside)));
        parts.push(format!("unattributed {}", count(rows.unattributed)));
    }
    let aside: u64 = rows.set_aside.iter().map(|(_, number)| number).sum();
    let rules: Vec<&str> = rows.set_aside.iter().map(|(rule, _)| rule.as_str()).collect();
    let rules = if rules.is_empty() { String::new() } else { format!(" ({})", safe(&rules.join(", "))) };
    parts.push(format!("set aside {}{rules}", count(aside)));
    if rows.skipped > 0 {
        parts.push(format!("skipped {}", count(rows.skipped)));
    }
    parts.push(format!("unreadable {}", count(rows.unreadable)));
    out.push(format!("  {}", parts.join("   ")));
}

/// Totals as the source gives them, and the line that confirms them.
fn control(report: &Report<'_>, s: &SourceView, out: &mut Vec<String>) {
    let now = report.summary.now;
    let rows = |unit| {
        let count = s.by_unit.iter().find(|(known, _)| *known == unit).map(|(_, rows)| *rows);
        count.map_or(String::new(), |rows| format!(" in {}", counted(rows, "row", "rows")))
    };
    let mut parts: Vec<String> = sorted(report.units, &s.totals)
        .into_iter()
        .map(|(unit, t)| format!("{}{}", total(report.units, unit, t), rows(unit)))
        .collect();
    if s.what == "ledger" && s.no_amount > 0 {
        parts.push(format!("no readable amount in {}", counted(s.no_amount, "row", "rows")));
    }
    if !parts.is_empty() {
        out.push(format!("  {}", parts.join("   ")));
    }
    let mut extent = Vec::new();
    if let (Some(first), Some(last)) = (s.oldest, s.newest) {
        extent.push(format!("first {}   last {}", when_short(first, now), when_short(last, now)));
    }
    if !s.position.is_empty() {
        extent.push(format!("position {}", safe(&s.position)));
    }
    if let Some(query) = &s.query {
        extent.push(format!("query: {}", sentence(report, query)));
    }
    if !extent.is_empty() {
        out.push(format!("  {}", extent.join("   ")));
    }
    if let Some(confirm) = &s.confirm {
        out.push(format!("  confirm: {}", sentence(report, confirm)));
    }
}
