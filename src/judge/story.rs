//! Stand-in.

/// Where a story is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Beside a list, where the calls are not shown.
    List,
    /// In the detail, where they are.
    Detail,
}

/// The story of an intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// What happened and how much.
    pub first: String,
    /// How it is known, and what is assumed.
    pub rest: Vec<String>,
    /// What to do next; keys stand in brackets, `Hold it (x)`.
    pub next: String,
    /// Why it is judged so: sentence and code (dim; may be empty).
    pub why: Vec<(String, &'static str)>,
    /// What the owner of the ledger can do about too much of this kind.
    pub kind_hint: Option<&'static str>,
    /// The fine print: what is known of keys and protection.
    pub fine: Vec<String>,
}

impl Story {
    /// The whole story as one text.
    pub fn text(&self) -> String {
        let mut text = self.first.clone();
        for sentence in &self.rest {
            text.push(' ');
            text.push_str(sentence);
        }
        text
    }
}

/// A part of a next step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextPart<'a> {
    /// Words.
    Text(&'a str),
    /// A key that stands behind its verb.
    Key(&'a str),
}

/// A next step in words and keys: the brackets are left out, the blank before a key stays.
pub fn next_parts(next: &str) -> Vec<NextPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = next;
    while let Some((before, behind)) = rest.split_once('(') {
        let key = behind.split_once(')').filter(|(key, _)| key.chars().count() == 1);
        let Some((key, after)) = key else { break };
        parts.push(NextPart::Text(before));
        parts.push(NextPart::Key(key));
        rest = after;
    }
    parts.push(NextPart::Text(rest));
    parts
}
