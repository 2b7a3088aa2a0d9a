//! Amounts as text: for people with thousands, for machines without (`6-screens.md` 7.4.7, `1-model.md` 1.2).

use super::{Amount, Money, Total, Wide};
use crate::model::units::{Unit, Units};

/// Digits with a point before the last `scale` of them: `200.00`, `-0.05`, `14.0`.
pub fn plain(digits: i128, scale: u8) -> String {
    write(digits, scale, false)
}

/// As [`plain`], with commas between thousands: `6,531.30`.
pub fn grouped(digits: i128, scale: u8) -> String {
    write(digits, scale, true)
}

fn write(digits: i128, scale: u8, commas: bool) -> String {
    let scale = usize::from(scale);
    // At least one digit stands before the point.
    let text = format!("{:0>width$}", digits.unsigned_abs(), width = scale + 1);
    let whole = text.len() - scale;
    let mut out = String::with_capacity(text.len() + whole / 3 + 2);
    if digits < 0 {
        out.push('-');
    }
    for (at, digit) in text.chars().enumerate() {
        if at == whole {
            out.push('.');
        } else if commas && at > 0 && at < whole && (whole - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

impl Units {
    /// Money as a person reads it: `USD 6,531.30`, `JPY 20,000`; other units behind the number, `120 credits`;
    /// `200.00 ?` where the unit is unknown, the number alone where none was given.
    ///
    /// The name of a unit outside ISO 4217 is text from outside.
    pub fn show(&self, money: Money) -> String {
        self.show_wide(money.unit, money.amount.wide())
    }

    /// As [`Units::show`], for a sum.
    pub fn show_wide(&self, unit: Unit, sum: Wide) -> String {
        self.around(unit, &self.number(unit, sum))
    }

    /// As [`Units::show`], for a total; one that does not fit is the word `unreadable`.
    pub fn show_total(&self, unit: Unit, total: Total) -> String {
        match total {
            Total::Exact(sum) => self.show_wide(unit, sum),
            Total::Overflow => self.around(unit, "unreadable"),
        }
    }

    /// The number alone, with as many decimals as the currency has: `6,531.30`. More only if they are not zero,
    /// for units without an exponent as written.
    pub fn number(&self, unit: Unit, sum: Wide) -> String {
        let Wide { digits, scale } = self.at_exponent(unit, sum);
        grouped(digits, scale)
    }

    /// The number alone for machines: as [`Units::number`], without commas.
    pub fn plain_number(&self, unit: Unit, sum: Wide) -> String {
        let Wide { digits, scale } = self.at_exponent(unit, sum);
        plain(digits, scale)
    }

    /// Whole minor units, where the unit has an exponent and the value no digits beyond it (JSON field `minor`).
    pub fn minor(&self, unit: Unit, sum: Wide) -> Option<i128> {
        sum.at_scale(self.exponent(unit)?)
    }

    /// An amount of minor units of a currency; of one of a unit without an exponent the number as it stands.
    pub fn from_minor(&self, unit: Unit, digits: i64) -> Money {
        Money { unit, amount: Amount::minor(digits, self.exponent(unit).unwrap_or_default()) }
    }

    fn at_exponent(&self, unit: Unit, sum: Wide) -> Wide {
        let Some(exponent) = self.exponent(unit) else {
            return sum;
        };
        let scale = exponent.max(sum.normal().scale);
        sum.at_scale(scale).map_or(sum, |digits| Wide { digits, scale })
    }

    fn around(&self, unit: Unit, number: &str) -> String {
        let text = self.text(unit);
        if unit.is_iso() {
            format!("{text} {number}")
        } else if text.is_empty() {
            number.to_owned()
        } else {
            format!("{number} {text}")
        }
    }
}
