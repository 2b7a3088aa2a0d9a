//! Units of money: ISO 4217 codes by a table, every other unit (credits, tokens, gold) by name
//! (`1-model.md` 1.2). A unit is a small number, so that a row holds it in two bytes.

use std::cmp::Ordering;
use std::collections::HashMap;

/// A unit of money. Two amounts may be compared or added only when their units are equal.
///
/// `0` is "none was given", `1` is the unknown unit `?`, from `2` on the codes of [`ISO`] in its order, from
/// `1024` on other units as [`Units`] met them. The order of units is stable for ISO codes only; what is shown
/// is sorted by [`Units::by_text`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unit(pub u16);

/// The first unit that is an ISO 4217 code.
const FIRST_ISO: u16 = 2;
/// The first unit that is interned.
const FIRST_OTHER: u16 = 1024;

impl Unit {
    /// No unit was given (a number alone).
    pub const NONE: Unit = Unit(0);
    /// The unit `?`: asked for, and not known. It never equals a named currency.
    pub const UNKNOWN: Unit = Unit(1);
    /// Stands for every unit beyond the 64,511 that a case can name. Its totals are never readable, so that two
    /// different units are never added.
    pub const TOO_MANY: Unit = Unit(u16::MAX);

    /// Is it a currency of ISO 4217?
    pub fn is_iso(self) -> bool {
        iso_row(self).is_some()
    }

    /// Is it a unit with a name: neither absent nor `?`?
    pub fn is_named(self) -> bool {
        self.0 >= FIRST_ISO
    }
}

/// ISO 4217 alphabetic codes with their exponent (digits after the point), sorted by code.
///
/// List one as of 2026 with the funds codes; codes beginning with X that have no minor unit (gold, special
/// drawing rights, "no currency") are not here: they are other units. Kept although withdrawn since 2021,
/// because a ledger holds the rows of past years: ANG BGN CUC HRK SLL ZWL.
#[rustfmt::skip]
pub const ISO: [(&str, u8); 171] = [
    ("AED", 2), ("AFN", 2), ("ALL", 2), ("AMD", 2), ("ANG", 2), ("AOA", 2), ("ARS", 2), ("AUD", 2),
    ("AWG", 2), ("AZN", 2), ("BAM", 2), ("BBD", 2), ("BDT", 2), ("BGN", 2), ("BHD", 3), ("BIF", 0),
    ("BMD", 2), ("BND", 2), ("BOB", 2), ("BOV", 2), ("BRL", 2), ("BSD", 2), ("BTN", 2), ("BWP", 2),
    ("BYN", 2), ("BZD", 2), ("CAD", 2), ("CDF", 2), ("CHE", 2), ("CHF", 2), ("CHW", 2), ("CLF", 4),
    ("CLP", 0), ("CNY", 2), ("COP", 2), ("COU", 2), ("CRC", 2), ("CUC", 2), ("CUP", 2), ("CVE", 2),
    ("CZK", 2), ("DJF", 0), ("DKK", 2), ("DOP", 2), ("DZD", 2), ("EGP", 2), ("ERN", 2), ("ETB", 2),
    ("EUR", 2), ("FJD", 2), ("FKP", 2), ("GBP", 2), ("GEL", 2), ("GHS", 2), ("GIP", 2), ("GMD", 2),
    ("GNF", 0), ("GTQ", 2), ("GYD", 2), ("HKD", 2), ("HNL", 2), ("HRK", 2), ("HTG", 2), ("HUF", 2),
    ("IDR", 2), ("ILS", 2), ("INR", 2), ("IQD", 3), ("IRR", 2), ("ISK", 0), ("JMD", 2), ("JOD", 3),
    ("JPY", 0), ("KES", 2), ("KGS", 2), ("KHR", 2), ("KMF", 0), ("KPW", 2), ("KRW", 0), ("KWD", 3),
    ("KYD", 2), ("KZT", 2), ("LAK", 2), ("LBP", 2), ("LKR", 2), ("LRD", 2), ("LSL", 2), ("LYD", 3),
    ("MAD", 2), ("MDL", 2), ("MGA", 2), ("MKD", 2), ("MMK", 2), ("MNT", 2), ("MOP", 2), ("MRU", 2),
    ("MUR", 2), ("MVR", 2), ("MWK", 2), ("MXN", 2), ("MXV", 2), ("MYR", 2), ("MZN", 2), ("NAD", 2),
    ("NGN", 2), ("NIO", 2), ("NOK", 2), ("NPR", 2), ("NZD", 2), ("OMR", 3), ("PAB", 2), ("PEN", 2),
    ("PGK", 2), ("PHP", 2), ("PKR", 2), ("PLN", 2), ("PYG", 0), ("QAR", 2), ("RON", 2), ("RSD", 2),
    ("RUB", 2), ("RWF", 0), ("SAR", 2), ("SBD", 2), ("SCR", 2), ("SDG", 2), ("SEK", 2), ("SGD", 2),
    ("SHP", 2), ("SLE", 2), ("SLL", 2), ("SOS", 2), ("SRD", 2), ("SSP", 2), ("STN", 2), ("SVC", 2),
    ("SYP", 2), ("SZL", 2), ("THB", 2), ("TJS", 2), ("TMT", 2), ("TND", 3), ("TOP", 2), ("TRY", 2),
    ("TTD", 2), ("TWD", 2), ("TZS", 2), ("UAH", 2), ("UGX", 0), ("USD", 2), ("USN", 2), ("UYI", 0),
    ("UYU", 2), ("UYW", 4), ("UZS", 2), ("VED", 2), ("VES", 2), ("VND", 0), ("VUV", 0), ("WST", 2),
    ("XAD", 2), ("XAF", 0), ("XCD", 2), ("XCG", 2), ("XOF", 0), ("XPF", 0), ("YER", 2), ("ZAR", 2),
    ("ZMW", 2), ("ZWG", 2), ("ZWL", 2),
];

/// A letter's place in the alphabet, without regard to case.
const fn letter(byte: u8) -> Option<usize> {
    let at = byte.to_ascii_uppercase().wrapping_sub(b'A');
    if at < 26 { Some(at as usize) } else { None }
}

/// The place of a three letter code among all 26^3.
const fn place(code: &[u8]) -> Option<usize> {
    if let [a, b, c] = code
        && let (Some(a), Some(b), Some(c)) = (letter(*a), letter(*b), letter(*c))
    {
        return Some((a * 26 + b) * 26 + c);
    }
    None
}

/// For each three letter text its row of [`ISO`] plus one, or 0: one look instead of a search, because it is
/// asked once per record.
static BY_CODE: [u8; 26 * 26 * 26] = {
    let mut table = [0_u8; 26 * 26 * 26];
    let mut row = 0_u8;
    while (row as usize) < ISO.len() {
        if let Some(at) = place(ISO[row as usize].0.as_bytes()) {
            table[at] = row + 1;
        }
        row += 1;
    }
    table
};

fn iso_row(unit: Unit) -> Option<&'static (&'static str, u8)> {
    ISO.get(usize::from(unit.0.checked_sub(FIRST_ISO)?))
}

/// The currency of an ISO 4217 code, read without regard to case. `None` for every other text.
pub fn iso(text: &str) -> Option<Unit> {
    let row = *BY_CODE.get(place(text.as_bytes())?)?;
    (row > 0).then(|| Unit(FIRST_ISO + u16::from(row) - 1))
}

/// The names of the units that are not of ISO 4217, and exponents that a mapping sets
/// (`exponent_override`, for providers that deviate from ISO).
#[derive(Clone, Default, Debug)]
pub struct Units {
    names: Vec<Box<str>>,
    by_name: HashMap<Box<str>, Unit>,
    exponents: Vec<(Unit, u8)>,
}

impl Units {
    /// The unit of a text: an ISO code without regard to case, else the text byte by byte. Empty text is
    /// [`Unit::NONE`], `?` is [`Unit::UNKNOWN`].
    pub fn intern(&mut self, text: &str) -> Unit {
        if let Some(unit) = self.get(text) {
            return unit;
        }
        let next = u16::try_from(self.names.len()).ok().and_then(|count| count.checked_add(FIRST_OTHER));
        let Some(unit) = next.map(Unit).filter(|unit| *unit < Unit::TOO_MANY) else {
            return Unit::TOO_MANY;
        };
        self.names.push(text.into());
        self.by_name.insert(text.into(), unit);
        unit
    }

    /// The unit of a text as [`Units::intern`] gives it, if it is known already.
    pub fn get(&self, text: &str) -> Option<Unit> {
        match text {
            "" => Some(Unit::NONE),
            "?" => Some(Unit::UNKNOWN),
            _ => iso(text).or_else(|| self.by_name.get(text).copied()),
        }
    }

    /// The text of a unit: `USD`, `?`, empty for [`Unit::NONE`]. Names of other units are text from outside.
    pub fn text(&self, unit: Unit) -> &str {
        match unit {
            Unit::NONE => "",
            Unit::UNKNOWN => "?",
            Unit::TOO_MANY => "(too many units)",
            _ => iso_row(unit).map_or_else(|| self.name(unit), |row| row.0),
        }
    }

    fn name(&self, unit: Unit) -> &str {
        let at = unit.0.checked_sub(FIRST_OTHER).map(usize::from);
        at.and_then(|at| self.names.get(at)).map_or("?", |name| name)
    }

    /// Digits after the point of a minor unit: as the mapping set it, else by ISO 4217. Other units have none
    /// unless the mapping sets one; their amounts are exact decimals.
    pub fn exponent(&self, unit: Unit) -> Option<u8> {
        let set = self.exponents.iter().find(|(of, _)| *of == unit);
        set.map(|(_, exponent)| *exponent).or_else(|| iso_row(unit).map(|row| row.1))
    }

    /// Sets the exponent of a named unit (`exponent_override`). Absent and unknown units have none.
    pub fn set_exponent(&mut self, unit: Unit, exponent: u8) {
        if !unit.is_named() || unit == Unit::TOO_MANY {
            return;
        }
        match self.exponents.iter_mut().find(|(of, _)| *of == unit) {
            Some(entry) => entry.1 = exponent,
            None => self.exponents.push((unit, exponent)),
        }
    }

    /// The order in which units are shown: by their text. The numbers of other units depend on who read first.
    pub fn by_text(&self, a: Unit, b: Unit) -> Ordering {
        self.text(a).cmp(self.text(b)).then(a.cmp(&b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_complete() {
        assert!(ISO.is_sorted_by(|a, b| a.0 < b.0));
        assert!(ISO.len() < 255 && ISO.len() < usize::from(FIRST_OTHER - FIRST_ISO));
        let with = |exponent: u8| -> Vec<&str> {
            ISO.iter().filter(|row| row.1 == exponent).map(|row| row.0).collect()
        };
        let zero = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
        assert_eq!(with(0).join(" "), zero);
        assert_eq!(with(3).join(" "), "BHD IQD JOD KWD LYD OMR TND");
        assert_eq!(with(4).join(" "), "CLF UYW");
        assert_eq!(with(0).len() + with(2).len() + with(3).len() + with(4).len(), ISO.len());
        for row in ISO {
            let unit = iso(row.0).unwrap();
            assert!(unit.is_iso());
            assert_eq!(Units::default().text(unit), row.0);
            assert_eq!(Units::default().exponent(unit), Some(row.1));
        }
    }

    #[test]
    fn codes_are_read_without_regard_to_case() {
        assert_eq!(iso("usd"), iso("USD"));
        assert_eq!(iso("uSd"), iso("USD"));
        assert_ne!(iso("USD"), iso("EUR"));
        for not_iso in
            ["XAU", "XAG", "XPT", "XPD", "XTS", "XXX", "XDR", "XSU", "XUA", "XBA", "US", "USDT", "", "?"]
        {
            assert_eq!(iso(not_iso), None, "{not_iso}");
        }
        for x_with_minor_unit in ["XAF", "XOF", "XPF", "XCD", "XCG"] {
            assert!(iso(x_with_minor_unit).is_some(), "{x_with_minor_unit}");
        }
        assert_eq!(iso("U\u{17f}D"), None);
        assert_eq!(iso("€"), None);
        assert_eq!(iso("[SD"), None);
    }

    #[test]
    fn other_units_are_compared_byte_by_byte() {
        let mut units = Units::default();
        let credits = units.intern("credits");
        assert_eq!(credits, Unit(1024));
        assert_eq!(units.intern("Credits"), Unit(1025));
        assert_eq!(units.intern("credits"), credits);
        assert_eq!(units.intern("XAU"), Unit(1026));
        assert_eq!(units.intern("xau"), Unit(1027));
        assert_eq!(units.intern("eur"), iso("EUR").unwrap());
        assert_eq!(units.intern(""), Unit::NONE);
        assert_eq!(units.intern("?"), Unit::UNKNOWN);
        assert_eq!(units.get("credits"), Some(credits));
        assert_eq!(units.get("pieces"), None);
        assert_eq!(units.text(credits), "credits");
        assert_eq!(units.text(Unit::NONE), "");
        assert_eq!(units.text(Unit::UNKNOWN), "?");
        assert_eq!(units.text(Unit(9999)), "?");
        assert!(!credits.is_iso() && credits.is_named());
        assert!(!Unit::UNKNOWN.is_iso() && !Unit::UNKNOWN.is_named() && !Unit::NONE.is_named());
        assert_eq!(units.exponent(credits), None);
        assert_eq!(units.exponent(Unit::UNKNOWN), None);
    }

    #[test]
    fn a_mapping_overrides_an_exponent() {
        let mut units = Units::default();
        let isk = units.intern("ISK");
        assert_eq!(units.exponent(isk), Some(0));
        units.set_exponent(isk, 2);
        assert_eq!(units.exponent(isk), Some(2));
        units.set_exponent(isk, 0);
        assert_eq!(units.exponent(isk), Some(0));
        let usdc = units.intern("USDC");
        units.set_exponent(usdc, 6);
        assert_eq!(units.exponent(usdc), Some(6));
        for none in [Unit::NONE, Unit::UNKNOWN, Unit::TOO_MANY] {
            units.set_exponent(none, 2);
            assert_eq!(units.exponent(none), None);
        }
    }

    #[test]
    fn too_many_units_are_never_mixed_up_with_a_real_one() {
        let mut units = Units::default();
        for n in 0..64_511_u32 {
            units.intern(&format!("u{n}"));
        }
        assert_eq!(units.get("u64510"), Some(Unit(u16::MAX - 1)));
        assert_eq!(units.intern("one more"), Unit::TOO_MANY);
        assert_eq!(units.get("one more"), None);
        assert_eq!(units.text(Unit::TOO_MANY), "(too many units)");
        assert_eq!(units.by_text(units.get("u1").unwrap(), iso("USD").unwrap()), Ordering::Greater);
    }
}
