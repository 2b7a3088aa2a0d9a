//! What the caller was told, and what that proves (`1-model.md` 1.4.6, `2-judge.md` 2.2).

/// The word of an answer, reduced to what is shown and what it can prove.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Outcome {
    /// Answered: done.
    Success,
    /// Answered with a stored receipt of an earlier call.
    Reused,
    /// Answered that it had already been done.
    AlreadyDone,
    /// Explicitly refused.
    Rejected,
    /// Never left the caller.
    NotSent,
    /// The connection ended before the answer.
    ResponseLost,
    /// The caller gave up waiting.
    Timeout,
    /// The connection was cut after sending.
    ConnectionReset,
    /// The server answered that it failed; it may have acted.
    ServerError,
    /// The caller cancelled; the server may have acted.
    Cancelled,
    /// "failed" or "error" without more: what most agents write on a timeout. Also whatever is listed as a word that
    /// cannot tell (`cannot_tell` of a tool, HTTP 409 and its kin).
    Failed,
    /// A word that says that nothing is known ("pending", "unknown", "`no_record`").
    NoRecord,
    /// A word that is in no list (`OUTCOME_WORD_UNKNOWN`).
    OtherWord,
    /// No outcome at all: open while its time runs, unknown after.
    Missing,
}

/// What an outcome proves about new effects (`2-judge.md` 2.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    /// Exactly one new effect.
    Ok,
    /// No new effect, but at least one exists; a stored receipt was returned.
    OkReused,
    /// No new effect, but at least one exists.
    Already,
    /// No new effect.
    Fail,
    /// None or one.
    Unknown,
    /// Not ended yet: none or one.
    Open,
}

/// `1-model.md` 1.4.6 as a table: outcome words of generic traces.
pub const WORDS: &[(&str, Outcome)] = &[
    ("ok", Outcome::Success),
    ("success", Outcome::Success),
    ("succeeded", Outcome::Success),
    ("completed", Outcome::Success),
    ("response_received", Outcome::Success),
    ("rejected", Outcome::Rejected),
    ("declined", Outcome::Rejected),
    ("denied", Outcome::Rejected),
    ("refused", Outcome::Rejected),
    ("validation_error", Outcome::Rejected),
    ("invalid", Outcome::Rejected),
    ("not_sent", Outcome::NotSent),
    ("already_done", Outcome::AlreadyDone),
    ("already_exists", Outcome::AlreadyDone),
    ("already_processed", Outcome::AlreadyDone),
    ("already_refunded", Outcome::AlreadyDone),
    ("already_captured", Outcome::AlreadyDone),
    ("charge_already_refunded", Outcome::AlreadyDone),
    ("failed", Outcome::Failed),
    ("failure", Outcome::Failed),
    ("error", Outcome::Failed),
    ("exception", Outcome::Failed),
    ("server_error", Outcome::ServerError),
    ("timeout", Outcome::Timeout),
    ("timed_out", Outcome::Timeout),
    ("lost", Outcome::ResponseLost),
    ("response_lost", Outcome::ResponseLost),
    ("lost_response", Outcome::ResponseLost),
    ("no_response", Outcome::ResponseLost),
    ("no_record", Outcome::NoRecord),
    ("reset", Outcome::ConnectionReset),
    ("connection_reset", Outcome::ConnectionReset),
    ("aborted", Outcome::Cancelled),
    ("cancelled", Outcome::Cancelled),
    ("canceled", Outcome::Cancelled),
    ("crashed", Outcome::Failed),
    ("marked_failed", Outcome::Failed),
    ("pending", Outcome::NoRecord),
    ("running", Outcome::NoRecord),
    ("unknown", Outcome::NoRecord),
    ("not_found", Outcome::NoRecord),
    ("missing", Outcome::NoRecord),
];

impl Outcome {
    /// Reads a word without regard to case; `None` where it stands in no list.
    pub fn from_word(word: &str) -> Option<Self> {
        WORDS.iter().find(|(w, _)| w.eq_ignore_ascii_case(word)).map(|(_, o)| *o)
    }

    /// HTTP status codes (`2-judge.md` 2.2); what is not listed cannot tell.
    pub fn from_http(status: u16) -> Self {
        match status {
            200..=299 => Self::Success,
            400 | 401 | 403 | 404 | 405 | 410 | 412 | 415 | 422 | 429 => Self::Rejected,
            408 => Self::Timeout,
            499 => Self::Cancelled,
            500..=599 => Self::ServerError,
            _ => Self::Failed,
        }
    }

    /// The class; `open` says whether a missing outcome may still arrive.
    pub fn class(self, open: bool) -> Class {
        match self {
            Self::Success => Class::Ok,
            Self::Reused => Class::OkReused,
            Self::AlreadyDone => Class::Already,
            Self::Rejected | Self::NotSent => Class::Fail,
            Self::Missing if open => Class::Open,
            _ => Class::Unknown,
        }
    }

    /// The word in machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Reused => "success_reused",
            Self::AlreadyDone => "already_done",
            Self::Rejected => "rejected",
            Self::NotSent => "not_sent",
            Self::ResponseLost => "response_lost",
            Self::Timeout => "timeout",
            Self::ConnectionReset => "connection_reset",
            Self::ServerError => "server_error",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
            Self::NoRecord => "no_record",
            Self::OtherWord => "other",
            Self::Missing => "missing",
        }
    }
}

impl Class {
    /// The word in machine output (`7-commands.md` 7.5.7, sniff).
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::OkReused => "ok_reused",
            Self::Already => "already",
            Self::Fail => "fail",
            Self::Unknown => "unknown",
            Self::Open => "open",
        }
    }

    /// A call of this class may have acted.
    pub fn may_have_acted(self) -> bool {
        self != Self::Fail
    }

    /// The caller was told that it is done.
    pub fn told_yes(self) -> bool {
        matches!(self, Self::Ok | Self::OkReused | Self::Already)
    }

    /// The caller does not know.
    pub fn unsettled(self) -> bool {
        matches!(self, Self::Unknown | Self::Open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_of_the_unknown_family_proves_that_nothing_happened() {
        for (word, outcome) in WORDS {
            let class = outcome.class(false);
            let listed_no = matches!(
                *word,
                "rejected" | "declined" | "denied" | "refused" | "validation_error" | "invalid" | "not_sent"
            );
            assert_eq!(class == Class::Fail, listed_no, "{word}");
        }
    }

    #[test]
    fn a_missing_outcome_is_open_only_while_its_time_runs() {
        assert_eq!(Outcome::Missing.class(true), Class::Open);
        assert_eq!(Outcome::Missing.class(false), Class::Unknown);
    }

    #[test]
    fn http_codes_follow_the_table() {
        for fail in [400, 401, 403, 404, 405, 410, 412, 415, 422, 429] {
            assert_eq!(Outcome::from_http(fail).class(false), Class::Fail, "{fail}");
        }
        for unknown in [402, 408, 409, 424, 425, 499, 500, 502, 503, 301, 0] {
            assert_eq!(Outcome::from_http(unknown).class(false), Class::Unknown, "{unknown}");
        }
        assert_eq!(Outcome::from_http(201).class(false), Class::Ok);
    }
}
