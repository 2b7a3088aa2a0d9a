//! The clock of the machine, for entries: wall time, boot, and time since then (`3-lifecycle.md` 3.6.2, `clock`).

use std::time::{SystemTime, UNIX_EPOCH};

use crate::model::time::Micros;

use super::entry::Now;

/// Where Linux says which boot this is, and how long it is up.
const BOOT: &str = "/proc/sys/kernel/random/boot_id";
const UPTIME: &str = "/proc/uptime";

/// Another clock for the tests, which only programs with debug assertions look at: what is written by a released one
/// always has the time of the machine.
#[cfg(debug_assertions)]
fn of_test() -> Option<Now> {
    let text = std::env::var("RECOUNT_TEST_CLOCK").ok()?;
    let at = crate::model::time::parse_time(&text, &crate::model::time::Zone::Utc).begin();
    (!at.is_none()).then(|| Now::fixed(at))
}

/// Now, by the clock of the machine. Where the system does not tell its boot, only the wall time is there.
pub fn now() -> Now {
    #[cfg(debug_assertions)]
    if let Some(now) = of_test() {
        return now;
    }
    let wall = match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_micros()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_micros()).map_or(i64::MIN + 1, |us| -us),
    };
    let boot = std::fs::read_to_string(BOOT).ok().map(|text| text.trim().to_owned());
    let monotonic_ms = std::fs::read_to_string(UPTIME).ok().and_then(|text| up(&text));
    Now { at: Micros(wall), boot, monotonic_ms }
}

/// Milliseconds of `12345.67 ..`.
fn up(text: &str) -> Option<i64> {
    let (seconds, rest) = text.split_whitespace().next()?.split_once('.')?;
    let hundredths: i64 = rest.parse().ok().filter(|_| rest.len() == 2)?;
    seconds.parse::<i64>().ok()?.checked_mul(1000)?.checked_add(hundredths * 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_since_boot_is_read_to_hundredths() {
        assert_eq!(up("12345.67 99999.00\n"), Some(12_345_670));
        assert_eq!(up("0.05 1.00"), Some(50));
        assert_eq!(up("7 1"), None);
        assert_eq!(up(""), None);
    }
}
