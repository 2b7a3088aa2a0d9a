//! Names of files we make (`reliability.md` 2.3): from our own words and times, never from ids of the data.

/// Bytes a name may have; leaves room for a temporary suffix.
pub const LONGEST_NAME: usize = 100;

/// Names that one system or another keeps for itself.
const RESERVED: &[&str] = &[
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
    "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// A name of `[A-Za-z0-9._-]` without a path, a leading dot or dash, or a reserved word; everything else becomes one `-`.
/// What is left empty is called `recount`. Two texts may give one name, so a file of that name is never overwritten.
pub fn file_name(text: &str) -> String {
    let mut name = String::new();
    for character in text.chars() {
        let kept = if character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-') {
            character
        } else {
            '-'
        };
        let repeats = matches!(kept, '-' | '.') && name.ends_with(kept);
        if !repeats && name.len() < LONGEST_NAME {
            name.push(kept);
        }
    }
    let name = name.trim_start_matches(['.', '-']).trim_end_matches(['.', '-']);
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    match name {
        "" => "recount".to_owned(),
        _ if RESERVED.contains(&stem.as_str()) => format!("_{name}"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_stay_in_their_directory() {
        for (text, expected) in [
            ("refunds-2026-11-30.csv", "refunds-2026-11-30.csv"),
            ("../../etc/passwd", "etc-passwd"),
            ("/etc/passwd", "etc-passwd"),
            ("..", "recount"),
            ("", "recount"),
            (".bashrc", "bashrc"),
            ("-rf", "rf"),
            ("a b\u{202e}c", "a-b-c"),
            ("C:\\x\0y", "C-x-y"),
            ("NUL.txt", "_NUL.txt"),
            ("com1", "_com1"),
            ("name. ", "name"),
            ("a..b", "a.b"),
        ] {
            assert_eq!(file_name(text), expected, "{text:?}");
        }
        assert_eq!(file_name(&"x".repeat(LONGEST_NAME + 1)).len(), LONGEST_NAME);
    }

    proptest! {
        #[test]
        fn names_are_plain(text in any::<String>()) {
            let name = file_name(&text);
            prop_assert!(!name.is_empty() && name.len() <= LONGEST_NAME + 1);
            prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)));
            prop_assert!(!name.starts_with(['.', '-']) && !name.ends_with('.'));
        }
    }
}
