//! Exports of the MCP Inspector (`formats.md` 2): the protocol view, a request with its response in one entry, and the
//! network view, HTTP requests whose bodies hold the frames.

use std::borrow::Cow;

use super::calls::{Calls, Record, TraceReader};
use super::later;
use super::mcp::{Context, Frames, frame_in, sse_frames};
use super::table::Setup;
use super::told::Told;
use crate::sources::json::{self, Node};

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn TraceReader> {
    Box::new(Inspector::default())
}

#[derive(Debug, Default)]
struct Inspector {
    frames: Frames,
}

impl TraceReader for Inspector {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let entry = record.node;
        let sent = entry.text_of("timestamp").unwrap_or_default();
        let context = Context { place: record.at, time: &sent, cut: !record.ended, ..Context::default() };
        let ended = entry.text_of("duration").and_then(|took| later(&sent, &took)).unwrap_or_default();
        match (entry.get("message"), entry.get("requestBody").or_else(|| entry.get("requestHeaders"))) {
            (Some(message), _) => self.protocol(entry, message, &ended, &context, calls),
            (None, Some(_)) => self.network(entry, &ended, &context, calls),
            (None, None) => calls.other(),
        }
    }
}

impl Inspector {
    fn protocol(
        &mut self,
        entry: Node<'_>,
        message: Node<'_>,
        ended: &str,
        context: &Context<'_>,
        calls: &mut Calls<'_>,
    ) {
        self.frames.frame(message, context, calls);
        let id = message.get("id");
        let within = Context { time: ended, within: true, ..context.clone() };
        if let Some(response) = entry.get("response") {
            // A list of tools has its answer here too: its hints are learnt.
            self.frames.within(response, &within, calls);
        } else if let (Some(error), Some(id)) = (entry.get("clientError"), id) {
            let text = error.text().or_else(|| error.text_of("message"));
            let told = Told::of_error(text.as_deref().unwrap_or("client error"));
            self.frames.ended(id, told, &within, calls);
        }
    }

    fn network(&mut self, entry: Node<'_>, ended: &str, context: &Context<'_>, calls: &mut Calls<'_>) {
        let session = entry
            .get("requestHeaders")
            .and_then(|headers| {
                headers.members().find(|(name, _)| name.text().eq_ignore_ascii_case("mcp-session-id"))
            })
            .and_then(|(_, value)| value.text())
            .unwrap_or_default();
        let body = entry.get("requestBody").and_then(body_of);
        let Some(body) = body.filter(|body| json::check(body.as_bytes()).is_ok()) else {
            return calls.other();
        };
        let Some(frame) = frame_in(Node::new(body.as_bytes(), context.place)) else { return calls.other() };
        let context = Context { session: &session, ..context.clone() };
        self.frames.frame(frame, &context, calls);
        let within = Context { time: ended, within: true, ..context };
        let status: Option<u16> = entry.text_of("responseStatus").and_then(|status| status.parse().ok());
        if let Some(answer) = entry.get("responseBody").and_then(body_of) {
            let frames: Vec<Cow<'_, str>> = if answer.trim_start().starts_with('{') {
                vec![Cow::Borrowed(answer.as_ref())]
            } else {
                sse_frames(&answer).collect()
            };
            for frame in frames.iter().filter(|frame| json::check(frame.as_bytes()).is_ok()) {
                self.frames.within(Node::new(frame.as_bytes(), 0), &within, calls);
            }
        }
        let told = match (entry.text_of("error"), status) {
            (Some(error), _) => Told::of_transport(&error),
            (None, Some(status)) if !(200..300).contains(&status) => Told::Http(status),
            _ => return,
        };
        if let Some(id) = frame.get("id") {
            self.frames.ended(id, told, &within, calls);
        }
    }
}

/// A body: a text, or JSON in place.
fn body_of(node: Node<'_>) -> Option<Cow<'_, str>> {
    node.string().or_else(|| std::str::from_utf8(node.raw()).ok().map(Cow::Borrowed))
}
