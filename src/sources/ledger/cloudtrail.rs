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
        let made = node.get("responseElements").filter(|_| making && !failed);
        let made = made.map(|made| resources(made, 0)).unwrap_or_default();
        // The request is one id for one effect: of several things none has it alone.
        row.text("external_ref", node.text_of("requestID").filter(|_| made.len() < 2));
        row.text("kind", Some(&name)).text("committed_at", node.text_of("eventTime"));
        row.text("status", Some(if failed { "failed" } else { "succeeded" }));
        row.key(TOKENS.iter().find_map(|token| request?.text_of(token)));
        if let Some(request) = request {
            tags(request, 0, &mut row);
        }
        row.link("account", &node.text_of("recipientAccountId").unwrap_or_default());
        let again = node.text_of("eventID").is_some_and(|id| !rows.first(&id));
        let own = node.text_of("requestID").or_else(|| node.text_of("eventID")).map(String::from);
        let (first, more) = match made.split_first() {
            Some((first, more)) => (Some(first.clone()), more),
            None => (own, &[][..]),
        };
        let with = |id: Option<String>| {
            let mut row = row.clone();
            row.text("effect_id", id);
            row
        };
        let first = with(first);
        match node.truth_of("readOnly") {
            _ if again => return rows.again(&first),
            Some(true) => return rows.aside(READ, &first),
            _ => rows.effect(&first),
        }
        // Each machine that one call started is an effect, as it is one resource of a bill.
        for id in more {
            rows.effect(&with(Some(id.clone())));
        }
    }
}

/// Ids of what was made: of each item of the first list that has any, else the one of [`resource`].
fn resources(node: Node<'_>, depth: usize) -> Vec<String> {
    if let Some(list) = items(node, depth) {
        let mut ids: Vec<String> = Vec::new();
        for id in list.items().filter(|item| item.is_object()).filter_map(|item| resource(item, depth + 1)) {
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        if ids.len() > 1 {
            return ids;
        }
    }
    resource(node, depth).into_iter().collect()
}

/// The first list of objects, the nearest one: what was made stands above what belongs to it.
fn items(node: Node<'_>, depth: usize) -> Option<Node<'_>> {
    if depth > DEEP || node.is_array() {
        return node.is_array().then_some(node);
    }
    let own_id = node.members().any(|(name, value)| {
        let name = name.text().to_ascii_lowercase();
        is_id(&name) && value.text().is_some()
    });
    if own_id {
        return None;
    }
    let holds = |value: &Node<'_>| value.is_array() && value.items().any(Node::is_object);
    made(node)
        .find(holds)
        .or_else(|| made(node).filter(|value| value.is_object()).find_map(|value| items(value, depth + 1)))
}

/// What may have been made: not the groups that it belongs to.
fn made(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let groups =
        |name: &str| name.eq_ignore_ascii_case("groupSet") || name.eq_ignore_ascii_case("securityGroups");
    node.members().filter(move |(name, _)| !groups(&name.text())).map(|(_, value)| value)
}

/// A name, in small letters, that stands for the id of what was made.
fn is_id(name: &str) -> bool {
    const NOT: [&str; 6] = ["requestid", "ownerid", "accountid", "reservationid", "requesterid", "imageid"];
    (name.ends_with("id") || name.ends_with("arn")) && !NOT.contains(&name)
}

/// The id of what was made: the first name that ends so and names neither the request nor the account.
fn resource(node: Node<'_>, depth: usize) -> Option<String> {
    if depth > DEEP {
        return None;
    }
    let own = node.members().find_map(|(name, value)| {
        let name = name.text().to_ascii_lowercase();
        value.text().filter(|_| is_id(&name)).map(String::from)
    });
    let inside = || made(node).chain(node.items());
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
