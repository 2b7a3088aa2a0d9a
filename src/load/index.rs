//! Where things stand, for views: the brief of an intent, loose rows of an order, members of groups. Made once, when the
//! first of them is looked for.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::model::row::effect_flag;
use crate::model::time::Micros;

use super::brief::Brief;
use super::case::Case;
use super::group::Op;
use super::join::LooseRow;

/// The index of a case.
#[derive(Debug, Default)]
pub struct Index {
    briefs: HashMap<Op, usize, RandomState>,
    loose: HashMap<Vec<u8>, Vec<usize>, RandomState>,
    accounts: HashMap<u32, Vec<Op>, RandomState>,
    lineages: HashMap<u32, Vec<Op>, RandomState>,
    near: HashMap<Op, usize, RandomState>,
    /// By order: time and source of the first row that is not linked.
    first_open: HashMap<Vec<u8>, (Micros, String, u16), RandomState>,
    /// By account: calls of all members.
    tried: HashMap<u32, u32, RandomState>,
}

impl Case {
    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut index = Index::default();
            for (no, brief) in self.briefs.iter().enumerate() {
                index.briefs.entry(brief.op).or_insert(no);
            }
            for (no, row) in self.loose.iter().enumerate() {
                let run = self.runs.get(row.place.0 as usize);
                let Some(business) = run.map(|run| run.bytes(row.row.business)).filter(|b| !b.is_empty())
                else {
                    continue;
                };
                if self.of_cut.contains(&row.place) {
                    continue;
                }
                index.loose.entry(business.to_vec()).or_default().push(no);
                let source = row.row.at.source();
                let counts = self.setting.source(source).is_some_and(|s| s.counts);
                if counts && !row.row.is(effect_flag::FILTERED | effect_flag::REVERSAL) {
                    let logical = self.logical.get(usize::from(source.0)).copied().unwrap_or(source.0);
                    let id = self.spec.sources.get(usize::from(source.0)).map(|s| s.id.clone());
                    let this = (row.row.committed, id.unwrap_or_default(), logical);
                    match index.first_open.get_mut(business) {
                        Some(known) => {
                            if this < *known {
                                *known = this;
                            }
                        }
                        None => {
                            index.first_open.insert(business.to_vec(), this);
                        }
                    }
                }
            }
            for (op, ties) in &self.links.ties {
                if let Some(account) = ties.account {
                    index.accounts.entry(account.number).or_default().push(*op);
                }
                if let Some(lineage) = ties.lineage {
                    index.lineages.entry(lineage.number).or_default().push(*op);
                }
            }
            for (number, members) in &index.accounts {
                let briefs = members.iter().filter_map(|op| index.briefs.get(op));
                let tried = briefs.filter_map(|no| self.briefs.get(*no)).map(|b| b.tried).sum();
                index.tried.insert(*number, tried);
            }
            for (no, set) in self.near.iter().enumerate() {
                index.near.extend(set.iter().map(|op| (*op, no)));
            }
            index
        })
    }

    /// The brief of an intent, where one had to be made.
    pub(super) fn brief_of(&self, op: Op) -> Option<&Brief> {
        self.index().briefs.get(&op).and_then(|no| self.briefs.get(*no))
    }

    /// Rows of an order that are not linked.
    pub(super) fn loose_of(&self, business: &str) -> impl Iterator<Item = &LooseRow> {
        let rows = self.index().loose.get(business.as_bytes());
        rows.into_iter().flatten().filter_map(|no| self.loose.get(*no))
    }

    /// Logical source of the first row of an order that is not linked.
    pub(super) fn open_source(&self, business: &str) -> u16 {
        self.index().first_open.get(business.as_bytes()).map_or(0, |(_, _, logical)| *logical)
    }

    /// Calls of all members of an account.
    pub(super) fn tried_in(&self, account: u32) -> u32 {
        self.index().tried.get(&account).copied().unwrap_or(0)
    }

    /// Members of an account.
    pub(super) fn in_account(&self, number: u32) -> &[Op] {
        self.index().accounts.get(&number).map_or(&[], Vec::as_slice)
    }

    /// Members of a chain of replacements.
    pub(super) fn in_lineage(&self, number: u32) -> &[Op] {
        self.index().lineages.get(&number).map_or(&[], Vec::as_slice)
    }

    /// Operations whose ids are near-identical to that of an intent, itself included.
    pub(super) fn near_to(&self, op: Op) -> &[Op] {
        self.index().near.get(&op).and_then(|no| self.near.get(*no)).map_or(&[], Vec::as_slice)
    }
}
