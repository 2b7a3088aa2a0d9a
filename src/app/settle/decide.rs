//! What the rules say of what a form asks for: the same functions that the commands ask.

use super::booked::{Booked, Looked};
use super::dialogs::{self, Dialog, HOLD};
use super::field::Field;
use super::form::{Case, Form};
use crate::judge::view::IntentView;
use crate::lifecycle::bulk;
use crate::lifecycle::disposition::{self, DISPOSITIONS, dispose};
use crate::lifecycle::facts::Facts;
use crate::lifecycle::guards::{self, Rules};
use crate::lifecycle::persons::{Choice, Person, persons, somebody_may};
use crate::lifecycle::refusal::{Code, Refusal};
use crate::lifecycle::resolve::{Ask, Decision, Evidence, Hold, hold, reopen, resolve};
use crate::lifecycle::states::Actor;
use crate::model::money::{Money, parse_decimal};
use crate::model::row::State;
use crate::model::time::{Micros, Zone, parse_duration, parse_time};

/// Stands for the note while only the evidence is asked about.
const A_NOTE: &str = "a note that is still to be written, with what was seen and why that decides it";

/// What is known of an intent: as it is shown, and what the book adds.
pub fn facts(view: &IntentView, booked: &Booked, case: Case<'_>) -> Facts {
    let mut facts = Facts::of(view, case.units, case.sources, case.now);
    facts.version = booked.version;
    // Read-backs of the book come in through the case as well, without what the book knows of them.
    for own in &booked.reads {
        facts.reads.retain(|r| r.at != own.at || r.source != own.source);
        facts.reads.push(own.clone());
    }
    facts.last_note.clone_from(&booked.last_note);
    facts
}

/// What holds for decisions.
pub fn rules<'a>(looked: &'a Looked, case: Case<'a>) -> Rules<'a> {
    Rules { policy: &looked.policy, units: case.units, now: looked.now }
}

/// A time as it is typed: `4h`, or a time.
pub fn moment(text: &str, now: Micros) -> Option<Micros> {
    let text = text.trim();
    if let Some(us) = parse_duration(text) {
        return Some(now.plus(us));
    }
    let at = parse_time(text, &Zone::Utc);
    (!at.is_none()).then(|| at.begin())
}

/// Evidence that was typed: words with blanks between them.
fn evidence(form: &Form, facts: &Facts) -> Vec<Evidence> {
    let typed = form.value(Field::Evidence);
    let one = |word: &str| {
        let read = facts.reads.iter().find(|read| read.id == word);
        read.map_or_else(|| Evidence::Reference(word.to_owned()), |read| Evidence::Read(read.clone()))
    };
    typed.split_whitespace().map(one).collect()
}

/// What the rules say of one answer, whatever the note is.
///
/// # Errors
/// The first guard that does not hold.
pub fn answer(form: &Form, case: Case<'_>, to: State) -> Result<Decision, Refusal> {
    ask(form, case, to, A_NOTE)
}

fn ask(form: &Form, case: Case<'_>, to: State, note: &str) -> Result<Decision, Refusal> {
    let (Some(facts), Some(looked)) = (form.fact(), form.book()) else { return Err(not_yet()) };
    let reason = form.value(Field::Reason);
    let overrides = to == State::Failed && form.ticked(Field::Override, "override");
    let reason = if note == A_NOTE && reason.trim().is_empty() { A_NOTE } else { reason.as_str() };
    let ticked = form.value(Field::Acknowledge);
    let acknowledged: Vec<String> = if note == A_NOTE {
        facts.differs.iter().map(|(word, ..)| (*word).to_owned()).collect()
    } else {
        ticked.split_whitespace().map(str::to_owned).collect()
    };
    resolve(
        facts,
        &Ask {
            actor: Actor::Human,
            to,
            note,
            override_reason: overrides.then_some(reason),
            acknowledged: &acknowledged,
            evidence: &evidence(form, facts),
            break_glass: None,
            seen: None,
        },
        rules(looked, case),
    )
}

fn not_yet() -> Refusal {
    Refusal::new(Code::Readonly, "the book is being read")
}

/// What the rules say of the form as it is filled in: how many people decide.
///
/// # Errors
/// The first guard that does not hold.
pub fn verdict(form: &Form, case: Case<'_>) -> Result<u8, Refusal> {
    let Some(looked) = form.book() else { return Err(not_yet()) };
    let rules = rules(looked, case);
    let note = form.value(Field::Note);
    if let Dialog::Many = form.dialog {
        return many(form, case);
    }
    let Some(facts) = form.fact() else { return Err(not_yet()) };
    let said = |result: Result<(), Refusal>| result.map(|()| 1);
    let noted = || guards::note(&note, &facts.last_note, rules.policy);
    match form.dialog {
        Dialog::Resolve => match form.value(Field::Answer).as_str() {
            HOLD => held(form, facts, Hold::Escalate, rules),
            word => {
                let to = State::from_word(word).ok_or_else(not_yet)?;
                let decision = ask(form, case, to, &note)?;
                if decision.waits() {
                    asked_by(looked, rules)?;
                }
                Ok(decision.persons)
            }
        },
        Dialog::Hold => held(form, facts, Hold::Escalate, rules),
        Dialog::Assign => held(form, facts, Hold::Assign, rules),
        Dialog::Reopen => {
            let due = moment(&form.value(Field::Deadline), rules.now);
            reopen(facts, Actor::Human, (&form.value(Field::Owner), due, &note), None, rules).map(|_| 1)
        }
        Dialog::Note | Dialog::Withdraw => said(noted()),
        Dialog::Answer => {
            noted()?;
            let looked = form.value(Field::Looked);
            if form.value(Field::Answer) == dialogs::AGREE && looked.is_empty() {
                return Err(Refusal::new(Code::Approver, "say how you looked yourself"));
            }
            Ok(1)
        }
        Dialog::Deliver => said(filled(form, Field::Delivered, "the reference")),
        Dialog::Accept => said(filled(form, Field::File, "the file of the answer")),
        Dialog::Read => said(filled(form, Field::Ledger, "the source")),
        Dialog::Manual => {
            noted()?;
            filled(form, Field::Source, "where it was seen")?;
            filled(form, Field::Result, "what was seen")?;
            let at = parse_time(form.value(Field::ReadAt).trim(), &Zone::Utc);
            if at.is_none() || at.begin() > rules.now {
                return Err(Refusal::new(Code::Note, "say when it was seen, a time that is past"));
            }
            if form.value(Field::Result) == "differs" {
                filled(form, Field::Differs, "what differs")?;
            }
            Ok(1)
        }
        Dialog::Rows => {
            let chosen = form.value(Field::Row);
            if chosen.is_empty() {
                return Err(Refusal::new(Code::Note, "choose a row"));
            }
            noted()?;
            if !chosen.starts_with("unlink:") {
                return Ok(1);
            }
            let people = persons(Choice::Unlink, is_high(form, case), rules.policy.solo);
            if people > 1 {
                asked_by(looked, rules)?;
            }
            Ok(people)
        }
        Dialog::Dispose => disposed(form, facts, rules).and_then(|people| {
            if people > 1 {
                asked_by(looked, rules)?;
            }
            Ok(people)
        }),
        Dialog::Waiting | Dialog::Many => Ok(1),
    }
}

/// Somebody else could agree.
fn asked_by(looked: &Looked, rules: Rules<'_>) -> Result<(), Refusal> {
    let name = looked.operator.clone().unwrap_or_default();
    somebody_may(rules.policy, &Person { name, ..Person::default() })
}

fn filled(form: &Form, field: Field, what: &str) -> Result<(), Refusal> {
    if form.value(field).trim().is_empty() {
        return Err(Refusal::new(Code::Note, format!("{what} is missing")));
    }
    Ok(())
}

fn held(form: &Form, facts: &Facts, what: Hold, rules: Rules<'_>) -> Result<u8, Refusal> {
    let typed = form.value(Field::Deadline);
    let due = moment(&typed, rules.now);
    if due.is_none() && !typed.trim().is_empty() {
        return Err(Refusal::new(Code::Deadline, "the deadline is a time or a duration such as 4h"));
    }
    let (owner, note) = (form.value(Field::Owner), form.value(Field::Note));
    hold(facts, what, Actor::Human, (&owner, due, &note), rules).map(|_| 1)
}

/// The amount of a disposition, in the one unit that is at risk.
fn amount(form: &Form, facts: &Facts) -> Result<Option<Money>, Refusal> {
    let typed = form.value(Field::Amount);
    if typed.trim().is_empty() {
        return Ok(None);
    }
    let bad = |why: String| Refusal::new(Code::Note, why);
    let amount = parse_decimal(typed.trim()).map_err(|why| bad(format!("the amount {typed:?}: {why}")))?;
    let units: Vec<_> =
        form.view().map(|view| view.at_risk.iter().map(|m| m.unit).collect()).unwrap_or_default();
    let of_weight = match &facts.weight {
        crate::lifecycle::policy::Weight::Money(all) => all.first().map(|m| m.unit),
        _ => None,
    };
    match (units.as_slice(), of_weight) {
        ([unit], _) => Ok(Some(Money::new(*unit, amount))),
        ([], Some(unit)) => Ok(Some(Money::new(unit, amount))),
        (several, _) => {
            let count = several.len();
            Err(bad(format!(
                "{count} units are at risk: recount disposition ID --currency says which is meant"
            )))
        }
    }
}

fn disposed(form: &Form, facts: &Facts, rules: Rules<'_>) -> Result<u8, Refusal> {
    let word = form.value(Field::As);
    let ask = disposition::Ask {
        word: &word,
        amount: amount(form, facts)?,
        reference: &form.value(Field::Reference),
        other: &form.value(Field::SameAs),
        note: &form.value(Field::Note),
    };
    dispose(facts, &ask, rules)
}

/// A disposition of this item could be made at all, whatever is filled in.
///
/// # Errors
/// Why it could not.
pub fn may_dispose(facts: &Facts, rules: Rules<'_>) -> Result<(), Refusal> {
    let word = DISPOSITIONS[0].word;
    let ask = disposition::Ask { word, amount: None, reference: "", other: "", note: A_NOTE };
    match dispose(facts, &ask, rules) {
        Err(refusal) if refusal.code != Code::Note => Err(refusal),
        _ => Ok(()),
    }
}

/// From the high-value limit up.
pub fn is_high(form: &Form, case: Case<'_>) -> bool {
    let (Some(facts), Some(looked)) = (form.fact(), form.book()) else { return false };
    looked.policy.is_high(case.units, &facts.weight, &facts.kind)
}

/// What the rules say of one of many, whatever the note is.
///
/// # Errors
/// Why it cannot be one of them.
pub fn one_of_many(form: &Form, case: Case<'_>, facts: &Facts) -> Result<(), Refusal> {
    let Some(looked) = form.book() else { return Err(not_yet()) };
    let rules = rules(looked, case);
    match form.value(Field::Answer).as_str() {
        HOLD => Ok(()),
        "failed" => bulk::may(bulk::Action::Fail, facts, rules),
        _ => {
            bulk::may(bulk::Action::Confirm, facts, rules)?;
            let ask = Ask {
                actor: Actor::Human,
                to: State::Confirmed,
                note: A_NOTE,
                override_reason: None,
                acknowledged: &[],
                evidence: &[],
                break_glass: None,
                seen: None,
            };
            let decision = resolve(facts, &ask, rules)?;
            if decision.waits() {
                return Err(Refusal::new(Code::Bulk, "a second person has to agree to it"));
            }
            Ok(())
        }
    }
}

/// Those of many that can be settled so: their places.
pub fn possible(form: &Form, case: Case<'_>) -> Vec<usize> {
    let all = form.facts.iter().enumerate();
    all.filter(|(_, facts)| one_of_many(form, case, facts).is_ok()).map(|(at, _)| at).collect()
}

fn many(form: &Form, case: Case<'_>) -> Result<u8, Refusal> {
    let Some(looked) = form.book() else { return Err(not_yet()) };
    let rules = rules(looked, case);
    if possible(form, case).is_empty() {
        return Err(Refusal::new(Code::Bulk, "none of them can be settled so"));
    }
    let note = form.value(Field::Note);
    guards::note(&note, "", rules.policy)?;
    if form.value(Field::Answer) == HOLD {
        guards::owner(&form.value(Field::Owner))?;
        guards::deadline(moment(&form.value(Field::Deadline), rules.now), rules)?;
    }
    Ok(1)
}
