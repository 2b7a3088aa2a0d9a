//! One operation under two keys (`2-judge.md` 2.5, susp): a call that lost its answer, and was sent again under a new one.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::RandomState;

use crate::judge::facts::Account;
use crate::model::money::Amount;
use crate::model::time::Micros;
use crate::model::units::Unit;

use super::account::{Orders, earlier};
use super::brief::{Brief, by_business};
use super::desk::Links;

/// Accounts of operations under two keys are numbered from here on, beyond those that rows without ids need.
const TWO_KEYS: u32 = 1 << 31;

impl Orders<'_> {
    /// One operation under two keys? (`2-judge.md` 2.5, susp): two intents of one account and amount, neither with
    /// an operation id, both with a live effect, the later sent after the earlier lost its answer. They are one account
    /// that wants what the newest wants, and one row of the list. Gives the members, as places in the briefs.
    pub fn two_keys(&self, links: &mut Links) -> Vec<usize> {
        let by = by_business(self.briefs);
        let mut businesses: Vec<&&str> = by.keys().collect();
        businesses.sort_unstable();
        let mut operations: Vec<Vec<usize>> = Vec::new();
        for business in businesses {
            let mut lost = Lost::default();
            for i in by.get(*business).into_iter().flatten().copied().filter(|i| self.is_keyed(*i)) {
                let Some(brief) = self.briefs.get(i) else { continue };
                let operation = lost.sent_again(brief).unwrap_or_else(|| {
                    operations.push(Vec::new());
                    operations.len() - 1
                });
                operations[operation].push(i);
                lost.add(brief, operation);
            }
        }
        operations.retain(|members| members.len() > 1);
        let tickets = self.tickets();
        for (no, members) in (TWO_KEYS..).zip(&operations) {
            let account = self.sum_up(no, members, &[], &tickets);
            let newest = members.last().and_then(|i| self.briefs.get(*i)).map(|b| &b.judgement);
            let (wanted, total) = newest.map_or((1, None), |j| (j.effective_max, j.expected));
            for brief in members.iter().filter_map(|i| self.briefs.get(*i)) {
                let ties = links.ties.entry(brief.op).or_default();
                ties.two_keys = true;
                ties.account.get_or_insert(Account { wanted, money_wanted: total, ..account });
            }
        }
        operations.into_iter().flatten().collect()
    }

    fn is_keyed(&self, i: usize) -> bool {
        self.briefs.get(i).is_some_and(|b| !b.has_operation && b.has_key && b.judgement.net > 0)
    }
}

/// Calls of one order that lost their answer, by what they ask for: a later one that asks for the same was sent again.
#[derive(Default)]
struct Lost<'b> {
    by_money: HashMap<(Unit, &'b [Amount]), Vec<LostKind<'b>>, RandomState>,
}

/// Operations of one kind, by the time from which on they have lost an answer.
struct LostKind<'b> {
    kind: &'b str,
    waiting: BTreeSet<(Micros, usize)>,
    /// The first operation that has lost one by now: intents come in order of time.
    ready: Option<usize>,
}

impl<'b> Lost<'b> {
    /// The first operation that this intent is sent again for.
    fn sent_again(&mut self, brief: &'b Brief) -> Option<usize> {
        let kinds = self.by_money.get_mut(&(brief.unit, brief.amounts.as_slice()))?;
        let mut first: Option<usize> = None;
        for kind in kinds {
            while let Some((at, operation)) =
                kind.waiting.first().copied().filter(|(at, _)| *at <= brief.first_sent)
            {
                kind.waiting.remove(&(at, operation));
                kind.ready = Some(kind.ready.map_or(operation, |known| known.min(operation)));
            }
            if crate::model::kinds::share_a_word(kind.kind, &brief.kind) {
                first = earlier(first, kind.ready);
            }
        }
        first
    }

    fn add(&mut self, brief: &'b Brief, operation: usize) {
        if brief.lost_at == Micros::NONE {
            return;
        }
        let kinds = self.by_money.entry((brief.unit, brief.amounts.as_slice())).or_default();
        let known = kinds.iter().position(|k| k.kind == brief.kind);
        let no = known.unwrap_or_else(|| {
            kinds.push(LostKind { kind: &brief.kind, waiting: BTreeSet::new(), ready: None });
            kinds.len() - 1
        });
        if let Some(kind) = kinds.get_mut(no) {
            kind.waiting.insert((brief.lost_at, operation));
        }
    }
}
