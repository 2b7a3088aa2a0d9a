//! What somebody wrote down about a hazard that is no matter at one subject (`5-hazards.md` 5.0, quieting).

use super::time::Micros;

/// A rule that was made quiet for one subject. The book stores it, the hazards are held against it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hush {
    /// Number of the rule.
    pub rule: String,
    /// Id of the run, intent, tool or source; [`CASE`] for what is of the whole case.
    pub subject: String,
    /// Until when; for good without.
    pub until: Option<Micros>,
    /// Level that was seen, as a word.
    pub level: String,
    /// How many intents or runs it was about.
    pub count: usize,
    /// Measured values that were seen.
    pub measured: Vec<String>,
    /// Ids of the intents or runs; fewer than `count` where there were too many to name.
    pub subjects: Vec<String>,
    /// Who wrote it down.
    pub by: String,
    /// Why.
    pub note: String,
    /// When.
    pub at: Option<Micros>,
    /// Entry of the audit log.
    pub entry: i64,
}

/// The subject of what has no run, intent, tool or source.
pub const CASE: &str = "case";
