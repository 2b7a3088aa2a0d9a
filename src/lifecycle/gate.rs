//! The gate: may the next attempt be claimed (`3-lifecycle.md` 3.2, 3.7)?

use crate::model::money::Money;
use crate::model::row::State;
use crate::model::time::Micros;
use crate::model::units::Units;

use super::guards::{self, Quota, or, time};
use super::matrix::Move;
use super::refusal::{Code, Refusal};

/// A claim that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Attempt id.
    pub attempt: String,
    /// When.
    pub at: Micros,
    /// Who holds it.
    pub holder: String,
    /// It was marked.
    pub ended: bool,
}

/// What the book knows of an intent at the gate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AtGate<'a> {
    /// Intent id.
    pub intent_id: &'a str,
    /// State.
    pub state: State,
    /// When it came into its state, and by whom.
    pub since: Micros,
    /// Who moved it there.
    pub by: &'a str,
    /// Deadline.
    pub deadline: Micros,
    /// Recorded key.
    pub key: &'a str,
    /// Recorded payload hash; empty where none was given.
    pub payload: &'a str,
    /// Claims in order.
    pub claims: &'a [Claim],
    /// An attempt was seen in a trace.
    pub seen_in_trace: bool,
    /// First send with this key.
    pub first_sent: Option<Micros>,
    /// How long the tool remembers a key.
    pub retention: Option<i64>,
    /// The tool is declared idempotent, with retention and `same_key_redrive = true`.
    pub redrive: bool,
    /// Ceilings that count.
    pub quotas: &'a [Quota],
}

/// What is to be sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call<'a> {
    /// Key.
    pub key: &'a str,
    /// Payload hash.
    pub payload: &'a str,
    /// First field in which the payloads differ, where known.
    pub differs: &'a str,
    /// Cost.
    pub cost: Option<Money>,
}

/// What is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Permit {
    /// First send of a submitted intent.
    FirstSend,
    /// T5: sent again after an explicit rejection.
    Again,
    /// Sent again although nobody knows: same key, same payload, inside retention. The state stays unknown.
    Redrive,
}

impl Permit {
    /// The word in machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::FirstSend => "first_send",
            Self::Again => "again",
            Self::Redrive => "re_drive",
        }
    }

    /// The move of the state, where there is one.
    pub fn step(self) -> Option<Move> {
        (self == Self::Again).then_some(Move::T5)
    }
}

/// Whether the next attempt may be claimed.
///
/// # Errors
/// The first guard that does not hold.
pub fn gate(at: &AtGate<'_>, call: &Call<'_>, units: &Units, now: Micros) -> Result<Permit, Refusal> {
    claim(at, call, units, now).map_err(|refusal| {
        refusal.of(
            format!("the next attempt of {}", at.intent_id),
            format!("{} stays {}", at.intent_id, at.state.word()),
        )
    })
}

fn claim(at: &AtGate<'_>, call: &Call<'_>, units: &Units, now: Micros) -> Result<Permit, Refusal> {
    let open = at.claims.iter().find(|c| !c.ended);
    let permit = match at.state {
        State::Submitted if at.claims.is_empty() && !at.seen_in_trace => Permit::FirstSend,
        State::Submitted => return Err(under_way(at, open.or(at.claims.last()))),
        State::Failed if open.is_some() => return Err(under_way(at, open)),
        State::Failed => Permit::Again,
        State::Unknown if !at.redrive => return Err(unknown(at)),
        State::Unknown if open.is_some() => return Err(under_way(at, open)),
        State::Unknown => Permit::Redrive,
        State::Confirmed => {
            return Err(Refusal::new(
                Code::ConfRetry,
                format!(
                    "already confirmed at {} by {}; a second call would be a second effect",
                    time(at.since),
                    or(at.by, "the answer")
                ),
            )
            .next(format!("recount show {}", at.intent_id)));
        }
    };
    guards::same_key(at.key, call.key)?;
    guards::same_payload(at.payload, call.payload, call.differs)?;
    if permit != Permit::FirstSend {
        guards::retention(at.first_sent, at.retention, now)?;
    }
    for quota in at.quotas {
        guards::quota(quota, call.cost, units)?;
    }
    Ok(permit)
}

fn under_way(at: &AtGate<'_>, claim: Option<&Claim>) -> Refusal {
    let (since, holder) = claim.map_or((at.since, "a call in the trace".to_owned()), |c| {
        (c.at, format!("{} ({})", or(&c.holder, "somebody"), c.attempt))
    });
    Refusal::new(Code::SubRetry, format!("a request is under way since {}, claimed by {holder}", time(since)))
        .missing(format!("its answer, or the timeout at {}", time(at.deadline)))
        .next(format!("wait for the answer or the timeout at {}; there is no takeover", time(at.deadline)))
}

fn unknown(at: &AtGate<'_>) -> Refusal {
    let last = at.claims.last().map_or("its attempt".to_owned(), |c| format!("attempt {}", c.attempt));
    Refusal::new(Code::UnkRetry, format!("cannot tell whether {last} took effect"))
        .missing("a decision: it happened, or it did not")
        .next(format!("hold it, or recount readback {0}, then recount resolve {0}", at.intent_id))
}

/// What an answer does with a claim: T2, T3, T4; on an intent that is unknown already it is late.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marked {
    /// The state moves.
    Moves(Move, State),
    /// The claim ends, the state stays (an answer to a re-drive that did not say done).
    Stays,
    /// It came too late: stored as evidence.
    Late,
}

/// What an answer of a class does to a state.
pub fn marked(state: State, class: crate::model::outcome::Class) -> Marked {
    use crate::model::outcome::Class;
    match (state, class) {
        (State::Submitted, Class::Ok | Class::OkReused | Class::Already) => {
            Marked::Moves(Move::T2, State::Confirmed)
        }
        (State::Submitted, Class::Fail) => Marked::Moves(Move::T3, State::Failed),
        (State::Submitted, Class::Unknown | Class::Open) => Marked::Moves(Move::T4, State::Unknown),
        (State::Unknown, _) => Marked::Late,
        _ => Marked::Stays,
    }
}
