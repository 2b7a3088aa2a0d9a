//! The book: `book.db`, our own SQLite file (`3-lifecycle.md` 3.6). It stores what it is told and decides nothing: which
//! move is allowed is `lifecycle`, who asks is `cli`. What it keeps by itself is its own integrity: one chain of entries
//! ([`entry`]), rows that follow from entries and from nothing else ([`action`], `project`), one transaction for both
//! ([`Book::write`]), the version of an intent, and one open claim.
//!
//! ```text
//! Draft -> Writer::append -> audit (text, hash)  -> commit -> head leaves
//!                         -> rows of the tables
//! ```

pub mod action;
pub mod clock;
pub mod entry;
mod error;
pub mod evidence;
pub mod export;
pub mod head;
mod open;
mod past;
pub mod population;
mod project;
pub mod records;
mod schema;
pub mod sign;
pub mod verify;
mod view;
mod write;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use tempfile::TempDir;

pub use action::Action;
pub use entry::{Actor, Draft, Entry, Head, Now, Subject};
pub use error::BookError;
pub use head::{HeadTo, Left};
pub use open::{Options, Owned, Ownership, ownership};
pub use view::View;
pub use write::{Writer, Written};

/// Makes a signature over the hash of an entry (`sign_above`).
pub type Signer = Box<dyn Fn(&str) -> Result<String, String>>;

/// An open book.
pub struct Book {
    path: PathBuf,
    /// None after a failed write whose outcome is not known.
    db: Option<Connection>,
    writable: bool,
    busy: Duration,
    head_to: HeadTo,
    signer: Option<Signer>,
    notes: Vec<String>,
    /// Where a copy is read.
    #[expect(dead_code, reason = "kept until the book is closed")]
    copy: Option<TempDir>,
}

impl Book {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reading.
    ///
    /// # Errors
    /// [`BookError::NotKnown`] after a write whose outcome is not known: the book is opened again then.
    pub fn view(&self) -> Result<View<'_>, BookError> {
        let db = self.db.as_ref().ok_or_else(|| BookError::NotKnown {
            path: error::shown(&self.path),
            why: "an earlier write failed".to_owned(),
        })?;
        Ok(View { db, path: &self.path })
    }

    /// What was put right or is to be known about the file, in sentences.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Entries whose drafts ask for it are signed with this.
    pub fn sign_with(&mut self, signer: Signer) {
        self.signer = Some(signer);
    }

    /// Why nothing can be written, where it was opened for reading.
    fn not_writable(&self) -> Option<BookError> {
        (!self.writable).then(|| BookError::ReadOnly { path: error::shown(&self.path) })
    }
}
