//! One run: a scripted agent with a task, its client, a server that is started for it, and what both leave in a folder.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rmcp::model::JsonObject;
use serde::Deserialize;

use crate::model::money::plain;
use crate::model::time::Micros;
use crate::text::SafeText;

use super::agent::{Ending, Script, Seen, Step, next};
use super::client::{Answer, Connection, Patience, Program};
use super::fault::marker;
use super::journal::Journal;
use super::setup::{
    CURRENCY, EXPONENT, Fault, JOURNAL_FILE, Mode, OPERATION, ORDER, READ, REFUND_MINOR, STORE_FILE,
    TRACE_FILE, WRITE,
};
use super::store::{Row, Store};
use super::trace::{Change, Ended, ReadBack, Sending, Start, Trace, now};
use super::{LabError, go_on, runtime};

/// A run to make.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its scenario: `double-refund`.
    pub scenario: &'static str,
    /// What decides.
    pub script: Script,
    /// The server.
    pub mode: Mode,
    /// What goes wrong.
    pub faults: Vec<Fault>,
    /// This program, which is also the server.
    pub program: PathBuf,
    /// Where everything is left; it is there.
    pub folder: PathBuf,
    /// The client stops for good after it has sent its first refund, once this file is written: to be killed there.
    pub hold_after_send: Option<PathBuf>,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// How the agent ended.
    pub ending: Ending,
    /// What the store holds: the only thing that says what happened.
    pub rows: Vec<Row>,
    /// Faults that have struck.
    pub struck: Vec<Fault>,
}

/// How long an unknown may stay one, microseconds.
const UNKNOWN_FOR: i64 = 4 * 3600 * 1_000_000;

/// How long a client waits to be killed.
const HOLD: Duration = Duration::from_secs(600);

fn patience(faults: &[Fault]) -> Patience {
    // A delayed answer must come too late, but nobody wants to wait long for that.
    let call = if faults.contains(&Fault::Delay) { 700 } else { 10_000 };
    Patience {
        start: Duration::from_secs(20),
        call: Duration::from_millis(call),
        end: Duration::from_millis(300),
    }
}

/// Makes a run from its beginning.
///
/// # Errors
/// Files that cannot be written, a server that does not start; [`LabError::Stopped`] by the interrupt key.
pub fn run(plan: &Plan) -> Result<Ran, LabError> {
    let salt = u32::try_from(now().0.rem_euclid(1 << 32)).unwrap_or_default() ^ std::process::id();
    let run_id = format!("run_{}_{salt:08x}", plan.scenario.replace('-', "_"));
    let payload = arguments(WRITE);
    let journal = Journal::create(&plan.folder.join(JOURNAL_FILE), &run_id, payload)?;
    let mut trace = Trace::create(&plan.folder.join(TRACE_FILE))?;
    let start = Start {
        run_id: &run_id,
        scenario: plan.scenario,
        policy: plan.script.policy,
        mode: plan.mode,
        faults: &plan.faults,
    };
    trace.run_started(&start)?;
    trace.intent_recorded()?;
    let run = Run {
        plan,
        trace,
        journal,
        id: run_id,
        seen: Vec::new(),
        calls: 0,
        unknown: false,
        connection: None,
        last: now(),
    };
    finish(plan, run)
}

/// Goes on with a run whose client was killed: from its durable record, with the same operation id.
///
/// # Errors
/// As [`run`]; a record that is not there or says that the run has ended.
pub fn resume(plan: &Plan) -> Result<Ran, LabError> {
    let (mut journal, past) = Journal::resume(&plan.folder.join(JOURNAL_FILE))?;
    if past.ended {
        return Err(LabError::Other("this run has ended; there is nothing to resume".to_owned()));
    }
    let path = plan.folder.join(TRACE_FILE);
    let text = std::fs::read_to_string(&path).map_err(|why| LabError::file("read", &path, &why))?;
    let mut trace = Trace::resume(&path)?;
    let mut seen = past.seen;
    if let Some((attempt, reads)) = past.open {
        let has = |event: &str| text.contains(&format!("\"event\":\"{event}\",\"attempt_id\":\"{attempt}\""));
        let ended = Ended {
            outcome: "unknown",
            text: "the client ended before a result was received".to_owned(),
            ..Ended::default()
        };
        if has("attempt_started") && !has("attempt_finished") {
            trace.attempt_finished(&attempt, &ended)?;
        }
        let came = if reads { Seen::NoOrder } else { Seen::Lost };
        journal.outcome(&attempt, came)?;
        seen.push(came);
    }
    let run = Run {
        plan,
        trace,
        journal,
        id: past.run_id,
        seen,
        calls: past.calls,
        unknown: past.unknown,
        connection: None,
        last: now(),
    };
    finish(plan, run)
}

fn finish(plan: &Plan, mut run: Run<'_>) -> Result<Ran, LabError> {
    go_on()?;
    let runtime = runtime()?;
    let ending = runtime.block_on(async {
        let ending = tokio::select! {
            ending = run.go() => ending,
            _ = tokio::signal::ctrl_c() => Err(LabError::Stopped),
        };
        if let Some(connection) = run.connection.take() {
            connection.close().await;
        }
        ending
    });
    runtime.shutdown_background();
    let ending = ending?;
    let store = plan.folder.join(STORE_FILE);
    let struck: Vec<Fault> =
        plan.faults.iter().copied().filter(|fault| marker(&store, *fault).exists()).collect();
    // Opened for writing once more: a server that was ended inside a transaction left a journal to roll back.
    let rows = Store::open(&store, plan.mode)?.rows()?;
    for fault in &struck {
        let path = marker(&store, *fault);
        std::fs::remove_file(&path).map_err(|why| LabError::file("remove", &path, &why))?;
    }
    Ok(Ran { ending, rows, struck })
}

struct Run<'p> {
    plan: &'p Plan,
    trace: Trace,
    journal: Journal,
    id: String,
    seen: Vec<Seen>,
    calls: usize,
    /// The state was recorded as unknown.
    unknown: bool,
    connection: Option<Connection>,
    /// When the last call ended.
    last: Micros,
}

/// The arguments of a tool, as they are sent.
fn arguments(tool: &str) -> &'static str {
    if tool == WRITE { "{\"order_id\":\"1234\",\"amount\":200}" } else { "{\"order_id\":\"1234\"}" }
}

fn usd(minor: i64) -> String {
    format!("{CURRENCY} {}", plain(i128::from(minor), EXPONENT))
}

impl Run<'_> {
    async fn go(&mut self) -> Result<Ending, LabError> {
        let ending = loop {
            let step = next(self.plan.script, &self.seen);
            // Who calls again at once treats the operation as still under way; anybody else records what is true.
            if self.seen.last() == Some(&Seen::Lost) && step != Step::Refund && !self.unknown {
                self.unknown = true;
                self.journal.unknown()?;
                let change = Change {
                    from: "submitted",
                    to: "unknown",
                    actor: "response",
                    reason: "answer lost",
                    deadline: Some(UNKNOWN_FOR),
                };
                self.trace.state_changed(self.last, &change)?;
            }
            match step {
                Step::Read => self.call(READ).await?,
                Step::Refund => self.call(WRITE).await?,
                Step::Stop(ending) => break ending,
            }
        };
        if ending == Ending::Found {
            self.reconcile()?;
        }
        let text = self.final_text(ending);
        self.trace.run_completed(&self.id, &text)?;
        self.journal.ended()?;
        Ok(ending)
    }

    /// One decision, one call.
    async fn call(&mut self, tool: &'static str) -> Result<(), LabError> {
        self.connect().await?;
        self.calls += 1;
        let attempt = format!("att_{:02}", self.calls);
        let decision = format!("dec_{}", self.calls);
        let text = arguments(tool);
        let payload: JsonObject = serde_json::from_str(text).unwrap_or_default();
        self.journal.attempt(&attempt, tool)?;
        self.trace.attempt_started(&Sending {
            attempt: &attempt,
            run_id: &self.id,
            turn: self.calls,
            decision: &decision,
            tool,
            payload: text,
        })?;
        let Some(connection) = self.connection.as_mut() else { return Ok(()) };
        let operation = (tool == WRITE).then_some(OPERATION);
        if let (Some(file), WRITE) = (&self.plan.hold_after_send, tool) {
            connection.only_send(tool, payload, operation).await;
            return stay(connection, file).await;
        }
        let answer = connection.call(tool, payload, operation).await;
        if matches!(answer, Answer::Lost | Answer::NotSent)
            && let Some(connection) = self.connection.take()
        {
            connection.close().await;
        }
        let (seen, ended) = if tool == WRITE { refund_answer(&answer) } else { order_answer(&answer) };
        self.last = self.trace.attempt_finished(&attempt, &ended)?;
        self.journal.outcome(&attempt, seen)?;
        self.seen.push(seen);
        let to = match seen {
            Seen::Refunded => "confirmed",
            Seen::Refused => "failed",
            _ => return Ok(()),
        };
        let from = if self.unknown { "unknown" } else { "submitted" };
        self.trace
            .state_changed(self.last, &Change { from, to, actor: "response", reason: "", deadline: None })
    }

    /// Starts the server, or starts it again after it was gone.
    async fn connect(&mut self) -> Result<(), LabError> {
        if self.connection.is_none() {
            let words = |words: &[&str]| words.iter().map(Into::into).collect::<Vec<_>>();
            let mut arguments = words(&["lab", "serve", "--server", self.plan.mode.word(), "--fault"]);
            arguments.push(Fault::words(&self.plan.faults).into());
            arguments.push("--db".into());
            arguments.push(self.plan.folder.join(STORE_FILE).into());
            let program = Program { program: self.plan.program.clone().into(), arguments };
            self.connection = Some(Connection::open(&program, patience(&self.plan.faults)).await?);
        }
        Ok(())
    }

    /// The reconciler: reads the store itself, by the operation id, and settles what is unknown.
    fn reconcile(&mut self) -> Result<(), LabError> {
        let rows = Store::open(&self.plan.folder.join(STORE_FILE), self.plan.mode)?.rows()?;
        let own = rows.iter().find(|row| row.operation_id.as_deref() == Some(OPERATION));
        let last = rows.last();
        self.trace.readback(&ReadBack {
            position: last.map_or(0, |row| row.id),
            newest: last.map_or("", |row| &row.committed_at),
            present: own.is_some(),
        })?;
        let Some(row) = own else { return Ok(()) };
        let change = Change {
            from: "unknown",
            to: "confirmed",
            actor: "reconciliation",
            reason: &format!("row {}", row.refund_id),
            deadline: None,
        };
        self.trace.state_changed(now(), &change)
    }

    fn final_text(&self, ending: Ending) -> String {
        let refund = usd(REFUND_MINOR);
        match ending {
            Ending::Done if self.plan.script.looks_around => format!("The refund of {refund} was made once."),
            Ending::Done => format!("The refund of {refund} was made."),
            Ending::Found => format!("The order shows one refund of {refund}. Nothing more was sent."),
            Ending::Refused => "The refund was refused.".to_owned(),
            Ending::DoesNotKnow => {
                "The answer was lost. Whether the refund was made is not known.".to_owned()
            }
        }
    }
}

/// The request has left. Says so in a file and waits for its end.
async fn stay(connection: &mut Connection, file: &Path) -> Result<(), LabError> {
    // The server is given the time to do what it will, so that the end of the client comes after it.
    connection.ended(Duration::from_secs(1)).await;
    std::fs::write(file, b"").map_err(|why| LabError::file("write", file, &why))?;
    tokio::time::sleep(HOLD).await;
    Err(LabError::Other("the client waited to be killed, and nobody did".to_owned()))
}

#[derive(Deserialize)]
struct Receipt {
    refund_id: String,
    #[serde(default)]
    reused: bool,
}

#[derive(Deserialize)]
struct OrderShown {
    total_minor: i64,
    refunded_minor: i64,
    refunds: u64,
}

fn refund_answer(answer: &Answer) -> (Seen, Ended) {
    let (outcome, text) = match answer {
        Answer::Told { text, refused: true, .. } => {
            let text = format!("the server refused: {}", SafeText::new(text).shown());
            return (Seen::Refused, Ended { outcome: "rejected", text, ..Ended::default() });
        }
        Answer::Told { text, .. } => match serde_json::from_str::<Receipt>(text) {
            Ok(Receipt { refund_id, reused }) => {
                let text = if reused {
                    "the stored answer of an earlier call".to_owned()
                } else {
                    format!("refund of {} committed", usd(REFUND_MINOR))
                };
                return (Seen::Refunded, Ended { outcome: "success", receipt: refund_id, reused, text });
            }
            Err(_) => ("server_error", "an answer that cannot be read".to_owned()),
        },
        other => no_answer(other),
    };
    let seen = if outcome == "not_sent" { Seen::Refused } else { Seen::Lost };
    (seen, Ended { outcome, text, ..Ended::default() })
}

fn order_answer(answer: &Answer) -> (Seen, Ended) {
    let (outcome, text) = match answer {
        Answer::Told { text, refused: false, .. } => match serde_json::from_str::<OrderShown>(text) {
            Ok(OrderShown { total_minor, refunded_minor, refunds }) => {
                let count = match refunds {
                    0 => String::new(),
                    1 => " in 1 refund".to_owned(),
                    n => format!(" in {n} refunds"),
                };
                let text = format!(
                    "order {ORDER}: total {}, refunded {}{count}",
                    usd(total_minor),
                    usd(refunded_minor)
                );
                return (Seen::Order { refunds }, Ended { outcome: "success", text, ..Ended::default() });
            }
            Err(_) => ("server_error", "an answer that cannot be read".to_owned()),
        },
        Answer::Told { text, .. } => {
            ("rejected", format!("the server refused: {}", SafeText::new(text).shown()))
        }
        other => no_answer(other),
    };
    (Seen::NoOrder, Ended { outcome, text, ..Ended::default() })
}

fn no_answer(answer: &Answer) -> (&'static str, String) {
    match answer {
        Answer::Timeout => ("timeout", "no result came in time".to_owned()),
        Answer::NotSent => ("not_sent", "the request could not be sent".to_owned()),
        Answer::Error(why) => ("server_error", SafeText::new(why).shown().into_owned()),
        Answer::Lost | Answer::Told { .. } => {
            ("response_lost", "the connection closed before a result was received".to_owned())
        }
    }
}
