use crate::sources::recording::{Recording, read};
use crate::sources::spec::{Options, What};

fn told(text: &str) -> Vec<String> {
    words(&read(What::Trace, Options::default(), &format!("{}\n", text.trim_end())))
}

fn words(out: &Recording) -> Vec<String> {
    out.words().into_iter().map(str::to_owned).collect()
}

fn line(kind: &str, content: &str) -> String {
    format!(
        r#"{{"type":"{kind}","uuid":"u","sessionId":"s","timestamp":"2026-09-02T10:00:00.000Z","message":{{"role":"{kind}","content":{content}}}}}"#
    )
}

#[test]
fn what_kept_a_call_from_running_is_told_by_the_program() {
    for (text, is_error, want) in [
        (
            "The user doesn't want to proceed with this tool use. The tool use was rejected.",
            true,
            "outcome=rejected",
        ),
        (
            "Claude requested permissions to use pay, but you haven't granted it yet.",
            true,
            "outcome=rejected",
        ),
        // A tool may write that too: without the mark of an error it is an answer.
        ("The user doesn't want to proceed with this tool use.", false, "outcome=success"),
        ("[Request interrupted by user for tool use]", true, "outcome=cancelled"),
        ("MCP error -32000: Connection closed", true, "outcome=response_lost"),
        ("insufficient funds", true, "is_error=yes"),
    ] {
        let call = line(
            "assistant",
            r#"[{"type":"tool_use","id":"t","name":"mcp__pay__pay","input":{"order_id":"4"}}]"#,
        );
        let answer = line(
            "user",
            &format!(
                r#"[{{"type":"tool_result","tool_use_id":"t","content":[{{"type":"text","text":"{text}"}}],"is_error":{is_error}}}]"#
            ),
        );
        let found = told(&format!("{call}\n{answer}\n"));
        assert!(found.len() == 1 && found[0].contains(want), "{text}: {found:?}");
    }
}

#[test]
fn several_calls_in_a_line_have_places_of_their_own() {
    let calls = line(
        "assistant",
        r#"[{"type":"tool_use","id":"a","name":"pay","input":{}},{"type":"tool_use","id":"b","name":"pay","input":{}}]"#,
    );
    let out = read(What::Trace, Options::default(), &format!("{calls}\n"));
    let places = out.places();
    assert!(places.len() == 2 && places[0] > 0 && places[1] > places[0], "{places:?}");
}

#[test]
fn lines_that_are_not_known_are_skipped() {
    let text = format!(
        "{}\n{}\n{}\n{}\n",
        line("user", "\"hello\""),
        r#"{"type":"queue-operation","sessionId":"s"}"#,
        r#"{"some":"thing"}"#,
        "Loading..."
    );
    let none = "skipped message without a call";
    assert_eq!(
        told(&text),
        [none, none, "skipped another kind of record", "skipped does not begin like a record"]
    );
}
