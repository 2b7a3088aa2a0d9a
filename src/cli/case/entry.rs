//! From a source that was named to its section in `recount.toml`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::cli::failure::Failure;
use crate::config::edit::{Keys, Value};
use crate::report::file::shown;
use crate::sources::address::server::PARAMETERS;
use crate::sources::names::ledger;
use crate::sources::open::{Hints, open};
use crate::sources::spec::{Column, Filter, Location, Negative, Options, SourceSpec, What};

/// Formats whose columns are found by their names.
const BY_NAME: [&str; 7] = ["generic", "csv", "json", "jsonl", "sqlite", "postgres", "mysql"];

/// The section that a source stands in.
pub(super) fn section(what: What) -> &'static str {
    if what == What::Trace { "traces" } else { "sources" }
}

/// Keys of a source with all its files; `words` are those that were typed.
pub(super) fn keys(
    files: &[(&SourceSpec, &OsString)],
    folder: &Path,
    mapping: &[(String, String)],
) -> Result<Keys, Failure> {
    let Some((first, word)) = files.first() else { return Ok(Keys::new()) };
    let mut keys = Keys::new();
    if matches!(first.location, Location::Server(_)) {
        keys.push(("url", Value::Text(bare_address(&word.to_string_lossy()))));
    } else {
        let mut paths = Vec::new();
        for (file, word) in files {
            let Location::File(path) = &file.location else {
                return Err(Failure::usage(&format!(
                    "{} is read once and is gone then; a case needs a file: save it first",
                    shown(Path::new(word))
                )));
            };
            paths.push(from_folder(path, folder)?);
        }
        let one = paths.len() == 1;
        let path = paths.first().filter(|_| one).cloned().map(Value::Text);
        keys.push(("path", path.unwrap_or(Value::List(paths))));
        let name = if first.what == What::Trace { "format" } else { "kind" };
        keys.extend(first.format.iter().map(|format| (name, Value::Text(format.clone()))));
    }
    let o = &first.options;
    let text = |keys: &mut Keys, key: &'static str, value: &Option<String>| {
        keys.extend(value.iter().map(|value| (key, Value::Text(value.clone()))));
    };
    text(&mut keys, "zone", &o.zone);
    text(&mut keys, "currency", &o.currency);
    if first.what == What::Trace {
        text(&mut keys, "completeness", &o.completeness);
        below(&mut keys, "fields", o, &[]);
        return Ok(keys);
    }
    of_ledger(&mut keys, o);
    below(&mut keys, "columns", o, mapping);
    Ok(keys)
}

fn of_ledger(keys: &mut Keys, o: &Options) {
    let truths: [(&'static str, Option<bool>); 7] = [
        ("moves_money", o.moves_money),
        ("part", o.part.then_some(true)),
        ("final", o.final_.then_some(true)),
        ("frozen", o.frozen.then_some(true)),
        ("live", o.live),
        ("can_prove_absence", o.can_prove_absence),
        ("complete", (o.completeness.as_deref() == Some("complete")).then_some(true)),
    ];
    keys.extend(truths.into_iter().filter_map(|(key, value)| Some((key, Value::Truth(value?)))));
    let texts: [(&'static str, &Option<String>); 10] = [
        ("copy_of", &o.copy_of),
        ("table", &o.table),
        ("sql", &o.sql),
        ("role", &o.role),
        ("since", &o.since),
        ("until", &o.until),
        ("covers_from", &o.covers_from),
        ("exported_at", &o.exported_at),
        ("read_at", &o.read_at),
        ("coverage_rule", &o.coverage_rule),
    ];
    keys.extend(texts.into_iter().filter_map(|(key, value)| Some((key, Value::Text(value.clone()?)))));
    let steps: Vec<String> = o
        .normalise
        .iter()
        .filter_map(|step| crate::sources::spec::Normalise::ALL.iter().find(|(known, _)| known == step))
        .map(|(_, word)| (*word).to_owned())
        .collect();
    let lists: [(&'static str, &Vec<String>); 4] = [
        ("password_command", &o.password_command),
        ("holds", &o.holds),
        ("join", &o.join),
        ("normalise", &steps),
    ];
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    keys.extend(lists.map(|(key, list)| (key, Value::List(list.clone()))));
    keys.extend(o.skew_ms.map(|ms| ("skew_ms", Value::Number(ms))));
    keys.extend(o.negative_is.map(|how| {
        let word = if how == Negative::Effect { "effect" } else { "reversal" };
        ("negative_is", Value::Text(word.to_owned()))
    }));
    let mut pairs = |key: &'static str, pairs: Vec<(String, Value)>| {
        if !pairs.is_empty() {
            keys.push((key, Value::Pairs(pairs)));
        }
    };
    pairs("where", o.partition.iter().map(|(f, v)| (f.clone(), Value::Text(v.clone()))).collect());
    let exponents = o.exponent_override.iter();
    pairs("exponent_override", exponents.map(|(u, e)| (u.clone(), Value::Number(i64::from(*e)))).collect());
    let groups = [
        ("effect", &o.status.effect),
        ("on_its_way", &o.status.on_its_way),
        ("not_effect", &o.status.not_effect),
    ];
    let groups = groups.into_iter().filter_map(|(name, words)| Some((name, words.clone()?)));
    pairs("status", groups.map(|(name, words)| (name.to_owned(), Value::List(words))).collect());
    if o.scope_run {
        keys.push(("scope", Value::Text("run".to_owned())));
    } else if !o.scope.is_empty() {
        let filters: Vec<String> = o.scope.iter().map(Filter::written).collect();
        keys.push(("scope", Value::Text(filters.join(" and "))));
    }
}

/// The mapping: what was said, then what was found by name.
fn below(keys: &mut Keys, key: &'static str, o: &Options, mapping: &[(String, String)]) {
    let said = o.columns.iter().map(|(field, column)| {
        let value = match column {
            Column::From { column, prefix: None, .. } => Value::Text(column.clone()),
            Column::From { column, prefix: Some(prefix), .. } => Value::Pairs(vec![
                ("column".to_owned(), Value::Text(column.clone())),
                ("prefix".to_owned(), Value::Text(prefix.clone())),
            ]),
            Column::Const(text) => Value::Pairs(vec![("const".to_owned(), Value::Text(text.clone()))]),
        };
        (field.clone(), value)
    });
    let mut all: Vec<(String, Value)> = said.collect();
    let kind = o
        .kind
        .iter()
        .map(|kind| ("kind".to_owned(), Value::Pairs(vec![("const".to_owned(), Value::Text(kind.clone()))])));
    all.extend(kind);
    for (field, column) in mapping {
        if !all.iter().any(|(known, _)| known == field) {
            all.push((field.clone(), Value::Text(column.clone())));
        }
    }
    if !all.is_empty() {
        keys.push((key, Value::Below(all)));
    }
}

/// The mapping that was found by name, where writing it down changes nothing; empty otherwise.
pub(super) fn mapping(spec: &SourceSpec) -> Vec<(String, String)> {
    // The fields of calls stand in arguments, where a path of a mapping means something else than a name.
    let Some(opened) = open(spec, &Hints::default()).ok().filter(|opened| {
        spec.what == What::Ledger
            && BY_NAME.contains(&opened.format)
            && !opened.found.iter().any(|(_, column)| column.contains('.'))
    }) else {
        return Vec::new();
    };
    let times = |field: &str| opened.found.iter().filter(|(known, _)| known == field).count();
    let known = |field: &str| ledger::TABLE.iter().any(|line| line.field == field) && times(field) == 1;
    let found: Vec<(String, String)> =
        opened.found.iter().filter(|(field, _)| known(field)).cloned().collect();
    let mut written = spec.clone();
    for (field, column) in &found {
        let from = Column::From { column: column.clone(), prefix: None, zone: None, resolution_ms: None };
        if !written.options.columns.iter().any(|(known, _)| known == field) {
            written.options.columns.push((field.clone(), from));
        }
    }
    let sorted = |mut all: Vec<(String, String)>| {
        all.sort();
        all
    };
    let same = open(&written, &Hints::default())
        .is_ok_and(|again| sorted(again.found) == sorted(opened.found.clone()));
    if same { found } else { Vec::new() }
}

/// An address with nothing but the connection in it.
fn bare_address(word: &str) -> String {
    let Some((place, query)) = word.split_once('?') else { return word.to_owned() };
    let kept: Vec<&str> = query
        .split('&')
        .filter(|pair| PARAMETERS.contains(&pair.split('=').next().unwrap_or_default()))
        .collect();
    if kept.is_empty() { place.to_owned() } else { format!("{place}?{}", kept.join("&")) }
}

/// A path as a config writes it: from its folder where it lies below it, else whole.
pub(super) fn from_folder(path: &Path, folder: &Path) -> Result<String, Failure> {
    let whole = absolute(path);
    let base = absolute(folder);
    let below = whole.strip_prefix(&base).map(Path::to_owned).or_else(|_| {
        // A folder may be reached by a link.
        let real = |path: &Path| path.canonicalize().ok();
        let (Some(folder), Some(parent)) = (real(&base), whole.parent().and_then(real)) else {
            return Err(());
        };
        let parent = parent.strip_prefix(&folder).map_err(|_| ())?;
        Ok(parent.join(whole.file_name().unwrap_or_default()))
    });
    let path = below.unwrap_or(whole);
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Failure::usage(&format!("{}: a config holds only names in UTF-8; rename it first", shown(&path)))
    })
}

/// A path without `.` and from the root.
pub(super) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_what_connects() {
        for (word, wanted) in [
            (
                "postgres://u@h/db?table=t&sslmode=require&id=x&moves_money",
                "postgres://u@h/db?sslmode=require",
            ),
            ("service=books?table=t", "service=books"),
            ("postgres://h/db", "postgres://h/db"),
        ] {
            assert_eq!(bare_address(word), wanted);
        }
    }

    #[test]
    fn paths_below_the_folder_are_short() {
        let folder = tempfile::tempdir().unwrap();
        let case = folder.path().join("case");
        std::fs::create_dir(&case).unwrap();
        let of = |path: &Path| from_folder(path, &case).unwrap();
        assert_eq!(of(&case.join("logs/a.jsonl")), "logs/a.jsonl");
        let outside = folder.path().join("b.csv");
        assert_eq!(of(&outside), outside.to_str().unwrap());
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&case, &link).unwrap();
        assert_eq!(from_folder(&case.join("a.csv"), &link).unwrap(), "a.csv");
    }
}
