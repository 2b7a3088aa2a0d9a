//! Reading the world, never writing it: traces, ledgers, expectations.

pub mod event;
pub mod filter;
pub mod frame;
pub mod near;
pub mod json;
pub mod spec;
