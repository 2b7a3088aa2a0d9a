//! Stand-in.
use super::judgement::Judgement;
use super::rules::LOOK_AT_IT;
/// Label.
pub fn label(judgement: &Judgement) -> &'static str {
    if judgement.lifted { LOOK_AT_IT } else { judgement.rule.meaning().label }
}
