//! `recount reconcile [--apply]` and `recount expire [--apply]`: strict evidence, small amounts, never sent again
//! (`3-lifecycle.md` 3.3, 3.5). Dry run by default.

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::{Actor, Draft, Head, Subject};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lifecycle::expiry::{Expired, deadline, expire};
use crate::lifecycle::facts::Facts;
use crate::lifecycle::refusal::{Code, Refusal};
use crate::lifecycle::resolve::{Automatic, Decision, automatic};
use crate::lifecycle::states::Actor as Role;
use crate::model::row::State;
use crate::model::time::rfc3339;

use super::desk::{Desk, Item};
use super::out::{NOT_LOGGED, done, logged, with_desk};
use super::resolve::{Making, Proposal, write};
use super::store::{entry, open_case, record};
use super::verified::verified;
use super::{PENDING, Stop, who};

/// What is done with one item.
enum Plan {
    /// It is moved.
    Move(Decision),
    /// A submitted one becomes unknown.
    Unknown,
    /// It goes to a person, and why.
    Escalate(String),
}

/// `reconcile`.
pub fn reconcile(call: &Call) -> Result<u8, Failure> {
    with_desk(call, |desk| {
        sweep(desk, Role::Reconciliation, |facts| match automatic(facts, desk.rules()) {
            Automatic::Move(decision) => Some(Plan::Move(decision)),
            Automatic::Escalate(why) => Some(Plan::Escalate(why)),
            Automatic::Nothing => None,
        })
    })
}

/// `expire`.
pub fn run_expire(call: &Call) -> Result<u8, Failure> {
    if call.flag("retry") {
        return Err(Failure::usage(
            "expire has no --retry: at a deadline there is only a new read or an escalation, never another call. \
             What is unknown may have happened, and a second call would make it happen twice",
        ));
    }
    with_desk(call, |desk| {
        requests(desk)?;
        sweep(desk, Role::TimeoutHandler, |facts| match expire(facts, desk.rules()) {
            Expired::NotDue => None,
            Expired::Unknown => Some(Plan::Unknown),
            Expired::Decided(decision) => Some(Plan::Move(decision)),
            Expired::Escalate(why) => Some(Plan::Escalate(why)),
        })
    })
}

/// Every item of the case that a plan is made for. Those that stay unknown make exit 3.
fn sweep(desk: &Desk<'_>, role: Role, plan: impl Fn(&Facts) -> Option<Plan>) -> Result<u8, Stop> {
    let apply = desk.call.flag("apply");
    let of_expire = role == Role::TimeoutHandler;
    let (mut lines, mut all, mut open, mut blocked, mut wrote) =
        (Vec::new(), Vec::new(), false, false, false);
    for op in desk.loaded.case.ordered() {
        let state = desk.loaded.case.judgement(op).and_then(|j| j.state);
        if !matches!(state, Some(State::Unknown | State::Submitted)) {
            continue;
        }
        let item = desk.item_of(op)?;
        let Some(plan) = plan(&item.facts) else { continue };
        let id = &item.view.intent_id;
        let (word, why) = match &plan {
            Plan::Move(decision) => {
                (decision.moves.last().map_or("", |(_, _, to)| to.word()), decision.basis.word().to_owned())
            }
            Plan::Unknown => ("unknown", "its time is over without an answer".to_owned()),
            Plan::Escalate(why) => (if of_expire { "escalated" } else { "for a person" }, why.clone()),
        };
        let mut done = "would be";
        if apply {
            done = "is now";
            match applied(desk, &item, &plan, of_expire) {
                // What reconciliation only names for a person is not written.
                Ok(()) => wrote |= of_expire || matches!(plan, Plan::Move(_)),
                Err(Stop::Refused(refusal)) => {
                    done = "was not made";
                    blocked = true;
                    lines.push(format!("{id}: {}", refusal.headline()));
                    let subject = Subject::intent(id);
                    if logged(desk, &who::program(desk.call, role), &subject, &refusal).is_err() {
                        lines.push(NOT_LOGGED.to_owned());
                    }
                }
                Err(failed) => return Err(failed),
            }
        }
        open |= !matches!(plan, Plan::Move(_));
        lines.push(format!("{id}  {}  {done} {word}  ({why})", item.facts.state_word()));
        all.push(json!({
            "intent_id": id, "from": item.facts.state_word(), "to": word, "why": why, "applied": apply && done == "is now",
        }));
    }
    if !of_expire {
        for (id, position) in verified(desk, apply)? {
            let done = if apply { "is now" } else { "would be" };
            wrote |= apply;
            lines.push(format!("{id}  confirmed  {done} verified at {position}"));
            all.push(json!({
                "intent_id": id, "from": "confirmed", "to": "confirmed", "why": "its row stands as it was meant",
                "verified_at_position": position, "applied": apply,
            }));
        }
    }
    if all.is_empty() {
        lines.push(
            if of_expire { "nothing is overdue" } else { "nothing is open that was recorded or sent" }
                .to_owned(),
        );
    } else if wrote {
        lines.push(super::NOT_TOLD.to_owned());
    } else if !apply {
        lines.push("nothing was written; --apply does it".to_owned());
    }
    let schema = if of_expire { "recount.expire.v1" } else { "recount.reconcile.v1" };
    done(desk.call, &desk.mask, &lines, &json!({"schema": schema, "applied": apply, "items": all}))?;
    Ok(match (blocked, open) {
        (true, _) => super::REFUSED,
        (false, true) => PENDING,
        (false, false) => 0,
    })
}

fn applied(desk: &Desk<'_>, item: &Item, plan: &Plan, of_expire: bool) -> Result<(), Stop> {
    match plan {
        Plan::Move(decision) => {
            let actor = who::program(desk.call, Role::Reconciliation);
            moved(desk, item, decision, &actor)
        }
        Plan::Unknown => {
            entry_of(desk, item, &json!({"state": "unknown"}), "its time is over without an answer")
        }
        Plan::Escalate(why) if of_expire => entry_of(desk, item, &json!({}), why),
        // Reconciliation names it; whom it is for is decided at its deadline, or by a person.
        Plan::Escalate(_) => Ok(()),
    }
}

fn moved(desk: &Desk<'_>, item: &Item, decision: &Decision, actor: &Actor) -> Result<(), Stop> {
    let to = decision.moves.last().map_or(State::Unknown, |(_, _, to)| *to);
    let proposal = Proposal {
        to,
        note: String::new(),
        override_reason: None,
        acknowledged: Vec::new(),
        evidence: Vec::new(),
        break_glass: None,
    };
    let mut book = desk.for_writing()?;
    book.write(&desk.clock, |w| -> Result<Head, Stop> {
        record(w, desk, item, actor)?;
        write(
            w,
            desk,
            item,
            &Making { actor, proposal: &proposal, decision, all: &[], second: None, batch: None },
        )
    })?;
    Ok(())
}

/// T4, or an escalation to whoever the policy names: either way a new deadline.
fn entry_of(desk: &Desk<'_>, item: &Item, moved: &Value, why: &str) -> Result<(), Stop> {
    let actor = who::program(desk.call, Role::TimeoutHandler);
    let Some(owner) = desk.policy.policy.escalation_owner.clone() else {
        return Err(Refusal::new(Code::Owner, "what expires needs somebody who gets it")
            .missing("[policy] escalation_owner")
            .next("name one in recount.toml, or escalate it by hand: recount escalate ID --owner NAME")
            .of(
                item.view.intent_id.clone(),
                format!("{} stays {}", item.view.intent_id, item.facts.state_word()),
            )
            .into());
    };
    let due = deadline(State::Unknown, item.view.timeout, desk.deadlines(&item.view.kind), desk.now);
    let mut book = desk.for_writing()?;
    book.write(&desk.clock, |w| -> Result<Head, Stop> {
        record(w, desk, item, &actor)?;
        let mut after = moved.clone();
        if let Value::Object(after) = &mut after {
            after.insert("deadline".to_owned(), json!(due.map(rfc3339)));
            after.insert("owner".to_owned(), json!(owner));
            after.insert("escalated_to".to_owned(), json!(owner));
            after.insert("delivered".to_owned(), Value::Null);
            after.insert("taken_over_by".to_owned(), Value::Null);
        }
        let mut draft = entry(desk, item, Action::Expire, &actor).change(
            json!({"state": item.facts.state_word(), "deadline": super::store::time(item.facts.deadline)}),
            after,
        );
        draft.reason = Some(why.to_owned());
        Ok(w.append(&draft)?)
    })?;
    Ok(())
}

/// Requests whose time is over.
fn requests(desk: &Desk<'_>) -> Result<(), Stop> {
    let Some(looked) = desk.looked()? else { return Ok(()) };
    let over: Vec<_> = looked
        .view()?
        .requests()?
        .into_iter()
        .filter(|r| r.status == "open" && r.expires_at.is_some_and(|at| desk.now > at))
        .collect();
    if over.is_empty() || !desk.call.flag("apply") {
        return Ok(());
    }
    let actor = who::program(desk.call, Role::TimeoutHandler);
    let mut book = desk.for_writing()?;
    book.write(&desk.clock, |w| -> Result<(), Stop> {
        open_case(w, &desk.loaded.case.spec.id, &desk.policy, &actor)?;
        for request in &over {
            let draft = Draft::new(
                Action::ApprovalExpired,
                &actor,
                Subject::new(&request.subject_type, &request.subject_id),
            )
            .change(Value::Null, json!({"request_seq": request.seq}));
            w.append(&draft)?;
        }
        Ok(())
    })?;
    Ok(())
}
