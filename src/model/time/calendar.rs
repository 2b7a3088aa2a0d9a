//! Dates of the proleptic Gregorian calendar as days since 1970-01-01, in whole numbers.

/// Days of 400 years.
const ERA: i64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const TO_EPOCH: i64 = 719_468;

/// Days since 1970-01-01, or `None` for a date that does not exist. Years 1 to 9999.
#[inline]
pub(super) fn days_of(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) || day < 1 {
        return None;
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if day > last {
        return None;
    }
    // Years begin in March, so that the leap day is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    Some(era * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - TO_EPOCH)
}

/// Year, month and day of a number of days since 1970-01-01.
pub(super) fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + TO_EPOCH;
    let era = days.div_euclid(ERA);
    let of_era = days.rem_euclid(ERA);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let year = year + era * 400;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_ten_thousand_years() {
        let first = days_of(1, 1, 1).unwrap();
        let last = days_of(9999, 12, 31).unwrap();
        assert_eq!((first, last), (-719_162, 2_932_896));
        assert_eq!(days_of(1970, 1, 1), Some(0));
        let mut expected = (1, 1, 1);
        for days in first..=last {
            let (year, month, day) = date_of(days);
            assert_eq!((year, month, day), expected);
            assert_eq!(days_of(year, month, day), Some(days));
            let next = [(year, month, day + 1), (year, month + 1, 1), (year + 1, 1, 1)];
            expected = next.into_iter().find(|(y, m, d)| days_of(*y, *m, *d).is_some()).unwrap_or((0, 0, 0));
        }
    }

    #[test]
    fn dates_that_do_not_exist() {
        for (year, month, day) in [(0, 1, 1), (10_000, 1, 1), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0)] {
            assert_eq!(days_of(year, month, day), None);
        }
        assert_eq!(days_of(2026, 2, 29), None);
        assert_eq!(days_of(1900, 2, 29), None);
        assert!(days_of(2000, 2, 29).is_some() && days_of(2028, 2, 29).is_some());
        assert_eq!(days_of(2026, 4, 31), None);
        assert_eq!(days_of(2026, 12, 32), None);
    }
}
