//! `recount audit head`: `SEQ:HASH`, for a ticket or a chat.

use super::{Call, Failure, exit, find};

/// Prints the head.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let (_, verdict) = find(call)?.look(call)?;
    // The last entry that holds: of a chain that does not hold no later one is named.
    call.to_stdout(false, |out| out.line(&verdict.head.to_string()))?;
    Ok(exit(call, &verdict))
}
