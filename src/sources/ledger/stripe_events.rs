//! Stripe events, as webhooks and the events list give them: one object has several, and each may come several times.

use super::rows::{LedgerReader, LedgerRow, Rows, Setup};
use super::stripe;
use crate::sources::json::Node;

/// A reader.
pub fn reader(setup: &Setup) -> Box<dyn LedgerReader> {
    Box::new(Events { setup: setup.clone() })
}

#[derive(Debug)]
struct Events {
    setup: Setup,
}

/// A charge with what was refunded of it in all: the refunds have events of their own.
const OF_THE_CHARGE: &str = "event of the charge, not of a refund";
/// A payment intent: its charge has events of its own.
const OF_THE_INTENT: &str = "event of the payment intent, not of its charge";

/// Ends of event types whose request did something to the object that it had made before.
const LATER: [&str; 5] = [".updated", ".failed", ".canceled", ".captured", ".expired"];

impl LedgerReader for Events {
    fn record(&mut self, node: Node<'_>, rows: &mut Rows<'_>) {
        let kind = node.text_of("type").unwrap_or_default();
        let again = node.text_of("id").is_some_and(|id| !rows.first(&id));
        let mut row = rows.row(node);
        let aside = match node.path(&["data", "object"]).filter(|object| object.is_object()) {
            Some(object) => self.of_object(node, object, &kind, &mut row),
            None => Self::thin(node, &kind, &mut row),
        };
        match aside {
            Err(NotOne) => rows.other(),
            Ok(_) if again => rows.again(&row),
            Ok(Some(rule)) => rows.aside(rule, &row),
            Ok(None) => rows.effect(&row),
        }
    }
}

/// The event is of no object that moves money.
struct NotOne;

impl Events {
    fn of_object(
        &self,
        node: Node<'_>,
        object: Node<'_>,
        kind: &str,
        row: &mut LedgerRow,
    ) -> Result<Option<&'static str>, NotOne> {
        let name = object.text_of("object").unwrap_or_default();
        let aside = match &*name {
            "charge" if kind == "charge.refunded" => Some(OF_THE_CHARGE),
            "payment_intent" => Some(OF_THE_INTENT),
            _ => None,
        };
        if aside.is_some() {
            row.text("effect_id", object.text_of("id")).text("committed_at", node.text_of("created"));
            return Ok(aside);
        }
        let of_kind = stripe::kind_of(&name).ok_or(NotOne)?;
        stripe::object(row, object, of_kind, &self.setup);
        if !LATER.iter().any(|end| kind.ends_with(end)) {
            row.key(node.path(&["request", "idempotency_key"]).and_then(Node::text));
        }
        let stage = stripe::stage(&object.text_of("status").unwrap_or_default());
        row.state(node.text_of("created").as_deref(), stage);
        Ok(None)
    }

    /// A thin event names its object and says nothing of it.
    fn thin(node: Node<'_>, kind: &str, row: &mut LedgerRow) -> Result<Option<&'static str>, NotOne> {
        let object = node.get("related_object").ok_or(NotOne)?;
        let name = object.text_of("type").unwrap_or_default();
        let of_kind = stripe::kind_of(name.rsplit('.').next().unwrap_or(&name)).ok_or(NotOne)?;
        row.text("effect_id", object.text_of("id")).text("kind", Some(of_kind));
        row.text("committed_at", node.text_of("created"));
        let word = kind.rsplit('.').next().unwrap_or_default();
        let status = ["failed", "canceled", "pending"].into_iter().find(|known| *known == word);
        row.text("status", status).state(node.text_of("created").as_deref(), stripe::stage(word));
        if !LATER.iter().any(|end| kind.ends_with(end)) {
            row.key(node.path(&["reason", "request", "idempotency_key"]).and_then(Node::text));
        }
        Ok(None)
    }
}
