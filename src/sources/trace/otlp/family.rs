//! Which span stands above which. Every span that is met or named gets a number, so that one look at a table finds all
//! that is known of it; numbers of one trace lie side by side.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;

/// The number of a span.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Number(u32);

impl Number {
    /// No span.
    pub(super) const NONE: Self = Self(0);

    /// It is a span.
    pub(super) fn is_some(self) -> bool {
        self != Self::NONE
    }
}

/// What is known of a span.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    above: Number,
    /// Where it is held, counted from 1; 0: it is not.
    held: u32,
    met: bool,
}

/// All spans of a source.
#[derive(Debug)]
pub(super) struct Family {
    numbers: HashMap<u64, u32, RandomState>,
    known: Vec<Known>,
    hasher: RandomState,
}

impl Default for Family {
    fn default() -> Self {
        // The first number is that of no span.
        Self { numbers: HashMap::default(), known: vec![Known::default()], hasher: RandomState::default() }
    }
}

impl Family {
    /// The number of a span.
    pub(super) fn number(&mut self, trace: &str, span: &str) -> Number {
        let print = self.hasher.hash_one((trace, span));
        let next = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(print).or_insert(next);
        if number == next {
            self.known.push(Known::default());
        }
        Number(number)
    }

    /// A span is met, below another or none. Gives whether it is for the first time.
    pub(super) fn meet(&mut self, number: Number, above: Number) -> bool {
        let Some(known) = self.known.get_mut(number.0 as usize).filter(|known| !known.met) else {
            return false;
        };
        (known.above, known.met) = (above, true);
        true
    }

    /// The span above.
    pub(super) fn above(&self, number: Number) -> Number {
        self.known.get(number.0 as usize).map_or(Number::NONE, |known| known.above)
    }

    /// It is held at this place, or at none.
    pub(super) fn hold(&mut self, number: Number, place: Option<usize>) {
        if let Some(known) = self.known.get_mut(number.0 as usize) {
            known.held = place.and_then(|place| u32::try_from(place + 1).ok()).unwrap_or_default();
        }
    }

    /// Where it is held.
    pub(super) fn held(&self, number: Number) -> Option<usize> {
        let held = self.known.get(number.0 as usize)?.held;
        (held as usize).checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_met_once_and_known_by_trace_and_id() {
        let mut family = Family::default();
        let (one, above) = (family.number("t", "1"), family.number("t", "2"));
        assert!(one.is_some() && one != above && family.number("t2", "1") != one);
        assert!(family.meet(one, above) && !family.meet(one, Number::NONE));
        assert_eq!((family.above(one), family.above(above)), (above, Number::NONE));
        // Named before is not met before.
        assert!(family.meet(above, Number::NONE));
        assert_eq!(family.held(one), None);
        family.hold(one, Some(0));
        assert_eq!((family.held(one), family.held(above)), (Some(0), None));
        family.hold(one, None);
        assert_eq!(family.held(one), None);
        assert_eq!((family.above(Number::NONE), family.held(Number::NONE)), (Number::NONE, None));
    }
}
