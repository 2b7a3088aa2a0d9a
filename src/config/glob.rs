//! Paths of a case, with `*` and `?` in them (`logs/agent-*.jsonl.gz`).

use std::path::{Component, Path, PathBuf};

/// Files that a path of a config means, from its folder: the path itself, or what fits its pattern, by name. A path
/// that means nothing stays as it is, so that its error names it.
pub fn files(folder: &Path, path: &str) -> Vec<PathBuf> {
    let whole = folder.join(path);
    if !path.contains(['*', '?']) || whole.symlink_metadata().is_ok() {
        return vec![whole];
    }
    let mut found = vec![PathBuf::new()];
    for component in whole.components() {
        let Component::Normal(name) = component else {
            for place in &mut found {
                place.push(component);
            }
            continue;
        };
        match name.to_str().filter(|name| name.contains(['*', '?'])) {
            None => {
                for place in &mut found {
                    place.push(name);
                }
            }
            Some(pattern) => found = found.iter().flat_map(|place| entries(place, pattern)).collect(),
        }
    }
    found.retain(|place| place.is_file());
    if found.is_empty() {
        return vec![whole];
    }
    found.sort();
    found
}

/// Entries of a folder that fit a pattern. Hidden ones only where the pattern says so, as in a shell.
fn entries(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(place) else {
        return Vec::new();
    };
    let fits_name = |name: &str| (pattern.starts_with('.') || !name.starts_with('.')) && fits(pattern, name);
    entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_str().is_some_and(fits_name))
        .map(|entry| folder.join(entry.file_name()))
        .collect()
}

/// `*` is any run of characters, `?` any one.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                back = Some((p + 1, n));
                p += 1;
            }
            Some(c) if *c == '?' || name.get(n) == Some(c) => {
                p += 1;
                n += 1;
            }
            _ => match back {
                // The star takes one more.
                Some((after, taken)) => {
                    back = Some((after, taken + 1));
                    p = after;
                    n = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks() {
        for (pattern, name, expected) in [
            ("agent-*.jsonl.gz", "agent-1.jsonl.gz", true),
            ("agent-*.jsonl.gz", "agent-.jsonl.gz", true),
            ("agent-*.jsonl.gz", "agent-1.jsonl", false),
            ("*", "", true),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("*a*b", "xxaxxab", true),
            ("*a*b", "xxaxxa", false),
            ("ä*", "äx", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn a_pattern_means_files_by_name() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("logs")).unwrap();
        for name in ["logs/agent-2.jsonl", "logs/agent-1.jsonl", "logs/other.jsonl", "logs/.agent-0.jsonl"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let names = |path: &str| -> Vec<String> {
            let strip = |p: PathBuf| p.strip_prefix(folder.path()).unwrap().display().to_string();
            files(folder.path(), path).into_iter().map(strip).collect()
        };
        assert_eq!(names("logs/agent-*.jsonl"), ["logs/agent-1.jsonl", "logs/agent-2.jsonl"]);
        assert_eq!(names("l*/other.jsonl"), ["logs/other.jsonl"]);
        assert_eq!(names("logs/none-*.jsonl"), ["logs/none-*.jsonl"]);
        assert_eq!(names("logs/absent.jsonl"), ["logs/absent.jsonl"]);
    }
}
