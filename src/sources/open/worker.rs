//! Reading parts of one source: one worker for each thread.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::{Body, JsonFormat, Opened, TableFormat};
use crate::model::row::{At, SourceNo};
use crate::sources::csv::{Open, Table};
use crate::sources::event::{Sink, rule};
use crate::sources::format::{Format, Raw, Rows, Scratch, json_record, refuse};
use crate::sources::frame::{self, Bytes, Lines, ReadError, Tally};
use crate::sources::json::{Parser, Reader, Slots};
use crate::sources::sniff::Framing;
use crate::sources::spec::What;

impl Opened {
    /// A reader of parts. `None` for what is only read whole.
    pub fn worker(&self, source: SourceNo) -> Option<Worker<'_>> {
        let tools = match &self.body {
            Body::Json { format, .. } if self.framing == Framing::JsonLines => format.tools(self.parser),
            Body::Table { format, .. } => Tools { reader: None, scratch: format.scratch(self.parser) },
            _ => return None,
        };
        Some(Worker { opened: self, source, tools, open: Open::default(), buffer: Vec::new() })
    }
}

/// What a worker has of its format.
#[derive(Debug)]
pub(super) struct Tools {
    pub(super) reader: Option<Reader>,
    pub(super) scratch: Scratch,
}

impl JsonFormat {
    pub(super) fn tools(&self, parser: Parser) -> Tools {
        fn of<F: Format>(format: &F, parser: Parser) -> Tools {
            Tools {
                reader: Some(Reader::new(format.want().clone(), parser)),
                scratch: format.scratch(parser),
            }
        }
        match self {
            Self::Native(format) => of(&**format, parser),
            Self::Experiment(format) => of(&**format, parser),
            Self::Generic(format) => of(&**format, parser),
            Self::Ledger(format) => of(&**format, parser),
            Self::Records(format) => of(&**format, parser),
        }
    }

    pub(super) fn record<'r, S: Sink>(
        &self,
        reader: &mut Reader,
        slots: &mut Slots<'r>,
        raw: Raw<'r>,
        scratch: &mut Scratch,
        out: &mut S,
    ) {
        match self {
            Self::Native(format) => json_record(&**format, reader, slots, raw, scratch, out),
            Self::Experiment(format) => json_record(&**format, reader, slots, raw, scratch, out),
            Self::Generic(format) => json_record(&**format, reader, slots, raw, scratch, out),
            Self::Ledger(format) => json_record(&**format, reader, slots, raw, scratch, out),
            Self::Records(format) => json_record(&**format, reader, slots, raw, scratch, out),
        }
    }
}

impl TableFormat {
    fn scratch(&self, parser: Parser) -> Scratch {
        match self {
            Self::Trace(format) => format.readers(parser),
            Self::Ledger(_) | Self::Records(_) => Scratch::default(),
        }
    }
}

/// Reads parts of one source. Parts that touch give each record once, whoever reads them.
#[derive(Debug)]
pub struct Worker<'o> {
    opened: &'o Opened,
    source: SourceNo,
    tools: Tools,
    open: Open,
    buffer: Vec<u8>,
}

impl Worker<'_> {
    /// Reads the records whose first byte lies in `part`. Where [`Opened::splits`] says no, the parts of a source must
    /// go to one worker, in order.
    ///
    /// # Errors
    /// When the file cannot be read on.
    pub fn part<S: Sink>(
        &mut self,
        part: Range<u64>,
        cancel: &AtomicBool,
        out: &mut S,
    ) -> Result<Tally, ReadError> {
        let tally = match &self.opened.body {
            Body::Json { bytes, format, .. } => match format {
                JsonFormat::Native(format) => self.json(&**format, bytes, part, cancel, out),
                JsonFormat::Experiment(format) => self.json(&**format, bytes, part, cancel, out),
                JsonFormat::Generic(format) => self.json(&**format, bytes, part, cancel, out),
                JsonFormat::Ledger(format) => self.json(&**format, bytes, part, cancel, out),
                JsonFormat::Records(format) => self.json(&**format, bytes, part, cancel, out),
            },
            Body::Table { bytes, format, .. } => match format {
                TableFormat::Trace(format) => self.table(&**format, bytes, part, cancel, out),
                TableFormat::Ledger(format) => self.table(&**format, bytes, part, cancel, out),
                TableFormat::Records(format) => self.table(&**format, bytes, part, cancel, out),
            },
            Body::Effects { .. }
            | Body::Calls { .. }
            | Body::Export { .. }
            | Body::Database { .. }
            | Body::Server { .. } => Ok(Tally::default()),
        }?;
        for _ in 0..tally.blank {
            out.skipped(self.source, rule::BLANK);
        }
        let ledger = self.opened.spec.what == What::Ledger;
        for at in &tally.too_long {
            let raw = Raw { bytes: &[], at: At::new(self.source, *at), ended: true };
            refuse(out, raw, ledger, format!("the record is longer than {} MiB", frame::LONGEST >> 20));
        }
        Ok(tally)
    }

    /// Ends the reading: what is still open (a quote in CSV) is settled. Gives the number of records among it.
    pub fn finish<S: Sink>(&mut self, out: &mut S) -> u64 {
        match &self.opened.body {
            Body::Table { format: TableFormat::Trace(format), .. } => self.settle(&**format, out),
            Body::Table { format: TableFormat::Ledger(format), .. } => self.settle(&**format, out),
            Body::Table { format: TableFormat::Records(format), .. } => self.settle(&**format, out),
            _ => {}
        }
        std::mem::take(&mut self.tools.scratch.records)
    }

    fn json<F: Format, S: Sink>(
        &mut self,
        format: &F,
        bytes: &Bytes,
        part: Range<u64>,
        cancel: &AtomicBool,
        out: &mut S,
    ) -> Result<Tally, ReadError> {
        let (source, Tools { reader, scratch }) = (self.source, &mut self.tools);
        let Some(reader) = reader.as_mut() else {
            return Ok(Tally::default());
        };
        let mut lines = Lines::with_buffer(bytes, cancel, std::mem::take(&mut self.buffer));
        let tally = lines.chunks(part, |records| {
            let mut slots = Slots::new();
            for line in records.by_ref() {
                let raw = Raw { bytes: line.bytes, at: At::new(source, line.offset), ended: line.ended };
                json_record(format, reader, &mut slots, raw, scratch, out);
            }
        });
        self.buffer = lines.into_buffer();
        tally
    }

    fn table<F: Rows, S: Sink>(
        &mut self,
        format: &F,
        bytes: &Bytes,
        part: Range<u64>,
        cancel: &AtomicBool,
        out: &mut S,
    ) -> Result<Tally, ReadError> {
        let Some(table) = table_of(self.opened, self.source, format) else {
            return Ok(Tally::default());
        };
        let (open, scratch) = (&mut self.open, &mut self.tools.scratch);
        let mut lines = Lines::with_buffer(bytes, cancel, std::mem::take(&mut self.buffer));
        let tally = lines.chunks(part, |records| {
            let mut cells = Vec::with_capacity(table.dialect.header.len());
            for line in records.by_ref() {
                table.line(line, &mut cells, open, scratch, out);
            }
        });
        self.buffer = lines.into_buffer();
        // Lines are not records here: the header is none, and quotes may hold line ends.
        let records = std::mem::take(&mut scratch.records);
        tally.map(|tally| Tally { records, ..tally })
    }

    fn settle<F: Rows, S: Sink>(&mut self, format: &F, out: &mut S) {
        let Some(table) = table_of(self.opened, self.source, format) else {
            return;
        };
        // What is read again inside may leave a quote open once more.
        while !self.open.is_empty() {
            table.close(&mut self.open, &mut self.tools.scratch, out);
        }
    }
}

fn table_of<'t, F>(opened: &'t Opened, source: SourceNo, format: &'t F) -> Option<Table<'t, F>> {
    let Body::Table { dialect, columns, body, .. } = &opened.body else {
        return None;
    };
    let ledger = opened.spec.what == What::Ledger;
    Some(Table { format, dialect, columns: &columns.of, ledger, body: *body, source })
}
