//! Totals per unit. Units are never added to each other, and a sum that does not fit is unreadable, never
//! wrapped (`1-model.md` 1.2).

use std::cmp::Ordering;

use super::{Money, Wide};
use crate::model::units::Unit;

/// The total of one unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Total {
    /// The exact sum.
    Exact(Wide),
    /// The sum does not fit: unreadable (overflow). It stays so, whatever is added or taken away.
    Overflow,
}

impl Total {
    /// Nothing.
    pub const ZERO: Total = Total::Exact(Wide::ZERO);

    /// The sum, if it is readable.
    pub fn exact(self) -> Option<Wide> {
        match self {
            Total::Exact(sum) => Some(sum),
            Total::Overflow => None,
        }
    }

    /// Is it exactly zero?
    pub fn is_zero(self) -> bool {
        self.exact().is_some_and(Wide::is_zero)
    }

    /// How it compares with an amount of the same unit; `None` where it is unreadable.
    pub fn compare(self, with: impl Into<Wide>) -> Option<Ordering> {
        self.exact().map(|sum| sum.cmp(&with.into()))
    }

    fn with(self, other: Total, op: fn(Wide, Wide) -> Option<Wide>) -> Total {
        match (self, other) {
            (Total::Exact(a), Total::Exact(b)) => op(a, b).map_or(Total::Overflow, Total::Exact),
            _ => Total::Overflow,
        }
    }
}

/// A map from unit to total, sorted by unit. Nearly all intents have one unit: that one needs no allocation.
///
/// Two maps are equal when they name the same units with equal totals; a unit with 0 is not an absent unit.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Totals {
    /// The smallest unit. Where it is `None`, `more` is empty.
    first: Option<(Unit, Total)>,
    /// The other units, sorted.
    more: Vec<(Unit, Total)>,
}

impl Totals {
    /// Adds an amount to the total of its unit.
    pub fn add(&mut self, money: Money) {
        self.change(money.unit, Total::Exact(money.amount.wide()), Wide::checked_add);
    }

    /// Takes an amount from the total of its unit, which may go below zero.
    pub fn sub(&mut self, money: Money) {
        self.change(money.unit, Total::Exact(money.amount.wide()), Wide::checked_sub);
    }

    /// Adds a sum to the total of a unit.
    pub fn add_total(&mut self, unit: Unit, total: Total) {
        self.change(unit, total, Wide::checked_add);
    }

    /// Takes a unit out, with its total.
    pub fn take(&mut self, unit: Unit) -> Option<Total> {
        if self.first.is_some_and(|(first, _)| first == unit) {
            let taken = self.first.take();
            if !self.more.is_empty() {
                self.first = Some(self.more.remove(0));
            }
            return taken.map(|(_, total)| total);
        }
        let at = self.more.binary_search_by_key(&unit, |(of, _)| *of).ok()?;
        Some(self.more.remove(at).1)
    }

    /// Adds every total of another map.
    pub fn merge(&mut self, other: &Totals) {
        for (unit, total) in other.iter() {
            self.change(unit, total, Wide::checked_add);
        }
    }

    /// Names a unit, with 0 where nothing is: the expected unit is always in a total.
    pub fn ensure(&mut self, unit: Unit) {
        self.slot(unit);
    }

    /// The total of a unit, if anything of it was named.
    pub fn get(&self, unit: Unit) -> Option<Total> {
        self.iter().find(|(of, _)| *of == unit).map(|(_, total)| total)
    }

    /// Every unit with its total, sorted by unit. For showing, sort by `Units::by_text`.
    pub fn iter(&self) -> impl Iterator<Item = (Unit, Total)> + '_ {
        self.first.iter().chain(&self.more).copied()
    }

    /// How many units are named.
    pub fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.more.len()
    }

    /// Is no unit named?
    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// What is there beyond the expected amount, unit by unit; the expected unit is always in it. Without an
    /// expected amount nothing is taken away.
    #[must_use]
    pub fn difference(&self, expected: Option<Money>) -> Totals {
        let mut rest = self.clone();
        if let Some(money) = expected {
            rest.sub(money);
        }
        rest
    }

    fn change(&mut self, unit: Unit, by: Total, op: fn(Wide, Wide) -> Option<Wide>) {
        let slot = self.slot(unit);
        // Amounts of units that could not be told apart have no sum.
        *slot = if unit == Unit::TOO_MANY { Total::Overflow } else { slot.with(by, op) };
    }

    /// The total of a unit, made 0 if it is new. Keeps the order.
    fn slot(&mut self, unit: Unit) -> &mut Total {
        let smallest = self.first.map(|(first, _)| first);
        if smallest.is_none_or(|first| unit < first) {
            if let Some(old) = self.first.take() {
                self.more.insert(0, old);
            }
        } else if smallest != Some(unit) {
            let at = match self.more.binary_search_by_key(&unit, |(of, _)| *of) {
                Ok(at) => at,
                Err(at) => {
                    self.more.insert(at, (unit, Total::ZERO));
                    at
                }
            };
            return &mut self.more[at].1;
        }
        &mut self.first.get_or_insert((unit, Total::ZERO)).1
    }
}
