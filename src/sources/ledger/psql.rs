//! Tables as `psql` prints them: aligned, or expanded (`\x`), with the number of rows below.

use std::borrow::Cow;

use super::pg_copy::tell;
use super::rows::{Header, LedgerReader, Line, Rows, Setup};

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn LedgerReader> {
    Box::new(Printed::default())
}

#[derive(Debug, Default)]
struct Printed {
    /// The line before, which may be a header.
    before: Option<Vec<String>>,
    header: Option<Header>,
    /// Cells whose text goes on in the next line.
    open: Option<Vec<String>>,
    /// Fields of a record of the expanded form.
    record: Option<(u64, Vec<(String, String)>)>,
    /// A line of the record was none of its fields.
    torn: bool,
    expanded: bool,
    rows: u64,
    /// The number of rows was printed.
    counted: bool,
}

/// The rule of what is printed around the rows.
const AROUND: &str = "header or footer of the table";

/// How the text of a cell says that it goes on.
const GOES_ON: char = '+';

/// A line of dashes.
pub(super) fn is_rule(line: &str) -> bool {
    line.len() > 2 && line.contains("--") && line.chars().all(|letter| matches!(letter, '-' | '+' | ' '))
}

/// The first line of a record of the expanded form.
pub(super) fn is_record(line: &str) -> bool {
    line.trim_start().starts_with("-[ RECORD ")
}

/// The number of rows that a table states: `(3 rows)`.
fn stated(line: &str) -> Option<u64> {
    let inside = line.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (number, word) = inside.split_once(' ')?;
    word.starts_with("row").then(|| number.parse().ok())?
}

/// The cells of a line, with their blanks; bars around the table are none.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim_end();
    let framed = line.strip_prefix('|').and_then(|inside| inside.strip_suffix('|'));
    framed.unwrap_or(line).split('|').map(str::to_owned).collect()
}

impl LedgerReader for Printed {
    fn line(&mut self, line: &Line<'_>, rows: &mut Rows<'_>) {
        let text = line.cells.first().map_or("", AsRef::as_ref);
        if is_record(text) {
            self.record_ends(rows);
            (self.record, self.expanded) = (Some((rows.place(), Vec::new())), true);
            return;
        }
        if let Some(number) = stated(text) {
            self.record_ends(rows);
            if number != self.rows {
                rows.differs(format!("the table states {number} rows, it lists {}", self.rows));
            }
            (self.header, self.counted, self.rows) = (None, true, 0);
            return rows.skip(AROUND);
        }
        if let Some((_, record)) = &mut self.record {
            let Some((name, value)) = text.split_once('|') else {
                self.torn |= !text.trim().is_empty();
                return rows.skip(FIELD);
            };
            let field = (name.trim().to_owned(), value.trim().to_owned());
            if self.torn && record.first().is_some_and(|(first, _)| *first == field.0) {
                // The line between two records is damaged.
                self.record_ends(rows);
                self.record = Some((rows.place(), vec![field]));
            } else {
                record.push(field);
            }
            return rows.skip(FIELD);
        }
        if is_rule(text) {
            if let Some(names) = self.before.take() {
                let names: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
                (self.header, self.counted) = (Some(Header::new(&names)), false);
            }
            return rows.skip(AROUND);
        }
        if self.header.is_none() {
            self.before = Some(cells(text));
            return rows.skip(AROUND);
        }
        self.row(cells(text), rows);
    }

    fn end(&mut self, rows: &mut Rows<'_>) -> Option<String> {
        let expanded = self.expanded;
        self.record_ends(rows);
        (!self.counted && !expanded)
            .then(|| "no number of rows stands below the table: it may be cut off".to_owned())
    }
}

/// The rule of lines that are one field of a record.
const FIELD: &str = "field of a record";

impl Printed {
    fn row(&mut self, cells: Vec<String>, rows: &mut Rows<'_>) {
        let goes_on = cells.iter().any(|cell| cell.ends_with(GOES_ON));
        let cells = match self.open.take() {
            Some(open) => joined(open, &cells),
            None => cells,
        };
        if goes_on {
            self.open = Some(cells.iter().map(|cell| cell.trim_end_matches(GOES_ON).to_owned()).collect());
            return rows.skip(AROUND);
        }
        let Some(header) = &self.header else { return };
        self.rows += 1;
        let cells: Vec<Cow<'_, str>> = cells.iter().map(|cell| Cow::Borrowed(cell.trim())).collect();
        tell(header, &cells, None, rows);
    }

    fn record_ends(&mut self, rows: &mut Rows<'_>) {
        self.torn = false;
        if let Some((place, record)) = self.record.take() {
            let (names, values): (Vec<String>, Vec<String>) = record.into_iter().unzip();
            let cells: Vec<Cow<'_, str>> = values.iter().map(|value| Cow::Borrowed(value.as_str())).collect();
            self.rows += 1;
            tell(&Header::new(&names), &cells, Some(place), rows);
        }
    }
}

/// A row with the line below it.
fn joined(mut open: Vec<String>, below: &[String]) -> Vec<String> {
    for (cell, more) in open.iter_mut().zip(below) {
        let more = more.trim().trim_end_matches(GOES_ON);
        if !more.is_empty() {
            *cell = format!("{}\n{more}", cell.trim());
        }
    }
    open
}
