//! Places that cannot be written: a disk that is full, a folder that is read-only, a book that is locked, damaged or newer.
//! Reading goes on, one sentence says why, nothing is lost, and ledger and traces stay byte for byte the same.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::{NOTE, ROW, confirm, root};
use crate::settle::Place;

const NEXT: [&str; 5] = ["note", "int_2", "case", "--note", "one more note than there is room for"];

/// What a refusal of a write says, with reading and the facts around it.
fn refused(place: &Place, because: &str) {
    let before = place.files();
    let (exit, refusal) = place.json(&NEXT);
    assert_eq!(
        (exit, &refusal["code"], &refusal["logged"]),
        (5, &json!("R-READONLY"), &json!(false)),
        "{refusal}"
    );
    assert_eq!(refusal["because"], json!(because));
    let text = place.run(&NEXT);
    assert_eq!(text.out, "");
    assert!(text.err.contains(because) && text.err.contains("not logged"), "{}", text.err);
    reads_on(place);
    assert_eq!(place.files(), before);
}

/// Reading and judging go on.
fn reads_on(place: &Place) {
    assert_eq!(place.run(&["verify", "case"]).exit, 0, "{:?}", place.run(&["verify", "case"]));
    let shown = place.show("int_1");
    assert_eq!((&shown["state"], &shown["state_source"]), (&json!("confirmed"), &json!("recorded")));
    assert_eq!(place.json(&["check", "case"]).1["summary"]["intents"], json!(2));
}

/// A small file system in memory that is taken away at the end.
struct Small(PathBuf);

impl Small {
    fn on(path: &Path, size: &str) -> Option<Self> {
        let options = format!("size={size},mode=0700");
        let made = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(path).output();
        made.is_ok_and(|made| made.status.success()).then(|| Self(path.to_owned()))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_refuses_the_write_and_loses_nothing() {
    let place = Place::small("", &[ROW]);
    let away = place.path("away");
    std::fs::rename(place.path("case"), &away).unwrap();
    std::fs::create_dir(place.path("case")).unwrap();
    let Some(_small) = root().then(|| Small::on(&place.path("case"), "1m")).flatten() else {
        eprintln!("skipped: no small file system can be mounted here");
        return;
    };
    for entry in std::fs::read_dir(&away).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, place.path("case").join(path.file_name().unwrap())).unwrap();
    }
    confirm(&place);
    let entries = super::entries(&place);
    // The rest of the disk is filled by somebody else.
    let fill = || {
        use std::io::Write as _;
        let mut file =
            std::fs::File::options().append(true).create(true).open(place.path("case/filler")).unwrap();
        while file.write_all(&[0; 512]).is_ok() {}
    };
    fill();
    refused_full(&place);
    assert_eq!(super::entries(&place), entries, "nothing was lost, nothing is half there");
    // With room again the same command succeeds.
    std::fs::remove_file(place.path("case/filler")).unwrap();
    assert_eq!(place.run(&NEXT).exit, 0);
    assert_eq!(super::entries(&place).len(), entries.len() + 1);
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
    // A book that cannot even begin.
    std::fs::remove_file(place.path("case/book.db")).unwrap();
    for ending in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(place.path(&format!("case/book.db{ending}")));
    }
    fill();
    let (exit, refusal) = place.json(&NEXT);
    assert_eq!((exit, &refusal["code"], &refusal["logged"]), (5, &json!("R-READONLY"), &json!(false)));
    assert!(refusal["because"].as_str().unwrap().contains("the disk or the quota is full"), "{refusal}");
    assert_eq!(place.show("int_1")["state"], json!("unknown"), "reading goes on without a book");
}

#[test]
fn a_disk_that_fills_up_in_a_batch_tells_what_was_done_and_that_can_be_taken_back() {
    let place = super::bulk::many();
    let away = place.path("away");
    std::fs::rename(place.path("case"), &away).unwrap();
    std::fs::create_dir(place.path("case")).unwrap();
    let Some(_small) = root().then(|| Small::on(&place.path("case"), "2m")).flatten() else {
        eprintln!("skipped: no small file system can be mounted here");
        return;
    };
    for entry in std::fs::read_dir(&away).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, place.path("case").join(path.file_name().unwrap())).unwrap();
    }
    let words = ["bulk", "assign", "case", "--ids", "ids", "--owner", "olu", "--deadline", "4h", "--apply"];
    let (exit, told) = place.json(&[&words[..], &["--count", "300"]].concat());
    let number = |value: &serde_json::Value, name: &str| value[name].as_u64().unwrap();
    let done = number(&told, "done");
    assert_eq!((exit, number(&told, "refused")), (3, 1), "{told}");
    assert!((10..290).contains(&done), "{done}");
    assert_eq!(number(&told, "not_reached"), 300 - done - 1);
    let last = &told["items"][usize::try_from(done).unwrap()];
    assert_eq!(last["code"], json!("R-READONLY"));
    assert!(last["why"].as_str().unwrap().contains("the disk or the quota is full"), "{last}");
    let assigned = super::actions(&place).iter().filter(|action| *action == "assign").count();
    assert_eq!(assigned as u64, done, "what was said is what is there");
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
    // On a larger disk the same batch is taken back.
    let _ = Command::new("mount").args(["-o", "remount,size=16m"]).arg(place.path("case")).status();
    let batch = told["batch"].as_str().unwrap();
    let (exit, undone) =
        place.json(&["bulk", "undo", batch, "case", "--note", "the disk was full, begin again tomorrow"]);
    assert_eq!((exit, number(&undone, "done")), (0, done), "{undone}");
    assert_eq!(place.run(&["verify", "case"]).exit, 0);
}

fn refused_full(place: &Place) {
    refused(
        place,
        "case/book.db cannot grow, the disk or the quota is full; reading goes on, nothing was saved",
    );
}

#[test]
fn a_read_only_file_system_is_read_whole() {
    let place = Place::small("", &[ROW]);
    confirm(&place);
    let from = place.path("away");
    std::fs::rename(place.path("case"), &from).unwrap();
    std::fs::create_dir(place.path("case")).unwrap();
    let mounted = Command::new("mount").arg("--bind").arg(&from).arg(place.path("case")).output();
    if !root() || !mounted.is_ok_and(|m| m.status.success()) {
        eprintln!("skipped: no folder can be mounted here");
        return;
    }
    let _small = Small(place.path("case"));
    let read_only = Command::new("mount").args(["-o", "remount,ro,bind"]).arg(place.path("case")).status();
    assert!(read_only.unwrap().success());
    refused(
        &place,
        "case/book.db cannot be written, it or its folder is read-only; reading goes on, nothing was saved",
    );
}

#[test]
fn a_locked_book_is_read_and_not_written() {
    let place = Place::small("", &[ROW]);
    confirm(&place);
    let other = rusqlite::Connection::open(place.path("case/book.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (exit, refusal) = place.json(&NEXT);
    assert_eq!((exit, &refusal["code"]), (5, &json!("R-READONLY")));
    assert_eq!(
        refusal["because"],
        json!("case/book.db is locked by another program; nothing was saved, try again")
    );
    reads_on(&place);
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(place.run(&NEXT).exit, 0);
}

#[test]
fn a_damaged_or_newer_book_is_said_and_the_case_is_read() {
    for (damage, exit, sentence) in [
        ("pages", 4, "case/book.db is damaged ("),
        (
            "noise",
            4,
            "case/book.db is not a book of recount (no SQLite database); name another file with --book",
        ),
        ("newer", 4, "case/book.db has version 99 and this program knows version 2; use a newer recount"),
        (
            "other",
            4,
            "case/book.db is not a book of recount (it is another SQLite database); name another file with --book",
        ),
    ] {
        let place = Place::small("", &[ROW]);
        confirm(&place);
        let book = place.path("case/book.db");
        super::tamper(&book, "PRAGMA wal_checkpoint(TRUNCATE)");
        for ending in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(place.path(&format!("case/book.db{ending}")));
        }
        match damage {
            "pages" => {
                let mut bytes = std::fs::read(&book).unwrap();
                for page in bytes.chunks_mut(4096).skip(1) {
                    page.fill(0xa5);
                }
                std::fs::write(&book, bytes).unwrap();
            }
            "noise" => std::fs::write(&book, b"this is a letter to a friend and no database at all").unwrap(),
            "newer" => super::tamper(&book, "PRAGMA user_version = 99"),
            _ => {
                std::fs::remove_file(&book).unwrap();
                super::tamper(&book, "CREATE TABLE letters (text TEXT)");
            }
        }
        let bytes = std::fs::read(&book).unwrap();
        let before = place.files();
        let written = place.run(&NEXT);
        assert_eq!(written.exit, exit, "{damage}: {written:?}");
        assert!(written.err.contains(sentence), "{damage}: {}", written.err);
        assert!(!written.err.contains("Recorded"), "{damage}: {}", written.err);
        let shown = place.run(&["show", "int_1", "case", "--format", "json"]);
        assert_eq!(shown.exit, 0, "{damage}: {shown:?}");
        assert!(shown.out.contains("\"state\":\"unknown\""), "{damage}");
        assert!(shown.err.contains("what the book holds is not shown: "), "{damage}: {}", shown.err);
        assert_ne!(place.run(&["verify", "case"]).exit, 0, "{damage}");
        assert_eq!(std::fs::read(&book).unwrap(), bytes, "{damage}: the book is kept as it is");
        assert_eq!(place.files(), before);
    }
    let _ = NOTE;
}
