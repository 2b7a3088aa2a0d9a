//! Figures of a case that decide the layout: which currencies and which banners there are.

use super::model::Model;
use crate::judge::view::{POLICY_WAITS, Summary, WENT_BACK};
use crate::model::units::Unit;

/// Units of the incident lines, those with most going out first, each once.
pub fn units(summary: &Summary) -> Vec<Unit> {
    let columns =
        [&summary.out_too_much, &summary.probably_too_much, &summary.may_still_go_out, &summary.owed];
    let mut found: Vec<Unit> = Vec::new();
    for totals in columns {
        let mut here: Vec<_> = totals.iter().filter(|(_, total)| !total.is_zero()).collect();
        here.sort_by_key(|(_, total)| std::cmp::Reverse(total.exact()));
        for (unit, _) in here {
            if !found.contains(&unit) {
                found.push(unit);
            }
        }
    }
    found
}

/// A banner (`6-screens.md` 7.1.8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Banner {
    /// Its first words.
    pub head: &'static str,
    /// The rest of the sentence.
    pub rest: &'static str,
    /// The first words where there is little room.
    pub short: &'static str,
    /// The rest where there is little room.
    pub short_rest: &'static str,
}

/// Banners in order; at most two are shown.
pub fn banners(model: &Model, summary: &Summary) -> Vec<Banner> {
    let unread = model.case().is_some_and(|case| case.sources().iter().any(|s| s.error.is_some()));
    let said = |code: &str| summary.notices.iter().any(|notice| notice.code == code);
    let table = [
        (
            said(POLICY_WAITS),
            Banner {
                head: "policy changed in the file,",
                rest: "not in force",
                short: "policy changed in the file,",
                short_rest: "not in force",
            },
        ),
        (
            said(WENT_BACK),
            Banner {
                head: "a read position went back:",
                rest: "no absence is proven there; 5 says which",
                short: "a read position went back:",
                short_rest: "5 says which",
            },
        ),
        (
            unread,
            Banner {
                head: "a source was not read:",
                rest: "what it holds is not known; 5 says which and why",
                short: "a source was not read:",
                short_rest: "5 says which",
            },
        ),
        (
            !summary.has_intent_log,
            Banner {
                head: "no intent log is loaded:",
                rest: "what was intended, ~, is assumed from the calls",
                short: "no intent log:",
                short_rest: "intended ~ is assumed",
            },
        ),
        (
            !model.setup.in_case,
            Banner {
                head: "no book:",
                rest: "nothing can be written",
                short: "no book:",
                short_rest: "nothing can be written",
            },
        ),
        (
            summary.final_by_declaration,
            Banner {
                head: "final by declaration:",
                rest: "what is not there is taken as never coming",
                short: "final by declaration",
                short_rest: "",
            },
        ),
    ];
    table.into_iter().filter(|(on, _)| *on).map(|(_, banner)| banner).take(2).collect()
}
