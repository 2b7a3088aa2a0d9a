//! What is remembered of a screen from one time to the next, as named values: one row here is one more of them.

use super::model::{Message, Model};

/// A value that is remembered.
struct Value {
    name: &'static str,
    /// What it is now; `None` where it is as at the beginning.
    get: fn(&Model) -> Option<String>,
    /// Puts it back. What cannot be understood is left as it is.
    set: fn(&mut Model, &str),
}

const ON: &str = "on";

fn on(is_on: bool) -> Option<String> {
    is_on.then(|| ON.to_owned())
}

/// Every value.
#[rustfmt::skip]
const VALUES: [Value; 4] = [
    Value { name: "filter", get: |m| Some(m.filter.text.clone()).filter(|text| !text.is_empty()), set: |m, text| m.filter.text = text.to_owned() },
    Value { name: "only-divergent", get: |m| on(m.filter.divergent), set: |m, text| m.filter.divergent = text == ON },
    Value { name: "only-unknown", get: |m| on(m.filter.unknown), set: |m, text| m.filter.unknown = text == ON },
    Value { name: "local-time", get: |m| on(m.local_time), set: |m, text| m.local_time |= text == ON },
];

/// What is to be remembered.
pub fn remembered(model: &Model) -> Vec<(String, String)> {
    VALUES.iter().filter_map(|value| Some((value.name.to_owned(), (value.get)(model)?))).collect()
}

/// Puts back what was remembered, before anything was read. That rows are left out is said: nobody is to take a list of
/// last time's filter for all there is.
pub fn restore(model: &mut Model, values: &[(String, String)]) {
    for value in &VALUES {
        if let Some((_, text)) = values.iter().find(|(name, _)| name == value.name) {
            (value.set)(model, text);
        }
    }
    if model.filter.is_on() {
        let back = model.setup.keys.shown(super::action::Action::Back, super::model::Context::List);
        let back = back.map_or(String::new(), |key| format!("; {key} shows all"));
        model.messages += 1;
        let text = format!("the filter of last time leaves rows out{back}");
        model.message = Some(Message { text, error: true, number: model.messages });
    }
}
