//! Near-identical ids and declared steps (`1-model.md` 1.5).

use recount::sources::spec::Normalise;

use crate::small::*;

const A: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const B: &str = "3F2504E04F8941D39A0C0305E82C3301";

/// E74: two calls whose operation ids differ only in the form of a UUID.
#[test]
fn near_identical_intents_are_judged_apart() {
    let trace = [call(A).usd("200.00"), call(B).usd("200.00").sent("09:01:00", "09:01:01")];
    let rows =
        [earlier(), row("re_1", A).usd("200.00"), row("re_2", B).usd("200.00").at("09:01:01"), later()];
    let case = pair(&trace, &rows).load();
    for id in [A, B] {
        assert_eq!(
            said(&case, id),
            "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED undecided S3, risk 0, NEAR_IDENTICAL_ID"
        );
    }
    assert_eq!(view(&case, A).near_ids, [B]);
    assert_eq!(result(&case), "INCONCLUSIVE 3");
}

#[test]
fn a_row_with_a_near_identical_id_is_unattributed_and_said() {
    for (mine, theirs) in [
        ("REF  BaByliss\r\n", "ref babyliss"),
        ("Refund-1", "refund-1"),
        (" x1", "x1"),
        ("urn:uuid:3f2504e0-4f89-41d3-9a0c-0305e82c3301", A),
    ] {
        let row = row("re_1", theirs).usd("200.00").at("2026-11-02T00:00:00Z");
        let case = pair(&[call(mine).usd("200.00")], &[row, later()])
            .options("ledger", |o| o.covers_from = Some("start".to_owned()))
            .load();
        let view = only(&case);
        assert!(said_of(&case, &view).contains("NEAR_IDENTICAL_ID"), "{mine:?}: {}", said_of(&case, &view));
        assert_eq!(view.operation_id, mine);
        assert_eq!(summary(&case).orphans, 1, "{mine:?}");
    }
}

#[test]
fn three_forms_are_named_in_order() {
    let trace =
        [call("a1"), call("A1").sent("09:01:00", "09:01:01"), call(" a1").sent("09:02:00", "09:02:01")];
    let case = pair(&trace, &[earlier(), later()]).load();
    for _ in 0..4 {
        assert_eq!(view(&case, "a1").near_ids, [" a1", "A1"]);
    }
}

#[test]
fn declared_steps_make_ids_one() {
    let trace = [call(A).usd("200.00").told("timeout"), call(B).usd("200.00").sent("09:01:00", "09:01:01")];
    let rows = [earlier(), row("re_1", &format!("{{{A}}}")).usd("200.00"), later()];
    let case = pair(&trace, &rows).with(|s| s.normalise = vec![Normalise::Uuid]).load();
    let view = only(&case);
    assert_eq!(
        said_of(&case, &view),
        "confirmed* [1,2] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0"
    );
    assert!(source(&case, "ledger").notes.iter().any(|n| n == "ids equal after uuid are one"));
    // Steps of one source do not change the ids of another.
    let case = pair(&[call("x1").usd("200.00")], &[earlier(), row("re_1", " X1").usd("200.00"), later()])
        .options("ledger", |o| o.normalise = vec![Normalise::Trim, Normalise::Casefold])
        .load();
    assert!(said(&case, "x1").contains("R22 MATCHED clean"), "{}", said(&case, "x1"));
}

#[test]
fn a_normalised_id_is_shown_as_the_expectation_writes_it() {
    let trace = [call(B).usd("200.00")];
    let expected = line(
        serde_json::json!({"operation_id":format!("{{{A}}}"),"count":1,"amount":"200.00","currency":"USD"}),
    );
    let case = pair(&trace, &[earlier(), row("re_1", A).usd("200.00"), later()])
        .expect(&[expected])
        .with(|s| s.normalise = vec![Normalise::Uuid])
        .load();
    assert_eq!(only(&case).operation_id, format!("{{{A}}}"));
    // Without an expectation as it was first seen.
    let case = pair(&trace, &[earlier(), row("re_1", A).usd("200.00"), later()])
        .with(|s| s.normalise = vec![Normalise::Uuid])
        .load();
    assert_eq!(only(&case).operation_id, B);
    assert_eq!(case.find(B).len(), 1);
    assert_eq!(case.find(A).len(), 1);
}

#[test]
fn ids_that_differ_otherwise_are_not_near() {
    let trace = [
        call("refund:1"),
        call("refund:2").sent("09:01:00", "09:01:01"),
        call("refund_1").sent("09:02:00", "09:02:01"),
    ];
    let case = pair(&trace, &[earlier(), later()]).load();
    assert!(
        case.ordered()
            .iter()
            .all(|op| !said_of(&case, &case.view(*op).unwrap()).contains("NEAR_IDENTICAL_ID"))
    );
}

/// A row under an id that differs only in case may be the one that is not there: nothing is proven.
#[test]
fn a_near_identical_row_is_no_proof_of_absence() {
    let theirs = row("re_1", "op-1").order("1").usd("200.00");
    let case = pair(&[call("OP-1").order("1").usd("200.00")], &[earlier(), theirs, later()]).load();
    let view = only(&case);
    assert_eq!(view.judgement.verdict(), "UNVERIFIED_SUCCESS");
    assert!(said_of(&case, &view).contains("NEAR_IDENTICAL_ID"), "{}", said_of(&case, &view));
    assert_eq!(view.near_ids, ["op-1"]);
    assert!(view.uncovered.iter().any(|(code, words)| *code == "C7" && words.contains("almost the same id")));
    assert_eq!(result(&case), "INCONCLUSIVE 3");
}
