//! Dispositions, and many at once.

use super::{NOTE, in_state, policy, unknown, usd, with};
use crate::lifecycle::bulk::{Action, may};
use crate::lifecycle::disposition::{Ask, DISPOSITIONS, dispose};
use crate::lifecycle::facts::Facts;
use crate::lifecycle::policy::Weight;
use crate::model::row::State;

#[test]
fn each_disposition_needs_what_its_row_says() {
    let policy = policy();
    let facts = in_state(State::Confirmed);
    let check = |ask: &Ask<'_>| with(&policy, |rules| dispose(&facts, ask, rules).map_err(|r| r.code.word()));
    for needs in &DISPOSITIONS {
        let all =
            Ask { word: needs.word, amount: Some(usd(4_500)), reference: "RF-1", other: "int_2", note: NOTE };
        assert_eq!(check(&all), Ok(1), "{}", needs.word);
        let lacking = [
            (needs.amount, Ask { amount: None, ..all }),
            (needs.reference, Ask { reference: " ", ..all }),
            (needs.other, Ask { other: "", ..all }),
            (true, Ask { note: "short", ..all }),
        ];
        for (needed, ask) in lacking {
            assert_eq!(check(&ask), if needed { Err("R-NOTE") } else { Ok(1) }, "{} {ask:?}", needs.word);
        }
    }
    let ask = Ask { word: "forgotten", amount: None, reference: "", other: "", note: NOTE };
    assert_eq!(check(&ask), Err("R-NOTE"));
}

#[test]
fn an_undecided_item_is_not_closed_and_a_large_write_off_takes_two() {
    let policy = policy();
    let ask = Ask { word: "written-off", amount: Some(usd(100)), reference: "", other: "", note: NOTE };
    let persons = |facts: &Facts, ask: &Ask<'_>| {
        with(&policy, |rules| dispose(facts, ask, rules).map_err(|r| r.code.word()))
    };
    assert_eq!(persons(&unknown(), &ask), Err("R-WHO"));
    assert_eq!(persons(&in_state(State::Submitted), &ask), Err("R-WHO"));
    // What is as it was meant has nothing to close (3.13: divergent or undecided items).
    let fine = Facts { in_question: false, ..in_state(State::Confirmed) };
    for needs in &DISPOSITIONS {
        let ask = Ask { word: needs.word, reference: "RF-1", other: "int_2", ..ask };
        assert_eq!(persons(&fine, &ask), Err("R-WHO"), "{}", needs.word);
    }
    let confirmed =
        |cents: i64| Facts { weight: Weight::Money(vec![usd(cents)]), ..in_state(State::Confirmed) };
    assert_eq!(persons(&confirmed(49_999), &ask), Ok(1));
    assert_eq!(persons(&confirmed(50_000), &ask), Ok(2));
    // The amount that is named counts too.
    assert_eq!(persons(&confirmed(100), &Ask { amount: Some(usd(50_000)), ..ask }), Ok(2));
    let recovered = Ask { word: "recovered", reference: "RF-1", ..ask };
    assert_eq!(persons(&confirmed(50_000), &recovered), Ok(1));
}

#[test]
fn what_releases_money_is_decided_one_by_one() {
    let policy = policy();
    let check = |action: Action, cents: i64| {
        let facts = Facts { weight: Weight::Money(vec![usd(cents)]), ..unknown() };
        with(&policy, |rules| may(action, &facts, rules).map_err(|r| r.code.word()))
    };
    for action in [Action::Fail, Action::Override, Action::Unlink] {
        assert_eq!(check(action, 1), Err("R-BULK"), "{action:?}");
    }
    for action in [Action::Confirm, Action::Dispose] {
        assert_eq!((check(action, 49_999), check(action, 50_000)), (Ok(()), Err("R-BULK")), "{action:?}");
    }
    for action in [Action::Assign, Action::Escalate] {
        assert_eq!(check(action, 1_000_000), Ok(()), "{action:?}");
    }
}
