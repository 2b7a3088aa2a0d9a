//! Whole situations of a night: a page, books beside a provider, a ledger read too early, many currencies, a running
//! incident. The data are our own; the ones beside the checkout are tried where they are there.

mod books;
mod currencies;
mod incident;
mod not_found;
mod page;

use std::path::Path;

use serde_json::{Value, json};

use recount::judge::judgement::{Class, RetryOrigin};
use recount::judge::view::{IntentView, ResultWord, Tied};
use recount::sources::spec::{Column, Options, SourceSpec, What};

use crate::world::{World, at, beside, case, codes, file, loaded, memory, with};

fn lines(values: &[Value]) -> String {
    values.iter().fold(String::new(), |text, value| text + &value.to_string() + "\n")
}

/// A call of a refund: order, request, amount, unit, sent and ended (of 2026-11-30), outcome.
type Call<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str, &'a str, &'a str);

fn call((order, request, amount, unit, sent, ended, outcome): &Call<'_>) -> Value {
    let day = |t: &str| format!("2026-11-30T{t}Z");
    json!({"operation_id": format!("refund:order_{order}:{request}"), "tool": "refund_order",
        "decision_id": format!("d-{sent}"), "attempt_id": format!("at-{order}-{sent}"),
        "arguments": {"order_id": order, "amount": amount, "currency": unit},
        "started_at": day(sent), "finished_at": day(ended), "outcome": outcome})
}

fn put(value: &mut Value, fields: &[(&str, &str)]) {
    for (name, text) in fields {
        value[name] = (*text).into();
    }
}

fn exported(source: SourceSpec, time: &str) -> SourceSpec {
    with(source, |o| o.exported_at = Some(time.to_owned()))
}

fn result_of(world: &World) -> ResultWord {
    world.summary().result
}

/// Which row each attempt made, as far as is known.
fn tied(view: &IntentView) -> Vec<(String, Tied)> {
    view.effects.iter().map(|e| (e.name.clone(), e.tied)).collect()
}

fn answer(folder: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("answer.json")).unwrap()).unwrap()
}
