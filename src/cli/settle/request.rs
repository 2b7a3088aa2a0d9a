//! `recount request ID --to STATE`: a decision that waits for a second person, in the book and as a file
//! (`3-lifecycle.md` 3.10, 3.11).

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::evidence::{Evidence, digest_of};
use crate::book::records::Request;
use crate::book::{Actor, Draft, Subject};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lifecycle::expiry::request_expires;
use crate::lifecycle::persons::somebody_may;
use crate::lifecycle::refusal::{Code, Refusal};
use crate::lifecycle::resolve::of;
use crate::model::time::rfc3339;
use crate::report::file::shown;

use super::desk::{Desk, Item};
use super::evidence::{Named, keep};
use super::file::{REQUEST, Sheet, Signed, signed};
use super::out::{done, with_item};
use super::resolve::Proposal;
use super::store::{block, record};
use super::{Stop, policy, who};

/// Asks for a second person; with `--out` as a file too. A request of the same person for the same decision that is
/// open already is written again.
pub fn run(call: &Call) -> Result<u8, Failure> {
    if call.word().as_deref() == Some(policy::POLICY) {
        return policy::run(call);
    }
    let proposal = Proposal::of_call(call)?;
    match call.path("out") {
        Some(path) => Sheet::can_be_made(call, &path)?,
        None => return Err(Failure::usage("name the file of the request with --out R.json")),
    }
    with_item(call, |desk, item| {
        let me = desk.who()?.person.name.clone();
        if let Some((request, sheet)) = open(desk, item, &proposal, &me)? {
            file(desk, &sheet, &request, true)?;
            return Ok(0);
        }
        let (decision, all) = proposal.decide(desk, item)?;
        if !decision.waits() {
            return Err(Failure::usage(&format!(
                "this decision takes one person: recount resolve {} --to {}",
                item.view.intent_id,
                proposal.to.word()
            ))
            .into());
        }
        somebody_may(&desk.policy.policy, &desk.who()?.person)?;
        let (request, sheet) = write(desk, item, &proposal.json(), &proposal.note, &all)?;
        file(desk, &sheet, &request, false)?;
        Ok(0)
    })
}

/// Whether this person asked for this decision already and the request is open; then that is said again.
///
/// # Errors
/// What the book says.
pub fn stands(desk: &Desk<'_>, item: &Item, proposal: &Proposal, me: &str) -> Result<bool, Stop> {
    let Some((request, _)) = open(desk, item, proposal, me)? else { return Ok(false) };
    waiting(desk, item, &request, true)?;
    Ok(true)
}

/// A decision of `resolve` that waits.
///
/// # Errors
/// R-APPROVER where nobody could approve it, and what the book says.
pub fn pending(desk: &Desk<'_>, item: &Item, proposal: &Proposal, all: &[Named]) -> Result<(), Stop> {
    somebody_may(&desk.policy.policy, &desk.who()?.person)?;
    ask(desk, item, &proposal.json(), &proposal.note, all)
}

/// Writes a request and says that it waits.
///
/// # Errors
/// What the book says.
pub fn ask(desk: &Desk<'_>, item: &Item, proposed: &Value, note: &str, all: &[Named]) -> Result<(), Stop> {
    let (request, _) = write(desk, item, proposed, note, all)?;
    waiting(desk, item, &request, false)
}

fn waiting(desk: &Desk<'_>, item: &Item, request: &Request, again: bool) -> Result<(), Stop> {
    let id = &item.view.intent_id;
    let until = request.expires_at.map(rfc3339).unwrap_or_default();
    let may: Vec<&String> = desk
        .policy
        .policy
        .approvers
        .iter()
        .filter(|name| !name.eq_ignore_ascii_case(&request.by_name))
        .collect();
    let names: Vec<&str> = may.iter().map(|name| name.as_str()).collect();
    let lines = [
        format!("{id} stays {}. PENDING (by {}, until {until})", item.facts.state_word(), request.by_name),
        format!("a second person has to agree: {}", names.join(", ")),
        format!("on this book: recount approve {} --note TEXT --relied-on-evidence", request.seq),
        format!(
            "as files: recount request {id} --to STATE --note TEXT --out R.json, then approve R.json, then accept A.json"
        ),
        last_line(request, again),
    ];
    done(
        desk.call,
        &desk.mask,
        &lines,
        &json!({
            "schema": "recount.decision.v1", "intent_id": id, "from": item.facts.state_word(), "pending": true,
            "request": request.seq, "digest": request.digest, "expires_at": until, "approvers": names,
        }),
    )?;
    Ok(())
}

/// A request that stood before is no new record.
fn last_line(request: &Request, again: bool) -> String {
    if again {
        format!("Request {} stands already; nothing new was recorded.", request.seq)
    } else {
        super::NOT_TOLD.to_owned()
    }
}

/// The open request of this person for this decision, with its file. While it waits, another decision of his is refused.
fn open(
    desk: &Desk<'_>,
    item: &Item,
    proposal: &Proposal,
    me: &str,
) -> Result<Option<(Request, Sheet)>, Stop> {
    let Some(book) = desk.looked()? else { return Ok(None) };
    let view = book.view()?;
    for request in view.requests()? {
        let mine = request.status == "open"
            && request.subject_id == item.view.intent_id
            && request.by_name == me
            && request.fingerprint.as_deref() == Some(&item.facts.fingerprint)
            && request.expires_at.is_none_or(|at| desk.now <= at);
        if !mine {
            continue;
        }
        let Some(sheet) = sheet(view, &request)? else { continue };
        let asked: Value =
            request.proposed.as_deref().and_then(|p| serde_json::from_str(p).ok()).unwrap_or_default();
        if asked.get("to").is_none() {
            continue;
        }
        let sent = proposal.json();
        let mut differs: Vec<&str> = [
            ("to", "the state"),
            ("note", "the note"),
            ("override_reason", "the override"),
            ("acknowledged", "what is acknowledged"),
            ("evidence", "the evidence"),
        ]
        .into_iter()
        .filter(|(field, _)| asked.get(field) != sent.get(field))
        .map(|(_, what)| what)
        .collect();
        differs.extend(proposal.break_glass.as_ref().map(|_| "break-glass"));
        if differs.is_empty() {
            return Ok(Some((request, sheet)));
        }
        let seq = request.seq;
        return Err(of(
            Refusal::new(Code::Approver, format!("request {seq} waits for a second person"))
                .seen(format!("other than in the request: {}", differs.join(", ")))
                .missing("the answer to it, or that it is withdrawn")
                .next(format!("withdraw it first: recount withdraw {seq} --note TEXT")),
            &item.facts,
            proposal.to.word(),
        )
        .into());
    }
    Ok(None)
}

/// The file of a request, as the book keeps it.
///
/// # Errors
/// What the book says.
pub fn sheet(view: crate::book::View<'_>, request: &Request) -> Result<Option<Sheet>, Stop> {
    let Some(entry) = view.entry(request.seq)? else { return Ok(None) };
    let items = entry.at("evidence").and_then(Value::as_array).cloned().unwrap_or_default();
    for digest in
        items.iter().filter_map(Value::as_str).filter(|i| i.starts_with("blob:")).filter_map(digest_of)
    {
        if let Evidence::Text(bytes) = view.evidence(digest)?
            && let Ok(text) = String::from_utf8(bytes)
            && let Ok(value) = serde_json::from_str::<Value>(&text)
            && value.get("schema").and_then(Value::as_str) == Some(REQUEST)
        {
            return Ok(Some(Sheet { value, text }));
        }
    }
    Ok(None)
}

/// Writes the request: the first record of the intent, the file, the entry.
fn write(
    desk: &Desk<'_>,
    item: &Item,
    proposed: &Value,
    note: &str,
    all: &[Named],
) -> Result<(Request, Sheet), Stop> {
    let actor = desk.person()?;
    let person = desk.who()?.person.clone();
    let mut book = desk.book()?;
    let written = book.write(&desk.clock, |w| -> Result<(Request, Sheet), Stop> {
        let known = record(w, desk, item, &actor)?;
        let (version, seq) = (known.version, known.changed_seq);
        let expires = rfc3339(request_expires(&item.facts, desk.rules()));
        let facts: Value = serde_json::from_str(&block(desk, item)).unwrap_or_default();
        let sheet = Sheet::of(masked(
            desk,
            &json!({
                "schema": REQUEST, "case": desk.loaded.case.spec.id, "intent_id": item.view.intent_id,
                "version": version, "fingerprint": item.facts.fingerprint,
                "business_id": item.view.business_id, "party": desk.mask.party(&item.view.party),
                "amount": item.facts.expected_total, "state": item.facts.state_word(), "facts": facts,
                "proposed": proposed, "note": note, "policy": desk.policy.digest, "expires_at": expires,
                "requester": who::json(&person), "at": rfc3339(desk.now),
            }),
        ))?;
        let mut draft = Draft::new(Action::ApprovalRequested, &actor, Subject::intent(&item.view.intent_id))
            .with("based_on", json!({"seq": seq, "fingerprint": item.facts.fingerprint}))
            .change(
                Value::Null,
                json!({"request": {
                    "digest": sheet.digest(), "proposed": proposed, "fingerprint": item.facts.fingerprint,
                    "policy": desk.policy.digest, "expires_at": expires,
                }}),
            );
        draft.note = super::store::some(note).map(str::to_owned);
        draft.evidence = keep(w, &block(desk, item), all)?;
        draft
            .evidence
            .push(crate::book::evidence::item(&w.keep_evidence(Some("request"), sheet.text.as_bytes())?));
        let head = w.append(&draft)?;
        let request = w.view().request(head.seq)?;
        let request = request.ok_or_else(|| Failure::input("the request is not there"))?;
        Ok((request, sheet))
    })?;
    Ok(written.value)
}

/// People's data and secrets masked in every text.
fn masked(desk: &Desk<'_>, value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(desk.mask.text(text)),
        Value::Array(all) => all.iter().map(|one| masked(desk, one)).collect(),
        Value::Object(all) => all.iter().map(|(name, one)| (name.clone(), masked(desk, one))).collect(),
        other => other.clone(),
    }
}

/// Writes the file of a request, signed where a key is given.
fn file(desk: &Desk<'_>, sheet: &Sheet, request: &Request, again: bool) -> Result<(), Stop> {
    let Some(path) = desk.call.path("out") else {
        return Err(Failure::usage("name the file of the request with --out R.json").into());
    };
    sheet.write(desk.call, &path)?;
    if desk.call.path("sign").is_some() {
        signature(desk, request, &path)?;
    }
    let lines = [
        format!("{}: request {} of {}, until {}", shown(&path), request.seq, request.by_name, sheet.text_at("expires_at")),
        "the second person: recount approve R.json --note TEXT --out A.json, with a read of his own or --relied-on-evidence".to_owned(),
        last_line(request, again),
    ];
    done(
        desk.call,
        &desk.mask,
        &lines,
        &json!({
            "schema": "recount.decision.v1", "pending": true, "request": request.seq, "digest": sheet.digest(),
            "file": shown(&path),
        }),
    )?;
    Ok(())
}

/// The principal of the requester's own signature is kept in the book, so that two people on one login can be told apart.
fn signature(desk: &Desk<'_>, request: &Request, path: &std::path::Path) -> Result<(), Stop> {
    let allowed = allowed(desk);
    let Signed::By(principal) = signed(path, allowed.as_deref()) else { return Ok(()) };
    let verified = Actor { verified: Some(format!("signature:{principal}")), ..desk.person()? };
    let mut book = desk.book()?;
    book.write(&desk.clock, |w| -> Result<(), Stop> {
        let draft = Draft::new(Action::Note, &verified, Subject::new("entry", &request.seq.to_string()))
            .note(&format!("request {} signed", request.seq))
            .change(Value::Null, json!({"signed_request": {"seq": request.seq, "principal": principal}}));
        w.append(&draft)?;
        Ok(())
    })?;
    Ok(())
}

/// The file of allowed signers, from the folder of the config.
pub fn allowed(desk: &Desk<'_>) -> Option<std::path::PathBuf> {
    desk.policy.allowed_signers.as_ref().map(|path| desk.loaded.config.folder().join(path))
}
