//! Hazards: ways of working that lead to double effects (`5-hazards.md`). They explain; they change no verdict, no
//! result and no exit code but the one that `--fail-on` asks for.
//!
//! ```text
//! rules     one table: number, names, needs, level, thresholds, the texts
//! facts     what a rule is given: one intent, several that share something, one run, the case
//! asked     what the config sets: thresholds, tools, quotas, goal rules, annotations
//! h01..h24  one rule each: facts -> what was found
//! plain     by numbers only: intents at which no rule of one intent can find anything
//! evaluate  what was found, and what could not be looked at -> hazards in one order
//! quieting  what somebody wrote down about a rule at a subject, and whether it still holds
//! ```
//!
//! Data and the clock go in, firings come out: no rule keeps anything from one intent or run to the next, and the key
//! of a run is its id, never the name of its agent.

pub mod asked;
pub mod evaluate;
pub mod facts;
mod fill;
mod found;
mod h01;
mod h02;
mod h03;
mod h04;
mod h05;
mod h06;
mod h07;
mod h08;
mod h09;
mod h10;
mod h11;
mod h12;
mod h13;
mod h14;
mod h15;
mod h16;
mod h17;
mod h18;
mod h19;
mod h20;
mod h21;
mod h22;
mod h23;
mod h24;
mod payload;
pub mod plain;
pub mod quieting;
pub mod rules;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;

pub use evaluate::{Evaluation, Findings};
pub use found::{Found, Hazard, Level, Status, Subject, Where};
pub use quieting::{Ended, Quieted};
pub use rules::{RULES, Rule, Test, Tie, rule};
