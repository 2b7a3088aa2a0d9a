use crate::sources::open::{Hints, open};
use crate::sources::recording::{read as read_as, spec};
use crate::sources::spec::{Options, What};

fn words(text: &str) -> Vec<String> {
    read_as(What::Expectations, Options::default(), text).words().into_iter().map(str::to_owned).collect()
}

#[test]
fn lines_with_the_fields_of_recorded_intents() {
    let line = r#"{"intent_id":"int_1","operation_id":"op","kind":"refund","business_id":"order:1","amount":"19.90","currency":"USD","count":1,"relation":"replaces","parent_id":"int_0"}"#;
    let want = "record intent=int_1 op=op kind=refund business=order:1 amount=19.90 currency=USD count=1 parent=int_0 relation=replaces file=yes";
    assert_eq!(words(&format!("{line}\n")), [want]);
    // The event may be named, and a last line needs no end.
    let named = line.replacen('{', r#"{"event":"intent_recorded","#, 1);
    assert_eq!(words(&named), [want]);
    assert_eq!(words(&format!("[{line},{line}]")), [want, want]);
}

#[test]
fn tickets() {
    let text = "ticket,Order ID,amount,currency,count\nT-1,4812,200.00,USD,1\nT-2,4813,about 5,,\nT-3,,7,USD,1\n,,,,\n";
    assert_eq!(
        words(text),
        [
            "record business=order:4812 amount=200.00 currency=USD count=1 file=yes",
            "record business=order:4813 amount=about 5 file=yes",
            "UNREADABLE_LINE it names no operation id, key, business id or intent",
            "skipped blank line",
        ]
    );
    assert_eq!(
        words("key,count_min,count_max,accept\nk,0,2,\"[\"\"5\"\"]\"\n"),
        [r#"record min=0 max=2 accept=["5"] key=k file=yes"#]
    );
    assert_eq!(words("operation_id\nop\n"), ["record op=op file=yes"]);
}

#[test]
fn lines_that_name_nothing() {
    let text = "{\"operation_id\":\"op\"}\n{\"amount\":\"5\"}\n{\"note\":\"x\"}\n# words\n";
    assert_eq!(
        words(text),
        [
            "record op=op file=yes",
            "UNREADABLE_LINE it names no operation id, key, business id or intent",
            "skipped another kind of record",
            "skipped does not begin like a record",
        ]
    );
}

#[test]
fn a_trace_is_no_list_of_expectations() {
    let trace = r#"{"event":"attempt","attempt_id":"a","operation_id":"op"}"#;
    let error =
        open(&spec(What::Expectations, Options::default(), trace.as_bytes()), &Hints::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "source: it holds attempts (a trace), not expectations; give it with --trace"
    );
}

#[test]
fn intent_records_of_an_application_are_not_from_a_file() {
    let options = crate::sources::recording::mapped(&[
        ("intent_id", "id"),
        ("operation_id", "op"),
        ("amount_minor", "amount"),
        ("currency", "cur"),
        ("recorded_at", "created_at"),
    ]);
    let out = read_as(What::Intents, options, "id,op,amount,cur,created_at\ni1,op1,500,EUR,t\n");
    assert_eq!(out.words(), ["record intent=i1 op=op1 amount=500m currency=EUR ts=t"]);
}
