use crate::sources::recording::{Recording, read};
use crate::sources::spec::{Options, What};

fn told(text: &str) -> Vec<String> {
    words(&read(What::Trace, Options::default(), &format!("{}\n", text.trim_end())))
}

fn words(out: &Recording) -> Vec<String> {
    out.words().into_iter().map(str::to_owned).collect()
}

#[test]
fn forms_of_calls() {
    let text = [
        r#"{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"pay","arguments":"{\"order_id\": 1"}},{"id":"b","type":"custom","custom":{"name":"run","input":"x"}}]}"#,
        r#"{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"{\"id\":\"p1\"}"}]}"#,
        r#"{"role":"tool","tool_call_id":"b","content":"no","status":"error"}"#,
        r#"{"role":"assistant","tool_calls":[{"name":"pay","args":{"order_id":"2"},"id":"c","type":"tool_call"}]}"#,
        r#"{"role":"tool","tool_call_id":"c","content":""}"#,
        r#"{"role":"user","content":"thanks"}"#,
        r#"{"unknown":1}"#,
    ];
    assert_eq!(
        told(&text.join("\n")),
        [
            r#"attempt id=a tool=pay payload="{\"order_id\": 1" outcome=success receipt=p1 answered=185"#,
            r#"attempt id=b tool=run payload="x" error=no is_error=yes answered=273"#,
            r#"attempt id=c tool=pay business=order:2 payload={"order_id":"2"} outcome=success answered=443"#,
            "skipped message without a call",
            "skipped another kind of record",
        ]
    );
}

#[test]
fn definitions_of_tools_are_no_calls() {
    let text = r#"{"model":"m","messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"pay","arguments":"{}"}}]}],"tools":[{"type":"function","function":{"name":"pay","parameters":{"type":"object"}}}]}"#;
    assert_eq!(told(text), ["attempt id=a model=m tool=pay payload={}"]);
}

#[test]
fn trajectories_are_runs_of_their_own() {
    let one = |task: u8, id: &str| {
        format!(
            r#"{{"task_id":{task},"reward":0.0,"traj":[{{"role":"system","content":"x"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"pay","arguments":"{{}}"}}}}]}}]}}"#
        )
    };
    let found = told(&format!("[{},{}]", one(1, "a"), one(2, "b")));
    assert_eq!(found, ["attempt id=a run=1 tool=pay payload={}", "attempt id=b run=2 tool=pay payload={}"]);
}
