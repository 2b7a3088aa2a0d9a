//! Text in cells: measuring, cutting, padding, wrapping (`6-screens.md` 7.1.4, 7.4.7).
//!
//! The width of a text is the sum of the widths of its characters, so every terminal comes to the same sum: what would
//! change the width of its neighbours (joiners, variation selectors, skin tones) is escaped before it gets here. Nothing
//! is cut inside a grapheme or inside an escape such as `\u{202e}`. Every function that lays out turns
//! [`NBSP`](super::safe::NBSP) into a normal blank.

use std::borrow::Cow;
use std::collections::HashMap;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthChar as _;

use super::escape::escape_length;
use super::safe::NBSP;

/// What stands for the part that was cut; one cell.
pub const ELLIPSIS: char = '…';

/// Where an id may be parted: after these.
const SEPARATORS: &[u8] = b":/_-.#|, ";

/// Cells that `text` takes in a terminal.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().map(|character| character.width().unwrap_or(0)).sum()
}

/// The text with [`NBSP`] as a normal blank.
pub fn plain_blanks(text: &str) -> Cow<'_, str> {
    if text.contains(NBSP) { Cow::Owned(text.replace(NBSP, " ")) } else { Cow::Borrowed(text) }
}

/// The parts of a text that are never parted: graphemes and escapes, each with its cells.
struct Units<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Units<'a> {
    type Item = (&'a str, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let length = match self.rest.as_bytes() {
            [] => return None,
            [b'\\', ..] => escape_length(self.rest),
            [first] | [first, 0..=0x7f, ..] if first.is_ascii() => Some(1),
            _ => None,
        };
        let length = length.or_else(|| self.rest.graphemes(true).next().map(str::len))?;
        let (unit, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some((unit, width(unit)))
    }
}

fn units(text: &str) -> Units<'_> {
    Units { rest: text }
}

/// The longest head of `text` of at most `cells`.
fn head(text: &str, cells: usize) -> &str {
    let (mut used, mut end) = (0, 0);
    for (unit, cells_of_unit) in units(text) {
        used += cells_of_unit;
        if used > cells {
            break;
        }
        end += unit.len();
    }
    text.get(..end).unwrap_or(text)
}

/// As [`head`], parting graphemes and escapes.
fn narrow_head(text: &str, cells: usize) -> &str {
    let (mut used, mut end) = (0, 0);
    for character in text.chars() {
        used += character.width().unwrap_or(0);
        if used > cells {
            break;
        }
        end += character.len_utf8();
    }
    text.get(..end).unwrap_or(text)
}

/// The longest tail of `text` of at most `cells`.
fn tail(text: &str, cells: usize) -> &str {
    let parts: Vec<(&str, usize)> = units(text).collect();
    let (mut used, mut start) = (0, text.len());
    for (unit, cells_of_unit) in parts.into_iter().rev() {
        used += cells_of_unit;
        if used > cells {
            break;
        }
        start -= unit.len();
    }
    text.get(start..).unwrap_or(text)
}

/// True when `text` takes at most `cells`; looks no further than it has to.
fn fits(text: &str, cells: usize) -> bool {
    // A byte takes at most one cell (two cells need three bytes).
    text.len() <= cells || head(text, cells).len() == text.len()
}

/// At most `cells` wide; what is cut ends in `…`. Takes time by `cells`, not by the length of the text.
pub fn cut(text: impl AsRef<str>, cells: usize) -> String {
    let text = text.as_ref();
    if fits(text, cells) {
        return plain_blanks(text).into_owned();
    }
    let Some(room) = cells.checked_sub(1) else {
        return String::new();
    };
    let mut out = plain_blanks(head(text, room)).into_owned();
    out.push(ELLIPSIS);
    out
}

/// At most `cells` wide with `…` in the middle: for ids, whose ends tell them apart. The tail gets two thirds, since the
/// ids of this trade differ there (`refund:order_1234:request_9876`). For a list of ids: [`cut_apart`].
pub fn cut_middle(text: impl AsRef<str>, cells: usize) -> String {
    let text = text.as_ref();
    if fits(text, cells) {
        return plain_blanks(text).into_owned();
    }
    let Some(room) = cells.checked_sub(1) else {
        return String::new();
    };
    shortened(text, room / 3, room - room / 3)
}

/// `head…tail`.
fn shortened(text: &str, head_cells: usize, tail_cells: usize) -> String {
    let mut out = plain_blanks(head(text, head_cells)).into_owned();
    out.push(ELLIPSIS);
    out.push_str(&plain_blanks(tail(text, tail_cells)));
    out
}

/// Exactly `cells` wide: cut if longer, blanks behind it if shorter.
pub fn pad_right(text: impl AsRef<str>, cells: usize) -> String {
    let mut out = cut(text, cells);
    let missing = cells.saturating_sub(width(&out));
    out.extend(std::iter::repeat_n(' ', missing));
    out
}

/// Exactly `cells` wide: cut if longer, blanks before it if shorter.
pub fn pad_left(text: impl AsRef<str>, cells: usize) -> String {
    let text = cut(text, cells);
    let mut out = " ".repeat(cells.saturating_sub(width(&text)));
    out.push_str(&text);
    out
}

/// Breaks a text into lines of at most `cells`, greedily, at blanks. [`NBSP`] holds together what stands beside it
/// (`USD 200.00`) unless that alone is wider than a line; a word that is too wide is parted after a separator, else
/// anywhere. Blanks at a break are dropped, others kept; `\n` in our own words ends a line. A character wider than the
/// line becomes `…`, an escape wider than it is parted. No cells, no lines.
pub fn wrap(text: impl AsRef<str>, cells: usize) -> Vec<String> {
    let text = text.as_ref();
    let mut lines = Vec::new();
    if cells == 0 || text.is_empty() {
        return lines;
    }
    for paragraph in text.split('\n') {
        let mut line = Line { cells, text: String::new(), used: 0 };
        let mut blanks = 0;
        for word in paragraph.split(' ') {
            if !word.is_empty() {
                line.word(word, blanks, &mut lines);
                blanks = 0;
            }
            blanks += 1;
        }
        lines.push(line.text);
    }
    lines
}

/// The line that [`wrap`] fills.
struct Line {
    cells: usize,
    text: String,
    used: usize,
}

impl Line {
    /// Adds a word that `blanks` blanks precede, on this line or a new one.
    fn word(&mut self, word: &str, blanks: usize, lines: &mut Vec<String>) {
        let room = self.cells.saturating_sub(self.used).saturating_sub(blanks);
        if fits(word, room) {
            self.add_blanks(blanks);
            self.add(word);
            return;
        }
        self.end(lines);
        if fits(word, self.cells) {
            self.add(word);
        } else if word.contains(NBSP) {
            for (at, part) in word.split(NBSP).enumerate() {
                if !part.is_empty() {
                    self.word(part, usize::from(at > 0), lines);
                }
            }
        } else {
            self.long_word(word, lines);
        }
    }

    /// Parts a word that no line can hold.
    fn long_word(&mut self, word: &str, lines: &mut Vec<String>) {
        let mut rest = word;
        while !fits(rest, self.cells) {
            let whole = head(rest, self.cells);
            let Some((first, _)) = units(rest).next() else {
                return;
            };
            // The part that ends in a separator, if it is more than half of the line.
            let parted = whole
                .as_bytes()
                .iter()
                .rposition(|byte| SEPARATORS.contains(byte))
                .filter(|at| at * 2 > whole.len())
                .and_then(|at| whole.get(..=at));
            let part = parted.unwrap_or(whole);
            // An escape that no line can hold is parted; a character that none can hold is not shown.
            let part = if part.is_empty() { narrow_head(first, self.cells) } else { part };
            if part.is_empty() {
                self.text.push(ELLIPSIS);
            }
            self.text.push_str(part);
            let taken = if part.is_empty() { first.len() } else { part.len() };
            rest = rest.get(taken..).unwrap_or_default();
            lines.push(std::mem::take(&mut self.text));
        }
        self.add(rest);
    }

    fn add(&mut self, word: &str) {
        self.text.push_str(&plain_blanks(word));
        self.used += width(word);
    }

    fn add_blanks(&mut self, blanks: usize) {
        self.text.extend(std::iter::repeat_n(' ', blanks));
        self.used += blanks;
    }

    /// Ends the line, if something is on it.
    fn end(&mut self, lines: &mut Vec<String>) {
        if self.used > 0 {
            lines.push(std::mem::take(&mut self.text));
            self.used = 0;
        }
    }
}

/// The prefix that all `ids` share, up to and with its last separator, so that no word of them is parted: of
/// `refund:order_1234:a` and `refund:order_1299:b` it is `refund:order_`. Empty for fewer than two different ids. Every
/// id has something left behind it.
pub fn shared_prefix<S: AsRef<str>>(ids: &[S]) -> &str {
    let Some((first, others)) = ids.split_first() else {
        return "";
    };
    let first = first.as_ref();
    if others.iter().all(|id| id.as_ref() == first) {
        return "";
    }
    let mut shortest = first.len();
    let mut common = first.len();
    for id in others.iter().map(AsRef::as_ref) {
        shortest = shortest.min(id.len());
        common = first.bytes().zip(id.bytes()).take(common).take_while(|(one, other)| one == other).count();
    }
    // One byte has to be left of the shortest.
    let common = common.min(shortest.saturating_sub(1));
    let end = first
        .as_bytes()
        .iter()
        .take(common)
        .rposition(|byte| SEPARATORS.contains(byte))
        .map_or(0, |at| at + 1);
    first.get(..end).unwrap_or_default()
}

/// The id with `…` for `prefix`; whole where it does not begin with it or nothing is gained.
pub fn elide_prefix(id: impl AsRef<str>, prefix: &str) -> String {
    let id = id.as_ref();
    match id.strip_prefix(prefix) {
        Some(rest) if !rest.is_empty() && width(prefix) > 1 => format!("{ELLIPSIS}{}", plain_blanks(rest)),
        _ => plain_blanks(id).into_owned(),
    }
}

/// The ids of a list in at most `cells`: whole if all fit, else without their shared prefix, else shortened. Two
/// different ids get two different texts wherever `cells` leaves room for what tells them apart (`6-screens.md` 7.4.2:
/// the part that differs is never cut).
pub fn cut_apart<S: AsRef<str>>(ids: &[S], cells: usize) -> Vec<String> {
    let prefix = if ids.iter().all(|id| fits(id.as_ref(), cells)) { "" } else { shared_prefix(ids) };
    let whole: Vec<String> = ids.iter().map(|id| elide_prefix(id, prefix)).collect();
    let room = cells.saturating_sub(1);
    // From the best to read to the one that shows most of the end or of the beginning.
    let splits = [room / 3, 0, room, room / 2];
    let mut best: (usize, Vec<String>) = (usize::MAX, Vec::new());
    for head_cells in splits {
        let shown: Vec<String> = whole
            .iter()
            .map(|id| match cells {
                _ if fits(id, cells) => id.clone(),
                0 => String::new(),
                _ => shortened(id, head_cells, room - head_cells),
            })
            .collect();
        let alike = count_alike(ids, &shown);
        if alike < best.0 {
            best = (alike, shown);
        }
        if best.0 == 0 {
            break;
        }
    }
    best.1
}

/// How many of `shown` are taken by a different id before.
fn count_alike<S: AsRef<str>>(ids: &[S], shown: &[String]) -> usize {
    let mut owners: HashMap<&str, &str> = HashMap::new();
    let pairs = shown.iter().map(String::as_str).zip(ids.iter().map(AsRef::as_ref));
    pairs.filter(|&(text, id)| *owners.entry(text).or_insert(id) != id).count()
}

/// A hash in lists: its first eight characters (`6-screens.md` 7.4.7).
pub fn short_hash(hash: &str) -> &str {
    hash.get(..8).unwrap_or(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_counts_cells() {
        for (text, cells) in [
            ("", 0),
            ("abc", 3),
            ("漢字", 4),
            ("é", 1),
            ("e\u{301}", 1),
            ("USD\u{a0}200.00", 10),
            ("🍕", 2),
            ("①", 1),
            ("\\u{202e}", 8),
            ("한글", 4),
        ] {
            assert_eq!(width(text), cells, "{text}");
        }
    }

    #[test]
    fn cut_ends_in_an_ellipsis_and_never_exceeds() {
        for (text, cells, expected) in [
            ("refund", 6, "refund"),
            ("refund", 5, "refu…"),
            ("refund", 1, "…"),
            ("refund", 0, ""),
            ("", 0, ""),
            ("漢字漢", 5, "漢字…"),
            ("漢字漢", 4, "漢…"),
            ("漢字漢", 2, "…"),
            ("a\\u{202e}b", 9, "a…"),
            ("a\\u{202e}b", 10, "a\\u{202e}b"),
            ("ab\\\\c", 4, "ab…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
            ("USD\u{a0}200.00", 8, "USD 200…"),
        ] {
            assert_eq!(cut(text, cells), expected, "{text} in {cells}");
        }
    }

    #[test]
    fn cut_middle_keeps_both_ends() {
        assert_eq!(cut_middle("refund:order_1234:request_9876", 20), "refund…:request_9876");
        assert_eq!(cut_middle("refund", 6), "refund");
        assert_eq!(cut_middle("refund", 2), "…d");
        assert_eq!(cut_middle("refund", 1), "…");
        assert_eq!(cut_middle("refund", 0), "");
        assert_eq!(cut_middle("\\u{202e}\\u{202e}", 9), "…");
    }

    #[test]
    fn padding_is_exact() {
        assert_eq!(pad_right("ab", 4), "ab  ");
        assert_eq!(pad_left("ab", 4), "  ab");
        assert_eq!(pad_right("abcde", 4), "abc…");
        assert_eq!(pad_left("漢字漢", 4), " 漢…");
        assert_eq!(pad_right("", 0), "");
    }

    #[test]
    fn wrap_is_greedy_and_keeps_money_together() {
        let text = "Two refunds: USD\u{a0}400.00 instead of USD\u{a0}200.00.";
        assert_eq!(wrap(text, 20), ["Two refunds:", "USD 400.00 instead", "of USD 200.00."]);
        assert_eq!(wrap(text, 23), ["Two refunds: USD 400.00", "instead of USD 200.00."]);
        assert_eq!(wrap(text, 22), ["Two refunds:", "USD 400.00 instead of", "USD 200.00."]);
        assert_eq!(wrap("USD\u{a0}200.00", 6), ["USD", "200.00"]);
        assert_eq!(wrap("a  b", 4), ["a  b"]);
        assert_eq!(wrap("a  b", 3), ["a", "b"]);
        assert_eq!(wrap("one\ntwo", 9), ["one", "two"]);
        assert_eq!(wrap("refund:order_1234:request_9876", 20), ["refund:order_1234:", "request_9876"]);
        assert_eq!(wrap("abcdefgh ij", 5), ["abcde", "fgh", "ij"]);
        assert_eq!(wrap("漢a", 1), ["…", "a"]);
        assert_eq!(wrap("a\\x1b", 3), ["a", "\\x1", "b"]);
        assert_eq!(wrap("a\\x1b", 4), ["a", "\\x1b"]);
        assert_eq!(wrap("abc", 0), Vec::<String>::new());
        assert_eq!(wrap("", 5), Vec::<String>::new());
    }

    #[test]
    fn a_shared_prefix_ends_at_a_separator() {
        assert_eq!(shared_prefix(&["refund:order_1234:a", "refund:order_1299:b"]), "refund:order_");
        assert_eq!(shared_prefix(&["order_1", "order_1"]), "");
        assert_eq!(shared_prefix(&["order_", "order_1"]), "");
        assert_eq!(shared_prefix(&["abc", "abd"]), "");
        assert_eq!(shared_prefix::<&str>(&[]), "");
        assert_eq!(shared_prefix(&["äö:1", "äö:2"]), "äö:");
        assert_eq!(elide_prefix("refund:order_1234", "refund:"), "…order_1234");
        assert_eq!(elide_prefix("charge:order_1234", "refund:"), "charge:order_1234");
        assert_eq!(elide_prefix("refund:", "refund:"), "refund:");
        assert_eq!(elide_prefix("a1", "a"), "a1");
    }

    #[test]
    fn a_list_of_ids_stays_apart() {
        let ids = ["refund:order_1234:request_9876", "refund:order_1234:request_9877"];
        assert_eq!(cut_apart(&ids, 30), ids);
        assert_eq!(cut_apart(&ids, 29), ["…9876", "…9877"]);
        let ids = ["aaaa1aaaaaaaaaaaa", "aaaa2aaaaaaaaaaaa"];
        assert_eq!(cut_apart(&ids, 10), ["aaaa1aaaa…", "aaaa2aaaa…"]);
        assert_eq!(cut_apart(&ids, 0), ["", ""]);
    }

    #[test]
    fn hashes_show_eight() {
        assert_eq!(short_hash("7c1e9a02ff"), "7c1e9a02");
        assert_eq!(short_hash("7c1"), "7c1");
    }
}
