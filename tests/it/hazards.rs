//! Hazards from files to what is printed: the samples, the machine output, the document (`5-hazards.md`).

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use recount::config::{self, Config};
use recount::judge::hazards::{Evaluation, Hazard, RULES, Rule, Status};
use recount::load::{Case, Options, load};
use recount::model::time::rfc3339;
use recount::sources::spec::{Location, What};
use serde_json::Value;

fn folder(sample: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data").join(sample)
}

/// A sample, with its trace changed.
fn changed(sample: &str, change: impl Fn(&str) -> String) -> Evaluation {
    let config: Config = config::read(&folder(sample).join("recount.toml")).unwrap();
    let mut spec = config::case::spec(&config).unwrap();
    let text = std::fs::read_to_string(folder(sample).join("trace.jsonl")).unwrap();
    for source in spec.sources.iter_mut().filter(|s| s.what == What::Trace) {
        source.location = Location::Memory(change(&text).into_bytes().into());
    }
    let case: Case = load(spec, &Options { threads: 1, ..Options::default() }).unwrap();
    case.hazards(&config::hazards::asked(&config).unwrap())
}

fn sample(name: &str) -> Evaluation {
    changed(name, str::to_owned)
}

/// Rule, level and subjects of what fires.
fn fires(evaluation: &Evaluation) -> Vec<(&'static str, &'static str, String)> {
    let line = |h: &Hazard| (h.rule.id, h.level.word(), h.subjects.join(" "));
    evaluation.firing().map(line).collect()
}

fn only<'e>(evaluation: &'e Evaluation, rule: &str) -> &'e Hazard {
    let mut all = evaluation.hazards.iter().filter(|h| h.rule.id == rule && h.status != Status::NotEvaluable);
    let first = all.next().unwrap();
    assert!(all.next().is_none(), "{rule}");
    first
}

#[test]
fn the_case_of_the_screens_has_its_seven() {
    let evaluation = sample("refunds-2026-11-30");
    let found: Vec<(&str, &str)> = evaluation.firing().map(|h| (h.rule.id, h.level.word())).collect();
    assert_eq!(
        found,
        [
            ("H03", "high"),
            ("H06", "high"),
            ("H15", "high"),
            ("H20", "high"),
            ("H04", "medium"),
            ("H12", "medium"),
            ("H14", "medium")
        ]
    );
    let places: Vec<String> =
        evaluation.firing().filter(|h| h.rule.id != "H12").map(|h| h.subjects.join(" ")).collect();
    assert_eq!(places, ["int_9876", "int_4812", "int_5002", "int_6001 int_6002", "int_4812", "int_5003"]);
    let not: Vec<(&str, &str)> = evaluation
        .hazards
        .iter()
        .filter(|h| h.status == Status::NotEvaluable)
        .map(|h| (h.rule.id, h.reason.as_str()))
        .collect();
    assert_eq!(
        not,
        [
            ("H11", "no costs in trace.jsonl"),
            ("H13", "no goal rules and no annotations are loaded"),
            ("H18", "no annotations are loaded")
        ]
    );
    assert_eq!(evaluation.count(Status::Quiet), 14);
    assert_eq!(
        only(&evaluation, "H03").what,
        "Attempt 1 of int_9876 ended response lost at 08:41:00. Attempt 2 was sent at 08:41:07. Between the two nobody \
         read the state on another path. The first had taken effect: rfd_a1 was there."
    );
    assert_eq!(
        only(&evaluation, "H20").what,
        "int_6002 (USD 150.00) was sent at 08:50:29 while int_6001 (USD 200.00) was unknown."
    );
    assert_eq!(
        only(&evaluation, "H12").what,
        "refund_order keeps a key for 24h; 72h are needed: so long are calls sent again and recovered."
    );
    assert_eq!(only(&evaluation, "H06").measured, "1d 21h late");
}

#[test]
fn the_sample_of_hazards_has_its_figures() {
    let evaluation = sample("hazards");
    let found: Vec<(&str, &str, &str)> =
        evaluation.firing().map(|h| (h.rule.id, h.level.word(), h.place.run.as_str())).collect();
    assert_eq!(
        found,
        [
            ("H02", "high", "run_drift"),
            ("H11", "high", "run_scan1"),
            ("H09", "medium", "run_storm1"),
            ("H13", "medium", "run_triage-b"),
            ("H10", "note", "run_cost2"),
        ]
    );
    assert_eq!(
        only(&evaluation, "H11").what,
        "Spent USD 6,531.30 of USD 50.00 in run_scan1; passed at 10:10:27; 5 x 600 h x USD 2.1771; 5 machines of 48 vCPU \
         and 192 GiB, 240 vCPU and 960 GiB in all; as sent: announced_gbps 20, announced_total_gbps 100 and limit_gbps \
         22.5; last useful effect at 10:00:25, USD 6,531.30 since; USD 10.8855 per hour now."
    );
    assert_eq!(
        only(&evaluation, "H09").what,
        "6 retries in run_storm1: fetch_page 3 and search_notes 3. 5 of them succeeded."
    );
    let cost: Vec<(Status, &str, bool, &str)> = evaluation
        .hazards
        .iter()
        .filter(|h| h.rule.id == "H10")
        .map(|h| (h.status, h.place.run.as_str(), h.edge, &*h.measured))
        .collect();
    assert_eq!(
        cost,
        [
            (Status::Firing, "run_cost2", false, "3.5000000000000004"),
            (Status::Quiet, "run_cost1", true, "1.9999999999999998"),
        ]
    );
    assert!(
        only(&evaluation, "H02")
            .what
            .starts_with("amount changed from 40.00 to 45.00, and the key with it: ")
    );
    let drift = only(&evaluation, "H13");
    assert!(
        drift.what.starts_with("Note: a password needs no database to be deleted. Plan \""),
        "{}",
        drift.what
    );
    assert!(
        drift.what.ends_with("drift-judge says diverged (similarity 0.0), the rule table says diverged."),
        "{}",
        drift.what
    );
}

#[test]
fn one_cent_and_one_call_more_are_seen() {
    let cent = changed("hazards", |text| text.replacen("\"2177.10\"", "\"2177.11\"", 1));
    assert_eq!(only(&cent, "H11").measured, "USD 6,531.31");
    let call = changed("hazards", |text| {
        let (before, after) = text.split_once("run_cost1").unwrap();
        format!(
            "{before}run_cost1{}",
            after.replacen("\"tool\":\"list_folder\"", "\"tool\":\"read_file\"", 1)
        )
    });
    let ratios: Vec<&str> =
        call.firing().filter(|h| h.rule.id == "H10").map(|h| h.place.run.as_str()).collect();
    assert_eq!(ratios, ["run_cost1", "run_cost2"]);
}

#[test]
fn runs_in_any_order_give_equal_output() {
    let told = |evaluation: &Evaluation| -> Vec<(&'static str, Status, String, String)> {
        let line = |h: &Hazard| (h.rule.id, h.status, h.what.clone(), h.reason.clone());
        evaluation.hazards.iter().map(line).collect()
    };
    let forward = told(&sample("hazards"));
    let turned = changed("hazards", |text| {
        let mut runs: Vec<Vec<&str>> = Vec::new();
        for line in text.lines() {
            if line.starts_with("{\"event\":\"run_started\"") {
                runs.push(Vec::new());
            }
            runs.last_mut().unwrap().push(line);
        }
        runs.reverse();
        runs.concat().join("\n") + "\n"
    });
    assert_eq!(told(&turned), forward);
}

#[test]
fn two_runs_of_one_agent_name_share_nothing() {
    let storms = |evaluation: &Evaluation| -> Vec<String> {
        evaluation.firing().filter(|h| h.rule.id == "H09").map(|h| h.place.run.clone()).collect()
    };
    assert_eq!(storms(&sample("hazards")), ["run_storm1"]);
    // As one run they would storm.
    let one = changed("hazards", |text| {
        text.replace("run_triage-b", "run_triage-a").replace("\"ticket\":\"T-1b\"", "\"ticket\":\"T-1a\"")
    });
    assert_eq!(storms(&one), ["run_storm1", "run_triage-a"]);
}

#[test]
fn of_the_tests_that_were_wrong_none_fires() {
    let evaluation = sample("tests-as-suspects");
    assert_eq!(fires(&evaluation), []);
    let edge: Vec<(&str, &str)> =
        evaluation.hazards.iter().filter(|h| h.edge).map(|h| (h.rule.id, h.place.run.as_str())).collect();
    assert_eq!(edge, [("H10", "run_dominance")]);
    // The fifth retry, the drop of a table and a baseline for both runs are what these tests were for.
    let fifth = changed("tests-as-suspects", |text| {
        let line = text.lines().find(|line| line.contains("fetch_rate")).unwrap();
        format!("{text}{}\n", line.replacen("step_010", "step_910", 1))
    });
    assert_eq!(fires(&fifth), [("H09", "medium", "run_storm".to_owned())]);
    let dropped = changed("tests-as-suspects", |text| text.replace("search_kb", "delete_kb"));
    // A drop is a write, and nobody recorded it before.
    let found: Vec<(&str, &str)> =
        fires(&dropped).into_iter().map(|(rule, level, _)| (rule, level)).collect();
    assert_eq!(found, [("H08", "high"), ("H13", "note")]);
}

#[test]
fn a_read_back_that_mixes_its_results_is_read_and_told() {
    let evaluation = changed("refunds-2026-11-30", |text| {
        text.replacen("\"result\":\"not_found_not_covering(500 again)\"", "\"result\":\"failed\"", 1)
    });
    let mixed = only(&evaluation, "H23");
    assert_eq!(
        mixed.what,
        "Read-back rb_3 of int_4812 says \"failed\"; read value nothing, expected nothing."
    );
}

fn recount(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recount"));
    command.env_remove("CLICOLOR_FORCE").env("HOME", "/nonexistent").args(args).output().unwrap()
}

fn json(args: &[&str]) -> (Value, i32) {
    let output = recount(args);
    (serde_json::from_slice(&output.stdout).unwrap(), output.status.code().unwrap())
}

#[test]
fn machine_output_has_the_members_of_the_specification() {
    let path = folder("hazards");
    let path = path.to_str().unwrap();
    let (value, exit) = json(&["hazards", path, "--format", "json"]);
    assert_eq!(exit, 0);
    assert_eq!(value["schema"], "recount.hazards.v1");
    assert_eq!(value["now"], "2026-11-30T14:00:00Z");
    assert_eq!((&value["firing"], &value["quieted"]), (&5.into(), &0.into()));
    assert_eq!(value["hazards"].as_array().unwrap().len(), 5);
    let cost = &value["hazards"][4];
    let names: Vec<&str> = cost.as_object().unwrap().keys().map(String::as_str).collect();
    let mut wanted = vec![
        "rule",
        "name",
        "status",
        "level",
        "where",
        "subjects",
        "count",
        "measured",
        "threshold",
        "edge",
        "first_seen",
        "what",
        "why",
        "false_alarm",
        "do",
    ];
    wanted.sort_unstable();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, wanted);
    assert_eq!(cost["name"], "cost dominance");
    assert_eq!(cost["where"], serde_json::json!({"run": "run_cost2", "tool": "read_file"}));
    assert_eq!((&cost["measured"], &cost["threshold"]), (&"3.5000000000000004".into(), &"2".into()));
    let (all, _) = json(&["hazards", path, "--format", "json", "--all"]);
    let listed = all["hazards"].as_array().unwrap();
    let count = |status: &str| listed.iter().filter(|h| h["status"] == status).count() as u64;
    for status in ["firing", "quiet", "not_evaluable"] {
        assert_eq!(all[status].as_u64().unwrap(), count(status), "{status}");
    }
    let (one, _) = json(&["hazards", path, "--format", "json", "--rule", "h09", "--level", "medium"]);
    assert_eq!((&one["firing"], &one["hazards"][0]["rule"]), (&1.into(), &"H09".into()));
}

#[test]
fn a_level_that_is_reached_is_exit_7_where_it_would_be_0() {
    let path = |sample: &str| folder(sample).to_str().unwrap().to_owned();
    let (hazards, refunds, suspects) =
        (path("hazards"), path("refunds-2026-11-30"), path("tests-as-suspects"));
    let exit = |args: &[&str]| recount(args).status.code().unwrap();
    assert_eq!(exit(&["check", &hazards]), 0);
    assert_eq!(exit(&["check", &hazards, "--fail-on", "hazard:high"]), 7);
    assert_eq!(exit(&["check", &suspects, "--fail-on", "hazard:note"]), 0);
    // What is wrong stays what it is.
    assert_eq!(exit(&["check", &refunds, "--fail-on", "hazard:high"]), 1);
    assert_eq!(exit(&["hazards", &hazards]), 0);
    assert_eq!(exit(&["hazards", &hazards, "--fail-on", "hazard:high"]), 7);
    assert_eq!(exit(&["hazards", &hazards, "--rule", "H10", "--fail-on", "hazard:medium"]), 0);
    assert_eq!(exit(&["hazards", &hazards, "--rule", "H25"]), 2);
    assert_eq!(exit(&["check", &hazards, "--fail-on", "high"]), 2);
    let (value, _) = json(&["check", &hazards, "--fail-on", "hazard:high", "--format", "json"]);
    assert_eq!((&value["exit"], &value["result"]), (&7.into(), &"NO VIOLATION OBSERVED".into()));
    let (one, _) = json(&["hazards", &refunds, "--intent", "order:1234", "--format", "json"]);
    // Its own, and the one that its tool has.
    let rules: Vec<&str> =
        one["hazards"].as_array().unwrap().iter().map(|h| h["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["H03", "H12"]);
}

#[test]
fn text_says_what_happened_and_what_to_do() {
    let output = recount(&["hazards", folder("hazards").to_str().unwrap(), "--rule", "H09", "--rule", "H10"]);
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "2 hazards: 1 medium, 1 note; 1 quiet, 0 not evaluable (--all lists them)   clock fixed at 2026-11-30T14:00:00Z\n\
         \n\
         H09  medium  retry storm   run run_storm1   since 09:00:07Z\n\
         \x20 What happened   6 retries in run_storm1: fetch_page 3 and search_notes 3. 5 of them succeeded.\n\
         \x20 Found           6, should be below 5\n\
         \x20 Why it matters  Load, cost and, for tools that do not deduplicate, chances to act twice.\n\
         \x20 False alarm if  never because they succeeded: by design the rule does not look at the success rate.\n\
         \x20 What to do      Ask the sender's owner to limit the calls and to space them.\n\
         \x20 Does not see    repeated calls inside a library or a proxy; the same storm spread over many runs.\n\
         \n\
         H10  note  one tool takes most of the cost   run run_cost2, tool read_file   since 09:40:07Z\n\
         \x20 What happened   read_file has 7 of 9 calls in run_cost2 (77.8 %); ratio 3.5000000000000004, exactly 7/2.\n\
         \x20 Found           3.5000000000000004, should be below 2\n\
         \x20 Why it matters  One tool carries the cost.\n\
         \x20 False alarm if  at the edge: the exact ratio and the one in floating point lie on different sides of the \
         limit.\n\
         \x20 What to do      Look at that tool's loop.\n\
         \x20 Does not see    the price of a call; two tools that share the cost equally.\n\
         \n\
         Almost   H10  1.9999999999999998 is below 2: read_file has 6 of 9 calls in run_cost1 (66.7 %); ratio \
         1.9999999999999998, exactly 2/1.\n\
         \n\
         A hazard explains how it could happen. It does not change what happened.\n"
    );
}

#[test]
fn explain_tells_of_a_rule_with_what_it_does_not_see() {
    let output = recount(&["explain", "h09"]);
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "H09   (hazard: retry storm)\n\
         \x20 In one run, attempts beyond the first of each operation or set of arguments reach the limit.\n\
         \x20 Load, cost and, for tools that do not deduplicate, chances to act twice.\n\
         \x20 Ask the sender's owner to limit the calls and to space them.\n\
         \x20 False alarm if: never because they succeeded: by design the rule does not look at the success rate.\n\
         \x20 Does not see: repeated calls inside a library or a proxy; the same storm spread over many runs.\n\
         \x20 Set in recount.toml: [hazards.H09] retries = 5\n"
    );
    for rule in &RULES {
        assert_eq!(recount(&["explain", rule.id]).status.code(), Some(0), "{}", rule.id);
    }
}

/// `docs/hazards.md`, made from the rules' own texts.
fn document() -> String {
    let mut text = String::from(
        "# Hazards\n\n\
         A hazard is a way of working that leads to double effects. It explains how something could happen and changes no\n\
         verdict; only `--fail-on hazard:LEVEL` makes an exit code of it. This page is made from the rules' own texts.\n\n\
         ```sh\n\
         recount hazards sample-data/hazards\n\
         recount hazards sample-data/hazards --all --format json\n\
         recount check sample-data/hazards --fail-on hazard:high # exit 7\n\
         recount explain H09\n\
         ```\n\n\
         A rule that cannot be looked at is *not evaluable*, once per source or tool, and never counted as quiet. Words in\n\
         braces are filled in. Thresholds stand in `recount.toml` (`[hazards.H09] retries = 5`), own next steps too\n\
         (`[playbook.H03] text, link, owner`), and where goal rules and annotations are (`[hazards] goal_rules, annotations`).\n\n\
         ## Quieting\n\n\
         ```sh\n\
         recount hazards quiet H09 run_storm1 sample-data/hazards --note \"a load test of the search team\" --operator dana\n\
         recount hazards quiet H10 run_cost2 sample-data/hazards --until 24h --note \"the loop is rewritten this week\" --operator dana\n\
         recount hazards unquiet H09 run_storm1 sample-data/hazards --operator dana\n\
         ```\n\n\
         A rule can be made quiet for one subject: a run, an intent (by any of its ids), a tool, a source, or `case` for what\n\
         has none of these. It needs a note and is an entry in the book. Nothing vanishes: it counts as *quieted* and is shown\n\
         with who and why, and it no longer reaches `--fail-on`. It ends by itself at `--until`, and when what is found gets worse\n\
         than what was seen: a higher value or level, or an intent that was not there. A value that cannot be compared counts as\n\
         worse; what only ages (H06) does not. `unquiet` takes it back.\n\n\
         ## Rules\n\n\
         | rule | name | level | thresholds |\n|---|---|---|---|\n",
    );
    for rule in &RULES {
        let keys: Vec<String> = rule.keys.iter().map(|(key, value)| format!("`{key} = {value}`")).collect();
        text.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            rule.id,
            rule.name,
            rule.level.word(),
            keys.join(", ")
        ));
    }
    for rule in &RULES {
        text.push_str(&section(rule));
    }
    text.push_str(
        "\n## When the test is the suspect\n\n\
         Four tests of a detector were wrong while it was right; `sample-data/tests-as-suspects` has them as data.\n\n\
         | case | the test expected | what is true | what was put right |\n|---|---|---|---|\n\
         | cost dominance | 6 calls against 3 fire | the ratio in floating point is 1.9999999999999998 | test at 7 against 2, never at the limit |\n\
         | retry storm | five calls are five retries | the first call is no retry | count what comes after the first |\n\
         | goal drift | a search is drift | looking up how comes before doing | read the note before the verdict |\n\
         | shared baseline | the second run was like the first | both agents have one name, and the baseline was kept by it | key it by run and scenario |\n",
    );
    text
}

fn section(rule: &Rule) -> String {
    let mut text = format!("\n## {} {}\n\n{}\n\n", rule.id, rule.words, rule.fires);
    for (label, words) in [
        ("What happened", rule.what),
        ("Why it matters", rule.why),
        ("False alarm if", rule.unless),
        ("What to do", rule.todo),
        ("Blind spots", rule.blind),
    ] {
        if !words.is_empty() {
            text.push_str(&format!("- **{label}**: {words}\n"));
        }
    }
    text
}

#[test]
fn the_document_is_what_the_rules_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/hazards.md");
    let written = document();
    if std::env::var_os("RECOUNT_DOCS").is_some() {
        std::fs::write(&path, &written).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), written);
}

#[test]
fn arguments_with_their_members_in_another_order_are_the_same() {
    let storm = |count: u32, arguments: [&str; 2]| {
        let call = |no: u32| {
            let arguments = arguments[no as usize % 2];
            format!(
                "{{\"event\":\"attempt\",\"attempt_id\":\"c{no}\",\"run_id\":\"r1\",\"tool\":\"search\",\"payload\":{arguments},\
                 \"sent_at\":\"2026-11-30T09:00:{no:02}.000Z\",\"ended_at\":\"2026-11-30T09:00:{no:02}.500Z\",\"outcome\":\"success\"}}\n"
            )
        };
        let evaluation = changed("hazards", |_| (0..count).map(call).collect());
        evaluation.firing().filter(|h| h.rule.id == "H09").map(|h| h.measured.to_string()).collect::<Vec<_>>()
    };
    let turned = [r#"{"q":"x","z":1}"#, r#"{"z":1.0, "q":"x"}"#];
    assert_eq!((storm(5, turned), storm(6, turned)), (vec![], vec!["5".to_owned()]));
    // Two sets of arguments: four retries of six calls.
    assert_eq!(storm(6, [r#"{"q":"x"}"#, r#"{"q":"y"}"#]), Vec::<String>::new());
}

#[test]
fn a_call_without_a_time_hides_no_time_of_its_run() {
    let call = |no: u32| {
        let time = if no == 3 {
            String::new()
        } else {
            format!(",\"sent_at\":\"2026-11-30T09:00:0{no}Z\",\"ended_at\":\"2026-11-30T09:00:0{no}Z\"")
        };
        format!(
            "{{\"event\":\"attempt\",\"attempt_id\":\"c{no}\",\"operation_id\":\"op_1\",\"run_id\":\"r1\",\"tool\":\"search\"{time},\
             \"outcome\":\"success\"}}\n"
        )
    };
    let evaluation = changed("hazards", |_| (1..=6).map(call).collect());
    assert_eq!(rfc3339(only(&evaluation, "H09").first_seen), "2026-11-30T09:00:01Z");
}

#[test]
fn text_tells_of_so_many_as_were_asked_for_and_counts_the_rest() {
    let hazards = folder("hazards");
    let told = |limit: &str| {
        let args = ["hazards", hazards.to_str().unwrap(), "--rule", "H09", "--rule", "H10", "--limit", limit];
        let text = String::from_utf8(recount(&args).stdout).unwrap();
        (text.matches("What happened").count(), text.contains("\n1 more fires; --limit 0 lists all,"))
    };
    assert_eq!([told("1"), told("2"), told("0")], [(1, true), (2, false), (2, false)]);
}
