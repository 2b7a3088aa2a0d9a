//! Writes the files that `benches/rival` measures: `cargo run --release --example made -- FOLDER INTENTS`.

#[path = "../benches/engine/made.rs"]
#[allow(missing_docs)]
mod made;

use std::io::{Error, Result};
use std::path::PathBuf;

fn main() -> Result<()> {
    let usage = || Error::other("made FOLDER INTENTS");
    let mut words = std::env::args_os().skip(1);
    let folder = PathBuf::from(words.next().ok_or_else(usage)?);
    let intents = words.next().and_then(|word| word.to_str()?.parse().ok()).ok_or_else(usage)?;
    let made = made::Made::new(intents);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("attempts.jsonl"), made.trace)?;
    std::fs::write(folder.join("effects.jsonl"), made.ledger)
}
