//! recount counts again what really happened.
//!
//! It loads the **attempts** (what an agent or a client tried, and what it was told) and the **effects** (what
//! the business system committed) side by side, one line per **intent**, and shows where the number or the total
//! of effects differs from the intended one. `docs/architecture.md` says which room does what and who may use whom.

pub mod app;
pub mod book;
pub mod canon;
pub mod cli;
pub mod config;
pub mod judge;
#[cfg(feature = "lab")]
pub mod lab;
pub mod lifecycle;
#[allow(
    clippy::cast_possible_truncation,
    reason = "rows of a case are numbered in u32: memory ends long before"
)]
pub mod load;
pub mod model;
pub mod query;
pub mod report;
pub mod runtime;
pub mod sources;
pub mod text;
pub mod ui;
