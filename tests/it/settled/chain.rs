//! The clock, and books that are not what they seem.

use std::os::unix::process::CommandExt as _;

use serde_json::json;

use super::{NOTE, ROW, actions, confirm, entries, keys, root, tamper};
use crate::settle::{NOW, Place, gate, record, said, text};

#[test]
fn now_moves_neither_entries_nor_guards() {
    let place = Place::small("", &[ROW]);
    let fixed = |words: &[&str]| {
        said(&place.command(words).env("RECOUNT_TEST_CLOCK", "2026-12-04T10:00:00Z").output().unwrap())
    };
    let decide =
        ["resolve", "int_1", "case", "--to", "confirmed", "--note", NOTE, "--now", "2026-11-30T12:30:00Z"];
    let done = fixed(&decide);
    assert_eq!(done.exit, 0, "{done:?}");
    assert!(done.err.contains("--now only moves what is shown"), "{}", done.err);
    let at: Vec<_> = entries(&place).iter().map(|e| e["ts"].clone()).collect();
    assert_eq!(at, vec![json!("2026-12-04T10:00:00.000Z"); 3]);
    // 72 hours count from the clock of the machine, not from the one that is shown.
    let hold = |deadline: &str| {
        let words = ["escalate", "int_2", "case", "--owner", "olu", "--deadline", deadline, "--note", NOTE];
        fixed(&[&words[..], &["--now", "2026-12-01T00:00:00Z", "--format", "json"]].concat()).exit
    };
    assert_eq!(hold("2026-12-02T00:00:00Z"), 5, "past, whatever --now says");
    assert_eq!(hold("2026-12-07T10:00:01Z"), 5);
    assert_eq!(hold("2026-12-07T10:00:00Z"), 0);
    // A later --now does not make a read cover what it did not.
    let place = Place::small("", &[]);
    let early = "read_at = \"2026-11-30T11:59:00Z\"";
    let config = place.path("case/recount.toml");
    let toml = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, toml.replace("now = \"2026-11-30T12:00:00Z\"\n", "").replace(early, "")).unwrap();
    let rows = "refund_id,operation_id,order_id,amount,currency,created_at\nrf_0,op_0,0,1.00,USD,2026-11-30T08:00:00Z\n";
    std::fs::write(place.path("case/provider.csv"), rows).unwrap();
    let failed =
        ["resolve", "int_1", "case", "--to", "failed", "--note", NOTE, "--now", "2027-01-01T00:00:00Z"];
    assert_eq!(place.json(&failed).1["code"], json!("R-FAIL-COVER"));
    // A claim at the gate has the time of the machine too.
    let place = Place { folder: tempfile::tempdir().unwrap(), clock: NOW };
    let key = text(&place.json(&record("op_1", &[])).1["key"]);
    let mut claim = place.command(&gate("op_1", &key, &["--format", "json"]));
    let claim = said(&claim.env("RECOUNT_TEST_CLOCK", "2026-11-30T09:15:00Z").output().unwrap());
    let claim: serde_json::Value = serde_json::from_str(&claim.out).unwrap();
    assert_eq!(claim["time_limit"], json!("2026-11-30T09:15:30Z"));
}

#[test]
fn a_table_that_was_changed_behind_the_log_lets_nothing_through() {
    let place = Place { folder: tempfile::tempdir().unwrap(), clock: NOW };
    let key = text(&place.json(&record("op_1", &[])).1["key"]);
    let claim = place.json(&gate("op_1", &key, &[])).1;
    let attempt = text(&claim["attempt_id"]);
    let lost =
        ["intent", "mark", "op_1", "--book", "intents.db", "--attempt", &attempt, "--outcome", "timeout"];
    assert_eq!(place.json(&lost).1["state"], json!("unknown"));
    let book = place.path("intents.db");
    let kept = std::fs::read(&book).unwrap();
    let count =
        || place.json(&["audit", "list", "--book", "intents.db"]).1["entries"].as_array().unwrap().len();
    for sql in [
        "UPDATE intents SET state = 'failed'",
        "UPDATE intents SET key = 'another'",
        "DELETE FROM attempts",
        "UPDATE attempts SET outcome = 'rejected'",
        "DELETE FROM state_changes WHERE seq > 2; UPDATE intents SET state = 'submitted', state_seq = 2, changed_seq = 2, version = 1; DELETE FROM attempts",
        "UPDATE policies SET text = '{}'",
        "DELETE FROM policies",
    ] {
        let before = count();
        tamper(&book, sql);
        for more in [&[][..], &["--ask"]] {
            let (exit, refusal) = place.json(&gate("op_1", &key, more));
            assert_eq!(
                (exit, &refusal["code"], &refusal["logged"]),
                (5, &json!("R-CHAIN"), &json!(false)),
                "{sql}"
            );
        }
        assert_eq!(place.json(&lost).1["code"], json!("R-CHAIN"), "{sql}");
        assert_eq!(count(), before, "nothing is written behind it");
        assert_eq!(place.run(&["verify", "--book", "intents.db"]).exit, 6, "{sql}");
        for ending in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(place.path(&format!("intents.db{ending}")));
        }
        std::fs::write(&book, &kept).unwrap();
    }
    assert_eq!(place.json(&gate("op_1", &key, &[])).1["code"], json!("R-UNK-RETRY"));
    // By hand too: what a request asks for, and whose an item is.
    let place = Place::sample();
    let ask = ["resolve", "int_4812", "case", "--to", "failed", "--note", "covered absence, asked twice"];
    let waits = place.json(&ask).1;
    tamper(
        &place.path("case/book.db"),
        "UPDATE requests SET by_name = 'erin', by_uid = 4711, by_login = 'erin', by_session = ''",
    );
    let approve = ["approve", &waits["request"].to_string(), "case", "--relied-on-evidence", "--note", NOTE];
    let (exit, refusal) = place.json(&[&approve[..], &["--operator", "olu"]].concat());
    assert_eq!((exit, &refusal["code"]), (5, &json!("R-CHAIN")), "{refusal}");
    let place = Place::small("", &[ROW]);
    confirm(&place);
    tamper(&place.path("case/book.db"), "UPDATE intents SET owner = 'nobody'");
    let reopen = ["reopen", "int_1", "case", "--note", "the row belongs to another order"];
    assert_eq!(place.json(&reopen).1["code"], json!("R-CHAIN"));
}

#[test]
fn the_book_of_another_case_is_refused() {
    let (one, two) = (Place::small("", &[ROW]), Place::small("", &[ROW]));
    confirm(&one);
    let config = two.path("case/recount.toml");
    let toml = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, toml.replace("id = \"small\"", "id = \"other\"")).unwrap();
    std::fs::copy(one.path("case/book.db"), two.path("case/book.db")).unwrap();
    let before = std::fs::read(two.path("case/book.db")).unwrap();
    let (exit, refusal) = two.json(&["note", "int_2", "case", "--note", NOTE]);
    assert_eq!((exit, &refusal["code"]), (5, &json!("R-READONLY")));
    assert_eq!(
        refusal["because"],
        json!(
            "case/book.db is the book of the case small, and this is the case other; name the right one with --book, or say in recount.toml that it is the same case: [case] id = \"small\""
        )
    );
    // Reading goes on without it, and says so.
    let shown = two.run(&["show", "int_1", "case", "--format", "json"]);
    assert!(shown.out.contains("\"state\":\"unknown\""), "{}", shown.out);
    assert!(shown.err.contains("what the book holds is not shown: "), "{}", shown.err);
    assert_eq!(std::fs::read(two.path("case/book.db")).unwrap(), before);
}

#[test]
fn an_empty_book_and_one_that_cannot_be_read_are_named_as_what_they_are() {
    let place = Place::small("", &[ROW]);
    std::fs::write(place.path("case/book.db"), b"").unwrap();
    let said_of = |words: &[&str]| place.run(words).err;
    assert_eq!(
        said_of(&["verify", "case"]),
        "case/book.db is empty, nothing was ever recorded in it; the next decision makes it a book\n"
    );
    assert_eq!(place.run(&["check", "case"]).err, "");
    confirm(&place);
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
    if !root() {
        eprintln!("skipped: only root can be somebody else");
        return;
    }
    // Somebody who may not read it.
    let open = |path: &str, mode: u32| {
        std::fs::set_permissions(place.path(path), std::os::unix::fs::PermissionsExt::from_mode(mode))
            .unwrap();
    };
    open("", 0o755);
    open("case", 0o755);
    let program = place.path("recount");
    std::fs::copy(env!("CARGO_BIN_EXE_recount"), program).unwrap();
    let mut verify = std::process::Command::new(place.path("recount"));
    let told = said(&verify.args(["verify", "case"]).current_dir(place.path("")).uid(4711).output().unwrap());
    assert_eq!(told.exit, 4, "{told:?}");
    assert_eq!(
        told.err,
        "case/book.db cannot be read (the system does not let it be opened); ask its owner, or check its permissions with ls -l\n"
    );
}

#[test]
fn the_gate_says_that_a_trace_cannot_be_read() {
    let place = Place::small("", &[]);
    let new =
        ["intent", "record", "--case", "case", "--operation-id", "op_7", "--tool", "refund", "--key", "k"];
    assert_eq!(place.json(&new).0, 0);
    std::fs::remove_file(place.path("case/calls.jsonl")).unwrap();
    let (exit, refusal) = place.json(&["gate", "op_7", "--case", "case", "--key", "k"]);
    assert_eq!((exit, &refusal["code"], &refusal["logged"]), (5, &json!("R-EVID-UNREADABLE"), &json!(true)));
    assert_eq!(
        refusal["because"],
        json!("whether it was sent before stands in the traces, and they cannot be read")
    );
    assert!(text(&refusal["seen"][0]).contains("calls.jsonl"), "{refusal}");
    assert_eq!(actions(&place).last().unwrap(), "gate_refused");
}

#[test]
fn what_must_be_signed_is_signed_or_not_written() {
    let place =
        Place::small("sign_above = { USD = \"20\" }", &[ROW, "rf_2,op_2,2,30.00,USD,2026-11-30T09:00:05Z"]);
    if !keys(&place, &["dana"]) {
        return;
    }
    let resolve = ["resolve", "int_1", "case", "--to", "confirmed", "--note", NOTE];
    let without = place.run(&resolve);
    assert_eq!(without.exit, 5, "{without:?}");
    assert_eq!(
        without.err,
        "the entry could not be signed: no key was given; give one with --sign KEY; nothing was saved\n"
    );
    assert!(!place.path("case/book.db").exists() || actions(&place).is_empty());
    let bad = place.run(&[&resolve[..], &["--sign", "signers"]].concat());
    assert_eq!(bad.exit, 5, "{bad:?}");
    let signed = place.run(&[&resolve[..], &["--sign", "dana"]].concat());
    assert_eq!(signed.exit, 0, "{signed:?}");
    assert_eq!(entries(&place).last().unwrap()["policy"]["signed"], json!(true));
    // A batch and its undo as well.
    std::fs::write(place.path("ids"), "int_2\n").unwrap();
    let bulk = ["bulk", "resolve", "case", "--ids", "ids", "--to", "confirmed", "--note", NOTE, "--apply"];
    let bulk = [&bulk[..], &["--count", "1"]].concat();
    assert_eq!(place.run(&bulk).exit, 5);
    let (exit, done) = place.json(&[&bulk[..], &["--sign", "dana"]].concat());
    assert_eq!(exit, 0, "{done}");
    let undo =
        ["bulk", "undo", done["batch"].as_str().unwrap(), "case", "--note", "the wrong list was taken"];
    assert_eq!(place.run(&undo).exit, 5);
    assert_eq!(place.run(&[&undo[..], &["--sign", "dana"]].concat()).exit, 0);

    let verify = ["verify", "case", "--allowed-signers", "signers"];
    assert_eq!(place.run(&verify).exit, 0, "{:?}", place.run(&verify));
    assert!(place.run(&["verify", "case"]).out.contains("3 signatures were not checked"));
    // Its export says the same, to both verifiers.
    let export = place.path("log.jsonl");
    assert_eq!(place.run(&["audit", "export", "case", "--out", export.to_str().unwrap()]).exit, 0);
    let lines = std::fs::read_to_string(&export).unwrap();
    assert!(lines.contains("-----BEGIN SSH SIGNATURE-----\\n"), "{lines}");
    agree(&place, &export, true);
    for (from, to) in [
        ("SIGNATURE-----\\n", "SIGNATURE-----\\u000a"),
        ("\"sig\":\"-", "\"sig\":\"\",\"x\":\"-"),
        ("\"sig\":\"-", "\"sig\":1,\"x\":\"-"),
        ("\"signed\":true", "\"signed\":false"),
    ] {
        let damaged = place.path("damaged.jsonl");
        assert!(lines.contains(from), "{from}");
        std::fs::write(&damaged, lines.replacen(from, to, 1)).unwrap();
        agree(&place, &damaged, false);
    }
    std::fs::write(place.path("nobody"), "").unwrap();
    assert_eq!(place.run(&["verify", "case", "--allowed-signers", "nobody"]).exit, 6);
    // A signature that is taken away is missed, though it is no part of the text.
    tamper(
        &place.path("case/book.db"),
        "DROP TRIGGER audit_is_never_changed; UPDATE audit SET sig = NULL WHERE seq = 3; \
         CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit\nBEGIN SELECT RAISE(ABORT, 'entries are never changed: a correction is a new entry'); END",
    );
    let second = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify_audit.py");
    let second = std::process::Command::new("python3").arg(second).arg(place.path("case/book.db")).output();
    if let Ok(second) = second {
        let told = String::from_utf8_lossy(&second.stdout).into_owned();
        assert!(told.contains("BROKEN 3 it was signed, and its signature is missing"), "{told}");
    }
    let broken = place.run(&["verify", "case"]);
    assert_eq!(broken.exit, 6);
    assert!(
        broken.out.contains("BROKEN at entry 3: it was signed, and its signature is missing (signature)"),
        "{}",
        broken.out
    );
}

#[test]
fn a_broken_chain_comes_before_every_other_exit_code_and_nothing_is_written_behind_it() {
    let place = Place::sample();
    let reads: [(&[&str], i32); 7] = [
        (&["check", "case"], 1),
        (&["hazards", "case", "--fail-on", "hazard:note"], 7),
        (&["list", "case"], 0),
        (&["show", "int_5002", "case"], 0),
        (&["handover", "case"], 0),
        (&["hazards", "case"], 0),
        (&["affected", "case"], 0),
    ];
    let note = |no: u32| {
        let text = format!("a perfectly reasonable note, number {no}");
        place.json(&["note", "int_5002", "case", "--note", &text])
    };
    let exits = |at: &str| -> Vec<i32> {
        let all = reads.iter().map(|(words, _)| {
            let said = place.run(words);
            let told =
                said.err.contains("the audit chain of the book does not hold; recount verify says where");
            assert_eq!(told, said.exit == 6, "{at}: {said:?}");
            assert!(!said.out.is_empty(), "{at}: {words:?}");
            said.exit
        });
        all.collect()
    };
    let whole: Vec<i32> = reads.iter().map(|(_, exit)| *exit).collect();
    assert_eq!(exits("no book"), whole);
    for no in 1..=3 {
        assert_eq!(note(no).0, 0);
    }
    assert_eq!(exits("a whole chain"), whole);
    // One bit of a note that is not the last entry.
    let book = place.path("case/book.db");
    tamper(&book, "PRAGMA wal_checkpoint(TRUNCATE)");
    let mut bytes = std::fs::read(&book).unwrap();
    let text = b"reasonable note, number 1";
    let places: Vec<usize> =
        (0..bytes.len() - text.len()).filter(|at| bytes[*at..].starts_with(text)).collect();
    assert_eq!(places.len(), 1);
    bytes[places[0]] ^= 1;
    std::fs::write(&book, bytes).unwrap();
    assert_eq!(exits("a broken chain"), [6; 7]);
    let checked = place.json(&["check", "case"]);
    assert_eq!((checked.0, &checked.1["exit"]), (6, &json!(6)));
    let before = entries(&place).len();
    let (exit, refusal) = note(4);
    assert_eq!(
        (exit, &refusal["code"], &refusal["logged"]),
        (5, &json!("R-CHAIN"), &json!(false)),
        "{refusal}"
    );
    // What is refused for another reason is not logged behind it either.
    assert_eq!(place.json(&["note", "int_5002", "case", "--note", "short"]).0, 5);
    assert_eq!(entries(&place).len(), before);
    assert_eq!(place.run(&["verify", "case"]).exit, 6);
}

/// Both verifiers say the same of an export.
fn agree(place: &Place, export: &std::path::Path, holds: bool) {
    let ours = place.run(&["verify", "--file", export.to_str().unwrap()]);
    assert_eq!(ours.exit, if holds { 0 } else { 6 }, "{}", ours.out);
    let second = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify_audit.py");
    if let Ok(second) = std::process::Command::new("python3").arg(second).arg(export).output() {
        assert_eq!(second.status.success(), holds, "{}", String::from_utf8_lossy(&second.stdout));
    }
}

#[test]
fn a_key_of_somebody_else_signs_nothing() {
    let place = Place::small("sign_above = { USD = \"20\" }\nallowed_signers = \"../signers\"", &[ROW]);
    if !keys(&place, &["dana", "mika"]) {
        return;
    }
    let resolve = ["resolve", "int_1", "case", "--to", "confirmed", "--note", NOTE, "--operator", "dana"];
    let (exit, refusal) = place.json(&[&resolve[..], &["--sign", "mika"]].concat());
    assert_eq!((exit, &refusal["code"]), (5, &json!("R-IDENTITY")), "{refusal}");
    assert_eq!(refusal["because"], json!("the key is that of mika@desk, and dana decides"));
    let signed = place.run(&[&resolve[..], &["--sign", "dana"]].concat());
    assert_eq!(signed.exit, 0, "{}", signed.err);
    let verify = ["verify", "case", "--allowed-signers", "signers"];
    let (exit, verdict) = place.json(&verify);
    assert_eq!((exit, &verdict["signatures"]), (0, &json!([{"principal": "dana@desk", "entries": 1}])));
    // The keys change their names: what dana decided is signed by somebody else.
    let signers = std::fs::read_to_string(place.path("signers")).unwrap();
    std::fs::write(place.path("signers"), signers.replace("dana@", "olu@")).unwrap();
    let broken = place.run(&verify);
    assert_eq!(broken.exit, 6);
    assert!(
        broken.out.contains("it is signed by olu@desk, and its actor is dana (signature)"),
        "{}",
        broken.out
    );
}

#[test]
fn a_broken_chain_comes_first_in_what_looks_and_in_what_changes_the_case() {
    let place = Place::small("", &[ROW]);
    confirm(&place);
    let mark = place.path("mark.json");
    let check = ["check", "case", "--format", "json", "--out", mark.to_str().unwrap()];
    place.run(&check);
    std::fs::write(place.path("more.csv"), std::fs::read(place.path("case/provider.csv")).unwrap()).unwrap();
    tamper(
        &place.path("case/book.db"),
        "UPDATE assignments SET owner = 'mika'; UPDATE intents SET state = 'failed'",
    );
    let before = std::fs::read(place.path("case/recount.toml")).unwrap();
    let dump = place.path("frames");
    for words in [
        &["sources", "case"][..],
        &["changed", "case", "--since", mark.to_str().unwrap()],
        &["open", "case", "--script", "1", "--dump", dump.to_str().unwrap()],
    ] {
        let run = place.run(words);
        assert_eq!(run.exit, 6, "{words:?}: {}", run.err);
        assert!(run.err.contains("the audit chain of the book does not hold"), "{}", run.err);
    }
    let remove = place.run(&["case", "remove", "provider", "--case", "case"]);
    assert_eq!(remove.exit, 5, "{}", remove.err);
    let add = place.run(&["case", "add", "more.csv", "--case", "case"]);
    assert_eq!(add.exit, 5, "{}", add.err);
    assert_eq!(std::fs::read(place.path("case/recount.toml")).unwrap(), before);
}

#[test]
fn root_is_nobody_whatever_names_him() {
    let place = Place::small("", &[ROW]);
    for name in ["root", "Root"] {
        let run = place.json(&[
            "resolve",
            "int_1",
            "case",
            "--to",
            "confirmed",
            "--note",
            NOTE,
            "--operator",
            name,
        ]);
        assert_eq!((run.0, &run.1["code"]), (5, &json!("R-IDENTITY")), "{run:?}");
    }
}
