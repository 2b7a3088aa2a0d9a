//! What a rule is given. Texts are raw: whoever shows them passes them through [`crate::text`].

use std::collections::{BTreeMap, BTreeSet};

use crate::model::money::Money;
use crate::model::outcome::{Class, Outcome};
use crate::model::row::{At, Relation, Seen, SourceNo, State};
use crate::model::time::{Instant, Micros};
use crate::model::units::Units;

use super::asked::{Asked, Tool};

/// One write attempt.
#[derive(Clone, Debug)]
pub struct Call {
    /// 1-based number among the write attempts of its intent.
    pub number: u32,
    /// Where its record stands.
    pub at: At,
    /// The trace.
    pub source: SourceNo,
    /// Run id; empty where none is given.
    pub run: String,
    /// Tool.
    pub tool: String,
    /// When sent.
    pub sent: Instant,
    /// When ended.
    pub ended: Instant,
    /// How long its caller waits, microseconds.
    pub timeout: i64,
    /// What the caller was told.
    pub outcome: Outcome,
    /// What that proves.
    pub class: Class,
    /// Idempotency key; empty where none was sent.
    pub key: String,
    /// Ordinal of its payload within the intent; 0 is none.
    pub payload: u32,
    /// The payload, where the rules need to look into it: see [`Intent::needs_arguments`].
    pub arguments: Option<String>,
    /// Amount of the call.
    pub amount: Option<Money>,
    /// Turn or decision, where the arguments were read; empty elsewhere.
    pub turn: String,
}

impl Call {
    /// When it was over for its caller; [`Micros::NONE`] where that is not known.
    pub fn over(&self) -> Micros {
        match (self.ended.is_none(), self.sent.is_none()) {
            (false, _) => self.ended.at,
            (true, false) => self.sent.at.plus(self.timeout),
            (true, true) => Micros::NONE,
        }
    }
}

/// One look at the world: a read-back, or a call of a tool that only reads.
#[derive(Clone, Debug)]
pub struct Look {
    /// Its id; empty where it has none.
    pub id: String,
    /// When it began.
    pub when: Micros,
    /// Where its record stands.
    pub at: At,
    /// What was read: a source, an endpoint, a tool.
    pub source: String,
    /// What it found.
    pub seen: Seen,
    /// The result word as written.
    pub word: String,
    /// Value expected, and value read, as written.
    pub expected: String,
    /// See `expected`.
    pub read: String,
    /// The answer came from a store.
    pub replayed: bool,
    /// It used the path that also writes.
    pub write_path: bool,
}

impl Look {
    /// It can disagree with the attempt in question.
    pub fn independent(&self) -> bool {
        !self.write_path && !self.replayed
    }

    /// It looked and read something, whatever it found.
    pub fn read_something(&self) -> bool {
        !matches!(self.seen, Seen::Unreadable | Seen::NotRun)
    }
}

/// A recorded change of state.
#[derive(Clone, Debug)]
pub struct Change {
    /// When.
    pub when: Micros,
    /// Its deadline; [`Micros::NONE`] where none was given.
    pub deadline: Micros,
    /// From, as recorded.
    pub from: Option<State>,
    /// To.
    pub to: State,
    /// Actor as written.
    pub actor: String,
    /// Owner as written.
    pub owner: String,
}

/// What was recorded of an intent before it was sent.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// When; [`Micros::NONE`] where nobody says.
    pub when: Option<Micros>,
    /// Key.
    pub key: String,
    /// `random`, `derived`, `operation_id`.
    pub key_kind: String,
    /// `app`, `model`, `library`.
    pub key_origin: String,
    /// When the key was made.
    pub minted: Option<Micros>,
    /// `durable`, `context`.
    pub storage: String,
}

/// A live ledger row of an intent.
#[derive(Clone, Debug)]
pub struct Landed {
    /// Its name.
    pub id: String,
    /// When committed.
    pub committed: Instant,
    /// An answer named it.
    pub acknowledged: bool,
}

/// A row that an answer named, with the times of both (`2-judge.md` 2.10).
#[derive(Clone, Debug)]
pub struct Pair {
    /// Source of the row.
    pub source: SourceNo,
    /// Both clocks' bounds together, microseconds.
    pub bound: i64,
    /// When the first attempt that may have made it was sent.
    pub sent: Instant,
    /// When the attempt that names it ended.
    pub ended: Instant,
    /// When it was committed.
    pub committed: Instant,
}

/// One intent.
#[derive(Clone, Debug, Default)]
pub struct Intent {
    /// Its number in the case.
    pub no: u32,
    /// Intent id, as shown.
    pub id: String,
    /// Kind.
    pub kind: String,
    /// Business id; empty where there is none.
    pub business: String,
    /// It is known by an operation or intent id, not by a key or by equal arguments.
    pub by_id: bool,
    /// Write attempts in order.
    pub calls: Vec<Call>,
    /// Looks in order.
    pub looks: Vec<Look>,
    /// Recorded changes of state, oldest first.
    pub changes: Vec<Change>,
    /// Its record in an intent log.
    pub record: Option<Recorded>,
    /// Intent id of its parent, and the relation.
    pub parent: Option<(String, Relation)>,
    /// Live ledger rows.
    pub landed: Vec<Landed>,
    /// Rows that answers named.
    pub pairs: Vec<Pair>,
    /// At or above the high-value limit.
    pub high_value: bool,
}

impl Intent {
    /// Rules have to look into the payloads: they differ, or keys do.
    pub fn needs_arguments(&self) -> bool {
        let differ = |of: fn(&Call) -> bool, same: fn(&Call, &Call) -> bool| {
            let mut some = self.calls.iter().filter(|c| of(c));
            some.next().is_some_and(|first| some.any(|c| !same(first, c)))
        };
        differ(|c| c.payload != 0, |a, b| a.payload == b.payload)
            || differ(|c| !c.key.is_empty(), |a, b| a.key == b.key)
    }

    /// The key of a call that no record of the intent holds.
    pub fn key_unrecorded(&self, call: &Call) -> bool {
        !call.key.is_empty() && self.record.as_ref().is_none_or(|r| r.key != call.key)
    }

    /// The recorded state, with the change that made it.
    pub fn recorded_state(&self) -> Option<&Change> {
        self.changes.last()
    }

    /// The recorded state before a moment.
    pub fn recorded_before(&self, when: Micros) -> Option<&Change> {
        self.changes.iter().rev().find(|c| !c.when.is_none() && c.when < when)
    }

    /// The state now, recorded or derived (`1-model.md` 1.4.9).
    pub fn state(&self) -> State {
        match self.recorded_state() {
            Some(change) => change.to,
            None => derived(self.calls.iter().map(|c| c.class)),
        }
    }

    /// The state at a moment; `None` while nothing was sent or recorded.
    pub fn state_at(&self, when: Micros) -> Option<State> {
        if let Some(change) = self.recorded_before(when) {
            return Some(change.to);
        }
        let sent = |c: &&Call| !c.sent.is_none() && c.sent.at < when;
        let mut classes = self.calls.iter().filter(sent).map(|c| {
            let ended = c.over();
            if !ended.is_none() && ended <= when { c.class } else { Class::Open }
        });
        let first = classes.next()?;
        Some(derived(std::iter::once(first).chain(classes)))
    }

    /// First send; [`Micros::NONE`] without times.
    pub fn first_sent(&self) -> Micros {
        self.calls.iter().map(|c| c.sent.at).filter(|at| !at.is_none()).min().unwrap_or(Micros::NONE)
    }

    /// Its first tool; empty where there is no call.
    pub fn tool(&self) -> &str {
        self.calls.first().map_or("", |c| c.tool.as_str())
    }

    /// Its first run.
    pub fn run(&self) -> &str {
        self.calls.first().map_or("", |c| c.run.as_str())
    }

    /// Different keys in the order in which they were sent.
    pub fn keys(&self) -> Vec<&str> {
        let mut keys: Vec<&str> = Vec::new();
        for call in self.calls.iter().filter(|c| !c.key.is_empty()) {
            if !keys.contains(&call.key.as_str()) {
                keys.push(&call.key);
            }
        }
        keys
    }
}

fn derived(classes: impl Iterator<Item = Class>) -> State {
    let (mut yes, mut unknown, mut any) = (false, false, false);
    for class in classes {
        any = true;
        match class {
            Class::Open => return State::Submitted,
            Class::Ok | Class::OkReused | Class::Already => yes = true,
            Class::Unknown => unknown = true,
            Class::Fail => {}
        }
    }
    match (any, yes, unknown) {
        (false, ..) => State::Submitted,
        (_, true, _) => State::Confirmed,
        (_, _, true) => State::Unknown,
        _ => State::Failed,
    }
}

/// Calls of one tool, of any role, in one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// How many attempts.
    pub attempts: u64,
    /// How many of them came after the first of their operation or set of arguments.
    pub retries: u64,
    /// How many of those were told yes.
    pub ok: u64,
}

impl Used {
    /// Adds others of the tool.
    pub fn add(&mut self, other: Self) {
        self.attempts += other.attempts;
        self.retries += other.retries;
        self.ok += other.ok;
    }
}

/// One run: attempts of any role.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Run id.
    pub id: String,
    /// Scenario; empty where none is given.
    pub scenario: String,
    /// What it set out to do; empty where none is given.
    pub plan: String,
    /// First send.
    pub first: Option<Micros>,
    /// By tool.
    pub tools: BTreeMap<String, Used>,
}

/// A call that cost something, or that starts something that does.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// When it was sent; [`Micros::NONE`] where nobody says.
    pub when: Option<Micros>,
    /// Run id.
    pub run: String,
    /// Agent.
    pub agent: String,
    /// Tool.
    pub tool: String,
    /// What it cost.
    pub money: Option<Money>,
    /// What it was sent with.
    pub arguments: String,
}

/// An external judgement of an attempt, with the attempt that it names.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// The annotation, by its place in [`Asked::annotations`].
    pub annotation: usize,
    /// Tool of the attempt.
    pub tool: String,
    /// Run of the attempt.
    pub run: String,
    /// When it was sent.
    pub when: Option<Micros>,
}

/// What holds for the whole case.
#[derive(Clone, Debug, Default)]
pub struct Whole {
    /// Finished write attempts.
    pub finished: u64,
    /// Of them unknown.
    pub unknown: u64,
    /// Costs in order of (time, place).
    pub costs: Vec<Cost>,
    /// Last effect of each run and tool.
    pub last_effect: BTreeMap<(String, String), Micros>,
    /// Annotations whose attempt is loaded.
    pub judged: Vec<Judged>,
    /// Tools that a key was sent to more than once.
    pub repeated: BTreeSet<String>,
}

/// What one trace carries.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Its name, as shown.
    pub name: String,
    /// It has write or read attempts.
    pub attempts: bool,
    /// Some attempt has a key.
    pub keys: bool,
    /// Some attempt has a payload.
    pub payloads: bool,
    /// Some attempt has a time.
    pub times: bool,
    /// Some attempt names its run.
    pub runs: bool,
    /// It has read-backs or calls of tools that only read.
    pub reads: bool,
    /// Some attempt has a cost.
    pub costs: bool,
    /// Tools of write attempts.
    pub tools: Vec<String>,
}

/// What holds for all rules.
pub struct World<'a> {
    /// The clock.
    pub now: Micros,
    /// Bound of the callers' clocks, microseconds.
    pub client_skew: i64,
    /// Names and decimals of units.
    pub units: &'a Units,
    /// What the config sets.
    pub asked: &'a Asked,
    /// Names of all sources, by [`SourceNo`].
    pub sources: Vec<String>,
    /// The traces.
    pub traces: Vec<Trace>,
    /// An intent log is loaded.
    pub records: bool,
    /// Some change of state is recorded.
    pub states: bool,
    /// Some ledger was read.
    pub ledgers: bool,
    /// From the first send to the last, microseconds.
    pub window: i64,
}

impl World<'_> {
    /// A declared tool.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.asked.tools.iter().find(|t| t.name == name)
    }

    /// Name of a source.
    pub fn source(&self, no: SourceNo) -> &str {
        self.sources.get(usize::from(no.0)).map_or("", String::as_str)
    }

    /// A moment as it is shown.
    pub fn clock(&self, when: Micros) -> String {
        if when.is_none() {
            return "a time that is not known".to_owned();
        }
        crate::model::time::clock(Instant::new(when, crate::model::time::Res::Second), self.now)
    }
}
