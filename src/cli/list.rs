//! `recount list`: the rows of the triage list, in its order; no verdict on the whole.

use crate::report::{csv, json, jsonl, markdown, text};

use super::call::Call;
use super::failure::Failure;
use super::loading::{Loaded, loaded};

/// Prints the list.
pub fn run(call: &Call) -> Result<u8, Failure> {
    print(call, &loaded(call)?)
}

/// Prints the list of a loaded case.
pub fn print(call: &Call, loaded: &Loaded) -> Result<u8, Failure> {
    let gathered = loaded.gathered(call, &loaded.ask(call));
    gathered.say_unread(call);
    let report = gathered.report(&loaded.case);
    call.print(|out| match call.format() {
        "json" => json::list(&report, out),
        "jsonl" => jsonl::list(&report, out),
        "csv" => csv::check(&report, out),
        "markdown" => markdown::list(&report, out),
        _ => text::list(&report, out),
    })?;
    Ok(loaded.ended(call, 0))
}
