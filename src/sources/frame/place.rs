//! Going back to a place in a source when a person looks: its line number, its text.

use memchr::{memchr, memchr_iter};

use super::values::end_of;
use super::{Bytes, CHUNK, LONGEST, MARK, ReadError, Stretch};

/// The first step of reading a record again; most fit.
const STEP: usize = 4 << 10;

/// How records follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// One a line.
    Lines,
    /// JSON values, see [`super::values`].
    Values,
}

/// The number of the line in which the byte at `offset` stands, from 1. Counted when it is shown, not kept.
///
/// # Errors
/// When the file cannot be read or has shrunk.
pub fn line_number(bytes: &Bytes, offset: u64) -> Result<u64, ReadError> {
    let end = offset.min(bytes.len());
    let mut buffer = vec![0; CHUNK];
    let (mut at, mut feeds) = (0, 0);
    while at < end {
        let most = usize::try_from(end - at).unwrap_or(CHUNK).min(CHUNK);
        let count = bytes.read_at(at, buffer.get_mut(..most).unwrap_or_default())?;
        feeds += memchr_iter(b'\n', buffer.get(..count).unwrap_or_default()).count() as u64;
        at += count as u64;
    }
    Ok(feeds + 1)
}

/// Lines before some places of a file, so that the numbers of many lines cost one pass together, or none where the
/// pass that read the file counted them.
#[derive(Debug)]
pub struct LineIndex {
    /// A place where a line begins or goes on, and the line feeds before it; in order.
    before: Vec<(u64, u64)>,
}

impl LineIndex {
    /// Counts the line feeds of a file.
    ///
    /// # Errors
    /// When the file cannot be read or has shrunk.
    pub fn new(bytes: &Bytes) -> Result<Self, ReadError> {
        let mut buffer = vec![0; CHUNK];
        let (mut at, mut feeds) = (0, 0);
        let mut before = vec![(0, 0)];
        while at < bytes.len() {
            let most = usize::try_from(bytes.len() - at).unwrap_or(CHUNK).min(CHUNK);
            let count = bytes.read_at(at, buffer.get_mut(..most).unwrap_or_default())?;
            feeds += memchr_iter(b'\n', buffer.get(..count).unwrap_or_default()).count() as u64;
            at += count as u64;
            if count < most && at < bytes.len() {
                return line_number(bytes, bytes.len()).map(|_| Self { before: Vec::new() });
            }
            before.push((at, feeds));
        }
        Ok(Self { before })
    }

    /// From what was met while a file was read; `None` unless the stretches give it without a gap.
    pub fn of(mut stretches: Vec<Stretch>, len: u64) -> Option<Self> {
        stretches.sort_unstable();
        let mut before = Vec::with_capacity(stretches.len());
        let (mut at, mut feeds) = (0, 0);
        for stretch in stretches {
            if stretch.from != at {
                return None;
            }
            before.push((at, feeds));
            (at, feeds) = (stretch.to, feeds + stretch.lines);
        }
        (at == len).then_some(Self { before })
    }

    /// As [`line_number`].
    ///
    /// # Errors
    /// When the file cannot be read or has shrunk.
    pub fn line(&self, bytes: &Bytes, offset: u64) -> Result<u64, ReadError> {
        let end = offset.min(bytes.len());
        let known = self.before.partition_point(|(at, _)| *at <= end).checked_sub(1);
        let Some((from, before)) = known.and_then(|no| self.before.get(no)).copied() else {
            return line_number(bytes, offset);
        };
        let mut buffer = vec![0; usize::try_from(end - from).unwrap_or(0)];
        let mut filled = 0;
        while filled < buffer.len() {
            filled += bytes.read_at(from + filled as u64, buffer.get_mut(filled..).unwrap_or_default())?;
        }
        Ok(before + memchr_iter(b'\n', &buffer).count() as u64 + 1)
    }
}

/// Reads the record that begins at `offset` again: a line without its end, or a JSON value. A value without end
/// gives what is there.
///
/// # Errors
/// When the file cannot be read or has shrunk, or when the record is longer than [`LONGEST`].
pub fn record_at(bytes: &Bytes, offset: u64, framing: Framing) -> Result<Vec<u8>, ReadError> {
    let mut held = Vec::new();
    let mut ended = None;
    while ended.is_none() {
        let filled = held.len();
        let more = filled.clamp(STEP, CHUNK);
        held.resize(filled + more, 0);
        let count = bytes.read_at(offset + filled as u64, held.get_mut(filled..).unwrap_or_default())?;
        held.truncate(filled + count);
        let at_end = count < more;
        ended = match framing {
            Framing::Lines => memchr(b'\n', held.get(filled..).unwrap_or_default()).map(|at| filled + at),
            // A value that fills all that is held may go on.
            Framing::Values => end_of(&held, 0).filter(|end| *end < held.len()),
        };
        if at_end {
            ended = ended.or(Some(held.len()));
        }
        // One more for the carriage return of a line that is just as long as allowed.
        if ended.is_none() && held.len() > LONGEST + 1 {
            break;
        }
    }
    let end = ended.unwrap_or(held.len());
    let closed = end < held.len();
    held.truncate(end);
    if framing == Framing::Lines && closed && held.last() == Some(&b'\r') {
        held.pop();
    }
    if held.len() > LONGEST { Err(ReadError::TooLong { at: offset }) } else { Ok(held) }
}

/// The first bytes of the record at `offset`, at most `most` and not beyond its line: what is shown of a line that is
/// too long.
///
/// # Errors
/// When the file cannot be read or has shrunk.
pub fn head_at(bytes: &Bytes, offset: u64, most: usize) -> Result<Vec<u8>, ReadError> {
    let mut held = vec![0; most];
    let count = bytes.read_at(offset, &mut held)?;
    held.truncate(count);
    held.truncate(memchr(b'\n', &held).unwrap_or(count));
    if offset == 0 && held.starts_with(MARK) {
        held.drain(..MARK.len());
    }
    Ok(held)
}
