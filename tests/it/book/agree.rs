//! A second verifier, in Python, agrees on good and damaged logs (`reliability.md` G14).

use std::path::{Path, PathBuf};
use std::process::Command;

use recount::book::export::line;
use recount::book::verify::{Known, of_book, of_export};
use recount::book::{Book, Head};

use super::{book_of, entries, moved, put, quiet};

fn python(files: &[PathBuf], head: Option<&Head>) -> Option<Vec<String>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify_audit.py");
    let mut command = Command::new("python3");
    command.arg(script);
    if let Some(head) = head {
        command.args(["--expect-head", &head.to_string()]);
    }
    // Without Python there is nothing to compare with.
    let output = command.args(files).output().ok()?;
    let lines: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), files.len(), "{}", String::from_utf8_lossy(&output.stderr));
    let all_good = lines.iter().all(|line| line.starts_with("OK "));
    assert_eq!(output.status.code(), Some(if all_good { 0 } else { 6 }));
    Some(lines)
}

/// What the other one must say: that it holds, with its head, or at which entry it breaks.
fn compared(file: &Path, said: &str) -> bool {
    let found = of_export(file, Known::default()).unwrap();
    let mut words = said.split(' ');
    match (&found.failure, words.next()) {
        (None, Some("OK")) => {
            assert_eq!(said, format!("OK {} {}", found.entries, found.head));
            true
        }
        (Some(failure), Some("BROKEN")) => {
            assert_eq!(words.next(), Some(failure.seq.to_string().as_str()), "{said}: {failure:?}");
            false
        }
        _ => panic!("{}: {said}, but {found:?}", file.display()),
    }
}

#[test]
fn both_verifiers_agree_on_good_and_damaged_logs() {
    let folder = tempfile::tempdir().unwrap();
    let path = book_of(folder.path());
    let mut book = Book::open(&path, &quiet()).unwrap();
    for no in 0..8 {
        let (from, to) = if no % 2 == 0 { ("unknown", "failed") } else { ("failed", "unknown") };
        let note = format!("second look {no}: \u{1f600} \u{20ac} \"quoted\" \\ and\na new line\t\u{1}");
        put(&mut book, "2026-10-06T08:00:00Z", &moved("int_1", from, to).note(&note)).unwrap();
    }
    drop(book);
    let all = entries(&path);
    let whole: Vec<String> = all.iter().map(|entry| line(entry) + "\n").collect();
    let trials: usize = if std::env::var_os("RECOUNT_ALL_LOGS").is_some() { 1000 } else { 120 };
    let mut files = Vec::new();
    let mut keep = |name: String, bytes: &[u8]| {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        files.push(file);
    };
    let mut seed = 4711_usize;
    let mut chance = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    for no in 0..trials {
        let length = 1 + chance(whole.len());
        keep(format!("good-{no}"), whole[..length].concat().as_bytes());
    }
    for no in 0..trials {
        let mut lines = whole.clone();
        let one = chance(lines.len() - 1);
        let mut bytes = match chance(5) {
            0 => {
                lines.remove(one);
                lines.concat().into_bytes()
            }
            1 => {
                lines.swap(one, one + 1);
                lines.concat().into_bytes()
            }
            2 => {
                let again = lines[one].clone();
                lines.insert(one, again);
                lines.concat().into_bytes()
            }
            3 => {
                let mut bytes = lines.concat().into_bytes();
                bytes.truncate(bytes.len() - 1 - chance(200));
                bytes
            }
            _ => lines.concat().into_bytes(),
        };
        if bytes == whole.concat().into_bytes() {
            let bit = chance(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        keep(format!("damaged-{no}"), &bytes);
    }
    let Some(lines) = python(&files, None) else { return };
    let good = files.iter().zip(&lines).filter(|(file, said)| compared(file, said)).count();
    assert_eq!(good, trials);
}

#[test]
fn both_verifiers_read_the_vectors_and_a_book_and_a_head_from_outside() {
    let folder = tempfile::tempdir().unwrap();
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/audit/vectors.jsonl");
    let found = of_export(&vectors, Known::default()).unwrap();
    assert_eq!(found.head.to_string(), "2:2c54666b54fdc5a2bf321a9c350c739d1f8491bec9839ba061d6b71416f7d8e2");
    let path = book_of(folder.path());
    let head = entries(&path).last().unwrap().head();
    let ours = of_book(&path, Known { head: Some(&head), signatures: None }).unwrap();
    assert!(ours.anchored);
    let Some(said) = python(&[vectors, path.clone()], None) else { return };
    assert_eq!(said, [format!("OK 2 {}", found.head), format!("OK 4 {head}")]);
    assert_eq!(python(std::slice::from_ref(&path), Some(&head)).unwrap(), [format!("OK 4 {head}")]);
    let later = Head { seq: 5, hash: head.hash.clone() };
    assert_eq!(
        python(std::slice::from_ref(&path), Some(&later)).unwrap(),
        ["BROKEN 5 the chain ends at entry 4"]
    );
    let other = Head { seq: 3, hash: head.hash };
    assert!(python(&[path], Some(&other)).unwrap()[0].starts_with("BROKEN 3 it is not the entry"));
}
