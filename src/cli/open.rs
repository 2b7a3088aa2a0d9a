//! `recount [open]`: the screen; and what is said when there is nothing to open.

use std::path::Path;

use crate::config::{self, Config, user};
use crate::report::out::Out;
use crate::sources::spec::CaseSpec;

use super::call::Call;
use super::failure::Failure;
use super::input::{Input, gather, is_readable};
use super::table::named;

/// Opens the screen on what the call names.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let Input { spec, config, notes } = gather(call)?;
    for note in notes {
        call.notes.note(&note);
    }
    screen(call, spec, &config)
}

/// What the screen is opened with.
pub struct Screen<'a> {
    /// Its arguments: `--at`, `--script`, `--size`, `--dump`, `--color`, `--read-only`.
    pub call: &'a Call,
    /// What is read.
    pub spec: CaseSpec,
    /// Theme, letters, times, keys, each with its origin.
    pub settings: user::Screen,
}

/// Opens the screen on a case.
pub fn screen(call: &Call, spec: CaseSpec, config: &Config) -> Result<u8, Failure> {
    let user = user::load().map_err(|why| Failure::input(&why.to_string()))?;
    let settings = user::screen(&user, config);
    let flag = |name: &str| call.flag(name).then_some(true);
    let settings = user::Screen {
        theme: settings.theme.or_option(call.text("theme").map(str::to_owned)),
        ascii: settings.ascii.or_option(flag("ascii")),
        mouse: settings.mouse.or_option(flag("mouse")),
        local_time: settings.local_time.or_option(flag("local-time")),
        ..settings
    };
    start(Screen { call, spec, settings })
}

/// The one place that starts it. `runtime` takes the screen from here.
#[expect(clippy::needless_pass_by_value, reason = "the screen owns what it shows")]
fn start(screen: Screen<'_>) -> Result<u8, Failure> {
    let what = match screen.call.text("script") {
        Some(_) => "--script drives the screen, which",
        None => "the screen",
    };
    let theme = &screen.settings.theme.value;
    let sources = screen.spec.sources.len();
    let of = if theme.is_empty() { String::new() } else { format!(" in the theme {theme}") };
    Err(Failure::usage(&format!(
        "{what} is not part of this build ({sources} sources{of}); recount check and recount list print the same facts"
    )))
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
            let commands: Vec<&str> = text
                .lines()
                .filter(|line| line.starts_with("  recount "))
                .collect();
            assert_eq!(commands.len(), 3);
            assert!(commands[0].starts_with(first), "{text}");
        }
    }
}
