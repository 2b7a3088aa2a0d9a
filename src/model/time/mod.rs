//! Instants as intervals: a time is as exact as its text, its zone and its clock (`1-model.md` 1.3).
//!
//! A row is never unreadable because of its time. What is not known makes the interval wider, and two instants
//! have an order only where their intervals do not touch.

mod calendar;
mod parse;
mod show;
#[cfg(test)]
mod tests;
mod zone;

pub use parse::{Epoch, Times, parse_duration, parse_epoch, parse_time};
pub use show::{age, clock, gap, iso, rfc3339, rfc3339_millis, span, span_words};
pub use zone::Zone;

/// One millisecond in microseconds.
pub const MILLI: i64 = 1_000;
/// One second in microseconds.
pub const SECOND: i64 = 1_000_000;
/// One minute in microseconds.
pub const MINUTE: i64 = 60 * SECOND;
/// One hour in microseconds.
pub const HOUR: i64 = 60 * MINUTE;
/// One day of 24 hours in microseconds.
pub const DAY: i64 = 24 * HOUR;

/// No zone is further east, so no local text is later in UTC than this after its reading as UTC.
const FARTHEST_EAST: i64 = 14 * HOUR;
/// No zone is further west.
const FARTHEST_WEST: i64 = 12 * HOUR;

/// Microseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Micros(pub i64);

impl Micros {
    /// No time. Sorts before every time.
    pub const NONE: Micros = Micros(i64::MIN);
    /// The end of an interval that has none. Never a time that was read.
    pub const FOREVER: Micros = Micros(i64::MAX);

    /// Is there no time?
    pub const fn is_none(self) -> bool {
        self.0 == Micros::NONE.0
    }

    /// This many microseconds later (earlier if negative); stays at the ends.
    #[must_use]
    pub const fn plus(self, us: i64) -> Micros {
        Micros(self.0.saturating_add(us))
    }

    /// Microseconds from another time to this one; negative if this one is earlier.
    pub const fn since(self, earlier: Micros) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// How exact a time is: the width of its text, and whether its zone is known.
///
/// `Micro10` is a text with five decimals and so on. The names with `Local` have no zone. [`RES`] has the figures.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Res {
    /// A microsecond, also where the text has more decimals.
    Micro,
    /// Ten microseconds.
    Micro10,
    /// A hundred microseconds.
    Micro100,
    /// A millisecond.
    Milli,
    /// Ten milliseconds.
    Milli10,
    /// A tenth of a second.
    Milli100,
    /// A second.
    Second,
    /// A minute.
    Minute,
    /// Local text where the clocks were changed: one of two times an hour apart, or a time that did not exist.
    Fold,
    /// A date in a known zone.
    Day,
    /// A date in a known zone on which the clocks were set back.
    LongDay,
    /// As [`Res::Micro`], without a zone.
    LocalMicro,
    /// As [`Res::Micro10`], without a zone.
    LocalMicro10,
    /// As [`Res::Micro100`], without a zone.
    LocalMicro100,
    /// As [`Res::Milli`], without a zone.
    LocalMilli,
    /// As [`Res::Milli10`], without a zone.
    LocalMilli10,
    /// As [`Res::Milli100`], without a zone.
    LocalMilli100,
    /// As [`Res::Second`], without a zone.
    LocalSecond,
    /// As [`Res::Minute`], without a zone.
    LocalMinute,
    /// A date without a zone: that day over all zones.
    LocalDay,
    /// No time, or one that cannot be read: an unbounded interval.
    Unreadable,
}

/// What a [`Res`] means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResRow {
    /// The resolution.
    pub res: Res,
    /// How long after the time the moment may be, in microseconds, the zone aside.
    pub width: i64,
    /// How many parts of a clock are known.
    pub shown: Shown,
    /// Is the zone known?
    pub zoned: bool,
}

/// How much of a time its text gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// The date alone.
    Date,
    /// Hours and minutes.
    Minutes,
    /// Seconds, with this many decimals.
    Seconds(u8),
    /// Nothing.
    Nothing,
}

const fn row(res: Res, width: i64, shown: Shown, zoned: bool) -> ResRow {
    ResRow { res, width, shown, zoned }
}

/// Every resolution with its figures, in the order of [`Res`].
pub const RES: [ResRow; 21] = [
    row(Res::Micro, 1, Shown::Seconds(6), true),
    row(Res::Micro10, 10, Shown::Seconds(5), true),
    row(Res::Micro100, 100, Shown::Seconds(4), true),
    row(Res::Milli, MILLI, Shown::Seconds(3), true),
    row(Res::Milli10, 10 * MILLI, Shown::Seconds(2), true),
    row(Res::Milli100, 100 * MILLI, Shown::Seconds(1), true),
    row(Res::Second, SECOND, Shown::Seconds(0), true),
    row(Res::Minute, MINUTE, Shown::Minutes, true),
    row(Res::Fold, HOUR + MINUTE, Shown::Seconds(0), true),
    row(Res::Day, DAY, Shown::Date, true),
    row(Res::LongDay, DAY + HOUR, Shown::Date, true),
    row(Res::LocalMicro, 1, Shown::Seconds(6), false),
    row(Res::LocalMicro10, 10, Shown::Seconds(5), false),
    row(Res::LocalMicro100, 100, Shown::Seconds(4), false),
    row(Res::LocalMilli, MILLI, Shown::Seconds(3), false),
    row(Res::LocalMilli10, 10 * MILLI, Shown::Seconds(2), false),
    row(Res::LocalMilli100, 100 * MILLI, Shown::Seconds(1), false),
    row(Res::LocalSecond, SECOND, Shown::Seconds(0), false),
    row(Res::LocalMinute, MINUTE, Shown::Minutes, false),
    row(Res::LocalDay, DAY, Shown::Date, false),
    row(Res::Unreadable, 0, Shown::Nothing, false),
];

impl Res {
    /// The figures of this resolution.
    pub const fn row(self) -> ResRow {
        RES[self as usize]
    }

    /// The resolution of a text with so many decimals of a second.
    pub(crate) fn of_decimals(decimals: usize) -> Res {
        const BY_DECIMALS: [Res; 7] =
            [Res::Second, Res::Milli100, Res::Milli10, Res::Milli, Res::Micro100, Res::Micro10, Res::Micro];
        BY_DECIMALS.get(decimals).copied().unwrap_or(Res::Micro)
    }

    /// The same width without a zone. What has no such form stays as it is.
    pub(crate) fn without_zone(self) -> Res {
        let same = |row: &&ResRow| !row.zoned && row.shown == self.row().shown;
        match self {
            Res::Fold => self,
            _ => RES.iter().find(same).map_or(self, |row| row.res),
        }
    }

    /// This resolution, or the next coarser one of the same kind that is at least so wide: `resolution_ms` of a
    /// mapping, for a clock that prints more decimals than it has. Wider than a minute is a day.
    #[must_use]
    pub fn at_least(self, us: i64) -> Res {
        let from = self.row();
        if self == Res::Unreadable || from.width >= us {
            return self;
        }
        let fits = |row: &&ResRow| row.zoned == from.zoned && row.width >= us && row.res != Res::Fold;
        let coarser = RES.iter().find(fits);
        coarser.map_or(if from.zoned { Res::LongDay } else { Res::LocalDay }, |row| row.res)
    }
}

/// A moment as it was told: the earliest reading of its text, and how exact it is.
///
/// Without a zone `at` is the text read as UTC; the interval is wider on both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Instant {
    /// The time, or [`Micros::NONE`].
    pub at: Micros,
    /// How exact it is.
    pub res: Res,
}

impl Instant {
    /// No time, or one that cannot be read.
    pub const NONE: Instant = Instant { at: Micros::NONE, res: Res::Unreadable };

    /// A moment of a known zone.
    pub const fn new(at: Micros, res: Res) -> Instant {
        Instant { at, res }
    }

    /// Is there no readable time?
    pub fn is_none(self) -> bool {
        self.at.is_none() || self.res == Res::Unreadable
    }

    /// The earliest moment it may stand for, the skew of its clock aside.
    pub fn begin(self) -> Micros {
        if self.is_none() {
            return Micros::NONE;
        }
        if self.res.row().zoned { self.at } else { self.at.plus(-FARTHEST_EAST) }
    }

    /// The latest moment it may stand for, the skew of its clock aside.
    pub fn end(self) -> Micros {
        if self.is_none() {
            return Micros::FOREVER;
        }
        let row = self.res.row();
        self.at.plus(row.width).plus(if row.zoned { 0 } else { FARTHEST_WEST })
    }

    /// The interval it stands for: from `t - skew` to `t + resolution + skew`, wider where the zone is not known,
    /// without bounds where there is no time. `skew_us` is the declared bound of its clock.
    pub fn interval(self, skew_us: i64) -> (Micros, Micros) {
        if self.is_none() {
            return (Micros::NONE, Micros::FOREVER);
        }
        (self.begin().plus(skew_us.saturating_neg()), self.end().plus(skew_us))
    }

    /// Did it happen before the other for certain: does its interval end before the other's begins? If neither
    /// is before the other, their order is not known, and no rule may assume one.
    pub fn is_before(self, skew_us: i64, other: Instant, other_skew_us: i64) -> bool {
        self.interval(skew_us).1 < other.interval(other_skew_us).0
    }

    /// Is its zone known, so that its interval is as narrow as its text?
    pub fn exact_zone(self) -> bool {
        self.res.row().zoned && !self.is_none()
    }

    /// Is it drawn with `~`: without zone, of one day only, or where the clocks were changed?
    pub fn is_approximate(self) -> bool {
        let row = self.res.row();
        !self.is_none() && (!row.zoned || row.shown == Shown::Date || self.res == Res::Fold)
    }
}
