//! What the environment says about colours, letters and the local zone. Variables come in through a function, so
//! nothing here reads them by itself.

use crate::model::time::Zone;
use crate::ui::theme::{THEMES, Theme};

/// `--color`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// As `NO_COLOR` and the terminal say.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The theme: a named one, unless no colour is wanted. `NO_COLOR` counts when it is not empty; `CLICOLOR_FORCE`
/// is as `--color always`. `own`: themes of the config by their names.
///
/// # Errors
/// The names there are, where the named one is none of them.
pub fn theme(
    named: Option<&str>,
    own: &[(String, Theme)],
    color: Color,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Theme, String> {
    let of_own = |name: &str| own.iter().find(|(known, _)| known == name).map(|(_, theme)| *theme);
    let theme = match named {
        None => *Theme::terminal(),
        Some(name) => Theme::named(name).copied().or_else(|| of_own(name)).ok_or_else(|| {
            let built_in = THEMES.iter().map(|theme| theme.name);
            let known: Vec<&str> = built_in.chain(own.iter().map(|(name, _)| name.as_str())).collect();
            let near = crate::model::near::did_you_mean(name, known.iter().copied());
            format!("there is no theme `{name}`{near}; themes are {}", known.join(", "))
        })?,
    };
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let forced = set("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    Ok(match color {
        Color::Never => *Theme::none(),
        Color::Auto if set("NO_COLOR").is_some() && !forced => *Theme::none(),
        Color::Auto | Color::Always => theme,
    })
}

/// The locale shows ASCII only (`reliability.md` 4.7): the first of `LC_ALL`, `LC_CTYPE`, `LANG` that is set decides.
pub fn ascii(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| variable(name).filter(|value| !value.is_empty()));
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        !locale.contains("utf-8") && !locale.contains("utf8")
    })
}

/// The local zone: `TZ`, else the name behind `/etc/localtime`, else the offset of now.
pub fn zone(variable: impl Fn(&str) -> Option<String>) -> Zone {
    let named = variable("TZ").and_then(|name| Zone::parse(name.trim_start_matches(':')));
    let linked = || {
        let target = std::fs::read_link("/etc/localtime").ok()?;
        let text = target.to_str()?.to_owned();
        text.split_once("zoneinfo/").and_then(|(_, name)| Zone::parse(name))
    };
    let now = || {
        use chrono::Offset as _;
        Zone::Fixed(chrono::Local::now().offset().fix().local_minus_utc())
    };
    named.or_else(linked).unwrap_or_else(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &'static [(&str, &str)]) -> impl Fn(&str) -> Option<String> {
        move |name| pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    }

    #[test]
    fn no_colour_wins_over_a_theme() {
        let name = |named, color, pairs| theme(named, &[], color, of(pairs)).map(|theme| theme.name);
        assert_eq!(name(None, Color::Auto, &[]), Ok("terminal"));
        assert_eq!(name(Some("light"), Color::Auto, &[]), Ok("light"));
        assert_eq!(name(Some("light"), Color::Auto, &[("NO_COLOR", "1")]), Ok("none"));
        assert_eq!(name(None, Color::Auto, &[("NO_COLOR", "")]), Ok("terminal"));
        assert_eq!(name(None, Color::Always, &[("NO_COLOR", "1")]), Ok("terminal"));
        assert_eq!(name(None, Color::Auto, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]), Ok("terminal"));
        assert_eq!(name(Some("dark"), Color::Never, &[]), Ok("none"));
        assert!(name(Some("neon"), Color::Auto, &[]).unwrap_err().contains("terminal, dark, light"));
    }

    #[test]
    fn the_first_locale_that_is_set_decides() {
        assert!(ascii(of(&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")])));
        assert!(ascii(of(&[("LANG", "POSIX")])));
        assert!(!ascii(of(&[("LC_ALL", ""), ("LC_CTYPE", "de_DE.utf8"), ("LANG", "C")])));
        assert!(!ascii(of(&[("LANG", "C.UTF-8")])));
        assert!(!ascii(of(&[])), "nothing is said: as most terminals are");
    }

    #[test]
    fn the_zone_of_the_variable() {
        assert_eq!(zone(of(&[("TZ", "UTC")])), Zone::Utc);
        assert_eq!(zone(of(&[("TZ", ":Europe/Berlin")])).to_string(), "Europe/Berlin");
    }
}
