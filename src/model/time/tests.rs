//! Every form of `1-model.md` 1.3, intervals to the microsecond, and texts of `6-screens.md` 7.4.7.

use chrono::NaiveDateTime;
use proptest::prelude::*;

use super::*;

fn utc(raw: &str) -> Instant {
    parse_time(raw, &Zone::Utc)
}

fn unzoned(raw: &str) -> Instant {
    parse_time(raw, &Zone::Unknown)
}

fn berlin() -> Zone {
    Zone::parse("Europe/Berlin").unwrap()
}

/// Microseconds of a time, by another library.
fn us(text: &str) -> i64 {
    NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.fZ").unwrap().and_utc().timestamp_micros()
}

fn instant(text: &str, res: Res) -> Instant {
    Instant::new(Micros(us(text)), res)
}

#[test]
fn the_table_is_in_the_order_of_its_names() {
    for (at, row) in RES.iter().enumerate() {
        assert_eq!(row.res as usize, at);
        assert_eq!(row.res.row(), *row);
    }
    assert_eq!(size_of::<Res>(), 1);
}

#[test]
fn rfc_3339() {
    let table = [
        ("2026-11-30T08:41:00Z", "2026-11-30T08:41:00Z", Res::Second),
        ("2026-11-30T08:41:00.4Z", "2026-11-30T08:41:00.4Z", Res::Milli100),
        ("2026-11-30T08:41:00.42Z", "2026-11-30T08:41:00.42Z", Res::Milli10),
        ("2026-11-30T08:40:58.102Z", "2026-11-30T08:40:58.102Z", Res::Milli),
        ("2026-11-30T08:40:58.1020Z", "2026-11-30T08:40:58.102Z", Res::Micro100),
        ("2026-11-30T08:40:58.10203Z", "2026-11-30T08:40:58.10203Z", Res::Micro10),
        ("2026-11-30T08:40:58.102030Z", "2026-11-30T08:40:58.10203Z", Res::Micro),
        ("2026-11-30T08:40:58.102030999Z", "2026-11-30T08:40:58.10203Z", Res::Micro),
        ("2026-11-30T08:40:58.1020309999999Z", "2026-11-30T08:40:58.10203Z", Res::Micro),
        ("2026-11-30T08:41:00+00:00", "2026-11-30T08:41:00Z", Res::Second),
        ("2026-11-30T08:41:00-00:00", "2026-11-30T08:41:00Z", Res::Second),
        ("2026-11-30T10:41:00+02:00", "2026-11-30T08:41:00Z", Res::Second),
        ("2026-11-30T03:11:00.5-05:30", "2026-11-30T08:41:00.5Z", Res::Milli100),
        ("2026-11-30t08:41:00z", "2026-11-30T08:41:00Z", Res::Second),
        ("2026-11-30 08:41:00Z", "2026-11-30T08:41:00Z", Res::Second),
        ("2026-11-30T08:41:00,250Z", "2026-11-30T08:41:00.25Z", Res::Milli),
        ("2026-11-30T08:41Z", "2026-11-30T08:41:00Z", Res::Minute),
        ("2026-11-30T08:41+01:00", "2026-11-30T07:41:00Z", Res::Minute),
        ("2026-12-31T23:59:60Z", "2027-01-01T00:00:00Z", Res::Second),
        ("2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00.5Z", Res::Milli100),
        ("2028-02-29T00:00:00Z", "2028-02-29T00:00:00Z", Res::Second),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", Res::Second),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z", Res::Micro),
        ("  2026-11-30T08:41:00Z\r\n", "2026-11-30T08:41:00Z", Res::Second),
    ];
    for (raw, at, res) in table {
        assert_eq!(unzoned(raw), instant(at, res), "{raw}");
        assert_eq!(parse_time(raw, &berlin()), instant(at, res), "{raw}");
    }
}

#[test]
fn psql_text() {
    let table = [
        ("2026-11-30 01:01:01.4+00", "2026-11-30T01:01:01.4Z", Res::Milli100),
        ("2026-11-30 01:01:01+00", "2026-11-30T01:01:01Z", Res::Second),
        ("2026-11-30 01:01:01.123456+02", "2026-11-29T23:01:01.123456Z", Res::Micro),
        ("2026-11-30 01:01:01-0730", "2026-11-30T08:31:01Z", Res::Second),
        ("1890-01-01 01:01:01+00:53:28", "1890-01-01T00:07:33Z", Res::Second),
        ("2026-11-30 08:41:00 +02:00", "2026-11-30T06:41:00Z", Res::Second),
        ("2026-11-30 08:41:00 UTC", "2026-11-30T08:41:00Z", Res::Second),
    ];
    for (raw, at, res) in table {
        assert_eq!(unzoned(raw), instant(at, res), "{raw}");
    }
}

#[test]
fn epoch_numbers() {
    let at = "2025-11-30T08:41:00Z";
    let table = [
        ("1764492060", at, Res::Second),
        ("1764492060123", "2025-11-30T08:41:00.123Z", Res::Milli),
        ("1764492060123456", "2025-11-30T08:41:00.123456Z", Res::Micro),
        ("1764492060123456789", "2025-11-30T08:41:00.123456Z", Res::Micro),
        ("1764492060.5", "2025-11-30T08:41:00.5Z", Res::Milli100),
        ("1764492060.1234567", "2025-11-30T08:41:00.123456Z", Res::Micro),
        ("1764492060123.25", "2025-11-30T08:41:00.12325Z", Res::Micro10),
        ("9999999999999999999", "2286-11-20T17:46:39.999999Z", Res::Micro),
    ];
    for (raw, at, res) in table {
        assert_eq!(unzoned(raw), instant(at, res), "{raw}");
    }
    for raw in
        ["176449206", "17644920601", "20261130", "0", "1764492060.", "1764492060.5.1", "-1764492060", "1.7e9"]
    {
        assert_eq!(unzoned(raw), Instant::NONE, "{raw}");
    }
    assert_eq!(parse_epoch("1764492060", Epoch::Seconds), instant(at, Res::Second));
    assert_eq!(parse_epoch(" 5 ", Epoch::Seconds), instant("1970-01-01T00:00:05Z", Res::Second));
    assert_eq!(parse_epoch("5.25", Epoch::Millis), instant("1970-01-01T00:00:00.00525Z", Res::Micro10));
    assert_eq!(parse_epoch("1500", Epoch::Nanos), instant("1970-01-01T00:00:00.000001Z", Res::Micro));
    assert_eq!(parse_epoch("5", Epoch::Nanos), instant("1970-01-01T00:00:00Z", Res::Micro));
    assert_eq!(parse_epoch("17644920601", Epoch::Micros), Instant::new(Micros(17_644_920_601), Res::Micro));
    assert_eq!(parse_epoch("253402300799", Epoch::Seconds), instant("9999-12-31T23:59:59Z", Res::Second));
    for raw in ["253402300800", "", "x", "99999999999999999999999999", "-5"] {
        assert_eq!(parse_epoch(raw, Epoch::Seconds), Instant::NONE, "{raw}");
    }
}

#[test]
fn local_text_in_a_zone() {
    let raw = "2026-11-30 08:41:00";
    assert_eq!(utc(raw), instant("2026-11-30T08:41:00Z", Res::Second));
    assert_eq!(parse_time(raw, &Zone::Fixed(7_200)), instant("2026-11-30T06:41:00Z", Res::Second));
    assert_eq!(parse_time(raw, &berlin()), instant("2026-11-30T07:41:00Z", Res::Second));
    assert_eq!(
        parse_time("2026-07-01T08:41:00.25", &berlin()),
        instant("2026-07-01T06:41:00.25Z", Res::Milli10)
    );
    assert_eq!(parse_time("2026-07-01 08:41", &berlin()), instant("2026-07-01T06:41:00Z", Res::Minute));
    assert_eq!(parse_time("2026-11-30", &berlin()), instant("2026-11-29T23:00:00Z", Res::Day));
    assert_eq!(utc("2026-11-30"), instant("2026-11-30T00:00:00Z", Res::Day));
}

#[test]
fn local_text_without_a_zone_spans_all_zones() {
    let time = unzoned("2026-11-30 08:41:00");
    assert_eq!(time, instant("2026-11-30T08:41:00Z", Res::LocalSecond));
    assert_eq!(time.begin(), Micros(us("2026-11-29T18:41:00Z")));
    assert_eq!(time.end(), Micros(us("2026-11-30T20:41:01Z")));
    assert!(!time.exact_zone() && time.is_approximate());
    let day = unzoned("2026-11-30");
    assert_eq!(day, instant("2026-11-30T00:00:00Z", Res::LocalDay));
    assert_eq!(day.begin(), Micros(us("2026-11-29T10:00:00Z")));
    assert_eq!(day.end(), Micros(us("2026-12-01T12:00:00Z")));
    assert!(!day.exact_zone() && day.is_approximate());
    assert_eq!(unzoned("2026-11-30 08:41").res, Res::LocalMinute);
    assert_eq!(unzoned("2026-11-30T08:41:00.123456").res, Res::LocalMicro);
    assert_eq!(unzoned("2026-11-30T08:41:00.123").res, Res::LocalMilli);
}

#[test]
fn where_the_clocks_are_changed_the_interval_is_wider() {
    // Set back on 25 October 2026 at 03:00: 02:30 happened twice.
    let twice = parse_time("2026-10-25 02:30:00.123", &berlin());
    assert_eq!(twice, instant("2026-10-25T00:30:00.123Z", Res::Fold));
    assert_eq!(twice.end(), Micros(us("2026-10-25T01:31:00.123Z")));
    assert!(twice.is_approximate() && twice.exact_zone());
    // Set forward on 29 March 2026 at 02:00: 02:30 did not happen.
    let never = parse_time("2026-03-29 02:30:00", &berlin());
    assert_eq!(never, instant("2026-03-29T00:30:00Z", Res::Fold));
    assert_eq!(never.end(), Micros(us("2026-03-29T01:31:00Z")));
    // One second before and after it is exact.
    assert_eq!(parse_time("2026-03-29 01:59:59", &berlin()), instant("2026-03-29T00:59:59Z", Res::Second));
    assert_eq!(parse_time("2026-03-29 03:00:00", &berlin()), instant("2026-03-29T01:00:00Z", Res::Second));
    // Days of 23 and 25 hours.
    assert_eq!(parse_time("2026-10-25", &berlin()), instant("2026-10-24T22:00:00Z", Res::LongDay));
    assert_eq!(parse_time("2026-03-29", &berlin()), instant("2026-03-28T23:00:00Z", Res::Day));
    // A zone that skipped a whole day tells less than the text of all zones.
    let apia = Zone::parse("Pacific/Apia").unwrap();
    assert_eq!(parse_time("2011-12-30 12:00:00", &apia), instant("2011-12-30T12:00:00Z", Res::LocalSecond));
}

#[test]
fn what_is_not_a_time_is_unbounded() {
    let bad = [
        "",
        " ",
        "null",
        "now",
        "infinity",
        "-",
        "2026",
        "2026-11",
        "2026-11-3",
        "2026-11-31",
        "2026-02-29",
        "2026-13-01",
        "2026-00-10",
        "0000-01-01",
        "10000-01-01",
        "2026-11-30T",
        "2026-11-30T08",
        "2026-11-30T08:4",
        "2026-11-30T24:00:00Z",
        "2026-11-30T08:60:00Z",
        "2026-11-30T08:41:61Z",
        "2026-11-30T08:41:00.Z",
        "2026-11-30T08:41:00.Z12",
        "2026-11-30T08:41:00ZZ",
        "2026-11-30T08:41:00 CET",
        "2026-11-30T08:41:00 GMT",
        "2026-11-30T08:41:00+24:00",
        "2026-11-30T08:41:00+02:60",
        "2026-11-30T08:41:00+2",
        "2026-11-30T08:41:00+",
        "2026-11-30X08:41:00Z",
        "2026/11/30 08:41:00",
        "30.11.2026",
        "11/30/2026",
        "2026-11-30 08:41:00 BC",
        "2026-11-30T08:41:00Z2026-11-30T08:41:00Z",
        "2O26-11-30T08:41:00Z",
        "2026-11-30T0a:41:00Z",
        "٢٠٢٦-11-30",
        "2026-11-30T08:41:00.12a4Z",
        "+2026-11-30T08:41:00Z",
        "-2026-11-30",
    ];
    for raw in bad {
        assert_eq!(unzoned(raw), Instant::NONE, "{raw:?}");
        assert_eq!(utc(raw), Instant::NONE, "{raw:?}");
    }
    assert!(Instant::NONE.is_none());
    assert_eq!(Instant::NONE.interval(2 * SECOND), (Micros(i64::MIN), Micros(i64::MAX)));
    assert!(!Instant::NONE.exact_zone() && !Instant::NONE.is_approximate());
}

#[test]
fn an_interval_reaches_from_t_minus_skew_to_t_plus_resolution_plus_skew() {
    // SQLite's CURRENT_TIMESTAMP has a second: [08:40:59, 08:41:00).
    let stamp = utc("2026-11-30 08:40:59");
    let at = us("2026-11-30T08:40:59Z");
    assert_eq!((stamp.begin(), stamp.end()), (Micros(at), Micros(at + SECOND)));
    assert_eq!(stamp.interval(0), (Micros(at), Micros(at + SECOND)));
    assert_eq!(stamp.interval(2 * SECOND), (Micros(at - 2 * SECOND), Micros(at + 3 * SECOND)));
    let milli = utc("2026-11-30T08:40:59.000Z");
    assert_eq!(milli.interval(SECOND), (Micros(at - SECOND), Micros(at + MILLI + SECOND)));
    assert_eq!(utc("2026-11-30").interval(0).1, Micros(us("2026-12-01T00:00:00Z")));
    // Far ends stay in range.
    assert_eq!(Instant::new(Micros(i64::MAX - 1), Res::LocalDay).end(), Micros::FOREVER);
    assert_eq!(stamp.interval(i64::MAX).0, Micros(at - i64::MAX));
}

#[test]
fn before_means_before_for_certain() {
    let a = Instant::new(Micros(1_000_000), Res::Micro);
    let ends = a.end().0;
    let at = |us: i64| Instant::new(Micros(us), Res::Micro);
    assert!(!a.is_before(0, at(ends - 1), 0));
    assert!(!a.is_before(0, at(ends), 0));
    assert!(a.is_before(0, at(ends + 1), 0));
    // The skews of both clocks count.
    let gap = 2 * SECOND + SECOND;
    assert!(!a.is_before(2 * SECOND, at(ends + gap - 1), SECOND));
    assert!(!a.is_before(2 * SECOND, at(ends + gap), SECOND));
    assert!(a.is_before(2 * SECOND, at(ends + gap + 1), SECOND));
    // The resolution of a counts, that of b does not.
    let second = utc("2026-11-30T08:40:59Z");
    assert!(!second.is_before(0, utc("2026-11-30T08:41:00.000000Z"), 0));
    assert!(second.is_before(0, utc("2026-11-30T08:41:00.000001Z"), 0));
    assert!(utc("2026-11-30T08:40:58.999998Z").is_before(0, second, 0));
    assert!(!utc("2026-11-30T08:40:58.999999Z").is_before(0, second, 0));
    // Nothing is before or after what has no time, and zone-less text is one of 26 hours.
    assert!(!Instant::NONE.is_before(0, second, 0) && !second.is_before(0, Instant::NONE, 0));
    let local = unzoned("2026-11-30 00:00:00.000000");
    assert!(!local.is_before(0, utc("2026-11-30T12:00:00.000001Z"), 0));
    assert!(local.is_before(0, utc("2026-11-30T12:00:00.000002Z"), 0));
    assert!(!utc("2026-11-29T09:59:59.999999Z").is_before(0, local, 0));
    assert!(utc("2026-11-29T09:59:59.999998Z").is_before(0, local, 0));
}

#[test]
fn a_mapping_makes_a_resolution_coarser() {
    assert_eq!(Res::Milli.at_least(1_000_000), Res::Second);
    assert_eq!(Res::Milli.at_least(999_999), Res::Second);
    assert_eq!(Res::Milli.at_least(1_000), Res::Milli);
    assert_eq!(Res::Milli.at_least(1_001), Res::Milli10);
    assert_eq!(Res::Second.at_least(SECOND + 1), Res::Minute);
    assert_eq!(Res::Minute.at_least(MINUTE + 1), Res::Day);
    assert_eq!(Res::Day.at_least(SECOND), Res::Day);
    assert_eq!(Res::LocalMilli.at_least(SECOND), Res::LocalSecond);
    assert_eq!(Res::LocalSecond.at_least(2 * DAY), Res::LocalDay);
    assert_eq!(Res::Unreadable.at_least(SECOND), Res::Unreadable);
}

#[test]
fn zones() {
    for text in ["UTC", "utc", "Z", "z", "+00:00", "-00:00", "+00"] {
        assert_eq!(Zone::parse(text), Some(Zone::Utc), "{text}");
    }
    assert_eq!(Zone::parse("+02:00"), Some(Zone::Fixed(7_200)));
    assert_eq!(Zone::parse("-0530"), Some(Zone::Fixed(-19_800)));
    assert_eq!(Zone::parse("+14"), Some(Zone::Fixed(50_400)));
    assert_eq!(Zone::parse("Europe/Berlin"), Some(Zone::Named(chrono_tz::Europe::Berlin)));
    for text in
        ["", "?", "local", "Berlin", "Europe/Bonn", "+2", "+2:00", "+25:00", "+02:00:60", "02:00", "+02:00 "]
    {
        assert_eq!(Zone::parse(text), None, "{text}");
    }
    for text in ["UTC", "+02:00", "-05:30", "Europe/Berlin"] {
        assert_eq!(Zone::parse(text).unwrap().to_string(), text);
    }
    assert_eq!(Zone::Fixed(3_208).to_string(), "+00:53:28");
    assert_eq!(Zone::default().to_string(), "?");
    let winter = Micros(us("2026-11-30T08:41:00Z"));
    assert_eq!(berlin().offset_at(winter), Some(3_600));
    assert_eq!(berlin().offset_at(Micros(us("2026-07-01T00:00:00Z"))), Some(7_200));
    assert_eq!(Zone::Fixed(-60).offset_at(winter), Some(-60));
    assert_eq!(Zone::Utc.offset_at(winter), Some(0));
    assert_eq!(Zone::Unknown.offset_at(winter), None);
}

#[test]
fn durations_are_read() {
    let table = [
        ("90s", 90 * SECOND),
        ("5m", 5 * MINUTE),
        ("4h", 4 * HOUR),
        ("30d", 30 * DAY),
        ("500ms", 500 * MILLI),
        ("0s", 0),
        ("007s", 7 * SECOND),
    ];
    for (text, us) in table {
        assert_eq!(parse_duration(text), Some(us), "{text}");
    }
    for text in [
        "",
        "s",
        "90",
        "-5m",
        "+5m",
        "5 m",
        "1.5h",
        "5M",
        "5w",
        "m5",
        "5mm",
        "106751992d",
        "9223372036854775808s",
    ] {
        assert_eq!(parse_duration(text), None, "{text}");
    }
    assert_eq!(parse_duration("106751991d"), Some(106_751_991 * DAY));
}

#[test]
fn rfc_3339_is_written() {
    let at = us("2026-11-30T08:41:00Z");
    assert_eq!(rfc3339(Micros(at)), "2026-11-30T08:41:00Z");
    assert_eq!(rfc3339(Micros(at + 400_000)), "2026-11-30T08:41:00.4Z");
    assert_eq!(rfc3339(Micros(at + 102_030)), "2026-11-30T08:41:00.10203Z");
    assert_eq!(rfc3339(Micros(at + 1)), "2026-11-30T08:41:00.000001Z");
    assert_eq!(rfc3339(Micros(-1)), "1969-12-31T23:59:59.999999Z");
    assert_eq!(rfc3339_millis(Micros(at)), "2026-11-30T08:41:00.000Z");
    assert_eq!(rfc3339_millis(Micros(at + 250_999)), "2026-11-30T08:41:00.250Z");
    assert_eq!(rfc3339(Micros::NONE), "");
    for (raw, text) in [
        ("2026-11-30T08:41:00.000Z", "2026-11-30T08:41:00.000Z"),
        ("2026-11-30 08:41:00.120000+00", "2026-11-30T08:41:00.120000Z"),
        ("2026-11-30 08:41", "2026-11-30T08:41"),
        ("2026-11-30 08:41:00", "2026-11-30T08:41:00"),
        ("2026-11-30", "2026-11-30"),
        ("soon", ""),
    ] {
        assert_eq!(iso(unzoned(raw)), text);
    }
    for zone in ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Auckland", "Pacific/Honolulu"] {
        assert_eq!(iso(parse_time("2026-12-30", &Zone::parse(zone).unwrap())), "2026-12-30", "{zone}");
    }
}

#[test]
fn times_on_the_screen() {
    let now = Micros(us("2026-11-30T09:14:07Z"));
    let table = [
        ("2026-11-30T08:41:00Z", "08:41:00"),
        ("2026-11-30T08:40:58.102Z", "08:40:58.102"),
        ("2026-11-30T08:40:58.100Z", "08:40:58.100"),
        ("2026-11-30T08:40Z", "08:40"),
        ("2026-11-30T00:00:00Z", "00:00:00"),
        ("2026-11-29T23:59:59.999Z", "29 Nov 23:59:59"),
        ("2026-11-28T08:02:09Z", "28 Nov 08:02:09"),
        ("2026-12-01T00:00:00Z", "1 Dec 00:00:00"),
        ("2025-11-28T08:02:09Z", "28 Nov 2025 08:02"),
        ("2025-11-30T08:02:09.123Z", "30 Nov 2025 08:02"),
        ("2026-11-30 08:41:00", "08:41:00~"),
        ("2026-11-28 08:41", "28 Nov 08:41~"),
        ("2025-11-28 08:41:00", "28 Nov 2025 08:41~"),
        ("2026-11-30", "30 Nov~"),
        ("2025-11-28", "28 Nov 2025~"),
        ("soon", "–"),
    ];
    for (raw, text) in table {
        assert_eq!(clock(unzoned(raw), now), text, "{raw}");
    }
    assert_eq!(clock(parse_time("2026-11-30", &berlin()), now), "30 Nov~");
    assert_eq!(clock(parse_time("2026-10-25 02:30:00", &berlin()), now), "25 Oct 00:30:00~");
}

#[test]
fn durations_on_the_screen() {
    let hms = |d: i64, h: i64, m: i64, s: i64| d * DAY + h * HOUR + m * MINUTE + s * SECOND;
    let spans = [
        (hms(1, 21, 11, 56), "1d 21h"),
        (hms(2, 1, 11, 56), "2d 1h"),
        (hms(0, 3, 12, 0), "3h 12m"),
        (hms(0, 5, 2, 59), "5h 2m"),
        (hms(0, 0, 20, 0), "20m"),
        (hms(0, 0, 1, 1), "1m 1s"),
        (hms(0, 0, 0, 27), "27s"),
        (hms(0, 0, 0, 59) + 999_999, "59s"),
        (hms(0, 0, 1, 0), "1m"),
        (hms(1, 0, 59, 0), "1d"),
        (hms(2, 0, 0, 0), "2d"),
        (999_999, "0s"),
        (0, "0s"),
        (-hms(0, 3, 12, 0), "3h 12m"),
    ];
    for (us, text) in spans {
        assert_eq!(span(us), text);
    }
    let gaps = [
        (7_300_000, "7.3 s"),
        (7_399_999, "7.3 s"),
        (1_000_000, "1.0 s"),
        (999_999, "999 ms"),
        (102_000, "102 ms"),
        (0, "0 ms"),
        (59_999_999, "59.9 s"),
        (60_000_000, "1m"),
        (hms(0, 0, 1, 5), "1m 5s"),
        (-7_300_000, "-7.3 s"),
    ];
    for (us, text) in gaps {
        assert_eq!(gap(us), text);
    }
    let ages = [
        (0, "0 s"),
        (hms(0, 0, 0, 12), "12 s"),
        (hms(0, 0, 0, 59) + 999_999, "59 s"),
        (hms(0, 0, 1, 0), "1 min"),
        (hms(0, 0, 23, 36), "23 min"),
        (hms(0, 0, 59, 59), "59 min"),
        (hms(0, 1, 0, 0), "1 h"),
        (hms(1, 23, 59, 59), "47 h"),
        (hms(2, 0, 0, 0), "2 d"),
        (-5, "0 s"),
    ];
    for (us, text) in ages {
        assert_eq!(age(us), text);
    }
    let words = [
        (7_300_000, "seven seconds"),
        (SECOND, "one second"),
        (12 * SECOND, "twelve seconds"),
        (13 * SECOND, "13 seconds"),
        (59 * SECOND, "59 seconds"),
        (MINUTE, "one minute"),
        (90 * SECOND, "90 seconds"),
        (2 * MINUTE - 1, "119 seconds"),
        (2 * MINUTE, "two minutes"),
        (31 * MINUTE + 20 * SECOND, "31 minutes"),
        (HOUR, "one hour"),
        (90 * MINUTE, "90 minutes"),
        (4 * HOUR, "four hours"),
        (DAY, "one day"),
        (47 * HOUR, "47 hours"),
        (2 * DAY + HOUR, "two days"),
        (SECOND - 1, "less than a second"),
        (-7 * SECOND, "seven seconds"),
    ];
    for (us, text) in words {
        assert_eq!(span_words(us), text);
    }
    assert_eq!(span(i64::MIN), "106751991d 4h");
    assert_eq!(gap(i64::MIN), "-106751991d 4h");
}

proptest! {
    #[test]
    fn the_fast_path_agrees_with_another_library(at in us("0001-01-01T00:00:00Z")..us("9999-12-31T23:59:59Z"), decimals in 0_usize..10) {
        let micros = at.rem_euclid(SECOND);
        let digits = format!("{micros:06}789");
        let time = chrono::DateTime::from_timestamp_micros(at).unwrap();
        let dot = if decimals == 0 { "" } else { "." };
        let raw = format!("{}{dot}{}Z", time.format("%Y-%m-%dT%H:%M:%S"), digits.split_at(decimals).0);
        let read = unzoned(&raw);
        let place = 10_i64.pow(6 - u32::try_from(decimals.min(6)).unwrap());
        prop_assert_eq!(read.at.0, at - at.rem_euclid(place));
        prop_assert_eq!(read.res.row().width, place);
        prop_assert!(read.at.0 <= at && at < read.end().0);
        // The general form reads the same.
        prop_assert_eq!(unzoned(&format!(" {raw}")), read);
        prop_assert_eq!(parse_time(&rfc3339(Micros(at)), &Zone::Unknown).at, Micros(at));
    }

    #[test]
    fn local_text_lies_in_its_interval(at in us("1975-01-01T00:00:00Z")..us("2037-12-31T00:00:00Z"), zone in 0_usize..chrono_tz::TZ_VARIANTS.len()) {
        let tz = chrono_tz::TZ_VARIANTS[zone];
        let zone = Zone::Named(tz);
        let local = chrono::DateTime::from_timestamp_micros(at).unwrap().with_timezone(&tz);
        for form in ["%Y-%m-%d %H:%M:%S%.6f", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d"] {
            let raw = local.format(form).to_string();
            for zone in [zone, Zone::Unknown] {
                let read = parse_time(&raw, &zone);
                prop_assert!(!read.is_none(), "{} {}", raw, zone);
                prop_assert!(read.begin().0 <= at && at <= read.end().0, "{} {} {:?}", raw, zone, read);
            }
        }
    }

    #[test]
    fn nothing_panics(text in "\\PC{0,40}", digits in "[-0-9T:.Z+ ]{0,40}") {
        for raw in [text, digits] {
            let read = parse_time(&raw, &berlin());
            let _ = (clock(read, Micros(0)), iso(read), parse_duration(&raw), Zone::parse(&raw));
            let _ = parse_epoch(&raw, Epoch::Nanos);
        }
    }

    #[test]
    fn before_is_never_both_ways(a in any::<i64>(), b in any::<i64>(), x in 0_usize..21, y in 0_usize..21, skew in 0_i64..10_000_000) {
        let (a, b) = (Instant::new(Micros(a), RES[x].res), Instant::new(Micros(b), RES[y].res));
        prop_assert!(!(a.is_before(skew, b, skew) && b.is_before(skew, a, skew)));
        prop_assert!(!a.is_before(skew, a, skew));
        prop_assert!(a.begin() <= a.end());
    }
}
