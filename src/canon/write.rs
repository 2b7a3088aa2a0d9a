//! The canonical form of a JSON text. `serde_json` checks the grammar once for the whole text and then gives the
//! raw text of the parts of each level; this file sorts and writes them.

use std::fmt::{self, Write as _};

use serde::de::{Deserialize, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::number::canonical_number;
use super::{DEEPEST, NotCanonical};

/// The canonical form (RFC 8785) of a JSON text.
///
/// # Errors
/// [`NotCanonical`] where the text is not JSON, or has a name twice in one object, half of a surrogate pair, a
/// whole number beyond 2^53-1, a number that is not finite, or more than 128 levels.
pub fn canonical(json: &str) -> Result<String, NotCanonical> {
    // Checked first: what follows takes one call for each level.
    if depth(json) > DEEPEST {
        return Err(NotCanonical::TooDeep);
    }
    let raw: &RawValue = part(json)?;
    let mut writer = Writer { out: String::with_capacity(json.len()), at: Vec::new() };
    writer.value(raw.get())?;
    Ok(writer.out)
}

/// The deepest level of arrays and objects. Right for every text that is JSON; others are refused afterwards.
fn depth(json: &str) -> usize {
    let (mut now, mut deepest, mut in_text, mut escaped) = (0_usize, 0, false, false);
    for byte in json.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'[' | b'{' => {
                now += 1;
                deepest = deepest.max(now);
            }
            b']' | b'}' => now = now.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Reads a part of the text.
fn part<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, NotCanonical> {
    serde_json::from_str(json).map_err(|why| NotCanonical::NotJson(why.to_string()))
}

/// The members of an object as written, in their order: raw name and raw value.
struct Members<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(All)
    }
}

/// Characters of a name that an error repeats.
const LONGEST_NAME: usize = 60;

/// A step of the place that an error names.
enum Step {
    Name(String),
    Index(usize),
}

struct Writer {
    out: String,
    at: Vec<Step>,
}

impl Writer {
    fn value(&mut self, raw: &str) -> Result<(), NotCanonical> {
        match raw.as_bytes().first() {
            Some(b'{') => self.object(part::<Members<'_>>(raw)?.0),
            Some(b'[') => self.array(&part::<Vec<&RawValue>>(raw)?),
            Some(b'"') => {
                let decoded = self.decoded(raw)?;
                text(&decoded, &mut self.out);
                Ok(())
            }
            Some(b't' | b'f' | b'n') => {
                self.out.push_str(raw);
                Ok(())
            }
            _ => {
                let number = canonical_number(raw, || self.place())?;
                self.out.push_str(&number);
                Ok(())
            }
        }
    }

    fn array(&mut self, items: &[&RawValue]) -> Result<(), NotCanonical> {
        self.out.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.at.push(Step::Index(index));
            self.value(item.get())?;
            self.at.pop();
        }
        self.out.push(']');
        Ok(())
    }

    fn object(&mut self, raw: Vec<(&RawValue, &RawValue)>) -> Result<(), NotCanonical> {
        let mut members = Vec::with_capacity(raw.len());
        for (name, value) in raw {
            members.push((self.decoded(name.get())?, value.get()));
        }
        members.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
        if let Some(twice) = members.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            self.at.push(Step::Name(twice[0].0.clone()));
            return Err(NotCanonical::Duplicate { at: self.place() });
        }
        self.out.push('{');
        for (index, (name, value)) in members.into_iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            text(&name, &mut self.out);
            self.out.push(':');
            self.at.push(Step::Name(name));
            self.value(value)?;
            self.at.pop();
        }
        self.out.push('}');
        Ok(())
    }

    /// The text of a string token. Its grammar was checked before, so that only a surrogate can be wrong.
    fn decoded(&self, token: &str) -> Result<String, NotCanonical> {
        serde_json::from_str(token).map_err(|_| NotCanonical::LoneSurrogate { at: self.place() })
    }

    fn place(&self) -> String {
        let mut place = String::new();
        for step in &self.at {
            match step {
                Step::Index(index) => {
                    let _ = write!(place, "[{index}]");
                }
                Step::Name(name) => {
                    if !place.is_empty() {
                        place.push('.');
                    }
                    place.extend(name.chars().take(LONGEST_NAME));
                }
            }
        }
        if place.is_empty() { "the value".to_owned() } else { place }
    }
}

/// Writes a text with the escapes that JSON demands and no others.
pub(super) fn text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\0'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}
