//! Words and numbers as ledgers of other systems write them.

use std::borrow::Cow;

/// Names of what an effect belongs to, as people write them, and the field that they stand for.
const BUSINESS: [(&str, &str); 3] =
    [("order", "order_id"), ("invoice", "invoice_id"), ("payment", "payment_id")];

/// The business id in a text that people wrote: `Order 4812`, `order #4812`, `ORDER-4812`. The name of its field, and
/// the id: letters, digits, `-`, `_`, `.`, with a digit in it.
pub fn business_in(text: &str) -> Option<(&'static str, &str)> {
    let lower = text.to_ascii_lowercase();
    BUSINESS.iter().find_map(|(word, field)| {
        lower.match_indices(word).find_map(|(at, _)| {
            let begins = text.get(..at)?.chars().next_back().is_none_or(|before| !before.is_alphanumeric());
            let behind = text.get(at + word.len()..)?;
            let id = behind.trim_start_matches([' ', '#', ':', '-', '_', '.']);
            let apart = begins && id.len() < behind.len();
            let letter = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
            let id = id.get(..id.find(|c| !letter(c)).unwrap_or(id.len()))?.trim_end_matches(['-', '.']);
            (apart && id.contains(|c: char| c.is_ascii_digit())).then_some((*field, id))
        })
    })
}

/// An integer that counts parts, `scale` digits behind the point, as a decimal: `20000` at 2 is `200.00`. A text that is
/// no integer stays as it is: who reads amounts says what is wrong with it.
pub fn scaled(integer: &str, scale: u32) -> Cow<'_, str> {
    let (sign, digits) = integer.strip_prefix('-').map_or(("", integer), |digits| ("-", digits));
    let scale = scale as usize;
    if scale == 0 || digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Cow::Borrowed(integer);
    }
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, part) = padded.split_at_checked(padded.len() - scale).unwrap_or((&padded, ""));
    Cow::Owned(format!("{sign}{whole}.{part}"))
}

/// A decimal with a comma before its decimals, where the file says so by its separator, or where nothing else can be
/// meant: three digits behind a comma may be thousands.
pub fn decimal(text: &str, comma: bool) -> Cow<'_, str> {
    match text.split_once(',') {
        Some((whole, part))
            if !part.contains(['.', ',']) && !whole.contains('.') && (comma || part.len() != 3) =>
        {
            Cow::Owned(format!("{whole}.{part}"))
        }
        _ => Cow::Borrowed(text),
    }
}

/// Currency signs, as books and plain-text ledgers write them.
const SIGNS: [(&str, &str); 5] = [("$", "USD"), ("US$", "USD"), ("€", "EUR"), ("£", "GBP"), ("¥", "JPY")];

/// The currency of a sign; another text is a unit by itself. The currency of the source goes before a sign.
pub fn currency<'t>(text: &'t str, own: Option<&str>) -> Option<&'t str> {
    match SIGNS.iter().find(|(sign, _)| *sign == text) {
        Some(_) if own.is_some() => None,
        Some((_, code)) => Some(code),
        None => Some(text),
    }
}

/// Abbreviations of zones that mean one offset wherever a report uses them.
const ZONES: [(&str, &str); 20] = [
    ("UTC", "Z"),
    ("GMT", "Z"),
    ("WET", "Z"),
    ("BST", "+01:00"),
    ("WEST", "+01:00"),
    ("CET", "+01:00"),
    ("CEST", "+02:00"),
    ("EET", "+02:00"),
    ("EEST", "+03:00"),
    ("MSK", "+03:00"),
    ("SGT", "+08:00"),
    ("HKT", "+08:00"),
    ("JST", "+09:00"),
    ("AEST", "+10:00"),
    ("AEDT", "+11:00"),
    ("BRT", "-03:00"),
    ("EST", "-05:00"),
    ("EDT", "-04:00"),
    ("PST", "-08:00"),
    ("PDT", "-07:00"),
];

/// A time with the offset of a zone's abbreviation; as it is where that is not known.
pub fn in_zone(time: &str, zone: Option<&str>) -> String {
    let zone = zone.map(str::trim).unwrap_or_default();
    let known = ZONES.iter().find(|(name, _)| name.eq_ignore_ascii_case(zone)).map(|(_, offset)| *offset);
    let offset = known.or(Some(zone).filter(|zone| zone.starts_with(['+', '-'])));
    format!("{time}{}", offset.unwrap_or_default())
}

/// A date with slashes as one with dashes, and an offset apart from its time as one behind it: `2026/09/01 03:01:01
/// -0700`.
pub fn dashed(time: &str) -> String {
    let time = time.replace('/', "-");
    match time.rsplit_once(' ') {
        Some((before, offset)) if offset.starts_with(['+', '-']) && offset.len() == 5 => {
            let (hours, minutes) = offset.split_at_checked(3).unwrap_or((offset, ""));
            format!("{before}{hours}:{minutes}")
        }
        _ => time,
    }
}

/// The numbers that ISO 4217 gives to currencies: software ledgers use them as the number of a ledger.
#[rustfmt::skip]
const NUMBERS: [(&str, &str); 75] = [
    ("8", "ALL"), ("12", "DZD"), ("32", "ARS"), ("36", "AUD"), ("44", "BSD"), ("48", "BHD"), ("50", "BDT"),
    ("51", "AMD"), ("52", "BBD"), ("68", "BOB"), ("72", "BWP"), ("84", "BZD"), ("96", "BND"), ("116", "KHR"),
    ("124", "CAD"), ("144", "LKR"), ("152", "CLP"), ("156", "CNY"), ("170", "COP"), ("188", "CRC"), ("203", "CZK"),
    ("208", "DKK"), ("214", "DOP"), ("230", "ETB"), ("320", "GTQ"), ("340", "HNL"), ("344", "HKD"), ("348", "HUF"),
    ("352", "ISK"), ("356", "INR"), ("360", "IDR"), ("376", "ILS"), ("388", "JMD"), ("392", "JPY"), ("398", "KZT"),
    ("400", "JOD"), ("404", "KES"), ("410", "KRW"), ("414", "KWD"), ("422", "LBP"), ("458", "MYR"), ("484", "MXN"),
    ("496", "MNT"), ("504", "MAD"), ("512", "OMR"), ("524", "NPR"), ("554", "NZD"), ("566", "NGN"), ("578", "NOK"),
    ("586", "PKR"), ("590", "PAB"), ("600", "PYG"), ("604", "PEN"), ("608", "PHP"), ("634", "QAR"), ("643", "RUB"),
    ("682", "SAR"), ("702", "SGD"), ("704", "VND"), ("710", "ZAR"), ("752", "SEK"), ("756", "CHF"), ("764", "THB"),
    ("784", "AED"), ("788", "TND"), ("800", "UGX"), ("818", "EGP"), ("826", "GBP"), ("834", "TZS"), ("840", "USD"),
    ("858", "UYU"), ("901", "TWD"), ("949", "TRY"), ("978", "EUR"), ("985", "PLN"),
];

/// The currency of an ISO 4217 number.
pub fn numbered(number: &str) -> Option<&'static str> {
    NUMBERS.iter().find(|(known, _)| *known == number).map(|(_, code)| *code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn business_ids_in_texts() {
        for (text, want) in [
            ("REFUND FOR CHARGE (Order 7341)", Some(("order_id", "7341"))),
            ("refund order #A-77.", Some(("order_id", "A-77"))),
            ("ORDER-9015", Some(("order_id", "9015"))),
            ("invoice INV_22, again", Some(("invoice_id", "INV_22"))),
            ("reorder 77", None),
            ("order ?", None),
            ("orders", None),
            ("in order to pay", None),
        ] {
            assert_eq!(business_in(text), want, "{text}");
        }
    }

    #[test]
    fn integers_get_their_point() {
        for (text, scale, want) in [
            ("20000", 2, "200.00"),
            ("-5", 2, "-0.05"),
            ("7", 0, "7"),
            ("1.5", 2, "1.5"),
            ("", 2, ""),
            ("123456789012345678901234567890", 6, "123456789012345678901234.567890"),
        ] {
            assert_eq!(scaled(text, scale), want, "{text}");
        }
    }

    #[test]
    fn a_comma_is_a_point_where_nothing_else_can_be_meant() {
        for (text, comma, want) in [
            ("-45,50", true, "-45.50"),
            ("-45,50", false, "-45.50"),
            ("1,234", false, "1,234"),
            ("1,234", true, "1.234"),
            ("1.234,50", true, "1.234,50"),
            ("1,234.50", false, "1,234.50"),
            ("20.00", true, "20.00"),
        ] {
            assert_eq!(decimal(text, comma), want, "{text}");
        }
    }

    #[test]
    fn zones_and_dates() {
        assert_eq!(in_zone("2026-10-05 12:00:00", Some("CEST")), "2026-10-05 12:00:00+02:00");
        assert_eq!(in_zone("2026-10-05 12:00:00", Some("XYZ")), "2026-10-05 12:00:00");
        assert_eq!(dashed("2026/10/05 03:00:01 -0700"), "2026-10-05 03:00:01-07:00");
        assert_eq!(dashed("2026/10/05"), "2026-10-05");
        assert_eq!((numbered("392"), numbered("1")), (Some("JPY"), None));
        assert_eq!(
            (currency("$", None), currency("$", Some("CAD")), currency("USD", None)),
            (Some("USD"), None, Some("USD"))
        );
    }
}
