//! Opening a source: what it is, how its fields are found, and whether it can be read at all.
//!
//! [`open`] gives an [`Opened`] or an error that says what, where and what to do next. Reading is in `read`, looking
//! at one record again in `look`.

mod ahead;
mod calls;
mod error;
mod export;
mod feed;
mod ids;
mod look;
mod make;
mod read;
mod what;
mod worker;

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub(in crate::sources) use calls::holds_calls;
pub use error::{OpenError, Problem};
pub use ids::{all_trace_ids, trace_ids};
pub use look::RawRecord;
pub use read::{Finished, ReadFailure};
pub use worker::Worker;

use calls::Recorded;
use export::Exported;
use make::{Context, open_database, open_server};
use what::{blank_ledger, what_it_is};

use super::csv::Dialect;
use super::envelope::{self, Unwrapped};
use super::expect::Records;
use super::formats::{FORMATS, FormatName, named};
use super::frame::{self, Bytes, Limits};
use super::json::Parser;
use super::ledger::experiment::Effects;
use super::ledger::generic::LedgerRows;
use super::ledger::server::{PATIENCE, ServerLedger};
use super::ledger::sqlite::choose::TraceIds;
use super::ledger::sqlite::connect::Database;
use super::ledger::sqlite::select::Selected;
use super::ledger::table::ledgered;
use super::mapping::Columns;
use super::near::listed;
use super::sidecar::{self, Sidecar};
use super::sniff::{Framing, SQLITE_MAGIC, Sniff, sniff};
use super::spec::{Location, SourceSpec};
use super::trace::experiment::Experiment;
use super::trace::generic::Generic;
use super::trace::native::Native;
use super::trace::table::traced;

/// So much of a file is looked at to see what it is.
const HEAD: usize = 256 << 10;

/// The reading of a database is stopped after this, unless said otherwise.
pub const TIME_LIMIT: Duration = Duration::from_secs(600);

/// What is known beside the source itself.
#[derive(Debug, Clone)]
pub struct Hints<'h> {
    /// Fields that tell partitions apart anywhere in the case (`where`, C6).
    pub partitions: &'h [String],
    /// Ids of the loaded traces, for the choice of a table and for own statements.
    pub trace_ids: Option<&'h TraceIds>,
    /// Which JSON parser reads.
    pub parser: Parser,
    /// Stops the opening.
    pub cancel: Arc<AtomicBool>,
    /// Time limit of reading a database.
    pub time_limit: Duration,
    /// How long open transactions of a live database are waited for (`4-sources.md` 4.5).
    pub patience: Duration,
    /// How much longer than its calls the window of the trace is: callers that wait, requests that live on,
    /// microseconds.
    pub reach: i64,
    /// Limits of packed files and pipes.
    pub limits: Limits,
    /// So many threads may read one source.
    pub threads: usize,
}

impl Default for Hints<'_> {
    fn default() -> Self {
        Self {
            partitions: &[],
            trace_ids: None,
            parser: Parser::default(),
            cancel: Arc::default(),
            time_limit: TIME_LIMIT,
            patience: PATIENCE,
            reach: 0,
            limits: Limits::default(),
            threads: 1,
        }
    }
}

/// A source that is ready to be read.
#[derive(Debug)]
pub struct Opened {
    /// What was to be opened; options of a sidecar are filled in.
    pub spec: SourceSpec,
    /// Name of its format.
    pub format: &'static str,
    /// How records follow each other.
    pub framing: Framing,
    /// Why it is that format; empty where it was said.
    pub why: String,
    /// Whose envelopes were taken off, the outermost first.
    pub envelopes: Vec<&'static str>,
    unwrapped: Option<Unwrapped>,
    /// How the fields were found: "columns by name".
    pub mapping: String,
    /// Which column or path stands for which field.
    pub found: Vec<(String, String)>,
    /// What a person should know: a table that was chosen, a sidecar that differs.
    pub notes: Vec<String>,
    /// The sidecar, where there is one.
    pub sidecar: Option<Sidecar>,
    /// The file was packed and breaks off: the words. What was read before that place is used.
    pub damage: Option<String>,
    body: Body,
    parser: Parser,
    /// Counted when the first place is shown.
    lines: OnceLock<crate::sources::frame::LineIndex>,
}

/// Where the records come from.
#[derive(Debug)]
enum Body {
    Json { bytes: Bytes, format: JsonFormat, list: Option<String> },
    Table { bytes: Bytes, format: TableFormat, dialect: Dialect, columns: Box<Columns>, body: u64 },
    Effects { bytes: Bytes, effects: Effects },
    Calls { bytes: Bytes, recorded: Box<Recorded> },
    Export { bytes: Bytes, exported: Box<Exported> },
    Database { database: Database, selected: Box<Selected>, format: TableFormat },
    Server { ledger: Box<ServerLedger>, format: TableFormat },
}

/// Formats of JSON records.
#[derive(Debug)]
enum JsonFormat {
    Native(Box<Native>),
    Experiment(Box<Experiment>),
    Generic(Box<Generic>),
    Ledger(Box<LedgerRows>),
    Records(Box<Records>),
}

/// Formats of rows with columns.
#[derive(Debug)]
enum TableFormat {
    Trace(Box<Generic>),
    Ledger(Box<LedgerRows>),
    Records(Box<Records>),
}

/// Opens a source.
///
/// # Errors
/// When it is not there, not readable, not what it was given as, or when its fields cannot be found.
pub fn open(spec: &SourceSpec, hints: &Hints<'_>) -> Result<Opened, OpenError> {
    let shown = spec.shown.clone();
    let fail = |problem: Problem| OpenError { shown: shown.clone(), problem: Box::new(problem) };
    let mut spec = spec.clone();
    let asked = asked_format(&spec).map_err(fail)?;
    if let Location::Server(server) = &spec.location {
        return open_server(&spec, server, hints).map_err(fail);
    }
    let (mut notes, mut beside) = (Vec::new(), None);
    if let Location::File(path) = &spec.location {
        check_path(path).map_err(fail)?;
        if is_database(path, asked) {
            return open_database(spec.clone(), path, hints).map_err(fail);
        }
        beside = sidecar::beside(path).unwrap_or_else(|why| {
            notes.push(format!("the sidecar cannot be read: {why}"));
            None
        });
    }
    if let Some(sidecar) = &beside {
        notes.extend(sidecar.fill(&mut spec.options));
    }
    let (bytes, damage) = content(&spec.location, hints).map_err(fail)?;
    let head = head(&bytes).map_err(fail)?;
    let Bare { bytes, head, unwrapped, envelopes, why } =
        bare(bytes, head, &spec, asked, hints).map_err(fail)?;
    if unwrapped.as_ref().is_some_and(Unwrapped::has_times) {
        notes.push("where a line has no time, that of its envelope serves".to_owned());
    }
    let blank = blank_ledger(&spec, asked, &bytes, &head).filter(|_| damage.is_none() || !bytes.is_empty());
    let found = match blank {
        Some(found) => found,
        None if bytes.is_empty() => return Err(fail(Problem::nothing(damage))),
        None => what_it_is(&head, &spec, asked).map_err(fail)?,
    };
    let context = Context { spec: &spec, hints, head: &head, found: &found };
    let made = match found.framing {
        Framing::Sqlite => return Err(fail(Problem::DatabaseFromPipe)),
        _ if ledgered(found.format).is_some() => context.export(bytes),
        Framing::Csv => context.table(bytes),
        Framing::Document => Context::effects(bytes),
        _ if traced(found.format).is_some() => context.calls(bytes),
        Framing::Lines => return Err(fail(Problem::NoRecords { seen: "lines of text".to_owned() })),
        Framing::JsonLines | Framing::Json => context.json(bytes),
    };
    let made = made.map_err(fail)?;
    if let Some(format) = ledgered(found.format) {
        notes.extend(format.rules.iter().map(|rule| (*rule).to_owned()));
        if let Body::Export { exported, .. } = &made.body {
            notes.extend(format.left_out(&exported.setup.header).map(str::to_owned));
        }
    }
    Ok(Opened {
        format: found.format,
        framing: found.framing,
        why: if why.is_empty() { found.why.clone() } else { format!("{why}; {}", found.why) },
        envelopes,
        unwrapped,
        mapping: made.mapping,
        found: made.found,
        notes,
        sidecar: beside,
        damage,
        body: made.body,
        parser: hints.parser,
        lines: OnceLock::new(),
        spec,
    })
}

/// A content without its envelopes.
struct Bare {
    bytes: Bytes,
    head: Vec<u8>,
    unwrapped: Option<Unwrapped>,
    envelopes: Vec<&'static str>,
    why: String,
}

/// Takes the envelopes off. A mapping may mean the members of the envelope itself: then it stays.
fn bare(
    bytes: Bytes,
    head_of: Vec<u8>,
    spec: &SourceSpec,
    asked: Option<FormatName>,
    hints: &Hints<'_>,
) -> Result<Bare, Problem> {
    let mut bare = Bare { bytes, head: head_of, unwrapped: None, envelopes: Vec::new(), why: String::new() };
    let stays = asked.is_none_or(|format| matches!(format.name, "generic" | "json" | "jsonl" | "csv"))
        && !spec.options.columns.is_empty();
    while !stays && bare.envelopes.len() < envelope::DEEPEST {
        let Sniff::Envelope { envelope, lines, why, .. } = sniff(&bare.head, None) else { break };
        let inside = envelope::take_off(envelope, &bare.bytes, lines, &hints.cancel)
            .map_err(|error| Problem::Io(error.to_string()))?;
        let inside = match bare.unwrapped.take() {
            Some(outer) => inside.inside(&outer),
            None => inside,
        };
        bare.bytes = inside.bytes();
        bare.head = head(&bare.bytes)?;
        bare.unwrapped = Some(inside);
        bare.envelopes.push(envelope.whose);
        if bare.why.is_empty() {
            bare.why = why;
        }
    }
    Ok(bare)
}

/// What a file or pipe is, for paths that were given without a role (`4-sources.md` 4.15). What can be read only once
/// comes back as bytes in memory: open that, not the path again.
///
/// # Errors
/// When it is not there, not readable or empty.
pub fn look_at(location: &Location, hints: &Hints<'_>) -> Result<(Sniff, Location), Problem> {
    if let Location::File(path) = location {
        check_path(path)?;
    }
    let (bytes, damage) = content(location, hints)?;
    if bytes.is_empty() {
        return Err(Problem::nothing(damage));
    }
    let found = sniff(&head(&bytes)?, None);
    let once = match location {
        Location::File(path) => !std::fs::metadata(path).is_ok_and(|kind| kind.is_file()),
        Location::Memory(_) | Location::Server(_) => false,
    };
    let kept = match bytes {
        Bytes::Memory(all) if once => Location::Memory(all.as_slice().into()),
        _ => location.clone(),
    };
    Ok((found, kept))
}

/// The format that was named, where it is one that can be read.
fn asked_format(spec: &SourceSpec) -> Result<Option<FormatName>, Problem> {
    let Some(name) = &spec.format else { return Ok(None) };
    let Some(format) = named(name) else {
        let names = FORMATS.map(|format| format.name);
        let near = super::near::did_you_mean(name, names);
        return Err(Problem::NoFormat { name: name.clone(), near, known: listed(&names, names.len()) });
    };
    if !format.is_read() {
        return Err(Problem::Foreign { format: format.name, why: "it was named".to_owned() });
    }
    Ok(Some(format))
}

/// Whether the path leads to something; the words for what it does not.
fn check_path(path: &Path) -> Result<(), Problem> {
    match std::fs::metadata(path) {
        Ok(kind) if kind.is_dir() => Err(Problem::Folder),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(Problem::NotFound { near: near_file(path) }),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(Problem::Permission),
        Err(error) => Err(Problem::Io(error.to_string())),
    }
}

/// "; did you mean `x`?" for a file beside it with nearly this name.
fn near_file(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .take(1000)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    super::near::did_you_mean(name, names.iter().map(String::as_str))
}

fn is_database(path: &Path, asked: Option<FormatName>) -> bool {
    if let Some(format) = asked {
        return format.name == "sqlite";
    }
    // Looking into a pipe would take its bytes away.
    if !std::fs::metadata(path).is_ok_and(|kind| kind.is_file()) {
        return false;
    }
    let mut magic = [0; SQLITE_MAGIC.len()];
    let read = File::open(path).and_then(|file| file.read_exact_at(&mut magic, 0));
    read.is_ok() && magic == SQLITE_MAGIC
}

/// The bytes of a source, and what is wrong at their end.
fn content(location: &Location, hints: &Hints<'_>) -> Result<(Bytes, Option<String>), Problem> {
    match location {
        Location::File(path) => {
            let (bytes, damage) = frame::open(path, hints.limits, &hints.cancel).map_err(Problem::content)?;
            Ok((bytes, damage.map(|damage| damage.to_string())))
        }
        Location::Memory(bytes) => {
            let content =
                frame::content(&bytes[..], hints.limits, &hints.cancel).map_err(Problem::content)?;
            Ok((Bytes::from(content.bytes), content.damage.map(|damage| damage.to_string())))
        }
        // Servers are opened before anybody asks for bytes.
        Location::Server(_) => Ok((Bytes::Memory(Vec::new().into()), None)),
    }
}

/// The first bytes.
fn head(bytes: &Bytes) -> Result<Vec<u8>, Problem> {
    match bytes {
        Bytes::Memory(all) => Ok(all.get(..HEAD.min(all.len())).unwrap_or_default().to_vec()),
        Bytes::File { file, len } => {
            let mut head = vec![0; usize::try_from(*len).unwrap_or(HEAD).min(HEAD)];
            file.read_exact_at(&mut head, 0).map_err(|error| Problem::Io(error.to_string()))?;
            Ok(head)
        }
    }
}

impl Opened {
    /// The name under which it is spoken of: the file's own name, else what the person gave.
    pub fn name(&self) -> String {
        match &self.spec.location {
            Location::File(path) => path
                .file_name()
                .map_or_else(|| self.spec.shown.clone(), |name| name.to_string_lossy().into_owned()),
            Location::Memory(_) | Location::Server(_) => self.spec.shown.clone(),
        }
    }

    /// The resolved path of a database.
    pub fn resolved(&self) -> Option<&PathBuf> {
        match &self.body {
            Body::Database { database, .. } => Some(&database.resolved),
            _ => None,
        }
    }

    /// The table of a database.
    pub fn table(&self) -> Option<&str> {
        match &self.body {
            Body::Database { selected, .. } => Some(&selected.chosen.table.name),
            Body::Server { ledger, .. } => Some(ledger.table()),
            _ => None,
        }
    }

    /// The query of a database, ready to copy.
    pub fn query(&self) -> Option<String> {
        match &self.body {
            Body::Database { selected, .. } => Some(selected.shown()),
            Body::Server { ledger, .. } => Some(ledger.shown()),
            _ => None,
        }
    }

    /// What would be asked of a server beside a trace; `None` where the source is read whole.
    pub fn would_ask(&self) -> Option<String> {
        match &self.body {
            Body::Server { ledger, .. } => Some(ledger.plan().would_ask()),
            _ => None,
        }
    }

    /// One line of SQL that confirms the totals, where it is a database with amounts.
    pub fn confirm(&self) -> Option<String> {
        match &self.body {
            Body::Database { selected, .. } => selected.confirming(&self.spec.options),
            Body::Server { ledger, .. } => ledger.confirming(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
