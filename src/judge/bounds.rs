//! How many effects the calls of an intent can explain: `[LO, HI]` (`2-judge.md` 2.3).

use crate::model::time::Micros;

use super::calls::{Call, Calls, Tried, key_slot};
use super::facts::Idempotent;
use super::scratch::with_slots;

/// Bounds on the number of effects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// At least so many.
    pub lo: u32,
    /// At most so many.
    pub hi: u32,
}

/// What the calls alone allow, before rows on their way and the cap of a covered listing.
pub fn bounds(calls: Calls<'_>, tried: &Tried) -> Bounds {
    match tried.idempotent {
        Idempotent::No => one_by_one(tried),
        Idempotent::Yes => by_key(calls),
        Idempotent::Unknown if tried.writes == 1 => one_by_one(tried),
        Idempotent::Unknown => {
            // Stored answers of two keys prove two effects, more than the other formula allows for.
            let lo = by_key(calls).lo;
            Bounds { lo, hi: one_by_one(tried).hi.max(lo) }
        }
    }
}

/// `no`: each call may act by itself.
fn one_by_one(tried: &Tried) -> Bounds {
    let floor = u32::from(tried.before > 0);
    Bounds { lo: tried.ok.max(floor), hi: (tried.ok + tried.unsettled()).max(floor) }
}

/// One key within its retention.
#[derive(Clone, Copy)]
struct Epoch {
    start: Micros,
    yes: bool,
    maybe: bool,
}

impl Epoch {
    const EMPTY: Self = Self { start: Micros::NONE, yes: false, maybe: false };

    fn of(call: &Call<'_>) -> Self {
        Self { start: call.attempt.row.sent, yes: call.class.told_yes(), maybe: call.class.unsettled() }
    }

    fn add_to(self, sum: &mut Bounds) {
        sum.lo += u32::from(self.yes);
        sum.hi += u32::from(self.yes || self.maybe);
    }

    /// The tool has forgotten the key by the time of this call.
    fn forgotten(&self, call: &Call<'_>) -> bool {
        let sent = call.attempt.row.sent;
        let known = !self.start.is_none() && !sent.is_none();
        let kept = call.tool.and_then(|t| t.retention);
        known && kept.is_some_and(|kept| sent.since(self.start) > kept)
    }
}

/// `yes`: one effect per key and epoch; a call without a key is its own.
fn by_key(calls: Calls<'_>) -> Bounds {
    let mut sum = Bounds { lo: 0, hi: 0 };
    let count = calls.len() + 1;
    with_slots(count, Epoch::EMPTY, |epochs| {
        for call in calls.iter() {
            let next = Epoch::of(&call);
            match key_slot(call.attempt, count).and_then(|k| epochs.get_mut(k)) {
                None => next.add_to(&mut sum),
                Some(epoch) if epoch.forgotten(&call) => std::mem::replace(epoch, next).add_to(&mut sum),
                Some(epoch) => {
                    if epoch.start.is_none() {
                        epoch.start = next.start;
                    }
                    epoch.yes |= next.yes;
                    epoch.maybe |= next.maybe;
                }
            }
        }
        for epoch in epochs {
            epoch.add_to(&mut sum);
        }
    });
    sum
}
