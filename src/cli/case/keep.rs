//! A question of a command that reads: what ledgers mean beside each other, asked on a terminal and, if the person wants
//! so, kept (`4-sources.md` 4.14).

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::input::{absent, plan};
use crate::config::edit::Value;
use crate::config::{self, Config};
use crate::load::clock_of;
use crate::model::time::Micros;
use crate::report::figures::safe;
use crate::report::file::shown;
use crate::sources::spec::{CaseSpec, Location, SourceSpec};

use super::ask::{self, Answer, Asker};
use super::file::CaseFile;
use super::{add, entry};

/// Asks where something is missing and somebody sits there. In a case the answers are written into its config, else
/// into the current folder after asking; where that is not wanted or not possible they hold for this run, and the
/// flags are said.
///
/// # Errors
/// No answer: the flags that say it.
pub fn asked(call: &Call, spec: &mut CaseSpec, config: &Config, case: Option<&Path>) -> Result<(), Failure> {
    let missing = absent(spec);
    if plan::unsaid(spec, &missing).is_none() {
        return Ok(());
    }
    let Some(mut asker) = Asker::of(call) else { return Ok(()) };
    let answers = ask::meanings(&mut asker, spec, &missing, case.is_some())?;
    let now = clock_of(spec).map_or(Micros::NONE, |(now, _)| now);
    let note = ask::note(&add::who(call, config), now);
    let kept = !call.flag("read-only") && kept(spec, case, &answers, &note, &mut Some(asker), call)?;
    if !kept {
        call.notes.note(&format!("Not written down. The same without a question: {}", flags(&answers)));
    }
    Ok(())
}

fn kept(
    spec: &CaseSpec,
    case: Option<&Path>,
    answers: &[Answer],
    note: &str,
    asker: &mut Option<Asker>,
    call: &Call,
) -> Result<bool, Failure> {
    let mut file = if let Some(case) = case {
        let mut file = CaseFile::at(case.to_owned())?;
        let answers: Vec<&Answer> = answers.iter().collect();
        for stays in add::set(&mut file, &answers, note, asker)? {
            call.notes.note(&stays);
        }
        file
    } else {
        let folder = PathBuf::from(".");
        let new = !folder.join(config::NAME).exists();
        let files = spec.sources.iter().all(|source| matches!(source.location, Location::File(_)));
        let question = format!("Write it, and the files that were named, into {} here?", config::NAME);
        if !new || !files || !asker.as_mut().is_some_and(|asker| asker.confirm(&question)) {
            return Ok(false);
        }
        let mut file = CaseFile::new(&folder, "")?;
        sections(&mut file, spec, answers, note)?;
        file
    };
    match file.write(0o600) {
        Ok(()) => {
            call.notes.note(&format!("Written to {}.", shown(&std::mem::take(&mut file.path))));
            Ok(true)
        }
        // A folder that cannot be written is no reason not to look.
        Err(why) => {
            call.notes.note(&why.text);
            Ok(false)
        }
    }
}

fn sections(file: &mut CaseFile, spec: &CaseSpec, answers: &[Answer], note: &str) -> Result<(), Failure> {
    let nothing = OsString::new();
    let mut done: Vec<(&str, &str)> = Vec::new();
    for source in &spec.sources {
        let section = entry::section(source.what);
        if done.contains(&(section, &source.id)) {
            continue;
        }
        done.push((section, &source.id));
        let own = |other: &&SourceSpec| other.id == source.id && other.what == source.what;
        let files: Vec<_> = spec.sources.iter().filter(own).map(|file| (file, &nothing)).collect();
        let keys = entry::keys(&files, &file.folder(), &[])?;
        let said: Vec<&str> = answers.iter().filter(|a| a.id == source.id).map(|a| a.key).collect();
        let comment = if said.is_empty() { String::new() } else { format!("{}: {note}", said.join(", ")) };
        file.draft.add(section, &source.id, &keys, &comment).map_err(|why| Failure::input(&why))?;
    }
    Ok(())
}

/// The same answers as flags.
fn flags(answers: &[Answer]) -> String {
    let mut flags = Vec::new();
    let parts: Vec<String> = answers.iter().filter(|a| a.key == "part").map(|a| safe(&a.id)).collect();
    for answer in answers {
        if let ("copy_of", Value::Text(original)) = (answer.key, &answer.value) {
            flags.push(format!("--copy-of {}={}", safe(&answer.id), safe(original)));
        }
    }
    if !parts.is_empty() {
        flags.push(format!("--part {}", parts.join(",")));
    }
    if flags.is_empty() {
        flags.push("?moves_money=true behind the address of each ledger".to_owned());
    }
    flags.join(" ")
}
