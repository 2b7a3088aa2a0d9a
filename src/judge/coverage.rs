//! Whether an absence is proven: conditions C0 to C9 (`4-sources.md` 4.3), per listing and over all sources.

use crate::model::row::{Shared, SourceNo};
use crate::model::time::Micros;

use super::calls::{Calls, Tried};
use super::facts::{Facts, Meaning, Role, Setting, Source};

/// The conditions as bits of what failed.
pub mod condition {
    /// The source is independent of the write path and can prove an absence.
    pub const C0: u16 = 1;
    /// It was read late enough.
    pub const C1: u16 = 1 << 1;
    /// Its newest row is late enough.
    pub const C2: u16 = 1 << 2;
    /// It is complete.
    pub const C3: u16 = 1 << 3;
    /// No unreadable row may be this one.
    pub const C4: u16 = 1 << 4;
    /// It is the authority, or a replica that had got so far.
    pub const C5: u16 = 1 << 5;
    /// It holds the partition of the call.
    pub const C6: u16 = 1 << 6;
    /// No other sign says that it may be there.
    pub const C7: u16 = 1 << 7;
    /// It begins early enough.
    pub const C8: u16 = 1 << 8;
    /// The effect happens there, the tool and the kind belong there.
    pub const C9: u16 = 1 << 9;

    /// Every condition with its name.
    pub const ALL: [(u16, &str); 10] = [
        (C0, "C0"),
        (C1, "C1"),
        (C2, "C2"),
        (C3, "C3"),
        (C4, "C4"),
        (C5, "C5"),
        (C6, "C6"),
        (C7, "C7"),
        (C8, "C8"),
        (C9, "C9"),
    ];
}

use condition::{C0, C1, C2, C3, C4, C5, C6, C7, C8, C9};

/// Conditions without which a source is the wrong place altogether.
const WRONG_PLACE: u16 = C0 | C6 | C9;
/// Begin of a listing that was never pruned (`--covers-from start`).
pub const FROM_THE_START: Micros = Micros(i64::MIN + 1);

/// What the listings prove about one intent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// An absence is proven, and nothing more can come.
    pub covered: bool,
    /// Conditions that failed, of the source that came nearest; 0 where covered.
    pub failed: u16,
    /// The source that covers, or came nearest.
    pub source: Option<SourceNo>,
    /// `covered_from`: a listing with a row newer than this covers; [`Micros::NONE`] where the trace has no times.
    pub from: Micros,
    /// A source that records the tool could be read.
    pub read: bool,
    /// A source that would record it could not be read: what is not found elsewhere may stand there (`7-commands.md`
    /// 7.5.5).
    pub unread: bool,
    /// Every listing that could hold it begins after the first send, and has rows.
    pub too_old: bool,
}

/// What the conditions ask of the intent itself.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// A witness shows the effect, or a row may be its own (C7).
    pub other_sign: bool,
}

/// The condition of one listing, as bits of what failed.
pub fn failed(source: &Source, facts: &Facts<'_>, setting: &Setting, tried: &Tried, asked: Asked) -> u16 {
    let eps = setting.client_skew.saturating_add(source.skew);
    let final_ = setting.final_by_declaration;
    // Strictly later than any moment at which the write may land; nothing is, where that is not known.
    let lands = if tried.write_hi.is_none() { Micros::FOREVER } else { tried.write_hi.plus(eps) };
    let late = |time: Option<Micros>| time.is_some_and(|t| t > lands);
    let by_itself = !matches!(source.role, Role::SecondWitness | Role::WritePath);
    let newest = if source.snapshot_rule { late(source.read_at) } else { late(source.newest) };
    let read = if source.read_at_is_newest && !source.snapshot_rule { newest } else { late(source.read_at) };
    let replayed = source.role != Role::Replica || late(source.replayed);
    let place = !source.part.is_some() || !tried.part.is_some() || source.part == tried.part;
    let kind = source.holds.is_empty()
        || !facts.ties.kind.is_some()
        || source.holds.binary_search(&facts.ties.kind).is_ok();
    let happens_here = matches!(source.meaning, Meaning::MovesMoney | Meaning::Part);
    let miss = |condition: u16, holds: bool| if holds { 0 } else { condition };
    miss(C0, by_itself && source.can_prove_absence && source.readable)
        | miss(C1, final_ || read)
        | miss(C2, final_ || newest)
        | miss(C3, source.complete && !in_gap(source, tried, eps))
        | miss(C4, facts.ties.unreadable == 0 && source.damaged == 0)
        | miss(C5, replayed)
        | miss(C6, place)
        | miss(C7, !asked.other_sign && !source.went_back)
        | miss(C8, final_ || begins_early(source, tried, eps))
        | miss(C9, happens_here && kind)
}

/// What a listing can prove of any intent: what stands in the way whatever the intent is, and the time in between
/// which an absence in it counts.
pub fn reach(source: &Source, setting: &Setting) -> Reach {
    let final_ = setting.final_by_declaration;
    let by_itself = !matches!(source.role, Role::SecondWitness | Role::WritePath);
    let miss = |condition: u16, holds: bool| if holds { 0 } else { condition };
    let read = source.read_at.filter(|_| !source.read_at_is_newest || source.snapshot_rule);
    let reached = if source.snapshot_rule { source.read_at } else { source.newest };
    // Read and newest row both have to lie behind the write: the earlier one decides.
    let until = reached.map(|at| read.map_or(at, |read| read.min(at)));
    let replayed = if source.role == Role::Replica { source.replayed } else { until };
    let until = until.and_then(|at| replayed.map(|replayed| replayed.min(at)));
    Reach {
        misses: miss(C0, by_itself && source.can_prove_absence && source.readable)
            | miss(C2, final_ || reached.is_some())
            | miss(C3, source.complete)
            | miss(C4, source.damaged == 0)
            | miss(C5, source.role != Role::Replica || source.replayed.is_some())
            | miss(C7, !source.went_back)
            | miss(C8, final_ || source.from.is_some())
            | miss(C9, matches!(source.meaning, Meaning::MovesMoney | Meaning::Part)),
        from: if final_ { None } else { source.from },
        until: if final_ { None } else { until },
        gaps: !source.gaps.is_empty(),
        damaged: source.damaged,
    }
}

/// See [`reach`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// Conditions that no intent can fulfil here, as bits; 0 where an absence can be proven.
    pub misses: u16,
    /// For calls after this ([`FROM_THE_START`] for any); `None` where it is final by declaration or not known.
    pub from: Option<Micros>,
    /// For calls that could land, with the clocks' skew, before this; `None` where it is final by declaration.
    pub until: Option<Micros>,
    /// There are times between its files that none of them covers.
    pub gaps: bool,
    /// Rows of which each may be anybody's.
    pub damaged: u32,
}

/// C3: a file may be missing from the time in which the write may have landed.
fn in_gap(source: &Source, tried: &Tried, eps: i64) -> bool {
    let from =
        if tried.write_lo.is_none() { Micros::NONE } else { tried.write_lo.plus(eps.saturating_neg()) };
    let to = if tried.write_hi.is_none() { Micros::FOREVER } else { tried.write_hi.plus(eps) };
    source.gaps.iter().any(|(begin, end)| *begin < to && from < *end)
}

/// C8: the listing begins before the first send, strictly.
fn begins_early(source: &Source, tried: &Tried, eps: i64) -> bool {
    source.from.is_some_and(|from| {
        from == FROM_THE_START
            || (!tried.write_lo.is_none() && from < tried.write_lo.plus(eps.saturating_neg()))
    })
}

/// Listings of which one or all have to cover, as far as they were looked at.
#[derive(Clone, Copy)]
struct Best {
    /// Failed conditions and source; for several that belong together, of all of them.
    seen: Option<(u16, SourceNo)>,
}

impl Best {
    const NONE: Self = Self { seen: None };

    /// How far a listing is from covering: the wrong place is further than any number of other conditions.
    fn distance(failed: u16) -> (bool, u32) {
        (failed & WRONG_PLACE != 0, failed.count_ones())
    }

    /// One of several, each of which suffices.
    fn either(&mut self, failed: u16, no: SourceNo) {
        if self.seen.is_none_or(|(known, _)| Self::distance(failed) < Self::distance(known)) {
            self.seen = Some((failed, no));
        }
    }

    /// One of several that only together hold the effects.
    fn together(&mut self, failed: u16, no: SourceNo) {
        self.seen = Some(match self.seen {
            None | Some((0, _)) => (failed, no),
            Some((known, first)) => (known | failed, first),
        });
    }
}

/// Coverage over all sources that record the calls. One covering listing suffices; parts, and partitions where
/// the call names none, have to cover together. Calls of several tools have to be covered each.
pub fn coverage(
    facts: &Facts<'_>,
    setting: &Setting,
    calls: Calls<'_>,
    tried: &Tried,
    asked: Asked,
) -> Coverage {
    let mut all: Option<Coverage> = None;
    let mut last: Option<Shared> = None;
    for call in calls.iter() {
        let tool = call.attempt.row.tool;
        // Attempts of one intent nearly always share their tool; a tool looked at twice changes nothing.
        if last.replace(tool) == Some(tool) {
            continue;
        }
        let listings = call.tool.map(|t| t.recorded_by.as_slice());
        let one = over_listings(facts, setting, tried, asked, listings);
        all = Some(match all {
            None => one,
            Some(all) => join(all, one),
        });
    }
    all.unwrap_or_else(|| over_listings(facts, setting, tried, asked, None))
}

/// Calls of two tools: both have to be covered.
fn join(all: Coverage, one: Coverage) -> Coverage {
    Coverage {
        covered: all.covered && one.covered,
        failed: all.failed | one.failed,
        source: if all.covered && !one.covered { one.source } else { all.source },
        from: all.from.max(one.from),
        read: all.read || one.read,
        unread: all.unread || one.unread,
        too_old: all.too_old || one.too_old,
    }
}

/// Coverage over the listings that record one tool; over all ledgers where that is not known.
fn over_listings(
    facts: &Facts<'_>,
    setting: &Setting,
    tried: &Tried,
    asked: Asked,
    listings: Option<&[SourceNo]>,
) -> Coverage {
    let (mut one, mut parts, mut partitions) = (Best::NONE, Best::NONE, Best::NONE);
    let (mut read, mut unread, mut old, mut early) = (false, false, false, false);
    let mut look = |no: SourceNo, source: &Source| {
        if source.meaning == Meaning::NotALedger || !source.counts {
            return;
        }
        let failed = failed(source, facts, setting, tried, asked);
        read |= source.readable;
        let by_itself = !matches!(source.role, Role::SecondWitness | Role::WritePath);
        unread |= !source.readable && by_itself && failed & (C6 | C9) == 0;
        if source.readable && failed & (C6 | C9) == 0 {
            let begins_after = source.has_rows && source.from.is_some() && !tried.write_lo.is_none();
            old |= failed & C8 != 0 && begins_after;
            early |= failed & C8 == 0;
        }
        if source.meaning == Meaning::Part {
            parts.together(failed, no);
        } else if source.part.is_some() && !tried.part.is_some() {
            partitions.together(failed, no);
        } else {
            one.either(failed, no);
        }
    };
    match listings {
        Some(list) => {
            for no in list {
                if let Some(source) = setting.source(*no) {
                    look(*no, source);
                }
            }
        }
        None => {
            for (no, source) in (0..=u16::MAX).zip(&setting.sources) {
                look(SourceNo(no), source);
            }
        }
    }
    for (failed, no) in [parts.seen, partitions.seen].into_iter().flatten() {
        one.either(failed, no);
    }
    let (failed, source) = one.seen.map_or((C0, None), |(failed, no)| (failed, Some(no)));
    let eps = source
        .and_then(|no| setting.source(no))
        .map_or(setting.client_skew, |s| setting.client_skew.saturating_add(s.skew));
    Coverage {
        covered: failed == 0,
        failed,
        source,
        from: if tried.write_hi.is_none() { Micros::NONE } else { tried.write_hi.plus(eps) },
        read,
        unread,
        too_old: old && !early,
    }
}
