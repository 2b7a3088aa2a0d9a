//! Canonical JSON (RFC 8785) and hashes (`1-model.md` 1.6).
//!
//! The canonical form of a payload is one text for each value: members sorted by UTF-16 code units, no white
//! space, shortest escapes, numbers as ECMAScript prints them. What has no such form is refused with its place.
//! The JSON itself is read by `serde_json`, one level at a time, so that number tokens are seen as written.

mod number;
#[cfg(test)]
mod tests;
mod write;

use sha2::{Digest, Sha256};

pub use number::number;
pub use write::canonical;

/// Levels of arrays and objects that a value may have.
pub const DEEPEST: usize = 128;

/// Why a JSON text has no canonical form. `at` is the place, such as `order.lines[2]`; it holds names from outside.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCanonical {
    /// The text is not JSON.
    #[error("not JSON: {0}")]
    NotJson(String),
    /// An object has a name twice.
    #[error("{at} is there twice")]
    Duplicate {
        /// The member.
        at: String,
    },
    /// A text has half of a surrogate pair, which no Unicode text has.
    #[error("{at} has a lone surrogate")]
    LoneSurrogate {
        /// The text.
        at: String,
    },
    /// A whole number that a double does not hold exactly.
    #[error("{at} is beyond 2^53: send it as text")]
    BeyondDouble {
        /// The number.
        at: String,
    },
    /// A number too large for a double.
    #[error("{at} is too large for a number: send it as text")]
    NotFinite {
        /// The number.
        at: String,
    },
    /// More levels than [`DEEPEST`].
    #[error("nested deeper than {DEEPEST} levels")]
    TooDeep,
}

/// SHA-256 in lower-case hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    let half = |value: u8| char::from(if value < 10 { b'0' + value } else { b'a' + value - 10 });
    bytes.iter().flat_map(|byte| [half(byte >> 4), half(byte & 15)]).collect()
}

/// SHA-256 of the canonical form.
///
/// # Errors
/// [`NotCanonical`] as [`canonical`].
pub fn hash(json: &str) -> Result<String, NotCanonical> {
    canonical(json).map(|text| sha256_hex(text.as_bytes()))
}

/// A value of an identifying field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonScalar<'a> {
    /// Text.
    Text(&'a str),
    /// A whole number, such as minor units.
    Int(i64),
    /// A number as its JSON token.
    Number(&'a str),
    /// `true` or `false`.
    Bool(bool),
    /// `null`.
    Null,
}

/// The key derived from identifying fields: the hash of the object that they make, whatever their order.
///
/// # Errors
/// [`NotCanonical`] if a name is there twice, or if a number is none or does not fit a double.
pub fn derived_key(fields: &[(&str, JsonScalar<'_>)]) -> Result<String, NotCanonical> {
    derived_text(fields).map(|text| sha256_hex(text.as_bytes()))
}

/// The canonical object whose hash is the [`derived_key`], to be shown beside it.
///
/// # Errors
/// [`NotCanonical`] as [`derived_key`].
pub fn derived_text(fields: &[(&str, JsonScalar<'_>)]) -> Result<String, NotCanonical> {
    let mut json = String::from("{");
    for (place, (name, value)) in fields.iter().enumerate() {
        if place > 0 {
            json.push(',');
        }
        write::text(name, &mut json);
        json.push(':');
        match value {
            JsonScalar::Text(text) => write::text(text, &mut json),
            JsonScalar::Int(number) => json.push_str(&number.to_string()),
            JsonScalar::Number(token) => json.push_str(number::checked(token, name)?),
            JsonScalar::Bool(true) => json.push_str("true"),
            JsonScalar::Bool(false) => json.push_str("false"),
            JsonScalar::Null => json.push_str("null"),
        }
    }
    json.push('}');
    canonical(&json)
}
