//! Errors of a config: file, line, what is wrong, and the nearest known key.

use std::io;
use std::path::Path;

use thiserror::Error;

use crate::sources::near::{listed, nearest};
use crate::text::SafeText;

/// Known keys that are listed where none is near.
const LISTED: usize = 12;

/// A config that cannot be used. One or two sentences: where, what, what to do.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {what}")]
pub struct ConfigError {
    /// File and line, as printed.
    pub place: String,
    /// 1-based line, where there is one.
    pub line: Option<usize>,
    /// What is wrong, and the nearest key.
    pub what: String,
}

impl ConfigError {
    /// The file cannot be read.
    pub fn unreadable(path: &Path, why: &io::Error) -> Self {
        Self::plain(path, &format!("cannot be read: {why}"))
    }

    /// Something is wrong with the file as a whole.
    pub fn plain(path: &Path, what: &str) -> Self {
        Self { place: shown(path), line: None, what: safe(what) }
    }

    /// What the reader of TOML says, in plain words.
    pub fn from_toml(path: &Path, text: &str, why: &toml::de::Error) -> Self {
        let line = why.span().map(|span| line_of(text, span.start));
        Self { place: place(path, line), line, what: safe(&words(why.message())) }
    }

    /// Something is wrong at a place of a text.
    pub fn at(path: &Path, text: &str, span: std::ops::Range<usize>, what: &str) -> Self {
        let line = Some(line_of(text, span.start));
        Self { place: place(path, line), line, what: safe(what) }
    }
}

/// File and line, as printed.
pub(super) fn place(path: &Path, line: Option<usize>) -> String {
    line.map_or_else(|| shown(path), |line| format!("{} line {line}", shown(path)))
}

fn shown(path: &Path) -> String {
    SafeText::from_bytes(path.as_os_str().as_encoded_bytes()).shown().into_owned()
}

pub(super) fn safe(text: &str) -> String {
    SafeText::new(text).shown().into_owned()
}

pub(super) fn line_of(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    1 + memchr::memchr_iter(b'\n', before).count()
}

/// Serde's messages about names: ``unknown field `a`, expected one of `b`, `c` ``.
const OF_NAMES: [(&str, &str, &str); 2] =
    [("unknown field", "the key", "keys"), ("unknown variant", "the word", "words")];

fn words(message: &str) -> String {
    for (begins, one, many) in OF_NAMES {
        if message.starts_with(begins) {
            let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
            if let [given, known @ ..] = names.as_slice() {
                return unknown(given, known, one, many);
            }
        }
    }
    let one_line: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    one_line.join(", ")
}

fn unknown(given: &str, known: &[&str], one: &str, many: &str) -> String {
    match nearest(given, known.iter().copied()) {
        Some(near) => format!("{one} `{given}` is not known; did you mean `{near}`?"),
        None if known.is_empty() => format!("{one} `{given}` is not known here"),
        None => format!("{one} `{given}` is not known; known {many} here: {}", listed(known, LISTED)),
    }
}
