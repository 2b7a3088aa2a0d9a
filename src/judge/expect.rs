//! What is intended: count range and total, from a file, a record, or the calls (`1-model.md` 1.1, 1.4.11).

use crate::model::money::{Amount, Money, Wide};
use crate::model::row::{Record, State, attempt_flag, record_flag};
use crate::model::units::Unit;

use super::calls::Calls;
use super::facts::Facts;
use super::judgement::ExpectedFrom;

/// The expectation of one intent.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// Least number of effects.
    pub min: u32,
    /// Most effects.
    pub max: u32,
    /// Total of all of them.
    pub total: Option<Money>,
    /// The total counts minor units of a unit that is not known.
    pub minor: bool,
    /// Other totals that count as right.
    pub accept: &'a [Money],
    /// Where it comes from.
    pub from: ExpectedFrom,
    /// No total is expected because the amounts of the calls differ (`AMOUNT_CHANGED`).
    pub changed: bool,
    /// Record and file differ (`EXPECTATION_DIFFERS`).
    pub differs: bool,
}

/// An amount with its unit; a number without one has the unit `?`.
pub fn money(unit: Unit, amount: Amount) -> Money {
    Money::new(if unit == Unit::NONE { Unit::UNKNOWN } else { unit }, amount)
}

/// A sum as an amount, where it fits.
pub fn narrow(sum: Wide) -> Option<Amount> {
    let fits = |sum: Wide| Some(Amount { digits: i64::try_from(sum.digits).ok()?, scale: sum.scale });
    fits(sum).or_else(|| fits(sum.normal()))
}

/// A total and whether it counts minor units.
fn total_of(record: &Record) -> Option<(Money, bool)> {
    (record.flags & record_flag::TOTAL != 0).then(|| {
        let amount = Amount { digits: record.amount, scale: record.scale };
        (money(record.unit, amount), record.flags & record_flag::MINOR != 0)
    })
}

/// A count range, where one was given.
fn count_of(record: &Record) -> Option<(u32, u32)> {
    (record.flags & record_flag::COUNT != 0).then_some((record.min, record.max.max(record.min)))
}

fn differ<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a != b)
}

impl<'a> Expected<'a> {
    /// The file wins over the record, field by field; what neither gives is assumed.
    pub fn of(facts: &Facts<'a>, calls: Calls<'_>) -> Self {
        let from = match (facts.file, facts.record) {
            (Some(_), _) => ExpectedFrom::File,
            (None, Some(_)) => ExpectedFrom::Record,
            (None, None) => ExpectedFrom::Assumed,
        };
        let given = |field: Option<&Record>| field.and_then(total_of);
        let (min, max) =
            facts.file.and_then(count_of).or_else(|| facts.record.and_then(count_of)).unwrap_or((1, 1));
        let given = given(facts.file)
            .or_else(|| given(facts.record))
            .or_else(|| facts.accept.first().map(|m| (*m, false)));
        let (assumed, changed) =
            if given.is_some() || max == 0 { (None, false) } else { assume(calls, min, max) };
        let differs = match (facts.file, facts.record) {
            (Some(file), Some(record)) => {
                differ(count_of(file), count_of(record)) || differ(total_of(file), total_of(record))
            }
            _ => false,
        };
        let total = given.or(assumed);
        Self {
            min,
            max,
            total: total.map(|(total, _)| total),
            minor: total.is_some_and(|(_, minor)| minor),
            accept: facts.accept,
            from,
            changed,
            differs: differs || facts.ties.expectation_differs,
        }
    }

    /// The range that counts now: nothing while the state is failed, unless a file says what must be true in the
    /// end.
    pub fn effective(&self, state: Option<State>) -> (u32, u32) {
        if state == Some(State::Failed) && self.from != ExpectedFrom::File {
            (0, 0)
        } else {
            (self.min, self.max)
        }
    }

    /// A total that is compared: one is expected and it is not 0.
    pub fn compared(&self) -> Option<Money> {
        self.total.filter(|total| !total.amount.is_zero())
    }

    /// A unit that is accepted.
    pub fn accepts(&self, unit: Unit) -> bool {
        self.total.is_some_and(|t| t.unit == unit) || self.accept.iter().any(|t| t.unit == unit)
    }

    /// The accepted total of a unit, the expected one first; where there is none, the expected one.
    pub fn reference(&self, unit: Unit) -> Option<Money> {
        match self.total {
            Some(total) if total.unit == unit => Some(total),
            total => self.accept.iter().copied().find(|m| m.unit == unit).or(total),
        }
    }

    /// The totals that count as right, the expected one first.
    pub fn candidates(&self) -> impl Iterator<Item = Money> {
        self.total.into_iter().chain(self.accept.iter().copied())
    }
}

/// The amount and unit on which all calls agree that may have acted. For several effects of one fixed number it is
/// the amount of each of them; for a range none is assumed.
fn assume(calls: Calls<'_>, min: u32, max: u32) -> (Option<(Money, bool)>, bool) {
    let mut agreed: Option<(Money, bool)> = None;
    let mut bad = false;
    for call in calls.iter().filter(|c| c.class.may_have_acted()) {
        let row = &call.attempt.row;
        bad |= row.is(attempt_flag::AMOUNT_BAD);
        let Some(amount) = row.amount() else { continue };
        let next = (money(row.unit, amount), row.is(attempt_flag::MINOR));
        match agreed {
            None => agreed = Some(next),
            Some(same) if same == next => {}
            Some(_) => return (None, true),
        }
    }
    let each = agreed.filter(|_| !bad && min == max);
    let total = each.and_then(|(one, minor)| {
        let digits = one.amount.digits.checked_mul(i64::from(max))?;
        Some((Money::new(one.unit, Amount { digits, ..one.amount }), minor))
    });
    (total, false)
}
