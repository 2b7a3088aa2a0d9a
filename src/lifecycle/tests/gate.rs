//! The gate.

use super::{NOW, usd};
use crate::lifecycle::gate::{AtGate, Call, Claim, Marked, Permit, gate, marked};
use crate::lifecycle::guards::Quota;
use crate::lifecycle::matrix::Move;
use crate::model::outcome::Class;
use crate::model::row::State;
use crate::model::time::{HOUR, MINUTE};
use crate::model::units::Units;

const FRESH: AtGate<'_> = AtGate {
    intent_id: "int_1",
    state: State::Submitted,
    since: NOW,
    by: "app",
    deadline: NOW.plus(5 * MINUTE),
    key: "k1",
    payload: "aa",
    claims: &[],
    seen_in_trace: false,
    first_sent: None,
    retention: Some(24 * HOUR),
    redrive: false,
    quotas: &[],
};
const CALL: Call<'_> = Call { key: "k1", payload: "aa", differs: "", cost: None };

fn said(at: &AtGate<'_>, call: &Call<'_>) -> &'static str {
    gate(at, call, &Units::default(), NOW).map_or_else(|refusal| refusal.code.word(), Permit::word)
}

fn claim(ended: bool) -> Claim {
    Claim { attempt: "att_1".to_owned(), at: NOW.plus(-MINUTE), holder: "worker-2".to_owned(), ended }
}

#[test]
fn a_submitted_intent_is_sent_once() {
    assert_eq!(said(&FRESH, &CALL), "first_send");
    let (open, ended) = ([claim(false)], [claim(true)]);
    assert_eq!(said(&AtGate { claims: &open, ..FRESH }, &CALL), "R-SUB-RETRY");
    assert_eq!(said(&AtGate { claims: &ended, ..FRESH }, &CALL), "R-SUB-RETRY");
    assert_eq!(said(&AtGate { seen_in_trace: true, ..FRESH }, &CALL), "R-SUB-RETRY");
    let refusal = gate(&AtGate { claims: &open, ..FRESH }, &CALL, &Units::default(), NOW).unwrap_err();
    assert_eq!(
        refusal.because,
        "a request is under way since 2026-11-30 09:13:07Z, claimed by worker-2 (att_1)"
    );
}

#[test]
fn key_and_payload_are_the_recorded_ones() {
    assert_eq!(said(&FRESH, &Call { key: "k2", ..CALL }), "R-FAIL-KEY");
    assert_eq!(said(&FRESH, &Call { payload: "bb", ..CALL }), "R-FAIL-PAYLOAD");
}

#[test]
fn a_failed_intent_is_sent_again_inside_the_retention() {
    let ended = [claim(true)];
    let failed =
        AtGate { state: State::Failed, claims: &ended, first_sent: Some(NOW.plus(-24 * HOUR)), ..FRESH };
    assert_eq!(said(&failed, &CALL), "again");
    assert_eq!(gate(&failed, &CALL, &Units::default(), NOW).unwrap().step(), Some(Move::T5));
    let late = AtGate { first_sent: Some(NOW.plus(-24 * HOUR - 1)), ..failed.clone() };
    assert_eq!(said(&late, &CALL), "R-RETENTION");
    assert_eq!(said(&AtGate { retention: None, ..failed.clone() }, &CALL), "R-RETENTION");
    let open = [claim(false)];
    assert_eq!(said(&AtGate { claims: &open, ..failed }, &CALL), "R-SUB-RETRY");
}

#[test]
fn an_unknown_is_blocked_unless_a_redrive_is_declared() {
    let ended = [claim(true)];
    let unknown =
        AtGate { state: State::Unknown, claims: &ended, first_sent: Some(NOW.plus(-HOUR)), ..FRESH };
    assert_eq!(said(&unknown, &CALL), "R-UNK-RETRY");
    let declared = AtGate { redrive: true, ..unknown };
    assert_eq!(said(&declared, &CALL), "re_drive");
    assert_eq!(gate(&declared, &CALL, &Units::default(), NOW).unwrap().step(), None);
    assert_eq!(said(&declared, &Call { key: "k2", ..CALL }), "R-FAIL-KEY");
    assert_eq!(said(&declared, &Call { payload: "bb", ..CALL }), "R-FAIL-PAYLOAD");
    let late = AtGate { first_sent: Some(NOW.plus(-25 * HOUR)), ..declared.clone() };
    assert_eq!(said(&late, &CALL), "R-RETENTION");
    let open = [claim(false)];
    assert_eq!(said(&AtGate { claims: &open, ..declared }, &CALL), "R-SUB-RETRY");
}

#[test]
fn a_confirmed_intent_is_never_sent_again() {
    assert_eq!(said(&AtGate { state: State::Confirmed, redrive: true, ..FRESH }, &CALL), "R-CONF-RETRY");
}

#[test]
fn the_ceiling_holds_for_every_kind_of_claim() {
    let quotas = [Quota { scope: "run".to_owned(), ceiling: usd(100), spent: Some(usd(60)) }];
    let at = AtGate { quotas: &quotas, ..FRESH };
    assert_eq!(said(&at, &Call { cost: Some(usd(40)), ..CALL }), "first_send");
    assert_eq!(said(&at, &Call { cost: Some(usd(41)), ..CALL }), "R-OVER-QUOTA");
    for (state, word) in [(State::Failed, "again"), (State::Unknown, "re_drive")] {
        let at = AtGate { state, redrive: true, ..at.clone() };
        assert_eq!(said(&at, &Call { cost: Some(usd(40)), ..CALL }), word);
        assert_eq!(said(&at, &Call { cost: Some(usd(41)), ..CALL }), "R-OVER-QUOTA");
    }
}

#[test]
fn an_answer_moves_what_is_submitted_and_comes_late_to_what_is_unknown() {
    use Marked::{Late, Moves, Stays};
    for (class, step, to) in [
        (Class::Ok, Move::T2, State::Confirmed),
        (Class::OkReused, Move::T2, State::Confirmed),
        (Class::Already, Move::T2, State::Confirmed),
        (Class::Fail, Move::T3, State::Failed),
        (Class::Unknown, Move::T4, State::Unknown),
        (Class::Open, Move::T4, State::Unknown),
    ] {
        assert_eq!(marked(State::Submitted, class), Moves(step, to));
        assert_eq!(marked(State::Unknown, class), Late);
        assert_eq!(marked(State::Confirmed, class), Stays);
        assert_eq!(marked(State::Failed, class), Stays);
    }
}
