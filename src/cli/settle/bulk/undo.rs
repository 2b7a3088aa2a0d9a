//! `recount bulk undo BATCH`: what stood before each item of a batch is put back, where nothing has changed it since.

use serde_json::{Map, Value, json};

use crate::book::action::Action;
use crate::book::{Actor, Draft, Entry, Head, Subject, Writer, clock};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lifecycle::expiry::deadline;
use crate::lifecycle::guards;
use crate::lifecycle::refusal::{Code, Refusal};
use crate::model::row::State;
use crate::model::time::rfc3339;

use super::super::Stop;
use super::super::desk::Desk;
use super::super::out::with_desk;
use super::super::store::open_case;
use super::{NOT_REACHED, Row, note_of, told};

/// Takes a batch back.
pub fn run(call: &Call) -> Result<u8, Failure> {
    with_desk(call, |desk| {
        let batch = call.word().unwrap_or_default();
        let actor = desk.person()?;
        let note = note_of(call);
        guards::note(&note, "", &desk.policy.policy)
            .map_err(|refusal| refusal.of(format!("undo of {batch}"), "nothing was changed"))?;
        // Entries of no batch have an empty one: a script whose variable is empty must not take them all back.
        if batch.trim().is_empty() {
            return Err(Failure::usage(
                "name the batch: bulk undo BATCH; its id stands in what bulk printed",
            )
            .into());
        }
        let entries = of_batch(desk, &batch)?;
        if entries.is_empty() {
            return Err(Failure::usage(&format!(
                "no entry of the book belongs to the batch {batch:?}; recount audit list shows batches"
            ))
            .into());
        }
        let mut book = desk.book()?;
        let (mut rows, mut head) = (Vec::new(), None);
        let mut stopped = false;
        for entry in &entries {
            let id = entry.text_at("subject.id");
            if stopped {
                rows.push(Row::of(id, NOT_REACHED, ""));
                continue;
            }
            let written = book.write(&clock::now(), |w| undone(w, desk, entry, &actor, &note, &batch));
            rows.push(match written {
                Ok(written) => {
                    head = Some(written.value);
                    Row::of(id, "done", "")
                }
                Err(Stop::Refused(refusal)) if refusal.code == Code::Version => {
                    Row::of(id, "left", &refusal.because)
                }
                Err(stop) if head.is_some() => {
                    stopped = true;
                    Row::stopped(id, &stop)
                }
                Err(stop) => return Err(stop),
            });
        }
        told(desk, &rows, true, &batch, head.as_ref())
    })
}

/// The entries of a batch, in order.
fn of_batch(desk: &Desk<'_>, batch: &str) -> Result<Vec<Entry>, Stop> {
    let mut all = Vec::new();
    if let Some(book) = desk.looked()? {
        book.view()?.entries(|entry| {
            if entry.text_at("batch") == batch && entry.text_at("action") != Action::BatchUndone.word() {
                all.push(entry);
            }
        })?;
    }
    Ok(all)
}

/// One entry that puts back what stood before another one.
fn undone(
    w: &mut Writer<'_>,
    desk: &Desk<'_>,
    entry: &Entry,
    actor: &Actor,
    note: &str,
    batch: &str,
) -> Result<Head, Stop> {
    open_case(w, &desk.loaded.case.spec.id, &desk.policy, actor)?;
    let id = entry.text_at("subject.id");
    w.view().follows(id)?;
    let changed = |by: i64| -> Stop {
        Refusal::new(Code::Version, format!("changed since by entry {by}, left as it is")).into()
    };
    let record = w.view().intent(id)?.filter(|record| record.changed_seq == entry.seq);
    let Some(record) = record else {
        return Err(changed(w.view().intent(id)?.map_or(0, |record| record.changed_seq)));
    };
    let mut after = Map::new();
    let action = entry.text_at("action");
    // A delivery that was recorded since stands in the assignment, not in the record of the intent.
    if !matches!(action, "resolve" | "disposition")
        && let Some(since) = w.view().assignment("intent", id)?.filter(|held| held.seq != entry.seq)
    {
        return Err(changed(since.seq));
    }
    let before = match action {
        "resolve" => {
            // The way back of a decision is to reopen it (T8), with an owner and a deadline.
            let kind = record.kind.as_deref().unwrap_or_default();
            let due = deadline(State::Unknown, 0, desk.deadlines(kind), desk.now);
            after.insert("state".to_owned(), json!("unknown"));
            after.insert("move".to_owned(), json!("T8"));
            after.insert("deadline".to_owned(), json!(due.map(rfc3339)));
            after.insert("owner".to_owned(), json!(record.owner.as_ref().unwrap_or(&actor.name)));
            json!({"state": record.state.word()})
        }
        "disposition" => {
            after.insert("disposition".to_owned(), json!({"as": UNDONE, "ref": entry.seq.to_string()}));
            json!({"disposition": entry.at("after.disposition")})
        }
        _ => {
            if let Some(Value::Object(stood)) = entry.at("before") {
                after.extend(stood.clone());
            }
            json!({"owner": record.owner, "deadline": record.deadline.map(rfc3339)})
        }
    };
    let mut draft = Draft::new(Action::BatchUndone, actor, Subject::intent(id))
        .note(note)
        .change(before, Value::Object(after))
        .with("batch", json!(batch))
        .with("supersedes", json!([entry.seq]));
    // What had to be signed is taken back with a signature too.
    draft.sign = entry.at("policy.signed") == Some(&Value::Bool(true));
    Ok(w.append(&draft)?)
}

/// Word of the disposition that takes one back: that of the entry in its reference.
pub const UNDONE: &str = "undone";
