//! The nearest known name, for messages about a name that is not known.

/// Names longer than this are not compared: nobody mistypes so much, and data may hold anything.
const LONGEST: usize = 64;

/// The known name that is nearest to `word`, where one is near enough to be meant: at most a third of its letters
/// may be wrong, missing, too many or exchanged with their neighbour. Case does not count.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().flat_map(char::to_lowercase).take(LONGEST + 1).collect();
    if word.len() > LONGEST {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for name in known {
        let other: Vec<char> = name.chars().flat_map(char::to_lowercase).take(LONGEST + 1).collect();
        if other.len() > LONGEST {
            continue;
        }
        let distance = distance(&word, &other);
        let near = distance <= (word.len().max(other.len()) / 3).max(1);
        if near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// `; did you mean NAME?`, or nothing where no known name is near.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// A list for a sentence: `a, b, c`; at most `most` names, then how many more there are.
pub fn listed<S: AsRef<str>>(names: &[S], most: usize) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    let rest = names.len().saturating_sub(most);
    match (shown.is_empty(), rest) {
        (true, _) => "none".to_owned(),
        (false, 0) => shown.join(", "),
        (false, rest) => format!("{} and {rest} more", shown.join(", ")),
    }
}

/// Changes that make one word the other: letters put in, left out, replaced, or two neighbours exchanged.
fn distance(one: &[char], other: &[char]) -> usize {
    let width = other.len() + 1;
    let mut before: Vec<usize> = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut line = Vec::with_capacity(width);
        line.push(row + 1);
        for (column, fellow) in other.iter().enumerate() {
            let at = |list: &[usize], index: usize| list.get(index).copied().unwrap_or(usize::MAX / 2);
            let replace = at(&last, column) + usize::from(letter != fellow);
            let mut changes = replace.min(at(&last, column + 1) + 1).min(at(&line, column) + 1);
            let exchanged = row > 0
                && column > 0
                && one.get(row - 1) == Some(fellow)
                && other.get(column - 1) == Some(letter);
            if exchanged {
                changes = changes.min(at(&before, column - 1) + 1);
            }
            line.push(changes);
        }
        before = std::mem::replace(&mut last, line);
    }
    last.last().copied().unwrap_or(one.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_and_nothing_far_off() {
        let known = ["check", "sources", "operation_id", "amount"];
        for (word, meant) in [
            ("chekc", Some("check")),
            ("chck", Some("check")),
            ("CHECK", Some("check")),
            ("operatoin_id", Some("operation_id")),
            ("amuont", Some("amount")),
            ("amnt", Some("amount")),
            ("ant", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
        assert_eq!(nearest(&"a".repeat(65), ["a"]), None);
    }

    #[test]
    fn a_third_of_the_letters_may_be_wrong() {
        assert_eq!(nearest("abcdXX", ["abcdef"]), Some("abcdef"));
        assert_eq!(nearest("abcXXX", ["abcdef"]), None);
    }

    #[test]
    fn sentences() {
        assert_eq!(did_you_mean("chekc", ["check"]), "; did you mean `check`?");
        assert_eq!(did_you_mean("zzz", ["check"]), "");
        assert_eq!(listed(&["a", "b", "c"], 2), "a, b and 1 more");
        assert_eq!(listed(&["a", "b"], 2), "a, b");
        assert_eq!(listed::<&str>(&[], 2), "none");
    }
}
