//! A large made case whose truth is known by construction: twenty thousand requests, retried and lost, some done twice,
//! not at all or with another amount, and rows of nobody.

use std::fmt::Write as _;

use recount::load::{Case, Options, load};
use recount::sources::spec::{CaseSpec, What};

use crate::small::{Small, small, summary};

const INTENTS: u64 = 20_000;

/// A small deterministic generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

/// What was made.
#[derive(Default, Debug)]
struct Truth {
    attempts: u64,
    effects: u64,
    doubled: u64,
    missing: u64,
    amount: u64,
    rejected: u64,
    orphans: u64,
}

/// Milliseconds after ten o'clock as a time.
fn stamp(ms: u64) -> String {
    let seconds = ms / 1_000;
    format!(
        "2026-11-30T{:02}:{:02}:{:02}.{:03}Z",
        10 + seconds / 3_600,
        seconds / 60 % 60,
        seconds % 60,
        ms % 1_000
    )
}

/// Trace, ledger, and what is true of them.
fn made() -> (String, String, Truth) {
    let mut dice = Dice(42);
    let (mut trace, mut ledger, mut truth) = (String::new(), String::new(), Truth::default());
    ledger.push_str("refund_id,operation_id,order_id,amount_minor,currency,committed_at\n");
    // A row from before the first call, so that the listing begins early, and one long after the last.
    ledger.push_str("rf_first,refund:other:first,90001,100,USD,2026-11-30T06:00:00Z\n");
    for no in 0..INTENTS {
        let start = no * 40 + dice.below(40);
        let order = 100_000 + dice.below(INTENTS * 4);
        let key = format!("refund:order_{order}:request_{no:06x}");
        let amount = 500 + dice.below(49_500);
        let kind = dice.below(10_000);
        let rejected = kind >= 9_900;
        truth.rejected += u64::from(rejected);
        let tries = match dice.below(1_000) {
            0..780 => 1,
            780..945 => 2,
            945..985 => 3,
            _ => 4,
        };
        for attempt in 0..tries {
            let outcome = match (rejected, attempt + 1 == tries) {
                (true, _) => "rejected",
                (false, true) => {
                    if dice.below(100) < 3 {
                        "timeout"
                    } else {
                        "success"
                    }
                }
                (false, false) => match dice.below(3) {
                    0 => "timeout",
                    1 => "response_lost",
                    _ => "rejected",
                },
            };
            let sent = start + attempt * 1_500 + dice.below(500);
            let ended = sent + 20 + dice.below(900);
            truth.attempts += 1;
            let _ = writeln!(
                trace,
                r#"{{"event":"attempt","attempt_id":"att_{:08x}","operation_id":"{key}","run_id":"run_{}","decision_id":"dec_{attempt}","tool":"refund_order","key":"{key}","payload":{{"order_id":"{order}","amount":"{}.{:02}","currency":"USD","reason":"late delivery"}},"sent_at":"{}","ended_at":"{}","outcome":"{outcome}"}}"#,
                truth.attempts,
                no / 1_000,
                amount / 100,
                amount % 100,
                stamp(sent),
                stamp(ended)
            );
        }
        let done = start + tries * 1_500 + dice.below(2_000);
        let mut row = |key: &str, order: u64, amount: u64, at: u64| {
            truth.effects += 1;
            let _ = writeln!(ledger, "rf_{},{key},{order},{amount},USD,{}", truth.effects, stamp(at));
        };
        if !rejected {
            let (count, got) = match kind {
                0..50 => (2 + u64::from(dice.below(10) == 0), amount),
                50..100 => (0, amount),
                100..120 => (1, amount + 1 + dice.below(5_000)),
                _ => (1, amount),
            };
            for again in 0..count {
                row(&key, order, got, done + again * 1_500);
            }
            truth.doubled += u64::from(count > 1);
            truth.missing += u64::from(count == 0);
            truth.amount += u64::from(got != amount);
        }
        if (120..130).contains(&kind) {
            let stray = 100_000 + dice.below(INTENTS * 4);
            row(&format!("refund:order_{stray}:request_orph{no:06x}"), stray, amount, done);
            truth.orphans += 1;
        }
    }
    ledger.push_str("rf_last,refund:other:last,90002,100,USD,2026-11-30T17:00:00Z\n");
    (trace, ledger, truth)
}

fn case(trace: &str, ledger: &str, set: impl FnOnce(&mut CaseSpec)) -> Case {
    let Small { spec, .. } = small()
        .source("trace", What::Trace, trace, |_| ())
        .source("ledger", What::Ledger, ledger, |_| ())
        .with(set);
    load(spec, &Options { threads: 2, ..Options::default() }).unwrap()
}

fn count(case: &Case, verdict: &str) -> u64 {
    let s = summary(case);
    s.by_verdict.iter().find(|(v, _)| *v == verdict).map_or(0, |(_, count)| *count)
}

#[test]
fn what_was_made_is_what_is_found() {
    let (trace, ledger, truth) = made();
    assert!(truth.doubled > 50 && truth.missing > 50 && truth.amount > 20 && truth.orphans > 10, "{truth:?}");
    // The ledger as a person gets it: up to its last row, which ends with the calls.
    let (so_far, _) = ledger.split_once("rf_last").unwrap();
    let found = case(&trace, so_far, |_| ());
    let s = summary(&found);
    assert_eq!((s.intents, s.attempts, s.effects), (INTENTS, truth.attempts, truth.effects + 1));
    assert_eq!((s.orphans, s.outside), (truth.orphans, Some(1)));
    let loud = |fits: &dyn Fn(&recount::judge::judgement::Judgement) -> bool| {
        found.loud.iter().filter(|l| fits(&l.judgement)).count() as u64
    };
    assert_eq!(loud(&|j| j.gross > 1), truth.doubled);
    assert_eq!(loud(&|j| j.gross == 0 && j.hi_uncapped > 0), truth.missing);
    assert_eq!(count(&found, "AMOUNT_MISMATCH"), truth.amount);
    assert_eq!(count(&found, "DUPLICATED"), truth.doubled);
    // Taken as final, every class is decided.
    let found = case(&trace, &ledger, |s| s.ledger_final = true);
    assert_eq!(count(&found, "DUPLICATED"), truth.doubled);
    assert_eq!(count(&found, "MISSING") + count(&found, "ABSENT_COVERED"), truth.missing);
    assert_eq!(count(&found, "AMOUNT_MISMATCH"), truth.amount);
    let s = summary(&found);
    assert_eq!(s.orphans, truth.orphans);
    assert_eq!(s.violations + s.undecided, truth.doubled + truth.missing + truth.amount);
    assert_eq!(s.clean, INTENTS - truth.doubled - truth.missing - truth.amount);
    assert!(s.answers_lost > 0);
    // Declared complete, the rows of nobody are violations too.
    let found = case(&trace, &ledger, |s| (s.ledger_final, s.trace_complete) = (true, true));
    assert_eq!(count(&found, "ORPHAN_EFFECT"), truth.orphans);
}

/// Numbers of operations follow hashes, and hashes have another seed in each load: no order may follow them.
#[test]
fn clean_intents_of_one_moment_stand_in_one_order() {
    let mut trace = String::new();
    for no in 0..300 {
        let _ = writeln!(
            trace,
            r#"{{"event":"attempt","operation_id":"op_{no:03}","tool":"refund","sent_at":"2026-11-30T10:00:00Z","outcome":"rejected"}}"#
        );
    }
    let ids = || {
        let case = case(&trace, "effect_id,operation_id,amount,currency,committed_at\n", |_| ());
        (0..case.rows())
            .flat_map(|at| case.ops_at(at))
            .map(|op| case.name_of(op).to_owned())
            .collect::<Vec<_>>()
    };
    let wanted: Vec<String> = (0..300).map(|no| format!("op_{no:03}")).collect();
    assert_eq!(ids(), wanted);
    assert_eq!(ids(), wanted);
}
