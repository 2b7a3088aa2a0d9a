//! Text in HTML (`reliability.md` 2.3): five characters are escaped; data never becomes an attribute or an address.

use super::SafeText;

/// The text for the inside of an element.
pub fn html(text: &SafeText) -> String {
    let shown = text.shown();
    let mut out = String::with_capacity(shown.len());
    for character in shown.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(character),
        }
    }
    out
}

/// An id: in `<bdi>`, so that its direction does not reach its neighbours.
pub fn html_id(id: &SafeText) -> String {
    format!("<bdi>{}</bdi>", html(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_characters() {
        assert_eq!(
            html(&SafeText::new("<a href=\"x\" b='&'>")),
            "&lt;a href=&quot;x&quot; b=&#39;&amp;&#39;&gt;"
        );
        assert_eq!(html(&SafeText::new("\u{1b}[31m\u{202e}")), "\\x1b[31m\\u{202e}");
        assert_eq!(html_id(&SafeText::id("<i>")), "<bdi>&lt;i&gt;</bdi>");
    }
}
