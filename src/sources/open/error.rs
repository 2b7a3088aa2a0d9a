//! Why a source cannot be opened, in whole sentences: what, where, and what to do next.

use thiserror::Error;

use crate::sources::frame::ContentError;
use crate::sources::ledger::server::ServerError;
use crate::sources::ledger::sqlite::SqliteError;
use crate::sources::mapping::MappingError;
use crate::sources::spec::What;

/// A source that cannot be opened.
#[derive(Debug, Error)]
#[error("{shown}: {problem}")]
pub struct OpenError {
    /// The path as the person gave it; escape before showing.
    pub shown: String,
    /// What is wrong.
    #[source]
    pub problem: Box<Problem>,
}

/// What is wrong with a source.
#[derive(Debug, Error)]
pub enum Problem {
    /// Nothing has this name.
    #[error("there is no such file{near}; check the path")]
    NotFound {
        /// "; did you mean `x`?", or nothing.
        near: String,
    },
    /// The operating system does not allow it.
    #[error("permission denied; ask its owner for the right to read it")]
    Permission,
    /// A folder.
    #[error("it is a folder; give the files in it, or a case folder with `recount.toml` alone")]
    Folder,
    /// Nothing in it.
    #[error("it is empty; if it is still being written, try again later")]
    Empty,
    /// A packed file of which not one byte can be unpacked.
    #[error("{0}; get the file again")]
    Damaged(String),
    /// The operating system says something else.
    #[error("it cannot be read: {0}")]
    Io(String),
    /// A pipe or packed file that cannot be taken into memory.
    #[error("{0}")]
    Content(ContentError),
    /// A format name that is not known.
    #[error("the format `{name}` is not known{near}; known are {known}")]
    NoFormat {
        /// The name given.
        name: String,
        /// "; did you mean `x`?", or nothing.
        near: String,
        /// All names.
        known: String,
    },
    /// A format that this build does not read.
    #[error(
        "recognised as {format} ({why}), which this build does not read yet; it can be read with a mapping of \
             its fields, or after converting it to JSON lines or CSV"
    )]
    Foreign {
        /// Its name.
        format: &'static str,
        /// Why it was recognised.
        why: String,
    },
    /// Too many envelopes around each other.
    #[error(
        "recognised as log lines in the envelope of {whose} ({why}), inside {} others: take out the inner lines first",
        crate::sources::envelope::DEEPEST
    )]
    Envelope {
        /// Whose envelope.
        whose: &'static str,
        /// Why it was recognised.
        why: String,
    },
    /// Packed or binary.
    #[error("it is {what}; make it readable first: `{command}`")]
    Packed {
        /// What it is.
        what: &'static str,
        /// The command.
        command: &'static str,
    },
    /// No records in it.
    #[error("there are no records in it: it is {seen}; give JSON lines, JSON, CSV or a SQLite database")]
    NoRecords {
        /// What was seen.
        seen: String,
    },
    /// Records of another kind.
    #[error("it holds {}, not {}; give it with {}", holds(*.is), holds(*.wanted), option(*.is))]
    OtherKind {
        /// What it holds.
        is: What,
        /// Its format.
        format: &'static str,
        /// What it was given as.
        wanted: What,
    },
    /// Names that say nothing.
    #[error("it cannot be read as {}: {why}; name its fields in the mapping", holds(*.wanted))]
    NothingKnown {
        /// What it was given as.
        wanted: What,
        /// What was seen.
        why: String,
    },
    /// The header of a table is not UTF-8.
    #[error("its header is not UTF-8; convert it with `iconv -f latin1 -t UTF-8`")]
    HeaderNotUtf8,
    /// A database that comes through a pipe.
    #[error(
        "a SQLite database cannot be read from a pipe or a packed file; give the path of the file itself"
    )]
    DatabaseFromPipe,
    /// A database given as a trace.
    #[error(
        "it is a SQLite database, and traces are not read from databases; give it with --ledger, or export the \
             attempts as JSON lines"
    )]
    TraceInDatabase,
    /// The mapping does not fit.
    #[error(transparent)]
    Mapping(#[from] MappingError),
    /// The database cannot be read.
    #[error(transparent)]
    Sqlite(#[from] SqliteError),
    /// The server cannot be read.
    #[error(transparent)]
    Server(#[from] ServerError),
}

impl Problem {
    /// The words for a content of no bytes, with what is wrong at its end.
    pub(super) fn nothing(damage: Option<String>) -> Self {
        damage.map_or(Self::Empty, Self::Damaged)
    }

    /// The words for bytes that cannot be had.
    pub(super) fn content(error: ContentError) -> Self {
        match error {
            ContentError::Folder => Self::Folder,
            ContentError::Io(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
                Self::Permission
            }
            ContentError::Io(error) => Self::Io(error.to_string()),
            error => Self::Content(error),
        }
    }
}

fn holds(what: What) -> &'static str {
    match what {
        What::Trace => "attempts (a trace)",
        What::Ledger => "effects (a ledger)",
        What::Expectations => "expectations",
        What::Intents => "intent records",
    }
}

fn option(what: What) -> &'static str {
    match what {
        What::Trace => "--trace",
        What::Ledger => "--ledger",
        What::Expectations | What::Intents => "--expect",
    }
}
