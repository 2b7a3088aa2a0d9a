//! Row filters: what of a ledger is this case's business (`4-sources.md` 4.13, `--where`, `scope`).
//!
//! `COLUMN = VALUE`, `COLUMN != VALUE`, `COLUMN in (A, B)`, `COLUMN is null`, joined by `and`. Words are written bare
//! or in quotes (`'` for values, `"` or `` ` `` for columns; a quote in a text is doubled). Values are compared as
//! text, exactly; as in SQL a row without the value passes neither `=` nor `!=`.

use thiserror::Error;

use super::near::did_you_mean;
use super::spec::Filter;

/// A filter that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "cannot read the filter `{text}`: {what}; write `COLUMN = VALUE`, `COLUMN != VALUE`, `COLUMN in (A, B)` or `COLUMN is null`, joined by `and`"
)]
pub struct FilterError {
    /// The filter as given.
    pub text: String,
    /// What is wrong with it.
    pub what: String,
}

/// Reads a filter: comparisons that must all hold.
///
/// # Errors
/// When the text is not a list of comparisons joined by `and`.
pub fn parse(text: &str) -> Result<Vec<Filter>, FilterError> {
    let fail = |what: String| FilterError { text: text.to_owned(), what };
    let tokens = tokens(text).map_err(fail)?;
    let mut at = tokens.iter().peekable();
    let mut filters = Vec::new();
    loop {
        filters.push(comparison(&mut at).map_err(fail)?);
        match at.next() {
            None => return Ok(filters),
            Some(token) if token.is_word("and") => {}
            Some(token) if token.is_word("or") => {
                return Err(fail("`or` is not known; use `in (A, B)` for one column".to_owned()));
            }
            Some(token) => return Err(fail(format!("`and` must stand before `{}`", token.text))),
        }
    }
}

impl Filter {
    /// As it is written, so that [`parse`] reads the same again.
    pub fn written(&self) -> String {
        let column = format!("\"{}\"", self.column().replace('"', "\"\""));
        let value = |text: &str| format!("'{}'", text.replace('\'', "''"));
        match self {
            Self::Equals(_, text) => format!("{column} = {}", value(text)),
            Self::Differs(_, text) => format!("{column} != {}", value(text)),
            Self::In(_, texts) => {
                let texts: Vec<String> = texts.iter().map(|text| value(text)).collect();
                format!("{column} in ({})", texts.join(", "))
            }
            Self::IsNull(_) => format!("{column} is null"),
        }
    }

    /// The column that it compares.
    pub fn column(&self) -> &str {
        match self {
            Self::Equals(column, _)
            | Self::Differs(column, _)
            | Self::In(column, _)
            | Self::IsNull(column) => column,
        }
    }

    /// Whether a row with this value in the column passes; `None` is null.
    pub fn passes(&self, value: Option<&str>) -> bool {
        match (self, value) {
            (Self::IsNull(_), value) => value.is_none(),
            (_, None) => false,
            (Self::Equals(_, wanted), Some(value)) => wanted == value,
            (Self::Differs(_, other), Some(value)) => other != value,
            (Self::In(_, wanted), Some(value)) => wanted.iter().any(|one| one == value),
        }
    }

    /// The comparison in words, as it is read.
    pub fn words(&self) -> String {
        match self {
            Self::Equals(column, value) => format!("{column} = {value}"),
            Self::Differs(column, value) => format!("{column} != {value}"),
            Self::In(column, values) => format!("{column} in ({})", values.join(", ")),
            Self::IsNull(column) => format!("{column} is null"),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Token {
    text: String,
    kind: Kind,
}

#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Kind {
    Bare,
    Quoted,
    Sign,
}

impl Token {
    /// A keyword, written bare.
    fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Bare && self.text.eq_ignore_ascii_case(word)
    }

    fn is_sign(&self, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text == sign
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(&letter) = letters.peek() {
        match letter {
            _ if letter.is_whitespace() => {
                letters.next();
            }
            '\'' | '"' | '`' => {
                letters.next();
                tokens.push(Token { text: quoted(&mut letters, letter)?, kind: Kind::Quoted });
            }
            '(' | ')' | ',' | '=' => {
                letters.next();
                // `==` is what programmers write.
                if letter == '=' {
                    letters.next_if_eq(&'=');
                }
                tokens.push(Token { text: letter.to_string(), kind: Kind::Sign });
            }
            '!' | '<' | '>' => {
                letters.next();
                let second = letters.next_if(|next| matches!(next, '=' | '>'));
                match (letter, second) {
                    ('!', Some('=')) | ('<', Some('>')) => {
                        tokens.push(Token { text: "!=".to_owned(), kind: Kind::Sign });
                    }
                    _ => {
                        let second = second.map_or_else(String::new, String::from);
                        return Err(format!("`{letter}{second}` is not a comparison of filters"));
                    }
                }
            }
            _ => {
                let mut word = String::new();
                while let Some(letter) = letters.next_if(|c| {
                    !c.is_whitespace()
                        && !matches!(c, '\'' | '"' | '`' | '(' | ')' | ',' | '=' | '!' | '<' | '>')
                }) {
                    word.push(letter);
                }
                tokens.push(Token { text: word, kind: Kind::Bare });
            }
        }
    }
    Ok(tokens)
}

fn quoted(letters: &mut std::iter::Peekable<std::str::Chars<'_>>, quote: char) -> Result<String, String> {
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        if letter != quote {
            text.push(letter);
        } else if letters.next_if_eq(&quote).is_some() {
            text.push(quote);
        } else {
            return Ok(text);
        }
    }
    Err(format!("the quote {quote} is not closed"))
}

type Tokens<'t> = std::iter::Peekable<std::slice::Iter<'t, Token>>;

fn comparison(at: &mut Tokens<'_>) -> Result<Filter, String> {
    let column = match at.next() {
        Some(token) if token.kind != Kind::Sign && !token.text.is_empty() => token.text.clone(),
        Some(token) => return Err(format!("a column must stand where `{}` is", token.text)),
        None => return Err("a column is missing".to_owned()),
    };
    let Some(verb) = at.next() else {
        return Err(format!("nothing is said about `{column}`"));
    };
    if verb.is_sign("=") {
        return Ok(Filter::Equals(column, value(at)?));
    }
    if verb.is_sign("!=") {
        return Ok(Filter::Differs(column, value(at)?));
    }
    if verb.is_word("in") {
        return Ok(Filter::In(column, list(at)?));
    }
    if verb.is_word("is") {
        return match at.next() {
            Some(token) if token.is_word("null") => Ok(Filter::IsNull(column)),
            _ => Err("after `is` only `null` is known".to_owned()),
        };
    }
    Err(format!("`{}` is not a comparison{}", verb.text, did_you_mean(&verb.text, ["in", "is"])))
}

fn value(at: &mut Tokens<'_>) -> Result<String, String> {
    match at.next() {
        Some(token) if token.kind != Kind::Sign => Ok(token.text.clone()),
        Some(token) => Err(format!("a value must stand where `{}` is", token.text)),
        None => Err("a value is missing at the end".to_owned()),
    }
}

fn list(at: &mut Tokens<'_>) -> Result<Vec<String>, String> {
    if !at.next().is_some_and(|token| token.is_sign("(")) {
        return Err("after `in` a list in brackets is needed".to_owned());
    }
    let mut values = vec![value(at)?];
    loop {
        match at.next() {
            Some(token) if token.is_sign(",") => values.push(value(at)?),
            Some(token) if token.is_sign(")") => return Ok(values),
            Some(token) => return Err(format!("`,` or `)` must stand before `{}`", token.text)),
            None => return Err("the bracket is not closed".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> String {
        value.to_owned()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = "\"a \"\"b\" = 'it''s' and c != d and e in (f, 'g h') and i is null";
        let filters = parse(text).unwrap();
        let written: Vec<String> = filters.iter().map(Filter::written).collect();
        assert_eq!(parse(&written.join(" and ")).unwrap(), filters);
    }

    #[test]
    fn every_comparison_is_read() {
        assert_eq!(parse("channel = agent"), Ok(vec![Filter::Equals(text("channel"), text("agent"))]));
        assert_eq!(parse("channel==agent"), Ok(vec![Filter::Equals(text("channel"), text("agent"))]));
        assert_eq!(parse("a <> b"), Ok(vec![Filter::Differs(text("a"), text("b"))]));
        assert_eq!(
            parse("channel != 'by hand' AND region in (eu, 'us east') and \"deleted at\" is null"),
            Ok(vec![
                Filter::Differs(text("channel"), text("by hand")),
                Filter::In(text("region"), vec![text("eu"), text("us east")]),
                Filter::IsNull(text("deleted at")),
            ])
        );
        assert_eq!(parse("a = 'it''s'"), Ok(vec![Filter::Equals(text("a"), text("it's"))]));
        assert_eq!(
            parse("ts = 2026-11-30T09:00:00Z"),
            Ok(vec![Filter::Equals(text("ts"), text("2026-11-30T09:00:00Z"))])
        );
        assert_eq!(parse("a = ''"), Ok(vec![Filter::Equals(text("a"), text(""))]));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (filter, what) in [
            ("", "a column is missing"),
            ("channel", "nothing is said about `channel`"),
            ("channel =", "a value is missing at the end"),
            ("channel = agent or channel = api", "`or` is not known; use `in (A, B)` for one column"),
            ("channel = agent region = eu", "`and` must stand before `region`"),
            ("amount > 5", "`>` is not a comparison of filters"),
            ("amount <= 5", "`<=` is not a comparison of filters"),
            ("a in b", "after `in` a list in brackets is needed"),
            ("a in (b", "the bracket is not closed"),
            ("a in (b c)", "`,` or `)` must stand before `c`"),
            ("a is not null", "after `is` only `null` is known"),
            ("a = 'b", "the quote ' is not closed"),
            ("= b", "a column must stand where `=` is"),
            ("a inn (b)", "`inn` is not a comparison; did you mean `in`?"),
            ("a = b and", "a column is missing"),
        ] {
            assert_eq!(parse(filter).unwrap_err().what, what, "{filter}");
        }
    }

    #[test]
    fn null_passes_only_is_null() {
        for (filter, agent, other, null) in [
            ("c = agent", true, false, false),
            ("c != agent", false, true, false),
            ("c in (agent, api)", true, false, false),
            ("c is null", false, false, true),
        ] {
            let filter = parse(filter).unwrap().remove(0);
            let passes = [Some("agent"), Some("Agent"), None].map(|value| filter.passes(value));
            assert_eq!(passes, [agent, other, null], "{}", filter.words());
            assert_eq!(filter.column(), "c");
        }
    }

    #[test]
    fn a_filter_reads_its_own_words() {
        let filters = parse("a = b and c != d and e in (f, g) and h is null").unwrap();
        let words = filters.iter().map(Filter::words).collect::<Vec<_>>().join(" and ");
        assert_eq!(words, "a = b and c != d and e in (f, g) and h is null");
        assert_eq!(parse(&words), Ok(filters));
    }
}
