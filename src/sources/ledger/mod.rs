//! Ledgers: what the business system committed. One file per kind, all giving effects and what their read position
//! needs.

pub mod experiment;
pub mod generic;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod server;
pub mod sqlite;
