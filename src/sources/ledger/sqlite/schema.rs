//! Which tables and columns a database has (`4-sources.md` 4.4 step 6).

use rusqlite::{Connection, params};

use super::connect::said;
use super::{SqliteError, quoted};
use crate::sources::near::listed;

/// Tables listed in one message.
pub(super) const LISTED: usize = 12;

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

    pub(super) fn words(&self) -> String {
        format!("{} ({})", self.name, listed(&self.header(), LISTED))
    }
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
            [one] if !view && !without_rowid && one.declared.eq_ignore_ascii_case("integer") => {
                Some(one.name.clone())
            }
            _ => None,
        };
        let autoincrement = integer_key.is_some() && has_word(&sql, "autoincrement");
        tables.push(Table { name, view, columns, without_rowid, integer_key, autoincrement });
    }
    Ok(tables)
}

fn columns(connection: &Connection, table: &str) -> Result<Vec<Column>, SqliteError> {
    let mut statement = connection
        .prepare(
            "SELECT name, type, dflt_value, pk FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid",
        )
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
    let text: String =
        default.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
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
            (
                "create table t(id integer primary key, [autoincrement] int, note text default 'autoincrement')",
                false,
            ),
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
