//! The program from files to verdicts, through the library.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    unreachable_pub
)]

mod bad_input;
mod engine;
mod jepsen;
mod published;
mod reports;
mod samples;
mod scenarios;
mod situations;
mod small;
mod world;
