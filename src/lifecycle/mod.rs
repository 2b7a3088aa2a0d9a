//! Pure: who may move an intent from which state to which, on what evidence, and with how many people
//! (`3-lifecycle.md` 3.1 to 3.5, 3.7 to 3.15).
//!
//! ```text
//! states     the four states, as `recount states` prints them            (3.1)
//! matrix     every move of every actor: allowed, or refused with a code   (3.2)
//! facts      what the operator or the gate saw
//! guards     one small function per guard                                 (3.3)
//! refusal    codes, groups, the message in four parts                     (3.4)
//! expiry     deadlines, and what becomes of what is overdue               (3.5)
//! gate       the claim of an application                                  (3.7)
//! resolve    a decision by hand or by reconciliation                      (3.3, 3.8)
//! persons    how many people a decision takes, who counts as second       (3.10, 3.12)
//! disposition, bulk                                                       (3.13, 3.14)
//! identity   who the operator is                                          (3.15)
//! policy     limits, with those that are built in
//! explain    refusals and moves in three sentences
//! ```
//!
//! Nothing here reads a clock, a file or the book: facts and `now` go in, a decision or a refusal comes out. What is
//! decided is stored by whoever asked.

pub mod bulk;
pub mod disposition;
pub mod expiry;
pub mod explain;
pub mod facts;
pub mod gate;
pub mod guards;
pub mod identity;
pub mod matrix;
pub mod persons;
pub mod policy;
pub mod refusal;
pub mod resolve;
pub mod states;
#[cfg(test)]
mod tests;
