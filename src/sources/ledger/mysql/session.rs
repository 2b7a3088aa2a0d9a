//! One read-only transaction and the queries in it.

use mysql::prelude::Queryable as _;
use mysql::{Conn, Params, Row, Value};

use super::connect::{Connected, connect};
use super::said::{LOCK_SECONDS, Role, STATEMENT_SECONDS, said};
use crate::sources::address::Server;
use crate::sources::ledger::server::{ServerError, Texts};

/// A connection that reads.
pub(super) struct Session {
    conn: Conn,
    pub(super) role: Role,
    pub(super) note: Option<String>,
    /// `MariaDB`, where some words differ.
    pub(super) maria: bool,
}

impl Session {
    /// Connects; every statement from here on only reads, and has a time limit.
    pub(super) fn connect(server: &Server, password_command: &[String]) -> Result<Self, ServerError> {
        let Connected { conn, role, note } = connect(server, password_command)?;
        let mut session = Self { conn, role, note, maria: false };
        let version = session.first("select version()", Vec::new(), "its version")?;
        session.maria = version.iter().flatten().any(|text| text.contains("MariaDB"));
        let limit = if session.maria {
            format!("max_statement_time = {STATEMENT_SECONDS}")
        } else {
            format!("max_execution_time = {}", STATEMENT_SECONDS * 1000)
        };
        for sql in [
            format!(
                "set session {limit}, session lock_wait_timeout = {LOCK_SECONDS}, \
                 session innodb_lock_wait_timeout = {LOCK_SECONDS}, session time_zone = '+00:00', \
                 session sql_mode = 'NO_ENGINE_SUBSTITUTION', session group_concat_max_len = 1024"
            ),
            "set names utf8mb4".to_owned(),
            "set session transaction isolation level repeatable read".to_owned(),
            "set session transaction read only".to_owned(),
        ] {
            session.batch(&sql)?;
        }
        Ok(session)
    }

    pub(super) fn begin(&mut self) -> Result<(), ServerError> {
        self.batch("start transaction with consistent snapshot, read only")
    }

    pub(super) fn end(&mut self) -> Result<(), ServerError> {
        self.batch("commit")
    }

    fn batch(&mut self, sql: &str) -> Result<(), ServerError> {
        self.conn
            .query_drop(sql)
            .map_err(|error| said(&error, &self.role, "the beginning of the reading", false))
    }

    /// All rows of a query, as texts; `what` says which query it was.
    pub(super) fn rows(
        &mut self,
        sql: &str,
        with: Vec<Value>,
        what: &str,
    ) -> Result<Vec<Texts>, ServerError> {
        let with = if with.is_empty() { Params::Empty } else { Params::Positional(with) };
        let rows: Vec<Row> =
            self.conn.exec(sql, with).map_err(|error| said(&error, &self.role, what, false))?;
        Ok(rows.into_iter().map(texts).collect())
    }

    /// A statement that only the protocol of texts knows, such as `show`.
    pub(super) fn show(&mut self, sql: &str) -> Result<Vec<Texts>, ServerError> {
        let rows: Vec<Row> = self.conn.query(sql).map_err(|error| said(&error, &self.role, sql, false))?;
        Ok(rows.into_iter().map(texts).collect())
    }

    /// The texts of the first row; empty where there is none.
    pub(super) fn first(&mut self, sql: &str, with: Vec<Value>, what: &str) -> Result<Texts, ServerError> {
        Ok(self.rows(sql, with, what)?.into_iter().next().unwrap_or_default())
    }

    /// Names and types of what a statement gives; nothing of it is run.
    pub(super) fn columns(&mut self, sql: &str, what: &str) -> Result<Vec<(String, String)>, ServerError> {
        let statement = self.conn.prep(sql).map_err(|error| said(&error, &self.role, what, false))?;
        let columns = statement.columns();
        let found = columns.iter().map(|column| {
            (column.name_str().into_owned(), super::query::declared(column.column_type()).to_owned())
        });
        Ok(found.collect())
    }
}

/// What ends the whole reading; other errors cost the part that was asked for.
pub(super) fn perhaps<T>(result: Result<T, ServerError>) -> Result<Result<T, ServerError>, ServerError> {
    match result {
        Err(error @ (ServerError::Killed(_) | ServerError::Unreachable(_))) => Err(error),
        other => Ok(other),
    }
}

fn texts(row: Row) -> Texts {
    row.unwrap_raw().into_iter().map(|value| value.and_then(text)).collect()
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::NULL => None,
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Value::Int(number) => Some(number.to_string()),
        Value::UInt(number) => Some(number.to_string()),
        other => Some(other.as_sql(true).trim_matches('\'').to_owned()),
    }
}
