//! Real cases through the whole pipeline: sources in, judgements and figures out.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, unreachable_pub)]

mod jepsen;
mod published;
mod reports;
mod samples;
mod scenarios;
mod world;
