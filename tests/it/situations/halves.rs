//! Calls whose beginning and end are two records (`1-model.md` 1.4.3).

use serde_json::json;

use crate::small::*;

fn start(id: &str, time: &str) -> Line {
    event(
        "attempt_started",
        json!({"attempt_id":id,"operation_id":"refund:o1:r1","tool":"refund_order","payload":{"order_id":"1","amount":"200.00","currency":"USD"},"ts":full(time)}),
    )
}

fn finish(id: &str, outcome: &str, time: &str) -> Line {
    event("attempt_finished", json!({"attempt_id":id,"outcome":outcome,"ts":full(time)}))
}

fn ledger() -> Vec<Line> {
    vec![earlier(), row("re_1", "refund:o1:r1").order("1").usd("200.00"), later()]
}

const CLEAN: &str = "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0";

#[test]
fn halves_in_any_order_are_one_call() {
    let (a, b) = (start("a1", "09:00:00"), finish("a1", "success", "09:00:01"));
    for trace in [[a.clone(), b.clone()], [b.clone(), a.clone()]] {
        let case = pair(&trace, &ledger()).load();
        assert_eq!(said(&case, "order:1"), CLEAN);
        assert_eq!(summary(&case).attempts, 1);
    }
    for files in [[a.clone(), b.clone()], [b, a]] {
        let case = small().trace("x", &files[..1]).trace("y", &files[1..]).ledger("ledger", &ledger()).load();
        assert_eq!(said(&case, "order:1"), CLEAN);
        let view = view(&case, "order:1");
        assert_eq!(
            (view.attempts.len(), view.attempts[0].ended.at.0 - view.attempts[0].sent.at.0),
            (1, 1_000_000)
        );
    }
}

#[test]
fn a_file_of_halves_given_twice_is_read_once() {
    let trace = [start("a1", "09:00:00"), finish("a1", "success", "09:00:01")];
    let twice: Vec<Line> = trace.iter().chain(&trace).cloned().collect();
    for case in [
        pair(&twice, &ledger()).load(),
        small().trace("x", &trace).trace("y", &trace).ledger("ledger", &ledger()).load(),
        // The second copy breaks off before the end.
        small().trace("x", &trace).trace("y", &trace[..1]).ledger("ledger", &ledger()).load(),
        small().trace("x", &trace[..1]).trace("y", &trace).ledger("ledger", &ledger()).load(),
    ] {
        assert_eq!(said(&case, "order:1"), CLEAN);
        assert_eq!(problems(&case), Vec::<String>::new());
        assert_eq!(summary(&case).attempts, 1);
    }
}

#[test]
fn a_start_without_an_end_lost_its_answer() {
    let case = pair(&[start("a1", "09:00:00")], &ledger()).load();
    assert_eq!(
        said(&case, "order:1"),
        "unknown* [0,1] of 1 USD 200.00: 1/1 USD 200.00, R24 HIDDEN_SUCCESS clean S5, risk 0"
    );
}

#[test]
fn an_end_without_a_start_has_an_unknown_start() {
    let case =
        pair(&[finish("a1", "success", "09:00:01").set("operation_id", "refund:o1:r1")], &ledger()).load();
    let view = view(&case, "refund:o1:r1");
    assert_eq!(view.attempts.len(), 1);
    assert!(view.attempts[0].sent.is_none() && !view.attempts[0].ended.is_none());
    assert!(
        said_of(&case, &view).starts_with("confirmed* [1,1] of 1: 1/1 USD 200.00, R22 MATCHED"),
        "{}",
        said_of(&case, &view)
    );
    // Without an operation id nobody knows what it was.
    let case = pair(
        &[start("a0", "09:00:00"), finish("a0", "success", "09:00:01"), finish("a1", "success", "09:00:01")],
        &ledger(),
    )
    .load();
    let s = summary(&case);
    assert_eq!((s.intents, s.attempts), (2, 2));
    assert!(said(&case, "a1").contains("R19 UNRECORDED undecided"), "{}", said(&case, "a1"));
}

#[test]
fn an_end_without_a_start_that_stands_twice_is_one() {
    let end = finish("a1", "success", "09:00:01").set("operation_id", "refund:o1:r1");
    let case = pair(&[end.clone(), end.clone()], &ledger()).load();
    assert_eq!(view(&case, "refund:o1:r1").attempts.len(), 1);
    let other = finish("a1", "timeout", "09:00:30").set("operation_id", "refund:o1:r1");
    let case = pair(&[end, other], &ledger()).load();
    let view = view(&case, "refund:o1:r1");
    assert_eq!(view.attempts.len(), 1);
    assert!(said_of(&case, &view).contains("OUTCOME_CONFLICT"), "{}", said_of(&case, &view));
}

#[test]
fn two_ends_that_differ_are_unknown() {
    let (a, yes, no) =
        (start("a1", "09:00:00"), finish("a1", "success", "09:00:01"), finish("a1", "timeout", "09:00:30"));
    let expected = "unknown* [0,1] of 1 USD 200.00: 1/1 USD 200.00, R24 HIDDEN_SUCCESS clean S5, risk 0, OUTCOME_CONFLICT";
    for trace in [
        vec![a.clone(), yes.clone(), no.clone()],
        vec![a.clone(), no.clone(), yes.clone()],
        vec![no.clone(), a.clone(), yes.clone()],
        vec![yes.clone(), no.clone(), a.clone()],
        vec![yes.clone(), no.clone(), a.clone(), yes.clone()],
    ] {
        let case = pair(&trace, &ledger()).load();
        assert_eq!(said(&case, "order:1"), expected);
        // The call was over when the last of them says so.
        assert_eq!(view(&case, "order:1").attempts[0].ended.at.0 % 60_000_000, 30_000_000);
    }
    let case = small().trace("x", &[yes]).trace("y", &[a, no]).ledger("ledger", &ledger()).load();
    assert_eq!(said(&case, "order:1"), expected);
}

#[test]
fn two_equal_ends_are_one() {
    let trace = [
        start("a1", "09:00:00"),
        finish("a1", "success", "09:00:01"),
        finish("a1", "success", "09:00:01").set("receipt", "re_1"),
    ];
    let case = pair(&trace, &ledger()).load();
    assert_eq!(said(&case, "order:1"), CLEAN);
    assert_eq!(view(&case, "order:1").attempts[0].receipt, "re_1");
}

#[test]
fn the_window_of_a_trace_ends_with_the_last_end() {
    let trace = [start("a1", "09:00:00"), finish("a1", "success", "09:20:00")];
    let stray = row("re_9", "refund:o9:r9").order("9").usd("1.00").at("09:15:00");
    let mut rows = ledger();
    rows.push(stray);
    let case = pair(&trace, &rows).load();
    assert_eq!(summary(&case).orphans, 1);
}

#[test]
fn halves_of_calls_without_an_operation_id_meet_too() {
    let start = |id: &str, time: &str| start(id, time).without(&["operation_id"]).set("key", "k1");
    let trace = [
        start("a1", "09:00:00"),
        finish("a1", "timeout", "09:00:30"),
        start("a2", "09:01:00"),
        finish("a2", "success", "09:01:01"),
    ];
    let row =
        row("re_1", "").without(&["operation_id"]).set("idempotency_key", "k1").order("1").usd("200.00");
    for order in [[0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0], [2, 0, 3, 1]] {
        let lines: Vec<Line> = order.iter().map(|i| trace[*i].clone()).collect();
        let case = pair(&lines, &[earlier(), row.clone(), later()]).load();
        assert_eq!(
            said(&case, "order:1"),
            "confirmed* [1,2] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0",
            "{order:?}"
        );
    }
}
