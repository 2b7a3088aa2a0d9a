//! The timeline of one intent or of several: lanes per clock, intervals, and an order only where it is certain
//! (`6-screens.md`, timeline; `1-model.md` 1.3).
//!
//! An instant is as wide as its text. Two events of one clock have an order where their intervals do not touch; events
//! of different clocks only where more than both clocks' bounds lies between. What has no certain order stands in one
//! bracket. Texts are raw: whoever shows them passes them through [`crate::text`].

mod activity;
mod axis;
mod events;
#[cfg(test)]
mod tests;

pub use activity::{Activity, STRETCHES};
pub use axis::{DEEPEST, Tick, Window, ticks};

use super::view::{IntentView, SourceView};
use crate::model::time::{Instant, Micros};

/// Whose clock a lane has, and what stands in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LaneKind {
    /// Records of the request and of its states: the client's clock.
    Request,
    /// Calls, from being sent to their answer: the client's clock.
    Attempts,
    /// Rows of a source, by its index among the sources of the case: that source's clock.
    Ledger(usize),
    /// Read-backs: the client's clock.
    Looks,
}

impl LaneKind {
    /// Whose clock: the client's, or that of a source.
    fn clock(self) -> Option<usize> {
        match self {
            Self::Ledger(source) => Some(source),
            Self::Request | Self::Attempts | Self::Looks => None,
        }
    }
}

/// What a mark in a lane is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkKind {
    /// A moment.
    Point,
    /// A call that ended.
    Call,
    /// A call whose end is not known: it stays open.
    Open,
    /// An effect, at some moment inside the interval.
    Effect,
    /// An effect beyond those that were intended.
    TooMuch,
}

/// A mark in a lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// What it is.
    pub kind: MarkKind,
    /// Earliest moment, the skew of its clock aside.
    pub from: Micros,
    /// Latest moment.
    pub to: Micros,
    /// In front of it: the number of an attempt. Empty elsewhere.
    pub number: String,
    /// Sign at its end: `?`, `✓`. Blank elsewhere.
    pub sign: char,
    /// Words below or beside it: `rfd_a1  USD 200.00`.
    pub label: String,
    /// The event that it begins with, as an index into [`Timeline::events`].
    pub event: usize,
    /// The event that it ends with.
    pub last: usize,
}

/// A lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// Whose.
    pub kind: LaneKind,
    /// Its name.
    pub name: String,
    /// Its marks in order of time.
    pub marks: Vec<Mark>,
}

/// A stretch without a call between the end of one attempt and the next being sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// Where it begins.
    pub from: Micros,
    /// Where it ends.
    pub to: Micros,
    /// Nobody read the state in between, though the answer had been lost.
    pub unlooked: bool,
}

impl Gap {
    /// Its length, microseconds.
    pub fn length(self) -> i64 {
        self.to.since(self.from)
    }
}

/// How much an event says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weight {
    /// A remark.
    Note,
    /// An effect: it has happened.
    Happened,
    /// An effect beyond those that were intended.
    TooMuch,
}

/// Where an event stands in a bracket of events without a certain order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bracket {
    /// In none: it has its certain place.
    No,
    /// First.
    First,
    /// Between.
    Inside,
    /// Last.
    Last,
}

/// One event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// When, as it was told.
    pub when: Instant,
    /// Its lane.
    pub lane: LaneKind,
    /// Intent, as an index into what the timeline was made of.
    pub intent: usize,
    /// Who: `attempt 1`, `ledger`, `request`.
    pub subject: String,
    /// What: `sent`, `refund rfd_a1 committed, USD 200.00`.
    pub what: String,
    /// What it means: `it has happened twice`. May be empty.
    pub note: &'static str,
    /// How much it says.
    pub weight: Weight,
    /// Code of a hazard behind the note; may be empty.
    pub code: &'static str,
    /// Since the event before it, microseconds; `None` inside a bracket and at the beginning.
    pub since: Option<i64>,
    /// Its place in a bracket.
    pub bracket: Bracket,
    /// Place of its record, ready to show; may be empty.
    pub place: String,
    /// Number of its attempt; 0 where it is none.
    pub attempt: u32,
}

/// The timeline of an intent, or of several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timeline {
    /// What it is of: `from the request to the second refund`.
    pub words: String,
    /// Lanes from top to bottom.
    pub lanes: Vec<Lane>,
    /// Events in order, those without a time last.
    pub events: Vec<Event>,
    /// Stretches between the attempts of one intent.
    pub gaps: Vec<Gap>,
    /// Both clocks' bounds together, microseconds: the largest of its intents.
    pub skew: i64,
    /// What is drawn first: the calls and effects with what lies near.
    pub window: Window,
}

/// The timeline of intents. `show` writes an amount.
pub fn of(
    views: &[IntentView],
    sources: &[SourceView],
    show: &dyn Fn(crate::model::money::Money) -> String,
) -> Timeline {
    let skew = views.iter().map(|view| view.eps).max().unwrap_or(0);
    let (mut events, gaps) = events::of(views, sources, show);
    events.sort_by_key(|event| (event.when.is_none(), event.when.begin(), event.when.end()));
    bracket(&mut events, skew);
    distances(&mut events);
    let lanes = lanes(&events, sources, views);
    let window = axis::first_window(&events);
    Timeline { words: events::words(&events, views), lanes, events, gaps, skew, window }
}

impl Event {
    /// Earliest and latest moment, the skew of its clock aside.
    pub fn interval(&self) -> (Micros, Micros) {
        self.when.interval(0)
    }

    /// What happened; where there is little room without the noun of a row.
    pub fn words(&self, short: bool) -> &str {
        let row = self.lane.clock().is_some();
        let without = self.what.split_once(' ').map(|(_, rest)| rest).filter(|_| short && row);
        without.unwrap_or(&self.what)
    }

    /// What it means, in fewer words where there is little room.
    pub fn remark(&self, short: bool) -> &'static str {
        let known = events::SHORT.iter().find(|(long, _)| *long == self.note && short);
        known.map_or(self.note, |(_, words)| words)
    }

    /// Its order before another is certain: by the attempt that both belong to, by one clock, or because more than the
    /// skew of both clocks lies between.
    pub fn is_before(&self, other: &Self, skew: i64) -> bool {
        if self.when.is_none() || other.when.is_none() {
            return false;
        }
        let same_call = self.intent == other.intent && self.attempt == other.attempt && self.attempt > 0;
        if self.lane.clock() == other.lane.clock() {
            return same_call || self.when.end() <= other.when.begin();
        }
        self.when.end().plus(skew) <= other.when.begin()
    }
}

/// Joins what has no certain order. Events stand in order of their earliest moments.
fn bracket(events: &mut [Event], skew: i64) {
    let known = events.iter().take_while(|event| !event.when.is_none()).count();
    let mut first = 0;
    while first < known {
        let mut last = first;
        let mut next = first;
        while next <= last {
            let Some(event) = events.get(next) else { break };
            let unsure = |other: &Event| !event.is_before(other, skew);
            let reach = (next + 1..known).rev().find(|at| events.get(*at).is_some_and(unsure));
            last = last.max(reach.unwrap_or(next));
            next += 1;
        }
        for (at, event) in events.iter_mut().enumerate().take(last + 1).skip(first) {
            event.bracket = match at {
                _ if first == last => Bracket::No,
                at if at == first => Bracket::First,
                at if at == last => Bracket::Last,
                _ => Bracket::Inside,
            };
        }
        first = last + 1;
    }
}

/// The time since the event before, where its order is certain: of one clock what the clock says, of two only at the
/// border of brackets.
fn distances(events: &mut [Event]) {
    let mut newest: Option<Instant> = None;
    for event in events {
        let certain = matches!(event.bracket, Bracket::No | Bracket::First);
        if event.when.is_none() {
            continue;
        }
        event.since = newest.filter(|_| certain).map(|last| event.when.at.since(last.at));
        newest = Some(event.when);
    }
}

fn lanes(events: &[Event], sources: &[SourceView], views: &[IntentView]) -> Vec<Lane> {
    let mut kinds: Vec<LaneKind> = vec![LaneKind::Request, LaneKind::Attempts];
    let mut ledgers: Vec<LaneKind> =
        events.iter().map(|event| event.lane).filter(|lane| lane.clock().is_some()).collect();
    ledgers.sort_unstable();
    ledgers.dedup();
    if ledgers.is_empty() {
        ledgers.extend(views.iter().find_map(|view| view.deciding_source).map(LaneKind::Ledger));
    }
    let several = ledgers.len() > 1;
    kinds.extend(ledgers);
    kinds.push(LaneKind::Looks);
    let name = |kind: LaneKind| match kind {
        LaneKind::Request => "Request".to_owned(),
        LaneKind::Attempts => "Attempts".to_owned(),
        LaneKind::Looks => "Looks".to_owned(),
        LaneKind::Ledger(source) if several => sources.get(source).map_or_else(String::new, |s| s.id.clone()),
        LaneKind::Ledger(_) => "Ledger".to_owned(),
    };
    let lane = |kind: LaneKind| Lane { kind, name: name(kind), marks: marks(events, kind, views) };
    kinds.into_iter().map(lane).collect()
}

/// The marks of a lane. A call is one mark from being sent to its end.
fn marks(events: &[Event], kind: LaneKind, views: &[IntentView]) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for (at, event) in events.iter().enumerate().filter(|(_, e)| e.lane == kind && !e.when.is_none()) {
        let (from, to) = event.interval();
        let begun = |mark: &&mut Mark| {
            let first = events.get(mark.event);
            first.is_some_and(|f| f.attempt == event.attempt && f.intent == event.intent)
        };
        if kind == LaneKind::Attempts
            && let Some(mark) = marks.iter_mut().find(begun)
        {
            mark.to = to;
            mark.kind = MarkKind::Call;
            mark.last = at;
            continue;
        }
        let call = views.get(event.intent).and_then(|view| events::call(view, event.attempt));
        let mark = match (kind, event.weight) {
            (LaneKind::Attempts, _) => MarkKind::Open,
            (LaneKind::Ledger(_), Weight::TooMuch) => MarkKind::TooMuch,
            (LaneKind::Ledger(_), _) => MarkKind::Effect,
            _ => MarkKind::Point,
        };
        marks.push(Mark {
            kind: mark,
            from,
            to,
            number: call
                .filter(|_| kind == LaneKind::Attempts)
                .map_or_else(String::new, |a| a.number.to_string()),
            sign: call
                .filter(|_| kind == LaneKind::Attempts)
                .map_or(' ', |a| super::words::outcome(a, false, None).0),
            label: events::label(event),
            event: at,
            last: at,
        });
    }
    marks
}
