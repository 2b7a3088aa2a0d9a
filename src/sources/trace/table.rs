//! The trace formats of other systems, one row each: how a file of it is recognised, cut into records, and read.
//!
//! A new format is one row here and one file beside this one.

use super::calls::TraceReader;
use crate::sources::spec::{Column, Options};

/// How a source of a format is cut into records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// JSON: lines, an array, pretty-printed or concatenated values. What stands in one of these lists of an object
    /// (`data`, `log.entries`) is taken out of it; an empty list of names leaves every value whole.
    Json(&'static [&'static str]),
    /// The same where every value is a record with all that it holds; only one that is damaged is taken apart by these
    /// lists, so that it loses no more than what is damaged.
    Document(&'static [&'static str]),
    /// Lines of text.
    Lines,
    /// Lines, each of them JSON or text.
    Either,
}

impl Cut {
    /// The lists that are taken apart.
    pub fn lists(self) -> &'static [&'static str] {
        match self {
            Self::Json(lists) => lists,
            Self::Document(_) | Self::Lines | Self::Either => &[],
        }
    }
}

/// Which side of the calls a format shows (`formats.md` 0.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// What went over the wire: answers are there though the caller may not have seen them.
    Wire,
    /// What the agent was told.
    Agent,
}

/// What a reader is made with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Setup {
    /// Fields that the mapping names.
    pub fields: Vec<String>,
    /// The mapping asks for attributes, metadata, headers, tags or other paths: the reader writes them down.
    pub paths: Vec<String>,
}

impl Setup {
    /// What the mapping of a source asks for.
    pub fn of(options: &Options) -> Self {
        let path = |column: &Column| match column {
            Column::From { column, .. } => Some(column.clone()),
            Column::Const(_) => None,
        };
        let fields = options.columns.iter().map(|(field, _)| field.clone()).collect();
        Self { fields, paths: options.columns.iter().filter_map(|(_, column)| path(column)).collect() }
    }

    /// The mapping says where this field stands.
    pub fn maps(&self, field: &str) -> bool {
        self.fields.iter().any(|known| known == field)
    }

    /// A mapping has a path that begins so (`attr:`, `header:`, `meta.`, `tag:`).
    pub fn asks(&self, beginning: &str) -> bool {
        self.paths.iter().any(|path| path.starts_with(beginning))
    }

    /// What stands behind such beginnings.
    pub fn below(&self, beginning: &str) -> Vec<String> {
        self.paths.iter().filter_map(|path| path.strip_prefix(beginning)).map(str::to_owned).collect()
    }
}

/// Makes a reader of a format.
pub type Make = fn(&Setup) -> Box<dyn TraceReader>;

/// Looks at the first lines of a text: what is seen in them, in words.
pub type SeeText = fn(&[&str]) -> Option<&'static str>;

/// One format.
#[derive(Debug, Clone, Copy)]
pub struct TraceFormat {
    /// Its name (`7-commands.md` 7.5.9).
    pub name: &'static str,
    /// Paths that one of the first records has, any of these lists; `path=value` asks for the value too.
    pub marks: &'static [&'static [&'static str]],
    /// For text that is no JSON: what is seen in the first lines, in words.
    pub text: Option<SeeText>,
    /// How it is cut.
    pub cut: Cut,
    /// Which side of the calls it shows.
    pub view: View,
    /// Makes a reader; `None` where this build only recognises the format.
    pub reader: Option<Make>,
}

const fn row(
    name: &'static str,
    view: View,
    cut: Cut,
    marks: &'static [&'static [&'static str]],
    reader: Option<Make>,
) -> TraceFormat {
    TraceFormat { name, marks, text: None, cut, view, reader }
}

impl TraceFormat {
    const fn or_text(self, text: SeeText) -> Self {
        Self { text: Some(text), ..self }
    }
}

const WHOLE: Cut = Cut::Json(&[]);
const DATA: Cut = Cut::Json(&["data"]);
const EVENTS: Cut = Cut::Document(&["events", "history.events"]);
const ITEMS: Cut = Cut::Document(&["output", "data", "input", "items"]);
const CHAT: Cut = Cut::Document(&["messages", "choices", "data", "traj"]);
const MESSAGES: Cut = Cut::Document(&["messages", "content", "data"]);
const RUNS: Cut = Cut::Document(&["runs", "data"]);
const OBSERVATIONS: Cut = Cut::Document(&["data", "observations"]);

const MCP: &[&[&str]] = &[
    &["jsonrpc"],
    &["msg.jsonrpc"],
    &["message.jsonrpc"],
    &["frame.jsonrpc"],
    &["payload.jsonrpc"],
    &["data.jsonrpc"],
    &["json.jsonrpc"],
    &["rpc.jsonrpc"],
    &["body.jsonrpc"],
];

/// All of them. The order matters: what is more particular comes first.
pub const TRACES: &[TraceFormat] = &[
    row(
        "otlp",
        View::Agent,
        Cut::Json(&["resourceSpans"]),
        &[
            &["resourceSpans"],
            &["traceId", "spanId", "startTimeUnixNano"],
            &["context.trace_id", "context.span_id", "start_time"],
        ],
        Some(super::otlp::reader),
    ),
    row("jaeger", View::Agent, DATA, &[&["data.[].spans"], &["traceID", "spans"]], Some(super::otlp::reader)),
    row("har", View::Wire, Cut::Json(&["log.entries"]), &[&["log.entries"]], Some(super::har::reader)),
    row(
        "temporal",
        View::Agent,
        EVENTS,
        &[
            &["events.[].eventType"],
            &["events.[].eventId", "events.[].eventTime"],
            &["history.events.[].eventType"],
            &["eventId", "eventTime", "eventType"],
        ],
        Some(super::temporal::reader),
    ),
    row(
        "mcp-inspector",
        View::Wire,
        WHOLE,
        &[
            &["message.jsonrpc", "direction"],
            &["id", "message.jsonrpc"],
            &["requestHeaders", "method", "url"],
        ],
        Some(super::inspector::reader),
    ),
    row("mcp", View::Wire, WHOLE, MCP, Some(super::mcp::reader)),
    row("claude-desktop", View::Wire, Cut::Lines, &[], Some(super::desktop::reader)).or_text(desktop),
    row(
        "openai-agents",
        View::Agent,
        DATA,
        &[&["object=trace.span"], &["object=trace", "workflow_name"]],
        Some(super::openai_agents::reader),
    ),
    row(
        "openai-responses",
        View::Agent,
        ITEMS,
        &[&["object=response", "output"], &["type=function_call", "arguments", "call_id"]],
        Some(super::openai_responses::reader),
    ),
    row(
        "openai-chat",
        View::Agent,
        CHAT,
        &[
            &["object=chat.completion"],
            &["role=assistant", "tool_calls"],
            &["messages.[].role", "messages.[].tool_calls"],
        ],
        Some(super::openai_chat::reader),
    ),
    row(
        "codex",
        View::Agent,
        WHOLE,
        &[
            &["payload", "timestamp", "type=session_meta"],
            &["payload", "timestamp", "type=response_item"],
            &["payload", "timestamp", "type=event_msg"],
        ],
        Some(super::codex::reader),
    ),
    row(
        "claude-code",
        View::Agent,
        WHOLE,
        &[&["sessionId", "message"], &["sessionId", "uuid", "type"]],
        Some(super::claude_code::reader),
    ),
    row(
        "anthropic",
        View::Agent,
        MESSAGES,
        &[&["messages.[].content", "model"]],
        Some(super::anthropic::reader),
    ),
    row("langsmith", View::Agent, RUNS, &[&["run_type"]], Some(super::langsmith::reader)),
    row(
        "langfuse",
        View::Agent,
        OBSERVATIONS,
        &[
            &["traceId", "statusMessage"],
            &["traceId", "type", "startTime"],
            &["trace_id", "project_id", "type", "start_time"],
            &["data.[].traceId", "data.[].startTime"],
        ],
        Some(super::langfuse::reader),
    ),
    row("jepsen", View::Agent, Cut::Lines, &[], Some(super::jepsen::reader)).or_text(jepsen),
    row(
        "access-log",
        View::Wire,
        Cut::Either,
        &[
            &["remote_addr", "request"],
            &["response_code", "response_flags"],
            &["remote_addr", "request_method", "status"],
            &["remote_addr", "request_uri", "status"],
            &["method", "path", "response_code"],
        ],
        Some(super::access::reader),
    )
    .or_text(combined),
];

/// Formats whose calls are known by their own shape, so that they are found in whatever wrapper a log puts around them.
pub const ANYWHERE: [&str; 7] =
    ["openai-responses", "openai-chat", "anthropic", "openai-agents", "langsmith", "langfuse", "temporal"];

/// The row of a name.
pub fn traced(name: &str) -> Option<&'static TraceFormat> {
    TRACES.iter().find(|format| format.name == name)
}

/// Levels of the log, as they stand behind the server's name.
const LEVELS: [&str; 4] = ["] [info]", "] [error]", "] [warn]", "] [debug]"];

fn desktop(lines: &[&str]) -> Option<&'static str> {
    let log = |line: &&str| {
        let begins = line.starts_with(|first: char| first.is_ascii_digit());
        begins && line.contains("Z [") && LEVELS.iter().any(|level| line.contains(level))
    };
    lines.iter().any(log).then_some("log lines with a server and a level in brackets")
}

fn jepsen(lines: &[&str]) -> Option<&'static str> {
    if lines.iter().find(|line| !line.trim().is_empty()).is_some_and(|line| {
        let line = line.trim_start();
        ["{:", "[{:", "#jepsen"].iter().any(|begin| line.starts_with(begin))
    }) {
        return Some("it is EDN, as Jepsen's histories are");
    }
    let log = |line: &&str| {
        let invoked = line.contains("\t:invoke\t") || (line.contains("jepsen.") && line.contains(":invoke"));
        invoked && !line.starts_with(['{', '['])
    };
    lines.iter().any(log).then_some("lines with :invoke, as Jepsen's logs have")
}

fn combined(lines: &[&str]) -> Option<&'static str> {
    let log = |line: &&str| {
        let request = line.contains("] \"") && line.contains(" HTTP/") && line.contains(" - ");
        request && !line.starts_with(['{', '['])
    };
    lines.iter().any(log).then_some("lines with a request and a status in quotes and brackets")
}
