//! What Python prints of a value (`str()` or `repr()`), as JSON: several frameworks log arguments and answers so.
//!
//! Only literals are read. `Decimal('45.50')` and the like become the text in them, so that no digit is lost.

use serde_json::Value;

/// Literals may stand in each other so deep.
const DEPTH: usize = 64;

/// The JSON of a printed literal that holds others (a dict, a list, a tuple); `None` for anything else.
pub fn to_json(text: &str) -> Option<String> {
    let text = text.trim();
    if !text.starts_with(['{', '[', '(']) {
        return None;
    }
    let mut read = Read { rest: text, depth: 0 };
    let mut json = String::with_capacity(text.len());
    read.value(&mut json)?;
    read.rest.trim().is_empty().then_some(json)
}

struct Read<'t> {
    rest: &'t str,
    depth: usize,
}

impl Read<'_> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes a mark, where it comes next.
    fn took(&mut self, mark: char) -> bool {
        self.space();
        self.rest.strip_prefix(mark).map(|rest| self.rest = rest).is_some()
    }

    fn value(&mut self, json: &mut String) -> Option<()> {
        self.space();
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        match self.rest.chars().next()? {
            '{' => self.dict(json)?,
            '[' => self.list('[', ']', json)?,
            '(' => self.list('(', ')', json)?,
            '\'' | '"' => {
                let text = self.text()?;
                quoted(&text, json);
            }
            _ => self.word(json)?,
        }
        self.depth -= 1;
        Some(())
    }

    fn dict(&mut self, json: &mut String) -> Option<()> {
        self.took('{');
        json.push('{');
        let mut first = true;
        while !self.took('}') {
            if !first {
                json.push(',');
            }
            first = false;
            let mut key = String::new();
            self.value(&mut key)?;
            if key.starts_with('"') {
                json.push_str(&key);
            } else {
                quoted(&key, json);
            }
            if !self.took(':') {
                return None;
            }
            json.push(':');
            self.value(json)?;
            if !self.took(',') && !self.rest.starts_with('}') {
                return None;
            }
        }
        json.push('}');
        Some(())
    }

    fn list(&mut self, open: char, close: char, json: &mut String) -> Option<()> {
        self.took(open);
        json.push('[');
        let mut first = true;
        while !self.took(close) {
            if !first {
                json.push(',');
            }
            first = false;
            self.value(json)?;
            if !self.took(',') && !self.rest.starts_with(close) {
                return None;
            }
        }
        json.push(']');
        Some(())
    }

    fn text(&mut self) -> Option<String> {
        let mut letters = self.rest.chars();
        let quote = letters.next()?;
        let mut text = String::new();
        loop {
            match letters.next()? {
                letter if letter == quote => break,
                '\\' => match letters.next()? {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    'r' => text.push('\r'),
                    'x' => text.push(code(&mut letters, 2)?),
                    'u' => text.push(code(&mut letters, 4)?),
                    'U' => text.push(code(&mut letters, 8)?),
                    other => text.push(other),
                },
                other => text.push(other),
            }
        }
        self.rest = letters.as_str();
        Some(text)
    }

    /// `None`, `True`, a number, or a call around one text.
    fn word(&mut self, json: &mut String) -> Option<()> {
        let end = self.rest.find([',', '}', ']', ')', ':', '(']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end)?;
        let word = word.trim_end();
        if let Some(inside) = rest.strip_prefix('(') {
            let name =
                !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
            self.rest = inside;
            self.space();
            if !name || !self.rest.starts_with(['\'', '"']) {
                return None;
            }
            let text = self.text()?;
            quoted(&text, json);
            return self.took(')').then_some(());
        }
        self.rest = rest;
        match word {
            "None" => json.push_str("null"),
            "True" => json.push_str("true"),
            "False" => json.push_str("false"),
            _ => {
                let number = word.starts_with(|first: char| first.is_ascii_digit() || first == '-')
                    && serde_json::from_str::<&serde_json::value::RawValue>(word).is_ok();
                if !number {
                    return None;
                }
                json.push_str(word);
            }
        }
        Some(())
    }
}

fn code(letters: &mut std::str::Chars<'_>, digits: usize) -> Option<char> {
    let text: String = letters.take(digits).collect();
    if text.len() != digits {
        return None;
    }
    char::from_u32(u32::from_str_radix(&text, 16).ok()?)
}

fn quoted(text: &str, json: &mut String) {
    json.push_str(&Value::from(text).to_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_values_become_json() {
        for (python, json) in [
            ("{'order_id': '5130', 'amount': '45.50'}", r#"{"order_id":"5130","amount":"45.50"}"#),
            (
                r#"{'a': None, 'b': True, 'c': [1, -2.50], 'd': (False,), "it's": "x'y"}"#,
                r#"{"a":null,"b":true,"c":[1,-2.50],"d":[false],"it's":"x'y"}"#,
            ),
            (r"{'q': 'a\'b\n\xe9', 3: {}}", "{\"q\":\"a'b\\né\",\"3\":{}}"),
            ("{'amount': Decimal('45.50'), 'id': UUID(\"u\")}", r#"{"amount":"45.50","id":"u"}"#),
            (r#"{"order_id": "5130", "ok": true}"#, ""),
        ] {
            assert_eq!(to_json(python).as_deref(), Some(json).filter(|json| !json.is_empty()), "{python}");
        }
    }

    #[test]
    fn anything_else_is_not_guessed() {
        for text in [
            "",
            "refunded",
            "'x'",
            "{'a': }",
            "{'a' 1}",
            "{'a': 1",
            "{'a': f(1)}",
            "{'a': <object>}",
            "{1, 2}",
        ] {
            assert_eq!(to_json(text), None, "{text}");
        }
        assert_eq!(to_json(&"[".repeat(100)), None);
    }
}
