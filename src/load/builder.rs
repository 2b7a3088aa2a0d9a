//! Events of one slice become rows; what a field means is decided here, once for all formats.
//!
//! Money, time, outcome, status and kind words are read by `1-model.md` 1.2 to 1.4. Each operation id is stored
//! once; every other text is stored where it first differs from what its operation id already has.

mod adopt;
mod expected;
mod fields;
mod sink;

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::model::ids::normalise;
use crate::model::money::BadAmount;
use crate::model::outcome::{Outcome, WORDS};
use crate::model::row::{
    At, Attempt, Effect, Name, ReadBack, Record, Shared, SourceNo, StateChange, Text, attempt_flag,
};
use crate::model::time::Times;
use crate::model::units::Unit;
use crate::sources::event::{AttemptEvent, Field};

use super::reading::{Reading, SourceReading};
use super::resolve::as_written;
use super::run::{LOOSE, PARTS, Rows, Run, part_of, push_text};
use super::slice::{End, Problem, Rank, Slice, Tally};
use super::tables::{Last, LastClass, LastUnit};

pub use sink::REVERSAL_WORDS;

/// Builds the rows of one slice.
pub struct Builder<'a> {
    cx: &'a Reading,
    // names
    table: HashTable<u32>,
    names: Vec<u8>,
    name_at: Vec<u32>,
    hashes: Vec<u64>,
    /// Business id and party of the first row of each name: later rows mostly repeat them.
    seen: Vec<(Text, Text)>,
    /// [`used`] bits of each name.
    used: Vec<u8>,
    more: Vec<u8>,
    // rows
    attempts: Vec<Attempt>,
    effects: Vec<Effect>,
    records: Vec<Record>,
    states: Vec<StateChange>,
    reads: Vec<ReadBack>,
    out: Slice,
    // what was asked last
    tools: Last,
    runs: Last,
    kinds: Last,
    parts: Last,
    classes: LastClass,
    units: LastUnit,
    times: Times,
    outcomes: HashMap<&'static str, Outcome, RandomState>,
    /// The word that was asked last.
    outcome: Option<(&'static str, Outcome)>,
    open: HashMap<u64, u32, RandomState>,
}

/// An amount as read.
#[derive(Clone, Copy)]
struct ReadAmount {
    digits: i64,
    scale: u8,
    unit: Unit,
    known: bool,
    minor_without_unit: bool,
    bad: Option<BadAmount>,
}

impl ReadAmount {
    /// No amount is written.
    const NONE: Self =
        Self { digits: 0, scale: 0, unit: Unit::NONE, known: false, minor_without_unit: false, bad: None };
}

impl<'a> Builder<'a> {
    /// An empty builder.
    pub fn new(cx: &'a Reading) -> Self {
        Self {
            cx,
            table: HashTable::new(),
            names: Vec::new(),
            name_at: Vec::new(),
            hashes: Vec::new(),
            seen: Vec::new(),
            used: Vec::new(),
            more: Vec::new(),
            attempts: Vec::new(),
            effects: Vec::new(),
            records: Vec::new(),
            states: Vec::new(),
            reads: Vec::new(),
            out: Slice::new(cx.sources.len()),
            tools: Last::default(),
            runs: Last::default(),
            kinds: Last::default(),
            parts: Last::default(),
            classes: LastClass::default(),
            units: LastUnit::default(),
            times: Times::default(),
            outcomes: WORDS.iter().copied().collect(),
            outcome: None,
            open: HashMap::default(),
        }
    }

    /// How many rows are held.
    pub fn len(&self) -> usize {
        self.attempts.len() + self.effects.len() + self.records.len() + self.states.len() + self.reads.len()
    }

    /// Nothing is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Seals the rows into a slice: names and rows sorted by partition. The builder is empty then and goes on with
    /// its buffers, so that they are made once per worker.
    pub fn seal(&mut self) -> Slice {
        let mut order = vec![0u32; self.hashes.len()];
        let mut starts = vec![0u32; PARTS + 1];
        for hash in &self.hashes {
            starts[part_of(*hash) + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut at = vec![0u32; self.hashes.len()];
        for (no, hash) in self.hashes.iter().enumerate() {
            let place = &mut next[part_of(*hash)];
            order[no] = *place;
            at[*place as usize] = no as u32;
            *place += 1;
        }
        self.name_at.push(self.names.len() as u32);
        let mut names = Vec::with_capacity(self.names.len());
        let mut name_at = Vec::with_capacity(at.len() + 1);
        let mut name_hash = Vec::with_capacity(at.len());
        let mut name_used = Vec::with_capacity(at.len());
        for no in at {
            let no = no as usize;
            name_at.push(names.len() as u32);
            name_hash.push(self.hashes[no]);
            name_used.push(self.used[no]);
            let (from, to) = (self.name_at[no] as usize, self.name_at[no + 1] as usize);
            names.extend_from_slice(&self.names[from..to]);
        }
        name_at.push(names.len() as u32);

        let hashes = &self.hashes;
        let part = |name: Name| hashes.get(name.0 as usize).map_or(LOOSE, |h| part_of(*h));
        let renumber = |name: &mut Name| {
            if let Some(no) = order.get(name.0 as usize) {
                name.0 = *no;
            }
        };
        // A row's partition is that of its name before it is renumbered.
        let attempts = Rows::sort(&self.attempts, |r| part(r.name), |r| renumber(&mut r.name));
        let effects = Rows::sort(&self.effects, |r| part(r.name), |r| renumber(&mut r.name));
        let records = Rows::sort(&self.records, |r| part(r.name), |r| renumber(&mut r.name));
        let states = Rows::sort(&self.states, |r| part(r.name), |r| renumber(&mut r.name));
        let reads = Rows::sort(&self.reads, |r| part(r.name), |r| renumber(&mut r.name));
        let mut slice = std::mem::replace(&mut self.out, Slice::new(self.cx.sources.len()));
        slice.run = Run {
            names,
            name_at,
            name_hash,
            name_used,
            name_part: starts,
            more: self.more.as_slice().to_vec(),
            attempts,
            effects,
            records,
            states,
            reads,
        };
        self.clear();
        slice
    }

    /// Forgets all rows and names; what was asked of the shared tables stays.
    fn clear(&mut self) {
        self.table.clear();
        self.names.clear();
        self.name_at.clear();
        self.hashes.clear();
        self.seen.clear();
        self.used.clear();
        self.more.clear();
        self.attempts.clear();
        self.effects.clear();
        self.records.clear();
        self.states.clear();
        self.reads.clear();
        self.open.clear();
    }

    fn source(&self, no: SourceNo) -> &'a SourceReading {
        self.cx.source(no)
    }

    fn tally(&mut self, no: SourceNo) -> &mut Tally {
        self.out.tally(no)
    }

    /// The number of an operation id, after the declared steps. `rank` and place say which of several forms of it is
    /// shown.
    pub(super) fn name(&mut self, text: &str, source: &SourceReading, form: (Rank, At)) -> Name {
        if source.normalise.is_empty() {
            return self.exact_name(&as_written(text));
        }
        let same = normalise(text, &source.normalise);
        let name = self.exact_name(&as_written(&same));
        let known = self.out.shown_as.entry(same.into_owned()).or_insert_with(|| (form, text.to_owned()));
        if form < known.0 {
            *known = (form, text.to_owned());
        }
        name
    }

    /// The stored form of a name is just this text.
    fn is_name(&self, name: Name, text: &str) -> bool {
        name.is_some() && name_bytes(&self.names, &self.name_at, name.0) == text.as_bytes()
    }

    fn exact_name(&mut self, text: &str) -> Name {
        let hash = self.cx.hash(text.as_bytes());
        let (names, name_at) = (&self.names, &self.name_at);
        let bytes = |no: u32| name_bytes(names, name_at, no);
        if let Some(no) = self.table.find(hash, |no| bytes(*no) == text.as_bytes()) {
            return Name(*no);
        }
        let no = self.hashes.len() as u32;
        self.name_at.push(self.names.len() as u32);
        self.names.extend_from_slice(text.as_bytes());
        self.names.push(b'\n');
        self.hashes.push(hash);
        self.seen.push((Text::NONE, Text::NONE));
        self.used.push(0);
        let hashes = &self.hashes;
        self.table.insert_unique(hash, no, |no| hashes[*no as usize]);
        Name(no)
    }

    fn mark(&mut self, name: Name, bit: u8) {
        if let Some(used) = self.used.get_mut(name.0 as usize) {
            *used |= bit;
        }
    }

    fn keep(&mut self, text: &str) -> Text {
        if text.is_empty() { Text::NONE } else { push_text(&mut self.more, text) }
    }

    fn keep_field(&mut self, field: &Field<'_>) -> Text {
        field.as_deref().map_or(Text::NONE, |text| self.keep(text))
    }

    /// Keeps a business id and a party, reusing what the first row of the same name has.
    fn keep_who(&mut self, name: Name, business: Option<&str>, party: Option<&str>) -> (Text, Text) {
        let (first_business, first_party) =
            self.seen.get(name.0 as usize).copied().unwrap_or((Text::NONE, Text::NONE));
        let business = self.keep_like(business, first_business);
        let party = self.keep_like(party, first_party);
        if let Some(seen) = self.seen.get_mut(name.0 as usize) {
            if !seen.0.is_some() {
                seen.0 = business;
            }
            if !seen.1.is_some() {
                seen.1 = party;
            }
        }
        (business, party)
    }

    fn keep_like(&mut self, text: Option<&str>, first: Text) -> Text {
        let Some(text) = text.filter(|t| !t.is_empty()) else {
            return Text::NONE;
        };
        if first.is_some() && super::run::read_text(&self.more, first) == text.as_bytes() {
            return first;
        }
        push_text(&mut self.more, text)
    }

    fn print(&self, bytes: &[u8]) -> u64 {
        self.cx.hash(bytes).max(1)
    }

    fn attempt_row(&mut self, at: At, event: &AttemptEvent<'_>, tool: Shared, outcome: Outcome) -> Attempt {
        let source = self.source(at.source());
        let sent = self.time(&event.sent, source.zone, at.source());
        let ended = self.time(&event.ended, source.zone, at.source());
        let amount = self.amount(event.amount.as_ref(), event.currency.as_deref(), source);
        let mut flags = 0;
        if amount.known {
            flags |= attempt_flag::AMOUNT;
        }
        if amount.bad.is_some() {
            flags |= attempt_flag::AMOUNT_BAD;
        }
        if amount.minor_without_unit {
            flags |= attempt_flag::MINOR;
        }
        if event.receipt_named {
            flags |= attempt_flag::RECEIPT_NAMED;
        }
        if event.read == Some(true) {
            flags |= attempt_flag::READ;
        }
        if event.cut {
            flags |= attempt_flag::CUT;
        }
        if event.unseen {
            flags |= attempt_flag::UNSEEN;
        }
        let tables = &self.cx.tables;
        let run = match event.run_id.as_deref() {
            Some(id) => self.runs.get(id, |id| tables.with(|t| t.run(id))),
            None => Shared::NONE,
        };
        if run.is_some() && (event.agent.is_some() || event.model.is_some()) {
            self.out.learn_run(run, event.agent.as_deref(), event.model.as_deref());
        }
        let part = event
            .part
            .as_deref()
            .map_or(Shared::NONE, |part| self.parts.get(part, |p| tables.with(|t| t.parts.intern(p))));
        let decision = event.decision_id.as_deref().or(event.turn.as_deref());
        Attempt {
            sent: sent.at,
            ended: ended.at,
            amount: amount.digits,
            payload: event.payload.map_or(0, |p| self.print(p)),
            id: event.attempt_id.as_deref().map_or(0, |id| self.print(id.as_bytes())),
            at,
            name: Name::NONE,
            key: Text::NONE,
            business: Text::NONE,
            party: Text::NONE,
            receipt: Text::NONE,
            decision: decision.map_or(0, |d| (self.print(d.as_bytes()) >> 32) as u32 | 1),
            end_after: event
                .answered
                .map_or(0, |end| u32::try_from(end.saturating_sub(at.place())).unwrap_or(0)),
            run,
            tool,
            part,
            unit: amount.unit,
            scale: amount.scale,
            sent_res: sent.res,
            ended_res: ended.res,
            outcome,
            flags,
        }
    }

    fn tool_of(&mut self, event: &AttemptEvent<'_>) -> Shared {
        let tables = &self.cx.tables;
        let Some(tool) = event.tool.as_deref() else {
            return Shared::NONE;
        };
        let no = self.tools.get(tool, |t| tables.with(|tables| tables.tools.intern(t)));
        if event.read.is_some() {
            self.out.learn_role(no, event.read);
        }
        no
    }

    fn end(&mut self, at: At, event: &AttemptEvent<'_>) {
        let tool = self.tool_of(event);
        let outcome = self.outcome(tool, event, at);
        let source = self.source(at.source());
        let ended = self.time(&event.ended, source.zone, at.source());
        self.tally(at.source()).end(ended);
        let id = event.attempt_id.as_deref().unwrap_or_default();
        self.out.receipts |= event.receipt.is_some();
        let end = End {
            id: id.to_owned(),
            at,
            ended,
            outcome,
            receipt: event.receipt.as_deref().unwrap_or_default().to_owned(),
            receipt_named: event.receipt_named,
            operation_id: event.operation_id.as_deref().unwrap_or_default().to_owned(),
            tool,
        };
        let print = self.print(id.as_bytes());
        match self.open.get(&print).and_then(|no| self.out.starts.get(*no as usize)) {
            Some(start) if super::run::read_text(&self.more, start.id) == id.as_bytes() => {
                let (place, loose) = (start.row, start.loose);
                let receipt = self.keep(&end.receipt);
                let row = if loose {
                    self.out.loose.get_mut(place as usize).map(|l| &mut l.row)
                } else {
                    self.attempts.get_mut(place as usize)
                };
                if row.is_some_and(|row| end.apply(row, receipt)) {
                    self.tally(at.source()).not_used();
                    self.out.problems.push(Problem { at, event: end.conflict() });
                }
            }
            _ => self.out.ends.push(end),
        }
    }
}

fn name_bytes<'b>(names: &'b [u8], name_at: &[u32], no: u32) -> &'b [u8] {
    let from = name_at.get(no as usize).map_or(0, |at| *at as usize);
    let to = name_at.get(no as usize + 1).map_or(names.len(), |at| *at as usize);
    names.get(from..to.saturating_sub(1)).unwrap_or(&[])
}

/// Hashes with the seed of the case.
pub(super) fn hash_with(state: &RandomState, bytes: &[u8]) -> u64 {
    let mut hasher = state.build_hasher();
    hasher.write(bytes);
    hasher.finish()
}
