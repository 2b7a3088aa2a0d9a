//! The engine from files to verdicts, through the library.

mod bad_input;
mod engine;
mod situations;
mod small;
