//! Why the lab ends before its work is done.

use std::path::Path;

use thiserror::Error;

use crate::report::file::shown;

/// An expected end. Its text says what failed, where, and what to do next.
#[derive(Debug, Error)]
pub enum LabError {
    /// A file or folder of the lab.
    #[error("cannot {what} {path}: {why}{next}")]
    File {
        /// What was to be done: `write`, `create`.
        what: &'static str,
        /// The file.
        path: String,
        /// Why not.
        why: String,
        /// What to do, with its own separator; empty where nothing helps.
        next: &'static str,
    },
    /// A folder that holds something already.
    #[error("{0} is not empty and is left as it is; name a new folder with --out")]
    Exists(String),
    /// A database that is not a store of the lab.
    #[error("{path} is not a store of the lab ({why}); name a file that is not there yet, it is then made")]
    NotAStore {
        /// The database.
        path: String,
        /// What tells.
        why: String,
    },
    /// The store refused.
    #[error("{path}: {why}")]
    Store {
        /// The database.
        path: String,
        /// What SQLite said.
        why: rusqlite::Error,
    },
    /// The server did not start or did not answer as one.
    #[error("{0}")]
    Server(String),
    /// Somebody asked it to stop.
    #[error("stopped; what was written until then stays")]
    Stopped,
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

impl LabError {
    /// A file that cannot be used.
    pub fn file(what: &'static str, path: &Path, why: &std::io::Error) -> Self {
        Self::File { what, path: shown(path), why: why.to_string(), next: "; name another folder with --out" }
    }
}
