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
    let row = money
        .unit
        .0
        .checked_sub(2)
        .and_then(|no| ISO.get(usize::from(no)));
    row.map_or(money.amount.scale, |(_, exponent)| {
        money.amount.scale.max(*exponent)
    })
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
    let apart = Wide {
        digits: apart.digits.checked_abs()?,
        ..apart
    };
    Some(
        apart
            <= Amount {
                digits: tolerance,
                scale: minor_scale(expected),
            }
            .wide(),
    )
}

/// Compares. `attr_differs`: an expected attribute differs.
pub fn compare(found: &Found, expected: &Expected<'_>, tolerance: i64, attr_differs: bool) -> Compared {
    let named = found.live.iter().filter(|(unit, _)| unit.is_named()).count();
    let question_live = found.live.iter().any(|(unit, _)| !unit.is_named());
    let unit = shown_unit(found, expected);
    let mut c = Compared {
        input: MoneyIn::Na,
        question: false,
        more: false,
        less: false,
        foreign: false,
        reference: expected.candidates().find(|m| m.unit == unit).or(expected.total),
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
    let question_expected = !total.unit.is_named();
    if !question_expected {
        let other = found
            .live
            .iter()
            .any(|(unit, _)| unit.is_named() && !expected.accepts(unit));
        c.foreign = other || named > 1;
        if c.foreign {
            c.input = MoneyIn::Cur;
            return c;
        }
    }
    c.question = if question_expected {
        named > 0
    } else {
        question_live
    };
    // Numbers without a unit compare only where both count the same: minor units, or major ones.
    let other_scale = question_expected
        && (if expected.minor {
            found.question_major
        } else {
            found.question_minor
        });
    if c.question || other_scale || found.live_without_amount {
        c.input = attr_or(MoneyIn::Nt);
        return c;
    }
    let live = found.live_in(unit).unwrap_or(Wide::ZERO);
    let mut same_unit = expected.candidates().filter(|m| m.unit == unit);
    c.input = if same_unit.any(|m| within(live, m, tolerance) == Some(true)) {
        attr_or(MoneyIn::Eq)
    } else {
        c.more = expected
            .candidates()
            .filter(|m| m.unit == unit)
            .all(|m| live > m.amount.wide());
        c.less = c.reference.is_some_and(|m| live < m.amount.wide());
        MoneyIn::Amt
    };
    c
}

/// The unit of what is live where there is only one, else the expected unit, else that of its rows.
fn shown_unit(found: &Found, expected: &Expected<'_>) -> Unit {
    let mut live = found.live.iter().map(|(unit, _)| unit);
    let first = live.next();
    let only = first.filter(|_| live.next().is_none() && found.net > 0);
    only.or(expected.total.map(|t| t.unit))
        .or(found.smallest.map(|m| m.unit))
        .or(first)
        .unwrap_or(Unit::NONE)
}

fn live_money(found: &Found, unit: Unit) -> Option<Money> {
    if unit == Unit::NONE || (found.net > 0 && (found.cannot_add() || found.live_without_amount)) {
        return None;
    }
    Some(Money::new(unit, narrow(found.live_in(unit)?)?))
}
