//! Texts with their values, and small words that several rules use.

use crate::model::time::{DAY, HOUR, MINUTE, SECOND};

/// A template with `{name}` in place of values.
pub fn fill(template: &str, values: &[(&'static str, String)]) -> String {
    let mut out = String::with_capacity(template.len() + 64);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, behind)) = after.split_once('}') else {
            out.push('{');
            rest = after;
            continue;
        };
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            out.push_str(value);
        } else {
            out.push('{');
            out.push_str(name);
            out.push('}');
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// `a, b and c`.
pub fn list<S: AsRef<str>>(items: &[S]) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// So many ids are named in a text.
const NAMED: usize = 5;

/// The first ids, and how many more there are.
pub fn first_ids<S: AsRef<str>>(ids: &[S], count: usize) -> String {
    let named: Vec<&str> = ids.iter().take(NAMED).map(AsRef::as_ref).collect();
    match count.saturating_sub(named.len()) {
        0 => list(&named),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// `1 attempt`, `2 attempts`.
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A length of time as a config has it: `24h`, `90s`; whole days from three on.
pub fn kept(us: i64) -> String {
    let whole = |unit: i64| us % unit == 0;
    match us {
        _ if whole(DAY) && us >= 3 * DAY + DAY => format!("{}d", us / DAY),
        _ if whole(HOUR) && us > 0 => format!("{}h", us / HOUR),
        _ if whole(MINUTE) && us > 0 => format!("{}m", us / MINUTE),
        _ => format!("{}s", us / SECOND),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_takes_its_values() {
        let values = [("n", "2".to_owned()), ("list", "a {n}".to_owned())];
        assert_eq!(fill("{n} keys: {list}; {left}", &values), "2 keys: a {n}; {left}");
        assert_eq!(fill("an open { stays", &values), "an open { stays");
    }

    #[test]
    fn lists_and_lengths_read_as_sentences() {
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
        assert_eq!(first_ids(&["a", "b"], 2), "a and b");
        assert_eq!(first_ids(&["a", "b", "c", "d", "e", "f"], 9), "a, b, c, d, e and 4 more");
        assert_eq!([24, 72, 96].map(|h| kept(h * HOUR)), ["24h", "72h", "4d"]);
        assert_eq!([kept(90 * SECOND), kept(30 * MINUTE), kept(0)], ["90s", "30m", "0s"]);
    }
}
