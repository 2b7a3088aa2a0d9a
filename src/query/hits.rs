//! A set of rows, one bit each.

/// Rows that match. Bits beyond the last row are never set.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Hits {
    bits: Vec<u64>,
    rows: usize,
}

impl Hits {
    const BITS: usize = 64;

    /// No row of so many.
    pub fn none(rows: usize) -> Self {
        Self { bits: vec![0; rows.div_ceil(Self::BITS)], rows }
    }

    /// Every row of so many.
    pub fn all(rows: usize) -> Self {
        let mut hits = Self { bits: vec![u64::MAX; rows.div_ceil(Self::BITS)], rows };
        hits.trim();
        hits
    }

    /// How many rows the set is over.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Adds a row; one beyond the last is ignored.
    pub fn set(&mut self, row: usize) {
        if row < self.rows
            && let Some(word) = self.bits.get_mut(row / Self::BITS)
        {
            *word |= 1 << (row % Self::BITS);
        }
    }

    /// Whether a row is in the set.
    pub fn get(&self, row: usize) -> bool {
        self.bits.get(row / Self::BITS).is_some_and(|word| word >> (row % Self::BITS) & 1 == 1)
    }

    /// How many rows are in the set.
    pub fn count(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Every row that was in is out, and the other way round.
    pub fn flip(&mut self) {
        for word in &mut self.bits {
            *word = !*word;
        }
        self.trim();
    }

    /// Keeps what is in both.
    pub fn and(&mut self, other: &Self) {
        let others = other.bits.iter().copied().chain(std::iter::repeat(0));
        for (word, other) in self.bits.iter_mut().zip(others) {
            *word &= other;
        }
    }

    /// The rows in the set, smallest first.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.iter_from(0)
    }

    /// The same, from a row on.
    pub fn iter_from(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let words = self.bits.iter().copied().enumerate().skip(row / Self::BITS);
        words.flat_map(move |(at, word)| {
            let mut left =
                if at == row / Self::BITS { word & (u64::MAX << (row % Self::BITS)) } else { word };
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(at * Self::BITS + bit)
            })
        })
    }

    fn trim(&mut self) {
        let used = self.rows % Self::BITS;
        if used > 0
            && let Some(last) = self.bits.last_mut()
        {
            *last &= (1 << used) - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bit_beyond_the_last_row() {
        for rows in [0, 1, 63, 64, 65, 128, 130] {
            let mut hits = Hits::all(rows);
            assert_eq!(hits.count(), rows);
            hits.flip();
            assert_eq!(hits.count(), 0);
            hits.set(rows);
            assert_eq!(hits.count(), 0, "{rows}");
            hits.flip();
            assert_eq!(hits, Hits::all(rows));
        }
    }

    #[test]
    fn both_and_one() {
        let mut a = Hits::none(70);
        for row in [0, 63, 64, 69] {
            a.set(row);
        }
        let mut b = Hits::none(70);
        for row in [63, 65, 69] {
            b.set(row);
        }
        a.and(&b);
        assert_eq!(a.iter().collect::<Vec<_>>(), [63, 69]);
        assert!(a.get(63) && !a.get(64) && !a.get(70));
        let from = |row| a.iter_from(row).collect::<Vec<_>>();
        assert_eq!((from(62), from(63)), (vec![63, 69], vec![63, 69]));
        assert_eq!((from(64), from(69), from(70)), (vec![69], vec![69], vec![]));
        assert_eq!(a.iter_from(500).count(), 0);
    }
}
