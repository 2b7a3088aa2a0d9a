//! OpenAI Chat messages: arrays of messages, requests, completions, trajectories, and logs that hold any of these.
//!
//! The whole history is repeated in every request, so a call and an answer count once by their id. `arguments` are a
//! JSON text that the model wrote; it may be invalid.

use super::answer::Answers;
use super::calls::{Call, Calls, Record, TraceReader};
use super::openai_responses::close_once;
use super::table::Setup;
use super::told::Told;
use super::walk::{Around, nothing_in, walk};
use crate::sources::json::Node;

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn TraceReader> {
    Box::new(Chat { answers: Answers::new() })
}

#[derive(Debug)]
struct Chat {
    answers: Answers,
}

impl Chat {
    fn object(
        &mut self,
        node: Node<'_>,
        around: &Around<'_>,
        record: &Record<'_>,
        calls: &mut Calls<'_>,
    ) -> bool {
        if let Some((id, tool, arguments)) = called(node) {
            let mut call = Call::at(node.at());
            call.cut = !record.ended;
            call.fields
                .text("attempt_id", &id)
                .maybe("tool", tool.text())
                .node("arguments", arguments)
                .maybe("run_id", around.run.as_deref())
                .maybe("model", around.model.as_deref())
                .maybe("sent_at", around.time.as_deref())
                .node("meta", around.meta);
            calls.open_once(&id, call);
            return true;
        }
        let Some(id) = node.text_of("tool_call_id") else { return false };
        if node.get("content").is_none() && node.text_of("role").as_deref() != Some("tool") {
            return false;
        }
        let failed = node.text_of("status").is_some_and(|status| status == "error");
        let mut answer = self.answers.of(node.get("content"), failed.then_some(true));
        if answer.told == Told::Nothing {
            answer.told = Told::Pending;
        }
        answer.at = Some(node.at());
        close_once(&id, answer, calls);
        true
    }
}

/// Id, tool and arguments of a call: an element of `tool_calls`, in the provider's form or in that of frameworks.
fn called(node: Node<'_>) -> Option<(String, Node<'_>, Option<Node<'_>>)> {
    let id = node.text_of("id")?.into_owned();
    if let Some(function) = node.get("function").filter(|function| function.is_object()) {
        return Some((id, function.get("name")?, function.get("arguments")));
    }
    if let Some(custom) = node.get("custom").filter(|custom| custom.is_object()) {
        return Some((id, custom.get("name")?, custom.get("input")));
    }
    let framework = node.text_of("type").as_deref() == Some("tool_call");
    framework.then(|| Some((id, node.get("name")?, node.get("args"))))?
}

impl TraceReader for Chat {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let mut told = false;
        walk(record.node, &Around::default(), 0, &mut |node, around| {
            let found = self.object(node, around, record, calls);
            told |= found;
            found
        });
        if !told {
            nothing_in(record, calls);
        }
    }
}

#[cfg(test)]
mod tests;
