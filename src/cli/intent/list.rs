//! `recount intent list`: open intents and claims.

use serde_json::json;

use crate::book::Book;
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::settle::Stop;
use crate::cli::settle::out::done;
use crate::model::row::State;
use crate::model::time::{Zone, parse_time, rfc3339};
use crate::report::Mask;

use super::Log;

/// Lists what is submitted or unknown, and claims without an answer.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let log = Log::open(call)?;
    match list(&log) {
        Ok(exit) => Ok(exit),
        Err(Stop::Failed(failure)) => Err(failure),
        Err(Stop::Refused(refusal)) => Err(Failure::input(&refusal.because)),
    }
}

fn list(log: &Log<'_>) -> Result<u8, Stop> {
    let (mut lines, mut all) = (Vec::new(), Vec::new());
    // What is overdue is only shown here, so `--now` may move it.
    let now = log.call.text("now").map_or(log.at(), |text| parse_time(text, &Zone::Utc).begin());
    if let Some(path) = log.path.as_ref().filter(|path| path.is_file()) {
        let book = Book::look(path)?;
        let view = book.view()?;
        for intent in view.intents()? {
            let claims: Vec<_> = view
                .attempts(&intent.intent_id)?
                .into_iter()
                .filter(|a| a.claimed_at.is_some() && a.outcome.is_none())
                .collect();
            if !matches!(intent.state, State::Submitted | State::Unknown) && claims.is_empty() {
                continue;
            }
            let until = intent.deadline.map(rfc3339).unwrap_or_default();
            let late = intent.deadline.is_some_and(|due| now > due);
            lines.push(format!(
                "{}  {}  {}  key {}  until {until}{}",
                intent.intent_id,
                intent.operation_id.as_deref().unwrap_or("-"),
                intent.state.word(),
                intent.key.as_deref().unwrap_or("-"),
                if late { ", overdue" } else { "" }
            ));
            for claim in &claims {
                lines.push(format!(
                    "  {}  claimed {} by {}, no answer yet",
                    claim.attempt_id,
                    claim.claimed_at.map(rfc3339).unwrap_or_default(),
                    claim.holder.as_deref().unwrap_or("somebody")
                ));
            }
            all.push(json!({
                "intent_id": intent.intent_id, "operation_id": intent.operation_id, "state": intent.state.word(),
                "key": intent.key, "version": intent.version, "deadline": until, "overdue": late,
                "owner": intent.owner,
                "claims": claims.iter().map(|c| json!({
                    "attempt_id": c.attempt_id, "claimed_at": c.claimed_at.map(rfc3339), "holder": c.holder,
                    "deadline": c.deadline.map(rfc3339),
                })).collect::<Vec<_>>(),
            }));
        }
    }
    if all.is_empty() {
        lines.push("nothing is open".to_owned());
    }
    done(
        log.call,
        &Mask::of_load(log.config.file.mask.party),
        &lines,
        &json!({"schema": "recount.intents.v1", "intents": all}),
    )?;
    Ok(0)
}
