//! What a command of this family prints, and how a refusal is logged.

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::{Draft, Subject, Written};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lifecycle::refusal::{Code, Refusal};
use crate::lifecycle::states::Actor;
use crate::report::Mask;
use crate::report::figures::safe;
use crate::report::pen::Pen;
use crate::report::settled::{refusal_json, refusal_text, value};

use super::desk::Desk;
use super::store::open_case;
use super::{NOT_TOLD, REFUSED, Stop, who};

/// Said of a refusal that is not in the book.
pub const NOT_LOGGED: &str = "  not logged: the book could not be written";

/// JSON is asked for; for applications it is the default.
fn is_json(call: &Call) -> bool {
    call.text("format").map_or(call.command.name.starts_with("intent"), |format| format == "json")
}

/// Prints what was done.
///
/// # Errors
/// Output that cannot be written.
pub fn done(call: &Call, mask: &Mask, lines: &[String], json: &Value) -> Result<(), Failure> {
    call.to_stdout(call.flag("ascii"), |out| {
        if is_json(call) {
            let mut pen = Pen::new();
            value(json, mask, &mut pen);
            out.line(&pen.take());
        } else {
            for line in lines {
                out.line(&safe(&mask.text(line)));
            }
        }
    })
}

/// The lines that end every decision: what it is in the book, and that nobody else was told.
pub fn closing<T>(written: &Written<T>) -> Vec<String> {
    let mut lines = Vec::new();
    if !written.entries.is_empty() {
        lines.push(NOT_TOLD.to_owned());
    }
    lines.extend(written.left.as_ref().map(ToString::to_string));
    lines
}

/// Prints a decision that was written: its lines and how each decision ends, or its members with those of every decision.
///
/// # Errors
/// Output that cannot be written.
pub fn decided<T>(
    desk: &Desk<'_>,
    mut lines: Vec<String>,
    written: &Written<T>,
    mut json: Value,
) -> Result<(), Failure> {
    lines.extend(closing(written));
    json["schema"] = "recount.decision.v1".into();
    json["book"] = head(written);
    done(desk.call, &desk.mask, &lines, &json)
}

/// The head of a write, for JSON.
pub fn head<T>(written: &Written<T>) -> Value {
    json!({
        "entries": written.entries.iter().map(|h| h.seq).collect::<Vec<_>>(),
        "head": written.entries.last().map(ToString::to_string),
        "left": written.left.as_ref().map(ToString::to_string),
    })
}

/// Does something with the one intent that a call names.
///
/// # Errors
/// What is no refusal, in words.
pub fn with_item(
    call: &Call,
    work: impl FnOnce(&Desk<'_>, &super::desk::Item) -> Result<u8, Stop>,
) -> Result<u8, Failure> {
    with_desk(call, |desk| {
        let item = desk.item(&call.word().unwrap_or_default())?;
        let subject = Subject::intent(&item.view.intent_id);
        Ok(ended(desk, &subject, work(desk, &item))?)
    })
}

/// Ends a command that needs no desk: a refusal is printed, anything else goes on.
///
/// # Errors
/// What is no refusal.
pub fn plain(call: &Call, result: Result<u8, Stop>) -> Result<u8, Failure> {
    match result {
        Ok(exit) => Ok(exit),
        Err(Stop::Failed(failure)) => Err(failure),
        Err(Stop::Refused(refusal)) => refused(call, &Mask::of_load(true), &refusal, None),
    }
}

/// Does something at a desk.
///
/// # Errors
/// What is no refusal, in words.
pub fn with_desk(call: &Call, work: impl FnOnce(&Desk<'_>) -> Result<u8, Stop>) -> Result<u8, Failure> {
    let desk = match Desk::open(call) {
        Ok(desk) => desk,
        Err(Stop::Failed(failure)) => return Err(failure),
        Err(Stop::Refused(refusal)) => return refused(call, &Mask::of_load(true), &refusal, Some(false)),
    };
    match work(&desk) {
        Ok(exit) => Ok(exit),
        Err(Stop::Failed(failure)) => Err(failure),
        // There is no item that it could be logged for.
        Err(Stop::Refused(refusal)) => refused(call, &desk.mask, &refusal, None),
    }
}

/// Ends a command: a refusal is logged and printed, anything else goes on.
///
/// # Errors
/// What is no refusal.
pub fn ended(desk: &Desk<'_>, subject: &Subject, result: Result<u8, Stop>) -> Result<u8, Failure> {
    match result {
        Ok(exit) => Ok(exit),
        Err(Stop::Failed(failure)) => Err(failure),
        Err(Stop::Refused(refusal)) => {
            // What a program was refused is logged under its own name, an agent's too.
            let actor = match desk.actor() {
                Actor::Human => desk.entry_actor(),
                program => Ok(who::program(desk.call, program)),
            };
            // Nothing is written behind a chain that does not hold.
            let may = refusal.code != Code::Chain;
            let logged = may && actor.is_ok_and(|actor| logged(desk, &actor, subject, &refusal).is_ok());
            refused(desk.call, &desk.mask, &refusal, Some(logged))
        }
    }
}

/// Writes a refusal into the book.
///
/// # Errors
/// What keeps the book from being written.
pub fn logged(
    desk: &Desk<'_>,
    actor: &crate::book::Actor,
    subject: &Subject,
    refusal: &Refusal,
) -> Result<(), Stop> {
    let mut book = desk.for_writing()?;
    book.write(&desk.clock, |w| -> Result<(), Stop> {
        open_case(w, &desk.loaded.case.spec.id, &desk.policy, actor)?;
        w.append(&entry(Action::ResolveRefused, actor, subject, refusal))?;
        Ok(())
    })?;
    Ok(())
}

/// A refusal as an entry.
pub fn entry(action: Action, actor: &crate::book::Actor, subject: &Subject, refusal: &Refusal) -> Draft {
    let mut draft = Draft::new(action, actor, subject.clone()).change(
        Value::Null,
        json!({
            "refused": {
                "code": refusal.code.word(), "asked": refusal.asked, "because": refusal.because,
                "seen": refusal.seen, "missing": refusal.missing,
            }
        }),
    );
    draft.reason = Some(refusal.code.word().to_owned());
    draft
}

/// Prints a refusal, and that it could not be logged; `None` where no book or no item is concerned.
///
/// # Errors
/// Output that cannot be written.
pub fn refused(call: &Call, mask: &Mask, refusal: &Refusal, logged: Option<bool>) -> Result<u8, Failure> {
    if is_json(call) {
        let mut pen = Pen::new();
        refusal_json(refusal, logged == Some(true), mask, &mut pen);
        call.to_stdout(false, |out| out.line(&pen.take()))?;
        return Ok(REFUSED);
    }
    let mut lines = refusal_text(refusal, mask);
    if logged == Some(false) {
        lines.push(NOT_LOGGED.to_owned());
    }
    call.notes.error(&lines.join("\n"));
    Ok(REFUSED)
}
