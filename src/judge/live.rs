//! What is live, by unit. Nearly every intent has one unit in one scale: that one is a plain sum; anything else goes
//! to [`Totals`].

use crate::model::money::{Amount, Money, Total, Totals, Wide};
use crate::model::units::Unit;

/// Sums of what is live, by unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Live {
    /// The only sum so far.
    only: Option<Money>,
    /// All sums, where one plain sum does not do.
    several: Totals,
}

impl Live {
    /// Adds an amount.
    pub fn add(&mut self, unit: Unit, amount: Amount) {
        let money = Money::new(unit, amount);
        if self.several.is_empty() && unit != Unit::TOO_MANY {
            let Some(only) = &mut self.only else {
                self.only = Some(money);
                return;
            };
            let same = only.unit == unit && only.amount.scale == amount.scale;
            if same && let Some(digits) = only.amount.digits.checked_add(amount.digits) {
                only.amount.digits = digits;
                return;
            }
        }
        if let Some(only) = self.only.take() {
            self.several.add(only);
        }
        self.several.add(money);
    }

    /// The sum, where there is one unit.
    pub fn only(&self) -> Option<Money> {
        self.only
    }

    /// Every unit with its sum.
    pub fn iter(&self) -> impl Iterator<Item = (Unit, Total)> {
        let only = self.only.map(|m| (m.unit, Total::Exact(m.amount.wide())));
        only.into_iter().chain(self.several.iter())
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        usize::from(self.only.is_some()) + self.several.len()
    }

    /// Nothing was added.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sum of a unit, 0 where nothing is; `None` where it does not fit.
    pub fn sum(&self, unit: Unit) -> Option<Wide> {
        match self.only {
            Some(only) if only.unit == unit => Some(only.amount.wide()),
            Some(_) => Some(Wide::ZERO),
            None => self.several.get(unit).unwrap_or(Total::ZERO).exact(),
        }
    }

    /// A sum does not fit.
    pub fn overflows(&self) -> bool {
        self.several.iter().any(|(_, total)| total == Total::Overflow)
    }

    /// All sums as totals.
    pub fn totals(&self) -> Totals {
        let mut totals = self.several.clone();
        if let Some(only) = self.only {
            totals.add(only);
        }
        totals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::units::iso;

    #[test]
    fn one_plain_sum_and_the_totals_say_the_same() {
        let (usd, eur) = (iso("USD").unwrap(), iso("EUR").unwrap());
        let steps = [
            (usd, Amount::minor(20_000, 2)),
            (usd, Amount::minor(-5_000, 2)),
            (usd, Amount::minor(i64::MAX, 2)),
            (usd, Amount::minor(7, 0)),
            (eur, Amount::minor(1, 2)),
            (Unit::TOO_MANY, Amount::minor(1, 0)),
        ];
        let (mut live, mut totals) = (Live::default(), Totals::default());
        for (unit, amount) in steps {
            live.add(unit, amount);
            totals.add(Money::new(unit, amount));
            assert_eq!(live.totals(), totals);
            assert!(live.iter().eq(totals.iter()));
            assert_eq!((live.len(), live.is_empty()), (totals.len(), false));
            for unit in [usd, eur] {
                assert_eq!(live.sum(unit), totals.get(unit).unwrap_or(Total::ZERO).exact());
            }
        }
        assert!(live.overflows() && live.only().is_none());
    }
}
