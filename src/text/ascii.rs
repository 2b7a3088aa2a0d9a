//! The glyphs of the frames in ASCII (`6-screens.md` 7.4.9), cell for cell, so no layout changes.

/// The map. `▒` (hidden by `.` mask) is not in the specification's list and stands here as `#`.
#[rustfmt::skip]
pub const MAP: &[(char, char)] = &[
    // Lines.
    ('─', '-'), ('━', '='), ('│', '|'), ('╵', '|'),
    ('╭', '+'), ('╮', '+'), ('╰', '+'), ('╯', '+'), ('├', '+'), ('┤', '+'), ('┬', '+'),
    ('╌', '.'), ('┄', '.'), ('┊', ':'), ('╴', '-'),
    // Fog, bars, hidden values.
    ('░', ':'), ('▒', '#'), ('▌', '>'), ('▐', '<'), ('▏', '|'),
    // Marks and signs.
    ('✓', 'v'), ('✗', 'x'), ('×', 'x'), ('○', 'o'), ('•', '*'), ('…', '.'), ('·', '-'), ('–', '-'), ('−', '-'),
    ('→', '>'), ('←', '<'), ('↑', '^'), ('↓', 'v'), ('›', '>'), ('±', '='), ('≠', '!'),
    // Rows per minute.
    ('▁', '_'), ('▂', '.'), ('▃', '.'), ('▄', 'o'), ('▅', 'o'), ('▆', 'O'), ('▇', 'O'),
];

/// The text in ASCII: our glyphs by [`MAP`]. Other characters stay: data is made ASCII before it is laid out
/// ([`SafeText::to_ascii`](super::SafeText::to_ascii)).
pub fn ascii(text: &str) -> String {
    text.chars().map(ascii_glyph).collect()
}

/// One glyph.
pub fn ascii_glyph(glyph: char) -> char {
    if glyph.is_ascii() {
        return glyph;
    }
    MAP.iter().find(|(from, _)| *from == glyph).map_or(glyph, |&(_, to)| to)
}

/// A mark of `6-screens.md` 7.4.5 in ASCII, before it is aligned in its three cells: here `≠` is `!=`.
pub fn ascii_mark(mark: &str) -> String {
    if mark == "≠" { "!=".to_owned() } else { ascii(mark) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width::width;

    #[test]
    fn every_glyph_is_one_cell_and_listed_once() {
        for (at, &(from, to)) in MAP.iter().enumerate() {
            assert_eq!(width(&from.to_string()), 1, "{from}");
            assert!(to.is_ascii_graphic(), "{from}");
            assert_eq!(MAP.iter().position(|&(other, _)| other == from), Some(at), "{from} twice");
        }
    }

    #[test]
    fn lines_and_marks_of_the_specification() {
        assert_eq!(ascii("─━│╵╭╮╰╯├┤┬╌┄┊░▌▐▏╴✓✗×"), "-=||+++++++..::><|-vxx");
        assert_eq!(ascii("○•…·–−→←↑↓›▁▂▃▄▅▆▇"), "o*.---><^v>_..ooOO");
        for (mark, expected) in
            [("+1", "+1"), ("+1?", "+1?"), ("−1", "-1"), ("±0", "=0"), ("≠", "!="), ("○", "o")]
        {
            assert_eq!(ascii_mark(mark), expected, "{mark}");
        }
        assert_eq!(ascii("Größe 漢"), "Größe 漢");
    }
}
