//! `show`: one intent whole: story, next step, attempts beside rows, the sum, why.

use crate::judge::judgement::NotCompared;
use crate::judge::story::{Place, bounds, difference_word, headline, phrase, row_phrase};
use crate::judge::view::{AttemptView, EffectView, IntentView, OrphanView, Tied};
use crate::judge::words::{case_of_orphan, list_words, outcome, read_result};
use crate::model::money::{Amount, Money};
use crate::model::row::{Seen, Status};
use crate::text::{pad_right, width, wrap};

use super::super::Report;
use super::super::figures::{counted, instant, money, safe, safe_id, total, totals, when};
use super::super::out::Out;
use super::one::{at_risk, names, was_compared};
use super::{Paint, path, sentence};

/// Cells that the column of attempts may take.
const LEFT: usize = 56;

/// One intent whole.
pub fn show(report: &Report<'_>, view: &IntentView, paint: Paint, out: &mut Out<'_>) {
    let j = &view.judgement;
    let story = report.teller.tell(view, Place::Detail);
    let codes = format!("{} {} S{}", j.verdict(), j.rule.number(), j.severity);
    let mut head = vec![paint.strong(&headline(&safe(&list_words(j)))), paint.dim(&codes)];
    head.extend(at_risk(report, view));
    out.line(&head.join("   "));
    out.line(&format!("{}  #{}", names(report, view).join("  "), view.handle));
    super::lines(out, super::notices(report));
    out.line("");
    paragraph(&sentence(report, &story.text()), "", paint, out);
    paragraph(&format!("Next: {}", sentence(report, &story.next)), "", paint, out);
    if let Some(hint) = story.kind_hint {
        paragraph(hint, "      ", paint, out);
    }
    for words in &view.standing.words {
        paragraph(&sentence(report, words), "", paint, out);
    }
    out.line("");
    beside(report, view, paint, out);
    sum(report, view, out);
    reads(report, view, out);
    runs(report, view, paint, out);
    out.line("");
    out.line(&paint.strong("why"));
    for (why, code) in &story.why {
        let code = if code.is_empty() { String::new() } else { format!(" ({code})") };
        paragraph(&format!("{}{code}", sentence(report, why)), "  ", paint, out);
    }
    for line in &story.fine {
        paragraph(&sentence(report, line), "  ", paint, out);
    }
    if was_compared(view) && j.not_compared == NotCompared::No && !view.attempts.is_empty() {
        paragraph(
            &sentence(report, &phrase::capital(&format!("{}.", bounds(view, false)))),
            "  ",
            paint,
            out,
        );
    }
}

/// A row without an attempt: a fact, not a violation.
pub fn orphan(report: &Report<'_>, row: &OrphanView, paint: Paint, out: &mut Out<'_>) {
    let story = report.teller.orphan(row);
    let words = case_of_orphan(row.possible_double, row.violation).in_list(row.count);
    let head =
        [paint.strong(&headline(&words)), paint.dim("ORPHAN_EFFECT"), totals(report.units, &row.totals)];
    out.line(head.join("   ").trim_end());
    let ids = [&row.business_id, &row.operation_id, &row.effect_id];
    let ids: Vec<String> =
        ids.iter().map(|id| safe_id(&report.mask.id(id))).filter(|id| !id.is_empty()).collect();
    out.line(&ids.join("  "));
    out.line("");
    paragraph(&sentence(report, &story.text()), "", paint, out);
    paragraph(&format!("Next: {}", sentence(report, &story.next)), "", paint, out);
    out.line("");
    let committed = instant(row.committed, report.summary.now);
    out.line(&format!(
        "  {} in all, the first committed {committed}",
        counted(u64::from(row.count), "row", "rows")
    ));
    out.line(&format!("  {}   {}", safe(report.source_id(row.source)), safe(&row.place)));
}

/// A paragraph, wrapped where a width is known.
fn paragraph(text: &str, indent: &str, paint: Paint, out: &mut Out<'_>) {
    if paint.width == 0 {
        out.line(&format!("{indent}{text}"));
        return;
    }
    for line in wrap(text, paint.width.saturating_sub(indent.len()).max(20)) {
        out.line(&format!("{indent}{line}"));
    }
}

/// Attempts at the left, the rows that they made at the right; rows of nobody below.
fn beside(report: &Report<'_>, view: &IntentView, paint: Paint, out: &mut Out<'_>) {
    let blocks = blocks(report, view);
    let left = blocks.iter().flat_map(|(a, _)| a).map(|line| width(line)).max().unwrap_or(0).clamp(8, LEFT);
    out.line(&format!(
        "{}   {}",
        paint.strong(&pad_right("attempts", left)),
        paint.strong("rows of the ledger")
    ));
    for (attempt, rows) in blocks {
        for at in 0..attempt.len().max(rows.len()) {
            let own = attempt.get(at).map_or("", String::as_str);
            let row = rows.get(at).map_or("", String::as_str);
            out.line(format!("{}   {row}", pad_right(own, left)).trim_end());
        }
    }
}

/// Attempts with the rows that are tied to them, then the rows that are not.
pub(in crate::report) fn blocks(report: &Report<'_>, view: &IntentView) -> Vec<(Vec<String>, Vec<String>)> {
    let rows: Vec<(&EffectView, bool)> = view
        .effects
        .iter()
        .map(|row| (row, false))
        .chain(view.open_rows.iter().map(|row| (row, true)))
        .collect();
    let mut blocks: Vec<(Vec<String>, Vec<String>)> = view
        .attempts
        .iter()
        .map(|a| {
            // A read has the number of the call before it, and makes nothing.
            let own = rows.iter().filter(|(row, _)| !a.read && attempt_of(row) == Some(a.number));
            (attempt(report, a), own.flat_map(|(row, open)| effect(report, row, *open)).collect())
        })
        .collect();
    let known = |number: u32| view.attempts.iter().any(|a| !a.read && a.number == number);
    let loose = rows.iter().filter(|(row, _)| !attempt_of(row).is_some_and(known));
    let loose: Vec<String> = loose.flat_map(|(row, open)| effect(report, row, *open)).collect();
    if !loose.is_empty() {
        blocks.push((Vec::new(), loose));
    }
    if blocks.is_empty() {
        blocks.push((vec!["none".to_owned()], vec!["none".to_owned()]));
    }
    blocks
}

/// The attempt that a row is tied to.
pub fn attempt_of(row: &EffectView) -> Option<u32> {
    match row.tied {
        Tied::ByReceipt(number) | Tied::ByTime(number) | Tied::ByOrder(number) | Tied::Maybe(number) => {
            Some(number)
        }
        Tied::WhichCall | Tied::Nobody => None,
    }
}

fn attempt(report: &Report<'_>, a: &AttemptView) -> Vec<String> {
    let now = report.summary.now;
    let amount = a.amount.map_or(String::new(), |m| format!("  {}", money(report.units, m)));
    let first = format!("{:>2}  {}  {}{amount}", a.number, instant(a.sent, now), safe(&a.tool));
    let (mark, words) = outcome(a, false, None);
    let ended = if a.ended.is_none() { String::new() } else { format!("  {}", instant(a.ended, now)) };
    let receipt = if a.receipt.is_empty() {
        String::new()
    } else {
        let missing = if a.receipt_found { "" } else { ", not in the ledger" };
        format!("  receipt {}{missing}", safe_id(&report.mask.id(&a.receipt)))
    };
    let read = if a.read { "  only reads" } else { "" };
    let second = format!("    {mark} {}{ended}{receipt}{read}", sentence(report, &words));
    let mut lines = vec![first, second];
    if !a.place.is_empty() {
        lines.push(format!("      {}", safe(&a.place)));
    }
    lines
}

fn effect(report: &Report<'_>, row: &EffectView, open: bool) -> Vec<String> {
    let now = report.summary.now;
    let amount = match (&row.amount, &row.unreadable) {
        (Some(m), _) => money(report.units, *m),
        (None, Some(text)) => format!("amount unreadable: {}", safe(&report.mask.text(text))),
        (None, None) => String::new(),
    };
    let first = format!("{}  {}  {amount}", safe_id(&report.mask.id(&row.name)), instant(row.committed, now));
    let mut facts = Vec::new();
    if row.copy {
        facts.push(format!("in {}, a copy, not added", safe(report.source_id(row.source))));
    }
    if open {
        facts.push("may be this one, not linked".to_owned());
    } else if !row.copy {
        facts.push(row_phrase(row)[0].to_owned());
    }
    match row.status {
        Status::OnItsWay => facts.push("on its way".to_owned()),
        Status::NotAnEffect => facts.push("not done, or came back".to_owned()),
        Status::Live => {}
    }
    if row.reversal {
        let of =
            if row.reverses.is_empty() { String::new() } else { format!(" of {}", safe_id(&row.reverses)) };
        facts.push(format!("a reversal{of}"));
    }
    if row.reversed {
        facts.push("undone since".to_owned());
    }
    if !row.link.is_empty() {
        facts.push(format!("linked by {}", row.link.join(" ")));
    }
    let mut lines = vec![first.trim_end().to_owned(), format!("  {}", facts.join("; "))];
    if !row.place.is_empty() {
        lines.push(format!("  {}", safe(&row.place)));
    }
    lines
}

/// Rows, what was intended, and the difference with its word.
fn sum(report: &Report<'_>, view: &IntentView, out: &mut Out<'_>) {
    let (j, units) = (&view.judgement, report.units);
    if !was_compared(view) {
        return;
    }
    out.line("");
    let copies = view.by_source.iter().any(|s| s.copy);
    let place = if copies { "at the provider" } else { "in the ledger" };
    let found = match (j.unreadable, j.expected) {
        (1.., _) => "unreadable".to_owned(),
        (0, Some(wanted)) if view.totals.iter().all(|(_, t)| t.is_zero()) => {
            money(units, Money { amount: Amount::ZERO, ..wanted })
        }
        _ => totals(units, &view.totals),
    };
    let wanted = if j.effective_max == 0 {
        String::new()
    } else {
        j.expected.map_or(String::new(), |m| money(units, m))
    };
    let range = if j.effective_min == j.effective_max {
        j.effective_max.to_string()
    } else {
        format!("{}..{}", j.effective_min, j.effective_max)
    };
    let mut lines =
        vec![(j.net.to_string(), found, place.to_owned()), (range, wanted, "intended".to_owned())];
    let more = totals(units, &view.difference);
    lines.push((j.count_difference.to_string(), more, difference_word(j).to_owned()));
    for one in view.by_source.iter().filter(|s| s.copy) {
        let id = safe(report.source_id(one.source));
        let sums: Vec<String> = one.totals.iter().map(|(unit, t)| total(units, unit, t)).collect();
        lines.push((one.count.to_string(), sums.join(", "), format!("in {id}, a copy, not added")));
    }
    let columns = |pick: fn(&(String, String, String)) -> &String| {
        lines.iter().map(|l| width(pick(l))).max().unwrap_or(0)
    };
    let (first, second) = (columns(|l| &l.0), columns(|l| &l.1));
    for (number, amount, words) in &lines {
        if second == 0 {
            out.line(&format!("  {number:>first$}   {words}"));
            continue;
        }
        out.line(
            format!("  {number:>first$}   {}   {words}", crate::text::pad_left(amount, second)).trim_end(),
        );
    }
}

/// What is said of a run, in this order and no more of it: prompts and the like are long.
const SAID_OF_RUNS: [&str; 11] = [
    "scenario",
    "agent",
    "model",
    "sdk",
    "parallel_tool_calls",
    "sdk_retries",
    "temperature",
    "retry_policy",
    "server",
    "server_mode",
    "fault",
];

/// Runs with what their trace says of them, and the number of turns.
fn runs(report: &Report<'_>, view: &IntentView, paint: Paint, out: &mut Out<'_>) {
    let told: Vec<String> = report
        .intents
        .run_facts(view)
        .iter()
        .filter_map(|run| {
            let value = |name: &&str| run.fields.iter().find(|(known, _)| known == name);
            let said = SAID_OF_RUNS.iter().filter_map(value);
            let mut said: Vec<String> = said
                .filter(|(_, value)| !value.is_empty())
                .map(|(name, value)| format!("{} {}", name.replace('_', " "), safe(&report.mask.text(value))))
                .collect();
            if run.turns > 0 {
                said.push(counted(run.turns as u64, "turn", "turns"));
            }
            let id = safe_id(&report.mask.id(&run.id));
            (!said.is_empty()).then(|| format!("run {id}: {}", said.join(", ")))
        })
        .collect();
    if told.is_empty() {
        return;
    }
    out.line("");
    for line in told {
        paragraph(&line, "  ", paint, out);
    }
}

/// Read-backs and recorded states.
fn reads(report: &Report<'_>, view: &IntentView, out: &mut Out<'_>) {
    let now = report.summary.now;
    if view.reads.is_empty() && view.states.is_empty() {
        return;
    }
    out.line("");
    for read in &view.reads {
        let detail = match (&read.differs, read.seen) {
            (Some((field, expected, found)), _) => {
                format!("{field} reads \"{found}\", expected \"{expected}\", it")
            }
            (None, Seen::Present) => String::new(),
            (None, _) => read.position.clone(),
        };
        let line = format!(
            "  {}  read back in {}: {}   {}",
            when(read.when, now),
            path(&read.source),
            sentence(report, &read_result(read.seen, &detail)),
            safe(&read.place)
        );
        out.line(line.trim_end());
    }
    for state in &view.states {
        let from = state.from.map_or("nothing", |s| s.word());
        let line = format!(
            "  {}  recorded {from} to {} by {}   {}",
            when(state.when, now),
            state.to.word(),
            safe(&state.actor),
            safe(&state.place)
        );
        out.line(line.trim_end());
    }
}
