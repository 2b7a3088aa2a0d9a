//! A sink that writes down what it gets, for tests: one line of words per event, fields that are there only.

use std::fmt::Write as _;

use super::event::{
    AmountField, AttemptEvent, EffectEvent, Field, Half, ProblemEvent, ReadBackEvent, RecordEvent, RunEvent,
    Sink, StateEvent,
};
use crate::model::row::{At, SourceNo};

/// What was told, in order.
#[derive(Debug, Default)]
pub struct Recording {
    /// One line per event: place, kind, fields.
    pub lines: Vec<String>,
    /// Records that were used beside those.
    pub used: u64,
}

impl Recording {
    /// All lines without their places.
    pub fn words(&self) -> Vec<&str> {
        self.lines.iter().map(|line| line.split_once(' ').map_or("", |(_, words)| words)).collect()
    }

    /// The places.
    pub fn places(&self) -> Vec<u64> {
        self.lines.iter().filter_map(|line| line.split_once(' ')?.0.parse().ok()).collect()
    }

    fn add(&mut self, at: At, kind: &str, fields: &[(&str, Option<&str>)]) {
        let mut line = format!("{} {kind}", at.place());
        for (name, value) in fields {
            if let Some(value) = value {
                let _ = write!(line, " {name}={value}");
            }
        }
        self.lines.push(line);
    }
}

fn amount(field: Option<&AmountField<'_>>) -> Option<String> {
    field.map(|field| match field {
        AmountField::Major(text) => format!("{text}"),
        AmountField::Minor(text) => format!("{text}m"),
        AmountField::Real(text) => format!("{text}r"),
    })
}

fn bytes(raw: Option<&[u8]>) -> Option<String> {
    raw.map(|raw| String::from_utf8_lossy(raw).into_owned())
}

fn text<'f>(field: &'f Field<'_>) -> Option<&'f str> {
    field.as_deref()
}

fn flag(is: bool) -> Option<&'static str> {
    is.then_some("yes")
}

fn truth(is: Option<bool>) -> Option<&'static str> {
    is.map(|is| if is { "yes" } else { "no" })
}

impl Sink for Recording {
    fn run(&mut self, at: At, e: &RunEvent<'_>) {
        let fields = [
            ("run", text(&e.run_id)),
            ("scenario", text(&e.scenario)),
            ("agent", text(&e.agent)),
            ("model", text(&e.model)),
        ];
        self.add(at, "run", &fields);
    }

    fn attempt(&mut self, at: At, e: &AttemptEvent<'_>) {
        let kind = match e.half {
            Half::Both => "attempt",
            Half::Start => "start",
            Half::End => "end",
        };
        let http = e.http.map(|http| http.to_string());
        let fields = [
            ("id", text(&e.attempt_id)),
            ("op", text(&e.operation_id)),
            ("intent", text(&e.intent_id)),
            ("key", text(&e.key)),
            ("run", text(&e.run_id)),
            ("agent", text(&e.agent)),
            ("model", text(&e.model)),
            ("decision", text(&e.decision_id)),
            ("turn", text(&e.turn)),
            ("tool", text(&e.tool)),
            ("business", text(&e.business_id)),
            ("party", text(&e.party)),
            ("amount", amount(e.amount.as_ref()).as_deref()),
            ("currency", text(&e.currency)),
            ("payload", bytes(e.payload).as_deref()),
            ("sent", text(&e.sent)),
            ("ended", text(&e.ended)),
            ("outcome", text(&e.outcome)),
            ("error", text(&e.error)),
            ("http", http.as_deref()),
            ("is_error", truth(e.is_error)),
            ("receipt", text(&e.receipt)),
            ("named", flag(e.receipt_named)),
            ("reused", flag(e.reused)),
            ("replayed", flag(e.replayed)),
            ("read", truth(e.read)),
            ("part", text(&e.part)),
            ("cut", flag(e.cut)),
            ("answered", e.answered.map(|at| at.to_string()).as_deref()),
            ("unseen", flag(e.unseen)),
        ]
        .map(|(name, value)| (name, value.map(str::to_owned)));
        let fields: Vec<(&str, Option<&str>)> =
            fields.iter().map(|(name, value)| (*name, value.as_deref())).collect();
        self.add(at, kind, &fields);
    }

    fn record(&mut self, at: At, e: &RecordEvent<'_>) {
        let fields = [
            ("intent", text(&e.intent_id)),
            ("op", text(&e.operation_id)),
            ("kind", text(&e.kind)),
            ("business", text(&e.business_id)),
            ("party", text(&e.party)),
            ("amount", amount(e.amount.as_ref()).as_deref()),
            ("currency", text(&e.currency)),
            ("count", text(&e.count)),
            ("min", text(&e.count_min)),
            ("max", text(&e.count_max)),
            ("accept", bytes(e.accept).as_deref()),
            ("attrs", bytes(e.attrs).as_deref()),
            ("key", text(&e.key)),
            ("parent", text(&e.parent_id)),
            ("relation", text(&e.relation)),
            ("deadline", text(&e.deadline)),
            ("ts", text(&e.ts)),
            ("file", flag(e.from_file)),
        ]
        .map(|(name, value)| (name, value.map(str::to_owned)));
        let fields: Vec<(&str, Option<&str>)> =
            fields.iter().map(|(name, value)| (*name, value.as_deref())).collect();
        self.add(at, "record", &fields);
    }

    fn state(&mut self, at: At, e: &StateEvent<'_>) {
        let fields = [
            ("intent", text(&e.intent_id)),
            ("op", text(&e.operation_id)),
            ("from", text(&e.from)),
            ("to", text(&e.to)),
            ("deadline", text(&e.deadline)),
            ("ts", text(&e.ts)),
        ];
        self.add(at, "state", &fields);
    }

    fn read_back(&mut self, at: At, e: &ReadBackEvent<'_>) {
        let fields = [
            ("intent", text(&e.intent_id)),
            ("op", text(&e.operation_id)),
            ("source", text(&e.source)),
            ("result", text(&e.result)),
            ("ts", text(&e.ts)),
        ];
        self.add(at, "readback", &fields);
    }

    fn set_aside(&mut self, at: At, rule: &'static str, event: &EffectEvent<'_>) {
        let amount = amount(event.amount.as_ref());
        let currency = text(&event.currency);
        self.add(at, &format!("aside ({rule})"), &[("amount", amount.as_deref()), ("currency", currency)]);
    }

    fn effect(&mut self, at: At, e: &EffectEvent<'_>) {
        let fields = [
            ("id", text(&e.effect_id)),
            ("op", text(&e.operation_id)),
            ("key", text(&e.key)),
            ("business", text(&e.business_id)),
            ("party", text(&e.party)),
            ("external", text(&e.external_ref)),
            ("derived", text(&e.derived_key)),
            ("amount", amount(e.amount.as_ref()).as_deref()),
            ("currency", text(&e.currency)),
            ("committed", text(&e.committed)),
            ("utc", flag(e.committed_utc)),
            ("status", text(&e.status)),
            ("kind", text(&e.kind)),
            ("reverses", text(&e.reverses)),
            ("part", text(&e.part)),
            ("outside", flag(!e.in_scope)),
            ("whole", flag(e.whole != 0)),
            ("captured", amount(e.captured.as_ref()).as_deref()),
            ("of_run", flag(e.of_run)),
            ("changed", text(&e.changed)),
            ("stage", (e.stage > 0).then(|| e.stage.to_string()).as_deref()),
        ]
        .map(|(name, value)| (name, value.map(str::to_owned)));
        let fields: Vec<(&str, Option<&str>)> =
            fields.iter().map(|(name, value)| (*name, value.as_deref())).collect();
        self.add(at, "effect", &fields);
    }

    fn problem(&mut self, at: At, event: ProblemEvent) {
        let quiet = if event.affects_result { "" } else { " (no effect on the result)" };
        self.lines.push(format!("{} {} {}{quiet}", at.place(), event.code, event.what));
    }

    fn skipped(&mut self, _: SourceNo, rule: &'static str) {
        self.lines.push(format!("- skipped {rule}"));
    }

    fn used(&mut self, _: SourceNo) {
        self.used += 1;
    }
}

/// Reads a text as a source of this kind, with these options.
pub fn read(what: super::spec::What, options: super::spec::Options, text: &str) -> Recording {
    let spec = spec(what, options, text.as_bytes());
    let opened = super::open::open(&spec, &super::open::Hints::default()).unwrap();
    let mut out = Recording::default();
    opened.read_all(SourceNo(0), &std::sync::Arc::default(), &mut out).unwrap();
    out
}

/// A source in memory.
pub fn spec(what: super::spec::What, options: super::spec::Options, bytes: &[u8]) -> super::spec::SourceSpec {
    super::spec::SourceSpec {
        id: "s".to_owned(),
        what,
        location: super::spec::Location::Memory(bytes.into()),
        shown: "source".to_owned(),
        format: None,
        options,
    }
}

/// A mapping from pairs of field and column.
pub fn mapped(columns: &[(&str, &str)]) -> super::spec::Options {
    let column = |column: &str| super::spec::Column::From {
        column: column.to_owned(),
        prefix: None,
        zone: None,
        resolution_ms: None,
    };
    super::spec::Options {
        columns: columns.iter().map(|(field, name)| ((*field).to_owned(), column(name))).collect(),
        ..Default::default()
    }
}
