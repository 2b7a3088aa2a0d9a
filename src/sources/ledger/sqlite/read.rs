//! The one pass over a table, and one row again (`4-sources.md` 4.4 step 4, 4.2).

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use sha2::{Digest, Sha256};

use super::connect::{Database, Opening, said};
use super::select::{PLACES, Selected};
use super::{SqliteError, quoted};
use crate::model::row::{At, SourceNo};
use crate::sources::event::Sink;
use crate::sources::format::{Raw, Rows, Scratch, refuse};
use crate::sources::json::{SLOTS, Why};
use crate::sources::names::ledger;
use crate::sources::row::{Cell, Cells, print};

/// What the read position needs (`4-sources.md` 4.2); newest and oldest time are in the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DbFacts {
    /// How it was opened.
    pub opening: Opening,
    /// Table or view; empty for an own statement.
    pub table: String,
    /// Highest id, where the table has an integer primary key.
    pub max_id: Option<i64>,
    /// Ids are never given twice (AUTOINCREMENT).
    pub autoincrement: bool,
    /// What `sqlite_sequence` says of the table.
    pub sequence: Option<i64>,
    /// Rows read.
    pub rows: u64,
    /// SHA-256 over the ids in order of reading, hex.
    pub digest: String,
    /// How long the read transaction was open.
    pub took: Duration,
}

impl DbFacts {
    /// The position as it is printed: `rowid 48211`, `rowid 48211 (ids can be reused)`, or the number of rows; the
    /// newest time is added by who has read the times.
    pub fn position_words(&self) -> String {
        match self.max_id {
            Some(id) if self.autoincrement => format!("rowid {id}"),
            Some(id) => format!("rowid {id} (ids can be reused)"),
            None => format!("rows {}", self.rows),
        }
    }
}

impl Selected {
    /// One pass: every row becomes a record of the format.
    ///
    /// # Errors
    /// As [`Database::read`]; rows that cannot be read are problems, not errors.
    pub fn read_all<F: Rows, S: Sink>(
        &self,
        database: &Database,
        format: &F,
        source: SourceNo,
        is_ledger: bool,
        cancel: &Arc<AtomicBool>,
        out: &mut S,
    ) -> Result<DbFacts, SqliteError> {
        let began = std::time::Instant::now();
        database.read(cancel, |connection, opening| {
            let mut facts = DbFacts {
                opening,
                table: self.chosen.table.name.clone(),
                max_id: None,
                autoincrement: self.chosen.table.autoincrement,
                sequence: self.sequence(connection),
                rows: 0,
                digest: String::new(),
                took: Duration::ZERO,
            };
            self.pass(connection, format, source, is_ledger, &mut facts, out)?;
            facts.took = began.elapsed().saturating_sub(opening.waited);
            Ok(facts)
        })
    }

    fn sequence(&self, connection: &Connection) -> Option<i64> {
        // The table is there only where a table with AUTOINCREMENT is.
        connection
            .query_row("SELECT seq FROM sqlite_sequence WHERE name = ?1", [&self.chosen.table.name], |row| {
                row.get(0)
            })
            .ok()
    }

    fn pass<F: Rows, S: Sink>(
        &self,
        connection: &Connection,
        format: &F,
        source: SourceNo,
        is_ledger: bool,
        facts: &mut DbFacts,
        out: &mut S,
    ) -> Result<(), SqliteError> {
        let query = self.query();
        let mut statement = connection.prepare(&query.sql).map_err(|error| said(&error))?;
        self.parameters.bind(&mut statement)?;
        let mut scratch = Scratch::default();
        let mut digest = Sha256::new();
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(|error| said(&error))? {
            let rowid = match row.get_ref(0) {
                Ok(ValueRef::Integer(id)) => u64::try_from(id).ok().filter(|_| id < PLACES),
                _ => None,
            };
            let place = rowid.unwrap_or(facts.rows);
            if let Ok(ValueRef::Integer(id)) = row.get_ref(1) {
                facts.max_id = facts.max_id.max(Some(id));
            }
            facts.rows += 1;
            let raw = Raw { bytes: &[], at: At::new(source, place), ended: true };
            let cells = match read_cells(row, query.cells) {
                Ok(cells) => cells,
                Err(what) => {
                    refuse(out, raw, is_ledger, what);
                    continue;
                }
            };
            let record = Cells { columns: &query.of, cells: SqlCells { texts: &cells, real: &query.real } };
            digest.update(place.to_le_bytes());
            let effect =
                query.of.get(ledger::EFFECT).copied().flatten().and_then(|cell| cells.get(cell).copied());
            digest.update(effect.flatten().unwrap_or_default());
            if self.by_rowid && rowid.is_none() {
                refuse(
                    out,
                    raw,
                    is_ledger,
                    "its rowid does not fit: it was inserted while reading".to_owned(),
                );
                continue;
            }
            format.row(&record, raw, &mut scratch, out);
        }
        facts.digest = hex(&digest.finalize());
        Ok(())
    }

    /// All fields of one row again, by its place; `None` where it is not there any more.
    ///
    /// # Errors
    /// As [`Database::read`].
    pub fn fields(
        &self,
        database: &Database,
        place: u64,
        cancel: &Arc<AtomicBool>,
    ) -> Result<Option<Fields>, SqliteError> {
        database.read(cancel, |connection, _| {
            let columns: Vec<String> = self
                .chosen
                .table
                .columns
                .iter()
                .map(|column| format!("CAST({} AS TEXT)", quoted(&column.name)))
                .collect();
            let mut sql = format!("SELECT {} FROM {}", columns.join(", "), self.from());
            let _ = match self.place() {
                Some(rowid) => write!(sql, " WHERE {rowid} = {place}"),
                None => write!(sql, " LIMIT 1 OFFSET {place}"),
            };
            let mut statement = connection.prepare(&sql).map_err(|error| said(&error))?;
            self.parameters.bind(&mut statement)?;
            let mut rows = statement.raw_query();
            let Some(row) = rows.next().map_err(|error| said(&error))? else {
                return Ok(None);
            };
            let fields = self.chosen.table.columns.iter().enumerate().map(|(at, column)| {
                let text = match row.get_ref(at) {
                    Ok(ValueRef::Text(bytes) | ValueRef::Blob(bytes)) => {
                        Some(String::from_utf8_lossy(bytes).into_owned())
                    }
                    _ => None,
                };
                (column.name.clone(), text)
            });
            Ok(Some(fields.collect()))
        })
    }
}

/// A column and its text; `None` is null.
pub type Field = (String, Option<String>);

/// All fields of a row, in the order of its columns.
pub type Fields = Vec<Field>;

/// Cells before the values: place and key.
const BEFORE: usize = 2;

/// The texts of a row, checked.
fn read_cells<'r>(row: &'r rusqlite::Row<'_>, count: usize) -> Result<[Option<&'r str>; SLOTS], String> {
    let mut cells = [None; SLOTS];
    for (at, cell) in cells.iter_mut().enumerate().take(count) {
        *cell = match row.get_ref(at + BEFORE) {
            Ok(ValueRef::Null) => None,
            Ok(ValueRef::Integer(flag)) => (flag != 0).then_some("1"),
            Ok(ValueRef::Text(bytes) | ValueRef::Blob(bytes)) => match std::str::from_utf8(bytes) {
                Ok(text) => Some(text),
                Err(error) => {
                    return Err(Why::NotUtf8 { at: error.valid_up_to() }.to_string());
                }
            },
            Ok(ValueRef::Real(_)) => return Err("SQLite gave a number where a text was asked for".to_owned()),
            Err(error) => return Err(error.to_string()),
        };
    }
    Ok(cells)
}

/// A row's texts, by number of the cell.
struct SqlCells<'r> {
    texts: &'r [Option<&'r str>; SLOTS],
    real: &'r [Option<(usize, usize)>; SLOTS],
}

impl Cell for SqlCells<'_> {
    fn cell(&self, column: usize) -> Option<&str> {
        self.texts.get(column).copied().flatten().filter(|text| !text.is_empty())
    }

    fn real(&self, column: usize) -> bool {
        let flag = self.real.iter().flatten().find(|(cell, _)| *cell == column);
        flag.is_some_and(|(_, flag)| self.texts.get(*flag).copied().flatten() == Some("1"))
    }

    fn print(&self) -> Option<u64> {
        let mut whole = String::new();
        for text in self.texts {
            match text {
                Some(text) => {
                    let _ = write!(whole, "{}:{text}", text.len());
                }
                None => whole.push('-'),
            }
        }
        Some(print(whole.as_bytes()))
    }
}

/// Lower-case hex.
pub(in crate::sources) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A row as a JSON object, for the raw view.
pub fn as_json(fields: &[Field]) -> String {
    let quote = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let pairs: Vec<String> = fields
        .iter()
        .map(|(name, value)| {
            let value: Cow<'_, str> =
                value.as_deref().map_or(Cow::Borrowed("null"), |text| quote(text).into());
            format!("{}:{value}", quote(name))
        })
        .collect();
    format!("{{{}}}", pairs.join(","))
}
