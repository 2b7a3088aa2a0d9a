//! The binary itself: exit codes, streams, files, pipes (`7-commands.md` 7.5).

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data").join(name)
}

fn recount() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recount"));
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "XDG_CONFIG_HOME"] {
        command.env_remove(name);
    }
    command.env("HOME", "/nonexistent").stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Output {
    recount().args(args).output().unwrap()
}

fn exit(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn check_json(name: &str, more: &[&str]) -> Value {
    let path = sample(name);
    let args = [&["check", path.to_str().unwrap(), "--format", "json"], more].concat();
    serde_json::from_slice(&run(&args).stdout).unwrap()
}

/// `7-commands.md` 8.5.
const SAMPLES: [(&str, i32, &str); 13] = [
    ("normal", 0, "NO VIOLATION OBSERVED"),
    ("double-refund", 1, "VIOLATION FOUND"),
    ("neutral", 0, "NO VIOLATION OBSERVED"),
    ("idempotent", 0, "NO VIOLATION OBSERVED"),
    ("refunds-2026-11-30", 1, "VIOLATION FOUND"),
    ("no-ids", 3, "INCONCLUSIVE"),
    ("on-its-way", 1, "VIOLATION FOUND"),
    ("read-position", 3, "INCONCLUSIVE"),
    ("lineage", 1, "VIOLATION FOUND"),
    ("currencies", 1, "VIOLATION FOUND"),
    ("hazards", 0, "NO VIOLATION OBSERVED"),
    ("tests-as-suspects", 0, "NO VIOLATION OBSERVED"),
    ("broken", 3, "INCONCLUSIVE"),
];

#[test]
fn every_sample_has_its_exit_code_in_every_format() {
    for (name, code, result) in SAMPLES {
        let path = sample(name);
        let path = path.to_str().unwrap();
        for format in ["text", "json", "jsonl", "csv", "markdown"] {
            let output = run(&["check", path, "--format", format]);
            assert_eq!(exit(&output), code, "{name} {format}: {}", stderr(&output));
            assert_eq!(stderr(&output), "", "{name} {format}");
            let text = stdout(&output);
            assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{name} {format}");
            match format {
                "text" => assert!(text.starts_with(result), "{name}: {text}"),
                "json" => assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["result"], result),
                "jsonl" => {
                    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
                    assert_eq!((&last["type"], &last["exit"]), (&"summary".into(), &code.into()));
                }
                "csv" => assert!(text.starts_with("intent_id,operation_id,kind,")),
                _ => assert!(text.starts_with(&format!("# {result}")), "{name}: {text}"),
            }
        }
    }
}

#[test]
fn the_case_of_the_specification_has_its_figures() {
    let value = check_json("refunds-2026-11-30", &[]);
    let summary = &value["summary"];
    for (name, number) in [
        ("intents", 52),
        ("attempts", 61),
        ("effects", 54),
        ("rows", 51),
        ("violations", 3),
        ("undecided", 6),
        ("open", 1),
        ("clean", 41),
        ("divergent", 8),
        ("orphans", 1),
        ("outside", 5),
        ("overdue", 2),
    ] {
        assert_eq!(summary[name], number, "{name}");
    }
    for (name, minor) in
        [("at_risk", 47_500), ("undecided_at_risk", 140_500), ("out_too_much", 40_000), ("owed", 90_000)]
    {
        assert_eq!(summary[name], serde_json::json!([{"currency": "USD", "minor": minor}]), "{name}");
    }
    let first = &value["intents"][0];
    assert_eq!(
        (&first["intent_id"], &first["rule"], &first["words"]),
        (&"int_9876".into(), &"R05".into(), &"happened twice".into())
    );
    assert_eq!(first["unacknowledged_effects"], serde_json::json!(["rfd_a1"]));
    assert_eq!(value["intents"].as_array().unwrap().len(), 52);
    assert_eq!(value["groups"][0]["members"], serde_json::json!(["int_6001", "int_6002"]));
    assert_eq!(value["orphans"][0]["effect_id"], "rf_77");
    assert_eq!(value["problems"][0]["where"], "payments.db refunds rowid 48190");
    assert_eq!(value["clock"], "fixed");
}

#[test]
fn only_and_limit_choose() {
    let value = check_json("refunds-2026-11-30", &["--only", "violation"]);
    assert_eq!(value["intents"].as_array().unwrap().len(), 4);
    assert_eq!(value["orphans"].as_array().unwrap().len(), 0);
    let path = sample("refunds-2026-11-30");
    let text = stdout(&run(&["check", path.to_str().unwrap(), "--limit", "2"]));
    assert!(text.ends_with("7 more: --limit 0, or --format csv\n"), "{text}");
}

#[test]
fn one_intent_by_any_of_its_ids() {
    let path = sample("refunds-2026-11-30");
    let path = path.to_str().unwrap();
    for id in ["int_9876", "order:1234", "1234", "refund:order_1234:request_9876", "rfd_a1", "req_9876"] {
        let output = run(&["check", path, "--intent", id]);
        assert!(
            stdout(&output).contains("\n  Expected effect count: 1\n  Expected effect total: USD 200.00\n"),
            "{id}"
        );
        let shown = run(&["show", id, path]);
        assert_eq!(exit(&shown), 0, "{id}: {}", stderr(&shown));
        assert!(stdout(&shown).starts_with("Happened twice   DUPLICATED R05 S1"), "{id}");
    }
    let several = run(&["show", "order:6001", path]);
    assert_eq!(exit(&several), 2);
    assert!(stderr(&several).contains("names 2 intents"), "{}", stderr(&several));
    assert_eq!(exit(&run(&["show", "no-such-id", path])), 2);
    let apart = run(&["show", "rf_77", path]);
    assert_eq!(exit(&apart), 0, "{}", stderr(&apart));
    assert!(
        stdout(&apart).contains("\norder:7777  refund:order_7777:request_31  rf_77\n"),
        "{}",
        stdout(&apart)
    );
    let whole: Value =
        serde_json::from_slice(&run(&["show", "int_9876", path, "--format", "json"]).stdout).unwrap();
    assert_eq!(
        (&whole["schema"], whole["attempts"].as_array().unwrap().len()),
        (&"recount.intent.v1".into(), 2)
    );
}

#[test]
fn files_without_a_case() {
    let folder = sample("double-refund");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (trace, store) = (at("trace.jsonl"), at("store.db"));
    for args in [vec![trace.as_str(), &store], vec!["--trace", &trace, "--ledger", &store]] {
        let output = recount().arg("check").args(&args).output().unwrap();
        assert_eq!(exit(&output), 1, "{}", stderr(&output));
        assert!(
            stdout(&output).contains("\n  Observed effect count: 2\n  Observed effect total: USD 400.00\n")
        );
    }
    let ci = run(&["check", "--property", "at-most-once", "--ledger-final", &trace, &store]);
    assert!(
        stdout(&ci).starts_with("VIOLATION FOUND   (at-most-once)   final by declaration\n"),
        "{}",
        stdout(&ci)
    );
}

#[test]
fn a_trace_or_a_ledger_alone() {
    let folder = sample("double-refund");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let trace = run(&["check", &at("trace.jsonl"), "--format", "json"]);
    assert_eq!(exit(&trace), 3);
    let value: Value = serde_json::from_slice(&trace.stdout).unwrap();
    assert_eq!(value["intents"][0]["verdict"], "SOURCE_NOT_READ");
    assert!(value["intents"][0]["observed"].is_null());
    let ledger = run(&["check", &at("store.db")]);
    assert_eq!(exit(&ledger), 3);
    assert!(stdout(&ledger).contains("no attempts loaded: a ledger alone gives suspicions only"));
    assert!(stdout(&ledger).contains("POSSIBLE DOUBLE OUTSIDE   2 rows / USD 400.00"), "{}", stdout(&ledger));
}

#[test]
fn what_cannot_be_opened() {
    let folder = sample("double-refund");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let only = run(&["check", "--trace", &at("trace.jsonl"), "--ledger", &at("stroe.db")]);
    assert_eq!((exit(&only), stdout(&only).as_str()), (4, ""));
    assert!(
        stderr(&only).contains("stroe.db: there is no such file; did you mean `store.db`?"),
        "{}",
        stderr(&only)
    );
    let other = run(&[
        "check",
        "--trace",
        &at("trace.jsonl"),
        "--ledger",
        &at("store.db"),
        &at("copy.csv"),
        "--copy-of",
        "copy=store",
    ]);
    assert_eq!(exit(&other), 1, "{}", stderr(&other));
    assert!(stderr(&other).contains("copy.csv was not read: "), "{}", stderr(&other));
}

#[test]
fn usage_errors_are_exit_2_on_standard_error() {
    for (args, said) in [
        (&["chekc"][..], "no command and no file \"chekc\"; did you mean check?\n"),
        (&["check", "--onl", "all"], "check has no option --onl; did you mean --only?"),
        (&["show"], "show needs ID"),
        (&["explain", "DUPLICATE"], "did you mean DUPLICATED?"),
        (&["help", "chekc"], "no command \"chekc\"; did you mean check?"),
        (&["demo", "normla"], "no sample is called \"normla\"; did you mean normal?"),
    ] {
        let output = run(args);
        assert_eq!((exit(&output), stdout(&output).as_str()), (2, ""), "{args:?}");
        assert!(stderr(&output).contains(said), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn without_anything_it_explains_itself() {
    let empty = tempfile::tempdir().unwrap();
    let output = recount().current_dir(empty.path()).output().unwrap();
    assert_eq!(exit(&output), 0);
    assert_eq!(stdout(&output).lines().count(), 10);
    let check = recount().arg("check").current_dir(empty.path()).output().unwrap();
    assert_eq!(exit(&check), 2);
    assert!(stderr(&check).starts_with("nothing to read: "), "{}", stderr(&check));
    let readable =
        recount().current_dir(sample("double-refund").join("..").join("read-position")).arg("check").output();
    assert_eq!(exit(&readable.unwrap()), 3, "the case of this folder");
    std::fs::copy(sample("double-refund").join("trace.jsonl"), empty.path().join("t.jsonl")).unwrap();
    let output = recount().current_dir(empty.path()).output().unwrap();
    assert!(stdout(&output).contains("\n  recount .  "), "{}", stdout(&output));
}

#[test]
fn help_and_version() {
    let help = run(&["--help"]);
    assert!(stdout(&help).starts_with("recount counts again what really happened.\n"));
    assert_eq!(stdout(&run(&["help"])), stdout(&help));
    assert_eq!(stdout(&run(&["check", "--help"])), stdout(&run(&["help", "check"])));
    assert!(stdout(&run(&["help", "all"])).contains("\nexit codes\n"));
    assert!(stdout(&run(&["--version"])).starts_with("recount 0.1.0 "));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let path = sample("no-ids");
    let mut child = recount()
        .args(["check", path.to_str().unwrap(), "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut begin = [0; 16];
    child.stdout.as_mut().unwrap().read_exact(&mut begin).unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((exit(&output), stderr(&output).as_str()), (3, ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let path = sample("normal");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = recount().args(["check", path.to_str().unwrap()]).stdout(full).output().unwrap();
    assert_eq!(exit(&output), 4);
    assert!(stderr(&output).starts_with("cannot write to standard output: "), "{}", stderr(&output));
}

#[test]
fn output_goes_to_a_file_once() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("check.json");
    let (case, out) = (sample("normal"), out.to_str().unwrap());
    let args = ["check", case.to_str().unwrap(), "--format", "json", "--out", out];
    let output = run(&args);
    assert_eq!((exit(&output), stdout(&output)), (0, format!("{out}\n")));
    let value: Value = serde_json::from_slice(&std::fs::read(out).unwrap()).unwrap();
    assert_eq!(value["schema"], "recount.check.v1");
    let again = run(&args);
    assert_eq!(exit(&again), 2);
    assert!(stderr(&again).contains("exists and is not overwritten; --force overwrites it"));
    assert_eq!(exit(&run(&[&args[..], &["--force"]].concat())), 0);
}

#[test]
fn what_is_read_is_never_written() {
    let folder = tempfile::tempdir().unwrap();
    let case = folder.path().join("dr");
    std::fs::create_dir(&case).unwrap();
    for file in std::fs::read_dir(sample("double-refund")).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), case.join(file.file_name())).unwrap();
    }
    std::fs::hard_link(case.join("store.db"), folder.path().join("hard.db")).unwrap();
    let path = |name: &str| case.join(name).to_str().unwrap().to_owned();
    let (trace, store) = (path("trace.jsonl"), path("store.db"));
    let before: Vec<Vec<u8>> = ["trace.jsonl", "store.db", "recount.toml"]
        .map(|name| std::fs::read(case.join(name)).unwrap())
        .into();
    let mut outs =
        vec![trace.clone(), store.clone(), path("store.db-wal"), path("../hard.db"), path("../dr/store.db")];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&store, folder.path().join("soft.db")).unwrap();
        outs.push(path("../soft.db"));
    }
    let refused = |args: &[&str], out: &str| {
        for more in [&[][..], &["--read-only"]] {
            let output = run(&[args, &["--out", out, "--force"], more].concat());
            assert_eq!((exit(&output), stdout(&output)), (2, String::new()), "{args:?} {out}");
            let why = format!(
                "--out {out} is a file that this call reads, and what is read is never written; name another place with --out"
            );
            assert!(stderr(&output).contains(&why), "{}", stderr(&output));
        }
    };
    for out in &outs {
        refused(&["check", &trace, &store], out);
        refused(&["sniff", &trace, &store], out);
    }
    let folder_of = case.to_str().unwrap();
    for command in ["check", "list", "sources"] {
        for name in ["recount.toml", "trace.jsonl", "store.db"] {
            refused(&[command, folder_of], &path(name));
        }
    }
    let after: Vec<Vec<u8>> = ["trace.jsonl", "store.db", "recount.toml"]
        .map(|name| std::fs::read(case.join(name)).unwrap())
        .into();
    assert!(before == after);
    // Elsewhere, a new file may be written read-only; nothing is overwritten then.
    let new = path("../new.txt");
    assert_eq!(exit(&run(&["check", folder_of, "--read-only", "--out", &new])), 1);
    let again = run(&["check", folder_of, "--read-only", "--out", &new, "--force"]);
    assert_eq!(exit(&again), 2);
    assert!(stderr(&again).contains("--read-only overwrites no file"));
}

#[test]
fn standard_input_and_packed_files_are_read() {
    let folder = sample("double-refund");
    let trace = std::fs::read(folder.join("trace.jsonl")).unwrap();
    let store = folder.join("store.db");
    let mut child = recount()
        .args(["check", "-", store.to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&trace).unwrap();
    assert_eq!(exit(&child.wait_with_output().unwrap()), 1);
    let twice = run(&["check", "--trace", "-", "--ledger", "-"]);
    assert_eq!(
        (exit(&twice), stderr(&twice).as_str()),
        (2, "- is standard input, which can be read only once\n")
    );
    let place = tempfile::tempdir().unwrap();
    let packed = place.path().join("trace.jsonl.gz");
    let mut file =
        flate2::write::GzEncoder::new(std::fs::File::create(&packed).unwrap(), flate2::Compression::fast());
    file.write_all(&trace).unwrap();
    file.finish().unwrap();
    let output = run(&["check", packed.to_str().unwrap(), store.to_str().unwrap()]);
    assert_eq!(exit(&output), 1, "{}", stderr(&output));
}

#[test]
fn colour_only_where_it_is_wanted() {
    let path = sample("normal");
    let path = path.to_str().unwrap();
    assert!(!stdout(&run(&["check", path])).contains('\u{1b}'));
    assert!(
        stdout(&run(&["check", path, "--color", "always"]))
            .starts_with("\u{1b}[1mNO VIOLATION OBSERVED\u{1b}[0m")
    );
    let forced = recount().args(["check", path]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(stdout(&forced).contains('\u{1b}'));
    let never =
        recount().args(["check", path, "--color", "never"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(!stdout(&never).contains('\u{1b}'));
}

#[test]
fn sources_sniff_and_tools() {
    let case = sample("refunds-2026-11-30");
    let sources = run(&["sources", case.to_str().unwrap()]);
    assert!(
        stdout(&sources).contains(
            "\n  rows read 49   used 44   outside 3   unattributed 1   set aside 0   unreadable 1\n"
        ),
        "{}",
        stdout(&sources)
    );
    let value: Value =
        serde_json::from_slice(&run(&["case", "sources", case.to_str().unwrap(), "--format", "json"]).stdout)
            .unwrap();
    assert_eq!(value["schema"], "recount.sources.v1");
    let sniffed = run(&["sniff", case.join("trace.jsonl").to_str().unwrap(), "--format", "json"]);
    let value: Value = serde_json::from_slice(&sniffed.stdout).unwrap();
    assert_eq!(
        (exit(&sniffed), &value["role"], &value["records"], &value["reads"]),
        (0, &"trace".into(), &205.into(), &3.into())
    );
    let unknown = run(&["sniff", case.join("README.md").to_str().unwrap(), "--format", "json"]);
    let value: Value = serde_json::from_slice(&unknown.stdout).unwrap();
    assert_eq!((exit(&unknown), &value["recognised"], &value["format"]), (4, &false.into(), &Value::Null));
    let key = run(&[
        "key",
        "--field",
        "order_id=4812",
        "--field",
        "intent_type=refund",
        "--field",
        "amount_minor:=20000",
        "--field",
        "currency=USD",
    ]);
    assert!(stdout(&key).ends_with("\n789fe20ff934e8ab951e404e84c5b83044c6ee453bf7a1526af5036ad2e3faa6\n"));
    let explained = run(&["explain", "R05"]);
    assert_eq!((exit(&explained), stdout(&explained).lines().count()), (0, 4));
}

/// What is hashed is what a pipe gets, byte for byte.
#[test]
fn canon_and_key_print_the_bytes_that_are_hashed() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("p.json");
    std::fs::write(&file, "{\"a\": \"\u{202e}\u{7f}\"}").unwrap();
    let form = "{\"a\":\"\u{202e}\u{7f}\"}";
    let hash = "28675a8f76c405231d324428994f8952da25041bc8864e9829643c56736958ba";
    let canon = run(&["canon", file.to_str().unwrap()]);
    assert_eq!((exit(&canon), stdout(&canon)), (0, format!("{form}\nsha256 {hash}\n")));
    let key = run(&["key", "--field", "a=\u{202e}\u{7f}"]);
    assert_eq!((exit(&key), stdout(&key)), (0, format!("{form}\n{hash}\n")));
}

/// `7-commands.md` 7.5.5: a ledger that is not there is said, and the rest decides.
#[test]
fn a_missing_ledger_is_no_question_about_copies() {
    let case = sample("double-refund");
    let (trace, ledger) = (case.join("trace.jsonl"), case.join("store.db"));
    let args = [
        "check",
        "--trace",
        trace.to_str().unwrap(),
        "--ledger",
        ledger.to_str().unwrap(),
        "--now",
        "2026-11-30T12:00:00Z",
    ];
    let alone = run(&args);
    let two = run(&[&args[..], &["--ledger", "nofile.csv"]].concat());
    assert_eq!((exit(&alone), exit(&two)), (1, 1), "{}", stderr(&two));
    assert_eq!(stderr(&two), "nofile.csv was not read: nofile.csv: there is no such file; check the path\n");
    assert!(stdout(&two).starts_with("VIOLATION FOUND"), "{}", stdout(&two));
}

#[test]
fn a_demo_is_a_copy_of_a_sample() {
    let place = tempfile::tempdir().unwrap();
    let output = recount()
        .args(["demo", "normal", "--headless", "--only", "all"])
        .env("TMPDIR", place.path())
        .output()
        .unwrap();
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("(MATCHED R22)"), "{}", stdout(&output));
    assert!(stderr(&output).starts_with("sample case normal copied to "));
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 1);
    let list = run(&["demo", "--list"]);
    assert_eq!(stdout(&list).lines().count(), SAMPLES.len());
}

#[test]
fn two_ledgers_without_a_word_name_the_flags() {
    let case = sample("refunds-2026-11-30");
    let at = |name: &str| case.join(name).to_str().unwrap().to_owned();
    let output = run(&["check", &at("trace.jsonl"), &at("payments.db"), &at("books.csv")]);
    assert_eq!((exit(&output), stdout(&output).as_str()), (2, ""));
    assert!(
        stderr(&output).contains("\n  --copy-of books=payments\n  --part books,payments\n"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_tree_puts_a_row_under_the_call_that_made_it() {
    let tree = |name: &str| {
        let text = stdout(&run(&["show", "int_9876", sample(name).to_str().unwrap(), "--tree"]));
        text.lines().skip(1).take_while(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        tree("neutral"),
        [
            "decision #1",
            "└─ refund_order(USD 200.00)   operation refund:order_1234:request_9876   08:40:58.102Z",
            "   ├─ REFUND COMMITTED",
            "   └─ RESPONSE LOST",
            "decision #2",
            "└─ get_order()   08:41:03.640Z",
            "   └─ ANSWERED",
        ]
    );
    // A receipt that is given again belongs to the call that was open when the row was committed.
    assert_eq!(
        tree("idempotent"),
        [
            "decision #1",
            "└─ get_order()   08:40:56.870Z",
            "   └─ ANSWERED",
            "decision #2",
            "└─ refund_order(USD 200.00)   operation refund:order_1234:request_9876   08:40:58.102Z",
            "   ├─ REFUND COMMITTED",
            "   └─ RESPONSE LOST",
            "decision #3",
            "└─ refund_order(USD 200.00)   operation refund:order_1234:request_9876   08:41:07.350Z",
            "   └─ ANSWERED: DONE BEFORE",
            "decision #4",
            "└─ get_order()   08:41:08.240Z",
            "   └─ ANSWERED",
        ]
    );
}

#[test]
fn show_says_what_is_said_of_the_run() {
    let text = stdout(&run(&["show", "int_9876", sample("idempotent").to_str().unwrap()]));
    let said = "  run run_idempotent: scenario idempotent, agent scripted, parallel tool calls false, sdk retries 0, \
                retry policy retry-once, server idempotent, fault commit-then-disconnect, 4 turns\n";
    assert!(text.contains(said), "{text}");
    // A read has the number of the call before it, and no row beside it.
    assert_eq!(text.matches("rfd_8d417fa0  08:40:59.212Z").count(), 1, "{text}");

    // A recorded run names its model and what it ran on.
    let folder = tempfile::tempdir().unwrap();
    let made = std::fs::read_to_string(sample("double-refund").join("trace.jsonl")).unwrap();
    let named = made.replace(
        "\"agent\":\"scripted\"",
        "\"agent\":\"refunds\",\"model\":\"gpt-5.6-luna\",\"sdk\":\"OpenAI Python SDK 2.54.0, MCP Python SDK 2.2.0\"",
    );
    let trace = folder.path().join("trace.jsonl");
    std::fs::write(&trace, named).unwrap();
    let store = sample("double-refund").join("store.db");
    let args = [
        "show",
        "int_9876",
        trace.to_str().unwrap(),
        store.to_str().unwrap(),
        "--now",
        "2026-11-30T09:00:00Z",
    ];
    let text = stdout(&run(&args));
    let said = "agent refunds, model gpt-5.6-luna, sdk OpenAI Python SDK 2.54.0, MCP Python SDK 2.2.0, parallel tool calls false, sdk retries 0,";
    assert!(text.contains(said), "{text}");
}

/// A ledger alone gives suspicions: two rows of one operation id are raised (`7-commands.md` 7.5.1).
#[test]
fn a_ledger_alone_raises_what_stands_twice() {
    let store = sample("double-refund").join("store.db");
    let output = run(&["check", store.to_str().unwrap()]);
    assert_eq!(exit(&output), 3);
    let text = stdout(&output);
    assert!(text.contains("no attempts loaded: a ledger alone gives suspicions only"), "{text}");
    assert!(text.contains("Two rows carry one operation id and have no attempt here"), "{text}");
    let output = run(&["check", store.to_str().unwrap(), "--format", "json"]);
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["orphans"][0]["possible_double"], true);
    assert_eq!(value["orphans"][0]["operation_id"], "refund:order_1234:request_9876");
}

#[test]
fn a_trace_alone_says_that_no_ledger_was_given() {
    let trace = sample("double-refund").join("trace.jsonl");
    let output = run(&["check", trace.to_str().unwrap()]);
    assert_eq!(exit(&output), 3);
    let text = stdout(&output);
    assert!(text.contains("No ledger was given, so this request is not compared."), "{text}");
    assert!(!text.contains("could not be opened"), "{text}");
}

#[test]
fn rows_later_than_the_clock_have_a_time() {
    let output =
        run(&["check", sample("refunds-2026-11-30").to_str().unwrap(), "--now", "2026-01-01T00:00:00Z"]);
    let text = stdout(&output);
    assert!(text.contains("every row is later than the clock"), "{text}");
    assert!(!text.contains("no row has a time"), "{text}");
}

#[test]
fn control_totals_stand_per_currency_with_the_line_that_confirms_them() {
    let text = stdout(&run(&["sources", sample("double-refund").to_str().unwrap()]));
    assert!(text.contains("USD 400.00 in 2 rows"), "{text}");
    let confirm = text.lines().find_map(|line| line.trim().strip_prefix("confirm: ")).unwrap();
    let store = rusqlite::Connection::open(sample("double-refund").join("store.db")).unwrap();
    let found: (String, i64, i64) =
        store.query_row(confirm, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    assert_eq!(found, ("USD".to_owned(), 2, 40_000));
}

#[test]
fn several_words_are_explained_without_quotes() {
    for words in [&["explain", "CANNOT TELL YET"][..], &["explain", "CANNOT", "TELL", "YET"]] {
        assert!(stdout(&run(words)).starts_with("CANNOT TELL YET   (label)"));
    }
}

#[test]
fn one_intent_that_is_not_clean_says_what_is_unreadable_and_why() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let call = r#"{"operation_id":"op1","tool":"refund","amount":"200.00","currency":"USD","sent_at":"2026-11-30T08:00:00Z","ended_at":"2026-11-30T08:00:01Z","outcome":"OUTCOME","attempt_id":"a1"}"#;
    let header = "refund_id,operation_id,order_id,amount,currency,committed_at\n";
    let ledger = write(
        "l.csv",
        &format!(
            "{header}üx1,op1,1,200.00,USD,2026-11-30T08:00:01Z\nr9,op9,9,1.00,USD,2026-11-30T10:00:00Z\n"
        ),
    );
    let check =
        |trace: &str| run(&["check", "--trace", trace, "--ledger", &ledger, "--now", "2026-11-30T12:00:00Z"]);
    let cut =
        write("t.jsonl", &format!("{}\n{{\"operation_id\":\"op1\",\"to", call.replace("OUTCOME", "success")));
    let output = check(&cut);
    assert_eq!(exit(&output), 3);
    assert!(stdout(&output).contains("1 trace line unreadable (t.jsonl line 2: "), "{}", stdout(&output));
    let other = write("o.jsonl", &format!("{}\n", call.replace("OUTCOME", "kaputt")));
    let text = stdout(&check(&other));
    assert!(text.contains("The attempt has an outcome that is not a known word: \"kaputt\""), "{text}");
    assert!(!text.contains("Üx1"), "{text}");
}

#[test]
fn a_window_without_calls_says_why_nothing_was_judged() {
    let path = sample("double-refund");
    let output = run(&["check", path.to_str().unwrap(), "--since", "2027-01-01T00:00:00Z"]);
    assert_eq!(exit(&output), 4);
    let text = stdout(&output);
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with("INPUT ERROR"), "{text}");
    let why = lines.next().unwrap();
    assert!(
        why.starts_with("no call could be looked at in the trace: ")
            && why.ends_with("lie outside --since and --until; choose a window that holds the calls"),
        "{text}"
    );
    assert!(text.contains("no row lies within --since and --until"), "{text}");
    assert!(!text.contains("no row has a time"), "{text}");
}

#[test]
fn a_violation_beside_unreadable_lines_names_them() {
    let dir = tempfile::tempdir().unwrap();
    let from = sample("double-refund");
    let trace = dir.path().join("trace.jsonl");
    let mut text = std::fs::read_to_string(from.join("trace.jsonl")).unwrap();
    text.push_str("{\"event\":\"attempt\",\"attempt_id\":\n");
    std::fs::write(&trace, &text).unwrap();
    let lines = text.lines().count();
    let ledger = from.join("store.db");
    let output = run(&["check", "--trace", trace.to_str().unwrap(), "--ledger", ledger.to_str().unwrap()]);
    assert_eq!(exit(&output), 1);
    let text = stdout(&output);
    assert!(text.starts_with("VIOLATION FOUND"), "{text}");
    assert!(text.contains(&format!("1 trace line unreadable (trace.jsonl line {lines}: ")), "{text}");
}
