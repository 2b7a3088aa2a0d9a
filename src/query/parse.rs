//! What was typed, as terms.

use super::field::{COMPARES, Compare, FLAGS, Flag, RISK, RowFacts, SPANS, SpanField, TEXTS, TextField};
use crate::model::money::{Wide, parse_decimal};
use crate::model::time::parse_duration;

/// A filter: every term has to hold. No terms: every row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The terms in the order typed.
    pub terms: Vec<Term>,
}

/// One term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Typed with `!` before it: it must not hold.
    pub not: bool,
    /// What is tested.
    pub test: Test,
}

/// What a term tests. A text whose name is no field stays a word, since ids hold colons too (`refund:order_1234`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// Any of the row's texts holds this, in lower case.
    Word(String),
    /// A field holds this, in lower case: `state:unknown`.
    Text(&'static TextField, String),
    /// The row has a property: `overdue`.
    Flag(&'static Flag),
    /// Money at risk of any currency, in whole units: `risk>100`.
    Risk(Compare, Wide),
    /// A length of time: `age>2h`.
    Span(&'static SpanField, Compare, i64),
}

impl Test {
    /// A term as it was typed without `!` and quotes; `None` where it is not finished.
    fn of(text: &str) -> Option<Self> {
        let text = text.to_lowercase();
        if let Some(flag) = FLAGS.iter().find(|flag| flag.name == text) {
            return Some(Self::Flag(flag));
        }
        if let Some((name, value)) = text.split_once(':')
            && let Some(field) = TEXTS.iter().find(|field| field.name == name)
        {
            return (!value.is_empty()).then(|| Self::Text(field, value.to_owned()));
        }
        let compared = COMPARES.iter().find_map(|(sign, compare)| {
            let (name, value) = text.split_once(sign)?;
            Some((name, *compare, value))
        });
        match compared {
            Some((RISK, compare, value)) => decimal(value).map(|value| Self::Risk(compare, value)),
            Some((name, compare, value)) => match SPANS.iter().find(|field| field.name == name) {
                Some(field) => parse_duration(value).map(|span| Self::Span(field, compare, span)),
                None => Some(Self::Word(text)),
            },
            None if text.is_empty() => None,
            None => Some(Self::Word(text)),
        }
    }

    /// It asks for what only the evidence of a row tells.
    pub fn more(&self) -> bool {
        match self {
            Self::Word(_) | Self::Risk(..) => false,
            Self::Text(field, _) => field.more,
            Self::Flag(flag) => flag.more,
            Self::Span(field, ..) => field.more,
        }
    }

    /// Whether a row answers to it. A word is not asked of facts: it is looked up.
    pub fn holds(&self, row: &RowFacts) -> bool {
        match self {
            Self::Word(_) => false,
            Self::Text(field, value) => (field.of)(row).iter().any(|text| super::holds(text, value)),
            Self::Flag(flag) => (flag.of)(row),
            Self::Risk(compare, value) => row.risk.iter().any(|risk| compare.fits(risk.cmp(value))),
            Self::Span(field, compare, value) => {
                (field.of)(row).is_some_and(|span| compare.fits(span.cmp(value)))
            }
        }
    }
}

/// `100`, `1,000.50`; `None` for everything else.
fn decimal(text: &str) -> Option<Wide> {
    let amount = parse_decimal(&text.replace(',', "")).ok()?;
    (!amount.is_negative()).then(|| amount.wide())
}

impl Query {
    /// Reads what was typed. Nothing typed is wrong: a term that is not finished yet (`!`, an open quote) is read
    /// as far as it goes, because the list follows every key.
    pub fn parse(typed: &str) -> Self {
        let mut terms = Vec::new();
        let mut rest = typed.trim_start();
        while !rest.is_empty() {
            let (not, body) = match rest.strip_prefix('!') {
                Some(body) => (true, body),
                None => (false, rest),
            };
            let (text, after) = token(body);
            // What stands in quotes is a word, whatever it looks like.
            let test = if body.starts_with('"') {
                (!text.is_empty()).then(|| Test::Word(text.to_lowercase()))
            } else {
                Test::of(text)
            };
            terms.extend(test.map(|test| Term { not, test }));
            rest = after.trim_start();
        }
        Self { terms }
    }

    /// The first term that names a field with a value that is none (`risk>abc`, `age>2`): it is left out. What only waits
    /// for its value is not odd.
    pub fn odd(typed: &str) -> Option<&str> {
        let mut rest = typed.trim_start();
        while !rest.is_empty() {
            let body = rest.strip_prefix('!').unwrap_or(rest);
            let (text, after) = token(body);
            let value = COMPARES.iter().find_map(|(sign, _)| text.split_once(sign)).map(|(_, value)| value);
            if !body.starts_with('"')
                && Test::of(text).is_none()
                && value.is_some_and(|value| !value.is_empty())
            {
                return Some(text);
            }
            rest = after.trim_start();
        }
        None
    }

    /// Matches every row.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// The first token and what follows it: up to a blank, or between quotes.
fn token(text: &str) -> (&str, &str) {
    match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
        None => text.split_once(char::is_whitespace).unwrap_or((text, "")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(typed: &str) -> Vec<(bool, String)> {
        let Query { terms } = Query::parse(typed);
        terms
            .into_iter()
            .map(|term| match term.test {
                Test::Word(word) => (term.not, word),
                other => panic!("{other:?}"),
            })
            .collect()
    }

    fn owned(words: &[(bool, &str)]) -> Vec<(bool, String)> {
        words.iter().map(|(not, word)| (*not, (*word).to_owned())).collect()
    }

    #[test]
    fn words_quotes_and_not() {
        assert_eq!(words(""), []);
        assert_eq!(words("  "), []);
        assert_eq!(words("Order  1234 "), owned(&[(false, "order"), (false, "1234")]));
        assert_eq!(words("!late"), owned(&[(true, "late")]));
        assert_eq!(words("\"answer lost\" x"), owned(&[(false, "answer lost"), (false, "x")]));
        assert_eq!(words("!\"answer lost\"x"), owned(&[(true, "answer lost"), (false, "x")]));
        assert_eq!(words("refund:order_1234:r"), owned(&[(false, "refund:order_1234:r")]));
    }

    #[test]
    fn what_is_not_finished_is_read_as_far_as_it_goes() {
        assert_eq!(words("!"), []);
        assert_eq!(words("\""), []);
        assert_eq!(words("\"answer lo"), owned(&[(false, "answer lo")]));
        assert_eq!(words("a ! b"), owned(&[(false, "a"), (false, "b")]));
    }

    fn test(typed: &str) -> Option<Test> {
        let mut terms = Query::parse(typed).terms;
        assert!(terms.len() <= 1, "{typed}");
        terms.pop().map(|term| term.test)
    }

    #[test]
    fn every_field_is_a_term_and_needs_its_value() {
        for field in &TEXTS {
            let found = test(&format!("{}:Some_Value", field.name));
            assert_eq!(found, Some(Test::Text(field, "some_value".into())));
            assert_eq!(test(&format!("{}:", field.name)), None, "still being typed");
            assert_eq!(test(&format!("\"{}:x\"", field.name)), Some(Test::Word(format!("{}:x", field.name))));
        }
        for flag in &FLAGS {
            assert_eq!(test(flag.name), Some(Test::Flag(flag)));
        }
        assert_eq!(test("overdues"), Some(Test::Word("overdues".into())));
    }

    #[test]
    fn numbers_are_compared_and_what_is_none_yet_is_no_term() {
        let hundred = Wide { digits: 100, scale: 0 };
        assert_eq!(test("risk>100"), Some(Test::Risk(Compare::More, hundred)));
        assert_eq!(
            test("risk>=1,000.50"),
            Some(Test::Risk(Compare::AtLeast, Wide { digits: 100_050, scale: 2 }))
        );
        assert_eq!(test("age<=2h"), Some(Test::Span(&SPANS[0], Compare::AtMost, 7_200_000_000)));
        assert_eq!(test("last<10m"), Some(Test::Span(&SPANS[1], Compare::Less, 600_000_000)));
        for unfinished in ["risk>", "risk>x", "risk>-1", "age>2", "age>h"] {
            assert_eq!(test(unfinished), None, "{unfinished}");
        }
        assert_eq!(test("a>b"), Some(Test::Word("a>b".into())));
    }

    #[test]
    fn a_value_that_is_none_is_named() {
        for (typed, odd) in [
            ("risk>abc", Some("risk>abc")),
            ("x !age>2", Some("age>2")),
            ("risk>", None),
            ("state:", None),
            ("risk>100 age>2h fine", None),
            ("\"risk>abc\"", None),
            ("a>b", None),
        ] {
            assert_eq!(Query::odd(typed), odd, "{typed}");
        }
    }

    #[test]
    fn at_the_value_and_beside_it() {
        let row = |cents: i128| RowFacts {
            risk: vec![Wide { digits: cents, scale: 2 }],
            age: Some(7_200_000_000 + i64::try_from(cents).unwrap() - 10_000),
            ..RowFacts::default()
        };
        let held = |typed: &str| [9_999, 10_000, 10_001].map(|cents| test(typed).unwrap().holds(&row(cents)));
        assert_eq!(held("risk>100"), [false, false, true]);
        assert_eq!(held("risk>=100"), [false, true, true]);
        assert_eq!(held("risk<100"), [true, false, false]);
        assert_eq!(held("risk<=100"), [true, true, false]);
        assert_eq!(held("age>2h"), [false, false, true]);
        assert_eq!(held("age<=2h"), [true, true, false]);
        assert!(!test("last<10m").unwrap().holds(&row(1)), "nothing has a time");
    }
}
