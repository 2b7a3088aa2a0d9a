//! Does the chain hold? (`3-lifecycle.md` 3.6.5). Every entry is walked, never a sample; the first failure is said with
//! its number. What cannot be excluded without a head kept elsewhere is said as well.

use std::collections::BTreeMap;
use std::io::{BufRead, Read as _};
use std::path::Path;
use std::sync::LazyLock;

use rusqlite::Connection;
use serde_json::Value;

use crate::canon::canonical;
use crate::model::time::Micros;

use super::Book;
use super::entry::{Entry, Head, SCHEMA, hash};
use super::error::{BookError, of_io, of_sqlite, shown};
use super::evidence::{Evidence, digest_of};
use super::project::Replay;
use super::records::{HeadSent, Record as _};
use super::schema::{STEPS, TABLES, migrate, version};
use super::sign;
use super::view::View;

/// The wall clock may go back by so much before it is worth a warning, microseconds.
const SKEW: i64 = 2_000_000;
/// Longest line of an export, in bytes; an entry has a note of 16 KiB at most.
const LONGEST: u64 = 8 << 20;

/// What is said where no head was given (3.6.5).
pub const LIMITS: &str =
    "internally consistent; a cut end or a complete rewrite cannot be excluded without a head kept elsewhere";

/// Fields that every entry has (3.6.2).
const FIELDS: [&str; 13] = [
    "schema", "seq", "prev", "ts", "actor", "action", "subject", "before", "after", "evidence", "reason",
    "note", "tool",
];

/// Checks a signature over the hash of an entry: who made it, or why it does not count.
pub type SignatureCheck<'a> = &'a dyn Fn(&str, &str) -> Result<String, String>;

/// What is known besides the chain itself.
#[derive(Clone, Copy, Default)]
pub struct Known<'a> {
    /// A head that was kept elsewhere (`--expect-head`).
    pub head: Option<&'a Head>,
    /// Checks signatures (`--allowed-signers`).
    pub signatures: Option<SignatureCheck<'a>>,
}

/// The first thing that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The entry; 0 where it is none.
    pub seq: i64,
    /// Which of the checks of 3.6.5: `seq`, `canonical`, `hash`, `prev`, `replay`, `evidence`, `head`, `signature`, and
    /// `file` for the file itself.
    pub check: &'static str,
    /// In words.
    pub why: String,
}

/// What verifying found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Entries that were walked and hold.
    pub entries: i64,
    /// The last of them.
    pub head: Head,
    /// The first failure.
    pub failure: Option<Failure>,
    /// What is worth a look and breaks nothing.
    pub warnings: Vec<String>,
    /// A head from outside was given and fits.
    pub anchored: bool,
    /// Whose signatures stand under entries, with how many.
    pub signers: BTreeMap<String, usize>,
}

impl Verdict {
    /// The chain holds.
    pub fn holds(&self) -> bool {
        self.failure.is_none()
    }

    /// What is said, in lines.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        match &self.failure {
            None if self.entries == 0 => lines.push("audit chain OK, 0 entries".to_owned()),
            None => {
                let entries = if self.entries == 1 {
                    "1 entry".to_owned()
                } else {
                    format!("{} entries", self.entries)
                };
                lines.push(format!("audit chain OK, {entries}, head {}", self.head));
            }
            Some(Failure { seq: 0, check, why }) => {
                lines.push(format!("audit chain BROKEN: {why} ({check})"));
            }
            Some(Failure { seq, check, why }) => {
                lines.push(format!("audit chain BROKEN at entry {seq}: {why} ({check})"));
            }
        }
        for (principal, entries) in &self.signers {
            let what = if *entries == 1 { "1 entry is".to_owned() } else { format!("{entries} entries are") };
            lines.push(format!("{what} signed by {principal}"));
        }
        lines.extend(self.warnings.iter().cloned());
        if self.holds() && !self.anchored {
            lines.push(LIMITS.to_owned());
        }
        lines
    }
}

/// Walks a chain, entry by entry.
struct Walk<'a> {
    known: Known<'a>,
    head: Head,
    last: Micros,
    replay: Replay,
    warnings: Vec<String>,
    /// Digests of evidence, with the first entry that names them.
    named: BTreeMap<String, i64>,
    /// Digests that were erased on purpose, with their entry.
    erased: BTreeMap<String, i64>,
    unchecked: usize,
    met: bool,
    /// The policy in force names who may sign.
    named_signers: bool,
    signers: BTreeMap<String, usize>,
}

fn failed<T>(seq: i64, check: &'static str, why: impl Into<String>) -> Result<T, Failure> {
    Err(Failure { seq, check, why: why.into() })
}

impl<'a> Walk<'a> {
    fn new(known: Known<'a>) -> Self {
        Self {
            known,
            head: Head::none(),
            last: Micros::NONE,
            replay: Replay::default(),
            warnings: Vec::new(),
            named: BTreeMap::new(),
            erased: BTreeMap::new(),
            unchecked: 0,
            met: false,
            named_signers: false,
            signers: BTreeMap::new(),
        }
    }

    /// Checks 1 to 6, 8 and 9 for one entry.
    fn step(&mut self, entry: &Entry) -> Result<(), Failure> {
        let seq = self.head.seq + 1;
        if entry.seq != seq {
            let why = format!("entry {} stands where entry {seq} belongs", entry.seq);
            return failed(seq, "seq", why);
        }
        match canonical(&entry.text) {
            Ok(text) if text == entry.text => {}
            Ok(_) => return failed(seq, "canonical", "its text is not in canonical form"),
            Err(why) => return failed(seq, "canonical", format!("its text cannot be read: {why}")),
        }
        if hash(&entry.text) != entry.hash {
            return failed(seq, "hash", "its hash is not that of its text");
        }
        if entry.text_at("prev") != self.head.hash {
            return failed(seq, "prev", "it does not name the hash of the entry before it");
        }
        if entry.at("seq").and_then(Value::as_i64) != Some(seq) {
            return failed(seq, "seq", "its text has another number");
        }
        if let Some(absent) = FIELDS.iter().find(|field| entry.at(field).is_none()) {
            return failed(seq, "canonical", format!("its text has no {absent}"));
        }
        if entry.text_at("schema") != SCHEMA {
            return failed(seq, "canonical", format!("its schema is not {SCHEMA}"));
        }
        let time = entry.time();
        if !self.last.is_none() && self.last.since(time) > SKEW {
            let back = self.last.since(time) / 1000;
            self.warnings.push(format!("entry {seq}: the clock went back by {back} ms; order is by number"));
        }
        self.last = time;
        if let Err(why) = self.replay.apply(&entry.value) {
            return failed(seq, "replay", why.to_string());
        }
        self.evidence(entry);
        self.head = entry.head();
        if let Some(expected) = self.known.head.filter(|expected| expected.seq == seq) {
            if expected.hash != entry.hash {
                return failed(seq, "head", "it is not the entry whose head was kept elsewhere");
            }
            self.met = true;
        }
        // The policy that an entry brings holds from the next one on.
        self.signature(entry)?;
        if let Some(policy) = entry.at("after.policy.text").and_then(Value::as_str) {
            let policy: Value = serde_json::from_str(policy).unwrap_or_default();
            self.named_signers = policy.get("allowed_signers").is_some_and(Value::is_string);
        }
        Ok(())
    }

    fn evidence(&mut self, entry: &Entry) {
        let items = entry.at("evidence").and_then(Value::as_array);
        for digest in items.into_iter().flatten().filter_map(Value::as_str).filter_map(digest_of) {
            self.named.entry(digest.to_owned()).or_insert(entry.seq);
        }
        if entry.text_at("action") == "evidence_erased" {
            self.erased.insert(entry.text_at("subject.id").to_owned(), entry.seq);
        }
    }

    fn signature(&mut self, entry: &Entry) -> Result<(), Failure> {
        match (&entry.sig, self.known.signatures) {
            (None, _) if entry.at("policy.signed") == Some(&Value::Bool(true)) => {
                failed(entry.seq, "signature", "it was signed, and its signature is missing")
            }
            (None, _) => Ok(()),
            (Some(_), None) => {
                self.unchecked += 1;
                Ok(())
            }
            (Some(sig), Some(check)) => match check(&entry.hash, sig) {
                Ok(principal) => self.signed_by(entry, principal),
                Err(why) => failed(entry.seq, "signature", format!("its signature does not count: {why}")),
            },
        }
    }

    /// Whose signature it is. One of somebody else than the actor breaks the chain where the policy says who may sign, for
    /// there recount writes none; elsewhere it is worth a look.
    fn signed_by(&mut self, entry: &Entry, principal: String) -> Result<(), Failure> {
        let name = entry.text_at("actor.name");
        let own = sign::is_of(&principal, name);
        let why = format!("it is signed by {principal}, and its actor is {name}");
        *self.signers.entry(principal).or_default() += 1;
        match (own, self.named_signers) {
            (true, _) => Ok(()),
            (false, true) => failed(entry.seq, "signature", why),
            (false, false) => {
                self.warnings.push(format!("entry {}: {why}", entry.seq));
                Ok(())
            }
        }
    }

    /// Check 8 at the end.
    fn ends(&self) -> Result<(), Failure> {
        match self.known.head {
            Some(expected) if !self.met => failed(
                expected.seq,
                "head",
                format!(
                    "the chain ends at entry {}, but a head of entry {} was kept elsewhere",
                    self.head.seq, expected.seq
                ),
            ),
            _ => Ok(()),
        }
    }

    fn verdict(mut self, failure: Option<Failure>) -> Verdict {
        if self.unchecked > 0 {
            let what = if self.unchecked == 1 { "1 signature was" } else { "signatures were" };
            let count = if self.unchecked == 1 { String::new() } else { format!("{} ", self.unchecked) };
            self.warnings.push(format!("{count}{what} not checked; --allowed-signers F checks them"));
        }
        Verdict {
            entries: self.head.seq,
            head: self.head,
            anchored: self.known.head.is_some() && failure.is_none(),
            failure,
            warnings: self.warnings,
            signers: self.signers,
        }
    }
}

/// The failure of one entry behind others that hold.
#[cfg(test)]
pub(super) fn check_one(before: &[Entry], entry: &Entry, head: Option<&Head>) -> Option<Failure> {
    let mut walk = Walk::new(Known { head, signatures: None });
    // The tables are not compared here, so what follows from the entries before is not put.
    walk.head = before.last().map_or_else(Head::none, Entry::head);
    let failure = walk.step(entry).err();
    failure.filter(|failure| failure.check != "replay")
}

/// The same for a line of an export, up to its end or to that of the next one where it has lost its own.
#[cfg(test)]
pub(super) fn check_line(before: &[Entry], bytes: &[u8]) -> Option<Failure> {
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    match exported(line) {
        Ok(entry) => check_one(before, &entry, None),
        Err(why) => Some(Failure { seq: 0, check: "canonical", why: why.to_owned() }),
    }
}

/// Verifies a book, the tables and the evidence too. A damaged file is read as far as it goes.
///
/// # Errors
/// No file, or a file that is no book or a newer one: nothing is said about a chain then.
pub fn of_book(path: &Path, known: Known<'_>) -> Result<Verdict, BookError> {
    let book = match Book::look(path) {
        Ok(book) => book,
        Err(BookError::Damaged { why, .. }) => {
            let failure =
                Failure { seq: 0, check: "file", why: format!("{} is damaged: {why}", shown(path)) };
            return Ok(Walk::new(known).verdict(Some(failure)));
        }
        Err(other) => return Err(other),
    };
    let view = book.view()?;
    let mut walk = Walk::new(known);
    let failure = walk_book(view, &mut walk).err();
    Ok(walk.verdict(failure))
}

fn walk_book(view: View<'_>, walk: &mut Walk<'_>) -> Result<(), Failure> {
    // One reading transaction: nobody's new entry comes between the chain and the tables.
    let begun = view.db.execute_batch("BEGIN");
    let unreadable = |seq: i64, why: &dyn std::fmt::Display| Failure {
        seq,
        check: "file",
        why: format!("it cannot be read: {why}"),
    };
    begun.map_err(|why| unreadable(0, &why))?;
    let mut found = None;
    let read = view.entries(|entry| {
        if found.is_none() {
            found = walk.step(&entry).err();
        }
    });
    if let Some(failure) = found {
        return Err(failure);
    }
    read.map_err(|why| unreadable(walk.head.seq + 1, &why))?;
    walk.ends()?;
    let count: i64 = view
        .db
        .query_row("SELECT count(*) FROM audit", [], |row| row.get(0))
        .map_err(|why| unreadable(walk.head.seq, &why))?;
    if count != walk.head.seq {
        return failed(
            walk.head.seq,
            "seq",
            format!("{count} entries are counted, {} are walked", walk.head.seq),
        );
    }
    schema_is_ours(view.db)?;
    for table in TABLES {
        match walk.replay.difference(view.db, table, None) {
            Ok(None) => {}
            Ok(Some(difference)) => return failed(0, "replay", difference),
            Err(why) => return failed(0, "file", format!("table {} cannot be read: {why}", table.name)),
        }
    }
    evidence_is_there(view, walk)?;
    heads_fit(view, walk)?;
    file_is_whole(view)
}

/// Names and statements of tables, indexes and triggers.
type Objects = BTreeMap<String, String>;

fn objects(db: &Connection) -> rusqlite::Result<Objects> {
    let mut all = db.prepare("SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_master")?;
    let rows = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// Those of a new book.
static MADE: LazyLock<Result<Objects, String>> = LazyLock::new(|| {
    let made = || {
        let fresh = Connection::open_in_memory()?;
        migrate(&fresh, &STEPS)?;
        objects(&fresh)
    };
    made().map_err(|why: rusqlite::Error| why.to_string())
});

/// Tables, indexes and triggers are those that the program makes.
fn schema_is_ours(db: &Connection) -> Result<(), Failure> {
    if version(db).is_ok_and(|have| usize::try_from(have).is_ok_and(|have| have < STEPS.len())) {
        // An older book gets its new tables at the next write.
        return Ok(());
    }
    let read = |why: rusqlite::Error| Failure {
        seq: 0,
        check: "file",
        why: format!("its tables cannot be read: {why}"),
    };
    let theirs = objects(db).map_err(read)?;
    let ours = match &*MADE {
        Ok(made) => made,
        Err(why) => return failed(0, "file", format!("what its tables should be cannot be made: {why}")),
    };
    for (name, sql) in ours {
        match theirs.get(name) {
            None => {
                return failed(
                    0,
                    "file",
                    format!("{name} is missing: somebody else's program changed the book"),
                );
            }
            Some(other) if other != sql => {
                return failed(0, "file", format!("{name} was changed by somebody else's program"));
            }
            Some(_) => {}
        }
    }
    match theirs.keys().find(|name| !ours.contains_key(*name) && !name.starts_with("table sqlite_stat")) {
        Some(name) => failed(0, "file", format!("{name} was added by somebody else's program")),
        None => Ok(()),
    }
}

/// Check 7.
fn evidence_is_there(view: View<'_>, walk: &mut Walk<'_>) -> Result<(), Failure> {
    for (digest, seq) in &walk.named {
        let short = digest.get(..12).unwrap_or(digest);
        let erased = walk.erased.get(digest);
        let found = view.evidence(digest).map_err(|why| Failure {
            seq: *seq,
            check: "file",
            why: why.to_string(),
        })?;
        match (found, erased) {
            (Evidence::Text(_), None) => {}
            (Evidence::Erased, Some(entry)) => {
                walk.warnings.push(format!("1 evidence erased on purpose (entry {entry})"));
            }
            (Evidence::Changed, _) => {
                return failed(
                    *seq,
                    "evidence",
                    format!("the text of its evidence {short} is not that of its digest"),
                );
            }
            (Evidence::Text(_), Some(entry)) => {
                return failed(
                    *entry,
                    "evidence",
                    format!("the text of evidence {short} is there, though it was erased"),
                );
            }
            (Evidence::Erased | Evidence::Missing, _) => {
                return failed(
                    *seq,
                    "evidence",
                    format!("its evidence {short} is not there, and no entry says that it was erased"),
                );
            }
        }
    }
    Ok(())
}

/// The heads that the book remembers to have sent are those of its entries.
fn heads_fit(view: View<'_>, walk: &Walk<'_>) -> Result<(), Failure> {
    let sent = HeadSent::all(view.db, "ORDER BY seq", []).map_err(|why| Failure {
        seq: 0,
        check: "file",
        why: format!("heads_sent cannot be read: {why}"),
    })?;
    for sent in sent {
        let entry = view.entry(sent.seq).ok().flatten();
        if entry.is_none_or(|entry| entry.hash != sent.hash) {
            return failed(
                sent.seq.min(walk.head.seq + 1),
                "head",
                format!("the book remembers a head of entry {} that is not in it", sent.seq),
            );
        }
    }
    Ok(())
}

/// What SQLite itself finds in the file.
fn file_is_whole(view: View<'_>) -> Result<(), Failure> {
    let said: Result<String, _> = view.db.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0));
    match said {
        Ok(said) if said == "ok" => Ok(()),
        Ok(said) => failed(0, "file", format!("the file is damaged: {}", said.replace('\n', " "))),
        Err(why) => failed(0, "file", of_sqlite(view.path, &why).to_string()),
    }
}

/// Verifies an export: one entry a line, `{"entry":{..},"hash":".."}` in canonical form.
///
/// # Errors
/// What keeps the file from being read.
pub fn of_export(path: &Path, known: Known<'_>) -> Result<Verdict, BookError> {
    let file = std::fs::File::open(path).map_err(|why| of_io(path, &why))?;
    let mut reader = std::io::BufReader::new(file);
    let mut walk = Walk::new(known);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read =
            reader.by_ref().take(LONGEST).read_until(b'\n', &mut line).map_err(|why| of_io(path, &why))?;
        let failure = if read == 0 {
            walk.ends().err()
        } else if let Some(whole) = line.strip_suffix(b"\n") {
            match exported(whole) {
                Ok(entry) => match walk.step(&entry) {
                    Ok(()) => continue,
                    Err(failure) => Some(failure),
                },
                Err(why) => Some(Failure { seq: walk.head.seq + 1, check: "canonical", why: why.to_owned() }),
            }
        } else {
            let why = "the last line is torn: it does not end".to_owned();
            Some(Failure { seq: walk.head.seq + 1, check: "file", why })
        };
        return Ok(walk.verdict(failure));
    }
}

/// An entry of a line, byte by byte as it was written.
fn exported(line: &[u8]) -> Result<Entry, &'static str> {
    let text = std::str::from_utf8(line).map_err(|_| "its line is not UTF-8")?;
    let value: Value = serde_json::from_str(text).map_err(|_| "its line is not JSON")?;
    let member = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let entry = value.get("entry").ok_or("its line has no entry")?;
    let entry = canonical(&entry.to_string()).map_err(|_| "its text has no canonical form")?;
    let hash = member("hash").ok_or("its line has no hash")?;
    let sig = member("sig").filter(|sig| !sig.is_empty());
    let seq = value.get("entry").and_then(|entry| entry.get("seq")).and_then(Value::as_i64).unwrap_or(0);
    let entry = Entry::new(seq, entry, hash, sig);
    if super::export::line(&entry) == text { Ok(entry) } else { Err("its line is not in canonical form") }
}
