//! Whole files in any order: lines, files and sources shuffled, the same check and the same list.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::small::*;

/// A small deterministic shuffler.
struct Dice(u64);

impl Dice {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % below.max(1)
    }

    fn shuffle<T>(&mut self, of: &mut [T]) {
        for i in (1..of.len()).rev() {
            of.swap(i, self.next(i + 1));
        }
    }
}

fn second(no: usize) -> String {
    format!("09:{:02}:{:02}", no / 60 % 60, no % 60)
}

struct Files {
    trace: Vec<Line>,
    payments: Vec<Line>,
    books: Vec<Line>,
    expect: Vec<Line>,
}

/// A little of everything, twenty times over; no two records of one intent at one time.
fn files() -> Files {
    let mut f = Files {
        trace: Vec::new(),
        payments: vec![earlier(), later()],
        books: Vec::new(),
        expect: Vec::new(),
    };
    for no in 0..240 {
        let (order, operation) = (format!("{no}"), format!("refund:o{no}:r"));
        let (a, b) = (second(no * 3), second(no * 3 + 2));
        let first =
            call(&operation).order(&order).usd("20.00").sent(&a, &a).set("run_id", format!("run{}", no % 7));
        let again = first.clone().sent(&b, &b);
        let paid = |id: &str, time: &str| {
            row(&format!("re_{no}{id}"), &operation).order(&order).usd("20.00").at(time)
        };
        let named = |line: Line, n: &str| line.set("attempt_id", format!("a{no}{n}"));
        match no % 12 {
            0 => {
                f.trace.extend([
                    named(first.clone().told("timeout"), "a"),
                    named(again.receipt(&format!("re_{no}b")), "b"),
                ]);
                f.payments.extend([paid("a", &a), paid("b", &b)]);
            }
            1 => f.trace.push(named(first, "a")),
            2 => {
                f.trace.push(named(first.told("timeout"), "a"));
                f.payments.push(paid("a", &a).usd("25.00"));
            }
            3 => {
                let bare = first.without(&["operation_id"]);
                f.trace.push(named(bare.clone().set("idempotency_key", format!("k{no}")), "a"));
                f.payments.push(paid("a", &a).without(&["operation_id"]));
            }
            4 => {
                let key = format!("k{no}");
                let bare = first.without(&["operation_id"]).set("idempotency_key", key.as_str());
                f.trace.push(named(bare.told("timeout"), "a"));
                let other = again.without(&["operation_id"]).set("idempotency_key", format!("{key}x"));
                f.trace.push(named(other, "b"));
                let of = |r: Line, key: &str| r.without(&["operation_id"]).set("idempotency_key", key);
                f.payments.extend([of(paid("a", &a), &key), of(paid("b", &b), &format!("{key}x"))]);
            }
            5 => {
                f.payments.push(paid("a", &a));
                f.books.push(
                    row(&format!("b{no}"), "")
                        .without(&["operation_id"])
                        .usd("20.00")
                        .set("external_ref", format!("re_{no}a")),
                );
                f.trace.push(named(first, "a"));
            }
            6 => {
                f.trace.push(named(first.set("tool", "payout"), "a"));
                f.payments.push(paid("a", &a).set("status", "pending"));
            }
            7 => {
                f.trace.push(named(first, "a"));
                f.payments.extend([
                    paid("a", &a),
                    paid("r", &b).set("reverses", format!("re_{no}a")).without(&["operation_id"]),
                ]);
            }
            8 => {
                f.trace.push(named(first.told("rejected"), "a"));
                f.expect.push(line(
                    json!({"operation_id":operation,"count":1,"amount":"20.00","currency":"USD"}),
                ));
            }
            9 => {
                // Rows of nobody: one by itself, and a pair.
                f.payments.push(paid("a", &a));
                f.payments.extend([
                    row(&format!("re_{no}c"), &format!("refund:n{no}:r")).usd("3.00").at(&a),
                    row(&format!("re_{no}d"), &format!("refund:n{no}:r")).usd("3.00").at(&b),
                ]);
                f.trace.push(named(first.told("timeout").set("operation_id", operation.to_uppercase()), "a"));
            }
            10 => {
                f.trace.push(named(first, "a"));
                f.payments.push(paid("a", &a).usd("2OO.00"));
            }
            _ => {
                f.trace.push(named(first, "a"));
                f.payments.push(paid("a", &a));
            }
        }
    }
    f
}

/// What stays when lines change their place: no places, handles, positions and digests, and no sentence that names sources
/// as they were given; lists by place sorted.
fn placeless(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for name in ["where", "line", "position", "digest", "handle", "path", "raw", "sentence"] {
                map.remove(name);
            }
            for (name, inner) in map.iter_mut() {
                placeless(inner);
                if matches!(name.as_str(), "sources" | "problems" | "kinds" | "tools")
                    && let Value::Array(all) = inner
                {
                    all.sort_by_key(Value::to_string);
                }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(placeless),
        Value::String(text) => {
            // Handles count up by place.
            if text.strip_prefix('#').is_some_and(|n| n.parse::<u32>().is_ok()) {
                "#".clone_into(text);
            }
            if let Some((before, after)) = text.split_once(".jsonl line ") {
                *text = format!("{before}{}", after.trim_start_matches(|c: char| c.is_ascii_digit()));
            }
        }
        _ => {}
    }
}

fn run(folder: &Path, what: &str, traces: &[String], order: &[&str]) -> Value {
    let mut args: Vec<String> = vec![what.to_owned()];
    for side in order {
        match *side {
            "trace" => {
                for trace in traces {
                    args.extend(["--trace".to_owned(), trace.clone()]);
                }
            }
            "payments" => args.extend(["--ledger".to_owned(), "payments.jsonl".to_owned()]),
            "books" => args.extend(["--ledger".to_owned(), "books.jsonl".to_owned()]),
            _ => args.extend(["--expect".to_owned(), "expect.jsonl".to_owned()]),
        }
    }
    args.extend(
        ["--copy-of", "books=payments", "--now", "2026-11-30T18:00:00Z", "--format", "json"]
            .map(str::to_owned),
    );
    let output =
        Command::new(env!("CARGO_BIN_EXE_recount")).args(&args).current_dir(folder).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut value: Value = serde_json::from_str(&text)
        .unwrap_or_else(|e| panic!("{e}: {args:?} {} {}", text, String::from_utf8_lossy(&output.stderr)));
    placeless(&mut value);
    value
}

#[test]
fn lines_files_and_sources_in_any_order_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut f = files();
    let mut dice = Dice(7);
    let mut first: Option<[Value; 2]> = None;
    let mut order = ["trace", "payments", "books", "expect"];
    for round in 0..6 {
        if round > 0 {
            dice.shuffle(&mut f.trace);
            dice.shuffle(&mut f.payments);
            dice.shuffle(&mut f.books);
            dice.shuffle(&mut f.expect);
            dice.shuffle(&mut order);
        }
        // The trace in one file or in two.
        let cut = if round % 2 == 0 { f.trace.len() } else { dice.next(f.trace.len()) };
        let mut traces = vec!["one.jsonl".to_owned()];
        fs::write(folder.join("one.jsonl"), text(&f.trace[..cut])).unwrap();
        if cut < f.trace.len() {
            fs::write(folder.join("two.jsonl"), text(&f.trace[cut..])).unwrap();
            traces.push("two.jsonl".to_owned());
            dice.shuffle(&mut traces);
        }
        fs::write(folder.join("payments.jsonl"), text(&f.payments)).unwrap();
        fs::write(folder.join("books.jsonl"), text(&f.books)).unwrap();
        fs::write(folder.join("expect.jsonl"), text(&f.expect)).unwrap();
        let said = ["check", "list"].map(|what| {
            let mut value = run(folder, what, &traces, &order);
            if what == "check" {
                // One source of two files stands twice.
                value["sources"] = Value::Null;
            }
            value
        });
        match &first {
            None => {
                assert_eq!(said[0]["summary"]["intents"], 240 + 20);
                first = Some(said);
            }
            Some(first) => {
                for (mine, theirs) in first.iter().zip(&said) {
                    same(mine, theirs, &mut String::new(), round);
                }
            }
        }
    }
}

/// Names the first difference.
fn same(a: &Value, b: &Value, at: &mut String, round: usize) {
    let length = at.len();
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            for (name, inner) in x {
                at.push('.');
                at.push_str(name);
                same(inner, y.get(name).unwrap_or(&Value::Null), at, round);
                at.truncate(length);
            }
            assert_eq!(x.len(), y.len(), "{at} round {round}");
        }
        (Value::Array(x), Value::Array(y)) => {
            for (no, (m, n)) in x.iter().zip(y).enumerate() {
                at.push_str(&format!("[{no}]"));
                same(m, n, at, round);
                at.truncate(length);
            }
            assert_eq!(x.len(), y.len(), "{at} round {round}");
        }
        _ => assert_eq!(a, b, "{at} round {round}"),
    }
}
