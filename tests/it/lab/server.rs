//! The tool server as any client meets it, its faults, and what is true after it was killed.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Raw, call, hello, rows, run, text};

fn refund(amount: &str) -> serde_json::Value {
    serde_json::from_str(&format!("{{\"order_id\":\"1234\",\"amount\":{amount}}}")).unwrap()
}

#[test]
fn it_lists_and_does_and_the_rows_are_there_for_anybody() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.db");
    let mut raw = Raw::begun(&["lab", "serve", "--db", text(&store)]);
    let tools = raw.ask("tools/list", &json!({})).unwrap();
    let tools = tools["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["get_order", "refund_order"]);
    // The operation id is in no schema: the dispatcher passes it.
    for tool in tools {
        assert!(!tool["inputSchema"].to_string().contains("operation"), "{tool}");
    }
    let (order, _) = raw.call("get_order", &json!({"order_id": "1234"}), None).unwrap();
    assert_eq!(
        order,
        json!({"currency": "USD", "order_id": "1234", "refunded_minor": 0, "refunds": 0, "total_minor": 50000})
    );
    let (done, error) = raw.call("refund_order", &refund("200.10"), Some("op_1")).unwrap();
    assert!(!error && done["committed"] == true, "{done}");
    let id = done["refund_id"].as_str().unwrap().to_owned();
    assert_eq!(rows(&store), [(id, 20_010, Some("op_1".to_owned()))]);
    let (order, _) = raw.call("get_order", &json!({"order_id": "1234"}), None).unwrap();
    assert_eq!((&order["refunded_minor"], &order["refunds"]), (&json!(20_010), &json!(1)));
    assert_eq!(raw.end(), 0);
}

#[test]
fn what_cannot_be_done_is_refused_in_words_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.db");
    let mut raw = Raw::begun(&["lab", "serve", "--db", text(&store), "--server", "idempotent"]);
    let order = json!({"order_id": "1234"});
    for (tool, arguments, operation, why) in [
        ("refund_order", refund("\"200\""), Some("op"), "amount must be a number of US dollars"),
        ("refund_order", refund("200.005"), Some("op"), "amount: "),
        ("refund_order", refund("-1"), Some("op"), "more than 0"),
        ("refund_order", refund("0.00000000000000000000000000000001"), Some("op"), "amount: "),
        ("refund_order", refund("501"), Some("op"), "more than what is left"),
        ("refund_order", refund("1"), None, "no operation id"),
        ("refund_order", order.clone(), Some("op"), "missing field `amount`"),
        ("refund_order", json!({"order_id": 1234, "amount": 1}), Some("op"), "expected a string"),
        ("refund_order", json!({"order_id": "9", "amount": 1}), Some("op"), "no such order"),
        ("get_order", json!({"order_id": "9"}), None, "no such order"),
        ("get_order", json!({"order_id": "1234", "x": 1}), None, "unknown field `x`"),
    ] {
        let (answer, error) = raw.call(tool, &arguments, operation).unwrap();
        assert!(error && answer["error"] == "rejected", "{answer}");
        assert!(answer["why"].as_str().unwrap().contains(why), "{answer}");
    }
    let unknown = raw.ask("tools/call", &call("drop_table", &order, None)).unwrap();
    assert!(unknown["error"]["message"].as_str().unwrap().contains("no other tool"), "{unknown}");
    // Rubbish between the lines is no end.
    raw.send(&json!("x"));
    let (done, _) = raw.call("refund_order", &refund("1"), Some("op")).unwrap();
    let (again, _) = raw.call("refund_order", &refund("1.00"), Some("op")).unwrap();
    assert_eq!((&again["refund_id"], &again["reused"]), (&done["refund_id"], &json!(true)));
    let (other, error) = raw.call("refund_order", &refund("2"), Some("op")).unwrap();
    assert!(error && other["why"].as_str().unwrap().contains("another payload"), "{other}");
    assert_eq!(rows(&store).len(), 1);
}

#[test]
fn the_fault_strikes_after_the_commit_before_the_answer_and_once() {
    let folder = tempfile::tempdir().unwrap();
    for (fault, committed) in [("commit-then-disconnect", 1), ("disconnect-before-commit", 0)] {
        let store = folder.path().join(fault);
        let args = ["lab", "serve", "--db", text(&store), "--fault", fault];
        let mut raw = Raw::begun(&args);
        raw.request("tools/call", &call("refund_order", &refund("200"), Some("op")));
        // No line of an answer, and the row is in the file after the process has ended.
        assert_eq!(raw.rest(), "", "{fault}");
        assert_eq!(raw.child.wait().unwrap().code(), Some(70));
        assert_eq!(rows(&store).len(), committed, "{fault}");
        assert!(folder.path().join(format!("{fault}.{fault}.claimed")).exists());
        let mut again = Raw::begun(&args);
        assert!(again.call("refund_order", &refund("200"), Some("op")).is_some());
        assert_eq!(rows(&store).len(), committed + 1, "{fault}");
    }
}

#[test]
fn a_stale_read_shows_the_order_before_its_refund_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.db");
    let mut raw = Raw::begun(&["lab", "serve", "--db", text(&store), "--fault", "stale-read"]);
    let order = json!({"order_id": "1234"});
    let mut shown = || raw.call("get_order", &order, None).unwrap().0["refunds"].clone();
    assert_eq!(shown(), 0);
    raw.call("refund_order", &refund("200"), Some("op")).unwrap();
    let mut shown = || raw.call("get_order", &order, None).unwrap().0["refunds"].clone();
    assert_eq!((shown(), shown()), (json!(0), json!(1)));
}

#[test]
fn killed_at_the_moment_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for (moment, committed) in [("before-commit", 0), ("after-commit", 1)] {
        let store = folder.path().join(moment);
        let hold = folder.path().join(format!("{moment}.go"));
        let reached = folder.path().join(format!("{moment}.go.reached"));
        let args = ["lab", "serve", "--server", "idempotent", "--db", text(&store)];
        let held = [&args[..], &["--hold-at", moment, "--hold-file", text(&hold)]].concat();
        let mut raw = Raw::begun(&held);
        raw.request("tools/call", &call("refund_order", &refund("200"), Some("op")));
        let since = Instant::now();
        while !reached.exists() {
            assert!(since.elapsed() < Duration::from_secs(20), "{moment} was not reached");
            std::thread::sleep(Duration::from_millis(2));
        }
        raw.child.kill().unwrap();
        raw.child.wait().unwrap();
        assert_eq!(rows(&store).len(), committed, "{moment}");
        // Sent again with the same id: once, whatever had happened.
        let mut again = Raw::begun(&args);
        let (answer, error) = again.call("refund_order", &refund("200"), Some("op")).unwrap();
        assert_eq!((error, answer["reused"] == true), (false, committed == 1), "{answer}");
        assert_eq!(rows(&store).len(), 1, "{moment}");
    }
}

/// Numbers between 0 and a limit; which ones does not matter, only that they are spread.
struct Spread(u64);

impl Spread {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit.max(1)
    }
}

#[test]
fn two_hundred_kills_at_random_times_never_leave_two_rows() {
    const WORKERS: u64 = 5;
    const OPERATIONS: usize = 10;
    const KILLS: usize = 4;
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.db");
    let args = ["lab", "serve", "--server", "idempotent", "--db", text(&store)];
    // All that a refund needs, sent at once: the kill may come at any moment from the start of the server on.
    let begin = |operation: &str| {
        let mut raw = Raw::start(&args);
        raw.request("initialize", &hello());
        raw.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        raw.request("tools/call", &call("refund_order", &refund("1"), Some(operation)));
        raw
    };
    // Refunds in peace tell how long one takes; the first also makes the store.
    let usual = (0..4).map(|number| {
        let operation = format!("peace_{number}");
        let since = Instant::now();
        let mut raw = begin(&operation);
        while rows_of(&store, &operation) == 0 {
            assert!(since.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_micros(200));
        }
        let took = since.elapsed();
        raw.end();
        u64::try_from(took.as_micros()).unwrap()
    });
    let usual = usual.min().unwrap();

    // Several at a time: servers that die beside others that work on the same store.
    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let worker = |worker: u64| {
        let mut spread = Spread(seed ^ (worker + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut after_the_first = 0;
        for number in 0..OPERATIONS {
            let operation = format!("op_{worker}_{number}");
            for kill in 0..KILLS {
                let mut raw = begin(&operation);
                std::thread::sleep(Duration::from_micros(spread.below(usual * 2)));
                raw.child.kill().unwrap();
                raw.child.wait().unwrap();
                let rows = rows_of(&store, &operation);
                assert!(rows <= 1, "{rows} rows of {operation}");
                after_the_first += if kill == 0 { rows } else { 0 };
            }
        }
        after_the_first
    };
    let made: usize = std::thread::scope(|scope| {
        let all: Vec<_> = (0..WORKERS)
            .map(|number| {
                scope.spawn({
                    let worker = &worker;
                    move || worker(number)
                })
            })
            .collect();
        all.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    let mut last = Raw::begun(&args);
    for (worker, number) in (0..WORKERS).flat_map(|w| (0..OPERATIONS).map(move |n| (w, n))) {
        let operation = format!("op_{worker}_{number}");
        let (answer, error) = last.call("refund_order", &refund("1"), Some(&operation)).unwrap();
        assert!(!error, "{answer}");
        assert_eq!(rows_of(&store, &operation), 1, "{operation}");
    }
    assert_eq!(rows(&store).len(), 54);
    eprintln!("200 kills within 2 x {usual} us: after its first kill {made} of 50 refunds were there");
}

fn rows_of(store: &std::path::Path, operation: &str) -> usize {
    let Ok(db) = rusqlite::Connection::open(store) else { return 0 };
    db.busy_timeout(Duration::from_secs(5)).unwrap();
    let count = "SELECT count(*) FROM refunds WHERE operation_id = ?1";
    // Before the first server has made the tables there are none.
    let found: i64 = db.query_row(count, [operation], |row| row.get(0)).unwrap_or(0);
    usize::try_from(found).unwrap()
}

#[test]
fn it_writes_into_nothing_but_its_own_store() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("payments.db");
    rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE payments (id)").unwrap();
    let before = std::fs::read(&other).unwrap();
    for path in [text(&other), text(folder.path()), "/nonexistent/x.db"] {
        let output = run(&["lab", "serve", "--db", path]);
        assert_eq!(output.status.code(), Some(4), "{path}: {output:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
    assert_eq!(std::fs::read(&other).unwrap(), before);
    for args in [
        &["lab", "serve"][..],
        &["lab", "serve", "--db", "x", "--read-only"],
        &["lab", "serve", "--db", "x", "--hold-at", "before-commit"],
        &["lab", "serve", "--db", "x", "--fault", "explode"],
    ] {
        assert_eq!(run(args).status.code(), Some(2), "{args:?}");
    }
}
