//! Which tables a database has, and which one is the ledger (`4-sources.md` 4.4 step 6, 4.15).

use std::collections::HashSet;

use rusqlite::{Connection, params};

use super::connect::said;
use super::{SqliteError, quoted};
use crate::sources::mapping::{Columns, Layout};
use crate::sources::names::{ledger, record, shared};
use crate::sources::near::{did_you_mean, listed};

/// Tables listed in one message.
const LISTED: usize = 12;

/// A table or view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its name as the schema has it.
    pub name: String,
    /// A view: it has no rowids.
    pub view: bool,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Made with `WITHOUT ROWID`.
    pub without_rowid: bool,
    /// Its integer primary key, which is the rowid.
    pub integer_key: Option<String>,
    /// The key never gives an id twice.
    pub autoincrement: bool,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Declared type.
    pub declared: String,
    /// Its default is the current time, which SQLite gives in UTC with a resolution of 1 s (`1-model.md` 1.3).
    pub current_time: bool,
    /// Place in the primary key, from 1; 0 outside.
    pub key: i64,
}

impl Table {
    /// Names of the columns.
    pub fn header(&self) -> Vec<String> {
        self.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// How a row's place is named in SQL: the integer key, or a name of the rowid that no column hides.
    pub fn rowid(&self) -> Option<String> {
        if self.view || self.without_rowid {
            return None;
        }
        if let Some(key) = &self.integer_key {
            return Some(quoted(key));
        }
        ["rowid", "_rowid_", "oid"]
            .into_iter()
            .find(|name| !self.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name)))
            .map(str::to_owned)
    }

    fn words(&self) -> String {
        format!("{} ({})", self.name, listed(&self.header(), LISTED))
    }
}

/// Operation ids, keys and business ids that occur in the loaded traces: they say which table is meant.
#[derive(Debug, Clone, Default)]
pub struct TraceIds {
    /// Operation ids.
    pub operations: HashSet<String>,
    /// Idempotency keys.
    pub keys: HashSet<String>,
    /// Business ids with their prefix.
    pub business: HashSet<String>,
}

/// The table that is read, and why this one.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// The table.
    pub table: Table,
    /// Its columns by slot.
    pub columns: Columns,
    /// In words, where it was not named; empty otherwise.
    pub why: String,
}

/// All tables and views, by name.
///
/// # Errors
/// When the schema cannot be read.
pub fn tables(connection: &Connection) -> Result<Vec<Table>, SqliteError> {
    let mut statement = connection
        .prepare(
            "SELECT l.name, l.type, l.wr, s.sql FROM pragma_table_list AS l \
             LEFT JOIN sqlite_schema AS s ON s.name = l.name AND s.type IN ('table', 'view') \
             WHERE l.schema = 'main' AND l.type IN ('table', 'view', 'virtual') AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
             ORDER BY l.name",
        )
        .map_err(|error| said(&error))?;
    let rows = statement
        .query_map([], |row| {
            let (name, kind, wr): (String, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let sql: Option<String> = row.get(3)?;
            Ok((name, kind, wr != 0, sql.unwrap_or_default()))
        })
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| said(&error))?;
    let mut tables = Vec::with_capacity(rows.len());
    for (name, kind, without_rowid, sql) in rows {
        if kind == "virtual" {
            tables.push(Table {
                name,
                view: true,
                columns: Vec::new(),
                without_rowid,
                integer_key: None,
                autoincrement: false,
            });
            continue;
        }
        let columns = columns(connection, &name)?;
        let keys: Vec<&Column> = columns.iter().filter(|column| column.key > 0).collect();
        let view = kind == "view";
        let integer_key = match keys.as_slice() {
            [one] if !view && !without_rowid && one.declared.eq_ignore_ascii_case("integer") => Some(one.name.clone()),
            _ => None,
        };
        let autoincrement = integer_key.is_some() && has_word(&sql, "autoincrement");
        tables.push(Table { name, view, columns, without_rowid, integer_key, autoincrement });
    }
    Ok(tables)
}

fn columns(connection: &Connection, table: &str) -> Result<Vec<Column>, SqliteError> {
    let mut statement = connection
        .prepare("SELECT name, type, dflt_value, pk FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid")
        .map_err(|error| said(&error))?;
    statement
        .query_map(params![table], |row| {
            let default: Option<String> = row.get(2)?;
            Ok(Column {
                name: row.get(0)?,
                declared: row.get::<_, Option<String>>(1)?.unwrap_or_default(),
                current_time: default.is_some_and(|text| is_current_time(&text)),
                key: row.get(3)?,
            })
        })
        .and_then(Iterator::collect)
        .map_err(|error| said(&error))
}

/// `CURRENT_TIMESTAMP`, or `datetime('now')`, which gives the same.
fn is_current_time(default: &str) -> bool {
    let text: String = default.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    let text = text.trim_start_matches('(').trim_end_matches(')');
    text == "current_timestamp" || text == "datetime('now'"
}

/// Whether a statement has a word outside of quotes and comments.
fn has_word(sql: &str, word: &str) -> bool {
    let mut letters = sql.chars().peekable();
    let mut current = String::new();
    while let Some(letter) = letters.next() {
        if letter.is_alphanumeric() || letter == '_' {
            current.push(letter.to_ascii_lowercase());
            continue;
        }
        if current == word {
            return true;
        }
        current.clear();
        match letter {
            '\'' | '"' | '`' => {
                for inside in letters.by_ref() {
                    if inside == letter {
                        break;
                    }
                }
            }
            '[' => {
                for inside in letters.by_ref() {
                    if inside == ']' {
                        break;
                    }
                }
            }
            '-' if letters.next_if_eq(&'-').is_some() => {
                for inside in letters.by_ref() {
                    if inside == '\n' {
                        break;
                    }
                }
            }
            '/' if letters.next_if_eq(&'*').is_some() => {
                let mut star = false;
                for inside in letters.by_ref() {
                    if star && inside == '/' {
                        break;
                    }
                    star = inside == '*';
                }
            }
            _ => {}
        }
    }
    current == word
}

/// What a table has to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A ledger: a link column, a time, and an id or an integer key.
    Ledger,
    /// Intent records or expectations: an id of the intent.
    Records,
}

impl Wanted {
    fn words(self) -> &'static str {
        match self {
            Self::Ledger => "a ledger (a link column: operation id, key or business id; a time; an id or integer key)",
            Self::Records => "intent records (an operation id, intent id, key or business id, and an amount or count)",
        }
    }

    fn fits(self, table: &Table, columns: &Columns) -> bool {
        const LINKS: [usize; 6] = [
            shared::OPERATION,
            shared::KEY,
            shared::BUSINESS,
            shared::BUSINESS + 1,
            shared::BUSINESS + 2,
            shared::BUSINESS + 3,
        ];
        match self {
            Self::Ledger => {
                columns.any(&LINKS)
                    && columns.any(&[ledger::COMMITTED])
                    && (columns.any(&[ledger::EFFECT]) || table.integer_key.is_some())
            }
            Self::Records => {
                (columns.any(&LINKS) || columns.any(&[record::INTENT]))
                    && columns.any(&[shared::AMOUNT, shared::AMOUNT_MINOR, record::COUNT, record::COUNT_MIN])
            }
        }
    }
}

/// Chooses the table: the named one, the only one that fits, or the one whose ids occur in the trace.
///
/// # Errors
/// When the named table or a mapped column is not there, when none fits, or when several do.
pub fn choose(
    connection: &Connection,
    named: Option<&str>,
    wanted: Wanted,
    layout: &Layout,
    ids: Option<&TraceIds>,
) -> Result<Chosen, SqliteError> {
    let tables = tables(connection)?;
    if let Some(name) = named {
        let table = find(tables, name)?;
        let columns = layout
            .columns(&table.header())
            .map_err(|error| SqliteError::Mapping { table: table.name.clone(), error })?;
        return Ok(Chosen { table, columns, why: String::new() });
    }
    let present = listed(&tables.iter().map(Table::words).collect::<Vec<_>>(), LISTED);
    let mut fitting = Vec::new();
    let mut ambiguous = None;
    for table in tables.into_iter().filter(|table| !table.view) {
        match layout.columns(&table.header()) {
            Ok(columns) if wanted.fits(&table, &columns) => {
                fitting.push(Chosen { table, columns, why: String::new() });
            }
            Ok(_) => {}
            Err(error) => ambiguous = Some(SqliteError::Mapping { table: table.name, error }),
        }
    }
    match fitting.len() {
        0 => Err(ambiguous.unwrap_or(SqliteError::NoneFits { wanted: wanted.words(), present })),
        1 => fitting.pop().ok_or(SqliteError::NoneFits { wanted: wanted.words(), present }).map(|one| Chosen {
            why: format!("{} is the only table that fits", one.table.name),
            ..one
        }),
        _ => by_trace(connection, fitting, layout, ids),
    }
}

fn find(tables: Vec<Table>, name: &str) -> Result<Table, SqliteError> {
    let at = tables.iter().position(|table| table.name.eq_ignore_ascii_case(name));
    let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
    let missing = SqliteError::NoTable {
        name: name.to_owned(),
        near: did_you_mean(name, names.iter().copied()),
        present: listed(&names, LISTED),
    };
    let table = at.and_then(|at| tables.into_iter().nth(at)).ok_or(missing)?;
    if table.view && table.columns.is_empty() {
        return Err(SqliteError::Virtual(table.name));
    }
    Ok(table)
}

/// Of several tables that fit, the one whose ids occur in the trace: by operation id or key before business id.
fn by_trace(
    connection: &Connection,
    fitting: Vec<Chosen>,
    layout: &Layout,
    ids: Option<&TraceIds>,
) -> Result<Chosen, SqliteError> {
    let names: Vec<String> = fitting.iter().map(|one| one.table.name.clone()).collect();
    let several = || SqliteError::Several { candidates: names.clone() };
    let ids = ids.ok_or_else(several)?;
    let id_slots = [(shared::OPERATION, &ids.operations), (shared::KEY, &ids.keys)];
    let business: Vec<(usize, &HashSet<String>)> = (shared::BUSINESS..shared::BUSINESS + shared::BUSINESS_SLOTS)
        .map(|slot| (slot, &ids.business))
        .collect();
    for (slots, which) in [(&id_slots[..], "operation ids or keys"), (business.as_slice(), "business ids")] {
        let mut hits = Vec::new();
        for (number, one) in fitting.iter().enumerate() {
            for (slot, known) in slots {
                if occurs(connection, one, *slot, layout, known)? {
                    hits.push(number);
                    break;
                }
            }
        }
        match hits.as_slice() {
            [] => {}
            [one] => {
                let others: Vec<&str> =
                    names.iter().enumerate().filter(|(at, _)| at != one).map(|(_, name)| name.as_str()).collect();
                let name = names.get(*one).cloned().unwrap_or_default();
                let why = format!("{name} holds {which} of the trace; {} fits too", listed(&others, LISTED));
                return fitting.into_iter().nth(*one).ok_or_else(several).map(|chosen| Chosen { why, ..chosen });
            }
            _ => return Err(several()),
        }
    }
    Err(several())
}

/// Whether one of these ids stands in the column of a slot.
fn occurs(
    connection: &Connection,
    one: &Chosen,
    slot: usize,
    layout: &Layout,
    ids: &HashSet<String>,
) -> Result<bool, SqliteError> {
    let column = one.columns.of.get(slot).copied().flatten().and_then(|at| one.table.columns.get(at));
    let Some(column) = column.filter(|_| !ids.is_empty()) else {
        return Ok(false);
    };
    let prefix = layout.plan().prefix(slot);
    let mut wanted: Vec<&str> = ids.iter().map(String::as_str).collect();
    if !prefix.is_empty() {
        wanted.extend(ids.iter().filter_map(|id| id.strip_prefix(prefix)));
    }
    let list = serde_json::to_string(&wanted).unwrap_or_else(|_| "[]".to_owned());
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM {} WHERE CAST({} AS TEXT) IN (SELECT value FROM json_each(?1)))",
        quoted(&one.table.name),
        quoted(&column.name)
    );
    connection.query_row(&sql, params![list], |row| row.get(0)).map_err(|error| said(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_quotes_and_comments_do_not_count() {
        for (sql, there) in [
            ("create table t(id integer primary key AUTOINCREMENT)", true),
            ("create table t(id integer primary key autoincrement, x)", true),
            ("create table t(id integer primary key, \"autoincrement\" text)", false),
            ("create table t(id integer primary key -- autoincrement\n)", false),
            ("create table t(id integer primary key /* autoincrement */)", false),
            ("create table t(id integer primary key, [autoincrement] int, note text default 'autoincrement')", false),
            ("create table t(id integer primary key, no_autoincrement int)", false),
        ] {
            assert_eq!(has_word(sql, "autoincrement"), there, "{sql}");
        }
    }

    #[test]
    fn defaults_that_are_the_current_time() {
        for (default, is) in [
            ("CURRENT_TIMESTAMP", true),
            ("current_timestamp", true),
            ("(datetime('now'))", true),
            ("datetime( 'now' )", true),
            ("datetime('now', 'localtime')", false),
            ("CURRENT_DATE", false),
            ("'CURRENT_TIMESTAMP'", false),
        ] {
            assert_eq!(is_current_time(default), is, "{default}");
        }
    }
}
