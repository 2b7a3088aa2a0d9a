//! Machine output (`7-commands.md` 7.5.7): one file per object, members in the order of the specification.
//!
//! Members are added behind those of the specification where more is known; none is renamed or left out.

mod check;
mod intent;
mod list;
mod sniff;
mod sources;
#[cfg(test)]
mod tests;

use crate::model::money::{Money, Total, Totals, Wide};
use crate::model::time::{Instant, Micros, rfc3339};
use crate::model::units::{Unit, Units};

use super::mask::Mask;
use super::pen::Pen;

pub use check::{check, orphan, problem, summary_line, wanted_orphans};
pub(super) use check::{head as check_head, problem_members};
pub(super) use intent::whole as intent_object;
pub use intent::{intent, intent_line};
pub use list::{line as list_line, list, members as list_members};
pub use sniff::sniff;
pub use sources::{array as source_array, sources};

/// An amount: `{"currency","minor"}`, or `{"unit","decimal"}` for units outside ISO 4217 and what has no whole minor
/// units; `?` where the currency is not known.
fn money(pen: &mut Pen, units: &Units, money: Money) {
    sum(pen, units, money.unit, Wide::from(money.amount));
}

fn sum(pen: &mut Pen, units: &Units, unit: Unit, sum: Wide) {
    let minor = if unit.is_iso() { units.minor(unit, sum) } else { None };
    pen.object(|pen| {
        if let Some(minor) = minor {
            pen.name("currency").text(units.text(unit));
            pen.name("minor").number(minor);
        } else {
            pen.name("unit").text(if unit == Unit::NONE { "?" } else { units.text(unit) });
            pen.name("decimal").text(&units.plain_number(unit, sum));
        }
    });
}

/// An amount or null.
fn money_or_null(pen: &mut Pen, units: &Units, amount: Option<Money>) {
    match amount {
        Some(amount) => money(pen, units, amount),
        None => pen.null(),
    }
}

/// Totals in the order of their units; an unreadable one is null.
fn totals(pen: &mut Pen, units: &Units, totals: &Totals) {
    pen.each(super::figures::sorted(units, totals), |pen, (unit, total)| match total {
        Total::Exact(exact) => sum(pen, units, unit, exact),
        Total::Overflow => pen.null(),
    });
}

/// Totals that are not zero.
fn totals_named(pen: &mut Pen, units: &Units, all: &Totals) {
    let named = super::figures::sorted(units, all).into_iter().filter(|(_, t)| !t.is_zero());
    pen.each(named, |pen, (unit, total)| match total {
        Total::Exact(exact) => sum(pen, units, unit, exact),
        Total::Overflow => pen.null(),
    });
}

/// A list of amounts.
pub(super) fn amounts(pen: &mut Pen, units: &Units, amounts: &[Money]) {
    pen.each(amounts, |pen, amount| money(pen, units, *amount));
}

/// A moment in UTC, or null.
fn time(pen: &mut Pen, at: Micros) {
    if at.is_none() || at == Micros::FOREVER {
        pen.null();
    } else {
        pen.text(&rfc3339(at));
    }
}

/// A moment that may not be known.
fn maybe_time(pen: &mut Pen, at: Option<Micros>) {
    time(pen, at.unwrap_or(Micros::NONE));
}

/// An instant as the text read as UTC, or null.
fn instant(pen: &mut Pen, instant: Instant) {
    time(pen, if instant.is_none() { Micros::NONE } else { instant.at });
}

/// An id column, or null.
fn id(pen: &mut Pen, mask: &Mask, id: &str) {
    pen.text_or_null(&mask.id(id));
}

/// Free text.
fn free(pen: &mut Pen, mask: &Mask, text: &str) {
    pen.text(&mask.text(&crate::judge::story::phrase::plain(text)));
}
