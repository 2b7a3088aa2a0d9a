//! H17, key from the model.

use super::facts::{Call, Intent, World};
use super::found::Found;
use super::payload::key_field;

/// Why a key is the model's.
fn of_model(intent: &Intent, call: &Call) -> Option<String> {
    if call.key.is_empty() {
        return None;
    }
    if intent
        .record
        .as_ref()
        .is_some_and(|r| r.key_origin == "model" && (r.key.is_empty() || r.key == call.key))
    {
        return Some("its record says so".to_owned());
    }
    let field = key_field(call)?;
    let earlier = intent.record.as_ref().is_some_and(|r| {
        let late = r.when.is_some_and(|when| !when.is_none() && !call.sent.is_none() && when > call.sent.at);
        r.key == call.key && !late
    });
    (!earlier).then(|| format!("it stands in the argument {field} and in no earlier record"))
}

/// Keys of the model's making; once per tool.
pub fn intent(intent: &Intent, world: &World<'_>) -> Vec<Found> {
    if !world.records {
        return Vec::new();
    }
    let made = intent.calls.iter().find_map(|c| of_model(intent, c).map(|how| (c, how)));
    let Some((call, how)) = made else {
        return Vec::new();
    };
    let turn = if call.turn.is_empty() { String::new() } else { format!(" in turn {}", call.turn) };
    let found = Found::new(call.key.clone(), "a key of the application")
        .of_intent(&intent.id)
        .of_tool(&call.tool)
        .in_run(&call.run)
        .attempts([call])
        .seen(call.sent.at)
        .weighing(call.sent.at.0.saturating_neg())
        .with("key", call.key.clone())
        .with("turn", turn)
        .with("how", how);
    vec![found]
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, fires};

    const INSIDE: &str = r#"{"amount":"20.00","idempotency_key":"k1"}"#;

    #[test]
    fn h17_below() {
        assert_eq!(
            fires("H17", &Sample::new().recorded_key("k1", "app").ok(0, "k1").arguments(0, INSIDE)),
            0
        );
        assert_eq!(fires("H17", &Sample::new().unrecorded().ok(0, "k1")), 0);
        assert_eq!(fires("H17", &Sample::new().ok(0, "k1").arguments(0, INSIDE).without_log()), 0);
    }

    #[test]
    fn h17_above() {
        let said = Sample::new().recorded_key("k1", "model").ok(0, "k1").only("H17");
        assert_eq!(said.what, "Key k1 of int_1 came from the model: its record says so.");
        let inside = Sample::new().recorded_key("k9", "app").ok(0, "k1").arguments(0, INSIDE).only("H17");
        assert_eq!(
            inside.what,
            "Key k1 of int_1 came from the model: it stands in the argument idempotency_key and in no earlier record."
        );
    }
}
