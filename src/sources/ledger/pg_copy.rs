//! What `COPY` of PostgreSQL writes as text, alone or in a dump: cells between tabs, `\N` for null. Names of columns come
//! from a header line or the `COPY` line of a dump; without one they are numbers, and what the values look like says
//! what they are.

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::sync::atomic::AtomicBool;

use foldhash::fast::RandomState;
use hashbrown::HashSet;

use super::rows::{Header, LedgerReader, Line, Rows, Setup};
use crate::model::time::{Micros, Zone, parse_time};
use crate::model::units::iso;
use crate::sources::frame::{Bytes, Lines, ReadError};
use crate::sources::names::{ledger, stands_for};

/// A reader.
pub fn reader(setup: &Setup) -> Box<dyn LedgerReader> {
    Box::new(Copy {
        header: None,
        dump: false,
        fits: true,
        guess: numbered(guess(&setup.head, &setup.repeated), &setup.asked),
        ended: false,
    })
}

#[derive(Debug)]
struct Copy {
    header: Option<Header>,
    /// Rows stand between a `COPY` line and an end mark only.
    dump: bool,
    /// The columns of the table at hand are those of a ledger.
    fits: bool,
    /// Names by what the values look like.
    guess: Vec<String>,
    ended: bool,
}

/// The rule of what is written around the rows.
const AROUND: &str = "header or end of the rows";
/// The rule of rows of tables that hold no effects.
const OTHER_TABLE: &str = "row of another table";

/// The names of the columns in the `COPY` line of a dump.
fn of_dump(line: &str) -> Option<Vec<String>> {
    let rest = line.strip_prefix("COPY ")?;
    let (_, columns) = rest.split_once('(')?;
    let (columns, end) = columns.split_once(')')?;
    let names = columns.split(',').map(|name| name.trim().trim_matches('"').to_owned()).collect();
    end.trim().to_ascii_lowercase().starts_with("from stdin").then_some(names)
}

/// Whether cells are names of columns that a ledger has.
fn are_names(cells: &[Cow<'_, str>]) -> bool {
    let word = |cell: &Cow<'_, str>| {
        let begins = cell.starts_with(|first: char| first.is_alphabetic() || first == '_');
        begins && cell.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let known = |cell: &Cow<'_, str>| {
        ledger::TABLE.iter().any(|line| line.names.iter().any(|name| stands_for(name, cell)))
    };
    cells.len() > 1 && cells.iter().all(word) && cells.iter().filter(|cell| known(cell)).count() > 1
}

/// Whether the columns are those of a ledger: one says what the effect is, or how much.
fn fits(names: &[String]) -> bool {
    const SAYING: [usize; 3] = [ledger::EFFECT, 7, 8];
    let says = |name: &String| {
        SAYING
            .iter()
            .filter_map(|slot| ledger::TABLE.get(*slot))
            .any(|line| line.names.iter().any(|known| stands_for(known, name)))
    };
    names.iter().filter(|name| says(name)).count() > 1
}

/// Cells of a line.
fn cells(line: &str) -> Vec<Cow<'_, str>> {
    line.split('\t').map(|cell| if cell == "\\N" { Cow::Borrowed("") } else { unescaped(cell) }).collect()
}

fn unescaped(cell: &str) -> Cow<'_, str> {
    if !cell.contains('\\') {
        return Cow::Borrowed(cell);
    }
    let mut text = String::with_capacity(cell.len());
    let mut letters = cell.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            text.push(letter);
            continue;
        }
        match letters.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some('v') => text.push('\u{b}'),
            Some(other) => text.push(other),
            None => text.push('\\'),
        }
    }
    Cow::Owned(text)
}

impl LedgerReader for Copy {
    fn line(&mut self, line: &Line<'_>, rows: &mut Rows<'_>) {
        let text = line.cells.first().map_or("", AsRef::as_ref);
        if let Some(names) = of_dump(text) {
            (self.dump, self.ended, self.fits) = (true, false, fits(&names));
            self.header = Some(Header::new(&names));
            return rows.skip(AROUND);
        }
        if text == "\\." {
            self.ended = true;
            return rows.skip(AROUND);
        }
        if self.ended || (self.dump && self.header.is_none()) {
            return rows.other();
        }
        let cells = cells(text);
        if self.header.is_none() {
            if !text.contains('\t') {
                return rows.other();
            }
            if are_names(&cells) {
                let names: Vec<String> = cells.iter().map(|cell| cell.clone().into_owned()).collect();
                self.header = Some(Header::new(&names));
                return rows.skip(AROUND);
            }
            self.header = Some(Header::new(&self.guess));
        }
        let Some(header) = &self.header else { return };
        if !self.fits {
            return rows.skip(OTHER_TABLE);
        }
        tell(header, &cells, None, rows);
    }
}

/// Tells a row by the names of its columns.
pub(super) fn tell(header: &Header, cells: &[Cow<'_, str>], place: Option<u64>, rows: &mut Rows<'_>) {
    let (there, wanted) = (cells.len(), header.names().len());
    if there != wanted {
        let what = if there < wanted { "too few columns" } else { "too many columns" };
        return rows.refuse(format!("{what}: {there} of {wanted}"));
    }
    let line = Line { header, cells };
    let mut row = rows.row_of(&line);
    for (at, name) in header.names().iter().enumerate() {
        if header.names().iter().position(|first| first == name) == Some(at) {
            row.text(name, line.at(at));
        }
    }
    if let Some(place) = place {
        row.at(place);
    }
    rows.effect(&row);
}

/// Columns that a mapping names by their numbers keep them: what they look like is not asked.
fn numbered(mut names: Vec<String>, asked: &[String]) -> Vec<String> {
    for (at, name) in names.iter_mut().enumerate() {
        let number = (at + 1).to_string();
        if asked.contains(&number) {
            *name = number;
        }
    }
    names
}

/// What the values of a column look like.
type Looks<'t> = &'t dyn Fn(&str) -> bool;

/// So many lines are looked at for the names of columns.
const LOOKED_AT: usize = 200;

/// An id may have these letters only.
fn is_id(cell: &str) -> bool {
    cell.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}

/// Columns of rows without a header in which a value stands more than once, in all of the source: none of them is an
/// id of effects, or different rows would be one effect by a guess.
///
/// # Errors
/// When the source cannot be read.
pub fn repeated(head: &[u8], bytes: &Bytes, cancel: &AtomicBool) -> Result<Vec<usize>, ReadError> {
    let names = guess(head, &[]);
    let mut repeated = Vec::new();
    let text = String::from_utf8_lossy(head);
    let named = text.lines().any(|line| of_dump(line).is_some());
    if named || !names.iter().any(|name| name == ID) {
        return Ok(repeated);
    }
    let hasher = RandomState::default();
    let mut seen: Vec<HashSet<u64, RandomState>> = names.iter().map(|_| HashSet::default()).collect();
    Lines::new(bytes, cancel).each(0..bytes.len(), |line| {
        let cells = line.text().map(cells).unwrap_or_default();
        if cells.len() != names.len() {
            return;
        }
        for (at, (cell, seen)) in cells.iter().map(|cell| cell.trim()).zip(&mut seen).enumerate() {
            if !cell.is_empty() && !repeated.contains(&at) && !seen.insert(hasher.hash_one(cell)) {
                repeated.push(at);
                *seen = HashSet::default();
            }
        }
    })?;
    Ok(repeated)
}

/// The name of a column of ids.
const ID: &str = "id";

/// Names for the columns of rows without a header, by what all their values look like; else their numbers. A column
/// in which a value is repeated is no id.
fn guess(head: &[u8], repeated: &[usize]) -> Vec<String> {
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}');
    let mut rows: Vec<Vec<Cow<'_, str>>> =
        text.lines().take(LOOKED_AT).filter(|line| line.contains('\t')).map(cells).collect();
    // As many columns as most rows have: a damaged row says nothing of them.
    let times = |width: usize| rows.iter().filter(|row| row.len() == width).count();
    let width = rows.iter().map(Vec::len).max_by_key(|width| times(*width)).unwrap_or_default();
    rows.retain(|row| row.len() == width);
    let mut names: Vec<String> = (1..=width).map(|number| number.to_string()).collect();
    let all = |at: usize, test: &dyn Fn(&str) -> bool| {
        let mut values = rows.iter().filter_map(|row| row.get(at)).filter(|cell| !cell.is_empty()).peekable();
        values.peek().is_some() && values.all(|cell| test(cell))
    };
    let is_time = |cell: &str| {
        cell.contains(':') && cell.contains('-') && parse_time(cell, &Zone::Utc).at != Micros::NONE
    };
    let is_key = |cell: &str| {
        let hex = cell.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
        cell.len() == 36 && hex && cell.matches('-').count() == 4
    };
    let is_operation = |cell: &str| cell.matches(':').count() > 1 && !is_time(cell);
    let is_amount = |cell: &str| {
        cell.contains('.') && cell.trim_start_matches('-').chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    let is_currency = |cell: &str| iso(cell).is_some();
    let is_word = |cell: &str| cell.len() > 3 && cell.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let tests: [(&str, Looks<'_>); 7] = [
        ("created_at", &is_time),
        ("operation_id", &is_operation),
        ("amount", &is_amount),
        ("currency", &is_currency),
        ("status", &is_word),
        ("idempotency_key", &is_key),
        (ID, &is_id),
    ];
    let free = |names: &[String], at: usize| names.get(at) == Some(&(at + 1).to_string());
    for (name, test) in tests {
        // The first column is the id of the row, whatever it looks like.
        let first = usize::from(name != ID);
        let may = |at: usize| name != ID || !repeated.contains(&at);
        let found = (first..width).find(|at| free(&names, *at) && may(*at) && all(*at, test));
        if let Some(kept) = found.and_then(|at| names.get_mut(at)) {
            name.clone_into(kept);
        }
    }
    let left: Vec<usize> = (0..width).filter(|at| free(&names, *at) && all(*at, &is_id)).collect();
    if let [only] = left.as_slice()
        && let Some(kept) = names.get_mut(*only)
    {
        "order_id".clone_into(kept);
    }
    names
}
