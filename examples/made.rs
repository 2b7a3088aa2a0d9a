//! Writes made files: `cargo run --release --example made -- FOLDER INTENTS` those that `benches/rival` measures,
//! `-- FOLDER RECORDS foreign` the same calls as native lines, OTLP spans and MCP frames.

#[path = "../benches/engine/foreign.rs"]
#[allow(missing_docs)]
mod foreign;
#[path = "../benches/engine/made.rs"]
#[allow(missing_docs)]
mod made;

use std::fs::File;
use std::io::{BufWriter, Error, Result, Write};
use std::path::PathBuf;

fn main() -> Result<()> {
    let usage = || Error::other("made FOLDER INTENTS, or made FOLDER RECORDS foreign");
    let mut words = std::env::args_os().skip(1);
    let folder = PathBuf::from(words.next().ok_or_else(usage)?);
    let count = words.next().and_then(|word| word.to_str()?.parse().ok()).ok_or_else(usage)?;
    std::fs::create_dir_all(&folder)?;
    if words.next().is_some_and(|word| word == "foreign") {
        let file = |name: &str| File::create(folder.join(name)).map(BufWriter::new);
        let (mut native, mut otlp, mut mcp) =
            (file("native.jsonl")?, file("otlp.jsonl")?, file("mcp.jsonl")?);
        foreign::native(count, &mut native)?;
        foreign::otlp(count, &mut otlp)?;
        foreign::mcp(count, &mut mcp)?;
        return native.flush().and_then(|()| otlp.flush()).and_then(|()| mcp.flush());
    }
    let made = made::Made::new(count);
    std::fs::write(folder.join("attempts.jsonl"), made.trace)?;
    std::fs::write(folder.join("effects.jsonl"), made.ledger)
}
