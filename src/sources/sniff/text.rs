//! Text that is no JSON: tables by their header, log lines, EDN.

use super::{Framing, Names, Sniff};
use crate::sources::csv::Dialect;
use crate::sources::envelope;
use crate::sources::ledger::table::{LEDGERS, LedgerFormat, Shape};
use crate::sources::names::alike;
use crate::sources::spec::What;
use crate::sources::trace::table::TRACES;

/// Lines that are looked at.
const LINES: usize = 20;

/// Lines in the text form of an envelope.
pub(super) fn wrapped(begins: &[u8], role: Option<What>, depth: usize) -> Option<Sniff> {
    let text = String::from_utf8_lossy(begins);
    let lines: Vec<&str> = text.lines().take(LINES).collect();
    if depth >= envelope::DEEPEST || !envelope::is_text(&lines) {
        return None;
    }
    let inside = envelope::beginning(&envelope::TEXT, begins, true);
    let inner = Box::new(super::inside(&inside, role, depth + 1));
    let why = "its lines have a time, stdout or stderr, and F or P".to_owned();
    Some(Sniff::Envelope { envelope: &envelope::TEXT, lines: true, why, inner })
}

/// Traces of other systems that are no JSON.
pub(super) fn traces(begins: &[u8]) -> Option<Sniff> {
    let text = String::from_utf8_lossy(begins);
    let lines: Vec<&str> = text.lines().take(LINES).collect();
    TRACES.iter().find_map(|format| {
        let why = format.text.and_then(|seen| seen(&lines))?;
        Some(super::json::recorded(format, Framing::Lines, why.to_owned()))
    })
}

/// Tables and log lines.
pub(super) fn sniff(begins: &[u8], role: Option<What>) -> Sniff {
    let text = String::from_utf8_lossy(begins);
    let lines: Vec<&str> = text.lines().take(LINES).collect();
    let first = lines.first().copied().unwrap_or_default();
    let dialect = Dialect::of(first);
    let header = &dialect.header;
    let has = |columns: &[&str]| columns.iter().all(|column| header.iter().any(|name| name == column));
    let seen = |format: &LedgerFormat| {
        let columns = format.headers.iter().find(|columns| has(columns));
        let header = columns.map(|columns| format!("its header has {}", columns.join(" and ")));
        header.or_else(|| format.text.and_then(|seen| seen(&lines)).map(str::to_owned))
    };
    if let Some((format, why)) = LEDGERS.iter().find_map(|format| Some((format, seen(format)?))) {
        let framing = match format.shape {
            Shape::Text => Framing::Lines,
            _ => Framing::Csv,
        };
        return super::json::exported(format, framing, why);
    }
    let names = Names::of(header);
    if is_header(header, names.known) && (header.len() > 1 || names.known) {
        return match names.sniff(Framing::Csv, None, role) {
            Sniff::Unclear { framing, list, why, neither } if !names.known => {
                let listed = crate::sources::near::listed(header, 12);
                Sniff::Unclear { framing, list, why: format!("{why}; its columns are {listed}"), neither }
            }
            found => found,
        };
    }
    let shown: String = first.chars().take(60).collect();
    Sniff::Nothing { seen: format!("plain text, beginning {shown:?}") }
}

/// Names and not values: none is empty, long, or begins with a digit, and no two are alike. Where one is `known`, two
/// that are alike are a header with a mistake in it, which its mapping names.
fn is_header(header: &[String], known: bool) -> bool {
    header.iter().enumerate().all(|(at, name)| {
        let text =
            !name.is_empty() && name.len() <= 80 && !name.starts_with(|first: char| first.is_ascii_digit());
        text && (known || !header.iter().take(at).any(|before| alike(before, name) && before == name))
            && !name.contains(['{', '}'])
            && name.split_whitespace().count() <= 5
    })
}
