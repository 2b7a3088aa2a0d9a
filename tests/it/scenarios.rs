//! Whole situations of a night: a page, books beside a provider, a ledger read too early, many currencies, a running
//! incident. The data are our own; the ones beside the checkout are tried where they are there.

use std::path::Path;

use serde_json::{Value, json};

use recount::judge::judgement::{Class, RetryOrigin};
use recount::judge::view::{IntentView, ResultWord, Tied};
use recount::sources::spec::{Column, Options, SourceSpec, What};

use crate::world::{World, at, beside, case, codes, file, loaded, memory, with};

fn lines(values: &[Value]) -> String {
    values.iter().fold(String::new(), |text, value| text + &value.to_string() + "\n")
}

/// A call of a refund: order, request, amount, unit, sent and ended (of 2026-11-30), outcome.
type Call<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str, &'a str, &'a str);

fn call((order, request, amount, unit, sent, ended, outcome): &Call<'_>) -> Value {
    let day = |t: &str| format!("2026-11-30T{t}Z");
    json!({"operation_id": format!("refund:order_{order}:{request}"), "tool": "refund_order",
        "decision_id": format!("d-{sent}"), "attempt_id": format!("at-{order}-{sent}"),
        "arguments": {"order_id": order, "amount": amount, "currency": unit},
        "started_at": day(sent), "finished_at": day(ended), "outcome": outcome})
}

fn put(value: &mut Value, fields: &[(&str, &str)]) {
    for (name, text) in fields {
        value[name] = (*text).into();
    }
}

fn exported(source: SourceSpec, time: &str) -> SourceSpec {
    with(source, |o| o.exported_at = Some(time.to_owned()))
}

fn result_of(world: &World) -> ResultWord {
    world.summary().result
}

/// Which row each attempt made, as far as is known.
fn tied(view: &IntentView) -> Vec<(String, Tied)> {
    view.effects.iter().map(|e| (e.name.clone(), e.tied)).collect()
}

// ---------------------------------------------------------------------------------------------- a page in the night

mod page {
    use super::*;

    const EXPORTED: &str = "2026-11-30T05:10:00Z";
    const ROWS: &str = "\
refund_id,order_id,operation_id,idempotency_key,amount,currency,status,created_at
rf_200,900,refund:order_900:t1,k-1,20.00,USD,completed,2026-11-29T18:00:00.500Z
rf_201,900,refund:order_900:t2,k-2,20.00,USD,completed,2026-11-30T03:00:00.500Z
rf_202,610,refund:order_610:t3,k-3,90.00,USD,completed,2026-11-30T03:10:00.500Z
rf_203,610,refund:order_610:t3b,k-3b,70.00,USD,completed,2026-11-30T03:15:00.500Z
rf_204,481,refund:order_481:t5,k-5,33.00,USD,completed,2026-11-30T03:30:02.000Z
rf_205,510,refund:order_510:t6,k-6,12.50,USD,completed,2026-11-30T03:40:01.000Z
rf_206,123,refund:order_123:t8,k-8a,200.00,USD,completed,2026-11-30T04:00:01.600Z
rf_207,123,refund:order_123:t8,k-8b,200.00,USD,completed,2026-11-30T04:00:10.100Z
rf_208,440,refund:order_440:t9,k-9,8.75,USD,completed,2026-11-30T05:08:50.000Z
";

    fn trace() -> String {
        let mut calls: Vec<Value> = [
            ("900", "t2", "20.00", "USD", "03:00:00", "03:00:01", "success"),
            ("610", "t3", "90.00", "USD", "03:10:00", "03:10:01", "success"),
            ("610", "t3b", "70.00", "USD", "03:15:00", "03:15:01", "success"),
            ("503", "t4", "75.00", "USD", "03:20:00", "03:20:01", "success"),
            ("481", "t5", "33.00", "USD", "03:30:00", "03:30:10", "timeout"),
            ("510", "t6", "12.50", "USD", "03:40:00", "03:40:10", "timeout"),
            ("510", "t6", "12.50", "USD", "03:40:30", "03:40:31", "success"),
            ("502", "t7", "30.00", "USD", "03:50:00", "03:50:01", "rejected"),
            ("123", "t8", "200.00", "USD", "04:00:00", "04:00:02", "response_lost"),
            ("123", "t8", "200.00", "USD", "04:00:09", "04:00:11", "success"),
            ("440", "t9", "8.75", "USD", "05:08:49", "05:08:51", "success"),
            ("482", "t10", "45.00", "USD", "05:09:30", "05:09:40", "timeout"),
        ]
        .iter()
        .map(call)
        .collect();
        let mut first = call(&("900", "t1", "20.00", "USD", "18:00:00", "18:00:01", "success"));
        put(&mut first, &[("started_at", "2026-11-29T18:00:00Z"), ("finished_at", "2026-11-29T18:00:01Z")]);
        put(&mut calls[3], &[("receipt", "rf_100")]);
        put(&mut calls[6], &[("receipt", "rf_205")]);
        calls[6]["reused"] = true.into();
        put(&mut calls[8], &[("idempotency_key", "k-8a")]);
        put(&mut calls[9], &[("idempotency_key", "k-8b"), ("receipt", "rf_207")]);
        calls.insert(0, first);
        lines(&calls)
    }

    /// What the tickets asked for; the newer amount of 610 replaces the older.
    fn wanted() -> String {
        let ids = ["t1", "t2", "t3", "t3b", "t4", "t5", "t6", "t7", "t8", "t9", "t10"];
        let orders = ["900", "900", "610", "610", "503", "481", "510", "502", "123", "440", "482"];
        let amounts = [
            "20.00", "20.00", "90.00", "70.00", "75.00", "33.00", "12.50", "30.00", "200.00", "8.75", "45.00",
        ];
        let ticket = |no: usize| {
            let mut ticket = json!({"intent_id": format!("int_{}", ids[no]), "kind": "refund", "count": 1,
                "operation_id": format!("refund:order_{}:{}", orders[no], ids[no]),
                "business_id": format!("order:{}", orders[no]), "amount": amounts[no], "currency": "USD"});
            if ids[no] == "t3b" {
                put(&mut ticket, &[("parent_id", "int_t3"), ("relation", "replaces")]);
            }
            ticket
        };
        lines(&(0..ids.len()).map(ticket).collect::<Vec<_>>())
    }

    fn world(as_what: What) -> World {
        let ledger = with(memory(What::Ledger, "refunds", ROWS), |o| {
            o.exported_at = Some(EXPORTED.to_owned());
            o.covers_from = Some("2026-11-29T12:00:00Z".to_owned());
        });
        loaded(case(
            EXPORTED,
            [memory(What::Trace, "trace", &trace()), ledger, memory(as_what, "wanted", &wanted())],
        ))
    }

    /// The answers, whether the requests are records or what must be true in the end.
    fn answers(world: &World) {
        assert_eq!(world.totals(&world.summary().out_too_much), "USD 290.00");
        for (id, verdict) in [
            ("int_t8", "DUPLICATED"),
            ("int_t3", "LINEAGE_DOUBLE"),
            ("int_t3b", "LINEAGE_DOUBLE"),
            ("int_t4", "MISSING"),
            ("int_t5", "HIDDEN_SUCCESS"),
            ("int_t10", "UNRESOLVED_UNKNOWN"),
            ("int_t1", "MATCHED"),
            ("int_t2", "MATCHED"),
            ("int_t6", "MATCHED"),
            ("int_t9", "MATCHED"),
        ] {
            assert_eq!(world.exactly(id).judgement.verdict(), verdict, "{id}");
        }
        // Told and not there.
        let t4 = world.exactly("int_t4");
        assert_eq!((world.totals(&t4.difference), t4.judgement.covered), ("USD -75.00".to_owned(), true));
        assert_eq!(codes(&t4.judgement), ["PHANTOM_RESPONSE", "RECEIPT_NOT_FOUND"]);
        // May it be sent again? No: it is there. And no: nobody can know before 05:10:43.
        assert_eq!(world.exactly("int_t5").judgement.class, Class::Clean);
        assert_eq!(at(world.exactly("int_t10").judgement.covered_from), "2026-11-30T05:10:43.000Z");
        // Which call made which row.
        let t8 = world.exactly("int_t8");
        assert_eq!(
            tied(&t8),
            [("rf_206".to_owned(), Tied::ByTime(1)), ("rf_207".to_owned(), Tied::ByReceipt(2))]
        );
        assert_eq!((t8.attempts[0].key.as_str(), t8.attempts[1].key.as_str()), ("k-8a", "k-8b"));
        assert_eq!(t8.judgement.origin, RetryOrigin::Caller);
        // A receipt given again is no sign that the clocks differ.
        assert_eq!(codes(&world.exactly("int_t6").judgement), [""; 0]);
        // The worst come first.
        let first: Vec<String> = world.views().iter().take(3).map(|v| v.intent_id.clone()).collect();
        assert_eq!(first, ["int_t8", "int_t3", "int_t3b"]);
    }

    #[test]
    fn requests_as_records() {
        let world = world(What::Intents);
        answers(&world);
        let s = world.summary();
        assert_eq!(world.totals(&s.owed), "USD 75.00");
        assert_eq!(world.verdict("int_t7"), "FAILED_CLEAN", "refused, and nothing was done");
        assert_eq!((s.intents, s.rows, s.violations, s.undecided, s.clean), (11, 10, 3, 1, 6));
        assert_eq!(world.totals(&s.may_still_go_out), "USD 45.00");
    }

    /// As expectations they must be true in the end: one that was refused is not.
    #[test]
    fn requests_as_expectations() {
        let world = world(What::Expectations);
        answers(&world);
        assert_eq!(world.totals(&world.summary().owed), "USD 105.00");
        let t7 = world.exactly("int_t7");
        assert_eq!((t7.judgement.verdict(), codes(&t7.judgement).len()), ("MISSING", 0));
    }

    #[test]
    fn beside_the_checkout() {
        let Some(folder) = beside("cases/scenarios/01-page-at-0312") else { return };
        let ledger = with(file(What::Ledger, "refunds", &folder.join("refunds.csv")), |o| {
            o.exported_at = Some("2026-11-30T03:20:00Z".to_owned());
            o.covers_from = Some("2026-11-29T12:00:00Z".to_owned());
        });
        let sources = [
            file(What::Trace, "trace", &folder.join("agent_trace.jsonl")),
            ledger,
            file(What::Intents, "requested", &folder.join("requested.jsonl")),
        ];
        let world = loaded(case("2026-11-30T03:20:00Z", sources));
        let answer = answer(&folder);
        for (order, amount) in answer["too_much"].as_object().unwrap() {
            let too_much: Vec<IntentView> =
                world.views().into_iter().filter(|v| v.business_id == format!("order:{order}")).collect();
            let risk = world.moneys(&too_much[0].at_risk);
            assert_eq!(risk, world.shown(amount.as_str().unwrap(), "USD"), "{order}");
            assert_eq!(too_much[0].judgement.severity, 1, "{order}");
        }
        assert_eq!(world.totals(&world.summary().out_too_much), "USD 400.00");
        assert_eq!(world.totals(&world.summary().owed), "USD 75.00");
        for order in answer["may_send_again"].as_object().unwrap().keys() {
            let view = world.view(&format!("order:{order}"));
            let known = [("HIDDEN_SUCCESS", true), ("UNRESOLVED_UNKNOWN", false)];
            assert!(known.contains(&(view.judgement.verdict(), view.judgement.covered)), "{order}");
        }
        let doubled = world.view("order:1234");
        assert_eq!(
            tied(&doubled),
            [("rf_9005".to_owned(), Tied::ByTime(1)), ("rf_9006".to_owned(), Tied::ByReceipt(2))]
        );
        assert_eq!(world.verdict("order:5002"), "FAILED_CLEAN");
    }
}

fn answer(folder: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("answer.json")).unwrap()).unwrap()
}

// -------------------------------------------------------------------------------------- our books and the provider

mod books {
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
            let operation = if by_operation && order != "317" {
                format!("refund:order_{order}:c")
            } else {
                String::new()
            };
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
}

// ------------------------------------------------------------------------------------------------- not found is not no

mod not_found {
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
            assert_eq!(
                view.uncovered,
                if verdict == "ABSENT_COVERED" { &[][..] } else { &says[..] },
                "{row}"
            );
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
        let early =
            world("ledger_at_0300.csv", "2026-11-30T03:01:00Z", "2026-11-30T03:00:05Z", Some("replica"));
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
}

// ---------------------------------------------------------------------------------------------------- many currencies

mod currencies {
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
}

// ------------------------------------------------------------------------------------------------ a running incident

mod incident {
    use super::*;

    /// Twelve orders, one a minute from 02:00; some doubled eleven seconds later, one lost and done once. Later two are
    /// taken back, one of them in full by a row that names nothing but the effect.
    fn calls(until: u64) -> Vec<Value> {
        let mut calls = Vec::new();
        for no in (0..12).filter(|no| *no < until) {
            let doubled = DOUBLED.contains(&no);
            let outcome = if doubled || no == 5 { "timeout" } else { "success" };
            let (sent, ended) = (format!("02:{no:02}:00"), format!("02:{no:02}:02"));
            let (order, amount, unit) = (order(no), amount(no), unit(no));
            calls.push(call(&(&order, "t", &amount, unit, &sent, &ended, outcome)));
            if doubled {
                let (sent, ended) = (format!("02:{no:02}:10"), format!("02:{no:02}:12"));
                calls.push(call(&(&order, "t", &amount, unit, &sent, &ended, "success")));
            }
        }
        for call in &mut calls {
            call["arguments"]["customer_email"] = "person@mail.example".into();
        }
        calls
    }

    const DOUBLED: [u64; 5] = [1, 3, 4, 7, 9];

    fn order(no: u64) -> String {
        format!("{}", 700 + no)
    }

    fn amount(no: u64) -> String {
        format!("{}.50", 10 + no)
    }

    fn unit(no: u64) -> &'static str {
        if no.is_multiple_of(2) { "EUR" } else { "USD" }
    }

    /// Orders 1 and 3 are of one customer.
    fn rows(until: u64, undone: bool) -> String {
        let mut text =
            "refund_id,kind,reverses,order_id,customer_id,operation_id,amount,currency,created_at\n"
                .to_owned();
        for no in (0..12).filter(|no| *no < until) {
            let customer = if no == 3 { 1 } else { no };
            let copies = if DOUBLED.contains(&no) { &["a", "b"][..] } else { &["a"] };
            for (second, copy) in [(1, "a"), (11, "b")].iter().filter(|(_, c)| copies.contains(c)) {
                text += &format!(
                    "rf_{no}{copy},effect,,{o},cus_{customer},refund:order_{o}:t,{},{},2026-11-30T02:{no:02}:{second:02}Z\n",
                    amount(no),
                    unit(no),
                    o = order(no)
                );
            }
        }
        if undone {
            text += "rv_4,reversal,rf_4b,704,cus_4,refund:order_704:t,14.50,EUR,2026-11-30T02:20:00Z\n";
            text += "rv_7,reversal,rf_7a,,,,17.50,USD,2026-11-30T02:21:00Z\n";
        }
        text
    }

    fn world(until: u64, undone: bool) -> World {
        loaded(case(
            "2026-11-30T02:30:00Z",
            [
                memory(What::Trace, "trace", &lines(&calls(until))),
                memory(What::Ledger, "ledger", &rows(until, undone)),
            ],
        ))
    }

    #[test]
    fn first_look() {
        let world = world(6, false);
        let s = world.summary();
        assert_eq!((s.orders, s.parties, s.violations), (3, 2, 3));
        assert_eq!(world.totals(&s.out_too_much), "EUR 14.50, USD 25.00");
        // No answer, and done once: not a double.
        assert_eq!(world.verdict("order:705"), "HIDDEN_SUCCESS");
        assert_eq!(
            (at(s.first), at(s.last)),
            ("2026-11-30T02:01:00.000Z".into(), "2026-11-30T02:04:12.000Z".into())
        );
    }

    fn second_answers(world: &World) {
        let s = world.summary();
        assert_eq!((s.orders, s.parties, s.violations), (5, 4, 5), "all that were ever doubled");
        let undone: Vec<String> = world
            .views()
            .iter()
            .filter(|v| v.judgement.verdict() == "DUPLICATED_REVERSED")
            .map(|v| v.business_id.clone())
            .collect();
        assert_eq!(undone, ["order:704", "order:707"]);
        // Still out: 1, 3 and 9.
        assert_eq!(world.totals(&s.out_too_much), "USD 44.50");
        let out: Vec<(String, String, String)> = world
            .views()
            .iter()
            .filter(|v| v.judgement.verdict() == "DUPLICATED")
            .map(|v| (v.party.clone(), v.business_id.clone(), world.totals(&v.difference)))
            .collect();
        let customer = |c: &str, o: &str, m: &str| (c.to_owned(), o.to_owned(), m.to_owned());
        assert_eq!(
            out,
            [
                customer("cus_9", "order:709", "USD 19.50"),
                customer("cus_1", "order:703", "USD 13.50"),
                customer("cus_1", "order:701", "USD 11.50"),
            ]
        );
        assert_eq!(at(s.last), "2026-11-30T02:09:12.000Z");
        assert_eq!(s.orphans, 0, "a reversal follows the effect that it names");
        let allowed =
            world.0.summary(&recount::load::Ask { allow_remediated: true, ..recount::load::Ask::default() });
        assert_eq!(allowed.result, ResultWord::ViolationFound);
    }

    #[test]
    fn second_look() {
        second_answers(&world(12, true));
    }

    /// The second files hold the lines of the first again: the same lines are the same calls, the same ids one effect.
    #[test]
    fn both_looks_together() {
        let file = |what: What, id: &str, text: &str| memory(what, id, text);
        let world = loaded(case(
            "2026-11-30T02:30:00Z",
            [
                file(What::Trace, "trace", &lines(&calls(6))),
                file(What::Trace, "trace", &lines(&calls(12))),
                file(What::Ledger, "ledger", &rows(6, false)),
                file(What::Ledger, "ledger", &rows(12, true)),
            ],
        ));
        second_answers(&world);
        let s = world.summary();
        assert_eq!((s.intents, s.attempts, s.effects), (12, 17, 17));
    }

    #[test]
    fn beside_the_checkout() {
        let Some(folder) = beside("cases/scenarios/09-running-incident") else { return };
        let answer = answer(&folder);
        let trace = |at: &str| file(What::Trace, "trace", &folder.join(format!("trace_{at}.jsonl")));
        let ledger = |at: &str| file(What::Ledger, "ledger", &folder.join(format!("ledger_{at}.csv")));
        let totals = |world: &World, wanted: &Value| {
            let each = wanted.as_object().unwrap().iter();
            each.map(|(unit, amount)| world.shown(amount.as_str().unwrap(), unit))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let first = loaded(case("2026-11-30T02:40:00Z", [trace("0240"), ledger("0240")]));
        let (s, wanted) = (first.summary(), &answer["at_0240"]);
        assert_eq!(
            (s.orders, s.parties),
            (wanted["orders"].as_u64().unwrap(), wanted["customers"].as_u64().unwrap())
        );
        assert_eq!(first.totals(&s.out_too_much), totals(&first, &wanted["too_much"]));
        let wanted = &answer["at_0310"];
        let alone = loaded(case("2026-11-30T03:10:00Z", [trace("0310"), ledger("0310")]));
        let both = [trace("0240"), trace("0310"), ledger("0240"), ledger("0310")];
        for world in [alone, loaded(case("2026-11-30T03:10:00Z", both))] {
            let s = world.summary();
            assert_eq!((s.orders, s.parties), (14, 12));
            assert_eq!(world.totals(&s.out_too_much), totals(&world, &wanted["too_much"]));
            let count =
                |verdict: &str| world.views().iter().filter(|v| v.judgement.verdict() == verdict).count();
            assert_eq!((count("DUPLICATED"), count("DUPLICATED_REVERSED")), (12, 2));
            for order in wanted["put_right"].as_array().unwrap() {
                let id = format!("order:{}", order.as_str().unwrap());
                assert_eq!(world.verdict(&id), "DUPLICATED_REVERSED");
            }
            assert_eq!((s.intents, s.attempts, s.effects), (40, 54, 54));
        }
    }
}
