//! One record whose values are found by slot number, whatever its framing: JSON slots, cells of a table, columns of a
//! database. What all formats read alike stands here: ids, business id, party, amount, partition, row filter.

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::sync::LazyLock;

use super::event::{AmountField, Field};
use super::json::{Kind, SLOTS, Slots};
use super::mapping::{Plan, inside_slot, outer_slots};
use super::names::shared;

/// A record by slots.
pub trait Row {
    /// The text of a value; `None` where it is absent, null, empty, or holds other values.
    fn text(&self, slot: usize) -> Field<'_>;

    /// The value as JSON: the raw token, or a cell that may hold a JSON text.
    fn raw(&self, slot: usize) -> Option<&[u8]>;

    /// The text of a value that stands there as it is; `None` where more has to be looked at.
    #[inline]
    fn plain(&self, _slot: usize) -> Option<&str> {
        None
    }

    /// A bit for each slot that may be there; a slot without its bit is not.
    fn filled(&self) -> u64 {
        u64::MAX
    }

    /// SQLite printed a REAL for this value.
    fn is_real(&self, _slot: usize) -> bool {
        false
    }

    /// A text that may hold JSON: a JSON string, or a cell of a table.
    fn nested_text(&self, slot: usize) -> Field<'_>;

    /// Values of this row are JSON tokens.
    fn is_json(&self) -> bool {
        false
    }

    /// Print of the row's values, where it has no bytes of its own.
    fn print(&self) -> Option<u64> {
        None
    }

    /// A truth value: `true`, `1` or `yes` in any case.
    #[inline]
    fn is_true(&self, slot: usize) -> Option<bool> {
        if self.filled() & bit(slot) == 0 {
            return None;
        }
        let text = self.text(slot)?;
        Some(["true", "1", "yes"].iter().any(|yes| text.eq_ignore_ascii_case(yes)))
    }
}

impl Row for Slots<'_> {
    #[inline]
    fn text(&self, slot: usize) -> Field<'_> {
        match Slots::plain(self, slot) {
            Some(text) => Some(Cow::Borrowed(text)),
            None => Slots::text(self, slot).filter(|text| !text.is_empty()),
        }
    }

    #[inline]
    fn plain(&self, slot: usize) -> Option<&str> {
        Slots::plain(self, slot)
    }

    #[inline]
    fn filled(&self) -> u64 {
        Slots::filled(self)
    }

    #[inline]
    fn raw(&self, slot: usize) -> Option<&[u8]> {
        Slots::raw(self, slot).filter(|token| *token != b"null")
    }

    fn nested_text(&self, slot: usize) -> Field<'_> {
        if self.kind(slot) == Some(Kind::Text) { Slots::text(self, slot) } else { None }
    }

    fn is_json(&self) -> bool {
        true
    }
}

/// A row of texts: cells of a CSV line or columns of a database, by column number.
#[derive(Debug)]
pub struct Cells<'r, T> {
    /// Column of each slot.
    pub columns: &'r [Option<usize>],
    /// The cells.
    pub cells: T,
}

/// Cells by column number.
pub trait Cell {
    /// The text of a cell; `None` for null and empty.
    fn cell(&self, column: usize) -> Option<&str>;
    /// SQLite stored a REAL.
    fn real(&self, _column: usize) -> bool {
        false
    }
    /// Print of the cells, where the row has no bytes of its own.
    fn print(&self) -> Option<u64> {
        None
    }
}

impl Cell for &[Cow<'_, str>] {
    fn cell(&self, column: usize) -> Option<&str> {
        self.get(column).map(AsRef::as_ref).filter(|text| !text.is_empty())
    }
}

impl<T: Cell> Cells<'_, T> {
    fn column(&self, slot: usize) -> Option<usize> {
        self.columns.get(slot).copied().flatten()
    }
}

impl<T: Cell> Row for Cells<'_, T> {
    fn text(&self, slot: usize) -> Field<'_> {
        self.cells.cell(self.column(slot)?).map(Cow::Borrowed)
    }

    fn raw(&self, slot: usize) -> Option<&[u8]> {
        self.cells.cell(self.column(slot)?).map(str::as_bytes)
    }

    fn is_real(&self, slot: usize) -> bool {
        self.column(slot).is_some_and(|column| self.cells.real(column))
    }

    fn nested_text(&self, slot: usize) -> Field<'_> {
        self.text(slot)
    }

    fn print(&self) -> Option<u64> {
        self.cells.print()
    }
}

/// A call's record with what stands in its arguments: first the record, then the arguments, then one level down.
#[derive(Debug)]
pub struct Call<'r, R> {
    /// The record.
    record: &'r R,
    /// The arguments, where they came as a JSON text.
    arguments: Option<&'r Slots<'r>>,
    /// An object inside the arguments.
    deeper: Option<&'r Slots<'r>>,
    /// Slots of any of them, each under its own number and under that of the field it stands for.
    filled: u64,
}

impl<'r, R: Row> Call<'r, R> {
    /// A record with its arguments and an object inside them.
    pub fn new(record: &'r R, arguments: Option<&'r Slots<'r>>, deeper: Option<&'r Slots<'r>>) -> Self {
        let filled = |slots: Option<&Slots<'_>>| slots.map_or(0, Slots::filled);
        let filled = record.filled() | filled(arguments) | filled(deeper);
        Self { record, arguments, deeper, filled: filled | outer_slots(filled) }
    }

    fn text_there(&self, slot: usize) -> Field<'r> {
        let own = self.record.text(slot);
        if own.is_some() {
            return own;
        }
        let inside = inside_slot(slot)?;
        self.record
            .text(inside)
            .or_else(|| self.arguments.and_then(|slots| Row::text(slots, inside)))
            .or_else(|| self.deeper.and_then(|slots| Row::text(slots, inside)))
    }
}

impl<R: Row> Row for Call<'_, R> {
    #[inline]
    fn filled(&self) -> u64 {
        self.filled
    }

    #[inline]
    fn plain(&self, slot: usize) -> Option<&str> {
        if self.record.filled() & bit(slot) != 0 {
            return self.record.plain(slot);
        }
        // The usual way of an amount or a business id: in the arguments of the record itself.
        self.record.plain(inside_slot(slot)?)
    }

    #[inline]
    fn text(&self, slot: usize) -> Field<'_> {
        if self.filled & bit(slot) == 0 {
            return None;
        }
        match self.plain(slot) {
            Some(text) => Some(Cow::Borrowed(text)),
            None => self.text_there(slot),
        }
    }

    fn raw(&self, slot: usize) -> Option<&[u8]> {
        self.record.raw(slot).or_else(|| {
            let inside = inside_slot(slot)?;
            self.record
                .raw(inside)
                .or_else(|| self.arguments.and_then(|slots| Row::raw(slots, inside)))
                .or_else(|| self.deeper.and_then(|slots| Row::raw(slots, inside)))
        })
    }

    fn nested_text(&self, slot: usize) -> Field<'_> {
        self.record.nested_text(slot)
    }

    fn is_json(&self) -> bool {
        self.record.is_json()
    }
}

/// Texts that had to be made for one record; reused for the next.
#[derive(Debug, Default)]
pub struct Buffers {
    business: String,
    part: String,
}

/// What every kind of record may have.
#[derive(Debug, Default)]
pub struct Common<'e> {
    /// Operation id.
    pub operation: Field<'e>,
    /// Idempotency key.
    pub key: Field<'e>,
    /// Business id with its type prefix.
    pub business: Field<'e>,
    /// Customer or account.
    pub party: Field<'e>,
    /// Amount.
    pub amount: Option<AmountField<'e>>,
    /// Currency or unit.
    pub currency: Field<'e>,
    /// Partition, `field=value`.
    pub part: Field<'e>,
}

/// The bit of a slot in [`Row::filled`].
#[inline]
fn bit(slot: usize) -> u64 {
    1 << (slot % SLOTS)
}

/// Whether one of these slots may have a value. Most fields of most records are not there, and every one is asked for:
/// this is what an absent one costs.
#[inline]
pub fn has<R: Row>(row: &R, plan: &Plan, slots: u64) -> bool {
    (row.filled() | plan.constant_slots()) & slots != 0
}

/// The constant of a slot, else what the record says.
#[inline]
pub fn text<'e, R: Row>(row: &'e R, plan: &'e Plan, slot: usize) -> Field<'e> {
    if !has(row, plan, bit(slot)) {
        return None;
    }
    match row.plain(slot) {
        Some(text) if plan.constant_slots() == 0 => Some(Cow::Borrowed(text)),
        _ => said(row, plan, slot),
    }
}

/// [`text`] of what is a constant, or has to be looked for.
fn said<'e, R: Row>(row: &'e R, plan: &'e Plan, slot: usize) -> Field<'e> {
    match plan.constant(slot) {
        Some(constant) => Some(Cow::Borrowed(constant)),
        None => row.text(slot),
    }
}

/// An amount from a pair of slots: major units before minor ones.
#[inline]
pub fn amount<'e, R: Row>(row: &'e R, plan: &'e Plan, major: usize, minor: usize) -> Option<AmountField<'e>> {
    if !has(row, plan, bit(major) | bit(minor)) {
        return None;
    }
    match text(row, plan, major) {
        Some(text) if row.is_real(major) => Some(AmountField::Real(text)),
        Some(text) => Some(AmountField::Major(text)),
        None => text(row, plan, minor).map(AmountField::Minor).or_else(|| {
            // An amount that holds others is there and cannot be read; it must not count as none.
            let token = row.raw(major).or_else(|| row.raw(minor))?;
            let holds = row.is_json() && matches!(token.first(), Some(b'{' | b'['));
            holds.then(|| AmountField::Major(String::from_utf8_lossy(token)))
        }),
    }
}

/// Reads what all tables share.
pub fn common<'e, R: Row>(row: &'e R, plan: &'e Plan, buffers: &'e mut Buffers) -> Common<'e> {
    let business = (shared::BUSINESS..shared::BUSINESS + shared::BUSINESS_SLOTS)
        .find_map(|slot| text(row, plan, slot).map(|value| (slot, value)));
    let mut parts = plan.parts().filter_map(|(slot, name)| text(row, plan, slot).map(|value| (name, value)));
    Common {
        operation: text(row, plan, shared::OPERATION),
        key: text(row, plan, shared::KEY),
        business: business
            .map(|(slot, value)| super::names::prefixed(plan.prefix(slot), value, &mut buffers.business)),
        party: text(row, plan, shared::PARTY),
        amount: amount(row, plan, shared::AMOUNT, shared::AMOUNT_MINOR),
        currency: text(row, plan, shared::CURRENCY),
        part: parts.next().map(|first| {
            buffers.part.clear();
            for (name, value) in std::iter::once(first).chain(parts) {
                if !buffers.part.is_empty() {
                    buffers.part.push(',');
                }
                buffers.part.push_str(name);
                buffers.part.push('=');
                buffers.part.push_str(&value);
            }
            Cow::Borrowed(buffers.part.as_str())
        }),
    }
}

/// Whether a row passes the declared filter.
pub fn in_scope<R: Row>(row: &R, plan: &Plan) -> bool {
    plan.filters().all(|(slot, filter)| filter.passes(row.text(slot).as_deref()))
}

/// Print of a whole record, never 0. One seed for the process, so that equal records of all workers have equal prints;
/// drawn at random, because records come from outside.
pub fn print(record: &[u8]) -> u64 {
    static SEED: LazyLock<foldhash::fast::RandomState> = LazyLock::new(foldhash::fast::RandomState::default);
    SEED.hash_one(record).max(1)
}

/// The objects right inside an object or array, as raw tokens; the value is well-formed JSON.
pub fn objects_in(token: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = 1;
    let mut first = token.first().is_some_and(|byte| matches!(byte, b'{' | b'['));
    std::iter::from_fn(move || {
        while first {
            let Some(byte) = token.get(at) else {
                first = false;
                return None;
            };
            match byte {
                b'"' => at = text_end(token, at),
                b'{' => {
                    let from = at;
                    at = close(token, at);
                    return token.get(from..at);
                }
                b'[' => at = close(token, at),
                _ => at += 1,
            }
        }
        None
    })
}

/// Behind the string that begins at `at`.
fn text_end(token: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(byte) = token.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at
}

/// Behind the bracket that closes the one at `at`.
fn close(token: &[u8], at: usize) -> usize {
    let (mut at, mut depth) = (at, 0_usize);
    while let Some(byte) = token.get(at) {
        match byte {
            b'"' => {
                at = text_end(token, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_inside_are_found_whatever_stands_between() {
        let token = br#"{"a":"{\"x\":1}","b":{"c":{"d":"}"}},"e":[{"f":1}],"g":1,"h":{"i":2}}"#;
        let found: Vec<_> = objects_in(token).map(|o| String::from_utf8_lossy(o).into_owned()).collect();
        assert_eq!(found, [r#"{"c":{"d":"}"}}"#, r#"{"i":2}"#]);
        assert_eq!(objects_in(b"\"{}\"").count(), 0);
        assert_eq!(objects_in(b"{\"a\":{").count(), 1);
    }

    #[test]
    fn prints_of_equal_records_are_equal() {
        assert_eq!(print(b"a,b"), print(b"a,b"));
        assert_ne!(print(b"a,b"), print(b"a,c"));
    }

    #[test]
    fn cells_are_absent_when_empty() {
        let cells: [Cow<'_, str>; 3] = ["x".into(), "".into(), "TRUE".into()];
        let columns = [Some(0), Some(1), None, Some(9), Some(2)];
        let row = Cells { columns: &columns, cells: &cells[..] };
        assert_eq!(row.text(0).as_deref(), Some("x"));
        assert_eq!([1, 2, 3, 99].map(|slot| row.text(slot)), [None, None, None, None]);
        assert_eq!((row.is_true(4), row.is_true(0), row.is_true(1)), (Some(true), Some(false), None));
        assert_eq!(row.raw(0), Some(&b"x"[..]));
    }
}
