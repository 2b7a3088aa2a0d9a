//! `recount explain CODE`: any word or code that is printed, in three sentences.

use crate::judge::explain::{explain_all, nearest};
use crate::lifecycle;

use super::call::Call;
use super::failure::Failure;

/// Explains everything of that name.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let word = call.phrase().unwrap_or_default();
    let mut found = explain_all(&word);
    found.extend(lifecycle::explain::explain(&word));
    if found.is_empty() {
        let near = nearest(&word).map_or(".".to_owned(), |code| format!("; did you mean {code}?"));
        return Err(Failure::usage(&format!(
            "nothing that recount prints is called {word:?}{near} Give a code, a label or words as they were printed"
        )));
    }
    call.to_stdout(call.flag("ascii"), |out| {
        for (at, e) in found.iter().enumerate() {
            if at > 0 {
                out.line("");
            }
            out.line(&format!("{}   ({})", e.code, e.kind.word()));
            for sentence in [e.what, e.why, e.now] {
                out.line(&format!("  {sentence}"));
            }
        }
    })?;
    Ok(0)
}
