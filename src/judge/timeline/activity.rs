//! How many calls were sent and how many effects committed over the time of a case: what its plot is drawn from.

use super::Window;
use crate::model::time::Micros;

/// Stretches that a case is counted in. More than any screen has columns.
pub const STRETCHES: u16 = 480;

/// Calls and effects per stretch of equal length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Activity {
    /// From the first to the last of them.
    pub window: Window,
    /// Write attempts by when they were sent.
    pub attempts: Vec<u64>,
    /// Effects by when they were committed, copies left out.
    pub effects: Vec<u64>,
}

impl Activity {
    /// Counts moments; those without a time are left out. `None` where none has one.
    pub fn of(
        attempts: impl Iterator<Item = Micros> + Clone,
        effects: impl Iterator<Item = Micros> + Clone,
    ) -> Option<Self> {
        let timed = |at: &Micros| !at.is_none();
        // The calls say which stretch is looked at: a ledger may be years older.
        let spans = |all: &mut dyn Iterator<Item = Micros>| {
            all.fold(None, |span: Option<(Micros, Micros)>, at| {
                Some(span.map_or((at, at), |(a, b)| (a.min(at), b.max(at))))
            })
        };
        let calls = spans(&mut attempts.clone().filter(timed));
        let (from, to) = calls.or_else(|| spans(&mut effects.clone().filter(timed)))?;
        let window = Window { from, to: to.plus(1) };
        let count = |all: &mut dyn Iterator<Item = Micros>| {
            let mut counts = vec![0_u64; usize::from(STRETCHES)];
            for at in all.filter(|at| window.holds(*at)) {
                if let Some(count) = counts.get_mut(usize::from(window.cell(at, STRETCHES))) {
                    *count += 1;
                }
            }
            counts
        };
        Some(Self { window, attempts: count(&mut attempts.clone()), effects: count(&mut effects.clone()) })
    }

    /// The counts in so many cells: each stretch lies in one cell, and nothing is lost.
    pub fn in_cells(counts: &[u64], cells: u16) -> Vec<u64> {
        let cells = usize::from(cells).min(counts.len()).max(1);
        let mut sums = vec![0_u64; cells];
        for (at, count) in counts.iter().enumerate() {
            if let Some(sum) = sums.get_mut(at * cells / counts.len().max(1)) {
                *sum += count;
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_moment_is_counted_once() {
        let at = |us: i64| Micros(us);
        let calls = [at(0), at(10), at(10), at(1_000), Micros::NONE];
        let effects = [at(-5), at(500), at(1_001), at(9_000)];
        let activity = Activity::of(calls.into_iter(), effects.into_iter()).unwrap();
        assert_eq!((activity.window.from, activity.window.to), (at(0), at(1_001)));
        assert_eq!(activity.attempts.iter().sum::<u64>(), 4);
        assert_eq!(activity.effects.iter().sum::<u64>(), 2, "what lies outside the calls is left out");
        for cells in [1, 7, 80, 480, 900] {
            let sums = Activity::in_cells(&activity.attempts, cells);
            assert_eq!((sums.iter().sum::<u64>(), sums.len()), (4, usize::from(cells.min(STRETCHES))));
        }
    }

    #[test]
    fn without_calls_the_ledger_says_which_stretch_it_is() {
        let activity = Activity::of(std::iter::empty(), [Micros(5), Micros(9)].into_iter()).unwrap();
        assert_eq!(activity.window.length(), 5);
        assert!(Activity::of(std::iter::empty(), [Micros::NONE].into_iter()).is_none());
    }
}
