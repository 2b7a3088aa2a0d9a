//! Jepsen histories: EDN, one operation a line or a list of them, and the lines of its log.
//!
//! `:ok` must have happened, `:fail` must not, `:info` may have. An invocation and its end are those of one process.
//! Times are those since the begin of the test and no times of a clock, so none is read.

use super::answer::Answers;
use super::calls::{Answer, Call, Calls, NO_CALL, Record, TraceReader};
use super::table::Setup;
use super::told::{Told, silence};
use crate::sources::edn;
use crate::sources::event::rule;
use crate::sources::json::Node;

/// The rule of operations of the nemesis: they make faults, not effects.
const NEMESIS: &str = "operation of the nemesis";

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn TraceReader> {
    Box::new(Jepsen { answers: Answers::new() })
}

#[derive(Debug)]
struct Jepsen {
    answers: Answers,
}

/// One operation.
#[derive(Debug, Default)]
struct Op {
    kind: String,
    f: String,
    process: String,
    /// As JSON.
    value: String,
    /// As JSON.
    error: String,
}

impl Op {
    /// From an operation in EDN, as JSON.
    fn of_json(json: &str) -> Self {
        let node = Node::new(json.as_bytes(), 0);
        let text = |name: &str| node.text_of(name).unwrap_or_default().into_owned();
        let value = |name: &str| {
            node.get(name).map_or_else(String::new, |node| String::from_utf8_lossy(node.raw()).into_owned())
        };
        Self {
            kind: text("type"),
            f: text("f"),
            process: text("process"),
            value: value("value"),
            error: value("error"),
        }
    }

    /// From a line of the log: process, type, function, value and perhaps an error, with tabs between them.
    fn of_log(line: &str) -> Option<Self> {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        let at = cells.iter().position(|cell| matches!(*cell, ":invoke" | ":ok" | ":fail" | ":info"))?;
        let cell = |number: usize| cells.get(number).copied().unwrap_or_default();
        let process = cell(at.checked_sub(1)?).split_whitespace().next_back()?;
        let json = |text: &str| edn::to_json(text).ok().filter(|json| json != "null").unwrap_or_default();
        Some(Self {
            kind: cell(at).trim_start_matches(':').to_owned(),
            f: cell(at + 1).trim_start_matches(':').to_owned(),
            process: process.trim_start_matches(':').to_owned(),
            value: json(cell(at + 2)),
            error: json(cell(at + 3)),
        })
    }
}

impl Jepsen {
    fn op(&mut self, op: &Op, at: u64, record: &Record<'_>, calls: &mut Calls<'_>) {
        if op.process.is_empty() || op.process.parse::<i64>().is_err() {
            return calls.skip(NEMESIS);
        }
        if op.kind == "invoke" {
            let mut call = Call::at(at);
            call.cut = !record.ended;
            call.fields.maybe("tool", Some(&op.f));
            if op.value.starts_with('{') {
                call.fields.token("arguments", op.value.as_bytes());
            } else if !op.value.is_empty() {
                call.fields.token("arguments", format!("{{\"value\":{}}}", op.value).as_bytes());
            }
            calls.open(&op.process, call);
            return;
        }
        let mut answer = match op.kind.as_str() {
            "ok" => {
                let value = Some(Node::new(op.value.as_bytes(), 0)).filter(|_| op.value.starts_with('{'));
                // What the operation is named to have done is no text of a tool: `:ok` is the outcome.
                Answer { told: Told::Yes, ..self.answers.of(value, None) }
            }
            "fail" => Answer::told(Told::Refused),
            "info" => {
                let error = if op.error.is_empty() { &op.value } else { &op.error };
                Answer::told(silence(&error.replace('-', " ")).unwrap_or(Told::Pending))
            }
            other => return calls.refuse(format!("the type {other:?} is none of invoke, ok, fail and info")),
        };
        if op.kind != "ok" && !op.error.is_empty() {
            answer.fields.token("error", op.error.as_bytes()).maybe("text", Some(&op.error));
        }
        answer.at = Some(at);
        if !calls.close(&op.process, answer) {
            calls.skip(NO_CALL);
        }
    }
}

impl TraceReader for Jepsen {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let Ok(text) = std::str::from_utf8(record.bytes) else { return calls.refuse("not UTF-8") };
        let trimmed = text.trim_start();
        let edn = ["{", "[", "#", "(", ";", "]", ")"].iter().any(|begin| trimmed.starts_with(begin));
        if !edn {
            return match Op::of_log(text) {
                Some(op) => self.op(&op, record.at, record, calls),
                None => calls.noise(rule::NOISE),
            };
        }
        let forms = edn::forms(text);
        let mut told = false;
        for form in forms {
            let written = text.get(form.offset..form.offset + form.len).unwrap_or_default();
            match form.json {
                Ok(json) => self.op(&Op::of_json(&json), record.at + form.offset as u64, record, calls),
                // The end of a list that began lines above.
                Err(_) if matches!(written, "]" | ")") => continue,
                Err(_) if !record.ended => calls.refuse(crate::sources::format::CUT),
                Err(what) => calls.refuse(format!("not EDN: {what}")),
            }
            told = true;
        }
        if !told {
            calls.skip(rule::NOISE);
        }
    }
}

#[cfg(test)]
mod tests;
