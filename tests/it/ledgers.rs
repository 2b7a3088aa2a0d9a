//! Ledgers of other systems: what is read of each, exactly, and what it says beside a trace (`docs/formats.md`).

mod forms;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use recount::judge::coverage::condition;
use recount::judge::view::IntentView;
use recount::model::row::SourceNo;
use recount::sources::spec::{Column, Filter, SourceSpec, What};
use serde_json::Value;

use crate::world::{World, beside, case, codes, file, loaded, memory, with};

const NOW: &str = "2026-10-05T18:00:00Z";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn data(name: &str) -> PathBuf {
    root().join("tests/it/data/ledgers").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(data(name)).unwrap()
}

fn trace(name: &str) -> SourceSpec {
    file(What::Trace, "trace", &root().join("tests/it/data/traces").join(name))
}

fn ledger(name: &str) -> SourceSpec {
    file(What::Ledger, "ledger", &data(name))
}

fn alone(source: SourceSpec) -> World {
    loaded(case("2026-10-09T18:00:00Z", [source]))
}

/// What is said of a ledger alone: records, what they are, and what the effects add up to.
fn seen(source: SourceSpec) -> String {
    let world = alone(source);
    let view = world.0.sources().remove(0);
    let rows = &view.rows;
    let aside: Vec<String> = rows.set_aside.iter().map(|(rule, count)| format!("{count} {rule}")).collect();
    let aside = if aside.is_empty() { String::new() } else { format!(" ({})", aside.join(", ")) };
    let counts = world.0.effects_of(SourceNo(0));
    format!(
        "{}: {} read, {} skipped, {} unreadable{aside}; {} effects, {} on the way, {} none, {} back; {}",
        view.format,
        rows.read,
        rows.skipped,
        world.0.found[0].tally.problems,
        counts.effects,
        counts.on_its_way,
        counts.not_effects,
        counts.reversals,
        world.totals(&counts.totals)
    )
}

/// Totals of the rows as the source gives them.
fn control(source: SourceSpec) -> String {
    let world = alone(source);
    let view = world.0.sources().remove(0);
    format!("{}; {} without", world.totals(&view.totals), view.no_amount)
}

fn recount(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_recount"));
    command.args(words).current_dir(root()).env("HOME", "/nonexistent").stdin(Stdio::null());
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "XDG_CONFIG_HOME"] {
        command.env_remove(name);
    }
    command
}

fn sniffed(path: &Path) -> Value {
    let output = recount(&["sniff", "--now", "2026-10-09T18:00:00Z", "--format", "json"]).arg(path).output();
    serde_json::from_slice(&output.unwrap().stdout).unwrap()
}

/// File, what is seen in it, and its control totals.
const OWN: [(&str, &str, &str); 23] = [
    (
        "stripe-events.jsonl",
        "stripe-events: 11 read, 1 skipped, 0 unreadable (1 same event again, 1 event of the charge, not of a refund, \
         1 event of the payment intent, not of its charge, 2 another event of the same object); 5 effects, 0 on the way, \
         1 none, 0 back; ISK 1,500, JPY 7,000, USD 432.40",
        "ISK 1,500, JPY 7,000, USD 604.80; 2 without",
    ),
    (
        "stripe-thin.jsonl",
        "stripe-events: 3 read, 1 skipped, 0 unreadable; 2 effects, 0 on the way, 1 none, 0 back; ",
        "; 3 without",
    ),
    (
        "stripe-refunds.json",
        "stripe-list: 6 read, 0 skipped, 0 unreadable; 5 effects, 0 on the way, 1 none, 0 back; JPY 7,000, USD 441.40",
        "JPY 7,000, USD 466.40; 0 without",
    ),
    (
        "stripe-balance.json",
        "stripe-list: 7 read, 0 skipped, 0 unreadable (1 fee, tax or adjustment of the balance, 1 another record of the \
         same object); 4 effects, 0 on the way, 1 none, 0 back; USD 552.40",
        "USD -312.70; 0 without",
    ),
    (
        "stripe-itemized.csv",
        "stripe-csv: 8 read, 0 skipped, 0 unreadable (1 automatic payout of the balance, 1 fee, tax or adjustment of the \
         balance, 1 another row of the same object); 4 effects, 0 on the way, 1 none, 0 back; JPY 7,000, USD 432.40",
        "JPY -7,000, USD -932.70; 0 without",
    ),
    (
        "stripe-payments.csv",
        "stripe-csv: 2 read, 0 skipped, 0 unreadable (2 total of a payment, no single refund); 0 effects, 0 on the way, \
         0 none, 0 back; ",
        "USD 432.40; 0 without",
    ),
    (
        "adyen.csv",
        "adyen: 6 read, 0 skipped, 0 unreadable (1 payout, fee or correction of the balance); 5 effects, 0 on the way, \
         0 none, 0 back; JPY 7,000, USD 632.40",
        "JPY 7,000, USD 1,035.30; 0 without",
    ),
    (
        "paypal.csv",
        "paypal: 5 read, 10 skipped, 0 unreadable (1 fee, transfer or correction of the balance); 4 effects, 0 on the \
         way, 0 none, 0 back; JPY 7,000, USD 322.40",
        "JPY 7,000, USD 323.40; 0 without",
    ),
    (
        "cloudtrail.json",
        "cloudtrail: 5 read, 0 skipped, 0 unreadable (1 same event again, 1 call that only reads); 2 effects, 0 on the \
         way, 1 none, 0 back; ",
        "; 5 without",
    ),
    (
        "cur-legacy.csv",
        "cur: 6 read, 0 skipped, 0 unreadable (1 use without a resource id, 2 tax, fee, credit or discount, no use of a \
         resource, 1 another line of the same resource); 2 effects, 0 on the way, 0 none, 0 back; ",
        "USD -4.7973; 0 without",
    ),
    (
        "cur2.csv",
        "cur: 2 read, 0 skipped, 0 unreadable; 2 effects, 0 on the way, 0 none, 0 back; ",
        "USD 0.0084; 0 without",
    ),
    (
        "ses.jsonl",
        "ses: 8 read, 0 skipped, 0 unreadable (1 same event again, 2 later state of the same mail); 3 effects, 0 on the \
         way, 1 none, 1 back; ",
        "; 8 without",
    ),
    (
        "sendgrid.json",
        "sendgrid: 9 read, 0 skipped, 0 unreadable (1 same event again, 3 later state of the same mail); 3 effects, 0 on \
         the way, 1 none, 1 back; ",
        "; 9 without",
    ),
    (
        "formance.ndjson",
        "formance: 8 read, 0 skipped, 0 unreadable (1 metadata, no movement, 1 same event again); 5 effects, 0 on the \
         way, 0 none, 1 back; EUR 25.00, JPY 7,000, USD 432.40",
        "EUR 50.00, JPY 14,000, USD 432.40; 1 without",
    ),
    (
        "tigerbeetle.jsonl",
        "tigerbeetle: 9 read, 0 skipped, 0 unreadable (1 same event again, 2 later state of the same transfer); 4 \
         effects, 1 on the way, 1 none, 0 back; USD 472.40",
        "EUR 1.00, JPY 1,400, USD 583.60; 0 without",
    ),
    (
        "blnk.json",
        "blnk: 10 read, 0 skipped, 0 unreadable (2 later state of the same transaction); 4 effects, 1 on the way, 2 \
         none, 1 back; JPY 7,000, USD 432.40",
        "JPY 14,000, USD 755.40; 0 without",
    ),
    (
        "hledger.csv",
        "hledger: 11 read, 0 skipped, 0 unreadable (6 other posting of the same transaction); 3 effects, 1 on the way, \
         0 none, 1 back; USD 432.40",
        "USD 0.00; 0 without",
    ),
    (
        "ledger-cli.csv",
        "ledger-cli: 6 read, 0 skipped, 0 unreadable (3 other posting of the same transaction); 2 effects, 1 on the way, \
         0 none, 0 back; USD 122.40",
        "JPY 0, USD 0.00; 0 without",
    ),
    (
        "beancount.csv",
        "beancount: 3 read, 0 skipped, 0 unreadable; 3 effects, 0 on the way, 0 none, 0 back; JPY 7,000, USD 122.40",
        "JPY 7,000, USD 122.40; 0 without",
    ),
    (
        "copy.tsv",
        "pg-copy: 4 read, 0 skipped, 0 unreadable; 3 effects, 1 on the way, 0 none, 0 back; 432.40 ?",
        "445.15 ?; 0 without",
    ),
    (
        "dump.sql",
        "pg-copy: 3 read, 11 skipped, 0 unreadable; 3 effects, 0 on the way, 0 none, 0 back; USD 432.40",
        "USD 432.40; 0 without",
    ),
    (
        "psql.txt",
        "psql: 4 read, 4 skipped, 0 unreadable; 3 effects, 0 on the way, 1 none, 0 back; USD 432.40",
        "JPY 7,000, USD 432.40; 0 without",
    ),
    (
        "psql-expanded.txt",
        "psql: 2 read, 11 skipped, 0 unreadable; 2 effects, 0 on the way, 0 none, 0 back; USD 122.40",
        "USD 122.40; 0 without",
    ),
];

#[test]
fn each_export_gives_exactly_its_effects() {
    for (name, want, totals) in OWN {
        assert_eq!(seen(ledger(name)), want, "{name}");
        assert_eq!(control(ledger(name)), totals, "{name}");
    }
    let csv = "csv: 2 read, 0 skipped, 0 unreadable; 2 effects, 0 on the way, 0 none, 0 back; USD 122.40";
    assert_eq!(seen(ledger("psql.csv")), csv);
}

#[test]
fn what_sniff_says_is_the_same() {
    for (name, want, _) in OWN {
        let seen = sniffed(&data(name));
        let number = |name: &str| seen[name].as_u64().unwrap();
        let aside: u64 =
            seen["set_aside"].as_array().unwrap().iter().map(|rule| rule["records"].as_u64().unwrap()).sum();
        let sum = number("used") + aside + number("skipped") + number("unreadable");
        assert_eq!(number("records"), sum, "{name}");
        let read = number("records") - number("skipped");
        let counts = format!(
            "{} effects, {} on the way, {} none, {} back;",
            number("effects"),
            number("on_its_way"),
            number("not_effects"),
            number("reversals")
        );
        let begins =
            format!("{}: {read} read, {} skipped", seen["format"].as_str().unwrap(), number("skipped"));
        assert!(want.starts_with(&begins) && want.contains(&counts), "{name}: {begins} {counts}");
        assert_eq!(seen["role"], "ledger");
    }
    let events = sniffed(&data("stripe-events.jsonl"));
    assert_eq!(
        events["totals"],
        serde_json::json!([
            {"currency": "ISK", "minor": 1500}, {"currency": "JPY", "minor": 7000}, {"currency": "USD", "minor": 43240}
        ])
    );
    assert_eq!(events["mapping"]["key"], "request.idempotency_key");
    assert_eq!(events["keys"].as_array().unwrap().len(), 4);
    assert_eq!(
        (&events["first"], &events["last"]),
        (&"2026-10-05T11:30:00Z".into(), &"2026-10-05T14:01:35Z".into())
    );
}

/// The shared samples of the same formats, where they lie on this machine.
#[test]
fn shared_samples() {
    for (name, want) in [
        (
            "stripe_events.jsonl",
            "stripe-events: 7 read, 0 skipped, 0 unreadable (1 same event again, 1 event of the charge, not of a refund); 4 effects, 0 on the way, 1 none, 0 back; USD 306.00",
        ),
        (
            "stripe_refunds_list.json",
            "stripe-list: 5 read, 0 skipped, 0 unreadable; 4 effects, 0 on the way, 1 none, 0 back; USD 306.00",
        ),
        (
            "stripe_balance_transactions_list.json",
            "stripe-list: 6 read, 0 skipped, 0 unreadable (1 another record of the same object); 4 effects, 0 on the way, 1 none, 0 back; USD 306.00",
        ),
        (
            "stripe_balance_change_itemized.csv",
            "stripe-csv: 5 read, 0 skipped, 0 unreadable (1 automatic payout of the balance); 4 effects, 0 on the way, 0 none, 0 back; JPY 5,000, USD 291.00",
        ),
        (
            "stripe_dashboard_payments_export.csv",
            "stripe-csv: 3 read, 0 skipped, 0 unreadable (3 total of a payment, no single refund); 0 effects, 0 on the way, 0 none, 0 back; ",
        ),
        (
            "adyen_settlement_details.csv",
            "adyen: 4 read, 0 skipped, 0 unreadable (1 payout, fee or correction of the balance); 3 effects, 0 on the way, 0 none, 0 back; USD 591.00",
        ),
        (
            "paypal_settlement_STL.csv",
            "paypal: 3 read, 9 skipped, 0 unreadable; 3 effects, 0 on the way, 0 none, 0 back; JPY 5,000, USD 91.00",
        ),
        (
            "aws_cloudtrail_records.json",
            "cloudtrail: 3 read, 0 skipped, 0 unreadable; 2 effects, 0 on the way, 1 none, 0 back; ",
        ),
        (
            "aws_cur_legacy.csv",
            "cur: 12 read, 0 skipped, 0 unreadable (2 tax, fee, credit or discount, no use of a resource, 5 another line of the same resource); 5 effects, 0 on the way, 0 none, 0 back; ",
        ),
        ("aws_cur2.csv", "cur: 1 read, 0 skipped, 0 unreadable; 1 effects, 0 on the way, 0 none, 0 back; "),
        (
            "ses_firehose.jsonl",
            "ses: 4 read, 0 skipped, 0 unreadable (1 later state of the same mail); 2 effects, 0 on the way, 0 none, 1 back; ",
        ),
        (
            "sendgrid_events.json",
            "sendgrid: 5 read, 0 skipped, 0 unreadable (1 same event again, 2 later state of the same mail); 2 effects, 0 on the way, 0 none, 0 back; ",
        ),
        (
            "formance_logs_export.ndjson",
            "formance: 5 read, 0 skipped, 0 unreadable; 4 effects, 0 on the way, 0 none, 1 back; JPY 5,000, USD 291.00",
        ),
        (
            "tigerbeetle_cdc.jsonl",
            "tigerbeetle: 3 read, 0 skipped, 0 unreadable; 3 effects, 0 on the way, 0 none, 0 back; USD 291.00",
        ),
        (
            "blnk_transactions.json",
            "blnk: 2 read, 0 skipped, 0 unreadable (1 later state of the same transaction); 1 effects, 0 on the way, 0 none, 0 back; USD 200.00",
        ),
        (
            "hledger_print.csv",
            "hledger: 4 read, 0 skipped, 0 unreadable (2 other posting of the same transaction); 2 effects, 0 on the way, 0 none, 0 back; USD 245.50",
        ),
        (
            "ledger_cli_csv_no_header.csv",
            "ledger-cli: 2 read, 0 skipped, 0 unreadable (1 other posting of the same transaction); 1 effects, 0 on the way, 0 none, 0 back; USD 200.00",
        ),
        (
            "beancount_bean_query.csv",
            "beancount: 2 read, 0 skipped, 0 unreadable; 2 effects, 0 on the way, 0 none, 0 back; USD 245.50",
        ),
        (
            "postgres_copy_refunds.csv",
            "csv: 3 read, 0 skipped, 0 unreadable; 3 effects, 0 on the way, 0 none, 0 back; 291.00 ?",
        ),
    ] {
        if let Some(path) = beside(&format!("formats/{name}")) {
            assert_eq!(seen(file(What::Ledger, "ledger", &path)), want, "{name}");
        }
    }
}

/// What a row is known by, in the words of the case.
fn rows_of(world: &World) -> Vec<String> {
    let mut all: Vec<String> = world
        .views()
        .iter()
        .flat_map(|view| &view.effects)
        .map(|e| format!("{} {} {} {}", e.id, e.external_ref, e.business_id, e.key))
        .collect();
    all.sort();
    all
}

#[test]
fn fields_that_link_a_row() {
    let rows = |name: &str| rows_of(&loaded(case(NOW, [trace("otlp.jsonl"), ledger(name)])));
    let (ka, k1, k2) = (
        "0a6c1f34-aaaa-4d10-9b1c-100000000001",
        "0a6c1f34-b001-4d10-9b1c-100000000002",
        "0a6c1f34-b002-4d10-9b1c-100000000003",
    );
    let stripe = [
        format!("rf_70 txn_rf_70 order:2290 {ka}"),
        format!("rf_81 txn_rf_81 order:7341 {k1}"),
        format!("rf_82 txn_rf_82 order:7341 {k2}"),
    ];
    assert_eq!(rows("stripe-events.jsonl"), stripe);
    let formance = [
        format!("0 rf_70 order:2290 {ka}"),
        format!("1 rf_81 order:7341 {k1}"),
        format!("2 rf_82 order:7341 {k2}"),
    ];
    assert_eq!(rows("formance.ndjson"), formance);
    let blnk =
        [format!("t1  order:2290 {ka}"), format!("t3  order:7341 {k1}"), format!("t4  order:7341 {k2}")];
    assert_eq!(rows("blnk.json"), blnk);
}

/// Values as lines, an array, concatenated, in a list, with a byte order mark or with carriage returns.
#[test]
fn framings() {
    for name in ["stripe-events.jsonl", "tigerbeetle.jsonl", "formance.ndjson", "sendgrid.json", "blnk.json"]
    {
        let text = text(name);
        let values: Vec<Value> = match serde_json::from_str::<Vec<Value>>(&text) {
            Ok(values) => values,
            Err(_) => text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
        };
        let lines = values.iter().map(Value::to_string).collect::<Vec<_>>().join("\n") + "\n";
        let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap();
        let want = seen(ledger(name));
        for (how, text) in [
            ("lines", lines.clone()),
            ("carriage returns", lines.replace('\n', "\r\n")),
            ("array", serde_json::to_string(&values).unwrap()),
            ("concatenated", values.iter().map(pretty).collect::<Vec<_>>().join("\n")),
            ("data", serde_json::json!({ "data": values }).to_string()),
            ("mark", format!("\u{feff}{lines}")),
        ] {
            assert_eq!(seen(memory(What::Ledger, "ledger", &text)), want, "{name} {how}");
        }
    }
    // One value on one line, as an answer is saved, needs no line end.
    let one = text("cloudtrail.json");
    assert!(!one.contains('\n'));
    for name in ["adyen.csv", "hledger.csv", "psql.txt", "paypal.csv", "stripe-payments.csv"] {
        let other = text(name).replace('\n', "\r\n");
        assert_eq!(
            seen(memory(What::Ledger, "ledger", &format!("\u{feff}{other}"))),
            seen(ledger(name)),
            "{name}"
        );
    }
}

#[test]
fn a_damaged_record_costs_itself() {
    let damaged = |name: &str, from: &str, to: &str| {
        let text = text(name);
        assert_eq!(text.matches(from).count(), 1, "{name} {from}");
        let seen = seen(memory(What::Ledger, "ledger", &text.replace(from, to)));
        let (begin, end) = seen.split_once("; ").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        (begin.split(" (").next().unwrap().to_owned(), end)
    };
    for (name, from, to, begin, end) in [
        (
            "stripe-events.jsonl",
            "\"id\": \"evt_60\"",
            "\"id\": \"evt_60",
            "stripe-events: 11 read, 1 skipped, 1 unreadable",
            "4 effects, 0 on the way, 1 none, 0 back; ISK 1,500, USD 432.40",
        ),
        (
            "formance.ndjson",
            "\"id\": 5, \"type\"",
            "\"id\": 5., \"type\"",
            "formance: 8 read, 0 skipped, 1 unreadable",
            "4 effects, 0 on the way, 0 none, 1 back; EUR 25.00, USD 432.40",
        ),
        (
            "adyen.csv",
            "77AA03,Refunded,",
            "77AA03,",
            "adyen: 6 read, 0 skipped, 1 unreadable",
            "4 effects, 0 on the way, 0 none, 0 back; USD 632.40",
        ),
        (
            "psql.txt",
            " rf_82 | 7341     |",
            " rf_82 | 7341     ",
            "psql: 4 read, 4 skipped, 1 unreadable",
            "2 effects, 0 on the way, 1 none, 0 back; USD 371.20",
        ),
        (
            "copy.tsv",
            "rf_81\t7341\t",
            "rf_81\t7341",
            "pg-copy: 4 read, 0 skipped, 1 unreadable",
            "2 effects, 1 on the way, 0 none, 0 back; 371.20 ?",
        ),
        (
            "stripe-itemized.csv",
            "rf_82;-61,20;",
            "rf_82;-61,2x;",
            "stripe-csv: 8 read, 0 skipped, 1 unreadable",
            "3 effects, 0 on the way, 1 none, 0 back; JPY 7,000, USD 371.20",
        ),
    ] {
        assert_eq!(damaged(name, from, to), (begin.to_owned(), end.to_owned()), "{name}");
    }
    // A last line without line end is cut off.
    let lines = text("tigerbeetle.jsonl");
    let cut = seen(memory(What::Ledger, "ledger", lines.trim_end()));
    assert!(cut.contains("1 unreadable") && cut.contains("4 effects, 0 on the way"), "{cut}");
}

/// A lost call whose effect is not there, and a provider that was read until long after it.
fn lost(ledger: SourceSpec) -> World {
    let call = r#"{"tool":"refund_order","operation_id":"refund:order_8118:r1","order_id":"8118","amount":"4.00","currency":"USD","sent_at":"2026-10-05T14:00:40Z","ended_at":"2026-10-05T14:00:45Z","outcome":"timeout"}
"#;
    loaded(case(NOW, [memory(What::Trace, "trace", call), ledger]))
}

#[test]
fn pages_that_are_missing_prove_nothing() {
    let pages = text("stripe-refunds.json");
    let open = pages.replace("\"has_more\": false", "\"has_more\": true");
    let verdict = |text: &str| {
        let world = lost(memory(What::Ledger, "ledger", text));
        (world.views().remove(0).judgement.verdict(), world.0.found[1].incomplete.clone())
    };
    let more = Some("the listing is incomplete: has_more is true".to_owned());
    assert_eq!(verdict(&open), ("UNRESOLVED_UNKNOWN", more));
    // All pages are there.
    assert_eq!(verdict(&pages), ("ABSENT_COVERED", None));
}

#[test]
fn what_a_report_states_is_compared() {
    let said = |text: &str| {
        let world = alone(memory(What::Ledger, "ledger", text));
        let problems: Vec<String> = world.0.problems().into_iter().map(|p| p.what).collect();
        (problems, world.0.found[0].incomplete.clone())
    };
    let report = text("paypal.csv");
    assert_eq!(said(&report), (vec![], None));
    assert_eq!(
        said(&report.replace("\"SF\",\"USD\",20000,12340", "\"SF\",\"USD\",20000,12440")).0,
        ["the report states 12440 debits in USD, its rows add up to 12340"]
    );
    assert_eq!(said(&report.replace("\"SC\",5", "\"SC\",6")).0, ["the section states 6 rows, it lists 5"]);
    let cut = report.split("\"SF\"").next().unwrap();
    assert_eq!(said(cut), (vec![], Some("the report has no footer: rows may be missing".to_owned())));
    let table = text("psql.txt");
    assert_eq!(said(&table.replace("(4 rows)", "(5 rows)")).0, ["the table states 5 rows, it lists 4"]);
    let cut = "no number of rows stands below the table: it may be cut off".to_owned();
    assert_eq!(said(&table.replace("(4 rows)\n", "")), (vec![], Some(cut)));
    let payments = alone(ledger("stripe-payments.csv"));
    let totals = "it has the total of each payment, not its single refunds".to_owned();
    assert_eq!(payments.0.found[0].incomplete, Some(totals));
}

#[test]
fn exponents_are_settings() {
    let totals = |name: &str, overrides: &[(&str, u8)]| {
        let own = overrides.iter().map(|(unit, digits)| ((*unit).to_owned(), *digits)).collect();
        let world = alone(with(ledger(name), |options| options.exponent_override = own));
        world.totals(&world.0.effects_of(SourceNo(0)).totals)
    };
    assert_eq!(totals("paypal.csv", &[("JPY", 2)]), "JPY 70, USD 322.40");
    // What Stripe counts in hundredths, unless the source says otherwise.
    assert_eq!(totals("stripe-events.jsonl", &[("ISK", 0)]), "ISK 150,000, JPY 7,000, USD 432.40");
}

fn column(name: &str) -> Column {
    Column::From { column: name.to_owned(), prefix: None, zone: None, resolution_ms: None }
}

#[test]
fn a_mapping_and_a_filter_name_fields_of_the_source() {
    let linked = |name: &str, path: &str, id: &str| {
        let call = format!(
            "{{\"tool\":\"t\",\"operation_id\":\"{id}\",\"sent_at\":\"2026-10-05T14:00:00Z\",\"outcome\":\"success\"}}\n"
        );
        let mapping = vec![("operation_id".to_owned(), column(path))];
        let source = with(ledger(name), |options| options.columns = mapping);
        let world = loaded(case(NOW, [memory(What::Trace, "trace", &call), source]));
        world.views().remove(0).effects.len()
    };
    assert_eq!(linked("stripe-events.jsonl", "meta.desk", "late"), 4);
    assert_eq!(linked("stripe-events.jsonl", "$.data.object.charge", "ch_7341"), 2);
    assert_eq!(linked("adyen.csv", "Batch Number", "7"), 5);
    assert_eq!(linked("paypal.csv", "Consumer ID", "C7"), 3);
    assert_eq!(linked("copy.tsv", "order_id", "7341"), 2);
    // A filter says which rows are judged.
    let only = Filter::Equals("country".to_owned(), "JP".to_owned());
    let source = with(ledger("stripe-itemized.csv"), |options| options.scope = vec![only]);
    let world = loaded(case(NOW, [trace("otlp.jsonl"), source]));
    let view = world.0.sources().remove(1);
    assert_eq!((view.rows.unattributed, world.0.apart.unattributed), (1, 1));
}

/// Books beside the provider whose effects they copy.
fn beside_books(call: SourceSpec, provider: SourceSpec) -> World {
    let provider = SourceSpec { id: "provider".to_owned(), ..provider };
    let provider = with(provider, |options| options.moves_money = Some(true));
    let books = SourceSpec { id: "books".to_owned(), ..ledger("books.csv") };
    let books = with(books, |options| options.copy_of = Some("provider".to_owned()));
    loaded(case(NOW, [call, provider, books]))
}

fn told(view: &IntentView) -> (&'static str, u32, u32, bool) {
    let disagree = codes(&view.judgement).contains(&"SOURCES_DISAGREE");
    let sources = view.effects.iter().map(|e| e.in_sources).max().unwrap_or_default();
    (view.judgement.verdict(), view.judgement.gross, sources, disagree)
}

#[test]
fn own_books_beside_the_provider_never_double() {
    let of = |world: &World, order: &str| {
        let all: Vec<IntentView> = world
            .views()
            .into_iter()
            .filter(|view| view.business_id == order && view.attempts.len() > 1)
            .collect();
        told(all.first().unwrap())
    };
    for provider in
        ["stripe-refunds.json", "stripe-events.jsonl", "stripe-balance.json", "stripe-itemized.csv"]
    {
        // The provider paid twice, the books have one.
        let world = beside_books(trace("mcp.jsonl"), ledger(provider));
        assert_eq!(of(&world, "order:7341"), ("DUPLICATED", 2, 2, true), "{provider}");
        // Both have the one of this order.
        let world = beside_books(trace("otlp.jsonl"), ledger(provider));
        assert_eq!(of(&world, "order:2290"), ("MATCHED", 1, 2, false), "{provider}");
    }
    // The books have it, the provider does not: an absence comes from where the money moves, read long enough.
    let call = r#"{"tool":"refund_order","operation_id":"refund:order_8118:r1","order_id":"8118","amount":"4.00","currency":"USD","sent_at":"2026-10-05T14:04:58Z","ended_at":"2026-10-05T14:05:02Z","outcome":"success","refund_id":"rf_77"}
"#;
    let call = || memory(What::Trace, "trace", call);
    let world = beside_books(call(), ledger("stripe-refunds.json"));
    assert_eq!(told(&world.views()[0]), ("MISSING", 0, 1, true));
    let pages = text("stripe-refunds.json");
    let open = pages.replace("\"has_more\": false", "\"has_more\": true");
    let world = beside_books(call(), memory(What::Ledger, "provider", &open));
    assert_eq!(told(&world.views()[0]).1, 0);
    assert_ne!(told(&world.views()[0]).0, "MISSING");
    // A settlement report alone proves no absence either.
    let judgement = lost(ledger("adyen.csv")).views().remove(0).judgement;
    assert!(judgement.uncovered & condition::C3 != 0 && !judgement.covered);
}

#[test]
fn the_parts_of_every_ledger_add_up() {
    for (name, _, _) in OWN {
        let world = loaded(case(NOW, [trace("otlp.jsonl"), ledger(name)]));
        let view = world.0.sources().into_iter().find(|view| view.id == "ledger").unwrap();
        let rows = &view.rows;
        let aside: u64 = rows.set_aside.iter().map(|(_, count)| count).sum();
        let sum = rows.used + rows.outside + rows.unattributed + aside + rows.unreadable;
        assert_eq!(rows.read, sum, "{name}");
        let totals: u64 = view.by_unit.iter().map(|(_, count)| count).sum();
        assert_eq!(totals + view.no_amount + rows.unreadable, rows.read, "{name}");
        let rules = recount::sources::ledger::table::ledgered(&view.format).unwrap().rules;
        assert!(rules.iter().all(|rule| view.notes.iter().any(|note| note == rule)), "{name}");
    }
}

/// Rows of the tables in `docs/formats.md` with so many columns.
fn page(columns: usize) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root().join("docs/formats.md")).unwrap();
    text.lines()
        .filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"))
        .map(|line| format!("`{line}").split(" | ").map(|cell| cell.trim_matches('`').to_owned()).collect())
        .filter(|row: &Vec<String>| row.len() == columns)
        .collect()
}

#[test]
fn the_commands_of_the_page_open_their_files() {
    let rows = page(6);
    let named: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    for format in recount::sources::ledger::table::LEDGERS {
        assert!(named.contains(&format.name), "{} is not on the page", format.name);
    }
    for row in rows {
        let words: Vec<&str> = row[4].split_whitespace().collect();
        assert_eq!(words[0], "recount", "{row:?}");
        let output = recount(&words[1..]).output().unwrap();
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(
            output.status.code().map(|code| code.to_string()).as_ref(),
            Some(&row[5]),
            "{row:?}: {shown}"
        );
        let path = words.last().unwrap();
        assert_eq!(sniffed(&root().join(path))["format"], row[0].as_str(), "{path}");
    }
}

/// The doubled operation of a trace and a ledger: by the order, or by the operation id.
#[test]
fn the_pairs_of_the_page() {
    let rows = page(3);
    assert!(rows.len() > 40);
    for row in rows {
        let (calls, ledger) = row[0].split_once("` with `").unwrap();
        let path = |name: &str| root().join("tests/it/data").join(name);
        let world = loaded(case(
            NOW,
            [file(What::Trace, "trace", &path(calls)), file(What::Ledger, "ledger", &path(ledger))],
        ));
        let kind = ["mail", "node", "refund"].into_iter().find(|kind| row[1].contains(kind));
        let double = world.views().into_iter().find(|view| {
            let named = kind.is_some_and(|kind| view.operation_id == format!("{kind}:order_7341:r1"));
            let by_order = kind.is_none() && view.business_id == "order:7341";
            (named || by_order) && view.attempts.iter().filter(|attempt| !attempt.read).count() == 2
        });
        assert_eq!(double.unwrap().judgement.verdict(), row[2], "{row:?}");
    }
}

fn given(text: &str) -> SourceSpec {
    memory(What::Ledger, "ledger", text)
}

/// Rows of COPY without a header: what stands twice in a column is no id, wherever in the source it does.
#[test]
fn a_column_without_a_name_is_an_id_only_where_no_value_is_repeated() {
    let key = "0a6c1f34-cccc-4d10-9b1c-100000000001";
    let row = |first: &str, second: u32| {
        format!("{first}\t{key}\t30.60\tUSD\t2026-10-05 14:01:{second:02}+00\t\\N\n")
    };
    let twice = row("7341", 1) + &row("7341", 10) + &row("8000", 20);
    let three = |sum: &str| {
        format!(
            "pg-copy: 3 read, 0 skipped, 0 unreadable; 3 effects, 0 on the way, 0 none, 0 back; USD {sum}"
        )
    };
    assert_eq!(seen(given(&twice)), three("91.80"));
    assert_eq!(seen(given(&(row("71", 1) + &row("72", 10) + &row("73", 20)))), three("91.80"));
    // Far behind the lines that are looked at for the names.
    let mut many: String = (0..5000).map(|id| row(&format!("rf{id}"), id % 60)).collect();
    many.push_str(&row("rf7", 59));
    let all = "pg-copy: 5001 read, 0 skipped, 0 unreadable; 5001 effects, 0 on the way, 0 none, 0 back; USD 153,030.60";
    assert_eq!(seen(given(&many)), all);
    // One order was paid twice: the double is seen.
    let call = format!(
        "{{\"tool\":\"refund_order\",\"operation_id\":\"op:A\",\"order_id\":\"7341\",\"amount\":\"30.60\",\"currency\":\"USD\",\"idempotency_key\":\"{key}\",\"sent_at\":\"2026-10-05T14:01:00Z\",\"ended_at\":\"2026-10-05T14:01:05Z\",\"outcome\":\"success\"}}\n"
    );
    let world =
        loaded(case(NOW, [memory(What::Trace, "trace", &call), given(&(row("7341", 1) + &row("7341", 10)))]));
    let judgement = &world.views()[0].judgement;
    assert_eq!((judgement.verdict(), judgement.gross), ("DUPLICATED", 2));
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_value() {
    let marked = format!("\u{feff}{}", text("copy.tsv"));
    assert_eq!(seen(given(&marked)), seen(ledger("copy.tsv")));
    let rows = "1\t7341\t30.60\tUSD\t2026-10-05 14:01:01+00\t\\N\n2\t7341\t30.60\tUSD\t2026-10-05 14:01:10+00\t\\N\n";
    let two = "pg-copy: 2 read, 0 skipped, 0 unreadable; 2 effects, 0 on the way, 0 none, 0 back; USD 61.20";
    assert_eq!(seen(given(rows)), two);
    assert_eq!(seen(given(&format!("\u{feff}{rows}"))), two);
}

#[test]
fn a_settlement_without_its_modification_reference_folds_no_rows() {
    let column = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        [&cells[..7], &cells[8..]].concat().join(",") + "\n"
    };
    let without: String = text("adyen.csv").lines().map(column).collect();
    assert_eq!(seen(given(&without)), seen(ledger("adyen.csv")));
    let folder = std::env::temp_dir().join(format!("recount-left-out-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("settlement.csv");
    std::fs::write(&path, &without).unwrap();
    let (told, full) = (sniffed(&path), sniffed(&data("adyen.csv")));
    let note =
        "the column Modification Reference is missing: rows have no id, and each row is an effect by itself";
    let said = |path: &Path| {
        let output = recount(&["sniff"]).arg(path).output().unwrap();
        String::from_utf8_lossy(&output.stdout).contains(note)
    };
    assert_eq!((said(&path), said(&data("adyen.csv"))), (true, false));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(full["mapping"]["effect_id"], "Modification Reference");
    assert_eq!(told["mapping"].get("effect_id"), None);
    assert_eq!(told["mapping"]["business_id"], "Merchant Reference");
    // Refunds whose cell is empty are not one by the payment either.
    let empty = text("adyen.csv").replace("77AB81", "").replace("77AB82", "");
    assert_eq!(seen(given(&empty)), seen(ledger("adyen.csv")));
}

#[test]
fn mails_without_a_message_id_are_as_many_as_were_processed() {
    let event = |name: &str, id: &str, at: u32| {
        format!(
            "{{\"email\":\"a@example.org\",\"timestamp\":{at},\"smtp-id\":\"<one.two@mx>\",\"event\":\"{name}\",\"sg_event_id\":\"{id}\"}}\n"
        )
    };
    let all = event("processed", "e1", 1_788_256_861)
        + &event("delivered", "e2", 1_788_256_862)
        + &event("processed", "e1", 1_788_256_861)
        + &event("processed", "e3", 1_788_256_871)
        + &event("deferred", "e4", 1_788_256_872);
    assert_eq!(
        seen(given(&all)),
        "sendgrid: 5 read, 0 skipped, 0 unreadable (1 same event again, 2 later state of the same mail); 2 effects, 0 on \
         the way, 0 none, 0 back; "
    );
}

/// Postings of hledger with these numbers, codes, accounts and amounts.
fn postings(rows: &[(&str, &str, &str, &str)]) -> String {
    let header = "\"txnidx\",\"date\",\"date2\",\"status\",\"code\",\"description\",\"comment\",\"account\",\"amount\",\"commodity\",\"credit\",\"debit\",\"posting-status\",\"posting-comment\"\n";
    let row = |(number, code, account, amount): &(&str, &str, &str, &str)| {
        format!(
            "\"{number}\",\"2026-10-05\",\"\",\"*\",\"{code}\",\"refund\",\"\",\"{account}\",\"{amount}\",\"USD\",\"\",\"\",\"\",\"\"\n"
        )
    };
    rows.iter().fold(header.to_owned(), |text, one| text + &row(one))
}

#[test]
fn postings_of_one_number_and_another_code_are_another_transaction() {
    let books = postings(&[
        ("1", "rf_1", "expenses:refunds", "20.00"),
        ("1", "rf_1", "assets:bank", "-20.00"),
        ("1", "rf_2", "expenses:refunds", "20.00"),
        ("1", "rf_2", "assets:bank", "-20.00"),
    ]);
    assert_eq!(
        seen(given(&books)),
        "hledger: 4 read, 0 skipped, 0 unreadable (2 other posting of the same transaction); 2 effects, 0 on the way, 0 \
         none, 0 back; USD 40.00"
    );
}

#[test]
fn the_legs_of_a_transaction_are_summed() {
    let books = postings(&[
        ("1", "rf_1", "expenses:refunds", "100.00"),
        ("1", "rf_1", "expenses:refunds", "100.00"),
        ("1", "rf_1", "expenses:fees", "0.50"),
        ("1", "rf_1", "assets:bank", "-200.50"),
    ]);
    assert_eq!(
        seen(given(&books)),
        "hledger: 4 read, 0 skipped, 0 unreadable (3 other posting of the same transaction); 1 effects, 0 on the way, 0 \
         none, 0 back; USD 200.00"
    );
    assert_eq!(control(given(&books)), "USD 0.00; 1 without");
}

#[test]
fn rows_with_ids_of_their_own_are_not_said_to_have_none() {
    let output = recount(&["check", "--now", NOW, "--trace", "tests/it/data/traces/mcp.jsonl", "--ledger"])
        .arg(data("paypal.csv"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let told = "Two rows, one request for order 7341; no row names its call, so which call made which row is not known.";
    assert!(text.contains(told) && !text.contains("has no id"), "{text}");
}

#[test]
fn what_is_seen_and_the_sources_name_the_same_totals() {
    let output = recount(&["sniff", "--now", NOW]).arg(data("adyen.csv")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("  totals     JPY 7,000, USD 632.40\n"), "{text}");
    assert!(text.contains("  all rows   JPY 7,000, USD 1,035.30: "), "{text}");
    assert!(control(ledger("adyen.csv")).starts_with("JPY 7,000, USD 1,035.30; "));
}

/// A ledger in memory, with one of its texts replaced.
fn damaged(name: &str, from: &str, to: &str) -> String {
    let whole = text(name);
    assert!(whole.contains(from), "{name}");
    seen(memory(What::Ledger, "ledger", &whole.replacen(from, to, 1)))
}

#[test]
fn a_damaged_line_costs_one_record_and_makes_none() {
    let zeros = damaged("books.csv", "\n", "\n\0\u{fffd}{{\n");
    assert_eq!(
        zeros,
        "csv: 4 read, 0 skipped, 1 unreadable; 3 effects, 0 on the way, 0 none, 0 back; USD 375.20"
    );
    let quote = damaged(
        "ledger-cli.csv",
        "Bank\",\"$\",\"-61.20\",\"*\",\"\"\n\"2026/10/05\",\"rf_82\"",
        "Bank\",\"$\",\"-61.20\",\"*\",\"\"\n\"\"2026/10/05\",\"rf_82\"",
    );
    assert!(quote.contains("1 unreadable") && quote.contains("; 2 effects, 1 on the way,"), "{quote}");
    assert!(quote.ends_with("USD 122.40"), "{quote}");
    for torn in ["\"-[ RECORD 2 ]", "\0{{"] {
        let record = damaged("psql-expanded.txt", "-[ RECORD 2 ]", torn);
        assert!(record.contains("; 2 effects,") && record.ends_with("USD 122.40"), "{record}");
    }
}
