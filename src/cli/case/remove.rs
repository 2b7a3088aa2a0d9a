//! `recount case remove SOURCE`: a source out of `recount.toml`. Its file, and what the book says of it, stay.

use crate::book::action::Action;
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::settle::{Stop, out::plain};
use crate::config::keys::File;
use crate::report::figures::safe;
use crate::report::file::shown;
use crate::sources::near::did_you_mean;

use super::audited::Log;
use super::file::{CaseFile, may_write};

/// Takes a source out.
pub fn run(call: &Call) -> Result<u8, Failure> {
    plain(call, work(call))
}

fn work(call: &Call) -> Result<u8, Stop> {
    may_write(call)?;
    let mut file = CaseFile::of_call(call)?;
    let log = Log::of(call, &file)?;
    let id = call.word().unwrap_or_default();
    let config = file.config()?.file;
    let sections = [
        ("traces", config.traces.contains_key(&id)),
        ("sources", config.sources.contains_key(&id)),
        ("intents", config.intents.contains_key(&id)),
    ];
    let mut found = sections.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name);
    let Some(section) = found.next() else {
        let ids = || config.traces.keys().chain(config.sources.keys()).chain(config.intents.keys());
        let listed: Vec<String> = ids().map(|id| safe(id)).collect();
        let listed = if listed.is_empty() { "it has none".to_owned() } else { listed.join(", ") };
        let near = did_you_mean(&id, ids().map(String::as_str));
        let why = format!("the case has no source {id:?}{near}; its sources: {listed}");
        return Err(Failure::usage(&why).into());
    };
    let others = if section == "sources" { named_by(&config, &id) } else { Vec::new() };
    if !others.is_empty() {
        return Err(Failure::usage(&format!(
            "{} is named by {}: change that in {} first",
            safe(&id),
            others.join(", "),
            shown(&file.path)
        ))
        .into());
    }
    if !file.draft.remove(section, &id) {
        return Err(Failure::input(&format!(
            "[{section}.{}] is written in a form that cannot be taken out by itself; edit {}",
            safe(&id),
            shown(&file.path)
        ))
        .into());
    }
    file.write(0o600)?;
    if let Some(log) = log {
        log.tell(Action::SourceRemoved, std::slice::from_ref(&id), &file)?;
    }
    call.print(|out| {
        out.line(&format!(
            "{} is no longer in {}. Its file and what the book says of it stay.",
            safe(&id),
            shown(&file.path)
        ));
    })?;
    Ok(0)
}

/// What names a ledger: its copies, and tools that it records.
fn named_by(config: &File, id: &str) -> Vec<String> {
    let copies = config.sources.iter().filter(|(_, source)| source.get_ref().copy_of.as_deref() == Some(id));
    let tools = config.tools.iter().filter(|(_, tool)| tool.get_ref().ledger.as_deref() == Some(id));
    let copies = copies.map(|(name, _)| format!("copy_of of [sources.{}]", safe(name)));
    copies.chain(tools.map(|(name, _)| format!("ledger of [tools.{}]", safe(name)))).collect()
}
