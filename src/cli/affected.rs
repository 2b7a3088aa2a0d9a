//! `recount affected`: whom to write to, about which order, and what happened.

use crate::report::affected::{columns, csv, json, names, table};
use crate::sources::near::did_you_mean;

use super::call::Call;
use super::failure::Failure;
use super::loading::loaded;
use super::options::{Set, Takes, flag, one};

/// In which form, and what is in it.
#[rustfmt::skip]
pub const OPTIONS: Set = Set { heading: "output", options: &[
    one("columns", "A,B", Takes::Text, "more columns: intent, operation, kind, tool, verdict, class, state, effects, first, last, story, next"),
    one("only", "WHICH", Takes::Word(&["divergent", "violation", "undecided", "all"]), "which rows; default what diverges or is undecided"),
    one("format", "F", Takes::Word(&["csv", "json", "markdown", "md"]), "csv, json or markdown; default csv"),
    one("out", "F", Takes::Path, "into a file, never over another one; its path is printed"),
    flag("force", "--out may overwrite"),
] };

/// Prints the list.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let named: Vec<&str> =
        call.text("columns").map(|text| text.split(',').map(str::trim).collect()).unwrap_or_default();
    if let Some(unknown) = named.iter().find(|name| !names().any(|known| known == **name)) {
        let near = did_you_mean(unknown, names()).replace('`', "");
        return Err(Failure::usage(&format!(
            "--columns has no {unknown:?}{near}; there are {}",
            names().collect::<Vec<_>>().join(", ")
        )));
    }
    let columns = columns(&named);
    let loaded = loaded(call)?;
    let gathered = loaded.gathered(call, &loaded.ask(call));
    gathered.say_unread(call);
    let report = gathered.report(&loaded.case);
    call.print(|out| match call.format() {
        "json" => json(&report, &columns, out),
        "markdown" => table(&report, &columns, out),
        _ => csv(&report, &columns, out),
    })?;
    Ok(loaded.ended(call, 0))
}
