//! `show --tree`: the causal tree, in the form of `7-commands.md` 7.6: decisions, their calls, what became of them.
//!
//! What was committed stands below the call that made it, and comes from the ledger, never from the trace.

use crate::judge::story::{four_lines, phrase::noun};
use crate::judge::view::{AttemptView, EffectView, IntentView};
use crate::model::outcome::{Class, Outcome};
use crate::model::row::Status;

use super::super::Report;
use super::super::figures::{instant, money, safe, safe_id, totals};
use super::super::out::Out;
use super::one::names;
use super::path;
use super::show::attempt_of;

/// The tree, then the rows of the ledger with their total.
pub fn tree(report: &Report<'_>, view: &IntentView, out: &mut Out<'_>) {
    out.line(&names(report, view).join("  "));
    let mut last: Option<&str> = None;
    let mut number = 0;
    for (at, a) in view.attempts.iter().enumerate() {
        // Without ids every call is a decision of its own, as far as is known.
        let same = last.is_some_and(|decision| !decision.is_empty() && decision == a.decision);
        if !same {
            number += 1;
            out.line(&format!("decision #{number}"));
        }
        last = Some(&a.decision);
        let more = view
            .attempts
            .get(at + 1)
            .is_some_and(|next| !next.decision.is_empty() && next.decision == a.decision);
        call(report, view, a, more, out);
    }
    let loose: Vec<&EffectView> =
        view.effects.iter().filter(|row| !row.copy && attempt_of(row).is_none()).collect();
    if !loose.is_empty() {
        out.line("which call is not known");
        for (at, row) in loose.iter().enumerate() {
            let mark = if at + 1 == loose.len() { "└─" } else { "├─" };
            out.line(&format!("{mark} {}", committed(view, row)));
        }
    }
    rows(report, view, out);
}

fn call(report: &Report<'_>, view: &IntentView, a: &AttemptView, more: bool, out: &mut Out<'_>) {
    let (mark, bar) = if more { ("├─", "│ ") } else { ("└─", "  ") };
    let amount = a.amount.map_or(String::new(), |m| money(report.units, m));
    let operation = if view.operation_id.is_empty() {
        String::new()
    } else {
        format!("   operation {}", safe_id(&report.mask.id(&view.operation_id)))
    };
    let sent =
        if a.sent.is_none() { String::new() } else { format!("   {}", instant(a.sent, report.summary.now)) };
    out.line(&format!("{mark} {}({amount}){operation}{sent}", safe(&a.tool)));
    let mut leaves: Vec<String> = view
        .effects
        .iter()
        .filter(|row| !row.copy && attempt_of(row) == Some(a.number))
        .map(|row| committed(view, row))
        .collect();
    // An answer that says done is said by the row itself.
    if a.class != Class::Ok || leaves.is_empty() {
        leaves.push(answer(a).to_owned());
    }
    for (at, leaf) in leaves.iter().enumerate() {
        let mark = if at + 1 == leaves.len() { "└─" } else { "├─" };
        out.line(&format!("{bar} {mark} {leaf}"));
    }
}

/// The noun of its kind: `refund`.
fn noun_of(view: &IntentView) -> String {
    safe(&noun(if view.kind.is_empty() { &view.tool } else { &view.kind }))
}

/// `REFUND COMMITTED`.
fn committed(view: &IntentView, row: &EffectView) -> String {
    let noun = noun_of(view).to_uppercase();
    match (row.reversal, row.status) {
        (true, _) => format!("{noun} REVERSED"),
        (_, Status::Live) => format!("{noun} COMMITTED"),
        (_, Status::OnItsWay) => format!("{noun} ON ITS WAY"),
        (_, Status::NotAnEffect) => format!("{noun} NOT DONE"),
    }
}

/// What the caller was told.
fn answer(a: &AttemptView) -> &'static str {
    match (a.class, a.outcome) {
        (Class::Ok, _) => "ANSWERED: DONE",
        (Class::OkReused, _) => "ANSWERED: DONE BEFORE",
        (Class::Already, _) => "ANSWERED: ALREADY DONE",
        (Class::Open, _) => "WAITING FOR THE ANSWER",
        (Class::Fail, Outcome::NotSent) => "NEVER SENT",
        (Class::Fail, _) => "REFUSED",
        (Class::Unknown, Outcome::ResponseLost) => "RESPONSE LOST",
        (Class::Unknown, Outcome::Timeout) => "TIMED OUT",
        (Class::Unknown, _) => "NO ANSWER THAT TELLS",
    }
}

fn rows(report: &Report<'_>, view: &IntentView, out: &mut Out<'_>) {
    let own: Vec<&EffectView> = view.effects.iter().filter(|row| !row.copy).collect();
    let place = own.first().and_then(|row| report.sources.get(row.source)).map(|source| path(&source.path));
    let place = place.map_or(String::new(), |path| format!(" ({path})"));
    out.line("");
    out.line(&format!("authoritative {} rows{place}", noun_of(view)));
    if own.is_empty() {
        out.line("  none");
    }
    for (at, row) in own.iter().enumerate() {
        let amount = match (&row.amount, &row.unreadable) {
            (Some(m), _) => money(report.units, *m),
            (None, Some(_)) => "unreadable".to_owned(),
            (None, None) => "no amount".to_owned(),
        };
        let operation = safe_id(&report.mask.id(&row.operation_id));
        let line = format!("  #{}  {}  {amount}  {operation}", at + 1, safe_id(&report.mask.id(&row.name)));
        out.line(line.trim_end());
    }
    let total = totals(report.units, &view.totals);
    if !total.is_empty() {
        out.line(&format!("  total {total}"));
    }
    out.line("");
    for line in four_lines(view, report.units) {
        out.line(&safe(&line));
    }
}
