//! What a file was found to be (`4-sources.md` 4.15): plain values that `cli` fills from `sources`.

use crate::model::money::Totals;
use crate::model::time::Micros;

/// Attempts by class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Told yes.
    pub ok: u64,
    /// Told yes, with a stored receipt.
    pub ok_reused: u64,
    /// Told that it had already been done.
    pub already: u64,
    /// Told no.
    pub fail: u64,
    /// Not told.
    pub unknown: u64,
    /// Not ended yet.
    pub open: u64,
}

/// One file, looked at.
#[derive(Clone, Debug, Default)]
pub struct SniffView {
    /// Path as given.
    pub path: String,
    /// Its format is known.
    pub recognised: bool,
    /// `trace`, `ledger` or `expectations`; empty where not recognised.
    pub role: String,
    /// Format name; empty where not recognised.
    pub format: String,
    /// Framing, with the envelopes that were taken off.
    pub framing: String,
    /// Why it is that, or what was seen instead.
    pub why: String,
    /// What the framing yields; each is used, set aside, skipped or unreadable.
    pub records: u64,
    /// Used.
    pub used: u64,
    /// Set aside, by rule.
    pub set_aside: Vec<(String, u64)>,
    /// Known, and not used.
    pub skipped: u64,
    /// Could not be read.
    pub unreadable: u64,
    /// Write attempts by class.
    pub attempts: Calls,
    /// Calls that only read.
    pub reads: u64,
    /// Which tools read and which write, and how that is known, in words.
    pub roles: Vec<String>,
    /// What is no effect in its format, on its way or a later state, one sentence each.
    pub rules: Vec<String>,
    /// Effects.
    pub effects: u64,
    /// Rows on their way.
    pub on_its_way: u64,
    /// Rows that are used and are no effects.
    pub not_effects: u64,
    /// Reversals.
    pub reversals: u64,
    /// Keys in order of appearance, at most 100.
    pub keys: Vec<String>,
    /// Operation ids in order of appearance, at most 100.
    pub operation_ids: Vec<String>,
    /// Totals of the effects.
    pub totals: Totals,
    /// Totals of all records as the source gives them, as `sources` has them.
    pub all_rows: Totals,
    /// It is asked beside a trace only, so nothing was counted.
    pub not_read: bool,
    /// First time.
    pub first: Option<Micros>,
    /// Last time.
    pub last: Option<Micros>,
    /// Field of the model and where it stands.
    pub mapping: Vec<(String, String)>,
    /// What it would ask.
    pub asks: Vec<String>,
    /// Tables that fit, where several do.
    pub candidates: Vec<String>,
}

impl Calls {
    /// The classes with their words, in the order of the output.
    pub fn by_class(&self) -> [(&'static str, u64); 6] {
        [
            ("ok", self.ok),
            ("ok_reused", self.ok_reused),
            ("already", self.already),
            ("fail", self.fail),
            ("unknown", self.unknown),
            ("open", self.open),
        ]
    }
}
