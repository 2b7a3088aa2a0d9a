//! Class, severity and order (`2-judge.md` 2.7, 2.8).

use std::cmp::Ordering;

use crate::model::money::{Money, Wide};
use crate::model::time::Micros;
use crate::model::units::Unit;

use super::facts::Setting;
use super::findings::{CAME_BACK, DIFFERS_BY_ORDER, DISPUTED, NEAR_IDENTICAL_ID, SOURCES_DISAGREE};
use super::inputs::Link;
use super::judgement::{Class, Judgement};
use super::price::Risk;
use super::reduce::Tally;
use super::rules::{LOOK_AT_IT, Rule};

/// Findings that make a clean verdict undecided.
const LIFTS: u64 = SOURCES_DISAGREE | NEAR_IDENTICAL_ID;
/// Severity of a clean verdict that a finding lifted.
const LIFTED: u8 = 3;
/// Severity of what is clean or waits.
const QUIET: u8 = 5;

/// Class before and after what lifts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Classed {
    /// The class.
    pub class: Class,
    /// A finding made it undecided that would be clean.
    pub lifted: bool,
    /// A hint made it undecided that would be a violation.
    pub doubted: bool,
}

/// The class of a verdict: of its rule, `HIDDEN_SUCCESS` clean where it is derived and nothing more can come; then
/// what lifts it.
pub fn classed(rule: Rule, tally: &Tally<'_>, found: u64) -> Classed {
    let base = rule.meaning().class;
    let settled = rule == Rule::R24 && !tally.recorded && !tally.late;
    let base = if settled { Class::Clean } else { base };
    let lifted = base == Class::Clean && found & LIFTS != 0;
    let doubted = rule == Rule::R13 && tally.found.factor_hint;
    let class = if lifted || doubted { Class::Undecided } else { base };
    Classed { class, lifted, doubted }
}

/// Severity from 1 to 5: the base, then each rise in its order (2.8).
pub fn severity(
    rule: Rule,
    tally: &Tally<'_>,
    found: u64,
    classed: Classed,
    risk: &Risk,
    setting: &Setting,
) -> u8 {
    let mut s = rule.meaning().severity;
    if classed.class == Class::Clean {
        s = QUIET;
    }
    if classed.lifted {
        s = LIFTED;
    }
    if s == 4 && tally.inputs.link == Link::Open {
        s = 3;
    }
    let unproven_on_its_way = rule == Rule::R29 && tally.found.on_its_way > 0;
    if found & (CAME_BACK | DIFFERS_BY_ORDER) != 0 || unproven_on_its_way {
        s = s.min(2);
    }
    if (2..=4).contains(&s) && rule != Rule::R01 && reaches_limit(risk, setting) {
        s -= 1;
    }
    if (3..=4).contains(&s) && tally.overdue {
        s -= 1;
    }
    if found & DISPUTED != 0 {
        s = 1;
    }
    s
}

/// Money at risk reaches a configured limit of its unit.
fn reaches_limit(risk: &Risk, setting: &Setting) -> bool {
    risk.by_unit.iter().any(|(unit, total)| {
        let limit = setting.high_value_of(unit);
        limit.is_some_and(|limit| total.compare(limit.amount).is_some_and(Ordering::is_ge))
    })
}

/// The label of a judgement: of its rule, unless something lifted or weakened it.
pub fn label(judgement: &Judgement) -> &'static str {
    if judgement.lifted { LOOK_AT_IT } else { judgement.rule.meaning().label }
}

/// How amounts of different units are ranked in a list.
#[derive(Clone, Copy)]
pub struct Ranking<'a> {
    /// Ranking rates of the config: what one of a unit is worth. Only for sorting, marked `approx`.
    pub rates: &'a [(Unit, Wide)],
    /// Order of units by their text.
    pub by_text: &'a dyn Fn(Unit, Unit) -> Ordering,
}

impl Ranking<'_> {
    /// The amount at its rate, where there is one.
    fn worth(&self, money: Money) -> Option<Wide> {
        let (_, rate) = self.rates.iter().find(|(unit, _)| *unit == money.unit)?;
        let amount = money.amount.wide().normal();
        let rate = rate.normal();
        let digits = amount.digits.checked_mul(rate.digits)?;
        Some(Wide { digits, scale: amount.scale.checked_add(rate.scale)? })
    }

    /// Larger amounts first: those with a rate by their worth, then the others by the text of their unit and by
    /// amount; none at the end.
    fn money(&self, a: Option<Money>, b: Option<Money>) -> Ordering {
        let (Some(a), Some(b)) = (a, b) else {
            return b.is_some().cmp(&a.is_some());
        };
        if a.unit == b.unit {
            return b.amount.cmp(&a.amount);
        }
        match (self.worth(a), self.worth(b)) {
            (Some(x), Some(y)) => y.cmp(&x).then_with(|| (self.by_text)(a.unit, b.unit)),
            (x, y) => y.is_some().cmp(&x.is_some()).then_with(|| (self.by_text)(a.unit, b.unit)),
        }
    }
}

/// The order of the list (2.8): severity; disputed first in its class; proven before suspected; overdue first;
/// money at risk, larger first; deadline, none last; age. Who has the intent ids compares them last.
pub fn compare(a: &Judgement, b: &Judgement, ranking: &Ranking<'_>) -> Ordering {
    let known_first = |time: Micros| (time.is_none(), time);
    let disputed = |j: &Judgement| j.found & DISPUTED == 0;
    (a.severity.cmp(&b.severity))
        .then_with(|| a.class.cmp(&b.class))
        .then_with(|| disputed(a).cmp(&disputed(b)))
        .then_with(|| b.overdue.cmp(&a.overdue))
        .then_with(|| ranking.money(a.risk, b.risk))
        .then_with(|| known_first(a.deadline).cmp(&known_first(b.deadline)))
        .then_with(|| known_first(a.since).cmp(&known_first(b.since)))
}
