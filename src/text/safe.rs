//! [`SafeText`]: the only text that widgets and printers take.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use super::escape::{Pen, Rules, escape_length, is_plain, open_backslash};
use super::ids::odd_blanks;
use super::redact::redact;
use super::width;

/// The blank that never breaks (`6-screens.md` 7.4.7): between currency and amount. It is only ever ours, since one from
/// outside is shown as `\u{a0}`; [`SafeText::shown`] and every function that lays text out turn it into a normal blank.
pub const NBSP: char = '\u{a0}';

/// The mark behind a text that is not shown as it is (`reliability.md` 2.3).
pub const ESCAPED_MARK: SafeText = SafeText::from_trusted(" (escaped)");

/// Text that can be shown: it holds no control, bidi, zero-width, tag or other invisible character, and no base with
/// more than four combining marks.
///
/// Text from outside gets in only through [`SafeText::new`], [`SafeText::id`] and their kin, which escape it; our own
/// words through [`SafeText::from_trusted`]. The raw text stays what is matched and stored (`reliability.md` 2.3).
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SafeText {
    text: Cow<'static, str>,
    changed: bool,
}

impl SafeText {
    /// Escapes any text, without its secrets ([`redact`]): whoever forgot to take them out shows none. A tab is shown as
    /// one blank.
    pub fn new(raw: &str) -> Self {
        let told = redact(raw);
        if is_plain(told.as_bytes()) {
            return Self::built(told.into_owned(), false);
        }
        Self::escape_str(&told, Rules::Plain)
    }

    /// Escapes an id, so that two different ids never look alike: also odd blanks, and letters and signs that could be
    /// taken for others (`ids.rs` has the rules).
    pub fn id(raw: &str) -> Self {
        let told = redact(raw);
        if is_plain(told.as_bytes()) && !odd_blanks(told.as_bytes()) {
            return Self::built(told.into_owned(), false);
        }
        Self::escape_str(&told, Rules::Id)
    }

    /// Escapes a text of several lines (a note), line by line; `\n` and `\r\n` end a line. A last line break adds none.
    pub fn lines(raw: &str) -> Vec<Self> {
        redact(raw).lines().map(Self::new).collect()
    }

    /// Escapes bytes; those that are no UTF-8 are shown as `\xff`.
    pub fn from_bytes(raw: &[u8]) -> Self {
        Self::escape_bytes(raw, Rules::Plain)
    }

    /// Escapes the bytes of an id.
    pub fn id_from_bytes(raw: &[u8]) -> Self {
        Self::escape_bytes(raw, Rules::Id)
    }

    /// Escapes the first `limit` bytes of a record (200 in lists, 4 KiB with `v`: `reliability.md` 2.3), and ends in
    /// `…` where there are more. A character that the limit cuts is left out. Takes time by the limit, not the record.
    pub fn excerpt(raw: &[u8], limit: usize) -> Self {
        let Some(head) = raw.get(..limit).filter(|head| head.len() < raw.len()) else {
            return Self::from_bytes(raw);
        };
        // A character has at most 4 bytes: drop the begun one, if there is one.
        let begun = (1..=3usize).find(|&back| {
            head.len().checked_sub(back).and_then(|at| head.get(at)).is_some_and(|&byte| byte >= 0xc0)
        });
        let whole = begun.and_then(|back| {
            let at = head.len() - back;
            let length = match head.get(at) {
                Some(0xc2..=0xdf) => 2,
                Some(0xe0..=0xef) => 3,
                Some(0xf0..=0xf4) => 4,
                _ => 1,
            };
            (length > back).then(|| head.get(..at)).flatten()
        });
        let mut text = Self::from_bytes(whole.unwrap_or(head));
        text.text.to_mut().push('…');
        text.changed = true;
        text
    }

    /// Our own words. Not for anything that was read from a file, an argument or the environment.
    pub const fn from_trusted(words: &'static str) -> Self {
        Self { text: Cow::Borrowed(words), changed: false }
    }

    /// Our own sentence with `{}` where `parts` stand, in order. A `{}` without a part stays, a part without one is
    /// left out.
    pub fn fill(sentence: &'static str, parts: &[&Self]) -> Self {
        let mut parts = parts.iter();
        let mut pieces = sentence.split("{}");
        let mut text = Self::built(pieces.next().unwrap_or_default().to_owned(), false);
        for piece in pieces {
            match parts.next() {
                Some(part) => text.push(part),
                None => text.push_trusted("{}"),
            }
            text.text.to_mut().push_str(piece);
        }
        text
    }

    /// The parts one after the other, with `separator` between them.
    pub fn join<'a>(parts: impl IntoIterator<Item = &'a Self>, separator: &'static str) -> Self {
        let mut text = Self::default();
        for (at, part) in parts.into_iter().enumerate() {
            if at > 0 {
                text.push_trusted(separator);
            }
            text.push(part);
        }
        text
    }

    /// The parts one after the other.
    pub fn concat<'a>(parts: impl IntoIterator<Item = &'a Self>) -> Self {
        Self::join(parts, "")
    }

    /// Adds `more` at the end.
    pub fn push(&mut self, more: &Self) {
        if self.text.is_empty() {
            self.text.clone_from(&more.text);
        } else {
            let open = open_backslash(&self.text, &more.text);
            let text = self.text.to_mut();
            if let Some(at) = open {
                text.insert(at, '\\');
                self.changed = true;
            }
            text.push_str(&more.text);
        }
        self.changed |= more.changed;
    }

    /// Adds our own words at the end.
    pub fn push_trusted(&mut self, words: &'static str) {
        self.push(&Self::from_trusted(words));
    }

    /// The text as laid out: it may hold [`NBSP`]. Printers use [`SafeText::shown`].
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text as printed: [`NBSP`] is a normal blank.
    pub fn shown(&self) -> Cow<'_, str> {
        width::plain_blanks(&self.text)
    }

    /// Cells it takes in a terminal.
    pub fn width(&self) -> usize {
        width::width(&self.text)
    }

    /// True when there is nothing to show.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// True when the shown text differs from the raw one, or a part of it does; the reader is then told
    /// ([`SafeText::marked`]).
    pub fn changed(&self) -> bool {
        self.changed
    }

    /// The text, with ` (escaped)` behind it when it differs from the raw one.
    #[must_use]
    pub fn marked(&self) -> Self {
        let mut text = self.clone();
        if self.changed {
            text.push(&ESCAPED_MARK);
        }
        text
    }

    /// The text with every blank as one that does not break: for money in a sentence.
    #[must_use]
    pub fn unbroken(&self) -> Self {
        Self { text: Cow::Owned(self.text.replace(' ', "\u{a0}")), changed: self.changed }
    }

    /// The text with everything outside ASCII as `\u{..}`, for terminals that show ASCII only. For data, before it is
    /// set among our own words: their glyphs have a map (`ascii.rs`).
    #[must_use]
    pub fn to_ascii(&self) -> Self {
        if self.text.is_ascii() {
            return self.clone();
        }
        let mut out = String::with_capacity(self.text.len() * 2);
        let mut rest: &str = &self.text;
        let mut open_backslash = false;
        while let Some(first) = rest.chars().next() {
            if let Some(length) = escape_length(rest) {
                out.push_str(rest.get(..length).unwrap_or_default());
                rest = rest.get(length..).unwrap_or_default();
                open_backslash = false;
                continue;
            }
            if first.is_ascii() || first == NBSP {
                out.push(first);
            } else {
                // A single backslash before what is now an escape has to be doubled, as in `escape.rs`.
                out.push_str(if open_backslash { "\\" } else { "" });
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(first));
            }
            open_backslash = first == '\\';
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
        Self::built(out, true)
    }

    /// At most `cells` wide; what is cut ends in `…` (see [`width::cut`]).
    #[must_use]
    pub fn cut(&self, cells: usize) -> Self {
        Self::built(width::cut(&self.text, cells), self.changed)
    }

    /// At most `cells` wide, head and tail kept (see [`width::cut_middle`]).
    #[must_use]
    pub fn cut_middle(&self, cells: usize) -> Self {
        Self::built(width::cut_middle(&self.text, cells), self.changed)
    }

    /// Exactly `cells` wide, text at the left (see [`width::pad_right`]).
    #[must_use]
    pub fn pad_right(&self, cells: usize) -> Self {
        Self::built(width::pad_right(&self.text, cells), self.changed)
    }

    /// Exactly `cells` wide, text at the right (see [`width::pad_left`]).
    #[must_use]
    pub fn pad_left(&self, cells: usize) -> Self {
        Self::built(width::pad_left(&self.text, cells), self.changed)
    }

    /// In lines of at most `cells` (see [`width::wrap`]).
    pub fn wrap(&self, cells: usize) -> Vec<Self> {
        width::wrap(&self.text, cells).into_iter().map(|line| Self::built(line, self.changed)).collect()
    }

    /// Text that this room built and knows to be safe.
    pub(super) fn built(text: String, changed: bool) -> Self {
        Self { text: Cow::Owned(text), changed }
    }

    fn escape_str(raw: &str, rules: Rules) -> Self {
        let mut pen = Pen::new(rules, raw.len() + 16);
        pen.text(raw);
        let (text, changed) = pen.finish();
        Self::built(text, changed)
    }

    fn escape_bytes(raw: &[u8], rules: Rules) -> Self {
        if let Ok(text) = std::str::from_utf8(raw) {
            return match rules {
                Rules::Plain => Self::new(text),
                Rules::Id => Self::id(text),
            };
        }
        let mut pen = Pen::new(rules, raw.len() + 16);
        for chunk in raw.utf8_chunks() {
            pen.text(&redact(chunk.valid()));
            for &byte in chunk.invalid() {
                pen.byte(byte);
            }
        }
        let (text, changed) = pen.finish();
        Self::built(text, changed)
    }
}

impl fmt::Display for SafeText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.shown())
    }
}

impl fmt::Debug for SafeText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SafeText({})", self.text)
    }
}

impl AsRef<str> for SafeText {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Whole numbers are their own picture.
macro_rules! from_whole_numbers {
    ($($number:ty),*) => {$(
        impl From<$number> for SafeText {
            fn from(number: $number) -> Self {
                Self::built(number.to_string(), false)
            }
        }
    )*};
}
from_whole_numbers!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

/// The code points of `raw` for the detail view (`reliability.md` 2.3): `U+0061 U+202E`.
pub fn code_points(raw: &str) -> SafeText {
    let points: Vec<String> =
        raw.chars().map(|character| format!("U+{:04X}", u32::from(character))).collect();
    SafeText::built(points.join(" "), false)
}
