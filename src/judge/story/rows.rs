//! Short phrases beside the story: what is known of a row, of the calls, of a read.

use super::phrase::{capital, counted, inflected, noun};
use crate::judge::judgement::{Class, Judgement};
use crate::judge::rules::Rule;
use crate::judge::view::{EffectView, IntentView, SourceView};
use crate::judge::words::{Case, Mark, case_of};

/// What is known of a row of a double, never which one is too many: for wide, compact and one pane.
pub fn row_phrase(row: &EffectView) -> [&'static str; 3] {
    if row.acknowledged {
        ["the agent has its receipt", "agent has receipt", "receipt held"]
    } else if row.link.is_empty() {
        ["no answer named it"; 3]
    } else {
        ["nobody was told of it", "nobody was told", "nobody was told"]
    }
}

/// How far a source was read, as people say it: `row 48211`. Empty where it is not known.
pub fn position(source: &SourceView) -> String {
    match source.position.strip_prefix("rowid ") {
        Some(row) => format!("row {row}"),
        None => source.position.clone(),
    }
}

/// `two attempts can explain 1 to 2 refunds`; narrow: with figures.
pub fn bounds(view: &IntentView, narrow: bool) -> String {
    let j = &view.judgement;
    let noun = noun(if view.kind.is_empty() { &view.tool } else { &view.kind });
    let attempts = u64::from(j.attempts);
    let who = if narrow {
        format!("{attempts} {}", inflected(attempts, "attempt"))
    } else {
        counted(attempts, "attempt")
    };
    let most = j.hi_uncapped.max(j.hi);
    let range = if j.lo == most { format!("{most}") } else { format!("{} to {most}", j.lo) };
    // A range is spoken in the plural: 0 to 1 refunds.
    let many = if j.lo == most { u64::from(most) } else { 2 };
    format!("{who} can explain {range} {}", inflected(many, &noun))
}

/// The word behind the money of a headline: `too much`, `undecided`, `may go out`.
pub fn difference_word(j: &Judgement) -> &'static str {
    let words = case_of(j);
    match (words.mark, words.case) {
        (Mark::More, _) => "too much",
        (Mark::MaybeMore, Case::OneOnItsWay | Case::AllOnTheirWay) => "may go out",
        (Mark::MaybeMore, _) => "too much, if so",
        (Mark::Fewer, _) => "too little",
        (Mark::NoAttempt, _) => "not judged",
        (Mark::Waiting | Mark::AsMeant | Mark::PutRight, _) => "as intended",
        (Mark::Differs, _) if j.class == Class::Violation => wrong_by(j),
        _ => "undecided",
    }
}

/// A total of the same unit is too much or too little; all else is wrong.
fn wrong_by(j: &Judgement) -> &'static str {
    match (j.live, j.expected) {
        (Some(live), Some(wanted)) if live.unit == wanted.unit && j.rule != Rule::R16 => {
            if live.amount > wanted.amount { "too much" } else { "too little" }
        }
        _ => "wrong",
    }
}

/// The name of a row where a sentence begins with it: an id stays as it is, `row 88120` is our own word.
pub(super) fn row_first(row: &EffectView) -> String {
    if row.id.is_empty() { capital(&row.name) } else { row.name.clone() }
}
