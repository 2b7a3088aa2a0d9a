//! `recount handover`: ten lines and the list, for whoever takes over.

use crate::report::handover::text;

use super::call::Call;
use super::failure::Failure;
use super::loading::loaded;
use super::options::{Set, Takes, flag, one};
use super::report::title;

/// What is in it.
#[rustfmt::skip]
pub const OPTIONS: Set = Set { heading: "output", options: &[
    one("limit", "N", Takes::Number, "rows of the list; default 20, 0 is all"),
    one("out", "F", Takes::Path, "into a file, never over another one; its path is printed"),
    flag("force", "--out may overwrite"),
] };

/// Prints it.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let loaded = loaded(call)?;
    let gathered = loaded.gathered(call, &loaded.ask(call));
    gathered.say_unread(call);
    let report = gathered.report(&loaded.case);
    let title = title(&loaded, report.sources.iter().map(|source| source.id.as_str()));
    call.print(|out| text(&report, &title, call.paint(), out))?;
    Ok(0)
}
