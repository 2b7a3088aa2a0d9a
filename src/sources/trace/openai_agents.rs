//! Traces of the OpenAI Agents SDK: `trace` and `trace.span` objects as its processors export them.
//!
//! A function span has no call id, so the span's id is that of the attempt. A tool that timed out leaves `error: null`
//! and a sentence in `output`; `output` is what Python printed. Where content is not recorded, `output` is null and
//! what the caller was told is not known.

use std::collections::HashMap;

use super::answer::Answers;
use super::calls::{Answer, Call, Calls, Record, SAME_CALL, TraceReader};
use super::table::Setup;
use super::told::Told;
use super::walk::{Around, count_without_call, walk};
use crate::sources::json::Node;

/// So many traces are remembered for what their header says.
const TRACES: usize = 1 << 12;

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn TraceReader> {
    Box::new(Agents { answers: Answers::new(), traces: HashMap::new() })
}

#[derive(Debug)]
struct Agents {
    answers: Answers,
    traces: HashMap<String, Header>,
}

/// What the header of a trace says of its spans.
#[derive(Debug, Default)]
struct Header {
    workflow: String,
    group: String,
    metadata: Option<Vec<u8>>,
}

impl Agents {
    fn header(&mut self, node: Node<'_>) {
        let text = |name: &str| node.text_of(name).unwrap_or_default().into_owned();
        if self.traces.len() >= TRACES {
            self.traces.clear();
        }
        let metadata = node.get("metadata").filter(|node| node.is_object()).map(|node| node.raw().to_vec());
        let header = Header { workflow: text("workflow_name"), group: text("group_id"), metadata };
        self.traces.insert(text("id"), header);
    }

    fn span(&mut self, node: Node<'_>, data: Node<'_>, record: &Record<'_>, calls: &mut Calls<'_>) {
        let id = node.text_of("id").unwrap_or_default();
        if !id.is_empty() && !calls.first(&id) {
            return calls.skip(SAME_CALL);
        }
        let trace = node.text_of("trace_id").unwrap_or_default();
        let none = Header::default();
        let header = self.traces.get(&*trace).unwrap_or(&none);
        // A conversation of several traces is one run: the person may say "try again".
        let run = if header.group.is_empty() { &*trace } else { header.group.as_str() };
        let mut call = Call::at(node.at());
        call.cut = !record.ended;
        call.fields
            .maybe("attempt_id", Some(&id))
            .maybe("tool", data.text_of("name"))
            .node("arguments", data.get("input"))
            .maybe("run_id", Some(run))
            .maybe("agent", Some(&header.workflow))
            .maybe("sent_at", node.text_of("started_at").as_deref());
        if let Some(metadata) = &header.metadata {
            call.fields.token("meta", metadata);
        }
        let mut answer = self.told(node, data);
        answer.ended = node.text_of("ended_at").unwrap_or_default().into_owned();
        calls.whole(&call, &answer);
    }

    fn told(&mut self, node: Node<'_>, data: Node<'_>) -> Answer {
        if let Some(error) = node.get("error") {
            let text =
                error.path(&["data", "error"]).and_then(Node::text).or_else(|| error.text_of("message"));
            return self.answers.of_text(&text.unwrap_or_default(), Some(true));
        }
        match data.get("output") {
            Some(output) => self.answers.of(Some(output), None),
            None if node.get("ended_at").is_none() => Answer::default(),
            None => Answer::told(Told::Pending),
        }
    }
}

impl TraceReader for Agents {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let (mut told, mut known) = (false, false);
        walk(record.node, &Around::default(), 0, &mut |node, _| {
            match node.text_of("object").as_deref() {
                Some("trace") => self.header(node),
                Some("trace.span") => {
                    let function = |data: &Node<'_>| data.text_of("type").as_deref() == Some("function");
                    if let Some(data) = node.get("span_data").filter(function) {
                        self.span(node, data, record, calls);
                        told = true;
                    }
                }
                _ => return false,
            }
            known = true;
            true
        });
        count_without_call(calls, told, known);
    }
}

#[cfg(test)]
mod tests;
