//! Findings of one intent as bits, with their codes (`2-judge.md` 2.3; `1-model.md` 1.1 to 1.5). They explain; only
//! those named in 2.7 change a class. Their numbers follow from what was counted ([`number`]).

/// Declares each finding once: its bit, its code, its line in the table.
macro_rules! findings {
    ($($(#[$about:meta])* $name:ident = $bit:literal,)+) => {
        $($(#[$about])* pub const $name: u64 = 1 << $bit;)+

        /// Every finding with its code, in the order in which they are printed.
        pub const FINDINGS: &[(u64, &str)] = &[$(($name, stringify!($name)),)+];
    };
}

findings! {
    /// More rows than the attempts explain.
    EXCESS_UNEXPLAINED = 0,
    /// More calls were told yes than there are rows: the tool seems to deduplicate.
    ACKS_EXCEED_ROWS = 1,
    /// The caller was told yes, the absence is covered.
    PHANTOM_RESPONSE = 2,
    /// The caller was told yes, the listing does not reach so far.
    ACK_NOT_YET_VISIBLE = 3,
    /// Calls without an answer may still act.
    MORE_MAY_LAND = 4,
    /// Rows that may be its own, by order, amount and time.
    SUGGESTION = 5,
    /// The account of its order fits.
    FITS_BY_ORDER = 6,
    /// The account of its order has the right number of rows, and other money.
    DIFFERS_BY_ORDER = 7,
    /// Rows on their way.
    ON_ITS_WAY = 8,
    /// An effect was returned or ended failed, and fewer than expected are live.
    CAME_BACK = 9,
    /// An answer names a receipt that is in no ledger.
    RECEIPT_NOT_FOUND = 10,
    /// An independent read-back after the last attempt shows it.
    WITNESS_PRESENT = 11,
    /// An independent read-back after the last attempt shows it, with another value.
    WITNESS_DIFFERS = 12,
    /// An independent read-back after the last attempt could not be read.
    WITNESS_UNREADABLE = 13,
    /// Rows that may be its own and cannot be read.
    UNREADABLE_CANDIDATE = 14,
    /// Two effects carry one external reference.
    SAME_EXTERNAL_REF = 15,
    /// A copy has other numbers than the source it copies.
    SOURCES_DISAGREE = 16,
    /// Another id is equal after folding.
    NEAR_IDENTICAL_ID = 17,
    /// A row has no id.
    NO_EFFECT_ID = 18,
    /// The amounts of the calls differ, so no total is expected.
    AMOUNT_CHANGED = 19,
    /// One side has no currency.
    CURRENCY_UNKNOWN = 20,
    /// Record and file of expectations differ.
    EXPECTATION_DIFFERS = 21,
    /// A row is linked by an id, outside the time of its attempts.
    TIME_OUT_OF_RANGE = 22,
    /// A row was committed outside the time of the call that names it: the clocks differ by more than declared.
    CLOCK_SKEW = 23,
    /// More was reversed than there was.
    REVERSAL_OVER = 24,
    /// An effect of amount 0.
    ZERO_AMOUNT = 25,
    /// A row or a later state contradicts a resolution in the book.
    DISPUTED = 26,
    /// A reversal names an effect that is not known.
    ORPHAN_REVERSAL = 27,
    /// A status word is in no list; the row counts.
    STATUS_WORD_UNKNOWN = 28,
    /// An outcome word is in no list; the call counts as unknown.
    OUTCOME_WORD_UNKNOWN = 29,
    /// One attempt ended twice with different outcomes.
    OUTCOME_CONFLICT = 30,
    /// A row has no readable time.
    TIME_UNREADABLE = 31,
}

/// The codes of a set of findings, in the order of the table.
pub fn codes(found: u64) -> impl Iterator<Item = &'static str> {
    FINDINGS.iter().filter(move |(bit, _)| found & bit != 0).map(|(_, code)| *code)
}

