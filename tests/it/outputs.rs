//! Machine output as others read it: JSON against the schemas of `docs/schemas`, CSV, `JUnit`, and a reader that goes away.

mod schema;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::hostile::commands::parallel;
use crate::hostile::{corpus, planted, runs};

const SAMPLES: [&str; 13] = [
    "normal",
    "double-refund",
    "neutral",
    "idempotent",
    "refunds-2026-11-30",
    "no-ids",
    "on-its-way",
    "read-position",
    "lineage",
    "currencies",
    "hazards",
    "tests-as-suspects",
    "broken",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn schema_of(name: &str) -> Value {
    let path = root().join("docs/schemas").join(format!("{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}", path.display())))
        .unwrap()
}

fn run(words: &[&str], more: &[&Path]) -> std::process::Output {
    let args: Vec<OsString> =
        words.iter().map(OsString::from).chain(more.iter().map(|path| (*path).into())).collect();
    runs::run(&args, &std::env::temp_dir())
}

/// What of a document does not fit its schema; which one, its member `schema` says, and that of a line its `type`.
fn judged(text: &str, lines: &str) -> Vec<String> {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(why) => return vec![format!("no JSON: {why}: {}", text.chars().take(80).collect::<String>())],
    };
    let name = match (lines, value["type"].as_str()) {
        ("", _) => value["schema"].as_str().unwrap_or("no schema is named").to_owned(),
        (lines, Some("row")) => format!("{lines}.line"),
        (lines, of) => format!("{lines}.line.{}", of.unwrap_or_default()),
    };
    schema::misfits(&schema_of(&name), &value).into_iter().map(|what| format!("{name}{what}")).collect()
}

/// The calls whose output has a schema: words, and the beginning of the schemas of its lines, where it is lines.
const CALLS: [(&[&str], &str); 8] = [
    (&["check", "--format", "json"], ""),
    (&["check", "--format", "jsonl"], "recount.check.v1"),
    (&["list", "--format", "json"], ""),
    (&["list", "--format", "jsonl"], "recount.list.v1"),
    (&["sources", "--format", "json"], ""),
    (&["hazards", "--all", "--format", "json"], ""),
    (&["affected", "--format", "json"], ""),
    (&["audit", "verify", "--format", "json"], ""),
];

fn cases() -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let hostile = folder.path().join("planted");
    planted::plant(&hostile, &corpus::samples(), true);
    // A book beside it: entries, a request, states from the book.
    for (command, id) in [("note", 2), ("assign", 3), ("resolve", 7)] {
        let id = planted::operation(id, &corpus::samples()[id]);
        let note = ["--note", "Written by a test, so that there is a book.", "--operator", "dana"];
        let own: &[&str] = match command {
            "assign" => &["--owner", "olu", "--deadline", "4h"],
            "resolve" => &["--to", "confirmed"],
            _ => &[],
        };
        run(&[&[command, &id][..], own, &note].concat(), &[Path::new("--case"), &hostile]);
    }
    let mut all: Vec<PathBuf> = SAMPLES.iter().map(|name| root().join("sample-data").join(name)).collect();
    all.push(hostile);
    (folder, all)
}

#[test]
fn every_json_fits_its_schema() {
    let (_folder, cases) = cases();
    let calls: Vec<(&PathBuf, &[&str], &str)> = cases
        .iter()
        .flat_map(|case| CALLS.iter().map(move |(words, lines)| (case, *words, *lines)))
        .collect();
    let wrong = parallel(&calls, |(case, words, lines)| {
        let output = run(words, &[case]);
        let text = String::from_utf8_lossy(&output.stdout);
        // A sample has no book to verify.
        if text.is_empty() && words[0] == "audit" {
            return Vec::new();
        }
        let documents: Vec<&str> = if lines.is_empty() { vec![&*text] } else { text.lines().collect() };
        let mut wrong: Vec<String> = documents.iter().flat_map(|text| judged(text, lines)).collect();
        wrong.sort();
        wrong.dedup();
        wrong.truncate(5);
        wrong.into_iter().map(|what| format!("{} {words:?}: {what}", case.display())).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_intent_a_file_what_changed_and_a_log_fit_their_schemas() {
    let (folder, cases) = cases();
    let hostile = cases.last().unwrap();
    let refunds = root().join("sample-data/refunds-2026-11-30");
    let mark = folder.path().join("mark.json");
    let until =
        ["check", "--until", "2026-11-30T08:30:00Z", "--format", "json", "--out", mark.to_str().unwrap()];
    run(&until, &[&refunds]);
    let changed = ["changed", "--since", mark.to_str().unwrap(), "--format", "json"];
    let file = refunds.join("trace.jsonl");
    let mut all: Vec<(Vec<&str>, &Path)> = vec![
        (changed.to_vec(), &refunds),
        (vec!["sniff", "--format", "json"], &file),
        (vec!["audit", "list", "--format", "json"], hostile),
        (
            vec![
                "audit",
                "population",
                "--from",
                "2026-01-01T00:00:00Z",
                "--to",
                "2036-01-01T00:00:00Z",
                "--format",
                "json",
            ],
            hostile,
        ),
    ];
    for id in ["int_9876", "int_6001", "int_4812", "int_4814", "int_9001", "int_4977", "int_5100", "int_7001"]
    {
        all.push((vec!["show", id, "--format", "json"], &refunds));
    }
    let wrong = parallel(&all, |(words, path)| {
        let output = run(words, &[path]);
        judged(&String::from_utf8_lossy(&output.stdout), "")
            .into_iter()
            .map(|what| format!("{words:?}: {what}"))
            .collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The elements of XML in order: name, attributes, whether it is closed at once. Anything that is no well-formed element
/// of ours fails.
fn elements(xml: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut found = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").unwrap();
    while let Some((before, from)) = rest.split_once('<') {
        assert_eq!(before.trim(), "", "text between elements");
        let (inside, behind) = from.split_once('>').unwrap();
        rest = behind;
        if let Some(name) = inside.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let (name, mut rest_of) = inside.trim_end_matches('/').split_once(' ').unwrap();
        let mut attributes = Vec::new();
        while let Some((attribute, from)) = rest_of.split_once("=\"") {
            let (value, behind) = from.split_once('"').unwrap();
            assert!(!value.contains(['<', '>', '\n']), "{value}");
            for reference in value.split('&').skip(1) {
                assert!(
                    ["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|known| reference.starts_with(known)),
                    "{value}"
                );
            }
            attributes.push((attribute.trim().to_owned(), value.to_owned()));
            rest_of = behind;
        }
        assert_eq!(rest_of.trim(), "");
        if !inside.ends_with('/') {
            open.push(name.to_owned());
        }
        found.push((name.to_owned(), attributes));
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
    found
}

#[test]
fn junit_is_well_formed_and_its_counts_are_those_of_the_check() {
    let (_folder, cases) = cases();
    for case in cases.iter().filter(|case| !case.ends_with("no-ids")) {
        let facts: Value =
            serde_json::from_slice(&run(&["check", "--format", "json"], &[case]).stdout).unwrap();
        for only in ["all", "violation", "undecided"] {
            let output = run(&["check", "--format", "junit", "--only", only], &[case]);
            let found = elements(&String::from_utf8(output.stdout).unwrap());
            let count = |name: &str| found.iter().filter(|(element, _)| element == name).count();
            let wanted = |class: &str| {
                let intents = facts["intents"].as_array().unwrap();
                let fits = only == "all" || only == class;
                if fits { intents.iter().filter(|intent| intent["class"] == class).count() } else { 0 }
            };
            let name = format!("{} {only}", case.display());
            assert_eq!(count("failure"), wanted("violation"), "{name}");
            assert_eq!(count("error"), wanted("undecided"), "{name}");
            assert_eq!(count("skipped"), wanted("open"), "{name}");
            let suite = found.iter().find(|(element, _)| element == "testsuite").unwrap();
            let said = |of: &str| suite.1.iter().find(|(attribute, _)| attribute == of).unwrap().1.clone();
            let counts =
                ["failure", "error", "skipped", "testcase"].map(|element| count(element).to_string());
            assert_eq!([said("failures"), said("errors"), said("skipped"), said("tests")], counts, "{name}");
        }
    }
}

#[test]
fn csv_is_read_back_and_tables_of_markdown_keep_their_cells() {
    let (_folder, cases) = cases();
    for case in &cases {
        let facts: Value =
            serde_json::from_slice(&run(&["check", "--format", "json"], &[case]).stdout).unwrap();
        let text = run(&["check", "--format", "csv"], &[case]).stdout;
        let mut reader = csv::Reader::from_reader(&*text);
        assert_eq!(reader.headers().unwrap().len(), 33, "{}", case.display());
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let intents = facts["intents"].as_array().unwrap();
        assert_eq!(rows.len(), intents.len(), "{}", case.display());
        for (row, intent) in rows.iter().zip(intents) {
            assert_eq!(row.get(5), intent["verdict"].as_str());
            assert!(row.iter().all(|cell| !cell.starts_with(['=', '+', '@', '\t', '\r'])), "{row:?}");
        }
        let table = String::from_utf8(run(&["list", "--format", "markdown", "--limit", "0"], &[case]).stdout)
            .unwrap();
        for line in table.lines().filter(|line| line.starts_with('|')) {
            // A bar of the data has a backslash before it, and so has a backslash.
            let (mut bars, mut escaped) = (0, false);
            for character in line.chars() {
                bars += usize::from(character == '|' && !escaped);
                escaped = character == '\\' && !escaped;
            }
            assert_eq!(bars, 9, "{line}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_ends_every_command_quietly_by_its_rule() {
    let folder = tempfile::tempdir().unwrap();
    let case = folder.path().join("case");
    planted::plant(&case, &corpus::samples(), true);
    let given = runs::Given {
        text: "",
        name: "",
        id: "op2:",
        row: "",
        absent: "",
        lone: "",
        case: &case,
        out: folder.path(),
    };
    let calls: Vec<_> = runs::all()
        .filter(|(command, _)| {
            matches!(
                command.name,
                "check"
                    | "list"
                    | "report"
                    | "hazards"
                    | "affected"
                    | "case sources"
                    | "handover"
                    | "case sniff"
                    | "dev states"
                    | "help"
            )
        })
        .collect();
    let wrong = parallel(&calls, |(command, format)| {
        let args: Vec<OsString> =
            runs::call(command, *format, &given).into_iter().filter(|arg| !arg.is_empty()).collect();
        let whole = runs::run(&args, folder.path());
        let mut child = Command::new(env!("CARGO_BIN_EXE_recount"))
            .args(&args)
            .current_dir(folder.path())
            .env("HOME", folder.path())
            .env("XDG_CONFIG_HOME", folder.path())
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        let same = ended.status.code() == whole.status.code() && ended.stderr == whole.stderr;
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        let name =
            format!("{} {}: {:?} {said}", command.name, format.unwrap_or_default(), ended.status.code());
        if same { Vec::new() } else { vec![name] }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
