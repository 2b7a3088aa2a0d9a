use crate::sources::recording::{Recording, read};
use crate::sources::spec::{Options, What};

fn told(text: &str) -> Vec<String> {
    words(&read(What::Trace, Options::default(), &format!("{}\n", text.trim_end())))
}

fn words(out: &Recording) -> Vec<String> {
    out.words().into_iter().map(str::to_owned).collect()
}

fn line(kind: &str, payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-09-02T10:00:00.000Z","type":"{kind}","payload":{payload}}}"#)
}

#[test]
fn a_call_that_only_the_program_wrote_down() {
    let begin = line(
        "event_msg",
        r#"{"type":"mcp_tool_call_begin","call_id":"a","invocation":{"server":"s","tool":"pay","arguments":{"order_id":"4"}}}"#,
    );
    let end = line(
        "event_msg",
        r#"{"type":"mcp_tool_call_end","call_id":"a","invocation":{"server":"s","tool":"pay","arguments":{"order_id":"4"}},"result":{"Err":"boom"}}"#,
    );
    let both = told(&format!("{begin}\n{end}\n"));
    assert!(
        both.len() == 1 && both[0].starts_with("attempt id=a tool=mcp__s__pay business=order:4"),
        "{both:?}"
    );
    assert!(
        both[0].contains(" sent=2026") && both[0].contains(" ended=2026") && both[0].contains("is_error=yes"),
        "{both:?}"
    );
    // When it was sent is not known from its end.
    let alone = told(&format!("{end}\n"));
    assert!(
        alone.len() == 1 && !alone[0].contains(" sent=") && alone[0].contains(" ended=2026"),
        "{alone:?}"
    );
}

#[test]
fn commands_and_their_exit_codes() {
    let call = line(
        "response_item",
        r#"{"type":"function_call","name":"shell","arguments":"{\"command\":[\"pay\"]}","call_id":"a"}"#,
    );
    let output = |code: u8| {
        line(
            "response_item",
            &format!(
                r#"{{"type":"function_call_output","call_id":"a","output":"{{\"output\":\"x\",\"metadata\":{{\"exit_code\":{code}}}}}"}}"#
            ),
        )
    };
    let end = |code: u8| {
        line("event_msg", &format!(r#"{{"type":"exec_command_end","call_id":"a","exit_code":{code}}}"#))
    };
    for (answer, want) in [
        (output(0), "outcome=success"),
        (output(1), "is_error=yes"),
        (end(0), "outcome=success"),
        (end(2), "error=exit code 2 is_error=yes"),
    ] {
        let found = told(&format!("{call}\n{answer}\n"));
        assert!(found.len() == 1 && found[0].contains(want), "{answer}: {found:?}");
    }
}
