//! The format of a source, made with its mapping.

use std::io::ErrorKind;
use std::path::Path;

use super::calls::Recorded;
use super::export::Exported;
use super::what::Found;
use super::{Body, Hints, JsonFormat, Opened, Problem, TableFormat};
use crate::sources::address::Server;
use crate::sources::csv::Dialect;
use crate::sources::expect::Records;
use crate::sources::frame::{self, Bytes};
use crate::sources::ledger::experiment::Effects;
use crate::sources::ledger::generic::LedgerRows;
use crate::sources::ledger::rows::{Header, Setup as LedgerSetup};
use crate::sources::ledger::server::ServerLedger;
use crate::sources::ledger::server::ask::Request;
use crate::sources::ledger::sqlite::choose::Wanted;
use crate::sources::ledger::sqlite::connect::Database;
use crate::sources::ledger::sqlite::select::{Ask, Parameters, select};
use crate::sources::ledger::table::{Shape, ledgered};
use crate::sources::mapping::{Layout, MappingError};
use crate::sources::names::{ledger, record, trace};
use crate::sources::near::listed;
use crate::sources::peek::{Peek, Seen, names_below};
use crate::sources::sniff::Framing;
use crate::sources::spec::{SourceSpec, What};
use crate::sources::trace::experiment::Experiment;
use crate::sources::trace::generic::Generic;
use crate::sources::trace::native::Native;
use crate::sources::trace::table::{Setup, traced};

/// What [`open`] makes of a file.
pub(super) struct Made {
    pub(super) body: Body,
    pub(super) mapping: String,
    pub(super) found: Vec<(String, String)>,
}

pub(super) struct Context<'c> {
    pub(super) spec: &'c SourceSpec,
    pub(super) hints: &'c Hints<'c>,
    pub(super) head: &'c [u8],
    pub(super) found: &'c Found,
}

impl Context<'_> {
    fn layout(&self) -> Result<Layout, Problem> {
        let table = match self.spec.what {
            What::Trace => trace::TABLE,
            What::Ledger => ledger::TABLE,
            What::Expectations | What::Intents => record::TABLE,
        };
        Ok(Layout::new(table, &self.spec.options, self.hints.partitions)?)
    }

    pub(super) fn effects(bytes: Bytes) -> Result<Made, Problem> {
        let effects = Effects::new().map_err(MappingError::from)?;
        Ok(Made {
            body: Body::Effects { bytes, effects },
            mapping: "fields of the format".to_owned(),
            found: Vec::new(),
        })
    }

    pub(super) fn json(&self, bytes: Bytes) -> Result<Made, Problem> {
        let list = self.found.list.clone();
        let fixed = |format: JsonFormat, bytes: Bytes, mapping: &str| Made {
            body: Body::Json { bytes, format, list: None },
            mapping: mapping.to_owned(),
            found: Vec::new(),
        };
        match self.found.format {
            "native" => {
                let native = Native::new(&self.spec.options, self.hints.partitions)?;
                let mapped = !self.spec.options.columns.is_empty();
                let words =
                    if mapped { "fields as mapped, the rest of the format" } else { "fields of the format" };
                return Ok(fixed(JsonFormat::Native(Box::new(native)), bytes, words));
            }
            "experiment" => {
                let experiment = Experiment::new().map_err(MappingError::from)?;
                return Ok(fixed(
                    JsonFormat::Experiment(Box::new(experiment)),
                    bytes,
                    "fields of the format",
                ));
            }
            _ => {}
        }
        let layout = self.layout()?;
        let sample = sample(self.head, self.found);
        let found = layout.found(&sample)?;
        let fields: Vec<&str> = found.iter().map(|(field, _)| field.as_str()).collect();
        if !sample.is_empty() && !says_something(self.spec, &fields) {
            let mut names: Vec<&str> = sample.iter().flat_map(|one| names_below(one, &[])).collect();
            names.sort_unstable();
            names.dedup();
            return Err(nothing_known(self.spec.what, &names).into());
        }
        let run = self.spec.options.scope_run;
        let format = match self.spec.what {
            What::Trace => JsonFormat::Generic(Box::new(Generic::new(&layout, &sample)?)),
            What::Ledger => JsonFormat::Ledger(Box::new(LedgerRows::new(&layout, &sample, run)?)),
            What::Expectations => JsonFormat::Records(Box::new(Records::new(&layout, &sample, true)?)),
            What::Intents => JsonFormat::Records(Box::new(Records::new(&layout, &sample, false)?)),
        };
        Ok(Made { body: Body::Json { bytes, format, list }, mapping: layout.words("fields"), found })
    }

    /// A trace of another system.
    pub(super) fn calls(&self, bytes: Bytes) -> Result<Made, Problem> {
        let why = || Problem::NoRecords { seen: "a format that is not read".to_owned() };
        let format = traced(self.found.format).filter(|format| format.reader.is_some()).ok_or_else(why)?;
        let setup = Setup::of(&self.spec.options);
        let sample: Vec<Vec<Seen>> = super::calls::sample(format, &setup, self.head, self.found.framing)
            .iter()
            .flat_map(|call| Peek::at(call.as_bytes()).records)
            .collect();
        let layout = self.layout()?;
        let found = layout.found(&sample)?;
        let form = Generic::new(&layout, &sample)?;
        let recorded = Box::new(Recorded { format, setup, form, threads: self.hints.threads });
        Ok(Made { body: Body::Calls { bytes, recorded }, mapping: layout.words("fields"), found })
    }

    /// A ledger of another system.
    pub(super) fn export(&self, bytes: Bytes) -> Result<Made, Problem> {
        let why = || Problem::NoRecords { seen: "a format that is not read".to_owned() };
        let format = ledgered(self.found.format).ok_or_else(why)?;
        let layout = self.layout()?;
        let mut setup = LedgerSetup::of(&self.spec.options, self.hints.partitions);
        let (mut dialect, mut body) = (Dialect { separator: b',', header: Vec::new() }, 0);
        if format.shape == Shape::Text {
            setup.head = self.head.to_vec();
            setup.repeated = crate::sources::ledger::pg_copy::repeated(self.head, &bytes, &self.hints.cancel)
                .map_err(|error| Problem::Io(error.to_string()))?;
        }
        if format.shape == Shape::Table {
            (dialect, body) = self.header()?;
            setup.header = Header::new(&dialect.header);
            setup.separator = dialect.separator;
        }
        let mapped = |field: &str| self.spec.options.columns.iter().any(|(mapped, _)| mapped == field);
        let there = |place: &str| format.is_there(place, &setup.header);
        let own = format.fields.iter().filter(|(field, place)| !mapped(field) && there(place));
        let mut found: Vec<(String, String)> =
            own.map(|(field, place)| ((*field).to_owned(), (*place).to_owned())).collect();
        let sample: Vec<Vec<Seen>> = super::export::sample(format, &setup, self.head)
            .iter()
            .flat_map(|row| Peek::at(row.as_bytes()).records)
            .collect();
        let of_sample = layout.found(&sample)?;
        found.extend(of_sample.into_iter().filter(|(field, _)| format.fields.is_empty() || mapped(field)));
        let form = LedgerRows::new(&layout, &sample, self.spec.options.scope_run)?;
        let mapping = if self.spec.options.columns.is_empty() {
            "fields of the format"
        } else {
            "fields as mapped, the rest of the format"
        };
        let exported = Box::new(Exported { format, setup, form, dialect, body });
        Ok(Made { body: Body::Export { bytes, exported }, mapping: mapping.to_owned(), found })
    }

    pub(super) fn table(&self, bytes: Bytes) -> Result<Made, Problem> {
        let (dialect, body) = self.header()?;
        let layout = self.layout()?;
        let columns = layout.columns(&dialect.header)?;
        let fields: Vec<&str> = columns.found.iter().map(|(field, _)| field.as_str()).collect();
        if !says_something(self.spec, &fields) {
            return Err(nothing_known(self.spec.what, &dialect.header).into());
        }
        let format = table_format(self.spec, &layout)?;
        let found = columns.found.clone();
        let columns = Box::new(columns);
        Ok(Made {
            body: Body::Table { bytes, format, dialect, columns, body },
            mapping: layout.words("columns"),
            found,
        })
    }

    /// The header of a table, and where it ends.
    fn header(&self) -> Result<(Dialect, u64), Problem> {
        let text = self.head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(self.head);
        let start = (self.head.len() - text.len()) as u64;
        // The header is the first line that is not blank.
        let mut body = start;
        let mut header = &b""[..];
        for line in text.split(|byte| *byte == b'\n') {
            body += line.len() as u64 + 1;
            header = line.trim_ascii();
            if !header.is_empty() {
                break;
            }
        }
        let header = std::str::from_utf8(header).map_err(|_| Problem::HeaderNotUtf8)?;
        Ok((Dialect::of(header), body))
    }
}

fn table_format(spec: &SourceSpec, layout: &Layout) -> Result<TableFormat, MappingError> {
    Ok(match spec.what {
        What::Trace => TableFormat::Trace(Box::new(Generic::new(layout, &[])?)),
        What::Ledger => TableFormat::Ledger(Box::new(LedgerRows::new(layout, &[], spec.options.scope_run)?)),
        What::Expectations => TableFormat::Records(Box::new(Records::new(layout, &[], true)?)),
        What::Intents => TableFormat::Records(Box::new(Records::new(layout, &[], false)?)),
    })
}

/// Whether the fields that were found say anything about an attempt, an effect or an expectation.
fn says_something(spec: &SourceSpec, fields: &[&str]) -> bool {
    let constant = |name: &str| spec.options.columns.iter().any(|(field, _)| field == name);
    let any = |names: &[&str]| names.iter().any(|name| fields.contains(name) || constant(name));
    match spec.what {
        What::Trace => any(&["tool", "attempt_id", "attempt", "outcome", "sent_at"]),
        What::Ledger => any(&["effect_id", "operation_id", "key", "business_id", "amount", "amount_minor"]),
        What::Expectations | What::Intents => any(&["operation_id", "intent_id", "key", "business_id"]),
    }
}

fn nothing_known<S: AsRef<str>>(what: What, present: &[S]) -> MappingError {
    let what = match what {
        What::Trace => "a trace",
        What::Ledger => "a ledger",
        What::Expectations | What::Intents => "expectations",
    };
    MappingError::NothingKnown { what, present: listed(present, 24) }
}

/// The first records of JSON, for what their names are.
fn sample(head: &[u8], found: &Found) -> Vec<Vec<Seen>> {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    if found.framing == Framing::JsonLines {
        return text
            .split(|byte| *byte == b'\n')
            .filter(|line| line.trim_ascii_start().starts_with(b"{"))
            .take(64)
            .flat_map(|line| Peek::at(line).records)
            .collect();
    }
    let Some(list) = &found.list else {
        return Peek::at(text).records;
    };
    frame::values(text, &[list.as_str()])
        .take(64)
        .flatten()
        .flat_map(|value| Peek::at(value.bytes).records)
        .collect()
}

/// A ledger, or records, on a database server.
pub(super) fn open_server(spec: &SourceSpec, server: &Server, hints: &Hints<'_>) -> Result<Opened, Problem> {
    if spec.what == What::Trace {
        return Err(Problem::TraceInDatabase);
    }
    let (table, wanted) = match spec.what {
        What::Ledger => (ledger::TABLE, Wanted::Ledger),
        _ => (record::TABLE, Wanted::Records),
    };
    let layout = Layout::new(table, &spec.options, hints.partitions)?;
    let ledger = ServerLedger::open(Request {
        server,
        options: &spec.options,
        wanted,
        layout: &layout,
        ids: hints.trace_ids,
        patience: hints.patience,
        reach: hints.reach,
    })?;
    let chosen = &ledger.plan().chosen;
    let fields: Vec<&str> = chosen.columns.found.iter().map(|(field, _)| field.as_str()).collect();
    if !says_something(spec, &fields) {
        return Err(nothing_known(spec.what, &chosen.table.header()).into());
    }
    let notes = if chosen.why.is_empty() { Vec::new() } else { vec![chosen.why.clone()] };
    Ok(Opened {
        format: server.engine.format(),
        framing: Framing::Document,
        why: "it is the address of a server".to_owned(),
        envelopes: Vec::new(),
        unwrapped: None,
        mapping: layout.words("columns"),
        found: chosen.columns.found.clone(),
        notes,
        sidecar: None,
        damage: None,
        body: Body::Server { format: table_format(spec, &layout)?, ledger: Box::new(ledger) },
        parser: hints.parser,
        lines: std::sync::OnceLock::new(),
        spec: spec.clone(),
    })
}

pub(super) fn open_database(spec: SourceSpec, path: &Path, hints: &Hints<'_>) -> Result<Opened, Problem> {
    if spec.what == What::Trace {
        return Err(Problem::TraceInDatabase);
    }
    let database = match Database::new(path, spec.options.frozen, hints.time_limit) {
        Ok(database) => database?,
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return Err(Problem::Permission),
        Err(error) => return Err(Problem::Io(error.to_string())),
    };
    if std::fs::metadata(&database.resolved).is_ok_and(|kind| kind.len() == 0) {
        return Err(Problem::Empty);
    }
    let (table, wanted) = match spec.what {
        What::Ledger => (ledger::TABLE, Wanted::Ledger),
        _ => (record::TABLE, Wanted::Records),
    };
    let layout = Layout::new(table, &spec.options, hints.partitions)?;
    let options = &spec.options;
    let ids = hints.trace_ids;
    let ask = Ask {
        table: options.table.as_deref(),
        sql: options.sql.as_deref(),
        parameters: Parameters::new(options.since.as_deref(), options.until.as_deref(), ids),
        wanted,
        layout: &layout,
        ids,
    };
    let selected = select(&database, &ask, &hints.cancel)?;
    let fields: Vec<&str> = selected.chosen.columns.found.iter().map(|(field, _)| field.as_str()).collect();
    if !says_something(&spec, &fields) {
        return Err(nothing_known(spec.what, &selected.chosen.table.header()).into());
    }
    let format = match table_format(&spec, &layout)? {
        TableFormat::Ledger(rows) => {
            TableFormat::Ledger(Box::new(rows.committed_in_utc(selected.chosen.committed_in_utc())))
        }
        other => other,
    };
    let mut notes = Vec::new();
    if database.resolved != path {
        notes.push(format!("resolved to {}", database.resolved.display()));
    }
    if !selected.chosen.why.is_empty() {
        notes.push(selected.chosen.why.clone());
    }
    let mapping = layout.words("columns");
    let found = selected.chosen.columns.found.clone();
    Ok(Opened {
        format: "sqlite",
        framing: Framing::Sqlite,
        why: "it begins as SQLite databases do".to_owned(),
        envelopes: Vec::new(),
        unwrapped: None,
        mapping,
        found,
        notes,
        sidecar: None,
        damage: None,
        body: Body::Database { database, selected: Box::new(selected), format },
        parser: hints.parser,
        lines: std::sync::OnceLock::new(),
        spec,
    })
}
