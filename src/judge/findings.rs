//! Findings of one intent as bits, with their codes (`2-judge.md` 2.3; `1-model.md` 1.1 to 1.5). They explain; only
//! those named in 2.7 change a class. Their numbers follow from what was counted ([`number`]).

use super::calls::writes;
use super::facts::{Facts, Receipt, Setting};
use super::judgement::NotCompared;
use super::reduce::Tally;
use crate::model::outcome::Class;
use crate::model::row::{Effect, Seen, State, Status, effect_flag};
use crate::model::time::{Instant, Micros};

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
    /// An answer existed and did not reach the caller.
    ANSWER_NOT_SEEN = 32,
}

/// The codes of a set of findings, in the order of the table.
pub fn codes(found: u64) -> impl Iterator<Item = &'static str> {
    FINDINGS.iter().filter(move |(bit, _)| found & bit != 0).map(|(_, code)| *code)
}

/// The number that belongs to a finding (`MORE_MAY_LAND(2)`), where it has one.
pub fn number(finding: u64, facts: &Facts<'_>, tally: &Tally<'_>) -> Option<u32> {
    let n = match finding {
        EXCESS_UNEXPLAINED => tally.unexplained,
        ACKS_EXCEED_ROWS => tally.acks_without_row(),
        PHANTOM_RESPONSE | ACK_NOT_YET_VISIBLE => tally.told_without_row(),
        MORE_MAY_LAND => tally.may_land,
        SUGGESTION => u32::from(facts.ties.suggestions),
        ON_ITS_WAY => tally.found.on_its_way,
        CAME_BACK => tally.came_back,
        UNREADABLE_CANDIDATE => u32::from(facts.ties.unreadable),
        _ => return None,
    };
    (n > 0).then_some(n)
}

/// Every finding of an intent.
pub fn find(facts: &Facts<'_>, setting: &Setting, tally: &Tally<'_>) -> u64 {
    let mut bits = 0;
    let mut set = |finding: u64, holds: bool| bits |= if holds { finding } else { 0 };
    let (ties, tried, found) = (&facts.ties, &tally.tried, &tally.found);

    if tally.not_compared == NotCompared::No {
        // Where nothing is compared, nothing is missing and nothing is too much.
        let acks = tally.acks_without_row() > 0;
        let told = !acks && tally.told_without_row() > 0;
        set(EXCESS_UNEXPLAINED, tally.unexplained > 0);
        set(ACKS_EXCEED_ROWS, acks);
        set(PHANTOM_RESPONSE, told && tally.coverage.covered);
        set(ACK_NOT_YET_VISIBLE, told && !tally.coverage.covered);
        set(MORE_MAY_LAND, tally.may_land > 0);
        set(RECEIPT_NOT_FOUND, tried.receipt_missing);
        set(FITS_BY_ORDER, tally.by_order == Some(true));
        set(DIFFERS_BY_ORDER, tally.by_order == Some(false));
    }
    set(SUGGESTION, ties.suggestions > 0);
    set(ON_ITS_WAY, found.on_its_way > 0);
    set(CAME_BACK, tally.came_back > 0);
    set(UNREADABLE_CANDIDATE, ties.unreadable > 0);
    set(SOURCES_DISAGREE, ties.sources_disagree || tally.copies_differ);
    set(NEAR_IDENTICAL_ID, ties.near_identical);
    set(AMOUNT_CHANGED, tally.expected.changed);
    set(CURRENCY_UNKNOWN, tally.money.question);
    set(EXPECTATION_DIFFERS, tally.expected.differs);
    set(DISPUTED, ties.disputed || (ties.booked && contradicted(tally)));
    set(ORPHAN_REVERSAL, ties.orphan_reversal);
    set(OUTCOME_WORD_UNKNOWN, tried.odd_word);
    set(OUTCOME_CONFLICT, tried.conflict);
    set(ANSWER_NOT_SEEN, tried.unseen);
    match tally.witness {
        Some(Seen::Present) => set(WITNESS_PRESENT, true),
        Some(Seen::Differs) => set(WITNESS_DIFFERS, true),
        Some(Seen::Unreadable) => set(WITNESS_UNREADABLE, true),
        _ => {}
    }
    if found.gross + found.on_its_way > 0 {
        set(TIME_OUT_OF_RANGE, out_of_range(facts, setting, tally));
        set(CLOCK_SKEW, clocks_differ(facts, setting));
    }
    bits | found.bits
}

/// The rows contradict the state that the book has: confirmed and a covered absence, failed and a row that is live or on
/// its way (`3-lifecycle.md` 3.8).
fn contradicted(tally: &Tally<'_>) -> bool {
    let found = &tally.found;
    match tally.state {
        Some(State::Confirmed) => found.net == 0 && tally.coverage.covered,
        Some(State::Failed) => found.net + found.on_its_way > 0,
        _ => false,
    }
}

/// The interval of a row, with the skew of its source.
fn committed(row: &Effect, setting: &Setting) -> (Micros, Micros) {
    row.committed().interval(setting.source(row.at.source()).map_or(0, |s| s.skew))
}

/// An effect lies outside [first sent - skew, last end + settle + skew] (`1-model.md` 1.5).
fn out_of_range(facts: &Facts<'_>, setting: &Setting, tally: &Tally<'_>) -> bool {
    let tried = &tally.tried;
    if tried.write_lo.is_none() || tried.over.is_none() {
        return false;
    }
    let from = tried.write_lo.plus(setting.client_skew.saturating_neg());
    let to = tried.over.plus(tried.settle).plus(setting.client_skew);
    facts.rows.iter().filter(|r| super::count::counts(r, setting)).any(|r| {
        let effect = r.row.status != Status::NotAnEffect && !r.row.is(effect_flag::REVERSAL);
        let (begin, end) = committed(r.row, setting);
        effect && (end < from || begin > to)
    })
}

/// An acknowledged attempt and the row that it names were at different times (2.10). An answer that was given again
/// names what an earlier call did, and so may one that does not say so: the row may be as old as the first of them.
fn clocks_differ(facts: &Facts<'_>, setting: &Setting) -> bool {
    let mut first: Option<Instant> = None;
    facts.tries.iter().any(|t| {
        let class = t.row.outcome.class(false);
        if class.may_have_acted() && writes(t.row, setting.tool(t.row.tool)) {
            first.get_or_insert(t.row.sent());
        }
        let Receipt::Row(no) = t.receipt else { return false };
        let row = usize::try_from(no).ok().and_then(|no| facts.rows.get(no));
        let Some(row) = row.filter(|_| class == Class::Ok) else {
            return false;
        };
        let (sent, _) = first.unwrap_or(t.row.sent()).interval(setting.client_skew);
        let (_, ended) = t.row.ended().interval(setting.client_skew);
        let (begin, end) = committed(row.row, setting);
        end < sent || begin > ended
    })
}
