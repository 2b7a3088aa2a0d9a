//! Settling by hand and by reconciliation (`7-commands.md` 7.5.3, settle and two people). The decision is
//! [`crate::lifecycle`]'s, the facts are [`crate::load`]'s, the storing is [`crate::book`]'s; here they meet.

pub mod acknowledge;
pub mod approve;
pub mod automatic;
pub mod bulk;
mod deliver;
pub mod desk;
pub mod disposition;
mod drafts;
pub mod evidence;
pub mod file;
pub mod hold;
pub mod hush;
pub mod links;
pub mod note;
pub mod options;
pub mod out;
pub mod policy;
pub mod readback;
pub mod reopen;
pub mod request;
pub mod resolve;
pub mod review;
pub mod screen;
pub mod store;
mod verified;
pub mod who;

use super::failure::{Failure, INPUT};
use crate::book::BookError;
use crate::lifecycle::guards::{Blocked, write};
use crate::lifecycle::refusal::{Code, Refusal};

/// Exit code of what waits, or stays open.
pub const PENDING: u8 = 3;
/// Exit code of a refusal.
pub const REFUSED: u8 = 5;

/// Last line of every decision (`3-lifecycle.md` 3.8).
pub const NOT_TOLD: &str = "Recorded in recount's book. The payment service was not told.";

/// Why a command ends before its work is done.
#[derive(Debug)]
pub enum Stop {
    /// A rule says no.
    Refused(Box<Refusal>),
    /// Something cannot be read, written or understood.
    Failed(Failure),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<BookError> for Stop {
    fn from(why: BookError) -> Self {
        let blocked = match &why {
            BookError::Changed { intent, expected, found, seq } => {
                return Refusal::new(Code::Version, format!("changed by entry {seq} meanwhile"))
                    .seen(format!("you saw version {expected}"))
                    .seen(format!("there is version {found}"))
                    .missing("a look at what is there now")
                    .next(format!("recount show {intent}"))
                    .into();
            }
            BookError::Broken { seq, .. } => Blocked::Chain(u64::try_from(*seq).unwrap_or_default()),
            BookError::ReadOnly { .. }
            | BookError::OtherCase { .. }
            | BookError::NotOurs { .. }
            | BookError::Full { .. }
            | BookError::Locked { .. } => Blocked::ReadOnly(why.to_string()),
            BookError::NotSigned(_) => {
                return Self::Failed(Failure { exit: REFUSED, ..Failure::input(&why.to_string()) });
            }
            _ => return Self::Failed(Failure { exit: INPUT, ..Failure::input(&why.to_string()) }),
        };
        match write(Some(&blocked)) {
            Err(refusal) => refusal.into(),
            Ok(()) => Self::Failed(Failure::input(&why.to_string())),
        }
    }
}
