//! Money of the live effects against the expected total (`2-judge.md` 2.5, 2.9; `1-model.md` 1.2).

use crate::model::money::{Amount, Money, Wide};
use crate::model::units::{ISO, Unit};

use super::count::Found;
use super::expect::{Expected, narrow};
use super::inputs::MoneyIn;

/// How live money and expected money compare.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// The reduced input.
    pub input: MoneyIn,
    /// One side has the unit `?` and the other has not, so only counts are judged (`CURRENCY_UNKNOWN`).
    pub question: bool,
    /// More is live than any accepted total of its unit.
    pub more: bool,
    /// Less is live than the accepted total of its unit.
    pub less: bool,
    /// A live effect has a unit that is not accepted, or there are several.
    pub foreign: bool,
    /// The accepted total that the live one is compared with: of the same unit, else the expected one.
    pub reference: Option<Money>,
    /// Unit in which the intent is shown.
    pub unit: Unit,
    /// Live total in that unit, where it can be read.
    pub live: Option<Money>,
    /// Live effects of several units.
    pub several: bool,
}

/// Decimals of a minor unit: those of ISO 4217 (where `Unit` counts its codes from 2), at least those written.
fn minor_scale(money: Money) -> u8 {
    let row = money.unit.0.checked_sub(2).and_then(|no| ISO.get(usize::from(no)));
    row.map_or(money.amount.scale, |(_, exponent)| money.amount.scale.max(*exponent))
}

/// Whether two sums are equal within a tolerance in minor units; `None` where they cannot be subtracted.
fn within(live: Wide, expected: Money, tolerance: i64) -> Option<bool> {
    let expected_sum = expected.amount.wide();
    if live == expected_sum {
        return Some(true);
    }
    if tolerance <= 0 {
        return Some(false);
    }
    let apart = live.checked_sub(expected_sum)?;
    let apart = Wide { digits: apart.digits.checked_abs()?, ..apart };
    Some(apart <= Amount { digits: tolerance, scale: minor_scale(expected) }.wide())
}

/// Which units are live.
#[derive(Clone, Copy, Default)]
struct Units {
    /// So many with a name.
    named: u32,
    /// One without.
    question: bool,
    /// One with a name that is not accepted.
    other: bool,
}

impl Units {
    fn see(&mut self, unit: Unit, expected: &Expected<'_>) {
        if unit.is_named() {
            self.named += 1;
            self.other |= !expected.accepts(unit);
        } else {
            self.question = true;
        }
    }

    fn of(found: &Found, expected: &Expected<'_>) -> Self {
        let mut units = Self::default();
        match found.live.only() {
            Some(only) => units.see(only.unit, expected),
            None => found.live.iter().for_each(|(unit, _)| units.see(unit, expected)),
        }
        units
    }
}

/// Compares. `attr_differs`: an expected attribute differs.
pub fn compare(found: &Found, expected: &Expected<'_>, tolerance: i64, attr_differs: bool) -> Compared {
    let unit = shown_unit(found, expected);
    let mut c = Compared {
        input: MoneyIn::Na,
        question: false,
        more: false,
        less: false,
        foreign: false,
        reference: expected.reference(unit),
        unit,
        live: live_money(found, unit),
        several: found.live.len() > 1,
    };
    if found.net == 0 {
        return c;
    }
    if found.cannot_add() {
        c.input = MoneyIn::NoRead;
        return c;
    }
    let attr_or = |otherwise| if attr_differs { MoneyIn::Attr } else { otherwise };
    let Some(total) = expected.compared() else {
        c.input = attr_or(MoneyIn::Nt);
        return c;
    };
    let units = Units::of(found, expected);
    let question_expected = !total.unit.is_named();
    if !question_expected {
        c.foreign = units.other || units.named > 1;
        if c.foreign {
            c.input = MoneyIn::Cur;
            return c;
        }
    }
    c.question = if question_expected { units.named > 0 } else { units.question };
    // Numbers without a unit compare only where both count the same: minor units, or major ones.
    let other_scale =
        question_expected && (if expected.minor { found.question_major } else { found.question_minor });
    if c.question || other_scale || found.live_without_amount {
        c.input = attr_or(MoneyIn::Nt);
        return c;
    }
    let equal = match c.live {
        Some(live) if tolerance <= 0 => expected.candidates().any(|m| m == live),
        _ => {
            let live = found.live_in(unit).unwrap_or(Wide::ZERO);
            let mut same_unit = expected.candidates().filter(|m| m.unit == unit);
            same_unit.any(|m| within(live, m, tolerance) == Some(true))
        }
    };
    c.input = if equal {
        attr_or(MoneyIn::Eq)
    } else {
        let live = found.live_in(unit).unwrap_or(Wide::ZERO);
        c.more = expected.candidates().filter(|m| m.unit == unit).all(|m| live > m.amount.wide());
        c.less = c.reference.is_some_and(|m| live < m.amount.wide());
        MoneyIn::Amt
    };
    c
}

/// The unit of what is live where there is only one, else the expected unit, else that of its rows.
fn shown_unit(found: &Found, expected: &Expected<'_>) -> Unit {
    let only = found.live.only().map(|m| m.unit).filter(|_| found.net > 0);
    only.or(expected.total.map(|t| t.unit))
        .or(found.smallest.map(|m| m.unit))
        .or_else(|| found.live.iter().next().map(|(unit, _)| unit))
        .unwrap_or(Unit::NONE)
}

fn live_money(found: &Found, unit: Unit) -> Option<Money> {
    if unit == Unit::NONE || (found.net > 0 && (found.cannot_add() || found.live_without_amount)) {
        return None;
    }
    match found.live.only() {
        Some(only) if only.unit == unit && !found.live_unreadable => Some(only),
        _ => Some(Money::new(unit, narrow(found.live_in(unit)?)?)),
    }
}
