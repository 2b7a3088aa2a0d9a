//! Expectations from a file (`1-model.md` 1.1, `4-sources.md` 4.14): by operation id, key, order only; counts, accept,
//! attributes.

use serde_json::{Value, json};

use crate::small::*;

fn ticket(fields: Value) -> Line {
    line(fields)
}

fn trace() -> Vec<Line> {
    vec![call("refund:o1:r1").order("1").usd("200.00").set("idempotency_key", "k1")]
}

fn its_row() -> Line {
    row("re_1", "refund:o1:r1").order("1").usd("200.00")
}

fn load(trace: &[Line], rows: &[Line], tickets: &[Line]) -> recount::load::Case {
    pair(trace, &[&[earlier()][..], rows, &[later()][..]].concat()).expect(tickets).load()
}

#[test]
fn a_ticket_finds_its_intent_by_operation_id_key_or_order() {
    for id in [
        json!({"operation_id":"refund:o1:r1"}),
        json!({"key":"k1"}),
        json!({"idempotency_key":"k1"}),
        json!({"order_id":"1"}),
        json!({"business_id":"order:1"}),
    ] {
        let mut fields = json!({"amount":"150.00","currency":"USD","count":1});
        fields.as_object_mut().unwrap().extend(id.as_object().unwrap().clone());
        let case = load(&trace(), &[its_row()], &[ticket(fields)]);
        assert_eq!(summary(&case).intents, 1, "{id}");
        assert_eq!(
            said(&case, "refund:o1:r1"),
            "confirmed* [1,1] of file 1 USD 150.00: 1/1 USD 200.00, R13 AMOUNT_MISMATCH violation S2, risk USD 50.00",
            "{id}"
        );
    }
}

#[test]
fn a_csv_of_tickets_is_read_by_the_same_names() {
    let csv = "ticket,order_id,amount,currency\nT-1,1,200.00,USD\nT-2,2,35.00,USD\n";
    let case = pair(&trace(), &[earlier(), its_row(), later()])
        .source("tickets", recount::sources::spec::What::Expectations, csv, |_| ())
        .load();
    assert!(said(&case, "refund:o1:r1").contains("of file 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean"));
    // Nobody tried it, and nothing is there.
    assert_eq!(
        said(&case, "order:2"),
        "submitted* [0,0] of file 1 USD 35.00: 0/0 USD 0.00, R34 NOT_STARTED open S5, risk 0"
    );
}

/// E47: the only call was refused, nothing is there, and the file expects one.
#[test]
fn what_a_file_says_must_be_true_in_the_end() {
    let refused = [call("refund:o1:r1").order("1").usd("200.00").told("rejected")];
    let case = load(
        &refused,
        &[],
        &[ticket(json!({"operation_id":"refund:o1:r1","amount":"200.00","currency":"USD"}))],
    );
    assert_eq!(
        said(&case, "refund:o1:r1"),
        "failed* [0,0] of file 1 USD 200.00: 0/0 USD 0.00, R27 MISSING violation S2, risk USD 200.00"
    );
    let case = pair(&refused, &[earlier(), later()]).load();
    assert!(said(&case, "refund:o1:r1").contains("R28 FAILED_CLEAN clean"));
}

#[test]
fn nothing_may_happen_where_the_count_is_zero() {
    let zero = ticket(json!({"operation_id":"refund:o1:r1","count":0}));
    let case = load(&trace(), &[its_row()], &[zero.clone()]);
    assert_eq!(
        said(&case, "refund:o1:r1"),
        "confirmed* [1,1] of file 0: 1/1 USD 200.00, R02 UNEXPECTED_EFFECT violation S1, risk USD 200.00"
    );
    let case = load(&trace(), &[], &[zero.clone()]);
    assert!(said(&case, "refund:o1:r1").contains("R17 MATCHED clean"), "{}", said(&case, "refund:o1:r1"));
    let case = pair(&trace(), &[earlier(), row("x", "refund:x:x").usd("1.00").at("08:00:00")])
        .expect(&[zero])
        .load();
    assert!(
        said(&case, "refund:o1:r1").contains("R18 UNVERIFIED_ABSENCE undecided S4"),
        "{}",
        said(&case, "refund:o1:r1")
    );
}

/// E57, E58: planned parts.
#[test]
fn count_ranges_allow_parts() {
    let parts = ticket(
        json!({"operation_id":"refund:o1:r1","count_min":1,"count_max":3,"amount":"200.00","currency":"USD"}),
    );
    let half = || its_row().usd("50.00");
    let case = load(&trace(), &[half()], &[parts.clone()]);
    assert!(
        said(&case, "refund:o1:r1").contains(
            "of file 1..3 USD 200.00: 1/1 USD 50.00, R13 AMOUNT_MISMATCH violation S2, risk USD 150.00"
        ),
        "{}",
        said(&case, "refund:o1:r1")
    );
    let early = pair(&trace(), &[earlier(), half()]).expect(&[parts.clone()]).load();
    assert!(
        said(&early, "refund:o1:r1").contains("R20a UNVERIFIED_SUCCESS undecided S4, risk USD 150.00"),
        "{}",
        said(&early, "refund:o1:r1")
    );
    let rest = row("re_2", "refund:o1:r1").usd("150.00").at("09:00:02");
    let case = load(&trace(), &[half(), rest.clone()], &[parts.clone()]);
    assert!(said(&case, "refund:o1:r1").contains("2/2 USD 200.00, R22 MATCHED clean"));
    let many = [
        half(),
        rest,
        row("re_3", "refund:o1:r1").usd("0.00").at("09:00:03"),
        row("re_4", "refund:o1:r1").usd("0.00").at("09:00:04"),
    ];
    let case = load(&trace(), &many, &[parts]);
    assert!(
        said(&case, "refund:o1:r1").contains("4/4 USD 200.00, R04 COUNT_DIFFERS_TOTAL_EQUAL undecided"),
        "{}",
        said(&case, "refund:o1:r1")
    );
    // Two of 100.00 are expected, one is there and no more can come.
    let two = ticket(json!({"operation_id":"refund:o1:r1","count":2,"amount":"200.00","currency":"USD"}));
    let case = load(&trace(), &[its_row().usd("100.00")], &[two]);
    assert!(
        said(&case, "refund:o1:r1").contains("R26 PARTIAL violation S2, risk USD 100.00"),
        "{}",
        said(&case, "refund:o1:r1")
    );
}

#[test]
fn accepted_totals_are_right_each_alone() {
    let accept = |value: Value| {
        ticket(json!({"operation_id":"refund:o1:r1","amount":"200.00","currency":"USD","accept":value}))
    };
    for (accepted, row_amount, currency, right) in [
        (json!(["EUR 184.10"]), "184.10", "EUR", true),
        (json!([{"amount":"184.10","currency":"EUR"}]), "184.10", "EUR", true),
        (json!([{"amount":184.10,"currency":"EUR"}]), "184.10", "EUR", true),
        (json!(["EUR 184.10", "USD 199.00"]), "199.00", "USD", true),
        (json!(["EUR 184.10"]), "200.00", "USD", true),
        (json!(["EUR 184.10"]), "184.11", "EUR", false),
        (json!(["EUR 184.10"]), "184.10", "GBP", false),
    ] {
        let case = load(
            &trace(),
            &[its_row().set("amount", row_amount).set("currency", currency)],
            &[accept(accepted.clone())],
        );
        let said = said(&case, "refund:o1:r1");
        assert_eq!(said.contains("R22 MATCHED clean"), right, "{accepted} {row_amount} {currency}: {said}");
    }
    // Both at once are two effects of two currencies, and no alternative alone.
    let both = [
        its_row(),
        row("re_2", "refund:o1:r1").set("amount", "184.10").set("currency", "EUR").at("09:00:02"),
    ];
    let case = load(&trace(), &both, &[accept(json!(["EUR 184.10"]))]);
    assert!(said(&case, "refund:o1:r1").contains("R05 DUPLICATED"), "{}", said(&case, "refund:o1:r1"));
}

#[test]
fn expected_attributes_are_compared_as_text() {
    let want = ticket(json!({"operation_id":"refund:o1:r1","attrs":{"author":"self_named","lines":3}}));
    let with = |author: &str, lines: Value| its_row().set("author", author).set("lines", lines);
    let case = load(&trace(), &[with("self_named", json!(3))], &[want.clone()]);
    assert!(said(&case, "refund:o1:r1").contains("R22 MATCHED clean"), "{}", said(&case, "refund:o1:r1"));
    let case = load(&trace(), &[with("Self-named", json!(3))], &[want.clone()]);
    let found = view(&case, "refund:o1:r1");
    assert!(
        said_of(&case, &found).contains("R14 ATTRIBUTE_MISMATCH undecided S3"),
        "{}",
        said_of(&case, &found)
    );
    assert_eq!(
        found.attribute,
        Some(("author".to_owned(), "self_named".to_owned(), "Self-named".to_owned()))
    );
    let case = load(&trace(), &[with("self_named", json!(4))], &[want]);
    assert!(said(&case, "refund:o1:r1").contains("R14"), "{}", said(&case, "refund:o1:r1"));
}

#[test]
fn a_file_wins_over_a_record_and_a_difference_is_said() {
    let recorded = event(
        "intent_recorded",
        json!({"intent_id":"int_1","operation_id":"refund:o1:r1","amount":"200.00","currency":"USD","ts":full("08:59:59")}),
    );
    let attempt = event(
        "attempt",
        json!({"attempt_id":"a1","operation_id":"refund:o1:r1","tool":"refund_order","sent_at":full("09:00:00"),"ended_at":full("09:00:01"),"outcome":"success"}),
    );
    let native = [recorded, attempt];
    let case = load(
        &native,
        &[its_row()],
        &[ticket(json!({"operation_id":"refund:o1:r1","amount":"150.00","currency":"USD"}))],
    );
    assert_eq!(
        said(&case, "int_1"),
        "confirmed* [1,1] of file 1 USD 150.00: 1/1 USD 200.00, R13 AMOUNT_MISMATCH violation S2, risk USD 50.00, EXPECTATION_DIFFERS"
    );
    // What the file does not say is taken from the record, and is no difference.
    for silent in [
        json!({"operation_id":"refund:o1:r1","count":1}),
        json!({"operation_id":"refund:o1:r1","kind":"refund"}),
        json!({"operation_id":"refund:o1:r1","amount":"200.0","currency":"usd"}),
    ] {
        let case = load(&native, &[its_row()], &[ticket(silent.clone())]);
        assert_eq!(
            said(&case, "int_1"),
            "confirmed* [1,1] of file 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0",
            "{silent}"
        );
    }
    let case = load(&native, &[its_row()], &[ticket(json!({"operation_id":"refund:o1:r1","count":2}))]);
    // The record gives no count, so another one is no difference either.
    let said = said(&case, "int_1");
    assert!(said.contains("of file 2 USD 200.00") && !said.contains("EXPECTATION_DIFFERS"), "{said}");
}

/// A ticket that names only the order, where the order has two requests.
#[test]
fn a_ticket_of_an_order_with_several_requests_goes_to_its_account() {
    let two = [
        call("refund:o1:r1").order("1").usd("20.00"),
        call("refund:o1:r2").order("1").usd("20.00").sent("10:00:00", "10:00:01"),
    ];
    let loose =
        |id: &str, time: &str| row(id, "").without(&["operation_id"]).order("1").usd("20.00").at(time);
    let tickets = |n: usize| vec![ticket(json!({"order_id":"1","amount":"20.00","currency":"USD"})); n];
    let rows = [loose("re_1", "09:00:01"), loose("re_2", "10:00:01")];
    // Two tickets, two requests, two rows: all is well by order.
    let case = load(&two, &rows, &tickets(2));
    assert_eq!(summary(&case).intents, 2);
    assert!(said(&case, "refund:o1:r1").contains("FITS_BY_ORDER"), "{}", said(&case, "refund:o1:r1"));
    // One ticket for the order, and two rows.
    let case = load(&two, &rows, &tickets(1));
    for id in ["refund:o1:r1", "refund:o1:r2"] {
        assert!(said(&case, id).contains("R16a SUSPECTED_DUPLICATE undecided S1"), "{}", said(&case, id));
    }
    // Another order's ticket changes nothing.
    let case = load(&two, &rows, &[ticket(json!({"order_id":"3","amount":"20.00","currency":"USD"}))]);
    assert_eq!(summary(&case).intents, 3);
    assert!(said(&case, "refund:o1:r1").contains("FITS_BY_ORDER"));
}

/// Two tickets of one order, of which only one was tried.
#[test]
fn a_second_ticket_of_an_order_founds_an_intent() {
    let tickets = vec![
        ticket(json!({"order_id":"1","amount":"200.00","currency":"USD"})),
        ticket(json!({"order_id":"1","amount":"35.00","currency":"USD"})),
    ];
    let case = load(&trace(), &[its_row()], &tickets);
    assert_eq!(summary(&case).intents, 2);
    assert!(
        said(&case, "refund:o1:r1").contains("of file 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED"),
        "{}",
        said(&case, "refund:o1:r1")
    );
    assert_eq!(summary(&case).open, 1);
}

#[test]
fn a_ticket_without_any_id_is_unreadable() {
    let case = load(
        &trace(),
        &[its_row()],
        &[
            ticket(json!({"amount":"200.00","currency":"USD"})),
            ticket(json!({"order_id":"1","amount":"two hundred"})),
        ],
    );
    let problems = problems(&case);
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].contains("it names no operation id, key, business id or intent"), "{problems:?}");
    assert!(problems[1].contains("the expected amount"), "{problems:?}");
    assert_eq!(result(&case), "INCONCLUSIVE 3");
}

#[test]
fn expectations_by_intent_id_find_the_recorded_intent() {
    let recorded = event(
        "intent_recorded",
        json!({"intent_id":"int_1","operation_id":"refund:o1:r1","amount":"200.00","currency":"USD","ts":full("08:59:59")}),
    );
    let attempt = event(
        "attempt",
        json!({"attempt_id":"a1","intent_id":"int_1","tool":"refund_order","sent_at":full("09:00:00"),"ended_at":full("09:00:01"),"outcome":"success"}),
    );
    let case = load(
        &[recorded, attempt],
        &[its_row()],
        &[ticket(json!({"intent_id":"int_1","amount":"150.00","currency":"USD"}))],
    );
    assert_eq!(summary(&case).intents, 1);
    assert!(said(&case, "int_1").contains("of file 1 USD 150.00"), "{}", said(&case, "int_1"));
}

/// A value that cannot be read is named with its line, and nothing is clean.
#[test]
fn bad_values_of_an_expectation_are_said() {
    for (fields, why) in [
        (json!({"count":-1}), "the expected count -1 is not a whole number of 0 or more"),
        (json!({"count":"one"}), "the expected count one is not a whole number of 0 or more"),
        (json!({"count_min":1.5}), "the expected count_min 1.5 is not a whole number of 0 or more"),
        (
            json!({"count_min":3,"count_max":1}),
            "the expected count is at least 3 and at most 1, which no number is",
        ),
        (
            json!({"accept":["EUR 184.10","184.10"]}),
            "the accepted total \"184.10\" has no currency or no amount: write \"EUR 184.10\", or an object with amount and currency",
        ),
        (
            json!({"accept":"EUR 184.10"}),
            "the accepted totals \"EUR 184.10\" are not a list: write \"EUR 184.10\", or an object with amount and currency",
        ),
        (
            json!({"accept":[{"amount":"1.234","currency":"EUR"}]}),
            "the accepted total {\"amount\":\"1.234\",\"currency\":\"EUR\"} has digits beyond the 2 decimals of its currency",
        ),
    ] {
        let mut all = json!({"operation_id":"refund:o1:r1","amount":"200.00","currency":"USD"});
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let case = load(&trace(), &[its_row()], &[ticket(all)]);
        let problems = problems(&case);
        assert_eq!(problems.len(), 1, "{fields}: {problems:?}");
        assert!(problems[0].contains(why), "{fields}: {problems:?}");
        assert_eq!(result(&case), "INCONCLUSIVE 3", "{fields}");
        // The rest of the line counts.
        assert!(said(&case, "refund:o1:r1").contains("of file 1 USD 200.00"), "{fields}");
    }
    let csv = "operation_id,amount,currency,count\nrefund:o1:r1,200.00,USD,one\n";
    let case = pair(&trace(), &[earlier(), its_row(), later()])
        .source("tickets", recount::sources::spec::What::Expectations, csv, |_| ())
        .load();
    assert!(problems(&case)[0].contains("the expected count one"), "{:?}", problems(&case));
    assert_eq!(result(&case), "INCONCLUSIVE 3");
}
