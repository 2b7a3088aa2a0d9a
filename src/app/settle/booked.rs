//! What the book and the surroundings say when a form is opened, what a form asks to be written, and what became of it.

use crate::app::case::Trouble;
use crate::lifecycle::facts::Read;
use crate::lifecycle::policy::Policy;
use crate::lifecycle::refusal::Refusal;
use crate::model::time::Micros;

/// What the book and the surroundings say. Texts are raw.
#[derive(Clone, Debug)]
pub struct Looked {
    /// Who would decide, or why nobody is known.
    pub operator: Result<String, Refusal>,
    /// Why nothing can be written; `None` where it can.
    pub blocked: Option<Refusal>,
    /// The policy in force.
    pub policy: Policy,
    /// The clock of the machine: guards and deadlines go by it.
    pub now: Micros,
    /// Number of the entry that would be written next.
    pub next: i64,
    /// The audit head: number and hash; empty without an entry.
    pub head: (i64, String),
    /// One for each intent that was asked for, in that order.
    pub items: Vec<Booked>,
    /// What was typed before and not written.
    pub draft: Option<String>,
}

/// What the book says of one intent.
#[derive(Clone, Debug, Default)]
pub struct Booked {
    /// Its version; 0 where the book does not know it.
    pub version: u64,
    /// Its read-backs.
    pub reads: Vec<Read>,
    /// The last note on it.
    pub last_note: String,
    /// Its owner.
    pub owner: String,
    /// Whom it was handed to; empty where to nobody.
    pub escalated_to: String,
    /// The reference that shows it.
    pub delivered: String,
    /// A request that waits for a second person.
    pub pending: Option<Pending>,
}

/// A request that waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pending {
    /// Its entry.
    pub seq: i64,
    /// Who asked.
    pub by: String,
    /// The operator asked for it.
    pub mine: bool,
    /// Until when.
    pub until: Micros,
    /// Its note.
    pub note: String,
    /// What is to be done: `failed`, `unlink`, `written-off`.
    pub to: String,
    /// Digest of its file.
    pub digest: String,
    /// It rests on these facts.
    pub fingerprint: String,
}

/// What is to be written: a command as it would be typed, without the case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Order {
    /// The command and its words: `resolve`, `int_4813`, `--to`, `confirmed`.
    pub words: Vec<String>,
    /// Version and fingerprint that the operator saw.
    pub seen: Option<(u64, String)>,
    /// A file that the command writes: the name that it would like.
    pub file: Option<String>,
    /// Items of many, with the facts that the operator saw: ids and fingerprints.
    pub many: Vec<(String, String)>,
    /// What it is about, for the log: `int_4813`.
    pub subject: String,
}

/// What became of an order. Nothing is shown as done before the book has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It is in the book.
    Done(Done),
    /// A rule says no; nothing but the refusal was written.
    Refused(Refused),
    /// It could not be done, and nothing was written: why, and what to do next.
    Failed(Trouble),
    /// Nobody can tell whether it was written: the book cannot be read. Entries before it, and why.
    Unsure {
        /// The last entry before.
        before: i64,
        /// What the system said.
        why: String,
    },
}

/// What was written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// Numbers of the entries that were added.
    pub entries: Vec<i64>,
    /// The head now.
    pub head: (i64, String),
    /// A second person has to agree: the request with its number and until when.
    pub waits: Option<Waits>,
    /// The state from and to, where one changed.
    pub moved: Option<(String, String)>,
    /// Of many: the batch, and each item with what became of it.
    pub batch: Option<Batch>,
}

/// A request that was written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Waits {
    /// Its entry.
    pub seq: i64,
    /// Digest.
    pub digest: String,
    /// Path of its file, as shown; empty where there is none.
    pub file: String,
    /// Bytes of the file.
    pub bytes: u64,
}

/// Many that were written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Batch {
    /// Its id.
    pub id: String,
    /// Item, `done`, `refused` or `changed meanwhile`, and why.
    pub rows: Vec<(String, String, String)>,
}

/// A refusal as it came back: its parts are shown as they are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refused {
    /// `R-FAIL-COVER`.
    pub code: String,
    /// Words of its group.
    pub group: String,
    /// Its sentence.
    pub sentence: String,
    /// The four parts, each with its lines; empty ones left out.
    pub parts: Vec<(&'static str, Vec<String>)>,
    /// The entry that has it; `None` where it could not be logged.
    pub entry: Option<i64>,
    /// The head now.
    pub head: (i64, String),
}

impl Refused {
    /// Of a refusal that was not asked of the book.
    pub fn of(refusal: &Refusal) -> Self {
        Self {
            code: refusal.code.word().to_owned(),
            group: refusal.code.group().words().to_owned(),
            sentence: refusal.code.sentence().to_owned(),
            parts: refusal.parts().into_iter().map(|(name, lines)| (name, lines.to_vec())).collect(),
            ..Self::default()
        }
    }
}

/// The log as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Log {
    /// Whether the chain holds: the first failure as entry and words.
    pub broken: Option<(i64, String)>,
    /// When it was walked.
    pub at: Micros,
    /// Entries, oldest first; the newest [`super::audit::MOST`] of them.
    pub entries: Vec<Logged>,
    /// All entries.
    pub count: u64,
    /// Where the head was sent last: place and time; `None` where it never left.
    pub left: Option<(String, Micros)>,
    /// What else is to be said of the chain.
    pub warnings: Vec<String>,
}

/// One entry, ready to be shown. Texts are raw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Logged {
    /// Its number.
    pub seq: i64,
    /// When.
    pub at: Micros,
    /// Who.
    pub who: String,
    /// How the name is known, and from which machine.
    pub known: String,
    /// What was done, in words.
    pub what: String,
    /// The item: type and id.
    pub subject: (String, String),
    /// The code of a refusal; empty for all else.
    pub code: String,
    /// Its note.
    pub note: String,
    /// Its evidence.
    pub evidence: Vec<String>,
    /// Hash, and that of the entry before.
    pub hash: (String, String),
    /// Signed.
    pub signed: bool,
    /// A decision under break-glass.
    pub glass: bool,
    /// Its batch.
    pub batch: String,
    /// The canonical text.
    pub text: String,
}

/// What the runtime is asked for.
#[derive(Clone, PartialEq, Debug)]
pub enum Todo {
    /// Look into the book, for these intents and with this draft.
    Look {
        /// Number of the request.
        request: u64,
        /// Intent ids.
        intents: Vec<String>,
        /// Name of the draft.
        draft: String,
    },
    /// Write an order.
    Write {
        /// Number of the request.
        request: u64,
        /// What.
        order: Order,
    },
    /// Look whether an order was written after all.
    Recheck {
        /// Number of the request.
        request: u64,
        /// What.
        order: Order,
        /// The last entry before it.
        before: i64,
    },
    /// Keep what was typed; an empty text forgets it.
    Keep {
        /// Name of the draft.
        draft: String,
        /// What was typed.
        text: String,
    },
    /// Open the editor of the person on a text.
    Edit {
        /// Number of the request.
        request: u64,
        /// The text.
        text: String,
    },
    /// Read the log.
    ReadLog {
        /// Number of the request.
        request: u64,
    },
}

/// What the runtime answers.
#[derive(Debug)]
pub enum Told {
    /// What the book says.
    Looked(u64, Result<Box<Looked>, Trouble>),
    /// What became of an order.
    Written(u64, Box<Outcome>),
    /// What the editor left, or why it could not be opened.
    Edited(u64, Result<String, Trouble>),
    /// The log.
    LogRead(u64, Result<Box<Log>, Trouble>),
}
