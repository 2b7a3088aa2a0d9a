//! Rows that name other rows: they belong where those belong (`1-model.md` 1.5, several sources and reversals).
//!
//! A reversal often carries nothing but the effect that it takes back, and our own books of the provider often nothing
//! but the provider's reference. Only rows that nothing else ties come here, after every other rule.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use crate::judge::facts::{Meaning, Setting, link};
use crate::model::row::{Effect, effect_flag};
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
        let reversal = |r: &LooseRow| r.row.is(effect_flag::REVERSAL) && r.row.reverses.is_some();
        if !several && !loose.iter().any(reversal) {
            return loose;
        }
        let mut asked: HashSet<&[u8], RandomState> = HashSet::default();
        for row in &loose {
            let Some(run) = self.run(row.place) else { continue };
            if several {
                asked.extend([run.bytes(row.row.id), run.bytes(row.row.external)]);
            }
            asked.insert(run.bytes(row.row.reverses));
        }
        asked.remove(&b""[..]);
        let mut known = self.tied(&asked, links);
        // An effect in another source first: a reversal may name that one.
        let loose = if several { self.same_effects(loose, &mut known, links) } else { loose };
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
        known
    }

    /// One effect in two sources: equal effect ids or references, equal unit and amount. What a copy says of the row
    /// that it names may differ in amount: that is what is to be found out.
    fn same_effects(&self, loose: Vec<LooseRow>, known: &mut ById<'a>, links: &mut Links) -> Vec<LooseRow> {
        let mut stay = Vec::new();
        for row in loose {
            let Some(run) = self.run(row.place) else { continue };
            let is_reversal = row.row.is(effect_flag::REVERSAL);
            let copy = self
                .setting
                .source(row.row.at.source())
                .is_some_and(|s| matches!(s.meaning, Meaning::CopyOf(_)));
            let same = |t: &&Tied| {
                t.row.is(effect_flag::REVERSAL) == is_reversal
                    && self.logical(&t.row) != self.logical(&row.row)
                    && (copy || same_money(&t.row, &row.row))
            };
            let ids = [run.bytes(row.row.id), run.bytes(row.row.external)];
            let other = ids
                .iter()
                .filter(|id| !id.is_empty())
                .find_map(|id| known.get(id)?.iter().find(same).copied());
            match other {
                Some(other) => {
                    links.extra.entry(other.op).or_default().push((row.place, link::SAME_EFFECT));
                    keep(known, run, Tied { op: other.op, place: row.place, row: row.row });
                }
                None => stay.push(row),
            }
        }
        stay
    }

    /// A reversal belongs to the intent of the effect that it names.
    fn reversals(&self, loose: Vec<LooseRow>, known: &ById<'a>, links: &mut Links) -> Vec<LooseRow> {
        let mut stay = Vec::new();
        for row in loose {
            let named = self.run(row.place).map_or(&b""[..], |run| run.bytes(row.row.reverses));
            let own = |t: &&Tied| {
                t.place != row.place
                    && !t.row.is(effect_flag::REVERSAL)
                    && self.logical(&t.row) == self.logical(&row.row)
                    && self.run(t.place).is_some_and(|run| run.bytes(t.row.id) == named)
            };
            let reverses = row.row.is(effect_flag::REVERSAL) && !named.is_empty();
            match known.get(named).filter(|_| reverses).and_then(|rows| rows.iter().find(own)) {
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
