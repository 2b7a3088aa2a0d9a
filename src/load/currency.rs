//! After reading: amounts whose meaning needs a look at a whole source (`1-model.md` 1.2, 1.4.5).

use crate::model::money::{Amount, BadAmount, Total, Wide, plain, to_exponent};
use crate::model::row::{Effect, SourceNo, attempt_flag, effect_flag, record_flag};
use crate::model::units::{Unit, Units};
use crate::sources::spec::What;

use super::run::Run;
use super::slice::{BadRow, Tally};

/// What was assumed for a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Assumed {
    /// The unit of amounts without one.
    pub unit: Option<Unit>,
    /// All its amounts are negative and were read as effects.
    pub negative_effects: bool,
}

/// Units that amounts of a source name.
#[derive(Clone, Debug, Default)]
struct Named {
    units: Vec<Unit>,
    none: bool,
}

impl Named {
    fn take(&mut self, unit: Unit) {
        if unit == Unit::NONE {
            self.none = true;
        } else if !self.units.contains(&unit) {
            self.units.push(unit);
        }
    }
}

/// Gives every amount a unit: the only one of the other side, marked assumed, else `?`. Says what was assumed.
pub fn settle(
    runs: &mut [Run],
    units: &Units,
    whats: &[What],
    tallies: &mut [Tally],
    bad_rows: &mut Vec<BadRow>,
) -> Vec<Assumed> {
    let named: Vec<Named> = tallies
        .iter()
        .map(|t| {
            let mut named = Named::default();
            t.units.iter().for_each(|u| named.take(*u));
            named
        })
        .collect();
    let negative: Vec<bool> = tallies.iter().map(|t| t.negative > 0).collect();
    let side = |ledger: bool| {
        let mut units: Vec<Unit> = Vec::new();
        for (n, what) in named.iter().zip(whats) {
            if (*what == What::Ledger) == ledger {
                units.extend(n.units.iter().filter(|u| **u != Unit::UNKNOWN));
            }
        }
        units.sort_unstable();
        units.dedup();
        units
    };
    let (tried, held) = (side(false), side(true));
    let assumed: Vec<Assumed> = named
        .iter()
        .zip(whats)
        .enumerate()
        .map(|(no, (n, what))| {
            let other = if *what == What::Ledger { &tried } else { &held };
            let unit = match other.as_slice() {
                [only] => *only,
                _ => Unit::UNKNOWN,
            };
            let all_negative = negative.get(no).copied().unwrap_or(false)
                && tallies.get(no).is_some_and(|t| t.positive == 0);
            Assumed { unit: n.none.then_some(unit), negative_effects: all_negative }
        })
        .collect();
    for (tally, unit) in tallies.iter_mut().zip(assumed.iter().map(|a| a.unit)) {
        if let Some(unit) = unit {
            name_totals(tally, unit, units.exponent(unit));
        }
    }
    let no_units = assumed.iter().all(|a| a.unit.is_none());
    if no_units && !negative.iter().any(|n| *n) {
        return assumed;
    }
    let of = |source: SourceNo| assumed.get(usize::from(source.0)).copied().unwrap_or_default();
    for run in runs.iter_mut() {
        for row in
            run.attempts.all_mut().iter_mut().filter(|a| a.unit == Unit::NONE && a.is(attempt_flag::AMOUNT))
        {
            let unit = of(row.at.source()).unit.unwrap_or(Unit::UNKNOWN);
            let amount = Amount { digits: row.amount, scale: row.scale };
            row.unit = unit;
            match rescale(amount, unit, units, row.flags & attempt_flag::MINOR != 0) {
                Ok(amount) => (row.amount, row.scale) = (amount.digits, amount.scale),
                Err(_) => row.flags = row.flags & !attempt_flag::AMOUNT | attempt_flag::AMOUNT_BAD,
            }
        }
        for row in run
            .records
            .all_mut()
            .iter_mut()
            .filter(|r| r.unit == Unit::NONE && r.flags & record_flag::TOTAL != 0)
        {
            let unit = of(row.at.source()).unit.unwrap_or(Unit::UNKNOWN);
            let amount = Amount { digits: row.amount, scale: row.scale };
            row.unit = unit;
            if let Ok(amount) = rescale(amount, unit, units, row.flags & record_flag::MINOR != 0) {
                (row.amount, row.scale) = (amount.digits, amount.scale);
            }
        }
        for row in run.effects.all_mut().iter_mut().filter(|e| e.is(effect_flag::AMOUNT)) {
            let assumed = of(row.at.source());
            if row.is(effect_flag::NEGATIVE) {
                row.flags &= !effect_flag::NEGATIVE;
                if !assumed.negative_effects {
                    row.flags = row.flags & !effect_flag::AMOUNT | effect_flag::AMOUNT_BAD;
                    bad_rows.push(BadRow { at: row.at, text: written(row, true), bad: BadAmount::Negative });
                    continue;
                }
            }
            if row.unit != Unit::NONE {
                continue;
            }
            let unit = assumed.unit.unwrap_or(Unit::UNKNOWN);
            let amount = Amount { digits: row.amount, scale: row.scale };
            row.unit = unit;
            match rescale(amount, unit, units, row.is(effect_flag::MINOR)) {
                Ok(amount) => (row.amount, row.scale) = (amount.digits, amount.scale),
                Err(bad) => {
                    row.flags = row.flags & !effect_flag::AMOUNT | effect_flag::AMOUNT_BAD;
                    bad_rows.push(BadRow { at: row.at, text: written(row, false), bad });
                }
            }
        }
    }
    assumed
}

/// An amount as it was written, as far as the row still knows.
fn written(row: &Effect, negative: bool) -> String {
    let digits = i128::from(row.amount) * if negative { -1 } else { 1 };
    plain(digits, row.scale)
}

/// Control totals of amounts without a currency stand in the unit that is taken for it.
fn name_totals(tally: &mut Tally, unit: Unit, exponent: Option<u8>) {
    let major = |sum: Wide| {
        let digits = exponent.and_then(|e| sum.at_scale(e));
        digits.zip(exponent).map_or(sum, |(digits, scale)| Wide { digits, scale })
    };
    let minor = |sum: Wide| Wide { scale: exponent.unwrap_or(0), ..sum };
    let majors = tally.totals.take(Unit::NONE).map(|t| t.exact().map_or(t, |sum| Total::Exact(major(sum))));
    let counted = tally.by_unit.iter().position(|(known, _)| *known == Unit::NONE);
    if let Some((_, rows)) = counted.map(|at| tally.by_unit.swap_remove(at)) {
        tally.count_unit(unit, rows);
    }
    let minors = tally.minors.take(Unit::NONE).map(|t| t.exact().map_or(t, |sum| Total::Exact(minor(sum))));
    for total in majors.into_iter().chain(minors) {
        tally.totals.add_total(unit, total);
    }
}

fn rescale(amount: Amount, unit: Unit, units: &Units, minor: bool) -> Result<Amount, BadAmount> {
    match units.exponent(unit) {
        Some(exponent) if minor => Ok(Amount { digits: amount.digits, scale: exponent }),
        Some(exponent) => to_exponent(amount, exponent),
        None => Ok(amount),
    }
}
