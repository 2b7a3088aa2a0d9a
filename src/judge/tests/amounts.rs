//! Several units, amounts without a unit, accepted totals, tolerance, reversals, assumed totals.

use super::build::{Case, cents, eur, shown, usd};
use crate::judge::facts::Meaning;
use crate::judge::judgement::{AtMostOnce, Class};
use crate::judge::price::at_risk;
use crate::judge::reduce::tally;
use crate::judge::severity::label;
use crate::model::money::{Amount, Money};
use crate::model::outcome::Outcome;
use crate::model::row::{State, Status, Text, attempt_flag, effect_flag};
use crate::model::units::Unit;

use super::sources::{in_second, told_yes, with_ledger};

fn euros(minor: i64) -> Money {
    Money::new(eur(), Amount::minor(minor, 2))
}

#[test]
fn several_currencies_are_listed_and_never_added() {
    let case = told_yes().row().of(Some(euros(5_000))).row().covered();
    let j = case.judge();
    assert_eq!((j.verdict(), j.at_most_once), ("DUPLICATED", AtMostOnce::Violated));
    assert!(j.several_units);
    let tally = tally(&case.facts(), &case.setting);
    let risk = at_risk(&case.facts(), &case.setting, &tally, j.rule, j.class);
    let list: Vec<String> = risk.list(usd()).into_iter().map(|m| shown(Some(m))).collect();
    assert_eq!(list, ["EUR 50.00"]);
    let within_range = told_yes().count(1, 2).row().of(Some(euros(5_000))).row().judge();
    assert_eq!(within_range.verdict(), "CURRENCY_MISMATCH");
}

#[test]
fn an_accepted_alternative_alone_is_equal() {
    let accept = |case: Case| case.with(|c| c.accept = vec![cents(20_000), euros(18_410)]);
    let one = |money| accept(told_yes().of(Some(money)).row()).judge();
    assert_eq!(one(cents(20_000)).verdict(), "MATCHED");
    assert_eq!(one(euros(18_410)).verdict(), "MATCHED");
    let wrong = one(euros(18_000));
    assert_eq!((wrong.verdict(), shown(wrong.risk)), ("AMOUNT_MISMATCH", "EUR 4.10".to_owned()));
    let both = accept(told_yes().count(1, 2).row().of(Some(euros(18_410))).row()).judge();
    assert_eq!(both.verdict(), "CURRENCY_MISMATCH");
}

#[test]
fn tolerance_is_in_minor_units_and_strict_beyond() {
    let verdict = |minor: i64| {
        told_yes().of(Some(cents(minor))).row().with(|c| c.setting.tolerance = 2).judge().verdict()
    };
    assert_eq!(
        [verdict(19_997), verdict(19_998), verdict(20_002), verdict(20_003)],
        ["AMOUNT_MISMATCH", "MATCHED", "MATCHED", "AMOUNT_MISMATCH"]
    );
    // Minor units of the currency, however few decimals were written.
    let whole = Money::new(usd(), Amount { digits: 200, scale: 0 });
    let case = told_yes().total(Some(whole)).of(Some(cents(20_100))).row().with(|c| c.setting.tolerance = 2);
    assert_eq!(case.judge().verdict(), "AMOUNT_MISMATCH");
}

#[test]
fn amounts_without_a_unit() {
    let unit_of_row = |unit| told_yes().row().last_row(|r| r.row.unit = unit);
    for unit in [Unit::NONE, Unit::UNKNOWN] {
        let case = unit_of_row(unit);
        assert_eq!((case.judge().verdict(), shown(case.judge().live)), ("MATCHED", "200.00 ?".to_owned()));
        assert_eq!(case.findings(), ["CURRENCY_UNKNOWN"]);
    }
    // On both sides numbers compare.
    let both = |row: i64| {
        let question = |minor| Some(Money::new(Unit::UNKNOWN, Amount::minor(minor, 2)));
        told_yes().total(question(20_000)).of(question(row)).row()
    };
    assert_eq!((both(20_000).judge().verdict(), both(20_000).findings()), ("MATCHED", vec![]));
    assert_eq!(both(40_000).judge().verdict(), "AMOUNT_MISMATCH");
    // Minor units of who knows which currency do not compare with major ones.
    let minor = both(40_000).last_row(|r| r.row.flags |= effect_flag::MINOR);
    assert_eq!(minor.judge().verdict(), "MATCHED");
    // Expected without a unit, found with one.
    let expected = told_yes().total(Some(Money::new(Unit::UNKNOWN, Amount::minor(1, 2)))).row();
    assert_eq!(
        (expected.judge().verdict(), expected.findings()),
        ("MATCHED", vec!["CURRENCY_UNKNOWN".to_owned()])
    );
    // A double is a double without any currency; its price is that of one effect.
    let double =
        told_yes().row().row().with(|c| c.rows.iter_mut().for_each(|r| r.row.unit = Unit::NONE)).judge();
    assert_eq!((double.verdict(), shown(double.risk)), ("DUPLICATED", "USD 200.00".to_owned()));
}

#[test]
fn a_ledger_without_amounts_judges_counts_alone() {
    let j = told_yes().of(None).row().judge();
    assert_eq!((j.verdict(), j.live), ("MATCHED", None));
}

#[test]
fn sums_that_do_not_fit_are_unreadable() {
    let huge = Some(Money::new(usd(), Amount::minor(i64::MAX, 2)));
    let j = told_yes().count(1, 2).of(huge).row().row().judge();
    assert_eq!((j.verdict(), j.live), ("AMOUNT_MISMATCH", None));
    let too_many = Some(Money::new(Unit::TOO_MANY, Amount::minor(1, 0)));
    assert_eq!(told_yes().of(too_many).row().judge().verdict(), "UNREADABLE");
}

#[test]
fn reversals() {
    let doubled = || Case::recorded().lost().ok().row().row().state(State::Confirmed).covered();
    let state =
        |case: Case| (case.judge().gross, case.judge().net, shown(case.judge().live), case.judge().verdict());
    let usd = |text: &str| text.to_owned();
    // More than there was: the rest is missing from the total.
    let over = doubled().reversal(Some(1), 25_000);
    assert_eq!(state(over.clone()), (2, 1, usd("USD 150.00"), "REVERSAL_MISMATCH"));
    assert!(over.findings().contains(&"REVERSAL_OVER".to_owned()));
    // In two steps.
    let steps = doubled().reversal(Some(1), 5_000).reversal(Some(1), 15_000);
    assert_eq!(state(steps), (2, 1, usd("USD 200.00"), "DUPLICATED_REVERSED"));
    // Without a name: of exactly one effect's amount, else the total alone.
    assert_eq!(state(doubled().reversal(None, 15_000)), (2, 2, usd("USD 250.00"), "DUPLICATED"));
    let twice = doubled().reversal(None, 20_000).reversal(None, 20_000);
    assert_eq!(state(twice), (2, 0, usd("USD 0.00"), "REVERSAL_MISMATCH"));
    // It names an effect that is not here: no sum changes.
    let unknown = doubled().reversal(None, 20_000).last_row(|r| r.row.reverses = Text(9));
    assert_eq!(state(unknown.clone()).1, 2);
    assert!(unknown.findings().contains(&"ORPHAN_REVERSAL".to_owned()));
    // A reversal that itself is on its way or failed takes nothing back.
    for status in [Status::OnItsWay, Status::NotAnEffect] {
        let j = doubled().reversal(Some(1), 20_000).status(status).judge();
        assert_eq!((j.net, j.on_its_way, j.came_back), (2, 0, 0));
    }
    // Recorded twice, in two sources: taken off once.
    let copies = with_ledger(doubled(), Meaning::MovesMoney, |_| {})
        .reversal(Some(1), 15_000)
        .reversal(Some(1), 15_000);
    let ident = copies.rows[2].ident;
    assert_eq!(state(in_second(copies).last_row(|r| r.ident = ident)).2, "USD 250.00");
    // Unreadable, or in another currency.
    let unreadable = doubled()
        .reversal(Some(1), 20_000)
        .last_row(|r| r.row.flags = effect_flag::AMOUNT_BAD | effect_flag::REVERSAL);
    assert_eq!((unreadable.judge().live, unreadable.judge().verdict()), (None, "DUPLICATED"));
    let foreign = doubled().reversal(Some(1), 20_000).last_row(|r| r.row.unit = eur());
    assert_eq!((foreign.judge().net, foreign.judge().several_units), (2, true));
    // A message has no amount: naming it takes it back.
    let mail = Case::recorded().total(None).of(None).lost().ok().row().row().reversal(Some(1), 0);
    let mail = mail.last_row(|r| r.row.flags = effect_flag::REVERSAL);
    assert_eq!(state(mail).1, 1);
}

#[test]
fn many_rows_leave_the_stack_and_count_the_same() {
    let mut case = Case::recorded().ok().state(State::Confirmed);
    for _ in 0..300 {
        case = case.row();
    }
    for _ in 0..150 {
        case = case.reversal(None, 20_000);
    }
    assert_eq!((case.judge().gross, case.judge().net), (300, 150));
    assert_eq!(shown(case.judge().risk), "USD 29800.00");
}

#[test]
fn assumed_totals() {
    let total = |case: Case| shown(case.judge().expected);
    assert_eq!(total(Case::derived().ok()), "USD 200.00");
    assert_eq!(total(Case::derived().ok().in_file(None, Some((2, 2)))), "USD 400.00");
    assert_eq!(total(Case::derived().ok().in_file(None, Some((1, 2)))), "-");
    assert_eq!(total(Case::derived().refused()), "-");
    assert_eq!(total(Case::derived().ok().of(Some(cents(1))).refused()), "USD 200.00");
    assert_eq!(total(Case::derived().ok().of(None).call(Outcome::Reused)), "USD 200.00");
    assert_eq!(
        total(Case::derived().ok().of(Some(Money::new(usd(), Amount { digits: 200, scale: 0 }))).lost()),
        "USD 200.00"
    );
    let bad = Case::derived().ok().of(None).lost().last_call(|t| t.row.flags |= attempt_flag::AMOUNT_BAD);
    assert_eq!(total(bad), "-");
    let changed = Case::derived().ok().of(Some(euros(20_000))).lost();
    assert_eq!(changed.findings(), ["ACK_NOT_YET_VISIBLE(1)", "MORE_MAY_LAND(1)", "AMOUNT_CHANGED"]);
}

#[test]
fn the_price_of_one_of_three_is_rounded_up() {
    let case = Case::recorded().count(3, 3).lost().state(State::Unknown);
    // Nothing there, three wanted: three units of 66.67.
    assert_eq!(shown(case.judge().risk), "USD 200.01");
}

#[test]
fn a_factor_hint_leaves_a_wrong_amount_undecided() {
    let case = told_yes().of(Some(cents(2_000_000))).row().with(|c| c.setting.sources[1].factor_hint = true);
    let j = case.judge();
    assert_eq!(
        (j.verdict(), j.class, label(&j), j.severity),
        ("AMOUNT_MISMATCH", Class::Undecided, "LOOK AT IT", 2)
    );
}
