//! What all exports of Stripe share: its objects, the categories of its balance, and its exponents.

use super::rows::{LedgerRow, Setup};
use super::words::scaled;
use crate::sources::json::Node;
use crate::sources::names::alike;

/// Objects that move money, and the kind of effect that each is.
const OBJECTS: [(&str, &str); 6] = [
    ("refund", "refund"),
    ("charge", "charge"),
    ("payout", "payout"),
    ("transfer", "transfer"),
    ("topup", "topup"),
    ("transfer_reversal", "reversal"),
];

/// Status words of Stripe that are in no common list.
const STATUSES: [(&str, &str); 1] = [("in_transit", "processing")];

/// Currencies whose amounts count hundredths here, though ISO 4217 has no decimals for them.
const HUNDREDTHS: [&str; 2] = ["ISK", "UGX"];

/// The kind of an object; `None` where it is none that moves money.
pub(super) fn kind_of(object: &str) -> Option<&'static str> {
    OBJECTS.iter().find(|(name, _)| *name == object).map(|(_, kind)| *kind)
}

/// Whether the amounts of a currency count hundredths against ISO 4217, unless the source says otherwise.
pub(super) fn counts_hundredths(currency: &str, setup: &Setup) -> bool {
    let listed = HUNDREDTHS.iter().any(|known| known.eq_ignore_ascii_case(currency));
    listed && !setup.exponents.iter().any(|own| alike(own, currency))
}

/// An amount in the smallest unit, and its currency.
pub(super) fn amount(row: &mut LedgerRow, node: Node<'_>, setup: &Setup) {
    let currency = node.text_of("currency").unwrap_or_default();
    let amount = node.text_of("amount");
    row.text("currency", Some(&currency));
    match amount {
        Some(amount) if counts_hundredths(&currency, setup) => row.major(Some(scaled(&amount, 2))),
        amount => row.minor(amount),
    };
}

/// An id, also of an object that was expanded.
pub(super) fn id_of(node: Option<Node<'_>>) -> Option<std::borrow::Cow<'_, str>> {
    let node = node?;
    if node.is_object() { node.text_of("id") } else { node.text() }
}

/// The fields of an object of this kind.
pub(super) fn object(row: &mut LedgerRow, node: Node<'_>, kind: &str, setup: &Setup) {
    amount(row, node, setup);
    row.text("effect_id", node.text_of("id"));
    row.text("kind", Some(kind)).text("committed_at", node.text_of("created"));
    let status = node.text_of("status");
    let known = STATUSES.iter().find(|(word, _)| status.as_deref() == Some(word)).map(|(_, known)| *known);
    // An authorisation has moved no money yet.
    let held = kind == "charge"
        && node.truth_of("captured") == Some(false)
        && status.as_deref() == Some("succeeded");
    row.text("status", known.or(held.then_some("pending")).or(status.as_deref()));
    row.text("external_ref", id_of(node.get("balance_transaction")));
    if kind == "reversal" {
        row.text("reverses", id_of(node.get("transfer")));
    }
    row.meta(node.get("metadata"));
    row.described(node.text_of("description").as_deref());
    row.link("customer", &id_of(node.get("customer")).unwrap_or_default());
    let payment = id_of(node.get("payment_intent")).or_else(|| id_of(node.get("charge")));
    row.link("payment_id", &payment.unwrap_or_default());
}

/// Order of the states of one object at one moment.
pub(super) fn stage(status: &str) -> u8 {
    match status {
        "pending" | "requires_action" | "in_transit" => 0,
        "failed" | "canceled" => 2,
        _ => 1,
    }
}

/// What a movement of the balance is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Movement {
    /// An effect of this kind.
    Effect(&'static str),
    /// What takes an effect of this kind back because it failed: a later state of it.
    Failed(&'static str),
    /// It takes an effect back.
    Reversal,
    /// A fee, a tax, an adjustment: no effect of a call.
    Other,
}

/// The categories of a balance, by `reporting_category` and by the older `type`.
const CATEGORIES: [(&str, Movement); 22] = [
    ("refund", Movement::Effect("refund")),
    ("payment_refund", Movement::Effect("refund")),
    ("refund_failure", Movement::Failed("refund")),
    ("charge", Movement::Effect("charge")),
    ("payment", Movement::Effect("charge")),
    ("charge_failure", Movement::Failed("charge")),
    ("payment_failure_refund", Movement::Failed("charge")),
    ("payout", Movement::Effect("payout")),
    ("payout_cancel", Movement::Failed("payout")),
    ("payout_failure", Movement::Failed("payout")),
    ("payout_reversal", Movement::Failed("payout")),
    ("transfer", Movement::Effect("transfer")),
    ("transfer_cancel", Movement::Failed("transfer")),
    ("transfer_failure", Movement::Failed("transfer")),
    ("transfer_refund", Movement::Reversal),
    ("transfer_reversal", Movement::Reversal),
    ("dispute", Movement::Effect("chargeback")),
    ("dispute_reversal", Movement::Reversal),
    ("topup", Movement::Effect("topup")),
    ("topup_reversal", Movement::Reversal),
    ("advance", Movement::Effect("advance")),
    ("other_transfer", Movement::Effect("transfer")),
];

/// What a movement of this category is.
pub(super) fn movement(category: &str) -> Movement {
    let known = CATEGORIES.iter().find(|(name, _)| name.eq_ignore_ascii_case(category));
    known.map_or(Movement::Other, |(_, movement)| *movement)
}

/// Says of a row what its movement is. Gives the rule by which it is set aside.
pub(super) fn moved(row: &mut LedgerRow, category: &str, source: &str) -> Option<&'static str> {
    match movement(category) {
        Movement::Effect(kind) => row.text("kind", Some(kind)),
        Movement::Failed(kind) => row.text("kind", Some(kind)).text("status", Some("failed")).state(None, 2),
        Movement::Reversal => row.text("kind", Some("reversal")).text("reverses", Some(source)),
        Movement::Other => return Some(OTHER),
    };
    None
}

/// The rule of movements that are no effect of a call.
pub(super) const OTHER: &str = "fee, tax or adjustment of the balance";
