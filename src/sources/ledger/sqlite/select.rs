//! What is asked of a database: a table or an own statement, and the query of the pass.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rusqlite::{Connection, Statement, ToSql};

use super::choose::{Chosen, TraceIds, Wanted, choose};
use super::connect::{Database, said};
use super::schema::Table;
use super::{SqliteError, quoted};
use crate::sources::json::SLOTS;
use crate::sources::mapping::Layout;
use crate::sources::names::{ledger, shared};
use crate::sources::spec::Options;

/// Rowids from here on do not fit into a place of 48 bits; their rows are counted instead.
pub(super) const PLACES: i64 = 1 << 48;

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

    pub(super) fn bind(&self, statement: &mut Statement<'_>) -> Result<(), SqliteError> {
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

/// What is asked of a database.
#[derive(Debug, Clone)]
pub struct Ask<'a> {
    /// The named table.
    pub table: Option<&'a str>,
    /// An own statement.
    pub sql: Option<&'a str>,
    /// Values of its parameters.
    pub parameters: Parameters,
    /// What a table has to have, where none is named.
    pub wanted: Wanted,
    /// How columns are found.
    pub layout: &'a Layout,
    /// Ids of the traces, for the choice among tables.
    pub ids: Option<&'a TraceIds>,
}

/// Chooses what is read, in a short transaction of its own.
///
/// # Errors
/// As [`Database::read`] and [`choose`]; when an own statement is not one that only reads.
pub fn select(database: &Database, ask: &Ask<'_>, cancel: &Arc<AtomicBool>) -> Result<Selected, SqliteError> {
    let parameters = ask.parameters.clone();
    database.read(cancel, |connection, _| {
        if let Some(sql) = ask.sql {
            return own_statement(connection, sql, parameters, ask.layout);
        }
        let chosen = choose(connection, ask.table, ask.wanted, ask.layout, ask.ids)?;
        let by_rowid = fits_places(connection, &chosen.table)?;
        Ok(Selected { chosen, sql: None, parameters, by_rowid })
    })
}

/// Whether all rowids of a table are places.
fn fits_places(connection: &Connection, table: &Table) -> Result<bool, SqliteError> {
    let Some(rowid) = table.rowid() else {
        return Ok(false);
    };
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
    let header: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let table = "the statement".to_owned();
    let columns = layout.columns(&header).map_err(|error| SqliteError::Mapping { table, error })?;
    let of =
        |name: String| super::schema::Column { name, declared: String::new(), current_time: false, key: 0 };
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
    pub(super) fn from(&self) -> String {
        match &self.sql {
            Some(sql) => format!("(\n{sql}\n)"),
            None => quoted(&self.chosen.table.name),
        }
    }

    pub(super) fn place(&self) -> Option<String> {
        self.chosen.table.rowid().filter(|_| self.by_rowid)
    }

    /// The query of the pass, and the column of each slot in it. Values are cast to text by SQLite itself, so that a
    /// number never passes through a float; money says beside it whether it is stored as a REAL.
    pub(super) fn query(&self) -> Query {
        let mut query =
            Query { sql: String::from("SELECT "), of: [None; SLOTS], real: [None; SLOTS], cells: 0 };
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
            let known = placed.iter().find(|(known, _)| *known == at);
            let cell = known.map_or(query.cells, |(_, cell)| *cell);
            if known.is_none() {
                let _ = write!(query.sql, ", CAST({name} AS TEXT)");
                placed.push((at, cell));
                query.cells += 1;
            }
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

    /// One line that counts and adds up the amounts per currency (`4-sources.md` 4.16). `None` where SQL cannot say
    /// which rows were read, with `--since` or `--until`: times are texts of any form here.
    pub fn confirming(&self, options: &Options) -> Option<String> {
        if options.since.is_some() || options.until.is_some() {
            return None;
        }
        let column = |slot: usize| {
            let at = self.chosen.columns.of.get(slot).copied().flatten()?;
            self.chosen.table.columns.get(at).map(|column| quoted(&column.name))
        };
        let amount = column(shared::AMOUNT).or_else(|| column(shared::AMOUNT_MINOR))?;
        let from = match &self.sql {
            Some(sql) => format!("({})", sql.split_whitespace().collect::<Vec<_>>().join(" ")),
            None => quoted(&self.chosen.table.name),
        };
        Some(match column(shared::CURRENCY) {
            Some(currency) => format!("select {currency}, count(*), sum({amount}) from {from} group by 1"),
            None => format!("select count(*), sum({amount}) from {from}"),
        })
    }

    /// The query as it is shown and may be copied.
    pub fn shown(&self) -> String {
        match &self.sql {
            Some(sql) => sql.clone(),
            None => format!("select * from {}", quoted(&self.chosen.table.name)),
        }
    }
}

/// The query of the pass.
pub(super) struct Query {
    pub(super) sql: String,
    pub(super) of: [Option<usize>; SLOTS],
    /// A cell with money, and the cell that says whether it is stored as a REAL.
    pub(super) real: [Option<(usize, usize)>; SLOTS],
    pub(super) cells: usize,
}

impl Chosen {
    /// The column of the time is filled by `CURRENT_TIMESTAMP`.
    pub fn committed_in_utc(&self) -> bool {
        let column = self.columns.of.get(ledger::COMMITTED).copied().flatten();
        column.and_then(|at| self.table.columns.get(at)).is_some_and(|column| column.current_time)
    }
}
