//! What reaches the machine and what it asks for.

use std::sync::Arc;

use super::case::{CaseView, Copied, Exported, RawRecord, Trouble};
use super::keys::Key;
use super::layout::Size;
use super::progress::{Failure, Loading};
use super::settle::booked::{Todo, Told};
use crate::judge::view::{Everything, GroupBy, GroupRow, SortBy, Whose};
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
    /// The rows were put in an order.
    Sorted {
        /// Which reading they are of.
        generation: u64,
        /// By which column.
        by: SortBy,
        /// Their places.
        order: Arc<Vec<u32>>,
    },
    /// The rows were counted in groups.
    Grouped {
        /// Which request.
        request: u64,
        /// The groups.
        groups: Vec<GroupRow>,
    },
    /// Everything of an order or of a party was found.
    Everything {
        /// Which request.
        request: u64,
        /// What was found.
        all: Box<Everything>,
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
    /// The wheel of the mouse was turned: lines, down is positive.
    Wheel(isize),
    /// The sources changed on the disk.
    Changed,
    /// A list was written.
    Exported {
        /// Its path, or why not.
        path: Result<String, Trouble>,
        /// How many rows.
        rows: usize,
    },
    /// What the book says, or what became of what was to be written.
    Settled(Told),
    /// The time of a message is over.
    MessageOver(u64),
}

impl Cmd {
    /// The answer to what only needs the loaded case, made by whoever has the time; `None` for everything else.
    pub fn answer(self, case: &dyn CaseView) -> Option<Msg> {
        Some(match self {
            Self::Search { generation, search, query } => {
                Msg::Found { generation, search, hits: query.evaluate(case) }
            }
            Self::Sort { generation, by } => Msg::Sorted { generation, by, order: Arc::new(case.sorted(by)) },
            Self::Group { request, by, rows } => Msg::Grouped { request, groups: case.grouped(&rows, by) },
            Self::Everything { request, whose } => {
                Msg::Everything { request, all: Box::new(case.everything(&whose)) }
            }
            Self::ReadRaw { request, at } => Msg::RawRead { request, record: case.raw(at) },
            _ => return None,
        })
    }
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
    /// Put all rows in an order. A newer one makes an older one pointless.
    Sort {
        /// Which reading they are of.
        generation: u64,
        /// By which column.
        by: SortBy,
    },
    /// Count rows in groups.
    Group {
        /// Number of the request.
        request: u64,
        /// What rows of a group share.
        by: GroupBy,
        /// Places of the rows.
        rows: Arc<Vec<u32>>,
    },
    /// Find everything of an order or of a party.
    Everything {
        /// Number of the request.
        request: u64,
        /// Whose.
        whose: Whose,
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
    /// Write a list as a file.
    Export(Box<Exported>),
    /// Something about the book, or about what is typed into a form.
    Settle(Todo),
    /// Say when the time of a message is over.
    Timer {
        /// Which message.
        message: u64,
        /// After how many milliseconds.
        millis: u64,
    },
    /// Ring the bell.
    Bell,
    /// Stop the program as the shell's ctrl-z does.
    Suspend,
    /// Leave.
    Quit,
}
