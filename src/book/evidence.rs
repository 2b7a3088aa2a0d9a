//! Text of evidence, beside the chain under its digest, so that it can be erased (`3-lifecycle.md` 3.6.3).

use rusqlite::{OptionalExtension as _, params};

use crate::canon::sha256_hex;
use crate::model::time::{Micros, rfc3339_millis};

use super::error::{BookError, of_sqlite};
use super::view::View;

/// Most bytes that are kept; of larger evidence only the digest is.
pub const MOST: usize = 1 << 20;
/// Random bytes before the text.
const SALT: u8 = 16;

/// Text of evidence, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// It is there, and its digest fits.
    Text(Vec<u8>),
    /// It was erased.
    Erased,
    /// Its bytes are not those of its digest.
    Changed,
    /// There is none of this digest.
    Missing,
}

/// The item that an entry names a text by.
pub fn item(digest: &str) -> String {
    format!("blob:sha256:{digest}")
}

/// The digest that an evidence item names, of those whose text lies in the book.
pub fn digest_of(item: &str) -> Option<&str> {
    item.strip_prefix("blob:sha256:").or_else(|| item.strip_prefix("block:sha256:"))
}

pub(super) fn keep(view: View<'_>, at: Micros, name: Option<&str>, text: &[u8]) -> Result<String, BookError> {
    if text.len() > MOST {
        return Err(BookError::Entry(format!(
            "evidence of {} bytes is too long to be kept, {MOST} are the most; name it by file and digest",
            text.len()
        )));
    }
    let failed = |why: rusqlite::Error| of_sqlite(view.path, &why);
    let mut bytes: Vec<u8> =
        view.db.query_row("SELECT randomblob(?1)", [SALT], |row| row.get(0)).map_err(failed)?;
    bytes.extend_from_slice(text);
    let digest = sha256_hex(&bytes);
    view.db
        .execute(
            "INSERT INTO evidence (digest, name, bytes, stored_at) VALUES (?1, ?2, ?3, ?4)",
            params![digest, name, bytes, rfc3339_millis(at)],
        )
        .map_err(failed)?;
    Ok(digest)
}

pub(super) fn erase(view: View<'_>, digest: &str) -> Result<(), BookError> {
    let changed = view
        .db
        .execute(
            "UPDATE evidence SET bytes = NULL, name = NULL WHERE digest = ?1 AND bytes IS NOT NULL",
            [digest],
        )
        .map_err(|why| of_sqlite(view.path, &why))?;
    if changed == 0 {
        return Err(BookError::Missing { what: format!("the text of evidence {digest}") });
    }
    Ok(())
}

impl View<'_> {
    /// The text of evidence of a digest, without the random bytes before it.
    ///
    /// # Errors
    /// What keeps the book from being read.
    pub fn evidence(self, digest: &str) -> Result<Evidence, BookError> {
        let stored: Option<Option<Vec<u8>>> = self
            .db
            .query_row("SELECT bytes FROM evidence WHERE digest = ?1", [digest], |row| row.get(0))
            .optional()
            .map_err(|why| of_sqlite(self.path, &why))?;
        Ok(match stored {
            None => Evidence::Missing,
            Some(None) => Evidence::Erased,
            Some(Some(bytes)) if sha256_hex(&bytes) != digest => Evidence::Changed,
            Some(Some(bytes)) => Evidence::Text(bytes.get(usize::from(SALT)..).unwrap_or_default().to_vec()),
        })
    }
}
