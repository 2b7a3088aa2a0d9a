//! Refusals as they read.

use super::{NOW, ask, in_state, policy, row, unknown, with, with_row};
use crate::lifecycle::explain::{MOVES, REFUSALS, all};
use crate::lifecycle::facts::Facts;
use crate::lifecycle::matrix::Move;
use crate::lifecycle::refusal::{CODES, Code, Group, Refusal};
use crate::lifecycle::resolve::{Ask, refused, resolve};
use crate::lifecycle::states::Actor;
use crate::model::row::{State, Status};

fn text(refusal: &Refusal) -> String {
    let mut lines = vec![refusal.headline()];
    for (name, said) in refusal.parts() {
        lines.extend(said.iter().map(|line| format!("  {name:<8} {line}")));
    }
    lines.join("\n")
}

#[test]
fn every_code_has_a_group_a_sentence_and_an_explanation() {
    assert_eq!(CODES.len(), 35);
    for (code, word, group, sentence) in CODES {
        assert_eq!((code.word(), code.group(), code.sentence()), (word, group, sentence));
        assert!(sentence.ends_with('.') && word.starts_with("R-"), "{word}");
        assert_eq!(REFUSALS.iter().filter(|line| line.0 == word).count(), 1, "{word}");
    }
    let mut words: Vec<&str> = CODES.iter().map(|line| line.1).collect();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), 35);
    let of = |group: Group| CODES.iter().filter(|line| line.2 == group).count();
    assert_eq!(Group::ALL.map(|(group, _)| of(group)), [4, 4, 6, 3, 3, 3, 1, 8, 3]);
    for (step, word) in Move::ALL {
        assert_eq!(MOVES.iter().filter(|line| line.0 == word).count(), 1, "{step:?}");
    }
}

#[test]
fn explanations_are_three_sentences_and_never_say_to_send_again() {
    for e in all() {
        for text in [e.what, e.why, e.now] {
            assert!(text.ends_with('.') && !text.trim_end_matches('.').contains(". "), "{}: {text}", e.code);
        }
        let now = e.now.to_lowercase();
        for word in ["retry", "resend", "reverse", "correct the ledger"] {
            assert!(!now.contains(word), "{}: {}", e.code, e.now);
        }
    }
}

#[test]
fn an_absence_that_is_not_covered() {
    let mut facts = unknown();
    facts.cover.covered = false;
    facts.cover.failed = vec![("C2".to_owned(), "a row newer than 08:46:10".to_owned())];
    let policy = policy();
    let refusal = with(&policy, |rules| resolve(&facts, &ask(State::Failed), rules)).unwrap_err();
    assert_eq!(
        text(&refusal),
        "refused: int_1 stays unknown. What was seen does not prove that nothing happened.  [R-FAIL-COVER]
  because  \"did not happen\" needs a listing that reaches past the last moment the call could land
  seen     provider.csv read 09:10:00Z, newest row 09:09:00Z (row 12)
  missing  C2: a row newer than 08:46:10
  next     hold it: recount escalate int_1 --owner NAME --deadline TIME --note TEXT
  next     covered from 2026-11-30 08:46:07Z on: export the ledger again and load it again, or ask a second witness"
    );
    assert_eq!(refusal.asked, "int_1 to failed");
    facts.cover.live = true;
    let refusal = with(&policy, |rules| resolve(&facts, &ask(State::Failed), rules)).unwrap_err();
    assert_eq!(refusal.next[2], "on a quiet live primary: coverage_rule = \"snapshot\" for this source");
}

#[test]
fn a_confirmation_without_a_row() {
    let facts = Facts { rows: vec![row("provider/rf_1", Status::OnItsWay, false)], ..unknown() };
    let policy = policy();
    let refusal = with(&policy, |rules| resolve(&facts, &ask(State::Confirmed), rules)).unwrap_err();
    assert_eq!(
        text(&refusal),
        "refused: int_1 stays unknown. What was seen does not prove that it happened.  [R-CONF-EVID]
  because  \"it happened\" needs a live row, or a reference together with an independent read that shows it
  seen     no live linked row
  seen     provider/rf_1 is on its way: not an effect yet
  missing  a reference: --evidence ticket:ID, file:PATH or an address
  missing  a read-back present or differs from an independent source
  next     hold it: recount escalate int_1 --owner NAME --deadline TIME --note TEXT
  next     or recount readback int_1 --source NAME"
    );
}

#[test]
fn a_duplicate() {
    let mut facts = with_row();
    facts.live = 2;
    facts.differs = vec![("duplicate", "1".to_owned(), "2".to_owned())];
    let policy = policy();
    let refusal = with(&policy, |rules| resolve(&facts, &ask(State::Confirmed), rules)).unwrap_err();
    assert_eq!(refusal.because, "2 live rows, at most 1 expected");
    assert_eq!(refusal.next, ["--acknowledge duplicate, and say in the note who follows up the rest"]);
}

#[test]
fn the_cells_of_the_matrix_say_why() {
    use State::{Confirmed, Failed, Submitted, Unknown};
    let because = |state: State, to: State, actor: Actor| {
        let facts = in_state(state);
        let code = crate::lifecycle::matrix::allowed(Some(state), to, actor, false).unwrap_err();
        let refusal = refused(&facts, code, to, actor);
        assert_eq!(refusal.code, code);
        refusal.because
    };
    for (from, to, actor, said) in [
        (
            Submitted,
            Submitted,
            Actor::Human,
            "a request is under way since 2026-11-30 08:43:07Z, claimed by att_1",
        ),
        (
            Submitted,
            Confirmed,
            Actor::Human,
            "a submitted intent is decided by its answer or becomes unknown at 2026-11-30 10:14:07Z",
        ),
        (
            Submitted,
            Failed,
            Actor::TimeoutHandler,
            "a timeout is not a rejection: the call may have been carried out",
        ),
        (
            Confirmed,
            Submitted,
            Actor::RetryPolicy,
            "already confirmed at 2026-11-30 08:44:07Z by timeout_handler; a second call would be a second effect",
        ),
        (
            Confirmed,
            Failed,
            Actor::Human,
            "it has been confirmed since 2026-11-30 08:44:07Z, by timeout_handler",
        ),
        (Failed, Submitted, Actor::Human, "human may not move it from failed to submitted"),
        (
            Unknown,
            Submitted,
            Actor::RetryPolicy,
            "cannot tell whether attempt att_1 took effect (outcome timeout at 2026-11-30 08:44:07Z)",
        ),
        (
            Unknown,
            Confirmed,
            Actor::Response,
            "the answer is stored as evidence; reconciliation or a person decides",
        ),
        (Unknown, Confirmed, Actor::Agent, "the actor is an agent; agents propose, they never decide"),
    ] {
        assert_eq!(because(from, to, actor), said, "{from:?} {to:?} {actor:?}");
    }
    let who = refused(&in_state(Failed), Code::Who, Submitted, Actor::Human);
    assert_eq!(who.missing, ["one who may: retry_policy"]);
}

#[test]
fn no_refusal_suggests_a_second_call() {
    let policy = policy();
    let mut seen = 0;
    for state in [State::Submitted, State::Confirmed, State::Failed, State::Unknown] {
        for to in [State::Submitted, State::Confirmed, State::Failed, State::Unknown] {
            for (actor, _) in Actor::ALL {
                if let Err(code) = crate::lifecycle::matrix::allowed(Some(state), to, actor, false) {
                    let refusal = refused(&in_state(state), code, to, actor);
                    let next = refusal.next.join(" ");
                    assert!(!next.contains("retry") && !next.contains("send it again"), "{next}");
                    assert!(
                        !refusal.because.is_empty()
                            && refusal.headline().starts_with("refused: int_1 stays ")
                    );
                    seen += 1;
                }
            }
        }
    }
    assert_eq!(seen, 96);
    let version = Ask { seen: Some((1, "old")), ..ask(State::Confirmed) };
    let refusal = with(&policy, |rules| resolve(&with_row(), &version, rules)).unwrap_err();
    assert_eq!(refusal.because, "changed by timeout_handler at 2026-11-30 08:44:07Z");
    assert_eq!(NOW.0 % 1_000_000, 0);
}
