//! The story of an intent: what happened and how much, how it is known, and what to do next (`2-judge.md` 2.7,
//! `6-screens.md` 7.4.8).
//!
//! Sentences are built from facts only. None of them says which of two rows is the one too many, and no next step
//! tells anybody to send a call again.

mod books;
mod facts;
mod fill;
mod lines;
mod others;
pub mod phrase;
mod rest;
mod rows;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
mod why;
mod yank;

use super::playbook::{self, Playbook};
use super::rules::Rule;
use super::view::{IntentView, SourceView};
use super::words::{self, Case};
use crate::model::time::{Micros, Zone};
use crate::model::units::Units;
use facts::Facts;

pub use lines::four_lines;
pub use others::{Missing, fits_by_order, not_compared, orphan};
pub use rows::{bounds, difference_word, position, row_phrase};
pub use yank::{Origin, yank_incident, yank_item};

/// Where a story is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Beside a list, where the calls are not shown.
    List,
    /// In the detail, where they are.
    Detail,
}

/// What a story is told with, beside the facts.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The clock.
    pub now: Micros,
    /// Times are shown in it.
    pub zone: &'a Zone,
    /// Names of units.
    pub units: &'a Units,
    /// The sources of the case, in their order.
    pub sources: &'a [SourceView],
    /// Next steps of the config.
    pub playbook: &'a Playbook,
    /// Where it is told.
    pub place: Place,
    /// Less than 120 columns.
    pub narrow: bool,
    /// Something can be written here; else keys that write are left out.
    pub writable: bool,
}

/// The story of an intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// What happened and how much.
    pub first: String,
    /// How it is known, and what is assumed.
    pub rest: Vec<String>,
    /// What to do next; keys stand in brackets, `Hold it (x)`.
    pub next: String,
    /// Why it is judged so: sentence and code (dim; may be empty).
    pub why: Vec<(String, &'static str)>,
    /// What the owner of the ledger can do about too much of this kind.
    pub kind_hint: Option<&'static str>,
    /// The fine print: what is known of keys and protection.
    pub fine: Vec<String>,
}

impl Story {
    /// The whole story as one text.
    pub fn text(&self) -> String {
        let mut text = self.first.clone();
        for sentence in &self.rest {
            text.push(' ');
            text.push_str(sentence);
        }
        text
    }
}

/// From when on a read can tell, for places that do not show the next step, which says it too (`2-judge.md` 2.7).
pub fn when_to_look(view: &IntentView, cx: &Context<'_>) -> Option<String> {
    let facts = Facts::new(view, cx);
    let waits = facts.words.waits_for_a_read() && facts.read_early();
    waits.then(|| rest::covered_from(cx, view.judgement.covered_from)).flatten()
}

/// Tells the story of an intent.
pub fn story(view: &IntentView, cx: &Context<'_>) -> Story {
    let facts = Facts::new(view, cx);
    let next = next(&facts);
    let mut rest = rest::sentences(&facts);
    let said = |text: &String| text.to_lowercase().contains("covered from");
    if facts.words.waits_for_a_read() && facts.read_early() && !said(&next) {
        rest.extend(rest::covered_from(cx, view.judgement.covered_from));
    }
    Story {
        first: facts.say(facts.words.first),
        rest,
        next,
        why: why::lines(&facts),
        kind_hint: playbook::hint(facts.words, if view.kind.is_empty() { &view.tool } else { &view.kind }),
        fine: why::fine_print(&facts),
    }
}

/// The story of intents that are one row, in order of time: the newest speaks for all, and what the calls of the others
/// lost is said with it.
pub fn story_together(views: &[IntentView], cx: &Context<'_>) -> Option<Story> {
    let (newest, others) = views.split_last()?;
    let mut told = story(newest, cx);
    if newest.judgement.rule != Rule::R08 {
        return Some(told);
    }
    for view in others.iter().rev() {
        let facts = Facts::new(view, cx);
        if let Some(sentence) = rest::lost_calls(&facts) {
            told.rest.insert(0, sentence);
        }
        let before = told.why.len().min(1);
        told.why.splice(before..before, why::ties(&facts));
    }
    Some(told)
}

/// The words of a finding of an intent, with its figure; `None` for a code that is none.
pub fn finding_words(view: &IntentView, cx: &Context<'_>, code: &str) -> Option<String> {
    if code == "SOURCES_DISAGREE" {
        return Some(books::finding(&Facts::new(view, cx)));
    }
    let detail = view.finding_detail.iter().find(|(of, _)| *of == code);
    words::finding(code, detail.map_or("", |(_, detail)| detail))
}

/// A next step that says more than the table of words, where there is room or a reason for it.
struct Said {
    rule: Rule,
    case: Case,
    wide: &'static str,
    narrow: &'static str,
}

const UNTIL_COVERED_WIDE: &str = "Covered from {from} on: {look} (R). Or hand it over (x). Send nothing.";
const UNTIL_COVERED: &str = "Covered from {from} on: read it again (R). Send nothing.";

/// The next steps of the frames.
const SAID: [Said; 3] = [
    Said { rule: Rule::R31, case: Case::Plain, wide: UNTIL_COVERED_WIDE, narrow: UNTIL_COVERED },
    Said {
        rule: Rule::R16a,
        case: Case::NoIds,
        wide: "Hand {both_rows} to the owner of the ledger (x). If one row belongs to one request, --link business_id \
               says so.",
        narrow: "Hand {both_rows} to the owner of the ledger (x). A declared link settles it.",
    },
    Said {
        rule: Rule::R16a,
        case: Case::OneOnItsWay,
        wide: "Ask the provider now whether it can still be cancelled. Stop the sender.",
        narrow: "Ask the provider now if {row} can be cancelled. Stop the sender.",
    },
];

/// What is said where a read could tell and the trace has no times.
const NO_TIMES: &str = "The trace has no times, so no read can prove it. Hand it over (x). Send nothing.";

/// What is said where it is not the time of the read that keeps the ledger from proving it.
const NO_READ: &str = "A later read cannot tell. Hand it over (x). Send nothing.";

/// The next step: the config's own, else the built-in one.
fn next(facts: &Facts<'_>) -> String {
    let j = facts.j();
    if let Some(own) = facts.cx.playbook.find(j.rule.verdict(), &facts.view.kind) {
        return own.text.clone();
    }
    let said = SAID.iter().find(|said| said.rule == j.rule && said.case == facts.case());
    let template = match said {
        Some(said) => {
            if facts.cx.narrow {
                said.narrow
            } else {
                said.wide
            }
        }
        None => facts.words.next,
    };
    if template.contains("{from}") && j.covered_from.is_none() {
        return facts.keys(NO_TIMES.to_owned());
    }
    if template.contains("{from}") && !facts.read_early() {
        return facts.keys(NO_READ.to_owned());
    }
    let text = fill::fill(template, |name| match name {
        "look" => {
            let live = facts.source().is_some_and(|s| s.live);
            Some(if live { "read it again" } else { "export it again and read it" }.to_owned())
        }
        _ => facts.place(name),
    });
    facts.keys(text)
}

impl Facts<'_> {
    /// Without the keys that write, where nothing can be written.
    fn keys(&self, text: String) -> String {
        if self.cx.writable { text } else { without_keys(&text, &["x", "r", "l", "r, x"]) }
    }
}

/// Leaves out keys in brackets: `Hold it (x).` becomes `Hold it.`
fn without_keys(text: &str, keys: &[&str]) -> String {
    keys.iter().fold(text.to_owned(), |text, key| text.replace(&format!(" ({key})"), ""))
}

/// A next step without any key, for reports, mail and files.
pub fn next_in_print(next: &str) -> String {
    let letters = ["x", "r", "R", "l", "v", "y", "r, x", "5"];
    without_keys(next, &letters)
}

/// A part of a next step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextPart<'a> {
    /// Words.
    Text(&'a str),
    /// A key that stands behind its verb.
    Key(&'a str),
}

/// A next step in words and keys: the brackets around a key are left out, the blank before it stays.
pub fn next_parts(next: &str) -> Vec<NextPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = next;
    while let Some((before, key, after)) = first_key(rest) {
        parts.push(NextPart::Text(before));
        for (at, letter) in key.split(", ").enumerate() {
            if at > 0 {
                parts.push(NextPart::Text(", "));
            }
            parts.push(NextPart::Key(letter));
        }
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(NextPart::Text(rest));
    }
    parts
}

/// The first key or keys in brackets, with what stands before and behind.
fn first_key(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some((_, behind)) = text.get(from..)?.split_once('(') {
        let open = text.len() - behind.len();
        if let Some((key, after)) = behind.split_once(')')
            && key.split(", ").all(|letter| letter.chars().count() == 1)
        {
            return Some((text.get(..open - 1)?, key, after));
        }
        from = open;
    }
    None
}

/// The words at the beginning of a headline: `Happened twice`.
pub fn headline(words: &str) -> String {
    phrase::capital(words)
}
