//! Rows that a person tied to an intent, or took from one (J6, `1-model.md` 1.5).

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::judge::facts::link;
use crate::model::row::{Name, Text, effect_flag};
use crate::sources::spec::Tie;

use super::case::Case;
use super::group::Op;
use super::join::LooseRow;
use super::repeats::Place;
use super::resolve::{NameKind, name_kind};

impl Case {
    /// Applies what was tied by hand: a linked row is the intent's whatever its own id says; an unlinked one is
    /// nobody's, and stays where it can be seen.
    pub(super) fn by_hand(&mut self, mut loose: Vec<LooseRow>) -> Vec<LooseRow> {
        let hands = self.spec.hand.clone();
        for hand in hands.iter().filter(|hand| hand.tie != Tie::Rejected) {
            let Some(op) = self.op_named(&hand.operation_id, &hand.intent_id) else { continue };
            for (place, row) in self.rows_named(&hand.source, &hand.effect_id) {
                if hand.tie == Tie::Linked {
                    self.links.extra.values_mut().for_each(|rows| rows.retain(|(p, _)| *p != place));
                    let own = self.groups.of(&self.runs, place.0 as usize, row.row.name);
                    let links_itself = own.is_some_and(|own| self.groups.is_intent(own));
                    if links_itself {
                        // Its own id names another intent, or this one: it is laid out once, by hand.
                        self.links.contested.insert(place);
                    }
                    self.links.extra.entry(op).or_default().push((place, link::HAND));
                    loose.retain(|r| r.place != place);
                } else {
                    let was_extra = self.links.extra.get_mut(&op).is_some_and(|rows| {
                        let before = rows.len();
                        rows.retain(|(p, _)| *p != place);
                        rows.len() < before
                    });
                    let own = self.groups.of(&self.runs, place.0 as usize, row.row.name);
                    if own == Some(op) {
                        self.links.contested.insert(place);
                    }
                    if (was_extra || own == Some(op)) && !loose.iter().any(|r| r.place == place) {
                        loose.push(without_ids(row));
                    }
                }
            }
        }
        loose
    }

    /// Loose rows without those that were rejected for every intent of their order: nobody's suggestion is left. A row
    /// that was rejected for some of them may still be another's.
    pub(super) fn without_rejected(&self, loose: &[LooseRow]) -> Vec<LooseRow> {
        let mut rejected: HashMap<Place, Vec<Op>, RandomState> = HashMap::default();
        for hand in self.spec.hand.iter().filter(|hand| hand.tie == Tie::Rejected) {
            let Some(op) = self.op_named(&hand.operation_id, &hand.intent_id) else { continue };
            for (place, _) in self.rows_named(&hand.source, &hand.effect_id) {
                rejected.entry(place).or_default().push(op);
            }
        }
        let nobodys = |row: &LooseRow| {
            rejected.get(&row.place).is_some_and(|ops| {
                let business =
                    self.runs.get(row.place.0 as usize).map_or("", |run| run.text(row.row.business));
                self.briefs.iter().filter(|b| b.business == business).all(|b| ops.contains(&b.op))
            })
        };
        loose.iter().filter(|row| !nobodys(row)).copied().collect()
    }

    /// Whether a person said of a row that it is not this intent's.
    pub(super) fn is_rejected(&self, op: Op, row: &LooseRow) -> bool {
        let source = self.spec.sources.get(usize::from(row.row.at.source().0));
        let id = self.runs.get(row.place.0 as usize).map_or("", |run| run.text(row.row.id));
        self.spec.hand.iter().filter(|hand| hand.tie == Tie::Rejected).any(|hand| {
            source.is_some_and(|source| source.id == hand.source)
                && hand.effect_id == id
                && self.op_named(&hand.operation_id, &hand.intent_id) == Some(op)
        })
    }

    /// The intent of an operation id, else of an intent id.
    fn op_named(&self, operation_id: &str, intent_id: &str) -> Option<Op> {
        for (r, run) in self.runs.iter().enumerate() {
            let of_name = |name| {
                let (kind, text) = name_kind(run.name(name));
                kind == NameKind::Operation && !operation_id.is_empty() && text == operation_id
            };
            let records = run.records.all().iter().map(|x| {
                let by_id = x.intent_id.is_some() && run.text(x.intent_id) == intent_id;
                (x.name, by_id)
            });
            let calls = run.attempts.all().iter().map(|x| (x.name, false));
            for (name, by_id) in records.chain(calls) {
                if name.is_some()
                    && (by_id || of_name(name))
                    && let Some(op) =
                        self.groups.of(&self.runs, r, name).filter(|op| self.groups.is_intent(*op))
                {
                    return Some(op);
                }
            }
        }
        None
    }

    /// Rows of a source that have this id.
    fn rows_named(&self, source: &str, effect_id: &str) -> Vec<(Place, LooseRow)> {
        let mut found = Vec::new();
        for (r, run) in (0u32..).zip(&self.runs) {
            for (i, row) in (0u32..).zip(run.effects.all()) {
                let of = self.spec.sources.get(usize::from(row.at.source().0)).map(|s| s.id.as_str());
                if !row.is(effect_flag::DROPPED)
                    && row.id.is_some()
                    && run.text(row.id) == effect_id
                    && of == Some(source)
                {
                    found.push(((r, i), LooseRow { place: (r, i), row: *row }));
                }
            }
        }
        found
    }
}

/// A row that was taken from its intent: its ids name nobody any more, and by order, amount and time it may still be the
/// intent's. Until somebody says that it is not (`reject`), it keeps an absence from being proven.
fn without_ids(row: LooseRow) -> LooseRow {
    let mut row = row;
    (row.row.name, row.row.key) = (Name::NONE, Text::NONE);
    row
}
