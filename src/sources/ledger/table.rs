//! The ledgers of other systems, one row each: how a file of it is recognised, cut into records, and read; and the rules
//! by which its records are no effects of their own, which are said with every source.
//!
//! A new format is one row here and one file beside this one.

use super::rows::{Header, LedgerReader, Setup};
use crate::sources::trace::table::SeeText;

/// How a source of a format is cut into records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// JSON: lines, an array, pretty-printed or concatenated values; what stands in one of these lists of an object is
    /// taken out of it.
    Json(&'static [&'static str]),
    /// A table with a header line, cells between commas, semicolons, tabs or bars.
    Table,
    /// Lines of cells between commas without a header, which may be of different lengths.
    Cells,
    /// Lines of text.
    Text,
}

/// Makes a reader of a format.
pub type Make = fn(&Setup) -> Box<dyn LedgerReader>;

/// One format.
#[derive(Debug, Clone, Copy)]
pub struct LedgerFormat {
    /// Its name (`7-commands.md` 7.5.9).
    pub name: &'static str,
    /// Paths that one of the first records has, any of these lists; `path=value` asks for the value too.
    pub marks: &'static [&'static [&'static str]],
    /// Columns that its header has, any of these lists.
    pub headers: &'static [&'static [&'static str]],
    /// For text: what is seen in the first lines, in words.
    pub text: Option<SeeText>,
    /// How it is cut.
    pub shape: Shape,
    /// The rule by which several records are one effect (`1-model.md` 1.4.3).
    pub again: &'static str,
    /// What is no effect in it, what is on its way, what is a later state, and what was taken for granted.
    pub rules: &'static [&'static str],
    /// Field of the model and where it stands.
    pub fields: &'static [(&'static str, &'static str)],
    /// Makes a reader.
    pub reader: Make,
}

/// Where a list stands in an answer that was saved as it came.
const DATA: Shape = Shape::Json(&["data"]);

/// All of them. The order matters: what is more particular comes first.
pub const LEDGERS: &[LedgerFormat] = &[
    LedgerFormat {
        name: "cloudtrail",
        marks: &[
            &["Records.[].eventSource"],
            &["eventSource", "eventName", "eventTime"],
            &["detail.eventSource", "detail.eventName"],
        ],
        headers: &[],
        text: None,
        shape: Shape::Json(&["Records", "data"]),
        again: "another record of the same resource",
        rules: &[
            "a call with an error made nothing; one that only reads is set aside; eventTime is when it completed",
            "what is made is known by the id in the answer, another call by its request id; one event id counts once",
        ],
        fields: &[
            ("effect_id", "responseElements"),
            ("key", "requestParameters.clientToken"),
            ("external_ref", "requestID"),
            ("kind", "eventName"),
            ("committed_at", "eventTime"),
            ("status", "errorCode"),
        ],
        reader: super::cloudtrail::reader,
    },
    LedgerFormat {
        name: "stripe-events",
        marks: &[&["object=event"], &["object=v2.core.event"]],
        headers: &[],
        text: None,
        shape: DATA,
        again: "another event of the same object",
        rules: &[
            "objects are counted, not events; the state of an object is that of its latest event; one event id counts once",
            "charge.refunded is set aside: it is of the charge, with what was refunded in all; a failed refund is no effect",
            "the key is that of the request that made the object; ISK and UGX count hundredths here",
        ],
        fields: &[
            ("operation_id", "data.object.metadata.operation_id"),
            ("key", "request.idempotency_key"),
            ("business_id", "data.object.metadata.order_id"),
            ("amount_minor", "data.object.amount"),
            ("currency", "data.object.currency"),
            ("effect_id", "data.object.id"),
            ("committed_at", "data.object.created"),
            ("status", "data.object.status"),
            ("kind", "data.object.object"),
            ("external_ref", "data.object.balance_transaction"),
        ],
        reader: super::stripe_events::reader,
    },
    LedgerFormat {
        name: "stripe-list",
        marks: &[
            &["object=list"],
            &["object=search_result"],
            &["object=balance_transaction"],
            &["object=refund", "charge"],
            &["object=refund", "payment_intent"],
            &["object=charge", "amount_refunded"],
            &["object=payout", "arrival_date"],
        ],
        headers: &[],
        text: None,
        shape: DATA,
        again: "another record of the same object",
        rules: &[
            "has_more: true says that pages are missing: then no absence is proven",
            "a failed refund is no effect; in the balance it stands twice, and the second row is its later state",
            "movements of the balance stand below zero where money goes out; fees, taxes and adjustments are set aside",
            "the order is taken from the metadata, else from a description; ISK and UGX count hundredths here",
        ],
        fields: &[
            ("operation_id", "metadata.operation_id"),
            ("business_id", "metadata.order_id"),
            ("amount_minor", "amount"),
            ("currency", "currency"),
            ("effect_id", "id"),
            ("committed_at", "created"),
            ("status", "status"),
            ("kind", "object"),
            ("external_ref", "balance_transaction"),
        ],
        reader: super::stripe_list::reader,
    },
    LedgerFormat {
        name: "ses",
        marks: &[
            &["eventType", "mail"],
            &["notificationType", "mail"],
            &["detail.eventType", "detail.mail"],
            &["Message", "TopicArn"],
        ],
        headers: &[],
        text: None,
        shape: DATA,
        again: "later state of the same mail",
        rules: &[
            "a send is an effect; deliveries, delays, opens, clicks and complaints are later states of it",
            "a mail that bounced was sent and came back; one that was rejected was never sent",
        ],
        fields: &[
            ("operation_id", "mail.headers or mail.tags"),
            ("effect_id", "mail.messageId"),
            ("committed_at", "mail.timestamp"),
            ("status", "eventType"),
        ],
        reader: super::ses::reader,
    },
    LedgerFormat {
        name: "sendgrid",
        marks: &[&["sg_event_id"], &["sg_message_id", "event"]],
        headers: &[],
        text: None,
        shape: DATA,
        again: "later state of the same mail",
        rules: &[
            "processed is an effect; deferred, delivered, opens and clicks are later states of it; one sg_event_id counts once",
            "a mail that bounced or was blocked was sent and came back; one that was dropped was never sent",
            "a mail is known by its message id up to the first point",
        ],
        fields: &[
            ("operation_id", "operation_id or unique_args"),
            ("effect_id", "sg_message_id"),
            ("committed_at", "timestamp"),
            ("status", "event"),
            ("party", "email"),
        ],
        reader: super::sendgrid::reader,
    },
    LedgerFormat {
        name: "tigerbeetle",
        marks: &[&["transfer", "debit_account"], &["transfer.id", "ledger"]],
        headers: &[],
        text: None,
        shape: DATA,
        again: "later state of the same transfer",
        rules: &[
            "a pending transfer is on its way; what is posted, voided or expired of it is its later state",
            "the id of a transfer is its key; the same event again is set aside",
            "the number of a ledger is read as that of a currency (ISO 4217); user_data_64, else user_data_128, as the order",
        ],
        fields: &[
            ("key", "transfer.id"),
            ("business_id", "transfer.user_data_64"),
            ("amount_minor", "transfer.amount"),
            ("currency", "ledger"),
            ("effect_id", "transfer.id or transfer.pending_id"),
            ("committed_at", "timestamp"),
            ("status", "type"),
        ],
        reader: super::tigerbeetle::reader,
    },
    LedgerFormat {
        name: "formance",
        marks: &[
            &["idempotencyKey", "hash"],
            &["data.transaction.postings"],
            &["type", "data", "date", "hash"],
            &["postings", "reverted"],
        ],
        headers: &[],
        text: None,
        shape: Shape::Json(&["data", "cursor.data"]),
        again: "another entry of the same transaction",
        rules: &[
            "a transaction is one effect, whatever postings it has; metadata is set aside; one log entry counts once",
            "REVERTED_TRANSACTION takes back the transaction that it names; the scale of an amount is in its asset",
        ],
        fields: &[
            ("key", "idempotencyKey"),
            ("business_id", "data.transaction.metadata"),
            ("amount", "data.transaction.postings"),
            ("currency", "data.transaction.postings"),
            ("effect_id", "data.transaction.id"),
            ("committed_at", "date"),
            ("reverses", "data.revertedTransactionID"),
            ("external_ref", "data.transaction.reference"),
        ],
        reader: super::formance::reader,
    },
    LedgerFormat {
        name: "blnk",
        marks: &[&["precise_amount", "reference"], &["transaction_id", "precision", "reference"]],
        headers: &[],
        text: None,
        shape: DATA,
        again: "later state of the same transaction",
        rules: &[
            "QUEUED, SCHEDULED and INFLIGHT are on their way; what is applied of them is their later state",
            "a transaction with the sides of its parent swapped takes it back; VOID and REJECTED are no effects",
        ],
        fields: &[
            ("key", "reference"),
            ("business_id", "meta_data"),
            ("amount", "precise_amount and precision"),
            ("currency", "currency"),
            ("effect_id", "transaction_id or parent_transaction"),
            ("committed_at", "created_at"),
            ("status", "status"),
        ],
        reader: super::blnk::reader,
    },
    LedgerFormat {
        name: "stripe-csv",
        marks: &[],
        headers: &[
            &["balance_transaction_id", "reporting_category"],
            &["reporting_category", "gross"],
            &["Created date (UTC)", "Amount Refunded"],
            &["Created (UTC)", "Amount Refunded"],
            &["id", "Type", "Source", "Created (UTC)"],
        ],
        text: None,
        shape: Shape::Table,
        again: "another row of the same object",
        rules: &[
            "amounts below zero are money that goes out; a row of a failed refund is its later state",
            "fees, taxes, adjustments and automatic payouts are set aside; the order is taken from the metadata, else from a description",
            "the export of payments has only what was refunded in all: its rows are set aside and no absence is proven",
        ],
        fields: &[
            ("business_id", "refund_metadata[order_id]"),
            ("amount", "gross"),
            ("currency", "currency"),
            ("effect_id", "source_id"),
            ("committed_at", "created_utc"),
            ("kind", "reporting_category"),
            ("external_ref", "balance_transaction_id"),
        ],
        reader: super::stripe_csv::reader,
    },
    LedgerFormat {
        name: "adyen",
        marks: &[],
        headers: &[&["Psp Reference", "Merchant Reference"]],
        text: None,
        shape: Shape::Table,
        again: "another row of the same modification",
        rules: &[
            "payouts, fees and corrections of the balance are set aside; what was reversed takes back what it names",
            "a time has the zone of its column; Merchant Reference is read as the order",
            "a report has what was settled in its batches: what is not in it may stand in the next, so no absence is proven",
        ],
        fields: &[
            ("operation_id", "Modification Merchant Reference"),
            ("business_id", "Merchant Reference"),
            ("amount", "Gross Debit (GC) or Gross Credit (GC)"),
            ("currency", "Gross Currency"),
            ("effect_id", "Modification Reference"),
            ("committed_at", "Creation Date and TimeZone"),
            ("kind", "Type"),
        ],
        reader: super::adyen::reader,
    },
    LedgerFormat {
        name: "cur",
        marks: &[],
        headers: &[
            &["lineItem/ResourceId", "lineItem/LineItemType"],
            &["lineItem/UsageStartDate", "identity/LineItemId"],
            &["line_item_usage_start_date", "identity_line_item_id"],
            &["line_item_resource_id", "line_item_line_item_type"],
        ],
        text: None,
        shape: Shape::Table,
        again: "another line of the same resource",
        rules: &[
            "a resource is one effect, whatever lines it has; taxes, fees, credits and discounts are set aside",
            "what a resource costs grows on and is no amount of its making",
        ],
        fields: &[
            ("operation_id", "tag operation_id"),
            ("effect_id", "lineItem/ResourceId"),
            ("committed_at", "lineItem/UsageStartDate"),
            ("kind", "lineItem/Operation"),
        ],
        reader: super::cur::reader,
    },
    LedgerFormat {
        name: "hledger",
        marks: &[],
        headers: &[&["txnidx", "posting-status"], &["txnidx", "account", "amount"]],
        text: None,
        shape: Shape::Table,
        again: "another booking of the same transaction",
        rules: BOOKS,
        fields: &[
            ("key", "tag key in comment"),
            ("business_id", "description"),
            ("amount", "amount"),
            ("currency", "commodity"),
            ("committed_at", "date"),
            ("status", "status"),
            ("external_ref", "code"),
        ],
        reader: super::plain_text::hledger,
    },
    LedgerFormat {
        name: "beancount",
        marks: &[],
        headers: &[
            &["narration", "position"],
            &["narration", "account"],
            &["account", "position"],
            &["account", "units(position)"],
        ],
        text: None,
        shape: Shape::Table,
        again: "another booking of the same transaction",
        rules: BOOKS,
        fields: &[
            ("business_id", "narration"),
            ("amount", "position"),
            ("currency", "position"),
            ("committed_at", "date"),
            ("external_ref", "ref"),
        ],
        reader: super::plain_text::beancount,
    },
    LedgerFormat {
        name: "paypal",
        marks: &[],
        headers: &[],
        text: Some(paypal),
        shape: Shape::Cells,
        again: "another row of the same transaction",
        rules: &[
            "codes T11 are refunds, T00 payments, T04 payouts, T12 chargebacks; other movements are set aside",
            "amounts have no sign and no point: DR and CR say the sign, the currency the exponent (exponent_override)",
            "Custom Field is read as the operation id, Invoice ID as the order; totals and counts of the report are compared",
        ],
        fields: &[
            ("operation_id", "Custom Field"),
            ("business_id", "Invoice ID"),
            ("amount_minor", "Gross Transaction Amount"),
            ("currency", "Gross Transaction Currency"),
            ("effect_id", "Transaction ID"),
            ("committed_at", "Transaction Completion Date"),
            ("kind", "Transaction Event Code"),
        ],
        reader: super::paypal::reader,
    },
    LedgerFormat {
        name: "ledger-cli",
        marks: &[],
        headers: &[],
        text: Some(ledger_cli),
        shape: Shape::Cells,
        again: "another booking of the same transaction",
        rules: BOOKS,
        fields: &[
            ("business_id", "column 3"),
            ("amount", "column 6"),
            ("currency", "column 5"),
            ("committed_at", "column 1"),
            ("status", "column 7"),
            ("external_ref", "column 2"),
        ],
        reader: super::plain_text::ledger_cli,
    },
    LedgerFormat {
        name: "psql",
        marks: &[],
        headers: &[],
        text: Some(psql),
        shape: Shape::Text,
        again: "the same effect again",
        rules: &["the number of rows below the table is compared; without it the table may be cut off"],
        fields: &[],
        reader: super::psql::reader,
    },
    LedgerFormat {
        name: "pg-copy",
        marks: &[],
        headers: &[],
        text: Some(pg_copy),
        shape: Shape::Text,
        again: "the same effect again",
        rules: &[
            "columns without names are taken by what their values look like; where that is wrong, map them by their numbers",
        ],
        fields: &[],
        reader: super::pg_copy::reader,
    },
];

/// Columns that a report may be configured without: format, column, and what is said where it is missing.
const LEFT_OUT: &[(&str, &str, &str)] = &[(
    "adyen",
    "Modification Reference",
    "the column Modification Reference is missing: rows have no id, and each row is an effect by itself",
)];

impl LedgerFormat {
    /// What is said of columns that this table was configured without.
    pub fn left_out(&self, header: &Header) -> impl Iterator<Item = &'static str> {
        let missing =
            LEFT_OUT.iter().filter(move |(name, column, _)| *name == self.name && !header.has(column));
        missing.map(|(_, _, note)| *note)
    }

    /// Whether this place of a field is in a table with this header. Where columns are chosen by who exports, only what
    /// is there is named.
    pub fn is_there(&self, place: &str, header: &Header) -> bool {
        let chosen = LEFT_OUT.iter().any(|(name, ..)| *name == self.name);
        !chosen || place.split(" or ").flat_map(|part| part.split(" and ")).any(|column| header.has(column))
    }
}

/// What holds for books kept as plain text.
const BOOKS: &[&str] = &[
    "the postings of a transaction are one effect, the other sides are set aside; ! is on its way",
    "the reference is that of what is booked; the order is taken from a tag, else from the description",
    "$ is read as USD, \u{20ac} as EUR, \u{a3} as GBP, \u{a5} as JPY where the source has no currency of its own",
];

/// The row of a name.
pub fn ledgered(name: &str) -> Option<&'static LedgerFormat> {
    LEDGERS.iter().find(|format| format.name == name)
}

fn paypal(lines: &[&str]) -> Option<&'static str> {
    let begins = |line: &&str| line.starts_with("\"RH\",") || line.starts_with("RH,");
    lines.first().is_some_and(begins).then_some("its first row is the header of a settlement report (RH)")
}

fn ledger_cli(lines: &[&str]) -> Option<&'static str> {
    let mut cells = Vec::new();
    crate::sources::csv::split(lines.first().copied()?, b',', &mut cells);
    let dated = cells.first().is_some_and(|cell| {
        cell.len() == 10 && cell.chars().filter(char::is_ascii_digit).count() == 8 && !cell.contains(' ')
    });
    (cells.len() > 5 && dated).then_some("its first line is a posting and no header")
}

fn psql(lines: &[&str]) -> Option<&'static str> {
    if lines.first().is_some_and(|line| super::psql::is_record(line)) {
        return Some("its records have a line of their own, as psql prints them expanded");
    }
    let ruled = lines.iter().skip(1).take(2).any(|line| super::psql::is_rule(line));
    ruled.then_some("a line of dashes stands below its header, as psql prints tables")
}

fn pg_copy(lines: &[&str]) -> Option<&'static str> {
    if lines.iter().any(|line| line.starts_with("COPY ") && line.contains(") FROM stdin")) {
        return Some("it has a COPY line, as dumps of PostgreSQL have");
    }
    let null = |line: &&str| line.contains("\t\\N") || line.contains("\\N\t");
    let ends = |line: &&str| *line == "\\.";
    if lines.iter().any(|line| null(line) || ends(line)) {
        return Some("its rows have tabs and \\N, as COPY writes them");
    }
    // Values between tabs from the first line on.
    let values = |line: &&str| line.split('\t').count() > 3;
    let first = lines.first().filter(|line| line.starts_with(|begin: char| begin.is_ascii_digit()))?;
    (values(first) && lines.iter().filter(|line| !line.is_empty()).all(values))
        .then_some("its rows are values between tabs, as COPY writes them")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::formats::{FormatName, named};
    use crate::sources::names::ledger;

    #[test]
    fn every_row_has_a_name_of_its_own_and_fields_of_the_model() {
        for (at, format) in LEDGERS.iter().enumerate() {
            assert_eq!(LEDGERS.iter().position(|other| other.name == format.name), Some(at));
            assert!(named(format.name).is_some_and(FormatName::is_read));
            assert!(!format.rules.is_empty() && !format.again.is_empty());
            for (field, _) in format.fields {
                assert!(ledger::TABLE.iter().any(|line| line.field == *field), "{} {field}", format.name);
            }
        }
    }
}
