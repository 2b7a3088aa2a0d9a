use crate::sources::recording::{Recording, read};
use crate::sources::spec::{Options, What};

fn told(text: &str) -> Vec<String> {
    words(&read(What::Trace, Options::default(), &format!("{}\n", text.trim_end())))
}

fn words(out: &Recording) -> Vec<String> {
    out.words().into_iter().map(str::to_owned).collect()
}

#[test]
fn a_response_a_batch_and_a_list_are_read_alike() {
    let message = r#"{"id":"msg","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"t1","name":"pay","input":{"order_id":"4"}}]}"#;
    let call = "attempt id=t1 model=m tool=pay business=order:4 payload={\"order_id\":\"4\"}";
    for text in [
        message.to_owned(),
        format!(r#"{{"custom_id":"c","result":{{"type":"succeeded","message":{message}}}}}"#),
        format!(r#"[{{"role":"user","content":"hello"}},{message}]"#),
        format!(
            r#"{{"request":{{"model":"m","messages":[{{"role":"user","content":"hello"}}]}},"response":{message}}}"#
        ),
    ] {
        assert_eq!(told(&text).last().map(String::as_str), Some(call), "{text}");
    }
}

#[test]
fn results_without_content_and_errors() {
    let text = [
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"pay","input":{}},{"type":"tool_use","id":"b","name":"pay","input":{}},{"type":"tool_use","id":"c","name":"pay","input":{}}]}"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"},{"type":"tool_result","tool_use_id":"b","is_error":true},{"type":"tool_result","tool_use_id":"c","is_error":true,"content":"connection reset"},{"type":"tool_result","tool_use_id":"z","content":"x"}]}"#,
    ];
    let found = told(&text.join("\n"));
    let ends: Vec<&str> = found
        .iter()
        .map(|line| line.split(" payload={} ").last().unwrap().split(" answered").next().unwrap())
        .collect();
    assert_eq!(
        ends,
        [
            "outcome=success",
            "is_error=yes",
            "outcome=connection_reset error=connection reset",
            "skipped answer to a call that is not in the source"
        ]
    );
}
