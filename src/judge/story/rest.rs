//! The sentences after the first: how it is known, and what is assumed (`2-judge.md` 2.7, "Further sentences").
//!
//! Which sentences a rule has is a table; each says only what the facts carry, or nothing.

use super::facts::{Facts, Look, ended_or_sent};
use super::phrase::{capital, inflected, joined, number, ordinal, plural, times};
use super::{Context, Place};
use crate::judge::facts::link;
use crate::judge::findings as f;
use crate::judge::judgement::RetryOrigin;
use crate::judge::rules::Rule;
use crate::judge::view::{AttemptView, EffectView, SourceView};
use crate::judge::words::{Case, has};
use crate::model::money::Money;
use crate::model::outcome::{Class, Outcome};
use crate::model::row::Status;
use crate::model::time::{HOUR, Instant, Micros, Res, span_words};

/// Most sentences after the first: four lines hold no more.
const MOST: usize = 4;

/// One kind of sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece {
    /// What the lost calls did.
    Lost,
    /// The same with the row it made, on a narrow screen without times.
    LostShort,
    /// How it was sent again.
    Again,
    /// An answer said that it was already done.
    Already,
    /// When the answer said done, and what it named.
    Answered,
    /// An answer was "accepted", its row is pending.
    Accepted,
    /// All calls in one sentence, or the amounts of the rows.
    Account,
    /// The ledger has no row, and why that proves nothing.
    NoRowBut,
    /// How far the ledger was read, past the calls.
    ReadPast,
    /// How far it was read, not far enough.
    ReadOnlyTo,
    /// Until when an answer is awaited.
    Awaited,
    /// Where the row stands that cannot be read.
    PlaceOfRow,
    /// Two values differ only in how they are written.
    Folded,
    /// How the rows are linked, if not by an id.
    LinkedBy,
    /// Two rows carry one reference.
    SameRef,
    /// The unit is assumed.
    Unit,
}

/// The sentences of each rule, in their order.
#[rustfmt::skip]
const PIECES: [(Rule, &[Piece]); 38] = [
    (Rule::R01, &[]),
    (Rule::R02, &[Piece::Lost, Piece::LinkedBy, Piece::SameRef, Piece::Unit]),
    (Rule::R03, &[Piece::Lost, Piece::Unit]),
    (Rule::R04, &[Piece::Lost, Piece::Again, Piece::LinkedBy, Piece::SameRef, Piece::Unit]),
    (Rule::R04a, &[Piece::Lost, Piece::Again, Piece::LinkedBy, Piece::Unit]),
    (Rule::R05, &[Piece::Lost, Piece::Again, Piece::Already, Piece::LinkedBy, Piece::SameRef, Piece::Unit]),
    (Rule::R06, &[Piece::Lost, Piece::Again, Piece::Unit]),
    (Rule::R07, &[Piece::Lost, Piece::Again, Piece::Unit]),
    (Rule::R08, &[Piece::Lost, Piece::Again, Piece::LinkedBy, Piece::Unit]),
    (Rule::R09, &[Piece::Lost]),
    (Rule::R10, &[Piece::PlaceOfRow, Piece::Lost]),
    (Rule::R11, &[Piece::Lost, Piece::Again, Piece::Unit]),
    (Rule::R12, &[Piece::Lost]),
    (Rule::R13, &[Piece::Lost, Piece::LinkedBy, Piece::Unit]),
    (Rule::R14, &[Piece::Folded, Piece::Lost]),
    (Rule::R15, &[Piece::Lost]),
    (Rule::R16, &[Piece::Lost]),
    (Rule::R16a, &[Piece::Account, Piece::LostShort, Piece::Accepted, Piece::Again, Piece::Unit]),
    (Rule::R17, &[]),
    (Rule::R18, &[Piece::ReadOnlyTo]),
    (Rule::R19, &[Piece::Lost, Piece::Answered]),
    (Rule::R20, &[Piece::Awaited]),
    (Rule::R20a, &[Piece::ReadOnlyTo]),
    (Rule::R21, &[Piece::Lost, Piece::Again, Piece::Unit]),
    (Rule::R22, &[Piece::Lost, Piece::Already, Piece::LinkedBy, Piece::Unit]),
    (Rule::R23, &[Piece::Answered, Piece::Unit]),
    (Rule::R24, &[Piece::Lost, Piece::Again, Piece::LinkedBy, Piece::Unit]),
    (Rule::R25, &[Piece::Answered, Piece::Already, Piece::ReadOnlyTo, Piece::Unit]),
    (Rule::R26, &[Piece::Lost, Piece::Answered, Piece::ReadPast, Piece::Unit]),
    (Rule::R27, &[Piece::Answered, Piece::Already, Piece::Lost, Piece::ReadPast, Piece::Unit]),
    (Rule::R28, &[]),
    (Rule::R29, &[Piece::Lost, Piece::NoRowBut]),
    (Rule::R30, &[Piece::Lost, Piece::ReadPast]),
    (Rule::R31, &[Piece::Lost, Piece::Again, Piece::NoRowBut, Piece::Unit]),
    (Rule::R32, &[Piece::Answered, Piece::Already, Piece::ReadOnlyTo, Piece::Unit]),
    (Rule::R33, &[]),
    (Rule::R34, &[]),
    (Rule::R35, &[Piece::NoRowBut]),
];

/// The sentences after the first.
pub(super) fn sentences(facts: &Facts<'_>) -> Vec<String> {
    let pieces = PIECES.iter().find(|(rule, _)| *rule == facts.j().rule).map_or(&[][..], |(_, pieces)| pieces);
    let mut said: Vec<String> = pieces.iter().flat_map(|piece| piece.say(facts)).collect();
    said.truncate(MOST);
    said
}

impl Piece {
    fn say(self, facts: &Facts<'_>) -> Vec<String> {
        let one = |sentence: Option<String>| sentence.into_iter().collect();
        match self {
            Self::Lost => one(lost(facts, false)),
            Self::LostShort if facts.case() == Case::NoIds => Vec::new(),
            Self::LostShort => one(lost(facts, facts.case() == Case::OneOnItsWay && facts.cx.narrow)),
            Self::Again if matches!(facts.case(), Case::NoIds | Case::OneOnItsWay) => Vec::new(),
            Self::Again => one(again(facts)),
            Self::Already => one(already(facts)),
            Self::Answered => one(answered(facts)),
            Self::Accepted => one(accepted(facts)),
            Self::Account if facts.case() == Case::NoIds => account(facts),
            Self::Account => Vec::new(),
            Self::NoRowBut => one(no_row_but(facts)),
            Self::ReadPast => one(read_past(facts)),
            Self::ReadOnlyTo => one(read_only_to(facts)),
            Self::Awaited => one(awaited(facts)),
            Self::PlaceOfRow => one(place_of_row(facts)),
            Self::Folded => one(folded(facts)),
            Self::LinkedBy => one(linked_by(facts)),
            Self::SameRef => one(same_reference(facts)),
            Self::Unit => one(unit(facts)),
        }
    }
}

/// Who did it, as the subject of a sentence: `attempt 1` where there are several.
fn subject(facts: &Facts<'_>, attempt: &AttemptView) -> String {
    let day = ended_or_sent(attempt).and_then(|at| facts.cx.other_day(at.at));
    match (facts.several(), day) {
        (true, _) => format!("attempt {}", attempt.number),
        (false, Some(day)) => format!("the attempt of {day}"),
        (false, None) => "the attempt".to_owned(),
    }
}

/// What became of an attempt that got no answer, without its time.
fn lost_how(attempt: &AttemptView, subject: &str) -> String {
    match attempt.outcome {
        Outcome::ResponseLost if subject == "the attempt" => "the answer was lost".to_owned(),
        Outcome::ResponseLost => format!("the answer to {subject} was lost"),
        Outcome::Timeout => format!("{subject} timed out"),
        Outcome::ConnectionReset if subject == "the attempt" => "the connection was cut".to_owned(),
        Outcome::ConnectionReset => format!("the connection of {subject} was cut"),
        Outcome::ServerError => format!("{subject} got a server error"),
        Outcome::Cancelled => format!("{subject} was cancelled"),
        Outcome::Failed => format!("{subject} ended in an error that does not say what it did"),
        _ => format!("no outcome of {subject} is recorded"),
    }
}

/// What the lost calls did. `short`: no times, and the place is the provider.
fn lost(facts: &Facts<'_>, short: bool) -> Option<String> {
    let lost = facts.lost();
    let [one] = lost.as_slice() else { return lost_many(facts, &lost) };
    let cx = facts.cx;
    let waits = matches!(facts.case(), Case::Plain) && facts.j().rule == Rule::R31;
    let subject = subject(facts, one);
    let how = lost_how(one, if waits && cx.narrow && subject == "the attempt" { "it" } else { &subject });
    let how = capital(&how);
    let said_day = subject.starts_with("the attempt of ");
    let at = match ended_or_sent(one) {
        Some(at) if !said_day && !short => format!(" {}", cx.at(at)),
        _ => String::new(),
    };
    let row = facts.made_by(one).filter(|row| row.status == Status::Live);
    let row = row.map_or_else(String::new, |row| {
        if short {
            return format!(", but the provider has its {}", facts.noun);
        }
        let from = if row.committed.is_none() { String::new() } else { format!(" from {}", cx.time(row.committed)) };
        format!(", but the ledger holds its {}{from}", facts.noun)
    });
    Some(format!("{how}{at}{row}."))
}

/// Several lost answers in one sentence.
fn lost_many(facts: &Facts<'_>, lost: &[&AttemptView]) -> Option<String> {
    let last = lost.last()?;
    let (lost_count, all) = (lost.len() as u64, facts.attempts().len() as u64);
    let of = if lost_count == all { String::new() } else { format!(" of {}", number(all)) };
    let at = ended_or_sent(last).map_or_else(String::new, |at| format!(", the last {}", facts.cx.at(at)));
    let rows = lost.iter().filter(|a| facts.made_by(a).is_some()).count() as u64;
    let rows = match rows {
        0 => String::new(),
        rows => format!(", but the ledger holds {} of their {}", number(rows), plural(&facts.noun)),
    };
    Some(format!("{}{of} calls got no answer{at}{rows}.", capital(&number(lost_count))))
}

/// Calls that were sent after one that lost its answer.
fn pairs<'a>(facts: &Facts<'a>) -> Vec<(&'a AttemptView, &'a AttemptView)> {
    let attempts = facts.attempts();
    let pairs = attempts.iter().zip(attempts.iter().skip(1));
    pairs.filter(|(a, _)| a.class == Class::Unknown).map(|(a, b)| (*a, *b)).collect()
}

/// Time between the end of a call and the next one, as an adverb: `seven seconds later`, `at once`.
pub(super) fn later(first: &AttemptView, next: &AttemptView) -> Option<String> {
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
fn again(facts: &Facts<'_>) -> Option<String> {
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
    let look = match looks.first().copied().flatten() {
        Some(Look::Nobody) => " without reading back",
        Some(Look::Read) => ", after reading back",
        Some(Look::Found) => ", although a read-back had found it",
        Some(Look::NotFound) => ", after a read-back that did not find it",
        None => "",
    };
    Some(format!("{who}{when}{look}."))
}

/// An answer that itself says that an earlier call acted.
fn already(facts: &Facts<'_>) -> Option<String> {
    let attempts = facts.attempts();
    let last = attempts.iter().rev().find(|a| a.class == Class::Already)?;
    let to = if facts.several() { format!(" to attempt {}", last.number) } else { String::new() };
    Some(format!("The answer{to} said it had already been done: at least one exists."))
}

/// When the answer said done, and what it named.
fn answered(facts: &Facts<'_>) -> Option<String> {
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
fn accepted(facts: &Facts<'_>) -> Option<String> {
    let row = facts.on_the_way().first().copied()?;
    let read = facts.cx.sources.get(row.source).and_then(|s| s.read_at);
    let still = read.map_or_else(|| "is pending".to_owned(), |at| format!("is still pending at {}", facts.cx.moment(at)));
    let by = facts.attempts().into_iter().find(|a| {
        let made = facts.made_by(a).is_some_and(|made| std::ptr::eq(made, row));
        made && a.class.told_yes()
    });
    let Some(by) = by else { return Some(format!("{} {still}.", capital(&row.name))) };
    let subject = if facts.several() { format!("Attempt {}", by.number) } else { "The call".to_owned() };
    Some(format!("{subject} was answered as accepted and {still}."))
}

/// The account of an order whose rows carry no id: in a list what was called, in the detail what the rows are.
fn account(facts: &Facts<'_>) -> Vec<String> {
    let rows = facts.counted_rows();
    let equal = amounts_equal(&rows);
    let mut said = Vec::new();
    let which = match rows.len() {
        2 => "Both rows".to_owned(),
        n => format!("All {} rows", number(n as u64)),
    };
    if facts.cx.place == Place::List {
        said.extend(calls_as_one(facts));
        said.extend(equal.map(|money| format!("{which} are {}.", facts.cx.money(money))));
        return said;
    }
    if let Some(money) = equal {
        let attempts = facts.attempts();
        let of_calls = !attempts.is_empty() && attempts.iter().all(|a| a.amount == Some(money));
        let of = match (of_calls, attempts.len()) {
            (false, _) => String::new(),
            (true, 1) => ", the amount of the call".to_owned(),
            (true, 2) => ", the amount of both calls".to_owned(),
            (true, n) => format!(", the amount of all {} calls", number(n as u64)),
        };
        said.push(format!("{which} are {}{of}.", facts.cx.money(money)));
    } else {
        let amounts: Vec<String> = rows.iter().filter_map(|r| r.amount).map(|m| facts.cx.money(m)).collect();
        if !amounts.is_empty() {
            said.push(format!("The rows are {}.", joined(&amounts)));
        }
    }
    said.extend(facts.view.account.as_ref().map(|a| as_intended(u64::from(a.wanted), u64::from(a.found))));
    said
}

/// What so many rows would mean, without saying which of them.
fn as_intended(wanted: u64, found: u64) -> String {
    let right = format!("{} {} would be as intended", capital(&number(wanted)), inflected(wanted, "row"));
    match found.saturating_sub(wanted) {
        1 => format!("{right}, the {} would be too much.", ordinal(found)),
        more => format!("{right}, the other {} would be too much.", number(more)),
    }
}

fn amounts_equal(rows: &[&EffectView]) -> Option<Money> {
    let first = rows.first()?.amount?;
    (rows.len() > 1 && rows.iter().all(|row| row.amount == Some(first))).then_some(first)
}

/// All calls of an account in one sentence.
fn calls_as_one(facts: &Facts<'_>) -> Option<String> {
    let attempts = facts.attempts();
    let first = attempts.first()?;
    let last = attempts.last()?;
    let at = ended_or_sent(first).map_or_else(String::new, |at| format!(" {}", facts.cx.at(at)));
    let began = if first.class.told_yes() {
        format!("The call was answered as done{at}")
    } else {
        let how = lost_how(first, "the call");
        format!("{}{at}", capital(&how))
    };
    let ended = if last.class.told_yes() { " and answered as done" } else { " and got no answer again" };
    Some(match attempts.len() {
        1 => format!("{began}."),
        2 => {
            let when = later(first, last).map(|when| format!(" {when}")).unwrap_or_default();
            format!("{began}, was sent again{when}{ended}.")
        }
        n => format!("{began}, was sent again {}{ended}.", times(n as u64 - 1)),
    })
}

/// Nothing is there, and why that proves nothing.
fn no_row_but(facts: &Facts<'_>) -> Option<String> {
    let nothing_seen = matches!(facts.case(), Case::Plain) && facts.j().gross == 0;
    if !nothing_seen || facts.view.uncovered.is_empty() {
        return None;
    }
    let early = facts.view.uncovered.iter().any(|(code, _)| matches!(*code, "C1" | "C2"));
    let source = facts.source();
    if early && let Some(source) = source {
        return Some(ends_too_early(facts, source));
    }
    let (_, words) = facts.view.uncovered.first()?;
    Some(format!("The ledger has no row for it, and that proves nothing: {words}."))
}

fn ends_too_early(facts: &Facts<'_>, source: &SourceView) -> String {
    let cx = facts.cx;
    let last = facts.attempts().last().copied();
    let the = if facts.several() { "the last attempt" } else { "the attempt" };
    let Some(newest) = source.newest else {
        return "The ledger has no row at all, and an empty ledger proves nothing.".to_owned();
    };
    let before = |at: Option<Instant>| at.is_some_and(|at| !at.is_none() && newest < at.at);
    let when = if before(last.map(|a| a.sent)) {
        format!("before {the} began")
    } else if before(last.map(|a| a.ended)) {
        format!("before {the} ended")
    } else {
        format!("too soon after {the}")
    };
    let newest = cx.moment(newest);
    let ends = match (source.live, cx.narrow) {
        (true, _) => format!("its newest row is of {newest}"),
        (false, true) => format!("the export ends at {newest}"),
        (false, false) => format!("the export that was read ends at {newest}"),
    };
    format!("The ledger has no row for it, but {ends}, {when}: the missing row proves nothing.")
}

/// How far the ledger was read, past the calls.
fn read_past(facts: &Facts<'_>) -> Option<String> {
    let source = facts.source()?;
    if facts.j().gross > 0 || facts.j().came_back > 0 {
        return None;
    }
    let attempts = if facts.several() { "the attempts" } else { "the attempt" };
    if source.final_by_declaration {
        return Some("The ledger is final by declaration and holds no row for it.".to_owned());
    }
    let newest = source.newest?;
    let last = facts.j().last;
    let other_day = !last.is_none() && facts.cx.other_day(last).is_some();
    let read_today = source.read_at.is_some_and(|at| facts.cx.other_day(at).is_none());
    let today = if other_day && read_today { " today" } else { "" };
    let long = !last.is_none() && newest.since(last) >= HOUR;
    let past = if last.is_none() { String::new() } else { format!(", {} {attempts}", if long { "long past" } else { "past" }) };
    Some(format!("The ledger was read{today} up to {}{past}, and holds no row for it.", facts.cx.moment(newest)))
}

/// How far the ledger was read, where that is not far enough.
fn read_only_to(facts: &Facts<'_>) -> Option<String> {
    if !matches!(facts.case(), Case::Plain | Case::RecordedOnly) {
        return None;
    }
    let newest = facts.source()?.newest?;
    Some(format!("The ledger was read only up to {}.", facts.cx.moment(newest)))
}

fn awaited(facts: &Facts<'_>) -> Option<String> {
    let open = facts.unsettled().into_iter().last().filter(|a| !a.sent.is_none())?;
    let until = open.sent.at.plus(facts.view.timeout);
    Some(format!("Its answer may take until {}.", facts.cx.moment(until)))
}

fn place_of_row(facts: &Facts<'_>) -> Option<String> {
    let row = facts.view.effects.iter().find(|e| e.unreadable.is_some() && !e.place.is_empty())?;
    Some(format!("The row is {}.", row.place))
}

/// Two values that are equal without case, blanks and dashes (`1-model.md` 1.1, `folded_equal`): a hint.
fn folded(facts: &Facts<'_>) -> Option<String> {
    let of_read = || facts.view.reads.iter().rev().find_map(|r| r.differs.as_ref());
    let (_, expected, read) = facts.view.attribute.as_ref().or_else(of_read)?;
    let fold = |text: &str| -> String {
        text.chars().filter(|c| !matches!(c, ' ' | '-' | '_' | '.')).flat_map(char::to_lowercase).collect()
    };
    (fold(expected) == fold(read)).then(|| "The two differ only in capitals and signs.".to_owned())
}

/// How the rows are linked, if not by an id that both sides name.
fn linked_by(facts: &Facts<'_>) -> Option<String> {
    let rows = facts.happened();
    let only = |name: &str| !rows.is_empty() && rows.iter().all(|row| row.link.iter().all(|l| *l == name));
    let name_of = |bit: u16| link::NAMES.iter().find(|(of, _)| *of == bit).map_or("", |(_, name)| *name);
    let words = [
        (link::DECLARED, "by order id, as declared"),
        (link::HAND, "by hand"),
        (link::SCOPE, "because the ledger holds this run only"),
        (link::DERIVED, "by a key that is made from their content"),
    ];
    let (_, how) = words.iter().find(|(bit, _)| only(name_of(*bit)))?;
    let (subject, are) = if rows.len() == 1 { ("row is", "") } else { ("rows are", "") };
    Some(format!("The {subject}{are} linked {how}."))
}

/// Two rows that another system calls one (`SAME_EXTERNAL_REF`).
fn same_reference(facts: &Facts<'_>) -> Option<String> {
    if !has(facts.j(), f::SAME_EXTERNAL_REF) {
        return None;
    }
    let rows = facts.happened();
    let shared = rows.iter().find(|row| {
        let same = |other: &&&EffectView| other.external_ref == row.external_ref;
        !row.external_ref.is_empty() && rows.iter().filter(same).count() > 1
    })?;
    let count = rows.iter().filter(|row| row.external_ref == shared.external_ref).count() as u64;
    let all = if count == 2 { "Both rows carry".to_owned() } else { format!("{} rows carry", capital(&number(count))) };
    Some(format!("{all} reference {}: recorded {}, perhaps committed once; ask the provider.", shared.external_ref, times(count)))
}

/// The unit that was not on one side.
fn unit(facts: &Facts<'_>) -> Option<String> {
    if !facts.view.currency_assumed {
        return None;
    }
    let of_rows = || facts.counted_rows().iter().find_map(|row| row.amount);
    let money = facts.j().expected.or(facts.j().live).or_else(of_rows)?;
    Some(format!("{} is assumed.", facts.cx.units.text(money.unit)))
}

/// Says from when on a read can tell, where the next step does not.
pub(super) fn covered_from(cx: &Context<'_>, at: Micros) -> Option<String> {
    if at.is_none() {
        return None;
    }
    Some(format!("Covered from {} on.", cx.time(Instant { at, res: Res::Second })))
}
