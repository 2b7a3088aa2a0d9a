//! By hand, two people, reconciliation, and the gate: the program on copies of cases.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use recount::canon::{canonical, sha256_hex};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The clock of the sample.
pub const NOW: &str = "2026-11-30T09:14:07Z";

/// A folder to work in, with a case.
pub struct Place {
    pub folder: TempDir,
    pub clock: &'static str,
}

impl Place {
    /// A copy of the sample of the screens.
    pub fn sample() -> Self {
        Self::of("refunds-2026-11-30")
    }

    /// A copy of a sample.
    pub fn of(name: &str) -> Self {
        // The clocks that the samples fix.
        let clock = if name == "hazards" { "2026-11-30T14:00:00Z" } else { NOW };
        let place = Self { folder: tempfile::tempdir().unwrap(), clock };
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data").join(name);
        std::fs::create_dir(place.path("case")).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            std::fs::copy(&path, place.path("case").join(path.file_name().unwrap())).unwrap();
        }
        place
    }

    /// A case of two refunds whose answers were lost, and a ledger of one file.
    pub fn small(policy: &str, ledger: &[&str]) -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap(), clock: "2026-11-30T12:00:00Z" };
        std::fs::create_dir(place.path("case")).unwrap();
        let config = format!(
            "[case]\nid = \"small\"\nnow = \"2026-11-30T12:00:00Z\"\n[policy]\n{policy}\n\
             [traces.calls]\npath = \"calls.jsonl\"\n\
             [tools.refund]\nrole = \"write\"\nendpoint = \"POST /refunds\"\nidempotent = \"no\"\n\
             [sources.provider]\nkind = \"csv\"\npath = \"provider.csv\"\nmoves_money = true\nholds = [\"refund\"]\n\
             read_at = \"2026-11-30T11:59:00Z\"\n"
        );
        std::fs::write(place.path("case/recount.toml"), config).unwrap();
        let call = |no: u32, amount: &str| {
            format!(
                "{{\"event\":\"intent_recorded\",\"intent_id\":\"int_{no}\",\"operation_id\":\"op_{no}\",\"kind\":\"refund\",\"business_id\":\"order:{no}\",\"amount\":\"{amount}\",\"currency\":\"USD\",\"key\":\"key_{no}\",\"ts\":\"2026-11-30T09:00:00Z\"}}\n\
                 {{\"event\":\"attempt\",\"attempt_id\":\"att_{no}\",\"operation_id\":\"op_{no}\",\"tool\":\"refund\",\"key\":\"key_{no}\",\"payload\":{{\"order_id\":\"{no}\",\"amount\":\"{amount}\",\"currency\":\"USD\"}},\"sent_at\":\"2026-11-30T09:00:01Z\",\"ended_at\":\"2026-11-30T09:00:31Z\",\"outcome\":\"timeout\"}}\n\
                 {{\"event\":\"state_changed\",\"intent_id\":\"int_{no}\",\"from\":\"submitted\",\"to\":\"unknown\",\"actor\":\"timeout_handler\",\"deadline\":\"2026-11-30T11:00:00Z\",\"ts\":\"2026-11-30T09:00:31Z\"}}\n"
            )
        };
        std::fs::write(place.path("case/calls.jsonl"), call(1, "20.00") + &call(2, "30.00")).unwrap();
        place.ledger(ledger);
        place
    }

    /// Writes the ledger anew, between an old row and one of 11:58.
    pub fn ledger(&self, rows: &[&str]) {
        let mut text = "refund_id,operation_id,order_id,amount,currency,created_at\n".to_owned();
        text += "rf_0,op_0,0,1.00,USD,2026-11-30T08:00:00Z\n";
        for row in rows {
            text += row;
            text += "\n";
        }
        text += "rf_9,op_9,9,1.00,USD,2026-11-30T11:58:00Z\n";
        std::fs::write(self.path("case/provider.csv"), text).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_recount"));
        command.args(words).current_dir(self.folder.path()).env_remove("SUDO_USER");
        command.env("RECOUNT_OPERATOR", "dana").stdin(Stdio::null());
        // What is written goes by the clock of the machine, so the tests set that too.
        let given = words.iter().position(|word| *word == "--now").and_then(|at| words.get(at + 1));
        command.env("RECOUNT_TEST_CLOCK", given.copied().unwrap_or(self.clock));
        command
    }

    pub fn run(&self, words: &[&str]) -> Said {
        said(&self.command(words).output().unwrap())
    }

    /// Runs it and reads its JSON.
    pub fn json(&self, words: &[&str]) -> (i32, Value) {
        let said = self.run(&[words, &["--format", "json"]].concat());
        let value =
            serde_json::from_str(&said.out).unwrap_or_else(|why| panic!("{words:?}: {why}: {said:?}"));
        (said.exit, value)
    }

    pub fn show(&self, id: &str) -> Value {
        self.json(&["show", id, "case"]).1
    }

    /// Every file of the case but the book, with its digest.
    pub fn files(&self) -> Vec<(String, String)> {
        let mut files: Vec<(String, String)> = std::fs::read_dir(self.path("case"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), path))
            .filter(|(name, _)| {
                !name.starts_with("book.db") && !name.ends_with("-shm") && !name.ends_with("-wal")
            })
            .map(|(name, path)| (name, sha256_hex(&std::fs::read(path).unwrap())))
            .collect();
        files.sort();
        files
    }
}

#[derive(Debug)]
pub struct Said {
    pub exit: i32,
    pub out: String,
    pub err: String,
}

pub fn said(output: &Output) -> Said {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    Said { exit: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
}

#[test]
fn the_three_unknowns_of_the_sample() {
    let place = Place::sample();
    let before = place.files();
    // Its row is there: confirmed by one person.
    let note = "the row stands in the list of the provider";
    let (exit, done) = place.json(&["resolve", "int_4813", "case", "--to", "confirmed", "--note", note]);
    assert_eq!(
        (exit, &done["basis"], &done["persons"], &done["pending"]),
        (0, &json!("row"), &json!(1), &json!(false))
    );
    assert_eq!((&done["from"], &done["to"]), (&json!("unknown"), &json!("confirmed")));
    let shown = place.show("int_4813");
    assert_eq!(
        (&shown["state"], &shown["state_source"], &shown["verdict"]),
        (&json!("confirmed"), &json!("recorded"), &json!("MATCHED"))
    );
    assert_eq!(shown["states"][1]["actor"], json!("human dana"));

    // Nothing covers it: refused, with what is missing and from when on it can be covered.
    let to_failed =
        ["resolve", "int_4814", "case", "--to", "failed", "--note", "no row was found in the export"];
    let (exit, refusal) = place.json(&to_failed);
    assert_eq!(exit, 5);
    assert_eq!(
        refusal,
        json!({
            "schema": "recount.refusal.v1", "code": "R-FAIL-COVER", "group": "What was seen does not prove it yet",
            "sentence": "What was seen does not prove that nothing happened.", "asked": "int_4814 to failed",
            "because": "\"did not happen\" needs a listing that reaches past the last moment the call could land",
            "seen": ["payments-eu.csv read 09:01:30Z, newest row 08:39:10Z (row 48177)"],
            "missing": ["C2: a row newer than 08:42:13: the call's end 08:41:10, 60 s to settle, 3 s for the clocks"],
            "next": [
                "hold it: recount escalate int_4814 --owner NAME --deadline TIME --note TEXT",
                "covered from 2026-11-30 08:42:13Z on: export the ledger again and load it again, or ask a second witness",
            ],
            "logged": true,
        })
    );
    let text = place.run(&to_failed);
    assert_eq!((text.exit, text.out.as_str()), (5, ""));
    assert_eq!(
        text.err.lines().next().unwrap(),
        "refused: int_4814 stays unknown. What was seen does not prove that nothing happened.  [R-FAIL-COVER]"
    );
    assert_eq!(place.show("int_4814")["state"], json!("unknown"));

    // USD 900.00: a second person.
    let because = "covered absence, the customer asks again";
    let to_failed = ["resolve", "int_4812", "case", "--to", "failed", "--note", because];
    let (exit, waits) = place.json(&to_failed);
    assert_eq!(
        (exit, &waits["pending"], &waits["approvers"]),
        (3, &json!(true), &json!(["erin", "olu", "mika"]))
    );
    assert_eq!(place.json(&to_failed).1["request"], waits["request"], "asked twice is asked once");
    let shown = place.show("int_4812");
    assert_eq!(
        (&shown["state"], &shown["flags"]),
        (&json!("unknown"), &json!(["overdue", "pending_approval"]))
    );
    let request = ["request", "int_4812", "case", "--to", "failed", "--note", because, "--out", "R.json"];
    assert_eq!(place.run(&request).exit, 0);
    let own = place.run(&[
        "approve",
        "R.json",
        "--out",
        "A.json",
        "--note",
        "looked at the list of the provider",
        "--relied-on-evidence",
        "--now",
        NOW,
    ]);
    assert_eq!(own.exit, 5);
    assert!(
        own.err.contains("[R-APPROVER]") && own.err.contains("another person: both are called dana"),
        "{}",
        own.err
    );
    assert!(!place.path("A.json").exists());
    approval(&place, "A.json", &json!({}));
    let accept = place.run(&["accept", "A.json", "case"]);
    assert_eq!(accept.exit, 0, "{accept:?}");
    assert_eq!(
        accept.out.lines().take(2).collect::<Vec<_>>(),
        [
            "int_4812 is failed, it was unknown: absent, covered: payments.db read 09:13:58Z, newest row 09:13:51Z (rowid 48211); by dana and erin",
            "Recorded in recount's book. The payment service was not told.",
        ]
    );
    assert_eq!(place.show("int_4812")["state"], json!("failed"));
    // One approval is used once.
    assert_eq!(place.json(&["accept", "A.json", "case"]).1["code"], json!("R-APPROVER"));
    assert_eq!(place.files(), before);
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
}

/// The approval of erin on another machine, with some fields changed.
fn approval(place: &Place, name: &str, changed: &Value) {
    approval_of(place, "R.json", name, changed);
}

/// The same of a request in another file.
pub fn approval_of(place: &Place, request: &str, name: &str, changed: &Value) {
    let request = std::fs::read_to_string(place.path(request)).unwrap();
    let mut value = json!({
        "schema": "recount.approval.v1", "request": sha256_hex(request.trim_end().as_bytes()), "decision": "approve",
        "intent_id": "int_4812", "note": "looked at the list of the provider", "own_read": null, "relied": true,
        "approver": {"name": "erin", "uid": 4711, "login": "erin", "sudo_user": ""}, "at": NOW,
    });
    for (field, new) in changed.as_object().unwrap() {
        value[field] = new.clone();
    }
    std::fs::write(place.path(name), canonical(&value.to_string()).unwrap()).unwrap();
}

#[test]
fn an_approval_that_does_not_count_is_refused() {
    let place = Place::sample();
    let request = [
        "request",
        "int_4812",
        "case",
        "--to",
        "failed",
        "--note",
        "covered absence, the customer asks again",
        "--out",
        "R.json",
    ];
    assert_eq!(place.run(&request).exit, 0);
    for (changed, missing) in [
        (
            json!({"approver": {"name": "Dana", "uid": 4711, "login": "x", "sudo_user": ""}}),
            "another person: both are called Dana",
        ),
        (
            json!({"approver": {"name": "zoe", "uid": 4711, "login": "zoe", "sudo_user": ""}}),
            "zoe is not listed as approver",
        ),
        (json!({"relied": false}), "a read of the approver (--source S), or --relied-on-evidence"),
        (
            json!({"at": "2026-12-03T09:14:08Z"}),
            "it is too late: the request expired at 2026-12-03T09:14:07Z",
        ),
        (json!({"request": "00"}), "the request that it was made for, unchanged"),
    ] {
        approval(&place, "A.json", &changed);
        let (exit, refusal) = place.json(&["accept", "A.json", "case"]);
        assert_eq!(
            (exit, &refusal["code"], &refusal["missing"][0]),
            (5, &json!("R-APPROVER"), &json!(missing))
        );
    }
    // Altered by hand: no longer canonical.
    approval(&place, "A.json", &json!({}));
    let text = std::fs::read_to_string(place.path("A.json")).unwrap();
    std::fs::write(place.path("A.json"), text.replace("{\"approver\"", "{ \"approver\"")).unwrap();
    let altered = place.run(&["accept", "A.json", "case"]);
    assert_eq!(altered.exit, 4);
    assert!(altered.err.contains("not in canonical form"), "{}", altered.err);
    // New facts: what was asked for is not what is there.
    approval(&place, "A.json", &json!({}));
    let trace = place.path("case/trace.jsonl");
    let mut lines = std::fs::read_to_string(&trace).unwrap();
    lines += "{\"event\":\"attempt\",\"attempt_id\":\"att_late\",\"intent_id\":\"int_4812\",\"tool\":\"refund_order\",\"key\":\"req_5501\",\"sent_at\":\"2026-11-28T08:02:12Z\",\"ended_at\":\"2026-11-28T08:02:13Z\",\"outcome\":\"timeout\"}\n";
    std::fs::write(&trace, lines).unwrap();
    let (exit, refusal) = place.json(&["accept", "A.json", "case"]);
    assert_eq!((exit, &refusal["code"]), (5, &json!("R-VERSION")), "{refusal}");
    assert_eq!(place.show("int_4812")["state"], json!("unknown"));
}

#[test]
fn a_request_that_waits_is_not_changed_in_silence() {
    let place = Place::sample();
    let why = "covered absence, the customer asks again";
    let ask = |note: &str, out: &str| {
        place.run(&["request", "int_4812", "case", "--to", "failed", "--note", note, "--out", out])
    };
    // The file is tried before the book is written.
    std::fs::write(place.path("there.json"), "mine").unwrap();
    for out in ["none/R.json", "there.json"] {
        assert_eq!(ask(why, out).exit, 2);
    }
    assert!(!place.path("case/book.db").exists());
    assert_eq!(ask(why, "R.json").exit, 0);
    let last = || {
        recount::book::Book::look(&place.path("case/book.db")).unwrap().view().unwrap().head().unwrap().seq
    };
    let before = last();
    let resolve = ["resolve", "int_4812", "case", "--to", "failed", "--note"];
    let same = place.run(&[&resolve[..], &[why]].concat());
    let said = format!("Request {before} stands already; nothing new was recorded.");
    assert_eq!((same.exit, same.out.lines().last()), (3, Some(said.as_str())), "{same:?}");
    assert!(!same.out.contains("Recorded in"), "{same:?}");
    assert_eq!(last(), before);
    let (exit, other) = place.json(&[&resolve[..], &["read again, still no row for it there"]].concat());
    assert_eq!((exit, &other["code"]), (5, &json!("R-APPROVER")));
    assert_eq!(other["because"], json!(format!("request {before} waits for a second person")));
    assert_eq!(other["seen"], json!(["other than in the request: the note"]));
    assert_eq!(other["next"], json!([format!("withdraw it first: recount withdraw {before} --note TEXT")]));
    let reason = ["--override", "--reason", "the provider has confirmed it by phone"];
    let other = place.json(&[&resolve[..], &[why], &reason].concat()).1;
    assert_eq!(other["seen"], json!(["other than in the request: the override"]));
}

#[test]
fn a_request_is_denied_or_taken_back_on_the_book() {
    let place = Place::sample();
    let ask = |why: &str| {
        let (exit, waits) = place.json(&["resolve", "int_4812", "case", "--to", "failed", "--note", why]);
        assert_eq!(exit, 3);
        waits["request"].to_string()
    };
    let first = ask("covered absence, the customer asks again");
    let foreign = place.json(&[
        "withdraw",
        &first,
        "case",
        "--note",
        "taken back by somebody else",
        "--operator",
        "olu",
    ]);
    assert_eq!((foreign.0, &foreign.1["code"]), (5, &json!("R-WHO")));
    assert_eq!(
        place.run(&["withdraw", &first, "case", "--note", "asked too early, read again first"]).exit,
        0
    );
    let again = place.json(&["withdraw", &first, "case", "--note", "taken back for a second time"]);
    assert_eq!((again.0, &again.1["because"]), (5, &json!("the request of entry 3 is withdrawn already")));
    let second = ask("read again, still no row for it there");
    let denied = place.run(&[
        "deny",
        &second,
        "case",
        "--note",
        "ask the provider by phone first",
        "--operator",
        "erin",
    ]);
    assert_eq!(denied.exit, 0, "{denied:?}");
    assert!(denied.out.starts_with("int_4812: denied by erin, it stays unknown"), "{}", denied.out);
    // The same login cannot approve.
    let third = ask("the provider has been asked by phone now");
    let same = place.json(&[
        "approve",
        &third,
        "case",
        "--note",
        "looked at it for myself too",
        "--relied-on-evidence",
        "--operator",
        "erin",
    ]);
    assert_eq!((same.0, &same.1["code"]), (5, &json!("R-APPROVER")));
    assert!(
        same.1["missing"][0].as_str().unwrap().starts_with("another person: both have user id"),
        "{}",
        same.1
    );
    assert_eq!(place.show("int_4812")["state"], json!("unknown"));
}

/// Two people with keys of their own. Root tells them apart by signatures alone; where the tests run as somebody else,
/// the file of allowed signers is his own, so a signature verifies nobody.
#[test]
fn signatures_tell_two_people_on_one_login_apart() {
    let place = Place::sample();
    for name in ["dana", "erin"] {
        let made = Command::new("ssh-keygen")
            .args(["-q", "-t", "ed25519", "-N", "", "-f"])
            .arg(place.path(name))
            .status();
        if !made.is_ok_and(|status| status.success()) {
            eprintln!("skipped: there is no ssh-keygen");
            return;
        }
    }
    let key = |name: &str| std::fs::read_to_string(place.path(&format!("{name}.pub"))).unwrap();
    let signers = format!("dana@desk {}erin@desk {}", key("dana"), key("erin"));
    std::fs::write(place.path("signers"), signers).unwrap();
    let config = place.path("case/recount.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text.replace("approvers =", "allowed_signers = \"../signers\"\napprovers ="))
        .unwrap();
    let request = [
        "request",
        "int_4812",
        "case",
        "--to",
        "failed",
        "--note",
        "covered absence, the customer asks again",
        "--out",
        "R.json",
        "--sign",
        "dana",
    ];
    let asked = place.run(&request);
    assert_eq!(asked.exit, 0, "{asked:?}");
    let approve = |out: &str, sign: &[&str]| {
        let words = [
            "approve",
            "R.json",
            "--out",
            out,
            "--note",
            "looked at the list of the provider",
            "--relied-on-evidence",
            "--operator",
            "erin",
            "--now",
            NOW,
        ];
        place.run(&[&words[..], sign].concat())
    };
    let signed = approve("A.json", &["--sign", "erin"]);
    assert_eq!(signed.exit, 0, "{signed:?}");
    // Signed by nobody, and signed for another text.
    approval(&place, "B.json", &json!({}));
    let (exit, refusal) = place.json(&["accept", "B.json", "case"]);
    assert_eq!((exit, &refusal["because"]), (5, &json!("the signature is not accepted: there is none")));
    std::fs::copy(place.path("A.json.sig"), place.path("B.json.sig")).unwrap();
    let (exit, refusal) = place.json(&["accept", "B.json", "case"]);
    assert_eq!(
        (exit, &refusal["because"]),
        (5, &json!("the signature is not accepted: it is not the signature of this file"))
    );
    let accept = place.run(&["accept", "A.json", "case"]);
    let root =
        std::fs::metadata("/proc/self").map(|own| std::os::unix::fs::MetadataExt::uid(&own)).unwrap() == 0;
    if root {
        assert_eq!(accept.exit, 0, "{accept:?}");
        assert_eq!(place.show("int_4812")["state"], json!("failed"));
    } else {
        assert_eq!(accept.exit, 5, "{accept:?}");
        assert!(accept.err.contains("identity not verified"), "{}", accept.err);
    }
}

#[test]
fn a_request_of_one_system_user_is_approved_by_another_and_accepted_by_a_third() {
    let root =
        std::fs::metadata("/proc/self").map(|own| std::os::unix::fs::MetadataExt::uid(&own)).unwrap() == 0;
    if !root {
        eprintln!("skipped: only root can be two system users");
        return;
    }
    let place = Place::sample();
    let request = [
        "request",
        "int_4812",
        "case",
        "--to",
        "failed",
        "--note",
        "covered absence, the customer asks again",
        "--out",
        "R.json",
    ];
    assert_eq!(place.run(&request).exit, 0);
    // The other user has a place of his own, the program, and no book.
    let other = tempfile::tempdir().unwrap();
    std::fs::set_permissions(other.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    let program = other.path().join("recount");
    std::fs::copy(env!("CARGO_BIN_EXE_recount"), &program).unwrap();
    std::fs::copy(place.path("R.json"), other.path().join("R.json")).unwrap();
    std::fs::set_permissions(
        other.path().join("R.json"),
        std::os::unix::fs::PermissionsExt::from_mode(0o644),
    )
    .unwrap();
    let approved = Command::new(&program)
        .args([
            "approve",
            "R.json",
            "--out",
            "A.json",
            "--relied-on-evidence",
            "--operator",
            "erin",
            "--now",
            NOW,
        ])
        .args(["--note", "looked at the list of the provider"])
        .current_dir(other.path())
        .uid(4711)
        .gid(4711)
        .env_clear()
        .output()
        .unwrap();
    assert_eq!(approved.status.code(), Some(0), "{approved:?}");
    let accept = place.command(&[
        "accept",
        &other.path().join("A.json").display().to_string(),
        "case",
        "--operator",
        "mika",
    ]);
    let accept = said(&{ accept }.output().unwrap());
    assert_eq!(accept.exit, 0, "{accept:?}");
    assert_eq!(place.show("int_4812")["state"], json!("failed"));
}

#[test]
fn held_reopened_and_disputed() {
    let place = Place::small("escalation_owner = \"night\"", &["rf_1,op_1,1,20.00,USD,2026-11-30T09:00:05Z"]);
    let held = ["escalate", "int_2", "case", "--owner", "olu", "--deadline", "4h"];
    let short = place.json(&[&held[..], &["--note", "too short"]].concat());
    assert_eq!(
        (short.0, &short.1["code"], &short.1["because"]),
        (5, &json!("R-NOTE"), &json!("the note has 9 characters, needs 20"))
    );
    let note = "no read covers it before the morning";
    let done = place.run(&[&held[..], &["--note", note]].concat());
    assert_eq!(done.exit, 0, "{done:?}");
    assert_eq!(
        done.out.lines().take(3).collect::<Vec<_>>(),
        [
            "int_2 is escalated to olu, until 2026-11-30T16:00:00Z; it stays unknown",
            "NOT DELIVERED: tell olu, then recount escalate int_2 --delivered REF",
            "Recorded in recount's book. The payment service was not told.",
        ]
    );
    let shown = place.show("int_2");
    assert_eq!((&shown["state"], &shown["deadline"]), (&json!("unknown"), &json!("2026-11-30T16:00:00Z")));
    assert_eq!((&shown["owner"], &shown["flags"]), (&json!("olu"), &json!(["not_delivered"])));
    let same = place.json(&[&held[..], &["--note", note]].concat());
    assert_eq!(same.1["because"], json!("the note is the same as the one before on this intent"));
    assert_eq!(place.run(&["escalate", "int_2", "case", "--delivered", "PAGE-77"]).exit, 0);
    assert_eq!(place.show("int_2")["flags"], json!([]));
    assert_eq!(place.run(&["escalate", "int_1", "case", "--delivered", "PAGE-78"]).exit, 2);
    assert_eq!(place.run(&["assign", "int_2", "case", "--owner", "olu", "--operator", "olu"]).exit, 0);
    let late = place.json(&[
        "extend",
        "int_2",
        "case",
        "--owner",
        "olu",
        "--deadline",
        "73h",
        "--note",
        "the provider answers next week",
    ]);
    assert_eq!((late.0, &late.1["code"]), (5, &json!("R-DEADLINE")));

    // Confirmed by its row; not twice, and not to failed without being reopened.
    let confirm =
        ["resolve", "int_1", "case", "--to", "confirmed", "--note", "rf_1 stands in the ledger for it"];
    assert_eq!(place.run(&confirm).exit, 0);
    let fail = ["resolve", "int_1", "case", "--to", "failed", "--note", "changed my mind about this one"];
    assert_eq!(place.json(&fail).1["code"], json!("R-REOPEN-FIRST"));
    let stale = [&fail[..], &["--if-version", "1"]].concat();
    assert_eq!(place.json(&stale).1["code"], json!("R-REOPEN-FIRST"));

    // The ledger loses the row: what was confirmed is contradicted, and nothing is overwritten.
    place.ledger(&[]);
    let shown = place.show("int_1");
    assert_eq!((&shown["state"], &shown["verdict"]), (&json!("confirmed"), &json!("UNVERIFIED_SUCCESS")));
    // A listing with a row less than before covers nothing until somebody took note of that.
    let note = ["case", "acknowledge", "provider", "case", "--note", "the provider took the row out"];
    assert_eq!(place.run(&note).exit, 0);
    let shown = place.show("int_1");
    assert_eq!((&shown["state"], &shown["verdict"]), (&json!("confirmed"), &json!("MISSING")));
    let disputed = json!(["disputed", "not_taken_over"]);
    assert_eq!((&shown["severity"], &shown["flags"]), (&json!(1), &disputed));
    let reopen = ["reopen", "int_1", "case", "--note", "the row is gone from the ledger"];
    assert_eq!(place.run(&reopen).exit, 0);
    assert_eq!(place.json(&[&fail[..], &["--if-version", "2"]].concat()).1["code"], json!("R-VERSION"));
    assert_eq!(place.run(&fail).exit, 0);
    let shown = place.show("int_1");
    assert_eq!(
        (&shown["state"], &shown["verdict"], &shown["flags"]),
        (&json!("failed"), &json!("FAILED_CLEAN"), &json!(["not_taken_over"]))
    );

    // And a row appears for what was failed.
    place.ledger(&["rf_1,op_1,1,20.00,USD,2026-11-30T09:00:05Z"]);
    let shown = place.show("int_1");
    assert_eq!((&shown["verdict"], &shown["flags"]), (&json!("FAILED_BUT_EFFECT"), &disputed));
    let present = [
        "resolve",
        "int_1",
        "case",
        "--to",
        "failed",
        "--override",
        "--reason",
        "the provider says that it is not",
    ];
    assert_eq!(place.run(&["reopen", "int_1", "case", "--note", "the row is back in the ledger"]).exit, 0);
    assert_eq!(
        place.json(&[&present[..], &["--note", "the row is not believed here"]].concat()).1["code"],
        json!("R-FAIL-PRESENT")
    );
}

#[test]
fn a_later_change_of_the_owning_system_opens_a_dispute() {
    let place = Place::small("", &["rf_1,op_1,1,20.00,USD,2026-11-30T09:00:05Z"]);
    let confirm =
        ["resolve", "int_1", "case", "--to", "confirmed", "--note", "rf_1 stands in the ledger for it"];
    assert_eq!(place.run(&confirm).exit, 0);
    assert_eq!(place.show("int_1")["flags"], json!(["not_taken_over"]));
    let trace = place.path("case/calls.jsonl");
    let add = |line: &str| {
        let mut text = std::fs::read_to_string(&trace).unwrap();
        text += line;
        text += "\n";
        std::fs::write(&trace, text).unwrap();
    };
    // Taken over: the same state.
    add(
        "{\"event\":\"state_changed\",\"intent_id\":\"int_1\",\"from\":\"unknown\",\"to\":\"confirmed\",\"actor\":\"human\",\"ts\":\"2026-11-30T12:00:01Z\"}",
    );
    assert_eq!(place.show("int_1")["flags"], json!([]));
    add(
        "{\"event\":\"state_changed\",\"intent_id\":\"int_1\",\"from\":\"confirmed\",\"to\":\"failed\",\"actor\":\"human\",\"ts\":\"2026-11-30T12:00:02Z\"}",
    );
    let shown = place.show("int_1");
    assert_eq!((&shown["state"], &shown["flags"]), (&json!("confirmed"), &json!(["disputed"])));
}

#[test]
fn reconciliation_settles_what_is_small_and_strict() {
    let place = Place::small(
        "auto_max = { USD = \"20.00\" }\nescalation_owner = \"night\"",
        &["rf_1,op_1,1,20.00,USD,2026-11-30T09:00:05Z"],
    );
    let (exit, dry) = place.json(&["reconcile", "case"]);
    assert_eq!((exit, &dry["applied"], dry["items"].as_array().unwrap().len()), (3, &json!(false), 2));
    assert_eq!(
        (&dry["items"][1]["intent_id"], &dry["items"][1]["to"]),
        (&json!("int_1"), &json!("confirmed"))
    );
    assert_eq!(dry["items"][0]["why"], json!("the amount is above what is settled automatically"));
    assert!(!place.path("case/book.db").exists(), "a dry run writes nothing");
    assert_eq!(place.run(&["reconcile", "case", "--apply"]).exit, 3);
    assert_eq!(
        (&place.show("int_1")["state"], &place.show("int_2")["state"]),
        (&json!("confirmed"), &json!("unknown"))
    );

    // int_2 is overdue and above the limit: escalated, with a new deadline.
    assert_eq!(place.run(&["expire", "case", "--retry"]).exit, 2);
    let (exit, due) = place.json(&["expire", "case", "--apply"]);
    assert_eq!((exit, &due["items"][0]["to"]), (3, &json!("escalated")));
    let shown = place.show("int_2");
    assert_eq!((&shown["overdue"], &shown["deadline"]), (&json!(false), &json!("2026-11-30T16:00:00Z")));
    let (exit, none) = place.json(&["expire", "case"]);
    assert_eq!((exit, &none["items"]), (0, &json!([])));
}

#[test]
fn what_was_not_written_is_not_said_to_be_recorded() {
    let place =
        Place::small("auto_max = { USD = \"1.00\" }", &["rf_1,op_1,1,20.00,USD,2026-11-30T09:00:05Z"]);
    let said = place.run(&["reconcile", "case", "--apply"]);
    assert!(said.exit == 3 && !said.out.contains("Recorded"), "{said:?}");
    assert!(!place.path("case/book.db").exists());
    let said = place.run(&["expire", "case", "--apply"]);
    assert!(said.exit == 5 && !said.out.contains("Recorded") && !said.out.contains("not logged"), "{said:?}");
    let log = place.json(&["audit", "list", "case", "--action", "resolve_refused"]).1;
    let refused: Vec<&Value> =
        log["entries"].as_array().unwrap().iter().map(|e| &e["entry"]["reason"]).collect();
    assert_eq!(refused, [&json!("R-OWNER"), &json!("R-OWNER")]);

    // No output of the log lands on a file of the case, whatever --force says.
    let files = place.files();
    let period = ["--from", "2026-11-01T00:00:00Z", "--to", "2026-12-01T00:00:00Z"];
    for words in
        [&["audit", "anchor", "case"][..], &["audit", "export", "case"], &["audit", "population", "case"]]
    {
        for name in ["calls.jsonl", "provider.csv", "recount.toml", "book.db", "book.db-wal", "book.db-shm"] {
            let out = format!("case/{name}");
            let more = if words[1] == "population" { &period[..] } else { &[] };
            let said = place.run(&[words, more, &["--out", &out, "--force"]].concat());
            assert!(
                said.exit == 2 && said.err.contains("is a file that this call reads"),
                "{words:?} {said:?}"
            );
        }
    }
    assert_eq!(place.files(), files);
}

#[test]
fn a_population_has_no_control_characters() {
    use recount::book::population::{COLUMNS, Population};
    let mut row = vec![String::new(); COLUMNS.len()];
    row[12] = "=1\u{1b}[31m\u{7}\u{202e}two\nlines".to_owned();
    let population = Population { rows: vec![row], ..Population::default() };
    let mut bytes = Vec::new();
    let mut out = recount::report::out::Out::to(Box::new(&mut bytes));
    recount::report::audit::population_csv(&population, &recount::report::Mask::of_load(false), &mut out);
    out.finish().unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.lines().last().unwrap().contains("'=1"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']) && !text.contains("two\nlines"), "{text}");
}

#[test]
fn a_read_by_hand_shows_presence_and_never_absence() {
    let place = Place::small("high_value = { USD = \"25.00\" }\napprovers = [\"erin\"]", &[]);
    std::fs::write(place.path("case/provider.csv"), "refund_id,operation_id,order_id,amount,currency,created_at\nrf_0,op_0,0,1.00,USD,2026-11-30T08:00:00Z\n").unwrap();
    let by_hand = |id: &'static str, result: &'static str| {
        vec![
            "readback",
            id,
            "case",
            "--manual",
            "--source",
            "portal",
            "--result",
            result,
            "--read-at",
            "2026-11-30T11:30:00Z",
            "--note",
            "seen on the page of the provider",
        ]
    };
    assert_eq!(place.run(&by_hand("int_1", "absent_as_of")).exit, 2);
    let (exit, read) = place.json(&by_hand("int_1", "present"));
    assert_eq!((exit, &read["id"], &read["manual"]), (0, &json!("rb_1"), &json!(true)));
    let confirm =
        ["resolve", "int_1", "case", "--to", "confirmed", "--note", "the portal shows the refund of 20"];
    let (exit, refusal) = place.json(&[&confirm[..], &["--evidence", "rb_1"]].concat());
    assert_eq!((exit, &refusal["code"]), (5, &json!("R-CONF-EVID")));
    let other = place.json(&[
        "resolve",
        "int_2",
        "case",
        "--to",
        "confirmed",
        "--note",
        "the portal shows the refund of 20",
        "--evidence",
        "rb_1",
        "--evidence",
        "ticket:SUP-9",
    ]);
    assert_eq!(other.1["code"], json!("R-EVID-OTHER"));
    let (exit, done) =
        place.json(&[&confirm[..], &["--evidence", "rb_1", "--evidence", "ticket:SUP-9"]].concat());
    assert_eq!((exit, &done["basis"], &done["persons"]), (0, &json!("manual_read"), &json!(1)));
    // The same for 30 is above the limit: two people.
    assert_eq!(place.json(&by_hand("int_2", "present")).1["id"], json!("rb_2"));
    let high = place.json(&[
        "resolve",
        "int_2",
        "case",
        "--to",
        "confirmed",
        "--note",
        "the portal shows the refund of 30",
        "--evidence",
        "rb_2",
        "--evidence",
        "ticket:SUP-9",
    ]);
    assert_eq!((high.0, &high.1["pending"]), (3, &json!(true)));
}

#[test]
fn break_glass_is_red_until_somebody_else_reviewed_it() {
    let policy = "high_value = { USD = \"25.00\" }\nbreak_glass = true\nbreak_glass_max = { USD = \"30.00\" }\n\
                  approvers = [\"erin\"]";
    let place = Place::small(policy, &["rf_1,op_1,1,20.00,USD,2026-11-30T09:00:05Z"]);
    let confirm =
        ["resolve", "int_1", "case", "--to", "confirmed", "--note", "rf_1 stands in the ledger for it"];
    assert_eq!(place.run(&confirm).exit, 0);
    let by_hand = [
        "readback",
        "int_2",
        "case",
        "--manual",
        "--source",
        "portal",
        "--result",
        "present",
        "--read-at",
        "2026-11-30T11:30:00Z",
        "--note",
        "seen on the page of the provider",
    ];
    assert_eq!(place.run(&by_hand).exit, 0);
    let broken = [
        "resolve",
        "int_2",
        "case",
        "--to",
        "confirmed",
        "--note",
        "the customer stands at the desk",
        "--evidence",
        "rb_1",
        "--evidence",
        "ticket:SUP-9",
        "--break-glass",
        "INC-7",
    ];
    let done = place.run(&broken);
    assert_eq!(done.exit, 0, "{done:?}");
    assert!(
        done.out.contains("break-glass INC-7: to be reviewed by somebody else until 2026-12-01T12:00:00Z"),
        "{}",
        done.out
    );
    assert_eq!(place.show("int_2")["flags"], json!(["break_glass", "not_taken_over"]));
    let said = place.run(&["check", "case"]);
    assert!(said.err.contains("1 break-glass decided by one person and not reviewed yet"), "{}", said.err);
    let list: Value = place.json(&["audit", "list", "case"]).1;
    let seq = list["entries"]
        .as_array()
        .unwrap()
        .iter()
        .find(|e| e["entry"]["action"] == "resolve" && e["entry"]["subject"]["id"] == "int_2")
        .unwrap()["entry"]["seq"]
        .to_string();
    let review = |who: &str| {
        place.json(&[
            "review",
            &seq,
            "case",
            "--outcome",
            "ok",
            "--note",
            "the portal was read again today",
            "--operator",
            who,
        ])
    };
    assert_eq!(review("dana").1["code"], json!("R-APPROVER"));
    assert_eq!(review("zoe").1["code"], json!("R-APPROVER"));
    assert_eq!(review("erin").0, 0);
    assert!(!place.run(&["check", "case"]).err.contains("break-glass"));
    // The chain holds through all of it.
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
}

#[test]
fn a_reader_command_answers_or_is_unreadable() {
    let place = Place::small("", &[]);
    let config = place.path("case/recount.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text + "command = [\"./reader.sh\"]\n").unwrap();
    let reader = |body: &str| {
        let path = place.path("case/reader.sh");
        std::fs::write(&path, format!("#!/bin/sh\ncat > asked.json\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
        place.json(&["readback", "int_1", "case", "--source", "provider"])
    };
    let (exit, read) =
        reader("echo '{\"result\":\"present\",\"read_at\":\"2026-11-30T11:59:30Z\",\"position\":\"p1\"}'");
    assert_eq!((exit, &read["result"], &read["position"]), (0, &json!("present"), &json!("p1")));
    let asked: Value =
        serde_json::from_str(&std::fs::read_to_string(place.path("case/asked.json")).unwrap()).unwrap();
    assert_eq!((&asked["operation_id"], &asked["key"]), (&json!("op_1"), &json!("key_1")));
    let absent = |read_at: &str, newest: &str| {
        let body = format!(
            "echo '{{\"result\":\"absent_as_of\",\"read_at\":\"2026-11-30T{read_at}\",\"newest_entry_at\":\"2026-11-30T{newest}\",\"position\":\"p2\"}}'"
        );
        let (exit, read) = reader(&body);
        (exit, read["result"].as_str().unwrap().to_owned())
    };
    // The call ended at 09:00:31; 60 s to settle and 3 s for the clocks.
    let late = |result: &str, exit: i32| (exit, result.to_owned());
    assert_eq!(absent("11:00:00Z", "09:01:34.000001Z"), late("absent_as_of", 0));
    assert_eq!(absent("11:00:00Z", "09:01:34Z"), late("not_found_not_covering", 3));
    assert_eq!(absent("09:01:34Z", "09:01:34.000001Z"), late("not_found_not_covering", 3));
    for (body, why) in [
        ("echo no", "the command printed no JSON"),
        ("echo '{\"result\":\"fine\"}'", "the command printed the result \"fine\""),
        ("echo '{\"result\":\"absent_as_of\"}'", "an absence needs read_at, newest_entry_at and position"),
        ("exit 3", "./reader.sh ended with exit status: 3"),
        ("head -c 1048577 /dev/zero", "./reader.sh printed more than 1048576 bytes"),
    ] {
        let (exit, read) = reader(body);
        assert_eq!((exit, &read["result"]), (3, &json!("unreadable")), "{body}");
        assert!(read["detail"].as_str().unwrap().starts_with(why), "{body}: {read}");
    }
}

#[test]
fn without_a_book_without_a_name_or_read_only_nothing_is_decided() {
    let place = Place::sample();
    let words = [
        "resolve",
        "int_4813",
        "case",
        "--to",
        "confirmed",
        "--note",
        "the row stands in the list of the provider",
    ];
    let (exit, refusal) = place.json(&[&words[..], &["--read-only"]].concat());
    assert_eq!((exit, &refusal["code"], &refusal["logged"]), (5, &json!("R-READONLY"), &json!(false)));
    let mut nobody = place.command(&words);
    nobody.env_remove("RECOUNT_OPERATOR");
    if std::fs::metadata("/proc/self").map(|own| std::os::unix::fs::MetadataExt::uid(&own)).unwrap() == 0 {
        let said = said(&nobody.output().unwrap());
        assert_eq!(said.exit, 5);
        assert!(said.err.contains("[R-IDENTITY]") && said.err.contains("not logged"), "{}", said.err);
    }
    let in_memory = [
        "resolve",
        "int_1",
        "--trace",
        "case/trace.jsonl",
        "--ledger",
        "case/payments.db?table=refunds",
        "--to",
        "confirmed",
        "--note",
        "the row stands in the list of the provider",
    ];
    let mut sources = in_memory;
    sources[1] = "int_4813";
    let (exit, refusal) = place.json(&[&sources[..], &["--now", NOW]].concat());
    assert_eq!((exit, &refusal["code"]), (5, &json!("R-READONLY")), "{refusal}");
    assert_eq!(refusal["because"], json!("a case in memory has no book; --book FILE gives it one"));
    let (exit, done) = place.json(&[&sources[..], &["--now", NOW, "--book", "own.db"]].concat());
    assert_eq!((exit, &done["to"]), (0, &json!("confirmed")));
    assert!(place.path("own.db").exists() && !place.path("case/book.db").exists());
    let agent = place.json(&[&words[..], &["--actor", "agent"]].concat());
    assert_eq!((agent.0, &agent.1["code"], &agent.1["logged"]), (5, &json!("R-AGENT"), &json!(true)));
    // A program that calls itself reconciliation has its limits: USD 200.00 is above USD 50.00.
    let program = place.json(&[&words[..], &["--actor", "reconciliation"]].concat());
    assert_eq!((program.0, &program.1["code"]), (5, &json!("R-WHO")));
    assert_eq!(program.1["because"], json!("the amount is above what is settled automatically"));
    assert_eq!(place.show("int_4813")["state"], json!("unknown"));
}

#[test]
fn a_row_is_tied_by_hand_and_taken_away_again() {
    let place = Place::small("approvers = [\"erin\"]", &["rf_1,,1,20.00,USD,2026-11-30T09:00:05Z"]);
    let shown = place.show("int_1");
    assert_eq!((&shown["observed"]["net"], shown["suggestions"].as_array().unwrap().len()), (&json!(0), 1));
    let note = ["--note", "the provider names this order for it"];
    let tie = [&["link", "rf_1", "int_1", "case"][..], &note].concat();
    let (exit, done) = place.json(&tie);
    assert_eq!((exit, &done["effect"]), (0, &json!({"source": "provider", "id": "rf_1"})));
    let shown = place.show("int_1");
    assert_eq!((&shown["verdict"], &shown["effects"][0]["link"]), (&json!("HIDDEN_SUCCESS"), &json!(["J6"])));
    assert_eq!((&shown["state"], &shown["version"]), (&json!("unknown"), &Value::Null));
    assert_eq!(place.run(&[&["link", "rf_0", "int_1", "elsewhere"][..], &note].concat()).exit, 4);
    assert_eq!(
        place
            .run(
                &[&["link", "rf_none", "int_1", "case"][..], &["--note", "another note of this intent"]]
                    .concat()
            )
            .exit,
        2
    );
    let off = place.json(&["unlink", "rf_1", "case", "--note", "it belongs to an older request"]);
    assert_eq!((off.0, &off.1["action"]), (0, &json!("unlink")));
    let shown = place.show("int_1");
    assert_eq!((&shown["observed"]["net"], &shown["effects"]), (&json!(0), &json!([])));

    // A row that carries the intent's own id and was taken from it is a suggestion until somebody says no: one command
    // alone never turns a paid refund into one that may be sent again.
    let sample = Place::sample();
    let note = ["--note", "an older request of the same order"];
    assert_eq!(sample.run(&[&["unlink", "rf_4813", "case"][..], &note].concat()).exit, 0);
    let shown = sample.show("int_4813");
    assert_eq!((&shown["observed"]["net"], &shown["coverage"]["covered"]), (&json!(0), &json!(false)));
    let fail = ["resolve", "int_4813", "case", "--to", "failed", "--note", "nothing is linked, so it failed"];
    let (exit, refused) = sample.json(&fail);
    assert_eq!((exit, &refused["code"]), (5, &json!("R-FAIL-COVER")));
    assert_eq!(sample.show("int_4813")["state"], json!("unknown"));

    // Answered with no, it keeps nothing from being proven.
    let cover = |place: &Place| place.show("int_1")["coverage"]["covered"].clone();
    let place = Place::small("", &["rf_1,,1,20.00,USD,2026-11-30T09:00:05Z"]);
    let fail = ["resolve", "int_1", "case", "--to", "failed", "--note", "the ledger was read past the call"];
    assert_eq!((cover(&place), &place.json(&fail).1["code"]), (json!(false), &json!("R-FAIL-COVER")));
    assert_eq!(
        place.run(&["reject", "rf_2", "int_1", "case", "--note", "a row of an older request"]).exit,
        2
    );
    let no = place.json(&["reject", "rf_1", "int_1", "case", "--note", "a row of an older request"]);
    assert_eq!((no.0, &no.1["action"]), (0, &json!("suggestion_rejected")));
    assert_eq!((cover(&place), place.show("int_1")["suggestions"].clone()), (json!(true), json!([])));
    assert_eq!(place.run(&fail).exit, 0);

    // From the limit up taking it away needs two.
    let place = Place::small(
        "approvers = [\"erin\"]\nhigh_value = { USD = \"20.00\" }",
        &["rf_1,op_1,1,20.00,USD,2026-11-30T09:00:05Z"],
    );
    let off = place.json(&["unlink", "provider/rf_1", "case", "--note", "it belongs to an older request"]);
    assert_eq!((off.0, &off.1["pending"]), (3, &json!(true)));
    assert_eq!(place.show("int_1")["observed"]["net"], json!(1));
}

#[test]
fn a_disposition_closes_what_is_decided() {
    let place = Place::sample();
    let dispose = |id: &'static str, rest: &[&'static str]| {
        place.json(
            &[&["disposition", id, "case"][..], rest, &["--note", "settled with the customer by phone"]]
                .concat(),
        )
    };
    assert_eq!(dispose("int_4814", &["--as", "not-ours"]).1["code"], json!("R-WHO"));
    let (exit, lacking) = dispose("int_9876", &["--as", "recovered", "--amount", "200.00"]);
    assert_eq!((exit, &lacking["because"]), (5, &json!("recovered needs a reference or row")));
    // What cannot be stored, or says nothing, is not taken.
    for (amount, why) in [
        ("200.001", "--amount \"200.001\" has more decimals than USD\n"),
        ("0", "--amount \"0\": what was settled is more than 0\n"),
        ("-1.00", "--amount \"-1.00\": what was settled is more than 0\n"),
    ] {
        let amount = format!("--amount={amount}");
        let words = ["disposition", "int_9876", "case", "--as", "recovered", &amount, "--ref", "CRED-1"];
        let said = place.run(&[&words[..], &["--note", "settled with the customer by phone"]].concat());
        assert_eq!((said.exit, said.err.as_str()), (2, why));
    }
    let itself = ["disposition", "int_9876", "case", "--as", "same-cause", "--same-as", "int_9876"];
    let said = place.run(&[&itself[..], &["--note", "settled with the customer by phone"]].concat());
    assert_eq!((said.exit, said.err.as_str()), (2, "--same-as names int_9876 itself; name the other item\n"));
    let (exit, done) = dispose("int_9876", &["--as", "recovered", "--amount", "200.00", "--ref", "CRED-1"]);
    assert_eq!(exit, 0);
    assert_eq!(done["disposition"]["amount"], json!({"minor": 20000, "currency": "USD"}));
    assert_eq!(place.show("int_9876")["disposition"], json!("recovered"));
    assert_eq!(dispose("int_9876", &["--reopen"]).0, 5, "the same note again");
}

#[test]
fn a_disposition_is_in_the_currency_at_risk_and_only_of_what_is_not_fine() {
    let place = Place::of("currencies");
    let close = |id: &'static str, note: &'static str, rest: &[&'static str]| {
        let words = ["disposition", id, "case", "--as", "recovered", "--ref", "CRED-1", "--note", note];
        [&words[..], rest].concat()
    };
    let recorded = |words: &[&str]| place.json(words).1["disposition"]["amount"].clone();
    // EUR 200.00 is at risk where USD 200.00 was intended.
    let first = close("int_7404", "one cent of it came back today", &["--amount", "0.01"]);
    assert_eq!(recorded(&first), json!({"minor": 1, "currency": "EUR"}));
    let other = ["--amount", "200", "--currency", "USD"];
    let other = close("int_7404", "dollars that came back by mistake", &other);
    assert_eq!(recorded(&other), json!({"minor": 20000, "currency": "USD"}));
    assert_eq!(place.show("int_7404")["flags"], json!([]));
    let none = ["--amount", "200", "--currency", "no such"];
    let said = place.run(&close("int_7404", "a currency that there is not", &none));
    assert_eq!(
        (said.exit, said.err.as_str()),
        (
            2,
            "--currency \"no such\" is no currency; write its ISO code, such as USD; a unit of your own is declared in \
             recount.toml: exponent_override = { NAME = 0 }\n"
        )
    );
    let rest = ["--amount", "199.99", "--currency", "EUR"];
    let rest = close("int_7404", "the rest of it came back today", &rest);
    assert_eq!(recorded(&rest), json!({"minor": 19999, "currency": "EUR"}));
    assert_eq!(place.show("int_7404")["flags"], json!(["closed"]));
    // What is as it was meant has nothing to close.
    for (id, more) in
        [("int_7403", &["--as", "not-ours"][..]), ("int_7408", &["--as", "made-whole", "--amount", "5.1"])]
    {
        let words = ["disposition", id, "case", "--ref", "X", "--note", "nothing was wrong with this one"];
        let (exit, refused) = place.json(&[&words[..], more].concat());
        assert_eq!((exit, &refused["code"]), (5, &json!("R-WHO")), "{refused}");
        assert_eq!(place.show(id)["disposition"], Value::Null);
    }
}

#[test]
fn of_several_currencies_at_risk_one_is_named() {
    let place = Place::small("", &["rf_1,op_1,1,20.00,USD,2026-11-30T09:00:05Z"]);
    super::settled::confirm(&place);
    place.ledger(&[
        "rf_1,op_1,1,20.00,USD,2026-11-30T09:00:05Z",
        "rf_2,op_1,1,20.00,USD,2026-11-30T09:00:06Z",
        "rf_3,op_1,1,7.00,EUR,2026-11-30T09:00:07Z",
    ]);
    let close = ["disposition", "int_1", "case", "--as", "recovered", "--amount", "7", "--ref", "C-1"];
    let close = [&close[..], &["--note", "the bank sent a part of it back"]].concat();
    let said = place.run(&close);
    assert_eq!(
        (said.exit, said.err.as_str()),
        (2, "int_1 is at risk in EUR and USD: say with --currency which of them --amount is\n")
    );
    let (exit, done) = place.json(&[&close[..], &["--currency", "EUR"]].concat());
    assert_eq!((exit, &done["disposition"]["amount"]), (0, &json!({"minor": 700, "currency": "EUR"})));
}

// ---------------------------------------------------------------- applications

pub fn record<'a>(operation: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    let words = [
        "intent",
        "record",
        "--book",
        "intents.db",
        "--operation-id",
        operation,
        "--kind",
        "refund",
        "--now",
        NOW,
    ];
    [&words[..], rest].concat()
}

pub fn gate<'a>(operation: &'a str, key: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    let words = ["intent", "gate", operation, "--book", "intents.db", "--key", key, "--now", NOW];
    [&words[..], rest].concat()
}

fn mark<'a>(operation: &'a str, attempt: &'a str, outcome: &'a str) -> Vec<&'a str> {
    vec![
        "intent",
        "mark",
        operation,
        "--book",
        "intents.db",
        "--attempt",
        attempt,
        "--outcome",
        outcome,
        "--now",
        NOW,
    ]
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[test]
fn an_intent_is_recorded_once_and_keeps_its_key() {
    let place = Place { folder: tempfile::tempdir().unwrap(), clock: NOW };
    std::fs::write(place.path("p1.json"), "{\"amount\": 20.0, \"order\": 1}").unwrap();
    std::fs::write(place.path("p2.json"), "{\"order\": 1, \"amount\": 21}").unwrap();
    let fields = ["--amount", "20.00", "--currency", "USD", "--payload", "p1.json"];
    let (exit, first) = place.json(&record("op_1", &fields));
    assert_eq!((exit, &first["already_recorded"], &first["state"]), (0, &json!(false), &json!("submitted")));
    assert_eq!(first["deadline"], json!("2026-11-30T09:19:37Z"));
    let (exit, again) = place.json(&record("op_1", &fields));
    assert_eq!((exit, &again["already_recorded"]), (0, &json!(true)));
    assert_eq!((&again["intent_id"], &again["key"]), (&first["intent_id"], &first["key"]));
    let other =
        place.json(&record("op_1", &["--amount", "20.00", "--currency", "USD", "--payload", "p2.json"]));
    assert_eq!((other.0, &other.1["code"]), (5, &json!("R-FAIL-PAYLOAD")));
    let amount =
        place.json(&record("op_1", &["--amount", "21.00", "--currency", "USD", "--payload", "p1.json"]));
    assert_eq!((amount.0, &amount.1["code"]), (5, &json!("R-FAIL-PAYLOAD")));
    // Every other field that is given again is the recorded one, or the refusal names it.
    let fields = ["--amount", "20.00", "--currency", "USD", "--business-id", "order:1", "--party", "cus_1"];
    let own = |fields: &[&str]| place.json(&record("op_5", fields));
    assert_eq!(own(&fields).0, 0);
    assert_eq!(own(&[&fields[..2], &["--currency", "usd"]].concat()).1["already_recorded"], json!(true));
    let entries =
        || place.json(&["audit", "list", "--book", "intents.db"]).1["entries"].as_array().unwrap().len();
    let before = entries();
    for (changed, because, code) in [
        (["--currency", "EUR"], "the currency differs: recorded USD, sent EUR", "R-FAIL-PAYLOAD"),
        (
            ["--business-id", "order:2"],
            "the business id differs: recorded order:1, sent order:2",
            "R-FAIL-PAYLOAD",
        ),
        (["--kind", "payout"], "the kind differs: recorded refund, sent payout", "R-FAIL-PAYLOAD"),
        (["--party", "cus_2"], "the party differs: recorded cus_1, sent cus_2", "R-FAIL-PAYLOAD"),
    ] {
        let words = ["intent", "record", "--book", "intents.db", "--operation-id", "op_5", "--now", NOW];
        let (exit, refusal) = place.json(&[&words[..], &changed].concat());
        assert_eq!((exit, &refusal["because"], &refusal["code"]), (5, &json!(because), &json!(code)));
    }
    let (exit, refusal) = own(&["--key", "another"]);
    assert_eq!((exit, &refusal["code"]), (5, &json!("R-FAIL-KEY")));
    assert!(text(&refusal["because"]).starts_with("the key differs: recorded "), "{refusal}");
    assert_eq!(entries() - before, 5, "five refusals and nothing else");
    for currency in ["US\u{1b}D", "US D", "?", ""] {
        let said = place.run(&record("op_6", &["--amount", "20.00", "--currency", currency]));
        assert_eq!((said.exit, said.out.as_str()), (2, ""), "{currency:?}: {said:?}");
    }
    let key = text(&first["key"]);
    let taken = place.json(&record("op_2", &["--key", &key, "--payload", "p2.json"]));
    assert_eq!((taken.0, &taken.1["code"]), (5, &json!("R-FAIL-KEY")));
    let replaces = place.json(&record("op_3", &["--parent", "op_1", "--relation", "replaces"]));
    assert_eq!((replaces.0, &replaces.1["code"]), (5, &json!("R-LINEAGE")));
    assert_eq!(place.json(&record("op_3", &["--parent", "op_1", "--relation", "adds_to"])).0, 0);
    assert_eq!(place.run(&record("", &[])).exit, 2);
    assert_eq!(place.json(&record("op_4", &["--actor", "agent"])).1["code"], json!("R-AGENT"));
}

#[test]
fn the_gate_lets_one_through_and_answers_move_the_state() {
    let place = Place { folder: tempfile::tempdir().unwrap(), clock: NOW };
    let key = text(&place.json(&record("op_1", &[])).1["key"]);
    let asked = place.json(&gate("op_1", &key, &["--ask"]));
    assert_eq!(
        (asked.0, &asked.1["permission"], &asked.1["allowed"]),
        (0, &json!(false), &json!("first_send"))
    );
    assert_eq!(place.json(&gate("op_1", "another", &[])).1["code"], json!("R-FAIL-KEY"));
    let (exit, claim) = place.json(&gate("op_1", &key, &[]));
    assert_eq!(
        (exit, &claim["permission"], &claim["time_limit"]),
        (0, &json!(true), &json!("2026-11-30T09:14:37Z"))
    );
    let attempt = text(&claim["attempt_id"]);
    let second = place.json(&gate("op_1", &key, &[]));
    assert_eq!((second.0, &second.1["code"]), (5, &json!("R-SUB-RETRY")));
    assert_eq!(
        second.1["because"],
        json!(format!("a request is under way since 2026-11-30 09:14:07Z, claimed by dana ({attempt})"))
    );
    let open = place.json(&["intent", "list", "--book", "intents.db", "--now", NOW]).1;
    assert_eq!(open["intents"][0]["claims"][0]["attempt_id"], json!(attempt));

    // Rejected: the same key may go again, within the retention that somebody declares.
    assert_eq!(place.json(&mark("op_1", &attempt, "rejected")).1["state"], json!("failed"));
    assert_eq!(place.json(&mark("op_1", &attempt, "ok")).1["code"], json!("R-LATE-RESPONSE"));
    assert_eq!(place.json(&gate("op_1", &key, &[])).1["code"], json!("R-RETENTION"));

    // A timeout is an unknown, and an unknown is blocked.
    let key = text(&place.json(&record("op_2", &[])).1["key"]);
    let attempt = text(&place.json(&gate("op_2", &key, &[])).1["attempt_id"]);
    let failed =
        place.json(&[&mark("op_2", &attempt, "rejected")[..], &["--actor", "timeout_handler"]].concat());
    assert_eq!(failed.1["code"], json!("R-TIMEOUT-NOT-FAILED"));
    assert_eq!(place.json(&mark("op_2", &attempt, "timeout")).1["state"], json!("unknown"));
    assert_eq!(place.json(&gate("op_2", &key, &[])).1["code"], json!("R-UNK-RETRY"));
    // What comes late is kept as evidence, once; the same timeout again is nothing new.
    let late = place.json(&[&mark("op_2", &attempt, "ok")[..], &["--receipt", "rfd_9"]].concat());
    assert_eq!((late.0, &late.1["code"]), (5, &json!("R-LATE-RESPONSE")));
    let stored = json!("stored as evidence rb_1, receipt rfd_9; reconciliation or a person decides");
    assert_eq!(late.1["because"], stored);
    let again = place.json(&[&mark("op_2", &attempt, "ok")[..], &["--receipt", "rfd_9"]].concat());
    assert_eq!(again.1["because"], stored);
    let twice = place.json(&mark("op_2", &attempt, "timeout"));
    assert_eq!(twice.1["because"], json!(format!("{attempt} was marked timeout before")));
    let log = place.json(&["audit", "list", "--book", "intents.db"]).1;
    let reads: Vec<&Value> =
        log["entries"].as_array().unwrap().iter().map(|e| &e["entry"]["after"]["readback"]).collect();
    let reads: Vec<&&Value> = reads.iter().filter(|read| !read.is_null()).collect();
    assert_eq!(reads.len(), 1);
    assert_eq!(
        (&reads[0]["id"], &reads[0]["detail"], &reads[0]["result"]),
        (&json!("rb_1"), &json!("ok, receipt rfd_9"), &json!("present"))
    );
    let open = place.json(&["intent", "list", "--book", "intents.db", "--now", NOW]).1;
    assert_eq!(open["intents"][0]["state"], json!("unknown"));
    assert_eq!(place.run(&["verify", "--book", "intents.db"]).exit, 0);

    let key = text(&place.json(&record("op_3", &[])).1["key"]);
    let attempt = text(&place.json(&gate("op_3", &key, &[])).1["attempt_id"]);
    assert_eq!(place.json(&mark("op_3", &attempt, "ok")).1["state"], json!("confirmed"));
    assert_eq!(place.json(&gate("op_3", &key, &[])).1["code"], json!("R-CONF-RETRY"));

    // Never answered: over is over, whether expire has run or not.
    let key = text(&place.json(&record("op_4", &[])).1["key"]);
    assert_eq!(place.json(&gate("op_4", &key, &[])).0, 0);
    let mut late = gate("op_4", &key, &[]);
    let clock = late.iter().position(|word| *word == NOW).unwrap();
    late[clock] = "2026-11-30T09:19:38Z";
    assert_eq!(place.json(&late).1["code"], json!("R-UNK-RETRY"));
    assert_eq!(place.run(&gate("op_0", "k", &[])).exit, 2);
}

#[test]
fn a_declared_redrive_and_a_ceiling_hold_at_the_gate() {
    let place = Place { folder: tempfile::tempdir().unwrap(), clock: NOW };
    std::fs::create_dir(place.path("case")).unwrap();
    let config = format!(
        "[case]\nnow = \"{NOW}\"\n[tools.refund]\nidempotent = \"yes\"\nretention = \"24h\"\nsame_key_redrive = true\n\
         [tools.other]\nidempotent = \"yes\"\nretention = \"24h\"\n\
         [quota.all]\nscope = \"case\"\nceiling = \"1.00\"\ncurrency = \"USD\"\n"
    );
    std::fs::write(place.path("case/recount.toml"), config).unwrap();
    let run = |words: &[&str]| place.json(&[words, &["--case", "case"]].concat());
    let new = |operation: &str, tool: &str| {
        text(&run(&["intent", "record", "--operation-id", operation, "--tool", tool]).1["key"])
    };
    let lost = |operation: &str, key: &str| {
        let claim = run(&["gate", operation, "--key", key, "--cost", "0.40"]).1;
        run(&["intent", "mark", operation, "--attempt", &text(&claim["attempt_id"]), "--outcome", "timeout"])
    };
    let key = new("op_1", "refund");
    assert_eq!(lost("op_1", &key).1["state"], json!("unknown"));
    let again = run(&["gate", "op_1", "--key", &key, "--cost", "0.40"]);
    assert_eq!((again.0, &again.1["allowed"]), (0, &json!("re_drive")));
    // It is an attempt and no change of state: an open claim keeps the next one out.
    assert_eq!(run(&["gate", "op_1", "--key", &key, "--cost", "0.10"]).1["code"], json!("R-SUB-RETRY"));
    let listed = run(&["intent", "list"]).1;
    assert_eq!(listed["intents"][0]["state"], json!("unknown"));
    // 0.80 of 1.00 is spent; the open claim counts.
    let key = new("op_2", "other");
    let over = run(&["gate", "op_2", "--key", &key, "--cost", "0.21"]);
    assert_eq!((over.0, &over.1["code"]), (5, &json!("R-OVER-QUOTA")));
    assert_eq!(over.1["because"], json!("spent USD 0.80 of USD 1.00 in scope all, this call costs USD 0.21"));
    assert_eq!(run(&["gate", "op_2", "--key", &key, "--cost", "0.20"]).0, 0);
}

#[test]
fn of_many_workers_at_the_gate_one_gets_the_claim() {
    let place = Place { folder: tempfile::tempdir().unwrap(), clock: NOW };
    let key = text(&place.json(&record("op_1", &[])).1["key"]);
    let workers: Vec<Child> = (0..6)
        .map(|no| {
            let name = format!("worker-{no}");
            let words = gate("op_1", &key, &["--operator", &name])
                .iter()
                .map(|w| (*w).to_owned())
                .collect::<Vec<_>>();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            place.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let said: Vec<Said> = workers.into_iter().map(|child| said(&child.wait_with_output().unwrap())).collect();
    let value = |said: &Said| serde_json::from_str::<Value>(&said.out).unwrap();
    let won: Vec<Value> = said.iter().filter(|s| s.exit == 0).map(value).collect();
    assert_eq!(won.len(), 1, "{said:?}");
    for lost in said.iter().filter(|s| s.exit != 0) {
        assert_eq!((lost.exit, &value(lost)["code"]), (5, &json!("R-SUB-RETRY")));
    }
    let open = place.json(&["intent", "list", "--book", "intents.db", "--now", NOW]).1;
    assert_eq!(open["intents"][0]["claims"].as_array().unwrap().len(), 1);
    assert_eq!(open["intents"][0]["claims"][0]["attempt_id"], won[0]["attempt_id"]);
}

#[test]
fn a_case_reads_intents_and_claims_from_its_book() {
    let place = Place::small("", &["rf_7,op_7,7,5.00,USD,2026-11-30T11:50:00Z"]);
    let words = [
        "intent",
        "record",
        "--case",
        "case",
        "--operation-id",
        "op_7",
        "--kind",
        "refund",
        "--business-id",
        "order:7",
        "--amount",
        "5.00",
        "--currency",
        "USD",
        "--tool",
        "refund",
        "--now",
        "2026-11-30T11:49:00Z",
    ];
    let key = text(&place.json(&words).1["key"]);
    let claim =
        place.json(&["gate", "op_7", "--case", "case", "--key", &key, "--now", "2026-11-30T11:49:59Z"]).1;
    let attempt = text(&claim["attempt_id"]);
    let shown = place.show("op_7");
    assert_eq!((&shown["state"], &shown["state_source"]), (&json!("submitted"), &json!("recorded")));
    assert_eq!(
        (&shown["attempts"][0]["id"], &shown["expected"]["total"]["minor"]),
        (&json!(attempt), &json!(500))
    );
    let marked = place.json(&[
        "intent",
        "mark",
        "op_7",
        "--case",
        "case",
        "--attempt",
        &attempt,
        "--outcome",
        "ok",
        "--receipt",
        "rf_7",
        "--now",
        "2026-11-30T11:50:01Z",
    ]);
    assert_eq!(marked.1["state"], json!("confirmed"));
    let shown = place.show("op_7");
    assert_eq!((&shown["state"], &shown["verdict"]), (&json!("confirmed"), &json!("MATCHED")));
    // A call that stands in a trace cannot be claimed again (G-UNCLAIMED).
    let seen =
        place.json(&["intent", "record", "--case", "case", "--operation-id", "op_1", "--key", "key_1"]);
    assert_eq!(seen.0, 0);
    assert_eq!(
        place.json(&["gate", "op_1", "--case", "case", "--key", "key_1"]).1["code"],
        json!("R-SUB-RETRY")
    );
}

#[test]
fn states_and_refusals_are_explained() {
    let place = Place { folder: tempfile::tempdir().unwrap(), clock: NOW };
    assert_eq!(
        place.run(&["states"]).out,
        "| State | What you actually know | Who moves it forward | Retry allowed |\n|---|---|---|---|\n\
         | submitted | request sent, no answer yet | timeout handler (or the answer) | no |\n\
         | confirmed | downstream acknowledged | reconciliation or response | no |\n\
         | failed | downstream explicitly rejected | retry policy | yes, with the same key |\n\
         | unknown | cannot tell whether the effect exists | reconciliation job or human | blocked until resolved |\n"
    );
    assert_eq!(
        place.run(&["explain", "r-fail-cover"]).out,
        "R-FAIL-COVER   (refusal)\n  The read does not prove that nothing happened.\n  \
         A row that is missing counts only when the ledger was read past the last moment of the call.\n  \
         Hold it, and read again from the covered-from time on.\n"
    );
    assert!(place.run(&["explain", "T5"]).out.starts_with("T5   (move)\n"));
}
