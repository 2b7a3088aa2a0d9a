//! Grouping: the names of one partition, run by run, compared as bytes (`engine.md` 6).

use hashbrown::HashTable;

use crate::model::row::Name;

use super::resolve::{NameKind, name_kind_of_bytes};
use super::run::{PARTS, Run, used};

/// An operation of the case: its partition and its number there. Only those with an attempt or a record are
/// intents; a name that only ledger rows use founds none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Op(pub u32);

/// The names of one partition.
#[derive(Debug, Default)]
pub struct Grouped {
    /// Where each operation's name stands first: run and name.
    pub first: Vec<(u32, Name)>,
    /// Operation behind each name, run by run; `of_at` says where a run begins.
    of: Vec<u32>,
    of_at: Vec<u32>,
    /// Whether an attempt or a record founds it.
    pub founded: Vec<bool>,
    /// What its name is.
    pub kinds: Vec<NameKind>,
}

/// The names of a partition share the highest bits of their hashes, and by those a table tells most names apart.
fn spread(hash: u64) -> u64 {
    hash ^ (hash << 32)
}

impl Grouped {
    /// Groups a partition of all runs.
    pub fn new(runs: &[Run], part: usize) -> Self {
        let names: usize = runs.iter().map(|r| r.names_of(part).len()).sum();
        let mut grouped = Self {
            first: Vec::with_capacity(names / 2 + 1),
            of: Vec::with_capacity(names),
            of_at: Vec::with_capacity(runs.len() + 1),
            founded: Vec::with_capacity(names / 2 + 1),
            kinds: Vec::with_capacity(names / 2 + 1),
        };
        let mut table: HashTable<u32> = HashTable::with_capacity(names);
        for (r, run) in (0u32..).zip(runs) {
            grouped.of_at.push(grouped.of.len() as u32);
            for no in run.names_of(part) {
                let name = Name(no);
                let (hash, bytes) = (run.hash_of(name), run.name_bytes(name));
                let first = &grouped.first;
                let bytes_of = |op: u32| {
                    first
                        .get(op as usize)
                        .and_then(|(r, n)| runs.get(*r as usize).map(|run| run.name_bytes(*n)))
                };
                let op = if let Some(op) = table.find(spread(hash), |op| bytes_of(*op) == Some(bytes)) {
                    *op
                } else {
                    let op = grouped.first.len() as u32;
                    grouped.first.push((r, name));
                    grouped.founded.push(false);
                    grouped.kinds.push(name_kind_of_bytes(bytes));
                    let first = &grouped.first;
                    table.insert_unique(spread(hash), op, |op| {
                        let first = first.get(*op as usize);
                        let hash = first.and_then(|(r, n)| runs.get(*r as usize).map(|run| run.hash_of(*n)));
                        spread(hash.unwrap_or_default())
                    });
                    op
                };
                if run.used(name) & used::CALL != 0
                    && let Some(founded) = grouped.founded.get_mut(op as usize)
                {
                    *founded = true;
                }
                grouped.of.push(op);
            }
        }
        grouped.of_at.push(grouped.of.len() as u32);
        grouped
    }

    /// The operation behind a name of run `r`, which is `run`.
    pub fn op(&self, run: &Run, part: usize, r: usize, name: Name) -> Option<u32> {
        let start = *self.of_at.get(r)?;
        let inside = name.0.checked_sub(run.names_of(part).start)?;
        let end = *self.of_at.get(r + 1)?;
        (start + inside < end).then(|| self.of.get((start + inside) as usize).copied()).flatten()
    }

    /// Operations behind the names of a run, from the first name of this partition on.
    pub fn of_run(&self, r: usize) -> &[u32] {
        match (self.of_at.get(r), self.of_at.get(r + 1)) {
            (Some(from), Some(to)) => self.of.get(*from as usize..*to as usize).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// How many operations.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// None.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }
}

/// All partitions.
#[derive(Debug, Default)]
pub struct Groups {
    /// By partition.
    pub parts: Vec<Grouped>,
    /// Number of the first operation of each partition, and the end.
    pub base: Vec<u32>,
}

impl Groups {
    /// Groups all partitions with a number of threads.
    pub fn new(runs: &[Run], threads: usize) -> Self {
        let parts = super::each_part(threads, |part| Grouped::new(runs, part));
        let mut base = Vec::with_capacity(PARTS + 1);
        let mut sum = 0u32;
        for part in &parts {
            base.push(sum);
            sum += part.len() as u32;
        }
        base.push(sum);
        Self { parts, base }
    }

    /// The operation number of a place in a partition.
    pub fn number(&self, part: usize, op: u32) -> Op {
        Op(self.base.get(part).copied().unwrap_or(0) + op)
    }

    /// Partition and place of an operation.
    pub fn place(&self, op: Op) -> (usize, u32) {
        let part = self.base.partition_point(|b| *b <= op.0).saturating_sub(1);
        (part, op.0 - self.base.get(part).copied().unwrap_or(0))
    }

    /// The operation of a named row in a run.
    pub fn of(&self, runs: &[Run], r: usize, name: Name) -> Option<Op> {
        let run = runs.get(r)?;
        if !name.is_some() {
            return None;
        }
        let part = run.part_of(name);
        let op = self.parts.get(part)?.op(run, part, r, name)?;
        Some(self.number(part, op))
    }

    /// Whether an operation is an intent.
    pub fn is_intent(&self, op: Op) -> bool {
        let (part, no) = self.place(op);
        self.parts.get(part).and_then(|p| p.founded.get(no as usize)).copied().unwrap_or(false)
    }

    /// Where the name of an operation stands first.
    pub fn first(&self, op: Op) -> Option<(u32, Name)> {
        let (part, no) = self.place(op);
        self.parts.get(part)?.first.get(no as usize).copied()
    }

    /// All operations.
    pub fn len(&self) -> u32 {
        self.base.last().copied().unwrap_or(0)
    }

    /// None.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
