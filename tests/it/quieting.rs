//! What a book says beside states: hazards that were made quiet, a hand-over that was taken, the entries in the
//! document, what it held after an earlier entry (`5-hazards.md` 5.0, `7-commands.md` 7.5.3).

use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::settle::Place;

const NOTE: &str = "a load test of the search team, agreed with operations";

/// Rules with their status, but for quiet and not evaluable ones.
fn told(place: &Place, more: &[&str]) -> Vec<(String, String)> {
    let (exit, value) = place.json(&[&["hazards", "case"], more].concat());
    assert_eq!(exit, 0);
    let text = |h: &Value, name: &str| h[name].as_str().unwrap().to_owned();
    value["hazards"].as_array().unwrap().iter().map(|h| (text(h, "rule"), text(h, "status"))).collect()
}

fn trace(place: &Place, change: impl Fn(String) -> String) {
    let path = place.path("case/trace.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, change(text)).unwrap();
}

#[test]
fn a_rule_is_made_quiet_and_loud_again_and_never_vanishes() {
    let place = Place::of("hazards");
    let quiet = ["hazards", "quiet", "h09", "run_storm1", "case", "--note", NOTE];
    let said = place.run(&quiet);
    assert_eq!(said.exit, 0, "{said:?}");
    assert_eq!(
        said.out.lines().take(2).collect::<Vec<_>>(),
        [
            "H09 at run_storm1 is quiet, by dana",
            "it ends by itself when what is found gets worse than now: 6",
        ]
    );
    let (_, value) = place.json(&["hazards", "case"]);
    assert_eq!(
        (&value["firing"], &value["quieted"], &value["quiet"], &value["not_evaluable"]),
        (&json!(4), &json!(1), &json!(20), &json!(0))
    );
    let h09 = value["hazards"].as_array().unwrap().iter().find(|h| h["rule"] == "H09").unwrap();
    assert_eq!(
        (&h09["status"], &h09["quieted"]),
        (
            &json!("quieted"),
            &json!({
                "by": "dana", "note": NOTE, "at": "2026-11-30T14:00:00Z", "until": null, "subject": "run_storm1",
                "entry": 2, "ended": null,
            })
        )
    );
    let text = place.run(&["hazards", "case"]).out;
    assert!(
        text.starts_with("4 hazards: 2 high, 1 medium, 1 note; 1 quieted, 20 quiet, 0 not evaluable"),
        "{text}"
    );
    assert!(
        text.contains(&format!(
            "\nQuieted  H09  medium  retry storm  run run_storm1  by dana, entry 2: {NOTE}\n"
        )),
        "{text}"
    );
    // Nothing that is quiet reaches a level; the others do.
    assert_eq!(place.run(&["hazards", "case", "--rule", "H09", "--fail-on", "hazard:note"]).exit, 0);
    assert_eq!(place.run(&["hazards", "case", "--fail-on", "hazard:high"]).exit, 7);
    let report = place.run(&["report", "case"]).out;
    assert!(report.contains("### H09 retry storm (medium, quieted)"), "{report}");
    assert!(report.contains(&format!("- Quieted: by dana, entry 2: {NOTE}")), "{report}");
    assert!(
        place.run(&["audit", "list", "case"]).out.contains("made a hazard quiet or loud, run run_storm1")
    );
    let verify = place.run(&["verify", "case"]);
    assert!(verify.out.starts_with("audit chain OK, 2 entries"), "{verify:?}");

    let (exit, loud) = place.json(&["hazards", "unquiet", "H09", "run_storm1", "case"]);
    assert_eq!(exit, 0);
    assert_eq!(
        (&loud["schema"], &loud["hazard"], &loud["note"], &loud["book"]["entries"]),
        (
            &json!("recount.decision.v1"),
            &json!({"rule": "H09", "subject": "run_storm1", "quiet": false, "until": null}),
            &Value::Null,
            &json!([3])
        )
    );
    assert!(told(&place, &[]).contains(&("H09".into(), "firing".into())));
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
}

#[test]
fn two_at_once_make_it_loud_again_once() {
    let place = Place::of("hazards");
    let words = ["hazards", "quiet", "H09", "run_storm1", "case", "--note", NOTE];
    assert_eq!(place.run(&words).exit, 0);
    let mut exits: Vec<i32> = std::thread::scope(|scope| {
        let one = || place.run(&["hazards", "unquiet", "H09", "run_storm1", "case"]).exit;
        let both = [scope.spawn(one), scope.spawn(one)];
        both.into_iter().map(|run| run.join().unwrap()).collect()
    });
    exits.sort_unstable();
    // The other one saw it loud when it read, or when it came to write.
    assert!(exits == [0, 2] || exits == [0, 5], "{exits:?}");
    let loud = place.run(&["audit", "list", "case"]).out.matches("made a hazard quiet or loud").count();
    assert_eq!(loud, 2);
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
}

#[test]
fn it_ends_by_itself_where_it_gets_worse_and_at_its_time() {
    let place = Place::of("hazards");
    let until = ["hazards", "quiet", "H10", "run_cost2", "case", "--until", "4h", "--note", NOTE];
    let said = place.run(&until);
    assert_eq!(said.exit, 0, "{said:?}");
    assert!(said.out.contains("it ends by itself at 2026-11-30T18:00:00Z, or when"), "{said:?}");
    let status = |now: &str| told(&place, &["--now", now, "--rule", "H10"])[0].1.clone();
    assert_eq!(status("2026-11-30T17:59:59Z"), "quieted");
    assert_eq!(status("2026-11-30T18:00:00Z"), "firing");
    assert_eq!(place.run(&["hazards", "quiet", "H09", "run_storm1", "case", "--note", NOTE]).exit, 0);
    // One more retry of the same run.
    trace(&place, |text| {
        let line =
            text.lines().rfind(|line| line.contains("run_storm1") && line.contains("fetch_page")).unwrap();
        let id = line.split("\"attempt_id\":\"").nth(1).unwrap().split('"').next().unwrap();
        let more = line.replace(&format!("\"{id}\""), &format!("\"{id}x\""));
        format!("{text}{more}\n")
    });
    let (_, value) = place.json(&["hazards", "case", "--rule", "H09"]);
    let h09 = &value["hazards"][0];
    assert_eq!(
        (&h09["status"], &h09["measured"], &h09["quieted"]["ended"]),
        (&json!("firing"), &json!("7"), &json!("worse"))
    );
    let text = place.run(&["hazards", "case", "--rule", "H09"]).out;
    assert!(
        text.contains(&format!(
            "  Was quieted     by dana, entry 3: {NOTE} (it was 6 then and is worse now, so it fires again)"
        )),
        "{text}"
    );
}

#[test]
fn a_tool_an_intent_by_any_of_its_ids_and_several_at_once() {
    let place = Place::sample();
    let quiet = |rule: &str, subject: &str| {
        place.json(&[
            "hazards",
            "quiet",
            rule,
            subject,
            "case",
            "--note",
            &format!("{NOTE}, {rule} {subject}"),
        ])
    };
    let (exit, tool) = quiet("H12", "refund_order");
    assert_eq!((exit, &tool["hazard"]["measured"]), (0, &json!(["kept 24h"])));
    let (exit, order) = quiet("H03", "order:1234");
    assert_eq!(
        (exit, &order["hazard"]["subject"], &order["hazard"]["subjects"]),
        (0, &json!("int_9876"), &json!(["int_9876"]))
    );
    let (exit, pair) = quiet("H20", "int_6002");
    assert_eq!((exit, &pair["hazard"]["level"]), (0, &json!("high")));
    let quieted: Vec<String> = told(&place, &[])
        .into_iter()
        .filter(|(_, status)| status == "quieted")
        .map(|(rule, _)| rule)
        .collect();
    assert_eq!(quieted, ["H03", "H20", "H12"]);
    let kinds: Vec<Value> = entries(&place).iter().map(|e| e["subject"]["type"].clone()).collect();
    assert_eq!(kinds, ["case", "tool", "intent", "intent"]);
    // The verdicts are those without a book.
    assert_eq!(place.run(&["check", "case"]).exit, 1);
    // Screen: the count says it, and the words stand below.
    let dump = place.path("frames");
    let said = place.run(&["open", "case", "--script", "2", "--dump", dump.to_str().unwrap()]);
    assert_eq!(said.exit, 0, "{said:?}");
    let frame = std::fs::read_dir(&dump).unwrap().map(|e| e.unwrap().path()).max().unwrap();
    let frame = std::fs::read_to_string(frame).unwrap();
    assert!(frame.contains("3 quieted, 14 quiet, 3 not evaluable"), "{frame}");
    assert!(frame.contains("2 Hazards 4 "), "{frame}");
}

fn entries(place: &Place) -> Vec<Value> {
    let (_, listed) = place.json(&["audit", "list", "case"]);
    listed["entries"].as_array().unwrap().iter().map(|e| e["entry"].clone()).collect()
}

#[test]
fn what_cannot_be_made_quiet_is_refused_with_the_reason() {
    let place = Place::of("hazards");
    let run = |words: &[&str]| {
        let said = place.run(&[&["hazards"], words].concat());
        (said.exit, said.err.lines().next().unwrap_or_default().to_owned())
    };
    for (words, exit, err) in [
        (
            &["quiet", "H09", "run_nobody", "case", "--note", NOTE][..],
            2,
            "H09 does not fire at \"run_nobody\"; it fires at run_storm1",
        ),
        (
            &["quiet", "H03", "run_storm1", "case", "--note", NOTE],
            2,
            "H03 does not fire here, so there is nothing to make quiet",
        ),
        (
            &["quiet", "H99", "run_storm1", "case", "--note", NOTE],
            2,
            "no hazard rule is called \"H99\"; did you mean",
        ),
        (
            &["unquiet", "H09", "run_storm1", "case"],
            2,
            "H09 is not quiet for run_storm1, so there is nothing to make loud",
        ),
        (
            &["quiet", "H09", "run_storm1", "case", "--until", "2026-11-30T14:00:00Z", "--note", NOTE],
            2,
            "--until 2026-11-30T14:00:00Z is not ahead of the clock, 2026-11-30T14:00:00Z",
        ),
        (
            &["quiet", "H09", "run_storm1", "case", "--until", "soon", "--note", NOTE],
            2,
            "\"soon\" is neither a time nor a duration",
        ),
        (&["quiet", "H09", "run_storm1", "case"], 5, "refused: H09 at run_storm1 stays as it is."),
        (
            &["quiet", "H09", "run_storm1", "case", "--note", "it is fine"],
            5,
            "refused: H09 at run_storm1 stays as it is.",
        ),
        (&["quiet", "H09", "run_storm1", "case", "--note", NOTE, "--actor", "agent"], 5, "refused"),
        (&["quiet", "H09", "run_storm1", "case", "--note", NOTE, "--actor", "reconciliation"], 5, "refused"),
        (&["quiet", "H09", "run_storm1", "case", "--note", NOTE, "--read-only"], 5, "refused"),
    ] {
        let (found, said) = run(words);
        assert_eq!(found, exit, "{words:?} {said}");
        assert!(said.contains(err), "{words:?}: {said}");
    }
    assert!(told(&place, &[]).iter().all(|(_, status)| status == "firing"));
    // What was refused is in the log, and nothing else.
    let actions: Vec<Value> = entries(&place).iter().map(|e| e["action"].clone()).collect();
    assert!(actions.iter().all(|a| *a == "case_created" || *a == "resolve_refused"), "{actions:?}");
    // Nobody known.
    let mut nobody = place.command(&["hazards", "quiet", "H09", "run_storm1", "case", "--note", NOTE]);
    nobody.env_remove("RECOUNT_OPERATOR");
    if std::fs::metadata("/proc/self").map(|own| std::os::unix::fs::MetadataExt::uid(&own)).unwrap() == 0 {
        assert_eq!(nobody.output().unwrap().status.code(), Some(5));
    }
    // A second note on the same says something new.
    assert_eq!(run(&["quiet", "H09", "run_storm1", "case", "--note", NOTE]).0, 0);
    assert_eq!(run(&["quiet", "H09", "run_storm1", "case", "--note", NOTE]).0, 5);
}

#[test]
fn a_hand_over_is_taken_with_one_entry() {
    let place = Place::sample();
    let note = "night shift ends, olu takes the list over";
    let mut take = place.command(&["handover", "case", "--take", "--note", note]);
    let output = take.env("RECOUNT_OPERATOR", "olu").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(
        text.contains("\nTaken over by olu, entry 2: 10 operations.\nRecorded in recount's book."),
        "{text}"
    );
    let entries = entries(&place);
    assert_eq!(entries.len(), 2, "the case, and one for all of it");
    let entry = &entries[1];
    assert_eq!(
        (&entry["action"], &entry["subject"]["type"], &entry["note"], &entry["after"]["owner"]),
        (&json!("assign"), &json!("case"), &json!(note), &json!("olu"))
    );
    let ids: Vec<&str> = entry["after"]["ids"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(ids.len(), 10);
    assert!(ids.contains(&"int_9876") && ids.contains(&"int_6001") && ids.contains(&"int_6002"), "{ids:?}");
    let (_, shown) = place.json(&["show", "int_9876", "case"]);
    assert_eq!(shown["owner"], json!("olu"));
    let shown = place.run(&["show", "int_9876", "case"]).out;
    assert!(shown.contains("Taken over by olu with the hand-over, entry 2."), "{shown}");
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
    let (_, population) = place.json(&[
        "audit",
        "population",
        "case",
        "--from",
        "2026-11-01T00:00:00Z",
        "--to",
        "2026-12-31T00:00:00Z",
    ]);
    assert_eq!((&population["decisions"], population["rows"].as_array().unwrap().len()), (&json!(1), 1));
    for (words, exit) in [
        (&["handover", "case", "--note", note][..], 2),
        (&["handover", "case", "--take"], 5),
        (&["handover", "case", "--take", "--note", "short"], 5),
        (&["handover", "case", "--take", "--note", note], 5),
        (&["handover", "case", "--take", "--note", "another note, long enough", "--read-only"], 5),
        (&["handover", "case", "--take", "--note", "another note, long enough", "--as-of-entry", "1"], 2),
        (
            &[
                "handover",
                "case",
                "--take",
                "--note",
                "another note, long enough",
                "--now",
                "2026-11-30T20:00:00Z",
            ],
            0,
        ),
    ] {
        let said = place.run(words);
        assert_eq!(said.exit, exit, "{words:?} {said:?}");
    }
}

#[test]
fn as_of_an_entry_the_book_is_what_it_was() {
    let place = Place::sample();
    let resolve = [
        "resolve",
        "int_4813",
        "case",
        "--to",
        "confirmed",
        "--note",
        "the row stands in the list of the provider",
    ];
    assert_eq!(place.run(&resolve).exit, 0);
    let assign = [
        "escalate",
        "int_4814",
        "case",
        "--owner",
        "bob",
        "--deadline",
        "4h",
        "--note",
        "the export does not cover it",
    ];
    assert_eq!(place.run(&assign).exit, 0);
    assert_eq!(place.run(&["hazards", "quiet", "H03", "int_9876", "case", "--note", NOTE]).exit, 0);
    let all = entries(&place);
    let at = |action: &str| all.iter().find(|e| e["action"] == action).unwrap()["seq"].as_u64().unwrap();
    let (resolved, escalated, quieted) = (at("resolve"), at("escalate"), at("quiet_hazard"));
    assert!(resolved < escalated && escalated < quieted);
    let show = |id: &str, seq: u64| place.json(&["show", id, "case", "--as-of-entry", &seq.to_string()]).1;
    assert_eq!(show("int_4813", resolved - 1)["state"], json!("unknown"));
    assert_eq!(show("int_4813", resolved)["state"], json!("confirmed"));
    assert_eq!(show("int_4813", 0)["state"], json!("unknown"));
    assert_eq!(show("int_4814", escalated - 1)["owner"], Value::Null);
    assert_eq!(show("int_4814", escalated)["owner"], json!("bob"));
    assert_eq!(show("int_4814", escalated)["as_of_entry"], json!(escalated));
    let quiet =
        |seq: u64| place.json(&["hazards", "case", "--as-of-entry", &seq.to_string()]).1["quieted"].clone();
    assert_eq!((quiet(quieted - 1), quiet(quieted)), (json!(0), json!(1)));
    // What is left out of the command is what there is now.
    assert_eq!(place.json(&["show", "int_4813", "case"]).1["state"], json!("confirmed"));
    let check = place.run(&["check", "case", "--as-of-entry", "1", "--now", "2026-11-30T09:14:07Z"]);
    assert_eq!(check.exit, 1);
    let first = check.out.lines().next().unwrap();
    assert!(first.ends_with("clock fixed at 2026-11-30T09:14:07Z   book as of entry 1"), "{first}");
    let (_, report) = place.json(&["report", "case", "--as-of-entry", &resolved.to_string()]);
    let audit = &report["audit"];
    let last = all.len() as u64;
    assert_eq!(
        (&audit["chain"], &audit["entries"], &audit["as_of_entry"]),
        (&json!("verified"), &json!(last), &json!(resolved))
    );
    assert!(audit["shown"].as_array().unwrap().iter().all(|e| e["seq"].as_u64().unwrap() <= resolved));
    for (words, exit, err) in [
        (&["check", "case", "--as-of-entry", "99"][..], 2, "has no entry 99, its last one is"),
        (
            &["resolve", "int_4812", "case", "--to", "failed", "--as-of-entry", "1"],
            2,
            "resolve has no option --as-of-entry",
        ),
        (&["check", "case", "--as-of-entry", "x"], 2, "as-of-entry"),
    ] {
        let said = place.run(words);
        assert_eq!(said.exit, exit, "{words:?} {said:?}");
        assert!(said.err.contains(err), "{words:?} {said:?}");
    }
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
    let fresh = Place::sample();
    let none = fresh.run(&["check", "case", "--as-of-entry", "1"]);
    assert_eq!((none.exit, none.err.contains("there is no book here")), (2, true), "{none:?}");
}

#[test]
fn the_document_has_the_entries_and_says_whether_the_chain_holds() {
    let place = Place::sample();
    let hostile = "<script>alert(1)</script> | \u{202e}\u{1b}[31m & bob@example.com twenty more";
    let note = ["note", "int_9876", "case", "--note", hostile];
    assert_eq!(place.run(&note).exit, 0);
    for (form, has) in [
        ("markdown", "wrote a note, intent int\\_9876"),
        ("html", "wrote a note, intent int_9876"),
        ("json", "\"action\":\"note\""),
    ] {
        let said = place.run(&["report", "case", "--format", form]);
        assert_eq!(said.exit, 0, "{form}");
        assert!(said.out.contains(has), "{form}");
        assert!(said.out.to_lowercase().contains("audit chain ok, 2 entries"), "{form}");
        for bad in ["<script>", "\u{1b}", "\u{202e}", "bob@example.com"] {
            assert!(form == "json" && bad == "<script>" || !said.out.contains(bad), "{form} {bad:?}");
        }
    }
    let one = |id: &str| {
        let (_, value) = place.json(&["report", "case", "--intent", id]);
        value["audit"]["shown"].as_array().unwrap().len()
    };
    assert_eq!((one("int_9876"), one("int_5002")), (1, 0));
    // A chain that does not hold: said, and exit code 6.
    let db = rusqlite::Connection::open(place.path("case/book.db")).unwrap();
    db.execute_batch(
        "DROP TRIGGER audit_is_never_changed; UPDATE audit SET text = replace(text, 'twenty', 'thirty')",
    )
    .unwrap();
    drop(db);
    let broken = place.run(&["report", "case", "--format", "json"]);
    assert_eq!(broken.exit, 6, "{}", broken.err);
    let value: Value = serde_json::from_str(&broken.out).unwrap();
    assert_eq!(value["audit"]["chain"], json!("broken"));
    assert!(broken.err.contains("audit chain"), "{}", broken.err);
}

#[test]
fn books_that_are_empty_or_cannot_be_read() {
    let place = Place::sample();
    // A book without an entry.
    std::fs::write(place.path("case/book.db"), "").unwrap();
    for words in [&["report", "case"][..], &["hazards", "case"], &["handover", "case"]] {
        assert_eq!(place.run(words).exit, 0, "{words:?}");
    }
    // Something else than a book.
    std::fs::write(
        place.path("case/book.db"),
        "this is no database, but long enough to be read as one".repeat(20),
    )
    .unwrap();
    let report = place.run(&["report", "case"]);
    assert!([0, 6].contains(&report.exit), "{report:?}");
    assert!(report.out.contains("Audit entries"), "{}", report.out);
    let quiet = place.run(&["hazards", "quiet", "H03", "int_9876", "case", "--note", NOTE]);
    assert!([4, 5].contains(&quiet.exit), "{quiet:?}");
    let take = place.run(&["handover", "case", "--take", "--note", NOTE]);
    assert!([4, 5].contains(&take.exit) && take.out.is_empty(), "{take:?}");
    let then = place.run(&["check", "case", "--as-of-entry", "1"]);
    assert_eq!(then.exit, 4, "what was then is never replaced by what is now: {then:?}");
    // The book of another mode than ours.
    std::fs::remove_file(place.path("case/book.db")).unwrap();
    assert_eq!(place.run(&["hazards", "quiet", "H03", "int_9876", "case", "--note", NOTE]).exit, 0);
    std::fs::set_permissions(place.path("case"), std::fs::Permissions::from_mode(0o777)).unwrap();
    let open = place.run(&["hazards", "unquiet", "H03", "int_9876", "case"]);
    assert_eq!(open.exit, 5, "{open:?}");
    assert_eq!(told(&place, &[])[6].1, "quieted", "{:?}", told(&place, &[]));
}

#[test]
fn a_disposition_is_seen_by_those_affected() {
    let place = Place::sample();
    let status = || {
        let out = place.run(&["affected", "case"]).out;
        let line = out.lines().find(|line| line.contains("order:1234")).unwrap().to_owned();
        line.rsplit(',').next().unwrap().to_owned()
    };
    assert_eq!(status(), "open");
    let close = |amount: &str, note: &str| {
        place.run(&[
            "disposition",
            "int_9876",
            "case",
            "--as",
            "recovered",
            "--amount",
            amount,
            "--ref",
            "SUP-2301",
            "--note",
            note,
        ])
    };
    let said = close("50.00", "the customer paid fifty back already");
    assert_eq!(said.exit, 0, "{said:?}");
    assert_eq!(status(), "open", "USD 150.00 are still out");
    assert_eq!(close("150.00", "and the rest of it a day later").exit, 0);
    assert_eq!(status(), "put right");
    let again = ["disposition", "int_9876", "case", "--reopen", "--note", "the bank took it back again"];
    assert_eq!(place.run(&again).exit, 0);
    assert_eq!(status(), "open");
}
