//! Calls of an intent as they are shown: their rows, and the rest read again at its place.

use crate::judge::facts::{Facts, Receipt};
use crate::judge::view::AttemptView;
use crate::model::money::Money;
use crate::model::row::{At, attempt_flag};
use crate::model::time::Micros;

use super::brief::is_read;
use super::case::Case;
use super::desk::{Desk, key_of};

impl Case {
    pub(super) fn attempts(&self, desk: &Desk, no: usize, facts: &Facts<'_>, eps: i64) -> Vec<AttemptView> {
        let mut number = 0;
        facts
            .tries
            .iter()
            .zip(desk.try_runs(no))
            .map(|(t, r)| {
                let row = &t.row;
                let run = self.run(*r);
                let fields = self.places.fields(row.at);
                let end = At::new(row.at.source(), row.at.place() + u64::from(row.end_after));
                let end_fields = if row.end_after > 0 { self.places.fields(end) } else { Vec::new() };
                let field = |names: &[&str]| {
                    let of = |fields: &[(String, String)]| {
                        names.iter().find_map(|n| {
                            fields.iter().find(|(f, v)| f == n && !v.is_empty()).map(|(_, v)| v.clone())
                        })
                    };
                    of(&end_fields).or_else(|| of(&fields)).unwrap_or_default()
                };
                let read = is_read(&self.setting, row.tool, row.flags);
                if !read {
                    number += 1;
                }
                let tool = self.setting.tool(row.tool);
                let timeout = tool.map_or(super::setting::default::TIMEOUT, |t| t.timeout);
                let settle = tool.map_or(super::setting::default::SETTLE, |t| t.settle);
                let open = self.is_open(row);
                let place = self.places.words(row.at);
                let id = field(&["attempt_id", "call_id", "tool_attempt_id"]);
                let ended = row.ended();
                let last = if ended.at == Micros::NONE {
                    row.sent().end().0.saturating_add(timeout)
                } else {
                    ended.end().0
                };
                AttemptView {
                    at: Some(row.at),
                    number,
                    id: if id.is_empty() { place.replace(" line ", ":") } else { id },
                    tool: self.tables.tools.text(row.tool).to_owned(),
                    read,
                    counts: !read && tool.is_none_or(|t| !t.recorded_by.is_empty()),
                    sent: row.sent(),
                    ended,
                    outcome: row.outcome,
                    outcome_word: field(&["outcome", "status"]),
                    conflict: row.is(attempt_flag::CONFLICT),
                    class: row.outcome.class(open),
                    key: String::from_utf8_lossy(key_of(&self.runs, *r, row)).into_owned(),
                    decision: field(&["decision_id", "turn"]),
                    run: self.tables.run_ids.text(row.run).to_owned(),
                    amount: row.amount().map(|amount| Money { unit: row.unit, amount }),
                    receipt: run.map(|run| run.text(row.receipt).to_owned()).unwrap_or_default(),
                    receipt_found: matches!(t.receipt, Receipt::Row(_)),
                    unseen: row.is(attempt_flag::UNSEEN),
                    text: field(&["text", "error", "message"]),
                    place: if row.end_after > 0 { both(&place, &self.places.words(end)) } else { place },
                    may_land_until: if row.sent == Micros::NONE && ended.at == Micros::NONE {
                        Micros::NONE
                    } else {
                        Micros(last.saturating_add(settle).saturating_add(eps))
                    },
                }
            })
            .collect()
    }
}

/// `trace.jsonl lines 14 and 15`.
fn both(first: &str, second: &str) -> String {
    match (first.rsplit_once(" line "), second.rsplit_once(" line ")) {
        (Some((file, a)), Some((other, b))) if file == other && a != b => format!("{file} lines {a} and {b}"),
        _ => first.to_owned(),
    }
}
