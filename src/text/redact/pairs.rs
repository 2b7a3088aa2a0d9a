//! Secrets by the name before them, in running text: `password=..`, `Authorization: ..`, `"api_key":"..`, `--token ..`,
//! `?access_token=..&`.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memchr2_iter;
use memchr::memmem::Finder;

use super::names::{Extent, LONGEST, Named, named};
use super::{Span, is_no_secret, marker_length};

/// Words behind a secret name and a colon that make it a sentence, not a pair: `token: expired`.
const SENTENCE: &[&str] = &[
    "a",
    "absent",
    "an",
    "and",
    "approved",
    "are",
    "bool",
    "boolean",
    "captured",
    "changed",
    "could",
    "cannot",
    "declined",
    "denied",
    "empty",
    "error",
    "expired",
    "failed",
    "false",
    "for",
    "from",
    "has",
    "hidden",
    "in",
    "incorrect",
    "int",
    "invalid",
    "is",
    "masked",
    "mismatch",
    "missing",
    "must",
    "n/a",
    "nil",
    "no",
    "none",
    "not",
    "null",
    "number",
    "of",
    "ok",
    "optional",
    "or",
    "pending",
    "present",
    "redacted",
    "required",
    "reset",
    "revoked",
    "rotated",
    "set",
    "should",
    "str",
    "string",
    "the",
    "to",
    "true",
    "undefined",
    "unknown",
    "unset",
    "updated",
    "voided",
    "was",
    "were",
    "wrong",
    "yes",
];

/// The values that are none behind an equals sign.
const NOTHING: &[&str] = &["false", "nil", "none", "null", "true", "undefined"];

/// Schemes of the Authorization header whose credentials are one word.
const SCHEMES: &[&str] = &["apikey", "basic", "bearer", "bot", "key", "negotiate", "ntlm", "token"];

/// What stands before the name of an option.
static DASHES: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("--"));

/// Finds them all.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut add = |at: Range<usize>| {
        if text.get(at.clone()).is_some_and(|value| !is_no_secret(value)) {
            spans.push(Span::secret(at));
        }
    };
    let mut done = 0;
    for sign in memchr2_iter(b':', b'=', bytes) {
        // What lies in a value that was taken is taken.
        if sign < done {
            continue;
        }
        let Some(name) = name_before(text, sign).and_then(named) else {
            continue;
        };
        if let Some(value) = value_behind(text, sign, name) {
            done = value.end;
            add(value);
        }
    }
    for dashes in DASHES.find_iter(bytes) {
        let start = dashes + 2;
        let end = start + run(bytes.get(..start + LONGEST).unwrap_or(bytes), start, is_name);
        if bytes.get(end) != Some(&b' ') || text.get(start..end).and_then(named).is_none() {
            continue;
        }
        let start = end + run(bytes, end, |byte| byte == b' ');
        let next_is_option = bytes.get(start) == Some(&b'-');
        if let Some(value) = word_or_quoted(text, start).filter(|_| !next_is_option) {
            add(value);
        }
    }
}

/// The scheme of an Authorization value (`Bearer`) and where its credentials begin; the scheme is no secret.
pub(super) fn scheme(value: &str) -> Option<usize> {
    let length = value.bytes().take_while(u8::is_ascii_alphabetic).count();
    let word = value.get(..length)?.to_ascii_lowercase();
    let blanks = run(value.as_bytes(), length, |byte| byte == b' ');
    (SCHEMES.contains(&word.as_str()) && blanks > 0).then_some(length + blanks)
}

/// The name that ends before the sign at `sign`, with or without quotes.
fn name_before(text: &str, sign: usize) -> Option<&str> {
    let before = text.as_bytes().get(..sign)?;
    let back = |from: usize, holds: fn(u8) -> bool| {
        from - before.get(..from).unwrap_or_default().iter().rev().take_while(|byte| holds(**byte)).count()
    };
    let end = back(before.len(), |byte| matches!(byte, b' ' | b'\t'));
    let end = back(end, |byte| matches!(byte, b'"' | b'\'' | b'`' | b']'));
    let end = back(end, |byte| byte == b'\\');
    let end = back(end, |byte| matches!(byte, b'"' | b'\''));
    let start = back(end, is_name);
    text.get(start..end).filter(|name| !name.is_empty())
}

/// The value behind the sign at `sign`.
fn value_behind(text: &str, sign: usize, name: Named) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let colon = bytes.get(sign) == Some(&b':');
    let mut start = sign + 1;
    start += run(bytes, start, |byte| matches!(byte, b'=' | b'>' | b':'));
    if colon && bytes.get(start..)?.starts_with(b"//") {
        return None;
    }
    start += run(bytes, start, |byte| matches!(byte, b' ' | b'\t'));
    if let Some(quoted) = quoted(bytes, start) {
        return Some(behind_scheme(text, quoted, name.extent));
    }
    let rest = text.get(start..)?;
    if let Some(length) = marker_length(rest) {
        return Some(start..start + length);
    }
    if let Some(end) = rest.strip_prefix("{{").and_then(|inside| inside.find("}}")) {
        return Some(start..start + end + 4);
    }
    if let Some(bracket @ (b'[' | b'{')) = rest.bytes().next() {
        let close = if bracket == b'[' { ']' } else { '}' };
        let end = rest.find([close, '\n']).map_or(text.len(), |end| start + end);
        return Some(start + 1..end);
    }
    let word = word(bytes, start);
    let said = text.get(word.clone())?.to_ascii_lowercase();
    let said = said.trim_end_matches(['.', '!', '?']);
    if if colon { SENTENCE.contains(&said) } else { NOTHING.contains(&said) } {
        return None;
    }
    let letters = !said.bytes().any(|byte| byte.is_ascii_digit());
    if name.weak && colon && letters {
        return None;
    }
    if name.extent == Extent::Word {
        return Some(word);
    }
    if let Some(length) = Some(rest).filter(|_| name.extent == Extent::Header).and_then(scheme) {
        return word_or_quoted(text, start + length);
    }
    let line = run(bytes, start, |byte| !matches!(byte, b'\n' | b'\r' | b'"' | b'\''));
    let line = rest.get(..line)?.trim_end().len();
    Some(start..start + line)
}

/// Without the scheme, for the value of a header.
fn behind_scheme(text: &str, value: Range<usize>, how_far: Extent) -> Range<usize> {
    let length = text.get(value.clone()).filter(|_| how_far == Extent::Header).and_then(scheme).unwrap_or(0);
    value.start + length..value.end
}

fn word_or_quoted(text: &str, start: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let rest = text.get(start..)?;
    if let Some(length) = marker_length(rest) {
        return Some(start..start + length);
    }
    Some(quoted(bytes, start).unwrap_or_else(|| word(bytes, start)))
}

/// The inside of a quoted text at `start`; in JSON within a string, the quotes have backslashes. Without an end it goes
/// to the end of the line.
fn quoted(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let level = run(bytes, start, |byte| byte == b'\\');
    let open = start + level;
    let &quote = bytes.get(open).filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    let inside = open + 1;
    let mut backslashes = 0;
    for (at, &byte) in bytes.iter().enumerate().skip(inside) {
        if byte == quote && (if level == 0 { backslashes % 2 == 0 } else { backslashes <= level }) {
            return Some(inside..at - if level == 0 { 0 } else { backslashes });
        }
        if byte == b'\n' {
            return Some(inside..at);
        }
        backslashes = if byte == b'\\' { backslashes + 1 } else { 0 };
    }
    Some(inside..bytes.len())
}

/// The word at `start`: to a blank, a quote, or a separator with another pair behind it. Brackets and stops at its end
/// belong to the sentence.
fn word(bytes: &[u8], start: usize) -> Range<usize> {
    let mut end = start;
    while let Some(&byte) = bytes.get(end) {
        let ends = match byte {
            0..=b' ' | b'"' | b'\'' | b'`' | b'<' | b'>' => true,
            b',' | b';' | b'&' => pair_follows(bytes, end + 1),
            _ => false,
        };
        if ends {
            break;
        }
        end += 1;
    }
    let opened = b"([{".map(|bracket| bytes.get(start..end).is_some_and(|word| word.contains(&bracket)));
    let mut last = end;
    while let Some(byte) = bytes.get(start..last).and_then(<[u8]>::last) {
        let belongs = match byte {
            b',' | b';' | b'&' | b'.' => false,
            b')' => opened[0],
            b']' => opened[1],
            b'}' => opened[2],
            _ => true,
        };
        if belongs {
            break;
        }
        last -= 1;
    }
    start..last
}

/// True when another pair, a blank or nothing stands at `at`.
fn pair_follows(bytes: &[u8], at: usize) -> bool {
    let name = run(bytes, at, |byte| is_name(byte) || byte == b' ');
    match bytes.get(at + name) {
        None => true,
        Some(b'=' | b':') => name > 0,
        Some(_) => matches!(bytes.get(at), Some(b' ' | b'"' | b'\'')),
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// How many bytes from `at` on are as asked for.
fn run(bytes: &[u8], at: usize, holds: impl Fn(u8) -> bool) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|byte| holds(**byte)).count()
}
