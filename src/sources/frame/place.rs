//! Going back to a place in a source when a person looks: its line number, its text.

use std::sync::{Mutex, PoisonError};

use memchr::{memchr, memchr_iter};

use super::values::end_of;
use super::{Bytes, CHUNK, LONGEST, MARK, ReadError};

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

/// Line feeds are remembered at every so many bytes.
const STRETCH: u64 = 16 << 10;

/// Numbers of lines of one source. Feeds are counted when a number is asked for, once and only so far.
#[derive(Debug)]
pub struct LineNumbers {
    /// Feeds before each stretch that was reached.
    before: Mutex<Vec<u64>>,
}

impl Default for LineNumbers {
    fn default() -> Self {
        Self { before: Mutex::new(vec![0]) }
    }
}

impl LineNumbers {
    /// The number of the line in which the byte at `offset` stands, from 1.
    ///
    /// # Errors
    /// When the file cannot be read or has shrunk.
    pub fn of(&self, bytes: &Bytes, offset: u64) -> Result<u64, ReadError> {
        let end = offset.min(bytes.len());
        let stretch = end / STRETCH;
        let before = self.before(bytes, stretch)?;
        let mut buffer = [0; STRETCH as usize];
        let rest = usize::try_from(end % STRETCH).unwrap_or(0);
        let count = bytes.read_at(stretch * STRETCH, buffer.get_mut(..rest).unwrap_or_default())?;
        Ok(before + feeds(buffer.get(..count).unwrap_or_default()) + 1)
    }

    /// Feeds before a stretch; counts on from where the last question ended.
    fn before(&self, bytes: &Bytes, stretch: u64) -> Result<u64, ReadError> {
        let stretch = usize::try_from(stretch).unwrap_or(usize::MAX);
        let mut known = self.before.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffer = Vec::new();
        while known.len() <= stretch {
            buffer.resize(CHUNK, 0);
            let count = bytes.read_at((known.len() - 1) as u64 * STRETCH, &mut buffer)?;
            let read = buffer.get(..count).unwrap_or_default();
            let whole = read.chunks_exact(STRETCH as usize);
            if whole.len() == 0 {
                break;
            }
            for part in whole {
                let next = known.last().copied().unwrap_or(0) + feeds(part);
                known.push(next);
            }
        }
        Ok(known.get(stretch).or(known.last()).copied().unwrap_or(0))
    }
}

fn feeds(bytes: &[u8]) -> u64 {
    memchr_iter(b'\n', bytes).count() as u64
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
