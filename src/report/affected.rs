//! The list of those affected: whom to write to, about which order, and what happened (`7-commands.md` 7.5.3,
//! `affected`). One row for each row of the list; no other field unless it is named.

use crate::judge::judgement::Class;
use crate::judge::rules::Rule;
use crate::judge::story::{Place, phrase};
use crate::judge::view::{IntentView, ListRow, RowKind};
use crate::model::money::Money;
use crate::model::time::rfc3339;
use crate::text::{SafeText, csv_text, markdown};

use super::csv::line;
use super::figures::{amounts, safe};
use super::out::Out;
use super::pen::Pen;
use super::{Report, intents_of};

/// One affected row with the intents behind it, in order of time.
struct Affected<'r> {
    report: &'r Report<'r>,
    row: ListRow,
    views: Vec<IntentView>,
}

/// A column: its name, and what stands in it. Texts are masked and not yet escaped.
pub struct Column {
    /// Its name.
    pub name: &'static str,
    of: fn(&Affected<'_>) -> String,
}

/// So many columns are always there.
const ALWAYS: usize = 5;

/// Every column; the first five are always there.
#[rustfmt::skip]
pub const COLUMNS: [Column; 17] = [
    Column { name: "party", of: |a| joined(a, |v| a.report.mask.party(&v.party)) },
    Column { name: "order", of: |a| joined(a, |v| a.report.mask.id(&v.business_id).into_owned()) },
    Column { name: "what", of: |a| a.row.words.clone() },
    Column { name: "amount", of: amount },
    Column { name: "status", of: status },
    Column { name: "intent", of: |a| joined(a, |v| a.report.mask.id(&v.intent_id).into_owned()) },
    Column { name: "operation", of: |a| joined(a, |v| a.report.mask.id(&v.operation_id).into_owned()) },
    Column { name: "kind", of: |a| joined(a, |v| a.report.mask.text(&v.kind)) },
    Column { name: "tool", of: |a| joined(a, |v| a.report.mask.text(&v.tool)) },
    Column { name: "verdict", of: |a| a.row.verdict.to_owned() },
    Column { name: "class", of: |a| a.row.class.map_or("note", Class::word).to_owned() },
    Column { name: "state", of: |a| joined(a, |v| v.judgement.state.map_or("", |s| s.word()).to_owned()) },
    Column { name: "effects", of: |a| joined(a, |v| rows(a.report, v)) },
    Column { name: "first", of: |a| a.views.iter().map(|v| v.judgement.since).find(|t| !t.is_none()).map_or(String::new(), rfc3339) },
    Column { name: "last", of: |a| a.views.iter().map(|v| v.judgement.last).filter(|t| !t.is_none()).max().map_or(String::new(), rfc3339) },
    Column { name: "story", of: |a| a.report.mask.text(&phrase::plain(&a.report.teller.tell_together(&a.views))) },
    Column { name: "next", of: |a| a.views.last().map_or(String::new(), |v| a.report.mask.text(&phrase::plain(&a.report.teller.tell(v, Place::Detail).next))) },
];

/// The names of the columns that may be asked for.
pub fn names() -> impl Iterator<Item = &'static str> {
    COLUMNS.iter().map(|column| column.name)
}

/// The columns of a list: those that are always there, and those that were named.
pub fn columns(named: &[&str]) -> Vec<&'static Column> {
    let wanted = |(at, column): &(usize, &Column)| *at < ALWAYS || named.contains(&column.name);
    COLUMNS.iter().enumerate().filter(wanted).map(|(_, column)| column).collect()
}

/// Different values of the intents of a row, once each.
fn joined(affected: &Affected<'_>, of: impl Fn(&IntentView) -> String) -> String {
    let mut values: Vec<String> = Vec::new();
    for value in affected.views.iter().map(of).filter(|value| !value.is_empty()) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values.join(" ")
}

fn rows(report: &Report<'_>, view: &IntentView) -> String {
    let counted = view.effects.iter().filter(|row| !row.copy && !row.reversal);
    counted.map(|row| report.mask.id(&row.name).into_owned()).collect::<Vec<_>>().join(" ")
}

/// What is at risk: of a group once.
fn risk(affected: &Affected<'_>) -> Vec<Money> {
    let money: Vec<Money> = match (&affected.row.kind, affected.views.as_slice()) {
        (RowKind::Intent(_), [view]) => view.at_risk.clone(),
        _ => affected.row.at_risk.into_iter().collect(),
    };
    money.into_iter().filter(|money| !money.amount.is_zero()).collect()
}

fn amount(affected: &Affected<'_>) -> String {
    let risk = risk(affected);
    if risk.is_empty() { String::new() } else { amounts(affected.report.units, &risk) }
}

/// Dispositions after which nobody is out of money (`3-lifecycle.md` 3.13).
const PUT_RIGHT: [&str; 4] = ["recovered", "corrected-at-provider", "corrected-in-books", "made-whole"];

/// Open, or put right: undone in the ledger, or closed with a disposition that still stands. A disposition that puts
/// nothing right (`written-off`) is named.
fn status(affected: &Affected<'_>) -> String {
    let undone = |view: &IntentView| view.judgement.rule == Rule::R06;
    if !affected.views.is_empty() && affected.views.iter().all(undone) {
        return "put right".to_owned();
    }
    let is_closed = |view: &&IntentView| !view.standing.closed_as.is_empty();
    let open = |view: &IntentView| !is_closed(&view) && view.at_risk.iter().any(|m| !m.amount.is_zero());
    if !affected.views.iter().any(|view| is_closed(&view)) || affected.views.iter().any(open) {
        return "open".to_owned();
    }
    let words: Vec<&str> =
        affected.views.iter().flat_map(|view| &view.standing.closed_as).map(String::as_str).collect();
    match words.iter().find(|word| !PUT_RIGHT.contains(word)) {
        Some(word) => format!("closed: {}", affected.report.mask.text(word)),
        None => "put right".to_owned(),
    }
}

/// The affected rows, in the order of the list. Rows without an intent name nobody.
fn each<'r>(report: &'r Report<'r>) -> impl Iterator<Item = Affected<'r>> {
    report.each_row().filter_map(move |row| {
        let mut views: Vec<IntentView> =
            intents_of(&row).iter().filter_map(|no| report.intents.view(*no)).collect();
        views.sort_by_key(|view| (view.judgement.since, view.handle));
        (!views.is_empty()).then_some(Affected { report, row, views })
    })
}

/// As CSV, the default.
pub fn csv(report: &Report<'_>, columns: &[&Column], out: &mut Out<'_>) {
    out.text(&line(columns.iter().map(|column| column.name.to_owned())));
    for affected in each(report) {
        if out.stopped() {
            return;
        }
        out.text(&line(columns.iter().map(|column| csv_text(&SafeText::new(&(column.of)(&affected))))));
    }
}

/// `recount.affected.v1`: amounts in minor units, everything else as texts.
pub fn json(report: &Report<'_>, columns: &[&Column], out: &mut Out<'_>) {
    let mut pen = Pen::new();
    pen.open("{");
    pen.name("schema").text("recount.affected.v1");
    pen.name("now").text(&rfc3339(report.summary.now));
    pen.name("affected").open("[");
    for affected in each(report) {
        pen.new_line();
        pen.object(|pen| {
            for column in columns {
                pen.name(column.name);
                if column.name == "amount" {
                    super::json::amounts(pen, report.units, &risk(&affected));
                } else {
                    pen.text_or_null(&(column.of)(&affected));
                }
            }
        });
        out.text(&pen.take());
        if out.stopped() {
            return;
        }
    }
    pen.close_lines("]");
    pen.close("}");
    out.line(&pen.take());
}

/// As a table of Markdown.
pub fn table(report: &Report<'_>, columns: &[&Column], out: &mut Out<'_>) {
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    out.line(&format!("| {} |", names.join(" | ")));
    out.line(&format!("|{}", "---|".repeat(columns.len())));
    for affected in each(report) {
        if out.stopped() {
            return;
        }
        let cells = columns.iter().map(|column| markdown(&SafeText::new(&(column.of)(&affected))));
        out.line(&format!("| {} |", cells.collect::<Vec<_>>().join(" | ")));
    }
}

/// One line for each affected row, for people.
pub(super) fn lines(report: &Report<'_>) -> impl Iterator<Item = String> {
    each(report).map(|affected| {
        let cells = COLUMNS.iter().take(ALWAYS).map(|column| safe(&(column.of)(&affected)));
        let cells: Vec<String> = cells.filter(|cell| !cell.is_empty()).collect();
        cells.join("   ")
    })
}

#[cfg(test)]
mod tests {
    use super::super::out::tests::printed;
    use super::super::sample::Sample;
    use super::*;

    #[test]
    fn five_columns_and_no_other_field() {
        let sample = Sample::refunds();
        let text = printed(|out| csv(&sample.report(), &columns(&[]), out));
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("party,order,what,amount,status"));
        assert_eq!(lines.next(), Some("cust_88,order:1234,happened twice,USD 200.00,open"));
        assert_eq!(text.lines().count(), 7, "a pair is one row, a row without an attempt none: {text}");
        assert!(!text.contains("int_9876") && !text.contains("refund:order_1234"));
    }

    #[test]
    fn a_pair_counts_its_money_once() {
        let sample = Sample::refunds();
        let text = printed(|out| csv(&sample.report(), &columns(&["intent"]), out));
        let pair = text.lines().find(|line| line.contains("int_6001")).unwrap();
        assert!(pair.ends_with(",USD 200.00,open,int_6001 int_6002"), "{pair}");
    }

    #[test]
    fn people_are_masked_and_formulas_guarded() {
        let mut sample = Sample::refunds();
        sample.table.views[0].party = "=cmd()@example.com".into();
        sample.table.views[0].business_id = "=1+1".into();
        let text = printed(|out| csv(&sample.report(), &columns(&[]), out));
        let line = text.lines().nth(1).unwrap();
        assert!(line.starts_with("party-") && line.contains(",'=1+1,"), "{line}");
    }

    #[test]
    fn a_closed_item_is_put_right_or_named_by_its_word() {
        let with = |words: &[&str]| {
            let mut sample = Sample::refunds();
            sample.table.views[0].standing.closed_as = words.iter().map(|word| (*word).to_owned()).collect();
            let text = printed(|out| csv(&sample.report(), &columns(&[]), out));
            text.lines().nth(1).unwrap().rsplit(',').next().unwrap().to_owned()
        };
        assert_eq!(with(&[]), "open");
        for word in PUT_RIGHT {
            assert_eq!(with(&[word]), "put right");
        }
        assert_eq!(with(&["recovered", "written-off"]), "closed: written-off");
        assert_eq!(with(&["known-test"]), "closed: known-test");
    }

    #[test]
    fn put_right_is_what_was_undone() {
        let mut sample = Sample::refunds();
        sample.table.views[0].judgement.rule = Rule::R06;
        let text = printed(|out| json(&sample.report(), &columns(&[]), out));
        let whole: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(whole["schema"], "recount.affected.v1");
        assert_eq!(whole["affected"][0]["status"], "put right");
        assert_eq!(
            whole["affected"][0]["amount"],
            serde_json::json!([{ "currency": "USD", "minor": 20000 }])
        );
        assert_eq!(whole["affected"][1]["status"], "open");
    }
}
