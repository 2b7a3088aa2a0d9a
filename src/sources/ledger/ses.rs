//! Events of Amazon SES, as a stream writes them or as a notification wraps them: a send is an effect, a delivery is a
//! later state of it, and a bounce says that it came back.

use super::rows::{LedgerReader, LedgerRow, Rows, Setup};
use crate::sources::json::Node;

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn LedgerReader> {
    Box::new(Mails)
}

#[derive(Debug)]
struct Mails;

/// Event types, what they say of the mail, and their order at one moment.
const EVENTS: [(&str, Event, u8); 11] = [
    ("Send", Event::State("sent"), 0),
    ("Delivery", Event::State("delivered"), 2),
    ("DeliveryDelay", Event::State("sent"), 1),
    ("Open", Event::State("delivered"), 3),
    ("Click", Event::State("delivered"), 3),
    ("Complaint", Event::State("delivered"), 3),
    ("Subscription", Event::State("delivered"), 3),
    ("Bounce", Event::CameBack, 4),
    ("Reject", Event::State("rejected"), 4),
    ("Rendering Failure", Event::State("failed"), 4),
    ("AmazonSnsSubscriptionSucceeded", Event::Other, 0),
];

#[derive(Debug, Clone, Copy)]
enum Event {
    /// A state of the mail.
    State(&'static str),
    /// It was sent and came back.
    CameBack,
    /// Nothing of a mail.
    Other,
}

/// Objects in which an event says when it was.
const DETAILS: [&str; 8] =
    ["delivery", "bounce", "complaint", "deliveryDelay", "open", "click", "subscription", "reject"];

impl LedgerReader for Mails {
    fn record(&mut self, node: Node<'_>, rows: &mut Rows<'_>) {
        // A notification holds the event as a text, a bus as an object.
        let inside = node.get("Message").filter(|_| node.get("mail").is_none()).and_then(Node::embedded);
        let delivery = node.text_of("MessageId");
        match &inside {
            Some(text) => event(Node::new(text.as_bytes(), 0), delivery.as_deref(), rows),
            None => event(node.get("detail").unwrap_or(node), delivery.as_deref(), rows),
        }
    }
}

fn event(node: Node<'_>, delivery: Option<&str>, rows: &mut Rows<'_>) {
    let Some(mail) = node.get("mail") else { return rows.other() };
    let word = node.text_of("eventType").or_else(|| node.text_of("notificationType")).unwrap_or_default();
    let known = EVENTS.iter().find(|(name, _, _)| name.replace(' ', "") == word.replace(' ', ""));
    let (what, stage) = known.map_or((Event::State(""), 0), |(_, what, stage)| (*what, *stage));
    let id = mail.text_of("messageId").unwrap_or_default();
    let detail = DETAILS.iter().find_map(|name| node.get(name)?.text_of("timestamp"));
    let mut row = rows.row(node);
    row.text("kind", Some("email")).text("committed_at", mail.text_of("timestamp"));
    header(mail, &mut row);
    for (name, value) in mail.get("tags").into_iter().flat_map(Node::members) {
        row.meta_text(&name.text(), &value.items().next().and_then(Node::text).unwrap_or_default());
    }
    let party = mail.get("destination").and_then(|to| to.items().next()).and_then(Node::text);
    row.link("party", &party.unwrap_or_default());
    // Nothing gives an event an id of its own: one of the same mail, kind and moment, to the same people, is a repeat.
    let moment = detail.clone().or_else(|| mail.text_of("timestamp")).unwrap_or_default();
    let people = ["bouncedRecipients", "complainedRecipients", "recipients"];
    let people = DETAILS.iter().find_map(|name| people.iter().find_map(|list| node.get(name)?.get(list)));
    let people = people.map(|list| String::from_utf8_lossy(list.raw())).unwrap_or_default();
    let by_delivery = delivery.is_some_and(|id| !rows.first(id));
    let again = !rows.first(&format!("{id}/{word}/{moment}/{people}")) || by_delivery;
    match what {
        Event::Other => return rows.other(),
        Event::State(status) => {
            row.text("effect_id", Some(&id));
            row.text("status", Some(if status.is_empty() { &*word } else { status }));
            row.state(Some(&moment), stage);
        }
        Event::CameBack => {
            let feedback = node.path(&["bounce", "feedbackId"]).and_then(Node::text);
            row.text("effect_id", Some(feedback.unwrap_or_else(|| format!("{id}/bounce").into())));
            row.text("reverses", Some(&id)).state(Some(&moment), stage);
        }
    }
    if again { rows.again(&row) } else { rows.effect(&row) }
}

/// Headers of the mail that name an operation, a key or an order: they keep signs that tags cannot hold.
fn header(mail: Node<'_>, row: &mut LedgerRow) {
    for header in mail.get("headers").into_iter().flat_map(Node::items) {
        if let (Some(name), Some(value)) = (header.text_of("name"), header.text_of("value")) {
            let lower = name.to_ascii_lowercase();
            row.link(lower.strip_prefix("x-").unwrap_or(&lower), &value);
        }
    }
}
