//! What is this file? By content, never by its ending (`4-sources.md` 4.15, `formats.md` "Sniffing order").
//!
//! Formats that this build does not read are recognised by name all the same, so that nobody's file is taken for
//! something that it is not.

mod json;
mod text;

pub use json::LISTS;

use super::envelope::Envelope;
use super::formats::FormatName;
use super::spec::What;

/// How records follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// One JSON object a line.
    JsonLines,
    /// A JSON array, pretty-printed or concatenated JSON, or a list in an envelope.
    Json,
    /// One JSON document.
    Document,
    /// Lines of text.
    Lines,
    /// A header line and rows.
    Csv,
    /// A database.
    Sqlite,
}

impl Framing {
    /// The word in machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::JsonLines => "jsonl",
            Self::Json | Self::Document => "json",
            Self::Lines => "lines",
            Self::Csv => "csv",
            Self::Sqlite => "sqlite",
        }
    }
}

/// What was found out about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sniff {
    /// A format that is read.
    Known {
        /// Its name; of generic records the name for their role.
        format: &'static str,
        /// What it holds.
        what: What,
        /// How records follow each other.
        framing: Framing,
        /// Why, in words.
        why: String,
        /// Name of the list in an envelope (`data`), where there is one.
        list: Option<String>,
    },
    /// Records with names of which it cannot be said whether they are attempts or effects.
    Unclear {
        /// How records follow each other.
        framing: Framing,
        /// Name of the list in an envelope.
        list: Option<String>,
        /// What speaks for both, or that nothing does.
        why: String,
        /// Nothing speaks for either.
        neither: bool,
    },
    /// A format that is known by name and not read by this build.
    Foreign {
        /// The format.
        format: FormatName,
        /// Why, in words.
        why: String,
    },
    /// Log lines in an envelope.
    Envelope {
        /// Whose.
        envelope: &'static Envelope,
        /// One record a line.
        lines: bool,
        /// Why, in words.
        why: String,
        /// What stands in it.
        inner: Box<Sniff>,
    },
    /// Packed, or in a binary format, with the command that makes it readable.
    Packed {
        /// What it is.
        what: &'static str,
        /// The command; `FILE` stands for the path.
        command: &'static str,
    },
    /// Nothing that holds records.
    Nothing {
        /// What was seen.
        seen: String,
    },
}

impl Sniff {
    /// What stands in the envelopes, if it is in any.
    #[must_use]
    pub fn bare(self) -> Sniff {
        match self {
            Sniff::Envelope { inner, .. } => inner.bare(),
            found => found,
        }
    }
}

/// Files that begin so are packed or binary. `formats.md`: magic bytes come first.
const PACKED: [(&[u8], &str, &str); 7] = [
    (b"PK\x03\x04", "a zip archive", "unzip FILE"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd", "zstd -d FILE"),
    (b"\xfd7zXZ\x00", "packed with xz", "xz -dk FILE"),
    (b"BZh", "packed with bzip2", "bunzip2 -k FILE"),
    (b"PAR1", "a Parquet file", "duckdb -c \"copy (select * from 'FILE') to 'FILE.csv'\""),
    (b"JEPSEN", "a Jepsen store file", "lein run test analyze, then give its history.edn"),
    (b"\x1f\x8b", "packed with gzip", "gunzip -k FILE"),
];

/// Files that begin so hold no records at all.
const OTHER: [(&[u8], &str); 9] = [
    (b"\x89PNG", "an image (PNG)"),
    (b"\xff\xd8\xff", "an image (JPEG)"),
    (b"GIF8", "an image (GIF)"),
    (b"%PDF", "a PDF document"),
    (b"\x7fELF", "a program"),
    (b"\xff\xfe", "UTF-16 text: convert it with `iconv -f UTF-16 -t UTF-8 FILE`"),
    (b"\xfe\xff", "UTF-16 text: convert it with `iconv -f UTF-16 -t UTF-8 FILE`"),
    (b"<!DOCTYPE", "a web page"),
    (b"<html", "a web page"),
];

/// How a SQLite database begins.
pub const SQLITE_MAGIC: &[u8] = b"SQLite format 3\0";

/// Looks at the beginning of a file. `role` is what it was given as, where that was said: then records whose names say
/// nothing are read as that.
pub fn sniff(head: &[u8], role: Option<What>) -> Sniff {
    inside(head, role, 0)
}

/// The same inside so many envelopes.
fn inside(head: &[u8], role: Option<What>, depth: usize) -> Sniff {
    if head.is_empty() {
        return Sniff::Nothing { seen: "an empty file".to_owned() };
    }
    if head.starts_with(SQLITE_MAGIC) {
        return Sniff::Known {
            format: "sqlite",
            what: role.unwrap_or(What::Ledger),
            framing: Framing::Sqlite,
            why: "it begins as SQLite databases do".to_owned(),
            list: None,
        };
    }
    if let Some((_, what, command)) = PACKED.iter().find(|(magic, ..)| head.starts_with(magic)) {
        return Sniff::Packed { what, command };
    }
    if let Some((_, seen)) = OTHER.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Sniff::Nothing { seen: (*seen).to_owned() };
    }
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let Some(first) = text.iter().position(|byte| !byte.is_ascii_whitespace()) else {
        return Sniff::Nothing { seen: "nothing but white space".to_owned() };
    };
    let begins = text.get(first..).unwrap_or_default();
    if let Some(found) = text::wrapped(begins, role, depth) {
        return found;
    }
    if let Some(found) = text::traces(begins) {
        return found;
    }
    if let Some(found) = json::sniff(begins, role, depth) {
        return found;
    }
    let first = begins.split(|byte| *byte == b'\n').next().unwrap_or(begins);
    let found = if first.contains(&0) { None } else { Some(text::sniff(begins, role)) };
    match found {
        // A damaged line costs itself, not the file: what its first line says stands.
        Some(found @ Sniff::Known { .. }) => found,
        Some(found) if !text.iter().take(1024).any(|byte| *byte == 0) => found,
        _ => Sniff::Nothing { seen: "binary data".to_owned() },
    }
}

/// What names of records speak for (`7-commands.md` 7.5.1).
struct Names {
    trace: Vec<String>,
    ledger: Vec<String>,
    expectations: bool,
    known: bool,
}

/// Names that only attempts have.
const OF_TRACES: [&str; 5] = ["tool", "attempt", "attempt_id", "outcome", "sent_at"];
/// Names that only effects have.
const OF_LEDGERS: [&str; 3] = ["effect_id", "refund_id", "committed_at"];
/// Names that only expectations have.
const OF_EXPECTATIONS: [&str; 5] = ["count", "count_min", "count_max", "accept", "intent_id"];

impl Names {
    fn of<S: AsRef<str>>(names: &[S]) -> Self {
        use super::names::{ledger, record, shared, stands_for, trace};
        let has = |known: &str| names.iter().any(|name| stands_for(known, name.as_ref()));
        let found = |known: &[&str]| -> Vec<String> {
            names
                .iter()
                .map(AsRef::as_ref)
                .filter(|name| known.iter().any(|known| stands_for(known, name)))
                .map(str::to_owned)
                .collect()
        };
        let line = |slot: usize| ledger::TABLE.get(slot).map_or(&[][..], |line| line.names);
        let trace = found(&OF_TRACES);
        let mut ledger = found(&OF_LEDGERS);
        if trace.is_empty() {
            ledger.extend(found(line(shared::AMOUNT)));
            ledger.extend(found(line(shared::AMOUNT_MINOR)));
        }
        let timed = line(ledger::COMMITTED).iter().any(|name| has(name));
        let linked =
            ["operation_id", "intent_id", "idempotency_key", "key", "business_id", "order_id", "order"]
                .iter()
                .any(|name| has(name));
        let effect = OF_LEDGERS.iter().any(|name| has(name));
        let tables = [ledger::TABLE, trace::TABLE, record::TABLE];
        let known =
            tables.iter().flat_map(|table| table.iter()).any(|line| line.names.iter().any(|name| has(name)));
        let expectations =
            OF_EXPECTATIONS.iter().any(|name| has(name)) && linked && !timed && !effect && trace.is_empty();
        Self { trace, ledger, expectations, known }
    }

    /// The role and why, or why it is unclear.
    fn role(&self) -> Result<(What, String), (String, bool)> {
        let has = |names: &[String]| format!("it has {}", super::near::listed(names, 4));
        match (self.trace.is_empty(), self.ledger.is_empty()) {
            _ if self.expectations => Ok((What::Expectations, "it has the names of expectations".to_owned())),
            (false, true) => Ok((What::Trace, has(&self.trace))),
            (true, false) => Ok((What::Ledger, has(&self.ledger))),
            (false, false) => {
                let both = format!(
                    "it has {}, as traces do, and {}, as ledgers do",
                    super::near::listed(&self.trace, 4),
                    super::near::listed(&self.ledger, 4)
                );
                Err((both, false))
            }
            (true, true) => Err(("no name in it says whether it holds attempts or effects".to_owned(), true)),
        }
    }

    /// What generic records of these names are.
    fn sniff(&self, framing: Framing, list: Option<String>, role: Option<What>) -> Sniff {
        let name = |what: What| match (what, framing) {
            (What::Trace, _) => "generic",
            (_, Framing::Csv) => "csv",
            (_, Framing::JsonLines) => "jsonl",
            _ => "json",
        };
        match (role, self.role()) {
            (Some(what), _) if self.known => Sniff::Known {
                format: name(what),
                what,
                framing,
                why: "its names, read as what it was given as".to_owned(),
                list,
            },
            (_, Ok((what, why))) => Sniff::Known { format: name(what), what, framing, why, list },
            (_, Err((why, neither))) => Sniff::Unclear { framing, list, why, neither },
        }
    }
}

#[cfg(test)]
mod tests;
