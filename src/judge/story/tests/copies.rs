//! The four lines, short phrases, and what `y` copies.

use super::super::samples::*;
use super::super::*;
use super::plain;
use crate::judge::view::{Common, ResultWord, Summary};
use crate::model::money::Totals;

#[test]
fn the_four_lines() {
    let w = World::new();
    assert_eq!(
        four_lines(&int_9876(), &w.units),
        [
            "Expected effect count: 1",
            "Expected effect total: USD 200.00",
            "Observed effect count: 2",
            "Observed effect total: USD 400.00"
        ]
    );
    assert_eq!(
        four_lines(&int_5002(), &w.units)[..2],
        ["Expected effect count: 0".to_owned(), "Expected effect total: USD 0.00".to_owned()]
    );
    assert_eq!(
        four_lines(&int_9001(), &w.units),
        [
            "Expected effect count: 1",
            "Expected effect total: no total expected",
            "Observed effect count: 1",
            "Observed effect total: no amount"
        ]
    );
    assert_eq!(four_lines(&int_4977(), &w.units)[3], "Observed effect total: unreadable");
    let mut v = int_9876();
    (v.judgement.effective_min, v.judgement.effective_max, v.judgement.net) = (1, 3, 1);
    v.totals = totals(&[usd("0"), money("EUR", "20.5"), money("JPY", "20000")]);
    assert_eq!(
        four_lines(&v, &w.units),
        [
            "Expected effect count: 1..3",
            "Expected effect total: USD 200.00",
            "Observed effect count: 2 gross, 1 net",
            "Observed effect total: EUR 20.50, JPY 20,000, USD 0.00"
        ]
    );
    assert_eq!(four_lines(&int_6101(), &w.units)[2], "Observed effect count: 1, 1 on its way");
    let lost = view(Rule::R01);
    assert_eq!(
        four_lines(&lost, &w.units)[2..],
        ["Observed effect count: not read".to_owned(), "Observed effect total: not read".to_owned()]
    );
}

#[test]
fn bounds_in_words() {
    assert_eq!(bounds(&int_9876(), false), "two attempts can explain 1 to 2 refunds");
    assert_eq!(bounds(&int_9876(), true), "2 attempts can explain 1 to 2 refunds");
    assert_eq!(bounds(&int_4814(), false), "one attempt can explain 0 to 1 refunds");
    assert_eq!(bounds(&int_4812(), true), "1 attempt can explain 0 to 1 refunds");
    let mut v = int_9876();
    (v.judgement.lo, v.judgement.hi, v.judgement.hi_uncapped, v.judgement.attempts) = (1, 1, 1, 1);
    assert_eq!(bounds(&v, false), "one attempt can explain 1 refund");
}

#[test]
fn the_word_behind_the_money() {
    for (view, word) in [
        (int_9876(), "too much"),
        (order_5531(), "too much, if so"),
        (int_6101(), "may go out"),
        (int_4814(), "undecided"),
        (int_4812(), "undecided"),
        (int_5002(), "too much"),
        (settled(), "as intended"),
    ] {
        assert_eq!(difference_word(&view.judgement), word, "{}", view.intent_id);
    }
    let mut wrong = int_9876();
    wrong.judgement.rule = Rule::R13;
    assert_eq!(difference_word(&wrong.judgement), "too much");
    wrong.judgement.live = Some(usd("50"));
    assert_eq!(difference_word(&wrong.judgement), "too little");
    wrong.judgement.rule = Rule::R12;
    wrong.judgement.live = Some(money("EUR", "200"));
    assert_eq!(difference_word(&wrong.judgement), "wrong");
}

#[test]
fn rows_of_a_double_have_one_phrase_each() {
    let v = int_9876();
    let phrases: Vec<_> = v.effects.iter().take(2).map(row_phrase).collect();
    assert_eq!(
        phrases,
        [
            ["nobody was told of it", "nobody was told", "nobody was told"],
            ["the agent has its receipt", "agent has receipt", "receipt held"]
        ]
    );
    assert_eq!(row_phrase(&order_5531().open_rows[0]), ["no answer named it"; 3]);
}

#[test]
fn not_compared_is_one_row_per_reason() {
    let w = World::new();
    let cx = w.list();
    assert_eq!(
        not_compared(Missing::NoLedger("send_email"), 412, &cx).0,
        "No ledger here records send_email: 412 calls are not compared."
    );
    assert_eq!(
        not_compared(Missing::Older(t("08:12:04")), 89_116, &cx).0,
        "The ledger's first row is of 08:12:04: 89,116 requests are older and are not compared."
    );
    assert_eq!(
        not_compared(Missing::Older(t("08:12:04")), 1, &cx).0,
        "The ledger's first row is of 08:12:04: one request is older and is not compared."
    );
    assert_eq!(
        not_compared(Missing::NotRead("payments.db", "no such file"), 3, &cx).0,
        "payments.db was not read: no such file. Nothing can be said."
    );
    assert_eq!(
        not_compared(Missing::NoneGiven, 3, &cx).0,
        "No ledger was given, so 3 requests are not compared."
    );
    assert_eq!(fits_by_order(11).0, "11 requests fit by order; the rows carry no id.");
}

const CASE: Origin<'static> = Origin { case: "refunds-2026-11-30", audit: Some("41:7c1e9a02") };
const FILES: Origin<'static> = Origin { case: "", audit: None };

#[test]
fn y_on_a_double() {
    let w = World::new();
    assert_eq!(
        yank_item(&int_9876(), &w.list(), &CASE),
        [
            "refund of order 1234, customer cust_88: happened twice, USD 400.00 instead of USD 200.00",
            "rfd_a1 2026-11-30 08:40:59Z USD 200.00, nobody was told of it; rfd_b2 2026-11-30 08:41:08Z USD 200.00, \
             the agent has its receipt",
            "proven: payments.db read 2026-11-30 09:13:58Z to row 48211, both rows carry \
             refund:order_1234:request_9876",
            "not known: which of the two the customer was told of outside this trace; case refunds-2026-11-30, \
             int_9876, audit 41:7c1e9a02",
        ]
    );
    let without = yank_item(&int_9876(), &w.list(), &FILES);
    assert!(without[3].ends_with("outside this trace; int_9876"));
}

#[test]
fn y_on_what_is_not_known_yet() {
    let w = World::new();
    assert_eq!(
        yank_item(&int_4814(), &w.list(), &CASE),
        [
            "refund of order 4814: not known yet, USD 45.00 intended",
            "no row seen; covered from 2026-11-30 08:42:13Z on",
            "proven: nothing yet; payments-eu.csv read 2026-11-30 09:01:30Z to row 48177, which ends 2026-11-30 \
             08:39:10Z",
            "not known: whether the refund happened; case refunds-2026-11-30, int_4814, audit 41:7c1e9a02",
        ]
    );
}

#[test]
fn y_on_what_is_proven_absent_and_on_rows_without_ids() {
    let w = World::new();
    assert_eq!(
        yank_item(&int_4812(), &w.list(), &FILES)[1..3],
        [
            "no row in the ledger".to_owned(),
            "proven: payments.db read 2026-11-30 09:13:58Z to row 48211, past the last moment at which the call \
             could land"
                .to_owned(),
        ]
    );
    let w = World::loose();
    assert_eq!(
        yank_item(&order_5531(), &w.list(), &FILES),
        [
            "refund of order 5531: probably happened twice, USD 37.15 intended",
            "row 88120 2026-11-30 21:03:12Z USD 37.15, no answer named it; row 88134 2026-11-30 21:03:46Z \
             USD 37.15, no answer named it",
            "proven: nothing yet; refunds.csv read no earlier than 2026-11-30 21:20:04Z, its newest row to row \
             90412, which ends 2026-11-30 21:20:04Z",
            "not known: which call made which row; refund_order@trace.jsonl:41",
        ]
    );
}

fn summary() -> Summary {
    Summary {
        result: ResultWord::ViolationFound,
        property: "settled",
        now: t("09:14:07"),
        clock_fixed: true,
        as_of_entry: None,
        notices: Vec::new(),
        final_by_declaration: false,
        intents: 52,
        attempts: 61,
        effects: 54,
        rows: 51,
        violations: 3,
        undecided: 6,
        open: 1,
        clean: 41,
        divergent: 8,
        orphans: 1,
        outside: Some(5),
        outside_totals: Totals::default(),
        orphan_totals: Totals::default(),
        answers_lost: 0,
        overdue: 2,
        closed: 0,
        unreadable_trace: 0,
        unreadable_ledger: 1,
        skipped_trace: 0,
        skipped_ledger: 0,
        at_risk: totals(&[usd("475.00")]),
        undecided_at_risk: totals(&[usd("1405.00")]),
        out_too_much: totals(&[usd("400.00")]),
        probably_too_much: totals(&[usd("0")]),
        may_still_go_out: totals(&[usd("117.50")]),
        owed: totals(&[usd("900.00")]),
        by_verdict: Vec::new(),
        by_label: Vec::new(),
        orders: 3,
        parties: 3,
        first: t("08:12:44"),
        last: t("08:50:31"),
        oldest_unknown: t("11-28T08:02:09"),
        common: None::<Common>,
        not_compared: Vec::new(),
        from: t("11-28T08:02:07"),
        to: t("09:14:07"),
        kinds: Vec::new(),
        tools: Vec::new(),
        trace_complete: false,
        filters: Vec::new(),
        stopped_after: None,
        has_intent_log: true,
        currency_assumed: None,
    }
}

#[test]
fn a_second_y_copies_the_incident() {
    let w = World::new();
    assert_eq!(
        yank_incident(&summary(), &w.list(), &CASE, "order 4812"),
        [
            "refunds-2026-11-30: VIOLATION FOUND, 3 went wrong, 6 to decide, 1 waiting, 41 fine; USD 475.00 wrong, \
             USD 1,405.00 undecided",
            "USD: out too much 400.00, may still go out 117.50, owed 900.00; 3 orders, 3 customers",
            "first 2026-11-30 08:12:44Z, last 08:50:31Z, 23 min before 09:14:07Z; oldest unknown for 2d 1h (order \
             4812)",
            "payments.db read 09:13:58Z to row 48211, payments-eu.csv only to 08:39:10Z; 1 row unreadable; audit \
             41:7c1e9a02",
        ]
    );
}

#[test]
fn an_incident_without_money_or_book_leaves_nothing_empty() {
    let w = World::new();
    let mut s = summary();
    (s.at_risk, s.undecided_at_risk) = (Totals::default(), Totals::default());
    (s.out_too_much, s.may_still_go_out, s.owed) = (Totals::default(), Totals::default(), Totals::default());
    (s.first, s.last, s.oldest_unknown) = (Micros::NONE, Micros::NONE, Micros::NONE);
    (s.orders, s.parties, s.unreadable_ledger) = (1, 0, 0);
    s.result = ResultWord::NoViolationObserved;
    assert_eq!(
        yank_incident(&s, &w.list(), &FILES, ""),
        [
            "NO VIOLATION OBSERVED, 3 went wrong, 6 to decide, 1 waiting, 41 fine",
            "1 order, 0 customers",
            "as of 2026-11-30 09:14:07Z",
            "payments.db read 09:13:58Z to row 48211, payments-eu.csv only to 08:39:10Z",
        ]
    );
    s.owed = totals(&[usd("900"), money("EUR", "5")]);
    s.out_too_much = totals(&[money("JPY", "20000")]);
    assert_eq!(
        yank_incident(&s, &w.list(), &FILES, "")[1],
        "EUR: owed 5.00; JPY: out too much 20,000; USD: owed 900.00; 1 order, 0 customers"
    );
}

#[test]
fn a_copy_that_differs_is_said_by_what_differs() {
    let w = World::new();
    let cx = w.wide();
    let mut v = int_9876();
    let mut of = |here: u32, amount: &str| {
        v.by_source[1].count = here;
        v.by_source[1].totals = totals(&[usd(amount)]);
        plain(&finding_words(&v, &cx, "SOURCES_DISAGREE").unwrap())
    };
    assert_eq!(of(0, "0"), "the provider has it, our books do not");
    assert_eq!(of(1, "200"), "the provider has 2, our books have 1");
    assert_eq!(of(3, "600"), "recorded three times, not paid three times");
    assert_eq!(of(2, "396"), "USD 400.00 there, USD 396.00 here");
    v.by_source[0].count = 0;
    assert_eq!(
        finding_words(&v, &cx, "SOURCES_DISAGREE").unwrap(),
        "our books have it, the provider does not"
    );
    v.finding_detail = vec![("MORE_MAY_LAND", "2".into())];
    assert_eq!(finding_words(&v, &cx, "MORE_MAY_LAND").unwrap(), "2 more may still arrive");
    assert_eq!(finding_words(&v, &cx, "NONE"), None);
}
