//! The table of states, as `recount states` prints it (`3-lifecycle.md` 3.1), and who moves them.

use crate::model::row::State;

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The state.
    pub state: State,
    /// What is actually known.
    pub known: &'static str,
    /// Who moves it forward.
    pub who: &'static str,
    /// Whether a retry is allowed.
    pub retry: &'static str,
}

/// Heads of the columns.
pub const HEADS: [&str; 4] = ["State", "What you actually know", "Who moves it forward", "Retry allowed"];

/// The four states.
#[rustfmt::skip]
pub const STATES: [Row; 4] = [
    Row { state: State::Submitted, known: "request sent, no answer yet", who: "timeout handler (or the answer)", retry: "no" },
    Row { state: State::Confirmed, known: "downstream acknowledged", who: "reconciliation or response", retry: "no" },
    Row { state: State::Failed, known: "downstream explicitly rejected", who: "retry policy", retry: "yes, with the same key" },
    Row { state: State::Unknown, known: "cannot tell whether the effect exists", who: "reconciliation job or human", retry: "blocked until resolved" },
];

/// Who moves an intent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Actor {
    /// The application: records and claims.
    App,
    /// An answer of the service.
    Response,
    /// What watches deadlines.
    TimeoutHandler,
    /// What sends again after a rejection.
    RetryPolicy,
    /// The job that reads ledgers.
    Reconciliation,
    /// A person.
    Human,
    /// An agent: proposes, never decides.
    Agent,
}

impl Actor {
    /// Every actor with its word.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::App, "app"),
        (Self::Response, "response"),
        (Self::TimeoutHandler, "timeout_handler"),
        (Self::RetryPolicy, "retry_policy"),
        (Self::Reconciliation, "reconciliation"),
        (Self::Human, "human"),
        (Self::Agent, "agent"),
    ];

    /// The word.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(a, _)| *a == self).map_or("", |(_, w)| w)
    }

    /// Reads the word exactly.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, w)| *w == word).map(|(a, _)| *a)
    }
}
