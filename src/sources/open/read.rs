//! Reading an opened source: whole, or in parts by several workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use super::{Body, JsonFormat, Opened, TableFormat};
use crate::model::row::{At, SourceNo};
use crate::sources::envelope::Timed;
use crate::sources::event::{ProblemEvent, Sink, code};
use crate::sources::format::{Raw, refuse};
use crate::sources::frame::{self, Bytes, Flaw, ReadError, whole};
use crate::sources::json::{Parser, Reader, Slots, Want};
use crate::sources::ledger::server::{ServerError, ServerFacts};
use crate::sources::ledger::sqlite::SqliteError;
use crate::sources::ledger::sqlite::read::DbFacts;
use crate::sources::sniff::Framing;
use crate::sources::spec::What;

/// Why a source could not be read to its end. What was read before that is with the sink.
#[derive(Debug, Error)]
pub enum ReadFailure {
    /// The file cannot be read on.
    #[error(transparent)]
    Bytes(#[from] ReadError),
    /// The database cannot be read.
    #[error(transparent)]
    Sqlite(#[from] SqliteError),
    /// The server cannot be read.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The cancel flag ended it.
    #[error("the reading was cancelled")]
    Cancelled,
}

/// What is known after a source was read to its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Finished {
    /// Records that were handed to the format, blank lines not among them.
    pub records: u64,
    /// Why the listing is not complete (C3): the format says so, or its own totals differ.
    pub incomplete: Option<String>,
    /// Facts of a database.
    pub database: Option<DbFacts>,
    /// Facts of a database server.
    pub server: Option<ServerFacts>,
}

impl Opened {
    /// Bytes to read in parts; 0 for a database.
    pub fn len(&self) -> u64 {
        self.bytes().map_or(0, Bytes::len)
    }

    /// Whether there is nothing to read in parts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of a file, for its digest.
    pub fn bytes(&self) -> Option<&Bytes> {
        match &self.body {
            Body::Json { bytes, .. }
            | Body::Table { bytes, .. }
            | Body::Effects { bytes, .. }
            | Body::Calls { bytes, .. }
            | Body::Export { bytes, .. } => Some(bytes),
            Body::Database { .. } | Body::Server { .. } => None,
        }
    }

    /// Whether several workers may read parts of it: JSON lines, and CSV without a quote in it (a line end inside
    /// quotes makes borders ambiguous).
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn splits(&self) -> Result<bool, ReadError> {
        match &self.body {
            // The times of an envelope are looked up as the lines come.
            _ if self.unwrapped.is_some() => Ok(false),
            Body::Json { .. } => Ok(self.framing == Framing::JsonLines),
            Body::Table { bytes, .. } => Ok(!has_quote(bytes)?),
            Body::Effects { .. }
            | Body::Calls { .. }
            | Body::Export { .. }
            | Body::Database { .. }
            | Body::Server { .. } => Ok(false),
        }
    }

    /// Reads everything, in order.
    ///
    /// # Errors
    /// When the source cannot be read to its end, or the cancel flag was set.
    pub fn read_all<S: Sink>(
        &self,
        source: SourceNo,
        cancel: &Arc<AtomicBool>,
        out: &mut S,
    ) -> Result<Finished, ReadFailure> {
        let mut finished = match &self.unwrapped {
            Some(lines) if lines.has_times() => self.read_body(source, cancel, &mut Timed { lines, out })?,
            _ => self.read_body(source, cancel, out)?,
        };
        self.after(source, &mut finished, out);
        Ok(finished)
    }

    fn read_body<S: Sink>(
        &self,
        source: SourceNo,
        cancel: &Arc<AtomicBool>,
        out: &mut S,
    ) -> Result<Finished, ReadFailure> {
        Ok(match &self.body {
            Body::Json { bytes, format, list } if self.framing != Framing::JsonLines => {
                let whole = whole(bytes)?;
                self.values(&whole, format, list.as_deref(), source, cancel, out)?
            }
            Body::Json { bytes, .. } | Body::Table { bytes, .. } => {
                let len = bytes.len();
                let mut finished = Finished::default();
                if let Some(mut worker) = self.worker(source) {
                    let tally = worker.part(0..len, cancel, out)?;
                    finished.records = tally.records + worker.finish(out);
                    if tally.cancelled {
                        return Err(ReadFailure::Cancelled);
                    }
                }
                finished
            }
            Body::Calls { bytes, recorded } => {
                recorded.read(bytes, self.framing, source, self.parser, cancel, out)?
            }
            Body::Export { bytes, exported } => {
                exported.read(bytes, self.framing, source, self.parser, cancel, out)?
            }
            Body::Effects { bytes, effects } => {
                let whole = whole(bytes)?;
                let text = whole.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&whole);
                let raw =
                    Raw { bytes: text, at: At::new(source, (whole.len() - text.len()) as u64), ended: true };
                Finished {
                    records: 1,
                    incomplete: effects.read(raw, self.parser, out),
                    ..Finished::default()
                }
            }
            Body::Database { database, selected, format } => {
                let ledger = self.spec.what == What::Ledger;
                let facts = match format {
                    TableFormat::Trace(rows) => {
                        selected.read_all(database, &**rows, source, ledger, cancel, out)?
                    }
                    TableFormat::Ledger(rows) => {
                        selected.read_all(database, &**rows, source, ledger, cancel, out)?
                    }
                    TableFormat::Records(rows) => {
                        selected.read_all(database, &**rows, source, ledger, cancel, out)?
                    }
                };
                Finished { records: facts.rows, database: Some(facts), ..Finished::default() }
            }
            Body::Server { ledger, format } => {
                let facts = match format {
                    TableFormat::Trace(rows) => ledger.read_all(&**rows, source, cancel, out)?,
                    TableFormat::Ledger(rows) => ledger.read_all(&**rows, source, cancel, out)?,
                    TableFormat::Records(rows) => ledger.read_all(&**rows, source, cancel, out)?,
                };
                Finished {
                    records: facts.rows,
                    incomplete: facts.incomplete.clone(),
                    server: Some(facts),
                    ..Finished::default()
                }
            }
        })
    }

    /// What can only be said at the end: a packed file that breaks off, rows that a sidecar counts otherwise.
    /// [`Opened::read_all`] calls it; who reads in parts calls it once, with the records of all parts.
    pub fn after<S: Sink>(&self, source: SourceNo, finished: &mut Finished, out: &mut S) {
        let at = At::new(source, self.len());
        let ledger = self.spec.what == What::Ledger;
        if let Some(damage) = &self.damage {
            refuse(out, Raw { bytes: &[], at, ended: false }, ledger, damage.clone());
            finished.incomplete.get_or_insert_with(|| damage.clone());
        }
        let stated = self.sidecar.as_ref().and_then(|sidecar| sidecar.rows);
        if let Some(rows) = stated.filter(|rows| *rows != finished.records) {
            let what = format!("the sidecar states {rows} rows, there are {}", finished.records);
            let code = code::CONTROL_TOTAL_DIFFERS;
            out.problem(at, ProblemEvent { code, what: what.clone(), bytes: 0, affects_result: true });
            finished.incomplete.get_or_insert(what);
        }
        if finished.incomplete.is_none() {
            finished.incomplete.clone_from(&self.spec.options.incomplete);
        }
    }

    fn values<S: Sink>(
        &self,
        whole: &[u8],
        format: &JsonFormat,
        list: Option<&str>,
        source: SourceNo,
        cancel: &AtomicBool,
        out: &mut S,
    ) -> Result<Finished, ReadFailure> {
        let mut tools = format.tools(self.parser);
        let Some(reader) = tools.reader.as_mut() else {
            return Ok(Finished::default());
        };
        let lists: Vec<&str> = list.into_iter().collect();
        let mut slots = Slots::new();
        let mut finished = Finished::default();
        for value in frame::values(whole, &lists) {
            if finished.records.is_multiple_of(1024) && cancel.load(Ordering::Relaxed) {
                return Err(ReadFailure::Cancelled);
            }
            finished.records += 1;
            match value {
                Ok(value) => {
                    let raw = Raw { bytes: value.bytes, at: At::new(source, value.offset), ended: true };
                    format.record(reader, &mut slots, raw, &mut tools.scratch, out);
                }
                Err(broken) => {
                    let raw = Raw { bytes: &[], at: At::new(source, broken.offset), ended: true };
                    refuse(out, raw, self.spec.what == What::Ledger, broken.to_string());
                    if broken.flaw != Flaw::TooLong {
                        finished.incomplete = Some(broken.to_string());
                    }
                }
            }
        }
        if list.is_some() && has_more(whole, self.parser) {
            finished.incomplete = Some("the listing is incomplete: has_more is true".to_owned());
        }
        Ok(finished)
    }
}

/// Whether an envelope says that there are more pages (C3).
fn has_more(whole: &[u8], parser: Parser) -> bool {
    let whole = whole.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(whole);
    let Ok(want) = Want::exact(&[&["has_more"]]) else {
        return false;
    };
    let mut slots = Slots::new();
    Reader::new(want, parser).read(whole, &mut slots).is_ok() && slots.raw(0) == Some(b"true")
}

fn has_quote(bytes: &Bytes) -> Result<bool, ReadError> {
    let held = |chunk: &[u8]| memchr::memchr(b'"', chunk).is_some();
    match bytes {
        Bytes::Memory(all) => Ok(held(all)),
        Bytes::File { file, len } => {
            let mut buffer = vec![0; frame::CHUNK];
            let mut at = 0;
            while at < *len {
                let most = usize::try_from(*len - at).unwrap_or(frame::CHUNK).min(frame::CHUNK);
                let chunk = buffer.get_mut(..most).unwrap_or_default();
                std::os::unix::fs::FileExt::read_exact_at(file, chunk, at)
                    .map_err(|source| ReadError::Io { at, source })?;
                if held(chunk) {
                    return Ok(true);
                }
                at += most as u64;
            }
            Ok(false)
        }
    }
}
