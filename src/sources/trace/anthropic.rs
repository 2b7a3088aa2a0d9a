//! Anthropic Messages: requests, responses, arrays of messages, and logs that hold any of these.
//!
//! `tool_use` in the assistant's content opens a call, `tool_result` in the next user turn closes it; the connector's
//! `mcp_tool_use` and `mcp_tool_result` stand in one turn.

use super::answer::Answers;
use super::calls::{Call, Calls, Record, TraceReader};
use super::openai_responses::close_once;
use super::table::Setup;
use super::told::Told;
use super::walk::{Around, nothing_in, walk};
use crate::sources::json::Node;

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn TraceReader> {
    Box::new(Messages { answers: Answers::new() })
}

#[derive(Debug)]
struct Messages {
    answers: Answers,
}

/// The id of a call that a content block opens.
pub(super) fn opens(block: Node<'_>) -> Option<std::borrow::Cow<'_, str>> {
    let kind = block.text_of("type")?;
    let opens = matches!(&*kind, "tool_use" | "mcp_tool_use" | "server_tool_use");
    block.text_of("id").filter(|_| opens)
}

/// The id of a call that a content block answers.
pub(super) fn answers_to(block: Node<'_>) -> Option<std::borrow::Cow<'_, str>> {
    let kind = block.text_of("type")?;
    block.text_of("tool_use_id").filter(|_| kind.ends_with("tool_result"))
}

/// What a block that opens a call says of it.
pub(super) fn call_of(block: Node<'_>, id: &str, at: u64) -> Call {
    let mut call = Call::at(at);
    call.fields
        .text("attempt_id", id)
        .maybe("tool", block.text_of("name"))
        .node("arguments", block.get("input"));
    call
}

impl TraceReader for Messages {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let mut told = false;
        let answers = &mut self.answers;
        walk(record.node, &Around::default(), 0, &mut |node, around| {
            if let Some(id) = opens(node) {
                let mut call = call_of(node, &id, node.at());
                call.cut = !record.ended;
                call.fields
                    .maybe("run_id", around.run.as_deref())
                    .maybe("model", around.model.as_deref())
                    .maybe("sent_at", around.time.as_deref())
                    .node("meta", around.meta);
                calls.open_once(&id, call);
            } else if let Some(id) = answers_to(node) {
                let mut answer = answers.of(node.get("content"), node.truth_of("is_error"));
                if answer.told == Told::Nothing {
                    // A result without content is an answer.
                    answer.told = Told::Yes;
                }
                answer.at = Some(node.at());
                close_once(&id, answer, calls);
            } else {
                return false;
            }
            told = true;
            true
        });
        if !told {
            nothing_in(record, calls);
        }
    }
}

#[cfg(test)]
mod tests;
