//! Calls whose parts stand in several records: opened by an id, closed by the answer, told as one attempt.
//!
//! A format finds fields and says what the caller was told ([`Told`]). A call that is put together is written as one
//! small JSON object with the well-known names of `7-commands.md` 7.5.8 and goes through the generic reader: what a
//! mapping may say (`args.`, `meta.`, `attr:`, `header:`, `tag:`), where ids and amounts stand, and how an answer in a
//! JSON text is read is the same for all formats.
//!
//! Memory is bounded: of more than [`MOST_OPEN`] calls without an answer the oldest are told as begun; an answer that
//! comes later is then told as an end of its own, and the two meet where halves are joined.

use std::collections::HashSet;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;

pub use super::fields::Fields;
use super::generic::{Generic, More};
use super::told::Told;
pub use super::waiting::Handle;
use super::waiting::{Open, Waiting};
use crate::model::row::{At, SourceNo};
use crate::sources::event::{Half, Sink, rule};
use crate::sources::format::{Format, Raw, Scratch, refuse};
use crate::sources::json::{Node, Parser, Reader, Slots};

/// So many calls may be open at once.
pub const MOST_OPEN: usize = 1 << 16;

/// So many bytes of open calls are held.
const MOST_BYTES: usize = 256 << 20;

/// One record as a format gets it.
#[derive(Debug, Clone, Copy)]
pub struct Record<'r> {
    /// The record as JSON; for lines of text a node that holds the line and is nothing.
    pub node: Node<'r>,
    /// The record as it stands.
    pub bytes: &'r [u8],
    /// Where it begins.
    pub at: u64,
    /// False for a last line without line end.
    pub ended: bool,
}

/// Reads the records of one source, in order.
pub trait TraceReader: Send {
    /// Reads one record. What it says of calls goes to `calls`; what it is not is said with [`Calls::skip`] or
    /// [`Calls::refuse`], exactly one of them where nothing else was told.
    fn record(&mut self, record: &Record<'_>, calls: &mut Calls<'_>);

    /// After the last record; calls that are still open are told behind it.
    fn end(&mut self, _calls: &mut Calls<'_>) {}
}

/// A call as it was sent. Names of its fields: `attempt_id` (only where it is unique in the world: the id of a JSON-RPC
/// request is not; where it stands, it is the id that the call is opened by), `tool`, `arguments` (an object, or a JSON text),
/// `sent_at`, `idempotency_key`, `operation_id`, `run_id`, `decision_id`, `turn`, `agent`, `model`; `meta`,
/// `attributes`, `headers`, `tags` (objects, for mappings).
#[derive(Debug, Clone, Default)]
pub struct Call {
    /// Where the innermost object of the call begins: no two calls of a source have the same place.
    pub at: u64,
    /// Its fields.
    pub fields: Fields,
    /// The record says whether the call reads (a hint, a method); else the tool's name decides.
    pub read: Option<bool>,
    /// The last line of a file had no line end.
    pub cut: bool,
    /// An amount without decimals may count minor units, as in most calls of HTTP: it is not taken.
    pub unclear_amounts: bool,
}

impl Call {
    /// A call at this place.
    pub fn at(at: u64) -> Self {
        Self { at, ..Self::default() }
    }
}

/// How a call ended. Names of its fields: `result` (an object or a JSON text: receipts are found in it), `receipt`,
/// `refund_id`, `reused`, `replayed`, `text` (shown only).
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// Where the answer stands, where it is a record of its own.
    pub at: Option<u64>,
    /// When the call ended for its caller, as written; empty where that is not known.
    pub ended: String,
    /// Its fields.
    pub fields: Fields,
    /// What the caller was told.
    pub told: Told,
    /// An answer existed and did not reach the caller, who had given up before (`ANSWER_NOT_SEEN`).
    pub unseen: bool,
}

impl Answer {
    /// What the caller was told.
    pub fn told(told: Told) -> Self {
        Self { told, ..Self::default() }
    }
}

/// What is kept from record to record of one source.
#[derive(Debug)]
pub struct Desk {
    source: SourceNo,
    tools: Option<Tools>,
    open: Waiting,
    bytes: usize,
    told_begun: bool,
    /// Calls of this source have attempt ids, which are the ids that they are opened by.
    named: bool,
    seen: HashSet<u64, RandomState>,
    hasher: RandomState,
    /// Calls as they are written, for who looks at them; nothing is told then.
    captured: Option<Vec<String>>,
    /// The call that is written at the moment.
    written: Fields,
}

#[derive(Debug)]
struct Tools {
    reader: Reader,
    scratch: Scratch,
}

impl Desk {
    /// A desk whose calls are read by this form.
    pub fn new(source: SourceNo, form: &Generic, parser: Parser) -> Self {
        let tools = Tools { reader: Reader::new(form.want().clone(), parser), scratch: form.scratch(parser) };
        Self { tools: Some(tools), ..Self::bare(source) }
    }

    /// A desk that only writes calls down.
    pub fn capture() -> Self {
        Self { captured: Some(Vec::new()), ..Self::bare(SourceNo(0)) }
    }

    fn bare(source: SourceNo) -> Self {
        Self {
            source,
            tools: None,
            open: Waiting::default(),
            bytes: 0,
            told_begun: false,
            named: false,
            seen: HashSet::default(),
            hasher: RandomState::default(),
            captured: None,
            written: Fields::default(),
        }
    }

    /// The calls that were written down.
    pub fn captured(self) -> Vec<String> {
        self.captured.unwrap_or_default()
    }

    /// How many were written down.
    pub fn count(&self) -> usize {
        self.captured.as_ref().map_or(0, Vec::len)
    }
}

/// Where a format tells its calls, for one record.
pub struct Calls<'c> {
    desk: &'c mut Desk,
    form: Option<&'c Generic>,
    out: &'c mut dyn Sink,
    at: u64,
    bytes: &'c [u8],
    ended: bool,
}

impl<'c> Calls<'c> {
    /// For one record.
    pub fn new(
        desk: &'c mut Desk,
        form: Option<&'c Generic>,
        record: &Record<'c>,
        out: &'c mut dyn Sink,
    ) -> Self {
        Self { desk, form, out, at: record.at, bytes: record.bytes, ended: record.ended }
    }

    /// For the end of the source.
    pub fn behind(desk: &'c mut Desk, form: Option<&'c Generic>, at: u64, out: &'c mut dyn Sink) -> Self {
        Self { desk, form, out, at, bytes: &[], ended: true }
    }

    /// A call was sent. If one of this id is open (ids begin again in a new session), that one stays without answer.
    pub fn open(&mut self, id: &str, call: Call) -> Handle {
        if let Some(before) = self.desk.open.take(id) {
            self.settle(before, Half::Both);
        }
        self.desk.named = call.fields.names("\"attempt_id");
        self.desk.bytes += call.fields.len();
        let handle = self.desk.open.add(id, call);
        while self.desk.open.len() > MOST_OPEN || self.desk.bytes > MOST_BYTES {
            let Some(oldest) = self.desk.open.take_oldest() else { break };
            self.desk.told_begun = true;
            self.settle(oldest, Half::Start);
        }
        handle
    }

    /// As [`Calls::open`] for ids that are given once only (`call_..`, `toolu_..`): the same call again, as repeated
    /// histories and resumed sessions have it, is skipped. Gives whether it was new.
    pub fn open_once(&mut self, id: &str, call: Call) -> bool {
        let new = self.first(id);
        if new {
            self.open(id, call);
        } else {
            self.skip(SAME_CALL);
        }
        new
    }

    /// Whether this text was not met before; remembers it.
    pub fn first(&mut self, id: &str) -> bool {
        let print = self.desk.hasher.hash_one(id);
        self.desk.seen.insert(print)
    }

    /// A call of this id waits for its answer.
    pub fn is_open(&self, id: &str) -> bool {
        self.desk.open.has(id)
    }

    /// This very call waits for its answer.
    pub fn waits(&self, handle: Handle) -> bool {
        self.desk.open.waits(handle)
    }

    /// What is known of the end of this very call, while it is open, and its id.
    pub fn known(&mut self, handle: Handle) -> Option<(&str, &mut Answer)> {
        self.desk.open.known(handle).map(|open| (&*open.id, &mut open.answer))
    }

    /// The ids of the calls that are open, oldest first.
    pub fn open_ids(&self) -> Vec<String> {
        self.desk.open.iter().map(|open| open.id.to_string()).collect()
    }

    /// The call of this id while it is open: for what a later record says of it.
    pub fn opened(&mut self, id: &str) -> Option<(&mut Call, &mut Answer)> {
        self.desk.open.get_mut(id).map(|open| (&mut open.call, &mut open.answer))
    }

    /// The caller was told this and the call stays open: an answer that comes now did not reach it. A sign that
    /// has a place is a record of its own.
    pub fn gave_up(&mut self, id: &str, answer: Answer) -> bool {
        let own = answer.at.is_some();
        let Some((_, known)) = self.opened(id) else { return false };
        if known.told == Told::Nothing {
            *known = answer;
        }
        if own {
            self.used();
        }
        true
    }

    /// The call ended. Where the caller had given up before, that stays what it was told, and the answer is one that
    /// it did not see. Gives whether there was such a call.
    pub fn close(&mut self, id: &str, answer: Answer) -> bool {
        let Some(mut open) = self.desk.open.take(id) else {
            return self.close_begun(id, &answer);
        };
        let own = answer.at.is_some();
        // What the caller was told, and when, is what it was when it gave up.
        let known = std::mem::take(&mut open.answer);
        open.answer = match known.told {
            Told::Nothing => answer,
            told => Answer { told, ended: known.ended, unseen: true, ..answer },
        };
        if own {
            self.used();
        }
        self.settle(open, Half::Both);
        true
    }

    /// The answer to a call that was told as begun.
    fn close_begun(&mut self, id: &str, answer: &Answer) -> bool {
        let mut call = Call::at(answer.at.unwrap_or(self.at));
        if self.desk.captured.is_some() {
            // Who looks has the id from the call.
            self.tell(&call, answer, Half::Both);
            return true;
        }
        if !self.desk.told_begun {
            return false;
        }
        call.fields.text("attempt_id", &self.half_id(id));
        self.tell(&call, answer, Half::End);
        true
    }

    /// A call that stands in one record with its answer.
    pub fn whole(&mut self, call: &Call, answer: &Answer) {
        self.tell(call, answer, Half::Both);
    }

    /// All calls that are still open, in their order: they have no answer.
    pub fn close_all(&mut self) {
        while let Some(open) = self.desk.open.take_oldest() {
            self.settle(open, Half::Both);
        }
    }

    /// The record is known and not used, by this rule.
    pub fn skip(&mut self, rule: &'static str) {
        if self.desk.captured.is_none() {
            self.out.skipped(self.desk.source, rule);
        }
    }

    /// The record says nothing of a call. If it names a loaded id, it is shown all the same.
    pub fn other(&mut self) {
        self.noise(rule::OTHER);
    }

    /// As [`Calls::other`] by another rule.
    pub fn noise(&mut self, rule: &'static str) {
        if self.desk.captured.is_none() {
            self.out.skipped_line(At::new(self.desk.source, self.at), rule, self.bytes);
        }
    }

    /// The record begins like one and cannot be read.
    pub fn refuse(&mut self, what: impl Into<String>) {
        if self.desk.captured.is_none() {
            let raw = Raw { bytes: self.bytes, at: At::new(self.desk.source, self.at), ended: self.ended };
            refuse(&mut self.out, raw, false, what.into());
        }
    }

    /// The record was used beside the one that holds the call.
    pub fn used(&mut self) {
        if self.desk.captured.is_none() {
            self.out.used(self.desk.source);
        }
    }

    fn settle(&mut self, mut open: Open, half: Half) {
        let bytes = open.call.fields.len();
        if half == Half::Start && !self.desk.named {
            open.call.fields.text("attempt_id", &self.half_id(&open.id));
        }
        self.desk.bytes = self.desk.bytes.saturating_sub(bytes);
        self.tell(&open.call, &open.answer, half);
    }

    /// The id by which the two halves of a call meet.
    fn half_id(&self, id: &str) -> String {
        if self.desk.named { id.to_owned() } else { format!("{}/{id}", self.desk.source.0) }
    }

    /// Tells a call: written as one object, read by the generic form.
    fn tell(&mut self, call: &Call, answer: &Answer, half: Half) {
        let mut fields = std::mem::take(&mut self.desk.written);
        fields.join(&call.fields);
        answer.told.write(&mut fields);
        fields.maybe("ended_at", Some(&answer.ended));
        fields.join(&answer.fields);
        let json = fields.take();
        if let Some(captured) = &mut self.desk.captured {
            captured.push(json);
            return;
        }
        let at = At::new(self.desk.source, call.at);
        let raw = Raw { bytes: json.as_bytes(), at, ended: !call.cut };
        let (Some(form), Some(tools)) = (self.form, self.desk.tools.as_mut()) else { return };
        let mut slots = Slots::new();
        match tools.reader.read(raw.bytes, &mut slots) {
            Ok(()) => {
                let more = More {
                    half,
                    read: call.read,
                    answered: answer.at,
                    unseen: answer.unseen,
                    unclear_amounts: call.unclear_amounts,
                };
                form.call(&slots, raw, &mut tools.scratch, &more, &mut self.out);
            }
            Err(why) => refuse(&mut self.out, raw, false, why.to_string()),
        }
        self.desk.written.reuse(json);
    }
}

/// The rule of a call that is there again.
pub const SAME_CALL: &str = "same call again";

/// The rule of an answer whose call is not in the source.
pub const NO_CALL: &str = "answer to a call that is not in the source";
