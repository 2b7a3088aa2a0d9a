//! The native trace, `recount.trace.v1`: one JSON object per line (`7-commands.md` 8.1).

use crate::model::row::{Seen, State};
use crate::sources::event::{Half, ReadBackEvent, RecordEvent, RunEvent, Sink, StateEvent, rule};
use crate::sources::expect::Records;
use crate::sources::format::{Format, Raw, Scratch, refuse};
use crate::sources::json::{Parser, Reader, Slots, Want, WantError};
use crate::sources::mapping::{Layout, MappingError, Plan};
use crate::sources::names::{FieldNames, trace};
use crate::sources::near::did_you_mean;
use crate::sources::row::Row;
use crate::sources::spec::Options;

use super::{attempt, with_arguments};

/// Event names of `7-commands.md` 8.1.
pub const EVENTS: [&str; 8] = [
    "attempt",
    "attempt_started",
    "attempt_finished",
    "intent_recorded",
    "state_changed",
    "readback",
    "run_started",
    "run_completed",
];

const TS: usize = 29;
const EVENT: usize = 30;
const ROLE: usize = 31;

const fn own(field: &'static str, names: &'static [&'static str]) -> FieldNames {
    FieldNames { field, names, prefix: "", inside: false }
}

/// The fields of attempt lines: the slots of [`trace::TABLE`] with the names of the native format.
const TABLE: &[FieldNames] = &[
    trace::TABLE[0],
    trace::TABLE[1],
    trace::TABLE[2],
    trace::TABLE[3],
    trace::TABLE[4],
    trace::TABLE[5],
    trace::TABLE[6],
    trace::TABLE[7],
    trace::TABLE[8],
    trace::TABLE[9],
    own("intent_id", &["intent_id"]),
    own("attempt_id", &["attempt_id"]),
    own("attempt", &[]),
    own("tool", &["tool"]),
    own("arguments", &["payload"]),
    own("sent_at", &["sent_at"]),
    own("ended_at", &["ended_at"]),
    own("outcome", &["outcome"]),
    own("receipt", &["receipt"]),
    own("effect_id", &[]),
    own("run_id", &["run_id"]),
    own("decision_id", &["decision_id"]),
    own("turn", &["turn"]),
    own("agent", &["agent"]),
    own("model", &["model"]),
    own("is_error", &["is_error"]),
    own("reused", &["reused"]),
    own("replayed", &["replayed"]),
    own("error", &["error_code", "error.code", "error"]),
    own("ts", &["ts"]),
    own("event", &["event"]),
    own("role", &["role"]),
];

/// The fields of state changes, read-backs and runs.
const CHANGES: [&[&str]; 11] = [
    &["intent_id"],
    &["operation_id"],
    &["from"],
    &["to"],
    &["deadline"],
    &["ts"],
    &["source"],
    &["result"],
    &["run_id"],
    &["scenario"],
    &["agent"],
];
const MODEL: usize = CHANGES.len();

/// Reads a native trace.
#[derive(Debug)]
pub struct Native {
    plan: Plan,
    want: Want,
    inside: Want,
    records: Records,
    changes: Want,
}

impl Native {
    /// The native format; a mapping may say where ids and amounts stand in the payload.
    ///
    /// # Errors
    /// When the mapping does not fit.
    pub fn new(options: &Options, partitions: &[String]) -> Result<Self, MappingError> {
        let layout = Layout::new(TABLE, options, partitions)?;
        let (want, inside) = layout.wants(&[], true)?;
        Ok(Self {
            plan: layout.plan().clone(),
            want,
            inside,
            records: Records::native()?,
            changes: changes()?,
        })
    }

    fn call<S: Sink>(&self, half: Half, slots: &Slots<'_>, raw: Raw<'_>, scratch: &mut Scratch, out: &mut S) {
        let role = Row::text(slots, ROLE);
        let read = match role.as_deref() {
            None => None,
            Some("read") => Some(true),
            Some("write") => Some(false),
            Some(other) => {
                return refuse(
                    out,
                    raw,
                    false,
                    format!("the role {other:?} is not known; known are read and write"),
                );
            }
        };
        with_arguments(slots, scratch, |call, payload, scratch| {
            let mut event = attempt(call, &self.plan, payload, &mut scratch.buffers);
            let ts = Row::text(slots, TS);
            match half {
                Half::Both => event.sent = event.sent.or(ts),
                Half::Start => (event.sent, event.ended) = (event.sent.or(ts), None),
                Half::End => (event.sent, event.ended) = (None, event.ended.or(ts)),
            }
            (event.half, event.read, event.cut) = (half, read, !raw.ended);
            if half == Half::End && event.attempt_id.is_none() {
                return refuse(out, raw, false, "attempt_finished without attempt_id".to_owned());
            }
            out.attempt(raw.at, &event);
        });
    }

    fn recorded<S: Sink>(&self, raw: Raw<'_>, scratch: &mut Scratch, out: &mut S) {
        let mut slots = Slots::new();
        let Some(reader) = scratch.second.as_mut() else {
            return;
        };
        if reader.read(raw.bytes, &mut slots).is_err() {
            return refuse(out, raw, false, "intent_recorded cannot be read".to_owned());
        }
        let event: RecordEvent<'_> = self.records.event(&slots, &mut scratch.buffers);
        if event.intent_id.is_none() && event.operation_id.is_none() {
            return refuse(
                out,
                raw,
                false,
                "intent_recorded with neither intent_id nor operation_id".to_owned(),
            );
        }
        out.record(raw.at, &event);
    }
}

fn changes() -> Result<Want, WantError> {
    let mut want = Want::exact(&CHANGES)?;
    want.add(MODEL, "model")?;
    Ok(want)
}

/// Reads what is no call: a change of state, a read-back, a run.
fn change<S: Sink>(event: &str, raw: Raw<'_>, scratch: &mut Scratch, out: &mut S) {
    let mut slots = Slots::new();
    let Some(reader) = scratch.third.as_mut() else {
        return;
    };
    if reader.read(raw.bytes, &mut slots).is_err() {
        return refuse(out, raw, false, format!("{event} cannot be read"));
    }
    let field = |slot: usize| Row::text(&slots, slot);
    let named = field(0).is_some() || field(1).is_some();
    match event {
        "run_started" => {
            let event =
                RunEvent { run_id: field(8), scenario: field(9), agent: field(10), model: field(MODEL) };
            out.run(raw.at, &event);
        }
        _ if !named => refuse(out, raw, false, format!("{event} with neither intent_id nor operation_id")),
        "state_changed" => {
            // State words are ours: what is not one of the four is not guessed (`1-model.md` 1.4.6).
            let words = [("to", field(3)), ("from", field(2))];
            for (which, word) in &words {
                if let Some(word) = word.as_deref().filter(|word| State::from_word(word).is_none()) {
                    let near = did_you_mean(word, State::ALL.iter().map(|(_, name)| *name));
                    return refuse(
                        out,
                        raw,
                        false,
                        format!("the state {word:?} in `{which}` is not known{near}"),
                    );
                }
            }
            if words.first().is_none_or(|(_, to)| to.is_none()) {
                return refuse(out, raw, false, "state_changed without `to`".to_owned());
            }
            let event = StateEvent {
                intent_id: field(0),
                operation_id: field(1),
                from: field(2),
                to: field(3),
                deadline: field(4),
                ts: field(5),
            };
            out.state(raw.at, &event);
        }
        _ => {
            // A word that says too little proves nothing; H23 reads it again.
            let mixed = |word: &str| Seen::COLLAPSED.contains(&word);
            let result =
                field(7).map(|word| if mixed(&word) { Seen::Unreadable.word().into() } else { word });
            match result.as_deref() {
                None => return refuse(out, raw, false, "readback without `result`".to_owned()),
                Some(word) if Seen::from_word(word).is_none() => {
                    let near = did_you_mean(word, Seen::ALL.iter().map(|(_, name)| *name));
                    return refuse(
                        out,
                        raw,
                        false,
                        format!("the result {word:?} of a readback is not known{near}"),
                    );
                }
                Some(_) => {}
            }
            let event = ReadBackEvent {
                intent_id: field(0),
                operation_id: field(1),
                source: field(6),
                result,
                ts: field(5),
            };
            out.read_back(raw.at, &event);
        }
    }
}

impl Format for Native {
    fn want(&self) -> &Want {
        &self.want
    }

    fn scratch(&self, parser: Parser) -> Scratch {
        Scratch {
            arguments: Some(Reader::new(self.inside.clone(), parser)),
            second: Some(Reader::new(self.records.want().clone(), parser)),
            third: Some(Reader::new(self.changes.clone(), parser)),
            ..Scratch::default()
        }
    }

    fn is_ledger(&self) -> bool {
        false
    }

    #[inline]
    fn record<S: Sink>(&self, slots: &Slots<'_>, raw: Raw<'_>, scratch: &mut Scratch, out: &mut S) {
        let event = Row::text(slots, EVENT);
        match event.as_deref() {
            Some("attempt") => self.call(Half::Both, slots, raw, scratch, out),
            Some("attempt_started") => self.call(Half::Start, slots, raw, scratch, out),
            Some("attempt_finished") => self.call(Half::End, slots, raw, scratch, out),
            Some("intent_recorded") => self.recorded(raw, scratch, out),
            Some(name @ ("state_changed" | "readback" | "run_started")) => change(name, raw, scratch, out),
            Some("run_completed") => out.skipped(raw.at.source(), rule::RUN_COMPLETED),
            other => {
                // A record that names a call or an intent must not be lost because its kind is not known.
                let ours = [trace::ATTEMPT, trace::TOOL, trace::INTENT, 0]
                    .iter()
                    .any(|slot| slots.raw(*slot).is_some());
                if !ours {
                    return out.skipped_line(raw.at, rule::OTHER, raw.bytes);
                }
                let what = match other {
                    None => "it names a call or an intent but no `event`".to_owned(),
                    Some(name) => format!("the event {name:?} is not known{}", did_you_mean(name, EVENTS)),
                };
                refuse(out, raw, false, what);
            }
        }
    }
}

#[cfg(test)]
mod tests;
