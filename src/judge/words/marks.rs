//! The marks (`6-screens.md` 7.4.5): the difference of the recount, in three cells.

/// What a mark says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// So many more than intended.
    More,
    /// Probably so many more.
    MaybeMore,
    /// So many fewer.
    Fewer,
    /// Was doubled and put right.
    PutRight,
    /// There, but a value is not as intended.
    Differs,
    /// There as intended, the record is behind.
    Behind,
    /// Nothing there, and that is proven.
    Nothing,
    /// Not known.
    NotKnown,
    /// Cannot be read, claimed by two, or contradicted.
    Blocked,
    /// A row without an attempt.
    NoAttempt,
    /// Waiting for an answer.
    Waiting,
    /// As intended, as far as was read.
    AsMeant,
}

/// A row of the table of marks.
#[derive(Clone, Copy, Debug)]
pub struct MarkRow {
    /// The mark.
    pub mark: Mark,
    /// As shown; `n` stands for the figure.
    pub glyph: &'static str,
    /// As shown with `--ascii`.
    pub ascii: &'static str,
    /// How it is read.
    pub reads: &'static str,
}

const fn row(mark: Mark, glyph: &'static str, ascii: &'static str, reads: &'static str) -> MarkRow {
    MarkRow { mark, glyph, ascii, reads }
}

/// 7.4.5 as a table, in the order of [`Mark`].
pub const MARKS: [MarkRow; 12] = [
    row(Mark::More, "+n", "+n", "that many more than intended"),
    row(Mark::MaybeMore, "+n?", "+n?", "probably that many more"),
    row(Mark::Fewer, "−n", "-n", "that many fewer than intended"),
    row(Mark::PutRight, "±0", "=0", "was doubled and put right"),
    row(Mark::Differs, "≠", "!=", "there, but a value is not as intended"),
    row(Mark::Behind, "=", "=", "there as intended, the record is behind"),
    row(Mark::Nothing, "0", "0", "nothing there, and that is proven"),
    row(Mark::NotKnown, "?", "?", "not known"),
    row(Mark::Blocked, "!", "!", "cannot be read, claimed by two, or contradicted"),
    row(Mark::NoAttempt, "○", "o", "a row without an attempt"),
    row(Mark::Waiting, "…", ".", "waiting for an answer"),
    row(Mark::AsMeant, "·", "-", "as intended, as far as was read"),
];

impl Mark {
    fn row(self) -> MarkRow {
        MARKS[self as usize]
    }

    /// The mark with its figure: `+1`, `−2`. Three cells hold 99 at most, 9 with a question mark; more is cut to that.
    pub fn text(self, count: u32) -> String {
        Self::with(self.row().glyph, count)
    }

    /// As [`Mark::text`], for `--ascii`.
    pub fn ascii(self, count: u32) -> String {
        Self::with(self.row().ascii, count)
    }

    /// How it is read aloud.
    pub fn reads(self) -> &'static str {
        self.row().reads
    }

    fn with(glyph: &str, count: u32) -> String {
        let most = if glyph.ends_with('?') { 9 } else { 99 };
        glyph.replace('n', &count.min(most).to_string())
    }
}
