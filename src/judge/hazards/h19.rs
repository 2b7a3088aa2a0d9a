//! H19, overlapping attempts.

use super::facts::{Call, Intent, World};
use super::found::Found;
use crate::model::outcome::Outcome;
use crate::model::time::{Instant, MILLI, Micros, Res, gap};

/// By how much two calls overlap for certain, microseconds. Calls of one run have one clock, so its bound is no matter.
fn overlap(a: &Call, b: &Call, world: &World<'_>) -> Option<i64> {
    let end = if a.ended.is_none() { Instant::new(a.sent.at.plus(a.timeout), a.sent.res) } else { a.ended };
    if b.sent.is_none() || a.sent.is_none() || end.res == Res::Unreadable || a.outcome == Outcome::NotSent {
        return None;
    }
    let skew = if a.run == b.run { 0 } else { 2 * world.client_skew };
    // A moment lies inside its text's width, the end of which belongs to the next one.
    let latest: Micros = b.sent.end().plus(skew);
    (latest <= end.begin()).then(|| end.at.since(b.sent.at))
}

/// The first pair of an intent that overlaps.
pub fn intent(intent: &Intent, world: &World<'_>) -> Vec<Found> {
    let pairs: Vec<(&Call, &Call, i64)> = intent
        .calls
        .iter()
        .zip(intent.calls.iter().skip(1))
        .filter_map(|(a, b)| overlap(a, b, world).map(|by| (a, b, by)))
        .collect();
    let Some((a, b, by)) = pairs.first() else {
        return Vec::new();
    };
    let by = if *by < MILLI { format!("{by} us") } else { gap(*by) };
    let effects = intent.calls.iter().filter(|c| c.class.may_have_acted()).count();
    let found = Found::new(by.clone(), "0 s")
        .of_intent(&intent.id)
        .of_tool(&b.tool)
        .in_run(&b.run)
        .attempts(pairs.iter().take(1).flat_map(|(a, b, _)| [*a, *b]))
        .seen(b.sent.at)
        .with("a", a.number.to_string())
        .with("b", b.number.to_string())
        .with("intent", intent.id.clone())
        .with("x", by)
        .with("n", format!("up to {effects}"));
    vec![found]
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};

    #[test]
    fn h19_below() {
        // The first ends in the same microsecond in which the second is sent.
        assert_eq!(fires("H19", &Sample::new().timed(0, 10_000_000).timed(10_000_000, 11_000_000)), 0);
        // Without an end the caller waits for 30 s.
        assert_eq!(fires("H19", &Sample::new().open_us(0).timed(30_000_000, 31_000_000)), 0);
        // Clocks of two runs may be two seconds off each.
        let apart = Sample::new().timed(0, 10_000_000).timed(7_000_000, 12_000_000).in_run(1, "run_2");
        assert_eq!(fires("H19", &apart), 0);
    }

    #[test]
    fn h19_above() {
        let hazard = Sample::new().timed(0, 10_000_001).timed(10_000_000, 11_000_000).only("H19");
        assert_eq!(
            hazard.what,
            "Attempts 1 and 2 of int_1 overlapped by 1 us; up to 2 effects are possible."
        );
        assert_eq!(fires("H19", &Sample::new().open_us(0).timed(29_999_999, 31_000_000)), 1);
        let apart = Sample::new().timed(0, 10_000_000).timed(5_999_999, 12_000_000).in_run(1, "run_2");
        assert_eq!(fires("H19", &apart), 1);
    }
}
