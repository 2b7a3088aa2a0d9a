//! `recount sources`: per source meaning, format, mapping, position, control totals, problems.

use crate::report::{json, text};

use super::call::Call;
use super::failure::Failure;
use super::loading::loaded;

/// Prints the sources.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let loaded = loaded(call)?;
    let gathered = loaded.gathered(call, &loaded.ask(call));
    gathered.say_unread(call);
    let report = gathered.report(&loaded.case);
    call.print(|out| match call.format() {
        "json" => json::sources(&report, out),
        _ => text::sources(&report, out),
    })?;
    Ok(loaded.ended(call, 0))
}
