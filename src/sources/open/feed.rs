//! Cutting a source of another system into records and handing them over, in order: traces and ledgers alike.

use std::sync::atomic::{AtomicBool, Ordering};

use super::ahead;
use super::read::ReadFailure;
use crate::model::row::{At, SourceNo};
use crate::sources::event::{Sink, rule};
use crate::sources::format::{CUT, Raw, refuse};
use crate::sources::frame::{self, Broken, Bytes, Flaw, Lines, whole};
use crate::sources::json::{Node, Noter, Tape, Why};
use crate::sources::sniff::Framing;
use crate::sources::trace::calls::Record;
use crate::sources::trace::table::Cut;

/// A line of a source.
#[derive(Clone, Copy)]
pub(super) struct Line<'l> {
    pub(super) bytes: &'l [u8],
    pub(super) at: u64,
    pub(super) ended: bool,
}

/// What a line is, seen by itself.
pub(super) enum Look {
    /// A line of a format of text.
    Text,
    /// It does not begin like a record.
    Noise,
    /// A row of a ledger without line end.
    Cut,
    /// It begins like a record and cannot be read.
    Bad(Why),
    /// Strict JSON.
    Json,
}

impl Look {
    /// Looks at a line, and notes where its values stand.
    fn at(line: Line<'_>, cut: Cut, ledger: bool, noter: &mut Noter, tape: &mut Tape) -> Self {
        let begins = line.bytes.trim_ascii_start();
        let is_text = match cut {
            Cut::Lines => true,
            Cut::Either => !begins.starts_with(b"{"),
            Cut::Json(_) | Cut::Document(_) => false,
        };
        if is_text {
            return Self::Text;
        }
        if !begins.starts_with(b"{") && !begins.starts_with(b"[") {
            return Self::Noise;
        }
        if ledger && !line.ended {
            return Self::Cut;
        }
        noter.note(line.bytes, tape).map_or_else(Self::Bad, |()| Self::Json)
    }
}

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
    /// Whether a record is strict JSON, and where its values stand.
    noter: Noter,
    tape: Tape,
    pub(super) records: u64,
    /// So many threads may read.
    pub(super) threads: usize,
    /// What the last page of a listing says of there being more (C3).
    pub(super) has_more: Option<bool>,
}

impl<T: Take> Feed<T> {
    pub(super) fn new(cut: Cut, source: SourceNo, take: T) -> Self {
        let (noter, tape) = (Noter::default(), Tape::default());
        Self { cut, source, take, noter, tape, records: 0, threads: 1, has_more: None }
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
        let tally = if self.threads > 1 && bytes.len() >= ahead::FROM {
            let cut = self.cut;
            let look = |line: Line<'_>, noter: &mut Noter, tape: &mut Tape| {
                Look::at(line, cut, T::LEDGER, noter, tape)
            };
            ahead::read(bytes, cancel, look, |line, seen, tape| self.seen(line, seen, tape, out))
        } else {
            Lines::new(bytes, cancel).chunks(0..bytes.len(), |lines| {
                for line in lines.by_ref() {
                    self.line(line.bytes, line.offset, line.ended, out);
                }
            })
        }?;
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
        let line = Line { bytes, at, ended };
        let mut tape = std::mem::take(&mut self.tape);
        let seen = Look::at(line, self.cut, T::LEDGER, &mut self.noter, &mut tape);
        self.seen(line, seen, &tape, out);
        self.tape = tape;
    }

    /// Takes a line that was looked at.
    fn seen(&mut self, line: Line<'_>, seen: Look, tape: &Tape, out: &mut dyn Sink) {
        let Line { bytes, at, ended } = line;
        let what = match seen {
            Look::Text => {
                return self.record(&Record { node: Node::new(bytes, at), bytes, at, ended }, out);
            }
            Look::Json => {
                let node = Node::noted(bytes, at, tape);
                return self.lists(&Record { node, bytes, at, ended }, out);
            }
            Look::Noise => {
                self.records += 1;
                return out.skipped_line(At::new(self.source, at), rule::NOISE, bytes);
            }
            Look::Bad(why) if ended => why.to_string(),
            Look::Bad(_) | Look::Cut => CUT.to_owned(),
        };
        self.records += 1;
        refuse(&mut &mut *out, Raw { bytes, at: At::new(self.source, at), ended }, T::LEDGER, what);
    }

    /// The records of a line: it, or the elements of its list.
    fn lists(&mut self, line: &Record<'_>, out: &mut dyn Sink) {
        let node = line.node;
        if T::LEDGER {
            self.page(node);
        }
        let lists = self.cut.lists();
        let list = lists
            .iter()
            .find_map(|list| list.split('.').try_fold(node, Node::get).filter(|found| found.is_array()));
        match list.or(Some(node).filter(|node| node.is_array())) {
            None => self.record(line, out),
            Some(list) => {
                for node in list.items() {
                    let record = Record { node, bytes: node.raw(), at: node.at(), ended: line.ended };
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
        if let Err(why) = self.noter.note(bytes, &mut self.tape) {
            self.records += 1;
            let raw = Raw { bytes, at: At::new(self.source, at), ended: true };
            return refuse(&mut &mut *out, raw, T::LEDGER, why.to_string());
        }
        let tape = std::mem::take(&mut self.tape);
        self.record(&Record { node: Node::noted(bytes, at, &tape), bytes, at, ended: true }, out);
        self.tape = tape;
    }
}

fn too_long() -> String {
    format!("the record is longer than {} MiB", frame::LONGEST >> 20)
}
