//! `recount approve`, `deny`, `accept`, `withdraw`: the second person (`3-lifecycle.md` 3.10, 3.11).

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::records::Request;
use crate::book::{Actor, Draft, Head, Subject, clock};
use crate::canon::sha256_hex;
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::cli::operator::surroundings;
use crate::lifecycle::guards;
use crate::lifecycle::identity::operator;
use crate::lifecycle::persons::{Looked, Person, Second, counts, same};
use crate::lifecycle::policy::Policy;
use crate::lifecycle::refusal::{Code, Refusal};
use crate::model::time::{Micros, Zone, parse_time, rfc3339};
use crate::report::Mask;
use crate::report::file::shown;
use crate::text::redact;

use super::desk::{Desk, Item};
use super::file::{APPROVAL, REQUEST, Sheet, Signed, beside, signed};
use super::out::{closing, decided, done, ended, head, refused, with_desk};
use super::request::{allowed, sheet};
use super::resolve::{Making, Proposal, must_be_signed, said, write};
use super::store::record;
use super::{Stop, disposition, links, policy, readback, who};

/// `approve WHAT`.
pub fn approve(call: &Call) -> Result<u8, Failure> {
    answer(call, true)
}

/// `deny WHAT`.
pub fn deny(call: &Call) -> Result<u8, Failure> {
    answer(call, false)
}

fn answer(call: &Call, yes: bool) -> Result<u8, Failure> {
    let what = call.word().unwrap_or_default();
    match what.parse::<i64>() {
        Ok(seq) => on_the_book(call, seq, yes),
        Err(_) => match on_a_file(call, Path::new(&what), yes) {
            Ok(exit) => Ok(exit),
            Err(Stop::Failed(failure)) => Err(failure),
            Err(Stop::Refused(refusal)) => refused(call, &Mask::of_load(true), &refusal, None),
        },
    }
}

/// How the approver looked, as far as a call says it.
fn looked(call: &Call) -> Looked {
    match (call.text("source"), call.flag("relied-on-evidence")) {
        (Some(source), _) => Looked::OwnRead(source.to_owned()),
        (None, true) => Looked::Relied,
        (None, false) => Looked::No,
    }
}

/// On any machine, without a book: a file comes in, a file goes out.
fn on_a_file(call: &Call, path: &Path, yes: bool) -> Result<u8, Stop> {
    let request = Sheet::read(path, REQUEST)?;
    let Some(out) = call.path("out") else {
        return Err(Failure::usage("name the file of the answer with --out A.json").into());
    };
    if call.flag("read-only") {
        return Err(Failure::usage("--read-only writes no file").into());
    }
    let approver = operator(&surroundings(call), &[])?.person;
    let requester = who::of_json(request.value.get("requester").unwrap_or(&Value::Null));
    let note = redact(call.text("note").unwrap_or_default()).into_owned();
    let now = clock::now().at;
    let (id, state) = (request.text_at("intent_id"), request.text_at("state"));
    let stays = |refusal: Refusal| refusal.of(format!("approval of {id}"), format!("{id} stays {state}"));
    guards::note(&note, request.text_at("note"), &Policy::default()).map_err(&stays)?;
    let looked = looked(call);
    if yes {
        // Who is listed, and whether a signature tells two people on one login apart, is known where it is accepted;
        // what can never count is refused here and now.
        let unsigned = call.path("sign").is_none();
        let why = same(&requester, &approver).filter(|why| unsigned || why.starts_with("both are called"));
        if let Some(why) = why {
            return Err(stays(
                Refusal::new(Code::Approver, "nobody approves his own")
                    .missing(format!("another person: {why}"))
                    .next("another person approves, or both sign with keys of their own"),
            )
            .into());
        }
        let expires = parse_time(request.text_at("expires_at"), &Zone::Utc).begin();
        if now > expires {
            return Err(stays(
                Refusal::new(Code::Approver, format!("the request expired at {}", rfc3339(expires)))
                    .missing("a request that is still open")
                    .next("ask for it again"),
            )
            .into());
        }
        if looked == Looked::No {
            return Err(stays(
                Refusal::new(Code::Approver, "an approval says how the approver looked")
                    .missing("a read of his own (--source S), or --relied-on-evidence"),
            )
            .into());
        }
    }
    let (own_read, relied) = match &looked {
        Looked::OwnRead(source) => (Some(source.clone()), false),
        Looked::Relied => (None, true),
        Looked::No => (None, false),
    };
    let sheet = Sheet::of(json!({
        "schema": APPROVAL, "request": request.digest(), "decision": if yes { "approve" } else { "deny" },
        "intent_id": id, "note": note, "own_read": own_read, "relied": relied,
        "approver": who::json(&approver), "at": rfc3339(now),
    }))?;
    sheet.write(call, &out)?;
    let proposed = request.value.get("proposed").cloned().unwrap_or_default();
    let verb = if yes { "approved" } else { "denied" };
    let mut lines = vec![
        format!("{id}, {}, {}: {verb}", request.text_at("business_id"), request.text_at("amount")),
        format!("proposed by {}: {}", requester.name, decision_words(&proposed)),
    ];
    // Of a policy each member that would be another one.
    let differs = request.value.get("facts").and_then(|facts| facts.get("differences"));
    let differs = differs.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    lines.extend(differs.map(|line| format!("  {line}")));
    lines.extend([
        format!("because: {}", request.text_at("note")),
        format!("{}: takes effect with recount accept A.json, where the book is", shown(&out)),
    ]);
    done(call, &Mask::of_load(true), &lines, &sheet.value)?;
    Ok(0)
}

fn decision_words(proposed: &Value) -> String {
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    match (text(proposed, "to"), proposed.get("disposition").and_then(|d| text(d, "as"))) {
        (Some(to), _) => format!("to {to}"),
        (None, Some(word)) => format!("disposition {word}"),
        (None, None) if proposed.get(policy::POLICY).is_some() => "the policy of the file".to_owned(),
        (None, None) if proposed.get("unlink").is_some() => {
            let row = proposed.get("unlink").unwrap_or(&Value::Null);
            let of = |name: &str| text(row, name).unwrap_or_default();
            format!("unlink row {}/{}", of("source"), of("id"))
        }
        (None, None) => "nothing that is known here".to_owned(),
    }
}

/// An answer, from a file or given on the book itself.
struct Answer {
    yes: bool,
    person: Person,
    looked: Looked,
    note: String,
    at: Micros,
    digest: String,
}

/// On a shared book, by its number.
fn on_the_book(call: &Call, seq: i64, yes: bool) -> Result<u8, Failure> {
    with_desk(call, |desk| {
        let request = asked(desk, seq, None)?;
        if request.subject_type == policy::POLICY {
            return Ok(ended(desk, &Subject::new(policy::POLICY, policy::POLICY), {
                of_call(desk, seq, yes).and_then(|answer| on_policy(desk, &request, &answer))
            })?);
        }
        let item = desk.item(&request.subject_id)?;
        let subject = Subject::intent(&item.view.intent_id);
        let work = || {
            let Answer { person, note, digest, .. } = of_call(desk, seq, yes)?;
            guards::note(&note, &item.facts.last_note, &desk.policy.policy)
                .map_err(|r| crate::lifecycle::resolve::of(r, &item.facts, "approved"))?;
            let mut looked = looked(call);
            if yes && let Looked::OwnRead(source) = &looked {
                let (id, _) = readback::store(desk, &item, &readback::look_at(desk, &item, source)?, "")?;
                looked = Looked::OwnRead(id);
            }
            effect(desk, &request, &item, &Answer { yes, person, looked, note, at: desk.now, digest })
        };
        Ok(ended(desk, &subject, work())?)
    })
}

/// The answer that a call gives, before the approver's own read is made.
fn of_call(desk: &Desk<'_>, seq: i64, yes: bool) -> Result<Answer, Stop> {
    let person = desk.who()?.person.clone();
    let note = redact(desk.call.text("note").unwrap_or_default()).into_owned();
    guards::note(&note, "", &desk.policy.policy)?;
    let digest = sha256_hex(format!("{seq} {yes} {} {note} {}", person.name, rfc3339(desk.now)).as_bytes());
    Ok(Answer { yes, person, looked: looked(desk.call), note, at: desk.now, digest })
}

/// An answer to a request for another policy: by another one of the role policy, in time, under the policy that it was
/// asked under.
fn on_policy(desk: &Desk<'_>, request: &Request, answer: &Answer) -> Result<u8, Stop> {
    is_open(request)?;
    let actor = desk.person()?;
    let word = if answer.yes { "approve" } else { "deny" };
    let action = if answer.yes { Action::ApprovalGiven } else { Action::ApprovalDenied };
    let mut draft = Draft::new(action, &actor, Subject::new(policy::POLICY, policy::POLICY))
        .note(&answer.note)
        .change(Value::Null, json!({"request_seq": request.seq, "approval": approval(answer, word)}));
    draft.sign = !desk.policy.sign_above.is_empty();
    if !answer.yes {
        return policy::ends(desk, &draft, &format!("denied by {}", answer.person.name));
    }
    let role = Policy { approvers: policy::owners(&desk.policy).to_vec(), ..desk.policy.policy.clone() };
    let second = Second {
        requester: &requester(desk, request)?,
        approver: &answer.person,
        looked: &answer.looked,
        expires: request.expires_at.unwrap_or(Micros::FOREVER),
        at: answer.at.max(desk.now),
    };
    counts(&role, &second)?;
    same_policy(desk, request)?;
    let by = second_of(request, answer);
    policy::takes_effect(desk, request, &answer.person.name, &draft, by, &decider(request, &actor))
}

fn is_open(request: &Request) -> Result<(), Refusal> {
    if request.status == "open" {
        return Ok(());
    }
    Err(Refusal::new(
        Code::Approver,
        format!("the request of entry {} is {} already", request.seq, request.status),
    )
    .missing("a request that is open")
    .next("ask for it again"))
}

fn same_policy(desk: &Desk<'_>, request: &Request) -> Result<(), Refusal> {
    if request.policy.as_deref() == Some(&desk.policy.digest) {
        return Ok(());
    }
    Err(Refusal::new(Code::Policy, "it was asked for under another policy")
        .seen(format!("asked under {}", short(request.policy.as_deref().unwrap_or_default())))
        .seen(format!("in force is {}", short(&desk.policy.digest)))
        .missing("a request under the policy in force")
        .next("ask for it again"))
}

/// The decision is that of whoever asked; who puts it into the book stands in the entry of the approval.
fn decider(request: &Request, actor: &Actor) -> Actor {
    Actor {
        name: request.by_name.clone(),
        uid: request.by_uid,
        login: request.by_login.clone(),
        session: request.by_session.clone(),
        ..actor.clone()
    }
}

/// `accept A.json`.
pub fn accept(call: &Call) -> Result<u8, Failure> {
    with_desk(call, |desk| {
        let path = PathBuf::from(call.word().unwrap_or_default());
        let sheet = Sheet::read(&path, APPROVAL)?;
        let request = asked(desk, 0, Some(sheet.text_at("request")))?;
        let is_policy = request.subject_type == policy::POLICY;
        let subject = Subject::new(&request.subject_type, &request.subject_id);
        let work = || {
            let mut person = who::of_json(sheet.value.get("approver").unwrap_or(&Value::Null));
            person.principal = principal(desk, &path)?;
            let looked =
                match (sheet.text_at("own_read"), sheet.value.get("relied") == Some(&Value::Bool(true))) {
                    ("", true) => Looked::Relied,
                    ("", false) => Looked::No,
                    (read, _) => Looked::OwnRead(read.to_owned()),
                };
            let answer = Answer {
                yes: sheet.text_at("decision") == "approve",
                person,
                looked,
                note: sheet.text_at("note").to_owned(),
                at: parse_time(sheet.text_at("at"), &Zone::Utc).begin(),
                digest: sheet.digest(),
            };
            if is_policy {
                return on_policy(desk, &request, &answer);
            }
            effect(desk, &request, &desk.item(&request.subject_id)?, &answer)
        };
        Ok(ended(desk, &subject, work())?)
    })
}

/// The principal of the signature beside an approval. Where signers are named, one of theirs is needed.
fn principal(desk: &Desk<'_>, path: &Path) -> Result<Option<String>, Stop> {
    let allowed = allowed(desk);
    let bad = |why: String| -> Stop {
        Refusal::new(Code::Approver, format!("the signature is not accepted: {why}"))
            .seen(shown(&beside(path)))
            .missing("a signature of an allowed signer over this very file")
            .next("recount approve R.json --sign KEY, with a key of the file of allowed signers")
            .into()
    };
    match (signed(path, allowed.as_deref()), allowed) {
        (Signed::By(principal), _) => Ok(Some(principal)),
        (Signed::NotVerified(principal), _) => {
            desk.call.notes.note(&format!(
                "{principal}: identity not verified, the file of allowed signers can be written here"
            ));
            Ok(None)
        }
        (Signed::Bad(why), _) => Err(bad(why)),
        (Signed::No, Some(_)) => Err(bad("there is none".to_owned())),
        (Signed::No, None) => Ok(None),
    }
}

/// The request that is meant, by its number or by the digest of its file.
fn asked(desk: &Desk<'_>, seq: i64, digest: Option<&str>) -> Result<Request, Stop> {
    let Some(book) = desk.looked()? else {
        return Err(Failure::usage("there is no book here, so nothing waits in it").into());
    };
    let view = book.view()?;
    let request = match digest {
        Some(digest) => view.request_of(digest)?,
        None => view.request(seq)?,
    };
    request.ok_or_else(|| match digest {
        Some(_) => Refusal::new(Code::Approver, "this approval answers a request that is not in this book")
            .missing("the request that it was made for, unchanged")
            .next("ask whoever sent it for the book it belongs to")
            .into(),
        None => {
            Failure::usage(&format!("entry {seq} is no request; recount audit list shows what waits")).into()
        }
    })
}

fn requester(desk: &Desk<'_>, request: &Request) -> Result<Person, Stop> {
    let mut person = Person {
        name: request.by_name.clone(),
        uid: request.by_uid,
        login: request.by_login.clone().unwrap_or_default(),
        sudo_user: request.by_session.clone().unwrap_or_default(),
        principal: None,
    };
    if let Some(book) = desk.looked()? {
        book.view()?.entries(|entry| {
            let signed = entry.at("after.signed_request.seq").and_then(Value::as_i64) == Some(request.seq);
            if signed && entry.text_at("actor.name") == request.by_name {
                person.principal = Some(entry.text_at("after.signed_request.principal").to_owned());
            }
        })?;
    }
    Ok(person)
}

/// Everything is checked again: that it is open, in time, under the same policy, by another person, on unchanged facts,
/// and that the rules still allow it. Then approval and move are one transaction.
fn effect(desk: &Desk<'_>, request: &Request, item: &Item, answer: &Answer) -> Result<u8, Stop> {
    let id = &item.view.intent_id;
    let stays =
        |refusal: Refusal| -> Stop { crate::lifecycle::resolve::of(refusal, &item.facts, "approved").into() };
    is_open(request).map_err(&stays)?;
    let requester = requester(desk, request)?;
    let actor = desk.person()?;
    if !answer.yes {
        return denied(desk, request, item, answer, &actor);
    }
    let expires = request.expires_at.unwrap_or(Micros::FOREVER);
    let second = Second {
        requester: &requester,
        approver: &answer.person,
        looked: &answer.looked,
        expires,
        at: answer.at.max(desk.now),
    };
    counts(&desk.policy.policy, &second).map_err(&stays)?;
    same_policy(desk, request).map_err(&stays)?;
    let version = asked_version(desk, request)?;
    let print = request.fingerprint.clone().unwrap_or_default();
    guards::version(&item.facts, Some((version.unwrap_or(item.facts.version), &print))).map_err(&stays)?;
    let proposed: Value =
        request.proposed.as_deref().and_then(|p| serde_json::from_str(p).ok()).unwrap_or_default();
    let by = second_of(request, answer);
    let mut given = Draft::new(Action::ApprovalGiven, &actor, Subject::intent(id))
        .note(&answer.note)
        .change(Value::Null, json!({"request_seq": request.seq, "approval": approval(answer, "approve")}));
    given.sign = must_be_signed(desk, item);
    let mut book = desk.book()?;
    let decider = decider(request, &actor);
    let (line, written) = if let Some(proposal) = Proposal::of_json(&proposed) {
        // The note of the request is its own last note by now.
        let before = Item {
            facts: crate::lifecycle::facts::Facts { last_note: String::new(), ..item.facts.clone() },
            view: item.view.clone(),
            record: item.record.clone(),
        };
        let (decision, all) = proposal.decide(desk, &before)?;
        let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
            record(w, desk, item, &actor)?;
            w.append(&given)?;
            let making = Making {
                actor: &decider,
                proposal: &proposal,
                decision: &decision,
                all: &all,
                second: Some(by.clone()),
                batch: None,
            };
            write(w, desk, item, &making)
        })?;
        (said(item, &decision, &format!("{} and {}", request.by_name, answer.person.name)), written)
    } else if let Some(effect) = proposed.get("unlink") {
        let note = proposed.get("note").and_then(Value::as_str).unwrap_or_default();
        let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
            record(w, desk, item, &actor)?;
            w.append(&given)?;
            let tie = links::Tie {
                action: Action::Unlink,
                effect,
                note,
                actor: &decider,
                second: Some(by.clone()),
            };
            links::write(w, desk, item, &tie)
        })?;
        (
            format!("{id}: {}; by {} and {}", decision_words(&proposed), request.by_name, answer.person.name),
            written,
        )
    } else {
        let value = proposed.get("disposition").cloned().unwrap_or_default();
        let note = proposed.get("note").and_then(Value::as_str).unwrap_or_default().to_owned();
        let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
            record(w, desk, item, &actor)?;
            w.append(&given)?;
            let closing = disposition::Closing {
                actor: &decider,
                value: &value,
                note: &note,
                second: Some(by.clone()),
                batch: None,
            };
            disposition::write(w, desk, item, &closing)
        })?;
        (
            format!("{id}: {}; by {} and {}", decision_words(&proposed), request.by_name, answer.person.name),
            written,
        )
    };
    let lines = vec![line];
    decided(
        desk,
        lines,
        &written,
        json!({
        "intent_id": id, "from": item.facts.state_word(), "proposed": proposed,
                   "second": by, "request": request.seq,
        }),
    )?;
    Ok(0)
}

/// The second person, as the entry of the decision writes him.
fn second_of(request: &Request, answer: &Answer) -> Value {
    let own = match &answer.looked {
        Looked::OwnRead(read) => json!({"own_read": read}),
        _ => json!({"relied": true}),
    };
    let mut by = json!({
        "name": answer.person.name, "uid": answer.person.uid, "login": answer.person.login,
        "at": rfc3339(answer.at), "request": request.digest, "approval": answer.digest,
    });
    if let (Value::Object(by), Value::Object(own)) = (&mut by, own) {
        by.extend(own);
        if let Some(principal) = &answer.person.principal {
            by.insert("verified".to_owned(), json!(format!("signature:{principal}")));
        }
    }
    by
}

fn denied(
    desk: &Desk<'_>,
    request: &Request,
    item: &Item,
    answer: &Answer,
    actor: &Actor,
) -> Result<u8, Stop> {
    let mut book = desk.book()?;
    let id = &item.view.intent_id;
    let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
        let mut draft = Draft::new(Action::ApprovalDenied, actor, Subject::intent(id))
            .note(&answer.note)
            .change(Value::Null, json!({"request_seq": request.seq, "approval": approval(answer, "deny")}));
        draft.sign = must_be_signed(desk, item);
        Ok(w.append(&draft)?)
    })?;
    let lines = vec![format!("{id}: denied by {}, it stays {}", answer.person.name, item.facts.state_word())];
    decided(
        desk,
        lines,
        &written,
        json!({
        "intent_id": id, "request": request.seq, "denied_by": answer.person.name,
        }),
    )?;
    Ok(0)
}

fn approval(answer: &Answer, decision: &str) -> Value {
    let (own_read, relied) = match &answer.looked {
        Looked::OwnRead(read) => (Some(read.clone()), false),
        Looked::Relied => (None, true),
        Looked::No => (None, false),
    };
    json!({
        "digest": answer.digest, "decision": decision, "by": answer.person.name, "at": rfc3339(answer.at),
        "own_read": own_read, "relied": relied,
        "verified": answer.person.principal.as_ref().map(|p| format!("signature:{p}")),
    })
}

/// The version of the intent that the requester saw.
fn asked_version(desk: &Desk<'_>, request: &Request) -> Result<Option<u64>, Stop> {
    let Some(book) = desk.looked()? else { return Ok(None) };
    let kept = sheet(book.view()?, request)?;
    Ok(kept.and_then(|sheet| sheet.value.get("version").and_then(Value::as_u64)))
}

fn short(digest: &str) -> String {
    digest.chars().take(12).collect()
}

/// `withdraw SEQ`: the requester takes it back.
pub fn withdraw(call: &Call) -> Result<u8, Failure> {
    let Ok(seq) = call.word().unwrap_or_default().parse::<i64>() else {
        return Err(Failure::usage("withdraw takes the number of the entry of the request"));
    };
    with_desk(call, |desk| {
        let request = asked(desk, seq, None)?;
        let subject = Subject::new(&request.subject_type, &request.subject_id);
        let work = || {
            let actor = desk.person()?;
            let note = redact(call.text("note").unwrap_or_default()).into_owned();
            let item = match request.subject_type.as_str() {
                policy::POLICY => None,
                _ => Some(desk.item(&request.subject_id)?),
            };
            let last = item.as_ref().map_or("", |item| item.facts.last_note.as_str());
            guards::note(&note, last, &desk.policy.policy)?;
            is_open(&request)?;
            if !desk.who()?.person.name.eq_ignore_ascii_case(&request.by_name) {
                return Err(Refusal::new(Code::Who, format!("it is the request of {}", request.by_name))
                    .missing("whoever asked")
                    .next(format!("deny it: recount deny {seq} --note TEXT"))
                    .into());
            }
            let draft = Draft::new(Action::ApprovalWithdrawn, &actor, subject.clone())
                .note(&note)
                .change(Value::Null, json!({"request_seq": seq}));
            let Some(item) = item else {
                return policy::ends(desk, &draft, &format!("request {seq} is withdrawn"));
            };
            let id = &item.view.intent_id;
            let mut book = desk.book()?;
            let written = book.write(&desk.clock, |w| -> Result<Head, Stop> { Ok(w.append(&draft)?) })?;
            let mut lines =
                vec![format!("request {seq} is withdrawn; {id} stays {}", item.facts.state_word())];
            lines.extend(closing(&written));
            done(
                call,
                &desk.mask,
                &lines,
                &json!({
                    "schema": "recount.decision.v1", "intent_id": id, "withdrawn": seq, "book": head(&written),
                }),
            )?;
            Ok(0)
        };
        Ok(ended(desk, &subject, work())?)
    })
}
