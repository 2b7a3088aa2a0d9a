//! What a caller was told, from the evidence that a format has (`formats.md` 0.2, `2-judge.md` 2.2).
//!
//! A status field alone is not believed: a timeout often looks like success or like nothing. Texts of tools are never
//! evidence for anything (`1-model.md` 0.8); but a text that says that nobody answered takes away the certainty that
//! a success would have.

use super::calls::Fields;

/// What the caller was told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Told {
    /// Nothing: no answer stands in the source.
    #[default]
    Nothing,
    /// Answered: done.
    Yes,
    /// Answered with an error; the word or text is for a tool's own lists (`did_not`, `already_did`, `cannot_tell`).
    /// Without such a list it cannot tell.
    Error(String),
    /// Refused before it acted: rejected by a person or a check.
    Refused,
    /// Never left the caller, or was never taken: an unknown tool, wrong arguments, no connection.
    NotSent,
    /// The caller gave up waiting.
    Timeout,
    /// The connection ended before the answer.
    Lost,
    /// The connection was cut after sending.
    Reset,
    /// The caller cancelled.
    Cancelled,
    /// Still running, or its end is not known.
    Pending,
    /// An HTTP status.
    Http(u16),
    /// An outcome word as written, read by `1-model.md` 1.4.6.
    Word(String),
}

impl Told {
    /// Writes it as the generic reader reads it.
    pub(super) fn write(&self, fields: &mut Fields) {
        let word = match self {
            Self::Nothing => return,
            Self::Error(word) => {
                fields.truth("is_error", true).maybe("error", Some(word));
                return;
            }
            Self::Http(status) => {
                fields.text("outcome", &status.to_string());
                return;
            }
            Self::Word(word) => word.as_str(),
            Self::Yes => "success",
            Self::Refused => "rejected",
            Self::NotSent => "not_sent",
            Self::Timeout => "timeout",
            Self::Lost => "response_lost",
            Self::Reset => "connection_reset",
            Self::Cancelled => "cancelled",
            Self::Pending => "pending",
        };
        fields.text("outcome", word);
    }

    /// The text of an error, a reason, an exception: which kind of "nobody answered" it is, else an error that says no
    /// more than its words.
    pub fn of_error(text: &str) -> Self {
        silence(text).unwrap_or_else(|| Self::Error(text.chars().take(200).collect()))
    }

    /// A success whose plain text may say that nobody answered. Objects and lists are answers.
    pub fn of_output(text: &str) -> Self {
        let plain = !text.trim_start().starts_with(['{', '[']) && text.len() <= 2_000;
        plain.then(|| silence(text)).flatten().unwrap_or(Self::Yes)
    }

    /// A code that the caller's own transport wrote (never a text of a tool): then a connection that did not come
    /// about is not sent.
    pub fn of_transport(code: &str) -> Self {
        let low = code.to_ascii_lowercase();
        if NOT_SENT.iter().any(|word| low.contains(word)) {
            return Self::NotSent;
        }
        Self::of_error(code)
    }

    /// The code of a JSON-RPC error (`2-judge.md` 2.2).
    pub fn of_json_rpc(code: i64, message: &str) -> Self {
        match code {
            -32601 | -32602 => Self::NotSent,
            -32001 => Self::Timeout,
            -32000 => Self::Lost,
            _ => Self::of_error(message),
        }
    }
}

/// Words of transports for a connection that did not come about.
const NOT_SENT: [&str; 9] = [
    "err_name_not_resolved",
    "err_connection_refused",
    "err_internet_disconnected",
    "err_address_unreachable",
    "err_blocked_by",
    "econnrefused",
    "enotfound",
    "connectionrefused",
    "connection refused",
];

/// Words for "nobody answered", as a table: what was meant, and what stands in the text.
const SILENCE: [(Told, &[&str]); 4] = [
    (
        Told::Timeout,
        &[
            "timed out",
            "timed_out",
            "timeout",
            "time-out",
            "time out",
            "deadline exceeded",
            "deadline_exceeded",
            "-32001",
        ],
    ),
    (
        Told::Reset,
        &[
            "connection reset",
            "econnreset",
            "connectionreset",
            "err_connection_reset",
            "broken pipe",
            "epipe",
        ],
    ),
    (
        Told::Lost,
        &[
            "connection closed",
            "err_connection_closed",
            "err_empty_response",
            "connection lost",
            "connection aborted",
            "transport closed",
            "stream closed",
            "socket hang up",
            "server disconnected",
            "-32000",
        ],
    ),
    (Told::Cancelled, &["cancelled", "canceled", "cancellederror", "aborted", "aborterror", "interrupted"]),
];

/// Which kind of silence a text speaks of.
pub fn silence(text: &str) -> Option<Told> {
    let low = text.to_ascii_lowercase();
    SILENCE
        .iter()
        .find(|(_, words)| words.iter().any(|word| low.contains(word)))
        .map(|(told, _)| told.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_timeouts_are_silence_wherever_they_stand() {
        for text in [
            "Tool 'refund_order' timed out after 0.1 seconds.",
            "timed out after 0.3s",
            "McpError: MCP error -32001: Request timed out",
            "Timed out while waiting for response to ClientRequest. Waited 0.3 seconds.",
            "tool call failed for `srv/tool`: timed out awaiting tools/call after 60s",
        ] {
            assert_eq!(Told::of_output(text), Told::Timeout, "{text}");
            assert_eq!(Told::of_error(text), Told::Timeout, "{text}");
        }
        assert_eq!(Told::of_output("{\"timeout\":30,\"id\":\"re_1\"}"), Told::Yes);
        assert_eq!(Told::of_output("refund re_1 done"), Told::Yes);
    }

    #[test]
    fn codes_of_transports() {
        for (code, want) in [
            ("net::ERR_TIMED_OUT", Told::Timeout),
            ("net::ERR_CONNECTION_REFUSED", Told::NotSent),
            ("net::ERR_CONNECTION_RESET", Told::Reset),
            ("net::ERR_EMPTY_RESPONSE", Told::Lost),
            ("requests.exceptions.ReadTimeout", Told::Timeout),
            ("The operation was aborted due to timeout", Told::Timeout),
            ("net::ERR_ABORTED", Told::Cancelled),
        ] {
            assert_eq!(Told::of_transport(code), want, "{code}");
        }
        assert_eq!(Told::of_json_rpc(-32602, "Unknown tool: x"), Told::NotSent);
        assert_eq!(Told::of_json_rpc(-32001, "Request timed out"), Told::Timeout);
        assert_eq!(Told::of_json_rpc(-32603, "boom"), Told::Error("boom".to_owned()));
        assert_eq!(
            Told::of_error("order already fully refunded"),
            Told::Error("order already fully refunded".to_owned())
        );
    }
}
