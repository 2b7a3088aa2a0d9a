//! Reading the world, never writing it: traces, ledgers, expectations.

pub mod event;
pub mod frame;
pub mod json;
pub mod spec;
