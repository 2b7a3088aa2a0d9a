//! The decision table over the whole product of 2.5.

use crate::judge::inputs::{
    Att, Count, Cov, Deadline, Exp, Frm, Grow, Inputs, Key, Late, Lin, Link, MoneyIn, Src, StateIn, Susp,
};
use crate::judge::rules::{MEANINGS, RULES, decide};

/// Calls `visit` with every combination that can occur.
fn every(mut visit: impl FnMut(&Inputs)) {
    // Nested loops over small sets, written as one list so that it reads as the table of inputs does.
    macro_rules! product {
        ($make:expr; $($name:ident in $set:ident),+) => { product!(@ $make; $($name in $set),+) };
        (@ $make:expr; $name:ident in $set:ident, $($rest:tt)+) => {
            for $name in $set::ALL.iter().copied() { product!(@ $make; $($rest)+) }
        };
        (@ $make:expr; $name:ident in $set:ident) => { for $name in $set::ALL.iter().copied() { $make } };
    }
    product!({
        let i = Inputs { src, exp, frm, count, money, grow, cov, state, att, dl, key, link, susp, lin, late };
        if i.possible() { visit(&i) }
    };
        src in Src, exp in Exp, frm in Frm, count in Count, money in MoneyIn, grow in Grow, cov in Cov,
        state in StateIn, att in Att, dl in Deadline, key in Key, link in Link, susp in Susp, lin in Lin, late in Late);
}

#[test]
fn every_combination_has_a_verdict_and_every_rule_is_reached() {
    let mut loaded = 0_u64;
    let mut not_loaded = 0_u64;
    let mut reached = [0_u64; 38];
    every(|i| {
        let counter = if i.src == Src::Loaded { &mut loaded } else { &mut not_loaded };
        *counter += 1;
        assert!(RULES.iter().any(|(_, holds)| holds(i)), "no rule for {i:?}");
        reached[decide(i) as usize] += 1;
    });
    let missed: Vec<&str> =
        MEANINGS.iter().filter(|m| reached[m.rule as usize] == 0).map(|m| m.number).collect();
    assert!(missed.is_empty(), "never reached: {missed:?}");
    // The specification counts 333,605: where nothing was loaded it looks at the five states only, because R01
    // asks for nothing else. Here both values of src are walked whole.
    assert_eq!((loaded, loaded + StateIn::ALL.len() as u64), (333_600, 333_605));
    assert_eq!((not_loaded, reached[0]), (333_600, 333_600));
}

#[test]
fn the_tables_stand_in_the_order_of_the_rules() {
    for (no, ((rule, _), meaning)) in RULES.iter().zip(&MEANINGS).enumerate() {
        assert_eq!((*rule as usize, meaning.rule as usize), (no, no), "{}", meaning.number);
        assert_eq!(format!("{rule:?}"), meaning.number);
        assert_eq!(rule.meaning(), meaning);
        assert!((1..=5).contains(&meaning.severity));
    }
}

#[test]
fn each_state_ends_in_a_rule_of_its_own() {
    // The last rule that can be reached for a state asks for nothing but the state (and, where the state was
    // confirmed, for what coverage and count leave over).
    let mut last = std::collections::BTreeMap::new();
    every(|i| {
        if i.src == Src::Loaded {
            let rule = decide(i).number();
            let known = last.entry(i.state.word()).or_insert(rule);
            *known = rule.max(*known);
        }
    });
    let last: Vec<_> = last.into_iter().collect();
    assert_eq!(
        last,
        [("CONFIRMED", "R27"), ("FAILED", "R29"), ("NONE", "R19"), ("SUBMITTED", "R35"), ("UNKNOWN", "R31")]
    );
}
