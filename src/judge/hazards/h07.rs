//! H07, action after a terminal state.

use super::facts::{Call, Intent, World};
use super::found::Found;
use crate::model::row::State;
use crate::model::time::{gap, span};

/// The change that had ended an intent when a call was sent.
fn ended<'a>(intent: &'a Intent, call: &Call) -> Option<&'a super::facts::Change> {
    if call.sent.is_none() {
        return None;
    }
    let change = intent.recorded_before(call.sent.at)?;
    let other_key = || {
        let before = intent.calls.iter().filter(|c| !c.sent.is_none() && c.sent.at < change.when);
        let mut keys = before.map(|c| c.key.as_str()).filter(|key| !key.is_empty()).peekable();
        !call.key.is_empty() && keys.peek().is_some() && keys.all(|key| key != call.key)
    };
    match change.to {
        State::Confirmed => Some(change),
        State::Failed if other_key() => Some(change),
        _ => None,
    }
}

/// Attempts that were sent after the end; one hazard per intent.
pub fn intent(intent: &Intent, world: &World<'_>) -> Vec<Found> {
    let late: Vec<(&Call, &super::facts::Change)> =
        intent.calls.iter().filter_map(|c| ended(intent, c).map(|change| (c, change))).collect();
    let Some((call, change)) = late.first() else {
        return Vec::new();
    };
    let found = Found::new(late.len().to_string(), "0")
        .of_intent(&intent.id)
        .of_tool(&call.tool)
        .in_run(&call.run)
        .attempts(late.iter().map(|(c, _)| *c))
        .seen(call.sent.at)
        .with("a", call.number.to_string())
        .with("intent", intent.id.clone())
        .with("x", gap(call.sent.at.since(change.when)))
        .with("state", change.to.word())
        .with("t", world.clock(change.when))
        .with("skew", span(world.client_skew));
    vec![found]
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};
    use super::*;

    #[test]
    fn h07_below() {
        let confirmed = Sample::new().ok(0, "k1").moved(2, State::Submitted, State::Confirmed, "response");
        assert_eq!(fires("H07", &confirmed), 0);
        let failed = Sample::new().refused(0, "k1").moved(2, State::Submitted, State::Failed, "response");
        assert_eq!(fires("H07", &failed.ok(10, "k1")), 0);
        // Sent in the same moment is not after.
        assert_eq!(fires("H07", &confirmed.ok(2, "k1")), 0);
    }

    #[test]
    fn h07_above() {
        let confirmed = Sample::new().ok(0, "k1").moved(2, State::Submitted, State::Confirmed, "response");
        let hazard = confirmed.ok(10, "k1").only("H07");
        assert_eq!(hazard.what, "Attempt 2 of int_1 was sent 8.0 s after it became confirmed at 08:00:02.");
        let failed = Sample::new().refused(0, "k1").moved(2, State::Submitted, State::Failed, "response");
        assert_eq!(failed.ok(10, "k2").only("H07").measured, "1");
    }
}
