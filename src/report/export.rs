//! A list as it is looked at, in a file of its own: its rows with the filter, the order and the read positions they rest
//! on (`7-commands.md` 7.5.3, `export`; `e` on the screen). Nothing in it is masked less than on the screen.

use crate::judge::judgement::Class;
use crate::judge::view::ListRow;
use crate::model::money::Money;
use crate::model::row::State;
use crate::model::time::{Micros, rfc3339};
use crate::text::{SafeText, csv_text, markdown};

use super::Report;
use super::csv::line;
use super::figures::plain_money;
use super::json;
use super::out::Out;
use super::pen::Pen;

/// What is exported beside the case: which rows, and how they were chosen.
pub struct View<'v> {
    /// The rows, in their order.
    pub rows: Box<dyn Iterator<Item = ListRow> + 'v>,
    /// How many they are.
    pub shown: usize,
    /// Rows of the list without any filter.
    pub all: usize,
    /// The filter as it was typed; empty is none. Raw.
    pub filter: String,
    /// The order.
    pub sort: String,
}

/// A column of the file: its name, and what stands in it. Texts are masked and not yet escaped.
pub struct Column {
    /// Its name.
    pub name: &'static str,
    of: fn(&Report<'_>, &ListRow) -> String,
}

/// Every column. Where none are named all of them are written.
#[rustfmt::skip]
pub const COLUMNS: [Column; 22] = [
    Column { name: "mark", of: |_, row| row.mark.clone() },
    Column { name: "what", of: |_, row| row.words.clone() },
    Column { name: "label", of: |_, row| row.label.to_owned() },
    Column { name: "verdict", of: |_, row| row.verdict.to_owned() },
    Column { name: "class", of: |_, row| row.class.map_or("note", Class::word).to_owned() },
    Column { name: "severity", of: |_, row| row.severity.to_string() },
    Column { name: "operation", of: |report, row| report.mask.id(&row.operation).into_owned() },
    Column { name: "intent", of: |report, row| report.mask.id(&row.intent_id).into_owned() },
    Column { name: "kind", of: |report, row| report.mask.text(&row.noun) },
    Column { name: "party", of: |report, row| report.mask.party(&row.party) },
    Column { name: "state", of: |_, row| row.record.map_or("", State::word).to_owned() },
    Column { name: "divergent", of: |_, row| row.divergent.to_string() },
    Column { name: "intended_count", of: |_, row| row.intended.map_or(String::new(), |(count, _)| count.to_string()) },
    Column { name: "intended_total", of: |report, row| money(report, row.intended_total.map(|(total, _)| total)) },
    Column { name: "ledger_count", of: |_, row| row.in_ledger.map_or(String::new(), |(count, _)| count.to_string()) },
    Column { name: "ledger_total", of: |report, row| ledger(report, row) },
    Column { name: "at_risk", of: |report, row| money(report, row.at_risk) },
    Column { name: "currency", of: |report, row| currency(report, row) },
    Column { name: "first", of: |_, row| time(row.since) },
    Column { name: "covered_from", of: |_, row| time(row.covered_from) },
    Column { name: "due", of: |_, row| time(row.deadline) },
    Column { name: "overdue", of: |_, row| row.overdue.to_string() },
];

/// Columns of CSV behind those of the rows, the same in every row, so that a row says what it was chosen by.
const CHOSEN: [&str; 3] = ["filter", "sort", "read"];

/// The columns of these names, in their order; all where none are named.
///
/// # Errors
/// The first name that is none.
pub fn columns(named: &[&str]) -> Result<Vec<&'static Column>, String> {
    if named.is_empty() {
        return Ok(COLUMNS.iter().collect());
    }
    let one =
        |name: &&str| COLUMNS.iter().find(|column| column.name == *name).ok_or_else(|| (*name).to_owned());
    named.iter().map(one).collect()
}

fn time(at: Micros) -> String {
    if at.is_none() { String::new() } else { rfc3339(at) }
}

fn money(report: &Report<'_>, money: Option<Money>) -> String {
    money.map_or(String::new(), |money| plain_money(report.units, money))
}

fn ledger(report: &Report<'_>, row: &ListRow) -> String {
    match row.ledger_total {
        Some(Err(())) => "unreadable".to_owned(),
        Some(Ok(total)) => plain_money(report.units, total),
        None => String::new(),
    }
}

fn currency(report: &Report<'_>, row: &ListRow) -> String {
    let ledger = row.ledger_total.and_then(Result::ok);
    let unit = row.intended_total.map(|(total, _)| total).or(ledger).or(row.at_risk).map(|money| money.unit);
    unit.map_or(String::new(), |unit| report.units.text(unit).to_owned())
}

/// How far each source was read, in one line.
pub fn read_positions(report: &Report<'_>) -> String {
    let one = |source: &crate::judge::view::SourceView| {
        let path = report.mask.text(&source.path);
        if source.error.is_some() {
            return format!("{path} not read");
        }
        let mut words = path;
        if let Some(at) = source.read_at {
            words.push_str(&format!(" read {}", rfc3339(at)));
        }
        if !source.position.is_empty() {
            words.push_str(&format!(" to {}", source.position));
        }
        if let Some(newest) = source.newest {
            words.push_str(&format!(", newest {}", rfc3339(newest)));
        }
        words
    };
    report.sources.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// As CSV.
pub fn csv(report: &Report<'_>, view: View<'_>, columns: &[&Column], out: &mut Out<'_>) {
    let heads = columns.iter().map(|column| column.name).chain(CHOSEN);
    out.text(&line(heads.map(str::to_owned)));
    let chosen = [view.filter, view.sort, read_positions(report)].map(|text| guarded(&text));
    for row in view.rows {
        if out.stopped() {
            return;
        }
        let cells = columns.iter().map(|column| guarded(&(column.of)(report, &row)));
        out.text(&line(cells.chain(chosen.clone())));
    }
}

/// A cell that no sheet takes for a formula.
fn guarded(text: &str) -> String {
    csv_text(&SafeText::new(text))
}

/// `recount.export.v1`.
pub fn json(report: &Report<'_>, view: View<'_>, out: &mut Out<'_>) {
    let mut pen = Pen::new();
    pen.open("{");
    pen.name("schema").text("recount.export.v1");
    head(report, &view, &mut pen);
    pen.name("rows").open("[");
    for row in view.rows {
        if out.stopped() {
            return;
        }
        pen.new_line();
        pen.object(|pen| json::list_members(report, &row, pen));
        out.text(&pen.take());
    }
    pen.close_lines("]");
    pen.close("}");
    out.line(&pen.take());
}

/// JSON lines: first what the rows were chosen by, then one row a line.
pub fn jsonl(report: &Report<'_>, view: View<'_>, out: &mut Out<'_>) {
    let mut pen = Pen::new();
    pen.object(|pen| {
        pen.name("type").text("view");
        head(report, &view, pen);
    });
    pen.end_line();
    out.text(&pen.take());
    for row in view.rows {
        if out.stopped() {
            return;
        }
        json::list_line(report, &row, &mut pen);
        pen.end_line();
        out.text(&pen.take());
    }
}

fn head(report: &Report<'_>, view: &View<'_>, pen: &mut Pen) {
    pen.name("now").text(&rfc3339(report.summary.now));
    pen.name("clock").text(if report.summary.clock_fixed { "fixed" } else { "real" });
    pen.name("filter").text_or_null(&view.filter);
    pen.name("sort").text(&view.sort);
    pen.name("shown").number(view.shown);
    pen.name("all").number(view.all);
    pen.name("sources");
    json::source_array(report, pen);
}

/// As Markdown: what the rows were chosen by, then a table.
pub fn table(report: &Report<'_>, view: View<'_>, columns: &[&Column], out: &mut Out<'_>) {
    let cell = |text: &str| markdown(&SafeText::new(text));
    let filter = if view.filter.is_empty() { "none" } else { &view.filter };
    out.line(&format!("- rows: {} of {}", view.shown, view.all));
    out.line(&format!("- filter: {}", cell(filter)));
    out.line(&format!("- sort: {}", cell(&view.sort)));
    out.line(&format!("- read: {}", cell(&read_positions(report))));
    let fixed = if report.summary.clock_fixed { ", fixed" } else { "" };
    out.line(&format!("- clock: {}{fixed}\n", cell(&rfc3339(report.summary.now))));
    let heads: Vec<&str> = columns.iter().map(|column| column.name).collect();
    out.line(&format!("| {} |", heads.iter().map(|head| cell(head)).collect::<Vec<_>>().join(" | ")));
    out.line(&format!("|{}", "---|".repeat(heads.len())));
    for row in view.rows {
        if out.stopped() {
            return;
        }
        let cells: Vec<String> = columns.iter().map(|column| cell(&(column.of)(report, &row))).collect();
        out.line(&format!("| {} |", cells.join(" | ")));
    }
}
