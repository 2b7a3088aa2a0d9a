//! Histories of invocations and completions as intents: ok is a success, fail a refusal, info a timeout; what is read or
//! dequeued is a ledger row, the beginning of the read its position.
//!
//! The checkers that these histories come from answer other questions in places, on purpose or not: a queue with nothing
//! but a duplicate is valid there (D1), two attempts of one operation that both land count as recovered (D3), and so does
//! a refused one that is there (D4). Here an operation is counted against what it was meant to do.

use serde_json::{Value, json};

use recount::sources::spec::{CaseSpec, SourceSpec, ToolSpec, What};

use crate::world::{World, case, codes, loaded, memory, with};

const DATA: &str = include_str!("data/histories.jsonl");
const HEARTBEAT: &str = "heartbeat";

fn histories() -> Vec<Value> {
    let all: Vec<Value> = DATA.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(all.len(), 32);
    all
}

/// One step of a history is one second.
fn second(step: u64) -> String {
    format!("2026-11-30T10:00:{step:02}Z")
}

fn calls(history: &Value, as_of: u64) -> Vec<Value> {
    let known = history["calls"].as_array().unwrap().iter().filter(|c| c["begun"].as_u64().unwrap() < as_of);
    known
        .map(|c| {
            let mut call = json!({"operation_id": c["id"], "tool": "add", "sent_at": second(c["begun"].as_u64().unwrap())});
            if let Some(amount) = c["amount"].as_u64() {
                call["arguments"] = json!({"amount": amount, "currency": "pieces"});
            }
            if let Some(ended) = c["ended"].as_u64().filter(|ended| *ended < as_of) {
                call["ended_at"] = second(ended).into();
                call["outcome"] = c["said"].clone();
            }
            call
        })
        .collect()
}

fn lines(values: &[Value]) -> String {
    values.iter().fold(String::new(), |text, value| text + &value.to_string() + "\n")
}

/// Clocks agree and nothing lives on after its answer, as in a history of one process. What never completed may still
/// act for as long as its caller waits.
fn exact(now: &str, sources: Vec<SourceSpec>) -> CaseSpec {
    let mut spec = case(now, sources);
    spec.client_skew_ms = Some(0);
    spec.tools.push(ToolSpec { name: "add".to_owned(), settle: Some(0), ..ToolSpec::default() });
    spec
}

fn ledger(rows: &[Value]) -> SourceSpec {
    with(memory(What::Ledger, "ledger", &lines(rows)), |o| {
        o.covers_from = Some("start".to_owned());
        o.skew_ms = Some(0);
    })
}

/// Rows of a listing. Where it was read at one moment, a heartbeat of that moment is its newest row.
fn rows(history: &Value, listing: &Value) -> Vec<Value> {
    let begun = listing["begun"].as_u64();
    let call_of = |id: &str| history["calls"].as_array().unwrap().iter().find(|c| c["id"] == id);
    let mut rows: Vec<Value> = listing["rows"]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
        .map(|(no, r)| {
            let id = r["id"].as_str().unwrap();
            let added = call_of(id).and_then(|c| c["begun"].as_u64());
            let at = r["at"].as_u64().or(added).or(begun).unwrap();
            json!({"effect_id": format!("row {no}"), "operation_id": id, "committed_at": second(at)})
        })
        .collect();
    rows.extend(
        begun.map(|at| json!({"effect_id": "beat", "operation_id": HEARTBEAT, "committed_at": second(at)})),
    );
    rows
}

/// Long after everything.
const LATER: &str = "2026-11-30T12:00:00Z";

#[test]
fn sets_and_queues() {
    for history in histories() {
        let name = history["history"].as_str().unwrap();
        let Some(listings) = history["listings"].as_array() else {
            continue;
        };
        let trace = memory(What::Trace, "trace", &lines(&calls(&history, u64::MAX)));
        if listings.is_empty() {
            // Never read: nothing is known, and that is what is said.
            let world = loaded(exact(LATER, vec![trace]));
            assert_eq!(world.verdict("0"), "SOURCE_NOT_READ", "{name}");
            assert_eq!(world.summary().result.words(), "INCONCLUSIVE", "{name}");
            continue;
        }
        for (no, listing) in listings.iter().enumerate() {
            let world = loaded(exact(LATER, vec![trace.clone(), ledger(&rows(&history, listing))]));
            for (id, verdict) in listing["says"].as_object().unwrap() {
                assert_eq!(
                    world.exactly(id).judgement.verdict(),
                    verdict.as_str().unwrap(),
                    "{name}, read {no}, {id}"
                );
            }
            let apart = world.0.orphans().iter().filter(|o| o.operation_id != HEARTBEAT).count();
            assert_eq!(
                apart as u64,
                listing["apart"].as_u64().unwrap(),
                "{name}, read {no}: without an attempt"
            );
            assert_eq!(
                world.summary().result.words(),
                listing["result"].as_str().unwrap(),
                "{name}, read {no}"
            );
        }
    }
}

/// D4 is the worst of all: the one state that allows a retry, and it is there. D1 and D3 are doubles of the same size.
#[test]
fn traps() {
    let world = |name: &str| {
        let history = histories().into_iter().find(|h| h["history"] == name).unwrap();
        let trace = memory(What::Trace, "trace", &lines(&calls(&history, u64::MAX)));
        loaded(exact(LATER, vec![trace, ledger(&rows(&history, &history["listings"][0]))]))
    };
    let d1 = world("D1").view("k").judgement;
    assert_eq!((d1.gross, d1.max, d1.count_difference, d1.severity), (2, 1, 1, 1));
    assert!(codes(&d1).contains(&"EXCESS_UNEXPLAINED"), "one call cannot have made two rows");
    let d3 = world("D3").view("k").judgement;
    assert_eq!((d3.gross, d3.max, d3.count_difference, d3.severity), (2, 1, 1, 1));
    assert!(!codes(&d3).contains(&"EXCESS_UNEXPLAINED"), "two calls can");
    let d2 = world("D2").view("k").judgement;
    assert_eq!((d2.gross, d2.attempts, d2.divergent), (1, 2, false));
    let d4 = world("D4").view("k").judgement;
    assert_eq!((d4.severity, d4.divergent, d4.effective_max), (1, true, 0));
}

/// The interval of a counter is the sum of our bounds: what was acknowledged when the read began, what was attempted
/// and not refused when it ended.
#[test]
fn counters() {
    let bound = |history: &Value, as_of: u64, most: bool| -> u64 {
        let calls = calls(history, as_of);
        if calls.is_empty() {
            return 0;
        }
        // As it stood: what is open may still act.
        let world =
            loaded(exact(&second(as_of), vec![memory(What::Trace, "trace", &lines(&calls)), ledger(&[])]));
        let amount = |id: &str| {
            calls.iter().find(|c| c["operation_id"] == id).unwrap()["arguments"]["amount"].as_u64()
        };
        let each = world.views().into_iter().map(|v| {
            let bound = if most { v.judgement.hi_uncapped } else { v.judgement.lo };
            u64::from(bound) * amount(&v.operation_id).unwrap()
        });
        each.sum()
    };
    for history in histories() {
        let name = history["history"].as_str().unwrap();
        let Some(reads) = history["reads"].as_array() else {
            continue;
        };
        let mut outside = 0;
        for read in reads {
            let of = |field: &str| read[field].as_u64().unwrap();
            let (least, most) = (bound(&history, of("begun"), false), bound(&history, of("ended"), true));
            assert_eq!((least, most), (of("least"), of("most")), "{name}");
            outside += u64::from(!(least..=most).contains(&of("value")));
        }
        assert_eq!(outside, history["outside"].as_u64().unwrap(), "{name}");
    }
}

fn sums(history: &Value, amounts: &[&str]) -> World {
    let at = history["reads"][0]["begun"].as_u64().unwrap();
    let mut rows: Vec<Value> = amounts
        .iter()
        .enumerate()
        .map(|(no, amount)| {
            json!({"effect_id": format!("row {no}"), "operation_id": "sum", "amount": amount, "currency": "pieces",
                "committed_at": second(1)})
        })
        .collect();
    rows.push(json!({"effect_id": "beat", "operation_id": HEARTBEAT, "amount": "0", "currency": "pieces",
        "committed_at": second(at)}));
    let trace = memory(What::Trace, "trace", &lines(&calls(history, u64::MAX)));
    loaded(exact(LATER, vec![trace, ledger(&rows)]))
}

/// A counter's interval calls D6 valid; one operation that was meant once is not.
#[test]
fn sums_against_what_was_meant() {
    for history in histories().iter().filter(|h| !h["says"].is_null()) {
        let name = history["history"].as_str().unwrap();
        let value = history["reads"][0]["value"].as_u64().unwrap();
        let world = sums(history, &vec!["200"; usize::try_from(value / 200).unwrap()]);
        let view = world.view("sum");
        assert_eq!(view.judgement.verdict(), history["says"].as_str().unwrap(), "{name}");
        assert_eq!(world.money(view.judgement.expected), "200 pieces", "{name}");
        assert_eq!(world.totals(&view.totals), format!("{value} pieces"), "{name}");
        let difference = i64::try_from(value).unwrap() - 200;
        assert_eq!(world.totals(&view.difference), format!("{difference} pieces"), "{name}");
        let unexplained = codes(&view.judgement).contains(&"EXCESS_UNEXPLAINED");
        assert_eq!(unexplained, name == "D8", "{name}: more than the calls explain");
    }
}

/// Just beside the right total is wrong too.
#[test]
fn totals_at_the_edge() {
    let d6 = histories().into_iter().find(|h| h["history"] == "D6").unwrap();
    for (rows, verdict, too_much, owed) in [
        (&["199"][..], "AMOUNT_MISMATCH", "", "1 pieces"),
        (&["200"], "MATCHED", "", ""),
        (&["201"], "AMOUNT_MISMATCH", "1 pieces", ""),
        (&["200", "199"], "DUPLICATED", "199 pieces", ""),
        (&["200", "200"], "DUPLICATED", "200 pieces", ""),
        (&["200", "201"], "DUPLICATED", "201 pieces", ""),
        // Twice, and together less than was meant.
        (&["100", "99"], "DUPLICATED", "", "1 pieces"),
        (&["100", "100"], "COUNT_DIFFERS_TOTAL_EQUAL", "", ""),
        (&["100", "101"], "DUPLICATED", "1 pieces", ""),
    ] {
        let world = sums(&d6, rows);
        assert_eq!(world.verdict("sum"), verdict, "{rows:?}");
        let s = world.summary();
        assert_eq!(world.totals(&s.out_too_much), too_much, "{rows:?}: too much");
        assert_eq!(world.totals(&s.owed), owed, "{rows:?}: owed");
    }
}

/// A refund is lost and sent again under another key: whoever joins by the key alone sees two clean ones.
mod two_keys {
    use super::*;

    /// Calls of one payment, each with a key of its own, ten seconds apart; a row for each call that acted.
    struct Sent {
        outcomes: &'static [&'static str],
        arguments: bool,
        keys: bool,
        join: &'static [&'static str],
    }

    fn world(sent: &Sent) -> World {
        let call = |(no, outcome): (u64, &&str)| {
            let mut call = json!({"run_id": "run-1", "tool": "issue_refund", "idempotency_key": format!("attempt-{no}"),
                "payment_id": "pay-001", "sent_at": second(no * 10), "ended_at": second(no * 10 + 5), "outcome": outcome});
            if sent.arguments {
                let reason = format!("reason {no}");
                call["arguments"] = json!({"payment_id": "pay-001", "amount_cents": 5000, "currency": "USD", "reason": reason});
            }
            call
        };
        let row = |(no, _): (u64, &&str)| {
            let key = sent.keys.then(|| format!("attempt-{no}"));
            json!({"refund_id": format!("re_00{no}"), "payment_id": "pay-001", "amount_cents": 5000, "currency": "USD",
                "idempotency_key": key, "created_at": second(no * 10 + 2)})
        };
        let calls: Vec<Value> = (0..).zip(sent.outcomes).map(call).collect();
        let acted = (0..).zip(sent.outcomes).filter(|(_, o)| **o != "rejected");
        let rows: Vec<Value> = acted.map(row).collect();
        let sources =
            vec![memory(What::Trace, "trace", &lines(&calls)), memory(What::Ledger, "ledger", &lines(&rows))];
        let mut spec = exact(LATER, sources);
        spec.join = sent.join.iter().map(|j| (*j).to_owned()).collect();
        loaded(spec)
    }

    fn verdicts(world: &World) -> Vec<&'static str> {
        world.views().iter().map(|v| v.judgement.verdict()).collect()
    }

    const LOST_THEN_DONE: Sent =
        Sent { outcomes: &["timeout", "success"], arguments: true, keys: true, join: &[] };

    #[test]
    fn equal_arguments_make_them_one() {
        let world = world(&LOST_THEN_DONE);
        assert_eq!(verdicts(&world), ["DUPLICATED"]);
        assert_eq!(world.totals(&world.summary().out_too_much), "USD 50.00");
    }

    #[test]
    fn without_arguments_they_are_one_suspicion() {
        let world = world(&Sent { arguments: false, ..LOST_THEN_DONE });
        assert_eq!(verdicts(&world), ["SUSPECTED_DUPLICATE"; 2]);
        let s = world.summary();
        assert_eq!((s.intents, s.rows, s.undecided), (2, 1, 1), "the pair is one row");
        assert_eq!(world.totals(&s.probably_too_much), "USD 50.00", "its money counts once");
        assert_eq!(world.totals(&s.undecided_at_risk), "USD 50.00");
        let view = &world.views()[0];
        let account = view.account.as_ref().unwrap();
        assert_eq!((account.wanted, account.tried, account.found), (1, 2, 2));
        assert_eq!((account.business_id.as_str(), view.group_members.len()), ("payment:pay-001", 1));
    }

    #[test]
    fn a_third_key_is_one_more() {
        let outcomes = &["timeout", "timeout", "success"];
        let world = world(&Sent { outcomes, arguments: false, ..LOST_THEN_DONE });
        assert_eq!(verdicts(&world), ["SUSPECTED_DUPLICATE"; 3]);
        let s = world.summary();
        assert_eq!((s.rows, world.totals(&s.probably_too_much)), (1, "USD 100.00".to_owned()));
    }

    /// What was answered before the next was sent is a request of its own.
    #[test]
    fn answered_calls_stay_apart() {
        for outcomes in [&["success", "success"][..], &["rejected", "success"]] {
            let world = world(&Sent { outcomes, arguments: false, ..LOST_THEN_DONE });
            assert!(!verdicts(&world).contains(&"SUSPECTED_DUPLICATE"), "{outcomes:?}");
        }
    }

    /// The rows carry the payment alone: suspected, until the link is declared.
    #[test]
    fn rows_without_keys() {
        assert_eq!(verdicts(&world(&Sent { keys: false, ..LOST_THEN_DONE })), ["SUSPECTED_DUPLICATE"]);
        let declared = Sent { keys: false, join: &["business_id"], ..LOST_THEN_DONE };
        assert_eq!(verdicts(&world(&declared)), ["DUPLICATED"]);
    }
}
