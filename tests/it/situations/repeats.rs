//! The same id twice (`1-model.md` 1.4.3).

use crate::small::*;

fn first() -> Line {
    row("re_1", "refund:o1:r1").order("1").usd("200.00")
}

fn trace() -> Vec<Line> {
    vec![call("refund:o1:r1").order("1").usd("200.00")]
}

fn load(rows: &[Line]) -> recount::load::Case {
    pair(&trace(), &[&[earlier()][..], rows, &[later()][..]].concat()).load()
}

#[test]
fn equal_attempts_count_once() {
    let one = call("refund:o1:r1").set("attempt_id", "a1").order("1").usd("200.00");
    let ledger = [earlier(), first(), later()];
    let same_file = pair(&[one.clone(), one.clone()], &ledger).load();
    let two_files =
        small().trace("a", &[one.clone()]).trace("b", &[one.clone()]).ledger("ledger", &ledger).load();
    let one_source =
        small().trace("a", &[one.clone()]).trace("a", &[one.clone()]).ledger("ledger", &ledger).load();
    for case in [same_file, two_files, one_source] {
        assert_eq!(
            said(&case, "order:1"),
            "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0"
        );
        assert_eq!(summary(&case).attempts, 1);
        assert_eq!(problems(&case), Vec::<String>::new());
        assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
    }
}

#[test]
fn conflicting_attempts_keep_the_first_version() {
    let one = call("refund:o1:r1").set("attempt_id", "a1").order("1").usd("200.00");
    for (other, what) in [
        (one.clone().usd("20.00"), "amount"),
        (one.clone().told("timeout"), "outcome"),
        (one.clone().sent("09:00:00", "09:00:03"), "time"),
        (one.clone().set("tool", "refund_it"), "call"),
        (one.clone().set("operation_id", "refund:o1:r9"), "operation id"),
    ] {
        let case = pair(&[one.clone(), other], &[earlier(), first(), later()]).load();
        assert_eq!(summary(&case).intents, 1, "{what}");
        assert_eq!(
            said(&case, "order:1"),
            "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0"
        );
        assert_eq!(
            problems(&case),
            [format!(
                "ID_CONFLICT trace.jsonl line 2 the same attempt id as trace.jsonl line 1, with another {what}; the first is kept"
            )]
        );
        // A refused line is unreadable: the result cannot be clean.
        assert_eq!(result(&case), "INCONCLUSIVE 3");
        assert_eq!(summary(&case).unreadable_trace, 1);
    }
}

#[test]
fn a_number_of_tries_is_no_id() {
    let one = call("refund:o1:r1").order("1").usd("200.00").told("timeout").set("attempt", 1);
    let two = call("refund:o1:r1").order("1").usd("200.00").sent("09:01:00", "09:01:01").set("attempt", 1);
    let case = pair(&[one, two], &[earlier(), first(), later()]).load();
    assert!(said(&case, "order:1").starts_with("confirmed* [1,2]"), "{}", said(&case, "order:1"));
    assert_eq!(summary(&case).attempts, 2);
    // Without an id it is called by its place.
    assert_eq!(
        view(&case, "order:1").attempts.iter().map(|a| a.id.as_str()).collect::<Vec<_>>(),
        ["trace.jsonl:1", "trace.jsonl:2"]
    );
}

#[test]
fn several_rows_of_one_effect_are_its_states() {
    let state = |word: &str, time: &str| first().set("status", word).at(time);
    // The latest time decides, in whatever order the lines stand.
    for rows in [
        [state("pending", "09:00:01"), state("succeeded", "09:00:40")],
        [state("succeeded", "09:00:40"), state("pending", "09:00:01")],
    ] {
        let case = load(&rows);
        assert_eq!(
            said(&case, "order:1"),
            "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0"
        );
        assert_eq!(
            rows_line(&case),
            "read 4 = used 1 + outside 2 + unattributed 0 + set aside 1 + unreadable 0"
        );
    }
    let case = load(&[state("succeeded", "09:00:01"), state("returned", "09:00:40")]);
    assert!(
        said(&case, "order:1").contains("R27 MISSING violation S2, risk USD 200.00, CAME_BACK(1)"),
        "{}",
        said(&case, "order:1")
    );
    // Without times, the last line.
    let bare = |word: &str| first().set("status", word).without(&["committed_at"]);
    let case = load(&[bare("pending"), bare("paid")]);
    assert!(said(&case, "order:1").contains("1/1 USD 200.00, R22 MATCHED"), "{}", said(&case, "order:1"));
    let case = load(&[bare("paid"), bare("returned")]);
    assert!(said(&case, "order:1").contains("CAME_BACK(1)"), "{}", said(&case, "order:1"));
    // A later event may carry nothing but its state.
    let only_state = row("re_1", "").without(&["operation_id"]).set("status", "returned").at("09:00:40");
    let case = load(&[first().set("status", "paid"), only_state]);
    assert!(
        said(&case, "order:1").contains("R27 MISSING violation S2, risk USD 200.00, CAME_BACK(1)"),
        "{}",
        said(&case, "order:1")
    );
    assert_eq!(problems(&case), Vec::<String>::new());
}

fn rows_line(case: &recount::load::Case) -> String {
    rows(case, "ledger")
}

#[test]
fn rows_of_one_effect_that_differ_in_money_or_operation_conflict() {
    for (other, what) in [
        (first().usd("20.00"), "amount"),
        (first().set("currency", "EUR"), "unit"),
        (first().set("operation_id", "refund:o1:r2"), "operation id"),
    ] {
        let case = load(&[first(), other]);
        assert_eq!(
            said(&case, "order:1"),
            "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0",
            "{what}"
        );
        assert_eq!(
            problems(&case),
            [format!(
                "ID_CONFLICT ledger.jsonl line 3 the same effect id as ledger.jsonl line 2, with another {what}; the first is kept"
            )]
        );
        assert_eq!(result(&case), "INCONCLUSIVE 3");
    }
}

#[test]
fn rows_without_any_id_are_one_effect_each() {
    let bare = |time: &str| first().without(&["effect_id"]).at(time);
    let case = load(&[bare("09:00:01"), bare("09:00:02")]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 200.00: 2/2 USD 400.00, R05 DUPLICATED violation S1, risk USD 200.00, EXCESS_UNEXPLAINED(1), NO_EFFECT_ID"
    );
    // Equal lines may be one that was exported twice.
    let case = load(&[bare("09:00:01"), bare("09:00:01")]);
    assert_eq!(
        said(&case, "order:1"),
        "confirmed* [1,1] of 1 USD 200.00: 2/2 USD 400.00, R04a SUSPECTED_DUPLICATE undecided S1, risk USD 200.00, EXCESS_UNEXPLAINED(1), NO_EFFECT_ID"
    );
    // Three of which two are equal are too many even if those are one.
    let case = load(&[bare("09:00:01"), bare("09:00:01"), bare("09:00:02")]);
    assert!(said(&case, "order:1").contains("3/3 USD 600.00, R05 DUPLICATED"), "{}", said(&case, "order:1"));
}

#[test]
fn equal_lines_in_two_files_of_one_source_may_be_one() {
    let bare = first().without(&["effect_id"]);
    let case = small()
        .trace("trace", &trace())
        .ledger("ledger", &[earlier(), bare.clone()])
        .ledger("ledger", &[bare, later()])
        .load();
    assert!(
        said(&case, "order:1").contains("2/2 USD 400.00, R04a SUSPECTED_DUPLICATE"),
        "{}",
        said(&case, "order:1")
    );
}

#[test]
fn a_refused_line_founds_no_intent() {
    let one = call("refund:o1:r1").set("attempt_id", "a1").order("1").usd("200.00");
    let other = call("refund:o9:r9").set("attempt_id", "a1").order("9").usd("200.00");
    let stray = row("re_9", "refund:o9:r9").order("9").usd("200.00");
    let case = pair(&[one, other], &[earlier(), first(), stray, later()]).load();
    assert_eq!(summary(&case).intents, 1);
    assert_eq!(summary(&case).orphans, 1);
}

#[test]
fn a_merged_row_of_an_orphan_is_counted_once() {
    let stray = row("re_9", "refund:o9:r9").order("9").usd("20.00").at("09:00:30");
    let case = load(&[first(), stray.clone().set("status", "pending"), stray.set("status", "paid")]);
    let s = summary(&case);
    assert_eq!((s.orphans, totals(&case, &s.orphan_totals)), (1, "USD 20.00".to_owned()));
    assert_eq!(rows_line(&case), "read 5 = used 1 + outside 2 + unattributed 1 + set aside 1 + unreadable 0");
}
