//! Options of the commands for applications (`7-commands.md` 7.5.3).

use crate::cli::options::{Opt, Set, Takes, flag, one};

const KEY: Opt = one("key", "K", Takes::Text, "idempotency key; record makes one where none is given");
const PAYLOAD: Opt = one("payload", "F", Takes::Path, "the request as JSON; its canonical form is hashed");

/// Where the book is, and who calls.
#[rustfmt::skip]
pub const LOG: Set = Set { heading: "the book", options: &[
    one("book", "F", Takes::Path, "the book; default book.db of the case folder"),
    one("case", "DIR", Takes::Path, "a case folder"),
    one("operator", "NAME", Takes::Text, "the name of the worker; else RECOUNT_OPERATOR or the system user"),
    one("actor", "A", Takes::Word(&["app", "response", "timeout_handler", "retry_policy", "reconciliation", "human", "agent"]), "what calls; default app"),
    one("now", "T", Takes::Time, "the time that things are shown for; what is written has the time of the machine"),
    one("format", "F", Takes::Word(&["text", "json"]), "text or json; default json"),
] };

/// `intent record`.
#[rustfmt::skip]
pub const RECORD: Set = Set { heading: "the intent", options: &[
    one("operation-id", "ID", Takes::Text, "one name for one business operation, 1 to 255 bytes; the same again gives the same record"),
    one("kind", "K", Takes::Text, "what it is: refund"),
    one("business-id", "ID", Takes::Text, "what it is about, with its type: order:4812"),
    one("party", "P", Takes::Text, "customer or account"),
    one("amount", "A", Takes::Text, "expected total in major units: 20.00"),
    one("currency", "C", Takes::Text, "its currency"),
    one("count", "N", Takes::Number, "effects that are expected; default 1"),
    KEY, PAYLOAD,
    one("tool", "T", Takes::Text, "the tool that will be called: its timeout, retention and quotas hold"),
    one("parent", "ID", Takes::Text, "the intent that it belongs to"),
    one("relation", "R", Takes::Word(&["replaces", "adds_to", "corrects"]), "how: replaces, adds_to or corrects"),
] };

/// `intent gate`.
#[rustfmt::skip]
pub const GATE: Set = Set { heading: "the claim", options: &[
    KEY, PAYLOAD,
    one("cost", "A", Takes::Text, "what the call costs, in the currency of the ceiling"),
    flag("ask", "only ask: claims nothing and is not a permission"),
] };

/// `intent mark`.
#[rustfmt::skip]
pub const MARK: Set = Set { heading: "the answer", options: &[
    one("attempt", "A", Takes::Text, "the attempt that the gate gave"),
    one("outcome", "O", Takes::Text, "the word of the answer: ok, rejected, timeout, .."),
    one("receipt", "R", Takes::Text, "the effect that the answer names"),
    one("text", "T", Takes::Text, "the answer as text; shown only"),
] };
