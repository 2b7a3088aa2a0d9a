//! H04, read-back through the write path.

use super::facts::{Intent, Look, World};
use super::found::{Found, Level};
use crate::model::row::State;

/// Read-backs that cannot disagree; once per tool. High where a decision rested on one.
pub fn intent(intent: &Intent, _: &World<'_>) -> Vec<Found> {
    let stored: Vec<&Look> = intent.looks.iter().filter(|l| !l.independent()).collect();
    let Some(look) = stored.first() else {
        return Vec::new();
    };
    let evidence = stored.iter().any(|l| decided_on(intent, l));
    let how = if look.write_path { "which is the write path" } else { "and got a stored answer" };
    let name = if look.id.is_empty() { "A read-back".to_owned() } else { format!("Read-back {}", look.id) };
    let found = Found::new(look.source.clone(), "another path")
        .of_intent(&intent.id)
        .of_tool(intent.tool())
        .seen(look.when)
        .weighing(i64::from(evidence))
        .with("rb", name)
        .with("endpoint", look.source.clone())
        .with("how", how);
    vec![found.at_level(if evidence { Level::High } else { Level::Medium })]
}

/// A person or the reconciliation settled the intent after this look, and looked nowhere else before that.
fn decided_on(intent: &Intent, look: &Look) -> bool {
    intent.changes.iter().any(|c| {
        let settles = matches!(c.to, State::Confirmed | State::Failed)
            && ["reconciliation", "human"].contains(&c.actor.as_str())
            && c.when >= look.when;
        settles && !intent.looks.iter().any(|l| l.independent() && l.read_something() && l.when <= c.when)
    })
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};
    use super::*;
    use crate::model::row::Seen;

    #[test]
    fn h04_below() {
        assert_eq!(fires("H04", &Sample::new().lost(0, "k1").look(5, "payments", Seen::Present)), 0);
        assert_eq!(fires("H04", &Sample::new().lost(0, "k1").look(5, "GET /refunds", Seen::Present)), 0);
    }

    #[test]
    fn h04_above() {
        let sample = Sample::new().lost(0, "k1").look(5, "POST /refunds", Seen::Present);
        let hazard = sample.only("H04");
        assert_eq!(hazard.what, "Read-back rb_1 of int_1 used POST /refunds, which is the write path.");
        assert_eq!((hazard.level, hazard.place.tool.as_str()), (Level::Medium, "refund_order"));
        // What was decided on it makes it worse.
        let decided = sample.moved(20, State::Unknown, State::Confirmed, "reconciliation");
        assert_eq!(decided.only("H04").level, Level::High);
        assert_eq!(decided.look(10, "payments", Seen::Present).only("H04").level, Level::Medium);
    }

    #[test]
    fn a_stored_answer_cannot_disagree_either() {
        let sample = Sample::new().lost(0, "k1").look(5, "payments", Seen::Present).replayed();
        assert_eq!(
            sample.only("H04").what,
            "Read-back rb_1 of int_1 used payments, and got a stored answer."
        );
    }
}
