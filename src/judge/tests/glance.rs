//! Money in one glance (`2-judge.md` 2.12).

use super::build::{Case, cents, eur, shown};
use super::examples::example;
use crate::judge::glance::Glance;
use crate::model::money::{Money, Totals};
use crate::model::row::{State, effect_flag};
use crate::model::units::Unit;

fn text(totals: &Totals) -> String {
    let show = |(unit, total): (Unit, crate::model::money::Total)| {
        let amount = total.exact().and_then(crate::judge::expect::narrow)?;
        Some(shown(Some(Money::new(unit, amount))))
    };
    totals.iter().filter_map(show).collect::<Vec<_>>().join(" ")
}

/// Out too much, probably too much, may still go out, owed.
fn glance(case: &Case) -> [String; 4] {
    let mut glance = Glance::default();
    glance.add(&case.facts(), &case.setting, &case.judge(), true);
    [&glance.out_too_much, &glance.probably_too_much, &glance.may_still_go_out, &glance.owed].map(text)
}

#[test]
#[rustfmt::skip]
fn what_each_example_adds() {
    let nothing = ["", "", "", ""];
    for (name, want) in [
        ("E01", nothing),
        ("E02", ["USD 200.00", "", "", ""]),
        ("E05", nothing),
        ("E06", ["", "", "USD 200.00", ""]),
        ("E07", ["", "", "", "USD 200.00"]),
        ("E09", nothing),
        ("E10", nothing),
        ("E11", ["", "", "USD 200.00", ""]),
        ("E12", ["", "", "", "USD 200.00"]),
        ("E13", nothing),
        ("E14", ["USD 200.00", "", "", ""]),
        ("E15", ["EUR 200.00", "", "", ""]),
        ("E16", nothing),
        ("E18", nothing),
        ("E19", ["USD 50.00", "", "", ""]),
        ("E20", ["", "", "", "USD 200.00"]),
        ("E21", ["USD 200.00", "", "", ""]),
        ("E24", nothing),
        ("E27", ["", "", "USD 200.00", ""]),
        ("E28", ["", "", "USD 200.00", ""]),
        ("E30", ["", "", "USD 400.00", ""]),
        ("E33", nothing),
        ("E37", ["USD 200.00", "", "", ""]),
        ("E39", ["", "", "", "USD 100.00"]),
        ("E40", nothing),
        ("E41", ["", "", "USD 200.00", ""]),
        ("E47", ["", "", "", "USD 200.00"]),
        ("E48", nothing),
        ("E51", ["", "USD 200.00", "", ""]),
        ("E53", ["", "USD 200.00", "", ""]),
        ("E54", nothing),
        ("E55", ["", "USD 20.00", "", ""]),
        ("E57", nothing),
        ("E58", ["", "", "", "USD 150.00"]),
        ("E59", nothing),
        ("E61", ["", "", "USD 200.00", ""]),
        ("E62", ["", "", "USD 200.00", ""]),
        ("E64", ["", "", "", "USD 200.00"]),
        ("E65", ["", "", "USD 200.00", ""]),
        ("E69", nothing),
        ("E75", ["", "", "", "USD 200.00"]),
        ("E77", ["", "USD 200.00", "", ""]),
    ] {
        assert_eq!(glance(&example(name)), want.map(str::to_owned), "{name}");
    }
}

#[test]
fn a_group_counts_once() {
    for name in ["E21", "E51", "E77"] {
        let case = example(name);
        let mut glance = Glance::default();
        glance.add(&case.facts(), &case.setting, &case.judge(), false);
        assert_eq!(glance, Glance::default(), "{name}");
    }
}

#[test]
fn units_are_never_added_to_each_other() {
    let mut sum = Glance::default();
    for name in ["E02", "E14", "E15", "E35"] {
        let case = example(name);
        let mut one = Glance::default();
        one.add(&case.facts(), &case.setting, &case.judge(), true);
        sum.merge(&one);
    }
    assert_eq!(text(&sum.out_too_much), "EUR 200.00 JPY 20000 USD 400.00");
}

#[test]
fn came_back_is_owed_though_nothing_is_covered() {
    let case = Case::derived().ok().row().status(crate::model::row::Status::NotAnEffect);
    assert_eq!(glance(&case)[3], "USD 200.00");
}

#[test]
fn a_wrong_currency_whose_absence_is_covered_is_out_and_owed() {
    let euros = Some(Money { unit: eur(), ..cents(20_000) });
    let case = Case::recorded().ok().of(euros).row().state(State::Confirmed).covered();
    assert_eq!(glance(&case), ["EUR 200.00", "", "", "USD 200.00"].map(str::to_owned));
}

#[test]
fn what_cannot_be_read_or_named_is_not_guessed() {
    let unreadable = |r: &mut super::build::OwnRow| r.row.flags = effect_flag::AMOUNT_BAD;
    let double = Case::recorded().ok().row().row().last_row(unreadable).state(State::Confirmed);
    assert_eq!(glance(&double)[0], "USD 200.00");
    let hint = Case::recorded().ok().of(Some(cents(2_000_000))).row().state(State::Confirmed);
    let hint = hint.with(|c| c.setting.sources[1].factor_hint = true);
    assert_eq!(glance(&hint), ["", "", "", ""].map(str::to_owned));
}
