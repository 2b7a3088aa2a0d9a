//! MCP: JSON-RPC frames as they were written down, bare or in a wrapper with a time and a direction (`formats.md` 2).
//!
//! A frame with a method is a request of whoever sent it; its answer has the same id. Ids begin again with every
//! session, so a call is known by the session and the id, and `7` is another id than `"7"`.
//!
//! What a timeout leaves differs by client: a `notifications/cancelled`, or nothing at all. An answer behind a
//! cancellation is one that the caller did not see. Where the same call goes out again while the first is open, its
//! caller had given up on it: an answer that comes later did not reach it either.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use super::calls::{Answer, Call, Calls, Handle, MOST_OPEN, NO_CALL, Record, TraceReader};
use super::table::Setup;
use super::told::Told;
use crate::sources::frame::end_of;
use crate::sources::json::{Kind, Node};

/// Names under which a wrapper holds the frame.
const FRAME: [&str; 8] = ["msg", "message", "frame", "payload", "data", "json", "rpc", "body"];
/// Names of a wrapper's time.
const TIME: [&str; 6] = ["t", "ts", "time", "timestamp", "at", "@timestamp"];
/// Names of a wrapper's session or connection.
const SESSION: [&str; 6] = ["session", "session_id", "sessionId", "mcp-session-id", "connection", "conn"];
/// Names of a wrapper's server.
const SERVER: [&str; 3] = ["server", "server_name", "serverName"];

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn TraceReader> {
    Box::new(Mcp::default())
}

#[derive(Debug, Default)]
struct Mcp {
    frames: Frames,
}

impl TraceReader for Mcp {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let found = frame_in(record.node);
        let Some(frame) = found.or_else(|| batch_in(record.node)) else { return calls.other() };
        let inside = frame.at() != record.node.at();
        let [time, from, server] = if inside { around(record.node) } else { Default::default() };
        let context = Context {
            place: record.at,
            time: &time,
            session: &from,
            server: &server,
            cut: !record.ended,
            within: false,
        };
        if frame.is_array() {
            for one in frame.items() {
                self.frames.frame(one, &Context { place: one.at(), ..context.clone() }, calls);
            }
            return;
        }
        self.frames.frame(frame, &context, calls);
    }
}

/// The frame of a record: itself, or inside a wrapper.
pub(super) fn frame_in(node: Node<'_>) -> Option<Node<'_>> {
    if node.get("jsonrpc").is_some() {
        return Some(node);
    }
    node.members()
        .find(|(name, value)| {
            value.is_object() && FRAME.iter().any(|known| name.is(known)) && value.get("jsonrpc").is_some()
        })
        .map(|(_, value)| value)
}

/// What a wrapper says beside its frame: time, session, server; empty where it says nothing.
fn around(node: Node<'_>) -> [Cow<'_, str>; 3] {
    const NAMES: [&[&str]; 3] = [&TIME, &SESSION, &SERVER];
    let mut found: [(usize, Cow<'_, str>); 3] = NAMES.map(|names| (names.len(), Cow::default()));
    for (name, value) in node.members() {
        for (names, found) in NAMES.iter().zip(&mut found) {
            let rank = names.iter().position(|known| name.is(known)).filter(|rank| *rank < found.0);
            if let Some((rank, text)) = rank.zip(value.text()) {
                *found = (rank, text);
            }
        }
    }
    found.map(|(_, text)| text)
}

/// Several frames in one wrapper.
fn batch_in(node: Node<'_>) -> Option<Node<'_>> {
    FRAME.iter().find_map(|name| node.get(name)).filter(|list| {
        list.is_array() && list.items().next().is_some_and(|first| first.get("jsonrpc").is_some())
    })
}

/// What stands around a frame.
#[derive(Debug, Clone, Default)]
pub(super) struct Context<'c> {
    /// The place of the call.
    pub(super) place: u64,
    /// When it was written; empty where that is not known.
    pub(super) time: &'c str,
    /// The session, where the record names one.
    pub(super) session: &'c str,
    /// The server; empty where that is not known.
    pub(super) server: &'c str,
    /// The last line has no line end.
    pub(super) cut: bool,
    /// The answer stands in the record of its call.
    pub(super) within: bool,
}

/// Reads frames one after another.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// Sessions that began so far, by server: the first has the number 0.
    sessions: HashMap<String, u64>,
    /// Calls by a print of what they ask for: to see that the same is sent again while the first is open.
    asked: HashMap<u64, Handle, RandomState>,
    /// Tools that say of themselves that they only read, or that they write.
    hints: HashMap<String, bool>,
    /// Requests for the list of tools, whose answer has the hints.
    lists: Vec<String>,
    /// Calls that go on as a task, by its id; and requests for what became of one.
    tasks: HashMap<String, String>,
    polls: HashMap<String, String>,
    /// Servers with a call since their session began.
    busy: HashSet<String>,
}

impl Frames {
    /// A new session of this server: ids begin again.
    pub(super) fn begin(&mut self, server: &str) {
        if self.busy.remove(server) {
            *self.sessions.entry(server.to_owned()).or_default() += 1;
        }
    }

    /// An answer that stands in the record of its call: a frame that is no answer says nothing here.
    pub(super) fn within(&mut self, frame: Node<'_>, context: &Context<'_>, calls: &mut Calls<'_>) {
        if let (Some(id), None) = (frame.get("id"), frame.get("method")) {
            let name = self.name(id, context);
            if self.lists.contains(&name) {
                self.lists.retain(|list| *list != name);
                self.learn(frame.get("result"));
            } else if calls.is_open(&name) {
                self.answer(id, frame.get("result"), frame.get("error"), context, calls);
            }
        }
    }

    /// A call ended for its caller without a frame that says so.
    pub(super) fn ended(&mut self, id: Node<'_>, told: Told, context: &Context<'_>, calls: &mut Calls<'_>) {
        let name = self.name(id, context);
        if calls.is_open(&name) {
            calls.gave_up(&name, Answer { ended: context.time.to_owned(), told, ..Answer::default() });
        }
    }

    /// A frame that was cut in its middle: its id and what stands at its ends are enough to know whose it is. Gives
    /// whether it was.
    pub(super) fn cut_frame(&mut self, text: &str, context: &Context<'_>, calls: &mut Calls<'_>) -> bool {
        let Some(id) = after(text, "\"id\":").and_then(|rest| {
            let end = end_of(rest.as_bytes(), 0)?;
            rest.get(..end)
        }) else {
            return false;
        };
        let id = Node::new(id.as_bytes(), context.place);
        if text.contains("\"method\":\"tools/call\"") {
            let tool = after(text, "\"name\":").and_then(|rest| rest.get(..end_of(rest.as_bytes(), 0)?));
            let name = self.name(id, context);
            let mut call = Call::at(context.place);
            call.fields.node("tool", tool.map(|tool| Node::new(tool.as_bytes(), 0)));
            call.fields.maybe("sent_at", Some(context.time));
            self.is_busy(context.server);
            calls.open(&name, call);
            return true;
        }
        let name = self.name(id, context);
        if !calls.is_open(&name) {
            return false;
        }
        let tail = text.rsplit_once(CUT_MARK).map_or("", |(_, tail)| tail);
        let told = match () {
            () if text.contains("\"error\":{") || tail.contains("\"isError\":true") => {
                Told::Error(String::new())
            }
            () if tail.contains("\"isError\":false") => Told::Yes,
            () => Told::Pending,
        };
        calls.close(
            &name,
            Answer { at: Some(context.place), ended: context.time.to_owned(), told, ..Answer::default() },
        )
    }

    /// The name of a call: server, session and id.
    fn name(&self, id: Node<'_>, context: &Context<'_>) -> String {
        let number;
        let session = match context.session {
            "" => {
                number = self.sessions.get(context.server).copied().unwrap_or_default().to_string();
                number.as_str()
            }
            session => session,
        };
        let id = String::from_utf8_lossy(id.raw());
        let parts = [context.server, if context.server.is_empty() { "" } else { "/" }, session, "/", &id];
        let mut name = String::with_capacity(parts.iter().map(|part| part.len()).sum());
        for part in parts {
            name.push_str(part);
        }
        name
    }

    /// Reads one frame.
    pub(super) fn frame(&mut self, frame: Node<'_>, context: &Context<'_>, calls: &mut Calls<'_>) {
        let (mut method, mut id, mut params, mut result, mut error) = (None, None, None, None, None);
        for (name, value) in frame.members() {
            let slot = match () {
                () if name.is("method") => &mut method,
                () if name.is("id") => &mut id,
                () if name.is("params") => &mut params,
                () if name.is("result") => &mut result,
                () if name.is("error") => &mut error,
                () => continue,
            };
            *slot = Some(value).filter(|value| !value.is_null());
        }
        let method = method.and_then(Node::string);
        match (method.as_deref(), id) {
            (Some("tools/call"), Some(id)) => self.call(id, params, context, calls),
            (Some("tasks/get" | "tasks/result" | "tasks/update"), Some(id)) => {
                let task = params.and_then(|params| params.text_of("taskId")).unwrap_or_default();
                if let Some(call) = self.tasks.get(task.as_ref()).filter(|_| self.polls.len() < MOST_OPEN) {
                    self.polls.insert(self.name(id, context), call.clone());
                }
                calls.skip(OTHER_METHOD);
            }
            (Some("tools/list"), Some(id)) => {
                self.lists.push(self.name(id, context));
                calls.skip(OTHER_METHOD);
            }
            (Some("initialize"), Some(_)) => {
                self.begin(context.server);
                calls.skip(OTHER_METHOD);
            }
            (Some("notifications/cancelled"), _) => self.cancelled(params, context, calls),
            (Some(_), _) => calls.skip(OTHER_METHOD),
            (None, Some(id)) => self.answer(id, result, error, context, calls),
            (None, None) => calls.other(),
        }
    }

    fn call(&mut self, id: Node<'_>, params: Option<Node<'_>>, context: &Context<'_>, calls: &mut Calls<'_>) {
        let name = self.name(id, context);
        let part = |field: &str| params.and_then(|params| params.get(field));
        let tool = part("name").and_then(Node::text).unwrap_or_default();
        let arguments = part("arguments");
        let same = self.asked.hasher().hash_one((context.server, &tool, arguments.map(Node::raw)));
        if self.asked.len() > MOST_OPEN * 2 {
            self.asked.retain(|_, before| calls.waits(*before));
        }
        if let Some(before) = self.asked.get(&same)
            && let Some((before, answer)) = calls.known(*before)
            && *before != *name
            && answer.told == Told::Nothing
        {
            // The same again while the first is open: its caller had given up.
            *answer = Answer { told: Told::Timeout, ..Answer::default() };
        }
        let mut call = Call::at(context.place);
        call.cut = context.cut;
        call.read = self.hints.get(tool.as_ref()).copied();
        // Without a session the id is nobody's but this file's.
        call.fields.maybe("attempt_id", Some(&name).filter(|_| !context.session.is_empty()));
        call.fields.maybe("run_id", Some(context.session));
        call.fields.maybe("tool", Some(tool)).node("arguments", arguments);
        call.fields.maybe("sent_at", Some(context.time));
        if let Some(meta) = part("_meta").filter(|meta| meta.is_object()) {
            call.fields.maybe("operation_id", meta.text_of("operation_id"));
            let key = ["idempotency_key", "idempotencyKey", "idempotency-key"];
            call.fields.maybe("idempotency_key", key.iter().find_map(|name| meta.text_of(name)));
            call.fields.node("meta", Some(meta));
        }
        self.is_busy(context.server);
        let handle = calls.open(&name, call);
        self.asked.insert(same, handle);
    }

    fn is_busy(&mut self, server: &str) {
        if !self.busy.contains(server) {
            self.busy.insert(server.to_owned());
        }
    }

    fn cancelled(&mut self, params: Option<Node<'_>>, context: &Context<'_>, calls: &mut Calls<'_>) {
        let Some(id) = params.and_then(|params| params.get("requestId")) else {
            return calls.skip(OTHER_METHOD);
        };
        let name = self.name(id, context);
        let reason = params.and_then(|params| params.text_of("reason")).unwrap_or_default();
        let told = match Told::of_error(&reason) {
            Told::Error(_) => Told::Cancelled,
            told => told,
        };
        let mut answer =
            Answer { at: Some(context.place), ended: context.time.to_owned(), told, ..Answer::default() };
        answer.fields.maybe("text", Some(reason));
        if !calls.gave_up(&name, answer) {
            calls.skip(NO_CALL);
        }
    }

    fn answer(
        &mut self,
        id: Node<'_>,
        result: Option<Node<'_>>,
        error: Option<Node<'_>>,
        context: &Context<'_>,
        calls: &mut Calls<'_>,
    ) {
        let name = self.name(id, context);
        if let Some(at) = self.lists.iter().position(|list| *list == name) {
            self.lists.swap_remove(at);
            self.learn(result);
            return calls.skip(OTHER_METHOD);
        }
        if let Some(call) = self.polls.remove(&name) {
            return Self::polled(&call, result, error, context, calls);
        }
        if let Some(task) = result.and_then(task_of) {
            // The call goes on: what becomes of it is asked for later.
            if calls.is_open(&name) && self.tasks.len() < MOST_OPEN {
                self.tasks.insert(task, name);
                return calls.used();
            }
        }
        let mut answer = answer_of(result, error);
        context.time.clone_into(&mut answer.ended);
        answer.at = Some(context.place).filter(|_| !context.within);
        if !calls.close(&name, answer) {
            calls.skip(NO_CALL);
        }
    }

    /// What became of a task.
    fn polled(
        call: &str,
        result: Option<Node<'_>>,
        error: Option<Node<'_>>,
        context: &Context<'_>,
        calls: &mut Calls<'_>,
    ) {
        let inside = result.and_then(|result| result.get("result")).or(result);
        let status = result.and_then(|result| {
            result.text_of("status").or_else(|| result.get("task").and_then(|task| task.text_of("status")))
        });
        let whole = inside.is_some_and(|result| {
            result.get("content").is_some() || result.get("structuredContent").is_some()
        });
        let mut answer = match status.as_deref() {
            _ if whole || error.is_some() => answer_of(inside, error),
            Some("failed") => Answer::told(Told::Error("failed".to_owned())),
            Some("cancelled") => Answer::told(Told::Cancelled),
            _ => return calls.skip(OTHER_METHOD),
        };
        context.time.clone_into(&mut answer.ended);
        answer.at = Some(context.place);
        if !calls.close(call, answer) {
            calls.skip(NO_CALL);
        }
    }

    /// What the list of tools says of each.
    fn learn(&mut self, result: Option<Node<'_>>) {
        for tool in result.and_then(|result| result.get("tools")).into_iter().flat_map(Node::items) {
            let hint = tool.get("annotations").and_then(|hints| hints.truth_of("readOnlyHint"));
            if let (Some(name), Some(reads)) = (tool.text_of("name"), hint) {
                self.hints.insert(name.into_owned(), reads);
            }
        }
    }
}

/// What an answer says.
pub(super) fn answer_of(result: Option<Node<'_>>, error: Option<Node<'_>>) -> Answer {
    if let Some(error) = error {
        let message = error.text_of("message").unwrap_or_default();
        let code = error.text_of("code").and_then(|code| code.parse().ok()).unwrap_or_default();
        let mut answer = Answer::told(Told::of_json_rpc(code, &message));
        answer.fields.maybe("text", Some(message));
        return answer;
    }
    let Some(result) = result else { return Answer::told(Told::Pending) };
    let text = result.get("content").and_then(|content| {
        content.items().find(|part| part.text_of("type").as_deref() == Some("text"))?.get("text")
    });
    let is_error = result.truth_of("isError").unwrap_or(false);
    let words = || text.and_then(Node::string).unwrap_or_default();
    // Objects and lists are answers, whatever stands in them.
    let holds = text.is_some_and(|text| text.raw().starts_with(b"\"{") || text.raw().starts_with(b"\"["));
    let told = if is_error {
        Told::of_error(&words())
    } else if result.text_of("resultType").is_some_and(|kind| kind != "complete") {
        // A task that goes on, or a question back: not an answer yet.
        Told::Pending
    } else if holds {
        Told::Yes
    } else {
        Told::of_output(&words())
    };
    let mut answer = Answer::told(told);
    let structured = result.get("structuredContent").filter(|node| node.is_object());
    answer.fields.node("result", structured.and_then(wrapped).or(structured).or(text));
    if is_error {
        answer.fields.maybe("text", Some(words()));
    }
    answer
}

/// The id of the task as which a call goes on.
fn task_of(result: Node<'_>) -> Option<String> {
    let task = result.get("task").filter(|task| task.is_object()).unwrap_or(result);
    task.text_of("taskId").map(Cow::into_owned)
}

/// Structured content that only wraps a text, as one SDK does: `{"result": ".."}`.
fn wrapped(node: Node<'_>) -> Option<Node<'_>> {
    let mut members = node.members();
    let (name, value) = members.next()?;
    (name.is("result") && members.next().is_none() && value.kind() == Some(Kind::Text)).then_some(value)
}

/// What stands where a frame was cut.
const CUT_MARK: &str = " chars truncated]";

/// What stands behind a text, without white space.
fn after<'t>(text: &'t str, mark: &str) -> Option<&'t str> {
    text.split_once(mark).map(|(_, rest)| rest.trim_start())
}

/// The rule of frames that are no calls of tools.
const OTHER_METHOD: &str = "another method than tools/call";

/// The text of an SSE body: the frames in its `data:` lines.
pub(super) fn sse_frames(body: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut lines = body.lines();
    std::iter::from_fn(move || {
        let mut event = String::new();
        for line in lines.by_ref() {
            match line.strip_prefix("data:") {
                Some(data) => event.push_str(data.strip_prefix(' ').unwrap_or(data)),
                None if line.is_empty() && !event.is_empty() => return Some(Cow::Owned(event)),
                None => {}
            }
        }
        (!event.is_empty()).then_some(Cow::Owned(event))
    })
}
