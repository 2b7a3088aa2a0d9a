//! Reading the traces of other systems: records of one source, in order, to the reader of its format.

use std::sync::atomic::AtomicBool;

use super::feed::Feed;
use super::read::{Finished, ReadFailure};
use crate::model::row::{At, SourceNo};
use crate::sources::event::{
    AttemptEvent, EffectEvent, ProblemEvent, ReadBackEvent, RecordEvent, RunEvent, Sink, StateEvent,
};
use crate::sources::frame::Bytes;
use crate::sources::json::Parser;
use crate::sources::sniff::Framing;
use crate::sources::trace::calls::{Calls, Desk, Record, TraceReader};
use crate::sources::trace::generic::Generic;
use crate::sources::trace::table::{Setup, TraceFormat};

/// So many calls of the beginning show which names there are.
const SAMPLE: usize = 64;

/// A trace of another system, ready to be read.
#[derive(Debug)]
pub(super) struct Recorded {
    pub(super) format: &'static TraceFormat,
    pub(super) setup: Setup,
    /// Reads the calls that were put together.
    pub(super) form: Generic,
    /// So many threads may read.
    pub(super) threads: usize,
}

impl Recorded {
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
        let Some(reader) = self.format.reader.map(|make| make(&self.setup)) else {
            return Ok(Finished::default());
        };
        let desk = Desk::new(source, &self.form, parser);
        let mut feed = Feed::new(self.format.cut, source, Take { form: Some(&self.form), desk, reader });
        feed.threads = self.threads;
        let mut finished =
            Finished { incomplete: feed.all(bytes, framing, cancel, out)?, ..Finished::default() };
        feed.take.end(bytes.len(), out);
        finished.records = feed.records;
        Ok(finished)
    }

    /// A record alone, as the call that is put together from it; `None` where it holds none.
    pub(super) fn written(&self, record: &[u8], place: u64) -> Option<String> {
        let reader = self.format.reader?(&self.setup);
        let take = Take { form: None, desk: Desk::capture(), reader };
        let mut feed = Feed::new(self.format.cut, SourceNo(0), take);
        feed.line(record, place, true, &mut Nothing);
        feed.take.end(place, &mut Nothing);
        feed.take.desk.captured().into_iter().next()
    }
}

/// The calls at the beginning of a source, as they are put together.
pub(super) fn sample(
    format: &'static TraceFormat,
    setup: &Setup,
    head: &[u8],
    framing: Framing,
) -> Vec<String> {
    let Some(make) = format.reader else { return Vec::new() };
    let take = Take { form: None, desk: Desk::capture(), reader: make(setup) };
    let mut feed = Feed::new(format.cut, SourceNo(0), take);
    if framing == Framing::Json {
        // A value that the beginning cuts off is none.
        let _ = feed.values(head, &AtomicBool::new(false), &mut Nothing);
    } else {
        let mut at = 0;
        for line in head.split_inclusive(|byte| *byte == b'\n') {
            // A line that the beginning cuts off is none, unless there is no other.
            if !line.ends_with(b"\n") && at > 0 {
                break;
            }
            feed.line(line.trim_ascii_end(), at, true, &mut Nothing);
            at += line.len() as u64;
            if feed.take.desk.count() >= SAMPLE {
                break;
            }
        }
    }
    feed.take.end(head.len() as u64, &mut Nothing);
    let mut calls = feed.take.desk.captured();
    calls.truncate(SAMPLE);
    calls
}

/// Whether the beginning of a source holds calls of this format.
pub(in crate::sources) fn holds_calls(format: &'static TraceFormat, head: &[u8], framing: Framing) -> bool {
    !sample(format, &Setup::default(), head, framing).is_empty()
}

/// Hands records to the reader of a trace.
struct Take<'f> {
    form: Option<&'f Generic>,
    desk: Desk,
    reader: Box<dyn TraceReader>,
}

impl super::feed::Take for Take<'_> {
    const LEDGER: bool = false;

    fn record(&mut self, record: &Record<'_>, out: &mut dyn Sink) {
        let mut calls = Calls::new(&mut self.desk, self.form, record, out);
        self.reader.record(record, &mut calls);
    }
}

impl Take<'_> {
    fn end(&mut self, at: u64, out: &mut dyn Sink) {
        let mut calls = Calls::behind(&mut self.desk, self.form, at, out);
        self.reader.end(&mut calls);
        calls.close_all();
    }
}

/// A sink for looking only.
pub(super) struct Nothing;

impl Sink for Nothing {
    fn run(&mut self, _: At, _: &RunEvent<'_>) {}
    fn attempt(&mut self, _: At, _: &AttemptEvent<'_>) {}
    fn record(&mut self, _: At, _: &RecordEvent<'_>) {}
    fn state(&mut self, _: At, _: &StateEvent<'_>) {}
    fn read_back(&mut self, _: At, _: &ReadBackEvent<'_>) {}
    fn effect(&mut self, _: At, _: &EffectEvent<'_>) {}
    fn problem(&mut self, _: At, _: ProblemEvent) {}
    fn skipped(&mut self, _: SourceNo, _: &'static str) {}
}
