//! Texts written as JSON strings.

/// A text as a JSON string, with its quotes.
pub fn written_as_text(out: &mut String, text: &str) {
    out.push('"');
    written_inside_text(out, text);
    out.push('"');
}

/// A text as it stands between the quotes of a JSON string.
pub fn written_inside_text(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
        let (plain, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(plain);
        let mut letters = behind.chars();
        match letters.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some(control) => out.push_str(&format!("\\u{:04x}", u32::from(control))),
            None => {}
        }
        rest = letters.as_str();
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_written_as_they_are_read() {
        for text in ["", "plain", "a\"b\\c\nd\re\tf\u{1}g\u{1f}", "ü\"é\u{7f}", "\\", "\"\""] {
            let mut out = String::new();
            written_as_text(&mut out, text);
            assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
        }
        let mut out = String::new();
        written_as_text(&mut out, "a\u{1}\n");
        assert_eq!(out, "\"a\\u0001\\n\"");
    }
}
