//! H01, fresh key per attempt.

use super::facts::{Call, Intent, World};
use super::fill::list;
use super::found::{Found, Level};
use super::payload::same;
use crate::model::outcome::Class;

/// One operation, at least two attempts with one payload, and as many different keys as the limit. Where no id ties
/// the attempts, a new key after an unknown one is a suspicion.
pub fn intent(intent: &Intent, world: &World<'_>) -> Vec<Found> {
    let limit = world.asked.whole("H01", "keys");
    let keyed: Vec<&Call> = intent.calls.iter().filter(|c| !c.key.is_empty()).collect();
    let Some(first) = keyed.first() else {
        return Vec::new();
    };
    let equal: Vec<&Call> = keyed.iter().copied().filter(|c| same(first, c) == Some(true)).collect();
    let mut keys: Vec<&str> = Vec::new();
    let mut before: Option<&Call> = None;
    for call in &equal {
        let fresh = !keys.contains(&call.key.as_str());
        let one_run =
            before.is_none_or(|b| b.class == Class::Unknown && b.run == call.run && b.tool == call.tool);
        if fresh && (intent.by_id || one_run) {
            keys.push(&call.key);
        }
        before = Some(call);
    }
    let count = keys.len() as u64;
    if keys.len() < 2 || count < limit {
        return Vec::new();
    }
    let found = Found::new(count.to_string(), limit.to_string())
        .of_intent(&intent.id)
        .of_tool(&first.tool)
        .in_run(&first.run)
        .attempts(equal.iter().copied())
        .seen(equal.get(1).map_or(first.sent.at, |c| c.sent.at))
        .with("n", equal.len().to_string())
        .with("operation", intent.id.clone())
        .with("k", count.to_string())
        .with("list", list(&keys));
    vec![if intent.by_id { found } else { found.at_level(Level::Medium) }]
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};
    use super::*;

    #[test]
    fn h01_below() {
        let same_key = Sample::new().lost(0, "k1").ok(10, "k1");
        assert_eq!(fires("H01", &same_key), 0);
        // Another payload is another rule.
        assert_eq!(fires("H01", &Sample::new().lost(0, "k1").ok(10, "k2").pays(1, "21.00")), 0);
    }

    #[test]
    fn h01_above() {
        let sample = Sample::new().lost(0, "k1").ok(10, "k2");
        let hazard = sample.only("H01");
        assert_eq!(hazard.what, "2 attempts of int_1 used 2 keys: k1 and k2.");
        assert_eq!((&*hazard.measured, &*hazard.threshold, hazard.level), ("2", "2", Level::High));
        assert_eq!(fires("H01", &sample.clone().limit("H01", "keys", "3")), 0);
    }

    #[test]
    fn without_an_id_it_is_a_suspicion_after_an_unknown_only() {
        let unnamed = Sample::new().unnamed();
        assert_eq!(unnamed.clone().lost(0, "k1").ok(10, "k2").only("H01").level, Level::Medium);
        assert_eq!(fires("H01", &unnamed.ok(0, "k1").ok(10, "k2")), 0);
    }
}
