//! Rows by the hash of what identifies their operation (J4, `1-model.md` 1.5): a safety net where no id is left.
//!
//! A row carries the derived key that was stored with it. That of an intent is the key it was sent with, where that is a
//! derived one, or is made here from its order, kind, amount and currency. Two intents may have one key, because two equal
//! refunds are legitimate: then it only suggests.

use std::collections::{BTreeSet, HashMap, HashSet};

use foldhash::fast::RandomState;

use crate::canon::{JsonScalar, derived_key};
use crate::judge::facts::link;
use crate::model::kinds::named_in;
use crate::model::row::{At, attempt_flag, effect_flag};

use super::brief::{self, Brief};
use super::case::Case;
use super::desk::key_of;
use super::group::Op;
use super::join::LooseRow;

type Keys<'a> = HashMap<&'a str, BTreeSet<Op>, RandomState>;

impl Case {
    /// Links loose rows by their derived keys. Gives those that stay loose.
    pub(super) fn by_derived_key(
        &mut self,
        loose: Vec<LooseRow>,
        derived: &HashMap<At, String, RandomState>,
    ) -> Vec<LooseRow> {
        let of_row = |r: &LooseRow| derived.get(&r.row.at).filter(|_| !r.row.is(effect_flag::REVERSAL));
        let mut keys: Keys<'_> =
            loose.iter().filter_map(of_row).map(|key| (key.as_str(), BTreeSet::new())).collect();
        if keys.is_empty() {
            return loose;
        }
        self.sent_keys(&mut keys);
        let briefs = self.all_briefs();
        let by_op: HashMap<Op, &Brief, RandomState> = briefs.iter().map(|b| (b.op, b)).collect();
        for brief in &briefs {
            for key in self.derived_keys(brief) {
                if let Some(ops) = keys.get_mut(key.as_str()) {
                    ops.insert(brief.op);
                }
            }
        }
        let mut stay = Vec::new();
        for row in loose {
            let ops = of_row(&row).and_then(|key| keys.get(key.as_str())).into_iter().flatten().copied();
            // Both name an operation id, or both a key: these differ, or the row were not loose.
            let could_be = |op: &Op| {
                by_op.get(op).is_none_or(|brief| {
                    !(row.row.name.is_some() && brief.has_operation || row.row.key.is_some() && brief.has_key)
                })
            };
            let ops: Vec<Op> = ops.filter(could_be).collect();
            match ops.as_slice() {
                [op] => self.links.extra.entry(*op).or_default().push((row.place, link::DERIVED)),
                many => {
                    // A row that names its order is suggested by that.
                    for op in many.iter().filter(|_| !row.row.business.is_some()) {
                        let ties = self.links.ties.entry(*op).or_default();
                        ties.suggestions = ties.suggestions.saturating_add(1);
                    }
                    stay.push(row);
                }
            }
        }
        stay
    }

    /// Intents that were sent with one of these keys.
    fn sent_keys(&self, keys: &mut Keys<'_>) {
        for (r, run) in (0u32..).zip(&self.runs) {
            let calls = run.attempts.all().iter().filter(|a| !a.is(attempt_flag::DROPPED));
            let calls = calls.map(|a| (a.name, key_of(&self.runs, r, a)));
            let records = run.records.all().iter().map(|record| (record.name, run.bytes(record.key)));
            for (name, key) in calls.chain(records) {
                let ops = std::str::from_utf8(key).ok().and_then(|key| keys.get_mut(key));
                if let Some(ops) = ops
                    && let Some(op) = self.groups.of(&self.runs, r as usize, name)
                {
                    ops.insert(op);
                }
            }
        }
    }

    /// Briefs of all intents that have an order.
    fn all_briefs(&self) -> Vec<Brief> {
        let mut orders: HashSet<Vec<u8>, RandomState> = HashSet::default();
        for run in &self.runs {
            let calls = run.attempts.all().iter().map(|a| a.business);
            let businesses = calls.chain(run.records.all().iter().map(|r| r.business));
            for business in businesses.map(|b| run.bytes(b)).filter(|b| !b.is_empty()) {
                if !orders.contains(business) {
                    orders.insert(business.to_vec());
                }
            }
        }
        self.with_store(|store| brief::briefs(store, &self.setting, &self.tables, &orders, self.threads))
    }

    /// The keys that are made of order, kind, amount and currency: by the kind, and by the word in it that is known.
    fn derived_keys(&self, brief: &Brief) -> Vec<String> {
        let (Some((field, value)), Some(total)) = (brief.business.split_once(':'), brief.judgement.expected)
        else {
            return Vec::new();
        };
        let units = &self.tables.units;
        if units.exponent(total.unit) != Some(total.amount.scale) {
            return Vec::new();
        }
        let field = format!("{field}_id");
        let kinds = std::iter::once(brief.kind.as_str()).chain(named_in(&brief.kind));
        let mut keys: Vec<String> = kinds
            .filter_map(|kind| {
                derived_key(&[
                    (field.as_str(), JsonScalar::Text(value)),
                    ("intent_type", JsonScalar::Text(kind)),
                    ("amount_minor", JsonScalar::Int(total.amount.digits)),
                    ("currency", JsonScalar::Text(units.text(total.unit))),
                ])
                .ok()
            })
            .collect();
        keys.dedup();
        keys
    }
}
