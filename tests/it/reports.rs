//! Cases from public reports: what was called, what took place, what was meant, and what has to be said of it.
//!
//! `data/reports.jsonl` holds their facts in our own fields. A second test runs the cases of the material beside the
//! checkout, where it is there. Others vary ids, amounts, units and the kinds of sources.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use recount::judge::judgement::Class;
use recount::judge::view::IntentView;
use recount::model::ids::Normalise;
use recount::sources::spec::{SourceSpec, ToolSpec, What};

use crate::world::{World, at, beside, case, codes, file, loaded, memory, with};

const DATA: &str = include_str!("data/reports.jsonl");
const NOW: &str = "2027-01-01T00:00:00Z";

/// A report.
#[derive(Clone, Debug)]
struct Report {
    name: String,
    status: String,
    operation: String,
    count: u64,
    total: Option<String>,
    unit: Option<String>,
    above: (i64, Option<String>),
    calls: Vec<Value>,
    rows: Vec<Value>,
    read_at: Option<String>,
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// The project's own file.
fn own() -> Vec<Report> {
    let call = |c: &Value| {
        json!({"sent_at": c["at"], "operation_id": c["operation"], "attempt": c["no"], "tool": c["tool"],
            "arguments": c["with"], "outcome": c["said"]})
    };
    DATA.lines()
        .map(|line| {
            let r: Value = serde_json::from_str(line).unwrap();
            Report {
                name: text(&r["report"]).unwrap(),
                status: text(&r["status"]).unwrap(),
                operation: text(&r["operation"]).unwrap(),
                count: r["wanted"]["count"].as_u64().unwrap(),
                total: text(&r["wanted"]["total"]),
                unit: text(&r["wanted"]["unit"]),
                above: (r["above"]["count"].as_i64().unwrap(), text(&r["above"]["total"])),
                calls: r["calls"].as_array().unwrap().iter().map(call).collect(),
                rows: r["rows"].as_array().unwrap().iter().map(row).collect(),
                read_at: text(&r["read_at"]),
            }
        })
        .collect()
}

/// A row under the well-known names of a ledger.
fn row(r: &Value) -> Value {
    let names = [
        ("row", "effect_id"),
        ("operation", "operation_id"),
        ("amount", "amount"),
        ("unit", "currency"),
        ("at", "committed_at"),
        ("reference", "external_ref"),
        ("key", "idempotency_key"),
        ("kind", "kind"),
        ("reverses", "reverses"),
    ];
    let fields = names.iter().filter(|(ours, _)| !r[ours].is_null());
    Value::Object(fields.map(|(ours, known)| ((*known).to_owned(), r[ours].clone())).collect())
}

/// The cases beside the checkout, records as they stand there.
fn public(lines: &str) -> Vec<Report> {
    lines
        .lines()
        .map(|line| {
            let r: Value = serde_json::from_str(line).unwrap();
            let verdict = text(&r["verdict"]).unwrap();
            Report {
                name: text(&r["id"]).unwrap(),
                status: verdict.split(':').next().unwrap().to_owned(),
                operation: text(&r["intent"]).unwrap(),
                count: r["expected"]["count"].as_u64().unwrap(),
                total: text(&r["expected"]["total"]),
                unit: text(&r["expected"]["currency"]),
                above: (r["excess"]["count"].as_i64().unwrap(), text(&r["excess"]["total"])),
                calls: r["attempts"].as_array().unwrap().clone(),
                rows: r["effects"].as_array().unwrap().clone(),
                read_at: text(&r["ledger_read_at"]),
            }
        })
        .collect()
}

/// How the ledger is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Lines,
    List,
    Csv,
    Sqlite,
}

/// What is asked beside the case itself.
#[derive(Clone, Copy, Default)]
struct Given<'a> {
    form: Option<Form>,
    is_final: bool,
    normalise: &'a [Normalise],
}

fn lines(values: &[Value]) -> String {
    values.iter().fold(String::new(), |mut all, v| {
        writeln!(all, "{v}").unwrap();
        all
    })
}

/// Fields in the order of their first appearance.
fn columns(rows: &[Value]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in rows.iter().flat_map(|r| r.as_object().unwrap().keys()) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn csv_of(rows: &[Value]) -> String {
    let names = columns(rows);
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(&names).unwrap();
    for r in rows {
        out.write_record(names.iter().map(|n| r[n].as_str().unwrap_or_default())).unwrap();
    }
    String::from_utf8(out.into_inner().unwrap()).unwrap()
}

fn database_of(rows: &[Value], folder: &std::path::Path) -> std::path::PathBuf {
    let path = folder.join("ledger.db");
    let db = rusqlite::Connection::open(&path).unwrap();
    let names = columns(rows);
    let declared: Vec<String> = names.iter().map(|n| format!("\"{n}\" TEXT")).collect();
    db.execute_batch(&format!("CREATE TABLE entries (no INTEGER PRIMARY KEY, {})", declared.join(", ")))
        .unwrap();
    let quoted: Vec<String> = names.iter().map(|n| format!("\"{n}\"")).collect();
    let marks: Vec<String> = (1..=names.len()).map(|n| format!("?{n}")).collect();
    let insert = format!("INSERT INTO entries ({}) VALUES ({})", quoted.join(", "), marks.join(", "));
    for r in rows {
        db.execute(&insert, rusqlite::params_from_iter(names.iter().map(|n| r[n].as_str()))).unwrap();
    }
    path
}

fn ledger(rows: &[Value], form: Form, folder: &std::path::Path) -> SourceSpec {
    match form {
        Form::Lines => memory(What::Ledger, "ledger", &lines(rows)),
        Form::List => memory(What::Ledger, "ledger", &Value::from(rows).to_string()),
        Form::Csv => memory(What::Ledger, "ledger", &csv_of(rows)),
        Form::Sqlite => file(What::Ledger, "ledger", &database_of(rows, folder)),
    }
}

/// The report as a case: trace, ledger complete from its beginning, and what was wanted.
fn run(report: &Report, given: Given<'_>) -> World {
    let folder = tempfile::tempdir().unwrap();
    // Without rows there are no columns to declare: such a ledger is an empty list.
    let form = given.form.filter(|_| !report.rows.is_empty()).unwrap_or(Form::Lines);
    let ledger = with(ledger(&report.rows, form, folder.path()), |o| {
        o.covers_from = Some("start".to_owned());
        o.exported_at.clone_from(&report.read_at);
    });
    let mut wanted = Map::new();
    wanted.insert("operation_id".to_owned(), report.operation.clone().into());
    wanted.insert("count".to_owned(), report.count.into());
    for (name, value) in [("amount", &report.total), ("currency", &report.unit)] {
        wanted.extend(value.clone().map(|v| (name.to_owned(), v.into())));
    }
    let mut spec = case(
        NOW,
        [
            memory(What::Trace, "trace", &lines(&report.calls)),
            ledger,
            memory(What::Expectations, "wanted", &lines(&[Value::Object(wanted)])),
        ],
    );
    spec.ledger_final = given.is_final;
    spec.normalise = given.normalise.to_vec();
    loaded(spec)
}

/// The two that are one only after declared steps, by what makes them one.
fn steps(report: &Report) -> &'static [Normalise] {
    let ids = report.rows.iter().filter_map(|r| r["operation_id"].as_str());
    let mut other = ids.filter(|id| *id != report.operation);
    match other.next() {
        Some(id) if id.eq_ignore_ascii_case(&report.operation) => &[Normalise::Uuid],
        Some(id) if id.trim() != id => &[Normalise::Trim, Normalise::CollapseSpace],
        _ => &[],
    }
}

/// Verdicts that a status may have, and whether a listing that is final leaves fewer.
fn allowed(status: &str, is_final: bool) -> &'static [(&'static str, Class)] {
    use Class::{Clean, Undecided, Violation};
    match (status, is_final) {
        ("duplicated", _) => &[("DUPLICATED", Violation)],
        ("ok", _) => &[
            ("MATCHED", Clean),
            ("MATCHED_NOT_SETTLED", Undecided),
            ("HIDDEN_SUCCESS", Clean),
            ("HIDDEN_SUCCESS", Undecided),
        ],
        ("missing", false) => &[
            ("MISSING", Violation),
            ("PARTIAL", Violation),
            ("ABSENT_COVERED", Undecided),
            ("UNVERIFIED_SUCCESS", Undecided),
            ("UNRESOLVED_UNKNOWN", Undecided),
        ],
        ("missing", true) => &[("MISSING", Violation), ("PARTIAL", Violation), ("ABSENT_COVERED", Undecided)],
        ("amount_mismatch", _) => &[("AMOUNT_MISMATCH", Violation)],
        ("currency_mismatch", _) => &[("CURRENCY_MISMATCH", Violation)],
        ("split", _) => &[("COUNT_DIFFERS_TOTAL_EQUAL", Undecided)],
        ("offset", _) => &[("DUPLICATED_REVERSED", Violation)],
        ("reversed", _) => &[("REVERSED", Undecided), ("REVERSAL_MISMATCH", Violation)],
        ("unknown", false) => &[("UNRESOLVED_UNKNOWN", Undecided)],
        ("unknown", true) => &[("ABSENT_COVERED", Undecided)],
        _ => panic!("status {status}"),
    }
}

fn decimal(text: &str) -> (i128, u32) {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    (format!("{whole}{part}").parse().unwrap(), u32::try_from(part.len()).unwrap())
}

fn undecimal(digits: i128, scale: u32) -> String {
    if scale == 0 {
        return digits.to_string();
    }
    let one = 10_i128.pow(scale);
    let sign = if digits < 0 { "-" } else { "" };
    let digits = digits.abs();
    format!("{sign}{}.{:0>width$}", digits / one, digits % one, width = scale as usize)
}

fn plus(a: &str, b: &str) -> String {
    let ((a, s), (b, t)) = (decimal(a), decimal(b));
    let scale = s.max(t);
    undecimal(a * 10_i128.pow(scale - s) + b * 10_i128.pow(scale - t), scale)
}

/// Everything that has to be exact.
fn check(report: &Report, world: &World, view: &IntentView, is_final: bool) {
    let (name, j) = (&report.name, &view.judgement);
    let got = (j.verdict(), j.class);
    assert!(allowed(&report.status, is_final).contains(&got), "{name}: {} cannot be {got:?}", report.status);
    // Expected.
    assert_eq!((u64::from(j.min), u64::from(j.max)), (report.count, report.count), "{name}: expected count");
    let wanted =
        report.total.as_deref().map_or("-".to_owned(), |t| world.shown(t, report.unit.as_deref().unwrap()));
    assert_eq!(world.money(j.expected), wanted, "{name}: expected total");
    // Observed: effects that took place, and their totals after what was taken back.
    let effects = i64::from(j.gross);
    let least = i64::try_from(report.count).unwrap();
    assert_eq!(effects - least, report.above.0, "{name}: observed count");
    assert_eq!(j.count_difference, report.above.0, "{name}: difference of counts");
    match (&report.total, &report.above.1) {
        (None, _) => {
            assert_eq!(world.totals(&view.totals), "", "{name}: no money was named");
            assert_eq!(world.totals(&view.difference), "", "{name}: difference without money");
        }
        (Some(total), Some(above)) => {
            let unit = report.unit.as_deref().unwrap();
            assert_eq!(
                world.totals(&view.totals),
                world.shown(&plus(total, above), unit),
                "{name}: observed total"
            );
            assert_eq!(
                world.totals(&view.difference),
                world.shown(above, unit),
                "{name}: difference of totals"
            );
        }
        // Another currency was paid: each by itself, never added.
        (Some(total), None) => {
            let unit = report.unit.as_deref().unwrap();
            let paid = &report.rows[0];
            let (amount, other) = (paid["amount"].as_str().unwrap(), paid["currency"].as_str().unwrap());
            let mut parts = [(unit, "0"), (other, amount)];
            parts.sort_unstable();
            let all = parts.map(|(u, a)| world.shown(a, u)).join(", ");
            assert_eq!(world.totals(&view.totals), all, "{name}: observed totals");
            let mut parts = [(unit, format!("-{total}")), (other, amount.to_owned())];
            parts.sort_unstable();
            let all = parts.map(|(u, a)| world.shown(&a, u)).join(", ");
            assert_eq!(world.totals(&view.difference), all, "{name}: difference of totals");
        }
    }
    assert_eq!(j.divergent, report.status != "ok", "{name}: divergent");
    // Nothing is set aside on the way: every row and every line is used.
    let summary = world.summary();
    assert_eq!((summary.unreadable_trace, summary.unreadable_ledger), (0, 0), "{name}: all is readable");
}

/// Runs a report with the steps that it needs.
fn run_and_check(report: &Report, form: Form, is_final: bool) {
    let world = run(report, Given { form: Some(form), is_final, normalise: steps(report) });
    let view = world.exactly(&report.operation);
    check(report, &world, &view, is_final);
}

#[test]
fn every_report() {
    let reports = own();
    assert_eq!(reports.len(), 47);
    for report in &reports {
        run_and_check(report, Form::Lines, false);
    }
}

#[test]
fn every_report_final() {
    for report in own() {
        run_and_check(&report, Form::Lines, true);
    }
}

#[test]
fn ledgers_of_every_kind() {
    for report in own() {
        for form in [Form::List, Form::Csv, Form::Sqlite] {
            run_and_check(&report, form, false);
        }
    }
}

/// Without the declared steps the ids stay apart, and it is said that they may be one.
#[test]
fn near_identical_ids_stay_apart() {
    let near: Vec<Report> = own().into_iter().filter(|r| !steps(r).is_empty()).collect();
    assert_eq!(near.len(), 2);
    for report in near {
        let world = run(&report, Given::default());
        let view = world.exactly(&report.operation);
        let j = &view.judgement;
        assert_eq!((j.verdict(), j.class), ("MATCHED", Class::Undecided), "{}", report.name);
        assert_eq!((j.gross, j.max), (1, 1), "{}", report.name);
        assert!(codes(j).contains(&"NEAR_IDENTICAL_ID"), "{}: {:?}", report.name, codes(j));
    }
}

/// A ledger in which nothing stands is read as one, however it is written.
#[test]
fn a_ledger_without_rows() {
    let reports = own();
    let report = reports.iter().find(|r| r.name == "odoo#101243").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute_batch(
        "CREATE TABLE refunds (refund_id TEXT, operation_id TEXT, amount TEXT, created_at TEXT)",
    )
    .unwrap();
    let header = "refund_id,operation_id,amount,currency,created_at\n";
    let written = ["", "\n", "[]", "{\"refunds\": []}", "{\"data\": [], \"has_more\": false}", header];
    let ledgers = written.iter().map(|text| memory(What::Ledger, "ledger", text));
    for ledger in ledgers.chain([file(What::Ledger, "ledger", &path)]) {
        let world = loaded(case(NOW, [memory(What::Trace, "trace", &lines(&report.calls)), ledger]));
        let view = world.exactly(&report.operation);
        assert_eq!((view.judgement.verdict(), view.judgement.gross), ("FAILED_CLEAN", 0));
        assert_eq!(world.summary().unreadable_ledger, 0);
    }
}

/// Digits of ids turned, amounts tripled, units exchanged: nothing hangs on the values.
#[test]
fn other_ids_amounts_and_units() {
    for report in own() {
        let other = varied(&report);
        for form in [Form::Lines, Form::Csv, Form::Sqlite] {
            run_and_check(&other, form, false);
        }
    }
}

fn turned(id: &str) -> String {
    let turn = |c: char| c.to_digit(10).and_then(|d| char::from_digit((d + 3) % 10, 10)).unwrap_or(c);
    id.chars().map(turn).collect()
}

fn tripled(amount: &str) -> String {
    let (digits, scale) = decimal(amount);
    undecimal(digits * 3, scale)
}

/// A unit with as many decimals.
fn exchanged(unit: &str) -> String {
    let other = match unit {
        "USD" => "CHF",
        "EUR" => "PLN",
        "AUD" => "NZD",
        "CAD" => "MXN",
        "INR" => "ZAR",
        "HUF" => "CZK",
        "GBP" => "DKK",
        "SEK" => "NOK",
        "JPY" => "KRW",
        other => return format!("{other}2"),
    };
    other.to_owned()
}

fn varied(report: &Report) -> Report {
    fn change(value: &mut Value) {
        let Some(fields) = value.as_object_mut() else {
            return;
        };
        for (name, field) in fields {
            match (name.as_str(), &*field) {
                (
                    "operation_id" | "effect_id" | "reverses" | "external_ref" | "idempotency_key",
                    Value::String(id),
                ) => {
                    *field = turned(id).into();
                }
                ("amount", Value::String(amount)) => *field = tripled(amount).into(),
                ("amount_minor", Value::Number(n)) => *field = (n.as_i64().unwrap() * 3).into(),
                ("currency", Value::String(unit)) => *field = exchanged(unit).into(),
                ("arguments", _) => change(field),
                _ => {}
            }
        }
    }
    let mut other = report.clone();
    other.operation = turned(&report.operation);
    other.total = report.total.as_deref().map(tripled);
    other.above.1 = report.above.1.as_deref().map(tripled);
    other.unit = report.unit.as_deref().map(exchanged);
    other.calls.iter_mut().chain(&mut other.rows).for_each(change);
    other
}

/// All reports in one trace, one ledger and one file of expectations: none disturbs another. The newest row of the
/// ledger is younger than every call but the last, so that absences are covered.
#[test]
fn all_in_one() {
    let ids = ["operation_id", "effect_id", "reverses", "external_ref", "idempotency_key"];
    let mut reports = own();
    let mut wanted = Vec::new();
    for (no, report) in reports.iter_mut().enumerate() {
        report.operation.insert_str(0, &format!("{no}/"));
        let own = |v: &mut Value| {
            for (name, field) in v.as_object_mut().unwrap() {
                let inner = field.get_mut("idempotency_key");
                let field = if ids.contains(&name.as_str()) { Some(field) } else { inner };
                if let Some(Value::String(id)) = field {
                    id.insert_str(0, &format!("{no}/"));
                }
            }
        };
        report.calls.iter_mut().chain(&mut report.rows).for_each(own);
        wanted.push(json!({"operation_id": report.operation, "count": report.count, "amount": report.total,
            "currency": report.unit}));
    }
    let calls: Vec<Value> = reports.iter().flat_map(|r| r.calls.clone()).collect();
    let mut rows: Vec<Value> = reports.iter().flat_map(|r| r.rows.clone()).collect();
    rows.push(json!({"effect_id": "later", "operation_id": "other", "amount": "1.00", "currency": "USD",
        "committed_at": "2026-12-01T00:00:00Z"}));
    // Several tools, some of which never worked: that all are recorded here has to be said, and so that the ledger holds
    // more kinds than its rows name.
    let mut tools: Vec<&str> = calls.iter().filter_map(|c| c["tool"].as_str()).collect();
    tools.sort_unstable();
    tools.dedup();
    let ledger = with(memory(What::Ledger, "ledger", &lines(&rows)), |o| {
        o.covers_from = Some("start".to_owned());
        o.holds = tools.iter().map(|t| (*t).to_owned()).collect();
    });
    let sources = [
        memory(What::Trace, "trace", &lines(&calls)),
        ledger,
        memory(What::Expectations, "wanted", &lines(&wanted)),
    ];
    let mut spec = case(NOW, sources);
    spec.normalise = [Normalise::Trim, Normalise::CollapseSpace].to_vec();
    let tool = |name: &&str| ToolSpec {
        name: (*name).to_owned(),
        ledger: Some("ledger".to_owned()),
        ..ToolSpec::default()
    };
    spec.tools = tools.iter().map(tool).collect();
    let world = loaded(spec);
    for report in reports.iter().filter(|r| steps(r) != [Normalise::Uuid]) {
        check(report, &world, &world.exactly(&report.operation), true);
    }
    let s = world.summary();
    // Three reports have a second intent: two of equal content, one whose id holds another's, one near-identical.
    assert_eq!((s.intents, s.rows, s.orphans, s.outside), (50, 50, 0, Some(1)));
    assert_eq!(s.effects, rows.iter().filter(|r| r["reverses"].is_null()).count() as u64);
}

/// Where an absence cannot be known yet, it is said from when on.
#[test]
fn an_absence_that_is_not_covered_says_when() {
    let reports = own();
    let report = reports.iter().find(|r| r.status == "unknown").unwrap();
    let world = run(report, Given::default());
    let view = world.exactly(&report.operation);
    // Sent 10:00:00, no end: 30 s timeout, 60 s settle, 3 s for the two clocks.
    assert_eq!(at(view.judgement.covered_from), "2026-07-08T10:01:33.000Z");
}

/// The same through the program: what it prints holds the figures, and where the listing begins.
#[test]
fn through_the_program() {
    let reports = own();
    for (name, verdict, exit) in [
        ("magento2#31104 a", "DUPLICATED", 1),
        ("ledger#1153", "MATCHED", 0),
        ("firefly-iii#4708", "UNVERIFIED_SUCCESS", 3),
    ] {
        let report = reports.iter().find(|r| r.name == name).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| std::fs::write(folder.path().join(file), text).unwrap();
        write("trace.jsonl", &lines(&report.calls));
        write("ledger.csv", &csv_of(&report.rows));
        write(
            "wanted.jsonl",
            &lines(&[json!({"operation_id": report.operation, "count": report.count,
            "amount": report.total, "currency": report.unit})]),
        );
        let run = |format: &str| {
            let output = std::process::Command::new(env!("CARGO_BIN_EXE_recount"))
                .current_dir(folder.path())
                .args([
                    "check",
                    "--trace",
                    "trace.jsonl",
                    "--ledger",
                    "ledger.csv",
                    "--expect",
                    "wanted.jsonl",
                ])
                .args(["--covers-from", "start", "--now", NOW, "--format", format])
                .output()
                .unwrap();
            assert_eq!(
                output.status.code(),
                Some(exit),
                "{name}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            String::from_utf8(output.stdout).unwrap()
        };
        let json: Value = serde_json::from_str(&run("json")).unwrap();
        let intents = json["intents"].as_array().unwrap();
        let intent = intents.iter().find(|i| i["operation_id"] == *report.operation).unwrap();
        assert_eq!(intent["verdict"], verdict, "{name}");
        assert_eq!(intent["difference"]["count"], report.above.0, "{name}");
        let ledger = json["sources"].as_array().unwrap().iter().find(|s| s["what"] == "ledger").unwrap();
        assert_eq!(ledger["covers_from"], "start", "{name}");
        // One intent alone is a block of its own, without the sources.
        let text = run("text");
        assert_eq!(text.contains("taken as complete from its start"), exit != 1, "{name}: {text}");
    }
}

#[test]
fn the_public_file_if_it_is_there() {
    let Some(path) = beside("cases/public-reports.jsonl") else {
        return;
    };
    let reports = public(&std::fs::read_to_string(path).unwrap());
    assert!(!reports.is_empty());
    for report in &reports {
        for form in [Form::Lines, Form::Csv, Form::Sqlite] {
            run_and_check(report, form, false);
        }
        run_and_check(report, Form::Lines, true);
    }
}
