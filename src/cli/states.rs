//! `recount states`: the table of states (`3-lifecycle.md` 3.1).

use crate::lifecycle::states::{HEADS, STATES};

use super::call::Call;
use super::failure::Failure;

/// Prints the table.
pub fn run(call: &Call) -> Result<u8, Failure> {
    call.to_stdout(call.flag("ascii"), |out| {
        let row = |cells: [&str; 4]| format!("| {} |", cells.join(" | "));
        out.line(&row(HEADS));
        out.line("|---|---|---|---|");
        for state in &STATES {
            out.line(&row([state.state.word(), state.known, state.who, state.retry]));
        }
    })?;
    Ok(0)
}
