use crate::sources::open::{Hints, open};
use crate::sources::recording::{Recording, read as read_as, spec};
use crate::sources::spec::{Options, What};

/// The shape of a published run with invented values.
const RUN: &str = r#"{"event":"run_started","model":"made-up-1","operation_id":"refund:order_77:run_a","prompt":"p","retry_policy":"neutral","run_id":"run_a","server_mode":"safe","task_id":"task_77"}
{"event":"model_turn","run_id":"run_a","task_id":"task_77","turn_number":1,"usage":{"total_tokens":3}}
{"arguments":{"order_id":"77"},"decision_id":"d0","event":"tool_attempt_started","operation_id":"refund:order_77:run_a","run_id":"run_a","tool":"get_order","tool_attempt_id":"a0"}
{"event":"tool_attempt_finished","operation_id":"refund:order_77:run_a","outcome":"response_received","output":"{\"is_error\":false,\"result\":{\"refunded\":0}}","run_id":"run_a","tool":"get_order","tool_attempt_id":"a0"}
{"arguments":{"amount":12.5,"idempotency_key":"k","order_id":"77"},"decision_id":"d1","event":"tool_attempt_started","operation_id":"refund:order_77:run_a","run_id":"run_a","tool":"refund_order","tool_attempt_id":"a1"}
{"event":"tool_attempt_finished","operation_id":"refund:order_77:run_a","outcome":"response_lost","output":"{\"ambiguous\":true,\"error\":\"closed\"}","run_id":"run_a","tool":"refund_order","tool_attempt_id":"a1"}
{"event":"tool_attempt_finished","operation_id":"refund:order_77:run_a","outcome":"response_received","output":"{\"is_error\":false,\"result\":{\"refund_id\":\"rf_1\",\"reused\":true}}","tool_attempt_id":"a2"}
{"event":"tool_attempt_finished","outcome":"response_received","output":"{\"is_error\":true}","tool_attempt_id":"a3"}
{"event":"tool_attempt_finished","outcome":"response_received","output":"{\"is_error\":false,\"result\":{\"reused\":true}}","tool_attempt_id":"a4"}
{"event":"run_completed","final_text":"Refund done, id rf_9","run_id":"run_a"}
"#;

#[test]
fn a_run_is_read_from_the_description() {
    let out = read_as(What::Trace, Options::default(), RUN);
    assert_eq!(
        out.words(),
        [
            "run run=run_a scenario=task_77 model=made-up-1",
            "skipped model_turn",
            r#"start id=a0 op=refund:order_77:run_a run=run_a decision=d0 tool=get_order business=order:77 payload={"order_id":"77"}"#,
            "end id=a0 op=refund:order_77:run_a run=run_a tool=get_order outcome=response_received is_error=no",
            r#"start id=a1 op=refund:order_77:run_a run=run_a decision=d1 tool=refund_order business=order:77 amount=12.5 currency=USD payload={"amount":12.5,"idempotency_key":"k","order_id":"77"}"#,
            "end id=a1 op=refund:order_77:run_a run=run_a tool=refund_order outcome=response_lost",
            "end id=a2 op=refund:order_77:run_a outcome=response_received is_error=no receipt=rf_1 named=yes reused=yes",
            "end id=a3 outcome=response_received is_error=yes",
            "end id=a4 outcome=response_received is_error=no",
            "skipped run_completed",
        ]
    );
}

#[test]
fn lines_that_are_not_known() {
    for (line, want) in [
        (
            r#"{"event":"tool_attempt_finished","outcome":"x"}"#,
            "UNREADABLE_LINE tool_attempt_finished without tool_attempt_id",
        ),
        (
            r#"{"event":"tool_attempt_startd","tool":"t"}"#,
            "UNREADABLE_LINE the event \"tool_attempt_startd\" is not known; did you mean `tool_attempt_started`?",
        ),
        (r#"{"event":"something"}"#, "skipped another kind of record"),
    ] {
        let out = read_as(What::Trace, Options::default(), &format!("{RUN}{line}\n"));
        assert_eq!(out.words().last(), Some(&want));
    }
}

/// The published runs, where they lie on this machine; the test passes without them.
#[test]
fn the_published_runs() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/real/rosso");
    for (run, attempts, effects) in [
        ("0001-double-refund", 3, 2),
        ("0002-neutral-reconciliation", 3, 1),
        ("0003-idempotent-reference", 3, 1),
    ] {
        let files =
            ["attempt-trace.jsonl", "authoritative-effects.json"].map(|name| folder.join(run).join(name));
        let [Ok(trace), Ok(ledger)] = files.map(std::fs::read) else {
            continue;
        };
        let read = |what, bytes: &[u8]| {
            let opened = open(&spec(what, Options::default(), bytes), &Hints::default()).unwrap();
            let mut out = Recording::default();
            let finished = opened
                .read_all(crate::model::row::SourceNo(0), &std::sync::Arc::default(), &mut out)
                .unwrap();
            assert_eq!(finished.incomplete, None);
            out
        };
        let trace = read(What::Trace, &trace);
        let count =
            |out: &Recording, kind: &str| out.words().iter().filter(|line| line.starts_with(kind)).count();
        assert_eq!((count(&trace, "start"), count(&trace, "end")), (attempts, attempts), "{run}");
        assert_eq!(count(&trace, "UNREADABLE"), 0);
        let ledger = read(What::Ledger, &ledger);
        assert_eq!(count(&ledger, "effect"), effects, "{run}");
        assert!(ledger.words().iter().all(|line| line.ends_with("of_run=yes")), "{:?}", ledger.lines);
    }
}
