//! Not found is not no.

use super::*;

const EARLY: &str = "\
row_id,refund_id,order_id,operation_id,amount,currency,created_at
70,rf_70,810,refund:order_810:c,31.00,EUR,2026-11-30T01:40:00.600Z
72,rf_72,824,,1Z.00,EUR,2026-11-30T01:50:03.100Z
74,rf_74,811,refund:order_811:c,8.00,EUR,2026-11-30T02:10:44.100Z
";
const LATE: &str = "\
row_id,refund_id,order_id,operation_id,amount,currency,created_at
70,rf_70,810,refund:order_810:c,31.00,EUR,2026-11-30T01:40:00.600Z
72,rf_72,824,refund:order_824:c,12.00,EUR,2026-11-30T01:50:03.100Z
74,rf_74,811,refund:order_811:c,8.00,EUR,2026-11-30T02:10:44.100Z
75,rf_75,822,refund:order_822:c,130.00,EUR,2026-11-30T02:13:04.000Z
90,rf_90,812,refund:order_812:c,5.50,EUR,2026-11-30T04:13:30.000Z
";

fn trace() -> String {
    let calls: Vec<Value> = [
        ("810", "c", "31.00", "EUR", "01:40:00", "01:40:01", "success"),
        ("824", "c", "12.00", "EUR", "01:50:00", "01:50:10", "timeout"),
        ("811", "c", "8.00", "EUR", "02:10:43", "02:10:45", "success"),
        ("821", "c", "45.00", "EUR", "02:12:00", "02:12:10", "timeout"),
        ("822", "c", "130.00", "EUR", "02:13:00", "02:13:10", "timeout"),
        ("812", "c", "5.50", "EUR", "04:13:29", "04:13:31", "success"),
        ("823", "c", "900.00", "EUR", "04:13:55", "04:14:05", "timeout"),
    ]
    .iter()
    .map(call)
    .collect();
    lines(&calls)
}

fn world(rows: &str, now: &str, options: impl FnOnce(&mut Options)) -> World {
    let ledger = with(memory(What::Ledger, "refunds", rows), options);
    loaded(case(now, [memory(What::Trace, "trace", &trace()), ledger]))
}

fn early() -> World {
    world(EARLY, "2026-11-30T03:01:00Z", |o| {
        o.exported_at = Some("2026-11-30T03:00:05Z".to_owned());
        o.role = Some("replica".to_owned());
    })
}

fn late() -> World {
    world(LATE, "2026-11-30T04:16:00Z", |o| o.exported_at = Some("2026-11-30T04:15:00Z".to_owned()))
}

#[test]
fn nothing_can_be_said_of_a_replica_that_had_not_got_far() {
    let world = early();
    for order in ["821", "822", "823", "824"] {
        let j = world.view(&format!("order:{order}")).judgement;
        assert_eq!((j.verdict(), j.covered, j.gross), ("UNRESOLVED_UNKNOWN", false, 0), "{order}");
    }
    // The damaged row of 824 may be the one.
    let damaged = world.view("order:824");
    assert!(damaged.uncovered.iter().any(|(code, _)| *code == "C4"), "{:?}", damaged.uncovered);
    assert!(!codes(&damaged.judgement).contains(&"FITS_BY_ORDER"), "what cannot be read fits nothing");
    assert_eq!(damaged.open_rows.iter().map(|r| r.name.as_str()).collect::<Vec<_>>(), ["rf_72"]);
    let reasons = &world.view("order:821").uncovered;
    let replica = ("C5", "it is a replica, and how far it had got is not known".to_owned());
    assert!(reasons.contains(&replica), "{reasons:?}");
    assert_eq!(result_of(&world), ResultWord::Inconclusive);
    assert_eq!(world.summary().unreadable_ledger, 1);
}

/// Also if nobody says that it is a replica: the newest row is older than the calls.
#[test]
fn nor_of_a_list_whose_newest_row_is_older() {
    let world = world(EARLY, "2026-11-30T03:01:00Z", |_| {});
    for order in ["821", "822", "823", "824"] {
        assert_eq!(world.verdict(&format!("order:{order}")), "UNRESOLVED_UNKNOWN", "{order}");
    }
}

#[test]
fn later_three_are_known_and_one_is_not() {
    let world = late();
    for (order, verdict, gross) in
        [("821", "ABSENT_COVERED", 0), ("822", "HIDDEN_SUCCESS", 1), ("824", "HIDDEN_SUCCESS", 1)]
    {
        let j = world.view(&format!("order:{order}")).judgement;
        assert_eq!((j.verdict(), j.gross), (verdict, gross), "{order}");
    }
    let open = world.view("order:823");
    assert_eq!((open.judgement.verdict(), open.judgement.covered), ("UNRESOLVED_UNKNOWN", false));
    // 04:14:05 + 60 s + 3 s.
    assert_eq!(at(open.judgement.covered_from), "2026-11-30T04:15:08.000Z");
    // Up to where "it did not happen" holds.
    let ledger = &world.0.sources()[1];
    assert_eq!(
        (ledger.position.as_str(), at(ledger.newest.unwrap()).as_str()),
        ("row 5", "2026-11-30T04:13:30.000Z")
    );
    let s = world.summary();
    assert_eq!(
        (world.totals(&s.owed), world.totals(&s.may_still_go_out)),
        ("EUR 45.00".into(), "EUR 900.00".into())
    );
}

/// A row of which nothing can be read may be anybody's; one of the order may be its own, whatever id it carries.
#[test]
fn a_damaged_row_keeps_no_from_being_said() {
    let other_order = "76,rf_76,899,refund:order_899:c,1Z.00,EUR,2026-11-30T02:14:00Z\n";
    let same_order = "76,rf_76,821,refund:order_821:other,4Z.00,EUR,2026-11-30T02:14:00Z\n";
    let too_short = "76,rf_76,8\n";
    let no_id = "76,,,,45.00,EUR,2026-11-30T02:14:00Z\n";
    for (row, verdict) in [
        (other_order, "ABSENT_COVERED"),
        (same_order, "UNRESOLVED_UNKNOWN"),
        (too_short, "UNRESOLVED_UNKNOWN"),
        (no_id, "UNRESOLVED_UNKNOWN"),
    ] {
        let rows = LATE.replacen("90,rf_90", &format!("{row}90,rf_90"), 1);
        let view = world(&rows, "2026-11-30T04:16:00Z", |_| {}).view("order:821");
        assert_eq!(view.judgement.verdict(), verdict, "{row}");
        let says = [("C4", "1 row that may be this one cannot be read".to_owned())];
        assert_eq!(view.uncovered, if verdict == "ABSENT_COVERED" { &[][..] } else { &says[..] }, "{row}");
    }
}

/// The newest row decides to the microsecond: at 04:15:08 not yet, just after it yes.
#[test]
fn the_edge_of_the_read() {
    for (newest, verdict) in [
        ("2026-11-30T04:15:08.000000Z", "UNRESOLVED_UNKNOWN"),
        ("2026-11-30T04:15:08.000001Z", "ABSENT_COVERED"),
    ] {
        let rows = format!("{LATE}99,rf_99,899,refund:order_899:c,1.00,EUR,{newest}\n");
        let world = world(&rows, "2026-11-30T05:00:00Z", |_| {});
        assert_eq!(world.verdict("order:823"), verdict, "{newest}");
    }
}

#[test]
fn beside_the_checkout() {
    let Some(folder) = beside("cases/scenarios/05-not-found-is-not-no") else { return };
    let world = |rows: &str, now: &str, exported: &str, role: Option<&str>| {
        let ledger = with(file(What::Ledger, "refunds", &folder.join(rows)), |o| {
            o.exported_at = Some(exported.to_owned());
            o.role = role.map(str::to_owned);
        });
        loaded(case(now, [file(What::Trace, "trace", &folder.join("trace.jsonl")), ledger]))
    };
    let answer = answer(&folder);
    let early = world("ledger_at_0300.csv", "2026-11-30T03:01:00Z", "2026-11-30T03:00:05Z", Some("replica"));
    let late = world("ledger_at_0415.csv", "2026-11-30T04:16:00Z", "2026-11-30T04:15:00Z", None);
    for (world, wanted) in [(early, &answer["at_0301"]), (late, &answer["at_0416"])] {
        for (order, said) in wanted.as_object().unwrap() {
            let view = world.view(&format!("order:{order}"));
            let verdict = match said.as_str().unwrap() {
                "open" => "UNRESOLVED_UNKNOWN",
                said if said.starts_with("happened") => "HIDDEN_SUCCESS",
                _ => "ABSENT_COVERED",
            };
            assert_eq!(view.judgement.verdict(), verdict, "{order}");
        }
        let look_again = at(world.view("order:7103").judgement.covered_from).replace(".000Z", "Z");
        assert_eq!(look_again, answer["look_again_after"].as_str().unwrap());
    }
}
