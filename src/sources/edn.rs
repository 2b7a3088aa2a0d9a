//! EDN as JSON: what Clojure programs print, form by form, for who reads records as JSON.
//!
//! Keywords and symbols become texts without their colon, tagged values their value, sets and lists arrays. Numbers
//! keep their digits. Nothing is evaluated.

use std::fmt::Write as _;

/// Forms may stand in each other so deep.
const DEPTH: usize = super::json::DEPTH;

/// One form at the top of a text, as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// Where its first byte stands.
    pub offset: usize,
    /// Its bytes in the text.
    pub len: usize,
    /// It as JSON, or what is wrong with it in words.
    pub json: Result<String, String>,
}

/// The forms of a text, in order. A vector or list at the top gives what is in it. A form that cannot be read costs
/// itself: reading goes on with the next line.
pub fn forms(text: &str) -> Vec<Form> {
    let mut read = Read { text: text.as_bytes(), at: 0, depth: 0 };
    let mut forms = Vec::new();
    let mut listed = false;
    loop {
        match read.space() {
            Ok(()) => {}
            Err(what) => {
                let offset = read.at;
                read.next_line(offset);
                forms.push(Form { offset, len: read.at - offset, json: Err(what) });
                continue;
            }
        }
        let offset = read.at;
        match read.peek() {
            None => return forms,
            Some(b'[' | b'(') if !listed && forms.is_empty() => {
                listed = true;
                read.at += 1;
                continue;
            }
            Some(b']' | b')') if listed => {
                read.at += 1;
                continue;
            }
            Some(_) => {}
        }
        let mut json = String::new();
        read.depth = 0;
        let result = read.form(&mut json);
        if result.is_err() {
            read.next_line(offset);
        }
        let end = read.at.max(offset + 1).min(text.len());
        read.at = end;
        let len = text.get(offset..end).unwrap_or_default().trim_end().len();
        forms.push(Form { offset, len, json: result.map(|()| json) });
    }
}

/// One form as JSON, with nothing but white space and comments around it.
///
/// # Errors
/// What is wrong, in words.
pub fn to_json(text: &str) -> Result<String, String> {
    let mut read = Read { text: text.as_bytes(), at: 0, depth: 0 };
    let mut json = String::new();
    read.space()?;
    read.form(&mut json)?;
    read.space()?;
    if read.at < text.len() { Err(format!("more after the form at byte {}", read.at)) } else { Ok(json) }
}

struct Read<'t> {
    text: &'t [u8],
    at: usize,
    depth: usize,
}

impl Read<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn next_line(&mut self, from: usize) {
        let rest = self.text.get(from..).unwrap_or_default();
        self.at = from + memchr::memchr(b'\n', rest).map_or(rest.len(), |feed| feed + 1);
    }

    /// Over white space, commas, comments and what `#_` takes out.
    fn space(&mut self) -> Result<(), String> {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b',' | 0x0c => self.at += 1,
                b';' => self.next_line(self.at),
                b'#' if self.text.get(self.at + 1) == Some(&b'_') => {
                    self.at += 2;
                    self.deeper()?;
                    let dropped = self.form(&mut String::new());
                    self.depth -= 1;
                    dropped?;
                }
                _ => break,
            }
        }
        Ok(())
    }

    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > DEPTH { Err(format!("nested more than {DEPTH} deep")) } else { Ok(()) }
    }

    /// A line that begins like a new record while one is open: the one before it is cut off.
    fn begins_record(&self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let first = self.at == 0 || self.text.get(self.at - 1) == Some(&b'\n');
        first && (rest.starts_with(b"{:") || rest.starts_with(b"#jepsen"))
    }

    fn form(&mut self, json: &mut String) -> Result<(), String> {
        self.space()?;
        let Some(byte) = self.peek() else {
            return Err("it does not end: cut off".to_owned());
        };
        if self.depth > 0 && self.begins_record() {
            return Err("it does not end: cut off".to_owned());
        }
        self.deeper()?;
        match byte {
            b'{' => self.map(json),
            b'[' => self.list(b']', json),
            b'(' => self.list(b')', json),
            b'"' => {
                let text = self.text()?;
                quoted(&text, json);
                Ok(())
            }
            b'\\' => self.letter(json),
            b'#' => self.tagged(json),
            b'}' | b']' | b')' => Err(format!("a bracket that nothing opened at byte {}", self.at)),
            _ => self.atom(json),
        }?;
        self.depth -= 1;
        Ok(())
    }

    fn map(&mut self, json: &mut String) -> Result<(), String> {
        self.at += 1;
        json.push('{');
        let mut first = true;
        loop {
            self.space()?;
            if self.peek() == Some(b'}') {
                self.at += 1;
                json.push('}');
                return Ok(());
            }
            let mut key = String::new();
            self.form(&mut key)?;
            self.space()?;
            if self.peek() == Some(b'}') {
                return Err(format!("a key without a value at byte {}", self.at));
            }
            if !first {
                json.push(',');
            }
            first = false;
            if key.starts_with('"') {
                json.push_str(&key);
            } else {
                quoted(&key, json);
            }
            json.push(':');
            self.form(json)?;
        }
    }

    fn list(&mut self, end: u8, json: &mut String) -> Result<(), String> {
        self.at += 1;
        json.push('[');
        let mut first = true;
        loop {
            self.space()?;
            if self.peek() == Some(end) {
                self.at += 1;
                json.push(']');
                return Ok(());
            }
            if !first {
                json.push(',');
            }
            first = false;
            self.form(json)?;
        }
    }

    fn tagged(&mut self, json: &mut String) -> Result<(), String> {
        self.at += 1;
        match self.peek() {
            Some(b'{') => self.list_from(b'}', json),
            // `##Inf`, `##NaN`
            Some(b'#') => {
                self.at += 1;
                let name = self.word();
                quoted(&name, json);
                Ok(())
            }
            _ => {
                self.word();
                self.form(json)
            }
        }
    }

    /// A set.
    fn list_from(&mut self, end: u8, json: &mut String) -> Result<(), String> {
        self.list(end, json)
    }

    fn text(&mut self) -> Result<String, String> {
        let from = self.at;
        self.at += 1;
        let mut text = Vec::new();
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'"' => {
                    return String::from_utf8(text).map_err(|_| "not UTF-8".to_owned());
                }
                b'\\' => {
                    let Some(escaped) = self.peek() else { break };
                    self.at += 1;
                    match escaped {
                        b'n' => text.push(b'\n'),
                        b't' => text.push(b'\t'),
                        b'r' => text.push(b'\r'),
                        b'b' => text.push(8),
                        b'f' => text.push(12),
                        b'u' => {
                            let letter = self
                                .unicode()
                                .ok_or_else(|| format!("an escape that is none at byte {}", self.at))?;
                            text.extend(letter.encode_utf8(&mut [0; 4]).bytes());
                        }
                        other => text.push(other),
                    }
                }
                other => text.push(other),
            }
        }
        Err(format!("the text at byte {from} does not end"))
    }

    fn unicode(&mut self) -> Option<char> {
        let digits = self.text.get(self.at..self.at + 4)?;
        let code = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        self.at += 4;
        Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// `\a`, `\newline`.
    fn letter(&mut self, json: &mut String) -> Result<(), String> {
        self.at += 1;
        let mut word = self.word();
        if word.is_empty() {
            // A bracket or a blank as a letter.
            let byte = self.peek().ok_or("it does not end: cut off")?;
            self.at += 1;
            word.push(char::from(byte));
        }
        let named = match word.as_str() {
            "newline" => "\n",
            "space" => " ",
            "tab" => "\t",
            "return" => "\r",
            other => other,
        };
        quoted(named, json);
        Ok(())
    }

    /// Up to the next blank or bracket.
    fn word(&mut self) -> String {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let ends = |byte: &u8| {
            matches!(
                byte,
                b' ' | b'\t' | b'\r' | b'\n' | b',' | b'{' | b'}' | b'[' | b']' | b'(' | b')' | b'"' | b';'
            )
        };
        let len = rest.iter().position(ends).unwrap_or(rest.len());
        let word = String::from_utf8_lossy(rest.get(..len).unwrap_or_default()).into_owned();
        self.at += len;
        word
    }

    fn atom(&mut self, json: &mut String) -> Result<(), String> {
        let from = self.at;
        let word = self.word();
        match word.as_str() {
            "" => return Err(format!("nothing that can be read at byte {from}")),
            "nil" => json.push_str("null"),
            "true" | "false" => json.push_str(&word),
            _ => match number(&word) {
                Some(number) => json.push_str(number),
                None => quoted(word.strip_prefix(':').unwrap_or(&word), json),
            },
        }
        Ok(())
    }
}

/// The digits of a number as JSON writes them: `5N` and `4.5M` without their letter. What JSON cannot write (ratios,
/// other bases) stays a text.
fn number(word: &str) -> Option<&str> {
    let bare = word.strip_suffix(['N', 'M']).unwrap_or(word);
    let bare = bare.strip_prefix('+').unwrap_or(bare);
    let begins = bare.strip_prefix('-').unwrap_or(bare).starts_with(|first: char| first.is_ascii_digit());
    (begins && serde_json::from_str::<&serde_json::value::RawValue>(bare).is_ok()).then_some(bare)
}

/// A text as JSON writes it.
fn quoted(text: &str, json: &mut String) {
    // Writing to a text cannot fail, and every text has a JSON form.
    let _ = write!(json, "{}", serde_json::Value::from(text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_become_json() {
        for (edn, json) in [
            (
                "{:type :invoke, :value {:order 4812 :cents 20000N}}",
                r#"{"type":"invoke","value":{"order":4812,"cents":20000}}"#,
            ),
            (r#"[:timeout "a \"b\" \u00e9\n"]"#, r#"["timeout","a \"b\" é\n"]"#),
            ("#jepsen.history.Op{:f :read, :value nil}", r#"{"f":"read","value":null}"#),
            (r#"#inst "2026-09-01""#, r#""2026-09-01""#),
            ("#{1 2.50M -3}", "[1,2.50,-3]"),
            ("(a true false 1/3 ##Inf +7)", r#"["a",true,false,"1/3","Inf",7]"#),
            (r"[\a \newline \(]", r#"["a","\n","("]"#),
            ("{1 2, \"k\" :v, :n/s 0}", r#"{"1":2,"k":"v","n/s":0}"#),
            ("[1 #_ {:a 2} 3] ; end", "[1,3]"),
        ] {
            assert_eq!(to_json(edn).as_deref(), Ok(json), "{edn}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for edn in ["", "{:a}", "{:a 1", "[1 2", "]", "\"x", "{:a 1} 2", "#_", "[1 }", &"[".repeat(200)] {
            assert!(to_json(edn).is_err(), "{edn}");
        }
    }

    #[test]
    fn a_broken_form_costs_itself() {
        let text = "{:a 1}\n{:b {:c 2\n{:d 3} ; note\n\n; comment\n{:e 4]}\n{:f 5}\n{:g";
        let found: Vec<(usize, bool)> = forms(text).iter().map(|f| (f.offset, f.json.is_ok())).collect();
        assert_eq!(found, [(0, true), (7, false), (17, true), (42, false), (50, true), (57, false)]);
        let spans: Vec<&str> =
            forms(text).iter().map(|f| text.get(f.offset..f.offset + f.len).unwrap()).collect();
        assert_eq!(spans, ["{:a 1}", "{:b {:c 2", "{:d 3}", "{:e 4]}", "{:f 5}", "{:g"]);
    }

    #[test]
    fn a_vector_at_the_top_gives_what_is_in_it() {
        let found: Vec<_> = forms("[{:a 1}\n {:b 2}]\n").into_iter().map(|f| f.json.unwrap()).collect();
        assert_eq!(found, [r#"{"a":1}"#, r#"{"b":2}"#]);
        assert!(forms("; nothing\n").is_empty());
    }
}
