//! The desk: the rows of one partition laid out per intent, so that the judge sees short slices (`engine.md` 6).

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;

use crate::judge::facts::{Facts, Read, Receipt, Row, Ties, Try, link};
use crate::model::money::Money;
use crate::model::row::{
    At, Attempt, Effect, Name, Record, Shared, SourceNo, StateChange, Status, attempt_flag, effect_flag,
    record_flag,
};
use crate::model::units::Unit;

use super::group::{Groups, Op};
use super::repeats::Place;
use super::resolve::NameKind;
use super::run::Run;

/// Rows tied to an intent otherwise than by their operation id, and rows that count for nobody.
#[derive(Debug, Default)]
pub struct Links {
    /// By intent: the row, and the rules that agree.
    pub extra: BTreeMap<Op, Vec<(Place, u16)>>,
    /// Rows that their operation id names, but two intents claim: they count for nobody.
    pub contested: std::collections::HashSet<Place, RandomState>,
    /// What was found out beyond an intent's own rows.
    pub ties: BTreeMap<Op, Ties>,
    /// The case has one intent: rows of a source that holds one run only are its own (J0).
    pub one_intent: bool,
}

/// Everything that facts are made of.
#[derive(Clone, Copy)]
pub struct Store<'a> {
    /// The runs.
    pub runs: &'a [Run],
    /// Their names grouped.
    pub groups: &'a Groups,
    /// What ties rows otherwise.
    pub links: &'a Links,
    /// One source of several files: logical number by source number.
    pub logical: &'a [u16],
    /// Sources that are read through the write path, by id.
    pub write_paths: &'a [String],
    /// Some answer names a receipt.
    pub receipts: bool,
    /// Some ledger row carries a key.
    pub keys: bool,
    /// A loaded intent log is complete.
    pub intents_complete: bool,
    /// Kinds by name, where some ledger does not hold all of them (C9), and the tools' names.
    pub kinds: Option<(&'a HashMap<String, Shared, RandomState>, &'a super::tables::Names)>,
    /// Print of the canonical payload of a record, read again; `None` where it has no canonical form.
    pub canonical: &'a (dyn Fn(At) -> Option<u64> + Sync),
    /// Reads accepted totals.
    pub accepts: &'a (dyn Fn(&str) -> Vec<Money> + Sync),
}

/// The rows of some intents of one partition side by side.
#[derive(Default)]
pub struct Desk<'s> {
    ops: Vec<Op>,
    tries: Vec<Try<'s>>,
    try_at: Vec<u32>,
    /// Where the texts of a try stand.
    try_run: Vec<u32>,
    rows: Vec<Row<'s>>,
    row_at: Vec<u32>,
    row_run: Vec<u32>,
    row_place: Vec<Place>,
    states: Vec<StateChange>,
    state_at: Vec<u32>,
    reads: Vec<Read>,
    read_at: Vec<u32>,
    read_place: Vec<(u32, u32)>,
    /// Places in `recorded` of the record and of the file's expectation; empty where no intent has any.
    records: Vec<[Option<u32>; 2]>,
    recorded: Vec<(u32, Record)>,
    /// Only of intents that have some; most have none.
    accept: HashMap<usize, Vec<Money>, RandomState>,
    ties: HashMap<usize, Ties, RandomState>,
    marks: Vec<Mark>,
}

/// What is said of every intent's ties.
#[derive(Clone, Copy, Default)]
struct Mark {
    kind: Shared,
    name: NameKind,
    assumed_group: bool,
    unrecorded: bool,
}

/// Places in [`Desk::records`].
const RECORD: usize = 0;
const FILE: usize = 1;

/// Numbers different things in the order they come, from 1. Few are searched, many looked up.
struct Numbers<T> {
    few: Vec<T>,
    many: HashMap<T, u32, RandomState>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { few: Vec::new(), many: HashMap::default() }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Numbers<T> {
    const FEW: usize = 16;

    fn number(&mut self, thing: T) -> u32 {
        if let Some(at) = self.few.iter().position(|known| *known == thing) {
            return at as u32 + 1;
        }
        if self.few.len() < Self::FEW {
            self.few.push(thing);
            return self.few.len() as u32;
        }
        let next = (Self::FEW + self.many.len()) as u32 + 1;
        *self.many.entry(thing).or_insert(next)
    }
}

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

/// Where a row stands, and to which intent of the desk it belongs.
#[derive(Clone, Copy)]
struct Ref {
    op: u32,
    place: Place,
    rules: u16,
}

/// Deals references to intents: a counting sort over one partition. The rows themselves are not moved.
fn deal(count: usize, refs: &[Ref]) -> (Vec<u32>, Vec<Ref>) {
    let mut at = vec![0u32; count + 1];
    for r in refs {
        at[r.op as usize + 1] += 1;
    }
    for i in 1..at.len() {
        at[i] += at[i - 1];
    }
    let Some(first) = refs.first() else {
        return (at, Vec::new());
    };
    let mut next = at.clone();
    let mut dealt = vec![*first; refs.len()];
    for r in refs {
        let place = &mut next[r.op as usize];
        dealt[*place as usize] = *r;
        *place += 1;
    }
    (at, dealt)
}

/// Which intents of a partition are laid out.
#[derive(Clone, Copy)]
pub enum Only<'a> {
    /// All.
    All,
    /// One.
    One(u32),
    /// These, in order.
    These(&'a [u32]),
}

impl Only<'_> {
    fn takes(self, op: u32) -> bool {
        match self {
            Only::All => true,
            Only::One(one) => one == op,
            Only::These(ops) => ops.binary_search(&op).is_ok(),
        }
    }
}

impl<'s> Desk<'s> {
    /// The intents of a partition, or some of them.
    pub fn new(store: &Store<'s>, part: usize, only: Only<'_>) -> Self {
        let Some(group) = store.groups.parts.get(part) else {
            return Self::default();
        };
        // Number of each founded operation on this desk.
        let mut number = vec![u32::MAX; group.len()];
        let mut desk = Self::default();
        for (op, founded) in (0u32..).zip(&group.founded) {
            if *founded && only.takes(op) {
                number[op as usize] = desk.ops.len() as u32;
                desk.ops.push(store.groups.number(part, op));
                let name = group.kinds.get(op as usize).copied().unwrap_or_default();
                desk.marks.push(Mark { name, ..Mark::default() });
            }
        }
        let count = desk.ops.len();
        let (mut tries, mut rows) = (Vec::new(), Vec::new());
        let (mut states, mut reads) = (Vec::new(), Vec::new());
        for (no, run) in (0u32..).zip(store.runs) {
            let of = group.of_run(no as usize);
            let first = run.names_of(part).start;
            let on_desk = |name: Name| {
                let op = of.get(name.0.wrapping_sub(first) as usize)?;
                number.get(*op as usize).copied().filter(|no| *no != u32::MAX)
            };
            let start = run.attempts.start(part) as u32;
            for (i, row) in (start..).zip(run.attempts.part(part)) {
                if !row.is(attempt_flag::DROPPED)
                    && let Some(op) = on_desk(row.name)
                {
                    tries.push(Ref { op, place: (no, i), rules: 0 });
                }
            }
            let start = run.effects.start(part) as u32;
            for (i, row) in (start..).zip(run.effects.part(part)) {
                if row.is(effect_flag::DROPPED) {
                    continue;
                }
                if let Some(op) = on_desk(row.name)
                    && (store.links.contested.is_empty() || !store.links.contested.contains(&(no, i)))
                {
                    let scope = store.links.one_intent && row.is(effect_flag::OF_RUN);
                    let rules = link::OPERATION | if scope { link::SCOPE } else { 0 };
                    rows.push(Ref { op, place: (no, i), rules });
                }
            }
            for row in run.records.part(part) {
                if let Some(op) = on_desk(row.name) {
                    desk.record(op, no, row);
                }
            }
            let start = run.states.start(part) as u32;
            for (i, row) in (start..).zip(run.states.part(part)) {
                states.extend(on_desk(row.name).map(|op| Ref { op, place: (no, i), rules: 0 }));
            }
            let start = run.reads.start(part) as u32;
            for (i, row) in (start..).zip(run.reads.part(part)) {
                reads.extend(on_desk(row.name).map(|op| Ref { op, place: (no, i), rules: 0 }));
            }
        }
        let on_this = store.groups.number(part, 0)..store.groups.number(part, group.len() as u32);
        for (op, linked) in store.links.extra.range(on_this) {
            let (_, inside) = store.groups.place(*op);
            let Some(op) = number.get(inside as usize).copied().filter(|no| *no != u32::MAX) else {
                continue;
            };
            rows.extend(linked.iter().map(|(place, rules)| Ref { op, place: *place, rules: *rules }));
        }
        desk.lay_tries(store, count, &tries);
        desk.lay_rows(store, count, &rows);
        if store.receipts || store.keys {
            desk.tie_receipts(store);
        }
        desk.lay_states(store, count, &states);
        desk.lay_reads(store, count, &reads);
        desk.lay_ties(store, part);
        desk
    }

    fn record(&mut self, op: u32, run: u32, row: &Record) {
        if self.records.is_empty() {
            self.records = vec![[None; 2]; self.ops.len()];
        }
        let which = if row.flags & record_flag::FILE != 0 { FILE } else { RECORD };
        let Some(place) = self.records.get_mut(op as usize).and_then(|places| places.get_mut(which)) else {
            return;
        };
        match place.and_then(|no| self.recorded.get_mut(no as usize)) {
            Some(known) if row.at < known.1.at => *known = (run, *row),
            Some(_) => {}
            None => {
                *place = Some(self.recorded.len() as u32);
                self.recorded.push((run, *row));
            }
        }
    }

    fn held(&self, no: usize, which: usize) -> Option<&(u32, Record)> {
        self.recorded.get((*self.records.get(no)?.get(which)?)? as usize)
    }

    fn lay_tries(&mut self, store: &Store<'s>, count: usize, tries: &[Ref]) {
        let (at, dealt) = deal(count, tries);
        self.tries.reserve(dealt.len());
        self.try_run.reserve(dealt.len());
        let mut mine: Vec<(u32, &'s Attempt)> = Vec::new();
        for op in 0..count {
            mine.clear();
            for r in &dealt[at[op] as usize..at[op + 1] as usize] {
                let row =
                    store.runs.get(r.place.0 as usize).and_then(|run| run.attempts.get(r.place.1 as usize));
                mine.extend(row.map(|row| (r.place.0, row)));
            }
            if let [(r, row)] = mine.as_slice() {
                let key = u32::from(row.key.is_some() || row.is(attempt_flag::KEY_IS_NAME));
                let payload = u32::from(row.payload != 0);
                self.tries.push(Try { row, key, payload, receipt: Receipt::None });
                self.try_run.push(*r);
            } else {
                mine.sort_unstable_by_key(|(_, row)| (row.sent, row.at));
                self.lay_try(store, &mine);
            }
        }
        self.try_at = at;
    }

    fn lay_try(&mut self, store: &Store<'s>, mine: &[(u32, &'s Attempt)]) {
        let start = self.tries.len();
        let (mut keys, mut payloads) = (Numbers::default(), Numbers::default());
        for (r, row) in mine {
            let key = key_of(store.runs, *r, row);
            let key_no = if key.is_empty() { 0 } else { keys.number(key) };
            let payload = if row.payload == 0 { 0 } else { payloads.number(row.payload) };
            self.tries.push(Try { row, key: key_no, payload, receipt: Receipt::None });
            self.try_run.push(*r);
        }
        self.canonical_payloads(store, start);
    }

    /// One key with two payloads is a finding only where the canonical forms differ too (`1-model.md` 1.6).
    fn canonical_payloads(&mut self, store: &Store<'s>, start: usize) {
        let mine = &self.tries[start..];
        // Numbers count up from 1, so each is a place.
        let mut first = vec![0u32; if mine.len() > 1 { mine.len() + 1 } else { 0 }];
        let conflict = mine.iter().filter(|t| t.key != 0 && t.payload != 0).any(|t| {
            first.get_mut(t.key as usize).is_some_and(|known| {
                *known = if *known == 0 { t.payload } else { *known };
                *known != t.payload
            })
        });
        if !conflict {
            return;
        }
        let mut forms = Numbers::default();
        for t in &mut self.tries[start..] {
            t.payload = match (t.payload, (store.canonical)(t.row.at)) {
                (0, _) | (_, None) => 0,
                (_, Some(form)) => forms.number(form),
            };
        }
    }

    fn lay_rows(&mut self, store: &Store<'s>, count: usize, rows: &[Ref]) {
        let (at, mut dealt) = deal(count, rows);
        let row_of =
            |r: &Ref| store.runs.get(r.place.0 as usize).and_then(|run| run.effects.get(r.place.1 as usize));
        self.rows.reserve(dealt.len());
        for op in 0..count {
            let mine = &mut dealt[at[op] as usize..at[op + 1] as usize];
            if mine.len() > 1 {
                mine.sort_by_cached_key(|r| row_of(r).map(|row| (row.committed, row.at)));
            }
            let start = self.rows.len();
            for r in mine.iter() {
                let Some(row) = row_of(r) else { continue };
                let no = (self.rows.len() - start) as u32;
                self.rows.push(Row { row, links: r.rules, ident: no, external: 0, reverses: None });
                self.row_run.push(r.place.0);
                self.row_place.push(r.place);
            }
            if self.rows.len() - start > 1 {
                self.identify(store, start);
            }
        }
        self.row_at = at;
    }

    /// Which rows are one effect: equal ids or references with equal unit and amount in different sources; a row on
    /// its way and an effect row with one reference (`1-model.md` 1.4.3, 1.5).
    fn identify(&mut self, store: &Store<'s>, start: usize) {
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

    fn tie_receipts(&mut self, store: &Store<'s>) {
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

    fn lay_states(&mut self, store: &Store<'s>, count: usize, states: &[Ref]) {
        let row =
            |r: &Ref| store.runs.get(r.place.0 as usize).and_then(|run| run.states.get(r.place.1 as usize));
        let (at, mut dealt) = deal(count, states);
        for op in 0..count {
            let mine = &mut dealt[at[op] as usize..at[op + 1] as usize];
            if mine.len() > 1 {
                mine.sort_by_key(|r| row(r).map(|s| (s.when, s.at)));
            }
        }
        self.states = dealt.iter().filter_map(row).copied().collect();
        self.state_at = at;
    }

    fn lay_reads(&mut self, store: &Store<'s>, count: usize, reads: &[Ref]) {
        let row =
            |r: &Ref| store.runs.get(r.place.0 as usize).and_then(|run| run.reads.get(r.place.1 as usize));
        let (at, mut dealt) = deal(count, reads);
        for op in 0..count {
            let mine = &mut dealt[at[op] as usize..at[op + 1] as usize];
            if mine.len() > 1 {
                mine.sort_by_key(|r| row(r).map(|read| (read.when, read.at)));
            }
        }
        self.reads = dealt
            .iter()
            .filter_map(|r| {
                let read = row(r)?;
                let source = store.runs.get(r.place.0 as usize)?.text(read.source);
                Some(Read {
                    when: read.when,
                    seen: read.seen,
                    independent: !store.write_paths.iter().any(|w| w == source),
                })
            })
            .collect();
        self.read_place = dealt.iter().map(|r| r.place).collect();
        self.read_at = at;
    }

    fn lay_ties(&mut self, store: &Store<'s>, part: usize) {
        let end = store.groups.parts.get(part).map_or(0, super::group::Grouped::len) as u32;
        for (op, ties) in store.links.ties.range(store.groups.number(part, 0)..store.groups.number(part, end))
        {
            if let Ok(no) = self.ops.binary_search(op) {
                self.ties.insert(no, *ties);
            }
        }
        for no in 0..self.ops.len() {
            let tries = &self.tries[self.try_at[no] as usize..self.try_at[no + 1] as usize];
            let kind = store.kinds.map_or(Shared::NONE, |(kinds, tools)| self.kind(store, no, kinds, tools));
            let held = self.held(no, FILE).or(self.held(no, RECORD)).copied();
            let mark = &mut self.marks[no];
            mark.kind = kind;
            // One call alone is no group.
            mark.assumed_group = tries.len() > 1
                && (mark.name == NameKind::Arguments
                    || tries.iter().any(|t| t.row.is(attempt_flag::ASSUMED)));
            mark.unrecorded = mark.name == NameKind::Nothing || (store.intents_complete && held.is_none());
            if let Some((r, record)) = held.filter(|(_, record)| record.accept.is_some())
                && let Some(run) = store.runs.get(r as usize)
            {
                self.accept.insert(no, (store.accepts)(run.text(record.accept)));
            }
        }
    }

    fn kind(
        &self,
        store: &Store<'_>,
        no: usize,
        kinds: &HashMap<String, Shared, RandomState>,
        tools: &super::tables::Names,
    ) -> Shared {
        let run = |r: u32| store.runs.get(r as usize);
        let recorded = [self.held(no, FILE), self.held(no, RECORD)]
            .into_iter()
            .flatten()
            .filter_map(|(r, record)| run(*r).map(|run| run.text(record.kind)))
            .find(|k| !k.is_empty())
            .unwrap_or_default();
        let first = self.ops.get(no).and_then(|op| store.groups.first(*op));
        let name = first.and_then(|(r, name)| run(r).map(|run| run.name(name))).unwrap_or_default();
        let tries = &self.tries[self.try_at[no] as usize..self.try_at[no + 1] as usize];
        let write = tries.iter().find(|t| !t.row.is(attempt_flag::READ)).or(tries.first());
        let tool = write.map_or("", |t| tools.text(t.row.tool));
        let kind = crate::model::kinds::kind_of(recorded, name, tool);
        kinds.get(kind).copied().unwrap_or(Shared::NONE)
    }

    /// How many intents lie on the desk.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// None.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// The operation of an intent on the desk.
    pub fn op(&self, no: usize) -> Option<Op> {
        self.ops.get(no).copied()
    }

    /// The facts of an intent.
    pub fn facts(&self, no: usize) -> Option<Facts<'_>> {
        fn part<'a, T>(rows: &'a [T], at: &[u32], no: usize) -> &'a [T] {
            match (at.get(no), at.get(no + 1)) {
                (Some(from), Some(to)) => rows.get(*from as usize..*to as usize).unwrap_or(&[]),
                _ => &[],
            }
        }
        let mark = self.marks.get(no)?;
        let mut ties =
            if self.ties.is_empty() { None } else { self.ties.get(&no) }.copied().unwrap_or_default();
        ties.kind = mark.kind;
        ties.assumed_group |= mark.assumed_group;
        ties.unrecorded |= mark.unrecorded;
        Some(Facts {
            record: self.held(no, RECORD).map(|(_, r)| r),
            file: self.held(no, FILE).map(|(_, r)| r),
            accept: self.accept.get(&no).map_or(&[], Vec::as_slice),
            states: part(&self.states, &self.state_at, no),
            tries: part(&self.tries, &self.try_at, no),
            rows: part(&self.rows, &self.row_at, no),
            reads: part(&self.reads, &self.read_at, no),
            ties,
        })
    }

    /// Run of each try of an intent, for its texts.
    pub fn try_runs(&self, no: usize) -> &[u32] {
        let range = Self::range(&self.try_at, no);
        self.try_run.get(range).unwrap_or(&[])
    }

    /// Place of each row of an intent.
    pub fn row_places(&self, no: usize) -> &[Place] {
        let range = Self::range(&self.row_at, no);
        self.row_place.get(range).unwrap_or(&[])
    }

    /// Place of each read-back.
    pub fn read_places(&self, no: usize) -> &[(u32, u32)] {
        let range = Self::range(&self.read_at, no);
        self.read_place.get(range).unwrap_or(&[])
    }

    /// The record and the file's expectation of an intent, with the runs that hold their texts.
    pub fn recorded(&self, no: usize) -> [Option<(u32, Record)>; 2] {
        [self.held(no, RECORD).copied(), self.held(no, FILE).copied()]
    }

    fn range(at: &[u32], no: usize) -> std::ops::Range<usize> {
        match (at.get(no), at.get(no + 1)) {
            (Some(from), Some(to)) => *from as usize..*to as usize,
            _ => 0..0,
        }
    }
}

/// The key of an attempt as bytes; empty for none.
pub(super) fn key_of<'a>(runs: &'a [Run], r: u32, row: &Attempt) -> &'a [u8] {
    let Some(run) = runs.get(r as usize) else {
        return &[];
    };
    if row.is(attempt_flag::KEY_IS_NAME) { run.name_bytes(row.name) } else { run.bytes(row.key) }
}
