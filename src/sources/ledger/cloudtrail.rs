//! The trail of AWS: what was called and what it made. `eventTime` is when the request completed; an error made nothing.

use super::rows::{LedgerReader, LedgerRow, Rows, Setup};
use crate::sources::json::Node;

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn LedgerReader> {
    Box::new(Trail)
}

#[derive(Debug)]
struct Trail;

/// The rule of calls that change nothing.
const READ: &str = "call that only reads";

/// Calls that make something begin so: what their answer names is the effect.
const MAKING: [&str; 9] =
    ["Run", "Create", "Allocate", "Launch", "Register", "Request", "Purchase", "Import", "Copy"];

/// Names of the caller's token against doing a thing twice.
const TOKENS: [&str; 5] =
    ["clientToken", "clientRequestToken", "ClientToken", "idempotencyToken", "creationToken"];

/// Objects and lists in requests and answers are followed so deep.
const DEEP: usize = 6;

impl LedgerReader for Trail {
    fn record(&mut self, node: Node<'_>, rows: &mut Rows<'_>) {
        // A bus wraps the record.
        let node = node.get("detail").filter(|detail| detail.get("eventName").is_some()).unwrap_or(node);
        let Some(name) = node.text_of("eventName") else { return rows.other() };
        let mut row = rows.row(node);
        let request = node.get("requestParameters");
        let failed = node.text_of("errorCode").is_some();
        let making = MAKING.iter().any(|begin| name.starts_with(begin));
        let made =
            node.get("responseElements").filter(|_| making && !failed).and_then(|made| resource(made, 0));
        let id =
            made.or_else(|| node.text_of("requestID").or_else(|| node.text_of("eventID")).map(String::from));
        row.text("effect_id", id).text("external_ref", node.text_of("requestID"));
        row.text("kind", Some(&name)).text("committed_at", node.text_of("eventTime"));
        row.text("status", Some(if failed { "failed" } else { "succeeded" }));
        row.key(TOKENS.iter().find_map(|token| request?.text_of(token)));
        if let Some(request) = request {
            tags(request, 0, &mut row);
        }
        row.link("account", &node.text_of("recipientAccountId").unwrap_or_default());
        let again = node.text_of("eventID").is_some_and(|id| !rows.first(&id));
        match node.truth_of("readOnly") {
            _ if again => rows.again(&row),
            Some(true) => rows.aside(READ, &row),
            _ => rows.effect(&row),
        }
    }
}

/// The id of what was made: the first name that ends so and names neither the request nor the account.
fn resource(node: Node<'_>, depth: usize) -> Option<String> {
    const NOT: [&str; 6] = ["requestid", "ownerid", "accountid", "reservationid", "requesterid", "imageid"];
    if depth > DEEP {
        return None;
    }
    let own = node.members().find_map(|(name, value)| {
        let name = name.text().to_ascii_lowercase();
        let id = (name.ends_with("id") || name.ends_with("arn")) && !NOT.contains(&&*name);
        value.text().filter(|_| id).map(String::from)
    });
    let inside = || node.members().map(|(_, value)| value).chain(node.items());
    own.or_else(|| {
        inside()
            .filter(|value| value.is_object() || value.is_array())
            .find_map(|value| resource(value, depth + 1))
    })
}

/// Tags of what is to be made: objects with a key and a value.
fn tags(node: Node<'_>, depth: usize, row: &mut LedgerRow) {
    if depth > DEEP {
        return;
    }
    let of = |names: [&str; 3]| names.iter().find_map(|name| node.text_of(name));
    if let (Some(name), Some(value)) = (of(["key", "Key", "tagKey"]), of(["value", "Value", "tagValue"])) {
        row.meta_text(&name, &value);
        return;
    }
    for value in node.members().map(|(_, value)| value).chain(node.items()) {
        tags(value, depth + 1, row);
    }
}
