//! `recount handover`: ten lines and the list, for whoever takes over; `--take` writes down who did.

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::{Draft, Head, Subject};
use crate::lifecycle::guards;
use crate::lifecycle::resolve::of_subject;
use crate::model::time::rfc3339;
use crate::report::figures::safe;
use crate::report::handover::{ids, text};
use crate::text::redact;

use super::call::Call;
use super::failure::Failure;
use super::loading::{Gathered, Loaded, loaded};
use super::options::{Set, Takes, flag, one};
use super::report::title;
use super::settle::Stop;
use super::settle::desk::Desk;
use super::settle::out::{closing, ended, with_desk};
use super::settle::store::open_case;

/// What is in it.
#[rustfmt::skip]
pub const OPTIONS: Set = Set { heading: "output", options: &[
    one("limit", "N", Takes::Number, "rows of the list; default 20, 0 is all"),
    one("out", "F", Takes::Path, "into a file, never over another one; its path is printed"),
    flag("force", "--out may overwrite"),
] };

/// Who takes it over.
#[rustfmt::skip]
pub const TAKE: Set = Set { heading: "taking over", options: &[
    flag("take", "takes the whole list over: one entry in the book, with the ids in it"),
    one("note", "T", Takes::Text, "why: 20 to 4,000 characters; it stands in the audit log and cannot be erased"),
    one("operator", "NAME", Takes::Text, "who takes it over; else RECOUNT_OPERATOR or the system user, never root"),
] };

/// Ids that one entry holds at most.
const MOST: usize = 5_000;

/// Prints it.
pub fn run(call: &Call) -> Result<u8, Failure> {
    if call.flag("take") {
        return take(call);
    }
    if call.text("note").is_some() {
        return Err(Failure::usage("--note goes with --take, which writes it into the book"));
    }
    let loaded = loaded(call)?;
    let gathered = loaded.gathered(call, &loaded.ask(call));
    print(call, &loaded, &gathered, &[])?;
    Ok(loaded.ended(call, 0))
}

/// Takes over, then prints it.
fn take(call: &Call) -> Result<u8, Failure> {
    if call.number("as-of-entry").is_some() {
        return Err(Failure::usage("--take writes into the book as it is now; leave out --as-of-entry"));
    }
    with_desk(call, |desk| {
        let loaded = &desk.loaded;
        let gathered = loaded.gathered(call, &loaded.ask(call));
        let ids = ids(&gathered.report(&loaded.case));
        let known = &loaded.case.spec.id;
        let subject = Subject::new("case", if known.is_empty() { "case" } else { known });
        let mut lines = Vec::new();
        let exit = ended(desk, &subject, written(desk, &subject, &ids, &mut lines))?;
        if exit == 0 {
            print(call, loaded, &gathered, &lines)?;
        }
        Ok(exit)
    })
}

/// One entry for all of it: `assign`, of the case.
fn written(desk: &Desk<'_>, subject: &Subject, ids: &[String], lines: &mut Vec<String>) -> Result<u8, Stop> {
    let actor = desk.person()?;
    let note = redact(desk.call.text("note").unwrap_or_default()).into_owned();
    if ids.len() > MOST {
        return Err(Failure::usage(&format!(
            "{} operations are too many for one entry, {MOST} are the most; narrow it with --since",
            ids.len()
        ))
        .into());
    }
    let standing = match desk.looked()? {
        Some(book) => book.view()?.assignment("case", &subject.id)?,
        None => None,
    };
    let last = match (&standing, desk.looked()?) {
        (Some(standing), Some(book)) => book.view()?.entry(standing.seq)?,
        _ => None,
    };
    let before = last.as_ref().map_or("", |entry| entry.text_at("note"));
    guards::note(&note, before, &desk.policy.policy)
        .map_err(|r| of_subject(r, "the hand-over", "taken over"))?;
    let mut book = desk.book()?;
    let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
        open_case(w, &desk.loaded.case.spec.id, &desk.policy, &actor)?;
        let after = json!({
            "owner": actor.name, "taken_over_by": actor.name, "taken_over_at": rfc3339(w.now()), "ids": ids,
        });
        let before = standing.as_ref().map_or(Value::Null, |a| json!({"owner": a.owner}));
        let draft = Draft::new(Action::Assign, &actor, subject.clone()).note(&note).change(before, after);
        Ok(w.append(&draft)?)
    })?;
    let operations = if ids.len() == 1 { "1 operation" } else { &format!("{} operations", ids.len()) };
    lines.push(format!("Taken over by {}, entry {}: {operations}.", actor.name, written.value.seq));
    lines.extend(closing(&written));
    Ok(0)
}

fn print(call: &Call, loaded: &Loaded, gathered: &Gathered, more: &[String]) -> Result<(), Failure> {
    gathered.say_unread(call);
    let report = gathered.report(&loaded.case);
    let title = title(loaded, report.sources.iter().map(|source| source.id.as_str()));
    call.print(|out| {
        text(&report, &title, call.paint(), out);
        if !more.is_empty() {
            out.line("");
        }
        for line in more {
            out.line(&safe(&report.mask.text(line)));
        }
    })
}
