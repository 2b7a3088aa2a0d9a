//! What an id may show as itself, so that two different ids never look alike (`reliability.md` 2.3, homoglyph ids).
//!
//! An id is compared byte by byte (`product.md`, decided 19), so its picture has to be as exact. Within an id
//!
//! 1. ASCII is shown as it is, and blanks at the ends or in a row as `\x20`;
//! 2. a letter outside ASCII is shown only if [`ID_LETTERS`] lists it; every other character (dashes, signs, digits of
//!    other scripts, combining marks, full-width and mathematical letters) becomes `\u{..}`;
//! 3. a *word* (letters and digits in a row) that mixes Greek, Cyrillic, Armenian or Georgian with each other or with
//!    ASCII, or whose letters could all be those of another script, shows these letters as `\u{..}`.
//!
//! So `r\u{435}fund` is seen for a Cyrillic `е` in `refund`, and `заказ-12` stays readable.

use super::tables::{ID_LETTERS, LOOKALIKES};

/// The scripts whose letters an id may show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    /// Latin letters beyond ASCII.
    Latin,
    /// Greek.
    Greek,
    /// Cyrillic.
    Cyrillic,
    /// Armenian.
    Armenian,
    /// Georgian.
    Georgian,
    /// Han, Hiragana, Katakana and Hangul, which are written together and beside Latin.
    EastAsian,
}

/// How one character counts in a word of an id.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// An ASCII letter or digit, a Latin letter, or `|`, which looks like `l` and `1`.
    Latin,
    /// A letter that goes with every script.
    Neutral,
    /// A letter of a script that must stand alone; `true` when its form tells the script.
    Alone(Script, bool),
    /// Not part of a word.
    Other,
}

fn class(character: char) -> Class {
    if character.is_ascii() {
        return if character.is_ascii_alphanumeric() || character == '|' {
            Class::Latin
        } else {
            Class::Other
        };
    }
    match script(character) {
        None => Class::Other,
        Some(Script::Latin) => Class::Latin,
        Some(Script::EastAsian) => Class::Neutral,
        Some(script) => Class::Alone(script, LOOKALIKES.binary_search(&u32::from(character)).is_err()),
    }
}

/// The script of a letter that an id may show, or `None` when it may not.
pub(super) fn script(character: char) -> Option<Script> {
    let point = u32::from(character);
    let after = ID_LETTERS.partition_point(|&(first, _, _)| first <= point);
    let &(_, last, script) = ID_LETTERS.get(after.checked_sub(1)?)?;
    (point <= last).then_some(script)
}

/// True for a letter that rule 3 shows as a code point in a word that mixes.
pub(super) fn stands_alone(character: char) -> bool {
    matches!(class(character), Class::Alone(..))
}

/// The word at the start of `rest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// How many characters it has; 0 when `rest` does not begin with one.
    pub(super) length: usize,
    /// Rule 3: it mixes scripts, or could be a word of another one.
    pub(super) mixed: bool,
}

/// Reads the word at the start of `rest` and judges it by rule 3.
pub(super) fn word(rest: &str) -> Word {
    let (mut length, mut latin, mut several, mut telling) = (0, false, false, false);
    let mut alone: Option<Script> = None;
    for character in rest.chars() {
        match class(character) {
            Class::Other => break,
            Class::Neutral => {}
            Class::Latin => latin = true,
            Class::Alone(script, tells) => {
                several |= alone.is_some_and(|first| first != script);
                telling |= tells;
                alone = Some(script);
            }
        }
        length += 1;
    }
    Word { length, mixed: alone.is_some() && (latin || several || !telling) }
}

/// True when a blank of an id stands at an end or beside another one, for texts of ASCII only.
pub(super) fn odd_blanks(text: &[u8]) -> bool {
    text.first() == Some(&b' ')
        || text.last() == Some(&b' ')
        || text.windows(2).any(|pair| matches!(pair, [b' ', b' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_judged_by_their_scripts() {
        for (text, length, mixed) in [
            ("refund:1", 6, false),
            ("r\u{435}fund", 6, true),
            ("заказ-12", 5, false),
            ("заказ12", 7, true),
            ("\u{441}\u{430}\u{441}", 3, true),
            ("\u{440}\u{3c9}", 2, true),
            ("Größe", 5, false),
            ("注文a12", 5, false),
            ("-x", 0, false),
        ] {
            assert_eq!(word(text), Word { length, mixed }, "{text}");
        }
    }

    #[test]
    fn letters_outside_the_table_have_no_script() {
        for character in
            ['\u{131}', '\u{ff41}', '\u{1d41a}', '\u{2013}', '\u{661}', '\u{627}', '\u{301}', '\u{ac}']
        {
            assert_eq!(script(character), None, "{character:?}");
        }
        assert_eq!(script('é'), Some(Script::Latin));
        assert_eq!(script('注'), Some(Script::EastAsian));
    }

    #[test]
    fn odd_blanks_stand_at_the_ends_or_in_a_row() {
        for (text, odd) in
            [("a b", false), (" a", true), ("a ", true), ("a  b", true), ("", false), (" ", true)]
        {
            assert_eq!(odd_blanks(text.as_bytes()), odd, "{text:?}");
        }
    }
}
