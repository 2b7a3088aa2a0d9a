//! What the experiment consists of: the order, the task, and the words of servers, faults and policies as tables.

/// The order that is refunded.
pub const ORDER: &str = "1234";
/// What it cost, in cents.
pub const TOTAL_MINOR: i64 = 50_000;
/// What shall be refunded, in cents.
pub const REFUND_MINOR: i64 = 20_000;
/// The currency of the store.
pub const CURRENCY: &str = "USD";
/// Decimals of that currency.
pub const EXPONENT: u8 = 2;
/// The operation that the task asks for.
pub const OPERATION: &str = "refund:order_1234:request_9876";
/// The intent that is recorded for it.
pub const INTENT: &str = "int_9876";
/// The task, as the agent is given it.
pub const TASK: &str = "The customer should receive a $200 refund. Process it.";
/// What decides.
pub const AGENT: &str = "scripted, no model";
/// The tool that reads.
pub const READ: &str = "get_order";
/// The tool that writes.
pub const WRITE: &str = "refund_order";

/// What the agent and the server leave in a folder.
pub const TRACE_FILE: &str = "trace.jsonl";
/// The store of the server.
pub const STORE_FILE: &str = "store.db";
/// What came out, for programs.
pub const SUMMARY_FILE: &str = "summary.json";
/// The durable record of the client.
pub const JOURNAL_FILE: &str = "intents.jsonl";

/// How the server treats an operation it has seen before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// It records the operation id and refunds each time.
    Unsafe,
    /// Refund and receipt are one transaction; a known id gets the stored answer.
    Idempotent,
}

/// Something that goes wrong once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The server ends before the refund is committed.
    DisconnectBeforeCommit,
    /// The server ends after the commit, before its answer.
    CommitThenDisconnect,
    /// The answer comes after the client stopped waiting.
    Delay,
    /// An order is shown as it was before its refund.
    StaleRead,
}

/// What the script does where there is no rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// It reads the order and goes by what it says.
    Reconcile,
    /// It calls again.
    Retry,
    /// It stops.
    Stop,
}

/// What the agent is told to do after a lost answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// One more call, even if that is lost too.
    RetryOnce,
    /// No further call.
    DoNotRetry,
    /// No rule; the script chooses.
    Neutral(Choice),
    /// The order is read first.
    StateAware,
}

/// Words of the servers.
pub const MODES: [&str; 2] = ["unsafe", "idempotent"];
/// Words of the faults; the first is none.
pub const FAULTS: [&str; 5] =
    ["none", "disconnect-before-commit", "commit-then-disconnect", "delay", "stale-read"];
/// Words of the policies; `controlled` is another name of the first.
pub const POLICIES: [&str; 5] = ["retry-once", "controlled", "do-not-retry", "neutral", "state-aware"];
/// Words of the choices.
pub const CHOICES: [&str; 3] = ["reconcile", "retry", "stop"];

impl Mode {
    /// The server of a word; `unsafe` where it is none.
    pub fn of(word: &str) -> Self {
        if word == "idempotent" { Self::Idempotent } else { Self::Unsafe }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unsafe => "unsafe",
            Self::Idempotent => "idempotent",
        }
    }
}

impl Fault {
    /// The fault of a word.
    pub fn of(word: &str) -> Option<Self> {
        [Self::DisconnectBeforeCommit, Self::CommitThenDisconnect, Self::Delay, Self::StaleRead]
            .into_iter()
            .find(|fault| fault.word() == word)
    }

    /// The faults of a list such as `commit-then-disconnect,stale-read`.
    pub fn list(words: &str) -> Vec<Self> {
        words.split(',').filter_map(Self::of).collect()
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::DisconnectBeforeCommit => "disconnect-before-commit",
            Self::CommitThenDisconnect => "commit-then-disconnect",
            Self::Delay => "delay",
            Self::StaleRead => "stale-read",
        }
    }

    /// The words of several; `none` without one.
    pub fn words(faults: &[Self]) -> String {
        if faults.is_empty() {
            return "none".to_owned();
        }
        faults.iter().map(|fault| fault.word()).collect::<Vec<_>>().join(",")
    }
}

impl Choice {
    /// The choice of a word.
    pub fn of(word: &str) -> Self {
        match word {
            "retry" => Self::Retry,
            "stop" => Self::Stop,
            _ => Self::Reconcile,
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Reconcile => "reconcile",
            Self::Retry => "retry",
            Self::Stop => "stop",
        }
    }

    /// The choice of one run of a seeded series: the same seed gives the same series on every machine.
    pub fn drawn(seed: u64, run: u64) -> Self {
        // SplitMix64, by its published constants: short, and good enough to pick one of three.
        let mut z = seed.wrapping_add(run.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        match (z ^ (z >> 31)) % 3 {
            0 => Self::Reconcile,
            1 => Self::Retry,
            _ => Self::Stop,
        }
    }
}

impl Policy {
    /// The policy of a word; `retry-once` where it is none. `choice` is for `neutral` alone.
    pub fn of(word: &str, choice: Choice) -> Self {
        match word {
            "do-not-retry" => Self::DoNotRetry,
            "neutral" => Self::Neutral(choice),
            "state-aware" => Self::StateAware,
            _ => Self::RetryOnce,
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::RetryOnce => "retry-once",
            Self::DoNotRetry => "do-not-retry",
            Self::Neutral(_) => "neutral",
            Self::StateAware => "state-aware",
        }
    }

    /// What it says, in brackets behind its word.
    pub fn says(self) -> String {
        match self {
            Self::RetryOnce => "a lost result is retried once".to_owned(),
            Self::DoNotRetry => "a lost result is never sent again".to_owned(),
            Self::Neutral(choice) => format!("no rule; no model either, the script chose: {}", choice.word()),
            Self::StateAware => "after a lost result the order is read first".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_that_of_its_value() {
        for word in MODES {
            assert_eq!(Mode::of(word).word(), word);
        }
        assert_eq!(Fault::of("none"), None);
        for word in FAULTS.into_iter().skip(1) {
            assert_eq!(Fault::of(word).map(Fault::word), Some(word));
        }
        for word in CHOICES {
            assert_eq!(Choice::of(word).word(), word);
        }
        for word in POLICIES.into_iter().filter(|word| *word != "controlled") {
            assert_eq!(Policy::of(word, Choice::Stop).word(), word);
        }
        assert_eq!(Policy::of("controlled", Choice::Stop), Policy::RetryOnce);
        let both = Fault::list("commit-then-disconnect,stale-read");
        assert_eq!(Fault::words(&both), "commit-then-disconnect,stale-read");
        assert_eq!(Fault::words(&[]), "none");
    }

    #[test]
    fn a_seed_gives_the_same_series_everywhere() {
        let words = |seed: u64| (0..6).map(|run| Choice::drawn(seed, run).word()).collect::<Vec<_>>();
        assert_eq!(words(7), words(7));
        let all: Vec<&str> = (0..40).map(|run| Choice::drawn(7, run).word()).collect();
        for choice in CHOICES {
            assert!(all.iter().filter(|word| **word == choice).count() > 5, "{choice} in {all:?}");
        }
    }
}
