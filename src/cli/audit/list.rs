//! `recount audit list`: the entries, oldest first.

use crate::report::audit::{Listed, list, list_json};

use super::{Call, Failure, case_of, exit, failure, find, time};

/// Prints the entries that the filter lets through, and how many it hides.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let found = find(call)?;
    let (book, verdict) = found.look(call)?;
    let (from, to) = (call.text("from").map(time), call.text("to").map(time));
    let is = |option: &str, value: &str| call.text(option).is_none_or(|wanted| wanted == value);
    let mut entries = Vec::new();
    let mut hidden = 0;
    let view = book.view().map_err(failure)?;
    let read = view.entries(|entry| {
        let wanted = from.is_none_or(|from| from <= entry.time())
            && to.is_none_or(|to| entry.time() < to)
            && is("intent", entry.text_at("subject.id"))
            && is("action", entry.text_at("action"))
            && is("by", entry.text_at("actor.name"));
        if wanted {
            entries.push(entry);
        } else {
            hidden += 1;
        }
    });
    // What can be read of a damaged book is shown; the exit code says the rest.
    if verdict.holds() {
        read.map_err(failure)?;
    }
    let case = case_of(&book, &found.path);
    let head = view.head().unwrap_or_else(|_| verdict.head.clone());
    let listed = Listed { case: &case, entries: &entries, hidden, head: &head };
    call.print(|out| match call.format() {
        "json" => list_json(&listed, out),
        _ => list(&listed, out),
    })?;
    Ok(exit(call, &verdict))
}
