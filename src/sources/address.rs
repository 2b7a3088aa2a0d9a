//! What a person writes for a source: `FORMAT:FILE`, and for ledgers options after `?` (`7-commands.md` 7.5.1).

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use thiserror::Error;

use super::filter;
use super::formats::named;
use super::near::{did_you_mean, listed};
use super::spec::{Column, Negative, Normalise, Options};

/// Where a source is and how it is to be read.
#[derive(Debug, Clone)]
pub struct Address {
    /// Format name, where one was given.
    pub format: Option<&'static str>,
    /// Where it is.
    pub place: Place,
    /// Id, where one was given.
    pub id: Option<String>,
    /// Its options.
    pub options: Options,
}

/// Where a source is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A path.
    Path(PathBuf),
    /// Standard input (`-`).
    StandardInput,
    /// A database server, as written; it may hold a secret and is never printed.
    Server(String),
}

/// Why an address cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AddressError {
    /// A key that sources do not have.
    #[error("the option `{key}` is not known{near}; known are {known}")]
    UnknownOption {
        /// The key.
        key: String,
        /// "; did you mean `x`?", or nothing.
        near: String,
        /// All keys.
        known: String,
    },
    /// A value that does not fit its key.
    #[error("the option `{key}` cannot be `{value}`: {why}")]
    BadValue {
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What is needed.
        why: String,
    },
    /// A percent sign that begins no escape.
    #[error("`{0}` has a percent sign that begins no escape: write `%25` for it, `%3F` for a question mark")]
    Escape(String),
    /// No path.
    #[error("the address names no file")]
    Nothing,
}

/// Reads a path with an optional format before it: traces, and every place where no options are allowed.
pub fn plain(text: &str) -> Result<Address, AddressError> {
    let (format, path) = prefix(text);
    if path.is_empty() {
        return Err(AddressError::Nothing);
    }
    let place = if path == "-" { Place::StandardInput } else { Place::Path(PathBuf::from(path)) };
    Ok(Address { format, place, id: None, options: Options::default() })
}

/// Reads a path or address with options after `?`.
///
/// # Errors
/// When an option is not known or its value does not fit, or an escape is broken.
pub fn with_options(text: &str) -> Result<Address, AddressError> {
    if ["postgres://", "postgresql://", "service="].iter().any(|start| text.starts_with(start)) {
        let place = Place::Server(text.to_owned());
        return Ok(Address { format: Some("postgres"), place, id: None, options: Options::default() });
    }
    let (format, rest) = prefix(text);
    let (path, query) = match rest.split_once('?') {
        Some((path, query)) => (path, query),
        None => (rest, ""),
    };
    let path = decoded(path)?;
    if path.is_empty() {
        return Err(AddressError::Nothing);
    }
    let place =
        if path == b"-" { Place::StandardInput } else { Place::Path(PathBuf::from(OsString::from_vec(path))) };
    let mut address = Address { format, place, id: None, options: Options::default() };
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, "true"));
        let (key, value) = (text_of(key)?, text_of(value)?);
        match key.as_str() {
            "id" => address.id = Some(value),
            // In a file of options `kind` is the format; here the rows may be meant as well.
            "kind" | "format" if named(&value).is_some() => address.format = named(&value).map(|format| format.name),
            _ => set(&mut address.options, &key, &value)?,
        }
    }
    Ok(address)
}

/// Splits a format name off. Anything else before a colon is part of the path (`C:\x`, `2026-11-30T09:14.jsonl`).
fn prefix(text: &str) -> (Option<&'static str>, &str) {
    match text.split_once(':').map(|(name, rest)| (named(name), rest)) {
        Some((Some(format), rest)) => (Some(format.name), rest),
        _ => (None, text),
    }
}

fn decoded(text: &str) -> Result<Vec<u8>, AddressError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        match (digit(rest.next()), digit(rest.next())) {
            (Some(high), Some(low)) => bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'?')),
            _ => return Err(AddressError::Escape(text.to_owned())),
        }
    }
    Ok(bytes)
}

fn text_of(text: &str) -> Result<String, AddressError> {
    String::from_utf8(decoded(text)?).map_err(|_| AddressError::Escape(text.to_owned()))
}

/// The options of a source that can be written in an address (`7-commands.md` 8.4, `[sources.ID]`), as
/// `KEY=VALUE`; lists with commas, `where=region=eu`, `columns.FIELD=COLUMN`.
pub const KEYS: [&str; 36] = [
    "id",
    "table",
    "sql",
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

/// Words that an option allows.
const ROLES: [&str; 4] = ["authority", "replica", "second_witness", "write_path"];
const COMPLETENESS: [&str; 4] = ["complete", "sampled", "cut", "unknown"];
const COVERAGE_RULES: [&str; 2] = ["newest_entry", "snapshot"];

/// Sets one option of a source by its key, as text.
///
/// # Errors
/// When the key is not known or the value does not fit.
pub fn set(options: &mut Options, key: &str, value: &str) -> Result<(), AddressError> {
    let bad = |why: &str| AddressError::BadValue { key: key.to_owned(), value: value.to_owned(), why: why.to_owned() };
    let text = || Some(value.to_owned());
    let list = || value.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let truth = || match value {
        "true" | "yes" | "1" => Ok(true),
        "false" | "no" | "0" => Ok(false),
        _ => Err(bad("it is true or false")),
    };
    let one_of = |words: &[&str]| {
        words.contains(&value).then(|| value.to_owned()).ok_or_else(|| bad(&format!("it is one of {}", words.join(", "))))
    };
    match key {
        "table" => options.table = text(),
        "sql" => options.sql = text(),
        "moves_money" => options.moves_money = Some(truth()?),
        "copy_of" => options.copy_of = text(),
        "part" => options.part = truth()?,
        "holds" => options.holds = list(),
        "role" => options.role = Some(one_of(&ROLES)?),
        "where" => {
            for pair in value.split(',').filter(|pair| !pair.trim().is_empty()) {
                let Some((field, value)) = pair.split_once('=') else {
                    return Err(bad("it is FIELD=VALUE"));
                };
                options.partition.push((field.trim().to_owned(), value.trim().to_owned()));
            }
        }
        "scope" if value == "run" => options.scope_run = true,
        "scope" => options.scope = filter::parse(value).map_err(|error| bad(&error.what))?,
        "since" => options.since = text(),
        "until" => options.until = text(),
        "covers_from" => options.covers_from = text(),
        "exported_at" => options.exported_at = text(),
        "read_at" => options.read_at = text(),
        "final" => options.final_ = truth()?,
        "frozen" => options.frozen = truth()?,
        "live" => options.live = Some(truth()?),
        "can_prove_absence" => options.can_prove_absence = Some(truth()?),
        "coverage_rule" => options.coverage_rule = Some(one_of(&COVERAGE_RULES)?),
        "skew_ms" => {
            let skew = value.parse().ok().filter(|skew: &i64| *skew >= 0);
            options.skew_ms = Some(skew.ok_or_else(|| bad("it is a whole number of milliseconds"))?);
        }
        "zone" => options.zone = text(),
        "currency" => options.currency = text(),
        "kind" => options.kind = text(),
        "exponent_override" => {
            for pair in value.split(',') {
                let parsed = pair.split_once([':', '=']).and_then(|(unit, digits)| {
                    digits.trim().parse().ok().filter(|digits: &u8| *digits <= 18).map(|digits| (unit.trim(), digits))
                });
                let (unit, digits) = parsed.ok_or_else(|| bad("it is CURRENCY:DECIMALS"))?;
                options.exponent_override.push((unit.to_owned(), digits));
            }
        }
        "normalise" => {
            let words: Vec<String> = list();
            for word in &words {
                let step = Normalise::ALL.iter().find(|(_, name)| name == word).map(|(step, _)| *step);
                let known = Normalise::ALL.map(|(_, name)| name);
                options.normalise.push(step.ok_or_else(|| bad(&format!("its steps are {}", known.join(", "))))?);
            }
        }
        "join" => options.join = list(),
        "negative_is" => {
            options.negative_is = Some(match value {
                "effect" => Negative::Effect,
                "reversal" => Negative::Reversal,
                _ => return Err(bad("it is effect or reversal")),
            });
        }
        "status.effect" => options.status.effect = Some(list()),
        "status.on_its_way" => options.status.on_its_way = Some(list()),
        "status.not_effect" => options.status.not_effect = Some(list()),
        "completeness" => options.completeness = Some(one_of(&COMPLETENESS)?),
        "complete" if truth()? => options.completeness = Some("complete".to_owned()),
        "complete" => {}
        "intents_complete" => options.intents_complete = truth()?,
        "format" | "id" => return Err(bad("it cannot be set here")),
        _ => match key.strip_prefix("columns.") {
            Some(field) if !field.is_empty() => {
                let column =
                    Column::From { column: value.to_owned(), prefix: None, zone: None, resolution_ms: None };
                options.columns.push((field.to_owned(), column));
            }
            _ => {
                return Err(AddressError::UnknownOption {
                    key: key.to_owned(),
                    near: did_you_mean(key, KEYS),
                    known: listed(&KEYS, KEYS.len()),
                });
            }
        },
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Place {
        Place::Path(PathBuf::from(text))
    }

    #[test]
    fn only_format_names_are_prefixes() {
        for (text, format, place) in [
            ("native:t.jsonl", Some("native"), path("t.jsonl")),
            ("2026-11-30T09:14.jsonl", None, path("2026-11-30T09:14.jsonl")),
            ("C:\\x", None, path("C:\\x")),
            ("./native:t.jsonl", None, path("./native:t.jsonl")),
            ("Native:t", None, path("Native:t")),
            ("sqlite:a:b.db", Some("sqlite"), path("a:b.db")),
            ("-", None, Place::StandardInput),
            ("csv:-", Some("csv"), Place::StandardInput),
            ("what?.jsonl", None, path("what?.jsonl")),
        ] {
            let address = plain(text).unwrap();
            assert_eq!((address.format, address.place), (format, place), "{text}");
        }
        assert_eq!(plain("csv:").unwrap_err(), AddressError::Nothing);
    }

    #[test]
    fn options_stand_behind_the_question_mark() {
        let address = with_options("sqlite:payments.db?table=refunds").unwrap();
        assert_eq!((address.format, address.place), (Some("sqlite"), path("payments.db")));
        assert_eq!(address.options.table.as_deref(), Some("refunds"));
        let address = with_options("csv:F?exported_at=2026-11-30T09:00:00Z&id=provider&part").unwrap();
        assert_eq!(address.id.as_deref(), Some("provider"));
        assert_eq!(address.options.exported_at.as_deref(), Some("2026-11-30T09:00:00Z"));
        assert!(address.options.part);
        let address = with_options("a%3Fb%23c%26d%25.db?scope=channel%20%3D%20agent&where=region=eu").unwrap();
        assert_eq!(address.place, path("a?b#c&d%.db"));
        assert_eq!(address.options.scope, filter::parse("channel = agent").unwrap());
        assert_eq!(address.options.partition, [("region".to_owned(), "eu".to_owned())]);
        let address = with_options("F?kind=json&kind=refund&columns.key=meta.key").unwrap();
        assert_eq!((address.format, address.options.kind.as_deref()), (Some("json"), Some("refund")));
        assert_eq!(address.options.columns.len(), 1);
        for server in ["postgres://host/db?table=t", "service=books"] {
            let address = with_options(server).unwrap();
            assert_eq!((address.format, address.place), (Some("postgres"), Place::Server(server.to_owned())));
        }
    }

    #[test]
    fn unknown_keys_name_the_nearest() {
        let error = with_options("F?tabel=refunds").unwrap_err();
        assert!(error.to_string().starts_with("the option `tabel` is not known; did you mean `table`?; known are id, "));
        let AddressError::UnknownOption { near, .. } = with_options("F?zzzzzz=1").unwrap_err() else { panic!() };
        assert_eq!(near, "");
    }

    #[test]
    fn values_must_fit() {
        for (option, why) in [
            ("part=maybe", "it is true or false"),
            ("role=boss", "it is one of authority, replica, second_witness, write_path"),
            ("skew_ms=-1", "it is a whole number of milliseconds"),
            ("skew_ms=1.5", "it is a whole number of milliseconds"),
            ("negative_is=both", "it is effect or reversal"),
            ("normalise=lower", "its steps are uuid, trim, collapse_space, casefold"),
            ("exponent_override=ISK", "it is CURRENCY:DECIMALS"),
            ("where=eu", "it is FIELD=VALUE"),
            ("scope=a%20%3E%205", "`>` is not a comparison of filters"),
        ] {
            let error = with_options(&format!("F?{option}")).unwrap_err();
            let AddressError::BadValue { why: said, .. } = error else { panic!("{option}: {error}") };
            assert_eq!(said, why, "{option}");
        }
        assert_eq!(with_options("a%.db").unwrap_err(), AddressError::Escape("a%.db".to_owned()));
        assert_eq!(with_options("a%2.db").unwrap_err(), AddressError::Escape("a%2.db".to_owned()));
        assert_eq!(with_options("?table=t").unwrap_err(), AddressError::Nothing);
    }

    #[test]
    fn every_listed_key_is_known() {
        for key in KEYS {
            let value = match key {
                "moves_money" | "part" | "final" | "frozen" | "live" | "can_prove_absence" | "complete"
                | "intents_complete" => "true",
                "role" => "replica",
                "where" => "region=eu",
                "scope" => "run",
                "coverage_rule" => "snapshot",
                "skew_ms" => "0",
                "exponent_override" => "ISK:2",
                "normalise" => "uuid,trim",
                "negative_is" => "effect",
                "completeness" => "cut",
                "format" => "csv",
                _ => "x",
            };
            assert!(with_options(&format!("F?{key}={value}")).is_ok(), "{key}");
        }
    }
}
