//! What all records of HTTP calls share: the name of a call, its key, its status (`formats.md` 8).

use super::calls::Fields;
use crate::sources::json;

/// Headers that carry an idempotency key, lower case, in order of right.
pub(super) const KEY_HEADERS: [&str; 6] = [
    "idempotency-key",
    "x-idempotency-key",
    "idempotency_key",
    "cko-idempotency-key",
    "paypal-request-id",
    "x-qonto-idempotency-key",
];

/// Headers by which a server says that the answer is a stored one.
pub(super) const REPLAYED_HEADERS: [&str; 3] =
    ["idempotent-replayed", "idempotency-replayed", "x-idempotent-replayed"];

/// The name of a header is one of these, whatever its case.
pub(super) fn is_one_of(name: &str, headers: &[&str]) -> bool {
    headers.iter().any(|header| header.eq_ignore_ascii_case(name))
}

/// A key as it is compared: the draft of the IETF writes it as a quoted string, most servers bare.
pub(super) fn bare_key(key: &str) -> &str {
    let key = key.trim();
    key.strip_prefix('"').and_then(|key| key.strip_suffix('"')).unwrap_or(key)
}

/// The body of a request as a JSON object: JSON as it is, a form by its fields (of a field that is there twice the
/// first).
pub(super) fn arguments_of(body: &str) -> Option<String> {
    let body = body.trim();
    if body.starts_with('{') {
        return json::check(body.as_bytes()).is_ok().then(|| body.to_owned());
    }
    let form = !body.is_empty() && body.contains('=') && !body.contains(['\n', '<', ' ', '{']);
    if !form {
        return None;
    }
    let mut fields = Fields::default();
    let mut names: Vec<String> = Vec::new();
    for (name, value) in body.split('&').filter_map(|pair| pair.split_once('=')) {
        let name = decoded(name);
        if !name.is_empty() && !names.contains(&name) {
            fields.text(&name, &decoded(value));
            names.push(name);
        }
    }
    (!fields.is_empty()).then(|| fields.to_json())
}

/// A text of a form: `+` is a space, `%41` a byte.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte.unwrap_or(b'x')).to_digit(16);
                match (digit(rest.next()), digit(rest.next())) {
                    (Some(high), Some(low)) => bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'?')),
                    _ => bytes.push(b'?'),
                }
            }
            byte => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A text that was written as base64; `None` where it is none.
pub(super) fn from_base64(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits) = (0_u32, 0);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        held = held << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits & 0xff).ok()?);
        }
    }
    String::from_utf8(bytes).ok()
}

/// What a call of HTTP is named: its method and its path, with `{id}` for what looks like one.
pub(super) fn route(method: &str, url: &str) -> String {
    let path =
        url.split_once("://").map_or(url, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let path = path.split(['?', '#', ';']).next().unwrap_or_default();
    let mut out = method.to_ascii_uppercase();
    out.push(' ');
    for part in path.split('/').filter(|part| !part.is_empty()) {
        out.push('/');
        out.push_str(if is_id(part) { "{id}" } else { part });
    }
    if out.ends_with(' ') {
        out.push('/');
    }
    out
}

/// Digits, or long with digits in it, or a short prefix and digits (`ch_5130`); `v1` is none.
fn is_id(part: &str) -> bool {
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    let version = part.len() <= 3 && part.starts_with('v');
    digits > 0 && !version && (digits == part.len() || digits * 2 >= part.len() || part.len() >= 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies() {
        assert_eq!(
            arguments_of("charge=ch_5130&amount=4550&note=a%20b+c&charge=x").as_deref(),
            Some("{\"charge\":\"ch_5130\",\"amount\":\"4550\",\"note\":\"a b c\"}")
        );
        assert_eq!(arguments_of(" {\"a\":1} ").as_deref(), Some("{\"a\":1}"));
        for body in ["", "{\"a\"", "plain text = x", "<a b=\"c\"/>"] {
            assert_eq!(arguments_of(body), None, "{body}");
        }
        assert_eq!(from_base64("eyJpZCI6InJlX0IyIn0=").as_deref(), Some("{\"id\":\"re_B2\"}"));
        assert_eq!(from_base64("e*"), None);
    }

    #[test]
    fn names_of_calls() {
        for (method, url, want) in [
            ("post", "https://api.payments.example/v1/refunds", "POST /v1/refunds"),
            ("GET", "https://a.example/v1/charges/ch_5130?x=1", "GET /v1/charges/{id}"),
            ("POST", "/orders/5130/refunds", "POST /orders/{id}/refunds"),
            ("POST", "https://a.example", "POST /"),
            ("PUT", "/a/9e0c4b1a-1111-4c3d", "PUT /a/{id}"),
        ] {
            assert_eq!(route(method, url), want);
        }
        assert_eq!((bare_key("\"k-1\""), bare_key(" k-1 "), bare_key("\"")), ("k-1", "k-1", "\""));
    }
}
