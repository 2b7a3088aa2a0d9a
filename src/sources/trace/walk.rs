//! Going through a document for the objects that are calls and answers, wherever proxies and exports put them, with
//! what the objects around them say.

use std::borrow::Cow;

use super::calls::{Calls, Record};
use crate::sources::json::Node;

/// Objects are looked at so deep.
const DEEP: usize = 24;

/// The rule of a record that is known and holds neither a call nor an answer.
pub const NO_CALL_IN_IT: &str = "message without a call";

/// Counts a record that told of no call: it is one of the format's own (`known`), or says nothing of calls at all.
pub fn count_without_call(calls: &mut Calls<'_>, told: bool, known: bool) {
    match (told, known) {
        (true, _) => {}
        (false, true) => calls.skip(NO_CALL_IN_IT),
        (false, false) => calls.other(),
    }
}

/// The rule of an answer that was met before: histories are repeated in every request.
pub const SAME_ANSWER: &str = "same answer again";

/// Names that a conversation has, in order of right.
const RUNS: [&str; 8] =
    ["conversation_id", "session_id", "sessionId", "thread_id", "trace_id", "traceId", "run_id", "task_id"];

/// Names of the time of an object.
const TIMES: [&str; 3] = ["created_at", "created", "timestamp"];

/// Lists of what was said before: their elements are older than the object that repeats them.
const HISTORY: [&str; 5] = ["messages", "input", "history", "traj", "request"];

/// Members in which no call stands.
const LEFT_OUT: [&str; 5] = ["tools", "functions", "metadata", "usage", "tool_choice"];

/// What the objects around a call say.
#[derive(Debug, Clone, Default)]
pub struct Around<'a> {
    /// Conversation, session, trace.
    pub run: Option<Cow<'a, str>>,
    /// Time.
    pub time: Option<Cow<'a, str>>,
    /// Model.
    pub model: Option<Cow<'a, str>>,
    /// Metadata.
    pub meta: Option<Node<'a>>,
}

/// Goes through a value. `visit` gets every object and says whether it was one: then nothing in it is looked at.
pub fn walk<'a>(
    node: Node<'a>,
    around: &Around<'a>,
    depth: usize,
    visit: &mut dyn FnMut(Node<'a>, &Around<'a>) -> bool,
) {
    if depth > DEEP {
        return;
    }
    if node.is_array() {
        for item in node.items().filter(|item| item.is_object() || item.is_array()) {
            walk(item, around, depth + 1, visit);
        }
        return;
    }
    if !node.is_object() || visit(node, around) {
        return;
    }
    let mut inner = around.clone();
    let mut run = RUNS.len();
    let mut inside = Vec::new();
    for (name, member) in node.members() {
        if member.is_object() || member.is_array() {
            if name.is("metadata") {
                inner.meta = Some(member);
            }
            if !LEFT_OUT.iter().any(|left| name.is(left)) {
                inside.push((HISTORY.iter().any(|list| name.is(list)), member));
            }
            continue;
        }
        if let Some(right) = RUNS.iter().position(|known| name.is(known)).filter(|right| *right < run) {
            if let Some(text) = member.text() {
                (run, inner.run) = (right, Some(text));
            }
        } else if TIMES.iter().any(|known| name.is(known)) {
            inner.time = member.text().or(inner.time);
        } else if name.is("model") {
            inner.model = member.text().or(inner.model);
        }
    }
    for (history, member) in inside {
        if history {
            let before = Around { time: None, ..inner.clone() };
            walk(member, &before, depth + 1, visit);
        } else {
            walk(member, &inner, depth + 1, visit);
        }
    }
}

/// Says of a record in which no call and no answer was found what it is.
pub fn nothing_in(record: &Record<'_>, calls: &mut Calls<'_>) {
    let known = ["role", "type", "object", "messages", "content"];
    let known = record.node.members().any(|(name, _)| known.iter().any(|known| name.is(known)));
    count_without_call(calls, false, known);
}
