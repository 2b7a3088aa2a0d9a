//! H24, unknown over-used.

use super::facts::{Run, Whole, World};
use super::found::Found;
use crate::model::money::parse_decimal;

/// A large share of the finished write attempts of the case is unknown. The share is compared exactly.
pub fn whole(whole: &Whole, _: &[Run], world: &World<'_>) -> Vec<Found> {
    let share = world.asked.limit("H24", "share");
    let Ok(limit) = parse_decimal(share) else {
        return Vec::new();
    };
    let least = world.asked.whole("H24", "attempts");
    let scale = 10_i128.checked_pow(u32::from(limit.scale)).unwrap_or(i128::MAX);
    // unknown / finished >= digits / scale, without dividing.
    let reached = i128::from(whole.unknown).saturating_mul(scale)
        >= i128::from(limit.digits).saturating_mul(i128::from(whole.finished));
    if whole.finished < least || whole.finished == 0 || whole.unknown == 0 || !reached {
        return Vec::new();
    }
    let found = Found::new(format!("{} of {}", whole.unknown, whole.finished), share.to_owned())
        .with("u", whole.unknown.to_string())
        .with("n", whole.finished.to_string());
    vec![found]
}

#[cfg(test)]
mod tests {
    use super::super::asked::Asked;
    use super::super::sample::whole_fires;
    use super::*;

    fn of(unknown: u64, finished: u64) -> usize {
        whole_fires("H24", &Whole { finished, unknown, ..Whole::default() }, &[], &Asked::default()).len()
    }

    #[test]
    fn h24_below() {
        assert_eq!([of(4, 20), of(7, 19), of(0, 20), of(0, 0)], [0; 4]);
    }

    #[test]
    fn h24_above() {
        assert_eq!([of(5, 20), of(6, 20), of(7, 21)], [1; 3]);
        let whole = Whole { unknown: 5, finished: 20, ..Whole::default() };
        let found = whole_fires("H24", &whole, &[], &Asked::default());
        assert_eq!(found[0].what, "5 of 20 finished attempts are unknown.");
        assert_eq!((&*found[0].measured, &*found[0].threshold), ("5 of 20", "0.25"));
    }
}
