//! The hook that may deliver an escalation: no shell, 20 seconds, masked JSON on its input, a reference on its output
//! (`3-lifecycle.md` 3.9, `[deliver] command`).

use serde_json::json;

use crate::model::time::{Micros, rfc3339};
use crate::report::pen::Pen;
use crate::report::settled::value;

use super::desk::{Desk, Item};
use super::readback::ran;

/// Longest reference that is kept.
const LONGEST: usize = 400;

/// Runs the hook, where there is one; the first line that it prints is the reference. A failure is said and leaves the
/// escalation not delivered.
pub fn deliver(desk: &Desk<'_>, item: &Item, owner: &str, due: Option<Micros>, note: &str) -> Option<String> {
    let command = &desk.loaded.config.file.deliver.command.as_ref()?.0;
    let j = &item.view.judgement;
    let units = desk.loaded.case.units();
    let told = json!({
        "intent_id": item.view.intent_id, "kind": item.view.kind, "business_id": item.view.business_id,
        "party": desk.mask.party(&item.view.party), "state": item.facts.state_word(), "verdict": j.verdict(),
        "expected": item.facts.expected_total, "at_risk": item.view.at_risk.iter().map(|m| units.show(*m)).collect::<Vec<_>>(),
        "owner": owner, "deadline": due.map(rfc3339), "note": note,
    });
    let mut pen = Pen::new();
    value(&told, &desk.mask, &mut pen);
    match ran(&desk.loaded.config.folder(), command, &pen.take()) {
        Ok(said) => {
            let line = said.lines().next().unwrap_or_default().trim().to_owned();
            Some(line).filter(|line| !line.is_empty() && line.len() <= LONGEST)
        }
        Err(why) => {
            desk.call.notes.error(&format!("the escalation was not delivered by the hook: {why}"));
            None
        }
    }
}
