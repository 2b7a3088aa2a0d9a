//! Secrets and card numbers in text (`4-sources.md` 4.17): replaced before anything is stored, copied, shown or exported.
//!
//! Found by the name that stands before them (`names.rs`) and by their own form (`patterns.rs`, `card.rs`). What is
//! found in a text is a list of spans; all that overlap are one secret. Masking twice changes nothing. Ids, UUIDs,
//! hashes and plain numbers are no secrets.

mod address;
mod card;
mod json;
mod names;
mod pairs;
mod patterns;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use sha2::{Digest as _, Sha256};

pub use address::{UNREADABLE_ADDRESS, url};
pub use json::redact_json;
pub use names::is_secret_name;

/// From how many characters on the digest is shown. Sixteen bits of it give away a PIN or a check number of a card, of
/// which there are fewer than that many.
const DIGEST_FROM: usize = 8;

/// From how many digits on a number under a secret name is one.
const SECRET_DIGITS: usize = 3;

/// Bytes of what stands for a secret, at most.
const LONGEST_MARKER: usize = 64;

/// What was found at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Span {
    at: Range<usize>,
    what: What,
}

impl Span {
    fn secret(at: Range<usize>) -> Self {
        Self { at, what: What::Secret }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Secret,
    Card,
}

/// The text without its secrets and card numbers; borrowed when it has none.
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut spans = Vec::new();
    pairs::find(text, &mut spans);
    patterns::find(text, &mut spans);
    card::find(text, &mut spans);
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    spans.sort_by_key(|span| (span.at.start, span.at.end));
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.at.start < last.at.end => {
                last.at.end = last.at.end.max(span.at.end);
                if span.what == What::Secret {
                    last.what = What::Secret;
                }
            }
            _ => merged.push(span),
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for Span { at, what } in merged {
        out.push_str(text.get(done..at.start).unwrap_or_default());
        // A span that does not fall on characters cannot come up; if it did, the rest of the text would not be shown.
        let Some(found) = text.get(at.clone()) else {
            return Cow::Borrowed(UNREADABLE_TEXT);
        };
        match what {
            What::Secret => push_redacted(&mut out, found),
            What::Card => push_card(&mut out, found),
        }
        done = at.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(out)
}

/// What stands for a text whose secrets cannot be separated from the rest.
const UNREADABLE_TEXT: &str = "[redacted text]";

/// What stands for a secret: `[redacted 40 chars, sha256 1a2b]`, with the first four hex digits of its SHA-256 so that
/// equality stays visible. Secrets of fewer than eight characters get no digest, it would give them away.
pub fn redacted(secret: &str) -> String {
    let mut out = String::new();
    push_redacted(&mut out, secret);
    out
}

fn push_redacted(out: &mut String, secret: &str) {
    let chars = secret.chars().count();
    // Writing to a String cannot fail.
    let _ = write!(out, "[redacted {chars} chars");
    if chars >= DIGEST_FROM
        && let [first, second, ..] = Sha256::digest(secret.as_bytes()).as_slice()
    {
        let _ = write!(out, ", sha256 {first:02x}{second:02x}");
    }
    out.push(']');
}

/// What stands for a card number: its last four digits.
fn push_card(out: &mut String, number: &str) {
    let digits: Vec<char> = number.chars().filter(char::is_ascii_digit).collect();
    out.push_str("[card ..");
    out.extend(digits.iter().skip(digits.len().saturating_sub(4)));
    out.push(']');
}

/// The length of what stands for a secret or a card at the start of `text`.
fn marker_length(text: &str) -> Option<usize> {
    // No marker is longer; a text of a million brackets is not searched a million times.
    let end = text.bytes().take(LONGEST_MARKER).position(|byte| byte == b']')?;
    let inside = text.get(..end)?.strip_prefix('[')?;
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let hex = |part: &str| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_marker = if let Some(rest) = inside.strip_prefix("redacted ") {
        let (chars, digest) =
            rest.split_once(", sha256 ").map_or((rest, None), |(chars, hex)| (chars, Some(hex)));
        chars.strip_suffix(" chars").is_some_and(digits) && digest.is_none_or(hex)
    } else {
        inside.strip_prefix("card ..").is_some_and(|last| last.len() == 4 && digits(last))
    };
    is_marker.then_some(end + 1)
}

/// True when a value under a secret name is none: empty, a marker, a mask (`***`), the name of a variable, or a number too
/// short for a secret (`pass: 12`; a PIN and a check number have more digits).
fn is_no_secret(value: &str) -> bool {
    let value = value.trim();
    let wrapped = |open: &str, close: &str| {
        value.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)).is_some_and(|name| {
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b' '))
        })
    };
    value.is_empty()
        || value.len() < SECRET_DIGITS && value.bytes().all(|byte| byte.is_ascii_digit())
        || marker_length(value) == Some(value.len())
        || value.chars().all(|character| matches!(character, '*' | 'x' | 'X' | '•' | '.' | '…' | '#' | '-'))
        || wrapped("${", "}")
        || wrapped("{{", "}}")
}
