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

/// One call under a key, answered as done, and rows of its order, each with a key and a time.
fn beside_rows(rows: &[(&str, &str, &str)]) -> recount::load::Case {
    let sent = call("").without(&["operation_id"]).order("1").usd("5.00").set("idempotency_key", "Key-ABC-1");
    let of = |(id, key, at): &(&str, &str, &str)| {
        row(id, "").without(&["operation_id"]).order("1").usd("5.00").set("idempotency_key", *key).at(at)
    };
    let mut ledger = vec![earlier()];
    ledger.extend(rows.iter().map(of));
    ledger.push(later());
    pair(&[sent], &ledger).load()
}

/// Rows that are shown beside the only intent without being counted, by their names.
fn shown_beside(case: &recount::load::Case) -> Vec<String> {
    let op = case.ordered()[0];
    case.view(op).unwrap().open_rows.into_iter().map(|row| row.name).collect()
}

/// `1-model.md` 1.5: another key is another request. A ledger that makes keys of its own would hide the row: it is shown.
#[test]
fn a_row_that_fits_but_for_its_key_is_shown_and_not_counted() {
    let case = beside_rows(&[("re_1", "own-77", "09:00:01"), ("re_2", "own-78", "12:00:00")]);
    let view = case.view(case.ordered()[0]).unwrap();
    assert_eq!((view.judgement.verdict(), view.judgement.gross), ("MISSING", 0));
    assert_eq!(shown_beside(&case), ["re_1"]);
    // Under its own key it is the row, and the other one says nothing.
    let case = beside_rows(&[("re_1", "Key-ABC-1", "09:00:01"), ("re_2", "own-78", "09:00:01")]);
    assert_eq!(case.view(case.ordered()[0]).unwrap().judgement.verdict(), "MATCHED");
    assert_eq!(shown_beside(&case), Vec::<String>::new());
}

#[test]
fn keys_that_differ_only_in_capitals_are_nearly_one() {
    let case = beside_rows(&[("re_1", "key-abc-1", "09:00:01")]);
    let view = case.view(case.ordered()[0]).unwrap();
    assert_eq!(view.judgement.verdict(), "UNVERIFIED_SUCCESS");
    assert!(crate::world::codes(&view.judgement).contains(&"NEAR_IDENTICAL_ID"));
    assert_eq!(view.near_ids, ["key-abc-1"]);
    let sent = call("").without(&["operation_id"]).order("1").usd("5.00").set("idempotency_key", "Key-ABC-1");
    let row = row("re_1", "")
        .without(&["operation_id"])
        .order("1")
        .usd("5.00")
        .set("idempotency_key", " key-ABC-1");
    let one = pair(&[sent], &[earlier(), row, later()]).with(|s| {
        s.normalise =
            vec![recount::sources::spec::Normalise::Trim, recount::sources::spec::Normalise::Casefold];
    });
    let case = one.load();
    assert_eq!(case.view(case.ordered()[0]).unwrap().judgement.verdict(), "MATCHED");
}
