//! The account per order, where ids do not decide, suggestions, and declared joins (`1-model.md` 1.5).

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use crate::judge::facts::{Account, Setting, link};
use crate::model::money::{Amount, Money, Totals};
use crate::model::row::{Effect, effect_flag, record_flag};
use crate::model::time::Micros;
use crate::model::units::Unit;

use super::brief::{Brief, by_business};
use super::desk::Links;
use super::join::{Declared, LooseRow};
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
    fn business<'r>(&'r self, row: &LooseRow) -> &'r str {
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
        brief.kind_fits(self.tables.kinds.text(row.row.kind)) && self.recorded(row, brief)
    }

    /// The row's source records the intent's tool.
    fn recorded(&self, row: &LooseRow, brief: &Brief) -> bool {
        self.setting.tool(brief.tool).is_none_or(|t| t.recorded_by.contains(&row.row.at.source()))
    }

    fn in_case_window(&self, row: &Effect) -> bool {
        in_window(row, self.window, self.setting)
    }

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
        let mut taken = vec![false; self.briefs.len()];
        let mut later = Vec::new();
        let mut stay = Vec::new();
        for row in rows {
            let rule = declared.get(usize::from(row.row.at.source().0)).copied().flatten();
            let business = self.business(&row);
            let (Some(rule), Some(ids)) = (rule, by.get(business).filter(|_| !business.is_empty())) else {
                stay.push(row);
                continue;
            };
            let money_known = ids.iter().any(|i| !self.briefs[*i].amounts.is_empty());
            let fits: Vec<usize> = ids
                .iter()
                .copied()
                .filter(|i| {
                    let brief = &self.briefs[*i];
                    self.could_be(&row, brief)
                        && !(money_known && row.row.amount().is_some() && brief.amounts.is_empty())
                        && (!rule.amount || brief.amount_fits(&row.row))
                        && (!rule.window || brief.in_window(&row.row, self.setting))
                })
                .collect();
            let first = fits.iter().copied().find(|i| {
                let brief = &self.briefs[*i];
                !taken[*i] && brief.amount_fits(&row.row) && brief.in_window(&row.row, self.setting)
            });
            match (first, fits.as_slice()) {
                (Some(i), _) => {
                    taken[i] = true;
                    links.extra.entry(self.briefs[i].op).or_default().push((row.place, link::DECLARED));
                }
                (None, []) => stay.push(row),
                (None, _) => later.push((row, fits)),
            }
        }
        for (row, fits) in later {
            let before = |i: &usize| {
                let sent = self.briefs[*i].first_sent;
                row.row.committed == Micros::NONE || sent == Micros::NONE || sent <= row.row.committed
            };
            let last = fits.iter().copied().rfind(before).or_else(|| fits.first().copied());
            if let Some(i) = last {
                links.extra.entry(self.briefs[i].op).or_default().push((row.place, link::DECLARED));
            }
        }
        stay
    }

    /// Suggestions (J5) and accounts, for rows that stay loose. Gives the rows that may be an intent's: those are not
    /// without an attempt.
    pub fn draw_up(&self, loose: &[LooseRow], links: &mut Links) -> HashSet<Place, RandomState> {
        let mut open = HashSet::default();
        let by = by_business(self.briefs);
        let mut unlinked: HashMap<usize, Vec<&LooseRow>, RandomState> = HashMap::default();
        let accounts = self.accounts(&by);
        let mut of_order: HashMap<&str, Vec<usize>, RandomState> = HashMap::default();
        for (no, members) in accounts.iter().enumerate() {
            if let Some(brief) = members.first().and_then(|i| self.briefs.get(*i)) {
                of_order.entry(brief.business.as_str()).or_default().push(no);
            }
        }
        for row in loose {
            if row.row.is(effect_flag::FILTERED) || !self.counts(&row.row) {
                continue;
            }
            let business = self.business(row);
            let Some(ids) = by.get(business).filter(|_| !business.is_empty()) else {
                continue;
            };
            if row.row.is(effect_flag::REVERSAL) {
                for i in ids {
                    links.ties.entry(self.briefs[*i].op).or_default().orphan_reversal = true;
                }
                continue;
            }
            for i in ids {
                let brief = &self.briefs[*i];
                // A damaged row of the order may be the one, whatever other id can be read on it (C4).
                if row.row.is(effect_flag::AMOUNT_BAD) && self.held(row, brief) {
                    let ties = links.ties.entry(brief.op).or_default();
                    ties.unreadable = ties.unreadable.saturating_add(1);
                    open.insert(row.place);
                }
                if !self.could_be(row, brief) {
                    continue;
                }
                if brief.amount_fits(&row.row) && brief.in_window(&row.row, self.setting) {
                    let ties = links.ties.entry(brief.op).or_default();
                    ties.suggestions = ties.suggestions.saturating_add(1);
                    open.insert(row.place);
                }
            }
            let fits = |no: &usize| {
                accounts.get(*no).into_iter().flatten().any(|i| {
                    let brief = &self.briefs[*i];
                    let unit = brief.unit == row.row.unit
                        || [brief.unit, row.row.unit]
                            .iter()
                            .any(|u| matches!(*u, Unit::NONE | Unit::UNKNOWN));
                    unit && self.could_be(row, brief)
                })
            };
            let live = row.row.status != crate::model::row::Status::NotAnEffect;
            if live && self.in_case_window(&row.row) {
                let mut mine = of_order.get(business).into_iter().flatten().copied();
                if let Some(no) = mine.find(fits) {
                    unlinked.entry(no).or_default().push(row);
                    open.insert(row.place);
                }
            }
        }
        for (no, rows) in unlinked {
            if let Some(members) = accounts.get(no) {
                self.account(no as u32, members, &rows, links);
            }
        }
        open
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

    fn account(&self, number: u32, members: &[usize], rows: &[&LooseRow], links: &mut Links) {
        let account = self.sum_up(number, members, rows);
        for i in members {
            links.ties.entry(self.briefs[*i].op).or_default().account = Some(account);
        }
    }

    /// What the members want, and what is there with these loose rows.
    fn sum_up(&self, number: u32, members: &[usize], rows: &[&LooseRow]) -> Account {
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
        if let Some((count, total)) = members.first().and_then(|i| self.ticketed(&self.briefs[*i])) {
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
    fn ticketed(&self, brief: &Brief) -> Option<(u32, Option<Totals>)> {
        let mine = self.expected.iter().filter(|e| {
            e.business == brief.business
                && (e.kind.is_empty() || crate::model::kinds::share_a_word(&e.kind, &brief.kind))
        });
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

    /// One operation under two keys? (`2-judge.md` 2.5, susp): two intents of one account and amount, neither with
    /// an operation id, both with a live effect, the later sent after the earlier lost its answer. They are one account
    /// that wants what the newest wants, and one row of the list. Gives the members, as places in the briefs.
    pub fn two_keys(&self, links: &mut Links) -> Vec<usize> {
        let by = by_business(self.briefs);
        let mut businesses: Vec<&&str> = by.keys().collect();
        businesses.sort_unstable();
        let mut operations: Vec<Vec<usize>> = Vec::new();
        for business in businesses {
            let first = operations.len();
            for later in by.get(*business).into_iter().flatten().copied().filter(|i| self.is_keyed(*i)) {
                let again = |earlier: &usize| self.sent_again(*earlier, later);
                match operations.iter_mut().skip(first).find(|members| members.iter().any(again)) {
                    Some(members) => members.push(later),
                    None => operations.push(vec![later]),
                }
            }
        }
        operations.retain(|members| members.len() > 1);
        for (no, members) in (TWO_KEYS..).zip(&operations) {
            let account = self.sum_up(no, members, &[]);
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

    /// The later call was sent after the earlier lost its answer, and asks for the same.
    fn sent_again(&self, earlier: usize, later: usize) -> bool {
        let (Some(earlier), Some(later)) = (self.briefs.get(earlier), self.briefs.get(later)) else {
            return false;
        };
        let lost_before = earlier.lost_at != Micros::NONE && later.first_sent >= earlier.lost_at;
        lost_before
            && earlier.unit == later.unit
            && earlier.amounts == later.amounts
            && crate::model::kinds::share_a_word(&earlier.kind, &later.kind)
    }
}

/// Accounts of operations under two keys are numbered from here on, beyond those that rows without ids need.
const TWO_KEYS: u32 = 1 << 31;

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
