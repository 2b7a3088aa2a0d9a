//! From a [`CaseSpec`] to a loaded [`Case`]: opens, reads, and puts together.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::model::row::{At, SourceNo};
use crate::model::time::{Micros, Zone};
use crate::sources::json::Parser;
use crate::sources::ledger::server::PATIENCE;
use crate::sources::ledger::sqlite::SqliteError;
use crate::sources::open::{Hints, OpenError, Opened, Problem, all_trace_ids, open, trace_ids};
use crate::sources::spec::{CaseSpec, Location, SourceSpec, ToolSpec, What};

use super::case::{Case, Parts};
use super::places::Places;
use super::read::read;
use super::setting::{self, Found};

/// How much of a source was read.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Index of the source.
    pub source: usize,
    /// Bytes read.
    pub done: u64,
    /// Bytes in all; 0 where that is not known.
    pub of: u64,
}

/// How to load.
pub struct Options<'a> {
    /// Threads to use.
    pub threads: usize,
    /// Set to stop; what was read until then is kept.
    pub cancel: Arc<AtomicBool>,
    /// Told of progress, from any thread.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// Which JSON parser reads.
    pub parser: Parser,
    /// How long open transactions of a live database are waited for (`4-sources.md` 4.5).
    pub patience: Duration,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            cancel: Arc::default(),
            progress: None,
            parser: Parser::default(),
            patience: PATIENCE,
        }
    }
}

/// Why nothing could be loaded. The words may hold text from outside: escape before showing.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The fixed clock cannot be read.
    #[error("the time `{0}` cannot be read; write it like 2026-11-30T09:14:07Z")]
    Clock(String),
    /// The only trace, or the only ledger, cannot be opened.
    #[error("{}", .0.join("\n"))]
    Input(Vec<String>),
    /// Nothing was given.
    #[error("nothing to load: give a trace and a ledger, or a case folder")]
    Nothing,
}

/// What kind of mistake it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// Exit 2.
    Usage,
    /// Exit 4.
    Input,
}

impl LoadError {
    /// What kind of mistake it was (`7-commands.md` 7.5.5).
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Clock(_) | Self::Nothing => ErrorKind::Usage,
            Self::Input(_) => ErrorKind::Input,
        }
    }
}

/// The clock of a case, and whether it is fixed.
pub fn clock_of(spec: &CaseSpec) -> Result<(Micros, bool), LoadError> {
    match &spec.now {
        Some(text) => setting::config_time(text, &Zone::Utc)
            .map(|now| (now, true))
            .ok_or_else(|| LoadError::Clock(text.clone())),
        None => Ok((real_clock(), false)),
    }
}

fn real_clock() -> Micros {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

/// Loads a case. A source that cannot be opened is part of the case, with its reason, unless it was the only trace
/// or the only ledger.
///
/// # Errors
/// See [`LoadError`].
pub fn load(spec: CaseSpec, options: &Options<'_>) -> Result<Case, LoadError> {
    let (now, _) = clock_of(&spec)?;
    if spec.sources.is_empty() {
        return Err(LoadError::Nothing);
    }
    let mut spec = spec;
    let partitions: Vec<String> = {
        let mut fields: Vec<String> =
            spec.sources.iter().flat_map(|s| &s.options.partition).map(|(field, _)| field.clone()).collect();
        fields.sort();
        fields.dedup();
        fields
    };
    let mut opened: Vec<Option<Opened>> = spec.sources.iter().map(|_| None).collect();
    let mut errors: Vec<Option<OpenError>> = spec.sources.iter().map(|_| None).collect();
    let first = |s: &SourceSpec| s.what != What::Ledger;
    let order = |wanted: bool| {
        spec.sources
            .iter()
            .enumerate()
            .filter(move |(_, s)| first(s) == wanted)
            .map(|(no, _)| no)
            .collect::<Vec<_>>()
    };
    for no in order(true) {
        open_one(&spec, no, &hints(&partitions, options), &mut opened, &mut errors);
    }
    let reach = reach(&spec);
    for no in order(false) {
        // A server is asked for the ids of the traces.
        if matches!(spec.sources[no].location, Location::Server(_)) {
            let traces: Vec<&Opened> =
                opened.iter().flatten().filter(|o| o.spec.what != What::Ledger).collect();
            let ids = all_trace_ids(&traces, &options.cancel);
            let hints = Hints { trace_ids: Some(&ids), reach, ..hints(&partitions, options) };
            open_one(&spec, no, &hints, &mut opened, &mut errors);
            continue;
        }
        let plain = hints(&partitions, options);
        open_one(&spec, no, &plain, &mut opened, &mut errors);
        let asks_for_ids = errors[no]
            .as_ref()
            .is_some_and(|e| matches!(*e.problem, Problem::Sqlite(SqliteError::Several { .. })))
            || spec.sources[no].options.sql.is_some();
        if asks_for_ids {
            let traces: Vec<&Opened> =
                opened.iter().flatten().filter(|o| o.spec.what == What::Trace).collect();
            let ids = trace_ids(&traces, &options.cancel);
            let hints = Hints { trace_ids: Some(&ids), ..hints(&partitions, options) };
            let again = open(&spec.sources[no], &hints);
            match again {
                Ok(source) => (opened[no], errors[no]) = (Some(source), None),
                Err(error) => errors[no] = Some(error),
            }
        }
    }
    refuse_if_only(&spec, &errors)?;
    // A sidecar fills in options.
    for (source, ready) in spec.sources.iter_mut().zip(&opened) {
        if let Some(ready) = ready {
            source.options = ready.spec.options.clone();
        }
    }
    let logical = logical(&spec);
    let reading = setting::reading(&spec, &logical, now);
    let outcome = read(&opened, &reading, options);
    let found = spec
        .sources
        .iter()
        .enumerate()
        .map(|(no, source)| {
            let error = errors.get(no).and_then(Option::as_ref).map(ToString::to_string);
            found(
                source,
                opened.get(no).and_then(Option::as_ref),
                outcome.finished.get(no),
                error,
                logical[no],
            )
        })
        .collect();
    Ok(Case::new(Parts {
        spec,
        reading,
        slices: outcome.slices,
        found,
        places: Box::new(OpenedPlaces(opened)),
        now,
        threads: options.threads,
    }))
}

/// How much longer than its calls the window of the traces is: the longest that a caller waits and a request lives on.
fn reach(spec: &CaseSpec) -> i64 {
    let longest = |of: fn(&ToolSpec) -> Option<i64>, default: i64| {
        spec.tools.iter().filter_map(of).chain([default]).max().unwrap_or(default)
    };
    longest(|t| t.timeout, setting::default::TIMEOUT)
        .saturating_add(longest(|t| t.settle, setting::default::SETTLE))
        .saturating_add(
            spec.client_skew_ms.map_or(setting::default::CLIENT_SKEW, |ms| ms.saturating_mul(1000)),
        )
}

fn hints<'h>(partitions: &'h [String], options: &Options<'_>) -> Hints<'h> {
    Hints {
        partitions,
        parser: options.parser,
        cancel: Arc::clone(&options.cancel),
        patience: options.patience,
        threads: options.threads,
        ..Hints::default()
    }
}

fn open_one(
    spec: &CaseSpec,
    no: usize,
    hints: &Hints<'_>,
    opened: &mut [Option<Opened>],
    errors: &mut [Option<OpenError>],
) {
    let Some(source) = spec.sources.get(no) else {
        return;
    };
    match open(source, hints) {
        Ok(source) => opened[no] = Some(source),
        Err(error) => errors[no] = Some(error),
    }
}

/// Exit 4 where the only trace, or the only ledger, cannot be opened (`7-commands.md` 7.5.5).
fn refuse_if_only(spec: &CaseSpec, errors: &[Option<OpenError>]) -> Result<(), LoadError> {
    let of = |what: What| spec.sources.iter().zip(errors).filter(move |(s, _)| s.what == what);
    let all_failed = |what: What| of(what).next().is_some() && of(what).all(|(_, e)| e.is_some());
    if all_failed(What::Trace) || all_failed(What::Ledger) || all_failed(What::Expectations) {
        return Err(LoadError::Input(errors.iter().flatten().map(ToString::to_string).collect()));
    }
    Ok(())
}

/// Sources with one id are one source of several files: they get one number.
fn logical(spec: &CaseSpec) -> Vec<u16> {
    spec.sources
        .iter()
        .map(|s| {
            let first = spec.sources.iter().position(|o| o.what == s.what && o.id == s.id).unwrap_or(0);
            u16::try_from(first).unwrap_or(u16::MAX)
        })
        .collect()
}

fn found(
    source: &SourceSpec,
    opened: Option<&Opened>,
    finished: Option<&Result<crate::sources::open::Finished, String>>,
    error: Option<String>,
    logical: u16,
) -> Found {
    let mut found = Found { logical, ..Found::default() };
    let (Some(opened), Some(finished)) = (opened, finished) else {
        found.error = error.or_else(|| Some("it was not read".to_owned()));
        return found;
    };
    found.format = opened.format.to_owned();
    found.mapping.clone_from(&opened.mapping);
    found.notes.clone_from(&opened.notes);
    let replayed = opened.sidecar.as_ref().and_then(|s| s.replayed_at.as_deref());
    found.replayed = replayed.and_then(|t| setting::config_time(t, &Zone::Utc));
    found.query = opened.query();
    found.confirm = opened.confirm();
    found.table = opened.table().unwrap_or_default().to_owned();
    match finished {
        Ok(finished) => {
            found.readable = true;
            found.incomplete.clone_from(&finished.incomplete);
            if let Some(facts) = &finished.server {
                found.position.clone_from(&facts.position);
                found.digest = Some(format!("sha256:{}", facts.digest));
                found.live = source.options.live.unwrap_or(true);
                found.read_at = facts.read_at;
                found.replayed = facts.replayed;
                found.notes.extend(facts.notes.iter().cloned());
                found.server = Some(facts.clone());
            }
            match &finished.database {
                Some(facts) => {
                    found.position = facts.position_words();
                    found.digest = Some(format!("sha256:{}", facts.digest));
                    found.live = source.options.live.unwrap_or(facts.opening.live);
                    found.read_at = Some(facts.opening.read_at);
                    found.wal = facts.opening.wal_bytes;
                }
                None if finished.server.is_some() => {}
                None if source.what == What::Ledger => {
                    found.position = format!("row {}", finished.records);
                }
                None => {}
            }
        }
        Err(why) => found.error = Some(format!("{}: {why}", source.shown)),
    }
    found
}

/// Reads records again through the opened sources.
struct OpenedPlaces(Vec<Option<Opened>>);

impl OpenedPlaces {
    fn source(&self, at: At) -> Option<&Opened> {
        self.0.get(usize::from(at.source().0)).and_then(Option::as_ref)
    }
}

impl Places for OpenedPlaces {
    fn words(&self, at: At) -> String {
        let Some(source) = self.source(at) else {
            return String::new();
        };
        source.place_words(at.place()).unwrap_or_else(|_| format!("{} byte {}", source.name(), at.place()))
    }

    fn line(&self, at: At) -> Option<u64> {
        let words = self.words(at);
        words.rsplit_once(" line ").and_then(|(_, line)| line.parse().ok())
    }

    fn fields(&self, at: At) -> Vec<(String, String)> {
        self.source(at).and_then(|s| s.fields(at.place()).ok()).unwrap_or_default()
    }

    fn arguments(&self, at: At) -> Option<String> {
        self.source(at).and_then(|s| s.arguments(at.place()).ok()).flatten()
    }

    fn raw(&self, at: At) -> Option<String> {
        self.source(at).and_then(|s| s.raw(at.place()).ok()).map(|r| r.shown)
    }

    fn mentions(&self, source: SourceNo, letters: &str) -> bool {
        let source = self.0.get(usize::from(source.0)).and_then(Option::as_ref);
        source.is_none_or(|s| s.mentions(letters))
    }
}
