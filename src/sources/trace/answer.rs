//! What an answer says of its call, where a format has no outcome word: an error flag, an error in a JSON body, or the
//! words that clients write when they stop waiting (`formats.md` 0.2: a timeout often looks like success).
//!
//! Texts of tools are no evidence (`1-model.md` 0.8), so they can only take certainty away: what sounds like a lost
//! answer makes a call unknown; nothing here makes it failed or already done. A tool's own lists do that
//! (`4-sources.md` 4.10); for them the error word is handed on.

use std::borrow::Cow;

use super::calls::Answer;
use super::python;
use super::told::{Told, silence};
use crate::model::outcome::Outcome;
use crate::sources::json::{Kind, Node, Parser, Reader, Slots, Want};
use crate::sources::row::{Row, objects_in};

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

/// So many bytes of a text are searched for words.
const SEARCHED: usize = 4 << 10;

/// A text without a sign of an error is believed to speak of a lost answer only when it is no longer than this many
/// bytes: clients write one sentence, tools write pages about timeouts.
const SENTENCE: usize = 400;

/// So many letters of an error go on to a tool's own lists, and of an answer to who looks.
const SHOWN: usize = 200;

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

/// Reads answers. One for each source.
#[derive(Debug)]
pub(super) struct Answers {
    reader: Reader,
}

impl Answers {
    /// A reader of answers.
    pub(super) fn new() -> Self {
        // The fields are fixed and fit; were they not, answers would say nothing but that they are there.
        let want = Want::loose(&WANTED).unwrap_or_default();
        Self { reader: Reader::new(want, Parser::default()) }
    }

    /// An answer that is a JSON value (a text, blocks of text, an object), with the error flag of its format. Without
    /// a value and without an error nothing was told.
    pub(super) fn of(&mut self, value: Option<Node<'_>>, is_error: Option<bool>) -> Answer {
        if value.is_none() && is_error != Some(true) {
            return Answer::default();
        }
        let mut found = Found { failed: is_error == Some(true), ..Found::default() };
        if let Some(value) = value {
            self.value(value.raw(), &mut found, 0);
        }
        found.answer()
    }

    /// An answer in plain words.
    pub(super) fn of_text(&mut self, text: &str, is_error: Option<bool>) -> Answer {
        let mut found = Found { failed: is_error == Some(true), ..Found::default() };
        self.text(text, &mut found, 0);
        found.answer()
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
                for block in objects_in(token).take(64) {
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
                found.error.get_or_insert_with(|| word.chars().take(SHOWN).collect());
            }
            // What stands beside an error word (`detail`, `message`) may say more than the word.
            found.look(&searched(&String::from_utf8_lossy(token)));
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
    told: Option<Told>,
    error: Option<String>,
    receipt: Option<String>,
    receipt_named: bool,
    reused: bool,
    words: String,
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
            self.error = (!bare.is_empty()).then(|| bare.chars().take(SHOWN).collect());
        }
        if self.words.is_empty() {
            self.words = text.chars().take(SHOWN).collect();
        }
    }

    /// Looks for words that say that nobody answered. That something was cancelled may be what the tool was asked for:
    /// it counts only in an error.
    fn look(&mut self, text: &str) {
        if self.told.is_none() {
            self.told = silence(text).filter(|told| self.failed || *told != Told::Cancelled);
        }
    }

    /// A status word in the body. Words that may be what the tool was asked for (`cancelled`) say nothing here.
    fn status(&mut self, status: &str) {
        let http = status.parse::<u16>().ok().filter(|_| status.len() == 3);
        let lost = match Outcome::from_word(status) {
            _ if http.is_some_and(|code| code >= 400) => None,
            Some(Outcome::Timeout) => Some(Told::Timeout),
            Some(Outcome::ResponseLost) => Some(Told::Lost),
            Some(Outcome::ConnectionReset) => Some(Told::Reset),
            Some(Outcome::NoRecord)
                if ["pending", "running"].iter().any(|w| status.eq_ignore_ascii_case(w)) =>
            {
                Some(Told::Pending)
            }
            Some(Outcome::Failed | Outcome::ServerError | Outcome::Rejected | Outcome::NotSent) => None,
            _ => return,
        };
        if lost.is_none() {
            self.failed = true;
            self.error.get_or_insert_with(|| status.to_owned());
        }
        self.told = self.told.take().or(lost);
    }

    fn answer(self) -> Answer {
        let error = self.error.unwrap_or_default();
        let told = match self.told {
            Some(told) => told,
            None if self.failed => Told::Error(error.clone()),
            None => Told::Yes,
        };
        let mut answer = Answer::told(told);
        if !matches!(answer.told, Told::Error(_)) {
            answer.fields.maybe("error", Some(error));
        }
        let named = if self.receipt_named { "receipt" } else { "refund_id" };
        if self.reused && self.receipt.is_some() {
            answer.fields.truth("reused", true);
        }
        answer.fields.maybe(named, self.receipt).maybe("text", Some(self.words));
        answer
    }
}

/// The beginning of a text, in lower case.
fn searched(text: &str) -> String {
    let mut end = text.len().min(SEARCHED);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default().to_ascii_lowercase()
}

#[cfg(test)]
mod tests;
