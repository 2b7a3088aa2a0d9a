//! `recount audit ..`: the log of the book (`7-commands.md` 7.5.3, `3-lifecycle.md` 3.6). What is printed was verified
//! first: a chain that does not hold is said on standard error, and the exit code is 6.

pub mod anchor;
pub mod erase;
pub mod export;
pub mod head;
pub mod list;
pub mod population;
pub mod verify;

use std::path::{Path, PathBuf};

use crate::book::entry::Draft;
use crate::book::verify::{Known, Verdict, of_book};
use crate::book::{Action, Book, BookError, HeadTo, Options, Subject, View, clock};
use crate::config::{self, Config};
use crate::lifecycle::refusal::Refusal;
use crate::model::time::{Micros, Zone, parse_time};

use super::call::Call;
use super::failure::Failure;
use super::input::reads;
use super::operator;
use super::options::{Opt, Set, Takes, flag, one};

/// Name of the book of a case.
const NAME: &str = "book.db";
/// Exit code for what is refused.
const REFUSED: u8 = 5;
/// Exit code for a chain that does not hold.
pub const BROKEN: u8 = 6;

const BOOK_OPT: Opt = one("book", "F", Takes::Path, "the book; default book.db of the case");
const CASE_OPT: Opt = one("case", "DIR", Takes::Path, "a case folder; the same as its path");
const NOW_OPT: Opt = one(
    "now",
    "T",
    Takes::Time,
    "the time that things are shown for; what is written has the time of the machine",
);
const WHO_OPT: Opt =
    one("operator", "NAME", Takes::Text, "who does it; else RECOUNT_OPERATOR or the system user");

/// Which book.
#[rustfmt::skip]
pub const BOOK: Set = Set { heading: "book", options: &[BOOK_OPT, CASE_OPT, NOW_OPT, WHO_OPT] };

/// Which entries.
#[rustfmt::skip]
pub const ENTRIES: Set = Set { heading: "entries", options: &[
    one("from", "T", Takes::Time, "entries from here on"),
    one("to", "T", Takes::Time, "entries before this"),
    one("intent", "ID", Takes::Text, "entries about this item"),
    one("action", "WORD", Takes::Text, "entries of this action: resolve, readback, note, .."),
    one("by", "NAME", Takes::Text, "entries of this person"),
] };

/// Where an export goes.
#[rustfmt::skip]
pub const EXPORT: Set = Set { heading: "output", options: &[
    one("format", "F", Takes::Word(&["jsonl", "markdown", "md", "resolutions"]), "jsonl (the chain, verifiable), markdown (to read) or resolutions (for the system that owns the intents); default jsonl"),
    one("out", "F", Takes::Path, "into a file, never over another one; its path is printed; with jsonl its head goes to F.head.json"),
    flag("force", "--out may overwrite"),
] };

/// Where an anchor goes.
#[rustfmt::skip]
pub const ANCHOR: Set = Set { heading: "output", options: &[
    one("out", "F", Takes::Path, "the line into a file, never over another one; without it it is sent where [audit] head_to says"),
    flag("force", "--out may overwrite"),
] };

/// Which decisions.
#[rustfmt::skip]
pub const POPULATION: Set = Set { heading: "decisions", options: &[
    one("from", "T", Takes::Time, "decisions from here on"),
    one("to", "T", Takes::Time, "decisions before this"),
    one("sample", "N", Takes::Number, "so many rows, drawn by the seed"),
    one("seed", "S", Takes::Text, "the seed of the sample"),
    one("format", "F", Takes::Word(&["csv", "json"]), "csv or json; default csv"),
    one("out", "F", Takes::Path, "into a file, never over another one; its path is printed"),
    flag("force", "--out may overwrite"),
] };

/// Which evidence.
#[rustfmt::skip]
pub const ERASE: Set = Set { heading: "evidence", options: &[
    one("reason", "T", Takes::Text, "why; it stands in the log"),
] };

/// What a chain is held against.
#[rustfmt::skip]
pub const VERIFY: Set = Set { heading: "what is verified", options: &[
    one("expect-head", "SEQ:HASH", Takes::Text, "a head that was kept elsewhere"),
    one("file", "F", Takes::Path, "an export instead of the book"),
    one("sig", "F", Takes::Path, "a signature of F.head.json, by ssh-keygen -Y sign -n recount-audit"),
    one("allowed-signers", "F", Takes::Path, "who may have signed, as ssh-keygen has it"),
] };

/// The book of a call, and what belongs to it.
pub struct Found {
    /// The file.
    pub path: PathBuf,
    /// Config of the case; empty without one.
    pub config: Config,
}

/// Where the book of a call is.
///
/// # Errors
/// A config that cannot be read.
pub fn find(call: &Call) -> Result<Found, Failure> {
    let given = call.path("case").or_else(|| call.paths("paths").first().map(PathBuf::from));
    let folder = given.clone().unwrap_or_else(|| PathBuf::from("."));
    let is_file = folder.is_file();
    let toml = if is_file { None } else { Some(folder.join(config::NAME)).filter(|path| path.is_file()) };
    let config = match &toml {
        Some(path) => config::read(path).map_err(|why| Failure::input(&why.to_string()))?,
        None => Config::default(),
    };
    let path = match call.path("book") {
        Some(book) => book,
        None if is_file => folder,
        None => folder.join(NAME),
    };
    Ok(Found { path, config })
}

impl Found {
    /// Verifies the book and opens it for reading.
    ///
    /// # Errors
    /// No book, or one that cannot be read at all.
    pub fn look(&self, call: &Call) -> Result<(Book, Verdict), Failure> {
        call.spare(&self.reads(call))?;
        let verdict = of_book(&self.path, Known::default()).map_err(failure)?;
        let book = Book::look(&self.path).map_err(failure)?;
        Ok((book, verdict))
    }

    /// Every file of the case, and its book: `--out` writes none of them.
    fn reads(&self, call: &Call) -> Vec<PathBuf> {
        // A config that names no case that can be read is a file of the case all the same.
        let spec = config::case::spec(&self.config).unwrap_or_default();
        let looked = [self.path.clone(), self.config.folder().join(config::NAME)];
        reads::of_case(call, &spec, None, &looked)
    }

    /// Where heads of this case go.
    ///
    /// # Errors
    /// A value of the config that names no place.
    pub fn head_to(&self) -> Result<HeadTo, Failure> {
        match &self.config.file.audit.head_to {
            None => Ok(HeadTo::usual()),
            Some(text) => HeadTo::parse(text, &self.config.folder()).ok_or_else(|| {
                Failure::input(&format!(
                    "[audit] head_to cannot be {text:?}; write \"syslog\", \"file:PATH\", \"command:PATH\" or \"none\""
                ))
            }),
        }
    }

    /// Opens the book for writing.
    ///
    /// # Errors
    /// What keeps it from being written; a config value that does not fit.
    pub fn open(&self) -> Result<Book, Failure> {
        let options = Options { head_to: self.head_to()?, ..Options::default() };
        Book::open(&self.path, &options).map_err(failure)
    }

    /// Writes that something left the book, where somebody is known who took it and the book can be written. What left
    /// is not held back by a log that cannot be written: it is said.
    pub fn log(&self, call: &Call, action: Action, after: serde_json::Value) {
        let logged = self.try_log(call, action, after);
        if let Err(why) = logged {
            call.notes.note(&format!("not logged: {why}"));
        }
    }

    fn try_log(&self, call: &Call, action: Action, after: serde_json::Value) -> Result<(), String> {
        if call.flag("read-only") {
            return Err("--read-only".to_owned());
        }
        let who = operator::operator(call, &self.config).map_err(|refused| refused.because)?;
        let mut book = self.open().map_err(|failure| failure.text)?;
        let case = book.view().and_then(View::case_id).map_err(|why| why.to_string())?.unwrap_or_default();
        let draft = Draft::new(action, &operator::actor(&who), Subject::new("case", &case))
            .change(serde_json::Value::Null, after);
        let written: Result<_, BookError> = book.write(&clock::now(), |writer| writer.append(&draft));
        written.map(|_| ()).map_err(|why| why.to_string())
    }
}

/// A time that the parser of options has let through.
fn time(text: &str) -> Micros {
    parse_time(text, &Zone::Utc).begin()
}

/// What a failure of the book is to the command line: refused where nothing may be written, else input.
pub fn failure(why: BookError) -> Failure {
    let input = Failure::input(&why.to_string());
    let refused = matches!(
        why,
        BookError::NotOurs { .. }
            | BookError::ReadOnly { .. }
            | BookError::Locked { .. }
            | BookError::Full { .. }
            | BookError::NotSaved { .. }
            | BookError::NotKnown { .. }
            | BookError::Changed { .. }
            | BookError::Twice { .. }
            | BookError::Missing { .. }
            | BookError::NotSigned(_)
    );
    match why {
        BookError::Broken { .. } => Failure { exit: BROKEN, ..input },
        _ if refused => Failure { exit: REFUSED, ..input },
        _ => input,
    }
}

/// A refusal, said.
pub fn refused(refusal: &Refusal) -> Failure {
    let mut text = refusal.headline();
    for (name, lines) in refusal.parts() {
        for line in lines {
            text.push_str(&format!("\n  {name:<8} {line}"));
        }
    }
    Failure { exit: REFUSED, ..Failure::input(&text) }
}

/// The exit code, with the failure of the chain said.
fn exit(call: &Call, verdict: &Verdict) -> u8 {
    if verdict.holds() {
        return 0;
    }
    if let Some(line) = verdict.lines().first() {
        call.notes.error(&crate::text::SafeText::new(line).shown());
    }
    BROKEN
}

/// The case of a book, for its exports.
fn case_of(book: &Book, path: &Path) -> String {
    let named = book.view().and_then(View::case_id).ok().flatten();
    let folder = || path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    named.or_else(folder).unwrap_or_default()
}
