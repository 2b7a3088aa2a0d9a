//! `case init`, `case add`, `case remove`: what stands in `recount.toml` afterwards, with and without a terminal.

use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

const TRACE: &str = r#"{"operation_id":"op_1","attempt":1,"tool":"refund_order","arguments":{"order_id":"7001","amount":"25.00","currency":"EUR"},"sent_at":"2026-11-30T09:00:00Z","ended_at":"2026-11-30T09:00:05Z","outcome":"timeout"}
{"operation_id":"op_1","attempt":2,"tool":"refund_order","arguments":{"order_id":"7001","amount":"25.00","currency":"EUR"},"sent_at":"2026-11-30T09:00:10Z","ended_at":"2026-11-30T09:00:12Z","outcome":"success"}
"#;
const PROVIDER: &str = "refund_id,operation_id,order_id,amount,currency,created_at\n\
    rf_1,op_1,7001,25.00,EUR,2026-11-30T09:00:04Z\nrf_2,op_1,7001,25.00,EUR,2026-11-30T09:00:11Z\n\
    rf_9,op_x,1,1.00,EUR,2026-11-30T10:00:00Z\n";
const BOOKS: &str = "id,provider_ref,order,amount,created_at\nb1,rf_1,7001,25.00,2026-11-30 09:00:04\nb9,rf_9,1,1.00,2026-11-30 10:00:00\n";

/// A folder with these files.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("trace.jsonl", TRACE), ("provider.csv", PROVIDER), ("books.csv", BOOKS)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn recount(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recount"));
    command.args(words).current_dir(folder).env("HOME", folder).env_remove("RECOUNT_OPERATOR");
    command.stdin(std::process::Stdio::null()).output().unwrap()
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn config(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("recount.toml")).unwrap()
}

#[test]
fn a_case_is_made_added_to_and_taken_from() {
    let folder = folder();
    let at = folder.path();
    let (exit, out, err) = said(&recount(at, &["case", "init", "case", "trace.jsonl", "provider.csv"]));
    assert_eq!((exit, err.as_str()), (Some(0), ""), "{out}");
    assert_eq!(
        out,
        "trace  trace  generic trace.jsonl  2 lines\nprovider  ledger  csv provider.csv  3 rows\n\
         Written to case/recount.toml. Nothing was copied.\n"
    );
    let case = at.join("case");
    let path = |name: &str| at.join(name).display().to_string();
    let first = format!(
        "[case]\nid = \"case\"\n\n[traces.trace]\npath = \"{}\"\n\n[sources.provider]\npath = \"{}\"\n\n\
         [sources.provider.columns]\noperation_id = \"operation_id\"\nbusiness_id = \"order_id\"\namount = \"amount\"\n\
         currency = \"currency\"\neffect_id = \"refund_id\"\ncommitted_at = \"created_at\"\n",
        path("trace.jsonl"),
        path("provider.csv")
    );
    assert_eq!(config(&case), first);
    assert_eq!(recount(at, &["check", "case"]).status.code(), Some(1));
    // Only its owner reads it: it may hold addresses.
    assert_eq!(std::fs::metadata(case.join("recount.toml")).unwrap().permissions().mode() & 0o777, 0o600);

    // What is there stays; what is the same is said to be.
    let (exit, out, err) = said(&recount(at, &["init", "case", "books.csv"]));
    assert_eq!((exit, out.as_str()), (Some(2), ""));
    assert!(err.starts_with(
        "case/recount.toml is there already and stays as it is: recount case add FILE.. --case case"
    ));
    let (exit, out, _) = said(&recount(at, &["add", "provider.csv", "--case", "case"]));
    assert_eq!((exit, out.as_str()), (Some(0), "provider.csv is already in the case, as provider\n"));
    assert_eq!(config(&case), first);

    // A second ledger needs a word, and without a terminal the flags are named.
    let (exit, out, err) = said(&recount(at, &["add", "books.csv", "--case", "case"]));
    assert_eq!((exit, out.as_str()), (Some(2), ""));
    assert!(err.contains("is books (books.csv) your copy of provider ("), "{err}");
    assert!(err.contains("\n  --copy-of books=provider\n  --part books,provider\n"), "{err}");
    assert_eq!(config(&case), first);
    let tools = "\n[tools.refund_order]   # ours\nledger = \"provider\"\n";
    let mine = format!("# Mine.\n{first}{tools}");
    std::fs::write(case.join("recount.toml"), &mine).unwrap();
    let add = ["add", "books.csv?id=own", "--case", "case", "--copy-of", "own=provider", "--zone", "UTC"];
    let (exit, out, err) = said(&recount(at, &add));
    assert_eq!((exit, err.as_str()), (Some(0), ""));
    assert_eq!(
        out,
        "own  ledger  csv books.csv  2 rows\nWritten to case/recount.toml. Nothing was copied.\n"
    );
    let section = format!(
        "\n[sources.own]\npath = \"{}\"\nzone = \"UTC\"\ncopy_of = \"provider\"\n\n[sources.own.columns]\n\
         business_id = \"order\"\namount = \"amount\"\neffect_id = \"id\"\ncommitted_at = \"created_at\"\n\
         external_ref = \"provider_ref\"\n",
        path("books.csv")
    );
    assert_eq!(config(&case), format!("# Mine.\n{first}{section}{tools}"));
    assert_eq!(recount(at, &["check", "case"]).status.code(), Some(1));

    // What others name stays; an id that is not there names the nearest.
    let (exit, _, err) = said(&recount(at, &["case", "remove", "provider", "--case", "case"]));
    assert_eq!(exit, Some(2));
    assert!(err.contains("named by copy_of of [sources.own], ledger of [tools.refund_order]"), "{err}");
    let (exit, _, err) = said(&recount(at, &["case", "remove", "onw", "--case", "case"]));
    assert_eq!(exit, Some(2));
    assert!(
        err.contains("did you mean `own`?") && err.contains("its sources: trace, own, provider"),
        "{err}"
    );
    let (exit, out, _) = said(&recount(at, &["case", "remove", "own", "--case", "case"]));
    assert_eq!(exit, Some(0));
    assert_eq!(out, "own is no longer in case/recount.toml. Its file and what the book says of it stay.\n");
    assert_eq!(config(&case), mine);
    assert!(at.join("books.csv").is_file());
}

#[test]
fn what_cannot_be_used_is_not_written() {
    let folder = folder();
    let at = folder.path();
    std::fs::write(at.join("empty.csv"), "").unwrap();
    std::fs::write(at.join("some.jsonl"), format!("{TRACE}{{\"operation_id\": broken\n")).unwrap();
    let (exit, out, err) = said(&recount(at, &["add", "provider.csv"]));
    assert_eq!((exit, out.as_str()), (Some(4), ""));
    assert!(err.contains("recount.toml is not there: recount case init DIR FILES makes a case"), "{err}");
    let (exit, _, err) = said(&recount(at, &["init", ".", "empty.csv"]));
    assert_eq!(exit, Some(4), "{err}");
    assert!(!at.join("recount.toml").exists());
    let (exit, out, _) = said(&recount(at, &["init", "case", "some.jsonl", "provider.csv"]));
    assert_eq!(exit, Some(3), "some lines could not be read: {out}");
    // Rows of a ledger too, whether a trace stands beside it or not, and in whosever scope they are.
    let head = "effect_id,operation_id,amount_minor,currency,created_at\n";
    let bad = "re_8,refund:elsewhere:8,2O00,EUR,2026-01-05T10:00:00Z\n";
    let good = "re_9,refund:elsewhere:9,2000,EUR,2026-01-05T10:00:00Z\n";
    std::fs::write(at.join("bad.csv"), format!("{head}{bad}")).unwrap();
    std::fs::write(at.join("half.csv"), format!("{head}{bad}{good}")).unwrap();
    for (words, exit, says) in [
        (
            &["init", "alone", "half.csv"][..],
            3,
            "half  ledger  csv half.csv  2 rows, 1 of them cannot be read\n",
        ),
        (&["init", "beside", "trace.jsonl", "half.csv"], 3, "half.csv  2 rows, 1 of them cannot be read\n"),
        (&["init", "none", "bad.csv"], 4, ""),
        (&["add", "--case", "alone", "--copy-of", "bad=half", "bad.csv"], 4, ""),
    ] {
        let (code, out, err) = said(&recount(at, words));
        assert_eq!(code, Some(exit), "{words:?}: {out}{err}");
        assert!(out.contains(says), "{words:?}: {out}");
    }
    let (exit, _, err) = said(&recount(at, &["init", "other", "trace.jsonl", "--read-only"]));
    assert_eq!((exit, at.join("other").exists()), (Some(2), false), "{err}");
    let (exit, out, _) = said(&recount(at, &["init", "bare"]));
    assert_eq!(exit, Some(0));
    assert_eq!(
        out,
        "Written to bare/recount.toml, without a source yet.\nrecount case add FILE.. --case bare adds some.\n"
    );
    // An address stays unsaid, whatever becomes of it.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("postgres://sesame@127.0.0.1:{closed}/pay?table=refunds&passfile=/sesame");
    let (exit, out, err) = said(&recount(at, &["add", "--case", "bare", &address]));
    assert_eq!(exit, Some(4), "{err}");
    assert!(!out.contains("sesame") && !err.contains("sesame"), "{out}{err}");
    let (exit, _, err) = said(&recount(at, &["add", "--case", "bare", "postgres://u:sesame@h/pay"]));
    assert_eq!(exit, Some(2));
    assert!(!err.contains("sesame"), "{err}");
    assert_eq!(config(&at.join("bare")), "[case]\nid = \"bare\"\n");
}

#[test]
fn a_group_reaches_its_book() {
    let folder = folder();
    let at = folder.path();
    let (exit, out, err) = said(&recount(at, &["init", "case", "trace.jsonl", "--group-book"]));
    assert_eq!(exit, Some(0), "{out}{err}");
    let mode = |path: &str| std::fs::metadata(at.join(path)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode("case"), mode("case/book.db"), mode("case/recount.toml")), (0o2770, 0o660, 0o660));
}

/// Runs a command in a pseudo terminal; each answer is typed when its question stands there.
fn on_a_terminal(folder: &Path, words: &[&str], answers: &[(&str, &str)]) -> (u32, String) {
    let size = PtySize { rows: 40, cols: 200, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_recount"));
    command.args(words);
    command.cwd(folder);
    command.env("HOME", folder);
    command.env("RECOUNT_OPERATOR", "dana");
    command.env("TERM", "xterm");
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut writer = pair.master.take_writer().unwrap();
    let (send, seen) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = reader.read(&mut bytes) {
            let _ = send.send(String::from_utf8_lossy(&bytes[..count]).into_owned());
        }
    });
    let (mut text, mut from, start) = (String::new(), 0, Instant::now());
    for (question, answer) in answers {
        while !text.get(from..).unwrap_or_default().contains(question) {
            assert!(start.elapsed() < Duration::from_secs(60), "{question} was not asked: {text}");
            if let Ok(more) = seen.recv_timeout(Duration::from_millis(100)) {
                text.push_str(&more);
            }
        }
        from = text.len();
        writer.write_all(format!("{answer}\n").as_bytes()).unwrap();
        writer.flush().unwrap();
    }
    let exit = child.wait().unwrap().exit_code();
    while let Ok(more) = seen.recv_timeout(Duration::from_millis(300)) {
        text.push_str(&more);
    }
    (exit, text)
}

#[test]
fn on_a_terminal_what_is_missing_is_asked_and_written_down() {
    let folder = folder();
    let at = folder.path();
    let (exit, text) = on_a_terminal(
        at,
        &["case", "init", "case", "trace.jsonl", "provider.csv", "books.csv"],
        &[
            (
                "Is books (books.csv) where the money moves too, your copy of provider (provider.csv), or another part of it? money, copy or part [copy]",
                "what?",
            ),
            ("money, copy or part [copy]", ""),
            (
                "The times of books have no zone. Which one? UTC, Europe/Berlin, +02:00 [UTC; - leaves it open]",
                "Europe/Berlin",
            ),
            ("The amounts of books have no currency. Which one? [EUR; - leaves it open]", ""),
        ],
    );
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains("recount.toml, with 4 answers. Nothing was copied."), "{text}");
    let written = config(&at.join("case"));
    assert!(written.contains("\n# moves_money: answered by dana at 20"), "{written}");
    assert!(written.contains("\n# copy_of, zone, currency: answered by dana at 20"), "{written}");
    for key in [
        "moves_money = true\n",
        "copy_of = \"provider\"\n",
        "zone = \"Europe/Berlin\"\n",
        "currency = \"EUR\"\n",
    ] {
        assert_eq!(written.matches(key).count(), 1, "{key}{written}");
    }
    // Nothing is asked twice.
    let (exit, text) = on_a_terminal(at, &["check", "case"], &[]);
    assert_eq!(exit, 1, "{text}");
    assert!(!text.contains("Which one?"), "{text}");
}

#[test]
fn a_command_that_reads_asks_what_two_ledgers_mean() {
    let folder = folder();
    let at = folder.path();
    let check = ["check", "trace.jsonl", "provider.csv", "books.csv", "--currency", "EUR", "--zone", "UTC"];
    let question = "or another part of it? money, copy or part [copy]";
    let (exit, text) = on_a_terminal(at, &check, &[(question, "copy"), ("recount.toml here? [y/N]", "n")]);
    assert_eq!(exit, 1, "{text}");
    assert!(
        text.contains("Not written down. The same without a question: --copy-of books=provider"),
        "{text}"
    );
    assert!(!at.join("recount.toml").exists());
    let (exit, text) = on_a_terminal(at, &check, &[(question, ""), ("recount.toml here? [y/N]", "y")]);
    assert_eq!(exit, 1, "{text}");
    let written = config(at);
    assert!(written.contains("[sources.books]\npath = \"books.csv\"\n"), "{written}");
    assert!(
        written.contains("copy_of = \"provider\"\n") && written.contains("# copy_of: answered by dana at 20")
    );
    assert_eq!(recount(at, &["check"]).status.code(), Some(1));
    // In a case the answer is written without another word.
    let open = written.replace("copy_of = \"provider\"\n", "").replace("moves_money = true\n", "");
    std::fs::write(at.join("recount.toml"), open).unwrap();
    let (exit, text) = on_a_terminal(at, &["check"], &[(question, "part")]);
    assert_eq!(exit, 1, "{text}");
    assert_eq!(config(at).matches("part = true\n").count(), 2, "{}", config(at));
    // Without a terminal the flags are named.
    let (exit, _, err) = said(&recount(at, &check));
    assert_eq!(exit, Some(2));
    assert!(err.contains("--copy-of books=provider"), "{err}");
}

#[test]
fn a_source_that_comes_or_goes_stands_in_the_log_of_a_case_that_has_one() {
    let folder = folder();
    let at = folder.path();
    assert_eq!(recount(at, &["case", "init", "case", "trace.jsonl", "provider.csv"]).status.code(), Some(0));
    let note =
        ["note", "op_1", "case", "--note", "The provider was asked about both rows.", "--operator", "dana"];
    let (exit, _, err) = said(&recount(at, &note));
    assert_eq!(exit, Some(0), "{err}");
    let before = config(&at.join("case"));
    let add = ["add", "books.csv?id=own", "--case", "case", "--copy-of", "own=provider", "--zone", "UTC"];
    let (exit, _, err) = said(&recount(at, &[&add[..], &["--operator", "dana"]].concat()));
    assert_eq!(exit, Some(0), "{err}");
    let after = config(&at.join("case"));
    let remove = ["case", "remove", "own", "--case", "case", "--operator", "eve"];
    assert_eq!(recount(at, &remove).status.code(), Some(0));
    assert_eq!(config(&at.join("case")), before);

    let export = at.join("audit.jsonl").display().to_string();
    assert_eq!(
        recount(at, &["audit", "export", "case", "--out", &export, "--operator", "dana"]).status.code(),
        Some(0)
    );
    let text = std::fs::read_to_string(&export).unwrap();
    let entries: Vec<serde_json::Value> =
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let digest = |text: &str| recount::canon::sha256_hex(text.as_bytes());
    let of = |action: &str| {
        entries.iter().map(|line| &line["entry"]).find(|entry| entry["action"] == action).unwrap().clone()
    };
    for (action, name, from, to) in
        [("source_added", "dana", &before, &after), ("source_removed", "eve", &after, &before)]
    {
        let entry = of(action);
        assert_eq!(entry["subject"], serde_json::json!({"type": "source", "id": "own"}));
        assert_eq!(entry["actor"]["name"], name);
        assert_eq!(
            (&entry["before"]["config"], &entry["after"]["config"]),
            (&serde_json::json!(digest(from)), &serde_json::json!(digest(to)))
        );
    }
    assert_eq!(recount(at, &["audit", "verify", "case"]).status.code(), Some(0));
    // What cannot be logged is not done.
    for name in ["book.db-wal", "book.db-shm"] {
        let _ = std::fs::remove_file(at.join("case").join(name));
    }
    std::fs::write(at.join("case/book.db"), "no database, but long enough to be read as one ".repeat(30))
        .unwrap();
    let (exit, out, err) = said(&recount(at, &[&add[..], &["--operator", "dana"]].concat()));
    assert!(exit == Some(4) || exit == Some(5), "{exit:?} {err}");
    assert_eq!((out.as_str(), config(&at.join("case"))), ("", before));
}
