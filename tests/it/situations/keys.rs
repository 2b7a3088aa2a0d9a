//! One key, two contents (`2-judge.md` 2.6, R16; E25): whatever form the content of a call is written in.

use crate::small::*;
use serde_json::{Value, json};

fn sent(field: &str, content: Value, amount: &str) -> Line {
    call("refund:o1:r1").usd(amount).set("idempotency_key", "k1").set(field, content).receipt("re_1")
}

fn said_of_two(field: &str, one: Value, two: Value) -> String {
    let calls = [
        sent(field, one, "200.00"),
        sent(field, two, "250.00").sent("09:00:10", "09:00:11").without(&["receipt"]),
    ];
    let row = row("re_1", "refund:o1:r1").usd("200.00");
    let case = pair(&calls, &[earlier(), row, later()]).load();
    format!("{}; {}", view(&case, "refund:o1:r1").judgement.verdict(), result(&case))
}

#[test]
fn content_as_an_object_or_as_a_text() {
    let (one, two) = (json!({"amount":200}), json!({"amount":250}));
    let text = |value: &Value| Value::String(value.to_string());
    let deep = |value: &Value| json!({"refund":{"lines":[value]}});
    for field in ["payload", "args", "arguments", "input"] {
        for (a, b) in [
            (one.clone(), two.clone()),
            (text(&one), text(&two)),
            (one.clone(), text(&two)),
            (deep(&one), deep(&two)),
            (json!([1]), json!([2])),
        ] {
            assert_eq!(said_of_two(field, a, b), "KEY_CONFLICT; VIOLATION FOUND 1", "{field}");
        }
    }
}

#[test]
fn equal_content_in_another_form_is_no_conflict() {
    for (a, b) in [
        (json!({"amount":200,"note":"x"}), json!({"note":"x","amount":200.0})),
        (json!({"amount":200}), json!("{ \"amount\" : 2e2 }")),
    ] {
        let said = said_of_two("payload", a, b);
        assert!(!said.contains("KEY_CONFLICT"), "{said}");
    }
}

/// E25 in the native form of a trace.
#[test]
fn native_attempts_with_objects() {
    let at = |time: &str| full(time);
    let halves = |id: &str, amount: u64, sent: &str, ended: &str| {
        let started = json!({"attempt_id":id,"operation_id":"refund:o1:r1","idempotency_key":"k1","tool":"refund",
            "payload":{"amount":amount,"currency":"USD"},"sent_at":at(sent)});
        let finished = json!({"attempt_id":id,"outcome":"success","receipt":"re_1","ended_at":at(ended)});
        [event("attempt_started", started), event("attempt_finished", finished)]
    };
    let calls =
        [halves("a1", 200, "09:00:00", "09:00:01"), halves("a2", 250, "09:00:10", "09:00:11")].concat();
    let row = row("re_1", "refund:o1:r1").usd("200.00");
    let case = pair(&calls, &[earlier(), row, later()]).load();
    let said = said(&case, "refund:o1:r1");
    assert!(said.contains("R16 KEY_CONFLICT violation S2, risk USD 250.00"), "{said}");
    assert_eq!(result(&case), "VIOLATION FOUND 1");
}
