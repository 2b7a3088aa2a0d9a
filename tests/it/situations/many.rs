//! Very many of one thing: names beyond what a small number holds, and searches that must stay look-ups.

use std::time::{Duration, Instant};

use crate::small::*;
use recount::load::Case;

/// Enough that a number of two bytes does not hold it.
const NAMES: usize = 66_000;
/// Enough that a search through all for each takes minutes in a test build.
const MANY: usize = 20_000;
/// Requests of one order.
const REQUESTS: usize = 50_000;
/// What a case of [`MANY`] may take in a test build on a slow machine.
const QUICK: Duration = Duration::from_secs(90);

/// A time within the hour after 09:00:00.
fn second(no: usize) -> String {
    let second = no % 3_600;
    format!("09:{:02}:{:02}", second / 60, second % 60)
}

fn quickly(what: &str, load: impl FnOnce() -> Case) -> Case {
    let start = Instant::now();
    let case = load();
    case.list();
    let s = summary(&case);
    let took = start.elapsed();
    eprintln!("{what}: {took:?}, {} intents, {} rows", s.intents, s.rows);
    assert!(took < QUICK, "{what} took {took:?}");
    case
}

#[test]
fn every_run_keeps_its_name() {
    let calls: Vec<Line> = (0..NAMES)
        .map(|no| {
            call("")
                .without(&["operation_id"])
                .set("run_id", format!("run_{no}"))
                .set("arguments", serde_json::json!({"order_id":"1"}))
        })
        .collect();
    let case = pair(&calls, &[earlier(), later()]).load();
    // Equal arguments in different runs are different operations.
    assert_eq!(summary(&case).intents, NAMES as u64);
    assert_eq!(case.tables.run_ids.len(), NAMES + 1);
    for op in case.ordered().into_iter().step_by(NAMES / 20) {
        let call = case.view(op).unwrap().attempts[0].clone();
        let line: usize = call.place.rsplit(' ').next().unwrap().parse().unwrap();
        assert_eq!(call.run, format!("run_{}", line - 1));
    }
}

#[test]
fn a_run_beyond_two_bytes_is_known_as_well_as_any() {
    let mut lines: Vec<Line> = (0..NAMES)
        .map(|no| {
            event("run_started", serde_json::json!({"run_id":format!("run_{no}"),"model":"m","agent":"a"}))
        })
        .collect();
    let twice = |time: &str, told: &str, decision: &str| {
        call("refund:o1:r1")
            .set("event", "attempt")
            .set("run_id", format!("run_{}", NAMES - 1))
            .set("decision_id", decision)
            .sent(time, time)
            .told(told)
    };
    lines.extend([twice("09:00:00", "timeout", "d1"), twice("09:00:10", "success", "d2")]);
    let rows = [earlier(), row("re_1", "refund:o1:r1"), row("re_2", "refund:o1:r1"), later()];
    let case = pair(&lines, &rows).load();
    let found = view(&case, "refund:o1:r1");
    assert_eq!(found.agent, "a");
    assert_eq!(found.judgement.origin, recount::judge::judgement::RetryOrigin::Model);
}

#[test]
fn tools_and_kinds_beyond_two_bytes_are_told_apart() {
    let calls: Vec<Line> =
        (0..NAMES).map(|no| call(&format!("refund:o{no}:r")).set("tool", format!("tool_{no}"))).collect();
    let rows: Vec<Line> = (0..NAMES)
        .map(|no| {
            row(&format!("re_{no}"), &format!("refund:o{no}:r")).set("kind", format!("refund kind_{no}"))
        })
        .collect();
    let case = quickly("tools and kinds", || pair(&calls, &rows).load());
    let s = summary(&case);
    assert_eq!((s.intents, s.tools.len(), s.clean, s.orphans), (NAMES as u64, NAMES, NAMES as u64, 0));
    for no in [0, 65_533, 65_534, 65_535, 65_536, NAMES - 1] {
        let found = view(&case, &format!("refund:o{no}:r"));
        assert_eq!(found.tool, format!("tool_{no}"));
        assert_eq!(found.effects[0].kind, format!("refund kind_{no}"));
    }
}

#[test]
fn many_requests_of_one_order() {
    let request = |no: usize| {
        call("")
            .without(&["operation_id"])
            .order("1")
            .usd("20.00")
            .set("run_id", format!("run_{no}"))
            .set("arguments", serde_json::json!({"order_id":"1"}))
            .sent(&second(no), &second(no))
    };
    let loose = |no: usize| {
        row(&format!("re_{no}"), "").without(&["operation_id"]).order("1").usd("20.00").at(&second(no))
    };
    let calls: Vec<Line> = (0..REQUESTS).map(request).collect();
    let rows: Vec<Line> = (0..REQUESTS).map(loose).collect();
    let case = quickly("requests of one order", || pair(&calls, &rows).load());
    assert_eq!(summary(&case).intents, REQUESTS as u64);
    let s = summary(&case);
    assert_eq!((s.violations, s.orphans, s.rows), (0, 0, 1));
    // Each within three seconds and a minute of the call: about a minute's rows, an hour's rows thirteen times over.
    assert!(
        view(&case, "refund_order@trace.jsonl:1").judgement.found & recount::judge::findings::FITS_BY_ORDER
            != 0
    );
    let (calls, rows) = (&calls[..MANY], &rows[..MANY]);
    let case =
        quickly("declared", || pair(calls, rows).with(|s| s.join = vec!["business_id".to_owned()]).load());
    assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
    let surplus: Vec<Line> = rows.iter().cloned().chain((0..MANY).map(|no| loose(no + MANY))).collect();
    let case = quickly("declared, twice the rows", || {
        pair(calls, &surplus).with(|s| s.join = vec!["business_id".to_owned()]).load()
    });
    assert_eq!(result(&case), "VIOLATION FOUND 1");
}

#[test]
fn many_keys_of_one_order() {
    let calls: Vec<Line> = (0..MANY)
        .map(|no| {
            call("")
                .without(&["operation_id"])
                .order("1")
                .usd("20.00")
                .set("idempotency_key", format!("k{no}"))
                .sent(&second(no), &second(no))
        })
        .collect();
    let rows: Vec<Line> = (0..MANY)
        .map(|no| {
            row(&format!("re_{no}"), "")
                .without(&["operation_id"])
                .order("1")
                .usd("20.00")
                .set("idempotency_key", format!("k{no}"))
                .at(&second(no))
        })
        .collect();
    let case = quickly("keys of one order", || pair(&calls, &rows).load());
    assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
    // All lost, each sent again under the next key.
    let lost: Vec<Line> = calls.iter().map(|c| c.clone().told("timeout")).collect();
    let case = quickly("lost keys of one order", || pair(&lost, &rows).load());
    assert_eq!(summary(&case).intents, MANY as u64);
}

#[test]
fn many_calls_and_rows_of_one_operation() {
    let calls: Vec<Line> = (0..MANY)
        .map(|no| {
            call("refund:o1:r1")
                .usd("1.00")
                .set("idempotency_key", format!("k{no}"))
                .set("payload", serde_json::json!({"n":no}))
                .sent(&second(no), &second(no))
                .receipt(&format!("re_{no}"))
        })
        .collect();
    let rows: Vec<Line> = (0..MANY)
        .map(|no| {
            row(&format!("re_{no}"), "refund:o1:r1")
                .usd("1.00")
                .set("idempotency_key", format!("k{no}"))
                .set("external_ref", "one")
                .at(&second(no))
        })
        .collect();
    let case = quickly("calls of one operation", || pair(&calls, &rows).load());
    assert_eq!(summary(&case).intents, 1);
}

#[test]
fn many_claims_of_one_receipt_and_many_near_ids() {
    let calls: Vec<Line> = (0..MANY)
        .map(|no| call(&format!("refund:O{no}:r")).receipt("re_1").sent(&second(no), &second(no)))
        .collect();
    let row = |id: String, operation: String| row(&id, &operation);
    let rows: Vec<Line> = (0..MANY).map(|no| row(format!("re_{no}"), format!("refund:o{no}:r"))).collect();
    let case = quickly("claims of one receipt", || pair(&calls, &rows).load());
    assert_eq!(summary(&case).intents, MANY as u64);
    // All ids fold to one.
    let spaced = |no: usize| format!("refund:o1:r{}", " ".repeat(no % 300) + &"\u{a0}".repeat(no / 300));
    let calls: Vec<Line> = (0..MANY / 10).map(|no| call(&spaced(no))).collect();
    let case = quickly("near-identical ids", || pair(&calls, &[earlier(), later()]).load());
    assert_eq!(summary(&case).intents, (MANY / 10) as u64);
}

#[test]
fn many_rows_of_one_reference_in_two_sources() {
    let calls: Vec<Line> = (0..MANY).map(|no| call(&format!("refund:o{no}:r"))).collect();
    let rows: Vec<Line> = (0..MANY)
        .map(|no| row(&format!("re_{no}"), &format!("refund:o{no}:r")).usd("1.00").set("external_ref", "one"))
        .collect();
    let books: Vec<Line> = (0..MANY)
        .map(|no| {
            row(&format!("b_{no}"), "").without(&["operation_id"]).usd("1.00").set("external_ref", "one")
        })
        .collect();
    let case = quickly("one reference", || {
        pair(&calls, &rows).ledger_with("books", &books, |o| o.copy_of = Some("ledger".to_owned())).load()
    });
    assert_eq!(summary(&case).intents, MANY as u64);
}

#[test]
fn many_orders_with_tickets_and_begun_calls() {
    let mut calls = Vec::new();
    let mut tickets = Vec::new();
    let mut rows = Vec::new();
    for no in 0..MANY / 2 {
        for again in 0..2 {
            calls.push(
                call("")
                    .without(&["operation_id"])
                    .order(&no.to_string())
                    .usd("1.00")
                    .set("run_id", format!("r{no}_{again}"))
                    .set("arguments", serde_json::json!({"order_id":no})),
            );
            rows.push(
                row(&format!("re_{no}_{again}"), "")
                    .without(&["operation_id"])
                    .order(&no.to_string())
                    .usd("1.00"),
            );
            tickets.push(line(
                serde_json::json!({"order_id":no.to_string(),"count":1,"amount":"1.00","currency":"USD"}),
            ));
        }
    }
    let case = quickly("tickets of many orders", || pair(&calls, &rows).expect(&tickets).load());
    assert_eq!(summary(&case).intents, MANY as u64);
    let halves: Vec<Line> = (0..MANY)
        .map(|no| {
            event(
                "attempt_started",
                serde_json::json!({"attempt_id":format!("a{no}"),"tool":"refund_order","ts":full(&second(no)),"payload":{"n":no}}),
            )
        })
        .chain((0..MANY).map(|no| {
            event(
                "attempt_finished",
                serde_json::json!({"attempt_id":format!("a{no}"),"outcome":"success","ts":full(&second(no))}),
            )
        }))
        .collect();
    let case = quickly("halves without ids", || pair(&halves, &[earlier(), later()]).load());
    assert_eq!(summary(&case).intents, MANY as u64);
}
