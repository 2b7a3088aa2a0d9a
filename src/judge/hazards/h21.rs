//! H21, clock skew over bound (`2-judge.md` 2.10).

use super::facts::{Intent, Pair, World};
use super::found::{Found, Level};
use crate::model::time::gap;

/// How far the clocks must be apart for the times of a pair to fit, microseconds.
pub(super) fn needed(pair: &Pair) -> i64 {
    let early = if pair.sent.is_none() { 0 } else { pair.sent.begin().since(pair.committed.end()) };
    let late = if pair.ended.is_none() { 0 } else { pair.committed.begin().since(pair.ended.end()) };
    if pair.committed.is_none() { 0 } else { early.max(late).max(0) }
}

/// Sources whose rows were committed too far from the calls that name them; once per source.
pub fn intent(intent: &Intent, world: &World<'_>) -> Vec<Found> {
    let worst = intent.pairs.iter().map(|p| (needed(p), p)).max_by_key(|(needed, _)| *needed);
    let Some((needed, pair)) = worst.filter(|(needed, p)| *needed > p.bound) else {
        return Vec::new();
    };
    let source = world.source(pair.source);
    // Times that are further off than all that is looked at order nothing any more.
    let unusable = needed > world.window && world.window > 0;
    let found = Found::new(gap(needed), gap(pair.bound))
        .of_intent(&intent.id)
        .in_source(source)
        .seen(pair.committed.at)
        .weighing(needed)
        .at_level(if unusable { Level::High } else { Level::Note })
        .with("source", source)
        .with("x", gap(needed))
        .with("bound", gap(pair.bound));
    vec![found]
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};
    use super::*;

    /// Sent at 0, ended at 1 s; the bounds are 3 s together.
    fn committed(us: i64) -> Sample {
        Sample::new().timed(0, 1_000_000).paired_us(us, 3_000_000)
    }

    #[test]
    fn h21_below() {
        // The width of the end's text belongs to it.
        assert_eq!(fires("H21", &committed(4_000_001)), 0);
        assert_eq!(fires("H21", &committed(500_000)), 0);
    }

    #[test]
    fn h21_above() {
        let hazard = committed(4_001_001).only("H21");
        assert_eq!(hazard.what, "payments.db needs 3.0 s of skew; 3.0 s are declared. Seen at int_1.");
        assert_eq!(hazard.level, Level::Note);
        assert_eq!(fires("H21", &committed(-3_001_001)), 1);
        // The case spans an hour.
        assert_eq!(committed(3_700_000_000).only("H21").level, Level::High);
    }
}
