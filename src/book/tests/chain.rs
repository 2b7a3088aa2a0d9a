//! Verifying: what is found, and what is named because it cannot be found (`3-lifecycle.md` 3.17).

use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::super::entry::{Entry, Head, ZEROS, hash};
use super::super::project::rows;
use super::super::schema::{STEPS, TABLES};
use super::super::verify::{Known, LIMITS, Verdict, of_book, of_export};
use super::super::{Action, Book, Draft, Subject, export};
use super::{at, created, dana, put, quiet, recorded, resolved};
use crate::canon::canonical;

/// A stream of numbers from a seed.
pub(super) struct Chance(pub u64);

impl Chance {
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// From `low` up to and with `high`.
    fn from(&mut self, low: i64, high: i64) -> i64 {
        low + i64::try_from(self.next() % u64::try_from(high - low + 1).unwrap()).unwrap()
    }
}

/// A book of `entries` entries, closed.
fn book_of(folder: &Path, entries: i64) -> PathBuf {
    let path = folder.join("book.db");
    let mut book = Book::open(&path, &quiet()).unwrap();
    put(&mut book, "2026-11-30T08:00:00Z", created()).unwrap();
    let mut no = 0;
    while book.view().unwrap().head().unwrap().seq < entries {
        no += 1;
        let id = format!("int_{no}");
        let when = format!("2026-11-30T09:{:02}:00Z", no % 60);
        put(&mut book, &when, recorded(&id)).unwrap();
        for draft in [
            Draft::new(Action::Readback, &dana(), Subject::intent(&id)).change(
                Value::Null,
                json!({"readback": {"id": format!("rb_{no}"), "result": "present", "manual": true}}),
            ),
            resolved(&id, if no % 2 == 0 { "confirmed" } else { "failed" }),
            Draft::new(Action::Note, &dana(), Subject::intent(&id))
                .note("looked at by the next shift as well"),
        ] {
            if book.view().unwrap().head().unwrap().seq < entries {
                put(&mut book, &when, draft).unwrap();
            }
        }
    }
    path
}

fn entries(path: &Path) -> Vec<Entry> {
    let book = Book::look(path).unwrap();
    let mut entries = Vec::new();
    book.view().unwrap().entries(|entry| entries.push(entry)).unwrap();
    entries
}

/// The book with its triggers away, changed, and the triggers put back as they were.
fn meddle(path: &Path, work: impl FnOnce(&Connection)) {
    let db = Connection::open(path).unwrap();
    // One transaction and no waiting for the disk: hundreds of books are changed.
    db.execute_batch("PRAGMA synchronous = OFF; BEGIN").unwrap();
    let triggers: Vec<(String, String)> = db
        .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for (name, _) in &triggers {
        db.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    work(&db);
    for (_, sql) in &triggers {
        db.execute_batch(sql).unwrap();
    }
    db.execute_batch("COMMIT").unwrap();
}

/// Writes these entries instead of all that were there, and the tables that follow from them, where they do.
fn rewrite(path: &Path, entries: &[(i64, String, String)], tables: bool) {
    meddle(path, |db| {
        db.execute_batch("DELETE FROM audit; DELETE FROM heads_sent").unwrap();
        for (seq, text, hash) in entries {
            db.execute("INSERT INTO audit (seq, text, hash) VALUES (?1, ?2, ?3)", params![seq, text, hash])
                .unwrap();
        }
        if tables {
            for table in TABLES {
                db.execute_batch(&format!("DELETE FROM {}", table.name)).unwrap();
            }
            for (_, text, _) in entries {
                for row in rows(&serde_json::from_str(text).unwrap()).unwrap() {
                    row.store(db).unwrap().unwrap();
                }
            }
        }
    });
}

fn parts(entry: &Entry) -> (i64, String, String) {
    (entry.seq, entry.text.clone(), entry.hash.clone())
}

/// The text with another number and another predecessor.
fn moved(text: &str, seq: i64, prev: &str) -> (i64, String, String) {
    let mut value: Value = serde_json::from_str(text).unwrap();
    value["seq"] = json!(seq);
    value["prev"] = json!(prev);
    let text = canonical(&value.to_string()).unwrap();
    let hash = hash(&text);
    (seq, text, hash)
}

/// With the note of one entry edited and every hash from there on made new.
fn forged(entries: &[Entry], at: i64) -> Vec<(i64, String, String)> {
    let mut prev = ZEROS.to_owned();
    let mut forged = Vec::new();
    for entry in entries {
        let mut value = entry.value.clone();
        if entry.seq == at {
            value["note"] = json!("nothing was seen that night, all is well");
        }
        let row = moved(&value.to_string(), entry.seq, &prev);
        prev.clone_from(&row.2);
        forged.push(row);
    }
    forged
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Edit,
    Delete,
    Insert,
    Swap,
    Duplicate,
    Table,
    Cut,
    Rewrite,
}

const KINDS: [Kind; 8] = [
    Kind::Edit,
    Kind::Delete,
    Kind::Insert,
    Kind::Swap,
    Kind::Duplicate,
    Kind::Table,
    Kind::Cut,
    Kind::Rewrite,
];

fn tamper(kind: Kind, path: &Path, chance: &mut Chance) {
    let all = entries(path);
    let last = i64::try_from(all.len()).unwrap();
    let mut rows: Vec<(i64, String, String)> = all.iter().map(parts).collect();
    let at = usize::try_from(chance.from(1, last - 2)).unwrap();
    match kind {
        Kind::Edit => {
            let letters: Vec<usize> =
                rows[at].1.char_indices().filter(|(_, c)| c.is_ascii_lowercase()).map(|(i, _)| i).collect();
            let place = letters[usize::try_from(chance.next() % letters.len() as u64).unwrap()];
            let old = rows[at].1.as_bytes()[place];
            let new = if old == b'z' { 'a' } else { char::from(old + 1) };
            rows[at].1.replace_range(place..=place, &new.to_string());
        }
        Kind::Delete => {
            rows.remove(at);
            if chance.next().is_multiple_of(2) {
                // The numbers are closed up.
                for (row, seq) in rows.iter_mut().zip(1..) {
                    row.0 = seq;
                }
            }
        }
        Kind::Insert => {
            let before = rows[at - 1].2.clone();
            let new = moved(&all[0].text.replace("case_created", "note"), rows[at].0, &before);
            rows.insert(at, new);
            for (row, seq) in rows.iter_mut().zip(1..) {
                row.0 = seq;
            }
        }
        Kind::Swap => {
            let (one, other) = (rows[at].clone(), rows[at + 1].clone());
            rows[at] = (one.0, other.1, other.2);
            rows[at + 1] = (other.0, one.1, one.2);
        }
        Kind::Duplicate => {
            let again = rows[at].clone();
            rows.insert(at, again);
            for (row, seq) in rows.iter_mut().zip(1..) {
                row.0 = seq;
            }
        }
        Kind::Table => {
            meddle(path, |db| {
                let changes = [
                    "UPDATE intents SET state = CASE state WHEN 'failed' THEN 'confirmed' ELSE 'failed' END WHERE rowid = ?1",
                    "UPDATE intents SET owner = 'mallory' WHERE rowid = ?1",
                    "DELETE FROM resolutions WHERE rowid IN (SELECT rowid FROM resolutions LIMIT 1 OFFSET ?1 - 1)",
                    "INSERT INTO links (source, effect_id, intent_id, status) VALUES ('payments', 'rf_' || ?1, 'int_1', 'linked')",
                    "UPDATE readbacks SET result = 'absent_as_of' WHERE rowid = ?1",
                ];
                let change = changes[usize::try_from(chance.next() % changes.len() as u64).unwrap()];
                assert_eq!(db.execute(change, [chance.from(1, 2)]).unwrap(), 1, "{change}");
            });
            return;
        }
        Kind::Cut => {
            rows.truncate(at + 1);
            rewrite(path, &rows, true);
            return;
        }
        Kind::Rewrite => {
            rewrite(path, &forged(&all, i64::try_from(at).unwrap() + 1), true);
            return;
        }
    }
    rewrite(path, &rows, false);
}

fn copy(path: &Path) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("book.db");
    std::fs::copy(path, &to).unwrap();
    (folder, to)
}

fn verdict(path: &Path, head: Option<&Head>) -> Verdict {
    of_book(path, Known { head, signatures: None }).unwrap()
}

#[test]
fn eight_kinds_of_tampering_are_found_with_a_head_kept_elsewhere_and_two_are_named_without() {
    let folder = tempfile::tempdir().unwrap();
    let path = book_of(folder.path(), 12);
    let head = entries(&path).last().unwrap().head();
    let whole = verdict(&path, Some(&head));
    assert!(whole.holds() && whole.anchored && !whole.lines().contains(&LIMITS.to_owned()), "{whole:?}");
    let (mut found, mut found_alone) = (0, 0);
    for kind in KINDS {
        for trial in 0..60_u64 {
            let mut chance = Chance(0x9e37_79b9_7f4a_7c15 ^ ((trial + 1) * 7919));
            let (_folder, copied) = copy(&path);
            tamper(kind, &copied, &mut chance);
            let with = verdict(&copied, Some(&head));
            found += i32::from(!with.holds());
            let without = verdict(&copied, None);
            found_alone += i32::from(!without.holds());
            if matches!(kind, Kind::Cut | Kind::Rewrite) {
                assert!(without.holds(), "{kind:?} {trial}: {without:?}");
                assert_eq!(without.lines().last().unwrap(), LIMITS);
                let check = with.failure.unwrap();
                assert_eq!(check.check, "head", "{kind:?} {trial}");
            } else {
                assert!(!without.holds(), "{kind:?} {trial}");
            }
        }
    }
    assert_eq!((found, found_alone), (480, 360));
}

#[test]
fn the_examples_of_the_specification_are_named_with_their_entry() {
    let folder = tempfile::tempdir().unwrap();
    let path = book_of(folder.path(), 9);
    let all = entries(&path);
    let said = |work: &dyn Fn(&Path)| {
        let (_folder, copied) = copy(&path);
        work(&copied);
        verdict(&copied, None).lines().remove(0)
    };
    let rows = || all.iter().map(parts).collect::<Vec<_>>();
    assert_eq!(
        said(&|path| {
            let mut rows = rows();
            rows[4].1 = rows[4].1.replace("shift", "shelf");
            rewrite(path, &rows, false);
        }),
        "audit chain BROKEN at entry 5: its hash is not that of its text (hash)"
    );
    assert_eq!(
        said(&|path| {
            let mut rows = rows();
            rows.remove(3);
            rewrite(path, &rows, false);
        }),
        "audit chain BROKEN at entry 4: entry 5 stands where entry 4 belongs (seq)"
    );
    assert_eq!(
        said(&|path| {
            let mut rows = rows();
            rows[4].1 = rows[4].1.replace("shift", "shelf");
            rows[4].2 = hash(&rows[4].1);
            rewrite(path, &rows, false);
        }),
        "audit chain BROKEN at entry 6: it does not name the hash of the entry before it (prev)"
    );
    assert_eq!(
        said(&|path| meddle(path, |db| {
            db.execute_batch("UPDATE intents SET state = 'confirmed' WHERE intent_id = 'int_1'").unwrap();
        })),
        "audit chain BROKEN: intents int_1: state is confirmed, the entries say failed (replay)"
    );
    assert_eq!(
        said(&|path| {
            Connection::open(path).unwrap().execute_batch("DROP TRIGGER audit_is_never_changed").unwrap();
        }),
        "audit chain BROKEN: trigger audit_is_never_changed is missing: somebody else's program changed the book (file)"
    );
    assert_eq!(
        said(&|path| {
            Connection::open(path).unwrap().execute_batch("VACUUM").unwrap();
        }),
        format!("audit chain OK, 9 entries, head {}", all[8].head())
    );
    let other = Head { seq: 7, hash: "ab".repeat(32) };
    assert_eq!(
        verdict(&path, Some(&other)).lines()[0],
        "audit chain BROKEN at entry 7: it is not the entry whose head was kept elsewhere (head)"
    );
    let later = Head { seq: 12, hash: "ab".repeat(32) };
    assert_eq!(
        verdict(&path, Some(&later)).lines()[0],
        "audit chain BROKEN at entry 12: the chain ends at entry 9, but a head of entry 12 was kept elsewhere (head)"
    );
    // A head that is older than the end is walked over, and everything behind it too.
    assert!(verdict(&path, Some(&all[3].head())).anchored);
}

#[test]
fn an_end_that_was_cut_off_is_found_by_the_heads_that_were_sent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    let options = super::Options { head_to: super::HeadTo::File(folder.path().join("heads.txt")), ..quiet() };
    let mut book = Book::open(&path, &options).unwrap();
    put(&mut book, "2026-11-30T08:00:00Z", created()).unwrap();
    put(&mut book, "2026-11-30T08:01:00Z", recorded("int_1")).unwrap();
    let head = put(&mut book, "2026-11-30T08:02:00Z", resolved("int_1", "failed")).unwrap();
    drop(book);
    let sent = std::fs::read_to_string(folder.path().join("heads.txt")).unwrap();
    assert_eq!(sent, format!("recount case=refunds-2026-11-30 seq=3 head={}\n", head.hash));
    let all = entries(&path);
    meddle(&path, |db| {
        db.execute_batch("DELETE FROM audit WHERE seq = 3; DELETE FROM resolutions; DELETE FROM state_changes WHERE seq = 3")
            .unwrap();
        db.execute_batch("DELETE FROM intents").unwrap();
        for row in rows(&all[1].value).unwrap() {
            // The state change of entry 2 is there still.
            let _ = row.store(db).unwrap();
        }
    });
    assert_eq!(
        verdict(&path, None).lines()[0],
        "audit chain BROKEN at entry 3: the book remembers a head of entry 3 that is not in it (head)"
    );
}

/// Every `step`-th bit; all of them with `RECOUNT_ALL_FLIPS`.
fn step() -> usize {
    if std::env::var_os("RECOUNT_ALL_FLIPS").is_some() { 1 } else { 61 }
}

#[test]
fn every_bit_flip_in_entries_and_hashes_of_a_log_of_50_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = book_of(folder.path(), 50);
    let all = entries(&path);
    assert_eq!(all.len(), 50);
    let head = all[49].head();
    let (mut flips, mut found) = (0_usize, 0_usize);
    for (place, entry) in all.iter().enumerate() {
        for (part, bytes) in [(0, entry.text.as_bytes()), (1, entry.hash.as_bytes())] {
            for bit in (place % step()..bytes.len() * 8).step_by(step()) {
                let mut flipped = bytes.to_vec();
                flipped[bit / 8] ^= 1 << (bit % 8);
                let flipped = String::from_utf8_lossy(&flipped).into_owned();
                let entry = match part {
                    0 => Entry::new(entry.seq, flipped, entry.hash.clone(), None),
                    _ => Entry::new(entry.seq, entry.text.clone(), flipped, None),
                };
                flips += 1;
                // What comes before is as it was; the entry itself must not hold.
                let failure = super::super::verify::check_one(&all[..place], &entry, Some(&head));
                found += usize::from(failure.is_some());
            }
        }
    }
    println!("{flips} flips of texts and hashes");
    assert!(flips > 3000, "{flips}");
    assert_eq!(found, flips);
}

#[test]
fn every_bit_flip_of_an_export_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = book_of(folder.path(), 50);
    let out = folder.path().join("log.jsonl");
    let all = entries(&path);
    let text: String = all.iter().map(|entry| export::line(entry) + "\n").collect();
    std::fs::write(&out, &text).unwrap();
    let whole = of_export(&out, Known::default()).unwrap();
    assert!(whole.holds(), "{whole:?}");
    assert_eq!(whole.entries, 50);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut flips = 0;
    for (place, line) in lines.iter().enumerate() {
        // A flip of its line end joins it with the next line.
        let next = lines.get(place + 1).copied().unwrap_or_default();
        for bit in (place % step()..line.len() * 8).step_by(step()) {
            let mut flipped = [line.as_bytes(), next.as_bytes()].concat();
            flipped[bit / 8] ^= 1 << (bit % 8);
            flips += 1;
            let failure = super::super::verify::check_line(&all[..place], &flipped);
            assert!(failure.is_some(), "line {place}, bit {bit}");
        }
    }
    println!("{flips} flips of the export");
    // As a file, from its beginning: the same, and cut lines.
    let short = lines[..3].concat();
    let bytes = short.as_bytes();
    for bit in (0..bytes.len() * 8).step_by(97) {
        let mut flipped = bytes.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&out, &flipped).unwrap();
        let found = of_export(&out, Known::default()).unwrap();
        assert!(!found.holds(), "bit {bit}");
    }
    for (cut, words) in [(short.len() - 1, "torn"), (short.len() - 40, "torn"), (1, "torn")] {
        std::fs::write(&out, &bytes[..cut]).unwrap();
        let found = of_export(&out, Known::default()).unwrap();
        assert!(found.failure.unwrap().why.contains(words), "{cut}");
    }
}

#[test]
fn a_damaged_file_is_said_and_nothing_panics() {
    let folder = tempfile::tempdir().unwrap();
    let path = book_of(folder.path(), 20);
    let all = entries(&path);
    let bytes = std::fs::read(&path).unwrap();
    let mut chance = Chance(2026);
    let (mut found, mut harmless) = (0, 0);
    let trial = |bytes: &[u8]| -> bool {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.db");
        std::fs::write(&path, bytes).unwrap();
        match of_book(&path, Known::default()) {
            Ok(verdict) if verdict.holds() => {
                assert_eq!(entries(&path), all, "it holds, so every entry is there as it was");
                false
            }
            Ok(_) | Err(_) => true,
        }
    };
    for _ in 0..300 {
        let mut flipped = bytes.clone();
        let bit = usize::try_from(chance.next()).unwrap_or(usize::MAX) % (bytes.len() * 8);
        flipped[bit / 8] ^= 1 << (bit % 8);
        if trial(&flipped) {
            found += 1;
        } else {
            harmless += 1;
        }
    }
    assert!(found > 0 && harmless > 0, "{found} {harmless}");
    for size in [0, 1, 15, 16, 99, 100, 512, 4095, 4096, 5000, bytes.len() / 2, bytes.len() - 1] {
        assert!(trial(&bytes[..size]), "{size} bytes");
    }
    for _ in 0..40 {
        let mut noise = bytes.clone();
        let from = usize::try_from(chance.next() % bytes.len() as u64).unwrap();
        let to = bytes.len().min(from + 700);
        for byte in &mut noise[from..to] {
            *byte = chance.next().to_le_bytes()[0];
        }
        trial(&noise);
    }
    assert!(trial(&vec![0; 8192]) && trial(&[0xff; 9000]));
}

#[test]
fn evidence_that_is_gone_is_found_and_evidence_that_was_erased_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    let mut book = Book::open(&path, &quiet()).unwrap();
    put(&mut book, "2026-11-30T08:00:00Z", created()).unwrap();
    let digest = book
        .write(&at("2026-11-30T08:01:00Z"), |writer| {
            let digest = writer.keep_evidence(Some("portal.txt"), b"order 4812: no refund")?;
            let mut note = Draft::new(Action::Note, &dana(), Subject::intent("int_1"));
            note.evidence = vec![super::super::evidence::item(&digest)];
            writer.append(&note)?;
            Ok::<_, super::BookError>(digest)
        })
        .unwrap()
        .value;
    drop(book);
    let said = |change: &str| {
        let (_folder, copied) = copy(&path);
        Connection::open(&copied).unwrap().execute_batch(change).unwrap();
        verdict(&copied, None).lines().remove(0)
    };
    let short = digest.get(..12).unwrap();
    assert_eq!(
        said("UPDATE evidence SET bytes = x'00'"),
        format!(
            "audit chain BROKEN at entry 2: the text of its evidence {short} is not that of its digest (evidence)"
        )
    );
    for gone in ["UPDATE evidence SET bytes = NULL", "DELETE FROM evidence"] {
        assert_eq!(
            said(gone),
            format!(
                "audit chain BROKEN at entry 2: its evidence {short} is not there, and no entry says that it was erased (evidence)"
            )
        );
    }
    let mut book = Book::open(&path, &quiet()).unwrap();
    book.write(&at("2026-11-30T09:00:00Z"), |writer| {
        writer.erase_evidence(&digest, &dana(), "asked for by the customer")
    })
    .unwrap();
    book.settle_file().unwrap();
    assert_eq!(verdict(&path, None).lines()[1], "1 evidence erased on purpose (entry 3)");
    drop(book);
    let bytes = std::fs::read(&path).unwrap();
    assert!(!bytes.windows(21).any(|part| part == b"order 4812: no refund"), "the text is still in the file");
}

#[test]
fn a_clock_that_went_back_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    let mut book = Book::open(&path, &quiet()).unwrap();
    for when in
        ["2026-11-30T08:00:00Z", "2026-11-30T07:59:58Z", "2026-11-30T07:59:55.999Z", "2036-01-01T00:00:00Z"]
    {
        put(&mut book, when, Draft::new(Action::Note, &dana(), Subject::new("case", "x"))).unwrap();
    }
    let found = verdict(&path, None);
    assert!(found.holds());
    assert_eq!(found.warnings, ["entry 3: the clock went back by 2001 ms; order is by number"]);
}

#[test]
fn a_newer_book_is_refused_by_name_and_an_older_one_is_brought_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = book_of(folder.path(), 3);
    Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 9").unwrap();
    for refused in [Book::open(&path, &quiet()).err(), Book::look(&path).err()] {
        let said = refused.unwrap().to_string();
        assert!(
            said.ends_with("book.db has version 9 and this program knows version 2; use a newer recount"),
            "{said}"
        );
    }
    // The mechanism with a second step: what the first one made stays.
    let db = Connection::open_in_memory().unwrap();
    super::super::schema::migrate(&db, &STEPS).unwrap();
    db.execute("INSERT INTO cases (case_id) VALUES ('night')", []).unwrap();
    let steps = [STEPS[0], STEPS[1], "ALTER TABLE cases ADD COLUMN title TEXT"];
    super::super::schema::migrate(&db, &steps).unwrap();
    assert_eq!(super::super::schema::version(&db).unwrap(), 3);
    super::super::schema::migrate(&db, &steps).unwrap();
    let row: (String, Option<String>) =
        db.query_row("SELECT case_id, title FROM cases", [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    assert_eq!(row, ("night".to_owned(), None));
}
