//! Reading the ledgers of other systems: records of one source, in order, to the reader of its format.

use std::borrow::Cow;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;

use super::calls::Nothing;
use super::feed::{Feed, Take};
use super::read::{Finished, ReadFailure};
use crate::model::row::{At, SourceNo};
use crate::sources::csv::{Dialect, Open, Table, split};
use crate::sources::event::{Sink, rule};
use crate::sources::format::{CUT, Raw, Rows as TableRows, Scratch, refuse};
use crate::sources::frame::{Bytes, Lines, Record as TextLine};
use crate::sources::json::Parser;
use crate::sources::ledger::generic::LedgerRows;
use crate::sources::ledger::rows::{Desk, Header, LedgerReader, Line, Rows, Setup};
use crate::sources::ledger::table::{LedgerFormat, Shape};
use crate::sources::row::Row;
use crate::sources::sniff::Framing;
use crate::sources::trace::calls::Record;
use crate::sources::trace::table::Cut;

/// A ledger of another system, ready to be read.
#[derive(Debug)]
pub(super) struct Exported {
    pub(super) format: &'static LedgerFormat,
    pub(super) setup: Setup,
    /// Reads the rows that were put together.
    pub(super) form: LedgerRows,
    /// Of a table.
    pub(super) dialect: Dialect,
    /// Where the header of a table ends.
    pub(super) body: u64,
}

impl Exported {
    /// Reads everything, in order.
    pub(super) fn read(
        &self,
        bytes: &Bytes,
        framing: Framing,
        source: SourceNo,
        parser: Parser,
        cancel: &AtomicBool,
        out: &mut dyn Sink,
    ) -> Result<Finished, ReadFailure> {
        let taker = Taker {
            format: self.format,
            source,
            form: Some(&self.form),
            desk: Desk::new(source, &self.form, parser, &self.setup.asked),
            reader: (self.format.reader)(&self.setup),
        };
        let end = bytes.len();
        match self.format.shape {
            Shape::Json(lists) => {
                let mut feed = Feed::new(Cut::Json(lists), source, taker);
                let incomplete = feed.all(bytes, framing, cancel, out)?;
                let said = feed.take.end(end, out);
                let more = feed.has_more == Some(true);
                let more = more.then(|| "the listing is incomplete: has_more is true".to_owned());
                let incomplete = incomplete.or(said).or(more);
                Ok(Finished { records: feed.records, incomplete, database: None, server: None })
            }
            Shape::Table => self.table(bytes, taker, cancel, out),
            Shape::Cells | Shape::Text => {
                let mut taker = taker;
                let tally = Lines::new(bytes, cancel).chunks(0..end, |lines| {
                    for line in lines.by_ref() {
                        taker.line(line, out);
                    }
                })?;
                if tally.cancelled {
                    return Err(ReadFailure::Cancelled);
                }
                for _ in 0..tally.blank {
                    out.skipped(source, rule::BLANK);
                }
                let incomplete = taker.end(end, out);
                Ok(Finished { records: taker.desk.told(), incomplete, database: None, server: None })
            }
        }
    }

    /// A header line and rows.
    fn table(
        &self,
        bytes: &Bytes,
        taker: Taker<'_>,
        cancel: &AtomicBool,
        out: &mut dyn Sink,
    ) -> Result<Finished, ReadFailure> {
        let source = taker.source;
        let cells = OneByOne { header: &self.setup.header, taker: Mutex::new(taker) };
        // Every column stands under its own number.
        let columns: Vec<Option<usize>> = (0..self.dialect.header.len()).map(Some).collect();
        let table = Table {
            format: &cells,
            dialect: &self.dialect,
            columns: &columns,
            ledger: true,
            body: self.body,
            source,
        };
        let (mut open, mut scratch) = (Open::default(), Scratch::default());
        let mut sink = &mut *out;
        let tally = Lines::new(bytes, cancel).chunks(0..bytes.len(), |records| {
            let mut held = Vec::with_capacity(columns.len());
            for line in records.by_ref() {
                table.line(line, &mut held, &mut open, &mut scratch, &mut sink);
            }
        })?;
        if tally.cancelled {
            return Err(ReadFailure::Cancelled);
        }
        while !open.is_empty() {
            table.close(&mut open, &mut scratch, &mut sink);
        }
        for _ in 0..tally.blank {
            out.skipped(source, rule::BLANK);
        }
        let mut taker = cells.taker.into_inner().unwrap_or_else(PoisonError::into_inner);
        let incomplete = taker.end(bytes.len(), out);
        Ok(Finished { records: scratch.records, incomplete, database: None, server: None })
    }

    /// A record alone, as the row that is put together from it; `None` where it holds none.
    pub(super) fn written(&self, record: &[u8], place: u64) -> Option<String> {
        let mut taker = self.looking();
        match self.format.shape {
            Shape::Json(lists) => {
                let mut feed = Feed::new(Cut::Json(lists), SourceNo(0), taker);
                feed.line(record, place, true, &mut Nothing);
                feed.take.end(place, &mut Nothing);
                return feed.take.desk.captured().into_iter().next();
            }
            Shape::Table => {
                let text = std::str::from_utf8(record).ok()?;
                let mut cells = Vec::new();
                split(text, self.dialect.separator, &mut cells);
                let raw = Raw { bytes: record, at: At::new(SourceNo(0), place), ended: true };
                taker.cells(&self.setup.header, &cells, raw, &mut Nothing);
            }
            Shape::Cells | Shape::Text => {
                taker.line(TextLine { bytes: record, offset: place, ended: true }, &mut Nothing);
            }
        }
        taker.end(place, &mut Nothing);
        taker.desk.captured().into_iter().next()
    }

    fn looking(&self) -> Taker<'_> {
        Taker {
            format: self.format,
            source: SourceNo(0),
            form: None,
            desk: Desk::capture(&self.setup.asked),
            reader: (self.format.reader)(&self.setup),
        }
    }
}

/// The rows at the beginning of a source of lines, as they are put together.
pub(super) fn sample(format: &'static LedgerFormat, setup: &Setup, head: &[u8]) -> Vec<String> {
    let mut taker = Taker {
        format,
        source: SourceNo(0),
        form: None,
        desk: Desk::capture(&setup.asked),
        reader: (format.reader)(setup),
    };
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let mut at = (head.len() - text.len()) as u64;
    for line in text.split_inclusive(|byte| *byte == b'\n').take(64) {
        let bytes = line.strip_suffix(b"\n").unwrap_or(line);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        if !bytes.is_empty() {
            taker.line(TextLine { bytes, offset: at, ended: true }, &mut Nothing);
        }
        at += line.len() as u64;
    }
    taker.end(at, &mut Nothing);
    taker.desk.captured()
}

/// Hands records to the reader of a ledger.
struct Taker<'f> {
    format: &'static LedgerFormat,
    source: SourceNo,
    form: Option<&'f LedgerRows>,
    desk: Desk,
    reader: Box<dyn LedgerReader>,
}

impl Take for Taker<'_> {
    const LEDGER: bool = true;

    fn record(&mut self, record: &Record<'_>, out: &mut dyn Sink) {
        let raw = Raw { bytes: record.bytes, at: At::new(self.source, record.at), ended: record.ended };
        let mut rows = Rows::new(&mut self.desk, self.form, raw, out);
        self.reader.record(record.node, &mut rows);
    }
}

impl Taker<'_> {
    /// A row of cells.
    fn cells(&mut self, header: &Header, cells: &[Cow<'_, str>], raw: Raw<'_>, out: &mut dyn Sink) {
        let mut rows = Rows::new(&mut self.desk, self.form, raw, out);
        self.reader.line(&Line { header, cells }, &mut rows);
    }

    /// A line of text, or of cells without a header.
    fn line(&mut self, line: TextLine<'_>, out: &mut dyn Sink) {
        let raw = Raw { bytes: line.bytes, at: At::new(self.source, line.offset), ended: line.ended };
        let Ok(text) = std::str::from_utf8(line.bytes) else {
            return refuse(&mut &mut *out, raw, true, "the line is not UTF-8".to_owned());
        };
        if !line.ended {
            return refuse(&mut &mut *out, raw, true, CUT.to_owned());
        }
        let mut cells = vec![Cow::Borrowed(text)];
        if self.format.shape == Shape::Cells {
            split(text, b',', &mut cells);
        }
        self.cells(&Header::default(), &cells, raw, out);
    }

    /// The end of the source: why the listing is not complete.
    fn end(&mut self, at: u64, out: &mut dyn Sink) -> Option<String> {
        let raw = Raw { bytes: &[], at: At::new(self.source, at), ended: true };
        self.reader.end(&mut Rows::new(&mut self.desk, self.form, raw, out))
    }
}

/// Rows of a table, which come to one reader in their order.
struct OneByOne<'f> {
    header: &'f Header,
    taker: Mutex<Taker<'f>>,
}

impl TableRows for OneByOne<'_> {
    fn row<R: Row, S: Sink>(&self, row: &R, raw: Raw<'_>, _: &mut Scratch, out: &mut S) {
        let count = self.header.names().len();
        let cells: Vec<Cow<'_, str>> = (0..count).map(|at| row.text(at).unwrap_or_default()).collect();
        let mut taker = self.taker.lock().unwrap_or_else(PoisonError::into_inner);
        taker.cells(self.header, &cells, raw, out);
    }
}
