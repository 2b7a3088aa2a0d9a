//! The desk: the rows of one partition laid out per intent, so that the judge sees short slices (`engine.md` 6).

mod numbers;
mod same;

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;

use crate::judge::facts::{Facts, Read, Receipt, Row, Ties, Try, link};
use crate::model::money::Money;
use crate::model::row::{
    At, Attempt, Name, Record, Shared, SourceNo, StateChange, attempt_flag, effect_flag, record_flag,
};

use super::group::{Groups, Op};
use super::repeats::Place;
use super::resolve::NameKind;
use super::run::Run;
use numbers::Numbers;

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
    /// The book, where there is one: its last change of a state is the state.
    pub book: Option<SourceNo>,
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
    /// Intents whose state the book says, and whether a later change of somebody else disagrees.
    booked: HashMap<usize, bool, RandomState>,
    marks: Vec<Mark>,
}

/// The key of a call, told apart from those of other calls of one operation: the rows of an operation share its id,
/// so a key that is the id needs no look at its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key<'s> {
    OperationId,
    Text(&'s [u8]),
}

impl<'s> Key<'s> {
    fn of(runs: &'s [Run], r: u32, row: &Attempt) -> Self {
        if row.is(attempt_flag::KEY_IS_NAME) { Key::OperationId } else { Key::Text(key_of(runs, r, row)) }
    }
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
        let mut numbers = (Numbers::default(), Numbers::default());
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
                self.lay_try(store, &mine, &mut numbers);
            }
        }
        self.try_at = at;
    }

    fn lay_try(
        &mut self,
        store: &Store<'s>,
        mine: &[(u32, &'s Attempt)],
        (keys, payloads): &mut (Numbers<Key<'s>>, Numbers<u64>),
    ) {
        let start = self.tries.len();
        keys.clear();
        payloads.clear();
        for (r, row) in mine {
            let key_no = match Key::of(store.runs, *r, row) {
                Key::Text([]) => 0,
                key => keys.number(key),
            };
            let payload = if row.payload == 0 { 0 } else { payloads.number(row.payload) };
            self.tries.push(Try { row, key: key_no, payload, receipt: Receipt::None });
            self.try_run.push(*r);
        }
        self.canonical_payloads(store, start);
    }

    /// One key with two payloads is a finding only where the canonical forms differ too (`1-model.md` 1.6).
    fn canonical_payloads(&mut self, store: &Store<'s>, start: usize) {
        let mine = &self.tries[start..];
        // Where all payloads are one, no key has two of them.
        let one = mine.iter().all(|t| t.payload <= 1);
        if one || !two_payloads(mine) {
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

    fn lay_states(&mut self, store: &Store<'s>, count: usize, states: &[Ref]) {
        let row =
            |r: &Ref| store.runs.get(r.place.0 as usize).and_then(|run| run.states.get(r.place.1 as usize));
        let (at, mut dealt) = deal(count, states);
        for op in 0..count {
            let mine = &mut dealt[at[op] as usize..at[op + 1] as usize];
            let of_book = |s: &StateChange| store.book.is_some_and(|book| s.at.source() == book);
            if mine.len() > 1 {
                mine.sort_by_key(|r| row(r).map(|s| (of_book(s), s.when, s.at)));
            }
            let Some(last) = mine.last().and_then(row).filter(|s| of_book(s)) else { continue };
            let later = |s: &StateChange| !of_book(s) && s.when > last.when;
            let newest = mine.iter().filter_map(row).rfind(|s| later(s));
            self.booked.insert(op, newest.is_some_and(|s| s.to != last.to));
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

    /// What the name of an intent is.
    pub fn name_kind(&self, no: usize) -> NameKind {
        self.marks.get(no).map(|mark| mark.name).unwrap_or_default()
    }

    /// Calls and rows of an intent of which nothing else is known: then they are all of its [`Desk::facts`].
    pub fn bare(&self, no: usize) -> Option<(&[Try<'s>], &[Row<'s>])> {
        // What a mark adds to the ties; its kind matters only where a row is missing.
        let Mark { kind: _, name: _, assumed_group, unrecorded } = *self.marks.get(no)?;
        let more = assumed_group
            || unrecorded
            || (!self.records.is_empty() && self.records.get(no).is_none_or(|held| *held != [None; 2]))
            || (!self.ties.is_empty() && self.ties.contains_key(&no))
            || (!self.accept.is_empty() && self.accept.contains_key(&no))
            || (!self.states.is_empty() && !Self::range(&self.state_at, no).is_empty())
            || (!self.reads.is_empty() && !Self::range(&self.read_at, no).is_empty());
        let tries = self.tries.get(Self::range(&self.try_at, no))?;
        let rows = self.rows.get(Self::range(&self.row_at, no))?;
        (!more).then_some((tries, rows))
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
        if let Some(disagrees) = self.booked.get(&no) {
            ties.booked = true;
            ties.disputed |= disagrees;
        }
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

/// One key was sent with two payloads.
fn two_payloads(mine: &[Try<'_>]) -> bool {
    // Numbers count up from 1, so each is a place.
    let mut first = vec![0u32; mine.len() + 1];
    mine.iter().filter(|t| t.key != 0 && t.payload != 0).any(|t| {
        first.get_mut(t.key as usize).is_some_and(|known| {
            *known = if *known == 0 { t.payload } else { *known };
            *known != t.payload
        })
    })
}

/// The key of an attempt as bytes; empty for none.
pub(super) fn key_of<'a>(runs: &'a [Run], r: u32, row: &Attempt) -> &'a [u8] {
    let Some(run) = runs.get(r as usize) else {
        return &[];
    };
    if row.is(attempt_flag::KEY_IS_NAME) { run.name_bytes(row.name) } else { run.bytes(row.key) }
}
