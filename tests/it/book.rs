//! The book from outside: commands, other processes, faults, a second verifier (`3-lifecycle.md` 3.6, 3.17).

mod agree;
mod commands;
mod faults;
mod processes;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use recount::book::entry::Entry;
use recount::book::{Action, Actor, Book, BookError, Draft, Head, HeadTo, Now, Options, Subject};
use recount::model::time::{Zone, parse_time};
use serde_json::{Value, json};

pub fn at(text: &str) -> Now {
    Now::fixed(parse_time(text, &Zone::Utc).begin())
}

pub fn erin() -> Actor {
    Actor {
        kind: "human".to_owned(),
        name: "erin".to_owned(),
        host: "desk-4".to_owned(),
        source: "flag".to_owned(),
        ..Actor::default()
    }
}

pub fn quiet() -> Options {
    Options { head_to: HeadTo::Nowhere, ..Options::default() }
}

pub fn put(book: &mut Book, when: &str, draft: &Draft) -> Result<Head, BookError> {
    book.write(&at(when), |writer| writer.append(draft)).map(|written| written.value)
}

pub fn opened_case(id: &str) -> Draft {
    Draft::new(Action::CaseCreated, &erin(), Subject::new("case", id))
        .change(Value::Null, json!({"case_id": id}))
}

pub fn recorded(id: &str) -> Draft {
    Draft::new(Action::IntentRecorded, &erin(), Subject::intent(id)).change(
        Value::Null,
        json!({
            "operation_id": format!("payout:{id}"), "kind": "payout", "state": "unknown", "party": "cust_7",
            "business_id": "invoice:77", "total": {"currency": "EUR", "minor": 12_050},
        }),
    )
}

pub fn moved(id: &str, from: &str, to: &str) -> Draft {
    let action = if to == "unknown" { Action::Reopen } else { Action::Resolve };
    let mut draft = Draft::new(action, &erin(), Subject::intent(id))
        .change(json!({"state": from}), json!({"state": to}))
        .note("compared with the bank's own list, line by line");
    draft.evidence = vec!["ticket:OPS-118".to_owned()];
    draft
}

/// A book of a case: opened, one intent recorded, settled, reopened.
pub fn book_of(folder: &Path) -> PathBuf {
    let path = folder.join("book.db");
    let mut book = Book::open(&path, &quiet()).unwrap();
    put(&mut book, "2026-10-05T10:00:00Z", &opened_case("payouts-week-40")).unwrap();
    put(&mut book, "2026-10-05T10:01:00Z", &recorded("int_1")).unwrap();
    put(&mut book, "2026-10-05T10:02:00Z", &moved("int_1", "unknown", "confirmed")).unwrap();
    put(&mut book, "2026-10-05T10:03:00Z", &moved("int_1", "confirmed", "unknown")).unwrap();
    path
}

pub fn entries(path: &Path) -> Vec<Entry> {
    let book = Book::look(path).unwrap();
    let mut entries = Vec::new();
    book.view().unwrap().entries(|entry| entries.push(entry)).unwrap();
    entries
}

/// This test binary again, as another process that does one thing.
pub fn worker(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([name, "--exact", "--nocapture", "--test-threads=1"]);
    command
}

/// What a worker said behind this word.
pub fn said(output: &Output, word: &str) -> Option<String> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| line.split_once(word).map(|(_, rest)| rest.trim().to_owned()))
}
