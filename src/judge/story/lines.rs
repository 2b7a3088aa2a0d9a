//! The four lines of one intent (`2-judge.md` 2.12), word for word.

use std::fmt::Write as _;

use crate::judge::judgement::NotCompared;
use crate::judge::rules::Rule;
use crate::judge::view::IntentView;
use crate::model::money::{Amount, Money, Total};
use crate::model::units::{Unit, Units};

/// Expected and observed, count and total. Amounts have ordinary blanks: the lines are for copies and files.
pub fn four_lines(view: &IntentView, units: &Units) -> [String; 4] {
    [
        format!("Expected effect count: {}", expected_count(view)),
        format!("Expected effect total: {}", expected_total(view, units)),
        format!("Observed effect count: {}", observed_count(view)),
        format!("Observed effect total: {}", observed_total(view, units)),
    ]
}

/// What counts now: nothing while the intent is recorded as failed.
fn expected_count(view: &IntentView) -> String {
    let j = &view.judgement;
    let (min, max) = (j.effective_min, j.effective_max);
    if min == max { max.to_string() } else { format!("{min}..{max}") }
}

fn expected_total(view: &IntentView, units: &Units) -> String {
    let j = &view.judgement;
    match j.expected {
        None => "no total expected".to_owned(),
        Some(total) if j.effective_max == 0 => units.show(Money { amount: Amount::ZERO, ..total }),
        Some(total) => units.show(total),
    }
}

/// Nothing was compared: no ledger was read that could say.
fn not_read(view: &IntentView) -> bool {
    view.judgement.rule == Rule::R01 || view.judgement.not_compared != NotCompared::No
}

fn observed_count(view: &IntentView) -> String {
    let j = &view.judgement;
    if not_read(view) {
        return "not read".to_owned();
    }
    let mut text =
        if j.gross == j.net { j.gross.to_string() } else { format!("{} gross, {} net", j.gross, j.net) };
    if j.on_its_way > 0 {
        let _ = write!(text, ", {} on its way", j.on_its_way);
    }
    text
}

fn observed_total(view: &IntentView, units: &Units) -> String {
    if not_read(view) {
        return "not read".to_owned();
    }
    let mut totals: Vec<(Unit, Total)> = view.totals.iter().collect();
    totals.sort_by(|a, b| units.by_text(a.0, b.0));
    let mut shown: Vec<String> = totals.iter().map(|(unit, total)| units.show_total(*unit, *total)).collect();
    match view.judgement.unreadable {
        0 if shown.is_empty() => return "no amount".to_owned(),
        0 => {}
        // A zero beside an unreadable amount would read like a total.
        n => {
            if totals.iter().all(|(_, total)| total.is_zero()) {
                shown.clear();
            }
            shown.push(if shown.is_empty() { "unreadable".to_owned() } else { format!("{n} unreadable") });
        }
    }
    shown.join(", ")
}
