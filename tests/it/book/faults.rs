//! The two-state oracle (`reliability.md` G1): one fault at one call on the book's own files during one resolution.
//! Afterwards it is fully there or fully absent, the log verifies, and what the program said was so.
//!
//! A normal run takes a part of the points; `RECOUNT_ALL_FAULTS=1 cargo test --test it book::faults` takes all.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use recount::book::verify::{Known, of_book};
use recount::book::{Book, BookError};
use recount::model::row::State;

use super::{at, moved, opened_case, put, quiet, recorded, said, worker};

/// The kinds of calls, as the shim names them.
const OPS: [&str; 7] = ["open", "write", "pwrite", "fsync", "ftruncate", "rename", "unlink"];
const KINDS: [&str; 5] = ["KILL", "TORN", "EIO", "ENOSPC", "EINTR"];
/// A normal run takes every so-manieth point.
const STEP: usize = 9;

/// One resolution, by itself: open, write, close.
#[test]
fn resolver() {
    let Some(path) = std::env::var_os("RECOUNT_RESOLVE").map(PathBuf::from) else { return };
    let opened = Book::open(&path, &quiet()).map(|mut book| {
        let done = book.write(&at("2026-10-05T11:00:00Z"), |writer| {
            writer.expect("int_1", 1)?;
            writer.append(&moved("int_1", "unknown", "confirmed"))
        });
        // Said before the book is closed, as the screen does.
        match &done {
            Ok(_) => println!("RESULT saved"),
            Err(BookError::NotKnown { .. }) => println!("RESULT not known"),
            Err(why) => println!("RESULT not saved: {why}"),
        }
    });
    if let Err(why) = opened {
        println!("RESULT not saved: {why}");
    }
}

/// The shim, built by the system's C compiler; none where there is no compiler or no Linux.
fn shim(folder: &Path) -> Option<PathBuf> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let to = folder.join("shim.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fault_shim.c");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&to)
        .arg(source)
        .arg("-ldl")
        .output()
        .ok()?;
    assert!(built.status.success(), "{built:?}");
    Some(to)
}

struct Place {
    case: PathBuf,
    book: PathBuf,
}

/// A copy of the prepared book in a folder of its own.
fn place(folder: &Path, prepared: &Path) -> Place {
    let case = folder.join("case-of-faults");
    if case.exists() {
        std::fs::remove_dir_all(&case).unwrap();
    }
    std::fs::create_dir(&case).unwrap();
    let book = case.join("book.db");
    std::fs::copy(prepared, &book).unwrap();
    Place { case, book }
}

fn resolve(shim: &Path, place: &Place, more: &[(&str, &str)]) -> Output {
    worker("book::faults::resolver")
        .env("RECOUNT_RESOLVE", &place.book)
        .env("LD_PRELOAD", shim)
        .env("FAULT_DIR", &place.case)
        .envs(more.iter().copied())
        .output()
        .unwrap()
}

#[test]
fn a_fault_at_any_call_leaves_a_resolution_fully_there_or_fully_absent() {
    let folder = tempfile::tempdir().unwrap();
    let Some(shim) = shim(folder.path()) else { return };
    let prepared = folder.path().join("prepared.db");
    let mut book = Book::open(&prepared, &quiet()).unwrap();
    put(&mut book, "2026-10-05T10:00:00Z", &opened_case("faults")).unwrap();
    put(&mut book, "2026-10-05T10:01:00Z", &recorded("int_1")).unwrap();
    drop(book);

    // Without a fault: how often each call happens.
    let log = folder.path().join("calls.txt");
    let clean = place(folder.path(), &prepared);
    let output = resolve(&shim, &clean, &[("FAULT_LOG", log.to_str().unwrap())]);
    assert_eq!(said(&output, "RESULT").as_deref(), Some("saved"), "{output:?}");
    let calls = std::fs::read_to_string(&log).unwrap();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for call in calls.lines() {
        *counts.entry(OPS.into_iter().find(|op| *op == call).unwrap()).or_default() += 1;
    }
    let points: Vec<(&str, usize, &str)> = KINDS
        .iter()
        .flat_map(|kind| {
            counts.iter().flat_map(move |(op, count)| (1..=*count).map(move |at| (*op, at, *kind)))
        })
        // A call without bytes cannot be torn.
        .filter(|(op, _, kind)| *kind != "TORN" || op.ends_with("write"))
        .collect();
    assert!(points.len() >= 150, "{} points, {counts:?}", points.len());

    let step = if std::env::var_os("RECOUNT_ALL_FAULTS").is_some() { 1 } else { STEP };
    let mut outcomes: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for (op, nth, kind) in points.iter().step_by(step) {
        let place = place(folder.path(), &prepared);
        let nth = nth.to_string();
        let output = resolve(&shim, &place, &[("FAULT_OP", op), ("FAULT_AT", &nth), ("FAULT_KIND", kind)]);
        let point = format!("{kind} at {op} {nth}");
        let result = said(&output, "RESULT");
        let killed = output.status.signal() == Some(9);
        assert_eq!(killed, matches!(*kind, "KILL" | "TORN"), "{point}: {output:?}");

        let verdict = of_book(&place.book, Known::default()).unwrap();
        assert!(verdict.holds(), "{point}: {verdict:?}");
        let there = match verdict.entries {
            2 => false,
            3 => true,
            other => panic!("{point}: {other} entries"),
        };
        let mut book = Book::open(&place.book, &quiet()).unwrap();
        let view = book.view().unwrap();
        let intent = view.intent("int_1").unwrap().unwrap();
        let expected = if there { (State::Confirmed, 2) } else { (State::Unknown, 1) };
        assert_eq!((intent.state, intent.version), expected, "{point}");
        assert_eq!(view.resolutions("int_1").unwrap().len(), usize::from(there), "{point}");
        match result.as_deref() {
            Some("saved") => assert!(there, "{point}: said saved"),
            Some(said) if said.starts_with("not saved") => assert!(!there, "{point}: said {said}"),
            Some("not known") => {}
            other => assert!(killed && other.is_none(), "{point}: {other:?} {output:?}"),
        }
        // Work goes on: the same decision again, where it is not there yet.
        if !there {
            put(&mut book, "2026-10-05T12:00:00Z", &moved("int_1", "unknown", "failed")).unwrap();
        }
        let outcome = outcomes.entry((kind, op)).or_default();
        outcome.0 += usize::from(there);
        outcome.1 += usize::from(!there);
    }
    for ((kind, op), (there, absent)) in &outcomes {
        println!("{kind:<7} {op:<10} there {there:>3}  absent {absent:>3}");
    }
    println!("{} points of {}", outcomes.values().map(|(a, b)| a + b).sum::<usize>(), points.len());
}
