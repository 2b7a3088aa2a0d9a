//! Our books beside the provider.

use super::*;

const NOW: &str = "2026-11-30T03:00:00Z";

fn agent() -> String {
    let mut calls: Vec<Value> = [
        ("311", "c", "35.00", "USD", "00:10:00", "00:10:02", "success"),
        ("312", "c", "80.00", "USD", "00:30:00", "00:30:10", "timeout"),
        ("312", "c", "80.00", "USD", "00:30:14", "00:30:16", "success"),
        ("313", "c", "120.00", "USD", "00:50:00", "00:50:10", "timeout"),
        ("314", "c", "50.00", "USD", "01:00:00", "01:00:02", "success"),
        ("315", "c", "64.00", "EUR", "01:15:00", "01:15:02", "success"),
        ("316", "c", "22.00", "USD", "01:25:00", "01:25:02", "success"),
        ("318", "c", "7.00", "USD", "02:20:00", "02:20:02", "success"),
    ]
    .iter()
    .map(call)
    .collect();
    for (no, receipt) in
        [(0, "re_311"), (2, "re_312b"), (4, "re_314"), (5, "re_315"), (6, "re_316"), (7, "re_318")]
    {
        put(&mut calls[no], &[("receipt", receipt)]);
    }
    lines(&calls)
}

/// The provider's list; 317 was made by a person there.
fn provider() -> String {
    let row = |id: &str, order: Option<&str>, minor: u64, unit: &str, time: &str| {
        json!({"refund_id": id, "order_id": order, "operation_id": order.map(|o| format!("refund:order_{o}:c")),
            "amount_minor": minor, "currency": unit, "status": "succeeded", "created_at": format!("2026-11-30T{time}Z")})
    };
    let rows = [
        row("re_318", Some("318"), 700, "usd", "02:20:01"),
        row("re_317", None, 1_500, "usd", "01:33:20"),
        row("re_315", Some("315"), 6_400, "eur", "01:15:01"),
        row("re_314", Some("314"), 5_000, "usd", "01:00:01"),
        row("re_313", Some("313"), 12_000, "usd", "00:50:03"),
        row("re_312b", Some("312"), 8_000, "usd", "00:30:15"),
        row("re_312a", Some("312"), 8_000, "usd", "00:30:02"),
        row("re_311", Some("311"), 3_500, "usd", "00:10:01"),
    ];
    json!({"refunds": rows, "has_more": false}).to_string()
}

/// Our own table knows the provider's reference; `by_operation` adds the operation id.
fn own(by_operation: bool) -> String {
    let rows = [
        ("bk_1", "311", "35.00", "USD", "re_311", "00:10:02"),
        ("bk_2", "311", "35.00", "USD", "re_311", "00:10:03"),
        ("bk_3", "312", "80.00", "USD", "re_312b", "00:30:16"),
        ("bk_4", "314", "50.00", "USD", "re_314", "01:00:02"),
        ("bk_5", "315", "46.00", "EUR", "re_315", "01:19:00"),
        ("bk_6", "316", "22.00", "USD", "re_316", "01:25:01"),
        ("bk_7", "317", "15.00", "USD", "re_317", "01:33:22"),
        ("bk_8", "318", "7.00", "USD", "re_318", "02:20:02"),
    ];
    let mut text = "id,operation_id,order_id,amount,currency,provider_refund_id,created_at\n".to_owned();
    for (id, order, amount, unit, reference, time) in rows {
        let operation =
            if by_operation && order != "317" { format!("refund:order_{order}:c") } else { String::new() };
        text += &format!("{id},{operation},{order},{amount},{unit},{reference},2026-11-30T{time}Z\n");
    }
    text
}

fn as_copy(source: SourceSpec) -> SourceSpec {
    with(source, |o| {
        o.copy_of = Some("provider".to_owned());
        let reference = Column::From {
            column: "provider_refund_id".to_owned(),
            prefix: None,
            zone: None,
            resolution_ms: None,
        };
        o.columns = vec![("external_ref".to_owned(), reference)];
    })
}

fn answers(world: &World) {
    let s = world.summary();
    assert_eq!(
        (world.totals(&s.out_too_much), world.totals(&s.owed)),
        ("USD 80.00".into(), "USD 22.00".into())
    );
    let found: Vec<(String, &str, Class, bool)> = world
        .views()
        .iter()
        .map(|v| {
            let disagree = codes(&v.judgement).contains(&"SOURCES_DISAGREE");
            (v.business_id.clone(), v.judgement.verdict(), v.judgement.class, disagree)
        })
        .collect();
    for (order, verdict, class, disagree) in [
        ("order:312", "DUPLICATED", Class::Violation, true),
        ("order:316", "MISSING", Class::Violation, true),
        ("order:311", "MATCHED", Class::Undecided, true),
        ("order:313", "HIDDEN_SUCCESS", Class::Undecided, true),
        ("order:315", "MATCHED", Class::Undecided, true),
        ("order:314", "MATCHED", Class::Clean, false),
        ("order:318", "MATCHED", Class::Clean, false),
    ] {
        assert!(found.contains(&(order.to_owned(), verdict, class, disagree)), "{order}: {found:?}");
    }
    // Made by a person: a row without an attempt, once, and nobody's violation.
    assert_eq!((s.orphans, s.violations), (1, 2));
    assert_eq!(s.effects, 8, "rows of a copy are no effects of their own");
    // 311 stands twice in our books and was paid once.
    let twice = world.view("order:311");
    assert_eq!(
        twice.by_source.iter().map(|b| (b.count, b.copy)).collect::<Vec<_>>(),
        [(1, false), (2, true)]
    );
}

#[test]
fn who_has_what() {
    for by_operation in [true, false] {
        let world = loaded(case(
            NOW,
            [
                memory(What::Trace, "agent", &agent()),
                exported(memory(What::Ledger, "provider", &provider()), NOW),
                as_copy(memory(What::Ledger, "books", &own(by_operation))),
            ],
        ));
        answers(&world);
    }
}

/// Without the provider our books speak for presence and excess, never for absence.
#[test]
fn books_alone() {
    let alone = with(as_copy(memory(What::Ledger, "books", &own(true))), |o| {
        o.covers_from = Some("start".to_owned());
    });
    let world = loaded(case(NOW, [memory(What::Trace, "agent", &agent()), alone]));
    let twice = world.view("order:311").judgement;
    assert_eq!(twice.verdict(), "DUPLICATED");
    assert!(codes(&twice).contains(&"SAME_EXTERNAL_REF"));
    let lost = world.view("order:313").judgement;
    assert_eq!((lost.verdict(), lost.covered), ("UNRESOLVED_UNKNOWN", false));
}

#[test]
fn beside_the_checkout() {
    let Some(folder) = beside("cases/scenarios/03-books-and-provider") else { return };
    // The list is another system's; what it holds goes into a plain one.
    let list: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("provider_refunds.json")).unwrap())
            .unwrap();
    let row = |r: &Value| {
        json!({"refund_id": r["id"], "order_id": r["metadata"]["order_id"], "status": r["status"],
            "operation_id": r["metadata"]["operation_id"], "amount_minor": r["amount"], "currency": r["currency"],
            "created_at": r["created"]})
    };
    let rows: Vec<Value> = list["data"].as_array().unwrap().iter().map(row).collect();
    let world = loaded(case(
        NOW,
        [
            file(What::Trace, "agent", &folder.join("agent.jsonl")),
            exported(memory(What::Ledger, "provider", &lines(&rows)), NOW),
            as_copy(file(What::Ledger, "books", &folder.join("books.csv"))),
        ],
    ));
    let answer = answer(&folder);
    let s = world.summary();
    assert_eq!(
        (world.totals(&s.out_too_much), world.totals(&s.owed)),
        ("USD 80.00".into(), "USD 22.00".into())
    );
    for order in answer["books"].as_object().unwrap().keys() {
        let view = world.view(&format!("order:{order}"));
        assert!(codes(&view.judgement).contains(&"SOURCES_DISAGREE"), "{order}");
    }
    assert_eq!(world.verdict("order:3003"), "HIDDEN_SUCCESS");
    assert_eq!(world.view("order:3002").judgement.gross, 2);
    assert_eq!(world.view("order:3001").judgement.gross, 1);
}
