//! What the book keeps, and what it refuses to keep.

mod chain;
mod place;

use serde_json::{Value, json};

use super::entry::{SCHEMA, TOOL, ZEROS, hash};
use super::*;
use crate::model::row::State;
use crate::model::time::{Micros, Zone, parse_time};

/// The entries of 3.6.4, with their hashes.
pub(super) const VECTORS: [(&str, &str); 2] = [
    (
        r#"{"action":"case_created","actor":{"host":"tri-2","kind":"human","name":"dana","source":"flag"},"after":{"case_id":"refunds-2026-11-30"},"before":null,"evidence":[],"note":"opened for the morning triage","prev":"0000000000000000000000000000000000000000000000000000000000000000","reason":null,"schema":"recount.audit.v1","seq":1,"subject":{"id":"refunds-2026-11-30","type":"case"},"tool":"recount 0.1.0","ts":"2026-11-30T08:00:00.000Z"}"#,
        "f43409002f7e7f7bd29f2c9e18bbcf34ed920778c10dc05d9859e98843209f7d",
    ),
    (
        r#"{"action":"note","actor":{"host":"tri-2","kind":"human","name":"dana","source":"flag"},"after":null,"before":null,"evidence":["ticket:SUP-2291"],"note":"café refund €900?","prev":"f43409002f7e7f7bd29f2c9e18bbcf34ed920778c10dc05d9859e98843209f7d","reason":null,"schema":"recount.audit.v1","seq":2,"subject":{"id":"int_4812","type":"intent"},"tool":"recount 0.1.0","ts":"2026-11-30T08:00:05.250Z"}"#,
        "2c54666b54fdc5a2bf321a9c350c739d1f8491bec9839ba061d6b71416f7d8e2",
    ),
];

pub(super) fn at(text: &str) -> Now {
    Now::fixed(parse_time(text, &Zone::Utc).begin())
}

pub(super) fn dana() -> Actor {
    Actor {
        kind: "human".to_owned(),
        name: "dana".to_owned(),
        host: "tri-2".to_owned(),
        source: "flag".to_owned(),
        ..Actor::default()
    }
}

pub(super) fn quiet() -> Options {
    Options { head_to: HeadTo::Nowhere, ..Options::default() }
}

pub(super) fn put(book: &mut Book, when: &str, draft: Draft) -> Result<Head, BookError> {
    book.write(&at(when), |writer| writer.append(&draft)).map(|written| written.value)
}

pub(super) fn created() -> Draft {
    Draft::new(Action::CaseCreated, &dana(), Subject::new("case", "refunds-2026-11-30"))
        .change(Value::Null, json!({"case_id": "refunds-2026-11-30"}))
        .note("opened for the morning triage")
}

pub(super) fn recorded(id: &str) -> Draft {
    Draft::new(Action::IntentRecorded, &dana(), Subject::intent(id)).change(
        Value::Null,
        json!({
            "operation_id": format!("refund:{id}"), "kind": "refund", "state": "unknown", "count_min": 1,
            "count_max": 1, "total": {"currency": "USD", "minor": 90_000}, "deadline": "2026-11-30T12:00:00.000Z",
        }),
    )
}

pub(super) fn resolved(id: &str, to: &str) -> Draft {
    Draft::new(Action::Resolve, &dana(), Subject::intent(id))
        .change(json!({"state": "unknown"}), json!({"state": to, "deadline": null}))
        .note("the row is there, read twice by hand")
}

#[test]
fn the_entries_of_the_specification_are_made_byte_by_byte() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::open(&folder.path().join("book.db"), &quiet()).unwrap();
    put(&mut book, "2026-11-30T08:00:00Z", created()).unwrap();
    let mut note = Draft::new(Action::Note, &dana(), Subject::intent("int_4812")).note("café refund €900?");
    note.evidence = vec!["ticket:SUP-2291".to_owned()];
    put(&mut book, "2026-11-30T08:00:05.250Z", note).unwrap();
    let mut entries = Vec::new();
    book.view().unwrap().entries(|entry| entries.push(entry)).unwrap();
    assert_eq!(entries.len(), 2);
    let mut prev = ZEROS.to_owned();
    for (entry, (text, expected)) in entries.iter().zip(VECTORS) {
        assert_eq!(hash(text), expected);
        // Another version of the program writes its own name, and so another hash.
        assert_eq!(entry.text.replace(TOOL, "recount 0.1.0").replace(&prev, text_at(text, "prev")), text);
        assert_eq!(entry.hash, hash(&entry.text));
        prev.clone_from(&entry.hash);
    }
    if TOOL == "recount 0.1.0" {
        assert_eq!(book.view().unwrap().head().unwrap().to_string(), format!("2:{}", VECTORS[1].1));
    }
    assert_eq!(entries[0].text_at("schema"), SCHEMA);
}

fn text_at<'a>(text: &'a str, name: &str) -> &'a str {
    text.split(&format!("\"{name}\":\"")).nth(1).unwrap().split('"').next().unwrap()
}

#[test]
fn a_change_and_its_entry_are_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::open(&folder.path().join("book.db"), &quiet()).unwrap();
    put(&mut book, "2026-11-30T08:00:00Z", created()).unwrap();
    put(&mut book, "2026-11-30T08:01:00Z", recorded("int_1")).unwrap();
    let intent = book.view().unwrap().intent("int_1").unwrap().unwrap();
    assert_eq!((intent.state, intent.version, intent.recorded_seq), (State::Unknown, 1, 2));
    assert_eq!((intent.total_minor, intent.total_currency.as_deref()), (Some(90_000), Some("USD")));
    assert_eq!(intent.deadline, Some(at("2026-11-30T12:00:00Z").at));

    put(&mut book, "2026-11-30T08:02:00Z", resolved("int_1", "confirmed")).unwrap();
    let view = book.view().unwrap();
    let intent = view.intent_of_operation("refund:int_1").unwrap().unwrap();
    assert_eq!((intent.state, intent.version, intent.state_seq), (State::Confirmed, 2, 3));
    assert_eq!(intent.deadline, None);
    let changes = view.state_changes("int_1").unwrap();
    assert_eq!(
        changes.iter().map(|c| (c.from_state, c.to_state)).collect::<Vec<_>>(),
        [(None, State::Unknown), (Some(State::Unknown), State::Confirmed)]
    );
    let resolution = &view.resolutions("int_1").unwrap()[0];
    assert_eq!((resolution.seq, resolution.by_name.as_str()), (3, "dana"));

    // A state that does not exist is refused by the table; the entry goes with it.
    let why = put(&mut book, "2026-11-30T08:03:00Z", resolved("int_1", "escalated")).unwrap_err();
    assert!(why.to_string().contains("CHECK constraint failed"), "{why}");
    assert_eq!(book.view().unwrap().head().unwrap().seq, 3);
    let why = put(&mut book, "2026-11-30T08:03:00Z", resolved("int_2", "failed")).unwrap_err();
    assert_eq!(why.to_string(), "intents int_2 is not in the book; record it first");
    let why = put(&mut book, "2026-11-30T08:03:00Z", recorded("int_1")).unwrap_err();
    assert_eq!(why.to_string(), "intents int_1 is there already; nothing was saved");
    assert_eq!(book.view().unwrap().head().unwrap().seq, 3);
}

#[test]
fn two_entries_of_one_write_are_kept_together_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::open(&folder.path().join("book.db"), &quiet()).unwrap();
    let failed = book.write(&at("2026-11-30T08:00:00Z"), |writer| {
        writer.append(&recorded("int_1"))?;
        assert_eq!(writer.view().head()?.seq, 1);
        writer.append(&resolved("int_9", "failed"))
    });
    assert!(matches!(failed, Err(BookError::Missing { .. })));
    assert_eq!(book.view().unwrap().head().unwrap(), Head::none());
    let written = book
        .write(&at("2026-11-30T08:00:00Z"), |writer| {
            writer.append(&recorded("int_1"))?;
            writer.append(&resolved("int_1", "failed"))
        })
        .unwrap();
    assert_eq!(written.entries.iter().map(|head| head.seq).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(written.left.unwrap().to_string(), "head 2 has not left this host (head_to is none)");
}

#[test]
fn the_version_that_was_seen_must_be_the_one_that_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    let mut one = Book::open(&path, &quiet()).unwrap();
    let mut two = Book::open(&path, &quiet()).unwrap();
    put(&mut one, "2026-11-30T08:00:00Z", recorded("int_1")).unwrap();
    let settle = |book: &mut Book, to: &str| {
        book.write(&at("2026-11-30T08:01:00Z"), |writer| {
            writer.expect("int_1", 1)?;
            writer.append(&resolved("int_1", to))
        })
    };
    settle(&mut one, "confirmed").unwrap();
    let why = settle(&mut two, "failed").unwrap_err();
    assert_eq!(why.to_string(), "int_1 was changed meanwhile: version 2 instead of 1; look at it again");
    assert_eq!(two.view().unwrap().intent("int_1").unwrap().unwrap().state, State::Confirmed);
}

#[test]
fn one_claim_is_open_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::open(&folder.path().join("book.db"), &quiet()).unwrap();
    put(&mut book, "2026-11-30T08:00:00Z", recorded("int_1")).unwrap();
    let claim = |id: &str| {
        Draft::new(Action::GateAllowed, &dana(), Subject::intent("int_1")).change(
            Value::Null,
            json!({"attempt": {"id": id, "key": "k", "cost": {"currency": "USD", "minor": 5}, "redrive": true}}),
        )
    };
    put(&mut book, "2026-11-30T08:01:00Z", claim("att_1")).unwrap();
    let why = put(&mut book, "2026-11-30T08:01:01Z", claim("att_2")).unwrap_err();
    assert_eq!(why.to_string(), "attempts att_2 is there already; nothing was saved");
    let ends = Draft::new(Action::IntentMarked, &dana(), Subject::intent("int_1"))
        .change(Value::Null, json!({"attempt": {"id": "att_1", "outcome": "timeout"}, "state": "unknown"}));
    put(&mut book, "2026-11-30T08:02:00Z", ends).unwrap();
    put(&mut book, "2026-11-30T08:03:00Z", claim("att_2")).unwrap();
    let attempts = book.view().unwrap().attempts("int_1").unwrap();
    assert_eq!(attempts.len(), 2);
    assert_eq!((attempts[0].outcome.as_deref(), attempts[0].redrive), (Some("timeout"), Some(true)));
    assert_eq!((attempts[1].outcome.as_deref(), attempts[1].cost_minor), (None, Some(5)));
    assert_eq!(book.view().unwrap().intent("int_1").unwrap().unwrap().version, 4);
}

#[test]
fn a_clock_that_went_back_is_recorded_and_never_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::open(&folder.path().join("book.db"), &quiet()).unwrap();
    put(&mut book, "2026-11-30T08:00:00Z", created()).unwrap();
    for (when, back) in [
        ("2026-11-30T07:00:00Z", Some(3_600_000)),
        // 50 years, of which 12 had a leap day.
        ("1976-11-30T07:00:00Z", Some((50 * 365 + 12) * 86_400_000)),
        ("2036-11-30T08:00:00Z", None),
    ] {
        let note =
            Draft::new(Action::Note, &dana(), Subject::new("case", "x")).note("a note of the night shift");
        let head = put(&mut book, when, note).unwrap();
        let entry = book.view().unwrap().entry(head.seq).unwrap().unwrap();
        let found = entry.at("clock.back_ms").and_then(Value::as_i64);
        assert_eq!(found, back, "{when}");
    }
    let now = Now { at: Micros(0), boot: Some("b00t".to_owned()), monotonic_ms: Some(7) };
    let draft = Draft::new(Action::Note, &dana(), Subject::new("case", "x"));
    book.write(&now, |writer| writer.append(&draft)).unwrap();
    let entry = book.view().unwrap().entry(5).unwrap().unwrap();
    assert_eq!(entry.text_at("clock.boot"), "b00t");
    assert_eq!(entry.at("clock.monotonic_ms"), Some(&json!(7)));
}

#[test]
fn entries_cannot_be_changed_or_deleted_or_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    let mut book = Book::open(&path, &quiet()).unwrap();
    put(&mut book, "2026-11-30T08:00:00Z", created()).unwrap();
    let db = Connection::open(&path).unwrap();
    for (sql, words) in [
        ("UPDATE audit SET text = 'x'", "entries are never changed"),
        ("DELETE FROM audit", "entries are never deleted"),
        ("INSERT INTO audit (seq, text, hash) VALUES (3, '', '')", "the next entry has the next number"),
    ] {
        assert!(db.execute(sql, []).unwrap_err().to_string().contains(words), "{sql}");
    }
}

#[test]
fn text_of_evidence_is_kept_beside_the_chain_and_can_be_erased() {
    use super::evidence::Evidence;
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::open(&folder.path().join("book.db"), &quiet()).unwrap();
    let digests = book
        .write(&at("2026-11-30T08:00:00Z"), |writer| {
            let one = writer.keep_evidence(Some("portal.txt"), b"404")?;
            let two = writer.keep_evidence(None, b"404")?;
            let mut note = Draft::new(Action::Note, &dana(), Subject::intent("int_1"));
            note.evidence = vec![evidence::item(&one)];
            writer.append(&note)?;
            Ok::<_, BookError>([one, two])
        })
        .unwrap()
        .value;
    assert_ne!(digests[0], digests[1], "the same text twice has two digests");
    assert_eq!(evidence::digest_of(&evidence::item(&digests[0])), Some(digests[0].as_str()));
    let view = book.view().unwrap();
    assert_eq!(view.evidence(&digests[0]).unwrap(), Evidence::Text(b"404".to_vec()));
    assert_eq!(view.evidence("00").unwrap(), Evidence::Missing);
    let erase = |book: &mut Book, digest: &str| {
        book.write(&at("2026-11-30T09:00:00Z"), |writer| {
            writer.erase_evidence(digest, &dana(), "asked for by the customer")
        })
    };
    erase(&mut book, &digests[0]).unwrap();
    assert_eq!(book.view().unwrap().evidence(&digests[0]).unwrap(), Evidence::Erased);
    let entry = book.view().unwrap().entry(2).unwrap().unwrap();
    assert_eq!((entry.text_at("action"), entry.text_at("subject.id")), ("evidence_erased", &*digests[0]));
    assert!(matches!(erase(&mut book, &digests[0]), Err(BookError::Missing { .. })));
    let long = vec![0; evidence::MOST + 1];
    let kept = book.write(&at("2026-11-30T09:00:00Z"), |writer| writer.keep_evidence(None, &long));
    assert!(kept.unwrap_err().to_string().contains("1048577 bytes is too long"));
}

#[test]
fn every_action_has_its_word_and_what_it_needs() {
    for (place, doing) in action::ACTIONS.iter().enumerate() {
        assert_eq!(doing.action.word(), doing.word);
        let first = action::ACTIONS.iter().position(|other| other.word == doing.word);
        assert_eq!(first, Some(place), "{}", doing.word);
    }
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::open(&folder.path().join("book.db"), &quiet()).unwrap();
    put(&mut book, "2026-11-30T08:00:00Z", recorded("int_1")).unwrap();
    let claim = Draft::new(Action::GateAllowed, &dana(), Subject::intent("int_1"));
    let why = put(&mut book, "2026-11-30T08:00:00Z", claim).unwrap_err();
    assert_eq!(why.to_string(), "the entry cannot be written: gate_allowed needs after.attempt.id");
    let twice = Draft::new(Action::Note, &dana(), Subject::intent("int_1")).with("ts", json!("now"));
    let why = put(&mut book, "2026-11-30T08:00:00Z", twice).unwrap_err();
    assert_eq!(why.to_string(), "the entry cannot be written: ts is a field of its own");
}

#[test]
fn the_document_prints_the_table_of_actions() {
    let yes = |yes: bool| if yes { "yes" } else { "–" };
    let rows: Vec<String> = action::ACTIONS
        .iter()
        .map(|doing| {
            let mut tables: Vec<String> = Vec::new();
            for put in doing.puts {
                let name = format!("`{}`", put.table.name);
                if !tables.contains(&name) {
                    tables.push(name);
                }
            }
            let tables = if tables.is_empty() { "–".to_owned() } else { tables.join(", ") };
            format!("| `{}` | {} | {} | {tables} |", doing.word, yes(doing.decision), yes(doing.changes))
        })
        .collect();
    let page = include_str!("../../docs/audit.md");
    let printed: Vec<&str> = page
        .lines()
        .skip_while(|line| !line.starts_with("| action |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert_eq!(printed, rows);
}
