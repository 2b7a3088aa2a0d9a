//! The program from files to verdicts, through the library.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    unreachable_pub
)]

mod agent_traces;
mod arranged;
mod book;
mod case;
mod docs;
mod frames;
mod generated;
mod hazards;
mod hostile;
mod jepsen;
#[cfg(feature = "lab")]
mod lab;
mod ledgers;
#[cfg(feature = "mysql")]
mod mariadb;
mod outputs;
#[cfg(feature = "postgres")]
mod postgres;
mod published;
mod quieting;
mod report;
mod reports;
mod rooms;
mod samples;
mod scenarios;
mod screen;
mod settle;
mod settled;
mod situations;
mod small;
mod surround;
mod terminal;
mod traces;
mod world;
