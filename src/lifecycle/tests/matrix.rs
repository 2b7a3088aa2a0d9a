//! Every cell of 3.2.

use crate::lifecycle::matrix::{MATRIX, Move, allowed, who_may};
use crate::lifecycle::refusal::Code;
use crate::lifecycle::states::{Actor, HEADS, STATES};
use crate::model::row::State;

/// The matrix of the specification, as it is written there: an R- word is a refusal, `?` needs an overdue one.
const WRITTEN: &str = "\
submitted submitted R-SUB-RETRY R-SUB-RETRY R-SUB-RETRY R-SUB-RETRY R-SUB-RETRY
submitted confirmed T2 R-WHO R-WHO R-VIA-UNKNOWN R-VIA-UNKNOWN
submitted failed T3 R-TIMEOUT-NOT-FAILED R-WHO R-VIA-UNKNOWN R-VIA-UNKNOWN
submitted unknown T4 T4 R-WHO T4? T4?
confirmed submitted R-CONF-RETRY R-CONF-RETRY R-CONF-RETRY R-CONF-RETRY R-CONF-RETRY
confirmed confirmed R-WHO R-WHO R-WHO T10 R-WHO
confirmed failed R-REOPEN-FIRST R-REOPEN-FIRST R-REOPEN-FIRST R-REOPEN-FIRST R-REOPEN-FIRST
confirmed unknown R-WHO R-WHO R-WHO T8 T8
failed submitted R-WHO R-WHO T5 R-WHO R-WHO
failed confirmed R-REOPEN-FIRST R-REOPEN-FIRST R-REOPEN-FIRST R-REOPEN-FIRST R-REOPEN-FIRST
failed failed R-WHO R-WHO R-WHO R-WHO R-WHO
failed unknown R-WHO R-WHO R-WHO T8 T8
unknown submitted R-UNK-RETRY R-UNK-RETRY R-UNK-RETRY R-UNK-RETRY R-UNK-RETRY
unknown confirmed R-LATE-RESPONSE R-WHO R-WHO T6 T6
unknown failed R-LATE-RESPONSE R-TIMEOUT-NOT-FAILED R-WHO T7 T7
unknown unknown R-WHO R-WHO R-WHO T9 T9";

fn said(cell: Result<Move, Code>) -> String {
    match cell {
        Ok(step) => step.word().to_owned(),
        Err(code) => code.word().to_owned(),
    }
}

#[test]
fn every_cell_is_as_written() {
    let actors = ["response", "timeout_handler", "retry_policy", "reconciliation", "human"];
    let mut cells = 0;
    for line in WRITTEN.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let (from, to) = (State::from_word(words[0]), State::from_word(words[1]).unwrap());
        for (actor, cell) in actors.iter().zip(&words[2..]) {
            let actor = Actor::from_word(actor).unwrap();
            let (word, waits) = cell.strip_suffix('?').map_or((*cell, false), |word| (word, true));
            assert_eq!(said(allowed(from, to, actor, true)), word, "{line} {actor:?} overdue");
            let in_time = if waits { "R-VIA-UNKNOWN" } else { word };
            assert_eq!(said(allowed(from, to, actor, false)), in_time, "{line} {actor:?}");
            cells += 1;
        }
        assert_eq!(said(allowed(from, to, Actor::Agent, true)), "R-AGENT", "{line}");
        assert_eq!(said(allowed(from, to, Actor::App, true)), "R-WHO", "{line}");
    }
    assert_eq!((cells, MATRIX.len()), (80, 16));
}

#[test]
fn only_the_application_records() {
    for (actor, word) in Actor::ALL {
        let expected = match actor {
            Actor::App => "T1",
            Actor::Agent => "R-AGENT",
            _ => "R-WHO",
        };
        assert_eq!(said(allowed(None, State::Submitted, actor, false)), expected, "{word}");
        let other = if actor == Actor::Agent { "R-AGENT" } else { "R-WHO" };
        assert_eq!(said(allowed(None, State::Confirmed, actor, false)), other, "{word}");
    }
}

#[test]
fn no_path_leads_from_unknown_to_a_retry() {
    for (actor, _) in Actor::ALL {
        for overdue in [false, true] {
            assert!(allowed(Some(State::Unknown), State::Submitted, actor, overdue).is_err());
        }
    }
    assert!(who_may(Some(State::Unknown), State::Submitted).is_empty());
}

#[test]
fn who_may_is_named() {
    let words = |from, to| who_may(from, to).iter().map(|a| a.word()).collect::<Vec<_>>();
    assert_eq!(words(Some(State::Failed), State::Submitted), ["retry_policy"]);
    assert_eq!(words(Some(State::Unknown), State::Failed), ["reconciliation", "human"]);
    assert_eq!(
        words(Some(State::Submitted), State::Unknown),
        ["response", "timeout_handler", "reconciliation", "human"]
    );
    assert_eq!(words(None, State::Submitted), ["app"]);
}

#[test]
fn the_table_of_states_is_that_of_the_specification() {
    assert_eq!(HEADS.join(" | "), "State | What you actually know | Who moves it forward | Retry allowed");
    let lines: Vec<String> =
        STATES.iter().map(|s| [s.state.word(), s.known, s.who, s.retry].join(" | ")).collect();
    assert_eq!(
        lines,
        [
            "submitted | request sent, no answer yet | timeout handler (or the answer) | no",
            "confirmed | downstream acknowledged | reconciliation or response | no",
            "failed | downstream explicitly rejected | retry policy | yes, with the same key",
            "unknown | cannot tell whether the effect exists | reconciliation job or human | blocked until resolved",
        ]
    );
}
