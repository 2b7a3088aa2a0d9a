//! `recount explain CODE`: any word or code that is printed, in three sentences; of a hazard also what it does not see.

use crate::judge::explain::{explain_all, nearest};
use crate::judge::hazards::{RULES, Rule};
use crate::lifecycle;

use super::call::Call;
use super::failure::Failure;

/// Explains everything of that name.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let word = call.phrase().unwrap_or_default();
    let mut found = explain_all(&word);
    found.extend(lifecycle::explain::explain(&word));
    let hazards: Vec<&Rule> = RULES.iter().filter(|rule| is_called(rule, &word)).collect();
    if found.is_empty() && hazards.is_empty() {
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
        for (at, rule) in hazards.iter().enumerate() {
            if at + found.len() > 0 {
                out.line("");
            }
            out.line(&format!("{}   (hazard: {})", rule.id, rule.name));
            for sentence in [rule.fires, rule.why, rule.todo] {
                out.line(&format!("  {sentence}"));
            }
            for (label, words) in [("False alarm if", rule.unless), ("Does not see", rule.blind)] {
                if !words.is_empty() {
                    out.line(&format!("  {label}: {words}"));
                }
            }
            let keys: Vec<String> = rule.keys.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            if !keys.is_empty() {
                out.line(&format!("  Set in recount.toml: [hazards.{}] {}", rule.id, keys.join(", ")));
            }
        }
    })?;
    Ok(0)
}

/// A rule by its number, its name or its words, without regard to case.
fn is_called(rule: &Rule, word: &str) -> bool {
    [rule.id, rule.name, rule.words].iter().any(|name| name.eq_ignore_ascii_case(word.trim()))
}
