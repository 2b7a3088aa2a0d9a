//! Lists of Stripe objects, newest first: refunds, charges, payouts, transfers, and movements of the balance.
//! `has_more: true` says that there are pages that are not here.

use super::rows::{LedgerReader, Rows, Setup};
use super::stripe;
use crate::sources::json::Node;
use crate::sources::spec::Negative;

/// A reader.
pub fn reader(setup: &Setup) -> Box<dyn LedgerReader> {
    Box::new(List { setup: setup.clone() })
}

#[derive(Debug)]
struct List {
    setup: Setup,
}

impl LedgerReader for List {
    fn record(&mut self, node: Node<'_>, rows: &mut Rows<'_>) {
        let object = node.text_of("object").unwrap_or_default();
        let again = node.text_of("id").is_some_and(|id| !rows.first(&id));
        let mut row = rows.row(node);
        let mut aside = None;
        if &*object == "balance_transaction" {
            aside = self.movement(node, &mut row);
        } else if let Some(kind) = stripe::kind_of(&object) {
            stripe::object(&mut row, node, kind, &self.setup);
        } else {
            return rows.other();
        }
        match aside {
            _ if again => rows.again(&row),
            Some(rule) => rows.aside(rule, &row),
            None => rows.effect(&row),
        }
    }
}

impl List {
    /// A movement of the balance, under the id of what was moved: money that goes out stands below zero.
    fn movement(&self, node: Node<'_>, row: &mut super::rows::LedgerRow) -> Option<&'static str> {
        stripe::amount(row, node, &self.setup);
        row.negative_is(Negative::Effect).text("committed_at", node.text_of("created"));
        let own = node.text_of("id").unwrap_or_default();
        let source = stripe::id_of(node.get("source")).unwrap_or_else(|| own.clone());
        let category = node.text_of("reporting_category").or_else(|| node.text_of("type"));
        let category = category.unwrap_or_default();
        let aside = stripe::moved(row, &category, &source);
        let reversal = stripe::movement(&category) == stripe::Movement::Reversal;
        row.text("effect_id", Some(if reversal { &own } else { &source }));
        row.text("external_ref", Some(&own));
        row.meta(node.path(&["source", "metadata"]));
        row.described(node.text_of("description").as_deref());
        let payment = node.get("source").filter(|source| source.is_object());
        let payment =
            payment.and_then(|source| stripe::id_of(source.get("payment_intent").or(source.get("charge"))));
        row.link("payment_id", &payment.unwrap_or_default());
        aside
    }
}
