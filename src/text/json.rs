//! Strings in JSON (`7-commands.md` 7.5.7): every non-printing character as `\uXXXX`, nothing lost.

use std::fmt::Write as _;

use super::escape::is_printing;

/// `text` as a JSON string with its quotes. Characters that do not print are `\uXXXX`, beyond U+FFFF as two; all others
/// stand as they are. Takes raw text: what is read back is equal to it.
pub fn json_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_json_string(&mut out, text);
    out
}

/// Adds [`json_string`] to `out`.
pub fn push_json_string(out: &mut String, text: &str) {
    out.push('"');
    push_json_text(out, text);
    out.push('"');
}

/// Adds the inside of a JSON string.
pub(super) fn push_json_text(out: &mut String, text: &str) {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\') {
        out.push_str(text);
        return;
    }
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            _ if is_printing(character) => out.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    // Writing to a String cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_does_not_print_is_escaped() {
        for (text, expected) in [
            ("", r#""""#),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("\n\t\u{1b}", r#""\u000a\u0009\u001b""#),
            ("\u{7f}\u{9b}\u{202e}\u{feff}", r#""\u007f\u009b\u202e\ufeff""#),
            ("\u{e0041}", r#""\udb40\udc41""#),
            ("\u{2028}\u{a0}\u{e000}", r#""\u2028\u00a0\ue000""#),
            ("Größe 漢 🍕", "\"Größe 漢 🍕\""),
        ] {
            assert_eq!(json_string(text), expected);
        }
    }

    proptest! {
        #[test]
        fn is_read_back(text in any::<String>()) {
            let json = json_string(&text);
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
            prop_assert!(json.chars().all(is_printing));
        }
    }
}
