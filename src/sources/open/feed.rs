//! Cutting a source of another system into records and handing them over, in order: traces and ledgers alike.

use std::sync::atomic::{AtomicBool, Ordering};

use super::read::ReadFailure;
use crate::model::row::{At, SourceNo};
use crate::sources::event::{Sink, rule};
use crate::sources::format::{CUT, Raw, refuse};
use crate::sources::frame::{self, Broken, Bytes, Flaw, Lines, whole};
use crate::sources::json::{Node, Parser, Reader, Slots, Want};
use crate::sources::sniff::Framing;
use crate::sources::trace::calls::Record;
use crate::sources::trace::table::Cut;

/// Takes records.
pub(super) trait Take {
    /// It is a ledger: a record without line end is refused (`4-sources.md` 4.6).
    const LEDGER: bool;

    /// One record.
    fn record(&mut self, record: &Record<'_>, out: &mut dyn Sink);
}

/// Hands records to who takes them.
pub(super) struct Feed<T> {
    cut: Cut,
    source: SourceNo,
    pub(super) take: T,
    /// Whether a record is strict JSON.
    check: Reader,
    pub(super) records: u64,
    /// What the last page of a listing says of there being more (C3).
    pub(super) has_more: Option<bool>,
}

impl<T: Take> Feed<T> {
    pub(super) fn new(cut: Cut, source: SourceNo, take: T) -> Self {
        let check = Reader::new(Want::default(), Parser::default());
        Self { cut, source, take, check, records: 0, has_more: None }
    }

    /// Everything; why there may be more that could not be read.
    pub(super) fn all(
        &mut self,
        bytes: &Bytes,
        framing: Framing,
        cancel: &AtomicBool,
        out: &mut dyn Sink,
    ) -> Result<Option<String>, ReadFailure> {
        if framing == Framing::Json {
            return self.values(&whole(bytes)?, cancel, out);
        }
        let tally = Lines::new(bytes, cancel).chunks(0..bytes.len(), |lines| {
            for line in lines.by_ref() {
                self.line(line.bytes, line.offset, line.ended, out);
            }
        })?;
        if tally.cancelled {
            return Err(ReadFailure::Cancelled);
        }
        for _ in 0..tally.blank {
            out.skipped(self.source, rule::BLANK);
        }
        for at in &tally.too_long {
            let raw = Raw { bytes: &[], at: At::new(self.source, *at), ended: true };
            refuse(&mut &mut *out, raw, T::LEDGER, too_long());
        }
        self.records += tally.too_long.len() as u64;
        Ok(None)
    }

    /// A page may say that there are more.
    fn page(&mut self, page: Node<'_>) {
        let page = page.get("cursor").unwrap_or(page);
        let more = page.truth_of("has_more").or_else(|| page.truth_of("hasMore"));
        self.has_more = more.or(self.has_more);
    }

    /// A line: JSON, or text where the format is one of text.
    pub(super) fn line(&mut self, bytes: &[u8], at: u64, ended: bool, out: &mut dyn Sink) {
        let is_text = match self.cut {
            Cut::Lines => true,
            Cut::Either => !bytes.trim_ascii_start().starts_with(b"{"),
            Cut::Json(_) | Cut::Document(_) => false,
        };
        if is_text {
            let record = Record { node: Node::new(bytes, at), bytes, at, ended };
            return self.record(&record, out);
        }
        let lists = self.cut.lists();
        let begins = bytes.trim_ascii_start();
        let raw = Raw { bytes, at: At::new(self.source, at), ended };
        if !begins.starts_with(b"{") && !begins.starts_with(b"[") {
            self.records += 1;
            return out.skipped_line(raw.at, rule::NOISE, bytes);
        }
        if T::LEDGER && !ended {
            self.records += 1;
            return refuse(&mut &mut *out, raw, true, CUT.to_owned());
        }
        if let Err(why) = self.check.read(bytes, &mut Slots::new()) {
            self.records += 1;
            let what = if ended { why.to_string() } else { CUT.to_owned() };
            return refuse(&mut &mut *out, raw, T::LEDGER, what);
        }
        let node = Node::new(bytes, at);
        self.page(node);
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
        self.take.record(record, out);
    }

    /// Values of a text in memory; why there may be more that could not be read.
    pub(super) fn values(
        &mut self,
        whole: &[u8],
        cancel: &AtomicBool,
        out: &mut dyn Sink,
    ) -> Result<Option<String>, ReadFailure> {
        let lists = self.cut.lists();
        let parts = match self.cut {
            Cut::Document(parts) => parts,
            _ => &[],
        };
        let mut incomplete = None;
        if T::LEDGER {
            frame::values(whole, &[])
                .flatten()
                .for_each(|page| self.page(Node::new(page.bytes, page.offset)));
        }
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
        refuse(&mut &mut *out, raw, T::LEDGER, broken.to_string());
        (broken.flaw != Flaw::TooLong).then(|| broken.to_string())
    }

    fn value(&mut self, bytes: &[u8], at: u64, out: &mut dyn Sink) {
        if let Err(why) = self.check.read(bytes, &mut Slots::new()) {
            self.records += 1;
            let raw = Raw { bytes, at: At::new(self.source, at), ended: true };
            return refuse(&mut &mut *out, raw, T::LEDGER, why.to_string());
        }
        let record = Record { node: Node::new(bytes, at), bytes, at, ended: true };
        self.record(&record, out);
    }
}

fn too_long() -> String {
    format!("the record is longer than {} MiB", frame::LONGEST >> 20)
}
