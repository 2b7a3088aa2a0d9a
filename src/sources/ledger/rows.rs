//! Rows of the ledgers of other systems: a format finds fields, and they go through the generic reader.
//!
//! A row is written as one small JSON object with the well-known names of `7-commands.md` 7.5.8, in the way of
//! [`crate::sources::trace::calls`]: what a mapping may say (a column or path of the source, `meta.x`), the row filter,
//! partitions and what money means are the same for all formats.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashSet;

use super::generic::{LedgerRows, More};
use super::words::business_in;
use crate::model::row::{At, SourceNo};
use crate::sources::event::{Sink, rule};
use crate::sources::format::{Format, Raw, Scratch, refuse};
use crate::sources::json::{Node, Parser, Reader, Slots};
use crate::sources::names::{ledger, shared, stands_for};
use crate::sources::spec::{Column, Filter, Negative, Options};
use crate::sources::trace::calls::Fields;

/// Reads the records of one source, in order. What it says of a record goes to `rows`: a row, a row that is set aside,
/// or why it is none; one of them for each record, but for a record that tells of several effects.
pub trait LedgerReader: Send {
    /// Reads one JSON record.
    fn record(&mut self, _node: Node<'_>, rows: &mut Rows<'_>) {
        rows.other();
    }

    /// Reads one row of a table, or one line of text as its only cell.
    fn line(&mut self, _line: &Line<'_>, rows: &mut Rows<'_>) {
        rows.other();
    }

    /// After the last record: what waited for more. Says why the listing is not complete (C3).
    fn end(&mut self, _rows: &mut Rows<'_>) -> Option<String> {
        None
    }
}

/// What a reader is made with.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// Columns and paths of the source that a mapping, a filter or a partition asks for.
    pub asked: Vec<String>,
    /// The source has a currency of its own, which goes before a currency sign.
    pub currency: Option<String>,
    /// Currencies with exponents of their own.
    pub exponents: Vec<String>,
    /// Names of the columns, for tables.
    pub header: Header,
    /// Between the cells of the table.
    pub separator: u8,
    /// The beginning of the source, for text without names.
    pub head: Vec<u8>,
    /// Columns of text without names, by number, in which a value stands more than once.
    pub repeated: Vec<usize>,
}

impl Setup {
    /// What the options of a source ask for.
    pub fn of(options: &Options, partitions: &[String]) -> Self {
        let columns = options.columns.iter().filter_map(|(_, column)| match column {
            Column::From { column, .. } => Some(column.as_str()),
            Column::Const(_) => None,
        });
        let filters = options.scope.iter().map(Filter::column);
        let asked = columns.chain(filters).chain(partitions.iter().map(String::as_str));
        let asked = asked.map(|path| path.strip_prefix("$.").unwrap_or(path));
        // What stands in metadata is written down by every format.
        let asked = asked.filter(|path| !path.starts_with("meta.")).map(str::to_owned);
        Self {
            asked: asked.collect(),
            currency: options.currency.clone(),
            exponents: options.exponent_override.iter().map(|(unit, _)| unit.clone()).collect(),
            ..Self::default()
        }
    }
}

/// Names of the columns of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header {
    names: Vec<String>,
    at: HashMap<String, usize, RandomState>,
}

impl Header {
    /// Of these names.
    pub fn new(names: &[String]) -> Self {
        let at = names.iter().enumerate().rev().map(|(at, name)| (name.clone(), at)).collect();
        Self { names: names.to_vec(), at }
    }

    /// All names in their order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// There is this column.
    pub fn has(&self, name: &str) -> bool {
        self.at.contains_key(name)
    }
}

/// One row of a table.
#[derive(Debug, Clone, Copy)]
pub struct Line<'l> {
    /// Names of its columns; empty where the source has no header.
    pub header: &'l Header,
    /// Its cells.
    pub cells: &'l [Cow<'l, str>],
}

impl<'l> Line<'l> {
    /// The cell of a column; `None` where it is absent or empty.
    pub fn get(&self, name: &str) -> Option<&'l str> {
        self.at(*self.header.at.get(name)?)
    }

    /// The first of these columns that has a value.
    pub fn any(&self, names: &[&str]) -> Option<&'l str> {
        names.iter().find_map(|name| self.get(name))
    }

    /// The cell of this number; `None` where it is absent or empty.
    pub fn at(&self, number: usize) -> Option<&'l str> {
        self.cells.get(number).map(|cell| cell.trim()).filter(|cell| !cell.is_empty())
    }

    /// Columns whose names begin so and end so, with what stands between.
    pub fn between(&self, begin: &'l str, end: &'l str) -> impl Iterator<Item = (&'l str, &'l str)> + '_ {
        self.header.names.iter().enumerate().filter_map(move |(at, name)| {
            let inside = name.strip_prefix(begin)?.strip_suffix(end)?;
            Some((inside, self.at(at)?))
        })
    }
}

/// A row while its fields are found. Names are those of 7.5.8: `effect_id`, `operation_id`, `idempotency_key`,
/// `amount` or `amount_minor`, `currency`, `committed_at`, `status`, `kind`, `reverses`, `external_ref`, `party`.
#[derive(Debug, Clone, Default)]
pub struct LedgerRow {
    fields: Fields,
    /// Names that a mapping asks for and the source has: they go before those of the format.
    taken: Vec<String>,
    meta: Fields,
    meta_names: Vec<String>,
    /// Bits of the link slots that were written.
    linked: u32,
    more: More,
    /// Where it stands, if that is not the record at hand.
    place: Option<u64>,
}

/// Fields by which rows are linked, where metadata may hold them.
const LINKS: [usize; 8] = [
    shared::OPERATION,
    shared::KEY,
    shared::BUSINESS,
    shared::BUSINESS + 1,
    shared::BUSINESS + 2,
    shared::BUSINESS + 3,
    shared::PARTY,
    ledger::DERIVED,
];

/// Bits of the business ids.
const BUSINESS: u32 = 0b1111 << shared::BUSINESS;

impl LedgerRow {
    fn takes(&self, name: &str) -> bool {
        !self.taken.iter().any(|taken| stands_for(taken, name))
    }

    /// A field, where it has a value.
    pub fn text<T: AsRef<str>>(&mut self, name: &str, value: Option<T>) -> &mut Self {
        if self.takes(name) {
            self.fields.maybe(name, value);
        }
        self
    }

    /// An amount in major units.
    pub fn major<T: AsRef<str>>(&mut self, value: Option<T>) -> &mut Self {
        self.text("amount", value)
    }

    /// An amount in minor units.
    pub fn minor<T: AsRef<str>>(&mut self, value: Option<T>) -> &mut Self {
        self.text("amount_minor", value)
    }

    /// What the line cost: it stands in the control totals only, with all its decimals.
    pub fn cost<T: AsRef<str>>(&mut self, value: Option<T>) -> &mut Self {
        self.more.cost = self.takes("amount") && self.takes("amount_minor");
        self.text("amount", value)
    }

    /// The idempotency key.
    pub fn key<T: AsRef<str>>(&mut self, value: Option<T>) -> &mut Self {
        self.link("idempotency_key", value.as_ref().map_or("", AsRef::as_ref))
    }

    /// The operation id.
    pub fn operation<T: AsRef<str>>(&mut self, value: Option<T>) -> &mut Self {
        self.link("operation_id", value.as_ref().map_or("", AsRef::as_ref))
    }

    /// A value that somebody wrote beside the row, by its name: it may link the row.
    pub fn link(&mut self, name: &str, value: &str) -> &mut Self {
        let slot = LINKS.into_iter().find(|slot| {
            let names = ledger::TABLE.get(*slot).map_or(&[][..], |line| line.names);
            names.iter().any(|known| stands_for(known, name))
        });
        let Some(slot) = slot.filter(|_| !value.is_empty()) else { return self };
        let bit = 1 << slot;
        let again = self.linked & bit != 0 || (BUSINESS & bit != 0 && self.linked & BUSINESS != 0);
        if let Some(canonical) =
            ledger::TABLE.get(slot).and_then(|line| line.names.first()).filter(|_| !again)
        {
            self.linked |= bit;
            self.text(canonical, Some(value));
        }
        self
    }

    /// Metadata: all of it for a mapping, and what links the row.
    pub fn meta(&mut self, node: Option<Node<'_>>) -> &mut Self {
        for (name, value) in node.into_iter().flat_map(Node::members) {
            match value.text() {
                Some(text) => {
                    self.meta_text(&name.text(), &text);
                }
                None if self.new_meta(&name.text()) => {
                    self.meta.token(&name.text(), value.raw());
                }
                None => {}
            }
        }
        self
    }

    fn new_meta(&mut self, name: &str) -> bool {
        let new = !self.meta_names.iter().any(|known| known == name);
        if new {
            self.meta_names.push(name.to_owned());
        }
        new
    }

    /// One value of metadata.
    pub fn meta_text(&mut self, name: &str, value: &str) -> &mut Self {
        if self.new_meta(name) {
            self.meta.text(name, value);
        }
        self.link(name, value)
    }

    /// The business id from a text that people wrote (`Order 4812`), where no field has it.
    pub fn described(&mut self, text: Option<&str>) -> &mut Self {
        if let Some((name, id)) = text.and_then(business_in).filter(|_| !self.has_business()) {
            self.link(name, id);
        }
        self
    }

    /// A business id is known.
    pub fn has_business(&self) -> bool {
        self.linked & BUSINESS != 0
    }

    /// An operation id is known.
    pub fn has_operation(&self) -> bool {
        self.linked & 1 != 0
    }

    /// What an amount below zero means.
    pub fn negative_is(&mut self, meaning: Negative) -> &mut Self {
        self.more.negative_is = Some(meaning);
        self
    }

    /// When its state was so, and its order among states of the same moment.
    pub fn state(&mut self, changed: Option<&str>, stage: u8) -> &mut Self {
        self.more.changed = changed.unwrap_or_default().to_owned();
        self.more.stage = stage;
        self
    }

    /// It stands there.
    pub fn at(&mut self, place: u64) -> &mut Self {
        self.place = Some(place);
        self
    }
}

/// What is kept from record to record of one source.
#[derive(Debug)]
pub struct Desk {
    source: SourceNo,
    reader: Option<(Reader, Scratch)>,
    asked: Vec<String>,
    seen: HashSet<u64, RandomState>,
    hasher: RandomState,
    /// Rows that were told or refused.
    told: u64,
    /// Rows as they are written, for who looks at them; nothing is told then.
    captured: Option<Vec<String>>,
}

impl Desk {
    /// A desk whose rows are read by this form.
    pub fn new(source: SourceNo, form: &LedgerRows, parser: Parser, asked: &[String]) -> Self {
        let reader = Reader::new(form.want().clone(), parser);
        Self { reader: Some((reader, form.scratch(parser))), ..Self::bare(source, asked, None) }
    }

    /// A desk that only writes rows down.
    pub fn capture(asked: &[String]) -> Self {
        Self::bare(SourceNo(0), asked, Some(Vec::new()))
    }

    fn bare(source: SourceNo, asked: &[String], captured: Option<Vec<String>>) -> Self {
        Self {
            source,
            reader: None,
            asked: asked.to_vec(),
            seen: HashSet::default(),
            hasher: RandomState::default(),
            told: 0,
            captured,
        }
    }

    /// The rows that were written down.
    pub fn captured(self) -> Vec<String> {
        self.captured.unwrap_or_default()
    }

    /// How many rows there were.
    pub fn told(&self) -> u64 {
        self.told
    }
}

/// Where a format tells its rows, for one record.
pub struct Rows<'c> {
    desk: &'c mut Desk,
    form: Option<&'c LedgerRows>,
    out: &'c mut dyn Sink,
    raw: Raw<'c>,
}

impl<'c> Rows<'c> {
    /// For one record.
    pub fn new(
        desk: &'c mut Desk,
        form: Option<&'c LedgerRows>,
        raw: Raw<'c>,
        out: &'c mut dyn Sink,
    ) -> Self {
        Self { desk, form, out, raw }
    }

    /// Where the record begins.
    pub fn place(&self) -> u64 {
        self.raw.at.place()
    }

    /// Whether this id was not met before in this source; remembers it.
    pub fn first(&mut self, id: &str) -> bool {
        let print = self.desk.hasher.hash_one(id);
        self.desk.seen.insert(print)
    }

    /// A row of a JSON record, with what a mapping asks for.
    pub fn row(&self, record: Node<'_>) -> LedgerRow {
        let mut row = LedgerRow::default();
        for path in &self.desk.asked {
            let name = if record.get(path).is_some() { path } else { path.split('.').next().unwrap_or(path) };
            if let Some(value) = record.get(name).filter(|_| row.takes(name)) {
                row.fields.token(name, value.raw());
                row.taken.push(name.to_owned());
            }
        }
        row
    }

    /// A row of a table, with what a mapping asks for.
    pub fn row_of(&self, line: &Line<'_>) -> LedgerRow {
        let mut row = LedgerRow::default();
        for name in &self.desk.asked {
            let exact = line.header.names.iter().position(|column| column == name);
            let at = exact.or_else(|| line.header.names.iter().position(|column| stands_for(name, column)));
            if let Some(at) = at.filter(|_| row.takes(name)) {
                row.fields.maybe(name, line.at(at));
                row.taken.push(name.clone());
            }
        }
        row
    }

    /// A row that is an effect, on its way to be one, or a state of one.
    pub fn effect(&mut self, row: &LedgerRow) {
        self.tell(row, None);
    }

    /// A row that is no effect of its own, by this rule.
    pub fn aside(&mut self, rule: &'static str, row: &LedgerRow) {
        self.tell(row, Some(rule));
    }

    /// The same event again: a repeated delivery.
    pub fn again(&mut self, row: &LedgerRow) {
        self.aside(AGAIN, row);
    }

    /// The record belongs to the file and is none of its rows, by this rule.
    pub fn skip(&mut self, rule: &'static str) {
        if self.desk.captured.is_none() {
            self.out.skipped(self.desk.source, rule);
        }
    }

    /// The record says nothing of an effect. If it names a loaded id, it is shown all the same.
    pub fn other(&mut self) {
        if self.desk.captured.is_none() {
            self.out.skipped_line(self.raw.at, rule::OTHER, self.raw.bytes);
        }
    }

    /// The record begins like one and cannot be read.
    pub fn refuse(&mut self, what: impl Into<String>) {
        self.desk.told += 1;
        if self.desk.captured.is_none() {
            refuse(&mut self.out, self.raw, true, what.into());
        }
    }

    /// A total or count that the source states is another than that of its rows.
    pub fn differs(&mut self, what: String) {
        if self.desk.captured.is_none() {
            let code = crate::sources::event::code::CONTROL_TOTAL_DIFFERS;
            let problem = crate::sources::event::ProblemEvent { code, what, bytes: 0, affects_result: true };
            self.out.problem(self.raw.at, problem);
        }
    }

    fn tell(&mut self, row: &LedgerRow, aside: Option<&'static str>) {
        self.desk.told += 1;
        let mut fields = row.fields.clone();
        if row.takes("meta") {
            fields.object("meta", &row.meta);
        }
        let json = fields.to_json();
        if let Some(captured) = &mut self.desk.captured {
            captured.push(json);
            return;
        }
        let at = row.place.map_or(self.raw.at, |place| At::new(self.desk.source, place));
        // A row that waited for others is known by what was written of it.
        let bytes = if row.place.is_some() { json.as_bytes() } else { self.raw.bytes };
        let raw = Raw { bytes, at, ended: self.raw.ended };
        let (Some(form), Some((reader, scratch))) = (self.form, self.desk.reader.as_mut()) else { return };
        let mut slots = Slots::new();
        match reader.read(json.as_bytes(), &mut slots) {
            Ok(()) => {
                let more = More { aside, ..row.more.clone() };
                form.tell(&slots, raw, scratch, &more, &mut self.out);
            }
            Err(why) => refuse(&mut self.out, raw, true, why.to_string()),
        }
    }
}

/// The rule of a delivery that is there again.
pub const AGAIN: &str = "same event again";
