//! Many at once.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{NOTE, actions, entries};
use crate::settle::Place;

const ALL: usize = 300;
/// Those that cannot be closed: each 25th.
fn cannot(no: usize) -> bool {
    no.is_multiple_of(25)
}

/// 300 refunds whose answers were lost: 288 have a row as it was meant, 4 another amount, 4 none, 4 are of high value.
pub fn many() -> Place {
    let place = Place::small("escalation_owner = \"night\"", &[]);
    let (mut calls, mut rows) = (String::new(), Vec::new());
    for no in 1..=ALL {
        let amount = if no % 25 == 0 && no % 3 == 2 { "500.00" } else { "20.00" };
        write!(
            calls,
            "{{\"event\":\"intent_recorded\",\"intent_id\":\"int_{no}\",\"operation_id\":\"op_{no}\",\"kind\":\"refund\",\"business_id\":\"order:{no}\",\"amount\":\"{amount}\",\"currency\":\"USD\",\"key\":\"key_{no}\",\"ts\":\"2026-11-30T09:00:00Z\"}}\n\
             {{\"event\":\"attempt\",\"attempt_id\":\"att_{no}\",\"operation_id\":\"op_{no}\",\"tool\":\"refund\",\"key\":\"key_{no}\",\"payload\":{{\"order_id\":\"{no}\",\"amount\":\"{amount}\",\"currency\":\"USD\"}},\"sent_at\":\"2026-11-30T09:00:01Z\",\"ended_at\":\"2026-11-30T09:00:31Z\",\"outcome\":\"timeout\"}}\n"
        )
        .unwrap();
        let read = match (no % 25, no % 3) {
            (0, 0) => continue,
            (0, 1) => "21.00",
            _ => amount,
        };
        rows.push(format!("rf_{no},op_{no},{no},{read},USD,2026-11-30T09:00:05Z"));
    }
    std::fs::write(place.path("case/calls.jsonl"), calls).unwrap();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    place.ledger(&rows);
    let ids: Vec<String> = (1..=ALL).map(|no| format!("int_{no} ticket:SUP-{no}")).collect();
    std::fs::write(place.path("ids"), ids.join("\n")).unwrap();
    place
}

fn resolve(more: &[&'static str]) -> Vec<&'static str> {
    let words = ["bulk", "resolve", "case", "--ids", "ids", "--to", "confirmed", "--note", NOTE];
    [&words[..], more].concat()
}

fn states(place: &Place) -> Vec<(String, String)> {
    let all = place.json(&["check", "case"]).1;
    let of =
        |i: &Value| (i["intent_id"].as_str().unwrap().to_owned(), i["state"].as_str().unwrap().to_owned());
    let mut all: Vec<_> = all["intents"].as_array().unwrap().iter().map(of).collect();
    all.sort();
    all
}

#[test]
fn three_hundred_are_closed_but_the_twelve_that_cannot_be_and_all_come_back() {
    let place = many();
    let before = (place.files(), states(&place));
    // A dry run says of each what would become of it, and writes nothing.
    let (exit, dry) = place.json(&resolve(&[]));
    assert_eq!(
        (exit, &dry["found"], &dry["can_be_done"], &dry["refused"], &dry["done"], &dry["batch"]),
        (3, &json!(300), &json!(288), &json!(12), &json!(0), &Value::Null)
    );
    assert!(!place.path("case/book.db").exists());
    for (item, no) in dry["items"].as_array().unwrap().iter().zip(1..) {
        let code = match (cannot(no), no % 3) {
            (false, _) => Value::Null,
            (_, 0) => json!("R-CONF-EVID"),
            (_, 1) => json!("R-CONF-DIFFERS"),
            _ => json!("R-BULK"),
        };
        assert_eq!((&item["intent_id"], &item["code"]), (&json!(format!("int_{no}")), &code));
    }
    // Whoever applies types the number that was found.
    assert_eq!(place.run(&resolve(&["--apply"])).exit, 2);
    let wrong = place.json(&resolve(&["--apply", "--count", "299"])).1;
    assert_eq!(
        (&wrong["code"], &wrong["because"]),
        (&json!("R-BULK"), &json!("300 were found, --count says 299"))
    );
    let (exit, done) = place.json(&resolve(&["--apply", "--count", "300"]));
    assert_eq!((exit, &done["done"], &done["refused"]), (3, &json!(288), &json!(12)));
    let batch = done["batch"].as_str().unwrap();
    let log = entries(&place);
    let resolved: Vec<&Value> = log.iter().filter(|e| e["action"] == "resolve").collect();
    assert_eq!(resolved.len(), 288);
    for entry in &resolved {
        assert_eq!(entry["batch"], json!(batch));
        let no = entry["subject"]["id"].as_str().unwrap().trim_start_matches("int_").to_owned();
        let evidence = entry["evidence"].as_array().unwrap();
        assert!(evidence.contains(&json!(format!("ticket:SUP-{no}"))), "its own evidence: {entry}");
        assert!(evidence.contains(&json!(format!("row:provider/rf_{no}"))));
    }
    assert_eq!(log.iter().filter(|e| e["action"] == "resolve_refused").count(), 12 + 1);
    assert_eq!(states(&place).iter().filter(|(_, s)| s == "confirmed").count(), 288);
    assert_eq!(place.files(), before.0, "ledger and trace are as they were");

    // One was changed since: it is left and listed.
    let reopen = ["reopen", "int_7", "case", "--note", "the row belongs to another order"];
    assert_eq!(place.run(&reopen).exit, 0);
    let (exit, undone) = place.json(&["bulk", "undo", batch, "case", "--note", "the wrong list was taken"]);
    assert_eq!((exit, &undone["done"], &undone["left"]), (3, &json!(287), &json!(1)));
    let left = &undone["items"].as_array().unwrap()[6];
    assert_eq!((&left["intent_id"], &left["result"]), (&json!("int_7"), &json!("left")));
    assert_eq!(states(&place), before.1);
    let last = entries(&place).pop().unwrap();
    assert_eq!(
        (&last["action"], &last["after"]["move"], &last["batch"]),
        (&json!("batch_undone"), &json!("T8"), &json!(batch))
    );
    // An empty batch is no batch: entries of none have an empty one.
    let none = place.run(&["bulk", "undo", "", "case", "--note", "the variable of the script was empty"]);
    assert_eq!((none.exit, none.out.as_str()), (2, ""));
    // Twice is once.
    let again = place.json(&["bulk", "undo", batch, "case", "--note", "the wrong list was taken again"]);
    assert_eq!((again.0, &again.1["done"], &again.1["left"]), (5, &json!(0), &json!(288)));
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
}

#[test]
fn a_filter_takes_what_the_list_shows_and_never_fails_many() {
    let place = Place::small("", &[super::ROW]);
    let bulk = |action: &str, more: &[&str]| place.json(&[&["bulk", action, "case"], more].concat());
    let found = bulk("assign", &["--filter", "order:2", "--owner", "olu", "--deadline", "4h"]);
    assert_eq!(
        (found.0, &found.1["items"][0]["intent_id"], &found.1["found"]),
        (0, &json!("int_2"), &json!(1))
    );
    for never in [
        &["--to", "failed"][..],
        &["--to", "failed", "--override", "--reason", "the provider said so by phone"],
    ] {
        let refused = bulk("resolve", &[never, &["--filter", "order", "--note", NOTE]].concat());
        assert_eq!((refused.0, &refused.1["items"][0]["code"]), (5, &json!("R-BULK")));
    }
    assert_eq!(bulk("assign", &["--filter", "no such thing", "--owner", "olu"]).1["found"], json!(0));
    assert_eq!(place.run(&["bulk", "assign", "case", "--owner", "olu"]).exit, 2);
    std::fs::write(place.path("ids"), "int_1\nop_1\n").unwrap();
    assert_eq!(
        place.run(&["bulk", "assign", "case", "--ids", "ids", "--owner", "olu"]).exit,
        2,
        "one item twice"
    );
    // An id that names nothing is left by itself, and counts as one that was found.
    std::fs::write(place.path("ids"), "int_1\nint_none\n").unwrap();
    let some = ["--ids", "ids", "--owner", "olu", "--deadline", "4h"];
    let (exit, told) = bulk("assign", &some);
    let item = |no: usize| (told["items"][no]["intent_id"].clone(), told["items"][no]["result"].clone());
    assert_eq!(
        (exit, &told["found"], &told["can_be_done"], &told["refused"]),
        (3, &json!(2), &json!(1), &json!(1))
    );
    assert_eq!(item(0), (json!("int_1"), json!("can be done")));
    assert_eq!(item(1), (json!("int_none"), json!("refused")));
    assert_eq!(
        told["items"][1]["why"],
        json!("no intent has the id \"int_none\", in whole or in part; recount list --only all lists them")
    );
    let agent = bulk("assign", &["--filter", "order", "--owner", "olu", "--actor", "agent"]);
    assert_eq!(agent.1["code"], json!("R-AGENT"));
    assert!(!place.path("case/book.db").exists() || !actions(&place).iter().any(|a| a == "assign"));
}

#[test]
fn holds_and_dispositions_of_a_batch_are_put_back_as_they_were() {
    let place = Place::small("", &[super::ROW]);
    let hold = ["--deadline", "4h", "--note", "no export covers it before the morning", "--apply"];
    let first = ["escalate", "int_2", "case", "--owner", "olu", "--delivered", "PAGE-1"];
    assert_eq!(place.run(&[&first[..], &hold[..4]].concat()).exit, 0);
    let was = place.show("int_2");
    assert_eq!((&was["owner"], &was["flags"]), (&json!("olu"), &json!([])));
    std::fs::write(place.path("ids"), "int_1\nint_2\n").unwrap();
    let note =
        ["--deadline", "8h", "--note", "the night shift looks at both of them", "--apply", "--count", "2"];
    let (exit, done) =
        place.json(&[&["bulk", "escalate", "case", "--ids", "ids", "--owner", "mika"][..], &note].concat());
    assert_eq!((exit, &done["done"]), (0, &json!(2)), "{done}");
    let now = place.show("int_2");
    assert_eq!((&now["owner"], &now["flags"]), (&json!("mika"), &json!(["not_delivered"])));
    let undo = |batch: &str| {
        place.run(&["bulk", "undo", batch, "case", "--note", "they were not meant for the night"])
    };
    assert_eq!(undo(done["batch"].as_str().unwrap()).exit, 0);
    let back = place.show("int_2");
    for field in ["owner", "flags", "deadline", "state"] {
        assert_eq!(back[field], was[field], "{field}");
    }
    assert_eq!(place.show("int_1")["owner"], json!(null));

    // One closing before the batch stays when the batch is taken back.
    super::confirm(&place);
    place.ledger(&[super::ROW, "rf_2,op_1,1,20.00,USD,2026-11-30T09:00:06Z"]);
    std::fs::write(place.path("ids"), "int_1 CRED-7\n").unwrap();
    let close =
        ["disposition", "int_1", "case", "--as", "not-ours", "--note", "it belongs to the other shop"];
    assert_eq!(place.run(&close).exit, 0);
    let many = [
        "bulk",
        "disposition",
        "case",
        "--ids",
        "ids",
        "--as",
        "corrected-in-books",
        "--note",
        "posted this morning in the books",
        "--apply",
        "--count",
        "1",
    ];
    let (exit, done) = place.json(&many);
    assert_eq!(exit, 0, "{done}");
    assert_eq!(place.show("int_1")["disposition"], json!("corrected-in-books"));
    assert_eq!(undo(done["batch"].as_str().unwrap()).exit, 0);
    assert_eq!(place.show("int_1")["disposition"], json!("not-ours"));
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
}

#[test]
fn a_delivery_recorded_after_the_batch_stays_and_is_listed() {
    let place = Place::small("", &[super::ROW]);
    std::fs::write(place.path("ids"), "int_1\nint_2\n").unwrap();
    let words = ["bulk", "escalate", "case", "--ids", "ids", "--owner", "mika", "--deadline", "8h"];
    let words = [&words[..], &["--note", NOTE, "--apply", "--count", "2"]].concat();
    let said = place.run(&words);
    assert_eq!(said.exit, 0, "{said:?}");
    // The batch has its name before its first item, so that one that is cut off can be found.
    let batch = said.err.lines().next().unwrap().split(' ').find(|word| word.starts_with("batch_")).unwrap();
    assert_eq!(
        said.err.lines().next().unwrap().split_once("batch_").unwrap().1,
        format!(
            "{} begins; recount bulk undo {batch} --note TEXT takes it back",
            batch.trim_start_matches("batch_")
        )
    );
    let log = place.run(&["audit", "list", "case"]).out;
    assert_eq!(log.lines().filter(|line| *line == format!("       batch {batch}")).count(), 2, "{log}");

    let told = ["escalate", "int_2", "case", "--delivered", "TICKET-1"];
    assert_eq!(place.run(&told).exit, 0);
    let seq = entries(&place).last().unwrap()["seq"].clone();
    // The other item's line goes from what the book says, so places in it move.
    let shown = || {
        let mut value = place.show("int_2");
        for state in value["states"].as_array_mut().unwrap() {
            state["where"] = Value::Null;
        }
        value
    };
    let was = shown();
    let undo = ["bulk", "undo", batch, "case", "--note", "they were not meant for the night"];
    let (exit, undone) = place.json(&undo);
    assert_eq!((exit, &undone["done"], &undone["left"]), (3, &json!(1), &json!(1)), "{undone}");
    assert_eq!(
        undone["items"][1],
        json!({
            "intent_id": "int_2", "result": "left", "code": null,
            "why": format!("changed since by entry {seq}, left as it is"),
        })
    );
    assert_eq!(shown(), was);
    let (mut kept, mut gone) = (false, false);
    let db = rusqlite::Connection::open(place.path("case/book.db")).unwrap();
    let mut all = db.prepare("SELECT subject_id, delivered, owner FROM assignments").unwrap();
    let mut rows = all.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let id: String = row.get(0).unwrap();
        let (delivered, owner): (Option<String>, Option<String>) = (row.get(1).unwrap(), row.get(2).unwrap());
        kept |= id == "int_2" && delivered.as_deref() == Some("TICKET-1") && owner.as_deref() == Some("mika");
        gone |= id == "int_1" && owner.is_some();
    }
    assert_eq!((kept, gone), (true, false));
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
}
