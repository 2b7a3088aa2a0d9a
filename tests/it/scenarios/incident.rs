//! A running incident.

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
        "refund_id,kind,reverses,order_id,customer_id,operation_id,amount,currency,created_at\n".to_owned();
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
        each.map(|(unit, amount)| world.shown(amount.as_str().unwrap(), unit)).collect::<Vec<_>>().join(", ")
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
        let count = |verdict: &str| world.views().iter().filter(|v| v.judgement.verdict() == verdict).count();
        assert_eq!((count("DUPLICATED"), count("DUPLICATED_REVERSED")), (12, 2));
        for order in wanted["put_right"].as_array().unwrap() {
            let id = format!("order:{}", order.as_str().unwrap());
            assert_eq!(world.verdict(&id), "DUPLICATED_REVERSED");
        }
        assert_eq!((s.intents, s.attempts, s.effects), (40, 54, 54));
    }
}
