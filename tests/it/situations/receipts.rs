//! Receipts, learnt ids, contested rows (`1-model.md` 1.4.8, 1.5).

use serde_json::json;

use crate::small::*;

fn told(operation: &str, receipt: &str) -> Line {
    call(operation).usd("200.00").receipt(receipt)
}

/// A row without an operation id.
fn loose(id: &str) -> Line {
    row(id, "").without(&["operation_id"]).usd("200.00")
}

fn load(trace: &[Line], rows: &[Line]) -> recount::load::Case {
    pair(trace, &[&[earlier()][..], rows, &[later()][..]].concat()).load()
}

#[test]
fn an_answer_names_its_row() {
    let case = load(&[told("refund:o1:r1", "re_1")], &[loose("re_1")]);
    let view = only(&case);
    assert_eq!(
        said_of(&case, &view),
        "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0"
    );
    assert_eq!((view.effects[0].link.clone(), view.effects[0].acknowledged), (vec!["J3"], true));
    // By its external reference too.
    let case = load(&[told("refund:o1:r1", "px_1")], &[loose("re_1").set("external_ref", "px_1")]);
    assert_eq!(only(&case).effects[0].link, ["J3"]);
}

#[test]
fn a_receipt_that_is_nowhere_is_said_only_where_it_is_called_one() {
    let rows = [row("re_1", "refund:o1:r1").usd("200.00")];
    let case = load(&[told("refund:o1:r1", "re_77")], &rows);
    assert!(said_of(&case, &only(&case)).ends_with("R22 MATCHED clean S5, risk 0, RECEIPT_NOT_FOUND"));
    let unnamed = call("refund:o1:r1").usd("200.00").set("result", json!({"id":"re_77"}));
    let case = load(&[unnamed], &rows);
    assert!(said_of(&case, &only(&case)).ends_with("R22 MATCHED clean S5, risk 0"));
    // The receipt of a call that was not told yes says nothing.
    let case = load(&[told("refund:o1:r1", "re_2").told("timeout")], &[loose("re_2")]);
    assert!(said_of(&case, &only(&case)).contains("0/0"), "{}", said_of(&case, &only(&case)));
}

#[test]
fn receipts_stand_in_many_places() {
    for answer in [
        json!({"receipt":"re_1"}),
        json!({"refund_id":"re_1"}),
        json!({"effect_id":"re_1"}),
        json!({"result":{"id":"re_1"}}),
        json!({"response":{"id":"re_1"}}),
        json!({"output":"{\"refund_id\":\"re_1\",\"status\":\"ok\"}"}),
        json!({"result":"{\"id\":\"re_1\"}"}),
    ] {
        let mut line = call("refund:o1:r1").usd("200.00");
        for (name, value) in answer.as_object().unwrap() {
            line = line.set(name, value.clone());
        }
        let case = load(&[line], &[loose("re_1")]);
        assert!(said_of(&case, &only(&case)).contains("1/1 USD 200.00, R22 MATCHED"), "{answer}");
    }
}

/// J3b: the row of the receipt lends its ids, so that the row of the lost call is found.
#[test]
fn a_row_that_an_answer_names_lends_its_ids() {
    let trace =
        [call("mine:1").usd("200.00").told("timeout"), told("mine:1", "re_2").sent("09:01:00", "09:01:01")];
    for (name, value) in
        [("operation_id", "theirs:1"), ("idempotency_key", "k9"), ("external_ref", "charge_1")]
    {
        let with = |id: &str, time: &str| loose(id).set(name, value).at(time);
        let case = load(&trace, &[with("re_1", "09:00:01"), with("re_2", "09:01:01")]);
        let view = only(&case);
        let said = said_of(&case, &view);
        assert!(
            said.starts_with("confirmed* [1,2] of 1 USD 200.00: 2/2 USD 400.00, R05 DUPLICATED violation S1"),
            "{name}: {said}"
        );
        assert_eq!(view.effects[0].link, ["J3b"], "{name}");
        assert_eq!(view.effects[1].link, ["J3"], "{name}");
    }
}

#[test]
fn a_row_with_the_operation_id_and_a_receipt_lends_too() {
    let with = |line: Line| line.set("external_ref", "px_1");
    let case = load(
        &[told("refund:o1:r1", "re_1")],
        &[with(row("re_1", "refund:o1:r1").usd("200.00")), with(loose("re_2").at("09:00:02"))],
    );
    let view = only(&case);
    assert!(said_of(&case, &view).contains("2/2 USD 400.00, R05 DUPLICATED"), "{}", said_of(&case, &view));
    assert!(said_of(&case, &view).contains("SAME_EXTERNAL_REF"), "{}", said_of(&case, &view));
    assert_eq!(view.effects[1].link, ["J3b"]);
}

#[test]
fn what_two_intents_would_lend_is_lent_by_none() {
    let trace = [told("a", "re_1"), told("b", "re_2").sent("09:01:00", "09:01:01")];
    let with = |id: &str, time: &str| loose(id).set("external_ref", "shared").at(time);
    let case = load(&trace, &[with("re_1", "09:00:01"), with("re_2", "09:01:01"), with("re_3", "09:01:02")]);
    assert!(said(&case, "a").contains("1/1"), "{}", said(&case, "a"));
    assert!(said(&case, "b").contains("1/1"), "{}", said(&case, "b"));
    assert_eq!(summary(&case).orphans, 1);
}

#[test]
fn a_row_that_two_intents_claim_counts_for_nobody() {
    let trace = [told("a", "re_1"), told("b", "re_1").sent("09:01:00", "09:01:01")];
    let case = load(&trace, &[loose("re_1")]);
    for id in ["a", "b"] {
        assert!(
            said(&case, id).contains("0/0 USD 0.00, R09 LINK_CONTESTED undecided S3"),
            "{}",
            said(&case, id)
        );
    }
    // Its key says one, a receipt another.
    let keyed = [
        told("a", "re_1"),
        call("b").usd("200.00").set("idempotency_key", "k2").sent("09:01:00", "09:01:01"),
    ];
    let case = load(&keyed, &[loose("re_1").set("idempotency_key", "k2")]);
    for id in ["a", "b"] {
        assert!(said(&case, id).contains("R09 LINK_CONTESTED"), "{}", said(&case, id));
    }
    // Its operation id says one, the receipts of two others claim it.
    let claimed = [
        call("a").usd("200.00"),
        told("b", "re_1").sent("09:01:00", "09:01:01"),
        told("c", "re_1").sent("09:02:00", "09:02:01"),
    ];
    let case = load(&claimed, &[row("re_1", "a").usd("200.00")]);
    for id in ["a", "b", "c"] {
        assert!(said(&case, id).contains("R09 LINK_CONTESTED"), "{id}: {}", said(&case, id));
    }
}

#[test]
fn an_operation_id_beats_a_key() {
    // One key was used for two operations; the row's operation id decides.
    let trace = [
        call("a").usd("200.00").set("idempotency_key", "k1"),
        call("b").usd("200.00").set("idempotency_key", "k1").sent("09:01:00", "09:01:01"),
    ];
    let case = load(&trace, &[row("re_1", "a").usd("200.00").set("idempotency_key", "k1")]);
    assert!(said(&case, "a").contains("R22 MATCHED clean"), "{}", said(&case, "a"));
    assert!(said(&case, "b").contains("R27 MISSING"), "{}", said(&case, "b"));
    assert_eq!(view(&case, "a").effects[0].link, ["J1", "J2"]);
    // A row that carries the key alone is claimed by both.
    let case = load(&trace, &[loose("re_1").set("idempotency_key", "k1")]);
    for id in ["a", "b"] {
        assert!(said(&case, id).contains("R09 LINK_CONTESTED"), "{}", said(&case, id));
    }
}

#[test]
fn a_proven_duplicate_stays_one_though_another_row_is_contested() {
    let trace = [
        call("a").usd("200.00").told("timeout"),
        told("a", "re_3").sent("09:01:00", "09:01:01"),
        told("b", "re_3").sent("09:02:00", "09:02:01"),
    ];
    let case = load(
        &trace,
        &[row("re_1", "a").usd("200.00"), row("re_2", "a").usd("200.00").at("09:01:01"), loose("re_3")],
    );
    assert!(said(&case, "a").contains("2/2 USD 400.00, R05 DUPLICATED violation"), "{}", said(&case, "a"));
    assert!(said(&case, "b").contains("R09 LINK_CONTESTED"), "{}", said(&case, "b"));
}

#[test]
fn a_row_by_the_key_of_a_record_is_linked() {
    let recorded = event(
        "intent_recorded",
        json!({"intent_id":"int_1","operation_id":"a","key":"k1","amount":"200.00","currency":"USD","ts":full("08:59:00")}),
    );
    let attempt = event(
        "attempt",
        json!({"attempt_id":"a1","intent_id":"int_1","tool":"refund_order","sent_at":full("09:00:00"),"ended_at":full("09:00:01"),"outcome":"success"}),
    );
    let case = load(&[recorded, attempt], &[loose("re_1").set("idempotency_key", "k1")]);
    assert!(said(&case, "int_1").contains("1/1 USD 200.00, R22 MATCHED clean"), "{}", said(&case, "int_1"));
}

#[test]
fn a_source_of_one_run_belongs_to_its_intent() {
    let trace =
        [call("a").usd("200.00").told("timeout"), call("a").usd("200.00").sent("09:01:00", "09:01:01")];
    let rows = [loose("re_1"), loose("re_2").at("09:01:01")];
    let case = pair(&trace, &rows).options("ledger", |o| o.scope_run = true).load();
    let view = only(&case);
    assert!(said_of(&case, &view).contains("2/2 USD 400.00, R05 DUPLICATED"), "{}", said_of(&case, &view));
    assert_eq!(view.effects[0].link, ["J0"]);
    // With two intents nobody can say whose they are.
    let two = [trace[0].clone(), call("b").usd("1.00")];
    let case = pair(&two, &rows).options("ledger", |o| o.scope_run = true).load();
    assert!(said(&case, "a").contains("0/0"), "{}", said(&case, "a"));
}
