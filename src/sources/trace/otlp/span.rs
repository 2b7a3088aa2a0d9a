//! One span, whatever wrote it down: ids, times, what its attributes say, what its status and events say.

use std::borrow::Cow;

use super::super::calls::{Call, Fields};
use super::super::http::{bare_key, route};
use super::super::told::Told;
use super::attributes::{Meaning, TOOL_WORDS, meaning};
use crate::sources::json::{Kind as JsonKind, Node};

/// What a span is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// A tool, as the agent or its framework sees it.
    Tool,
    /// A call of a tool over MCP.
    Mcp,
    /// A request of HTTP.
    Http,
    /// Nothing of a call.
    #[default]
    Other,
}

/// What a mapping wants beside the fields.
#[derive(Debug, Clone, Default)]
pub(super) struct Wants {
    /// Attributes by name.
    pub(super) attributes: Vec<String>,
    /// Headers of requests by name.
    pub(super) headers: Vec<String>,
}

/// A span of a call. Texts are empty where nothing is said.
#[derive(Debug, Clone, Default)]
pub(super) struct Span {
    pub(super) at: u64,
    pub(super) trace: String,
    pub(super) id: String,
    pub(super) parent: String,
    pub(super) print: u64,
    pub(super) above: u64,
    pub(super) kind: Kind,
    /// Kind 2: the side that is asked.
    pub(super) server: bool,
    pub(super) start: String,
    pub(super) end: String,
    pub(super) tool: String,
    pub(super) call_id: String,
    /// JSON.
    pub(super) arguments: String,
    /// JSON.
    pub(super) result: String,
    pub(super) key: String,
    pub(super) run: String,
    pub(super) agent: String,
    pub(super) model: String,
    pub(super) replayed: bool,
    pub(super) message: String,
    /// Attributes that the mapping wants, as JSON.
    pub(super) attributes: Vec<(String, String)>,
    /// Headers that it wants.
    pub(super) headers: Vec<(String, String)>,
    pub(super) cut: bool,
    /// Calls that a model asks for in this span.
    pub(super) asks: Vec<(String, Call)>,
    /// Answers of calls that a model was given in this span: the id and the JSON.
    pub(super) answers: Vec<(String, String)>,
    error: String,
    rpc: String,
    http: Option<u16>,
    failed: bool,
}

/// What is only needed while the attributes are read.
#[derive(Debug, Default)]
struct Reading {
    is_tool: bool,
    is_mcp: bool,
    method: String,
    route: String,
    url: String,
    entity: String,
    input: String,
    output: String,
    exception: String,
    /// Names of calls that a model asks for, by the part of the attribute's name before.
    asked: Vec<(String, [String; 3])>,
}

impl Span {
    /// A span of OTLP/JSON.
    pub(super) fn otlp(node: Node<'_>, wants: &Wants, service: Option<&str>) -> Option<Self> {
        let mut span = Self { at: node.at(), ..Self::default() };
        let mut reading = Reading::default();
        let mut code = None;
        for (name, value) in node.members() {
            match () {
                () if name.is("traceId") => span.trace = id_of(value),
                () if name.is("spanId") => span.id = id_of(value),
                () if name.is("parentSpanId") => span.parent = id_of(value),
                () if name.is("startTimeUnixNano") => span.start = text(value),
                () if name.is("endTimeUnixNano") => {
                    span.end = Some(text(value)).filter(|end| end != "0").unwrap_or_default();
                }
                () if name.is("kind") => span.server = matches!(value.raw(), b"2" | b"\"SPAN_KIND_SERVER\""),
                () if name.is("attributes") => {
                    for (key, value) in pairs(value) {
                        span.attribute(&key, value, wants, &mut reading);
                    }
                }
                () if name.is("events") => {
                    for (key, value) in
                        value.items().filter_map(|event| event.get("attributes")).flat_map(pairs)
                    {
                        exception(&key, value, &mut span, &mut reading);
                    }
                }
                () if name.is("status") => {
                    code = value.text_of("code");
                    span.message = value.text_of("message").unwrap_or_default().into_owned();
                }
                () => {}
            }
        }
        span.failed = matches!(code.as_deref(), Some("2" | "STATUS_CODE_ERROR"));
        span.agent_of(service);
        span.settle(reading)
    }

    /// A span of Jaeger's download.
    pub(super) fn jaeger(node: Node<'_>, wants: &Wants, processes: Option<Node<'_>>) -> Option<Self> {
        let start = node.text_of("startTime").unwrap_or_default();
        let took = node.text_of("duration").and_then(|took| took.parse::<i64>().ok());
        let end =
            start.parse::<i64>().ok().zip(took).map(|(start, took)| start.saturating_add(took).to_string());
        let parent = node.get("references").and_then(|references| {
            references
                .items()
                .find(|one| one.text_of("refType").as_deref() != Some("FOLLOWS_FROM"))?
                .get("spanID")
        });
        let mut span = Self {
            at: node.at(),
            trace: node.get("traceID").map(id_of).unwrap_or_default(),
            id: node.get("spanID").map(id_of).unwrap_or_default(),
            parent: parent.map(id_of).unwrap_or_default(),
            end: end.unwrap_or_default(),
            start: start.into_owned(),
            ..Self::default()
        };
        let mut reading = Reading::default();
        for (key, value) in node.get("tags").into_iter().flat_map(pairs) {
            match key.as_ref() {
                "error" => span.failed |= value.raw() == b"true" || value.text().as_deref() == Some("true"),
                "otel.status_code" => span.failed |= value.text().as_deref() == Some("ERROR"),
                "otel.status_description" => span.message = text(value),
                "span.kind" => span.server = value.text().as_deref() == Some("server"),
                _ => {}
            }
            span.attribute(&key, value, wants, &mut reading);
        }
        let logs = node.get("logs").into_iter().flat_map(Node::items);
        for (key, value) in logs.filter_map(|log| log.get("fields")).flat_map(pairs) {
            exception(&key, value, &mut span, &mut reading);
        }
        let process = node.text_of("processID").and_then(|id| processes?.get(&id)?.text_of("serviceName"));
        span.agent_of(process.as_deref());
        span.settle(reading)
    }

    /// A span as the console exporter of Python prints it.
    pub(super) fn console(node: Node<'_>, wants: &Wants) -> Option<Self> {
        let context = node.get("context");
        let id = |name: &str| context.and_then(|context| context.get(name)).map(id_of).unwrap_or_default();
        let time = |name: &str| node.text_of(name).unwrap_or_default().into_owned();
        let status = node.get("status");
        let mut span = Self {
            at: node.at(),
            trace: id("trace_id"),
            id: id("span_id"),
            parent: node.get("parent_id").map(id_of).unwrap_or_default(),
            start: time("start_time"),
            end: time("end_time"),
            server: node.text_of("kind").is_some_and(|kind| kind.ends_with("SERVER")),
            failed: status.and_then(|s| s.text_of("status_code")).as_deref() == Some("ERROR"),
            message: status.and_then(|s| s.text_of("description")).unwrap_or_default().into_owned(),
            ..Self::default()
        };
        let mut reading = Reading::default();
        for (key, value) in node.get("attributes").into_iter().flat_map(pairs) {
            span.attribute(&key, value, wants, &mut reading);
        }
        let events = node.get("events").into_iter().flat_map(Node::items);
        for (key, value) in events.filter_map(|event| event.get("attributes")).flat_map(pairs) {
            exception(&key, value, &mut span, &mut reading);
        }
        span.agent_of(node.get("resource").and_then(service).as_deref());
        span.settle(reading)
    }

    fn agent_of(&mut self, service: Option<&str>) {
        if self.agent.is_empty() {
            service.unwrap_or_default().clone_into(&mut self.agent);
        }
    }

    fn attribute(&mut self, key: &str, value: Node<'_>, wants: &Wants, reading: &mut Reading) {
        if wants.attributes.iter().any(|wanted| wanted == key) {
            let json = json_of(value);
            // An array of one is what headers are written as.
            let json = alone(&json).unwrap_or_else(|| json.into_owned());
            self.attributes.push((key.to_owned(), json));
        }
        if let Some(header) = key.strip_prefix("http.request.header.")
            && let Some(wanted) = wants.headers.iter().find(|wanted| wanted.eq_ignore_ascii_case(header))
        {
            self.headers.push((wanted.clone(), bare_key(&first_text(value)).to_owned()));
        }
        let Some(meaning) = meaning(key) else {
            return Self::asked(key, value, reading);
        };
        let put = |slot: &mut String| {
            if slot.is_empty() {
                *slot = first_text(value);
            }
        };
        let json = |slot: &mut String| {
            if slot.is_empty() {
                *slot = json_of(value).into_owned();
            }
        };
        match meaning {
            Meaning::IsTool => reading.is_tool |= TOOL_WORDS.contains(&first_text(value).as_str()),
            Meaning::Tool => put(&mut self.tool),
            Meaning::Entity => put(&mut reading.entity),
            Meaning::CallId => put(&mut self.call_id),
            Meaning::Arguments => json(&mut self.arguments),
            Meaning::Input => json(&mut reading.input),
            Meaning::Result => json(&mut self.result),
            Meaning::Output => json(&mut reading.output),
            Meaning::Error => put(&mut self.error),
            Meaning::Method => put(&mut reading.method),
            Meaning::Route => put(&mut reading.route),
            Meaning::Url => put(&mut reading.url),
            Meaning::Status => self.http = first_text(value).parse().ok(),
            Meaning::Key => bare_key(&first_text(value)).clone_into(&mut self.key),
            Meaning::Replayed => self.replayed |= first_text(value).eq_ignore_ascii_case("true"),
            Meaning::McpMethod => reading.is_mcp |= first_text(value) == "tools/call",
            Meaning::RpcStatus => put(&mut self.rpc),
            Meaning::Run => put(&mut self.run),
            Meaning::Agent => put(&mut self.agent),
            Meaning::Model => put(&mut self.model),
            Meaning::Messages => self.messages(value, "tool_call"),
            Meaning::Answers => self.messages(value, "tool_call_response"),
        }
    }

    /// Calls that a model asks for, flattened into names of attributes:
    /// `llm.output_messages.N.message.tool_calls.M.tool_call.{id,function.name,function.arguments}`.
    fn asked(key: &str, value: Node<'_>, reading: &mut Reading) {
        let Some((before, field)) =
            key.strip_prefix("llm.output_messages.").and_then(|rest| rest.split_once(".tool_call."))
        else {
            return;
        };
        let slot = match field {
            "id" => 0,
            "function.name" => 1,
            "function.arguments" => 2,
            _ => return,
        };
        let at = reading.asked.iter().position(|(known, _)| known == before).unwrap_or(reading.asked.len());
        if at == reading.asked.len() {
            reading.asked.push((before.to_owned(), <[String; 3]>::default()));
        }
        let text = if slot == 2 { json_of(value).into_owned() } else { first_text(value) };
        if let Some(kept) = reading.asked.get_mut(at).and_then(|(_, fields)| fields.get_mut(slot)) {
            *kept = text;
        }
    }

    /// The same in messages, as the conventions write them: a JSON text or structured.
    fn messages(&mut self, value: Node<'_>, wanted: &str) {
        let json = json_of(value);
        let whole = Node::new(json.as_bytes(), 0);
        let embedded = whole.embedded();
        let whole = embedded.as_deref().map_or(whole, |text| Node::new(text.as_bytes(), 0));
        for part in whole.items().filter_map(|message| message.get("parts")).flat_map(Node::items) {
            let id = part.text_of("id").filter(|_| part.text_of("type").as_deref() == Some(wanted));
            let Some(id) = id else { continue };
            if wanted != "tool_call" {
                let response = part.get("response").or_else(|| part.get("result"));
                let json = response.map(|response| String::from_utf8_lossy(response.raw()).into_owned());
                self.answers.push((id.into_owned(), json.unwrap_or_default()));
                continue;
            }
            let mut call = Call::at(self.at);
            call.fields.maybe("tool", part.text_of("name")).node("arguments", part.get("arguments"));
            self.asks.push((id.into_owned(), call));
        }
    }

    /// What it is, now that all is known. `None` for a span without ids.
    fn settle(mut self, mut reading: Reading) -> Option<Self> {
        if self.trace.is_empty() || self.id.is_empty() {
            return None;
        }
        for (_, [id, name, arguments]) in std::mem::take(&mut reading.asked) {
            let mut call = Call::at(self.at);
            call.fields.maybe("tool", Some(name)).token("arguments", arguments.as_bytes());
            self.asks.push((id, call));
        }
        let asks = std::mem::take(&mut self.asks);
        let (many, start) = (asks.len() > 1, self.end.clone());
        self.asks = asks
            .into_iter()
            .zip(0..)
            .filter(|((id, _), _)| !id.is_empty())
            .map(|((id, mut call), number): ((String, Call), u64)| {
                // No two calls have one place; the first bytes of a span are its bracket and names.
                call.at += if many { number } else { 0 };
                call.fields.text("attempt_id", &id).text("decision_id", &id).maybe("sent_at", Some(&start));
                (id, call)
            })
            .collect();
        self.kind = match () {
            () if reading.is_mcp => Kind::Mcp,
            () if reading.is_tool => Kind::Tool,
            () if !reading.method.is_empty() => Kind::Http,
            () => Kind::Other,
        };
        match self.kind {
            Kind::Tool | Kind::Mcp => {
                if self.tool.is_empty() {
                    self.tool = reading.entity;
                }
                if self.arguments.is_empty() {
                    self.arguments = reading.input;
                }
                if self.result.is_empty() {
                    self.result = reading.output;
                }
                if let Some(inside) = unwrapped(&self.arguments) {
                    self.arguments = inside;
                }
            }
            Kind::Http => {
                let url = if reading.route.is_empty() { &reading.url } else { &reading.route };
                self.tool = route(&reading.method, url);
                (self.arguments, self.result) = (String::new(), String::new());
            }
            Kind::Other => {}
        }
        if self.error.is_empty() && self.failed {
            self.error = reading.exception;
        }
        Some(self)
    }

    /// This span is above the other, and both are one call: a request of any kind belongs to its tool, a server to
    /// its request. A tool inside another is one call only where it is the same tool, seen by two libraries.
    pub(super) fn holds(&self, other: &Self) -> bool {
        match (self.kind, other.kind) {
            (Kind::Other, _) | (_, Kind::Other) | (Kind::Http, Kind::Tool | Kind::Mcp) => false,
            (Kind::Tool | Kind::Mcp, Kind::Http) => true,
            (Kind::Tool | Kind::Mcp, Kind::Tool | Kind::Mcp) => {
                self.tool == other.tool || other.tool.is_empty()
            }
            (Kind::Http, Kind::Http) => other.server && !self.server,
        }
    }

    /// It is the side that sends, over HTTP or MCP.
    pub(super) fn is_sent(&self) -> bool {
        !self.server && matches!(self.kind, Kind::Http | Kind::Mcp)
    }

    /// It is the side that is asked.
    pub(super) fn is_server(&self) -> bool {
        self.server
    }

    /// It ended without an error.
    pub(super) fn is_fine(&self) -> bool {
        matches!(self.told(), Told::Yes | Told::Http(200..=299))
    }

    /// What the caller was told, by this span alone.
    pub(super) fn told(&self) -> Told {
        if self.end.is_empty() {
            return Told::Nothing;
        }
        let code = if self.rpc.is_empty() { &self.error } else { &self.rpc };
        if let Ok(code) = code.parse::<i64>() {
            return match u16::try_from(code) {
                Ok(status) if (100..600).contains(&status) => Told::Http(status),
                _ => Told::of_json_rpc(code, &self.message),
            };
        }
        if let Some(status) = self.http {
            return Told::Http(status);
        }
        match self.error.as_str() {
            "" if self.failed => Told::of_error(&self.message),
            "" => Told::of_output(&plain(&self.result)),
            "tool_error" => Told::of_error(&self.message),
            error => match Told::of_transport(error) {
                // The class says nothing; the words beside it may.
                Told::Error(_) if !self.message.is_empty() => match Told::of_error(&self.message) {
                    Told::Error(_) => Told::Error(error.to_owned()),
                    told => told,
                },
                told => told,
            },
        }
    }
}

/// `service.name` of a resource.
pub(super) fn service(resource: Node<'_>) -> Option<String> {
    pairs(resource.get("attributes")?)
        .find(|(key, _)| key == "service.name")
        .map(|(_, value)| first_text(value))
}

/// Names and values of attributes: a list of pairs, or a map.
fn pairs<'a>(node: Node<'a>) -> Box<dyn Iterator<Item = (Cow<'a, str>, Node<'a>)> + 'a> {
    if node.is_object() {
        return Box::new(node.members().map(|(name, value)| (name.text(), value)));
    }
    Box::new(node.items().filter_map(|pair| {
        let (mut key, mut value) = (None, None);
        for (name, node) in pair.members() {
            if name.is("key") {
                key = node.string();
            } else if name.is("value") {
                value = Some(node);
            }
        }
        Some((key?, value?))
    }))
}

/// The exception of an event.
fn exception(key: &str, value: Node<'_>, span: &mut Span, reading: &mut Reading) {
    match key {
        "exception.type" => reading.exception = first_text(value),
        "exception.message" if span.message.is_empty() => span.message = first_text(value),
        _ => {}
    }
}

/// An id: hexadecimal without regard to case, perhaps with `0x` before it.
fn id_of(node: Node<'_>) -> String {
    let mut id = text(node).to_ascii_lowercase();
    if id.starts_with("0x") {
        id.drain(..2);
    }
    id
}

fn text(node: Node<'_>) -> String {
    node.text().unwrap_or_default().into_owned()
}

/// The kinds of a typed value, and whether its token is used as it is.
const TYPED: [&str; 7] =
    ["stringValue", "intValue", "boolValue", "doubleValue", "arrayValue", "kvlistValue", "bytesValue"];

/// The value inside a typed one.
fn typed(node: Node<'_>) -> Option<(&'static str, Node<'_>)> {
    let (name, value) = node.members().next()?;
    TYPED.iter().find(|kind| name.is(kind)).map(|kind| (*kind, value))
}

/// A value as JSON, whether typed or plain.
fn json_of(node: Node<'_>) -> Cow<'_, str> {
    let as_it_is = |node: Node<'_>| String::from_utf8_lossy(node.raw()).into_owned();
    let Some((kind, value)) = typed(node).filter(|_| node.is_object()) else {
        return Cow::Owned(as_it_is(node));
    };
    Cow::Owned(match kind {
        // 64-bit numbers are written as texts.
        "intValue" => as_it_is(value).trim_matches('"').to_owned(),
        "arrayValue" => {
            let parts: Vec<Cow<'_, str>> =
                value.get("values").into_iter().flat_map(Node::items).map(json_of).collect();
            format!("[{}]", parts.join(","))
        }
        "kvlistValue" => {
            let mut fields = Fields::default();
            for (key, value) in value.get("values").into_iter().flat_map(pairs) {
                fields.token(&key, json_of(value).as_bytes());
            }
            fields.to_json()
        }
        _ => as_it_is(value),
    })
}

/// The text of a value; of a list the first.
fn first_text(node: Node<'_>) -> String {
    match typed(node).filter(|_| node.is_object()) {
        Some(("arrayValue", value)) => {
            value.get("values").and_then(|values| values.items().next()).map(first_text).unwrap_or_default()
        }
        Some((_, value)) => text(value),
        None if node.is_array() => node.items().next().map(first_text).unwrap_or_default(),
        None => text(node),
    }
}

/// The only element of a JSON array.
fn alone(json: &str) -> Option<String> {
    let node = Node::new(json.as_bytes(), 0);
    let mut items = node.items();
    let only = items.next()?;
    let text = only.text().filter(|_| items.next().is_none())?;
    let mut fields = Fields::default();
    fields.text("", bare_key(&text));
    fields.to_json().strip_prefix("{\"\":")?.strip_suffix('}').map(str::to_owned)
}

/// A JSON token as a plain text; what holds others is given as it is.
pub(super) fn plain(json: &str) -> Cow<'_, str> {
    let node = Node::new(json.as_bytes(), 0);
    match node.kind() {
        Some(JsonKind::Text) => node.string().unwrap_or_default(),
        _ => Cow::Borrowed(json),
    }
}

/// Arguments inside a wrapper of a dialect: `{"tool_name": .., "arguments": {..}}`, `{"inputs": {..}}`.
fn unwrapped(arguments: &str) -> Option<String> {
    let node = Node::new(arguments.as_bytes(), 0);
    let embedded = node.embedded();
    let node = embedded.as_deref().map_or(node, |text| Node::new(text.as_bytes(), 0));
    let named = node.get("tool_name").is_some() || node.get("name").is_some();
    let inside = node
        .get("arguments")
        .filter(|_| named)
        .or_else(|| node.get("inputs").filter(|_| node.members().count() <= 3))?;
    (inside.is_object() || inside.kind() == Some(JsonKind::Text))
        .then(|| String::from_utf8_lossy(inside.raw()).into_owned())
}
