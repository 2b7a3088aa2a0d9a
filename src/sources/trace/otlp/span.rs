//! One span, whatever wrote it down: ids, times, what its attributes say, what its status and events say.

use std::borrow::Cow;

use super::super::calls::Call;
use super::super::http::{bare_key, route};
use super::super::told::Told;
use super::attributes::{Meaning, TOOL_WORDS, meaning};
use super::family::Number;
use super::values::{alone, first_text, json_of, opened, pairs, plain, service, text, unwrapped};
use crate::sources::json::Node;

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

/// A text of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Trace,
    Id,
    Parent,
    Start,
    End,
    Tool,
    CallId,
    /// JSON.
    Arguments,
    /// JSON.
    Result,
    Key,
    Run,
    Agent,
    Model,
    Message,
    Error,
    Rpc,
}

/// So many bytes the texts of most spans have.
const USUAL: usize = 512;

const PARTS: usize = Part::Rpc as usize + 1;

/// The texts of a span, one behind the other: many spans are held, and most of their texts are short.
#[derive(Debug, Clone, Default)]
struct Texts {
    all: String,
    places: [(u32, u32); PARTS],
}

impl Texts {
    fn get(&self, part: Part) -> &str {
        let (from, to) = self.places.get(part as usize).copied().unwrap_or_default();
        self.all.get(from as usize..to as usize).unwrap_or_default()
    }

    fn set(&mut self, part: Part, text: &str) {
        let from = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push_str(text);
        if let Some(place) = self.places.get_mut(part as usize) {
            *place = (from, u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        }
    }
}

/// A span of a call. Texts are empty where nothing is said.
#[derive(Debug, Clone, Default)]
pub(super) struct Span {
    pub(super) at: u64,
    texts: Texts,
    /// Its number, and that of the span above it.
    pub(super) number: Number,
    pub(super) above: Number,
    pub(super) kind: Kind,
    /// Kind 2: the side that is asked.
    pub(super) server: bool,
    pub(super) replayed: bool,
    /// Attributes that the mapping wants, as JSON.
    pub(super) attributes: Vec<(String, String)>,
    /// Headers that it wants.
    pub(super) headers: Vec<(String, String)>,
    pub(super) cut: bool,
    /// Calls that a model asks for in this span.
    pub(super) asks: Vec<(String, Call)>,
    /// Answers of calls that a model was given in this span: the id and the JSON.
    pub(super) answers: Vec<(String, String)>,
    http: Option<u16>,
    failed: bool,
}

/// What is only needed while the attributes are read.
#[derive(Debug, Default)]
struct Reading<'a> {
    is_tool: bool,
    is_mcp: bool,
    method: Cow<'a, str>,
    route: Cow<'a, str>,
    url: Cow<'a, str>,
    entity: Cow<'a, str>,
    exception: Cow<'a, str>,
    arguments: Cow<'a, str>,
    input: Cow<'a, str>,
    result: Cow<'a, str>,
    output: Cow<'a, str>,
    /// Names of calls that a model asks for, by the part of the attribute's name before.
    asked: Vec<(String, [String; 3])>,
}

impl Span {
    /// One of its texts.
    pub(super) fn get(&self, part: Part) -> &str {
        self.texts.get(part)
    }

    fn set(&mut self, part: Part, text: &str) {
        self.texts.set(part, text);
    }

    /// Sets it unless it is there.
    fn put(&mut self, part: Part, text: &str) {
        if self.get(part).is_empty() {
            self.set(part, text);
        }
    }

    /// An id: hexadecimal without regard to case, perhaps with `0x` before it.
    fn set_id(&mut self, part: Part, node: Option<Node<'_>>) {
        let id = node.map(text).unwrap_or_default();
        if !id.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return self.set(part, id.strip_prefix("0x").unwrap_or(&id));
        }
        let id = id.to_ascii_lowercase();
        self.set(part, id.strip_prefix("0x").unwrap_or(&id));
    }

    /// A span of OTLP/JSON.
    pub(super) fn otlp(node: Node<'_>, wants: &Wants, service: Option<&str>) -> Option<Box<Self>> {
        let mut span = Self::at(node);
        let mut reading = Reading::default();
        let mut failed = false;
        for (name, value) in node.members() {
            match () {
                () if name.is("traceId") => span.set_id(Part::Trace, Some(value)),
                () if name.is("spanId") => span.set_id(Part::Id, Some(value)),
                () if name.is("parentSpanId") => span.set_id(Part::Parent, Some(value)),
                () if name.is("startTimeUnixNano") => span.set(Part::Start, &text(value)),
                () if name.is("endTimeUnixNano") => {
                    span.set(Part::End, Some(text(value)).as_deref().filter(|end| *end != "0").unwrap_or(""));
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
                    let code = value.text_of("code");
                    failed = matches!(code.as_deref(), Some("2" | "STATUS_CODE_ERROR"));
                    span.set(Part::Message, &value.text_of("message").unwrap_or_default());
                }
                () => {}
            }
        }
        span.failed = failed;
        span.put(Part::Agent, service.unwrap_or_default());
        span.settle(reading)
    }

    /// A span of Jaeger's download.
    pub(super) fn jaeger(node: Node<'_>, wants: &Wants, processes: Option<Node<'_>>) -> Option<Box<Self>> {
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
        let mut span = Self::at(node);
        span.set_id(Part::Trace, node.get("traceID"));
        span.set_id(Part::Id, node.get("spanID"));
        span.set_id(Part::Parent, parent);
        span.set(Part::Start, &start);
        span.set(Part::End, &end.unwrap_or_default());
        let mut reading = Reading::default();
        for (key, value) in node.get("tags").into_iter().flat_map(pairs) {
            match key.as_ref() {
                "error" => span.failed |= value.raw() == b"true" || value.text().as_deref() == Some("true"),
                "otel.status_code" => span.failed |= value.text().as_deref() == Some("ERROR"),
                "otel.status_description" => span.set(Part::Message, &text(value)),
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
        span.put(Part::Agent, process.as_deref().unwrap_or_default());
        span.settle(reading)
    }

    /// A span as the console exporter of Python prints it.
    pub(super) fn console(node: Node<'_>, wants: &Wants) -> Option<Box<Self>> {
        let context = node.get("context");
        let status = node.get("status");
        let mut span = Self::at(node);
        span.set_id(Part::Trace, context.and_then(|context| context.get("trace_id")));
        span.set_id(Part::Id, context.and_then(|context| context.get("span_id")));
        span.set_id(Part::Parent, node.get("parent_id"));
        span.set(Part::Start, &node.text_of("start_time").unwrap_or_default());
        span.set(Part::End, &node.text_of("end_time").unwrap_or_default());
        span.server = node.text_of("kind").is_some_and(|kind| kind.ends_with("SERVER"));
        span.failed = status.and_then(|s| s.text_of("status_code")).as_deref() == Some("ERROR");
        span.set(Part::Message, &status.and_then(|s| s.text_of("description")).unwrap_or_default());
        let mut reading = Reading::default();
        for (key, value) in node.get("attributes").into_iter().flat_map(pairs) {
            span.attribute(&key, value, wants, &mut reading);
        }
        let events = node.get("events").into_iter().flat_map(Node::items);
        for (key, value) in events.filter_map(|event| event.get("attributes")).flat_map(pairs) {
            exception(&key, value, &mut span, &mut reading);
        }
        span.put(Part::Agent, &node.get("resource").and_then(service).unwrap_or_default());
        span.settle(reading)
    }

    fn at(node: Node<'_>) -> Box<Self> {
        let texts = Texts { all: String::with_capacity(USUAL), ..Texts::default() };
        Box::new(Self { at: node.at(), texts, ..Self::default() })
    }

    fn attribute<'a>(&mut self, key: &str, value: Node<'a>, wants: &Wants, reading: &mut Reading<'a>) {
        if wants.attributes.iter().any(|wanted| wanted == key) {
            let json = json_of(value);
            // An array of one is what headers are written as.
            let json = alone(&json).unwrap_or_else(|| json.into_owned());
            self.attributes.push((key.to_owned(), json));
        }
        if !wants.headers.is_empty()
            && let Some(header) = key.strip_prefix("http.request.header.")
            && let Some(wanted) = wants.headers.iter().find(|wanted| wanted.eq_ignore_ascii_case(header))
        {
            self.headers.push((wanted.clone(), bare_key(&first_text(value)).to_owned()));
        }
        let Some(meaning) = meaning(key) else {
            return Self::asked(key, value, reading);
        };
        let put = |slot: &mut Cow<'a, str>| {
            if slot.is_empty() {
                *slot = first_text(value);
            }
        };
        let json = |slot: &mut Cow<'a, str>| {
            if slot.is_empty() {
                *slot = json_of(value);
            }
        };
        match meaning {
            Meaning::IsTool => reading.is_tool |= TOOL_WORDS.contains(&&*first_text(value)),
            Meaning::Tool => self.put(Part::Tool, &first_text(value)),
            Meaning::Entity => put(&mut reading.entity),
            Meaning::CallId => self.put(Part::CallId, &first_text(value)),
            Meaning::Arguments => json(&mut reading.arguments),
            Meaning::Input => json(&mut reading.input),
            Meaning::Result => json(&mut reading.result),
            Meaning::Output => json(&mut reading.output),
            Meaning::Error => self.put(Part::Error, &first_text(value)),
            Meaning::Method => put(&mut reading.method),
            Meaning::Route => put(&mut reading.route),
            Meaning::Url => put(&mut reading.url),
            Meaning::Status => self.http = first_text(value).parse().ok(),
            Meaning::Key => self.set(Part::Key, bare_key(&first_text(value))),
            Meaning::Replayed => self.replayed |= first_text(value).eq_ignore_ascii_case("true"),
            Meaning::McpMethod => reading.is_mcp |= first_text(value) == "tools/call",
            Meaning::RpcStatus => self.put(Part::Rpc, &first_text(value)),
            Meaning::Run => self.put(Part::Run, &first_text(value)),
            Meaning::Agent => self.put(Part::Agent, &first_text(value)),
            Meaning::Model => self.put(Part::Model, &first_text(value)),
            Meaning::Messages => self.messages(value, "tool_call"),
            Meaning::Answers => self.messages(value, "tool_call_response"),
        }
    }

    /// Calls that a model asks for, flattened into names of attributes:
    /// `llm.output_messages.N.message.tool_calls.M.tool_call.{id,function.name,function.arguments}`.
    fn asked(key: &str, value: Node<'_>, reading: &mut Reading<'_>) {
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
        let text = if slot == 2 { json_of(value) } else { first_text(value) };
        if let Some(kept) = reading.asked.get_mut(at).and_then(|(_, fields)| fields.get_mut(slot)) {
            *kept = text.into_owned();
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
    fn settle(mut self: Box<Self>, mut reading: Reading<'_>) -> Option<Box<Self>> {
        if self.get(Part::Trace).is_empty() || self.get(Part::Id).is_empty() {
            return None;
        }
        for (_, [id, name, arguments]) in std::mem::take(&mut reading.asked) {
            let mut call = Call::at(self.at);
            call.fields.maybe("tool", Some(name)).token("arguments", arguments.as_bytes());
            self.asks.push((id, call));
        }
        if !self.asks.is_empty() {
            self.settle_asks();
        }
        self.kind = match () {
            () if reading.is_mcp => Kind::Mcp,
            () if reading.is_tool => Kind::Tool,
            () if !reading.method.is_empty() => Kind::Http,
            () => Kind::Other,
        };
        match self.kind {
            Kind::Tool | Kind::Mcp => {
                self.put(Part::Tool, &reading.entity);
                let arguments = opened(first_said([&reading.arguments, &reading.input]));
                self.set(Part::Arguments, unwrapped(&arguments).unwrap_or(&arguments));
                self.set(Part::Result, &opened(first_said([&reading.result, &reading.output])));
            }
            Kind::Http => {
                let url = if reading.route.is_empty() { &reading.url } else { &reading.route };
                self.set(Part::Tool, &route(&reading.method, url));
            }
            Kind::Other => {}
        }
        if self.failed {
            self.put(Part::Error, &reading.exception);
        }
        Some(self)
    }

    /// Calls that a model asked for, now that ids and times are known.
    fn settle_asks(&mut self) {
        let asks = std::mem::take(&mut self.asks);
        let many = asks.len() > 1;
        let start = self.texts.get(Part::End);
        self.asks = asks
            .into_iter()
            .zip(0..)
            .filter(|((id, _), _)| !id.is_empty())
            .map(|((id, mut call), number): ((String, Call), u64)| {
                // No two calls have one place; the first bytes of a span are its bracket and names.
                call.at += if many { number } else { 0 };
                call.fields.text("attempt_id", &id).text("decision_id", &id).maybe("sent_at", Some(start));
                (id, call)
            })
            .collect();
    }

    /// This span is above the other, and both are one call: a request of any kind belongs to its tool, a server to
    /// its request. A tool inside another is one call only where it is the same tool, seen by two libraries.
    pub(super) fn holds(&self, other: &Self) -> bool {
        match (self.kind, other.kind) {
            (Kind::Other, _) | (_, Kind::Other) | (Kind::Http, Kind::Tool | Kind::Mcp) => false,
            (Kind::Tool | Kind::Mcp, Kind::Http) => true,
            (Kind::Tool | Kind::Mcp, Kind::Tool | Kind::Mcp) => {
                self.get(Part::Tool) == other.get(Part::Tool) || other.get(Part::Tool).is_empty()
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
        if self.get(Part::End).is_empty() {
            return Told::Nothing;
        }
        let (error, message) = (self.get(Part::Error), self.get(Part::Message));
        let code = if self.get(Part::Rpc).is_empty() { error } else { self.get(Part::Rpc) };
        if let Ok(code) = code.parse::<i64>() {
            return match u16::try_from(code) {
                Ok(status) if (100..600).contains(&status) => Told::Http(status),
                _ => Told::of_json_rpc(code, message),
            };
        }
        if let Some(status) = self.http {
            return Told::Http(status);
        }
        match error {
            "" if self.failed => Told::of_error(message),
            "" => Told::of_output(&plain(self.get(Part::Result))),
            "tool_error" => Told::of_error(message),
            error => match Told::of_transport(error) {
                // The class says nothing; the words beside it may.
                Told::Error(_) if !message.is_empty() => match Told::of_error(message) {
                    Told::Error(_) => Told::Error(error.to_owned()),
                    told => told,
                },
                told => told,
            },
        }
    }
}

fn first_said([own, other]: [&str; 2]) -> &str {
    if own.is_empty() { other } else { own }
}

/// The exception of an event.
fn exception<'a>(key: &str, value: Node<'a>, span: &mut Span, reading: &mut Reading<'a>) {
    match key {
        "exception.type" => reading.exception = first_text(value),
        "exception.message" => span.put(Part::Message, &first_text(value)),
        _ => {}
    }
}
