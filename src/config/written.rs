//! A file key by key: path, value, line, and every key that nobody knows with the nearest one.

use std::path::Path;

use toml_edit::{Item, TableLike};

use super::ConfigError;
use super::error::{line_of, place};
use super::table::{Fit, KEYS, Key, fit, known_below};
use crate::sources::near::{did_you_mean, listed};

/// A key that is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its path.
    pub path: Vec<String>,
    /// Its row of the table.
    pub key: usize,
    /// Its value as TOML, in one line. Raw.
    pub value: String,
    /// 1-based line.
    pub line: usize,
}

impl Written {
    /// What the table says of it.
    pub fn key(&self) -> Option<&'static Key> {
        KEYS.get(self.key)
    }

    /// Its path with dots.
    pub fn name(&self) -> String {
        self.path.join(".")
    }
}

/// Most known names that a message lists.
const LISTED: usize = 12;

/// Reads a text. Gives what is set, in the order of the table's sections as the file has them, and what nobody knows.
///
/// # Errors
/// Text that is no TOML.
pub fn read(file: &Path, text: &str) -> Result<(Vec<Written>, Vec<ConfigError>), ConfigError> {
    let values: toml::Table = toml::from_str(text).map_err(|why| ConfigError::from_toml(file, text, &why))?;
    let places = toml_edit::Document::parse(text)
        .map_err(|why| ConfigError::plain(file, &format!("it cannot be read as TOML: {}", why.message())))?;
    let mut walk = Walk { file, text, known: Vec::new(), unknown: Vec::new() };
    walk.table(places.as_table(), &values, &mut Vec::new());
    walk.known.sort_by_key(|written| written.line);
    walk.unknown.sort_by_key(|error| error.line);
    Ok((walk.known, walk.unknown))
}

struct Walk<'a> {
    file: &'a Path,
    text: &'a str,
    known: Vec<Written>,
    unknown: Vec<ConfigError>,
}

impl Walk<'_> {
    fn table(&mut self, places: &dyn TableLike, values: &toml::Table, path: &mut Vec<String>) {
        for (name, item) in places.iter() {
            let Some(value) = values.get(name) else { continue };
            let at = places.get_key_value(name).and_then(|(key, _)| key.span()).or_else(|| item.span());
            let line = at.map_or(1, |span| line_of(self.text, span.start));
            path.push(name.to_owned());
            self.item(item, value, line, path);
            path.pop();
        }
    }

    fn item(&mut self, item: &Item, value: &toml::Value, line: usize, path: &mut Vec<String>) {
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        match (fit(&words), item.as_table_like(), value) {
            (Fit::Key(key), ..) => {
                let value = value.to_string();
                let value = value.lines().map(str::trim).collect::<Vec<_>>().join(" ");
                self.known.push(Written { path: path.clone(), key, value, line });
            }
            (Fit::Section, Some(places), toml::Value::Table(values)) => self.table(places, values, path),
            // A value where a section stands: the reader of types says what is needed.
            (Fit::Section, ..) => {}
            (Fit::Unknown, ..) => {
                let what = unknown(&words);
                self.unknown.push(ConfigError {
                    place: place(self.file, Some(line)),
                    line: Some(line),
                    what: super::error::safe(&what),
                });
            }
        }
    }
}

/// What is said of a path that nobody knows: the nearest name at its place, else the names there are.
fn unknown(path: &[&str]) -> String {
    let Some((name, above)) = path.split_last() else {
        return String::new();
    };
    let known = known_below(above);
    let whole = path.join(".");
    let near = did_you_mean(name, known.iter().copied());
    if near.is_empty() {
        format!("the key `{whole}` is not known; known keys here: {}", listed(&known, LISTED))
    } else {
        format!("the key `{whole}` is not known{near}")
    }
}
