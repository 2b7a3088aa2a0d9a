//! `recount lab compare`: the controlled and the neutral run side by side, and the table of scripts and servers.

use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lab::agent::Script;
use crate::lab::run::{self, Plan};
use crate::lab::setup::{AGENT, Fault, Mode, Policy};
use crate::text::pad_right;

use super::folder::{Folder, describe};
use super::one::worst;
use super::print::{judged, refunds, setup, task};
use super::summary::{Line, write};
use super::{choice, failure, guarded, one_choice, program};

/// Makes the four runs.
fn compared(call: &Call) -> Result<u8, Failure> {
    one_choice(call)?;
    let faults = call.text("fault").map_or_else(|| vec![Fault::CommitThenDisconnect], Fault::list);
    if call.flag("print-setup") {
        call.to_stdout(call.flag("ascii"), |out| {
            task(out);
            out.line(&format!("agent: {AGENT}   fault in each run: {}", Fault::words(&faults)));
            setup(out);
        })?;
        return Ok(0);
    }
    let folder = Folder::of(call)?;
    let program = program()?;
    let scripts = [("controlled", Policy::RetryOnce), ("neutral", Policy::Neutral(choice(call, 0)))];
    let mut lines = Vec::new();
    let mut totals = Vec::new();
    for mode in [Mode::Unsafe, Mode::Idempotent] {
        for (name, policy) in scripts {
            let name = format!("{name}-{}", mode.word());
            let place = folder.inner(&name)?;
            describe(&place, &name, "compared", mode)?;
            run::run(&Plan {
                scenario: if name.starts_with("neutral") { "neutral" } else { "double-refund" },
                script: Script { policy, looks_around: false },
                mode,
                faults: faults.clone(),
                program: program.clone(),
                folder: place.clone(),
                hold_after_send: None,
            })
            .map_err(|why| failure(&why))?;
            let judged = judged(&place)?;
            totals.push(judged.total());
            lines.push(Line::of(&name, policy, mode, &faults, &judged));
        }
    }
    let result = worst(lines.iter().map(|line| line.result));
    let exit = result.exit();
    let limit = "4 runs, two scripts, two servers: this shows what can happen, not how often.";
    write(&folder.path, call.command.name, &lines, exit, limit)?;
    call.to_stdout(call.flag("ascii"), |out| {
        task(out);
        out.line(&format!("agent: {AGENT}   server: unsafe   fault in each run: {}", Fault::words(&faults)));
        out.line("");
        for (((name, policy), line), total) in scripts.iter().zip(&lines).zip(&totals) {
            out.line(&format!(
                "{}  {}   {}   {}   {}",
                pad_right(name, 10),
                pad_right(refunds(line.observed.0), 9),
                pad_right(total, 10),
                pad_right(line.result.words(), WIDEST),
                policy.says()
            ));
        }
        out.line("");
        out.line(&format!(
            "{}  {}   server idempotent",
            pad_right("script", 10),
            pad_right("server unsafe", WIDEST)
        ));
        let word = |at: usize| lines.get(at).map_or("", |line| line.result.words());
        let does = ["retries", does_of(scripts[1].1)];
        for (row, does) in does.into_iter().enumerate() {
            out.line(&format!(
                "{}  {}   {}",
                pad_right(does, 10),
                pad_right(word(row), WIDEST),
                word(row + 2)
            ));
        }
        out.line("");
        out.line(limit);
    })?;
    folder.say(call);
    Ok(exit)
}

/// Cells of the longest result.
const WIDEST: usize = "NO VIOLATION OBSERVED".len();

fn does_of(policy: Policy) -> &'static str {
    match policy {
        Policy::Neutral(crate::lab::setup::Choice::Retry) => "retries too",
        Policy::Neutral(crate::lab::setup::Choice::Stop) => "stops",
        _ => "reads",
    }
}

/// `lab compare`.
pub fn run(call: &Call) -> Result<u8, Failure> {
    guarded(call, || compared(call))
}
