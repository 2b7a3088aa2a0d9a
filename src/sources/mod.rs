//! Reading the world, never writing it: traces, ledgers, expectations.

pub mod event;
pub mod filter;
pub mod frame;
pub mod json;
pub mod mapping;
pub mod names;
pub mod near;
pub mod peek;
pub mod row;
pub mod spec;
