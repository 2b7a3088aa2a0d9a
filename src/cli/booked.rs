//! What the book knows, as a source of the case: intents that an application recorded, claims, changes of state,
//! read-backs (`3-lifecycle.md` 3.7, 3.8). It is written as a native trace into memory, so one reader serves both.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::book::records::{Disposition, Intent, StateChange};
use crate::book::verify::{Known, of_book};
use crate::book::{Book, BookError, View};
use crate::config::{Config, policy};
use crate::model::hush::Hush;
use crate::model::money::{Amount, plain};
use crate::model::row::State;
use crate::model::time::{Micros, rfc3339};
use crate::model::units::{Units, iso};
use crate::sources::spec::{
    CaseSpec, Closing, Hand, Location, Options, Reached, SourceSpec, Standing, Tie, What,
};

use super::call::Call;
use super::failure::Failure;
use super::settle::bulk::undo::UNDONE;
use super::settle::store::reached_of;

/// What is said of a book whose chain is broken.
pub const CHAIN: &str = "the audit chain of the book does not hold; recount verify says where";

/// Name of the book of a case.
pub const NAME: &str = "book.db";

/// Where the book of a call is: `--book F`, else in the folder of the case. A case in memory has none.
pub fn path(call: &Call, folder: Option<&Path>) -> Option<PathBuf> {
    call.path("book").or_else(|| folder.map(|folder| folder.join(NAME)))
}

/// The number of `--as-of-entry`.
pub fn as_of(call: &Call) -> Option<i64> {
    call.number("as-of-entry").map(|seq| i64::try_from(seq).unwrap_or(i64::MAX))
}

/// Opens the book of a call for reading: as it is, or as it was when the entry of `--as-of-entry` had been written.
///
/// # Errors
/// What keeps it from being read; an entry that it does not have.
pub fn look(call: &Call, path: &Path) -> Result<Book, BookError> {
    match as_of(call) {
        Some(seq) => Book::as_of(path, seq),
        None => Book::look(path),
    }
}

/// Adds the book of a case to its sources, where there is one; says why where it cannot be read.
///
/// # Errors
/// Usage: an entry was asked for, and there is no such book or entry.
pub fn add(call: &Call, spec: &mut CaseSpec, config: &Config) -> Result<Option<String>, Failure> {
    let Some(path) = path(call, spec.folder.as_deref()).filter(|path| path.is_file()) else {
        if let Some(seq) = as_of(call) {
            return Err(Failure::usage(&format!(
                "there is no book here, so there is no entry {seq}; leave out --as-of-entry, or name the book with --book F"
            )));
        }
        return Ok(None);
    };
    let read = look(call, &path).and_then(|book| {
        let view = book.view()?;
        view.is_of(&spec.id)?;
        let waits = policy_waits(view, config) && (as_of(call).is_none() || waits_now(&path, config));
        Ok((lines(view)?, hands(view)?, standing(view)?, hushed(view)?, reached(view)?, waits))
    });
    match read {
        Err(why @ BookError::NoEntry { .. }) => return Err(Failure::usage(&why.to_string())),
        // What was then is not what is now: it is never shown in its place.
        Err(why) if as_of(call).is_some() => return Err(Failure::input(&why.to_string())),
        _ => {}
    }
    Ok(match read {
        Ok((lines, hands, standing, hushed, reached, waits)) => {
            spec.policy_waits = waits;
            spec.reached = reached;
            spec.hand.extend(hands);
            spec.standing = standing;
            spec.hushed = hushed;
            spec.as_of_entry = as_of(call);
            if lines.is_empty() {
                return Ok(None);
            }
            let taken = |id: &str| spec.sources.iter().any(|s| s.id == id);
            let id = ["book", "recount-book", "book.db"].into_iter().find(|id| !taken(id)).unwrap_or("book");
            spec.sources.push(SourceSpec {
                id: id.to_owned(),
                what: What::Trace,
                location: Location::Memory(Arc::from(lines.into_bytes())),
                shown: path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
                format: Some("native".to_owned()),
                options: Options { book: true, ..Options::default() },
            });
            None
        }
        // What is empty holds nothing that could be missed.
        Err(BookError::Empty { .. }) => None,
        Err(why) => Some(format!("what the book holds is not shown: {why}")),
    })
}

/// Whether the policy of the file is another one than that of the book. One in the book that is not the one of its entry
/// is said with the broken chain.
fn policy_waits(view: View<'_>, config: &Config) -> bool {
    let kept = view.policy().ok().flatten().and_then(|policy| policy.text);
    kept.is_some_and(|kept| kept != policy::text(config))
}

/// The same of the book as it is now: a file whose policy was accepted since did not wait then.
fn waits_now(path: &Path, config: &Config) -> bool {
    Book::look(path).is_ok_and(|book| book.view().is_ok_and(|view| policy_waits(view, config)))
}

/// Whether the chain of the book of a case is broken, which is said on standard error: what such a book tells cannot be
/// relied on (`7-commands.md` 7.5.5). A book that cannot be read at all tells nothing, and that is said where it is added.
pub fn broken(call: &Call, folder: Option<&Path>) -> bool {
    let found = path(call, folder).filter(|path| path.is_file());
    let broken = found.is_some_and(|path| {
        of_book(&path, Known::default()).is_ok_and(|v| v.failure.is_some_and(|why| why.check != "file"))
    });
    if broken {
        call.notes.error(CHAIN);
    }
    broken
}

/// Hazards that are quiet, with who wrote down why.
fn hushed(view: View<'_>) -> Result<Vec<Hush>, BookError> {
    let mut all = Vec::new();
    for row in view.quiet_hazards()?.into_iter().filter(|row| row.quiet == Some(true)) {
        let Some(entry) = view.entry(row.seq)? else { continue };
        let texts = |place: &str| {
            let list = entry.at(place).and_then(Value::as_array);
            let texts = list.into_iter().flatten().filter_map(Value::as_str);
            texts.map(str::to_owned).collect::<Vec<_>>()
        };
        let count = entry.at("after.count").and_then(Value::as_u64).unwrap_or_default();
        all.push(Hush {
            rule: row.rule,
            subject: row.subject,
            until: row.until,
            level: entry.text_at("after.level").to_owned(),
            count: usize::try_from(count).unwrap_or(usize::MAX),
            measured: texts("after.measured"),
            subjects: texts("after.subjects"),
            by: named(&entry),
            note: entry.text_at("note").to_owned(),
            at: Some(row.at),
            entry: row.seq,
        });
    }
    Ok(all)
}

/// Who wrote an entry. Raw.
fn named(entry: &crate::book::Entry) -> String {
    let name = entry.text_at("actor.name");
    if name.is_empty() { entry.text_at("actor.kind") } else { name }.to_owned()
}

/// Owners, open requests, dispositions and break-glass decisions, by intent.
fn standing(view: View<'_>) -> Result<Vec<Standing>, BookError> {
    let mut all: BTreeMap<String, Standing> = BTreeMap::new();
    let mut of = |id: &str, add: &mut dyn FnMut(&mut Standing)| {
        let one = all
            .entry(id.to_owned())
            .or_insert_with(|| Standing { intent_id: id.to_owned(), ..Standing::default() });
        add(one);
    };
    for a in view.assignments()?.into_iter().filter(|a| a.subject_type == "intent") {
        of(&a.subject_id, &mut |one| {
            one.owner = a.owner.clone().unwrap_or_default();
            if !one.owner.is_empty() {
                let taken = if a.taken_over_by.is_some() { ", who took it over" } else { "" };
                one.words.push(format!("Owner: {}{taken}.", one.owner));
            }
            if a.escalated_to.is_some() && a.delivered.is_none() {
                one.flags.push("not_delivered");
                one.words.push("NOT DELIVERED: nobody shows that the owner was told.".to_owned());
            }
        });
    }
    for r in view.requests()?.into_iter().filter(|r| r.subject_type == "intent" && r.status == "open") {
        of(&r.subject_id, &mut |one| {
            one.flags.push("pending_approval");
            let until = r.expires_at.map(rfc3339).unwrap_or_default();
            one.words.push(format!(
                "PENDING (by {}, until {until}): request {} waits for a second person.",
                r.by_name, r.seq
            ));
        });
    }
    for i in view.intents()? {
        if let Some(position) = &i.verified_at_position {
            of(&i.intent_id, &mut |one| one.words.push(format!("Verified at {position}.")));
        }
    }
    let reviewed: Vec<i64> = view.reviews()?.into_iter().filter_map(|r| r.reviewed_seq).collect();
    for r in
        view.all_resolutions()?.into_iter().filter(|r| r.break_glass.is_some() && !reviewed.contains(&r.seq))
    {
        of(&r.intent_id, &mut |one| {
            one.flags.push("break_glass");
            one.words.push(format!("BREAK-GLASS by {}, entry {}, not reviewed yet.", r.by_name, r.seq));
        });
    }
    for d in closed(view.dispositions()?).iter().filter(|d| d.subject_type == "intent") {
        let word = d.as_word.clone().unwrap_or_default();
        of(&d.subject_id, &mut |one| {
            one.disposition.clone_from(&word);
            one.closings.push(Closing {
                word: word.clone(),
                by: d.by_name.clone(),
                fingerprint: d.fingerprint.clone().unwrap_or_default(),
                amount: amount(d.amount_minor, [&d.amount_currency, &d.amount_decimal, &d.amount_unit]),
            });
        });
    }
    let mut decided: BTreeMap<String, Micros> = BTreeMap::new();
    for r in view.all_resolutions()? {
        decided.insert(r.intent_id.clone(), r.at);
    }
    for i in view.intents()? {
        let at = decided.get(&i.intent_id).copied();
        if let Some(decided) = super::standing::decided(i.origin.as_deref(), i.state, at) {
            of(&i.intent_id, &mut |one| one.decided = Some(decided));
        }
    }
    taken_over(view, &mut of)?;
    Ok(all.into_values().collect())
}

/// Changes what stands for an intent.
type Of<'a> = dyn FnMut(&str, &mut dyn FnMut(&mut Standing)) + 'a;

/// The last hand-over: who took what over (`handover --take`). What has an owner keeps him.
fn taken_over(view: View<'_>, of: &mut Of<'_>) -> Result<(), BookError> {
    for a in view.assignments()?.into_iter().filter(|a| a.subject_type == "case") {
        let Some(entry) = view.entry(a.seq)? else { continue };
        let name = a.taken_over_by.unwrap_or_default();
        let ids = entry.at("after.ids").and_then(Value::as_array);
        for id in ids.into_iter().flatten().filter_map(Value::as_str) {
            of(id, &mut |one| {
                if one.owner.is_empty() {
                    one.owner.clone_from(&name);
                }
                one.words.push(format!("Taken over by {name} with the hand-over, entry {}.", a.seq));
            });
        }
    }
    Ok(())
}

/// The dispositions that stand: what was reopened takes those before it back, what was undone the one that it names.
fn closed(all: Vec<Disposition>) -> Vec<Disposition> {
    let mut stand: Vec<Disposition> = Vec::new();
    for d in all {
        let same = |other: &Disposition| {
            (&other.subject_type, &other.subject_id) == (&d.subject_type, &d.subject_id)
        };
        match d.as_word.as_deref() {
            Some("reopened") => stand.retain(|other| !same(other)),
            Some(UNDONE) => {
                let seq = d.reference.as_deref().and_then(|seq| seq.parse::<i64>().ok());
                stand.retain(|other| Some(other.seq) != seq);
            }
            _ => stand.push(d),
        }
    }
    stand
}

/// How far ledgers were read when an entry was written on them, since a person last took note of one that went back.
fn reached(view: View<'_>) -> Result<Vec<Reached>, BookError> {
    let noted = view.acknowledged_positions()?;
    let since = |source: &str| noted.iter().find(|n| n.source == source).map_or(0, |n| n.seq);
    let mut all: Vec<Reached> = Vec::new();
    for note in &noted {
        let at = view.entry(note.seq)?;
        all.extend(at.as_ref().and_then(|entry| entry.at("after.position")).and_then(reached_of));
    }
    view.entries_naming("reached", |entry| {
        let said = entry.at("reached").and_then(Value::as_array);
        for one in said.into_iter().flatten().filter_map(reached_of) {
            if entry.seq <= since(&one.source) {
                continue;
            }
            match all.iter_mut().find(|known| known.source == one.source && known.start == one.start) {
                Some(known) => {
                    known.number = known.number.max(one.number);
                    known.rows = known.rows.max(one.rows);
                }
                None => all.push(one),
            }
        }
    })?;
    Ok(all)
}

/// Rows that were tied by hand, in order.
fn hands(view: View<'_>) -> Result<Vec<Hand>, BookError> {
    let mut all = Vec::new();
    for link in view.links()? {
        let operation_id = view.intent(&link.intent_id)?.and_then(|intent| intent.operation_id);
        all.push(Hand {
            source: link.source,
            effect_id: link.effect_id,
            operation_id: operation_id.unwrap_or_default(),
            intent_id: link.intent_id,
            tie: match link.status.as_str() {
                "linked" => Tie::Linked,
                "unlinked" => Tie::Unlinked,
                _ => Tie::Rejected,
            },
        });
    }
    Ok(all)
}

/// What the book knows, line by line.
fn lines(view: View<'_>) -> Result<String, BookError> {
    let mut out = String::new();
    let mut line = |value: Value| {
        out.push_str(&value.to_string());
        out.push('\n');
    };
    for intent in view.intents()? {
        let id = &intent.intent_id;
        let operation = intent.operation_id.as_deref();
        if intent.origin.as_deref() == Some("app") {
            line(recorded(&intent));
        }
        for call in view.attempts(id)? {
            let Some(claimed) = call.claimed_at else { continue };
            line(json!({
                "event": "attempt_started", "attempt_id": call.attempt_id, "intent_id": id,
                "operation_id": operation, "tool": call.tool, "key": call.key, "ts": rfc3339(claimed),
            }));
            if let (Some(outcome), Some(ended)) = (&call.outcome, call.ended_at) {
                line(json!({
                    "event": "attempt_finished", "attempt_id": call.attempt_id, "outcome": outcome,
                    "receipt": call.receipt, "ts": rfc3339(ended),
                }));
            }
        }
        let changes = view.state_changes(id)?;
        let last = changes.len();
        // A record that was made from what was shown is no decision on the state: it says nothing new.
        let shown = intent.origin.as_deref() != Some("app");
        let silent = usize::from(shown && !(last == 1 && held(view, &intent, &changes)?));
        for (no, change) in (1..).zip(&changes).skip(silent) {
            // A hold moves the deadline without a change of state.
            let deadline: Option<Micros> = if no == last { intent.deadline } else { change.deadline };
            line(json!({
                "event": "state_changed", "intent_id": id, "operation_id": operation,
                "from": change.from_state.or(shown.then_some(change.to_state)).map(State::word), "to": change.to_state.word(),
                "actor": format!("{} {}", change.actor_kind, change.actor_name), "reason": change.reason,
                "deadline": deadline.map(rfc3339), "ts": rfc3339(change.at),
            }));
        }
        for read in view.readbacks(id)?.iter().filter(|read| read.replayed != Some(true)) {
            line(json!({
                "event": "readback", "id": read.id, "intent_id": id, "operation_id": operation,
                "source": read.source, "query": read.query, "position": read.position, "result": read.result,
                "ts": read.read_at.map(rfc3339),
            }));
        }
    }
    Ok(out)
}

/// Whether a hold gave an open state that nobody decided on its deadline (T9), so that its first record is told. Who is
/// named for a settled state changes nothing of it.
fn held(view: View<'_>, intent: &Intent, changes: &[StateChange]) -> Result<bool, BookError> {
    if intent.deadline.is_none() || view.assignment("intent", &intent.intent_id)?.is_none() {
        return Ok(false);
    }
    let moved = changes.first().is_some_and(|first| first.deadline != intent.deadline);
    // A deadline that was shown already came with the record of another source.
    let origin: Value =
        intent.origin.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let had = origin.get("deadline").and_then(Value::as_str) == Some("shown");
    Ok(match intent.state {
        State::Unknown => moved || !had,
        State::Submitted => moved,
        State::Confirmed | State::Failed => false,
    })
}

/// Unit and decimal text of an amount as tables have it: whole minor units of a currency, or an exact decimal of a unit.
fn amount(minor: Option<i64>, [currency, decimal, unit]: [&Option<String>; 3]) -> Option<(String, String)> {
    let exponent = |code: &str| iso(code).and_then(|unit| Units::default().exponent(unit));
    match (minor, currency, decimal, unit) {
        (Some(minor), Some(code), ..) => {
            let amount = Amount::minor(minor, exponent(code).unwrap_or_default());
            Some((code.clone(), plain(i128::from(amount.digits), amount.scale)))
        }
        (_, _, Some(decimal), Some(unit)) => Some((unit.clone(), decimal.clone())),
        _ => None,
    }
}

fn recorded(intent: &Intent) -> Value {
    let total =
        amount(intent.total_minor, [&intent.total_currency, &intent.total_decimal, &intent.total_unit]);
    let (currency, amount) = total.unzip();
    json!({
        "event": "intent_recorded", "intent_id": intent.intent_id, "operation_id": intent.operation_id,
        "kind": intent.kind, "business_id": intent.business_id, "party": intent.party, "amount": amount,
        "currency": currency, "count_min": intent.count_min, "count_max": intent.count_max, "key": intent.key,
        "key_kind": intent.key_kind, "key_origin": intent.key_origin,
        "key_minted_at": intent.key_minted_at.map(rfc3339), "storage": intent.storage,
        "parent_id": intent.parent_id, "relation": intent.relation,
        "ts": intent.recorded_at.map(rfc3339),
    })
}
