//! What is read again at its place: ids and payloads of attempts, expected attributes.

use crate::model::row::{At, Status, effect_flag};

use super::case::Case;
use super::desk::{Desk, Only};
use super::places::Places;

impl Case {
    /// Compares expected attributes with the rows, read again: only intents that expect some.
    pub(super) fn attributes(&mut self) {
        let mut differ = Vec::new();
        let asked = self.runs.iter().any(|r| r.records.all().iter().any(|r| r.attrs.is_some()));
        if !asked {
            return;
        }
        self.with_store(|store| {
            for part in 0..super::run::PARTS {
                let some = store.runs.iter().any(|r| r.records.part(part).iter().any(|r| r.attrs.is_some()));
                if !some {
                    continue;
                }
                let desk = Desk::new(store, part, Only::All);
                for no in 0..desk.len() {
                    if self.attribute(&desk, no).is_some() {
                        differ.extend(desk.op(no));
                    }
                }
            }
        });
        for op in differ {
            self.links.ties.entry(op).or_default().attr_differs = true;
        }
    }

    /// The first expected attribute that a live row of an intent contradicts: field, expected, read.
    pub(super) fn attribute(&self, desk: &Desk, no: usize) -> Option<(String, String, String)> {
        let facts = desk.facts(no)?;
        let (r, record) = desk.recorded(no).into_iter().rev().flatten().find(|(_, r)| r.attrs.is_some())?;
        let text = self.runs.get(r as usize)?.text(record.attrs);
        let expected: std::collections::BTreeMap<String, serde_json::Value> =
            serde_json::from_str(text).ok()?;
        for row in
            facts.rows.iter().filter(|r| r.row.status == Status::Live && !r.row.is(effect_flag::REVERSAL))
        {
            let fields = self.places.fields(row.row.at);
            for (name, want) in &expected {
                let want = want.as_str().map_or_else(|| want.to_string(), str::to_owned);
                let read = fields.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v);
                if let Some(read) = read.filter(|read| **read != want) {
                    return Some((name.clone(), want, read.clone()));
                }
            }
        }
        None
    }
}

pub(super) fn attempt_id(places: &dyn Places, at: At) -> Option<String> {
    places
        .fields(at)
        .into_iter()
        .find(|(n, _)| matches!(n.as_str(), "attempt_id" | "call_id" | "tool_attempt_id"))
        .map(|(_, v)| v)
}

/// Print of the canonical payload, so that `200` and `200.0` are one payload where the form exists.
pub(super) fn payload_form(places: &dyn Places, at: At) -> Option<u64> {
    let hash = crate::canon::hash(&places.arguments(at)?).ok()?;
    u64::from_str_radix(hash.get(..16)?, 16).ok()
}
