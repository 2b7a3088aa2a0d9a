//! Reading JSON records into slots, strictly and without a tree in between (`engine.md` 4).
//!
//! A [`Want`] says which values are wanted, a [`Reader`] fills [`Slots`] with their raw tokens. Three parsers do the
//! same: a scanner of our own, the same behind shapes that it learned, and one on `serde_json`. Nothing outside this
//! room may know which one ran.

mod known;
mod names;
mod node;
mod scan;
mod serde;
mod shapes;
mod slots;
mod tape;
mod want;
mod write;

#[cfg(test)]
mod tests;

use std::cell::RefCell;

use thiserror::Error;

pub use node::{Items, Members, Name, Node};
use scan::Refused;
pub use slots::{Kind, Slots};
pub use tape::Tape;
pub use want::{SLOTS, Want, WantError};
pub use write::{written_as_text, written_inside_text};

/// Objects and arrays may stand in each other so deep (`reliability.md` 2.3).
pub const DEPTH: usize = 128;

/// Why a record was refused. Places are bytes from the start of the record.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Why {
    /// Bytes that are not UTF-8 (`1-model.md` 1.4.2).
    #[error("not UTF-8 from byte {at} of the record")]
    NotUtf8 {
        /// The first byte that is wrong.
        at: usize,
    },
    /// An object has one key twice (`1-model.md` 1.4.2).
    #[error("key given twice: {key:?}")]
    KeyTwice {
        /// The key, decoded.
        key: String,
    },
    /// More than [`DEPTH`] objects and arrays in each other.
    #[error("nested more than {DEPTH} deep")]
    TooDeep,
    /// Not JSON.
    #[error("not JSON: {message} at byte {at} of the record")]
    Syntax {
        /// What `serde_json` says, without the place.
        message: String,
        /// Where it was noticed.
        at: usize,
    },
}

/// Which parser reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Parser {
    /// Our scanner, with shapes that it learns from the records before.
    #[default]
    Shapes,
    /// Our scanner for every record.
    Scan,
    /// `serde_json`.
    Serde,
}

/// Reads records. One for each worker: it remembers in which order keys came.
#[derive(Debug)]
pub struct Reader {
    want: Want,
    parser: Parser,
    memory: scan::Memory,
}

impl Reader {
    /// A reader for the wanted paths.
    pub fn new(want: Want, parser: Parser) -> Reader {
        let memory = scan::Memory::new(&want, parser == Parser::Shapes);
        Reader { want, parser, memory }
    }

    /// Fills the slots from one record: one JSON value with nothing but white space around it. What is read does
    /// not depend on the records before.
    ///
    /// # Errors
    /// The record is refused as a whole, and the slots are empty, when it is not strict JSON in UTF-8, when it is
    /// nested deeper than [`DEPTH`], or when an object in it has a key twice.
    #[inline]
    pub fn read<'a>(&mut self, line: &'a [u8], slots: &mut Slots<'a>) -> Result<(), Why> {
        let read = match self.parser {
            Parser::Shapes | Parser::Scan => {
                scan::read(line, &self.want, &mut self.memory, slots).map_err(Refused::why)
            }
            Parser::Serde => serde::read(line, &self.want, slots),
        };
        read.map_err(|own| {
            slots.clear();
            explain(line, own)
        })
    }
}

/// Notes where the values of records stand. One for each worker.
#[derive(Debug)]
pub struct Noter {
    want: Want,
    memory: scan::Memory,
}

impl Default for Noter {
    fn default() -> Self {
        let want = Want::default();
        Self { memory: scan::Memory::new(&want, false), want }
    }
}

impl Noter {
    /// Notes where the values of one record stand: one JSON value with nothing but white space around it.
    ///
    /// # Errors
    /// As [`Reader::read`]; the tape is empty then.
    #[inline]
    pub fn note(&mut self, line: &[u8], tape: &mut Tape) -> Result<(), Why> {
        scan::note(line, &self.want, &mut self.memory, tape).map_err(|refused| {
            tape.clear();
            explain(line, refused.why())
        })
    }

    fn check(&mut self, line: &[u8]) -> Result<(), Why> {
        scan::read(line, &self.want, &mut self.memory, &mut Slots::new())
            .map_err(|refused| explain(line, refused.why()))
    }
}

/// Whether a record is strict JSON as [`Reader::read`] wants it.
///
/// # Errors
/// As [`Reader::read`].
pub fn check(line: &[u8]) -> Result<(), Why> {
    thread_local! {
        static CHECKS: RefCell<Noter> = RefCell::default();
    }
    CHECKS.with(|checks| match checks.try_borrow_mut() {
        Ok(mut noter) => noter.check(line),
        Err(_) => Noter::default().check(line),
    })
}

/// The words for a record that was refused: those of `serde_json` reading it with nothing wanted, so that they depend
/// neither on the parser nor on the wanted paths. What is nested too deep is said as such even when it is cut off.
#[cold]
fn explain(line: &[u8], own: Why) -> Why {
    if own == Why::TooDeep {
        return own;
    }
    serde::read(line, &Want::default(), &mut Slots::new()).err().unwrap_or(own)
}

/// A key of an object.
enum Key<'a> {
    /// Without escapes: as it stands in the record.
    Plain { at: usize, name: &'a [u8] },
    /// With escapes, decoded.
    Decoded(String),
}

impl Key<'_> {
    fn name(&self) -> &[u8] {
        match self {
            Key::Plain { name, .. } => name,
            Key::Decoded(name) => name.as_bytes(),
        }
    }
}
