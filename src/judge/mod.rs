//! Pure: bounds, coverage, verdict, severity, story (`2-judge.md`).
//!
//! ```text
//! facts, setting -> calls, tried     which attempts count, and what was told        (calls, bounds, origin)
//!                -> expected         what is intended                               (expect)
//!                -> found            what is in the ledger                          (count, money)
//!                -> coverage         whether an absence is proven                   (coverage)
//!                -> inputs, tally    reduced to small sets                          (reduce, suspect, inputs)
//!                -> rule             the decision table                             (rules)
//!                -> judgement        class, findings, price, severity, property     (here)
//! ```
//!
//! No text, no hash of texts, no file, no clock, no random number; equal facts give equal judgements.

// Facts and judgements are plain rows of independent yes-or-no answers; enums of two would only rename them.
#![allow(clippy::struct_excessive_bools)]

pub mod bounds;
pub mod calls;
pub mod copies;
pub mod count;
pub mod coverage;
pub mod expect;
pub mod explain;
pub mod facts;
pub mod findings;
pub mod glance;
pub mod hazards;
pub mod inputs;
pub mod judgement;
pub mod live;
pub mod money;
pub mod origin;
pub mod plain;
pub mod playbook;
pub mod price;
pub mod property;
pub mod reduce;
mod reversal;
pub mod rules;
mod scratch;
pub mod severity;
pub mod story;
pub mod suspect;
#[cfg(test)]
mod tests;
pub mod timeline;
pub mod view;
pub mod words;

use crate::model::time::Micros;

use facts::{Facts, Setting};
use inputs::Link;
use judgement::Judgement;
use reduce::{Tally, tally};
use rules::{Rule, decide};

/// Judges one intent: total, and the same for the same facts.
pub fn judge(facts: &Facts<'_>, setting: &Setting) -> Judgement {
    let tally = tally(facts, setting);
    let rule = decide(&tally.inputs);
    let mut found = findings::find(facts, setting, &tally);
    if rule == Rule::R20 {
        // That a call in flight may still land is what the verdict says.
        found &= !findings::MORE_MAY_LAND;
    }
    let classed = severity::classed(rule, &tally, found);
    let risk = price::at_risk(facts, setting, &tally, rule, classed.class);
    let severity = severity::severity(rule, &tally, found, classed, &risk, setting);
    let calls = calls::Calls::again(facts, setting, &tally.tried);
    Judgement {
        rule,
        class: classed.class,
        lifted: classed.lifted || classed.doubted,
        severity,
        state: tally.state,
        state_recorded: tally.recorded,
        lo: tally.bounds.lo,
        hi: tally.hi,
        hi_uncapped: tally.hi_uncapped,
        gross: tally.found.gross,
        net: tally.found.net,
        on_its_way: tally.found.on_its_way,
        came_back: tally.came_back,
        unreadable: tally.found.unreadable,
        min: tally.expected.min,
        max: tally.expected.max,
        effective_min: tally.effective.0,
        effective_max: tally.effective.1,
        expected: tally.expected.total,
        expected_from: tally.expected.from,
        unit: tally.money.unit,
        live: tally.money.live,
        several_units: tally.money.several,
        risk: risk.main(tally.money.unit),
        found,
        covered: tally.coverage.covered,
        uncovered: tally.coverage.failed,
        covered_from: tally.coverage.from,
        divergent: divergent(rule, &tally),
        count_difference: count_difference(&tally),
        at_most_once: property::at_most_once(facts, &tally, rule),
        origin: origin::origin(calls, setting, tally.tried.writes, tally.unexplained > 0),
        not_compared: tally.not_compared,
        overdue: tally.overdue,
        deadline: tally.deadline,
        since: tally.tried.since,
        last: tally.tried.last,
        attempts: tally.tried.writes,
        lost: tally.tried.unknown,
        group: group(facts, rule),
        late: tally.late,
        link_open: tally.inputs.link == Link::Open,
        holds_until: holds_until(setting, &tally),
    }
}

/// Whether what is there differs from what is intended now (2.5).
fn divergent(rule: Rule, tally: &Tally<'_>) -> bool {
    use inputs::MoneyIn;
    match rule {
        Rule::R11 | Rule::R04a | Rule::R16a | Rule::R08 => return true,
        Rule::R20 | Rule::R34 | Rule::R01 => return false,
        _ => {}
    }
    let (min, max) = tally.effective;
    let outside = |n: u32| n < min || n > max;
    let compared = tally.expected.compared().is_some() && max > 0;
    let money = matches!(tally.money.input, MoneyIn::NoRead | MoneyIn::Cur | MoneyIn::Amt);
    outside(tally.found.gross) || outside(tally.found.net) || (compared && money)
}

/// Gross minus the nearest end of the effective range.
fn count_difference(tally: &Tally<'_>) -> i64 {
    let (min, max) = tally.effective;
    let gross = tally.found.gross;
    i64::from(gross) - i64::from(gross.clamp(min, max.max(min)))
}

/// Number of the group that is one row of the list.
fn group(facts: &Facts<'_>, rule: Rule) -> Option<u32> {
    match rule {
        Rule::R08 => facts.ties.lineage.map(|l| l.number),
        Rule::R16a => facts.ties.account.map(|a| a.number),
        _ => None,
    }
}

/// The first instant at which the clock alone may change the judgement: a call that waits runs out of time, a
/// deadline passes. Both are strict, so it is a microsecond later.
fn holds_until(setting: &Setting, tally: &Tally<'_>) -> Micros {
    let ahead = |time: Micros| !time.is_none() && setting.now <= time;
    let deadline = Some(tally.deadline).filter(|d| ahead(*d));
    let waits = Some(tally.tried.waits_until).filter(|w| ahead(*w));
    let first = match (deadline, waits) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    first.map_or(Micros::NONE, |time| time.plus(1))
}
