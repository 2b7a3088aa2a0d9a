//! What was typed, as terms.

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

/// What a term tests. Terms with a field name become further kinds; a text whose name is none of them stays a
/// word, since ids hold colons too (`refund:order_1234`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// Any of the row's texts holds this, in lower case.
    Word(String),
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
            if !text.is_empty() {
                terms.push(Term { not, test: Test::Word(text.to_lowercase()) });
            }
            rest = after.trim_start();
        }
        Self { terms }
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
            .map(|term| {
                let Test::Word(word) = term.test;
                (term.not, word)
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
}
