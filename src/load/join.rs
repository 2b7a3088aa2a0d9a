//! Rows that no operation id ties to an intent (`1-model.md` 1.5): scope, keys, receipts, learnt ids, declared joins.
//!
//! Only what is loose comes here: rows whose operation id founds no intent, and receipts that name no row of their
//! own intent. With neither there is nothing to do.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use foldhash::fast::RandomState;

use crate::judge::facts::{Receipt, link};
use crate::model::row::{Effect, Name, attempt_flag, effect_flag};

use super::desk::{Desk, Links, Only, Store, key_of};
use super::group::{Groups, Op};
use super::repeats::Place;
use super::resolve::{NameKind, name_kind};
use super::run::{PARTS, Run, used};

/// A ledger row that its operation id ties to no intent.
#[derive(Clone, Copy, Debug)]
pub struct LooseRow {
    /// Where it stands.
    pub place: Place,
    /// The row.
    pub row: Effect,
}

/// How rows may be tied, as the case declares.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Declared join (J7) per source: by business id, and whether amount and window must fit too.
    pub declared: Vec<Option<Declared>>,
}

/// A declared join.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// The amount must be that of a call or of the expectation.
    pub amount: bool,
    /// The row must lie in the intent's window.
    pub window: bool,
}

/// All rows that their operation id ties to no intent. Only parts of a run with a name that nothing but rows use are
/// looked at.
pub fn loose_rows(runs: &[Run], groups: &Groups) -> Vec<LooseRow> {
    let mut loose = Vec::new();
    for (r, run) in (0u32..).zip(runs) {
        for part in 0..=PARTS {
            let start = run.effects.start(part) as u32;
            let rows = run.effects.part(part);
            if rows.is_empty() {
                continue;
            }
            let first = run.names_of(part).start;
            let group = groups.parts.get(part);
            let of = group.map_or(&[][..], |g| g.of_run(r as usize));
            let founded = |name: Name| {
                let op = of.get(name.0.wrapping_sub(first) as usize);
                op.zip(group).is_some_and(|(op, g)| g.founded.get(*op as usize).copied().unwrap_or(false))
            };
            let rows_only = |no: u32| run.used(Name(no)) & used::CALL == 0 && !founded(Name(no));
            if part < PARTS && !run.names_of(part).any(rows_only) {
                continue;
            }
            for (i, row) in (start..).zip(rows) {
                if !row.is(effect_flag::DROPPED) && !founded(row.name) {
                    loose.push(LooseRow { place: (r, i), row: *row });
                }
            }
        }
    }
    loose
}

/// A receipt that names no row of its own intent.
struct OpenReceipt {
    op: Op,
    receipt: Vec<u8>,
}

/// An id that a row lends to the intent which a receipt gives it: which of its ids, and the bytes.
type Id = (u8, Vec<u8>);

/// The ids of a row that it can lend: operation id, key, external reference.
fn ids(run: &Run, row: &Effect) -> [Id; 3] {
    let key = if row.is(effect_flag::KEY_IS_NAME) { run.name_bytes(row.name) } else { run.bytes(row.key) };
    [(0, run.name_bytes(row.name).to_vec()), (1, key.to_vec()), (2, run.bytes(row.external).to_vec())]
}

/// What the receipts of acknowledged calls say.
#[derive(Default)]
struct Receipts {
    /// Those that their own rows do not have, by intent and bytes.
    open: Vec<OpenReceipt>,
    /// Ids of rows that a receipt names and an operation id links already, as far as a loose row has them too.
    lent: Vec<(Id, Op)>,
}

fn receipts(store: &Store<'_>, loose: &[LooseRow], threads: usize) -> Receipts {
    if !store.receipts {
        return Receipts::default();
    }
    let mut wanted: HashSet<Id, RandomState> = HashSet::default();
    for row in loose {
        if let Some(run) = store.runs.get(row.place.0 as usize) {
            wanted.extend(ids(run, &row.row).into_iter().skip(1).filter(|(_, id)| !id.is_empty()));
        }
    }
    let parts = super::each_part(threads, |part| {
        let desk = Desk::new(store, part, Only::All);
        let mut found = Receipts::default();
        for no in 0..desk.len() {
            let (Some(facts), Some(op)) = (desk.facts(no), desk.op(no)) else {
                continue;
            };
            for (t, r) in facts.tries.iter().zip(desk.try_runs(no)) {
                // An answer that did not reach the caller names its row all the same.
                let told = t.row.outcome.class(false).told_yes() || t.row.is(attempt_flag::UNSEEN);
                let run = store.runs.get(*r as usize);
                match t.receipt {
                    Receipt::Row(i) if told && !wanted.is_empty() => {
                        let (row, place) = (facts.rows.get(i as usize), desk.row_places(no).get(i as usize));
                        let run = place.and_then(|p| store.runs.get(p.0 as usize));
                        let ids = row.zip(run).map(|(row, run)| ids(run, row.row));
                        found.lent.extend(
                            ids.into_iter().flatten().filter(|id| wanted.contains(id)).map(|id| (id, op)),
                        );
                    }
                    Receipt::None | Receipt::NotFound if told && t.row.receipt.is_some() => {
                        let receipt = |run: &Run| run.bytes(t.row.receipt).to_vec();
                        found.open.extend(run.map(|run| OpenReceipt { op, receipt: receipt(run) }));
                    }
                    _ => {}
                }
            }
        }
        found
    });
    parts.into_iter().fold(Receipts::default(), |mut all, part| {
        all.open.extend(part.open);
        all.lent.extend(part.lent);
        all
    })
}

/// Links what is loose. Returns the links, and the rows that stay loose.
pub fn join(store: &Store<'_>, loose: Vec<LooseRow>, threads: usize) -> (Links, Vec<LooseRow>) {
    let mut joiner =
        Joiner { store, named: HashMap::default(), said: HashSet::default(), links: Links::default() };
    joiner.links.one_intent = joiner.only_intent().is_some();
    let Receipts { open, lent } = receipts(store, &loose, threads);
    if loose.is_empty() && open.is_empty() {
        return (joiner.links, loose);
    }
    joiner.by_scope(&loose);
    joiner.by_key(&loose);
    joiner.by_receipt(&loose, &open);
    joiner.learnt(&loose, lent);
    joiner.contested_receipts(&open);
    joiner.finish(loose)
}

/// Rows and the intents that rules name for them.
struct Joiner<'a> {
    store: &'a Store<'a>,
    named: HashMap<Place, BTreeMap<Op, u16>, RandomState>,
    /// By which ids many intents were told already that they contest rows.
    said: HashSet<(Vec<u8>, bool), RandomState>,
    links: Links,
}

impl Joiner<'_> {
    fn name(&mut self, place: Place, op: Op, rule: u16) {
        *self.named.entry(place).or_default().entry(op).or_default() |= rule;
    }

    fn run(&self, place: Place) -> Option<&Run> {
        self.store.runs.get(place.0 as usize)
    }

    /// A row could be an intent's unless both name an operation id and these differ.
    fn could_be(&self, row: &LooseRow, op: Op) -> bool {
        !row.row.name.is_some() || self.is_unnamed(op)
    }

    /// An intent without an operation id.
    fn is_unnamed(&self, op: Op) -> bool {
        let Some((r, name)) = self.store.groups.first(op) else {
            return false;
        };
        self.store.runs.get(r as usize).is_some_and(|run| name_kind(run.name(name)).0 != NameKind::Operation)
    }

    /// The only intent of the case.
    fn only_intent(&self) -> Option<Op> {
        let mut intents = (0..self.store.groups.len()).map(Op).filter(|op| self.store.groups.is_intent(*op));
        intents.next().filter(|_| intents.next().is_none())
    }

    /// J0: the source holds one run only, and the trace has one intent.
    fn by_scope(&mut self, loose: &[LooseRow]) {
        let scoped = |row: &LooseRow| row.row.is(effect_flag::OF_RUN);
        if !loose.iter().any(scoped) {
            return;
        }
        let Some(op) = self.only_intent() else { return };
        for row in loose.iter().filter(|r| scoped(r)) {
            if self.could_be(row, op) {
                self.name(row.place, op, link::SCOPE);
            }
        }
    }

    /// J2: the row's key is that of an intent or of one of its attempts.
    fn by_key(&mut self, loose: &[LooseRow]) {
        let mut wanted: HashSet<&[u8], RandomState> = HashSet::default();
        for row in loose {
            if let Some(key) = self.key(row) {
                wanted.insert(key);
            }
        }
        if wanted.is_empty() {
            return;
        }
        let mut keys: HashMap<Vec<u8>, BTreeSet<Op>, RandomState> = HashMap::default();
        let mut learn = |key: &[u8], op: Option<Op>| {
            if let Some(op) = op.filter(|_| !key.is_empty() && wanted.contains(key)) {
                keys.entry(key.to_vec()).or_default().insert(op);
            }
        };
        let of = |r: usize, name: Name| self.store.groups.of(self.store.runs, r, name);
        for (r, run) in self.store.runs.iter().enumerate() {
            for row in run.attempts.all().iter().filter(|a| !a.is(attempt_flag::DROPPED)) {
                learn(key_of(self.store.runs, r as u32, row), of(r, row.name));
            }
            for record in run.records.all() {
                learn(run.bytes(record.key), of(r, record.name));
            }
        }
        // Those that could be a row's that has no operation id, and those that could be one's that has.
        let keys: HashMap<Vec<u8>, [Vec<Op>; 2], RandomState> = keys
            .into_iter()
            .map(|(key, ops)| {
                let all: Vec<Op> = ops.into_iter().collect();
                let unnamed = all.iter().copied().filter(|op| self.is_unnamed(*op)).collect();
                (key, [all, unnamed])
            })
            .collect();
        for row in loose {
            let Some(key) = self.key(row).map(<[u8]>::to_vec) else { continue };
            let Some([all, unnamed]) = keys.get(&key) else { continue };
            let named = row.row.name.is_some();
            self.name_all(row.place, if named { unnamed } else { all }, link::KEY, (key, named));
        }
    }

    /// The same rule names all of these. Two are enough to contest a row; each of them says so.
    fn name_all(&mut self, place: Place, ops: &[Op], rule: u16, by: (Vec<u8>, bool)) {
        const ENOUGH: usize = 2;
        for op in ops.iter().take(ENOUGH) {
            self.name(place, *op, rule);
        }
        if ops.len() > ENOUGH && self.said.insert(by) {
            for op in ops {
                self.links.ties.entry(*op).or_default().contested = true;
            }
        }
    }

    fn key(&self, row: &LooseRow) -> Option<&[u8]> {
        let run = self.store.runs.get(row.place.0 as usize)?;
        let key = if row.row.is(effect_flag::KEY_IS_NAME) {
            run.name_bytes(row.row.name)
        } else {
            run.bytes(row.row.key)
        };
        (!key.is_empty()).then_some(key)
    }

    /// J3: an acknowledged attempt names the row.
    fn by_receipt(&mut self, loose: &[LooseRow], receipts: &[OpenReceipt]) {
        let mut by_id: HashMap<&[u8], BTreeSet<Op>, RandomState> = HashMap::default();
        for open in receipts {
            by_id.entry(&open.receipt).or_default().insert(open.op);
        }
        let by_id: HashMap<&[u8], Vec<Op>, RandomState> =
            by_id.into_iter().map(|(id, ops)| (id, ops.into_iter().collect())).collect();
        if by_id.is_empty() {
            return;
        }
        let runs = self.store.runs;
        for row in loose {
            let Some(run) = runs.get(row.place.0 as usize) else { continue };
            let id = run.bytes(row.row.id);
            let external = run.bytes(row.row.external);
            let ops = by_id.get(id).filter(|_| !id.is_empty());
            let also = by_id.get(external).filter(|_| !external.is_empty());
            let found: Vec<(&[u8], &Vec<Op>)> =
                ops.map(|ops| (id, ops)).into_iter().chain(also.map(|ops| (external, ops))).collect();
            for (by, ops) in found {
                self.name_all(row.place, ops, link::RECEIPT, (by.to_vec(), true));
            }
        }
    }

    /// J3b: a row that an answer named lends its operation id, key and reference, if no other intent has them.
    fn learnt(&mut self, loose: &[LooseRow], lent_by_linked: Vec<(Id, Op)>) {
        let mut lent: HashMap<Id, Option<Op>, RandomState> = HashMap::default();
        let mut lend = |id: Id, op: Op| {
            let known = lent.entry(id).or_insert(Some(op));
            if *known != Some(op) {
                *known = None;
            }
        };
        let sole = |ops: &BTreeMap<Op, u16>| match ops.first_key_value() {
            Some((op, rules)) if ops.len() == 1 && rules & link::RECEIPT != 0 => Some(*op),
            _ => None,
        };
        for row in loose {
            let Some(op) = self.named.get(&row.place).and_then(sole) else {
                continue;
            };
            let Some(run) = self.run(row.place) else { continue };
            ids(run, &row.row).into_iter().filter(|(_, id)| !id.is_empty()).for_each(|id| lend(id, op));
        }
        for (id, op) in lent_by_linked {
            lend(id, op);
        }
        if lent.is_empty() {
            return;
        }
        for row in loose {
            if self.named.contains_key(&row.place) {
                continue;
            }
            let Some(run) = self.run(row.place) else { continue };
            let found = ids(run, &row.row).into_iter().find_map(|id| lent.get(&id).copied().flatten());
            if let Some(op) = found {
                self.name(row.place, op, link::LEARNT);
            }
        }
    }

    /// A row that its operation id gives to one intent and a receipt to another is contested.
    fn contested_receipts(&mut self, receipts: &[OpenReceipt]) {
        if receipts.is_empty() {
            return;
        }
        let mut wanted: HashMap<&[u8], Vec<Op>, RandomState> = HashMap::default();
        for open in receipts {
            wanted.entry(open.receipt.as_slice()).or_default().push(open.op);
        }
        for (r, run) in (0u32..).zip(self.store.runs) {
            for (i, row) in (0u32..).zip(run.effects.all()) {
                if row.is(effect_flag::DROPPED) || !row.id.is_some() {
                    continue;
                }
                let Some(claims) = wanted.get(run.bytes(row.id)) else {
                    continue;
                };
                let owner = self.store.groups.of(self.store.runs, r as usize, row.name);
                let Some(owner) = owner.filter(|o| self.store.groups.is_intent(*o)) else {
                    continue;
                };
                for claims in claims.iter().filter(|c| **c != owner) {
                    self.links.contested.insert((r, i));
                    for op in [owner, *claims] {
                        self.links.ties.entry(op).or_default().contested = true;
                    }
                }
            }
        }
    }

    /// One intent named: linked. Two: contested, and the row counts for nobody.
    fn finish(mut self, loose: Vec<LooseRow>) -> (Links, Vec<LooseRow>) {
        let mut stay = Vec::new();
        for row in loose {
            match self.named.get(&row.place) {
                None => stay.push(row),
                Some(ops) if ops.len() < 2 => {
                    for (op, rules) in ops {
                        self.links.extra.entry(*op).or_default().push((row.place, *rules));
                    }
                }
                Some(many) => {
                    for op in many.keys() {
                        self.links.ties.entry(*op).or_default().contested = true;
                    }
                    self.links.contested.insert(row.place);
                }
            }
        }
        (self.links, stay)
    }
}
