//! `TigerBeetle`: change events of transfers, delivered at least once. A transfer in two phases is on its way until it is
//! posted; the id of a transfer is minted by the client and is its key.

use super::rows::{LedgerReader, Rows, Setup};
use super::words::numbered;
use crate::sources::json::Node;

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn LedgerReader> {
    Box::new(Transfers)
}

#[derive(Debug)]
struct Transfers;

/// Types of events, the status of the transfer, and its order at one moment.
const TYPES: [(&str, &str, u8); 5] = [
    ("single_phase", "posted", 1),
    ("two_phase_pending", "pending", 0),
    ("two_phase_posted", "posted", 1),
    ("two_phase_voided", "voided", 2),
    ("two_phase_expired", "expired", 2),
];

/// A number beyond this in a field of the user is a time.
const LONGEST: usize = 15;

impl LedgerReader for Transfers {
    fn record(&mut self, node: Node<'_>, rows: &mut Rows<'_>) {
        let Some(transfer) = node.get("transfer") else { return rows.other() };
        let word = node.text_of("type").unwrap_or_default();
        let known = TYPES.iter().find(|(name, _, _)| *name == word);
        let (status, stage) = known.map_or((&*word, 0), |(_, status, stage)| (*status, *stage));
        let some = |name: &str| transfer.text_of(name).filter(|number| &**number != "0");
        let id = some("id").unwrap_or_default();
        let at = node.text_of("timestamp").or_else(|| transfer.text_of("timestamp")).unwrap_or_default();
        let mut row = rows.row(node);
        // What ends a pending transfer is a state of that one.
        row.text("effect_id", Some(some("pending_id").unwrap_or_else(|| id.clone())));
        row.key(Some(&id)).text("external_ref", Some(&id));
        row.minor(transfer.text_of("amount"));
        let ledger = node.text_of("ledger").or_else(|| transfer.text_of("ledger")).unwrap_or_default();
        row.text("currency", numbered(&ledger)).text("committed_at", Some(&at)).text("status", Some(status));
        row.state(Some(&at), stage);
        let order = some("user_data_64").filter(|number| number.len() < LONGEST);
        row.link("order_id", &order.or_else(|| some("user_data_128")).unwrap_or_default());
        row.link("account", &node.path(&["credit_account", "id"]).and_then(Node::text).unwrap_or_default());
        let again = !rows.first(&format!("{at}/{word}/{id}"));
        if again { rows.again(&row) } else { rows.effect(&row) }
    }
}
