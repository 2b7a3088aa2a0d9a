//! Ledgers: what the business system committed. One file per kind, all giving effects and what their read position
//! needs.

pub mod experiment;
pub mod generic;
pub mod sqlite;
