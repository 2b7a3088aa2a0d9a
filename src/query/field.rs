//! The fields that a term can name, as a table: what each asks of a row (`6-screens.md` 7.2, filter terms).

use std::cmp::Ordering;

use crate::model::money::Wide;

/// What a row answers to the terms that name a field. Times are microseconds before the clock; `None` where nothing has
/// a time.
#[derive(Clone, Debug, Default)]
pub struct RowFacts {
    /// Verdict code.
    pub verdict: String,
    /// Label.
    pub label: String,
    /// Class.
    pub class: String,
    /// Recorded state, or the derived one.
    pub state: String,
    /// Kind of the operation.
    pub kind: String,
    /// Business id and operation as shown.
    pub order: String,
    /// Customer or account.
    pub party: String,
    /// Money at risk, one amount per unit.
    pub risk: Vec<Wide>,
    /// Since the first call.
    pub age: Option<i64>,
    /// Past its deadline.
    pub overdue: bool,
    /// As intended.
    pub fine: bool,
    /// Count or total is not as intended.
    pub divergent: bool,
    /// State unknown, recorded or derived.
    pub unknown: bool,
    /// What only evidence tells; asked for by few terms.
    pub more: MoreFacts,
}

/// What is read from the evidence of a row.
#[derive(Clone, Debug, Default)]
pub struct MoreFacts {
    /// Tools of its calls.
    pub tools: Vec<String>,
    /// Sources that hold rows of it.
    pub sources: Vec<String>,
    /// Its owner.
    pub owner: String,
    /// Its idempotency keys.
    pub keys: Vec<String>,
    /// Since the last call or row.
    pub last: Option<i64>,
    /// A disposition was written.
    pub closed: bool,
    /// Its sources disagree.
    pub disagree: bool,
}

/// How a number is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    /// `>`
    More,
    /// `>=`
    AtLeast,
    /// `<`
    Less,
    /// `<=`
    AtMost,
}

/// The signs, longer ones first.
pub const COMPARES: [(&str, Compare); 4] =
    [(">=", Compare::AtLeast), ("<=", Compare::AtMost), (">", Compare::More), ("<", Compare::Less)];

impl Compare {
    /// Whether a value that stands so to the one typed fits.
    pub fn fits(self, order: Ordering) -> bool {
        match self {
            Self::More => order.is_gt(),
            Self::AtLeast => order.is_ge(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
        }
    }
}

/// A field with a text: `name:value`.
#[derive(Debug)]
pub struct TextField {
    /// Name.
    pub name: &'static str,
    /// It needs [`MoreFacts`].
    pub more: bool,
    /// Its texts.
    pub of: fn(&RowFacts) -> Vec<&str>,
}

/// Every field with a text.
pub static TEXTS: [TextField; 11] = [
    TextField { name: "verdict", more: false, of: |r| vec![&r.verdict] },
    TextField { name: "label", more: false, of: |r| vec![&r.label] },
    TextField { name: "class", more: false, of: |r| vec![&r.class] },
    TextField { name: "state", more: false, of: |r| vec![&r.state] },
    TextField { name: "kind", more: false, of: |r| vec![&r.kind] },
    TextField { name: "order", more: false, of: |r| vec![&r.order] },
    TextField { name: "party", more: false, of: |r| vec![&r.party] },
    TextField { name: "tool", more: true, of: |r| r.more.tools.iter().map(String::as_str).collect() },
    TextField { name: "source", more: true, of: |r| r.more.sources.iter().map(String::as_str).collect() },
    TextField { name: "owner", more: true, of: |r| vec![&r.more.owner] },
    TextField { name: "key", more: true, of: |r| r.more.keys.iter().map(String::as_str).collect() },
];

/// A word that stands for a property.
#[derive(Debug)]
pub struct Flag {
    /// The word.
    pub name: &'static str,
    /// It needs [`MoreFacts`].
    pub more: bool,
    /// Whether a row has it.
    pub of: fn(&RowFacts) -> bool,
}

/// Every such word.
pub static FLAGS: [Flag; 6] = [
    Flag { name: "overdue", more: false, of: |r| r.overdue },
    Flag { name: "fine", more: false, of: |r| r.fine },
    Flag { name: "divergent", more: false, of: |r| r.divergent },
    Flag { name: "unknown", more: false, of: |r| r.unknown },
    Flag { name: "closed", more: true, of: |r| r.more.closed },
    Flag { name: "disagree", more: true, of: |r| r.more.disagree },
];

/// A field with a length of time: `age>2h`.
#[derive(Debug)]
pub struct SpanField {
    /// Name.
    pub name: &'static str,
    /// It needs [`MoreFacts`].
    pub more: bool,
    /// Its value.
    pub of: fn(&RowFacts) -> Option<i64>,
}

/// Every such field.
pub static SPANS: [SpanField; 2] = [
    SpanField { name: "age", more: false, of: |r| r.age },
    SpanField { name: "last", more: true, of: |r| r.more.last },
];

/// The field with money, in whole units of its currency: `risk>100`.
pub const RISK: &str = "risk";

/// Rows of the tables are the same where their names are.
macro_rules! same_by_name {
    ($($field:ident),*) => {$(
        impl PartialEq for $field {
            fn eq(&self, other: &Self) -> bool {
                self.name == other.name
            }
        }

        impl Eq for $field {}
    )*};
}

same_by_name!(TextField, Flag, SpanField);
