//! An entry of the audit chain: its canonical text and its hash (`3-lifecycle.md` 3.6.2).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::canon::{canonical, sha256_hex};
use crate::model::time::{Micros, Zone, parse_time, rfc3339_millis};

use super::action::Action;
use super::error::BookError;

/// The name of the format, in each entry.
pub const SCHEMA: &str = "recount.audit.v1";
/// The program and its version, in each entry.
pub const TOOL: &str = concat!("recount ", env!("CARGO_PKG_VERSION"));
/// `prev` of the first entry.
pub const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Who writes an entry (3.6.2, 3.15). A name is a claim; only `verified` says that a signature stands behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// `human`, `reconciliation`, `timeout_handler`, `app`.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The machine.
    pub host: String,
    /// Where the name is from: `flag`, `env`, `config`, `os_user`.
    pub source: String,
    /// Numeric user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uid: Option<u32>,
    /// Login.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub login: Option<String>,
    /// Terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tty: Option<String>,
    /// `SUDO_USER`, session user, fingerprint of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// `signature:PRINCIPAL` or `shared_login`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<String>,
}

/// What an entry is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// `case`, `intent`, `source`, `effect`, `entry`, `evidence`, ..
    pub kind: String,
    /// Its id.
    pub id: String,
}

impl Subject {
    /// An intent.
    pub fn intent(id: &str) -> Self {
        Self::new("intent", id)
    }

    /// Anything.
    pub fn new(kind: &str, id: &str) -> Self {
        Self { kind: kind.to_owned(), id: id.to_owned() }
    }
}

/// When an entry is written: the wall clock, and what tells that it was set back (3.6.2, `clock`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Now {
    /// Wall clock, UTC.
    pub at: Micros,
    /// Boot of the machine; absent with a fixed clock.
    pub boot: Option<String>,
    /// Milliseconds since then.
    pub monotonic_ms: Option<i64>,
}

impl Now {
    /// A clock that was fixed: nothing is known of the machine's own.
    pub fn fixed(at: Micros) -> Self {
        Self { at, boot: None, monotonic_ms: None }
    }
}

/// An entry to be written. The book adds `schema`, `seq`, `prev`, `ts`, `tool`, `clock`, and the version of the intent
/// in `after` where the action changes one.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What is done.
    pub action: Action,
    /// By whom.
    pub actor: Actor,
    /// To what.
    pub subject: Subject,
    /// What stood before; `Value::Null` where nothing did.
    pub before: Value,
    /// What stands now. The places that columns are taken from are those of [`super::action::ACTIONS`].
    pub after: Value,
    /// Evidence items (3.6.2).
    pub evidence: Vec<String>,
    /// Code of the reason.
    pub reason: Option<String>,
    /// The note.
    pub note: Option<String>,
    /// Optional fields: `based_on`, `second`, `policy`, `batch`, `supersedes`, `refs`. Absent is absent, not null.
    pub more: Map<String, Value>,
    /// The policy asks for a signature over this entry (`sign_above`).
    pub sign: bool,
}

impl Draft {
    /// An entry without anything optional.
    pub fn new(action: Action, actor: &Actor, subject: Subject) -> Self {
        Self {
            action,
            actor: actor.clone(),
            subject,
            before: Value::Null,
            after: Value::Null,
            evidence: Vec::new(),
            reason: None,
            note: None,
            more: Map::new(),
            sign: false,
        }
    }

    /// With this before and after.
    #[must_use]
    pub fn change(mut self, before: Value, after: Value) -> Self {
        self.before = before;
        self.after = after;
        self
    }

    /// With a note.
    #[must_use]
    pub fn note(mut self, note: &str) -> Self {
        self.note = Some(note.to_owned());
        self
    }

    /// With an optional field.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.more.insert(name.to_owned(), value);
        self
    }

    /// The canonical text at this place of the chain. `back_ms` is how far the wall clock went back.
    pub(super) fn text(&self, seq: i64, prev: &str, now: &Now, back_ms: i64) -> Result<String, BookError> {
        let Value::Object(mut entry) = json!({
            "schema": SCHEMA, "seq": seq, "prev": prev, "ts": rfc3339_millis(now.at), "actor": self.actor,
            "action": self.action.word(), "subject": {"type": self.subject.kind, "id": self.subject.id},
            "before": self.before, "after": self.after, "evidence": self.evidence, "reason": self.reason,
            "note": self.note, "tool": TOOL,
        }) else {
            return Err(BookError::Entry("it is no object".to_owned()));
        };
        let mut clock = Map::new();
        if let (Some(boot), Some(monotonic)) = (&now.boot, now.monotonic_ms) {
            clock.insert("boot".to_owned(), json!(boot));
            clock.insert("monotonic_ms".to_owned(), json!(monotonic));
        }
        if back_ms > 0 {
            clock.insert("back_ms".to_owned(), json!(back_ms));
        }
        if !clock.is_empty() {
            entry.insert("clock".to_owned(), Value::Object(clock));
        }
        for (name, value) in &self.more {
            if entry.insert(name.clone(), value.clone()).is_some() {
                return Err(BookError::Entry(format!("{name} is a field of its own")));
            }
        }
        canonical(&Value::Object(entry).to_string()).map_err(|why| BookError::Entry(why.to_string()))
    }
}

/// An entry as it stands in the book or in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number.
    pub seq: i64,
    /// Its canonical text.
    pub text: String,
    /// Its hash, as stored.
    pub hash: String,
    /// Its signature.
    pub sig: Option<String>,
    /// The text, read; null where it is none.
    pub value: Value,
}

impl Entry {
    /// An entry of its stored parts.
    pub fn new(seq: i64, text: String, hash: String, sig: Option<String>) -> Self {
        let value = serde_json::from_str(&text).unwrap_or(Value::Null);
        Self { seq, text, hash, sig, value }
    }

    /// What stands at a place, members joined by dots.
    pub fn at(&self, place: &str) -> Option<&Value> {
        at(&self.value, place)
    }

    /// The text at a place; empty where there is none.
    pub fn text_at(&self, place: &str) -> &str {
        self.at(place).and_then(Value::as_str).unwrap_or_default()
    }

    /// When it was written.
    pub fn time(&self) -> Micros {
        parse_time(self.text_at("ts"), &Zone::Utc).begin()
    }

    /// Its place in the chain: `SEQ:HASH`.
    pub fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash.clone() }
    }
}

/// What stands at a place of a value, members joined by dots.
pub(super) fn at<'a>(value: &'a Value, place: &str) -> Option<&'a Value> {
    place.split('.').try_fold(value, |value, name| value.as_object()?.get(name))
}

/// The hash of a text.
pub fn hash(text: &str) -> String {
    sha256_hex(text.as_bytes())
}

/// The last entry of a chain: what is kept elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Number of entries.
    pub seq: i64,
    /// Hash of the last one.
    pub hash: String,
}

impl Head {
    /// Of a chain without entries.
    pub fn none() -> Self {
        Self { seq: 0, hash: ZEROS.to_owned() }
    }

    /// Reads `SEQ:HASH`.
    pub fn parse(text: &str) -> Option<Self> {
        let (seq, hash) = text.trim().split_once(':')?;
        let is_hash =
            hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        let seq = seq.parse().ok().filter(|seq| *seq > 0)?;
        is_hash.then(|| Self { seq, hash: hash.to_owned() })
    }
}

impl std::fmt::Display for Head {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.seq, self.hash)
    }
}
