//! LangSmith runs, as its SDK, its command line and its exports write them: tool runs are calls.
//!
//! Times may lack their zone and are UTC. Arguments are often what Python printed of a dict. A run that is pending or
//! has no end was lost.

use std::borrow::Cow;

use super::answer::Answers;
use super::calls::{Answer, Call, Calls, Fields, Record, SAME_CALL, TraceReader};
use super::python;
use super::table::Setup;
use super::walk::{Around, count_without_call, walk};
use crate::sources::json::Node;

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn TraceReader> {
    Box::new(Runs { answers: Answers::new() })
}

#[derive(Debug)]
struct Runs {
    answers: Answers,
}

impl Runs {
    fn run(&mut self, node: Node<'_>, record: &Record<'_>, calls: &mut Calls<'_>) {
        let id = node.text_of("id").or_else(|| node.text_of("run_id")).unwrap_or_default();
        if !id.is_empty() && !calls.first(&id) {
            return calls.skip(SAME_CALL);
        }
        let mut call = Call::at(node.at());
        call.cut = !record.ended;
        call.fields
            .maybe("attempt_id", Some(&id))
            .maybe("tool", node.text_of("name"))
            .maybe("run_id", node.text_of("trace_id"))
            .maybe("sent_at", node.text_of("start_time").map(utc).as_deref())
            .node("meta", node.path(&["extra", "metadata"]).or_else(|| node.get("metadata")));
        arguments(node, &mut call.fields);
        tags(node, &mut call.fields);
        let mut answer = match node.text_of("error") {
            Some(error) => self.answers.of_text(&error, Some(true)),
            None if node.text_of("status").as_deref() == Some("error") => self.answers.of(None, Some(true)),
            None => match node.get("outputs").filter(|node| node.members().next().is_some()) {
                Some(outputs) => self.answers.of(Some(outputs), None),
                None if node.text_of("status").as_deref() == Some("success") => {
                    self.answers.of_text("", None)
                }
                None => Answer::default(),
            },
        };
        answer.ended = node.text_of("end_time").map(utc).unwrap_or_default().into_owned();
        calls.whole(&call, &answer);
    }
}

/// Arguments of a tool run: `inputs`, or the one text in it that holds them.
fn arguments(node: Node<'_>, fields: &mut Fields) {
    let Some(inputs) = node.get("inputs") else { return };
    let only = inputs.get("input").filter(|_| inputs.members().count() == 1);
    let text = only.unwrap_or(inputs).text();
    match text.as_deref().and_then(python::to_json) {
        Some(json) => fields.token("arguments", json.as_bytes()),
        None => fields.node("arguments", Some(only.unwrap_or(inputs))),
    };
}

/// Tags as names and values, for mappings: `seq:step:1` is `seq` with `step:1`.
fn tags(node: Node<'_>, fields: &mut Fields) {
    let mut inner = Fields::default();
    let mut names: Vec<String> = Vec::new();
    for tag in node.get("tags").into_iter().flat_map(Node::items).filter_map(Node::string) {
        if let Some((name, value)) = tag.split_once([':', '=']).filter(|(name, _)| !name.is_empty())
            && !names.iter().any(|known| known == name)
        {
            inner.text(name, value);
            names.push(name.to_owned());
        }
    }
    fields.object("tags", &inner);
}

/// A time without a zone is UTC.
pub(super) fn utc(time: Cow<'_, str>) -> Cow<'_, str> {
    let clock = time.split_once([' ', 'T']).map(|(_, clock)| clock);
    if clock.is_some_and(|clock| !clock.contains(['Z', 'z', '+', '-'])) {
        return Cow::Owned(format!("{time}Z"));
    }
    time
}

impl TraceReader for Runs {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let (mut told, mut known) = (false, false);
        walk(record.node, &Around::default(), 0, &mut |node, _| {
            let Some(kind) = node.text_of("run_type") else { return false };
            known = true;
            if &*kind == "tool" {
                self.run(node, record, calls);
                told = true;
            }
            // Runs may hold the runs below them.
            node.get("child_runs").is_none()
        });
        count_without_call(calls, told, known);
    }
}

#[cfg(test)]
mod tests;
