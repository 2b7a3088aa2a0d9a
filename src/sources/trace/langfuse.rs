//! Langfuse observations: pages of its interface, exports of its screen, and the files that it exports to storage.
//!
//! Observations of type TOOL are calls. Older data has spans for them: a span is taken for a call when its input has
//! an amount, a key or a business id. The storage export writes names with `_`, texts where others have objects, empty
//! texts for nothing, and times in UTC without zone.

use super::answer::Answers;
use super::calls::{Answer, Call, Calls, Record, SAME_CALL, TraceReader};
use super::langsmith::utc;
use super::python;
use super::table::Setup;
use super::told::Told;
use super::walk::{Around, count_without_call, walk};
use crate::sources::json::{Name, Node};
use crate::sources::names::{shared, stands_for, trace};

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn TraceReader> {
    Box::new(Observations { answers: Answers::new() })
}

#[derive(Debug)]
struct Observations {
    answers: Answers,
}

/// A member by either spelling.
fn member<'a>(node: Node<'a>, names: [&str; 2]) -> Option<Node<'a>> {
    names.iter().find_map(|name| node.get(name))
}

impl Observations {
    fn call(&mut self, node: Node<'_>, record: &Record<'_>, calls: &mut Calls<'_>) {
        let text = |names: [&str; 2]| member(node, names).and_then(Node::text);
        let id = node.text_of("id").unwrap_or_default();
        if !id.is_empty() && !calls.first(&id) {
            return calls.skip(SAME_CALL);
        }
        let mut call = Call::at(node.at());
        call.cut = !record.ended;
        call.fields
            .maybe("attempt_id", Some(&id))
            .maybe("tool", node.text_of("name"))
            .maybe("run_id", text(["traceId", "trace_id"]))
            .maybe("sent_at", text(["startTime", "start_time"]).map(utc).as_deref())
            .node("meta", node.get("metadata").filter(|node| node.is_object()));
        if let Some(input) = node.get("input") {
            match input.text().as_deref().and_then(python::to_json) {
                Some(json) => call.fields.token("arguments", json.as_bytes()),
                None => call.fields.node("arguments", Some(input)),
            };
        }
        let ended = text(["endTime", "end_time"]);
        let mut answer = self.told(node, ended.is_some());
        answer.ended = ended.map(utc).unwrap_or_default().into_owned();
        calls.whole(&call, &answer);
    }

    fn told(&mut self, node: Node<'_>, ended: bool) -> Answer {
        let message = member(node, ["statusMessage", "status_message"]).and_then(Node::text);
        let failed = node.text_of("level").is_some_and(|level| &*level == "ERROR");
        let output = node.get("output").filter(|output| !matches!(output.raw(), b"\"\"" | b"{}"));
        if failed {
            return match message {
                Some(message) => self.answers.of_text(&message, Some(true)),
                None => self.answers.of(output, Some(true)),
            };
        }
        match (output, message) {
            (Some(output), _) => self.answers.of(Some(output), None),
            (None, Some(message)) if ended => {
                let mut answer = self.answers.of_text(&message, None);
                if answer.told == Told::Yes {
                    answer.told = Told::Pending;
                }
                answer
            }
            (None, _) if ended => Answer::told(Told::Pending),
            (None, _) => Answer::default(),
        }
    }
}

/// The input of a span names what calls are about.
fn is_a_call(node: Node<'_>) -> bool {
    let Some(input) = node.get("input") else { return false };
    let about = |name: Name<'_>| {
        let name = name.text();
        (shared::OPERATION..=shared::AMOUNT_MINOR)
            .filter(|slot| *slot != shared::PARTY)
            .filter_map(|slot| trace::TABLE.get(slot))
            .any(|line| line.names.iter().any(|known| stands_for(known, &name)))
    };
    match input.embedded() {
        Some(text) => Node::new(text.as_bytes(), 0).members().any(|(name, _)| about(name)),
        None => input.members().any(|(name, _)| about(name)),
    }
}

impl TraceReader for Observations {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let (mut told, mut known) = (false, false);
        walk(record.node, &Around::default(), 0, &mut |node, _| {
            let of_trace = member(node, ["traceId", "trace_id"]).is_some();
            let Some(kind) = node.text_of("type").filter(|_| of_trace) else { return false };
            known = true;
            if &*kind == "TOOL" || (&*kind == "SPAN" && is_a_call(node)) {
                self.call(node, record, calls);
                told = true;
            }
            true
        });
        count_without_call(calls, told, known);
    }
}

#[cfg(test)]
mod tests;
