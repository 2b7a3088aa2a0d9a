//! The samples: verdict of every intent and all figures. `data/samples.jsonl` holds what an independent reading of the
//! rules computed from the same files.

use std::path::PathBuf;

use serde_json::Value;

use recount::judge::judgement::AtMostOnce;
use recount::model::money::Totals;
use recount::model::time::{Micros, rfc3339_millis};
use recount::sources::spec::{CaseSpec, Location, What};

use crate::world::{World, case, codes, file, loaded, with};

const FACTS: &str = include_str!("data/samples.jsonl");

fn folder(sample: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("sample-data").join(sample)
}

/// A sample as its `recount.toml` describes it.
fn as_configured(sample: &str) -> CaseSpec {
    let config = recount::config::read(&folder(sample).join("recount.toml")).unwrap();
    recount::config::case::spec(&config).unwrap()
}

/// The sample in one of its variants.
fn spec(sample: &str, variant: &str) -> CaseSpec {
    let folder = folder(sample);
    let other_ledger = |name: &str, exported: &str| {
        let mut spec = as_configured(sample);
        let ledger = spec.sources.iter_mut().find(|s| s.what == What::Ledger).unwrap();
        ledger.location = Location::File(folder.join(name));
        ledger.options.exported_at = Some(exported.to_owned());
        ledger.options.read_at = Some(exported.to_owned());
        spec
    };
    match variant {
        "" | "quiet" => as_configured(sample),
        "early" => other_ledger("ledger-early.csv", "2026-11-30T10:04:00Z"),
        "covering" => other_ledger("ledger-covering.csv", "2026-11-30T10:45:00Z"),
        "cut.jsonl, amounts.csv" => case(
            "2026-11-30T10:30:00Z",
            [
                file(What::Trace, "cut", &folder.join("cut.jsonl")),
                file(What::Ledger, "payments", &folder.join("amounts.csv")),
            ],
        ),
        "two files, --currency USD --zone UTC" => case(
            "2026-11-30T21:20:09Z",
            [
                file(What::Trace, "trace", &folder.join("trace.jsonl")),
                with(file(What::Ledger, "payments", &folder.join("refunds.csv")), |o| {
                    o.currency = Some("USD".to_owned());
                    o.zone = Some("UTC".to_owned());
                }),
            ],
        ),
        other => panic!("variant {other}"),
    }
}

fn facts() -> Vec<(String, Value)> {
    let name = |f: &Value| format!("{} {}", f["sample"].as_str().unwrap(), f["variant"].as_str().unwrap());
    let all = FACTS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.map(|f| (name(&f).trim().to_owned(), f)).collect()
}

fn world(fact: &Value) -> World {
    let mut spec = spec(fact["sample"].as_str().unwrap(), fact["variant"].as_str().unwrap());
    spec.now = Some(fact["now"].as_str().unwrap().to_owned());
    loaded(spec)
}

/// `11-30 08:42:01.431`, as the facts write times.
fn short(time: Micros) -> String {
    if time == Micros::NONE {
        return String::new();
    }
    rfc3339_millis(time).chars().skip(5).take(18).collect::<String>().replace('T', " ")
}

#[test]
fn figures() {
    for (name, fact) in facts() {
        let world = world(&fact);
        let s = world.summary();
        assert_eq!(
            (s.result.words(), u64::from(s.result.exit())),
            (fact["result"].as_str().unwrap(), fact["exit"].as_u64().unwrap()),
            "{name}"
        );
        let number = |field: &str| fact["figures"][field].as_u64().unwrap();
        for (field, value) in [
            ("intents", s.intents),
            ("write attempts", s.attempts),
            ("list rows", s.rows),
            ("violation", s.violations),
            ("undecided", s.undecided),
            ("open", s.open),
            ("clean", s.clean),
            ("overdue", s.overdue),
            ("orphans", s.orphans),
            ("outside", s.outside.unwrap()),
            ("skipped", s.skipped_trace + s.skipped_ledger),
        ] {
            assert_eq!(value, number(field), "{name}: {field}");
        }
        let totals: [(&str, &Totals); 6] = [
            ("at_risk", &s.at_risk),
            ("undecided_at_risk", &s.undecided_at_risk),
            ("out_too_much", &s.out_too_much),
            ("probably_too_much", &s.probably_too_much),
            ("may_still_go_out", &s.may_still_go_out),
            ("owed", &s.owed),
        ];
        for (field, value) in totals {
            assert_eq!(world.totals(value), fact["figures"][field].as_str().unwrap(), "{name}: {field}");
        }
        let verdicts: Vec<(String, u64)> = s.by_verdict.iter().map(|(v, n)| ((*v).to_owned(), *n)).collect();
        let mut wanted: Vec<(String, u64)> = fact["verdicts"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(v, n)| (v.clone(), n.as_u64().unwrap()))
            .collect();
        wanted.sort();
        let matched = s.intents - verdicts.iter().map(|(_, n)| n).sum::<u64>();
        // Clean intents are counted, not listed by verdict.
        let clean = ["MATCHED", "FAILED_CLEAN", "HIDDEN_SUCCESS"];
        let loud: Vec<&(String, u64)> = wanted.iter().filter(|(v, _)| !clean.contains(&v.as_str())).collect();
        for want in loud {
            assert!(verdicts.contains(want), "{name}: {want:?} in {verdicts:?}");
        }
        assert!(matched <= wanted.iter().filter(|(v, _)| clean.contains(&v.as_str())).map(|(_, n)| n).sum());
    }
}

#[test]
fn sources_and_problems() {
    for (name, fact) in facts() {
        let world = world(&fact);
        let sources = world.0.sources();
        for (id, counts) in fact["sources"].as_object().unwrap() {
            let source = sources.iter().find(|s| s.id == *id).unwrap_or_else(|| panic!("{name}: no {id}"));
            let rows = &source.rows;
            let got = [rows.read, rows.unreadable, rows.unattributed, rows.outside];
            let want = [0, 2, 3, 4].map(|at| counts[at].as_u64().unwrap());
            assert_eq!(got, want, "{name}: {id}");
            // Rows that may be an intent's are used too.
            let aside: u64 = rows.set_aside.iter().map(|(_, n)| n).sum();
            assert_eq!(rows.used + aside, want[0] - want[1] - want[2] - want[3], "{name}: {id}");
            assert!(rows.used >= counts[1].as_u64().unwrap(), "{name}: {id}");
            // The listing begins where it was declared to, else with its first row.
            let begins = [source.oldest, source.covers_from].map(|t| t.map_or(String::new(), short));
            assert!(begins.contains(&counts[5].as_str().unwrap().to_owned()), "{name}: {id} {begins:?}");
            assert_eq!(short(source.newest.unwrap()), counts[6].as_str().unwrap(), "{name}: {id}");
        }
        let affects = world.0.problems().iter().filter(|p| p.affects_result).count() as u64;
        assert_eq!(affects, fact["problems"].as_u64().unwrap(), "{name}: {:?}", world.0.problems());
    }
}

#[test]
fn every_intent() {
    for (name, fact) in facts() {
        let world = world(&fact);
        let views = world.views();
        for want in fact["intents"].as_array().unwrap() {
            let text = |field: &str| want[field].as_str().unwrap_or_else(|| panic!("{field} of {want}"));
            let id = text("intent");
            let name = format!("{name}: {id}");
            let view =
                views.iter().find(|v| v.intent_id == id).unwrap_or_else(|| panic!("{name} is not there"));
            let j = &view.judgement;
            assert_eq!(
                (j.rule.number(), j.verdict(), j.class.word()),
                (text("rule"), text("verdict"), text("class")),
                "{name}"
            );
            assert_eq!(view.business_id, text("business"), "{name}");
            let state = j.state.map_or("none", recount::model::row::State::word);
            assert_eq!(
                (state, j.state_recorded),
                (text("state"), want["recorded"].as_bool().unwrap()),
                "{name}"
            );
            assert_eq!(
                (u64::from(j.lo), u64::from(j.hi_uncapped)),
                (want["lo"].as_u64().unwrap(), want["hi"].as_u64().unwrap()),
                "{name}: bounds"
            );
            assert_eq!(u64::from(j.gross), want["there"].as_u64().unwrap(), "{name}: gross");
            if let Some(total) = want["total"].as_str() {
                assert_eq!(world.totals(&view.totals), total, "{name}: observed");
            }
            let risk = view.at_risk.iter().filter(|m| !m.amount.is_zero()).copied().collect::<Vec<_>>();
            match want["risk"].as_str() {
                Some(amount) => assert_eq!(world.moneys(&risk), amount, "{name}: at risk"),
                None => assert!(j.risk.is_none(), "{name}: no amount is known"),
            }
            // The facts take the listings alone; a read-back that shows the effect is another sign (C7).
            let read_back = ("C7", "something else suggests that it happened: a read-back".to_owned());
            let covered = j.covered || view.uncovered == [read_back];
            assert_eq!(covered, want["covered"].as_bool().unwrap(), "{name}: covered, {:?}", view.uncovered);
            assert_eq!(short(j.covered_from), text("from"), "{name}: covered from");
            for finding in want["findings"].as_array().unwrap() {
                let (code, number) = match finding.as_str().unwrap().split_once('(') {
                    Some((code, number)) => (code, Some(number.trim_end_matches(')'))),
                    None => (finding.as_str().unwrap(), None),
                };
                assert!(codes(j).contains(&code), "{name}: {code} in {:?}", codes(j));
                if let Some(number) = number {
                    let told = view.finding_detail.iter().find(|(c, _)| *c == code).map(|(_, n)| n.as_str());
                    assert_eq!(told, Some(number), "{name}: {code}");
                }
            }
        }
    }
}

/// What only one sample shows.
#[test]
fn beyond_the_tables() {
    let world = |sample: &str| loaded(as_configured(sample));
    let order: Vec<String> =
        world("refunds-2026-11-30").views().iter().take(11).map(|v| v.intent_id.clone()).collect();
    assert_eq!(
        order,
        [
            "int_9876", "int_6001", "int_6002", "int_5002", "int_4812", "int_4920", "int_4813", "int_4977",
            "int_4814", "int_9001", "int_5100"
        ]
    );
    let refunds = world("refunds-2026-11-30").summary();
    assert_eq!((refunds.effects, refunds.divergent, refunds.answers_lost), (54, 8, 0));
    assert_eq!(
        (short(refunds.first).as_str(), short(refunds.last).as_str()),
        ("11-30 08:12:44.102", "11-30 08:50:31.640")
    );

    let no_ids = world("no-ids");
    assert_eq!(no_ids.views()[0].business_id, "order:5531");
    let s = no_ids.summary();
    assert_eq!(
        s.not_compared.iter().map(|(code, n, _)| (*code, *n)).collect::<Vec<_>>(),
        [("no_ledger_for_tool", 412), ("older_than_ledger", 38)]
    );
    assert_eq!((no_ids.totals(&s.orphan_totals).as_str(), s.answers_lost), ("USD 211.40", 9));
    let double: Vec<_> = no_ids.0.orphans().into_iter().filter(|o| o.possible_double).collect();
    assert_eq!(double.len(), 1);
    assert_eq!((double[0].count, no_ids.totals(&double[0].totals)), (2, "USD 80.00".to_owned()));
    let mut linked = as_configured("no-ids");
    linked.join = vec!["business_id".to_owned()];
    let linked = loaded(linked);
    assert_eq!((linked.verdict("order:5531"), linked.result().1), ("DUPLICATED", 1));

    let severities: Vec<u8> = ["int_6101", "int_5310", "int_6140", "int_6110", "int_6120"]
        .iter()
        .map(|id| world("on-its-way").exactly(id).judgement.severity)
        .collect();
    assert_eq!(severities, [1, 2, 2, 3, 3]);

    for (sample, held) in [
        ("normal", AtMostOnce::Held),
        ("neutral", AtMostOnce::Held),
        ("idempotent", AtMostOnce::Held),
        ("double-refund", AtMostOnce::Violated),
    ] {
        assert_eq!(world(sample).views()[0].judgement.at_most_once, held, "{sample}");
    }
    let doubled = world("double-refund").views()[0].judgement;
    assert_eq!(doubled.origin.word(), Some("SCRIPT"));
}
