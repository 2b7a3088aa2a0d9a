//! Words for records, outcomes, read results, coverage, findings and retry origins (`6-screens.md` 7.4.6).

use super::super::judgement::RetryOrigin;
use super::super::view::AttemptView;
use crate::model::outcome::{Class, Outcome};
use crate::model::row::{Seen, State};

/// What a record says, in a sentence; without a record it is derived from the calls.
pub const RECORD_SAYS: [(State, &str); 4] = [
    (State::Submitted, "sent, no answer yet"),
    (State::Confirmed, "the other side said yes"),
    (State::Failed, "the other side said no"),
    (State::Unknown, "nobody can tell"),
];

/// The sentence of a recorded state; `None` is derived.
pub fn record_says(state: Option<State>) -> &'static str {
    let row = state.and_then(|state| RECORD_SAYS.iter().find(|(of, _)| *of == state));
    row.map_or("derived from the calls", |(_, words)| words)
}

/// Mark and words under an attempt. Places in braces are filled by [`outcome`].
pub const OUTCOMES: [(Outcome, char, &str); 14] = [
    (Outcome::Success, '✓', "answered: done"),
    (Outcome::Reused, '✓', "answered: done before"),
    (Outcome::AlreadyDone, '✓', "answered: already done"),
    (Outcome::Rejected, '✗', "refused{reason}"),
    (Outcome::NotSent, '–', "never sent"),
    (Outcome::ResponseLost, '?', "answer lost"),
    (Outcome::Timeout, '?', "timed out"),
    (Outcome::ConnectionReset, '?', "connection cut"),
    (Outcome::ServerError, '?', "server error{status}, may have acted"),
    (Outcome::Cancelled, '?', "cancelled, may have acted"),
    (Outcome::Failed, '?', "failed, may have acted"),
    (Outcome::NoRecord, '?', "no outcome recorded"),
    (Outcome::OtherWord, '?', "outcome not known{word}"),
    (Outcome::Missing, '?', "no outcome recorded"),
];

/// Mark and words under an attempt. `accepted`: its row is on its way; `left`: how long it may still take, in words.
///
/// The reason of a refusal is text from outside.
pub fn outcome(attempt: &AttemptView, accepted: bool, left: Option<&str>) -> (char, String) {
    if attempt.class == Class::Open {
        let left = left.map(|left| format!(", {left} left")).unwrap_or_default();
        return ('…', format!("waiting{left}"));
    }
    if accepted && attempt.class.told_yes() {
        return ('✓', "accepted".to_owned());
    }
    let row = OUTCOMES.iter().find(|(of, _, _)| *of == attempt.outcome);
    let (mark, words) = row.map_or(('?', "no outcome recorded"), |(_, mark, words)| (*mark, *words));
    if attempt.conflict {
        return ('?', "ended twice, with different outcomes".to_owned());
    }
    let word = match attempt.outcome_word.trim() {
        "" => String::new(),
        word => format!(": {word}"),
    };
    let reason = match attempt.text.trim() {
        "" => String::new(),
        text => format!(": {text}"),
    };
    let status = status_code(&attempt.outcome_word)
        .or_else(|| status_code(&attempt.text))
        .map_or_else(String::new, |code| format!(" {code}"));
    let unseen = if attempt.unseen { UNSEEN } else { "" };
    // One place at a time: what is filled in is text from outside.
    let words = match words.split_once('{') {
        Some((before, "reason}")) => format!("{before}{reason}"),
        Some((before, "word}")) => format!("{before}{word}"),
        _ => words.replace("{status}", &status),
    };
    (mark, words + unseen)
}

/// Behind the words of an attempt whose answer did not reach its caller.
pub const UNSEEN: &str = "; an answer was there, not seen";

/// A status code of three digits in a text, of the kind that servers answer with.
fn status_code(text: &str) -> Option<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .find(|word| word.len() == 3 && word.starts_with('5') && word.bytes().all(|b| b.is_ascii_digit()))
}

/// Words of a read result; `{}` is its detail.
pub const READS: [(Seen, &str); 6] = [
    (Seen::Present, "the row is there{}"),
    (Seen::Differs, "the row is there, {} differs"),
    (Seen::AbsentAsOf, "proves it, as of {}"),
    (Seen::NotFoundNotCovering, "proves nothing, {}"),
    (Seen::Unreadable, "could not be read: {}"),
    (Seen::NotRun, "was not looked at: {}"),
];

/// Words of a read result, with its detail: the field, the position (`row 48211`), or the reason. For a row on its
/// way the detail of `present` is `, pending`. Without a detail the words stop before it.
pub fn read_result(seen: Seen, detail: &str) -> String {
    let words = READS.iter().find(|(of, _)| *of == seen).map_or("", |(_, words)| *words);
    if !detail.is_empty() {
        return words.replace("{}", detail);
    }
    match seen {
        Seen::Differs => "the row is there, a field differs".to_owned(),
        Seen::AbsentAsOf => "proves it".to_owned(),
        _ => words.trim_end_matches("{}").trim_end_matches([' ', ',', ':']).to_owned(),
    }
}

/// A condition of coverage that failed, with its figures as text (`4-sources.md` 4.3).
#[derive(Clone, Copy, Debug)]
pub enum Coverage<'a> {
    /// C0: the read went through the call's own path.
    SamePath,
    /// C0: the source can never prove an absence.
    CannotProve,
    /// C1, C2: from when on a row would cover, the call's end, its settle time, the bound of both clocks.
    TooEarly {
        /// Covered from.
        from: &'a str,
        /// End of the last call.
        end: &'a str,
        /// How long a request may live on.
        settle: &'a str,
        /// Both clocks together.
        clocks: &'a str,
    },
    /// C3: what is missing, `2 of 3 pages`.
    Incomplete(&'a str),
    /// C4: how many rows.
    Unreadable(u32),
    /// C5: how far the replica was; empty where that is not known.
    Replica(&'a str),
    /// C6: the field of the partition, what the source holds, what the call was for.
    Partition {
        /// Field.
        field: &'a str,
        /// Value of the source.
        holds: &'a str,
        /// Value of the call.
        call: &'a str,
    },
    /// C7: what suggests that it happened.
    OtherSign(&'a str),
    /// C7: a row is on its way.
    OnItsWay,
    /// C8: where the listing begins.
    BeginsLate(&'a str),
    /// C9: it is a copy.
    Copy,
    /// C9: what it does not hold, `payouts`.
    NotHeld(&'a str),
}

/// The same as a table: code and words, in the order of [`Coverage`].
pub const COVERAGE: [(&str, &str); 12] = [
    ("C0", "it is the same path as the call"),
    ("C0", "this source cannot prove absence"),
    ("C2", "a row newer than {from}: the call's end {end}, {settle} to settle, {clocks} for the clocks"),
    ("C3", "it is not complete: {what}"),
    ("C4", "{n} row that may be this one cannot be read"),
    ("C5", "it is a replica, which is only at {at}"),
    ("C6", "it holds {field} {holds}, the call was {field} {call}"),
    ("C7", "something else suggests that it happened: {what}"),
    ("C7", "a row is on its way"),
    ("C8", "it begins only at {at}, after the call"),
    ("C9", "it is a copy"),
    ("C9", "{what} are not in it"),
];

/// Code and words of a condition that failed. [`Coverage::TooEarly`] stands for C1 too, and is always followed by
/// `covered from {from} on`.
pub fn coverage(failed: Coverage<'_>) -> (&'static str, String) {
    let with = |at: usize, places: &[(&str, &str)]| {
        let (code, words) = COVERAGE.get(at).copied().unwrap_or_default();
        let filled = places.iter().fold(words.to_owned(), |text, (place, value)| text.replace(place, value));
        (code, filled)
    };
    match failed {
        Coverage::SamePath => with(0, &[]),
        Coverage::CannotProve => with(1, &[]),
        Coverage::TooEarly { from, end, settle, clocks } => {
            with(2, &[("{from}", from), ("{end}", end), ("{settle}", settle), ("{clocks}", clocks)])
        }
        Coverage::Incomplete("") => ("C3", "it is not complete".to_owned()),
        Coverage::Incomplete(what) => with(3, &[("{what}", what)]),
        Coverage::Unreadable(1) => with(4, &[("{n}", "1")]),
        Coverage::Unreadable(n) => ("C4", format!("{n} rows that may be this one cannot be read")),
        Coverage::Replica("") => ("C5", "it is a replica, and how far it had got is not known".to_owned()),
        Coverage::Replica(at) => with(5, &[("{at}", at)]),
        Coverage::Partition { field, holds, call } => {
            with(6, &[("{field}", field), ("{holds}", holds), ("{call}", call)])
        }
        Coverage::OtherSign(what) => with(7, &[("{what}", what)]),
        Coverage::OnItsWay => with(8, &[]),
        Coverage::BeginsLate(at) => with(9, &[("{at}", at)]),
        Coverage::Copy => with(10, &[]),
        Coverage::NotHeld(what) => with(11, &[("{what}", what)]),
    }
}

/// Words of findings by code; `{}` is the figure or value that belongs to it.
///
/// `SOURCES_DISAGREE` has three, by what differs: `story::finding_words` chooses.
pub const FINDINGS: [(&str, &str); 33] = [
    (
        "EXCESS_UNEXPLAINED",
        "{} more than the calls can explain: below the client, or in a trace that is not loaded",
    ),
    ("ACKS_EXCEED_ROWS", "answered twice, there once: the tool seems to deduplicate"),
    ("PHANTOM_RESPONSE", "answered as done, but not there"),
    ("ACK_NOT_YET_VISIBLE", "answered as done, not visible yet"),
    ("MORE_MAY_LAND", "{} more may still arrive"),
    ("SUGGESTION", "{} open row may be it: l says yes or no"),
    ("FITS_BY_ORDER", "fits by order; the rows carry no id"),
    ("DIFFERS_BY_ORDER", "as many rows as requests by order, another total"),
    ("ON_ITS_WAY", "{} more is on its way"),
    ("CAME_BACK", "it was sent and came back"),
    ("RECEIPT_NOT_FOUND", "the row that the answer named is not there"),
    ("WITNESS_PRESENT", "another look after the last call shows it"),
    ("WITNESS_DIFFERS", "another look after the last call shows it with another value"),
    ("WITNESS_UNREADABLE", "another look after the last call could not be read"),
    ("UNREADABLE_CANDIDATE", "{} row that may be this one cannot be read"),
    ("SAME_EXTERNAL_REF", "recorded twice, perhaps paid once: ask the provider"),
    ("SOURCES_DISAGREE", "the provider has it, our books do not"),
    ("NEAR_IDENTICAL_ID", "almost the same id as {}: one and the same?"),
    ("NO_EFFECT_ID", "same line twice: exported twice, or two?"),
    ("AMOUNT_CHANGED", "the amount changed between calls: {}"),
    ("CURRENCY_UNKNOWN", "no currency: only numbers are compared; --currency says which"),
    ("EXPECTATION_DIFFERS", "the file and the record expect different things; the file counts"),
    ("TIME_OUT_OF_RANGE", "a linked row lies outside the time of the calls"),
    ("CLOCK_SKEW", "clocks are further apart than declared: {}"),
    ("REVERSAL_OVER", "more was undone than had happened: {}"),
    ("ZERO_AMOUNT", "a row of amount zero counts as one"),
    ("DISPUTED", "settled, then contradicted"),
    ("ORPHAN_REVERSAL", "a row takes back an effect that is not known"),
    ("STATUS_WORD_UNKNOWN", "status {} is not known, counted as done"),
    ("OUTCOME_WORD_UNKNOWN", "outcome {} is not known, counted as not known"),
    ("OUTCOME_CONFLICT", "one call ended twice with different outcomes"),
    ("TIME_UNREADABLE", "a row has no time that can be read"),
    ("ANSWER_NOT_SEEN", "an answer was there and did not reach the caller"),
];

/// The words of a finding with its figure; `None` for a code that is none.
pub fn finding(code: &str, detail: &str) -> Option<String> {
    let (_, words) = FINDINGS.iter().find(|(of, _)| *of == code)?;
    let detail = detail.replace(" -> ", " to ");
    let many = detail.parse::<u64>().is_ok_and(|n| n != 1);
    let text = match (code, many) {
        ("ON_ITS_WAY", true) => "{} more are on their way",
        ("SUGGESTION", true) => "{} open rows may be it: l says yes or no",
        ("UNREADABLE_CANDIDATE", true) => "{} rows that may be this one cannot be read",
        ("SUGGESTION", _) if detail.is_empty() => "an open row may be it: l says yes or no",
        ("UNREADABLE_CANDIDATE", _) if detail.is_empty() => "a row that may be this one cannot be read",
        ("NEAR_IDENTICAL_ID", _) if detail.is_empty() => "almost the same id as another: one and the same?",
        ("STATUS_WORD_UNKNOWN", _) if detail.is_empty() => "a status is not known, counted as done",
        ("OUTCOME_WORD_UNKNOWN", _) if detail.is_empty() => "an outcome is not known, counted as not known",
        _ => words,
    };
    if detail.is_empty() {
        // Without its figure the sentence says less, never something else.
        return Some(text.replace(": {}", "").replace("{} ", "").replace(" {}", ""));
    }
    Some(text.replace("{}", &detail))
}

/// Who repeated a call.
pub const ORIGINS: [(RetryOrigin, &str); 6] = [
    (RetryOrigin::Model, "a new decision of the agent"),
    (RetryOrigin::Script, "a new decision of the script"),
    (RetryOrigin::Caller, "a new decision of the caller"),
    (RetryOrigin::Framework, "a repeat by a library"),
    (RetryOrigin::Transport, "a repeat below the client"),
    (RetryOrigin::Unknown, "who repeated it is not known"),
];

/// Who repeated a call; `None` where nobody did.
pub fn origin(origin: RetryOrigin) -> Option<&'static str> {
    ORIGINS.iter().find(|(of, _)| *of == origin).map(|(_, words)| *words)
}

/// List words of what a book adds to an item: property and words.
pub const PROPERTIES: [(&str, &str); 4] = [
    ("disputed", "settled, then contradicted"),
    ("not_taken_over", "happened, not taken over"),
    ("break_glass", "decided alone, not reviewed"),
    ("facts_changed", "closed, facts changed since"),
];
