//! Formance: the exported log, and pages of transactions. The scale of an amount is in its asset (`USD/2`).

use std::collections::HashMap;

use super::rows::{LedgerReader, LedgerRow, Rows, Setup};
use super::words::scaled;
use crate::sources::json::Node;

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn LedgerReader> {
    Box::new(Log)
}

/// Digits behind the point that an asset may have here; an amount with more digits than are kept says so.
const MOST_SCALE: u32 = 64;

#[derive(Debug)]
struct Log;

/// The rule of entries that move nothing.
const METADATA: &str = "metadata, no movement";

/// Where a page of transactions says what a transaction takes back.
const REVERTS: &str = "com.formance.spec/state/reverts";

impl LedgerReader for Log {
    fn record(&mut self, node: Node<'_>, rows: &mut Rows<'_>) {
        let kind = node.text_of("type").unwrap_or_default();
        let mut row = rows.row(node);
        let data = node.get("data");
        let transaction = data.and_then(|data| data.get("transaction"));
        let Some(transaction) = transaction.or(Some(node).filter(|node| node.get("postings").is_some()))
        else {
            row.text("effect_id", node.text_of("id")).text("committed_at", node.text_of("date"));
            let known = data.is_some() && !kind.is_empty();
            return if known { rows.aside(METADATA, &row) } else { rows.other() };
        };
        let written = node.text_of("date").or_else(|| transaction.text_of("timestamp"));
        row.text("effect_id", transaction.text_of("id").or_else(|| transaction.text_of("txid")));
        row.text("external_ref", transaction.text_of("reference")).text("committed_at", written);
        row.key(node.text_of("idempotencyKey")).meta(transaction.get("metadata"));
        amount(&mut row, transaction);
        let reverted = data.and_then(|data| {
            let whole = data.get("revertedTransaction").and_then(|reverted| reverted.text_of("id"));
            data.text_of("revertedTransactionID").or(whole)
        });
        let reverts = transaction.get("metadata").and_then(|meta| meta.text_of(REVERTS));
        row.text("reverses", reverted.or(reverts));
        if &*kind == "REVERTED_TRANSACTION" {
            row.text("kind", Some("reversal"));
        }
        let again = data.is_some() && node.text_of("id").is_some_and(|id| !rows.first(&id));
        if again { rows.again(&row) } else { rows.effect(&row) }
    }
}

/// What leaves the accounts of a transaction: of one posting its amount, of a chain what went in at its begin. Several
/// assets are no one amount.
fn amount(row: &mut LedgerRow, transaction: Node<'_>) {
    let postings: Vec<Node<'_>> = transaction.get("postings").into_iter().flat_map(Node::items).collect();
    let asset = |posting: &Node<'_>| posting.text_of("asset").unwrap_or_default().into_owned();
    let Some(first) = postings.first().map(asset) else { return };
    let (unit, scale) = first.split_once('/').unwrap_or((&first, "0"));
    row.text("currency", Some(unit));
    let mut left: HashMap<String, i128> = HashMap::new();
    for posting in &postings {
        let amount = posting.text_of("amount").unwrap_or_default();
        let Some(number) = amount.parse::<i128>().ok().filter(|_| asset(posting) == first) else {
            // Who reads amounts says what is wrong: more digits than are kept, or no decimal at all.
            let mixed = asset(posting) != first;
            row.major(Some(if mixed { format!("{amount}{}", asset(posting)) } else { amount.into_owned() }));
            return;
        };
        let mut add = |name: &str, sign: i128| {
            let account = left.entry(posting.text_of(name).unwrap_or_default().into_owned()).or_default();
            *account = account.saturating_add(number.saturating_mul(sign));
        };
        add("source", 1);
        add("destination", -1);
    }
    let out = left.values().filter(|sum| **sum > 0).fold(0_i128, |all, sum| all.saturating_add(*sum));
    match scale.parse() {
        Ok(scale) if scale <= MOST_SCALE => row.major(Some(scaled(&out.to_string(), scale))),
        _ => row.major(Some(format!("{out}{first}"))),
    };
}
