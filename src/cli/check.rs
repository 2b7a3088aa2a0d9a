//! `recount check`: verdicts, summary, exit code.

use crate::report::{csv, json, jsonl, junit, markdown, text};

use super::call::Call;
use super::failure::Failure;
use super::loading::loaded;

/// Checks, prints, and gives the exit code of the result.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let loaded = loaded(call)?;
    let mut ask = loaded.ask(call);
    if let Some(id) = call.text("intent") {
        let gathered = loaded.gathered(call, &ask);
        ask.only_intent = Some(loaded.one(id, &gathered)?);
    }
    let gathered = loaded.gathered(call, &ask);
    gathered.say_unread(call);
    let mut report = gathered.report(&loaded.case);
    let mut exit = gathered.summary.result.exit();
    if let Some(held) = super::changed::known(call, &report)? {
        exit = held.exit;
        report.choice.known = (exit == 0).then_some(held.known);
    }
    let unreviewed = loaded.case.spec.standing.iter().filter(|s| s.flags.contains(&"break_glass")).count();
    if unreviewed > 0 {
        call.notes.error(&format!("{unreviewed} break-glass decided by one person and not reviewed yet"));
        exit = if exit == 0 { 3 } else { exit };
    }
    let intent = report.single().filter(|_| ask.only_intent.is_some()).map(|view| view.intent_id);
    let exit = super::hazards::of_check(call, &loaded, intent.as_deref(), exit)?;
    let exit = loaded.ended(call, exit);
    call.print(|out| match call.format() {
        "json" => json::check(&report, exit, out),
        "jsonl" => jsonl::check(&report, exit, out),
        "csv" => csv::check(&report, out),
        "junit" => junit::check(&report, out),
        "markdown" => markdown::check(&report, out),
        _ => text::check(&report, call.paint(), out),
    })?;
    Ok(exit)
}
