//! Settling on the screen: the program on copies of cases, played without a terminal and in one. What a form writes is
//! held against what the command writes.

use std::path::Path;

use serde_json::{Value, json};

use crate::settle::{NOW, Place, approval_of};
use crate::terminal::Visit;

/// A sentence as the keys of a script.
pub fn typed(sentence: &str) -> String {
    sentence.split(' ').map(|word| format!("text:{word}")).collect::<Vec<_>>().join(" space ")
}

/// Plays keys on the case of a place; gives every frame.
pub fn play(place: &Place, operator: &str, size: &str, keys: &str) -> Vec<String> {
    let dump = place.path("dump");
    let _ = std::fs::remove_dir_all(&dump);
    let mut command = place.command(&["open", "case", "--script", keys, "--size", size, "--dump", "dump"]);
    command
        .env("RECOUNT_OPERATOR", operator)
        .env("XDG_STATE_HOME", place.path("state"))
        .env("XDG_CONFIG_HOME", place.path("config"))
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut names: Vec<_> = std::fs::read_dir(&dump)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.to_str().unwrap().contains("roles"))
        .collect();
    names.sort();
    names.into_iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// The last frame of a visit.
fn last(place: &Place, operator: &str, size: &str, keys: &str) -> String {
    play(place, operator, size, keys).pop().unwrap()
}

/// Entries of the book, without what is of one call only: time, hash, command line and place of the block.
fn entries(place: &Place) -> Vec<Value> {
    let (_, log) = place.json(&["audit", "list", "case"]);
    let of = |entry: &Value| {
        let entry = &entry["entry"];
        json!({
            "action": entry["action"], "subject": entry["subject"], "before": entry["before"],
            "after": without_facts(&entry["after"]), "note": entry["note"], "reason": entry["reason"],
            "actor": entry["actor"]["name"], "based_on": entry["based_on"], "refs": entry["refs"],
        })
    };
    log["entries"].as_array().unwrap().iter().map(of).collect()
}

/// Digest of a request holds its time.
fn without_facts(after: &Value) -> Value {
    let mut after = after.clone();
    if let Some(request) = after.get_mut("request") {
        request["digest"] = Value::Null;
    }
    after
}

/// Rows of the sample from the top of the list.
const ROW_4812: &str = "j j j";
const ROW_4813: &str = "j j j j j";
const ROW_4814: &str = "j j j j j j j";
/// From Cancel: the second answer, or the third.
const NO: &str = "tab down space";
const YES: &str = "tab down down space";

fn shows(frame: &str, all: &[&str]) {
    for text in all {
        assert!(frame.contains(text), "{text:?} is not in\n{frame}");
    }
}

#[test]
fn a_lost_answer_is_confirmed_with_its_row_as_the_command_does_it() {
    let note = "the row stands in the list of the provider";
    let (screen, command) = (Place::sample(), Place::sample());
    let before = screen.files();
    let keys = format!("{ROW_4813} r {YES} tab {} tab tab enter", typed(note));
    shows(
        &last(&screen, "dana", "120x36", &keys),
        &["entry 3 is written: int_4813 unknown → confirmed. The payment service was not told", "audit 3 · "],
    );
    let headless = ["resolve", "int_4813", "case", "--to", "confirmed", "--note", note];
    assert_eq!(command.json(&headless).0, 0);
    assert_eq!(entries(&screen), entries(&command));
    assert_eq!(entries(&screen)[2]["after"]["state"], json!("confirmed"));
    assert_eq!(screen.files(), before, "ledger and trace are untouched");
    assert_eq!(screen.run(&["verify", "case"]).exit, 0);
}

#[test]
fn a_high_value_failed_asks_for_a_second_person_and_is_done_after_the_approval() {
    let note = "no row in the list up to 48211, the customer got nothing";
    let (screen, command) = (Place::sample(), Place::sample());
    // Without the short id the button is dim, and enter on it writes nothing.
    let form = format!("{ROW_4812} r {NO} tab {}", typed(note));
    shows(
        &last(&screen, "dana", "120x36", &format!("{form} tab tab tab enter")),
        &[
            "not written: type 4812 first",
            "To write it, type 4812",
            "Write the request",
            "a second person has to agree",
        ],
    );
    assert!(!screen.path("case/book.db").exists());
    // What was typed is still there: the draft is kept.
    let keys = format!("{ROW_4812} r tab tab tab tab text:4812 tab enter");
    let frame = last(&screen, "dana", "80x24", &keys);
    shows(
        &frame,
        &[
            "The request is written. It stays unknown",
            "int_4812.request.json",
            "PENDING by dana",
            "recount accept",
        ],
    );
    let out = ["request", "int_4812", "case", "--to", "failed", "--note", note, "--out", "R.json"];
    assert_eq!(command.json(&out).0, 0);
    assert_eq!(entries(&screen), entries(&command));
    // Whoever asked sees that it waits, and cannot agree to it.
    shows(
        &last(&screen, "dana", "120x36", &format!("{ROW_4812} r")),
        &["A request waits for a second person"],
    );
    // The same login as the requester: nobody approves his own.
    let own = "looked at the list of the provider myself";
    let agree = format!(
        "{ROW_4812} r tab space tab down down down space tab {} tab tab text:4812 tab enter",
        typed(own)
    );
    let frame = last(&screen, "erin", "120x36", &agree);
    shows(&frame, &["A second person has to agree", "R-APPROVER", "another person: both have user id"]);
    // Another person on another machine, as a file: accepted here.
    approval_of(&screen, "int_4812.request.json", "int_4812.approval.json", &json!({}));
    let menu = "j ".repeat(15);
    let accept = format!("{ROW_4812} . {menu} enter tab");
    let frame = last(&screen, "dana", "120x36", &accept);
    shows(&frame, &["int_4812.approval.json", "the facts are the same as in the request"]);
    let keys = format!("{ROW_4812} . {menu} enter tab tab text:4812 tab enter");
    shows(&last(&screen, "dana", "120x36", &keys), &["entry 6 is written. The payment service was not told"]);
    assert_eq!(screen.show("int_4812")["state"], json!("failed"));
    let log = entries(&screen);
    let tail: Vec<&Value> = log.iter().rev().take(3).map(|entry| &entry["action"]).collect();
    assert_eq!(tail, [&json!("resolve"), &json!("approval_given"), &json!("resolve_refused")]);
}

#[test]
fn an_absence_that_is_not_covered_is_refused_with_what_is_missing_and_logged() {
    let note = "no row was found in the export";
    let (screen, command) = (Place::sample(), Place::sample());
    let keys = format!("{ROW_4814} r {NO} tab tab {} tab tab enter", typed(note));
    let frame = last(&screen, "dana", "120x36", &keys);
    shows(
        &frame,
        &[
            "What was seen does not prove it yet",
            "R-FAIL-COVER",
            "C2: a row newer than 08:42:13",
            "covered from 2026-11-30 08:42:13Z on",
            "refused, and noted in the audit log as entry 2",
            "30 characters, at least 20",
        ],
    );
    let headless = ["resolve", "int_4814", "case", "--to", "failed", "--note", note];
    assert_eq!(command.json(&headless).0, 5);
    assert_eq!(entries(&screen), entries(&command));
}

#[test]
fn an_override_is_refused_to_the_person_who_asked_for_it() {
    // From the limit up two people decide an override; the one who asks cannot be the second.
    let place = Place::small("high_value = { USD = \"10.00\" }\napprovers = [\"erin\", \"dana\"]", &[]);
    let text = std::fs::read_to_string(place.path("case/provider.csv")).unwrap();
    let early: Vec<&str> = text.lines().filter(|line| !line.contains("11:58")).collect();
    std::fs::write(place.path("case/provider.csv"), early.join("\n") + "\n").unwrap();
    let keys = format!(
        "r {NO} tab space tab {} tab {} tab tab text:int_2 tab enter",
        typed("the provider told us by telephone that nothing was paid"),
        typed("call with the provider at ten, written down in the ticket")
    );
    let frame = last(&place, "dana", "120x36", &keys);
    shows(&frame, &["PENDING by dana", "for erin; not for dana"]);
    // Agreeing to the own request is not offered, and by the command it is refused.
    shows(&last(&place, "dana", "120x36", "r"), &["A request waits for a second person", "Take it back"]);
    let seq = place.json(&["audit", "list", "case"]).1["head"]["seq"].to_string();
    let own = ["approve", &seq, "case", "--relied-on-evidence", "--note", "I agree with what I asked for"];
    let (exit, refusal) = place.json(&own);
    assert_eq!((exit, &refusal["code"]), (5, &json!("R-APPROVER")));
}

#[test]
fn without_an_operator_or_a_book_the_screen_is_read_only_and_says_why() {
    let place = Place::sample();
    let dump = place.path("dump");
    let files = ["case/trace.jsonl", "case/payments.db"];
    let mut words = vec!["open", files[0], files[1], "--script", "r", "--dump", dump.to_str().unwrap()];
    let said = place.run(&words);
    assert_eq!(said.exit, 0, "{said:?}");
    let frame = std::fs::read_to_string(dump.join("0003.txt")).unwrap();
    shows(&frame, &["r: nothing can be written: this is not a case. recount case init DIR FILES makes one"]);
    words = vec!["open", "case", "--read-only", "--script", "x", "--dump", dump.to_str().unwrap()];
    assert_eq!(place.run(&words).exit, 0);
    let frame = std::fs::read_to_string(dump.join("0003.txt")).unwrap();
    shows(&frame, &["x: nothing can be written: the session is read-only (--read-only)"]);
}

/// A case of so many refunds whose answers were lost; each row is there, but for those that differ.
fn many(count: u32, differ: u32) -> Place {
    let place = Place::small("approvers = [\"erin\"]", &[]);
    let mut calls = String::new();
    let mut rows = Vec::new();
    for no in 1..=count {
        calls += &format!(
            "{{\"event\":\"intent_recorded\",\"intent_id\":\"int_{no}\",\"operation_id\":\"op_{no}\",\"kind\":\"refund\",\"business_id\":\"order:{no}\",\"amount\":\"20.00\",\"currency\":\"USD\",\"key\":\"key_{no}\",\"ts\":\"2026-11-30T09:00:00Z\"}}\n\
             {{\"event\":\"attempt\",\"attempt_id\":\"att_{no}\",\"operation_id\":\"op_{no}\",\"tool\":\"refund\",\"key\":\"key_{no}\",\"payload\":{{\"order_id\":\"{no}\",\"amount\":\"20.00\",\"currency\":\"USD\"}},\"sent_at\":\"2026-11-30T09:00:01Z\",\"ended_at\":\"2026-11-30T09:00:31Z\",\"outcome\":\"timeout\"}}\n\
             {{\"event\":\"state_changed\",\"intent_id\":\"int_{no}\",\"from\":\"submitted\",\"to\":\"unknown\",\"actor\":\"timeout_handler\",\"deadline\":\"2026-11-30T13:00:00Z\",\"ts\":\"2026-11-30T09:00:31Z\"}}\n"
        );
        let amount = if no <= differ { "33.00" } else { "20.00" };
        rows.push(format!("rf_{no},op_{no},{no},{amount},USD,2026-11-30T09:00:05Z"));
    }
    std::fs::write(place.path("case/calls.jsonl"), calls).unwrap();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    place.ledger(&rows);
    place
}

#[test]
fn three_hundred_at_once_of_which_twelve_cannot() {
    let place = many(300, 12);
    let note = typed("rows read in the list of the provider, each by its operation id");
    // Mark all is the last line of the action menu.
    let keys = format!(". G enter r tab tab {note} tab tab text:288 tab enter");
    let frame = last(&place, "dana", "120x36", &keys);
    shows(
        &frame,
        &["288 of 288 are written, 12 were not possible", "12 to settle one by one", "recount bulk undo "],
    );
    let log = entries(&place);
    let of = |action: &str| log.iter().filter(|entry| entry["action"] == json!(action)).count();
    assert_eq!((of("resolve"), of("intent_recorded"), of("resolve_refused")), (288, 288, 0));
    // What could not be settled is still marked, and the batch is undone as a whole.
    let (_, raw) = place.json(&["audit", "list", "case"]);
    let batches: std::collections::BTreeSet<&str> = raw["entries"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["entry"]["action"] == json!("resolve"))
        .map(|entry| entry["entry"]["batch"].as_str().unwrap())
        .collect();
    assert_eq!(batches.len(), 1);
    let batch = batches.first().unwrap();
    let (exit, undone) =
        place.json(&["bulk", "undo", batch, "case", "--note", "settled on the wrong listing, taken back"]);
    assert_eq!((exit, &undone["done"]), (0, &json!(288)));
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
}

/// A visit in a pseudo terminal, at the clock of the sample.
fn visit(place: &Place) -> Visit {
    let state = place.path("state");
    Visit::begin_with(
        &["open", "case", "--operator", "dana"],
        place.folder.path(),
        &[("RECOUNT_TEST_CLOCK", NOW), ("XDG_STATE_HOME", state.to_str().unwrap()), ("TZ", "UTC")],
    )
}

/// Drafts that are kept.
fn drafts(place: &Place) -> usize {
    std::fs::read_dir(place.path("state/recount/drafts")).map_or(0, Iterator::count)
}

fn until(what: &str, holds: impl Fn() -> bool) {
    let start = std::time::Instant::now();
    while !holds() {
        assert!(start.elapsed() < std::time::Duration::from_secs(20), "{what}");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn a_draft_is_kept_when_the_form_is_left_or_the_program_killed() {
    let place = Place::sample();
    let mut first = visit(&place);
    first.seen.shows("VIOLATION FOUND");
    first.press("jjjx");
    first.seen.shows("Hold the refund of order 4812");
    first.press("\tpayments-oncall");
    first.seen.shows("payments-oncall");
    first.press("\x1b");
    first.seen.hides("Hold the refund of order 4812");
    first.press("x");
    first.seen.shows("payments-oncall");
    // Typed into the note, and killed.
    first.press("\t\t\t\tthe list has no row");
    first.seen.shows("the list has no row");
    until("the draft", || {
        let text = std::fs::read_dir(place.path("state/recount/drafts")).into_iter().flatten();
        let text: Vec<String> =
            text.filter_map(|f| std::fs::read_to_string(f.unwrap().path()).ok()).collect();
        text.iter().any(|text| text.contains("the list has no row"))
    });
    first.child.kill().unwrap();
    let _ = first.child.wait();
    assert!(!place.path("case/book.db").exists(), "nothing was written");

    let mut second = visit(&place);
    second.seen.shows("VIOLATION FOUND");
    second.press("jjjx");
    second.seen.shows("the list has no row");
    second.seen.shows("payments-oncall");
    // Written from the draft; then there is none any more.
    second.press("\x1b[Z");
    second.press("\x1b[Z");
    second.press("\x1b[Z, ticket SUP-2291");
    second.seen.shows("SUP-2291");
    second.press("\t\t\r");
    second.seen.shows("entry 3 is written: int_4812 stays unknown");
    until("no draft", || drafts(&place) == 0);
    second.press("q");
    assert_eq!(second.end(), 0, "{}", second.seen.text());
    let log = entries(&place);
    assert_eq!(log[2]["action"], json!("escalate"));
    assert_eq!(log[2]["note"], json!("the list has no row, ticket SUP-2291"));
    assert_eq!(log[2]["after"]["delivered"], Value::Null);
}

#[test]
fn a_ledger_that_changes_under_an_open_form_refuses_it_with_the_difference() {
    let place = Place::small("approvers = [\"erin\"]", &["rf_1,op_1,1,20.00,USD,2026-11-30T09:00:05Z"]);
    let state = place.path("state");
    let mut visit = Visit::begin_with(
        &["open", "case", "--operator", "dana"],
        place.folder.path(),
        &[("RECOUNT_TEST_CLOCK", place.clock), ("XDG_STATE_HOME", state.to_str().unwrap()), ("TZ", "UTC")],
    );
    let seen = visit.seen.clone();
    seen.shows("happened, answer lost");
    visit.press("/int_1");
    seen.hides("order 2");
    visit.press("\r");
    visit.press("r");
    seen.shows("the row is there, as intended");
    visit.press("\t\x1b[B\x1b[B ");
    visit.press("\tthe row stands in the list of the provider");
    seen.shows("42 characters");
    // Somebody corrects the amount meanwhile.
    place.ledger(&["rf_1,op_1,1,21.00,USD,2026-11-30T09:00:05Z"]);
    visit.press("\t\t\r");
    seen.shows("It changed while you looked");
    seen.shows("R-VERSION");
    seen.shows("Changed");
    seen.shows("refused, and noted in the audit log");
    // Read again: the old and the new, and the draft is still there.
    visit.press("R");
    seen.shows("rows: provider/rf_1 USD 20.00");
    seen.shows("rows: provider/rf_1 USD 21.00");
    seen.shows("the row stands in the list of the provider");
    visit.press("\x1b");
    visit.press("q");
    let log = entries(&place);
    let actions: Vec<&Value> = log.iter().map(|entry| &entry["action"]).collect();
    assert_eq!(actions, [&json!("case_created"), &json!("resolve_refused")]);
    drop(visit);
}

/// Frames that are kept: name, size, who, keys. In the order in which they follow from each other.
const FRAMES: &[(&str, &str, &str, &str)] = &[
    ("actions", "80x24", "dana", "j j j ."),
    ("hold", "80x24", "dana", "j j j x tab"),
    ("resolve", "120x36", "dana", "j j j r"),
    ("resolve", "80x24", "dana", "j j j r"),
    ("resolve", "60x20", "dana", "j j j r"),
    ("resolve-refused", "120x36", "dana", "j j j r tab down down space"),
    ("resolve-refused", "80x24", "dana", "j j j j j j j r tab down space"),
    ("rows", "120x36", "dana", "l tab"),
    ("bulk", "80x24", "dana", "j j space space space space r"),
    ("audit-empty", "80x24", "dana", "4"),
];

fn check(name: &str, frame: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/frames/real/settle-{name}.txt"));
    if std::env::var_os("RECOUNT_FRAMES").is_some() {
        std::fs::write(&path, frame).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    (expected != frame).then(|| format!("{}\n--- expected\n{expected}--- found\n{frame}", path.display()))
}

#[test]
fn forms_are_drawn_as_kept() {
    let mut wrong = Vec::new();
    let place = Place::sample();
    for (name, size, who, keys) in FRAMES {
        wrong.extend(check(&format!("{name}-{size}"), &last(&place, who, size, keys)));
        let _ = std::fs::remove_dir_all(place.path("state"));
    }
    // With something in the book: the request, the answer, the log.
    let note = typed("no row in the list up to 48211, the customer got nothing");
    let keys = format!("{ROW_4812} r {NO} tab {note} tab tab text:4812 tab enter");
    wrong.extend(check("request-80x24", &masked(&last(&place, "dana", "80x24", &keys))));
    wrong.extend(check("agree-120x36", &masked(&last(&place, "erin", "120x36", &format!("{ROW_4812} r")))));
    let menu = "j ".repeat(15);
    let accept = format!("{ROW_4812} . {menu} enter");
    approval_of(&place, "int_4812.request.json", "int_4812.approval.json", &json!({}));
    wrong.extend(check("accept-120x36", &masked(&last(&place, "dana", "120x36", &accept))));
    for size in ["120x36", "80x24"] {
        wrong.extend(check(&format!("audit-{size}"), &masked(&last(&place, "dana", size, "4"))));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Hashes hold the host and the user of the machine: each eight letters of one are shown as dashes.
fn masked(frame: &str) -> String {
    // So do the names of the machine and of the folder.
    let own = |line: &&str| {
        ["attach it to the ticket", "  who   ", "  evidence  ", " KB, digest "]
            .iter()
            .any(|p| line.contains(p))
    };
    let lines = frame.lines().map(|line| if own(&line) { "(of this machine)" } else { line });
    let frame = lines.collect::<Vec<_>>().join("\n") + "\n";
    let mut out = String::new();
    for word in frame.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let core: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
        let hash = core.len() == 8
            && core.chars().all(|c| c.is_ascii_hexdigit() && !c.is_ascii_uppercase())
            && core.chars().any(|c| c.is_ascii_digit());
        out += &if hash { word.replace(&core, "--------") } else { word.to_owned() };
    }
    out
}

/// A task of the walkthrough: who, which keys, and the lines of its frame.
fn tasks(text: &str) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for part in text.split("<!-- keys of ").skip(1) {
        let (head, rest) = part.split_once(" -->\n```text\n").unwrap();
        let (who, keys) = head.split_once(':').unwrap();
        let frame = rest.split_once("```").unwrap().0;
        found.push((who.to_owned(), keys.trim().to_owned(), frame.to_owned()));
    }
    found
}

#[test]
fn the_walkthrough_is_what_happens() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/walkthrough.md");
    let mut text = std::fs::read_to_string(&path).unwrap();
    let place = Place::sample();
    let all = tasks(&text);
    assert_eq!(all.len(), 10);
    let mut wrong = Vec::new();
    for (who, keys, frame) in all {
        let found = masked(&last(&place, &who, "80x24", &keys));
        let found = found.lines().map(str::trim_end).collect::<Vec<_>>().join("\n") + "\n";
        if std::env::var_os("RECOUNT_DOCS").is_some() {
            let head = format!("<!-- keys of {who}: {keys} -->\n```text\n");
            text = text.replace(&format!("{head}{frame}```"), &format!("{head}{found}```"));
        } else if frame != found {
            wrong.push(format!("{keys}\n--- expected\n{frame}--- found\n{found}"));
        }
    }
    if std::env::var_os("RECOUNT_DOCS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
}
