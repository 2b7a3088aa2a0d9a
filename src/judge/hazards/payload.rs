//! Payloads: when two are equal, and where they first differ. Numbers are compared as they are written.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::facts::Call;

type Object = BTreeMap<String, Box<RawValue>>;

fn object(json: &str) -> Option<Object> {
    serde_json::from_str(json).ok()
}

/// Names under which a key stands among arguments.
const KEY_FIELDS: [&str; 4] = ["idempotency_key", "idempotencyKey", "key", "request_id"];

/// The field of the arguments that holds the key of a call, where one does.
pub fn key_field(call: &Call) -> Option<String> {
    let fields = object(call.arguments.as_deref()?)?;
    let holds =
        |value: &RawValue| serde_json::from_str::<String>(value.get()).is_ok_and(|text| text == call.key);
    let named = KEY_FIELDS.iter().find(|name| fields.get(**name).is_some_and(|value| holds(value)));
    named.filter(|_| !call.key.is_empty()).map(|name| (*name).to_owned())
}

/// Hash of what a call asks for: the canonical form of its arguments without its key. `None` where there is no
/// canonical form (`1-model.md` 1.6).
fn hash(call: &Call) -> Option<String> {
    let json = call.arguments.as_deref()?;
    let Some(field) = key_field(call) else {
        return crate::canon::hash(json).ok();
    };
    let mut fields = object(json)?;
    fields.remove(&field);
    crate::canon::hash(&serde_json::to_string(&fields).ok()?).ok()
}

/// Whether two calls ask for the same; `None` where that cannot be told.
pub fn same(a: &Call, b: &Call) -> Option<bool> {
    if a.arguments.is_some() && b.arguments.is_some() {
        return hash(a).zip(hash(b)).map(|(a, b)| a == b);
    }
    (a.payload != 0 && b.payload != 0).then_some(a.payload == b.payload)
}

/// The first field in which two calls differ: name, value of the one, value of the other.
pub fn difference(a: &Call, b: &Call) -> Option<(String, String, String)> {
    let (first, second) = (object(a.arguments.as_deref()?)?, object(b.arguments.as_deref()?)?);
    let keys = [key_field(a), key_field(b)];
    let value = |of: &Object, name: &str| of.get(name).map_or("nothing".to_owned(), |v| plain(v.get()));
    let names = first.keys().chain(second.keys().filter(|name| !first.contains_key(*name)));
    names
        .filter(|name| !keys.iter().flatten().any(|key| key == *name))
        .map(|name| (name, value(&first, name), value(&second, name)))
        .find(|(_, a, b)| a != b)
        .map(|(name, a, b)| (name.clone(), a, b))
}

/// A token as it is shown: a text without its quotes.
fn plain(token: &str) -> String {
    serde_json::from_str::<String>(token).unwrap_or_else(|_| token.to_owned())
}

/// The words of an order id: the number of different payloads among calls, where all can be compared.
pub fn distinct<'a>(calls: impl Iterator<Item = &'a Call>) -> Vec<&'a Call> {
    let mut different: Vec<&Call> = Vec::new();
    for call in calls {
        if different.iter().all(|known| same(known, call) == Some(false)) {
            different.push(call);
        }
    }
    different
}

/// A field of the arguments as written, under the first of these names.
pub fn field(arguments: &str, names: &[&str]) -> Option<String> {
    let fields = object(arguments)?;
    names.iter().find_map(|name| fields.get(*name)).map(|value| plain(value.get()))
}

/// All fields of the arguments that are numbers, in order of their names.
pub fn numbers(arguments: &str) -> Vec<(String, String)> {
    let fields = object(arguments).unwrap_or_default();
    let number = |(name, value): (String, Box<RawValue>)| {
        let token = value.get().to_owned();
        crate::model::money::parse_decimal(&token).is_ok().then_some((name, token))
    };
    fields.into_iter().filter_map(number).collect()
}
