//! The values of one record that were wanted, as they stand in the file.

use std::borrow::Cow;

use super::want::{Fill, SLOTS};

/// What a token is, by its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A string.
    Text,
    /// A number.
    Number,
    /// `true`.
    True,
    /// `false`.
    False,
    /// `null`.
    Null,
    /// An object.
    Object,
    /// An array.
    Array,
}

impl Kind {
    /// The kind of a well-formed token.
    #[inline]
    pub fn of(token: &[u8]) -> Option<Kind> {
        Some(match token.first()? {
            b'"' => Kind::Text,
            b'-' | b'0'..=b'9' => Kind::Number,
            b't' => Kind::True,
            b'f' => Kind::False,
            b'n' => Kind::Null,
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            _ => return None,
        })
    }
}

/// Raw JSON tokens by slot number, borrowed from the record: quotes and all, numbers as written, so that no number
/// ever passes through a float (`1-model.md` 1.2). One `Slots` serves all records of a chunk.
#[derive(Debug, Clone)]
pub struct Slots<'a> {
    raw: [&'a str; SLOTS],
    rank: [u8; SLOTS],
    filled: u64,
    escaped: u64,
    doubled: u64,
}

impl Default for Slots<'_> {
    fn default() -> Self {
        Slots { raw: [""; SLOTS], rank: [0; SLOTS], filled: 0, escaped: 0, doubled: 0 }
    }
}

impl<'a> Slots<'a> {
    /// Empty slots.
    pub fn new() -> Self {
        Slots::default()
    }

    /// The raw token of a slot; `None` when its path was not there.
    #[inline]
    pub fn raw(&self, slot: usize) -> Option<&'a [u8]> {
        if has(self.filled, slot) { self.raw.get(slot).map(|token| token.as_bytes()) } else { None }
    }

    /// What the slot holds.
    pub fn kind(&self, slot: usize) -> Option<Kind> {
        Kind::of(self.raw(slot)?)
    }

    /// Whether the slot holds a string with an escape in it.
    pub fn is_escaped(&self, slot: usize) -> bool {
        has(self.escaped, slot)
    }

    /// Whether two names of equal right were there for the slot (only with [`super::Want::loose`]): the first is
    /// kept, and the guess is not unique (`7-commands.md` 7.5.8).
    pub fn is_doubled(&self, slot: usize) -> bool {
        has(self.doubled, slot)
    }

    /// Whether the path was there with the value `null`.
    pub fn is_null(&self, slot: usize) -> bool {
        self.kind(slot) == Some(Kind::Null)
    }

    /// The token as text.
    #[inline]
    fn token(&self, slot: usize) -> Option<&'a str> {
        if has(self.filled, slot) { self.raw.get(slot).copied() } else { None }
    }

    /// The decoded string; a number, `true` or `false` as its token; `None` for null, objects, arrays and what is
    /// not there.
    #[inline]
    pub fn text(&self, slot: usize) -> Option<Cow<'a, str>> {
        let token = self.token(slot)?;
        match Kind::of(token.as_bytes())? {
            Kind::Text if self.is_escaped(slot) => decoded(token.as_bytes()).map(Cow::Owned),
            Kind::Text => token.get(1..token.len().saturating_sub(1)).map(Cow::Borrowed),
            Kind::Number | Kind::True | Kind::False => Some(Cow::Borrowed(token)),
            Kind::Null | Kind::Object | Kind::Array => None,
        }
    }

    /// The text of a string without escapes that is not empty, as it stands there: nearly every value. `None` for
    /// everything else, see [`Slots::text`].
    #[inline]
    pub fn plain(&self, slot: usize) -> Option<&'a str> {
        let bit = 1 << (slot % SLOTS);
        if self.filled & !self.escaped & bit == 0 {
            return None;
        }
        let token = *self.raw.get(slot)?;
        // A string token has two quotes, so what is longer holds a text.
        let is_text = token.as_bytes().first() == Some(&b'"') && token.len() > 2;
        if is_text { token.get(1..token.len() - 1) } else { None }
    }

    /// The text of a JSON number as written; `None` for everything else, also for digits in a string.
    pub fn number(&self, slot: usize) -> Option<&'a str> {
        self.token(slot).filter(|token| Kind::of(token.as_bytes()) == Some(Kind::Number))
    }

    /// A bit for each slot that is there.
    #[inline]
    pub fn filled(&self) -> u64 {
        self.filled
    }

    /// Slot and token of everything that is there.
    pub(super) fn tokens(&self) -> impl Iterator<Item = (u8, &'a str)> {
        (0u8..).zip(self.raw).filter(|(slot, _)| has(self.filled, usize::from(*slot)))
    }

    /// Lays a token into a slot; it counts once [`Slots::fill`] says so.
    #[inline]
    pub(super) fn lay(&mut self, slot: u8, token: &'a str) {
        self.raw[usize::from(slot) % SLOTS] = token;
    }

    /// Says which slots are there, and which of them have escapes.
    #[inline]
    pub(super) fn fill(&mut self, filled: u64, escaped: u64) {
        (self.filled, self.escaped) = (filled, escaped);
    }

    /// The slots of which [`Slots::is_doubled`] tells.
    pub(super) fn doubled_set(&self) -> u64 {
        self.doubled
    }

    /// See [`Slots::doubled_set`].
    pub(super) fn set_doubled(&mut self, doubled: u64) {
        self.doubled = doubled;
    }

    /// Forgets everything, for the next record.
    pub(super) fn clear(&mut self) {
        (self.filled, self.escaped, self.doubled) = (0, 0, 0);
    }

    /// Offers a token to a slot: a lower rank wins.
    #[inline]
    pub(super) fn put(&mut self, fill: Fill, token: &'a str, escaped: bool) {
        let slot = usize::from(fill.slot) % SLOTS;
        let bit = 1 << slot;
        if self.filled & bit != 0 {
            if self.rank[slot] == fill.rank {
                self.doubled |= bit;
            }
            if self.rank[slot] <= fill.rank {
                return;
            }
            self.doubled &= !bit;
        }
        self.filled |= bit;
        self.escaped = (self.escaped & !bit) | (u64::from(escaped) << slot);
        self.rank[slot] = fill.rank;
        self.raw[slot] = token;
    }
}

#[inline]
fn has(set: u64, slot: usize) -> bool {
    slot < SLOTS && set & (1 << slot) != 0
}

/// The text of a string token.
pub(super) fn decoded(token: &[u8]) -> Option<String> {
    serde_json::from_slice(token).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::json::{Parser, Reader, Want};

    const LINE: &[u8] =
        br#"{"s":"plain","e":"a\u00e9\n\"","n":-12.50e2,"t":true,"f":false,"z":null,"o":{"a":1},"l":[1, 2]}"#;
    const WANTED: &[&[&str]] =
        &[&["s"], &["e"], &["n"], &["t"], &["f"], &["z"], &["o"], &["l"], &["missing"]];

    #[test]
    fn accessors_by_kind() {
        for parser in [Parser::Shapes, Parser::Scan, Parser::Serde] {
            let mut reader = Reader::new(Want::exact(WANTED).unwrap(), parser);
            let mut slots = Slots::new();
            reader.read(LINE, &mut slots).unwrap();
            let texts: Vec<_> = (0..9).map(|slot| slots.text(slot)).collect();
            let want = [
                Some("plain"),
                Some("a\u{e9}\n\""),
                Some("-12.50e2"),
                Some("true"),
                Some("false"),
                None,
                None,
                None,
            ];
            assert_eq!(texts.iter().take(8).map(Option::as_deref).collect::<Vec<_>>(), want);
            assert_eq!(texts[8], None);
            assert_eq!((0..9).map(|slot| slots.is_escaped(slot)).filter(|x| *x).count(), 1);
            assert!(slots.is_escaped(1));
            assert_eq!(slots.number(2), Some("-12.50e2"));
            assert_eq!(slots.number(0), None);
            assert_eq!((slots.is_null(5), slots.is_null(8)), (true, false));
            assert_eq!(
                (slots.kind(6), slots.kind(7), slots.kind(8)),
                (Some(Kind::Object), Some(Kind::Array), None)
            );
            assert_eq!(slots.raw(7), Some(&b"[1, 2]"[..]));
            assert_eq!(slots.raw(0), Some(&b"\"plain\""[..]));
            assert_eq!((slots.raw(64), slots.is_null(1000)), (None, false));
        }
    }

    #[test]
    fn the_first_name_of_a_list_wins_wherever_it_stands() {
        let want = Want::exact(&[&["a", "b", "c.d"]]).unwrap();
        for parser in [Parser::Shapes, Parser::Scan, Parser::Serde] {
            let mut reader = Reader::new(want.clone(), parser);
            for (line, token) in [
                (r#"{"a":1,"b":2,"c":{"d":3}}"#, Some("1")),
                (r#"{"c":{"d":3},"b":"\n2","a":1}"#, Some("1")),
                (r#"{"b":2,"c":{"d":3}}"#, Some("2")),
                (r#"{"c":{"d":3}}"#, Some("3")),
                (r#"{"c":[{"d":3}]}"#, None),
                (r#"{"a":null,"b":2}"#, Some("null")),
            ] {
                let mut slots = Slots::new();
                reader.read(line.as_bytes(), &mut slots).unwrap();
                assert_eq!(slots.raw(0), token.map(str::as_bytes), "{line}");
                assert!(!slots.is_escaped(0) && !slots.is_doubled(0));
            }
        }
    }

    #[test]
    fn two_names_that_are_alike_are_told() {
        let want = Want::loose(&[&["order_id", "order"]]).unwrap();
        for parser in [Parser::Shapes, Parser::Scan, Parser::Serde] {
            let mut reader = Reader::new(want.clone(), parser);
            for (line, token, doubled) in [
                (r#"{"OrderId":1,"order-id":2}"#, "1", true),
                (r#"{"Order":1,"order":3,"order-id":2}"#, "2", false),
                (r#"{"ORDER ID":1,"order":2}"#, "1", false),
            ] {
                let mut slots = Slots::new();
                reader.read(line.as_bytes(), &mut slots).unwrap();
                assert_eq!((slots.raw(0), slots.is_doubled(0)), (Some(token.as_bytes()), doubled), "{line}");
            }
        }
    }
}
