use crate::sources::recording::{Recording, read};
use crate::sources::spec::{Options, What};

fn told(text: &str) -> Vec<String> {
    words(&read(What::Trace, Options::default(), &format!("{}\n", text.trim_end())))
}

fn words(out: &Recording) -> Vec<String> {
    out.words().into_iter().map(str::to_owned).collect()
}

fn observation(rest: &str) -> String {
    format!(r#"{{"id":"o1","traceId":"t1","name":"pay","startTime":"2026-09-02T10:00:00.000Z",{rest}}}"#)
}

#[test]
fn spans_of_older_data_are_calls_when_they_name_what_calls_are_about() {
    let found = |rest: &str| told(&format!("{}\n", observation(rest)));
    let call = found(r#""type":"SPAN","input":{"order_id":"4"},"output":"ok","endTime":null"#);
    assert!(call[0].starts_with("attempt id=o1 run=t1 tool=pay business=order:4"), "{call:?}");
    let text = found(r#""type":"SPAN","input":"{\"refund_amount\": \"4\"}","output":"ok","endTime":null"#);
    assert!(text[0].starts_with("attempt id=o1 run=t1 tool=pay amount=4"), "{text:?}");
    for rest in [
        r#""type":"SPAN","input":{"question":"x"}"#,
        r#""type":"GENERATION","input":{"order_id":"4"}"#,
        r#""type":"SPAN","input":null"#,
    ] {
        assert_eq!(found(rest), ["skipped message without a call"], "{rest}");
    }
}

#[test]
fn how_observations_end() {
    for (rest, want) in [
        (
            r#""endTime":"2026-09-02T10:00:01.000Z","level":"DEFAULT","statusMessage":null,"output":null"#,
            "outcome=pending",
        ),
        (
            r#""endTime":"2026-09-02T10:00:01.000Z","level":"WARNING","statusMessage":"timed out","output":null"#,
            "outcome=timeout",
        ),
        (
            r#""endTime":"2026-09-02T10:00:01.000Z","level":"ERROR","statusMessage":"limit","output":null"#,
            "error=limit is_error=yes",
        ),
        (
            r#""endTime":"2026-09-02T10:00:01.000Z","level":"ERROR","statusMessage":null,"output":null"#,
            "is_error=yes",
        ),
        (
            r#""endTime":null,"level":"DEFAULT","statusMessage":null,"output":null"#,
            "sent=2026-09-02T10:00:00.000Z",
        ),
    ] {
        let found = told(&observation(&format!(r#""type":"TOOL","input":{{"order_id":"4"}},{rest}"#)));
        assert!(found.len() == 1 && found[0].ends_with(want), "{rest}: {found:?}");
    }
}

#[test]
fn a_trace_with_its_observations() {
    let call = observation(
        r#""type":"TOOL","input":{"order_id":"4"},"output":{"id":"p1"},"endTime":"2026-09-02T10:00:01.000Z""#,
    );
    let found = told(&format!(
        r#"{{"id":"t1","name":"agent","timestamp":"2026-09-02T10:00:00.000Z","observations":[{call},{call}]}}"#
    ));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].ends_with("outcome=success receipt=p1"), "{found:?}");
    assert_eq!(found[1], "skipped same call again");
}
