//! `show --tree`: the causal tree, in the form of `7-commands.md` 7.6: decisions, their calls, what became of them.
//!
//! What was committed stands below the call that made it, and comes from the ledger, never from the trace.

use crate::judge::story::{four_lines, phrase::noun};
use crate::judge::view::{AttemptView, EffectView, IntentView};
use crate::model::money::{Money, to_exponent};
use crate::model::outcome::{Class, Outcome};
use crate::model::row::Status;

use super::super::Report;
use super::super::figures::{instant, money, safe, safe_id, totals};
use super::super::out::Out;
use super::one::names;
use super::path;
use super::show::attempt_of;

/// Names, the tree, the rows of the ledger with their total, the four lines.
pub fn tree(report: &Report<'_>, view: &IntentView, out: &mut Out<'_>) {
    out.line(&names(report, view).join("  "));
    causal(report, view, true, out);
}

/// As [`tree`], without names, and without times where they say nothing.
pub fn causal(report: &Report<'_>, view: &IntentView, times: bool, out: &mut Out<'_>) {
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
        call(report, view, a, (more, times), out);
    }
    let loose: Vec<&EffectView> =
        view.effects.iter().filter(|row| !row.copy && maker(view, row).is_none()).collect();
    if !loose.is_empty() {
        out.line("which call is not known");
        for (at, row) in loose.iter().enumerate() {
            let mark = if at + 1 == loose.len() { "└─" } else { "├─" };
            out.line(&format!("{mark} {}", committed(view, row)));
        }
    }
    rows(report, view, out);
}

/// The attempt that made a row. A receipt that was given again belongs to the earlier call that was open when the row was
/// committed; reads make nothing.
fn maker(view: &IntentView, row: &EffectView) -> Option<u32> {
    let number = attempt_of(row)?;
    let writes = || view.attempts.iter().filter(|a| !a.read);
    let given_again = writes().any(|a| a.number == number && a.class == Class::OkReused);
    let open = |a: &&AttemptView| {
        let at = row.committed;
        !at.is_none()
            && !a.sent.is_none()
            && !a.ended.is_none()
            && a.sent.begin() <= at.end()
            && at.begin() <= a.ended.end()
    };
    let earlier = if given_again { writes().find(open) } else { None };
    Some(earlier.map_or(number, |a| a.number))
}

fn call(
    report: &Report<'_>,
    view: &IntentView,
    a: &AttemptView,
    (more, times): (bool, bool),
    out: &mut Out<'_>,
) {
    let (mark, bar) = if more { ("├─", "│ ") } else { ("└─", "  ") };
    let amount = a.amount.map_or(String::new(), |m| money(report.units, with_unit(report, view, m)));
    let operation = if view.operation_id.is_empty() || a.read {
        String::new()
    } else {
        format!("   operation {}", safe_id(&report.mask.id(&view.operation_id)))
    };
    let sent = if a.sent.is_none() || !times {
        String::new()
    } else {
        format!("   {}", instant(a.sent, report.summary.now))
    };
    out.line(&format!("{mark} {}({amount}){operation}{sent}", safe(&a.tool)));
    let mut leaves: Vec<String> = view
        .effects
        .iter()
        .filter(|row| !a.read && !row.copy && maker(view, row) == Some(a.number))
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

/// An amount whose unit nobody gave is one of the unit that is expected, where it is exact in it.
fn with_unit(report: &Report<'_>, view: &IntentView, m: Money) -> Money {
    let expected = view.judgement.expected.filter(|_| !m.unit.is_named());
    let exact = expected
        .and_then(|e| to_exponent(m.amount, report.units.exponent(e.unit)?).ok().map(|a| (e.unit, a)));
    exact.map_or(m, |(unit, amount)| Money { unit, amount })
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
        (Class::Ok, _) if a.read => "ANSWERED",
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
