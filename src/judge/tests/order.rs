//! The order of the list (`2-judge.md` 2.8).

use std::cmp::Ordering;

use super::build::{cents, eur, usd};
use super::examples::example;
use super::worlds::Dice;
use crate::judge::judgement::Judgement;
use crate::judge::severity::{Ranking, compare};
use crate::model::money::{Amount, Money, Wide};
use crate::model::time::Micros;
use crate::model::units::{Unit, Units};

fn by_text(a: Unit, b: Unit) -> Ordering {
    Units::default().by_text(a, b)
}

fn plain() -> Ranking<'static> {
    Ranking { rates: &[], by_text: &by_text }
}

/// Every two neighbours stand in this order, and not in the other.
fn assert_sorted(list: &[Judgement], ranking: &Ranking<'_>) {
    for (no, pair) in list.windows(2).enumerate() {
        assert_eq!(compare(&pair[0], &pair[1], ranking), Ordering::Less, "{no}");
        assert_eq!(compare(&pair[1], &pair[0], ranking), Ordering::Greater, "{no}");
    }
}

fn with(name: &str, change: impl FnOnce(&mut Judgement)) -> Judgement {
    let mut judgement = example(name).judge();
    change(&mut judgement);
    judgement
}

#[test]
fn each_step_of_the_order() {
    let risk = |money: Option<Money>| with("E06", |j| j.risk = money);
    let time = |us: i64| Micros(us);
    assert_sorted(
        &[
            example("E75").judge(), // disputed, first among the proven
            with("E02", |j| j.overdue = true),
            with("E02", |j| j.risk = Some(cents(20_001))),
            with("E02", |j| j.since = time(1)),
            with("E02", |j| j.since = time(2)),
            example("E51").judge(), // suspected, after every proven one of S1
            example("E12").judge(),
            example("E28").judge(), // S2, undecided
            with("E06", |j| j.overdue = true),
            with("E06", |j| j.deadline = time(5)),
            with("E06", |j| j.deadline = time(6)),
            with("E06", |j| j.deadline = Micros::NONE),
            risk(Some(cents(0))),
            risk(None),
            example("E41").judge(),
            example("E27").judge(),
            example("E01").judge(),
        ],
        &plain(),
    );
}

#[test]
fn different_currencies_by_code_or_by_rate() {
    let risk = |unit: Unit, minor: i64| {
        with("E12", |j| {
            j.risk = Some(Money::new(unit, Amount::minor(minor, 2)));
        })
    };
    assert_sorted(&[risk(eur(), 5), risk(eur(), 4), risk(usd(), 900), risk(usd(), 6)], &plain());
    let rates = [(usd(), Wide { digits: 1, scale: 0 }), (eur(), Wide { digits: 11, scale: 1 })];
    let ranking = Ranking { rates: &rates, by_text: &by_text };
    assert_sorted(&[risk(usd(), 900), risk(usd(), 6), risk(eur(), 5), risk(eur(), 4)], &ranking);
    let one = Ranking { rates: &rates[..1], by_text: &by_text };
    assert_sorted(&[risk(usd(), 1), risk(eur(), 900), risk(eur(), 4)], &one);
}

#[test]
fn it_is_an_order() {
    let rates = [(usd(), Wide { digits: 1, scale: 0 })];
    let mut dice = Dice(0x5eed_0004);
    let units = [usd(), eur(), Unit::UNKNOWN, Unit::NONE];
    let some: Vec<Judgement> = (0..60)
        .map(|_| {
            let name = format!("E{:02}", 1 + dice.below(78));
            let unit = dice.pick(&units);
            let minor = i64::try_from(dice.below(3)).unwrap();
            with(&name, |j| {
                j.risk = (minor < 2).then(|| Money::new(unit, Amount::minor(minor, 2)));
            })
        })
        .collect();
    for ranking in [plain(), Ranking { rates: &rates, by_text: &by_text }] {
        for a in &some {
            assert_eq!(compare(a, a, &ranking), Ordering::Equal);
            for b in &some {
                let ab = compare(a, b, &ranking);
                assert_eq!(ab, compare(b, a, &ranking).reverse());
                for c in &some {
                    if ab != Ordering::Greater && compare(b, c, &ranking) != Ordering::Greater {
                        assert_ne!(compare(a, c, &ranking), Ordering::Greater);
                    }
                }
            }
        }
    }
}
