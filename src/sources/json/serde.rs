//! The same reading on `serde_json`: the judge of the scanner, and a reader in its own right.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use ::serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use memchr::memchr2;
use serde_json::value::RawValue;

use super::slots::Slots;
use super::want::{Found, Goal, NONE, ROOT, Want};
use super::{DEPTH, Why};

/// `serde_json` gives up at its own depth, which is one less than ours: from here on values are read by a
/// deserializer of their own.
const FRESH: usize = 100;

/// Up to this many keys of one object are compared each with each, more through a set.
const FEW: usize = 24;

/// Reads one record, strictly.
pub(super) fn read<'a>(line: &'a [u8], want: &Want, slots: &mut Slots<'a>) -> Result<(), Why> {
    slots.clear();
    let text = std::str::from_utf8(line).map_err(|error| Why::NotUtf8 { at: error.valid_up_to() })?;
    let mut pass = Pass { line, text, want, slots, why: None };
    pass.run(text, ROOT, 0).map_err(|Stopped| pass.why.unwrap_or(Why::Syntax { message: "?".into(), at: 0 }))
}

struct Pass<'a, 's> {
    line: &'a [u8],
    text: &'a str,
    want: &'s Want,
    slots: &'s mut Slots<'a>,
    /// The first thing that was wrong.
    why: Option<Why>,
}

/// Reading stopped, the reason stands in the pass.
struct Stopped;

impl<'a> Pass<'a, '_> {
    /// Reads a whole text, either the record or a value in it that begins inside `depth` open ones.
    fn run(&mut self, text: &'a str, node: u16, depth: usize) -> Result<(), Stopped> {
        let mut json = serde_json::Deserializer::from_str(text);
        let read = Value { pass: self, node, depth }.deserialize(&mut json).and_then(|()| json.end());
        read.map_err(|error| {
            let base = self.place(text);
            self.why.get_or_insert_with(|| syntax(&error, text, base));
            Stopped
        })
    }

    /// Reads what is inside a value that was taken as raw text.
    fn inside(&mut self, raw: &'a RawValue, node: u16, depth: usize) -> Result<(), Stopped> {
        let text = raw.get();
        match text.as_bytes().first() {
            Some(b'{' | b'[') => self.run(text, node, depth),
            Some(b'"') if text.contains('\\') => self.run(text, node, depth),
            _ => Ok(()),
        }
    }

    /// Where the value of a key begins, if it is a string. Taking strings as they are parsed, and only the rest as
    /// raw values, saves a third of the time; keys with escapes go the long way.
    fn text_after(&self, key: Option<&'a str>) -> Option<usize> {
        let key = key?;
        let space =
            |at: usize| at + self.line.get(at..).map_or(0, |rest| rest.len() - rest.trim_ascii_start().len());
        let colon = space(self.place(key) + key.len() + 1);
        let at = space(colon + 1);
        if self.line.get(at) == Some(&b'"') { Some(at) } else { None }
    }

    /// The token of a string with escapes that was read and found good.
    fn text_token(&self, start: usize) -> &'a str {
        let mut end = start + 1;
        while let Some(stop) = self.line.get(end..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
            end += stop + 1;
            if self.line.get(end - 1) == Some(&b'"') {
                break;
            }
            end += 1;
        }
        self.text.get(start..end).unwrap_or_default()
    }

    /// Where a part of the record stands in it.
    fn place(&self, part: &'a str) -> usize {
        (part.as_ptr() as usize).saturating_sub(self.line.as_ptr() as usize)
    }

    fn fill(&mut self, goal: Goal, token: &'a str, escaped: bool) {
        let mut at = goal.fill;
        while let Some(fill) = self.want.fill(at) {
            self.slots.put(fill, token, escaped);
            at = fill.next;
        }
    }

    /// Keeps the reason and gives the library an error to stop at.
    fn stop<E: ::serde::de::Error>(&mut self, why: Why) -> E {
        self.why.get_or_insert(why);
        E::custom("stopped")
    }
}

fn syntax(error: &serde_json::Error, text: &str, base: usize) -> Why {
    let place = format!(" at line {} column {}", error.line(), error.column());
    let words = error.to_string();
    let before = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    Why::Syntax {
        message: words.strip_suffix(&place).unwrap_or(&words).to_owned(),
        at: base + before + error.column().saturating_sub(1),
    }
}

/// Reads one value and everything in it.
struct Value<'p, 'a, 's> {
    pass: &'p mut Pass<'a, 's>,
    node: u16,
    depth: usize,
}

impl<'a> DeserializeSeed<'a> for Value<'_, 'a, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for Value<'_, 'a, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut items: A) -> Result<(), A::Error> {
        let Value { pass, depth, .. } = self;
        let depth = depth + 1;
        if depth > DEPTH {
            return Err(pass.stop(Why::TooDeep));
        }
        if depth == FRESH {
            while let Some(raw) = items.next_element::<&'a RawValue>()? {
                pass.inside(raw, NONE, depth).map_err(|Stopped| A::Error::custom("stopped"))?;
            }
            return Ok(());
        }
        while items.next_element_seed(Value { pass: &mut *pass, node: NONE, depth })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'a>>(self, mut fields: A) -> Result<(), A::Error> {
        let Value { pass, node, depth } = self;
        let depth = depth + 1;
        if depth > DEPTH {
            return Err(pass.stop(Why::TooDeep));
        }
        let (mut seen, mut guess) = (Seen::default(), 0);
        while let Some(Text(key)) = fields.next_key_seed(TextSeed)? {
            let found = pass.want.find(node, key.as_bytes(), guess);
            let goal = found.map_or(Goal::NOTHING, |found| found.goal);
            guess = found.map_or(guess, |found| found.number + 1);
            let borrowed = if let Cow::Borrowed(key) = key { Some(key) } else { None };
            let text = if goal.fill == NONE { None } else { pass.text_after(borrowed) };
            if let Some(key) = seen.add(key, found) {
                let key = key.into_owned();
                return Err(pass.stop(Why::KeyTwice { key }));
            }
            if goal.fill == NONE && depth != FRESH {
                fields.next_value_seed(Value { pass: &mut *pass, node: goal.child, depth })?;
                continue;
            }
            if let Some(start) = text {
                match fields.next_value_seed(TextSeed)? {
                    Text(Cow::Borrowed(text)) => {
                        let token = pass.text.get(start..start + text.len() + 2).unwrap_or_default();
                        pass.fill(goal, token, false);
                    }
                    Text(Cow::Owned(_)) => pass.fill(goal, pass.text_token(start), true),
                }
                continue;
            }
            let raw = fields.next_value::<&'a RawValue>()?;
            pass.inside(raw, goal.child, depth).map_err(|Stopped| A::Error::custom("stopped"))?;
            let token = raw.get();
            pass.fill(goal, token, token.starts_with('"') && token.contains('\\'));
        }
        Ok(())
    }
}

/// The keys of one object.
#[derive(Default)]
struct Seen<'a> {
    /// The wanted names, by number.
    wanted: u64,
    few: Vec<Cow<'a, str>>,
    many: Option<HashSet<Cow<'a, str>>>,
}

impl<'a> Seen<'a> {
    /// Takes a key; gives it back when it is there already.
    fn add(&mut self, key: Cow<'a, str>, found: Option<Found>) -> Option<Cow<'a, str>> {
        if let Some(bit) =
            found.filter(|found| found.exact && found.number < 64).map(|found| 1 << found.number)
        {
            let twice = self.wanted & bit != 0;
            self.wanted |= bit;
            return if twice { Some(key) } else { None };
        }
        if self.few.contains(&key) {
            return Some(key);
        }
        if self.few.len() < FEW {
            self.few.push(key);
            return None;
        }
        let many = self.many.get_or_insert_with(HashSet::new);
        if many.contains(&key) {
            return Some(key);
        }
        many.insert(key);
        None
    }
}

/// A key or a string, borrowed where it has no escapes.
struct Text<'a>(Cow<'a, str>);

struct TextSeed;

impl<'a> DeserializeSeed<'a> for TextSeed {
    type Value = Text<'a>;

    fn deserialize<D: Deserializer<'a>>(self, json: D) -> Result<Text<'a>, D::Error> {
        json.deserialize_str(self)
    }
}

impl<'a> Visitor<'a> for TextSeed {
    type Value = Text<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, key: &'a str) -> Result<Text<'a>, E> {
        Ok(Text(Cow::Borrowed(key)))
    }

    fn visit_str<E>(self, key: &str) -> Result<Text<'a>, E> {
        Ok(Text(Cow::Owned(key.to_owned())))
    }
}
