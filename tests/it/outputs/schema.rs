//! A validator for the part of JSON Schema (draft 2020-12) that `docs/schemas` uses. A word it does not know is an error,
//! so that no schema says more than is checked.

use serde_json::Value;

/// What does not fit, each with its place.
pub fn misfits(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    fit(schema, schema, value, "", &mut found);
    found
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn fit(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if schema == &Value::Bool(false) {
        found.push(format!("{at}: nothing may be here"));
        return;
    }
    let Some(rules) = schema.as_object() else { return };
    for (word, rule) in rules {
        match word.as_str() {
            "$ref" => {
                let target = root.pointer(rule.as_str().unwrap().trim_start_matches('#')).unwrap();
                fit(root, target, value, at, found);
            }
            "type" => {
                let fits = |name: &Value| {
                    let name = name.as_str().unwrap();
                    name == kind(value) || (name == "number" && kind(value) == "integer")
                };
                if !rule.as_array().map_or_else(|| fits(rule), |names| names.iter().any(fits)) {
                    found.push(format!("{at}: {} instead of {rule}", kind(value)));
                }
            }
            "const" if rule != value => found.push(format!("{at}: {value} instead of {rule}")),
            "enum" if !rule.as_array().unwrap().contains(value) => {
                found.push(format!("{at}: {value} is none of {rule}"));
            }
            // What they say is checked above, or with `additionalProperties`, or is for people.
            "const" | "enum" | "$schema" | "title" | "description" | "$defs" | "properties" | "format" => {}
            "required" => {
                let missing = rule.as_array().unwrap().iter().filter_map(Value::as_str);
                let missing = missing.filter(|name| value.is_object() && value.get(name).is_none());
                found.extend(missing.map(|name| format!("{at}: {name} is missing")));
            }
            "items" => {
                for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                    fit(root, rule, item, &format!("{at}/{number}"), found);
                }
            }
            "additionalProperties" => {
                let known = rules.get("properties").and_then(Value::as_object);
                for (name, member) in value.as_object().into_iter().flatten() {
                    let own = known.and_then(|known| known.get(name));
                    fit(root, own.unwrap_or(rule), member, &format!("{at}/{name}"), found);
                }
            }
            "anyOf" => {
                let tried = rule.as_array().unwrap().iter().map(|one| {
                    let mut found = Vec::new();
                    fit(root, one, value, at, &mut found);
                    found
                });
                let mut tried: Vec<Vec<String>> = tried.collect();
                if !tried.iter().any(Vec::is_empty) {
                    found.append(&mut tried.remove(0));
                }
            }
            unknown => panic!("{at}: the validator does not know {unknown}"),
        }
    }
}

#[test]
fn what_does_not_fit_is_found() {
    let schema = serde_json::json!({
        "type": "object", "properties": {"a": {"type": ["integer", "null"]}, "b": {"type": "array", "items": {"enum": ["x"]}}},
        "required": ["a"], "additionalProperties": false
    });
    let said = |value| misfits(&schema, &value);
    assert!(said(serde_json::json!({"a": null, "b": ["x"]})).is_empty());
    assert_eq!(said(serde_json::json!({"a": 1.5})), ["/a: number instead of [\"integer\",\"null\"]"]);
    assert_eq!(
        said(serde_json::json!({"b": ["y"], "c": 1})),
        ["/b/0: \"y\" is none of [\"x\"]", "/c: nothing may be here", ": a is missing"]
    );
}
