//! A look into one JSON value without reading it as a whole: members, elements, and where each of them stands.
//!
//! For the formats whose calls stand deep inside documents. The value was found to be strict JSON before
//! ([`super::check`]); on anything else nothing is found and nothing goes wrong.

use std::borrow::Cow;

use super::slots::{Kind, decoded};
use crate::sources::frame::end_of;

/// One value with the place of its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node<'a> {
    token: &'a [u8],
    at: u64,
}

impl<'a> Node<'a> {
    /// A value that stands at `at`; white space before it is passed over.
    pub fn new(token: &'a [u8], at: u64) -> Self {
        let from = space(token, 0);
        Self { token: token.get(from..).unwrap_or_default().trim_ascii_end(), at: at + from as u64 }
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
    pub fn members(self) -> Members<'a> {
        Members { token: self.token, base: self.at, at: if self.is_object() { 1 } else { usize::MAX } }
    }

    /// The elements of an array in their order, nulls too.
    pub fn items(self) -> Items<'a> {
        Items { token: self.token, base: self.at, at: if self.is_array() { 1 } else { usize::MAX } }
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

/// Iterator of [`Node::members`].
#[derive(Debug, Clone)]
pub struct Members<'a> {
    token: &'a [u8],
    base: u64,
    at: usize,
}

impl<'a> Iterator for Members<'a> {
    type Item = (Name<'a>, Node<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let mut at = space(self.token, self.at);
        if self.token.get(at) == Some(&b',') {
            at = space(self.token, at + 1);
        }
        if self.token.get(at) != Some(&b'"') {
            self.at = usize::MAX;
            return None;
        }
        let name_end = end_of(self.token, at)?;
        let name = Name(self.token.get(at + 1..name_end - 1)?);
        let colon = space(self.token, name_end);
        let (node, end) = value(self.token, self.base, colon + 1)?;
        self.at = end;
        Some((name, node))
    }
}

/// Iterator of [`Node::items`].
#[derive(Debug, Clone)]
pub struct Items<'a> {
    token: &'a [u8],
    base: u64,
    at: usize,
}

impl<'a> Iterator for Items<'a> {
    type Item = Node<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut at = space(self.token, self.at);
        if self.token.get(at) == Some(&b',') {
            at = space(self.token, at + 1);
        }
        if matches!(self.token.get(at), None | Some(b']')) {
            self.at = usize::MAX;
            return None;
        }
        let (node, end) = value(self.token, self.base, at)?;
        self.at = end;
        Some(node)
    }
}

/// The value at `at`, and the place behind it.
fn value(token: &[u8], base: u64, at: usize) -> Option<(Node<'_>, usize)> {
    let from = space(token, at);
    let end = end_of(token, from).filter(|end| *end > from)?;
    Some((Node { token: token.get(from..end)?, at: base + from as u64 }, end))
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
