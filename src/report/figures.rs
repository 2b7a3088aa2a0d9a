//! Money, times and counts as text output has them (`7-commands.md` 7.5.6, `6-screens.md` 7.4.7): UTC with `Z`,
//! ordinary blanks, commas from 1,000 on.

use std::fmt::{self, Write as _};

use crate::model::money::{Money, Total, Totals, Wide, grouped};
use crate::model::time::{DAY, Instant, Micros, SECOND, iso, rfc3339};
use crate::model::units::{Unit, Units};
use crate::text::SafeText;

/// What stands where nothing is known.
pub const NOTHING: &str = "-";

/// Adds to a text.
pub fn add(to: &mut String, more: fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = to.write_fmt(more);
}

/// A text that holds data, safe to print.
pub fn safe(text: &str) -> String {
    SafeText::new(text).shown().into_owned()
}

/// An id, safe to print, so that two different ones never look alike.
pub fn safe_id(id: &str) -> String {
    SafeText::id(id).shown().into_owned()
}

/// `USD 200.00`.
pub fn money(units: &Units, money: Money) -> String {
    safe(&units.show(money))
}

/// The total of a unit with its name.
pub fn total(units: &Units, unit: Unit, total: Total) -> String {
    safe(&units.show_total(unit, total))
}

/// Totals in the order in which units are shown.
pub fn sorted(units: &Units, totals: &Totals) -> Vec<(Unit, Total)> {
    let mut all: Vec<(Unit, Total)> = totals.iter().collect();
    all.sort_by(|a, b| units.by_text(a.0, b.0));
    all
}

/// Every total that is not zero: `USD 400.00, EUR 12.50`; empty where all are.
pub fn totals(units: &Units, totals: &Totals) -> String {
    let named = sorted(units, totals).into_iter().filter(|(_, t)| !t.is_zero());
    named.map(|(unit, t)| total(units, unit, t)).collect::<Vec<_>>().join(", ")
}

/// Several amounts: `USD 200.00, EUR 12.50`; `-` for none.
pub fn amounts(units: &Units, amounts: &[Money]) -> String {
    if amounts.is_empty() {
        return NOTHING.to_owned();
    }
    amounts.iter().map(|m| money(units, *m)).collect::<Vec<_>>().join(", ")
}

/// A number without its unit, for machines: `-200.00`; empty where it is unreadable.
pub fn plain(units: &Units, unit: Unit, total: Total) -> String {
    total.exact().map_or_else(String::new, |sum| units.plain_number(unit, sum))
}

/// A number without its unit, for people: `6,531.30`; the word `unreadable` where it is.
pub fn plain_number(units: &Units, unit: Unit, total: Total) -> String {
    total.exact().map_or_else(|| "unreadable".to_owned(), |sum| units.number(unit, sum))
}

/// The plain number of an amount.
pub fn plain_money(units: &Units, money: Money) -> String {
    units.plain_number(money.unit, Wide::from(money.amount))
}

/// Commas from 1,000 on.
pub fn count(number: u64) -> String {
    grouped(i128::from(number), 0)
}

/// `1 row`, `2 rows`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// A moment to the second: `09:13:58Z` on the day of `now`, else with its date.
pub fn when(at: Micros, now: Micros) -> String {
    let whole = whole_second(at);
    let text = rfc3339(whole);
    let same_day = !now.is_none() && whole.0.div_euclid(DAY) == now.0.div_euclid(DAY);
    match text.split_once('T') {
        Some((_, time)) if same_day => time.to_owned(),
        _ => text,
    }
}

/// As [`when`], without the year where it is that of `now`: `11-27T17:20:00Z` (`4-sources.md` 4.16).
pub fn when_short(at: Micros, now: Micros) -> String {
    let text = when(at, now);
    let year = rfc3339(now);
    let same = text.split_once('-').zip(year.split_once('-')).filter(|((a, _), (b, _))| a == b);
    same.map_or(text.clone(), |((_, rest), _)| rest.to_owned())
}

/// A moment to the second with its date.
pub fn full(at: Micros) -> String {
    rfc3339(whole_second(at))
}

/// An instant with as many decimals as its clock has; the date is left out on the day of `now`.
pub fn instant(instant: Instant, now: Micros) -> String {
    if instant.is_none() {
        return "no time".to_owned();
    }
    let text = iso(instant);
    let today = !now.is_none() && instant.at.0.div_euclid(DAY) == now.0.div_euclid(DAY);
    match text.split_once('T') {
        Some((_, time)) if today => time.to_owned(),
        _ => text,
    }
}

/// A place as machines and `check` have it: `payments.db refunds rowid 48190` for `payments.db, table refunds, row 48190`.
pub fn place(at: &str) -> String {
    let parts = at.split_once(", table ").and_then(|(file, rest)| {
        let (table, row) = rest.rsplit_once(", row ")?;
        Some(format!("{file} {table} rowid {row}"))
    });
    parts.unwrap_or_else(|| at.to_owned())
}

fn whole_second(at: Micros) -> Micros {
    if at.is_none() { at } else { Micros(at.0.div_euclid(SECOND) * SECOND) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::time::{Zone, parse_time};

    fn at(text: &str) -> Micros {
        parse_time(text, &Zone::Utc).at
    }

    #[test]
    fn the_date_is_said_where_it_is_another() {
        let now = at("2026-11-30T09:14:07Z");
        assert_eq!(when(at("2026-11-30T09:13:58.75Z"), now), "09:13:58Z");
        assert_eq!(when(at("2026-11-30T00:00:00Z"), now), "00:00:00Z");
        assert_eq!(when(at("2026-11-29T23:59:59Z"), now), "2026-11-29T23:59:59Z");
        assert_eq!(when_short(at("2026-11-27T17:20:00Z"), now), "11-27T17:20:00Z");
        assert_eq!(when_short(at("2025-11-27T17:20:00Z"), now), "2025-11-27T17:20:00Z");
        assert_eq!(when_short(at("2026-11-30T09:13:51Z"), now), "09:13:51Z");
        assert_eq!(full(at("2026-11-30T09:13:58.75Z")), "2026-11-30T09:13:58Z");
    }

    #[test]
    fn places_of_databases_name_table_and_rowid() {
        assert_eq!(place("payments.db, table refunds, row 48190"), "payments.db refunds rowid 48190");
        assert_eq!(place("trace.jsonl line 17"), "trace.jsonl line 17");
    }

    #[test]
    fn totals_leave_zero_out_and_are_never_added() {
        let mut units = Units::default();
        let (usd, eur, credits) = (units.intern("usd"), units.intern("EUR"), units.intern("credits\u{1b}"));
        let mut sum = Totals::default();
        sum.add(units.from_minor(usd, 653_130));
        sum.ensure(eur);
        assert_eq!(totals(&units, &sum), "USD 6,531.30");
        sum.add(units.from_minor(credits, 12));
        assert_eq!(totals(&units, &sum), "USD 6,531.30, 12 credits\\x1b");
        assert_eq!(amounts(&units, &[]), "-");
        assert_eq!(plain(&units, usd, sum.get(usd).unwrap()), "6531.30");
        assert_eq!(counted(1, "row", "rows"), "1 row");
        assert_eq!(counted(4980, "row", "rows"), "4,980 rows");
    }
}
