//! `recount bulk resolve|assign|escalate|disposition`: many at once, each judged by itself on its own evidence, one entry
//! each under one batch id (`3-lifecycle.md` 3.14). Dry run unless `--apply`; `bulk undo` takes a batch back.

pub mod select;
pub mod undo;

use serde_json::{Value, json};

use crate::book::{Actor, Book, Head, Subject, clock};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::intent::Log;
use crate::lifecycle::bulk::{Action, MOST, may};
use crate::lifecycle::disposition::{Ask, dispose};
use crate::lifecycle::guards;
use crate::lifecycle::refusal::{Code, Refusal};
use crate::lifecycle::resolve::{Decision, Hold, hold, of};
use crate::model::row::State;
use crate::text::redact;

use super::desk::{Desk, Item};
use super::disposition;
use super::evidence::Named;
use super::hold::{self, Held};
use super::out::{NOT_LOGGED, done, ended, logged, with_desk};
use super::resolve::{Making, Proposal, write};
use super::store::{money, record, some};
use super::{NOT_TOLD, PENDING, REFUSED, Stop};
use select::{Selected, selected};

/// `bulk resolve`.
pub fn resolve(call: &Call) -> Result<u8, Failure> {
    let proposal = Proposal::of_call(call)?;
    let action = match (proposal.to, &proposal.override_reason) {
        (_, Some(_)) => Action::Override,
        (State::Failed, None) => Action::Fail,
        _ => Action::Confirm,
    };
    many(call, action, &What::Resolve(proposal))
}

/// `bulk assign`.
pub fn assign(call: &Call) -> Result<u8, Failure> {
    many(call, Action::Assign, &What::Hold(Hold::Assign))
}

/// `bulk escalate`.
pub fn escalate(call: &Call) -> Result<u8, Failure> {
    many(call, Action::Escalate, &What::Hold(Hold::Escalate))
}

/// `bulk disposition`.
pub fn dispositions(call: &Call) -> Result<u8, Failure> {
    if call.text("as").unwrap_or_default().is_empty() {
        return Err(Failure::usage("say how they were closed with --as WORD; bulk undo takes a batch back"));
    }
    many(call, Action::Dispose, &What::Dispose)
}

/// What is done to each.
enum What {
    /// Confirmed.
    Resolve(Proposal),
    /// An owner.
    Hold(Hold),
    /// A disposition.
    Dispose,
}

/// What the rules allow for one item.
enum Plan {
    /// It is confirmed.
    Confirm(Box<(Proposal, Decision, Vec<Named>)>),
    /// It gets an owner.
    Hold(Hold),
    /// It is closed.
    Dispose(Value),
}

/// Said of items behind one at which the batch had to stop.
const NOT_REACHED: &str = "not reached";

/// One item and what becomes of it.
struct Row {
    id: String,
    word: &'static str,
    why: String,
    code: Option<Code>,
}

impl Row {
    fn of(id: &str, word: &'static str, why: &str) -> Self {
        Self { id: id.to_owned(), word, why: why.to_owned(), code: None }
    }

    fn stopped(id: &str, stop: &Stop) -> Self {
        match stop {
            Stop::Refused(refusal) => Self::refused(id, refusal),
            Stop::Failed(failure) => Self::of(id, "refused", &failure.text),
        }
    }

    fn refused(id: &str, refusal: &Refusal) -> Self {
        // What changed since it was judged is neither done nor refused by a rule.
        let word = if refusal.code == Code::Version { "changed meanwhile" } else { "refused" };
        let missing = refusal.missing.first().map(|m| format!("; missing: {m}")).unwrap_or_default();
        Self {
            id: id.to_owned(),
            word,
            why: format!("{}{missing} [{}]", refusal.because, refusal.code.word()),
            code: Some(refusal.code),
        }
    }
}

/// Note of a call, secrets taken out.
fn note_of(call: &Call) -> String {
    redact(call.text("note").unwrap_or_default()).into_owned()
}

fn many(call: &Call, action: Action, what: &What) -> Result<u8, Failure> {
    with_desk(call, |desk| {
        let subject = Subject::new("case", &desk.loaded.case.spec.id);
        Ok(ended(desk, &subject, all_of(desk, action, what))?)
    })
}

fn all_of(desk: &Desk<'_>, action: Action, what: &What) -> Result<u8, Stop> {
    let actor = desk.person()?;
    let (chosen, unknown) = selected(desk)?;
    let found = chosen.len() + unknown.len();
    if found > MOST {
        let because = format!("{found} items were found, {MOST} are the most of one batch");
        return Err(Refusal::new(Code::Bulk, because)
            .missing("a smaller part of them")
            .next("narrow it with --filter, or name them with --ids FILE")
            .of("many at once", "nothing was decided")
            .into());
    }
    let apply = desk.call.flag("apply");
    if apply {
        counted(desk, found)?;
    }
    let batch = format!("batch_{}", Log::random()?);
    let mut book = if apply && !chosen.is_empty() { Some(desk.book()?) } else { None };
    if book.is_some() {
        // Said before the first item: whoever is cut off in the middle knows what to take back.
        desk.call.notes.note(&format!("{batch} begins; recount bulk undo {batch} --note TEXT takes it back"));
    }
    let (mut rows, mut head, mut stopped) = (Vec::new(), None, false);
    for one in &chosen {
        let item = desk.item_of(one.op)?;
        let id = &item.view.intent_id;
        if stopped {
            rows.push(Row::of(id, NOT_REACHED, ""));
            continue;
        }
        let done = planned(desk, &item, one, action, what).and_then(|plan| match &mut book {
            None => Ok(None),
            Some(book) => made(desk, book, &item, &plan, &actor, &batch).map(Some),
        });
        rows.push(match done {
            Ok(None) => Row::of(id, "can be done", ""),
            Ok(Some(last)) => {
                head = Some(last);
                Row::of(id, "done", "")
            }
            Err(stop) => match left(desk, &item, stop, &actor, apply) {
                Ok(row) => row,
                // What was done until then is told, so that it can be taken back.
                Err(stop) if head.is_some() => {
                    stopped = true;
                    Row::stopped(id, &stop)
                }
                Err(stop) => return Err(stop),
            },
        });
    }
    rows.extend(unknown.iter().map(|none| Row::of(&none.id, "refused", &none.why)));
    told(desk, &rows, apply, &batch, head.as_ref())
}

/// `--count N` is typed by whoever applies, and is the number that was found.
fn counted(desk: &Desk<'_>, found: usize) -> Result<(), Stop> {
    match desk.call.number("count") {
        Some(count) if count == found => Ok(()),
        Some(count) => Err(Refusal::new(Code::Bulk, format!("{found} were found, --count says {count}"))
            .missing("a look at which they are now")
            .next("run it without --apply, then give the number that it finds")
            .of("many at once", "nothing was decided")
            .into()),
        None => Err(Failure::usage(&format!(
            "--apply needs --count {found}, the number that was found; without --apply nothing is written"
        ))
        .into()),
    }
}

/// What a rule said of one item; a failure that is none ends everything.
fn left(desk: &Desk<'_>, item: &Item, stop: Stop, actor: &Actor, apply: bool) -> Result<Row, Stop> {
    let Stop::Refused(refusal) = stop else { return Err(stop) };
    // A chain that does not hold, or a book that cannot be written, is no matter of one item.
    if matches!(refusal.code, Code::Chain | Code::Readonly | Code::Identity | Code::Agent) {
        return Err(Stop::Refused(refusal));
    }
    let mut row = Row::refused(&item.view.intent_id, &refusal);
    if apply && logged(desk, actor, &Subject::intent(&item.view.intent_id), &refusal).is_err() {
        row.why.push_str(NOT_LOGGED);
    }
    Ok(row)
}

/// What the rules say of one item, as if it were alone, and that it may be one of many.
fn planned(desk: &Desk<'_>, item: &Item, one: &Selected, action: Action, what: &What) -> Result<Plan, Stop> {
    if let Some(print) = &one.facts {
        guards::version(&item.facts, Some((item.facts.version, print)))
            .map_err(|refusal| of(refusal, &item.facts, "many at once"))?;
    }
    may(action, &item.facts, desk.rules())?;
    let call = desk.call;
    match what {
        What::Resolve(all) => {
            let proposal = Proposal {
                to: all.to,
                note: all.note.clone(),
                override_reason: None,
                acknowledged: all.acknowledged.clone(),
                evidence: all.evidence.iter().chain(&one.evidence).cloned().collect(),
                break_glass: None,
            };
            let (decision, named) = proposal.decide(desk, item)?;
            if decision.waits() {
                return Err(alone(item, "a second person has to agree to it").into());
            }
            Ok(Plan::Confirm(Box::new((proposal, decision, named))))
        }
        What::Hold(hold_as) => {
            let owner = &call.told("owner").unwrap_or_default();
            hold(
                &item.facts,
                *hold_as,
                desk.actor(),
                (owner, desk.deadline()?, &note_of(call)),
                desk.rules(),
            )?;
            Ok(Plan::Hold(*hold_as))
        }
        What::Dispose => {
            let word = call.text("as").unwrap_or_default();
            // Which unit is meant is a matter of each item, not of the batch.
            if call.text("amount").is_some() {
                disposition::unit(desk, item).map_err(|why| alone(item, &why.text))?;
            }
            let amount = disposition::amount(desk, item)?;
            let own = one.evidence.join(" ");
            let reference = if own.is_empty() { call.told("ref").unwrap_or_default() } else { own };
            let other = match call.text("same-as") {
                Some(id) => desk.item(id)?.view.intent_id,
                None => String::new(),
            };
            if other == item.view.intent_id {
                return Err(of(
                    Refusal::new(Code::Note, "it is the item that the others have their cause with")
                        .missing("another item"),
                    &item.facts,
                    word,
                )
                .into());
            }
            let ask = Ask { word, amount, reference: &reference, other: &other, note: &note_of(call) };
            if dispose(&item.facts, &ask, desk.rules())? > 1 {
                return Err(alone(item, "a second person has to agree to it").into());
            }
            Ok(Plan::Dispose(json!({
                "as": word, "amount": amount.map(|m| money(desk.loaded.case.units(), m)),
                "ref": some(&reference), "same_as": some(&other),
            })))
        }
    }
}

fn alone(item: &Item, because: &str) -> Refusal {
    of(
        Refusal::new(Code::Bulk, because)
            .missing("a decision on this one alone")
            .next(format!("recount show {}", item.view.intent_id)),
        &item.facts,
        "many at once",
    )
}

/// One transaction, one entry with the batch.
fn made(
    desk: &Desk<'_>,
    book: &mut Book,
    item: &Item,
    plan: &Plan,
    actor: &Actor,
    batch: &str,
) -> Result<Head, Stop> {
    let note = note_of(desk.call);
    let delivered = match plan {
        Plan::Hold(Hold::Escalate) => desk.call.told("delivered").or_else(|| {
            let owner = &desk.call.told("owner").unwrap_or_default();
            super::deliver::deliver(desk, item, owner, desk.deadline().ok().flatten(), &note)
        }),
        _ => None,
    };
    // Each entry has its own time: a batch may take a while.
    let written = book.write(&clock::now(), |w| -> Result<Head, Stop> {
        match plan {
            Plan::Confirm(what) => {
                let (proposal, decision, all) = &**what;
                record(w, desk, item, actor)?;
                let making = Making { actor, proposal, decision, all, second: None, batch: Some(batch) };
                write(w, desk, item, &making)
            }
            Plan::Hold(what) => {
                let held = Held {
                    what: *what,
                    owner: &desk.call.told("owner").unwrap_or_default(),
                    due: desk.deadline()?,
                    note: &note,
                    delivered: delivered.as_deref(),
                    batch: Some(batch),
                };
                hold::write(w, desk, item, actor, &held)
            }
            Plan::Dispose(value) => {
                let closing =
                    disposition::Closing { actor, value, note: &note, second: None, batch: Some(batch) };
                disposition::write(w, desk, item, &closing)
            }
        }
    })?;
    Ok(written.value)
}

/// A line per item and the sum, and the exit code: 0 all, 3 some not possible, 5 none.
fn told(desk: &Desk<'_>, rows: &[Row], apply: bool, batch: &str, head: Option<&Head>) -> Result<u8, Stop> {
    let count = |word: &str| rows.iter().filter(|row| row.word == word).count();
    let fine = count("done") + count("can be done");
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let why = if row.why.is_empty() { String::new() } else { format!("  {}", row.why) };
            format!("{}  {}{why}", row.id, row.word)
        })
        .collect();
    let cannot = rows.len() - fine;
    lines.push(match (rows.is_empty(), apply) {
        (true, _) => "no item was found".to_owned(),
        (false, true) => format!("{fine} of {} done, {cannot} left as they are", rows.len()),
        (false, false) => format!("{fine} of {} can be done, {cannot} cannot", rows.len()),
    });
    if let Some(head) = head {
        let back = format!("; recount bulk undo {batch} --note TEXT takes it back");
        let back = if desk.call.is("bulk undo") { "" } else { &back };
        lines.push(format!("{batch}, head {head}{back}"));
        lines.push(NOT_TOLD.to_owned());
    } else if !apply && !rows.is_empty() {
        lines.push(format!("nothing was written; --apply --count {} does it", rows.len()));
    }
    let items: Vec<Value> = rows
        .iter()
        .map(|row| json!({
            "intent_id": row.id, "result": row.word, "code": row.code.map(Code::word), "why": some(&row.why),
        }))
        .collect();
    done(
        desk.call,
        &desk.mask,
        &lines,
        &json!({
            "schema": "recount.bulk.v1", "applied": apply, "batch": head.map(|_| batch), "found": rows.len(),
            "done": count("done"), "can_be_done": count("can be done"), "refused": count("refused"),
            "changed": count("changed meanwhile"), "left": count("left"), "not_reached": count(NOT_REACHED), "items": items,
            "head": head.map(ToString::to_string),
        }),
    )?;
    Ok(match (fine, cannot) {
        (0, _) => REFUSED,
        (_, 0) => 0,
        _ => PENDING,
    })
}
