//! Roles: what a cell is, never which colour it has (`6-screens.md` 7.4.4).

/// The roles of the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Role {
    /// Everything that has no other role.
    #[default]
    Text,
    /// First sentence, labels, undecided money.
    Strong,
    /// Column heads, units, codes, intended values, copies, hints.
    Dim,
    /// Rules, fog, what lies behind a box.
    Faint,
    /// Bar, heavy rule, link of the selected row, caret.
    Focus,
    /// Key names.
    Key,
    /// Mark, words and money of a violation.
    Wrong,
    /// The mark of what needs a decision.
    Ask,
    /// Words that need a decision.
    AskWord,
    /// The mark of evidence that carries.
    Ok,
    /// The button with the focus.
    Button,
    /// A field for typing.
    Input,
    /// Found letters.
    Match,
}

/// Every role with its letter in a map of roles. In the map a selected cell has the upper case letter.
pub const ROLES: [(Role, char, &str); 13] = [
    (Role::Text, 't', "text"),
    (Role::Strong, 's', "strong"),
    (Role::Dim, 'd', "dim"),
    (Role::Faint, 'f', "faint"),
    (Role::Focus, 'c', "focus"),
    (Role::Key, 'k', "key"),
    (Role::Wrong, 'w', "wrong"),
    (Role::Ask, 'a', "ask"),
    (Role::AskWord, 'q', "ask-word"),
    (Role::Ok, 'o', "ok"),
    (Role::Button, 'b', "button"),
    (Role::Input, 'i', "input"),
    (Role::Match, 'm', "match"),
];

impl Role {
    /// Its letter in a map of roles.
    pub fn letter(self) -> char {
        ROLES.iter().find(|(role, ..)| *role == self).map_or('?', |(_, letter, _)| *letter)
    }

    /// Its name in a theme.
    pub fn name(self) -> &'static str {
        ROLES.iter().find(|(role, ..)| *role == self).map_or("", |(.., name)| name)
    }
}

/// A text with its role.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// The text. The canvas escapes what cannot be shown.
    pub text: String,
    /// Its role.
    pub role: Role,
}

impl Span {
    /// A text with its role.
    pub fn new(text: impl Into<String>, role: Role) -> Self {
        Self { text: text.into(), role }
    }
}

/// Short forms.
pub fn text(text: impl Into<String>) -> Span {
    Span::new(text, Role::Text)
}

/// Short forms.
pub fn dim(text: impl Into<String>) -> Span {
    Span::new(text, Role::Dim)
}

/// Short forms.
pub fn strong(text: impl Into<String>) -> Span {
    Span::new(text, Role::Strong)
}

/// Cells that spans take.
pub fn width_of(spans: &[Span]) -> usize {
    spans.iter().map(|span| crate::text::width(&span.text)).sum()
}
