//! `recount lab ..` (`7-commands.md` 7.6): the experiment, the tool server, the probe of somebody else's server.

pub mod compare;
mod folder;
pub mod one;
mod print;
pub mod serve;
pub mod study;
mod summary;
pub mod test;

use std::path::PathBuf;

use signal_hook::consts::SIGINT;

use crate::lab::setup::{CHOICES, Choice, FAULTS, MODES, POLICIES};
use crate::lab::{LabError, watch_interrupts};

use super::call::Call;
use super::failure::Failure;
use super::options::{Opt, Set, Takes, flag, one as value};

/// Exit code of a program that the interrupt key has ended.
const INTERRUPTED: u8 = 130;

const SERVER: Opt = value("server", "S", Takes::Word(&MODES), "unsafe or idempotent");
const FAULT: Opt = value(
    "fault",
    "X",
    Takes::Words(&FAULTS),
    "none, disconnect-before-commit, commit-then-disconnect, delay or stale-read; each strikes once, several are joined with a comma",
);
const CHOICE: Opt = value(
    "neutral-choice",
    "C",
    Takes::Word(&CHOICES),
    "what the script does without a rule: reconcile, retry or stop; default reconcile, as recorded",
);
const SEED: Opt = value("seed", "N", Takes::Number, "draws the choice without a rule instead");

const SETUP: Opt = flag("print-setup", "say what would be run, and run nothing");

/// How a run is made.
#[rustfmt::skip]
pub const RUN: Set = Set { heading: "the run", options: &[
    value("retry-policy", "P", Takes::Word(&POLICIES), "after a lost answer: retry-once (controlled), do-not-retry, neutral or state-aware; default retry-once"),
    CHOICE, SEED, SERVER, FAULT, SETUP,
] };

/// How often it is made.
#[rustfmt::skip]
pub const REPEAT: Set = Set { heading: "again and again", options: &[
    value("trials", "N", Takes::Number, "runs; stops at the first violation; default 1"),
    value("runs", "N", Takes::Number, "the same as --trials"),
    value("fault-on-run", "N", Takes::Number, "the fault strikes in this run alone"),
    flag("keep-going", "goes on after a violation"),
] };

/// What happens to the client.
#[rustfmt::skip]
pub const CRASH: Set = Set { heading: "the client", options: &[
    flag("crash-client", "kill the client after it has sent, and resume from its durable record with the same id"),
    value("hold-after-send", "F", Takes::Path, "the client writes F after it has sent and waits there to be killed; needs --out"),
    flag("resume", "go on with the run in --out, whose client was killed"),
] };

/// What is left.
#[rustfmt::skip]
pub const LEAVE: Set = Set { heading: "output", options: &[
    value("out", "DIR", Takes::Path, "leaves trace.jsonl, store.db and summary.json in this new folder; check reads them"),
] };

/// Options of `compare`.
pub const COMPARE: Set = Set { heading: "the runs", options: &[CHOICE, SEED, FAULT, SETUP] };

/// Options of `study`.
#[rustfmt::skip]
pub const STUDY: Set = Set { heading: "the runs", options: &[
    value("trials", "N", Takes::Number, "runs of each cell; default 5"),
    value("runs", "N", Takes::Number, "the same as --trials"),
    CHOICE, SEED, SERVER,
    flag("stop-at-first", "stop at the first double refund"),
    SETUP,
] };

/// Options of `serve`.
#[rustfmt::skip]
pub const SERVE: Set = Set { heading: "the server", options: &[
    value("db", "F", Takes::Path, "its store; made where there is none, and never anything but a store of the lab"),
    SERVER, FAULT,
    value("delay-ms", "N", Takes::Number, "how late the answer of the fault delay is; default 1500"),
    value("hold-at", "M", Takes::Word(&["before-commit", "after-commit"]), "waits at that moment of a refund, to be killed there"),
    value("hold-file", "F", Takes::Path, "writes F.reached when it waits, and waits until F is there"),
] };

/// Options of `test`.
#[rustfmt::skip]
pub const TEST: Set = Set { heading: "the probe", options: &[
    value("tool", "NAME", Takes::Text, "the tool that has an effect"),
    value("args", "F", Takes::Path, "its arguments, a JSON object; {operation_id} in a text is replaced"),
    value("read-back", "F", Takes::Path, "how effects are counted: {\"tool\": .., \"arguments\": {..}, \"count\": \"/place\"}, or \"amount\" with \"each\""),
    value("operation-id", "ID", Takes::Text, "the id that both calls carry, also in _meta.operation_id; default a new one"),
    flag("i-know-this-writes", "both calls are real: say so"),
    value("grace-ms", "N", Takes::Number, "time for the request whose connection is cut; default 1000"),
    value("settle-ms", "N", Takes::Number, "time until effects can be read; default 300"),
    value("timeout-ms", "N", Takes::Number, "time for a call; default 10000"),
] };

/// This program.
fn program() -> Result<PathBuf, Failure> {
    std::env::current_exe()
        .map_err(|why| Failure::input(&format!("recount cannot find itself to start a server: {why}")))
}

/// What the lab says when it ends before its work is done.
fn failure(why: &LabError) -> Failure {
    match why {
        LabError::Exists(_) => Failure::usage(&why.to_string()),
        LabError::Stopped => Failure { exit: INTERRUPTED, ..Failure::input(&why.to_string()) },
        _ => Failure::input(&why.to_string()),
    }
}

/// Runs a command of the lab. The interrupt key ends it after its servers and its temporary files are gone.
fn guarded(call: &Call, run: impl FnOnce() -> Result<u8, Failure>) -> Result<u8, Failure> {
    if call.flag("read-only") {
        return Err(Failure::usage("the lab writes files, if only temporary ones; leave out --read-only"));
    }
    watch_interrupts();
    let result = run();
    if let Err(failure) = &result
        && failure.exit == INTERRUPTED
    {
        call.notes.error(&failure.text);
        // Whoever started this sees that it was interrupted. Where that fails, the exit code says it.
        let _ = signal_hook::low_level::emulate_default_handler(SIGINT);
    }
    result
}

/// Runs of a repeated command.
fn trials(call: &Call, default: usize) -> Result<usize, Failure> {
    let trials = call.number("trials").or(call.number("runs")).unwrap_or(default);
    if (1..=1000).contains(&trials) {
        Ok(trials)
    } else {
        Err(Failure::usage("--trials is a number from 1 to 1000"))
    }
}

/// What the script does without a rule, in one run.
fn choice(call: &Call, run: usize) -> Choice {
    match call.number("seed") {
        Some(seed) => Choice::drawn(seed as u64, run as u64),
        None => Choice::of(call.text("neutral-choice").unwrap_or_default()),
    }
}

/// `--neutral-choice` and `--seed` exclude each other.
fn one_choice(call: &Call) -> Result<(), Failure> {
    if call.number("seed").is_some() && call.text("neutral-choice").is_some() {
        return Err(Failure::usage("--seed draws the choice, --neutral-choice says it; give one of them"));
    }
    Ok(())
}
