//! Access logs of proxies (`formats.md` 8): JSON lines, whose names every site chooses, and the combined text form. The
//! time is mostly that of the end. A client that left before the answer is 499, 460, or a flag.

use std::borrow::Cow;

use super::calls::{Answer, Call, Calls, Fields, Record, TraceReader};
use super::http::{KEY_HEADERS, bare_key, is_one_of, route};
use super::table::Setup;
use super::told::Told;
use super::{earlier, later};
use crate::sources::event::rule;
use crate::sources::json::Node;
use crate::sources::names::{alike, loose};

/// A reader.
pub fn reader(setup: &Setup) -> Box<dyn TraceReader> {
    Box::new(Access { headers: setup.below("header:"), paths: setup.paths.clone() })
}

struct Access {
    headers: Vec<String>,
    /// What a mapping names.
    paths: Vec<String>,
}

const REQUEST: [&str; 2] = ["request", "request_line"];
const METHOD: [&str; 5] = ["method", "request_method", "http_method", "verb", "req_method"];
const PATH: [&str; 7] =
    ["path", "uri", "request_uri", "url", "x_envoy_origin_path", "request_path", "original_path"];
const STATUS: [&str; 6] =
    ["status", "response_code", "status_code", "http_status", "elb_status_code", "response_status"];
const BEGAN: [&str; 4] = ["start_time", "time_start", "request_start", "started_at"];
const ENDED: [&str; 7] = ["time", "time_iso8601", "time_local", "timestamp", "@timestamp", "ts", "msec"];
const FLAGS: [&str; 2] = ["response_flags", "flags"];
const UPSTREAM: [&str; 2] = ["upstream_status", "target_status_code"];
/// Seconds, or milliseconds.
const TOOK: [(&str, bool); 5] = [
    ("request_time", true),
    ("duration", false),
    ("duration_ms", false),
    ("request_time_ms", false),
    ("latency_ms", false),
];
/// Fields of a call that a site may log beside it.
const BESIDE: [&str; 12] = [
    "operation_id",
    "business_id",
    "order_id",
    "order",
    "invoice_id",
    "payment_id",
    "customer_id",
    "account_id",
    "amount",
    "amount_minor",
    "currency",
    "run_id",
];

/// Envoy's flags for an answer that did not come: what the client was told.
const FLAGGED: [(&str, Told); 6] = [
    ("DC", Told::Cancelled),
    ("DT", Told::Timeout),
    ("UT", Told::Timeout),
    ("UC", Told::Reset),
    ("UR", Told::Reset),
    ("LR", Told::Reset),
];

impl TraceReader for Access {
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>) {
        if record.node.is_object() {
            return self.json(record, calls);
        }
        let Some(line) = std::str::from_utf8(record.bytes).ok().and_then(Combined::of) else {
            return calls.noise(rule::NOISE);
        };
        let mut call = Call::at(record.at);
        call.cut = !record.ended;
        call.fields.text("tool", &route(line.method, line.path)).maybe("idempotency_key", line.key);
        calls.whole(&call, &Answer { ended: line.time, ..Answer::told(told(line.status, "")) });
    }
}

impl Access {
    fn json(&self, record: &Record<'_>, calls: &mut Calls<'_>) {
        let line = record.node;
        let of = |names: &[&str]| names.iter().find_map(|name| field(line, name));
        let request = of(&REQUEST).unwrap_or_default();
        let mut words = request.split_whitespace();
        let (first, second) = (words.next(), words.next());
        let method = of(&METHOD).or(first.map(Cow::Borrowed));
        let path = of(&PATH).or(second.map(Cow::Borrowed));
        let status = of(&STATUS).and_then(|status| status.parse::<u16>().ok());
        let (Some(method), Some(path), Some(status)) = (method, path, status) else {
            return calls.other();
        };
        let took = TOOK.iter().find_map(|(name, seconds)| Some((field(line, name)?, *seconds)));
        let milliseconds =
            took.map(|(took, seconds)| if seconds { thousand(&took) } else { took.into_owned() });
        let (began, ended) = (of(&BEGAN), of(&ENDED).map(|time| dated(&time)));
        let sent = match (&began, &ended) {
            (Some(began), _) => began.clone().into_owned(),
            (None, Some(ended)) => {
                milliseconds.as_deref().and_then(|took| earlier(ended, took)).unwrap_or_default()
            }
            (None, None) => String::new(),
        };
        let ended = match (began, ended) {
            (Some(began), _) => {
                milliseconds.as_deref().and_then(|took| later(&began, took)).unwrap_or_default()
            }
            (None, ended) => ended.unwrap_or_default(),
        };
        let mut call = Call::at(record.at);
        call.cut = !record.ended;
        call.fields.text("tool", &route(&method, &path)).maybe("sent_at", Some(sent));
        let key = line
            .members()
            .find(|(name, _)| is_key(&name.text()))
            .and_then(|(_, value)| value.text())
            .filter(|key| *key != "-");
        call.fields.maybe("idempotency_key", key.as_deref().map(bare_key));
        for name in BESIDE {
            call.fields.node(name, line.get(name));
        }
        self.mapped(line, &mut call);
        let flags = of(&FLAGS).unwrap_or_default();
        let upstream = of(&UPSTREAM).unwrap_or_default();
        let told = told(status, &flags);
        let mut answer = Answer { ended, ..Answer::told(told) };
        // The server finished; its client had left.
        let last = upstream.rsplit([',', ':']).next().map(str::trim).unwrap_or_default();
        answer.unseen = answer.told == Told::Cancelled && last.len() == 3 && last.starts_with('2');
        if upstream.contains(',') {
            answer.fields.text("text", &format!("the proxy itself sent it again: upstream {upstream}"));
        }
        calls.whole(&call, &answer);
    }

    /// What a mapping names and is not there yet.
    fn mapped(&self, line: Node<'_>, call: &mut Call) {
        let mut headers = Fields::default();
        for name in &self.headers {
            headers.maybe(
                name,
                field(line, name).or_else(|| field(line, &format!("http_{name}"))).as_deref().map(bare_key),
            );
        }
        call.fields.object("headers", &headers);
        for path in self.paths.iter().filter(|path| !path.contains([':', '.'])) {
            let known = BESIDE.contains(&path.as_str())
                || ["tool", "sent_at", "idempotency_key"].contains(&path.as_str());
            if !known {
                call.fields.node(path, line.get(path));
            }
        }
    }
}

/// The name of a header with a key, whatever a site writes before it (`http_`, `req_`, `x_`).
fn is_key(name: &str) -> bool {
    is_one_of(name, &KEY_HEADERS) || loose(name).ends_with("idempotencykey")
}

/// A field by its name, compared as names of columns are; `-` stands for nothing.
fn field<'l>(line: Node<'l>, name: &str) -> Option<Cow<'l, str>> {
    let found = line.members().find(|(known, _)| alike(&known.text(), name))?.1;
    found.text().filter(|text| text != "-")
}

/// What the client was told.
fn told(status: u16, flags: &str) -> Told {
    let flagged = || FLAGGED.iter().find(|(flag, _)| flags.split(',').any(|known| known.trim() == *flag));
    match status {
        499 | 460 => Told::Cancelled,
        0 => flagged().map_or(Told::Lost, |(_, told)| told.clone()),
        status => Told::Http(status),
    }
}

/// Seconds as a decimal number in milliseconds.
fn thousand(seconds: &str) -> String {
    let (whole, part) = seconds.split_once('.').unwrap_or((seconds, ""));
    let part: String = part.chars().chain("000".chars()).take(3).collect();
    format!("{whole}{part}")
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A time of the combined form (`01/Sep/2026:10:01:05 +0000`) as others write it.
fn dated(time: &str) -> String {
    let parts = || {
        let (date, rest) = time.split_once(':')?;
        let mut date = date.split('/');
        let (day, month, year) = (date.next()?, date.next()?, date.next()?);
        let month = MONTHS.iter().position(|known| *known == month)? + 1;
        let (clock, zone) = rest.split_once(' ').unwrap_or((rest, ""));
        let (hours, minutes) = (zone.get(..3)?, zone.get(3..)?);
        Some(format!("{year}-{month:02}-{day}T{clock}{hours}:{minutes}"))
    };
    parts().unwrap_or_else(|| time.to_owned())
}

/// A line of the combined form.
struct Combined<'l> {
    time: String,
    method: &'l str,
    path: &'l str,
    status: u16,
    key: Option<&'l str>,
}

impl<'l> Combined<'l> {
    /// `IP - USER [TIME] "METHOD PATH PROTOCOL" STATUS BYTES "REFERER" "AGENT" "KEY"`
    fn of(line: &'l str) -> Option<Self> {
        let (_, rest) = line.split_once('[')?;
        let (time, rest) = rest.split_once(']')?;
        let (_, rest) = rest.split_once('"')?;
        let (request, rest) = rest.split_once('"')?;
        let mut words = request.split(' ');
        let (method, path) = (words.next()?, words.next()?);
        let (numbers, quoted) = rest.split_once('"').unwrap_or((rest, ""));
        let status = numbers.split_whitespace().next()?.parse().ok()?;
        // Behind referer and agent a site may log more: a key has no space in it.
        let more = quoted.split('"').step_by(2).skip(2);
        let key = more.map(str::trim).find(|text| text.len() >= 8 && !text.contains(' '));
        Some(Self { time: dated(time), method, path, status, key })
    }
}
