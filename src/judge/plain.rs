//! The plain intent, seen at a glance: one call, told yes, with one row of the same money.
//!
//! Most intents of a case are like this, and all that is kept of them is their number and their age. Whoever judges
//! millions asks here first. This is no second judge: it names one corner of the decision table (`MATCHED` by R22,
//! clean, nothing found that lifts it), says nothing on any doubt, and a test holds it to [`super::judge`].

use crate::model::outcome::Class;
use crate::model::row::{Status, attempt_flag, effect_flag};
use crate::model::time::Micros;
use crate::model::units::Unit;

use super::calls::{is_recorded, writes};
use super::count::counts;
use super::expect::money;
use super::facts::{Facts, Meaning, Setting, Ties};

/// Looks for plain intents of one case.
#[derive(Clone, Copy, Debug)]
pub struct Plain<'a> {
    setting: &'a Setting,
}

impl<'a> Plain<'a> {
    /// `None` where something that holds for the whole case can make more of a plain intent: a complete intent log
    /// that may lack it, a copy that may differ.
    pub fn new(setting: &'a Setting) -> Option<Self> {
        let copies = setting.sources.iter().any(|s| matches!(s.meaning, Meaning::CopyOf(_)));
        (!copies && !setting.intents_complete).then_some(Self { setting })
    }

    /// [`super::judge`] says of these facts: clean, not divergent, no call without an answer. Gives
    /// [`super::judgement::Judgement::since`] of them.
    pub fn since(self, facts: &Facts<'_>) -> Option<Micros> {
        let ([call], [row]) = (facts.tries, facts.rows) else {
            return None;
        };
        let told = facts.record.is_some() || facts.file.is_some() || !facts.accept.is_empty();
        let seen = !facts.states.is_empty() || !facts.reads.is_empty();
        if told || seen || !nothing_bears_on(&facts.ties) {
            return None;
        }
        let (attempt, effect) = (call.row, row.row);
        let tool = self.setting.tool(attempt.tool);
        let told_yes = attempt.outcome.class(false) == Class::Ok
            && !attempt.is(attempt_flag::CONFLICT | attempt_flag::AMOUNT_BAD);
        let acted = effect.status == Status::Live
            && !effect.is(effect_flag::REVERSAL | effect_flag::AMOUNT_BAD)
            && counts(row, self.setting);
        if !(told_yes && acted && writes(attempt, tool) && is_recorded(tool)) {
            return None;
        }
        let wanted = money(attempt.unit, attempt.amount()?);
        let there = money(effect.unit, effect.amount()?);
        let compared = wanted.unit.is_named() && wanted.unit != Unit::TOO_MANY && !wanted.amount.is_zero();
        let since = if attempt.sent().is_none() { Micros::NONE } else { attempt.sent };
        (compared && wanted == there).then_some(since)
    }
}

/// Nothing beyond its own rows bears on it. Its kind matters only where a row is missing.
fn nothing_bears_on(ties: &Ties) -> bool {
    let Ties {
        contested,
        unreadable,
        suggestions,
        account,
        lineage,
        near_identical,
        two_keys,
        assumed_group,
        unrecorded,
        attr_differs,
        disputed,
        expectation_differs,
        sources_disagree,
        orphan_reversal,
        kind: _,
    } = ties;
    let bears = *contested
        || *near_identical
        || *two_keys
        || *assumed_group
        || *unrecorded
        || *attr_differs
        || *disputed
        || *expectation_differs
        || *sources_disagree
        || *orphan_reversal;
    !bears && *unreadable == 0 && *suggestions == 0 && account.is_none() && lineage.is_none()
}
