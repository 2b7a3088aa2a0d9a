//! Live `MySQL` and `MariaDB` ledgers, read-only, in the smaller scope that the engine allows (`4-sources.md` 4.5).
//!
//! `connect` reaches the server, `said` has the sentences for what it says, `session` the read-only transaction,
//! `catalog` tables and columns, `query` the texts of the queries, `looks` what is still open and the position, `read`
//! the reading itself.

mod catalog;
mod connect;
mod looks;
pub mod query;
mod read;
mod said;
mod session;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::server::ask::Request;
use super::server::{Plan, ServerError, Taken};

/// Connects, and finds table and columns.
///
/// # Errors
/// See [`ServerError`].
pub fn open(request: Request<'_>) -> Result<Plan, ServerError> {
    catalog::open(&request)
}

/// Reads: two looks, the ids of the traces, the rows of their window.
///
/// # Errors
/// See [`ServerError`].
pub fn take(plan: &Plan, cancel: &Arc<AtomicBool>) -> Result<Taken, ServerError> {
    read::take(plan, cancel)
}
