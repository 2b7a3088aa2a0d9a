//! Reading the world, never writing it: traces, ledgers, expectations.

pub mod frame;
pub mod json;
