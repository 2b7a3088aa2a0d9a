//! Every rule and every bad input of `1-model.md` 1.2, and properties against an oracle on text.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::model::units::{Units, iso};

fn amount(digits: i64, scale: u8) -> Amount {
    Amount { digits, scale }
}

fn exact(digits: i128, scale: u8) -> Total {
    Total::Exact(Wide { digits, scale })
}

/// Digits and scale as they are, not by value.
fn read(raw: &str) -> Result<(i64, u8), BadAmount> {
    parse_decimal(raw).map(|amount| (amount.digits, amount.scale))
}

fn usd(digits: i64) -> Money {
    Money::new(iso("USD").unwrap(), amount(digits, 2))
}

#[test]
fn decimals_keep_what_is_written() {
    let table: [(&str, i64, u8); 30] = [
        ("0", 0, 0),
        ("14", 14, 0),
        ("14.0", 140, 1),
        ("200.00", 20_000, 2),
        ("-200.00", -20_000, 2),
        ("-0.05", -5, 2),
        ("-0", 0, 0),
        ("-0.00", 0, 2),
        ("0.1", 1, 1),
        ("007.50", 750, 2),
        ("12.345", 12_345, 3),
        ("2e2", 200, 0),
        ("2E+2", 200, 0),
        ("2e-2", 2, 2),
        ("2.50e1", 250, 1),
        ("2.5e3", 2_500, 0),
        ("-1.0e-3", -10, 4),
        ("0e400", 0, 0),
        ("0.00e-400", 0, 18),
        ("1e17", 100_000_000_000_000_000, 0),
        ("999999999999999999", 999_999_999_999_999_999, 0),
        ("-999999999999999999", -999_999_999_999_999_999, 0),
        ("9999999999999999.99", 999_999_999_999_999_999, 2),
        ("0.000000000000000001", 1, 18),
        ("0000000000000000000000200.00", 20_000, 2),
        // PostgreSQL prints a numeric(38,18) like this; the value is exactly 200.
        ("200.000000000000000000", 200_000_000_000_000_000, 15),
        ("200.050000000000000000000", 200_050_000_000_000_000, 15),
        ("1000000000000000.000000", 100_000_000_000_000_000, 2),
        ("10000000000000000e-16", 10_000_000_000_000_000, 16),
        ("1.00000000000000000000", 100_000_000_000_000_000, 17),
    ];
    for (raw, digits, scale) in table {
        assert_eq!(read(raw), Ok((digits, scale)), "{raw}");
    }
}

#[test]
fn what_is_not_a_decimal_is_refused_with_its_reason() {
    let table: [(&str, BadAmount); 45] = [
        ("", BadAmount::Empty),
        (" ", BadAmount::Blank),
        (" 200", BadAmount::Blank),
        ("200 ", BadAmount::Blank),
        ("1 000.00", BadAmount::Blank),
        ("1\u{a0}000", BadAmount::Blank),
        ("200\n", BadAmount::Blank),
        ("USD 200", BadAmount::Blank),
        ("+200", BadAmount::Plus),
        ("1,000.00", BadAmount::Separator),
        ("200,00", BadAmount::Separator),
        ("1_000", BadAmount::Separator),
        ("1'000", BadAmount::Separator),
        ("1.000.000", BadAmount::Separator),
        ("-1,000.00", BadAmount::Separator),
        (".", BadAmount::NotDecimal),
        ("-", BadAmount::NotDecimal),
        ("-.", BadAmount::NotDecimal),
        (".5", BadAmount::NotDecimal),
        ("5.", BadAmount::NotDecimal),
        (",5", BadAmount::NotDecimal),
        ("5.e2", BadAmount::NotDecimal),
        ("--5", BadAmount::NotDecimal),
        ("-+5", BadAmount::NotDecimal),
        ("5-", BadAmount::NotDecimal),
        ("(200.00)", BadAmount::NotDecimal),
        ("$200.00", BadAmount::NotDecimal),
        ("€200", BadAmount::NotDecimal),
        ("200USD", BadAmount::NotDecimal),
        ("2OO.00", BadAmount::NotDecimal),
        ("NaN", BadAmount::NotDecimal),
        ("Infinity", BadAmount::NotDecimal),
        ("-inf", BadAmount::NotDecimal),
        ("null", BadAmount::NotDecimal),
        ("0x10", BadAmount::NotDecimal),
        ("1e", BadAmount::NotDecimal),
        ("1e+", BadAmount::NotDecimal),
        ("1e2.5", BadAmount::NotDecimal),
        ("e5", BadAmount::NotDecimal),
        ("\u{661}\u{662}", BadAmount::NotDecimal),
        ("1000000000000000000", BadAmount::TooLarge),
        ("1e18", BadAmount::TooLarge),
        ("1e99999999999999999999", BadAmount::TooLarge),
        ("12345678901234567.89", BadAmount::TooManyDigits),
        ("1e-19", BadAmount::TooManyDigits),
    ];
    for (raw, why) in table {
        assert_eq!(read(raw), Err(why), "{raw:?}");
    }
    assert_eq!(read("0.0000000000000000001"), Err(BadAmount::TooManyDigits));
    assert_eq!(read("5e-324"), Err(BadAmount::TooManyDigits));
    assert_eq!(read("1.7976931348623157e308"), Err(BadAmount::TooLarge));
}

#[test]
fn reasons_are_plain_and_never_repeat_the_text() {
    let table = [
        (BadAmount::Empty, "is empty"),
        (BadAmount::Separator, "has a separator other than one decimal point"),
        (BadAmount::NotDecimal, "is not a decimal"),
        (BadAmount::TooLarge, "is too large"),
        (BadAmount::TooManyDigits, "has more than 18 digits"),
        (BadAmount::TooManyDecimals(2), "has digits beyond the 2 decimals of its currency"),
        (BadAmount::RealDigits, "is a float with more than 15 digits"),
    ];
    for (why, text) in table {
        assert_eq!(why.to_string(), text);
    }
}

#[test]
fn a_real_is_believed_up_to_fifteen_digits() {
    let read = |raw| parse_real(raw).map(|amount| (amount.digits, amount.scale));
    assert_eq!(read("200.0"), Ok((2_000, 1)));
    assert_eq!(read("0.1"), Ok((1, 1)));
    assert_eq!(read("123456789012.345"), Ok((123_456_789_012_345, 3)));
    assert_eq!(read("123456789012345.0"), Ok((1_234_567_890_123_450, 1)));
    assert_eq!(read("0.000123456789012345"), Ok((123_456_789_012_345, 18)));
    assert_eq!(read("1234567890123456.0"), Err(BadAmount::RealDigits));
    assert_eq!(read("123456789012.3456"), Err(BadAmount::RealDigits));
    assert_eq!(read("0.30000000000000004"), Err(BadAmount::RealDigits));
    assert_eq!(read("1.0e+15"), Err(BadAmount::RealExponent));
    assert_eq!(read("2e2"), Err(BadAmount::RealExponent));
    assert_eq!(read("Inf"), Err(BadAmount::NotDecimal));
    assert_eq!(read(""), Err(BadAmount::Empty));
    assert_eq!(read("1,5"), Err(BadAmount::Separator));
}

#[test]
fn minor_units_are_whole() {
    assert_eq!(parse_minor("20000"), Ok(20_000));
    assert_eq!(parse_minor("-5"), Ok(-5));
    assert_eq!(parse_minor("200.0"), Ok(200));
    assert_eq!(parse_minor("2e2"), Ok(200));
    assert_eq!(parse_minor("0.0"), Ok(0));
    assert_eq!(parse_minor("9223372036854775807"), Ok(i64::MAX));
    assert_eq!(parse_minor("9223372036854775808"), Err(BadAmount::TooLarge));
    assert_eq!(parse_minor("1e18"), Err(BadAmount::TooLarge));
    assert_eq!(parse_minor("200.5"), Err(BadAmount::NotWhole));
    assert_eq!(parse_minor("2e-1"), Err(BadAmount::NotWhole));
    assert_eq!(parse_minor("+5"), Err(BadAmount::Plus));
    assert_eq!(parse_minor(""), Err(BadAmount::Empty));
    assert_eq!(parse_minor("1,000"), Err(BadAmount::Separator));
    assert_eq!(parse_minor("five"), Err(BadAmount::NotDecimal));
}

#[test]
fn digits_beyond_the_exponent_must_be_zeros() {
    let rescale = |raw, exponent| {
        to_exponent(parse_decimal(raw).unwrap(), exponent).map(|amount| (amount.digits, amount.scale))
    };
    assert_eq!(rescale("200.000", 2), Ok((20_000, 2)));
    assert_eq!(rescale("200.005", 2), Err(BadAmount::TooManyDecimals(2)));
    assert_eq!(rescale("200", 2), Ok((20_000, 2)));
    assert_eq!(rescale("200.00", 2), Ok((20_000, 2)));
    assert_eq!(rescale("20000.00", 0), Ok((20_000, 0)));
    assert_eq!(rescale("20000.50", 0), Err(BadAmount::TooManyDecimals(0)));
    assert_eq!(rescale("12.345", 3), Ok((12_345, 3)));
    assert_eq!(rescale("-0.0500", 2), Ok((-5, 2)));
    assert_eq!(rescale("92233720368547758", 2), Ok((9_223_372_036_854_775_800, 2)));
    assert_eq!(rescale("92233720368547759", 2), Err(BadAmount::TooLarge));
    assert_eq!(rescale("1", 255), Err(BadAmount::TooLarge));
    assert_eq!(rescale("0.00", 255), Ok((0, 255)));
    assert_eq!(rescale("200.000000000000000000", 2), Ok((20_000, 2)));
}

#[test]
fn amounts_are_compared_by_value() {
    assert_eq!(amount(14, 0), amount(140, 1));
    assert_ne!(amount(14, 0), amount(141, 1));
    assert_eq!(amount(0, 0), amount(0, 255));
    assert!(amount(-1, 0) < amount(-9, 1));
    assert!(amount(1, 255) < amount(1, 0));
    assert!(amount(-1, 255) > amount(-1, 0));
    assert!(amount(i64::MAX, 0) > amount(i64::MAX, 19));
    assert!(amount(i64::MIN, 0) < amount(i64::MIN, 200));
    assert_ne!(usd(100), Money::new(iso("EUR").unwrap(), amount(100, 2)));
    let set: HashSet<Amount> = [amount(14, 0), amount(140, 1), amount(1_400, 2), amount(15, 0)].into();
    assert_eq!(set.len(), 2);
    assert_eq!(amount(-5, 2).abs(), Some(amount(5, 2)));
    assert_eq!(amount(i64::MIN, 0).abs(), None);
    let huge = Wide { digits: i128::MAX, scale: 0 };
    assert!(huge > Wide { digits: i128::MAX, scale: 1 });
    assert!(huge.checked_add(Wide { digits: 1, scale: 0 }).is_none());
    assert_eq!(huge.checked_sub(huge), Some(Wide::ZERO));
}

#[test]
fn totals_never_cross_units() {
    let (usd_unit, eur, jpy) = (iso("USD").unwrap(), iso("EUR").unwrap(), iso("JPY").unwrap());
    let mut totals = Totals::default();
    assert!(totals.is_empty());
    totals.add(usd(20_000));
    totals.add(Money::new(jpy, amount(20_000, 0)));
    totals.add(Money::new(eur, amount(5, 1)));
    totals.add(usd(20_000));
    totals.sub(usd(5_000));
    assert_eq!(totals.len(), 3);
    assert_eq!(totals.get(usd_unit), Some(exact(350, 0)));
    assert_eq!(totals.get(jpy), Some(exact(20_000, 0)));
    assert_eq!(totals.get(eur), Some(exact(50, 2)));
    assert_eq!(totals.get(Unit::UNKNOWN), None);
    assert_eq!(totals.iter().map(|(unit, _)| unit).collect::<Vec<_>>(), [eur, jpy, usd_unit]);
    let rest = totals.difference(Some(usd(20_000)));
    assert_eq!(rest.get(usd_unit), Some(exact(15_000, 2)));
    assert_eq!(rest.get(eur), Some(exact(5, 1)));
    assert_eq!(totals.difference(None), totals);
    let mut twice = totals.clone();
    twice.merge(&totals);
    assert_eq!(twice.get(usd_unit), Some(exact(70_000, 2)));
    assert_eq!(twice.get(usd_unit).unwrap().compare(amount(700, 0)), Some(Ordering::Equal));
}

#[test]
fn the_expected_unit_is_always_there() {
    let unit = iso("USD").unwrap();
    let mut totals = Totals::default();
    totals.ensure(unit);
    assert_eq!(totals.get(unit), Some(Total::ZERO));
    totals.add(usd(1));
    totals.ensure(unit);
    assert_eq!(totals.get(unit), Some(exact(1, 2)));
    assert_eq!(Totals::default().difference(Some(usd(20_000))).get(unit), Some(exact(-20_000, 2)));
}

#[test]
fn an_overflow_makes_one_unit_unreadable_and_stays() {
    let (near, far) = (iso("EUR").unwrap(), iso("USD").unwrap());
    let mut totals = Totals::default();
    for _ in 0..200 {
        totals.add(Money::new(far, amount(i64::MAX, 0)));
        totals.add(Money::new(far, amount(1, 18)));
    }
    assert_eq!(totals.get(far), Some(Total::Overflow));
    totals.sub(Money::new(far, amount(i64::MAX, 0)));
    totals.add(Money::new(near, amount(1, 0)));
    assert_eq!(totals.get(far), Some(Total::Overflow));
    assert_eq!(totals.get(near), Some(exact(1, 0)));
    assert_eq!(totals.get(far).unwrap().compare(Amount::ZERO), None);
    assert!(!Total::Overflow.is_zero());
    let mut mixed = Totals::default();
    mixed.add(Money::new(Unit::TOO_MANY, Amount::ZERO));
    assert_eq!(mixed.get(Unit::TOO_MANY), Some(Total::Overflow));
}

#[test]
fn a_scale_that_is_only_zeros_never_overflows() {
    let a = Wide { digits: 10_i128.pow(37), scale: 0 };
    let b = Wide { digits: 10_i128.pow(20), scale: 18 };
    assert_eq!(a.checked_add(b), Some(Wide { digits: 10_i128.pow(37) + 100, scale: 0 }));
}

#[test]
fn numbers_as_text() {
    let table: [(i128, u8, &str, &str); 12] = [
        (0, 0, "0", "0"),
        (0, 2, "0.00", "0.00"),
        (20_000, 2, "200.00", "200.00"),
        (-5, 2, "-0.05", "-0.05"),
        (140, 1, "14.0", "14.0"),
        (653_130, 2, "6531.30", "6,531.30"),
        (20_000, 0, "20000", "20,000"),
        (999, 0, "999", "999"),
        (1_000, 0, "1000", "1,000"),
        (-1_234_567, 0, "-1234567", "-1,234,567"),
        (123_456, 3, "123.456", "123.456"),
        (
            i128::MIN,
            38,
            "-1.70141183460469231731687303715884105728",
            "-1.70141183460469231731687303715884105728",
        ),
    ];
    for (digits, scale, bare, commas) in table {
        assert_eq!(plain(digits, scale), bare);
        assert_eq!(grouped(digits, scale), commas);
    }
}

#[test]
fn money_as_people_read_it() {
    let mut units = Units::default();
    let show = |units: &Units, unit: Unit, digits, scale| units.show(Money::new(unit, amount(digits, scale)));
    let [eur, jpy, bhd, isk] = ["USD", "JPY", "BHD", "ISK"].map(|code| iso(code).unwrap());
    let credits = units.intern("credits");
    assert_eq!(show(&units, eur, 653_130, 2), "USD 6,531.30");
    assert_eq!(show(&units, eur, 200, 0), "USD 200.00");
    assert_eq!(show(&units, eur, 200_000, 3), "USD 200.00");
    assert_eq!(show(&units, eur, 200_005, 3), "USD 200.005");
    assert_eq!(show(&units, eur, -5, 2), "USD -0.05");
    assert_eq!(show(&units, jpy, 20_000, 0), "JPY 20,000");
    assert_eq!(show(&units, jpy, 2_000_000, 2), "JPY 20,000");
    assert_eq!(show(&units, bhd, 12_345, 3), "BHD 12.345");
    assert_eq!(show(&units, credits, 120, 0), "120 credits");
    assert_eq!(show(&units, credits, 1_200_000, 1), "120,000.0 credits");
    assert_eq!(show(&units, Unit::UNKNOWN, 20_000, 2), "200.00 ?");
    assert_eq!(show(&units, Unit::NONE, 20_000, 2), "200.00");
    assert_eq!(units.show_total(eur, Total::Overflow), "USD unreadable");
    assert_eq!(units.show_total(eur, exact(40_000, 2)), "USD 400.00");
    assert_eq!(units.number(eur, amount(653_130, 2).wide()), "6,531.30");
    assert_eq!(units.plain_number(eur, amount(653_130, 2).wide()), "6531.30");
    assert_eq!(units.minor(eur, amount(200, 0).wide()), Some(20_000));
    assert_eq!(units.minor(eur, amount(200_005, 3).wide()), None);
    assert_eq!(units.minor(credits, amount(120, 0).wide()), None);
    units.set_exponent(isk, 2);
    assert_eq!(show(&units, isk, 200, 0), "ISK 200.00");
    assert_eq!(units.from_minor(isk, 20_000).amount, amount(200, 0));
    assert_eq!(units.from_minor(credits, 20_000).amount, amount(20_000, 0));
}

/// The oracle: strips a decimal text to (negative, digits, scale) without arithmetic.
fn oracle(text: &str) -> (bool, String, usize) {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0').to_owned();
    (negative && !digits.is_empty(), digits, fraction.len())
}

proptest! {
    #[test]
    fn reading_agrees_with_the_text(text in "-?[0-9]{1,12}(\\.[0-9]{1,12})?") {
        let (negative, digits, scale) = oracle(&text);
        match parse_decimal(&text) {
            Ok(read) => {
                let normal = read.wide().normal();
                prop_assert_eq!(usize::from(normal.scale), if digits.is_empty() { 0 } else { scale });
                prop_assert_eq!(normal.digits.unsigned_abs().to_string(),
                    if digits.is_empty() { "0" } else { digits.as_str() });
                prop_assert_eq!(read.is_negative(), negative);
                if text.len() <= 18 && !text.starts_with("-0") && (!text.starts_with('0') || text.starts_with("0.")) {
                    prop_assert_eq!(plain(i128::from(read.digits), read.scale), text);
                }
            }
            Err(why) => {
                prop_assert!(digits.len() > 18);
                prop_assert_eq!(why, BadAmount::TooManyDigits);
            }
        }
    }

    #[test]
    fn an_exponent_moves_the_point(digits in 0_i64..1_000_000_000, scale in 0_u8..6, by in -6_i64..6) {
        let written = plain(i128::from(digits), scale);
        let read = parse_decimal(&format!("{written}e{by}")).unwrap();
        let up = Wide { digits: i128::from(digits) * 10_i128.pow(6), scale: scale + 6 };
        let moved = u8::try_from(i64::from(scale) + 6 - by).unwrap();
        prop_assert_eq!(read.wide(), Wide { digits: up.digits, scale: moved });
    }

    #[test]
    fn nothing_panics_and_nothing_else_is_read(text in "\\PC{0,24}") {
        if let Ok(read) = parse_decimal(&text) {
            prop_assert!(text.bytes().all(|b| b.is_ascii_digit() || b"-+.eE".contains(&b)));
            prop_assert!(read.scale <= 18 && read.digits.unsigned_abs() < 10_u64.pow(18));
        }
        let _ = (parse_real(&text), parse_minor(&text));
    }

    #[test]
    fn order_is_that_of_fractions(a in any::<i64>(), b in any::<i64>(), x in 0_u8..18, y in 0_u8..18) {
        let cross = (i128::from(a) * 10_i128.pow(u32::from(y))).cmp(&(i128::from(b) * 10_i128.pow(u32::from(x))));
        prop_assert_eq!(amount(a, x).cmp(&amount(b, y)), cross);
        prop_assert_eq!(amount(b, y).cmp(&amount(a, x)), cross.reverse());
    }

    #[test]
    fn totals_do_not_depend_on_order(moves in prop::collection::vec((0_u16..4, any::<i32>(), 0_u8..4), 0..40)) {
        let of = |(unit, digits, scale): (u16, i32, u8)| Money::new(Unit(unit), amount(i64::from(digits), scale));
        let mut forward = Totals::default();
        let mut backward = Totals::default();
        for step in &moves {
            forward.add(of(*step));
        }
        for step in moves.iter().rev() {
            backward.add(of(*step));
        }
        prop_assert_eq!(&forward, &backward);
        prop_assert!(forward.iter().map(|(unit, _)| unit).is_sorted_by(|a, b| a < b));
        for unit in 0..4 {
            let sum = moves.iter().filter(|step| step.0 == unit)
                .map(|step| i128::from(step.1) * 10_i128.pow(u32::from(3 - step.2))).sum::<i128>();
            let named = moves.iter().any(|step| step.0 == unit);
            prop_assert_eq!(forward.get(Unit(unit)), named.then(|| exact(sum, 3)));
        }
        for step in &moves {
            forward.sub(of(*step));
        }
        prop_assert!(forward.iter().all(|(_, total)| total.is_zero()));
    }
}
