//! H15, timeout recorded as failed.

use super::facts::{Call, Change, Intent, World};
use super::found::Found;
use crate::model::outcome::Class;
use crate::model::row::{Seen, State};

/// The last attempt before a change.
fn before<'a>(intent: &'a Intent, change: &Change) -> Option<&'a Call> {
    let sent = |c: &&Call| c.sent.is_none() || change.when.is_none() || c.sent.at <= change.when;
    intent.calls.iter().rfind(sent)
}

/// An absence was proven between the attempt and the change.
fn absent(intent: &Intent, call: &Call, change: &Change) -> bool {
    intent.looks.iter().any(|l| {
        let late = l.when.is_none() || call.over().is_none() || l.when >= call.over();
        let early = l.when.is_none() || change.when.is_none() || l.when <= change.when;
        l.seen == Seen::AbsentAsOf && l.independent() && late && early
    })
}

/// The state became failed although nobody had said no.
pub fn intent(intent: &Intent, world: &World<'_>) -> Vec<Found> {
    let wrong = intent.changes.iter().filter(|c| c.to == State::Failed).find_map(|change| {
        let call = before(intent, change)?;
        let unknown = matches!(call.class, Class::Unknown) && !absent(intent, call, change);
        (unknown || change.actor == "timeout_handler").then_some((change, call))
    });
    let Some((change, call)) = wrong else {
        return Vec::new();
    };
    let by = if change.actor.is_empty() { String::new() } else { format!(", set by {}", change.actor) };
    let outcome = call.outcome.word().replace('_', " ");
    let found = Found::new(outcome.clone(), "unknown")
        .of_intent(&intent.id)
        .of_tool(&call.tool)
        .in_run(&call.run)
        .attempts([call])
        .seen(change.when)
        .with("a", call.number.to_string())
        .with("intent", intent.id.clone())
        .with("outcome", outcome)
        .with("t", world.clock(change.when))
        .with("by", by);
    vec![found]
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};
    use super::*;

    #[test]
    fn h15_below() {
        let refused = Sample::new().refused(0, "k1").moved(2, State::Submitted, State::Failed, "response");
        assert_eq!(fires("H15", &refused), 0);
        let unknown =
            Sample::new().lost(0, "k1").moved(2, State::Submitted, State::Unknown, "timeout_handler");
        assert_eq!(fires("H15", &unknown), 0);
        let proven = unknown.look(20, "payments", Seen::AbsentAsOf).moved(
            30,
            State::Unknown,
            State::Failed,
            "reconciliation",
        );
        assert_eq!(fires("H15", &proven), 0);
    }

    #[test]
    fn h15_above() {
        let failed = Sample::new().lost(0, "k1").moved(2, State::Submitted, State::Failed, "response");
        let hazard = failed.only("H15");
        assert_eq!(
            hazard.what,
            "Attempt 1 of int_1 ended response lost; its state became failed at 08:00:02, set by response."
        );
        assert_eq!((&*hazard.measured, &*hazard.threshold), ("response lost", "unknown"));
        // Not found where that proves nothing is no absence.
        let weak = Sample::new().lost(0, "k1").look(5, "payments", Seen::NotFoundNotCovering).moved(
            9,
            State::Unknown,
            State::Failed,
            "human",
        );
        assert_eq!(fires("H15", &weak), 1);
        let timeout =
            Sample::new().refused(0, "k1").moved(2, State::Submitted, State::Failed, "timeout_handler");
        assert_eq!(fires("H15", &timeout), 1);
    }
}
