//! What holds for all rules.

use super::asked::Asked;
use super::evaluate::{Evaluation, Findings};
use super::facts::{Run, Whole};
use super::found::{Level, Status};
use super::rules::RULES;
use super::sample::{Sample, all_fires, run, world};
use crate::model::units::Units;

#[test]
fn the_table_has_24_rules_in_order_with_every_text() {
    for (no, rule) in RULES.iter().enumerate() {
        assert_eq!(rule.id, format!("H{:02}", no + 1));
        for text in [rule.name, rule.words, rule.fires, rule.what, rule.why, rule.todo, rule.blind] {
            assert!(!text.is_empty(), "{}", rule.id);
        }
        for text in [rule.fires, rule.what, rule.why, rule.todo, rule.blind] {
            assert!(text.trim_end_matches(" {did}").ends_with('.'), "{}: {text}", rule.id);
        }
        assert!(!rule.needs.is_empty() && !rule.tests.is_empty(), "{}", rule.id);
    }
}

#[test]
fn what_to_do_never_sends_again_takes_back_or_corrects() {
    // The allowed form names the state, the gate and the key (`5-hazards.md` 5.0).
    const ALLOWED: &str =
        "Another call is only for after the state is failed, through the gate, with the same key";
    for rule in &RULES {
        let text = rule.todo.replace(ALLOWED, "").to_lowercase();
        for word in [
            "send again",
            "sent again",
            "resend",
            "retry it",
            "reverse",
            "correct the ledger",
            "another call",
            "repeat",
        ] {
            assert!(!text.contains(word), "{}: {}", rule.id, rule.todo);
        }
        for text in [rule.fires, rule.what, rule.why, rule.unless, rule.todo, rule.blind] {
            assert!(!text.contains("SAFE"), "{}", rule.id);
        }
    }
}

#[test]
fn every_threshold_of_the_table_reads_as_a_number() {
    let asked = Asked::default();
    for rule in &RULES {
        for (key, default) in rule.keys {
            assert_eq!(asked.limit(rule.id, key), *default);
            assert!(crate::model::money::parse_decimal(default).is_ok(), "{} {key}", rule.id);
        }
    }
    let own = Asked { limits: vec![("H09".into(), "retries".into(), "9".into())], ..Asked::default() };
    assert_eq!((own.whole("H09", "retries"), own.whole("H10", "spans")), (9, 3));
}

fn texts(runs: &[Run]) -> Vec<(String, String)> {
    let (asked, units) = (Asked::default(), Units::default());
    let world = world(&asked, &units, true);
    let mut findings = Findings::default();
    for run in runs {
        findings.run(run, &world);
    }
    let evaluation = Evaluation::new(findings, &Whole::default(), true, &world);
    evaluation.firing().map(|h| (h.rule.id.to_owned(), h.what.clone())).collect()
}

#[test]
fn runs_in_any_order_give_equal_output() {
    let runs = [
        run("run_a", &[("fetch", 9, 3), ("search", 1, 0)]),
        run("run_b", &[("fetch", 7, 5)]),
        run("run_c", &[("a", 7, 0), ("b", 2, 0)]),
    ];
    let forward = texts(&runs);
    assert_eq!(forward.len(), 6);
    let mut order = runs.to_vec();
    for turn in 0..runs.len() {
        order.rotate_left(turn);
        assert_eq!(texts(&order), forward);
        order.reverse();
        assert_eq!(texts(&order), forward);
    }
}

#[test]
fn two_runs_of_one_scenario_share_nothing() {
    // Four retries each: together they would be eight.
    let of =
        |id: &str| Run { scenario: "triage".into(), ..run(id, &[("fetch", 5, 0), ("x", 5, 0), ("y", 1, 0)]) };
    let (a, b) = (
        Run { tools: of("triage-a").tools.into_iter().filter(|(t, _)| t != "x").collect(), ..of("triage-a") },
        Run { tools: of("triage-b").tools.into_iter().filter(|(t, _)| t != "x").collect(), ..of("triage-b") },
    );
    let storms = |runs: &[Run]| texts(runs).iter().filter(|(rule, _)| rule == "H09").count();
    assert_eq!(storms(&[a.clone(), b.clone()]), 0);
    assert_eq!(storms(&[b, a]), 0);
}

#[test]
fn what_is_missing_is_said_once_per_source_or_tool_and_is_not_quiet() {
    let (asked, units) = (Asked::default(), Units::default());
    let mut world = world(&asked, &units, false);
    world.traces[0].keys = false;
    world.traces[0].costs = false;
    world.traces[0].name = "agent.jsonl".into();
    let evaluation = Evaluation::new(Findings::default(), &Whole::default(), false, &world);
    let said = |rule: &str| -> Vec<(Status, String, String, String)> {
        let of = evaluation.hazards.iter().filter(|h| h.rule.id == rule);
        of.map(|h| (h.status, h.place.source.clone(), h.place.tool.clone(), h.reason.clone())).collect()
    };
    let missing = |source: &str, tool: &str, reason: &str| {
        vec![(Status::NotEvaluable, source.to_owned(), tool.to_owned(), reason.to_owned())]
    };
    assert_eq!(said("H01"), missing("agent.jsonl", "", "no keys in agent.jsonl"));
    assert_eq!(said("H08"), missing("agent.jsonl", "", "no intent log is loaded"));
    assert_eq!(said("H11"), missing("agent.jsonl", "", "no costs in agent.jsonl"));
    assert_eq!(said("H14"), missing("", "refund_order", "the tool is not declared"));
    assert_eq!(said("H18"), missing("", "", "no annotations are loaded"));
    assert_eq!(said("H13"), missing("", "", "no goal rules and no annotations are loaded"));
    assert_eq!(said("H03"), [(Status::Quiet, String::new(), String::new(), String::new())]);
    assert_eq!(evaluation.count(Status::Firing), 0);
}

#[test]
fn levels_reach_what_is_above_them() {
    let reach = |level: Level| Level::ALL.iter().filter(|(l, _)| l.reaches(level)).count();
    assert_eq!([Level::High, Level::Medium, Level::Note].map(reach), [1, 2, 3]);
    assert_eq!(Level::from_word("medium"), Some(Level::Medium));
    assert_eq!(Level::from_word("severe"), None);
}

#[test]
fn what_needs_a_declaration_fires_once_per_tool_with_the_first_ids() {
    let done = |id: &str, sec: i64| Sample::new().irreversible().named(id).ok(sec, "k1");
    let intents: Vec<Sample> = (1..=7).map(|n| done(&format!("int_{n}"), 100 - n)).collect();
    let mut found = all_fires("H14", &intents);
    assert_eq!(found.len(), 1);
    let hazard = found.remove(0);
    assert_eq!(
        hazard.what,
        "7 intents of refund_order closed without a read after the last attempt: int_7, int_6, int_5, int_4, int_3 and 2 \
         more."
    );
    assert_eq!(
        (hazard.count, hazard.place.intent.as_str(), hazard.place.tool.as_str()),
        (7, "", "refund_order")
    );
    let turned: Vec<Sample> = intents.into_iter().rev().collect();
    assert_eq!(all_fires("H14", &turned), [hazard]);
}
