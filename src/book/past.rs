//! A book as it was: the entries up to one of them, and the rows that follow from these alone (`7-commands.md` 7.5.3,
//! `--as-of-entry`). It is made again in memory by the same functions that write, so nothing has to be kept for it.

use std::path::Path;

use rusqlite::{Connection, params};

use super::Book;
use super::entry::Entry;
use super::error::{BookError, of_sqlite, shown};
use super::project::rows;
use super::schema::{STEPS, migrate};

impl Book {
    /// The book as it was when this entry had been written; 0 is before the first one. Read-only; text of evidence and
    /// where heads went are not in it.
    ///
    /// # Errors
    /// As [`Book::look`], an entry that is not there, and entries that nothing follows from.
    pub fn as_of(path: &Path, seq: i64) -> Result<Self, BookError> {
        let now = Self::look(path)?;
        let last = now.view()?.head()?.seq;
        if seq > last || seq < 0 {
            return Err(BookError::NoEntry { path: shown(path), seq, last });
        }
        let failed = |why: rusqlite::Error| of_sqlite(path, &why);
        let db = Connection::open_in_memory().map_err(failed)?;
        migrate(&db, &STEPS).map_err(failed)?;
        let mut result = Ok(());
        now.view()?.entries_to(seq, |entry| {
            if result.is_ok() {
                result = put(path, &db, &entry);
            }
        })?;
        result?;
        db.pragma_update(None, "query_only", true).map_err(failed)?;
        Ok(Self { db: Some(db), copy: None, ..now })
    }
}

/// One entry, and what follows from it.
fn put(path: &Path, db: &Connection, entry: &Entry) -> Result<(), BookError> {
    let failed = |why: rusqlite::Error| of_sqlite(path, &why);
    db.prepare_cached("INSERT INTO audit (seq, text, hash, sig) VALUES (?1, ?2, ?3, ?4)")
        .and_then(|mut all| all.execute(params![entry.seq, entry.text, entry.hash, entry.sig]))
        .map_err(failed)?;
    for row in rows(&entry.value)? {
        row.store(db).map_err(failed)??;
    }
    Ok(())
}
