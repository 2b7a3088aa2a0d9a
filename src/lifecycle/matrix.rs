//! Every move of every actor: allowed, or refused with a code (`3-lifecycle.md` 3.2).

use crate::model::row::State;

use super::refusal::Code;
use super::states::Actor;

/// A move that is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A new record.
    T1,
    /// The answer says done.
    T2,
    /// The answer says rejected.
    T3,
    /// No answer in time.
    T4,
    /// Sent again after a rejection, with the same key.
    T5,
    /// An unknown turns out to have happened.
    T6,
    /// An unknown turns out not to have happened.
    T7,
    /// Reopened.
    T8,
    /// Held: escalated, extended, assigned.
    T9,
    /// Verified by a covered read.
    T10,
}

impl Move {
    /// Every move with its name.
    pub const ALL: [(Self, &'static str); 10] = [
        (Self::T1, "T1"),
        (Self::T2, "T2"),
        (Self::T3, "T3"),
        (Self::T4, "T4"),
        (Self::T5, "T5"),
        (Self::T6, "T6"),
        (Self::T7, "T7"),
        (Self::T8, "T8"),
        (Self::T9, "T9"),
        (Self::T10, "T10"),
    ];

    /// The name.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(m, _)| *m == self).map_or("", |(_, w)| w)
    }
}

/// What one cell of the matrix says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    /// Allowed, if the guards of the move hold.
    May(Move),
    /// Allowed once the deadline has passed, else refused with this code.
    Overdue(Move, Code),
    /// Refused.
    No(Code),
}

use Cell::{May, No, Overdue};
use Code::{ConfRetry, LateResponse, ReopenFirst, SubRetry, TimeoutNotFailed, UnkRetry, ViaUnknown, Who};
use Move::{T2, T3, T4, T5, T6, T7, T8, T9, T10};
use State::{Confirmed, Failed, Submitted, Unknown};

/// One row: from, to, and the cells of [`COLUMNS`].
pub type Line = (State, State, [Cell; 5]);

/// Actors of the columns. An agent is refused everywhere with R-AGENT; `app` makes records and claims only.
pub const COLUMNS: [Actor; 5] =
    [Actor::Response, Actor::TimeoutHandler, Actor::RetryPolicy, Actor::Reconciliation, Actor::Human];

/// The whole matrix. Confirmed to confirmed is "verified"; failed to failed is no move of anybody.
#[rustfmt::skip]
pub const MATRIX: [Line; 16] = [
    (Submitted, Submitted, [No(SubRetry), No(SubRetry), No(SubRetry), No(SubRetry), No(SubRetry)]),
    (Submitted, Confirmed, [May(T2), No(Who), No(Who), No(ViaUnknown), No(ViaUnknown)]),
    (Submitted, Failed, [May(T3), No(TimeoutNotFailed), No(Who), No(ViaUnknown), No(ViaUnknown)]),
    (Submitted, Unknown, [May(T4), May(T4), No(Who), Overdue(T4, ViaUnknown), Overdue(T4, ViaUnknown)]),
    (Confirmed, Submitted, [No(ConfRetry), No(ConfRetry), No(ConfRetry), No(ConfRetry), No(ConfRetry)]),
    (Confirmed, Confirmed, [No(Who), No(Who), No(Who), May(T10), No(Who)]),
    (Confirmed, Failed, [No(ReopenFirst), No(ReopenFirst), No(ReopenFirst), No(ReopenFirst), No(ReopenFirst)]),
    (Confirmed, Unknown, [No(Who), No(Who), No(Who), May(T8), May(T8)]),
    (Failed, Submitted, [No(Who), No(Who), May(T5), No(Who), No(Who)]),
    (Failed, Confirmed, [No(ReopenFirst), No(ReopenFirst), No(ReopenFirst), No(ReopenFirst), No(ReopenFirst)]),
    (Failed, Failed, [No(Who), No(Who), No(Who), No(Who), No(Who)]),
    (Failed, Unknown, [No(Who), No(Who), No(Who), May(T8), May(T8)]),
    (Unknown, Submitted, [No(UnkRetry), No(UnkRetry), No(UnkRetry), No(UnkRetry), No(UnkRetry)]),
    (Unknown, Confirmed, [No(LateResponse), No(Who), No(Who), May(T6), May(T6)]),
    (Unknown, Failed, [No(LateResponse), No(TimeoutNotFailed), No(Who), May(T7), May(T7)]),
    (Unknown, Unknown, [No(Who), No(Who), No(Who), May(T9), May(T9)]),
];

/// What the matrix says of a move. `from` is `None` for an intent that nobody recorded; `overdue` says that its
/// deadline has passed.
///
/// # Errors
/// The code with which it is refused.
pub fn allowed(from: Option<State>, to: State, actor: Actor, overdue: bool) -> Result<Move, Code> {
    if actor == Actor::Agent {
        return Err(Code::Agent);
    }
    let Some(from) = from else {
        return if actor == Actor::App && to == Submitted { Ok(Move::T1) } else { Err(Who) };
    };
    let cell = MATRIX
        .iter()
        .find(|(f, t, _)| *f == from && *t == to)
        .zip(COLUMNS.iter().position(|column| *column == actor))
        .and_then(|((_, _, cells), at)| cells.get(at));
    match cell {
        Some(May(to)) => Ok(*to),
        Some(Overdue(to, code)) => {
            if overdue {
                Ok(*to)
            } else {
                Err(*code)
            }
        }
        Some(No(code)) => Err(*code),
        None => Err(Who),
    }
}

/// Who may make a move, for R-WHO; empty where nobody may.
pub fn who_may(from: Option<State>, to: State) -> Vec<Actor> {
    let all = Actor::ALL.iter().map(|(actor, _)| *actor);
    all.filter(|actor| allowed(from, to, *actor, true).is_ok()).collect()
}
