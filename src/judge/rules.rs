//! The decision table (`2-judge.md` 2.6).

/// A row of the decision table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// R01.
    R01,
}
