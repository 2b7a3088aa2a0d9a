//! `recount lab normal | double-refund | idempotent`: one run, or the same one again and again.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::judge::view::ResultWord;
use crate::lab::agent::Script;
use crate::lab::go_on;
use crate::lab::run::{Plan, resume, run};
use crate::lab::setup::{Fault, Mode, Policy};

use crate::text::{pad_left, pad_right};

use super::folder::{Folder, describe};
use super::print::{Judged, judged, limit, refunds, roles, setup, task};
use super::summary::{Line, write};
use super::{choice, failure, guarded, one_choice, program, trials};

/// A run as its name asks for it; options change it.
struct Scene {
    name: &'static str,
    title: &'static str,
    mode: Mode,
    faults: &'static [Fault],
    looks_around: bool,
}

/// What `--retry-policy neutral` makes of a run.
const NEUTRAL: (&str, &str) = ("neutral", "the answer was lost, the agent looked");

/// `lab normal`.
pub fn normal(call: &Call) -> Result<u8, Failure> {
    let title = "one refund, one answer";
    play(call, &Scene { name: "normal", title, mode: Mode::Unsafe, faults: &[], looks_around: false })
}

/// `lab double-refund`.
pub fn double_refund(call: &Call) -> Result<u8, Failure> {
    let title = "the answer was lost, the call was sent again";
    let faults = &[Fault::CommitThenDisconnect];
    play(call, &Scene { name: "double-refund", title, mode: Mode::Unsafe, faults, looks_around: false })
}

/// `lab idempotent`.
pub fn idempotent(call: &Call) -> Result<u8, Failure> {
    let title = "sent again, answered from the store";
    let faults = &[Fault::CommitThenDisconnect];
    play(call, &Scene { name: "idempotent", title, mode: Mode::Idempotent, faults, looks_around: true })
}

/// One of the runs of a call.
struct Take {
    plan: Plan,
    title: &'static str,
    /// Its folder as the summary names it.
    name: String,
}

fn policy(call: &Call, number: usize) -> Policy {
    Policy::of(call.text("retry-policy").unwrap_or_default(), choice(call, number))
}

fn take(call: &Call, scene: &Scene, number: usize, folder: PathBuf, name: &str) -> Result<Take, Failure> {
    let policy = policy(call, number);
    let neutral = matches!(policy, Policy::Neutral(_)) && scene.name == "double-refund";
    let (scenario, title) = if neutral { NEUTRAL } else { (scene.name, scene.title) };
    let plan = Plan {
        scenario,
        script: Script { policy, looks_around: scene.looks_around },
        mode: mode(call, scene),
        faults: faults(call, scene, number),
        program: program()?,
        folder,
        hold_after_send: call.path("hold-after-send"),
    };
    Ok(Take { plan, title, name: name.to_owned() })
}

fn mode(call: &Call, scene: &Scene) -> Mode {
    call.text("server").map_or(scene.mode, Mode::of)
}

fn faults(call: &Call, scene: &Scene, number: usize) -> Vec<Fault> {
    if call.number("fault-on-run").is_some_and(|run| run != number + 1) {
        return Vec::new();
    }
    call.text("fault").map_or_else(|| scene.faults.to_vec(), Fault::list)
}

fn play(call: &Call, scene: &Scene) -> Result<u8, Failure> {
    guarded(call, || {
        one_choice(call)?;
        let trials = trials(call, 1)?;
        if call.text("neutral-choice").or(call.number("seed").map(|_| "")).is_some()
            && call.text("retry-policy") != Some("neutral")
        {
            return Err(Failure::usage("--neutral-choice and --seed are for --retry-policy neutral"));
        }
        if call.number("fault-on-run").is_some_and(|run| run == 0 || run > trials) {
            return Err(Failure::usage("--fault-on-run is one of the --trials"));
        }
        let alone = ["crash-client", "resume"].iter().any(|name| call.flag(name))
            || call.path("hold-after-send").is_some();
        if trials > 1 && alone {
            return Err(Failure::usage(
                "--crash-client, --hold-after-send and --resume are for one run; leave out --trials",
            ));
        }
        if call.path("hold-after-send").is_some() && call.path("out").is_none() {
            return Err(Failure::usage("--hold-after-send needs --out DIR: the run is resumed from there"));
        }
        if call.flag("print-setup") {
            call.to_stdout(call.flag("ascii"), |out| {
                task(out);
                roles(policy(call, 0), mode(call, scene), &faults(call, scene, 0), out);
                setup(out);
            })?;
            return Ok(0);
        }
        if trials == 1 { once(call, scene) } else { repeated(call, scene, trials) }
    })
}

/// Makes one run and judges it from its files.
fn make(call: &Call, take: &Take) -> Result<Judged, Failure> {
    if call.flag("resume") {
        resume(&take.plan).map_err(|why| failure(&why))?;
        return judged(&take.plan.folder);
    }
    describe(&take.plan.folder, take.plan.scenario, take.title, take.plan.mode)?;
    if call.flag("crash-client") {
        crash(call, &take.plan)?;
        resume(&take.plan).map_err(|why| failure(&why))?;
    } else {
        run(&take.plan).map_err(|why| failure(&why))?;
    }
    judged(&take.plan.folder)
}

fn once(call: &Call, scene: &Scene) -> Result<u8, Failure> {
    let folder = if call.flag("resume") { Folder::existing(call)? } else { Folder::of(call)? };
    let take = take(call, scene, 0, folder.path.clone(), ".")?;
    let judged = make(call, &take)?;
    let plan = &take.plan;
    let exit = judged.result.exit();
    let limit = limit(1, plan.faults.len(), judged.result);
    let line = Line::of(&take.name, plan.script.policy, plan.mode, &plan.faults, &judged);
    write(&folder.path, call.command.name, &[line], exit, &limit)?;
    call.to_stdout(call.flag("ascii"), |out| {
        task(out);
        roles(plan.script.policy, plan.mode, &plan.faults, out);
        out.line("");
        judged.print(call, out);
        if call.flag("crash-client") || call.flag("resume") {
            out.line("The client was killed after it had sent, and resumed from its durable record.");
        }
        out.line(&limit);
    })?;
    folder.say(call);
    Ok(exit)
}

fn repeated(call: &Call, scene: &Scene, trials: usize) -> Result<u8, Failure> {
    let folder = Folder::of(call)?;
    let mut lines = Vec::new();
    let (mut shown, mut undecided): (Option<Judged>, Option<Judged>) = (None, None);
    let mut told = Vec::new();
    let mut most_faults = 0;
    for number in 0..trials {
        let name = format!("run-{:03}", number + 1);
        let take = take(call, scene, number, folder.inner(&name)?, &name)?;
        let judged = make(call, &take)?;
        let plan = &take.plan;
        most_faults = most_faults.max(plan.faults.len());
        lines.push(Line::of(&name, plan.script.policy, plan.mode, &plan.faults, &judged));
        told.push(format!(
            "run {}   {}   {}   {}",
            pad_left((number + 1).to_string(), trials.to_string().len()),
            pad_right(refunds(judged.count()), 9),
            judged.total(),
            judged.result.words()
        ));
        let violated = judged.result == ResultWord::ViolationFound;
        if violated && shown.is_none() {
            shown = Some(judged);
        } else if judged.result == ResultWord::Inconclusive && undecided.is_none() {
            undecided = Some(judged);
        }
        if violated && !call.flag("keep-going") {
            break;
        }
    }
    let result = worst(lines.iter().map(|line| line.result));
    let exit = result.exit();
    let limit = limit(lines.len(), most_faults, result);
    write(&folder.path, call.command.name, &lines, exit, &limit)?;
    call.to_stdout(call.flag("ascii"), |out| {
        task(out);
        let number = call.number("fault-on-run").map_or(0, |run| run - 1);
        roles(policy(call, number), mode(call, scene), &faults(call, scene, number), out);
        out.line("");
        for line in &told {
            out.line(line);
        }
        out.line("");
        match shown.as_ref().or(undecided.as_ref()) {
            Some(judged) => judged.print(call, out),
            None => out.line(result.words()),
        }
        if shown.is_some() && !call.flag("keep-going") {
            out.line(&format!("stopped at the first violation, run {} of {trials}", lines.len()));
        }
        out.line(&limit);
    })?;
    folder.say(call);
    Ok(exit)
}

/// The worst of several results.
pub fn worst(results: impl Iterator<Item = ResultWord>) -> ResultWord {
    let rank = |result: &ResultWord| match result {
        ResultWord::NoViolationObserved => 0,
        ResultWord::Inconclusive => 1,
        ResultWord::ViolationFound => 2,
        ResultWord::InputError => 3,
    };
    results.max_by_key(rank).unwrap_or(ResultWord::NoViolationObserved)
}

/// How long the client that is to be killed may take until it has sent.
const SENT_IN: Duration = Duration::from_secs(30);

/// Starts the client as a process of its own, and kills it once its request has left.
fn crash(call: &Call, plan: &Plan) -> Result<(), Failure> {
    // A folder of its own: the run has begun in this one.
    let marker = plan.folder.join("sent");
    let second = plan.folder.join("client");
    let faults = Fault::words(&plan.faults);
    let mut command = Command::new(&plan.program);
    command.args(["lab", call.command.name.trim_start_matches("lab "), "--quiet"]);
    command.args(["--server", plan.mode.word(), "--fault", &faults]);
    command.args(["--retry-policy", plan.script.policy.word()]);
    if let Policy::Neutral(choice) = plan.script.policy {
        command.args(["--neutral-choice", choice.word()]);
    }
    command.arg("--out").arg(&second).arg("--hold-after-send").arg(&marker);
    let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut client =
        started.map_err(|why| Failure::input(&format!("the client cannot be started: {why}")))?;
    let since = Instant::now();
    let sent = loop {
        if marker.exists() {
            break true;
        }
        if go_on().is_err() || since.elapsed() > SENT_IN || !matches!(client.try_wait(), Ok(None)) {
            break false;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let _ = client.kill();
    let _ = client.wait();
    go_on().map_err(|why| failure(&why))?;
    if !sent {
        return Err(Failure::input(
            "the client ended before it had sent anything; see whether recount lab normal runs",
        ));
    }
    let _ = std::fs::remove_file(&marker);
    take_over(&second, &plan.folder)
}

/// What the killed client left becomes the run.
fn take_over(from: &Path, to: &Path) -> Result<(), Failure> {
    let move_all = || -> std::io::Result<()> {
        for entry in std::fs::read_dir(from)? {
            let path = entry?.path();
            if let Some(name) = path.file_name() {
                std::fs::rename(&path, to.join(name))?;
            }
        }
        std::fs::remove_dir(from)
    };
    move_all().map_err(|why| Failure::input(&format!("the files of the killed client cannot be used: {why}")))
}
