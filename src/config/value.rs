//! Values of a config: durations, decimal amounts, moments, words out of a list. Each refuses in plain words.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};

use crate::model::money::parse_decimal;
use crate::model::time::{Zone, parse_duration, parse_time};

/// A duration in microseconds: text with a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Duration(pub i64);

const DURATION: &str = "a duration is text with a unit: \"500ms\", \"90s\", \"5m\", \"4h\" or \"30d\"";

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Scalar::deserialize(from)?.0;
        parse_duration(&text)
            .map(Self)
            .ok_or_else(|| de::Error::custom(format!("{text:?} is no duration; {DURATION}")))
    }
}

/// An amount in major units, as decimal text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decimal(pub String);

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Decimal;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("an amount as decimal text in major units, such as \"500.00\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Decimal, E> {
                match parse_decimal(text) {
                    Ok(_) => Ok(Decimal(text.to_owned())),
                    Err(why) => Err(E::custom(format!(
                        "{text:?} is no amount ({why}); write decimal text in major units, such as \"500.00\""
                    ))),
                }
            }
        }
        from.deserialize_str(Text)
    }
}

/// Amounts per currency or unit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Amounts(BTreeMap<String, Decimal>);

impl std::ops::Deref for Amounts {
    type Target = BTreeMap<String, Decimal>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Amounts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Table;
        impl<'de> Visitor<'de> for Table {
            type Value = Amounts;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("an amount for each currency, such as { USD = \"500.00\" }")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Amounts, A::Error> {
                BTreeMap::deserialize(de::value::MapAccessDeserializer::new(map)).map(Amounts)
            }
        }
        from.deserialize_map(Table)
    }
}

/// A moment as written: text or a date of TOML; it was checked that it is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment(pub String);

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Scalar::deserialize(from)?.0;
        if parse_time(&text, &Zone::Utc).is_none() {
            return Err(de::Error::custom(format!("{text:?} is no time; write it as 2026-11-30T09:14:07Z")));
        }
        Ok(Self(text))
    }
}

/// A moment, or `start` for a listing that was never pruned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct From(pub String);

impl<'de> Deserialize<'de> for From {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Scalar::deserialize(from)?.0;
        if text != "start" && parse_time(&text, &Zone::Utc).is_none() {
            return Err(de::Error::custom(format!(
                "{text:?} is no time; write it as 2026-11-30T09:14:07Z, or \"start\""
            )));
        }
        Ok(Self(text))
    }
}

/// A zone: `UTC`, `Europe/Berlin`, `+02:00`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ZoneName(pub String);

impl<'de> Deserialize<'de> for ZoneName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        match Zone::parse(&text) {
            Some(_) => Ok(Self(text)),
            None => {
                Err(de::Error::custom(format!("{text:?} is no zone; write UTC, Europe/Berlin or +02:00")))
            }
        }
    }
}

/// A word or a number, as its text: error words and HTTP status codes stand in one list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scalar(pub String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match toml::Value::deserialize(from)? {
            toml::Value::String(text) => Ok(Self(text)),
            toml::Value::Integer(number) => Ok(Self(number.to_string())),
            toml::Value::Datetime(moment) => Ok(Self(moment.to_string())),
            other => Err(de::Error::custom(format!("text is needed where a {} stands", other.type_str()))),
        }
    }
}

/// One text or a list of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Texts(pub Vec<String>);

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged, expecting = "a text, or a list of texts")]
        enum OneOrMany {
            One(String),
            Many(Vec<String>),
        }
        Ok(Self(match OneOrMany::deserialize(from)? {
            OneOrMany::One(text) => vec![text],
            OneOrMany::Many(texts) => texts,
        }))
    }
}

/// A word out of a list: what is in none is refused with the nearest.
macro_rules! words {
    ($($(#[$about:meta])* $name:ident: $($word:literal),+;)+) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name(&'static str);

        impl $name {
            /// The words that it can be.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word.
            pub fn word(self) -> &'static str {
                self.0
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let text = String::deserialize(from)?;
                let known = Self::WORDS.iter().find(|word| **word == text);
                known.map(|word| Self(word)).ok_or_else(|| de::Error::unknown_variant(&text, Self::WORDS))
            }
        }
    )+};
}

words! {
    /// What a check asks.
    Property: "settled", "at-most-once";
    /// Role of a tool.
    ToolRole: "write", "read";
    /// Whether a tool deduplicates.
    Idempotent: "yes", "no", "unknown";
    /// Role of a source.
    SourceRole: "authority", "replica", "second_witness", "write_path";
    /// Completeness of a trace.
    Completeness: "complete", "sampled", "cut", "unknown";
    /// What proves an absence.
    CoverageRule: "newest_entry", "snapshot";
    /// How negative amounts are read.
    NegativeIs: "effect", "reversal";
    /// A step that makes ids equal.
    Step: "uuid", "trim", "collapse_space", "casefold";
    /// A field of a declared join.
    JoinField: "business_id", "amount", "window";
    /// Scope of a quota.
    QuotaScope: "run", "agent", "tool", "case";
    /// What enforces a quota.
    EnforcedIn: "application", "prompt";
}
