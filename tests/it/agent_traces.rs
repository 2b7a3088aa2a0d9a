//! Traces that agents, frameworks and platforms write, on files of our own: attempts, classes, receipts, intents, and
//! what each of them shows beside a ledger.
//!
//! One story in all of them: a credit of invoice 7731 timed out and was sent again under a new key (two rows), a credit
//! of invoice 7802 has no answer; where the format can say so, one was refused before it ran.

use std::path::{Path, PathBuf};
use std::process::Command;

use recount::sources::spec::{CaseSpec, What};

use crate::world::{World, case, file, loaded, memory};

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

/// A call that timed out and one that was answered, for the doubled credit.
const TWICE: [&str; 2] = ["invoice:7731 TOOL ok success cr_B2", "invoice:7731 TOOL unknown FIRST -"];
/// The credit without an answer.
const LOST: &str = "invoice:7802 TOOL unknown missing -";

/// Each file with its format, its tool, its calls beside those of all, and the verdicts beside a ledger with ids.
struct Fact {
    file: &'static str,
    format: &'static str,
    tool: &'static str,
    /// It has the call without an answer.
    lost: bool,
    /// What the caller was told of the first try.
    first: &'static str,
    more: &'static [&'static str],
    /// Verdicts of the intents that are not the doubled one, beside the ledger with operation ids.
    others: &'static [&'static str],
    /// Records: used, skipped.
    records: (u64, u64),
}

const COVERED: &[&str] = &["invoice:7802 ABSENT_COVERED"];
/// Where a format has no times, nothing is covered.
const UNTIMED: &[&str] = &["invoice:7802 UNRESOLVED_UNKNOWN"];
const HISTORY: &[&str] = &[
    "invoice:7690 TOOL ok success cr_A",
    "invoice:7690 TOOL unknown no_record -",
    "invoice:7690 TOOL unknown timeout -",
    "invoice:7850 TOOL fail not_sent -",
];
const HISTORY_SAYS: &[&str] = &[
    // Its earlier attempts have no times, so nothing says that all of them are over.
    "invoice:7690 MATCHED_NOT_SETTLED",
    "invoice:7802 ABSENT_COVERED",
    "invoice:7850 FAILED_CLEAN",
];

const fn fact(
    file: &'static str,
    format: &'static str,
    tool: &'static str,
    more: &'static [&'static str],
    others: &'static [&'static str],
    records: (u64, u64),
) -> Fact {
    Fact { file, format, tool, lost: true, first: "timeout", more, others, records }
}

const FACTS: [Fact; 17] = [
    fact("responses_items.jsonl", "openai-responses", "issue_credit", &[], UNTIMED, (7, 1)),
    Fact {
        first: "server_error",
        ..fact(
            "responses_object.json",
            "openai-responses",
            "issue_credit",
            &["invoice:7802 issue_credits fail not_sent -"],
            &["invoice:7802 ABSENT_COVERED", "invoice:7802 SOURCE_NOT_READ"],
            (4, 0),
        )
    },
    fact("chat_messages.json", "openai-chat", "issue_credit", &[], UNTIMED, (5, 2)),
    fact("chat_requests.jsonl", "openai-chat", "issue_credit", &[], COVERED, (5, 4)),
    fact("anthropic_messages.json", "anthropic", "issue_credit", &[], UNTIMED, (7, 0)),
    fact(
        "claude_code.jsonl",
        "claude-code",
        "mcp__credits__issue_credit",
        &["invoice:7850 TOOL fail rejected -"],
        &["invoice:7802 ABSENT_COVERED", "invoice:7850 FAILED_CLEAN"],
        (9, 5),
    ),
    fact("codex.jsonl", "codex", "mcp__credits__issue_credit", &[], COVERED, (5, 5)),
    fact(
        "agents_trace.jsonl",
        "openai-agents",
        "issue_credit",
        &[" TOOL unknown no_record -", "invoice:7811 TOOL unknown server_error -"],
        &[" UNRECORDED", "invoice:7802 ABSENT_COVERED", "invoice:7811 ABSENT_COVERED"],
        (5, 2),
    ),
    fact("langsmith_runs.jsonl", "langsmith", "issue_credit", &[], COVERED, (3, 1)),
    fact("langfuse_page.json", "langfuse", "issue_credit", &[], COVERED, (3, 0)),
    fact("langfuse_export.json", "langfuse", "issue_credit", &[], COVERED, (3, 1)),
    fact("langfuse_blob.jsonl", "langfuse", "issue_credit", &[], COVERED, (3, 1)),
    fact("temporal.json", "temporal", "IssueCredit", HISTORY, HISTORY_SAYS, (14, 1)),
    fact("temporal_decoded.json", "temporal", "IssueCredit", HISTORY, HISTORY_SAYS, (14, 1)),
    fact("temporal_array.json", "temporal", "IssueCredit", HISTORY, HISTORY_SAYS, (14, 1)),
    fact(
        "jepsen.edn",
        "jepsen",
        "credit",
        &["invoice:7850 TOOL fail rejected -"],
        &["invoice:7802 UNRESOLVED_UNKNOWN", "invoice:7850 FAILED_CLEAN"],
        (8, 2),
    ),
    Fact { lost: false, ..fact("jepsen.log", "jepsen", "credit", &[], &[], (4, 1)) },
];

impl Fact {
    fn calls(&self) -> Vec<String> {
        let lost = self.lost.then_some(LOST);
        let all = TWICE.iter().chain(&lost).chain(self.more);
        let mut lines: Vec<String> =
            all.map(|line| line.replace("TOOL", self.tool).replace("FIRST", self.first)).collect();
        lines.sort();
        lines
    }

    fn verdicts(&self, doubled: &str) -> Vec<String> {
        let mut lines: Vec<String> = self.others.iter().map(|line| (*line).to_owned()).collect();
        lines.push(format!("invoice:7731 {doubled}"));
        lines.sort();
        lines
    }
}

#[test]
fn every_call_is_read() {
    for fact in &FACTS {
        let world = world(fact.file, None);
        assert_eq!(calls(&world), fact.calls(), "{}", fact.file);
        let sources = world.0.sources();
        assert_eq!(sources[0].format, fact.format, "{}", fact.file);
        let rows = &sources[0].rows;
        assert_eq!(
            (rows.used, rows.skipped, rows.unreadable),
            (fact.records.0, fact.records.1, 0),
            "{}",
            fact.file
        );
        assert!(world.0.problems().is_empty(), "{}: {:?}", fact.file, world.0.problems());
        // Both tries of the doubled credit are one intent, and that they are is assumed.
        let views = world.views();
        let twice = views.iter().find(|view| view.business_id == "invoice:7731").unwrap();
        assert_eq!(twice.attempts.len(), 2, "{}", fact.file);
        assert!(
            twice.operation_id.is_empty() || twice.operation_id.contains('@'),
            "{}: {}",
            fact.file,
            twice.operation_id
        );
        let money: Vec<String> = twice.attempts.iter().map(|a| world.money(a.amount)).collect();
        assert_eq!(money, ["EUR 61.20", "EUR 61.20"], "{}", fact.file);
    }
}

#[test]
fn beside_a_ledger_the_doubled_credit_is_never_matched() {
    for fact in &FACTS {
        let ids = world(fact.file, Some("credits.csv"));
        assert_eq!(verdicts(&ids), fact.verdicts("DUPLICATED"), "{}", fact.file);
        for ledger in ["credits_plain.csv", "credits_keys.csv"] {
            let said = verdicts(&world(fact.file, Some(ledger)));
            let wanted = "invoice:7731 SUSPECTED_DUPLICATE".to_owned();
            assert!(said.contains(&wanted), "{} {ledger}: {said:?}", fact.file);
        }
        let mut linked = spec(fact.file, Some("credits_plain.csv"));
        linked.join = vec!["business_id".to_owned()];
        let said = verdicts(&loaded(linked));
        assert!(said.contains(&"invoice:7731 DUPLICATED".to_owned()), "{}: {said:?}", fact.file);
    }
}

#[test]
fn what_is_damaged_loses_itself_only() {
    let cut = |file: &str, from: &str| {
        let text = std::fs::read_to_string(data(file)).unwrap();
        let at = text.rfind(from).unwrap_or_else(|| panic!("{file} has no {from}"));
        text.chars().take(text.get(..at).unwrap().chars().count() + 4).collect::<String>()
    };
    // In the log of requests the answer before it stands in the same line.
    for fact in FACTS.iter().filter(|fact| fact.lost && fact.file != "chat_requests.jsonl") {
        // The last call of each file is the one without an answer: it is cut in the middle.
        let mark = match fact.format {
            "temporal" if fact.file == "temporal_array.json" => "\"eventId\": 29",
            "temporal" => "\"eventId\": \"29\"",
            _ => "7802",
        };
        let text = cut(fact.file, mark);
        let world = loaded(case("2026-09-02T12:00:00Z", [memory(What::Trace, "cut", &text)]));
        let lost = LOST.replace("TOOL", fact.tool);
        let mut want = fact.calls();
        want.retain(|line| *line != lost);
        assert_eq!(calls(&world), want, "{}", fact.file);
        let problems = world.0.problems();
        assert_eq!(problems.iter().filter(|p| p.affects_result).count(), 1, "{}: {problems:?}", fact.file);
    }
    // A record in the middle that is no JSON.
    let text = std::fs::read_to_string(data("langsmith_runs.jsonl")).unwrap().replacen(
        "\"run_type\":\"tool\"",
        "\"run_type\":tool",
        1,
    );
    let world = loaded(case("2026-09-02T12:00:00Z", [memory(What::Trace, "broken", &text)]));
    assert_eq!(
        calls(&world),
        ["invoice:7731 issue_credit ok success cr_B2", "invoice:7802 issue_credit unknown missing -"]
    );
    assert_eq!(world.0.problems().len(), 1);
}

fn recount(words: &[&str]) -> (i32, String) {
    let home = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_recount"))
        .args(words)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("HOME", home.path())
        .env("XDG_CONFIG_HOME", home.path())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn sniff_agrees() {
    for fact in &FACTS {
        let path = format!("tests/it/data/traces/{}", fact.file);
        let (exit, out) = recount(&["sniff", &path, "--format", "json"]);
        assert_eq!(exit, 0, "{out}");
        let said: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(
            (said["role"].as_str(), said["format"].as_str()),
            (Some("trace"), Some(fact.format)),
            "{out}"
        );
        let calls = fact.calls();
        let of =
            |class: &str| calls.iter().filter(|line| line.split(' ').nth(2) == Some(class)).count() as u64;
        for class in ["ok", "unknown", "fail"] {
            assert_eq!(
                said["attempts"][class].as_u64().unwrap_or(0),
                of(class),
                "{}: {class} in {out}",
                fact.file
            );
        }
    }
}
