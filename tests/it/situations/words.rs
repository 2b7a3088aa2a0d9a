//! Status words of rows, outcome words of calls, words of a tool (`1-model.md` 1.4.4, 1.4.6).

use recount::sources::spec::StatusWords;

use crate::small::*;

fn trace() -> Vec<Line> {
    vec![call("refund:o1:r1").order("1").usd("200.00")]
}

fn with_status(id: &str, word: &str) -> Line {
    row(id, "refund:o1:r1").order("1").usd("200.00").set("status", word)
}

fn load(rows: &[Line]) -> recount::load::Case {
    pair(&trace(), &[&[earlier()][..], rows, &[later()][..]].concat()).load()
}

#[test]
fn live_words_are_effects() {
    for word in [
        "succeeded",
        "success",
        "completed",
        "complete",
        "executed",
        "posted",
        "booked",
        "settled",
        "paid",
        "applied",
        "captured",
        "refunded",
        "sent",
        "delivered",
        "Succeeded",
        "PAID",
    ] {
        let case = load(&[with_status("re_1", word)]);
        assert_eq!(
            said(&case, "order:1"),
            "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0",
            "{word}"
        );
    }
}

#[test]
fn words_on_its_way_are_no_effect_and_no_absence() {
    for word in ["pending", "queued", "processing", "requires_action", "scheduled", "open", "initiated"] {
        let case = load(&[with_status("re_1", word)]);
        assert_eq!(
            said(&case, "order:1"),
            "confirmed* [1,1] of 1 USD 200.00: 0/0 USD 0.00, R25 UNVERIFIED_SUCCESS undecided S3, risk USD 200.00, ON_ITS_WAY(1)",
            "{word}"
        );
        let s = summary(&case);
        assert_eq!(totals(&case, &s.may_still_go_out), "USD 200.00");
    }
}

#[test]
fn words_that_ended_are_no_effect() {
    for word in
        ["failed", "rejected", "declined", "canceled", "cancelled", "voided", "expired", "error", "returned"]
    {
        let case = load(&[with_status("re_1", word)]);
        assert_eq!(
            said(&case, "order:1"),
            "confirmed* [1,1] of 1 USD 200.00: 0/0 USD 0.00, R27 MISSING violation S2, risk USD 200.00, CAME_BACK(1)",
            "{word}"
        );
        assert_eq!(totals(&case, &summary(&case).owed), "USD 200.00");
    }
}

#[test]
fn an_unknown_word_is_an_effect_with_a_finding() {
    let case = load(&[with_status("re_1", "settling")]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0, STATUS_WORD_UNKNOWN"
    );
    assert!(source(&case, "ledger").notes.iter().any(|n| n.starts_with("STATUS_WORD_UNKNOWN: 1 row")));
}

#[test]
fn three_tries_at_the_provider_are_one_effect() {
    let case = load(&[
        with_status("re_1", "failed"),
        with_status("re_2", "failed"),
        with_status("re_3", "succeeded"),
    ]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0"
    );
}

#[test]
fn one_paid_and_one_on_its_way_is_probably_double() {
    let trace = [
        call("refund:o1:r1").order("1").usd("200.00").told("timeout"),
        call("refund:o1:r1").order("1").usd("200.00").sent("09:01:00", "09:01:01"),
    ];
    let rows =
        [earlier(), with_status("re_1", "paid"), with_status("re_2", "pending").at("09:01:01"), later()];
    let case = pair(&trace, &rows).load();
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,2] of 1 USD 200.00: 1/1 USD 200.00, R16a SUSPECTED_DUPLICATE undecided S1, risk USD 200.00, ON_ITS_WAY(1)"
    );
}

/// A later row with the same reference says what became of it.
#[test]
fn a_row_on_its_way_and_its_effect_are_one_by_reference() {
    let pending = with_status("re_1", "pending").set("external_ref", "x1");
    let paid = with_status("re_2", "paid").set("external_ref", "x1").at("09:00:40");
    let case = load(&[pending.clone(), paid.clone()]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0"
    );
    // Only one of them carries the operation id.
    let case = load(&[pending.without(&["operation_id"]), paid]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0"
    );
}

#[test]
fn own_words_replace_their_group() {
    let words = StatusWords {
        effect: Some(vec!["booked".to_owned(), "offen".to_owned()]),
        on_its_way: None,
        not_effect: None,
    };
    let load = |word: &str| {
        pair(&trace(), &[earlier(), with_status("re_1", word), later()])
            .options("ledger", |o| o.status = words.clone())
            .load()
    };
    assert!(said(&load("offen"), "order:1").ends_with("R22 MATCHED clean S5, risk 0"));
    assert!(said(&load("succeeded"), "order:1").ends_with("STATUS_WORD_UNKNOWN"));
    assert!(said(&load("pending"), "order:1").ends_with("ON_ITS_WAY(1)"));
}

#[test]
fn outcome_words_have_their_classes() {
    let said_for = |word: &str| {
        let case =
            pair(&[call("refund:o1:r1").order("1").usd("200.00").told(word)], &[earlier(), later()]).load();
        said(&case, "order:1")
    };
    for (word, state, rule) in [
        ("ok", "confirmed*", "R27 MISSING"),
        ("completed", "confirmed*", "R27 MISSING"),
        ("response_received", "confirmed*", "R27 MISSING"),
        ("201", "confirmed*", "R27 MISSING"),
        ("rejected", "failed*", "R28 FAILED_CLEAN"),
        ("not_sent", "failed*", "R28 FAILED_CLEAN"),
        ("422", "failed*", "R28 FAILED_CLEAN"),
        ("already_refunded", "confirmed*", "R27 MISSING"),
        ("failed", "unknown*", "R30 ABSENT_COVERED"),
        ("pending", "unknown*", "R30 ABSENT_COVERED"),
        ("not_found", "unknown*", "R30 ABSENT_COVERED"),
        ("409", "unknown*", "R30 ABSENT_COVERED"),
        ("402", "unknown*", "R30 ABSENT_COVERED"),
        ("503", "unknown*", "R30 ABSENT_COVERED"),
        ("gone fishing", "unknown*", "R30 ABSENT_COVERED"),
    ] {
        let said = said_for(word);
        assert!(said.starts_with(state) && said.contains(rule), "{word}: {said}");
        assert_eq!(said.ends_with("OUTCOME_WORD_UNKNOWN"), word == "gone fishing", "{word}: {said}");
    }
    let silent = pair(&[call("refund:o1:r1").order("1").without(&["outcome"])], &[earlier(), later()]).load();
    assert!(said(&silent, "order:1").starts_with("unknown* [0,1]"), "{}", said(&silent, "order:1"));
}

#[test]
fn the_words_of_a_tool_come_first() {
    let load = |word: &str, error: Option<&str>| {
        let mut line = call("refund:o1:r1").order("1").usd("200.00").told(word);
        if let Some(error) = error {
            line = line.set("error_code", error);
        }
        pair(&[line], &[earlier(), later()])
            .tool("refund_order", |t| {
                t.did_not = vec!["parameter_invalid".to_owned(), "402".to_owned()];
                t.already_did = vec!["charge_gone".to_owned()];
                t.cannot_tell = vec!["rejected".to_owned()];
            })
            .load()
    };
    assert!(said(&load("402", None), "order:1").contains("R28 FAILED_CLEAN"));
    assert!(said(&load("failed", Some("parameter_invalid")), "order:1").contains("R28 FAILED_CLEAN"));
    assert!(said(&load("failed", Some("charge_gone")), "order:1").starts_with("confirmed*"));
    assert!(said(&load("rejected", None), "order:1").starts_with("unknown*"));
}
