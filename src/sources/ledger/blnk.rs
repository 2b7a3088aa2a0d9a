//! Blnk: exported transactions. A queued transaction has two rows, and what is applied is a later state of what was
//! queued; a refund swaps the sides of the transaction that it takes back.

use std::collections::HashMap;

use super::rows::{LedgerReader, Rows, Setup};
use super::words::scaled;
use crate::sources::json::Node;

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn LedgerReader> {
    Box::new(Transactions { known: HashMap::new() })
}

#[derive(Debug)]
struct Transactions {
    /// Transactions by id: the effect that each is a state of, and its sides.
    known: HashMap<String, (String, [String; 2])>,
}

/// Status words, what each says, and its order at one moment.
const STATUSES: [(&str, &str, u8); 7] = [
    ("QUEUED", "queued", 0),
    ("SCHEDULED", "scheduled", 0),
    ("INFLIGHT", "pending", 1),
    ("APPLIED", "applied", 2),
    ("COMMIT", "applied", 2),
    ("VOID", "voided", 3),
    ("REJECTED", "rejected", 3),
];

/// What is applied of a queued transaction has its reference with this behind it.
const QUEUED: &str = "_q";

impl LedgerReader for Transactions {
    fn record(&mut self, node: Node<'_>, rows: &mut Rows<'_>) {
        let Some(id) = node.text_of("transaction_id") else { return rows.other() };
        let text = |name: &str| node.text_of(name).map(String::from).unwrap_or_default();
        let (parent, reference) = (text("parent_transaction"), text("reference"));
        let sides = [text("source"), text("destination")];
        let before = self.known.get(&parent).cloned();
        let swapped = before.as_ref().is_some_and(|(_, known)| {
            known.iter().rev().eq(sides.iter()) && known != &sides && !reference.ends_with(QUEUED)
        });
        let effect = match &before {
            Some((effect, _)) if !swapped => effect.clone(),
            None if !parent.is_empty() => parent.clone(),
            _ => id.clone().into_owned(),
        };
        let mut row = rows.row(node);
        row.text("effect_id", Some(&effect));
        row.key(Some(reference.strip_suffix(QUEUED).unwrap_or(&reference)));
        row.text("currency", node.text_of("currency")).text("committed_at", node.text_of("created_at"));
        let precision = node.text_of("precision").unwrap_or_else(|| "1".into());
        let zeros = precision.strip_prefix('1').filter(|zeros| zeros.bytes().all(|byte| byte == b'0'));
        match (node.text_of("precise_amount"), zeros.and_then(|zeros| u32::try_from(zeros.len()).ok())) {
            (Some(amount), Some(scale)) => row.major(Some(scaled(&amount, scale))),
            _ => row.major(node.text_of("amount_string").or_else(|| node.text_of("amount"))),
        };
        let word = text("status");
        let known = STATUSES.iter().find(|(name, _, _)| name.eq_ignore_ascii_case(&word));
        let (status, stage) = known.map_or((word.as_str(), 0), |(_, status, stage)| (*status, *stage));
        row.text("status", Some(status)).state(node.text_of("created_at").as_deref(), stage);
        if swapped {
            row.text("reverses", before.map(|(effect, _)| effect));
        }
        row.meta(node.get("meta_data")).described(node.text_of("description").as_deref());
        let again = !rows.first(&id);
        self.known.insert(id.into_owned(), (effect, sides));
        if again { rows.again(&row) } else { rows.effect(&row) }
    }
}
