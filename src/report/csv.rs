//! CSV: always the same columns, one intent a row (`7-commands.md` 7.5.7), cells guarded against formulas.

use crate::judge::judgement::Judgement;
use crate::judge::rules::Rule;
use crate::judge::story::{Place, phrase};
use crate::judge::view::{EffectView, IntentView};
use crate::model::money::{Money, Total, Totals, Wide};
use crate::model::time::rfc3339;
use crate::text::{SafeText, csv_number, csv_text};

use super::Report;
use super::figures::{plain, plain_money, sorted};
use super::out::Out;

/// The columns, in their order.
pub const COLUMNS: [&str; 33] = [
    "intent_id",
    "operation_id",
    "kind",
    "business_id",
    "party",
    "verdict",
    "label",
    "class",
    "severity",
    "state",
    "divergent",
    "expected_min",
    "expected_max",
    "expected_total",
    "expected_currency",
    "observed_gross",
    "observed_net",
    "observed_total",
    "observed_currency",
    "difference_count",
    "difference_total",
    "at_risk",
    "at_risk_currency",
    "retry_origin",
    "attempts",
    "effects",
    "unacknowledged_effects",
    "deadline",
    "overdue",
    "owner",
    "disposition",
    "group",
    "story",
];

/// `check --format csv` and `list --format csv`.
pub fn check(report: &Report<'_>, out: &mut Out<'_>) {
    out.text(&line(COLUMNS.iter().map(|c| (*c).to_owned())));
    for view in report.each_intent() {
        if out.stopped() {
            return;
        }
        out.text(&line(cells(report, &view)));
    }
}

/// One line with its line end; cells are quoted where they have to be.
pub(super) fn line(cells: impl IntoIterator<Item = String>) -> String {
    let mut text = String::new();
    for (at, cell) in cells.into_iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        if cell.contains([',', '"', '\n', '\r']) {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(&cell);
        }
    }
    text.push('\n');
    text
}

fn cells(report: &Report<'_>, view: &IntentView) -> [String; 33] {
    let j = &view.judgement;
    let mask = report.mask;
    let text = |text: &str| csv_text(&SafeText::new(text));
    let id = |id: &str| csv_text(&SafeText::id(&mask.id(id)));
    let read = j.rule != Rule::R01;
    let (expected_total, expected_currency) = one(report, j.expected);
    // A total beside a row that cannot be read would be taken for the whole.
    let readable = read && j.unreadable == 0;
    let (observed_total, observed_currency) =
        if readable { sums(report, &view.totals) } else { Default::default() };
    let (difference_total, _) = if read { sums(report, &view.difference) } else { Default::default() };
    let (at_risk, at_risk_currency) = many(report, &view.at_risk);
    let named = |rows: &mut dyn Iterator<Item = &EffectView>| {
        let mut ids: Vec<String> = Vec::new();
        for row in rows {
            let shown = SafeText::id(&mask.id(&row.name)).shown().into_owned();
            if !ids.contains(&shown) {
                ids.push(shown);
            }
        }
        crate::text::csv_guard(&ids.join(" "))
    };
    let own = || view.effects.iter().filter(|row| !row.reversal && !row.copy);
    let story = report.teller.tell(view, Place::List).text();
    [
        id(&view.intent_id),
        id(&view.operation_id),
        text(&view.kind),
        id(&view.business_id),
        text(&mask.party(&view.party)),
        j.verdict().to_owned(),
        j.label().to_owned(),
        j.class.word().to_owned(),
        j.severity.to_string(),
        j.state.map_or(String::new(), |s| s.word().to_owned()),
        j.divergent.to_string(),
        j.min.to_string(),
        j.max.to_string(),
        expected_total,
        expected_currency,
        only(read, j.gross),
        only(read, j.net),
        observed_total,
        observed_currency,
        if read { j.count_difference.to_string() } else { String::new() },
        difference_total,
        at_risk,
        at_risk_currency,
        j.origin.word().unwrap_or("").to_owned(),
        j.attempts.to_string(),
        named(&mut own()),
        named(&mut own().filter(|row| !row.acknowledged)),
        deadline(j),
        j.overdue.to_string(),
        String::new(),
        String::new(),
        report.group_of(&view.intent_id).unwrap_or("").to_owned(),
        text(&mask.text(&phrase::plain(&story))),
    ]
}

fn only(read: bool, number: u32) -> String {
    if read { number.to_string() } else { String::new() }
}

fn deadline(j: &Judgement) -> String {
    if j.deadline.is_none() { String::new() } else { rfc3339(j.deadline) }
}

/// Number and currency of one amount.
fn one(report: &Report<'_>, amount: Option<Money>) -> (String, String) {
    let cell = |m: Money| (plain_money(report.units, m), unit(report, m));
    amount.map_or((String::new(), String::new()), cell)
}

fn unit(report: &Report<'_>, m: Money) -> String {
    csv_text(&SafeText::new(report.units.text(m.unit)))
}

/// Number and currency; several currencies as `USD 1.00 EUR 2.00` in the column of the number.
fn sums(report: &Report<'_>, totals: &Totals) -> (String, String) {
    let all = sorted(report.units, totals);
    cell_of(report, &all)
}

fn many(report: &Report<'_>, amounts: &[Money]) -> (String, String) {
    let all: Vec<_> = amounts.iter().map(|m| (m.unit, Total::Exact(Wide::from(m.amount)))).collect();
    cell_of(report, &all)
}

fn cell_of(report: &Report<'_>, all: &[(crate::model::units::Unit, Total)]) -> (String, String) {
    match all {
        [] => (String::new(), String::new()),
        [(unit, total)] => (
            csv_number(&SafeText::new(&plain(report.units, *unit, *total))),
            csv_text(&SafeText::new(report.units.text(*unit))),
        ),
        several => {
            let named: Vec<String> = several
                .iter()
                .map(|(unit, total)| {
                    format!("{} {}", report.units.text(*unit), plain(report.units, *unit, *total))
                })
                .collect();
            (csv_text(&SafeText::new(&named.join(" "))), String::new())
        }
    }
}
