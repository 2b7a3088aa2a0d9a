use super::*;
use crate::model::outcome::Class;

fn answer(json: &str, is_error: Option<bool>) -> Answer {
    Answers::new().of(Some(Node::new(json.as_bytes(), 0)), is_error)
}

fn told(json: &str) -> Told {
    answer(json, None).told
}

/// What the generic reader gets.
fn fields(json: &str) -> String {
    let answer = answer(json, None);
    let mut fields = answer.fields;
    fields.maybe("", None::<&str>);
    fields.to_json()
}

#[test]
fn answers_that_are_none() {
    let mut answers = Answers::new();
    assert_eq!(answers.of(None, None).told, Told::Nothing);
    assert_eq!(answers.of(None, Some(false)).told, Told::Nothing);
    assert_eq!(answers.of(None, Some(true)).told, Told::Error(String::new()));
}

#[test]
fn a_lost_answer_is_found_in_whatever_form_it_is_told() {
    let error = |word: &str| Told::Error(word.to_owned());
    for (json, want) in [
        (r#""Tool 'pay_invoice' timed out after 0.1 seconds.""#, Told::Timeout),
        (r#""Error: request timeout""#, Told::Timeout),
        (r#""MCP error -32001: Request timed out""#, Told::Timeout),
        (r#"{"error":"timeout","detail":"lost before a result arrived"}"#, Told::Timeout),
        (r#""{\"error\":\"upstream\",\"detail\":\"connection reset by peer\"}""#, Told::Reset),
        (r#"[{"type":"text","text":"McpError: Connection closed"}]"#, Told::Lost),
        (
            r#"{"content":[{"type":"text","text":"Error: operation was aborted"}],"isError":true}"#,
            Told::Cancelled,
        ),
        (r#""{'error': 'ReadTimeout', 'retry': True}""#, Told::Timeout),
        (r#"{"status":"timed_out"}"#, Told::Timeout),
        (r#"{"status":"pending","id":"po_1"}"#, Told::Pending),
        (
            r#""An error occurred while running the tool. Please try again. Error: boom""#,
            error("An error occurred while running the tool. Please try again. Error: boom"),
        ),
        (r#"{"output":"bad","metadata":{"exit_code":1}}"#, error("bad")),
        (r#"{"success":false}"#, error("")),
        (r#"{"status":"declined"}"#, error("declined")),
        (r#"{"status":504}"#, error("504")),
        (r#"{"error":"already_paid"}"#, error("already_paid")),
        (r#"{"error":{"code":"card_declined","message":"no"}}"#, error("card_declined")),
        (r#"{"error_code":"limit","error":"x"}"#, error("limit")),
        (r#""Error: parameter_invalid""#, error("parameter_invalid")),
    ] {
        assert_eq!(told(json), want, "{json}");
    }
    assert_eq!(answer("\"no such order\"", Some(true)).told, error("no such order"));
}

#[test]
fn what_a_tool_writes_never_proves_that_nothing_happened() {
    for json in [
        r#""rejected""#,
        r#"{"error":"already_refunded"}"#,
        r#"{"error":{"code":"card_declined"}}"#,
        r#""Error: not_sent""#,
        r#"{"status":"rejected","is_error":true}"#,
        r#"{"error":"invalid"}"#,
        r#""Error: connection refused""#,
    ] {
        for flag in [None, Some(false), Some(true)] {
            let told = answer(json, flag).told;
            let proves = matches!(told, Told::Refused | Told::NotSent | Told::Http(_) | Told::Word(_));
            assert!(!proves, "{json}: {told:?}");
        }
    }
    assert_eq!(Outcome::ServerError.class(false), Class::Unknown);
}

#[test]
fn receipts_are_found_inside() {
    for json in [
        r#""{\"id\":\"po_7\",\"status\":\"succeeded\"}""#,
        r#"[{"type":"input_text","text":"{\"refund_id\": \"po_7\"}"}]"#,
        r#"{"output":{"type":"tool","status":"success","content":"{\"id\":\"po_7\"}"}}"#,
        r#"{"structuredContent":{"id":"po_7"},"isError":false}"#,
        r#""{'id': 'po_7'}""#,
        r#"{"result":{"id":"po_7"}}"#,
        r#"{"lc":1,"id":["a"],"kwargs":{"content":"{\"id\":\"po_7\"}"}}"#,
    ] {
        assert_eq!((told(json), fields(json).as_str()), (Told::Yes, r#"{"refund_id":"po_7"}"#), "{json}");
    }
    assert_eq!(fields(r#"{"receipt":"po_7","id":"msg"}"#), r#"{"receipt":"po_7"}"#);
    assert_eq!(fields(r#"{"id":"po_7","reused":true}"#), r#"{"reused":true,"refund_id":"po_7"}"#);
    assert_eq!(fields(r#"{"reused":true}"#), "{}");
    assert_eq!(fields(r#""Refunded.""#), r#"{"text":"Refunded."}"#);
}

#[test]
fn pages_about_timeouts_are_answers() {
    let page = format!("\"{} Set the timeout to 30 s. {}\"", "Read me. ".repeat(40), "More. ".repeat(40));
    for json in [
        page.as_str(),
        r#"{"id":"x","note":"the earlier request timed out"}"#,
        r#"{"status":"cancelled"}"#,
        r#""Order cancelled""#,
        "[]",
        &"[".repeat(200),
    ] {
        assert_eq!(told(json), Told::Yes, "{json}");
    }
}
