//! Expectations, suspicion by assumption, accounts, chains, keys, contested rows, labels.

use super::build::{Case, T0, a_record, cents, shown};
use crate::judge::facts::{Account, Idempotent, Lineage};
use crate::judge::judgement::{AtMostOnce, Class, ExpectedFrom};
use crate::model::outcome::Outcome;
use crate::model::row::{State, effect_flag, record_flag};
use crate::model::time::SECOND;

use super::sources::told_yes;

#[test]
fn a_must_not_happen_that_was_undone_or_is_on_its_way() {
    let never = || Case::recorded().total(Some(cents(0))).count(0, 0).ok().state(State::Confirmed);
    assert_eq!(never().row().reversal(Some(0), 20_000).judge().rule.number(), "R03");
    assert_eq!(
        (never().judge().verdict(), never().covered().judge().verdict()),
        ("UNVERIFIED_ABSENCE", "MATCHED")
    );
    assert_eq!(never().covered().pending().judge().verdict(), "UNVERIFIED_ABSENCE");
    assert_eq!(never().judge().at_most_once, AtMostOnce::Held);
    assert_eq!(never().pending().judge().at_most_once, AtMostOnce::NotJudged);
}

#[test]
fn file_over_record_field_by_field() {
    let case = Case::recorded().ok().row().in_file(None, Some((2, 2)));
    let j = case.judge();
    assert_eq!(
        (j.min, j.max, shown(j.expected), j.expected_from),
        (2, 2, "USD 200.00".to_owned(), ExpectedFrom::File)
    );
    assert_eq!(case.findings(), Vec::<String>::new());
    let differs = Case::recorded().count(1, 1).ok().row().in_file(Some(cents(10_000)), Some((2, 2)));
    assert_eq!(differs.findings(), ["EXPECTATION_DIFFERS"]);
    let reversed_range = Case::recorded().ok().row().with(|c| {
        let mut record = a_record(record_flag::COUNT, None);
        (record.min, record.max) = (3, 1);
        c.record = Some(record);
    });
    assert_eq!((reversed_range.judge().min, reversed_range.judge().max), (3, 3));
}

#[test]
fn suspicion_by_assumption_ends_where_someone_said_what_is_expected() {
    let grouped = || {
        let case = Case::derived().ok().ok().keys(&[0, 0]).row().row();
        case.with(|c| c.ties.assumed_group = true)
    };
    assert_eq!(grouped().judge().rule.number(), "R04a");
    assert_eq!(grouped().in_file(Some(cents(20_000)), None).judge().rule.number(), "R05");
    assert_eq!(grouped().with(|c| c.ties.assumed_group = false).judge().rule.number(), "R05");
    // The first call lost its answer, and was over before the second was sent; or it was not.
    let lost = |ended: i64| {
        let case = Case::derived().lost().ok().keys(&[1, 2]).row().row();
        case.with(|c| {
            c.ties.assumed_group = true;
            c.tries[0].row.ended = T0.plus(ended);
        })
    };
    assert_eq!(lost(10 * SECOND).judge().rule.number(), "R05");
    assert_eq!(lost(10 * SECOND + 1).judge().rule.number(), "R04a");
    // Equal amounts, or an amount that nobody asked for, are no two requests.
    let amounts = |first: i64, second: i64, row: i64| {
        let case = Case::derived().of(Some(cents(first))).ok().row().of(Some(cents(second))).ok();
        case.keys(&[0, 0]).of(Some(cents(row))).row().judge().rule.number()
    };
    assert_eq!([amounts(1_800, 1_200, 1_200), amounts(1_800, 1_200, 1_300)], ["R04a", "R05"]);
}

#[test]
fn lines_that_stand_twice_would_have_to_fit_if_they_counted_once() {
    let twins = |rows: usize, twins: usize| {
        let mut case = Case::derived().ok();
        for no in 0..rows {
            case = case.row().last_row(|r| r.row.flags |= if no < twins { effect_flag::TWIN } else { 0 });
        }
        case.judge().rule.number()
    };
    assert_eq!([twins(2, 1), twins(3, 1), twins(3, 2)], ["R04a", "R05", "R04a"]);
}

#[test]
fn accounts() {
    let account = |wanted, found, unlinked, suggestions| {
        Case::derived().ok().row().keys(&[0]).with(|c| {
            c.ties.suggestions = suggestions;
            c.ties.account =
                Some(Account { number: 5, wanted, found, unlinked, money_wanted: None, money_found: None });
        })
    };
    // One more than wanted, and one of them is not linked.
    assert_eq!(account(2, 3, 1, 1).judge().rule.number(), "R16a");
    assert_eq!(account(2, 3, 1, 1).judge().group, Some(5));
    // A row that fits another request of the order is none too many.
    assert_eq!(account(2, 2, 1, 1).judge().rule.number(), "R22");
    // All of them are linked: ids decide.
    assert_eq!(account(2, 3, 0, 0).judge().rule.number(), "R22");
    // Without an account the suggestion is above what this intent allows.
    assert_eq!(account(1, 1, 0, 1).with(|c| c.ties.account = None).judge().rule.number(), "R16a");
}

#[test]
fn lineage_needs_two_members_with_live_effects() {
    let chain = |live_members| {
        told_yes().row().with(|c| {
            c.ties.lineage = Some(Lineage {
                number: 1,
                live_members,
                live_total: Some(cents(35_000)),
                newest_expected: Some(cents(15_000)),
            });
        })
    };
    assert_eq!([chain(1).judge().verdict(), chain(2).judge().verdict()], ["MATCHED", "LINEAGE_DOUBLE"]);
}

#[test]
fn keys_with_two_payloads() {
    let verdict = |payloads: [u32; 2], keys: [u32; 2], second: Outcome| {
        let case = Case::recorded().idempotent(Idempotent::Yes).lost().call(second).keys(&keys).row();
        let case = case.state(State::Confirmed).covered();
        case.with(|c| c.tries.iter_mut().zip(payloads).for_each(|(t, p)| t.payload = p)).judge().verdict()
    };
    assert_eq!(verdict([1, 2], [1, 1], Outcome::Success), "KEY_CONFLICT");
    assert_eq!(verdict([1, 2], [1, 1], Outcome::Timeout), "KEY_CONFLICT");
    assert_eq!(verdict([1, 2], [1, 1], Outcome::Rejected), "MATCHED");
    assert_eq!(verdict([1, 2], [1, 2], Outcome::Success), "MATCHED");
    assert_eq!(verdict([1, 0], [1, 1], Outcome::Success), "MATCHED");
    assert_eq!(verdict([1, 2], [0, 0], Outcome::Success), "MATCHED");
}

#[test]
fn a_contested_row_counts_for_nobody_and_a_proven_double_stays_one() {
    let contested = |case: Case| case.with(|c| c.ties.contested = true).judge();
    assert_eq!(contested(told_yes()).verdict(), "LINK_CONTESTED");
    assert_eq!(contested(told_yes()).at_most_once, AtMostOnce::NotJudged);
    assert_eq!(contested(told_yes().row().row()).verdict(), "DUPLICATED");
}

#[test]
fn labels_of_lifted_verdicts() {
    let lifted = |case: Case| case.with(|c| c.ties.near_identical = true).judge();
    let hidden = lifted(Case::derived().lost().row());
    assert_eq!(
        (hidden.verdict(), hidden.class, hidden.severity, hidden.label()),
        ("HIDDEN_SUCCESS", Class::Undecided, 3, "LOOK AT IT")
    );
    let recorded = lifted(Case::recorded().lost().row().state(State::Unknown));
    assert_eq!(recorded.label(), "DONE, ANSWER LOST");
    assert_eq!(lifted(told_yes()).label(), "CANNOT TELL YET");
}

#[test]
fn the_complete_intent_log_lacks_it() {
    let case = Case::derived().ok().row().with(|c| c.setting.intents_complete = true);
    assert_eq!((case.judge().verdict(), case.judge().state), ("UNRECORDED", None));
    assert_eq!(case.clone().state(State::Confirmed).judge().verdict(), "MATCHED");
    assert_eq!(case.in_file(Some(cents(20_000)), None).judge().verdict(), "MATCHED");
}
