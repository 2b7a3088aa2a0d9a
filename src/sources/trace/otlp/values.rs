//! Values of attributes: typed as OTLP has them, or plain.

use std::borrow::Cow;

use super::super::calls::Fields;
use super::super::http::bare_key;
use crate::sources::json::{Items, Kind, Members, Node};

/// `service.name` of a resource.
pub(super) fn service(resource: Node<'_>) -> Option<Cow<'_, str>> {
    pairs(resource.get("attributes")?)
        .find(|(key, _)| key == "service.name")
        .map(|(_, value)| first_text(value))
}

/// Names and values of attributes.
pub(super) enum Pairs<'a> {
    /// A map.
    Map(Members<'a>),
    /// A list of pairs.
    List(Items<'a>),
}

/// Names and values of attributes: a list of pairs, or a map.
pub(super) fn pairs(node: Node<'_>) -> Pairs<'_> {
    if node.is_object() { Pairs::Map(node.members()) } else { Pairs::List(node.items()) }
}

impl<'a> Iterator for Pairs<'a> {
    type Item = (Cow<'a, str>, Node<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let items = match self {
            Pairs::Map(members) => return members.next().map(|(name, value)| (name.text(), value)),
            Pairs::List(items) => items,
        };
        for pair in items {
            let (mut key, mut value) = (None, None);
            for (name, node) in pair.members() {
                if name.is("key") {
                    key = node.string();
                } else if name.is("value") {
                    value = Some(node);
                }
            }
            if let (Some(key), Some(value)) = (key, value) {
                return Some((key, value));
            }
        }
        None
    }
}

/// The text of a value that is not typed; empty where there is none.
pub(super) fn text(node: Node<'_>) -> Cow<'_, str> {
    node.text().unwrap_or_default()
}

/// The kinds of a typed value.
const TYPED: [&str; 7] =
    ["stringValue", "intValue", "boolValue", "doubleValue", "arrayValue", "kvlistValue", "bytesValue"];

/// The value inside a typed one.
fn typed(node: Node<'_>) -> Option<(&'static str, Node<'_>)> {
    let (name, value) = node.members().next()?;
    TYPED.iter().find(|kind| name.is(kind)).map(|kind| (*kind, value))
}

/// A token as it stands.
fn token(node: Node<'_>) -> Cow<'_, str> {
    std::str::from_utf8(node.raw()).map_or_else(|_| String::from_utf8_lossy(node.raw()), Cow::Borrowed)
}

/// A 64-bit number, which is written as a text.
fn bare(token: Cow<'_, str>) -> Cow<'_, str> {
    match token {
        Cow::Borrowed(token) => Cow::Borrowed(token.trim_matches('"')),
        Cow::Owned(token) => Cow::Owned(token.trim_matches('"').to_owned()),
    }
}

/// A value as JSON, whether typed or plain.
pub(super) fn json_of(node: Node<'_>) -> Cow<'_, str> {
    let Some((kind, value)) = typed(node) else {
        return token(node);
    };
    match kind {
        "intValue" => bare(token(value)),
        "arrayValue" => {
            let parts: Vec<Cow<'_, str>> =
                value.get("values").into_iter().flat_map(Node::items).map(json_of).collect();
            Cow::Owned(format!("[{}]", parts.join(",")))
        }
        "kvlistValue" => {
            let mut fields = Fields::default();
            for (key, value) in value.get("values").into_iter().flat_map(pairs) {
                fields.token(&key, json_of(value).as_bytes());
            }
            Cow::Owned(fields.take())
        }
        _ => token(value),
    }
}

/// The text of a value; of a list the first.
pub(super) fn first_text(node: Node<'_>) -> Cow<'_, str> {
    match typed(node) {
        Some(("arrayValue", value)) => {
            value.get("values").and_then(|values| values.items().next()).map(first_text).unwrap_or_default()
        }
        Some((_, value)) => text(value),
        None if node.is_array() => node.items().next().map(first_text).unwrap_or_default(),
        None => text(node),
    }
}

/// The only element of a JSON array.
pub(super) fn alone(json: &str) -> Option<String> {
    let node = Node::new(json.as_bytes(), 0);
    let mut items = node.items();
    let only = items.next()?;
    let text = only.text().filter(|_| items.next().is_none())?;
    let mut fields = Fields::default();
    fields.text("", bare_key(&text));
    fields.to_json().strip_prefix("{\"\":")?.strip_suffix('}').map(str::to_owned)
}

/// A JSON token as a plain text; what holds others is given as it is.
pub(super) fn plain(json: &str) -> Cow<'_, str> {
    let node = Node::new(json.as_bytes(), 0);
    match node.kind() {
        Some(Kind::Text) => node.string().unwrap_or_default(),
        _ => Cow::Borrowed(json),
    }
}

/// A JSON token; where it is a text that holds an object or array, that.
pub(super) fn opened(json: &str) -> Cow<'_, str> {
    match Node::new(json.as_bytes(), 0).embedded() {
        Some(inside) => Cow::Owned(inside),
        None => Cow::Borrowed(json),
    }
}

/// Arguments inside a wrapper of a dialect: `{"tool_name": .., "arguments": {..}}`, `{"inputs": {..}}`.
pub(super) fn unwrapped(arguments: &str) -> Option<&str> {
    let (mut named, mut inside, mut inputs, mut count) = (false, None, None, 0);
    for (name, value) in Node::new(arguments.as_bytes(), 0).members() {
        count += 1;
        let slot = match () {
            () if name.is("arguments") => &mut inside,
            () if name.is("inputs") => &mut inputs,
            () => {
                named |= (name.is("tool_name") || name.is("name")) && !value.is_null();
                continue;
            }
        };
        *slot = slot.or(Some(value));
    }
    let there = |value: &Node<'_>| !value.is_null();
    let inside = inside.filter(|_| named).filter(there).or(inputs.filter(there).filter(|_| count <= 3))?;
    (inside.is_object() || inside.kind() == Some(Kind::Text))
        .then(|| std::str::from_utf8(inside.raw()).ok())
        .flatten()
}
