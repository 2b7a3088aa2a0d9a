//! Which rows on the desk are one effect, and which row a call's receipt or key names.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::{Desk, Store, key_of};
use crate::judge::facts::{Receipt, Row, link};
use crate::model::row::{Effect, SourceNo, Status, attempt_flag, effect_flag};
use crate::model::units::Unit;

/// Rows of one intent by their ids and keys.
struct RowIndex<'s> {
    by_id: HashMap<&'s [u8], usize, RandomState>,
    by_key: HashMap<&'s [u8], Vec<usize>, RandomState>,
}

impl<'s> RowIndex<'s> {
    fn new(desk: &Desk<'s>, store: &Store<'s>, rows: std::ops::Range<usize>) -> Self {
        let mut index = Self { by_id: HashMap::default(), by_key: HashMap::default() };
        for i in rows {
            for id in desk.row_ids(store, i) {
                index.by_id.entry(id).or_insert(i);
            }
            index.by_key.entry(desk.row_key(store, i)).or_default().push(i);
        }
        index
    }
}

impl<'s> Desk<'s> {
    /// Which rows are one effect: equal ids or references with equal unit and amount in different sources; a row on
    /// its way and an effect row with one reference (`1-model.md` 1.4.3, 1.5).
    pub(super) fn identify(&mut self, store: &Store<'s>, start: usize) {
        let count = self.rows.len() - start;
        let logical = |no: SourceNo| store.logical.get(usize::from(no.0)).copied().unwrap_or(no.0);
        let mut by_id: HashMap<&[u8], Vec<usize>, RandomState> = HashMap::default();
        let mut by_external: HashMap<&[u8], Vec<usize>, RandomState> = HashMap::default();
        for i in start..start + count {
            let Some(run) = store.runs.get(self.row_run[i] as usize) else {
                continue;
            };
            let row = self.rows[i].row;
            let (id, external) = (run.bytes(row.id), run.bytes(row.external));
            if !id.is_empty() {
                by_id.entry(id).or_default().push(i);
            }
            if !external.is_empty() {
                let known = by_external.len() as u32 + 1;
                let same = by_external.entry(external).or_default();
                self.rows[i].external = same.first().map_or(known, |f| self.rows[*f].external);
                same.push(i);
            }
        }
        let same_money = |a: &Effect, b: &Effect| {
            (a.unit == b.unit || a.unit == Unit::NONE || b.unit == Unit::NONE) && a.amount() == b.amount()
        };
        // Rows of one source and one state are different effects, whatever their references say.
        let kind_of = |row: &Row<'_>| (logical(row.row.at.source()), row.row.status);
        let first = kind_of(&self.rows[start]);
        let alike = self.rows[start..].iter().all(|row| kind_of(row) == first);
        for i in start..start + count {
            let Some(run) = store.runs.get(self.row_run[i] as usize) else {
                continue;
            };
            let row = self.rows[i].row;
            let (id, external) = (run.bytes(row.id), run.bytes(row.external));
            // A copy names the effect by its reference, the source itself by its id.
            let ids = by_id.get(id).into_iter().chain(by_id.get(external)).flatten();
            let references = by_external.get(external).into_iter().chain(by_external.get(id)).flatten();
            let one_effect = |j: &usize| {
                let b = self.rows[*j].row;
                let one_source = logical(row.at.source()) == logical(b.at.source());
                let on_its_way = row.status == Status::OnItsWay || b.status == Status::OnItsWay;
                let reversal = row.is(effect_flag::REVERSAL) != b.is(effect_flag::REVERSAL);
                !reversal && same_money(row, b) && (!one_source || (on_its_way && row.status != b.status))
            };
            if alike {
                continue;
            }
            let other = ids.chain(references).copied().filter(|j| *j != i).find(one_effect);
            if let Some(j) = other {
                let ident = self.rows[i].ident.min(self.rows[j].ident);
                self.rows[i].ident = ident;
                self.rows[j].ident = ident;
            }
        }
        for i in start..start + count {
            let Some(run) = store.runs.get(self.row_run[i] as usize) else {
                continue;
            };
            let row = self.rows[i].row;
            if !row.is(effect_flag::REVERSAL) {
                continue;
            }
            // In its own source; the effect may stand in another file of it.
            let own = logical(row.at.source());
            let named = by_id.get(run.bytes(row.reverses)).and_then(|rows| {
                let others = || rows.iter().copied().filter(|j| *j != i);
                let in_own = |j: &usize| logical(self.rows[*j].row.at.source()) == own;
                others().find(in_own).or_else(|| others().next())
            });
            self.rows[i].reverses = named.map(|j| (j - start) as u32);
        }
    }

    pub(super) fn tie_receipts(&mut self, store: &Store<'s>) {
        for op in 0..self.ops.len() {
            let tries = self.try_at[op] as usize..self.try_at[op + 1] as usize;
            let rows = self.row_at[op] as usize..self.row_at[op + 1] as usize;
            // Few rows are searched for each call, many are looked up.
            let index = (tries.len() * rows.len() > 256).then(|| RowIndex::new(self, store, rows.clone()));
            for t in tries {
                let row = self.tries[t].row;
                if row.receipt.is_some()
                    && let Some(run) = store.runs.get(self.try_run[t] as usize)
                {
                    let receipt = run.bytes(row.receipt);
                    let found = match &index {
                        Some(index) => index.by_id.get(receipt).copied(),
                        None => rows.clone().find(|i| self.row_ids(store, *i).contains(&receipt)),
                    };
                    self.tries[t].receipt = match found.filter(|_| !receipt.is_empty()) {
                        Some(i) => {
                            if row.outcome.class(false).told_yes() || row.is(attempt_flag::UNSEEN) {
                                self.rows[i].links |= link::RECEIPT;
                            }
                            Receipt::Row((i - rows.start) as u32)
                        }
                        None if row.is(attempt_flag::RECEIPT_NAMED) => Receipt::NotFound,
                        None => Receipt::None,
                    };
                }
                // J2 is shown beside J1 where the key agrees too.
                if !row.key.is_some() && !row.is(attempt_flag::KEY_IS_NAME) {
                    continue;
                }
                let key = key_of(store.runs, self.try_run[t], row);
                if key.is_empty() {
                    continue;
                }
                match &index {
                    Some(index) => {
                        // The first call of a key says so for all its rows.
                        let mine = index.by_key.get(key).map_or(&[][..], Vec::as_slice);
                        if mine.first().is_some_and(|i| self.rows[*i].links & link::KEY == 0) {
                            for i in mine {
                                self.rows[*i].links |= link::KEY;
                            }
                        }
                    }
                    None => {
                        for i in rows.clone() {
                            if self.row_key(store, i) == key {
                                self.rows[i].links |= link::KEY;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Effect id and external reference of a row.
    fn row_ids(&self, store: &Store<'s>, i: usize) -> [&'s [u8]; 2] {
        let row = self.rows[i].row;
        let run = store.runs.get(self.row_run[i] as usize);
        run.map_or([&[][..]; 2], |run| [run.bytes(row.id), run.bytes(row.external)])
    }

    /// Key of a row; empty for none.
    fn row_key(&self, store: &Store<'s>, i: usize) -> &'s [u8] {
        let row = self.rows[i].row;
        match store.runs.get(self.row_run[i] as usize) {
            Some(run) if row.is(effect_flag::KEY_IS_NAME) => run.name_bytes(row.name),
            Some(run) => run.bytes(row.key),
            None => &[],
        }
    }
}
