//! Rows that name other rows: they belong where those belong (`1-model.md` 1.5, several sources and reversals).
//!
//! A reversal often carries nothing but the effect that it takes back, and our own books of the provider often nothing
//! but the provider's reference. Only rows that nothing else ties come here, after every other rule.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use crate::judge::facts::{Meaning, Setting, link};
use crate::model::row::{Effect, Status, effect_flag};
use crate::model::units::Unit;

use super::brief::{Brief, by_business};
use super::desk::Links;
use super::group::{Groups, Op};
use super::join::LooseRow;
use super::repeats::Place;
use super::run::Run;

/// What rows are followed through.
pub struct Follow<'a> {
    /// The runs, for texts.
    pub runs: &'a [Run],
    /// Which operation id is an intent's.
    pub groups: &'a Groups,
    /// What sources mean.
    pub setting: &'a Setting,
    /// Intents of the orders, for reversals of effects that are not known.
    pub briefs: &'a [Brief],
}

/// A row that is tied to an intent.
#[derive(Clone, Copy)]
struct Tied {
    op: Op,
    place: Place,
    row: Effect,
}

/// An id of the effects of more intents than this is not the id of an effect.
const TELLING: usize = 64;

/// Of very many effects of one intent under one id, so many are enough to find it by.
const EACH: usize = 8;

/// Tied rows by their effect id and their external reference.
type ById<'a> = HashMap<&'a [u8], Vec<Tied>, RandomState>;

impl<'a> Follow<'a> {
    fn run(&self, place: Place) -> Option<&'a Run> {
        self.runs.get(place.0 as usize)
    }

    fn logical(&self, row: &Effect) -> u16 {
        self.setting.source(row.at.source()).map_or(row.at.source().0, |s| s.logical)
    }

    /// Links loose rows to the intents of the rows that they name. Gives those that stay loose.
    pub fn tie(&self, loose: Vec<LooseRow>, links: &mut Links) -> Vec<LooseRow> {
        let several = self.several_ledgers();
        let mut asked: HashSet<&[u8], RandomState> = HashSet::default();
        for row in &loose {
            let Some(run) = self.run(row.place) else { continue };
            if several {
                asked.insert(run.bytes(row.row.id));
            }
            asked.extend([run.bytes(row.row.external), run.bytes(row.row.reverses)]);
        }
        asked.remove(&b""[..]);
        if asked.is_empty() {
            return loose;
        }
        let mut known = self.tied(&asked, links);
        // One effect first: a reversal may name a row of another source.
        let loose = self.same_effects(loose, &mut known, links);
        let loose = self.reversals(loose, &known, links);
        self.reversals_of_nobody(loose, links)
    }

    fn several_ledgers(&self) -> bool {
        let mut ledgers =
            self.setting.sources.iter().filter(|s| s.meaning != Meaning::NotALedger).map(|s| s.logical);
        let first = ledgers.next();
        ledgers.any(|l| Some(l) != first)
    }

    /// Rows that are tied to an intent and have one of these ids.
    fn tied(&self, asked: &HashSet<&'a [u8], RandomState>, links: &Links) -> ById<'a> {
        let mut known: ById<'a> = HashMap::default();
        if asked.is_empty() {
            return known;
        }
        let by_link: HashMap<Place, Op, RandomState> =
            links.extra.iter().flat_map(|(op, rows)| rows.iter().map(|(place, _)| (*place, *op))).collect();
        for (r, run) in (0u32..).zip(self.runs) {
            for (i, row) in (0u32..).zip(run.effects.all()) {
                let ids = [run.bytes(row.id), run.bytes(row.external)];
                if row.is(effect_flag::DROPPED) || !ids.iter().any(|id| asked.contains(id)) {
                    continue;
                }
                let place = (r, i);
                let own = || {
                    self.groups.of(self.runs, r as usize, row.name).filter(|op| self.groups.is_intent(*op))
                };
                let op = by_link.get(&place).copied().or_else(own);
                if let Some(op) = op.filter(|_| !links.contested.contains(&place)) {
                    keep(&mut known, run, Tied { op, place, row: *row });
                }
            }
        }
        // What is said of the effects of very many intents says nothing of one.
        known.retain(|_, rows| {
            let mut ops: Vec<Op> = rows.iter().map(|t| t.op).collect();
            ops.sort_unstable();
            ops.dedup();
            if rows.len() > TELLING * EACH {
                rows.sort_by_key(|t| (t.op, t.row.at));
                rows.chunk_by(|a, b| a.op == b.op)
                    .flat_map(|of| of.iter().take(EACH))
                    .copied()
                    .collect::<Vec<_>>()
                    .clone_into(rows);
            }
            ops.len() <= TELLING
        });
        known
    }

    /// One effect in two sources, or on its way and arrived in one. Rows of two intents contest it: then it counts for
    /// nobody.
    fn same_effects(&self, loose: Vec<LooseRow>, known: &mut ById<'a>, links: &mut Links) -> Vec<LooseRow> {
        let mut stay = Vec::new();
        for row in loose {
            let Some(run) = self.run(row.place) else { continue };
            let ids = [run.bytes(row.row.id), run.bytes(row.row.external)];
            let mut ops: Vec<Op> = ids
                .iter()
                .filter(|id| !id.is_empty())
                .filter_map(|id| known.get(id))
                .flatten()
                .filter(|t| self.one_effect(t, &row))
                .map(|t| t.op)
                .collect();
            ops.sort_unstable();
            ops.dedup();
            match ops.as_slice() {
                [] => stay.push(row),
                [op] => {
                    links.extra.entry(*op).or_default().push((row.place, link::SAME_EFFECT));
                    let tied = Tied { op: *op, place: row.place, row: row.row };
                    keep(known, run, tied);
                }
                many => {
                    for op in many {
                        links.ties.entry(*op).or_default().contested = true;
                    }
                    links.contested.insert(row.place);
                }
            }
        }
        stay
    }

    /// Two rows that share an id or reference are one effect: in two sources where unit and amount agree, or where one
    /// is a copy (what it says of the amount is what is to be found out); in one source only where one of them is on its
    /// way. Numbers that are counted up in two places may meet, so equal ids alone are not enough for rows of different
    /// orders.
    fn one_effect(&self, tied: &Tied, row: &LooseRow) -> bool {
        let (a, b) = (&tied.row, &row.row);
        let (Some(one), Some(other)) = (self.run(tied.place), self.run(row.place)) else {
            return false;
        };
        if a.is(effect_flag::REVERSAL) != b.is(effect_flag::REVERSAL) {
            return false;
        }
        let money = same_money(a, b);
        if self.logical(a) == self.logical(b) {
            let on_its_way = [a.status, b.status].contains(&Status::OnItsWay);
            let reference = one.bytes(a.external) == other.bytes(b.external);
            return money && reference && on_its_way && a.status != b.status;
        }
        let (mine, theirs) =
            ([one.bytes(a.id), one.bytes(a.external)], [other.bytes(b.id), other.bytes(b.external)]);
        let named = |reference: &[u8], ids: &[&[u8]; 2]| !reference.is_empty() && ids.contains(&reference);
        if named(mine[1], &theirs) || named(theirs[1], &mine) {
            let copy = |row: &Effect| {
                let source = self.setting.source(row.at.source());
                source.is_some_and(|s| matches!(s.meaning, Meaning::CopyOf(_)))
            };
            return money || copy(a) || copy(b);
        }
        let orders = [one.bytes(a.business), other.bytes(b.business)];
        money && (orders[0] == orders[1] || orders.iter().any(|o| o.is_empty()))
    }

    /// A reversal belongs to the intent of the effect that it names, in its own source before any other.
    fn reversals(&self, loose: Vec<LooseRow>, known: &ById<'a>, links: &mut Links) -> Vec<LooseRow> {
        let mut stay = Vec::new();
        for row in loose {
            let named = self.run(row.place).map_or(&b""[..], |run| run.bytes(row.row.reverses));
            let effect = |t: &&Tied| {
                t.place != row.place
                    && !t.row.is(effect_flag::REVERSAL)
                    && self.run(t.place).is_some_and(|run| run.bytes(t.row.id) == named)
            };
            let own = |t: &&Tied| effect(t) && self.logical(&t.row) == self.logical(&row.row);
            let reverses = row.row.is(effect_flag::REVERSAL) && !named.is_empty();
            match known
                .get(named)
                .filter(|_| reverses)
                .and_then(|rows| rows.iter().find(own).or_else(|| rows.iter().find(effect)))
            {
                Some(effect) => {
                    links.extra.entry(effect.op).or_default().push((row.place, link::REVERSES));
                }
                None => stay.push(row),
            }
        }
        stay
    }

    /// A reversal of an effect that is not known changes no sum; the intent of its business id says so, where there is
    /// one.
    fn reversals_of_nobody(&self, loose: Vec<LooseRow>, links: &mut Links) -> Vec<LooseRow> {
        let known: HashSet<&[u8], RandomState> = loose
            .iter()
            .filter(|r| !r.row.is(effect_flag::REVERSAL))
            .filter_map(|r| self.run(r.place).map(|run| run.bytes(r.row.id)))
            .collect();
        let by = by_business(self.briefs);
        let mut stay = Vec::new();
        for row in loose {
            let run = self.run(row.place);
            let named = run.map_or(&b""[..], |run| run.bytes(row.row.reverses));
            let business = run.map_or("", |run| run.text(row.row.business));
            let nobody = row.row.is(effect_flag::REVERSAL) && !named.is_empty() && !known.contains(named);
            let sole = match by.get(business).map(Vec::as_slice) {
                Some([only]) if nobody && !business.is_empty() => self.briefs.get(*only),
                _ => None,
            };
            match sole {
                Some(brief) => links.extra.entry(brief.op).or_default().push((row.place, link::REVERSES)),
                None => stay.push(row),
            }
        }
        stay
    }
}

fn keep<'a>(known: &mut ById<'a>, run: &'a Run, tied: Tied) {
    for id in [run.bytes(tied.row.id), run.bytes(tied.row.external)] {
        if !id.is_empty() {
            known.entry(id).or_default().push(tied);
        }
    }
}

fn same_money(a: &Effect, b: &Effect) -> bool {
    (a.unit == b.unit || a.unit == Unit::NONE || b.unit == Unit::NONE) && a.amount() == b.amount()
}
