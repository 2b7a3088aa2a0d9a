//! Options of the commands that settle (`7-commands.md` 7.5.3, 7.5.4).

use crate::cli::options::{Opt, Set, Takes, again, flag, one};

const NOTE: Opt = one(
    "note",
    "T",
    Takes::Text,
    "why: 20 to 4,000 characters; it stands in the audit log and cannot be erased",
);
const OWNER: Opt = one("owner", "NAME", Takes::Text, "who takes it on");
const DEADLINE: Opt = one(
    "deadline",
    "T",
    Takes::Text,
    "until when: a time, or a duration from now such as 4h; at most 72 hours ahead",
);
const AMOUNT: Opt = one("amount", "A", Takes::Text, "an amount in major units, such as 20.00");
const VERSION: Opt = one("if-version", "N", Takes::Number, "only if the intent has this version");
const FINGERPRINT: Opt =
    one("if-facts", "DIGEST", Takes::Text, "only on these facts, by the fingerprint that was printed");

/// For every command that writes into the book.
#[rustfmt::skip]
pub const WRITING: Set = Set { heading: "the book", options: &[
    one("operator", "NAME", Takes::Text, "who decides; else RECOUNT_OPERATOR or the system user, never root"),
    one("actor", "A", Takes::Word(&["human", "app", "response", "timeout_handler", "retry_policy", "reconciliation", "agent"]), "for programs: what decides; a person needs none"),
    one("format", "F", Takes::Word(&["text", "json"]), "text or json; default text"),
    VERSION, FINGERPRINT,
] };

/// A note.
pub const WHY: Set = Set { heading: "why", options: &[NOTE] };

/// `resolve` and `request`.
#[rustfmt::skip]
pub const DECIDE: Set = Set { heading: "the decision", options: &[
    one("to", "STATE", Takes::Word(&["confirmed", "failed"]), "confirmed or failed; reopen is the way back to unknown"),
    again("evidence", "REF", Takes::Text, "rb_15, row:SOURCE/ID, ticket:ID, file:PATH or an address"),
    NOTE,
    again("acknowledge", "X", Takes::Word(&crate::lifecycle::facts::ACKNOWLEDGE), "a difference that was seen: duplicate, count, amount, currency, attribute, more-may-land"),
    flag("override", "failed without a covered absence; needs --reason"),
    one("reason", "T", Takes::Text, "why an override: 20 characters or more"),
    one("break-glass", "INCIDENT", Takes::Text, "one person where two are asked, if the policy allows it; reviewed afterwards"),
] };

/// `reopen`, `extend`, `assign`, `escalate`.
#[rustfmt::skip]
pub const HOLD: Set = Set { heading: "the hold", options: &[
    OWNER, DEADLINE, NOTE,
] };

/// `escalate`.
#[rustfmt::skip]
pub const DELIVERY: Set = Set { heading: "delivery", options: &[
    one("delivered", "REF", Takes::Text, "the ticket, page or message that reached somebody; alone it is added to an earlier escalation"),
] };

/// `disposition`.
#[rustfmt::skip]
pub const DISPOSE: Set = Set { heading: "the disposition", options: &[
    one("as", "WORD", Takes::Word(&["recovered", "written-off", "corrected-at-provider", "corrected-in-books", "made-whole", "not-ours", "known-test", "same-cause"]), "how it was closed"),
    NOTE, AMOUNT,
    one("ref", "TEXT", Takes::Text, "reference of the correcting entry, ticket or row"),
    one("same-as", "ID", Takes::Text, "the other item"),
] };

/// `disposition` alone: what many were given is taken back by its batch.
#[rustfmt::skip]
pub const AGAIN: Set = Set { heading: "taking back", options: &[
    flag("reopen", "takes the earlier dispositions back"),
] };

/// `readback`.
#[rustfmt::skip]
pub const READ: Set = Set { heading: "the read", options: &[
    one("source", "S", Takes::Text, "id of the source; with --manual any name"),
    flag("manual", "a person read it"),
    one("result", "R", Takes::Word(&["present", "differs", "not_found_not_covering", "unreadable"]), "what a person saw; absence is never proven by hand"),
    one("read-at", "T", Takes::Time, "when a person read it"),
    one("position", "TEXT", Takes::Text, "what a person read up to"),
    one("differs", "TEXT", Takes::Text, "what differs: amount: expected 20.00, read 21.00"),
    NOTE,
] };

/// Decisions that the policy may ask a signature of.
#[rustfmt::skip]
pub const SIGN: Set = Set { heading: "signature", options: &[
    one("sign", "KEY", Takes::Path, "key for ssh-keygen -Y sign over the entry; asked for by [policy] sign_above"),
] };

/// `bulk`.
#[rustfmt::skip]
pub const MANY: Set = Set { heading: "many at once", options: &[
    one("filter", "TEXT", Takes::Text, "those that the list shows for this filter and that are not fine"),
    one("ids", "FILE", Takes::Path, "an id in each line, and behind it evidence of its own"),
    flag("apply", "do it; without it nothing is written"),
    one("count", "N", Takes::Number, "with --apply: the number that was found"),
] };

/// `reconcile`, `expire`.
#[rustfmt::skip]
pub const APPLY: Set = Set { heading: "what is done", options: &[
    flag("apply", "do it; without it nothing is written"),
] };

/// `expire`: an option that does not exist, so that its refusal can quote the rule.
#[rustfmt::skip]
pub const NO_RETRY: Set = Set { heading: "never", options: &[
    flag("retry", "does not exist: what is overdue is read again or escalated"),
] };

/// `request`.
#[rustfmt::skip]
pub const ASK_FILE: Set = Set { heading: "the file", options: &[
    one("out", "R.json", Takes::Path, "the request as a file for the second person"),
    flag("force", "--out may overwrite"),
    one("sign", "KEY", Takes::Path, "key for ssh-keygen -Y sign; the signature stands beside the file"),
] };

/// `approve`, `deny`.
#[rustfmt::skip]
pub const ANSWER: Set = Set { heading: "the answer", options: &[
    NOTE,
    one("out", "A.json", Takes::Path, "the answer as a file"),
    flag("force", "--out may overwrite"),
    one("sign", "KEY", Takes::Path, "key for ssh-keygen -Y sign; the signature stands beside the file"),
    one("source", "S", Takes::Text, "the source that the approver read for himself, with its position after a colon"),
    flag("relied-on-evidence", "the approver relied on the evidence of the requester"),
] };

/// `review`.
#[rustfmt::skip]
pub const REVIEW: Set = Set { heading: "the review", options: &[
    one("outcome", "O", Takes::Word(&["ok", "exception"]), "ok or exception"),
    one("period", "FROM..TO", Takes::Text, "signs off all entries of a period"),
    NOTE,
] };
