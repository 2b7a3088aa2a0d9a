//! What was recorded of the intents of the document: entries of the book, and whether their chain holds (`3-lifecycle.md` 3.6).

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::super::Report;
use super::super::figures::{safe, safe_id};
use super::super::pen::Pen;
use super::Item;
use crate::book::export::{says, who};
use crate::book::verify::{Known, Verdict, of_book};
use crate::book::{Book, Entry};
use crate::text::{SafeText, short_hash};

/// The book as it was looked at for the document.
pub struct Looked {
    /// Whether the whole chain holds, or why it could not be read at all.
    pub verdict: Result<Verdict, String>,
    /// Entries in order, as far as they are asked for.
    pub entries: Vec<Entry>,
    /// Only what was there after this entry.
    pub as_of: Option<i64>,
}

/// Looks at a book: its entries, and whether their chain holds. What can be read of a damaged one is told; the verdict
/// says the rest.
pub fn look(path: &Path, as_of: Option<i64>) -> Looked {
    let verdict = of_book(path, Known::default()).map_err(|why| why.to_string());
    let mut entries = Vec::new();
    let book = match as_of {
        Some(seq) => Book::as_of(path, seq),
        None => Book::look(path),
    };
    let read = book.and_then(|book| book.view()?.entries(|entry| entries.push(entry)));
    let verdict = match read {
        Err(why) if verdict.as_ref().is_ok_and(Verdict::holds) => Err(why.to_string()),
        _ => verdict,
    };
    Looked { verdict, entries, as_of }
}

/// The audit part of the document.
pub struct Audit<'a> {
    looked: &'a Looked,
    /// Whether the chain holds, in sentences.
    pub chain: Vec<String>,
    /// Entries, ready to print.
    pub lines: Vec<Line>,
    kept: Vec<&'a Entry>,
}

/// One entry.
pub struct Line {
    /// Its number.
    pub seq: i64,
    /// When.
    pub when: String,
    /// Who.
    pub who: String,
    /// What was done.
    pub what: String,
    /// The note, line by line.
    pub note: Vec<String>,
    /// The begin of its hash.
    pub hash: String,
}

/// The part, of the intents of the document. `one` is the intent that was asked for alone.
pub fn audit<'a>(report: &Report<'_>, looked: &'a Looked, items: &[Item], one: Option<&str>) -> Audit<'a> {
    let shown: BTreeSet<&str> = items.iter().map(|item| item.view.intent_id.as_str()).collect();
    let kept: Vec<&Entry> = looked.entries.iter().filter(|entry| is_told(entry, &shown, one)).collect();
    let mut chain: Vec<String> = match &looked.verdict {
        Ok(verdict) => verdict.lines().iter().map(|line| sentence(&safe(line))).collect(),
        Err(why) => vec![format!("The book could not be read: {}", safe(&report.mask.text(why)))],
    };
    if let Some(seq) = looked.as_of {
        chain.push(format!("What is told here is what the book held after entry {seq}."));
    }
    let lines = kept.iter().map(|entry| line(report, entry)).collect();
    Audit { looked, chain, lines, kept }
}

/// An entry about an intent of the document, or about the case as a whole where no single one was asked for.
fn is_told(entry: &Entry, shown: &BTreeSet<&str>, one: Option<&str>) -> bool {
    let id = entry.text_at("subject.id");
    if entry.text_at("subject.type") == "intent" {
        return shown.contains(id);
    }
    let ids = entry.at("after.ids").and_then(Value::as_array);
    one.is_none_or(|one| id == one || ids.into_iter().flatten().any(|id| id.as_str() == Some(one)))
}

fn line(report: &Report<'_>, entry: &Entry) -> Line {
    let note = report.mask.text(entry.text_at("note"));
    Line {
        seq: entry.seq,
        when: safe(entry.text_at("ts")),
        who: safe(&report.mask.text(&who(entry))),
        what: safe(&report.mask.text(&says(entry))),
        note: SafeText::lines(&note)
            .iter()
            .map(|line| line.shown().into_owned())
            .filter(|l| !l.is_empty())
            .collect(),
        hash: short_hash(&entry.hash).to_string(),
    }
}

/// A sentence with a capital and its end.
fn sentence(words: &str) -> String {
    let capital = crate::judge::story::phrase::capital(words);
    if capital.ends_with('.') { capital } else { format!("{capital}.") }
}

/// Its members in `recount.report.v1`.
pub fn members(report: &Report<'_>, audit: &Audit<'_>, pen: &mut Pen) {
    if let Ok(verdict) = &audit.looked.verdict {
        pen.name("chain").text(if verdict.holds() { "verified" } else { "broken" });
        pen.name("entries").number(verdict.entries);
        pen.name("head").text(&verdict.head.to_string());
    } else {
        pen.name("chain").text("not_read");
        pen.name("entries").null();
        pen.name("head").null();
    }
    pen.name("says").texts(&audit.chain);
    pen.name("as_of_entry");
    match audit.looked.as_of {
        Some(seq) => pen.number(seq),
        None => pen.null(),
    }
    pen.name("shown").each(&audit.kept, |pen, entry| {
        let text = |place: &str| report.mask.text(entry.text_at(place));
        let evidence = entry.at("evidence").and_then(Value::as_array);
        let evidence: Vec<String> = evidence
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(|item| report.mask.text(item))
            .collect();
        pen.object(|pen| {
            pen.name("seq").number(entry.seq);
            pen.name("ts").text(entry.text_at("ts"));
            pen.name("by").text(&text("actor.name"));
            pen.name("kind").text_or_null(entry.text_at("actor.kind"));
            pen.name("second").text_or_null(&text("second.name"));
            pen.name("action").text(entry.text_at("action"));
            pen.name("subject").object(|pen| {
                pen.name("type").text(entry.text_at("subject.type"));
                pen.name("id").text(&safe_id(&report.mask.id(entry.text_at("subject.id"))));
            });
            pen.name("from").text_or_null(entry.text_at("before.state"));
            pen.name("to").text_or_null(entry.text_at("after.state"));
            pen.name("reason").text_or_null(&text("reason"));
            pen.name("note").text_or_null(&text("note"));
            pen.name("evidence").texts(&evidence);
            pen.name("hash").text(&entry.hash);
        });
    });
}
