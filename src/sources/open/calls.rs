//! Reading the traces of other systems: records of one source, in order, to the reader of its format.

use std::sync::atomic::{AtomicBool, Ordering};

use super::read::{Finished, ReadFailure};
use crate::model::row::{At, SourceNo};
use crate::sources::event::{
    AttemptEvent, EffectEvent, ProblemEvent, ReadBackEvent, RecordEvent, RunEvent, Sink, StateEvent, rule,
};
use crate::sources::format::{CUT, Raw, refuse};
use crate::sources::frame::{self, Broken, Bytes, Flaw, Lines, whole};
use crate::sources::json::{Node, Parser, Reader, Slots, Want};
use crate::sources::sniff::Framing;
use crate::sources::trace::calls::{Calls, Desk, Record, TraceReader};
use crate::sources::trace::generic::Generic;
use crate::sources::trace::table::{Cut, Setup, TraceFormat};

/// So many calls of the beginning show which names there are.
const SAMPLE: usize = 64;

/// A trace of another system, ready to be read.
#[derive(Debug)]
pub(super) struct Recorded {
    pub(super) format: &'static TraceFormat,
    pub(super) setup: Setup,
    /// Reads the calls that were put together.
    pub(super) form: Generic,
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
        let mut feed = Feed::new(self.format, source, Some(&self.form), desk, reader);
        let mut finished = Finished::default();
        if framing == Framing::Json {
            let whole = whole(bytes)?;
            finished.incomplete = feed.values(&whole, cancel, out)?;
        } else {
            let tally = Lines::new(bytes, cancel).chunks(0..bytes.len(), |lines| {
                for line in lines.by_ref() {
                    feed.line(line.bytes, line.offset, line.ended, out);
                }
            })?;
            if tally.cancelled {
                return Err(ReadFailure::Cancelled);
            }
            for _ in 0..tally.blank {
                out.skipped(source, rule::BLANK);
            }
            for at in &tally.too_long {
                let raw = Raw { bytes: &[], at: At::new(source, *at), ended: true };
                refuse(&mut &mut *out, raw, false, too_long());
            }
            feed.records += tally.too_long.len() as u64;
        }
        feed.end(bytes.len(), out);
        finished.records = feed.records;
        Ok(finished)
    }

    /// A record alone, as the call that is put together from it; `None` where it holds none.
    pub(super) fn written(&self, record: &[u8], place: u64) -> Option<String> {
        let mut feed =
            Feed::new(self.format, SourceNo(0), None, Desk::capture(), self.format.reader?(&self.setup));
        feed.line(record, place, true, &mut Nothing);
        feed.end(place, &mut Nothing);
        feed.desk.captured().into_iter().next()
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
    let mut feed = Feed::new(format, SourceNo(0), None, Desk::capture(), make(setup));
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
            if feed.desk.count() >= SAMPLE {
                break;
            }
        }
    }
    feed.end(head.len() as u64, &mut Nothing);
    let mut calls = feed.desk.captured();
    calls.truncate(SAMPLE);
    calls
}

/// Whether the beginning of a source holds calls of this format.
pub(in crate::sources) fn holds_calls(format: &'static TraceFormat, head: &[u8], framing: Framing) -> bool {
    !sample(format, &Setup::default(), head, framing).is_empty()
}

/// Hands records to a reader.
struct Feed<'f> {
    format: &'static TraceFormat,
    source: SourceNo,
    form: Option<&'f Generic>,
    desk: Desk,
    reader: Box<dyn TraceReader>,
    /// Whether a record is strict JSON.
    check: Reader,
    records: u64,
}

impl<'f> Feed<'f> {
    fn new(
        format: &'static TraceFormat,
        source: SourceNo,
        form: Option<&'f Generic>,
        desk: Desk,
        reader: Box<dyn TraceReader>,
    ) -> Self {
        let check = Reader::new(Want::default(), Parser::default());
        Self { format, source, form, desk, reader, check, records: 0 }
    }

    /// A line: JSON, or text where the format is one of text.
    fn line(&mut self, bytes: &[u8], at: u64, ended: bool, out: &mut dyn Sink) {
        let is_text = match self.format.cut {
            Cut::Lines => true,
            Cut::Either => !bytes.trim_ascii_start().starts_with(b"{"),
            Cut::Json(_) | Cut::Document(_) => false,
        };
        if is_text {
            let record = Record { node: Node::new(bytes, at), bytes, at, ended };
            return self.record(&record, out);
        }
        let lists = self.format.cut.lists();
        let begins = bytes.trim_ascii_start();
        let raw = Raw { bytes, at: At::new(self.source, at), ended };
        if !begins.starts_with(b"{") && !begins.starts_with(b"[") {
            self.records += 1;
            return out.skipped_line(raw.at, rule::NOISE, bytes);
        }
        if let Err(why) = self.check.read(bytes, &mut Slots::new()) {
            self.records += 1;
            let what = if ended { why.to_string() } else { CUT.to_owned() };
            return refuse(&mut &mut *out, raw, false, what);
        }
        let node = Node::new(bytes, at);
        let list = lists
            .iter()
            .find_map(|list| list.split('.').try_fold(node, Node::get).filter(|found| found.is_array()));
        match list.or(Some(node).filter(|node| node.is_array())) {
            None => self.record(&Record { node, bytes, at, ended }, out),
            Some(list) => {
                for node in list.items() {
                    let record = Record { node, bytes: node.raw(), at: node.at(), ended };
                    self.record(&record, out);
                }
            }
        }
    }

    fn record(&mut self, record: &Record<'_>, out: &mut dyn Sink) {
        self.records += 1;
        let mut calls = Calls::new(&mut self.desk, self.form, record, out);
        self.reader.record(record, &mut calls);
    }

    /// Values of a text in memory; why there may be more that could not be read.
    fn values(
        &mut self,
        whole: &[u8],
        cancel: &AtomicBool,
        out: &mut dyn Sink,
    ) -> Result<Option<String>, ReadFailure> {
        let lists = self.format.cut.lists();
        let parts = match self.format.cut {
            Cut::Document(parts) => parts,
            _ => &[],
        };
        let mut incomplete = None;
        for value in frame::values(whole, lists) {
            if self.records.is_multiple_of(1024) && cancel.load(Ordering::Relaxed) {
                return Err(ReadFailure::Cancelled);
            }
            match value {
                Ok(value) if parts.is_empty() || crate::sources::json::check(value.bytes).is_ok() => {
                    self.found(value.bytes, value.offset, out);
                }
                // A document that is damaged is taken apart; what does not end takes all that follows with it.
                Ok(value) => {
                    incomplete = self.parts(value.bytes, value.offset, parts, out).or(incomplete);
                }
                Err(broken) if !parts.is_empty() => {
                    let from = usize::try_from(broken.offset).unwrap_or(usize::MAX);
                    let rest = whole.get(from..).unwrap_or_default();
                    return Ok(self.parts(rest, broken.offset, parts, out).or(incomplete));
                }
                Err(broken) => incomplete = self.broken(broken, out).or(incomplete),
            }
        }
        Ok(incomplete)
    }

    /// The elements of the lists in a document that is damaged.
    fn parts(&mut self, bytes: &[u8], at: u64, lists: &[&str], out: &mut dyn Sink) -> Option<String> {
        let mut incomplete = None;
        for value in frame::values(bytes, lists) {
            match value {
                Ok(value) => self.found(value.bytes, at + value.offset, out),
                Err(broken) => {
                    let broken = Broken { offset: at + broken.offset, ..broken };
                    incomplete = self.broken(broken, out).or(incomplete);
                }
            }
        }
        incomplete
    }

    fn found(&mut self, bytes: &[u8], at: u64, out: &mut dyn Sink) {
        if bytes.first().is_some_and(|first| matches!(first, b'{' | b'[')) {
            return self.value(bytes, at, out);
        }
        self.records += 1;
        out.skipped_line(At::new(self.source, at), rule::NOISE, bytes);
    }

    fn broken(&mut self, broken: Broken, out: &mut dyn Sink) -> Option<String> {
        self.records += 1;
        let raw = Raw { bytes: &[], at: At::new(self.source, broken.offset), ended: true };
        refuse(&mut &mut *out, raw, false, broken.to_string());
        (broken.flaw != Flaw::TooLong).then(|| broken.to_string())
    }

    fn value(&mut self, bytes: &[u8], at: u64, out: &mut dyn Sink) {
        if let Err(why) = self.check.read(bytes, &mut Slots::new()) {
            self.records += 1;
            let raw = Raw { bytes, at: At::new(self.source, at), ended: true };
            return refuse(&mut &mut *out, raw, false, why.to_string());
        }
        let record = Record { node: Node::new(bytes, at), bytes, at, ended: true };
        self.record(&record, out);
    }

    fn end(&mut self, at: u64, out: &mut dyn Sink) {
        let mut calls = Calls::behind(&mut self.desk, self.form, at, out);
        self.reader.end(&mut calls);
        calls.close_all();
    }
}

fn too_long() -> String {
    format!("the record is longer than {} MiB", frame::LONGEST >> 20)
}

/// A sink for looking only.
struct Nothing;

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
