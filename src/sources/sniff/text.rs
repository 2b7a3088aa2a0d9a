//! Text that is no JSON: tables by their header, log lines, EDN.

use super::{Framing, Names, Sniff};
use crate::sources::csv::Dialect;
use crate::sources::envelope;
use crate::sources::formats::named;
use crate::sources::names::alike;
use crate::sources::spec::What;
use crate::sources::trace::table::TRACES;

/// Lines that are looked at.
const LINES: usize = 20;

/// Tables of other systems by columns of their header, all of which must be there.
const HEADERS: [(&str, &[&str]); 10] = [
    ("stripe-csv", &["balance_transaction_id", "reporting_category"]),
    ("stripe-csv", &["Created date (UTC)", "Amount Refunded"]),
    ("adyen", &["Psp Reference", "Merchant Reference"]),
    ("cur", &["lineItem/ResourceId", "lineItem/LineItemType"]),
    ("cur", &["lineItem/UsageStartDate", "identity/LineItemId"]),
    ("cur", &["line_item_usage_start_date", "identity_line_item_id"]),
    ("hledger", &["txnidx", "posting-status"]),
    ("beancount", &["narration", "position"]),
    ("beancount", &["narration", "account"]),
    ("paypal", &["RH"]),
];

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

fn foreign(format: &str, why: &str) -> Sniff {
    named(format).map_or_else(
        || Sniff::Nothing { seen: why.to_owned() },
        |format| Sniff::Foreign { format, why: why.to_owned() },
    )
}

/// Tables and log lines.
pub(super) fn sniff(begins: &[u8], role: Option<What>) -> Sniff {
    let text = String::from_utf8_lossy(begins);
    let lines: Vec<&str> = text.lines().take(LINES).collect();
    let first = lines.first().copied().unwrap_or_default();
    let dialect = Dialect::of(first);
    let header = &dialect.header;
    for (format, columns) in HEADERS {
        if columns.iter().all(|column| header.iter().any(|name| name == column)) {
            return foreign(format, &format!("its header has {}", columns.join(" and ")));
        }
    }
    if ruled(&lines) {
        return foreign("psql", "a line of dashes stands below its header, as psql prints tables");
    }
    if header.len() > 4 && begins_with_date(header.first().map_or("", String::as_str)) {
        return foreign("ledger-cli", "its first line is a posting and no header");
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
    if lines.iter().any(|line| line.contains("\t\\N") || line.contains("\\N\t")) {
        return foreign("pg-copy", "its rows have tabs and \\N, as COPY writes them");
    }
    let shown: String = first.chars().take(60).collect();
    Sniff::Nothing { seen: format!("plain text, beginning {shown:?}") }
}

/// A line of dashes below the first one.
fn ruled(lines: &[&str]) -> bool {
    lines.get(1).is_some_and(|line| {
        line.len() > 2 && line.contains("--") && line.chars().all(|letter| matches!(letter, '-' | '+' | ' '))
    })
}

fn begins_with_date(cell: &str) -> bool {
    let digits = cell.chars().filter(char::is_ascii_digit).count();
    digits == 8 && cell.len() == 10
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
