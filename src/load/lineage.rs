//! Chains of replacements: only one member may take effect (`1-model.md` 1.1, `2-judge.md` R08).

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::judge::facts::{Lineage, Setting};
use crate::judge::judge;
use crate::model::money::{Amount, Money, Totals};
use crate::model::row::{At, Relation};
use crate::model::time::Micros;

use super::desk::{Desk, Links, Only, Store};
use super::group::Op;

/// Writes the chains into the ties. Returns how many chains there are.
pub fn chains(store: &Store<'_>, setting: &Setting, links: &mut Links) -> u32 {
    let pairs = replacements(store);
    if pairs.is_empty() {
        return 0;
    }
    // Union of pairs: few intents replace others, so a map of leaders is enough.
    let mut leader: HashMap<Op, Op, RandomState> = HashMap::default();
    for (child, parent) in &pairs {
        let (a, b) = (find(&leader, *child), find(&leader, *parent));
        let low = a.min(b);
        leader.insert(a, low);
        leader.insert(b, low);
        leader.entry(*child).or_insert(low);
        leader.entry(*parent).or_insert(low);
    }
    let mut members: HashMap<Op, Vec<Op>, RandomState> = HashMap::default();
    let all: Vec<Op> = leader.keys().copied().collect();
    for op in all {
        members.entry(find(&leader, op)).or_default().push(op);
    }
    let mut chains: Vec<Vec<Op>> = members.into_values().collect();
    for chain in &mut chains {
        chain.sort_unstable();
    }
    chains.sort_unstable();
    for (number, chain) in (0u32..).zip(&chains) {
        let lineage = one(store, setting, number, chain);
        for op in chain {
            links.ties.entry(*op).or_default().lineage = Some(lineage);
        }
    }
    u32::try_from(chains.len()).unwrap_or(u32::MAX)
}

fn find(leader: &HashMap<Op, Op, RandomState>, op: Op) -> Op {
    let mut at = op;
    while let Some(next) = leader.get(&at).copied().filter(|n| *n != at) {
        at = next;
    }
    at
}

/// (child, parent) for every record that replaces another.
fn replacements(store: &Store<'_>) -> Vec<(Op, Op)> {
    let replaces = |r: &crate::model::row::Record| {
        r.parent.is_some() && r.relation.unwrap_or(Relation::Replaces) == Relation::Replaces
    };
    if !store.runs.iter().any(|run| run.records.all().iter().any(replaces)) {
        return Vec::new();
    }
    let mut by_intent: HashMap<&str, Op, RandomState> = HashMap::default();
    for (r, run) in store.runs.iter().enumerate() {
        for record in run.records.all() {
            if let Some(op) = store.groups.of(store.runs, r, record.name) {
                by_intent.entry(run.text(record.intent_id)).or_insert(op);
                by_intent.entry(run.name(record.name)).or_insert(op);
            }
        }
    }
    let mut pairs = Vec::new();
    for (r, run) in store.runs.iter().enumerate() {
        for record in run.records.all().iter().filter(|r| replaces(r)) {
            let child = store.groups.of(store.runs, r, record.name);
            let parent = by_intent.get(run.text(record.parent)).copied();
            if let (Some(child), Some(parent)) = (child, parent)
                && child != parent
            {
                pairs.push((child, parent));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The newest member of a chain, by its time and then its place, and what it wants.
type Newest = ((Micros, Option<At>), Option<Money>);

fn one(store: &Store<'_>, setting: &Setting, number: u32, chain: &[Op]) -> Lineage {
    let mut live_members = 0u16;
    let mut total = Totals::default();
    let mut readable = true;
    let mut newest: Option<Newest> = None;
    for op in chain {
        let (part, no) = store.groups.place(*op);
        let desk = Desk::new(store, part, Only::One(no));
        let Some(facts) = desk.facts(0) else { continue };
        let j = judge(&facts, setting);
        if j.net > 0 {
            live_members = live_members.saturating_add(1);
            match j.live {
                Some(live) => total.add(live),
                None => readable = false,
            }
        }
        let recorded = facts.file.or(facts.record).map_or(Micros::NONE, |r| r.recorded);
        let when = if recorded == Micros::NONE { j.since } else { recorded };
        // Of two at one time, or without any, the one that stands later.
        let records = facts.file.into_iter().chain(facts.record).map(|r| r.at);
        let at = records.chain(facts.tries.iter().map(|t| t.row.at)).min();
        if newest.as_ref().is_none_or(|(known, _)| (when, at) > *known) {
            newest = Some(((when, at), j.expected));
        }
    }
    let live_total = total.iter().next().filter(|_| readable && total.len() == 1).and_then(|(unit, t)| {
        let wide = t.exact()?;
        Some(Money { unit, amount: Amount { digits: i64::try_from(wide.digits).ok()?, scale: wide.scale } })
    });
    Lineage { number, live_members, live_total, newest_expected: newest.and_then(|(_, expected)| expected) }
}
