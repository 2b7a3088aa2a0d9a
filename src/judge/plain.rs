//! The plain intent, seen at a glance: one call, told yes, with one row of the same money. Calls that were refused may
//! stand beside it.
//!
//! Most intents of a case are like this, and all that is kept of them is their number and their age. Whoever judges
//! millions asks here first. This is no second judge: it names one corner of the decision table (`MATCHED` by R22,
//! clean, nothing found that lifts it), says nothing on any doubt, and a test holds it to [`super::judge`].

use crate::model::outcome::Class;
use crate::model::row::{Attempt, Status, attempt_flag, effect_flag};
use crate::model::time::Micros;
use crate::model::units::Unit;

use super::calls::{is_recorded, writes};
use super::count::counts;
use super::expect::money;
use super::facts::{Meaning, Row, Setting, Try};

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

    /// Calls and rows of an intent of which nothing else is known: no record, no state, no read-back, no tie. Gives
    /// [`super::judgement::Judgement::since`] where [`super::judge`] says of them: clean, not divergent, no call without
    /// an answer.
    pub fn since(self, tries: &[Try<'_>], rows: &[Row<'_>]) -> Option<Micros> {
        let [row] = rows else { return None };
        let (attempt, since) = self.only_yes(tries)?;
        let effect = row.row;
        let acted = effect.status == Status::Live
            && !effect.is(effect_flag::REVERSAL | effect_flag::AMOUNT_BAD)
            && counts(row, self.setting);
        if !acted {
            return None;
        }
        let wanted = money(attempt.unit, attempt.amount()?);
        let there = money(effect.unit, effect.amount()?);
        let compared = wanted.unit.is_named() && wanted.unit != Unit::TOO_MANY && !wanted.amount.is_zero();
        (compared && wanted == there).then_some(since)
    }

    /// The one call that was told yes, where all others were refused, and the first send of all of them. Several calls
    /// must have one payload: one key with two of them is a conflict.
    fn only_yes<'f>(self, tries: &'f [Try<'f>]) -> Option<(&'f Attempt, Micros)> {
        let mut yes = None;
        let mut since = Micros::NONE;
        for call in tries {
            let attempt = call.row;
            let tool = self.setting.tool(attempt.tool);
            let odd = attempt.is(attempt_flag::CONFLICT | attempt_flag::AMOUNT_BAD) || call.payload > 1;
            if odd || !writes(attempt, tool) || !is_recorded(tool) {
                return None;
            }
            match attempt.outcome.class(false) {
                Class::Ok if yes.is_none() => yes = Some(attempt),
                Class::Fail => {}
                _ => return None,
            }
            if !attempt.sent().is_none() {
                since = if since.is_none() { attempt.sent } else { since.min(attempt.sent) };
            }
        }
        yes.map(|yes| (yes, since))
    }
}
