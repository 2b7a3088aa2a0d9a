//! A trace of which only a window was asked for (`--since`, `--until`): what lies outside founds no intent, and its rows
//! are not without an attempt.

use crate::small::*;
use recount::load::Case;

fn cut(calls: &[Line], rows: &[Line]) -> Case {
    pair(calls, rows)
        .options("trace", |o| {
            o.since = Some(full("11:00:00"));
            o.until = Some(full("14:00:00"));
        })
        .load()
}

fn around(rows: &[Line]) -> Vec<Line> {
    [&[earlier()][..], rows, &[later()][..]].concat()
}

fn counts(case: &Case) -> (u64, u64, Option<u64>) {
    let s = summary(case);
    (s.intents, s.orphans, s.outside)
}

#[test]
fn a_row_of_a_call_outside_is_no_orphan() {
    let inside = call("refund:o1:r2").order("1").usd("2.00").sent("12:00:00", "12:00:01");
    let mine = row("re_2", "refund:o1:r2").order("1").usd("2.00").at("12:00:01");
    // Sent a second before the window; its row lies in the window, and is of an order that has an intent.
    let before = call("refund:o1:r1").order("1").usd("1.00").sent("10:59:59", "11:00:02");
    let its = row("re_1", "refund:o1:r1").order("1").usd("1.00").at("11:00:01");
    let case = cut(&[before.clone(), inside.clone()], &around(&[its.clone(), mine.clone()]));
    assert_eq!(counts(&case), (1, 0, Some(3)));
    assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
    // Without the operation id: by key, by receipt, by order and time.
    let bare = |call: &Line| call.clone().without(&["operation_id"]);
    for (call, row) in [
        (bare(&before).set("idempotency_key", "k1"), bare(&its).set("idempotency_key", "k1")),
        (bare(&before).receipt("re_1"), bare(&its).without(&["order_id"])),
        (bare(&before), bare(&its)),
    ] {
        let case = cut(&[call, inside.clone()], &around(&[row, mine.clone()]));
        assert_eq!(counts(&case), (1, 0, Some(3)));
        assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
    }
    // Declared complete it is no violation either.
    let case = pair(&[before, inside.clone()], &around(&[its, mine.clone()]))
        .options("trace", |o| {
            o.since = Some(full("11:00:00"));
            o.completeness = Some("complete".to_owned());
        })
        .load();
    assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
    // A row of nobody in the window is one.
    let nobody = row("re_9", "refund:o9:r9").order("9").usd("9.00").at("12:30:00");
    let case = cut(&[inside], &around(&[nobody, mine]));
    assert_eq!(counts(&case), (1, 0, Some(3)));
}

#[test]
fn a_row_in_the_window_that_nobody_tried_is_an_orphan() {
    let first = call("refund:o1:r2").usd("2.00").sent("11:30:00", "11:30:01");
    let last = call("refund:o1:r3").usd("3.00").sent("13:00:00", "13:00:01");
    let rows = [
        row("re_2", "refund:o1:r2").usd("2.00").at("11:30:01"),
        row("re_9", "refund:o9:r9").order("9").usd("9.00").at("12:30:00"),
        row("re_3", "refund:o1:r3").usd("3.00").at("13:00:01"),
    ];
    assert_eq!(counts(&cut(&[first, last], &around(&rows))), (2, 1, Some(2)));
}

#[test]
fn rows_of_an_order_from_before_the_window_are_outside() {
    let inside = call("refund:o1:r2").order("1").usd("2.00").sent("12:00:00", "12:00:01");
    let rows = [
        row("re_1", "refund:o1:r1").order("1").usd("1.00").at("09:30:00"),
        row("re_2", "refund:o1:r2").order("1").usd("2.00").at("12:00:01"),
        row("re_3", "refund:o1:r3").order("1").usd("3.00").at("16:00:00"),
    ];
    // Who tried them is not loaded, because it was not asked for.
    assert_eq!(counts(&cut(&[inside.clone()], &around(&rows))), (1, 0, Some(4)));
    assert_eq!(counts(&pair(&[inside], &around(&rows)).load()), (1, 2, Some(2)));
}

/// An operation with calls on both sides of the border is judged whole.
#[test]
fn an_operation_across_the_border_keeps_its_calls() {
    for (first, second, in_window) in
        [("10:59:50", "11:00:10", true), ("13:59:50", "14:00:10", true), ("10:00:00", "10:00:10", false)]
    {
        let calls = [
            call("refund:o1:r1").usd("1.00").sent(first, first).told("timeout"),
            call("refund:o1:r1").usd("1.00").sent(second, second).receipt("re_2"),
            call("refund:o2:r2").usd("2.00").sent("12:00:00", "12:00:01"),
        ];
        let rows = [
            row("re_1", "refund:o1:r1").usd("1.00").at(first),
            row("re_2", "refund:o1:r1").usd("1.00").at(second),
            row("re_3", "refund:o2:r2").usd("2.00").at("12:00:01"),
        ];
        let case = cut(&calls, &around(&rows));
        if in_window {
            assert_eq!(
                said(&case, "refund:o1:r1"),
                "confirmed* [1,2] of 1 USD 1.00: 2/2 USD 2.00, R05 DUPLICATED violation S1, risk USD 1.00"
            );
            assert_eq!(summary(&case).attempts, 3);
        } else {
            assert_eq!(counts(&case), (1, 0, Some(4)));
            assert_eq!(
                source(&case, "trace").rows.set_aside,
                [("outside --since and --until".to_owned(), 2)]
            );
            assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
        }
    }
}

/// What a window leaves of the ledger never makes a proven double clean: rows of an operation that is judged whole count
/// wherever they lie, by operation id, key or receipt.
#[test]
fn rows_outside_of_an_operation_inside_count() {
    let one = |time: &str, receipt: &str| {
        call("refund:o1:r1").usd("1.00").sent(time, time).receipt(receipt).set("idempotency_key", "k1")
    };
    let calls = [one("08:00:00", "re_1"), one("10:00:10", "re_2")];
    let first = row("re_1", "refund:o1:r1").usd("1.00").at("08:00:00");
    let second = row("re_2", "refund:o1:r1").usd("1.00").at("10:00:10");
    let other = row("re_9", "refund:o9:r9").usd("1.00").at("09:00:00");
    let bare = |row: &Line| row.clone().without(&["operation_id"]);
    let keyed = |row: &Line| bare(row).set("idempotency_key", "k1");
    for rows in [
        [first.clone(), other.clone(), second.clone()],
        [bare(&first), other.clone(), bare(&second)],
        [keyed(&first), other.clone(), keyed(&second)],
    ] {
        for (since, until) in [(None, None), (None, Some("09:30:00")), (Some("09:30:00"), None)] {
            let case = pair(&calls, &rows)
                .options("trace", |o| (o.since, o.until) = (since.map(full), until.map(full)))
                .options("ledger", |o| (o.since, o.until) = (since.map(full), until.map(full)))
                .load();
            assert_eq!(view(&case, "refund:o1:r1").judgement.verdict(), "DUPLICATED", "{since:?} {until:?}");
            assert_eq!(result(&case), "VIOLATION FOUND 1");
        }
    }
}

/// A window without any call, or a trace of which no line can be read: nothing was evaluated.
#[test]
fn nothing_evaluated_is_an_input_error() {
    let calls = [call("refund:o1:r1").usd("1.00")];
    let rows = [row("re_1", "refund:o1:r1").usd("1.00")];
    let late = pair(&calls, &around(&rows))
        .options("trace", |o| o.since = Some("2026-12-01T00:00:00Z".to_owned()))
        .load();
    assert_eq!(result(&late), "INPUT ERROR 4");
    // A ledger alone is allowed.
    assert_eq!(result(&small().ledger("ledger", &around(&rows)).load()), "INCONCLUSIVE 3");
}
