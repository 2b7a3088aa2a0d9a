//! A case in which given texts stand in every field that holds text, in traces and ledgers of several formats.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

/// The clock of the case.
pub const NOW: &str = "2026-11-30T18:00:00Z";

fn time(number: usize, second: usize) -> String {
    let minutes = 9 * 60 + number / 4;
    format!("2026-11-30T{:02}:{:02}:{:02}Z", minutes / 60, minutes % 60, (number % 4) * 15 + second)
}

/// The ids that a text makes: a number keeps them apart, whatever is shown of the text.
pub fn operation(number: usize, text: &str) -> String {
    format!("op{number}:{text}")
}

fn trace(number: usize, text: &str, in_ids: &str) -> Vec<Value> {
    let at = |second| time(number, second);
    let id = |kind: &str| format!("{kind}{number}{in_ids}");
    let payload = json!({
        "order_id": id("o"), "amount": "2.00", "currency": "USD", "reason": text, "url": format!("https://example.org/a?x={text}"),
        "headers": {"X-Trace": text}, "list": [text, {"deep": text}], text: "name",
    });
    let outcome = if number % 11 == 3 { text } else { "success" };
    let tool = if number % 9 == 4 { text } else { "refund_order" };
    vec![
        json!({"event": "run_started", "run_id": id("run"), "scenario": text, "agent": text, "model": text, "retry_policy": text,
            "server": text, "fault": text, "sdk": text, "ts": at(0)}),
        json!({"event": "intent_recorded", "intent_id": id("int"), "operation_id": operation(number, in_ids), "kind": if number % 7 == 1 { text } else { "refund" },
            "business_id": format!("order:{}", id("o")), "party": id("cust"), "amount": "2.00", "currency": "USD", "count": 1, "attrs": {"color": text},
            "key": id("key"), "key_kind": text, "key_origin": text, "storage": text, "ts": at(1)}),
        json!({"event": "attempt", "attempt_id": id("att"), "intent_id": id("int"), "run_id": id("run"), "turn": 1, "decision_id": id("dec"),
            "tool": tool, "key": id("key"), "payload": payload, "outcome": outcome, "receipt": id("a"), "text": text,
            "sent_at": at(2), "ended_at": at(3)}),
        json!({"event": "readback", "id": id("rb"), "intent_id": id("int"), "source": text, "query": text, "position": text, "result": "present",
            "field": "color", "expected": text, "read": text, "ts": at(5)}),
        json!({"event": "state_changed", "intent_id": id("int"), "from": "submitted", "to": "unknown", "actor": "response", "reason": text,
            "deadline": time(number, 9), "ts": at(6)}),
        json!({"event": "run_completed", "run_id": id("run"), "final_text": text, "ts": at(7)}),
    ]
}

/// Whether the text of this number has no row of its own.
pub fn is_absent(number: usize) -> bool {
    number % 6 == 5
}

/// Whether the text of this number has a row that no attempt made.
pub fn is_lone(number: usize) -> bool {
    number % 10 == 6
}

/// The rows of a text: two where its number is even, one else; named as their columns.
fn rows(number: usize, text: &str, in_ids: &str) -> Vec<Vec<(&'static str, String)>> {
    let row = |letter: &str, second| {
        vec![
            ("effect_id", format!("{letter}{number}{in_ids}")),
            ("operation_id", operation(number, in_ids)),
            ("order_id", format!("o{number}{in_ids}")),
            ("customer_id", format!("cust{number}{in_ids}")),
            ("amount", if number % 50 == 7 { text.to_owned() } else { "2.00".to_owned() }),
            ("currency", if number % 50 == 8 { text.to_owned() } else { "USD".to_owned() }),
            ("status", if number % 13 == 5 { text.to_owned() } else { "succeeded".to_owned() }),
            ("kind", if number % 7 == 1 { text.to_owned() } else { "refund".to_owned() }),
            ("external_ref", format!("x{number} {text}")),
            ("idempotency_key", format!("key{number}{in_ids}")),
            ("memo", text.to_owned()),
            ("committed_at", if number % 50 == 9 { text.to_owned() } else { time(number, second) }),
        ]
    };
    let mut rows = Vec::new();
    if !is_absent(number) {
        rows.push(row("a", 3));
    }
    if number.is_multiple_of(2) {
        rows.push(row("b", 4));
    }
    if is_lone(number) {
        let mut lone = row("lone", 4);
        for (name, value) in &mut lone {
            if matches!(
                *name,
                "operation_id" | "order_id" | "customer_id" | "external_ref" | "idempotency_key"
            ) {
                value.insert_str(0, "lone");
            }
        }
        rows.push(lone);
    }
    rows
}

fn toml(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            out.push(character);
        } else {
            let _ = write!(out, "\\U{:08X}", u32::from(character));
        }
    }
    out.push('"');
    out
}

/// Writes the case into a folder: a native trace, calls of a plain trace, and ledgers as SQLite, CSV and JSON lines. With
/// `ids` the texts stand in what identifies as well.
pub fn plant(folder: &Path, texts: &[String], ids: bool) {
    std::fs::create_dir_all(folder).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    let (mut native, mut plain, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    let mut csv = csv::Writer::from_writer(Vec::new());
    let mut db = rusqlite::Connection::open(folder.join("payments.db")).unwrap();
    let columns: Vec<&str> = rows(0, "", "")[0].iter().map(|(name, _)| *name).collect();
    let write_db = db.transaction().unwrap();
    // A column that the ledger has beside them, named by the first text.
    let odd = texts[0].replace('\0', "").replace('"', "\"\"");
    write_db.execute_batch(&format!("CREATE TABLE refunds ({}, \"{odd}\")", columns.join(", "))).unwrap();
    csv.write_record(columns.iter().copied().chain([texts[0].as_str()])).unwrap();
    for (number, text) in texts.iter().enumerate() {
        let in_ids = if ids { text.as_str() } else { "" };
        for event in trace(number, text, in_ids) {
            native.extend(event.to_string().into_bytes());
            native.push(b'\n');
        }
        if number % 5 == 0 {
            let call = json!({"tool": "refund_order", "operation_id": format!("plain{number}{in_ids}"), "attempt_id": format!("p{number}{in_ids}"),
                "order_id": format!("p{number}{in_ids}"), "arguments": {"note": text}, "agent": text, "model": text, "outcome": "timeout", "result": text,
                "error": text, "sent_at": time(number, 1), "ended_at": time(number, 2)});
            plain.extend(call.to_string().into_bytes());
            plain.push(b'\n');
        }
        // A line that is no record, with the bytes as they are.
        if number % 20 == 0 {
            native.extend(format!("{{\"event\":\"attempt\",{text}}}\n").into_bytes());
        }
        for row in rows(number, text, in_ids) {
            let values = row.iter().map(|(_, value)| value.as_str());
            match number % 3 {
                0 => {
                    let marks = vec!["?"; columns.len() + 1].join(", ");
                    let values = rusqlite::params_from_iter(values.chain([text.as_str()]));
                    write_db.execute(&format!("INSERT INTO refunds VALUES ({marks})"), values).unwrap();
                }
                1 => csv.write_record(values.chain([text.as_str()])).unwrap(),
                _ => {
                    let row: serde_json::Map<String, Value> =
                        row.iter().map(|(name, value)| ((*name).to_owned(), value.clone().into())).collect();
                    lines.extend(Value::Object(row).to_string().into_bytes());
                    lines.push(b'\n');
                }
            }
        }
    }
    write_db.commit().unwrap();
    drop(db);
    write("trace.jsonl", &native);
    write("calls.jsonl", &plain);
    write("eu.csv", &csv.into_inner().unwrap());
    write("asia.jsonl", &lines);
    let text = toml(&texts[texts.len() / 2]);
    let ledger = |id: &str, kind: &str, path: &str| {
        format!(
            "[sources.{id}]\nkind = \"{kind}\"\npath = \"{path}\"\nmoves_money = true\nread_at = \"{NOW}\"\ncovers_from = \"start\"\nendpoint = {text}\n\
             [sources.{id}.links]\nopen = {text}\n"
        )
    };
    let config = format!(
        "[case]\nid = \"planted\"\ntitle = {text}\nnow = \"{NOW}\"\n[policy]\napprovers = [\"erin\"]\n\
         [traces.trace]\npath = \"trace.jsonl\"\n[traces.calls]\npath = \"calls.jsonl\"\n\
         [tools.refund_order]\nrole = \"write\"\nidempotent = \"no\"\nretention = \"1h\"\nretry_window = \"9h\"\nirreversible = true\nendpoint = {text}\nreconcile_by = {text}\n\
         [playbook.DUPLICATED.refund]\ntext = {text}\nlink = {text}\nowner = {text}\n\
         {}{}{}",
        ledger("payments", "sqlite", "payments.db"),
        ledger("eu", "csv", "eu.csv"),
        ledger("asia", "jsonl", "asia.jsonl"),
    );
    write("recount.toml", config.as_bytes());
}
