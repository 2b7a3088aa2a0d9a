//! Events of `SendGrid`: `processed` is an effect, what follows are later states of it, and one event may be delivered
//! many times.

use super::rows::{LedgerReader, Rows, Setup};
use crate::sources::json::Node;

/// A reader.
pub fn reader(_: &Setup) -> Box<dyn LedgerReader> {
    Box::new(Mails)
}

#[derive(Debug)]
struct Mails;

/// Events, the status that they give to the mail, and their order at one moment. A mail that was given up before it
/// left is no effect; one that bounced came back.
const EVENTS: [(&str, &str, u8); 12] = [
    ("processed", "sent", 0),
    ("deferred", "sent", 1),
    ("delivered", "delivered", 2),
    ("open", "delivered", 3),
    ("click", "delivered", 3),
    ("spamreport", "delivered", 3),
    ("unsubscribe", "delivered", 3),
    ("group_unsubscribe", "delivered", 3),
    ("group_resubscribe", "delivered", 3),
    ("dropped", "rejected", 4),
    ("bounce", CAME_BACK, 4),
    ("blocked", CAME_BACK, 4),
];

const CAME_BACK: &str = "came back";

/// Members that are its own; every other one is an argument of the sender.
const OWN: [&str; 12] = [
    "email",
    "timestamp",
    "smtp-id",
    "event",
    "category",
    "sg_event_id",
    "sg_message_id",
    "response",
    "attempt",
    "reason",
    "status",
    "type",
];

impl LedgerReader for Mails {
    fn record(&mut self, node: Node<'_>, rows: &mut Rows<'_>) {
        let Some(event) = node.text_of("event") else { return rows.other() };
        let known = EVENTS.iter().find(|(name, _, _)| *name == event);
        let (status, stage) = known.map_or((&*event, 0), |(_, status, stage)| (*status, *stage));
        let message = node.text_of("sg_message_id");
        let letter = node.text_of("smtp-id").unwrap_or_default();
        // The interface answers with the part before the first point.
        let mut id =
            message.as_ref().map_or(&*letter, |message| message.split('.').next().unwrap_or_default());
        let own = node.text_of("sg_event_id");
        let again = own.as_ref().is_some_and(|id| !rows.first(id));
        // A letter is sent as often as it is processed: what is known by its own event is never one by the letter.
        let more =
            message.is_none() && event == "processed" && !again && !rows.first(&format!("{event} {id}"));
        if more {
            id = own.as_deref().unwrap_or_default();
        }
        let mut row = rows.row(node);
        row.text("kind", Some("email")).text("committed_at", node.text_of("timestamp"));
        row.meta(node.get("unique_args")).meta(node.get("custom_args"));
        for (name, value) in node.members() {
            let name = name.text();
            if let Some(value) = value.text().filter(|_| !OWN.contains(&&*name)) {
                row.meta_text(&name, &value);
            }
        }
        row.link("party", &node.text_of("email").unwrap_or_default());
        row.state(node.text_of("timestamp").as_deref(), stage);
        if status == CAME_BACK {
            row.text("effect_id", own.as_deref()).text("reverses", Some(id));
        } else {
            row.text("effect_id", Some(id)).text("status", Some(status));
        }
        if again { rows.again(&row) } else { rows.effect(&row) }
    }
}
