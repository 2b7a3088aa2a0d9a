//! One record again, when a person looks: its text, its place in words, all its fields.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::value::RawValue;

use super::{Body, Opened, ReadFailure};
use crate::sources::csv::{Dialect, split};
use crate::sources::frame::{
    self, Bytes, Limits, LineIndex, Lines, ReadError, Stretch, line_number, record_at,
};
use crate::sources::ledger::sqlite::read::{Fields, as_json};
use crate::sources::names::{FieldNames, trace};
use crate::sources::sniff::Framing;
use crate::sources::spec::{Column, Location};

/// So much of a record is shown (`1-model.md` 1.4.1).
const SHOWN: usize = 4 << 10;

/// A record of a table whose quotes hold line ends is not followed further than this many bytes.
const FURTHEST: u64 = 128 << 10;

/// Objects inside records are opened this deep for [`Opened::fields`].
const DEEP: usize = 4;

/// What a call was sent with.
const ARGUMENTS: FieldNames = trace::TABLE[trace::ARGUMENTS];

/// One record as it stands in its source. Texts may hold anything: escape before showing. Bytes that are no UTF-8 are
/// written `\xFF`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawRecord {
    /// At most the first 4 KiB.
    pub shown: String,
    /// All of it.
    pub whole: String,
    /// `shown` is not all.
    pub cut: bool,
}

impl Opened {
    /// What was met while the source was read: where that is all of it, no line is counted again.
    pub fn learn_lines(&self, stretches: Vec<Stretch>) {
        let bytes = match &self.body {
            Body::Json { bytes, .. } | Body::Table { bytes, .. } | Body::Effects { bytes, .. } => bytes,
            Body::Calls { .. } | Body::Export { .. } | Body::Database { .. } | Body::Server { .. } => return,
        };
        if let Some(index) = LineIndex::of(stretches, bytes.len()) {
            // An index that is there already says the same.
            let _ = self.lines.set(index);
        }
    }

    /// The record at a place, read again.
    ///
    /// # Errors
    /// When the source cannot be read, or the record is longer than is allowed.
    pub fn raw(&self, place: u64) -> Result<RawRecord, ReadFailure> {
        let whole = match &self.body {
            Body::Database { .. } => match self.row(place)? {
                Some(fields) => as_json(&fields),
                None => String::from("this row is not there any more"),
            },
            Body::Server { ledger, .. } => match ledger.fields(place) {
                Some(fields) => as_json(&fields),
                None => String::from("this row was not kept"),
            },
            _ => lossy(&self.record(place)?),
        };
        let mut end = whole.len().min(SHOWN);
        while !whole.is_char_boundary(end) {
            end -= 1;
        }
        let shown = whole.get(..end).unwrap_or_default().to_owned();
        Ok(RawRecord { cut: shown.len() < whole.len(), shown, whole })
    }

    /// The place in words: `trace.jsonl line 14`, `payments.db, table refunds, row 48203`.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn place_words(&self, place: u64) -> Result<String, ReadFailure> {
        let name = self.name();
        match &self.body {
            Body::Json { bytes, .. }
            | Body::Table { bytes, .. }
            | Body::Effects { bytes, .. }
            | Body::Calls { bytes, .. }
            | Body::Export { bytes, .. } => {
                if let Some(unwrapped) = &self.unwrapped {
                    return self.outside_words(&name, unwrapped.outside(place));
                }
                if self.lines.get().is_none() {
                    // A second worker may have been faster: its index is the same.
                    let _ = self.lines.set(LineIndex::new(bytes)?);
                }
                let line = match self.lines.get() {
                    Some(lines) => lines.line(bytes, place)?,
                    None => line_number(bytes, place)?,
                };
                Ok(format!("{name} line {line}"))
            }
            Body::Server { ledger, .. } => Ok(match ledger.table() {
                "" => format!("{name}, row {} of the statement", place + 1),
                table => format!("{name}, table {table}, row number {} as read", place + 1),
            }),
            Body::Database { selected, .. } => Ok(match (&selected.sql, selected.by_rowid) {
                (Some(_), _) => format!("{name}, row {} of the statement", place + 1),
                (None, true) => format!("{name}, table {}, row {place}", selected.chosen.table.name),
                (None, false) => {
                    format!("{name}, table {}, row number {}", selected.chosen.table.name, place + 1)
                }
            }),
        }
    }

    /// A place in a file whose envelopes were taken off.
    fn outside_words(&self, name: &str, place: u64) -> Result<String, ReadFailure> {
        let file = match &self.spec.location {
            Location::File(path) => frame::open(path, Limits::default(), &AtomicBool::new(false)).ok(),
            Location::Memory(bytes) => frame::content(&bytes[..], Limits::default(), &AtomicBool::new(false))
                .ok()
                .map(|content| (content.bytes.into(), None)),
            Location::Server(_) => None,
        };
        let Some((bytes, _)) = file else { return Ok(format!("{name} byte {place}")) };
        if self.lines.get().is_none() {
            let _ = self.lines.set(LineIndex::new(&bytes)?);
        }
        let line = match self.lines.get() {
            Some(lines) => lines.line(&bytes, place)?,
            None => line_number(&bytes, place)?,
        };
        Ok(format!("{name} line {line}"))
    }

    /// All fields of the record at a place, read again: names of objects inside joined by dots, lists as JSON. Null is
    /// left out.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn fields(&self, place: u64) -> Result<Vec<(String, String)>, ReadFailure> {
        self.fields_to(place, DEEP)
    }

    /// What the call at a place was sent with, read again: an object as JSON, a text as its content. It stands where
    /// the mapping says, else under its well-known names.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn arguments(&self, place: u64) -> Result<Option<String>, ReadFailure> {
        let fields = self.fields_to(place, 0)?;
        let mapped = self.spec.options.columns.iter().find_map(|(field, column)| match column {
            Column::From { column, .. } if field == ARGUMENTS.field => Some(column.as_str()),
            _ => None,
        });
        let path = |path: &str| {
            let path = path.strip_prefix("$.").unwrap_or(path);
            at_path(&fields, path).map(str::to_owned).or_else(|| {
                // A column may have dots in its name; a path is followed where there is none.
                let (first, rest) = path.split_once('.')?;
                let mut inside = Vec::new();
                flatten(at_path(&fields, first)?, "", DEEP, &mut inside);
                at_path(&inside, rest).map(str::to_owned)
            })
        };
        Ok(match mapped {
            Some(mapped) => path(mapped),
            None => ARGUMENTS.names.iter().find_map(|name| path(name)),
        })
    }

    /// Whether these letters stand anywhere in it; true where that cannot be told.
    pub fn mentions(&self, letters: &str) -> bool {
        let (Body::Json { bytes, .. }
        | Body::Table { bytes, .. }
        | Body::Effects { bytes, .. }
        | Body::Calls { bytes, .. }) = &self.body
        else {
            return true;
        };
        let found = AtomicBool::new(false);
        let finder = memchr::memmem::Finder::new(letters);
        let read = Lines::new(bytes, &found).each(0..bytes.len(), |line| {
            if finder.find(line.bytes).is_some() {
                found.store(true, Ordering::Relaxed);
            }
        });
        read.is_err() || found.load(Ordering::Relaxed)
    }

    fn fields_to(&self, place: u64, deep: usize) -> Result<Vec<(String, String)>, ReadFailure> {
        match &self.body {
            Body::Calls { recorded, .. } => {
                let record = self.record(place)?;
                let mut fields = Vec::new();
                // As the call was put together from it; else as it stands.
                match (recorded.written(&record, place), std::str::from_utf8(&record)) {
                    (Some(call), _) => flatten(&call, "", deep, &mut fields),
                    (None, Ok(text)) => flatten(text, "", deep, &mut fields),
                    (None, Err(_)) => {}
                }
                Ok(fields)
            }
            Body::Export { exported, .. } => {
                let record = self.record(place)?;
                let mut fields = Vec::new();
                // As the row was put together from it; else as it stands.
                match (exported.written(&record, place), self.framing) {
                    (Some(row), _) => flatten(&row, "", deep, &mut fields),
                    (None, Framing::Csv) => return Ok(cells(&exported.dialect, &lossy(&record))),
                    (None, _) => flatten(&lossy(&record), "", deep, &mut fields),
                }
                Ok(fields)
            }
            Body::Json { .. } | Body::Effects { .. } => {
                let record = self.record(place)?;
                let mut fields = Vec::new();
                if let Ok(text) = std::str::from_utf8(&record) {
                    flatten(text, "", deep, &mut fields);
                }
                Ok(fields)
            }
            Body::Table { dialect, .. } => Ok(cells(dialect, &lossy(&self.record(place)?))),
            Body::Server { ledger, .. } => Ok(ledger
                .fields(place)
                .unwrap_or_default()
                .into_iter()
                .filter_map(|(name, value)| value.map(|value| (name, value)))
                .collect()),
            Body::Database { .. } => Ok(self
                .row(place)?
                .unwrap_or_default()
                .into_iter()
                .filter_map(|(name, value)| value.map(|value| (name, value)))
                .collect()),
        }
    }

    fn row(&self, place: u64) -> Result<Option<Fields>, ReadFailure> {
        let Body::Database { database, selected, .. } = &self.body else {
            return Ok(None);
        };
        let never: Arc<AtomicBool> = Arc::default();
        Ok(selected.fields(database, place, &never)?)
    }

    fn record(&self, place: u64) -> Result<Vec<u8>, ReadError> {
        match &self.body {
            Body::Json { bytes, .. } if self.framing == Framing::JsonLines => {
                record_at(bytes, place, frame::Framing::Lines)
            }
            Body::Calls { bytes, .. } | Body::Export { bytes, .. } if self.framing == Framing::Lines => {
                record_at(bytes, place, frame::Framing::Lines)
            }
            Body::Export { bytes, .. } if self.framing == Framing::Csv => table_record(bytes, place),
            Body::Json { bytes, .. }
            | Body::Effects { bytes, .. }
            | Body::Calls { bytes, .. }
            | Body::Export { bytes, .. } => record_at(bytes, place, frame::Framing::Values),
            Body::Table { bytes, .. } => table_record(bytes, place),
            Body::Database { .. } | Body::Server { .. } => Ok(Vec::new()),
        }
    }
}

/// A row of a table: the line, and those after it while a quote is open.
fn table_record(bytes: &Bytes, place: u64) -> Result<Vec<u8>, ReadError> {
    let closed = AtomicBool::new(false);
    let mut record = Vec::new();
    let part = place..bytes.len().min(place.saturating_add(FURTHEST));
    Lines::new(bytes, &closed).each(part, |line| {
        if closed.load(Ordering::Relaxed) {
            return;
        }
        if line.offset > place {
            record.push(b'\n');
        }
        record.extend_from_slice(line.bytes);
        closed.store(memchr::memchr_iter(b'"', &record).count().is_multiple_of(2), Ordering::Relaxed);
    })?;
    Ok(record)
}

fn cells(dialect: &Dialect, text: &str) -> Vec<(String, String)> {
    let mut cells = Vec::new();
    split(text, dialect.separator, &mut cells);
    dialect
        .header
        .iter()
        .zip(cells)
        .filter(|(_, cell)| !cell.is_empty())
        .map(|(name, cell)| (name.clone(), cell.into_owned()))
        .collect()
}

fn at_path<'f>(fields: &'f [(String, String)], name: &str) -> Option<&'f str> {
    fields.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// Names and texts of an object, in order; what holds others is opened so deep.
fn flatten(text: &str, above: &str, deep: usize, fields: &mut Vec<(String, String)>) {
    let Ok(pairs) = serde_json::from_str::<Pairs<'_>>(text) else {
        if !above.is_empty() {
            fields.push((above.to_owned(), text.to_owned()));
        }
        return;
    };
    for (name, value) in pairs.0 {
        let path = if above.is_empty() { name } else { format!("{above}.{name}") };
        let token = value.get();
        match token.as_bytes().first() {
            Some(b'{') if deep > 0 => flatten(token, &path, deep - 1, fields),
            Some(b'n') => {}
            Some(b'"') => {
                fields.push((path, serde_json::from_str(token).unwrap_or_else(|_| token.to_owned())));
            }
            _ => fields.push((path, token.to_owned())),
        }
    }
}

/// An object's pairs as they stand.
struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> serde::Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> serde::de::Visitor<'de> for Visit {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: serde::de::MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Visit)
    }
}

/// Bytes as a text; those that are no UTF-8 as `\xFF`.
fn lossy(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a text cannot fail.
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}
