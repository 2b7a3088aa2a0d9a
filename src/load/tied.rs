//! Rows that other rows tie to an intent: the same effect in another source, reversals (`1-model.md` 1.5).

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::judge::facts::{Meaning, link};
use crate::model::row::{Effect, Name, Status, effect_flag};
use crate::model::units::Unit;

use super::group::Op;
use super::join::{Joiner, LooseRow};
use super::repeats::Place;
use super::run::Run;

impl Joiner<'_> {
    /// One effect in several sources: a row whose effect id or external reference is that of a linked row
    /// (`1-model.md` 1.5, several sources). A copy is tied whatever its amount; elsewhere the money must agree.
    /// In one source only a row on its way and the effect that it became are one (1.4.3).
    pub(super) fn same_effects(&mut self, loose: &[LooseRow]) {
        let several = {
            let mut ledgers = self.setting.sources.iter().filter(|s| s.meaning != Meaning::NotALedger);
            let first = ledgers.next().map(|s| s.logical);
            ledgers.any(|s| Some(s.logical) != first)
        };
        let asks = |row: &LooseRow| several || row.row.external.is_some();
        let mut by_id: HashMap<Vec<u8>, Vec<usize>, RandomState> = HashMap::default();
        for (no, row) in
            loose.iter().enumerate().filter(|(_, r)| asks(r) && !self.named.contains_key(&r.place))
        {
            let Some(run) = self.run(row.place) else { continue };
            for id in
                [run.bytes(row.row.id), run.bytes(row.row.external)].into_iter().filter(|id| !id.is_empty())
            {
                by_id.entry(id.to_vec()).or_default().push(no);
            }
        }
        if by_id.is_empty() {
            return;
        }
        let mut found: Vec<(Place, Op)> = Vec::new();
        for (r, run) in (0u32..).zip(self.store.runs) {
            for (i, row) in (0u32..).zip(run.effects.all()) {
                if row.is(effect_flag::DROPPED) {
                    continue;
                }
                let texts = [run.bytes(row.id), run.bytes(row.external)];
                let rows = texts.iter().filter(|id| !id.is_empty()).filter_map(|id| by_id.get(*id)).flatten();
                let mut ties = rows
                    .filter_map(|no| loose.get(*no))
                    .filter(|other| self.one_effect((run, row), (self.run(other.place), &other.row)))
                    .peekable();
                if ties.peek().is_none() {
                    continue;
                }
                let owner = self.owner((r, i), row.name);
                found.extend(ties.flat_map(|other| owner.iter().map(|op| (other.place, *op))));
            }
        }
        for (place, op) in found {
            self.name(place, op, link::SAME_EFFECT);
        }
    }

    /// The intent of a row: by its operation id, else the only one that the rules so far name.
    fn owner(&self, place: Place, name: Name) -> Option<Op> {
        let by_name = self.store.groups.of(self.store.runs, place.0 as usize, name);
        by_name.filter(|op| self.store.groups.is_intent(*op)).or_else(|| {
            match self.named.get(&place).map(Vec::as_slice) {
                Some([(op, _)]) => Some(*op),
                _ => None,
            }
        })
    }

    /// Two rows that share an id or reference are one effect.
    fn one_effect(&self, (run, a): (&Run, &Effect), (other, b): (Option<&Run>, &Effect)) -> bool {
        let (Some(x), Some(y)) = (self.setting.source(a.at.source()), self.setting.source(b.at.source()))
        else {
            return false;
        };
        let Some(other) = other.filter(|_| a.is(effect_flag::REVERSAL) == b.is(effect_flag::REVERSAL)) else {
            return false;
        };
        let unit = a.unit == b.unit || a.unit == Unit::NONE || b.unit == Unit::NONE;
        let money = unit && a.amount() == b.amount();
        if x.logical == y.logical {
            let on_its_way = [a.status, b.status].contains(&Status::OnItsWay);
            return money
                && a.status != b.status
                && on_its_way
                && run.bytes(a.external) == other.bytes(b.external);
        }
        let copy = [x, y].iter().any(|s| matches!(s.meaning, Meaning::CopyOf(_)));
        let (ids, references) =
            ([run.bytes(a.id), run.bytes(a.external)], [other.bytes(b.id), other.bytes(b.external)]);
        let by_reference = (!ids[1].is_empty() && references.contains(&ids[1]))
            || (!references[1].is_empty() && ids.contains(&references[1]));
        if by_reference {
            return copy || money;
        }
        // Numbers counted up in two places may meet: equal ids alone need equal money and no other order.
        let orders = [run.bytes(a.business), other.bytes(b.business)];
        money && (orders[0] == orders[1] || orders.iter().any(|o| o.is_empty()))
    }

    /// A reversal belongs to the intent of the effect that it names, in its own source before any other.
    pub(super) fn reversals(&mut self, loose: &[LooseRow]) {
        let mut by_id: HashMap<Vec<u8>, Vec<usize>, RandomState> = HashMap::default();
        for (no, row) in loose.iter().enumerate().filter(|(_, r)| r.row.reverses.is_some()) {
            if let Some(run) = self.run(row.place).filter(|_| !self.named.contains_key(&row.place)) {
                by_id.entry(run.bytes(row.row.reverses).to_vec()).or_default().push(no);
            }
        }
        if by_id.is_empty() {
            return;
        }
        let logical = |row: &Effect| self.setting.source(row.at.source()).map(|s| s.logical);
        // For each reversal: the intent, and whether the effect stands in its own source.
        let mut found: HashMap<usize, (Op, bool), RandomState> = HashMap::default();
        for (r, run) in (0u32..).zip(self.store.runs) {
            for (i, row) in (0u32..).zip(run.effects.all()) {
                if row.is(effect_flag::DROPPED) || !row.id.is_some() {
                    continue;
                }
                let Some(reversals) = by_id.get(run.bytes(row.id)) else {
                    continue;
                };
                let Some(op) = self.owner((r, i), row.name) else {
                    continue;
                };
                for no in reversals {
                    let own = loose.get(*no).is_some_and(|other| logical(&other.row) == logical(row));
                    let known = found.entry(*no).or_insert((op, own));
                    if own && !known.1 {
                        *known = (op, own);
                    }
                }
            }
        }
        for (no, (op, _)) in found {
            if let Some(row) = loose.get(no) {
                self.name(row.place, op, link::REVERSES);
            }
        }
    }
}
