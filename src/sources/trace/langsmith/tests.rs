use crate::sources::recording::{Recording, mapped, read};
use crate::sources::spec::{Options, What};

fn told(text: &str) -> Vec<String> {
    words(&read(What::Trace, Options::default(), &format!("{}\n", text.trim_end())))
}

fn words(out: &Recording) -> Vec<String> {
    out.words().into_iter().map(str::to_owned).collect()
}

fn run(rest: &str) -> String {
    format!(
        r#"{{"id":"r1","trace_id":"t1","name":"pay","run_type":"tool","start_time":"2026-09-02T10:00:00",{rest}}}"#
    )
}

#[test]
fn arguments_as_frameworks_write_them() {
    for (inputs, want) in [
        (
            r#"{"input":"{'order_id': '4', 'amount': Decimal('3.10')}"}"#,
            r#"business=order:4 amount=3.10 payload={"order_id":"4","amount":"3.10"}"#,
        ),
        (r#"{"input":"{\"order_id\":\"4\"}"}"#, r#"business=order:4 payload={"order_id":"4"}"#),
        (
            r#"{"order_id":"4","amount":"3.10"}"#,
            r#"business=order:4 amount=3.10 payload={"order_id":"4","amount":"3.10"}"#,
        ),
        (r#"{"input":"four"}"#, r#"payload="four""#),
        (r#"{"input":{"order_id":"4"}}"#, r#"business=order:4 payload={"order_id":"4"}"#),
    ] {
        let found = told(&run(&format!(
            r#""end_time":null,"inputs":{inputs},"outputs":null,"error":null,"status":"pending""#
        )));
        assert_eq!(
            found,
            [format!("attempt id=r1 run=t1 tool=pay {want} sent=2026-09-02T10:00:00Z")],
            "{inputs}"
        );
    }
}

#[test]
fn how_runs_end() {
    for (rest, want) in [
        (r#""outputs":{"output":"done"},"error":null,"status":"success""#, "outcome=success"),
        (r#""outputs":null,"error":null,"status":"success""#, "outcome=success"),
        (r#""outputs":null,"error":null,"status":"error""#, "is_error=yes"),
        (
            r#""outputs":null,"error":"ToolException('no such order')","status":"error""#,
            "error=ToolException('no such order') is_error=yes",
        ),
        (r#""outputs":{},"error":null"#, "ended=2026-09-02T10:00:01Z"),
    ] {
        let found = told(&run(&format!(r#""end_time":"2026-09-02T10:00:01","inputs":{{}},{rest}"#)));
        assert!(found.len() == 1 && found[0].ends_with(want), "{rest}: {found:?}");
    }
}

#[test]
fn runs_below_runs_tags_and_metadata() {
    let child = run(
        r#""end_time":null,"inputs":{},"outputs":null,"error":null,"tags":["op:refund:4","plain"],"extra":{"metadata":{"key":"k1"}}"#,
    );
    let text = format!(
        r#"{{"id":"r0","run_type":"chain","name":"agent","inputs":{{}},"child_runs":[{child},{child}]}}"#
    );
    let out =
        read(What::Trace, mapped(&[("operation_id", "tag:op"), ("key", "meta.key")]), &format!("{text}\n"));
    assert_eq!(
        words(&out),
        [
            "attempt id=r1 op=refund:4 key=k1 run=t1 tool=pay payload={} sent=2026-09-02T10:00:00Z",
            "skipped same call again"
        ]
    );
}
