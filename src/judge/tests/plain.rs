//! The glance at plain intents is held to the judge: one plain history, changed at one to three places.

use super::build::{Case, LEDGER, TOOL, a_record, cents, eur, source};
use super::worlds::Dice;
use crate::judge::facts::{Account, Idempotent, Lineage, Meaning, Read, Receipt, Source, Ties, link};
use crate::judge::judgement::{Class, Judgement};
use crate::judge::plain::Plain;
use crate::model::money::{Amount, Money};
use crate::model::outcome::Outcome;
use crate::model::row::{Seen, Shared, SourceNo, State, Status, attempt_flag, effect_flag};
use crate::model::time::{HOUR, Micros, Res};
use crate::model::units::Unit;

type Change = fn(&mut Case);

fn flag_call(case: &mut Case, flag: u16) {
    case.tries[0].row.flags |= flag;
}

fn flag_row(case: &mut Case, flag: u16) {
    case.rows[0].row.flags |= flag;
}

fn add(case: &mut Case, step: fn(Case) -> Case) {
    *case = step(case.clone());
}

/// Changes that a history can have, each by itself harmless to build.
const CHANGES: &[Change] = &[
    |_| {},
    // the call
    |c| c.tries[0].row.outcome = Outcome::Rejected,
    |c| c.tries[0].row.outcome = Outcome::Timeout,
    |c| c.tries[0].row.outcome = Outcome::Reused,
    |c| c.tries[0].row.outcome = Outcome::AlreadyDone,
    |c| c.tries[0].row.outcome = Outcome::Missing,
    |c| c.tries[0].row.amount = 19_999,
    |c| c.tries[0].row.amount = 0,
    |c| c.tries[0].row.unit = eur(),
    |c| c.tries[0].row.unit = Unit::NONE,
    |c| c.tries[0].row.unit = Unit::UNKNOWN,
    |c| c.tries[0].row.scale = 3,
    |c| c.tries[0].row.flags = 0,
    |c| c.tries[0].row.tool = Shared::NONE,
    |c| c.tries[0].row.tool = Shared(7),
    |c| c.tries[0].key = 0,
    |c| c.tries[0].receipt = Receipt::NotFound,
    |c| c.tries[0].receipt = Receipt::Row(0),
    |c| (c.tries[0].row.sent, c.tries[0].row.sent_res) = (Micros::NONE, Res::Unreadable),
    |c| (c.tries[0].row.ended, c.tries[0].row.ended_res) = (Micros::NONE, Res::Unreadable),
    |c| c.tries[0].row.sent = c.tries[0].row.sent.plus(HOUR),
    |c| flag_call(c, attempt_flag::AMOUNT_BAD),
    |c| flag_call(c, attempt_flag::READ),
    |c| flag_call(c, attempt_flag::MINOR),
    |c| flag_call(c, attempt_flag::DROPPED),
    |c| flag_call(c, attempt_flag::CONFLICT),
    |c| flag_call(c, attempt_flag::UNSEEN),
    |c| flag_call(c, attempt_flag::ASSUMED),
    |c| c.tries.clear(),
    |c| add(c, Case::ok),
    |c| add(c, Case::lost),
    |c| add(c, Case::refused),
    |c| c.tries.insert(0, Case::derived().refused().tries[0]),
    |c| c.tries.last_mut().unwrap().payload = 2,
    |c| c.tries.iter_mut().for_each(|t| t.payload = 1),
    |c| c.tries.last_mut().unwrap().row.outcome = Outcome::NotSent,
    |c| c.tries.last_mut().unwrap().key = 2,
    // the row
    |c| c.rows[0].row.status = Status::OnItsWay,
    |c| c.rows[0].row.status = Status::NotAnEffect,
    |c| c.rows[0].row.amount = 20_001,
    |c| c.rows[0].row.unit = eur(),
    |c| c.rows[0].row.unit = Unit::NONE,
    |c| c.rows[0].row.flags = 0,
    |c| c.rows[0].row.committed = Micros::NONE,
    |c| c.rows[0].row.committed = c.rows[0].row.committed.plus(-HOUR),
    |c| c.rows[0].row.at = crate::model::row::At::new(SourceNo(0), 3),
    |c| c.rows[0].links = link::DERIVED,
    |c| flag_row(c, effect_flag::REVERSAL),
    |c| flag_row(c, effect_flag::AMOUNT_BAD),
    |c| flag_row(c, effect_flag::DROPPED),
    |c| flag_row(c, effect_flag::NEGATIVE),
    |c| flag_row(c, effect_flag::STATUS_UNKNOWN),
    |c| flag_row(c, effect_flag::TWIN),
    |c| flag_row(c, effect_flag::MINOR),
    |c| c.rows.clear(),
    |c| add(c, Case::row),
    |c| add(c, Case::pending),
    |c| *c = c.clone().reversal(Some(0), 20_000),
    // what is told and seen
    |c| c.record = Some(a_record(0, Some(cents(20_000)))),
    |c| c.file = Some(a_record(crate::model::row::record_flag::FILE, Some(cents(100)))),
    |c| c.accept = vec![cents(20_000)],
    |c| *c = c.clone().state(State::Failed),
    |c| *c = c.clone().state(State::Confirmed),
    |c| {
        let read = Read { when: c.setting.now, seen: Seen::AbsentAsOf, independent: true };
        c.reads.push(read);
    },
    // ties
    |c| c.ties.contested = true,
    |c| c.ties.unreadable = 1,
    |c| c.ties.suggestions = 1,
    |c| c.ties.near_identical = true,
    |c| c.ties.two_keys = true,
    |c| c.ties.assumed_group = true,
    |c| c.ties.unrecorded = true,
    |c| c.ties.attr_differs = true,
    |c| c.ties.disputed = true,
    |c| c.ties.expectation_differs = true,
    |c| c.ties.sources_disagree = true,
    |c| c.ties.orphan_reversal = true,
    |c| c.ties.booked = true,
    |c| c.ties.kind = Shared(1),
    |c| {
        let money = Some(cents(20_000));
        let (money_wanted, money_found) = (money, money);
        c.ties.account =
            Some(Account { number: 1, wanted: 1, found: 2, unlinked: 1, money_wanted, money_found });
    },
    |c| {
        let (live_total, newest_expected) = (Some(cents(40_000)), Some(cents(20_000)));
        c.ties.lineage = Some(Lineage { number: 1, live_members: 2, live_total, newest_expected });
    },
    // the case
    |c| c.setting.intents_complete = true,
    |c| c.setting.tolerance = 100,
    |c| c.setting.trace_complete = true,
    |c| c.setting.final_by_declaration = true,
    |c| c.setting.now = Micros(0),
    |c| c.setting.any_ledger = false,
    |c| c.setting.tools[usize::try_from(TOOL.0).unwrap()].idempotent = Idempotent::Yes,
    |c| c.setting.tools[usize::try_from(TOOL.0).unwrap()].read = true,
    |c| c.setting.tools[usize::try_from(TOOL.0).unwrap()].recorded_by.clear(),
    |c| c.setting.sources[1].counts = false,
    |c| c.setting.sources[1].factor_hint = true,
    |c| c.setting.sources[1].readable = false,
    |c| c.setting.sources[1].complete = false,
    |c| {
        let copy = Source { logical: 2, counts: false, ..source(Meaning::CopyOf(Some(LEDGER))) };
        c.setting.sources.push(copy);
    },
];

fn plain() -> Case {
    Case::derived().ok().row()
}

/// Nothing but calls and rows is known of it. Its kind matters only where a row is missing.
fn is_bare(case: &Case) -> bool {
    let ties = Ties { kind: case.ties.kind, ..Ties::default() };
    let told = case.record.is_some() || case.file.is_some() || !case.accept.is_empty();
    let seen = !case.states.is_empty() || !case.reads.is_empty();
    !told && !seen && format!("{:?}", case.ties) == format!("{ties:?}")
}

fn glance(case: &Case) -> Option<Micros> {
    let facts = case.facts();
    let plain = Plain::new(&case.setting).filter(|_| is_bare(case));
    plain.and_then(|plain| plain.since(facts.tries, facts.rows))
}

fn is_as_said(since: Micros, j: &Judgement) -> bool {
    j.class == Class::Clean && !j.divergent && j.lost == 0 && j.since == since && j.verdict() == "MATCHED"
}

#[test]
fn the_plain_intent_is_seen() {
    let case = plain();
    assert_eq!(glance(&case), Some(super::build::T0));
    assert!(is_as_said(super::build::T0, &case.judge()));
    let yen = Money::new(crate::model::units::iso("JPY").unwrap(), Amount::minor(5_000, 0));
    assert_eq!(glance(&Case::derived().of(Some(yen)).ok().row()), Some(super::build::T0));
    let refused_first = Case::derived().refused().ok().row();
    assert_eq!(glance(&refused_first), Some(super::build::T0));
    assert!(is_as_said(super::build::T0, &refused_first.judge()));
    assert_eq!(glance(&Case::derived().lost().ok().row()), None);
    assert_eq!(glance(&Case::derived().refused().row()), None);
}

#[test]
fn what_the_glance_says_the_judge_says_too() {
    let (mut said, mut silent) = (0, 0);
    let mut ask = |changes: &[usize]| {
        let mut case = plain();
        for no in changes {
            // A change of a call or a row that an earlier one took away changes nothing.
            if !case.tries.is_empty() && !case.rows.is_empty() {
                CHANGES[*no](&mut case);
            }
        }
        match glance(&case) {
            Some(since) => {
                assert!(is_as_said(since, &case.judge()), "changes {changes:?}: {:#?}", case.judge());
                said += 1;
            }
            None => silent += 1,
        }
    };
    for one in 0..CHANGES.len() {
        for other in 0..CHANGES.len() {
            ask(&[one, other]);
        }
    }
    let mut dice = Dice(0x5eed_0003);
    let all: Vec<usize> = (0..CHANGES.len()).collect();
    for _ in 0..20_000 {
        ask(&[dice.pick(&all), dice.pick(&all), dice.pick(&all)]);
    }
    assert!(said > 500 && silent > 5_000, "{said} said, {silent} silent");
}
