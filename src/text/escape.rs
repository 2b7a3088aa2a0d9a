//! The one place where text from outside becomes text that may be shown.
//!
//! The escapes are `\n`, `\r`, `\xHH` (other C0 controls, DEL, and bytes that are no UTF-8 from `\x80` on) and
//! `\u{..}`; in ids also `\t` and `\x20`. A backslash of the text itself is doubled where it could be read as the start
//! of one of these, so the shown text can be read back and two different texts are never shown as the same one. The
//! one exception is the tab of plain text, which is shown as a blank (`6-screens.md` 7.1.4).

use std::fmt::Write as _;

use super::ids;
use super::tables::{HIDDEN, MARKS, in_ranges};

/// How many combining marks one base may carry (`reliability.md` 2.3).
pub(super) const MARKS_PER_BASE: usize = 4;

/// For whom a text is escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    /// Any text: a tab is a blank.
    Plain,
    /// Ids: see [`super::ids`].
    Id,
}

/// True when `character` prints: it has a form of its own, and changes nothing around it. Combining marks print.
pub fn is_printing(character: char) -> bool {
    match character {
        ' '..='~' => true,
        '\0'..='\u{a0}' => false,
        _ => !in_ranges(HIDDEN, u32::from(character)),
    }
}

/// True for a combining mark, which has no cell of its own.
pub(super) fn is_mark(character: char) -> bool {
    character >= '\u{300}' && in_ranges(MARKS, u32::from(character))
}

/// True when all bytes are printing ASCII other than the backslash: nothing to escape in plain text.
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    // Whole blocks are counted without a way out, which the compiler turns into wide instructions.
    let special = |byte: &&u8| !matches!(**byte, b' '..=b'[' | b']'..=b'~');
    bytes.chunks(64).all(|block| block.iter().filter(special).count() == 0)
}

/// The length of the escape at the start of `text` in bytes, or `None` when there is none. A doubled backslash counts.
pub(super) fn escape_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b'\\') {
        return None;
    }
    match (bytes.get(1)?, bytes.get(2), bytes.get(3)) {
        (b'\\' | b'n' | b'r' | b't', _, _) => Some(2),
        (b'x', Some(high), Some(low)) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => Some(4),
        (b'u', Some(b'{'), _) => {
            let digits = bytes.iter().skip(3).take(7).take_while(|byte| byte.is_ascii_hexdigit()).count();
            (digits > 0 && bytes.get(3 + digits) == Some(&b'}')).then_some(4 + digits)
        }
        _ => None,
    }
}

/// Where `text` has a backslash of its own that would become the start of an escape with `more` behind it.
pub(super) fn open_backslash(text: &str, more: &str) -> Option<usize> {
    let tail = text.bytes().rev().take(LONGEST_ESCAPE).any(|byte| byte == b'\\');
    if !tail {
        return None;
    }
    let mut rest = text;
    loop {
        let at = text.len() - rest.len() + rest.find('\\')?;
        let (_, from) = text.split_at_checked(at)?;
        if let Some(length) = escape_length(from) {
            rest = from.get(length..)?;
            continue;
        }
        // What the start of the other text completes reaches over the end of this one.
        let whole: String = from.chars().chain(more.chars().take(LONGEST_ESCAPE)).collect();
        if escape_length(&whole).is_some() {
            return Some(at);
        }
        rest = from.get(1..)?;
    }
}

/// Bytes of the longest escape, `\u{10ffff}`, and one more digit that is taken for part of one.
const LONGEST_ESCAPE: usize = 11;

/// What a [`Pen`] wrote last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// It wrote nothing yet.
    Nothing,
    /// A blank or an escape, on which a mark would be taken for one of theirs.
    NoBase,
    /// A character that can carry marks.
    Base,
    /// A single backslash: what follows decides whether it has to be doubled.
    Backslash,
}

/// Writes text out, escaped.
pub(super) struct Pen {
    rules: Rules,
    out: String,
    changed: bool,
    last: Last,
    /// Marks on the last base.
    marks: usize,
    /// Blanks of an id, held back until it is known whether they are odd.
    blanks: usize,
}

impl Pen {
    pub(super) fn new(rules: Rules, capacity: usize) -> Self {
        Self {
            rules,
            out: String::with_capacity(capacity),
            changed: false,
            last: Last::Nothing,
            marks: 0,
            blanks: 0,
        }
    }

    /// The shown text, and whether it differs from the raw one.
    pub(super) fn finish(mut self) -> (String, bool) {
        self.flush_blanks(true);
        self.close_backslash();
        (self.out, self.changed)
    }

    /// A byte that is not part of UTF-8.
    pub(super) fn byte(&mut self, byte: u8) {
        self.flush_blanks(false);
        self.escaped(format_args!("\\x{byte:02x}"));
    }

    /// A stretch of text.
    pub(super) fn text(&mut self, text: &str) {
        let mut rest = text.chars();
        let mut word = ids::Word { length: 0, mixed: false };
        loop {
            if self.rules == Rules::Id {
                if word.length == 0 {
                    word = ids::word(rest.as_str());
                }
                word.length = word.length.saturating_sub(1);
            }
            let Some(character) = rest.next() else { return };
            if self.rules == Rules::Id && character == ' ' {
                self.blanks += 1;
                continue;
            }
            self.flush_blanks(false);
            match character {
                '\\' => self.backslash(rest.as_str()),
                ' '..='~' => self.plain(character),
                '\n' => self.escaped(format_args!("\\n")),
                '\r' => self.escaped(format_args!("\\r")),
                '\t' if self.rules == Rules::Id => self.escaped(format_args!("\\t")),
                '\t' => {
                    self.plain(' ');
                    self.changed = true;
                }
                '\0'..='\x7f' => self.escaped(format_args!("\\x{:02x}", u32::from(character))),
                _ if self.shows(character, word.mixed) => self.plain(character),
                _ => self.escaped(format_args!("\\u{{{:x}}}", u32::from(character))),
            }
        }
    }

    /// Whether a character outside ASCII may be shown as itself here.
    fn shows(&self, character: char, mixed_word: bool) -> bool {
        match self.rules {
            Rules::Id => ids::script(character).is_some() && !(mixed_word && ids::stands_alone(character)),
            Rules::Plain if is_mark(character) => {
                matches!(self.last, Last::Base | Last::Backslash) && self.marks < MARKS_PER_BASE
            }
            Rules::Plain => is_printing(character),
        }
    }

    fn plain(&mut self, character: char) {
        self.out.push(character);
        self.marks = if is_mark(character) { self.marks + 1 } else { 0 };
        self.last = if character == ' ' { Last::NoBase } else { Last::Base };
    }

    fn escaped(&mut self, escape: std::fmt::Arguments<'_>) {
        self.close_backslash();
        // Writing to a String cannot fail.
        let _ = self.out.write_fmt(escape);
        self.changed = true;
        self.last = Last::NoBase;
    }

    /// A backslash of the text, with what follows it.
    fn backslash(&mut self, rest: &str) {
        self.close_backslash();
        self.plain('\\');
        self.last = Last::Backslash;
        let mut next = rest.chars();
        let could_be_read = match next.next() {
            // Doubled at the end too, so that what is set behind this text cannot complete an escape.
            None | Some('n' | 'r' | 't') => true,
            Some('x') => next.clone().take(2).filter(char::is_ascii_hexdigit).count() == 2,
            Some('u') => next.next() == Some('{'),
            _ => false,
        };
        if could_be_read {
            self.close_backslash();
        }
    }

    /// Doubles the backslash that was written last, if it is single.
    fn close_backslash(&mut self) {
        if self.last == Last::Backslash {
            self.out.push('\\');
            self.last = Last::Base;
            self.changed = true;
        }
    }

    /// Writes the blanks of an id that were held back: one between two characters as it is, others as `\x20`.
    fn flush_blanks(&mut self, at_end: bool) {
        let blanks = std::mem::take(&mut self.blanks);
        if blanks == 1 && !at_end && self.last != Last::Nothing {
            self.plain(' ');
            return;
        }
        for _ in 0..blanks {
            self.escaped(format_args!("\\x20"));
        }
    }
}
