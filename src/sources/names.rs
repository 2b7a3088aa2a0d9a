//! The well-known names of fields (`7-commands.md` 7.5.8), how names are compared, and business ids.
//!
//! A table here is read beside its page: one line per field of the model, its names in order of right. The place of
//! a line in its table is the number of the field's slot, for every framing (JSON, CSV, a database).

use std::borrow::Cow;

/// One field of the model: what it is called in a mapping and which names stand for it without one.
#[derive(Debug, Clone, Copy)]
pub struct FieldNames {
    /// Its key in `[sources.ID.columns]` and `[traces.ID.fields]`. Several lines of one key are one field; the first
    /// of them takes what a mapping says.
    pub field: &'static str,
    /// Names in order; `*_x` stands for every name that ends so.
    pub names: &'static [&'static str],
    /// Type prefix of its values (`order:`), or nothing.
    pub prefix: &'static str,
    /// Also looked for in the arguments of a call, one level down.
    pub inside: bool,
}

const fn field(field: &'static str, names: &'static [&'static str]) -> FieldNames {
    FieldNames { field, names, prefix: "", inside: false }
}

const fn inside(field: &'static str, names: &'static [&'static str]) -> FieldNames {
    FieldNames { field, names, prefix: "", inside: true }
}

const fn business(names: &'static [&'static str], prefix: &'static str) -> FieldNames {
    FieldNames { field: "business_id", names, prefix, inside: true }
}

/// Names of the business id, each with the prefix that its values get on both sides.
const BUSINESS: [FieldNames; 4] = [
    business(&["business_id"], ""),
    business(&["order_id", "order"], "order:"),
    business(&["invoice_id"], "invoice:"),
    business(&["payment_id"], "payment:"),
];

const KEY: FieldNames = inside("key", &["idempotency_key", "key"]);
const PARTY: FieldNames = inside("party", &["party", "customer_id", "customer", "account_id", "account"]);
const AMOUNT: FieldNames = inside("amount", &["amount", "refund_amount"]);
const AMOUNT_MINOR: FieldNames =
    inside("amount_minor", &["amount_minor", "amount_cents", "*_minor", "*_cents", "cents"]);
const CURRENCY: FieldNames = inside("currency", &["currency", "currency_code", "ccy"]);

/// Slots that all tables share, so that one function reads them wherever they stand.
pub mod shared {
    /// Operation id.
    pub const OPERATION: usize = 0;
    /// Idempotency key.
    pub const KEY: usize = 1;
    /// Business id with its type in it; the named ones follow.
    pub const BUSINESS: usize = 2;
    /// How many slots hold business ids.
    pub const BUSINESS_SLOTS: usize = 4;
    /// Customer or account.
    pub const PARTY: usize = 6;
    /// Amount in major units.
    pub const AMOUNT: usize = 7;
    /// Amount in minor units.
    pub const AMOUNT_MINOR: usize = 8;
    /// Currency or unit.
    pub const CURRENCY: usize = 9;
}

/// Slots of ledger rows.
pub mod ledger {
    use super::{AMOUNT, AMOUNT_MINOR, BUSINESS, CURRENCY, FieldNames, KEY, PARTY, field};

    /// Effect id.
    pub const EFFECT: usize = 10;
    /// When committed.
    pub const COMMITTED: usize = 11;
    /// Status word.
    pub const STATUS: usize = 12;
    /// Kind word.
    pub const KIND: usize = 13;
    /// Effect id that a reversal names.
    pub const REVERSES: usize = 14;
    /// Id that another system gives to the effect.
    pub const EXTERNAL: usize = 15;
    /// What was captured, in major units: the cap of what can be given back.
    pub const CAPTURED: usize = 16;
    /// The same in minor units.
    pub const CAPTURED_MINOR: usize = 17;
    /// Column of the read position.
    pub const POSITION: usize = 18;
    /// Hash of the fields that identify the operation (`1-model.md` 1.5, J4).
    pub const DERIVED: usize = 19;

    /// The table of `7-commands.md` 7.5.8, ledger fields.
    pub const TABLE: &[FieldNames] = &[
        field("operation_id", &["operation_id"]),
        KEY,
        BUSINESS[0],
        BUSINESS[1],
        BUSINESS[2],
        BUSINESS[3],
        PARTY,
        AMOUNT,
        AMOUNT_MINOR,
        CURRENCY,
        field("effect_id", &["effect_id", "refund_id", "id"]),
        field("committed_at", &["committed_at", "created_at", "ts", "timestamp", "date", "time"]),
        field("status", &["status", "state"]),
        field("kind", &["kind", "type"]),
        field("reverses", &["reverses"]),
        field("external_ref", &["external_ref", "external_reference", "provider_ref", "psp_reference"]),
        field("captured", &["captured", "captured_amount"]),
        field("captured_minor", &["captured_minor", "captured_cents"]),
        field("position", &[]),
        field("derived_key", &["derived_key"]),
    ];
}

/// Slots of traces with names of their own.
pub mod trace {
    use super::{AMOUNT, AMOUNT_MINOR, BUSINESS, CURRENCY, FieldNames, KEY, PARTY, field};

    /// Intent id.
    pub const INTENT: usize = 10;
    /// Attempt id.
    pub const ATTEMPT: usize = 11;
    /// Number of the attempt: it is there, but never an id.
    pub const NUMBER: usize = 12;
    /// Tool.
    pub const TOOL: usize = 13;
    /// Arguments: an object, or a JSON text.
    pub const ARGUMENTS: usize = 14;
    /// When sent.
    pub const SENT: usize = 15;
    /// When ended.
    pub const ENDED: usize = 16;
    /// Outcome word, or an HTTP status.
    pub const OUTCOME: usize = 17;
    /// Receipt, by a name that says so.
    pub const RECEIPT: usize = 18;
    /// Effect id of the answer.
    pub const ANSWERED: usize = 19;
    /// Run.
    pub const RUN: usize = 20;
    /// Decision id.
    pub const DECISION: usize = 21;
    /// Turn.
    pub const TURN: usize = 22;
    /// Agent.
    pub const AGENT: usize = 23;
    /// Model.
    pub const MODEL: usize = 24;
    /// The answer is an error.
    pub const IS_ERROR: usize = 25;
    /// The answer is a stored one.
    pub const REUSED: usize = 26;
    /// The answer was replayed.
    pub const REPLAYED: usize = 27;
    /// Error code or word.
    pub const ERROR: usize = 28;
    /// The answers, each an object or a JSON text.
    pub const ANSWERS: [usize; 3] = [29, 30, 31];

    /// The table of `7-commands.md` 7.5.8, trace fields; below `is_error` what `1-model.md` 1.4.6 and 2.2 of the
    /// judge need beside the outcome word.
    pub const TABLE: &[FieldNames] = &[
        field("operation_id", &["operation_id"]),
        KEY,
        BUSINESS[0],
        BUSINESS[1],
        BUSINESS[2],
        BUSINESS[3],
        PARTY,
        AMOUNT,
        AMOUNT_MINOR,
        CURRENCY,
        field("intent_id", &["intent_id"]),
        field("attempt_id", &["attempt_id", "call_id"]),
        field("attempt", &["attempt"]),
        field("tool", &["tool", "tool_name", "name"]),
        field("arguments", &["arguments", "args", "payload", "input"]),
        field("sent_at", &["sent_at", "started_at", "ts", "timestamp"]),
        field("ended_at", &["ended_at", "finished_at"]),
        field("outcome", &["outcome", "status"]),
        field("receipt", &["receipt"]),
        field(
            "effect_id",
            &[
                "refund_id",
                "effect_id",
                "result.refund_id",
                "result.effect_id",
                "result.id",
                "response.refund_id",
                "response.effect_id",
                "response.id",
            ],
        ),
        field("run_id", &["run_id", "session_id"]),
        field("decision_id", &["decision_id"]),
        field("turn", &["turn"]),
        field("agent", &["agent"]),
        field("model", &["model"]),
        field("is_error", &["is_error", "result.is_error", "response.is_error", "output.is_error"]),
        field("reused", &["reused", "result.reused", "response.reused", "output.reused"]),
        field("replayed", &["replayed"]),
        field("error", &["error_code", "error.code", "error"]),
        field("result", &["result"]),
        field("response", &["response"]),
        field("output", &["output"]),
    ];
}

/// Slots of expectations and of an application's intent records.
pub mod record {
    use super::{AMOUNT, AMOUNT_MINOR, BUSINESS, CURRENCY, FieldNames, KEY, PARTY, field};

    /// Intent id.
    pub const INTENT: usize = 10;
    /// Kind.
    pub const KIND: usize = 11;
    /// Count: equal least and most.
    pub const COUNT: usize = 12;
    /// Least count.
    pub const COUNT_MIN: usize = 13;
    /// Most.
    pub const COUNT_MAX: usize = 14;
    /// Other totals that are right too.
    pub const ACCEPT: usize = 15;
    /// Expected attributes.
    pub const ATTRS: usize = 16;
    /// Parent intent.
    pub const PARENT: usize = 17;
    /// Relation to the parent.
    pub const RELATION: usize = 18;
    /// Deadline.
    pub const DEADLINE: usize = 19;
    /// When recorded.
    pub const RECORDED: usize = 20;

    /// The fields of `intent_recorded` (`7-commands.md` 8.1), with the names that tickets use.
    pub const TABLE: &[FieldNames] = &[
        field("operation_id", &["operation_id"]),
        KEY,
        BUSINESS[0],
        BUSINESS[1],
        BUSINESS[2],
        BUSINESS[3],
        PARTY,
        AMOUNT,
        AMOUNT_MINOR,
        CURRENCY,
        field("intent_id", &["intent_id"]),
        field("kind", &["kind"]),
        field("count", &["count"]),
        field("count_min", &["count_min"]),
        field("count_max", &["count_max"]),
        field("accept", &["accept"]),
        field("attrs", &["attrs"]),
        field("parent_id", &["parent_id"]),
        field("relation", &["relation"]),
        field("deadline", &["deadline"]),
        field("recorded_at", &["recorded_at", "ts", "created_at", "timestamp"]),
    ];
}

/// The fields of a trace table that are looked for in the arguments too have a second slot: this much higher.
pub const INSIDE: usize = 32;

/// Slots of the partition fields (`4-sources.md` C6), at most [`PARTS`] of them; in the arguments [`PARTS`] higher.
pub const PART: usize = 48;

/// So many partition fields are looked for.
pub const PARTS: usize = 4;

/// Slots of the columns of a row filter; more comparisons than fit up to the last slot are an error.
pub const FILTER: usize = 56;

/// Equal without ASCII case, `_`, `-` and space (`7-commands.md` 7.5.8).
pub fn alike(one: &str, other: &str) -> bool {
    folded(one).eq(folded(other))
}

/// A name without case, `_`, `-` and space.
pub fn loose(name: &str) -> String {
    folded(name).map(char::from).collect()
}

fn folded(name: &str) -> impl Iterator<Item = u8> + '_ {
    name.bytes().filter(|byte| !matches!(byte, b'_' | b'-' | b' ')).map(|byte| byte.to_ascii_lowercase())
}

/// Whether a name of a table (perhaps `*_x`) stands for a field's name. What was captured is a cap, never an amount.
pub fn stands_for(known: &str, name: &str) -> bool {
    match known.strip_prefix("*_") {
        None => alike(known, name),
        Some(ending) => {
            let name = loose(name);
            name.len() > ending.len() && name.ends_with(ending) && !name.starts_with("captured")
        }
    }
}

/// The type prefix that a field's name gives to its values: `X_id` gives `X:`, and so do the bare names of things
/// that have orders, invoices and payments (`7-commands.md` 7.5.8). `business_id` holds its type already.
pub fn prefix_of(name: &str) -> Option<String> {
    let name = name.trim();
    let lower = name.to_ascii_lowercase();
    if alike(name, "business_id") {
        return None;
    }
    if matches!(lower.as_str(), "order" | "invoice" | "payment") {
        return Some(format!("{lower}:"));
    }
    let stem = ["_id", "-id", " id"].iter().find_map(|ending| lower.strip_suffix(ending)).or_else(|| {
        // `orderId`, `OrderID`
        let camel = name.strip_suffix("Id").or_else(|| name.strip_suffix("ID"))?;
        lower.get(..camel.len())
    })?;
    (!stem.is_empty()).then(|| format!("{stem}:"))
}

/// A business id as it is compared: the value with its type before it. A value that already begins with `X:` or `X_`
/// is not doubled. `buffer` holds the text where one has to be made.
pub fn prefixed<'b>(prefix: &str, value: Cow<'b, str>, buffer: &'b mut String) -> Cow<'b, str> {
    // Where the first letters differ, nothing of it stands there.
    let alike = prefix.as_bytes().first() == value.as_bytes().first();
    if prefix.is_empty() || (alike && begins_with(&value, prefix)) {
        return value;
    }
    buffer.clear();
    buffer.push_str(prefix);
    buffer.push_str(&value);
    Cow::Borrowed(buffer)
}

/// A value begins with `X:` or `X_`, or with a prefix that is no `X:`.
fn begins_with(value: &str, prefix: &str) -> bool {
    let kind = prefix.strip_suffix(':').unwrap_or(prefix);
    value.starts_with(prefix) || value.strip_prefix(kind).is_some_and(|rest| rest.starts_with([':', '_']))
}

#[cfg(test)]
mod tests;
