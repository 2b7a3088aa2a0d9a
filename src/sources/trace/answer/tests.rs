use super::*;
use crate::model::outcome::Class;

fn told(json: &str, is_error: Option<bool>) -> Told {
    Answers::new(Parser::Scan).unwrap().told(Some(json.as_bytes()), is_error)
}

fn word(json: &str) -> &'static str {
    told(json, None).word.unwrap()
}

#[test]
fn answers_that_are_none() {
    let mut answers = Answers::new(Parser::Scan).unwrap();
    assert_eq!(answers.told(None, None), Told::default());
    assert_eq!(answers.told(Some(b"null"), Some(false)), Told::default());
    assert_eq!(answers.told(None, Some(true)).word, Some("error"));
}

#[test]
fn a_lost_answer_is_found_in_whatever_form_it_is_told() {
    for (json, want) in [
        (r#""Tool 'pay_invoice' timed out after 0.1 seconds.""#, "timeout"),
        (r#""Error: request timeout""#, "timeout"),
        (r#""MCP error -32001: Request timed out""#, "timeout"),
        (r#"{"error":"timeout","detail":"lost before a result arrived"}"#, "timeout"),
        (r#""{\"error\":\"upstream\",\"detail\":\"connection reset by peer\"}""#, "connection_reset"),
        (r#"[{"type":"text","text":"McpError: Connection closed"}]"#, "response_lost"),
        (
            r#"{"content":[{"type":"text","text":"Error: operation was aborted"}],"isError":true}"#,
            "cancelled",
        ),
        (r#""{'error': 'ReadTimeout', 'retry': True}""#, "timeout"),
        (r#"{"status":"timed_out"}"#, "timeout"),
        (r#"{"status":"pending","id":"po_1"}"#, "pending"),
        (r#""An error occurred while running the tool. Please try again. Error: boom""#, "error"),
        (r#"{"output":"bad","metadata":{"exit_code":1}}"#, "error"),
        (r#"{"success":false}"#, "error"),
        (r#"{"status":"declined"}"#, "error"),
        (r#"{"status":504}"#, "error"),
    ] {
        assert_eq!(word(json), want, "{json}");
    }
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
    ] {
        for flag in [None, Some(false), Some(true)] {
            let word = told(json, flag).word.unwrap();
            let class = Outcome::from_word(word).unwrap().class(false);
            assert!(matches!(class, Class::Unknown | Class::Ok), "{json}: {word}");
        }
    }
}

#[test]
fn error_words_are_handed_on() {
    for (json, want) in [
        (r#"{"error":"already_paid"}"#, "already_paid"),
        (r#"{"error":{"code":"card_declined","message":"no"}}"#, "card_declined"),
        (r#"{"error_code":"limit","error":"x"}"#, "limit"),
        (r#""Error: parameter_invalid""#, "parameter_invalid"),
    ] {
        assert_eq!(told(json, None).error.as_deref(), Some(want), "{json}");
    }
    assert_eq!(told("\"no such order\"", Some(true)).error.as_deref(), Some("no such order"));
}

#[test]
fn receipts_are_found_inside() {
    for (json, want, named) in [
        (r#""{\"id\":\"po_7\",\"status\":\"succeeded\"}""#, "po_7", false),
        (r#"[{"type":"input_text","text":"{\"refund_id\": \"po_7\"}"}]"#, "po_7", false),
        (r#"{"output":{"type":"tool","status":"success","content":"{\"id\":\"po_7\"}"}}"#, "po_7", false),
        (
            r#"{"content":[{"type":"text","text":"ok"}],"structuredContent":{"id":"po_7"},"isError":false}"#,
            "po_7",
            false,
        ),
        (r#"{"receipt":"po_7","id":"msg"}"#, "po_7", true),
        (r#""{'id': 'po_7'}""#, "po_7", false),
        (r#"{"result":{"id":"po_7"}}"#, "po_7", false),
        (r#"{"lc":1,"id":["a"],"kwargs":{"content":"{\"id\":\"po_7\"}"}}"#, "po_7", false),
    ] {
        let told = told(json, None);
        assert_eq!(
            (told.word, told.receipt.as_deref(), told.receipt_named),
            (Some("success"), Some(want), named),
            "{json}"
        );
    }
    let reused = told(r#"{"id":"po_7","reused":true}"#, None);
    assert!(reused.reused);
    assert!(!told(r#"{"reused":true}"#, None).reused);
}

#[test]
fn pages_about_timeouts_are_answers() {
    let page = format!("\"{} Set the timeout to 30 s. {}\"", "Read me. ".repeat(40), "More. ".repeat(40));
    assert_eq!(word(&page), "success");
    assert_eq!(word(r#"{"id":"x","note":"the earlier request timed out"}"#), "success");
    assert_eq!(word(r#"{"status":"cancelled"}"#), "success");
    assert_eq!(word("[]"), "success");
    assert_eq!(word(&"[".repeat(200)), "success");
}
