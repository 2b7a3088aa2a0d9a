//! What one field means: amounts, outcomes, times (`1-model.md` 1.2 to 1.4).

use super::{Builder, ReadAmount};
use crate::load::reading::SourceReading;
use crate::model::money::{Amount, Money, parse_decimal, parse_minor, parse_real, to_exponent};
use crate::model::outcome::Outcome;
use crate::model::row::{At, Shared, SourceNo};
use crate::model::time::{Instant, Micros, Zone};
use crate::model::units::Unit;
use crate::sources::event::{AmountField, AttemptEvent, EffectEvent, Field};

impl Builder<'_> {
    pub(super) fn amount(
        &mut self,
        field: Option<&AmountField<'_>>,
        currency: Option<&str>,
        source: &SourceReading,
    ) -> ReadAmount {
        let text = currency.filter(|c| !c.is_empty()).unwrap_or(&source.currency);
        let (unit, exponent) = self.units.get(text, &self.cx.tables);
        let own = source.exponent_override.iter().find(|(u, _)| *u == unit).map(|(_, e)| *e);
        let mut read =
            ReadAmount { digits: 0, scale: 0, unit, known: false, minor_without_unit: false, bad: None };
        let Some(field) = field else { return read };
        let major = |amount: Amount| match exponent {
            Some(exponent) => to_exponent(amount, exponent),
            None => Ok(amount),
        };
        let result = match field {
            AmountField::Major(text) => parse_decimal(text).and_then(major),
            AmountField::Real(text) => parse_real(text).and_then(major),
            AmountField::Minor(text) => parse_minor(text).and_then(|digits| match (own, exponent) {
                (Some(own), Some(exponent)) => to_exponent(Amount { digits, scale: own }, exponent),
                (_, Some(exponent)) => Ok(Amount { digits, scale: exponent }),
                // The smallest unit of what ISO 4217 does not list is the unit itself.
                _ => {
                    read.minor_without_unit = unit == Unit::NONE;
                    Ok(Amount { digits, scale: 0 })
                }
            }),
        };
        match result {
            Ok(amount) => {
                read.digits = amount.digits;
                read.scale = amount.scale;
                read.known = true;
            }
            Err(bad) => read.bad = Some(bad),
        }
        read
    }

    /// What a row moved, and what it cost where its amount is that.
    pub(super) fn moved(
        &mut self,
        event: &EffectEvent<'_>,
        source: &SourceReading,
    ) -> (ReadAmount, Option<Money>) {
        if event.cost {
            return (ReadAmount::NONE, self.cost(event, source));
        }
        (self.amount(event.amount.as_ref(), event.currency.as_deref(), source), None)
    }

    /// What a row cost, where its amount is that: with all its decimals, which a currency may not have.
    fn cost(&mut self, event: &EffectEvent<'_>, source: &SourceReading) -> Option<Money> {
        let Some(AmountField::Major(text)) = event.amount.as_ref().filter(|_| event.cost) else {
            return None;
        };
        let amount = parse_decimal(text).ok()?;
        let currency = event.currency.as_deref().filter(|c| !c.is_empty()).unwrap_or(&source.currency);
        let (unit, exponent) = self.units.get(currency, &self.cx.tables);
        let least = exponent.unwrap_or(0);
        // A price has more decimals than its currency, and zeros behind them.
        let mut amount = to_exponent(amount, least).ok().filter(|_| exponent.is_some()).unwrap_or(amount);
        while amount.scale > least && amount.digits % 10 == 0 {
            amount = Amount { digits: amount.digits / 10, scale: amount.scale - 1 };
        }
        Some(Money { unit, amount })
    }

    pub(super) fn outcome(&mut self, tool: Shared, event: &AttemptEvent<'_>, at: At) -> Outcome {
        if event.is_error == Some(true) {
            // `1-model.md` 4.9: an error answer without a listed word cannot tell.
            return self.listed(tool, event.error.as_deref()).unwrap_or(Outcome::ServerError);
        }
        let base = match (event.outcome.as_deref(), event.http) {
            (Some(word), _) => {
                let listed =
                    self.listed(tool, event.error.as_deref()).or_else(|| self.listed(tool, Some(word)));
                let known = listed.or_else(|| self.word(word));
                known.or_else(|| Outcome::from_word(word)).or_else(|| http_word(word)).unwrap_or_else(|| {
                    self.tally(at.source()).unknown_outcome_words += 1;
                    Outcome::OtherWord
                })
            }
            (None, Some(status)) => {
                let listed = self.listed(tool, event.error.as_deref());
                let code = status.to_string();
                listed
                    .or_else(|| self.listed(tool, Some(&code)))
                    .unwrap_or_else(|| Outcome::from_http(status))
            }
            (None, None) if event.is_error == Some(false) => Outcome::Success,
            (None, None) => Outcome::Missing,
        };
        match base {
            Outcome::Success if event.reused => Outcome::Reused,
            // An answer replayed from a store says nothing new unless it is a success.
            Outcome::Rejected if event.replayed => Outcome::Failed,
            other => other,
        }
    }

    /// A word of the list; most are that of the record before.
    fn word(&mut self, word: &str) -> Option<Outcome> {
        if let Some((last, outcome)) = self.outcome
            && last == word
        {
            return Some(outcome);
        }
        let (known, outcome) = self.outcomes.get_key_value(word)?;
        self.outcome = Some((*known, *outcome));
        Some(*outcome)
    }

    /// A tool's own lists come before the words of generic traces (`4-sources.md` 4.10).
    fn listed(&self, tool: Shared, word: Option<&str>) -> Option<Outcome> {
        let word = word?;
        self.cx.tool_words.iter().find(|w| w.tool == tool && w.word == word).map(|w| w.outcome)
    }

    pub(super) fn time(&mut self, field: &Field<'_>, zone: Zone, source: SourceNo) -> Instant {
        let Some(text) = field.as_deref().filter(|t| !t.is_empty()) else {
            return Instant::NONE;
        };
        let time = self.times.read(text, zone);
        if time.at == Micros::NONE {
            self.tally(source).unreadable_times += 1;
        }
        time
    }
}

/// Traces that write the HTTP status where others write a word.
fn http_word(word: &str) -> Option<Outcome> {
    let status: u16 = word.parse().ok()?;
    (100..600).contains(&status).then(|| Outcome::from_http(status))
}
