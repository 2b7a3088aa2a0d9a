//! A ledger larger than the trace, beginning late, without an export time, beside tools that it does not record.

use serde_json::json;

use crate::small::*;

/// Order 1 refunded once, told so.
fn clean() -> Vec<Line> {
    vec![call("refund:o1:r1").order("1").usd("200.00")]
}

fn its_row() -> Line {
    row("re_1", "refund:o1:r1").order("1").usd("200.00")
}

#[test]
fn rows_of_others_change_neither_result_nor_order() {
    let mut ledger = vec![earlier(), its_row(), later()];
    for n in 0..200 {
        let time = format!("{:02}:{:02}:00", 5 + n % 12, n / 4);
        ledger.push(
            row(&format!("re_x{n}"), &format!("refund:x{n}:r")).order(&format!("x{n}")).usd("5.00").at(&time),
        );
    }
    // Two of them are one operation that happened twice, outside this trace.
    ledger.push(row("re_d1", "refund:d:1").order("d").usd("9.00").at("05:00:00"));
    ledger.push(row("re_d2", "refund:d:1").order("d").usd("9.00").at("05:00:10"));
    let case = pair(&clean(), &ledger).load();
    assert_eq!(
        said_of(&case, &only(&case)),
        "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0"
    );
    assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
    let s = summary(&case);
    // The window is 08:59:58 to 09:01:03; n = 4 is at 09:01:00 and n = 52 at 09:13.
    assert_eq!((s.orphans, s.outside), (1, Some(203)));
    assert_eq!(
        rows(&case, "ledger"),
        "read 205 = used 1 + outside 203 + unattributed 1 + set aside 0 + unreadable 0"
    );
    let orphans = case.orphans();
    assert_eq!(orphans.len(), 2);
    assert!(orphans[0].possible_double && !orphans[1].possible_double);
    assert_eq!((orphans[0].operation_id.as_str(), orphans[0].count), ("refund:d:1", 2));
    assert_eq!(orphans[1].effect_id, "re_x4");
}

#[test]
fn a_complete_trace_makes_unattributed_rows_violations() {
    let stray = row("re_9", "refund:o9:r9").order("9").usd("15.00").at("09:00:30");
    let ledger = [earlier(), its_row(), stray, later()];
    let case = pair(&clean(), &ledger).load();
    assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
    assert_eq!(summary(&case).orphans, 1);
    assert!(!case.orphans()[0].violation);
    for declare in [true, false] {
        let case = pair(&clean(), &ledger)
            .with(|s| s.trace_complete = declare)
            .options("trace", |o| {
                o.completeness = (!declare).then(|| "complete".to_owned());
            })
            .load();
        assert_eq!(result(&case), "VIOLATION FOUND 1");
        assert!(case.orphans()[0].violation);
        let said = said_of(&case, &only(&case));
        assert_eq!(said, "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0");
    }
}

#[test]
fn rows_of_an_order_are_unattributed_whatever_their_time() {
    let other_day = row("re_old", "refund:o1:r0").order("1").usd("3.00").at("2026-10-01T00:00:00Z");
    let case = pair(&clean(), &[other_day, its_row(), later()]).load();
    assert_eq!(summary(&case).orphans, 1);
    assert_eq!(result(&case), "NO VIOLATION OBSERVED 0");
}

#[test]
fn a_ledger_that_begins_after_the_calls_compares_nothing() {
    let trace = [
        call("refund:o1:r1").order("1").usd("200.00"),
        call("refund:o2:r2").order("2").usd("10.00"),
        call("refund:o3:r3").order("3").usd("30.00").sent("12:00:00", "12:00:01"),
        call("refund:o4:r4").order("4").usd("40.00").told("rejected"),
    ];
    let ledger = [
        row("re_0", "refund:x:x").order("x").usd("1.00").at("11:00:00"),
        row("re_3", "refund:o3:r3").order("3").usd("30.00").at("12:00:01"),
        later(),
    ];
    let case = pair(&trace, &ledger).load();
    for order in ["order:1", "order:2"] {
        let said = said(&case, order);
        assert!(said.contains("R01 SOURCE_NOT_READ undecided S3"), "{said}");
    }
    assert_eq!(
        said(&case, "order:3"),
        "confirmed* [1,1] of 1 USD 30.00: 1/1 USD 30.00, R22 MATCHED clean S5, risk 0"
    );
    // A refused call could not have acted, so nothing is missing from the time before the first row.
    assert!(said(&case, "order:4").contains("R28 FAILED_CLEAN clean"), "{}", said(&case, "order:4"));
    assert_eq!(result(&case), "INCONCLUSIVE 3");
    let s = summary(&case);
    assert_eq!(
        s.not_compared,
        [(
            "older_than_ledger",
            2,
            "2 intents are not compared: older than the ledger's first row 11:00:00".to_owned()
        )]
    );
    // One row of the list stands for both; then two clean ones, a row without an attempt, and what lies outside.
    assert_eq!(case.rows(), 1 + 2 + 2);
    let first = case.row(0);
    assert_eq!(
        (first.operation.as_str(), first.reason.as_str()),
        ("2 requests", "older than the first row, 11:00:00")
    );
}

#[test]
fn a_declared_begin_moves_the_border() {
    let late = row("re_0", "refund:x:x").order("x").usd("1.00").at("11:00:00");
    let load = |from: &str| {
        pair(&clean(), &[late.clone(), later()])
            .options("ledger", |o| o.covers_from = Some(from.to_owned()))
            .load()
    };
    let case = load("start");
    assert!(
        said(&case, "order:1").contains("R27 MISSING violation S2, risk USD 200.00"),
        "{}",
        said(&case, "order:1")
    );
    // First send 09:00:00, both skews 3 s: 08:59:57 is not early enough, a microsecond before is.
    assert!(said(&load("2026-11-30T08:59:57Z"), "order:1").contains("R01"));
    assert!(said(&load("2026-11-30T08:59:56.999999Z"), "order:1").contains("R27"));
    // --since sets the begin as well.
    let case = pair(&clean(), &[earlier(), late.clone(), later()])
        .options("ledger", |o| o.since = Some("2026-11-30T10:00:00Z".to_owned()))
        .load();
    assert!(said(&case, "order:1").contains("R01"), "{}", said(&case, "order:1"));
    assert_eq!(
        rows(&case, "ledger"),
        "read 3 = used 0 + outside 2 + unattributed 0 + set aside 1 + unreadable 0"
    );
}

#[test]
fn without_an_export_time_the_newest_row_stands_for_it() {
    // The call could land until 09:01:01, both skews 3 s.
    let newest = |time: &str| row("re_n", "refund:x:x").order("x").usd("1.00").at(time);
    let load = |time: &str| pair(&clean(), &[earlier(), newest(time)]).load();
    assert!(said(&load("09:01:04"), "order:1").contains("R25 UNVERIFIED_SUCCESS undecided S4"));
    let case = load("09:01:04.000001");
    assert!(said(&case, "order:1").contains("R27 MISSING violation S2"), "{}", said(&case, "order:1"));
    let source = source(&case, "ledger");
    assert!(source.read_at_is_newest);
    assert_eq!(source.read_at, source.newest);
    // A quiet ledger that was exported late enough is still not covering.
    let case = pair(&clean(), &[earlier(), newest("09:00:30")])
        .options("ledger", |o| {
            o.exported_at = Some("2026-11-30T12:00:00Z".to_owned());
        })
        .load();
    assert!(said(&case, "order:1").contains("R25"), "{}", said(&case, "order:1"));
    let view = only(&case);
    assert_eq!(view.uncovered.len(), 1);
    // And one that was exported too early is not, whatever its newest row says.
    let case = pair(&clean(), &[earlier(), newest("12:00:00")])
        .options("ledger", |o| {
            o.exported_at = Some("2026-11-30T09:01:04Z".to_owned());
        })
        .load();
    assert!(said(&case, "order:1").contains("R25"), "{}", said(&case, "order:1"));
}

#[test]
fn a_row_from_the_future_proves_nothing() {
    let ahead = row("re_n", "refund:x:x").order("x").usd("1.00").at("2026-12-24T00:00:00Z");
    let case = pair(&clean(), &[earlier(), ahead]).load();
    assert!(said(&case, "order:1").contains("R25"), "{}", said(&case, "order:1"));
}

#[test]
fn until_is_never_later_than_the_read() {
    let case = pair(&clean(), &[earlier(), later()])
        .options("ledger", |o| {
            o.until = Some("2026-11-30T09:00:30Z".to_owned());
            o.exported_at = Some("2026-11-30T17:30:00Z".to_owned());
        })
        .load();
    assert!(said(&case, "order:1").contains("R25"), "{}", said(&case, "order:1"));
    assert_eq!(
        rows(&case, "ledger"),
        "read 2 = used 0 + outside 1 + unattributed 0 + set aside 1 + unreadable 0"
    );
}

#[test]
fn final_by_declaration_takes_the_times_as_met() {
    let bare = [call("refund:o1:r1").order("1").usd("200.00").without(&["sent_at", "ended_at"])];
    let other = row("re_n", "refund:x:x").order("x").usd("1.00").without(&["committed_at"]);
    let case = pair(&bare, &[other.clone()]).load();
    assert!(said(&case, "order:1").contains("R25"), "{}", said(&case, "order:1"));
    for in_case in [true, false] {
        let case = pair(&bare, &[other.clone()])
            .with(|s| s.ledger_final = in_case)
            .options("ledger", |o| o.final_ = !in_case)
            .load();
        assert!(said(&case, "order:1").contains("R27 MISSING"), "{}", said(&case, "order:1"));
        assert!(summary(&case).final_by_declaration);
    }
    // What is on its way still blocks.
    let pending = row("re_1", "refund:o1:r1").order("1").usd("200.00").set("status", "pending");
    let case = pair(&bare, &[pending]).with(|s| s.ledger_final = true).load();
    assert!(
        said(&case, "order:1").contains("R25 UNVERIFIED_SUCCESS undecided"),
        "{}",
        said(&case, "order:1")
    );
}

#[test]
fn a_tool_that_no_ledger_records_is_not_compared() {
    let mut trace = clean();
    for n in 0..3 {
        trace.push(call(&format!("mail:{n}")).set("tool", "send_email").without(&["order_id"]));
    }
    trace.push(call("note:1").set("tool", "add_note"));
    let ledger = [earlier(), its_row(), later()];
    let case = pair(&trace, &ledger).load();
    assert_eq!(said(&case, "mail:1"), "confirmed* [1,1] of 1: 0/0, R01 SOURCE_NOT_READ undecided S3, risk -");
    assert!(said(&case, "order:1").contains("R22 MATCHED clean"));
    let mut reasons = summary(&case).not_compared;
    reasons.sort();
    assert_eq!(
        reasons,
        [
            ("no_ledger_for_tool", 1, "1 intent is not compared: no ledger here records add_note".to_owned()),
            (
                "no_ledger_for_tool",
                3,
                "3 intents are not compared: no ledger here records send_email".to_owned()
            ),
        ]
    );
    assert_eq!(source(&case, "ledger").tools, ["refund_order"]);
    // Where no tool links, each ledger may record all of them, but this one names refunds only (C9).
    let case = pair(&trace, &[earlier(), later()]).load();
    assert!(said(&case, "mail:1").contains("R25 UNVERIFIED_SUCCESS"), "{}", said(&case, "mail:1"));
    assert_eq!(view(&case, "mail:1").uncovered.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["C9"]);
    // A declaration wins over what links.
    let case = pair(&trace, &ledger).tool("send_email", |t| t.ledger = Some("ledger".to_owned())).load();
    assert!(said(&case, "mail:1").contains("R27 MISSING"), "{}", said(&case, "mail:1"));
}

#[test]
fn a_tool_whose_ledger_is_declared_elsewhere_is_not_compared() {
    let case = pair(&clean(), &[earlier(), later()])
        .tool("refund_order", |t| t.ledger = Some("another".to_owned()))
        .load();
    assert!(said(&case, "order:1").contains("R01 SOURCE_NOT_READ"), "{}", said(&case, "order:1"));
}

#[test]
fn what_a_ledger_holds_decides_about_absence() {
    let holds = |kind: &str| {
        pair(&clean(), &[earlier(), later()]).options("ledger", |o| o.holds = vec![kind.to_owned()]).load()
    };
    assert!(said(&holds("refund"), "order:1").contains("R27 MISSING"));
    let case = holds("payout");
    let view = only(&case);
    assert!(said_of(&case, &view).contains("R25 UNVERIFIED_SUCCESS undecided"), "{}", said_of(&case, &view));
    assert_eq!(view.uncovered.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["C9"]);
    // Without a declaration: it names only another kind.
    let only_payouts = |line: Line| line.set("kind", "payout").without(&["operation_id"]);
    let case = pair(&clean(), &[only_payouts(earlier()), only_payouts(later())]).load();
    assert!(said(&case, "order:1").contains("R25"), "{}", said(&case, "order:1"));
    // Rows that are there count whatever it is said to hold.
    let case = pair(&clean(), &[earlier(), its_row(), later()])
        .options("ledger", |o| o.holds = vec!["payout".to_owned()])
        .load();
    assert!(said(&case, "order:1").contains("R22 MATCHED clean"), "{}", said(&case, "order:1"));
}

#[test]
fn a_trace_alone_and_a_ledger_alone_are_inconclusive() {
    let case = small().trace("trace", &clean()).load();
    assert_eq!(result(&case), "INCONCLUSIVE 3");
    assert!(said(&case, "order:1").contains("R01 SOURCE_NOT_READ"));
    assert_eq!(
        summary(&case).not_compared,
        [("ledger_not_read", 1, "1 intent is not compared: no ledger was given".to_owned())]
    );
    let case = small()
        .ledger("ledger", &[its_row(), row("re_2", "refund:o1:r1").order("1").usd("200.00").at("09:00:02")])
        .load();
    assert_eq!(result(&case), "INCONCLUSIVE 3");
    assert_eq!((summary(&case).intents, case.orphans().len()), (0, 1));
    assert!(case.orphans()[0].possible_double);
}

#[test]
fn read_tools_by_name_found_no_intent() {
    let trace = [
        call("refund:o1:r1").order("1").usd("200.00"),
        call("refund:o1:r1").order("1").set("tool", "get_order"),
        call("look:1").set("tool", "mcp__shop__list_refunds"),
        call("look:2").set("tool", "GET /refunds/1"),
        call("made:1").set("tool", "get_or_create_customer"),
    ];
    let case = pair(&trace, &[earlier(), its_row(), later()]).load();
    assert_eq!(summary(&case).intents, 2);
    assert_eq!(summary(&case).attempts, 2);
    let view = view(&case, "order:1");
    assert_eq!(view.attempts.iter().map(|a| (a.number, a.read)).collect::<Vec<_>>(), [(1, false), (1, true)]);
    assert!(said(&case, "made:1").contains("R01"), "{}", said(&case, "made:1"));
    // A declaration wins over the name.
    let case = pair(&trace, &[earlier(), its_row(), later()])
        .tool("get_or_create_customer", |t| t.role = Some("read".to_owned()))
        .load();
    assert_eq!(summary(&case).intents, 1);
}

#[test]
fn a_complete_intent_log_finds_calls_without_a_record() {
    let recorded = event(
        "intent_recorded",
        json!({"intent_id":"int_1","operation_id":"refund:o1:r1","kind":"refund","amount":"200.00","currency":"USD","ts":full("08:59:59")}),
    );
    let attempt = |op: &str, id: &str| {
        event(
            "attempt",
            json!({"attempt_id":id,"operation_id":op,"tool":"refund_order","sent_at":full("09:00:00"),"ended_at":full("09:00:01"),"outcome":"success"}),
        )
    };
    let trace = [recorded, attempt("refund:o1:r1", "a1"), attempt("refund:o2:r2", "a2")];
    let ledger = [earlier(), its_row(), row("re_2", "refund:o2:r2").order("2").usd("7.00"), later()];
    let case = pair(&trace, &ledger).load();
    assert!(said(&case, "refund:o2:r2").contains("R22 MATCHED clean"));
    let case = pair(&trace, &ledger).options("trace", |o| o.intents_complete = true).load();
    assert!(said(&case, "int_1").contains("R22 MATCHED clean"), "{}", said(&case, "int_1"));
    assert_eq!(
        said(&case, "refund:o2:r2"),
        "none [1,1] of 1: 1/1 USD 7.00, R19 UNRECORDED undecided S3, risk USD 7.00"
    );
}

/// `7-commands.md` 7.5.5: what a ledger that cannot be opened would hold is not compared, the rest decides, and nothing
/// is clean.
#[test]
fn a_ledger_that_cannot_be_read_leaves_its_intents_out() {
    let mut mail = call("mail:o1:m1").order("1");
    mail = mail.set("tool", "send_email");
    let second = call("refund:o2:r1").order("2").usd("5.00");
    let trace = [clean().remove(0), mail, second];
    let with_mails = |rows: &[Line], gone: &str| {
        let case = pair(&trace, rows).with(|s| {
            let path = std::path::PathBuf::from("no-such-folder").join(gone);
            s.sources.push(crate::world::file(recount::sources::spec::What::Ledger, gone, &path));
        });
        case.load()
    };
    let verdicts = |case: &recount::load::Case| -> Vec<(String, String)> {
        let views = case.ordered().into_iter().filter_map(|op| case.view(op));
        let mut all: Vec<_> =
            views.map(|v| (v.operation_id.clone(), v.judgement.verdict().to_owned())).collect();
        all.sort();
        all
    };
    let case = with_mails(&[earlier(), its_row(), later()], "mails.csv");
    let said = verdicts(&case);
    assert_eq!(said[0], ("mail:o1:m1".to_owned(), "SOURCE_NOT_READ".to_owned()));
    assert_eq!(said[1], ("refund:o1:r1".to_owned(), "MATCHED".to_owned()));
    assert_eq!(said[2], ("refund:o2:r1".to_owned(), "MISSING".to_owned()));
    let why = summary(&case).not_compared.remove(0);
    assert_eq!(why.0, "ledger_not_read");
    assert_eq!(why.2, "1 intent is not compared: the ledger no-such-folder/mails.csv was not read");
    // All that it could hold was found elsewhere: it still was not read.
    let both = [earlier(), its_row(), row("re_2", "refund:o2:r1").order("2").usd("5.00"), later()];
    let case = pair(&[clean().remove(0)], &both).with(|s| {
        let path = std::path::PathBuf::from("no-such-folder/books.csv");
        s.sources.push(crate::world::file(recount::sources::spec::What::Ledger, "books", &path));
    });
    assert_eq!(result(&case.load()), "INCONCLUSIVE 3");
}
