//! `recount.toml` and the user's config (`7-commands.md` 8.4): every key typed, every error with file, line and the
//! nearest known key.
//!
//! [`keys`] is the file as it is written; [`case`] makes of it what `sources` and `load` need; [`user`] lays the
//! case over the user's config and remembers where each value comes from; [`hazards`] is what hazard rules look at.
//! [`table`] is every key as data: [`written`] finds the lines of a file in it, [`show`] what holds, [`template`] makes
//! a commented file. [`edit`] changes the text of a file. Nothing here is written.

pub mod case;
pub mod edit;
mod error;
mod glob;
pub mod hazards;
pub mod keys;
pub mod policy;
pub mod show;
pub mod table;
pub mod template;
pub mod user;
pub mod value;
pub mod written;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod whole;

use std::path::{Path, PathBuf};

pub use error::ConfigError;
pub use glob::files;
pub use keys::File;

/// Name of the config of a case.
pub const NAME: &str = "recount.toml";

/// A config that was read.
#[derive(Debug, Default)]
pub struct Config {
    /// The file; `None` for built-in values only.
    pub path: Option<PathBuf>,
    /// What stands in it.
    pub file: File,
}

impl Config {
    /// The folder that its paths start from.
    pub fn folder(&self) -> PathBuf {
        let parent = self.path.as_deref().and_then(Path::parent).map(Path::to_owned);
        parent.filter(|p| !p.as_os_str().is_empty()).unwrap_or_else(|| PathBuf::from("."))
    }
}

/// Reads a config. A policy that names a file is taken from there, whole.
///
/// # Errors
/// [`ConfigError`]: not readable, no TOML, a key that is not known, a value that does not fit.
pub fn read(path: &Path) -> Result<Config, ConfigError> {
    let mut config = Config { path: Some(path.to_owned()), file: parse(path)? };
    if let Some(policy) = &config.file.policy.file {
        let from = config.folder().join(policy);
        config.file.policy = parse(&from)?.policy;
    }
    Ok(config)
}

fn parse(path: &Path) -> Result<File, ConfigError> {
    let text = std::fs::read_to_string(path).map_err(|why| ConfigError::unreadable(path, &why))?;
    from_text(path, &text)
}

/// Reads the text of a config; `path` is for its errors.
///
/// # Errors
/// [`ConfigError`].
pub fn from_text(path: &Path, text: &str) -> Result<File, ConfigError> {
    let mut file: File = toml::from_str(text).map_err(|why| ConfigError::from_toml(path, text, &why))?;
    file.check().map_err(|what| ConfigError::plain(path, &what))?;
    file.text = text.to_owned();
    Ok(file)
}
