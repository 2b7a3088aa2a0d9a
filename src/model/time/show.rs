//! Times and durations as text (`6-screens.md` 7.4.7). Times are shown in UTC; for local time the caller shifts
//! them by `Zone::offset_at`.

use std::fmt::Write as _;

use super::calendar::date_of;
use super::{DAY, HOUR, Instant, MILLI, MINUTE, Micros, Res, SECOND, Shown};

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// What is shown where there is no readable time.
const NO_TIME: &str = "–";

/// A time taken apart.
struct Parts {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
    us: i64,
}

impl Parts {
    fn of(at: Micros) -> Parts {
        let (days, rest) = (at.0.div_euclid(DAY), at.0.rem_euclid(DAY));
        let (year, month, day) = date_of(days);
        let (hour, minute, second) = (rest / HOUR, rest / MINUTE % 60, rest / SECOND % 60);
        Parts { year, month, day, hour, minute, second, us: rest % SECOND }
    }

    /// A day of a known zone begins at a moment that is seldom midnight in UTC. Its date is found from that moment
    /// alone: zones from 10 h west to 13 h east.
    fn of_instant(instant: Instant) -> Parts {
        let row = instant.res.row();
        let day = row.shown == Shown::Date && row.zoned;
        Parts::of(if day { instant.at.plus(13 * HOUR) } else { instant.at })
    }

    fn date(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    fn day_and_month(&self) -> String {
        let month = usize::try_from(self.month - 1).ok().and_then(|at| MONTHS.get(at)).unwrap_or(&"");
        format!("{} {month}", self.day)
    }

    fn minutes(&self) -> String {
        format!("{:02}:{:02}", self.hour, self.minute)
    }

    fn seconds(&self, decimals: u8) -> String {
        let mut text = format!("{}:{:02}", self.minutes(), self.second);
        if decimals > 0 {
            let all = format!("{:06}", self.us);
            let _ = write!(text, ".{all:.width$}", width = usize::from(decimals));
        }
        text
    }

    /// The time of day with so much of it as is known; empty for a date.
    fn shown(&self, shown: Shown) -> String {
        match shown {
            Shown::Seconds(decimals) => self.seconds(decimals),
            Shown::Minutes => self.minutes(),
            Shown::Date | Shown::Nothing => String::new(),
        }
    }
}

/// RFC 3339 in UTC with as many decimals as are needed: `2026-11-30T08:41:00Z`. Empty for [`Micros::NONE`].
pub fn rfc3339(at: Micros) -> String {
    let mut decimals = 6;
    let mut us = at.0.rem_euclid(SECOND);
    while decimals > 0 && us % 10 == 0 {
        us /= 10;
        decimals -= 1;
    }
    rfc3339_with(at, decimals)
}

/// RFC 3339 in UTC with milliseconds always, as entries of the audit log have it: `2026-11-30T08:00:00.000Z`.
pub fn rfc3339_millis(at: Micros) -> String {
    rfc3339_with(at, 3)
}

fn rfc3339_with(at: Micros, decimals: u8) -> String {
    if at.is_none() {
        return String::new();
    }
    let parts = Parts::of(at);
    format!("{}T{}Z", parts.date(), parts.seconds(decimals))
}

/// An instant for copies and exports: ISO with as much as its text had, without `Z` where its zone is not known.
/// Empty where there is no time.
pub fn iso(instant: Instant) -> String {
    if instant.is_none() {
        return String::new();
    }
    let row = instant.res.row();
    let parts = Parts::of_instant(instant);
    match row.shown {
        Shown::Date => parts.date(),
        shown => format!("{}T{}{}", parts.date(), parts.shown(shown), if row.zoned { "Z" } else { "" }),
    }
}

/// An instant on the screen: `08:41:00` for today with as many decimals as its clock has, `28 Nov 08:02:09` for
/// another day, `28 Nov 2025 08:02` for another year; `~` behind it where its zone is not known or it is of one
/// day only. `–` where there is no time.
pub fn clock(instant: Instant, now: Micros) -> String {
    if instant.is_none() {
        return NO_TIME.to_owned();
    }
    let shown = instant.res.row().shown;
    let parts = Parts::of_instant(instant);
    let today = Parts::of(now);
    let other_year = parts.year != today.year;
    let other_day = other_year || (parts.month, parts.day) != (today.month, today.day);
    let time = match shown {
        Shown::Seconds(_) if other_year => parts.minutes(),
        Shown::Seconds(_) if other_day => parts.seconds(0),
        _ => parts.shown(shown),
    };
    let mut text = String::new();
    if other_day || time.is_empty() {
        text.push_str(&parts.day_and_month());
    }
    if other_year {
        let _ = write!(text, " {}", parts.year);
    }
    if !text.is_empty() && !time.is_empty() {
        text.push(' ');
    }
    text.push_str(&time);
    if instant.is_approximate() {
        text.push('~');
    }
    text
}

/// Units of a duration in short.
const SPANS: [(i64, &str); 4] = [(DAY, "d"), (HOUR, "h"), (MINUTE, "m"), (SECOND, "s")];

/// A duration with two units at most and no leading zeros: `1d 21h`, `3h 12m`, `20m`, `27s`. The rest is cut off,
/// the sign is left to the words around it.
pub fn span(us: i64) -> String {
    let us = us.saturating_abs();
    let Some(first) = SPANS.iter().position(|(unit, _)| us >= *unit) else {
        return "0s".to_owned();
    };
    let mut rest = us;
    let mut text = String::new();
    for (unit, name) in SPANS.iter().skip(first).take(2) {
        let count = rest / unit;
        rest %= unit;
        if count > 0 {
            let blank = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{blank}{count}{name}");
        }
    }
    text
}

/// How long ago, in one unit: `12 s`, `23 min`, `47 h`, `2 d`. The rest is cut off; what is not past is `0 s`.
pub fn age(us: i64) -> String {
    const AGES: [(i64, i64, &str); 4] =
        [(2 * DAY, DAY, "d"), (HOUR, HOUR, "h"), (MINUTE, MINUTE, "min"), (0, SECOND, "s")];
    let us = us.max(0);
    let found = AGES.iter().find(|(from, _, _)| us >= *from);
    found.map_or_else(String::new, |(_, unit, name)| format!("{} {name}", us / unit))
}

/// The time between two events: `7.3 s`, `102 ms`; from a minute on as [`span`]. The rest is cut off.
pub fn gap(us: i64) -> String {
    let sign = if us < 0 { "-" } else { "" };
    let size = us.saturating_abs();
    let text = if size < SECOND {
        format!("{} ms", size / MILLI)
    } else if size < MINUTE {
        let tenths = size / (SECOND / 10);
        format!("{}.{} s", tenths / 10, tenths % 10)
    } else {
        span(size)
    };
    format!("{sign}{text}")
}

const NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

/// A number in a sentence: a word up to twelve, figures beyond.
fn number_word(count: i64) -> String {
    let word = usize::try_from(count).ok().and_then(|at| NUMBERS.get(at));
    word.map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// A duration in a sentence: `seven seconds`, `31 minutes`. The unit changes where two of the next are full, the
/// rest is cut off.
pub fn span_words(us: i64) -> String {
    const WORDS: [(i64, i64, &str); 4] = [
        (2 * DAY, DAY, "day"),
        (2 * HOUR, HOUR, "hour"),
        (2 * MINUTE, MINUTE, "minute"),
        (SECOND, SECOND, "second"),
    ];
    let us = us.saturating_abs();
    // Exactly one of a unit reads better than sixty of the smaller one.
    let exact = WORDS.iter().find(|(_, unit, _)| us == *unit);
    let Some((_, unit, name)) = exact.or_else(|| WORDS.iter().find(|(from, _, _)| us >= *from)) else {
        return "less than a second".to_owned();
    };
    let count = us / unit;
    format!("{} {name}{}", number_word(count), if count == 1 { "" } else { "s" })
}

// `Res` names every width that `Parts::shown` can be asked for; a new one must be placed in `RES`.
const _: () = assert!(Res::Unreadable as usize + 1 == super::RES.len());
