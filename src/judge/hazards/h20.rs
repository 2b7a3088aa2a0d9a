//! H20, lineage broken.

use super::facts::{Intent, World};
use super::found::Found;
use super::payload::{difference, distinct};
use crate::model::row::{Relation, State};

/// The content changed under one intent. Calls that only equal arguments tie ask for the same by that rule.
pub fn intent(intent: &Intent, world: &World<'_>) -> Vec<Found> {
    if !intent.by_id {
        return Vec::new();
    }
    let different = distinct(intent.calls.iter());
    let (Some(first), Some(second)) = (different.first(), different.get(1)) else {
        return Vec::new();
    };
    let (field, old, new) =
        difference(first, second).unwrap_or_else(|| ("the payload".into(), "one".into(), "another".into()));
    let found = Found::new("changed", "unchanged")
        .of_intent(&intent.id)
        .of_tool(&second.tool)
        .in_run(&second.run)
        .attempts([*first, *second])
        .seen(second.sent.at)
        .with("child", format!("Attempt {} of {}", second.number, intent.id))
        .with("new", format!("{field} {new}"))
        .with("t", world.clock(second.sent.at))
        .with("parent", format!("attempt {}", first.number))
        .with("old", format!("{field} {old}"))
        .with("state", "of the same intent");
    vec![found]
}

fn amount(intent: &Intent, world: &World<'_>) -> String {
    let amount = intent.calls.iter().find_map(|c| c.amount);
    amount.map_or_else(|| "no amount".to_owned(), |m| world.units.show(m))
}

/// A request was sent while another one was not settled.
fn pair(first: &Intent, second: &Intent, world: &World<'_>) -> Option<Found> {
    let call = second.calls.first()?;
    let sent = second.first_sent();
    let state = first.state_at(sent).filter(|s| matches!(s, State::Submitted | State::Unknown))?;
    let found = Found::new("sent too early", "settled")
        .of_tool(&call.tool)
        .in_run(&call.run)
        .attempts([call])
        .seen(sent)
        .with("child", second.id.clone())
        .with("new", amount(second, world))
        .with("t", world.clock(sent))
        .with("parent", first.id.clone())
        .with("old", amount(first, world))
        .with("state", state.word());
    let mut found = found;
    found.place.intent = second.id.clone();
    found.subjects = vec![first.id.clone(), second.id.clone()];
    found.count = 2;
    Some(found)
}

/// A child that was sent while its parent was open; what only adds to its parent may be.
pub fn parents(intents: &[Intent], world: &World<'_>) -> Vec<Found> {
    let parent_of = |child: &Intent| {
        let (parent, relation) = child.parent.as_ref()?;
        let parent = intents.iter().find(|i| i.id == *parent)?;
        (*relation != Relation::AddsTo).then(|| pair(parent, child, world)).flatten()
    };
    intents.iter().filter_map(parent_of).collect()
}

/// Two requests of one order, kind and run with different amounts, of which neither names the other.
pub fn orders(intents: &[Intent], world: &World<'_>) -> Vec<Found> {
    let amount = |i: &Intent| i.calls.iter().find_map(|c| c.amount);
    let mut all = Vec::new();
    for (no, second) in intents.iter().enumerate().filter(|(_, i)| i.parent.is_none()) {
        let other = |first: &&Intent| {
            first.parent.is_none() && amount(first).zip(amount(second)).is_some_and(|(a, b)| a != b)
        };
        let sent =
            |first: &&Intent| !first.first_sent().is_none() && first.first_sent() < second.first_sent();
        let mut before = intents.iter().take(no).filter(other).filter(sent);
        all.extend(before.find_map(|first| pair(first, second, world)));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::rules::Tie;
    use super::super::sample::{Sample, fires, tied, tied_fires};
    use super::*;

    #[test]
    fn h20_below() {
        assert_eq!(fires("H20", &Sample::new().lost(0, "k1").ok(10, "k1")), 0);
        assert_eq!(fires("H20", &Sample::new().unnamed().lost(0, "k1").ok(10, "k1").pays(1, "21.00")), 0);
        let parent = Sample::new().lost(0, "k1").moved(5, State::Submitted, State::Unknown, "response");
        let settled = parent.clone().moved(8, State::Unknown, State::Failed, "human");
        let child = Sample::new().named("int_2").child_of("int_1").ok(10, "k2").pays(0, "15.00");
        assert_eq!(tied_fires("H20", Tie::Parent, &[settled, child.clone()]), 0);
        assert_eq!(tied_fires("H20", Tie::Parent, &[parent, child.adds()]), 0);
    }

    #[test]
    fn h20_above() {
        let changed = Sample::new().lost(0, "k1").ok(10, "k1").pays(1, "21.00").only("H20");
        assert_eq!(
            changed.what,
            "Attempt 2 of int_1 (amount 21.00) was sent at 08:00:10 while attempt 1 (amount 20.00) was of the same intent."
        );
        let parent = Sample::new().lost(0, "k1").moved(5, State::Submitted, State::Unknown, "response");
        let child = Sample::new().named("int_2").child_of("int_1").ok(10, "k2").pays(0, "15.00");
        let found = tied("H20", Tie::Parent, &[parent, child]);
        assert_eq!(
            found[0].what,
            "int_2 (USD 15.00) was sent at 08:00:10 while int_1 (USD 20.00) was unknown."
        );
        assert_eq!(found[0].subjects, ["int_1", "int_2"]);
    }

    #[test]
    fn another_amount_for_one_order_while_the_first_is_open() {
        let first = Sample::new().lost(0, "k1");
        let second = Sample::new().named("int_2").ok(10, "k2");
        assert_eq!(tied_fires("H20", Tie::Order, &[first.clone(), second.clone()]), 0);
        assert_eq!(tied_fires("H20", Tie::Order, &[first, second.clone().pays(0, "15.00")]), 1);
        assert_eq!(tied_fires("H20", Tie::Order, &[Sample::new().ok(0, "k1"), second.pays(0, "15.00")]), 0);
    }
}
