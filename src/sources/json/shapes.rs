//! Learned shapes: records of one file mostly differ in their values only (`engine.md` 4).
//!
//! From a record that the scanner accepted, the text between the values is remembered. A later record with the same
//! text between its values has the same keys, and its wanted values stand at the same places of the row of values.
//! On any doubt the scanner takes the record, so this changes how fast a record is read and nothing else; a
//! differential test holds it to the scanner.

use super::known::Literal;
use super::scan::Scan;
use super::slots::Slots;
use super::tape::Unnoted;
use super::want::SLOTS;

/// So many shapes are kept; the one that fitted last is tried first.
const MOST: usize = 8;
/// Records with more values, or more text between them, are left to the scanner.
const MOST_VALUES: usize = 48;
const LONGEST: usize = 4 << 10;
/// Learning ends where records rarely repeat a shape: more misses than this and twice the hits.
const PATIENCE: u32 = 64;

/// What a worker has learned.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    known: Vec<Shape>,
    /// Of the record at hand.
    met: Met,
    last: usize,
    hits: u32,
    misses: u32,
    /// Records of this source rarely repeat a shape.
    given_up: bool,
}

/// The text between the values of a record: before each value, and behind the last.
#[derive(Debug)]
struct Shape {
    values: Vec<Hole>,
    end: Literal,
    /// Slots that hold more than one value, or a value that fills another slot already.
    tokens: Vec<Token>,
    filled: u64,
    doubled: u64,
}

/// A value and what stands before it.
#[derive(Debug)]
struct Hole {
    before: Literal,
    value: Value,
    /// The slot that it fills; [`NO_SLOT`] for none.
    slot: u8,
}

const NO_SLOT: u8 = u8::MAX;

/// A value that may differ. `true`, `false` and `null` are part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    /// A string; its opening quote is part of the text before it.
    Text,
    Number,
}

/// What a slot is filled with: from one place to another.
#[derive(Debug, Clone, Copy)]
struct Token {
    slot: u8,
    from: Mark,
    to: Mark,
    /// The string that it is, whose escapes count.
    text: Option<u8>,
}

/// A place: so many bytes behind the end of the value before it (the first: behind the start of the record).
#[derive(Debug, Clone, Copy)]
struct Mark {
    value: u8,
    behind: u16,
}

/// Where the values of a record end, and which strings among them have escapes.
#[derive(Debug)]
struct Met {
    ends: [usize; MOST_VALUES],
    escaped: u64,
}

impl Default for Met {
    fn default() -> Self {
        Met { ends: [0; MOST_VALUES], escaped: 0 }
    }
}

impl Met {
    fn place(&self, mark: Mark) -> usize {
        // The first mark is the begin of the record.
        let end = usize::from(mark.value).checked_sub(1).and_then(|value| self.ends.get(value));
        end.map_or(0, |end| *end) + usize::from(mark.behind)
    }

    fn has_escapes(&self, value: usize) -> bool {
        self.escaped & (1 << value) != 0
    }
}

impl Shapes {
    /// Reads a record that has a known shape. `false`, with empty slots: none fits.
    #[inline]
    pub(super) fn read(&mut self, scan: &mut Scan<'_, '_, Unnoted>) -> bool {
        let count = self.known.len();
        for turn in 0..count {
            let no = if turn == 0 { self.last } else { turn - usize::from(turn <= self.last) };
            let Some(shape) = self.known.get(no) else { continue };
            scan.slots.clear();
            if shape.fits(scan, &mut self.met).is_some() {
                shape.fill(scan, &self.met);
                self.last = no;
                self.hits = self.hits.saturating_add(1);
                return true;
            }
        }
        scan.slots.clear();
        false
    }

    /// Remembers the shape of a record that the scanner accepted.
    #[inline]
    pub(super) fn learn(&mut self, line: &[u8], slots: &Slots<'_>) {
        if !self.given_up {
            self.missed(line, slots);
        }
    }

    #[cold]
    fn missed(&mut self, line: &[u8], slots: &Slots<'_>) {
        self.misses = self.misses.saturating_add(1);
        if self.misses > PATIENCE.saturating_add(self.hits.saturating_mul(2)) {
            self.given_up = true;
            self.known = Vec::new();
        } else if self.known.len() < MOST {
            self.known.extend(Shape::of(line, slots));
        }
    }
}

impl Shape {
    /// The shape of a well-formed record; `None` where it is too large.
    fn of(line: &[u8], slots: &Slots<'_>) -> Option<Shape> {
        let values = values(line)?;
        let mut ends = vec![0];
        let mut texts = Vec::new();
        let mut between = 0;
        for value in &values {
            let before = *ends.last()?;
            let start = value.start + usize::from(value.kind == Value::Text);
            let text = line.get(before..start)?;
            between += text.len();
            texts.push(Hole { before: Literal::new(text), value: value.kind, slot: NO_SLOT });
            ends.push(value.end);
        }
        let rest = line.get(*ends.last()?..)?;
        if between + rest.len() > LONGEST {
            return None;
        }
        let mark = |at: usize| {
            let value = ends.partition_point(|end| *end <= at).checked_sub(1)?;
            let behind = u16::try_from(at - ends.get(value)?).ok()?;
            Some(Mark { value: u8::try_from(value).ok()?, behind })
        };
        let mut tokens = Vec::new();
        for (slot, token) in slots.tokens() {
            let from = place_of(line, token.as_bytes())?;
            let to = from + token.len();
            let value = values.iter().position(|v| v.start == from && v.end == to);
            if let Some(hole) = value.and_then(|no| texts.get_mut(no)).filter(|hole| hole.slot == NO_SLOT) {
                hole.slot = slot;
                continue;
            }
            let text = value.filter(|no| values.get(*no).is_some_and(|v| v.kind == Value::Text));
            tokens.push(Token {
                slot,
                from: mark(from)?,
                to: mark(to)?,
                text: text.and_then(|no| u8::try_from(no).ok()),
            });
        }
        Some(Shape {
            values: texts,
            end: Literal::new(rest),
            tokens,
            filled: slots.filled(),
            doubled: slots.doubled_set(),
        })
    }

    /// Lays single values into their slots on the way; none of them counts before [`Shape::fill`].
    #[inline]
    fn fits(&self, scan: &mut Scan<'_, '_, Unnoted>, met: &mut Met) -> Option<()> {
        met.escaped = 0;
        let mut at = 0;
        let mut here = 1_u64;
        for (hole, end) in self.values.iter().zip(&mut met.ends) {
            if !hole.before.stands(scan.line, at) {
                return None;
            }
            at += hole.before.len();
            let start;
            (start, at) = match hole.value {
                Value::Text => {
                    let before = scan.escapes;
                    let end = scan.text(at).ok()?;
                    if scan.escapes != before {
                        met.escaped |= here;
                    }
                    (at - 1, end)
                }
                Value::Number => (at, scan.number(at).ok()?),
            };
            if hole.slot != NO_SLOT {
                scan.slots.lay(hole.slot, scan.text.get(start..at)?);
            }
            *end = at;
            here <<= 1;
        }
        (scan.line.len() == at + self.end.len() && self.end.stands(scan.line, at)).then_some(())
    }

    #[inline]
    fn fill(&self, scan: &mut Scan<'_, '_, Unnoted>, met: &Met) {
        for token in &self.tokens {
            let text = scan.text.get(met.place(token.from)..met.place(token.to)).unwrap_or_default();
            scan.slots.lay(token.slot, text);
        }
        let escaped = if met.escaped == 0 { 0 } else { self.escaped(met) };
        scan.slots.fill(self.filled, escaped);
        scan.slots.set_doubled(self.doubled);
    }

    /// The slots that hold a string with escapes.
    #[cold]
    fn escaped(&self, met: &Met) -> u64 {
        let single = self.values.iter().enumerate().map(|(no, hole)| (hole.slot, no));
        let other = self.tokens.iter().filter_map(|token| Some((token.slot, usize::from(token.text?))));
        single
            .filter(|(slot, _)| *slot != NO_SLOT)
            .chain(other)
            .filter(|(_, value)| met.has_escapes(*value))
            .fold(0, |set, (slot, _)| set | (1 << (usize::from(slot) % SLOTS)))
    }
}

/// Where a token stands in its record. Tokens are parts of the record, so their addresses tell.
fn place_of(line: &[u8], token: &[u8]) -> Option<usize> {
    let at = token.as_ptr().addr().checked_sub(line.as_ptr().addr())?;
    (at + token.len() <= line.len()).then_some(at)
}

/// A value of a well-formed record with its place.
struct Place {
    start: usize,
    end: usize,
    kind: Value,
}

/// All strings and numbers of a well-formed record that are values, in order; `None` where there are too many.
fn values(line: &[u8]) -> Option<Vec<Place>> {
    let mut values = Vec::new();
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        let start = at;
        match byte {
            b'"' => {
                at += 1;
                while line.get(at).is_some_and(|byte| *byte != b'"') {
                    at += 1 + usize::from(line.get(at) == Some(&b'\\'));
                }
                at += 1;
                let next = line.get(at..)?.iter().find(|byte| !byte.is_ascii_whitespace());
                if next != Some(&b':') {
                    values.push(Place { start, end: at, kind: Value::Text });
                }
            }
            b'-' | b'0'..=b'9' => {
                let is_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
                while line.get(at).is_some_and(is_number) {
                    at += 1;
                }
                values.push(Place { start, end: at, kind: Value::Number });
            }
            _ => at += 1,
        }
        if values.len() > MOST_VALUES {
            return None;
        }
    }
    Some(values)
}

const _: () = assert!(MOST_VALUES < 64);
