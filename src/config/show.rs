//! What holds, key by key, and where it comes from (`config show`): an option, the surroundings, the case, the user's
//! config, or the program.

use super::table::{KEYS, Key, is_name};
use super::user::Origin;
use super::written::Written;

/// A key with what holds for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its path.
    pub name: String,
    /// Its value as TOML; `None` where nothing is set and there is no default. Raw.
    pub value: Option<String>,
    /// What happens where nothing is set.
    pub without: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Where it comes from.
    pub origin: Origin,
    /// Line of the file that sets it; 0 where none does.
    pub line: usize,
}

/// What one place sets.
pub struct Layer {
    /// Where.
    pub origin: Origin,
    /// What.
    pub written: Vec<Written>,
}

/// A value that does not come from a file: path, value as TOML, where it comes from.
pub type Given = (&'static str, String, Origin);

/// Every key; `layers` from the lowest to the highest, `given` above them. Keys of sections that anybody may name are
/// listed for each name, and once without one where there is none.
pub fn rows(layers: &[Layer], given: &[Given]) -> Vec<Row> {
    let mut rows: Vec<((usize, usize, usize), Row)> = Vec::new();
    for (at, key) in KEYS.iter().enumerate() {
        let pattern: Vec<&str> = key.path.split('.').collect();
        let group = group(&pattern).unwrap_or(at);
        for (no, name) in names(layers, &pattern) {
            rows.push(((group, no, at), row(layers, given, key, &name)));
        }
    }
    rows.sort_by_key(|(place, _)| *place);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// The first key of the same named section.
fn group(pattern: &[&str]) -> Option<usize> {
    let depth = pattern.iter().position(|part| is_name(part))?;
    KEYS.iter()
        .position(|key| key.path.split('.').take(depth + 1).eq(pattern.iter().take(depth + 1).copied()))
}

/// The paths that a key has in the files, with the place of their section among its fellows.
fn names(layers: &[Layer], pattern: &[&str]) -> Vec<(usize, String)> {
    let Some(first) = pattern.iter().position(|part| is_name(part)) else {
        return vec![(0, pattern.join("."))];
    };
    let last = pattern.iter().rposition(|part| is_name(part)).unwrap_or(first);
    let written = || layers.iter().flat_map(|layer| &layer.written);
    let fits = |written: &Written, depth: usize| {
        let own = written.key().map_or("", |key| key.path);
        own.split('.').take(depth).eq(pattern.iter().take(depth).copied())
    };
    let mut sections: Vec<&str> = Vec::new();
    for name in written().filter(|w| fits(w, first + 1)).filter_map(|w| w.path.get(first)) {
        if !sections.contains(&name.as_str()) {
            sections.push(name);
        }
    }
    let mut found: Vec<(usize, String)> = Vec::new();
    for set in written().filter(|w| fits(w, last + 1)) {
        let mut path: Vec<&str> = set.path.iter().take(last + 1).map(String::as_str).collect();
        path.extend(pattern.iter().skip(last + 1));
        let name = path.join(".");
        let no = set.path.get(first).and_then(|name| sections.iter().position(|s| s == name)).unwrap_or(0);
        if !found.iter().any(|(_, known)| *known == name) {
            found.push((no, name));
        }
    }
    if sections.is_empty() {
        found.push((0, pattern.join(".")));
    }
    found
}

fn row(layers: &[Layer], given: &[Given], key: &Key, name: &str) -> Row {
    let of = |value: Option<String>, origin, line| Row {
        name: name.to_owned(),
        value,
        without: key.without,
        unit: key.unit,
        origin,
        line,
    };
    if let Some((_, value, origin)) = given.iter().find(|(path, ..)| *path == name) {
        return of(Some(value.clone()), *origin, 0);
    }
    for layer in layers.iter().rev() {
        if let Some(set) = layer.written.iter().find(|written| written.name() == name) {
            return of(Some(set.value.clone()), layer.origin, set.line);
        }
    }
    of(Some(key.default.to_owned()).filter(|value| !value.is_empty()), Origin::BuiltIn, 0)
}
