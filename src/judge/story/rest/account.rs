//! The account of an order whose rows carry no id.

use super::calls::{ended_again, later, lost_how};
use crate::judge::story::Place;
use crate::judge::story::facts::{Facts, ended_or_sent};
use crate::judge::story::phrase::{capital, inflected, joined, number, ordinal, times};
use crate::judge::view::EffectView;
use crate::model::money::Money;

/// The account of an order whose rows carry no id: in a list what was called, in the detail what the rows are.
pub(super) fn account(facts: &Facts<'_>) -> Vec<String> {
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
        capital(&lost_how(first, "the call", &at))
    };
    let ended = ended_again(first, last);
    // Where the sentence is not about the call, it has to be named again.
    let sent = if began.starts_with("The call ") { ", was sent again" } else { "; it was sent again" };
    Some(match attempts.len() {
        1 => format!("{began}."),
        2 => {
            let when = later(first, last).map(|when| format!(" {when}")).unwrap_or_default();
            format!("{began}{sent}{when}{ended}.")
        }
        n => format!("{began}{sent} {}{ended}.", times(n as u64 - 1)),
    })
}
