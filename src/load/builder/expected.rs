//! What a record expects: its count and its other totals. What cannot be read is said, never guessed
//! (`1-model.md` 1.1).

use super::Builder;
use crate::load::accept::{Entry, entries};
use crate::load::reading::SourceReading;
use crate::sources::event::{AmountField, Field, RecordEvent};

/// So much of a value stands in a message.
const SHOWN: usize = 64;

/// The count range that is given, and what is wrong with it. A range that is wrong is none.
pub(super) fn count(event: &RecordEvent<'_>) -> (Option<(u32, u32)>, Vec<String>) {
    let mut bad = Vec::new();
    let mut number = |name: &str, field: &Field<'_>| {
        let text = field.as_deref().map(str::trim).filter(|text| !text.is_empty())?;
        let number = text.parse::<u32>().ok();
        if number.is_none() {
            bad.push(format!("the expected {name} {} is not a whole number of 0 or more", short(text)));
        }
        number
    };
    let both = number("count", &event.count);
    let min = number("count_min", &event.count_min).or(both);
    let max = number("count_max", &event.count_max).or(both);
    if !bad.is_empty() {
        return (None, bad);
    }
    match (min, max) {
        (None, None) => (None, bad),
        (Some(min), None) => (Some((min, min.max(1))), bad),
        (None, Some(max)) => (Some((max.min(1), max)), bad),
        (Some(min), Some(max)) if min <= max => (Some((min, max)), bad),
        (Some(min), Some(max)) => {
            bad.push(format!("the expected count is at least {min} and at most {max}, which no number is"));
            (None, bad)
        }
    }
}

impl Builder<'_> {
    /// What is wrong with the other totals of a record.
    pub(super) fn bad_accept(&mut self, event: &RecordEvent<'_>, source: &SourceReading) -> Vec<String> {
        let Some(raw) = event.accept.map(String::from_utf8_lossy) else {
            return Vec::new();
        };
        let raw = raw.trim();
        if raw.is_empty() || raw == "null" {
            return Vec::new();
        }
        let form = "write \"EUR 184.10\", or an object with amount and currency";
        let Some(entries) = entries(raw) else {
            return vec![format!("the accepted totals {} are not a list: {form}", short(raw))];
        };
        let mut bad = Vec::new();
        for Entry { text, parts } in entries {
            let Some((currency, amount)) = parts else {
                bad.push(format!("the accepted total {} has no currency or no amount: {form}", short(&text)));
                continue;
            };
            let read = self.amount(Some(&AmountField::Major(amount.into())), Some(&currency), source);
            bad.extend(read.bad.map(|why| format!("the accepted total {} {why}", short(&text))));
        }
        bad
    }
}

fn short(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}
