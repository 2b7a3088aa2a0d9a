//! The format names (`7-commands.md` 7.5.9), and which of them this build reads.

use super::spec::What;
use super::trace::table::traced;

/// A format by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormatName {
    /// The name, as a prefix `NAME:FILE` and in `format = ".."`.
    pub name: &'static str,
    /// What it holds.
    pub what: What,
    read: bool,
}

impl FormatName {
    /// This build reads it; the others are recognised, so that nobody's file is taken for something else.
    pub fn is_read(self) -> bool {
        self.read && traced(self.name).is_none_or(|format| format.reader.is_some())
    }
}

const fn trace(name: &'static str) -> FormatName {
    FormatName { name, what: What::Trace, read: true }
}

const fn ledger(name: &'static str, read: bool) -> FormatName {
    FormatName { name, what: What::Ledger, read }
}

/// All of them.
pub const FORMATS: [FormatName; 44] = [
    trace("native"),
    trace("generic"),
    trace("experiment"),
    trace("otlp"),
    trace("jaeger"),
    trace("mcp"),
    trace("mcp-inspector"),
    trace("claude-desktop"),
    trace("claude-code"),
    trace("codex"),
    trace("openai-responses"),
    trace("openai-chat"),
    trace("openai-agents"),
    trace("anthropic"),
    trace("langsmith"),
    trace("langfuse"),
    trace("temporal"),
    trace("jepsen"),
    trace("har"),
    trace("access-log"),
    ledger("sqlite", true),
    ledger("postgres", cfg!(feature = "postgres")),
    ledger("mysql", cfg!(feature = "mysql")),
    ledger("csv", true),
    ledger("json", true),
    ledger("jsonl", true),
    ledger("experiment-effects", true),
    ledger("stripe-events", true),
    ledger("stripe-list", true),
    ledger("stripe-csv", true),
    ledger("adyen", true),
    ledger("paypal", true),
    ledger("cloudtrail", true),
    ledger("cur", true),
    ledger("ses", true),
    ledger("sendgrid", true),
    ledger("formance", true),
    ledger("tigerbeetle", true),
    ledger("blnk", true),
    ledger("hledger", true),
    ledger("ledger-cli", true),
    ledger("beancount", true),
    ledger("pg-copy", true),
    ledger("psql", true),
];

/// The format of this name.
pub fn named(name: &str) -> Option<FormatName> {
    FORMATS.iter().copied().find(|format| format.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for (at, format) in FORMATS.iter().enumerate() {
            assert_eq!(FORMATS.iter().position(|other| other.name == format.name), Some(at));
        }
        assert_eq!(named("native").map(|format| format.what), Some(What::Trace));
        assert_eq!(named("c"), None);
    }
}
