//! What the calls did and what they were told.

use crate::judge::judgement::RetryOrigin;
use crate::judge::rules::Rule;
use crate::judge::story::facts::{Facts, Look, ended_or_sent};
use crate::judge::story::phrase::{capital, number, plural, times};
use crate::judge::story::rows::row_first;
use crate::judge::view::AttemptView;
use crate::judge::words::Case;
use crate::model::outcome::{Class, Outcome};
use crate::model::row::Status;
use crate::model::time::{Instant, span_words};

/// Who did it, as the subject of a sentence: `attempt 1` where there are several.
fn subject(facts: &Facts<'_>, attempt: &AttemptView) -> String {
    let day = ended_or_sent(attempt).and_then(|at| facts.cx.other_day(at.at));
    match (facts.several(), day) {
        (true, _) => format!("attempt {}", attempt.number),
        (false, Some(day)) => format!("the attempt of {day}"),
        (false, None) => "the attempt".to_owned(),
    }
}

/// What became of an attempt that got no answer; `at`, with a blank before it, is when, or nothing.
pub(super) fn lost_how(attempt: &AttemptView, subject: &str, at: &str) -> String {
    if attempt.conflict {
        return format!("{subject} ended twice{at}, with different outcomes");
    }
    let how = match attempt.outcome {
        Outcome::ResponseLost if subject == "the attempt" => "the answer was lost".to_owned(),
        Outcome::ResponseLost => format!("the answer to {subject} was lost"),
        Outcome::Timeout => format!("{subject} timed out"),
        Outcome::ConnectionReset if subject == "the attempt" => "the connection was cut".to_owned(),
        Outcome::ConnectionReset => format!("the connection of {subject} was cut"),
        Outcome::ServerError => format!("{subject} got a server error"),
        Outcome::Cancelled => format!("{subject} was cancelled"),
        Outcome::Failed => format!("{subject} ended in an error that does not say what it did"),
        Outcome::OtherWord => {
            let mut word: String = attempt.outcome_word.chars().take(LONGEST_WORD).collect();
            if word.len() < attempt.outcome_word.len() {
                // A secret whose end is cut off is known by this.
                word.push('…');
            }
            let word = if word.is_empty() { word } else { format!(": \"{word}\"") };
            return format!("{subject} has an outcome that is not a known word{word}");
        }
        // It is not recorded when nothing was recorded: the time is that of the call.
        _ if at.is_empty() => return format!("no outcome of {subject} is recorded"),
        _ => return format!("no outcome of {subject}, sent{at}, is recorded"),
    };
    how + at
}

/// The time that [`lost_how`] speaks of: when it ended, and when it was sent where no outcome was recorded.
fn when_lost(attempt: &AttemptView) -> Option<Instant> {
    let recorded = attempt.conflict
        || matches!(
            attempt.outcome,
            Outcome::ResponseLost
                | Outcome::Timeout
                | Outcome::ConnectionReset
                | Outcome::ServerError
                | Outcome::Cancelled
                | Outcome::Failed
                | Outcome::OtherWord
        );
    if recorded { ended_or_sent(attempt) } else { Some(attempt.sent).filter(|at| !at.is_none()) }
}

/// Letters of an outcome word that are quoted.
const LONGEST_WORD: usize = 40;

/// Nothing says what the caller was told.
fn not_told(attempt: &AttemptView) -> bool {
    attempt.conflict || matches!(attempt.outcome, Outcome::NoRecord | Outcome::OtherWord | Outcome::Missing)
}

/// How the last of several calls ended, as the end of a sentence that began with the first.
pub(super) fn ended_again(first: &AttemptView, last: &AttemptView) -> &'static str {
    match last.class {
        class if class.told_yes() => " and answered as done",
        Class::Fail => " and refused",
        _ if not_told(last) => " and has no known outcome",
        _ if first.class.told_yes() || not_told(first) => " and got no answer",
        _ => " and got no answer again",
    }
}

/// What the lost calls did. `short`: no times, and the place is the provider.
pub(super) fn lost(facts: &Facts<'_>, short: bool) -> Option<String> {
    let lost = facts.lost();
    let [one] = lost.as_slice() else {
        return lost_many(facts, &lost);
    };
    let cx = facts.cx;
    let waits = matches!(facts.case(), Case::Plain) && facts.j().rule == Rule::R31;
    let subject = subject(facts, one);
    let said_day = subject.starts_with("the attempt of ");
    let at = match when_lost(one) {
        Some(at) if !said_day && !short => format!(" {}", cx.at(at)),
        _ => String::new(),
    };
    let who = if waits && cx.narrow && subject == "the attempt" { "it" } else { &subject };
    let how = capital(&lost_how(one, who, &at));
    let row = facts.made_by(one).filter(|row| row.status == Status::Live);
    let row = row.map_or_else(String::new, |row| {
        if short {
            return format!(", but the provider has its {}", facts.noun);
        }
        let from =
            if row.committed.is_none() { String::new() } else { format!(" from {}", cx.time(row.committed)) };
        format!(", but the ledger holds its {}{from}", facts.noun)
    });
    Some(format!("{how}{row}."))
}

/// Several lost answers in one sentence.
fn lost_many(facts: &Facts<'_>, calls: &[&AttemptView]) -> Option<String> {
    let last = calls.last()?;
    let (lost_count, all) = (calls.len() as u64, facts.attempts().len() as u64);
    let of = if lost_count == all { String::new() } else { format!(" of {}", number(all)) };
    let at = ended_or_sent(last).map_or_else(String::new, |at| format!(", the last {}", facts.cx.at(at)));
    let rows = calls.iter().filter(|a| facts.made_by(a).is_some()).count() as u64;
    let rows = match rows {
        0 => String::new(),
        rows => format!(", but the ledger holds {} of their {}", number(rows), plural(&facts.noun)),
    };
    let how = if calls.iter().any(|call| not_told(call)) { "have no known outcome" } else { "got no answer" };
    Some(format!("{}{of} calls {how}{at}{rows}.", capital(&number(lost_count))))
}

/// Calls that were sent after one that lost its answer.
fn pairs<'a>(facts: &Facts<'a>) -> Vec<(&'a AttemptView, &'a AttemptView)> {
    let attempts = facts.attempts();
    let pairs = attempts.iter().zip(attempts.iter().skip(1));
    pairs.filter(|(a, _)| a.class == Class::Unknown).map(|(a, b)| (*a, *b)).collect()
}

/// Time between the end of a call and the next one, as an adverb: `seven seconds later`, `at once`.
pub(in crate::judge::story) fn later(first: &AttemptView, next: &AttemptView) -> Option<String> {
    let from = ended_or_sent(first)?;
    if next.sent.is_none() {
        return None;
    }
    let us = next.sent.at.since(from.at);
    Some(match us {
        ..0 => "before it had ended".to_owned(),
        us if us < crate::model::time::SECOND => "at once".to_owned(),
        us => format!("{} later", span_words(us)),
    })
}

/// How it was sent again.
pub(super) fn again(facts: &Facts<'_>) -> Option<String> {
    let pairs = pairs(facts);
    let (first, next) = pairs.last()?;
    let who = match facts.j().origin {
        RetryOrigin::Model => "The agent tried again",
        RetryOrigin::Script => "The script tried again",
        RetryOrigin::Caller => "The caller tried again",
        RetryOrigin::Framework => "A library sent it again",
        RetryOrigin::None | RetryOrigin::Transport | RetryOrigin::Unknown => "It was tried again",
    };
    let when = later(first, next).map(|when| format!(" {when}")).unwrap_or_default();
    let looks: Vec<Option<Look>> = pairs.iter().map(|(a, b)| facts.read_between(a, b)).collect();
    if pairs.len() > 1 {
        let when = if when.is_empty() { String::new() } else { format!(", the last time{when}") };
        let never = looks.iter().all(|look| *look == Some(Look::Nobody));
        let look = if never { ", without reading back" } else { "" };
        return Some(format!("{who} {}{when}{look}.", times(pairs.len() as u64)));
    }
    let overlapped =
        ended_or_sent(first).is_some_and(|ended| !next.sent.is_none() && next.sent.at < ended.at);
    let look = match looks.first().copied().flatten() {
        // Before the first call had ended there was nothing to read back.
        _ if overlapped => "",
        Some(Look::Nobody) => " without reading back",
        Some(Look::Read) => ", after reading back",
        Some(Look::Found) => ", although a read-back had found it",
        Some(Look::NotFound) => ", after a read-back that did not find it",
        None => "",
    };
    Some(format!("{who}{when}{look}."))
}

/// An answer that itself says that an earlier call acted.
pub(super) fn already(facts: &Facts<'_>) -> Option<String> {
    let attempts = facts.attempts();
    let last = attempts.iter().rev().find(|a| a.class == Class::Already)?;
    let to = if facts.several() { format!(" to attempt {}", last.number) } else { String::new() };
    Some(format!("The answer{to} said it had already been done: at least one exists."))
}

/// When the answer said done, and what it named.
pub(super) fn answered(facts: &Facts<'_>) -> Option<String> {
    let told = facts.told_yes().filter(|a| a.class != Class::Already)?;
    let subject = if facts.several() { format!("Attempt {}", told.number) } else { "The call".to_owned() };
    let at = match told.ended {
        at if at.is_none() => String::new(),
        at => format!(" {}", facts.cx.at(at)),
    };
    let receipt = match told.receipt.as_str() {
        "" => String::new(),
        named if told.receipt_found => format!(" and named {named}"),
        named => format!(" and named {named}, which is not in the ledger"),
    };
    Some(format!("{subject} was answered as done{at}{receipt}."))
}

/// An answer whose row is still pending.
pub(super) fn accepted(facts: &Facts<'_>) -> Option<String> {
    let row = facts.on_the_way().first().copied()?;
    let read = facts.cx.sources.get(row.source).and_then(|s| s.read_at);
    let still = read
        .map_or_else(|| "is pending".to_owned(), |at| format!("is still pending at {}", facts.cx.moment(at)));
    let by = facts.attempts().into_iter().find(|a| {
        let made = facts.made_by(a).is_some_and(|made| std::ptr::eq(made, row));
        made && a.class.told_yes()
    });
    let Some(by) = by else {
        return Some(format!("{} {still}.", row_first(row)));
    };
    let subject = if facts.several() { format!("Attempt {}", by.number) } else { "The call".to_owned() };
    Some(format!("{subject} was answered as accepted and {still}."))
}

pub(super) fn awaited(facts: &Facts<'_>) -> Option<String> {
    let open = facts.unsettled().into_iter().last().filter(|a| !a.sent.is_none())?;
    let until = open.sent.at.plus(facts.view.timeout);
    Some(format!("Its answer may take until {}.", facts.cx.moment(until)))
}
