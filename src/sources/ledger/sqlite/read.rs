//! The one pass over a table, and one row again (`4-sources.md` 4.4 step 4, 4.2).

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Statement, ToSql};
use sha2::{Digest, Sha256};

use super::connect::{Database, Opening, said};
use super::schema::{Chosen, Table, TraceIds, Wanted, choose};
use super::{SqliteError, quoted};
use crate::model::row::{At, SourceNo};
use crate::sources::event::Sink;
use crate::sources::format::{Raw, Rows, Scratch, refuse};
use crate::sources::json::{SLOTS, Why};
use crate::sources::mapping::Layout;
use crate::sources::names::{ledger, shared};
use crate::sources::row::{Cell, Cells, print};

/// Places are 48 bits wide; rowids beyond are counted instead.
const PLACES: i64 = 1 << 48;

/// Slots whose values are money: a REAL in them is marked.
const AMOUNTS: [usize; 4] = [shared::AMOUNT, shared::AMOUNT_MINOR, ledger::CAPTURED, ledger::CAPTURED_MINOR];

/// What is read of a database: rows of a table or of an own statement.
#[derive(Debug, Clone)]
pub struct Selected {
    /// Table or view; the rows of an own statement stand in a table without rowids.
    pub chosen: Chosen,
    /// The own statement, where there is one.
    pub sql: Option<String>,
    /// Values of its parameters.
    pub parameters: Parameters,
    /// Places are rowids; else numbers of rows in the order of reading.
    pub by_rowid: bool,
}

/// Values of the parameters that an own statement may use (`4-sources.md` 4.14).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameters {
    /// `:since`
    pub since: Option<String>,
    /// `:until`
    pub until: Option<String>,
    /// `:operation_ids`, a JSON list.
    pub operation_ids: String,
    /// `:business_ids`, a JSON list.
    pub business_ids: String,
}

impl Parameters {
    /// The window, and the ids of the trace as JSON lists (`IN (SELECT value FROM json_each(:operation_ids))`).
    pub fn new(since: Option<&str>, until: Option<&str>, ids: Option<&TraceIds>) -> Self {
        let list = |ids: Option<&std::collections::HashSet<String>>| {
            let mut ids: Vec<&String> = ids.into_iter().flatten().collect();
            ids.sort();
            serde_json::to_string(&ids).unwrap_or_else(|_| "[]".to_owned())
        };
        Self {
            since: since.map(str::to_owned),
            until: until.map(str::to_owned),
            operation_ids: list(ids.map(|ids| &ids.operations)),
            business_ids: list(ids.map(|ids| &ids.business)),
        }
    }

    fn bind(&self, statement: &mut Statement<'_>) -> Result<(), SqliteError> {
        let values: [(&str, &dyn ToSql); 4] = [
            (":since", &self.since),
            (":until", &self.until),
            (":operation_ids", &self.operation_ids),
            (":business_ids", &self.business_ids),
        ];
        for number in 1..=statement.parameter_count() {
            let name = statement.parameter_name(number).unwrap_or("?").to_owned();
            let value = values.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
            let Some(value) = value else {
                let known: Vec<&str> = values.iter().map(|(known, _)| *known).collect();
                return Err(SqliteError::Statement(format!(
                    "uses the parameter `{name}`, known are {}",
                    known.join(", ")
                )));
            };
            statement.raw_bind_parameter(number, value).map_err(|error| said(&error))?;
        }
        Ok(())
    }
}

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

/// Chooses what is read, in a short transaction of its own.
///
/// # Errors
/// As [`Database::read`] and [`choose`]; when an own statement is not one that only reads.
pub fn select(
    database: &Database,
    table: Option<&str>,
    sql: Option<&str>,
    parameters: Parameters,
    wanted: Wanted,
    layout: &Layout,
    ids: Option<&TraceIds>,
    cancel: &Arc<AtomicBool>,
) -> Result<Selected, SqliteError> {
    database.read(cancel, |connection, _| {
        if let Some(sql) = sql {
            return own_statement(connection, sql, parameters, layout);
        }
        let chosen = choose(connection, table, wanted, layout, ids)?;
        let by_rowid = fits_places(connection, &chosen.table)?;
        Ok(Selected { chosen, sql: None, parameters, by_rowid })
    })
}

/// Whether all rowids of a table are places.
fn fits_places(connection: &Connection, table: &Table) -> Result<bool, SqliteError> {
    let Some(rowid) = table.rowid() else { return Ok(false) };
    let sql = |which: &str| format!("SELECT {which}({rowid}) FROM {}", quoted(&table.name));
    let end = |which: &str| -> Result<Option<i64>, SqliteError> {
        connection.query_row(&sql(which), [], |row| row.get(0)).map_err(|error| said(&error))
    };
    Ok(end("min")?.is_none_or(|least| least >= 0) && end("max")?.is_none_or(|most| most < PLACES))
}

/// Checks an own statement: one `select` or `with` that only reads.
fn own_statement(
    connection: &Connection,
    sql: &str,
    parameters: Parameters,
    layout: &Layout,
) -> Result<Selected, SqliteError> {
    let sql = sql.trim().trim_end_matches(|c: char| c == ';' || c.is_whitespace());
    let begins = |word: &str| {
        let mut letters = sql.chars();
        word.chars().all(|w| letters.next().is_some_and(|c| c.eq_ignore_ascii_case(&w)))
            && letters.next().is_none_or(|c| !(c.is_alphanumeric() || c == '_'))
    };
    if !begins("select") && !begins("with") {
        return Err(SqliteError::Statement("does not begin with `select` or `with`".to_owned()));
    }
    let mut statement = connection.prepare(sql).map_err(|error| match error {
        rusqlite::Error::MultipleStatement => SqliteError::Statement("is more than one statement".to_owned()),
        error => SqliteError::Statement(format!("cannot be used: {error}")),
    })?;
    if !statement.readonly() {
        return Err(SqliteError::Statement("would write".to_owned()));
    }
    parameters.bind(&mut statement)?;
    let header: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
    let table = "the statement".to_owned();
    let columns = layout.columns(&header).map_err(|error| SqliteError::Mapping { table, error })?;
    let of = |name: String| super::schema::Column { name, declared: String::new(), current_time: false, key: 0 };
    let table = Table {
        name: String::new(),
        view: true,
        columns: header.into_iter().map(of).collect(),
        without_rowid: false,
        integer_key: None,
        autoincrement: false,
    };
    let chosen = Chosen { table, columns, why: "rows of an own statement".to_owned() };
    Ok(Selected { chosen, sql: Some(sql.to_owned()), parameters, by_rowid: false })
}

impl Selected {
    /// What is read from: the table, or the statement in brackets.
    fn from(&self) -> String {
        match &self.sql {
            Some(sql) => format!("(\n{sql}\n)"),
            None => quoted(&self.chosen.table.name),
        }
    }

    fn place(&self) -> Option<String> {
        self.chosen.table.rowid().filter(|_| self.by_rowid)
    }

    /// The query of the pass, and the column of each slot in it. Values are cast to text by SQLite itself, so that a
    /// number never passes through a float; money says beside it whether it is stored as a REAL.
    fn query(&self) -> Query {
        let mut query = Query { sql: String::from("SELECT "), of: [None; SLOTS], real: [None; SLOTS], cells: 0 };
        let place = self.place();
        query.sql.push_str(place.as_deref().unwrap_or("NULL"));
        let key = self.chosen.table.integer_key.as_ref().map_or_else(|| "NULL".to_owned(), |key| quoted(key));
        // Writing to a text cannot fail, here and below.
        let _ = write!(query.sql, ", {key}");
        let mut placed: Vec<(usize, usize)> = Vec::new();
        for (slot, column) in self.chosen.columns.of.iter().enumerate() {
            let column = column.and_then(|at| self.chosen.table.columns.get(at).map(|column| (at, column)));
            let Some((at, column)) = column else { continue };
            let name = quoted(&column.name);
            let cell = placed.iter().find(|(known, _)| *known == at).map(|(_, cell)| *cell).unwrap_or_else(|| {
                let _ = write!(query.sql, ", CAST({name} AS TEXT)");
                query.cells += 1;
                placed.push((at, query.cells - 1));
                query.cells - 1
            });
            query.of[slot] = Some(cell);
            if AMOUNTS.contains(&slot) {
                let _ = write!(query.sql, ", typeof({name}) = 'real'");
                query.real[slot] = Some((cell, query.cells));
                query.cells += 1;
            }
        }
        let _ = write!(query.sql, " FROM {}", self.from());
        if let Some(place) = place {
            let _ = write!(query.sql, " ORDER BY {place}");
        }
        query
    }

    /// The query as it is shown and may be copied.
    pub fn shown(&self) -> String {
        match &self.sql {
            Some(sql) => sql.clone(),
            None => format!("select * from {}", quoted(&self.chosen.table.name)),
        }
    }

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
            .query_row("SELECT seq FROM sqlite_sequence WHERE name = ?1", [&self.chosen.table.name], |row| row.get(0))
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
            let effect = query.of.get(ledger::EFFECT).copied().flatten().and_then(|cell| cells.get(cell).copied());
            digest.update(effect.flatten().unwrap_or_default());
            if self.by_rowid && rowid.is_none() {
                refuse(out, raw, is_ledger, "its rowid does not fit: it was inserted while reading".to_owned());
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
    ) -> Result<Option<Vec<(String, Option<String>)>>, SqliteError> {
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
            let Some(row) = rows.next().map_err(|error| said(&error))? else { return Ok(None) };
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

struct Query {
    sql: String,
    of: [Option<usize>; SLOTS],
    /// A cell with money, and the cell that says whether it is stored as a REAL.
    real: [Option<(usize, usize)>; SLOTS],
    cells: usize,
}

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
                Err(error) => return Err(Why::NotUtf8 { at: error.valid_up_to() }.to_string()),
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
pub fn as_json(fields: &[(String, Option<String>)]) -> String {
    let quote = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let pairs: Vec<String> = fields
        .iter()
        .map(|(name, value)| {
            let value: Cow<'_, str> = value.as_deref().map_or(Cow::Borrowed("null"), |text| quote(text).into());
            format!("{}:{value}", quote(name))
        })
        .collect();
    format!("{{{}}}", pairs.join(","))
}

impl Chosen {
    /// The column of the time is filled by CURRENT_TIMESTAMP.
    pub fn committed_in_utc(&self) -> bool {
        let column = self.columns.of.get(ledger::COMMITTED).copied().flatten();
        column.and_then(|at| self.table.columns.get(at)).is_some_and(|column| column.current_time)
    }
}
