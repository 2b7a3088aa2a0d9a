//! Claude Code sessions: one content block a line, the call begins with the line of its `tool_use` and ends with that
//! of its `tool_result`.
//!
//! The format is internal to its program and changes: lines that are not known are skipped. Sessions that were resumed
//! or forked repeat lines, so a call counts once by its id.

use super::answer::Answers;
use super::anthropic::{answers_to, call_of, opens};
use super::calls::{Calls, Record, TraceReader};
use super::openai_responses::close_once;
use super::table::Setup;
use super::told::Told;
use super::walk::count_without_call;
use crate::sources::json::Node;

/// How an answer begins that the program wrote itself when a person or a rule kept the call from running. Read only
/// where the answer is marked as an error.
const KEPT_BACK: [&str; 3] = [
    "The user doesn't want to proceed with this tool use",
    "Claude requested permissions to ",
    "User rejected tool use",
];

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn TraceReader> {
    Box::new(ClaudeCode { answers: Answers::new() })
}

#[derive(Debug)]
struct ClaudeCode {
    answers: Answers,
}

impl ClaudeCode {
    /// Reads one content block; says whether it opens or closes a call.
    fn block(&mut self, block: Node<'_>, line: &Line<'_>, at: u64, calls: &mut Calls<'_>) -> bool {
        if let Some(id) = opens(block) {
            let mut call = call_of(block, &id, at);
            call.cut = !line.ended;
            call.fields
                .maybe("sent_at", line.time.as_deref())
                .maybe("run_id", line.node.text_of("sessionId"))
                .maybe("agent", line.node.text_of("agentId"))
                .maybe("model", line.message.and_then(|message| message.text_of("model")))
                .maybe("decision_id", line.message.and_then(|message| message.text_of("id")));
            calls.open_once(&id, call);
            return true;
        }
        let Some(id) = answers_to(block) else { return false };
        let failed = block.truth_of("is_error");
        let mut answer = self.answers.of(block.get("content"), failed);
        if failed == Some(true) && kept_back(block) {
            answer.told = Told::Refused;
        } else if answer.told == Told::Nothing {
            answer.told = Told::Yes;
        }
        answer.ended = line.time.as_deref().unwrap_or_default().to_owned();
        answer.at = Some(at);
        close_once(&id, answer, calls);
        true
    }
}

/// What a line says of all its blocks.
struct Line<'r> {
    node: Node<'r>,
    message: Option<Node<'r>>,
    time: Option<std::borrow::Cow<'r, str>>,
    ended: bool,
}

/// The call was rejected before it ran.
fn kept_back(block: Node<'_>) -> bool {
    let begins = |text: &str| KEPT_BACK.iter().any(|begin| text.starts_with(begin));
    let Some(content) = block.get("content") else { return false };
    match content.text() {
        Some(text) => begins(&text),
        None => content.items().filter_map(|item| item.text_of("text")).any(|text| begins(&text)),
    }
}

impl TraceReader for ClaudeCode {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let message = record.node.get("message");
        let time = record.node.text_of("timestamp");
        let line = Line { node: record.node, message, time, ended: record.ended };
        // A block alone, when it is looked at again.
        if self.block(record.node, &line, record.at, calls) {
            return;
        }
        let mut told = 0;
        if let Some(content) = message.and_then(|message| message.get("content")) {
            let blocks: Vec<Node<'_>> = content.items().filter(|item| item.is_object()).collect();
            let several = blocks.iter().filter(|block| opens(**block).is_some()).count() > 1;
            for block in blocks {
                // The line is the place of its one call; of several each has its own.
                let at = if several { block.at() } else { record.at };
                told += usize::from(self.block(block, &line, at, calls));
            }
        }
        if told == 0 {
            let ours = ["sessionId", "uuid", "leafUuid", "messageId"];
            let known = record.node.members().any(|(name, _)| ours.iter().any(|ours| name.is(ours)));
            count_without_call(calls, false, known);
        }
    }
}

#[cfg(test)]
mod tests;
