//! Events of one slice become rows; what a field means is decided here, once for all formats.
//!
//! Money, time, outcome, status and kind words are read by `1-model.md` 1.2 to 1.4. Each operation id is stored
//! once; every other text is stored where it first differs from what its operation id already has.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::model::ids::normalise;
use crate::model::money::{Amount, BadAmount, parse_decimal, parse_minor, parse_real, to_exponent};
use crate::model::outcome::{Outcome, WORDS};
use crate::model::row::{
    At, Attempt, Effect, Name, ReadBack, Record, Relation, Seen, Shared, SourceNo, State, StateChange,
    Status, Text, attempt_flag, effect_flag, record_flag,
};
use crate::model::time::{Instant, Micros, Times, Zone};
use crate::model::units::Unit;
use crate::sources::event::{
    AmountField, AttemptEvent, EffectEvent, Field, Half, ProblemEvent, ReadBackEvent, RecordEvent, RunEvent,
    Sink, StateEvent, code,
};

use super::reading::{Reading, SourceReading};
use super::resolve::as_written;
use super::run::{LOOSE, PARTS, Rows, Run, part_of, push_text, used};
use super::slice::{BadRow, End, Loose, Noise, Problem, Rank, Slice, Start, Tally};
use super::tables::{Last, LastClass, LastUnit};

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

    fn amount(
        &mut self,
        field: Option<&AmountField<'_>>,
        currency: Option<&str>,
        source: &SourceReading,
    ) -> ReadAmount {
        let text = currency.filter(|c| !c.is_empty()).unwrap_or(&source.currency);
        let (unit, exponent) = self.units.get(text, &self.cx.tables);
        let own = source.exponent_override.iter().find(|(u, _)| *u == unit).map(|(_, e)| *e);
        let mut read =
            ReadAmount { digits: 0, scale: 0, unit, known: false, minor_without_unit: false, bad: None };
        let Some(field) = field else { return read };
        let major = |amount: Amount| match exponent {
            Some(exponent) => to_exponent(amount, exponent),
            None => Ok(amount),
        };
        let result = match field {
            AmountField::Major(text) => parse_decimal(text).and_then(major),
            AmountField::Real(text) => parse_real(text).and_then(major),
            AmountField::Minor(text) => parse_minor(text).and_then(|digits| match (own, exponent) {
                (Some(own), Some(exponent)) => to_exponent(Amount { digits, scale: own }, exponent),
                (_, Some(exponent)) => Ok(Amount { digits, scale: exponent }),
                // The smallest unit of what ISO 4217 does not list is the unit itself.
                _ => {
                    read.minor_without_unit = unit == Unit::NONE;
                    Ok(Amount { digits, scale: 0 })
                }
            }),
        };
        match result {
            Ok(amount) => {
                read.digits = amount.digits;
                read.scale = amount.scale;
                read.known = true;
            }
            Err(bad) => read.bad = Some(bad),
        }
        read
    }

    fn outcome(&mut self, tool: Shared, event: &AttemptEvent<'_>, at: At) -> Outcome {
        if event.is_error == Some(true) {
            // `1-model.md` 4.9: an error answer without a listed word cannot tell.
            return self.listed(tool, event.error.as_deref()).unwrap_or(Outcome::ServerError);
        }
        let base = match (event.outcome.as_deref(), event.http) {
            (Some(word), _) => {
                let listed =
                    self.listed(tool, event.error.as_deref()).or_else(|| self.listed(tool, Some(word)));
                let known = listed.or_else(|| self.outcomes.get(word).copied());
                known.or_else(|| Outcome::from_word(word)).or_else(|| http_word(word)).unwrap_or_else(|| {
                    self.tally(at.source()).unknown_outcome_words += 1;
                    Outcome::OtherWord
                })
            }
            (None, Some(status)) => {
                let listed = self.listed(tool, event.error.as_deref());
                let code = status.to_string();
                listed
                    .or_else(|| self.listed(tool, Some(&code)))
                    .unwrap_or_else(|| Outcome::from_http(status))
            }
            (None, None) if event.is_error == Some(false) => Outcome::Success,
            (None, None) => Outcome::Missing,
        };
        match base {
            Outcome::Success if event.reused => Outcome::Reused,
            // An answer replayed from a store says nothing new unless it is a success.
            Outcome::Rejected if event.replayed => Outcome::Failed,
            other => other,
        }
    }

    /// A tool's own lists come before the words of generic traces (`4-sources.md` 4.10).
    fn listed(&self, tool: Shared, word: Option<&str>) -> Option<Outcome> {
        let word = word?;
        self.cx.tool_words.iter().find(|w| w.tool == tool && w.word == word).map(|w| w.outcome)
    }

    fn time(&mut self, field: &Field<'_>, zone: Zone, source: SourceNo) -> Instant {
        let Some(text) = field.as_deref().filter(|t| !t.is_empty()) else {
            return Instant::NONE;
        };
        let time = self.times.read(text, zone);
        if time.at == Micros::NONE {
            self.tally(source).unreadable_times += 1;
        }
        time
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

/// Traces that write the HTTP status where others write a word.
fn http_word(word: &str) -> Option<Outcome> {
    let status: u16 = word.parse().ok()?;
    (100..600).contains(&status).then(|| Outcome::from_http(status))
}

impl Sink for Builder<'_> {
    fn run(&mut self, at: At, event: &RunEvent<'_>) {
        self.tally(at.source()).used += 1;
        if let Some(id) = event.run_id.as_deref() {
            let tables = &self.cx.tables;
            let run = self.runs.get(id, |id| tables.with(|t| t.run(id)));
            self.out.learn_run(run, event.agent.as_deref(), event.model.as_deref());
            let scenario = event.scenario.as_deref().unwrap_or_default().to_owned();
            self.out.scenarios.push((run, scenario, at));
        }
    }

    fn attempt(&mut self, at: At, event: &AttemptEvent<'_>) {
        self.tally(at.source()).used += 1;
        if event.half == Half::End {
            return self.end(at, event);
        }
        let source = self.source(at.source());
        let tool = self.tool_of(event);
        let outcome = self.outcome(tool, event, at);
        let mut row = self.attempt_row(at, event, tool, outcome);
        let window =
            (Instant { at: row.sent, res: row.sent_res }, Instant { at: row.ended, res: row.ended_res });
        self.tally(at.source()).attempt(window.0, window.1);

        let key = event.key.as_deref().filter(|k| !k.is_empty());
        let receipt = event.receipt.as_deref().filter(|r| !r.is_empty());
        let id = event.operation_id.as_deref().filter(|id| !id.is_empty());
        let by_intent =
            event.intent_id.as_deref().filter(|id| !id.is_empty() && event.operation_id.is_none());
        row.receipt = receipt.map_or(Text::NONE, |r| self.keep(r));
        self.out.receipts |= row.receipt.is_some();
        self.out.by_intent_id |= by_intent.is_some();
        if row.id != 0 {
            self.out.attempt_ids.push(row.id);
        }
        let tally = self.tally(at.source());
        tally.call(tool);
        tally.declared_reads += u64::from(row.is(attempt_flag::READ));
        if row.is(attempt_flag::AMOUNT) {
            tally.unit(row.unit);
        }
        if row.part.is_some() && !tally.parts.contains(&row.part) {
            tally.parts.push(row.part);
        }
        let Some(id) = id.or(by_intent) else {
            let (business, party) =
                self.keep_who(Name::NONE, event.business_id.as_deref(), event.party.as_deref());
            row.business = business;
            row.party = party;
            row.key = key.map_or(Text::NONE, |k| self.keep(k));
            if event.half == Half::Start {
                self.start(at, event, self.out.loose.len(), true);
            }
            let args = event.payload.and_then(super::args::grouping_form);
            self.out.loose.push(Loose { row, args, key: key.map(str::to_owned) });
            return;
        };
        if by_intent.is_some() {
            row.flags |= attempt_flag::BY_INTENT_ID;
        }
        row.name = self.name(id, source, (Rank::Row, at));
        match key {
            Some(key) if self.is_name(row.name, key) => row.flags |= attempt_flag::KEY_IS_NAME,
            Some(key) => row.key = self.keep(key),
            None => {}
        }
        let (business, party) = self.keep_who(row.name, event.business_id.as_deref(), event.party.as_deref());
        row.business = business;
        row.party = party;
        if event.half == Half::Start {
            self.start(at, event, self.attempts.len(), false);
        }
        self.mark(row.name, used::CALL);
        self.attempts.push(row);
    }

    fn record(&mut self, at: At, event: &RecordEvent<'_>) {
        self.tally(at.source()).used += 1;
        let source = self.source(at.source());
        let amount = self.amount(event.amount.as_ref(), event.currency.as_deref(), source);
        let count = |field: &Field<'_>| field.as_deref().and_then(|t| t.trim().parse::<u32>().ok());
        let both = count(&event.count);
        let (min, max) = (count(&event.count_min).or(both), count(&event.count_max).or(both));
        let mut flags = 0;
        if event.from_file {
            flags |= record_flag::FILE;
        }
        if amount.known {
            flags |= record_flag::TOTAL;
        }
        if amount.minor_without_unit {
            flags |= record_flag::MINOR;
        }
        if min.is_some() || max.is_some() {
            flags |= record_flag::COUNT;
        }
        let id = event.operation_id.as_deref().filter(|id| !id.is_empty());
        let name = match (id, event.intent_id.as_deref().filter(|_| !event.from_file)) {
            (Some(id), _) | (None, Some(id)) => {
                let rank = if event.from_file { Rank::File } else { Rank::Record };
                self.name(id, source, (rank, at))
            }
            (None, None) => {
                flags |= record_flag::LOOSE;
                Name::NONE
            }
        };
        if let Some(bad) = amount.bad {
            self.problem(
                at,
                ProblemEvent {
                    code: "UNREADABLE_LINE",
                    what: format!("the expected amount {bad}"),
                    bytes: 0,
                    affects_result: true,
                },
            );
        }
        let (business, party) = self.keep_who(name, event.business_id.as_deref(), event.party.as_deref());
        let raw = |raw: Option<&[u8]>| raw.and_then(|r| std::str::from_utf8(r).ok()).map(str::to_owned);
        let (accept, attrs) = (raw(event.accept), raw(event.attrs));
        if amount.known {
            self.tally(at.source()).unit(amount.unit);
        }
        let record = Record {
            amount: amount.digits,
            recorded: self.time(&event.ts, source.zone, at.source()).at,
            deadline: self.time(&event.deadline, source.zone, at.source()).at,
            at,
            name,
            intent_id: self.keep_field(&event.intent_id),
            business,
            party,
            kind: self.keep_field(&event.kind),
            key: self.keep_field(&event.key),
            parent: self.keep_field(&event.parent_id),
            accept: accept.map_or(Text::NONE, |t| self.keep(&t)),
            attrs: attrs.map_or(Text::NONE, |t| self.keep(&t)),
            min: min.unwrap_or_else(|| max.map_or(1, |m| m.min(1))),
            max: max.unwrap_or_else(|| min.map_or(1, |m| m.max(1))),
            unit: if amount.known { amount.unit } else { Unit::NONE },
            scale: amount.scale,
            relation: event.relation.as_deref().and_then(Relation::from_word),
            flags,
        };
        self.mark(record.name, used::CALL);
        self.records.push(record);
    }

    fn state(&mut self, at: At, event: &StateEvent<'_>) {
        self.tally(at.source()).used += 1;
        let source = self.source(at.source());
        let Some(to) = event.to.as_deref().and_then(State::from_word) else {
            return;
        };
        let (name, intent_id) =
            self.named(event.operation_id.as_deref(), event.intent_id.as_deref(), source, at);
        let change = StateChange {
            when: self.time(&event.ts, source.zone, at.source()).at,
            deadline: self.time(&event.deadline, source.zone, at.source()).at,
            at,
            intent_id,
            name,
            from: event.from.as_deref().and_then(State::from_word),
            to,
        };
        self.states.push(change);
    }

    fn read_back(&mut self, at: At, event: &ReadBackEvent<'_>) {
        self.tally(at.source()).used += 1;
        let source = self.source(at.source());
        let (name, intent_id) =
            self.named(event.operation_id.as_deref(), event.intent_id.as_deref(), source, at);
        let read = ReadBack {
            when: self.time(&event.ts, source.zone, at.source()).at,
            at,
            intent_id,
            name,
            source: self.keep_field(&event.source),
            seen: event.result.as_deref().and_then(Seen::from_word).unwrap_or(Seen::Unreadable),
        };
        self.reads.push(read);
    }

    fn effect(&mut self, at: At, event: &EffectEvent<'_>) {
        let source = self.source(at.source());
        let zone = if event.committed_utc { Zone::Utc } else { source.zone };
        let committed = self.time(&event.committed, zone, at.source());
        if !source.in_time(committed) {
            self.tally(at.source()).out_of_time += 1;
            return;
        }
        let amount = self.amount(event.amount.as_ref(), event.currency.as_deref(), source);
        let (mut digits, mut flags) = (amount.digits, 0);
        let below_zero = amount.known && digits < 0;
        if amount.known {
            flags |= effect_flag::AMOUNT;
        }
        if let Some(bad) = amount.bad {
            flags |= effect_flag::AMOUNT_BAD;
            let written = match &event.amount {
                Some(AmountField::Major(t) | AmountField::Minor(t) | AmountField::Real(t)) => {
                    t.chars().take(64).collect()
                }
                None => String::new(),
            };
            self.out.bad_rows.push(BadRow { at, text: written, bad });
        }
        if amount.minor_without_unit {
            flags |= effect_flag::MINOR;
        }
        if !event.in_scope {
            flags |= effect_flag::FILTERED;
        }
        if event.of_run || source.scope_run {
            flags |= effect_flag::OF_RUN;
        }
        let reverses = event.reverses.as_deref().filter(|r| !r.is_empty());
        let kind_word = event.kind.as_deref().filter(|k| !k.is_empty());
        let mut status = source.words.status(event.status.as_deref());
        if status.1 {
            flags |= effect_flag::STATUS_UNKNOWN;
            self.tally(at.source()).unknown_status_words += 1;
        }
        let is_reversal = reverses.is_some() || kind_word.is_some_and(is_reversal_word);
        if is_reversal {
            flags |= effect_flag::REVERSAL;
            if kind_word.is_some_and(|k| k.contains("failed") || k.contains("returned")) {
                status.0 = Status::NotAnEffect;
            }
        }
        if below_zero {
            digits = digits.saturating_abs();
            match (is_reversal, source.negative_is) {
                (true, _) | (_, Some(crate::sources::spec::Negative::Effect)) => {}
                (_, Some(crate::sources::spec::Negative::Reversal)) => flags |= effect_flag::REVERSAL,
                _ => flags |= effect_flag::NEGATIVE,
            }
        } else if amount.known && digits > 0 && !is_reversal {
            self.tally(at.source()).positive += 1;
        }
        let tables = &self.cx.tables;
        let kind = kind_word
            .or(source.kind.as_deref())
            .map_or(Shared::NONE, |k| self.kinds.get(k, |k| tables.with(|t| t.kinds.intern(k))));
        let part = event
            .part
            .as_deref()
            .map_or(source.part, |p| self.parts.get(p, |p| tables.with(|t| t.parts.intern(p))));
        let id = event.operation_id.as_deref().filter(|id| !id.is_empty());
        let key = event.key.as_deref().filter(|k| !k.is_empty());
        let name = id.map_or(Name::NONE, |id| self.name(id, source, (Rank::Row, at)));
        self.out.keys |= key.is_some();
        if key.is_some_and(|key| self.is_name(name, key)) {
            flags |= effect_flag::KEY_IS_NAME;
        }
        let (business, party) = self.keep_who(name, event.business_id.as_deref(), event.party.as_deref());
        let row = Effect {
            committed: committed.at,
            amount: digits,
            at,
            name,
            id: self.keep_field(&event.effect_id),
            business,
            party,
            key: key.filter(|_| flags & effect_flag::KEY_IS_NAME == 0).map_or(Text::NONE, |k| self.keep(k)),
            external: self.keep_field(&event.external_ref),
            reverses: reverses.map_or(Text::NONE, |r| self.keep(r)),
            class: self.classes.get(kind, part, tables),
            unit: amount.unit,
            scale: amount.scale,
            res: committed.res,
            status: status.0,
            flags,
        };
        let derived = event.derived_key.as_deref().filter(|d| !d.is_empty());
        if let Some(derived) = derived {
            self.out.derived.push((at, derived.to_owned()));
        }
        let no_link = !name.is_some()
            && !row.id.is_some()
            && key.is_none()
            && derived.is_none()
            && !row.business.is_some()
            && !row.external.is_some();
        let late = self.cx.latest;
        let tally = self.out.tally(at.source());
        tally.row(&row, part, below_zero, late);
        if let Some(position) = event.position.as_deref() {
            tally.position = tally.position.max(position.parse().ok());
        }
        if no_link && flags & effect_flag::OF_RUN == 0 {
            tally.unlinkable += 1;
            self.out.unlinkable.push(at);
        }
        if let Some(id) = event.effect_id.as_deref().filter(|id| !id.is_empty()) {
            self.out.effect_ids.push(self.cx.effect_print(id.as_bytes(), at.source()));
        }
        if event.whole != 0 {
            self.out.wholes.push((event.whole, at));
        }
        self.mark(row.name, used::ROW);
        self.effects.push(row);
    }

    fn problem(&mut self, at: At, event: ProblemEvent) {
        let tally = self.tally(at.source());
        tally.problems += 1;
        tally.line_problems += 1;
        tally.damaged += u64::from(event.code == code::UNREADABLE_ROW && event.affects_result);
        if event.affects_result {
            tally.unreadable += 1;
        }
        if self.out.problems.len() < Problem::KEPT {
            self.out.problems.push(Problem { at, event });
        }
    }

    fn skipped(&mut self, source: SourceNo, rule: &'static str) {
        let tally = self.tally(source);
        tally.skipped += 1;
        tally.skip(rule);
    }

    fn used(&mut self, source: SourceNo) {
        self.tally(source).used += 1;
    }

    fn skipped_line(&mut self, at: At, rule: &'static str, line: &[u8]) {
        self.skipped(at.source(), rule);
        if self.out.noise.len() < Noise::KEPT {
            let text = String::from_utf8_lossy(line.get(..line.len().min(Noise::BYTES)).unwrap_or(line));
            self.out.noise.push(Noise { at, text: text.into_owned(), bytes: line.len() as u64 });
        }
    }
}

impl Builder<'_> {
    fn start(&mut self, at: At, event: &AttemptEvent<'_>, row: usize, loose: bool) {
        let Some(id) = event.attempt_id.as_deref() else {
            return;
        };
        let text = self.keep(id);
        let print = self.print(id.as_bytes());
        let Ok(row) = u32::try_from(row) else { return };
        self.open.entry(print).or_insert(self.out.starts.len() as u32);
        self.out.starts.push(Start { id: text, at, row, loose });
    }

    fn named(
        &mut self,
        operation: Option<&str>,
        intent: Option<&str>,
        source: &SourceReading,
        at: At,
    ) -> (Name, Text) {
        match (operation.filter(|t| !t.is_empty()), intent.filter(|t| !t.is_empty())) {
            (Some(id), _) => (self.name(id, source, (Rank::Row, at)), Text::NONE),
            (None, Some(id)) => (Name::NONE, self.keep(id)),
            (None, None) => (Name::NONE, Text::NONE),
        }
    }
}

/// Kind words that say "reversal" (`1-model.md` 1.4.5).
pub const REVERSAL_WORDS: [&str; 6] =
    ["reversal", "reversed", "void", "storno", "refund_of_refund", "refund_reversal"];

fn is_reversal_word(kind: &str) -> bool {
    REVERSAL_WORDS.iter().any(|w| {
        w.eq_ignore_ascii_case(kind) || {
            // "reversal_failed", "void returned": a reversal that came back.
            let head = kind.split(['_', ' ', '-', ':']).next().unwrap_or(kind);
            (kind.contains("failed") || kind.contains("returned")) && w.eq_ignore_ascii_case(head)
        }
    })
}

/// Hashes with the seed of the case.
pub(super) fn hash_with(state: &RandomState, bytes: &[u8]) -> u64 {
    let mut hasher = state.build_hasher();
    hasher.write(bytes);
    hasher.finish()
}

/// Rows that get their operation id late (`resolve`): texts are copied from the run that read them.
impl Builder<'_> {
    /// An attempt under an operation id or a group's name.
    pub(super) fn adopt_attempt(&mut self, row: Attempt, name: &str, from: &Run) {
        let mut row = row;
        row.name = self.exact_name(name);
        row.key = self.keep(from.text(row.key));
        row.business = self.keep(from.text(row.business));
        row.party = self.keep(from.text(row.party));
        row.receipt = self.keep(from.text(row.receipt));
        row.flags &= !attempt_flag::BY_INTENT_ID;
        self.mark(row.name, used::CALL);
        self.attempts.push(row);
    }

    /// A change of state.
    pub(super) fn adopt_state(&mut self, change: StateChange, name: &str, from: &Run) {
        let mut change = change;
        change.name = self.exact_name(name);
        change.intent_id = self.keep(from.text(change.intent_id));
        self.states.push(change);
    }

    /// A recorded intent or an expectation.
    pub(super) fn adopt_record(&mut self, record: Record, name: &str, from: &Run) {
        let mut record = record;
        record.name = self.exact_name(name);
        record.flags &= !record_flag::LOOSE;
        let texts = [
            &mut record.intent_id,
            &mut record.business,
            &mut record.party,
            &mut record.kind,
            &mut record.key,
            &mut record.parent,
            &mut record.accept,
            &mut record.attrs,
        ];
        for text in texts {
            *text = self.keep(from.text(*text));
        }
        self.mark(record.name, used::CALL);
        self.records.push(record);
    }

    /// A read-back.
    pub(super) fn adopt_read(&mut self, read: ReadBack, name: &str, from: &Run) {
        let mut read = read;
        read.name = self.exact_name(name);
        read.intent_id = self.keep(from.text(read.intent_id));
        read.source = self.keep(from.text(read.source));
        self.reads.push(read);
    }

    /// An end without a beginning: under its operation id, else as a call of its own.
    pub(super) fn adopt_end(&mut self, end: &End, row: Attempt, else_name: &str, cx: &Reading) {
        let mut row = row;
        let source = cx.source(end.at.source());
        row.name = match end.operation_id.as_str() {
            "" => self.exact_name(else_name),
            id => self.name(id, source, (Rank::Row, end.at)),
        };
        row.receipt = self.keep(&end.receipt);
        row.flags |= if end.receipt_named { attempt_flag::RECEIPT_NAMED } else { 0 };
        self.mark(row.name, used::CALL);
        self.attempts.push(row);
    }
}
