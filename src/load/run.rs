//! A run: the rows of one slice, immutable, sorted by the partition of their operation id (`engine.md` 3).

use crate::model::row::{
    Attempt, Effect, Name, ReadBack, Record, StateChange, Text, attempt_flag, record_flag,
};

/// Partitions of operation ids by hash. Rows of one intent always lie in one partition.
pub const PARTS: usize = 256;

/// The partition "no operation id".
pub const LOOSE: usize = PARTS;

/// Start offsets of partitions 0 to 255, of the rows without an operation id, and the end.
pub type Starts = Vec<u32>;

/// Rows of one kind by partition.
#[derive(Debug)]
pub struct Rows<T> {
    rows: Vec<T>,
    starts: Starts,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), starts: vec![0; PARTS + 2] }
    }
}

impl<T: Copy> Rows<T> {
    /// Sorts rows by partition, keeping their order within one; `last` is done to each on the way.
    pub fn sort(rows: &[T], part_of: impl Fn(&T) -> usize, last: impl Fn(&mut T)) -> Self {
        let mut starts = vec![0u32; PARTS + 2];
        let parts: Vec<u16> = rows.iter().map(|row| part_of(row).min(LOOSE) as u16).collect();
        for part in &parts {
            starts[usize::from(*part) + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut order = vec![0u32; rows.len()];
        for (no, part) in (0u32..).zip(&parts) {
            let place = &mut next[usize::from(*part)];
            order[*place as usize] = no;
            *place += 1;
        }
        let take = |no: u32| {
            let mut row = rows[no as usize];
            last(&mut row);
            row
        };
        Self { rows: order.into_iter().map(take).collect(), starts }
    }

    /// The rows of a partition.
    pub fn part(&self, part: usize) -> &[T] {
        let at = |i: usize| self.starts.get(i).copied().unwrap_or(0) as usize;
        self.rows.get(at(part)..at(part + 1)).unwrap_or(&[])
    }

    /// Where a partition begins in [`Rows::all`].
    pub fn start(&self, part: usize) -> usize {
        self.starts.get(part).copied().unwrap_or(0) as usize
    }

    /// All rows.
    pub fn all(&self) -> &[T] {
        &self.rows
    }

    /// One row.
    pub fn get(&self, row: usize) -> Option<&T> {
        self.rows.get(row)
    }

    /// One row, to set flags while resolving.
    pub fn get_mut(&mut self, row: usize) -> Option<&mut T> {
        self.rows.get_mut(row)
    }

    /// All rows, to set flags while resolving; partitions must not change.
    pub fn all_mut(&mut self) -> &mut [T] {
        &mut self.rows
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// None at all.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// What a name is used by, as bits.
pub mod used {
    /// An attempt or a record: it founds an intent.
    pub const CALL: u8 = 1;
    /// A ledger row.
    pub const ROW: u8 = 1 << 1;
}

/// The rows of one slice.
#[derive(Debug, Default)]
pub struct Run {
    /// Operation ids in order of partition, each closed by a line feed so that one search finds them all.
    pub(super) names: Vec<u8>,
    /// Where a name begins; one more than names.
    pub(super) name_at: Vec<u32>,
    /// Hash of each name, until the names are grouped.
    pub(super) name_hash: Vec<u64>,
    /// [`used`] bits of each name.
    pub(super) name_used: Vec<u8>,
    /// First name of each partition, and the end.
    pub(super) name_part: Vec<u32>,
    /// All other texts, each after its length.
    pub(super) more: Vec<u8>,
    /// Attempts.
    pub attempts: Rows<Attempt>,
    /// Ledger rows; those without an operation id stand in partition [`LOOSE`].
    pub effects: Rows<Effect>,
    /// Recorded intents and expectations.
    pub records: Rows<Record>,
    /// Changes of state.
    pub states: Rows<StateChange>,
    /// Read-backs.
    pub reads: Rows<ReadBack>,
}

impl Run {
    /// Number of names.
    pub fn names(&self) -> usize {
        self.name_used.len()
    }

    /// The partition of a name.
    pub fn part_of(&self, name: Name) -> usize {
        self.name_part.partition_point(|first| *first <= name.0).saturating_sub(1)
    }

    /// Names are grouped, and nobody looks them up by their hash any more.
    pub fn forget_hashes(&mut self) {
        self.name_hash = Vec::new();
    }

    /// The names of a partition.
    pub fn names_of(&self, part: usize) -> std::ops::Range<u32> {
        let at = |i: usize| self.name_part.get(i).copied().unwrap_or(0);
        at(part)..at(part + 1)
    }

    /// The bytes of a name.
    pub fn name_bytes(&self, name: Name) -> &[u8] {
        let no = name.0 as usize;
        match (self.name_at.get(no), self.name_at.get(no + 1)) {
            (Some(from), Some(to)) => {
                self.names.get(*from as usize..(*to as usize).saturating_sub(1)).unwrap_or(&[])
            }
            _ => &[],
        }
    }

    /// A name as text.
    pub fn name(&self, name: Name) -> &str {
        std::str::from_utf8(self.name_bytes(name)).unwrap_or("")
    }

    /// Hash of a name.
    pub fn hash_of(&self, name: Name) -> u64 {
        self.name_hash.get(name.0 as usize).copied().unwrap_or(0)
    }

    /// [`used`] bits of a name.
    pub fn used(&self, name: Name) -> u8 {
        self.name_used.get(name.0 as usize).copied().unwrap_or(0)
    }

    /// Looks again which names calls use, after some were dropped.
    pub fn use_again(&mut self) {
        self.name_used.iter_mut().for_each(|u| *u &= !used::CALL);
        let calls = self.attempts.all().iter().filter(|a| !a.is(attempt_flag::DROPPED)).map(|a| a.name);
        let records = self.records.all().iter().filter(|r| r.flags & record_flag::OUTSIDE == 0);
        for name in calls.chain(records.map(|r| r.name)) {
            if let Some(u) = self.name_used.get_mut(name.0 as usize) {
                *u |= used::CALL;
            }
        }
    }

    /// The bytes of a text; empty for none.
    pub fn bytes(&self, text: Text) -> &[u8] {
        read_text(&self.more, text)
    }

    /// A text; empty for none.
    pub fn text(&self, text: Text) -> &str {
        std::str::from_utf8(self.bytes(text)).unwrap_or("")
    }

    /// Bytes kept, for the memory figures.
    pub fn size(&self) -> usize {
        self.names.len()
            + self.name_at.len() * 4
            + self.name_hash.len() * 8
            + self.more.len()
            + self.attempts.len() * size_of::<Attempt>()
            + self.effects.len() * size_of::<Effect>()
            + self.records.len() * size_of::<Record>()
    }
}

/// Appends a text after its length and says where it stands. Texts beyond 4 GiB in one run are not kept; a run
/// holds a few megabytes.
pub(super) fn push_text(more: &mut Vec<u8>, text: &str) -> Text {
    let Ok(at) = u32::try_from(more.len()) else {
        return Text::NONE;
    };
    let mut length = text.len();
    while length >= 0x80 {
        more.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    more.push(length as u8);
    more.extend_from_slice(text.as_bytes());
    Text(at)
}

/// Reads a text back.
pub(super) fn read_text(more: &[u8], text: Text) -> &[u8] {
    if !text.is_some() {
        return &[];
    }
    let mut at = text.0 as usize;
    let (mut length, mut shift) = (0usize, 0u32);
    while let Some(byte) = more.get(at) {
        at += 1;
        length |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return more.get(at..at + length).unwrap_or(&[]);
        }
        shift += 7;
    }
    &[]
}

/// The partition of a hash.
pub fn part_of(hash: u64) -> usize {
    (hash >> 56) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_every_length_come_back() {
        let mut more = Vec::new();
        let texts: Vec<String> = [0, 1, 127, 128, 129, 300, 20_000].iter().map(|n| "x".repeat(*n)).collect();
        let places: Vec<Text> = texts.iter().map(|t| push_text(&mut more, t)).collect();
        for (text, place) in texts.iter().zip(places) {
            assert_eq!(read_text(&more, place), text.as_bytes());
        }
        assert_eq!(read_text(&more, Text::NONE), b"");
    }

    #[test]
    fn rows_are_sorted_by_partition_and_keep_their_order() {
        let rows = Rows::sort(&[(2usize, 'a'), (0, 'b'), (2, 'c'), (LOOSE, 'd'), (0, 'e')], |r| r.0, |_| ());
        assert_eq!(rows.part(0), [(0, 'b'), (0, 'e')]);
        assert_eq!(rows.part(1), []);
        assert_eq!(rows.part(2), [(2, 'a'), (2, 'c')]);
        assert_eq!(rows.part(LOOSE), [(LOOSE, 'd')]);
        assert_eq!(rows.start(2), 2);
    }

    #[test]
    fn rows_stay_small() {
        assert_eq!(size_of::<Attempt>(), 96);
        assert_eq!(size_of::<Effect>(), 64);
    }
}
