//! Evidence that a call names (`3-lifecycle.md` 3.3, 3.6.2): read-backs, rows, tickets, files, addresses.

use std::path::Path;

use crate::book::evidence::MOST;
use crate::book::{Writer, evidence::item};
use crate::canon::sha256_hex;
use crate::cli::failure::Failure;
use crate::lifecycle::resolve::Evidence;
use crate::text::SafeText;

use super::Stop;
use super::desk::Desk;

/// Name of the block of facts that a decision rests on.
pub const BLOCK: &str = "decision block";

/// What one `--evidence` names.
#[derive(Debug)]
pub struct Named {
    /// What it proves.
    pub evidence: Option<Evidence>,
    /// As entries write it.
    pub text: String,
    /// A file whose text is kept beside the chain.
    pub file: Option<(String, Vec<u8>)>,
}

/// Reads what was named.
///
/// # Errors
/// A reference that cannot be understood, a read-back that is not in the book, a file that cannot be read.
pub fn named(desk: &Desk<'_>, words: &[String]) -> Result<Vec<Named>, Stop> {
    words.iter().map(|word| one(desk, word)).collect()
}

fn one(desk: &Desk<'_>, word: &str) -> Result<Named, Stop> {
    let reference =
        |text: String| Named { evidence: Some(Evidence::Reference(text.clone())), text, file: None };
    if word.starts_with("rb_") {
        let read = match desk.looked()? {
            Some(book) => book.view()?.readback(word)?,
            None => None,
        };
        let Some(read) = read else {
            return Err(Failure::usage(&format!(
                "no read-back {word} in the book; recount readback ID makes one"
            ))
            .into());
        };
        return Ok(Named {
            evidence: Some(Evidence::Read(desk.read(&read))),
            text: word.to_owned(),
            file: None,
        });
    }
    if let Some(path) = word.strip_prefix("file:") {
        // A file of an earlier entry is named with its digest.
        if path.contains("#sha256=") {
            return Ok(reference(word.to_owned()));
        }
        let bytes = std::fs::read(path).map_err(|why| {
            Failure::input(&format!("evidence {path} cannot be read: {why}; check the path"))
        })?;
        let name = Path::new(path).file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let digest = sha256_hex(&bytes);
        let kept = (bytes.len() <= MOST).then_some((name.clone(), bytes));
        return Ok(Named { file: kept, ..reference(format!("file:{name}#sha256={digest}")) });
    }
    if word.starts_with("row:") {
        return Ok(Named { evidence: None, text: word.to_owned(), file: None });
    }
    if word.starts_with("ticket:") || word.starts_with("https://") || word.starts_with("http://") {
        return Ok(reference(word.to_owned()));
    }
    Err(Failure::usage(&format!(
        "--evidence {} is none of rb_15, row:SOURCE/ID, ticket:ID, file:PATH or an address",
        SafeText::new(word).shown()
    ))
    .into())
}

/// Keeps the block of facts and the texts of files, and gives the items of the entry.
///
/// # Errors
/// What the book says.
pub fn keep(w: &Writer<'_>, block: &str, all: &[Named]) -> Result<Vec<String>, Stop> {
    let mut items = vec![format!("block:sha256:{}", w.keep_evidence(Some(BLOCK), block.as_bytes())?)];
    for named in all {
        items.push(named.text.clone());
        if let Some((name, bytes)) = &named.file {
            items.push(item(&w.keep_evidence(Some(name), bytes)?));
        }
    }
    Ok(items)
}
