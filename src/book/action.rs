//! What may be done to a book, as one table (`3-lifecycle.md` 3.6.2): the word in the entry, whether it is a decision,
//! and which rows follow from an entry. A row takes its columns from places in the entry; a place that is absent leaves
//! the column as it was, `null` empties it. `docs/audit.md` prints this table.

use super::schema::{
    APPROVALS, ASSIGNMENTS, ATTEMPTS, CASES, DISPOSITIONS, INTENTS, LINKS, POLICIES, POSITIONS, QUIET,
    READBACKS, REQUESTS, RESOLUTIONS, REVIEWS, STATE_CHANGES, Table,
};

/// An action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each is the word beside it in the table below")]
pub enum Action {
    CaseCreated,
    SourceAdded,
    SourceRemoved,
    IntentRecorded,
    IntentMarked,
    GateAllowed,
    GateRefused,
    Readback,
    Link,
    Unlink,
    SuggestionRejected,
    Assign,
    Escalate,
    Delivered,
    Expire,
    Resolve,
    ResolveRefused,
    ApprovalRequested,
    ApprovalGiven,
    ApprovalDenied,
    ApprovalWithdrawn,
    ApprovalExpired,
    Reopen,
    Note,
    Disposition,
    BatchUndone,
    Review,
    QuietHazard,
    PositionAcknowledged,
    ConfigChanged,
    PolicyChanged,
    EvidenceErased,
    Export,
    Anchor,
}

/// What an action is and does.
#[derive(Debug)]
pub struct Doing {
    /// The action.
    pub action: Action,
    /// Its word in the entry.
    pub word: &'static str,
    /// In plain words, as `audit list` says it.
    pub says: &'static str,
    /// Somebody decided: the head leaves, and it is a row of the population.
    pub decision: bool,
    /// The version of the intent grows.
    pub changes: bool,
    /// Rows that follow.
    pub puts: &'static [&'static Put],
}

/// How a row is put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// It must not be there yet.
    New,
    /// It must be there.
    There,
    /// Either.
    Either,
}

/// Where the value of a column stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// At this place of the entry, members joined by dots.
    At(&'static str),
    /// This text, always.
    Is(&'static str),
}

/// A row that follows from an entry.
#[derive(Debug)]
pub struct Put {
    /// The table.
    pub table: &'static Table,
    /// New, there, or either.
    pub mode: Mode,
    /// Only where this place is there; empty: always.
    pub when: &'static str,
    /// Only where the subject has this type; empty: any.
    pub of: &'static str,
    /// Columns and where their values stand.
    pub columns: &'static [(&'static str, Origin)],
}

use Origin::{At, Is};

static CASE: Put = Put {
    table: &CASES,
    mode: Mode::New,
    when: "",
    of: "",
    columns: &[("case_id", At("after.case_id")), ("opened_at", At("ts")), ("seq", At("seq"))],
};

static POLICY: Put = Put {
    table: &POLICIES,
    mode: Mode::New,
    when: "after.policy",
    of: "",
    columns: &[("seq", At("seq")), ("digest", At("after.policy.digest")), ("text", At("after.policy.text"))],
};

static RECORD: Put = Put {
    table: &INTENTS,
    mode: Mode::New,
    when: "",
    of: "",
    columns: &[
        ("intent_id", At("subject.id")),
        ("operation_id", At("after.operation_id")),
        ("kind", At("after.kind")),
        ("business_id", At("after.business_id")),
        ("party", At("after.party")),
        ("count_min", At("after.count_min")),
        ("count_max", At("after.count_max")),
        ("total_minor", At("after.total.minor")),
        ("total_currency", At("after.total.currency")),
        ("total_unit", At("after.total.unit")),
        ("total_decimal", At("after.total.decimal")),
        ("accept", At("after.accept")),
        ("attrs", At("after.attrs")),
        ("expectation_source", At("after.expectation_source")),
        ("key", At("after.key")),
        ("key_kind", At("after.key_kind")),
        ("key_origin", At("after.key_origin")),
        ("key_minted_at", At("after.key_minted_at")),
        ("derived_key", At("after.derived_key")),
        ("payload_hash", At("after.payload_hash")),
        ("storage", At("after.storage")),
        ("parent_id", At("after.parent_id")),
        ("relation", At("after.relation")),
        ("tool", At("after.tool")),
        ("run_id", At("after.run_id")),
        ("agent", At("after.agent")),
        ("origin", At("after.origin")),
        ("recorded_at", At("ts")),
        ("recorded_seq", At("seq")),
        ("state", At("after.state")),
        ("state_seq", At("seq")),
        ("version", At("after.version")),
        ("changed_seq", At("seq")),
        ("deadline", At("after.deadline")),
        ("owner", At("after.owner")),
    ],
};

static CHANGED: Put = Put {
    table: &INTENTS,
    mode: Mode::There,
    when: "",
    of: "intent",
    columns: &[
        ("intent_id", At("subject.id")),
        ("version", At("after.version")),
        ("changed_seq", At("seq")),
        ("state", At("after.state")),
        ("deadline", At("after.deadline")),
        ("owner", At("after.owner")),
        ("escalated_to", At("after.escalated_to")),
        ("verified_at_position", At("after.verified_at_position")),
    ],
};

static STATE_SEQ: Put = Put {
    table: &INTENTS,
    mode: Mode::There,
    when: "after.state",
    of: "intent",
    columns: &[("intent_id", At("subject.id")), ("state_seq", At("seq"))],
};

static STATE: Put = Put {
    table: &STATE_CHANGES,
    mode: Mode::New,
    when: "after.state",
    of: "intent",
    columns: &[
        ("seq", At("seq")),
        ("intent_id", At("subject.id")),
        ("from_state", At("before.state")),
        ("to_state", At("after.state")),
        ("action", At("action")),
        ("actor_kind", At("actor.kind")),
        ("actor_name", At("actor.name")),
        ("at", At("ts")),
        ("reason", At("reason")),
        ("deadline", At("after.deadline")),
    ],
};

static CLAIM: Put = Put {
    table: &ATTEMPTS,
    mode: Mode::New,
    when: "",
    of: "",
    columns: &[
        ("attempt_id", At("after.attempt.id")),
        ("intent_id", At("subject.id")),
        ("tool", At("after.attempt.tool")),
        ("key", At("after.attempt.key")),
        ("payload_hash", At("after.attempt.payload_hash")),
        ("quota", At("after.attempt.quota")),
        ("cost_minor", At("after.attempt.cost.minor")),
        ("cost_currency", At("after.attempt.cost.currency")),
        ("redrive", At("after.attempt.redrive")),
        ("holder", At("after.attempt.holder")),
        ("claimed_at", At("ts")),
        ("claimed_seq", At("seq")),
        ("deadline", At("after.attempt.deadline")),
    ],
};

static CLAIM_ENDS: Put = Put {
    table: &ATTEMPTS,
    mode: Mode::Either,
    when: "after.attempt",
    of: "",
    columns: &[
        ("attempt_id", At("after.attempt.id")),
        ("intent_id", At("subject.id")),
        ("outcome", At("after.attempt.outcome")),
        ("receipt", At("after.attempt.receipt")),
        ("text", At("after.attempt.text")),
        ("ended_at", At("ts")),
        ("marked_seq", At("seq")),
    ],
};

/// T10: what was confirmed is verified at a read position.
static VERIFIED: Put = Put {
    table: &INTENTS,
    mode: Mode::There,
    when: "after.verified_at_position",
    of: "intent",
    columns: &[("intent_id", At("subject.id")), ("verified_at_position", At("after.verified_at_position"))],
};

static READ: Put = Put {
    table: &READBACKS,
    mode: Mode::New,
    when: "after.readback",
    of: "",
    columns: &[
        ("id", At("after.readback.id")),
        ("intent_id", At("subject.id")),
        ("source", At("after.readback.source")),
        ("started_at", At("after.readback.started_at")),
        ("read_at", At("after.readback.read_at")),
        ("query", At("after.readback.query")),
        ("position", At("after.readback.position")),
        ("result", At("after.readback.result")),
        ("detail", At("after.readback.detail")),
        ("digest", At("after.readback.digest")),
        ("manual", At("after.readback.manual")),
        ("replayed", At("after.readback.replayed")),
        ("by_name", At("actor.name")),
        ("seq", At("seq")),
    ],
};

/// A tie between a row and an intent, with its status.
macro_rules! tie {
    ($name:ident, $status:literal) => {
        static $name: Put = Put {
            table: &LINKS,
            mode: Mode::Either,
            when: "",
            of: "",
            columns: &[
                ("source", At("after.effect.source")),
                ("effect_id", At("after.effect.id")),
                ("intent_id", At("subject.id")),
                ("status", Is($status)),
                ("by_name", At("actor.name")),
                ("at", At("ts")),
                ("seq", At("seq")),
            ],
        };
    };
}
tie!(LINKED, "linked");
tie!(UNLINKED, "unlinked");
tie!(REJECTED, "rejected");

static ASSIGNED: Put = Put {
    table: &ASSIGNMENTS,
    mode: Mode::Either,
    when: "after.owner",
    of: "",
    columns: &[
        ("subject_type", At("subject.type")),
        ("subject_id", At("subject.id")),
        ("owner", At("after.owner")),
        ("deadline", At("after.deadline")),
        ("taken_over_by", At("after.taken_over_by")),
        ("taken_over_at", At("after.taken_over_at")),
        ("seq", At("seq")),
    ],
};

static ESCALATED: Put = Put {
    table: &ASSIGNMENTS,
    mode: Mode::Either,
    when: "after.escalated_to",
    of: "",
    columns: &[
        ("subject_type", At("subject.type")),
        ("subject_id", At("subject.id")),
        ("owner", At("after.owner")),
        ("deadline", At("after.deadline")),
        ("escalated_to", At("after.escalated_to")),
        ("escalated_at", At("ts")),
        ("delivered", At("after.delivered")),
        ("delivered_at", At("after.delivered_at")),
        ("taken_over_by", At("after.taken_over_by")),
        ("taken_over_at", At("after.taken_over_at")),
        ("seq", At("seq")),
    ],
};

/// What stood before a hold of a batch.
static HELD_BEFORE: Put = Put {
    table: &ASSIGNMENTS,
    mode: Mode::Either,
    when: "after.owner",
    of: "intent",
    columns: &[
        ("subject_type", At("subject.type")),
        ("subject_id", At("subject.id")),
        ("owner", At("after.owner")),
        ("deadline", At("after.deadline")),
        ("escalated_to", At("after.escalated_to")),
        ("escalated_at", At("after.escalated_at")),
        ("delivered", At("after.delivered")),
        ("delivered_at", At("after.delivered_at")),
        ("taken_over_by", At("after.taken_over_by")),
        ("taken_over_at", At("after.taken_over_at")),
        ("seq", At("seq")),
    ],
};

static DELIVERED: Put = Put {
    table: &ASSIGNMENTS,
    mode: Mode::Either,
    when: "",
    of: "",
    columns: &[
        ("subject_type", At("subject.type")),
        ("subject_id", At("subject.id")),
        ("delivered", At("after.delivered")),
        ("delivered_at", At("ts")),
        ("seq", At("seq")),
    ],
};

static RESOLVED: Put = Put {
    table: &RESOLUTIONS,
    mode: Mode::New,
    when: "after.state",
    of: "intent",
    columns: &[
        ("seq", At("seq")),
        ("intent_id", At("subject.id")),
        ("from_state", At("before.state")),
        ("to_state", At("after.state")),
        ("by_name", At("actor.name")),
        ("second_name", At("second.name")),
        ("at", At("ts")),
        ("reason", At("reason")),
        ("note", At("note")),
        ("evidence", At("evidence")),
        ("by_override", At("policy.override")),
        ("break_glass", At("policy.break_glass.incident")),
        ("review_due", At("policy.break_glass.review_due")),
        ("batch", At("batch")),
        ("fingerprint", At("based_on.fingerprint")),
    ],
};

static REQUESTED: Put = Put {
    table: &REQUESTS,
    mode: Mode::New,
    when: "",
    of: "",
    columns: &[
        ("seq", At("seq")),
        ("subject_type", At("subject.type")),
        ("subject_id", At("subject.id")),
        ("digest", At("after.request.digest")),
        ("proposed", At("after.request.proposed")),
        ("fingerprint", At("after.request.fingerprint")),
        ("policy", At("after.request.policy")),
        ("by_name", At("actor.name")),
        ("by_uid", At("actor.uid")),
        ("by_login", At("actor.login")),
        ("by_session", At("actor.session")),
        ("by_verified", At("actor.verified")),
        ("at", At("ts")),
        ("expires_at", At("after.request.expires_at")),
        ("status", Is("open")),
    ],
};

/// A request that is no longer open.
macro_rules! decided {
    ($name:ident, $status:literal) => {
        static $name: Put = Put {
            table: &REQUESTS,
            mode: Mode::There,
            when: "after.request_seq",
            of: "",
            columns: &[("seq", At("after.request_seq")), ("status", Is($status)), ("decided_seq", At("seq"))],
        };
    };
}
decided!(GIVEN, "given");
decided!(DENIED, "denied");
decided!(WITHDRAWN, "withdrawn");
decided!(EXPIRED, "expired");

static APPROVED: Put = Put {
    table: &APPROVALS,
    mode: Mode::New,
    when: "after.approval",
    of: "",
    columns: &[
        ("digest", At("after.approval.digest")),
        ("seq", At("seq")),
        ("request_seq", At("after.request_seq")),
        ("decision", At("after.approval.decision")),
        ("by_name", At("after.approval.by")),
        ("at", At("after.approval.at")),
        ("own_read", At("after.approval.own_read")),
        ("relied", At("after.approval.relied")),
        ("verified", At("after.approval.verified")),
    ],
};

static DISPOSED: Put = Put {
    table: &DISPOSITIONS,
    mode: Mode::New,
    when: "after.disposition",
    of: "",
    columns: &[
        ("seq", At("seq")),
        ("subject_type", At("subject.type")),
        ("subject_id", At("subject.id")),
        ("as_word", At("after.disposition.as")),
        ("amount_minor", At("after.disposition.amount.minor")),
        ("amount_currency", At("after.disposition.amount.currency")),
        ("amount_unit", At("after.disposition.amount.unit")),
        ("amount_decimal", At("after.disposition.amount.decimal")),
        ("reference", At("after.disposition.ref")),
        ("same_as", At("after.disposition.same_as")),
        ("fingerprint", At("based_on.fingerprint")),
        ("by_name", At("actor.name")),
        ("second_name", At("second.name")),
        ("at", At("ts")),
        ("batch", At("batch")),
    ],
};

static REVIEWED: Put = Put {
    table: &REVIEWS,
    mode: Mode::New,
    when: "after.review",
    of: "",
    columns: &[
        ("seq", At("seq")),
        ("reviewed_seq", At("after.review.seq")),
        ("first_seq", At("after.review.first_seq")),
        ("last_seq", At("after.review.last_seq")),
        ("outcome", At("after.review.outcome")),
        ("by_name", At("actor.name")),
        ("at", At("ts")),
    ],
};

static ACKNOWLEDGED: Put = Put {
    table: &POSITIONS,
    mode: Mode::Either,
    when: "",
    of: "",
    columns: &[
        ("source", At("subject.id")),
        ("position", At("after.position")),
        ("at", At("ts")),
        ("seq", At("seq")),
    ],
};

static HUSHED: Put = Put {
    table: &QUIET,
    mode: Mode::Either,
    when: "",
    of: "",
    columns: &[
        ("rule", At("after.rule")),
        ("subject", At("after.subject")),
        ("until", At("after.until")),
        ("quiet", At("after.quiet")),
        ("at", At("ts")),
        ("seq", At("seq")),
    ],
};

const fn doing(
    action: Action,
    word: &'static str,
    says: &'static str,
    puts: &'static [&'static Put],
) -> Doing {
    Doing { action, word, says, decision: false, changes: false, puts }
}

const fn change(
    action: Action,
    word: &'static str,
    says: &'static str,
    puts: &'static [&'static Put],
) -> Doing {
    Doing { action, word, says, decision: false, changes: true, puts }
}

const fn decision(
    action: Action,
    word: &'static str,
    says: &'static str,
    puts: &'static [&'static Put],
) -> Doing {
    Doing { action, word, says, decision: true, changes: true, puts }
}

/// Every action. Which are decisions: whatever moves a state by hand or by reconciliation, closes or reopens an item,
/// ties rows, or answers for somebody else.
#[rustfmt::skip]
pub static ACTIONS: [Doing; 34] = [
    doing(Action::CaseCreated, "case_created", "opened the case", &[&CASE, &POLICY]),
    doing(Action::SourceAdded, "source_added", "added a source", &[]),
    doing(Action::SourceRemoved, "source_removed", "took a source out", &[]),
    doing(Action::IntentRecorded, "intent_recorded", "recorded the intent", &[&RECORD, &STATE]),
    change(Action::IntentMarked, "intent_marked", "marked the answer", &[&CHANGED, &STATE_SEQ, &STATE, &CLAIM_ENDS, &READ]),
    change(Action::GateAllowed, "gate_allowed", "let a call through the gate", &[&CHANGED, &STATE_SEQ, &STATE, &CLAIM]),
    doing(Action::GateRefused, "gate_refused", "was refused at the gate", &[]),
    doing(Action::Readback, "readback", "read a source again", &[&READ, &VERIFIED]),
    decision(Action::Link, "link", "tied a row to the intent", &[&CHANGED, &LINKED]),
    decision(Action::Unlink, "unlink", "took a row from the intent", &[&CHANGED, &UNLINKED]),
    decision(Action::SuggestionRejected, "suggestion_rejected", "answered a suggestion with no", &[&CHANGED, &REJECTED]),
    decision(Action::Assign, "assign", "named an owner", &[&CHANGED, &ASSIGNED]),
    decision(Action::Escalate, "escalate", "escalated", &[&CHANGED, &ESCALATED]),
    doing(Action::Delivered, "delivered", "recorded the delivery", &[&DELIVERED]),
    change(Action::Expire, "expire", "the deadline passed", &[&CHANGED, &STATE_SEQ, &STATE, &CLAIM_ENDS, &ESCALATED]),
    decision(Action::Resolve, "resolve", "resolved", &[&CHANGED, &STATE_SEQ, &STATE, &RESOLVED]),
    doing(Action::ResolveRefused, "resolve_refused", "was refused", &[]),
    doing(Action::ApprovalRequested, "approval_requested", "asked for a second person", &[&REQUESTED]),
    Doing { action: Action::ApprovalGiven, word: "approval_given", says: "approved", decision: true, changes: false, puts: &[&GIVEN, &APPROVED] },
    Doing { action: Action::ApprovalDenied, word: "approval_denied", says: "denied", decision: true, changes: false, puts: &[&DENIED, &APPROVED] },
    doing(Action::ApprovalWithdrawn, "approval_withdrawn", "took the request back", &[&WITHDRAWN]),
    doing(Action::ApprovalExpired, "approval_expired", "the request expired", &[&EXPIRED]),
    decision(Action::Reopen, "reopen", "reopened", &[&CHANGED, &STATE_SEQ, &STATE]),
    doing(Action::Note, "note", "wrote a note", &[]),
    decision(Action::Disposition, "disposition", "closed or reopened the item", &[&CHANGED, &DISPOSED]),
    decision(Action::BatchUndone, "batch_undone", "undid a batch", &[&CHANGED, &STATE_SEQ, &STATE, &DISPOSED, &HELD_BEFORE]),
    doing(Action::Review, "review", "reviewed", &[&REVIEWED]),
    doing(Action::QuietHazard, "quiet_hazard", "made a hazard quiet or loud", &[&HUSHED]),
    doing(Action::PositionAcknowledged, "position_acknowledged", "took note of a position that went back", &[&ACKNOWLEDGED]),
    doing(Action::ConfigChanged, "config_changed", "the config changed", &[]),
    Doing { action: Action::PolicyChanged, word: "policy_changed", says: "changed the policy", decision: true, changes: false, puts: &[&POLICY] },
    doing(Action::EvidenceErased, "evidence_erased", "erased the text of evidence", &[]),
    doing(Action::Export, "export", "exported", &[]),
    doing(Action::Anchor, "anchor", "took the head elsewhere", &[]),
];

impl Action {
    /// Its row of [`ACTIONS`].
    pub fn doing(self) -> Option<&'static Doing> {
        ACTIONS.iter().find(|doing| doing.action == self)
    }

    /// Its word in the entry.
    pub fn word(self) -> &'static str {
        self.doing().map_or("", |doing| doing.word)
    }
}

/// The row of a word of an entry.
pub fn of_word(word: &str) -> Option<&'static Doing> {
    ACTIONS.iter().find(|doing| doing.word == word)
}
