//! Everything of an order or of a party: intents by the exact text of the id, rows without an attempt beside them.

use std::collections::BTreeSet;

use crate::judge::findings::SOURCES_DISAGREE;
use crate::judge::view::{Disagreement, EffectView, Everything, Whose};
use crate::model::row::Status;
use crate::model::row::Text;

use super::case::Case;
use super::group::Op;

/// Intents that are shown with all their events.
const EVENTS_OF: usize = 200;

/// Operations whose rows are named where a source and its copy disagree.
const NAMED: usize = 20;

/// Rows of a party that are listed.
const ROWS_OF: usize = 200;

impl Case {
    /// Everything of an order, with the rows of its party; or everything of a party.
    pub fn everything(&self, whose: &Whose) -> Everything {
        let mut all = Everything::default();
        let ops = match whose {
            Whose::Order(business) => self.ops_of(business, true),
            Whose::Party(party) => self.ops_of(party, false),
        };
        all.more = ops.len().saturating_sub(EVENTS_OF);
        all.intents = ops.into_iter().take(EVENTS_OF).filter_map(|op| Some((op.0, self.view(op)?))).collect();
        all.intents.sort_by_key(|(_, view)| (view.judgement.since, view.handle));
        all.apart = self.apart_of(whose);
        all.party = match whose {
            Whose::Party(party) => party.clone(),
            Whose::Order(_) => all
                .intents
                .iter()
                .map(|(_, view)| view.party.clone())
                .find(|p| !p.is_empty())
                .unwrap_or_default(),
        };
        if !all.party.is_empty() {
            let places: BTreeSet<usize> =
                self.ops_of(&all.party, false).into_iter().filter_map(|op| self.place_of(op)).collect();
            all.more_of_party = places.len().saturating_sub(ROWS_OF);
            all.of_party = places.into_iter().take(ROWS_OF).map(|at| self.row(at)).collect();
        }
        all
    }

    /// Where a source and its copy disagree; rows of the first operations by name.
    pub fn disagreement(&self) -> Disagreement {
        let apart = || self.loud.iter().filter(|loud| loud.judgement.found & SOURCES_DISAGREE != 0);
        let mut all = Disagreement { operations: apart().count() as u64, only_in: Vec::new() };
        for view in apart().take(NAMED).filter_map(|loud| self.view(loud.op)) {
            let alone = view
                .effects
                .iter()
                .filter(|row| row.in_sources == 1 && row.status == Status::Live && !row.reversal);
            all.only_in.extend(alone.map(|row| (row.source, row.name.clone())));
        }
        all
    }

    /// Intents that carry exactly this business id, or this party.
    fn ops_of(&self, id: &str, business: bool) -> BTreeSet<Op> {
        let mut ops = BTreeSet::new();
        if id.is_empty() {
            return ops;
        }
        for (r, run) in self.runs.iter().enumerate() {
            let is = |of_order: Text, party: Text| {
                let text = if business { of_order } else { party };
                text.is_some() && run.bytes(text) == id.as_bytes()
            };
            let calls =
                run.attempts.all().iter().filter(|row| is(row.business, row.party)).map(|row| row.name);
            let records =
                run.records.all().iter().filter(|row| is(row.business, row.party)).map(|row| row.name);
            let rows = run.effects.all().iter().filter(|row| is(row.business, row.party)).map(|row| row.name);
            for name in calls.chain(records).chain(rows) {
                ops.extend(self.groups.of(&self.runs, r, name).filter(|op| self.groups.is_intent(*op)));
            }
        }
        ops
    }

    /// Rows without an attempt of the same order or party.
    fn apart_of(&self, whose: &Whose) -> Vec<EffectView> {
        let mut rows = Vec::new();
        for place in self.apart.groups.iter().flat_map(|group| &group.rows) {
            let Some(run) = self.runs.get(place.0 as usize) else { continue };
            let Some(row) = run.effects.get(place.1 as usize) else { continue };
            let is = match whose {
                Whose::Order(business) => run.bytes(row.business) == business.as_bytes(),
                Whose::Party(party) => run.bytes(row.party) == party.as_bytes(),
            };
            if is {
                rows.push(self.effect_view(*place, row));
            }
        }
        rows
    }
}
