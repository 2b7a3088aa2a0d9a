//! The rows of the book as values (`1-model.md` 1.1, `3-lifecycle.md` 3.6.1). A field has the name of its column.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, Params};

use crate::model::row::State;
use crate::model::time::{Micros, Zone, parse_time};

impl FromSql for State {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Self::from_word(value.as_str()?).ok_or(FromSqlError::InvalidType)
    }
}

impl FromSql for Micros {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(parse_time(value.as_str()?, &Zone::Utc).begin())
    }
}

/// Rows of a table as values.
pub trait Record: Sized {
    /// The statement that reads all of them, without a condition.
    const SELECT: &'static str;

    /// Reads one row of [`Record::SELECT`].
    ///
    /// # Errors
    /// A column that holds something else.
    fn of(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self>;

    /// Rows that a condition names.
    ///
    /// # Errors
    /// What SQLite says.
    fn all(db: &Connection, condition: &str, values: impl Params) -> rusqlite::Result<Vec<Self>> {
        let mut all = db.prepare_cached(&format!("{} {condition}", Self::SELECT))?;
        let rows = all.query_map(values, |row| Self::of(row))?;
        rows.collect()
    }
}

/// A record: a type, its table, its columns.
macro_rules! record {
    ($(#[$doc:meta])* $name:ident, $table:literal, {
        $($(#[$about:meta])* $column:ident: $kind:ty,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$about])* pub $column: $kind,)*
        }

        impl Record for $name {
            const SELECT: &'static str =
                concat!("SELECT ", $("\"", stringify!($column), "\", ",)* "1 FROM ", $table);

            fn of(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
                Ok(Self { $($column: row.get(stringify!($column))?,)* })
            }
        }
    };
}

record!(
    /// An intended business operation, with its recorded state.
    Intent, "intents", {
        /// Its id.
        intent_id: String,
        /// Operation id; unique.
        operation_id: Option<String>,
        /// Kind.
        kind: Option<String>,
        /// What it is about: `order:4812`.
        business_id: Option<String>,
        /// Customer or account.
        party: Option<String>,
        /// Least effects.
        count_min: Option<i64>,
        /// Most effects.
        count_max: Option<i64>,
        /// Expected total, minor units of `total_currency`.
        total_minor: Option<i64>,
        /// Its currency.
        total_currency: Option<String>,
        /// The unit of a total that is not a currency.
        total_unit: Option<String>,
        /// Such a total, exact decimal.
        total_decimal: Option<String>,
        /// Alternative totals, JSON.
        accept: Option<String>,
        /// Expected attributes, JSON.
        attrs: Option<String>,
        /// `intent_record`, `file`, `assumed`.
        expectation_source: Option<String>,
        /// Key; never changes.
        key: Option<String>,
        /// `random`, `derived`, `operation_id`.
        key_kind: Option<String>,
        /// `app`, `model`, `library`, `unknown`.
        key_origin: Option<String>,
        /// When it was minted.
        key_minted_at: Option<Micros>,
        /// Hash of the identifying fields.
        derived_key: Option<String>,
        /// Hash of the payload.
        payload_hash: Option<String>,
        /// `durable`, `context`, `unknown`.
        storage: Option<String>,
        /// The parent.
        parent_id: Option<String>,
        /// `replaces`, `adds_to`, `corrects`.
        relation: Option<String>,
        /// Tool.
        tool: Option<String>,
        /// Run.
        run_id: Option<String>,
        /// Agent.
        agent: Option<String>,
        /// Where it was recorded from: `app`, or what was shown of it, JSON.
        origin: Option<String>,
        /// When.
        recorded_at: Option<Micros>,
        /// Entry that recorded it.
        recorded_seq: i64,
        /// State.
        state: State,
        /// Entry that gave it this state.
        state_seq: i64,
        /// Grows with each change.
        version: i64,
        /// Entry that changed it last.
        changed_seq: i64,
        /// Deadline.
        deadline: Option<Micros>,
        /// Owner.
        owner: Option<String>,
        /// Whom it was escalated to.
        escalated_to: Option<String>,
        /// `verified at position N` (T10).
        verified_at_position: Option<String>,
    }
);

record!(
    /// A change of a state.
    StateChange, "state_changes", {
        /// Its entry.
        seq: i64,
        /// The intent.
        intent_id: String,
        /// State before; none for the record.
        from_state: Option<State>,
        /// State after.
        to_state: State,
        /// What was done.
        action: String,
        /// Kind of the actor.
        actor_kind: String,
        /// Name of the actor.
        actor_name: String,
        /// When.
        at: Micros,
        /// Reason.
        reason: Option<String>,
        /// New deadline.
        deadline: Option<Micros>,
    }
);

record!(
    /// A claim of the gate and what became of it. Open while `outcome` is none.
    Attempt, "attempts", {
        /// Its id.
        attempt_id: String,
        /// The intent.
        intent_id: String,
        /// Tool.
        tool: Option<String>,
        /// Key that it is sent with.
        key: Option<String>,
        /// Hash of its payload.
        payload_hash: Option<String>,
        /// Names of the quotas it counts in, JSON.
        quota: Option<String>,
        /// What it costs, minor units.
        cost_minor: Option<i64>,
        /// The currency of that.
        cost_currency: Option<String>,
        /// A declared re-drive of an unknown.
        redrive: Option<bool>,
        /// Who holds the claim.
        holder: Option<String>,
        /// When it was claimed; none where it was only marked.
        claimed_at: Option<Micros>,
        /// Entry of the claim.
        claimed_seq: Option<i64>,
        /// Time limit.
        deadline: Option<Micros>,
        /// Outcome word.
        outcome: Option<String>,
        /// Receipt that the answer named.
        receipt: Option<String>,
        /// Text of the answer.
        text: Option<String>,
        /// When it was marked.
        ended_at: Option<Micros>,
        /// Entry of the mark.
        marked_seq: Option<i64>,
    }
);

record!(
    /// One look at the world.
    Readback, "readbacks", {
        /// Its id: `rb_15`.
        id: String,
        /// The intent.
        intent_id: String,
        /// The source.
        source: Option<String>,
        /// When reading began.
        started_at: Option<Micros>,
        /// Taken before the first read.
        read_at: Option<Micros>,
        /// What was asked.
        query: Option<String>,
        /// Read position.
        position: Option<String>,
        /// One of the six result words.
        result: Option<String>,
        /// What the result says, JSON.
        detail: Option<String>,
        /// Digest of the evidence.
        digest: Option<String>,
        /// A person read.
        manual: Option<bool>,
        /// A replayed answer, never evidence.
        replayed: Option<bool>,
        /// Who.
        by_name: String,
        /// Its entry.
        seq: i64,
    }
);

record!(
    /// A row tied to an intent by hand, taken from it, or rejected as a suggestion.
    Link, "links", {
        /// Source of the row.
        source: String,
        /// Its id there.
        effect_id: String,
        /// The intent.
        intent_id: String,
        /// `linked`, `unlinked`, `rejected`.
        status: String,
        /// Who.
        by_name: String,
        /// When.
        at: Micros,
        /// Entry.
        seq: i64,
    }
);

record!(
    /// Owner, due time and delivery of an item.
    Assignment, "assignments", {
        /// Type of the item.
        subject_type: String,
        /// Its id.
        subject_id: String,
        /// Owner.
        owner: Option<String>,
        /// Due.
        deadline: Option<Micros>,
        /// Escalated to.
        escalated_to: Option<String>,
        /// When.
        escalated_at: Option<Micros>,
        /// Delivery reference.
        delivered: Option<String>,
        /// When it was recorded.
        delivered_at: Option<Micros>,
        /// Who took it over.
        taken_over_by: Option<String>,
        /// When.
        taken_over_at: Option<Micros>,
        /// Entry that changed it last.
        seq: i64,
    }
);

record!(
    /// A decision about a state.
    Resolution, "resolutions", {
        /// Its entry.
        seq: i64,
        /// The intent.
        intent_id: String,
        /// State before.
        from_state: Option<State>,
        /// State after.
        to_state: State,
        /// Who.
        by_name: String,
        /// The second person.
        second_name: Option<String>,
        /// When.
        at: Micros,
        /// Reason.
        reason: Option<String>,
        /// Note.
        note: Option<String>,
        /// Evidence items, JSON.
        evidence: Option<String>,
        /// By override.
        by_override: Option<bool>,
        /// Incident of a break-glass.
        break_glass: Option<String>,
        /// Until when that must be reviewed.
        review_due: Option<Micros>,
        /// Batch.
        batch: Option<String>,
        /// Fingerprint of the facts that were seen.
        fingerprint: Option<String>,
    }
);

record!(
    /// A decision that waits, or waited, for a second person.
    Request, "requests", {
        /// Its entry.
        seq: i64,
        /// Type of the item.
        subject_type: String,
        /// Its id.
        subject_id: String,
        /// Digest of the request file.
        digest: Option<String>,
        /// What is to be done, JSON.
        proposed: Option<String>,
        /// Fingerprint of the facts.
        fingerprint: Option<String>,
        /// Digest of the policy.
        policy: Option<String>,
        /// Who asked.
        by_name: String,
        /// Numeric user of the requester.
        by_uid: Option<u32>,
        /// Login of the requester.
        by_login: Option<String>,
        /// Session of the requester.
        by_session: Option<String>,
        /// How the requester is known.
        by_verified: Option<String>,
        /// When.
        at: Micros,
        /// Until when.
        expires_at: Option<Micros>,
        /// `open`, `given`, `denied`, `withdrawn`, `expired`.
        status: String,
        /// Entry that ended it.
        decided_seq: Option<i64>,
    }
);

record!(
    /// What a second person said. Each is used once.
    Approval, "approvals", {
        /// Digest of the approval.
        digest: String,
        /// Its entry.
        seq: i64,
        /// The request.
        request_seq: Option<i64>,
        /// `approve` or `deny`.
        decision: Option<String>,
        /// Who.
        by_name: Option<String>,
        /// When.
        at: Option<Micros>,
        /// Own read.
        own_read: Option<String>,
        /// Relied on the requester's evidence.
        relied: Option<bool>,
        /// How the approver is known.
        verified: Option<String>,
    }
);

record!(
    /// What closes an item, or opens it again.
    Disposition, "dispositions", {
        /// Its entry.
        seq: i64,
        /// Type of the item.
        subject_type: String,
        /// Its id.
        subject_id: String,
        /// The word; `reopened` takes the earlier ones back.
        as_word: Option<String>,
        /// Amount, minor units.
        amount_minor: Option<i64>,
        /// Its currency.
        amount_currency: Option<String>,
        /// The unit of an amount that is not in a currency.
        amount_unit: Option<String>,
        /// Such an amount, exact decimal.
        amount_decimal: Option<String>,
        /// Reference.
        reference: Option<String>,
        /// The other item.
        same_as: Option<String>,
        /// Fingerprint of the facts that were closed.
        fingerprint: Option<String>,
        /// Who.
        by_name: String,
        /// The second person.
        second_name: Option<String>,
        /// When.
        at: Micros,
        /// Batch.
        batch: Option<String>,
    }
);

record!(
    /// What a third person found afterwards.
    Review, "reviews", {
        /// Its entry.
        seq: i64,
        /// The reviewed entry; none where a period was.
        reviewed_seq: Option<i64>,
        /// First entry of the period.
        first_seq: Option<i64>,
        /// Last entry of the period.
        last_seq: Option<i64>,
        /// `ok` or `exception`.
        outcome: Option<String>,
        /// Who.
        by_name: String,
        /// When.
        at: Micros,
    }
);

record!(
    /// A policy that was in force from its entry on.
    Policy, "policies", {
        /// Its entry.
        seq: i64,
        /// Its digest.
        digest: Option<String>,
        /// Its text.
        text: Option<String>,
    }
);

record!(
    /// A read position that went back and was taken note of.
    AcknowledgedPosition, "acknowledged_positions", {
        /// The source.
        source: String,
        /// The position.
        position: Option<String>,
        /// When.
        at: Micros,
        /// Entry.
        seq: i64,
    }
);

record!(
    /// A hazard that was made quiet, or loud again.
    QuietHazard, "quiet_hazards", {
        /// The rule.
        rule: String,
        /// What it is about.
        subject: String,
        /// Until when.
        until: Option<Micros>,
        /// Quiet, or loud again.
        quiet: Option<bool>,
        /// When.
        at: Micros,
        /// Entry.
        seq: i64,
    }
);

record!(
    /// What became of sending a head away.
    HeadSent, "heads_sent", {
        /// Number of the entry.
        seq: i64,
        /// Its hash.
        hash: String,
        /// When.
        at: Micros,
        /// Where to: `syslog`, `file:PATH`, `command:PATH`.
        target: String,
        /// Why it did not leave.
        failure: Option<String>,
    }
);
