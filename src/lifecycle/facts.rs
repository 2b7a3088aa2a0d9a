//! What the operator, reconciliation or the gate saw of one intent: values only, all texts ready.
//!
//! [`Facts::of`] takes them from what `recount show` shows; the book adds what was recorded.

use crate::canon;
use crate::judge::findings;
use crate::judge::judgement::{Class as Judged, ExpectedFrom};
use crate::judge::view::{EffectView, IntentView, SourceView};
use crate::model::money::{Money, Total};
use crate::model::outcome::Class;
use crate::model::row::{Seen, State, Status};
use crate::model::time::{Instant, Micros, Res, clock, rfc3339};
use crate::model::units::Units;

use super::policy::Weight;

/// One linked row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Source and effect id: `payments/rf_4813`.
    pub name: String,
    /// State.
    pub status: Status,
    /// Its source is a copy of another.
    pub copy: bool,
    /// It takes an effect back, or is taken back.
    pub undone: bool,
    /// Ordinal of the effect: equal for one effect in several sources.
    pub ident: u32,
    /// Amount in words; empty where there is none.
    pub amount: String,
}

/// A call that writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Attempt id.
    pub id: String,
    /// When it was sent.
    pub sent: Micros,
    /// When it ended, or when its time was over; [`Micros::NONE`] without times.
    pub ended: Micros,
    /// What the caller was told.
    pub told: String,
    /// Class of that.
    pub class: Class,
}

/// A read-back that may be evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// Its id: `rb_15`.
    pub id: String,
    /// The intent that it was made for.
    pub intent_id: String,
    /// The source that was read.
    pub source: String,
    /// When the read began.
    pub at: Micros,
    /// What it found.
    pub seen: Seen,
    /// Why it could not be read, or what differs.
    pub detail: String,
    /// Not through the write path.
    pub independent: bool,
    /// It is a stored answer that was played back.
    pub replayed: bool,
    /// Made by a person.
    pub manual: bool,
}

/// Whether an absence is proven (`4-sources.md` 4.3), in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cover {
    /// It is.
    pub covered: bool,
    /// What failed, by condition.
    pub failed: Vec<(String, String)>,
    /// From when on a listing can cover; [`Micros::NONE`] where unknown.
    pub from: Micros,
    /// What was read of the source that came nearest: `payments-eu.csv read 09:01:30Z, newest row 08:39:10Z (row 48177)`.
    pub read: String,
    /// Meaning and kinds of that source are declared, not assumed.
    pub declared: bool,
    /// The meaning of that source is declared as moving money.
    pub moves_money: bool,
    /// It rests on `--ledger-final`.
    pub final_by_declaration: bool,
    /// It is a live primary, on which the snapshot rule could be declared.
    pub live: bool,
}

/// What is known of one intent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Intent id.
    pub intent_id: String,
    /// Kind.
    pub kind: String,
    /// State; `None` where nothing was recorded and nothing was sent.
    pub state: Option<State>,
    /// The state is recorded (book or trace), not derived.
    pub recorded: bool,
    /// It is divergent or undecided: what a disposition is for.
    pub in_question: bool,
    /// Version in the book; 0 where the book does not know it.
    pub version: u64,
    /// When it came into its state, and by whom.
    pub since: Micros,
    /// Who moved it there.
    pub by: String,
    /// Deadline; [`Micros::NONE`] without.
    pub deadline: Micros,
    /// Write calls in order.
    pub calls: Vec<Call>,
    /// Linked rows.
    pub rows: Vec<Row>,
    /// Open suggestions.
    pub suggestions: u32,
    /// Least and most effects expected.
    pub expected: (u32, u32),
    /// Live effects, where they count.
    pub live: u32,
    /// Expected total in words; empty without.
    pub expected_total: String,
    /// Live total in words.
    pub live_total: String,
    /// What differs from the expectation: (word of `--acknowledge`, expected, read).
    pub differs: Vec<(&'static str, String, String)>,
    /// Amount of a decision on it.
    pub weight: Weight,
    /// Absence.
    pub cover: Cover,
    /// Read-backs, of trace and book.
    pub reads: Vec<Read>,
    /// The note before; empty without.
    pub last_note: String,
    /// Digest of rows, attempts and expectation.
    pub fingerprint: String,
}

/// Words of `--acknowledge`.
pub const ACKNOWLEDGE: [&str; 6] = ["duplicate", "count", "amount", "currency", "attribute", "more-may-land"];

impl Facts {
    /// Facts of an intent as it is shown, before the book adds its part.
    pub fn of(view: &IntentView, units: &Units, sources: &[SourceView], now: Micros) -> Self {
        let j = &view.judgement;
        let calls: Vec<Call> =
            view.attempts.iter().filter(|a| !a.read).map(|a| call(a, view.timeout)).collect();
        let rows = view.effects.iter().map(|e| row(e, units, sources)).collect();
        let last = view.states.last();
        let mut facts = Self {
            intent_id: view.intent_id.clone(),
            kind: view.kind.clone(),
            state: j.state,
            recorded: j.state_recorded,
            in_question: j.divergent || matches!(j.class, Judged::Violation | Judged::Undecided),
            version: 0,
            since: last.map_or(j.since, |s| s.when),
            by: last.map(|s| s.actor.clone()).unwrap_or_default(),
            deadline: j.deadline,
            calls,
            rows,
            suggestions: u32::try_from(view.open_rows.len()).unwrap_or(u32::MAX),
            expected: (j.min, j.max),
            live: j.net,
            expected_total: j.expected.map(|m| units.show(m)).unwrap_or_default(),
            live_total: live_words(view, units),
            differs: differs(view, units),
            weight: weight(view),
            cover: cover(view, sources, now),
            reads: Vec::new(),
            last_note: String::new(),
            fingerprint: fingerprint(view, units, sources),
        };
        facts.reads = view
            .reads
            .iter()
            .map(|r| Read {
                id: r.place.clone(),
                intent_id: view.intent_id.clone(),
                source: r.source.clone(),
                at: r.when,
                seen: r.seen,
                detail: r
                    .differs
                    .as_ref()
                    .map(|(f, e, r)| format!("{f}: expected {e}, read {r}"))
                    .unwrap_or_default(),
                independent: sources.iter().any(|s| s.id == r.source && s.role != "write_path"),
                replayed: false,
                manual: false,
            })
            .collect();
        facts
    }

    /// Its deadline has passed.
    pub fn overdue(&self, now: Micros) -> bool {
        !self.deadline.is_none() && now > self.deadline
    }

    /// End of the last call; [`Micros::NONE`] without times.
    pub fn last_ended(&self) -> Micros {
        self.calls.iter().map(|c| c.ended).max().unwrap_or(Micros::NONE)
    }

    /// Live rows where the effect happens, and those in a copy only.
    pub fn live_rows(&self, copy: bool) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |r| r.status == Status::Live && !r.undone && r.copy == copy)
    }

    /// Rows on their way.
    pub fn on_its_way(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|r| r.status == Status::OnItsWay)
    }

    /// The word of its state.
    pub fn state_word(&self) -> &'static str {
        self.state.map_or("unrecorded", State::word)
    }
}

fn call(a: &crate::judge::view::AttemptView, timeout: i64) -> Call {
    let ended = if a.ended.is_none() {
        if a.sent.is_none() { Micros::NONE } else { a.sent.at.plus(timeout) }
    } else {
        a.ended.end()
    };
    let told = if a.outcome_word.is_empty() { "no answer".to_owned() } else { a.outcome_word.clone() };
    Call { id: a.id.clone(), sent: a.sent.at, ended, told, class: a.class }
}

fn row(e: &EffectView, units: &Units, sources: &[SourceView]) -> Row {
    let source = sources.get(e.source).map(|s| s.id.as_str()).unwrap_or_default();
    Row {
        name: format!("{source}/{}", e.name),
        status: e.status,
        copy: e.copy,
        undone: e.reversal || e.reversed,
        ident: e.ident,
        amount: e.amount.map(|m| units.show(m)).or_else(|| e.unreadable.clone()).unwrap_or_default(),
    }
}

fn live_words(view: &IntentView, units: &Units) -> String {
    let shown: Vec<String> = view.totals.iter().map(|(unit, total)| units.show_total(unit, total)).collect();
    shown.join(", ")
}

/// What a confirmation has to name, with both sides.
fn differs(view: &IntentView, units: &Units) -> Vec<(&'static str, String, String)> {
    let j = &view.judgement;
    let mut differs = Vec::new();
    let range = if j.min == j.max { j.min.to_string() } else { format!("{} to {}", j.min, j.max) };
    if j.net > j.max {
        differs.push(("duplicate", range, j.net.to_string()));
    } else if j.net < j.min && j.net > 0 {
        differs.push(("count", range, j.net.to_string()));
    }
    if let Some(expected) = j.expected.filter(|_| j.net > 0) {
        let shown = units.show(expected);
        let other = view.totals.iter().any(|(unit, total)| unit != expected.unit && !total.is_zero());
        if other {
            differs.push(("currency", shown.clone(), live_words(view, units)));
        } else {
            let live = view.totals.get(expected.unit).and_then(Total::exact);
            if j.unreadable > 0 || live != Some(expected.amount.wide()) {
                let read = if j.unreadable > 0 { "unreadable".to_owned() } else { live_words(view, units) };
                differs.push(("amount", shown, read));
            }
        }
    }
    if let Some((field, expected, read)) = &view.attribute {
        differs.push(("attribute", format!("{field} {expected}"), read.clone()));
    }
    if j.found & findings::MORE_MAY_LAND != 0 && j.net > 0 {
        differs.push((
            "more-may-land",
            "nothing more can land".to_owned(),
            "a call may still act".to_owned(),
        ));
    }
    differs
}

/// The largest of the expected total, the total of the live rows, and what the calls asked for where nothing is expected.
fn weight(view: &IntentView) -> Weight {
    let j = &view.judgement;
    let mut amounts: Vec<Money> = Vec::new();
    let mut unreadable = j.unreadable > 0;
    let mut add = |money: Money| {
        if !money.unit.is_named() {
            return false;
        }
        match amounts.iter_mut().find(|m| m.unit == money.unit) {
            Some(known) => known.amount = known.amount.max(money.amount),
            None => amounts.push(money),
        }
        true
    };
    let calls = view.attempts.iter().filter(|a| !a.read && j.expected.is_none()).filter_map(|a| a.amount);
    for money in j.expected.into_iter().chain(calls) {
        unreadable |= !add(money);
    }
    for (unit, total) in view.totals.iter().filter(|(_, total)| !total.is_zero()) {
        let exact = total.exact().and_then(|wide| Some((i64::try_from(wide.digits).ok()?, wide.scale)));
        unreadable |= !exact.is_some_and(|(digits, scale)| {
            add(Money::new(unit, crate::model::money::Amount { digits, scale }))
        });
    }
    match (unreadable, amounts.is_empty()) {
        (true, _) => Weight::Unreadable,
        (false, true) => Weight::None,
        (false, false) => Weight::Money(amounts),
    }
}

fn cover(view: &IntentView, sources: &[SourceView], now: Micros) -> Cover {
    let j = &view.judgement;
    let source = view.deciding_source.and_then(|no| sources.get(no));
    let time = |at: Micros| format!("{}Z", clock(Instant { at, res: Res::Second }, now));
    let read = source.map(|s| {
        let at = s.read_at.map_or("time not known".to_owned(), time);
        let newest = s.newest.map_or("no row".to_owned(), |at| format!("newest row {}", time(at)));
        let position = if s.position.is_empty() { String::new() } else { format!(" ({})", s.position) };
        format!("{} read {at}, {newest}{position}", s.path)
    });
    let mut failed: Vec<(String, String)> =
        view.uncovered.iter().map(|(code, words)| ((*code).to_owned(), words.clone())).collect();
    if !j.covered && failed.is_empty() {
        failed.push(("C9".to_owned(), "a ledger that records this kind of call was not read".to_owned()));
    }
    Cover {
        covered: j.covered,
        failed,
        from: j.covered_from,
        read: read.unwrap_or_else(|| "no ledger that could hold it was read".to_owned()),
        declared: source.is_some_and(|s| !s.meaning_assumed && !s.holds.is_empty()),
        moves_money: source.is_some_and(|s| s.meaning != "copy" && !s.meaning_assumed),
        final_by_declaration: source.is_some_and(|s| s.final_by_declaration),
        live: source.is_some_and(|s| s.live),
    }
}

/// Digest of what a decision rests on: expectation, calls, rows, suggestions. Another row or another answer gives
/// another digest.
fn fingerprint(view: &IntentView, units: &Units, sources: &[SourceView]) -> String {
    let j = &view.judgement;
    let money = |m: Option<Money>| m.map(|m| units.show(m));
    let source = |no: usize| sources.get(no).map(|s| s.id.as_str()).unwrap_or_default();
    let from = match j.expected_from {
        ExpectedFrom::Record | ExpectedFrom::File => "said",
        ExpectedFrom::Assumed => "assumed",
    };
    let calls: Vec<serde_json::Value> = view
        .attempts
        .iter()
        .filter(|a| !a.read)
        .map(|a| {
            serde_json::json!([
                a.id,
                rfc3339(a.sent.at),
                rfc3339(a.ended.at),
                a.outcome_word,
                a.key,
                money(a.amount)
            ])
        })
        .collect();
    let rows = |rows: &[EffectView]| -> Vec<serde_json::Value> {
        let mut rows: Vec<String> = rows
            .iter()
            .map(|e| {
                serde_json::json!([
                    source(e.source),
                    e.name,
                    format!("{:?}", e.status),
                    e.reversal,
                    e.reversed,
                    money(e.amount),
                    e.unreadable
                ])
                .to_string()
            })
            .collect();
        rows.sort();
        rows.into_iter().map(serde_json::Value::String).collect()
    };
    let all = serde_json::json!({
        "expected": [from, j.min, j.max, money(j.expected)],
        "calls": calls,
        "rows": rows(&view.effects),
        "maybe": rows(&view.open_rows),
    });
    canon::hash(&all.to_string()).unwrap_or_default()
}
