//! Codex rollouts: two logs in one file that describe the same calls, what the model saw (`response_item`) and what
//! the program did (`event_msg`). The first end of a call counts.

use std::borrow::Cow;

use super::answer::Answers;
use super::calls::{Answer, Call, Calls, Record, TraceReader};
use super::openai_responses::close_once;
use super::table::Setup;
use super::told::Told;
use super::walk::NO_CALL_IN_IT;
use crate::sources::json::Node;

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn TraceReader> {
    Box::new(Codex { answers: Answers::new(), session: None, model: None, turn: None })
}

#[derive(Debug)]
struct Codex {
    answers: Answers,
    session: Option<String>,
    model: Option<String>,
    turn: Option<String>,
}

impl Codex {
    fn sent(&self, record: &Record<'_>, id: &str) -> Call {
        let mut call = Call::at(record.at);
        call.cut = !record.ended;
        call.fields
            .text("attempt_id", id)
            .maybe("run_id", self.session.as_deref())
            .maybe("model", self.model.as_deref())
            .maybe("turn", self.turn.as_deref())
            .maybe("sent_at", time(record));
        call
    }

    /// What the model was told, or what it asked for.
    fn item(&mut self, payload: Node<'_>, record: &Record<'_>, calls: &mut Calls<'_>) -> bool {
        let kind = payload.text_of("type").unwrap_or_default();
        let id = payload.text_of("call_id").or_else(|| payload.text_of("id"));
        let Some(id) = id else { return false };
        match &*kind {
            "function_call" | "custom_tool_call" | "local_shell_call" => {
                let mut call = self.sent(record, &id);
                let arguments = ["arguments", "input", "action"].iter().find_map(|name| payload.get(name));
                let tool = payload.text_of("name").unwrap_or(Cow::Borrowed("local_shell"));
                call.fields.text("tool", &tool).node("arguments", arguments);
                calls.open_once(&id, call);
            }
            "function_call_output" | "custom_tool_call_output" => {
                let mut answer = self.answers.of(payload.get("output"), None);
                if answer.told == Told::Nothing {
                    answer.told = Told::Pending;
                }
                ended(&mut answer, record);
                close_once(&id, answer, calls);
            }
            _ => return false,
        }
        true
    }

    /// What the program did.
    fn event(&mut self, payload: Node<'_>, record: &Record<'_>, calls: &mut Calls<'_>) -> bool {
        let kind = payload.text_of("type").unwrap_or_default();
        let Some(id) = payload.text_of("call_id") else { return false };
        let begun = matches!(&*kind, "mcp_tool_call_begin" | "mcp_tool_call_end");
        if begun && !calls.is_open(&id) && calls.first(&id) {
            let mut call = self.sent(record, &id);
            if &*kind == "mcp_tool_call_end" {
                // Only its end is known: when it was sent is not.
                call = Call { fields: super::calls::Fields::default(), ..call };
                call.fields.text("attempt_id", &id).maybe("run_id", self.session.as_deref());
            }
            let server = payload.path(&["invocation", "server"]).and_then(Node::text).unwrap_or_default();
            let tool = payload.path(&["invocation", "tool"]).and_then(Node::text).unwrap_or_default();
            call.fields
                .text("tool", &format!("mcp__{server}__{tool}"))
                .node("arguments", payload.path(&["invocation", "arguments"]));
            calls.open(&id, call);
        } else if &*kind == "mcp_tool_call_begin" {
            calls.skip(super::calls::SAME_CALL);
        }
        let mut answer = match &*kind {
            "mcp_tool_call_begin" => return true,
            "mcp_tool_call_end" => {
                match (payload.path(&["result", "Err"]), payload.path(&["result", "Ok"])) {
                    (Some(error), _) => self.answers.of(Some(error), Some(true)),
                    (None, answer) => self.answers.of(answer, None),
                }
            }
            "exec_command_end" => match payload.text_of("exit_code") {
                Some(code) if code == "0" => Answer::told(Told::Yes),
                Some(code) => Answer::told(Told::Error(format!("exit code {code}"))),
                None => return false,
            },
            _ => return false,
        };
        ended(&mut answer, record);
        close_once(&id, answer, calls);
        true
    }
}

fn time<'r>(record: &Record<'r>) -> Option<Cow<'r, str>> {
    record.node.text_of("timestamp")
}

fn ended(answer: &mut Answer, record: &Record<'_>) {
    answer.ended = time(record).unwrap_or_default().into_owned();
    answer.at = Some(record.at);
}

impl TraceReader for Codex {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let Some(payload) = record.node.get("payload") else { return calls.other() };
        let text = |name: &str| payload.text_of(name).map(Cow::into_owned);
        let told = match record.node.text_of("type").as_deref() {
            Some("session_meta") => {
                self.session = text("id").or_else(|| text("session_id"));
                false
            }
            Some("turn_context") => {
                self.model = text("model");
                self.turn = text("turn_id");
                false
            }
            Some("response_item") => self.item(payload, record, calls),
            Some("event_msg") => self.event(payload, record, calls),
            _ => false,
        };
        if !told {
            calls.skip(NO_CALL_IN_IT);
        }
    }
}

#[cfg(test)]
mod tests;
