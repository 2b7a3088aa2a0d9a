//! Reading the world, never writing it: traces, ledgers, expectations.

pub mod address;
pub mod csv;
pub mod edn;
pub mod envelope;
pub mod event;
pub mod expect;
pub mod filter;
pub mod format;
pub mod formats;
pub mod frame;
pub mod json;
pub mod ledger;
pub mod mapping;
pub mod names;
pub mod near;
pub mod open;
pub mod peek;
#[cfg(test)]
pub(crate) mod recording;
pub mod row;
pub mod sidecar;
pub mod sniff;
pub mod spec;
pub mod trace;
