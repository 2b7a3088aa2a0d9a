//! Roles to colours and attributes: the table of `6-screens.md` 7.4.4.
//!
//! Terminal colours never put yellow or cyan on a word that has to be read, so the default theme works on light and
//! dark without asking the terminal. The theme `none` uses no colour at all, not even "default": a terminal that is
//! told a colour under `NO_COLOR` may lose reverse video (`tui.md` 4.1).

use ratatui::style::{Color, Modifier, Style};

use super::role::Role;
use crate::model::near::did_you_mean;

/// Colour and attributes of one role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Colour of the letters; `None` leaves the terminal's own.
    pub fore: Option<Color>,
    /// Colour of the ground.
    pub back: Option<Color>,
    /// Attributes.
    pub with: Modifier,
}

/// How the selected rows are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// On a ground of their own.
    Ground(Color),
    /// Bold, and the words reversed. Dim cells stay dim.
    Reversed,
}

/// A theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    /// Its name, for `--theme`.
    pub name: &'static str,
    /// Ground and letters without a role; `None` leaves the terminal's own.
    pub ground: Option<(Color, Color)>,
    /// The looks of [`LOOKS`].
    looks: [Look; 13],
    /// The selected rows.
    pub selection: Selection,
}

const NONE: Modifier = Modifier::empty();
const BOLD: Modifier = Modifier::BOLD;
const DIM: Modifier = Modifier::DIM;
const UNDER: Modifier = Modifier::UNDERLINED;
const REVERSED: Modifier = Modifier::REVERSED;

const fn plain(with: Modifier) -> Look {
    Look { fore: None, back: None, with }
}

const fn ansi(fore: Color, with: Modifier) -> Look {
    Look { fore: Some(fore), back: None, with }
}

const fn rgb(hex: u32) -> Color {
    let [_, red, green, blue] = hex.to_be_bytes();
    Color::Rgb(red, green, blue)
}

const fn hex(fore: u32, with: Modifier) -> Look {
    Look { fore: Some(rgb(fore)), back: None, with }
}

const fn button(letters: u32, ground: u32) -> Look {
    Look { fore: Some(rgb(letters)), back: Some(rgb(ground)), with: BOLD }
}

/// Order of the looks in a theme.
pub const LOOKS: [Role; 13] = [
    Role::Text,
    Role::Strong,
    Role::Dim,
    Role::Faint,
    Role::Focus,
    Role::Key,
    Role::Wrong,
    Role::Ask,
    Role::AskWord,
    Role::Ok,
    Role::Button,
    Role::Input,
    Role::Match,
];

/// The themes. The first is the default, the last is that of `NO_COLOR`.
#[rustfmt::skip]
pub const THEMES: [Theme; 6] = [
    Theme {
        name: "terminal",
        ground: None,
        //      text         strong       dim         faint       focus                     key
        looks: [plain(NONE), plain(BOLD), plain(DIM), plain(DIM), ansi(Color::Cyan, BOLD), plain(BOLD),
        //      wrong                    ask                         ask-word     ok
                ansi(Color::Red, BOLD), ansi(Color::Yellow, BOLD), plain(BOLD), ansi(Color::Green, NONE),
        //      button                      input         match
                plain(BOLD.union(REVERSED)), plain(UNDER), plain(BOLD.union(UNDER))],
        selection: Selection::Reversed,
    },
    Theme {
        name: "dark",
        ground: Some((rgb(0x11_15_1a), rgb(0xd5_da_e0))),
        looks: [hex(0xd5_da_e0, NONE), hex(0xd5_da_e0, BOLD), hex(0x87_91_9c, NONE), hex(0x4b_55_61, NONE),
                hex(0x6c_b6_ff, NONE), hex(0x6c_b6_ff, NONE),
                hex(0xff_7b_72, BOLD), hex(0xe5_b5_67, BOLD), hex(0xe5_b5_67, NONE), hex(0x86_c9_94, NONE),
                button(0x11_15_1a, 0x6c_b6_ff), hex(0xd5_da_e0, UNDER), hex(0x6c_b6_ff, BOLD.union(UNDER))],
        selection: Selection::Ground(rgb(0x1d_27_33)),
    },
    Theme {
        name: "light",
        ground: Some((rgb(0xfc_fb_f7), rgb(0x1f_23_28))),
        looks: [hex(0x1f_23_28, NONE), hex(0x1f_23_28, BOLD), hex(0x60_68_71, NONE), hex(0xb9_bf_c6, NONE),
                hex(0x0b_5c_ad, NONE), hex(0x0b_5c_ad, NONE),
                hex(0xb4_23_18, BOLD), hex(0x8a_55_00, BOLD), hex(0x8a_55_00, NONE), hex(0x1b_73_40, NONE),
                button(0xfc_fb_f7, 0x0b_5c_ad), hex(0x1f_23_28, UNDER), hex(0x0b_5c_ad, BOLD.union(UNDER))],
        selection: Selection::Ground(rgb(0xe6_ed_f6)),
    },
    Theme {
        name: "high-contrast",
        ground: None,
        looks: [plain(NONE), plain(BOLD), plain(NONE), plain(DIM), ansi(Color::Cyan, BOLD), plain(BOLD),
                ansi(Color::Red, BOLD), ansi(Color::Yellow, BOLD), plain(BOLD), ansi(Color::Green, NONE),
                plain(BOLD.union(REVERSED)), plain(UNDER), plain(BOLD.union(UNDER))],
        selection: Selection::Reversed,
    },
    Theme {
        name: "colour-blind",
        ground: Some((rgb(0x11_15_1a), rgb(0xd5_da_e0))),
        looks: [hex(0xd5_da_e0, NONE), hex(0xd5_da_e0, BOLD), hex(0x87_91_9c, NONE), hex(0x4b_55_61, NONE),
                hex(0xd5_da_e0, BOLD), hex(0xd5_da_e0, NONE),
                hex(0xff_8c_42, BOLD), hex(0x6d_b7_ff, BOLD), hex(0x6d_b7_ff, NONE), hex(0xd5_da_e0, NONE),
                button(0x11_15_1a, 0xd5_da_e0), hex(0xd5_da_e0, UNDER), hex(0xd5_da_e0, BOLD.union(UNDER))],
        selection: Selection::Ground(rgb(0x22_26_2b)),
    },
    Theme {
        name: "none",
        ground: None,
        looks: [plain(NONE), plain(BOLD), plain(DIM), plain(DIM), plain(BOLD), plain(BOLD),
                plain(BOLD), plain(BOLD), plain(BOLD), plain(NONE),
                plain(BOLD.union(REVERSED)), plain(UNDER), plain(BOLD.union(UNDER))],
        selection: Selection::Reversed,
    },
];

impl Theme {
    /// The default: the terminal's own colours.
    pub fn terminal() -> &'static Self {
        &THEMES[0]
    }

    /// Without any colour.
    pub fn none() -> &'static Self {
        &THEMES[5]
    }

    /// By its name.
    pub fn named(name: &str) -> Option<&'static Self> {
        THEMES.iter().find(|theme| theme.name == name)
    }

    /// An own theme: `terminal` with these looks (`[themes.NAME]`). Beside the roles there are `background` and
    /// `selected`, which take a colour alone.
    ///
    /// # Errors
    /// The role, with what is wrong and what to write.
    pub fn own<'t>(looks: impl IntoIterator<Item = (&'t str, &'t str)>) -> Result<Self, (String, String)> {
        let mut theme = Self { name: "own", ..THEMES[0] };
        let mut background = None;
        for (name, text) in looks {
            let bad = |what: String| (name.to_owned(), what);
            match name {
                "background" => background = Some(colour(text).map_err(bad)?),
                "selected" => theme.selection = Selection::Ground(colour(text).map_err(bad)?),
                _ => {
                    let at = LOOKS.iter().position(|role| role.name() == name);
                    let slot = at.and_then(|at| theme.looks.get_mut(at));
                    *slot.ok_or_else(|| bad(unknown_role(name)))? = look(text).map_err(bad)?;
                }
            }
        }
        if let Some(ground) = background {
            theme.ground = Some((ground, theme.look(Role::Text).fore.unwrap_or(Color::Reset)));
        }
        Ok(theme)
    }

    /// The look of a role.
    pub fn look(&self, role: Role) -> Look {
        let at = LOOKS.iter().position(|known| *known == role);
        at.and_then(|at| self.looks.get(at)).copied().unwrap_or(plain(NONE))
    }

    /// The style of a cell.
    pub fn style(&self, role: Role, selected: bool, words: bool) -> Style {
        let look = self.look(role);
        let mut style = Style::new().add_modifier(look.with);
        if let Some((ground, letters)) = self.ground {
            style = style.bg(ground).fg(letters);
        }
        if let Some(fore) = look.fore {
            style = style.fg(fore);
        }
        if let Some(back) = look.back {
            style = style.bg(back);
        }
        match self.selection {
            Selection::Ground(ground) if selected && look.back.is_none() => style.bg(ground),
            Selection::Reversed if selected && words => style.add_modifier(BOLD.union(REVERSED)),
            Selection::Reversed if selected && !matches!(role, Role::Dim | Role::Faint) => {
                style.add_modifier(BOLD)
            }
            _ => style,
        }
    }
}

/// The sixteen colours of a terminal by their names.
const NAMED: [(&str, Color); 17] = [
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("white", Color::Gray),
    ("bright-black", Color::DarkGray),
    ("bright-red", Color::LightRed),
    ("bright-green", Color::LightGreen),
    ("bright-yellow", Color::LightYellow),
    ("bright-blue", Color::LightBlue),
    ("bright-magenta", Color::LightMagenta),
    ("bright-cyan", Color::LightCyan),
    ("bright-white", Color::White),
    ("default", Color::Reset),
];

/// Attributes by their names.
const ATTRIBUTES: [(&str, Modifier); 4] =
    [("bold", BOLD), ("dim", DIM), ("underlined", UNDER), ("reversed", REVERSED)];

/// `#b42318 bold`, `red on black`, `underlined`.
fn look(text: &str) -> Result<Look, String> {
    let mut found = plain(NONE);
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        if let Some((_, with)) = ATTRIBUTES.iter().find(|(name, _)| *name == word) {
            found.with = found.with.union(*with);
        } else if word == "on" {
            found.back = Some(colour(words.next().unwrap_or_default())?);
        } else if found.fore.is_none() {
            found.fore = Some(colour(word)?);
        } else {
            return Err(format!("`{text}` names two colours; a ground is written as `on COLOUR`"));
        }
    }
    Ok(found)
}

/// `#b42318`, a name, or a number of the palette of 256.
fn colour(text: &str) -> Result<Color, String> {
    let named = NAMED.iter().find(|(name, _)| *name == text).map(|(_, colour)| *colour);
    let hex = || {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        u32::from_str_radix(digits, 16).ok().map(rgb)
    };
    let indexed = || text.parse::<u8>().ok().map(Color::Indexed);
    named.or_else(hex).or_else(indexed).ok_or_else(|| {
        let near = did_you_mean(text, NAMED.iter().map(|(name, _)| *name));
        format!(
            "`{text}` is no colour{near}; write #b42318, a name such as bright-red, or a number up to 255"
        )
    })
}

fn unknown_role(name: &str) -> String {
    let known: Vec<&str> = LOOKS.iter().map(|role| role.name()).chain(["background", "selected"]).collect();
    let near = did_you_mean(name, known.iter().copied());
    format!("there is no role `{name}`{near}; roles are {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_theme_without_colour_names_one() {
        for role in LOOKS {
            let look = Theme::none().look(role);
            assert_eq!((look.fore, look.back), (None, None), "{role:?}");
            let style = Theme::none().style(role, true, true);
            assert_eq!((style.fg, style.bg), (None, None));
            assert!(style.add_modifier.contains(REVERSED), "{role:?}: the words of a selected row");
        }
        assert_eq!(Theme::none().ground, None);
    }

    #[test]
    fn the_default_puts_yellow_and_cyan_on_marks_and_rules_only() {
        for role in [Role::AskWord, Role::Key, Role::Text, Role::Strong, Role::Dim] {
            assert_eq!(Theme::terminal().look(role).fore, None, "{role:?}");
        }
    }

    #[test]
    fn a_selection_keeps_dim_cells_dim() {
        let style = Theme::terminal().style(Role::Dim, true, false);
        assert!(style.add_modifier.contains(DIM) && !style.add_modifier.contains(BOLD));
        assert!(Theme::terminal().style(Role::Text, true, false).add_modifier.contains(BOLD));
        assert_eq!(Theme::named("dark").unwrap().style(Role::Text, true, false).bg, Some(rgb(0x1d_27_33)));
    }

    #[test]
    fn an_own_theme_changes_what_it_names_and_nothing_else() {
        let own = Theme::own([("wrong", "#b42318 bold"), ("key", "blue on 230 underlined")]).unwrap();
        assert_eq!(own.look(Role::Wrong), hex(0xb4_23_18, BOLD));
        let key = Look { fore: Some(Color::Blue), back: Some(Color::Indexed(230)), with: UNDER };
        assert_eq!(own.look(Role::Key), key);
        assert_eq!(own.look(Role::Dim), Theme::terminal().look(Role::Dim));
        assert_eq!((own.ground, own.selection), (None, Selection::Reversed));
        let own = Theme::own([("background", "#fcfbf7"), ("text", "black"), ("selected", "white")]).unwrap();
        assert_eq!(own.ground, Some((rgb(0xfc_fb_f7), Color::Black)));
        assert_eq!(own.selection, Selection::Ground(Color::Gray));
        for (role, look, expected) in [
            ("wrnog", "red", "there is no role `wrnog`; did you mean `wrong`?"),
            ("wrong", "rde", "`rde` is no colour; did you mean `red`?"),
            ("wrong", "red blue", "`red blue` names two colours"),
            ("wrong", "#b4231", "`#b4231` is no colour"),
            ("wrong", "red on", "`` is no colour"),
            ("wrong", "256", "`256` is no colour"),
            ("selected", "bold", "`bold` is no colour"),
        ] {
            let (named, what) = Theme::own([(role, look)]).unwrap_err();
            assert_eq!(named, role);
            assert!(what.starts_with(expected), "{what}");
        }
    }

    /// Relative luminance and contrast as WCAG 2 defines them.
    #[allow(clippy::float_arithmetic)]
    fn contrast(a: Color, b: Color) -> f64 {
        let luminance = |color| {
            let Color::Rgb(red, green, blue) = color else {
                return 0.0;
            };
            let channel = |value: u8| {
                let value = f64::from(value) / 255.0;
                if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue)
        };
        let (a, b): (f64, f64) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn every_text_role_has_a_contrast_of_4_7() {
        for theme in THEMES {
            let (Some((ground, _)), Selection::Ground(selected)) = (theme.ground, theme.selection) else {
                continue;
            };
            for role in LOOKS.into_iter().filter(|role| *role != Role::Faint) {
                let look = theme.look(role);
                let fore = look.fore.unwrap();
                let grounds = look.back.map_or(vec![ground, selected], |back| vec![back]);
                for ground in grounds {
                    let found = contrast(fore, ground);
                    assert!(found >= 4.7, "{} {}: {found}", theme.name, role.name());
                }
            }
        }
    }
}
