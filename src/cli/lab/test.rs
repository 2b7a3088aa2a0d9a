//! `recount lab test -- COMMAND..`: the probe of somebody else's tool server.

use std::path::Path;
use std::time::Duration;

use rmcp::model::JsonObject;

use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::judge::view::ResultWord;
use crate::lab::client::Program;
use crate::lab::probe::{Probe, ReadBack, Seen, Shown, probe};
use crate::report::file::shown;
use crate::text::SafeText;

use super::{failure, guarded};

/// `lab test`.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let mut words = call.paths("behind").into_iter();
    let Some(program) = words.next() else {
        return Err(Failure::usage("lab test needs the command of a server behind --"));
    };
    let program = Program { program, arguments: words.collect() };
    let needed = |name: &str, what: &str| {
        Failure::usage(&format!("lab test needs --{name}: {what}; recount help lab test says more"))
    };
    let tool = call.text("tool").ok_or_else(|| needed("tool NAME", "the tool that has an effect"))?;
    let args = call.path("args").ok_or_else(|| needed("args F", "its arguments, a JSON object"))?;
    let read_back =
        call.path("read-back").ok_or_else(|| needed("read-back F", "how its effects are counted"))?;
    let arguments: JsonObject = serde_json::from_str(&text_of(&args)?)
        .map_err(|why| Failure::input(&format!("{} is no JSON object: {why}", shown(&args))))?;
    let read_back = ReadBack::parse(&text_of(&read_back)?)
        .map_err(|why| Failure::input(&format!("{} describes no read-back: {why}", shown(&read_back))))?;
    let safe = |text: &str| SafeText::new(text).shown().into_owned();
    if !call.flag("i-know-this-writes") {
        return Err(Failure::usage(&format!(
            "this writes: it starts {} and calls {} twice, and whatever that does is done for real. Point it at a \
             test system, then say --i-know-this-writes. Nothing was started",
            program.shown(),
            safe(tool)
        )));
    }
    let millis = |name: &str, default: u64| {
        Duration::from_millis(call.number(name).map_or(default, |ms| (ms as u64).min(3_600_000)))
    };
    let operation = call.text("operation-id").map_or_else(minted, str::to_owned);
    let plan = Probe {
        tool: tool.to_owned(),
        arguments,
        operation,
        read_back,
        grace: millis("grace-ms", 1000),
        settle: millis("settle-ms", 300),
        timeout: millis("timeout-ms", 10_000),
        program,
    };
    guarded(call, || {
        call.notes.note(&format!("this writes: both calls of {} are real", safe(tool)));
        call.to_stdout(call.flag("ascii"), |out| {
            out.line(&format!("probe: {}   server: {}", safe(tool), plan.program.shown()));
            out.line(&format!(
                "operation: {}   fault: connection cut after the request was written",
                safe(&plan.operation)
            ));
            out.line("");
        })?;
        let mut tell = |step: &str| {
            // A closed pipe is found again by the lines that follow.
            let _ = call.to_stdout(call.flag("ascii"), |out| out.line(step));
        };
        let seen = probe(&plan, &mut tell).map_err(|why| failure(&why))?;
        let (result, why) = meaning(&seen);
        call.to_stdout(call.flag("ascii"), |out| {
            out.line("");
            out.line("Expected effect count: 1");
            out.line(&format!("Observed effect count: {}", seen.after - seen.before));
            out.line(result.words());
            out.line(why);
            out.line("1 probe of one fault at one moment: one clean run proves nothing.");
        })?;
        Ok(result.exit())
    })
}

/// What one probe shows, as a table.
fn meaning(seen: &Seen) -> (ResultWord, &'static str) {
    match seen.shows() {
        Shown::Repeated => (
            ResultWord::ViolationFound,
            "One operation had more than one effect under one id: whoever retries a lost answer pays again.",
        ),
        Shown::Once => (
            ResultWord::NoViolationObserved,
            "The first call had its effect although its answer was lost; the second added none.",
        ),
        Shown::NothingToRepeat => (
            ResultWord::Inconclusive,
            "The first call had no effect, so nothing was repeated. Give it more time with --grace-ms, or look whether \
             the server drops a request whose connection is gone.",
        ),
        Shown::Nothing => (
            ResultWord::Inconclusive,
            "Neither call had an effect that can be read. Look at the answer of call 2, give effects more time with \
             --settle-ms, and see whether --read-back counts the right thing.",
        ),
        Shown::Disturbed => (
            ResultWord::Inconclusive,
            "There are fewer effects than before: somebody else was at work, or --read-back counts something else. Use \
             a test system that nobody else uses.",
        ),
    }
}

fn text_of(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|why| Failure::input(&format!("cannot read {}: {why}", shown(path))))
}

/// A new operation id.
fn minted() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    format!("probe:{:x}-{:x}", since.as_micros(), std::process::id())
}
