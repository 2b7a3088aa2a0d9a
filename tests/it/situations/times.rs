//! Times (`1-model.md` 1.3): the fixed clock and its edges, zones, since and until, deadlines.

use serde_json::json;

use crate::small::*;

fn trace() -> Vec<Line> {
    vec![call("refund:o1:r1").order("1").usd("200.00")]
}

fn its_row() -> Line {
    row("re_1", "refund:o1:r1").order("1").usd("200.00")
}

/// E27, E28: a call in flight until its timeout, to the microsecond.
#[test]
fn a_call_is_open_until_its_timeout_has_passed() {
    let open = [call("refund:o1:r1")
        .order("1")
        .usd("200.00")
        .set("sent_at", "2026-11-30T09:00:00.000000Z")
        .without(&["ended_at", "outcome"])];
    let at = |now: &str| {
        let case = pair(&open, &[earlier(), later()]).now(now).load();
        said(&case, "order:1")
    };
    assert!(
        at("09:00:03").starts_with("submitted* [0,1] of 1 USD 200.00: 0/0 USD 0.00, R20 IN_FLIGHT open S5"),
        "{}",
        at("09:00:03")
    );
    assert!(at("09:00:30").contains("R20 IN_FLIGHT"), "{}", at("09:00:30"));
    assert!(at("09:00:30.000001").starts_with("unknown* [0,1]"), "{}", at("09:00:30.000001"));
    // The tool's own timeout.
    let case = pair(&open, &[earlier(), later()])
        .tool("refund_order", |t| t.timeout = Some(2_000_000))
        .now("09:00:02.000001")
        .load();
    assert!(said(&case, "order:1").starts_with("unknown*"), "{}", said(&case, "order:1"));
}

#[test]
fn a_deadline_is_strict() {
    let recorded = event(
        "intent_recorded",
        json!({"intent_id":"int_1","operation_id":"refund:o1:r1","amount":"200.00","currency":"USD","ts":full("08:59:00")}),
    );
    let state = event(
        "state_changed",
        json!({"intent_id":"int_1","from":"submitted","to":"unknown","deadline":full("12:00:00"),"ts":full("09:01:00")}),
    );
    let attempt = event(
        "attempt",
        json!({"attempt_id":"a1","intent_id":"int_1","tool":"refund_order","sent_at":full("09:00:00"),"ended_at":full("09:00:30"),"outcome":"timeout"}),
    );
    let at = |now: &str| {
        let case = pair(
            &[recorded.clone(), attempt.clone(), state.clone()],
            &[earlier(), row("x", "refund:x:x").usd("1.00").at("08:00:00")],
        )
        .now(now)
        .load();
        view(&case, "int_1").judgement.overdue
    };
    assert!(!at("12:00:00"));
    assert!(at("12:00:00.000001"));
}

#[test]
fn coverage_begins_a_microsecond_after_both_clocks() {
    let lost = [call("refund:o1:r1").order("1").usd("200.00").told("timeout")];
    let load = |newest: &str, client: Option<i64>, ledger: Option<i64>| {
        let case = pair(&lost, &[earlier(), row("x", "refund:x:x").usd("1.00").at(newest)])
            .with(|s| s.client_skew_ms = client)
            .options("ledger", |o| o.skew_ms = ledger)
            .load();
        said(&case, "order:1")
    };
    for (newest, client, ledger, covered) in [
        ("09:01:04", None, None, false),
        ("09:01:04.000001", None, None, true),
        ("09:01:01", Some(0), Some(0), false),
        ("09:01:01.000001", Some(0), Some(0), true),
        ("09:01:11", Some(5_000), Some(5_000), false),
        ("09:01:11.000001", Some(5_000), Some(5_000), true),
    ] {
        let said = load(newest, client, ledger);
        assert_eq!(said.contains("R30 ABSENT_COVERED"), covered, "{newest}: {said}");
    }
    // The tool's own settle.
    let case = pair(&lost, &[earlier(), row("x", "refund:x:x").usd("1.00").at("09:00:05")])
        .tool("refund_order", |t| t.settle = Some(0))
        .load();
    assert!(said(&case, "order:1").contains("R30"), "{}", said(&case, "order:1"));
}

#[test]
fn a_time_without_a_zone_is_wide_and_proves_little() {
    let local = |line: Line, time: &str| line.set("committed_at", format!("2026-11-30 {time}"));
    let lost = [call("refund:o1:r1").order("1").usd("200.00").told("timeout")];
    let load = |zone: Option<&str>| {
        pair(&lost, &[local(earlier(), "06:00:00"), local(later(), "17:00:00")])
            .options("ledger", |o| o.zone = zone.map(str::to_owned))
            .load()
    };
    // 17:00:00 somewhere is no earlier than 03:00:00Z.
    let case = load(None);
    assert!(said(&case, "order:1").contains("R31 UNRESOLVED_UNKNOWN"), "{}", said(&case, "order:1"));
    assert!(
        source(&case, "ledger").notes.iter().any(|n| n.starts_with("2 times without a zone")),
        "{:?}",
        source(&case, "ledger").notes
    );
    assert!(said(&load(Some("UTC")), "order:1").contains("R30 ABSENT_COVERED"));
    // 17:00 in Berlin is 16:00Z; 06:00 is 05:00Z.
    assert!(said(&load(Some("Europe/Berlin")), "order:1").contains("R30 ABSENT_COVERED"));
    // 06:00 at +02:00 is 04:00Z; 17:00 at -09:00 is past midnight and in the future.
    assert!(said(&load(Some("+02:00")), "order:1").contains("R30"));
    assert!(
        said(&load(Some("-09:00")), "order:1").contains("undecided"),
        "{}",
        said(&load(Some("-09:00")), "order:1")
    );
}

#[test]
fn a_row_without_a_time_counts_and_proves_nothing() {
    for time in [json!("yesterday"), json!(null), json!("")] {
        let case = pair(&trace(), &[earlier(), its_row().set("committed_at", time.clone()), later()]).load();
        let said = said(&case, "order:1");
        assert!(
            said.starts_with(
                "confirmed* [1,1] of 1 USD 200.00: 1/1 USD 200.00, R22 MATCHED clean S5, risk 0"
            ),
            "{said}"
        );
        assert!(said.ends_with("TIME_UNREADABLE"), "{time}: {said}");
    }
    let case = pair(&trace(), &[earlier(), its_row().set("committed_at", "yesterday"), later()]).load();
    assert!(source(&case, "ledger").notes.iter().any(|n| n.starts_with("TIME_UNREADABLE: 1 time")));
}

#[test]
fn epochs_and_database_texts_are_read() {
    // 2026-11-30T09:00:01Z in seconds, milli-, micro- and nanoseconds.
    for time in [
        json!(1_796_029_201),
        json!("1796029201"),
        json!(1_796_029_201_000_i64),
        json!(1_796_029_201_000_000_i64),
        json!(1_796_029_201_000_000_000_i64),
        json!("2026-11-30 09:00:01+00"),
        json!("2026-11-30 10:00:01.000+01:00"),
        json!("2026-11-30T09:00:01Z"),
    ] {
        let case = pair(&trace(), &[earlier(), its_row().set("committed_at", time.clone()), later()]).load();
        let at = view(&case, "order:1").effects[0].committed.at.0;
        assert_eq!(at, 1_796_029_201_000_000, "{time}");
    }
}

#[test]
fn since_and_until_cut_both_sides() {
    let calls = [
        call("refund:o1:r1").order("1").usd("1.00"),
        call("refund:o2:r2").order("2").usd("2.00").sent("12:00:00", "12:00:01"),
        call("refund:o3:r3").order("3").usd("3.00").sent("15:00:00", "15:00:01"),
    ];
    let rows = [
        earlier(),
        row("re_1", "refund:o1:r1").usd("1.00"),
        row("re_2", "refund:o2:r2").usd("2.00").at("12:00:01"),
        row("re_3", "refund:o3:r3").usd("3.00").at("15:00:01"),
        later(),
    ];
    let cut = |o: &mut recount::sources::spec::Options| {
        o.since = Some(full("11:00:00"));
        o.until = Some(full("14:00:00"));
    };
    let case = pair(&calls, &rows).options("trace", cut).options("ledger", cut).load();
    assert_eq!(summary(&case).intents, 1);
    assert_eq!(summary(&case).attempts, 1);
    assert_eq!(
        rows_of(&case, "ledger"),
        "read 5 = used 1 + outside 0 + unattributed 0 + set aside 4 + unreadable 0"
    );
    let trace = source(&case, "trace").rows;
    assert_eq!((trace.read, trace.used), (3, 1));
    assert_eq!(trace.set_aside, [("outside --since and --until".to_owned(), 2)]);
    // Only the ledger is cut: calls before it are older than the ledger, calls after it were not reached.
    let case = pair(&calls, &rows).options("ledger", cut).load();
    assert!(said(&case, "order:1").contains("R01 SOURCE_NOT_READ"), "{}", said(&case, "order:1"));
    assert!(said(&case, "order:2").contains("R22 MATCHED clean"), "{}", said(&case, "order:2"));
    assert!(said(&case, "order:3").contains("R25 UNVERIFIED_SUCCESS"), "{}", said(&case, "order:3"));
    // Only the trace is cut: rows of other calls are without an attempt, outside its window.
    let case = pair(&calls, &rows).options("trace", cut).load();
    assert_eq!(summary(&case).intents, 1);
    assert_eq!((summary(&case).orphans, summary(&case).outside), (0, Some(4)));
}

fn rows_of(case: &recount::load::Case, id: &str) -> String {
    rows(case, id)
}

#[test]
fn a_window_cut_goes_by_the_sending_of_a_call() {
    let start = |id: &str, op: &str, time: &str| {
        event(
            "attempt_started",
            json!({"attempt_id":id,"operation_id":op,"tool":"refund_order","ts":full(time)}),
        )
    };
    let finish = |id: &str, time: &str| {
        event("attempt_finished", json!({"attempt_id":id,"outcome":"success","ts":full(time)}))
    };
    let calls = [
        start("a1", "refund:o1:r1", "10:59:59"),
        finish("a1", "11:00:01"),
        start("a2", "refund:o2:r2", "12:00:00"),
        finish("a2", "12:00:01"),
    ];
    let case =
        pair(&calls, &[earlier(), later()]).options("trace", |o| o.since = Some(full("11:00:00"))).load();
    // Sent before the window: the end alone founds nothing.
    assert_eq!(summary(&case).intents, 1);
    assert_eq!(summary(&case).attempts, 1);
}

#[test]
fn a_declared_window_of_a_trace_is_its_scope() {
    let stray = |time: &str| row("re_9", "refund:o9:r9").order("9").usd("1.00").at(time);
    let load = |time: &str| {
        pair(&trace(), &[earlier(), its_row(), stray(time), later()])
            .options("trace", |o| {
                o.from = Some(full("08:00:00"));
                o.to = Some(full("10:00:00"));
            })
            .load()
    };
    for (time, inside) in
        [("07:59:55", false), ("07:59:56", true), ("09:30:00", true), ("10:01:02", true), ("10:01:04", false)]
    {
        assert_eq!(summary(&load(time)).orphans, u64::from(inside), "{time}");
    }
}

#[test]
fn a_clock_that_is_not_fixed_is_now() {
    let case = pair(&trace(), &[earlier(), its_row(), later()]).with(|s| s.now = None).load();
    assert!(case.setting.now.0 > 1_700_000_000_000_000);
    let words = pair(&trace(), &[earlier()]).with(|s| s.now = Some("tomorrow".to_owned())).refused();
    assert_eq!(words, "the time `tomorrow` cannot be read; write it like 2026-11-30T09:14:07Z");
}
