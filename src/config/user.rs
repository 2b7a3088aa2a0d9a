//! The user's config below the case's, and where each value of the screen comes from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::keys::{Ui, View};
use super::table::OF_USER;
use super::{Config, ConfigError, read, written};
use toml::Spanned;

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// The program.
    BuiltIn,
    /// The user's config.
    User,
    /// The case.
    Case,
    /// The file that `[policy] file` names.
    PolicyFile,
    /// A variable, or the locale.
    Environment,
    /// The command line.
    Option,
}

impl Origin {
    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            Self::BuiltIn => "built in",
            Self::User => "user config",
            Self::Case => "recount.toml",
            Self::PolicyFile => "policy file",
            Self::Environment => "environment",
            Self::Option => "option",
        }
    }
}

/// A value and where it comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub origin: Origin,
}

impl<T> Sourced<T> {
    /// A value of the program.
    pub fn built_in(value: T) -> Self {
        Self { value, origin: Origin::BuiltIn }
    }

    /// The same, where an option was given.
    #[must_use]
    pub fn or_option(self, option: Option<T>) -> Self {
        option.map_or(self, |value| Self { value, origin: Origin::Option })
    }

    /// The same, where the surroundings say something.
    #[must_use]
    pub fn or_environment(self, found: Option<T>) -> Self {
        found.map_or(self, |value| Self { value, origin: Origin::Environment })
    }
}

/// What the screen takes from configs.
#[derive(Debug)]
pub struct Screen {
    /// Name of the theme; empty: the terminal's own colours.
    pub theme: Sourced<String>,
    /// ASCII only.
    pub ascii: Sourced<bool>,
    /// The mouse is used.
    pub mouse: Sourced<bool>,
    /// Times in the local zone.
    pub local_time: Sourced<bool>,
    /// A bell on a new violation.
    pub bell: Sourced<bool>,
    /// Own themes by name.
    pub themes: BTreeMap<String, Sourced<BTreeMap<String, String>>>,
    /// Saved views by name.
    pub views: BTreeMap<String, Sourced<View>>,
    /// Keys per context, by name.
    pub keys: BTreeMap<String, BTreeMap<String, Sourced<Spanned<toml::Value>>>>,
}

/// Path of the user's config, where there is a place for one.
pub fn path() -> Option<PathBuf> {
    let home = || {
        std::env::var_os("HOME")
            .filter(|home| !home.is_empty())
            .map(|home| PathBuf::from(home).join(".config"))
    };
    let config =
        std::env::var_os("XDG_CONFIG_HOME").filter(|dir| !dir.is_empty()).map(PathBuf::from).or_else(home)?;
    Some(config.join("recount").join("config.toml"))
}

/// Reads the user's config; an absent one is empty.
///
/// # Errors
/// [`ConfigError`] where it is there and cannot be used, or says something that belongs to a case.
pub fn load() -> Result<Config, ConfigError> {
    let Some(path) = path().filter(|path| path.exists()) else {
        return Ok(Config::default());
    };
    let config = read(&path)?;
    foreign(&path, &config.file.text).map_or(Ok(config), Err)
}

/// The first section that a user's config may not hold. What is judged and who decides must be the same for everyone
/// who opens a case, so it stands in the case.
pub fn foreign(path: &Path, text: &str) -> Option<ConfigError> {
    let (set, _) = written::read(path, text).ok()?;
    let first = set.iter().find(|w| w.path.first().is_none_or(|s| !OF_USER.contains(&s.as_str())))?;
    let section = first.path.first().map(String::as_str).unwrap_or_default();
    let what = format!(
        "`{section}` belongs into the recount.toml of a case, where it is the same for everyone; here stand {}",
        OF_USER.map(|name| format!("[{name}]")).join(", ")
    );
    Some(ConfigError { place: super::error::place(path, Some(first.line)), line: Some(first.line), what })
}

/// The case over the user's config over what the program has.
pub fn screen(user: &Config, case: &Config) -> Screen {
    let layers = [(Origin::User, user), (Origin::Case, case)];
    let (of_user, of_case) = (&user.file.ui, &case.file.ui);
    Screen {
        theme: pick(String::new(), of_user, of_case, |ui| ui.theme.clone()),
        ascii: pick(false, of_user, of_case, |ui| ui.ascii),
        mouse: pick(false, of_user, of_case, |ui| ui.mouse),
        local_time: pick(false, of_user, of_case, |ui| ui.local_time),
        bell: pick(false, of_user, of_case, |ui| ui.bell),
        themes: named(&layers, |config| &config.file.themes),
        views: named(&layers, |config| &config.file.views),
        keys: keys(&layers),
    }
}

fn pick<T>(default: T, user: &Ui, case: &Ui, of: impl Fn(&Ui) -> Option<T>) -> Sourced<T> {
    match (of(case), of(user)) {
        (Some(value), _) => Sourced { value, origin: Origin::Case },
        (None, Some(value)) => Sourced { value, origin: Origin::User },
        (None, None) => Sourced::built_in(default),
    }
}

fn named<'c, T: Clone + 'c>(
    layers: &[(Origin, &'c Config)],
    of: impl Fn(&'c Config) -> &'c BTreeMap<String, T>,
) -> BTreeMap<String, Sourced<T>> {
    let mut all = BTreeMap::new();
    for (origin, config) in layers {
        all.extend(
            of(config)
                .iter()
                .map(|(name, value)| (name.clone(), Sourced { value: value.clone(), origin: *origin })),
        );
    }
    all
}

fn keys(layers: &[(Origin, &Config)]) -> BTreeMap<String, BTreeMap<String, Sourced<Spanned<toml::Value>>>> {
    let mut all: BTreeMap<String, BTreeMap<String, Sourced<Spanned<toml::Value>>>> = BTreeMap::new();
    for (origin, config) in layers {
        for (context, keys) in &config.file.keys {
            let known = all.entry(context.clone()).or_default();
            known.extend(
                keys.iter()
                    .map(|(name, value)| (name.clone(), Sourced { value: value.clone(), origin: *origin })),
            );
        }
    }
    all
}
