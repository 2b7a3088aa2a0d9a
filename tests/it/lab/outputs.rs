//! What the commands of the lab print and leave, word for word; ids of refunds are masked.

use std::path::Path;

use serde_json::Value;

use super::{masked, printed, rows, run, text};

const TASK: &str = "task: The customer should receive a $200 refund. Process it.      order 1234, total USD 500.00, refunded USD 0.00\n";

const DOUBLE: &str = "\
task: The customer should receive a $200 refund. Process it.      order 1234, total USD 500.00, refunded USD 0.00
agent: scripted, no model   retry policy: retry-once (a lost result is retried once)   server: unsafe   fault: commit-then-disconnect

decision #1
└─ refund_order(USD 200.00)   operation refund:order_1234:request_9876
   ├─ REFUND COMMITTED
   └─ RESPONSE LOST
decision #2
└─ refund_order(USD 200.00)   operation refund:order_1234:request_9876
   └─ REFUND COMMITTED

authoritative refund rows (store.db)
  #1  rfd_...  USD 200.00  refund:order_1234:request_9876
  #2  rfd_...  USD 200.00  refund:order_1234:request_9876
  total USD 400.00

Expected effect count: 1
Expected effect total: USD 200.00
Observed effect count: 2
Observed effect total: USD 400.00
VIOLATION FOUND
1 run, one policy, one fault: this shows one failure, not a rate.
";

const IDEMPOTENT: &str = "\
task: The customer should receive a $200 refund. Process it.      order 1234, total USD 500.00, refunded USD 0.00
agent: scripted, no model   retry policy: retry-once (a lost result is retried once)   server: idempotent   fault: commit-then-disconnect

decision #1
└─ get_order()
   └─ ANSWERED
decision #2
└─ refund_order(USD 200.00)   operation refund:order_1234:request_9876
   ├─ REFUND COMMITTED
   └─ RESPONSE LOST
decision #3
└─ refund_order(USD 200.00)   operation refund:order_1234:request_9876
   └─ ANSWERED: DONE BEFORE
decision #4
└─ get_order()
   └─ ANSWERED

authoritative refund rows (store.db)
  #1  rfd_...  USD 200.00  refund:order_1234:request_9876
  total USD 200.00

Expected effect count: 1
Expected effect total: USD 200.00
Observed effect count: 1
Observed effect total: USD 200.00
NO VIOLATION OBSERVED
1 run, one policy, one fault: this shows what was seen, not that it is always so.
";

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

fn summary(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("summary.json")).unwrap()).unwrap()
}

#[test]
fn the_double_refund_and_what_it_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new/run");
    let (exit, printed_text) = printed(&["lab", "double-refund", "--out", text(&out)]);
    assert_eq!((exit, masked(&printed_text).as_str()), (1, DOUBLE));
    assert_eq!(summary(&out)["runs"][0]["verdict"], "DUPLICATED");
    assert_eq!(summary(&out)["exit"], 1);

    // The trace and the record of effects are apart: the lost refund is in the store only.
    let trace = std::fs::read_to_string(out.join("trace.jsonl")).unwrap();
    let rows = rows(&out.join("store.db"));
    assert_eq!(rows.len(), 2);
    assert!(!trace.contains(&rows[0].0) && trace.contains(&rows[1].0));
    // Two decisions, no hidden retry, nobody claims a model.
    let decisions: Vec<Value> = trace
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|line| line["event"] == "attempt_started")
        .map(|line| line["decision_id"].clone())
        .collect();
    assert_eq!(decisions, ["dec_1", "dec_2"]);
    let first: Value = serde_json::from_str(trace.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["agent"], &first["sdk_retries"], first.get("model")),
        (&"scripted".into(), &0.into(), None)
    );

    // check reads them again, as files and as a case, with the same verdict.
    let (trace, store) = (out.join("trace.jsonl"), out.join("store.db"));
    let as_files = ["check", "--trace", text(&trace), "--ledger", text(&store), "--format", "json"];
    let as_case = ["check", text(&out), "--format", "json"];
    for args in [&as_files[..], &as_case] {
        let (exit, json) = printed(args);
        let json: Value = serde_json::from_str(&json).unwrap();
        assert_eq!((exit, &json["result"]), (1, &"VIOLATION FOUND".into()));
        assert_eq!(json["intents"][0]["verdict"], "DUPLICATED");
        assert_eq!(json["intents"][0]["retry_origin"], "SCRIPT");
    }

    // What is there is left as it is.
    let again = run(&["lab", "normal", "--out", text(&out)]);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8(again.stderr).unwrap().contains("is not empty and is left as it is"));
    assert_eq!(super::rows(&store).len(), 2);
}

#[test]
fn the_idempotent_server_and_a_client_that_is_killed() {
    let (exit, text_of_run) = printed(&["lab", "idempotent"]);
    assert_eq!((exit, masked(&text_of_run).as_str()), (0, IDEMPOTENT));

    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("crash");
    let (exit, crashed) = printed(&["lab", "idempotent", "--crash-client", "--out", text(&out)]);
    let told = "The client was killed after it had sent, and resumed from its durable record.\n";
    let expected = IDEMPOTENT.replace("RESPONSE LOST", "NO ANSWER THAT TELLS");
    let expected = expected.replace("1 run, one policy", &format!("{told}1 run, one policy"));
    assert_eq!((exit, masked(&crashed)), (0, expected));
    let trace = std::fs::read_to_string(out.join("trace.jsonl")).unwrap();
    let ended = trace.lines().find(|line| line.contains("\"attempt_id\":\"att_02\",\"outcome\"")).unwrap();
    assert!(ended.contains("\"outcome\":\"unknown\""), "{ended}");
    assert_eq!(rows(&out.join("store.db")).len(), 1);
    let (exit, _) = printed(&["check", text(&out)]);
    assert_eq!(exit, 0);
    // A run that has ended is not resumed.
    assert_eq!(run(&["lab", "idempotent", "--resume", "--out", text(&out)]).status.code(), Some(4));
    // The same crash against the other server is a double refund.
    assert_eq!(printed(&["lab", "double-refund", "--crash-client"]).0, 1);
}

#[test]
fn one_call_one_row_and_the_setup() {
    let (exit, normal) = printed(&["lab", "normal"]);
    assert_eq!(exit, 0);
    let masked = masked(&normal);
    assert_eq!(
        lines(&masked)[2..],
        [
            "",
            "decision #1",
            "└─ refund_order(USD 200.00)   operation refund:order_1234:request_9876",
            "   └─ REFUND COMMITTED",
            "",
            "authoritative refund rows (store.db)",
            "  #1  rfd_...  USD 200.00  refund:order_1234:request_9876",
            "  total USD 200.00",
            "",
            "Expected effect count: 1",
            "Expected effect total: USD 200.00",
            "Observed effect count: 1",
            "Observed effect total: USD 200.00",
            "NO VIOLATION OBSERVED",
            "1 run, one policy, no fault: this shows what was seen, not that it is always so.",
        ]
    );
    for command in ["compare", "study"] {
        let (exit, setup) = printed(&["lab", command, "--print-setup"]);
        assert_eq!(exit, 0);
        assert!(setup.starts_with(TASK) && setup.ends_with("\nnothing was run\n"), "{setup}");
    }
    let (exit, setup) = printed(&["lab", "normal", "--print-setup"]);
    assert_eq!(exit, 0);
    assert_eq!(
        setup,
        format!(
            "{TASK}agent: scripted, no model   retry policy: retry-once (a lost result is retried once)   server: unsafe   fault: none\n\
             tools: get_order(order_id), refund_order(order_id, amount)\n\
             operation: refund:order_1234:request_9876, passed by the dispatcher, in the schema of no tool\n\
             nothing was run\n"
        )
    );
}

#[test]
fn the_neutral_script_is_free_to_choose_and_labelled_as_a_script() {
    for (choice, exit, refunds) in [("reconcile", 0, 1), ("retry", 1, 2), ("stop", 0, 1)] {
        let args = ["lab", "double-refund", "--retry-policy", "neutral", "--neutral-choice", choice];
        let (code, text) = printed(&args);
        assert_eq!(code, exit, "{text}");
        assert!(text.contains(&format!("Observed effect count: {refunds}\n")), "{text}");
        assert!(text.contains("agent: scripted, no model   retry policy: neutral"), "{text}");
        assert!(text.contains(&format!("the script chose: {choice})")), "{text}");
    }
    let seeded = |seed: &str| {
        printed(&["lab", "double-refund", "--retry-policy", "neutral", "--seed", seed, "--print-setup"]).1
    };
    assert_eq!(seeded("3"), seeded("3"));
}

#[test]
fn compare_has_one_violation_in_its_table() {
    let (exit, text) = printed(&["lab", "compare"]);
    assert_eq!(exit, 1);
    assert_eq!(
        text,
        format!(
            "{TASK}agent: scripted, no model   server: unsafe   fault in each run: commit-then-disconnect

controlled  2 refunds   USD 400.00   VIOLATION FOUND         a lost result is retried once
neutral     1 refund    USD 200.00   NO VIOLATION OBSERVED   no rule; no model either, the script chose: reconcile

script      server unsafe           server idempotent
retries     VIOLATION FOUND         NO VIOLATION OBSERVED
reads       NO VIOLATION OBSERVED   NO VIOLATION OBSERVED

4 runs, two scripts, two servers: this shows what can happen, not how often.
"
        )
    );
}

#[test]
fn the_pattern_of_the_published_table() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("study");
    let (exit, text_of_study) = printed(&["lab", "study", "--trials", "2", "--out", text(&out)]);
    assert_eq!(exit, 0);
    assert_eq!(
        text_of_study,
        format!(
            "{TASK}agent: scripted, no model   server: unsafe   2 runs a cell

                lost before the effect     lost after the commit
policy          once    twice   zero       once    twice   zero
retry-once      2       0       0          0       2       0
neutral         2       0       0          2       0       0
do-not-retry    0       0       2          2       0       0
state-aware     2       0       0          2       0       0

neutral: no rule; no model either, the script chose: reconcile
16 runs of scripts: this shows which rule can go wrong where, not how often a model would.
"
        )
    );
    let summary = summary(&out);
    assert_eq!((&summary["runs"], &summary["cells"][1]["twice"]), (&16.into(), &2.into()));
    let one = out.join("retry-once/commit-then-disconnect/run-002");
    assert_eq!(rows(&one.join("store.db")).len(), 2);

    let (exit, stopped) = printed(&["lab", "study", "--trials", "3", "--stop-at-first"]);
    assert_eq!(exit, 1);
    assert!(stopped.contains("stopped at the first violation, run 4 of 24\n"), "{stopped}");
    // On the idempotent server nobody pays twice.
    let (_, safe) = printed(&["lab", "study", "--trials", "1", "--server", "idempotent"]);
    assert!(safe.contains("retry-once      1       0       0          1       0       0\n"), "{safe}");
}

#[test]
fn a_repeated_run_stops_at_the_first_violation() {
    let args = ["lab", "double-refund", "--trials", "5", "--fault-on-run", "3"];
    let (exit, text) = printed(&args);
    assert_eq!(exit, 1);
    let shown = lines(&text);
    assert_eq!(
        shown[2..7],
        [
            "",
            "run 1   1 refund    USD 200.00   NO VIOLATION OBSERVED",
            "run 2   1 refund    USD 200.00   NO VIOLATION OBSERVED",
            "run 3   2 refunds   USD 400.00   VIOLATION FOUND",
            "",
        ]
    );
    assert_eq!(
        shown[shown.len() - 2..],
        [
            "stopped at the first violation, run 3 of 5",
            "3 runs, one policy, one fault: this shows one failure, not a rate.",
        ]
    );
    let (exit, text) = printed(&[&args[..], &["--keep-going"]].concat());
    assert_eq!(exit, 1);
    assert!(text.contains("run 5   1 refund ") && !text.contains("stopped at"), "{text}");
    let (exit, text) = printed(&["lab", "normal", "--runs", "2", "--ascii"]);
    assert_eq!(exit, 0);
    assert!(text.contains("\nNO VIOLATION OBSERVED\n2 runs, one policy, no fault: "), "{text}");
}

#[test]
fn nothing_twice_is_not_everything_done() {
    let args =
        ["lab", "double-refund", "--retry-policy", "do-not-retry", "--fault", "disconnect-before-commit"];
    let (exit, text) = printed(&args);
    assert_eq!(exit, 0);
    assert!(text.contains("refund_order(USD 200.00)"), "{text}");
    assert!(
        text.contains(
            "Observed effect count: 0\nObserved effect total: USD 0.00\nNO VIOLATION OBSERVED\n\
             Judged under at-most-once: nothing was done twice. What was asked for has not been done.\n"
        ),
        "{text}"
    );
}

#[test]
fn what_does_not_fit_is_a_usage_error() {
    for args in [
        &["lab"][..],
        &["lab", "norml"],
        &["lab", "normal", "--neutral-choice", "retry"],
        &["lab", "normal", "--retry-policy", "neutral", "--neutral-choice", "retry", "--seed", "1"],
        &["lab", "normal", "--trials", "0"],
        &["lab", "normal", "--fault-on-run", "2"],
        &["lab", "normal", "--trials", "2", "--crash-client"],
        &["lab", "normal", "--hold-after-send", "x"],
        &["lab", "normal", "--resume"],
        &["lab", "normal", "--read-only"],
        &["lab", "normal", "--retry-policy", "hope"],
        &["lab", "normal", "--fault", "x"],
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    let missing = run(&["lab", "normal", "--resume", "--out", "/nonexistent"]);
    assert_eq!(missing.status.code(), Some(4));
}

#[test]
fn the_document_shows_what_is_printed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lab.md");
    let document = std::fs::read_to_string(path).unwrap();
    let (_, after) = document.split_once("<!-- lab: double-refund -->\n```text\n").unwrap();
    let (shown, _) = after.split_once("```").unwrap();
    assert_eq!(shown, DOUBLE);
}
