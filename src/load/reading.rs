//! What holds while a case is read: the clock, the tables, and per source how its fields are meant.

use std::borrow::Cow;

use foldhash::fast::RandomState;

use crate::model::ids::Normalise;
use crate::model::outcome::Outcome;
use crate::model::row::{Shared, SourceNo, Status};
use crate::model::time::{Instant, Micros, Zone};
use crate::model::units::Unit;
use crate::sources::spec::{Negative, StatusWords};

use super::tables::SharedTables;

/// What holds for all workers.
pub struct Reading {
    /// Shared tables.
    pub tables: SharedTables,
    /// Sources by number.
    pub sources: Vec<SourceReading>,
    /// A tool's own error words.
    pub tool_words: Vec<ToolWord>,
    /// Times after this are in the future (the clock and the skew) and prove nothing.
    pub latest: Micros,
    /// Of some trace only a window was asked for: ledger rows outside theirs may be those of calls inside.
    pub cuts_calls: bool,
    /// One source of several files: logical number by source number.
    pub logical: Vec<u16>,
    /// Hash seed of the case: ids come from outside, and a fixed seed invites flooding.
    pub state: RandomState,
}

/// A word of `did_not`, `already_did` or `cannot_tell`.
#[derive(Clone, Debug)]
pub struct ToolWord {
    /// The tool.
    pub tool: Shared,
    /// The word, code or status.
    pub word: String,
    /// What it says.
    pub outcome: Outcome,
}

impl Reading {
    /// A source.
    pub fn source(&self, no: SourceNo) -> &SourceReading {
        const NONE: &SourceReading = &SourceReading::PLAIN;
        self.sources.get(usize::from(no.0)).unwrap_or(NONE)
    }

    /// Print of an effect id in its logical source.
    pub fn effect_print(&self, id: &[u8], source: SourceNo) -> u64 {
        let logical = self.logical.get(usize::from(source.0)).copied().unwrap_or(source.0);
        (self.hash(id) ^ u64::from(logical).wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1)
    }

    /// Hash with the seed of the case.
    pub fn hash(&self, bytes: &[u8]) -> u64 {
        super::builder::hash_with(&self.state, bytes)
    }
}

/// How the fields of one source are meant.
#[derive(Clone, Debug)]
pub struct SourceReading {
    /// Zone of times without one.
    pub zone: Zone,
    /// Currency of amounts without one; empty where none is named.
    pub currency: String,
    /// Kind of rows without a kind.
    pub kind: Option<String>,
    /// Steps that make ids equal.
    pub normalise: Cow<'static, [Normalise]>,
    /// Status words.
    pub words: Words,
    /// What a negative amount means.
    pub negative_is: Option<Negative>,
    /// Own exponents.
    pub exponent_override: Vec<(Unit, u8)>,
    /// Partition of all its rows.
    pub part: Shared,
    /// It holds one run only.
    pub scope_run: bool,
    /// Rows of this time only.
    pub since: Option<Micros>,
    /// Rows of this time only.
    pub until: Option<Micros>,
}

impl SourceReading {
    /// No options at all.
    pub const PLAIN: Self = Self {
        zone: Zone::Unknown,
        currency: String::new(),
        kind: None,
        normalise: Cow::Borrowed(&[]),
        words: Words { effect: None, on_its_way: None, not_effect: None },
        negative_is: None,
        exponent_override: Vec::new(),
        part: Shared::NONE,
        scope_run: false,
        since: None,
        until: None,
    };

    /// Whether a row of this time was asked for; a row whose time is not known always is.
    pub fn in_time(&self, time: Instant) -> bool {
        if self.since.is_none() && self.until.is_none() || time.at == Micros::NONE {
            return true;
        }
        self.since.is_none_or(|since| time.end() > since)
            && self.until.is_none_or(|until| time.begin() <= until)
    }
}

/// Status words of `1-model.md` 1.4.4; a list of the mapping replaces its group.
#[derive(Clone, Debug, Default)]
pub struct Words {
    effect: Option<Vec<String>>,
    on_its_way: Option<Vec<String>>,
    not_effect: Option<Vec<String>>,
}

/// The built-in groups.
pub const STATUS_WORDS: [(Status, &[&str]); 3] = [
    (
        Status::Live,
        &[
            "succeeded",
            "success",
            "completed",
            "complete",
            "executed",
            "posted",
            "booked",
            "settled",
            "paid",
            "applied",
            "captured",
            "refunded",
            "sent",
            "delivered",
        ],
    ),
    (
        Status::OnItsWay,
        &["pending", "queued", "processing", "requires_action", "scheduled", "open", "initiated"],
    ),
    (
        Status::NotAnEffect,
        &[
            "failed",
            "rejected",
            "declined",
            "canceled",
            "cancelled",
            "voided",
            "expired",
            "error",
            "returned",
        ],
    ),
];

impl Words {
    /// With the lists of a mapping.
    pub fn new(words: &StatusWords) -> Self {
        Self {
            effect: words.effect.clone(),
            on_its_way: words.on_its_way.clone(),
            not_effect: words.not_effect.clone(),
        }
    }

    /// The state of a status word, and whether the word is in no list.
    pub fn status(&self, word: Option<&str>) -> (Status, bool) {
        let Some(word) = word.filter(|w| !w.is_empty()) else {
            return (Status::Live, false);
        };
        let own = [&self.effect, &self.on_its_way, &self.not_effect];
        for ((status, built_in), own) in STATUS_WORDS.iter().zip(own) {
            let found = match own {
                Some(words) => words.iter().any(|w| w.eq_ignore_ascii_case(word)),
                None => built_in.iter().any(|w| w.eq_ignore_ascii_case(word)),
            };
            if found {
                return (*status, false);
            }
        }
        (Status::Live, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_words_follow_the_table() {
        let words = Words::default();
        assert_eq!(words.status(None), (Status::Live, false));
        assert_eq!(words.status(Some("Succeeded")), (Status::Live, false));
        assert_eq!(words.status(Some("requires_action")), (Status::OnItsWay, false));
        assert_eq!(words.status(Some("returned")), (Status::NotAnEffect, false));
        assert_eq!(words.status(Some("settling")), (Status::Live, true));
    }

    #[test]
    fn a_list_replaces_only_its_group() {
        let own = StatusWords { effect: Some(vec!["booked".into()]), ..StatusWords::default() };
        let words = Words::new(&own);
        assert_eq!(words.status(Some("booked")), (Status::Live, false));
        assert_eq!(words.status(Some("succeeded")), (Status::Live, true));
        assert_eq!(words.status(Some("pending")), (Status::OnItsWay, false));
    }
}
