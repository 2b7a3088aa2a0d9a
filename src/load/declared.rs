//! Declared joins (J7, `1-model.md` 1.5): rows that carry an order and no id, dealt to the requests of the order.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::judge::facts::link;
use crate::model::row::{Effect, effect_flag};
use crate::model::time::Micros;

use super::account::{Could, Orders, earlier};
use super::brief::by_business;
use super::desk::Links;
use super::join::{Declared, LooseRow};
use super::order::{Order, Queue, Spans, meet};

impl Orders<'_> {
    /// J7: links rows by a declared join. Each of several intents gets the first row in its window that fits its
    /// amount; a surplus row goes to the last one sent before it.
    pub fn declared(
        &self,
        declared: &[Option<Declared>],
        loose: Vec<LooseRow>,
        links: &mut Links,
    ) -> Vec<LooseRow> {
        if declared.iter().all(Option::is_none) {
            return loose;
        }
        let by = by_business(self.briefs);
        let mut rows = loose;
        rows.sort_by_key(|r| (r.row.committed, r.row.at));
        let mut of_order: HashMap<&str, Vec<(usize, Declared)>, RandomState> = HashMap::default();
        for (no, row) in rows.iter().enumerate() {
            let rule = declared.get(usize::from(row.row.at.source().0)).copied().flatten();
            let business = self.business(row);
            if let Some(rule) = rule
                && by.contains_key(business)
                && !business.is_empty()
            {
                of_order.entry(business).or_default().push((no, rule));
            }
        }
        let mut linked: Vec<Option<usize>> = vec![None; rows.len()];
        for (business, mine) in &of_order {
            if let Some(ids) = by.get(*business) {
                self.deal(ids, &rows, mine, &mut linked);
            }
        }
        let mut stay = Vec::new();
        for (row, brief) in rows.into_iter().zip(linked) {
            match brief.and_then(|i| self.briefs.get(i)) {
                Some(brief) => links.extra.entry(brief.op).or_default().push((row.place, link::DECLARED)),
                None => stay.push(row),
            }
        }
        stay
    }

    /// Deals the rows of one order, in order of time, to its intents.
    fn deal(
        &self,
        ids: &[usize],
        rows: &[LooseRow],
        mine: &[(usize, Declared)],
        linked: &mut [Option<usize>],
    ) {
        let order = Order::new(self.briefs, ids);
        let money_known = order.sorts.iter().any(|sort| !sort.without);
        let span = |i: &usize| self.briefs.get(*i).and_then(|b| b.span(self.setting));
        let mut queues: Vec<Queue> =
            order.sorts.iter().map(|sort| Queue::new(sort.members.iter().map(span).collect())).collect();
        let spans: Vec<Spans> =
            order.sorts.iter().map(|sort| Spans::new(sort.members.iter().map(span))).collect();
        // The earliest begin of this row and all later ones.
        let mut earliest: Vec<i64> = Vec::with_capacity(mine.len());
        let mut least = i64::MAX;
        for (no, _) in mine.iter().rev() {
            least = least.min(self.row_span(&rows[*no]).map_or(i64::MIN, |(begin, _)| begin));
            earliest.push(least);
        }
        let mut could = Could::new(self, &order);
        let mut later: Vec<(usize, Declared)> = Vec::new();
        for ((no, rule), never_before) in mine.iter().zip(earliest.into_iter().rev()) {
            let row = &rows[*no];
            let (amount, unit) = (row.row.amount(), row.row.unit);
            let at = self.row_span(row);
            let mut first: Option<(usize, usize, usize)> = None;
            if amount.is_some() || !row.row.is(effect_flag::AMOUNT_BAD) {
                for base in could.of(row) {
                    for sort in order.fitting(&order.bases[*base], amount, unit) {
                        let found = queues[sort].first(at, never_before);
                        if let Some(place) = found {
                            let brief = order.sorts[sort].members[place];
                            if first.is_none_or(|(known, _, _)| brief < known) {
                                first = Some((brief, sort, place));
                            }
                        }
                    }
                }
            }
            match first {
                Some((brief, sort, place)) => {
                    queues[sort].take(place);
                    linked[*no] = Some(brief);
                }
                None => later.push((*no, *rule)),
            }
        }
        for (no, rule) in later {
            let row = &rows[no];
            let at = self.row_span(row);
            let (mut last, mut first): (Option<usize>, Option<usize>) = (None, None);
            for base in could.of(row) {
                let base = &order.bases[*base];
                let sorts: Vec<usize> = if rule.amount {
                    order.fitting(base, row.row.amount(), row.row.unit).collect()
                } else {
                    base.sorts.clone()
                };
                for sort in sorts {
                    let members = &order.sorts[sort].members;
                    let passed = money_known && row.row.amount().is_some() && order.sorts[sort].without;
                    let in_window = |i: &&usize| !rule.window || meet(span(i), at);
                    if passed || rule.window && spans[sort].meeting(at) == 0 {
                        continue;
                    }
                    let before = members.partition_point(|i| self.sent_before(*i, &row.row));
                    match members[..before].iter().rev().find(in_window).copied() {
                        Some(found) => last = last.max(Some(found)),
                        None => first = earlier(first, members.iter().find(in_window).copied()),
                    }
                }
            }
            linked[no] = last.or(first);
        }
    }

    /// The intent was sent before the row was committed, as far as is known.
    fn sent_before(&self, i: usize, row: &Effect) -> bool {
        let sent = self.briefs.get(i).map_or(Micros::NONE, |b| b.first_sent);
        row.committed == Micros::NONE || sent == Micros::NONE || sent <= row.committed
    }
}
