//! OpenAI Responses: items one by one, response objects, requests with their input, and logs that hold any of these.
//!
//! An item that is `completed` says that the model finished writing the call, not that a tool ran. `call_id` ties a
//! call to its output and is minted for every attempt. Items have no times; the response has one.

use super::answer::Answers;
use super::calls::{Answer, Call, Calls, NO_CALL, Record, TraceReader};
use super::table::Setup;
use super::told::Told;
use super::walk::{Around, SAME_ANSWER, nothing_in, walk};
use crate::sources::json::Node;

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn TraceReader> {
    Box::new(Responses { answers: Answers::new() })
}

#[derive(Debug)]
struct Responses {
    answers: Answers,
}

impl TraceReader for Responses {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let mut told = false;
        walk(record.node, &Around::default(), 0, &mut |node, around| {
            let found = item(&mut self.answers, node, around, record, calls);
            told |= found;
            found
        });
        if !told {
            nothing_in(record, calls);
        }
    }
}

/// Reads an object that is an item of a call; says whether it is one.
pub(super) fn item(
    answers: &mut Answers,
    node: Node<'_>,
    around: &Around<'_>,
    record: &Record<'_>,
    calls: &mut Calls<'_>,
) -> bool {
    let Some(kind) = node.text_of("type") else { return false };
    match &*kind {
        "function_call" | "custom_tool_call" | "local_shell_call" => {
            let id = node.text_of("call_id").or_else(|| node.text_of("id"));
            let mut call = sent(node, around, record);
            if &*kind == "local_shell_call" {
                call.fields.text("tool", "local_shell").node("arguments", node.get("action"));
            } else {
                let arguments = node.get("arguments").or_else(|| node.get("input"));
                call.fields.maybe("tool", node.text_of("name")).node("arguments", arguments);
            }
            let Some(id) = id else {
                calls.whole(&call, &Answer::default());
                return true;
            };
            call.fields.text("attempt_id", &id);
            calls.open_once(&id, call);
            true
        }
        "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => {
            let Some(id) = node.text_of("call_id").or_else(|| node.text_of("id")) else {
                calls.refuse("an output that names no call");
                return true;
            };
            let value = node.get("output");
            let mut answer = answers.of(value, None);
            if value.is_none() {
                answer.told = Told::Pending;
            }
            answer.at = Some(node.at());
            close_once(&id, answer, calls);
            true
        }
        "mcp_call" => {
            let mut call = sent(node, around, record);
            call.fields
                .maybe("attempt_id", node.text_of("id"))
                .maybe("tool", node.text_of("name"))
                .node("arguments", node.get("arguments"));
            let answer = hosted(answers, node);
            match node.text_of("id") {
                Some(id) if !calls.first(&id) => calls.skip(super::calls::SAME_CALL),
                _ => calls.whole(&call, &answer),
            }
            true
        }
        _ => false,
    }
}

/// An answer counts once: histories are repeated.
pub(super) fn close_once(id: &str, answer: Answer, calls: &mut Calls<'_>) {
    if calls.close(id, answer) {
        calls.first(&format!("answer {id}"));
    } else if calls.first(&format!("answer {id}")) {
        calls.skip(NO_CALL);
    } else {
        calls.skip(SAME_ANSWER);
    }
}

fn sent(node: Node<'_>, around: &Around<'_>, record: &Record<'_>) -> Call {
    let mut call = Call::at(node.at());
    call.cut = !record.ended;
    call.fields
        .maybe("run_id", around.run.as_deref())
        .maybe("model", around.model.as_deref())
        .maybe("sent_at", around.time.as_deref())
        .node("meta", around.meta);
    call
}

/// How a call ended that the provider made itself.
fn hosted(answers: &mut Answers, node: Node<'_>) -> Answer {
    let status = node.text_of("status");
    let Some(error) = node.get("error") else {
        let waiting = matches!(status.as_deref(), Some("in_progress" | "calling" | "incomplete"));
        return match node.get("output") {
            Some(output) => answers.of(Some(output), None),
            None if waiting => Answer::default(),
            None if status.as_deref() == Some("failed") => answers.of(None, Some(true)),
            None => Answer::told(Told::Yes),
        };
    };
    let code = error.text_of("code");
    let message = error.text_of("message").unwrap_or_default();
    let told = match error.text_of("type").as_deref() {
        Some("http_error") => code.and_then(|code| code.parse().ok()).map(Told::Http),
        Some("mcp_protocol_error" | "protocol_error") => {
            code.and_then(|code| code.parse().ok()).map(|code: i64| Told::of_json_rpc(code, &message))
        }
        _ => None,
    };
    match told {
        Some(told) => {
            let mut answer = Answer::told(told);
            if !matches!(answer.told, Told::Error(_)) {
                answer.fields.maybe("text", Some(message));
            }
            answer
        }
        None => answers.of(Some(error.get("content").unwrap_or(error)), Some(true)),
    }
}

#[cfg(test)]
mod tests;
