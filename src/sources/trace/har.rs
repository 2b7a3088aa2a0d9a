//! HAR: what a browser or a test runner recorded of HTTP calls (`formats.md` 8). A lost answer has the status 0 or -1.

use super::calls::{Answer, Call, Calls, Fields, Record, TraceReader};
use super::http::{KEY_HEADERS, REPLAYED_HEADERS, arguments_of, bare_key, from_base64, is_one_of, route};
use super::later;
use super::table::Setup;
use super::told::Told;
use crate::sources::json::Node;

/// A reader.
pub fn reader(setup: &Setup) -> Box<dyn TraceReader> {
    let maps_amount = setup.maps("amount") || setup.maps("amount_minor");
    Box::new(Har { headers: setup.below("header:"), maps_amount })
}

struct Har {
    headers: Vec<String>,
    maps_amount: bool,
}

/// Where the words for a failure stand, in the response.
const FAILURES: [&str; 3] = ["_error", "_failureText", "_errorText"];

impl TraceReader for Har {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let entry = record.node;
        let Some(request) = entry.get("request") else { return calls.other() };
        let (Some(method), Some(url)) = (request.text_of("method"), request.text_of("url")) else {
            return calls.refuse("an entry whose request has no method or no url");
        };
        let sent = entry.text_of("startedDateTime").unwrap_or_default();
        let mut call = Call::at(record.at);
        call.cut = !record.ended;
        call.unclear_amounts = !self.maps_amount;
        call.fields.text("tool", &route(&method, &url)).maybe("sent_at", Some(&sent));
        let key = header(request, &KEY_HEADERS);
        call.fields.maybe("idempotency_key", key.as_deref().map(bare_key));
        let mut headers = Fields::default();
        for name in &self.headers {
            headers.maybe(name, header(request, &[name.as_str()]).as_deref().map(bare_key));
        }
        call.fields.object("headers", &headers);
        if let Some(body) = request.get("postData").and_then(body_of) {
            call.fields.token("arguments", body.as_bytes());
        }
        calls.whole(&call, &answer_of(entry, &sent));
    }
}

/// What came back.
fn answer_of(entry: Node<'_>, sent: &str) -> Answer {
    let took = entry.text_of("time").filter(|took| !took.starts_with('-'));
    let ended = took.and_then(|took| later(sent, &took)).unwrap_or_default();
    let Some(response) = entry.get("response") else { return Answer { ended, ..Answer::default() } };
    let status = response.text_of("status").and_then(|status| status.parse::<i32>().ok()).unwrap_or_default();
    let failure = FAILURES.iter().find_map(|name| response.text_of(name)).or_else(|| entry.text_of("_error"));
    let aborted = response.truth_of("_wasAborted").unwrap_or(false);
    let told = match u16::try_from(status) {
        Ok(status @ 100..=599) => Told::Http(status),
        _ if aborted => Told::Cancelled,
        _ => match failure.as_deref().map(Told::of_transport) {
            None | Some(Told::Error(_)) => Told::Lost,
            Some(told) => told,
        },
    };
    let mut answer = Answer { ended, ..Answer::told(told) };
    let content = response.get("content");
    if let Some(text) = content.and_then(|content| content.text_of("text")) {
        let packed = content.and_then(|content| content.text_of("encoding")).as_deref() == Some("base64");
        let text = if packed { from_base64(&text).unwrap_or_default() } else { text.into_owned() };
        if text.trim_start().starts_with('{') {
            answer.fields.text("result", &text);
        }
    }
    if header(response, &REPLAYED_HEADERS).is_some_and(|word| word.eq_ignore_ascii_case("true")) {
        let good = (200..300).contains(&status);
        answer.fields.truth(if good { "reused" } else { "replayed" }, true);
    }
    answer.fields.maybe("text", failure);
    answer
}

/// The value of the first of these headers.
fn header(node: Node<'_>, names: &[&str]) -> Option<String> {
    let headers = node.get("headers")?;
    let found =
        headers.items().find(|header| header.text_of("name").is_some_and(|name| is_one_of(&name, names)))?;
    found.text_of("value").map(std::borrow::Cow::into_owned)
}

/// The body of a request as a JSON object: JSON as it is, a form by its fields.
fn body_of(data: Node<'_>) -> Option<String> {
    let text = data.text_of("text").unwrap_or_default();
    if let Some(json) = arguments_of(&text) {
        return Some(json);
    }
    let mut fields = Fields::default();
    let mut names: Vec<String> = Vec::new();
    for param in data.get("params").into_iter().flat_map(Node::items) {
        let Some(name) = param.text_of("name").filter(|name| !names.iter().any(|known| known == name)) else {
            continue;
        };
        fields.text(&name, &param.text_of("value").unwrap_or_default());
        names.push(name.into_owned());
    }
    (!fields.is_empty()).then(|| fields.to_json())
}
