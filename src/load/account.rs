//! The account per order, where ids do not decide, suggestions, and declared joins (`1-model.md` 1.5).

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use crate::judge::facts::{Account, Setting};
use crate::model::money::{Amount, Money, Totals};
use crate::model::row::{Class, Effect, SourceNo, effect_flag, record_flag};
use crate::model::time::Micros;
use crate::model::units::Unit;

use super::brief::{Brief, by_business};
use super::desk::Links;
use super::join::LooseRow;
use super::order::{Order, Span, Spans};
use super::repeats::Place;
use super::run::Run;
use super::tables::Tables;
use super::tickets::OrderExpectation;

/// What accounts are drawn up from.
pub struct Orders<'a> {
    /// The runs, for texts.
    pub runs: &'a [Run],
    /// What holds for all.
    pub setting: &'a Setting,
    /// Shared tables.
    pub tables: &'a Tables,
    /// Intents of the orders.
    pub briefs: &'a [Brief],
    /// What files expect of whole orders.
    pub expected: &'a [OrderExpectation],
    /// Window of the traces; `None` without times.
    pub window: Option<(Micros, Micros)>,
}

impl Orders<'_> {
    pub(super) fn business<'r>(&'r self, row: &LooseRow) -> &'r str {
        self.runs.get(row.place.0 as usize).map_or("", |run| run.text(row.row.business))
    }

    fn counts(&self, row: &Effect) -> bool {
        self.setting.source(row.at.source()).is_some_and(|s| s.counts)
    }

    fn could_be(&self, row: &LooseRow, brief: &Brief) -> bool {
        // Both name an operation id, and as the row is loose these differ.
        let operations_differ = row.row.name.is_some() && brief.has_operation;
        // Both name a key: J2 would have linked equal ones.
        let keys_differ = row.row.key.is_some() && brief.has_key;
        !(operations_differ || keys_differ) && self.held(row, brief)
    }

    /// The row is of the intent's kind, in a source that records its tool.
    fn held(&self, row: &LooseRow, brief: &Brief) -> bool {
        brief.kind_fits(self.tables.kind(row.row.class)) && self.recorded(row, brief)
    }

    /// The row's source records the intent's tool.
    fn recorded(&self, row: &LooseRow, brief: &Brief) -> bool {
        self.setting.tool(brief.tool).is_none_or(|t| t.recorded_by.contains(&row.row.at.source()))
    }

    fn in_case_window(&self, row: &Effect) -> bool {
        in_window(row, self.window, self.setting)
    }

    /// When a row was committed, with the skew of its source; `None` without a time.
    pub(super) fn row_span(&self, row: &LooseRow) -> Span {
        let time = row.row.committed();
        let skew = self.setting.source(row.row.at.source()).map_or(0, |s| s.skew);
        (time.at != Micros::NONE).then(|| {
            let (begin, end) = time.interval(skew);
            (begin.0, end.0)
        })
    }

    /// Suggestions (J5) and accounts, for rows that stay loose. Gives the rows that may be an intent's: those are not
    /// without an attempt.
    pub fn draw_up(&self, loose: &[LooseRow], links: &mut Links) -> HashSet<Place, RandomState> {
        let mut open = HashSet::default();
        let by = by_business(self.briefs);
        let accounts = self.accounts(&by);
        let mut of_order: HashMap<&str, Vec<usize>, RandomState> = HashMap::default();
        for (no, members) in accounts.iter().enumerate() {
            if let Some(brief) = members.first().and_then(|i| self.briefs.get(*i)) {
                of_order.entry(brief.business.as_str()).or_default().push(no);
            }
        }
        let mut rows: HashMap<&str, Vec<&LooseRow>, RandomState> = HashMap::default();
        for row in loose.iter().filter(|r| !r.row.is(effect_flag::FILTERED) && self.counts(&r.row)) {
            let business = self.business(row);
            if !business.is_empty() && by.contains_key(business) {
                rows.entry(business).or_default().push(row);
            }
        }
        let mut unlinked: HashMap<usize, Vec<&LooseRow>, RandomState> = HashMap::default();
        for (business, rows) in rows {
            let (Some(ids), Some(mine)) = (by.get(business), of_order.get(business)) else { continue };
            self.suggest(ids, &rows, links, &mut open);
            self.open_accounts(mine, &accounts, &rows, &mut unlinked, &mut open);
        }
        let tickets = self.tickets();
        for (no, rows) in unlinked {
            if let Some(members) = accounts.get(no) {
                self.account(no as u32, members, &rows, &tickets, links);
            }
        }
        open
    }

    /// What the rows of one order suggest to its intents.
    fn suggest(
        &self,
        ids: &[usize],
        rows: &[&LooseRow],
        links: &mut Links,
        open: &mut HashSet<Place, RandomState>,
    ) {
        let order = Order::new(self.briefs, ids);
        let span = |i: &usize| self.briefs.get(*i).and_then(|b| b.span(self.setting));
        let asked: Vec<Spans> =
            order.sorts.iter().map(|sort| Spans::new(sort.members.iter().map(span))).collect();
        let mut offered: Vec<Vec<Span>> = vec![Vec::new(); order.sorts.len()];
        let mut damaged = vec![0u16; order.bases.len()];
        let mut reversed = false;
        let mut could = Could::new(self, &order);
        for row in rows {
            if row.row.is(effect_flag::REVERSAL) {
                reversed = true;
                continue;
            }
            let bad = row.row.is(effect_flag::AMOUNT_BAD);
            if bad {
                // A damaged row of the order may be the one, whatever other id can be read on it (C4).
                for (base, damaged) in order.bases.iter().zip(&mut damaged) {
                    if self.briefs.get(base.lead).is_some_and(|brief| self.held(row, brief)) {
                        *damaged = damaged.saturating_add(1);
                        open.insert(row.place);
                    }
                }
            }
            let (amount, unit, at) = (row.row.amount(), row.row.unit, self.row_span(row));
            if amount.is_none() && bad {
                continue;
            }
            for base in could.of(row) {
                for sort in order.fitting(&order.bases[*base], amount, unit) {
                    offered[sort].push(at);
                    if asked[sort].meeting(at) > 0 {
                        open.insert(row.place);
                    }
                }
            }
        }
        let offered: Vec<Spans> = offered.into_iter().map(|spans| Spans::new(spans.into_iter())).collect();
        for (base, damaged) in order.bases.iter().zip(damaged) {
            for sort in &base.sorts {
                for i in &order.sorts[*sort].members {
                    let fit = u16::try_from(offered[*sort].meeting(span(i))).unwrap_or(u16::MAX);
                    if let Some(brief) = self.briefs.get(*i).filter(|_| fit > 0 || damaged > 0 || reversed) {
                        let ties = links.ties.entry(brief.op).or_default();
                        ties.suggestions = ties.suggestions.saturating_add(fit);
                        ties.unreadable = ties.unreadable.saturating_add(damaged);
                        ties.orphan_reversal |= reversed;
                    }
                }
            }
        }
    }

    /// Deals rows that are not linked to the first account of their order that they could belong to.
    fn open_accounts<'r>(
        &self,
        mine: &[usize],
        accounts: &[Vec<usize>],
        rows: &[&'r LooseRow],
        unlinked: &mut HashMap<usize, Vec<&'r LooseRow>, RandomState>,
        open: &mut HashSet<Place, RandomState>,
    ) {
        let orders: Vec<(usize, Order)> =
            mine.iter().filter_map(|no| Some((*no, Order::new(self.briefs, accounts.get(*no)?)))).collect();
        let mut could: Vec<Could<'_>> = orders.iter().map(|(_, order)| Could::new(self, order)).collect();
        let open_unit = |unit: Unit| matches!(unit, Unit::NONE | Unit::UNKNOWN);
        for row in rows.iter().filter(|r| !r.row.is(effect_flag::REVERSAL)) {
            if row.row.status == crate::model::row::Status::NotAnEffect || !self.in_case_window(&row.row) {
                continue;
            }
            for ((no, order), could) in orders.iter().zip(&mut could) {
                // All members of an account are of one unit.
                let unit = order.sorts.first().map_or(Unit::NONE, |sort| sort.unit);
                let fits = unit == row.row.unit || open_unit(unit) || open_unit(row.row.unit);
                if fits && !could.of(row).is_empty() {
                    unlinked.entry(*no).or_default().push(row);
                    open.insert(row.place);
                    break;
                }
            }
        }
    }

    /// What files expect of whole orders, by order.
    pub(super) fn tickets(&self) -> Tickets<'_> {
        let mut tickets = Tickets::default();
        for ticket in self.expected {
            tickets.entry(ticket.business.as_str()).or_default().push(ticket);
        }
        tickets
    }

    /// Members of each account: one business id, kind and unit.
    fn accounts(&self, by: &HashMap<&str, Vec<usize>, RandomState>) -> Vec<Vec<usize>> {
        let mut accounts: Vec<Vec<usize>> = Vec::new();
        let mut businesses: Vec<&&str> = by.keys().collect();
        businesses.sort_unstable();
        for business in businesses {
            let mut mine: Vec<Vec<usize>> = Vec::new();
            for i in &by[*business] {
                let brief = &self.briefs[*i];
                let same = mine.iter_mut().find(|m| {
                    m.first().is_some_and(|j| {
                        let other = &self.briefs[*j];
                        other.unit == brief.unit
                            && (other.kind == brief.kind
                                || crate::model::kinds::share_a_word(&other.kind, &brief.kind))
                    })
                });
                match same {
                    Some(members) => members.push(*i),
                    None => mine.push(vec![*i]),
                }
            }
            accounts.extend(mine);
        }
        accounts
    }

    fn account(
        &self,
        number: u32,
        members: &[usize],
        rows: &[&LooseRow],
        tickets: &Tickets<'_>,
        links: &mut Links,
    ) {
        let account = self.sum_up(number, members, rows, tickets);
        for i in members {
            links.ties.entry(self.briefs[*i].op).or_default().account = Some(account);
        }
    }

    /// What the members want, and what is there with these loose rows.
    pub(super) fn sum_up(
        &self,
        number: u32,
        members: &[usize],
        rows: &[&LooseRow],
        tickets: &Tickets<'_>,
    ) -> Account {
        let mut wanted = 0u32;
        let mut found = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let mut unit = Unit::NONE;
        let (mut money_wanted, mut money_found) = (Totals::default(), Totals::default());
        let (mut all_wanted, mut all_found) = (true, true);
        for i in members {
            let brief = &self.briefs[*i];
            let j = &brief.judgement;
            wanted = wanted.saturating_add(j.effective_max);
            found = found.saturating_add(j.net + j.on_its_way);
            if unit == Unit::NONE {
                unit = brief.unit;
            }
            match j.expected {
                Some(total) if j.effective_max > 0 => money_wanted.add(total),
                Some(_) => {}
                None => all_wanted = false,
            }
            match j.live {
                Some(live) => money_found.add(live),
                None => all_found &= j.net == 0,
            }
        }
        for row in rows {
            match row.row.amount() {
                Some(amount) => money_found.add(Money { unit: row.row.unit, amount }),
                None => all_found = false,
            }
        }
        if let Some((count, total)) = members.first().and_then(|i| Self::ticketed(&self.briefs[*i], tickets))
        {
            wanted = count;
            if let Some(total) = total {
                money_wanted = total;
                all_wanted = true;
            }
        }
        Account {
            number,
            wanted,
            found,
            unlinked: u32::try_from(rows.len()).unwrap_or(u32::MAX),
            money_wanted: all_wanted.then(|| single(&money_wanted, unit)).flatten(),
            money_found: all_found.then(|| single(&money_found, unit)).flatten(),
        }
    }

    /// What the tickets of an order want that name no request: how many, and how much where all of them say so.
    fn ticketed(brief: &Brief, tickets: &Tickets<'_>) -> Option<(u32, Option<Totals>)> {
        let mine = tickets.get(brief.business.as_str()).into_iter().flatten().copied();
        let mine =
            mine.filter(|e| e.kind.is_empty() || crate::model::kinds::share_a_word(&e.kind, &brief.kind));
        let (mut count, mut total, mut any, mut all) = (0u32, Totals::default(), false, true);
        for OrderExpectation { record, .. } in mine {
            any = true;
            count = count.saturating_add(record.max);
            if record.flags & record_flag::TOTAL != 0 {
                let amount = Amount { digits: record.amount, scale: record.scale };
                total.add(Money { unit: record.unit, amount });
            } else {
                all = false;
            }
        }
        any.then(|| (count, all.then_some(total)))
    }
}

/// What files expect, by order.
pub(super) type Tickets<'a> = HashMap<&'a str, Vec<&'a OrderExpectation>, RandomState>;

/// The lesser of two places of which one may be missing.
pub(super) fn earlier(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Which bases a row could belong to, asked once per sort of row.
pub(super) struct Could<'a> {
    orders: &'a Orders<'a>,
    order: &'a Order,
    known: HashMap<(SourceNo, Class, bool, bool), Vec<usize>, RandomState>,
}

impl<'a> Could<'a> {
    pub(super) fn new(orders: &'a Orders<'a>, order: &'a Order) -> Self {
        Self { orders, order, known: HashMap::default() }
    }

    pub(super) fn of(&mut self, row: &LooseRow) -> &[usize] {
        let key = (row.row.at.source(), row.row.class, row.row.name.is_some(), row.row.key.is_some());
        let (orders, order) = (self.orders, self.order);
        self.known.entry(key).or_insert_with(|| {
            let fits = |base: &super::order::Base| {
                orders.briefs.get(base.lead).is_some_and(|brief| orders.could_be(row, brief))
            };
            (0..).zip(&order.bases).filter(|(_, base)| fits(base)).map(|(no, _)| no).collect()
        })
    }
}

fn single(totals: &Totals, unit: Unit) -> Option<Money> {
    if totals.len() > 1 {
        return None;
    }
    let Some((unit, total)) = totals.iter().next() else {
        return Some(Money { unit, amount: Amount::minor(0, 0) });
    };
    let wide = total.exact()?;
    Some(Money { unit, amount: Amount { digits: i64::try_from(wide.digits).ok()?, scale: wide.scale } })
}

/// Whether a row lies in a window; without a window or a time nothing is told apart.
pub fn in_window(row: &Effect, window: Option<(Micros, Micros)>, setting: &Setting) -> bool {
    let Some((from, to)) = window else { return true };
    let time = row.committed();
    if time.at == Micros::NONE {
        return true;
    }
    let skew = setting.source(row.at.source()).map_or(0, |s| s.skew);
    let (begin, end) = time.interval(skew);
    end.0 >= from.0 && begin.0 <= to.0
}
