//! Chains of replacements (`1-model.md` 1.1, R08).

use serde_json::{Value, json};

use crate::small::*;

fn recorded(n: usize, amount: &str, parent: Option<(usize, &str)>) -> Line {
    let mut fields = json!({
        "intent_id": format!("int_{n}"), "operation_id": format!("refund:o1:r{n}"), "kind": "refund", "business_id": "order:1",
        "amount": amount, "currency": "USD", "ts": full(&format!("08:0{n}:00")),
    });
    if let Some((parent, relation)) = parent {
        fields["parent_id"] = Value::from(format!("int_{parent}"));
        if !relation.is_empty() {
            fields["relation"] = Value::from(relation);
        }
    }
    event("intent_recorded", fields)
}

fn attempt(n: usize, outcome: &str) -> Line {
    event(
        "attempt",
        json!({"attempt_id":format!("a{n}"),"intent_id":format!("int_{n}"),"tool":"refund_order","sent_at":full(&format!("09:0{n}:00")),"ended_at":full(&format!("09:0{n}:01")),"outcome":outcome}),
    )
}

fn effect(n: usize, amount: &str) -> Line {
    row(&format!("re_{n}"), &format!("refund:o1:r{n}")).order("1").usd(amount).at(&format!("09:0{n}:01"))
}

fn load(trace: &[Line], rows: &[Line]) -> recount::load::Case {
    pair(trace, &[&[earlier()][..], rows, &[later()][..]].concat()).load()
}

/// E21: the parent took effect, the child that replaces it too.
#[test]
fn only_one_of_a_pair_may_take_effect() {
    for relation in ["replaces", ""] {
        let trace = [
            recorded(1, "200.00", None),
            attempt(1, "timeout"),
            recorded(2, "150.00", Some((1, relation))),
            attempt(2, "success"),
        ];
        let case = load(&trace, &[effect(1, "200.00"), effect(2, "150.00")]);
        assert_eq!(
            said(&case, "int_2"),
            "confirmed* [1,1] of 1 USD 150.00: 1/1 USD 150.00, R08 LINEAGE_DOUBLE violation S1, risk USD 200.00"
        );
        assert!(
            said(&case, "int_1").contains("R08 LINEAGE_DOUBLE violation S1, risk USD 200.00"),
            "{}",
            said(&case, "int_1")
        );
        let s = summary(&case);
        // One row of the list, its money once.
        assert_eq!((s.violations, totals(&case, &s.at_risk)), (1, "USD 200.00".to_owned()));
        let groups = case.groups();
        assert_eq!(
            (groups.len(), groups[0].kind, groups[0].members.clone()),
            (1, "lineage", vec!["int_1".to_owned(), "int_2".to_owned()])
        );
    }
    // Where only one of them did, all is well.
    let trace = [
        recorded(1, "200.00", None),
        attempt(1, "rejected"),
        recorded(2, "150.00", Some((1, "replaces"))),
        attempt(2, "success"),
    ];
    let case = load(&trace, &[effect(2, "150.00")]);
    assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
}

#[test]
fn what_adds_to_or_corrects_its_parent_is_no_replacement() {
    for relation in ["adds_to", "corrects"] {
        let trace = [
            recorded(1, "200.00", None),
            attempt(1, "success"),
            recorded(2, "150.00", Some((1, relation))),
            attempt(2, "success"),
        ];
        let case = load(&trace, &[effect(1, "200.00"), effect(2, "150.00")]);
        assert_eq!(result(&case), "NO VIOLATION OBSERVED 0", "{relation}");
    }
}

#[test]
fn a_chain_of_three_is_one_whatever_the_order_of_its_lines() {
    let lines = [
        recorded(1, "200.00", None),
        recorded(2, "150.00", Some((1, "replaces"))),
        recorded(3, "120.00", Some((2, "replaces"))),
        attempt(1, "success"),
        attempt(2, "timeout"),
        attempt(3, "success"),
    ];
    let rows = [effect(1, "200.00"), effect(3, "120.00")];
    for order in [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [2, 5, 0, 3, 1, 4]] {
        let trace: Vec<Line> = order.iter().map(|i| lines[*i].clone()).collect();
        let case = load(&trace, &rows);
        for n in [1, 3] {
            assert!(
                said(&case, &format!("int_{n}")).contains("R08 LINEAGE_DOUBLE violation S1, risk USD 200.00"),
                "{}",
                said(&case, &format!("int_{n}"))
            );
        }
        // The middle one did nothing, but it belongs to the chain.
        assert!(said(&case, "int_2").contains("R08 LINEAGE_DOUBLE"), "{}", said(&case, "int_2"));
        assert_eq!(summary(&case).violations, 1);
        assert_eq!(case.groups()[0].members, ["int_1", "int_2", "int_3"]);
    }
    // Without the first row only one of them took effect.
    let case = load(&lines, &[effect(3, "120.00")]);
    assert!(said(&case, "int_3").contains("R22 MATCHED"), "{}", said(&case, "int_3"));
}

#[test]
fn a_parent_that_is_not_loaded_or_itself_makes_no_chain() {
    let trace = [
        recorded(2, "150.00", Some((1, "replaces"))),
        attempt(2, "success"),
        recorded(3, "10.00", Some((3, "replaces"))),
        attempt(3, "success"),
    ];
    let case = load(&trace, &[effect(2, "150.00"), effect(3, "10.00")]);
    assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
    // Two that name each other are one chain.
    let trace = [
        recorded(1, "200.00", Some((2, "replaces"))),
        attempt(1, "success"),
        recorded(2, "150.00", Some((1, "replaces"))),
        attempt(2, "success"),
    ];
    let case = load(&trace, &[effect(1, "200.00"), effect(2, "150.00")]);
    assert_eq!(summary(&case).violations, 1);
}

/// Where the members' records have no times, the one in the last place is the newest.
#[test]
fn the_newest_member_is_found_without_times() {
    let bare = |line: Line| line.without(&["ts"]);
    let silent = |line: Line| line.without(&["sent_at", "ended_at"]);
    let trace = [
        bare(recorded(1, "200.00", None)),
        silent(attempt(1, "success")),
        bare(recorded(2, "150.00", Some((1, "replaces")))),
        silent(attempt(2, "success")),
    ];
    for _ in 0..4 {
        let case = load(&trace, &[effect(1, "200.00"), effect(2, "150.00")]);
        assert!(
            said(&case, "int_2").contains("R08 LINEAGE_DOUBLE violation S1, risk USD 200.00"),
            "{}",
            said(&case, "int_2")
        );
    }
}
