//! Attempts and ledger rows of one item, paired and in order of time: what the two forms of the evidence draw.

mod order;

pub use order::pieces;

use super::role::Role;
use super::shown::Shown;
use crate::app::case::Item;
use crate::judge::story::row_phrase;
use crate::judge::view::{AttemptView, EffectView, IntentView, Tied};
use crate::model::row::Status;
use crate::model::time::Micros;

/// How an attempt and what stands beside it are tied (`6-screens.md` 7.4.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// Its answer named the row.
    Receipt,
    /// It alone was open then.
    Time,
    /// A declared link.
    Order,
    /// A suggestion.
    Maybe,
    /// Which call made it is not known.
    WhichCall,
    /// Two operations claim the row.
    Disputed,
    /// Nothing there, and that is proven.
    NoRow,
    /// Not read there.
    Fog,
    /// No row, and that proves nothing.
    Unproven,
    /// Nothing could come of it, or its time still runs.
    Nothing,
}

impl Link {
    /// The words in the link: where there is room, and where there is little.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Receipt => ("by receipt", "receipt"),
            Self::Time => ("by time", "time"),
            Self::Order => ("by order", "order"),
            Self::Maybe => ("maybe", "maybe"),
            Self::WhichCall => ("which call?", "which?"),
            Self::Disputed => ("disputed", "disputed"),
            Self::Fog | Self::Unproven => ("?", "?"),
            Self::NoRow | Self::Nothing => ("", ""),
        }
    }

    /// A link that is not sure is drawn with gaps.
    pub fn glyph(self) -> char {
        match self {
            Self::Maybe | Self::WhichCall | Self::Fog | Self::Unproven => '╌',
            _ => '─',
        }
    }

    /// Role of the words in it.
    pub fn role(self) -> Role {
        match self {
            Self::Maybe | Self::WhichCall | Self::Disputed => Role::AskWord,
            Self::Fog | Self::Unproven => Role::Ask,
            _ => Role::Dim,
        }
    }
}

/// A ledger row beside an attempt, with the same effect in a copy.
#[derive(Clone, Copy, Debug)]
pub struct Beside<'a> {
    /// Its number among [`Item::rows`]; `None` for a row that stands in a copy only.
    pub index: Option<usize>,
    /// The row.
    pub row: &'a EffectView,
    /// It in a copy.
    pub copy: Option<&'a EffectView>,
    /// How it is tied.
    pub link: Link,
}

/// One piece of the evidence, top to bottom.
#[derive(Clone, Debug)]
pub enum Piece<'a> {
    /// Another day begins.
    Day(String),
    /// One of several requests begins.
    Request(&'a IntentView),
    /// An attempt with what stands beside it.
    Attempt {
        /// Its number among [`Item::attempts`].
        index: usize,
        /// The attempt.
        attempt: &'a AttemptView,
        /// Rows beside it.
        rows: Vec<Beside<'a>>,
        /// Where there are none.
        link: Link,
    },
    /// Time passes between attempts: with room, with little.
    Gap(String, String),
    /// Until when it may still arrive: words with room, with little, time.
    Late(&'static str, &'static str, Micros),
    /// A row that stands beside no attempt.
    Row(Beside<'a>, String),
    /// The read edge, where it lies before what follows.
    Edge,
}

/// Rows that one attempt of an intent is tied to.
pub fn rows_of(intent: &IntentView, number: u32) -> impl Iterator<Item = &EffectView> {
    let all = intent.effects.iter().chain(&intent.open_rows).filter(|row| !row.copy && !row.reversal);
    all.filter(move |row| tied_to(row.tied) == Some(number))
}

fn tied_to(tied: Tied) -> Option<u32> {
    match tied {
        Tied::ByReceipt(number) | Tied::ByTime(number) | Tied::ByOrder(number) | Tied::Maybe(number) => {
            Some(number)
        }
        Tied::WhichCall | Tied::Nobody => None,
    }
}

fn link_of(row: &EffectView, disputed: bool) -> Link {
    match row.tied {
        _ if disputed => Link::Disputed,
        Tied::ByReceipt(_) => Link::Receipt,
        Tied::ByTime(_) => Link::Time,
        Tied::ByOrder(_) => Link::Order,
        Tied::Maybe(_) => Link::Maybe,
        Tied::WhichCall => Link::WhichCall,
        Tied::Nobody => Link::Nothing,
    }
}

/// What is known of a row, with its role: for wide, compact and one pane.
pub fn phrase(row: &EffectView, beside_pending: bool) -> [(&'static str, Role); 3] {
    match row.status {
        Status::OnItsWay => [("pending: on its way", Role::AskWord); 3],
        Status::NotAnEffect => [
            ("it was sent and came back", Role::AskWord),
            ("came back", Role::AskWord),
            ("came back", Role::AskWord),
        ],
        Status::Live if row.unreadable.is_some() => [
            ("its amount cannot be read", Role::AskWord),
            ("amount unreadable", Role::AskWord),
            ("unreadable", Role::AskWord),
        ],
        Status::Live if row.reversed => [("undone later", Role::Text); 3],
        Status::Live if beside_pending => [("paid", Role::Text); 3],
        Status::Live if matches!(row.tied, Tied::Maybe(_)) => {
            [("a suggestion, not tied", Role::Dim), ("suggested", Role::Dim), ("suggested", Role::Dim)]
        }
        Status::Live => row_phrase(row).map(|words| (words, Role::Text)),
    }
}

/// How far the ledger that decides was read, where that is not far enough.
#[derive(Clone, Copy, Debug)]
pub struct Fog {
    /// The source, as an index into those of the case.
    pub source: usize,
    /// The read ends here.
    pub edge: Micros,
    /// From here on an answer is possible.
    pub covered_from: Micros,
}

/// The fog of an item: only where the read position does not reach (`6-screens.md` 7.4.10).
pub fn fog(item: &Item, shown: &Shown<'_>) -> Option<Fog> {
    let [intent] = item.intents.as_slice() else {
        return None;
    };
    let judgement = &intent.judgement;
    let too_early = intent.uncovered.iter().any(|(code, _)| matches!(*code, "C1" | "C2"));
    if judgement.covered || judgement.covered_from.is_none() || !too_early || intent.account.is_some() {
        return None;
    }
    let source = intent.deciding_source?;
    let edge = shown.source(source)?.newest?;
    (edge < judgement.covered_from).then_some(Fog { source, edge, covered_from: judgement.covered_from })
}
