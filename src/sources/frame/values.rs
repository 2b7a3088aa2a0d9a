//! JSON values one after another in a text in memory: arrays, pretty-printed and concatenated JSON, and lists inside
//! an envelope (`{"object":"list","data":[..]}`).
//!
//! Only strings and brackets are followed here, so a value with a mistake inside costs that value and not the rest;
//! the reader in [`crate::sources::json`] is strict about what is inside.

use memchr::memchr2;

use super::{LONGEST, MARK};

/// One value, without white space around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Where its first byte stands.
    pub offset: u64,
}

/// What is wrong with a list of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// A value without end: the text is cut off.
    Open,
    /// No value where one must stand.
    NoValue,
    /// Neither a comma nor the end of the list after a value.
    NoComma,
    /// Longer than [`LONGEST`]; the values after it are read.
    TooLong,
}

/// A value that cannot be had, and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken {
    /// The place.
    pub offset: u64,
    /// What is wrong there.
    pub flaw: Flaw,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let at = self.offset;
        match self.flaw {
            Flaw::Open => write!(f, "the value at byte {at} does not end: the text is cut off"),
            Flaw::NoValue => write!(f, "no JSON value at byte {at}; what follows is not read"),
            Flaw::NoComma => {
                write!(f, "neither a comma nor the end of the list at byte {at}; what follows is not read")
            }
            Flaw::TooLong => write!(f, "the value at byte {at} is longer than {} MiB", LONGEST >> 20),
        }
    }
}

impl std::error::Error for Broken {}

/// The values of a text. A top-level array gives its elements; a top-level object that has an array under one of the
/// names in `lists` gives the elements of the first such array; anything else gives itself. Several of them may
/// follow each other (pages that were written one after another). After a flaw other than a value that is too long
/// nothing more comes; values before it stay.
pub fn values<'a>(bytes: &'a [u8], lists: &'a [&'a str]) -> Values<'a> {
    let at = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
    Values { bytes, lists, at, inside: Inside::Top }
}

/// Iterator of [`values`].
#[derive(Debug, Clone)]
pub struct Values<'a> {
    bytes: &'a [u8],
    lists: &'a [&'a str],
    at: usize,
    inside: Inside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Between top-level values.
    Top,
    /// In an array that begins at `open`, before an element; `first` when it has none so far. `depth` objects are
    /// to be closed behind the array.
    List { open: usize, first: bool, depth: usize },
    /// Nothing more.
    Done,
}

impl<'a> Iterator for Values<'a> {
    type Item = Result<Value<'a>, Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.at = space(self.bytes, self.at);
            let at = self.at;
            let byte = self.bytes.get(at).copied();
            match (self.inside, byte) {
                (Inside::Done, _) | (Inside::Top, None) => return None,
                (Inside::Top, Some(b'[')) => self.enter(at, 0),
                (Inside::Top, Some(b'{')) => match list_in(self.bytes, at, self.lists) {
                    Some((list, depth)) => self.enter(list, depth),
                    None => return Some(self.take(at)),
                },
                (Inside::Top, Some(_)) => return Some(self.take(at)),
                (Inside::List { open, .. }, None) => return Some(self.stop(open, Flaw::Open)),
                (Inside::List { first: true, depth, .. }, Some(b']')) => {
                    if let Some(broken) = self.leave(at, depth) {
                        return Some(broken);
                    }
                }
                (Inside::List { open, first: true, depth }, Some(_)) => {
                    self.inside = Inside::List { open, first: false, depth };
                    return Some(self.take(at));
                }
                (Inside::List { .. }, Some(b',')) => {
                    self.at = space(self.bytes, at + 1);
                    return Some(self.take(self.at));
                }
                (Inside::List { depth, .. }, Some(b']')) => {
                    if let Some(broken) = self.leave(at, depth) {
                        return Some(broken);
                    }
                }
                (Inside::List { .. }, Some(_)) => return Some(self.stop(at, Flaw::NoComma)),
            }
        }
    }
}

impl<'a> Values<'a> {
    fn enter(&mut self, open: usize, depth: usize) {
        self.at = open + 1;
        self.inside = Inside::List { open, first: true, depth };
    }

    /// Behind the end of the list at `at`, and of the object around it.
    fn leave(&mut self, at: usize, depth: usize) -> Option<Result<Value<'a>, Broken>> {
        self.inside = Inside::Top;
        match close(self.bytes, at + 1, depth) {
            Some(end) => self.at = end,
            None => return Some(self.stop(at, Flaw::Open)),
        }
        None
    }

    /// The value at `at`.
    fn take(&mut self, at: usize) -> Result<Value<'a>, Broken> {
        match end_of(self.bytes, at) {
            Some(end) if end == at => self.stop(at, Flaw::NoValue),
            Some(end) => {
                self.at = end;
                let bytes = self.bytes.get(at..end).unwrap_or_default();
                let offset = at as u64;
                if bytes.len() > LONGEST {
                    return Err(Broken { offset, flaw: Flaw::TooLong });
                }
                Ok(Value { bytes, offset })
            }
            None => self.stop(at, Flaw::Open),
        }
    }

    fn stop(&mut self, at: usize, flaw: Flaw) -> Result<Value<'a>, Broken> {
        self.inside = Inside::Done;
        Err(Broken { offset: at as u64, flaw })
    }
}

/// Where the value at `at` ends; `at` itself when none begins there, `None` when the text ends first.
pub(in crate::sources) fn end_of(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'"' => text_end(bytes, at + 1),
        b'{' | b'[' => close(bytes, at + 1, 1),
        _ => {
            let rest = bytes.get(at..).unwrap_or_default();
            let ends = |byte: &u8| {
                matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b']' | b'}' | b'{' | b'[' | b'"' | b':')
            };
            Some(at + rest.iter().position(ends).unwrap_or(rest.len()))
        }
    }
}

/// Behind the bracket that closes `depth` open ones.
fn close(bytes: &[u8], mut at: usize, mut depth: usize) -> Option<usize> {
    while depth > 0 {
        let byte = *bytes.get(at)?;
        at += 1;
        match byte {
            b'"' => at = text_end(bytes, at)?,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    Some(at)
}

/// Behind the closing quote of a string whose text begins at `at`.
fn text_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes.get(at) == Some(&b'"') {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// The first array that stands under one of the names in the object at `at`, and in how many objects it stands. A
/// name may be a path (`log.entries`).
fn list_in(bytes: &[u8], at: usize, lists: &[&str]) -> Option<(usize, usize)> {
    if lists.is_empty() {
        return None;
    }
    let mut at = space(bytes, at + 1);
    while bytes.get(at) == Some(&b'"') {
        let end = text_end(bytes, at + 1)?;
        let name = bytes.get(at + 1..end - 1)?;
        at = space(bytes, end);
        if bytes.get(at) != Some(&b':') {
            return None;
        }
        at = space(bytes, at + 1);
        match bytes.get(at) {
            Some(b'[') if lists.iter().any(|list| list.as_bytes() == name) => return Some((at, 1)),
            Some(b'{') => {
                let inside: Vec<&str> = lists
                    .iter()
                    .filter_map(|list| list.split_once('.'))
                    .filter(|(first, _)| first.as_bytes() == name)
                    .map(|(_, rest)| rest)
                    .collect();
                if let Some((list, depth)) = list_in(bytes, at, &inside) {
                    return Some((list, depth + 1));
                }
            }
            _ => {}
        }
        at = space(bytes, end_of(bytes, at)?);
        if bytes.get(at) != Some(&b',') {
            return None;
        }
        at = space(bytes, at + 1);
    }
    None
}

fn space(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).unwrap_or(rest.len())
}
