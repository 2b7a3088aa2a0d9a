//! Money in one glance (`2-judge.md` 2.12; `7-commands.md` 7.5.7): what one intent adds to each of the four figures
//! of the summary. Per unit, never added over units.

use crate::model::money::{Money, Totals};
use crate::model::row::{Status, effect_flag};

use super::count::counts;
use super::expect::{money, narrow};
use super::facts::{Facts, Setting};
use super::inputs::MoneyIn;
use super::judgement::{Class, Judgement, NotCompared};
use super::price::{at_least_above, chain, times, wanted};
use super::reduce::{Tally, tally};
use super::rules::Rule;

/// The four figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glance {
    /// Live above the own expected range and total.
    pub out_too_much: Totals,
    /// Suspected rows that are there.
    pub probably_too_much: Totals,
    /// On its way, and what may still land.
    pub may_still_go_out: Totals,
    /// Missing, below the expected where the absence is covered, came back.
    pub owed: Totals,
}

impl Glance {
    /// Adds one intent. Of a group (a chain of replacements, an account under suspicion) only the first member
    /// counts what the group shares: say so with `first_of_group`.
    pub fn add(&mut self, facts: &Facts<'_>, setting: &Setting, judgement: &Judgement, first_of_group: bool) {
        if judgement.not_compared != NotCompared::No {
            return;
        }
        let tally = tally(facts, setting);
        match judgement.rule {
            rule if rule.suspects() => {
                if first_of_group {
                    let there = suspected_rows_there(&tally);
                    add(&mut self.probably_too_much, tally.unit().and_then(|unit| times(unit, there)));
                }
            }
            Rule::R08 => {
                if first_of_group {
                    add(&mut self.out_too_much, chain(facts).or(tally.unit()));
                }
            }
            rule => too_much(&mut self.out_too_much, &tally, rule, judgement.class),
        }
        self.still_to_come(facts, setting, judgement, &tally);
        self.too_little(judgement, &tally);
    }

    fn still_to_come(
        &mut self,
        facts: &Facts<'_>,
        setting: &Setting,
        judgement: &Judgement,
        tally: &Tally<'_>,
    ) {
        if tally.found.on_its_way > 0 {
            for row in facts.rows.iter().filter(|r| counts(r, setting) && !r.row.is(effect_flag::REVERSAL)) {
                // A row on its way that has a live one is that effect already.
                let live = || facts.rows.iter().any(|r| r.ident == row.ident && r.row.status == Status::Live);
                let first = || facts.rows.iter().find(|r| r.ident == row.ident && counts(r, setting));
                if row.row.status == Status::OnItsWay
                    && !live()
                    && first().is_some_and(|f| f.row.at == row.row.at)
                {
                    add(
                        &mut self.may_still_go_out,
                        row.row.amount().map(|amount| money(row.row.unit, amount)),
                    );
                }
            }
        }
        // Under suspicion the rows that are there stand for the calls without an answer.
        let there = if judgement.rule.suspects() { suspected_rows_there(tally) } else { 0 };
        let land = tally.may_land.saturating_sub(there);
        add(&mut self.may_still_go_out, tally.unit().and_then(|unit| times(unit, land)));
    }

    fn too_little(&mut self, judgement: &Judgement, tally: &Tally<'_>) {
        let proven = tally.coverage.covered || judgement.rule == Rule::R27 || tally.came_back > 0;
        let undone_on_purpose = matches!(judgement.rule, Rule::R03 | Rule::R15);
        let guessed = judgement.rule == Rule::R13 && judgement.class == Class::Undecided;
        let waits =
            judgement.class == Class::Open || judgement.rule == Rule::R09 || undone_on_purpose || guessed;
        if !proven || tally.effective.1 == 0 || waits || tally.money.question {
            return;
        }
        let Some(total) = tally.expected.compared().and(tally.money.reference) else {
            return;
        };
        if tally.money.input == MoneyIn::Eq || (tally.found.net > 0 && tally.found.live_without_amount) {
            return;
        }
        let short = tally.found.live_in(total.unit).and_then(|live| total.amount.wide().checked_sub(live));
        let short = short.filter(|rest| !rest.is_negative()).and_then(narrow);
        add(&mut self.owed, short.map(|amount| Money::new(total.unit, amount)));
    }

    /// Adds another part.
    pub fn merge(&mut self, other: &Self) {
        self.out_too_much.merge(&other.out_too_much);
        self.probably_too_much.merge(&other.probably_too_much);
        self.may_still_go_out.merge(&other.may_still_go_out);
        self.owed.merge(&other.owed);
    }
}

fn add(totals: &mut Totals, amount: Option<Money>) {
    if let Some(amount) = amount.filter(|m| !m.amount.is_zero()) {
        totals.add(amount);
    }
}

/// Suspected rows that are there, those on their way left out.
fn suspected_rows_there(tally: &Tally<'_>) -> u32 {
    tally.suspicion.excess.saturating_sub(tally.found.on_its_way)
}

/// Live above the own expected range and total; what cannot be compared counts by number.
fn too_much(totals: &mut Totals, tally: &Tally<'_>, rule: Rule, class: Class) {
    if tally.found.net == 0 || (rule == Rule::R13 && class == Class::Undecided) {
        return;
    }
    let over = tally.found.net.saturating_sub(tally.expected.max);
    if over > 0 || tally.money.more || tally.money.foreign {
        let comparable = !tally.money.question;
        let beyond = wanted(tally).filter(|_| comparable).and_then(|w| at_least_above(tally, Some(w)));
        match beyond {
            // As at risk: where nothing that can be read is above, the number of effects tells.
            Some(beyond) if over == 0 || !beyond.is_empty() || !tally.found.cannot_add() => {
                totals.merge(&beyond);
            }
            _ => add(totals, tally.unit().and_then(|unit| times(unit, over))),
        }
    }
}
