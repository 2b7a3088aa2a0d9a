//! Cells of CSV (`7-commands.md` 7.5.7, `reliability.md` 2.3): no text becomes a formula. Quoting is the writer's.

use super::SafeText;

/// What makes a spreadsheet read a cell as a formula, and its full-width forms, which some read alike.
const TRIGGERS: &[char] = &['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// A cell of text. One that begins like a formula, also behind blanks or quotes, gets `'` before it.
pub fn csv_text(text: &SafeText) -> String {
    csv_guard(&text.shown())
}

/// A cell of a numeric column. Only what is a decimal by the strict grammar stands as it is (negative amounts begin with
/// `-`); anything else is text.
pub fn csv_number(text: &SafeText) -> String {
    let shown = text.shown();
    if is_decimal(&shown) { shown.into_owned() } else { csv_guard(&shown) }
}

/// The guard itself. Dropping one `'` before a trigger gives the text back, so two texts never become one cell.
pub fn csv_guard(text: &str) -> String {
    let begins = text.trim_start_matches('\'').trim_start_matches(' ');
    let quoted = if begins.starts_with(TRIGGERS) { "'" } else { "" };
    format!("{quoted}{text}")
}

/// `-?(0|[1-9][0-9]*)(\.[0-9]+)?` and nothing else.
pub fn is_decimal(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) =
        unsigned.split_once('.').map_or((unsigned, None), |(whole, rest)| (whole, Some(rest)));
    digits(whole) && (whole == "0" || !whole.starts_with('0')) && fraction.is_none_or(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trigger_is_guarded_in_text() {
        for trigger in TRIGGERS {
            let cell = format!("{trigger}1+1");
            assert_eq!(csv_guard(&cell), format!("'{cell}"));
            let shown = csv_text(&SafeText::new(&cell));
            assert!(!shown.starts_with(TRIGGERS), "{shown:?}");
        }
        assert_eq!(csv_guard("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
        assert_eq!(csv_guard("-200.00"), "'-200.00");
        assert_eq!(csv_guard("  =1"), "'  =1");
        assert_eq!(csv_guard("'=1"), "''=1");
        assert_eq!(csv_guard("'quoted'"), "'quoted'");
        assert_eq!(csv_guard("refund:1"), "refund:1");
        assert_eq!(csv_guard(""), "");
        assert_eq!(csv_text(&SafeText::new("\t=1")), "' =1");
        assert_eq!(csv_text(&SafeText::new("\r=1")), "\\r=1");
    }

    #[test]
    fn numbers_are_exempt_by_a_strict_grammar() {
        for (text, decimal) in [
            ("-200.00", true),
            ("0", true),
            ("-0.5", true),
            ("10", true),
            ("+1", false),
            ("-", false),
            ("--1", false),
            ("1.", false),
            (".5", false),
            ("01", false),
            ("1e5", false),
            ("-1+1", false),
            ("1,000", false),
            ("", false),
            ("-2OO.00", false),
            ("\u{661}", false),
        ] {
            assert_eq!(is_decimal(text), decimal, "{text}");
        }
        assert_eq!(csv_number(&SafeText::new("-200.00")), "-200.00");
        assert_eq!(csv_number(&SafeText::new("-1+1")), "'-1+1");
        assert_eq!(csv_number(&SafeText::new("+1")), "'+1");
    }
}
