//! Decisions: G-CONFIRM, G-FAIL, overdue ones, reconciliation, holds.

use super::{NOTE, NOW, ask, covered, in_state, policy, read, row, unknown, usd, with, with_row};
use crate::lifecycle::expiry::{Expired, expire};
use crate::lifecycle::facts::Facts;
use crate::lifecycle::matrix::Move;
use crate::lifecycle::policy::{Policy, Weight};
use crate::lifecycle::resolve::{
    Ask, Automatic, Basis, Decision, Evidence, Hold, automatic, hold, reopen, resolve,
};
use crate::lifecycle::states::Actor;
use crate::model::row::{Seen, State, Status};
use crate::model::time::{HOUR, Micros};

fn decided(facts: &Facts, ask: &Ask<'_>) -> Result<Decision, &'static str> {
    let policy = policy();
    with(&policy, |rules| resolve(facts, ask, rules).map_err(|refusal| refusal.code.word()))
}

fn ticket() -> Evidence {
    Evidence::Reference("ticket:SUP-1".to_owned())
}

#[test]
fn a_live_row_confirms() {
    let decision = decided(&with_row(), &ask(State::Confirmed)).unwrap();
    assert_eq!(decision.moves, [(Move::T6, State::Unknown, State::Confirmed)]);
    assert_eq!(decision.basis, Basis::Row("provider/rf_1".to_owned()));
    assert_eq!((decision.persons, decision.high, decision.waits()), (1, false, false));
}

#[test]
fn nothing_else_confirms_but_a_reference_with_an_independent_read() {
    let facts = unknown();
    let to = ask(State::Confirmed);
    assert_eq!(decided(&facts, &to), Err("R-CONF-EVID"));
    let tickets = [ticket()];
    assert_eq!(decided(&facts, &Ask { evidence: &tickets, ..to.clone() }), Err("R-CONF-EVID"));
    let reads = [Evidence::Read(read(Seen::Present))];
    assert_eq!(decided(&facts, &Ask { evidence: &reads, ..to.clone() }), Err("R-CONF-EVID"));
    let both = [ticket(), Evidence::Read(read(Seen::Present))];
    let decision = decided(&facts, &Ask { evidence: &both, ..to.clone() }).unwrap();
    assert_eq!(decision.basis, Basis::Read("rb_1".to_owned(), true));
    let absent = [ticket(), Evidence::Read(read(Seen::AbsentAsOf))];
    assert_eq!(decided(&facts, &Ask { evidence: &absent, ..to.clone() }), Err("R-CONF-EVID"));
    let mut stale = read(Seen::Present);
    stale.at = facts.last_ended();
    let stale = [ticket(), Evidence::Read(stale)];
    assert_eq!(decided(&facts, &Ask { evidence: &stale, ..to.clone() }), Err("R-EVID-STALE"));
    let on_its_way = Facts { rows: vec![row("provider/rf_1", Status::OnItsWay, false)], ..unknown() };
    assert_eq!(decided(&on_its_way, &to), Err("R-CONF-EVID"));
    let copy = Facts { rows: vec![row("books/b1", Status::Live, true)], ..unknown() };
    assert_eq!(decided(&copy, &to).unwrap().basis, Basis::Copy("books/b1".to_owned()));
}

#[test]
fn each_difference_is_acknowledged_by_name() {
    let mut facts = with_row();
    facts.differs = vec![("amount", "USD 45.00".to_owned(), "USD 54.00".to_owned())];
    let to = ask(State::Confirmed);
    assert_eq!(decided(&facts, &to), Err("R-CONF-DIFFERS"));
    let amount = ["amount".to_owned()];
    assert!(decided(&facts, &Ask { acknowledged: &amount, ..to.clone() }).is_ok());
    facts.differs.push(("more-may-land", "nothing".to_owned(), "one".to_owned()));
    assert_eq!(decided(&facts, &Ask { acknowledged: &amount, ..to.clone() }), Err("R-CONF-DIFFERS"));
    facts.differs.push(("duplicate", "1".to_owned(), "2".to_owned()));
    assert_eq!(decided(&facts, &Ask { acknowledged: &amount, ..to.clone() }), Err("R-CONF-DUP"));
    let all = ["amount", "duplicate", "more-may-land"].map(str::to_owned);
    assert!(decided(&facts, &Ask { acknowledged: &all, ..to.clone() }).is_ok());
    let mut differs = read(Seen::Differs);
    differs.detail = "amount: expected 45.00, read 54.00".to_owned();
    let evidence = [ticket(), Evidence::Read(differs)];
    let by_read = Ask { evidence: &evidence, ..to };
    assert_eq!(decided(&unknown(), &by_read), Err("R-CONF-DIFFERS"));
    assert!(decided(&unknown(), &Ask { acknowledged: &amount, ..by_read }).is_ok());
}

#[test]
fn failed_needs_a_covered_absence() {
    let to = ask(State::Failed);
    let decision = decided(&unknown(), &to).unwrap();
    assert_eq!((decision.basis, decision.persons), (Basis::Absence, 1));
    let mut open = unknown();
    open.cover.covered = false;
    open.cover.failed = vec![("C2".to_owned(), "a newer row".to_owned())];
    assert_eq!(decided(&open, &to), Err("R-FAIL-COVER"));
    assert_eq!(decided(&Facts { suggestions: 1, ..unknown() }, &to), Err("R-FAIL-COVER"));
    assert_eq!(decided(&Facts { reads: vec![read(Seen::Present)], ..unknown() }, &to), Err("R-FAIL-COVER"));
    assert!(decided(&Facts { reads: vec![read(Seen::NotFoundNotCovering)], ..unknown() }, &to).is_ok());
    let mut old = read(Seen::Present);
    old.at = unknown().last_ended();
    assert!(decided(&Facts { reads: vec![old], ..unknown() }, &to).is_ok());
    assert_eq!(decided(&with_row(), &to), Err("R-FAIL-PRESENT"));
    let on_its_way = Facts { rows: vec![row("provider/rf_1", Status::OnItsWay, false)], ..unknown() };
    assert_eq!(decided(&on_its_way, &to), Err("R-FAIL-PRESENT"));
}

#[test]
fn an_override_takes_a_reason_and_never_beats_a_row() {
    let mut facts = unknown();
    facts.cover.covered = false;
    let short = Ask { override_reason: Some("because"), ..ask(State::Failed) };
    assert_eq!(decided(&facts, &short), Err("R-NOTE"));
    let long = Ask { override_reason: Some("the provider says so by phone"), ..ask(State::Failed) };
    assert_eq!(decided(&facts, &long).unwrap().basis, Basis::Override);
    assert_eq!(decided(&with_row(), &long), Err("R-FAIL-PRESENT"));
    let on_its_way = Facts { rows: vec![row("provider/rf_1", Status::OnItsWay, false)], ..facts };
    assert_eq!(decided(&on_its_way, &long), Err("R-FAIL-PRESENT"));
}

#[test]
fn from_the_limit_up_two_people_and_a_declared_source() {
    for (cents, persons) in [(49_999, 1), (50_000, 2), (50_001, 2)] {
        let facts = Facts { weight: Weight::Money(vec![usd(cents)]), ..unknown() };
        assert_eq!(decided(&facts, &ask(State::Failed)).unwrap().persons, persons, "{cents}");
    }
    let high = Weight::Money(vec![usd(50_000)]);
    let mut facts = Facts { weight: high.clone(), ..unknown() };
    facts.cover.declared = false;
    assert_eq!(decided(&facts, &ask(State::Failed)), Err("R-FAIL-COVER"));
    facts.cover = covered();
    facts.cover.final_by_declaration = true;
    assert_eq!(decided(&facts, &ask(State::Failed)), Err("R-FAIL-COVER"));
    // A live row is proof enough for one.
    let facts = Facts { weight: high.clone(), ..with_row() };
    assert_eq!(decided(&facts, &ask(State::Confirmed)).unwrap().persons, 1);
    let copy = Facts { rows: vec![row("books/b1", Status::Live, true)], weight: high, ..unknown() };
    assert_eq!(decided(&copy, &ask(State::Confirmed)).unwrap().persons, 2);
    let solo = Policy { solo: true, ..policy() };
    let persons = with(&solo, |rules| resolve(&copy, &ask(State::Confirmed), rules).unwrap().persons);
    assert_eq!(persons, 1);
}

#[test]
fn what_is_settled_is_reopened_first_and_what_is_submitted_waits() {
    assert_eq!(decided(&in_state(State::Confirmed), &ask(State::Failed)), Err("R-REOPEN-FIRST"));
    assert_eq!(decided(&in_state(State::Failed), &ask(State::Confirmed)), Err("R-REOPEN-FIRST"));
    let submitted = Facts { state: Some(State::Submitted), ..with_row() };
    assert_eq!(decided(&submitted, &ask(State::Confirmed)), Err("R-VIA-UNKNOWN"));
    let overdue = |by: i64| Facts { deadline: NOW.plus(by), ..submitted.clone() };
    assert_eq!(decided(&overdue(1), &ask(State::Confirmed)), Err("R-VIA-UNKNOWN"));
    assert_eq!(decided(&overdue(0), &ask(State::Confirmed)), Err("R-VIA-UNKNOWN"));
    let decision = decided(&overdue(-1), &ask(State::Confirmed)).unwrap();
    assert_eq!(
        decision.moves,
        [(Move::T4, State::Submitted, State::Unknown), (Move::T6, State::Unknown, State::Confirmed)]
    );
    let agent = Ask { actor: Actor::Agent, ..ask(State::Confirmed) };
    assert_eq!(decided(&with_row(), &agent), Err("R-AGENT"));
    let none = Facts { state: None, ..with_row() };
    assert_eq!(decided(&none, &ask(State::Confirmed)), Err("R-WHO"));
    let late = Ask { actor: Actor::Response, ..ask(State::Confirmed) };
    assert_eq!(decided(&with_row(), &late), Err("R-LATE-RESPONSE"));
    let timeout = Ask { actor: Actor::TimeoutHandler, ..ask(State::Failed) };
    assert_eq!(decided(&unknown(), &timeout), Err("R-TIMEOUT-NOT-FAILED"));
}

#[test]
fn break_glass_opens_only_a_read_by_hand_up_to_its_cap() {
    let both = [ticket(), Evidence::Read(read(Seen::Present))];
    let on = Policy { break_glass: true, break_glass_max: vec![usd(60_000)], ..policy() };
    let decide = |policy: &Policy, cents: i64, ask: &Ask<'_>| {
        let facts = Facts { weight: Weight::Money(vec![usd(cents)]), ..unknown() };
        with(policy, |rules| resolve(&facts, ask, rules).map(|d| d.under_glass).map_err(|r| r.code.word()))
    };
    let glass = Ask { evidence: &both, break_glass: Some("INC-7"), ..ask(State::Confirmed) };
    assert_eq!(decide(&policy(), 55_000, &glass), Err("R-BREAK"));
    assert_eq!(decide(&on, 59_999, &glass), Ok(Some("INC-7".to_owned())));
    assert_eq!(decide(&on, 60_000, &glass), Ok(Some("INC-7".to_owned())));
    assert_eq!(decide(&on, 60_001, &glass), Err("R-BREAK"));
    // One person is enough there: nothing is broken.
    assert_eq!(decide(&on, 4_500, &glass), Ok(None));
    let failed = Ask { break_glass: Some("INC-7"), ..ask(State::Failed) };
    assert_eq!(decide(&on, 55_000, &failed), Err("R-BREAK"));
    assert_eq!(decide(&on, 55_000, &Ask { break_glass: Some(" "), ..glass.clone() }), Err("R-BREAK"));
    let unnamed = Policy { break_glass: true, ..policy() };
    assert_eq!(decide(&unnamed, 50_000, &glass), Ok(Some("INC-7".to_owned())));
    assert_eq!(decide(&unnamed, 50_001, &glass), Err("R-BREAK"));
}

#[test]
fn reconciliation_moves_small_amounts_on_strict_evidence() {
    let policy = policy();
    let word = |facts: &Facts| {
        with(&policy, |rules| match automatic(facts, rules) {
            Automatic::Move(decision) => decision.moves.last().unwrap().2.word(),
            Automatic::Escalate(_) => "escalate",
            Automatic::Nothing => "nothing",
        })
    };
    let of = |cents: i64, facts: Facts| Facts { weight: Weight::Money(vec![usd(cents)]), ..facts };
    assert_eq!([5_000, 5_001].map(|cents| word(&of(cents, with_row()))), ["confirmed", "escalate"]);
    assert_eq!([5_000, 5_001].map(|cents| word(&of(cents, unknown()))), ["failed", "escalate"]);
    let mut two = with_row();
    two.rows.push(row("provider/rf_2", Status::Live, false));
    assert_eq!(word(&two), "escalate");
    let mut other = with_row();
    other.differs = vec![("amount", "USD 45.00".to_owned(), "USD 46.00".to_owned())];
    assert_eq!(word(&other), "escalate");
    assert_eq!(word(&Facts { expected: (1, 2), ..with_row() }), "escalate");
    let copy = Facts { rows: vec![row("books/b1", Status::Live, true)], ..unknown() };
    assert_eq!(word(&copy), "escalate");
    let mut assumed = unknown();
    assumed.cover.declared = false;
    assert_eq!(word(&assumed), "escalate");
    let mut final_ = unknown();
    final_.cover.final_by_declaration = true;
    assert_eq!(word(&final_), "escalate");
    assert_eq!(word(&in_state(State::Confirmed)), "nothing");
    assert_eq!(word(&in_state(State::Submitted)), "nothing");
    let overdue = Facts { deadline: NOW.plus(-1), state: Some(State::Submitted), ..with_row() };
    assert_eq!(word(&overdue), "confirmed");
}

#[test]
fn what_expires_is_decided_or_escalated_and_never_sent_again() {
    let policy = policy();
    let of = |facts: &Facts| with(&policy, |rules| expire(facts, rules));
    assert_eq!(of(&unknown()), Expired::NotDue);
    assert_eq!(of(&Facts { deadline: NOW, ..unknown() }), Expired::NotDue);
    let due = |facts: Facts| Facts { deadline: NOW.plus(-1), ..facts };
    assert!(matches!(of(&due(with_row())), Expired::Decided(_)));
    let mut open = due(unknown());
    open.cover.covered = false;
    assert!(matches!(of(&open), Expired::Escalate(_)));
    open.state = Some(State::Submitted);
    assert_eq!(of(&open), Expired::Unknown);
    assert_eq!(of(&Facts { recorded: false, ..due(unknown()) }), Expired::NotDue);
    assert_eq!(of(&due(in_state(State::Failed))), Expired::NotDue);
}

#[test]
fn a_hold_has_owner_deadline_and_note() {
    let policy = policy();
    let held = |facts: &Facts, what: Hold, owner: &str, at: Option<Micros>, note: &str| {
        with(&policy, |rules| {
            hold(facts, what, Actor::Human, (owner, at, note), rules).map_err(|r| r.code.word())
        })
    };
    let soon = Some(NOW.plus(HOUR));
    assert_eq!(held(&unknown(), Hold::Escalate, "olu", soon, NOTE), Ok(Some(Move::T9)));
    assert_eq!(held(&unknown(), Hold::Escalate, "", soon, NOTE), Err("R-OWNER"));
    assert_eq!(held(&unknown(), Hold::Escalate, "olu", None, NOTE), Err("R-DEADLINE"));
    assert_eq!(held(&unknown(), Hold::Escalate, "olu", soon, "short"), Err("R-NOTE"));
    // On anything else it is owner and date, and no move.
    assert_eq!(held(&in_state(State::Confirmed), Hold::Escalate, "olu", soon, NOTE), Ok(None));
    assert_eq!(held(&in_state(State::Confirmed), Hold::Extend, "olu", soon, NOTE), Err("R-WHO"));
    assert_eq!(held(&in_state(State::Submitted), Hold::Extend, "olu", soon, NOTE), Err("R-VIA-UNKNOWN"));
    // Who takes it over may leave the date as it is, if that is still ahead.
    assert_eq!(held(&unknown(), Hold::Assign, "olu", None, ""), Ok(Some(Move::T9)));
    let late = Facts { deadline: NOW, ..unknown() };
    assert_eq!(held(&late, Hold::Assign, "olu", None, ""), Err("R-DEADLINE"));
    assert_eq!(held(&late, Hold::Assign, "olu", soon, ""), Ok(Some(Move::T9)));
    let agent = with(&policy, |rules| {
        hold(&in_state(State::Confirmed), Hold::Assign, Actor::Agent, ("olu", None, ""), rules)
    });
    assert_eq!(agent.unwrap_err().code.word(), "R-AGENT");
}

#[test]
fn reopening_needs_note_owner_and_deadline() {
    let policy = policy();
    let soon = Some(NOW.plus(HOUR));
    let opened = |facts: &Facts, fields, seen| {
        with(&policy, |rules| reopen(facts, Actor::Human, fields, seen, rules).map_err(|r| r.code.word()))
    };
    let confirmed = in_state(State::Confirmed);
    assert_eq!(opened(&confirmed, ("olu", soon, NOTE), None), Ok(Move::T8));
    assert_eq!(opened(&in_state(State::Failed), ("olu", soon, NOTE), None), Ok(Move::T8));
    assert_eq!(opened(&unknown(), ("olu", soon, NOTE), None), Err("R-WHO"));
    assert_eq!(opened(&confirmed, ("olu", soon, "x"), None), Err("R-NOTE"));
    assert_eq!(opened(&confirmed, ("", soon, NOTE), None), Err("R-OWNER"));
    assert_eq!(opened(&confirmed, ("olu", None, NOTE), None), Err("R-DEADLINE"));
    assert_eq!(opened(&confirmed, ("olu", soon, NOTE), Some((2, "f00d"))), Err("R-VERSION"));
}
