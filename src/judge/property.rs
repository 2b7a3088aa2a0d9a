//! The property at-most-once, judged per intent without looking at the state (`2-judge.md` 2.12).

use super::facts::Facts;
use super::inputs::{Link, MoneyIn, Src, Susp};
use super::judgement::AtMostOnce;
use super::reduce::Tally;
use super::rules::Rule;

/// Judges at-most-once.
pub fn at_most_once(facts: &Facts<'_>, tally: &Tally<'_>, rule: Rule) -> AtMostOnce {
    let inputs = &tally.inputs;
    let max = tally.expected.max;
    let found = &tally.found;
    let more_than_intended = found.gross > max || tally.money.more;
    let violated = (inputs.susp != Susp::Own && more_than_intended)
        || tally.money.foreign
        || rule == Rule::R08
        || (tally.effective.1 == 0 && found.net > 0);
    if violated {
        return AtMostOnce::Violated;
    }
    let open = found.on_its_way + u32::from(facts.ties.suggestions) + u32::from(facts.ties.unreadable);
    let not_judged = inputs.src == Src::NotLoaded
        || inputs.money == MoneyIn::NoRead
        || inputs.link == Link::Contested
        || rule.suspects()
        || found.gross + open > max
        || (tally.late && tally.hi.max(found.gross) > max);
    if not_judged { AtMostOnce::NotJudged } else { AtMostOnce::Held }
}
