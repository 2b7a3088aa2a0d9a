//! What is counted over all intents, by numbers only; most of them are never laid out with their texts.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use crate::judge::calls::class_of;
use crate::judge::facts::{Facts, Try};
use crate::judge::hazards::Findings;
use crate::model::kinds::kind_of;
use crate::model::outcome::Class;
use crate::model::row::Shared;
use crate::model::time::Micros;

use super::super::brief::{business_of, is_read};
use super::super::case::Case;
use super::super::desk::{Desk, Store, key_of};
use super::super::group::Op;
use super::super::resolve::{NameKind, name_kind};
use super::intents::live_rows;
use super::runs::{Loose, Sums};

/// What some intents gave.
#[derive(Default)]
pub(super) struct Seen {
    pub findings: Findings,
    /// Print of each key of an intent.
    pub keys: Vec<(u64, Op)>,
    /// Print of run, business id and kind of an intent.
    pub orders: Vec<(u64, Op)>,
    pub finished: u64,
    pub unknown: u64,
    /// Last effect of each run and tool.
    pub last_effect: HashMap<(Shared, Shared), Micros, RandomState>,
    /// Tools that a key was sent to more than once.
    pub repeated: Vec<Shared>,
    /// Calls of each tool in each run.
    pub sums: Sums,
    /// Calls without an operation id, by what they were sent with.
    pub loose: Vec<Loose>,
}

impl Seen {
    /// Takes what others gave.
    pub fn append(&mut self, other: Self) {
        self.findings.append(other.findings);
        self.keys.extend(other.keys);
        self.orders.extend(other.orders);
        self.finished += other.finished;
        self.unknown += other.unknown;
        self.repeated.extend(other.repeated);
        self.sums.append(other.sums);
        self.loose.extend(other.loose);
        for (place, when) in other.last_effect {
            self.effect(place, when);
        }
    }

    fn effect(&mut self, place: (Shared, Shared), when: Micros) {
        let known = self.last_effect.entry(place).or_insert(when);
        *known = (*known).max(when);
    }
}

impl Case {
    /// Counts one intent. `effects`: the last effect of each run is asked for.
    pub(super) fn see(&self, store: &Store<'_>, desk: &Desk<'_>, no: usize, effects: bool, seen: &mut Seen) {
        let (Some(facts), Some(op)) = (desk.facts(no), desk.op(no)) else { return };
        self.run_calls(facts.tries.iter().map(|t| t.row), desk.name_kind(no), seen);
        let writes = || facts.tries.iter().filter(|t| !is_read(&self.setting, t.row.tool, t.row.flags));
        let Some(first) = writes().next() else { return };
        for call in writes() {
            let class = class_of(call.row, self.setting.tool(call.row.tool), self.setting.now);
            seen.finished += u64::from(class != Class::Open);
            seen.unknown += u64::from(class == Class::Unknown);
        }
        self.keys(desk, no, &facts, op, seen);
        if let Some(print) = self.order(store, desk, no, &facts, first) {
            seen.orders.push((print, op));
        }
        if effects {
            let last = live_rows(&facts).map(|(_, row)| row.row.committed).filter(|at| !at.is_none()).max();
            for call in last.iter().flat_map(|_| writes()) {
                seen.effect((call.row.run, call.row.tool), last.unwrap_or(Micros::NONE));
            }
        }
    }

    /// Each different key of an intent, and the tools that one was sent to more than once.
    fn keys(&self, desk: &Desk<'_>, no: usize, facts: &Facts<'_>, op: Op, seen: &mut Seen) {
        let mut known: Vec<(u32, Shared)> = Vec::new();
        for (call, run) in facts.tries.iter().zip(desk.try_runs(no)) {
            if call.key == 0 || is_read(&self.setting, call.row.tool, call.row.flags) {
                continue;
            }
            if let Some((_, before)) = known.iter().find(|(key, _)| *key == call.key) {
                for tool in [*before, call.row.tool] {
                    if !seen.repeated.contains(&tool) {
                        seen.repeated.push(tool);
                    }
                }
                continue;
            }
            seen.keys.push((self.state.hash_one(key_of(&self.runs, *run, call.row)), op));
            if facts.tries.len() > 1 {
                known.push((call.key, call.row.tool));
            }
        }
    }

    /// Print of run, business id and kind, where there are a run and a business id.
    fn order(
        &self,
        store: &Store<'_>,
        desk: &Desk<'_>,
        no: usize,
        facts: &Facts<'_>,
        first: &Try<'_>,
    ) -> Option<u64> {
        if !first.row.run.is_some() {
            return None;
        }
        let business = business_of(store, desk, no, facts)?;
        Some(self.state.hash_one((first.row.run, business, self.hazard_kind(desk, no, first.row.tool))))
    }

    /// Kind of an intent whose first call used this tool.
    pub(super) fn hazard_kind<'c>(&'c self, desk: &Desk<'_>, no: usize, tool: Shared) -> &'c str {
        let [record, _] = desk.recorded(no);
        let recorded = record.and_then(|(r, record)| self.run(r).map(|run| run.text(record.kind)));
        let name = desk.op(no).map_or("", |op| self.name_of(op));
        let operation = match name_kind(name) {
            (NameKind::Operation, text) => self.shown_as.get(text).map_or(text, |(_, form)| form),
            _ => "",
        };
        kind_of(recorded.unwrap_or_default(), operation, self.tables.tools.text(tool))
    }
}

/// Those whose print is that of another one too, in order of print and operation.
pub(super) fn shared(all: &[(u64, Op)]) -> Vec<(u64, Op)> {
    // Two small bitmaps keep almost every lone print from being sorted.
    let bits = (all.len() * BITS_EACH).next_power_of_two().max(64);
    let (mut once, mut again) = (vec![0u64; bits / 64], vec![0u64; bits / 64]);
    let place = |print: u64| {
        let bit = print as usize & (bits - 1);
        (bit / 64, 1u64 << (bit % 64))
    };
    for (print, _) in all {
        let (word, bit) = place(*print);
        if let (Some(once), Some(again)) = (once.get_mut(word), again.get_mut(word)) {
            *again |= *once & bit;
            *once |= bit;
        }
    }
    let twice = |(print, _): &&(u64, Op)| {
        let (word, bit) = place(*print);
        again.get(word).is_some_and(|again| again & bit != 0)
    };
    let mut kept: Vec<(u64, Op)> = all.iter().filter(twice).copied().collect();
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// Bits of a bitmap for each print in it.
const BITS_EACH: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_one_has_too_is_kept_and_nothing_of_it_is_lost() {
        let lone = (0..1000_u32).map(|no| (u64::from(no).wrapping_mul(0x9E37_79B9_7F4A_7C15), Op(no)));
        let mut all: Vec<(u64, Op)> = lone.collect();
        all.extend([(7, Op(2000)), (9, Op(2001)), (7, Op(2002)), (9, Op(2001))]);
        let kept = shared(&all);
        for tie in [(7, Op(2000)), (7, Op(2002))] {
            assert!(kept.contains(&tie));
        }
        // Once, however often it was said; and most lone ones are gone.
        assert_eq!(kept.iter().filter(|tie| **tie == (9, Op(2001))).count(), 1);
        assert!(kept.len() < 200 && kept.is_sorted(), "{}", kept.len());
        assert_eq!(shared(&[]), []);
    }
}
