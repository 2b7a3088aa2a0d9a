//! H05, key reused with another payload.

use super::facts::{Call, Intent, World};
use super::found::{Found, Level};
use super::payload::{difference, distinct, same};
use crate::model::outcome::Class;

fn found(key: &str, calls: &[&Call]) -> Option<Found> {
    let different = distinct(calls.iter().copied());
    let (first, second) = (different.first()?, different.get(1)?);
    let (field, a, b) =
        difference(first, second).unwrap_or_else(|| ("the payload".into(), "one".into(), "another".into()));
    let mut later = calls.iter().filter(|c| same(first, c) == Some(false));
    let refused = later.clone().all(|c| c.class == Class::Fail);
    let found = Found::new(different.len().to_string(), "1")
        .of_tool(&second.tool)
        .in_run(&second.run)
        .seen(second.sent.at)
        .with("key", key)
        .with("n", different.len().to_string())
        .with("field", field)
        .with("a", a)
        .with("b", b)
        .with("outcome", later.next_back().map_or(second.outcome, |c| c.outcome).word().replace('_', " "));
    Some(if refused { found.at_level(Level::Medium) } else { found })
}

/// Under one intent.
pub fn intent(intent: &Intent, _: &World<'_>) -> Vec<Found> {
    let of_key = |key: &str| {
        let calls: Vec<&Call> = intent.calls.iter().filter(|c| c.key == key).collect();
        Some(found(key, &calls)?.of_intent(&intent.id).attempts(calls))
    };
    intent.keys().into_iter().filter_map(of_key).collect()
}

/// One key of two intents: two operations under it are two payloads unless they ask for the same.
pub fn tied(intents: &[Intent], _: &World<'_>) -> Vec<Found> {
    let mut keys: Vec<&str> = intents.iter().flat_map(Intent::keys).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.into_iter()
        .filter_map(|key| {
            let with: Vec<&Intent> =
                intents.iter().filter(|i| i.calls.iter().any(|c| c.key == key)).collect();
            if with.len() < 2 {
                return None;
            }
            let calls: Vec<&Call> = with.iter().flat_map(|i| &i.calls).filter(|c| c.key == key).collect();
            let mut found = found(key, &calls)?;
            found.subjects = with.iter().map(|i| i.id.clone()).collect();
            found.count = with.len();
            found.place.intent = found.subjects.last().cloned().unwrap_or_default();
            Some(found)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::rules::Tie;
    use super::super::sample::{Sample, fires, tied_fires};
    use super::*;

    #[test]
    fn h05_below() {
        assert_eq!(fires("H05", &Sample::new().lost(0, "k1").ok(10, "k1")), 0);
        assert_eq!(fires("H05", &Sample::new().lost(0, "k1").ok(10, "k2").pays(1, "21.00")), 0);
    }

    #[test]
    fn h05_above() {
        let sample = Sample::new().lost(0, "k1").ok(10, "k1").pays(1, "21.00");
        let hazard = sample.only("H05");
        assert_eq!(
            hazard.what,
            "Key k1 was sent with 2 payloads. First difference: amount, from 20.00 to 21.00. The later answer: success."
        );
        assert_eq!((&*hazard.measured, hazard.level), ("2", Level::High));
        let refused = Sample::new().ok(0, "k1").refused(10, "k1").pays(1, "21.00");
        assert_eq!(refused.only("H05").level, Level::Medium);
    }

    #[test]
    fn a_payload_in_another_form_is_the_same() {
        let sample = Sample::new().lost(0, "k1").ok(10, "k1");
        let spaced = sample.arguments(1, r#"{ "currency":"USD", "amount":"20.00" }"#);
        assert_eq!(fires("H05", &spaced), 0);
    }

    #[test]
    fn one_key_of_two_intents() {
        let first = Sample::new().ok(0, "k1");
        let second = Sample::new().named("int_2").ok(10, "k1");
        assert_eq!(tied_fires("H05", Tie::Key, &[first.clone(), second.clone()]), 0);
        assert_eq!(tied_fires("H05", Tie::Key, &[first, second.pays(0, "21.00")]), 1);
    }
}
