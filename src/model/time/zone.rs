//! Zones, and what a local text means in them. Where the clocks were changed, the interval is made wider.

use std::fmt;

use chrono::{DateTime, MappedLocalTime, NaiveDateTime, Offset, TimeZone};
use chrono_tz::Tz;

use super::{DAY, HOUR, Instant, MINUTE, Micros, Res, SECOND, Shown};

/// The zone of local text, from a mapping, `--zone` or a format's documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Zone {
    /// Nobody said: the text may be of any zone.
    #[default]
    Unknown,
    /// UTC.
    Utc,
    /// Seconds east of UTC.
    Fixed(i32),
    /// A place with its history of clock changes.
    Named(Tz),
}

impl Zone {
    /// Reads `UTC`, `Z`, a name such as `Europe/Berlin`, or an offset such as `+02:00`. `None` for anything else.
    pub fn parse(text: &str) -> Option<Zone> {
        if text.eq_ignore_ascii_case("utc") || text.eq_ignore_ascii_case("z") {
            return Some(Zone::Utc);
        }
        match offset(text.as_bytes()) {
            Some(0) => Some(Zone::Utc),
            Some(seconds) => Some(Zone::Fixed(seconds)),
            None => text.parse().ok().map(Zone::Named),
        }
    }

    /// Seconds east of UTC at a moment, for showing local time; `None` where the zone is not known.
    pub fn offset_at(&self, at: Micros) -> Option<i32> {
        match self {
            Zone::Unknown => None,
            Zone::Utc => Some(0),
            Zone::Fixed(seconds) => Some(*seconds),
            Zone::Named(tz) => naive(at.0).map(|utc| offset_from_utc(*tz, &utc)),
        }
    }

    /// The instant of a local text: `local` is its reading as UTC, `res` its resolution with a known zone.
    pub(super) fn resolve(self, local: i64, res: Res) -> Instant {
        match self {
            Zone::Unknown => Instant::new(Micros(local), res.without_zone()),
            Zone::Utc => Instant::new(Micros(local), res),
            Zone::Fixed(seconds) => Instant::new(Micros(local - i64::from(seconds) * SECOND), res),
            Zone::Named(tz) => resolve_named(tz, local, res)
                // The zone does not tell the time to the hour (a day that was skipped): as if it were not known.
                .unwrap_or(Instant::new(Micros(local), res.without_zone())),
        }
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Zone::Unknown => f.write_str("?"),
            Zone::Utc => f.write_str("UTC"),
            Zone::Named(tz) => f.write_str(tz.name()),
            Zone::Fixed(seconds) => {
                let sign = if *seconds < 0 { '-' } else { '+' };
                let (minutes, rest) = (seconds.unsigned_abs() / 60, seconds.unsigned_abs() % 60);
                write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)?;
                if rest > 0 { write!(f, ":{rest:02}") } else { Ok(()) }
            }
        }
    }
}

fn resolve_named(tz: Tz, local: i64, res: Res) -> Option<Instant> {
    let (begin, latest) = readings(tz, local)?;
    if res.row().shown == Shown::Date {
        let (_, end) = readings(tz, local + DAY)?;
        return match end - begin {
            ..=DAY => Some(Instant::new(Micros(begin), Res::Day)),
            length if length <= Res::LongDay.row().width => Some(Instant::new(Micros(begin), Res::LongDay)),
            _ => None,
        };
    }
    match latest - begin {
        0 => Some(Instant::new(Micros(begin), res)),
        ..=HOUR => Some(Instant::new(Micros(begin), Res::Fold)),
        _ => None,
    }
}

/// The earliest and the latest moment that a local time may be. They differ where the clocks were set back (it
/// happened twice) or forward (it did not happen: one of the two clocks was not yet changed).
fn readings(tz: Tz, local: i64) -> Option<(i64, i64)> {
    let text = naive(local)?;
    let at = |offset: i32| local - i64::from(offset) * SECOND;
    let of = |utc: i64| naive(utc).map(|utc| at(offset_from_utc(tz, &utc)));
    let (a, b) = match tz.offset_from_local_datetime(&text) {
        MappedLocalTime::Single(offset) => {
            let only = at(offset.fix().local_minus_utc());
            (only, only)
        }
        MappedLocalTime::Ambiguous(a, b) => (at(a.fix().local_minus_utc()), at(b.fix().local_minus_utc())),
        MappedLocalTime::None => (of(local - DAY)?, of(local + DAY)?),
    };
    Some((a.min(b), a.max(b)))
}

fn offset_from_utc(tz: Tz, utc: &NaiveDateTime) -> i32 {
    tz.offset_from_utc_datetime(utc).fix().local_minus_utc()
}

fn naive(us: i64) -> Option<NaiveDateTime> {
    DateTime::from_timestamp_micros(us).map(|time| time.naive_utc())
}

/// Seconds east of UTC of `+02`, `+0200`, `+02:00` or `+00:53:28`, the whole text.
pub(super) fn offset(text: &[u8]) -> Option<i32> {
    let (sign, digits) = match text {
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let (h, m, s) = match digits {
        [h1, h2] => ([h1, h2], [&b'0'; 2], [&b'0'; 2]),
        [h1, h2, m1, m2] | [h1, h2, b':', m1, m2] => ([h1, h2], [m1, m2], [&b'0'; 2]),
        [h1, h2, b':', m1, m2, b':', s1, s2] => ([h1, h2], [m1, m2], [s1, s2]),
        _ => return None,
    };
    let (h, m, s) = (two(h)?, two(m)?, two(s)?);
    (h < 24 && m < 60 && s < 60).then_some(sign * ((h * 60 + m) * 60 + s))
}

fn two([a, b]: [&u8; 2]) -> Option<i32> {
    let digit = |byte: u8| byte.is_ascii_digit().then(|| i32::from(byte - b'0'));
    Some(digit(*a)? * 10 + digit(*b)?)
}

// One minute is the coarsest resolution of a clock, so a fold of an hour is never wider than this.
const _: () = assert!(Res::Fold.row().width == HOUR + MINUTE);
