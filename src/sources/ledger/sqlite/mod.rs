//! SQLite ledgers: opened so that they are never harmed, read in one transaction (`4-sources.md` 4.4).
//!
//! [`connect`] holds the order of opening, [`schema`] what tables there are, [`choose`] which one is meant, [`select`]
//! what is asked for, [`read`] the one pass over it and one row again.

pub mod choose;
pub mod connect;
pub mod read;
pub mod schema;
pub mod select;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use thiserror::Error;

/// Why a database cannot be read. Where it is stands beside the error.
#[derive(Debug, Error)]
pub enum SqliteError {
    /// Not a regular file.
    #[error("{0} is not a regular file: a database is opened in place, give the path of the file itself")]
    NotRegular(PathBuf),
    /// A writer crashed in the middle of a transaction.
    #[error(
        "a hot journal lies beside it: its writer crashed in the middle of a change. Let the program that owns the \
         database open it first, then read it again"
    )]
    HotJournal,
    /// A journal or log lies beside a file that is said to be frozen.
    #[error(
        "it is said to be frozen, but {0} lies beside it and may hold rows: leave out `frozen`, or copy the \
             database with the program that owns it"
    )]
    NotFrozen(String),
    /// The log holds rows and the folder cannot be written.
    #[error(
        "its folder cannot be written and a `-wal` of {wal_bytes} bytes lies beside it: rows in the log cannot be \
         read this way. Read it where its writer runs, or have the writer make a backup (`VACUUM INTO`)"
    )]
    FolderWithWal {
        /// Size of the log.
        wal_bytes: u64,
    },
    /// Somebody held it locked all the time.
    #[error("it is locked: no read was possible for {0} s. Wait for the writer to end, then read it again")]
    Locked(u64),
    /// Not a database, or a damaged one.
    #[error(
        "it is not a readable SQLite database: {0}. If it is one, check it with `pragma integrity_check`"
    )]
    Damaged(String),
    /// The reading took too long.
    #[error("the reading took longer than {0} s and was stopped: name the table, or ask for less")]
    TimeLimit(u64),
    /// The reading was cancelled.
    #[error("the reading was cancelled")]
    Cancelled,
    /// The named table is not there.
    #[error("there is no table `{name}` in it{near}; there are {present}")]
    NoTable {
        /// The name given.
        name: String,
        /// "; did you mean `x`?", or nothing.
        near: String,
        /// The tables there are.
        present: String,
    },
    /// A virtual table runs code when it is read.
    #[error("`{0}` is a virtual table, which is not read: name a table or a view")]
    Virtual(String),
    /// No table fits.
    #[error(
        "no table in it looks like {wanted}; there are {present}. Name one with `?table=NAME`, and its columns in the \
         mapping"
    )]
    NoneFits {
        /// What was looked for and what it needs.
        wanted: &'static str,
        /// The tables with their columns.
        present: String,
    },
    /// Several tables fit.
    #[error("several tables in it fit: {}. Name one with `?table=NAME`", candidates.join(", "))]
    Several {
        /// Their names.
        candidates: Vec<String>,
    },
    /// The columns do not fit the mapping.
    #[error("table `{table}`: {error}")]
    Mapping {
        /// The table.
        table: String,
        /// What does not fit.
        error: crate::sources::mapping::MappingError,
    },
    /// The own statement is not one read-only select.
    #[error("the statement of the ledger {0}: give one `select` or `with`, which only reads")]
    Statement(String),
    /// Everything else that SQLite says.
    #[error("SQLite says: {0}")]
    Sql(String),
}

/// A name as SQL writes it: in double quotes, quotes in it doubled. Only names that were looked up in the schema are
/// written this way.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
