//! Everything of an order, then of a party, in order of time with totals (`6-screens.md`, order).

use std::collections::HashSet;
use std::sync::Arc;

use super::case::Item;
use super::layers::{Detail, Layer, Pane, Scroll};
use super::model::Model;
use super::msg::Cmd;
use crate::judge::story::{Place, phrase};
use crate::judge::view::{EffectView, Everything, IntentView, RowKind, Whose};
use crate::judge::words::outcome;
use crate::model::money::{Amount, Money, Totals};
use crate::model::row::{At, State, Status};
use crate::model::time::{Instant, Res};

/// The view while it is open.
pub struct Order {
    /// Whose events.
    pub whose: Whose,
    /// The row that it was opened from.
    pub item: Item,
    /// The number of the request for what is in it.
    pub request: u64,
    /// What is in it; `None` until a worker found it.
    pub all: Option<Everything>,
    /// Its events in order of time.
    pub events: Vec<Event>,
    /// The selected one.
    pub selected: usize,
}

/// What an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// A request was recorded.
    Request,
    /// A call.
    Call,
    /// A row that counts.
    Row,
    /// A row that counts, beyond what was intended.
    TooMuch,
    /// A row that takes another back.
    Reversal,
    /// A row that does not count: on its way, came back, or not of any request.
    Beside,
    /// The same row in a copy: never added.
    Copy,
}

/// One event of an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// What it is.
    pub kind: EventKind,
    /// When.
    pub when: Instant,
    /// `request` or `attempt 1`; empty for a row.
    pub subject: String,
    /// The source of a row, by its index; meaningless elsewhere.
    pub source: usize,
    /// Intent id; empty for a row without an attempt. Raw.
    pub request: String,
    /// Its intent, as an index into [`Everything::intents`].
    pub intent: Option<usize>,
    /// What happened. Raw.
    pub what: String,
    /// When a call ended; none for other events.
    pub ended: Instant,
    /// Intended, with whether it is assumed from the calls.
    pub intended: Option<(Money, bool)>,
    /// What the row holds.
    pub happened: Option<Money>,
    /// Place of its record, ready to show. Raw.
    pub place: String,
    /// Where its record stands.
    pub at: Option<At>,
    /// Number of its attempt; 0 where it is none.
    pub attempt: u32,
}

/// Totals of an order: what was intended, what happened.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sums {
    /// Intended, per currency; of a chain of replacements only the newest.
    pub intended: Totals,
    /// Live, per currency; copies are never added.
    pub happened: Totals,
    /// An intent was replaced by another: only the newest amount counts.
    pub replaced: bool,
}

/// Intents that another one of the list replaces: by its record, or as a later member of one chain of replacements.
fn replaced(all: &Everything) -> HashSet<&str> {
    let views = || all.intents.iter().map(|(_, view)| view);
    let parents = views().filter_map(|view| view.parent.as_ref());
    let mut gone: HashSet<&str> =
        parents.filter(|(_, relation)| *relation == "replaces").map(|(parent, _)| parent.as_str()).collect();
    for (at, view) in views().enumerate() {
        let Some(chain) = view.lineage else { continue };
        let later =
            views().skip(at + 1).any(|other| other.lineage.is_some_and(|of| of.number == chain.number));
        if later {
            gone.insert(view.intent_id.as_str());
        }
    }
    gone
}

/// What an intent intends now; `None` where no amount is known.
fn intended(view: &IntentView) -> Option<Money> {
    let none = view.judgement.effective_max == 0;
    let expected = view.judgement.expected?;
    Some(if none { Money { amount: Amount { digits: 0, ..expected.amount }, ..expected } } else { expected })
}

/// Adds up.
pub fn sums(all: &Everything) -> Sums {
    let replaced = replaced(all);
    let mut sums = Sums::default();
    for (_, view) in &all.intents {
        sums.happened.merge(&view.totals);
        if replaced.contains(view.intent_id.as_str()) {
            sums.replaced = true;
        } else if let Some(money) = intended(view) {
            sums.intended.add(money);
        }
    }
    let counts = |row: &&EffectView| !row.copy && row.status == Status::Live && !row.reversal;
    for money in all.apart.iter().filter(counts).filter_map(|row| row.amount) {
        sums.happened.add(money);
    }
    sums
}

/// All events in order of time, those without a time last.
pub fn events(all: &Everything) -> Vec<Event> {
    let gone = replaced(all);
    let mut events = Vec::new();
    for (no, (_, view)) in all.intents.iter().enumerate() {
        let one = One { no, view, all, replaced: gone.contains(view.intent_id.as_str()) };
        let recorded = one.request(&mut events);
        one.calls(&mut events, recorded);
        one.rows(&mut events);
    }
    for row in &all.apart {
        let mut event = event_of_row(row, EventKind::Beside, format!("{}, no attempt is known", said(row)));
        event.happened = row.amount;
        events.push(event);
    }
    events.sort_by_key(|event| (event.when.is_none(), event.when.begin(), event.when.end()));
    events
}

fn said(row: &EffectView) -> String {
    match row.status {
        Status::Live => format!("{} committed", row.name),
        Status::OnItsWay => format!("{} pending: on its way", row.name),
        Status::NotAnEffect => format!("{} was sent and came back", row.name),
    }
}

fn event_of_row(row: &EffectView, kind: EventKind, what: String) -> Event {
    Event {
        kind,
        when: row.committed,
        subject: String::new(),
        source: row.source,
        request: String::new(),
        intent: None,
        what,
        ended: Instant::NONE,
        intended: None,
        happened: row.amount,
        place: row.place.clone(),
        at: row.at,
        attempt: 0,
    }
}

/// Events of one intent.
struct One<'a> {
    no: usize,
    view: &'a IntentView,
    all: &'a Everything,
    replaced: bool,
}

impl One<'_> {
    fn mine(&self, event: Event) -> Event {
        Event { request: self.view.intent_id.clone(), intent: Some(self.no), ..event }
    }

    /// The request as it was recorded; says whether it was.
    fn request(&self, events: &mut Vec<Event>) -> bool {
        let view = self.view;
        let submitted = view.states.iter().find(|state| state.to == State::Submitted);
        let (at, place) = match submitted {
            Some(state) => (state.when, &state.place),
            None if view.recorded_at.0.is_none() => return false,
            None => (view.recorded_at.0, &view.recorded_at.1),
        };
        let noun = phrase::noun(&view.kind);
        let mut what = format!("{noun} recorded");
        if let Some((parent, relation)) = &view.parent {
            let before = self.all.intents.iter().find(|(_, other)| other.intent_id == *parent);
            let other_amount =
                before.is_some_and(|(_, other)| other.judgement.expected != view.judgement.expected);
            if *relation == "replaces" && other_amount {
                what.push_str(" with the new amount");
            }
            let words = match *relation {
                "replaces" => "replaces",
                "adds_to" => "in addition to",
                _ => "corrects",
            };
            what.push_str(&format!(", {words} {parent}"));
        }
        if self.replaced {
            let by = self.all.intents.iter().find(|(_, other)| {
                other.parent.as_ref().is_some_and(|(parent, _)| *parent == view.intent_id)
            });
            if let Some((_, by)) = by {
                what.push_str(&format!(", later replaced by {}", by.intent_id));
            }
        }
        let when = if at.is_none() { Instant::NONE } else { Instant::new(at, Res::Milli) };
        events.push(self.mine(Event {
            kind: EventKind::Request,
            when,
            subject: "request".to_owned(),
            source: 0,
            request: String::new(),
            intent: None,
            what,
            ended: Instant::NONE,
            intended: view.judgement.expected.map(|money| (money, self.assumed())),
            happened: None,
            place: place.clone(),
            at: None,
            attempt: 0,
        }));
        true
    }

    fn assumed(&self) -> bool {
        self.view.judgement.expected_from == crate::judge::judgement::ExpectedFrom::Assumed
    }

    fn calls(&self, events: &mut Vec<Event>, recorded: bool) {
        // Where no record says what was intended, the first call does.
        let mut first = !recorded;
        for a in self.view.attempts.iter().filter(|a| !a.read) {
            let (_, words) = outcome(a, false, None);
            let receipt = if a.receipt.is_empty() { String::new() } else { format!(", {}", a.receipt) };
            let intended = self.view.judgement.expected.filter(|_| std::mem::take(&mut first));
            events.push(self.mine(Event {
                kind: EventKind::Call,
                when: a.sent,
                subject: format!("attempt {}", a.number),
                source: 0,
                request: String::new(),
                intent: None,
                what: format!("sent, {words}{receipt}"),
                ended: if a.receipt.is_empty() { a.ended } else { Instant::NONE },
                intended: intended.map(|money| (money, self.assumed())),
                happened: None,
                place: a.place.clone(),
                at: a.at,
                attempt: a.number,
            }));
        }
    }

    fn rows(&self, events: &mut Vec<Event>) {
        let most = if self.replaced { 0 } else { self.view.judgement.effective_max };
        let mut rows: Vec<&EffectView> = self.view.effects.iter().collect();
        rows.sort_by_key(|row| (row.committed.begin(), row.ident));
        let mut live = 0;
        for row in rows {
            let (kind, what) = if row.copy {
                (EventKind::Copy, format!("{}, a copy, not added", row.name))
            } else if row.reversal {
                let undone = if row.reverses.is_empty() { "another row" } else { &row.reverses };
                (EventKind::Reversal, format!("{} undoes {undone}", row.name))
            } else if row.status == Status::Live {
                live += 1;
                (if live > most { EventKind::TooMuch } else { EventKind::Row }, said(row))
            } else {
                (EventKind::Beside, said(row))
            };
            events.push(self.mine(event_of_row(row, kind, what)));
        }
        for row in self.view.open_rows.iter().filter(|row| !row.copy) {
            let what = format!("{}, may be of this request", said(row));
            events.push(self.mine(event_of_row(row, EventKind::Beside, what)));
        }
    }
}

/// Whose events `p` shows next: those of the order of the selection, then those of its party.
pub fn next(model: &Model) -> Option<(Whose, Item)> {
    if let Some(Layer::Order(order)) = model.layers.last() {
        let party = order.all.as_ref().map(|all| all.party.clone()).filter(|party| !party.is_empty())?;
        let whose = Whose::Party(party);
        return (whose != order.whose).then(|| (whose, order.item.clone()));
    }
    let item = super::timeline::selected(model)?;
    let first = item.intents.first()?;
    let whose = if first.business_id.is_empty() {
        Whose::Party(first.party.clone()).some()?
    } else {
        Whose::Order(first.business_id.clone())
    };
    Some((whose, item))
}

impl Whose {
    fn some(self) -> Option<Self> {
        let (Self::Order(id) | Self::Party(id)) = &self;
        (!id.is_empty()).then_some(self)
    }
}

/// Why `p` shows nothing here.
pub fn nothing(model: &Model) -> Option<String> {
    if next(model).is_some() {
        return None;
    }
    Some(match model.layers.last() {
        Some(Layer::Order(order)) if order.all.is_none() => "it is still being looked for".to_owned(),
        Some(Layer::Order(order)) if matches!(order.whose, Whose::Party(_)) => {
            "this is everything of the customer already".to_owned()
        }
        _ => "it names no order and no customer".to_owned(),
    })
}

/// Opens it.
pub(super) fn open(model: &mut Model) -> Vec<Cmd> {
    let Some((whose, item)) = next(model) else { return Vec::new() };
    let mut order = Order { whose, item, request: 0, all: None, events: Vec::new(), selected: 0 };
    let cmds = again(&mut model.requests, &mut order);
    model.layers.push(Layer::Order(Box::new(order)));
    cmds
}

/// Asks for what is in it.
pub(super) fn again(requests: &mut u64, order: &mut Order) -> Vec<Cmd> {
    *requests += 1;
    order.request = *requests;
    vec![Cmd::Everything { request: order.request, whose: order.whose.clone() }]
}

/// It is there: the selection goes to what is too much, else to the first event.
pub(super) fn found(model: &mut Model, request: u64, all: Everything) {
    let asked = model.layers.iter_mut().find_map(|layer| match layer {
        Layer::Order(order) if order.request == request => Some(order),
        _ => None,
    });
    let Some(order) = asked else { return };
    let first = order.all.is_none();
    order.events = events(&all);
    order.all = Some(all);
    let row = order.events.iter().position(|event| event.kind == EventKind::TooMuch);
    let last = order.events.len().saturating_sub(1);
    order.selected = if first { row.unwrap_or(0) } else { order.selected.min(last) };
}

impl Order {
    /// Moves along the events.
    pub(super) fn step(&mut self, by: isize) {
        let last = self.events.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by).min(last);
    }

    /// The selected event.
    pub fn event(&self) -> Option<&Event> {
        self.events.get(self.selected)
    }
}

/// The order view on top.
pub fn top(model: &Model) -> Option<&Order> {
    match model.layers.last() {
        Some(Layer::Order(order)) => Some(&**order),
        _ => None,
    }
}

/// The intent of the selected event.
pub fn intent(model: &Model) -> Option<u32> {
    let order = top(model)?;
    let at = order.event()?.intent?;
    order.all.as_ref()?.intents.get(at).map(|(number, _)| *number)
}

/// The evidence behind the selected event: that of the row it was opened from where it is of it.
pub(super) fn evidence(model: &mut Model) {
    let (Some(number), Some(case)) = (intent(model), model.case().map(Arc::clone)) else { return };
    let Some(order) = top(model) else { return };
    let holds = match &order.item.row.kind {
        RowKind::Intent(own) => *own == number,
        RowKind::Group(numbers) => numbers.contains(&number),
        _ => false,
    };
    let call = order.event().map_or(0, |event| event.attempt);
    let of = order.event().and_then(|event| event.intent);
    let id = of.and_then(|at| order.all.as_ref()?.intents.get(at)).map(|(_, view)| view.intent_id.clone());
    let item = if holds {
        order.item.clone()
    } else {
        Item::load(&*case, case.intent_row(number), model.told(Place::Detail))
    };
    let is = |(of, a): &(usize, &crate::judge::view::AttemptView)| {
        a.number == call && item.intents.get(*of).map(|view| &view.intent_id) == id.as_ref()
    };
    let attempt = item.attempts().position(|pair| is(&pair)).unwrap_or(0);
    let scroll = Scroll { follow: true, ..Scroll::default() };
    let detail = Detail { item, pane: Pane::Tried, attempt, effect: 0, stacked: false, scroll };
    model.layers.push(Layer::Detail(Box::new(detail)));
}
