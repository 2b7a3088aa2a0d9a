//! Ledgers on a database server, whatever kind it is: what is asked of them, what comes back, and the events of it
//! (`4-sources.md` 4.5). [`ask`] is pure; the rooms of the servers speak to them.

pub mod ask;
pub mod error;
pub mod secret;

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
#[cfg(any(feature = "mysql", feature = "postgres"))]
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};

pub use ask::Plan;
pub use error::ServerError;

use super::sqlite::read::{Fields, hex};
use crate::model::row::{At, SourceNo};
use crate::model::time::Micros;
#[cfg(any(feature = "mysql", feature = "postgres"))]
use crate::sources::address::Engine;
use crate::sources::event::Sink;
use crate::sources::format::{Raw, Rows, Scratch};
use crate::sources::row::{Cell, Cells, print};

/// Open transactions are waited for so long between the two looks.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Rows of the trace's window that are read; beyond that they are counted (`4-sources.md` 4.5).
pub const WINDOW_ROWS: usize = 200_000;

/// Ids of one query.
pub const BATCH: usize = 1_000;

/// A row as it was read: the text of each column that was asked for, null as `None`.
pub type Texts = Vec<Option<String>>;

/// What the read position and coverage need (`4-sources.md` 4.2, 4.5).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerFacts {
    /// The own clock before the reading began.
    pub read_at: Option<Micros>,
    /// The server's clock at the first look.
    pub first_look: Option<Micros>,
    /// Newest row time of the table, not in the future; `None` where it is not known.
    pub newest: Option<Micros>,
    /// Oldest row time of the table.
    pub oldest: Option<Micros>,
    /// It is a replica.
    pub replica: bool,
    /// Up to when the replica had replayed.
    pub replayed: Option<Micros>,
    /// Everything that had begun to write before the first look is in the listing; else the newest row proves nothing.
    pub settled: bool,
    /// The position as it is printed.
    pub position: String,
    /// SHA-256 over the rows that were read, hex.
    pub digest: String,
    /// Rows read.
    pub rows: u64,
    /// Why no absence follows from it: the sentence.
    pub incomplete: Option<String>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// What a server gave.
#[derive(Debug, Default)]
pub struct Taken {
    /// Rows, each once.
    pub rows: Vec<Texts>,
    /// Facts of the reading.
    pub facts: ServerFacts,
}

/// The rooms of the servers, as far as this build has them.
mod driver {
    #[cfg(any(feature = "mysql", feature = "postgres"))]
    use super::Engine;
    use super::{Arc, AtomicBool, Plan, ServerError, Taken, ask};

    pub(super) fn open(request: ask::Request<'_>) -> Result<Plan, ServerError> {
        match request.server.engine {
            #[cfg(feature = "postgres")]
            Engine::Postgres => super::super::postgres::open(request),
            #[cfg(feature = "mysql")]
            Engine::Mysql => super::super::mysql::open(request),
            #[allow(unreachable_patterns, reason = "a build without a feature says so")]
            other => Err(ServerError::NotBuilt(other.format())),
        }
    }

    pub(super) fn take(plan: &Plan, cancel: &Arc<AtomicBool>) -> Result<Taken, ServerError> {
        let _ = cancel;
        match plan.server.engine {
            #[cfg(feature = "postgres")]
            Engine::Postgres => super::super::postgres::take(plan, cancel),
            #[cfg(feature = "mysql")]
            Engine::Mysql => super::super::mysql::take(plan, cancel),
            #[allow(unreachable_patterns, reason = "a build without a feature says so")]
            other => Err(ServerError::NotBuilt(other.format())),
        }
    }
}

/// A ledger on a server, ready to be read.
#[derive(Debug)]
pub struct ServerLedger {
    plan: Plan,
    /// The rows as they were read: the live rows may have moved on.
    kept: OnceLock<Vec<Texts>>,
}

impl ServerLedger {
    /// Connects, and finds table and columns.
    ///
    /// # Errors
    /// Each cause has its own sentence: see [`ServerError`].
    pub fn open(request: ask::Request<'_>) -> Result<Self, ServerError> {
        let plan = driver::open(request)?;
        Ok(Self { plan, kept: OnceLock::new() })
    }

    /// What is asked.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The table; empty for an own statement.
    pub fn table(&self) -> &str {
        &self.plan.chosen.table.name
    }

    /// The query as it is shown and may be copied.
    pub fn shown(&self) -> String {
        self.plan.shown()
    }

    /// One line that counts and adds up the amounts per currency (`4-sources.md` 4.16).
    pub fn confirming(&self) -> Option<String> {
        self.plan.confirming()
    }

    /// Reads it: every row becomes a record of the format.
    ///
    /// # Errors
    /// As [`ServerLedger::open`].
    pub fn read_all<F: Rows, S: Sink>(
        &self,
        format: &F,
        source: SourceNo,
        cancel: &Arc<AtomicBool>,
        out: &mut S,
    ) -> Result<ServerFacts, ServerError> {
        let Taken { mut rows, mut facts } = driver::take(&self.plan, cancel)?;
        // The order of a table is no order: the same rows give the same places.
        rows.sort_unstable();
        let mut digest = Sha256::new();
        let mut scratch = Scratch::default();
        let forms = self.plan.forms();
        for (place, texts) in (0_u64..).zip(&rows) {
            let own = TextCells { texts, real: &self.plan.real };
            digest.update(own.print().unwrap_or_default().to_le_bytes());
            let told = forms.of(texts);
            let cells = TextCells { texts: told.as_deref().unwrap_or(texts), real: &self.plan.real };
            let record = Cells { columns: &self.plan.of, cells };
            let raw = Raw { bytes: &[], at: At::new(source, place), ended: true };
            format.row(&record, raw, &mut scratch, out);
        }
        facts.rows = rows.len() as u64;
        facts.digest = hex(&digest.finalize());
        // A second reading of the same source keeps the rows of the first.
        let _ = self.kept.set(rows);
        Ok(facts)
    }

    /// The fields of a row as they were read; `None` where there is no such row.
    pub fn fields(&self, place: u64) -> Option<Fields> {
        let row = self.kept.get()?.get(usize::try_from(place).ok()?)?;
        let names = self.plan.picked.iter().map(|at| {
            self.plan.chosen.table.columns.get(*at).map(|column| column.name.clone()).unwrap_or_default()
        });
        Some(names.zip(row.iter().cloned()).collect())
    }
}

/// A row's texts by number of the cell.
struct TextCells<'r> {
    texts: &'r [Option<String>],
    real: &'r [bool],
}

impl Cell for TextCells<'_> {
    fn cell(&self, column: usize) -> Option<&str> {
        self.texts.get(column)?.as_deref().filter(|text| !text.is_empty())
    }

    fn real(&self, column: usize) -> bool {
        self.real.get(column).copied().unwrap_or(false)
    }

    fn print(&self) -> Option<u64> {
        let mut whole = String::new();
        for text in self.texts {
            match text {
                // Writing to a text cannot fail.
                Some(text) => {
                    let _ = write!(whole, "{}:{text}", text.len());
                }
                None => whole.push('-'),
            }
        }
        Some(print(whole.as_bytes()))
    }
}

/// The clock, as microseconds of UTC.
#[cfg(any(feature = "mysql", feature = "postgres"))]
pub(super) fn now() -> Micros {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}
