//! A JSON object while it is written.

use crate::sources::json::{Node, written_as_text, written_inside_text};

/// So many bytes most objects have.
const USUAL: usize = 384;

/// A JSON object while it is written: its bracket and members, without the bracket that closes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields(String);

impl Fields {
    fn name(&mut self, name: &str) {
        if self.0.is_empty() {
            // Most have several members.
            self.0.reserve(USUAL);
        }
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        written_as_text(&mut self.0, name);
        self.0.push(':');
    }

    /// A text.
    pub fn text(&mut self, name: &str, text: &str) -> &mut Self {
        self.name(name);
        written_as_text(&mut self.0, text);
        self
    }

    /// A text of three parts.
    pub fn joined(&mut self, name: &str, [one, between, other]: [&str; 3]) -> &mut Self {
        self.name(name);
        self.0.push('"');
        for part in [one, between, other] {
            written_inside_text(&mut self.0, part);
        }
        self.0.push('"');
        self
    }

    /// A text, where there is one.
    pub fn maybe<T: AsRef<str>>(&mut self, name: &str, text: Option<T>) -> &mut Self {
        if let Some(text) = text.as_ref().map(AsRef::as_ref).filter(|text| !text.is_empty()) {
            self.text(name, text);
        }
        self
    }

    /// A value as it stands in the source: a JSON token.
    pub fn token(&mut self, name: &str, token: &[u8]) -> &mut Self {
        // What is an object in a text is an object.
        if matches!(name, "arguments" | "result")
            && token.starts_with(b"\"")
            && let Some(inside) = Node::new(token, 0).embedded()
        {
            self.name(name);
            self.0.push_str(&inside);
            return self;
        }
        if let Ok(token) = std::str::from_utf8(token)
            && !token.is_empty()
        {
            self.name(name);
            self.0.push_str(token);
        }
        self
    }

    /// A value of the source, where there is one.
    pub fn node(&mut self, name: &str, node: Option<Node<'_>>) -> &mut Self {
        if let Some(node) = node {
            self.token(name, node.raw());
        }
        self
    }

    /// A truth value.
    pub fn truth(&mut self, name: &str, is: bool) -> &mut Self {
        self.token(name, if is { b"true" } else { b"false" })
    }

    /// An object inside.
    pub fn object(&mut self, name: &str, fields: &Fields) -> &mut Self {
        if !fields.0.is_empty() {
            self.name(name);
            self.0.push_str(&fields.0);
            self.0.push('}');
        }
        self
    }

    /// Fields of another object behind these; the names must be others.
    pub fn join(&mut self, other: &Fields) -> &mut Self {
        if self.0.is_empty() {
            self.0.push_str(&other.0);
        } else if let Some(members) = other.0.strip_prefix('{') {
            self.0.push(',');
            self.0.push_str(members);
        }
        self
    }

    /// Nothing was written.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many bytes were written.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// A member of this name was written, here or in an object inside.
    pub(super) fn names(&self, name: &str) -> bool {
        memchr::memmem::find_iter(self.0.as_bytes(), name)
            .any(|at| self.0.as_bytes().get(at + name.len()..).is_some_and(|rest| rest.starts_with(b"\":")))
    }

    /// The object, and nothing written any more.
    pub(super) fn take(&mut self) -> String {
        let mut json = std::mem::take(&mut self.0);
        json.push_str(if json.is_empty() { "{}" } else { "}" });
        json
    }

    /// Goes on in the memory of a text that is not needed any more.
    pub(super) fn reuse(&mut self, mut json: String) {
        json.clear();
        self.0 = json;
    }

    /// The object.
    pub fn to_json(&self) -> String {
        self.clone().take()
    }
}
