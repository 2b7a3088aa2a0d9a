use crate::sources::recording::{Recording, mapped, read as read_as};
use crate::sources::spec::{Options, What};

fn read(text: &str) -> Recording {
    // A first line that is surely native, so that what follows may be anything.
    let mut out = read_as(What::Trace, Options::default(), &format!("{{\"event\":\"run_started\"}}\n{text}"));
    out.lines.remove(0);
    out
}

fn words(text: &str) -> Vec<String> {
    read(text).words().into_iter().map(str::to_owned).collect()
}

#[test]
fn every_event_is_read() {
    for (line, want) in [
        (
            r#"{"event":"run_started","run_id":"r1","scenario":"s","agent":"a","model":"m","sdk":"x","ts":"t"}"#,
            "run run=r1 scenario=s agent=a model=m",
        ),
        (
            r#"{"event":"intent_recorded","intent_id":"int_1","operation_id":"op","kind":"refund","business_id":"order:1","party":"cust_1","amount":"200.00","currency":"USD","count_min":1,"count_max":2,"accept":["210.00"],"attrs":{"tone":"calm"},"key":"k","parent_id":"int_0","relation":"replaces","deadline":"d","ts":"t"}"#,
            r#"record intent=int_1 op=op kind=refund business=order:1 party=cust_1 amount=200.00 currency=USD min=1 max=2 accept=["210.00"] attrs={"tone":"calm"} key=k parent=int_0 relation=replaces deadline=d ts=t"#,
        ),
        (
            r#"{"event":"attempt_started","attempt_id":"att","intent_id":"int_1","run_id":"r1","turn":3,"decision_id":"d1","tool":"refund_order","key":"k","payload":{"order_id":"1","amount":"2.00","currency":"EUR","customer_id":"c"},"ts":"t1"}"#,
            r#"start id=att intent=int_1 key=k run=r1 decision=d1 turn=3 tool=refund_order business=order:1 party=c amount=2.00 currency=EUR payload={"order_id":"1","amount":"2.00","currency":"EUR","customer_id":"c"} sent=t1"#,
        ),
        (
            r#"{"event":"attempt_finished","attempt_id":"att_01","outcome":"response_lost","ts":"2026-11-30T08:41:00.004Z"}"#,
            "end id=att_01 ended=2026-11-30T08:41:00.004Z outcome=response_lost",
        ),
        (
            r#"{"event":"attempt_finished","attempt_id":"a","outcome":"success","receipt":"rf_1","reused":true,"replayed":true,"text":"done","ts":"t"}"#,
            "end id=a ended=t outcome=success receipt=rf_1 named=yes reused=yes replayed=yes",
        ),
        (
            r#"{"event":"attempt","attempt_id":"a","operation_id":"op","run_id":"r","decision_id":"d","tool":"t","key":"k","payload":{"order_id":7,"amount_cents":1999},"sent_at":"s","ended_at":"e","outcome":"timeout"}"#,
            r#"attempt id=a op=op key=k run=r decision=d tool=t business=order:7 amount=1999m payload={"order_id":7,"amount_cents":1999} sent=s ended=e outcome=timeout"#,
        ),
        (
            r#"{"event":"readback","id":"rb","intent_id":"int_1","source":"payments","query":"q","result":"absent_as_of(rowid 5)","ts":"t"}"#,
            "readback intent=int_1 source=payments result=absent_as_of(rowid 5) ts=t",
        ),
        (
            r#"{"event":"state_changed","intent_id":"int_1","from":"submitted","to":"unknown","actor":"x","deadline":"d","ts":"t"}"#,
            "state intent=int_1 from=submitted to=unknown deadline=d ts=t",
        ),
        (r#"{"event":"state_changed","operation_id":"op","to":"confirmed"}"#, "state op=op to=confirmed"),
        (r#"{"event":"run_completed","run_id":"r1","final_text":"done","ts":"t"}"#, "skipped run_completed"),
    ] {
        assert_eq!(words(&format!("{line}\n")), [want], "{line}");
    }
}

#[test]
fn the_payload_may_be_a_text_or_hold_the_fields_one_level_down() {
    for (payload, want) in [
        (
            r#""{\"order_id\":\"1\",\"amount\":\"2.00\"}""#,
            r#"business=order:1 amount=2.00 payload={"order_id":"1","amount":"2.00"}"#,
        ),
        (
            r#"{"refund":{"order":"order:9","amount_minor":5}}"#,
            r#"business=order:9 amount=5m payload={"refund":{"order":"order:9","amount_minor":5}}"#,
        ),
        (
            r#"{"note":{"x":1},"order_id":"3","line":{"amount":"1"}}"#,
            r#"business=order:3 amount=1 payload={"note":{"x":1},"order_id":"3","line":{"amount":"1"}}"#,
        ),
        (r#"{"a":{"b":{"amount":"1"}}}"#, r#"payload={"a":{"b":{"amount":"1"}}}"#),
        (r#""just words""#, r#"payload="just words""#),
        (
            r#"{"invoice_id":"inv","idempotency_key":"ik"}"#,
            r#"key=ik business=invoice:inv payload={"invoice_id":"inv","idempotency_key":"ik"}"#,
        ),
        ("null", ""),
        (r#"{"order_id":"order_4"}"#, r#"business=order_4 payload={"order_id":"order_4"}"#),
        (r#"{"order_id":"","order":null}"#, r#"payload={"order_id":"","order":null}"#),
    ] {
        let line = format!("{{\"event\":\"attempt\",\"attempt_id\":\"a\",\"payload\":{payload}}}\n");
        assert_eq!(words(&line), [format!("attempt id=a {want}").trim_end()], "{payload}");
    }
}

#[test]
fn times_of_the_halves() {
    for (line, want) in [
        (r#"{"event":"attempt","attempt_id":"a","ts":"t"}"#, "attempt id=a sent=t"),
        (r#"{"event":"attempt","attempt_id":"a","ts":"t","sent_at":"s"}"#, "attempt id=a sent=s"),
        (r#"{"event":"attempt_started","attempt_id":"a","sent_at":"s","ended_at":"e"}"#, "start id=a sent=s"),
        (r#"{"event":"attempt_finished","attempt_id":"a","sent_at":"s","ended_at":"e"}"#, "end id=a ended=e"),
    ] {
        assert_eq!(words(&format!("{line}\n")), [want]);
    }
}

#[test]
fn words_that_are_not_known_make_the_line_unreadable() {
    for (line, want) in [
        (
            r#"{"event":"state_changed","intent_id":"i","to":"confrimed"}"#,
            "the state \"confrimed\" in `to` is not known; did you mean `confirmed`?",
        ),
        (
            r#"{"event":"state_changed","intent_id":"i","from":"x1y2z3","to":"failed"}"#,
            "the state \"x1y2z3\" in `from` is not known",
        ),
        (r#"{"event":"state_changed","intent_id":"i"}"#, "state_changed without `to`"),
        (
            r#"{"event":"state_changed","to":"failed"}"#,
            "state_changed with neither intent_id nor operation_id",
        ),
        (
            r#"{"event":"readback","intent_id":"i","result":"presnt"}"#,
            "the result \"presnt\" of a readback is not known; did you mean `present`?",
        ),
        (r#"{"event":"readback","intent_id":"i"}"#, "readback without `result`"),
        (r#"{"event":"attempt_finished","outcome":"success"}"#, "attempt_finished without attempt_id"),
        (
            r#"{"event":"intent_recorded","amount":"1"}"#,
            "intent_recorded with neither intent_id nor operation_id",
        ),
        (
            r#"{"event":"attempt","attempt_id":"a","role":"both"}"#,
            "the role \"both\" is not known; known are read and write",
        ),
        (
            r#"{"event":"atempt","attempt_id":"a"}"#,
            "the event \"atempt\" is not known; did you mean `attempt`?",
        ),
        (r#"{"tool":"refund_order"}"#, "it names a call or an intent but no `event`"),
    ] {
        assert_eq!(words(&format!("{line}\n")), [format!("UNREADABLE_LINE {want}")], "{line}");
    }
    let role = r#"{"event":"attempt","attempt_id":"a","role":"read"}"#;
    assert_eq!(words(&format!("{role}\n")), ["attempt id=a read=yes"]);
}

#[test]
fn what_is_no_record_is_skipped_and_what_begins_like_one_is_not() {
    let text = "\n  \t\r\nDEBUG starting\n{\"not\":\"ours\"}\n[1,2]\n{\"event\":\"attempt\",\"attempt_id\":\n\
                {\"event\":\"attempt\",\"key\":1,\"key\":2}\n{\"event\":\"attempt\",\"attempt_id\":\"a\\ud800\"}\n\
                {\"event\":\"attempt\",\"attempt_id\":\"ok\"}\r\n";
    let words = words(text);
    assert_eq!(
        words,
        [
            "skipped does not begin like a record",
            "skipped another kind of record",
            "skipped does not begin like a record",
            words[3].as_str(),
            "UNREADABLE_LINE key given twice: \"key\"",
            words[5].as_str(),
            "attempt id=ok",
            "skipped blank line",
            "skipped blank line",
        ]
    );
    assert!(words[3].starts_with("UNREADABLE_LINE not JSON: EOF"), "{}", words[3]);
    assert!(words[5].starts_with("UNREADABLE_LINE not JSON: "), "{}", words[5]);
}

#[test]
fn a_cut_last_line_is_used_if_it_parses() {
    let whole = r#"{"event":"attempt","attempt_id":"a"}"#;
    assert_eq!(words(whole), ["attempt id=a cut=yes"]);
    assert_eq!(
        words(r#"{"event":"attempt","attempt_id":"#),
        ["UNREADABLE_LINE cut off (still being written?)"]
    );
}

#[test]
fn bytes_that_are_no_utf8_cost_their_line_only() {
    let mut text =
        b"{\"event\":\"attempt\",\"attempt_id\":\"a\"}\n{\"event\":\"attempt\",\"attempt_id\":\"b\xff\"}\n"
            .to_vec();
    text.extend_from_slice(b"{\"event\":\"attempt\",\"attempt_id\":\"c\"}\n");
    let spec = crate::sources::recording::spec(What::Trace, Options::default(), &text);
    let opened = crate::sources::open::open(&spec, &crate::sources::open::Hints::default()).unwrap();
    let mut out = Recording::default();
    opened.read_all(crate::model::row::SourceNo(0), &std::sync::Arc::default(), &mut out).unwrap();
    assert_eq!(
        out.words(),
        ["attempt id=a", "UNREADABLE_LINE not UTF-8 from byte 34 of the record", "attempt id=c"]
    );
    assert_eq!(out.places(), [0, 37, 75]);
}

#[test]
fn a_mapping_says_where_ids_stand() {
    let options = mapped(&[("business_id", "args.ref"), ("amount", "args.total.value"), ("key", "meta.key")]);
    let line = r#"{"event":"attempt","attempt_id":"a","key":"other","meta":{"key":"k"},"payload":{"ref":"r1","order_id":"2","total":{"value":"5"}}}"#;
    let out = read_as(What::Trace, options, &format!("{line}\n"));
    assert_eq!(
        out.words(),
        [
            r#"attempt id=a key=k business=r1 amount=5 payload={"ref":"r1","order_id":"2","total":{"value":"5"}}"#
        ]
    );
}
