//! Lines of a part of a file, in chunks.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use memchr::{memchr, memrchr};

use super::{Bytes, CHUNK, LONGEST, MARK, ReadError};

/// Reading on behind the end of a part goes in steps of at least so many bytes.
const STEP: usize = 16 << 10;

/// One line that is not blank, without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'c> {
    /// The line; its end, also CRLF, is not part of it.
    pub bytes: &'c [u8],
    /// Where its first byte stands in the file.
    pub offset: u64,
    /// False for a last line without line end: cut off, or still being written (`1-model.md` 1.4.1).
    pub ended: bool,
}

impl<'c> Record<'c> {
    /// The line as text, `None` when it is not UTF-8 (an unreadable line, `1-model.md` 1.4.2). Asked for by the
    /// formats that need it: the reader of JSON checks by itself, on the way.
    pub fn text(&self) -> Option<&'c str> {
        std::str::from_utf8(self.bytes).ok()
    }
}

/// What was met besides the records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lines that were handed out.
    pub records: u64,
    /// Lines with nothing but white space: skipped (`1-model.md` 1.4.1).
    pub blank: u64,
    /// Where lines begin that are longer than [`LONGEST`].
    pub too_long: Vec<u64>,
    /// What was read of a file, in whole lines: they make the index of line numbers.
    pub stretches: Vec<Stretch>,
    /// Whether the cancel flag ended the reading.
    pub cancelled: bool,
}

impl Tally {
    /// Lines that were met, whatever they hold.
    fn lines(&self) -> u64 {
        self.records + self.blank + self.too_long.len() as u64
    }
}

/// A stretch of a file that begins with a line and ends with one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    /// Its first byte.
    pub from: u64,
    /// Behind its last byte.
    pub to: u64,
    /// Lines in it.
    pub lines: u64,
}

/// Reads parts of a file line by line, with one buffer for all of them. A line belongs to the part in which its
/// first byte lies, so parts that touch give each line once, whoever reads them.
#[derive(Debug)]
pub struct Lines<'b> {
    bytes: &'b Bytes,
    cancel: &'b AtomicBool,
    buffer: Vec<u8>,
}

impl<'b> Lines<'b> {
    /// Lines of these bytes. `cancel` is read between chunks.
    pub fn new(bytes: &'b Bytes, cancel: &'b AtomicBool) -> Lines<'b> {
        Lines::with_buffer(bytes, cancel, Vec::new())
    }

    /// As [`Lines::new`] with a buffer from [`Lines::into_buffer`], for a worker that goes on to another file.
    pub fn with_buffer(bytes: &'b Bytes, cancel: &'b AtomicBool, buffer: Vec<u8>) -> Lines<'b> {
        Lines { bytes, cancel, buffer }
    }

    /// Gives the buffer back.
    pub fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// Calls `f` for each line whose first byte lies in `part`.
    ///
    /// # Errors
    /// When the file cannot be read on or has shrunk; lines before that place were handed out.
    pub fn each(&mut self, part: Range<u64>, mut f: impl FnMut(Record<'_>)) -> Result<Tally, ReadError> {
        self.chunks(part, |records| {
            records.for_each(&mut f);
        })
    }

    /// As [`Lines::each`], a chunk of lines at a time: what is borrowed from lines lives as long as their chunk.
    ///
    /// # Errors
    /// As [`Lines::each`].
    pub fn chunks(
        &mut self,
        part: Range<u64>,
        mut f: impl for<'c> FnMut(&mut Records<'c>),
    ) -> Result<Tally, ReadError> {
        let part = part.start..part.end.min(self.bytes.len());
        let mut tally = Tally::default();
        if part.start < part.end {
            match self.bytes {
                Bytes::Memory(bytes) => self.memory(bytes, part, &mut tally, &mut f),
                Bytes::File { .. } => self.file(part, &mut tally, &mut f)?,
            }
        }
        Ok(tally)
    }

    fn cancelled(&self, tally: &mut Tally) -> bool {
        tally.cancelled = self.cancel.load(Ordering::Relaxed);
        tally.cancelled
    }

    fn file(
        &mut self,
        part: Range<u64>,
        tally: &mut Tally,
        f: &mut impl for<'c> FnMut(&mut Records<'c>),
    ) -> Result<(), ReadError> {
        let len = self.bytes.len();
        // One byte early: a line that begins at `part.start` is ours, one that goes on there is not.
        let mut base = part.start.saturating_sub(1);
        let mut searching = part.start > 0;
        // The buffer holds `filled` bytes from `base` on, of which `looked` hold no line feed.
        let (mut filled, mut looked) = (0, 0);
        while base < part.end && !self.cancelled(tally) {
            let next = base + filled as u64;
            let left = usize::try_from(part.end.saturating_sub(next)).unwrap_or(CHUNK);
            let step = if left > 0 { left.min(CHUNK) } else { filled.clamp(STEP, CHUNK) };
            if self.buffer.len() < filled + step {
                self.buffer.resize(filled + step, 0);
            }
            let space = self.buffer.get_mut(filled..filled + step).unwrap_or_default();
            filled += self.bytes.read_at(next, space)?;
            let held = self.buffer.get(..filled).unwrap_or_default();
            let at_end = base + filled as u64 >= len;

            if searching {
                // Nothing before the first line feed is ours, and nothing at all if it lies behind the part.
                let skip = memchr(b'\n', held).map(|at| at + 1);
                searching = skip.is_none();
                let skip = skip.unwrap_or(filled);
                self.buffer.copy_within(skip..filled, 0);
                (base, filled, looked) = (base + skip as u64, filled - skip, 0);
                if searching && at_end {
                    return Ok(());
                }
                // What is left is looked at with what is read next.
                if searching || filled == 0 || base >= part.end {
                    continue;
                }
            }
            let held = self.buffer.get(..filled).unwrap_or_default();
            let inside = usize::try_from(part.end - base).unwrap_or(usize::MAX);
            let Some(cut) = cut(held, looked, inside, at_end) else {
                if filled > LONGEST + MARK.len() + 1 {
                    tally.too_long.push(base);
                    (base, filled, looked, searching) = (base + filled as u64, 0, 0, true);
                } else {
                    looked = filled;
                }
                continue;
            };
            let mut records = Records::new(held.get(..cut).unwrap_or_default(), base);
            f(&mut records);
            let before = tally.lines();
            records.finish(tally);
            tally.stretches.push(Stretch {
                from: base,
                to: base + cut as u64,
                lines: tally.lines() - before,
            });
            self.buffer.copy_within(cut..filled, 0);
            (base, filled) = (base + cut as u64, filled - cut);
            looked = filled;
            if at_end && filled == 0 {
                return Ok(());
            }
        }
        Ok(())
    }

    fn memory(
        &self,
        bytes: &[u8],
        part: Range<u64>,
        tally: &mut Tally,
        f: &mut impl for<'c> FnMut(&mut Records<'c>),
    ) {
        let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
        let (mut at, end) = (place(part.start), place(part.end));
        let behind = |from: usize| {
            memchr(b'\n', bytes.get(from..).unwrap_or_default()).map_or(bytes.len(), |feed| from + feed + 1)
        };
        if at > 0 {
            at = behind(at - 1);
        }
        while at < end && !self.cancelled(tally) {
            let cut = behind((at + CHUNK).min(end) - 1);
            let mut records = Records::new(bytes.get(at..cut).unwrap_or_default(), at as u64);
            f(&mut records);
            records.finish(tally);
            at = cut;
        }
    }
}

/// Where whole lines end in the bytes held: `inside` of them belong to the part, the first `looked` hold no line feed.
fn cut(held: &[u8], looked: usize, inside: usize, at_end: bool) -> Option<usize> {
    if held.len() >= inside {
        // The last byte of the part may itself be the line feed that closes its last line.
        let from = inside.saturating_sub(1).max(looked);
        if let Some(at) = memchr(b'\n', held.get(from..).unwrap_or_default()) {
            return Some(from + at + 1);
        }
        if at_end {
            return Some(held.len());
        }
    }
    // The last line goes on: those before it are whole.
    memrchr(b'\n', held.get(looked..).unwrap_or_default()).map(|at| looked + at + 1)
}

/// The lines of one chunk.
#[derive(Debug)]
pub struct Records<'c> {
    rest: &'c [u8],
    offset: u64,
    tally: Tally,
}

impl<'c> Records<'c> {
    fn new(chunk: &'c [u8], offset: u64) -> Records<'c> {
        let (rest, offset) = match chunk.strip_prefix(MARK) {
            Some(rest) if offset == 0 => (rest, MARK.len() as u64),
            _ => (chunk, offset),
        };
        Records { rest, offset, tally: Tally::default() }
    }

    fn finish(mut self, tally: &mut Tally) {
        // Lines the caller did not ask for are counted as well.
        while self.next().is_some() {}
        tally.records += self.tally.records;
        tally.blank += self.tally.blank;
        tally.too_long.append(&mut self.tally.too_long);
    }
}

impl<'c> Iterator for Records<'c> {
    type Item = Record<'c>;

    fn next(&mut self) -> Option<Record<'c>> {
        while !self.rest.is_empty() {
            let offset = self.offset;
            let feed = memchr(b'\n', self.rest);
            let (line, rest) = self.rest.split_at(feed.unwrap_or(self.rest.len()));
            self.rest = rest.get(1..).unwrap_or_default();
            self.offset += line.len() as u64 + 1;
            let ended = feed.is_some();
            let bytes = if ended { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
            if bytes.len() > LONGEST {
                self.tally.too_long.push(offset);
            } else if bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
                self.tally.blank += 1;
            } else {
                self.tally.records += 1;
                return Some(Record { bytes, offset, ended });
            }
        }
        None
    }
}
