//! The log of a desktop client for one MCP server (`formats.md` 2): lines with a time, the server and a level, among
//! them the frames. What the server printed stands in between; long frames are cut in their middle.

use super::calls::{Answer, Calls, Record, TraceReader};
use super::mcp::{Context, Frames};
use super::table::Setup;
use super::told::Told;
use crate::sources::event::rule;
use crate::sources::frame::end_of;
use crate::sources::json::{self, Node};

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn TraceReader> {
    Box::new(Desktop::default())
}

#[derive(Debug, Default)]
struct Desktop {
    frames: Frames,
}

/// What stands before a frame.
const FROM: [&str; 2] = ["Message from client: ", "Message from server: "];
/// Lines by which a session begins.
const BEGINS: [&str; 2] = ["Initializing server", "Server started and connected"];
/// Lines by which the connection ended, whoever waits for an answer.
const ENDS: [&str; 3] = ["transport closed", "Client transport closed", "Server disconnected"];
/// What stands where a frame was cut.
const CUT: &str = " chars truncated]";

impl TraceReader for Desktop {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let Some(line) = std::str::from_utf8(record.bytes).ok().and_then(Line::of) else {
            return calls.noise(rule::NOISE);
        };
        let context = Context {
            place: record.at,
            time: line.time,
            server: line.server,
            cut: !record.ended,
            ..Context::default()
        };
        let Some(frame) = FROM.iter().find_map(|from| line.rest.strip_prefix(from)) else {
            return self.event(&line, calls);
        };
        let end = end_of(frame.as_bytes(), 0);
        let token = end.and_then(|end| frame.as_bytes().get(..end)).unwrap_or_default();
        if json::check(token).is_ok() {
            return self.frames.frame(Node::new(token, record.at), &context, calls);
        }
        if frame.contains(CUT) && self.frames.cut_frame(frame, &context, calls) {
            return;
        }
        let what =
            if record.ended { "the frame is cut in its middle" } else { "cut off (still being written?)" };
        calls.refuse(what);
    }
}

impl Desktop {
    fn event(&mut self, line: &Line<'_>, calls: &mut Calls<'_>) {
        if ENDS.iter().any(|words| line.rest.contains(words)) {
            for id in calls.open_ids() {
                let ended = line.time.to_owned();
                calls.gave_up(&id, Answer { ended, told: Told::Lost, ..Answer::default() });
            }
            self.frames.begin(line.server);
        } else if BEGINS.iter().any(|words| line.rest.starts_with(words)) {
            self.frames.begin(line.server);
        }
        calls.other();
    }
}

/// A line of the log.
struct Line<'l> {
    time: &'l str,
    server: &'l str,
    rest: &'l str,
}

impl<'l> Line<'l> {
    /// `TIME [SERVER] [LEVEL] REST`
    fn of(text: &'l str) -> Option<Self> {
        let (time, rest) = text.split_once(' ')?;
        let dated = time.len() >= 20 && time.starts_with(|c: char| c.is_ascii_digit()) && time.contains('T');
        let (server, rest) = rest.trim_start().strip_prefix('[').filter(|_| dated)?.split_once("] ")?;
        let (_, rest) = rest.trim_start().strip_prefix('[')?.split_once("] ")?;
        Some(Self { time, server, rest: rest.trim_start() })
    }
}
