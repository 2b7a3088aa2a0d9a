//! What a reading says of itself while it goes, and where it ends badly.

/// A source while it is read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// `attempts` or `ledger`.
    pub what: String,
    /// Its name as shown. Raw.
    pub name: String,
    /// Bytes read.
    pub bytes: u64,
    /// Bytes in all; 0 where it is not known.
    pub of: u64,
    /// Records so far, with their noun: `644,981 attempts`; empty before the first. Raw.
    pub records: String,
}

/// A reading.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Loading {
    /// Its sources in order.
    pub sources: Vec<Reading>,
    /// How something was found that nobody named: `effects.csv found as a ledger by its columns ..`. Raw.
    pub note: String,
    /// A person asked for it to stop.
    pub stopping: bool,
}

impl Loading {
    /// Percent of the known bytes.
    pub fn percent(&self) -> Option<u64> {
        let (bytes, of) = self.sources.iter().fold((0_u64, 0_u64), |(bytes, of), source| {
            (bytes.saturating_add(source.bytes), of.saturating_add(source.of))
        });
        (of > 0).then(|| bytes.min(of).saturating_mul(100) / of)
    }
}

/// Why nothing can be judged (`6-screens.md`, frame `error-80x24`). All texts are raw.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Failure {
    /// After `INPUT ERROR`: `the ledger was not read, so nothing can be judged`.
    pub headline: String,
    /// What failed and where.
    pub what: String,
    /// What was seen; further lines are a table of parts.
    pub seen: Vec<Vec<String>>,
    /// What to do next.
    pub next: String,
    /// The command line to start again with.
    pub command: Option<String>,
    /// What is kept and what is not known.
    pub kept: Vec<String>,
    /// For the status line: the source, and what is the matter.
    pub status: (String, String),
}
