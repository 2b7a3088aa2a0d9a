//! What a person writes for a source: `FORMAT:FILE`, and for ledgers options after `?` (`7-commands.md` 7.5.1).

mod options;
pub mod server;

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use thiserror::Error;

use super::formats::named;
use super::spec::Options;
pub use options::{KEYS, set};
pub use server::{Engine, Server};

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
    /// A database server; its address is never printed.
    Server(Server),
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
    /// A password where everybody sees it.
    #[error(
        "a password in an address is seen in lists of processes and in histories, so it is refused: leave it out, and give it \
         in ~/.pgpass or PGPASSWORD (MySQL: ~/.my.cnf or MYSQL_PWD), in a service file, or by `password_command` in recount.toml"
    )]
    Password,
    /// An address of a server that cannot be read; nothing of it is said, because a password may be anywhere in it.
    #[error(
        "the address of the server cannot be read: write postgres://USER@HOST:PORT/DATABASE?table=TABLE (or mysql://..), or service=NAME"
    )]
    Server,
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
    if server::engine_of(text).is_some() {
        return of_server(text, true);
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
    let place = if path == b"-" {
        Place::StandardInput
    } else {
        Place::Path(PathBuf::from(OsString::from_vec(path)))
    };
    let mut address = Address { format, place, id: None, options: Options::default() };
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, "true"));
        let (key, value) = (text_of(key)?, text_of(value)?);
        option(&mut address, &key, value)?;
    }
    Ok(address)
}

/// Reads the address of a database server. `command_line`: a password in it is refused.
///
/// # Errors
/// A password on the command line, an address that cannot be read, an option that is not known.
pub fn of_server(text: &str, command_line: bool) -> Result<Address, AddressError> {
    let parsed = server::parse(text, command_line)?;
    let format = Some(parsed.server.engine.format());
    let place = Place::Server(parsed.server);
    let mut address = Address { format, place, id: None, options: Options::default() };
    for (key, value) in parsed.options {
        option(&mut address, &key, value)?;
    }
    Ok(address)
}

fn option(address: &mut Address, key: &str, value: String) -> Result<(), AddressError> {
    match key {
        "id" => address.id = Some(value),
        // In a file of options `kind` is the format; here the rows may be meant as well.
        "kind" | "format" if named(&value).is_some() => {
            address.format = named(&value).map(|format| format.name);
        }
        _ => set(&mut address.options, key, &value)?,
    }
    Ok(())
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

#[cfg(test)]
mod tests;
