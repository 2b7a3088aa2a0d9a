//! Decisions at their edges: the clock, a book that was changed or is not this case's, many at once, signatures, policy,
//! read positions, what is closed, and places that cannot be written.

mod bulk;
mod chain;
mod people;
mod places;
mod policy;
mod properties;

use std::path::Path;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::settle::Place;

/// A note that passes.
const NOTE: &str = "the row stands in the list of the provider";

/// The row that a lost call of the small case left.
const ROW: &str = "rf_1,op_1,1,20.00,USD,2026-11-30T09:00:05Z";

/// Whether the tests run as root.
fn root() -> bool {
    std::fs::metadata("/proc/self").map(|own| std::os::unix::fs::MetadataExt::uid(&own)).unwrap() == 0
}

/// The entries of the book of a place.
fn entries(place: &Place) -> Vec<Value> {
    let all = place.json(&["audit", "list", "case"]).1;
    all["entries"].as_array().unwrap().iter().map(|e| e["entry"].clone()).collect()
}

/// Words of the actions of the book, in order.
fn actions(place: &Place) -> Vec<String> {
    entries(place).iter().map(|e| e["action"].as_str().unwrap().to_owned()).collect()
}

/// Changes a book behind its program.
fn tamper(book: &Path, sql: &str) {
    Connection::open(book).unwrap().execute_batch(sql).unwrap();
}

/// Confirms the first intent of the small case.
pub fn confirm(place: &Place) {
    let done = place.json(&["resolve", "int_1", "case", "--to", "confirmed", "--note", NOTE]);
    assert_eq!(done.0, 0, "{done:?}");
    assert_eq!(done.1["to"], json!("confirmed"));
}

/// Two keys of ssh-keygen, and a file that allows them; none without the program.
fn keys(place: &Place, names: &[&str]) -> bool {
    let mut signers = String::new();
    for name in names {
        let made = std::process::Command::new("ssh-keygen")
            .args(["-q", "-t", "ed25519", "-N", "", "-f"])
            .arg(place.path(name))
            .status();
        if !made.is_ok_and(|status| status.success()) {
            eprintln!("skipped: there is no ssh-keygen");
            return false;
        }
        let key = std::fs::read_to_string(place.path(&format!("{name}.pub"))).unwrap();
        signers += &format!("{name}@desk {key}");
    }
    std::fs::write(place.path("signers"), signers).unwrap();
    true
}
