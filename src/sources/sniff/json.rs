//! JSON of known systems by the names at its top (`formats.md`, "Sniffing order").

use super::{Framing, Names, Sniff};
use crate::sources::envelope;
use crate::sources::formats::named;
use crate::sources::json;
use crate::sources::ledger::table::{LEDGERS, LedgerFormat, Shape};
use crate::sources::near::listed;
use crate::sources::open::holds_calls;
use crate::sources::peek::{Peek, Seen, find, names_below};
use crate::sources::spec::What;
use crate::sources::trace::table::{ANYWHERE, TRACES, TraceFormat, traced};
use crate::sources::trace::{experiment, native};

/// Lists in an envelope by their names.
pub const LISTS: [&str; 8] = ["data", "refunds", "effects", "items", "results", "rows", "records", "entries"];

/// Looks at text that may be JSON; `None` where no line of it is.
pub(super) fn sniff(begins: &[u8], role: Option<What>, depth: usize) -> Option<Sniff> {
    let (peek, framing) = framed(begins)?;
    let records = &peek.records;
    let has = |paths: &[&str]| records.iter().any(|record| paths.iter().all(|path| there(record, path)));
    if let Some(found) = own(records, framing) {
        return Some(found);
    }
    for format in TRACES {
        if let Some(paths) = format.marks.iter().find(|paths| has(paths)) {
            // Requests of several providers look alike; what calls they hold tells them apart.
            let alike = ANYWHERE.contains(&format.name) && !holds_calls(format, begins, framing);
            if let Some(other) = anywhere(begins, framing).filter(|_| alike) {
                return Some(other);
            }
            return Some(recorded(format, framing, format!("its records have {}", listed(paths, 4))));
        }
    }
    for format in LEDGERS {
        if let Some(paths) = format.marks.iter().find(|paths| has(paths) || listed_in(records, format, paths))
        {
            // One value on one line is a document, whether a line end follows it or not.
            let alone = framing == Framing::JsonLines && !begins.contains(&b'\n');
            let framing = if alone { Framing::Json } else { framing };
            return Some(exported(format, framing, format!("its records have {}", listed(paths, 4))));
        }
    }
    if let Some((envelope, paths)) = envelope::around(records).filter(|_| depth < envelope::DEEPEST) {
        let lines = framing == Framing::JsonLines;
        let inside = envelope::beginning(envelope, begins, lines);
        let inner = Box::new(super::inside(&inside, role, depth + 1));
        let why = format!("its records have {}", listed(paths, 4));
        return Some(Sniff::Envelope { envelope, lines, why, inner });
    }
    let list = list_of(&peek);
    let below: Vec<&str> = list.iter().flat_map(|list| [*list, "[]"]).collect();
    let mut names: Vec<&str> = Vec::new();
    for record in records {
        for name in names_below(record, &below) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let known = Names::of(&names);
    if let Some(found) = known.role().is_err().then(|| anywhere(begins, framing)).flatten() {
        return Some(found);
    }
    let framing = if list.is_some() { Framing::Json } else { framing };
    let list = list.map(str::to_owned);
    Some(match known.sniff(framing, list, role) {
        Sniff::Unclear { framing, list, why, neither } => {
            let why = if neither { format!("{why}; its names are {}", listed(&names, 12)) } else { why };
            Sniff::Unclear { framing, list, why, neither }
        }
        found => found,
    })
}

/// A trace whose calls are known by their own shape, whatever stands around them.
fn anywhere(begins: &[u8], framing: Framing) -> Option<Sniff> {
    let mut formats = ANYWHERE.iter().filter_map(|name| traced(name));
    let format = formats.find(|format| holds_calls(format, begins, framing))?;
    Some(recorded(format, framing, "there are calls of its form in it".to_owned()))
}

/// The paths stand in the first element of a list that the format is taken out of.
fn listed_in(records: &[Vec<Seen>], format: &LedgerFormat, paths: &[&str]) -> bool {
    let Shape::Json(lists) = format.shape else { return false };
    lists.iter().any(|list| {
        let inside = |path: &&str| format!("{list}.[].{path}");
        records.iter().any(|record| paths.iter().all(|path| there(record, &inside(path))))
    })
}

/// A ledger of another system.
pub(super) fn exported(format: &LedgerFormat, framing: Framing, why: String) -> Sniff {
    Sniff::Known { format: format.name, what: What::Ledger, framing, why, list: None }
}

/// A trace of another system.
pub(super) fn recorded(format: &TraceFormat, framing: Framing, why: String) -> Sniff {
    let known = named(format.name).filter(|name| !name.is_read());
    match known {
        Some(format) => Sniff::Foreign { format, why },
        None => Sniff::Known { format: format.name, what: What::Trace, framing, why, list: None },
    }
}

fn there(record: &[Seen], path: &str) -> bool {
    match path.split_once('=') {
        Some((path, value)) => find(record, path) == Some(value),
        None => find(record, path).is_some(),
    }
}

/// The formats that are recount's own, and those of the published experiment.
fn own(records: &[Vec<Seen>], framing: Framing) -> Option<Sniff> {
    let known = |format: &'static str, what: What, framing: Framing, why: String| {
        Some(Sniff::Known { format, what, framing, why, list: None })
    };
    let effects =
        |record: &&Vec<Seen>| find(record, "initial") == Some("{") && find(record, "final") == Some("{");
    if records.first().is_some_and(|record| effects(&record)) {
        let why = "it holds `initial` and `final` of one store".to_owned();
        return known("experiment-effects", What::Ledger, Framing::Document, why);
    }
    let events: Vec<&str> = records.iter().filter_map(|record| find(record, "event")).collect();
    let particular = |event: &&str| experiment::EVENTS.contains(event) && !native::EVENTS.contains(event);
    let begun = |record: &Vec<Seen>| {
        find(record, "event") == Some("run_started")
            && ["task_id", "operation_id"].iter().all(|name| find(record, name).is_some())
    };
    if let Some(event) = events.iter().find(|event| particular(event)) {
        return known("experiment", What::Trace, framing, format!("its events are {event} and the like"));
    }
    if records.iter().any(begun) {
        let why = "run_started names a task and an operation".to_owned();
        return known("experiment", What::Trace, framing, why);
    }
    // Expectations may carry the event's name too; a file of nothing else holds no attempts.
    if !events.is_empty()
        && events.len() == records.len()
        && events.iter().all(|event| *event == "intent_recorded")
    {
        let why = "all its events are intent_recorded".to_owned();
        return known("native", What::Trace, framing, why);
    }
    let event = events.iter().find(|event| native::EVENTS.contains(event))?;
    known("native", What::Trace, framing, format!("its events are {event} and the like"))
}

/// The list in an envelope: an object whose only list of objects has one of the usual names.
fn list_of(peek: &Peek) -> Option<&'static str> {
    let first = peek.records.first().filter(|_| !peek.array)?;
    LISTS.into_iter().find(|list| find(first, &format!("{list}.[]")) == Some("{"))
}

/// Cuts the beginning into records: lines of JSON, though some may be noise, or a document.
fn framed(begins: &[u8]) -> Option<(Peek, Framing)> {
    let is_record = |line: &&[u8]| line.trim_ascii_start().starts_with(b"{") && json::check(line).is_ok();
    let lines: Vec<&[u8]> = begins.split(|byte| *byte == b'\n').take(200).filter(is_record).collect();
    let whole_first = begins.split(|byte| *byte == b'\n').next().is_some_and(|line| is_record(&line));
    let first = begins.first();
    if first == Some(&b'[') && !whole_first {
        return Some((Peek::at(begins), Framing::Json));
    }
    let document = Peek::at(begins);
    let as_lines = !lines.is_empty() && (whole_first || first != Some(&b'{') || document.broken);
    if as_lines {
        let mut peek = Peek { several: true, ..Peek::default() };
        for line in lines {
            peek.records.extend(Peek::at(line).records);
        }
        return Some((peek, Framing::JsonLines));
    }
    if first != Some(&b'{') || document.records.is_empty() {
        return None;
    }
    Some((document, Framing::Json))
}
