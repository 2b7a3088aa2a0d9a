//! From what a person typed to a [`CaseSpec`]: the three forms of input of `7-commands.md` 7.5.1.
//!
//! `look` opens files as far as their beginning and says what they are; [`plan`] decides pure: ids, what is one
//! source, what a ledger means. What cannot be decided is an error with the flags ready to copy.

mod apply;
mod look;
pub mod plan;
pub mod reads;

#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::config::{self, Config};
use crate::report::file::shown;
use crate::sources::address::{Address, Place, plain, with_options};
use crate::sources::spec::{CaseSpec, What};
use crate::text::shell_path;

use super::call::Call;
use super::failure::Failure;

pub use apply::{known_units, meanings as apply_meanings, to_piece as apply_to_piece};
pub use look::{Looked, Looker, absent, files_of, is_readable};
use plan::Piece;

/// What can be read, for whoever named something else.
const KINDS: &str = "Traces and ledgers are JSON lines, JSON, CSV or SQLite";

/// What a command reads.
#[derive(Debug)]
pub struct Input {
    /// Sources, tools, clock.
    pub spec: CaseSpec,
    /// Config of the case; empty without one.
    pub config: Config,
    /// What was left out or chosen, for standard error.
    pub notes: Vec<String>,
}

/// What was typed, sorted by what it is.
#[derive(Debug, Default)]
struct Typed {
    case: Option<PathBuf>,
    pieces: Vec<Piece>,
    notes: Vec<String>,
}

/// Gathers what a command reads. Without a word it is the case of the current folder.
///
/// # Errors
/// Usage (exit 2) where something has to be said, input (exit 4) where a config or a file cannot be used.
pub fn gather(call: &Call) -> Result<Input, Failure> {
    let mut looker = Looker::default();
    let mut typed = Typed { case: call.path("case"), ..Typed::default() };
    for path in call.paths("paths") {
        loose(&mut typed, &path, &mut looker, call)?;
    }
    for (option, what) in [("trace", What::Trace), ("ledger", What::Ledger), ("expect", What::Expectations)] {
        for word in call.paths(option) {
            let address = address(&word, what == What::Ledger, option)?;
            typed.pieces.push(looker.piece(&address, Some(what), &word)?);
        }
    }
    if typed.case.is_none() && typed.pieces.is_empty() && call.path("config").is_none() {
        if !Path::new(config::NAME).is_file() {
            return Err(Failure::usage(&nothing(call.command.short_name())));
        }
        typed.case = Some(PathBuf::from("."));
    }
    let config = config_of(call, typed.case.as_deref())?;
    let mut spec = config::case::spec(&config).map_err(|why| Failure::input(&why.to_string()))?;
    if typed.case.is_none() {
        spec.folder = None;
    }
    apply::known_units(&spec, &typed.pieces, call.text("currency"))?;
    apply::to_case(call, &mut spec)?;
    for piece in &mut typed.pieces {
        apply::to_piece(call, piece);
    }
    plan::add(&mut spec, typed.pieces);
    call.spare(&reads::of_case(call, &spec, typed.case.as_deref(), &looker.paths))?;
    apply::statement(call, &mut spec)?;
    apply::meanings(call, &mut spec)?;
    super::case::keep::asked(call, &mut spec, &config, typed.case.as_deref())?;
    plan::check(&spec, typed.case.is_some(), &look::absent(&spec)).map_err(|why| Failure::usage(&why))?;
    typed.notes.extend(super::booked::add(call, &mut spec, &config)?);
    Ok(Input { spec, config, notes: typed.notes })
}

fn config_of(call: &Call, case: Option<&Path>) -> Result<Config, Failure> {
    let path = match (case, call.path("config")) {
        (Some(_), Some(_)) => {
            return Err(Failure::usage(
                "a case has its own recount.toml; leave out --config, or name the sources",
            ));
        }
        (Some(folder), None) if folder.is_dir() => folder.join(config::NAME),
        (Some(file), None) => file.to_owned(),
        (None, Some(file)) => file,
        (None, None) => return Ok(Config::default()),
    };
    config::read(&path).map_err(|why| Failure::input(&why.to_string()))
}

/// A path without an option: a case, a folder of files, or a file.
fn loose(typed: &mut Typed, word: &OsString, looker: &mut Looker, call: &Call) -> Result<(), Failure> {
    let path = Path::new(word);
    let is_config = path.file_name() == Some(OsStr::new(config::NAME)) && path.is_file();
    if is_config || path.join(config::NAME).is_file() {
        let known = typed.case.replace(path.to_owned());
        return match known {
            Some(first) if first != path => Err(Failure::usage(&format!(
                "two cases, {} and {}: a command reads one at a time",
                shown(&first),
                shown(path)
            ))),
            _ => Ok(()),
        };
    }
    if path.is_dir() {
        return folder(typed, path, looker, call);
    }
    let address = address_of(word)?;
    if let Some(hint) = misplaced(word, &address) {
        return Err(Failure::usage(&hint));
    }
    match looker.looked(&address, None, word)? {
        Looked::Piece(piece) => typed.pieces.push(*piece),
        Looked::Unclear { why, .. } => return Err(unclear(path, &why, call)),
        Looked::Unusable { why, .. } => {
            return Err(Failure::input(&format!("{}: {why}. {KINDS}", shown(path))));
        }
    }
    Ok(())
}

/// Files of a folder; what cannot be used is named and left out.
fn folder(typed: &mut Typed, path: &Path, looker: &mut Looker, call: &Call) -> Result<(), Failure> {
    let files = look::files_of(path)
        .map_err(|why| Failure::input(&format!("{} cannot be listed: {why}; check the path", shown(path))))?;
    let (mut left_out, mut used) = (Vec::new(), 0);
    for file in files {
        match looker.looked(&literal(file.as_os_str())?, None, file.as_os_str())? {
            Looked::Piece(piece) => {
                used += 1;
                typed.pieces.push(*piece);
            }
            Looked::Unclear { why, neither: false } => return Err(unclear(&file, &why, call)),
            Looked::Unclear { why, .. } | Looked::Unusable { why, .. } => {
                left_out.push(format!("{} ({why})", shown(file.strip_prefix(path).unwrap_or(&file))));
            }
        }
    }
    if !left_out.is_empty() {
        typed.notes.push(format!("left out in {}: {}", shown(path), left_out.join(", ")));
    }
    if used == 0 {
        let next = match cases_in(path) {
            Some(cases) => format!("it holds cases, of which one can be named: {cases}"),
            None => format!("recount sniff FILE says what a file is. {KINDS}"),
        };
        return Err(Failure::input(&format!(
            "{} holds no trace and no ledger that could be read; {next}",
            shown(path)
        )));
    }
    Ok(())
}

/// Case folders in a folder, ready to be named, at most a dozen of them.
fn cases_in(folder: &Path) -> Option<String> {
    let mut cases: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join(config::NAME).is_file())
        .collect();
    cases.sort();
    let names: Vec<String> = cases.iter().take(12).map(|case| shown(case)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// A path or address without an option: what is there wins over what it could mean as an address.
///
/// # Errors
/// An address that cannot be read.
pub fn address_of(word: &OsStr) -> Result<Address, Failure> {
    if Path::new(word).symlink_metadata().is_ok() { literal(word) } else { address(word, true, "PATH") }
}

/// A path that is there, whatever it looks like.
fn literal(word: &OsStr) -> Result<Address, Failure> {
    match word.to_str().filter(|text| *text == "-") {
        Some(text) => plain(text).map_err(|why| Failure::usage(&why.to_string())),
        None => Ok(Address {
            format: None,
            place: Place::Path(PathBuf::from(word)),
            id: None,
            options: crate::sources::spec::Options::default(),
        }),
    }
}

/// A word that was typed for a source. Bytes that are not UTF-8 can only be a path.
///
/// # Errors
/// An address that cannot be read.
pub fn address(word: &OsStr, options: bool, option: &str) -> Result<Address, Failure> {
    let Some(text) = word.to_str() else {
        return literal(word);
    };
    let read = if options { with_options(text) } else { plain(text) };
    read.map_err(|why| {
        let name = if option == "PATH" { String::new() } else { format!("--{option} ") };
        // The address of a server may hold a password.
        let shown = match crate::sources::address::server::engine_of(text) {
            Some(_) => crate::text::url(text),
            None => shown(Path::new(word)),
        };
        Failure::usage(&format!("{name}{shown}: {why}"))
    })
}

/// A command that stands behind a path is a path like any other; that is said where no such file is there.
fn misplaced(word: &OsStr, address: &Address) -> Option<String> {
    let text = word.to_str()?;
    let is_there = matches!(&address.place, Place::Path(path) if path.symlink_metadata().is_ok());
    let command = super::table::named(text).filter(|_| !is_there)?;
    let name = command.short_name();
    Some(format!("no file \"{name}\"; a command is the first word: recount {name} .."))
}

/// A file that could be trace or ledger, or neither: both commands, ready to copy.
pub fn unclear(path: &Path, why: &str, call: &Call) -> Failure {
    let (name, file) = (call.command.short_name(), shell_path(path));
    let command = if name == "open" { "recount".to_owned() } else { format!("recount {name}") };
    Failure::usage(&format!(
        "{} could be a trace or a ledger: {why}. Say which:\n  {command} --trace {file}\n  {command} --ledger {file}",
        shown(path)
    ))
}

fn nothing(command: &str) -> String {
    format!(
        "nothing to read: no file was named, and this folder has no {}.\n  recount {command} --trace TRACE --ledger LEDGER\n  \
         recount {command} CASE",
        config::NAME
    )
}
