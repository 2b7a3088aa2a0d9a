//! Traces of other systems: what is read of each, exactly, and what it says beside a ledger (`docs/formats.md`).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use recount::judge::view::{AttemptView, IntentView};
use recount::model::outcome::Class;
use recount::sources::spec::What;
use serde_json::Value;

use crate::world::{World, case, codes, file, loaded};

const NOW: &str = "2026-10-05T18:00:00Z";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn data(name: &str) -> PathBuf {
    root().join("tests/it/data/traces").join(name)
}

fn recount(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recount"));
    command.args(words).current_dir(root()).env("HOME", "/nonexistent").stdin(Stdio::null());
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "XDG_CONFIG_HOME"] {
        command.env_remove(name);
    }
    command
}

fn sniffed(path: &Path) -> Value {
    let output = recount(&["sniff", "--now", NOW, "--format", "json"]).arg(path).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Format, framing, records = used + skipped + unreadable, and classes: ok, reused, fail, unknown; reads.
type Counts = (&'static str, &'static str, [u64; 4], [u64; 4], u64);

fn counts(seen: &Value) -> (String, String, [u64; 4], [u64; 4], u64) {
    let text = |name: &str| seen[name].as_str().unwrap_or_default().to_owned();
    let number = |value: &Value| value.as_u64().unwrap();
    let records = ["records", "used", "skipped", "unreadable"].map(|name| number(&seen[name]));
    let classes = ["ok", "ok_reused", "fail", "unknown"].map(|name| number(&seen["attempts"][name]));
    assert_eq!((number(&seen["attempts"]["already"]), number(&seen["attempts"]["open"])), (0, 0));
    (text("format"), text("framing"), records, classes, number(&seen["reads"]))
}

fn agrees(path: &Path, want: Counts) {
    let (format, framing, records, classes, reads) = counts(&sniffed(path));
    assert_eq!((format.as_str(), framing.as_str(), records, classes, reads), want, "{}", path.display());
}

const OWN: [(&str, Counts); 17] = [
    ("mcp.jsonl", ("mcp", "jsonl", [18, 12, 6, 0], [1, 0, 1, 3], 1)),
    ("mcp-cancelled.jsonl", ("mcp", "jsonl", [5, 4, 1, 0], [1, 0, 0, 1], 0)),
    ("mcp-nothing-on-timeout.jsonl", ("mcp", "jsonl", [6, 4, 2, 0], [1, 0, 0, 1], 0)),
    ("mcp-sessions.jsonl", ("mcp", "jsonl", [4, 4, 0, 0], [2, 0, 0, 0], 0)),
    ("desktop.log", ("claude-desktop", "lines", [13, 8, 4, 1], [2, 0, 0, 2], 0)),
    ("inspector.json", ("mcp-inspector", "json", [5, 5, 0, 0], [1, 0, 1, 2], 0)),
    ("inspector-network.json", ("mcp-inspector", "json", [3, 3, 0, 0], [1, 0, 0, 2], 0)),
    ("otlp.jsonl", ("otlp", "jsonl", [13, 11, 2, 0], [2, 1, 0, 3], 0)),
    ("otlp-content-off.json", ("otlp", "json", [1, 1, 0, 0], [0, 0, 0, 1], 0)),
    ("otlp-mcp.jsonl", ("otlp", "jsonl", [5, 5, 0, 0], [1, 0, 1, 2], 0)),
    ("otlp-dialects.jsonl", ("otlp", "jsonl", [6, 4, 2, 0], [1, 0, 0, 3], 0)),
    ("otlp-console.txt", ("otlp", "json", [2, 2, 0, 0], [1, 0, 0, 1], 0)),
    ("jaeger.json", ("jaeger", "jsonl", [3, 3, 0, 0], [1, 0, 0, 1], 0)),
    ("browser.har", ("har", "jsonl", [3, 3, 0, 0], [1, 0, 0, 1], 1)),
    ("runner.har", ("har", "json", [2, 2, 0, 0], [1, 0, 0, 1], 0)),
    ("access.jsonl", ("access-log", "jsonl", [3, 3, 0, 0], [1, 0, 0, 1], 1)),
    ("access.log", ("access-log", "lines", [2, 2, 0, 0], [1, 0, 0, 1], 0)),
];

#[test]
fn each_format_gives_exactly_its_attempts() {
    for (name, want) in OWN {
        agrees(&data(name), want);
    }
    agrees(&data("envoy.jsonl"), ("access-log", "jsonl", [3, 3, 0, 0], [1, 0, 0, 2], 0));
}

/// The shared samples of the same formats, where they lie on this machine.
#[test]
fn shared_samples() {
    let samples: [(&str, Counts); 14] = [
        ("mcp_raw_frames_no_envelope.jsonl", ("mcp", "jsonl", [11, 10, 1, 0], [1, 0, 1, 3], 0)),
        ("captured_mcp_python_2.x_timeout_frames.jsonl", ("mcp", "jsonl", [6, 4, 2, 0], [1, 0, 0, 1], 0)),
        (
            "claude_desktop_mcp-server-refunds.log",
            ("claude-desktop", "lines", [16, 10, 5, 1], [1, 0, 1, 3], 0),
        ),
        ("mcp_inspector_network_export.json", ("mcp-inspector", "json", [2, 2, 0, 0], [1, 0, 0, 1], 0)),
        ("mcp_inspector_protocol_export.json", ("mcp-inspector", "json", [4, 4, 0, 0], [1, 0, 1, 1], 0)),
        ("otlp_file_exporter.jsonl", ("otlp", "jsonl", [9, 8, 1, 0], [1, 1, 0, 2], 0)),
        ("otlp_mcp_semconv.jsonl", ("otlp", "jsonl", [5, 5, 0, 0], [1, 0, 1, 2], 0)),
        ("otlp_dialects.jsonl", ("otlp", "jsonl", [4, 3, 1, 0], [1, 0, 0, 2], 0)),
        ("otlp_request_pretty_content_off.json", ("otlp", "json", [1, 1, 0, 0], [0, 0, 0, 1], 0)),
        ("jaeger_ui_download.json", ("jaeger", "json", [2, 2, 0, 0], [1, 0, 0, 1], 0)),
        ("chrome_devtools.har", ("har", "json", [2, 2, 0, 0], [1, 0, 0, 1], 0)),
        ("playwright.har", ("har", "json", [2, 2, 0, 0], [1, 0, 0, 1], 0)),
        ("nginx_access_json.jsonl", ("access-log", "jsonl", [2, 2, 0, 0], [1, 0, 0, 1], 0)),
        ("nginx_access_combined.log", ("access-log", "lines", [2, 2, 0, 0], [1, 0, 0, 1], 0)),
    ];
    for (name, want) in samples {
        let path = root().join("../shared/formats").join(name);
        if path.exists() {
            agrees(&path, want);
        }
    }
}

fn with_ledger(traces: &[&str], ledger: &str) -> World {
    let traces = traces.iter().map(|name| file(What::Trace, name, &data(name)));
    loaded(case(NOW, traces.chain([file(What::Ledger, "ledger", &data(ledger))])))
}

/// Class, key (its first 13 letters) and receipt of each attempt.
fn told(attempts: &[AttemptView]) -> Vec<(Class, &str, &str)> {
    let told = |a: &AttemptView| (a.class, a.key.len().min(13), a.receipt.len());
    attempts.iter().map(|a| (told(a).0, a.key.get(..told(a).1).unwrap(), a.receipt.as_str())).collect()
}

fn of_order(world: &World, order: &str) -> Vec<IntentView> {
    world.views().into_iter().filter(|view| view.business_id == order).collect()
}

#[test]
fn keys_receipts_and_intents() {
    use Class::{Fail, Ok, OkReused, Unknown};
    let world = with_ledger(&["otlp.jsonl"], "refunds.csv");
    let double = &of_order(&world, "order:7341")[0];
    let (k1, k2) = ("0a6c1f34-b001", "0a6c1f34-b002");
    assert_eq!(told(&double.attempts), [(Unknown, k1, ""), (Ok, k2, "rf_82")]);
    assert_eq!(double.judgement.verdict(), "DUPLICATED");
    // The same key twice, the second answered from a store: one effect, settled.
    let again = &of_order(&world, "order:2290")[0];
    let ka = "0a6c1f34-aaaa";
    assert_eq!(told(&again.attempts), [(Unknown, ka, ""), (OkReused, ka, "rf_70")]);
    assert_eq!((again.judgement.verdict(), again.judgement.gross), ("MATCHED", 1));
    // One tool whose library sent twice: two attempts.
    let twice = &of_order(&world, "order:9015")[0];
    let kc = "0a6c1f34-c001";
    assert_eq!(told(&twice.attempts), [(Unknown, kc, ""), (Ok, kc, "rf_90")]);

    let world = with_ledger(&["mcp.jsonl"], "refunds.csv");
    let double = &of_order(&world, "order:7341").into_iter().find(|view| view.attempts.len() > 1).unwrap();
    assert_eq!(told(&double.attempts), [(Unknown, "", "rf_81"), (Ok, "", "rf_82")]);
    assert!(double.attempts[0].unseen && !double.attempts[1].unseen);
    assert!(codes(&double.judgement).contains(&"ANSWER_NOT_SEEN"));
    let views = world.views();
    let unknown_tool = views.iter().find(|view| view.attempts[0].tool == "refund_ordr").unwrap();
    assert_eq!(told(&unknown_tool.attempts), [(Fail, "", "")]);
    let open = of_order(&world, "order:9015");
    assert_eq!(told(&open[0].attempts), [(Unknown, kc, "")]);

    let world = with_ledger(&["mcp-sessions.jsonl"], "refunds.csv");
    assert_eq!(told(&of_order(&world, "order:2290")[0].attempts), [(Ok, "", "rf_70")]);
    assert_eq!(told(&of_order(&world, "order:7341")[0].attempts), [(Ok, "", "rf_82")]);

    let world = with_ledger(&["browser.har"], "refunds.csv");
    let double = world.views().into_iter().find(|view| view.attempts.len() == 2).unwrap();
    assert_eq!(told(&double.attempts), [(Unknown, k1, ""), (Ok, k2, "rf_82")]);
}

#[test]
fn a_call_that_goes_on_as_a_task_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tasks.jsonl");
    let lines = [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"refund_order","arguments":{"order_id":"7341"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","task":{"taskId":"t-1","status":"working"}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"t-1"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{"taskId":"t-1","status":"working"}}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":"t-1"}}"#,
        r#"{"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"id\":\"rf_81\"}"}]}}"#,
    ];
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    agrees(&path, ("mcp", "jsonl", [6, 3, 3, 0], [1, 0, 0, 0], 0));
    std::fs::write(&path, lines.get(..4).unwrap().join("\n") + "\n").unwrap();
    agrees(&path, ("mcp", "jsonl", [4, 2, 2, 0], [0, 0, 0, 1], 0));
}

#[test]
fn wire_and_agent_are_one_attempt() {
    // What the agent saw and what went over the wire, each alone and both together.
    let counted = |traces: &[&str]| {
        let world = with_ledger(traces, "refunds.csv");
        let view = of_order(&world, "order:7341").remove(0);
        let told: Vec<_> =
            view.attempts.iter().map(|a| (a.tool.clone(), a.class, a.unseen, a.receipt.clone())).collect();
        (told, view.judgement.verdict())
    };
    let row = |class, unseen, receipt: &str| ("refund_order".to_owned(), class, unseen, receipt.to_owned());
    let (agent, verdict) = counted(&["otlp-mcp.jsonl"]);
    assert_eq!(agent, [row(Class::Unknown, true, ""), row(Class::Ok, false, "")]);
    assert_eq!(verdict, "SUSPECTED_DUPLICATE");
    let (both, verdict) = counted(&["otlp-mcp.jsonl", "desktop.log"]);
    assert_eq!(both, [row(Class::Unknown, true, "rf_81"), row(Class::Ok, false, "rf_82")]);
    assert_eq!(verdict, "DUPLICATED");
    assert_eq!(counted(&["desktop.log", "otlp-mcp.jsonl"]).0, both);
}

#[test]
fn a_damaged_record_costs_itself() {
    let folder = tempfile::tempdir().unwrap();
    let damaged = |name: &str, from: &str, to: &str| {
        let text = std::fs::read_to_string(data(name)).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{name} {from}");
        let path = folder.path().join(name);
        std::fs::write(&path, text.replace(from, to)).unwrap();
        counts(&sniffed(&path))
    };
    // The answer is lost, its call is not.
    let seen = damaged(
        "mcp.jsonl",
        r#"{"jsonrpc": "2.0", "id": 21, "result": {"#,
        r#"{"jsonrpc": "2.0", "id": 21, "resu"#,
    );
    assert_eq!((seen.2, seen.3), ([18, 11, 6, 1], [0, 0, 1, 4]));
    // A line with two requests: the others stay.
    let seen = damaged("otlp.jsonl", "call_a1\"", "call_a1");
    assert_eq!((seen.2, seen.3), ([10, 7, 2, 1], [2, 0, 0, 2]));
    let seen = damaged("inspector.json", "\"duration\": 300", "\"duration\": 3oo");
    assert_eq!((seen.2, seen.3), ([5, 4, 0, 1], [0, 0, 1, 2]));
    let seen = damaged("runner.har", "\"time\": -1", "\"time\": -");
    assert_eq!((seen.2, seen.3), ([2, 1, 0, 1], [1, 0, 0, 0]));
    // A file that is still being written: its last line is said to be cut off, the rest counts.
    let text = std::fs::read_to_string(data("mcp-cancelled.jsonl")).unwrap();
    let path = folder.path().join("growing.jsonl");
    std::fs::write(&path, text.get(..text.len() - 40).unwrap()).unwrap();
    let seen = counts(&sniffed(&path));
    assert_eq!((seen.2, seen.3), ([5, 3, 1, 1], [0, 0, 0, 2]));
    std::fs::write(&path, text.trim_end()).unwrap();
    assert_eq!(counts(&sniffed(&path)).3, [1, 0, 0, 1]);
}

#[test]
fn envelopes_are_taken_off() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(data("mcp.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let time = |no: usize| format!("2026-10-05T14:00:{no:02}.5Z");
    let json = |value: Value| value.to_string() + "\n";
    let each = |wrap: &dyn Fn(usize, &str) -> String| -> String {
        lines.iter().enumerate().map(|(no, line)| wrap(no, line)).collect()
    };
    let docker = each(&|no, line| {
        // A long line comes in parts.
        let (first, rest) = line.split_at(line.len() / 2);
        json(serde_json::json!({"log": first, "stream": "stdout", "time": time(no)}))
            + &json(serde_json::json!({"log": format!("{rest}\n"), "stream": "stdout", "time": time(no)}))
    });
    let cri = each(&|no, line| {
        let (first, rest) = line.split_at(line.len() / 2);
        format!("{0} stdout P {first}\n{0} stdout F {rest}\n", time(no))
    });
    let loki = each(&|no, line| {
        json(serde_json::json!({"labels": {"app": "x"}, "line": line, "timestamp": time(no)}))
    });
    let newest_first = loki.lines().rev().flat_map(|line| [line, "\n"]).collect::<String>();
    let events: Vec<Value> = lines
        .iter()
        .enumerate()
        .map(|(no, line)| serde_json::json!({"timestamp": 1_791_208_800_000_u64 + no as u64 * 1000, "message": line, "eventId": no.to_string()}))
        .collect();
    let cloudwatch = serde_json::to_string_pretty(&serde_json::json!({ "events": events })).unwrap();
    let datadog = each(&|no, line| {
        json(serde_json::json!({"message": line, "ddsource": "python", "timestamp": time(no)}))
    });
    let journald = each(&|no, line| {
        let micros = (1_791_208_800_000_000_u64 + no as u64 * 1_000_000).to_string();
        json(serde_json::json!({"MESSAGE": line, "__REALTIME_TIMESTAMP": micros}))
    });
    let twice = docker
        .lines()
        .enumerate()
        .map(|(no, line)| json(serde_json::json!({"MESSAGE": line, "__REALTIME_TIMESTAMP": (1_791_208_800_000_000_u64 + no as u64).to_string()})))
        .collect::<String>();
    for (name, text, framing) in [
        ("docker.log", docker, "container runtime > jsonl"),
        ("cri.log", cri, "container runtime > jsonl"),
        ("loki.json", loki, "Loki > jsonl"),
        ("newest.json", newest_first, "Loki > jsonl"),
        ("cloudwatch.json", cloudwatch, "CloudWatch > jsonl"),
        ("datadog.json", datadog, "Datadog > jsonl"),
        ("journald.json", journald, "journald > jsonl"),
        ("twice.json", twice, "journald > container runtime > jsonl"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let seen = sniffed(&path);
        let (format, found, records, classes, reads) = counts(&seen);
        assert_eq!((format.as_str(), found.as_str()), ("mcp", framing), "{name}");
        assert_eq!((records, classes, reads), ([18, 12, 6, 0], [1, 0, 1, 3], 1), "{name}");
        assert!(
            seen["first"].as_str().unwrap().starts_with("2026-10-05T14:00:0"),
            "{name}: {}",
            seen["first"]
        );
    }
}

#[test]
fn packed_files_and_pipes() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().unwrap();
    let bytes = std::fs::read(data("otlp.jsonl")).unwrap();
    let packed = folder.path().join("spans.jsonl.gz");
    let mut gz =
        flate2::write::GzEncoder::new(std::fs::File::create(&packed).unwrap(), flate2::Compression::fast());
    gz.write_all(&bytes).unwrap();
    gz.finish().unwrap();
    agrees(&packed, OWN[7].1);

    let mut piped = recount(&["sniff", "-", "--now", NOW, "--format", "json"]);
    let mut child = piped.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(counts(&seen).3, OWN[7].1.3);

    let fifo = folder.path().join("spans");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let writer = {
        let fifo = fifo.clone();
        std::thread::spawn(move || std::fs::write(fifo, bytes).unwrap())
    };
    agrees(&fifo, OWN[7].1);
    writer.join().unwrap();
}

/// Rows of the tables in `docs/formats.md`.
fn rows(columns: usize) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root().join("docs/formats.md")).unwrap();
    text.lines()
        .filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"))
        .map(|line| {
            format!("`{line}").split(" | ").map(|cell| cell.trim_matches('`').to_owned()).collect::<Vec<_>>()
        })
        .filter(|row| row.len() == columns)
        .collect()
}

#[test]
fn the_commands_of_the_page_open_their_files() {
    let rows = rows(5);
    assert!(rows.len() >= 7);
    for row in rows {
        let words: Vec<&str> = row[3].split_whitespace().collect();
        assert_eq!(words[0], "recount", "{row:?}");
        let output = recount(&words[1..]).output().unwrap();
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            output.status.code().map(|code| code.to_string()).as_ref(),
            Some(&row[4]),
            "{row:?}: {shown}"
        );
        let trace = words.iter().find(|word| word.contains("data/traces/")).unwrap();
        assert_eq!(sniffed(&root().join(trace))["format"], row[0].as_str(), "{trace}");
    }
}

#[test]
fn the_pairs_of_the_page() {
    let rows = rows(4);
    assert!(rows.len() >= 18);
    for row in rows {
        let path = |cell: &str| root().join(cell);
        let world = loaded(case(
            NOW,
            [file(What::Trace, "trace", &path(&row[0])), file(What::Ledger, "ledger", &path(&row[1]))],
        ));
        let double: Vec<IntentView> = world
            .views()
            .into_iter()
            .filter(|view| {
                ["order:7341", "invoice:7731"].contains(&view.business_id.as_str())
                    || view
                        .effects
                        .iter()
                        .any(|e| ["rf_81", "rf_82", "cr_B1", "cr_B2"].contains(&e.id.as_str()))
            })
            .filter(|view| view.attempts.iter().any(|attempt| !attempt.read))
            .collect();
        let verdicts: Vec<&str> = double.iter().map(|view| view.judgement.verdict()).collect();
        assert!(
            !verdicts.is_empty() && verdicts.iter().all(|verdict| *verdict == row[3]),
            "{row:?}: {verdicts:?}"
        );
    }
}
