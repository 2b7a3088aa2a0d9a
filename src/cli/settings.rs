//! How the screen looks and which keys it has: options over the surroundings over the case over the user's config over
//! the program (`7-commands.md` 8.4), with where each value comes from.

use std::path::Path;

use crate::app::bindings::{Bindings, Wish};
use crate::config::show::Given;
use crate::config::user::{self, Origin, Screen, Sourced};
use crate::config::{Config, ConfigError};
use crate::query::Query;
use crate::runtime::environment::{self, Color};
use crate::ui::theme::{THEMES, Theme};

use super::call::Call;
use super::failure::Failure;

/// What the screen is opened with.
#[derive(Debug)]
pub struct Settings {
    /// Colours and attributes.
    pub theme: Theme,
    /// Only ASCII is drawn.
    pub ascii: bool,
    /// The mouse is used.
    pub mouse: bool,
    /// Times in the local zone.
    pub local_time: bool,
    /// A bell on a new violation.
    pub bell: bool,
    /// Keys.
    pub keys: Bindings,
    /// Saved views by name.
    pub views: Vec<(String, crate::config::keys::View)>,
}

/// Gathers the settings of a call.
///
/// # Errors
/// A config that cannot be used; a theme that nobody knows.
pub fn settings(call: &Call, user: &Config, case: &Config) -> Result<Settings, Failure> {
    let input = |why: &ConfigError| Failure::input(&why.to_string());
    let screen = user::screen(user, case);
    let own = themes(&screen, user, case).map_err(|why| input(&why))?;
    let chosen = look(call, &screen);
    let named = Some(chosen.theme.value.as_str()).filter(|name| !name.is_empty());
    let theme =
        environment::theme(named, &own, color(call), variable).map_err(|why| match chosen.theme.origin {
            Origin::Option => Failure::usage(&why),
            origin => Failure::input(&format!("[ui] theme of {}: {why}", origin.word())),
        })?;
    Ok(Settings {
        theme,
        ascii: chosen.ascii.value,
        mouse: chosen.mouse.value,
        local_time: chosen.local_time.value,
        bell: chosen.bell.value,
        keys: keys(user, case).map_err(|why| input(&why))?,
        views: screen.views.into_iter().map(|(name, view)| (name, view.value)).collect(),
    })
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// `--color`.
fn color(call: &Call) -> Color {
    match call.text("color") {
        Some("always") => Color::Always,
        Some("never") => Color::Never,
        _ => Color::Auto,
    }
}

/// Values of `[ui]` with where they come from.
struct Look {
    theme: Sourced<String>,
    ascii: Sourced<bool>,
    mouse: Sourced<bool>,
    local_time: Sourced<bool>,
    bell: Sourced<bool>,
}

fn look(call: &Call, screen: &Screen) -> Look {
    let flag = |name: &str| call.flag(name).then_some(true);
    Look {
        theme: screen.theme.clone().or_option(call.text("theme").map(str::to_owned)),
        ascii: screen
            .ascii
            .or_environment(environment::ascii(variable).then_some(true))
            .or_option(flag("ascii")),
        mouse: screen.mouse.or_option(flag("mouse")),
        local_time: screen.local_time.or_option(flag("local-time")),
        bell: screen.bell.or_option(flag("bell")),
    }
}

/// What options and surroundings say, for `config show`.
pub fn given(call: &Call, user: &Config, case: &Config) -> Vec<Given> {
    let chosen = look(call, &user::screen(user, case));
    let no_colour =
        matches!(environment::theme(None, &[], color(call), variable), Ok(theme) if theme == *Theme::none());
    let theme = match (no_colour, call.text("color")) {
        (true, Some("never")) => Sourced { value: "none".to_owned(), origin: Origin::Option },
        (true, _) => Sourced { value: "none".to_owned(), origin: Origin::Environment },
        (false, _) => chosen.theme,
    };
    let truths = [
        ("ui.ascii", chosen.ascii),
        ("ui.mouse", chosen.mouse),
        ("ui.local_time", chosen.local_time),
        ("ui.bell", chosen.bell),
    ];
    let theme = ("ui.theme", toml::Value::String(theme.value).to_string(), theme.origin);
    truths
        .into_iter()
        .map(|(name, sourced)| (name, sourced.value.to_string(), sourced.origin))
        .chain([theme])
        .filter(|(.., origin)| matches!(origin, Origin::Option | Origin::Environment))
        .collect()
}

/// Every problem of what the screen takes from two configs; a file that cannot be read has been found before.
pub fn problems(user: &Config, case: &Config) -> Vec<ConfigError> {
    let screen = user::screen(user, case);
    let mut found: Vec<ConfigError> = Vec::new();
    let own = themes(&screen, user, case).unwrap_or_else(|why| {
        found.push(why);
        Vec::new()
    });
    if !screen.theme.value.is_empty()
        && let Err(what) = environment::theme(Some(&screen.theme.value), &own, Color::Always, |_| None)
    {
        found.push(plain(of(screen.theme.origin, user, case), &format!("[ui] theme: {what}")));
    }
    found.extend(keys(user, case).err());
    for (name, view) in &screen.views {
        let filter = view.value.filter.as_deref().unwrap_or_default();
        if let Some(term) = Query::odd(filter) {
            let what =
                format!("[views.{name}] filter: `{term}` is not understood; docs/keymap.md lists the terms");
            found.push(plain(of(view.origin, user, case), &what));
        }
    }
    found
}

fn plain(config: &Config, what: &str) -> ConfigError {
    ConfigError::plain(config.path.as_deref().unwrap_or(Path::new(crate::config::NAME)), what)
}

fn of<'c>(origin: Origin, user: &'c Config, case: &'c Config) -> &'c Config {
    if origin == Origin::User { user } else { case }
}

/// Own themes by name.
fn themes(screen: &Screen, user: &Config, case: &Config) -> Result<Vec<(String, Theme)>, ConfigError> {
    let mut own = Vec::new();
    for (name, roles) in &screen.themes {
        let bad = |what: &str| plain(of(roles.origin, user, case), &format!("[themes.{name}] {what}"));
        if THEMES.iter().any(|theme| theme.name == name) {
            return Err(bad("is the name of a built-in theme; give it another one"));
        }
        let looks = roles.value.iter().map(|(role, look)| (role.as_str(), look.as_str()));
        let theme = Theme::own(looks).map_err(|(role, what)| bad(&format!("{role}: {what}")))?;
        own.push((name.clone(), theme));
    }
    Ok(own)
}

/// The keys of two configs; what the case says of a place wins.
fn keys(user: &Config, case: &Config) -> Result<Bindings, ConfigError> {
    let mut wishes: Vec<Wish> = Vec::new();
    for config in [user, case] {
        for wish in wished(config)? {
            wishes.retain(|old| (&old.context, &old.action) != (&wish.context, &wish.action));
            wishes.push(wish);
        }
    }
    Bindings::new(&wishes).map_err(|why| ConfigError { place: why.place, line: None, what: why.what })
}

fn wished(config: &Config) -> Result<Vec<Wish>, ConfigError> {
    let path = config.path.as_deref().unwrap_or(Path::new(crate::config::NAME));
    let mut wishes = Vec::new();
    for (context, keys) in &config.file.keys {
        for (action, value) in keys {
            let at = |what: &str| ConfigError::at(path, &config.file.text, value.span(), what);
            let names = match value.get_ref() {
                toml::Value::Boolean(false) => Vec::new(),
                toml::Value::String(name) if name.is_empty() => Vec::new(),
                toml::Value::String(name) => vec![name.clone()],
                toml::Value::Array(all) => {
                    let texts: Option<Vec<String>> =
                        all.iter().map(|one| one.as_str().map(str::to_owned)).collect();
                    texts.ok_or_else(|| at("keys are texts, such as [\"j\", \"down\"]"))?
                }
                _ => return Err(at("a key is a text, such as \"ctrl-d\"; several are a list, none is \"\"")),
            };
            let place = at("").place;
            wishes.push(Wish { context: context.clone(), action: action.clone(), keys: names, place });
        }
    }
    Ok(wishes)
}
