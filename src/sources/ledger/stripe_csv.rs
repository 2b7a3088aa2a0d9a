//! Stripe's CSV reports: the itemized change of the balance (with commas or semicolons, points or decimal commas), the
//! balance history, and the export of payments, which has only totals.

use super::rows::{LedgerReader, LedgerRow, Line, Rows, Setup};
use super::stripe;
use super::words::decimal;
use crate::sources::spec::Negative;

/// A reader.
pub fn reader(setup: &Setup) -> Box<dyn LedgerReader> {
    let payments = setup.header.has(REFUNDED);
    Box::new(Report { payments, comma: setup.separator != b',' })
}

#[derive(Debug)]
struct Report {
    /// The export of payments.
    payments: bool,
    /// Decimals stand behind a comma.
    comma: bool,
}

/// What was refunded of a payment in all.
const REFUNDED: &str = "Amount Refunded";

/// The rule of payments that say only what was refunded in all.
const TOTAL: &str = "total of a payment, no single refund";
/// A payout that Stripe makes by itself is no effect of a call.
const AUTOMATIC: &str = "automatic payout of the balance";

/// Columns that hold metadata: how their names begin and end.
const METADATA: [(&str, &str); 4] =
    [("refund_metadata[", "]"), ("payment_metadata[", "]"), ("metadata[", "]"), ("", " (metadata)")];

impl LedgerReader for Report {
    fn line(&mut self, line: &Line<'_>, rows: &mut Rows<'_>) {
        let mut row = rows.row_of(line);
        for (begin, end) in METADATA {
            for (name, value) in line.between(begin, end) {
                row.meta_text(name, value);
            }
        }
        row.text("currency", line.any(&["currency", "Currency"]));
        if self.payments {
            row.text("effect_id", line.get("id"))
                .major(line.get(REFUNDED).map(|text| decimal(text, self.comma)));
            row.text("committed_at", line.any(&["Created date (UTC)", "Created (UTC)"]).map(utc));
            row.described(line.any(&["Description"]));
            return rows.aside(TOTAL, &row);
        }
        let aside = self.movement(line, &mut row);
        let again = line.any(&["balance_transaction_id", "id"]).is_some_and(|id| !rows.first(id));
        match aside {
            _ if again => rows.again(&row),
            Some(rule) => rows.aside(rule, &row),
            None => rows.effect(&row),
        }
    }

    fn end(&mut self, _: &mut Rows<'_>) -> Option<String> {
        self.payments.then(|| "it has the total of each payment, not its single refunds".to_owned())
    }
}

impl Report {
    /// A movement of the balance, under the id of what was moved.
    fn movement(&self, line: &Line<'_>, row: &mut LedgerRow) -> Option<&'static str> {
        row.negative_is(Negative::Effect);
        row.major(line.any(&["gross", "Amount"]).map(|text| decimal(text, self.comma)));
        let created = line.any(&["created_utc", "Created (UTC)"]).map(utc);
        row.text("committed_at", created.or_else(|| line.any(&["created", "Created"]).map(str::to_owned)));
        let own = line.any(&["balance_transaction_id", "id"]).unwrap_or_default();
        let source = line.any(&["source_id", "Source"]).unwrap_or(own);
        let category = line.any(&["reporting_category", "Type"]).unwrap_or_default();
        let aside = stripe::moved(row, category, source);
        let reversal = stripe::movement(category) == stripe::Movement::Reversal;
        row.text("effect_id", Some(if reversal { own } else { source })).text("external_ref", Some(own));
        row.described(line.any(&["description", "Description"]));
        row.link("customer", line.any(&["customer_id"]).unwrap_or_default());
        row.link("payment_id", line.any(&["payment_intent_id", "charge_id"]).unwrap_or_default());
        let automatic = line.any(&["automatic_payout_id"]) == Some(source) && category == "payout";
        aside.or(automatic.then_some(AUTOMATIC))
    }
}

/// A time of a column that says that it is in UTC.
fn utc(time: &str) -> String {
    let zoned = time.ends_with('Z') || time.get(11..).is_some_and(|rest| rest.contains(['+', '-']));
    if zoned { time.to_owned() } else { format!("{time}Z") }
}
