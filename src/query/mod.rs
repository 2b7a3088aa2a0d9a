//! The filter: parse and evaluate over the rows of the triage list (`6-screens.md` 7.2, `engine.md` 8).
//!
//! A [`Query`] is what a person typed; [`Hits`] are the rows that match, one bit each. Rows are never built to be
//! tested: whoever holds them answers for one word at a time ([`Searchable`]), so a million rows are one pass over
//! their text.

mod hits;
mod parse;

pub use hits::Hits;
pub use parse::{Query, Term, Test};

/// Rows that can be asked for a word.
pub trait Searchable {
    /// How many rows there are.
    fn rows(&self) -> usize;

    /// Sets the bit of every row whose operation, words, label, verdict, intent id or party holds `word`.
    ///
    /// `word` is lower case; upper and lower case are the same.
    fn word(&self, word: &str, hits: &mut Hits);
}

impl Query {
    /// The rows that match every term.
    pub fn evaluate(&self, rows: &(impl Searchable + ?Sized)) -> Hits {
        let mut all = Hits::all(rows.rows());
        for term in &self.terms {
            let mut hits = Hits::none(rows.rows());
            match &term.test {
                Test::Word(word) => rows.word(word, &mut hits),
            }
            if term.not {
                hits.flip();
            }
            all.and(&hits);
        }
        all
    }
}

/// Whether `text` holds `word`, which is lower case. For rows that have no index of their own.
pub fn holds(text: &str, word: &str) -> bool {
    // Most text is ASCII: no allocation for it.
    if text.is_ascii() && word.is_ascii() {
        let (text, word) = (text.as_bytes(), word.as_bytes());
        return word.is_empty() || text.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
    }
    text.to_lowercase().contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Texts(Vec<&'static str>);

    impl Searchable for Texts {
        fn rows(&self) -> usize {
            self.0.len()
        }

        fn word(&self, word: &str, hits: &mut Hits) {
            for (at, text) in self.0.iter().enumerate() {
                if holds(text, word) {
                    hits.set(at);
                }
            }
        }
    }

    fn found(typed: &str) -> Vec<usize> {
        let rows =
            Texts(vec!["order 1234 Happened twice DOUBLE", "order 4812 did not happen", "Größe 7", ""]);
        Query::parse(typed).evaluate(&rows).iter().collect()
    }

    #[test]
    fn every_term_has_to_hold() {
        assert_eq!(found(""), [0, 1, 2, 3]);
        assert_eq!(found("order"), [0, 1]);
        assert_eq!(found("ORDER twice"), [0]);
        assert_eq!(found("double 4812"), Vec::<usize>::new());
        assert_eq!(found("!order"), [2, 3]);
        assert_eq!(found("order !twice"), [1]);
        assert_eq!(found("\"not happen\""), [1]);
        assert_eq!(found("\"happen not\""), Vec::<usize>::new());
        assert_eq!(found("GRÖSSE"), Vec::<usize>::new());
        assert_eq!(found("grö"), [2]);
        assert_eq!(found("GRÖ"), [2]);
    }

    #[test]
    fn holds_finds_at_both_ends() {
        assert!(holds("abc", "a") && holds("abc", "c") && holds("abc", "abc") && holds("abc", ""));
        assert!(!holds("abc", "abcd") && !holds("", "a"));
    }
}
