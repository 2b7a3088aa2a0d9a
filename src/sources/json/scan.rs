//! The scanner: one strict pass over a record that fills the wanted slots.
//!
//! The whole grammar of RFC 8259, depth [`DEPTH`], keys given twice in one object at every depth, escapes with
//! surrogate pairs, control characters. It gives the same slots as the reader on `serde_json` and refuses the same
//! records (`engine.md` 4); a differential test holds both together. The one difference is accepted: a number such
//! as `1e400` that nobody wants is only a number here.

use wide::u8x16;

use super::known::{Hit, Known, NO_KEY};
use super::names::Names;
use super::shapes::Shapes;
use super::slots::{Slots, decoded};
use super::tape::{LONGEST, Noting, Tape, Unnoted};
use super::want::{Goal, NONE, ROOT, Want};
use super::{DEPTH, Key, Why};

/// Why the scanner stopped. For people `serde_json` words it, this is the short form behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    Utf8,
    Value,
    Text,
    Escape,
    Number,
    Colon,
    Comma,
    Key,
    Twice,
    Deep,
    Trailing,
}

impl Refused {
    /// The scanner's own words, should `serde_json` have none.
    pub(super) fn why(self) -> Why {
        let message = match self {
            Refused::Deep => return Why::TooDeep,
            Refused::Utf8 => "bytes that are not UTF-8",
            Refused::Value => "no value where one must stand",
            Refused::Text => "a string without end or with a control character",
            Refused::Escape => "a wrong escape in a string",
            Refused::Number => "a wrong number",
            Refused::Colon => "no colon after a key",
            Refused::Comma => "neither a comma nor the end of an object or array",
            Refused::Key => "no key where one must stand",
            Refused::Twice => "a key given twice",
            Refused::Trailing => "more text after the value",
        };
        Why::Syntax { message: message.to_owned(), at: 0 }
    }
}

/// What a worker keeps from record to record.
#[derive(Debug)]
pub(super) struct Memory {
    known: Known,
    names: Names,
    /// `None`: every record is scanned.
    shapes: Option<Shapes>,
}

impl Memory {
    pub(super) fn new(want: &Want, learns: bool) -> Memory {
        Memory { known: Known::new(want), names: Names::default(), shapes: learns.then(Shapes::default) }
    }
}

/// Reads one record, strictly.
pub(super) fn read<'a>(
    line: &'a [u8],
    want: &Want,
    memory: &mut Memory,
    slots: &mut Slots<'a>,
) -> Result<(), Refused> {
    slots.clear();
    memory.names.clear();
    // Once for the record, so that every token is text without a second look.
    let text = simdutf8::basic::from_utf8(line).map_err(|_| Refused::Utf8)?;
    let (known, names) = (&mut memory.known, &mut memory.names);
    let mut scan = Scan { line, text, want, known, names, slots, escapes: 0, notes: Unnoted };
    if memory.shapes.as_mut().is_some_and(|shapes| shapes.read(&mut scan)) {
        return Ok(());
    }
    scan.whole()?;
    if let Some(shapes) = &mut memory.shapes {
        shapes.learn(line, slots);
    }
    Ok(())
}

/// Reads one record, strictly, and notes where its values stand.
pub(super) fn note(line: &[u8], want: &Want, memory: &mut Memory, tape: &mut Tape) -> Result<(), Refused> {
    tape.clear();
    memory.names.clear();
    let text = simdutf8::basic::from_utf8(line).map_err(|_| Refused::Utf8)?;
    let (known, names) = (&mut memory.known, &mut memory.names);
    let slots = &mut Slots::new();
    if line.len() > LONGEST {
        return Scan { line, text, want, known, names, slots, escapes: 0, notes: Unnoted }.whole();
    }
    Scan { line, text, want, known, names, slots, escapes: 0, notes: tape }.whole()
}

/// Where reading goes on, or why not.
pub(super) type Step = Result<usize, Refused>;

pub(super) struct Scan<'a, 's, N> {
    pub(super) line: &'a [u8],
    /// The same as text: tokens are parts of it.
    pub(super) text: &'a str,
    want: &'s Want,
    known: &'s mut Known,
    names: &'s mut Names,
    pub(super) slots: &'s mut Slots<'a>,
    /// Counts escapes, so that a value knows whether it had one.
    pub(super) escapes: u32,
    /// Who is told where values stand.
    pub(super) notes: N,
}

impl<N: Noting> Scan<'_, '_, N> {
    /// The whole record: one value.
    fn whole(&mut self) -> Result<(), Refused> {
        let from = self.space(0);
        let number = self.notes.begin(0, 0, from);
        let to = self.value(from, ROOT, 0)?;
        self.notes.end(number, to);
        if self.space(to) < self.line.len() { Err(Refused::Trailing) } else { Ok(()) }
    }

    /// The byte at a place; beyond the end 0, which may stand nowhere outside a string.
    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.line.get(at).copied().unwrap_or(0)
    }

    #[inline]
    fn space(&self, mut at: usize) -> usize {
        while matches!(self.byte(at), b' ' | b'\t' | b'\n' | b'\r') {
            at += 1;
        }
        at
    }

    /// A value that begins at `at` inside `depth` open objects and arrays.
    #[inline]
    fn value(&mut self, at: usize, node: u16, depth: usize) -> Step {
        match self.byte(at) {
            b'"' => self.text(at + 1),
            b'{' => self.object(at + 1, node, depth + 1),
            b'[' => self.array(at + 1, node, depth + 1),
            b't' => self.word(at, b"true"),
            b'f' => self.word(at, b"false"),
            b'n' => self.word(at, b"null"),
            b'-' | b'0'..=b'9' => self.number(at),
            _ => Err(Refused::Value),
        }
    }

    fn object(&mut self, at: usize, node: u16, depth: usize) -> Step {
        if depth > DEPTH {
            return Err(Refused::Deep);
        }
        let mut at = self.space(at);
        if self.byte(at) == b'}' {
            return Ok(at + 1);
        }
        let (mark, mut seen, mut last) = (self.names.mark(), 0, NO_KEY);
        let mut next = self.known.first(node);
        loop {
            let (hit, name_len, start) = match self.known.guess(node, next, self.line, at) {
                Some((hit, start)) => (hit, usize::from(hit.name_len), self.space(start)),
                None => self.key(at, node, last, mark)?,
            };
            if seen & hit.bit != 0 {
                return Err(Refused::Twice);
            }
            seen |= hit.bit;
            (last, next) = (hit.number, hit.next);
            let before = self.escapes;
            let mut child = hit.goal.child;
            if child == NONE && hit.bit != 0 && matches!(self.byte(start), b'{' | b'[') {
                child = self.known.below(node, hit.number);
            }
            let number = self.notes.begin(at + 1, name_len, start);
            at = self.value(start, child, depth)?;
            self.notes.end(number, at);
            if hit.goal.fill != NONE {
                self.fill(hit.goal, start, at, before);
            }
            at = self.space(at);
            match self.byte(at) {
                b',' => at = self.space(at + 1),
                b'}' => break,
                _ => return Err(Refused::Comma),
            }
        }
        if self.names.close(self.line, mark) { Ok(at + 1) } else { Err(Refused::Twice) }
    }

    /// The key at `at` the long way: to its end, decoded, looked up, compared with the others of its object. Gives
    /// how long it is as it stands, and where its value begins.
    #[inline(never)]
    fn key(&mut self, at: usize, node: u16, last: u8, mark: usize) -> Result<(Hit, usize, usize), Refused> {
        if self.byte(at) != b'"' {
            return Err(Refused::Key);
        }
        let before = self.escapes;
        let end = self.text(at + 1)?;
        let colon = self.space(end);
        if self.byte(colon) != b':' {
            return Err(Refused::Colon);
        }
        let start = self.space(colon + 1);
        let token = self.line.get(at..end).unwrap_or_default();
        let key = if self.escapes == before {
            Key::Plain { at: at + 1, name: self.line.get(at + 1..end - 1).unwrap_or_default() }
        } else {
            Key::Decoded(decoded(token).ok_or(Refused::Escape)?)
        };
        let hit = match &key {
            Key::Plain { name, .. } => {
                self.known.find(self.want, node, last, name, self.line.get(at..start).unwrap_or_default())
            }
            Key::Decoded(name) => {
                let literal = ["\"", name, "\":"].concat();
                self.known.find(self.want, node, last, name.as_bytes(), literal.as_bytes())
            }
        };
        if hit.bit == 0 && !self.names.add(self.line, mark, &key) {
            return Err(Refused::Twice);
        }
        Ok((hit, end - at - 2, start))
    }

    #[inline]
    fn fill(&mut self, goal: Goal, start: usize, end: usize, escapes_before: u32) {
        let token = self.text.get(start..end).unwrap_or_default();
        let escaped = self.escapes != escapes_before && token.starts_with('"');
        let mut at = goal.fill;
        while let Some(fill) = self.want.fill(at) {
            self.slots.put(fill, token, escaped);
            at = fill.next;
        }
    }

    fn array(&mut self, at: usize, node: u16, depth: usize) -> Step {
        if depth > DEPTH {
            return Err(Refused::Deep);
        }
        let mut at = self.space(at);
        if self.byte(at) == b']' {
            return Ok(at + 1);
        }
        let items = self.known.items(node);
        loop {
            let number = self.notes.begin(0, 0, at);
            at = self.value(at, items, depth)?;
            self.notes.end(number, at);
            at = self.space(at);
            match self.byte(at) {
                b',' => at = self.space(at + 1),
                b']' => return Ok(at + 1),
                _ => return Err(Refused::Comma),
            }
        }
    }

    #[inline]
    fn word(&self, at: usize, word: &[u8]) -> Step {
        if self.line.get(at..).is_some_and(|rest| rest.starts_with(word)) {
            Ok(at + word.len())
        } else {
            Err(Refused::Value)
        }
    }

    pub(super) fn number(&self, mut at: usize) -> Step {
        if self.byte(at) == b'-' {
            at += 1;
        }
        if self.byte(at) == b'0' {
            at += 1;
        } else {
            at = self.digits(at)?;
        }
        if self.byte(at) == b'.' {
            at = self.digits(at + 1)?;
        }
        if matches!(self.byte(at), b'e' | b'E') {
            at += 1;
            if matches!(self.byte(at), b'+' | b'-') {
                at += 1;
            }
            at = self.digits(at)?;
        }
        // A digit here stands after a leading zero.
        if self.byte(at).is_ascii_digit() { Err(Refused::Number) } else { Ok(at) }
    }

    /// At least one digit.
    #[inline]
    fn digits(&self, from: usize) -> Step {
        let mut at = from;
        while self.byte(at).is_ascii_digit() {
            at += 1;
        }
        if at == from { Err(Refused::Number) } else { Ok(at) }
    }

    /// The rest of a string, `at` is behind the opening quote; gives the place behind the closing one.
    #[inline]
    pub(super) fn text(&mut self, at: usize) -> Step {
        let at = self.stop(at);
        if self.byte(at) == b'"' { Ok(at + 1) } else { self.text_with_escapes(at) }
    }

    #[inline(never)]
    fn text_with_escapes(&mut self, mut at: usize) -> Step {
        loop {
            match self.byte(at) {
                b'"' => return Ok(at + 1),
                b'\\' => {
                    let next = self.escape(at)?;
                    at = self.stop(next);
                }
                _ => return Err(Refused::Text),
            }
        }
    }

    /// The escape at `at`, surrogates only in pairs.
    fn escape(&mut self, at: usize) -> Step {
        self.escapes = self.escapes.wrapping_add(1);
        match self.byte(at + 1) {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(at + 2),
            b'u' => match self.hex(at + 2)? {
                0xD800..=0xDBFF => {
                    let pair = self.byte(at + 6) == b'\\' && self.byte(at + 7) == b'u';
                    if pair && matches!(self.hex(at + 8)?, 0xDC00..=0xDFFF) {
                        Ok(at + 12)
                    } else {
                        Err(Refused::Escape)
                    }
                }
                0xDC00..=0xDFFF => Err(Refused::Escape),
                _ => Ok(at + 6),
            },
            _ => Err(Refused::Escape),
        }
    }

    fn hex(&self, at: usize) -> Result<u32, Refused> {
        let digits = self.line.get(at..at + 4).ok_or(Refused::Escape)?;
        digits.iter().try_fold(0, |sum, digit| {
            char::from(*digit).to_digit(16).map(|value| sum * 16 + value).ok_or(Refused::Escape)
        })
    }

    /// The place of the first quote, backslash or control character at or after `at`, else the end of the line.
    #[inline]
    fn stop(&self, mut at: usize) -> usize {
        let (chunks, _) = self.line.get(at..).unwrap_or_default().as_chunks::<16>();
        for chunk in chunks {
            let found = special(u8x16::from(*chunk));
            if found != 0 {
                return at + found.trailing_zeros() as usize;
            }
            at += 16;
        }
        self.stop_near_end(at)
    }

    /// [`Scan::stop`] within the last 15 bytes: the last 16 are looked at, those before `at` left out.
    #[inline(never)]
    fn stop_near_end(&self, at: usize) -> usize {
        let line = self.line;
        match line.last_chunk::<16>() {
            Some(chunk) if at < line.len() => {
                let bytes = u8x16::from(*chunk);
                let found = special(bytes) >> (at + 16 - line.len());
                if found == 0 { line.len() } else { at + found.trailing_zeros() as usize }
            }
            Some(_) => line.len(),
            None => {
                let rest = line.get(at..).unwrap_or_default();
                at + rest
                    .iter()
                    .position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f))
                    .unwrap_or(rest.len())
            }
        }
    }
}

/// A bit for each quote, backslash and control character.
#[inline]
fn special(bytes: u8x16) -> u32 {
    // With bit 1 turned over the quote (0x22) becomes 0x20 and the control characters stay below it.
    let turned = bytes ^ u8x16::splat(0x02);
    let low = turned.min(u8x16::splat(0x20)).simd_eq(turned);
    (low | bytes.simd_eq(u8x16::splat(b'\\'))).to_bitmask()
}
