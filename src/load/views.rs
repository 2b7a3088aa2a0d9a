//! Wire view and agent view of the same calls (`4-sources.md` 4.15): two records of one call are one attempt. What the
//! caller was told is what the agent's view says; the wire adds what it alone knows: the key, a receipt, and that an
//! answer existed which did not reach the agent (`ANSWER_NOT_SEEN`).
//!
//! Ids do not tie them: a JSON-RPC id is not the id that the model gave. What ties them is the same tool with the same
//! arguments, or the same key, at the same time. Where one side has no times, only equally many calls in a row are
//! taken for the same ones.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::run::push_text;
use super::slice::Slice;
use super::tables::Tables;
use crate::model::outcome::{Class, Outcome};
use crate::model::row::{At, attempt_flag};
use crate::model::time::{Micros, SECOND};
use crate::sources::trace::table::View;

/// So far apart the clocks of the two views may be.
const APART: i64 = 2 * SECOND;

/// A call of one of the views: its place among the loose calls, and when it was.
#[derive(Clone, Copy)]
struct Seen {
    slice: usize,
    no: usize,
    at: At,
    sent: Micros,
    ended: Micros,
}

/// Calls that ask for the same: those of the wire, those of the agent.
type Same = (Vec<Seen>, Vec<Seen>);

/// Makes one of the two records of a call. Gives how many of the wire went into others.
pub fn merge(slices: &mut [Slice], views: &[Option<View>], tables: &Tables) -> usize {
    if !views.contains(&Some(View::Wire)) || !views.contains(&Some(View::Agent)) {
        return 0;
    }
    let mut by_arguments: HashMap<(String, String), Same, RandomState> = HashMap::default();
    let mut by_key: HashMap<String, Same, RandomState> = HashMap::default();
    for (slice, calls) in slices.iter().enumerate() {
        for (no, call) in calls.loose.iter().enumerate() {
            let row = &call.row;
            let Some(view) = views.get(usize::from(row.at.source().0)).copied().flatten() else { continue };
            let seen = Seen { slice, no, at: row.at, sent: row.sent, ended: row.ended };
            let add = |same: &mut Same| match view {
                View::Wire => same.0.push(seen),
                View::Agent => same.1.push(seen),
            };
            if let Some(args) = &call.args {
                let tool = bare(tables.tools.text(row.tool)).to_owned();
                add(by_arguments.entry((tool, args.clone())).or_default());
            }
            if let Some(key) = &call.key {
                add(by_key.entry(key.clone()).or_default());
            }
        }
    }
    let mut pairs: Vec<(Seen, Seen)> = Vec::new();
    for (wire, agent) in by_arguments.into_values().chain(by_key.into_values()) {
        pairs.extend(tied(wire, agent));
    }
    pairs.sort_by_key(|(wire, agent)| (agent.at, wire.at));
    let (mut taken, mut gone) =
        (HashSet::<At, RandomState>::default(), HashSet::<At, RandomState>::default());
    for (wire, agent) in pairs {
        // An agent's call that sent several requests has one that it waited for; a request belongs to one call.
        if !gone.contains(&wire.at) && taken.insert(agent.at) {
            join(slices, wire, agent);
            gone.insert(wire.at);
        }
    }
    for slice in slices.iter_mut() {
        slice.loose.retain(|call| !gone.contains(&call.row.at));
    }
    gone.len()
}

/// The tool's own name, without a server before it: `mcp__refunds__refund_order`, `refunds/refund_order`.
fn bare(tool: &str) -> &str {
    let tool = tool.rsplit_once("__").map_or(tool, |(_, name)| name);
    if tool.contains(' ') { tool } else { tool.rsplit_once(['/', '.']).map_or(tool, |(_, name)| name) }
}

/// Which call of the wire is which of the agent.
fn tied(mut wire: Vec<Seen>, mut agent: Vec<Seen>) -> Vec<(Seen, Seen)> {
    if wire.is_empty() || agent.is_empty() {
        return Vec::new();
    }
    for side in [&mut wire, &mut agent] {
        side.sort_by_key(|seen| (seen.sent, seen.at));
    }
    let timed = |side: &[Seen]| side.iter().all(|seen| seen.sent != Micros::NONE);
    if !timed(&wire) || !timed(&agent) {
        let equal = wire.len() == agent.len();
        return if equal { wire.into_iter().zip(agent).collect() } else { Vec::new() };
    }
    let mut pairs = Vec::new();
    let mut left = wire.into_iter().peekable();
    for (no, call) in agent.iter().enumerate() {
        let from = call.sent.plus(-APART);
        // It may have sent until it was answered, or until it asked again.
        let next = agent.get(no + 1).map_or(Micros::FOREVER, |next| next.sent.plus(-APART));
        let to = if call.ended == Micros::NONE { next } else { call.ended.plus(APART) };
        while left.peek().is_some_and(|seen| seen.sent < from) {
            left.next();
        }
        if let Some(seen) = left.next_if(|seen| seen.sent <= to) {
            pairs.push((seen, *call));
        }
    }
    pairs
}

/// What the wire knows goes to the agent's record.
fn join(slices: &mut [Slice], wire: Seen, agent: Seen) {
    let Some((row, key, receipt)) = slices.get(wire.slice).and_then(|slice| {
        let call = slice.loose.get(wire.no)?;
        Some((call.row, call.key.clone(), slice.run.text(call.row.receipt).to_owned()))
    }) else {
        return;
    };
    let Some(slice) = slices.get_mut(agent.slice) else { return };
    let Some(call) = slice.loose.get(agent.no).map(|call| call.row) else { return };
    let mut mine = call;
    if !mine.receipt.is_some() && !receipt.is_empty() {
        mine.receipt = push_text(&mut slice.run.more, &receipt);
        mine.flags |= row.flags & attempt_flag::RECEIPT_NAMED;
    }
    let mut own_key = None;
    if !mine.key.is_some()
        && let Some(key) = key
    {
        mine.key = push_text(&mut slice.run.more, &key);
        own_key = Some(key);
    }
    if !mine.is(attempt_flag::AMOUNT) && row.is(attempt_flag::AMOUNT) {
        (mine.amount, mine.scale, mine.unit) = (row.amount, row.scale, row.unit);
        mine.flags |= row.flags & (attempt_flag::AMOUNT | attempt_flag::MINOR);
    }
    let lost = mine.outcome.class(false) == Class::Unknown;
    let answered = row.is(attempt_flag::UNSEEN) || row.outcome.class(false).told_yes();
    if lost && answered {
        mine.flags |= attempt_flag::UNSEEN;
    }
    // A call that the agent's record has no end for may be known to have none.
    if mine.outcome == Outcome::Missing && !answered && row.outcome != Outcome::Missing {
        mine.outcome = row.outcome;
    }
    if let Some(call) = slice.loose.get_mut(agent.no) {
        call.row = mine;
        if own_key.is_some() {
            call.key = own_key;
        }
    }
}
