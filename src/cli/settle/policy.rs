//! `recount request policy`: what `[policy]` says now is asked for, and takes effect like every decision of two people
//! (`3-lifecycle.md` 3.10). Until then the policy in the book stays in force.

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::records::Request;
use crate::book::{Actor, Draft, Head, Subject};
use crate::canon::sha256_hex;
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::config::policy::{InForce, read, text};
use crate::lifecycle::guards;
use crate::lifecycle::persons::{Choice, listed, persons};
use crate::lifecycle::policy::MAX_EXTENSION;
use crate::lifecycle::refusal::{Code, Refusal};
use crate::model::time::rfc3339;
use crate::text::redact;

use super::desk::Desk;
use super::file::{REQUEST, Sheet};
use super::out::{closing, decided, done, ended, head, with_desk};
use super::store::open_case;
use super::{NOT_TOLD, PENDING, Stop, who};

/// The word that stands for the policy where an id is asked for, and the type of its subject.
pub const POLICY: &str = "policy";
/// Reason of the entry by which one person names the first approvers.
pub const FIRST: &str = "first approvers, named by one person";

/// Asks for it; one person alone names the first approvers.
pub fn run(call: &Call) -> Result<u8, Failure> {
    with_desk(call, |desk| Ok(ended(desk, &Subject::new(POLICY, POLICY), ask(desk))?))
}

/// Those who may change it: the policy owners, else any two approvers.
pub fn owners(policy: &InForce) -> &[String] {
    if policy.policy.policy_owners.is_empty() {
        &policy.policy.approvers
    } else {
        &policy.policy.policy_owners
    }
}

/// A refusal about the policy: which stays in force, and what was asked.
fn of(refusal: Refusal, desk: &Desk<'_>) -> Refusal {
    refusal.of("a change of policy", format!("policy {} stays in force", short(&desk.policy.digest)))
}

fn short(digest: &str) -> String {
    digest.chars().take(12).collect()
}

/// The members that differ, each with what is in force and what is asked for.
pub fn differences(old: &str, new: &str) -> Vec<String> {
    let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let (old, new) = (parse(old), parse(new));
    let names = old.as_object().into_iter().chain(new.as_object()).flat_map(|all| all.keys());
    let mut names: Vec<&String> = names.collect();
    names.sort();
    names.dedup();
    let show = |value: Option<&Value>| value.map_or("nothing".to_owned(), ToString::to_string);
    names
        .into_iter()
        .filter(|name| old.get(*name) != new.get(*name))
        .map(|name| format!("{name}: in force {}, asked for {}", show(old.get(name)), show(new.get(name))))
        .collect()
}

fn ask(desk: &Desk<'_>) -> Result<u8, Stop> {
    let call = desk.call;
    let actor = desk.person()?;
    let person = desk.who()?.person.clone();
    let note = redact(call.text("note").unwrap_or_default()).into_owned();
    guards::note(&note, "", &desk.policy.policy).map_err(|refusal| of(refusal, desk))?;
    let asked = text(&desk.loaded.config);
    let known = match desk.looked()? {
        Some(book) => book.view()?.policy()?,
        None => None,
    };
    if known.is_none() || asked == desk.policy.text {
        return Err(Failure::usage(
            "[policy] of recount.toml is what is in force; change it there, then ask for it",
        )
        .into());
    }
    let new = read(&asked, desk.loaded.case.units()).map_err(|why| Failure::input(&why))?;
    let differs = differences(&desk.policy.text, &asked);
    let owners = owners(&desk.policy);
    // One person names the first approvers and changes nothing else with it.
    let named = new.policy.approvers.iter().all(|name| !name.trim().is_empty());
    let only_approvers = differs.iter().all(|line| line.starts_with("approvers:"));
    let first = owners.is_empty() && !new.policy.approvers.is_empty() && named && only_approvers;
    if first || persons(Choice::Policy, false, desk.policy.policy.solo) == 1 {
        return alone(desk, &actor, &note, &new, first);
    }
    let others = owners.iter().any(|name| !name.trim().eq_ignore_ascii_case(person.name.trim()));
    if !listed(owners, &person.name) || !others {
        return Err(of(
            Refusal::new(Code::Policy, "a change of policy takes two people of the role policy")
                .missing(if owners.is_empty() {
                    "approvers: nobody is listed; one person may name the first ones, with no other change and no \
                     blank name"
                        .to_owned()
                } else {
                    format!("two of: {}", owners.join(", "))
                })
                .next("one of them asks for it, and another one approves"),
            desk,
        )
        .into());
    }
    let expires = rfc3339(desk.now.plus(desk.policy.policy.approval_expires.unwrap_or(MAX_EXTENSION)));
    let proposed = json!({"policy": {"digest": new.digest, "text": new.text}});
    let sheet = Sheet::of(json!({
        "schema": REQUEST, "case": desk.loaded.case.spec.id, "intent_id": POLICY, "business_id": "", "amount": "",
        "state": "in force", "version": 0, "fingerprint": desk.policy.digest, "facts": {"differences": differs},
        "proposed": proposed, "note": note, "policy": desk.policy.digest, "expires_at": expires,
        "requester": who::json(&person), "at": rfc3339(desk.now),
    }))?;
    if let Some(path) = call.path("out") {
        Sheet::can_be_made(call, &path)?;
    }
    let mut book = desk.book()?;
    let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
        open_case(w, &desk.loaded.case.spec.id, &desk.policy, &actor)?;
        let mut draft =
            Draft::new(Action::ApprovalRequested, &actor, Subject::new(POLICY, POLICY)).note(&note).change(
                Value::Null,
                json!({"request": {
                    "digest": sheet.digest(), "proposed": proposed, "fingerprint": desk.policy.digest,
                    "policy": desk.policy.digest, "expires_at": expires,
                }}),
            );
        draft.evidence =
            vec![crate::book::evidence::item(&w.keep_evidence(Some("request"), sheet.text.as_bytes())?)];
        Ok(w.append(&draft)?)
    })?;
    if let Some(path) = call.path("out") {
        sheet.write(call, &path)?;
    }
    let seq = written.value.seq;
    let mut lines = vec![format!(
        "policy {} stays in force. PENDING (by {}, until {expires})",
        short(&desk.policy.digest),
        person.name
    )];
    lines.extend(differs);
    lines.push(format!(
        "another of {}: recount approve {seq} --note TEXT --relied-on-evidence",
        owners.join(", ")
    ));
    lines.push(NOT_TOLD.to_owned());
    done(
        call,
        &desk.mask,
        &lines,
        &json!({
            "schema": "recount.decision.v1", "pending": true, "request": seq, "digest": sheet.digest(),
            "policy": new.digest, "expires_at": expires,
        }),
    )?;
    Ok(PENDING)
}

/// One person: under `solo`, or because there is nobody yet who could approve.
fn alone(desk: &Desk<'_>, actor: &Actor, note: &str, new: &InForce, first: bool) -> Result<u8, Stop> {
    let mut book = desk.book()?;
    let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
        Ok(w.append(&change(desk, actor, note, new, first.then_some(FIRST)))?)
    })?;
    let mut lines = vec![format!("policy {} is in force, by {}", short(&new.digest), actor.name)];
    lines.extend(first.then(|| FIRST.to_owned()));
    decided(
        desk,
        lines,
        &written,
        json!({"policy": new.digest, "pending": false, "first_approvers": first}),
    )?;
    Ok(0)
}

fn change(desk: &Desk<'_>, actor: &Actor, note: &str, new: &InForce, reason: Option<&str>) -> Draft {
    let mut draft = Draft::new(Action::PolicyChanged, actor, Subject::new(POLICY, POLICY)).note(note).change(
        json!({"policy": {"digest": desk.policy.digest}}),
        json!({"policy": {"digest": new.digest, "text": new.text}}),
    );
    let solo = desk.policy.policy.solo;
    if solo || reason.is_some() {
        let mut more = json!({"digest": desk.policy.digest});
        if solo {
            more["solo"] = true.into();
        }
        if reason.is_some() {
            more["first_approvers"] = true.into();
        }
        draft = draft.with(POLICY, more);
    }
    draft.reason = reason.map(str::to_owned);
    draft.sign = !desk.policy.sign_above.is_empty();
    draft
}

/// The second person agreed: everything is checked again, then approval and change are one transaction.
///
/// # Errors
/// R-POLICY, R-APPROVER, and what the book says.
pub fn takes_effect(
    desk: &Desk<'_>,
    request: &Request,
    approver: &str,
    given: &Draft,
    second: Value,
    decider: &Actor,
) -> Result<u8, Stop> {
    let owners = owners(&desk.policy);
    for name in [&request.by_name, approver] {
        if !listed(owners, name) {
            return Err(of(
                Refusal::new(Code::Policy, format!("{name} has not the role policy"))
                    .missing(format!("two of: {}", owners.join(", "))),
                desk,
            )
            .into());
        }
    }
    let proposed: Value =
        request.proposed.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let new = proposed.get(POLICY).and_then(|p| p.get("text")).and_then(Value::as_str).unwrap_or_default();
    if sha256_hex(new.as_bytes()) != proposed[POLICY]["digest"].as_str().unwrap_or_default() {
        return Err(Failure::input("the policy of the request is not that of its digest").into());
    }
    let new = read(new, desk.loaded.case.units()).map_err(|why| Failure::input(&why))?;
    let mut book = desk.book()?;
    let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
        w.view().requests_follow(POLICY)?;
        w.append(given)?;
        let draft = change(desk, decider, "as it was requested", &new, None).with("second", second.clone());
        Ok(w.append(&draft)?)
    })?;
    let lines =
        vec![format!("policy {} is in force, by {} and {approver}", short(&new.digest), request.by_name)];
    decided(desk, lines, &written, json!({"policy": new.digest, "request": request.seq, "second": second}))?;
    Ok(0)
}

/// The answer was no, or whoever asked took it back.
///
/// # Errors
/// What the book says.
pub fn ends(desk: &Desk<'_>, draft: &Draft, said: &str) -> Result<u8, Stop> {
    let mut book = desk.book()?;
    let written = book.write(&desk.clock, |w| -> Result<Head, Stop> { Ok(w.append(draft)?) })?;
    let mut lines = vec![format!("{said}; policy {} stays in force", short(&desk.policy.digest))];
    lines.extend(closing(&written));
    let policy = &desk.policy.digest;
    done(
        desk.call,
        &desk.mask,
        &lines,
        &json!({"schema": "recount.decision.v1", "policy": policy, "book": head(&written)}),
    )?;
    Ok(0)
}
