//! `recount [open]`: the screen; and what is said when there is nothing to open.

use std::path::Path;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::app::layout::Size;
use crate::app::model::Setup;
use crate::config::{self, Config, user};
use crate::load::{Ask, Property, clock_of};
use crate::model::time::Micros;
use crate::report::mask::Mask;
use crate::report::out::Out;
use crate::runtime::document::Paper;
use crate::runtime::loaded::CaseLoader;
use crate::runtime::run::RunError;
use crate::runtime::settler::Settler;
use crate::runtime::{self, Ended, environment};
use crate::sources::spec::CaseSpec;

use super::call::Call;
use super::failure::Failure;
use super::input::{Input, gather, is_readable};
use super::options::SCREEN;
use super::session;
use super::settings::settings;
use super::settle;
use super::table::named;

/// Opens the screen on what the call names.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let Input { spec, config, notes } = gather(call)?;
    for note in notes {
        call.notes.note(&note);
    }
    screen(call, spec, &config, false)
}

/// Opens the screen on a case, or plays a script on it.
pub fn screen(call: &Call, spec: CaseSpec, config: &Config, in_case: bool) -> Result<u8, Failure> {
    let user = user::load().map_err(|why| Failure::input(&why.to_string()))?;
    let settings = settings(call, &user, config)?;
    let variable = |name: &str| std::env::var(name).ok();
    // A script is the same on every machine, and the demo is new every time.
    let session = session::file_of(&spec).filter(|_| call.text("script").is_none() && call.is("open"));
    let remembered = match &session {
        Some(file) if !call.flag("fresh") => session::read(file).unwrap_or_else(|why| {
            call.notes.note(&why);
            Vec::new()
        }),
        _ => Vec::new(),
    };
    let path = super::booked::path(call, spec.folder.as_deref());
    let read_only = settle::screen::read_only(call, path.as_ref(), config, in_case || spec.folder.is_some());
    let setup = Setup {
        name: match spec.as_of_entry {
            Some(seq) => format!("{}, entry {seq}", name_of(&spec)),
            None => name_of(&spec),
        },
        operator: operator(call, variable),
        can_write: read_only.is_none(),
        read_only: read_only.unwrap_or_default(),
        has_book: path.is_some(),
        in_case: in_case || spec.folder.is_some(),
        has_sources: !spec.sources.is_empty(),
        folder: std::env::current_dir().map(|d| d.display().to_string()).unwrap_or_default(),
        folder_readable: is_readable(Path::new(".")),
        demo: true,
        local: environment::zone(variable),
        local_time: settings.local_time,
        ascii: settings.ascii,
        same_list: (!in_case && spec.folder.is_none()).then(|| same_list(call)),
        now: clock_of(&spec).map_or(Micros::NONE, |(now, _)| now),
        clock_fixed: spec.now.is_some(),
        keys: settings.keys,
        watch: call.number("watch").and_then(|seconds| u64::try_from(seconds).ok()).unwrap_or(0),
        bell: settings.bell,
        mouse: settings.mouse,
        remembered,
    };
    let paper = Paper {
        title: config
            .file
            .case
            .title
            .clone()
            .filter(|title| !title.is_empty())
            .unwrap_or_else(|| name_of(&spec)),
        command: super::report::command_of(call, "report", SCREEN.options),
        version: super::help::version_words(),
        mask_party: config.file.mask.party,
        mask_allow: config.file.mask.allow.clone(),
        folder: std::path::PathBuf::new(),
        book: path.clone(),
        as_of: super::booked::as_of(call),
    };
    let loader = CaseLoader {
        spec,
        demo: Box::new(super::demo::default_case),
        asked: crate::config::hazards::asked(config).map_err(|why| Failure::input(&why.to_string()))?,
        ask: Ask { property: Property::Settled, ..Ask::default() },
        paper,
        again: Some(Box::new(again(call))),
        standing: super::standing::settle,
        settler: path.is_some().then(|| Box::new(settle::screen::Desk::new(call, path)) as Box<dyn Settler>),
        read: AtomicBool::new(false),
    };
    // Looking stays possible; that the chain does not hold is said, and the exit code says it too.
    let broken = super::booked::broken(call, loader.spec.folder.as_deref());
    let ended = |exit: u8| if broken && exit == 0 { super::audit::BROKEN } else { exit };
    if let Some(keys) = call.text("script") {
        return play(call, setup, &loader, keys).map(ended);
    }
    let mask = Mask::of_load(config.file.mask.party).allowing(&config.file.mask.allow);
    let keep = |values: &[(String, String)]| {
        let Some(file) = session.as_deref().filter(|_| !call.flag("read-only")) else { return };
        if let Err(why) = session::keep(file, values) {
            call.notes.note(&format!(
                "filter and layout are not remembered: {}: {why}",
                crate::report::file::shown(file)
            ));
        }
    };
    match runtime::run(setup, Arc::new(loader), &settings.theme, mask, &keep) {
        Ok(Ended::Left | Ended::TerminalGone) => Ok(ended(0)),
        Ok(Ended::Signal(signal)) => Ok(u8::try_from(128 + signal).unwrap_or(1)),
        Err(why @ RunError::NoTerminal) => Err(Failure::usage(&why.to_string())),
        Err(why) => Err(Failure::input(&why.to_string())),
    }
}

/// The sources that a call names, gathered anew: with what the book has by then.
fn again(call: &Call) -> impl Fn() -> Result<CaseSpec, String> + Send + Sync + use<> {
    let (command, words) = (call.command, call.given().to_vec());
    move || {
        let words: Vec<std::ffi::OsString> = words.iter().map(std::ffi::OsString::from).collect();
        let call = Call::silent(command, &words, Out::to(Box::new(std::io::sink())));
        call.and_then(|call| gather(&call)).map(|input| input.spec).map_err(|why| why.text)
    }
}

/// The test door: the same code without a terminal (`6-screens.md` 7.1.18).
fn play(call: &Call, setup: Setup, loader: &CaseLoader, keys: &str) -> Result<u8, Failure> {
    let (width, height) = call.size().unwrap_or((120, 36));
    let Some(dump) = call.path("dump") else {
        return Err(Failure::usage("--script needs --dump DIR: the folder for its frames"));
    };
    let frames = runtime::script(setup, loader, keys, Size { width, height }, &dump)
        .map_err(|why| Failure::usage(&why.to_string()))?;
    call.notes.note(&format!("{frames} frames written to {}", crate::report::file::shown(&dump)));
    Ok(0)
}

/// Name of the case, else of its sources: `trace.jsonl + refunds.csv`, `attempts.jsonl + 3`.
fn name_of(spec: &CaseSpec) -> String {
    if !spec.id.is_empty() {
        return spec.id.clone();
    }
    let names: Vec<&str> =
        spec.sources.iter().map(|s| s.shown.rsplit('/').next().unwrap_or(&s.shown)).collect();
    match names.as_slice() {
        [one] => (*one).to_owned(),
        [one, two] => format!("{one} + {two}"),
        [one, rest @ ..] => format!("{one} + {}", rest.len()),
        [] => String::new(),
    }
}

/// Who looks: `--operator`, `RECOUNT_OPERATOR`, the system user.
fn operator(call: &Call, variable: impl Fn(&str) -> Option<String>) -> String {
    let named = call.text("operator").map(str::to_owned);
    let from = |name: &str| variable(name).filter(|v| !v.is_empty());
    named
        .or_else(|| from("RECOUNT_OPERATOR"))
        .or_else(|| from("SUDO_USER"))
        .or_else(|| from("USER").filter(|user| user != "root"))
        .unwrap_or_default()
}

/// The command line that prints the same list.
fn same_list(call: &Call) -> String {
    let words: Vec<String> =
        call.given().iter().map(|w| crate::text::shell_word(w.as_bytes()).as_str().to_owned()).collect();
    format!("recount check {}", words.join(" "))
}

/// `recount` alone: the case of this folder, or what the program is for.
pub fn nothing() -> Result<u8, Failure> {
    if Path::new(config::NAME).is_file()
        && let Some(command) = named("open")
    {
        return run(&Call::new(command, &[], Out::stdout())?);
    }
    let mut out = Out::stdout();
    out.text(&explained(is_readable(Path::new("."))));
    match out.finish() {
        Ok(()) => Ok(0),
        Err(why) => Err(Failure::input(&format!("cannot write to standard output: {why}"))),
    }
}

/// Ten lines with three commands. Where the folder has files that can be read, the first of them is `recount .`.
fn explained(readable: bool) -> String {
    let (first, words) = if readable {
        ("recount .", "look at the files of this folder")
    } else {
        ("recount TRACE LEDGER", "look at two files")
    };
    format!(
        "recount counts again what really happened: it lays what was tried beside what was done.\n\
         It needs a trace (what an agent or a client tried, JSON lines, JSON or CSV)\n\
         and a ledger (what the business system committed, SQLite, CSV or JSON).\n\
         \n\
         \x20 {}{words}\n\
         \x20 {}try it on a sample case\n\
         \x20 {}every command\n\
         \n\
         Nothing was named, and this folder has no {}.\n\
         Files stay where they are, and nothing is written to them.\n",
        crate::text::pad_right(first, 23),
        crate::text::pad_right("recount demo", 23),
        crate::text::pad_right("recount help all", 23),
        config::NAME
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_lines_with_three_commands() {
        for (readable, first) in [(true, "  recount .  "), (false, "  recount TRACE LEDGER  ")] {
            let text = explained(readable);
            assert_eq!(text.lines().count(), 10);
            let commands: Vec<&str> = text.lines().filter(|line| line.starts_with("  recount ")).collect();
            assert_eq!(commands.len(), 3);
            assert!(commands[0].starts_with(first), "{text}");
        }
    }
}
