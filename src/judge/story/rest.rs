//! The sentences after the first: how it is known, and what is assumed (`2-judge.md` 2.7, "Further sentences").
//!
//! Which sentences a rule has is a table; each says only what the facts carry, or nothing.

mod account;
mod calls;
mod ledger;

use super::facts::Facts;
use crate::judge::rules::Rule;
use crate::judge::words::Case;
use account::account;
use calls::{accepted, again, already, answered, awaited, lost};
use ledger::{
    folded, linked_by, no_row_but, other_key, place_of_row, read_only_to, read_past, same_reference, unit,
};

pub(super) use calls::later;
pub(super) use ledger::covered_from;

/// Most sentences after the first: four lines hold no more.
const MOST: usize = 4;

/// One kind of sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece {
    /// What the lost calls did.
    Lost,
    /// The same with the row it made, on a narrow screen without times.
    LostShort,
    /// How it was sent again.
    Again,
    /// An answer said that it was already done.
    Already,
    /// When the answer said done, and what it named.
    Answered,
    /// An answer was "accepted", its row is pending.
    Accepted,
    /// All calls in one sentence, or the amounts of the rows.
    Account,
    /// The ledger has no row, and why that proves nothing.
    NoRowBut,
    /// How far the ledger was read, past the calls.
    ReadPast,
    /// Rows that fit but for their keys.
    OtherKey,
    /// How far it was read, not far enough.
    ReadOnlyTo,
    /// Until when an answer is awaited.
    Awaited,
    /// Where the row stands that cannot be read.
    PlaceOfRow,
    /// Two values differ only in how they are written.
    Folded,
    /// How the rows are linked, if not by an id.
    LinkedBy,
    /// Two rows carry one reference.
    SameRef,
    /// The unit is assumed.
    Unit,
}

/// The sentences of each rule, in their order.
#[rustfmt::skip]
const PIECES: [(Rule, &[Piece]); 38] = [
    (Rule::R01, &[]),
    (Rule::R02, &[Piece::Lost, Piece::LinkedBy, Piece::SameRef, Piece::Unit]),
    (Rule::R03, &[Piece::Lost, Piece::Unit]),
    (Rule::R04, &[Piece::Lost, Piece::Again, Piece::LinkedBy, Piece::SameRef, Piece::Unit]),
    (Rule::R04a, &[Piece::Lost, Piece::Again, Piece::LinkedBy, Piece::Unit]),
    (Rule::R05, &[Piece::Lost, Piece::Again, Piece::Already, Piece::LinkedBy, Piece::SameRef, Piece::Unit]),
    (Rule::R06, &[Piece::Lost, Piece::Again, Piece::Unit]),
    (Rule::R07, &[Piece::Lost, Piece::Again, Piece::Unit]),
    (Rule::R08, &[Piece::Lost, Piece::Again, Piece::LinkedBy, Piece::Unit]),
    (Rule::R09, &[Piece::Lost]),
    (Rule::R10, &[Piece::PlaceOfRow, Piece::Lost]),
    (Rule::R11, &[Piece::Lost, Piece::Again, Piece::Unit]),
    (Rule::R12, &[Piece::Lost]),
    (Rule::R13, &[Piece::Lost, Piece::LinkedBy, Piece::Unit]),
    (Rule::R14, &[Piece::Folded, Piece::Lost]),
    (Rule::R15, &[Piece::Lost]),
    (Rule::R16, &[Piece::Lost]),
    (Rule::R16a, &[Piece::Account, Piece::LostShort, Piece::Accepted, Piece::Again, Piece::Unit]),
    (Rule::R17, &[]),
    (Rule::R18, &[Piece::ReadOnlyTo]),
    (Rule::R19, &[Piece::Lost, Piece::Answered]),
    (Rule::R20, &[Piece::Awaited]),
    (Rule::R20a, &[Piece::ReadOnlyTo]),
    (Rule::R21, &[Piece::Lost, Piece::Again, Piece::Unit]),
    (Rule::R22, &[Piece::Lost, Piece::Already, Piece::LinkedBy, Piece::Unit]),
    (Rule::R23, &[Piece::Answered, Piece::Unit]),
    (Rule::R24, &[Piece::Lost, Piece::Again, Piece::LinkedBy, Piece::Unit]),
    (Rule::R25, &[Piece::Answered, Piece::Already, Piece::ReadOnlyTo, Piece::OtherKey, Piece::Unit]),
    (Rule::R26, &[Piece::Lost, Piece::Answered, Piece::ReadPast, Piece::OtherKey, Piece::Unit]),
    (Rule::R27, &[Piece::Answered, Piece::Already, Piece::Lost, Piece::ReadPast, Piece::OtherKey, Piece::Unit]),
    (Rule::R28, &[]),
    (Rule::R29, &[Piece::Lost, Piece::NoRowBut, Piece::OtherKey]),
    (Rule::R30, &[Piece::Lost, Piece::ReadPast, Piece::OtherKey]),
    (Rule::R31, &[Piece::Lost, Piece::Again, Piece::NoRowBut, Piece::OtherKey, Piece::Unit]),
    (Rule::R32, &[Piece::Answered, Piece::Already, Piece::ReadOnlyTo, Piece::OtherKey, Piece::Unit]),
    (Rule::R33, &[]),
    (Rule::R34, &[]),
    (Rule::R35, &[Piece::NoRowBut]),
];

/// What the lost calls of an intent did, in one sentence.
pub(super) fn lost_calls(facts: &Facts<'_>) -> Option<String> {
    lost(facts, false)
}

/// The sentences after the first.
pub(super) fn sentences(facts: &Facts<'_>) -> Vec<String> {
    let pieces =
        PIECES.iter().find(|(rule, _)| *rule == facts.j().rule).map_or(&[][..], |(_, pieces)| pieces);
    let mut said: Vec<String> = pieces.iter().flat_map(|piece| piece.say(facts)).collect();
    said.truncate(MOST);
    said
}

impl Piece {
    fn say(self, facts: &Facts<'_>) -> Vec<String> {
        let one = |sentence: Option<String>| sentence.into_iter().collect();
        match self {
            Self::Lost => one(lost(facts, false)),
            Self::LostShort if facts.case() == Case::NoIds => Vec::new(),
            Self::LostShort => one(lost(facts, facts.case() == Case::OneOnItsWay && facts.cx.narrow)),
            Self::Again if matches!(facts.case(), Case::NoIds | Case::OneOnItsWay) => Vec::new(),
            Self::Again => one(again(facts)),
            Self::Already => one(already(facts)),
            Self::Answered => one(answered(facts)),
            Self::Accepted => one(accepted(facts)),
            Self::Account if facts.case() == Case::NoIds => account(facts),
            Self::Account => Vec::new(),
            Self::NoRowBut => one(no_row_but(facts)),
            Self::ReadPast => one(read_past(facts)),
            Self::OtherKey => one(other_key(facts)),
            Self::ReadOnlyTo => one(read_only_to(facts)),
            Self::Awaited => one(awaited(facts)),
            Self::PlaceOfRow => one(place_of_row(facts)),
            Self::Folded => one(folded(facts)),
            Self::LinkedBy => one(linked_by(facts)),
            Self::SameRef => one(same_reference(facts)),
            Self::Unit => one(unit(facts)),
        }
    }
}
