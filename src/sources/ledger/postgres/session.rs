//! One read-only transaction and the queries in it.

use postgres::types::{ToSql, Type};
use postgres::{Client, Row};

use super::connect::{Connected, connect};
use super::said::{LOCK_SECONDS, Role, STATEMENT_SECONDS, said};
use crate::sources::address::Server;
use crate::sources::ledger::server::ServerError;

/// A query's parameter with its type: statements have no name, because a pooler refuses names.
pub(super) type Parameter<'p> = (&'p (dyn ToSql + Sync), Type);

/// A connection that reads.
pub(super) struct Session {
    client: Client,
    pub(super) role: Role,
    pub(super) note: Option<String>,
}

impl Session {
    pub(super) fn connect(server: &Server, password_command: &[String]) -> Result<Self, ServerError> {
        let Connected { client, role, note } = connect(server, password_command)?;
        Ok(Self { client, role, note })
    }

    /// Begins the transaction (`4-sources.md` 4.5). Names without a schema are looked for in `schemas`.
    pub(super) fn begin(&mut self, schemas: &[String]) -> Result<(), ServerError> {
        let path: Vec<String> = std::iter::once("pg_catalog")
            .chain(schemas.iter().map(String::as_str))
            .map(|schema| format!("\"{}\"", schema.replace('"', "\"\"")))
            .collect();
        self.batch(&format!(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
             SET LOCAL statement_timeout = {}; SET LOCAL lock_timeout = {}; \
             SET LOCAL idle_in_transaction_session_timeout = 60000; \
             SET LOCAL search_path = {}; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'",
            STATEMENT_SECONDS * 1000,
            LOCK_SECONDS * 1000,
            path.join(", "),
        ))
    }

    pub(super) fn end(&mut self) -> Result<(), ServerError> {
        self.batch("COMMIT")
    }

    fn batch(&mut self, sql: &str) -> Result<(), ServerError> {
        self.client
            .batch_execute(sql)
            .map_err(|error| said(&error, &self.role, "the beginning of the reading"))
    }

    /// All rows of a query; `what` says which query it was.
    pub(super) fn rows(
        &mut self,
        sql: &str,
        with: &[Parameter<'_>],
        what: &str,
    ) -> Result<Vec<Row>, ServerError> {
        self.client.query_typed(sql, with).map_err(|error| said(&error, &self.role, what))
    }

    /// The texts of the first row; empty where there is none.
    pub(super) fn first(
        &mut self,
        sql: &str,
        with: &[Parameter<'_>],
        what: &str,
    ) -> Result<Vec<Option<String>>, ServerError> {
        let rows = self.rows(sql, with, what)?;
        Ok(rows.first().map(texts).unwrap_or_default())
    }

    /// A query that the server may refuse: the transaction goes on, and the part that it was for is not known.
    ///
    /// # Errors
    /// Only what ends the whole reading.
    pub(super) fn perhaps<T>(
        &mut self,
        ask: impl FnOnce(&mut Self) -> Result<T, ServerError>,
    ) -> Result<Result<T, ServerError>, ServerError> {
        self.batch("SAVEPOINT recount")?;
        match ask(self) {
            Ok(known) => self.batch("RELEASE SAVEPOINT recount").map(|()| Ok(known)),
            Err(error @ (ServerError::Killed(_) | ServerError::Unreachable(_) | ServerError::Conflict)) => {
                Err(error)
            }
            Err(error) => self.batch("ROLLBACK TO SAVEPOINT recount").map(|()| Err(error)),
        }
    }

    /// The schemas in which names without one are looked for.
    pub(super) fn schemas(&mut self) -> Result<Vec<String>, ServerError> {
        let rows = self.rows("select unnest(current_schemas(false))::text", &[], "the schemas")?;
        Ok(rows.iter().filter_map(|row| row.try_get::<_, Option<String>>(0).ok().flatten()).collect())
    }
}

/// The texts of a row whose columns are all cast to text.
pub(super) fn texts(row: &Row) -> Vec<Option<String>> {
    (0..row.len()).map(|at| row.try_get::<_, Option<String>>(at).ok().flatten()).collect()
}

/// A list of texts as the text of an array, for parameters.
pub(super) fn array(ids: &[String]) -> Vec<&str> {
    ids.iter().map(String::as_str).collect()
}
