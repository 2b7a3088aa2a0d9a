//! Log lines in the envelope of a log system: taken off before anything else looks (`4-sources.md` 4.14), at most
//! [`DEEPEST`] of them around each other. What each wraps, and where, is a table.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::event::{
    AttemptEvent, EffectEvent, Half, ProblemEvent, ReadBackEvent, RecordEvent, RunEvent, Sink, StateEvent,
};
use super::frame::{self, Bytes, Lines, ReadError};
use super::json::{self, Node};
use super::peek::{Seen, find};
use crate::model::row::{At, SourceNo};
use crate::model::time::{Micros, Zone, parse_time};

/// So many envelopes around each other are taken off.
pub const DEEPEST: usize = 3;

/// One envelope.
#[derive(Debug, PartialEq, Eq)]
pub struct Envelope {
    /// Whose it is.
    pub whose: &'static str,
    /// Paths that one of the first records has, any of these lists.
    marks: &'static [&'static [&'static str]],
    /// Lists of which the elements are records.
    lists: &'static [&'static str],
    /// Where the line stands.
    line: &'static [&'static str],
    /// Where the time stands.
    time: &'static [&'static str],
    /// A line without its end goes on in the next record.
    goes_on: bool,
}

/// The envelopes in JSON.
pub const ENVELOPES: [Envelope; 5] = [
    Envelope {
        whose: "container runtime",
        marks: &[&["log", "stream", "time"], &["log", "stream"]],
        lists: &[],
        line: &["log"],
        time: &["time"],
        goes_on: true,
    },
    Envelope {
        whose: "Loki",
        marks: &[&["line", "labels"], &["line", "timestamp"], &["data.result.[].values", "data.resultType"]],
        lists: &["data.result"],
        line: &["line"],
        time: &["timestamp", "ts"],
        goes_on: false,
    },
    Envelope {
        whose: "CloudWatch",
        marks: &[
            &["@message"],
            &["events.[].message", "events.[].timestamp"],
            &["events.[].message", "logStream"],
            &["logEvents.[].message"],
            &["message", "logStreamName"],
            &["results.[].[].field=@timestamp"],
            &["results.[].[].field=@message"],
        ],
        lists: &["events", "logEvents", "results"],
        line: &["@message", "message"],
        time: &["@timestamp", "timestamp"],
        goes_on: false,
    },
    Envelope {
        whose: "Datadog",
        marks: &[&["message", "ddsource"], &["data.[].attributes.message"], &["message", "_id", "date"]],
        lists: &["data"],
        line: &["message", "attributes.message"],
        time: &["timestamp", "date", "attributes.timestamp"],
        goes_on: false,
    },
    Envelope {
        whose: "journald",
        marks: &[&["MESSAGE", "__REALTIME_TIMESTAMP"], &["MESSAGE", "__CURSOR"]],
        lists: &[],
        line: &["MESSAGE"],
        time: &["_SOURCE_REALTIME_TIMESTAMP", "__REALTIME_TIMESTAMP"],
        goes_on: false,
    },
];

/// The text form of a container runtime: `TIME stdout F LINE`.
pub const TEXT: Envelope =
    Envelope { whose: "container runtime", marks: &[], lists: &[], line: &[], time: &[], goes_on: true };

/// The envelope around these records, and the paths by which it was known.
pub fn around(records: &[Vec<Seen>]) -> Option<(&'static Envelope, &'static [&'static str])> {
    let there = |record: &[Seen], path: &str| match path.split_once('=') {
        Some((path, value)) => find(record, path) == Some(value),
        None => find(record, path).is_some(),
    };
    let has = |paths: &[&str]| records.iter().any(|record| paths.iter().all(|path| there(record, path)));
    ENVELOPES
        .iter()
        .find_map(|envelope| envelope.marks.iter().find(|paths| has(paths)).map(|paths| (envelope, *paths)))
}

/// Whether lines of text are those of a container runtime.
pub fn is_text(lines: &[&str]) -> bool {
    let mut seen = lines.iter().filter(|line| !line.trim().is_empty()).peekable();
    seen.peek().is_some() && seen.all(|line| of_runtime(line.as_bytes()).is_some())
}

/// The lines of an envelope, in the order in which they were written.
#[derive(Debug)]
pub struct Unwrapped {
    /// The lines.
    bytes: Arc<Vec<u8>>,
    /// Where each begins here and there, and its time in `times`.
    places: Vec<Place>,
    times: String,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    here: u64,
    there: u64,
    time: (u32, u32),
}

impl Unwrapped {
    /// The lines, to be read in place of the file.
    pub fn bytes(&self) -> Bytes {
        Bytes::Memory(Arc::clone(&self.bytes))
    }

    /// Where the record that begins here stands in its envelope.
    pub fn outside(&self, here: u64) -> u64 {
        self.place(here).map_or(here, |place| place.there)
    }

    /// The time of the envelope.
    pub fn time(&self, here: u64) -> Option<&str> {
        let (from, to) = self.place(here)?.time;
        self.times.get(from as usize..to as usize).filter(|time| !time.is_empty())
    }

    /// The envelope gives times.
    pub fn has_times(&self) -> bool {
        !self.times.is_empty()
    }

    fn place(&self, here: u64) -> Option<&Place> {
        let behind = self.places.partition_point(|place| place.here <= here);
        self.places.get(behind.checked_sub(1)?)
    }

    /// The same lines in an envelope that was taken off before.
    #[must_use]
    pub fn inside(mut self, outer: &Unwrapped) -> Self {
        let mut times = String::new();
        for place in &mut self.places {
            let (from, to) = place.time;
            let own = self.times.get(from as usize..to as usize).unwrap_or_default();
            let time = if own.is_empty() { outer.time(place.there).unwrap_or_default() } else { own };
            let begin = times.len();
            times.push_str(time);
            place.time = (short(begin), short(times.len()));
            place.there = outer.outside(place.there);
        }
        self.times = times;
        self
    }
}

fn short(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A line that was taken out.
struct Line {
    text: Vec<u8>,
    there: u64,
    time: String,
    ended: bool,
}

/// Takes an envelope off. What is not in it (a damaged record, noise) stays as it is.
///
/// # Errors
/// When the file cannot be read on.
pub fn take_off(
    envelope: &'static Envelope,
    bytes: &Bytes,
    as_lines: bool,
    cancel: &AtomicBool,
) -> Result<Unwrapped, ReadError> {
    let mut lines = Vec::new();
    if as_lines {
        Lines::new(bytes, cancel).each(0..bytes.len(), |line| {
            envelope.line(line.bytes, line.offset, line.ended, &mut lines);
        })?;
    } else {
        let whole = frame::whole(bytes)?;
        for value in frame::values(&whole, envelope.lists) {
            match value {
                Ok(value) => envelope.line(value.bytes, value.offset, true, &mut lines),
                Err(broken) => {
                    let rest = whole.get(usize::try_from(broken.offset).unwrap_or(usize::MAX)..);
                    let text = rest.unwrap_or_default().iter().take(4096).copied().filter(|b| *b != b'\n');
                    lines.push(Line {
                        text: text.collect(),
                        there: broken.offset,
                        time: String::new(),
                        ended: false,
                    });
                }
            }
        }
    }
    let mut lines = joined(lines);
    if backwards(&lines) {
        lines.reverse();
    }
    Ok(written(&lines))
}

impl Envelope {
    /// Takes one record out of its envelope.
    fn line(&self, record: &[u8], at: u64, ended: bool, lines: &mut Vec<Line>) {
        let as_it_is = || Line { text: record.to_vec(), there: at, time: String::new(), ended };
        if self.line.is_empty() {
            let Some((time, full, text)) = of_runtime(record) else { return lines.push(as_it_is()) };
            return lines.push(Line {
                text: text.to_vec(),
                there: at,
                time: time.to_owned(),
                ended: full && ended,
            });
        }
        if json::check(record).is_err() {
            return lines.push(as_it_is());
        }
        let node = Node::new(record, at);
        let list = self
            .lists
            .iter()
            .find_map(|list| list.split('.').try_fold(node, Node::get).filter(|found| found.is_array()));
        let before = lines.len();
        match list.or(Some(node).filter(|node| node.is_array())) {
            Some(list) if !is_pairs(list) => list.items().for_each(|item| self.take(item, lines)),
            _ => self.take(node, lines),
        }
        if lines.len() == before {
            lines.push(as_it_is());
        }
    }

    fn take(&self, node: Node<'_>, lines: &mut Vec<Line>) {
        // Loki's answer: streams of pairs of time and line.
        if let Some(values) = node.get("values").filter(|values| values.is_array() && self.whose == "Loki") {
            for pair in values.items() {
                let mut pair = pair.items();
                if let (Some(time), Some(line)) = (pair.next(), pair.next()) {
                    push(line, time.text().unwrap_or_default().into_owned(), lines);
                }
            }
            return;
        }
        // CloudWatch's Insights: a list of pairs of field and value.
        if is_pairs(node) {
            let of = |names: &[&str]| {
                node.items()
                    .find(|pair| pair.text_of("field").is_some_and(|field| names.contains(&field.as_ref())))?
                    .get("value")
            };
            let time = of(self.time).and_then(Node::text).unwrap_or_default().into_owned();
            if let Some(line) = of(self.line) {
                push(line, time, lines);
            }
            return;
        }
        let at = |path: &&str| node.get(path).or_else(|| path.split('.').try_fold(node, Node::get));
        let time = self.time.iter().find_map(at).and_then(Node::text).unwrap_or_default().into_owned();
        let Some(line) = self.line.iter().find_map(at) else { return };
        push(line, time, lines);
        if self.goes_on
            && let Some(last) = lines.last_mut()
        {
            last.ended = last.text.last() == Some(&b'\n');
        }
    }
}

/// A list of objects with `field` and `value`.
fn is_pairs(node: Node<'_>) -> bool {
    node.is_array() && node.items().next().is_some_and(|first| first.get("field").is_some())
}

fn push(line: Node<'_>, time: String, lines: &mut Vec<Line>) {
    let text = match line.string() {
        Some(text) => text.into_owned().into_bytes(),
        // journald writes what is no UTF-8 as a list of bytes.
        None if line.is_array() => line.items().filter_map(|byte| byte.text()?.parse().ok()).collect(),
        None => line.raw().to_vec(),
    };
    lines.push(Line { text, there: line.at(), time: in_utc(time), ended: true });
}

/// Times of log systems without a zone are UTC by their documentation.
fn in_utc(mut time: String) -> String {
    let bare = parse_time(&time, &Zone::Utc);
    if time.contains('-')
        && time.contains(':')
        && !parse_time(&time, &Zone::Unknown).exact_zone()
        && bare.at != Micros::NONE
    {
        time.push('Z');
    }
    time
}

/// `TIME stdout F LINE`: the time, whether the line is whole, the line.
fn of_runtime(line: &[u8]) -> Option<(&str, bool, &[u8])> {
    let mut parts = line.splitn(4, |byte| *byte == b' ');
    let (time, stream, tag) = (parts.next()?, parts.next()?, parts.next()?);
    let dated = time.first().is_some_and(u8::is_ascii_digit) && time.contains(&b'T');
    let known = matches!(stream, b"stdout" | b"stderr") && matches!(tag.first(), Some(b'F' | b'P'));
    (dated && known).then_some(())?;
    Some((std::str::from_utf8(time).ok()?, tag.first() == Some(&b'F'), parts.next().unwrap_or_default()))
}

/// Lines of several records are one.
fn joined(lines: Vec<Line>) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    let mut open = false;
    for line in lines {
        match out.last_mut().filter(|_| open) {
            Some(last) => {
                last.text.extend_from_slice(&line.text);
                last.ended = line.ended;
            }
            None => out.push(line),
        }
        open = out.last().is_some_and(|last| !last.ended);
    }
    out
}

/// Log systems list the newest first.
fn backwards(lines: &[Line]) -> bool {
    let at = |line: &Line| Some(parse_time(&line.time, &Zone::Utc).at).filter(|at| *at != Micros::NONE);
    let (first, last) = (lines.iter().find_map(at), lines.iter().rev().find_map(at));
    first.zip(last).is_some_and(|(first, last)| first > last)
}

fn written(lines: &[Line]) -> Unwrapped {
    let mut bytes = Vec::new();
    let mut places = Vec::with_capacity(lines.len());
    let mut times = String::new();
    let last = lines.len().saturating_sub(1);
    for (number, line) in lines.iter().enumerate() {
        let begin = times.len();
        times.push_str(&line.time);
        places.push(Place {
            here: bytes.len() as u64,
            there: line.there,
            time: (short(begin), short(times.len())),
        });
        let text = line.text.trim_ascii_end();
        let many = memchr::memchr(b'\n', text).is_some();
        if many && json::check(text).is_ok() {
            // A value over several lines is one record; line ends in JSON are white space.
            bytes.extend(text.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte }));
        } else {
            bytes.extend_from_slice(text);
        }
        if number < last || line.ended {
            bytes.push(b'\n');
        }
    }
    Unwrapped { bytes: Arc::new(bytes), places, times }
}

/// The beginning of what stands in an envelope.
pub fn beginning(envelope: &'static Envelope, head: &[u8], as_lines: bool) -> Vec<u8> {
    let cut =
        if as_lines { memchr::memrchr(b'\n', head).map_or(head.len(), |at| at + 1) } else { head.len() };
    let head: Bytes = head.get(..cut).unwrap_or_default().to_vec().into();
    take_off(envelope, &head, as_lines, &AtomicBool::new(false))
        .map(|inside| inside.bytes.to_vec())
        .unwrap_or_default()
}

/// Gives events without a time that of their envelope.
pub struct Timed<'t> {
    /// The lines.
    pub lines: &'t Unwrapped,
    /// Where the events go.
    pub out: &'t mut dyn Sink,
}

impl Sink for Timed<'_> {
    fn attempt(&mut self, at: At, event: &AttemptEvent<'_>) {
        let time = |place: u64| self.lines.time(place).map(std::borrow::Cow::Borrowed);
        let bare = event.sent.is_none() && event.ended.is_none();
        if !bare {
            return self.out.attempt(at, event);
        }
        let ended = match (event.half, event.answered) {
            (Half::End, _) => time(at.place()),
            (_, answered) => answered.and_then(time),
        };
        let sent = if event.half == Half::End { None } else { time(at.place()) };
        self.out.attempt(at, &AttemptEvent { sent, ended, ..event.clone() });
    }

    fn effect(&mut self, at: At, event: &EffectEvent<'_>) {
        match self.lines.time(at.place()).filter(|_| event.committed.is_none()) {
            Some(time) => self.out.effect(at, &EffectEvent { committed: Some(time.into()), ..event.clone() }),
            None => self.out.effect(at, event),
        }
    }

    fn run(&mut self, at: At, event: &RunEvent<'_>) {
        self.out.run(at, event);
    }
    fn record(&mut self, at: At, event: &RecordEvent<'_>) {
        self.out.record(at, event);
    }
    fn state(&mut self, at: At, event: &StateEvent<'_>) {
        self.out.state(at, event);
    }
    fn read_back(&mut self, at: At, event: &ReadBackEvent<'_>) {
        self.out.read_back(at, event);
    }
    fn set_aside(&mut self, at: At, rule: &'static str, event: &EffectEvent<'_>) {
        self.out.set_aside(at, rule, event);
    }
    fn problem(&mut self, at: At, event: ProblemEvent) {
        self.out.problem(at, event);
    }
    fn skipped(&mut self, source: SourceNo, rule: &'static str) {
        self.out.skipped(source, rule);
    }
    fn skipped_line(&mut self, at: At, rule: &'static str, line: &[u8]) {
        self.out.skipped_line(at, rule, line);
    }
    fn used(&mut self, source: SourceNo) {
        self.out.used(source);
    }
}
