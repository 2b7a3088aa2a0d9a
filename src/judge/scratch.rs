//! A few slots on the stack for the usual intent, on the heap for the large one: the inner loop does not allocate.

/// Slots that lie on the stack.
const FEW: usize = 4;

/// Calls `work` with `count` slots, all of them `empty`.
pub fn with_slots<T: Copy, R>(count: usize, empty: T, work: impl FnOnce(&mut [T]) -> R) -> R {
    let mut few = [empty; FEW];
    match few.get_mut(..count) {
        Some(slots) => work(slots),
        None => work(&mut vec![empty; count]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_slots_as_asked_for() {
        for count in [0, 1, FEW, FEW + 1, 1000] {
            assert_eq!(
                with_slots(count, 7_u8, |slots| (slots.len(), slots.iter().all(|s| *s == 7))),
                (count, true)
            );
        }
    }
}
