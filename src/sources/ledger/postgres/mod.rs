//! Live PostgreSQL ledgers, read-only (`4-sources.md` 4.5).
//!
//! `connect` reaches the server and `tls` trusts it, `said` has the sentences for what it says, `session` the
//! read-only transaction, `catalog` tables and columns, `query` the texts of the queries, `looks` the position and
//! what is still open, `read` the reading itself.

mod catalog;
mod connect;
mod looks;
pub mod query;
mod read;
mod said;
mod session;
mod tls;

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
