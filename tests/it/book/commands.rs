//! `recount audit ..` by the real program.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output};

use recount::book::evidence::item;
use recount::book::verify::{Known, of_book};
use recount::book::{Action, Book, Draft, Subject, sign};
use serde_json::{Value, json};

use super::{at, book_of, entries, erin, moved, put, quiet};

const CONFIG: &str = "[case]\nid = \"payouts-week-40\"\nnow = \"2026-10-06T09:00:00Z\"\n[audit]\nhead_to = \"file:heads.txt\"\n\
                      [policy]\npolicy_owners = [\"olu\"]\n";

fn recount(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recount"));
    command.args(args).current_dir(folder).env("HOME", folder).env_remove("RECOUNT_OPERATOR");
    command.env_remove("SUDO_USER").env("RECOUNT_TEST_CLOCK", "2026-10-06T09:00:00Z");
    command.stdin(std::process::Stdio::null());
    command
}

fn run(folder: &Path, args: &[&str]) -> Output {
    recount(folder, args).output().unwrap()
}

/// Exit code and standard output.
fn out(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = run(folder, args);
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

fn err(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = run(folder, args);
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn case() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("recount.toml"), CONFIG).unwrap();
    book_of(folder.path());
    folder
}

#[test]
fn the_log_is_listed_filtered_and_says_what_it_hides() {
    let folder = case();
    let head = entries(&folder.path().join("book.db")).last().unwrap().head();
    let (exit, text) = out(folder.path(), &["audit", "list"]);
    assert_eq!(exit, 0);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with(
        "    1  2026-10-05T10:00:00.000Z  erin          opened the case, case payouts-week-40  "
    ));
    assert!(lines[2].contains("resolved, intent int_1: unknown -> confirmed"), "{}", lines[2]);
    assert_eq!(lines[3], "       compared with the bank's own list, line by line");
    assert_eq!(lines[4], "       evidence ticket:OPS-118");
    assert_eq!(*lines.last().unwrap(), format!("4 entries shown; head {head}"));
    let (_, text) = out(folder.path(), &["audit", "list", "--action", "resolve", "--book", "book.db"]);
    assert_eq!(text.lines().last().unwrap(), format!("1 entry shown; 3 hidden by the filter; head {head}"));
    let (_, text) = out(
        folder.path(),
        &["audit", "list", ".", "--from", "2026-10-05T10:02:00Z", "--to", "2026-10-05T10:03:00Z"],
    );
    assert!(text.ends_with(&format!("1 entry shown; 3 hidden by the filter; head {head}\n")));
    let (exit, text) = out(folder.path(), &["audit", "list", "--intent", "int_1", "--format", "json"]);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((exit, &value["schema"], &value["hidden"]), (0, &json!("recount.audit.v1"), &json!(1)));
    assert_eq!(value["entries"][2]["entry"]["after"], json!({"state": "unknown", "version": 3}));
    assert_eq!(out(folder.path(), &["audit", "head"]), (0, format!("{head}\n")));
}

#[test]
fn verify_says_what_holds_and_what_it_cannot_exclude() {
    let folder = case();
    let book = folder.path().join("book.db");
    let head = entries(&book).last().unwrap().head();
    let limits = "internally consistent; a cut end or a complete rewrite cannot be excluded without a head kept elsewhere";
    assert_eq!(
        out(folder.path(), &["verify"]),
        (0, format!("audit chain OK, 4 entries, head {head}\n{limits}\n"))
    );
    assert_eq!(
        out(folder.path(), &["audit", "verify", "book.db", "--expect-head", &head.to_string()]),
        (0, format!("audit chain OK, 4 entries, head {head}\n"))
    );
    assert_eq!(
        err(folder.path(), &["verify", "--expect-head", "4:abc"]),
        (2, "--expect-head takes SEQ:HASH, as recount audit head prints it\n".to_owned())
    );
    let (exit, text) = err(folder.path(), &["verify", "--book", "none.db"]);
    assert_eq!((exit, text.as_str()), (4, "none.db is not there; the first decision makes it\n"));

    let db = rusqlite::Connection::open(&book).unwrap();
    db.execute_batch("UPDATE intents SET owner = 'nobody'").unwrap();
    let broken = "intents int_1: owner is nobody, the entries say nothing (replay)";
    assert_eq!(out(folder.path(), &["verify"]), (6, format!("audit chain BROKEN: {broken}\n")));
    let (exit, text) = out(folder.path(), &["verify", "--format", "json"]);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((exit, &value["holds"], &value["failure"]["check"]), (6, &json!(false), &json!("replay")));
    let (exit, text) = err(folder.path(), &["audit", "list"]);
    assert_eq!((exit, text), (6, format!("audit chain BROKEN: {broken}\n")));
    let (exit, _) = out(folder.path(), &["audit", "anchor", "--out", "a.txt"]);
    assert_eq!((exit, folder.path().join("a.txt").exists()), (6, false));
}

#[test]
fn an_export_verifies_elsewhere_and_its_head_can_be_signed() {
    let folder = case();
    let at = folder.path();
    let head = entries(&at.join("book.db")).last().unwrap().head();
    let (exit, text) = out(at, &["audit", "export", "--out", "log.jsonl", "--operator", "mika"]);
    assert_eq!((exit, text.as_str()), (0, "log.jsonl\n"));
    let (exit, text) = out(at, &["verify", "--file", "log.jsonl"]);
    assert_eq!(exit, 0);
    assert!(text.starts_with(&format!("audit chain OK, 4 entries, head {head}\n")), "{text}");
    let json: Value =
        serde_json::from_str(&std::fs::read_to_string(at.join("log.jsonl.head.json")).unwrap()).unwrap();
    assert_eq!((&json["seq"], &json["hash"]), (&json!(4), &json!(head.hash)));
    // The export is an entry of its own.
    let last = entries(&at.join("book.db")).pop().unwrap();
    assert_eq!((last.seq, last.text_at("action"), last.text_at("actor.name")), (5, "export", "mika"));
    assert_eq!(last.text_at("after.head"), head.to_string());
    // Nothing is overwritten.
    assert_eq!(err(at, &["audit", "export", "--out", "log.jsonl"]).0, 2);
    assert_eq!(err(at, &["audit", "export", "--out", "book.db", "--force"]).0, 2);

    let (_, text) = out(at, &["audit", "export", "--format", "resolutions", "--read-only"]);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let states: Vec<(&Value, &Value)> =
        lines.iter().map(|line| (&line["state"], &line["audit_seq"])).collect();
    assert_eq!(states, [(&json!("confirmed"), &json!(3)), (&json!("unknown"), &json!(4))]);
    assert_eq!(lines[0]["evidence"], json!(["ticket:OPS-118"]));
    let (_, text) = out(at, &["audit", "export", "--format", "markdown", "--read-only"]);
    assert!(text.starts_with("# Audit log of payouts-week-40\n"), "{text}");
    assert_eq!(entries(&at.join("book.db")).len(), 5, "read-only writes no entry");

    // With a signature of the head.
    let key = at.join("key");
    let made =
        Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f"]).arg(&key).output();
    let Ok(made) = made else { return };
    assert!(made.status.success(), "{made:?}");
    let public = std::fs::read_to_string(at.join("key.pub")).unwrap();
    std::fs::write(at.join("signers"), format!("mika@example.org {public}")).unwrap();
    let signed = Command::new("ssh-keygen")
        .args(["-Y", "sign", "-n", "recount-audit", "-f", "key", "log.jsonl.head.json"])
        .current_dir(at)
        .output()
        .unwrap();
    assert!(signed.status.success(), "{signed:?}");
    let check =
        ["verify", "--file", "log.jsonl", "--sig", "log.jsonl.head.json.sig", "--allowed-signers", "signers"];
    assert_eq!(out(at, &check), (0, format!("audit chain OK, 4 entries, head {head}\n")));
    assert_eq!(err(at, &check).1, "log.jsonl.head.json.sig is signed by mika@example.org\n");
    // The same head stands in the book, which has gone on since.
    let check = ["verify", "--sig", "log.jsonl.head.json.sig", "--allowed-signers", "signers"];
    assert_eq!(out(at, &check).0, 0);
    let altered =
        std::fs::read_to_string(at.join("log.jsonl.head.json")).unwrap().replace("\"seq\":4", "\"seq\":3");
    std::fs::write(at.join("log.jsonl.head.json"), altered).unwrap();
    let (exit, text) = err(at, &check);
    assert_eq!(exit, 6);
    assert!(text.starts_with("log.jsonl.head.json.sig: the signature does not count: "), "{text}");
}

#[test]
fn an_entry_that_must_be_signed_is_signed_or_not_written() {
    let folder = case();
    let at_folder = folder.path();
    let path = at_folder.join("book.db");
    let key = at_folder.join("key");
    let mut book = Book::open(&path, &quiet()).unwrap();
    let mut draft = moved("int_1", "unknown", "failed");
    draft.sign = true;
    let why = put(&mut book, "2026-10-06T08:00:00Z", &draft).unwrap_err().to_string();
    assert_eq!(
        why,
        "the entry could not be signed: no key was given; give one with --sign KEY; nothing was saved"
    );
    assert_eq!(entries(&path).len(), 4);
    let made =
        Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f"]).arg(&key).output();
    let Ok(made) = made else { return };
    assert!(made.status.success());
    let public = std::fs::read_to_string(at_folder.join("key.pub")).unwrap();
    std::fs::write(at_folder.join("signers"), format!("mika {public}")).unwrap();
    let signing = key.clone();
    book.sign_with(Box::new(move |hash| sign::sign(sign::AUDIT, &signing, hash.as_bytes())));
    put(&mut book, "2026-10-06T08:00:00Z", &draft).unwrap();
    drop(book);
    let (exit, text) = out(at_folder, &["verify"]);
    assert_eq!(exit, 0);
    assert!(text.contains("1 signature was not checked; --allowed-signers F checks them"), "{text}");
    let (exit, text) = out(at_folder, &["verify", "--allowed-signers", "signers"]);
    assert_eq!((exit, text.contains("not checked")), (0, false));
    std::fs::write(at_folder.join("others"), "").unwrap();
    let (exit, text) = out(at_folder, &["verify", "--allowed-signers", "others"]);
    assert_eq!(exit, 6);
    assert!(
        text.starts_with("audit chain BROKEN at entry 5: its signature does not count: others names nobody"),
        "{text}"
    );
}

#[test]
fn the_head_goes_elsewhere_by_hand() {
    let folder = case();
    let head = entries(&folder.path().join("book.db")).last().unwrap().head();
    let line = format!("recount case=payouts-week-40 seq=4 head={}", head.hash);
    assert_eq!(
        out(folder.path(), &["audit", "anchor", "--read-only"]),
        (0, format!("{line}\nhead 4 sent to file:./heads.txt\n"))
    );
    assert_eq!(std::fs::read_to_string(folder.path().join("heads.txt")).unwrap(), format!("{line}\n"));
    assert_eq!(out(folder.path(), &["audit", "anchor", "--out", "kept.txt", "--operator", "mika"]).0, 0);
    assert_eq!(std::fs::read_to_string(folder.path().join("kept.txt")).unwrap(), format!("{line}\n"));
    assert_eq!(entries(&folder.path().join("book.db")).last().unwrap().text_at("action"), "anchor");
    assert_eq!(out(folder.path(), &["verify", "--expect-head", &head.to_string()]).0, 0);
}

#[test]
fn the_population_is_whole_and_its_sample_can_be_drawn_again() {
    let folder = case();
    let period = ["--from", "2026-10-05T00:00:00Z", "--to", "2026-10-06T00:00:00Z", "--read-only"];
    let (exit, text) = out(folder.path(), &[&["audit", "population"][..], &period[..]].concat());
    assert_eq!(exit, 0);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "# entries 1 to 4: 4 counted, 4 numbered, 4 in the whole chain");
    assert_eq!(lines[1], "# by action: case_created 1, intent_recorded 1, reopen 1, resolve 1");
    assert_eq!(lines[2], "# decisions 2, rows 2");
    assert_eq!(lines[3], "# amounts of the decisions: EUR 24100 minor units");
    let rows: Vec<&str> = lines.iter().skip_while(|line| line.starts_with('#')).copied().collect();
    assert!(rows[0].starts_with("seq,item,business_id,party,kind,amount_minor,currency,action,from,to,"));
    assert!(
        rows[1].starts_with("3,int_1,invoice:77,cust_7,payout,12050,EUR,resolve,unknown,confirmed,"),
        "{}",
        rows[1]
    );
    assert_eq!(rows.len(), 3);
    let sample = |seed: &str| {
        let drawn = [
            &["audit", "population"][..],
            &period[..],
            &["--sample", "1", "--seed", seed, "--format", "json"],
        ];
        let (_, text) = out(folder.path(), &drawn.concat());
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&value["decisions"], value["rows"].as_array().unwrap().len()), (&json!(2), 1));
        value["rows"][0]["seq"].as_str().unwrap().to_owned()
    };
    assert_eq!(sample("q4"), sample("q4"));
    let drawn: std::collections::BTreeSet<String> = (0..8).map(|seed| sample(&seed.to_string())).collect();
    assert_eq!(drawn.len(), 2, "both rows are drawn by some seed");
    assert_eq!(err(folder.path(), &["audit", "population", "--from", "2026-10-05T00:00:00Z"]).0, 2);
    assert_eq!(
        err(folder.path(), &[&["audit", "population", "--sample", "1"][..], &period[..]].concat()).0,
        2
    );
}

#[test]
fn evidence_is_erased_by_the_role_policy_alone() {
    let folder = case();
    let path = folder.path().join("book.db");
    let mut book = Book::open(&path, &quiet()).unwrap();
    let digest = book
        .write(&at("2026-10-06T08:00:00Z"), |writer| {
            let digest = writer.keep_evidence(Some("mail.txt"), b"dear sirs, my account is ..")?;
            let mut note = Draft::new(Action::Note, &erin(), Subject::intent("int_1"));
            note.evidence = vec![item(&digest)];
            writer.append(&note)?;
            Ok::<_, recount::book::BookError>(digest)
        })
        .unwrap()
        .value;
    drop(book);
    let reason = "the customer asked for it, ticket OPS-140";
    let erase = |operator: &str, reason: &str| {
        err(folder.path(), &["audit", "erase", &digest, "--reason", reason, "--operator", operator])
    };
    let (exit, text) = erase("erin", reason);
    assert_eq!(exit, 5);
    assert!(text.contains("[R-APPROVER]") && text.contains("policy_owners: olu"), "{text}");
    let (exit, text) = erase("olu", "because");
    assert_eq!(exit, 5);
    assert!(text.contains("[R-NOTE]") && text.contains("7 characters, needs 20"), "{text}");
    assert_eq!(erase("olu", reason), (0, String::new()));
    let verdict = of_book(&path, Known::default()).unwrap();
    assert_eq!(verdict.warnings, ["1 evidence erased on purpose (entry 6)"]);
    let (exit, text) = erase("olu", reason);
    assert_eq!((exit, text.contains("is not in the book")), (5, true), "{text}");
    std::fs::write(folder.path().join("recount.toml"), format!("{CONFIG}legal_hold = true\n")).unwrap();
    let (exit, text) = erase("olu", reason);
    assert_eq!((exit, text.contains("legal_hold is set")), (5, true), "{text}");
}

/// Somebody else reads a book in a folder that he cannot write, with a log that was not put into the file yet.
#[test]
fn a_book_in_a_folder_that_cannot_be_written_is_read_whole() {
    let folder = case();
    let path = folder.path().join("book.db");
    let mut book = Book::open(&path, &quiet()).unwrap();
    put(&mut book, "2026-10-06T08:00:00Z", &moved("int_1", "unknown", "failed")).unwrap();
    let shared = tempfile::tempdir().unwrap();
    for name in ["book.db", "book.db-wal"] {
        std::fs::copy(folder.path().join(name), shared.path().join(name)).unwrap();
        std::fs::set_permissions(shared.path().join(name), std::fs::Permissions::from_mode(0o444)).unwrap();
    }
    drop(book);
    assert!(std::fs::metadata(shared.path().join("book.db-wal")).unwrap().len() > 0);
    std::fs::set_permissions(shared.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
    let before = ["book.db", "book.db-wal"].map(|name| std::fs::read(shared.path().join(name)).unwrap());
    let with = |args: &[&str]| {
        let mut command = recount(shared.path(), args);
        if rustix::process::geteuid().is_root() {
            command.uid(65_534).gid(65_534);
        }
        let output = command.output().unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (exit, text, errors) = with(&["verify", "--book", "book.db"]);
    assert_eq!(exit, 0, "{errors}");
    assert!(text.starts_with("audit chain OK, 5 entries, head 5:"), "{text}");
    let (exit, text, errors) = with(&["audit", "export", "--book", "book.db", "--operator", "mika"]);
    assert_eq!((exit, text.lines().count()), (0, 5));
    assert!(errors.starts_with("not logged: book.db "), "{errors}");
    let after = ["book.db", "book.db-wal"].map(|name| std::fs::read(shared.path().join(name)).unwrap());
    assert!(before == after, "looking changed the book");
    assert_eq!(std::fs::read_dir(shared.path()).unwrap().count(), 2);
    std::fs::set_permissions(shared.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
}
