use crate::model::row::SourceNo;
use crate::sources::open::{Hints, open};
use crate::sources::recording::{Recording, spec};
use crate::sources::spec::{Options, What};

fn read(text: &str) -> (Vec<String>, Option<String>) {
    let opened = open(&spec(What::Ledger, Options::default(), text.as_bytes()), &Hints::default()).unwrap();
    assert_eq!(opened.format, "experiment-effects");
    let mut out = Recording::default();
    let finished = opened.read_all(SourceNo(0), &std::sync::Arc::default(), &mut out).unwrap();
    (out.words().into_iter().map(str::to_owned).collect(), finished.incomplete)
}

fn file(initial: &str, count: u32, cents: u32, rows: &str, more: &str) -> String {
    format!(
        r#"{{"schema_version":1,"initial":{{"order_id":"77",{initial}}},"final":{{"order_id":"77","refund_count":{count},"refunded_cents":{cents},"refunds":[{rows}]}}{more}}}"#
    )
}

const NOTHING: &str = r#""refund_count":0,"refunded_cents":0"#;

#[test]
fn new_rows_belong_to_the_run() {
    let rows = r#"{"amount_cents":1250,"refund_id":"rf_1"},{"amount_cents":1250,"operation_id":"op","refund_id":"rf_2"}"#;
    let want = [
        "effect id=rf_1 business=order:77 amount=1250m currency=USD kind=refund of_run=yes",
        "effect id=rf_2 op=op business=order:77 amount=1250m currency=USD kind=refund of_run=yes",
    ];
    // Neither the published verdict, nor the marker of the fault, nor a receipt says anything.
    for more in [
        "",
        r#","verdict":"VIOLATION FOUND","fault_marker":{"refund_id":"rf_9","committed":true}"#,
        r#","verdict":"NO VIOLATION OBSERVED","idempotency_receipt":{"refund_id":"rf_8","amount_cents":5}"#,
    ] {
        assert_eq!(read(&file(NOTHING, 2, 2500, rows, more)), (want.map(str::to_owned).to_vec(), None));
    }
}

#[test]
fn rows_of_before_are_not_the_run_s() {
    let rows = r#"{"amount_cents":100,"refund_id":"old"},{"amount_cents":200,"refund_id":"new"}"#;
    let listed =
        r#""refund_count":1,"refunded_cents":100,"refunds":[{"refund_id":"old","amount_cents":100}]"#;
    let (words, _) = read(&file(listed, 2, 300, rows, ""));
    assert_eq!(words.iter().map(|line| line.ends_with("of_run=yes")).collect::<Vec<_>>(), [false, true]);
    // Counted and not listed: nobody knows which rows are new.
    for unlisted in [r#""refund_count":1,"refunded_cents":100"#, r#""refunded_cents":100"#] {
        let (words, _) = read(&file(unlisted, 2, 300, rows, ""));
        assert!(words.iter().all(|line| !line.ends_with("of_run=yes")), "{unlisted}");
    }
}

#[test]
fn control_totals_that_differ_are_a_problem() {
    let row = r#"{"amount_cents":1250,"refund_id":"rf_1"}"#;
    let total = "the file states refunded_cents 2500, its rows add up to 1250";
    let (words, incomplete) = read(&file(NOTHING, 1, 2500, row, ""));
    assert_eq!(words.last().map(String::as_str), Some(format!("CONTROL_TOTAL_DIFFERS {total}").as_str()));
    assert_eq!(incomplete.as_deref(), Some(total));
    let (words, incomplete) = read(&file(NOTHING, 2, 1250, row, ""));
    assert_eq!(
        words.last().map(String::as_str),
        Some("CONTROL_TOTAL_DIFFERS the file states refund_count 2, it lists 1 rows")
    );
    assert!(incomplete.is_some());
    // An amount that cannot be read is reported where amounts are read, not as a total.
    let (words, incomplete) =
        read(&file(NOTHING, 1, 2500, r#"{"amount_cents":"12OO","refund_id":"rf_1"}"#, ""));
    assert_eq!(words, ["effect id=rf_1 business=order:77 amount=12OOm currency=USD kind=refund of_run=yes"]);
    assert_eq!(incomplete, None);
}

#[test]
fn files_that_lack_what_matters() {
    let (words, incomplete) = read(r#"{"initial":{"refund_count":0},"final":{"refund_count":1}}"#);
    assert_eq!(words, ["UNREADABLE_ROW there is no list `final.refunds` in it"]);
    assert!(incomplete.is_some());
    let (words, _) = read(&file(NOTHING, 1, 5, r#"{"amount_cents":5,"amount_cents":6}"#, ""));
    assert!(words[0].starts_with("UNREADABLE_ROW key given twice: \"amount_cents\""), "{}", words[0]);
    let (words, _) = read(&file(NOTHING, 1, 5, r#"{"amount_cents":5}"#, ""));
    assert_eq!(words, ["effect business=order:77 amount=5m currency=USD kind=refund whole=yes of_run=yes"]);
}

#[test]
fn places_are_those_of_the_rows() {
    let text = file(NOTHING, 1, 5, r#"{"amount_cents":5,"refund_id":"rf"}"#, "");
    let opened = open(&spec(What::Ledger, Options::default(), text.as_bytes()), &Hints::default()).unwrap();
    let mut out = Recording::default();
    opened.read_all(SourceNo(0), &std::sync::Arc::default(), &mut out).unwrap();
    let place = out.places()[0];
    assert_eq!(opened.raw(place).unwrap().whole, r#"{"amount_cents":5,"refund_id":"rf"}"#);
    assert_eq!(opened.fields(place).unwrap()[1], ("refund_id".to_owned(), "rf".to_owned()));
}
