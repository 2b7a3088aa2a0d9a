//! Guards: each a small function that lets pass or refuses (`3-lifecycle.md` 3.3).

use crate::model::money::Money;
use crate::model::row::Seen;
use crate::model::time::{Micros, rfc3339, span_words};
use crate::model::units::Units;

use super::facts::{Facts, Read};
use super::policy::{NOTE_BYTES, Policy, REASON_MIN};
use super::refusal::{Code, Refusal};

/// What holds for a decision: limits, names of units, the clock.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The policy in force.
    pub policy: &'a Policy,
    /// Names and exponents of units.
    pub units: &'a Units,
    /// The clock.
    pub now: Micros,
}

/// The outcome of a guard.
pub type Passed = Result<(), Refusal>;

/// A time as a message writes it: `2026-11-30 08:42:13Z`.
pub fn time(at: Micros) -> String {
    if at.is_none() {
        return "a time that is not known".to_owned();
    }
    let text = rfc3339(at);
    let (date, clock) = text.split_once('T').unwrap_or((&text, ""));
    let clock = clock.split_once('.').map_or(clock.trim_end_matches('Z'), |(whole, _)| whole);
    format!("{date} {clock}Z")
}

/// G-NOTE: long enough, not too long, says something, not the same again.
///
/// # Errors
/// R-NOTE.
pub fn note(note: &str, before: &str, policy: &Policy) -> Passed {
    let text = note.trim();
    let length = text.chars().count();
    let refused = |because: String, missing: String| {
        Err(Refusal::new(Code::Note, because).missing(missing).next("give it with --note TEXT"))
    };
    if length < policy.note_min {
        let characters = if length == 1 { "character" } else { "characters" };
        return refused(
            format!("the note has {length} {characters}, needs {}", policy.note_min),
            "what was seen, and why that decides it".to_owned(),
        );
    }
    if length > policy.note_max || text.len() > NOTE_BYTES {
        return refused(
            format!("the note has {length} characters ({} bytes)", text.len()),
            format!(
                "at most {} characters and 16 KiB; longer text belongs into a file: --evidence file:PATH",
                policy.note_max
            ),
        );
    }
    if !text.chars().any(char::is_alphanumeric) {
        return refused("the note has neither letter nor digit".to_owned(), "words".to_owned());
    }
    if text == before.trim() {
        return refused(
            "the note is the same as the one before on this intent".to_owned(),
            "what is new since then".to_owned(),
        );
    }
    Ok(())
}

/// The reason of an override.
///
/// # Errors
/// R-NOTE.
pub fn reason(reason: &str) -> Passed {
    let length = reason.trim().chars().count();
    if length >= REASON_MIN && reason.chars().any(char::is_alphanumeric) {
        return Ok(());
    }
    Err(Refusal::new(
        Code::Note,
        format!("the reason of the override has {length} characters, needs {REASON_MIN}"),
    )
    .missing("why it is known that nothing happened, although no read shows it")
    .next("give it with --override --reason TEXT"))
}

/// G-OWNER.
///
/// # Errors
/// R-OWNER.
pub fn owner(owner: &str) -> Passed {
    if owner.trim().is_empty() {
        return Err(Refusal::new(Code::Owner, "an open item belongs to somebody")
            .missing("a name")
            .next("give it with --owner NAME"));
    }
    Ok(())
}

/// G-DEADLINE: later than now, and not too far.
///
/// # Errors
/// R-DEADLINE.
pub fn deadline(deadline: Option<Micros>, rules: Rules<'_>) -> Passed {
    let furthest = rules.now.plus(rules.policy.max_extension);
    let refused = |because: String| {
        Err(Refusal::new(Code::Deadline, because)
            .missing(format!(
                "a time later than {} and at most {}, {}",
                time(rules.now),
                time(furthest),
                span_words(rules.policy.max_extension)
            ))
            .next("give it with --deadline TIME, such as 4h or 2026-11-30T12:00:00Z"))
    };
    match deadline {
        None => refused("what is held has a time at which it is looked at again".to_owned()),
        Some(at) if at <= rules.now => refused(format!("{} is not in the future", time(at))),
        Some(at) if at > furthest => refused(format!("{} is too far", time(at))),
        Some(_) => Ok(()),
    }
}

/// G-VERSION: what the operator saw is what is there. `seen` is version and fingerprint.
///
/// # Errors
/// R-VERSION with both.
pub fn version(facts: &Facts, seen: Option<(u64, &str)>) -> Passed {
    let Some((version, print)) = seen else { return Ok(()) };
    let short = |print: &str| print.chars().take(12).collect::<String>();
    if version == facts.version && print == facts.fingerprint {
        return Ok(());
    }
    let changed = if version == facts.version {
        "the rows, calls or expectation behind it changed".to_owned()
    } else {
        format!("changed by {} at {}", or(&facts.by, "somebody"), time(facts.since))
    };
    Err(Refusal::new(Code::Version, changed)
        .seen(format!("you saw version {version} with facts {}", short(print)))
        .seen(format!("there is version {} with facts {}", facts.version, short(&facts.fingerprint)))
        .missing("a look at what is there now")
        .next(format!("recount show {}", facts.intent_id)))
}

/// Why nothing can be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Blocked {
    /// The session or the folder is read-only, with the reason.
    ReadOnly(String),
    /// The chain is broken, at this entry.
    Chain(u64),
}

/// G-WRITE, without the operator, who is [`super::identity`]'s.
///
/// # Errors
/// R-READONLY or R-CHAIN.
pub fn write(blocked: Option<&Blocked>) -> Passed {
    match blocked {
        None => Ok(()),
        Some(Blocked::ReadOnly(why)) => Err(Refusal::new(Code::Readonly, why.clone())
            .missing("a book that can be written")
            .next("leave out --read-only, or run it where the case folder can be written")),
        Some(Blocked::Chain(seq)) => {
            Err(Refusal::new(Code::Chain, format!("the audit chain is broken at entry {seq}"))
                .missing("a book whose entries follow from each other")
                .next("recount audit verify says what is wrong; keep the file as it is"))
        }
    }
}

/// G-EVIDENCE for rows that are named (`row:SOURCE/ID`): each is a row of this intent.
///
/// # Errors
/// R-EVID-OTHER.
pub fn rows<'w>(facts: &Facts, named: impl IntoIterator<Item = &'w str>) -> Passed {
    let names = || facts.rows.iter().map(|row| row.name.as_str());
    let Some(other) = named.into_iter().find(|name| !names().any(|known| known == *name)) else {
        return Ok(());
    };
    let own: Vec<String> = names().map(|name| format!("row:{name}")).collect();
    let own = if own.is_empty() { "it has none".to_owned() } else { own.join(", ") };
    Err(Refusal::new(Code::EvidOther, format!("row:{other} is no row of {}", facts.intent_id))
        .missing(format!("a row of {}: {own}", facts.intent_id))
        .next(format!("recount show {} lists its rows; recount link ties one to it", facts.intent_id)))
}

/// G-EVIDENCE for one read: of this intent, independent, not played back, readable, after the last call ended.
///
/// # Errors
/// R-EVID-OTHER, R-EVID-PATH, R-EVID-UNREADABLE, R-EVID-STALE.
pub fn evidence(facts: &Facts, read: &Read) -> Passed {
    let again = format!("read again: recount readback {}", facts.intent_id);
    if read.intent_id != facts.intent_id {
        return Err(Refusal::new(Code::EvidOther, format!("{} was read for {}", read.id, read.intent_id))
            .missing(format!("a read of {}", facts.intent_id))
            .next(again));
    }
    if !read.independent || read.replayed {
        let how = if read.replayed {
            "is a stored answer that was played back"
        } else {
            "came through the path that writes"
        };
        return Err(Refusal::new(Code::EvidPath, format!("{} of {} {how}", read.id, read.source))
            .missing("a read of another system, or of the ledger itself")
            .next(again));
    }
    if matches!(read.seen, Seen::Unreadable | Seen::NotRun) {
        let why = or(&read.detail, "no reason is given");
        return Err(Refusal::new(Code::EvidUnreadable, format!("{} could not be read: {why}", read.id))
            .missing("a read; what cannot be read is not absent")
            .next(again));
    }
    stale(facts, read, &again)
}

fn stale(facts: &Facts, read: &Read, again: &str) -> Passed {
    let ended = facts.last_ended();
    let call = facts.calls.iter().find(|c| c.ended == ended);
    match call {
        Some(call) if read.at <= ended => Err(Refusal::new(
            Code::EvidStale,
            format!("{} was read at {}, but {} ended at {}", read.id, time(read.at), call.id, time(ended)),
        )
        .missing(format!("a read later than {}", time(ended)))
        .next(again)),
        _ => Ok(()),
    }
}

/// G-SAMEKEY.
///
/// # Errors
/// R-FAIL-KEY.
pub fn same_key(recorded: &str, sent: &str) -> Passed {
    if recorded == sent {
        return Ok(());
    }
    Err(Refusal::new(
        Code::FailKey,
        format!("retry key {} is not the recorded key {}; the service would see a new request", or(sent, "(none)"), or(recorded, "(none)")),
    )
    .missing("the recorded key")
    .next("use the key of recount intent list; a different request is a new intent with --parent ID --relation replaces"))
}

/// G-SAMEPAYLOAD; `differs` names the first field that differs, where that is known.
///
/// # Errors
/// R-FAIL-PAYLOAD.
pub fn same_payload(recorded: &str, sent: &str, differs: &str) -> Passed {
    if recorded == sent {
        return Ok(());
    }
    let short = |hash: &str| {
        if hash.is_empty() { "(none)".to_owned() } else { hash.chars().take(12).collect::<String>() }
    };
    let field = if differs.is_empty() { String::new() } else { format!("; first difference: {differs}") };
    Err(Refusal::new(Code::FailPayload, format!("the payload hash differs{field}"))
        .seen(format!("recorded {}, sent {}", short(recorded), short(sent)))
        .missing("the recorded payload")
        .next("a new intent with --parent ID --relation replaces, after this one is resolved"))
}

/// G-RETENTION: `now` is not later than the first send plus retention. Without a known retention nothing is promised.
///
/// # Errors
/// R-RETENTION.
pub fn retention(first: Option<Micros>, kept: Option<i64>, now: Micros) -> Passed {
    let Some(first) = first.filter(|first| !first.is_none()) else { return Ok(()) };
    let next = "a new intent after a covered read-back shows that nothing happened";
    let Some(kept) = kept else {
        return Err(Refusal::new(Code::Retention, "nobody says how long the service remembers a key")
            .seen(format!("first sent at {}", time(first)))
            .missing("retention of the tool in [tools.NAME]")
            .next(next));
    };
    let until = first.plus(kept);
    if now <= until {
        return Ok(());
    }
    Err(Refusal::new(
        Code::Retention,
        format!("first sent at {}, kept for {}, expired at {}", time(first), span_words(kept), time(until)),
    )
    .seen(format!("it is {}", time(now)))
    .missing("a key that the service still knows")
    .next(next))
}

/// A ceiling, what was spent, and what open claims may spend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quota {
    /// Its name in `[quota.NAME]`.
    pub scope: String,
    /// The ceiling.
    pub ceiling: Money,
    /// Spent so far, and held by open claims; `None` where it does not add up.
    pub spent: Option<Money>,
}

/// G-QUOTA: spent + open claims + this <= ceiling. Another unit, or a sum that does not fit, is beyond it.
///
/// # Errors
/// R-OVER-QUOTA.
pub fn quota(quota: &Quota, cost: Option<Money>, units: &Units) -> Passed {
    let ceiling = quota.ceiling;
    let fits = match (quota.spent, cost) {
        (Some(spent), Some(cost)) if spent.unit == ceiling.unit && cost.unit == ceiling.unit => {
            let sum = spent.amount.wide().checked_add(cost.amount.wide());
            sum.is_some_and(|sum| sum <= ceiling.amount.wide())
        }
        (Some(spent), None) if spent.unit == ceiling.unit => spent.amount <= ceiling.amount,
        _ => false,
    };
    if fits {
        return Ok(());
    }
    let shown = |money: Option<Money>| money.map_or("an unknown amount".to_owned(), |m| units.show(m));
    Err(Refusal::new(
        Code::OverQuota,
        format!(
            "spent {} of {} in scope {}, this call costs {}",
            shown(quota.spent),
            units.show(ceiling),
            quota.scope,
            shown(cost)
        ),
    )
    .missing("room under the ceiling")
    .next("a person raises the ceiling in the config, not in the prompt"))
}

/// G-LINEAGE: what is replaced is settled.
///
/// # Errors
/// R-LINEAGE.
pub fn lineage(parent: &str, state: Option<crate::model::row::State>) -> Passed {
    use crate::model::row::State;
    match state {
        Some(State::Confirmed | State::Failed) => Ok(()),
        other => Err(Refusal::new(
            Code::Lineage,
            format!("parent {parent} is {}; resolve it first", other.map_or("not known here", State::word)),
        )
        .missing(format!("{parent} confirmed or failed"))
        .next(format!("recount show {parent}"))),
    }
}

/// A text, or words for none.
pub fn or<'a>(text: &'a str, none: &'a str) -> &'a str {
    if text.is_empty() { none } else { text }
}
