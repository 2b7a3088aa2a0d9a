//! H08, no durable intent record.

use super::facts::{Call, Intent, World};
use super::found::Found;

/// Why a call had no lasting record before it was sent.
fn unrecorded(intent: &Intent, call: &Call) -> Option<&'static str> {
    let Some(record) = &intent.record else {
        return Some("it has no record");
    };
    let after = |when: Option<crate::model::time::Micros>| {
        when.is_some_and(|when| !when.is_none() && !call.sent.is_none() && when > call.sent.at)
    };
    if after(record.when) {
        Some("it was recorded after it was sent")
    } else if record.storage == "context" {
        Some("it was kept in the model's context only")
    } else if after(record.minted) {
        Some("its key was made after it was sent")
    } else {
        None
    }
}

/// Attempts without a record that lasts; once per source.
pub fn intent(intent: &Intent, world: &World<'_>) -> Vec<Found> {
    if !world.records {
        return Vec::new();
    }
    let bare: Vec<(&Call, &str)> =
        intent.calls.iter().filter_map(|c| unrecorded(intent, c).map(|how| (c, how))).collect();
    let Some((call, how)) = bare.first() else {
        return Vec::new();
    };
    let found = Found::new("no record", "a record before the call")
        .of_intent(&intent.id)
        .in_source(world.source(call.source))
        .attempts(bare.iter().map(|(c, _)| *c))
        .seen(call.sent.at)
        .weighing(call.sent.at.0.saturating_neg())
        .with("how", *how);
    vec![found]
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};

    #[test]
    fn h08_below() {
        assert_eq!(fires("H08", &Sample::new().recorded_us(0).ok(0, "k1")), 0);
        assert_eq!(fires("H08", &Sample::new().recorded_us(0).minted_us(0).ok(0, "k1")), 0);
        // Without any intent log nothing is said.
        assert_eq!(fires("H08", &Sample::new().ok(0, "k1").without_log()), 0);
    }

    #[test]
    fn h08_above() {
        let late = Sample::new().recorded_us(1).ok(0, "k1").only("H08");
        assert_eq!(
            late.what,
            "Attempts of 1 intent were sent before any lasting record, or without one: int_1. The first: it was recorded \
             after it was sent."
        );
        assert_eq!(late.place.source, "trace.jsonl");
        let how = |sample: Sample| {
            let what = sample.only("H08").what;
            what.rsplit_once("The first: ").map(|(_, how)| how.to_owned()).unwrap()
        };
        assert_eq!(how(Sample::new().unrecorded().ok(0, "k1")), "it has no record.");
        assert_eq!(
            how(Sample::new().recorded_us(0).stored("context").ok(0, "k1")),
            "it was kept in the model's context only."
        );
        assert_eq!(
            how(Sample::new().recorded_us(0).minted_us(1).ok(0, "k1")),
            "its key was made after it was sent."
        );
    }
}
