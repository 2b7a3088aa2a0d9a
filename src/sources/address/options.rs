//! The options of a source by their keys, as text (`7-commands.md` 8.4).

use super::AddressError;
use crate::sources::filter;
use crate::sources::near::{did_you_mean, listed};
use crate::sources::spec::{Column, Negative, Normalise, Options};

/// The options of a source that can be written in an address (`7-commands.md` 8.4, `[sources.ID]`), as
/// `KEY=VALUE`; lists with commas, `where=region=eu`, `columns.FIELD=COLUMN`.
pub const KEYS: [&str; 37] = [
    "id",
    "table",
    "sql",
    "password_command",
    "moves_money",
    "copy_of",
    "part",
    "holds",
    "role",
    "where",
    "scope",
    "since",
    "until",
    "covers_from",
    "exported_at",
    "read_at",
    "final",
    "frozen",
    "live",
    "can_prove_absence",
    "coverage_rule",
    "skew_ms",
    "zone",
    "currency",
    "kind",
    "format",
    "exponent_override",
    "normalise",
    "join",
    "negative_is",
    "status.effect",
    "status.on_its_way",
    "status.not_effect",
    "completeness",
    "complete",
    "intents_complete",
    "columns.FIELD",
];

/// Where a text is kept.
type Text = fn(&mut Options) -> &mut Option<String>;

/// Options that are texts, kept as written.
const TEXTS: [(&str, Text); 10] = [
    ("table", |options| &mut options.table),
    ("sql", |options| &mut options.sql),
    ("copy_of", |options| &mut options.copy_of),
    ("since", |options| &mut options.since),
    ("until", |options| &mut options.until),
    ("covers_from", |options| &mut options.covers_from),
    ("exported_at", |options| &mut options.exported_at),
    ("read_at", |options| &mut options.read_at),
    ("zone", |options| &mut options.zone),
    ("currency", |options| &mut options.currency),
];

/// Options that are one of some words.
const WORDS: [(&str, &[&str], Text); 3] = [
    ("role", &["authority", "replica", "second_witness", "write_path"], |options| &mut options.role),
    ("completeness", &["complete", "sampled", "cut", "unknown"], |options| &mut options.completeness),
    ("coverage_rule", &["newest_entry", "snapshot"], |options| &mut options.coverage_rule),
];

/// Keeps a truth value.
type Truth = fn(&mut Options, bool);

/// Options that are true or false.
const TRUTHS: [(&str, Truth); 8] = [
    ("moves_money", |options, yes| options.moves_money = Some(yes)),
    ("part", |options, yes| options.part = yes),
    ("final", |options, yes| options.final_ = yes),
    ("frozen", |options, yes| options.frozen = yes),
    ("live", |options, yes| options.live = Some(yes)),
    ("can_prove_absence", |options, yes| {
        options.can_prove_absence = Some(yes);
    }),
    ("intents_complete", |options, yes| options.intents_complete = yes),
    ("complete", |options, yes| {
        if yes {
            options.completeness = Some("complete".to_owned());
        }
    }),
];

/// Sets one option of a source by its key, as text.
///
/// # Errors
/// When the key is not known or the value does not fit.
pub fn set(options: &mut Options, key: &str, value: &str) -> Result<(), AddressError> {
    let bad = |why: String| AddressError::BadValue { key: key.to_owned(), value: value.to_owned(), why };
    if let Some((_, text)) = TEXTS.iter().find(|(name, _)| *name == key) {
        *text(options) = Some(value.to_owned());
        return Ok(());
    }
    if let Some((_, words, text)) = WORDS.iter().find(|(name, ..)| *name == key) {
        if !words.contains(&value) {
            return Err(bad(format!("it is one of {}", words.join(", "))));
        }
        *text(options) = Some(value.to_owned());
        return Ok(());
    }
    if let Some((_, keep)) = TRUTHS.iter().find(|(name, _)| *name == key) {
        let yes = match value {
            "true" | "yes" | "1" => true,
            "false" | "no" | "0" => false,
            _ => return Err(bad("it is true or false".to_owned())),
        };
        keep(options, yes);
        return Ok(());
    }
    special(options, key, value)?.map_err(bad)
}

/// Options with a form of their own. The inner result says why the value does not fit.
fn special(options: &mut Options, key: &str, value: &str) -> Result<Result<(), String>, AddressError> {
    let list =
        || value.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let said = |why: &str| Ok(Err(why.to_owned()));
    match key {
        "holds" => options.holds = list(),
        "join" => options.join = list(),
        "password_command" => match super::super::ledger::server::secret::words(value) {
            Some(words) => options.password_command = words,
            None => return said("a quote in it is not closed"),
        },
        "status.effect" => options.status.effect = Some(list()),
        "status.on_its_way" => options.status.on_its_way = Some(list()),
        "status.not_effect" => options.status.not_effect = Some(list()),
        // A format was set before; what is left are the kinds of rows.
        "kind" => options.kind = Some(value.to_owned()),
        "where" => {
            for pair in value.split(',').filter(|pair| !pair.trim().is_empty()) {
                let Some((field, value)) = pair.split_once('=') else {
                    return said("it is FIELD=VALUE");
                };
                options.partition.push((field.trim().to_owned(), value.trim().to_owned()));
            }
        }
        "scope" if value == "run" => options.scope_run = true,
        "scope" => match filter::parse(value) {
            Ok(filter) => options.scope = filter,
            Err(error) => return Ok(Err(error.what)),
        },
        "skew_ms" => match value.parse().ok().filter(|skew: &i64| *skew >= 0) {
            Some(skew) => options.skew_ms = Some(skew),
            None => return said("it is a whole number of milliseconds"),
        },
        "exponent_override" => {
            for pair in value.split(',') {
                let decimals = |digits: &str| digits.trim().parse().ok().filter(|digits: &u8| *digits <= 18);
                let parsed =
                    pair.split_once([':', '=']).map(|(unit, digits)| (unit.trim(), decimals(digits)));
                let Some((unit, Some(digits))) = parsed else {
                    return said("it is CURRENCY:DECIMALS");
                };
                options.exponent_override.push((unit.to_owned(), digits));
            }
        }
        "normalise" => {
            for word in value.split(',') {
                let Some((step, _)) = Normalise::ALL.iter().find(|(_, name)| *name == word.trim()) else {
                    let known = Normalise::ALL.map(|(_, name)| name);
                    return Ok(Err(format!("its steps are {}", known.join(", "))));
                };
                options.normalise.push(*step);
            }
        }
        "negative_is" => {
            options.negative_is = Some(match value {
                "effect" => Negative::Effect,
                "reversal" => Negative::Reversal,
                _ => return said("it is effect or reversal"),
            });
        }
        "format" => return said("it is no format"),
        "id" => return said("it is set with the address only"),
        _ => match key.strip_prefix("columns.").filter(|field| !field.is_empty()) {
            Some(field) => {
                let column =
                    Column::From { column: value.to_owned(), prefix: None, zone: None, resolution_ms: None };
                options.columns.push((field.to_owned(), column));
            }
            None => {
                return Err(AddressError::UnknownOption {
                    key: key.to_owned(),
                    near: did_you_mean(key, KEYS),
                    known: listed(&KEYS, KEYS.len()),
                });
            }
        },
    }
    Ok(Ok(()))
}
