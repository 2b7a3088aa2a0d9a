//! `recount show ID`: one intent whole, or as a causal tree.

use crate::report::pen::Pen;
use crate::report::{Intents, json, text};

use super::call::Call;
use super::failure::Failure;
use super::loading::loaded;

/// Shows one intent.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let tree = call.flag("tree");
    let json = matches!(call.format(), "json" | "jsonl");
    if tree && json {
        return Err(Failure::usage(
            "--tree is text; --format json has attempts, effects and ties of show ID",
        ));
    }
    let loaded = loaded(call)?;
    let mut ask = loaded.ask(call);
    let id = call.word().unwrap_or_default();
    let all = loaded.gathered(call, &ask);
    if loaded.case.find(&id).is_empty()
        && let Some(row) = all.orphan(&id)
    {
        all.say_unread(call);
        let report = all.report(&loaded.case);
        call.print(|out| {
            if json {
                let mut pen = Pen::new();
                json::orphan(&report, row, &mut pen);
                out.line(&pen.take());
            } else {
                text::orphan(&report, row, call.paint(), out);
            }
        })?;
        return Ok(loaded.ended(call, 0));
    }
    let op = loaded.one(&id, &all)?;
    ask.only_intent = Some(op);
    let gathered = loaded.gathered(call, &ask);
    gathered.say_unread(call);
    let report = gathered.report(&loaded.case);
    let Some(view) = Intents::view(&loaded.case, op.0) else {
        return Err(Failure::input(&format!(
            "{id}: its records cannot be read again; were the files changed?"
        )));
    };
    call.print(|out| {
        if json {
            json::intent(&report, &view, out);
        } else if tree {
            text::tree(&report, &view, out);
        } else {
            text::show(&report, &view, call.paint(), out);
        }
    })?;
    Ok(loaded.ended(call, 0))
}
