//! Hostile text in every field, through every command, every format and every screen (`reliability.md` 2.3, G6, G8).
//!
//! The commands and formats come from the command table, the keys from the action table: what is added there is tried
//! here.

pub mod commands;
pub mod corpus;
pub mod planted;
pub mod runs;
pub mod screens;
mod secrets;
