//! Grouping calls that carry no operation id: equal arguments, apart from what differs by try (`1-model.md` 1.4.10).

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// Argument names that differ between tries of one operation, compared without case, `_` and `-`.
const LEFT_OUT: [&str; 14] = [
    "key",
    "idempotencykey",
    "reason",
    "note",
    "comment",
    "ts",
    "time",
    "timestamp",
    "date",
    "sentat",
    "startedat",
    "createdat",
    "requestid",
    "attempt",
];

/// The arguments in a form that is equal for two tries of one operation: names sorted, numbers by their text.
/// `None` where there are no arguments to compare.
pub fn grouping_form(raw: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(raw).ok()?;
    let inner: String;
    let object = if let Ok(object) = serde_json::from_str::<BTreeMap<String, &RawValue>>(text) {
        object
    } else {
        // Arguments are often a JSON text inside a string.
        inner = serde_json::from_str::<String>(text).ok()?;
        match serde_json::from_str::<BTreeMap<String, &RawValue>>(&inner) {
            Ok(object) => object,
            Err(_) => return (!inner.is_empty()).then(|| inner.clone()),
        }
    };
    let mut form = String::new();
    for (name, value) in &object {
        let bare: String =
            name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).map(|c| c.to_ascii_lowercase()).collect();
        if !LEFT_OUT.contains(&bare.as_str()) {
            form.push_str(name);
            form.push('\u{1f}');
            form.push_str(value.get());
            form.push('\u{1e}');
        }
    }
    (!form.is_empty()).then_some(form)
}

#[cfg(test)]
mod tests {
    use super::grouping_form;

    #[test]
    fn what_differs_by_try_is_left_out() {
        let one = grouping_form(br#"{"order_id":"5531","amount":37.15,"idempotency_key":"a","reason":"x"}"#);
        let two = grouping_form(br#"{"reason":"y","amount":37.15,"order_id":"5531","Idempotency-Key":"b"}"#);
        assert_eq!(one, two);
        assert!(one.is_some());
    }

    #[test]
    fn numbers_are_compared_by_their_text() {
        assert_ne!(grouping_form(br#"{"amount":200}"#), grouping_form(br#"{"amount":200.0}"#));
    }

    #[test]
    fn a_json_text_counts_as_its_content() {
        assert_eq!(grouping_form(br#""{\"amount\":200}""#), grouping_form(br#"{"amount":200}"#));
    }

    #[test]
    fn nothing_to_compare_is_none() {
        for raw in [&b"{}"[..], b"null", b"\"\"", br#"{"reason":"x"}"#] {
            assert_eq!(grouping_form(raw), None);
        }
    }
}
