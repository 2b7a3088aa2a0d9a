//! What a copy says beside the source it copies (`4-sources.md` 4.11). It never adds; where it differs, that is the
//! finding `SOURCES_DISAGREE`.

use crate::model::row::{Status, effect_flag};

use super::count::{Found, in_logical};
use super::facts::{Facts, Meaning, Setting, Source};

/// A copy that is loaded beside its original has other numbers for this intent.
pub fn copies_differ(facts: &Facts<'_>, setting: &Setting) -> bool {
    if facts.rows.is_empty() {
        return false;
    }
    setting.sources.iter().enumerate().any(|(no, copy)| {
        let Meaning::CopyOf(Some(original)) = copy.meaning else {
            return false;
        };
        // Of the files that are one copy, the first speaks for all of them.
        let first = setting.sources.iter().take(no).all(|s| s.logical != copy.logical);
        let original = setting.source(original).filter(|_| first && copy.readable && !copy.counts);
        original.is_some_and(|original| differs(facts, setting, copy, original))
    })
}

/// Numbers differ. That the copy has fewer says something only as far as it reaches: rows that lie outside the time
/// of its listing it may still get.
fn differs(facts: &Facts<'_>, setting: &Setting, copy: &Source, original: &Source) -> bool {
    let there = Found::in_source(facts, setting, original.logical);
    let copied = Found::in_source(facts, setting, copy.logical);
    if copied.gross >= there.gross {
        return copied.gross > there.gross || copied.net != there.net || copied.live != there.live;
    }
    let eps = original.skew.saturating_add(copy.skew);
    let reached = facts.rows.iter().filter(|r| {
        let effect = r.row.status == Status::Live && !r.row.is(effect_flag::REVERSAL | effect_flag::DROPPED);
        let (begin, end) = r.row.committed().interval(eps);
        effect
            && in_logical(r, setting, original.logical)
            && copy.from.is_some_and(|from| from < begin)
            && copy.newest.is_some_and(|newest| newest > end)
    });
    reached.count() > usize::try_from(copied.gross).unwrap_or(usize::MAX)
}
