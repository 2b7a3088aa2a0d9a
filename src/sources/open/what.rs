//! What a file is, and whether it is what it was given as.

use super::Problem;
use crate::sources::csv::Dialect;
use crate::sources::formats::FormatName;
use crate::sources::frame::Bytes;
use crate::sources::json;
use crate::sources::ledger::table::{Shape, ledgered};
use crate::sources::names::stands_for;
use crate::sources::peek::{Peek, Seen, find};
use crate::sources::sniff::{Framing, LISTS, Sniff, sniff};
use crate::sources::spec::{SourceSpec, What};
use crate::sources::trace::table::{Cut, traced};

/// What a file is, as it will be read.
pub(super) struct Found {
    /// Name of the format.
    pub(super) format: &'static str,
    /// How records follow each other.
    pub(super) framing: Framing,
    /// Why.
    pub(super) why: String,
    /// Name of the list in an envelope.
    pub(super) list: Option<String>,
}

pub(super) fn what_it_is(
    head: &[u8],
    spec: &SourceSpec,
    asked: Option<FormatName>,
) -> Result<Found, Problem> {
    let role = spec.what;
    let known = |format: &'static str, framing: Framing, why: String, list: Option<String>| Found {
        format,
        framing,
        why,
        list,
    };
    let forced = asked.is_some() || !spec.options.columns.is_empty();
    let sniffed = sniff(head, None);
    let found = match sniffed {
        Sniff::Known { format, what, framing, why, list } => {
            let calls = role == What::Ledger && what == What::Trace && read_by_names(asked);
            if calls && (spec.options.columns.is_empty() || calls_for_sure(format, framing, head)) {
                return Err(Problem::OtherKind { is: what, format, wanted: role });
            }
            if !forced && !may_be(role, what, head) {
                return Err(Problem::OtherKind { is: what, format, wanted: role });
            }
            known(format, framing, why, list)
        }
        Sniff::Unclear { neither: true, .. } if role == What::Ledger && empty_list(head).is_some() => {
            known("", Framing::Json, EMPTY.to_owned(), empty_list(head).and_then(|empty| empty.list))
        }
        Sniff::Unclear { framing, list, why, .. } => {
            // What it was given as settles what its names do not say, if any name says anything.
            match sniff(head, Some(role)) {
                Sniff::Known { why, .. } => known("", framing, why, list),
                _ if forced => known("", framing, "its names are those of the mapping".to_owned(), list),
                _ => return Err(Problem::NothingKnown { wanted: role, why }),
            }
        }
        Sniff::Foreign { format, why } if !forced => {
            return Err(Problem::Foreign { format: format.name, why });
        }
        Sniff::Envelope { envelope, why, .. } if !forced => {
            return Err(Problem::Envelope { whose: envelope.whose, why });
        }
        Sniff::Foreign { .. } | Sniff::Envelope { .. } => forced_framing(head),
        Sniff::Packed { what, command } => return Err(Problem::Packed { what, command }),
        Sniff::Nothing { .. }
            if asked
                .is_some_and(|format| traced(format.name).is_some() || ledgered(format.name).is_some()) =>
        {
            forced_framing(head)
        }
        Sniff::Nothing { seen } => return Err(Problem::NoRecords { seen }),
    };
    // What was named goes before what was found. Expectations have one format, whatever wrote them.
    let named = asked.map_or(found.format, |format| format.name);
    // A table with a header is one, whoever printed it.
    let named = match (named, found.format) {
        ("psql" | "pg-copy", "csv") => "csv",
        _ => named,
    };
    let recorded = traced(named);
    let exported = ledgered(named);
    let own = OWN.into_iter().find(|own| *own == named).or(recorded.map(|format| format.name));
    let own = own.or(exported.map(|format| format.name));
    // The same file by a mapping of its raw fields.
    let found = match ledgered(found.format) {
        Some(_) if exported.is_none() && found.list.is_none() => {
            Found { framing: found.framing, ..forced_framing(head) }
        }
        _ => found,
    };
    let records = matches!(role, What::Expectations | What::Intents);
    let format = own.filter(|_| !records).unwrap_or(generic_name(role, found.framing));
    let recorded = recorded.filter(|recorded| recorded.name == format);
    let framing = match format {
        _ if exported.is_some_and(|exported| exported.name == format) => {
            exported.map_or(found.framing, |exported| framing_of(exported.shape, found.framing))
        }
        _ if recorded.is_some_and(|recorded| recorded.cut == Cut::Lines) => Framing::Lines,
        _ if recorded
            .is_some_and(|recorded| recorded.cut == Cut::Either && found.framing == Framing::Lines) =>
        {
            Framing::Lines
        }
        _ if recorded.is_some() && matches!(found.framing, Framing::Csv | Framing::Lines) => {
            Framing::JsonLines
        }
        "experiment-effects" => Framing::Document,
        _ if found.framing == Framing::Document => Framing::Json,
        _ => found.framing,
    };
    Ok(Found { format, framing, ..found })
}

/// No format of another system was named: the names of the fields say what a record is.
fn read_by_names(asked: Option<FormatName>) -> bool {
    asked.is_none_or(|format| ledgered(format.name).is_none())
}

/// A mapping says where fields stand, never that calls are effects: what a system wrote as a trace, or records that
/// name a call and its sending or outcome, are counted as no rows. `tool` or `sent_at` alone may stand in a ledger.
fn calls_for_sure(format: &str, framing: Framing, head: &[u8]) -> bool {
    if format != generic_name(What::Trace, framing) {
        return true;
    }
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let names: Vec<String> = if framing == Framing::Csv {
        let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        Dialect::of(String::from_utf8_lossy(first).trim_end()).header
    } else {
        let records = Peek::at(text.trim_ascii_start()).records;
        let last = |seen: Seen| seen.path.last().cloned();
        records.into_iter().flatten().filter_map(last).collect()
    };
    let has = |known: [&str; 2]| names.iter().any(|name| known.iter().any(|known| stands_for(known, name)));
    let call = has(["attempt_id", "attempt"]) || has(["tool", "tool_name"]);
    call && has(["outcome", "sent_at"])
}

/// A ledger in which nothing stands is a listing without rows, not a file that cannot be read: an export of a quiet
/// day has none, and `--ledger-final` may declare that this is all (`4-sources.md` 4.3). Alone it proves no absence,
/// because no row of it is newer than a call.
pub(super) fn blank_ledger(
    spec: &SourceSpec,
    asked: Option<FormatName>,
    bytes: &Bytes,
    head: &[u8],
) -> Option<Found> {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let blank = bytes.len() == head.len() as u64 && text.trim_ascii().is_empty();
    let may_be = asked.is_none_or(|format| matches!(format.name, "csv" | "json" | "jsonl"));
    (spec.what == What::Ledger && may_be && blank).then(|| Found {
        format: asked.map_or("jsonl", |format| format.name),
        framing: Framing::JsonLines,
        why: EMPTY.to_owned(),
        list: None,
    })
}

/// Why a listing without rows is taken for one.
const EMPTY: &str = "there are no rows in it";

/// What an envelope says of its list beside it; with any other name it may be a row itself.
const PAGING: [&str; 6] = ["count", "has_more", "next", "page", "total", "url"];

/// A listing without rows, and the name of its list where it has an envelope.
struct EmptyList {
    list: Option<String>,
}

/// The same for an empty array, or an envelope whose list is empty: the name of the list.
fn empty_list(head: &[u8]) -> Option<EmptyList> {
    let peek = Peek::at(head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head));
    if peek.array {
        return peek.records.is_empty().then_some(EmptyList { list: None });
    }
    let first = peek.records.first().filter(|_| !peek.several && !peek.broken)?;
    let list = LISTS.into_iter().find(|list| find(first, list) == Some("["))?;
    let beside = |seen: &Seen| match seen.path.as_slice() {
        [name] => name == list || PAGING.contains(&name.as_str()),
        path => path.is_empty(),
    };
    first.iter().all(beside).then(|| EmptyList { list: Some(list.to_owned()) })
}

/// A foreign format that is to be read by a mapping: JSON lines, or JSON.
fn forced_framing(head: &[u8]) -> Found {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let framing = match text.first() {
        Some(b'{') if json::check(first).is_ok() => Framing::JsonLines,
        Some(b'{' | b'[') => Framing::Json,
        _ => Framing::Csv,
    };
    let list = (framing == Framing::Json).then(|| "data".to_owned());
    Found { format: "", framing, why: "as it was named".to_owned(), list }
}

/// How a ledger of another system is cut: as its format says, whatever the file looked like.
fn framing_of(shape: Shape, found: Framing) -> Framing {
    match shape {
        Shape::Json(_) if matches!(found, Framing::JsonLines | Framing::Json) => found,
        Shape::Json(_) => Framing::JsonLines,
        Shape::Table | Shape::Cells => Framing::Csv,
        Shape::Text => Framing::Lines,
    }
}

fn generic_name(role: What, framing: Framing) -> &'static str {
    match (role, framing) {
        (What::Trace, _) => "generic",
        (_, Framing::Csv) => "csv",
        (_, Framing::JsonLines) => "jsonl",
        (_, Framing::Sqlite) => "sqlite",
        _ => "json",
    }
}

/// Whether what a file seems to hold may be read as what it was given as. Tickets look like a ledger (an order and an
/// amount), and recorded intents may serve as expectations.
fn may_be(role: What, is: What, head: &[u8]) -> bool {
    match (role, is) {
        (What::Expectations | What::Intents, What::Trace) => {
            let peek = Peek::at(head);
            peek.records.iter().all(|record| find(record, "event") == Some("intent_recorded"))
        }
        (What::Expectations | What::Intents, _) => true,
        (role, is) => role == is,
    }
}

/// Formats whose fields are fixed.
const OWN: [&str; 3] = ["native", "experiment", "experiment-effects"];
