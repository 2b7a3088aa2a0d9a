//! The scripted agent: what it has seen goes in, its next step comes out. There is no model in it.

use super::setup::{Choice, Policy};

/// What it does next. Each step is a decision of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Reads the order.
    Read,
    /// Asks for the refund.
    Refund,
    /// Ends.
    Stop(Ending),
}

/// How it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It has an answer that says done.
    Done,
    /// It found the refund in the order.
    Found,
    /// The server refused.
    Refused,
    /// It does not know.
    DoesNotKnow,
}

/// What came of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// The order, with so many refunds.
    Order {
        /// Refunds that the order shows.
        refunds: u64,
    },
    /// The order could not be read.
    NoOrder,
    /// The refund was answered: done.
    Refunded,
    /// The refund was refused.
    Refused,
    /// The answer to the refund did not come.
    Lost,
}

/// A script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Script {
    /// What it does after a lost answer.
    pub policy: Policy,
    /// It reads the order before it begins and after it was told that it is done, as the recorded reference run did.
    pub looks_around: bool,
}

/// Calls for a refund that a script makes at most.
const MOST_CALLS: usize = 2;

/// The next step of a script that has seen this much, oldest first.
pub fn next(script: Script, seen: &[Seen]) -> Step {
    let Some(last) = seen.last() else {
        return if script.looks_around { Step::Read } else { Step::Refund };
    };
    let calls =
        seen.iter().filter(|seen| matches!(seen, Seen::Refunded | Seen::Refused | Seen::Lost)).count();
    let told = seen.contains(&Seen::Refunded);
    match last {
        Seen::Refunded if script.looks_around => Step::Read,
        Seen::Refunded => Step::Stop(Ending::Done),
        Seen::Refused => Step::Stop(Ending::Refused),
        Seen::Order { .. } | Seen::NoOrder if told => Step::Stop(Ending::Done),
        Seen::Order { .. } if calls == 0 => Step::Refund,
        Seen::Order { refunds: 0 } if calls < MOST_CALLS => Step::Refund,
        Seen::Order { refunds: 0 } | Seen::NoOrder => Step::Stop(Ending::DoesNotKnow),
        Seen::Order { .. } => Step::Stop(Ending::Found),
        Seen::Lost => match script.policy {
            Policy::RetryOnce | Policy::Neutral(Choice::Retry) if calls < MOST_CALLS => Step::Refund,
            Policy::StateAware | Policy::Neutral(Choice::Reconcile) => Step::Read,
            _ => Step::Stop(Ending::DoesNotKnow),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(policy: Policy, looks_around: bool, answers: &[Seen]) -> Vec<Step> {
        let script = Script { policy, looks_around };
        (0..=answers.len()).map(|n| next(script, answers.get(..n).unwrap())).collect()
    }

    const DONE: Step = Step::Stop(Ending::Done);
    const UNKNOWN: Step = Step::Stop(Ending::DoesNotKnow);

    #[test]
    fn exactly_one_retry_even_if_it_is_lost_too() {
        let lost = [Seen::Lost, Seen::Lost];
        for policy in [Policy::RetryOnce, Policy::Neutral(Choice::Retry)] {
            assert_eq!(steps(policy, false, &lost), [Step::Refund, Step::Refund, UNKNOWN]);
            assert_eq!(
                steps(policy, false, &[Seen::Lost, Seen::Refunded]),
                [Step::Refund, Step::Refund, DONE]
            );
        }
        for policy in [Policy::DoNotRetry, Policy::Neutral(Choice::Stop)] {
            assert_eq!(steps(policy, false, &[Seen::Lost]), [Step::Refund, UNKNOWN]);
        }
    }

    #[test]
    fn who_reads_goes_by_what_it_read() {
        let found = Step::Stop(Ending::Found);
        for policy in [Policy::StateAware, Policy::Neutral(Choice::Reconcile)] {
            let order = |refunds| [Seen::Lost, Seen::Order { refunds }];
            assert_eq!(steps(policy, false, &order(1)), [Step::Refund, Step::Read, found]);
            assert_eq!(steps(policy, false, &order(0)), [Step::Refund, Step::Read, Step::Refund]);
            assert_eq!(
                steps(policy, false, &[Seen::Lost, Seen::NoOrder]),
                [Step::Refund, Step::Read, UNKNOWN]
            );
            let twice = [Seen::Lost, Seen::Order { refunds: 0 }, Seen::Lost, Seen::Order { refunds: 0 }];
            assert_eq!(
                steps(policy, false, &twice),
                [Step::Refund, Step::Read, Step::Refund, Step::Read, UNKNOWN]
            );
        }
    }

    #[test]
    fn the_reference_run_has_four_turns() {
        let seen = [Seen::Order { refunds: 0 }, Seen::Lost, Seen::Refunded, Seen::Order { refunds: 1 }];
        assert_eq!(
            steps(Policy::RetryOnce, true, &seen),
            [Step::Read, Step::Refund, Step::Refund, Step::Read, DONE]
        );
    }

    #[test]
    fn nothing_is_sent_after_an_answer() {
        assert_eq!(steps(Policy::RetryOnce, false, &[Seen::Refunded]), [Step::Refund, DONE]);
        assert_eq!(
            steps(Policy::RetryOnce, false, &[Seen::Refused]),
            [Step::Refund, Step::Stop(Ending::Refused)]
        );
    }
}
