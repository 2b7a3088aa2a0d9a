//! Why a book cannot be opened, read or written: one sentence each, with what to do next (`3-lifecycle.md` 3.6.1).

use std::path::Path;

use rusqlite::ErrorCode;
use thiserror::Error;

use crate::text::SafeText;

/// Why something cannot be done with a book. Nothing was changed, except where it says that this is not known.
#[derive(Debug, Error)]
pub enum BookError {
    /// There is no file.
    #[error("{path} is not there; the first decision makes it")]
    NotThere {
        /// The book.
        path: String,
    },
    /// The file is there and has nothing in it: the program that made it ended before it was a book.
    #[error("{path} is empty, nothing was ever recorded in it; the next decision makes it a book")]
    Empty {
        /// The book.
        path: String,
    },
    /// It cannot be read.
    #[error("{path} cannot be read ({why}); ask its owner, or check its permissions with ls -l")]
    Unreadable {
        /// The book.
        path: String,
        /// What the system says.
        why: String,
    },
    /// It belongs to another case.
    #[error(
        "{path} is the book of the case {of}, and this is the case {is}; name the right one with --book, or say in recount.toml that it is the same case: [case] id = \"{of}\""
    )]
    OtherCase {
        /// The book.
        path: String,
        /// Its case.
        of: String,
        /// The case that was opened.
        is: String,
    },
    /// The file is something else.
    #[error("{path} is not a book of recount ({why}); name another file with --book")]
    NotABook {
        /// The file.
        path: String,
        /// What tells.
        why: String,
    },
    /// It has no such entry.
    #[error("{path} has no entry {seq}, its last one is {last}; recount audit list shows them")]
    NoEntry {
        /// The book.
        path: String,
        /// The entry that was asked for.
        seq: i64,
        /// The last one that there is.
        last: i64,
    },
    /// A newer program made it.
    #[error("{path} has version {have} and this program knows version {know}; use a newer recount")]
    Newer {
        /// The book.
        path: String,
        /// Its version.
        have: i64,
        /// The newest that is known.
        know: i64,
    },
    /// Others may write it, or it belongs to somebody else.
    #[error("{path} is not written: {why}; {repair}")]
    NotOurs {
        /// The book or its folder.
        path: String,
        /// Whose it is, or who may write it.
        why: String,
        /// The command that repairs it.
        repair: String,
    },
    /// The file or its folder cannot be written.
    #[error("{path} cannot be written, it or its folder is read-only; reading goes on, nothing was saved")]
    ReadOnly {
        /// The book.
        path: String,
    },
    /// Another program writes, for longer than we wait.
    #[error("{path} is locked by another program; nothing was saved, try again")]
    Locked {
        /// The book.
        path: String,
    },
    /// No room.
    #[error("{path} cannot grow, the disk or the quota is full; reading goes on, nothing was saved")]
    Full {
        /// The book.
        path: String,
    },
    /// The file is damaged.
    #[error("{path} is damaged ({why}); nothing was saved, recount verify says what can still be read")]
    Damaged {
        /// The book.
        path: String,
        /// What SQLite says.
        why: String,
    },
    /// The write failed, the book was opened again, and the entry is not there.
    #[error("{path}: {why}; the book was opened again and the entry is not in it: not saved")]
    NotSaved {
        /// The book.
        path: String,
        /// What failed.
        why: String,
    },
    /// The write failed and what became of it cannot be read.
    #[error("{path}: {why}; whether it was saved is not known, open the book again to see")]
    NotKnown {
        /// The book.
        path: String,
        /// What failed.
        why: String,
    },
    /// The intent was changed since it was looked at (G-VERSION, R-VERSION).
    #[error("{intent} was changed meanwhile: version {found} instead of {expected}; look at it again")]
    Changed {
        /// The intent.
        intent: String,
        /// What the operator saw.
        expected: i64,
        /// What is there.
        found: i64,
        /// The entry that changed it last.
        seq: i64,
    },
    /// A row that may be there once is there already: an intent, a claim, an approval.
    #[error("{what} is there already; nothing was saved")]
    Twice {
        /// The row.
        what: String,
    },
    /// A row that an entry changes is not there.
    #[error("{what} is not in the book; record it first")]
    Missing {
        /// The row.
        what: String,
    },
    /// The entry cannot be written as it is.
    #[error("the entry cannot be written: {0}")]
    Entry(String),
    /// The chain does not hold (R-CHAIN).
    #[error(
        "the audit chain is broken at entry {seq}: {why}; nothing is written to it, recount verify says more"
    )]
    Broken {
        /// The entry.
        seq: i64,
        /// What does not fit.
        why: String,
    },
    /// The signature that the policy asks for could not be made.
    #[error("the entry could not be signed: {0}; nothing was saved")]
    NotSigned(String),
    /// Anything else.
    #[error("{path}: {why}; nothing was saved")]
    Other {
        /// The book.
        path: String,
        /// What SQLite or the system says.
        why: String,
    },
}

/// A path as it may be shown.
pub(super) fn shown(path: &Path) -> String {
    SafeText::from_bytes(path.as_os_str().as_encoded_bytes()).shown().into_owned()
}

/// What a failure of SQLite means here.
pub(super) fn of_sqlite(path: &Path, why: &rusqlite::Error) -> BookError {
    let path = shown(path);
    let said = SafeText::new(&why.to_string()).shown().into_owned();
    match why.sqlite_error_code() {
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            BookError::ReadOnly { path }
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => BookError::Locked { path },
        Some(ErrorCode::DiskFull) => BookError::Full { path },
        Some(ErrorCode::DatabaseCorrupt) => BookError::Damaged { path, why: said },
        Some(ErrorCode::NotADatabase) => BookError::NotABook { path, why: "no SQLite database".to_owned() },
        _ => BookError::Other { path, why: said },
    }
}

/// What a failure means where a book was only to be read.
pub(super) fn to_read(why: BookError) -> BookError {
    match why {
        BookError::ReadOnly { path } => {
            BookError::Unreadable { path, why: "the system does not let it be opened".to_owned() }
        }
        other => other,
    }
}

/// What a failure of the system means here.
pub(super) fn of_io(path: &Path, why: &std::io::Error) -> BookError {
    let path = shown(path);
    match why.kind() {
        std::io::ErrorKind::NotFound => BookError::NotThere { path },
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            BookError::ReadOnly { path }
        }
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => BookError::Full { path },
        _ => BookError::Other { path, why: why.to_string() },
    }
}
