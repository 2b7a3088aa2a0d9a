//! `recount sniff FILE..`: what a file is, how it would be read, and why; nothing else is read.

use super::call::Call;
use super::failure::Failure;

/// Looks at each file; exit 4 where one is not recognised or not readable.
pub fn run(_call: &Call) -> Result<u8, Failure> {
    Err(Failure::input("sniff"))
}
