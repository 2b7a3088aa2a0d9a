//! Where things stand, for views: the brief of an intent, loose rows of an order, members of groups. Made once, when the
//! first of them is looked for.

use std::collections::HashMap;

use foldhash::fast::RandomState;

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
                index.loose.entry(business.to_vec()).or_default().push(no);
            }
            for (op, ties) in &self.links.ties {
                if let Some(account) = ties.account {
                    index.accounts.entry(account.number).or_default().push(*op);
                }
                if let Some(lineage) = ties.lineage {
                    index.lineages.entry(lineage.number).or_default().push(*op);
                }
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
