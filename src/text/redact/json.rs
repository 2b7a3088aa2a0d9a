//! Secrets in JSON: by key at any depth, by pattern in every string, also in JSON that stands in a string.
//!
//! Only the values are replaced, every other byte stays, and what was JSON stays JSON. A record that is cut or broken is
//! read as far as it can be, and then searched as text as well.

use std::borrow::Cow;
use std::ops::Range;

use serde::de::IgnoredAny;

use super::names::{Extent, named};
use super::pairs::scheme;
use super::{card, is_no_secret, redact, redacted};
use crate::text::json::push_json_text;

/// JSON in a string in JSON, and so on: deeper it is searched as text.
const DEEPEST: usize = 8;

/// Members that hold the name of a pair, and those that hold its value: `{"name":"Authorization","value":".."}`.
const NAME_MEMBERS: &[&str] = &["name", "key", "header", "field"];
const VALUE_MEMBERS: &[&str] = &["value", "values", "val"];

/// The record without its secrets and card numbers. What is no JSON is treated as text.
pub fn redact_json(raw: &str) -> String {
    redact_at(raw, 0)
}

fn redact_at(raw: &str, depth: usize) -> String {
    if !raw.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '[', '"']) {
        return redact(raw).into_owned();
    }
    let edits = edits(raw, &tokens(raw), depth);
    let mut out = String::with_capacity(raw.len());
    let mut done = 0;
    for (at, text) in edits {
        out.push_str(raw.get(done..at.start).unwrap_or_default());
        out.push_str(&text);
        done = at.end;
    }
    out.push_str(raw.get(done..).unwrap_or_default());
    if serde_json::from_str::<IgnoredAny>(raw).is_err() {
        return redact(&out).into_owned();
    }
    out
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Open {
        object: bool,
    },
    Close,
    /// The inside of a string; a key is one that a colon follows in an object.
    Text {
        key: bool,
    },
    /// A number or a literal.
    Bare,
}

#[derive(Debug)]
struct Token {
    kind: Kind,
    at: Range<usize>,
}

/// Reads the record, broken or not.
fn tokens(raw: &str) -> Vec<Token> {
    let bytes = raw.as_bytes();
    let mut tokens = Vec::new();
    let mut objects: Vec<bool> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'{' | b'[' => {
                objects.push(byte == b'{');
                tokens.push(Token { kind: Kind::Open { object: byte == b'{' }, at: start..at });
            }
            b'}' | b']' => {
                objects.pop();
                tokens.push(Token { kind: Kind::Close, at: start..at });
            }
            b'"' => {
                let end = string_end(bytes, at);
                let inside = at..end;
                at = (end + 1).min(bytes.len());
                let next = bytes.iter().skip(at).find(|byte| !byte.is_ascii_whitespace());
                let key = objects.last() == Some(&true) && next == Some(&b':');
                tokens.push(Token { kind: Kind::Text { key }, at: inside });
            }
            b',' | b':' => {}
            _ if byte.is_ascii_whitespace() => {}
            _ => {
                let ends =
                    |byte: &u8| matches!(byte, b',' | b':' | b'"' | b'{' | b'}' | b'[' | b']' | 0..=b' ');
                at += bytes.iter().skip(at).take_while(|byte| !ends(byte)).count();
                tokens.push(Token { kind: Kind::Bare, at: start..at });
            }
        }
    }
    tokens
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// One object or array while it is read.
#[derive(Default)]
struct Frame {
    object: bool,
    /// All that is in it is secret.
    secret: Option<Extent>,
    /// It is a pair of name and value, and the name is secret.
    pair: Option<Extent>,
    /// The value that comes next is secret.
    next: Option<Extent>,
    /// The next value is that of a name member.
    names: bool,
    /// Place among all objects and arrays.
    number: usize,
}

impl Frame {
    /// Whether the value that comes now is secret; what was said about it is over.
    fn take(&mut self) -> Option<Extent> {
        self.names = false;
        self.next.take().or(self.secret)
    }
}

fn edits(raw: &str, tokens: &[Token], depth: usize) -> Vec<(Range<usize>, String)> {
    let pairs = secret_pairs(raw, tokens);
    let mut edits = Vec::new();
    let mut stack = vec![Frame::default()];
    let mut number = 0;
    for token in tokens {
        let at = token.at.clone();
        let inside = raw.get(at.clone()).unwrap_or_default();
        let Some(frame) = stack.last_mut() else { break };
        match token.kind {
            Kind::Open { object } => {
                let secret = frame.take();
                number += 1;
                let pair = pairs.binary_search_by_key(&number, |pair| pair.0).ok();
                let pair = pair.and_then(|at| pairs.get(at)).map(|pair| pair.1);
                stack.push(Frame { object, secret, pair, number, ..Frame::default() });
            }
            Kind::Close => {
                stack.pop();
                if stack.is_empty() {
                    stack.push(Frame::default());
                }
            }
            Kind::Text { key: true } => {
                let name = decoded(inside);
                let is_value = || VALUE_MEMBERS.contains(&name.to_ascii_lowercase().as_str());
                frame.next = extent(&name).or_else(|| frame.pair.filter(|_| is_value()));
                edits.extend(text_edit(inside, &redact(&name), &name).map(|text| (at, text)));
            }
            Kind::Text { key: false } => {
                let value = decoded(inside);
                let new = match frame.take() {
                    Some(how_far) => secret_value(&value, how_far),
                    None if depth < DEEPEST && value.trim_start().starts_with(['{', '[']) => {
                        redact_at(&value, depth + 1)
                    }
                    None => redact(&value).into_owned(),
                };
                if !frame.object {
                    frame.next = announces(&value);
                }
                edits.extend(text_edit(inside, &new, &value).map(|text| (at, text)));
            }
            Kind::Bare => {
                let secret = frame.take().is_some()
                    && !is_no_secret(inside)
                    && inside.starts_with(|first: char| first == '-' || first.is_ascii_digit());
                if secret {
                    edits.push((at, format!("\"{}\"", redacted(inside))));
                } else if inside.bytes().all(|byte| byte.is_ascii_digit()) && card::is_card(inside.as_bytes())
                {
                    edits.push((at, format!("\"{}\"", redact(inside))));
                }
            }
        }
    }
    edits
}

/// The objects that are pairs with a secret name, by their number, sorted.
fn secret_pairs(raw: &str, tokens: &[Token]) -> Vec<(usize, Extent)> {
    let mut pairs = Vec::new();
    let mut stack = vec![Frame::default()];
    let mut number = 0;
    for token in tokens {
        let Some(frame) = stack.last_mut() else { break };
        match token.kind {
            Kind::Open { object } => {
                frame.names = false;
                number += 1;
                stack.push(Frame { object, number, ..Frame::default() });
            }
            Kind::Close => {
                stack.pop();
                if stack.is_empty() {
                    stack.push(Frame::default());
                }
            }
            Kind::Text { key: true } => {
                let name = decoded(raw.get(token.at.clone()).unwrap_or_default()).to_ascii_lowercase();
                frame.names = NAME_MEMBERS.contains(&name.as_str());
            }
            Kind::Text { key: false } if std::mem::take(&mut frame.names) => {
                let name = decoded(raw.get(token.at.clone()).unwrap_or_default());
                pairs.extend(extent(&name).map(|how_far| (frame.number, how_far)));
            }
            Kind::Text { .. } | Kind::Bare => frame.names = false,
        }
    }
    pairs.sort_by_key(|pair| pair.0);
    pairs
}

/// How far the secret of this name goes.
fn extent(name: &str) -> Option<Extent> {
    named(name).map(|named| named.extent)
}

/// In a list: an option (`--token`) or a header's name, whose value is the next element.
fn announces(value: &str) -> Option<Extent> {
    if let Some(option) = value.strip_prefix("--") {
        return extent(option);
    }
    extent(value).filter(|how_far| *how_far != Extent::Word || value.to_ascii_lowercase().starts_with("x-"))
}

/// What stands for the value of a secret name.
fn secret_value(value: &str, how_far: Extent) -> String {
    let begins = if how_far == Extent::Header { scheme(value).unwrap_or(0) } else { 0 };
    let (head, secret) = value.split_at_checked(begins).unwrap_or(("", value));
    if is_no_secret(secret) { value.to_owned() } else { format!("{head}{}", redacted(secret)) }
}

/// The text of a string, or its raw form where it has none.
fn decoded(inside: &str) -> Cow<'_, str> {
    if !inside.contains('\\') {
        return Cow::Borrowed(inside);
    }
    serde_json::from_str::<String>(&format!("\"{inside}\"")).map_or(Cow::Borrowed(inside), Cow::Owned)
}

/// The new inside of a string, if it changed.
fn text_edit(inside: &str, new: &str, old: &str) -> Option<String> {
    if new == old {
        return None;
    }
    // A string that could not be decoded was searched, and is written, in its raw form.
    let was_raw = inside == old && inside.contains('\\');
    if was_raw {
        return Some(new.to_owned());
    }
    let mut text = String::new();
    push_json_text(&mut text, new);
    Some(text)
}
