//! A row of the list as text, cell by cell, and how wide its cells are.

use crate::judge::view::{ListRow, RowKind};
use crate::model::time::Micros;
use crate::text::{cut_apart, width};
use crate::ui::columns::{Columns, Needs};
use crate::ui::shown::Shown;

/// A row as text, cell by cell.
pub struct Cells {
    pub row: ListRow,
    pub operation: String,
    pub covered: String,
    pub intended: Option<(String, String)>,
    pub ledger: Option<(String, String)>,
    pub risk: Option<(String, String)>,
    pub due: Option<(String, bool)>,
}

pub fn cells_of(shown: &Shown<'_>, row: ListRow) -> Cells {
    let covered = if row.covered_from.is_none() {
        String::new()
    } else {
        shown.day(row.covered_from).unwrap_or_else(|| shown.second(row.covered_from))
    };
    let assumed = |assumed: bool| if assumed { "~" } else { "" };
    let intended = row.intended.map(|(count, by_calls)| {
        let amount = row.intended_total.map_or("–".to_owned(), |(money, by_calls)| {
            format!("{}{}", assumed(by_calls), shown.number(money))
        });
        (format!("{}{count}", if count > 9 { "" } else { assumed(by_calls) }), amount)
    });
    let ledger = row.in_ledger.map(|(count, beyond)| {
        let amount = match &row.ledger_total {
            None => "–".to_owned(),
            Some(Ok(money)) => shown.number(*money),
            Some(Err(())) => "unreadable".to_owned(),
        };
        (format!("{count}{}", if beyond { "?" } else { "" }), amount)
    });
    let risk = risk(shown, &row);
    let due = due(shown, &row);
    Cells { operation: shown.id(&row.operation), covered, intended, ledger, risk, due, row }
}

/// Unit and amount at risk. A dash where no amount is known, nothing where nothing is judged.
fn risk(shown: &Shown<'_>, row: &ListRow) -> Option<(String, String)> {
    let more = if row.more_units > 0 { format!(" +{}", row.more_units) } else { String::new() };
    match row.at_risk {
        Some(money) => Some((shown.outside(shown.units.text(money.unit)), shown.number(money) + &more)),
        None if matches!(row.kind, RowKind::Intent(_) | RowKind::Group(_) | RowKind::Orphan(_)) => {
            Some((String::new(), "–".to_owned()))
        }
        None => None,
    }
}

/// The deadline, and whether it is past.
fn due(shown: &Shown<'_>, row: &ListRow) -> Option<(String, bool)> {
    use crate::model::time::span;
    if !row.stands.is_empty() {
        return Some((row.stands.to_owned(), true));
    }
    if row.deadline.is_none() || row.deadline == Micros::FOREVER {
        return None;
    }
    let left = row.deadline.since(shown.now);
    Some(if row.overdue {
        (format!("{} late", span(left)), true)
    } else {
        (format!("in {}", span(left)), false)
    })
}

pub fn needs(shown: &Shown<'_>, cells: &[Option<Cells>]) -> Needs {
    let cell = |text: &str| u16::try_from(width(text)).unwrap_or(u16::MAX);
    let mut needs = Needs::default();
    for cells in cells.iter().flatten() {
        let row = &cells.row;
        if !matches!(row.kind, RowKind::OrphansMore { .. }) {
            needs.operation = needs.operation.max(cell(&cells.operation));
        }
        let figure = |needs: &mut (u16, u16), figure: &Option<(String, String)>| {
            if let Some((count, amount)) = figure {
                // "unreadable" stands over both columns.
                let amount = if amount == "unreadable" { 0 } else { cell(amount) };
                *needs = (needs.0.max(cell(count)), needs.1.max(amount));
            }
        };
        figure(&mut needs.intended, &cells.intended);
        figure(&mut needs.ledger, &cells.ledger);
        if let Some((unit, amount)) = &cells.risk {
            needs.risk = (needs.risk.0.max(cell(unit)), needs.risk.1.max(cell(amount)));
        }
        if let Some((due, _)) = &cells.due {
            needs.due = needs.due.max(cell(due));
        }
        needs.intent = needs.intent.max(cell(&shown.id(&row.intent_id)));
        needs.kind = needs.kind.max(cell(&shown.outside(&row.noun)));
        needs.party = needs.party.max(cell(&shown.id(&row.party)));
    }
    needs
}

/// Operations that are too long lose what they share, never what tells them apart.
pub fn shorten(cells: &mut [Option<Cells>], columns: &Columns) {
    let room = usize::from(columns.operation.1 - columns.operation.0);
    let ids: Vec<String> = cells.iter().flatten().map(|cells| cells.operation.clone()).collect();
    if ids.iter().all(|id| width(id) <= room) {
        return;
    }
    for (cells, short) in cells.iter_mut().flatten().zip(cut_apart(&ids, room)) {
        cells.operation = short;
    }
}
