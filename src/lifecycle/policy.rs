//! Limits, and who may do what, with the values that are built in (`3-lifecycle.md` 3.3, 3.10, `7-commands.md` 8.4).

use crate::model::money::{Amount, Money};
use crate::model::time::HOUR;
use crate::model::units::{Unit, Units};

/// A policy. Missing limits are those that are built in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    /// From here on two people decide where money can be released.
    pub high_value: Vec<Money>,
    /// Most that reconciliation settles by itself.
    pub auto_max: Vec<Money>,
    /// Kinds without money that count as high value.
    pub high_value_kinds: Vec<String>,
    /// Logins that identify nobody.
    pub shared_logins: Vec<String>,
    /// Who may approve.
    pub approvers: Vec<String>,
    /// Who may review.
    pub reviewers: Vec<String>,
    /// Who may change limits.
    pub policy_owners: Vec<String>,
    /// One person decides all.
    pub solo: bool,
    /// Least characters of a note.
    pub note_min: usize,
    /// Most characters of a note.
    pub note_max: usize,
    /// Furthest new deadline, microseconds.
    pub max_extension: i64,
    /// When an approval expires, microseconds; `None` is the deadline of the item.
    pub approval_expires: Option<i64>,
    /// Who gets what expires.
    pub escalation_owner: Option<String>,
    /// Break-glass is allowed at all.
    pub break_glass: bool,
    /// Most that it may settle; missing: the high-value limit.
    pub break_glass_max: Vec<Money>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            high_value: Vec::new(),
            auto_max: Vec::new(),
            high_value_kinds: Vec::new(),
            shared_logins: Vec::new(),
            approvers: Vec::new(),
            reviewers: Vec::new(),
            policy_owners: Vec::new(),
            solo: false,
            note_min: NOTE_MIN,
            note_max: NOTE_MAX,
            max_extension: MAX_EXTENSION,
            approval_expires: None,
            escalation_owner: None,
            break_glass: false,
            break_glass_max: Vec::new(),
        }
    }
}

/// Least characters of a note.
pub const NOTE_MIN: usize = 20;
/// Most characters of a note.
pub const NOTE_MAX: usize = 4_000;
/// Most bytes of a note.
pub const NOTE_BYTES: usize = 16 * 1024;
/// Least characters of the reason of an override.
pub const REASON_MIN: usize = 20;
/// Furthest new deadline, and the longest life of a request.
pub const MAX_EXTENSION: i64 = 72 * HOUR;

/// Built-in limits in major units: (exponent of the currency, high value, most that is settled automatically).
pub const BUILT_IN: [(u8, i64, i64); 4] = [(0, 50_000, 5_000), (2, 500, 50), (3, 500, 50), (4, 500, 50)];

/// The amount of a decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Weight {
    /// It has no amount, and nothing says that it should.
    None,
    /// The largest amounts, one per unit.
    Money(Vec<Money>),
    /// An amount cannot be read, or its unit is not known.
    Unreadable,
}

fn built_in(units: &Units, unit: Unit, pick: fn(&(u8, i64, i64)) -> i64) -> Option<Money> {
    let exponent = units.exponent(unit).filter(|_| unit.is_iso())?;
    // A mapping may set another exponent for a currency: its limit stands in major units all the same.
    let row = BUILT_IN.iter().find(|row| row.0 == exponent).unwrap_or(&BUILT_IN[1]);
    Some(Money::new(unit, Amount { digits: pick(row), scale: 0 }))
}

fn named(limits: &[Money], unit: Unit) -> Option<Money> {
    limits.iter().copied().find(|limit| limit.unit == unit)
}

impl Policy {
    /// The high-value limit of a unit. `None` for a unit without one: any amount of it is high value.
    pub fn high_value_of(&self, units: &Units, unit: Unit) -> Option<Money> {
        named(&self.high_value, unit).or_else(|| built_in(units, unit, |row| row.1))
    }

    /// What reconciliation settles by itself at most; `None` is nothing.
    pub fn auto_max_of(&self, units: &Units, unit: Unit) -> Option<Money> {
        named(&self.auto_max, unit).or_else(|| built_in(units, unit, |row| row.2))
    }

    /// What break-glass settles at most.
    pub fn break_glass_max_of(&self, units: &Units, unit: Unit) -> Option<Money> {
        named(&self.break_glass_max, unit).or_else(|| self.high_value_of(units, unit))
    }

    /// Whether a decision is of high value: its amount reaches the limit, cannot be read, or its kind is listed.
    pub fn is_high(&self, units: &Units, weight: &Weight, kind: &str) -> bool {
        match weight {
            Weight::Unreadable => true,
            Weight::None => self.high_value_kinds.iter().any(|listed| listed == kind),
            Weight::Money(amounts) => amounts.iter().any(|money| {
                self.high_value_of(units, money.unit).is_none_or(|limit| money.amount >= limit.amount)
            }),
        }
    }

    /// Whether reconciliation may settle it by itself: `auto_max` is, one minor unit more is not.
    pub fn is_automatic(&self, units: &Units, weight: &Weight, kind: &str) -> bool {
        match weight {
            Weight::Unreadable => false,
            Weight::None => !self.high_value_kinds.iter().any(|listed| listed == kind),
            Weight::Money(amounts) => amounts.iter().all(|money| {
                self.auto_max_of(units, money.unit).is_some_and(|limit| money.amount <= limit.amount)
            }),
        }
    }

    /// Whether break-glass may settle it.
    pub fn is_under_glass(&self, units: &Units, weight: &Weight) -> bool {
        match weight {
            Weight::Unreadable => false,
            Weight::None => true,
            Weight::Money(amounts) => amounts.iter().all(|money| {
                self.break_glass_max_of(units, money.unit).is_some_and(|limit| money.amount <= limit.amount)
            }),
        }
    }
}
