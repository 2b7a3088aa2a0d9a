//! A source that was read less far than before (`4-sources.md` 4.2): a lower id, fewer rows, another beginning of the
//! file. It may have been restored or replaced, so it proves no absence until a person took note of it.

use std::io::Read as _;
use std::path::Path;

use crate::canon::sha256_hex;
use crate::sources::spec::{CaseSpec, Location, Reached, What};

use super::Case;
use super::setting::Found;

/// Bytes at the beginning of a file that tell one file from another.
const START: u64 = 4096;

/// Looks at each ledger that was decided on before.
pub(super) fn compare(spec: &CaseSpec, found: &mut [Found]) {
    let all: Vec<Option<String>> = (0..found.len()).map(|no| of_source(spec, found, no)).collect();
    for (f, said) in found.iter_mut().zip(all) {
        f.went_back = said;
    }
}

fn of_source(spec: &CaseSpec, found: &[Found], no: usize) -> Option<String> {
    let now = reached(spec, found, no)?;
    spec.reached.iter().filter(|before| before.source == now.source).find_map(|before| {
        let start = before.start.as_ref().map(|(bytes, _)| *bytes);
        differs(before, &now, start.and_then(|bytes| start_of(spec, no, bytes)).as_ref())
    })
}

/// What went back, in words. `start` is the beginning of the file as long as the one that was seen before.
fn differs(before: &Reached, now: &Reached, start: Option<&(u64, String)>) -> Option<String> {
    match (before.number, now.number) {
        (Some(was), Some(is)) if is < was => {
            return Some(format!("it was read to {was} before, and ends at {is} now"));
        }
        _ => {}
    }
    if now.rows < before.rows {
        return Some(format!("it had {} rows before, and has {} now", before.rows, now.rows));
    }
    match (&before.start, start) {
        (Some(was), Some(is)) if was != is => {
            Some(format!("its first {} bytes are others than before", was.0))
        }
        _ => None,
    }
}

/// How far a ledger was read; `None` where it was not, or where several files are one source.
fn reached(spec: &CaseSpec, found: &[Found], no: usize) -> Option<Reached> {
    let (source, f) = (spec.sources.get(no)?, found.get(no)?);
    let files = spec.sources.iter().filter(|s| s.what == What::Ledger && s.id == source.id).count();
    if source.what != What::Ledger || !f.readable || files != 1 {
        return None;
    }
    // A server is asked for the ids of the traces, and a filter may be another one each time: fewer rows say nothing.
    if matches!(source.location, Location::Server(_))
        || !source.options.scope.is_empty()
        || source.options.sql.is_some()
    {
        return None;
    }
    let of_words = || f.position.strip_prefix("rowid ")?.split(' ').next()?.parse().ok();
    Some(Reached {
        source: source.id.clone(),
        number: f.tally.position.or_else(of_words),
        rows: f.tally.rows + f.tally.out_of_time + f.tally.line_problems,
        start: None,
    })
}

/// The beginning of a text file: its heading and first record, by their lines. A database keeps counters there.
fn start_now(spec: &CaseSpec, no: usize) -> Option<(u64, String)> {
    let Some(Location::File(path)) = spec.sources.get(no).map(|s| &s.location) else { return None };
    let bytes = first(path, START)?;
    let end = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1);
    start_of(spec, no, end.map_or(bytes.len(), |(at, _)| at + 1) as u64)
}

/// As many bytes of its beginning.
fn start_of(spec: &CaseSpec, no: usize, most: u64) -> Option<(u64, String)> {
    let Some(Location::File(path)) = spec.sources.get(no).map(|s| &s.location) else { return None };
    let bytes = first(path, most.min(START))?;
    (!bytes.starts_with(b"SQLite format 3")).then(|| (bytes.len() as u64, sha256_hex(&bytes)))
}

fn first(path: &Path, most: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

impl Case {
    /// How far each ledger was read, for the book.
    pub fn reached(&self) -> Vec<Reached> {
        let all = (0..self.found.len()).filter_map(|no| {
            let mut reached = reached(&self.spec, &self.found, no)?;
            reached.start = start_now(&self.spec, no);
            Some(reached)
        });
        all.collect()
    }

    /// What went back since a source was last decided on, and nobody took note of: its id and the sentence.
    pub fn went_back(&self) -> Vec<(String, String)> {
        let all = self.spec.sources.iter().zip(&self.found);
        all.filter_map(|(s, f)| Some((s.id.clone(), f.went_back.clone()?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(number: Option<u64>, rows: u64) -> Reached {
        Reached { source: "ledger".to_owned(), number, rows, start: None }
    }

    #[test]
    fn one_less_is_back_and_equal_or_more_is_not() {
        let before = at(Some(48_211), 30);
        assert_eq!(differs(&before, &at(Some(48_211), 30), None), None);
        assert_eq!(differs(&before, &at(Some(48_212), 31), None), None);
        assert_eq!(
            differs(&before, &at(Some(48_210), 30), None).unwrap(),
            "it was read to 48211 before, and ends at 48210 now"
        );
        assert_eq!(
            differs(&before, &at(Some(48_211), 29), None).unwrap(),
            "it had 30 rows before, and has 29 now"
        );
        assert_eq!(differs(&at(None, 30), &at(Some(1), 30), None), None);
    }

    #[test]
    fn another_beginning_is_another_file() {
        let before = Reached { start: Some((4, "aa".to_owned())), ..at(None, 3) };
        assert_eq!(differs(&before, &at(None, 4), Some(&(4, "aa".to_owned()))), None);
        assert_eq!(
            differs(&before, &at(None, 4), Some(&(4, "bb".to_owned()))).unwrap(),
            "its first 4 bytes are others than before"
        );
    }
}
