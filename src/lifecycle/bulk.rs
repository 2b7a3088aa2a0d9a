//! Many at once, each judged by itself (`3-lifecycle.md` 3.14).

use super::facts::Facts;
use super::guards::Rules;
use super::refusal::{Code, Refusal};

/// Most items of one batch.
pub const MOST: usize = 500;

/// What is done to many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// To confirmed.
    Confirm,
    /// An owner.
    Assign,
    /// Owner, deadline and note.
    Escalate,
    /// A disposition.
    Dispose,
    /// To failed: never.
    Fail,
    /// An override: never.
    Override,
    /// Unlink: never.
    Unlink,
}

/// Whether an item may be part of a batch.
///
/// # Errors
/// R-BULK: failed, override, unlink and high value are decided one by one.
pub fn may(action: Action, facts: &Facts, rules: Rules<'_>) -> Result<(), Refusal> {
    let because = match action {
        Action::Fail => "failed is decided one by one",
        Action::Override => "an override is decided one by one",
        Action::Unlink => "a row is unlinked one by one",
        // Holding releases nothing, whatever the amount.
        Action::Assign | Action::Escalate => return Ok(()),
        Action::Confirm | Action::Dispose => {
            if !rules.policy.is_high(rules.units, &facts.weight, &facts.kind) {
                return Ok(());
            }
            "from the high-value limit up each is decided by itself"
        }
    };
    Err(super::resolve::of(
        Refusal::new(Code::Bulk, because)
            .missing("a decision on this one alone")
            .next(format!("recount show {}", facts.intent_id)),
        facts,
        "many at once",
    ))
}
