//! Calls without an operation id (`1-model.md` 1.4.10): by key, by arguments, by nothing.

use serde_json::json;

use crate::small::*;

/// A call without an operation id.
fn bare(run: &str, arguments: serde_json::Value) -> Line {
    call("").without(&["operation_id"]).set("run_id", run).set("arguments", arguments)
}

fn twenty() -> serde_json::Value {
    json!({"order_id":"1","amount":"20.00","currency":"USD"})
}

fn by_key(id: &str, key: &str) -> Line {
    row(id, "").without(&["operation_id"]).set("idempotency_key", key).order("1").usd("20.00")
}

fn by_receipt(id: &str) -> Line {
    row(id, "").without(&["operation_id"]).order("1").usd("20.00")
}

#[test]
fn equal_keys_are_one_intent() {
    let trace = [
        bare("r1", twenty()).set("idempotency_key", "k1").told("timeout"),
        bare("r2", json!({"other":1,"order_id":"1","amount":"20.00","currency":"USD"}))
            .set("idempotency_key", "k1")
            .sent("09:05:00", "09:05:01"),
        bare("r1", twenty())
            .set("idempotency_key", "k2")
            .sent("09:05:00", "09:05:01")
            .set("arguments", json!({"order_id":"2","amount":"5.00","currency":"USD"})),
    ];
    let case = pair(&trace, &[earlier(), by_key("re_1", "k1"), later()]).load();
    assert_eq!(summary(&case).intents, 2);
    assert_eq!(
        said(&case, "k1"),
        // The second call has one field more: another content under the same key.
        "confirmed* [1,2] of 1 USD 20.00: 1/1 USD 20.00, R16 KEY_CONFLICT violation S2, risk USD 20.00"
    );
    assert!(said(&case, "k2").contains("R27 MISSING"), "{}", said(&case, "k2"));
    assert_eq!(view(&case, "k1").effects[0].link, ["J2"]);
}

#[test]
fn a_key_in_the_arguments_counts() {
    let trace =
        [bare("r1", json!({"order_id":"1","amount":"20.00","currency":"USD","idempotency_key":"k1"}))];
    let case = pair(&trace, &[earlier(), by_key("re_1", "k1"), later()]).load();
    assert!(said(&case, "k1").contains("R22 MATCHED clean"), "{}", said(&case, "k1"));
}

/// E76: lost, then sent under a new key with the same arguments; each key has a row.
#[test]
fn a_lost_call_under_a_new_key_is_one_operation() {
    let lost = bare("r1", twenty()).set("idempotency_key", "k1").told("timeout");
    let again = bare("r1", twenty()).set("idempotency_key", "k2").sent("09:01:00", "09:01:01");
    let rows = [earlier(), by_key("re_1", "k1"), by_key("re_2", "k2").at("09:01:01"), later()];
    let case = pair(&[lost.clone(), again.clone()], &rows).load();
    assert_eq!(summary(&case).intents, 1);
    assert_eq!(
        said_of(&case, &only(&case)),
        "confirmed* [1,2] of 1 USD 20.00: 2/2 USD 40.00, R05 DUPLICATED violation S1, risk USD 20.00"
    );
    assert_eq!(summary(&case).result.exit(), 1);
    // An answered call is not sent again: another key is another operation.
    let answered = lost.clone().told("success");
    let case = pair(&[answered, again.clone()], &rows).load();
    assert_eq!(summary(&case).intents, 2);
    assert!(said(&case, "k1").contains("R22 MATCHED clean"), "{}", said(&case, "k1"));
    // Other arguments, another run or tool: not the same operation.
    for other in [
        again.clone().set("run_id", "r2"),
        again.clone().set("tool", "refund_it"),
        again.set("arguments", json!({"order_id":"1","amount":"20.01","currency":"USD"})),
    ] {
        let case = pair(&[lost.clone(), other], &[earlier(), later()]).load();
        assert_eq!(summary(&case).intents, 2);
    }
}

/// E77: as E76, arguments not logged: two intents by key, rows of one order and amount.
#[test]
fn without_arguments_two_keys_are_suspected() {
    let logged = |key: &str| {
        call("")
            .without(&["operation_id"])
            .set("run_id", "r1")
            .set("idempotency_key", key)
            .order("1")
            .usd("200.00")
    };
    let trace = [logged("k1").told("timeout"), logged("k2").sent("09:01:00", "09:01:01")];
    let two = |id: &str, key: &str| by_key(id, key).usd("200.00");
    let rows = [earlier(), two("re_1", "k1"), two("re_2", "k2").at("09:01:01"), later()];
    let case = pair(&trace, &rows).load();
    assert_eq!(summary(&case).intents, 2);
    assert_eq!(
        said(&case, "k2"),
        "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R16a SUSPECTED_DUPLICATE undecided S1, risk USD 200.00"
    );
    assert!(said(&case, "k1").contains("R16a SUSPECTED_DUPLICATE"), "{}", said(&case, "k1"));
    // One row of the list, its money once.
    assert_eq!(summary(&case).undecided, 1);
    assert_eq!(totals(&case, &summary(&case).probably_too_much), "USD 200.00");
    assert_eq!(case.groups().len(), 1);
    // Where the first was answered, they are two requests.
    let answered = [logged("k1"), logged("k2").sent("09:01:00", "09:01:01")];
    let case = pair(&answered, &rows).load();
    assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
    // And where the later one was sent before the answer was lost, it did not follow from it.
    let overlapping = [
        logged("k1").told("timeout").sent("09:00:00", "09:00:30"),
        logged("k2").sent("09:00:10", "09:00:11"),
    ];
    let case = pair(&overlapping, &rows).load();
    assert!(said(&case, "k2").contains("R22 MATCHED clean"), "{}", said(&case, "k2"));
}

/// E55: the same call made twice in one run, no ids, both acknowledged with a receipt of their own.
#[test]
fn the_same_call_twice_is_an_assumed_group() {
    let trace = [
        bare("r1", twenty()).receipt("re_1"),
        bare("r1", twenty()).receipt("re_2").sent("09:05:00", "09:05:01"),
    ];
    let rows = [earlier(), by_receipt("re_1"), by_receipt("re_2").at("09:05:01"), later()];
    let case = pair(&trace, &rows).load();
    let view = only(&case);
    assert_eq!(
        said_of(&case, &view),
        "confirmed* [2,2] of 1 USD 20.00: 2/2 USD 40.00, R04a SUSPECTED_DUPLICATE undecided S1, risk USD 20.00"
    );
    assert_eq!((view.intent_id.as_str(), view.operation_id.as_str()), ("refund_order@trace.jsonl:1", ""));
    // After a lost answer it is no assumption any more.
    let lost = [trace[0].clone().told("timeout").without(&["receipt"]), trace[1].clone()];
    let case = pair(&lost, &[earlier(), by_receipt("re_2").at("09:05:01"), later()]).load();
    assert!(said_of(&case, &only(&case)).contains("R22 MATCHED clean"), "{}", said_of(&case, &only(&case)));
    // In another run it is another operation.
    let other = [trace[0].clone(), trace[1].clone().set("run_id", "r2")];
    let case = pair(&other, &rows).load();
    assert_eq!((summary(&case).intents, summary(&case).result.exit()), (2, 0));
}

#[test]
fn key_reason_note_and_time_fields_do_not_tell_calls_apart() {
    let one =
        bare("r1", json!({"order_id":"1","amount":"20.00","currency":"USD","reason":"broken","ts":"a"}));
    let two = bare("r1", json!({"ts":"b","currency":"USD","note":"again","amount":"20.00","order_id":"1"}))
        .sent("09:05:00", "09:05:01");
    let case = pair(&[one.clone(), two.clone()], &[earlier(), later()]).load();
    assert_eq!(summary(&case).intents, 1);
    // Numbers are compared by their text.
    let number = |token: &str| {
        let text = text(&[one.clone()]).replace("\"20.00\"", token);
        let other = crate::small::text(&[two.clone()]).replace("\"20.00\"", "20.0");
        small()
            .source("trace", recount::sources::spec::What::Trace, text + &other, |_| ())
            .ledger("ledger", &[earlier(), later()])
            .load()
    };
    assert_eq!(summary(&number("20.0")).intents, 1);
    assert_eq!(summary(&number("20.00")).intents, 2);
    assert_eq!(summary(&number("2e1")).intents, 2);
}

#[test]
fn arguments_as_a_json_text_are_read_as_their_content() {
    let as_text = bare("r1", json!(twenty().to_string()));
    let as_object = bare("r1", twenty()).sent("09:05:00", "09:05:01");
    let case = pair(&[as_text, as_object], &[earlier(), by_receipt("x").at("09:00:02"), later()]).load();
    let view = only(&case);
    assert_eq!((view.business_id.as_str(), view.attempts.len()), ("order:1", 2));
    assert_eq!(money(&case, view.attempts[0].amount.unwrap()), "USD 20.00");
    // One that cannot be parsed is compared as it stands.
    let odd = |text: &str, time: &str| bare("r1", json!(text)).sent(time, time);
    let case = pair(
        &[odd("order 1, 20", "09:00:00"), odd("order 1, 20", "09:01:00"), odd("order 2", "09:02:00")],
        &[earlier(), later()],
    )
    .load();
    assert_eq!(summary(&case).intents, 2);
}

/// E29: a call without operation id, key or arguments; its receipt names one row.
#[test]
fn a_call_with_nothing_is_unrecorded() {
    let nothing = call("").without(&["operation_id"]).usd("200.00").receipt("re_1");
    let rows = [earlier(), by_receipt("re_1").usd("200.00"), later()];
    let case = pair(&[nothing], &rows).load();
    assert_eq!(
        said_of(&case, &only(&case)),
        "none [1,1] of 1 USD 200.00: 1/1 USD 200.00, R19 UNRECORDED undecided S3, risk USD 200.00"
    );
}

#[test]
fn a_call_without_an_id_joins_the_operation_of_its_key() {
    let named = call("refund:o1:r1").set("idempotency_key", "k1").order("1").usd("20.00").told("timeout");
    let unnamed = bare("r1", twenty()).set("idempotency_key", "k1").sent("09:05:00", "09:05:01");
    let case =
        pair(&[named, unnamed], &[earlier(), row("re_1", "refund:o1:r1").order("1").usd("20.00"), later()])
            .load();
    assert_eq!(
        said(&case, "refund:o1:r1"),
        "confirmed* [1,2] of 1 USD 20.00: 1/1 USD 20.00, R22 MATCHED clean S5, risk 0"
    );
    assert_eq!(summary(&case).intents, 1);
}

#[test]
fn more_runs_than_numbers_stay_apart() {
    // Runs are numbered with 16 bits; calls of the many that share the last number must not be grouped.
    let mut trace = String::new();
    for n in 0..65_540 {
        trace.push_str(&format!("{{\"run_id\":\"run-{n}\",\"tool\":\"look_up\",\"outcome\":\"success\"}}\n"));
    }
    for n in 65_536..65_540 {
        trace.push_str(&format!(
            "{{\"run_id\":\"run-{n}\",\"tool\":\"refund_order\",\"arguments\":{{\"order_id\":\"1\"}},\"outcome\":\"success\",\"sent_at\":\"2026-11-30T09:00:0{}Z\"}}\n",
            n - 65_536
        ));
    }
    let case = small()
        .source("trace", recount::sources::spec::What::Trace, trace, |_| ())
        .ledger("ledger", &[earlier(), later()])
        .tool("look_up", |t| t.role = Some("read".to_owned()))
        .load();
    assert_eq!(summary(&case).intents, 4);
}
