use crate::model::row::SourceNo;
use crate::sources::open::{Hints, open};
use crate::sources::recording::{Recording, mapped, read as read_as, spec};
use crate::sources::spec::{Column, Filter, Options, What};

fn words(text: &str) -> Vec<String> {
    words_of(Options::default(), text)
}

fn words_of(options: Options, text: &str) -> Vec<String> {
    read_as(What::Ledger, options, text).words().into_iter().map(str::to_owned).collect()
}

fn error(what: What, options: Options, text: &str) -> String {
    open(&spec(what, options, text.as_bytes()), &Hints::default()).unwrap_err().to_string()
}

#[test]
fn csv_by_well_known_names() {
    let text = "refund_id,order_id,operation_id,idempotency_key,amount,currency,status,created_at,customer_id,psp_reference,kind,reverses,captured\n\
                rf_1,7001,op1,k1,20.00,USD,completed,t1,c1,psp1,effect,,50.00\n\
                rf_2,order:7002,,,-5,eur,,t2,,,reversal,rf_1,\n";
    assert_eq!(
        words(text),
        [
            "effect id=rf_1 op=op1 key=k1 business=order:7001 party=c1 external=psp1 amount=20.00 currency=USD committed=t1 status=completed kind=effect captured=50.00",
            "effect id=rf_2 business=order:7002 amount=-5 currency=eur committed=t2 kind=reversal reverses=rf_1",
        ]
    );
}

#[test]
fn the_name_says_whether_an_amount_is_in_minor_units() {
    for (name, shown) in [
        ("amount", "amount=5"),
        ("Refund Amount", "amount=5"),
        ("amount_minor", "amount=5m"),
        ("amountCents", "amount=5m"),
        ("refunded_minor", "amount=5m"),
        ("paid_cents", "amount=5m"),
        ("cents", "amount=5m"),
        ("captured_minor", "captured=5m"),
        ("captured_amount", "captured=5"),
    ] {
        assert_eq!(words(&format!("effect_id,{name}\nrf,5\n")), [format!("effect id=rf {shown}")], "{name}");
        assert_eq!(
            words(&format!("{{\"effect_id\":\"rf\",\"{name}\":5}}\n")),
            [format!("effect id=rf {shown}")],
            "{name}"
        );
    }
    // Major units go first, row by row.
    assert_eq!(
        words("effect_id,amount,amount_minor\nrf,,7\nrg,1,9\n"),
        ["effect id=rf amount=7m", "effect id=rg amount=1"]
    );
}

#[test]
fn an_amount_that_holds_others_is_not_none() {
    assert_eq!(
        words("{\"effect_id\":\"rf\",\"amount\":{\"value\":5}}\n{\"effect_id\":\"rg\",\"amount\":null}\n"),
        ["effect id=rf amount={\"value\":5}", "effect id=rg"]
    );
}

#[test]
fn a_guess_that_is_not_unique_lists_its_candidates() {
    assert_eq!(
        error(What::Ledger, Options::default(), "effect_id,fee_cents,net_cents\nrf,1,2\n"),
        "source: `amount_minor` could be any of fee_cents, net_cents: say which one in the mapping"
    );
    assert_eq!(
        error(What::Ledger, Options::default(), "effect_id,Order ID,order_id\nrf,1,2\n"),
        "source: `business_id` could be any of Order ID, order_id: say which one in the mapping"
    );
    assert_eq!(
        error(What::Ledger, Options::default(), "{\"effect_id\":\"rf\",\"fee_cents\":1,\"net_cents\":2}\n"),
        "source: `amount_minor` could be any of fee_cents, net_cents: say which one in the mapping"
    );
    assert_eq!(
        words_of(mapped(&[("amount_minor", "net_cents")]), "effect_id,fee_cents,net_cents\nrf,1,2\n"),
        ["effect id=rf amount=2m"]
    );
    assert_eq!(
        words_of(mapped(&[("business_id", "order_id")]), "effect_id,Order ID,order_id\nrf,1,2\n"),
        ["effect id=rf business=order:2"]
    );
}

#[test]
fn json_lines_arrays_and_lists() {
    let row = r#"{"id":"re_A","order":4812,"amount":200.0,"currency":"usd","state":"executed","created_at":1788256801,"parent":"","metadata":{"x":1}}"#;
    let want =
        "effect id=re_A business=order:4812 amount=200.0 currency=usd committed=1788256801 status=executed";
    for text in [
        format!("{row}\n{row}\n"),
        format!("[{row},\n {row}]"),
        format!("{{\"refunds\":[{row},{row}],\"total\":2}}"),
        format!("\u{feff}{row}\r\n{row}\r\n"),
    ] {
        assert_eq!(words(&text), [want, want], "{text}");
    }
}

#[test]
fn rows_without_any_id_have_a_print() {
    let out = read_as(What::Ledger, Options::default(), "order_id,amount\n1,2\n1,2\n");
    assert_eq!(
        out.words(),
        ["effect business=order:1 amount=2 whole=yes", "effect business=order:1 amount=2 whole=yes"]
    );
    assert_eq!(
        words("order_id,external_ref,amount\n1,x,2\n"),
        ["effect business=order:1 external=x amount=2"]
    );
    assert_eq!(words("{\"operation_id\":\"o\",\"amount\":2}\n"), ["effect op=o amount=2 whole=yes"]);
}

#[test]
fn what_has_no_line_end_is_refused() {
    for (text, problem) in [
        ("effect_id,amount\nrf,1\nrg,2", "UNREADABLE_ROW cut off (still being written?)"),
        ("effect_id,amount\nrf,1\nrg", "UNREADABLE_ROW cut off (still being written?)"),
        (
            "{\"effect_id\":\"rf\",\"amount\":\"1\"}\n{\"effect_id\":\"rg\",\"amount\":\"2\"}",
            "UNREADABLE_ROW cut off (still being written?)",
        ),
        (
            "{\"effect_id\":\"rf\",\"amount\":\"1\"}\n{\"effect_id\":\"rg\"",
            "UNREADABLE_ROW cut off (still being written?)",
        ),
        ("effect_id,amount\nrf,1\nrg\n", "UNREADABLE_ROW too few columns: 1 of 2"),
        ("effect_id,amount\nrf,1\nrg,2,3\n", "UNREADABLE_ROW too many columns: 3 for 2"),
        ("effect_id,amount\nrf,1\n\"rg,2\n", "UNREADABLE_ROW a quote in it is not closed"),
    ] {
        assert_eq!(words(text), ["effect id=rf amount=1", problem], "{text}");
    }
}

#[test]
fn lines_of_json_that_are_no_rows() {
    let text = "{\"effect_id\":\"rf\"}\n{\"footer\":true}\nnoise\n{\"status\":\"x\"}\n";
    assert_eq!(
        words(text),
        [
            "effect id=rf",
            "skipped another kind of record",
            "skipped does not begin like a record",
            "skipped another kind of record"
        ]
    );
    // A row of a table is a row, also without any id: it is reported by who takes it.
    assert_eq!(
        words("effect_id,status\nrf,x\n,paid\n,\n"),
        ["effect id=rf status=x", "effect status=paid whole=yes", "skipped blank line"]
    );
}

#[test]
fn a_mapping_wins_and_the_rest_is_found_by_name() {
    let mut options =
        mapped(&[("effect_id", "id"), ("external_ref", "provider_refund_id"), ("captured", "cap_minor")]);
    let order = Column::From {
        column: "ref".to_owned(),
        prefix: Some("order:".to_owned()),
        zone: None,
        resolution_ms: None,
    };
    options.columns.push(("business_id".to_owned(), order));
    options.columns.push(("kind".to_owned(), Column::Const("effect".to_owned())));
    let text = "id,ref,order_id,amount,provider_refund_id,cap_minor,type\nbk_1,9,8,1.00,re_1,300,payout\n";
    assert_eq!(
        words_of(options, text),
        ["effect id=bk_1 business=order:9 external=re_1 amount=1.00 kind=effect captured=300m"]
    );
    // A column that is mapped is not guessed for something else.
    assert_eq!(words_of(mapped(&[("key", "id")]), "id,amount\nx,1\n"), ["effect key=x amount=1 whole=yes"]);
}

#[test]
fn columns_and_fields_that_are_not_there_are_named() {
    assert_eq!(
        error(What::Ledger, mapped(&[("operation_id", "operaton")]), "id,operation,amount\n1,2,3\n"),
        "source: `operation_id` is mapped to the column `operaton`, which is not there; did you mean `operation`?; \
         there are id, operation, amount"
    );
    assert!(
        error(What::Ledger, mapped(&[("operation", "x")]), "id,amount\n1,3\n")
            .starts_with("source: the mapping names the field `operation`, which is not known; did you mean `operation_id`?; known are operation_id, key, business_id, party, amount,")
    );
    assert_eq!(
        error(What::Ledger, Options::default(), "alpha,beta\n1,2\n"),
        "source: it cannot be read as effects (a ledger): no name in it says whether it holds attempts or effects; \
         its columns are alpha, beta; name its fields in the mapping"
    );
    assert_eq!(
        error(What::Ledger, mapped(&[("key", "a[0].b")]), "id,amount\n1,3\n"),
        "source: `key` is mapped to the path `a[0].b`, which cannot be followed: places in arrays cannot be named; \
         name a field of an object"
    );
}

#[test]
fn a_name_that_is_not_unique_makes_its_line_unreadable() {
    let twice = r#"{"refund_id":"r1","amount":"200.00","amount":"1.00","currency":"USD"}"#;
    let said = ["UNREADABLE_ROW key given twice: \"amount\""];
    assert_eq!(words(&format!("{twice}\n")), said);
    assert_eq!(words(&format!("[{twice}]")), said);
    // A column that nobody needs may stand there twice.
    assert_eq!(words("effect_id,note,note,amount\nr1,a,b,5\n"), ["effect id=r1 amount=5"]);
}

#[test]
fn the_row_filter_marks_rows() {
    let filter =
        |text: &str| Options { scope: crate::sources::filter::parse(text).unwrap(), ..Options::default() };
    let text = "effect_id,channel\na,agent\nb,people\nc,\n";
    assert_eq!(
        words_of(filter("channel = agent"), text),
        ["effect id=a", "effect id=b outside=yes", "effect id=c outside=yes"]
    );
    let json = "{\"effect_id\":\"a\",\"meta\":{\"channel\":\"agent\"}}\n{\"effect_id\":\"b\"}\n";
    assert_eq!(words_of(filter("meta.channel is null"), json), ["effect id=a outside=yes", "effect id=b"]);
    assert_eq!(
        error(What::Ledger, filter("chanel = agent"), text),
        "source: the filter compares the column `chanel`, which is not there; did you mean `channel`?; \
         there are effect_id, channel"
    );
    let many = Options { scope: vec![Filter::IsNull("channel".to_owned()); 9], ..Options::default() };
    assert_eq!(
        error(What::Ledger, many, text),
        "source: too many columns are asked for at once: at most 8 comparisons in a filter"
    );
}

#[test]
fn partition_run_and_incomplete_listing() {
    let partitions = ["region".to_owned()];
    let hints = Hints { partitions: &partitions, ..Hints::default() };
    let options = Options { scope_run: true, ..Options::default() };
    let text = r#"{"data":[{"id":"a","amount":1,"region":"eu"}],"has_more":true}"#;
    let opened = open(&spec(What::Ledger, options, text.as_bytes()), &hints).unwrap();
    let mut out = Recording::default();
    let finished = opened.read_all(SourceNo(0), &std::sync::Arc::default(), &mut out).unwrap();
    assert_eq!(out.words(), ["effect id=a amount=1 part=region=eu of_run=yes"]);
    assert_eq!(finished.incomplete.as_deref(), Some("the listing is incomplete: has_more is true"));
    assert_eq!((opened.mapping.as_str(), opened.format), ("fields by name", "json"));
    assert_eq!(
        opened.found,
        [("amount".to_owned(), "amount".to_owned()), ("effect_id".to_owned(), "id".to_owned())]
    );
}
