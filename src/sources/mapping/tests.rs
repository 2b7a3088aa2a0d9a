use super::*;
use crate::sources::names::{record, trace};
use crate::sources::peek::Peek;
use crate::sources::recording::mapped;

fn columns(layout: &Layout, header: &[&str]) -> Result<Vec<(String, String)>, MappingError> {
    let header: Vec<String> = header.iter().map(|name| (*name).to_owned()).collect();
    Ok(layout.columns(&header)?.found)
}

fn pairs(found: &[(String, String)]) -> Vec<(&str, &str)> {
    found.iter().map(|(field, name)| (field.as_str(), name.as_str())).collect()
}

#[test]
fn the_first_name_of_a_line_is_taken() {
    let layout = Layout::new(ledger::TABLE, &Options::default(), &[]).unwrap();
    let found = columns(
        &layout,
        &["id", "refund_id", "key", "Idempotency Key", "date", "CREATED_AT", "payment_id", "order"],
    )
    .unwrap();
    assert_eq!(
        pairs(&found),
        [
            ("key", "Idempotency Key"),
            ("business_id", "order"),
            ("business_id", "payment_id"),
            ("effect_id", "refund_id"),
            ("committed_at", "CREATED_AT"),
        ]
    );
    assert_eq!(layout.words("columns"), "columns by name");
}

#[test]
fn a_group_is_mapped_as_a_whole() {
    let layout =
        Layout::new(ledger::TABLE, &mapped(&[("amount", "cents"), ("business_id", "ticket")]), &[]).unwrap();
    let found = columns(&layout, &["cents", "amount_minor", "order_id", "ticket", "id"]).unwrap();
    assert_eq!(pairs(&found), [("business_id", "ticket"), ("amount", "cents"), ("effect_id", "id")]);
    assert_eq!(layout.words("columns"), "columns as mapped, the rest by name");
    assert_eq!(layout.plan().prefix(shared::BUSINESS), "");
    let layout = Layout::new(record::TABLE, &mapped(&[("business_id", "ticket_id")]), &[]).unwrap();
    assert_eq!(layout.plan().prefix(shared::BUSINESS), "ticket:");
}

#[test]
fn what_is_mapped_has_to_be_there_exactly_or_alike() {
    let layout = Layout::new(ledger::TABLE, &mapped(&[("key", "Ref No")]), &[]).unwrap();
    assert_eq!(pairs(&columns(&layout, &["ref_no"]).unwrap()), [("key", "ref_no")]);
    assert_eq!(pairs(&columns(&layout, &["ref_no", "Ref No"]).unwrap()), [("key", "Ref No")]);
    let Err(MappingError::Ambiguous { candidates, .. }) = columns(&layout, &["ref_no", "REF-NO"]) else {
        panic!()
    };
    assert_eq!(candidates, "ref_no, REF-NO");
    let Err(MappingError::MissingColumn { near, present, .. }) = columns(&layout, &["ref_nr"]) else {
        panic!()
    };
    assert_eq!((near.as_str(), present.as_str()), ("; did you mean `ref_nr`?", "ref_nr"));
}

#[test]
fn partitions_may_be_mapped_and_filters_must_be_there() {
    let parts = ["region".to_owned()];
    let layout = Layout::new(ledger::TABLE, &mapped(&[("region", "zone_code")]), &parts).unwrap();
    let header: Vec<String> = ["id", "zone_code"].map(str::to_owned).to_vec();
    assert_eq!(layout.columns(&header).unwrap().of[PART], Some(1));
    assert_eq!(layout.plan().parts().collect::<Vec<_>>(), [(PART, "region")]);
    // Without a mapping a partition field need not be there.
    let layout = Layout::new(ledger::TABLE, &Options::default(), &parts).unwrap();
    assert_eq!(layout.columns(&header).unwrap().of[PART], None);
}

#[test]
fn endings_are_spelled_from_the_sample() {
    let layout = Layout::new(trace::TABLE, &Options::default(), &[]).unwrap();
    let sample = Peek::at(br#"{"tool":"t","args":{"refund_cents":5,"order_id":1}}"#).records;
    let found = layout.found(&sample).unwrap();
    assert_eq!(
        pairs(&found),
        [
            ("business_id", "args.order_id"),
            ("amount_minor", "args.refund_cents"),
            ("tool", "tool"),
            ("arguments", "args"),
        ]
    );
}

#[test]
fn inside_slots_do_not_meet() {
    assert_eq!(inside_slot(0), Some(INSIDE));
    assert_eq!(inside_slot(15), Some(PART - 1));
    assert_eq!(inside_slot(16), None);
    assert_eq!(inside_slot(PART), Some(PART + PARTS));
    assert_eq!(inside_slot(PART + PARTS), None);
}
