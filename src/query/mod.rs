//! The filter: parse and evaluate over the rows of the triage list (`6-screens.md` 7.2, `engine.md` 8).
//!
//! A [`Query`] is what a person typed; [`Hits`] are the rows that match, one bit each. Rows are never built to be
//! tested: whoever holds them answers for one word at a time ([`Searchable`]), so a million rows are one pass over
//! their text.

pub mod field;
mod hits;
mod parse;

pub use field::{MoreFacts, RowFacts};
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

    /// What a row answers to terms that name a field; `more`: with what only its evidence tells.
    fn facts(&self, at: usize, more: bool) -> RowFacts;
}

impl Query {
    /// The rows that match every term. Words are looked up; then only rows that are left are asked for their facts, and
    /// those of the evidence last.
    pub fn evaluate(&self, rows: &(impl Searchable + ?Sized)) -> Hits {
        let mut left = Hits::all(rows.rows());
        for term in &self.terms {
            if let Test::Word(word) = &term.test {
                let mut hits = Hits::none(rows.rows());
                rows.word(word, &mut hits);
                if term.not {
                    hits.flip();
                }
                left.and(&hits);
            }
        }
        for more in [false, true] {
            let asks = |term: &&Term| !matches!(term.test, Test::Word(_)) && term.test.more() == more;
            let terms: Vec<&Term> = self.terms.iter().filter(asks).collect();
            if terms.is_empty() {
                continue;
            }
            let mut hits = Hits::none(rows.rows());
            for at in left.iter() {
                let facts = rows.facts(at, more);
                if terms.iter().all(|term| term.test.holds(&facts) != term.not) {
                    hits.set(at);
                }
            }
            left = hits;
        }
        left
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

        fn facts(&self, at: usize, more: bool) -> RowFacts {
            let text = self.0[at];
            let state = if text.contains("twice") { "confirmed" } else { "unknown" };
            let owner = if more { text.split(' ').next().unwrap_or_default() } else { "not asked" };
            RowFacts {
                state: state.into(),
                overdue: text.is_empty(),
                more: MoreFacts { owner: owner.into(), ..MoreFacts::default() },
                ..RowFacts::default()
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
    fn fields_are_asked_of_the_rows_that_words_leave() {
        assert_eq!(found("state:unknown"), [1, 2, 3]);
        assert_eq!(found("!state:unknown"), [0]);
        assert_eq!(found("order state:Unknown"), [1]);
        assert_eq!(found("overdue"), [3]);
        assert_eq!(found("!overdue state:unknown"), [1, 2]);
        assert_eq!(found("owner:order !owner:asked"), [0, 1]);
        assert_eq!(found("owner:order state:unknown"), [1]);
    }

    #[test]
    fn holds_finds_at_both_ends() {
        assert!(holds("abc", "a") && holds("abc", "c") && holds("abc", "abc") && holds("abc", ""));
        assert!(!holds("abc", "abcd") && !holds("", "a"));
    }
}
