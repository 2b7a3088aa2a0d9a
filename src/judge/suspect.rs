//! Suspicion of a duplicate that ids do not prove (`2-judge.md` 2.5, `susp`).

use crate::model::money::Money;
use crate::model::outcome::Class;
use crate::model::row::{Status, effect_flag};
use crate::model::time::Micros;

use super::calls::{Calls, latest};
use super::count::{Found, counts};
use super::expect::{Expected, money};
use super::facts::{Facts, Setting};
use super::inputs::{Count, Susp};
use super::judgement::ExpectedFrom;

/// What is suspected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Suspicion {
    /// The reduced input.
    pub susp: Susp,
    /// Rows (linked, on their way, open) above what is allowed.
    pub excess: u32,
}

/// Looks for it. Open rows make it `OPEN` where the count is not exceeded; where it is, an assumption may make it
/// `SELF`.
pub fn suspicion(
    facts: &Facts<'_>,
    setting: &Setting,
    calls: Calls<'_>,
    expected: &Expected<'_>,
    found: &Found,
    count: Count,
) -> Suspicion {
    if count == Count::Over {
        let assumed = only_by_assumption(facts, setting, calls, expected, found);
        let susp = if assumed { Susp::Own } else { Susp::No };
        return Suspicion { susp, excess: found.net - expected.max };
    }
    let ties = &facts.ties;
    // Where an account was drawn up, it says what its open rows are; else the intent is its own account.
    let open = if ties.account.is_some() { 0 } else { u32::from(ties.suggestions) };
    let own = (found.net + found.on_its_way + open).saturating_sub(expected.max);
    // An account without loose rows is that of one operation under several keys.
    let account = ties
        .account
        .filter(|a| a.unlinked > 0 || ties.two_keys)
        .map_or(0, |a| a.found.saturating_sub(a.wanted));
    let excess = own.max(account).max(u32::from(ties.two_keys));
    Suspicion { susp: if excess > 0 { Susp::Open } else { Susp::No }, excess }
}

/// The count is exceeded, but only by assumption: one of the three cases.
fn only_by_assumption(
    facts: &Facts<'_>,
    setting: &Setting,
    calls: Calls<'_>,
    expected: &Expected<'_>,
    found: &Found,
) -> bool {
    let twice_on_paper = found.twins > 0 && found.net.saturating_sub(found.twins) <= expected.max;
    if twice_on_paper {
        return true;
    }
    expected.from == ExpectedFrom::Assumed
        && ((facts.ties.assumed_group && !sent_again_after_loss(calls))
            || each_row_was_asked_for(facts, setting, calls))
}

/// A call lost its answer before a later one was sent.
fn sent_again_after_loss(calls: Calls<'_>) -> bool {
    // When the first of them was over; no time is before every time: then the order of lines stands.
    let mut lost: Option<Micros> = None;
    for call in calls.iter() {
        let row = &call.attempt.row;
        if lost.is_some_and(|ended| row.sent().is_none() || row.sent >= ended) {
            return true;
        }
        if call.class.unsettled() {
            let ended = if row.ended().is_none() { Micros::NONE } else { latest(row.ended()) };
            lost = Some(lost.map_or(ended, |known| known.min(ended)));
        }
    }
    false
}

/// All live rows differ in amount, and each equals an acknowledged call.
fn each_row_was_asked_for(facts: &Facts<'_>, setting: &Setting, calls: Calls<'_>) -> bool {
    let effects = facts
        .rows
        .iter()
        .filter(|r| counts(r, setting) && r.row.status == Status::Live && !r.row.is(effect_flag::REVERSAL));
    let mut rows: Vec<(u32, Money)> = Vec::new();
    for row in effects {
        if rows.iter().any(|(ident, _)| *ident == row.ident) {
            continue;
        }
        match row.row.amount().map(|amount| money(row.row.unit, amount)) {
            Some(amount) if rows.iter().all(|(_, known)| *known != amount) => rows.push((row.ident, amount)),
            _ => return false,
        }
        // More rows than calls cannot each have been asked for.
        if rows.len() > calls.len() {
            return false;
        }
    }
    rows.iter().all(|(_, amount)| {
        calls.iter().any(|call| {
            let row = &call.attempt.row;
            call.class == Class::Ok && row.amount().is_some_and(|a| money(row.unit, a) == *amount)
        })
    })
}
