//! Every kind of id finds its intent (`1-model.md` 1.4.13).

use serde_json::json;

use crate::small::*;

fn case() -> recount::load::Case {
    let recorded = |n: usize| {
        event(
            "intent_recorded",
            json!({
                "intent_id":format!("int_{n}"),"operation_id":format!("refund:order_{n}:request_{n}"),"business_id":format!("order:10{n}"),
                "party":format!("cust_{n}"),"key":format!("key-{n}"),"amount":"20.00","currency":"USD","ts":full("08:59:00"),
            }),
        )
    };
    let attempt = |n: usize| {
        event(
            "attempt",
            json!({
                "attempt_id":format!("att_{n}"),"intent_id":format!("int_{n}"),"tool":"refund_order","receipt":format!("re_{n}"),
                "sent_at":full("09:00:00"),"ended_at":full("09:00:01"),"outcome":"success",
            }),
        )
    };
    let effect = |n: usize| {
        row(&format!("re_{n}"), &format!("refund:order_{n}:request_{n}"))
            .usd("20.00")
            .set("external_ref", format!("px_{n}"))
    };
    let ticket = line(
        json!({"operation_id":"refund:order_1:request_1","amount":"20.00","currency":"USD","ticket":"T-4711"}),
    );
    pair(&[recorded(1), attempt(1), recorded(2), attempt(2)], &[earlier(), effect(1), effect(2), later()])
        .expect(&[ticket])
        .load()
}

#[test]
fn each_id_finds_one() {
    let case = case();
    for id in [
        "int_1",
        "refund:order_1:request_1",
        "order:101",
        "order 101",
        "101",
        "cust_1",
        "key-1",
        "re_1",
        "px_1",
        "att_1",
        "T-4711",
        "request_1",
        "ORDER:101",
        "order_1",
    ] {
        let found: Vec<String> = case.find(id).iter().map(|op| case.intent_id(*op)).collect();
        assert_eq!(found, ["int_1"], "{id}");
    }
}

#[test]
fn parts_find_several_and_nothing_finds_none() {
    let case = case();
    assert_eq!(case.find("refund:").len(), 2);
    assert_eq!(case.find("cust_").len(), 2);
    assert_eq!(case.find("order:10").len(), 2);
    assert_eq!(case.find("att_7"), []);
    assert_eq!(case.find("nothing at all"), []);
    assert_eq!(case.find(""), [], "an empty text finds nothing");
}

#[test]
fn a_handle_finds_its_row() {
    let case = case();
    case.number();
    for op in case.ordered() {
        let handle = case.view(op).unwrap().handle;
        assert_eq!(case.find(&format!("#{handle}")), [op]);
    }
    assert_eq!(case.find("#0"), []);
    assert_eq!(case.find("#3"), []);
}

#[test]
fn ids_of_linked_and_suggested_rows_find_their_intent() {
    let lost = call("refund:o1:r1").order("1").usd("200.00").told("timeout");
    let told = call("refund:o2:r2").order("2").usd("10.00").receipt("re_2");
    let rows = [
        earlier(),
        row("re_1", "").without(&["operation_id"]).order("1").usd("200.00"),
        row("re_2", "").without(&["operation_id"]).usd("10.00"),
        later(),
    ];
    let case = pair(&[lost, told], &rows).load();
    let of = |id: &str| case.find(id).iter().map(|op| case.intent_id(*op)).collect::<Vec<_>>();
    assert_eq!(of("re_2"), ["refund:o2:r2"]);
    assert_eq!(of("re_1"), ["refund:o1:r1"]);
    assert_eq!(of("re_later"), Vec::<String>::new());
}

#[test]
fn groups_without_an_id_are_found_by_their_name() {
    let bare = call("")
        .without(&["operation_id"])
        .set("run_id", "r1")
        .set("arguments", json!({"order_id":"1","amount":"20.00","currency":"USD"}));
    let keyed = bare.clone().set("idempotency_key", "k-77").set("run_id", "r2");
    let case = pair(&[bare, keyed], &[earlier(), later()]).load();
    assert_eq!(case.find("refund_order@trace.jsonl:1").len(), 1);
    assert_eq!(case.find("k-77").len(), 1);
    assert_eq!(case.find("order:1").len(), 2);
    let ids: Vec<String> = case.ordered().iter().map(|op| case.intent_id(*op)).collect();
    assert!(
        ids.contains(&"refund_order@trace.jsonl:1".to_owned()) && ids.contains(&"k-77".to_owned()),
        "{ids:?}"
    );
}
