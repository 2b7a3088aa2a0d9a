//! Deadlines, and what becomes of what is overdue (`3-lifecycle.md` 3.5). There is no branch that sends again.

use crate::model::row::State;
use crate::model::time::{DAY, HOUR, MINUTE, Micros, SECOND, Zone};

use super::facts::Facts;
use super::guards::Rules;
use super::resolve::{Automatic, automatic};

/// Added to the timeout of a tool for a claim or a submitted intent.
pub const AFTER_TIMEOUT: i64 = 5 * MINUTE;
/// Of an unknown.
pub const UNKNOWN: i64 = 4 * HOUR;

/// Deadlines as declared; missing ones are built in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Deadlines {
    /// Of what is submitted, microseconds.
    pub submitted: Option<i64>,
    /// Of what is unknown, microseconds.
    pub unknown: Option<i64>,
}

/// The deadline of a state that begins now; `None` for a settled one. `timeout` is that of the tool.
pub fn deadline(state: State, timeout: i64, declared: Deadlines, now: Micros) -> Option<Micros> {
    match state {
        State::Submitted => {
            Some(now.plus(declared.submitted.unwrap_or(timeout.saturating_add(AFTER_TIMEOUT))))
        }
        State::Unknown => Some(now.plus(declared.unknown.unwrap_or(UNKNOWN))),
        State::Confirmed | State::Failed => None,
    }
}

/// When a request for approval expires: the deadline of the item, at most 72 hours (`max_extension` is not longer).
pub fn request_expires(facts: &Facts, rules: Rules<'_>) -> Micros {
    let most = rules.now.plus(super::policy::MAX_EXTENSION);
    let wished = rules.policy.approval_expires.map(|us| rules.now.plus(us));
    let of_item = Some(facts.deadline).filter(|at| !at.is_none() && *at > rules.now);
    wished.or(of_item).unwrap_or(most).min(most)
}

/// Until when a break-glass decision is reviewed: the next working day at 12:00 in the zone of the case.
pub fn review_due(now: Micros, zone: &Zone) -> Micros {
    let offset = |at: Micros| i64::from(zone.offset_at(at).unwrap_or_default()) * SECOND;
    let day = now.plus(offset(now)).0.div_euclid(DAY);
    // 1970-01-01 was a Thursday, so that day 2 and 3 of each week are Saturday and Sunday.
    let next =
        (1..=3).map(|more| day + more).find(|day| !matches!(day.rem_euclid(7), 2 | 3)).unwrap_or(day + 1);
    let noon = Micros(next * DAY + 12 * HOUR);
    noon.plus(-offset(noon))
}

/// What is done with an item at its deadline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expired {
    /// It is not due.
    NotDue,
    /// A submitted one becomes unknown with a new deadline.
    Unknown,
    /// It is decided, as reconciliation would.
    Decided(super::resolve::Decision),
    /// It goes to the escalation owner with a new deadline, and why it was not decided.
    Escalate(String),
}

/// What is done at `now`. The sources were read again before.
pub fn expire(facts: &Facts, rules: Rules<'_>) -> Expired {
    if !facts.recorded || !facts.overdue(rules.now) {
        return Expired::NotDue;
    }
    match facts.state {
        Some(State::Submitted) => match automatic(facts, rules) {
            Automatic::Move(decision) => Expired::Decided(decision),
            Automatic::Escalate(_) | Automatic::Nothing => Expired::Unknown,
        },
        Some(State::Unknown) => match automatic(facts, rules) {
            Automatic::Move(decision) => Expired::Decided(decision),
            Automatic::Escalate(why) => Expired::Escalate(why),
            Automatic::Nothing => Expired::NotDue,
        },
        _ => Expired::NotDue,
    }
}
