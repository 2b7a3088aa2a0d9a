//! Rows by a derived key (J4, `1-model.md` 1.5): hash of order, kind, amount and currency.

use crate::small::*;

/// The key of a refund of USD 200.00 for order 1234, as in `1-model.md` 1.6.
const KEY: &str = "ef2fd1f5f3709692d9dd57787b13d0b506d7a11f7d5e143d790391e56a544253";

fn lost(operation: &str) -> Line {
    call(operation).order("1234").usd("200.00").told("timeout")
}

/// A row that has lost all ids but the derived key.
fn bare(id: &str) -> Line {
    row(id, "").without(&["operation_id"]).usd("200.00").set("derived_key", KEY)
}

fn load(trace: &[Line], rows: &[Line]) -> recount::load::Case {
    pair(trace, &[&[earlier()][..], rows, &[later()]].concat()).load()
}

#[test]
fn a_derived_key_is_a_safety_net() {
    let case = load(&[lost("refund:o1:r1")], &[bare("re_1")]);
    assert_eq!(
        said(&case, "order:1234"),
        "unknown* [0,1] of 1 USD 200.00: 1/1 USD 200.00, R24 HIDDEN_SUCCESS clean S5, risk 0"
    );
    assert_eq!(view(&case, "order:1234").effects[0].link, ["J4"]);
    // Without an operation id the tool's name says the kind.
    let keyed = lost("").without(&["operation_id"]).set("idempotency_key", "k1");
    let case = load(&[keyed], &[bare("re_1")]);
    assert_eq!(view(&case, "order:1234").effects[0].link, ["J4"]);
    // A key that was derived by the caller is compared as it is.
    let sent = lost("refund:o1:r1").without(&["order_id"]).set("idempotency_key", "abc");
    let case = load(&[sent], &[bare("re_1").set("derived_key", "abc")]);
    assert_eq!(view(&case, "refund:o1:r1").effects[0].link, ["J4"]);
}

#[test]
fn another_amount_order_or_kind_has_another_key() {
    for other in [
        lost("refund:o1:r1").usd("200.01"),
        lost("refund:o1:r1").order("1235"),
        lost("payout:o1:r1"),
        lost("refund:o1:r1").set("currency", "EUR"),
    ] {
        let case = load(&[other], &[bare("re_1")]);
        assert!(view(&case, ":o1:r1").effects.is_empty());
    }
}

/// Two equal refunds of one order are two operations (E22): the key cannot tell which.
#[test]
fn a_key_of_two_intents_only_suggests() {
    let second = lost("refund:o1:r2").sent("10:00:00", "10:00:01");
    let case = load(&[lost("refund:o1:r1"), second], &[bare("re_1")]);
    for id in ["refund:o1:r1", "refund:o1:r2"] {
        let said = said(&case, id);
        assert!(said.contains("0/0 USD 0.00, R31 UNRESOLVED_UNKNOWN undecided"), "{said}");
        assert!(said.contains("SUGGESTION(1)"), "{said}");
    }
}

#[test]
fn a_row_with_another_operation_id_is_not_linked() {
    let case = load(&[lost("refund:o1:r1")], &[bare("re_1").set("operation_id", "refund:o1:r9")]);
    assert!(view(&case, "refund:o1:r1").effects.is_empty());
}
