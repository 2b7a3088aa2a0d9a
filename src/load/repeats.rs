//! The same id twice (`1-model.md` 1.4.3): prints nominate, bytes decide (`engine.md` 3, 5).

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::model::outcome::Outcome;
use crate::model::row::{At, Effect, SourceNo, Status, Text, attempt_flag, effect_flag};
use crate::model::time::Micros;

use super::reading::Reading;
use super::run::Run;
use super::slice::Stamp;

/// A row: its run and its number there.
pub type Place = (u32, u32);

/// Prints that occur at least twice, in order.
///
/// Prints are dealt to 256 buckets first, so that each small table stays in the first-level cache.
pub fn nominate(lists: &[Vec<u64>], threads: usize) -> Vec<u64> {
    const BUCKETS: usize = 256;
    let bucket = |print: u64| (print >> 56) as usize;
    let mut starts = [0usize; BUCKETS + 1];
    for print in lists.iter().flatten() {
        starts[bucket(*print) + 1] += 1;
    }
    for i in 1..=BUCKETS {
        starts[i] += starts[i - 1];
    }
    let mut next = starts;
    let mut dealt = vec![0u64; starts[BUCKETS]];
    for print in lists.iter().flatten() {
        let place = &mut next[bucket(*print)];
        dealt[*place] = *print;
        *place += 1;
    }
    // Threads cost more than they save where little is to be looked at.
    let threads = if dealt.len() < MANY { 1 } else { threads };
    let found = super::each(threads, BUCKETS, |i| twice_in(&dealt[starts[i]..starts[i + 1]]));
    found.into_iter().flatten().collect()
}

/// So many prints are worth threads.
const MANY: usize = 1 << 16;

/// [`nominate`] within one bucket.
fn twice_in(prints: &[u64]) -> Vec<u64> {
    let slots = prints.len().next_power_of_two() * 2;
    let mut table = vec![0u64; slots];
    let mut found = Vec::new();
    for print in prints {
        let mut at = (*print as usize) & (slots - 1);
        loop {
            if table[at] == 0 {
                table[at] = *print;
                break;
            }
            if table[at] == *print {
                found.push(*print);
                break;
            }
            at = (at + 1) & (slots - 1);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Where two records of one id differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The record that was refused.
    pub at: At,
    /// The first one, which is kept.
    pub first: At,
    /// What differs, in words.
    pub what: &'static str,
    /// It is about a ledger row.
    pub ledger: bool,
}

/// Drops repeated attempts: equal content counts once, other content is refused, the first version is kept.
/// `same_id` compares the ids of two records by their bytes.
/// `twice` comes from [`nominate`].
pub fn attempts(runs: &mut [Run], twice: &[u64], same_id: &dyn Fn(At, At) -> bool) -> Vec<Conflict> {
    if twice.is_empty() {
        return Vec::new();
    }
    let mut places: HashMap<u64, Vec<(At, Place)>, RandomState> = HashMap::default();
    for (r, run) in (0u32..).zip(runs.iter()) {
        for (i, row) in (0u32..).zip(run.attempts.all()) {
            if row.id != 0 && !row.is(attempt_flag::DROPPED) && twice.binary_search(&row.id).is_ok() {
                places.entry(row.id).or_default().push((row.at, (r, i)));
            }
        }
    }
    let mut conflicts = Vec::new();
    for mut rows in places.into_values() {
        rows.sort_unstable();
        let mut kept: Vec<(At, Place)> = Vec::new();
        for (at, place) in rows {
            let Some((first_at, first)) = kept.iter().find(|(k, _)| same_id(*k, at)).copied() else {
                kept.push((at, place));
                continue;
            };
            match attempts_differ(runs, first, place) {
                Some(what) => conflicts.push(Conflict { at, first: first_at, what, ledger: false }),
                None => take_end(runs, first, place),
            }
            if let Some(row) = attempt_mut(runs, place) {
                row.flags |= attempt_flag::DROPPED;
            }
        }
    }
    conflicts.sort_by_key(|c| c.at);
    conflicts
}

fn attempt_mut(runs: &mut [Run], place: Place) -> Option<&mut crate::model::row::Attempt> {
    runs.get_mut(place.0 as usize)?.attempts.get_mut(place.1 as usize)
}

/// Nothing is known of how the call ended: a beginning alone. Beside a whole record of it, it adds nothing.
fn has_no_end(row: &crate::model::row::Attempt) -> bool {
    row.outcome == Outcome::Missing && row.ended == Micros::NONE
}

/// The first version lacks its end and the other has it.
fn take_end(runs: &mut [Run], first: Place, other: Place) {
    let get = |runs: &[Run], p: Place| {
        let run = runs.get(p.0 as usize)?;
        run.attempts.get(p.1 as usize).map(|row| (*row, run.text(row.receipt).to_owned()))
    };
    let (Some((kept, _)), Some((row, receipt))) = (get(runs, first), get(runs, other)) else {
        return;
    };
    if !has_no_end(&kept) || has_no_end(&row) {
        return;
    }
    let Some(run) = runs.get_mut(first.0 as usize) else {
        return;
    };
    let receipt =
        if receipt.is_empty() { kept.receipt } else { super::run::push_text(&mut run.more, &receipt) };
    if let Some(kept) = run.attempts.get_mut(first.1 as usize) {
        (kept.outcome, kept.ended, kept.ended_res) = (row.outcome, row.ended, row.ended_res);
        kept.receipt = receipt;
        kept.flags |= row.flags & (attempt_flag::RECEIPT_NAMED | attempt_flag::CONFLICT);
    }
}

fn attempts_differ(runs: &[Run], a: Place, b: Place) -> Option<&'static str> {
    let (run_a, run_b) = (runs.get(a.0 as usize)?, runs.get(b.0 as usize)?);
    let (x, y) = (run_a.attempts.get(a.1 as usize)?, run_b.attempts.get(b.1 as usize)?);
    let begun = has_no_end(x) || has_no_end(y);
    if run_a.name(x.name) != run_b.name(y.name) {
        Some("operation id")
    } else if (x.amount, x.scale, x.unit) != (y.amount, y.scale, y.unit) {
        Some("amount")
    } else if !begun && (x.outcome != y.outcome || run_a.text(x.receipt) != run_b.text(y.receipt)) {
        Some("outcome")
    } else if x.tool != y.tool || x.payload != y.payload || run_a.text(x.key) != run_b.text(y.key) {
        Some("call")
    } else if x.sent != y.sent || !begun && x.ended != y.ended {
        Some("time")
    } else {
        None
    }
}

/// Makes one effect of several rows with one effect id in one source: its state is that of the latest time, else
/// the last line. `stamps` say when a state was so where that is not when the effect was committed. Also says how many
/// rows were merged into others.
pub fn effects(
    runs: &mut [Run],
    prints: &[Vec<u64>],
    stamps: &HashMap<At, Stamp, RandomState>,
    cx: &Reading,
    threads: usize,
) -> (Vec<Conflict>, u64) {
    let twice = nominate(prints, threads);
    let print =
        |run: &Run, row: &crate::model::row::Effect| cx.effect_print(run.bytes(row.id), row.at.source());
    let group = |no: SourceNo| cx.logical.get(usize::from(no.0)).copied().unwrap_or(no.0);
    if twice.is_empty() {
        return (Vec::new(), 0);
    }
    let mut places: HashMap<u64, Vec<(At, Place)>, RandomState> = HashMap::default();
    for (r, run) in (0u32..).zip(runs.iter()) {
        for (i, row) in (0u32..).zip(run.effects.all()) {
            let asked = row.id.is_some() && !row.is(effect_flag::DROPPED);
            let p = if asked { print(run, row) } else { 0 };
            if p != 0 && twice.binary_search(&p).is_ok() {
                places.entry(p).or_default().push((row.at, (r, i)));
            }
        }
    }
    let (mut conflicts, mut dropped) = (Vec::new(), 0);
    for mut rows in places.into_values() {
        rows.sort_unstable();
        while let Some((_, first)) = rows.first().copied() {
            let id = id_of(runs, first).to_vec();
            let source = source_of(runs, first).map(&group);
            let same = |p: Place| id_of(runs, p) == id && source_of(runs, p).map(&group) == source;
            let (one, rest): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(_, p)| same(*p));
            rows = rest;
            dropped += one.len().saturating_sub(1) as u64;
            merge_effects(runs, &one, stamps, &mut conflicts);
        }
    }
    conflicts.sort_by_key(|c| c.at);
    (conflicts, dropped)
}

fn id_of(runs: &[Run], place: Place) -> &[u8] {
    let Some(run) = runs.get(place.0 as usize) else {
        return &[];
    };
    run.effects.get(place.1 as usize).map_or(&[], |row| run.bytes(row.id))
}

fn source_of(runs: &[Run], place: Place) -> Option<SourceNo> {
    Some(runs.get(place.0 as usize)?.effects.get(place.1 as usize)?.at.source())
}

/// Rows in order of place; the keeper is the first that names its operation, else the first with a key, else the first.
fn merge_effects(
    runs: &mut [Run],
    rows: &[(At, Place)],
    stamps: &HashMap<At, Stamp, RandomState>,
    conflicts: &mut Vec<Conflict>,
) {
    let get = |runs: &[Run], p: Place| {
        runs.get(p.0 as usize)
            .and_then(|r| r.effects.get(p.1 as usize).copied().map(|e| (e, r.name(e.name).to_owned())))
    };
    if rows.len() < 2 {
        return;
    }
    let first = |test: &dyn Fn(&Effect) -> bool| {
        rows.iter().find(|(_, p)| get(runs, *p).is_some_and(|(e, _)| test(&e))).copied()
    };
    let keeper = first(&|e| e.name.is_some()).or_else(|| first(&|e| e.key.is_some()));
    let Some(keeper) = keeper.or_else(|| rows.first().copied()) else { return };
    let Some((kept, kept_name)) = get(runs, keeper.1) else {
        return;
    };
    let before = conflicts.len();
    let mut state = kept;
    let mut begun = (kept.status == Status::Live).then_some(kept);
    for (at, place) in rows {
        if *place == keeper.1 {
            continue;
        }
        let Some((row, name)) = get(runs, *place) else {
            continue;
        };
        // What is on its way says what it may become.
        let settled = row.status != Status::OnItsWay && state.status != Status::OnItsWay;
        let amounts = settled && row.amount().is_some() && state.amount().is_some();
        let what = if row.name.is_some() && kept.name.is_some() && name != kept_name {
            Some("operation id")
        } else if amounts && row.amount() != state.amount() {
            Some("amount")
        } else if amounts && row.unit != state.unit {
            Some("unit")
        } else {
            None
        };
        match what {
            Some(what) => conflicts.push(Conflict { at: *at, first: keeper.0, what, ledger: true }),
            None if later(&row, &state, stamps) => state = row,
            None => {}
        }
        let earlier = |b: &Effect| row.committed != Micros::NONE && row.committed < b.committed;
        if what.is_none() && row.status == Status::Live && begun.as_ref().is_none_or(earlier) {
            begun = Some(row);
        }
        if let Some(row) = runs.get_mut(place.0 as usize).and_then(|r| r.effects.get_mut(place.1 as usize)) {
            row.flags |= effect_flag::DROPPED;
        }
    }
    let refused: Vec<At> = conflicts.iter().skip(before).map(|conflict| conflict.at).collect();
    fill(runs, keeper.1, rows, &refused);
    let keep = runs.get_mut(keeper.1.0 as usize).and_then(|r| r.effects.get_mut(keeper.1.1 as usize));
    let Some(keep) = keep else { return };
    let became = keep.status != state.status;
    keep.status = state.status;
    if keep.status == Status::Live {
        if let Some(begun) = begun {
            (keep.committed, keep.res) = (begun.committed, begun.res);
        }
        if became && state.amount().is_some() {
            (keep.amount, keep.scale, keep.unit) = (state.amount, state.scale, state.unit);
            keep.flags |= state.flags & effect_flag::AMOUNT;
        }
    } else if keep.committed == Micros::NONE {
        (keep.committed, keep.res) = (state.committed, state.res);
    }
}

/// What links an effect may stand in any of its rows; those that were refused are none of them.
fn fill(runs: &mut [Run], keeper: Place, rows: &[(At, Place)], refused: &[At]) {
    let fields: [fn(&mut Effect) -> &mut Text; 3] =
        [|e| &mut e.key, |e| &mut e.business, |e| &mut e.external];
    for field in fields {
        let text = |runs: &[Run], p: Place| {
            let run = runs.get(p.0 as usize)?;
            let mut row = *run.effects.get(p.1 as usize)?;
            let text = run.text(*field(&mut row));
            (!text.is_empty()).then(|| text.to_owned())
        };
        if text(runs, keeper).is_some() {
            continue;
        }
        let mut others = rows.iter().filter(|(at, _)| !refused.contains(at));
        let Some(found) = others.find_map(|(_, p)| text(runs, *p)) else { continue };
        let Some(run) = runs.get_mut(keeper.0 as usize) else { continue };
        let found = super::run::push_text(&mut run.more, &found);
        if let Some(row) = run.effects.get_mut(keeper.1 as usize) {
            *field(row) = found;
        }
    }
}

/// Later by the time of the state where both have one, then by its order at one moment, else by place.
fn later(row: &Effect, state: &Effect, stamps: &HashMap<At, Stamp, RandomState>) -> bool {
    let of = |row: &Effect| stamps.get(&row.at).copied().unwrap_or((row.committed, 0));
    let (row_stamp, state_stamp) = (of(row), of(state));
    if row_stamp.0 != Micros::NONE && state_stamp.0 != Micros::NONE && row_stamp != state_stamp {
        return row_stamp > state_stamp;
    }
    row.at > state.at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_occurs_twice_is_nominated_once() {
        let nominate = |prints: &[u64]| {
            let alone = nominate(&[prints.to_vec()], 1);
            // Neither how prints are dealt to lists nor threads make a difference.
            let lists: Vec<Vec<u64>> = prints.chunks(7).map(<[u64]>::to_vec).collect();
            assert_eq!(nominate(&lists, 3), alone);
            alone
        };
        assert_eq!(nominate(&[]), Vec::<u64>::new());
        assert_eq!(nominate(&[5, 9, 5, 1 << 60, 7, 1 << 60, 5]), vec![5, 1 << 60]);
        let all: Vec<u64> = (1..=70_000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        assert_eq!(nominate(&all), Vec::<u64>::new());
        let mut again = all.clone();
        again.push(all[123]);
        assert_eq!(nominate(&again), vec![all[123]]);
    }

    #[test]
    fn equal_lower_bits_do_not_hide_a_repeat() {
        let prints: Vec<u64> = (0..300u64).map(|n| (7 << 56) | (n << 20) | 1).collect();
        let mut twice = prints.clone();
        twice.extend(&prints);
        assert_eq!(nominate(&[twice], 1), prints);
    }
}
