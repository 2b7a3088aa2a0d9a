//! H14, verification skipped.

use super::facts::{Call, Intent, Look, World};
use super::found::Found;
use crate::model::row::{Seen, State};

/// A look came after a call.
fn after(look: &Look, last: &Call) -> bool {
    let over = if last.ended.is_none() { last.sent.at } else { last.ended.at };
    if over.is_none() || look.when.is_none() { look.at > last.at } else { look.when >= over }
}

/// A closed intent of a tool that cannot be undone, without an independent read behind its last attempt; once per tool.
pub fn intent(intent: &Intent, world: &World<'_>) -> Vec<Found> {
    let Some(last) = intent.calls.last() else {
        return Vec::new();
    };
    let irreversible = world.tool(&last.tool).is_some_and(|t| t.irreversible);
    let closed = matches!(intent.state(), State::Confirmed | State::Failed);
    let looked = intent.looks.iter().any(|l| l.independent() && l.seen != Seen::NotRun && after(l, last));
    if !irreversible || !closed || looked {
        return Vec::new();
    }
    let when = if last.ended.is_none() { last.sent.at } else { last.ended.at };
    let found = Found::new("0 looks", "at least 1")
        .of_intent(&intent.id)
        .of_tool(&last.tool)
        .seen(when)
        .weighing(when.0.saturating_neg())
        .with("tool", last.tool.clone());
    vec![found]
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};
    use super::*;

    #[test]
    fn h14_below() {
        let done = Sample::new().irreversible().ok(0, "k1");
        assert_eq!(fires("H14", &done.clone().look(5, "payments", Seen::Present)), 0);
        // Not closed, or can be undone.
        assert_eq!(fires("H14", &Sample::new().irreversible().lost(0, "k1")), 0);
        assert_eq!(fires("H14", &Sample::new().ok(0, "k1")), 0);
    }

    #[test]
    fn h14_above() {
        let done = Sample::new().irreversible().ok(10, "k1");
        assert_eq!(
            done.only("H14").what,
            "1 intent of refund_order closed without a read after the last attempt: int_1."
        );
        for early in [
            done.clone().look(5, "payments", Seen::Present),
            done.clone().look(15, "POST /refunds", Seen::Present),
            done.look(15, "payments", Seen::NotRun),
        ] {
            assert_eq!(fires("H14", &early), 1);
        }
    }
}
