//! Reading a record again at its place: for the raw view, for attributes, for line numbers.

use crate::model::row::{At, SourceNo};

/// Where records stand, and what they say in full. Implemented by the opened sources; a fake in tests.
pub trait Places: Sync {
    /// `trace.jsonl line 14`, `payments.db, table refunds, row 48203`.
    fn words(&self, at: At) -> String;
    /// Number of the line, where the source has lines.
    fn line(&self, at: At) -> Option<u64>;
    /// All fields of the record, read again; empty where it cannot be.
    fn fields(&self, at: At) -> Vec<(String, String)>;
    /// What a call was sent with, read again: an object as JSON, a text as its content.
    fn arguments(&self, at: At) -> Option<String>;
    /// The record as it stands; `None` where it cannot be read again.
    fn raw(&self, at: At) -> Option<String>;
    /// Whether these letters stand anywhere in a source; true where that cannot be told. Saves reading all records
    /// again for a field that none of them has.
    fn mentions(&self, _source: SourceNo, _letters: &str) -> bool {
        true
    }
}
