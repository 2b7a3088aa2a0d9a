//! The settlement report of `PayPal`: rows of several types, the first cell says which; amounts without sign and point, in the
//! smallest unit of their currency (the exponent of a currency is a setting: `exponent_override`).

use std::collections::HashMap;

use super::rows::{Header, LedgerReader, Line, Rows, Setup};
use super::words::dashed;
use crate::sources::spec::Negative;

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn LedgerReader> {
    Box::new(Report::default())
}

#[derive(Debug, Default)]
struct Report {
    header: Header,
    /// Rows and sums of credit and debit by currency, of the section at hand.
    rows: u64,
    sums: HashMap<String, [i128; 2]>,
    /// Rows of the report.
    all: u64,
    /// The last row that a report has was met.
    ended: bool,
}

/// The first cells of rows that frame a report.
const FRAME: [&str; 4] = ["RH", "FH", "SH", "FF"];
/// The rule of these rows.
const FRAMING: &str = "header or footer of the report";

/// Groups of event codes, and what they are; what is not listed is a movement of the balance.
const CODES: [(&str, &str); 5] =
    [("T1108", ""), ("T11", "refund"), ("T00", "payment"), ("T04", "payout"), ("T12", "chargeback")];

/// The rule of movements that are no effect of a call.
const BALANCE: &str = "fee, transfer or correction of the balance";

impl LedgerReader for Report {
    fn line(&mut self, line: &Line<'_>, rows: &mut Rows<'_>) {
        let kind = line.at(0).unwrap_or_default();
        match kind {
            "CH" => {
                let names: Vec<String> =
                    line.cells.iter().skip(1).map(|cell| cell.trim().to_owned()).collect();
                self.header = Header::new(&names);
                rows.skip(FRAMING);
            }
            "SB" => self.body(line, rows),
            "SF" | "SC" | "RF" | "RC" => {
                self.footer(kind, line, rows);
                rows.skip(FRAMING);
            }
            _ if FRAME.contains(&kind) => {
                self.ended = kind == "FF";
                rows.skip(FRAMING);
            }
            _ => rows.refuse("the first cell is no type of row that the report has"),
        }
    }

    fn end(&mut self, _: &mut Rows<'_>) -> Option<String> {
        (!self.ended).then(|| "the report has no footer: rows may be missing".to_owned())
    }
}

impl Report {
    fn body(&mut self, line: &Line<'_>, rows: &mut Rows<'_>) {
        let cells: Vec<std::borrow::Cow<'_, str>> = line.cells.iter().skip(1).cloned().collect();
        self.rows += 1;
        self.all += 1;
        let (there, wanted) = (cells.len(), self.header.names().len());
        if there < wanted {
            return rows.refuse(format!("too few columns: {there} of {wanted}"));
        }
        let line = Line { header: &self.header, cells: &cells };
        let mut row = rows.row_of(&line);
        let (amount, currency) =
            (line.get("Gross Transaction Amount"), line.get("Gross Transaction Currency"));
        let debit = line.get("Transaction Debit or Credit") == Some("DR");
        if let (Some(number), Some(currency)) = (amount.and_then(|text| text.parse::<i128>().ok()), currency)
        {
            let sums = self.sums.entry(currency.to_owned()).or_default();
            let [credits, debits] = sums;
            let sum = if debit { debits } else { credits };
            *sum = sum.saturating_add(number);
        }
        row.minor(amount).text("currency", currency).negative_is(Negative::Effect);
        let done = line.any(&["Transaction Completion Date", "Transaction Initiation Date"]);
        row.text("committed_at", done.map(dashed));
        let id = line.get("Transaction ID");
        row.text("effect_id", id).text("external_ref", line.get("Bank Reference ID"));
        row.operation(line.get("Custom Field")).link("party", line.get("Consumer ID").unwrap_or_default());
        let order = line.get("Invoice ID");
        row.described(order).link("order_id", order.unwrap_or_default());
        let code = line.get("Transaction Event Code").unwrap_or_default();
        let group = CODES.iter().find(|(begin, _)| code.starts_with(begin)).map_or("", |(_, kind)| *kind);
        let again = id.is_some_and(|id| !rows.first(&format!("{id}/{code}")));
        match group {
            _ if again => return rows.again(&row),
            "" => return rows.aside(BALANCE, &row),
            // A refund that comes back in.
            "refund" if !debit => {
                row.text("kind", Some("reversal")).text("reverses", line.get("PayPal Reference ID"));
            }
            kind => {
                row.text("kind", Some(kind));
            }
        }
        rows.effect(&row);
    }

    /// The totals of a section by currency, and the counts of its rows and of all rows.
    fn footer(&mut self, kind: &str, line: &Line<'_>, rows: &mut Rows<'_>) {
        let number = |at: usize| line.at(at).and_then(|text| text.parse::<i128>().ok());
        match (kind, line.at(1)) {
            ("SF", Some(currency)) if number(1).is_none() => {
                let [credits, debits] = self.sums.get(currency).copied().unwrap_or_default();
                for (stated, sum, word) in [(number(2), credits, "credits"), (number(3), debits, "debits")] {
                    if let Some(stated) = stated.filter(|stated| *stated != sum) {
                        rows.differs(format!(
                            "the report states {stated} {word} in {currency}, its rows add up to {sum}"
                        ));
                    }
                }
            }
            ("SC", _) => Self::count(number(1), self.rows, "the section", rows),
            ("RC", _) => Self::count(number(1), self.all, "the report", rows),
            _ => {}
        }
        if kind == "SC" {
            self.rows = 0;
            self.sums.clear();
        }
    }

    fn count(stated: Option<i128>, counted: u64, what: &str, rows: &mut Rows<'_>) {
        if let Some(stated) = stated.filter(|stated| *stated != i128::from(counted)) {
            rows.differs(format!("{what} states {stated} rows, it lists {counted}"));
        }
    }
}
