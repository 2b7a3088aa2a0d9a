//! H22, illegal transition: the table of `3-lifecycle.md` 3.2.

use super::facts::{Intent, World};
use super::found::{Found, Level};
use crate::model::row::State;

/// Who may move what: from, to, actors. Nothing else is allowed, and an agent moves nothing.
const MOVES: [(State, State, &[&str]); 11] = [
    (State::Submitted, State::Submitted, &["app"]),
    (State::Submitted, State::Confirmed, &["response"]),
    (State::Submitted, State::Failed, &["response"]),
    (State::Submitted, State::Unknown, &["timeout_handler", "response", "reconciliation", "human"]),
    (State::Failed, State::Submitted, &["retry_policy"]),
    (State::Unknown, State::Confirmed, &["reconciliation", "human"]),
    (State::Unknown, State::Failed, &["reconciliation", "human"]),
    (State::Confirmed, State::Unknown, &["reconciliation", "human"]),
    (State::Failed, State::Unknown, &["reconciliation", "human"]),
    (State::Unknown, State::Unknown, &["human", "reconciliation"]),
    (State::Confirmed, State::Confirmed, &["reconciliation"]),
];

/// Actors of the table; records of other systems may use other names, of which nothing is known.
const ACTORS: [&str; 7] =
    ["app", "response", "timeout_handler", "retry_policy", "reconciliation", "human", "agent"];

/// Whether the table refuses a move.
fn refused(from: State, to: State, actor: &str) -> bool {
    let known = ACTORS.contains(&actor);
    let allowed = MOVES.iter().find(|(f, t, _)| *f == from && *t == to);
    match allowed {
        Some((_, _, actors)) => known && !actors.contains(&actor),
        None => true,
    }
}

/// Each refused move of an intent.
pub fn intent(intent: &Intent, world: &World<'_>) -> Vec<Found> {
    let mut before: Option<State> = None;
    let mut all = Vec::new();
    for change in &intent.changes {
        // The first state of an intent is submitted; what says nothing else moves on from there.
        let from = change.from.or(before);
        before = Some(change.to);
        let Some(from) = from.or((change.to != State::Submitted).then_some(State::Submitted)) else {
            continue;
        };
        if !refused(from, change.to, &change.actor) {
            continue;
        }
        let actor = if change.actor.is_empty() { "Somebody" } else { &change.actor };
        let grave = change.actor == "agent" || (from, change.to) == (State::Unknown, State::Submitted);
        let found = Found::new(format!("{} to {}", from.word(), change.to.word()), "an allowed move")
            .of_intent(&intent.id)
            .of_tool(intent.tool())
            .in_run(intent.run())
            .seen(change.when)
            .at_level(if grave { Level::High } else { Level::Medium })
            .with("actor", actor)
            .with("intent", intent.id.clone())
            .with("from", from.word())
            .with("to", change.to.word())
            .with("t", world.clock(change.when));
        all.push(found);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};
    use super::*;

    #[test]
    fn h22_below() {
        for (from, to, actors) in MOVES {
            for actor in actors {
                assert_eq!(
                    fires("H22", &Sample::new().moved(2, from, to, actor)),
                    0,
                    "{from:?} {to:?} {actor}"
                );
            }
        }
        // Records of other systems have other actors: an allowed move is an allowed move.
        assert_eq!(fires("H22", &Sample::new().moved(2, State::Submitted, State::Confirmed, "worker-7")), 0);
    }

    #[test]
    fn h22_above() {
        let retried = Sample::new().moved(2, State::Unknown, State::Submitted, "retry_policy").only("H22");
        assert_eq!(retried.what, "retry_policy moved int_1 from unknown to submitted at 08:00:02.");
        assert_eq!(retried.level, Level::High);
        let reopened = Sample::new().moved(2, State::Failed, State::Confirmed, "human").only("H22");
        assert_eq!(reopened.level, Level::Medium);
        assert_eq!(
            Sample::new().moved(2, State::Submitted, State::Confirmed, "agent").only("H22").level,
            Level::High
        );
    }

    #[test]
    fn every_pair_is_as_in_the_table() {
        let mut refusals = 0;
        for (from, _) in State::ALL {
            for (to, _) in State::ALL {
                let others = ACTORS.iter().filter(|a| refused(from, to, a)).count();
                refusals += others;
                assert!(refused(from, to, "agent"), "{from:?} {to:?}");
            }
        }
        // 16 pairs by 7 actors, of which the table allows 19.
        assert_eq!(refusals, 16 * 7 - MOVES.iter().map(|(_, _, actors)| actors.len()).sum::<usize>());
    }
}
