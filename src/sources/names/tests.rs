use super::*;

#[test]
fn slots_are_places_in_their_tables() {
    let at = |table: &[FieldNames], slot: usize| table.get(slot).map(|line| line.field);
    for table in [ledger::TABLE, trace::TABLE, record::TABLE] {
        for (slot, field) in [
            (shared::OPERATION, "operation_id"),
            (shared::KEY, "key"),
            (shared::BUSINESS, "business_id"),
            (shared::BUSINESS + shared::BUSINESS_SLOTS - 1, "business_id"),
            (shared::PARTY, "party"),
            (shared::AMOUNT, "amount"),
            (shared::AMOUNT_MINOR, "amount_minor"),
            (shared::CURRENCY, "currency"),
        ] {
            assert_eq!(at(table, slot), Some(field));
        }
        assert!(table.len() <= INSIDE);
    }
    for (slot, field) in [
        (ledger::EFFECT, "effect_id"),
        (ledger::COMMITTED, "committed_at"),
        (ledger::STATUS, "status"),
        (ledger::KIND, "kind"),
        (ledger::REVERSES, "reverses"),
        (ledger::EXTERNAL, "external_ref"),
        (ledger::CAPTURED, "captured"),
        (ledger::CAPTURED_MINOR, "captured_minor"),
        (ledger::POSITION, "position"),
        (ledger::DERIVED, "derived_key"),
    ] {
        assert_eq!(at(ledger::TABLE, slot), Some(field));
    }
    for (slot, field) in [
        (trace::INTENT, "intent_id"),
        (trace::ATTEMPT, "attempt_id"),
        (trace::NUMBER, "attempt"),
        (trace::TOOL, "tool"),
        (trace::ARGUMENTS, "arguments"),
        (trace::SENT, "sent_at"),
        (trace::ENDED, "ended_at"),
        (trace::OUTCOME, "outcome"),
        (trace::RECEIPT, "receipt"),
        (trace::ANSWERED, "effect_id"),
        (trace::RUN, "run_id"),
        (trace::DECISION, "decision_id"),
        (trace::TURN, "turn"),
        (trace::AGENT, "agent"),
        (trace::MODEL, "model"),
        (trace::IS_ERROR, "is_error"),
        (trace::REUSED, "reused"),
        (trace::REPLAYED, "replayed"),
        (trace::ERROR, "error"),
        (trace::ANSWERS[0], "result"),
        (trace::ANSWERS[1], "response"),
        (trace::ANSWERS[2], "output"),
    ] {
        assert_eq!(at(trace::TABLE, slot), Some(field));
    }
    for (slot, field) in [
        (record::INTENT, "intent_id"),
        (record::KIND, "kind"),
        (record::COUNT, "count"),
        (record::COUNT_MIN, "count_min"),
        (record::COUNT_MAX, "count_max"),
        (record::ACCEPT, "accept"),
        (record::ATTRS, "attrs"),
        (record::PARENT, "parent_id"),
        (record::RELATION, "relation"),
        (record::DEADLINE, "deadline"),
        (record::RECORDED, "recorded_at"),
    ] {
        assert_eq!(at(record::TABLE, slot), Some(field));
    }
    // What stands in the arguments has its second slot below those of the partitions.
    for (slot, line) in trace::TABLE.iter().enumerate() {
        assert!(!line.inside || slot + INSIDE < PART, "{}", line.field);
    }
    assert_eq!(PART + 2 * PARTS, FILTER);
}

#[test]
fn names_are_compared_without_case_and_joints() {
    for name in ["operation_id", "OperationId", "operation-ID", "OPERATION ID", "operationid"] {
        assert!(alike("operation_id", name), "{name}");
        assert_eq!(loose(name), "operationid");
    }
    for name in ["operation.id", "operation_ids", "operation", ""] {
        assert!(!alike("operation_id", name), "{name}");
    }
}

#[test]
fn endings_stand_for_names() {
    for (name, stands) in [
        ("refund_cents", true),
        ("RefundCents", true),
        ("amount_cents", true),
        ("cents", false),
        ("captured_cents", false),
        ("centsible", false),
    ] {
        assert_eq!(stands_for("*_cents", name), stands, "{name}");
    }
}

#[test]
fn a_name_gives_its_prefix() {
    for (name, prefix) in [
        ("order_id", Some("order:")),
        ("Order ID", Some("order:")),
        ("orderId", Some("order:")),
        ("OrderID", Some("order:")),
        ("order", Some("order:")),
        ("thread_id", Some("thread:")),
        ("business_id", None),
        ("businessId", None),
        ("reference", None),
        ("_id", None),
        ("id", None),
        ("paid", None),
    ] {
        assert_eq!(prefix_of(name).as_deref(), prefix, "{name}");
    }
}

#[test]
fn a_prefix_is_not_doubled() {
    let mut buffer = String::new();
    for (value, id) in [
        ("4812", "order:4812"),
        ("order:4812", "order:4812"),
        ("order_4812", "order_4812"),
        ("orders-4812", "order:orders-4812"),
        ("Order:4812", "order:Order:4812"),
        ("", "order:"),
    ] {
        assert_eq!(prefixed("order:", value.into(), &mut buffer), id);
    }
    assert_eq!(prefixed("", "4812".into(), &mut buffer), "4812");
}
