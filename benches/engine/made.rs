//! A made case: native attempts and ledger rows, the same on every run.

use std::fmt::Write as _;

/// Bytes of a trace and of a ledger.
pub struct Made {
    pub trace: Vec<u8>,
    pub ledger: Vec<u8>,
}

impl Made {
    /// So many intents: a fifth of them retried, one in two hundred doubled, one in two hundred without an effect.
    pub fn new(intents: usize) -> Self {
        let (mut trace, mut ledger) = (String::new(), String::new());
        let mut dice = 0x9E37_79B9_7F4A_7C15_u64;
        let mut roll = |below: u64| {
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            (dice >> 16) % below
        };
        let (mut attempt, mut effect) = (0, 0);
        for no in 0..intents {
            let (order, minor) = (100_000 + roll(4 * intents as u64), 500 + roll(49_500));
            let id = format!("refund:order_{order}:request_{no:06x}");
            let tries = if roll(5) == 0 { 2 } else { 1 };
            for turn in 1..=tries {
                attempt += 1;
                let outcome = if turn == tries { "success" } else { "timeout" };
                let (sent, ended) = (clock(no * 40 + turn * 700), clock(no * 40 + turn * 700 + 350));
                let _ = writeln!(
                    trace,
                    r#"{{"event":"attempt","attempt_id":"att_{attempt:08x}","operation_id":"{id}","run_id":"run_{}","decision_id":"dec_{turn}","tool":"refund_order","key":"{id}","payload":{{"order_id":"{order}","amount":"{}.{:02}","currency":"USD","reason":"item came back"}},"sent_at":"{sent}","ended_at":"{ended}","outcome":"{outcome}"}}"#,
                    attempt / 1000,
                    minor / 100,
                    minor % 100,
                );
            }
            let effects = match roll(200) {
                0 => 2,
                1 => 0,
                _ => 1,
            };
            for turn in 0..effects {
                effect += 1;
                let at = clock(no * 40 + 900 + turn * 500);
                let _ = writeln!(
                    ledger,
                    r#"{{"effect_id":"rf_{effect}","operation_id":"{id}","order_id":"{order}","amount_minor":{minor},"currency":"USD","committed_at":"{at}"}}"#,
                );
            }
        }
        Self { trace: trace.into_bytes(), ledger: ledger.into_bytes() }
    }
}

/// Milliseconds since 10:00 as a time of 2026-11-30.
fn clock(ms: usize) -> String {
    let (s, ms) = (ms / 1000 % 43_200, ms % 1000);
    format!("2026-11-30T{:02}:{:02}:{:02}.{ms:03}Z", 10 + s / 3600, s / 60 % 60, s % 60)
}
