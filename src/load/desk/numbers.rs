//! Ordinals for the judge: equal things have equal numbers, and nothing else is known of them.

use std::collections::HashMap;

use foldhash::fast::RandomState;

/// Numbers different things in the order they come, from 1. Few are searched, many looked up.
pub(super) struct Numbers<T> {
    few: Vec<T>,
    many: HashMap<T, u32, RandomState>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { few: Vec::new(), many: HashMap::default() }
    }
}

impl<T: Copy + Eq + std::hash::Hash> Numbers<T> {
    const FEW: usize = 16;

    /// Forgets all things.
    pub(super) fn clear(&mut self) {
        self.few.clear();
        self.many.clear();
    }

    pub(super) fn number(&mut self, thing: T) -> u32 {
        if let Some(at) = self.few.iter().position(|known| *known == thing) {
            return at as u32 + 1;
        }
        if self.few.len() < Self::FEW {
            self.few.push(thing);
            return self.few.len() as u32;
        }
        let next = (Self::FEW + self.many.len()) as u32 + 1;
        *self.many.entry(thing).or_insert(next)
    }
}
