//! The published experiment: one run, a trace and an effects file kept apart (`4-sources.md` 4.9). The files here have
//! its shape and invented values; the published ones are tried where they lie beside the checkout.

use serde_json::{Value, json};

use recount::judge::judgement::{AtMostOnce, RetryOrigin};
use recount::judge::view::ResultWord;
use recount::sources::spec::What;

use crate::world::{World, at, beside, case, codes, file, loaded, memory};

const NOW: &str = "2026-11-30T12:00:00Z";

/// What a run is made of.
#[derive(Clone)]
struct Run {
    operation: &'static str,
    model: Option<&'static str>,
    /// Of each refund call: decision, and what came back.
    refunds: Vec<(&'static str, Answer)>,
    /// Cents of each committed row.
    rows: Vec<i64>,
    /// The rows carry the operation id.
    rows_named: bool,
    /// Rows that were there before.
    before: Vec<i64>,
    verdict: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Lost,
    Received,
    Reused,
}

const OPERATION: &str = "refund:order_88:run_x1";

/// The answer was lost, a new decision sent it again, both took place.
fn double() -> Run {
    Run {
        operation: OPERATION,
        model: Some("made-up-2"),
        refunds: vec![("first", Answer::Lost), ("again", Answer::Received)],
        rows: vec![4_250, 4_250],
        rows_named: false,
        before: Vec::new(),
        verdict: Some("VIOLATION FOUND"),
    }
}

/// The answer was lost, the order was read, nothing was sent again.
fn neutral() -> Run {
    Run {
        refunds: vec![("first", Answer::Lost)],
        rows: vec![4_250],
        verdict: Some("NO VIOLATION OBSERVED"),
        ..double()
    }
}

/// Sent again, and the server gave its receipt.
fn safe() -> Run {
    Run {
        refunds: vec![("first", Answer::Lost), ("again", Answer::Reused)],
        rows: vec![4_250],
        rows_named: true,
        verdict: Some("NO VIOLATION OBSERVED"),
        ..double()
    }
}

impl Run {
    fn trace(&self) -> String {
        let (operation, run) = (self.operation, "run_x1");
        let mut lines = vec![json!({"event": "run_started", "run_id": run, "task_id": "refund_88",
            "operation_id": operation, "model": self.model, "prompt": "please refund", "schema_version": 1})];
        let mut call = |tool: &str,
                        id: &str,
                        decision: &str,
                        arguments: Value,
                        outcome: &str,
                        output: Value| {
            lines.push(json!({"event": "model_turn", "run_id": run, "turn_number": 1, "output_text": ""}));
            lines.push(json!({"event": "tool_attempt_started", "run_id": run, "operation_id": operation, "tool": tool,
                "tool_attempt_id": id, "decision_id": decision, "arguments": arguments}));
            lines.push(json!({"event": "tool_attempt_finished", "run_id": run, "operation_id": operation, "tool": tool,
                "tool_attempt_id": id, "decision_id": decision, "outcome": outcome, "output": output.to_string()}));
        };
        let order = json!({"is_error": false, "result": {"order_id": "88", "refund_count": 0, "total": 90}});
        call("get_order", "a-read", "look", json!({"order_id": "88"}), "response_received", order.clone());
        let last = self.rows.len().saturating_sub(1);
        for (no, (decision, answer)) in self.refunds.iter().enumerate() {
            let (outcome, output) = match answer {
                Answer::Lost => {
                    ("response_lost", json!({"ambiguous": true, "error": "the connection closed"}))
                }
                Answer::Received => (
                    "response_received",
                    json!({"is_error": false, "result": {"committed": true, "refund_id": format!("rf_{last}")}}),
                ),
                Answer::Reused => (
                    "response_received",
                    json!({"is_error": false, "result": {"refund_id": "rf_0", "reused": true, "committed": true}}),
                ),
            };
            let arguments = json!({"order_id": "88", "amount": 42.5});
            call("refund_order", &format!("a-{no}"), decision, arguments, outcome, output);
        }
        if self.refunds.len() == 1 {
            call("get_order", "a-again", "look again", json!({"order_id": "88"}), "response_received", order);
        }
        lines.push(
            json!({"event": "run_completed", "run_id": run, "final_text": "The refund is done, once."}),
        );
        lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n")
    }

    fn effects(&self) -> String {
        let row = |(id, cents): (String, i64)| {
            let mut row = json!({"refund_id": id, "amount_cents": cents});
            if self.rows_named {
                row["operation_id"] = self.operation.into();
            }
            row
        };
        let before: Vec<Value> =
            self.before.iter().enumerate().map(|(no, c)| row((format!("old_{no}"), *c))).collect();
        let new = self.rows.iter().enumerate().map(|(no, c)| row((format!("rf_{no}"), *c)));
        let all: Vec<Value> = before.iter().cloned().chain(new).collect();
        let sum = |rows: &[i64]| rows.iter().sum::<i64>();
        let mut whole = json!({
            "schema_version": 1,
            "initial": {"order_id": "88", "refund_count": before.len(), "refunded_cents": sum(&self.before),
                "total_cents": 9_000},
            "final": {"order_id": "88", "refund_count": all.len(), "refunds": all,
                "refunded_cents": sum(&self.before) + sum(&self.rows), "total_cents": 9_000},
            "fault_marker": {"committed": true, "fault": "commit_then_disconnect", "refund_id": "rf_0"},
        });
        if !before.is_empty() {
            whole["initial"]["refunds"] = before.into();
        }
        if let Some(verdict) = self.verdict {
            whole["verdict"] = verdict.into();
        }
        if self.rows_named {
            whole["idempotency_receipt"] = json!({"refund_id": "rf_0", "amount_cents": 4_250, "operation_id": self.operation, "order_id": "88"});
        }
        serde_json::to_string_pretty(&whole).unwrap()
    }

    fn loaded(&self) -> World {
        let sources =
            [memory(What::Trace, "trace", &self.trace()), memory(What::Ledger, "effects", &self.effects())];
        loaded(case(NOW, sources))
    }
}

/// What has to be said of the three runs.
fn says(world: &World, gross: u32, total: &str, result: ResultWord, verdict: &str) {
    let views = world.views();
    assert_eq!(views.len(), 1);
    let (view, j) = (&views[0], &views[0].judgement);
    assert_eq!((j.gross, world.totals(&view.totals).as_str()), (gross, total));
    assert_eq!((j.verdict(), world.at_most_once()), (verdict, result));
    assert_eq!(
        (at(j.covered_from), j.covered),
        ("-".to_owned(), false),
        "a trace without times covers nothing"
    );
}

#[test]
fn a_double_refund() {
    let world = double().loaded();
    says(&world, 2, "USD 85.00", ResultWord::ViolationFound, "DUPLICATED");
    let view = world.view(OPERATION);
    let j = &view.judgement;
    assert_eq!((j.origin, j.at_most_once), (RetryOrigin::Model, AtMostOnce::Violated));
    assert_eq!(
        (world.money(j.expected), world.totals(&view.difference)),
        ("USD 42.50".into(), "USD 42.50".into())
    );
    assert_eq!((j.lo, j.hi, j.attempts, j.lost), (1, 2, 2, 1));
    assert_eq!((world.summary().effects, world.summary().orphans), (2, 0));
    assert_eq!(view.effects.iter().map(|e| e.link.join(" ")).collect::<Vec<_>>(), ["J0", "J0 J3"]);
    assert_eq!(
        (view.operation_id.as_str(), view.business_id.as_str(), view.key.as_str()),
        (OPERATION, "order:88", "")
    );
    assert_eq!(world.result(), (ResultWord::ViolationFound, 1));
}

#[test]
fn a_lost_answer_alone() {
    let world = neutral().loaded();
    says(&world, 1, "USD 42.50", ResultWord::NoViolationObserved, "HIDDEN_SUCCESS");
    let j = world.view(OPERATION).judgement;
    assert_eq!((j.origin, j.attempts, j.hi), (RetryOrigin::None, 1, 1));
    // Reads are no calls that could have acted; nothing more can come.
    assert_eq!((world.summary().attempts, world.summary().answers_lost), (1, 1));
    assert_eq!(world.result(), (ResultWord::NoViolationObserved, 0));
}

#[test]
fn a_receipt_given_again() {
    let world = safe().loaded();
    says(&world, 1, "USD 42.50", ResultWord::NoViolationObserved, "MATCHED");
    let view = world.view(OPERATION);
    assert_eq!((view.judgement.lo, view.judgement.hi, view.judgement.origin), (1, 1, RetryOrigin::Model));
    assert_eq!(view.effects[0].link, ["J0", "J1", "J3"]);
    // The stored receipt is no effect.
    assert_eq!(view.effects.len(), 1);
}

/// The published verdict and the marker of the fault are not evidence.
#[test]
fn the_published_verdict_is_not_read() {
    for run in [double(), neutral(), safe()] {
        let with = run.loaded();
        for verdict in [None, Some("NO VIOLATION OBSERVED"), Some("VIOLATION FOUND"), Some("whatever")] {
            let other = Run { verdict, ..run.clone() }.loaded();
            assert_eq!(other.at_most_once(), with.at_most_once());
            assert_eq!(other.verdicts(), with.verdicts());
        }
    }
}

#[test]
fn a_third_row() {
    let mut run = double();
    run.rows.push(4_250);
    let world = run.loaded();
    says(&world, 3, "USD 127.50", ResultWord::ViolationFound, "DUPLICATED");
    let view = world.view(OPERATION);
    assert_eq!(world.totals(&view.difference), "USD 85.00");
    assert!(codes(&view.judgement).contains(&"EXCESS_UNEXPLAINED"), "two calls made three rows");
}

#[test]
fn other_amounts() {
    let world = Run { rows: vec![4_251], ..neutral() }.loaded();
    says(&world, 1, "USD 42.51", ResultWord::ViolationFound, "AMOUNT_MISMATCH");
    let world = Run { rows: vec![4_249], ..neutral() }.loaded();
    says(&world, 1, "USD 42.49", ResultWord::NoViolationObserved, "AMOUNT_MISMATCH");
    let world = Run { rows: vec![2_125, 2_125], ..double() }.loaded();
    says(&world, 2, "USD 42.50", ResultWord::ViolationFound, "COUNT_DIFFERS_TOTAL_EQUAL");
}

/// Nothing took place: with a trace without times that is never an absence.
#[test]
fn nothing_took_place() {
    let world = Run { rows: Vec::new(), ..neutral() }.loaded();
    says(&world, 0, "USD 0.00", ResultWord::NoViolationObserved, "UNRESOLVED_UNKNOWN");
    assert_eq!(world.result(), (ResultWord::Inconclusive, 3));
}

/// Rows that were there before the run are not its own, and nobody's double.
#[test]
fn rows_from_before() {
    let world = Run { before: vec![1_000], ..double() }.loaded();
    says(&world, 2, "USD 85.00", ResultWord::ViolationFound, "DUPLICATED");
    let s = world.summary();
    assert_eq!((s.effects, s.orphans, s.outside), (3, 0, Some(1)));
    assert_eq!(world.totals(&s.outside_totals), "USD 10.00");
    let world = Run { before: vec![4_250], ..neutral() }.loaded();
    says(&world, 1, "USD 42.50", ResultWord::NoViolationObserved, "HIDDEN_SUCCESS");
}

/// A script names no model: then it is no model that repeated it.
#[test]
fn without_a_model() {
    let world = Run { model: None, ..double() }.loaded();
    assert_eq!(world.view(OPERATION).judgement.origin, RetryOrigin::Caller);
    let same_decision =
        Run { refunds: vec![("first", Answer::Lost), ("first", Answer::Received)], ..double() };
    assert_eq!(same_decision.loaded().view(OPERATION).judgement.origin, RetryOrigin::Framework);
}

#[test]
fn the_published_files_if_they_are_there() {
    for (folder, gross, result, origin) in [
        ("0001-double-refund", 2, ResultWord::ViolationFound, RetryOrigin::Model),
        ("0002-neutral-reconciliation", 1, ResultWord::NoViolationObserved, RetryOrigin::None),
        ("0003-idempotent-reference", 1, ResultWord::NoViolationObserved, RetryOrigin::Model),
    ] {
        let Some(folder) = beside(&format!("real/rosso/{folder}")) else {
            return;
        };
        let effects = folder.join("authoritative-effects.json");
        let trace = file(What::Trace, "trace", &folder.join("attempt-trace.jsonl"));
        let world = loaded(case(NOW, [trace.clone(), file(What::Ledger, "effects", &effects)]));
        let j = world.views()[0].judgement;
        assert_eq!((j.gross, world.at_most_once(), j.origin), (gross, result, origin));
        assert_eq!(world.money(j.expected), "USD 200.00");
        // The same without its verdict, with the opposite, and with one more row.
        let whole: Value = serde_json::from_str(&std::fs::read_to_string(&effects).unwrap()).unwrap();
        for verdict in ["NO VIOLATION OBSERVED", "VIOLATION FOUND", ""] {
            let mut other = whole.clone();
            match verdict {
                "" => drop(other.as_object_mut().unwrap().remove("verdict")),
                _ => other["verdict"] = verdict.into(),
            }
            let world =
                loaded(case(NOW, [trace.clone(), memory(What::Ledger, "effects", &other.to_string())]));
            assert_eq!(world.at_most_once(), result);
        }
        let mut more = whole.clone();
        let one = json!({"amount_cents": 20_000, "refund_id": "one_more"});
        more["final"]["refunds"].as_array_mut().unwrap().push(one);
        more["final"]["refund_count"] = (gross + 1).into();
        more["final"]["refunded_cents"] = (20_000 * (gross + 1)).into();
        let world = loaded(case(NOW, [trace, memory(What::Ledger, "effects", &more.to_string())]));
        assert_eq!(
            (world.views()[0].judgement.gross, world.at_most_once()),
            (gross + 1, ResultWord::ViolationFound)
        );
    }
}
