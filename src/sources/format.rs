//! What a format is: it takes one record and says which events it means.
//!
//! The loops that hand records over are in [`super::open`]; they are compiled once per format and sink, so nothing is
//! looked up while millions of records pass.

use super::event::{ProblemEvent, Sink, code, rule};
use super::json::{Parser, Reader, Slots, Want};
use super::row::{Buffers, Row};
use crate::model::row::At;

/// One record as it stands in its source.
#[derive(Debug, Clone, Copy)]
pub struct Raw<'r> {
    /// Its bytes; empty for rows of a database.
    pub bytes: &'r [u8],
    /// Its place.
    pub at: At,
    /// False for a last line without line end.
    pub ended: bool,
}

/// What a worker keeps from record to record.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Texts that are made.
    pub buffers: Buffers,
    /// Reads arguments that come as a JSON text, and objects inside arguments.
    pub arguments: Option<Reader>,
    /// Reads answers that come as a JSON text, or records of a second kind.
    pub second: Option<Reader>,
    /// Reads records of a third kind.
    pub third: Option<Reader>,
    /// Records of a table so far.
    pub records: u64,
}

/// A format whose records are found by slots, whatever the framing.
pub trait Rows: Sync {
    /// Reads one record.
    fn row<R: Row, S: Sink>(&self, row: &R, raw: Raw<'_>, scratch: &mut Scratch, out: &mut S);
}

/// A format of JSON records.
pub trait Format: Sync {
    /// Which values it wants.
    fn want(&self) -> &Want;

    /// What a worker needs for it.
    fn scratch(&self, parser: Parser) -> Scratch;

    /// A ledger: a record without line end is refused, not used (`4-sources.md` 4.6).
    fn is_ledger(&self) -> bool;

    /// Reads one record that is strict JSON.
    fn record<S: Sink>(&self, slots: &Slots<'_>, raw: Raw<'_>, scratch: &mut Scratch, out: &mut S);
}

/// Words for what has no line end and cannot be used.
pub const CUT: &str = "cut off (still being written?)";

/// Reads one line or value: sorts out what is no record, and has the rest read by its format.
#[inline]
pub fn json_record<'r, F: Format, S: Sink>(
    format: &F,
    reader: &mut Reader,
    slots: &mut Slots<'r>,
    raw: Raw<'r>,
    scratch: &mut Scratch,
    out: &mut S,
) {
    let first = raw.bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if first != Some(&b'{') {
        out.skipped_line(raw.at, rule::NOISE, raw.bytes);
        return;
    }
    if !raw.ended && format.is_ledger() {
        refuse(out, raw, true, CUT.to_owned());
        return;
    }
    match reader.read(raw.bytes, slots) {
        Ok(()) => format.record(slots, raw, scratch, out),
        Err(_) if !raw.ended => refuse(out, raw, format.is_ledger(), CUT.to_owned()),
        Err(why) => refuse(out, raw, format.is_ledger(), why.to_string()),
    }
}

/// Reports a record that begins like one and cannot be read.
pub fn refuse<S: Sink>(out: &mut S, raw: Raw<'_>, ledger: bool, what: String) {
    let code = if ledger { code::UNREADABLE_ROW } else { code::UNREADABLE_LINE };
    let bytes = raw.bytes.len() as u64;
    out.problem(raw.at, ProblemEvent { code, what, bytes, affects_result: true });
}

/// A name of a record that is not unique (`7-commands.md` 7.5.8), by field; `None` where all is well.
pub fn doubled(slots: &Slots<'_>, table: &[super::names::FieldNames]) -> Option<&'static str> {
    table.iter().enumerate().find(|(slot, _)| slots.is_doubled(*slot)).map(|(_, line)| line.field)
}

/// The sentence for such a record.
pub fn doubled_words(field: &str) -> String {
    format!("two names in it could be the {field}: say which one in the mapping")
}
