//! From text to instants. What cannot be read is an instant without bounds, never an error (`1-model.md` 1.3).

use super::calendar::days_of;
use super::zone::{Zone, offset};
use super::{DAY, HOUR, Instant, MILLI, MINUTE, Micros, Res, SECOND};

/// Reads a time. Text without a zone is read in `zone`; where that is not known, the instant has none.
///
/// Forms: RFC 3339; `2026-11-30 01:01:01.4+00` as `psql` prints; the same without zone, without seconds, or the
/// date alone; an epoch number of 10, 13, 16 or 19 digits (s, ms, us, ns). Blanks around it are ignored,
/// decimals beyond microseconds are cut off, the leap second `:60` is the second after `:59`. Years 1 to 9999.
/// Everything else is [`Instant::NONE`].
#[inline]
pub fn parse_time(raw: &str, zone: &Zone) -> Instant {
    rfc3339_utc(raw.as_bytes())
        .unwrap_or_else(|| read(raw.as_bytes().trim_ascii(), *zone).unwrap_or(Instant::NONE))
}

/// Reads times of which most have the minute of the one before: date, hour and minute are not worked out again. Gives
/// just what [`parse_time`] gives.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// `YYYY-MM-DDTHH:MM:`.
    minute: [u8; 17],
    /// Microseconds of its begin; `None` where it is not of this form.
    begin: Option<i64>,
}

impl Times {
    /// As [`parse_time`].
    #[inline]
    pub fn read(&mut self, raw: &str, zone: Zone) -> Instant {
        self.same_minute(raw.as_bytes()).unwrap_or_else(|| self.other(raw, zone))
    }

    #[inline]
    fn same_minute(&self, bytes: &[u8]) -> Option<Instant> {
        let (minute, rest) = bytes.split_first_chunk::<17>()?;
        if *minute == self.minute { seconds(self.begin?, rest) } else { None }
    }

    fn other(&mut self, raw: &str, zone: Zone) -> Instant {
        if let Some((minute, _)) = raw.as_bytes().split_first_chunk::<17>() {
            (self.minute, self.begin) = (*minute, minute_of(minute));
        }
        parse_time(raw, &zone)
    }
}

/// The value of two digits; anything else is 255.
#[inline]
fn two(bytes: [u8; 2]) -> u8 {
    let [a, b] = [bytes[0].wrapping_sub(b'0'), bytes[1].wrapping_sub(b'0')];
    if a < 10 && b < 10 { a * 10 + b } else { u8::MAX }
}

/// Microseconds of a date and a time of day, if both exist.
#[inline]
fn moment(date: [u8; 4], [hour, minute, second]: [u8; 3]) -> Option<i64> {
    if date[0] > 99 || date[1] > 99 || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let [century, year, month, day] = date.map(i64::from);
    let [hour, minute, second] = [hour, minute, second].map(i64::from);
    Some(days_of(century * 100 + year, month, day)? * DAY + hour * HOUR + minute * MINUTE + second * SECOND)
}

/// The form that nearly every trace has, `YYYY-MM-DDTHH:MM:SS(.d{1,9})?Z`. It is read once per record, so it goes
/// by bytes, without allocation.
#[inline]
fn rfc3339_utc(bytes: &[u8]) -> Option<Instant> {
    let (date, rest) = bytes.split_first_chunk::<10>()?;
    time_of_day(day(date)?, rest)
}

/// Microseconds of the begin of a day `YYYY-MM-DD`.
#[inline]
fn day(date: &[u8; 10]) -> Option<i64> {
    let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = date else {
        return None;
    };
    moment([two([y1, y2]), two([y3, y4]), two([m1, m2]), two([d1, d2])], [0; 3])
}

/// `THH:MM:SS(.d{1,9})?Z` of a day.
#[inline]
fn time_of_day(day: i64, bytes: &[u8]) -> Option<Instant> {
    let (head, rest) = bytes.split_first_chunk::<7>()?;
    seconds(day + hour_and_minute(*head)?, rest)
}

/// Microseconds of `THH:MM:`.
#[inline]
fn hour_and_minute(bytes: [u8; 7]) -> Option<i64> {
    let [b'T', h1, h2, b':', n1, n2, b':'] = bytes else {
        return None;
    };
    let [hour, minute] = [two([h1, h2]), two([n1, n2])];
    (hour <= 23 && minute <= 59).then(|| i64::from(hour) * HOUR + i64::from(minute) * MINUTE)
}

/// Microseconds of the begin of `YYYY-MM-DDTHH:MM:`.
fn minute_of(bytes: &[u8; 17]) -> Option<i64> {
    let (date, rest) = bytes.split_first_chunk::<10>()?;
    Some(day(date)? + hour_and_minute(*rest.first_chunk()?)?)
}

/// `SS(.d{1,9})?Z` of a minute.
#[inline]
fn seconds(minute: i64, bytes: &[u8]) -> Option<Instant> {
    let (&[s1, s2], rest) = bytes.split_first_chunk::<2>()?;
    let second = two([s1, s2]);
    if second > 60 {
        return None;
    }
    let (us, res) = match rest {
        [b'.', a, b, c, b'Z'] => (thousandths([*a, *b, *c])?, Res::Milli),
        [b'Z'] => (0, Res::Second),
        [b'.', digits @ .., b'Z'] if (1..=9).contains(&digits.len()) => fraction(digits)?,
        _ => return None,
    };
    Some(Instant::new(Micros(minute + i64::from(second) * SECOND + us), res))
}

/// [`fraction`] of the three digits that most times have.
#[inline]
fn thousandths(digits: [u8; 3]) -> Option<i64> {
    let [a, b, c] = digits.map(|digit| digit.wrapping_sub(b'0'));
    let value = i64::from(a) * 100 + i64::from(b) * 10 + i64::from(c);
    (a < 10 && b < 10 && c < 10).then_some(value * MILLI)
}

/// Microseconds of the decimals of a second, cut off beyond the sixth, and their resolution.
#[inline]
fn fraction(digits: &[u8]) -> Option<(i64, Res)> {
    let mut us = 0;
    let mut place = 100_000;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        us += i64::from(digit) * place;
        place /= 10;
    }
    Some((us, Res::of_decimals(digits.len())))
}

/// The general form: date, then perhaps a time of day, then perhaps a zone.
fn read(bytes: &[u8], zone: Zone) -> Option<Instant> {
    let (head, rest) = bytes.split_first_chunk::<10>()?;
    let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = head else {
        return epoch(bytes);
    };
    let date = [two([y1, y2]), two([y3, y4]), two([m1, m2]), two([d1, d2])];
    let rest = match rest {
        [] => return Some(zone.resolve(moment(date, [0; 3])?, Res::Day)),
        [b'T' | b't' | b' ', rest @ ..] => rest,
        _ => return None,
    };
    let (&[h1, h2, b':', n1, n2], rest) = rest.split_first_chunk::<5>()? else {
        return None;
    };
    let (second, rest) = match rest {
        [b':', s1, s2, rest @ ..] => (Some(two([*s1, *s2])), rest),
        _ => (None, rest),
    };
    let whole = moment(date, [two([h1, h2]), two([n1, n2]), second.unwrap_or(0)])?;
    let (us, res, rest) = match (second, rest) {
        (None, _) => (0, Res::Minute, rest),
        (Some(_), [b'.' | b',', rest @ ..]) => {
            let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (digits, rest) = rest.split_at(count);
            let (us, res) = fraction(digits).filter(|_| count > 0)?;
            (us, res, rest)
        }
        (Some(_), _) => (0, Res::Second, rest),
    };
    let local = whole + us;
    match rest.trim_ascii_start() {
        [] => Some(zone.resolve(local, res)),
        [b'Z' | b'z'] | b"UTC" => Some(Instant::new(Micros(local), res)),
        text => Some(Instant::new(Micros(local - i64::from(offset(text)?) * SECOND), res)),
    }
}

/// What a number counts, where a mapping says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Epoch {
    /// Seconds since 1970.
    Seconds,
    /// Milliseconds since 1970.
    Millis,
    /// Microseconds since 1970.
    Micros,
    /// Nanoseconds since 1970.
    Nanos,
}

/// The unit of an epoch number, how many digits it has in our days, and how many of them are decimals of a second.
const EPOCHS: [(Epoch, usize, usize); 4] =
    [(Epoch::Seconds, 10, 0), (Epoch::Millis, 13, 3), (Epoch::Micros, 16, 6), (Epoch::Nanos, 19, 9)];

/// Reads an epoch number whose unit the mapping names, of any number of digits, perhaps with decimals.
/// Times before 1970 and everything else are [`Instant::NONE`].
pub fn parse_epoch(raw: &str, unit: Epoch) -> Instant {
    let decimals = EPOCHS.iter().find(|row| row.0 == unit).map_or(0, |row| row.2);
    epoch_number(raw.as_bytes().trim_ascii(), |_| Some(decimals)).unwrap_or(Instant::NONE)
}

fn epoch(bytes: &[u8]) -> Option<Instant> {
    epoch_number(bytes, |digits| EPOCHS.iter().find(|row| row.1 == digits).map(|row| row.2))
}

/// `unit` gives the decimals of a second that the whole number holds, by its number of digits.
fn epoch_number(bytes: &[u8], unit: impl Fn(usize) -> Option<usize>) -> Option<Instant> {
    let count = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (whole, rest) = bytes.split_at(count);
    let decimals = unit(count).filter(|_| count > 0)?;
    let fraction = match rest {
        [] => rest,
        [b'.', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => digits,
        _ => return None,
    };
    // All digits up to the microsecond, in order; what is beyond is cut off.
    let digits = (whole.len() + 6).saturating_sub(decimals);
    let shown = whole.iter().chain(fraction).copied().chain(std::iter::repeat(b'0'));
    let us = shown
        .take(digits)
        .try_fold(0_i64, |sum, byte| sum.checked_mul(10)?.checked_add(i64::from(byte - b'0')))?;
    let end = (days_of(9999, 12, 31)? + 1) * DAY;
    let res = Res::of_decimals(decimals + fraction.len());
    (us < end).then_some(Instant::new(Micros(us), res))
}

/// Units of a duration, longest name first where one begins another.
const DURATIONS: [(&str, i64); 5] = [("ms", MILLI), ("s", SECOND), ("m", MINUTE), ("h", HOUR), ("d", DAY)];

/// Reads `500ms`, `90s`, `5m`, `4h` or `30d` as microseconds. A unit is needed; `None` for everything else.
pub fn parse_duration(text: &str) -> Option<i64> {
    let (number, us) =
        DURATIONS.iter().find_map(|(unit, us)| text.strip_suffix(unit).map(|rest| (rest, *us)))?;
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    number.parse::<i64>().ok()?.checked_mul(us)
}
