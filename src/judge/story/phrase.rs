//! Numbers, nouns, money and times as a sentence has them (`6-screens.md` 7.4.7).

use super::Context;
use crate::model::money::{Money, Total, Totals};
use crate::model::time::{Instant, Micros, Res, SECOND, Shown, clock};
use crate::model::units::Unit;

/// Stands for the blank inside an amount, at which no line ends. A code point that Unicode keeps for use inside programs:
/// U+00A0 can stand in an id from outside, and has to stay what it is there until it is shown.
pub const NO_BREAK: char = '\u{fdef}';

const NUMBERS: [&str; 13] =
    ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

const ORDINALS: [&str; 13] = [
    "first", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];

/// A number in a sentence: a word up to twelve, figures with commas beyond.
pub fn number(count: u64) -> String {
    let word = usize::try_from(count).ok().and_then(|at| NUMBERS.get(at));
    word.map_or_else(|| figures(count), |word| (*word).to_owned())
}

/// A number in a table: commas from 1,000 on.
pub fn figures(count: u64) -> String {
    crate::model::money::grouped(i128::from(count), 0)
}

/// `second`, `third`, `13th`.
pub fn ordinal(count: u64) -> String {
    let word = usize::try_from(count).ok().and_then(|at| ORDINALS.get(at));
    word.map_or_else(|| format!("{count}th"), |word| (*word).to_owned())
}

/// `once`, `twice`, `three times`.
pub fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{} times", number(count)),
    }
}

/// Words of kinds and tools that are nouns, so that `refund_order` is a refund.
const NOUNS: [&str; 25] = [
    "refund",
    "payout",
    "charge",
    "transfer",
    "invoice",
    "payment",
    "withdrawal",
    "credit",
    "debit",
    "mail",
    "email",
    "message",
    "comment",
    "notification",
    "ticket",
    "booking",
    "reservation",
    "order",
    "machine",
    "server",
    "instance",
    "volume",
    "bucket",
    "purchase",
    "disbursement",
];

/// The noun of a kind: the kind where it is one word, a noun in it where it is a tool's name, else `effect`.
pub fn noun(kind: &str) -> String {
    let words: Vec<String> = super::super::playbook::words_of(kind).collect();
    let single = |word: &String| NOUNS.iter().find(|n| word == *n || word.strip_suffix('s') == Some(n));
    if let Some(known) = words.iter().find_map(single) {
        return (*known).to_owned();
    }
    match words.as_slice() {
        [one] if one.chars().all(char::is_alphabetic) => one.clone(),
        _ => "effect".to_owned(),
    }
}

/// A noun in the plural.
pub fn plural(noun: &str) -> String {
    let consonant_y = noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    if let Some(stem) = consonant_y {
        format!("{stem}ies")
    } else if ["s", "x", "z", "ch", "sh"].iter().any(|end| noun.ends_with(end)) {
        format!("{noun}es")
    } else {
        format!("{noun}s")
    }
}

/// A noun as so many need it.
pub fn inflected(count: u64, noun: &str) -> String {
    if count == 1 { noun.to_owned() } else { plural(noun) }
}

/// `two refunds`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {}", number(count), inflected(count, noun))
}

/// `a refund`, `an invoice`.
pub fn article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// The first letter as a capital.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// `a`, `a and b`, `a, b and c`.
pub fn joined(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// A business id as it is spoken: `order:1234` is `order 1234`.
pub fn business(id: &str) -> String {
    id.replacen(':', " ", 1)
}

/// Seconds that stand beside a bound: `60 s`, `3 s`, `0.5 s`; what is longer than two minutes in two units.
pub fn bound(us: i64) -> String {
    if us > 120 * SECOND {
        return crate::model::time::span(us);
    }
    let text = crate::model::money::plain(i128::from(us), 6);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text} s")
}

/// Ordinary blanks instead of those that never break, for copies and files.
pub fn plain(text: &str) -> String {
    text.replace(NO_BREAK, " ")
}

/// An instant without the parts of a second.
fn whole_seconds(instant: Instant) -> Instant {
    let row = instant.res.row();
    let res = match (row.shown, row.zoned) {
        (Shown::Seconds(1..), true) => Res::Second,
        (Shown::Seconds(1..), false) => Res::LocalSecond,
        _ => row.res,
    };
    Instant { at: instant.at, res }
}

impl Context<'_> {
    /// Money in a sentence; the blank in it never breaks.
    pub fn money(&self, money: Money) -> String {
        unbroken(&self.units.show(money))
    }

    /// A total in a sentence.
    pub fn total(&self, unit: Unit, total: Total) -> String {
        unbroken(&self.units.show_total(unit, total))
    }

    /// Totals that are not zero, by the text of their unit: `EUR 10.00 and USD 20.00`. Empty where all are zero.
    pub fn totals(&self, totals: &Totals) -> String {
        let mut shown: Vec<(Unit, Total)> = totals.iter().filter(|(_, total)| !total.is_zero()).collect();
        shown.sort_by(|a, b| self.units.by_text(a.0, b.0));
        joined(&shown.iter().map(|(unit, total)| self.total(*unit, *total)).collect::<Vec<_>>())
    }

    /// A time as the screen has it, in the zone of the screen.
    pub fn instant(&self, instant: Instant) -> String {
        let local = |at: Micros| {
            if at.is_none() { at } else { at.plus(self.zone.offset_at(at).map_or(0, i64::from) * SECOND) }
        };
        clock(Instant { at: local(instant.at), res: instant.res }, local(self.now))
    }

    /// A time in a sentence: `08:41:00`, `28 Nov 08:02:09`.
    pub fn time(&self, instant: Instant) -> String {
        self.instant(whole_seconds(instant))
    }

    /// As [`Context::time`], of a moment.
    pub fn moment(&self, at: Micros) -> String {
        self.time(Instant { at, res: Res::Second })
    }

    /// `at 08:41:00`, `on 28 Nov at 08:02:09`; empty where there is no time.
    pub fn at(&self, instant: Instant) -> String {
        if instant.is_none() {
            return String::new();
        }
        let text = self.time(instant);
        match text.rsplit_once(' ') {
            Some((day, time)) if time.contains(':') => format!("on {day} at {time}"),
            _ if instant.res.row().shown == Shown::Date => format!("on {text}"),
            _ => format!("at {text}"),
        }
    }

    /// The day of a moment where it is not today: `28 Nov`.
    pub fn other_day(&self, at: Micros) -> Option<String> {
        let text = self.moment(at);
        text.rsplit_once(' ').filter(|(_, time)| time.contains(':')).map(|(day, _)| day.to_owned())
    }
}

fn unbroken(text: &str) -> String {
    text.replace(' ', NO_BREAK.encode_utf8(&mut [0; 4]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_up_to_twelve_are_words() {
        assert_eq!((number(0), number(1), number(12)), ("no".into(), "one".into(), "twelve".into()));
        assert_eq!((number(13), number(89_116)), ("13".into(), "89,116".into()));
        assert_eq!([times(1), times(2), times(3), times(13)], ["once", "twice", "three times", "13 times"]);
        assert_eq!([ordinal(2), ordinal(12), ordinal(13)], ["second", "twelfth", "13th"]);
    }

    #[test]
    fn nouns_come_from_the_kind() {
        for (kind, one, many) in [
            ("refund", "refund", "refunds"),
            ("refunds", "refund", "refunds"),
            ("refund_order", "refund", "refunds"),
            ("send_email", "email", "emails"),
            ("comment", "comment", "comments"),
            ("reply", "reply", "replies"),
            ("delivery_box", "effect", "effects"),
            ("box", "box", "boxes"),
            ("key", "key", "keys"),
            ("", "effect", "effects"),
            ("b2b", "effect", "effects"),
        ] {
            assert_eq!((noun(kind).as_str(), plural(&noun(kind)).as_str()), (one, many), "{kind}");
        }
        assert_eq!(counted(1, "payout"), "one payout");
        assert_eq!(counted(2, "payout"), "two payouts");
        assert_eq!((article("refund"), article("invoice")), ("a refund".into(), "an invoice".into()));
    }

    #[test]
    fn bounds_are_seconds() {
        assert_eq!(bound(60 * SECOND), "60 s");
        assert_eq!(bound(3 * SECOND), "3 s");
        assert_eq!(bound(500_000), "0.5 s");
        assert_eq!(bound(0), "0 s");
        assert_eq!(bound(120 * SECOND), "120 s");
        assert_eq!(bound(121 * SECOND), "2m 1s");
    }

    #[test]
    fn lists_are_joined_as_people_do() {
        let of = |items: &[&str]| joined(&items.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>());
        assert_eq!(
            [of(&[]), of(&["a"]), of(&["a", "b"]), of(&["a", "b", "c"])],
            ["", "a", "a and b", "a, b and c"]
        );
        assert_eq!(business("order:1234"), "order 1234");
        assert_eq!(business("plain"), "plain");
        assert_eq!(capital("élan"), "Élan");
    }
}
