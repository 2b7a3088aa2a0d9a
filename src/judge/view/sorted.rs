//! The list in another order, or with one row for many (`6-screens.md` 7.2).

use crate::judge::judgement::{Class, RetryOrigin};
use crate::model::money::Totals;
use crate::model::time::Micros;

use super::{EffectView, IntentView, ListRow};

/// What the list is sorted by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum SortBy {
    /// The default order: what is most urgent first (`2-judge.md` 2.8).
    #[default]
    Urgency,
    /// What happened, by its words.
    Words,
    /// The operation, numbers in it by their value.
    Operation,
    /// Money at risk, largest first; currencies are never compared with each other.
    Risk,
    /// The deadline, nearest first; rows without one last.
    Due,
    /// First send, oldest first.
    Sent,
}

impl SortBy {
    /// In the order in which `s` goes through them.
    pub const ALL: [Self; 6] =
        [Self::Urgency, Self::Words, Self::Operation, Self::Risk, Self::Due, Self::Sent];

    /// Its column, and what its order and the turned one are called.
    pub fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Urgency => ("urgency", "worst first", "worst last"),
            Self::Words => ("what happened", "from a", "from z"),
            Self::Operation => ("operation", "from a", "from z"),
            Self::Risk => ("at risk", "largest first", "smallest first"),
            Self::Due => ("due", "nearest first", "nearest last"),
            Self::Sent => ("first call", "oldest first", "newest first"),
        }
    }

    /// Its name on the command line, in a config and in what is exported.
    pub fn name(self) -> &'static str {
        match self {
            Self::Urgency => "list",
            Self::Words => "what",
            Self::Operation => "operation",
            Self::Risk => "risk",
            Self::Due => "due",
            Self::Sent => "age",
        }
    }

    /// The order of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.name() == name)
    }

    /// The next column.
    #[must_use]
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|by| *by == self).unwrap_or(0);
        Self::ALL.get(at + 1).copied().unwrap_or_default()
    }
}

/// What rows have in common that are shown as one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GroupBy {
    /// The words of their verdict.
    Words,
    /// The label of their verdict (`DOUBLE`).
    Label,
    /// The hour in which their first call was sent, UTC.
    Hour,
}

impl GroupBy {
    /// Behind `grouped by`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Label => "label",
            Self::Hour => "hour",
        }
    }
}

/// One row for many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupRow {
    /// What they share: words or label; of an hour nothing is said but where it is not known.
    pub words: String,
    /// The hour they share; [`Micros::NONE`] where they are not grouped by it.
    pub hour: Micros,
    /// Mark of its first row; empty where rows of any kind are in it.
    pub mark: String,
    /// Severity of its first row; 5 where rows of any kind are in it.
    pub severity: u8,
    /// Class of its first row; `None` where rows of any kind are in it.
    pub class: Option<Class>,
    /// How many rows; what stands for many counts as many.
    pub count: u64,
    /// First call.
    pub first: Micros,
    /// First call of the last one.
    pub last: Micros,
    /// Who repeated the calls, where it is the same for all.
    pub origin: Option<RetryOrigin>,
    /// Money at risk per unit.
    pub at_risk: Totals,
    /// The tool of all of them; empty where they differ.
    pub tool: String,
    /// The run of all of them; empty where they differ.
    pub run: String,
    /// Rows per stretch of time.
    pub bars: Vec<u32>,
    /// The stretch, microseconds; 0 where there are no times.
    pub stretch: i64,
    /// Their places in the default order.
    pub rows: Vec<u32>,
}

/// Whose events are shown together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// Those of an order or another business id, as it is stored: `order:1234`.
    Order(String),
    /// Those of a customer or an account.
    Party(String),
}

/// Everything of an order or of a party.
#[derive(Clone, Debug, Default)]
pub struct Everything {
    /// Its intents with their numbers, oldest first.
    pub intents: Vec<(u32, IntentView)>,
    /// Its rows without an attempt.
    pub apart: Vec<EffectView>,
    /// How many intents there are beyond those.
    pub more: usize,
    /// Its party; empty where nobody names one.
    pub party: String,
    /// Rows of all intents of the party, worst first.
    pub of_party: Vec<ListRow>,
    /// How many rows there are beyond those.
    pub more_of_party: usize,
}
