//! Ids, money, instants as intervals, intents, attempts, effects: plain values, no IO (`1-model.md`).

pub mod hush;
pub mod ids;
pub mod kinds;
pub mod money;
pub mod near;
pub mod outcome;
pub mod row;
pub mod time;
pub mod tools;
pub mod units;
