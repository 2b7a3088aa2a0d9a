//! Tables without ids: suggestions, the account per order, declared joins (`1-model.md` 1.5; E34, E51 to E54, E78).

use crate::small::*;

/// A call that names its order and nothing else.
fn request(run: &str, amount: &str) -> Line {
    call("")
        .without(&["operation_id"])
        .set("run_id", run)
        .set("arguments", serde_json::json!({"order_id":"1","amount":amount,"currency":"USD"}))
}

fn loose(id: &str, amount: &str, time: &str) -> Line {
    row(id, "").without(&["operation_id"]).order("1").usd(amount).at(time)
}

fn around(rows: &[Line]) -> Vec<Line> {
    [&[earlier()][..], rows, &[later()][..]].concat()
}

fn load(trace: &[Line], rows: &[Line]) -> recount::load::Case {
    pair(trace, &around(rows)).load()
}

fn linked(trace: &[Line], rows: &[Line], join: &[&str]) -> recount::load::Case {
    pair(trace, &around(rows)).with(|s| s.join = join.iter().map(|j| (*j).to_owned()).collect()).load()
}

/// E34: no operation id on the row; same order, amount and window.
#[test]
fn a_row_that_fits_is_a_suggestion() {
    let lost = call("refund:o1:r1").order("1").usd("200.00").told("timeout");
    let case = load(&[lost.clone()], &[loose("re_1", "200.00", "09:00:01")]);
    assert_eq!(
        said(&case, "order:1"),
        "unknown* [0,1] of 1 USD 200.00: 0/0 USD 0.00, R31 UNRESOLVED_UNKNOWN undecided S3, risk USD 200.00, MORE_MAY_LAND(1), SUGGESTION(1), FITS_BY_ORDER"
    );
    assert_eq!(view(&case, "order:1").open_rows.iter().map(|r| r.id.as_str()).collect::<Vec<_>>(), ["re_1"]);
    // Another amount, another time, another order, another kind: no suggestion.
    for (row, what) in [
        (loose("re_1", "201.00", "09:00:01"), "amount"),
        (loose("re_1", "200.00", "09:01:06"), "after the window"),
        (loose("re_1", "200.00", "08:59:55"), "before the window"),
        (loose("re_1", "200.00", "09:00:01").order("2"), "order"),
        (loose("re_1", "200.00", "09:00:01").set("kind", "payout"), "kind"),
        (loose("re_1", "200.00", "09:00:01").set("operation_id", "refund:o1:r2"), "operation id"),
        (loose("re_1", "200.00", "09:00:01").set("currency", "EUR"), "currency"),
    ] {
        let case = load(&[lost.clone()], &[row]);
        assert!(!said(&case, "order:1").contains("SUGGESTION"), "{what}: {}", said(&case, "order:1"));
    }
    // The window is [09:00:00 - 3 s, 09:00:01 + 60 s + 3 s], both skews.
    for time in ["08:59:57", "09:01:04"] {
        let case = load(&[lost.clone()], &[loose("re_1", "200.00", time)]);
        assert!(said(&case, "order:1").contains("SUGGESTION(1)"), "{time}: {}", said(&case, "order:1"));
    }
}

#[test]
fn rows_of_a_kind_that_both_name_are_told_apart() {
    let lost = call("refund:o1:r1").order("1").usd("200.00").told("timeout").set("idempotency_key", "k1");
    let keyed = loose("re_1", "200.00", "09:00:01").set("idempotency_key", "k2");
    let case = load(&[lost], &[keyed]);
    // Both name a key, and these differ.
    assert!(!said(&case, "order:1").contains("SUGGESTION"), "{}", said(&case, "order:1"));
}

/// E51: lost, then acknowledged; one row by receipt, one that fits the lost call.
#[test]
fn one_by_receipt_and_one_that_fits() {
    let trace = [
        request("r1", "200.00").told("timeout"),
        request("r1", "200.00").sent("09:01:00", "09:01:01").receipt("re_2"),
    ];
    let rows = [loose("re_1", "200.00", "09:00:01"), loose("re_2", "200.00", "09:01:01")];
    let case = load(&trace, &rows);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,2] of 1 USD 200.00: 1/1 USD 200.00, R16a SUSPECTED_DUPLICATE undecided S1, risk USD 200.00, MORE_MAY_LAND(1), SUGGESTION(1)"
    );
    // E52: with a declared link it is proven.
    let case = linked(&trace, &rows, &["business_id"]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,2] of 1 USD 200.00: 2/2 USD 400.00, R05 DUPLICATED violation S1, risk USD 200.00"
    );
    assert_eq!(
        view(&case, "order:1").effects.iter().map(|e| e.link.clone()).collect::<Vec<_>>(),
        [vec!["J7"], vec!["J3"]]
    );
    assert!(source(&case, "ledger").notes.iter().any(|n| n == "rows are linked by business_id, declared"));
}

/// E53: one request for the order, two rows.
#[test]
fn two_rows_for_one_request_are_suspected() {
    let case = load(
        &[request("r1", "200.00")],
        &[loose("re_1", "200.00", "09:00:01"), loose("re_2", "200.00", "09:00:02")],
    );
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 200.00: 0/0 USD 0.00, R16a SUSPECTED_DUPLICATE undecided S1, risk USD 200.00, ACK_NOT_YET_VISIBLE(1), SUGGESTION(2)"
    );
    let account = view(&case, "order:1").account.unwrap();
    assert_eq!(
        (account.wanted, account.tried, account.found, account.business_id.as_str()),
        (1, 1, 2, "order:1")
    );
    assert_eq!(totals(&case, &summary(&case).probably_too_much), "USD 200.00");
}

/// E54: two requests for the order, two rows.
#[test]
fn two_rows_for_two_requests_fit() {
    let trace = [request("r1", "20.00"), request("r2", "20.00").sent("09:05:00", "09:05:01")];
    let rows = [loose("re_1", "20.00", "09:00:01"), loose("re_2", "20.00", "09:05:01")];
    let case = load(&trace, &rows);
    assert_eq!(summary(&case).intents, 2);
    for view in case.ordered().iter().map(|op| case.view(*op).unwrap()) {
        assert_eq!(
            said_of(&case, &view),
            "confirmed* [1,1] of 1 USD 20.00: 0/0 USD 0.00, R25 UNVERIFIED_SUCCESS undecided S3, risk USD 20.00, ACK_NOT_YET_VISIBLE(1), SUGGESTION(1), FITS_BY_ORDER"
        );
    }
    // One row of the list for all that fit.
    assert_eq!(case.rows(), 1 + 1);
    assert_eq!(summary(&case).orphans, 0);
    // Declared, each gets its own.
    let case = linked(&trace, &rows, &["business_id"]);
    assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
    // In one window both rows fit both requests.
    let trace = [request("r1", "20.00"), request("r2", "20.00").sent("09:00:30", "09:00:31")];
    let rows = [loose("re_1", "20.00", "09:00:31"), loose("re_2", "20.00", "09:00:32")];
    let case = load(&trace, &rows);
    let first = case.view(case.ordered()[0]).unwrap();
    assert!(
        said_of(&case, &first).ends_with("ACK_NOT_YET_VISIBLE(1), SUGGESTION(2), FITS_BY_ORDER"),
        "{}",
        said_of(&case, &first)
    );
}

/// E78: the account has the right number of rows and another total.
#[test]
fn another_total_of_the_order_is_said() {
    let case = load(&[request("r1", "12.00")], &[loose("re_1", "120.00", "09:00:01")]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 12.00: 0/0 USD 0.00, R25 UNVERIFIED_SUCCESS undecided S2, risk USD 108.00, ACK_NOT_YET_VISIBLE(1), DIFFERS_BY_ORDER"
    );
}

#[test]
fn a_declared_join_may_ask_for_amount_and_window() {
    let trace = [request("r1", "20.00")];
    for (rows, join, found) in [
        (vec![loose("re_1", "25.00", "09:00:01")], vec!["business_id"], "1/1 USD 25.00"),
        (vec![loose("re_1", "25.00", "09:00:01")], vec!["business_id", "amount"], "0/0 USD 0.00"),
        (vec![loose("re_1", "20.00", "12:00:00")], vec!["business_id"], "1/1 USD 20.00"),
        (vec![loose("re_1", "20.00", "12:00:00")], vec!["business_id", "window"], "0/0 USD 0.00"),
        (vec![loose("re_1", "20.00", "12:00:00")], vec!["business_id", "amount"], "1/1 USD 20.00"),
        (vec![loose("re_1", "20.00", "09:00:01")], vec!["business_id", "amount", "window"], "1/1 USD 20.00"),
        (vec![loose("re_1", "20.00", "09:00:01")], vec!["amount", "window"], "0/0 USD 0.00"),
        (vec![loose("re_1", "20.00", "09:00:01").order("2")], vec!["business_id"], "0/0 USD 0.00"),
        (vec![loose("re_1", "20.00", "09:00:01").set("kind", "payout")], vec!["business_id"], "0/0 USD 0.00"),
    ] {
        let case = linked(&trace, &rows, &join);
        assert!(said(&case, "order:1").contains(found), "{join:?}: {}", said(&case, "order:1"));
    }
    // For one source only.
    let case = pair(&trace, &around(&[loose("re_1", "20.00", "09:00:01")]))
        .options("ledger", |o| o.join = vec!["business_id".to_owned()])
        .load();
    assert!(said(&case, "order:1").contains("R22 MATCHED clean"), "{}", said(&case, "order:1"));
}

/// Each of several intents gets the first row in its window that fits; a surplus row goes to the last one sent before.
#[test]
fn a_declared_join_deals_rows_to_several_requests() {
    let trace = [
        request("r1", "20.00"),
        request("r2", "30.00").sent("09:10:00", "09:10:01"),
        request("r3", "20.00").sent("09:20:00", "09:20:01"),
    ];
    let rows = [
        loose("re_3", "20.00", "09:20:01"),
        loose("re_1", "20.00", "09:00:01"),
        loose("re_2", "30.00", "09:10:01"),
        loose("re_4", "20.00", "09:20:05"),
    ];
    let case = linked(&trace, &rows, &["business_id"]);
    let found: Vec<(String, Vec<String>)> = case
        .ordered()
        .iter()
        .map(|op| case.view(*op).unwrap())
        .map(|v| (v.attempts[0].run.clone(), v.effects.iter().map(|e| e.id.clone()).collect()))
        .collect();
    let of = |run: &str| found.iter().find(|(r, _)| r == run).unwrap().1.clone();
    assert_eq!(of("r1"), ["re_1"]);
    assert_eq!(of("r2"), ["re_2"]);
    assert_eq!(of("r3"), ["re_3", "re_4"]);
    assert_eq!(result(&case), "VIOLATION FOUND 1");
}

#[test]
fn requests_without_times_are_dealt_by_their_place() {
    let bare = |run: &str| request(run, "20.00").without(&["sent_at", "ended_at"]);
    let rows = [
        loose("re_1", "20.00", "09:00:01").without(&["committed_at"]),
        loose("re_2", "20.00", "09:00:01").without(&["committed_at"]),
    ];
    for _ in 0..4 {
        let case = linked(&[bare("r1"), bare("r2")], &rows, &["business_id"]);
        let found: Vec<(String, Vec<String>)> = case
            .ordered()
            .iter()
            .map(|op| case.view(*op).unwrap())
            .map(|v| (v.attempts[0].run.clone(), v.effects.iter().map(|e| e.id.clone()).collect()))
            .collect();
        assert_eq!(found.iter().find(|(r, _)| r == "r1").unwrap().1, ["re_1"]);
    }
}

#[test]
fn rows_outside_a_declared_scope_are_context() {
    let lost = call("refund:o1:r1").order("1").usd("200.00").told("timeout");
    let by = |channel: &str| loose("re_1", "200.00", "09:00:01").set("channel", channel);
    let scoped = |row: Line| {
        pair(&[lost.clone()], &around(&[row]))
            .options("ledger", |o| o.scope = recount::sources::filter::parse("channel = agent").unwrap())
            .load()
    };
    let agent = scoped(by("agent"));
    assert!(said(&agent, "order:1").contains("SUGGESTION(1)"), "{}", said(&agent, "order:1"));
    let people = scoped(by("people"));
    assert!(!said(&people, "order:1").contains("SUGGESTION"), "{}", said(&people, "order:1"));
    assert_eq!((summary(&people).orphans, summary(&people).outside), (0, Some(3)));
    // A row that is linked by id counts whatever the filter says.
    let linked = scoped(by("people").set("operation_id", "refund:o1:r1"));
    assert!(said(&linked, "order:1").contains("1/1 USD 200.00"), "{}", said(&linked, "order:1"));
    // A filter never weakens an absence.
    let other = scoped(by("people").usd("1.00"));
    assert!(said(&other, "order:1").contains("R30 ABSENT_COVERED"), "{}", said(&other, "order:1"));
}

#[test]
fn many_orders_are_drawn_up_each_by_itself() {
    let order = |line: Line, n: usize| {
        line.set("arguments", serde_json::json!({"order_id":n.to_string(),"amount":"5.00","currency":"USD"}))
    };
    let mut trace = Vec::new();
    let mut rows = vec![earlier()];
    for n in 0..2_000 {
        trace.push(order(request(&format!("r{n}"), "5.00"), n));
        rows.push(loose(&format!("re_{n}"), "5.00", "09:00:01").order(&n.to_string()));
    }
    rows.push(loose("re_x", "5.00", "09:00:02").order("77"));
    rows.push(later());
    let case = pair(&trace, &rows).load();
    assert_eq!(summary(&case).intents, 2_000);
    // All that fit are one row.
    assert_eq!(summary(&case).undecided, 2);
    assert!(said(&case, "order:77").contains("R16a"), "{}", said(&case, "order:77"));
    assert!(said(&case, "order:78").contains("FITS_BY_ORDER"));
}

/// Orders that fit are one row of the list per source, whatever their verdict and whatever order sources come in.
#[test]
fn orders_that_fit_are_one_row_per_source() {
    let request = |order: &str, run: &str, time: &str, told: &str| {
        call("")
            .without(&["operation_id"])
            .set("run_id", run)
            .order(order)
            .usd("20.00")
            .sent(time, time)
            .told(told)
            .set("arguments", serde_json::json!({"order_id":order}))
    };
    let loose = |id: &str, order: &str, time: &str| {
        row(id, "").without(&["operation_id"]).order(order).usd("20.00").at(time)
    };
    let calls = [
        request("1", "r1", "09:00:00", "success"),
        request("2", "r2", "09:05:00", "timeout"),
        // One row of this order by receipt, the other not.
        request("3", "r3", "09:10:00", "success").receipt("us_3"),
        request("3", "r4", "09:15:00", "success"),
        request("4", "r5", "09:20:00", "success"),
        request("5", "r6", "09:25:00", "success"),
        request("5", "r7", "09:30:00", "success").receipt("eu_6"),
    ];
    let us = [
        earlier(),
        loose("us_1", "1", "09:00:01"),
        loose("us_2", "2", "09:05:01"),
        loose("us_3", "3", "09:10:01"),
        loose("us_4", "3", "09:15:01"),
        later(),
    ];
    let eu = [loose("eu_4", "4", "09:20:01"), loose("eu_5", "5", "09:25:01"), loose("eu_6", "5", "09:30:01")];
    let mut said = Vec::new();
    for turned in [false, true] {
        let case = small().trace("trace", &calls);
        let part = |o: &mut recount::sources::spec::Options| o.part = true;
        let case = if turned {
            case.ledger_with("eu", &eu, part).ledger_with("us", &us, part)
        } else {
            case.ledger_with("us", &us, part).ledger_with("eu", &eu, part)
        };
        let case = case.load();
        let rows: Vec<_> = (0..case.list().loud.len()).map(|at| case.row(at)).collect();
        said.push(
            rows.iter()
                .map(|r| format!("{} {} {}", r.id, r.operation, recount::report::intents_of(r).len()))
                .collect::<Vec<_>>(),
        );
    }
    assert_eq!(said[0], said[1]);
    assert_eq!(said[0], ["fits by order, us 3 orders 3", "fits by order, eu 2 orders 2"]);
}
