//! Money and other countable amounts: exact decimals with a unit, never a float, never converted
//! (`1-model.md` 1.2).
//!
//! An [`Amount`] keeps the decimals it was written with and is compared by value: `14` equals `14.0`.
//! [`Totals`] add them up per unit.

mod parse;
mod show;
#[cfg(test)]
mod tests;
mod totals;

pub use std::cmp::Ordering;
pub use std::hash::{Hash, Hasher};

pub use parse::{BadAmount, parse_decimal, parse_minor, parse_real, to_exponent};
pub use show::{grouped, plain};
pub use totals::{Total, Totals};

pub use super::units::Unit;

/// An exact decimal: `digits / 10^scale`. Equality, order and hash go by value.
#[derive(Clone, Copy, Debug)]
pub struct Amount {
    /// All digits without the point.
    pub digits: i64,
    /// How many of them stand after the point.
    pub scale: u8,
}

/// An amount of a unit. Equal only if the units are equal, whatever the amounts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Money {
    /// What is counted.
    pub unit: Unit,
    /// How much of it.
    pub amount: Amount,
}

/// An exact decimal with room for sums: `digits / 10^scale`. Equality, order and hash go by value.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    /// All digits without the point.
    pub digits: i128,
    /// How many of them stand after the point.
    pub scale: u8,
}

impl Amount {
    /// Nothing.
    pub const ZERO: Amount = Amount { digits: 0, scale: 0 };

    /// An amount of minor units of a currency with this exponent.
    pub const fn minor(digits: i64, exponent: u8) -> Amount {
        Amount { digits, scale: exponent }
    }

    /// Is it zero, however it was written?
    pub const fn is_zero(self) -> bool {
        self.digits == 0
    }

    /// Is it below zero?
    pub const fn is_negative(self) -> bool {
        self.digits < 0
    }

    /// The absolute amount, as a reversal written with a minus sign has it. `None` for `i64::MIN`.
    pub fn abs(self) -> Option<Amount> {
        self.digits.checked_abs().map(|digits| Amount { digits, ..self })
    }

    /// As a sum of one.
    pub fn wide(self) -> Wide {
        Wide { digits: i128::from(self.digits), scale: self.scale }
    }
}

impl Money {
    /// An amount of a unit.
    pub const fn new(unit: Unit, amount: Amount) -> Money {
        Money { unit, amount }
    }
}

/// `10^power`, if an `i128` holds it.
fn power_of_ten(power: u8) -> Option<i128> {
    10_i128.checked_pow(u32::from(power))
}

impl Wide {
    /// Nothing.
    pub const ZERO: Wide = Wide { digits: 0, scale: 0 };

    /// Is it zero?
    pub const fn is_zero(self) -> bool {
        self.digits == 0
    }

    /// Is it below zero?
    pub const fn is_negative(self) -> bool {
        self.digits < 0
    }

    /// The same value without zeros at the end of its decimals: one form for each value.
    #[must_use]
    pub fn normal(self) -> Wide {
        let Wide { mut digits, mut scale } = self;
        if digits == 0 {
            return Wide::ZERO;
        }
        while scale > 0 && digits % 10 == 0 {
            digits /= 10;
            scale -= 1;
        }
        Wide { digits, scale }
    }

    /// The digits at another scale, for instance the minor units of a currency. `None` if digits other than
    /// zero would be lost, or if it does not fit.
    pub fn at_scale(self, scale: u8) -> Option<i128> {
        // By far the most sums are of one scale, or begin at nothing.
        if scale == self.scale || self.digits == 0 {
            return Some(self.digits);
        }
        if scale >= self.scale {
            return match power_of_ten(scale - self.scale) {
                Some(factor) => self.digits.checked_mul(factor),
                None => self.is_zero().then_some(0),
            };
        }
        match power_of_ten(self.scale - scale) {
            Some(factor) => (self.digits % factor == 0).then(|| self.digits / factor),
            None => self.is_zero().then_some(0),
        }
    }

    /// The sum, or `None` where it does not fit.
    pub fn checked_add(self, other: Wide) -> Option<Wide> {
        self.aligned(other, i128::checked_add)
            .or_else(|| self.normal().aligned(other.normal(), i128::checked_add))
    }

    /// The difference, or `None` where it does not fit.
    pub fn checked_sub(self, other: Wide) -> Option<Wide> {
        self.aligned(other, i128::checked_sub)
            .or_else(|| self.normal().aligned(other.normal(), i128::checked_sub))
    }

    fn aligned(self, other: Wide, with: fn(i128, i128) -> Option<i128>) -> Option<Wide> {
        let scale = self.scale.max(other.scale);
        let digits = with(self.at_scale(scale)?, other.at_scale(scale)?)?;
        Some(Wide { digits, scale })
    }
}

impl From<Amount> for Wide {
    fn from(amount: Amount) -> Wide {
        amount.wide()
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Wide) -> Ordering {
        if self.scale == other.scale || self.digits.signum() != other.digits.signum() {
            return self.digits.cmp(&other.digits);
        }
        let scale = self.scale.max(other.scale);
        // Only the side with the smaller scale grows. If it does not fit, it is the larger magnitude.
        match (self.at_scale(scale), other.at_scale(scale)) {
            (Some(a), Some(b)) => a.cmp(&b),
            (None, _) => self.digits.cmp(&0),
            (_, None) => 0.cmp(&other.digits),
        }
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Wide) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Wide {
    fn eq(&self, other: &Wide) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Wide {}

impl Hash for Wide {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Wide { digits, scale } = self.normal();
        (digits, scale).hash(state);
    }
}

impl Ord for Amount {
    fn cmp(&self, other: &Amount) -> Ordering {
        if self.scale == other.scale {
            return self.digits.cmp(&other.digits);
        }
        self.wide().cmp(&other.wide())
    }
}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Amount) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Amount {
    fn eq(&self, other: &Amount) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Amount {}

impl Hash for Amount {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.wide().hash(state);
    }
}
