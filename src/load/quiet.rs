//! Clean intents: many, mostly only counted, so they are put in order when somebody looks at them.

use std::sync::OnceLock;

use crate::model::time::Micros;

use super::group::Op;

/// A clean intent. Most intents are clean, so it takes twelve bytes, not sixteen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(Rust, packed(4))]
pub struct Clean {
    /// When it was sent first.
    pub since: Micros,
    /// The intent.
    pub op: Op,
}

/// The clean intents.
#[derive(Debug, Default)]
pub struct Quiet {
    /// As they were found, part by part.
    found: Vec<Vec<Clean>>,
    ordered: OnceLock<Vec<Clean>>,
}

impl Quiet {
    /// In whatever order they were found.
    pub fn new(found: Vec<Vec<Clean>>) -> Self {
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
        self.found.iter().flatten().map(|clean| clean.op)
    }

    /// All in the order of the list: by first send, then by the bytes of the operation id. Numbers of operations are not
    /// the same in two loads.
    pub fn in_order<'n>(&self, name: impl Fn(Op) -> &'n str) -> &[Clean] {
        self.ordered.get_or_init(|| {
            let mut ordered = self.found.concat();
            ordered.sort_unstable_by(|a, b| {
                let (since, other) = (a.since, b.since);
                since.cmp(&other).then_with(|| name(a.op).cmp(name(b.op)))
            });
            ordered
        })
    }
}
