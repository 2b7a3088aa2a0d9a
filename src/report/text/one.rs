//! One intent: its names, its story, the four lines word for word, and what stands behind them.

use crate::judge::judgement::{Class, NotCompared};
use crate::judge::rules::Rule;
use crate::judge::story::{Place, four_lines};
use crate::judge::view::IntentView;

use super::super::Report;
use super::super::figures::{NOTHING, amounts, safe, safe_id};
use super::super::out::Out;
use super::sentence;

/// The block below the result.
pub fn block(report: &Report<'_>, view: &IntentView, out: &mut Out<'_>) {
    let story = report.teller.tell(view, Place::List);
    out.line(&names(report, view).join("  "));
    out.line(&sentence(report, &story.text()));
    for line in four_lines(view, report.units) {
        out.line(&format!("  {}", safe(&line)));
    }
    out.line(&format!("  {}", behind(report, view).join("   ")));
}

/// Business id, operation id, intent id, each once.
pub fn names(report: &Report<'_>, view: &IntentView) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(3);
    for id in [&view.business_id, &view.operation_id, &view.intent_id] {
        let shown = safe_id(&report.mask.id(id));
        if !shown.is_empty() && !names.contains(&shown) {
            names.push(shown);
        }
    }
    names
}

/// At risk, retry origin, what the trace alone would say, and the code.
fn behind(report: &Report<'_>, view: &IntentView) -> Vec<String> {
    let j = &view.judgement;
    let mut parts = Vec::new();
    parts.extend(at_risk(report, view));
    if let Some(origin) = j.origin.word() {
        parts.push(format!("retry origin {origin}"));
    }
    if was_compared(view) && j.lo != j.gross {
        parts.push(format!("the trace alone would say {}, the ledger says {}", j.lo, j.gross));
    }
    parts.push(code(view));
    parts
}

/// A ledger was read that could say.
pub fn was_compared(view: &IntentView) -> bool {
    view.judgement.rule != Rule::R01 && view.judgement.not_compared == NotCompared::No
}

/// `at risk USD 200.00`; nothing where nothing is at risk, `at risk -` where the amount is not known.
pub fn at_risk(report: &Report<'_>, view: &IntentView) -> Option<String> {
    let j = &view.judgement;
    let quiet = matches!(j.class, Class::Clean | Class::Open);
    let sums: Vec<_> = view.at_risk.iter().copied().filter(|m| !m.amount.is_zero()).collect();
    match (sums.is_empty(), view.at_risk.is_empty()) {
        (false, _) => Some(format!("at risk {}", amounts(report.units, &sums))),
        (true, true) if !quiet => Some(format!("at risk {NOTHING}")),
        (true, _) => None,
    }
}

/// `(DUPLICATED R05)`.
pub fn code(view: &IntentView) -> String {
    let j = &view.judgement;
    format!("({} {})", j.verdict(), j.rule.number())
}
