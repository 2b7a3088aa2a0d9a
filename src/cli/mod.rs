//! The command line: parse, run, exit code (`7-commands.md` 7.5).
//!
//! One table ([`table`]) makes parser and help. A command is one file with a `run`; what all of them share is in
//! [`call`] (arguments, output), [`input`] (sources) and [`loading`] (the loaded case, ready to be printed).

mod affected;
pub mod audit;
mod booked;
pub mod call;
mod canon;
mod case;
mod changed;
mod check;
mod config;
mod demo;
mod explain;
mod export;
pub mod failure;
pub mod first;
mod handover;
mod hazards;
pub mod help;
pub mod input;
mod intent;
mod key;
#[cfg(feature = "lab")]
pub mod lab;
mod list;
pub mod loading;
mod open;
pub mod operator;
pub mod options;
mod report;
mod session;
mod settings;
mod settle;
mod shell;
mod show;
mod sniff;
mod sources;
mod standing;
mod states;
pub mod table;

#[cfg(test)]
mod tests;

use std::ffi::OsString;

use crate::report::out::{Notes, Out};

use call::Call;
use failure::Failure;
use first::{Start, first, is_path};

/// Runs one call of the program; `args` are those behind its name. Says what went wrong and gives the exit code.
pub fn run(args: &[OsString]) -> u8 {
    match started(args) {
        Ok(exit) => exit,
        Err(failure) => {
            Notes::default().error(&failure.text);
            failure.exit
        }
    }
}

fn started(args: &[OsString]) -> Result<u8, Failure> {
    let is_help = |word: &&OsString| *word == "--help" || *word == "-h";
    match first(args, is_path)? {
        Start::Nothing => open::nothing(),
        Start::Help => help::short(),
        Start::Version => help::version(),
        Start::Command(command, at) => {
            let own = args.get(at..).unwrap_or_default();
            if own.iter().take_while(|word| *word != "--").find(is_help).is_some() {
                return if at == 0 { help::short() } else { help::of_command(command) };
            }
            let call = Call::new(command, own, Out::stdout())?;
            (command.run)(&call)
        }
    }
}
