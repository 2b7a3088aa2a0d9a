//! The trace that a run leaves: native lines, each written and flushed before the next thing happens.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::model::money::plain;
use crate::model::time::{Micros, rfc3339_millis};
use crate::report::pen::Pen;

use super::LabError;
use super::setup::{CURRENCY, EXPONENT, Fault, INTENT, Mode, OPERATION, ORDER, Policy, REFUND_MINOR, WRITE};

/// A trace that is being written.
pub struct Trace {
    file: File,
    path: PathBuf,
}

/// How a run begins.
pub struct Start<'a> {
    /// Its id.
    pub run_id: &'a str,
    /// Its scenario.
    pub scenario: &'a str,
    /// The policy.
    pub policy: Policy,
    /// The server.
    pub mode: Mode,
    /// The faults.
    pub faults: &'a [Fault],
}

/// A call that is about to be sent.
pub struct Sending<'a> {
    /// Its id.
    pub attempt: &'a str,
    /// The run.
    pub run_id: &'a str,
    /// The turn, from 1 on.
    pub turn: usize,
    /// The decision.
    pub decision: &'a str,
    /// The tool.
    pub tool: &'a str,
    /// Its arguments, JSON.
    pub payload: &'a str,
}

/// How a call ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// The outcome word.
    pub outcome: &'static str,
    /// The receipt; empty without one.
    pub receipt: String,
    /// The receipt is that of an earlier call.
    pub reused: bool,
    /// What was said.
    pub text: String,
}

/// A change of the recorded state.
#[derive(Clone, Debug)]
pub struct Change<'a> {
    /// Before.
    pub from: &'a str,
    /// After.
    pub to: &'a str,
    /// Who.
    pub actor: &'a str,
    /// Why; empty without a reason.
    pub reason: &'a str,
    /// Until when it must be settled, microseconds from the change on.
    pub deadline: Option<i64>,
}

/// A read of the store by the reconciler.
pub struct ReadBack<'a> {
    /// Number of the last row.
    pub position: i64,
    /// When that was committed.
    pub newest: &'a str,
    /// The operation was found.
    pub present: bool,
}

/// The time now, in microseconds.
pub fn now() -> Micros {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Micros(i64::try_from(since.as_micros()).unwrap_or_default())
}

impl Trace {
    /// Begins a trace.
    ///
    /// # Errors
    /// A file that is there already or cannot be written.
    pub fn create(path: &Path) -> Result<Self, LabError> {
        Self::open(path, OpenOptions::new().write(true).create_new(true))
    }

    /// Goes on with a trace; a last line that was cut off is ended first.
    ///
    /// # Errors
    /// A file that cannot be read or written.
    pub fn resume(path: &Path) -> Result<Self, LabError> {
        let bytes = std::fs::read(path).map_err(|why| LabError::file("read", path, &why))?;
        let mut trace = Self::open(path, OpenOptions::new().append(true))?;
        if bytes.last().is_some_and(|last| *last != b'\n') {
            trace.write("\n")?;
        }
        Ok(trace)
    }

    fn open(path: &Path, options: &OpenOptions) -> Result<Self, LabError> {
        let file = options.open(path).map_err(|why| LabError::file("write", path, &why))?;
        Ok(Self { file, path: path.to_owned() })
    }

    fn write(&mut self, text: &str) -> Result<(), LabError> {
        self.file.write_all(text.as_bytes()).map_err(|why| LabError::file("write", &self.path, &why))
    }

    fn line(&mut self, event: &str, at: Micros, members: impl FnOnce(&mut Pen)) -> Result<(), LabError> {
        let mut pen = Pen::new();
        pen.object(|pen| {
            pen.name("event").text(event);
            members(pen);
            pen.name("ts").text(&rfc3339_millis(at));
        });
        let mut line = pen.take();
        line.push('\n');
        self.write(&line)
    }

    /// The run begins.
    pub fn run_started(&mut self, start: &Start<'_>) -> Result<(), LabError> {
        self.line("run_started", now(), |pen| {
            pen.name("run_id").text(start.run_id);
            pen.name("scenario").text(start.scenario);
            pen.name("agent").text("scripted");
            pen.name("parallel_tool_calls").truth(false);
            pen.name("sdk_retries").number(0);
            pen.name("retry_policy").text(start.policy.word());
            pen.name("server").text(start.mode.word());
            pen.name("fault").text(&Fault::words(start.faults));
        })
    }

    /// What is intended, with its durable id.
    pub fn intent_recorded(&mut self) -> Result<(), LabError> {
        let at = now();
        self.line("intent_recorded", at, |pen| {
            pen.name("intent_id").text(INTENT);
            pen.name("operation_id").text(OPERATION);
            pen.name("kind").text("refund");
            pen.name("business_id").text(&format!("order:{ORDER}"));
            pen.name("amount").text(&plain(i128::from(REFUND_MINOR), EXPONENT));
            pen.name("currency").text(CURRENCY);
            pen.name("count").number(1);
            pen.name("key").text(OPERATION);
            pen.name("key_kind").text("operation_id");
            pen.name("key_origin").text("app");
            pen.name("key_minted_at").text(&rfc3339_millis(at));
            pen.name("storage").text("durable");
        })
    }

    /// A call is about to be sent.
    pub fn attempt_started(&mut self, sending: &Sending<'_>) -> Result<(), LabError> {
        self.line("attempt_started", now(), |pen| {
            pen.name("attempt_id").text(sending.attempt);
            pen.name("operation_id").text(OPERATION);
            pen.name("run_id").text(sending.run_id);
            pen.name("turn").number(sending.turn);
            pen.name("decision_id").text(sending.decision);
            pen.name("tool").text(sending.tool);
            if sending.tool == WRITE {
                pen.name("key").text(OPERATION);
            }
            pen.name("payload").token(sending.payload);
        })
    }

    /// A call has ended, as far as the caller knows. Gives the time that was written.
    pub fn attempt_finished(&mut self, attempt: &str, ended: &Ended) -> Result<Micros, LabError> {
        let at = now();
        self.line("attempt_finished", at, |pen| {
            pen.name("attempt_id").text(attempt);
            pen.name("outcome").text(ended.outcome);
            if !ended.receipt.is_empty() {
                pen.name("receipt").text(&ended.receipt);
            }
            if ended.reused {
                pen.name("reused").truth(true);
            }
            pen.name("text").text(&ended.text);
        })?;
        Ok(at)
    }

    /// The recorded state has changed.
    pub fn state_changed(&mut self, at: Micros, change: &Change<'_>) -> Result<(), LabError> {
        self.line("state_changed", at, |pen| {
            pen.name("intent_id").text(INTENT);
            pen.name("from").text(change.from);
            pen.name("to").text(change.to);
            pen.name("actor").text(change.actor);
            if !change.reason.is_empty() {
                pen.name("reason").text(change.reason);
            }
            if let Some(after) = change.deadline {
                pen.name("deadline").text(&rfc3339_millis(Micros(at.0.saturating_add(after))));
            }
        })
    }

    /// The reconciler has read the store.
    pub fn readback(&mut self, read: &ReadBack<'_>) -> Result<(), LabError> {
        self.line("readback", now(), |pen| {
            pen.name("id").text("rb_01");
            pen.name("intent_id").text(INTENT);
            pen.name("source").text("store");
            pen.name("query").text(&format!("operation_id = {OPERATION}"));
            pen.name("position").text(&format!("rowid {}", read.position));
            pen.name("newest_entry_at").text(read.newest);
            pen.name("result").text(if read.present { "present" } else { "absent" });
        })
    }

    /// The run is over.
    pub fn run_completed(&mut self, run_id: &str, final_text: &str) -> Result<(), LabError> {
        self.line("run_completed", now(), |pen| {
            pen.name("run_id").text(run_id);
            pen.name("final_text").text(final_text);
        })
    }
}
