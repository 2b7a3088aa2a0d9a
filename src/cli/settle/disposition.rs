//! `recount disposition ID --as WORD`: how an item that is not unknown was closed (`3-lifecycle.md` 3.13).

use serde_json::{Value, json};

use crate::book::Head;
use crate::book::action::Action;
use crate::cli::call::Call;
use crate::cli::failure::Failure;
use crate::lifecycle::disposition::{Ask, dispose};
use crate::lifecycle::guards;
use crate::lifecycle::persons::somebody_may;
use crate::lifecycle::resolve::of;
use crate::model::money::Money;
use crate::model::units::{Unit, iso};
use crate::text::redact;

use super::desk::{Desk, Item};
use super::evidence::keep;
use super::out::{closing, done, head, with_item};
use super::store::{block, entry, major, money, record, some};
use super::{PENDING, Stop, request};

/// Closes one item, or takes that back.
pub fn run(call: &Call) -> Result<u8, Failure> {
    with_item(call, |desk, item| {
        let actor = desk.person()?;
        desk.unchanged(item)?;
        let note = redact(call.text("note").unwrap_or_default()).into_owned();
        let reference = call.told("ref").unwrap_or_default();
        let word = call.text("as").unwrap_or_default();
        let again = call.flag("reopen");
        if again != word.is_empty() {
            return Err(Failure::usage(
                "say how it was closed with --as WORD, or take that back with --reopen",
            )
            .into());
        }
        let amount = amount(desk, item)?;
        let other = match call.text("same-as") {
            Some(id) => desk.item(id)?.view.intent_id,
            None => String::new(),
        };
        if other == item.view.intent_id {
            return Err(
                Failure::usage(&format!("--same-as names {other} itself; name the other item")).into()
            );
        }
        let persons = if again {
            guards::note(&note, &item.facts.last_note, &desk.policy.policy)
                .map_err(|r| of(r, &item.facts, "reopened"))?;
            1
        } else {
            let ask = Ask { word, amount, reference: &reference, other: &other, note: &note };
            dispose(&item.facts, &ask, desk.rules())?
        };
        let shown = if again { "reopened" } else { word };
        let value = json!({
            "as": shown, "amount": amount.map(|m| money(desk.loaded.case.units(), m)),
            "ref": some(&reference), "same_as": some(&other),
        });
        if persons > 1 {
            somebody_may(&desk.policy.policy, &desk.who()?.person)?;
            request::ask(desk, item, &json!({"disposition": value, "note": note}), &note, &[])?;
            return Ok(PENDING);
        }
        let mut book = desk.book()?;
        let written = book.write(&desk.clock, |w| -> Result<Head, Stop> {
            let closing = Closing { actor: &actor, value: &value, note: &note, second: None, batch: None };
            write(w, desk, item, &closing)
        })?;
        let id = &item.view.intent_id;
        let mut lines = vec![format!("{id}: {shown}, by {}", actor.name)];
        lines.extend(closing(&written));
        done(
            call,
            &desk.mask,
            &lines,
            &json!({
                "schema": "recount.decision.v1", "intent_id": id, "disposition": value, "book": head(&written),
            }),
        )?;
        Ok(0)
    })
}

/// What the entry of a disposition is made of.
pub struct Closing<'a> {
    /// Who closes.
    pub actor: &'a crate::book::Actor,
    /// The disposition.
    pub value: &'a Value,
    /// The note.
    pub note: &'a str,
    /// The second person.
    pub second: Option<Value>,
    /// The batch.
    pub batch: Option<&'a str>,
}

/// Writes a disposition.
///
/// # Errors
/// What the book says.
pub fn write(
    w: &mut crate::book::Writer<'_>,
    desk: &Desk<'_>,
    item: &Item,
    closing: &Closing<'_>,
) -> Result<Head, Stop> {
    record(w, desk, item, closing.actor)?;
    let mut draft = entry(desk, item, Action::Disposition, closing.actor)
        .note(closing.note)
        .change(Value::Null, json!({"disposition": closing.value}));
    if let Some(second) = &closing.second {
        draft = draft.with("second", second.clone());
    }
    if let Some(batch) = closing.batch {
        draft = draft.with("batch", json!(batch));
    }
    draft.evidence = keep(w, &block(desk, item), &[])?;
    Ok(w.append(&draft)?)
}

/// `--amount`, in the unit that [`unit`] says.
pub fn amount(desk: &Desk<'_>, item: &Item) -> Result<Option<Money>, Stop> {
    let Some(text) = desk.call.text("amount") else { return Ok(None) };
    let money = major(desk.loaded.case.units(), unit(desk, item)?, text)?;
    if money.amount.is_zero() || money.amount.is_negative() {
        return Err(Failure::usage(&format!("--amount {text:?}: what was settled is more than 0")).into());
    }
    Ok(Some(money))
}

/// The unit of `--amount`: that of `--currency`, else what is at risk where that is one unit, else the unit of the intent.
///
/// # Errors
/// Usage: a currency that is none; several units at risk and none of them named.
pub fn unit(desk: &Desk<'_>, item: &Item) -> Result<Unit, Failure> {
    let units = desk.loaded.case.units();
    if let Some(code) = desk.call.text("currency") {
        return units.get(code).or_else(|| iso(&code.to_ascii_uppercase())).ok_or_else(|| {
            Failure::usage(&format!("--currency {code:?} is no currency and no unit of this case"))
        });
    }
    let j = &item.view.judgement;
    let at_risk = item.view.at_risk.iter().filter(|m| m.unit.is_named() && !m.amount.is_zero());
    let mut at_risk: Vec<Unit> = at_risk.map(|m| m.unit).collect();
    at_risk.dedup();
    match at_risk.as_slice() {
        [] => Ok(j.expected.map_or(j.unit, |m| m.unit)),
        [one] => Ok(*one),
        several => {
            let names: Vec<&str> = several.iter().map(|unit| units.text(*unit)).collect();
            Err(Failure::usage(&format!(
                "{} is at risk in {}: say with --currency which of them --amount is",
                item.view.intent_id,
                names.join(" and ")
            )))
        }
    }
}
