//! What an answer says of its call, where a format has no outcome word: an error flag, an error in a JSON body, or the
//! words that clients write when they stop waiting (`formats.md` 0.2: a timeout often looks like success).
//!
//! Texts of tools are no evidence (`1-model.md` 0.8), so they can only take certainty away: what sounds like a lost
//! answer makes a call unknown; nothing here makes it failed or already done. A tool's own lists do that
//! (`4-sources.md` 4.10); for them the error word is handed on.

use std::borrow::Cow;

use crate::model::outcome::Outcome;
use crate::sources::event::AttemptEvent;
use crate::sources::json::{Kind, Parser, Reader, Slots, Want, WantError};
use crate::sources::row::{Row, objects_in};

use super::python;

const WANTED: [&[&str]; 10] = [
    &["receipt"],
    &["refund_id", "effect_id", "id"],
    &["is_error"],
    &["reused"],
    &["error_code", "error.code", "error.type", "error.message"],
    &["error"],
    &["status"],
    &["success", "ok"],
    &["metadata.exit_code", "exit_code"],
    // What holds the answer proper.
    &["structured_content", "output", "content", "result", "response", "kwargs", "text"],
];
const RECEIPT: usize = 0;
const ANSWERED: usize = 1;
const IS_ERROR: usize = 2;
const REUSED: usize = 3;
const CODE: usize = 4;
const ERROR: usize = 5;
const STATUS: usize = 6;
const SUCCESS: usize = 7;
const EXIT: usize = 8;
const INSIDE: usize = 9;

/// Answers are unwrapped so deep.
const DEEP: usize = 6;

/// So much of a text is searched for words, in bytes.
const SEARCHED: usize = 4 << 10;

/// A text without a sign of an error is believed to be a failure only when it is no longer than this: clients write
/// one sentence, tools write pages about timeouts.
const SENTENCE: usize = 400;

/// What clients and SDKs write, in lower case, and the outcome word it stands for. The first that occurs counts.
const PHRASES: [(&str, &str); 22] = [
    ("timed out", "timeout"),
    ("timed-out", "timeout"),
    ("timeout", "timeout"),
    ("time-out", "timeout"),
    ("deadline exceeded", "timeout"),
    ("deadline_exceeded", "timeout"),
    ("deadlineexceeded", "timeout"),
    ("connection reset", "connection_reset"),
    ("econnreset", "connection_reset"),
    ("broken pipe", "connection_reset"),
    ("epipe", "connection_reset"),
    ("connection closed", "response_lost"),
    ("connection lost", "response_lost"),
    ("transport closed", "response_lost"),
    ("closed the connection", "response_lost"),
    ("remote end closed", "response_lost"),
    ("server disconnected", "response_lost"),
    ("socket hang up", "response_lost"),
    ("fetch failed", "response_lost"),
    ("no response", "response_lost"),
    ("response lost", "response_lost"),
    ("incomplete read", "response_lost"),
];

/// The same where the answer is known to be an error.
const IN_ERRORS: [(&str, &str); 5] = [
    ("cancelled", "cancelled"),
    ("canceled", "cancelled"),
    ("cancellederror", "cancelled"),
    ("aborted", "cancelled"),
    ("interrupted", "cancelled"),
];

/// How texts begin that are errors, in lower case.
const ERROR_BEGINS: [&str; 10] = [
    "error",
    "exception",
    "traceback (most recent call last)",
    "an error occurred",
    "tool call failed",
    "tool error",
    "mcp error",
    "failed to",
    "failed:",
    "<tool_use_error>",
];

/// What an answer says.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Told {
    /// Outcome word; `None` where there is no answer.
    pub(super) word: Option<&'static str>,
    /// Error code or word, for a tool's own lists.
    pub(super) error: Option<String>,
    /// Effect id that it names.
    pub(super) receipt: Option<String>,
    /// The receipt's field name says that it is one.
    pub(super) receipt_named: bool,
    /// The answer was a stored one.
    pub(super) reused: bool,
}

impl Told {
    /// A word that the format itself knows.
    pub(super) fn word(word: &'static str) -> Self {
        Self { word: Some(word), ..Self::default() }
    }

    /// Puts what was told into an event.
    pub(super) fn into_event<'e>(self, event: AttemptEvent<'e>) -> AttemptEvent<'e> {
        AttemptEvent {
            outcome: self.word.map(Cow::Borrowed),
            error: self.error.map(Cow::Owned),
            receipt: self.receipt.map(Cow::Owned),
            receipt_named: self.receipt_named,
            reused: self.reused,
            ..event
        }
    }
}

/// Reads answers. One for each worker.
#[derive(Debug)]
pub(super) struct Answers {
    reader: Reader,
}

impl Answers {
    /// A reader of answers.
    ///
    /// # Errors
    /// Never in practice: its fields are fixed.
    pub(super) fn new(parser: Parser) -> Result<Self, WantError> {
        Ok(Self { reader: Reader::new(Want::loose(&WANTED)?, parser) })
    }

    /// What an answer says: a JSON value (a text, blocks of text, an object), with the error flag of its format.
    pub(super) fn told(&mut self, token: Option<&[u8]>, is_error: Option<bool>) -> Told {
        let token = token.filter(|token| *token != b"null");
        let mut found = Found { failed: is_error == Some(true), ..Found::default() };
        if let Some(token) = token {
            self.value(token, &mut found, 0);
        }
        if token.is_none() && is_error != Some(true) {
            return Told::default();
        }
        found.told()
    }

    /// What an answer in plain words says.
    pub(super) fn told_text(&mut self, text: &str, is_error: Option<bool>) -> Told {
        let mut found = Found { failed: is_error == Some(true), ..Found::default() };
        self.text(text, &mut found, 0);
        found.told()
    }

    fn value(&mut self, token: &[u8], found: &mut Found, depth: usize) {
        if depth > DEEP {
            return;
        }
        match Kind::of(token) {
            Some(Kind::Text) => {
                if let Ok(text) = serde_json::from_slice::<String>(token) {
                    self.text(&text, found, depth + 1);
                }
            }
            Some(Kind::Array) => {
                let blocks: Vec<&[u8]> = objects_in(token).take(64).collect();
                for block in blocks {
                    self.value(block, found, depth + 1);
                }
            }
            Some(Kind::Object) => self.object(token, found, depth),
            _ => {}
        }
    }

    fn text(&mut self, text: &str, found: &mut Found, depth: usize) {
        let trimmed = text.trim();
        if trimmed.starts_with(['{', '[']) {
            if crate::sources::json::check(trimmed.as_bytes()).is_ok() {
                return self.value(trimmed.as_bytes(), found, depth);
            }
            if let Some(json) = python::to_json(trimmed) {
                return self.value(json.as_bytes(), found, depth);
            }
        }
        found.text(trimmed);
    }

    fn object(&mut self, token: &[u8], found: &mut Found, depth: usize) {
        let mut slots = Slots::new();
        if self.reader.read(token, &mut slots).is_err() {
            return;
        }
        let text = |slot: usize| Row::text(&slots, slot);
        let told_error = [ERROR, CODE]
            .into_iter()
            .filter_map(|slot| Row::raw(&slots, slot))
            .any(|token| !matches!(token, b"false" | b"\"\"" | b"{}" | b"[]"));
        let exit = text(EXIT).is_some_and(|code| code != "0");
        let refused = slots.is_true(IS_ERROR) == Some(true) || slots.is_true(SUCCESS) == Some(false);
        found.failed |= told_error || exit || refused;
        if told_error || refused {
            if let Some(word) = text(CODE).or_else(|| text(ERROR)) {
                found.error.get_or_insert_with(|| word.into_owned());
            }
            // What stands beside an error word (`detail`, `message`) may say more than the word.
            found.search(&String::from_utf8_lossy(token));
        }
        if let Some(status) = text(STATUS) {
            found.status(&status);
        }
        found.reused |= slots.is_true(REUSED) == Some(true);
        if let Some(inside) = Row::raw(&slots, INSIDE) {
            self.value(inside, found, depth + 1);
        }
        if found.receipt.is_none() {
            found.receipt_named = text(RECEIPT).is_some();
            found.receipt = text(RECEIPT).or_else(|| text(ANSWERED)).map(Cow::into_owned);
        }
    }
}

/// What was found in an answer so far.
#[derive(Debug, Default)]
struct Found {
    failed: bool,
    word: Option<&'static str>,
    error: Option<String>,
    receipt: Option<String>,
    receipt_named: bool,
    reused: bool,
}

impl Found {
    /// An answer in words.
    fn text(&mut self, text: &str) {
        let lower = searched(text);
        self.failed |= ERROR_BEGINS.iter().any(|begin| lower.starts_with(begin));
        if self.failed || text.len() <= SENTENCE {
            self.look(&lower);
        }
        if self.failed && self.error.is_none() {
            let line = text.lines().next().unwrap_or_default();
            let bare = line.strip_prefix("Error: ").unwrap_or(line).trim();
            self.error = (!bare.is_empty()).then(|| bare.chars().take(200).collect());
        }
    }

    fn search(&mut self, text: &str) {
        let lower = searched(text);
        self.look(&lower);
    }

    fn look(&mut self, lower: &str) {
        let errors = if self.failed { &IN_ERRORS[..] } else { &[] };
        let known = PHRASES.iter().chain(errors).find(|(phrase, _)| lower.contains(phrase));
        self.word = self.word.or(known.map(|(_, word)| *word));
    }

    /// A status word in the body. Words that may be what the tool was asked for (`cancelled`) say nothing here.
    fn status(&mut self, status: &str) {
        let http = status.parse::<u16>().ok().filter(|_| status.len() == 3);
        if http.is_some_and(|code| code >= 400) {
            self.failed = true;
            self.error.get_or_insert_with(|| status.to_owned());
            return;
        }
        match Outcome::from_word(status) {
            Some(lost @ (Outcome::Timeout | Outcome::ResponseLost | Outcome::ConnectionReset)) => {
                self.word = self.word.or(Some(lost.word()));
            }
            Some(Outcome::Failed | Outcome::ServerError | Outcome::Rejected | Outcome::NotSent) => {
                self.failed = true;
                self.error.get_or_insert_with(|| status.to_owned());
            }
            Some(Outcome::NoRecord)
                if ["pending", "running"].iter().any(|w| status.eq_ignore_ascii_case(w)) =>
            {
                self.word = self.word.or(Some("pending"));
            }
            _ => {}
        }
    }

    fn told(self) -> Told {
        let word = self.word.unwrap_or(if self.failed { "error" } else { "success" });
        Told {
            word: Some(word),
            error: self.error,
            reused: self.reused && self.receipt.is_some(),
            receipt_named: self.receipt_named && self.receipt.is_some(),
            receipt: self.receipt,
        }
    }
}

/// The beginning of a text in lower case.
fn searched(text: &str) -> String {
    let mut end = text.len().min(SEARCHED);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default().to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
