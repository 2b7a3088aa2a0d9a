//! `recount report`, `affected`, `changed`, `handover` and `check --baseline` from files to what is printed.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn recount(args: &[&str], place: &Path) -> Output {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data");
    let args = args.iter().map(|word| word.replace("SAMPLES", &samples.to_string_lossy()));
    Command::new(env!("CARGO_BIN_EXE_recount"))
        .args(args)
        .current_dir(place)
        .env("HOME", place)
        .env("XDG_CONFIG_HOME", place)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_document_has_its_parts_in_order() {
    let place = tempfile::tempdir().unwrap();
    let output = recount(&["report", "SAMPLES/refunds-2026-11-30"], place.path());
    assert_eq!(output.status.code(), Some(0));
    let text = text(&output);
    let heads: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("# ").or(line.strip_prefix("## "))).collect();
    assert_eq!(
        heads,
        [
            "refunds of 30 November 2026: VIOLATION FOUND",
            "What happened",
            "Ways of working that let it happen",
            "What was not covered",
            "Control totals",
            "How this was made",
        ]
    );
    assert!(text.contains("### order:1234: Happened twice"));
    assert!(
        text.contains("| ledger | refund rfd\\_b2 committed, USD 200.00 | it has happened twice |"),
        "{text}"
    );
    assert!(text.contains("### H03 tried again without looking (high)"));
    assert!(text.contains("- H11 "), "what was not evaluable is said");
}

#[test]
fn the_ending_of_the_file_says_the_form_and_no_file_is_overwritten() {
    let place = tempfile::tempdir().unwrap();
    for (name, begins) in [
        ("a.html", "<!DOCTYPE html>"),
        ("a.json", "{\"schema\":\"recount.report.v1\""),
        ("a.md", "# refunds"),
    ] {
        let args = ["report", "SAMPLES/refunds-2026-11-30", "--out", name];
        assert_eq!(recount(&args, place.path()).status.code(), Some(0), "{name}");
        let written = std::fs::read_to_string(place.path().join(name)).unwrap();
        assert!(written.starts_with(begins), "{name}");
        assert_eq!(recount(&args, place.path()).status.code(), Some(2), "{name} is there");
    }
}

#[test]
fn one_intent_and_its_hazards_only() {
    let place = tempfile::tempdir().unwrap();
    let output = recount(
        &["report", "SAMPLES/refunds-2026-11-30", "--intent", "int_5002", "--format", "json"],
        place.path(),
    );
    let whole: Value = serde_json::from_str(&text(&output)).unwrap();
    let intents: Vec<&str> = whole["intents"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|intent| intent["intent_id"].as_str())
        .collect();
    assert_eq!(intents, ["int_5002"]);
    let rules: Vec<&str> =
        whole["hazards"].as_array().unwrap().iter().filter_map(|hazard| hazard["rule"].as_str()).collect();
    assert!(rules.contains(&"H15") && !rules.contains(&"H03"), "{rules:?}");
}

#[test]
fn only_what_is_new_fails_against_a_mark() {
    let place = tempfile::tempdir().unwrap();
    let mark = |sample: &str, name: &str| {
        let args = ["check", sample, "--format", "json", "--out", name];
        recount(&args, place.path()).status.code()
    };
    assert_eq!(mark("SAMPLES/normal", "fine.json"), Some(0));
    assert_eq!(mark("SAMPLES/double-refund", "double.json"), Some(1));
    let check = |baseline: &str| {
        let output = recount(&["check", "SAMPLES/double-refund", "--baseline", baseline], place.path());
        (output.status.code(), text(&output).lines().next().unwrap_or_default().to_owned())
    };
    let (code, first) = check("fine.json");
    assert_eq!(code, Some(1), "{first}");
    assert!(first.starts_with("VIOLATION FOUND"), "{first}");
    let (code, first) = check("double.json");
    assert_eq!(code, Some(0), "{first}");
    assert!(first.starts_with("NO NEW VIOLATION (1 known)"), "{first}");
    let changed = |mark: &str| {
        let output = recount(&["changed", "SAMPLES/double-refund", "--since", mark], place.path());
        assert_eq!(output.status.code(), Some(0));
        text(&output)
            .lines()
            .next()
            .unwrap_or_default()
            .split(" against")
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(changed("fine.json"), "1 new, 0 worse, 0 better, 0 gone");
    assert_eq!(changed("double.json"), "0 new, 0 worse, 0 better, 0 gone");
    let missing = recount(&["changed", "SAMPLES/double-refund", "--since", "none.json"], place.path());
    assert_eq!(missing.status.code(), Some(4));
    assert_eq!(recount(&["changed", "SAMPLES/double-refund"], place.path()).status.code(), Some(2));
}

#[test]
fn a_column_that_does_not_exist_is_said() {
    let place = tempfile::tempdir().unwrap();
    let output = recount(&["affected", "SAMPLES/normal", "--columns", "intnet"], place.path());
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("--columns has no \"intnet\"; did you mean intent?"), "{said}");
}
