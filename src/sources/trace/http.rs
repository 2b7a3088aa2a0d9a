//! What all records of HTTP calls share: the name of a call, its key, its status (`formats.md` 8).

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
