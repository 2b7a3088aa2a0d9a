//! `recount audit anchor`: the head goes elsewhere, by hand.

use serde_json::json;

use crate::book::Action;
use crate::book::head::line;

use super::{Call, Failure, REFUSED, case_of, exit, find};

/// Writes the line to a file, or sends it where the config says.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let found = find(call)?;
    let (book, verdict) = found.look(call)?;
    let said = line(&case_of(&book, &found.path), &verdict.head);
    let mut exit = exit(call, &verdict);
    if exit != 0 {
        // A head of a chain that does not hold would make it look right from then on.
        return Ok(exit);
    }
    if call.path("out").is_some() {
        call.print(|out| out.line(&said))?;
    } else {
        let to = found.head_to()?;
        match to.send(&said) {
            Ok(()) => call.to_stdout(false, |out| {
                out.line(&said);
                out.line(&format!("head {} sent to {}", verdict.head.seq, to.words()));
            })?,
            Err(why) => {
                call.notes.error(&format!(
                    "head {} has not left this host ({why}); --out F writes it to a file",
                    verdict.head.seq
                ));
                exit = REFUSED;
            }
        }
    }
    if exit == 0 {
        found.log(call, Action::Anchor, json!({"head": verdict.head.to_string()}));
    }
    Ok(exit)
}
