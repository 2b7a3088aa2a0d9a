//! The rows that follow from an entry (`3-lifecycle.md` 3.6.5, check 6). One function serves both: writing puts them
//! into the tables, verifying puts them into memory and compares.

use std::collections::BTreeMap;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};
use serde_json::Value;

use crate::canon::canonical;

use super::action::{Mode, Origin, Put, of_word};
use super::entry::at;
use super::error::BookError;
use super::schema::Table;

/// What stands in a column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    /// Nothing.
    Null,
    /// A whole number; `true` is 1.
    Int(i64),
    /// Text; lists and objects as their canonical JSON.
    Text(String),
}

impl Cell {
    fn of(value: &Value) -> Result<Self, BookError> {
        Ok(match value {
            Value::Null => Self::Null,
            Value::Bool(yes) => Self::Int(i64::from(*yes)),
            Value::Number(number) => Self::Int(
                number.as_i64().ok_or_else(|| BookError::Entry(format!("{number} is not a whole number")))?,
            ),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(_) | Value::Object(_) => {
                Self::Text(canonical(&value.to_string()).map_err(|why| BookError::Entry(why.to_string()))?)
            }
        })
    }

    /// As it stands in a table.
    pub fn stored(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Int(number),
            ValueRef::Text(text) => Self::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Real(_) | ValueRef::Blob(_) => Self::Text("neither a number nor a text".to_owned()),
        }
    }

    /// As it is named in messages.
    pub fn words(&self) -> String {
        match self {
            Self::Null => "nothing".to_owned(),
            Self::Int(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            Self::Int(number) => ToSqlOutput::Borrowed(ValueRef::Integer(*number)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

/// A row to be put.
#[derive(Debug)]
pub struct Row {
    put: &'static Put,
    /// Columns that the entry names, in the order of the table of actions.
    cells: Vec<(&'static str, Cell)>,
}

/// The rows that follow from an entry.
///
/// # Errors
/// [`BookError::Entry`] where the action is not known or a column that tells rows apart is not there.
pub fn rows(entry: &Value) -> Result<Vec<Row>, BookError> {
    let word = at(entry, "action").and_then(Value::as_str).unwrap_or_default();
    let doing = of_word(word).ok_or_else(|| BookError::Entry(format!("the action {word:?} is not known")))?;
    let subject = at(entry, "subject.type").and_then(Value::as_str).unwrap_or_default();
    let wanted = |put: &&&'static Put| {
        (put.of.is_empty() || put.of == subject) && (put.when.is_empty() || at(entry, put.when).is_some())
    };
    doing.puts.iter().filter(wanted).map(|put| row(put, entry)).collect()
}

fn row(put: &'static Put, entry: &Value) -> Result<Row, BookError> {
    let mut cells = Vec::with_capacity(put.columns.len());
    for (column, from) in put.columns {
        let cell = match from {
            Origin::Is(text) => Some(Cell::Text((*text).to_owned())),
            Origin::At(place) => at(entry, place).map(Cell::of).transpose()?,
        };
        let is_key = put.table.key.contains(column);
        match cell {
            None | Some(Cell::Null) if is_key => {
                let place = if let Origin::At(place) = from { place } else { column };
                let word = at(entry, "action").and_then(Value::as_str).unwrap_or_default();
                return Err(BookError::Entry(format!("{word} needs {place}")));
            }
            Some(cell) => cells.push((*column, cell)),
            None => {}
        }
    }
    Ok(Row { put, cells })
}

impl Row {
    fn key(&self) -> Vec<Cell> {
        let of =
            |key: &&str| self.cells.iter().find(|(column, _)| column == key).map(|(_, cell)| cell.clone());
        self.put.table.key.iter().filter_map(of).collect()
    }

    fn named(&self) -> String {
        named(self.put.table, &self.key())
    }

    /// Puts the row into the table.
    ///
    /// # Errors
    /// [`BookError::Twice`] and [`BookError::Missing`]; the outer error is SQLite's.
    pub fn store(&self, db: &Connection) -> rusqlite::Result<Result<(), BookError>> {
        let columns: Vec<&str> = self.cells.iter().map(|(column, _)| *column).collect();
        let key = self.put.table.key;
        let set: Vec<String> =
            columns.iter().filter(|c| !key.contains(c)).map(|c| format!("\"{c}\" = ?")).collect();
        let values = self.cells.iter().map(|(_, cell)| cell);
        let others = self.cells.iter().filter(|(column, _)| !key.contains(column)).map(|(_, cell)| cell);
        let table = self.put.table.name;
        let changed = if self.put.mode == Mode::There {
            let is: Vec<String> = key.iter().map(|c| format!("\"{c}\" = ?")).collect();
            let sql = format!("UPDATE {table} SET {} WHERE {}", set.join(", "), is.join(" AND "));
            let key = self.key();
            db.prepare_cached(&sql)?.execute(params_from_iter(others.chain(key.iter())))
        } else {
            let marks = vec!["?"; columns.len()].join(", ");
            let mut sql = format!("INSERT INTO {table} (\"{}\") VALUES ({marks})", columns.join("\", \""));
            if self.put.mode == Mode::Either {
                let all: Vec<String> =
                    columns.iter().map(|c| format!("\"{c}\" = excluded.\"{c}\"")).collect();
                sql.push_str(&format!(
                    " ON CONFLICT (\"{}\") DO UPDATE SET {}",
                    key.join("\", \""),
                    all.join(", ")
                ));
            }
            db.prepare_cached(&sql)?.execute(params_from_iter(values))
        };
        match changed {
            Ok(0) => Ok(Err(BookError::Missing { what: self.named() })),
            Ok(_) => Ok(Ok(())),
            Err(why) if why.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) => {
                let said = why.to_string();
                Ok(Err(if said.contains("UNIQUE") {
                    BookError::Twice { what: self.named() }
                } else {
                    BookError::Entry(said)
                }))
            }
            Err(why) => Err(why),
        }
    }
}

/// How a row is named in messages: `intents int_4812`.
fn named(table: &Table, key: &[Cell]) -> String {
    let key: Vec<String> = key.iter().map(Cell::words).collect();
    format!("{} {}", table.name, key.join(" "))
}

/// Columns by name.
type Columns = BTreeMap<String, Cell>;

/// The tables as they follow from entries.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Replay {
    tables: BTreeMap<&'static str, BTreeMap<Vec<Cell>, Columns>>,
}

impl Replay {
    /// Puts what follows from an entry.
    ///
    /// # Errors
    /// As [`rows`], and a row that is new twice or is missing.
    pub fn apply(&mut self, entry: &Value) -> Result<(), BookError> {
        for row in rows(entry)? {
            let key = row.key();
            let table = self.tables.entry(row.put.table.name).or_default();
            match (row.put.mode, table.contains_key(&key)) {
                (Mode::New, true) => return Err(BookError::Twice { what: row.named() }),
                (Mode::There, false) => return Err(BookError::Missing { what: row.named() }),
                _ => {}
            }
            let columns = table.entry(key).or_default();
            columns.extend(row.cells.into_iter().map(|(column, cell)| (column.to_owned(), cell)));
        }
        Ok(())
    }

    /// The first difference between these tables and the stored one, in words; of the rows of a condition and its
    /// value, or of all.
    ///
    /// # Errors
    /// What SQLite says.
    pub fn difference(
        &self,
        db: &Connection,
        table: &'static Table,
        of: Option<(&str, &str)>,
    ) -> rusqlite::Result<Option<String>> {
        let empty = BTreeMap::new();
        let only = of.map_or(String::new(), |(only, _)| format!("WHERE {only}"));
        let mut left: BTreeMap<&Vec<Cell>, &Columns> =
            self.tables.get(table.name).unwrap_or(&empty).iter().collect();
        let mut all =
            db.prepare(&format!("SELECT * FROM {} {only} ORDER BY {}", table.name, table.key.join(", ")))?;
        let names: Vec<String> = all.column_names().map(str::to_owned).collect();
        let mut rows = all.query(params_from_iter(of.map(|(_, id)| id)))?;
        while let Some(row) = rows.next()? {
            let mut stored = Columns::new();
            for (place, name) in names.iter().enumerate() {
                stored.insert(name.clone(), Cell::stored(row.get_ref(place)?));
            }
            let key: Vec<Cell> =
                table.key.iter().map(|column| stored.get(*column).cloned().unwrap_or(Cell::Null)).collect();
            let Some(said) = left.remove(&key) else {
                return Ok(Some(format!("{} stands in the table, but no entry made it", named(table, &key))));
            };
            for (name, cell) in &stored {
                let said = said.get(name).unwrap_or(&Cell::Null);
                if said != cell {
                    return Ok(Some(format!(
                        "{}: {name} is {}, the entries say {}",
                        named(table, &key),
                        cell.words(),
                        said.words()
                    )));
                }
            }
        }
        Ok(left.keys().next().map(|key| format!("{} is missing from the table", named(table, key))))
    }
}
