//! A page in the night: a table, a trace, one answer.

use super::*;

const EXPORTED: &str = "2026-11-30T05:10:00Z";
const ROWS: &str = "\
refund_id,order_id,operation_id,idempotency_key,amount,currency,status,created_at
rf_200,900,refund:order_900:t1,k-1,20.00,USD,completed,2026-11-29T18:00:00.500Z
rf_201,900,refund:order_900:t2,k-2,20.00,USD,completed,2026-11-30T03:00:00.500Z
rf_202,610,refund:order_610:t3,k-3,90.00,USD,completed,2026-11-30T03:10:00.500Z
rf_203,610,refund:order_610:t3b,k-3b,70.00,USD,completed,2026-11-30T03:15:00.500Z
rf_204,481,refund:order_481:t5,k-5,33.00,USD,completed,2026-11-30T03:30:02.000Z
rf_205,510,refund:order_510:t6,k-6,12.50,USD,completed,2026-11-30T03:40:01.000Z
rf_206,123,refund:order_123:t8,k-8a,200.00,USD,completed,2026-11-30T04:00:01.600Z
rf_207,123,refund:order_123:t8,k-8b,200.00,USD,completed,2026-11-30T04:00:10.100Z
rf_208,440,refund:order_440:t9,k-9,8.75,USD,completed,2026-11-30T05:08:50.000Z
";

fn trace() -> String {
    let mut calls: Vec<Value> = [
        ("900", "t2", "20.00", "USD", "03:00:00", "03:00:01", "success"),
        ("610", "t3", "90.00", "USD", "03:10:00", "03:10:01", "success"),
        ("610", "t3b", "70.00", "USD", "03:15:00", "03:15:01", "success"),
        ("503", "t4", "75.00", "USD", "03:20:00", "03:20:01", "success"),
        ("481", "t5", "33.00", "USD", "03:30:00", "03:30:10", "timeout"),
        ("510", "t6", "12.50", "USD", "03:40:00", "03:40:10", "timeout"),
        ("510", "t6", "12.50", "USD", "03:40:30", "03:40:31", "success"),
        ("502", "t7", "30.00", "USD", "03:50:00", "03:50:01", "rejected"),
        ("123", "t8", "200.00", "USD", "04:00:00", "04:00:02", "response_lost"),
        ("123", "t8", "200.00", "USD", "04:00:09", "04:00:11", "success"),
        ("440", "t9", "8.75", "USD", "05:08:49", "05:08:51", "success"),
        ("482", "t10", "45.00", "USD", "05:09:30", "05:09:40", "timeout"),
    ]
    .iter()
    .map(call)
    .collect();
    let mut first = call(&("900", "t1", "20.00", "USD", "18:00:00", "18:00:01", "success"));
    put(&mut first, &[("started_at", "2026-11-29T18:00:00Z"), ("finished_at", "2026-11-29T18:00:01Z")]);
    put(&mut calls[3], &[("receipt", "rf_100")]);
    put(&mut calls[6], &[("receipt", "rf_205")]);
    calls[6]["reused"] = true.into();
    put(&mut calls[8], &[("idempotency_key", "k-8a")]);
    put(&mut calls[9], &[("idempotency_key", "k-8b"), ("receipt", "rf_207")]);
    calls.insert(0, first);
    lines(&calls)
}

/// What the tickets asked for; the newer amount of 610 replaces the older.
fn wanted() -> String {
    let ids = ["t1", "t2", "t3", "t3b", "t4", "t5", "t6", "t7", "t8", "t9", "t10"];
    let orders = ["900", "900", "610", "610", "503", "481", "510", "502", "123", "440", "482"];
    let amounts =
        ["20.00", "20.00", "90.00", "70.00", "75.00", "33.00", "12.50", "30.00", "200.00", "8.75", "45.00"];
    let ticket = |no: usize| {
        let mut ticket = json!({"intent_id": format!("int_{}", ids[no]), "kind": "refund", "count": 1,
            "operation_id": format!("refund:order_{}:{}", orders[no], ids[no]),
            "business_id": format!("order:{}", orders[no]), "amount": amounts[no], "currency": "USD"});
        if ids[no] == "t3b" {
            put(&mut ticket, &[("parent_id", "int_t3"), ("relation", "replaces")]);
        }
        ticket
    };
    lines(&(0..ids.len()).map(ticket).collect::<Vec<_>>())
}

fn world(as_what: What) -> World {
    let ledger = with(memory(What::Ledger, "refunds", ROWS), |o| {
        o.exported_at = Some(EXPORTED.to_owned());
        o.covers_from = Some("2026-11-29T12:00:00Z".to_owned());
    });
    loaded(case(
        EXPORTED,
        [memory(What::Trace, "trace", &trace()), ledger, memory(as_what, "wanted", &wanted())],
    ))
}

/// The answers, whether the requests are records or what must be true in the end.
fn answers(world: &World) {
    assert_eq!(world.totals(&world.summary().out_too_much), "USD 290.00");
    for (id, verdict) in [
        ("int_t8", "DUPLICATED"),
        ("int_t3", "LINEAGE_DOUBLE"),
        ("int_t3b", "LINEAGE_DOUBLE"),
        ("int_t4", "MISSING"),
        ("int_t5", "HIDDEN_SUCCESS"),
        ("int_t10", "UNRESOLVED_UNKNOWN"),
        ("int_t1", "MATCHED"),
        ("int_t2", "MATCHED"),
        ("int_t6", "MATCHED"),
        ("int_t9", "MATCHED"),
    ] {
        assert_eq!(world.exactly(id).judgement.verdict(), verdict, "{id}");
    }
    // Told and not there.
    let t4 = world.exactly("int_t4");
    assert_eq!((world.totals(&t4.difference), t4.judgement.covered), ("USD -75.00".to_owned(), true));
    assert_eq!(codes(&t4.judgement), ["PHANTOM_RESPONSE", "RECEIPT_NOT_FOUND"]);
    // May it be sent again? No: it is there. And no: nobody can know before 05:10:43.
    assert_eq!(world.exactly("int_t5").judgement.class, Class::Clean);
    assert_eq!(at(world.exactly("int_t10").judgement.covered_from), "2026-11-30T05:10:43.000Z");
    // Which call made which row.
    let t8 = world.exactly("int_t8");
    assert_eq!(
        tied(&t8),
        [("rf_206".to_owned(), Tied::ByTime(1)), ("rf_207".to_owned(), Tied::ByReceipt(2))]
    );
    assert_eq!((t8.attempts[0].key.as_str(), t8.attempts[1].key.as_str()), ("k-8a", "k-8b"));
    assert_eq!(t8.judgement.origin, RetryOrigin::Caller);
    // A receipt given again is no sign that the clocks differ.
    assert_eq!(codes(&world.exactly("int_t6").judgement), [""; 0]);
    // The worst come first.
    let first: Vec<String> = world.views().iter().take(3).map(|v| v.intent_id.clone()).collect();
    assert_eq!(first, ["int_t8", "int_t3", "int_t3b"]);
}

#[test]
fn requests_as_records() {
    let world = world(What::Intents);
    answers(&world);
    let s = world.summary();
    assert_eq!(world.totals(&s.owed), "USD 75.00");
    assert_eq!(world.verdict("int_t7"), "FAILED_CLEAN", "refused, and nothing was done");
    assert_eq!((s.intents, s.rows, s.violations, s.undecided, s.clean), (11, 10, 3, 1, 6));
    assert_eq!(world.totals(&s.may_still_go_out), "USD 45.00");
}

/// As expectations they must be true in the end: one that was refused is not.
#[test]
fn requests_as_expectations() {
    let world = world(What::Expectations);
    answers(&world);
    assert_eq!(world.totals(&world.summary().owed), "USD 105.00");
    let t7 = world.exactly("int_t7");
    assert_eq!((t7.judgement.verdict(), codes(&t7.judgement).len()), ("MISSING", 0));
}

#[test]
fn beside_the_checkout() {
    let Some(folder) = beside("cases/scenarios/01-page-at-0312") else { return };
    let ledger = with(file(What::Ledger, "refunds", &folder.join("refunds.csv")), |o| {
        o.exported_at = Some("2026-11-30T03:20:00Z".to_owned());
        o.covers_from = Some("2026-11-29T12:00:00Z".to_owned());
    });
    let sources = [
        file(What::Trace, "trace", &folder.join("agent_trace.jsonl")),
        ledger,
        file(What::Intents, "requested", &folder.join("requested.jsonl")),
    ];
    let world = loaded(case("2026-11-30T03:20:00Z", sources));
    let answer = answer(&folder);
    for (order, amount) in answer["too_much"].as_object().unwrap() {
        let too_much: Vec<IntentView> =
            world.views().into_iter().filter(|v| v.business_id == format!("order:{order}")).collect();
        let risk = world.moneys(&too_much[0].at_risk);
        assert_eq!(risk, world.shown(amount.as_str().unwrap(), "USD"), "{order}");
        assert_eq!(too_much[0].judgement.severity, 1, "{order}");
    }
    assert_eq!(world.totals(&world.summary().out_too_much), "USD 400.00");
    assert_eq!(world.totals(&world.summary().owed), "USD 75.00");
    for order in answer["may_send_again"].as_object().unwrap().keys() {
        let view = world.view(&format!("order:{order}"));
        let known = [("HIDDEN_SUCCESS", true), ("UNRESOLVED_UNKNOWN", false)];
        assert!(known.contains(&(view.judgement.verdict(), view.judgement.covered)), "{order}");
    }
    let doubled = world.view("order:1234");
    assert_eq!(
        tied(&doubled),
        [("rf_9005".to_owned(), Tied::ByTime(1)), ("rf_9006".to_owned(), Tied::ByReceipt(2))]
    );
    assert_eq!(world.verdict("order:5002"), "FAILED_CLEAN");
}
