use serde_json::Value;

use super::super::out::Out;
use super::super::out::tests::{Kept, printed};
use super::super::sample::{Sample, all};
use super::super::sniffed::{Calls, SniffView};
use super::super::{Only, csv, jsonl, markdown};
use super::*;
use crate::judge::rules::Rule;
use crate::judge::story::samples::{int_9876, t, totals as sums, usd, view};
use crate::judge::view::ResultWord;

fn checked(sample: &Sample) -> Value {
    serde_json::from_str(&printed(|out| check(&sample.report(), 1, out))).unwrap()
}

/// The object of a member, as it was written.
fn members(text: &str) -> Vec<String> {
    let ordered: serde_json::Map<String, Value> = serde_json::from_str(text).unwrap();
    let mut names: Vec<String> = ordered.keys().cloned().collect();
    // serde_json sorts names; the order of the text is what counts.
    names.sort_by_key(|name| text.find(&format!("\"{name}\":")));
    names
}

#[test]
fn a_check_has_the_members_of_the_specification_in_their_order() {
    let sample = all(Sample::refunds());
    let text = printed(|out| check(&sample.report(), 1, out));
    assert!(text.starts_with(
        "{\"schema\":\"recount.check.v1\",\"result\":\"VIOLATION FOUND\",\"exit\":1,\"property\":\"settled\",\
         \"now\":\"2026-11-30T09:14:07Z\",\"clock\":\"fixed\",\"final_by_declaration\":false,\
         \"scope\":{\"from\":\"2026-11-28T08:02:07Z\",\"to\":\"2026-11-30T09:14:07Z\",\"kinds\":[\"comment\",\"refund\"],\
         \"tools\":[\"post_comment\",\"refund_order\"],\"trace_complete\":false,\"filters\":[],\"sentence\":\""
    ));
    let summary = "\"summary\":{\"intents\":52,\"attempts\":61,\"effects\":54,\"rows\":51,\"violations\":3,\"undecided\":6,\
                   \"open\":1,\"clean\":41,\"divergent\":8,\"orphans\":1,\"outside\":5,\"answers_lost\":0,\"overdue\":2,\
                   \"closed\":0,\"unreadable\":{\"trace\":0,\"ledger\":1},\"skipped\":{\"trace\":0,\"ledger\":0},\
                   \"at_risk\":[{\"currency\":\"USD\",\"minor\":47500}],\
                   \"undecided_at_risk\":[{\"currency\":\"USD\",\"minor\":140500}],\
                   \"out_too_much\":[{\"currency\":\"USD\",\"minor\":40000}],\"probably_too_much\":[],\
                   \"may_still_go_out\":[{\"currency\":\"USD\",\"minor\":11750}],\
                   \"owed\":[{\"currency\":\"USD\",\"minor\":90000}],\
                   \"by_verdict\":{\"DUPLICATED\":1,\"LINEAGE_DOUBLE\":1,\"FAILED_BUT_EFFECT\":1}";
    assert!(text.contains(summary), "{text}");
    let payments = "{\"id\":\"payments\",\"what\":\"ledger\",\"format\":\"sqlite\",\"path\":\"payments.db\",\
                    \"meaning\":\"moves_money\",\"copy_of\":null,\"holds\":[\"refund\"],\"role\":\"authority\",\
                    \"read_at\":\"2026-11-30T09:13:58Z\",\"position\":\"rowid 48211\",\"oldest\":\"2026-11-27T17:20:00Z\",\
                    \"newest\":\"2026-11-30T09:13:51Z\",\"covers_from\":\"2026-11-27T17:20:00Z\",\"final\":false,\
                    \"live\":false,\"rows\":{\"read\":49,\"used\":44,\"outside\":3,\"unattributed\":1,\"set_aside\":[],\
                    \"unreadable\":1";
    assert!(text.contains(payments), "{text}");
    let intent = "{\"intent_id\":\"int_9876\",\"handle\":17,\"operation_id\":\"refund:order_1234:request_9876\",\
                  \"kind\":\"refund\",\"business_id\":\"order:1234\",\"party\":\"cust_88\",\"state\":\"confirmed\",\
                  \"state_source\":\"recorded\",\"verdict\":\"DUPLICATED\",\"label\":\"DOUBLE\",\"words\":\"happened twice\",\
                  \"rule\":\"R05\",\"class\":\"violation\",\"severity\":1,\"divergent\":true,\"group\":null,\
                  \"expected\":{\"count_min\":1,\"count_max\":1,\"effective_count\":{\"min\":1,\"max\":1},\
                  \"total\":{\"currency\":\"USD\",\"minor\":20000},\"source\":\"intent_record\"},\
                  \"observed\":{\"gross\":2,\"net\":2,\"totals\":[{\"currency\":\"USD\",\"minor\":40000}],\"unreadable\":0,\
                  \"on_its_way\":0,\"by_source\":[{\"source\":\"payments\",\"count\":2,\
                  \"totals\":[{\"currency\":\"USD\",\"minor\":40000}]},{\"source\":\"books\",\"copy_of\":\"payments\",\
                  \"count\":1,\"totals\":[{\"currency\":\"USD\",\"minor\":20000}]}]},\
                  \"difference\":{\"count\":1,\"totals\":[{\"currency\":\"USD\",\"minor\":20000}]},\
                  \"bounds\":{\"lo\":1,\"hi\":2},\"coverage\":{\"covered\":true,\"reasons\":[],\
                  \"covered_from\":\"2026-11-30T08:42:12Z\"},\"at_risk\":[{\"currency\":\"USD\",\"minor\":20000}],\
                  \"retry_origin\":\"MODEL\",\"attempts\":2,\
                  \"effects\":[{\"id\":\"rfd_a1\",\"source\":\"payments\",\"link\":[\"J1\"],\"in_sources\":1},\
                  {\"id\":\"rfd_b2\",\"source\":\"payments\",\"link\":[\"J1\"],\"in_sources\":1}],\
                  \"unacknowledged_effects\":[\"rfd_a1\"],\"suggestions\":[],\"findings\":[\"SOURCES_DISAGREE\"],\
                  \"owner\":null,\"flags\":[],\"overdue\":false,\"deadline\":null,\"late_seconds\":0,\"disposition\":null,\
                  \"story\":\"Two refunds were committed";
    assert!(text.contains(intent), "{text}");
    assert!(text.contains(
        "\"orphans\":[\n{\"source\":\"payments\",\"effect_id\":\"rf_77\",\"operation_id\":\"refund:order_7777:request_31\",\
         \"class\":\"note\",\"count\":1,\"totals\":[{\"currency\":\"USD\",\"minor\":1500}],\"possible_double\":false"
    ));
    assert!(text.contains(
        "\"groups\":[{\"id\":\"g1\",\"kind\":\"lineage\",\"members\":[\"int_6001\",\"int_6002\"],\
         \"verdict\":\"LINEAGE_DOUBLE\",\"at_risk\":[{\"currency\":\"USD\",\"minor\":20000}]}]"
    ));
    assert!(text.contains(
        "\"problems\":[\n{\"code\":\"UNREADABLE_ROW\",\"source\":\"payments\",\"where\":\"payments.db refunds rowid 48190\",\
         \"what\":\"amount \\\"2OO.00\\\" is not a decimal\",\"bytes\":6,\"affects_result\":true"
    ));
    let order = [
        "schema",
        "result",
        "exit",
        "property",
        "now",
        "clock",
        "final_by_declaration",
        "scope",
        "summary",
        "sources",
        "intents",
        "orphans",
        "groups",
        "problems",
    ];
    let top = members(&text);
    assert_eq!(top.iter().filter(|name| order.contains(&name.as_str())).count(), order.len());
}

#[test]
fn every_form_is_read_back() {
    let sample = all(Sample::refunds());
    let report = sample.report();
    let value = checked(&sample);
    assert_eq!(value["intents"].as_array().unwrap().len(), 7);
    assert_eq!(value["intents"][5]["coverage"]["reasons"][0]["condition"], "C2");
    assert_eq!(value["intents"][4]["flags"][0], "overdue");
    assert_eq!(value["intents"][4]["late_seconds"], 162_716);
    assert_eq!(value["intents"][1]["group"], "g1");
    for line in printed(|out| jsonl::check(&report, 1, out)).lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        assert!(["intent", "orphan", "problem", "summary"].contains(&value["type"].as_str().unwrap()));
    }
    let lines = printed(|out| jsonl::check(&report, 1, out));
    let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["type"], &last["result"], &last["exit"]),
        (&"summary".into(), &"VIOLATION FOUND".into(), &1.into())
    );
    assert_eq!(last["summary"]["intents"], 52);
    assert_eq!(last["sources"].as_array().unwrap().len(), 4);
    let rows: Value = serde_json::from_str(&printed(|out| list(&report, out))).unwrap();
    assert_eq!(rows["schema"], "recount.list.v1");
    assert_eq!(rows["rows"].as_array().unwrap().len(), 7);
    assert_eq!(rows["rows"][1]["members"], serde_json::json!(["int_6001", "int_6002"]));
    let all_sources: Value = serde_json::from_str(&printed(|out| sources(&report, out))).unwrap();
    assert_eq!(all_sources["schema"], "recount.sources.v1");
    assert_eq!(all_sources["sources"][1]["digest"], "sha256:ab12");
    let view = sample.table.views[0].clone();
    let whole: Value = serde_json::from_str(&printed(|out| intent(&report, &view, out))).unwrap();
    assert_eq!(whole["schema"], "recount.intent.v1");
    assert_eq!(whole["attempts"].as_array().unwrap().len(), 2);
    assert_eq!(whole["attempts"][0]["class"], "unknown");
    assert_eq!(whole["effects"].as_array().unwrap().len(), 3);
    assert_eq!(whole["effects"][1]["tied_by"], "receipt");
    assert_eq!(whole["attempts"][0].get("text"), None);
}

#[test]
fn what_was_not_compared_has_no_observation() {
    let mut one = view(Rule::R01);
    one.judgement.not_compared = crate::judge::judgement::NotCompared::NoLedgerForTool;
    let value = checked(&all(Sample::single(one, ResultWord::Inconclusive)));
    assert!(value["intents"][0]["observed"].is_null());
    assert!(value["intents"][0]["difference"].is_null());
}

#[test]
fn amounts_of_every_kind_of_unit() {
    let mut units = Units::default();
    let named = units.intern("IOST");
    let amount = |unit, text: &str| Money { unit, amount: crate::model::money::parse_decimal(text).unwrap() };
    let usd = units.intern("USD");
    let jpy = units.intern("JPY");
    for (value, expected) in [
        (amount(usd, "200"), r#"{"currency":"USD","minor":20000}"#),
        (amount(usd, "-0.05"), r#"{"currency":"USD","minor":-5}"#),
        (amount(jpy, "20000"), r#"{"currency":"JPY","minor":20000}"#),
        (amount(named, "14.0"), r#"{"unit":"IOST","decimal":"14.0"}"#),
        (amount(Unit::UNKNOWN, "200.00"), r#"{"unit":"?","decimal":"200.00"}"#),
        (amount(Unit::NONE, "3"), r#"{"unit":"?","decimal":"3"}"#),
        (amount(usd, "0.005"), r#"{"unit":"USD","decimal":"0.005"}"#),
    ] {
        let mut pen = Pen::new();
        money(&mut pen, &units, value);
        assert_eq!(pen.take(), expected);
    }
}

#[test]
fn texts_are_escaped_and_secrets_left_out() {
    let mut bad = int_9876();
    bad.business_id = "order:\u{1b}[2J\u{202e}\u{9b}".into();
    bad.party = "Ada Lovelace".into();
    bad.attempts[0].text = "password=hunter2hunter2 from ada@example.org".into();
    let mut sample = all(Sample::single(bad, ResultWord::ViolationFound));
    sample.choice.with_text = true;
    let shown = sample.table.views[0].clone();
    let text = printed(|out| {
        check(&sample.report(), 1, out);
        intent(&sample.report(), &shown, out);
        csv::check(&sample.report(), out);
        markdown::check(&sample.report(), out);
    });
    assert!(text.contains("order:\\u001b[2J\\u202e\\u009b"), "{text}");
    assert!(text.chars().all(|c| c == '\n' || crate::text::is_printing(c)));
    for secret in ["hunter2hunter2", "ada@example.org", "Lovelace"] {
        assert!(!text.contains(secret), "{secret}");
    }
}

#[test]
fn only_chooses_intents() {
    for (only, expected) in [
        (Only::Violation, 4),
        (Only::Undecided, 3),
        (Only::Divergent, 5),
        (Only::Loud, 7),
        (Only::Note, 0),
        (Only::All, 7),
    ] {
        let mut sample = Sample::refunds();
        sample.choice.only = only;
        let value = checked(&sample);
        assert_eq!(value["intents"].as_array().unwrap().len(), expected, "{only:?}");
        assert_eq!(value["orphans"].as_array().unwrap().len(), usize::from(only.wants_notes()), "{only:?}");
    }
}

#[test]
fn a_closed_pipe_ends_a_stream_quietly() {
    for after in 0..4 {
        let sample = all(Sample::refunds());
        let kept = Kept::failing(after, std::io::ErrorKind::BrokenPipe);
        let mut out = Out::to(Box::new(kept.clone()));
        check(&sample.report(), 1, &mut out);
        jsonl::check(&sample.report(), 1, &mut out);
        csv::check(&sample.report(), &mut out);
        assert!(out.stopped());
        assert!(out.finish().is_ok());
        assert_eq!(kept.text().lines().count().min(4), after.min(4));
    }
}

#[test]
fn csv_always_has_its_columns_and_guards_formulas() {
    let mut bad = int_9876();
    bad.business_id = "=cmd|' /C calc'!A0".into();
    bad.at_risk = vec![usd("200.00"), crate::judge::story::samples::money("EUR", "1.50")];
    bad.difference = sums(&[usd("-200.00")]);
    let sample = all(Sample::single(bad, ResultWord::ViolationFound));
    let text = printed(|out| csv::check(&sample.report(), out));
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), csv::COLUMNS);
    let row = reader.records().next().unwrap().unwrap();
    let cell =
        |name: &str| row.get(csv::COLUMNS.iter().position(|c| *c == name).unwrap()).unwrap().to_owned();
    assert_eq!(cell("business_id"), "'=cmd|' /C calc'!A0");
    assert_eq!(cell("difference_total"), "-200.00");
    assert_eq!((cell("at_risk"), cell("at_risk_currency")), ("USD 200.00 EUR 1.50".into(), String::new()));
    assert_eq!((cell("observed_total"), cell("observed_currency")), ("400.00".into(), "USD".into()));
    assert_eq!(cell("effects"), "rfd_a1 rfd_b2");
    assert_eq!(cell("unacknowledged_effects"), "rfd_a1");
}

#[test]
fn markdown_is_tables_without_html() {
    let mut sample = Sample::refunds();
    sample.table.views[0].business_id = "<script>|order".into();
    let text = printed(|out| markdown::check(&sample.report(), out));
    assert!(text.starts_with("# VIOLATION FOUND"), "{text}");
    assert!(text.contains("\n| order | what | expected |"), "{text}");
    assert!(!text.contains("<script>"));
    assert_eq!(text.lines().filter(|line| line.starts_with("| ")).count(), 8);
}

#[test]
fn a_file_that_was_looked_at() {
    let seen = SniffView {
        path: "stripe_events.jsonl".into(),
        recognised: true,
        role: "ledger".into(),
        format: "stripe-events".into(),
        framing: "jsonl".into(),
        why: "object is event, type refund.*".into(),
        records: 7,
        used: 5,
        set_aside: vec![("same event again".into(), 1), ("event of the charge, not of a refund".into(), 1)],
        attempts: Calls::default(),
        effects: 4,
        not_effects: 1,
        keys: vec!["3f0c9a52".into()],
        operation_ids: vec!["refund:order_4812:req_9001".into()],
        totals: sums(&[usd("306.00")]),
        first: Some(t("10:00:01")),
        last: Some(t("10:06:40")),
        mapping: vec![("key".into(), "request.idempotency_key".into())],
        ..SniffView::default()
    };
    let mask = Mask::of_book(false, [7; 32]);
    let text = printed(|out| sniff(&seen, &Units::default(), &mask, out));
    assert_eq!(
        text,
        "{\"schema\":\"recount.sniff.v1\",\"path\":\"stripe_events.jsonl\",\"recognised\":true,\"role\":\"ledger\",\
         \"format\":\"stripe-events\",\"framing\":\"jsonl\",\"why\":\"object is event, type refund.*\",\"records\":7,\
         \"used\":5,\"set_aside\":[{\"rule\":\"same event again\",\"records\":1},{\"rule\":\"event of the charge, not of a \
         refund\",\"records\":1}],\"skipped\":0,\"unreadable\":0,\"attempts\":{\"ok\":0,\"ok_reused\":0,\"already\":0,\
         \"fail\":0,\"unknown\":0,\"open\":0},\"reads\":0,\"effects\":4,\"on_its_way\":0,\"not_effects\":1,\"reversals\":0,\
         \"keys\":[\"3f0c9a52\"],\"operation_ids\":[\"refund:order_4812:req_9001\"],\
         \"totals\":[{\"currency\":\"USD\",\"minor\":30600}],\"first\":\"2026-11-30T10:00:01Z\",\
         \"last\":\"2026-11-30T10:06:40Z\",\"mapping\":{\"key\":\"request.idempotency_key\"},\"asks\":[]}\n"
    );
}
