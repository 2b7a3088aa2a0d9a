//! H06, unknown past deadline.

use super::facts::{Intent, World};
use super::found::{Found, Level};
use crate::model::row::State;
use crate::model::time::span;

/// A recorded unknown whose deadline has gone by; derived states have none (`1-model.md` 1.4.9).
pub fn intent(intent: &Intent, world: &World<'_>) -> Vec<Found> {
    let Some(change) = intent.recorded_state() else {
        return Vec::new();
    };
    if change.to != State::Unknown || change.deadline.is_none() || world.now <= change.deadline {
        return Vec::new();
    }
    let late = span(world.now.since(change.deadline));
    let owner = if change.owner.is_empty() { "nobody" } else { &change.owner };
    let found = Found::new(format!("{late} late"), "0")
        .of_intent(&intent.id)
        .of_tool(intent.tool())
        .in_run(intent.run())
        .seen(change.deadline)
        .with("intent", intent.id.clone())
        .with("t", world.clock(change.when))
        .with("d", world.clock(change.deadline))
        .with("x", late)
        .with("owner", owner);
    let grave = change.owner.is_empty() || intent.high_value;
    vec![found.at_level(if grave { Level::High } else { Level::Medium })]
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};
    use super::*;

    #[test]
    fn h06_below() {
        let unknown =
            Sample::new().lost(0, "k1").moved(2, State::Submitted, State::Unknown, "timeout_handler");
        // The clock of the sample stands at 3600 s.
        assert_eq!(fires("H06", &unknown.clone().deadline_us(3_600_000_000)), 0);
        assert_eq!(fires("H06", &unknown.clone().deadline_us(3_600_000_001)), 0);
        assert_eq!(fires("H06", &unknown), 0);
        // What is only derived has no deadline.
        assert_eq!(fires("H06", &Sample::new().lost(0, "k1")), 0);
    }

    #[test]
    fn h06_above() {
        let unknown =
            Sample::new().lost(0, "k1").moved(2, State::Submitted, State::Unknown, "timeout_handler");
        assert_eq!(fires("H06", &unknown.clone().deadline_us(3_599_999_999)), 1);
        let late = unknown.deadline_us(2_400_000_000);
        let hazard = late.only("H06");
        assert_eq!(
            hazard.what,
            "int_1 is unknown since 08:00:02. Its deadline was 08:40:00; it is late by 20m. Owner: nobody."
        );
        assert_eq!((&*hazard.measured, hazard.level), ("20m late", Level::High));
        let owned = late.owned("dana");
        assert_eq!(owned.only("H06").level, Level::Medium);
        assert_eq!(owned.high_value().only("H06").level, Level::High);
    }
}
