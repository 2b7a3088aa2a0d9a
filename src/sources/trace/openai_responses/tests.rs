use crate::sources::recording::{Recording, read};
use crate::sources::spec::{Options, What};

fn told(text: &str) -> Vec<String> {
    words(&read(What::Trace, Options::default(), &format!("{}\n", text.trim_end())))
}

fn words(out: &Recording) -> Vec<String> {
    out.words().into_iter().map(str::to_owned).collect()
}

const CALL: &str = r#"{"type":"function_call","id":"fc","call_id":"c1","name":"pay","arguments":"{\"invoice_id\":\"9\",\"amount\":\"3.00\"}","status":"completed"}"#;

#[test]
fn items_that_are_repeated_count_once() {
    let output = r#"{"type":"function_call_output","call_id":"c1","output":"{\"id\":\"p1\"}"}"#;
    let found = told(&format!("{CALL}\n{CALL}\n{output}\n{CALL}\n{output}\n"));
    assert_eq!(
        found,
        [
            "skipped same call again",
            r#"attempt id=c1 tool=pay business=invoice:9 amount=3.00 payload={"invoice_id":"9","amount":"3.00"} outcome=success receipt=p1 answered=282"#,
            "skipped same call again",
            "skipped same answer again",
        ]
    );
}

#[test]
fn an_output_without_its_call_is_said() {
    let found =
        told(&format!("{CALL}\n{}\n", r#"{"type":"function_call_output","call_id":"other","output":"x"}"#));
    assert_eq!(found[0], "skipped answer to a call that is not in the source");
    assert_eq!(found.len(), 2);
}

#[test]
fn requests_and_responses_in_a_log_are_one_story() {
    // The time of the response is that of the calls in it, not of those that its request repeats.
    let first = format!(
        r#"{{"session_id":"s","request":{{"input":[]}},"response":{{"object":"response","created_at":1788343260,"output":[{CALL}]}}}}"#
    );
    let second = format!(
        r#"{{"session_id":"s","request":{{"input":[{CALL},{{"type":"function_call_output","call_id":"c1","output":"Error: timed out"}}]}},"response":{{"object":"response","created_at":1788343270,"output":[]}}}}"#
    );
    let found = told(&format!("{first}\n{second}\n"));
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0], "skipped same call again");
    assert!(
        found[1].contains("run=s ")
            && found[1].contains("sent=1788343260")
            && found[1].contains("outcome=timeout"),
        "{found:?}"
    );
}

#[test]
fn hosted_calls_say_how_they_failed() {
    let hosted = |rest: &str| {
        let line = format!(
            r#"{{"type":"mcp_call","id":"m","server_label":"s","name":"pay","arguments":"{{}}",{rest}}}"#
        );
        told(&format!("{CALL}\n{line}\n")).remove(0)
    };
    for (rest, want) in [
        (
            r#""output":null,"error":{"type":"http_error","code":503,"message":"x"},"status":"failed""#,
            "http=503",
        ),
        (
            r#""output":null,"error":{"type":"http_error","code":401,"message":"x"},"status":"failed""#,
            "http=401",
        ),
        (
            r#""output":null,"error":{"type":"mcp_protocol_error","code":-32001,"message":"x"},"status":"failed""#,
            "outcome=timeout",
        ),
        (
            r#""output":null,"error":{"type":"mcp_protocol_error","code":-32601,"message":"x"},"status":"failed""#,
            "outcome=not_sent",
        ),
        (
            r#""output":null,"error":{"type":"mcp_tool_execution_error","content":[{"type":"text","text":"limit reached"}]},"status":"failed""#,
            "error=limit reached is_error=yes",
        ),
        (r#""output":"{\"id\":\"p1\"}","error":null,"status":"completed""#, "outcome=success receipt=p1"),
        (r#""output":null,"error":null,"status":"calling""#, "payload={}"),
    ] {
        let found = hosted(rest);
        assert!(found.ends_with(want), "{rest}: {found}");
    }
}

#[test]
fn other_kinds_of_calls_and_arguments_that_are_no_json() {
    let text = [
        r#"{"type":"function_call","call_id":"a","name":"pay","arguments":"{\"invoice_id\": 7"}"#,
        r#"{"type":"custom_tool_call","call_id":"b","name":"shell","input":"ls"}"#,
        r#"{"type":"custom_tool_call_output","call_id":"b","output":"ok"}"#,
        r#"{"type":"function_call_output","output":"x"}"#,
    ];
    assert_eq!(
        told(&text.join("\n")),
        [
            r#"attempt id=b tool=shell payload="ls" outcome=success answered=155"#,
            "UNREADABLE_LINE an output that names no call",
            r#"attempt id=a tool=pay payload="{\"invoice_id\": 7""#,
        ]
    );
}
