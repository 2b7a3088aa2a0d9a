//! A commented file with every key: what holds where nothing is set, and what each means (`config template`).

use super::table::{KEYS, Key, OF_USER, is_name};

/// Cells of a key with its value, before what it means.
const KEY: usize = 44;

/// Names that stand for those that anybody chooses.
const NAMES: [(&str, &str); 11] = [
    ("tools.NAME", "refund_order"),
    ("traces.ID", "agent"),
    ("intents.ID", "outbox"),
    ("sources.ID", "provider"),
    ("quota.NAME", "refunds"),
    ("deadlines.KIND", "refund"),
    ("playbook.VERDICT", "DUPLICATED"),
    ("playbook.VERDICT.KIND", "refund"),
    ("themes.NAME", "paper"),
    ("views.NAME", "night"),
    ("keys.CONTEXT", "triage"),
];

/// Names of last parts.
const LAST: [(&str, &str); 7] = [
    ("hazards.RULE", "H09"),
    ("THRESHOLD", "retries"),
    ("FIELD", "operation_id"),
    ("NAME", "dashboard"),
    ("UNIT", "EUR"),
    ("ROLE", "wrong"),
    ("ACTION", "copy"),
];

/// Which file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// `recount.toml` of a case.
    Case,
    /// The user's config.
    User,
}

/// The file. Every key is commented out, so that it says nothing until somebody takes a `#` away.
pub fn template(which: Which) -> String {
    let (of, first) = match which {
        Which::Case => ("recount.toml of a case", "it lies over the config of the user"),
        Which::User => ("the config of a user", "a case's recount.toml lies over it"),
    };
    let mut text = format!(
        "# {of}; {first}.\n# Every key with what holds where nothing is set. Take the # away to set it, in a\n# section with a name that of the section too.\n\
         # Durations are text with a unit, amounts are decimal text in major units.\n"
    );
    let mut section = String::new();
    let mut any = String::new();
    for key in KEYS.iter().filter(|key| !key.default.is_empty() || !key.sample.is_empty()) {
        let first = key.path.split('.').next().unwrap_or_default();
        if which == Which::User && !OF_USER.contains(&first) {
            continue;
        }
        let (of, name) = split(key.path);
        if of != section {
            if first != any {
                text.push('\n');
                any = first.to_owned();
            }
            // A section that always has the same name says nothing by being there.
            let named = of.contains('.');
            if !of.is_empty() {
                text.push_str(&if named { format!("# [{of}]\n") } else { format!("[{of}]\n") });
            }
            section = of;
        }
        text.push_str(&line(key, &name));
    }
    text
}

/// A line: key and value, then what it means.
fn line(key: &Key, name: &str) -> String {
    let value = if key.default.is_empty() { key.sample } else { key.default };
    let set = format!("# {name} = {value}");
    let about = if key.default.is_empty() && !key.without.is_empty() {
        format!("{} ({}). Without: {}", key.about, key.unit, key.without)
    } else {
        format!("{} ({})", key.about, key.unit)
    };
    format!("{set:KEY$}  # {about}\n")
}

/// Section and name of a path, with names for what anybody chooses. Sections of more than two parts are written as
/// dotted keys.
fn split(path: &str) -> (String, String) {
    let parts: Vec<&str> = path.split('.').collect();
    let depth = match parts.as_slice() {
        [_] => 0,
        [_, second, _, ..] if is_name(second) => 2,
        _ => 1,
    };
    let depth = if path.starts_with("playbook.VERDICT.KIND") { 3 } else { depth };
    let named = |at: usize| -> String {
        let part = parts.get(at).copied().unwrap_or_default();
        if !is_name(part) {
            return part.to_owned();
        }
        let upto = parts.get(..=at).map(|parts| parts.join(".")).unwrap_or_default();
        let whole = NAMES.iter().chain(&LAST).find(|(known, _)| *known == upto);
        let last = || LAST.iter().find(|(known, _)| *known == part);
        whole.or_else(last).map_or_else(|| part.to_lowercase(), |(_, name)| (*name).to_owned())
    };
    let all: Vec<String> = (0..parts.len()).map(named).collect();
    let (section, name) = all.split_at(depth.min(all.len()));
    (section.join("."), name.join("."))
}
