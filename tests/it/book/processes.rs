//! Two processes that settle the same intents at the same time (`reliability.md` G5).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use recount::book::verify::{Known, of_book};
use recount::book::{Book, BookError, Options};
use recount::model::row::State;

use super::{at, entries, moved, opened_case, put, quiet, recorded, said, worker};

const INTENTS: usize = 100;

/// How many decisions each process makes.
fn times() -> usize {
    std::env::var("RECOUNT_TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1000)
}

/// Settles or reopens intents until so many of its decisions are in the book. Each decision is made on what it read
/// before, outside of the write, as a person does.
#[test]
fn settler() {
    let Some(path) = std::env::var_os("RECOUNT_SETTLE").map(PathBuf::from) else { return };
    let seed: usize = std::env::var("RECOUNT_SEED").unwrap().parse().unwrap();
    // On a machine that is busy with other things the other one may hold the book for long.
    let patient = Options { busy: Duration::from_secs(120), ..quiet() };
    let mut book = Book::open(&path, &patient).unwrap();
    let (mut done, mut lost) = (0, 0);
    let mut step = seed;
    while done < times() {
        step += 1;
        let id = format!("int_{}", step * 37 % INTENTS);
        let seen = book.view().unwrap().intent(&id).unwrap().unwrap();
        let to = if seen.state == State::Unknown { ["confirmed", "failed"][seed % 2] } else { "unknown" };
        let written = book.write(&at("2026-10-05T11:00:00Z"), |writer| {
            writer.expect(&id, seen.version)?;
            writer.append(&moved(&id, seen.state.word(), to))
        });
        match written {
            Ok(_) => done += 1,
            Err(BookError::Changed { .. }) => lost += 1,
            Err(other) => panic!("{other}"),
        }
    }
    println!("RESULT done {done} lost {lost}");
}

fn states(path: &Path) -> BTreeMap<String, (i64, usize)> {
    let mut versions: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for entry in entries(path) {
        if let Some(version) = entry.at("after.version").and_then(serde_json::Value::as_i64) {
            let id = entry.text_at("subject.id").to_owned();
            versions.entry(id.clone()).or_default().insert(version);
            *counts.entry(id).or_default() += 1;
        }
    }
    versions
        .into_iter()
        .map(|(id, seen)| {
            let (last, count) = (*seen.last().unwrap(), counts[&id]);
            // One entry for each version: nobody else's decision stands on the same state.
            assert_eq!(seen.len(), count, "{id}");
            (id, (last, count))
        })
        .collect()
}

#[test]
fn two_processes_settle_the_same_intents_and_each_state_has_one_winner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.db");
    let mut book = Book::open(&path, &quiet()).unwrap();
    put(&mut book, "2026-10-05T10:00:00Z", &opened_case("two-desks")).unwrap();
    for no in 0..INTENTS {
        put(&mut book, "2026-10-05T10:00:00Z", &recorded(&format!("int_{no}"))).unwrap();
    }
    drop(book);
    let start = |seed: &str| {
        worker("book::processes::settler")
            .env("RECOUNT_SETTLE", &path)
            .env("RECOUNT_SEED", seed)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    };
    let (one, two) = (start("1"), start("2"));
    for worker in [one, two] {
        let output = worker.wait_with_output().unwrap();
        let result = said(&output, "RESULT");
        assert!(result.is_some_and(|said| said.starts_with(&format!("done {}", times()))), "{output:?}");
    }
    let verdict = of_book(&path, Known::default()).unwrap();
    assert!(verdict.holds(), "{verdict:?}");
    let all = i64::try_from(1 + INTENTS + 2 * times()).unwrap();
    assert_eq!(
        verdict.entries, all,
        "every decision that was said to be saved is in the chain, and no other"
    );
    let book = Book::look(&path).unwrap();
    let mut changes = 0;
    for (id, (last, count)) in states(&path) {
        let intent = book.view().unwrap().intent(&id).unwrap().unwrap();
        assert_eq!((intent.version, usize::try_from(last).unwrap()), (last, count), "{id}");
        changes += count;
    }
    assert_eq!(changes, INTENTS + 2 * times());
}
