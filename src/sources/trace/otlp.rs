//! OpenTelemetry: spans of calls, in OTLP/JSON, as Jaeger's download has them, and as the Python console exporter prints
//! them (`formats.md` 1). Which span is a call, and what it says, is read from its attributes (`otlp/attributes.rs`).
//!
//! One call is often several spans: the tool, the request of HTTP or MCP below it, the server below that. Only the
//! request has the key and only the server knows that it answered, so spans are held until those that belong together
//! are there: at most [`HELD`] of them, then the older half is told.

mod attributes;
mod family;
mod span;
mod values;

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::calls::{Answer, Call, Calls, Fields, Record, TraceReader};
use super::table::Setup;
use super::told::Told;
use crate::sources::json::Node;
use family::{Family, Number};
use span::{Kind, Part, Span};
use values::{plain, service};

/// So many spans of calls are held.
const HELD: usize = 1 << 16;

/// So many parents are followed from a request to its tool.
const FURTHEST: usize = 32;

/// The rule of spans that are no calls.
const OTHER_SPAN: &str = "span of something else";
/// The rule of a span that was exported twice.
const SAME_SPAN: &str = "same span again";

/// A reader of OTLP.
pub fn reader(setup: &Setup) -> Box<dyn TraceReader> {
    Box::new(Otlp::new(setup))
}

#[derive(Debug)]
struct Otlp {
    wants: span::Wants,
    /// In boxes: they are moved many times before they are told.
    #[allow(clippy::vec_box)]
    held: Vec<Box<Span>>,
    family: Family,
    /// Calls that a model asked for, by their ids, until a span of the tool itself is met.
    asked: HashMap<String, Call, RandomState>,
    /// What a model was told of them, the first time.
    answers: HashMap<String, String, RandomState>,
    /// The mark of the call at hand.
    mark: String,
}

impl Otlp {
    fn new(setup: &Setup) -> Self {
        Self {
            wants: span::Wants { attributes: setup.below("attr:"), headers: setup.below("header:") },
            held: Vec::new(),
            family: Family::default(),
            asked: HashMap::default(),
            answers: HashMap::default(),
            mark: String::new(),
        }
    }
}

impl TraceReader for Otlp {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let node = record.node;
        let scopes = ["scopeSpans", "instrumentationLibrarySpans"].iter().find_map(|name| node.get(name));
        if let Some(scopes) = scopes {
            let service = node.get("resource").and_then(service);
            for span in scopes.items().filter_map(|scope| scope.get("spans")).flat_map(Node::items) {
                self.span(Span::otlp(span, &self.wants, service.as_deref()), record, calls);
            }
        } else if let Some(spans) = node.get("spans") {
            let processes = node.get("processes");
            for span in spans.items() {
                self.span(Span::jaeger(span, &self.wants, processes), record, calls);
            }
        } else if node.get("spanID").is_some() {
            self.span(Span::jaeger(node, &self.wants, None), record, calls);
        } else if node.get("context").is_some() {
            self.span(Span::console(node, &self.wants), record, calls);
        } else if node.get("spanId").is_some() {
            self.span(Span::otlp(node, &self.wants, None), record, calls);
        } else {
            calls.other();
        }
    }

    fn end(&mut self, calls: &mut Calls<'_>) {
        self.tell(self.held.len(), calls);
        // Calls that a model asked for and of which no span says that they ran.
        let mut asked: Vec<(String, Call)> = std::mem::take(&mut self.asked).into_iter().collect();
        asked.sort_by_key(|(_, call)| call.at);
        for (id, call) in asked {
            let answer = self.answers.get(&id).map_or_else(Answer::default, |json| {
                let mut answer = Answer::told(Told::of_output(&plain(json)));
                answer.fields.token("result", json.as_bytes());
                answer
            });
            calls.whole(&call, &answer);
        }
    }
}

impl Otlp {
    fn span(&mut self, span: Option<Box<Span>>, record: &Record<'_>, calls: &mut Calls<'_>) {
        let Some(mut span) = span else {
            return calls.refuse("a span without traceId or spanId");
        };
        span.cut = !record.ended;
        let (trace, parent) = (span.get(Part::Trace), span.get(Part::Parent));
        let number = self.family.number(trace, span.get(Part::Id));
        let above = if parent.is_empty() { Number::NONE } else { self.family.number(trace, parent) };
        if !self.family.meet(number, above) {
            return calls.skip(SAME_SPAN);
        }
        (span.number, span.above) = (number, above);
        let call_id = span.get(Part::CallId);
        if !call_id.is_empty() && span.kind == Kind::Tool {
            self.asked.remove(call_id);
            // The model's own span may come later.
            self.mark.clear();
            self.mark.push(CALL_MARK);
            self.mark.push_str(call_id);
            calls.first(&self.mark);
        }
        for (id, call) in std::mem::take(&mut span.asks) {
            if calls.first(&call_mark(&id)) && self.asked.len() < HELD {
                self.asked.insert(id, call);
            }
        }
        for (id, json) in std::mem::take(&mut span.answers) {
            if self.answers.len() < HELD && self.asked.contains_key(&id) {
                self.answers.entry(id).or_insert(json);
            }
        }
        if span.kind == Kind::Other {
            return calls.skip(OTHER_SPAN);
        }
        self.held.push(span);
        if self.held.len() >= HELD {
            self.tell(HELD / 2, calls);
        }
    }

    /// Tells the oldest spans, each with those below it, wherever they stand among the held ones.
    fn tell(&mut self, oldest: usize, calls: &mut Calls<'_>) {
        for (place, span) in self.held.iter().enumerate() {
            self.family.hold(span.number, Some(place));
        }
        // The call that a span belongs to: the outermost above it that is the same call.
        let owners: Vec<usize> = (0..self.held.len()).map(|no| self.owner(no)).collect();
        // Those below, by the call that they belong to.
        let mut below: Vec<(usize, usize)> = owners
            .iter()
            .enumerate()
            .filter(|(no, owner)| no != *owner)
            .map(|(no, owner)| (*owner, no))
            .collect();
        below.sort_unstable();
        let mut below = below.as_slice();
        let mut told = vec![false; self.held.len()];
        let mut parts = Vec::new();
        for (no, owner) in owners.iter().enumerate().take(oldest) {
            let (mine, others) = below.split_at(below.partition_point(|(owner, _)| *owner <= no));
            below = others;
            if no != *owner {
                continue;
            }
            parts.clear();
            parts.extend(mine.iter().filter_map(|(_, part)| self.held.get(*part).map(|part| &**part)));
            if let Some(span) = self.held.get(no) {
                one(span, &parts, calls);
            }
            for part in mine.iter().map(|(_, part)| part).chain([&no]) {
                if let Some(told) = told.get_mut(*part) {
                    *told = true;
                }
            }
        }
        let (mut told, family) = (told.into_iter(), &mut self.family);
        self.held.retain(|span| {
            let told = told.next().unwrap_or(true);
            if told {
                family.hold(span.number, None);
            }
            !told
        });
    }

    fn owner(&self, no: usize) -> usize {
        let Some(mine) = self.held.get(no) else { return no };
        let mut owner = no;
        let mut above = mine.above;
        for _ in 0..FURTHEST {
            if !above.is_some() {
                break;
            }
            if let Some(found) = self.family.held(above)
                && let Some(span) = self.held.get(found)
            {
                if !span.holds(mine) {
                    break;
                }
                owner = found;
            }
            above = self.family.above(above);
        }
        owner
    }
}

/// Stands before the ids of calls among those of spans.
const CALL_MARK: char = '\u{1f}';

fn call_mark(id: &str) -> String {
    format!("{CALL_MARK}{id}")
}

/// Tells one call with its parts. Several requests below one tool are several sends: each is an attempt.
fn one(span: &Span, parts: &[&Span], calls: &mut Calls<'_>) {
    let mut requests: Vec<&Span> = parts.iter().copied().filter(|part| part.is_sent()).collect();
    requests.sort_by(|one, other| (one.get(Part::Start), one.at).cmp(&(other.get(Part::Start), other.at)));
    let answered = |request: Option<&Span>| {
        let above = request.map_or(span.number, |request| request.number);
        parts
            .iter()
            .any(|part| part.is_server() && part.is_fine() && (part.above == above || requests.len() < 2))
    };
    if requests.len() < 2 {
        let request = requests.first().copied();
        let call = call_of(span, span, request);
        let answer = answer_of(span, request, answered(None) || (request.is_some() && answered(request)));
        calls.whole(&call, &answer);
        for _ in parts {
            calls.used();
        }
        return;
    }
    for (no, request) in requests.iter().enumerate() {
        let last = no + 1 == requests.len();
        let call = call_of(request, span, Some(request));
        let mut answer = Answer { ended: request.get(Part::End).to_owned(), ..Answer::told(request.told()) };
        if last {
            let whole = answer_of(span, Some(request), false);
            answer.told = whole.told;
            answer.fields = whole.fields;
        }
        answer.unseen = unsettled(&answer.told) && answered(Some(request));
        calls.whole(&call, &answer);
    }
    for _ in requests.len()..=parts.len() {
        calls.used();
    }
}

/// The call: from its own span, and the key and ids from the request below.
fn call_of(own: &Span, tool: &Span, request: Option<&Span>) -> Call {
    let mut call = Call::at(own.at);
    call.cut = own.cut;
    let or = |part: Part| {
        let first = tool.get(part);
        if first.is_empty() { request.map_or("", |request| request.get(part)) } else { first }
    };
    let fields = &mut call.fields;
    fields.joined("attempt_id", [own.get(Part::Trace), "/", own.get(Part::Id)]);
    fields.maybe("decision_id", Some(or(Part::CallId)));
    fields.maybe("tool", Some(or(Part::Tool)));
    fields.token("arguments", or(Part::Arguments).as_bytes());
    fields.maybe("sent_at", Some(own.get(Part::Start)));
    fields.maybe("idempotency_key", Some(or(Part::Key)));
    fields.maybe("run_id", Some(or(Part::Run)));
    fields.maybe("agent", Some(or(Part::Agent)));
    fields.maybe("model", Some(or(Part::Model)));
    let spans = || [Some(tool), request].into_iter().flatten();
    let mut attributes = Fields::default();
    for (name, json) in first_of_each(spans().flat_map(|span| &span.attributes)) {
        attributes.token(name, json.as_bytes());
    }
    let mut headers = Fields::default();
    for (name, value) in first_of_each(spans().flat_map(|span| &span.headers)) {
        headers.text(name, value);
    }
    fields.object("attributes", &attributes).object("headers", &headers);
    call
}

fn first_of_each<'s>(pairs: impl Iterator<Item = &'s (String, String)>) -> Vec<&'s (String, String)> {
    let mut kept: Vec<&(String, String)> = Vec::new();
    for pair in pairs {
        if !kept.iter().any(|(name, _)| *name == pair.0) {
            kept.push(pair);
        }
    }
    kept
}

/// How it ended, by all that is known. `server`: a server answered below it without an error.
fn answer_of(span: &Span, request: Option<&Span>, server: bool) -> Answer {
    let told = match (span.told(), request.map(Span::told)) {
        // A tool that says nothing wrong hides what its only request met.
        (Told::Yes, Some(below)) if below != Told::Nothing => match below {
            Told::Yes => Told::Yes,
            Told::Http(status) if (200..300).contains(&status) => Told::Yes,
            other => other,
        },
        (Told::Nothing, Some(below)) => below,
        // Words of an error are less than a status.
        (Told::Error(_), Some(Told::Http(status))) if !(200..300).contains(&status) => Told::Http(status),
        (told, _) => told,
    };
    let mut answer = Answer { ended: span.get(Part::End).to_owned(), ..Answer::told(told) };
    let own = span.get(Part::Result);
    let result = if own.is_empty() { request.map_or("", |request| request.get(Part::Result)) } else { own };
    answer.fields.token("result", result.as_bytes());
    let replayed = span.replayed || request.is_some_and(|request| request.replayed);
    if replayed {
        answer.fields.truth(if answer.told == Told::Yes { "reused" } else { "replayed" }, true);
    }
    answer.fields.maybe("text", Some(span.get(Part::Message)));
    answer.unseen = server && unsettled(&answer.told);
    answer
}

/// The caller does not know.
fn unsettled(told: &Told) -> bool {
    matches!(told, Told::Nothing | Told::Timeout | Told::Lost | Told::Reset | Told::Cancelled | Told::Pending)
}
