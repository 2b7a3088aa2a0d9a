//! What reaches the machine and what it asks for.

use std::sync::Arc;

use super::case::{CaseView, Copied, RawRecord, Trouble};
use super::keys::Key;
use super::layout::Size;
use super::progress::{Failure, Loading};
use super::settle::booked::{Todo, Told};
use crate::model::row::At;
use crate::query::{Hits, Query};

/// Something happened. Answers carry the number they were asked with, so that an old one changes nothing.
pub enum Msg {
    /// A key was pressed.
    Key(Key),
    /// A text was pasted. It never acts as keys.
    Paste(String),
    /// The terminal has another size.
    Resized(Size),
    /// A reading went on.
    Progressed {
        /// Which reading.
        generation: u64,
        /// How far.
        loading: Loading,
    },
    /// A reading ended.
    Loaded {
        /// Which reading.
        generation: u64,
        /// What it gave.
        case: Arc<dyn CaseView>,
    },
    /// A reading could not be done.
    Failed {
        /// Which reading.
        generation: u64,
        /// Why.
        failure: Box<Failure>,
    },
    /// A search ended.
    Found {
        /// Which reading it searched.
        generation: u64,
        /// Which search.
        search: u64,
        /// Its rows.
        hits: Hits,
    },
    /// A record was read.
    RawRead {
        /// Which request.
        request: u64,
        /// The record, or why not.
        record: Result<RawRecord, Trouble>,
    },
    /// Something was sent to a clipboard, or why not, in words.
    Sent(Result<String, String>),
    /// A document was written.
    Reported {
        /// Its path, or why not.
        path: Result<String, Trouble>,
    },
    /// What the book says, or what became of what was to be written.
    Settled(Told),
    /// The time of a message is over.
    MessageOver(u64),
}

/// Something to be done by the runtime.
#[derive(Clone, PartialEq, Debug)]
pub enum Cmd {
    /// Read the sources, or the demo.
    Load {
        /// Number of the reading.
        generation: u64,
        /// The demo instead.
        demo: bool,
    },
    /// Stop the reading and keep what is there.
    StopLoad,
    /// Search all rows. A newer search makes an older one pointless.
    Search {
        /// Which reading is searched.
        generation: u64,
        /// Number of the search.
        search: u64,
        /// For what.
        query: Query,
    },
    /// Read a record where it stands.
    ReadRaw {
        /// Number of the request.
        request: u64,
        /// Its places.
        at: At,
    },
    /// Send lines to the clipboard.
    Copy {
        /// What it is, for the message, with a comma; empty where that is clear.
        what: &'static str,
        /// The lines.
        copied: Copied,
    },
    /// Write the document for the review.
    Report {
        /// Of one intent; else of all that is not as intended.
        intent: Option<u32>,
    },
    /// Something about the book, or about what is typed into a form.
    Settle(Todo),
    /// Say when the time of a message is over.
    Timer {
        /// Which message.
        message: u64,
        /// After how many milliseconds.
        millis: u64,
    },
    /// Stop the program as the shell's ctrl-z does.
    Suspend,
    /// Leave.
    Quit,
}
