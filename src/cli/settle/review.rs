//! `recount review SEQ --outcome ok|exception`: a third role looks at a decision afterwards (`3-lifecycle.md` 3.16).

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::{Draft, Head, Subject};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lifecycle::guards;
use crate::lifecycle::persons::listed;
use crate::lifecycle::refusal::{Code, Refusal};
use crate::model::time::{Zone, parse_time};
use crate::text::redact;

use super::desk::Desk;
use super::out::{closing, done, ended, head, with_desk};
use super::{NOT_TOLD, Stop};

/// Reviews one entry, or signs off a period.
pub fn run(call: &Call) -> Result<u8, Failure> {
    with_desk(call, |desk| {
        let subject = Subject::new("entry", call.word().as_deref().unwrap_or("period"));
        Ok(ended(desk, &subject, review(desk, &subject))?)
    })
}

fn review(desk: &Desk<'_>, subject: &Subject) -> Result<u8, Stop> {
    let call = desk.call;
    let actor = desk.person()?;
    let me = &desk.who()?.person.name;
    let note = redact(call.text("note").unwrap_or_default()).into_owned();
    guards::note(&note, "", &desk.policy.policy)?;
    let Some(looked) = desk.looked()? else {
        return Err(Failure::usage("there is no book here, so there is nothing to review").into());
    };
    let policy = &desk.policy.policy;
    let reviewers = if policy.reviewers.is_empty() { &policy.approvers } else { &policy.reviewers };
    if !listed(reviewers, me) {
        return Err(Refusal::new(Code::Approver, format!("{me} is not listed as reviewer"))
            .missing("a reviewer, or an approver without a part in it")
            .next(format!("ask one of: {}", reviewers.join(", ")))
            .into());
    }
    let number = call.word().and_then(|w| w.parse::<i64>().ok());
    if call.word().is_some() && number.is_none() {
        return Err(Failure::usage("review takes the number of an entry; --case DIR names the case").into());
    }
    let (value, said) = match (number, call.text("period")) {
        (Some(seq), None) => {
            let Some(outcome) = call.text("outcome") else {
                return Err(Failure::usage("say what was found: --outcome ok or --outcome exception").into());
            };
            let Some(entry) = looked.view()?.entry(seq)? else {
                return Err(Failure::usage(&format!(
                    "there is no entry {seq}; recount audit list shows them"
                ))
                .into());
            };
            let id = entry.text_at("subject.id").to_owned();
            let mut part = false;
            looked.view()?.entries(|other| {
                if other.text_at("subject.id") == id {
                    let own = [other.text_at("actor.name"), other.text_at("second.name")];
                    part |= own.iter().any(|name| name.trim().eq_ignore_ascii_case(me.trim()));
                }
            })?;
            if part {
                return Err(Refusal::new(Code::Approver, format!("{me} had a part in {id}"))
                    .missing("somebody without a part in it")
                    .next(format!("ask one of: {}", reviewers.join(", ")))
                    .into());
            }
            (
                json!({"seq": seq, "outcome": outcome}),
                format!("entry {seq}, {} of {id}: {outcome}", entry.text_at("action")),
            )
        }
        (None, Some(period)) => {
            let (first, last, count) = period_of(looked.view()?, period)?;
            let outcome = call.text("outcome").unwrap_or("ok");
            (
                json!({"first_seq": first, "last_seq": last, "outcome": outcome, "count": count}),
                format!("entries {first} to {last}, {count} in all: {outcome}"),
            )
        }
        _ => {
            let said = "review one entry by its number, or a period with --period FROM..TO; --case DIR names the case then";
            return Err(Failure::usage(said).into());
        }
    };
    drop(looked);
    let mut book = desk.book()?;
    let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
        let at = w.view().head()?;
        let mut value = value.clone();
        if let Value::Object(value) = &mut value {
            value.insert("head".to_owned(), json!(at.to_string()));
        }
        let draft = Draft::new(Action::Review, &actor, subject.clone())
            .note(&note)
            .change(Value::Null, json!({"review": value}));
        Ok(w.append(&draft)?)
    })?;
    let mut lines = vec![format!("reviewed by {me}: {said}")];
    lines.extend(closing(&written).into_iter().filter(|line| line != NOT_TOLD));
    done(
        call,
        &desk.mask,
        &lines,
        &json!({"schema": "recount.decision.v1", "review": value, "book": head(&written)}),
    )?;
    Ok(0)
}

fn period_of(view: crate::book::View<'_>, period: &str) -> Result<(i64, i64, u64), Stop> {
    let wrong =
        || Failure::usage("write the period as FROM..TO, such as 2026-11-01T00:00:00Z..2026-12-01T00:00:00Z");
    let (from, to) = period.split_once("..").ok_or_else(wrong)?;
    let (from, to) = (parse_time(from, &Zone::Utc), parse_time(to, &Zone::Utc));
    if from.is_none() || to.is_none() {
        return Err(wrong().into());
    }
    let (mut first, mut last, mut count) = (None, 0, 0);
    view.entries(|entry| {
        if entry.time() >= from.begin() && entry.time() < to.begin() {
            first.get_or_insert(entry.seq);
            last = entry.seq;
            count += 1;
        }
    })?;
    let first = first.ok_or_else(|| Failure::usage("there is no entry in that period"))?;
    Ok((first, last, count))
}
