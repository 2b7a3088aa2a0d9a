//! Adyen's settlement details: debit and credit in columns of their own, the zone in a column too.

use super::rows::{LedgerReader, Line, Rows, Setup};
use super::words::{decimal, in_zone};

/// A reader.
pub fn reader(setup: &Setup) -> Box<dyn LedgerReader> {
    Box::new(Settlement { comma: setup.separator != b',' })
}

#[derive(Debug)]
struct Settlement {
    comma: bool,
}

/// What the types of rows are.
const TYPES: [(&str, &str); 10] = [
    ("Settled", "payment"),
    ("SettledExternally", "payment"),
    ("SettledReversed", "payment_reversal"),
    ("Refunded", "refund"),
    ("RefundedExternally", "refund"),
    ("RefundedReversed", "refund_reversal"),
    ("Chargeback", "chargeback"),
    ("SecondChargeback", "chargeback"),
    ("ChargebackReversed", "chargeback_reversal"),
    ("ChargebackExternally", "chargeback"),
];

/// The column that tells modifications of one payment apart. Reports may be configured without it.
const MODIFICATION: &str = "Modification Reference";

/// The rule of rows that are about the balance.
const BALANCE: &str = "payout, fee or correction of the balance";

impl LedgerReader for Settlement {
    fn line(&mut self, line: &Line<'_>, rows: &mut Rows<'_>) {
        let mut row = rows.row_of(line);
        let kind = TYPES.iter().find(|(name, _)| line.get("Type") == Some(name)).map(|(_, kind)| *kind);
        let (gross, net) = (["Gross Debit (GC)", "Gross Credit (GC)"], ["Net Debit (NC)", "Net Credit (NC)"]);
        let (columns, unit) = match line.any(&gross) {
            None if kind.is_none() => (net, "Net Currency"),
            _ => (gross, "Gross Currency"),
        };
        row.major(line.any(&columns).map(|text| decimal(text, self.comma))).text("currency", line.get(unit));
        let date = line.any(&["Creation Date", "Booking Date"]);
        row.text("committed_at", date.map(|date| in_zone(date, line.get("TimeZone"))));
        let (payment, modification) = (line.get("Psp Reference"), line.get(MODIFICATION));
        row.operation(line.get("Modification Merchant Reference"));
        let order = line.get("Merchant Reference");
        row.described(order).link("order_id", order.unwrap_or_default());
        let Some(kind) = kind else { return rows.aside(BALANCE, &row) };
        if kind.ends_with("_reversal") {
            // The reference of what is taken back stands where its own would.
            row.text("kind", Some("reversal")).text("reverses", modification.or(payment));
        } else {
            // Refunds of one payment have its reference in common, so have the captures where no column tells them apart.
            let alone = kind == "payment" && line.header.has(MODIFICATION);
            row.text("kind", Some(kind)).text("effect_id", modification.or(payment.filter(|_| alone)));
        }
        rows.effect(&row);
    }

    fn end(&mut self, _: &mut Rows<'_>) -> Option<String> {
        Some("a settlement report has what was settled in its batches; what is not in it may stand in the next".to_owned())
    }
}
