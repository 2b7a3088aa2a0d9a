use std::io::Write as _;
use std::path::Path;

use super::*;
use crate::model::row::SourceNo;
use crate::sources::recording::{Recording, spec as in_memory};
use crate::sources::spec::{Options, What};

fn spec(path: &Path, what: What) -> SourceSpec {
    SourceSpec {
        id: "s".to_owned(),
        what,
        location: Location::File(path.to_owned()),
        shown: "SHOWN".to_owned(),
        format: None,
        options: Options::default(),
    }
}

fn file(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn words(path: &Path, what: What) -> String {
    let error = open(&spec(path, what), &Hints::default()).unwrap_err().to_string();
    error.strip_prefix("SHOWN: ").unwrap().to_owned()
}

fn read(opened: &Opened) -> (Recording, Finished) {
    let mut out = Recording::default();
    let finished = opened.read_all(SourceNo(3), &Arc::default(), &mut out).unwrap();
    (out, finished)
}

#[test]
// One table of what is said.
#[allow(clippy::too_many_lines)]
fn what_cannot_be_opened_says_what_and_what_next() {
    let folder = tempfile::tempdir().unwrap();
    let trace = file(&folder, "trace.jsonl", b"{\"event\":\"attempt\",\"attempt_id\":\"a\"}\n");
    let ledger = file(&folder, "refunds.csv", b"refund_id,order_id,amount\nrf,1,2\n");
    let wanted = file(&folder, "wanted.jsonl", b"{\"operation_id\":\"o\",\"amount\":\"1\",\"count\":1}\n");
    for (path, what, want) in [
        (
            folder.path().join("trace.json"),
            What::Trace,
            "there is no such file; did you mean `trace.jsonl`?; check the path",
        ),
        (folder.path().join("zzz"), What::Trace, "there is no such file; check the path"),
        (
            folder.path().to_owned(),
            What::Trace,
            "it is a folder; give the files in it, or a case folder with `recount.toml` alone",
        ),
        (
            file(&folder, "empty", b""),
            What::Trace,
            "it is empty; if it is still being written, try again later",
        ),
        (
            // Only the header of a gzip file, then junk.
            file(&folder, "bad.gz", b"\x1f\x8b\x08\x00garbage"),
            What::Trace,
            "the gzip file is cut off or damaged after 0 unpacked bytes: incomplete deflate stream; get the file again",
        ),
        (
            file(&folder, "bad2.gz", b"\x1f\x8b\x08\x00garbage"),
            What::Ledger,
            "the gzip file is cut off or damaged after 0 unpacked bytes: incomplete deflate stream; get the file again",
        ),
        (
            file(&folder, "twice.csv", b"refund_id,amount,amount,currency\nr1,200.00,300.00,USD\n"),
            What::Ledger,
            "the column `amount` stands in the header 2 times: give each column a name of its own",
        ),
        (
            ledger.clone(),
            What::Trace,
            "it holds effects (a ledger), not attempts (a trace); give it with --ledger",
        ),
        (
            trace.clone(),
            What::Ledger,
            "it holds attempts (a trace), not effects (a ledger); give it with --trace",
        ),
        (wanted, What::Ledger, "it holds expectations, not effects (a ledger); give it with --expect"),
        (
            file(&folder, "letter.txt", b"Dear all\n"),
            What::Trace,
            "there are no records in it: it is plain text, beginning \"Dear all\"; give JSON lines, JSON, CSV or a SQLite database",
        ),
        (
            file(&folder, "x.zip", b"PK\x03\x04"),
            What::Trace,
            "it is a zip archive; make it readable first: `unzip FILE`",
        ),
        (
            file(&folder, "x.log", br#"{"log":"Dear all\n","stream":"stdout","time":"t"}"#),
            What::Trace,
            "there are no records in it: it is plain text, beginning \"Dear all\"; give JSON lines, JSON, CSV or a SQLite database",
        ),
        (
            file(&folder, "x.json", b"{\"a\":1,\"b\":2}"),
            What::Trace,
            "it cannot be read as attempts (a trace): no name in it says whether it holds attempts or effects; its names \
             are a, b; name its fields in the mapping",
        ),
        (
            file(&folder, "latin.csv", b"order_id,amount,caf\xe9\n"),
            What::Ledger,
            "its header is not UTF-8; convert it with `iconv -f latin1 -t UTF-8`",
        ),
    ] {
        assert_eq!(words(&path, what), want);
    }
    let mut named = spec(&trace, What::Trace);
    named.format = Some("cvs".to_owned());
    let error = open(&named, &Hints::default()).unwrap_err().to_string();
    let want = "the format `cvs` is not known; did you mean `csv`?; known are native, generic, experiment, otlp, jaeger,";
    assert!(error.starts_with(&format!("SHOWN: {want}")), "{error}");
    // A named format or a mapping is a person's word and goes before the guess.
    let mut named = spec(&ledger, What::Trace);
    named.format = Some("generic".to_owned());
    named.options = crate::sources::recording::mapped(&[("tool", "order_id")]);
    assert_eq!(open(&named, &Hints::default()).unwrap().format, "generic");
}

/// A mapping says where fields stand; it makes no effects of calls.
#[test]
fn calls_are_no_ledger_whatever_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let native =
        br#"{"event":"attempt","attempt_id":"a","operation_id":"op1","sent_at":"2026-10-05T10:00:00Z"}"#;
    let generic =
        br#"{"operation_id":"op1","tool":"refund","outcome":"ok","ts":"2026-10-05T10:00:00Z","amount":1}"#;
    let table = b"\xef\xbb\xbfAttempt ID;operation_id;sent_at;amount\r\na;op1;2026-10-05T10:00:00Z;1\r\n";
    let spans = br#"{"resourceSpans":[{"scopeSpans":[{"spans":[{"spanId":"1","name":"refund"}]}]}]}"#;
    let mapping = [("effect_id", "attempt_id"), ("operation_id", "operation_id"), ("amount", "amount")];
    for (name, bytes) in
        [("n.jsonl", &native[..]), ("g.jsonl", generic), ("t.csv", table), ("s.jsonl", spans)]
    {
        let path = file(&folder, name, bytes);
        for (format, columns) in [
            (Some("jsonl"), &[][..]),
            (None, &mapping[..]),
            (Some("json"), &mapping[..2]),
            (Some("csv"), &mapping[..]),
        ] {
            let mut named = spec(&path, What::Ledger);
            named.format = format.map(str::to_owned);
            named.options = crate::sources::recording::mapped(columns);
            let error = open(&named, &Hints::default()).unwrap_err().to_string();
            let want = "SHOWN: it holds attempts (a trace), not effects (a ledger); give it with --trace";
            assert_eq!(error, want, "{name} {format:?} {columns:?}");
        }
    }
    // A mail ledger has `sent_at`, and books may say by which tool a row was made: a mapping reads both.
    for row in [
        &br#"{"message_id":"m1","operation_id":"op1","sent_at":"2026-10-05T10:00:00Z"}"#[..],
        br#"{"message_id":"m1","operation_id":"op1","tool":"send_email","date":"2026-10-05T10:00:00Z"}"#,
    ] {
        let path = file(&folder, "mail.jsonl", row);
        let mut named = spec(&path, What::Ledger);
        named.options = crate::sources::recording::mapped(&[("effect_id", "message_id")]);
        assert_eq!(open(&named, &Hints::default()).unwrap().format, "jsonl");
    }
}

#[test]
fn permission_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "closed.csv", b"refund_id,amount\n");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    // The administrator may read everything.
    if File::open(&path).is_err() {
        assert_eq!(words(&path, What::Ledger), "permission denied; ask its owner for the right to read it");
    }
}

#[test]
fn packed_files_pipes_and_what_breaks_off() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        b"{\"event\":\"attempt\",\"attempt_id\":\"a\"}\n{\"event\":\"attempt\",\"attempt_id\":\"b\"}\n";
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(text).unwrap();
    let gz = packer.finish().unwrap();
    let path = file(&folder, "t.jsonl.gz", &gz);
    let opened = open(&spec(&path, What::Trace), &Hints::default()).unwrap();
    assert_eq!(read(&opened).0.words(), ["attempt id=a", "attempt id=b"]);
    assert_eq!(opened.place_words(37).unwrap(), "t.jsonl.gz line 2");
    let opened = open(&in_memory(What::Trace, Options::default(), &gz), &Hints::default()).unwrap();
    assert_eq!(read(&opened).0.lines.len(), 2);
    let cut = file(&folder, "cut.gz", &gz[..gz.len() - 4]);
    let opened = open(&spec(&cut, What::Trace), &Hints::default()).unwrap();
    let (out, finished) = read(&opened);
    assert_eq!(out.words()[..2], ["attempt id=a", "attempt id=b"]);
    assert!(
        out.words()[2]
            .starts_with("UNREADABLE_LINE the gzip file is cut off or damaged after 74 unpacked bytes")
    );
    assert!(finished.incomplete.is_some());
    let database = in_memory(What::Ledger, Options::default(), b"SQLite format 3\0and more");
    let error = open(&database, &Hints::default()).unwrap_err().to_string();
    assert_eq!(
        error,
        "source: a SQLite database cannot be read from a pipe or a packed file; give the path of the file itself"
    );
}

#[test]
fn a_source_is_read_in_parts_as_it_is_whole() {
    let lines = (0..500).fold(String::new(), |lines, n| {
        lines + &format!("{{\"event\":\"attempt\",\"attempt_id\":\"a{n}\"}}\n")
    });
    let opened =
        open(&in_memory(What::Trace, Options::default(), lines.as_bytes()), &Hints::default()).unwrap();
    assert!(opened.splits().unwrap());
    let (whole, finished) = read(&opened);
    assert_eq!((whole.lines.len(), finished.records), (500, 500));
    let mut parts = Recording::default();
    let never = AtomicBool::new(false);
    for from in (0..opened.len()).step_by(101) {
        opened.worker(SourceNo(3)).unwrap().part(from..from + 101, &never, &mut parts).unwrap();
    }
    assert_eq!(parts.lines, whole.lines);
    let array =
        open(&in_memory(What::Trace, Options::default(), b"[{\"tool\":\"t\"}]"), &Hints::default()).unwrap();
    assert!(!array.splits().unwrap() && array.worker(SourceNo(0)).is_none());
}

#[test]
fn both_parsers_give_the_same() {
    let text = b"{\"event\":\"attempt\",\"attempt_id\":\"\\u00e9\",\"payload\":\"{\\\"order_id\\\":\\\"1\\\"}\"}\n{\"event\":\"attempt\",\"a\":1,\"a\":2}\n";
    let of = |parser| {
        let hints = Hints { parser, ..Hints::default() };
        read(&open(&in_memory(What::Trace, Options::default(), text), &hints).unwrap()).0.lines
    };
    assert_eq!(of(Parser::Scan), of(Parser::Serde));
    assert_eq!(of(Parser::Shapes), of(Parser::Serde));
}

#[test]
fn one_record_again() {
    let long = "x".repeat(5000);
    let text = format!(
        "{{\"event\":\"attempt\",\"attempt_id\":\"ä\",\"payload\":{{\"a\":{{\"b\":[1,2]}},\"n\":null,\"t\":\"q\\\"\"}},\"ok\":true}}\r\n{{\"event\":\"attempt\",\"note\":\"{long}\"}}\n"
    );
    let opened =
        open(&in_memory(What::Trace, Options::default(), text.as_bytes()), &Hints::default()).unwrap();
    let fields = opened.fields(0).unwrap();
    let pairs: Vec<(&str, &str)> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(
        pairs,
        [
            ("event", "attempt"),
            ("attempt_id", "ä"),
            ("payload.a.b", "[1,2]"),
            ("payload.t", "q\""),
            ("ok", "true")
        ]
    );
    let second = text.find('\n').unwrap() as u64 + 1;
    let raw = opened.raw(second).unwrap();
    assert_eq!((raw.shown.len(), raw.cut, raw.whole.len()), (4096, true, 5000 + 29));
    let raw = opened.raw(0).unwrap();
    assert!(!raw.cut && raw.whole == raw.shown && raw.whole.ends_with("true}"));
    assert_eq!(opened.place_words(second).unwrap(), "source line 2");
}

#[test]
fn a_record_that_is_no_utf8_is_shown() {
    let opened = open(
        &in_memory(What::Trace, Options::default(), b"{\"event\":\"attempt\"}\n{\"event\":\"\xff\"}\n"),
        &Hints::default(),
    )
    .unwrap();
    assert_eq!(opened.raw(20).unwrap().whole, "{\"event\":\"\\xFF\"}");
    assert_eq!(opened.fields(20).unwrap(), []);
}

#[test]
fn a_sidecar_counts_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "l.csv", b"effect_id,amount\na,1\nb,2\n");
    file(&folder, "l.csv.position.json", br#"{"rows":3,"exported_at":"2026-11-30T09:00:00Z"}"#);
    let opened = open(&spec(&path, What::Ledger), &Hints::default()).unwrap();
    assert_eq!(opened.spec.options.exported_at.as_deref(), Some("2026-11-30T09:00:00Z"));
    let (out, finished) = read(&opened);
    assert_eq!(out.words().last(), Some(&"CONTROL_TOTAL_DIFFERS the sidecar states 3 rows, there are 2"));
    assert_eq!(
        (finished.records, finished.incomplete.as_deref()),
        (2, Some("the sidecar states 3 rows, there are 2"))
    );
    file(&folder, "l.csv.position.json", br#"{"rows":2}"#);
    assert_eq!(read(&open(&spec(&path, What::Ledger), &Hints::default()).unwrap()).1.incomplete, None);
}

#[test]
fn ids_of_traces_are_collected() {
    let text = b"{\"event\":\"attempt\",\"operation_id\":\"op\",\"key\":\"k\",\"payload\":{\"order_id\":\"1\"}}\nbroken\n";
    let opened = open(&in_memory(What::Trace, Options::default(), text), &Hints::default()).unwrap();
    let array = open(
        &in_memory(What::Trace, Options::default(), b"[{\"tool\":\"t\",\"key\":\"k2\"}]"),
        &Hints::default(),
    )
    .unwrap();
    let ids = trace_ids(&[&opened, &array], &Arc::default());
    assert!(ids.operations.contains("op") && ids.keys.contains("k") && ids.keys.contains("k2"));
    assert!(ids.business.contains("order:1"));
}

#[test]
fn cancelled_is_said() {
    let opened =
        open(&in_memory(What::Trace, Options::default(), b"[{\"tool\":\"t\"}]"), &Hints::default()).unwrap();
    let cancelled = Arc::new(AtomicBool::new(true));
    let failure = opened.read_all(SourceNo(0), &cancelled, &mut Recording::default()).unwrap_err();
    assert_eq!(failure.to_string(), "the reading was cancelled");
}

#[test]
fn paths_without_a_role_are_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "x.csv", b"refund_id,amount\n");
    let look = |path: &Path| look_at(&Location::File(path.to_owned()), &Hints::default());
    let (found, kept) = look(&path).unwrap();
    assert!(matches!(found, Sniff::Known { format: "csv", what: What::Ledger, .. }));
    assert!(matches!(kept, Location::File(_)));
    assert!(matches!(look(folder.path()), Err(Problem::Folder)));
    assert!(matches!(look(&file(&folder, "none", b"")), Err(Problem::Empty)));
    // A pipe is read once and kept.
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if made.is_ok_and(|status| status.success()) {
        let writer = pipe.clone();
        let thread = std::thread::spawn(move || std::fs::write(writer, "{\"tool\":\"t\"}\n").unwrap());
        let (found, kept) = look(&pipe).unwrap();
        assert!(matches!(found, Sniff::Known { format: "generic", .. }));
        assert!(matches!(kept, Location::Memory(bytes) if bytes.len() == 13));
        thread.join().unwrap();
    }
}

#[test]
fn an_empty_ledger_has_no_rows() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [("a", &b""[..]), ("b", b"\n"), ("c", b"\xEF\xBB\xBF\r\n  \r\n")] {
        let opened = open(&spec(&file(&folder, name, bytes), What::Ledger), &Hints::default()).unwrap();
        let (recording, finished) = read(&opened);
        assert_eq!(
            recording.lines.iter().filter(|l| !l.contains("blank")).count(),
            0,
            "{:?}",
            recording.lines
        );
        assert_eq!((opened.format, finished.records, finished.incomplete), ("jsonl", 0, None));
        assert_eq!(opened.why, "there are no rows in it");
    }
    for (name, text) in [("e", "[ ]"), ("f", "{\"refunds\":[],\"count\":0}"), ("g", "{\n \"data\": [\n]}\n")]
    {
        let opened =
            open(&spec(&file(&folder, name, text.as_bytes()), What::Ledger), &Hints::default()).unwrap();
        let (recording, finished) = read(&opened);
        assert_eq!((opened.format, finished.records, recording.lines.len()), ("json", 0, 0), "{text}");
    }
    // One row with an empty list in it is a row.
    let row = file(&folder, "h", b"{\"refund_id\":\"rf\",\"amount\":\"1\",\"items\":[]}");
    let (recording, finished) = read(&open(&spec(&row, What::Ledger), &Hints::default()).unwrap());
    assert_eq!((recording.lines.len(), finished.records), (1, 1));
    let mut named = spec(&file(&folder, "d", b""), What::Ledger);
    named.format = Some("csv".to_owned());
    assert_eq!(open(&named, &Hints::default()).unwrap().format, "csv");
    // What has rows of its own kind needs them.
    named.format = Some("experiment-effects".to_owned());
    assert_eq!(
        open(&named, &Hints::default()).unwrap_err().to_string(),
        "SHOWN: it is empty; if it is still being written, try again later"
    );
}

/// Frames of many sizes with noise, damage and blank lines between them.
fn frames(end: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for no in 0..6_000 {
        let reason = "x".repeat(no % 997);
        let call = format!(
            r#"{{"ts":"2026-11-30T10:00:00Z","session":"s","msg":{{"jsonrpc":"2.0","id":{no},"method":"tools/call","params":{{"name":"refund_order","arguments":{{"order_id":"{no}","amount":"1.00","currency":"USD","reason":"{reason}"}}}}}}}}"#
        );
        let answer = format!(
            r#"{{"ts":"2026-11-30T10:00:01Z","session":"s","msg":{{"jsonrpc":"2.0","id":{no},"result":{{"content":[{{"type":"text","text":"{{\"refund_id\":\"rf_{no}\",\"note\":\"{reason}\"}}"}}]}}}}}}"#
        );
        for line in [call, answer] {
            let line = match no % 101 {
                7 => line.replacen("\"params\"", "\"id\":1,\"params\"", 1),
                8 => line.chars().take(line.len() / 2).collect(),
                9 => "server listening".to_owned(),
                10 => String::new(),
                11 => format!("  {line}  "),
                _ => line,
            };
            bytes.extend_from_slice(line.as_bytes());
            if no % 101 == 12 {
                bytes.push(0xff);
            }
            bytes.extend_from_slice(end.as_bytes());
        }
    }
    // The last line is still being written.
    bytes.extend_from_slice(br#"{"ts":"2026-11-30T10:00:02Z","msg":{"jsonrpc":"2.0","id":9"#);
    bytes
}

#[test]
fn two_threads_read_what_one_reads() {
    let folder = tempfile::tempdir().unwrap();
    for (name, end) in [("lf.jsonl", "\n"), ("crlf.jsonl", "\r\n")] {
        let bytes = frames(end);
        assert!(bytes.len() as u64 > ahead::FROM);
        let path = file(&folder, name, &bytes);
        let with = |threads| {
            let hints = Hints { threads, ..Hints::default() };
            let opened = open(&spec(&path, What::Trace), &hints).unwrap();
            assert_eq!(opened.format, "mcp");
            read(&opened)
        };
        let ((one, first), (two, second)) = (with(1), with(2));
        assert!(one.lines.len() > 5_900);
        assert_eq!(two.lines, one.lines);
        assert_eq!((two.used, second.records), (one.used, first.records));
        assert_eq!(second.incomplete, first.incomplete);
    }
}
