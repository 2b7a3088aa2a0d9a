//! `recount resolve ID --to confirmed|failed`: by hand, on evidence, with a note.

use serde_json::{Value, json};

use crate::book::action::Action;
use crate::book::{Actor, Head, Writer};
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lifecycle::expiry::{deadline, review_due};
use crate::lifecycle::guards;
use crate::lifecycle::policy::Weight;
use crate::lifecycle::refusal::{Code, Refusal};
use crate::lifecycle::resolve::{Ask, Automatic, Basis, Decision, Evidence, automatic, of, resolve};
use crate::lifecycle::states::Actor as Role;
use crate::model::row::State;
use crate::model::time::{Zone, rfc3339};
use crate::text::redact;

use super::deliver::deliver;
use super::desk::{Desk, Item};
use super::evidence::{Named, keep, named};
use super::out::{decided, with_item};
use super::store::{block, entry, policy, record, time};
use super::{PENDING, Stop, request};

/// What is decided, with everything that it was decided by. The same for a dialog, a request and an approval.
#[derive(Debug)]
pub struct Proposal {
    /// To which state.
    pub to: State,
    /// The note.
    pub note: String,
    /// Reason of an override.
    pub override_reason: Option<String>,
    /// Differences that were acknowledged.
    pub acknowledged: Vec<String>,
    /// Evidence as it was named.
    pub evidence: Vec<String>,
    /// Incident of a break-glass.
    pub break_glass: Option<String>,
}

impl Proposal {
    /// Of the options of a call.
    ///
    /// # Errors
    /// Usage: what is missing, or does not go together.
    pub fn of_call(call: &Call) -> Result<Self, Failure> {
        let Some(to) = call.text("to").and_then(State::from_word) else {
            return Err(Failure::usage("say what it is: --to confirmed or --to failed"));
        };
        let texts = |name: &str| call.texts(name).into_iter().map(str::to_owned).collect();
        let reason = call.told("reason");
        let override_reason = match (call.flag("override"), reason) {
            (true, reason) => Some(reason.unwrap_or_default()),
            (false, Some(_)) => return Err(Failure::usage("--reason belongs to --override")),
            (false, None) => None,
        };
        if override_reason.is_some() && to != State::Failed {
            return Err(Failure::usage("--override is for --to failed; a confirmation needs evidence"));
        }
        Ok(Self {
            to,
            note: redact(call.text("note").unwrap_or_default()).into_owned(),
            override_reason,
            acknowledged: texts("acknowledge"),
            evidence: call.texts("evidence").into_iter().map(|text| redact(text).into_owned()).collect(),
            break_glass: call.told("break-glass"),
        })
    }

    /// As a request keeps it.
    pub fn json(&self) -> Value {
        json!({
            "to": self.to.word(), "override_reason": self.override_reason, "acknowledged": self.acknowledged,
            "evidence": self.evidence, "note": self.note,
        })
    }

    /// Of a request.
    pub fn of_json(value: &Value) -> Option<Self> {
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let texts = |name: &str| -> Vec<String> {
            let all = value.get(name).and_then(Value::as_array).into_iter().flatten();
            all.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        Some(Self {
            to: State::from_word(&text("to")?)?,
            note: text("note").unwrap_or_default(),
            override_reason: text("override_reason"),
            acknowledged: texts("acknowledged"),
            evidence: texts("evidence"),
            break_glass: None,
        })
    }

    /// What the rules say of it.
    ///
    /// # Errors
    /// A refusal, or evidence that cannot be read.
    pub fn decide(&self, desk: &Desk<'_>, item: &Item) -> Result<(Decision, Vec<Named>), Stop> {
        let all = named(desk, &self.evidence)?;
        guards::rows(&item.facts, all.iter().filter_map(|named| named.text.strip_prefix("row:")))
            .map_err(|refusal| of(refusal, &item.facts, self.to.word()))?;
        let evidence: Vec<Evidence> = all.iter().filter_map(|n| n.evidence.clone()).collect();
        let ask = Ask {
            actor: desk.actor(),
            to: self.to,
            note: &self.note,
            override_reason: self.override_reason.as_deref(),
            acknowledged: &self.acknowledged,
            evidence: &evidence,
            break_glass: self.break_glass.as_deref(),
            seen: desk.seen(&item.facts, desk.call.text("if-facts")),
        };
        let decision = resolve(&item.facts, &ask, desk.rules())?;
        if desk.actor() == Role::Reconciliation
            && let Automatic::Escalate(why) = automatic(&item.facts, desk.rules())
        {
            // A program that says that it is reconciliation has the limits of reconciliation.
            return Err(of(
                Refusal::new(Code::Who, why)
                    .missing("a person")
                    .next("leave it to a person: recount escalate ID"),
                &item.facts,
                self.to.word(),
            )
            .into());
        }
        Ok((decision, all))
    }
}

/// Resolves one intent.
pub fn run(call: &Call) -> Result<u8, Failure> {
    let proposal = Proposal::of_call(call)?;
    with_item(call, |desk, item| {
        let actor = desk.entry_actor()?;
        if request::stands(desk, item, &proposal, &actor.name)? {
            return Ok(PENDING);
        }
        let (decision, all) = proposal.decide(desk, item)?;
        if decision.waits() {
            request::pending(desk, item, &proposal, &all)?;
            return Ok(PENDING);
        }
        let mut book = desk.book()?;
        let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
            record(w, desk, item, &actor)?;
            write(
                w,
                desk,
                item,
                &Making {
                    actor: &actor,
                    proposal: &proposal,
                    decision: &decision,
                    all: &all,
                    second: None,
                    batch: None,
                },
            )
        })?;
        let mut lines = vec![said(item, &decision, &actor.name)];
        if let Some(incident) = &decision.under_glass {
            // Whoever reviews is told at once, where a hook does that.
            let reviewers = desk.policy.policy.reviewers.join(", ");
            let told = deliver(desk, item, &reviewers, Some(due(desk)), &proposal.note);
            lines.extend(told.map(|reference| format!("delivered: {reference}")));
            lines.push(format!(
                "break-glass {incident}: to be reviewed by somebody else until {}",
                rfc3339(due(desk))
            ));
        }
        decided(
            desk,
            lines,
            &written,
            json!({
            "intent_id": item.view.intent_id,
                           "from": item.facts.state_word(), "to": decision_to(&decision).word(), "basis": decision.basis.word(),
                           "persons": decision.persons, "pending": false,
            }),
        )?;
        Ok(0)
    })
}

/// Everything that an entry of a decision is made of.
pub struct Making<'a> {
    /// Who decides.
    pub actor: &'a Actor,
    /// What was asked.
    pub proposal: &'a Proposal,
    /// What the rules said.
    pub decision: &'a Decision,
    /// Evidence.
    pub all: &'a [Named],
    /// The second person, as the entry writes him.
    pub second: Option<Value>,
    /// The batch.
    pub batch: Option<&'a str>,
}

/// Writes the moves of a decision; the last entry is the decision itself.
///
/// # Errors
/// What the book says.
pub fn write(w: &mut Writer<'_>, desk: &Desk<'_>, item: &Item, making: &Making<'_>) -> Result<Head, Stop> {
    let Making { actor, proposal, decision, all, .. } = making;
    let mut last = None;
    for (step, from, to) in &decision.moves {
        let settles = matches!(to, State::Confirmed | State::Failed);
        let due = deadline(*to, item.view.timeout, desk.deadlines(&item.view.kind), desk.now);
        let action = if settles { Action::Resolve } else { Action::Expire };
        let mut draft = entry(desk, item, action, actor).change(
            json!({"state": from.word()}),
            json!({"state": to.word(), "deadline": due.and_then(time), "move": step.word()}),
        );
        if settles {
            draft.evidence = keep(w, &block(desk, item), all)?;
            if let Basis::Row(row) | Basis::Copy(row) = &decision.basis {
                draft.evidence.push(format!("row:{row}"));
            }
            draft.reason =
                Some(proposal.override_reason.clone().unwrap_or_else(|| decision.basis.word().to_owned()));
            draft.note = super::store::some(&proposal.note).map(str::to_owned);
            if decision.basis == Basis::Override {
                policy(&mut draft, json!({"override": true}));
            }
            if !decision.acknowledged.is_empty() {
                policy(&mut draft, json!({"acknowledged": decision.acknowledged}));
            }
            if let Some(incident) = &decision.under_glass {
                let glass = json!({"incident": incident, "review_due": rfc3339(self::due(desk))});
                policy(&mut draft, json!({"break_glass": glass}));
            }
            if let Some(second) = &making.second {
                draft = draft.with("second", second.clone());
            }
            if let Some(batch) = making.batch {
                draft = draft.with("batch", json!(batch));
            }
        }
        last = Some(w.append(&draft)?);
    }
    last.ok_or_else(|| Failure::input("nothing to decide").into())
}

/// The policy asks for a signature over decisions from an amount up.
pub fn must_be_signed(desk: &Desk<'_>, item: &Item) -> bool {
    let from = &desk.policy.sign_above;
    match &item.facts.weight {
        _ if from.is_empty() => false,
        Weight::Money(amounts) => {
            amounts.iter().any(|m| from.iter().any(|least| least.unit == m.unit && m.amount >= least.amount))
        }
        Weight::Unreadable | Weight::None => true,
    }
}

fn due(desk: &Desk<'_>) -> crate::model::time::Micros {
    let zone = desk.loaded.config.file.case.zone.as_ref().and_then(|zone| Zone::parse(&zone.0));
    review_due(desk.now, &zone.unwrap_or(Zone::Utc))
}

fn decision_to(decision: &Decision) -> State {
    decision.moves.last().map_or(State::Unknown, |(_, _, to)| *to)
}

/// `int_4813 is confirmed, it was unknown: row payments/rf_4813, by dana`.
pub fn said(item: &Item, decision: &Decision, name: &str) -> String {
    let on = match &decision.basis {
        Basis::Row(row) => format!("row {row}"),
        Basis::Copy(row) => format!("row {row}, in a copy only"),
        Basis::Read(id, manual) => format!("read-back {id}{}", if *manual { ", by hand" } else { "" }),
        Basis::Absence => format!("absent, covered: {}", item.facts.cover.read),
        Basis::Override => "override, without a covered absence".to_owned(),
    };
    format!(
        "{} is {}, it was {}: {on}; by {name}",
        item.view.intent_id,
        decision_to(decision).word(),
        item.facts.state_word()
    )
}
