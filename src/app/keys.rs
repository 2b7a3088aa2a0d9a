//! Keys, without any terminal: their names as in `docs/keymap.md`, the config and `--script`.

use std::fmt;

/// A key that was pressed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    /// Which.
    pub code: Code,
    /// With ctrl.
    pub ctrl: bool,
}

/// Which key. Shifted letters are the upper case letter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Code {
    /// A character.
    Char(char),
    /// Enter.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Shift and tab.
    BackTab,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Arrow.
    Up,
    /// Arrow.
    Down,
    /// Arrow.
    Left,
    /// Arrow.
    Right,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Home.
    Home,
    /// End.
    End,
}

/// Names of the keys that are not a character, and how they look in footer and help.
const NAMES: [(Code, &str, &str); 14] = [
    (Code::Enter, "enter", "enter"),
    (Code::Esc, "esc", "esc"),
    (Code::Tab, "tab", "tab"),
    (Code::BackTab, "shift-tab", "shift-tab"),
    (Code::Backspace, "backspace", "backspace"),
    (Code::Delete, "delete", "delete"),
    (Code::Up, "up", "↑"),
    (Code::Down, "down", "↓"),
    (Code::Left, "left", "←"),
    (Code::Right, "right", "→"),
    (Code::PageUp, "pgup", "pgup"),
    (Code::PageDown, "pgdn", "pgdn"),
    (Code::Home, "home", "home"),
    (Code::End, "end", "end"),
];

impl Key {
    /// A character without ctrl.
    pub const fn char(character: char) -> Self {
        Self { code: Code::Char(character), ctrl: false }
    }

    /// A character with ctrl.
    pub const fn ctrl(character: char) -> Self {
        Self { code: Code::Char(character), ctrl: true }
    }

    /// A key that is not a character.
    pub const fn of(code: Code) -> Self {
        Self { code, ctrl: false }
    }

    /// Reads a name: `enter`, `ctrl-d`, `space`, or one character.
    pub fn parse(name: &str) -> Option<Self> {
        if let Some((code, ..)) = NAMES.iter().find(|(_, known, _)| *known == name) {
            return Some(Self::of(*code));
        }
        if name == "space" {
            return Some(Self::char(' '));
        }
        let (ctrl, rest) = match name.strip_prefix("ctrl-") {
            Some(rest) => (true, rest),
            None => (false, name),
        };
        let mut characters = rest.chars();
        let character = characters.next()?;
        characters.next().is_none().then_some(Self { code: Code::Char(character), ctrl })
    }

    /// As it stands in footer and help: arrows as arrows, everything else by its name.
    pub fn shown(self) -> String {
        match NAMES.iter().find(|(code, ..)| *code == self.code) {
            Some((_, _, shown)) if !self.ctrl => (*shown).to_owned(),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            out.write_str("ctrl-")?;
        }
        match self.code {
            Code::Char(' ') => out.write_str("space"),
            Code::Char(character) => write!(out, "{character}"),
            code => {
                let name = NAMES.iter().find(|(known, ..)| *known == code);
                out.write_str(name.map_or("", |(_, name, _)| name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        let chars = ['a', 'G', '/', ']', '.', '?', ' ', '1', 'ä'].map(Key::char);
        let ctrls = ['c', 'd', 'z'].map(Key::ctrl);
        let named = NAMES.map(|(code, ..)| Key::of(code));
        for key in chars.into_iter().chain(ctrls).chain(named) {
            assert_eq!(Key::parse(&key.to_string()), Some(key), "{key}");
        }
        for wrong in ["", "ctrl-", "ab", "ctrl-ab", "Enter", "alt-x"] {
            assert_eq!(Key::parse(wrong), None, "{wrong}");
        }
        assert_eq!(Key::of(Code::Up).shown(), "↑");
        assert_eq!(Key::ctrl('d').shown(), "ctrl-d");
    }
}
