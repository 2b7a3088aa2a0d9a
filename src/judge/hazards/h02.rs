//! H02, drifting derived key.

use super::facts::{Call, Intent, World};
use super::fill::list;
use super::found::Found;
use super::payload::{difference, distinct, same};

/// The key is made of the content: it says so, or it is the hash of its own payload.
fn derived(intent: &Intent, call: &Call) -> bool {
    let said = intent.record.as_ref().is_some_and(|r| r.key_kind == "derived");
    let hashed = call.arguments.as_deref().and_then(|json| crate::canon::hash(json).ok());
    said || hashed.is_some_and(|hash| call.key.len() >= 16 && hash.contains(call.key.as_str()))
}

fn drifted<'a>(calls: &[(&'a Intent, &'a Call)]) -> Option<(&'a Call, &'a Call)> {
    let (intent, first) = calls.first()?;
    let (_, second) = calls.iter().find(|(other, c)| {
        c.key != first.key && same(first, c) == Some(false) && derived(intent, first) && derived(other, c)
    })?;
    Some((first, second))
}

fn found(a: &Call, b: &Call, keys: &[&str], payloads: usize) -> Found {
    let (field, from, to) =
        difference(a, b).unwrap_or_else(|| ("the payload".into(), "one".into(), "another".into()));
    Found::new(format!("{} keys, {payloads} payloads", keys.len()), "1 payload")
        .of_tool(&b.tool)
        .in_run(&b.run)
        .seen(b.sent.at)
        .with("field", field)
        .with("a", from)
        .with("b", to)
        .with("list", list(keys))
}

/// Under one operation: keys and payloads differ.
pub fn intent(intent: &Intent, _: &World<'_>) -> Vec<Found> {
    let keyed: Vec<(&Intent, &Call)> =
        intent.calls.iter().filter(|c| !c.key.is_empty()).map(|c| (intent, c)).collect();
    let Some((a, b)) = drifted(&keyed) else {
        return Vec::new();
    };
    let payloads = distinct(keyed.iter().map(|(_, c)| *c)).len();
    vec![found(a, b, &intent.keys(), payloads).of_intent(&intent.id).attempts([a, b])]
}

/// Two intents of one kind and business id in one run, neither of which names the other.
pub fn tied(intents: &[Intent], _: &World<'_>) -> Vec<Found> {
    let mut all = Vec::new();
    for (no, second) in intents.iter().enumerate() {
        let named = |a: &Intent, b: &Intent| a.parent.as_ref().is_some_and(|(parent, _)| *parent == b.id);
        let mut before =
            intents.iter().take(no).filter(|first| !named(second, first) && !named(first, second));
        let drift = before.find_map(|first| {
            let calls =
                first.calls.iter().map(|c| (first, c)).chain(second.calls.iter().map(|c| (second, c)));
            let keyed: Vec<_> = calls.filter(|(_, c)| !c.key.is_empty()).collect();
            drifted(&keyed).map(|(a, b)| (first, a, b))
        });
        if let Some((first, a, b)) = drift {
            let mut found = found(a, b, &[&a.key, &b.key], 2);
            found.place.intent = second.id.clone();
            found.subjects = vec![first.id.clone(), second.id.clone()];
            found.count = 2;
            all.push(found);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::rules::Tie;
    use super::super::sample::{Sample, fires, tied_fires};

    #[test]
    fn h02_below() {
        // One payload is H01, one key is H05.
        assert_eq!(fires("H02", &Sample::new().derived().lost(0, "k1").ok(10, "k2")), 0);
        assert_eq!(fires("H02", &Sample::new().derived().lost(0, "k1").ok(10, "k1").pays(1, "21.00")), 0);
        // A key that nobody derived does not follow the content.
        assert_eq!(fires("H02", &Sample::new().lost(0, "k1").ok(10, "k2").pays(1, "21.00")), 0);
    }

    #[test]
    fn h02_above() {
        let sample = Sample::new().derived().lost(0, "k1").ok(10, "k2").pays(1, "21.00");
        let hazard = sample.only("H02");
        assert_eq!(hazard.what, "amount changed from 20.00 to 21.00, and the key with it: k1 and k2.");
        assert_eq!(hazard.measured, "2 keys, 2 payloads");
    }

    #[test]
    fn two_intents_of_one_order_drift_unless_one_names_the_other() {
        let first = Sample::new().derived().ok(0, "k1");
        let second = Sample::new().derived().named("int_2").ok(10, "k2").pays(0, "21.00");
        assert_eq!(tied_fires("H02", Tie::Order, &[first.clone(), second.clone()]), 1);
        assert_eq!(tied_fires("H02", Tie::Order, &[first, second.child_of("int_1")]), 0);
    }

    #[test]
    fn a_key_that_is_the_hash_of_its_payload_is_derived() {
        let hash = |amount: &str| crate::canon::hash(&Sample::payload(amount)).unwrap();
        let (a, b) = (hash("20.00"), hash("21.00"));
        assert_eq!(fires("H02", &Sample::new().lost(0, &a).ok(10, &b).pays(1, "21.00")), 1);
    }
}
