//! Events of intents: records, calls, rows, read-backs, each with what it means.

use super::{Event, Gap, LaneKind, Weight};
use crate::judge::story::phrase;
use crate::judge::view::{AttemptView, EffectView, IntentView, ReadBackView, SourceView, StateView};
use crate::judge::words::{outcome, read_result};
use crate::model::money::Money;
use crate::model::outcome::Class;
use crate::model::row::{Seen, State, Status};
use crate::model::time::{Instant, Micros, Res, SECOND, span_words};

/// What an event means, where there is little room.
pub(super) const SHORT: [(&str, &str); 7] = [
    ("before the first attempt: good", "before it was sent"),
    ("nobody had looked", "nobody looked"),
    ("should be recorded as unknown, was not", "not recorded"),
    ("it has happened twice", "happened twice"),
    ("it has happened three times", "happened 3 times"),
    ("it has happened once more", "once more"),
    ("it has happened, and was not to", "was not to happen"),
];

/// The write attempt of a number.
pub(super) fn call(view: &IntentView, number: u32) -> Option<&AttemptView> {
    view.attempts.iter().find(|a| !a.read && a.number == number && number > 0)
}

/// Events in no order yet, and the gaps between attempts.
pub(super) fn of(
    views: &[IntentView],
    sources: &[SourceView],
    show: &dyn Fn(Money) -> String,
) -> (Vec<Event>, Vec<Gap>) {
    let mut events = Vec::new();
    let mut gaps = Vec::new();
    for (no, view) in views.iter().enumerate() {
        let one = One { no, view, several: views.len() > 1, sources, show };
        // Of equal times: the request before its calls, what an answer makes of it behind them.
        one.states(&mut events, true);
        one.calls(&mut events, &mut gaps);
        one.rows(&mut events);
        one.states(&mut events, false);
        one.looks(&mut events);
    }
    gaps.sort_by_key(|gap| gap.from);
    (events, gaps)
}

/// Events of one intent.
struct One<'a> {
    no: usize,
    view: &'a IntentView,
    /// Of several: each event says whose it is.
    several: bool,
    sources: &'a [SourceView],
    show: &'a dyn Fn(Money) -> String,
}

impl One<'_> {
    fn event(&self, when: Instant, lane: LaneKind, subject: &str, what: String) -> Event {
        let what = if self.several { format!("{what} ({})", self.view.intent_id) } else { what };
        Event {
            when,
            lane,
            intent: self.no,
            subject: subject.to_owned(),
            what,
            note: "",
            weight: Weight::Note,
            code: "",
            since: None,
            bracket: super::Bracket::No,
            place: String::new(),
            attempt: 0,
        }
    }

    /// First send of a write.
    fn first_sent(&self) -> Option<Instant> {
        self.calls_of().map(|a| a.sent).find(|sent| !sent.is_none())
    }

    fn calls_of(&self) -> impl Iterator<Item = &AttemptView> {
        self.view.attempts.iter().filter(|a| !a.read)
    }

    fn states(&self, events: &mut Vec<Event>, first: bool) {
        let begins = |state: &StateView| state.to == State::Submitted;
        for (at, state) in self.view.states.iter().enumerate().filter(|(_, state)| begins(state) == first) {
            let when =
                if state.when.is_none() { Instant::NONE } else { Instant::new(state.when, Res::Milli) };
            let key = if at == 0 && !self.view.key.is_empty() {
                format!(", key {}", self.view.key)
            } else {
                String::new()
            };
            let mut event = self.event(
                when,
                LaneKind::Request,
                "request",
                format!("recorded as {}{key}", state.to.word()),
            );
            let before = self.first_sent().is_some_and(|sent| when.is_before(0, sent, 0));
            event.note = if at == 0 && before { "before the first attempt: good" } else { "" };
            event.place.clone_from(&state.place);
            events.push(event);
        }
    }

    fn calls(&self, events: &mut Vec<Event>, gaps: &mut Vec<Gap>) {
        let mut before: Option<&AttemptView> = None;
        for a in self.calls_of() {
            let subject = format!("attempt {}", a.number);
            let mut sent = self.event(a.sent, LaneKind::Attempts, &subject, "sent".to_owned());
            sent.attempt = a.number;
            sent.place.clone_from(&a.place);
            if let Some(gap) = before.and_then(|last| self.gap(last, a)) {
                gaps.push(gap);
                if gap.unlooked {
                    (sent.note, sent.code) = ("nobody had looked", "H03");
                }
            }
            events.push(sent);
            if !a.ended.is_none() && a.class != Class::Open {
                let (_, words) = outcome(a, false, None);
                let receipt =
                    if a.receipt.is_empty() { String::new() } else { format!(", receipt {}", a.receipt) };
                let mut ended =
                    self.event(a.ended, LaneKind::Attempts, &subject, format!("{words}{receipt}"));
                ended.attempt = a.number;
                ended.place.clone_from(&a.place);
                if a.class == Class::Unknown && self.never_unknown(a) {
                    ended.note = "should be recorded as unknown, was not";
                }
                events.push(ended);
            }
            before = Some(a);
        }
    }

    /// The states of this intent are recorded, and none says unknown between the end of this call and the next.
    fn never_unknown(&self, a: &AttemptView) -> bool {
        let next = self.calls_of().find(|b| b.number > a.number).map_or(Micros::FOREVER, |b| b.sent.at);
        let within = |s: &&StateView| s.when >= a.ended.begin() && s.when <= next;
        let said = self.view.states.iter().filter(within).any(|s| s.to == State::Unknown);
        !self.view.states.is_empty() && !said
    }

    /// What lies between two calls of one clock, where their order is certain.
    fn gap(&self, last: &AttemptView, next: &AttemptView) -> Option<Gap> {
        if last.ended.is_none() || !last.ended.is_before(0, next.sent, 0) {
            return None;
        }
        let (from, to) = (last.ended.at, next.sent.at);
        let looked = self.view.reads.iter().any(|read| from <= read.when && read.when <= to);
        let reads = self.view.attempts.iter().filter(|a| a.read);
        let read = reads.clone().any(|a| from <= a.sent.at && a.sent.at <= to);
        Some(Gap { from, to, unlooked: last.class == Class::Unknown && !looked && !read })
    }

    fn rows(&self, events: &mut Vec<Event>) {
        let most = self.view.judgement.effective_max;
        let mut rows: Vec<&EffectView> = self.view.effects.iter().filter(|row| !row.copy).collect();
        rows.sort_by_key(|row| (row.committed.begin(), row.ident));
        let mut live = 0;
        for row in rows {
            let mut event = self.row(row, false);
            if !row.reversal && row.status == Status::Live {
                live += 1;
                event.weight = if live > most { Weight::TooMuch } else { Weight::Happened };
                event.note = match (live, live > most) {
                    (1, true) => "it has happened, and was not to",
                    (1, false) => "it has happened",
                    (2, _) => "it has happened twice",
                    (3, _) => "it has happened three times",
                    _ => "it has happened once more",
                };
            }
            events.push(event);
        }
        events.extend(self.view.open_rows.iter().filter(|row| !row.copy).map(|row| self.row(row, true)));
    }

    fn row(&self, row: &EffectView, open: bool) -> Event {
        let noun = phrase::noun(if row.kind.is_empty() { &self.view.kind } else { &row.kind });
        let noun = if noun == "effect" { "row".to_owned() } else { noun };
        let what =
            if row.reversal { format!("reversal {}", row.name) } else { format!("{noun} {}", row.name) };
        let amount = match (row.amount, &row.unreadable) {
            (Some(amount), _) => format!(", {}", (self.show)(amount)),
            (None, Some(text)) => format!(", amount unreadable: {text}"),
            (None, None) => String::new(),
        };
        let done = match row.status {
            Status::Live => "committed",
            Status::OnItsWay => "on its way",
            Status::NotAnEffect => "not done, or came back",
        };
        let lane = LaneKind::Ledger(row.source);
        let name = self.sources.get(row.source).filter(|_| self.sources_of_rows() > 1);
        let subject = name.map_or("ledger", |source| source.id.as_str());
        let mut event = self.event(row.committed, lane, subject, format!("{what} {done}{amount}"));
        if open {
            event.note = "may be this one, not linked";
        }
        event.place.clone_from(&row.place);
        event
    }

    /// In how many ledgers that count its rows stand.
    fn sources_of_rows(&self) -> usize {
        let rows = self.view.effects.iter().chain(&self.view.open_rows).filter(|row| !row.copy);
        let mut sources: Vec<usize> = rows.map(|row| row.source).collect();
        sources.sort_unstable();
        sources.dedup();
        sources.len()
    }

    fn looks(&self, events: &mut Vec<Event>) {
        for read in &self.view.reads {
            let when = if read.when.is_none() { Instant::NONE } else { Instant::new(read.when, Res::Milli) };
            let mut event = self.event(when, LaneKind::Looks, "look", look(read));
            event.place.clone_from(&read.place);
            events.push(event);
        }
        for a in self.view.attempts.iter().filter(|a| a.read) {
            let mut event = self.event(a.sent, LaneKind::Looks, "look", format!("read by {}", a.tool));
            event.place.clone_from(&a.place);
            events.push(event);
        }
    }
}

fn look(read: &ReadBackView) -> String {
    let detail = match (&read.differs, read.seen) {
        (Some((field, _, found)), _) => format!("{field} reads \"{found}\""),
        (None, Seen::Present) => String::new(),
        (None, _) => read.position.clone(),
    };
    format!("read back in {}: {}", read.source, read_result(read.seen, &detail))
}

/// Words beside a mark.
pub(super) fn label(event: &Event) -> String {
    match event.lane {
        LaneKind::Ledger(_) => {
            let what = event.what.split(" (").next().unwrap_or_default();
            let what = what.replace(" committed, ", "  ").replace(" committed", "");
            what.split_once(' ').map_or(what.clone(), |(_, rest)| rest.to_owned())
        }
        LaneKind::Request => {
            event.what.split([',', '(']).next().unwrap_or_default().trim().replace("recorded as ", "")
        }
        LaneKind::Attempts | LaneKind::Looks => String::new(),
    }
}

/// `14 seconds, from the request to the second refund`.
pub(super) fn words(events: &[Event], views: &[IntentView]) -> String {
    let timed: Vec<&Event> = events.iter().filter(|event| !event.when.is_none()).collect();
    let core = |event: &&&Event| event.lane != LaneKind::Looks;
    let Some(first) = timed.iter().find(core).or(timed.first()) else {
        return "no event has a time".to_owned();
    };
    let effects = timed.iter().filter(|event| matches!(event.lane, LaneKind::Ledger(_))).count();
    let last_row = timed.iter().rev().find(|event| matches!(event.lane, LaneKind::Ledger(_)));
    let last_call = timed.iter().rev().find(|event| event.lane == LaneKind::Attempts);
    let of_these = last_row.into_iter().chain(last_call).max_by_key(|event| event.when.at);
    // Where nothing was tried and nothing happened, what was looked at is the story.
    let last = of_these.or(timed.iter().max_by_key(|event| event.when.at)).unwrap_or(first);
    let noun = views.first().map_or_else(|| "effect".to_owned(), |view| phrase::noun(&view.kind));
    let begin = match first.lane {
        LaneKind::Request => "the request".to_owned(),
        LaneKind::Ledger(_) => format!("the first {noun}"),
        LaneKind::Attempts => "the first call".to_owned(),
        LaneKind::Looks => "the first look".to_owned(),
    };
    if std::ptr::eq(*first, *last) {
        return format!("only {begin}, and nothing after it");
    }
    let end = match (last_row.is_some(), effects) {
        (true, 1) if matches!(first.lane, LaneKind::Ledger(_)) => "the last answer".to_owned(),
        (true, 1) => format!("the {noun}"),
        (true, 2) => format!("the second {noun}"),
        (true, _) => format!("the last {noun}"),
        (false, _) if last.lane == LaneKind::Looks => "the last look".to_owned(),
        (false, _) => "the last answer".to_owned(),
    };
    // What lies inside the width of a time is no length that was measured.
    let width = |event: &Event| event.when.end().since(event.when.begin());
    let (length, width) = (last.when.at.since(first.when.at), width(first).max(width(last)));
    let length = if width >= SECOND && length < width {
        format!("within {}", span_words(width))
    } else {
        span_words(length)
    };
    format!("{}, from {begin} to {end}", phrase::capital(&length))
}
