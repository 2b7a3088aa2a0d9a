//! Text in Markdown (`7-commands.md` 7.5.7): as tables, without raw HTML. Data never becomes markup, a link or HTML.

use super::SafeText;

/// The text for a table cell or a paragraph. Signs that Markdown reads are escaped, `<`, `>` and `&` are entities; the
/// reader sees the text as it is. A newline cannot be in it, [`SafeText`] shows it as `\n`.
pub fn markdown(text: &SafeText) -> String {
    let shown = text.shown();
    let mut out = String::with_capacity(shown.len() + 8);
    let mut rest = shown.chars();
    let mut at_start = true;
    while let Some(character) = rest.next() {
        let next = rest.as_str();
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '|' | '`' | '[' | ']' | '*' | '_' | '#' | '~' | '!' | '$' | '@' => {
                out.push('\\');
                out.push(character);
            }
            // A bare address would become a link.
            ':' if next.starts_with("//") => out.push_str("\\:"),
            '.' if out.ends_with("www") || out.ends_with("WWW") => out.push_str("\\."),
            // A list or a rule at the start of a paragraph.
            '-' | '+' | '=' if at_start && !next.starts_with(|digit: char| digit.is_ascii_digit()) => {
                out.push('\\');
                out.push(character);
            }
            '.' | ')' if numbers_a_list(&out, next) => {
                out.push('\\');
                out.push(character);
            }
            _ => out.push(character),
        }
        at_start &= character == ' ';
    }
    out
}

/// True when `1.` or `1)` would begin a numbered list: digits only before it, a blank or nothing behind it.
fn numbers_a_list(before: &str, behind: &str) -> bool {
    let digits = before.trim_start();
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (behind.is_empty() || behind.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_escaped() {
        for (raw, expected) in [
            ("a|b", "a\\|b"),
            ("`x`", "\\`x\\`"),
            ("<script>&", "&lt;script&gt;&amp;"),
            ("[a](b)", "\\[a\\](b)"),
            ("*a* _b_ #c", "\\*a\\* \\_b\\_ \\#c"),
            ("a\nb", "a\\\\nb"),
            ("![x](y)", "\\!\\[x\\](y)"),
            ("https://evil.example", "https\\://evil.example"),
            ("www.evil.example", "www\\.evil.example"),
            ("@team", "\\@team"),
            ("- item", "\\- item"),
            ("-200.00", "-200.00"),
            ("1. item", "1\\. item"),
            ("200.00", "200.00"),
            ("=====", "\\====="),
            ("refund:1", "refund:1"),
        ] {
            assert_eq!(markdown(&SafeText::new(raw)), expected, "{raw:?}");
        }
    }
}
