//! H16, unknown without deadline.

use super::facts::{Intent, World};
use super::found::Found;
use crate::model::row::State;

/// A recorded unknown without a deadline; derived states never have one (`1-model.md` 1.4.9).
pub fn intent(intent: &Intent, world: &World<'_>) -> Vec<Found> {
    let Some(change) = intent.recorded_state().filter(|c| c.to == State::Unknown && c.deadline.is_none())
    else {
        return Vec::new();
    };
    let found = Found::new("no deadline", "a deadline")
        .of_intent(&intent.id)
        .of_tool(intent.tool())
        .in_run(intent.run())
        .seen(change.when)
        .with("intent", intent.id.clone())
        .with("t", world.clock(change.when));
    vec![found]
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};
    use super::*;

    #[test]
    fn h16_below() {
        let unknown =
            Sample::new().lost(0, "k1").moved(2, State::Submitted, State::Unknown, "timeout_handler");
        assert_eq!(fires("H16", &unknown.deadline_us(2_400_000_000)), 0);
        assert_eq!(fires("H16", &Sample::new().lost(0, "k1")), 0);
    }

    #[test]
    fn h16_above() {
        let unknown =
            Sample::new().lost(0, "k1").moved(2, State::Submitted, State::Unknown, "timeout_handler");
        assert_eq!(unknown.only("H16").what, "int_1 is unknown since 08:00:02 and has no deadline.");
        // Once it is settled there is nothing to wait for.
        assert_eq!(fires("H16", &unknown.moved(9, State::Unknown, State::Confirmed, "reconciliation")), 0);
    }
}
