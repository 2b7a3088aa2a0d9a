//! Read positions that went back, T10, what is closed, what nobody took over, and amounts of other units.

use serde_json::{Value, json};

use super::{NOTE, ROW, confirm, entries, tamper};
use crate::settle::{NOW, Place};

#[test]
fn a_read_position_that_went_back_proves_no_absence_until_somebody_took_note() {
    let other = "rf_5,op_5,5,7.00,USD,2026-11-30T09:30:00Z";
    let place = Place::small("", &[ROW, other]);
    confirm(&place);
    let failed = |why: &str| place.json(&["resolve", "int_2", "case", "--to", "failed", "--note", why]);
    let codes = || {
        let all = place.json(&["check", "case"]).1;
        let all = all["problems"].as_array().unwrap().clone();
        all.iter().map(|p| p["code"].clone()).collect::<Vec<Value>>()
    };
    assert_eq!(codes(), Vec::<Value>::new());
    let acknowledge =
        ["case", "acknowledge", "provider", "case", "--note", "the provider moved its archive away"];
    assert_eq!(place.run(&acknowledge).exit, 2, "there is nothing to take note of");
    // One row less than before.
    place.ledger(&[ROW]);
    assert_eq!(codes(), [json!("POSITION_WENT_BACK")]);
    let (exit, refusal) = failed("the listing has no row for it at all");
    assert_eq!((exit, &refusal["code"]), (5, &json!("R-FAIL-COVER")));
    assert!(refusal["missing"][0].as_str().unwrap().starts_with("C7: "), "{refusal}");
    assert!(refusal["missing"][0].as_str().unwrap().contains("went back"), "{refusal}");
    // A hold on it does not make the shorter listing the one to compare with.
    let hold = [
        "escalate",
        "int_2",
        "case",
        "--owner",
        "olu",
        "--deadline",
        "4h",
        "--note",
        "ask the provider where the row is",
    ];
    assert_eq!(place.run(&hold).exit, 0);
    assert_eq!(codes(), [json!("POSITION_WENT_BACK")]);
    let (exit, noted) = place.json(&acknowledge);
    assert_eq!(exit, 0, "{noted}");
    assert_eq!(noted["went_back"], json!("it had 4 rows before, and has 3 now"));
    assert_eq!(codes(), Vec::<Value>::new());
    assert_eq!(failed("the shorter listing was taken note of").0, 0);
    // From there on it is compared again; another beginning is another file.
    place.ledger(&[]);
    assert_eq!(codes(), [json!("POSITION_WENT_BACK")]);
    place.ledger(&[ROW, other]);
    assert_eq!(codes(), Vec::<Value>::new());
    let ledger = std::fs::read_to_string(place.path("case/provider.csv")).unwrap();
    std::fs::write(place.path("case/provider.csv"), ledger.replace("rf_0,op_0,0,1.00", "rf_0,op_0,0,2.00"))
        .unwrap();
    assert_eq!(codes(), [json!("POSITION_WENT_BACK")]);
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
}

#[test]
fn reconciliation_stamps_what_is_confirmed_at_the_position_of_its_row() {
    let place = Place::small("", &[ROW]);
    confirm(&place);
    let (exit, dry) = place.json(&["reconcile", "case"]);
    let stamp =
        |all: &Value| all["items"].as_array().unwrap().iter().find(|i| i["intent_id"] == "int_1").cloned();
    assert_eq!(stamp(&dry).unwrap()["verified_at_position"], json!("provider row 3"), "{exit} {dry}");
    let before = entries(&place).len();
    assert_eq!(before, 3, "a dry run writes nothing");
    let applied = place.json(&["reconcile", "case", "--apply"]).1;
    assert_eq!(stamp(&applied).unwrap()["applied"], json!(true));
    let log = entries(&place);
    let of_it: Vec<&Value> = log[before..].iter().filter(|e| e["subject"]["id"] == "int_1").collect();
    assert_eq!(of_it.len(), 1);
    assert_eq!(
        (&of_it[0]["action"], &of_it[0]["after"]["move"], &of_it[0]["actor"]["kind"]),
        (&json!("readback"), &json!("T10"), &json!("reconciliation"))
    );
    let shown = place.run(&["show", "int_1", "case"]);
    assert!(shown.out.contains("Verified at row 3."), "{}", shown.out);
    assert_eq!(stamp(&place.json(&["reconcile", "case", "--apply"]).1), None, "once");
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
}

#[test]
fn a_closed_item_leaves_the_list_and_comes_back_when_its_facts_change() {
    let place = Place::sample();
    let close = |more: &[&str]| {
        let words = ["disposition", "int_9876", "case", "--as", "recovered", "--ref", "CRED-1"];
        place.json(&[&words[..], more].concat())
    };
    let listed = || place.run(&["check", "case"]).out;
    assert!(listed().contains("order:1234"));
    // A part of it is no end of it.
    assert_eq!(close(&["--amount", "199.99", "--note", "the customer paid most of it back"]).0, 0);
    let part = place.show("int_9876");
    assert_eq!((&part["flags"], &part["disposition"]), (&json!([]), &json!("recovered")));
    assert_eq!(close(&["--amount", "0.01", "--note", "the customer paid the rest of it back"]).0, 0);
    let shown = place.show("int_9876");
    assert_eq!(shown["flags"], json!(["closed"]));
    let text = listed();
    assert!(!text.contains("order:1234"), "{text}");
    assert!(text.contains("1 closed, counted and not listed: it did happen"), "{text}");
    let (exit, all) = place.json(&["check", "case"]);
    assert_eq!((exit, &all["summary"]["closed"], &all["summary"]["violations"]), (1, &json!(1), &json!(3)));
    // It is left out of the result only where that is asked for; the unreadable row of the sample stays.
    let one =
        |more: &[&str]| place.run(&[&["check", "case", "--intent", "int_9876"][..], more].concat()).exit;
    assert_eq!((one(&[]), one(&["--allow-remediated"])), (1, 3));
    // A third row: the facts are others.
    let db = rusqlite::Connection::open(place.path("case/payments.db")).unwrap();
    db.execute_batch("INSERT INTO refunds SELECT * FROM (SELECT * FROM refunds WHERE 0)").unwrap();
    let columns: Vec<String> = db
        .prepare("SELECT name FROM pragma_table_info('refunds') WHERE name NOT IN ('id', 'refund_id')")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    let columns = columns.join(", ");
    db.execute_batch(&format!(
        "INSERT INTO refunds (refund_id, {columns}) SELECT 'rfd_zz', {columns} FROM refunds WHERE refund_id = 'rfd_a1'"
    ))
    .unwrap();
    drop(db);
    let back = place.show("int_9876");
    assert_eq!(back["flags"], json!(["facts_changed"]));
    assert!(listed().contains("order:1234"));
    let said = "Closed by dana, facts changed: look at it again.";
    let text = place.run(&["show", "int_9876", "case"]).out;
    assert!(text.contains(said), "{text}");
    // It is closed again on the facts as they are now; what was said on the old ones is history.
    let part = ["--amount", "399.99", "--note", "both of the second and the third came back"];
    assert_eq!(close(&part).0, 0);
    assert_eq!(place.show("int_9876")["flags"], json!(["facts_changed"]));
    assert_eq!(close(&["--amount", "0.01", "--note", "and the last cent of them came back too"]).0, 0);
    assert_eq!(place.show("int_9876")["flags"], json!(["closed"]));
    assert!(!listed().contains("order:1234"));
    let text = place.run(&["show", "int_9876", "case"]).out;
    assert!(!text.contains("facts changed"), "{text}");
}

#[test]
fn a_decision_is_handed_over_until_the_owning_system_says_so_too() {
    let place = Place::small("", &[ROW]);
    confirm(&place);
    let shown = place.show("int_1");
    assert_eq!(shown["flags"], json!(["not_taken_over"]));
    let text = place.run(&["show", "int_1", "case"]).out;
    assert!(
        text.contains("Handed over, not taken over: less than a second since the decision in this book."),
        "{text}"
    );
    let calls = place.path("case/calls.jsonl");
    let trace = std::fs::read_to_string(&calls).unwrap();
    let taken = "{\"event\":\"state_changed\",\"intent_id\":\"int_1\",\"from\":\"unknown\",\"to\":\"confirmed\",\"actor\":\"human\",\"ts\":\"2026-11-30T11:00:00Z\"}\n";
    std::fs::write(&calls, trace + taken).unwrap();
    assert_eq!(place.show("int_1")["flags"], json!([]));
}

#[test]
fn an_amount_of_a_unit_without_minor_units_is_stored_as_it_was_given() {
    let place = Place::small("", &[]);
    let calls = std::fs::read_to_string(place.path("case/calls.jsonl")).unwrap();
    std::fs::write(place.path("case/calls.jsonl"), calls.replace("\"USD\"", "\"IOST\"")).unwrap();
    place.ledger(&["rf_1,op_1,1,20.00,IOST,2026-11-30T09:00:05Z"]);
    let note = ["--to", "confirmed", "--note", NOTE];
    // A unit without a limit of its own counts as high value.
    assert_eq!(place.json(&[&["resolve", "int_1", "case"][..], &note].concat()).0, 0);
    place.ledger(&[
        "rf_1,op_1,1,20.00,IOST,2026-11-30T09:00:05Z",
        "rf_2,op_1,1,20.00,IOST,2026-11-30T09:00:06Z",
    ]);
    let close = [
        "disposition",
        "int_1",
        "case",
        "--as",
        "recovered",
        "--amount",
        "14.5",
        "--ref",
        "TX-1",
        "--note",
        "sent back to the wallet of the shop",
    ];
    assert_eq!(place.json(&close).0, 0);
    let book = place.path("case/book.db");
    let stored = |book: &std::path::Path| -> (Option<i64>, Option<String>, Option<String>) {
        let db = rusqlite::Connection::open(book).unwrap();
        db.query_row("SELECT amount_minor, amount_unit, amount_decimal FROM dispositions", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .unwrap()
    };
    let want = (None, Some("IOST".to_owned()), Some("14.5".to_owned()));
    assert_eq!(stored(&book), want);
    assert_eq!(place.run(&["verify", "case"]).exit, 0);

    // A book of the version before is read as it is, and gets the amount from its entries at the next write.
    tamper(
        &book,
        "ALTER TABLE dispositions DROP COLUMN amount_unit; ALTER TABLE dispositions DROP COLUMN amount_decimal; PRAGMA user_version = 1; PRAGMA wal_checkpoint(TRUNCATE)",
    );
    let before = std::fs::read(&book).unwrap();
    assert_eq!(place.run(&["verify", "case"]).exit, 0, "{:?}", place.run(&["verify", "case"]));
    assert_eq!(place.show("int_1")["disposition"], json!("recovered"));
    assert_eq!(std::fs::read(&book).unwrap(), before, "looking changes nothing");
    assert_eq!(place.run(&["note", "int_1", "case", "--note", "a note that brings it up to date"]).exit, 0);
    assert_eq!(stored(&book), want);
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
    let _ = NOW;
}

#[test]
fn who_is_named_for_an_item_did_not_decide_its_state() {
    let place = Place::sample();
    let checked = || place.json(&["check", "case"]);
    let text = |words: &[&str]| {
        let said = place.run(words);
        assert_eq!(said.exit, 0, "{said:?}");
        said.out
    };
    let (list, show) = (["list", "case"], ["show", "int_5002", "case"]);
    let (listed, shown, before) = (text(&list), text(&show), checked());
    let done = ["assign", "int_5002", "case", "--owner", "erin", "--note", "erin asks the provider about it"];
    assert_eq!(place.run(&done).exit, 0);
    assert_eq!(text(&list), listed);
    assert_eq!(text(&show).replace("Owner: erin.\n", ""), shown);
    assert!(text(&show).contains("Owner: erin.\n"));
    let (exit, mut after) = checked();
    let owner = after["intents"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .find(|intent| intent["intent_id"] == "int_5002")
        .map(|intent| intent["owner"].take());
    assert_eq!(owner, Some(json!("erin")));
    assert_eq!((exit, after), before);
    // Nor did whoever accounts for it, or names a time for it.
    let named =
        ["escalate", "int_5002", "case", "--owner", "olu", "--deadline", "4h", "--delivered", "TICKET-1"];
    assert_eq!(place.run(&[&named[..], &["--note", "olu looks at it with the provider"]].concat()).exit, 0);
    let closed =
        ["disposition", "int_5002", "case", "--as", "recovered", "--ref", "CRED-1", "--amount", "75.00"];
    assert_eq!(place.run(&[&closed[..], &["--note", NOTE]].concat()).exit, 0);
    let told = text(&show);
    assert!(told.starts_with(shown.lines().next().unwrap()), "{told}");
    assert!(!told.contains("settled") && !told.contains("by human dana"), "{told}");
    // What a person decides is contradicted by the row as before.
    let reopen = ["reopen", "int_5002", "case", "--owner", "olu", "--deadline", "4h", "--note"];
    assert_eq!(place.run(&[&reopen[..], &["the row shows that it did happen"]].concat()).exit, 0);
    assert!(text(&show).contains("by human dana"));
}

#[test]
fn as_of_an_entry_is_what_was_shown_when_it_was_the_last() {
    let other = "rf_5,op_5,5,7.00,USD,2026-11-30T09:30:00Z";
    let place = Place::small("", &[ROW, other]);
    // Two calls of one moment: which of two clean intents comes first is not looked at.
    let sorted = |mut value: Value| {
        if let Some(intents) = value.get_mut("intents").and_then(Value::as_array_mut) {
            intents.sort_by_key(|intent| intent["intent_id"].to_string());
        }
        value
    };
    let seen = || ["check", "list"].map(|word| sorted(place.json(&[word, "case"]).1));
    let shown = |id: &str| place.json(&["show", id, "case"]).1;
    let all = || (seen(), shown("int_1"), shown("int_2"));
    let mut then = Vec::new();
    // A read alone is enough to know how far the listing went.
    assert_eq!(place.run(&["readback", "int_1", "case", "--source", "provider"]).exit, 0);
    place.ledger(&[ROW]);
    then.push((entries(&place).len(), all()));
    assert_eq!(then[0].1.0[0]["notices"][0]["code"], json!("POSITION_WENT_BACK"));
    confirm(&place);
    then.push((entries(&place).len(), all()));
    let acknowledge =
        ["case", "acknowledge", "provider", "case", "--note", "the provider moved its archive away"];
    assert_eq!(place.run(&acknowledge).exit, 0);
    then.push((entries(&place).len(), all()));
    assert_eq!(then[2].1.0[0].get("notices"), None);
    let failed =
        place.run(&["resolve", "int_2", "case", "--to", "failed", "--note", "the listing has no row for it"]);
    assert_eq!(failed.exit, 0, "{}", failed.err);
    then.push((entries(&place).len(), all()));
    for (last, (seen, one, two)) in then {
        let last = last.to_string();
        let now = |words: &[&str]| {
            let mut value = place.json(&[words, &["case", "--as-of-entry", &last]].concat()).1;
            assert_eq!(value.as_object_mut().unwrap().remove("as_of_entry").unwrap().to_string(), last);
            // The scope says which book it is.
            let text = value.to_string().replace(&format!("; book as of entry {last}."), ".");
            sorted(serde_json::from_str::<Value>(&text).unwrap())
        };
        assert_eq!([now(&["check"]), now(&["list"])], seen, "entry {last}");
        assert_eq!((now(&["show", "int_1"]), now(&["show", "int_2"])), (one, two), "entry {last}");
    }
}

#[test]
fn a_policy_that_waits_is_said_in_every_output() {
    let place = Place::small("", &[ROW]);
    confirm(&place);
    let config = std::fs::read_to_string(place.path("case/recount.toml")).unwrap();
    let said = |words: &[&str]| place.run(words).out.contains("policy changed in the file, not in force");
    let every: [&[&str]; 5] = [
        &["check", "case"],
        &["list", "case", "--only", "all"],
        &["show", "int_1", "case"],
        &["handover", "case"],
        &["report", "case"],
    ];
    for words in every {
        assert!(!said(words), "{words:?}");
    }
    let other = if config.contains("[policy]\n") {
        config.replace("[policy]\n", "[policy]\nlegal_hold = true\n")
    } else {
        format!("{config}\n[policy]\nlegal_hold = true\n")
    };
    std::fs::write(place.path("case/recount.toml"), other).unwrap();
    for words in every {
        assert!(said(words), "{words:?}: {}", place.run(words).out);
    }
    for words in ["check", "list", "sources"] {
        assert_eq!(
            place.json(&[words, "case"]).1["notices"][0]["code"],
            json!("POLICY_NOT_IN_FORCE"),
            "{words}"
        );
    }
    let dump = place.path("frames");
    let screen = ["open", "case", "--script", "1", "--dump", dump.to_str().unwrap()];
    assert_eq!(place.run(&screen).exit, 0);
    let frame = frames(&dump);
    assert!(frame.contains("policy changed in the file, not in force"), "{frame}");
}

/// What the screen showed, all frames.
fn frames(dump: &std::path::Path) -> String {
    let mut files: Vec<_> = std::fs::read_dir(dump).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect()
}

#[test]
fn the_screen_leaves_out_what_is_closed_and_its_filter_finds_it() {
    let place = Place::sample();
    let shown = |keys: &str, name: &str| {
        let dump = place.path(name);
        let run = place.run(&["open", "case", "--script", keys, "--dump", dump.to_str().unwrap()]);
        assert_eq!(run.exit, 0, "{}", run.err);
        frames(&dump)
    };
    let before = shown("1", "before");
    assert!(before.contains("order 1234") && before.contains("41 fine not shown"), "{before}");
    let close =
        ["disposition", "int_9876", "case", "--as", "recovered", "--ref", "CRED-1", "--amount", "200.00"];
    let done = place.run(&[&close[..], &["--note", "the customer paid all of it back"]].concat());
    assert_eq!(done.exit, 0, "{}{}", done.out, done.err);
    let after = shown("1", "after");
    assert!(!after.contains("order 1234"), "{after}");
    assert!(after.contains("41 fine, 1 closed not shown"), "{after}");
    let found = shown("/ text:closed enter", "found");
    assert!(found.contains("order 1234"), "{found}");
}
