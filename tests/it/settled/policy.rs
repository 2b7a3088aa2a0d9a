//! A change of policy is a decision of two.

use recount::canon::{canonical, sha256_hex};
use serde_json::{Value, json};

use super::{actions, confirm, entries};
use crate::settle::Place;

const WHY: &str = "the limit was agreed on in the meeting of today";

fn change(place: &Place, from: &str, to: &str) {
    let config = place.path("case/recount.toml");
    let toml = std::fs::read_to_string(&config).unwrap();
    assert!(toml.contains(from));
    std::fs::write(&config, toml.replace(from, to)).unwrap();
}

/// An approval of somebody on another machine.
fn approval(place: &Place, name: &str, decision: &str) -> Value {
    let request = std::fs::read_to_string(place.path("R.json")).unwrap();
    let value = json!({
        "schema": "recount.approval.v1", "request": sha256_hex(request.trim_end().as_bytes()), "decision": decision,
        "intent_id": "policy", "note": "agreed on in the meeting, read it all", "own_read": null, "relied": true,
        "approver": {"name": name, "uid": 4711, "login": name, "sudo_user": ""}, "at": "2026-11-30T12:00:00Z",
    });
    std::fs::write(place.path("A.json"), canonical(&value.to_string()).unwrap()).unwrap();
    place.json(&["accept", "A.json", "case"]).1
}

#[test]
fn a_policy_of_the_file_is_in_force_when_two_agreed() {
    let old = "approvers = [\"dana\", \"erin\", \"olu\"]\npolicy_owners = [\"dana\", \"erin\"]\nhigh_value = { USD = \"500\" }";
    let place = Place::small(old, &[super::ROW]);
    let ask = ["request", "policy", "case", "--note", WHY, "--out", "R.json"];
    assert_eq!(place.run(&ask).exit, 2, "nothing to ask for before there is a book");
    confirm(&place);
    change(&place, "\"500\"", "\"20\"");
    let read = place.run(&["note", "int_2", "case", "--note", "the policy changed in the file just now"]);
    assert!(read.err.contains("the policy changed in the file and is not in force"), "{}", read.err);
    let stranger = place.json(&[&ask[..], &["--operator", "olu"]].concat());
    assert_eq!((stranger.0, &stranger.1["code"]), (5, &json!("R-POLICY")));
    let (exit, waits) = place.json(&ask);
    assert_eq!((exit, &waits["pending"]), (3, &json!(true)));
    // Nobody approves his own, nobody without the role, and no shared login.
    let seq = waits["request"].to_string();
    let own =
        ["approve", &seq, "case", "--note", "agreed on in the meeting, read it", "--relied-on-evidence"];
    assert_eq!(place.json(&own).1["code"], json!("R-APPROVER"));
    assert_eq!(place.json(&[&own[..], &["--operator", "erin"]].concat()).1["code"], json!("R-APPROVER"));
    assert_eq!(approval(&place, "olu", "approve")["code"], json!("R-APPROVER"));
    let done = approval(&place, "erin", "approve");
    assert_eq!(done["policy"], waits["policy"], "{done}");
    assert_eq!(approval(&place, "erin", "approve")["code"], json!("R-APPROVER"), "one approval is used once");
    let log = entries(&place);
    let last = log.last().unwrap();
    assert_eq!(actions(&place)[log.len() - 3..], ["approval_given", "policy_changed", "resolve_refused"]);
    let changed = &log[log.len() - 2];
    assert_eq!((&changed["actor"]["name"], &changed["second"]["name"]), (&json!("dana"), &json!("erin")));
    assert_eq!(last["reason"], json!("R-APPROVER"));
    // It is in force: the same amount is high value now.
    let place_says =
        place.run(&["note", "int_2", "case", "--note", "the policy of the file is in force now"]);
    assert!(!place_says.err.contains("not in force"), "{}", place_says.err);
    assert_eq!(place.json(&["resolve", "int_2", "case", "--to", "failed", "--note", WHY]).0, 3);
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
    // A request that waits is void once another policy is in force; denied and withdrawn ones change nothing.
    change(&place, "\"20\"", "\"30\"");
    let seq = place.json(&[&ask[..], &["--force"]].concat()).1["request"].to_string();
    assert!(approval(&place, "erin", "deny")["policy"].is_string());
    let seq_2 = place.json(&[&ask[..], &["--force"]].concat()).1["request"].to_string();
    assert_ne!(seq, seq_2);
    assert_eq!(
        place.run(&["withdraw", &seq_2, "case", "--note", "asked for again tomorrow morning"]).exit,
        0
    );
    assert_eq!(
        approval(&place, "erin", "approve")["because"],
        json!(format!("the request of entry {seq_2} is withdrawn already"))
    );
}

#[test]
fn one_person_names_the_first_approvers_and_that_is_counted() {
    let place = Place::small("note_min = 20", &[super::ROW]);
    confirm(&place);
    change(&place, "note_min = 20", "note_min = 20\nhigh_value = { USD = \"1\" }");
    let ask = ["request", "policy", "case", "--note", WHY];
    assert_eq!(place.json(&ask).1["code"], json!("R-POLICY"), "nobody could approve it, and it names nobody");
    // With another change beside them, or with a name that is none, they are not named either.
    change(&place, "note_min = 20", "note_min = 20\napprovers = [\"erin\", \"olu\"]");
    assert_eq!(place.json(&ask).1["code"], json!("R-POLICY"));
    change(&place, "\nhigh_value = { USD = \"1\" }", "");
    change(&place, "\"olu\"]", "\" \"]");
    assert_eq!(place.json(&ask).1["code"], json!("R-POLICY"));
    change(&place, "\" \"]", "\"olu\"]");
    let (exit, done) = place.json(&ask);
    assert_eq!((exit, &done["first_approvers"], &done["pending"]), (0, &json!(true), &json!(false)));
    let last = entries(&place).pop().unwrap();
    assert_eq!(
        (&last["action"], &last["reason"], &last["policy"]["first_approvers"]),
        (&json!("policy_changed"), &json!("first approvers, named by one person"), &json!(true))
    );
    let seq = last["seq"].to_string();
    let population = place.run(&[
        "audit",
        "population",
        "case",
        "--from",
        "2026-11-30T00:00:00Z",
        "--to",
        "2026-12-01T00:00:00Z",
    ]);
    let all = format!("{}{}", population.out, population.err);
    assert!(all.contains(&format!("first approvers, named by one person: {seq}")), "{all}");
    // From now on it takes two of them.
    change(&place, "note_min = 20", "note_min = 20\nhigh_value = { USD = \"2\" }");
    assert_eq!(place.json(&ask).1["code"], json!("R-POLICY"));
}

#[test]
fn evidence_is_erased_under_the_policy_in_force_and_not_that_of_the_file() {
    let place = Place::small("policy_owners = [\"erin\"]", &[super::ROW]);
    confirm(&place);
    let last = entries(&place).pop().unwrap();
    let digest = last["evidence"][0].as_str().unwrap().trim_start_matches("block:sha256:").to_owned();
    change(&place, "[\"erin\"]", "[\"dana\"]");
    let erase = ["audit", "erase", &digest, "case", "--reason", "the customer asked for it in writing"];
    let said = place.run(&erase);
    assert_eq!(said.exit, 5, "{said:?}");
    assert!(said.err.contains("policy_owners: erin"), "{}", said.err);
    assert_eq!(place.run(&[&erase[..], &["--operator", "erin"]].concat()).exit, 0);
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
}
