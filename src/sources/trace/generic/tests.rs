use crate::sources::open::{Hints, open};
use crate::sources::recording::{mapped, read as read_as, spec};
use crate::sources::spec::{Column, Options, What};

fn words(text: &str) -> Vec<String> {
    words_of(Options::default(), text)
}

fn words_of(options: Options, text: &str) -> Vec<String> {
    read_as(What::Trace, options, text).words().into_iter().map(str::to_owned).collect()
}

#[test]
fn well_known_names_are_found() {
    let line = r#"{"ts":"t0","operation_id":"op","attempt_id":"at-000","attempt":1,"decision_id":"d","tool":"refund_order","arguments":{"order_id":"7001","amount":"20.00","currency":"USD","customer":"c1"},"idempotency_key":"ik","started_at":"t1","finished_at":"t2","outcome":"success","receipt":"rf_1"}"#;
    assert_eq!(
        words(&format!("{line}\n")),
        [
            r#"attempt id=at-000 op=op key=ik decision=d tool=refund_order business=order:7001 party=c1 amount=20.00 currency=USD payload={"order_id":"7001","amount":"20.00","currency":"USD","customer":"c1"} sent=t1 ended=t2 outcome=success receipt=rf_1 named=yes"#
        ]
    );
}

#[test]
fn an_attempt_number_is_never_an_id() {
    for (line, want) in [
        (r#"{"tool":"t","attempt":2,"outcome":"ok"}"#, "attempt tool=t outcome=ok"),
        (r#"{"tool":"t","call_id":"c9"}"#, "attempt id=c9 tool=t"),
        (r#"{"Tool Name":"t","AttemptId":"a","OUTCOME":"ok"}"#, "attempt id=a tool=t outcome=ok"),
        (
            r#"{"tool":"t","intent_id":"i","session_id":"r","turn":4,"agent":"ag","model":"m"}"#,
            "attempt intent=i run=r agent=ag model=m turn=4 tool=t",
        ),
    ] {
        assert_eq!(words(&format!("{line}\n")), [want], "{line}");
    }
}

#[test]
fn arguments_may_be_a_json_text() {
    for (line, want) in [
        (
            r#"{"tool":"t","args":"{\"order_id\":\"5130\",\"amount\":45.50,\"idempotency_key\":\"k\"}"}"#,
            r#"attempt key=k tool=t business=order:5130 amount=45.50 payload={"order_id":"5130","amount":45.50,"idempotency_key":"k"}"#,
        ),
        (
            r#"{"tool":"t","input":{"refund":{"payment_id":"p","RefundCents":5}}}"#,
            r#"attempt tool=t business=payment:p payload={"refund":{"payment_id":"p","RefundCents":5}}"#,
        ),
        (r#"{"tool":"t","payload":"{broken"}"#, r#"attempt tool=t payload="{broken""#),
        (
            r#"{"tool":"t","order_id":"1","args":{"order_id":"2","amount_minor":"7"}}"#,
            r#"attempt tool=t business=order:1 amount=7m payload={"order_id":"2","amount_minor":"7"}"#,
        ),
    ] {
        assert_eq!(words(&format!("{line}\n")), [want], "{line}");
    }
}

#[test]
fn outcomes_statuses_and_answers() {
    for (line, want) in [
        (r#"{"tool":"t","status":503}"#, "attempt tool=t http=503"),
        (r#"{"tool":"t","status":"200"}"#, "attempt tool=t http=200"),
        (r#"{"tool":"t","status":"99"}"#, "attempt tool=t outcome=99"),
        (r#"{"tool":"t","status":600}"#, "attempt tool=t outcome=600"),
        (
            r#"{"tool":"t","outcome":"failed","error":{"code":"lock_timeout"}}"#,
            "attempt tool=t outcome=failed error=lock_timeout",
        ),
        (
            r#"{"tool":"t","outcome":"failed","error":"no route"}"#,
            "attempt tool=t outcome=failed error=no route",
        ),
        (r#"{"tool":"t","refund_id":"rf"}"#, "attempt tool=t receipt=rf"),
        (r#"{"tool":"t","receipt":null,"result":{"id":"rf"}}"#, "attempt tool=t receipt=rf"),
        (r#"{"tool":"t","response":{"id":"rf","reused":true}}"#, "attempt tool=t receipt=rf reused=yes"),
        (
            r#"{"tool":"t","result":"{\"id\":\"rf\",\"is_error\":false}"}"#,
            "attempt tool=t is_error=no receipt=rf",
        ),
        (
            r#"{"tool":"t","output":"{\"receipt\":\"rf\",\"reused\":true}"}"#,
            "attempt tool=t receipt=rf named=yes reused=yes",
        ),
        (
            r#"{"tool":"t","output":"{\"is_error\":true,\"error\":{\"code\":\"declined\"}}"}"#,
            "attempt tool=t error=declined is_error=yes",
        ),
        (r#"{"tool":"t","isError":true}"#, "attempt tool=t is_error=yes"),
    ] {
        assert_eq!(words(&format!("{line}\n")), [want], "{line}");
    }
}

#[test]
fn what_is_no_attempt() {
    let first = r#"{"tool":"t","attempt_id":"a"}"#;
    for (line, want) in [
        (r#"{"level":"info","msg":"started"}"#, "skipped another kind of record"),
        (r#"{"level":"info","ts":"2026"}"#, "skipped another kind of record"),
        (
            r#"{"operation_id":"op","level":"info"}"#,
            "UNREADABLE_LINE it names an operation but neither tool, attempt, outcome nor a time",
        ),
        (r#"{"operation_id":"op","outcome":"ok"}"#, "attempt op=op outcome=ok"),
    ] {
        assert_eq!(words(&format!("{first}\n{line}\n")), ["attempt id=a tool=t", want], "{line}");
    }
}

#[test]
fn names_that_are_alike_are_not_chosen_between() {
    let line = r#"{"operation_id":"a","Operation-Id":"b","tool":"t"}"#;
    let error = open(&spec(What::Trace, Options::default(), line.as_bytes()), &Hints::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "source: `operation_id` could be any of operation_id, Operation-Id: say which one in the mapping"
    );
    // Behind what was looked at first it costs its line.
    let text = format!("{}{line}\n", "{\"tool\":\"t\"}\n".repeat(70));
    assert_eq!(
        words(&text).last().map(String::as_str),
        Some("UNREADABLE_LINE two names in it could be the operation_id: say which one in the mapping")
    );
}

#[test]
fn arrays_pretty_json_and_envelopes() {
    let one = "attempt id=a tool=t";
    let two = "attempt id=b tool=t";
    for text in [
        r#"[{"tool":"t","attempt_id":"a"},{"tool":"t","attempt_id":"b"}]"#,
        "[\n  {\n    \"tool\": \"t\",\n    \"attempt_id\": \"a\"\n  },\n  {\"tool\":\"t\",\"attempt_id\":\"b\"}\n]\n",
        "{\"tool\":\"t\",\n\"attempt_id\":\"a\"}\n{\"tool\":\"t\",\"attempt_id\":\"b\"}",
        r#"{"data":[{"tool":"t","attempt_id":"a"},{"tool":"t","attempt_id":"b"}],"next":null}"#,
        "\u{feff}{\"tool\":\"t\",\"attempt_id\":\"a\"}\r\n{\"tool\":\"t\",\"attempt_id\":\"b\"}\r\n",
    ] {
        assert_eq!(words(text), [one, two], "{text}");
    }
    let cut = words("[{\"tool\":\"t\",\"attempt_id\":\"a\"},{\"tool\":\"t\",\"attempt");
    assert_eq!(cut[0], one);
    assert!(cut[1].starts_with("UNREADABLE_LINE the value at byte 31 does not end"), "{}", cut[1]);
}

#[test]
fn csv_with_arguments_in_a_cell() {
    let text = "attempt_id,tool,arguments,idempotency_key,started_at,outcome\n\
                a1,refund,\"{\"\"order_id\"\":\"\"1\"\",\"\"amount\"\":\"\"2.00\"\"}\",k1,t1,timeout\n\
                a2,refund,order 5,,t2,\n";
    assert_eq!(
        words(text),
        [
            r#"attempt id=a1 key=k1 tool=refund business=order:1 amount=2.00 payload={"order_id":"1","amount":"2.00"} sent=t1 outcome=timeout"#,
            r#"attempt id=a2 tool=refund payload="order 5" sent=t2"#,
        ]
    );
}

#[test]
fn the_last_line_of_a_csv_trace_may_lack_its_end() {
    assert_eq!(words("attempt_id,tool\na1,t"), ["attempt id=a1 tool=t cut=yes"]);
    assert_eq!(words("attempt_id,tool\na1"), ["UNREADABLE_LINE cut off (still being written?)"]);
}

#[test]
fn a_mapping_takes_paths() {
    let options = mapped(&[
        ("operation_id", "meta.operation_id"),
        ("key", "attr:http.request.header.idempotency-key"),
        ("business_id", "args.order_ref"),
        ("amount", "$.call.cost.total"),
        ("party", "tag:customer"),
        ("tool", "call.name"),
        ("run_id", "header:x-run"),
    ]);
    let line = r#"{"call":{"name":"refund","cost":{"total":"9.00"}},"_meta":{"operation_id":"op"},"attributes":{"http.request.header.idempotency-key":"k"},"args":{"order_ref":"77","amount":"1"},"tags":{"customer":"c"},"headers":{"X-Run":"r"},"ts":"t"}"#;
    let want = r#"attempt op=op key=k run=r tool=refund business=77 party=c amount=9.00 payload={"order_ref":"77","amount":"1"} sent=t"#;
    assert_eq!(words_of(options, &format!("{line}\n")), [want]);
    let options = mapped(&[("business_id", "args.thread_id")]);
    let line = r#"{"tool":"t","args":"{\"thread_id\":\"77\",\"order_id\":\"1\"}"}"#;
    assert_eq!(
        words_of(options, &format!("{line}\n")),
        [r#"attempt tool=t business=thread:77 payload={"thread_id":"77","order_id":"1"}"#]
    );
    let mut options = mapped(&[("key", "meta.key")]);
    options.columns.push(("agent".to_owned(), Column::Const("bot".to_owned())));
    let line = r#"{"tool":"t","key":"not this","meta":{"key":"k"}}"#;
    assert_eq!(words_of(options, &format!("{line}\n")), ["attempt key=k agent=bot tool=t"]);
}

#[test]
fn partition_fields_are_carried() {
    let partitions = ["region".to_owned(), "shard".to_owned()];
    let hints = Hints { partitions: &partitions, ..Hints::default() };
    let text = "{\"tool\":\"t\",\"region\":\"eu\"}\n{\"tool\":\"t\",\"args\":{\"region\":\"us\",\"shard\":3}}\n{\"tool\":\"t\",\"args\":\"{\\\"shard\\\":4}\"}\n{\"tool\":\"t\"}\n";
    let opened = open(&spec(What::Trace, Options::default(), text.as_bytes()), &hints).unwrap();
    let mut out = crate::sources::recording::Recording::default();
    opened.read_all(crate::model::row::SourceNo(0), &std::sync::Arc::default(), &mut out).unwrap();
    assert_eq!(
        out.words(),
        [
            "attempt tool=t part=region=eu",
            r#"attempt tool=t payload={"region":"us","shard":3} part=region=us,shard=3"#,
            r#"attempt tool=t payload={"shard":4} part=shard=4"#,
            "attempt tool=t",
        ]
    );
}
