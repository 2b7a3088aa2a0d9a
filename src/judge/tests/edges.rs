//! Edges: coverage at w + eps, deadlines, timeouts, retention; each condition by itself.

use super::build::{Case, OwnTry, T0};
use crate::judge::coverage::condition::{C0, C1, C2, C3, C4, C5, C6, C7, C8, C9};
use crate::judge::coverage::{FROM_THE_START, condition};
use crate::judge::facts::{Account, Idempotent, Meaning, Receipt, Role, Source};
use crate::judge::judgement::NotCompared;
use crate::model::outcome::Outcome;
use crate::model::row::{Seen, Shared, State};
use crate::model::time::{HOUR, MINUTE, Micros, Res, SECOND};

/// Call ended two seconds after the first send, settle 60 s, skews 2 s and 1 s.
const W_AND_EPS: i64 = (2 + 60 + 3) * SECOND;

fn told_yes() -> Case {
    Case::recorded().ok().state(State::Confirmed).covered()
}

fn ledger(case: Case, change: impl FnOnce(&mut Source)) -> Case {
    case.with(|c| change(&mut c.setting.sources[1]))
}

fn failed(case: &Case) -> u16 {
    let j = case.judge();
    assert_eq!(j.covered, j.uncovered == 0);
    j.uncovered
}

#[test]
fn the_read_and_the_newest_row_must_be_later_than_w_and_eps() {
    for (time, c1, c2) in [(W_AND_EPS - 1, C1, C2), (W_AND_EPS, C1, C2), (W_AND_EPS + 1, 0, 0)] {
        let at = Some(T0.plus(time));
        assert_eq!(failed(&ledger(told_yes(), |s| s.read_at = at)), c1, "{time}");
        assert_eq!(failed(&ledger(told_yes(), |s| s.newest = at)), c2, "{time}");
    }
    assert_eq!(told_yes().judge().covered_from, T0.plus(W_AND_EPS));
}

#[test]
fn the_listing_must_begin_before_the_first_send() {
    let from = |time| ledger(told_yes().row(), |s| s.from = Some(T0.plus(time)));
    assert_eq!(failed(&from(-3 * SECOND - 1)), 0);
    assert_eq!(failed(&from(-3 * SECOND)), C8);
    assert_eq!(failed(&ledger(told_yes().row(), |s| s.from = None)), C8);
    assert_eq!(failed(&ledger(told_yes().row(), |s| s.from = Some(FROM_THE_START))), 0);
}

#[test]
fn a_listing_that_begins_too_late_compares_nothing_where_there_is_no_row() {
    let from = |time| ledger(told_yes(), |s| s.from = Some(T0.plus(time)));
    assert_eq!(from(-3 * SECOND - 1).judge().verdict(), "MISSING");
    assert_eq!(from(-3 * SECOND).judge().not_compared, NotCompared::OlderThanLedger);
    // An empty ledger begins nowhere; a refused call could not have acted; a suggestion is a row.
    let empty = ledger(told_yes(), |s| {
        (s.from, s.has_rows, s.newest) = (None, false, None);
    });
    assert_eq!(empty.judge().verdict(), "UNVERIFIED_SUCCESS");
    let refused = ledger(Case::recorded().refused(), |s| s.from = Some(T0));
    assert_eq!(refused.judge().verdict(), "FAILED_CLEAN");
    let suggested = from(0).with(|c| c.ties.suggestions = 1);
    assert_eq!(suggested.judge().verdict(), "UNVERIFIED_SUCCESS");
}

#[test]
fn each_condition_by_itself() {
    let only = |expected: u16, case: Case| {
        let name = condition::ALL.iter().find(|(bit, _)| *bit == expected).map_or("none", |(_, name)| name);
        assert_eq!(failed(&case), expected, "{name}");
    };
    only(0, told_yes());
    only(C0, ledger(told_yes(), |s| s.can_prove_absence = false));
    only(C0, ledger(told_yes(), |s| s.role = Role::SecondWitness));
    only(C0, ledger(told_yes(), |s| s.role = Role::WritePath));
    only(C3, ledger(told_yes(), |s| s.complete = false));
    only(C4, told_yes().with(|c| c.ties.unreadable = 1));
    only(C5, ledger(told_yes(), |s| s.role = Role::Replica));
    only(
        C5,
        ledger(told_yes(), |s| {
            (s.role, s.replayed) = (Role::Replica, Some(T0.plus(W_AND_EPS)));
        }),
    );
    only(
        0,
        ledger(told_yes(), |s| {
            (s.role, s.replayed) = (Role::Replica, Some(T0.plus(W_AND_EPS + 1)));
        }),
    );
    let region =
        |part: u32| ledger(told_yes(), |s| s.part = Shared(1)).with(|c| c.tries[0].row.part = Shared(part));
    only(0, region(1));
    only(C6, region(2));
    only(C7, ledger(told_yes(), |s| s.went_back = true));
    only(C7, told_yes().with(|c| c.ties.suggestions = 1));
    only(C7, told_yes().pending());
    only(C7, told_yes().read_back(Seen::Present));
    only(C7, told_yes().read_back(Seen::Differs));
    only(0, told_yes().read_back(Seen::NotFoundNotCovering));
    let through_the_write_path = told_yes().read_back(Seen::Present).with(|c| c.reads[0].independent = false);
    only(0, through_the_write_path);
    let before_the_call_was_over =
        told_yes().read_back(Seen::Present).with(|c| c.reads[0].when = T0.plus(SECOND));
    only(0, before_the_call_was_over);
    let account = |unlinked| {
        told_yes().with(|c| {
            c.ties.account = Some(Account {
                number: 1,
                wanted: 2,
                found: 2,
                unlinked,
                money_wanted: None,
                money_found: None,
            });
        })
    };
    only(0, account(0));
    only(C7, account(1));
    let kind = |holds: u32| {
        ledger(told_yes(), |s| s.holds = vec![Shared(4), Shared(holds)]).with(|c| c.ties.kind = Shared(5))
    };
    only(0, kind(5));
    only(C9, kind(6));
    only(
        C9,
        ledger(told_yes(), |s| {
            (s.meaning, s.counts) = (Meaning::CopyOf(None), true);
        }),
    );
}

#[test]
fn a_copy_without_its_original_stands_for_presence_and_excess() {
    let copy = |case: Case| ledger(case, |s| (s.meaning, s.counts) = (Meaning::CopyOf(None), true));
    let twice = copy(told_yes().row().row()).with(|c| c.rows.iter_mut().for_each(|r| r.external = 1));
    assert_eq!(twice.judge().verdict(), "DUPLICATED");
    assert!(twice.findings().contains(&"SAME_EXTERNAL_REF".to_owned()), "{:?}", twice.findings());
    assert_eq!(copy(told_yes()).judge().verdict(), "UNVERIFIED_SUCCESS");
}

#[test]
fn final_by_declaration_takes_only_the_times_as_met() {
    let final_ = |case: Case| case.with(|c| c.setting.final_by_declaration = true);
    let early = Case::recorded().ok().state(State::Confirmed);
    assert_eq!(final_(early.clone()).judge().verdict(), "MISSING");
    let empty = ledger(early.clone(), |s| {
        (s.newest, s.from, s.has_rows, s.read_at) = (None, None, false, None);
    });
    assert_eq!(final_(empty).judge().verdict(), "MISSING");
    let without_times = early.clone().last_call(|t| {
        (t.row.sent, t.row.ended) = (Micros::NONE, Micros::NONE);
        (t.row.sent_res, t.row.ended_res) = (Res::Unreadable, Res::Unreadable);
    });
    assert!(!without_times.clone().covered().judge().covered);
    assert_eq!(without_times.clone().covered().judge().covered_from, Micros::NONE);
    assert!(final_(without_times).judge().covered);
    assert_eq!(failed(&final_(early.clone().with(|c| c.ties.unreadable = 1))), C4);
    assert_eq!(failed(&final_(early.clone().with(|c| c.ties.suggestions = 1))), C7);
    assert_eq!(failed(&final_(ledger(early, |s| s.complete = false))), C3);
}

#[test]
fn the_snapshot_rule_replaces_the_newest_row() {
    let quiet = ledger(told_yes(), |s| s.newest = Some(T0));
    assert_eq!(failed(&quiet), C2);
    let snapshot = |time| {
        ledger(quiet.clone(), |s| {
            (s.snapshot_rule, s.read_at) = (true, Some(T0.plus(time)));
        })
    };
    assert_eq!(failed(&snapshot(W_AND_EPS)), C1 | C2);
    assert_eq!(failed(&snapshot(W_AND_EPS + 1)), 0);
}

#[test]
fn the_newest_row_stands_for_the_time_of_an_export() {
    let newest = |time| {
        ledger(told_yes(), |s| {
            (s.read_at, s.read_at_is_newest, s.newest) = (None, true, Some(T0.plus(time)));
        })
    };
    assert_eq!(failed(&newest(W_AND_EPS)), C1 | C2);
    assert_eq!(failed(&newest(W_AND_EPS + 1)), 0);
}

#[test]
fn an_end_of_which_only_the_day_is_known_lands_until_its_end() {
    let day = told_yes().last_call(|t| (t.row.ended, t.row.ended_res) = (T0, Res::Day));
    assert_eq!(day.judge().covered_from, T0.plus(24 * HOUR + 63 * SECOND));
    let second = told_yes().last_call(|t| t.row.ended_res = Res::Second);
    assert_eq!(second.judge().covered_from, T0.plus(W_AND_EPS));
}

#[test]
fn a_call_waits_until_its_time_is_up_and_not_longer() {
    let at = |now: i64| Case::recorded().open().state(State::Submitted).now(now).judge();
    assert_eq!((at(30 * SECOND).verdict(), at(30 * SECOND).hi_uncapped), ("IN_FLIGHT", 1));
    assert_eq!(at(30 * SECOND).holds_until, T0.plus(30 * SECOND + 1));
    assert_eq!(at(30 * SECOND + 1).verdict(), "STALE_SUBMITTED");
    assert_eq!(at(3 * SECOND).covered_from, T0.plus((30 + 60 + 3) * SECOND));
}

#[test]
fn a_deadline_is_past_strictly_after_it() {
    let at = |now: i64| {
        let case = Case::recorded().lost().state(State::Unknown).now(now);
        case.with(|c| c.states[0].deadline = T0.plus(HOUR)).judge()
    };
    assert_eq!((at(HOUR).overdue, at(HOUR).severity), (false, 3));
    assert_eq!(at(HOUR).holds_until, T0.plus(HOUR + 1));
    assert_eq!((at(HOUR + 1).overdue, at(HOUR + 1).severity), (true, 2));
    assert!(at(HOUR + 1).holds_until.is_none());
}

#[test]
fn default_deadlines_of_recorded_states() {
    // The change is recorded 70 s after the first send: timeout and five minutes, or four hours.
    let deadline = |state| Case::recorded().lost().state(state).judge().deadline;
    assert_eq!(deadline(State::Submitted), T0.plus(70 * SECOND + 30 * SECOND + 5 * MINUTE));
    assert_eq!(deadline(State::Unknown), T0.plus(70 * SECOND + 4 * HOUR));
    assert!(deadline(State::Confirmed).is_none() && deadline(State::Failed).is_none());
    assert!(Case::derived().lost().now(1000 * HOUR).judge().deadline.is_none());
    let recorded = Case::recorded().lost().with(|c| c.record.as_mut().unwrap().deadline = T0.plus(HOUR));
    assert_eq!(recorded.state(State::Submitted).judge().deadline, T0.plus(HOUR));
}

#[test]
fn a_key_is_forgotten_after_its_retention_strictly() {
    let at = |gap: i64| {
        let case = Case::recorded().idempotent(Idempotent::Yes).lost().ok();
        case.with(|c| {
            c.setting.tools[1].retention = Some(24 * HOUR);
            (c.tries[1].row.sent, c.tries[1].row.ended) = (T0.plus(gap), T0.plus(gap + SECOND));
        })
        .judge()
    };
    assert_eq!((at(24 * HOUR).lo, at(24 * HOUR).hi_uncapped), (1, 1));
    assert_eq!((at(24 * HOUR + 1).lo, at(24 * HOUR + 1).hi_uncapped), (1, 2));
}

#[test]
fn epochs_of_one_key_are_counted_from_their_own_start() {
    let case = Case::recorded().idempotent(Idempotent::Yes).lost().lost().lost().lost().with(|c| {
        c.setting.tools[1].retention = Some(10 * SECOND);
        // Sent at 0, 10, 20 and 30 s: the key is forgotten after the second, and again after the fourth.
    });
    assert_eq!((case.judge().lo, case.judge().hi_uncapped), (0, 2));
}

#[test]
fn late_needs_a_call_without_an_answer_or_a_row_on_its_way() {
    let may_land = |case: Case| case.judge().late;
    assert!(may_land(Case::recorded().lost().ok().row()));
    assert!(!may_land(Case::recorded().lost().ok().row().covered()));
    assert!(!may_land(Case::recorded().lost().ok().row().row()));
    assert!(!may_land(Case::recorded().ok()));
    assert!(may_land(Case::recorded().ok().pending()));
    // A row that came back is the effect of the lost call.
    let came_back = Case::recorded().lost().row().status(crate::model::row::Status::NotAnEffect);
    assert!(!may_land(came_back.clone()));
    assert_eq!(came_back.judge().came_back, 1);
    assert_eq!(came_back.findings(), ["CAME_BACK(1)"]);
}

#[test]
fn stored_answers_of_two_keys_prove_two_effects() {
    let case = Case::derived().call(Outcome::Reused).call(Outcome::Reused).keys(&[1, 2]);
    assert_eq!((case.judge().lo, case.judge().hi_uncapped), (2, 2));
}

#[test]
fn tools_that_differ_count_as_not_declared() {
    let case = Case::recorded().idempotent(Idempotent::Yes).ok().ok().with(|c| {
        let other = crate::judge::facts::Tool { idempotent: Idempotent::No, ..c.setting.tools[1].clone() };
        c.setting.tools.push(other);
        c.tries[1].row.tool = Shared(2);
    });
    assert_eq!((case.judge().lo, case.judge().hi_uncapped), (1, 2));
}

#[test]
fn a_call_of_a_tool_that_no_ledger_records_counts_only_alone() {
    let case = Case::derived().lost().ok().row().with(|c| {
        let mail = crate::judge::facts::Tool { recorded_by: Vec::new(), ..c.setting.tools[1].clone() };
        c.setting.tools.push(mail);
        c.tries[0].row.tool = Shared(2);
    });
    let j = case.judge();
    assert_eq!((j.attempts, j.lo, j.hi_uncapped, j.verdict()), (1, 1, 1, "MATCHED"));
    let alone = case.with(|c| {
        c.tries.truncate(1);
        c.rows.clear();
    });
    assert_eq!((alone.judge().attempts, alone.judge().not_compared), (1, NotCompared::NoLedgerForTool));
}

#[test]
fn times_outside_the_window_and_clocks_that_differ() {
    let moved = |by: i64| Case::recorded().ok().row().last_row(|r| r.row.committed = T0.plus(by));
    // Last end + settle + both skews: 2 + 60 + 2 + 1 s.
    assert_eq!(moved(65 * SECOND).findings(), Vec::<String>::new());
    assert_eq!(moved(65 * SECOND + 1).findings(), ["TIME_OUT_OF_RANGE"]);
    assert_eq!(moved(-3 * SECOND - 2).findings(), ["TIME_OUT_OF_RANGE"]);
    let named = |by: i64| moved(by).last_call(|t| t.receipt = Receipt::Row(0));
    // End + its microsecond + both skews.
    assert_eq!(named(5 * SECOND + 1).findings(), Vec::<String>::new());
    assert_eq!(named(5 * SECOND + 2).findings(), ["CLOCK_SKEW"]);
    // An answer given again names a row that is as old as the call before it.
    let again = |t: &mut OwnTry| (t.row.outcome, t.receipt) = (Outcome::Reused, Receipt::Row(0));
    assert_eq!(moved(-30 * SECOND).last_call(again).findings(), ["TIME_OUT_OF_RANGE"]);
    let first_lost = Case::recorded().lost().ok().row().last_row(|r| r.row.committed = T0);
    let named = first_lost.last_call(|t| t.receipt = Receipt::Row(0));
    assert!(!named.findings().contains(&"CLOCK_SKEW".to_owned()));
    let no_time = moved(0).last_row(|r| (r.row.committed, r.row.res) = (Micros::NONE, Res::Unreadable));
    assert_eq!(no_time.findings(), ["TIME_UNREADABLE"]);
}
