//! The whole content of what cannot be read at any place: pipes, standard input, `.gz` files.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::bufread::MultiGzDecoder;
use thiserror::Error;

use super::{Bytes, CHUNK, read_file_at};

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// How much is taken into memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of content, after unpacking.
    pub bytes: u64,
    /// Bytes of content for one byte of a compressed file.
    pub ratio: u64,
    /// Below so many bytes of content the ratio is not looked at: a few lines that repeat pack very well.
    pub ratio_from: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { bytes: 4 << 30, ratio: 200, ratio_from: 16 << 20 }
    }
}

/// What was read.
#[derive(Debug)]
pub struct Content {
    /// The bytes, unpacked.
    pub bytes: Vec<u8>,
    /// Whether they were packed.
    pub packed: bool,
    /// Why there may be more that could not be read: a packed file that is cut off or damaged. What was unpacked
    /// before that place is kept.
    pub damage: Option<ContentError>,
}

/// Why a content cannot be had, or not as a whole.
#[derive(Debug, Error)]
pub enum ContentError {
    /// The operating system refused.
    #[error("cannot read: {0}")]
    Io(io::Error),
    /// The compressed file is cut off or damaged.
    #[error("the gzip file is cut off or damaged after {after} unpacked bytes: {source}")]
    Gzip {
        /// How many bytes were unpacked.
        after: u64,
        /// What the unpacking says.
        source: io::Error,
    },
    /// More than [`Limits::bytes`].
    #[error(
        "more than {0} bytes, the most that is taken into memory: write it to a file that is not compressed"
    )]
    TooMuch(u64),
    /// More than [`Limits::ratio`].
    #[error("unpacks to more than {0} times its size: if that is right, unpack it to a file first")]
    Ratio(u64),
    /// Neither a file nor something like a pipe.
    #[error("a folder, not a file")]
    Folder,
    /// The cancel flag ended the reading.
    #[error("cancelled")]
    Cancelled,
}

/// Opens a path: a regular file to be read in place, anything else and gzip (by its first bytes, not by its name)
/// taken into memory, with what is wrong at its end.
///
/// # Errors
/// When it cannot be opened or read, or goes over a limit.
pub fn open(
    path: &Path,
    limits: Limits,
    cancel: &AtomicBool,
) -> Result<(Bytes, Option<ContentError>), ContentError> {
    let file = File::open(path).map_err(ContentError::Io)?;
    let kind = file.metadata().map_err(ContentError::Io)?;
    if kind.is_dir() {
        return Err(ContentError::Folder);
    }
    let mut head = [0; GZIP.len()];
    if kind.is_file() && !(read_file_at(&file, kind.len(), 0, &mut head).is_ok() && head == GZIP) {
        return Ok((Bytes::File { file, len: kind.len() }, None));
    }
    let content = content(file, limits, cancel)?;
    Ok((content.bytes.into(), content.damage))
}

/// Reads everything, unpacking it when it begins like gzip.
///
/// # Errors
/// When it cannot be read or goes over a limit. A packed content that breaks off is not an error but
/// [`Content::damage`].
pub fn content(mut source: impl Read, limits: Limits, cancel: &AtomicBool) -> Result<Content, ContentError> {
    let mut head = Vec::new();
    source.by_ref().take(2).read_to_end(&mut head).map_err(ContentError::Io)?;
    let packed = head == GZIP;
    let source = Cursor::new(head).chain(source);
    if !packed {
        let mut bytes = Vec::new();
        take(source, &mut bytes, limits, cancel, |_| false)?.map_err(ContentError::Io)?;
        return Ok(Content { bytes, packed, damage: None });
    }
    let taken = Rc::new(Cell::new(0));
    let counted = Counted { source, taken: Rc::clone(&taken) };
    let unpacked = MultiGzDecoder::new(BufReader::with_capacity(CHUNK, counted));
    let mut bytes = Vec::new();
    let over = |len: u64| len > limits.ratio_from && len / limits.ratio.max(1) > taken.get();
    let end = take(unpacked, &mut bytes, limits, cancel, over)?;
    let after = bytes.len() as u64;
    Ok(Content { bytes, packed, damage: end.err().map(|source| ContentError::Gzip { after, source }) })
}

/// Reads to the end; the inner result says how the source ended.
fn take(
    mut source: impl Read,
    bytes: &mut Vec<u8>,
    limits: Limits,
    cancel: &AtomicBool,
    over: impl Fn(u64) -> bool,
) -> Result<io::Result<()>, ContentError> {
    let mut block = vec![0; CHUNK];
    loop {
        if cancel.load(Ordering::Relaxed) {
            return Err(ContentError::Cancelled);
        }
        let count = match source.read(&mut block) {
            Ok(0) => return Ok(Ok(())),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Ok(Err(error)),
        };
        let len = bytes.len() as u64 + count as u64;
        if len > limits.bytes {
            return Err(ContentError::TooMuch(limits.bytes));
        }
        if over(len) {
            return Err(ContentError::Ratio(limits.ratio));
        }
        bytes.extend_from_slice(block.get(..count).unwrap_or_default());
    }
}

/// Counts what was taken from a source.
struct Counted<R> {
    source: R,
    taken: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.taken.set(self.taken.get() + count as u64);
        Ok(count)
    }
}
