//! Totals that also count as right (`accept`, `1-model.md` 1.1): a list of texts such as `EUR 184.10`, or of objects
//! with amount and currency.

use serde_json::Value;

use crate::model::money::{Amount, Money, parse_decimal, to_exponent};
use crate::model::units::Units;

/// One entry as it is written: currency and amount, nothing where one of them is missing.
pub struct Entry {
    /// The entry as JSON.
    pub text: String,
    /// Currency and amount.
    pub parts: Option<(String, String)>,
}

/// The entries of a list; nothing where it is no list.
pub fn entries(text: &str) -> Option<Vec<Entry>> {
    let values: Vec<Value> = serde_json::from_str(text).ok()?;
    Some(values.iter().map(|value| Entry { text: value.to_string(), parts: parts(value) }).collect())
}

fn parts(value: &Value) -> Option<(String, String)> {
    match value {
        Value::String(text) => {
            let (currency, amount) = text.trim().split_once([' ', '\u{a0}'])?;
            Some((currency.to_owned(), amount.trim().to_owned()))
        }
        Value::Object(map) => {
            let currency = map.get("currency").or_else(|| map.get("unit"))?.as_str()?;
            let amount = match map.get("amount")? {
                Value::String(amount) => amount.clone(),
                other => other.to_string(),
            };
            Some((currency.to_owned(), amount))
        }
        _ => None,
    }
}

/// The totals of a list. What cannot be read was reported when its record was read; a unit that the case does not
/// have is that of no row.
pub fn totals(text: &str, units: &Units) -> Vec<Money> {
    let money = |(currency, amount): (String, String)| {
        let unit = units.get(&currency)?;
        let amount: Amount = parse_decimal(&amount).ok()?;
        let amount = units.exponent(unit).map_or(Some(amount), |e| to_exponent(amount, e).ok())?;
        Some(Money { unit, amount })
    };
    entries(text).unwrap_or_default().into_iter().filter_map(|entry| entry.parts.and_then(money)).collect()
}
