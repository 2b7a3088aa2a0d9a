//! Many currencies.

use super::*;

const NOW: &str = "2026-11-30T03:30:00Z";
const ROWS: &str = "\
refund_id,kind,reverses,business_id,operation_id,amount,currency,committed_at
a1,effect,,order:1,refund:order_1:c,5000,JPY,2026-11-30T00:10:01Z
a2,effect,,order:2,refund:order_2:c,120,JPY,2026-11-30T00:20:01Z
a3,effect,,order:3,refund:order_3:c,12.345,BHD,2026-11-30T00:30:01Z
a4,effect,,order:4,refund:order_4:c,75.000,KWD,2026-11-30T00:40:01Z
a5,effect,,order:5,refund:order_5:c,49.90,EUR,2026-11-30T00:50:01Z
a5b,effect,,order:5,refund:order_5:c,49.90,EUR,2026-11-30T00:50:09Z
a6,effect,,order:6,refund:order_6:c,30.00,USD,2026-11-30T01:00:01Z
a8,effect,,order:8,refund:order_8:c,1500,PTS,2026-11-30T01:20:01Z
a8b,effect,,order:8,refund:order_8:c,1500,PTS,2026-11-30T01:20:30Z
b10,effect,,order:10,refund:order_10:c,5.00,USD,2026-11-30T01:40:01Z
b10b,effect,,order:10,refund:order_10:c,5.00,USD,2026-11-30T01:40:02Z
b11,effect,,order:11,refund:order_11:c,200.00,USD,2026-11-30T01:50:01Z
b11b,effect,,order:11,refund:order_11:c,200.00,USD,2026-11-30T01:50:09Z
b11v,reversal,b11b,order:11,refund:order_11:c,200.00,USD,2026-11-30T02:10:00Z
b12,effect,,order:12,refund:order_12:c,6.00,EUR,2026-11-30T03:00:01Z
";

/// Whole minor units as integers, whatever the unit.
fn trace() -> String {
    let call = |no: u64, minor: u64, unit: &str, time: &str| {
        let at = |second: &str| format!("2026-11-30T{time}:{second}Z");
        json!({"operation_id": format!("refund:order_{no}:c"), "tool": "refund_order",
            "arguments": {"order_id": no.to_string(), "amount_minor": minor, "currency": unit},
            "started_at": at("00"), "finished_at": at("02"), "outcome": "success"})
    };
    lines(&[
        call(1, 5_000, "JPY", "00:10"),
        call(2, 12_000, "JPY", "00:20"),
        call(3, 12_345, "BHD", "00:30"),
        call(4, 7_500, "KWD", "00:40"),
        call(5, 4_990, "EUR", "00:50"),
        call(6, 3_000, "EUR", "01:00"),
        call(7, 25_000, "BRL", "01:10"),
        call(8, 1_500, "PTS", "01:20"),
        call(10, 1_000, "USD", "01:40"),
        call(11, 20_000, "USD", "01:50"),
        call(12, 600, "EUR", "03:00"),
    ])
}

fn answers(world: &World) {
    let s = world.summary();
    assert_eq!(world.totals(&s.out_too_much), "EUR 49.90, KWD 67.500, 1,500 PTS, USD 30.00");
    assert_eq!(world.totals(&s.owed), "BRL 250.00, EUR 30.00, JPY 11,880");
    assert_eq!(
        (world.totals(&s.probably_too_much).as_str(), world.totals(&s.may_still_go_out).as_str()),
        ("", "")
    );
}

#[test]
fn per_unit_never_one_total() {
    let world = loaded(case(
        NOW,
        [memory(What::Trace, "trace", &trace()), exported(memory(What::Ledger, "ledger", ROWS), NOW)],
    ));
    answers(&world);
    for (order, verdict) in [
        ("order:1", "MATCHED"),
        ("order:2", "AMOUNT_MISMATCH"),
        ("order:3", "MATCHED"),
        ("order:4", "AMOUNT_MISMATCH"),
        ("order:5", "DUPLICATED"),
        ("order:6", "CURRENCY_MISMATCH"),
        ("order:7", "MISSING"),
        ("order:8", "DUPLICATED"),
        ("order:10", "COUNT_DIFFERS_TOTAL_EQUAL"),
        ("order:11", "DUPLICATED_REVERSED"),
        ("order:12", "MATCHED"),
    ] {
        assert_eq!(world.verdict(order), verdict, "{order}");
    }
    let undone = world.view("order:11");
    assert_eq!((undone.judgement.gross, undone.judgement.net), (2, 1));
    assert_eq!(world.totals(&undone.totals), "USD 200.00");
}

#[test]
fn beside_the_checkout() {
    let Some(folder) = beside("cases/scenarios/08-many-currencies") else { return };
    let world = loaded(case(
        NOW,
        [
            file(What::Trace, "trace", &folder.join("trace.jsonl")),
            exported(file(What::Ledger, "ledger", &folder.join("ledger.csv")), NOW),
        ],
    ));
    answers(&world);
    assert_eq!(world.verdict("order:810"), "COUNT_DIFFERS_TOTAL_EQUAL");
    assert_eq!(world.verdict("order:811"), "DUPLICATED_REVERSED");
}
