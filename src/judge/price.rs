//! Money at risk (`2-judge.md` 2.8). Per unit, never added over units.

use crate::model::money::{Amount, Money, Total, Totals, Wide};
use crate::model::row::State;
use crate::model::units::Unit;

use super::calls::Calls;
use super::expect::{money, narrow};
use super::facts::{Account, Facts, Setting};
use super::judgement::{Class, Judgement};
use super::reduce::{Tally, tally};
use super::rules::Rule::{
    self, R01, R02, R03, R04a, R05, R07, R08, R09, R10, R11, R12, R13, R14, R15, R16, R16a,
};
use super::rules::Rule::{R19, R20a, R21, R24, R25, R26, R27, R29, R30, R31, R32, R35};

/// Money at risk of one intent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Risk {
    /// No amount is known: shown as `-`.
    pub unknown: bool,
    /// By unit; a unit with nothing at risk is left out.
    pub by_unit: Totals,
}

impl Risk {
    /// Nothing.
    fn none() -> Self {
        Self::default()
    }

    /// No amount is known.
    fn unknown() -> Self {
        Self { unknown: true, by_unit: Totals::default() }
    }

    /// One amount, if it is known. What is at risk is never below 0, whatever sign amounts are written with.
    fn of(money: Option<Money>) -> Self {
        let size =
            |m: Money| Money::new(m.unit, Amount { digits: m.amount.digits.saturating_abs(), ..m.amount });
        let money = money.map(size);
        let mut risk = Self { unknown: money.is_none(), by_unit: Totals::default() };
        if let Some(money) = money.filter(|m| !m.amount.is_zero()) {
            risk.by_unit.add(money);
        }
        risk
    }

    /// Everything that is at risk, the given unit first, then by unit.
    pub fn list(&self, first: Unit) -> Vec<Money> {
        let mut list: Vec<Money> =
            self.by_unit.iter().filter_map(|(unit, total)| exact(unit, total)).collect();
        list.sort_by_key(|m| (m.unit != first, m.unit));
        list
    }

    /// The one that is sorted by: in the given unit if there is any, else the first. Zero where nothing is at
    /// risk, `None` where no amount is known.
    pub fn main(&self, unit: Unit) -> Option<Money> {
        if self.unknown {
            return None;
        }
        if self.by_unit.is_empty() {
            return Some(Money::new(unit, Amount::ZERO));
        }
        let own = self.by_unit.get(unit).and_then(|total| exact(unit, total));
        own.or_else(|| self.by_unit.iter().find_map(|(unit, total)| exact(unit, total)))
    }
}

fn exact(unit: Unit, total: Total) -> Option<Money> {
    Some(Money::new(unit, narrow(total.exact()?)?))
}

/// Money at risk per unit, the judgement's own unit first; empty where no amount is known.
pub fn per_unit(facts: &Facts<'_>, setting: &Setting, judgement: &Judgement) -> Vec<Money> {
    let tally = tally(facts, setting);
    at_risk(facts, setting, &tally, judgement.rule, judgement.class).list(judgement.unit)
}

/// So many times an amount.
pub fn times(money: Money, count: u32) -> Option<Money> {
    let digits = money.amount.digits.checked_mul(i64::from(count))?;
    Some(Money::new(money.unit, Amount { digits, ..money.amount }))
}

/// What is live for certain above an expected amount, per unit: effects whose amount cannot be read add nothing.
/// `None` where that cannot be told.
pub fn at_least_above(tally: &Tally<'_>, expected: Option<Money>) -> Option<Totals> {
    if tally.found.live.overflows() || tally.found.live_without_amount {
        return None;
    }
    differences(tally, expected, above)
}

/// Live totals minus an expected amount, per unit: what `keep` makes of each difference, zeros left out. `None`
/// where a total cannot be read.
fn apart(tally: &Tally<'_>, expected: Option<Money>, keep: fn(Wide) -> Wide) -> Option<Totals> {
    if tally.found.cannot_add() || tally.found.live_without_amount {
        return None;
    }
    differences(tally, expected, keep)
}

fn differences(tally: &Tally<'_>, expected: Option<Money>, keep: fn(Wide) -> Wide) -> Option<Totals> {
    let mut result = Totals::default();
    for (unit, total) in tally.found.live.totals().difference(expected).iter() {
        let rest = keep(total.exact()?);
        if !rest.is_zero() {
            result.add(Money::new(unit, narrow(rest)?));
        }
    }
    Some(result)
}

/// What is above.
fn above(rest: Wide) -> Wide {
    if rest.is_negative() { Wide::ZERO } else { rest }
}

/// What is above or below.
fn either(rest: Wide) -> Wide {
    Wide { digits: rest.digits.abs(), ..rest }
}

/// The total that live money is compared with: the accepted one of its unit, else what its effects would be worth.
pub fn wanted(tally: &Tally<'_>) -> Option<Money> {
    let total = tally.expected.compared().and(tally.money.reference);
    total.or_else(|| tally.unit().and_then(|unit| times(unit, tally.expected.max)))
}

/// Money at risk of an intent under its verdict.
pub fn at_risk(facts: &Facts<'_>, setting: &Setting, tally: &Tally<'_>, rule: Rule, class: Class) -> Risk {
    if class == Class::Clean {
        return Risk::none();
    }
    let unit = tally.unit();
    let units = |count: u32| Risk::of(unit.and_then(|u| times(u, count)));
    match rule {
        R05 => duplicated(tally).unwrap_or_else(|| units(tally.found.net - tally.expected.max)),
        R04a | R16a => units(tally.suspicion.excess),
        R20a | R25 | R26 | R27 | R32 => missing(facts, tally),
        R07 | R13 => differing(tally),
        R02 | R11 | R12 => live(tally),
        R08 => chain(facts).or(unit).map_or_else(Risk::unknown, |money| Risk::of(Some(money))),
        R16 => Risk::of(largest_under_the_key(facts, setting)),
        R01 | R09 | R10 | R14 | R19 | R21 | R24 | R29 | R30 | R31 | R35 => units(worst(tally).max(1)),
        R03 | R15 if tally.state == Some(State::Confirmed) && tally.expected.max > 0 => {
            Risk::of(tally.expected.total)
        }
        _ => Risk::none(),
    }
}

/// Largest deviation that is still possible: over k from what is there to what may be there.
fn worst(tally: &Tally<'_>) -> u32 {
    let (least, most) = (tally.found.gross, tally.hi.max(tally.found.gross));
    tally.expected.min.saturating_sub(least).max(most.saturating_sub(tally.expected.max))
}

/// Net total above the expected one; `None` where there is none above, or money cannot be compared.
fn duplicated(tally: &Tally<'_>) -> Option<Risk> {
    if tally.money.question {
        return None;
    }
    let by_unit = at_least_above(tally, Some(wanted(tally)?))?;
    (!by_unit.is_empty()).then_some(Risk { unknown: false, by_unit })
}

/// Expected total minus what is live; the account's difference where it is known to differ.
fn missing(facts: &Facts<'_>, tally: &Tally<'_>) -> Risk {
    if tally.by_order == Some(false)
        && let Some(difference) = facts.ties.account.and_then(account_difference)
    {
        return Risk::of(Some(difference));
    }
    let Some(total) = tally.expected.compared().and(tally.money.reference) else {
        return Risk::unknown();
    };
    let short = (|| {
        let live = tally.found.live_in(total.unit)?;
        let rest = total.amount.wide().checked_sub(live)?;
        Some(Money::new(total.unit, narrow(Wide { digits: rest.digits.abs(), ..rest })?))
    })();
    let comparable = !tally.money.question && !tally.found.live_without_amount;
    let by_count = || {
        let few = tally.expected.min.saturating_sub(tally.found.net).max(1);
        tally.unit().and_then(|unit| times(unit, few))
    };
    Risk::of(short.filter(|_| comparable).or_else(by_count))
}

/// What the account of the order has too much or too little, where its money can be compared.
fn account_difference(account: Account) -> Option<Money> {
    let (wanted, found) = (account.money_wanted?, account.money_found?);
    if wanted.unit != found.unit {
        return Some(found);
    }
    let rest = found.amount.wide().checked_sub(wanted.amount.wide())?;
    Some(Money::new(wanted.unit, narrow(Wide { digits: rest.digits.abs(), ..rest })?))
}

/// Absolute difference between what is live and what should be.
fn differing(tally: &Tally<'_>) -> Risk {
    let nothing_wanted = tally.effective.1 == 0;
    let wanted = if nothing_wanted { None } else { tally.expected.compared().and(tally.money.reference) };
    let known = nothing_wanted || wanted.is_some();
    let by_unit = if known && !tally.money.question { apart(tally, wanted, either) } else { None };
    by_unit.map_or_else(|| Risk::of(tally.unit()), |by_unit| Risk { unknown: false, by_unit })
}

/// Everything that is live.
fn live(tally: &Tally<'_>) -> Risk {
    apart(tally, None, either).map_or_else(Risk::unknown, |by_unit| Risk { unknown: false, by_unit })
}

/// Live total of a chain of replacements beyond what its newest member should be.
pub fn chain(facts: &Facts<'_>) -> Option<Money> {
    let chain = facts.ties.lineage?;
    let (live, newest) = (chain.live_total?, chain.newest_expected?);
    if live.unit != newest.unit {
        return Some(live);
    }
    let rest = live.amount.wide().checked_sub(newest.amount.wide())?;
    let rest = if rest.is_negative() { Wide::ZERO } else { rest };
    Some(Money::new(live.unit, narrow(rest)?))
}

/// The largest amount that was sent under a key with two payloads; in the unit of the first of them.
fn largest_under_the_key(facts: &Facts<'_>, setting: &Setting) -> Option<Money> {
    let calls = Calls::of(facts, setting);
    let two_payloads = |key: u32| {
        let mut first = None;
        calls.iter().filter(|c| c.attempt.key == key && c.attempt.payload != 0).any(|c| {
            let payload = c.attempt.payload;
            *first.get_or_insert(payload) != payload
        })
    };
    let key = calls.iter().map(|c| c.attempt.key).find(|key| *key != 0 && two_payloads(*key))?;
    let mut largest: Option<Money> = None;
    for call in calls.iter().filter(|c| c.attempt.key == key) {
        let row = &call.attempt.row;
        if let Some(sent) = row.amount().map(|amount| money(row.unit, amount)) {
            let larger = largest.is_none_or(|m| m.unit == sent.unit && m.amount < sent.amount);
            largest = if larger { Some(sent) } else { largest };
        }
    }
    largest
}
