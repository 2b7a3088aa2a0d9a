//! Clean intents: many, mostly only counted, so they are put in order when somebody looks at them.

use std::sync::OnceLock;

use crate::model::time::Micros;

use super::group::Op;

/// First send and number of each clean intent.
#[derive(Debug, Default)]
pub struct Quiet {
    /// As they were found, part by part.
    found: Vec<Vec<(Micros, Op)>>,
    ordered: OnceLock<Vec<(Micros, Op)>>,
}

impl Quiet {
    /// In whatever order they were found.
    pub fn new(found: Vec<Vec<(Micros, Op)>>) -> Self {
        Self { found, ordered: OnceLock::new() }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.found.iter().map(Vec::len).sum()
    }

    /// None at all.
    pub fn is_empty(&self) -> bool {
        self.found.iter().all(Vec::is_empty)
    }

    /// All, in no order.
    pub fn ops(&self) -> impl Iterator<Item = Op> {
        self.found.iter().flatten().map(|(_, op)| *op)
    }

    /// All in the order of the list: by (first send, place).
    pub fn in_order(&self) -> &[(Micros, Op)] {
        self.ordered.get_or_init(|| {
            let mut ordered = self.found.concat();
            ordered.sort_unstable();
            ordered
        })
    }
}
