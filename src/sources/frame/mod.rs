//! Cutting bytes into records: lines of a file in chunks, JSON values of a text in memory, and the content of pipes
//! and compressed files (`engine.md` 4, `reliability.md` 2.3). What a record says is read by [`super::json`] and
//! its kin; here only ends of lines, brackets and sizes are looked at.

mod content;
mod lines;
mod place;
mod values;

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use thiserror::Error;

pub use content::{Content, ContentError, Limits, content, open};
pub use lines::{Lines, Record, Records, Stretch, Tally};
pub use place::{Framing, LineIndex, head_at, line_number, record_at};
pub(in crate::sources) use values::end_of;
pub use values::{Broken, Flaw, Value, Values, values};

/// A longer record is a problem with its place, and nothing of it is kept (`reliability.md` 2.3).
pub const LONGEST: usize = 8 << 20;

/// So much is read at once: it stays in the second-level cache (`engine.md` 4).
pub const CHUNK: usize = 256 << 10;

/// The byte order mark of UTF-8, accepted at the start and skipped.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Bytes that can be read at any place, by several workers at once.
#[derive(Debug)]
pub enum Bytes {
    /// A regular file, as long as it was when it was opened: what is appended later is not read.
    File {
        /// The open file.
        file: File,
        /// Its length when it was opened, in bytes.
        len: u64,
    },
    /// A text in memory: a pipe, standard input, an unpacked file.
    Memory(Arc<Vec<u8>>),
}

/// Why reading stopped before the end.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The operating system refused.
    #[error("cannot read at byte {at}: {source}")]
    Io {
        /// Where.
        at: u64,
        /// What it said.
        source: io::Error,
    },
    /// The file is shorter than when it was opened.
    #[error("the file ends at byte {at}, it was {len} bytes long when it was opened: load it again")]
    Shrunk {
        /// Where it ends now.
        at: u64,
        /// Its length when it was opened.
        len: u64,
    },
    /// The record at this place is longer than [`LONGEST`].
    #[error("the record at byte {at} is longer than {} MiB", LONGEST >> 20)]
    TooLong {
        /// Where it begins.
        at: u64,
    },
}

impl Bytes {
    /// A regular file as it is now.
    ///
    /// # Errors
    /// When its length cannot be asked for.
    pub fn file(file: File) -> io::Result<Bytes> {
        let len = file.metadata()?.len();
        Ok(Bytes::File { file, len })
    }

    /// How many bytes there are.
    pub fn len(&self) -> u64 {
        match self {
            Bytes::File { len, .. } => *len,
            Bytes::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads from `at` on until `buffer` is full or the bytes end, and says how many came.
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
        match self {
            Bytes::File { file, len } => read_file_at(file, *len, at, buffer),
            Bytes::Memory(bytes) => {
                let rest = usize::try_from(at).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
                let count = rest.len().min(buffer.len());
                if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
                    to.copy_from_slice(from);
                }
                Ok(count)
            }
        }
    }
}

/// All bytes.
///
/// # Errors
/// When the file cannot be read or has shrunk.
pub fn whole(bytes: &Bytes) -> Result<std::borrow::Cow<'_, [u8]>, ReadError> {
    match bytes {
        Bytes::Memory(all) => Ok(std::borrow::Cow::Borrowed(all)),
        Bytes::File { file, len } => {
            let mut all = vec![0; usize::try_from(*len).unwrap_or(usize::MAX)];
            file.read_exact_at(&mut all, 0).map_err(|source| ReadError::Io { at: 0, source })?;
            Ok(std::borrow::Cow::Owned(all))
        }
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes::Memory(Arc::new(bytes))
    }
}

fn read_file_at(file: &File, len: u64, at: u64, buffer: &mut [u8]) -> Result<usize, ReadError> {
    let left = usize::try_from(len.saturating_sub(at)).unwrap_or(usize::MAX);
    let most = left.min(buffer.len());
    let buffer = buffer.get_mut(..most).unwrap_or_default();
    let mut done = 0;
    while done < buffer.len() {
        let place = at + done as u64;
        match file.read_at(buffer.get_mut(done..).unwrap_or_default(), place) {
            Ok(0) => return Err(ReadError::Shrunk { at: place, len }),
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(source) => return Err(ReadError::Io { at: place, source }),
        }
    }
    Ok(done)
}
