use crate::sources::recording::{Recording, mapped, read};
use crate::sources::spec::{Options, What};

fn told(text: &str) -> Vec<String> {
    words(&read(What::Trace, Options::default(), &format!("{}\n", text.trim_end())))
}

fn words(out: &Recording) -> Vec<String> {
    out.words().into_iter().map(str::to_owned).collect()
}

fn span(rest: &str) -> String {
    format!(
        r#"{{"object":"trace.span","id":"span_1","trace_id":"trace_1","started_at":"2026-09-02T10:00:00+00:00","ended_at":"2026-09-02T10:00:01+00:00",{rest}}}"#
    )
}

#[test]
fn what_a_function_span_says() {
    for (rest, want) in [
        (
            r#""span_data":{"type":"function","name":"pay","input":"{\"order_id\":\"4\"}","output":"Tool 'pay' timed out after 0.1 seconds."},"error":null"#,
            "outcome=timeout",
        ),
        (
            r#""span_data":{"type":"function","name":"pay","input":"{}","output":"{'id': 'p1', 'ok': True}"},"error":null"#,
            "outcome=success receipt=p1",
        ),
        (
            r#""span_data":{"type":"function","name":"pay","input":null,"output":null},"error":null"#,
            "outcome=pending",
        ),
        (
            r#""span_data":{"type":"function","name":"pay","input":"{}","output":null},"error":{"message":"Error running tool","data":{"tool_name":"pay","error":"read timeout"}}"#,
            "outcome=timeout error=read timeout",
        ),
        (
            r#""span_data":{"type":"function","name":"pay","input":"{}","output":null},"error":{"message":"Error running tool","data":null}"#,
            "error=Error running tool is_error=yes",
        ),
    ] {
        let found = told(&span(rest));
        assert!(found.len() == 1 && found[0].ends_with(want), "{rest}: {found:?}");
    }
}

#[test]
fn a_page_of_traces_and_spans() {
    let other = r#"{"object":"trace.span","id":"span_0","trace_id":"trace_1","span_data":{"type":"generation"},"error":null}"#;
    let call =
        span(r#""span_data":{"type":"function","name":"pay","input":"{}","output":"done"},"error":null"#);
    let text = format!(
        r#"{{"data":[{{"object":"trace","id":"trace_1","workflow_name":"W","group_id":"g","metadata":{{"ticket":"T-1"}}}},{other},{call},{call}]}}"#
    );
    let out = read(What::Trace, mapped(&[("operation_id", "meta.ticket")]), &format!("{text}\n"));
    assert_eq!(
        words(&out),
        [
            "skipped message without a call",
            "skipped message without a call",
            "attempt id=span_1 op=T-1 run=g agent=W tool=pay payload={} sent=2026-09-02T10:00:00+00:00 ended=2026-09-02T10:00:01+00:00 outcome=success",
            "skipped same call again",
        ]
    );
}
