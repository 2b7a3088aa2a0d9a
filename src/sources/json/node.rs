//! A look into one JSON value without reading it as a whole: members, elements, and where each of them stands.
//!
//! For the formats whose calls stand deep inside documents. The value was found to be strict JSON before
//! ([`super::check`]); on anything else nothing is found and nothing goes wrong.

use std::borrow::Cow;

use super::slots::{Kind, decoded};
use super::tape::Tape;
use crate::sources::frame::end_of;

/// One value with the place of its first byte.
#[derive(Debug, Clone, Copy)]
pub struct Node<'a> {
    token: &'a [u8],
    at: u64,
    /// Where the values in it stand, if that was noted: the tape, and the number of this value.
    notes: Option<(&'a Tape, u32)>,
}

impl PartialEq for Node<'_> {
    /// The same bytes at the same place, noted or not.
    fn eq(&self, other: &Self) -> bool {
        (self.token, self.at) == (other.token, other.at)
    }
}

impl Eq for Node<'_> {}

impl<'a> Node<'a> {
    /// A value that stands at `at`; white space before it is passed over.
    pub fn new(token: &'a [u8], at: u64) -> Self {
        let from = space(token, 0);
        let token = token.get(from..).unwrap_or_default().trim_ascii_end();
        Self { token, at: at + from as u64, notes: None }
    }

    /// A record that stands at `at` and was noted on this tape.
    pub fn noted(record: &'a [u8], at: u64, tape: &'a Tape) -> Self {
        Self { notes: (!tape.is_empty()).then_some((tape, 0)), ..Self::new(record, at) }
    }

    /// Its bytes as they stand.
    pub fn raw(self) -> &'a [u8] {
        self.token
    }

    /// Where its first byte stands.
    pub fn at(self) -> u64 {
        self.at
    }

    /// What it is.
    pub fn kind(self) -> Option<Kind> {
        Kind::of(self.token)
    }

    /// It is an object.
    pub fn is_object(self) -> bool {
        self.kind() == Some(Kind::Object)
    }

    /// It is an array.
    pub fn is_array(self) -> bool {
        self.kind() == Some(Kind::Array)
    }

    /// The member of this name; `None` where it is absent or null.
    pub fn get(self, name: &str) -> Option<Node<'a>> {
        self.members().find(|(known, _)| known.is(name)).map(|(_, node)| node).filter(|node| !node.is_null())
    }

    /// A member of a member.
    pub fn path(self, names: &[&str]) -> Option<Node<'a>> {
        names.iter().try_fold(self, |node, name| node.get(name))
    }

    /// The value is null.
    pub fn is_null(self) -> bool {
        self.kind() == Some(Kind::Null)
    }

    /// A decoded string; a number, `true` or `false` as written; `None` for what holds others and for an empty text.
    pub fn text(self) -> Option<Cow<'a, str>> {
        match self.kind()? {
            Kind::Text => self.string(),
            Kind::Number | Kind::True | Kind::False => {
                std::str::from_utf8(self.token).ok().map(Cow::Borrowed)
            }
            Kind::Null | Kind::Object | Kind::Array => None,
        }
        .filter(|text| !text.is_empty())
    }

    /// A decoded string, and nothing else.
    pub fn string(self) -> Option<Cow<'a, str>> {
        if self.kind() != Some(Kind::Text) {
            return None;
        }
        let inside = self.token.get(1..self.token.len().saturating_sub(1))?;
        if memchr::memchr(b'\\', inside).is_some() {
            return decoded(self.token).map(Cow::Owned);
        }
        std::str::from_utf8(inside).ok().map(Cow::Borrowed)
    }

    /// The member as a text.
    pub fn text_of(self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name)?.text()
    }

    /// The member is `true` or `false`.
    pub fn truth_of(self, name: &str) -> Option<bool> {
        match self.get(name)?.kind()? {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    /// The members of an object in their order, nulls too.
    #[inline]
    pub fn members(self) -> Members<'a> {
        Members { inside: Inside::of(self, self.is_object()) }
    }

    /// The elements of an array in their order, nulls too.
    #[inline]
    pub fn items(self) -> Items<'a> {
        Items { inside: Inside::of(self, self.is_array()) }
    }

    /// The text of a JSON string that itself holds an object or array in strict JSON. Look into it with
    /// [`Node::new`]; places in it are those of nothing.
    pub fn embedded(self) -> Option<String> {
        let text = self.string()?;
        let holds = text.trim_start().starts_with(['{', '[']);
        (holds && super::check(text.as_bytes()).is_ok()).then(|| text.into_owned())
    }
}

/// The name of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name<'a>(&'a [u8]);

impl<'a> Name<'a> {
    /// Whether it is this name.
    #[inline]
    pub fn is(self, name: &str) -> bool {
        // A name with an escape in it is longer than the name that it stands for.
        self.0 == name.as_bytes()
            || (self.0.len() > name.len() && self.0.contains(&b'\\') && self.text() == name)
    }

    /// Decoded.
    pub fn text(self) -> Cow<'a, str> {
        if self.0.contains(&b'\\') {
            let token = [b"\"", self.0, b"\""].concat();
            return decoded(&token).map(Cow::Owned).unwrap_or_default();
        }
        std::str::from_utf8(self.0).map(Cow::Borrowed).unwrap_or_default()
    }
}

/// What stands in an object or array.
#[derive(Debug, Clone)]
struct Inside<'a> {
    of: Node<'a>,
    /// Where it begins in its record, if it was noted.
    from: u32,
    /// The next value: by its place in the token, or by its number.
    at: usize,
    /// Behind the last of the noted values.
    end: usize,
}

impl<'a> Inside<'a> {
    #[inline]
    fn of(of: Node<'a>, holds: bool) -> Self {
        let mark = of.notes.and_then(|(tape, number)| tape.mark(number).map(|mark| (number, mark)));
        match mark {
            Some((number, mark)) if holds => {
                Self { of, from: mark.from, at: number as usize + 1, end: mark.next as usize }
            }
            Some(_) => Self { of, from: 0, at: 0, end: 0 },
            None => Self { of, from: 0, at: if holds { 1 } else { usize::MAX }, end: 0 },
        }
    }

    /// The next noted value, and its name.
    #[inline]
    fn noted(&mut self, tape: &'a Tape) -> Option<(&'a [u8], Node<'a>)> {
        if self.at >= self.end {
            return None;
        }
        let number = u32::try_from(self.at).ok()?;
        let mark = tape.mark(number)?;
        self.at = mark.next as usize;
        let part = |from: u32, len: u32| {
            let from = from.checked_sub(self.from)? as usize;
            self.of.token.get(from..from + len as usize)
        };
        let name = if mark.name_len == 0 { &[] } else { part(mark.name, mark.name_len)? };
        let token = part(mark.from, mark.to - mark.from)?;
        let at = self.of.at + u64::from(mark.from - self.from);
        Some((name, Node { token, at, notes: Some((tape, number)) }))
    }

    /// Where the next value that was not noted may begin.
    fn next(&self) -> usize {
        let at = space(self.of.token, self.at);
        if self.of.token.get(at) == Some(&b',') { space(self.of.token, at + 1) } else { at }
    }

    /// The value at this place, found by walking its bytes.
    fn walk(&mut self, at: usize) -> Option<Node<'a>> {
        let from = space(self.of.token, at);
        let end = end_of(self.of.token, from).filter(|end| *end > from)?;
        self.at = end;
        Some(Node { token: self.of.token.get(from..end)?, at: self.of.at + from as u64, notes: None })
    }
}

/// Iterator of [`Node::members`].
#[derive(Debug, Clone)]
pub struct Members<'a> {
    inside: Inside<'a>,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Name<'a>, Node<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let inside = &mut self.inside;
        if let Some((tape, _)) = inside.of.notes {
            return inside.noted(tape).map(|(name, node)| (Name(name), node));
        }
        let (token, at) = (inside.of.token, inside.next());
        if token.get(at) != Some(&b'"') {
            inside.at = usize::MAX;
            return None;
        }
        let name_end = end_of(token, at)?;
        let name = Name(token.get(at + 1..name_end - 1)?);
        let colon = space(token, name_end);
        Some((name, inside.walk(colon + 1)?))
    }
}

/// Iterator of [`Node::items`].
#[derive(Debug, Clone)]
pub struct Items<'a> {
    inside: Inside<'a>,
}

impl<'a> Iterator for Items<'a> {
    type Item = Node<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let inside = &mut self.inside;
        if let Some((tape, _)) = inside.of.notes {
            return inside.noted(tape).map(|(_, node)| node);
        }
        let at = inside.next();
        if matches!(inside.of.token.get(at), None | Some(b']')) {
            inside.at = usize::MAX;
            return None;
        }
        inside.walk(at)
    }
}

fn space(token: &[u8], mut at: usize) -> usize {
    while matches!(token.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_elements_and_places() {
        let text = br#" { "a" : [1, {"b":"x\ny"} ,null], "c\u0064":true, "e":"", "f":null }"#;
        let node = Node::new(text, 100);
        assert_eq!(node.at(), 101);
        let a = node.get("a").unwrap();
        let items: Vec<_> = a.items().map(|item| (item.at(), item.kind().unwrap())).collect();
        assert_eq!(items, [(110, Kind::Number), (113, Kind::Object), (127, Kind::Null)]);
        assert_eq!(a.items().nth(1).unwrap().text_of("b").as_deref(), Some("x\ny"));
        assert_eq!(node.truth_of("cd"), Some(true));
        assert_eq!((node.text_of("e"), node.get("f"), node.get("g")), (None, None, None));
        assert_eq!(node.members().count(), 4);
        assert_eq!(Node::new(b"[]", 0).items().count() + Node::new(b"{}", 0).members().count(), 0);
    }

    #[test]
    fn what_is_no_json_ends() {
        for text in
            [&b"{\"a\""[..], b"{\"a\":", b"{\"a\":}", b"[1,,", b"{", b"[", b"", b"{\"a\" 1}", b"{a:1}"]
        {
            let node = Node::new(text, 0);
            assert!(node.members().count() + node.items().count() < 3);
        }
    }

    #[test]
    fn a_text_may_hold_json() {
        assert_eq!(Node::new(br#""{\"a\":1}""#, 0).embedded().as_deref(), Some("{\"a\":1}"));
        assert_eq!(Node::new(br#""{'a':1}""#, 0).embedded(), None);
        assert_eq!(Node::new(br#"{"a":1}"#, 0).embedded(), None);
    }
}
