//! Rows of CSV text: cells by commas (or semicolons, tabs, bars), quotes as RFC 4180 has them.
//!
//! Our own splitter and not a general reader, for three reasons: a line without quotes is cut without copying, a file
//! without quotes can be read in parts by several workers, and a quote that is never closed costs one line and not the
//! rest of the file.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter};

use super::event::{Sink, rule};
use super::format::{CUT, Raw, Rows, Scratch, refuse};
use super::frame::Record;
use super::row::Cells;
use crate::model::row::{At, SourceNo};

/// A record with a quote that stays open may be so long; then its first line is the faulty one.
const LONGEST_QUOTED: usize = 64 << 10;

/// Separators in the order in which they are tried.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// How a table is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect {
    /// Between cells.
    pub separator: u8,
    /// The header's names.
    pub header: Vec<String>,
}

impl Dialect {
    /// Reads the header line; the separator is the one that cuts it into most cells.
    pub fn of(header: &str) -> Dialect {
        let mut best = Dialect { separator: b',', header: Vec::new() };
        for separator in SEPARATORS {
            let mut cells = Vec::new();
            split(header, separator, &mut cells);
            if cells.len() > best.header.len() {
                let header = cells.iter().map(|cell| cell.trim().to_owned()).collect();
                best = Dialect { separator, header };
            }
        }
        best
    }
}

/// Cuts one record into cells. Lenient about quotes in the middle of a cell, as everybody is.
pub fn split<'l>(line: &'l str, separator: u8, cells: &mut Vec<Cow<'l, str>>) {
    cells.clear();
    if memchr(b'"', line.as_bytes()).is_none() {
        let mut rest = line;
        for at in memchr_iter(separator, line.as_bytes()) {
            let from = line.len() - rest.len();
            // A separator is one ASCII byte, so both parts are whole texts.
            let Some((cell, after)) = rest.split_at_checked(at - from) else {
                return;
            };
            cells.push(Cow::Borrowed(cell));
            rest = after.get(1..).unwrap_or_default();
        }
        cells.push(Cow::Borrowed(rest));
        return;
    }
    let mut rest = Some(line);
    while let Some(text) = rest {
        rest = if let Some(quoted) = text.strip_prefix('"') {
            let (cell, after) = unquoted(quoted, separator);
            cells.push(cell);
            after
        } else {
            let (cell, after) = cut(text, separator);
            cells.push(Cow::Borrowed(cell));
            after
        };
    }
}

/// Up to the next separator; what is behind it, where there is one.
fn cut(text: &str, separator: u8) -> (&str, Option<&str>) {
    match text.split_once(char::from(separator)) {
        Some((cell, after)) => (cell, Some(after)),
        None => (text, None),
    }
}

/// A cell whose opening quote is passed.
fn unquoted(text: &str, separator: u8) -> (Cow<'_, str>, Option<&str>) {
    let Some((inside, mut after)) = text.split_once('"') else {
        return (Cow::Borrowed(text), None);
    };
    let mut cell = Cow::Borrowed(inside);
    // A doubled quote is one quote of the text.
    while let Some(more) = after.strip_prefix('"') {
        let (part, rest) = more.split_once('"').unwrap_or((more, ""));
        let text = cell.to_mut();
        text.push('"');
        text.push_str(part);
        after = rest;
    }
    // What stands between the closing quote and the separator belongs to the cell.
    let (tail, rest) = cut(after, separator);
    if !tail.is_empty() {
        cell.to_mut().push_str(tail);
    }
    (cell, rest)
}

/// Whether a quote is open at the end of a line that begins outside of quotes.
fn leaves_open(line: &[u8]) -> bool {
    memchr_iter(b'"', line).count() % 2 == 1
}

/// Quotes stand only where RFC 4180 has them: what is outside of them begins and ends with a separator, or is nothing
/// where a quote is doubled.
fn is_strict(text: &str, separator: u8) -> bool {
    let separator = char::from(separator);
    let last = text.matches('"').count();
    text.split('"').enumerate().step_by(2).all(|(number, outside)| {
        let begins = number == 0 || outside.is_empty() || outside.starts_with(separator);
        let ends = number == last || outside.is_empty() || outside.ends_with(separator);
        begins && ends
    })
}

/// What reads the rows of a table.
#[derive(Debug)]
pub struct Table<'t, F> {
    /// The format of its rows.
    pub format: &'t F,
    /// Separator and header.
    pub dialect: &'t Dialect,
    /// Column of each slot.
    pub columns: &'t [Option<usize>],
    /// A ledger: a record that is cut off is refused.
    pub ledger: bool,
    /// Where the header ends: lines before this are not rows.
    pub body: u64,
    /// The source that is read.
    pub source: SourceNo,
}

/// Lines that belong to one record whose quote is open.
#[derive(Debug, Default)]
pub struct Open {
    offset: u64,
    text: Vec<u8>,
    lines: Vec<(u64, usize)>,
    ended: bool,
}

impl Open {
    /// No quote is open.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

impl<F: Rows> Table<'_, F> {
    /// Takes the next line.
    pub fn line<'c, S: Sink>(
        &self,
        line: Record<'c>,
        cells: &mut Vec<Cow<'c, str>>,
        open: &mut Open,
        scratch: &mut Scratch,
        out: &mut S,
    ) {
        if line.offset < self.body {
            return;
        }
        if open.lines.is_empty() && !leaves_open(line.bytes) {
            self.record(line, cells, scratch, out);
            return;
        }
        if open.lines.is_empty() {
            open.offset = line.offset;
        } else {
            open.text.push(b'\n');
        }
        open.lines.push((line.offset, line.bytes.len()));
        open.text.extend_from_slice(line.bytes);
        open.ended = line.ended;
        let closed = open.lines.len() > 1 && leaves_open(line.bytes);
        if closed || open.text.len() > LONGEST_QUOTED {
            self.close(open, scratch, out);
        }
    }

    /// The end of the file, or of a record with line ends in it.
    pub fn close<S: Sink>(&self, open: &mut Open, scratch: &mut Scratch, out: &mut S) {
        let Open { offset, text, lines, ended } = std::mem::take(open);
        if lines.is_empty() {
            return;
        }
        let whole = Record { bytes: &text, offset, ended };
        let mut cells = Vec::new();
        if !leaves_open(&text) && self.fits(&text) {
            self.record(whole, &mut cells, scratch, out);
            return;
        }
        // The quote is a mistake: its line is one bad record, those behind it are read by themselves.
        let mut at = 0;
        let mut inner = Open::default();
        for (number, (offset, length)) in lines.iter().enumerate() {
            let bytes = text.get(at..at + length).unwrap_or_default();
            at += length + 1;
            let last = number + 1 == lines.len();
            let record = Record { bytes, offset: *offset, ended: ended || !last };
            if number == 0 {
                let raw = Raw { bytes, at: At::new(self.source, *offset), ended: record.ended };
                let what = if record.ended { "a quote in it is not closed" } else { CUT };
                scratch.records += 1;
                refuse(out, raw, self.ledger, what.to_owned());
                continue;
            }
            let mut cells = Vec::new();
            self.line(record, &mut cells, &mut inner, scratch, out);
        }
        *open = inner;
    }

    /// Whether lines that a quote holds together are one row: as many cells as the header has, and quotes only where
    /// cells begin and end. Else the quotes are mistakes of two rows, and everything between would be lost.
    fn fits(&self, text: &[u8]) -> bool {
        let mut cells = Vec::new();
        std::str::from_utf8(text).is_ok_and(|text| {
            split(text, self.dialect.separator, &mut cells);
            cells.len() == self.dialect.header.len() && is_strict(text, self.dialect.separator)
        })
    }

    /// Files that were put together have their header again.
    #[inline]
    fn is_header(&self, cells: &[Cow<'_, str>]) -> bool {
        let names = &self.dialect.header;
        let bare =
            |cell: &Cow<'_, str>, name: &String| cell.trim_start_matches('\u{feff}').trim() == name.as_str();
        // Few rows begin with the name of their column.
        names.len() > 1
            && cells.first().zip(names.first()).is_some_and(|(cell, name)| bare(cell, name))
            && cells.iter().zip(names).all(|(cell, name)| bare(cell, name))
    }

    /// One whole record.
    #[inline]
    fn record<'c, S: Sink>(
        &self,
        line: Record<'c>,
        cells: &mut Vec<Cow<'c, str>>,
        scratch: &mut Scratch,
        out: &mut S,
    ) {
        let raw = Raw { bytes: line.bytes, at: At::new(self.source, line.offset), ended: line.ended };
        scratch.records += 1;
        let Some(text) = std::str::from_utf8(line.bytes).ok() else {
            return refuse(
                out,
                raw,
                self.ledger,
                super::json::Why::NotUtf8 { at: valid_up_to(line.bytes) }.to_string(),
            );
        };
        if !line.ended && self.ledger {
            return refuse(out, raw, true, CUT.to_owned());
        }
        split(text, self.dialect.separator, cells);
        let (there, wanted) = (cells.len(), self.dialect.header.len());
        if there != wanted {
            let what = match (line.ended, there < wanted) {
                (false, true) => CUT.to_owned(),
                (_, true) => format!("too few columns: {there} of {wanted}"),
                (_, false) => format!("too many columns: {there} for {wanted}"),
            };
            return refuse(out, raw, self.ledger, what);
        }
        if cells.iter().all(|cell| cell.is_empty()) {
            return out.skipped(self.source, rule::BLANK);
        }
        if self.is_header(cells) {
            return out.skipped(self.source, rule::HEADER);
        }
        let row = Cells { columns: self.columns, cells: cells.as_slice() };
        self.format.row(&row, raw, scratch, out);
    }
}

fn valid_up_to(bytes: &[u8]) -> usize {
    std::str::from_utf8(bytes).err().map_or(0, |error| error.valid_up_to())
}

#[cfg(test)]
mod tests;
