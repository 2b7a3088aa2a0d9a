//! Traces that agents, frameworks and platforms write, on files of our own: attempts, classes, receipts, intents, and
//! what each of them shows beside a ledger.
//!
//! One story in all of them: a credit of invoice 7731 timed out and was sent again under a new key (two rows), a credit
//! of invoice 7802 has no answer; where the format can say so, one was refused before it ran.

use std::path::{Path, PathBuf};

use recount::sources::spec::{CaseSpec, What};

use crate::world::{World, case, file, loaded};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/traces").join(name)
}

fn world(trace: &str, ledger: Option<&str>) -> World {
    loaded(spec(trace, ledger))
}

fn spec(trace: &str, ledger: Option<&str>) -> CaseSpec {
    let trace = file(What::Trace, "trace", &data(trace));
    let ledger = ledger.map(|name| file(What::Ledger, "ledger", &data(name)));
    case("2026-09-02T12:00:00Z", std::iter::once(trace).chain(ledger))
}

/// Every call: intent's business id, tool, class, outcome, receipt.
fn calls(world: &World) -> Vec<String> {
    let mut lines: Vec<String> = world
        .views()
        .iter()
        .flat_map(|view| {
            view.attempts.iter().map(|a| {
                let receipt = if a.receipt.is_empty() { "-" } else { &a.receipt };
                format!("{} {} {} {} {receipt}", view.business_id, a.tool, a.class.word(), a.outcome.word())
            })
        })
        .collect();
    lines.sort();
    lines
}

/// Verdict by business id.
fn verdicts(world: &World) -> Vec<String> {
    let mut lines: Vec<String> = world
        .views()
        .iter()
        .map(|view| format!("{} {}", view.business_id, view.judgement.verdict()))
        .collect();
    lines.sort();
    lines
}

#[test]
fn look() {
    for name in [
        "responses_items.jsonl",
        "responses_object.json",
        "chat_messages.json",
        "chat_requests.jsonl",
        "anthropic_messages.json",
        "claude_code.jsonl",
        "codex.jsonl",
        "agents_trace.jsonl",
        "langsmith_runs.jsonl",
        "langfuse_page.json",
        "langfuse_export.json",
        "langfuse_blob.jsonl",
        "temporal.json",
        "temporal_decoded.json",
        "temporal_array.json",
        "jepsen.edn",
        "jepsen.log",
    ] {
        eprintln!("=== {name}");
        for line in calls(&world(name, None)) {
            eprintln!("   {line}");
        }
        for ledger in ["credits.csv", "credits_plain.csv"] {
            let world = world(name, Some(ledger));
            eprintln!(" {ledger} {:?} problems {:?}", verdicts(&world), world.0.problems());
        }
        let world = world(name, None);
        for v in world.views() {
            for a in &v.attempts {
                eprintln!(
                    "   . {} | {} | {} | {} | {:?}",
                    v.intent_id, a.id, a.place, a.text, a.outcome_word
                );
            }
        }
        for s in world.0.sources() {
            eprintln!(
                "   {} rows {:?} notes {:?} mapping {} tools {:?}",
                s.format, s.rows, s.notes, s.mapping, s.tools
            );
        }
    }
}
