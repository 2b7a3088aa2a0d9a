//! What leaves a book as files (`3-lifecycle.md` 3.6.7): the chain as lines, its head, the decisions for the system
//! that owns the intents, and a reading copy for reviewers.

use serde_json::{Value, json};

use crate::canon::canonical;
use crate::model::time::{Micros, rfc3339_millis};
use crate::text::{SafeText, json_string, markdown};

use super::action::of_word;
use super::entry::{Entry, Head, TOOL};

/// An entry as a line of an export, without its line end. The text of the entry is in it byte by byte.
pub fn line(entry: &Entry) -> String {
    // A signature is several lines: its line ends have a short escape, as canonical texts have.
    let sig = entry.sig.as_ref().map(|sig| format!(",\"sig\":{}", json!(sig))).unwrap_or_default();
    format!("{{\"entry\":{},\"hash\":{}{sig}}}", entry.text, json_string(&entry.hash))
}

/// `F.head.json`: what an export ends with, to be signed and kept elsewhere. Canonical.
pub fn head_file(case: &str, head: &Head, at: Micros) -> String {
    let value = json!({
        "schema": "recount.head.v1", "case": case, "seq": head.seq, "hash": head.hash,
        "exported_at": rfc3339_millis(at), "tool": TOOL,
    });
    // Texts and one small number always have a canonical form.
    canonical(&value.to_string()).unwrap_or_default()
}

/// A line of `resolutions.jsonl`, for the system that owns the intents: intent, state, evidence, note, audit seq. None
/// for entries that move no state.
pub fn resolution(entry: &Entry) -> Option<String> {
    let doing = of_word(entry.text_at("action"))?;
    let state = entry.at("after.state").filter(|state| state.is_string())?;
    if !doing.decision || entry.text_at("subject.type") != "intent" {
        return None;
    }
    let part = |place: &str| entry.at(place).cloned().unwrap_or(Value::Null);
    let value = json!({
        "intent_id": part("subject.id"), "state": state, "from": part("before.state"), "at": part("ts"),
        "by": part("actor.name"), "second": part("second.name"), "action": part("action"),
        "evidence": part("evidence"), "reason": part("reason"), "note": part("note"), "audit_seq": entry.seq,
        "audit_hash": entry.hash,
    });
    canonical(&value.to_string()).ok()
}

/// What an entry says, in one line of plain words: `resolved int_4790: unknown -> confirmed`.
pub fn says(entry: &Entry) -> String {
    let word = entry.text_at("action");
    let says = of_word(word).map_or(word, |doing| doing.says);
    let mut said = format!("{says}, {} {}", entry.text_at("subject.type"), entry.text_at("subject.id"));
    let state = |place: &str| entry.at(place).and_then(Value::as_str);
    match (state("before.state"), state("after.state")) {
        (Some(from), Some(to)) => said.push_str(&format!(": {from} -> {to}")),
        (None, Some(to)) => said.push_str(&format!(": {to}")),
        _ => {}
    }
    if let Some(reason) = state("reason") {
        said.push_str(&format!(" ({reason})"));
    }
    SafeText::new(&said).shown().into_owned()
}

/// A cell of a table in Markdown.
fn cell(text: &str) -> String {
    markdown(&SafeText::new(text))
}

/// The head of the reading copy.
pub fn markdown_head(case: &str, head: &Head) -> String {
    format!(
        "# Audit log of {}\n\n{} entries, head `{head}`. A reading copy: `recount audit export` with JSON lines is the one \
         that verifies.\n\n| entry | when | who | what | note | evidence | hash |\n|---|---|---|---|---|---|---|\n",
        cell(case),
        head.seq
    )
}

/// An entry as a row of the reading copy.
pub fn markdown_row(entry: &Entry) -> String {
    let evidence = entry.at("evidence").and_then(Value::as_array);
    let evidence: Vec<&str> = evidence.into_iter().flatten().filter_map(Value::as_str).collect();
    format!(
        "| {} | {} | {} | {} | {} | {} | `{}` |\n",
        entry.seq,
        cell(entry.text_at("ts")),
        cell(&who(entry)),
        cell(&says(entry)),
        cell(entry.text_at("note")),
        cell(&evidence.join(", ")),
        crate::text::short_hash(&entry.hash)
    )
}

/// Who wrote an entry, with the second person.
pub fn who(entry: &Entry) -> String {
    let name = match entry.text_at("actor.name") {
        "" => entry.text_at("actor.kind"),
        name => name,
    };
    match entry.text_at("second.name") {
        "" => SafeText::new(name).shown().into_owned(),
        second => SafeText::new(&format!("{name} and {second}")).shown().into_owned(),
    }
}
